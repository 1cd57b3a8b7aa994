"""The classes of an operation and of what it builds on. Built-in operations are in row_operations.py and
table_operations.py; one's own are made by own.py."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from neural_programmer.programs.aggregates import Needed
from neural_programmer.programs.expressions import Applied, Column, Constant, Relation, Test, Value, nonsense

Updates = Literal["scalar", "lookup", "truth", "rows", "nothing", "table", "cells"]
"""The variable that an operation writes. A truth is whether there is any of the rows, or how numbers compare; a table
is rows in an order, groups, or what is put out of them; cells are one more number of each row, to compute with."""
Takes = Literal["none", "number", "text"]
"""What an operation takes from the question. A number is a time where its column has times."""
Count = Literal["count"]
"""A number of rows or groups, whatever the column has."""


class Below(NamedTuple):
    """The input of an operation at step t: its column and argument, and what the steps before it left.

    An argument is all that lies between `low` and `high`: a number is both, a year begins and ends on different days.
    `texts` are those that a text argument means. What only operations on tables read has no counterpart in the paper.
    """

    column: Value | None
    low: Any
    high: Any
    texts: tuple[Constant, ...]
    rows: Test  # row_select_{t-1}
    rows_before: Test  # row_select_{t-2}
    scalar: Value  # scalar_answer_{t-1}
    scalar_before: Value  # scalar_answer_{t-3}
    table: Relation | None = None  # rows in an order, or groups
    where: Test | None = None  # what the next measure of the groups is restricted to
    cells: Value | None = None  # the number of each row that was computed last
    numbers: tuple[Value, ...] = ()  # those that were computed so far


class Query(NamedTuple):
    """The input of the SQL of an operation of one's own, as expressions of sqlglot."""

    column: Any
    low: Any  # the argument; of texts, those it means
    high: Any
    row_select_1: Any  # the condition on the rows selected before
    aggregate: Callable[[str, Any, Any], Any]  # a function's name, an expression, a condition on rows -> a scalar


@dataclass(frozen=True, eq=False)
class Own:
    """The functions of an operation of one's own (see own.py).

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
    from the question: a number is compared with cells, a count says how many or which. `build` makes the expression
    of a step; one's `own` is applied as it is. `words` say what it gives: the unit of one and of several, or what holds
    and what does not. `phrase` is a step as people say it, and `of_times` if it is about times (see wording.py).
    """

    name: str
    updates: Updates
    column: Needed
    argument: Takes | Count
    build: Callable[[Below], Any] | None
    about: str
    words: tuple[str, str] = ("", "")
    phrase: str = ""
    of_times: str = ""
    own: Own | None = None

    def __str__(self) -> str:
        return f"the operation {self.name!r}{f' ({self.own.where})' if self.own else ''}"

    def __deepcopy__(self, memory: Any) -> "Operation":
        return self

    def expression(self, below: Below) -> Any:
        """Return the expression of a step."""
        if self.build is not None:
            return self.build(below)
        column = column_of(below)
        if not isinstance(column, Column) or below.table is not None:
            raise nonsense(f"{self} acts on a column of the table")
        argument = (
            tuple(text.value for text in below.texts) if self.argument == "text" else below.low and below.low.value
        )
        return Applied(self, column, below.rows, argument)

    @property
    def has_sql(self) -> bool:
        """Return whether the operation can be written as SQL."""
        return self.own is None or self.own.sql is not None

    def unit(self, number: float) -> str:
        """Return the unit of a number, or nothing if the operation names none."""
        return self.words[number != 1]

    def truth(self, holds: bool) -> bool | str:
        """Return a truth, as a word if the operation has words for it."""
        return self.words[not holds] or holds


def column_of(below: Below) -> Value:
    """Return the column that an operation acts on: a column, a part of one, or a measure of groups."""
    assert below.column is not None, "the operation acts on a column"
    return below.column
