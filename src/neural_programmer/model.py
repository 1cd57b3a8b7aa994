"""A trained Neural Programmer: ask it a question about a table, get the answer and the program that gave it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from neural_programmer import network, weights
from neural_programmer.answer import Answer
from neural_programmer.config import NetworkConfig
from neural_programmer.encode import Vocabulary, distinct_texts, encode
from neural_programmer.executor import HARD, Execution, execute
from neural_programmer.operations import COMPARISONS, available
from neural_programmer.program import Argument, Program, Run, Step, run
from neural_programmer.question import NO_NUMBER, Question, parse
from neural_programmer.table import Table

FILE = "model.safetensors"


@dataclass(frozen=True)
class Trace:
    """How a question was answered: the program, the number each comparison takes, and what every step selected."""

    question: str
    table: Table
    program: Program
    pivots: dict[str, float]
    run: Run

    @property
    def answer(self) -> Answer:
        return self.run.answer


@dataclass(frozen=True)
class Model:
    """The network with its words and weights; answers with NumPy alone.

    >>> model = load("runs/single")                        # doctest: +SKIP
    >>> model.answer("greater 50 sum", table)              # doctest: +SKIP
    """

    config: NetworkConfig
    vocabulary: Vocabulary
    parameters: network.Parameters
    trained: weights.Trained = weights.Trained()  # noqa: RUF009  frozen

    KIND = "neural-programmer"

    def answer(self, question: str, table: Table) -> Answer:
        return self.trace(question, table).answer

    def trace(self, question: str, table: Table) -> Trace:
        """Read the question, select hard, and run the selected program exactly."""
        parsed = parse(question)
        with np.errstate(over="ignore", invalid="ignore"):  # of huge cells, which only the exact run computes with
            example = encode(parsed, table, self.vocabulary)
            execution = execute(self.parameters, self.config, example, HARD)
        program = selected_program(self.config, execution, parsed, table)
        return Trace(question, table, program, _pivots(execution, parsed), run(program, table))

    def save(self, path: str | Path) -> None:
        weights.save(Path(path), self)

    @classmethod
    def restore(cls, description: dict[str, Any], arrays: dict[str, np.ndarray]) -> "Model":
        """The model that these stored pieces describe."""
        return weights.restore(cls, NetworkConfig, network.shapes, description, arrays)


def selected_program(config: NetworkConfig, execution: Execution, question: Question, table: Table) -> Program:
    """The discrete program of a hard execution: operation, column and argument of every step."""
    operations = available(config.text_match)
    pivots = _pivots(execution, question)
    texts = distinct_texts(table)
    steps = []
    for chosen, column_choice in zip(execution.trace.operation, execution.trace.column, strict=True):
        operation = operations[int(np.argmax(chosen))]
        slot = int(np.argmax(column_choice))
        argument: Argument = None
        if operation.argument == "number":
            argument = pivots[operation.name]
        elif operation.argument == "text":
            argument = tuple(texts[place] for place in np.flatnonzero(execution.text_match[: len(texts), slot] > 0.5))
        steps.append(Step(operation.name, None if operation.column == "none" else table.names[slot], argument))
    return Program(tuple(steps))


def _pivots(execution: Execution, question: Question) -> dict[str, float]:
    numbers = question.numbers or (NO_NUMBER,)
    return {name: numbers[int(np.argmax(execution.pivots[place]))] for place, name in enumerate(COMPARISONS)}
