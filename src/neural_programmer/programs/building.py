"""Parts of expressions that several operations build, about rows or about groups."""

from dataclasses import replace
from typing import Any

from neural_programmer.programs.expressions import (
    And,
    Band,
    Cell,
    Everything,
    Filter,
    Group,
    Limit,
    Measure,
    Measured,
    Missing,
    Not,
    Part,
    Relation,
    Scan,
    Sort,
    Test,
    Value,
    aggregate,
    group_of,
    is_grouped,
    measures_of,
    nonsense,
)
from neural_programmer.programs.operation import Below

FIRST_OF_EACH = Not(Not(Everything()))  # stands for rows that no test says: a step that reads it makes no sense
OPEN = "a measure comes before what is computed, filtered or ordered by measures"


def measured(below: Below, name: str) -> Any:
    """Return the groups with one more measure, or a number made of the groups.

    It is a number where the value is a measure of the groups, or where filtered or ordered groups are counted. Groups
    of groups that have no measure yet read the measures of the groups that they are made of.
    """
    table, value = below.table, below.column
    assert table is not None, "there are groups, or rows in an order"
    if not is_grouped(table):
        rows = rows_of_each(table)
        return aggregate(name, value, below.rows) if rows is None else Cell(Group(rows, (), (Measure(name, value),)))
    fresh = isinstance(table, Group) and not table.measures and is_grouped(table.relation)
    if isinstance(value, Measured) and not fresh:
        return Cell(Group(table, (), (Measure(name, value),)))
    if value is None and not isinstance(table, Group):
        return Cell(Group(table, (), (Measure(name),)))
    return with_measure(table, Measure(name, value, below.where))


def rows_of_each(table: Relation | None) -> Relation | None:
    """Return a table that has the first rows of each group, or None. No test of rows can say which these are."""
    if table is None or is_grouped(table):
        return None
    some: Any = table
    while not isinstance(some, Scan):
        if isinstance(some, Limit) and some.within:
            return table
        some = some.relation
    return None


def selected_rows(below: Below) -> Relation:
    """Return the selected rows as a relation: the first of each group, if these were taken."""
    return rows_of_each(below.table) or Filter(Scan(), below.rows)


def with_measure(table: Relation, measure: Measure) -> Relation:
    """Return groups with one more measure."""
    if not isinstance(table, Group):
        raise nonsense(OPEN)
    return replace(table, measures=(*table.measures, measure))


def last_measure(table: Relation | None) -> Measured:
    """Return the measure that groups got last."""
    measures = measures_of(table) if table is not None and is_grouped(table) else []
    if not measures:
        raise nonsense("there is no measure to compute with")
    return Measured(len(measures) - 1, measures[-1].kind)


def both(one: Test, other: Test) -> Test:
    """Return the test that holds where both tests hold."""
    if isinstance(one, Everything):
        return other
    return one if isinstance(other, Everything) else And(one, other)


def first_of(relation: Relation, by: Value, descending: bool, count: int, within: tuple[Value, ...] = ()) -> Limit:
    """Return the first `count` rows or groups by a value, without those that lack it. With `within`, the first of each
    group."""
    there = relation if always_there(relation, by) else Filter(relation, Not(Missing(by)))
    return Limit(Sort(there, by, descending), count, within)


def always_there(relation: Relation, value: Value) -> bool:
    """Return whether a value is a measure that every group has."""
    if not isinstance(value, Measured):
        return False
    measure = measures_of(relation)[value.place]
    return isinstance(measure, Measure) and measure.aggregate in ("count", "sum", "distinct")


def there(value: Value) -> Test:
    """Return the test that a row has a value: a part of a time is there where the time is."""
    while isinstance(value, Part | Band):
        value = value.value
    return Not(Missing(value))


def of_groups(below: Below) -> bool:
    """Return whether a step acts on a key or a measure of groups."""
    table, column = below.table, below.column
    if table is None or column is None or not is_grouped(table):
        return False
    return isinstance(column, Measured) or column in group_of(table).keys
