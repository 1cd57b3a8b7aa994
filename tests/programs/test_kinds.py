"""docs/kinds.md is what its script writes, and DuckDB gives the answers that it shows."""

import importlib.util
from pathlib import Path

import pytest

from neural_programmer.engines import duck
from neural_programmer.programs.program import run
from neural_programmer.programs.same import is_right
from neural_programmer.programs.text import parse
from neural_programmer.tables.source import open_source

SPEC = importlib.util.spec_from_file_location("kinds", Path(__file__).parents[2] / "scripts" / "kinds.py")
KINDS = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(KINDS)
HAND = {  # what somebody counted
    "group": [["Harbour", 40], ["Market", 37], ["Station", 37]],
    "group, then choose": ["plum cake"],
    "share": 37.5,
    "missing": 3,
    "bands": [[10, 1], [20, 3], [30, 5], [40, 2], [50, 2], [60, 2], [70, 1]],
    "yes or no": True,
    "list of a few": [70, 64, 61, 58],
    "the time covered": [["2022-11-05", "2023-12-23"]],
}


@pytest.fixture(scope="module")
def source():
    with open_source(KINDS.TABLE) as opened:
        yield opened


def test_the_page_is_what_the_script_writes():
    assert KINDS.PAGE.read_text(encoding="utf-8") == KINDS.page(), "write it again: python scripts/kinds.py"


def test_the_pictures_are_what_the_script_draws():
    drawn = {path.stem: path.read_text(encoding="utf-8") for path in KINDS.PICTURES.glob("*.svg")}
    assert drawn == KINDS.pictures(), "draw them again: python scripts/kinds.py"


@pytest.mark.parametrize("example", KINDS.EXAMPLES, ids=lambda example: example.kind)
def test_an_example_is_answered_alike_by_duckdb(source, example):
    program = parse(example.program)
    said = run(program, source.table()).answer
    assert said.answered, said.reason
    assert is_right(duck.answer(program, source)[0].value, said.value)
    assert is_right(said.value, HAND.get(example.kind, said.value))
