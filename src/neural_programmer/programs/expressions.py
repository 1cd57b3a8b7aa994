"""The program language: values, tests and relations, as a tree.

Each node says what kind of cells it has, and refuses nonsense when it is made. Missing cells follow SQL: no comparison
holds for them, no aggregate counts them; `Not` is the contrary of what holds. What nodes mean is defined twice, so that
each definition judges the other: by the interpreter (interpreter.py), and in SQL (engines/sql.py).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal, TypeAlias, Union, get_args

import numpy as np

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.aggregates import AGGREGATES
from neural_programmer.tables.table import CellKind

Comparison = Literal["=", "<>", "<", "<=", ">", ">="]
ORDERED = ("number", "date")


@dataclass(frozen=True)
class Column:
    """A cell of each row."""

    name: str
    kind: CellKind

    def __post_init__(self) -> None:
        if self.kind not in CELL_KINDS:
            raise _nonsense(f"no column holds {self.kind!r}")


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
            raise _nonsense(f"{type(self.value).__name__} is no number, moment or text")

    @property
    def kind(self) -> CellKind:
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
    """The one cell of a relation with one row and one column: an aggregate of all of some rows."""

    relation: "Relation"

    def __post_init__(self) -> None:
        if len(outputs(self.relation)) != 1:
            raise NeuralProgrammerError("only a relation with one column has one cell")

    @property
    def kind(self) -> CellKind:
        return outputs(self.relation)[0].kind


@dataclass(frozen=True)
class Arithmetic:
    """Two numbers added or subtracted."""

    operator: Literal["+", "-"]
    left: "Value"
    right: "Value"
    kind: CellKind = "number"

    def __post_init__(self) -> None:
        if self.operator not in ("+", "-"):
            raise _nonsense(f"there is no arithmetic {self.operator!r}")
        for side in (self.left, self.right):
            _check_value(side)
            if side.kind != "number":
                raise _nonsense(f"{side.kind} has no {self.operator}: it takes numbers")


@dataclass(frozen=True)
class Compare:
    """Whether two cells of a row compare so."""

    operator: Comparison
    left: "Value"
    right: "Value"

    def __post_init__(self) -> None:
        if self.operator not in COMPARED_BY:
            raise _nonsense(f"there is no comparison {self.operator!r}")
        _check_value(self.left, self.right)
        if self.left.kind != self.right.kind:
            raise _nonsense(f"{self.left.kind} is not comparable with {self.right.kind}")
        if self.operator not in ("=", "<>") and self.left.kind not in ORDERED:
            raise _nonsense(f"texts have no {self.operator}")


@dataclass(frozen=True)
class Within:
    """Whether a cell lies between two others, or is them; `outside`, whether it lies before or after."""

    value: "Value"
    low: "Value"
    high: "Value"
    outside: bool = False

    def __post_init__(self) -> None:
        _check_value(self.value, self.low, self.high)
        for side in (self.low, self.high):
            if not (self.value.kind == side.kind in ORDERED):
                raise _nonsense(f"{self.value.kind} does not lie within {side.kind}")


@dataclass(frozen=True)
class In:
    """Whether a cell is one of some texts, or of the cells of a relation with one column; `other`, whether it is there
    and none of them."""

    value: "Value"
    among: "tuple[Constant, ...] | Relation"
    other: bool = False

    def __post_init__(self) -> None:
        _check_value(self.value)
        cells = self.among if isinstance(self.among, tuple) else outputs(self.among)
        if not isinstance(self.among, tuple):
            if len(cells) != 1:
                raise _nonsense("a cell is among those of one column")
            if self.other:
                raise _nonsense("what is none of a relation's cells is said by Not")
        kinds = {one.kind for one in cells}
        if not (kinds <= {self.value.kind}):
            raise _nonsense(f"{self.value.kind} is not among {', '.join(sorted(kinds))}")


@dataclass(frozen=True)
class Missing:
    """Whether there is no cell."""

    value: "Value"

    def __post_init__(self) -> None:
        _check_value(self.value)


@dataclass(frozen=True)
class Everything:
    """What holds for every row."""


@dataclass(frozen=True)
class And:
    left: "Test"
    right: "Test"

    def __post_init__(self) -> None:
        _check_test(self.left, self.right)


@dataclass(frozen=True)
class Or:
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
    """Whether a row is in the set, or sets, that the interpreter is given."""


@dataclass(frozen=True, eq=False)
class Applied:
    """What an operation of one's own gives: a number made of cells of some rows, or a truth for each row."""

    operation: Any
    column: Column
    rows: "Test"
    argument: Any = None
    kind: CellKind = "number"


@dataclass(frozen=True)
class Scan:
    """The table."""


@dataclass(frozen=True)
class Filter:
    relation: "Relation"
    test: "Test"

    def __post_init__(self) -> None:
        _check_relation(self.relation)
        _check_test(self.test)


@dataclass(frozen=True)
class Measure:
    """An aggregate of the cells of a group; `count` needs none."""

    aggregate: str
    value: "Value | None" = None

    def __post_init__(self) -> None:
        if self.aggregate not in AGGREGATES:
            raise _nonsense(f"there is no aggregate {self.aggregate!r}")
        of, kind = AGGREGATES[self.aggregate].of, None if self.value is None else self.value.kind
        fits = kind in {"none": (None,), "number": ("number",), "ordered": ORDERED}.get(of, (*ORDERED, "text"))
        if not fits:
            raise _nonsense(f"{kind or 'nothing'} has no {self.aggregate}")

    @property
    def kind(self) -> CellKind:
        return self.value.kind if self.value is not None and self.aggregate in ("maximum", "minimum") else "number"


@dataclass(frozen=True)
class Group:
    """The rows that are alike in their keys, as one row with these and its measures; without keys there is one row."""

    relation: "Relation"
    keys: "tuple[Value, ...]"
    measures: tuple[Measure, ...]


@dataclass(frozen=True)
class Sort:
    relation: "Relation"
    by: "Value"
    descending: bool = False

    def __post_init__(self) -> None:
        _check_relation(self.relation)
        _check_value(self.by)
        if self.by.kind not in ORDERED:
            raise _nonsense("texts have no order to be first in")


@dataclass(frozen=True)
class Limit:
    """The first of a sorted relation, with those that are as good as the last of these."""

    relation: Sort
    count: int

    def __post_init__(self) -> None:
        if not isinstance(self.relation, Sort):
            raise _nonsense("what is first is said by an order")
        if self.count < 1:
            raise _nonsense(f"there are no first {self.count}")


@dataclass(frozen=True)
class Select:
    """Some columns of a relation."""

    relation: "Relation"
    values: "tuple[Value, ...]"

    def __post_init__(self) -> None:
        _check_relation(self.relation)
        if not self.values:
            raise _nonsense("no column is selected")
        _check_value(*self.values)


Value: TypeAlias = Union[Column, RowNumber, Constant, Measured, Cell, Arithmetic, Applied]  # noqa: UP007
Test: TypeAlias = Union[Compare, Within, In, Missing, Everything, And, Or, Not, Exists, Given, Applied]  # noqa: UP007
Relation: TypeAlias = Union[Scan, Filter, Group, Sort, Limit, Select]  # noqa: UP007
Node: TypeAlias = Union[Value, Test, Relation]  # noqa: UP007
VALUE_NODES, TEST_NODES, RELATION_NODES = get_args(Value), get_args(Test), get_args(Relation)
CELL_KINDS, COMPARED_BY = get_args(CellKind), get_args(Comparison)


def outputs(relation: Relation) -> Sequence[Any]:
    """The columns of a relation: those that are selected, or a group's keys and measures; the table's own are not
    listed."""
    if isinstance(relation, Select):
        return relation.values
    if isinstance(relation, Group):
        return (*relation.keys, *relation.measures)
    return () if isinstance(relation, Scan) else outputs(relation.relation)


def nodes(node: Any) -> Iterator[Any]:
    """A node and all below it, each once: what several nodes read is the same tree."""
    waiting, seen = [node], set()
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            waiting += _parts(one)
            if _is_node(one):
                yield one


def size(node: Any) -> int:
    """How much a tree has in it where nothing is shared, as in a query."""
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
    """What a node, or a tuple of nodes, is made of."""
    if isinstance(one, tuple):
        return one
    return [getattr(one, each.name) for each in fields(one)] if _is_node(one) else ()


def _is_node(one: Any) -> bool:
    return is_dataclass(one) and type(one).__module__ == __name__


def is_value(node: Node) -> bool:
    """Whether a node is a value, rather than a test or a relation."""
    if isinstance(node, Applied):
        return node.operation.updates == "scalar"
    return isinstance(node, Column | RowNumber | Constant | Measured | Cell | Arithmetic)


def aggregate(name: str, value: Value | None, rows: Test) -> Cell:
    """An aggregate of some rows of the table."""
    return Cell(Group(Filter(Scan(), rows), (), (Measure(name, value),)))


def _check_value(*nodes: Any) -> None:
    for node in nodes:
        if not isinstance(node, VALUE_NODES):
            raise _nonsense(f"{type(node).__name__} is no value")


def _check_test(*nodes: Any) -> None:
    for node in nodes:
        if not isinstance(node, TEST_NODES):
            raise _nonsense(f"{type(node).__name__} is no test")


def _check_relation(node: Any) -> None:
    if not isinstance(node, RELATION_NODES):
        raise _nonsense(f"{type(node).__name__} is no relation")


def _nonsense(wrong: str) -> NeuralProgrammerError:
    return NeuralProgrammerError(f"a program that makes no sense: {wrong}")
