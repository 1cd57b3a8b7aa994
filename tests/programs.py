"""Random tables and programs, and how to make the executor run a given program."""

from typing import NamedTuple

import numpy as np

from neural_programmer import network
from neural_programmer.config import NetworkConfig
from neural_programmer.encode import Example, Sizes, Vocabulary, distinct_texts, encode
from neural_programmer.executor import SAMPLED, Execution, Noise, Selection, execute
from neural_programmer.operations import COMPARISONS, OPERATIONS, available
from neural_programmer.program import Program, Step
from neural_programmer.question import Question
from neural_programmer.table import Table

TEXTS = tuple(f"word:{place}" for place in range(4))
NAMES = tuple("ABCDE")
VOCABULARY = Vocabulary.of([*TEXTS, *NAMES, "greater", "lesser", "sum", "of", "column"])
NUMBERS = (12.5, -3.25)
QUESTION = Question(("greater", "A", "lesser", "B", "sum", "C"), NUMBERS, (0, 2))
FORCE = 1e6  # noise that outweighs every score


def random_table(generator: np.random.Generator, texts: bool) -> Table:
    """One to five columns of which some may hold text; small numbers, so that ties with the pivots happen."""
    width, rows = generator.integers(1, 6), generator.integers(1, 9)
    columns = []
    for _ in range(width):
        if texts and generator.random() < 0.4:
            columns.append(generator.choice(TEXTS, rows))
        else:
            columns.append(generator.choice([*NUMBERS, -20.75, 0.0, 3.5, 40.25], rows))
    return Table(NAMES[:width], tuple(columns))


def random_program(generator: np.random.Generator, table: Table, steps: int = 4) -> Program:
    """Any operations in any order, each on a column of the kind it needs. Comparisons keep to one pivot a question."""
    pivots = {name: float(generator.choice(NUMBERS)) for name in COMPARISONS}
    matched = {name: tuple(generator.choice(TEXTS, generator.integers(0, 3), replace=False)) for name in table.names}
    by_kind = {
        "text": [name for name in table.names if table.is_text(name)],
        "number": [name for name in table.names if not table.is_text(name)],
        "any": list(table.names),
        "none": [None],
    }
    chosen = []
    for _ in range(steps):
        usable = [name for name, entry in OPERATIONS.items() if by_kind[entry.column]]
        entry = OPERATIONS[generator.choice(usable)]
        column = generator.choice(np.array(by_kind[entry.column], object))
        argument = pivots[entry.name] if entry.argument == "number" else None
        if entry.argument == "text":
            argument = tuple(str(text) for text in matched[column])
        chosen.append(Step(entry.name, column, argument))
    return Program(tuple(chosen))


class Forced(NamedTuple):
    """An example, and the choices that make the executor run one program on it."""

    example: Example
    noise: Noise  # outweighs every score
    matches: np.ndarray  # which text matches in which column


def forcing(program: Program, table: Table, config: NetworkConfig, room: Sizes | None = None) -> Forced:
    example = encode(QUESTION, table, VOCABULARY, room)
    operations = [operation.name for operation in available(config.text_match)]
    noise = Noise(
        operation=np.zeros((len(program.steps), len(operations)), np.float32),
        column=np.zeros((len(program.steps), example.table.shape[1]), np.float32),
        pivots=np.zeros((len(COMPARISONS), len(example.numbers)), np.float32),
    )
    matches = np.zeros((len(example.texts), example.table.shape[1]), np.float32)
    texts = distinct_texts(table)
    for place, step in enumerate(program.steps):
        noise.operation[place, operations.index(step.operation)] = FORCE
        if step.column is not None:
            noise.column[place, table.names.index(step.column)] = FORCE
        if isinstance(step.argument, float):
            noise.pivots[COMPARISONS.index(step.operation), NUMBERS.index(step.argument)] = FORCE
        elif isinstance(step.argument, tuple):
            matches[[texts.index(t) for t in step.argument if t in texts], table.names.index(str(step.column))] = 1
    return Forced(example, noise, matches)


def execute_forced(parameters: network.Parameters, config: NetworkConfig, forced: Forced) -> Execution:
    selection = Selection(SAMPLED.choose, lambda _: forced.matches)
    return execute(parameters, config, forced.example, selection, forced.noise)
