"""What an answer that is a table says beside its cells: what was computed, what the columns are, what was left out."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.building import both, there
from neural_programmer.programs.charts.choosing import Shape
from neural_programmer.programs.expressions import RELATION_NODES, Column, Not, Test, group_of, is_grouped
from neural_programmer.programs.frame import Frame
from neural_programmer.programs.interpreter import Interpreter
from neural_programmer.programs.program import OF_TWO_NUMBERS, Built, Program, StepResult, expressions, misfit
from neural_programmer.programs.put_out import units_of, values_of
from neural_programmer.programs.result import Result
from neural_programmer.programs.sentence import sentence
from neural_programmer.programs.state import NONE
from neural_programmer.tables.source import Source
from neural_programmer.tables.table import Table

STORED = {"yes": "true", "no": "false"}  # as people write truths, and as tables hold them
OF_NUMBERS = frozenset((*OF_TWO_NUMBERS, "number", "years", "difference"))  # these read no rows


def as_stored(program: Program, source: Source) -> Program:
    """Return a program that says yes and no of columns of truths as these hold them."""
    truths = {column.name for column in source.columns if column.kind == "boolean"}
    steps = tuple(
        replace(step, argument=tuple(STORED.get(text.casefold(), text) for text in step.argument))
        if step.source in truths and isinstance(step.argument, tuple)
        else step
        for step in program.steps
    )
    return replace(program, steps=steps)


def check_rows(program: Program, empty: Table) -> None:
    """Refuse a step that works on the rows which a number before it left, and these are none."""
    steps = enumerate(zip(program.steps, program.operations, strict=True), 1)
    if any(misfit(step, operation, number, empty) for number, (step, operation) in steps):
        return
    try:
        built = [*expressions(program, empty)]
    except NeuralProgrammerError:
        return  # which is told where the program is run
    for number, (step, operation, each) in enumerate(zip(program.steps, program.operations, built, strict=True), 1):
        reads = operation.updates in ("scalar", "lookup", "table", "truth") and step.operation not in OF_NUMBERS
        if each.rows is NONE and reads and each.on_rows:
            raise NeuralProgrammerError(
                f"step {number}, {step}, has no rows: a number was made of them before; select them again, all of them"
                " with reset"
            )


def told(node: Any, source: Source, found: Answer, rows: Sequence[int | None]) -> dict[str, Any]:
    """Return what was computed, in a sentence; and of a table, what its columns are and their units."""
    if not isinstance(node, RELATION_NODES):
        return {"said": sentence(node)}
    units = units_of(node, lambda name: source.column(name).unit)
    out_of = rows[-1] if is_grouped(node) else source.rows
    keys = group_of(node).keys if is_grouped(node) else ()
    named = [(value in keys, name) for value, name in zip(values_of(node), found.result.columns, strict=True)]
    shape = Shape(tuple(name for key, name in named if key), tuple(name for key, name in named if not key))
    said = {"said": sentence(node, found.result.total, out_of), "units": units}
    if found.kind == "lookup":
        return {**said, "unit": units[0]}
    return {**said, "shape": shape if is_grouped(node) else None}


def as_written(result: Result, step: StepResult, names: Sequence[str], cells: Sequence[Sequence[Any]]) -> Result:
    """Return a table with the cells of the table of data as they are written there: in columns, and in keys of
    groups."""
    assert step.relation is not None and step.first is not None, "a table was made"  # noqa: PT018
    held = list(result.held)
    for place, value in enumerate(values_of(step.relation)):
        if isinstance(value, Column):
            written = cells[names.index(value.name)]
            held[place] = tuple(written[row] for row in step.first.tolist())
    return replace(result, held=tuple(held))


def left_out(program: Program, built: Sequence[Built], source: Source, table: Table | None) -> tuple[str, ...]:
    """Return how many rows are in no group, as they have no cell of what they are grouped by."""
    notes = []
    for step, each in zip(program.steps, built, strict=False):
        if step.operation == "for each" and step.source is not None and isinstance(each.node, RELATION_NODES):
            if is_grouped(group_of(each.node).relation):
                continue
            missing = both(each.rows, Not(there(group_of(each.node).keys[-1])))
            if count := _count(missing, source, table):
                notes.append(
                    f"{count:,} row{'s' * (count > 1)} without {step.source} {'are' if count > 1 else 'is'} left out."
                )
    return tuple(notes)


def _count(test: Test, source: Source, table: Table | None) -> int:
    """Return for how many rows a test holds."""
    if table is not None:
        return int(np.count_nonzero(Interpreter(Frame([table])).rows(test)))
    from neural_programmer.engines import duck

    return duck.count(test, source)
