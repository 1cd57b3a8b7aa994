"""A program that a person can read, and its exact execution in float64: the oracle of data and tests."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from neural_programmer.base.notebook import line
from neural_programmer.errors import one_of
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.operations import OPERATIONS, ORDER, State
from neural_programmer.tables.period import Period
from neural_programmer.tables.table import Table, is_date, is_text, plain

DECLINED = "the table does not hold what the question asks for"
ASKED_FOR = frozenset(  # what a look-up is called by, if one of its steps finds the rows so
    ("greatest", "least", "most common", "least common", "same", "more", "fewer", *ORDER)
)


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
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return "; ".join(map(str, self.steps))


@dataclass(frozen=True)
class StepResult:
    """What a step left behind: the rows selected after it, and its scalar, truth or looked-up cells if it gave one."""

    row_select: np.ndarray
    answer: Answer


@dataclass(frozen=True)
class Run:
    """The execution of a program: its answer and the result of every step."""

    answer: Answer
    steps: tuple[StepResult, ...]

    def __repr__(self) -> str:
        """In a line: the answer, and how many steps led to it."""
        return line("Run", repr(self.answer), f"steps={len(self.steps)}")


def run(program: Program, table: Table) -> Run:
    """Execute the steps one after the other on the table.

    row_select_0 = 1 (and so is row_select_{-1}), scalars before step 1 are 0. A step that gives an answer leaves no
    row selected: nothing adds to row_select (section 2.3). The answer is that of the last step; where the last step
    gives none, there is none.
    """
    rows = [np.ones(table.rows, bool)] * 2
    scalars = [0.0] * 3
    nothing = np.zeros(table.rows, bool)
    results: list[StepResult] = []
    for number, step in enumerate(program.steps, 1):
        if step.operation not in OPERATIONS:
            raise one_of("operation", step.operation, OPERATIONS)
        reason = misfit(step, number, table)
        if reason:
            return Run(Answer("none", reason=reason), tuple(results))
        operation = OPERATIONS[step.operation]
        column = table.column(step.column) if step.column is not None else nothing
        value = operation.exact(State(column, *bounds(step.argument), rows[-1], rows[-2], scalars[-1], scalars[-3]))
        answer = Answer("none", reason=f"the last step, {step}, selects rows and gives no answer")
        if operation.updates == "nothing":
            answer = Answer("none", reason=DECLINED)
        elif operation.updates == "scalar" and math.isnan(value):
            answer = Answer("none", reason=nothing_to_take(step))
        elif operation.updates == "scalar":
            answer = Answer("scalar", scalar=value, unit=operation.unit(value))
        elif operation.updates == "truth":
            answer = Answer("truth", values=(operation.truth(bool(np.any(value))),))
        elif operation.updates == "lookup":
            chosen = np.flatnonzero(value)
            cells = tuple((row, str(step.column)) for row in chosen.tolist())
            answer = Answer("lookup", cells=cells, values=tuple(plain(column[chosen])))
        rows.append(value if operation.updates == "rows" else nothing)
        scalars.append(value if operation.updates == "scalar" else 0.0)
        results.append(StepResult(rows[-1], answer))
    if not results:
        return Run(Answer("none", reason="the program has no steps"), ())
    return Run(results[-1].answer, tuple(results))


def kind_of(operations: Sequence[str]) -> str:
    """What a program of these operations gives; a look-up is called by the last step that finds rows by others.

    >>> kind_of(["text match", "greatest", "assign"]), kind_of(["greatest", "next", "assign"])
    ('greatest', 'next')
    """
    last = operations[-1]
    if last != "assign":
        return "declined" if last == "decline" else last
    return next((name for name in reversed(operations) if name in ASKED_FOR), "look up")


def bounds(argument: Argument) -> tuple[Any, Any]:
    """The least and the most that an argument stands for; for texts, the texts."""
    return (argument.first, argument.last) if isinstance(argument, Period) else (argument, argument)


def nothing_to_take(step: Step) -> str:
    return f"there is nothing to take the {step} of"


def misfit(step: Step, number: int, table: Table) -> str:
    """Why a step cannot act on this table, or nothing if it can."""
    needs = OPERATIONS[step.operation]
    if needs.column == "none":
        return ""
    if step.column is None:
        return f"step {number}, {step}, names no column"
    column = table.column(step.column)
    holds = "text" if is_text(column) else "dates" if is_date(column) else "numbers"
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
    looks = OPERATIONS[program.steps[last].operation].updates in ("lookup", "truth")
    return [last] if looks else _taken(program, last)


def _taken(program: Program, place: int) -> list[int]:
    """The steps whose aggregates a scalar is made of: a difference is made of those of two others, and years of one."""
    if place < 0 or OPERATIONS[program.steps[place].operation].updates != "scalar":
        return []
    made = {"difference": (place - 3, place - 1), "years": (place - 1,)}.get(program.steps[place].operation)
    return [place] if made is None else [step for before in made for step in _taken(program, before)]
