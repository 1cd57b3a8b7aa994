"""Random tables and programs, and how to make the executor run a given program."""

from typing import NamedTuple

import numpy as np

from neural_programmer import network
from neural_programmer.config import NetworkConfig
from neural_programmer.encode import Example, Sizes, Vocabulary, distinct_texts, encode
from neural_programmer.executor import HARD, Choice, Execution, Selection, execute
from neural_programmer.operations import COMPARISONS, OPERATIONS, acting, available, conditions
from neural_programmer.program import Program, Step
from neural_programmer.question import COLUMN, Question, point
from neural_programmer.table import Table

TEXTS = tuple(f"word:{place}" for place in range(4))
NAMES = tuple("ABCDE")
VOCABULARY = Vocabulary.of([*TEXTS, *NAMES, COLUMN, "greater", "lesser", "sum", "of", "column", "and"])
NUMBERS = (12.5, -3.25)
QUESTION = Question(("greater", "A", "lesser", "B", "word:1", "and", "word:2", "sum", "C"), NUMBERS, (0, 2))
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


def random_program(generator: np.random.Generator, table: Table, steps: int = 4, per_step: bool = False) -> Program:
    """Any operations in any order, each on a column of the kind it needs.

    As in the paper, comparisons keep to one pivot a question and a column to the texts it matches; or, `per_step`,
    every step has a number or a word of its own.
    """
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
        if per_step and entry.argument != "none":
            texts = [(word,) for word in QUESTION.words if word not in NAMES]
            chosen_text = texts[generator.integers(len(texts))]
            argument = float(generator.choice(NUMBERS)) if entry.argument == "number" else chosen_text
        chosen.append(Step(entry.name, column, argument))
    return Program(tuple(chosen))


class Forced(NamedTuple):
    """An example, and the choices that make the executor run one program on it."""

    example: Example
    force: Choice  # outweighs every score
    matches: np.ndarray  # which text matches in which column


def forcing(program: Program, table: Table, config: NetworkConfig, room: Sizes | None = None) -> Forced:
    example = encode(QUESTION, table, VOCABULARY, config, room)
    operations = available(config.text_match)
    names, taking = [entry.name for entry in operations], [entry.name for entry in conditions(operations)]
    steps, columns, numbers = len(program.steps), example.table.shape[1], len(example.numbers)
    texts = (len(example.words) if config.arguments == "step" else 1) if config.text_match else 0
    force = Choice(
        operation=np.zeros((steps, len(names)), np.float32),
        column=np.zeros((steps, len(acting(operations)), columns), np.float32),
        argument=np.zeros((steps, len(taking), columns, numbers + texts), np.float32),
    )
    matches = np.zeros((len(example.texts), columns), np.float32)
    texts = distinct_texts(table)
    words = point(QUESTION, table.names)[0].words if config.columns == "pointers" else QUESTION.words
    for place, step in enumerate(program.steps):
        force.operation[place, names.index(step.operation)] = FORCE
        if step.column is not None:
            force.column[place, :, table.names.index(step.column)] = FORCE
        if isinstance(step.argument, float):
            where = slice(None) if config.arguments != "step" else place  # one for the whole question, or the step's
            force.argument[where, taking.index(step.operation), :, NUMBERS.index(step.argument)] = FORCE
        elif isinstance(step.argument, tuple) and config.arguments == "step":
            force.argument[place, taking.index(step.operation), :, numbers + words.index(step.argument[0])] = FORCE
        elif isinstance(step.argument, tuple):
            matches[[texts.index(t) for t in step.argument if t in texts], table.names.index(str(step.column))] = 1
    return Forced(example, force, matches)


def execute_forced(parameters: network.Parameters, config: NetworkConfig, forced: Forced) -> Execution:
    selection = Selection(HARD.choose, lambda _: forced.matches)
    return execute(parameters, config, forced.example, selection, forced.force)
