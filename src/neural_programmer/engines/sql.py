"""A program as one SQL query, a tree that every dialect can be written from."""

from typing import Any

import numpy as np
from sqlglot import exp
from sqlglot.optimizer.simplify import simplify

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.operations import OPERATIONS, Query
from neural_programmer.program import Program, bounds

ANSWER = "answer"  # the name of a scalar's column


def query(program: Program, relation: str) -> exp.Select:
    """One SELECT that gives what the interpreter gives: a scalar under the name `answer`, or a column's cells.

    As in `program.run`, every step's rows are a condition and its scalar an expression, put together from those of the
    steps before. A program that gives no answer has no query.
    """
    last = program.steps[-1] if program.steps else None
    if last is None or OPERATIONS[last.operation].updates not in ("scalar", "lookup"):
        raise NeuralProgrammerError(f"the program {program} gives no answer, so there is no query for it")
    rows: list[Any] = [exp.true()] * 2
    scalars: list[Any] = [exp.Literal.number(0)] * 3
    value: Any = None

    def aggregate(name: str, expression: Any, where: Any) -> exp.Subquery:
        return _aggregate(name, expression, where, relation)

    for step in program.steps:
        operation = OPERATIONS[step.operation]
        low, high = map(_literal, bounds(step.argument))
        column, selected, before = _column(step.column), (rows[-1].copy(), rows[-2].copy()), (scalars[-1], scalars[-3])
        value = operation.sql(Query(column, low, high, *selected, *before, exp.true(), aggregate))
        rows.append(value if operation.updates == "rows" else exp.false())
        scalars.append(_closed(value) if operation.updates == "scalar" else exp.Literal.number(0))
    if OPERATIONS[last.operation].updates == "lookup":
        return _from(exp.select(_column(last.column)), relation, value)
    if isinstance(value, exp.Subquery):
        return value.this
    return exp.select(exp.alias_(value, ANSWER))


def _closed(value: Any) -> Any:
    return exp.paren(value) if isinstance(value, exp.Binary) else value


def _column(name: str | None) -> Any:
    return None if name is None else exp.column(name, quoted=True)


def text(program: Program, relation: str, dialect: str) -> str:
    """The query in a dialect: duckdb, spark, postgres, bigquery, snowflake, sqlite ..."""
    try:
        return query(program, relation).sql(dialect=dialect, pretty=True)
    except ValueError as error:
        raise NeuralProgrammerError(str(error)) from None


def _aggregate(name: str, expression: Any, where: Any, relation: str) -> exp.Subquery:
    """(SELECT NAME(expression) FROM relation WHERE rows); the sum of nothing is 0, of others nothing there is none."""
    function = exp.func(name, exp.Star() if expression is None else expression.copy())
    if name == "SUM":
        function = exp.Coalesce(this=function, expressions=[exp.Literal.number(0)])
    return _from(exp.select(exp.alias_(function, ANSWER)), relation, where).subquery()


def _from(select: exp.Select, relation: str, where: Any) -> exp.Select:
    select = select.from_(exp.Table(this=exp.to_identifier(relation, quoted=True)))
    where = simplify(where.copy())
    return select if where == exp.true() else select.where(where)


def _literal(value: Any) -> Any:
    """A number, a moment or texts, as they stand in a query."""
    if isinstance(value, np.datetime64):
        day, time = str(value.astype("M8[us]")).split("T")
        whole = time == "00:00:00.000000"
        return exp.cast(exp.Literal.string(day if whole else f"{day} {time}"), "DATE" if whole else "TIMESTAMP")
    if isinstance(value, tuple):
        return [exp.Literal.string(text) for text in value] or [exp.null()]
    if value is None:
        return None
    number = float(value)
    return exp.Literal.number(repr(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number))
