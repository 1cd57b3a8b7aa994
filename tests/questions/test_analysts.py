"""The questions of analysts are whole: each has an answer of a form that is known, or none."""

import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "analysts"
FILES = sorted(FOLDER.glob("*/*.jsonl"))
FIELDS = {"id", "table", "question", "kind", "answer", "columns", "ordered", "accept", "note"}


def fits(answer, columns):
    """A number, a truth, cells, or rows as long as there are columns."""
    if not isinstance(answer, list):
        return isinstance(answer, int | float | bool | str) and answer == answer
    if columns:
        return all(isinstance(row, list) and len(row) == len(columns) for row in answer)
    return not any(isinstance(cell, list | dict) for cell in answer)


def test_there_are_as_many_as_is_said():
    assert len(FILES) == 24
    assert {path.parent.name for path in FILES} == {"a", "b", "c"}
    count = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in FILES)
    assert f"{count:,} questions" in (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_question_has_an_answer_or_none(path):
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len({one["id"] for one in found}) == len({one["question"] for one in found}) == len(found) >= 40
    for one in found:
        assert set(one) <= FIELDS, one["id"]
        assert one["table"] == f"{path.stem}.csv"
        assert (one["answer"] is None) == (one["kind"] == "unanswerable"), one["id"]
        assert one["answer"] is None or fits(one["answer"], one.get("columns")), one["id"]
