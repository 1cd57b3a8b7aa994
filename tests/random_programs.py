"""Random tables and programs, and how to make the executor run a given program."""

from typing import NamedTuple

import numpy as np

from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import Example, Sizes, Vocabulary, distinct_texts, encode
from neural_programmer.network.executor import HARD, Choice, Execution, Selection, execute
from neural_programmer.programs.operations import COMPARISONS, TEXT, Operation, acting, conditions, named
from neural_programmer.programs.program import Argument, Program, Step
from neural_programmer.questions.question import COLUMN, Link, Question, pointed
from neural_programmer.tables.period import Period
from neural_programmer.tables.table import Table, column_kind, is_date, is_text

TEXTS = tuple(f"word:{place}" for place in range(4))
NAMES = tuple("ABCDE")
VOCABULARY = Vocabulary.of([*TEXTS, *NAMES, COLUMN, "greater", "lesser", "sum", "of", "column", "and"])
NUMBERS = (12.5, -3.25)
QUESTION = Question(("greater", "A", "lesser", "B", "word:1", "and", "word:2", "sum", "C"), NUMBERS, (0, 2))
FORCE = 1e6  # noise that outweighs every score


def period(first: str, last: str) -> Period:
    """From the first moment of a day to the last of another."""
    end = np.datetime64(last, "us") + np.timedelta64(1, "D") - np.timedelta64(1, "us")
    return Period(np.datetime64(first), end, f"{first} to {last}")


YEAR, DAY = period("2020-01-01", "2020-12-31"), period("2021-03-31", "2021-03-31")
DATES = tuple(f"{day}T00:00" for day in ("2019-12-31", "2020-01-01", "2020-12-31", "2021-01-01", "2021-03-31"))
TIMES = (*DATES, "2020-12-31T23:59", "2021-03-31T12:30", "2021-04-01T00:00", "1969-07-20T20:17")


def random_table(generator: np.random.Generator, texts: bool, everything: bool = False) -> Table:
    """One to five columns of which some may hold text; small numbers, so that ties with the pivots happen.

    `everything`: some hold dates, or times of day, and cells are missing.
    """
    width, rows = generator.integers(1, 6), generator.integers(1, 9)
    columns = []
    for _ in range(width):
        if texts and generator.random() < 0.4:
            columns.append(generator.choice(TEXTS, rows))
        elif everything and generator.random() < 0.4:
            unit, choices = ("D", DATES) if generator.random() < 0.5 else ("m", TIMES)
            columns.append(generator.choice(np.array(choices, f"M8[{unit}]"), rows))
        else:
            more = [2020.0] if everything else []
            columns.append(generator.choice([*NUMBERS, -20.75, 0.0, 3.5, 40.25, *more], rows))
        if everything:
            missing = "" if is_text(columns[-1]) else "NaT" if is_date(columns[-1]) else np.nan
            columns[-1][generator.random(rows) < generator.choice([0.0, 0.3, 1.0], p=[0.4, 0.55, 0.05])] = missing
    return Table(NAMES[:width], tuple(columns))


def linked(table: Table) -> Question:
    """A question as linking leaves it: two numbers, a year that may be a number too, a day that is none; and texts.

    Of these, one is spelled alike and one in another way in each column, one is in a single column, one in no cell.
    """
    slots = [slot for slot, column in enumerate(table.columns) if is_text(column)]
    links = (
        Link(4, dict.fromkeys(slots, "word:1")),
        Link(6, {slot: TEXTS[slot % len(TEXTS)] for slot in slots}),
        Link(7, dict.fromkeys(slots[-1:], "word:2")),
        Link(7, dict.fromkeys(slots, "word:9")),
    )
    return Question(
        words=("greater", COLUMN, "lesser", COLUMN, "word:1", "and", "word:2", "sum", COLUMN),
        numbers=(*NUMBERS, 2020.0, float("nan")),
        number_positions=(0, 2, 5, 8),
        periods=(None, None, YEAR, DAY),
        mentions=((1,), (3,), (8,), (1, 3), ())[: len(table.names)],
        links=links if slots else (),
    )


def _of_kind(table: Table) -> dict[str, list[str | None]]:
    """The columns that operations of each kind may act on."""
    kinds = [column_kind(column) for column in table.columns]

    def those(*wanted: str) -> list[str | None]:
        return [name for name, kind in zip(table.names, kinds, strict=True) if kind in wanted]

    return {"text": those("text"), "number": those("number"), "ordered": those("number", "date"),
            "any": list(table.names), "none": [None]}  # fmt: skip


def candidates(question: Question, table: Table, column: str) -> list[Argument]:
    """What an operation on this column may take from a question; of a linked one, what was linked to it."""
    slot = table.names.index(column)
    if is_date(table.columns[slot]):
        return [period for period in question.periods if period is not None]
    if not is_text(table.columns[slot]):
        return [number for number in question.numbers if number == number]
    if question.links is None:
        return [(word,) for word in question.words if word not in NAMES]
    return [(link.texts[slot],) for link in question.links if slot in link.texts]


def random_program(
    generator: np.random.Generator,
    table: Table,
    steps: int = 4,
    per_step: bool = False,
    operations: tuple[str, ...] = TEXT,
    question: Question = QUESTION,
    own: tuple[Operation, ...] = (),
) -> Program:
    """Any of the operations in any order, each on a column of the kind it needs.

    As in the paper, comparisons keep to one pivot a question and a column to the texts it matches; or, `per_step`,
    every step has an argument of its own from the question.
    """
    pivots = {name: float(generator.choice(NUMBERS)) for name in COMPARISONS}
    matched = {name: tuple(generator.choice(TEXTS, generator.integers(0, 3), replace=False)) for name in table.names}
    columns = _of_kind(table)
    chosen = []
    for _ in range(steps):
        entry = generator.choice(
            np.array([entry for entry in (*named(operations), *own) if columns[entry.column]], object)
        )
        column = generator.choice(np.array(columns[entry.column], object))
        argument = None
        if per_step and entry.argument != "none":
            taken = candidates(question, table, column)
            argument = taken[generator.integers(len(taken))]
        elif entry.argument == "number":
            argument = pivots[entry.name]
        elif entry.argument == "text":
            argument = tuple(str(text) for text in matched[column])
        chosen.append(Step(entry.name, column, argument))
    return Program(tuple(chosen), own)


class Forced(NamedTuple):
    """An example, and the choices that make the executor run one program on it."""

    example: Example
    force: Choice  # outweighs every score
    matches: np.ndarray  # which text matches in which column


def forcing(
    program: Program, table: Table, config: NetworkConfig, room: Sizes | None = None, question: Question = QUESTION
) -> Forced:
    example = encode(question, table, VOCABULARY, config, room)
    operations = config.entries
    names, taking = [entry.name for entry in operations], [entry.name for entry in conditions(operations)]
    steps, columns, numbers = len(program.steps), example.table.shape[1], len(example.numbers)
    texts = (len(example.link_positions) if config.arguments == "step" else 1) if config.matches_text else 0
    force = Choice(
        operation=np.zeros((steps, len(names)), np.float32),
        column=np.zeros((steps, len(acting(operations)), columns), np.float32),
        argument=np.zeros((steps, len(taking), columns, numbers + texts), np.float32),
    )
    matches = np.zeros((len(example.texts), columns), np.float32)
    texts = distinct_texts(table)
    read = pointed(question, table.names) if config.columns == "pointers" else question
    for place, step in enumerate(program.steps):
        force.operation[place, names.index(step.operation)] = FORCE
        if step.column is not None:
            force.column[place, :, table.names.index(step.column)] = FORCE
        if isinstance(step.argument, tuple) and config.arguments != "step":
            matches[[texts.index(t) for t in step.argument if t in texts], table.names.index(str(step.column))] = 1
        elif step.argument is not None:
            where = slice(None) if config.arguments != "step" else place  # one for the whole question, or the step's
            candidate = _place(step, read, table, numbers)
            force.argument[where, taking.index(step.operation), :, candidate] = FORCE
    return Forced(example, force, matches)


def _place(step: Step, question: Question, table: Table, numbers: int) -> int:
    """Which of the candidates an argument is: numbers and times first, texts after all places for numbers."""
    if isinstance(step.argument, float):
        return question.numbers.index(step.argument)
    if isinstance(step.argument, Period):
        return question.periods.index(step.argument)
    text = step.argument[0]
    if question.links is None:
        return numbers + question.words.index(text)
    return numbers + [link.texts.get(table.names.index(step.column)) for link in question.links].index(text)


def execute_forced(parameters: network.Parameters, config: NetworkConfig, forced: Forced) -> Execution:
    selection = Selection(HARD.choose, lambda _: forced.matches)
    return execute(parameters, config, forced.example, selection, forced.force)
