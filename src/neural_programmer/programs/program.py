"""Programs that people can read: their steps, the expression of each step, and their execution by the interpreter."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from neural_programmer.base.limits import check_time
from neural_programmer.base.notebook import line
from neural_programmer.base.once import once
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.expressions import (
    RELATION_NODES,
    Column,
    Nonsense,
    Relation,
    Scan,
    Select,
    Test,
    Value,
    group_of,
    is_grouped,
)
from neural_programmer.programs.frame import Frame
from neural_programmer.programs.interpreter import Interpreter
from neural_programmer.programs.operation import Operation
from neural_programmer.programs.operations import ORDER, named
from neural_programmer.programs.parts import label
from neural_programmer.programs.pointers import Argument, BandOf, Computed, MeasureAt, PartOf, Pointer, source_of
from neural_programmer.programs.put_out import called, put_out, values_of
from neural_programmer.programs.result import Result
from neural_programmer.programs.state import State, arranged, rows_of
from neural_programmer.programs.table_builders import ENDS
from neural_programmer.tables.period import Period
from neural_programmer.tables.table import CellKind, Table, column_kind, plain

Kinds: TypeAlias = tuple[tuple[str, CellKind], ...]  # what columns hold, by their names
DECLINED = "the table does not hold what the question asks for"
COMPARED = ("is more", "is less", "is the same")  # numbers
OF_TWO_NUMBERS = ("sum of both", "minus", "ratio", "percent of", "growth", *COMPARED)
NOTHING_TO_COMPARE = "one of the numbers to compare is made of nothing"
ASKED_FOR = frozenset(  # what a look-up is called by, if one of its steps finds the rows so
    ("greatest", "least", "most common", "least common", "same", "more", "fewer", *ORDER)
)


@dataclass(frozen=True)
class Step:
    """One operation, the column it acts on and its argument: what to compare with, or the texts to match."""

    operation: str
    column: Pointer | None = None
    argument: Argument = None

    @property
    def source(self) -> str | None:
        """Return the column of the table that the step reads, or None."""
        return source_of(self.column)

    def __str__(self) -> str:
        argument = self.argument
        if isinstance(argument, tuple):
            argument = " or ".join(argument) or "nothing"
        return " ".join(str(part) for part in (self.operation, self.column, argument) if part is not None)


@dataclass(frozen=True)
class Program:
    """The steps of a program, in order. `own` are the operations among them that are not built in."""

    steps: tuple[Step, ...]
    own: tuple[Operation, ...] = ()

    def __str__(self) -> str:
        return "; ".join(map(str, self.steps))

    @once
    def operations(self) -> tuple[Operation, ...]:
        """Return the operation of each step."""
        return named(tuple(step.operation for step in self.steps), self.own)


def program_of(steps: Sequence[Step], operations: Sequence[Operation]) -> Program:
    """Return the program of some steps, with those of one's own operations that it needs."""
    names = {step.operation for step in steps}
    return Program(tuple(steps), tuple(entry for entry in operations if entry.own is not None and entry.name in names))


@dataclass(frozen=True)
class StepResult:
    """The result of a step: the rows selected after it, and its number, truth, cells or table if it gave one.

    Where it gave a table, the rows are those that the table is made of, and `first` has one row of the data for each
    row of the table.
    """

    row_select: np.ndarray
    answer: Answer
    relation: Relation | None = None
    first: np.ndarray | None = None


@dataclass(frozen=True)
class Run:
    """The execution of a program: its answer and the result of every step."""

    answer: Answer
    steps: tuple[StepResult, ...]

    def __repr__(self) -> str:
        """Return one line: the answer, and the number of steps."""
        return line("Run", repr(self.answer), f"steps={len(self.steps)}")


class Built(NamedTuple):
    """The expression of a step, the rows that were selected before it, and the name of its column."""

    rows: Test
    node: Any
    column: str | None = None
    on_rows: bool = True  # rather than on a table in the making


def expressions(program: Program, table: Table | Kinds | None = None) -> Iterator[Built]:
    """Yield the expression of every step, for a table, for columns of these kinds, or for any table that fits.

    A table that the last step gives is put in order.
    """
    state = State()
    for number, (step, operation) in enumerate(zip(program.steps, program.operations, strict=True), 1):
        check_time()
        column = None if step.column is None else state.value(step.column, _kind(step, operation, table))
        node = state.built(operation, state.below(column, step.argument))
        last = number == len(program.steps) and isinstance(node, RELATION_NODES) and operation.updates != "lookup"
        yield Built(state.rows[1], arranged(node) if last else node, _called(step, state, column), state.table is None)
        state = state.after(operation, column, node)


def _called(step: Step, state: State, column: Value | None) -> str | None:
    """Return the name of the column of a step. A measure is named by what it measures."""
    if isinstance(step.column, MeasureAt | Computed) and column is not None:
        return called(state.measured or Scan(), column)
    return None if step.column is None else str(step.column)


def _kind(step: Step, operation: Operation, table: Table | Kinds | None) -> CellKind:
    """Return the kind of the column that a step reads."""
    if step.source is None:
        return "number"
    if isinstance(table, Table):
        return column_kind(table.column(step.source))
    known = dict(table or ()).get(step.source)
    return _needed(step, operation) if known is None else known


def _needed(step: Step, operation: Operation) -> CellKind:
    """Return the kind of column that a step needs."""
    if isinstance(step.column, PartOf):
        return "date"
    if isinstance(step.column, BandOf):
        return "number"
    if operation.column in ("text", "any"):
        return "text"
    return "date" if isinstance(step.argument, Period) else "number"


def run(program: Program, table: Table, frame: Frame | None = None) -> Run:
    """Execute the steps one after the other on the table. A frame of the table may be given.

    The answer is that of the last step. Where the last step gives none, there is none.
    """
    frame = frame or Frame([table])
    interpreter, built, node = Interpreter(frame), expressions(program, table), None
    results: list[StepResult] = []
    for number, (step, operation) in enumerate(zip(program.steps, program.operations, strict=True), 1):
        reason = misfit(step, operation, number, table)
        if reason:
            return Run(Answer(reason=reason), tuple(results))
        try:
            node = next(built).node
            result = _executed(step, operation, node, interpreter, last=number == len(program.steps))
            if operation.updates == "cells" and not isinstance(node, RELATION_NODES):  # it leaves the rows as they are
                before = results[-1].row_select if results else np.ones(interpreter.frame.rows, bool)
                result = StepResult(before, result.answer)
            results.append(result)
        except Nonsense as wrong:
            return Run(Answer(reason=str(wrong)), tuple(results))
    if not results:
        return Run(Answer(reason="the program has no steps"), ())
    reason = no_answer(program, node)
    return Run(Answer(reason=reason) if reason else results[-1].answer, tuple(results))


NO_ANSWER = Answer(reason="a step that selects rows, or orders them, gives no answer")


def _executed(step: Step, operation: Operation, node: Any, interpreter: Interpreter, last: bool = True) -> StepResult:
    """Return the result of a step; of a table, what it puts out where the step is the last."""
    nothing = np.zeros(interpreter.frame.rows, bool)
    if operation.updates == "nothing":
        return StepResult(nothing, Answer(reason=DECLINED))
    if operation.updates == "lookup":
        chosen = np.flatnonzero(interpreter.selected(node))
        cells = tuple((row, str(step.column)) for row in chosen.tolist())
        values = plain(interpreter.frame.cells(str(step.column))[chosen])
        return StepResult(nothing, Answer(Result.cells(values, str(step.column)), cells))
    if isinstance(node, RELATION_NODES):
        return _table(node, interpreter, last)
    if operation.updates == "rows":
        return StepResult(interpreter.rows(node), NO_ANSWER)
    if operation.updates == "cells":
        return StepResult(nothing, NO_ANSWER)
    if operation.updates == "truth":
        holds = interpreter.truth(node)
        answer = Answer(reason=NOTHING_TO_COMPARE) if holds is None else Answer(Result.truth(operation.truth(holds)))
        return StepResult(nothing, answer)
    number = interpreter.number(node)[0]
    if isinstance(number, np.datetime64):
        found = Answer(reason=nothing_to_take(step)) if np.isnat(number) else Answer(time_of(step, str(number)))
        return StepResult(nothing, found)
    value = float(number)
    if math.isnan(value):
        return StepResult(nothing, Answer(reason=nothing_to_take(step)))
    return StepResult(nothing, Answer(Result.number(value), unit=operation.unit(value)))


def _table(relation: Relation, interpreter: Interpreter, last: bool) -> StepResult:
    """Return the result of a step that makes a table: groups, or what is put out. Rows in an order give no answer."""
    if is_grouped(relation):
        selected = interpreter.selected(group_of(relation).relation)
        selected = selected if len(selected) == interpreter.frame.rows else np.ones(interpreter.frame.rows, bool)
    else:
        selected = interpreter.rows(rows_of(relation))
    if not last or not (is_grouped(relation) or isinstance(relation, Select)):
        return StepResult(selected, NO_ANSWER, relation)
    columns, first = interpreter.listed(relation)
    cells: tuple[tuple[int, str | None], ...] = tuple((row, None) for row in np.flatnonzero(selected).tolist())
    if not is_grouped(relation):
        names = [value.name for value in values_of(relation) if isinstance(value, Column)]
        cells = tuple((row, name) for row in first.tolist() for name in names)
    result = put_out(relation, [plain(column) for column in columns])
    return StepResult(selected, Answer(result, cells), relation, first)


def no_answer(program: Program, last: Any) -> str:
    """Return why the expression of the last step is no answer, or nothing if it may be one."""
    step, updates = program.steps[-1], program.operations[-1].updates
    if isinstance(last, RELATION_NODES):
        if is_grouped(last) and not values_of(last):
            return f"the last step, {step}, makes one group without a measure and gives no answer"
        in_order = not is_grouped(last) and not isinstance(last, Select)
        return f"the last step, {step}, puts rows in order and gives no answer" if in_order else ""
    if updates == "cells":
        return f"the last step, {step}, is one number of each row and gives no answer"
    return f"the last step, {step}, selects rows and gives no answer" if updates == "rows" else ""


def kind_of(operations: Sequence[str]) -> str:
    """Return the kind of a program of these operations. A look-up is named by the last step that finds rows by other
    rows.

    >>> kind_of(["text match", "greatest", "assign"]), kind_of(["greatest", "next", "assign"])
    ('greatest', 'next')
    """
    last = operations[-1]
    if last != "assign":
        return "declined" if last == "decline" else last
    return next((name for name in reversed(operations) if name in ASKED_FOR), "look up")


def nothing_to_take(step: Step) -> str:
    """Return the reason where a step has no cells to compute with."""
    return f"there is nothing to take the {step} of"


def time_of(step: Step, moment: str) -> Result:
    """Return the first or the last time of some rows as a result: a cell of its column."""
    written = label(moment, step.column.unit) if isinstance(step.column, PartOf) else moment
    return Result.cells((written,), str(step.column))


def misfit(step: Step, needs: Operation, number: int, table: Table) -> str:
    """Return why a step cannot act on this table, or nothing if it can."""
    if isinstance(step.argument, float) and not math.isfinite(step.argument):
        return f"step {number}, {step}, has no number to work with"
    if needs.argument == "none" and step.argument is not None:
        return f"step {number}, {step}, takes no argument"
    if needs.column == "none" and (needs.argument == "none" or isinstance(step.argument, float | int)):
        return ""
    if needs.column != "none" and step.column is None:
        return f"step {number}, {step}, names no column"
    if needs.argument == "count" and not isinstance(step.argument, float | int):
        return f"step {number}, {step}, does not say how many"
    if isinstance(step.column, PartOf | BandOf | MeasureAt | Computed):  # its expression says what it needs
        taken = {"text": tuple, "number": float | int | Period}.get(needs.argument, object)
        return (
            "" if isinstance(step.argument, taken) else f"step {number}, {step}, has no {needs.argument} to work with"
        )
    if step.column is None:
        return f"step {number}, {step}, has no number to work with"
    column = table.column(step.column)
    holds = {"text": "text", "date": "dates", "number": "numbers"}[column_kind(column)]
    kind = "ordered" if needs.name in ENDS else needs.column
    fitting = {"any": holds, "text": "text", "number": "numbers", "ordered": "numbers or dates"}[kind]
    if holds not in fitting.split(" or "):
        return f"step {number}, {step}, needs a column of {fitting}, and column {step.column} holds {holds}"
    wanted = {"text": tuple, "number": Period if holds == "dates" else float}.get(needs.argument, object)
    if not isinstance(step.argument, wanted):
        what = "time" if wanted is Period else needs.argument
        return f"step {number}, {step}, has no {what} to work with"
    return ""


def origins(program: Program) -> list[int]:
    """Return the places of the steps whose rows the answer comes from: the last, or those its number is made of."""
    last = len(program.steps) - 1
    of_rows = program.operations[last].updates in ("lookup", "truth") and program.steps[last].operation not in COMPARED
    return [last] if of_rows else _taken(program, last)


def _taken(program: Program, place: int) -> list[int]:
    """Return the places of the steps whose aggregates a number is made of: two for a difference, one for years."""
    if place < 0:
        return []
    if program.operations[place].updates != "scalar" and program.steps[place].operation not in COMPARED:
        return []
    operation = program.steps[place].operation
    made = {"difference": (place - 3, place - 1), "years": (place - 1,)}.get(operation)
    if operation in OF_TWO_NUMBERS:
        made = tuple(before for before in range(place) if program.operations[before].updates == "scalar")[-2:]
    return [place] if made is None else [step for before in made for step in _taken(program, before)]
