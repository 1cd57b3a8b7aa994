"""A line of a batch is answered or refused by itself, whatever its table does to what reads it."""

import json
import os
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.context import SpawnProcess

import pytest

from hostile_files import WORKBOOKS
from many_books import SAID, many_books
from neural_programmer.cli import batch
from neural_programmer.errors import NeuralProgrammerError

HARM = """
import os, signal, time
from neural_programmer.tables import naming
from neural_programmer import operation

@operation(column="number", about="half of what the cells add up to")
def half_of_the_sum(cells):
    return cells.sum() / 2

class Panic(BaseException):
    pass

def harmful(what, found=naming.find):
    if "kills" in str(what):
        os.kill(os.getpid(), signal.SIGSEGV)
    if "panics" in str(what):
        raise Panic("at the\\ndisco")
    if "fails" in str(what):
        raise ZeroDivisionError("by nothing")
    if "memory" in str(what):
        raise MemoryError
    if "sleeps" in str(what):
        time.sleep(1000)
    return found(what)

naming.find = harmful
"""
TABLES = ["good", "kills", "good", "panics", "fails", "memory", "kills", "good", "sleeps", "good"]
FAULTS = {
    "good": None,
    "kills": "what should answer line {} ended (SIGSEGV): its table may be damaged; leave it out",
    "panics": "line {} cannot be answered (Panic: at the disco); leave it out",
    "fails": "line {} cannot be answered (ZeroDivisionError: by nothing); leave it out",
    "memory": "the question takes more memory than there is; ask a smaller table",
    "sleeps": "what should answer line {} took longer than 3 seconds: its table may be damaged; leave it out",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    kept = tmp_path / "kept"
    kept.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(kept))
    (tmp_path / "harm.py").write_text(HARM)
    (tmp_path / "good.csv").write_text("city\nOslo\nRome\n")
    yield tmp_path
    assert os.listdir(kept) == []


def lines(folder, tables):
    asked = [{"id": n, "table": f"{table}.csv", "question": "how many cities"} for n, table in enumerate(tables, 1)]
    (folder / "asked.jsonl").write_text("\n".join(map(json.dumps, asked)))
    return str(folder / "asked.jsonl")


@pytest.mark.parametrize("many", [500, 4])
def test_every_line_has_its_object_whatever_its_table_does(many, folder, monkeypatch):
    """By one process, and by several."""
    monkeypatch.setattr(batch, "MANY", many)
    monkeypatch.setattr(batch, "CHUNK", 2)
    monkeypatch.setattr(batch, "cores", lambda: 2)
    tables = [table for table in TABLES if table != "sleeps"]
    found = list(batch.batch(lines(folder, tables), None, None, [folder / "harm.py"], {"engine": "duckdb"}))
    assert [each["id"] for each in found] == list(range(1, len(tables) + 1))
    faults = [FAULTS[table] for table in tables]
    assert [each["error"] for each in found] == [fault and fault.format(n) for n, fault in enumerate(faults, 1)]
    assert [each["answer"] for each in found if not each["error"]] == [2, 2, 2, 2]


def test_hostile_files_cost_their_lines_alone(folder):
    for name in ("panics.xlsx", "far.xlsx", "spans.xlsx"):
        WORKBOOKS[name][0](folder / name)
    tables = ["good.csv", "panics.xlsx", "far.xlsx", "good.csv", "spans.xlsx", "good.csv"]
    asked = [json.dumps({"table": table, "question": "how many cities"}) for table in tables]
    (folder / "asked.jsonl").write_text("\n".join(asked))
    options = {"engine": "duckdb", "memory": 300}
    found = list(batch.batch(str(folder / "asked.jsonl"), None, None, None, options))
    assert [each["answer"] for each in found] == [2, None, None, 2, None, 2]
    for each, table in zip(found, tables, strict=True):
        assert re.search(WORKBOOKS.get(table, (None, "None"))[1], str(each["error"]))


def test_titles_are_found_in_a_table_with_more_texts_than_are_prepared(folder):
    (folder / "books.csv").write_text(many_books())
    asked = [json.dumps({"table": "books.csv", "question": f"what is the price of {said}"}) for said in SAID]
    (folder / "asked.jsonl").write_text("\n".join(asked))
    found = list(batch.batch(str(folder / "asked.jsonl"), None, None, None, {"engine": "duckdb"}))
    assert [each["answer"] for each in found] == list(SAID.values())
    assert '"Prague House"' in found[-1]["reason"]


def test_a_line_that_does_not_come_to_an_end(folder):
    start = (lines(folder, []), None, None, [folder / "harm.py"], {"engine": "duckdb"})
    with batch._folder() as kept:
        office = batch.Office(kept, start, seconds=3)
        asked = [
            json.dumps({"table": f"{folder}/{name}.csv", "question": "how many cities"}) for name in ("sleeps", "good")
        ]
        assert office.answer(1, asked[0])["error"] == FAULTS["sleeps"].format(1)
        office.seconds = None
        assert office.answer(2, asked[1])["answer"] == 2
        office.close()


def test_a_batch_that_is_left_before_its_end(folder):
    found = batch.batch(lines(folder, ["good"] * 5), None, None, None, {"engine": "duckdb"})
    assert next(found)["answer"] == 2
    found.close()


def test_a_model_that_is_not_there_is_said_once(folder):
    with pytest.raises(NeuralProgrammerError, match="no model at nowhere"):
        list(batch.batch(lines(folder, ["good"]), None, "nowhere/model", None, {"engine": "duckdb"}))


@pytest.fixture
def office(folder):
    with batch._folder() as kept:
        one = batch.Office(kept, (lines(folder, []), None, None, None, {"engine": "duckdb"}))
        yield one
        one.close()


def asked(folder):
    return json.dumps({"id": 7, "table": f"{folder}/good.csv", "question": "how many cities"})


@pytest.mark.parametrize("failures", [1, 2])
def test_where_no_process_can_be_started_another_is_and_then_it_is_said_of_the_line(
    failures, office, folder, monkeypatch
):
    start, tries = SpawnProcess.start, []

    def failing(process):
        tries.append(process)
        if len(tries) <= failures:
            raise OSError(11, "Resource temporarily unavailable")
        start(process)

    monkeypatch.setattr(SpawnProcess, "start", failing)
    office.process.kill()
    office.process.join()
    found = [office.answer(number, asked(folder)) for number in (1, 2)]
    assert [each["id"] for each in found] == [7, 7]
    said = "no process could be started to answer (Resource temporarily unavailable)"
    assert [each["error"] for each in found] == [None if failures == 1 else said, None]
    assert found[1]["answer"] == 2


def test_the_pipe_to_a_process_that_ended_is_closed(office, folder):
    pipe = office.pipe
    office.process.kill()
    office.process.join()
    assert office.answer(1, asked(folder))["answer"] == 2
    assert pipe.closed


def test_no_process_is_started_after_the_end(office, folder):
    office.close()
    process = office.process
    with pytest.raises(NeuralProgrammerError, match="the batch was stopped"):
        office.answer(1, asked(folder))
    assert office.process is process


def test_a_long_file_is_not_read_at_once():
    read = []

    def numbers():
        for number in range(10):
            read.append(number)
            yield number

    with ThreadPoolExecutor(2) as pool:
        found = batch._in_order(pool, lambda number: -number, numbers(), 3)
        assert next(found) == 0
        assert read == [0, 1, 2]
        assert list(found) == [-number for number in range(1, 10)]
