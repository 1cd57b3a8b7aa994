"""Operations that answer with tables, and those that people's questions need beside them: groups and their measures,
orders, shares, growth, parts of texts, and numbers that are compared with each other.

A step reads what those before it left (see operation.Below): rows, groups, the numbers that were computed. What selects
rows, and what makes a number of them, acts on groups where there are groups: conditions on a measure or a key filter
them, conditions on another column restrict the next measure.
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
    Exists,
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
from neural_programmer.programs.operation import Below, Operation, column_of
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
    """Return what is put in order: groups, rows in an order, or the selected rows."""
    return Filter(Scan(), b.rows) if b.table is None else b.table


def ordered(descending: bool) -> Callable[[Below], Relation]:
    """Put rows or groups in the order of a column."""
    return lambda b: Sort(sortable(b), column_of(b), descending)


def first(descending: bool) -> Callable[[Below], Relation]:
    """Take so many rows or groups that are greatest or least in a column, in their order; those without a cell are none
    of them."""
    return lambda b: first_of(sortable(b), column_of(b), descending, whole(b))


def first_of_each(descending: bool) -> Callable[[Below], Relation]:
    """Take so many of each group: rows, where it has no measure yet, or its own groups."""

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
    """Select the rows, of those that are selected, with the least or the greatest cell; or the groups."""
    column, groups = column_of(b), of_groups(b)
    some = b.table if groups and b.table is not None else Filter(Scan(), b.rows)
    least, greatest = (Compare("=", column, Cell(Group(some, (), (Measure(name, column),)))) for name in ENDS)
    return Filter(some, Or(least, greatest)) if groups else both(b.rows, Or(least, greatest))


def whole(b: Below) -> int:
    """Return how many are asked for."""
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
    """Return the percentage of the rows two steps before that the last step selects too; of each group, of those that
    its condition holds for."""
    if b.table is None or not is_grouped(b.table):
        return Cell(Group(Filter(Scan(), b.rows_before), (), (Measure("average", percentage(Holds(b.rows))),)))
    if b.where is None:
        return Derive(b.table, share_of_all(last_measure(b.table)), "percent of all")
    return with_measure(b.table, Measure("average", percentage(Holds(b.where))))


def share_of(b: Below) -> Any:
    """Return the percentage of a column's sum, or of a measure's; of each group, that with its condition."""
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
    """Return each measure as a percentage of those that share the first key."""
    if b.table is None or not is_grouped(b.table):
        raise nonsense("nothing is grouped")
    group = group_of(b.table)
    return Derive(b.table, share_of_all(column_of(b), group.keys[:1]), "percent within")


def share_of_all(measure: Value, within: tuple[Value, ...] = ()) -> Value:
    return percentage(Arithmetic("/", measure, Window("sum", measure, within=within)))


def percentage(value: Value) -> Value:
    return Arithmetic("*", HUNDRED, value)


def computed(operator: Operator, name: str) -> Callable[[Below], Any]:
    """Put a column together with the number of each row that was computed before, or a measure with the last one."""

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
    """Make something of the last two numbers, the earlier of them first."""

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
    """Compute a measure of the groups up to each, in the order of their times."""

    def build(b: Below) -> Relation:
        measure, (time, others) = column_of(b), times(b)
        rows = whole(b) if function == "average" else None
        return Derive(sortable(b), Window(function, measure, time, within=others, rows=rows), name)

    return build


def changed(make: Callable[[Value, Value], Value], name: str) -> Callable[[Below], Relation]:
    """Compute what became of a measure since the time before; where that is not among the groups there is none."""

    def build(b: Below) -> Relation:
        measure, (time, others) = column_of(b), times(b)
        return Derive(sortable(b), make(Window("previous", measure, time, within=others), measure), name)

    return build


def times(b: Below) -> tuple[Value, tuple[Value, ...]]:
    """Return the key that groups are put in order by, the first of times, or else of numbers; and the others."""
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
    """Select all rows that have a cell of the selected ones, or of the first of them; of groups, all rows that have a
    key of theirs: of the first one, where the column is none."""
    if b.table is None or not is_grouped(b.table):
        rows = Filter(Scan(), b.rows) if b.table is None else b.table
        return In(column_of(b), Select(rows.relation if isinstance(rows, Select) else rows, (column_of(b),)))
    keys = group_of(b.table).keys
    if not keys:
        raise nonsense("all rows as one group have no key")
    groups = b.table.relation if isinstance(b.table, Select) else b.table
    return In(column_of(b), Select(groups, (column_of(b) if column_of(b) in keys else keys[0],)))


def not_among(b: Below) -> Test:
    """Select all rows that have a cell which none of the selected ones has."""
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


TABLE_OPERATIONS: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        Operation(
            "for each", "table", "any", "none", for_each,
            "the selected rows, grouped by a column",
            phrase="for each {column}",
        ),
        Operation(
            "overall", "table", "none", "none", overall,
            "the selected rows as one group, to take several measures of",
            phrase="of all of them",
        ),
        Operation(
            "median", "scalar", "number", "none", aggregated("median"),
            "the median of a column over the selected rows, or of each group",
            phrase="the median {column}",
        ),
        Operation(
            "deviation", "scalar", "number", "none", aggregated("deviation"),
            "the standard deviation of a column over the selected rows, or of each group",
            phrase="the standard deviation of {column}",
        ),
        Operation(
            "range", "scalar", "number", "none", spread,
            "the greatest cell of a column less the least",
            phrase="the range of {column}",
        ),
        Operation(
            "take", "cells", "number", "none", column_of,
            "the number in a column of each row, to compute with",
            phrase="take {column} of each row",
        ),
        Operation(
            "plus", "cells", "number", "none", computed("+", "sum of measures"),
            "what was taken plus a column in each row; of groups, a measure plus the last one",
            phrase="plus {column}",
        ),
        Operation(
            "less", "cells", "number", "none", computed("-", "difference"),
            "what was taken less a column in each row; of groups, a measure less the last one",
            phrase="less {column}",
        ),
        Operation(
            "times", "cells", "number", "none", computed("*", "product"),
            "what was taken times a column in each row; of groups, a measure times the last one",
            phrase="times {column}",
        ),
        Operation(
            "divided by", "cells", "number", "none", computed("/", "ratio"),
            "what was taken divided by a column in each row; of groups, a measure divided by the last one",
            phrase="divided by {column}",
        ),
        Operation(
            "divided by number", "cells", "none", "number", divided_by_number,
            "what was taken divided by a number in each row; of groups, the last measure divided by a number",
            phrase="divided by {argument}",
        ),
        Operation(
            "correlation", "scalar", "number", "none", correlation,
            "the correlation of what was taken with a column",
            phrase="the correlation with {column}",
        ),
        Operation(
            "share", "scalar", "none", "none", share,
            "how many percent of the rows of the step before the last one selects; of each group, its condition, or of"
            " all groups",
            ("%", "%"),
            phrase="their percentage",
        ),
        Operation(
            "share of", "scalar", "number", "none", share_of,
            "how many percent of a column's sum the selected rows have; of each group, of a measure of all groups",
            ("%", "%"),
            phrase="their percentage of {column}",
        ),
        Operation(
            "share within", "table", "number", "none", share_within,
            "a measure as a percentage of the groups that share the first key",
            phrase="as a percentage of each",
        ),
        Operation(
            "ascending", "table", "any", "none", ordered(descending=False),
            "rows or groups in the order of a column, the least first",
            phrase="by {column}, the least first",
        ),
        Operation(
            "descending", "table", "any", "none", ordered(descending=True),
            "rows or groups in the order of a column, the greatest first",
            phrase="by {column}, the greatest first",
        ),
        Operation(
            "top", "table", "ordered", "count", first(descending=True),
            "so many rows or groups with the greatest cells of a column",
            phrase="the {argument} with the largest {column}",
        ),
        Operation(
            "bottom", "table", "ordered", "count", first(descending=False),
            "so many rows or groups with the least cells of a column",
            phrase="the {argument} with the smallest {column}",
        ),
        Operation(
            "top of each", "table", "ordered", "count", first_of_each(descending=True),
            "so many of each group with the greatest cells of a column",
            phrase="the {argument} of each with the largest {column}",
        ),
        Operation(
            "bottom of each", "table", "ordered", "count", first_of_each(descending=False),
            "so many of each group with the least cells of a column",
            phrase="the {argument} of each with the smallest {column}",
        ),
        Operation(
            "place from the top", "rows", "ordered", "count", at_place(descending=True),
            "the rows or groups at a place, counted from the greatest cell of a column",
            phrase="number {argument} by {column}, from the largest",
        ),
        Operation(
            "place from the bottom", "rows", "ordered", "count", at_place(descending=False),
            "the rows or groups at a place, counted from the least cell of a column",
            phrase="number {argument} by {column}, from the smallest",
        ),
        Operation(
            "extremes", "rows", "ordered", "none", extremes,
            "of the selected rows or groups, those with the least and those with the greatest cell of a column",
            phrase="the rows with the smallest and the largest {column}",
            of_times="the rows with the earliest and the latest {column}",
        ),
        Operation(
            "show", "table", "any", "none", show,
            "a column of the rows or groups, beside those that were shown before",
            phrase="show {column}",
        ),
        Operation(
            "once", "table", "none", "none", once,
            "each row of what is shown once",
            phrase="each of them once",
        ),
        Operation(
            "total", "table", "number", "none", total,
            "the sum of a measure over all groups, beside each",
            phrase="beside the total of all",
        ),
        Operation(
            "running total", "table", "number", "none", along("sum", "running total"),
            "a measure of the groups up to each, added up along their times",
            phrase="added up over time",
        ),
        Operation(
            "moving average", "table", "number", "count", along("average", "moving average"),
            "the average of a measure over so many of the last groups, along their times",
            phrase="the average of the last {argument}",
        ),
        Operation(
            "change", "table", "number", "none",
            changed(lambda before, after: Arithmetic("-", after, before), "change"),
            "a measure less that of the time before",
            phrase="the change since the time before",
        ),
        Operation(
            "percent change", "table", "number", "none", changed(growth, "percent change"),
            "by how many percent a measure has grown since the time before",
            phrase="the change since the time before in percent",
        ),
        Operation(
            "rank", "table", "number", "none", ranked,
            "the place of each group by a measure",
            phrase="its place by {column}",
        ),
        Operation(
            "number", "scalar", "none", "number", lambda b: b.low,
            "a number that the question says",
            phrase="the number {argument}",
        ),
        Operation(
            "sum of both", "scalar", "none", "none", of_numbers(lambda one, other: Arithmetic("+", one, other)),
            "the last two numbers added",
            phrase="both numbers added",
        ),
        Operation(
            "minus", "scalar", "none", "none", of_numbers(lambda one, other: Arithmetic("-", one, other)),
            "the number before the last one less the last",
            phrase="the first number less the second",
        ),
        Operation(
            "ratio", "scalar", "none", "none", of_numbers(lambda one, other: Arithmetic("/", one, other)),
            "the number before the last one divided by the last",
            phrase="the first number divided by the second",
        ),
        Operation(
            "percent of", "scalar", "none", "none",
            of_numbers(lambda one, other: percentage(Arithmetic("/", one, other))),
            "the number before the last one in percent of the last",
            ("%", "%"),
            phrase="the first number in percent of the second",
        ),
        Operation(
            "growth", "scalar", "none", "none", of_numbers(growth),
            "by how many percent the last number is more than that before it",
            ("%", "%"),
            phrase="the growth from the first number to the second in percent",
        ),
        Operation(
            "is more", "truth", "none", "none", of_numbers(lambda one, other: Compare(">", one, other)),
            "whether the number before the last one is more than the last",
            phrase="whether the first number is more than the second",
        ),
        Operation(
            "is less", "truth", "none", "none", of_numbers(lambda one, other: Compare("<", one, other)),
            "whether the number before the last one is less than the last",
            phrase="whether the first number is less than the second",
        ),
        Operation(
            "is the same", "truth", "none", "none", of_numbers(lambda one, other: Compare("=", one, other)),
            "whether the last two numbers are the same",
            phrase="whether both numbers are the same",
        ),
        Operation(
            "whether all", "truth", "none", "none",
            lambda b: Not(Exists(Filter(Scan(), both(b.rows_before, Not(b.rows))))),
            "whether the last step selects all rows of the step before it",
            phrase="whether all of them are",
        ),
        Operation(
            "more than it", "rows", "ordered", "none", with_number(">"),
            "the rows or groups whose cell is more than the last number",
            phrase="{column} is more than that",
        ),
        Operation(
            "less than it", "rows", "ordered", "none", with_number("<"),
            "the rows or groups whose cell is less than the last number",
            phrase="{column} is less than that",
        ),
        Operation(
            "same as it", "rows", "ordered", "none", with_number("="),
            "the rows or groups whose cell is the last number",
            phrase="{column} is that",
        ),
        Operation(
            "exceeds", "rows", "number", "none", with_cells(">"),
            "the rows where what was taken is more than a column",
            phrase="it is more than {column}",
        ),
        Operation(
            "equals", "rows", "number", "none", with_cells("="),
            "the rows where what was taken is the same as a column",
            phrase="it is the same as {column}",
        ),
        Operation(
            "among", "rows", "any", "none", among,
            "all rows that have a cell of the selected ones in a column, or a key of the groups",
            phrase="all rows with a {column} of {these}",
        ),
        Operation(
            "not among", "rows", "any", "none", not_among,
            "all rows that have no cell of the selected ones in a column, and no key of the groups",
            phrase="all rows with a {column} that none of {these} has",
        ),
        Operation(
            "contains", "rows", "text", "text", like("contains"),
            "the rows whose text contains another",
            phrase="{column} contains {argument}",
        ),
        Operation(
            "has the word", "rows", "text", "text", like("has the word"),
            "the rows whose text has a word, or several that follow each other",
            phrase="{column} has the word {argument}",
        ),
        Operation(
            "begins with", "rows", "text", "text", like("begins with"),
            "the rows whose text begins with another",
            phrase="{column} begins with {argument}",
        ),
        Operation(
            "ends with", "rows", "text", "text", like("ends with"),
            "the rows whose text ends with another",
            phrase="{column} ends with {argument}",
        ),
        Operation(
            "missing", "rows", "any", "none", lambda b: Missing(column_of(b)),
            "the rows without a cell in a column",
            phrase="{column} is missing",
        ),
        Operation(
            "present", "rows", "any", "none", lambda b: Not(Missing(column_of(b))),
            "the rows with a cell in a column",
            phrase="{column} is there",
        ),
    )
}  # fmt: skip
