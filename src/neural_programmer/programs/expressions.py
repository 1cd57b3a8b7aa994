"""The program language: values, tests and relations, as a tree.

Each node says what kind of cells it has, and refuses nonsense when it is made. Missing cells follow SQL: no comparison
holds for them, no aggregate counts them. `Not` holds wherever its test does not. What nodes mean is defined twice, so
that each definition checks the other: by the interpreter (interpreter.py), and in SQL (engines/sql.py).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal, TypeAlias, Union, get_args

import numpy as np

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.aggregates import AGGREGATES
from neural_programmer.tables.table import CellKind

Comparison = Literal["=", "<>", "<", "<=", ">", ">="]
Operator = Literal["+", "-", "*", "/"]
Unit = Literal[
    "decade", "year", "quarter", "month", "week", "day", "quarter of the year", "month of the year", "weekday", "hour"
]  # fmt: skip
"""A part of a time. A decade is its first year. A quarter, month, week or day is that of one year, as the day that it
begins on; a quarter and a month of the year, a weekday (Monday is 1) and an hour come again, as numbers."""
Place = Literal["contains", "has the word", "begins with", "ends with"]
Running = Literal["sum", "average", "rank", "previous"]
ORDERED = ("number", "date")
NUMBERED = ("decade", "year", "quarter of the year", "month of the year", "weekday", "hour")  # parts that are numbers


class Nonsense(NeuralProgrammerError):
    """The error for an expression that means nothing."""


@dataclass(frozen=True)
class Column:
    """The cell of each row in a column of the table."""

    name: str
    kind: CellKind

    def __post_init__(self) -> None:
        if self.kind not in CELL_KINDS:
            raise nonsense(f"no column holds {self.kind!r}")


@dataclass(frozen=True)
class RowNumber:
    """The place of each row in its table, from 0."""

    kind: CellKind = "number"


@dataclass(frozen=True)
class Constant:
    """A number, a moment or a text."""

    value: Any

    def __post_init__(self) -> None:
        fits = isinstance(self.value, int | float | str | np.datetime64 | np.number)
        if not fits:
            raise nonsense(f"{type(self.value).__name__} is no number, moment or text")

    @property
    def kind(self) -> CellKind:
        """Return the kind of the constant."""
        if isinstance(self.value, str):
            return "text"
        return "date" if isinstance(self.value, np.datetime64) else "number"


@dataclass(frozen=True)
class Measured:
    """A measure of a group, by its place from 0."""

    place: int
    kind: CellKind = "number"


@dataclass(frozen=True)
class Cell:
    """The only cell of a relation with one row and one column, such as an aggregate of some rows."""

    relation: "Relation"

    def __post_init__(self) -> None:
        if len(outputs(self.relation)) != 1:
            raise nonsense("only a relation with one column has one cell")

    @property
    def kind(self) -> CellKind:
        """Return the kind of the cell."""
        return outputs(self.relation)[0].kind


@dataclass(frozen=True)
class Part:
    """A part of a time."""

    value: "Value"
    unit: Unit

    def __post_init__(self) -> None:
        _check_value(self.value)
        if self.unit not in UNITS:
            raise nonsense(f"no time has a {self.unit!r}")
        if self.value.kind != "date":
            raise nonsense(f"{self.value.kind} has no {self.unit}")

    @property
    def kind(self) -> CellKind:
        """Return the kind of the part: a number, or the day that it begins on."""
        return "number" if self.unit in NUMBERED else "date"


@dataclass(frozen=True)
class Band:
    """Where the band of a number begins: bands of some width lie side by side from 0."""

    value: "Value"
    width: float
    kind: CellKind = "number"

    def __post_init__(self) -> None:
        _check_value(self.value)
        if self.value.kind != "number":
            raise nonsense(f"{self.value.kind} has no bands")
        if not 0 < self.width < float("inf"):
            raise nonsense(f"no band is {self.width:g} wide")


@dataclass(frozen=True)
class Holds:
    """1 where a test holds, else 0. Its average is a share."""

    test: "Test"
    kind: CellKind = "number"

    def __post_init__(self) -> None:
        _check_test(self.test)


@dataclass(frozen=True)
class Window:
    """A function of a value over all rows of a relation with the same `within`, or over those up to each row.

    Without an order it is the sum or average of all these rows. With an order it is that of the rows up to each, or of
    the last `rows` of them. `rank` is the place of each row; rows that tie share the first of their places. `previous`
    is the value one step of the order before, a step being 1 or a unit of time; it is missing where there is no such
    row.
    """

    function: Running
    value: "Value"
    order: "Value | None" = None
    descending: bool = False
    within: "tuple[Value, ...]" = ()
    rows: int | None = None
    kind: CellKind = "number"

    def __post_init__(self) -> None:
        _check_value(self.value, *self.within)
        if self.function not in RUNNING:
            raise nonsense(f"nothing is made of rows by {self.function!r}")
        if self.order is None and (self.function in ("rank", "previous") or self.rows is not None):
            raise nonsense(f"{self.function} needs an order")
        if self.order is not None:
            _check_value(self.order)
            if self.order.kind not in ORDERED:
                raise nonsense("texts have no order to be first in")
        if self.value.kind != "number" and self.function != "rank":
            raise nonsense(f"{self.value.kind} has no {self.function}")
        if self.rows is not None and self.rows < 1:
            raise nonsense(f"there are no last {self.rows} rows")


@dataclass(frozen=True)
class Arithmetic:
    """Two numbers added, subtracted, multiplied or divided. A division by 0 gives no number."""

    operator: Operator
    left: "Value"
    right: "Value"
    kind: CellKind = "number"

    def __post_init__(self) -> None:
        if self.operator not in OPERATORS:
            raise nonsense(f"there is no arithmetic {self.operator!r}")
        for side in (self.left, self.right):
            _check_value(side)
            if side.kind != "number":
                raise nonsense(f"{side.kind} has no {self.operator}: it takes numbers")


@dataclass(frozen=True)
class Compare:
    """Whether one value of a row compares so with another."""

    operator: Comparison
    left: "Value"
    right: "Value"

    def __post_init__(self) -> None:
        if self.operator not in COMPARED_BY:
            raise nonsense(f"there is no comparison {self.operator!r}")
        _check_value(self.left, self.right)
        if self.left.kind != self.right.kind:
            raise nonsense(f"{self.left.kind} is not comparable with {self.right.kind}")
        if self.operator not in ("=", "<>") and self.left.kind not in ORDERED:
            raise nonsense(f"texts have no {self.operator}")


@dataclass(frozen=True)
class Within:
    """Whether a value lies from `low` to `high`, both included; if `outside`, whether it does not."""

    value: "Value"
    low: "Value"
    high: "Value"
    outside: bool = False

    def __post_init__(self) -> None:
        _check_value(self.value, self.low, self.high)
        for side in (self.low, self.high):
            if not (self.value.kind == side.kind in ORDERED):
                raise nonsense(f"{self.value.kind} does not lie within {side.kind}")


@dataclass(frozen=True)
class In:
    """Whether a value is one of some texts, or one of the cells of a relation with one column.

    If `other`, whether it is not missing and none of the texts.
    """

    value: "Value"
    among: "tuple[Constant, ...] | Relation"
    other: bool = False

    def __post_init__(self) -> None:
        _check_value(self.value)
        cells = self.among if isinstance(self.among, tuple) else outputs(self.among)
        if not isinstance(self.among, tuple):
            if len(cells) != 1:
                raise nonsense("a cell is among those of one column")
            if self.other:
                raise nonsense("what is none of a relation's cells is said by Not")
        kinds = {one.kind for one in cells}
        if not (kinds <= {self.value.kind}):
            raise nonsense(f"{self.value.kind} is not among {', '.join(sorted(kinds))}")


@dataclass(frozen=True)
class Like:
    """Whether a text contains another, has it as a word, begins or ends with it; capitals do not matter."""

    value: "Value"
    place: Place
    text: str

    def __post_init__(self) -> None:
        _check_value(self.value)
        if self.place not in PLACES:
            raise nonsense(f"no text {self.place!r} another")
        if self.value.kind != "text":
            raise nonsense(f"{self.value.kind} has no letters")
        if not self.text:
            raise nonsense("every text contains the empty one")


@dataclass(frozen=True)
class Missing:
    """Whether a value is missing."""

    value: "Value"

    def __post_init__(self) -> None:
        _check_value(self.value)


@dataclass(frozen=True)
class Everything:
    """The test that holds for every row."""


@dataclass(frozen=True)
class And:
    """Whether both of two tests hold."""

    left: "Test"
    right: "Test"

    def __post_init__(self) -> None:
        _check_test(self.left, self.right)


@dataclass(frozen=True)
class Or:
    """Whether at least one of two tests holds."""

    left: "Test"
    right: "Test"

    def __post_init__(self) -> None:
        _check_test(self.left, self.right)


@dataclass(frozen=True)
class Not:
    """Whether a test does not hold."""

    test: "Test"

    def __post_init__(self) -> None:
        _check_test(self.test)


@dataclass(frozen=True)
class Exists:
    """Whether a relation has any row."""

    relation: "Relation"

    def __post_init__(self) -> None:
        _check_relation(self.relation)


@dataclass(frozen=True)
class Given:
    """Whether a row is in the set of rows, or the sets, given to the interpreter."""


@dataclass(frozen=True, eq=False)
class Applied:
    """The result of an operation of one's own: a number for some rows, or a truth for each row."""

    operation: Any
    column: Column
    rows: "Test"
    argument: Any = None
    kind: CellKind = "number"


@dataclass(frozen=True)
class Scan:
    """All rows of the table."""


@dataclass(frozen=True)
class Filter:
    """The rows of a relation for which a test holds."""

    relation: "Relation"
    test: "Test"

    def __post_init__(self) -> None:
        _check_relation(self.relation)
        _check_test(self.test)
        if not isinstance(self.relation, Scan):
            _check_readable(self.relation, self.test)


@dataclass(frozen=True)
class Measure:
    """An aggregate of the cells of a group.

    If `where` is there, only of the rows for which it holds. `count` needs no value; `correlation` takes two.
    """

    aggregate: str
    value: "Value | None" = None
    where: "Test | None" = None
    other: "Value | None" = None

    def __post_init__(self) -> None:
        if self.aggregate not in AGGREGATES:
            raise nonsense(f"there is no aggregate {self.aggregate!r}")
        of, kind = AGGREGATES[self.aggregate].of, None if self.value is None else self.value.kind
        fits = kind in {"none": (None,), "number": ("number",), "ordered": ORDERED}.get(of, (*ORDERED, "text"))
        if not fits:
            raise nonsense(f"{kind or 'nothing'} has no {self.aggregate}")
        if self.where is not None:
            _check_test(self.where)
        if (self.other is not None) != AGGREGATES[self.aggregate].of_two:
            raise nonsense(f"{self.aggregate} is not made of {'one value' if self.other is None else 'two values'}")
        if self.other is not None and self.other.kind != "number":
            raise nonsense(f"{self.other.kind} has no {self.aggregate}")

    @property
    def kind(self) -> CellKind:
        """Return the kind of the measure: that of its value for a maximum or minimum, else a number."""
        return self.value.kind if self.value is not None and self.aggregate in ("maximum", "minimum") else "number"


@dataclass(frozen=True)
class Group:
    """One row for all rows of a relation with the same keys, with the keys and its measures. Without keys there is one
    row."""

    relation: "Relation"
    keys: "tuple[Value, ...]"
    measures: tuple[Measure, ...]

    def __post_init__(self) -> None:
        _check_relation(self.relation)
        _check_value(*self.keys)
        if len(set(self.keys)) < len(self.keys):
            raise nonsense("rows are grouped twice by the same")
        for one in self.measures:
            _check_readable(self.relation, *(value for value in (one.value, one.other) if value is not None))
        _check_readable(self.relation, *self.keys)


@dataclass(frozen=True)
class Derive:
    """Groups with one more measure, computed from those that they have."""

    relation: "Relation"
    value: "Value"
    name: str

    def __post_init__(self) -> None:
        _check_relation(self.relation)
        if not is_grouped(self.relation):
            raise nonsense("only groups have measures to compute with")
        _check_value(self.value)
        _check_readable(self.relation, self.value)

    @property
    def kind(self) -> CellKind:
        """Return the kind of the new measure."""
        return self.value.kind


@dataclass(frozen=True)
class Sort:
    """A relation in the order of a value. Missing values come last. Rows that tie keep the order that they had."""

    relation: "Relation"
    by: "Value"
    descending: bool = False

    def __post_init__(self) -> None:
        _check_relation(self.relation)
        _check_value(self.by)
        _check_readable(self.relation, self.by)


@dataclass(frozen=True)
class Limit:
    """The first `count` rows of a sorted relation, and those that tie with the last of them.

    With `within`, the first of all rows that have the same `within`.
    """

    relation: Sort
    count: int
    within: "tuple[Value, ...]" = ()

    def __post_init__(self) -> None:
        if not isinstance(self.relation, Sort):
            raise nonsense("what is first is said by an order")
        if self.count < 1:
            raise nonsense(f"there are no first {self.count}")
        _check_value(*self.within)
        _check_readable(self.relation, *self.within)


@dataclass(frozen=True)
class Select:
    """Some columns of a relation. If `distinct`, each row of them once."""

    relation: "Relation"
    values: "tuple[Value, ...]"
    distinct: bool = False

    def __post_init__(self) -> None:
        _check_relation(self.relation)
        if not self.values:
            raise nonsense("no column is selected")
        _check_value(*self.values)
        _check_readable(self.relation, *self.values)


Value: TypeAlias = Union[  # noqa: UP007
    Column, RowNumber, Constant, Measured, Cell, Part, Band, Holds, Window, Arithmetic, Applied
]
Test: TypeAlias = Union[  # noqa: UP007
    Compare, Within, In, Like, Missing, Everything, And, Or, Not, Exists, Given, Applied
]
Relation: TypeAlias = Union[Scan, Filter, Group, Derive, Sort, Limit, Select]  # noqa: UP007
Node: TypeAlias = Union[Value, Test, Relation]  # noqa: UP007
VALUE_NODES, TEST_NODES, RELATION_NODES = get_args(Value), get_args(Test), get_args(Relation)
CELL_KINDS, COMPARED_BY, OPERATORS = get_args(CellKind), get_args(Comparison), get_args(Operator)
UNITS, PLACES, RUNNING = get_args(Unit), get_args(Place), get_args(Running)


def outputs(relation: Relation) -> Sequence[Any]:
    """Return the columns that a relation puts out: those selected, or the keys and measures of groups. Those of the
    table are not listed."""
    if isinstance(relation, Select):
        return relation.values
    if isinstance(relation, Group):
        return (*relation.keys, *relation.measures)
    if isinstance(relation, Derive):
        return (*outputs(relation.relation), relation)
    return () if isinstance(relation, Scan) else outputs(relation.relation)


def is_grouped(relation: Relation) -> bool:
    """Return whether the rows of a relation are groups, rather than rows of the table."""
    while not isinstance(relation, Group | Scan):
        relation = relation.relation
    return isinstance(relation, Group)


def group_of(relation: Relation) -> Group:
    """Return the outermost Group that the rows of a relation come from."""
    while not isinstance(relation, Group):
        relation = relation.relation  # type: ignore[union-attr]
    return relation


def measures_of(relation: Relation) -> list[Any]:
    """Return the measures of groups, then those computed from them."""
    if isinstance(relation, Group):
        return [*relation.measures]
    return [*measures_of(relation.relation), *([relation] if isinstance(relation, Derive) else [])]  # type: ignore[union-attr]


def nodes(node: Any) -> Iterator[Any]:
    """Yield a node and all nodes below it, each once. A tree that several nodes share is visited once."""
    waiting, seen = [node], set()
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            waiting += _parts(one)
            if _is_node(one):
                yield one


def size(node: Any) -> int:
    """Return how many nodes a tree has when shared parts are counted each time, as a query writes them."""
    sizes: dict[int, int] = {}
    waiting = [(node, False)]
    while waiting:
        one, ready = waiting.pop()
        if ready:
            sizes[id(one)] = 1 + sum(sizes[id(part)] for part in _parts(one))
        elif id(one) not in sizes:
            waiting += [(one, True), *((part, False) for part in _parts(one))]
    return sizes[id(node)]


def _parts(one: Any) -> Sequence[Any]:
    """Return the parts of a node, or of a tuple of nodes."""
    if isinstance(one, tuple):
        return one
    return [getattr(one, each.name) for each in fields(one)] if _is_node(one) else ()


def _is_node(one: Any) -> bool:
    return is_dataclass(one) and type(one).__module__ == __name__


def is_value(node: Node) -> bool:
    """Return whether a node is a value, rather than a test or a relation."""
    if isinstance(node, Applied):
        return node.operation.updates == "scalar"
    return isinstance(node, VALUE_NODES)


def step_of(order: Value) -> float:
    """Return the distance from one group's value to the next: the width of bands, 10 for decades, else 1."""
    if isinstance(order, Band):
        return order.width
    return 10.0 if isinstance(order, Part) and order.unit == "decade" else 1.0


def aggregate(name: str, value: Value | None, rows: Test) -> Cell:
    """Return the expression of an aggregate over the rows of the table that a test selects."""
    return Cell(Group(Filter(Scan(), rows), (), (Measure(name, value),)))


def _check_value(*nodes: Any) -> None:
    for node in nodes:
        if not isinstance(node, VALUE_NODES):
            raise nonsense(f"{type(node).__name__} is no value")


def _check_readable(relation: Any, *values: Any) -> None:
    """Refuse values that a relation does not have. Groups have keys and measures only; rows have no measures."""
    if not is_grouped(relation):
        if any(isinstance(value, Measured) for value in values):
            raise nonsense("only groups have measures")
        return
    keys, measures = group_of(relation).keys, measures_of(relation)
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if value in keys:
            continue
        if isinstance(value, Measured):
            if not (0 <= value.place < len(measures) and measures[value.place].kind == value.kind):
                raise nonsense(f"groups have no measure {value.place + 1} of this kind")
        elif isinstance(value, Column | RowNumber):
            raise nonsense("a group has the cells of its keys alone")
        elif not isinstance(value, (Cell, *RELATION_NODES)):  # which have rows of their own
            waiting += [part for part in _parts(value) if _is_node(part) or isinstance(part, tuple)]


def _check_test(*nodes: Any) -> None:
    for node in nodes:
        if not isinstance(node, TEST_NODES):
            raise nonsense(f"{type(node).__name__} is no test")


def _check_relation(node: Any) -> None:
    if not isinstance(node, RELATION_NODES):
        raise nonsense(f"{type(node).__name__} is no relation")


def nonsense(wrong: str) -> Nonsense:
    """Return the error that refuses an expression."""
    return Nonsense(f"a program that makes no sense: {wrong}")
