"""Programs as SQL: one query for a program, as a tree of sqlglot, from which every dialect can be written."""

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any, NamedTuple

from sqlglot import exp

from neural_programmer.engines.cleaned import Cleaned
from neural_programmer.engines.draft import function as function
from neural_programmer.engines.draft import literal as literal
from neural_programmer.engines.draft import select as select
from neural_programmer.engines.draft import simplified as simplified
from neural_programmer.engines.writer import ANSWER
from neural_programmer.engines.writer import Writer as Writer
from neural_programmer.errors import NeuralProgrammerError, one_of
from neural_programmer.programs.aggregates import AGGREGATES
from neural_programmer.programs.expressions import (
    RELATION_NODES,
    Exists,
    Like,
    Measure,
    Select,
    Test,
    group_of,
    is_grouped,
    is_value,
    nodes,
    size,
)
from neural_programmer.programs.operation import Operation
from neural_programmer.programs.operations import ORDER
from neural_programmer.programs.program import Built, Kinds, Program, expressions, no_answer
from neural_programmer.programs.state import rows_of
from neural_programmer.tables.views_sql import File, Viewed, before, relation_name, written_date

MOST_NODES = 20_000  # of the expression of a program that is written as a query, what is shared written again
REMEMBERED_QUERIES = 1_000  # queries, which come again in batches
ROW, NUMBERED = "row", "numbered"  # the names of the rows' numbers, and of the table with them
Replaced = tuple[tuple[str, str], ...]  # as kinds.Column has it
Formats = tuple[str, ...]  # as kinds.Column has them


class Written(NamedTuple):
    """A step in SQL: the condition on the rows that it reads, and its value: its own condition on rows, a scalar, or a
    query."""

    operation: Operation
    selected: Any
    value: Any
    node: Any  # its expression

    @property
    def is_table(self) -> bool:
        """Return whether the step makes a table: groups, rows in an order, or what is put out of them."""
        return isinstance(self.node, RELATION_NODES) and self.operation.updates != "lookup"

    @property
    def is_truth(self) -> bool:
        """Return whether the step compares numbers or asks for a group, rather than for a row."""
        exists = isinstance(self.node, Exists) and not is_grouped(self.node.relation)
        return self.operation.updates == "truth" and not exists

    @property
    def rows(self) -> Any:
        """Return the condition on the rows that the step selects, or that it reads if it gives an answer."""
        return self.value if self.operation.updates == "rows" and not self.is_table else self.selected


def write(
    program: Program,
    relation: str,
    aggregate: Callable[[str, Any, Any], Any],
    booleans: Collection[str] = (),
    row: str = ROW,
    read: Callable[[str], Any] = lambda name: exp.column(name, quoted=True),
    dialect: str = "duckdb",
    kinds: Kinds = (),
) -> list[Written]:
    """Write every step of a program: its rows as a condition, and its value as an expression.

    `aggregate` makes a scalar of a function's name, an expression and a condition; `booleans` are the columns that hold
    truths rather than the texts true and false; `row` is the column of the relation with the numbers of its rows, if
    they are needed; `read` makes an expression of a column's name; `kinds` say what columns hold.
    """
    if refused := refusal(program, "duckdb", kinds):
        raise NeuralProgrammerError(refused)
    writer = Writer(relation, aggregate, booleans, row, read, dialect)
    return [
        Written(operation, writer.test(_selected(each)), _step(writer, operation, each.node), each.node)
        for operation, each in zip(program.operations, expressions(program, kinds), strict=True)
    ]


def _selected(built: Built) -> Test:
    """Return the test of the rows that a step reads. For a step that makes a table, these are the rows that the table
    is made of."""
    node: Any = built.node
    if not isinstance(node, RELATION_NODES):
        return built.rows
    while is_grouped(node):
        node = group_of(node).relation
    return rows_of(node)


def _step(writer: Writer, operation: Operation, node: Any) -> Any:
    """Return the value of a step: a scalar, a query, or a condition on rows, as for a look-up or a truth about rows."""
    relation: Any = node
    if operation.updates == "lookup" or (isinstance(node, Exists) and not is_grouped(node.relation)):
        return writer.rows(node.relation)
    if isinstance(node, RELATION_NODES):
        return writer.query(relation) if is_grouped(relation) or isinstance(node, Select) else writer.rows(relation)
    return writer.value(relation) if is_value(relation) else writer.test(relation)


def refusal(program: Program, dialect: str, kinds: Kinds = ()) -> str:
    """Return why there is no query for a program in a dialect, or nothing if there is one."""
    if lacking := [operation for operation in program.operations if not operation.has_sql]:
        return without(lacking[0])
    if _size(program, kinds) > MOST_NODES:
        return "a query for so many steps on each other would be too long"
    missing = {name for name, aggregate in AGGREGATES.items() if dialect in aggregate.lacking}
    for each in expressions(program, kinds) if missing else ():
        for node in nodes(each.node):
            if isinstance(node, Measure) and node.aggregate in missing:
                return f"{dialect} has no {node.aggregate}: ask for the SQL of another dialect"
            if isinstance(node, Like) and dialect == "sqlite" and not _is_plain(node.text):
                return (
                    f"sqlite does not know the capitals of letters such as those of {node.text!r}: ask for the SQL of"
                    " another dialect"
                )
    return ""


def _is_plain(text: str) -> bool:
    """Return whether all letters of a text that have capitals are ASCII."""
    return all(letter.isascii() or letter.lower() == letter.upper() for letter in text)


@lru_cache(maxsize=REMEMBERED_QUERIES)
def _size(program: Program, kinds: Kinds) -> int:
    """Return how many nodes the longest step of a program has when it is written as a query."""
    return max((size(each.node) for each in expressions(program, kinds)), default=0)


def without(operation: Operation) -> str:
    """Return the sentence about an operation that only the interpreter can run."""
    return f"{operation} has no SQL, so that it answers small tables alone: give it one with sql="


def query(
    program: Program, relation: str, booleans: Collection[str] = (), row: str = ROW, **reading: Any
) -> exp.Select:
    """Return one SELECT that gives what the interpreter gives: a scalar or truth named `answer`, the cells of a column,
    or a table.

    A program that gives no answer has no query. Cells that are looked up are given as they are stored. Where the order
    of rows matters, they are numbered first, in a column called `row`, as no other must be.
    """
    [*_, last] = expressions(program, reading.get("kinds", ())) if program.steps else [None]
    if last is None or program.operations[-1].updates == "nothing" or no_answer(program, last.node):
        raise NeuralProgrammerError(f"the program {program} gives no answer, so there is no query for it")
    if any(step.operation in ORDER for step in program.steps):
        numbered = f"{NUMBERED}_" if relation.lower() == NUMBERED else NUMBERED
        name = exp.TableAlias(this=exp.to_identifier(numbered, quoted=True))
        return _query(program, numbered, booleans, row, **reading).with_(name, _numbered(relation, row), copy=False)
    return _query(program, relation, booleans, row, **reading)


def _query(program: Program, relation: str, booleans: Collection[str], row: str, **reading: Any) -> exp.Select:
    def aggregate(name: str, expression: Any, where: Any) -> exp.Subquery:
        return select(exp.alias_(function(name, expression), ANSWER), relation=relation, where=where).subquery(
            copy=False
        )

    last = write(program, relation, aggregate, booleans, row, **reading)[-1]
    if last.operation.updates == "lookup":
        return select(exp.column(str(program.steps[-1].column), quoted=True), relation=relation, where=last.value)
    if last.is_table:
        return last.value
    if last.is_truth:
        return exp.select(exp.alias_(_worded(last.value, last.operation), ANSWER))
    if last.operation.updates == "truth":
        holds = _worded(function("COUNT", None) > 0, last.operation)
        return select(exp.alias_(holds, ANSWER), relation=relation, where=last.value)
    if isinstance(last.value, exp.Subquery):
        return last.value.this
    return exp.select(exp.alias_(last.value, ANSWER))


def _worded(holds: Any, operation: Operation) -> Any:
    """Return a truth in the words of its operation, if it has words."""
    word, other = map(exp.Literal.string, operation.words)
    return exp.case().when(holds, word).else_(other) if operation.words[0] else holds


def _numbered(relation: str, row: str) -> exp.Select:
    """Return the table with the numbers of its rows, in the order in which they come."""
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
    kinds: Kinds = (),
) -> str:
    """Return the query of a program in a dialect: duckdb, spark, postgres, bigquery, snowflake, sqlite ...

    `numbers` are the columns whose texts are numbers, and what to replace in these texts before they are read. `dates`
    are the columns whose texts are dates, and their formats. `views` are the columns that DuckDB reads from others
    first. `file` says how DuckDB reads a file of text. `cleaned` are the columns whose cells are cleaned first. `kinds`
    are the kinds of the columns; a column that they lack has the kind that its step needs.
    """
    if file is not None:
        used = {*(str(step.source) for step in program.steps), *(view.column for view in views)}
        file = file._replace(texts=file.texts & used)
        file = file if file.texts or file.paths else None
    return _text(program, relation, dialect, booleans, numbers, row, views, dates, file, cleaned, kinds)


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
    kinds: Kinds,
) -> str:
    """Return the query as `text` does, remembered."""
    dialect, replaced, formats = check_dialect(dialect), dict(numbers), dict(dates)
    if refused := refusal(program, dialect, kinds):
        raise NeuralProgrammerError(refused)
    clean = {column.name: column for column in cleaned}

    def read(name: str) -> Any:
        column = clean[name].expression(dialect) if name in clean else exp.column(name, quoted=True)
        if name in formats:
            return written_date(column, formats[name])
        return _number(column, replaced[name], dialect) if name in replaced else column

    name = relation_name(relation) if views else relation
    made = query(program, name, booleans, row, read=read, dialect=dialect, kinds=kinds)
    if views:
        made = before(made, name, relation, views, file)
    elif file is not None:
        for table in [table for table in made.find_all(exp.Table) if table.name == relation]:
            table.replace(exp.Table(this=file.read(relation)))
    return made.sql(dialect=dialect, pretty=True, copy=False)


def _number(column: Any, replaced: Replaced, dialect: str) -> Any:
    """Return the number that a text writes, and NULL for other texts, which SQLite would take for 0."""
    plain: Any = column if replaced else exp.func("TRIM", column)  # a bare cast would be DuckDB's type of a CSV column
    for what, instead in replaced:
        plain = exp.func("REPLACE", plain, exp.Literal.string(what), exp.Literal.string(instead))
    number = exp.TryCast(this=plain, to=exp.DataType.build("DOUBLE"))
    if dialect != "sqlite":
        return number
    return exp.case().when(exp.Glob(this=column.copy(), expression=exp.Literal.string("*[0-9]*")), number)


def check_dialect(dialect: str) -> str:
    """Return the name of a dialect in small letters. Refuse one that sqlglot cannot write."""
    from sqlglot.dialects import DIALECTS

    known = sorted(name.lower() for name in DIALECTS if name != "Dialect")
    if dialect.lower() not in known:
        raise one_of("dialect of SQL", dialect, known)
    return dialect.lower()
