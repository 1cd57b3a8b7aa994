"""Operations that select rows, and operations that make a number, cells or a truth of the selected rows.

They are those of Table 1 of the paper, the text match of section 2.3.1, and others that people's questions need. What
an expression means is defined by its nodes (expressions.py); the soft formulas that networks are trained through are in
network/soft.py. Where there are groups, numbers and truths are made of these (see table_operations.py).
"""

from collections.abc import Callable
from typing import Any

from neural_programmer.programs.building import first_of, measured, of_groups
from neural_programmer.programs.expressions import (
    And,
    Arithmetic,
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
    Sort,
    Test,
    Value,
    Within,
    aggregate,
    is_grouped,
    nonsense,
)
from neural_programmer.programs.operation import Below, Operation, column_of


def compared(operator: Comparison, bound: str) -> Callable[[Below], Test]:
    """Compare a cell with the least or the most that an argument stands for."""
    return lambda b: Compare(operator, column_of(b), getattr(b, bound))


def aggregated(name: str) -> Callable[[Below], Any]:
    """Compute a number of a column's cells in the selected rows. Of groups, add a measure, or compute a number of a
    measure."""
    return lambda b: aggregate(name, b.column, b.rows) if b.table is None else measured(b, name)


def with_best(name: str) -> Callable[[Below], Any]:
    """Select, of the selected rows or groups, those with the greatest or the least cell."""

    def build(b: Below) -> Any:
        if b.table is not None and of_groups(b):
            return first_of(b.table, column_of(b), name == "maximum", 1)
        return And(b.rows, Compare("=", column_of(b), aggregate(name, b.column, b.rows)))

    return build


def beyond_best(operator: Comparison, name: str) -> Callable[[Below], Test]:
    """Select the rows whose cell is beyond the greatest or the least of the selected ones."""
    return lambda b: Compare(operator, column_of(b), aggregate(name, b.column, b.rows))


def beside(operator: Comparison, name: str, away: int = 0) -> Callable[[Below], Test]:
    """Select rows by comparing their number with that of the first or the last selected row, or of the row `away` from
    it."""

    def build(b: Below) -> Test:
        end: Value = aggregate(name, RowNumber(), b.rows)
        if away:
            end = Arithmetic("+" if away > 0 else "-", end, Constant(float(abs(away))))
        return Compare(operator, RowNumber(), end)

    return build


def frequent(most: bool) -> Callable[[Below], Test]:
    """Select the rows, of those that are selected, with the most frequent cell of a column, or the least frequent."""

    def build(b: Below) -> Test:
        there = Filter(Scan(), And(b.rows, Not(Missing(column_of(b)))))
        times = Sort(Group(there, (column_of(b),), (Measure("count"),)), Measured(0), descending=most)
        return And(b.rows, In(column_of(b), Select(Limit(times, 1), (column_of(b),))))

    return build


def same(b: Below) -> Test:
    """Select the other rows that have a cell of the selected ones."""
    return And(In(column_of(b), Select(Filter(Scan(), b.rows), (column_of(b),))), Not(b.rows))


def joined(join: type[And] | type[Or]) -> Callable[[Below], Any]:
    """Join the rows of the last two steps. Where two conditions filter groups, join the conditions."""

    def build(b: Below) -> Any:
        table = b.table if b.table is not None and is_grouped(b.table) else None
        if isinstance(table, Filter) and isinstance(table.relation, Filter):
            return Filter(table.relation.relation, join(table.relation.test, table.test))
        return join(b.rows_before, b.rows)

    return build


def denied(b: Below) -> Any:
    """Select the rows that are not selected. Where a condition filters groups, keep the other groups."""
    if b.table is not None and is_grouped(b.table) and isinstance(b.table, Filter):
        return Filter(b.table.relation, Not(b.table.test))
    return Not(b.rows)


def exists(b: Below) -> Test:
    """Build the test that any row is selected, or that there is any group."""
    return Exists(Filter(Scan(), b.rows) if b.table is None else b.table)


def look_up(b: Below) -> Relation:
    """Look up a column's cells in the selected rows."""
    if not isinstance(column_of(b), Column):
        raise nonsense("the cells of a column are looked up, and what is computed of them is shown")
    return Select(Filter(Scan(), b.rows), (column_of(b),))


ROW_OPERATIONS: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        Operation(
            "sum", "scalar", "number", "none", aggregated("sum"),
            "the sum of a column over the selected rows",
            phrase="the total of {column}",
        ),
        Operation(
            "count", "scalar", "none", "none", aggregated("count"),
            "how many rows are selected",
            phrase="the number of rows",
        ),
        Operation(
            "difference", "scalar", "none", "none", lambda b: Arithmetic("-", b.scalar_before, b.scalar),
            "the number three steps ago less the number of the last step",
            phrase="the number of step {three} minus the number of step {one}",
        ),
        Operation(
            "greater", "rows", "ordered", "number", compared(">", "high"),
            "the rows whose cell is greater than a number, or later than a time",
            phrase="{column} is more than {argument}",
            of_times="{column} is after {argument}",
        ),
        Operation(
            "lesser", "rows", "ordered", "number", compared("<", "low"),
            "the rows whose cell is less than a number, or earlier than a time",
            phrase="{column} is less than {argument}",
            of_times="{column} is before {argument}",
        ),
        Operation(
            "and", "rows", "none", "none", joined(And),
            "the rows selected by both of the last two steps",
            phrase="the rows of both step {two} and step {one}",
        ),
        Operation(
            "or", "rows", "none", "none", joined(Or),
            "the rows selected by any of the last two steps",
            phrase="the rows of step {two} or step {one}",
        ),
        Operation(
            "assign", "lookup", "any", "none", look_up,
            "the cells of a column in the selected rows",
            phrase="the {column} of {these}",
        ),
        Operation(
            "reset", "rows", "none", "none", lambda b: Everything(),
            "all rows",
            phrase="all rows",
        ),
        Operation(
            "text match", "rows", "text", "text", lambda b: In(column_of(b), b.texts),
            "the rows whose cell is a text",
            phrase="{column} is {argument}",
        ),
        Operation(
            "text other", "rows", "text", "text", lambda b: In(column_of(b), b.texts, other=True),
            "the rows whose cell is another text",
            phrase="{column} is not {argument}",
        ),
        Operation(
            "equal", "rows", "ordered", "number", lambda b: Within(column_of(b), b.low, b.high),
            "the rows whose cell is a number, or within a time",
            phrase="{column} is {argument}",
            of_times="{column} is {at} {argument}",
        ),
        Operation(
            "not equal", "rows", "ordered", "number", lambda b: Within(column_of(b), b.low, b.high, outside=True),
            "the rows whose cell is another number, or outside of a time",
            phrase="{column} is not {argument}",
            of_times="{column} is not {at} {argument}",
        ),
        Operation(
            "at least", "rows", "ordered", "number", compared(">=", "low"),
            "the rows whose cell is a number or more, or a time or later",
            phrase="{column} is {argument} or more",
            of_times="{column} is {argument} or later",
        ),
        Operation(
            "at most", "rows", "ordered", "number", compared("<=", "high"),
            "the rows whose cell is a number or less, or a time or earlier",
            phrase="{column} is {argument} or less",
            of_times="{column} is {argument} or earlier",
        ),
        Operation(
            "not", "rows", "none", "none", denied,
            "the rows that the last step did not select",
            phrase="all rows but those of step {one}",
        ),
        Operation(
            "average", "scalar", "number", "none", aggregated("average"),
            "the average of a column over the selected rows",
            phrase="the average {column}",
        ),
        Operation(
            "maximum", "scalar", "number", "none", aggregated("maximum"),
            "the greatest cell of a column in the selected rows",
            phrase="the largest {column}",
        ),
        Operation(
            "minimum", "scalar", "number", "none", aggregated("minimum"),
            "the least cell of a column in the selected rows",
            phrase="the smallest {column}",
        ),
        Operation(
            "greatest", "rows", "ordered", "none", with_best("maximum"),
            "of the selected rows, those with the greatest cell of a column",
            phrase="the rows with the largest {column}",
            of_times="the rows with the latest {column}",
        ),
        Operation(
            "least", "rows", "ordered", "none", with_best("minimum"),
            "of the selected rows, those with the least cell of a column",
            phrase="the rows with the smallest {column}",
            of_times="the rows with the earliest {column}",
        ),
        Operation(
            "decline", "nothing", "none", "none", lambda b: b.rows,
            "no answer: the table does not hold what is asked for",
            phrase="no answer",
        ),
        Operation(
            "first", "rows", "none", "none", beside("=", "minimum"),
            "the first of the selected rows",
            phrase="the first of {these}",
        ),
        Operation(
            "last", "rows", "none", "none", beside("=", "maximum"),
            "the last of the selected rows",
            phrase="the last of {these}",
        ),
        Operation(
            "previous", "rows", "none", "none", beside("=", "minimum", -1),
            "the row directly before the first of the selected ones",
            phrase="the row before {these}",
        ),
        Operation(
            "next", "rows", "none", "none", beside("=", "maximum", 1),
            "the row directly after the last of the selected ones",
            phrase="the row after {these}",
        ),
        Operation(
            "above", "rows", "none", "none", beside("<", "minimum"),
            "all rows before the first of the selected ones",
            phrase="all rows before {these}",
        ),
        Operation(
            "below", "rows", "none", "none", beside(">", "maximum"),
            "all rows after the last of the selected ones",
            phrase="all rows after {these}",
        ),
        Operation(
            "more", "rows", "ordered", "none", beyond_best(">", "maximum"),
            "the rows whose cell is greater than the greatest one of the selected rows",
            phrase="the rows with a larger {column} than {these}",
            of_times="the rows with a later {column} than {these}",
        ),
        Operation(
            "fewer", "rows", "ordered", "none", beyond_best("<", "minimum"),
            "the rows whose cell is less than the least one of the selected rows",
            phrase="the rows with a smaller {column} than {these}",
            of_times="the rows with an earlier {column} than {these}",
        ),
        Operation(
            "same", "rows", "any", "none", same,
            "the other rows that have a cell of the selected ones in a column",
            phrase="the other rows with the same {column} as {these}",
        ),
        Operation(
            "most common", "rows", "any", "none", frequent(most=True),
            "of the selected rows, those with the most frequent cell of a column",
            phrase="the rows with the most common {column}",
        ),
        Operation(
            "distinct", "scalar", "any", "none", aggregated("distinct"),
            "how many different cells a column has in the selected rows",
            phrase="the number of different {column}",
        ),
        Operation(
            "whether", "truth", "none", "none", exists,
            "whether any row is selected",
            phrase="whether there is such a row",
        ),
        Operation(
            "least common", "rows", "any", "none", frequent(most=False),
            "of the selected rows, those with the least frequent cell of a column",
            phrase="the rows with the least common {column}",
        ),
        Operation(
            "years", "scalar", "none", "none", lambda b: b.scalar,
            "the number of the last step, as so many years", ("year", "years"),
            phrase="the number of step {one}, in years",
        ),
        Operation(
            "more or less", "truth", "none", "none", exists,
            "more where any row is selected, else less", ("more", "less"),
            phrase="more if there is such a row, else less",
        ),
        Operation(
            "above or below", "truth", "none", "none", exists,
            "above where any row is selected, else below", ("above", "below"),
            phrase="above if there is such a row, else below",
        ),
        Operation(
            "before or after", "truth", "none", "none", exists,
            "before where any row is selected, else after", ("before", "after"),
            phrase="before if there is such a row, else after",
        ),
    )
}  # fmt: skip
