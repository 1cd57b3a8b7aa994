"""Odd questions about odd tables end in an answer or in a sentence: 200 of the tables that scripts/fuzz.py asks."""

import importlib.util
from pathlib import Path

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


def test_faults_are_told():
    ended = [
        fuzz.Ended("scalar", engine="disagrees: DuckDB gives [1], not [2]"),
        fuzz.Ended("refused"),
        fuzz.Ended("hangs"),
    ]
    about = {"number": 7, "table": "csv, cut", "door": "python", "model": "ask", "questions": ["a"], "seconds": 1.0}
    found = fuzz.summary([{**about, "ended": [vars(each) for each in ended]}])
    assert [fault["fault"] for fault in found["faults"]] == ["disagrees: DuckDB gives [1], not [2]", "hangs: "]
    assert found["by_table"] == {"csv, damaged": {"scalar": 1, "refused": 1, "hangs": 1}}
