"""Random tables of all kinds of columns, random programs over them, and a model that decides what it is told."""

import tempfile
from pathlib import Path

import duckdb
import numpy as np
from sqlglot import exp

from neural_programmer.answering.decision import Decision
from neural_programmer.network.soft import ALL
from neural_programmer.programs.operations import ROW_OPERATIONS, ROWS
from neural_programmer.programs.program import Program, Step
from neural_programmer.tables.kinds import NUMBERED, RELATION, Column
from neural_programmer.tables.period import Period
from neural_programmer.tables.source import Source
from neural_programmer.tables.table import Table, is_date, is_text, plain
from own_operations import MINE

NAMES = ("price", 'net "sales"', "city; DROP TABLE t; --", "jour'née", "select")
BOOLEAN = NAMES[4]
TEXTS = ("New York", "O'Hara", "", "100 %", "drop table t")
TRUTHS = ("true", "false", "")
NUMBERS = (-3.25, 0.0, 12.5, 12.5, 1e9, float("nan"))
DATES = np.array(["2019-12-31", "2020-01-01", "2020-02-29", "2021-05-05", "NaT"], "M8[D]")
PERIODS = (
    Period(np.datetime64("2020-01-01"), np.datetime64("2020-12-31T23:59:59.999999"), "2020"),
    Period(np.datetime64("2020-02-29"), np.datetime64("2020-02-29T23:59:59.999999"), "2020-02-29"),
)


class Fake:
    """A model that decides for each question what it is told, and declines the rest."""

    def __init__(self, programs: dict[str, tuple[Step, ...]], confidence: float = 0.9, own=()) -> None:
        self.programs, self.confidence, self.seen, self.own = programs, confidence, [], own

    def decide(self, question, index, rows=None):
        self.seen.append(index)
        return Decision(Program(self.programs.get(question, (Step("decline"),)), self.own), self.confidence)


def random_table(generator: np.random.Generator, most: int = 12) -> Table:
    rows = generator.integers(0, most)
    columns = [generator.choice(NUMBERS, rows), generator.choice(NUMBERS, rows), generator.choice(TEXTS, rows)]
    return Table(NAMES, (*columns, generator.choice(DATES, rows), generator.choice(TRUTHS, rows)))


def random_program(generator: np.random.Generator, table: Table, without: tuple[str, ...] = ()) -> Program:
    """Any of the operations, those of the example's file among them, but for some."""
    every, steps = (*ROW_OPERATIONS.values(), *MINE), []
    operations = [entry for entry in every if entry.name not in ("decline", *without)]
    for _ in range(generator.integers(1, 7)):
        steps.append(random_step(generator, table, operations[generator.integers(len(operations))]))
    last = [operation for operation in operations if operation.updates in ("scalar", "lookup", "truth")]
    return Program((*steps, random_step(generator, table, last[generator.integers(len(last))])), MINE)


def random_search(generator: np.random.Generator, table: Table) -> Program:
    """A program that finds rows by a condition and others by these, before it gives an answer: few select nothing.

    Of all that select rows and are not in ALL, joined to what was found before or not; and any answer.
    """
    finding = [ROW_OPERATIONS[name] for name in ROWS if name not in ALL and ROW_OPERATIONS[name].updates == "rows"]
    first = [ROW_OPERATIONS[name] for name in ("text match", "text other", "lesser", "at least", "equal", "reset")]
    steps = [random_step(generator, table, generator.choice(np.array(first, object)))]
    for _ in range(generator.integers(1, 3)):
        steps.append(random_step(generator, table, generator.choice(np.array(finding, object))))
        if generator.random() < 0.2:
            steps.append(Step(str(generator.choice(["not", "or", "and"]))))
    truths = [name for name in ROWS if ROW_OPERATIONS[name].updates == "truth"]
    last = [ROW_OPERATIONS[name] for name in ("assign", "count", "sum", "distinct", *truths)]
    steps.append(random_step(generator, table, generator.choice(np.array(last, object))))
    counted = steps[-1].operation in ("count", "distinct") and generator.random() < 0.5
    return Program((*steps, Step("years")) if counted else tuple(steps))


def random_step(generator: np.random.Generator, table: Table, operation) -> Step:
    fitting = {"none": [None], "number": NAMES[:2], "ordered": [*NAMES[:2], NAMES[3]], "text": [NAMES[2], BOOLEAN]}
    name = generator.choice(np.array(fitting.get(operation.column, NAMES), object))
    argument = None
    if operation.argument == "text":
        argument = (str(generator.choice(TRUTHS[:2] if name == BOOLEAN else TEXTS)),)
    elif operation.argument == "number":
        argument = float(generator.choice(NUMBERS[:-1]))
        if is_date(table.column(name)):
            argument = PERIODS[generator.integers(len(PERIODS))]
    return Step(operation.name, name, argument)


def cells(table: Table) -> list[list]:
    """The rows as values of Python, None where they are missing, truths as such."""
    columns = [[None if cell in ("", "NaT") or cell != cell else cell for cell in plain(c)] for c in table.columns]
    columns[4] = [None if cell is None else cell == "true" for cell in columns[4]]
    return [list(row) for row in zip(*columns, strict=True)]


def kinds(table: Table) -> list[str]:
    found = ["DATE" if is_date(c) else "VARCHAR" if is_text(c) else "DOUBLE" for c in table.columns]
    return [*found[:4], "BOOLEAN"]


def fill(connection, table: Table, dialect: str, name: str) -> None:
    """Make a table in a database."""
    columns = [
        exp.ColumnDef(this=exp.to_identifier(name, quoted=True), kind=exp.DataType.build(kind))
        for name, kind in zip(table.names, kinds(table), strict=True)
    ]
    schema = exp.Schema(this=exp.to_table(name), expressions=columns)
    connection.execute(exp.Create(this=schema, kind="TABLE").sql(dialect))
    for row in cells(table):
        connection.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", row)


def source_of(table: Table) -> Source:
    """A source of a random table, whose kinds are known."""
    connection = duckdb.connect()
    fill(connection, table, "duckdb", RELATION)
    connection.execute(f"CREATE VIEW {NUMBERED} AS SELECT *, rowid AS row FROM {RELATION}")
    kind = {"DATE": "date", "VARCHAR": "text", "DOUBLE": "number", "BOOLEAN": "boolean"}
    columns = tuple(Column(name, kind[found]) for name, found in zip(table.names, kinds(table), strict=True))
    return Source("a table", columns, table.rows, connection, Path(tempfile.mkdtemp()))
