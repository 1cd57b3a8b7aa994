"""A program that a person can read, and its exact execution in float64: the oracle of data and tests."""

from dataclasses import dataclass

import numpy as np

from neural_programmer.answer import Answer
from neural_programmer.errors import one_of
from neural_programmer.operations import OPERATIONS, State
from neural_programmer.table import Table

Argument = float | tuple[str, ...] | None


@dataclass(frozen=True)
class Step:
    """One operation, the column it acts on and its argument: a number to compare with, or the texts to match."""

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
    """What a step left behind: the rows selected after it, and its scalar or looked-up cells if it gave one."""

    row_select: np.ndarray
    answer: Answer


@dataclass(frozen=True)
class Run:
    """The execution of a program: its answer and the result of every step."""

    answer: Answer
    steps: tuple[StepResult, ...]


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
        reason = _misfit(step, number, table)
        if reason:
            return Run(Answer("none", reason=reason), tuple(results))
        operation = OPERATIONS[step.operation]
        column = table.column(step.column) if step.column is not None else nothing
        value = operation.exact(State(column, step.argument, rows[-1], rows[-2], scalars[-1], scalars[-3]))
        answer = Answer("none", reason=f"the last step, {step}, selects rows and gives no answer")
        if operation.updates == "scalar":
            answer = Answer("scalar", scalar=value)
        elif operation.updates == "lookup":
            chosen = np.flatnonzero(value)
            cells = tuple((row, str(step.column)) for row in chosen.tolist())
            answer = Answer("lookup", cells=cells, values=tuple(column[chosen].tolist()))
        rows.append(value if operation.updates == "rows" else nothing)
        scalars.append(value if operation.updates == "scalar" else 0.0)
        results.append(StepResult(rows[-1], answer))
    if not results:
        return Run(Answer("none", reason="the program has no steps"), ())
    return Run(results[-1].answer, tuple(results))


def _misfit(step: Step, number: int, table: Table) -> str:
    """Why a step cannot act on this table, or nothing if it can."""
    needs = OPERATIONS[step.operation]
    if needs.column == "none":
        return ""
    if step.column is None:
        return f"step {number}, {step}, names no column"
    if needs.column != "any" and table.is_text(step.column) != (needs.column == "text"):
        kinds = ("text", "numbers") if needs.column == "text" else ("numbers", "text")
        return f"step {number}, {step}, needs a column of {kinds[0]}, and column {step.column} holds {kinds[1]}"
    wanted = {"none": object, "number": float, "text": tuple}[needs.argument]
    if not isinstance(step.argument, wanted):
        return f"step {number}, {step}, has no {needs.argument} to work with"
    return ""
