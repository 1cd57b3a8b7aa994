"""A program as one SQL query, a tree that every dialect can be written from."""

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from sqlglot import exp

from neural_programmer.engines.cleaned import Cleaned
from neural_programmer.errors import NeuralProgrammerError, one_of
from neural_programmer.programs.operations import OPERATIONS, ORDER, Operation, Query, named
from neural_programmer.programs.program import Program, bounds
from neural_programmer.tables.views_sql import File, Viewed, before, relation_name, written_date

REMEMBERED_QUERIES = 1_000  # queries, which come again in batches
ANSWER = "answer"  # the name of a scalar's or a truth's column
ROW, NUMBERED = "row", "numbered"  # the names of the rows' numbers, and of the table with them
Replaced = tuple[tuple[str, str], ...]  # as kinds.Column has it
TRUTH_OF = {"true": True, "false": False}  # as a program writes them
Formats = tuple[str, ...]  # as kinds.Column has them


class Built(NamedTuple):
    """A step in expressions: the condition on the rows it works on, and its own condition on rows, or its scalar."""

    selected: Any
    value: Any


def build(
    program: Program,
    relation: str,
    aggregate: Callable[[str, Any, Any], Any],
    booleans: Collection[str] = (),
    row: str = ROW,
    read: Callable[[str], Any] = lambda name: exp.column(name, quoted=True),
) -> list[Built]:
    """Every step's rows as a condition, and its scalar as an expression, put together from those of the steps before.

    `aggregate` makes a scalar of a function's name, an expression and a condition; `booleans` are the columns that hold
    truths rather than the texts true and false; `row` is the column of the relation with the numbers of its rows, if
    they are needed; `read` makes an expression of a column's name.
    """

    def cells(expression: Any, where: Any) -> exp.Select:
        return select(expression.copy(), relation=relation, where=where)

    def frequent(expression: Any, where: Any, most: bool) -> exp.Select:
        return _frequent(expression, relation, where, most)

    asking = exp.true(), aggregate, cells, frequent, exp.column(row, quoted=True)
    rows: list[Any] = [exp.true()] * 2
    scalars: list[Any] = [exp.Literal.number(0)] * 3
    built = []
    for step in program.steps:
        operation = OPERATIONS[step.operation]
        low, high = map(_literal, bounds(step.argument))
        column = None if step.column is None else read(step.column)
        if step.column in booleans and isinstance(step.argument, tuple):
            column, low = _truth(column, step.argument)
        before = (rows[-1], rows[-2], scalars[-1], scalars[-3])
        if operation.sql is None:
            raise NeuralProgrammerError(without(operation))
        value = operation.sql(Query(column, low, high, *before, *asking))
        built.append(Built(rows[-1], value))
        rows.append(_closed(value) if operation.updates == "rows" else exp.false())
        scalars.append(_closed(value) if operation.updates == "scalar" else exp.Literal.number(0))
    return built


def without(operation: Operation) -> str:
    """What to say of an operation that only the interpreter can run."""
    return f"{operation} has no SQL, so that it answers small tables alone: give it one with sql="


def query(
    program: Program, relation: str, booleans: Collection[str] = (), row: str = ROW, **reading: Callable
) -> exp.Select:
    """One SELECT that gives what the interpreter gives: a scalar or truth under the name `answer`, or a column's cells.

    A program that gives no answer has no query. Cells that are looked up are given as they are stored. Where the order
    of rows matters, they are numbered first, in a column called `row`, as no other must be.
    """
    last = program.steps[-1] if program.steps else None
    if last is None or OPERATIONS[last.operation].updates not in ("scalar", "lookup", "truth"):
        raise NeuralProgrammerError(f"the program {program} gives no answer, so there is no query for it")
    if any(step.operation in ORDER for step in program.steps):
        numbered = f"{NUMBERED}_" if relation.lower() == NUMBERED else NUMBERED
        name = exp.TableAlias(this=exp.to_identifier(numbered, quoted=True))
        return _query(program, numbered, booleans, row, **reading).with_(name, _numbered(relation, row), copy=False)
    return _query(program, relation, booleans, row, **reading)


def _query(program: Program, relation: str, booleans: Collection[str], row: str, **reading: Callable) -> exp.Select:
    def aggregate(name: str, expression: Any, where: Any) -> exp.Subquery:
        return select(exp.alias_(function(name, expression), ANSWER), relation=relation, where=where).subquery(
            copy=False
        )

    last = program.steps[-1]
    value = build(program, relation, aggregate, booleans, row, **reading)[-1].value
    if OPERATIONS[last.operation].updates == "lookup":
        return select(exp.column(str(last.column), quoted=True), relation=relation, where=value)
    if OPERATIONS[last.operation].updates == "truth":
        holds = _worded(function("COUNT", None) > 0, OPERATIONS[last.operation])
        return select(exp.alias_(holds, ANSWER), relation=relation, where=value)
    if isinstance(value, exp.Subquery):
        return value.this
    return exp.select(exp.alias_(value, ANSWER))


def _worded(holds: Any, operation: Operation) -> Any:
    """A truth, in the words of its operation if it has some for it."""
    word, other = map(exp.Literal.string, operation.words)
    return exp.case().when(holds, word).else_(other) if operation.words[0] else holds


def _numbered(relation: str, row: str) -> exp.Select:
    """The table with the numbers of its rows, in the order in which they come."""
    number = exp.alias_(exp.Window(this=exp.RowNumber()), row, quoted=True)
    return select(exp.Star(), number, relation=relation, where=exp.true())


def _frequent(expression: Any, relation: str, where: Any, most: bool) -> exp.Select:
    """The most frequent cells of those rows, or the least; missing ones are none."""
    there, times = where.and_(expression.is_(exp.null()).not_()), function("COUNT", None)

    def grouped(wanted: Any) -> exp.Select:
        return select(wanted.copy(), relation=relation, where=there).group_by(expression)

    wanted = grouped(times).order_by(exp.Ordered(this=times.copy(), desc=most)).limit(1)
    return grouped(expression).having(times.eq(wanted.subquery()))


def text(
    program: Program,
    relation: str,
    dialect: str,
    booleans: frozenset[str] = frozenset(),
    numbers: tuple[tuple[str, Replaced], ...] = (),
    row: str = ROW,
    views: tuple[Viewed, ...] = (),
    dates: tuple[tuple[str, Formats], ...] = (),
    file: File | None = None,
    cleaned: tuple[Cleaned, ...] = (),
) -> str:
    """The query in a dialect: duckdb, spark, postgres, bigquery, snowflake, sqlite ...

    `numbers` are the columns that hold texts there, and what to replace in them so that numbers can be read; `dates`
    those whose texts are dates, and how they write them; `views` those that DuckDB is to read from others first; `file`
    says how it is to read a file of text; `cleaned` are the columns whose cells are first made what was compared.
    """
    operations = named(tuple(step.operation for step in program.steps))
    if file is not None:
        used = {*(str(step.column) for step in program.steps), *(view.column for view in views)}
        file = file._replace(texts=file.texts & used)
        file = file if file.texts or file.paths else None
    return _text(program, operations, relation, dialect, booleans, numbers, row, views, dates, file, cleaned)


@lru_cache(maxsize=REMEMBERED_QUERIES)
def _text(
    program: Program,
    operations: tuple[Operation, ...],
    relation: str,
    dialect: str,
    booleans: frozenset[str],
    numbers: tuple[tuple[str, Replaced], ...],
    row: str,
    views: tuple[Viewed, ...],
    dates: tuple[tuple[str, Formats], ...],
    file: File | None,
    cleaned: tuple[Cleaned, ...],
) -> str:
    """The same, remembered for as long as the operations are defined so."""
    dialect, replaced, formats = check_dialect(dialect), dict(numbers), dict(dates)
    clean = {column.name: column for column in cleaned}

    def read(name: str) -> Any:
        column = clean[name].expression() if name in clean else exp.column(name, quoted=True)
        if name in formats:
            return written_date(column, formats[name])
        return _number(column, replaced[name], dialect) if name in replaced else column

    name = relation_name(relation) if views else relation
    made = query(program, name, booleans, row, read=read)
    if views:
        made = before(made, name, relation, views, file)
    elif file is not None:
        for table in [table for table in made.find_all(exp.Table) if table.name == relation]:
            table.replace(exp.Table(this=file.read(relation)))
    return made.sql(dialect=dialect, pretty=True, copy=False)


def _number(column: Any, replaced: Replaced, dialect: str) -> Any:
    """The number that a text says; none where it says none, which SQLite would take for 0."""
    plain: Any = column if replaced else exp.func("TRIM", column)  # a bare cast would be DuckDB's type of a CSV column
    for what, instead in replaced:
        plain = exp.func("REPLACE", plain, exp.Literal.string(what), exp.Literal.string(instead))
    number = exp.TryCast(this=plain, to=exp.DataType.build("DOUBLE"))
    if dialect != "sqlite":
        return number
    return exp.case().when(exp.Glob(this=column.copy(), expression=exp.Literal.string("*[0-9]*")), number)


def check_dialect(dialect: str) -> str:
    """The name of a dialect that sqlglot writes."""
    from sqlglot.dialects import DIALECTS

    known = sorted(name.lower() for name in DIALECTS if name != "Dialect")
    if dialect.lower() not in known:
        raise one_of("dialect of SQL", dialect, known)
    return dialect.lower()


def function(name: str, expression: Any) -> Any:
    """An aggregate, perhaps of what is DISTINCT; the sum of nothing is 0, of others nothing there is none."""
    name, _, distinct = name.partition(" ")
    cells = exp.Star() if expression is None else expression.copy()
    made = exp.func(name, exp.Distinct(expressions=[cells]) if distinct else cells)
    return exp.Coalesce(this=made, expressions=[exp.Literal.number(0)]) if name == "SUM" else made


def select(*expressions: Any, relation: str, where: Any) -> exp.Select:
    """SELECT expressions FROM relation WHERE the condition, if it is one."""
    selected = exp.select(*expressions, copy=False).from_(
        exp.Table(this=exp.to_identifier(relation, quoted=True)), copy=False
    )
    where = simplified(where)
    return selected if where == exp.true() else selected.where(where, copy=False)


def simplified(where: Any) -> Any:
    """A condition without the constants that steps such as `reset` leave in it, and without needless brackets."""
    where = where.copy()
    if any(map(_is_condition, where.find_all(exp.Boolean))):
        from sqlglot.optimizer.simplify import simplify

        return simplify(where)
    for closed in list(where.find_all(exp.Paren)):
        if isinstance(closed.parent, exp.Connector) and isinstance(closed.this, type(closed.parent) | exp.Not):
            closed.replace(closed.this)
    return where.unnest()


def _is_condition(truth: exp.Boolean) -> bool:
    """Whether a truth stands for rows, rather than for what a cell is compared with."""
    return not isinstance(truth.parent, exp.Predicate | exp.In) or truth.arg_key == "this"


def _closed(value: Any) -> Any:
    """In brackets, where what is put together with it could otherwise take it apart."""
    return exp.paren(value) if isinstance(value, exp.Sub | exp.Not) else value


def _truth(column: Any, texts: tuple[str, ...]) -> tuple[Any, list[Any]]:
    """A column of truths and what to compare it with; a text that is none is compared with what is written."""
    if all(text in TRUTH_OF for text in texts) and texts:
        return column, [exp.Boolean(this=TRUTH_OF[text]) for text in texts]
    return exp.cast(column, "VARCHAR"), _literal(texts)


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
