"""The operations that a network chooses: each builds an expression on what the steps before it left.

Table 1 of the paper, with the text match of section 2.3.1, and those that people's questions need beyond them. What an
expression means is said by its nodes (expressions.py); the soft formulas that networks are trained through stand in
network/soft.py.
"""

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from neural_programmer.errors import one_of
from neural_programmer.programs.aggregates import Needed
from neural_programmer.programs.expressions import (
    And,
    Applied,
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
)

Updates = Literal["scalar", "lookup", "truth", "rows", "nothing"]
"""The variable that an operation writes; a truth is whether there is any of the rows."""
Takes = Literal["none", "number", "text"]
"""What an operation takes from the question."""


class Below(NamedTuple):
    """What an operation builds on at step t: its column and argument, and what the steps before it left.

    An argument is all that lies between `low` and `high`: a number is both, a year begins and ends on different days.
    `texts` are those that a text argument means.
    """

    column: Column | None
    low: Any
    high: Any
    texts: tuple[Constant, ...]
    rows: Test  # row_select_{t-1}
    rows_before: Test  # row_select_{t-2}
    scalar: Value  # scalar_answer_{t-1}
    scalar_before: Value  # scalar_answer_{t-3}


class Query(NamedTuple):
    """What the SQL of an operation of one's own may read, in expressions of sqlglot."""

    column: Any
    low: Any  # the argument; of texts, those it means
    high: Any
    row_select_1: Any  # the condition on the rows selected before
    aggregate: Callable[[str, Any, Any], Any]  # a function's name, an expression, a condition on rows -> a scalar


@dataclass(frozen=True, eq=False)
class Own:
    """What an operation of one's own is (see own.py).

    `apply` gives a number, or a truth for each row, of a column's cells, the selected rows and the argument. `sql`,
    `soft` (as in network/soft.py) and `holds`, the condition on a cell that networks compute with, may be missing.
    `where` is the place that defines it; `again` makes the operation in another process, where it is of a file.
    """

    apply: Callable[..., Any]
    sql: Callable[[Query], Any] | None
    soft: Callable[..., Any] | None
    holds: Callable[[Any, Any, Any], Any] | None
    where: str
    again: "Callable[[], Operation] | None" = None


@dataclass(frozen=True, eq=False)
class Operation:
    """One operation.

    `updates` names the variable it writes; `column` the kind of column it acts on, if any; `argument` what it takes
    from the question. `build` makes the expression of a step; one's `own` is applied as it is. `words` say what it
    gives: the unit of one and of several, or what holds and what does not. `phrase` is a step as people say it, and
    `of_times` if it is about times (see wording.py).
    """

    name: str
    updates: Updates
    column: Needed
    argument: Takes
    build: Callable[[Below], Any] | None
    about: str
    words: tuple[str, str] = ("", "")
    phrase: str = ""
    of_times: str = ""
    own: Own | None = None

    def __str__(self) -> str:
        return f"the operation {self.name!r}{f' ({self.own.where})' if self.own else ''}"

    def __reduce__(self) -> Any:
        """Travel to another process by name: a built-in one is known there, one's own is run from its file."""
        if self.own is None:
            return entry_of, (self.name,)
        if self.own.again is None:
            raise pickle.PicklingError(f"{self} came without a file that another process could run")
        return self.own.again, ()

    def expression(self, below: Below) -> Any:
        """The expression of a step."""
        if self.build is not None:
            return self.build(below)
        argument = (
            tuple(text.value for text in below.texts) if self.argument == "text" else below.low and below.low.value
        )
        return Applied(self, _column(below), below.rows, argument)

    @property
    def has_sql(self) -> bool:
        return self.own is None or self.own.sql is not None

    def unit(self, number: float) -> str:
        """What it counts, if it says so."""
        return self.words[number != 1]

    def truth(self, holds: bool) -> bool | str:
        """A truth, in a word if it has some for it."""
        return self.words[not holds] or holds


def compared(operator: Comparison, bound: str) -> Callable[[Below], Test]:
    """Compare a cell with the least or the most that an argument stands for."""
    return lambda b: Compare(operator, _column(b), getattr(b, bound))


def aggregated(name: str) -> Callable[[Below], Value]:
    """Make a number of a column's cells in the selected rows."""
    return lambda b: aggregate(name, b.column, b.rows)


def with_best(name: str) -> Callable[[Below], Test]:
    """Select the rows, of those that are selected, with the greatest or the least cell."""
    return lambda b: And(b.rows, Compare("=", _column(b), aggregate(name, b.column, b.rows)))


def beyond_best(operator: Comparison, name: str) -> Callable[[Below], Test]:
    """Select the rows whose cell is beyond the greatest or the least of the selected ones."""
    return lambda b: Compare(operator, _column(b), aggregate(name, b.column, b.rows))


def beside(operator: Comparison, name: str, away: int = 0) -> Callable[[Below], Test]:
    """Select rows by how their number compares with that of the first or the last selected one, or one beside it."""

    def build(b: Below) -> Test:
        end: Value = aggregate(name, RowNumber(), b.rows)
        if away:
            end = Arithmetic("+" if away > 0 else "-", end, Constant(float(abs(away))))
        return Compare(operator, RowNumber(), end)

    return build


def frequent(most: bool) -> Callable[[Below], Test]:
    """Select the rows, of those that are selected, with the most frequent cell of a column, or the least frequent."""

    def build(b: Below) -> Test:
        there = Filter(Scan(), And(b.rows, Not(Missing(_column(b)))))
        times = Sort(Group(there, (_column(b),), (Measure("count"),)), Measured(0), descending=most)
        return And(b.rows, In(_column(b), Select(Limit(times, 1), (_column(b),))))

    return build


def same(b: Below) -> Test:
    """Select the other rows that have a cell of the selected ones."""
    return And(In(_column(b), Select(Filter(Scan(), b.rows), (_column(b),))), Not(b.rows))


def exists(b: Below) -> Test:
    """Say whether any row is selected."""
    return Exists(Filter(Scan(), b.rows))


def look_up(b: Below) -> Relation:
    """Look up a column's cells in the selected rows."""
    return Select(Filter(Scan(), b.rows), (_column(b),))


def _column(b: Below) -> Column:
    assert b.column is not None, "the operation acts on a column"
    return b.column


BUILT_IN: dict[str, Operation] = {
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
            "and", "rows", "none", "none", lambda b: And(b.rows_before, b.rows),
            "the rows selected by both of the last two steps",
            phrase="the rows of both step {two} and step {one}",
        ),
        Operation(
            "or", "rows", "none", "none", lambda b: Or(b.rows_before, b.rows),
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
            "text match", "rows", "text", "text", lambda b: In(_column(b), b.texts),
            "the rows whose cell is a text",
            phrase="{column} is {argument}",
        ),
        Operation(
            "text other", "rows", "text", "text", lambda b: In(_column(b), b.texts, other=True),
            "the rows whose cell is another text",
            phrase="{column} is not {argument}",
        ),
        Operation(
            "equal", "rows", "ordered", "number", lambda b: Within(_column(b), b.low, b.high),
            "the rows whose cell is a number, or within a time",
            phrase="{column} is {argument}",
            of_times="{column} is {at} {argument}",
        ),
        Operation(
            "not equal", "rows", "ordered", "number", lambda b: Within(_column(b), b.low, b.high, outside=True),
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
            "not", "rows", "none", "none", lambda b: Not(b.rows),
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

PAPER = ("sum", "count", "difference", "greater", "lesser", "and", "or", "assign", "reset")  # Table 1
TEXT = (*PAPER, "text match")  # and section 2.3.1
EVERY = tuple(BUILT_IN)
ORDER = ("first", "last", "previous", "next", "above", "below")  # those that need the order of the rows
COMPARISONS = ("greater", "lesser")  # those of the paper, which take one number for the whole question
CONDITIONS = tuple(entry for entry in BUILT_IN.values() if entry.argument != "none")


def entry_of(name: str, own: tuple[Operation, ...] = ()) -> Operation:
    """The operation of a name: a built-in one, or one of somebody's `own`."""
    found = BUILT_IN.get(name) or next((entry for entry in own if entry.name == name), None)
    if found is None:
        raise one_of("operation", name, (*BUILT_IN, *(entry.name for entry in own)))
    return found


@lru_cache(256)
def named(names: tuple[str, ...], own: tuple[Operation, ...] = ()) -> tuple[Operation, ...]:
    """The operations of these names."""
    return tuple(entry_of(name, own) for name in names)


def own_of(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """Those of the operations that are not built in."""
    return tuple(operation for operation in operations if operation.own is not None)


@lru_cache(256)
def acting(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """Those of the operations that act on a column."""
    return tuple(operation for operation in operations if operation.column != "none")


@lru_cache(256)
def conditions(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """Those of the operations that take an argument."""
    return tuple(operation for operation in operations if operation.argument != "none")
