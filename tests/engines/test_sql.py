"""The interpreter is the judge: random programs give the same on DuckDB and SQLite as in float64."""

import sqlite3

import duckdb
import numpy as np
import pytest
from sqlglot import exp

from neural_programmer.engines import sql
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.operations import OPERATIONS
from neural_programmer.program import Period, Program, Step, run
from neural_programmer.table import Table, is_date, is_text, plain

NAMES = ("price", 'net "sales"', "city; DROP TABLE t; --", "jour'née", "select")
TEXTS = ("New York", "O'Hara", "", "100 %", "drop table t")
NUMBERS = (-3.25, 0.0, 12.5, 12.5, 1e9, float("nan"))
DATES = np.array(["2019-12-31", "2020-01-01", "2020-02-29", "2021-05-05", "NaT"], "M8[D]")
PERIODS = (
    Period(np.datetime64("2020-01-01"), np.datetime64("2020-12-31T23:59:59.999999"), "2020"),
    Period(np.datetime64("2020-02-29"), np.datetime64("2020-02-29T23:59:59.999999"), "2020-02-29"),
)


def random_table(generator: np.random.Generator) -> Table:
    rows = generator.integers(0, 12)
    columns = [generator.choice(NUMBERS, rows), generator.choice(NUMBERS, rows), generator.choice(TEXTS, rows)]
    return Table(NAMES[:4], (*columns, generator.choice(DATES, rows)))


def random_program(generator: np.random.Generator, table: Table) -> Program:
    steps = []
    for _ in range(generator.integers(1, 7)):
        operation = OPERATIONS[generator.choice([name for name in OPERATIONS if name != "decline"])]
        steps.append(random_step(generator, table, operation))
    last = [operation for operation in OPERATIONS.values() if operation.updates in ("scalar", "lookup")]
    return Program((*steps, random_step(generator, table, last[generator.integers(len(last))])))


def random_step(generator: np.random.Generator, table: Table, operation) -> Step:
    fitting = {"none": [None], "number": NAMES[:2], "ordered": [*NAMES[:2], NAMES[3]], "text": [NAMES[2]]}
    name = generator.choice(np.array(fitting.get(operation.column, NAMES[:4]), object))
    argument = None
    if operation.argument == "text":
        argument = (str(generator.choice(TEXTS)),)
    elif operation.argument == "number":
        argument = float(generator.choice(NUMBERS[:-1]))
        if is_date(table.column(name)):
            argument = PERIODS[generator.integers(len(PERIODS))]
    return Step(operation.name, name, argument)


def cells(table: Table) -> list[list]:
    columns = [
        [None if cell in ("", "NaT") or cell != cell else cell for cell in plain(column)] for column in table.columns
    ]
    return [list(row) for row in zip(*columns, strict=True)]


def kinds(table: Table) -> list[str]:
    return ["DATE" if is_date(c) else "VARCHAR" if is_text(c) else "DOUBLE" for c in table.columns]


def on_duckdb(program: Program, table: Table) -> list:
    with duckdb.connect() as connection:
        return on(connection, program, table, "duckdb")


def on_sqlite(program: Program, table: Table) -> list:
    connection = sqlite3.connect(":memory:")
    try:
        return on(connection, program, table, "sqlite")
    finally:
        connection.close()


def on(connection, program: Program, table: Table, dialect: str) -> list:
    columns = [
        exp.ColumnDef(this=exp.to_identifier(name, quoted=True), kind=exp.DataType.build(kind))
        for name, kind in zip(table.names, kinds(table), strict=True)
    ]
    schema = exp.Schema(this=exp.to_table("t"), expressions=columns)
    connection.execute(exp.Create(this=schema, kind="TABLE").sql(dialect))
    for row in cells(table):
        connection.execute(f"INSERT INTO t VALUES ({', '.join('?' * len(row))})", row)
    return [row[0] for row in connection.execute(sql.text(program, "t", dialect)).fetchall()]


@pytest.mark.parametrize("engine", [on_duckdb, on_sqlite], ids=["duckdb", "sqlite"])
def test_random_programs_give_what_the_interpreter_gives(engine):
    generator = np.random.default_rng(0)
    met = set()
    for _ in range(400):
        table = random_table(generator)
        program = random_program(generator, table)
        expected, found = run(program, table).answer, engine(program, table)
        met |= {step.operation for step in program.steps}
        if expected.kind == "lookup":
            found = sorted("" if cell is None else str(cell) for cell in found)
            values = ["" if value != value or value == "NaT" else str(value) for value in expected.values]
            assert found == sorted(values), program
        elif expected.kind == "none":
            assert found == [None], program
        else:
            assert found == [pytest.approx(expected.scalar)], program
    assert met == set(OPERATIONS) - {"decline"}


def test_the_query_that_a_person_would_write():
    program = Program(
        (
            Step("text match", "region", ("Europe",)),
            Step("greater", "year", 2019.0),
            Step("and"),
            Step("sum", "revenue"),
        )
    )
    assert sql.query(program, "sales").sql("duckdb") == (
        'SELECT COALESCE(SUM("revenue"), 0) AS answer FROM "sales" WHERE "region" = \'Europe\' AND "year" > 2019'
    )


def test_a_program_without_an_answer_has_no_query():
    for steps in ((), (Step("reset"),), (Step("decline"),)):
        with pytest.raises(NeuralProgrammerError, match="gives no answer"):
            sql.query(Program(steps), "t")


def test_an_unknown_dialect_is_refused():
    with pytest.raises(NeuralProgrammerError, match="dialect"):
        sql.text(Program((Step("count"),)), "t", "klingon")
