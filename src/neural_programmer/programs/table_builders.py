"""Functions that build the expressions of the operations in table_operations.py.

Each takes what the steps before left (operation.Below), and returns what its step adds.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from neural_programmer.programs.building import (
    both,
    first_of,
    last_measure,
    measured,
    of_groups,
    selected_rows,
    there,
    with_measure,
)
from neural_programmer.programs.expressions import (
    And,
    Arithmetic,
    Cell,
    Compare,
    Comparison,
    Constant,
    Derive,
    Filter,
    Group,
    Holds,
    In,
    Like,
    Measure,
    Measured,
    Missing,
    Not,
    Operator,
    Or,
    Part,
    Place,
    Relation,
    Running,
    Scan,
    Select,
    Sort,
    Test,
    Value,
    Window,
    aggregate,
    group_of,
    is_grouped,
    measures_of,
    nonsense,
)
from neural_programmer.programs.operation import Below, column_of
from neural_programmer.programs.row_operations import aggregated

HUNDRED = Constant(100.0)
ENDS = ("minimum", "maximum")


def for_each(b: Below) -> Relation:
    """Group the selected rows, or groups that have measures, by a column; rows without a cell of it are left out."""
    column, present = column_of(b), there(column_of(b))
    if b.table is None or not is_grouped(b.table):
        rows = selected_rows(b)
        some = Filter(Scan(), both(rows.test, present)) if isinstance(rows, Filter) else Filter(rows, present)
        return Group(some, (column,), ())
    if not isinstance(b.table, Group) or b.table.measures:
        return Group(b.table, (column,), ())
    inner = b.table.relation
    if isinstance(inner, Filter) and not is_grouped(inner):
        inner = Filter(inner.relation, both(inner.test, present))
    return Group(inner, (*b.table.keys, column), ())


def overall(b: Below) -> Relation:
    """Make one group of the selected rows, or of the groups."""
    return Group(b.table if b.table is not None and is_grouped(b.table) else selected_rows(b), (), ())


def sortable(b: Below) -> Relation:
    """Return the relation that is put in order: groups, rows in an order, or the selected rows."""
    return Filter(Scan(), b.rows) if b.table is None else b.table


def ordered(descending: bool) -> Callable[[Below], Relation]:
    """Put rows or groups in the order of a column."""
    return lambda b: Sort(sortable(b), column_of(b), descending)


def first(descending: bool) -> Callable[[Below], Relation]:
    """Select the first `argument` rows or groups by a column, in that order. Those without a cell are left out."""
    return lambda b: first_of(sortable(b), column_of(b), descending, whole(b))


def first_of_each(descending: bool) -> Callable[[Below], Relation]:
    """Select the first of each group by a column: rows, where the groups have no measure yet, else the groups of each
    first key."""

    def build(b: Below) -> Relation:
        if b.table is None or not is_grouped(b.table):
            raise nonsense("nothing is grouped of which to take the first of each")
        keys = group_of(b.table).keys
        if isinstance(b.table, Group) and not b.table.measures:
            return first_of(b.table.relation, column_of(b), descending, whole(b), keys)
        return first_of(b.table, column_of(b), descending, whole(b), keys[:1])

    return build


def at_place(descending: bool) -> Callable[[Below], Any]:
    """Select the rows, or groups, at a place in the order of a column."""

    def build(b: Below) -> Any:
        relation = sortable(b)
        least = "minimum" if descending else "maximum"
        limit = first_of(relation, column_of(b), descending, whole(b))
        there_are = Cell(Group(limit.relation.relation, (), (Measure("count"),)))
        at = And(
            Compare("=", column_of(b), Cell(Group(limit, (), (Measure(least, column_of(b)),)))),
            Compare(">=", there_are, Constant(float(limit.count))),
        )
        return Filter(relation, at) if is_grouped(relation) else both(b.rows, at)

    return build


def extremes(b: Below) -> Any:
    """Select, of the selected rows or of the groups, those with the least and those with the greatest cell."""
    column, groups = column_of(b), of_groups(b)
    some = b.table if groups and b.table is not None else Filter(Scan(), b.rows)
    least, greatest = (Compare("=", column, Cell(Group(some, (), (Measure(name, column),)))) for name in ENDS)
    return Filter(some, Or(least, greatest)) if groups else both(b.rows, Or(least, greatest))


def whole(b: Below) -> int:
    """Return the argument as a count of rows, and refuse one that is no whole number from 1."""
    number = float(b.low.value)
    if not (number >= 1 and number.is_integer()):
        raise nonsense(f"there are no first {number:g}, only whole numbers from 1")
    return int(min(number, 2**53))


def show(b: Below) -> Relation:
    """Put out a column beside those that are put out before it."""
    if isinstance(b.table, Select):
        return Select(b.table.relation, (*b.table.values, column_of(b)), b.table.distinct)
    return Select(sortable(b), (column_of(b),))


def once(b: Below) -> Relation:
    """Put out each row of what is put out once."""
    if not isinstance(b.table, Select):
        raise nonsense("nothing is put out yet that could be put out once")
    return replace(b.table, distinct=True)


def share(b: Below) -> Any:
    """Return the percentage of the rows two steps before that the last step selects too.

    Of groups, return that of the rows for which the condition holds in each.
    """
    if b.table is None or not is_grouped(b.table):
        return Cell(Group(Filter(Scan(), b.rows_before), (), (Measure("average", percentage(Holds(b.rows))),)))
    if b.where is None:
        return Derive(b.table, share_of_all(last_measure(b.table)), "percent of all")
    return with_measure(b.table, Measure("average", percentage(Holds(b.where))))


def share_of(b: Below) -> Any:
    """Return the percentage of a column's sum that the selected rows have, or a measure in percent of all groups.

    Of groups with a condition, return that of the rows for which it holds in each.
    """
    column = column_of(b)
    if b.table is not None and isinstance(column, Measured):
        return Derive(b.table, share_of_all(column), "percent of all")
    if b.table is None or not is_grouped(b.table):
        some, every = (aggregate("sum", column, rows) for rows in (both(b.rows_before, b.rows), b.rows_before))
        return percentage(Arithmetic("/", some, every))
    part = Arithmetic("*", column, Holds(b.where)) if b.where is not None else column
    group = with_measure(with_measure(b.table, Measure("sum", part)), Measure("sum", column))
    places = len(measures_of(group))
    return Derive(group, percentage(Arithmetic("/", Measured(places - 2), Measured(places - 1))), "percent")


def share_within(b: Below) -> Relation:
    """Return each measure as a percentage of the sum over the groups with the same first key."""
    if b.table is None or not is_grouped(b.table):
        raise nonsense("nothing is grouped")
    group = group_of(b.table)
    return Derive(b.table, share_of_all(column_of(b), group.keys[:1]), "percent within")


def share_of_all(measure: Value, within: tuple[Value, ...] = ()) -> Value:
    """Return a measure as a percentage of its sum over all groups, or over those with the same `within`."""
    return percentage(Arithmetic("/", measure, Window("sum", measure, within=within)))


def percentage(value: Value) -> Value:
    """Return a share times 100."""
    return Arithmetic("*", HUNDRED, value)


def computed(operator: Operator, name: str) -> Callable[[Below], Any]:
    """Compute a column with the number of each row that was computed before, or a measure with the last measure."""

    def build(b: Below) -> Any:
        column = column_of(b)
        if b.table is not None and is_grouped(b.table):
            last = last_measure(b.table)
            return Derive(b.table, Arithmetic(operator, column, last), name)
        if b.cells is None:
            raise nonsense("no cells are taken to compute with")
        return Arithmetic(operator, b.cells, column)

    return build


def divided_by_number(b: Below) -> Any:
    """Divide the number of each row that was computed before, or the last measure of groups, by a number."""
    if b.table is not None and is_grouped(b.table):
        return Derive(b.table, Arithmetic("/", last_measure(b.table), b.low), "ratio")
    if b.cells is None:
        raise nonsense("no cells are taken to compute with")
    return Arithmetic("/", b.cells, b.low)


def of_numbers(make: Callable[[Value, Value], Any]) -> Callable[[Below], Any]:
    """Compute something of the last two numbers, the earlier one first."""

    def build(b: Below) -> Any:
        if len(b.numbers) < 2:
            raise nonsense("it takes two numbers, and so many were not computed")
        return make(b.numbers[-2], b.numbers[-1])

    return build


def with_number(operator: Comparison) -> Callable[[Below], Test]:
    """Compare a column with the last number that was computed."""

    def build(b: Below) -> Test:
        if not b.numbers:
            raise nonsense("no number was computed to compare with")
        return Compare(operator, column_of(b), b.numbers[-1])

    return build


def with_cells(operator: Comparison) -> Callable[[Below], Test]:
    """Compare the number of each row that was computed with a column."""

    def build(b: Below) -> Test:
        if b.cells is None:
            raise nonsense("no cells are taken to compare with")
        return Compare(operator, b.cells, column_of(b))

    return build


def correlation(b: Below) -> Any:
    """Correlate a column with the number of each row that was computed."""
    if b.cells is None:
        raise nonsense("no cells are taken to correlate with")
    measure = Measure("correlation", b.cells, b.where, column_of(b))
    if b.table is not None and is_grouped(b.table):
        return with_measure(b.table, measure)
    return Cell(Group(selected_rows(b), (), (measure,)))


def spread(b: Below) -> Any:
    """Return the greatest cell less the least."""
    if b.table is not None and is_grouped(b.table) and not isinstance(b.column, Measured):
        group = with_measure(measured(b, "maximum"), Measure("minimum", b.column, b.where))
        places = len(measures_of(group))
        return Derive(group, Arithmetic("-", Measured(places - 2), Measured(places - 1)), "range")
    return Arithmetic("-", aggregated("maximum")(b), aggregated("minimum")(b))


def along(function: Running, name: str) -> Callable[[Below], Relation]:
    """Compute a running sum or average of a measure, in the order of the times of the groups."""

    def build(b: Below) -> Relation:
        measure, (time, others) = column_of(b), times(b)
        rows = whole(b) if function == "average" else None
        return Derive(sortable(b), Window(function, measure, time, within=others, rows=rows), name)

    return build


def changed(make: Callable[[Value, Value], Value], name: str) -> Callable[[Below], Relation]:
    """Compute the change of a measure since the time before. It is missing where no group has the time before."""

    def build(b: Below) -> Relation:
        measure, (time, others) = column_of(b), times(b)
        return Derive(sortable(b), make(Window("previous", measure, time, within=others), measure), name)

    return build


def times(b: Below) -> tuple[Value, tuple[Value, ...]]:
    """Return the key that orders groups in time, and the other keys.

    It is the first key of times, or else of numbers.
    """
    if b.table is None or not is_grouped(b.table):
        raise nonsense("nothing is grouped by a time")
    keys = group_of(b.table).keys
    of_times = [key for key in keys if isinstance(key, Part) or key.kind == "date"]
    ordered_keys = of_times or [key for key in keys if key.kind == "number"]
    if not ordered_keys:
        raise nonsense("nothing is grouped by a time")
    return ordered_keys[0], tuple(key for key in keys if key is not ordered_keys[0])


def total(b: Below) -> Relation:
    """Give each group the sum of a measure over all groups."""
    return Derive(sortable(b), Window("sum", column_of(b)), "total")


def ranked(b: Below) -> Relation:
    """Give each group its place by a measure, the greatest first."""
    return Derive(sortable(b), Window("rank", column_of(b), column_of(b), descending=True), "rank")


def growth(before: Value, after: Value) -> Value:
    """Return by how many percent a number has grown."""
    return percentage(Arithmetic("/", Arithmetic("-", after, before), before))


def among(b: Below) -> Test:
    """Select all rows that have a cell of the selected rows, or a key of the groups.

    Where the column is no key of the groups, their first key is taken.
    """
    if b.table is None or not is_grouped(b.table):
        rows = Filter(Scan(), b.rows) if b.table is None else b.table
        return In(column_of(b), Select(rows.relation if isinstance(rows, Select) else rows, (column_of(b),)))
    keys = group_of(b.table).keys
    if not keys:
        raise nonsense("all rows as one group have no key")
    groups = b.table.relation if isinstance(b.table, Select) else b.table
    return In(column_of(b), Select(groups, (column_of(b) if column_of(b) in keys else keys[0],)))


def not_among(b: Below) -> Test:
    """Select all rows whose cell none of the selected rows has."""
    return And(Not(Missing(column_of(b))), Not(among(b)))


def like(place: Place) -> Callable[[Below], Test]:
    """Select the rows whose text contains, has the word, begins with or ends with one of the texts of the argument."""

    def build(b: Below) -> Test:
        tests: list[Test] = [Like(column_of(b), place, text.value) for text in b.texts]
        if not tests:
            raise nonsense("it takes a text to look for")
        found = tests[0]
        for test in tests[1:]:
            found = Or(found, test)
        return found

    return build
