import errno
import json
import os
from pathlib import Path

import pytest

from neural_programmer.data.paper import TASKS, draw_test, draw_train, task
from neural_programmer.data.paper.export import as_record, write
from neural_programmer.errors import NeuralProgrammerError


def read(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("name", TASKS)
def test_what_is_written_reads_back_exactly(name, tmp_path):
    drawn = draw_train(task(name), 40, seed=5)
    write(drawn, tmp_path / "data.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["data.jsonl"]
    for triple, record in zip(drawn, read(tmp_path / "data.jsonl"), strict=True):
        assert record["question"] == triple.question
        assert record["category"] == triple.template.category
        assert record["template"] == triple.template.text
        assert record["table"]["columns"] == list(triple.table.names)
        assert record["table"]["rows"] == triple.table.records()
        if triple.answer.kind == "scalar":
            assert record["answer"] == triple.answer.scalar
            assert "cells" not in record


@pytest.mark.parametrize("name", ["ten-columns", "text-five-columns"])
def test_cells_of_a_lookup_hold_its_values(name, tmp_path):
    """The answer is the list of values; each stands in the table at its cell, [row, column name]."""
    write(draw_test(task(name), seed=2, count=200), tmp_path / "data.jsonl")
    lookups = [record for record in read(tmp_path / "data.jsonl") if "cells" in record]
    assert len(lookups) > 40
    assert {type(value) for record in lookups for value in record["answer"]} == (
        {float, str} if "text" in name else {float}
    )
    for record in lookups:
        assert "print" in record["question"].split()
        table = record["table"]
        found = [table["rows"][row][table["columns"].index(column)] for row, column in record["cells"]]
        assert found == record["answer"]


def test_a_lookup_of_nothing_is_an_empty_list():
    """Not null, and not the answer of a scalar question."""
    drawn = draw_test(task("single-column"), seed=0, rows=1)
    empty = [as_record(triple) for triple in drawn if triple.answer.kind == "lookup" and not triple.answer.cells]
    assert empty
    assert all(record["answer"] == [] and record["cells"] == [] for record in empty)


def test_the_same_seed_writes_the_same_bytes(tmp_path):
    for name in ("one", "other"):
        write(draw_train(task("text-five-columns"), 30, seed=9), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_progress_counts_the_lines(tmp_path):
    told = []
    write(draw_test(task("single-column"), seed=0), tmp_path / "data.jsonl", told.append)
    assert told == list(range(1, 24))


def test_an_older_file_is_replaced(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text("old\n" * 1000)
    write(draw_test(task("single-column"), seed=0), path)
    assert len(read(path)) == 23


def test_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch):
    """The disk is full when the last lines are to be on it."""
    path = tmp_path / "data.jsonl"
    path.write_text("old\n")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(NeuralProgrammerError) as error:
        write(draw_train(task("single-column"), 100, seed=0), path)
    assert str(error.value) == f"cannot write {path}: No space left on device; what was there before is kept"
    assert [entry.name for entry in tmp_path.iterdir()] == ["data.jsonl"]
    assert path.read_text() == "old\n"


def full(file: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("missing/data.jsonl", "No such file or directory"),
        ("file/data.jsonl", "Not a directory"),
        ("x" * 256, "File name too long"),
    ],
    ids=["missing folder", "below a file", "long name"],
)
def test_a_path_that_cannot_be_written(place, why, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(NeuralProgrammerError) as error:
        write(draw_test(task("single-column"), seed=0), tmp_path / place)
    assert str(error.value) == f"cannot write {tmp_path / place}: {why}; what was there before is kept"
    assert sorted(tmp_path.rglob("*")) == before


def test_stopping_half_way_leaves_nothing_behind(tmp_path):
    def stop(done: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(draw_test(task("single-column"), seed=0), tmp_path / "data.jsonl", stop)
    assert list(tmp_path.iterdir()) == []
