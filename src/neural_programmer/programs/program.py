"""A program that a person can read: its steps, the expression of each, and their execution by the interpreter."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool

from neural_programmer.base.notebook import line
from neural_programmer.base.once import once
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.expressions import Column, Constant, Everything, Not, Test, Value
from neural_programmer.programs.interpreter import Frame, Interpreter
from neural_programmer.programs.operations import ORDER, Below, Operation, named
from neural_programmer.programs.result import Result
from neural_programmer.tables.period import Period
from neural_programmer.tables.table import CellKind, Table, column_kind, plain

DECLINED = "the table does not hold what the question asks for"
ASKED_FOR = frozenset(  # what a look-up is called by, if one of its steps finds the rows so
    ("greatest", "least", "most common", "least common", "same", "more", "fewer", *ORDER)
)


ALL, NONE, ZERO = Everything(), Not(Everything()), Constant(0.0)
Argument = float | Period | tuple[str, ...] | None


@dataclass(frozen=True)
class Step:
    """One operation, the column it acts on and its argument: what to compare with, or the texts to match."""

    operation: str
    column: str | None = None
    argument: Argument = None

    def __str__(self) -> str:
        argument = self.argument
        if isinstance(argument, tuple):
            argument = " or ".join(argument) or "nothing"
        return " ".join(str(part) for part in (self.operation, self.column, argument) if part is not None)


@dataclass(frozen=True)
class Program:
    """Steps, one after the other; `own` are the operations among them that are not built in."""

    steps: tuple[Step, ...]
    own: tuple[Operation, ...] = ()

    def __str__(self) -> str:
        return "; ".join(map(str, self.steps))

    @once
    def operations(self) -> tuple[Operation, ...]:
        """The operation of each step."""
        return named(tuple(step.operation for step in self.steps), self.own)


def program_of(steps: Sequence[Step], operations: Sequence[Operation]) -> Program:
    """The program of some steps, with those of the operations that it needs."""
    names = {step.operation for step in steps}
    return Program(tuple(steps), tuple(entry for entry in operations if entry.own is not None and entry.name in names))


@dataclass(frozen=True)
class StepResult:
    """What a step left behind: the rows selected after it, and its scalar, truth or looked-up cells if it gave one."""

    row_select: np.ndarray
    answer: Answer


ROWS_ALONE = Answer(reason="a step that selects rows gives no answer")


@dataclass(frozen=True)
class Run:
    """The execution of a program: its answer and the result of every step."""

    answer: Answer
    steps: tuple[StepResult, ...]

    def __repr__(self) -> str:
        """In a line: the answer, and how many steps led to it."""
        return line("Run", repr(self.answer), f"steps={len(self.steps)}")


def below(
    column: Column | None = None,
    argument: Argument = None,
    rows: Test = ALL,
    rows_before: Test = ALL,
    scalar: Value = ZERO,
    scalar_before: Value = ZERO,
) -> Below:
    """What an operation builds on; where nothing is said of the steps before it, as at the first one."""
    if isinstance(argument, tuple):
        return Below(column, None, None, tuple(map(Constant, argument)), rows, rows_before, scalar, scalar_before)
    least, most = bounds(argument)
    low = None if least is None else Constant(least)
    high = low if most is least else Constant(most)
    return Below(column, low, high, (), rows, rows_before, scalar, scalar_before)


class Built(NamedTuple):
    """The expression of a step, and the rows that were selected before it."""

    rows: Test
    node: Any


def expressions(program: Program, table: Table | None = None) -> Iterator[Built]:
    """The expression of every step, about a table or any that it fits.

    row_select_0 = 1 (and so is row_select_{-1}), scalars before step 1 are 0. A step that gives an answer leaves no
    row selected: nothing adds to row_select (section 2.3).
    """
    rows: list[Test] = [ALL, ALL]
    scalars: list[Value] = [ZERO] * 3
    for step, operation in zip(program.steps, program.operations, strict=True):
        column = None
        if step.column is not None:
            column = Column(
                step.column, _needed(step, operation) if table is None else column_kind(table.column(step.column))
            )
        node: Any = operation.expression(below(column, step.argument, rows[-1], rows[-2], scalars[-1], scalars[-3]))
        yield Built(rows[-1], node)
        rows.append(node if operation.updates == "rows" else NONE)
        scalars.append(node if operation.updates == "scalar" else ZERO)


def _needed(step: Step, operation: Operation) -> CellKind:
    """What a column holds, as far as a step needs it to."""
    if operation.column in ("text", "any"):
        return "text"
    return "date" if isinstance(step.argument, Period) else "number"


def run(program: Program, table: Table, frame: Frame | None = None) -> Run:
    """Execute the steps one after the other on the table, of which a frame may be at hand.

    The answer is that of the last step; where the last step gives none, there is none.
    """
    frame = frame or Frame([table])
    interpreter, built = Interpreter(frame), expressions(program, table)
    results: list[StepResult] = []
    nothing = np.zeros(frame.rows, bool)
    for number, (step, operation) in enumerate(zip(program.steps, program.operations, strict=True), 1):
        reason = misfit(step, operation, number, table)
        if reason:
            return Run(Answer(reason=reason), tuple(results))
        results.append(_executed(step, operation, next(built).node, interpreter, nothing))
    if not results:
        return Run(Answer(reason="the program has no steps"), ())
    if program.operations[-1].updates == "rows":
        reason = f"the last step, {program.steps[-1]}, selects rows and gives no answer"
        return Run(Answer(reason=reason), tuple(results))
    return Run(results[-1].answer, tuple(results))


def _executed(
    step: Step, operation: Operation, node: Any, interpreter: Interpreter, nothing: Bool[np.ndarray, "rows"]
) -> StepResult:
    """What a step leaves behind."""
    if operation.updates == "nothing":
        return StepResult(nothing, Answer(reason=DECLINED))
    if operation.updates == "rows":
        return StepResult(interpreter.rows(node), ROWS_ALONE)
    if operation.updates == "truth":
        holds = bool(interpreter.exists(node)[0])
        return StepResult(nothing, Answer(Result.truth(operation.truth(holds))))
    if operation.updates == "lookup":
        chosen = np.flatnonzero(interpreter.selected(node))
        cells = tuple((row, str(step.column)) for row in chosen.tolist())
        values = plain(interpreter.frame.cells(str(step.column))[chosen])
        return StepResult(nothing, Answer(Result.cells(values, str(step.column)), cells))
    value = float(interpreter.number(node)[0])
    if math.isnan(value):
        return StepResult(nothing, Answer(reason=nothing_to_take(step)))
    return StepResult(nothing, Answer(Result.number(value), unit=operation.unit(value)))


def kind_of(operations: Sequence[str]) -> str:
    """What a program of these operations gives; a look-up is called by the last step that finds rows by others.

    >>> kind_of(["text match", "greatest", "assign"]), kind_of(["greatest", "next", "assign"])
    ('greatest', 'next')
    """
    last = operations[-1]
    if last != "assign":
        return "declined" if last == "decline" else last
    return next((name for name in reversed(operations) if name in ASKED_FOR), "look up")


def bounds(argument: float | Period | None) -> tuple[Any, Any]:
    """The least and the most that a number or a time stands for."""
    return (argument.first, argument.last) if isinstance(argument, Period) else (argument, argument)


def nothing_to_take(step: Step) -> str:
    return f"there is nothing to take the {step} of"


def misfit(step: Step, needs: Operation, number: int, table: Table) -> str:
    """Why a step cannot act on this table, or nothing if it can."""
    if needs.column == "none":
        return ""
    if step.column is None:
        return f"step {number}, {step}, names no column"
    column = table.column(step.column)
    holds = {"text": "text", "date": "dates", "number": "numbers"}[column_kind(column)]
    fitting = {"any": holds, "text": "text", "number": "numbers", "ordered": "numbers or dates"}[needs.column]
    if holds not in fitting.split(" or "):
        return f"step {number}, {step}, needs a column of {fitting}, and column {step.column} holds {holds}"
    wanted = {"none": object, "text": tuple, "number": Period if holds == "dates" else float}[needs.argument]
    if not isinstance(step.argument, wanted):
        what = "time" if wanted is Period else needs.argument
        return f"step {number}, {step}, has no {what} to work with"
    return ""


def origins(program: Program) -> list[int]:
    """The steps whose rows the answer comes from: the last, or those that its scalar is made of."""
    last = len(program.steps) - 1
    return [last] if program.operations[last].updates in ("lookup", "truth") else _taken(program, last)


def _taken(program: Program, place: int) -> list[int]:
    """The steps whose aggregates a scalar is made of: a difference is made of those of two others, and years of one."""
    if place < 0 or program.operations[place].updates != "scalar":
        return []
    made = {"difference": (place - 3, place - 1), "years": (place - 1,)}.get(program.steps[place].operation)
    return [place] if made is None else [step for before in made for step in _taken(program, before)]
