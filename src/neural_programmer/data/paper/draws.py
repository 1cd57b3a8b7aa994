"""Question, table and answer triples of a task, drawn from a seed. The answers come from the interpreter."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from neural_programmer.base.settings import check_seed
from neural_programmer.data.paper.grammar import CATEGORIES, TEXTS, Template
from neural_programmer.data.paper.settings import Task
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.program import Program, run
from neural_programmer.tables.table import Table


@dataclass(frozen=True)
class Triple:
    """One example, with the template it came from; the program is for judging, never for training."""

    question: str
    table: Table
    answer: Answer
    template: Template
    program: Program


@dataclass(frozen=True)
class Dataset:
    """Drawn templates, tables and question numbers; triples are made from them when asked for."""

    task: Task
    columns: tuple[tuple[str, ...], ...]  # of each table
    templates: tuple[Template, ...]
    numbers: np.ndarray  # [triples, 2], those of the question
    rows: np.ndarray  # [triples], how many each table has
    values: np.ndarray  # [triples, rows, columns]
    texts: np.ndarray  # [triples, rows, text columns], places in TEXTS

    def __len__(self) -> int:
        return len(self.templates)

    def __iter__(self) -> Iterator[Triple]:
        return map(self.triple, range(len(self)))

    def table(self, place: int) -> Table:
        rows, names = self.rows[place], self.columns[place]
        text_names = [name for name in names if name in self.task.texts]
        words = _WORDS[self.texts[place, :rows]]
        texts = [words[:, slot] for slot in range(len(text_names))]
        numbers = [self.values[place, :rows, slot] for slot in range(len(names) - len(text_names))]
        return Table(names, (*texts, *numbers))

    def triple(self, place: int) -> Triple:
        template = self.templates[place]
        numbers = self.numbers[place, : template.number_count].tolist()
        question = template.question([f"{number:.{self.task.decimals}f}" for number in numbers])
        table, program = self.table(place), template.program(numbers)
        return Triple(question, table, run(program, table).answer, template, program)


@dataclass(frozen=True, eq=False)
class Given:
    """Data at hand, where there is no task to draw it from."""

    name: str
    train: Sequence[Any]
    validation: Sequence[Any]


_WORDS = np.array(TEXTS)
TRAIN, VALIDATION, TEST, WEIGHTS, FRESH = range(1, 6)  # streams of a seed; fresh data has one for every report, from 5
WRITTEN = 0
MOST_CELLS = 10**9  # of all tables together: 8 GB
LARGEST_RANGE = 10**9  # beyond it, sums of hundredths are no longer exact


def generator_of(seed: int, *stream: int) -> np.random.Generator:
    """Return the random numbers of one stream of a seed, independent of those of the others."""
    check_seed(seed)
    return np.random.default_rng([seed, *stream])


def _check_size(count: int, rows: int, columns: int) -> None:
    cells = count * rows * columns
    if cells > MOST_CELLS:
        raise NeuralProgrammerError(
            f"{count:,} tables of {rows:,} rows and {columns} columns have {cells:,} cells; "
            f"ask for at most {MOST_CELLS:,}"
        )


def draw_train(task: Task | Given, count: int, seed: int, stream: int = TRAIN) -> Any:
    """Triples of the training distribution. Another stream of the same seed gives others: validation, fresh data."""
    if isinstance(task, Given):
        return task.validation if stream == VALIDATION else task.train
    _check_size(count, task.train_rows[1], len(task.columns))
    generator, columns, templates = _draw_templates(task, count, seed, stream)
    return _fill(task, columns, templates, task.train_rows, task.train_range, generator)


@lru_cache(maxsize=4)
def train_templates(task: Task, count: int, seed: int) -> frozenset[str]:
    """Return the templates of a training set, to tell which test questions are new."""
    return frozenset(template.text for template in _draw_templates(task, count, seed, TRAIN)[2])


def _draw_templates(
    task: Task, count: int, seed: int, stream: int
) -> tuple[np.random.Generator, tuple[tuple[str, ...], ...], tuple[Template, ...]]:
    """Return the columns and the template of every triple, and the generator to draw the rest with."""
    if count < 1:
        raise NeuralProgrammerError(f"at least one triple must be drawn, not {count}")
    generator = generator_of(seed, stream)
    columns = _draw_columns(task, count, generator)
    places = generator.random((count, 2)).tolist()
    templates = tuple(_draw_template(task, names, *place) for names, place in zip(columns, places, strict=True))
    return generator, columns, templates


def test_size(task: Task) -> int:
    """Return how many questions the full test set has."""
    return (task.test_templates or task.grammar.count) * task.questions_per_template


def draw_test(
    task: Task,
    seed: int,
    count: int | None = None,
    rows: int | None = None,
    value_range: int | None = None,
) -> Dataset:
    """Triples of the test distribution: every template once (or as often as the task says), all columns.

    `rows` and `value_range` change the size of the tables and of their numbers; `count` takes a random part.
    """
    full = test_size(task)
    count = full if count is None else count
    if not 1 <= count <= full:
        raise NeuralProgrammerError(
            f"the test set of {task.name} has {full} questions; ask for 1 to {full}, not {count}"
        )
    if rows is not None and rows < 1:
        raise NeuralProgrammerError(f"a table needs at least 1 row, not {rows}")
    if value_range is not None and not 1 <= value_range <= LARGEST_RANGE:
        raise NeuralProgrammerError(f"the range of the numbers must be 1 to {LARGEST_RANGE:,}, not {value_range}")
    _check_size(count, rows or task.test_rows[1], len(task.test_columns))
    generator = generator_of(seed, TEST)
    grammar = task.grammar
    numbers = np.sort(generator.permutation(grammar.count * task.questions_per_template)[:count])
    templates = tuple(grammar.numbered(number // task.questions_per_template) for number in numbers.tolist())
    columns = (task.test_columns,) * len(templates)
    row_range = task.test_rows if rows is None else (rows, rows)
    return _fill(task, columns, templates, row_range, value_range or task.test_range, generator)


def _draw_columns(task: Task, count: int, generator: np.random.Generator) -> tuple[tuple[str, ...], ...]:
    """For every table the names of its columns: a random number of them, a random subset of that size, in order."""

    def subset(names: tuple[str, ...]) -> np.ndarray:
        if task.all_columns or not names:
            return np.ones((count, len(names)), bool)
        sizes = generator.integers(1, len(names), count, endpoint=True)
        ranks = np.argsort(np.argsort(generator.random((count, len(names))), axis=1), axis=1)
        return ranks < sizes[:, None]

    chosen = np.concatenate([subset(task.texts), subset(task.numbers)], axis=1)
    names = {}
    for row in map(tuple, np.unique(chosen, axis=0).tolist()):
        names[row] = tuple(name for name, there in zip(task.columns, row, strict=True) if there)
    return tuple(names[row] for row in map(tuple, chosen.tolist()))


def _draw_template(task: Task, names: tuple[str, ...], which_category: float, which: float) -> Template:
    """Return a template over these columns, from two numbers drawn uniformly from [0, 1)."""
    texts = tuple(name for name in names if name in task.texts)
    grammar = task.grammar_over(names[len(texts) :], texts)
    if not task.by_category:
        return grammar.numbered(int(which * grammar.count))
    category = CATEGORIES[int(which_category * len(CATEGORIES))]
    return grammar.template(category, int(which * grammar.counts[category]))


def _fill(
    task: Task,
    columns: tuple[tuple[str, ...], ...],
    templates: tuple[Template, ...],
    row_range: tuple[int, int],
    value_range: int,
    generator: np.random.Generator,
) -> Dataset:
    """Draw the tables and the numbers of the questions: uniform, rounded so that they print exactly."""
    count, limit = len(templates), value_range * 10**task.decimals

    def draw(*shape: int) -> np.ndarray:
        whole = np.int32 if limit < 2**31 else np.int64
        return generator.integers(-limit, limit, shape, dtype=whole, endpoint=True) / 10**task.decimals

    rows = generator.integers(*row_range, count, endpoint=True)
    width = max(sum(name not in task.texts for name in names) for names in set(columns))
    return Dataset(
        task=task,
        columns=columns,
        templates=templates,
        numbers=draw(count, 2),
        rows=rows,
        values=draw(count, row_range[1], width),
        texts=generator.integers(0, len(TEXTS), (count, row_range[1], len(task.texts)), dtype=np.int8),
    )
