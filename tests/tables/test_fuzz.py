"""Odd questions about odd tables end in an answer or in a sentence: 200 of the tables that scripts/fuzz.py asks."""

import contextlib
import importlib.util
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

SPEC = importlib.util.spec_from_file_location("fuzz", Path(__file__).parent.parent.parent / "scripts" / "fuzz.py")
fuzz = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(fuzz)

TABLES, TOGETHER = 200, 10


@pytest.mark.parametrize("first", range(0, TABLES, TOGETHER))
def test_odd_tables_are_answered_or_refused(first):
    """To look at one of them: python scripts/fuzz.py --one NUMBER."""
    faults = []
    for number in range(first, first + TOGETHER):
        case, ended = fuzz.one(number, door="python")
        faults += [(number, case.odd.kind, fault) for each in map(vars, ended) if (fault := fuzz.fault_of(each))]
    assert not faults


def test_a_case_is_the_same_whenever_it_is_drawn(tmp_path):
    for number in range(20):
        drawn = []
        for folder in (tmp_path / f"{number}-1", tmp_path / f"{number}-2"):
            folder.mkdir()
            case = fuzz.drawn(number, folder)
            drawn.append((case.odd.kind, case.odd.columns, case.questions, case.door, case.model))
        assert drawn[0] == drawn[1]


def test_what_breaks_the_drawing_of_a_case_is_told_and_the_next_one_is_asked(tmp_path, monkeypatch):
    told, numbers = [], iter([7, 4])

    def one(number, seed, door, drawn=fuzz.one):
        return drawn(number, seed, door) if number == 4 else {}[number]

    def recv():
        with contextlib.suppress(StopIteration):
            return next(numbers)
        raise EOFError

    monkeypatch.setattr(fuzz, "one", one)
    monkeypatch.setattr(fuzz.resource, "setrlimit", lambda *given: None)  # of this process
    monkeypatch.setattr(fuzz.tempfile, "tempdir", None)
    fuzz._work(SimpleNamespace(recv=recv, send=told.append), str(tmp_path), fuzz.SEED, "")
    assert [each["number"] for each in told] == [7, 4]
    [broken] = told[0]["ended"]
    assert (broken["kind"], "KeyError: 7" in broken["said"]) == ("breaks", True)
    assert not any(map(fuzz.fault_of, told[1]["ended"]))


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the system does not tell")
def test_memory_that_is_held_is_counted_and_not_what_is_reserved():
    fuzz._forget_held()
    before = fuzz._held()
    reserved = np.empty(300_000_000, np.uint8)
    assert fuzz._held() < before + 100
    held = np.ones(200_000_000, np.uint8)
    assert len(held) < len(reserved)
    assert fuzz._held() > before + 150
    del held
    fuzz._forget_held()
    assert fuzz._held() < before + 100


def test_a_question_that_takes_more_memory_than_there_is_is_a_fault():
    with fuzz._ending() as ended:
        raise fuzz.NeuralProgrammerError(fuzz.NO_MEMORY)
    assert fuzz.fault_of(vars(ended)).startswith("takes memory: the question takes more memory")


def test_faults_are_told():
    ended = [
        fuzz.Ended("scalar", engine="disagrees: DuckDB gives [1], not [2]"),
        fuzz.Ended("refused"),
        fuzz.Ended("hangs"),
    ]
    about = {"number": 7, "table": "csv, cut", "door": "python", "model": "ask", "questions": ["a"]}
    about |= {"seconds": 1.0, "megabytes": 300}
    found = fuzz.summary([{**about, "ended": [vars(each) for each in ended]}])
    assert [fault["fault"] for fault in found["faults"]] == ["disagrees: DuckDB gives [1], not [2]", "hangs: "]
    assert found["by_table"] == {"csv, damaged": {"scalar": 1, "refused": 1, "hangs": 1}}
