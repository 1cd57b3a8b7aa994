"""Read the program off a hard execution, as the paper's network runs it, and keep what every step selected."""

from dataclasses import dataclass

import numpy as np

from neural_programmer.base.notebook import line, shortened
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import distinct_texts
from neural_programmer.network.executor import Execution
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.operations import COMPARISONS, acting, conditions
from neural_programmer.programs.program import Argument, Program, Run, Step, program_of
from neural_programmer.questions.question import NO_NUMBER, Question, pointed
from neural_programmer.tables.table import Table, is_date


@dataclass(frozen=True)
class Trace:
    """The program that answered a question, and what every step selected.

    `pivots` is the number that each comparison takes, where one is chosen for the whole question.
    """

    question: str
    table: Table
    program: Program
    pivots: dict[str, float] | None
    run: Run

    @property
    def answer(self) -> Answer:
        return self.run.answer

    def __repr__(self) -> str:
        """Return one line: the question, the program and the answer."""
        program = repr(shortened(str(self.program)))
        return line("Trace", repr(shortened(self.question)), f"program={program}", repr(self.answer))


def selected_program(config: NetworkConfig, execution: Execution, question: Question, table: Table) -> Program:
    """Return the program of a hard execution: operation, column and argument of every step."""
    operations = config.entries
    acts, taking = acting(operations), conditions(operations)
    steps = []
    for chosen, columns, arguments in zip(*execution.trace.choice, strict=True):
        place = int(np.argmax(chosen))
        operation = operations[place]
        slot = int(np.argmax(columns[acts.index(operation)])) if operation in acts else 0
        argument: Argument = None
        if operation in taking and config.arguments == "step":
            candidate = int(np.argmax(arguments[taking.index(operation), slot]))
            argument = _candidate(config, question, table, slot, candidate)
        elif operation.argument == "number":
            argument = pivots_of(execution, question)[operation.name]
        elif operation.argument == "text":
            argument = _matches(execution, table, slot)
        steps.append(Step(operation.name, None if operation.column == "none" else table.names[slot], argument))
    return program_of(steps, operations)


def _candidate(config: NetworkConfig, question: Question, table: Table, slot: int, candidate: int) -> Argument:
    """Return the argument of a step by its place: the numbers or times of the question come first, then its texts."""
    numbers = question.numbers or (NO_NUMBER,)
    if candidate < len(numbers):
        return question.periods[candidate] if is_date(table.columns[slot]) else numbers[candidate]
    candidate -= len(numbers)
    if question.links is not None:
        return question.links[candidate].meant(slot)
    words = pointed(question, table.names).words if config.columns == "pointers" else question.words
    return (words[candidate],)


def pivots_of(execution: Execution, question: Question) -> dict[str, float]:
    """Return the number that each comparison takes, where one is chosen for the whole question."""
    assert execution.arguments.pivots is not None
    numbers = question.numbers or (NO_NUMBER,)
    return {name: numbers[int(np.argmax(execution.arguments.pivots[place]))] for place, name in enumerate(COMPARISONS)}


def _matches(execution: Execution, table: Table, slot: int) -> tuple[str, ...]:
    """Return the texts of a column that the whole question matches."""
    assert execution.arguments.text_match is not None
    texts = distinct_texts(table)
    matches = execution.arguments.text_match[: len(texts), slot]
    return tuple(texts[text] for text in np.flatnonzero(matches > 0.5))
