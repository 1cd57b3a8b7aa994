"""A program as one SQL query, a tree that every dialect can be written from: expressions.py in sqlglot."""

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from sqlglot import exp

from neural_programmer.engines.cleaned import Cleaned
from neural_programmer.errors import NeuralProgrammerError, one_of
from neural_programmer.programs.aggregates import AGGREGATES
from neural_programmer.programs.expressions import (
    And,
    Applied,
    Arithmetic,
    Cell,
    Column,
    Compare,
    Comparison,
    Constant,
    Everything,
    Exists,
    Filter,
    Group,
    In,
    Limit,
    Measure,
    Measured,
    Missing,
    Not,
    Or,
    Relation,
    RowNumber,
    Scan,
    Select,
    Test,
    Value,
    Within,
    is_value,
    nodes,
    size,
)
from neural_programmer.programs.operation import Operation, Query
from neural_programmer.programs.operations import ORDER
from neural_programmer.programs.program import Program, expressions
from neural_programmer.tables.views_sql import File, Viewed, before, relation_name, written_date

MOST_NODES = 20_000  # of the expression of a program that is written as a query, what is shared written again
REMEMBERED_QUERIES = 1_000  # queries, which come again in batches
ANSWER = "answer"  # the name of a scalar's or a truth's column
ROW, NUMBERED = "row", "numbered"  # the names of the rows' numbers, and of the table with them
Replaced = tuple[tuple[str, str], ...]  # as kinds.Column has it
TRUTH_OF = {"true": True, "false": False}  # as a program writes them
Formats = tuple[str, ...]  # as kinds.Column has them
COMPARED: dict[Comparison, Callable[[Any, Any], Any]] = {
    "=": lambda a, b: a.eq(b),
    "<>": lambda a, b: a.neq(b),
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


class Written(NamedTuple):
    """A step in SQL: the condition on the rows it works on, and its own condition on rows, or its scalar."""

    operation: Operation
    selected: Any
    value: Any
    node: Any  # its expression

    @property
    def rows(self) -> Any:
        """The condition on the rows that it selects; of one that gives an answer, works on."""
        return self.value if self.operation.updates == "rows" else self.selected


def write(
    program: Program,
    relation: str,
    aggregate: Callable[[str, Any, Any], Any],
    booleans: Collection[str] = (),
    row: str = ROW,
    read: Callable[[str], Any] = lambda name: exp.column(name, quoted=True),
) -> list[Written]:
    """Write every step's rows as a condition, and its scalar as an expression.

    `aggregate` makes a scalar of a function's name, an expression and a condition; `booleans` are the columns that hold
    truths rather than the texts true and false; `row` is the column of the relation with the numbers of its rows, if
    they are needed; `read` makes an expression of a column's name.
    """
    if refused := refusal(program, "duckdb"):
        raise NeuralProgrammerError(refused)
    writer = Writer(relation, aggregate, booleans, row, read)
    return [
        Written(operation, writer.test(each.rows), writer.step(each.node), each.node)
        for operation, each in zip(program.operations, expressions(program), strict=True)
    ]


class Writer:
    """Writes expressions about one relation, each node once: what several steps read is the same tree."""

    def __init__(
        self,
        relation: str,
        aggregate: Callable[[str, Any, Any], Any],
        booleans: Collection[str],
        row: str,
        read: Callable[[str], Any],
    ) -> None:
        self.relation, self.aggregate, self.booleans, self.row, self.read = relation, aggregate, booleans, row, read
        self._written: dict[int, tuple[Any, Any]] = {}  # with the nodes, which are known by their places in memory

    def step(self, node: Any) -> Any:
        """What a step gives: a condition on rows, also of a look-up and of a truth, or a scalar."""
        if isinstance(node, Exists | Select):
            return self.rows(node.relation)
        return self.value(node) if is_value(node) else self.test(node)

    def rows(self, relation: Relation) -> Any:
        """The condition on the rows of the table that a relation has."""
        if isinstance(relation, Filter) and isinstance(relation.relation, Scan):
            return self.test(relation.test)
        assert isinstance(relation, Scan), "its rows are rows of the table"
        return exp.true()

    def value(self, node: Value) -> Any:
        """A cell of each row, or a scalar."""
        return self._once(node, self._value)

    def test(self, node: Test) -> Any:
        """A condition on each row."""
        return self._once(node, self._test)

    def _once(self, node: Any, write: Callable[[Any], Any]) -> Any:
        if id(node) not in self._written:
            self._written[id(node)] = node, write(node)
        return self._written[id(node)][1]

    def _value(self, node: Value) -> Any:
        if isinstance(node, Column):
            return self.read(node.name)
        if isinstance(node, RowNumber):
            return exp.column(self.row, quoted=True)
        if isinstance(node, Constant):
            return literal(node.value)
        if isinstance(node, Arithmetic):
            left, right = (_closed(self.value(side)) for side in (node.left, node.right))
            return left + right if node.operator == "+" else left - right
        if isinstance(node, Applied):
            return self._applied(node)
        assert isinstance(node, Cell), f"a value in SQL, not {type(node).__name__}"
        return self._cell(node.relation)

    def _cell(self, relation: Relation) -> Any:
        """An aggregate of rows of the table, or of whatever a relation has."""
        if isinstance(relation, Group) and not relation.keys and isinstance(relation.relation, Scan | Filter):
            [measure] = relation.measures
            value = None if measure.value is None else self.value(measure.value)
            return self.aggregate(AGGREGATES[measure.aggregate].sql, value, self.rows(relation.relation))
        return self.query(relation).subquery(copy=False)

    def _test(self, node: Test) -> Any:
        if isinstance(node, Everything):
            return exp.true()
        if isinstance(node, And):
            return _closed(self.test(node.left)).and_(_closed(self.test(node.right)))
        if isinstance(node, Or):
            return _closed(self.test(node.left)).or_(_closed(self.test(node.right)))
        if isinstance(node, Not):
            return self._not(node.test)
        if isinstance(node, Missing):
            return self.value(node.value).is_(exp.null())
        if isinstance(node, Exists):
            return exp.Exists(
                this=select(exp.Literal.number(1), relation=self.relation, where=self.rows(node.relation))
            )
        if isinstance(node, Within):
            return self._within(node)
        if isinstance(node, In):
            return self._among(node)
        if isinstance(node, Applied):
            return self._applied(node)
        assert isinstance(node, Compare), f"a condition in SQL, not {type(node).__name__}"
        return COMPARED[node.operator](self.value(node.left), self.value(node.right))

    def _not(self, test: Test) -> Any:
        """What does not hold; a condition on a missing cell holds neither way in SQL."""
        if isinstance(test, Everything):
            return exp.false()
        written = self.test(test)
        return (written if isinstance(test, Missing | Exists) else _closed(written).is_(True)).not_()

    def _within(self, node: Within) -> Any:
        cell, low, high = map(self.value, (node.value, node.low, node.high))
        if node.outside:
            return cell.neq(low) if low == high else (cell < low).or_(cell > high)
        return cell.eq(low) if low == high else (cell >= low).and_(cell <= high)

    def _among(self, node: In) -> Any:
        cell = self.value(node.value)
        if not isinstance(node.among, tuple):
            return cell.isin(query=self.query(node.among))
        cell, texts = self._compared(node.value, tuple(text.value for text in node.among))
        if node.other and not node.among:
            return cell.is_(exp.null()).not_()
        if len(texts) == 1:
            return cell.neq(texts[0]) if node.other else cell.eq(texts[0])
        return cell.isin(*texts).not_() if node.other else cell.isin(*texts)

    def _compared(self, node: Value, texts: tuple[str, ...]) -> tuple[Any, list[Any]]:
        """A column and the texts that it is compared with; a column of truths is compared with truths."""
        if isinstance(node, Column) and node.name in self.booleans:
            return _truth(self.value(node), texts)
        return self.value(node), literal(texts)

    def _applied(self, node: Applied) -> Any:
        """An operation of one's own, by the SQL that it says."""
        own = node.operation.own
        assert own.sql is not None, "a program with it was refused"
        if isinstance(node.argument, tuple):
            column, argument = self._compared(node.column, node.argument)
        else:
            column, argument = self.value(node.column), literal(node.argument)
        return own.sql(Query(column, argument, argument, _closed(self.test(node.rows)), self.aggregate))

    def query(self, relation: Relation) -> exp.Select:
        """The query of a relation's columns."""
        if isinstance(relation, Select) and isinstance(relation.relation, Scan | Filter):
            values = [self.value(value).copy() for value in relation.values]
            return select(*values, relation=self.relation, where=self.rows(relation.relation))
        if isinstance(relation, Select) and isinstance(relation.relation, Limit):
            return self._limited(relation.relation, relation.values)
        if isinstance(relation, Select) and isinstance(relation.relation, Group):
            return self._grouped(relation.relation, relation.values)
        assert isinstance(relation, Group), f"a query, not {type(relation).__name__}"
        measures = (Measured(place, one.kind) for place, one in enumerate(relation.measures))
        return self._grouped(relation, (*relation.keys, *measures))

    def _grouped(self, group: Group, values: tuple[Value, ...]) -> exp.Select:
        """Some of the keys and measures of groups."""
        written = [self._of_group(group, value) for value in values]
        query = select(*written, relation=self.relation, where=self.rows(group.relation))
        return query.group_by(*(self.value(key) for key in group.keys)) if group.keys else query

    def _of_group(self, group: Group, value: Value) -> Any:
        if isinstance(value, Measured):
            measure: Measure = group.measures[value.place]
            cells = None if measure.value is None else self.value(measure.value)
            return function(AGGREGATES[measure.aggregate].sql, cells)
        return self.value(value).copy()

    def _limited(self, limit: Limit, values: tuple[Value, ...]) -> exp.Select:
        """The first groups by a measure, and those that are as good as the last of these."""
        sort = limit.relation
        group = sort.relation
        assert isinstance(group, Group), "the first of groups"
        measure = self._of_group(group, sort.by)
        first = self._grouped(group, (sort.by,)).order_by(exp.Ordered(this=measure.copy(), desc=sort.descending))
        first = first.limit(limit.count)
        if limit.count == 1:
            return self._grouped(group, values).having(measure.eq(first.subquery()))
        named = first.select(exp.alias_(measure.copy(), ANSWER), append=False).subquery("first")
        least = exp.select(function("MIN" if sort.descending else "MAX", exp.column(ANSWER))).from_(named).subquery()
        return self._grouped(group, values).having(measure >= least if sort.descending else measure <= least)


def refusal(program: Program, dialect: str) -> str:
    """Say why there is no query for a program in a dialect, or nothing if there is one."""
    if lacking := [operation for operation in program.operations if not operation.has_sql]:
        return without(lacking[0])
    if _size(program) > MOST_NODES:
        return "a query for so many steps on each other would be too long"
    missing = {name for name, aggregate in AGGREGATES.items() if dialect in aggregate.lacking}
    for each in expressions(program) if missing else ():
        for node in nodes(each.node):
            if isinstance(node, Measure) and node.aggregate in missing:
                return f"{dialect} has no {node.aggregate}: ask for the SQL of another dialect"
    return ""


@lru_cache(maxsize=REMEMBERED_QUERIES)
def _size(program: Program) -> int:
    """How many nodes the longest of its steps has, written as a query."""
    return max((size(each.node) for each in expressions(program)), default=0)


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
    if not program.steps or program.operations[-1].updates not in ("scalar", "lookup", "truth"):
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

    last = write(program, relation, aggregate, booleans, row, **reading)[-1]
    if last.operation.updates == "lookup":
        return select(exp.column(str(program.steps[-1].column), quoted=True), relation=relation, where=last.value)
    if last.operation.updates == "truth":
        holds = _worded(function("COUNT", None) > 0, last.operation)
        return select(exp.alias_(holds, ANSWER), relation=relation, where=last.value)
    if isinstance(last.value, exp.Subquery):
        return last.value.this
    return exp.select(exp.alias_(last.value, ANSWER))


def _worded(holds: Any, operation: Operation) -> Any:
    """A truth, in the words of its operation if it has some for it."""
    word, other = map(exp.Literal.string, operation.words)
    return exp.case().when(holds, word).else_(other) if operation.words[0] else holds


def _numbered(relation: str, row: str) -> exp.Select:
    """The table with the numbers of its rows, in the order in which they come."""
    number = exp.alias_(exp.Window(this=exp.RowNumber()), row, quoted=True)
    return select(exp.Star(), number, relation=relation, where=exp.true())


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
    if file is not None:
        used = {*(str(step.column) for step in program.steps), *(view.column for view in views)}
        file = file._replace(texts=file.texts & used)
        file = file if file.texts or file.paths else None
    return _text(program, relation, dialect, booleans, numbers, row, views, dates, file, cleaned)


@lru_cache(maxsize=REMEMBERED_QUERIES)
def _text(
    program: Program,
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
    """The same, remembered."""
    dialect, replaced, formats = check_dialect(dialect), dict(numbers), dict(dates)
    if refused := refusal(program, dialect):
        raise NeuralProgrammerError(refused)
    clean = {column.name: column for column in cleaned}

    def read(name: str) -> Any:
        column = clean[name].expression(dialect) if name in clean else exp.column(name, quoted=True)
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
    return exp.cast(column, "VARCHAR"), literal(texts)


def literal(value: Any) -> Any:
    """A number, a moment or texts, as they stand in a query."""
    if isinstance(value, np.datetime64):
        day, time = str(value.astype("M8[us]")).split("T")
        whole = time == "00:00:00.000000"
        return exp.cast(exp.Literal.string(day if whole else f"{day} {time}"), "DATE" if whole else "TIMESTAMP")
    if isinstance(value, str):
        return exp.Literal.string(value)
    if isinstance(value, tuple):
        return [exp.Literal.string(text) for text in value] or [exp.null()]
    if value is None:
        return None
    number = float(value)
    return exp.Literal.number(repr(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number))
