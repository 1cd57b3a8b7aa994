"""A table on the screen: where it begins, how much of it is there."""

import pytest

from neural_programmer.answering.asking import Opened
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.page import tables
from neural_programmer.programs.program import Program, Step
from neural_programmer.tables.source import open_source

PROGRAM = Program((Step("greater", "n", 149.0), Step("count")))


@pytest.fixture
def opened(tmp_path):
    (tmp_path / "a.csv").write_text("n\n" + "".join(f"{number}\n" for number in range(200)))
    return Opened(open_source(tmp_path / "a.csv"))


def test_a_step_begins_where_it_selects(opened):
    found = tables.sheet(opened, PROGRAM, 1)
    assert (found.start, found.end, found.total, found.selected) == (150, 200, 200, 50)
    assert (found.before, found.after) == (100, None)
    assert not found.takes
    assert tables.sheet(opened, PROGRAM, 2).takes
    asked = tables.sheet(opened, Program((PROGRAM.steps[0], Step("whether"))), 2)
    assert (asked.start, asked.selected, asked.takes) == (150, 50, True)
    assert asked.rows[0].marked == {None}


def test_only_the_selected_rows(opened):
    found = tables.sheet(opened, PROGRAM, 1, only=True)
    assert (found.start, found.end, found.total) == (0, 50, 50)
    assert (found.before, found.after) == (None, None)
    assert found.rows[0].number == 150


def test_a_place_beyond_the_end_is_the_end(opened):
    assert tables.sheet(opened, start=10**9).end == 200
    assert tables.sheet(opened, start=30).start == 30
    with pytest.raises(NeuralProgrammerError, match="the program has 2 steps, and there is no step 3"):
        tables.sheet(opened, PROGRAM, 3)


def test_wide_tables_have_fewer_rows_on_the_screen(tmp_path):
    names = [f"c{place}" for place in range(300)]
    (tmp_path / "w.csv").write_text(",".join(names) + "\n" + (",".join("1" * 300) + "\n") * 20)
    assert len(tables.sheet(Opened(open_source(tmp_path / "w.csv"))).rows) == tables.FEWEST_ROWS


def test_a_table_without_rows(tmp_path):
    (tmp_path / "e.csv").write_text("a,b\n")
    found = tables.sheet(Opened(open_source(tmp_path / "e.csv")), Program((Step("count"),)), 1)
    assert (found.rows, found.start, found.before, found.after) == ((), 0, None, None)
