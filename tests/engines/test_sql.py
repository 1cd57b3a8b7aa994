"""The interpreter is the judge: random programs give the same on DuckDB and SQLite as in float64."""

import sqlite3
from collections import Counter
from dataclasses import replace

import duckdb
import numpy as np
import pytest

from neural_programmer.answering.asking import ask
from neural_programmer.engines import sql
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.network.soft import ALL
from neural_programmer.programs.aggregates import AGGREGATES
from neural_programmer.programs.expressions import nodes
from neural_programmer.programs.operations import ROW_OPERATIONS, ROWS
from neural_programmer.programs.pointers import PartOf
from neural_programmer.programs.program import Program, Step, expressions, run
from neural_programmer.tables.source import open_source
from neural_programmer.tables.table import Table
from own_operations import MINE
from queries import BOOLEAN, Fake, fill, random_program, random_search, random_table


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
    fill(connection, table, dialect, "t")
    return [row[0] for row in connection.execute(sql.text(program, "t", dialect, frozenset({BOOLEAN}))).fetchall()]


def said(cell) -> str:
    """A cell as the interpreter writes it; SQLite writes truths as numbers."""
    return {None: "", True: "true", False: "false"}.get(cell, str(cell)) if isinstance(cell, bool | None) else str(cell)


@pytest.mark.parametrize(("engine", "without"), [(on_duckdb, ()), (on_sqlite, ("middle",))], ids=["duckdb", "sqlite"])
def test_random_programs_give_what_the_interpreter_gives(engine, without):
    """Those of one's own too; SQLite has no median."""
    generator = np.random.default_rng(0)
    met = set()
    for _ in range(400):
        table = random_table(generator)
        program = random_program(generator, table, without)
        check(program, table, engine)
        met |= {step.operation for step in program.steps}
    assert met == {*ROW_OPERATIONS, *(entry.name for entry in MINE)} - {"decline", *without}


@pytest.mark.parametrize("engine", [on_duckdb, on_sqlite], ids=["duckdb", "sqlite"])
def test_rows_that_are_found_by_others_are_those_of_the_interpreter(engine):
    """As many programs as it takes until each of the operations has found some a few times."""
    generator = np.random.default_rng(1)
    found, programs = Counter(dict.fromkeys(set(ROWS) - set(ALL), 0)), 0
    while min(found.values()) < 6:
        programs += 1
        assert programs < 1_000, found
        table = random_table(generator, most=24)
        program = random_search(generator, table)
        check(program, table, engine)
        results = zip(program.steps, run(program, table).steps, strict=True)
        found.update(step.operation for step, done in results if done.row_select.any() or done.answer.value)


def check(program: Program, table: Table, engine) -> None:
    """What an engine gives is what the interpreter gives."""
    expected, found = run(program, table).answer, engine(program, table)
    if expected.kind == "lookup":
        if program.steps[-1].column == BOOLEAN:
            found = [None if cell is None else bool(cell) for cell in found]
        found = sorted(map(said, found))
        values = ["" if value != value or value == "NaT" else str(value) for value in expected.values]
        assert found == sorted(values), program
    elif expected.kind == "truth":
        assert found == list(expected.values), program
    elif expected.kind == "none":
        assert found == [None], program
    else:
        assert found == [pytest.approx(expected.scalar)], program


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


def test_rows_are_numbered_only_where_their_order_matters():
    steps = (Step("text match", "city", ("Oslo",)), Step("next"), Step("whether"))
    assert sql.query(Program(steps), "numbered", row="row_").sql("duckdb") == (
        'WITH "numbered_" AS (SELECT *, ROW_NUMBER() OVER () AS "row_" FROM "numbered") '
        'SELECT COUNT(*) > 0 AS answer FROM "numbered_" WHERE "row_" = '
        '((SELECT MAX("row_") AS answer FROM "numbered_" WHERE "city" = \'Oslo\') + 1)'
    )
    text = sql.query(Program((*steps[:1], Step("same", "price"), *steps[2:])), "shop").sql("duckdb")
    assert text == (
        'SELECT COUNT(*) > 0 AS answer FROM "shop" '
        'WHERE "price" IN (SELECT "price" FROM "shop" WHERE "city" = \'Oslo\') AND NOT ("city" = \'Oslo\') IS TRUE'
    )


def test_a_program_without_an_answer_has_no_query():
    for steps in ((), (Step("reset"),), (Step("decline"),)):
        with pytest.raises(NeuralProgrammerError, match="gives no answer"):
            sql.query(Program(steps), "t")


def test_an_unknown_dialect_is_refused():
    with pytest.raises(NeuralProgrammerError, match=r"unknown dialect of SQL 'klingon'; choose one of: .*bigquery"):
        sql.text(Program((Step("count"),)), "t", "klingon")
    assert sql.text(Program((Step("count"),)), "t", "BigQuery") == "SELECT\n  COUNT(*) AS answer\nFROM `t`"


@pytest.mark.parametrize(
    ("operation", "argument", "condition"),
    [
        ("text match", ("true",), '"open" = TRUE'),
        ("text other", ("true",), '"open" <> TRUE'),
        ("text match", ("true", "false"), '"open" IN (TRUE, FALSE)'),
        ("text match", ("maybe",), "CAST(\"open\" AS TEXT) = 'maybe'"),
    ],
)
def test_truths_are_compared_with_truths(operation, argument, condition):
    program = Program((Step(operation, "open", argument), Step("count")))
    assert sql.query(program, "t", {"open"}).sql("duckdb") == f'SELECT COUNT(*) AS answer FROM "t" WHERE {condition}'


def test_conditions_read_in_the_order_of_their_steps_without_needless_brackets():
    steps = (
        Step("reset"), Step("greater", "a", 1.0), Step("and"), Step("lesser", "b", 2.0), Step("and"),
        Step("equal", "c", 3.0), Step("or"), Step("assign", "d"),
    )  # fmt: skip
    text = sql.query(Program(steps[1:2] + steps[3:]), "t").sql("duckdb")
    assert text == 'SELECT "d" FROM "t" WHERE ("a" > 1 AND "b" < 2) OR "c" = 3'


def test_a_function_that_a_dialect_lacks_is_refused(monkeypatch):
    """With the sentence that says so; the answer is given without a query."""
    lacking = replace(AGGREGATES["average"], lacking=("sqlite",))
    monkeypatch.setitem(AGGREGATES, "average", lacking)
    program = Program((Step("greater", "price", 1.0), Step("average", "price"), Step("years")))
    assert "AVG(" in sql.text(program, "t", "postgres")
    with pytest.raises(NeuralProgrammerError, match="sqlite has no average: ask for the SQL of another dialect"):
        sql.text(program, "t", "sqlite")
    with open_source({"price": [1.0, 3.0]}) as source:
        found = ask(Fake({"q": program.steps}), source, "q", dialect="sqlite")
    assert (found.scalar, found.sql) == (3, "")


def test_trees_that_share_much_are_looked_through_once():
    steps = [*[Step("greatest", "price"), Step("most common", "price")] * 30, Step("count")]
    *_, last = expressions(Program(tuple(steps)))
    assert len(list(nodes(last.node))) < 2_000


def test_a_query_that_would_be_too_long_is_none():
    """Steps on each other are written again for each that reads them; the interpreter computes them once."""
    steps = (Step("greater", "price", 1.0), *[Step("and")] * 40, Step("count"))
    with pytest.raises(NeuralProgrammerError, match="a query for so many steps on each other would be too long"):
        sql.text(Program(steps), "t", "duckdb")
    with open_source({"price": [1.0, 3.0]}) as source:
        found = ask(Fake({"q": steps}), source, "q")
        assert (found.scalar, found.sql) == (1, "")


@pytest.mark.parametrize(
    ("dialect", "written"),
    [("duckdb", 'ISODOW("day")'), ("spark", "WEEKDAY(`day`) + 1"), ("postgres", 'EXTRACT(ISODOW FROM "day")')],
)
def test_weekdays_begin_with_monday_in_each_dialect(dialect, written):
    steps = Step("for each", PartOf("day", "weekday")), Step("count")
    assert written in sql.text(Program(steps), "sales", dialect)
