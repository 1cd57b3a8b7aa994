"""Rows as steps see them: the same that the interpreter selects, on random programs; pages; marks; long texts."""

import numpy as np
import pytest

from neural_programmer.answering import asking
from neural_programmer.answering.decision import Decision
from neural_programmer.engines import rows
from neural_programmer.programs.program import Program, Step, run
from neural_programmer.tables.source import open_source
from queries import random_program, random_table, source_of


@pytest.mark.parametrize("seed", range(60))
def test_the_rows_of_a_step_are_those_of_the_interpreter(seed):
    generator = np.random.default_rng(seed)
    table = random_table(generator)
    program = random_program(generator, table)
    with np.errstate(all="ignore"):
        done = run(program, table)
    before = [np.ones(table.rows, bool), *(step.row_select for step in done.steps)]
    with source_of(table) as source:
        for place, operation in enumerate(program.operations):
            if operation.updates == "lookup":
                expected = np.isin(np.arange(table.rows), [row for row, _ in done.steps[place].answer.cells])
            else:
                expected = before[place + (operation.updates == "rows")]
            view = rows.view(source, program, place)
            numbers = np.flatnonzero(expected).tolist()
            assert view.extent() == (len(numbers), min(numbers, default=0))
            assert [row.number for row in view.page(0, 100, only=True)] == numbers
            assert [row.number for row in view.page(0, 100) if row.selected] == numbers


@pytest.mark.parametrize("seed", range(60))
def test_the_cells_that_are_marked_are_those_of_the_answer(seed):
    generator = np.random.default_rng(1000 + seed)
    table = random_table(generator)
    program = random_program(generator, table)
    opened = asking.Opened(source_of(table))
    answer = asking.answered(opened, "?", Decision(program, 1.0))
    if answer.kind != "none":
        found = rows.view(opened.source, program).page(0, 100)
        marked = {(row.number, column) for row in found for column in row.marked}
        expected = set(answer.cells)
        if answer.kind == "lookup":  # a missing cell is looked up as well, and there is nothing to mark
            expected = {cell for cell, value in zip(answer.cells, answer.values, strict=True) if value is not None}
        assert marked == expected


def test_pages_are_parts_of_the_table_and_texts_are_cut(tmp_path):
    (tmp_path / "a.csv").write_text("n,t\n" + "".join(f"{n},{'é' * 1000}\n" for n in range(1, 101)))
    with open_source(tmp_path / "a.csv") as source:
        view = rows.view(source, Program((Step("greater", "n", 50.0), Step("sum", "n"))), 0)
        assert [row.cells[0] for row in view.page(10, 5)] == [11, 12, 13, 14, 15]
        assert [row.cells[0] for row in view.page(10, 5, only=True)] == [61, 62, 63, 64, 65]
        assert view.page(95, 50)[-1].number == 99
        assert view.page(200, 5) == []
        assert view.page(0, 1)[0].cells[1] == "é" * rows.LONGEST
        assert view.extent() == (50, 50)
        assert not any(row.selected for row in rows.view(source).page(0, 5))
