"""The output of a relation: the names of its columns, how their cells are written, and the result that they make."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from neural_programmer.programs.expressions import (
    And,
    Applied,
    Arithmetic,
    Band,
    Cell,
    Column,
    Compare,
    Constant,
    Derive,
    Group,
    Holds,
    In,
    Like,
    Limit,
    Measure,
    Measured,
    Missing,
    Not,
    Or,
    Part,
    Relation,
    RowNumber,
    Scan,
    Select,
    Test,
    Value,
    Window,
    Within,
    group_of,
    is_grouped,
    measures_of,
    size,
)
from neural_programmer.programs.parts import label
from neural_programmer.programs.result import Result
from neural_programmer.programs.values import for_people, is_missing, plain

CALLED = {"count": "count", "distinct": "number of different", "deviation": "standard deviation of"}
MULTIPLIED = {"+": "+", "-": "-", "*": "*", "/": "/"}
COMPARED = {
    "=": "is",
    "<>": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
}
LONGEST_NAME = 60
MOST_PARTS = 100  # of an expression that is said in words, what is shared counted again
KEEP_UNIT = ("sum", "average", "median", "minimum", "maximum", "deviation")
UNSAID = "a condition holds"  # instead of a condition that takes more than a few words
SCAN = Scan()


def put_out(relation: Relation, columns: Sequence[Sequence[Any]]) -> Result:
    """Return the cells of the columns of a relation as a result. One column gives a look-up."""
    parts = [value.unit if isinstance(value, Part) else None for value in origins(relation)]
    names = names_of(relation)
    written = [
        tuple(None if is_missing(cell) else plain(cell) if unit is None else label(cell, unit) for cell in cells)
        for unit, cells in zip(parts, columns, strict=True)
    ]
    if len(written) == 1:
        return Result.cells(written[0], names[0])
    return Result("table", names, tuple(written))


def values_of(relation: Relation) -> list[Value]:
    """Return the values that a relation puts out: those that are selected, or the keys and measures of groups."""
    if isinstance(relation, Select):
        return [*relation.values]
    measures = (Measured(place, one.kind) for place, one in enumerate(measures_of(relation)))
    return [*group_of(relation).keys, *measures]


def units_of(relation: Relation, unit_of: Callable[[str], str]) -> tuple[str, ...]:
    """Return the unit of each column that a relation puts out. `unit_of` gives the unit of a column of the table."""
    return tuple(_unit(relation, value, unit_of) for value in values_of(relation))


def _unit(relation: Relation, value: Any, unit_of: Callable[[str], str]) -> str:
    if isinstance(value, Column):
        return unit_of(value.name)
    if isinstance(value, Band):
        return _unit(relation, value.value, unit_of)
    if not isinstance(value, Measured) or not is_grouped(relation):
        return ""
    measure, inner = measures_of(relation)[value.place], group_of(relation).relation
    if is_share(measure) or (isinstance(measure, Derive) and measure.name.startswith("percent")):
        return "%"
    if isinstance(measure, Measure) and measure.aggregate in KEEP_UNIT and measure.value is not None:
        return _unit(inner, measure.value, unit_of)
    if isinstance(measure, Derive) and measure.name in ("change", "running total", "moving average"):
        return _unit(relation.relation if isinstance(relation, Derive) else relation, _measured(measure.value), unit_of)
    return ""


def _measured(value: Any) -> Any:
    """Return the measure that a window function or arithmetic is computed from."""
    while isinstance(value, Window | Arithmetic):
        value = value.value if isinstance(value, Window) else value.left
    return value


def origins(relation: Relation) -> list[Any]:
    """Return for each column that is put out its value, or the measure or cell that the value is made of."""
    return [_origin(relation, value) for value in values_of(relation)]


def _origin(relation: Relation, value: Value) -> Any:
    """Return what a value is made of. A key of groups of groups is one of these groups; a greatest time is one of the
    times."""
    if isinstance(value, Measured) and is_grouped(relation):
        measure = measures_of(relation)[value.place]
        if isinstance(measure, Measure) and measure.aggregate in ("maximum", "minimum") and measure.value is not None:
            inner = group_of(relation).relation
            return _origin(inner, measure.value) if is_grouped(inner) else measure.value
        return measure
    return value


def names_of(relation: Relation) -> tuple[str, ...]:
    """Return the names of the columns that a relation puts out, each once.

    >>> from neural_programmer.programs.expressions import Group, Scan
    >>> rent = Column("rent", "number")
    >>> names_of(Group(Scan(), (Column("city", "text"),), (Measure("average", rent), Measure("count"))))
    ('city', 'average of rent', 'count')
    """
    names: list[str] = []
    for value in values_of(relation):
        name = called(relation, value)[:LONGEST_NAME].strip()
        same = sum(each == name or each.startswith(f"{name} (") for each in names)
        names.append(f"{name} ({same + 1})" if name in names else name)
    return tuple(names)


def called(relation: Relation, value: Value) -> str:
    """Return the name of a value of a relation. One of very many parts has none."""
    if isinstance(value, Arithmetic | Window | Cell) and size(value) > MOST_PARTS:
        return "a number"
    if isinstance(value, Measured):
        return _measure(relation, measures_of(relation)[value.place])
    if isinstance(value, Column):
        return value.name
    if isinstance(value, Part):
        return f"{value.unit} of {called(relation, value.value)}"
    if isinstance(value, Band):
        return f"{called(relation, value.value)} in bands of {value.width:g}"
    if isinstance(value, Arithmetic):
        left, right = (_closed(relation, side, value.operator) for side in (value.left, value.right))
        return f"{left} {MULTIPLIED[value.operator]} {right}"
    if isinstance(value, Constant):
        if value.kind == "date":
            return day_or_moment(value.value)
        return for_people(float(value.value), "") if value.kind == "number" else value.value
    if isinstance(value, Window):
        return f"{value.function} of {called(relation, value.value)}"
    if isinstance(value, Cell) and isinstance(value.relation, Group) and not value.relation.keys:
        return f"the {names_of(value.relation)[0]}"
    if isinstance(value, RowNumber):
        return UNSAID
    return "percent" if isinstance(value, Holds) else "number"


def day_or_moment(moment: np.datetime64) -> str:
    """Return a time as text: only its day, where it is the first or the last moment of the day.

    >>> day_or_moment(np.datetime64("2023-12-31T23:59:59.999999")), day_or_moment(np.datetime64("2023-12-31T10:30"))
    ('2023-12-31', '2023-12-31 10:30:00')
    """
    day, exact = moment.astype("M8[D]"), moment.astype("M8[us]")
    if exact in (day, day + np.timedelta64(1, "D") - np.timedelta64(1, "us")):
        return str(day)
    return exact.item().isoformat(" ")


def _closed(relation: Relation, side: Value, operator: str) -> str:
    """Return the name of a side of arithmetic, in parentheses if it is a sum within a product."""
    name = called(relation, side)
    within = isinstance(side, Arithmetic) and side.operator in "+-" and operator in "*/"
    return f"({name})" if within else name


def _measure(relation: Relation, measure: Any) -> str:
    """Return the name of a measure of groups."""
    if isinstance(measure, Derive):
        return measure.name
    inner = group_of(relation).relation
    value, where = measure.value, measure.where
    if is_share(measure):
        return f"percent where {condition(value.right.test)}"
    name = CALLED.get(measure.aggregate, f"{measure.aggregate} of")
    name = name if value is None else f"{name} {called(inner, value)}"
    if measure.other is not None:
        name = f"{name} and {called(inner, measure.other)}"
    return name if where is None else f"{name} where {condition(where)}"


def is_share(measure: Any) -> bool:
    """Return whether a measure is the percentage of rows for which a test holds."""
    value = measure.value if isinstance(measure, Measure) and measure.aggregate == "average" else None
    return isinstance(value, Arithmetic) and isinstance(value.right, Holds)


def condition(test: Test, relation: Relation = SCAN) -> str:
    """Return a condition on the rows of a relation in a few words. That a cell is not missing is left out."""
    if isinstance(test, And | Or | Not | Compare | Within) and size(test) > MOST_PARTS:
        return UNSAID
    if isinstance(test, And | Or):
        parts = [part for part in (condition(test.left, relation), condition(test.right, relation)) if part]
        return f" {'and' if isinstance(test, And) else 'or'} ".join(parts)
    if (isinstance(test, Not) and isinstance(test.test, Missing)) or isinstance(getattr(test, "left", None), Cell):
        return ""
    if isinstance(test, Not):
        return f"not ({condition(test.test, relation)})"
    value = getattr(test, "value", getattr(test, "left", None))
    if value is None or isinstance(test, Applied):
        return UNSAID
    name = called(relation, value)
    if isinstance(test, Compare):
        return _place(name, test) or f"{name} {COMPARED[test.operator]} {called(relation, test.right)}"
    if isinstance(test, Within):
        low, high = called(relation, test.low), called(relation, test.high)
        is_ = "is not" if test.outside else "is"
        return f"{name} {is_} {low}" if low == high else f"{name} {is_} from {low} to {high}"
    if isinstance(test, In) and isinstance(test.among, tuple):
        return f"{name} is {'not ' if test.other else ''}{' or '.join(str(text.value) for text in test.among)}"
    if isinstance(test, Like):
        return f'{name} {test.place} "{test.text}"'
    return f"{name} is missing" if isinstance(test, Missing) else UNSAID


def _place(name: str, test: Compare) -> str:
    """Return in words that a cell is among the first, or at a place among them, if a test compares it so."""
    group = getattr(test.right, "relation", None)
    limit = getattr(group, "relation", None)
    if not isinstance(limit, Limit):
        return ""
    least = "highest" if limit.relation.descending else "lowest"
    if test.operator == "=":
        return f"{name} is number {limit.count:,} from the {least}"
    return f"{name} is among the {limit.count:,} {least}" if limit.count > 1 else f"{name} is the {least}"
