"""The operations, each defined once: what it needs, what it updates, its soft, its exact and its SQL definition.

Table 1 of the paper, with the text match of section 2.3.1, and those that people's questions need beyond them. The soft
definitions compute with probabilities and are written over the array API; they do not know whether a selection was soft
or hard. The exact definitions compute with sets of rows in float64 and are the judges of the soft ones. The SQL
definitions put expressions together with Python's operators, as sqlglot's expressions understand them. Missing cells
follow SQL: no condition holds for them, no aggregate counts them. Operations without a soft definition are for networks
that are not trained through what they execute.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from neural_programmer.base.arrays import Array, contract, namespace

Updates = Literal["scalar", "lookup", "truth", "rows", "nothing"]
"""The variable that an operation writes; a truth is whether there is any of the rows that its definitions give."""
Needed = Literal["none", "number", "ordered", "text", "any"]
"""What an operation acts on: no column, one of numbers, of numbers or dates, of text, or any."""
Takes = Literal["none", "number", "text"]
"""What an operation takes from the question."""
ALMOST_NOTHING = 1e-12  # the mean of less is 0
LOG_OF_NOTHING = -1e4  # its exponential is 0 in any precision: what was not selected for sure stays so


class Memory(NamedTuple):
    """What the soft definitions may read at step t."""

    table: Float[Array, "rows columns"]  # 0 where a cell is missing or holds text
    rows: Float[Array, "rows"]  # 1 for a row of the table, 0 for padding
    present: Float[Array, "rows columns"]  # 1 for a cell with a number or date
    above: Float[Array, "rows rows*columns"] | None  # 1 where the first row's cell is above the second's, in a column
    conditions: dict[str, Float[Array, "rows columns candidates"]]  # whether each holds, for each argument it may take
    row_select_1: Float[Array, "rows"]  # row_select_{t-1}
    row_select_2: Float[Array, "rows"]  # row_select_{t-2}
    scalar_1: Float[Array, ""]  # scalar_answer_{t-1}
    scalar_3: Float[Array, ""]  # scalar_answer_{t-3}


class State(NamedTuple):
    """What the exact definitions may read at step t: the chosen column, its argument, and earlier results.

    An argument is all that lies between `low` and `high`: a number is both, a year begins and ends on different days.
    A text is the one of several that `low` holds.
    """

    column: np.ndarray
    low: Any
    high: Any
    row_select_1: Bool[np.ndarray, "rows"]
    row_select_2: Bool[np.ndarray, "rows"]
    scalar_1: float
    scalar_3: float


class Query(NamedTuple):
    """What the SQL definitions may read at step t: as State, in expressions of sqlglot."""

    column: Any
    low: Any
    high: Any
    row_select_1: Any
    row_select_2: Any
    scalar_1: Any
    scalar_3: Any
    everything: Any  # the condition that holds for every row
    aggregate: Callable[[str, Any, Any], Any]  # a function's name, an expression, a condition on rows -> a scalar
    cells: Callable[[Any, Any], Any]  # an expression, a condition on rows -> a query of the cells
    frequent: Callable[[Any, Any, bool], Any]  # the same, of the most frequent ones of these cells, or of the least
    row: Any  # the number of the row, which those of ORDER read


Column = Float[Array, "columns"]  # alpha^col_t, sums to one
Argument = Float[Array, "columns candidates"] | None  # beta_op, sums to one for each column; of those that take one


@dataclass(frozen=True, eq=False)
class Operation:
    """One operation.

    `updates` names the variable it writes; `column` the kind of column it acts on, if any; `argument` what it takes
    from the question. `soft` gets the selected column and argument as distributions, `exact` and `sql` as they are. Not
    all have a soft definition; of one's own operations (see own.py) `sql` may be missing too. `holds` is the condition
    that an operation with an argument puts on a cell: (cell, low, high) -> truth. `words` say what it gives: the
    unit of one and of several, or what holds and what does not. `where` is the place that defines one's own operation.
    """

    name: str
    updates: Updates
    column: Needed
    argument: Takes
    soft: Callable[[Memory, Column, Argument], Array] | None
    exact: Callable[[State], Any]
    sql: Callable[[Query], Any] | None
    about: str
    holds: Callable[[Any, Any, Any], Any] | None = None
    where: str = ""
    words: tuple[str, str] = ("", "")

    def __str__(self) -> str:
        return f"the operation {self.name!r}{self.where and f' ({self.where})'}"

    def unit(self, number: float) -> str:
        """What it counts, if it says so."""
        return self.words[number != 1]

    def truth(self, holds: bool) -> bool | str:
        """A truth, in a word if it has some for it."""
        return self.words[not holds] or holds


def column_sum(memory: Memory, column: Column, argument: Argument) -> Float[Array, ""]:
    """sum_j a(j) sum_t[j],  sum_t[j] = sum_i row_select_{t-1}[i] * table[i][j]"""
    return namespace(memory.table).sum(column * contract(memory.row_select_1, memory.table))


def count(memory: Memory, column: Column, argument: Argument) -> Float[Array, ""]:
    """count_t = sum_i row_select_{t-1}[i]"""
    return namespace(memory.table).sum(memory.row_select_1)


def average(memory: Memory, column: Column, argument: Argument) -> Float[Array, ""]:
    """sum_j a(j) sum_t[j] / sum_i row_select_{t-1}[i] [cell i j is there]"""
    return _mean(memory, column, memory.row_select_1[:, None] * memory.present)


def maximum(memory: Memory, column: Column, argument: Argument) -> Float[Array, ""]:
    """The mean of the greatest cells: sum_j a(j) sum_i greatest_t[i][j] table[i][j] / sum_i greatest_t[i][j]"""
    return _mean(memory, column, _extreme(memory, 1.0))


def minimum(memory: Memory, column: Column, argument: Argument) -> Float[Array, ""]:
    """The mean of the least cells"""
    return _mean(memory, column, _extreme(memory, -1.0))


def _mean(memory: Memory, column: Column, weights: Float[Array, "rows columns"]) -> Float[Array, ""]:
    xp = namespace(memory.table, weights)
    total, weight = xp.sum(weights * memory.table, axis=0), xp.sum(weights, axis=0)
    some = weight > ALMOST_NOTHING
    total, weight = xp.where(some, total, xp.zeros_like(total)), xp.where(some, weight, xp.ones_like(weight))
    return xp.sum(column * total / weight)  # not by almost nothing: that has no gradient


def difference(memory: Memory, column: Column, argument: Argument) -> Float[Array, ""]:
    """diff_t = scalar_answer_{t-3} - scalar_answer_{t-1}"""
    return memory.scalar_3 - memory.scalar_1


def condition(name: str) -> Callable[[Memory, Column, Argument], Float[Array, "rows"]]:
    """sum_j a(j) g_t[i][j],  g_t[i][j] = sum_n b(n | j) [the condition holds for table[i][j] and argument n]

    With one number, greater and lesser are the paper's definitions; with several, their expectation over the choice of
    the number. Computed as one product: samples of a question share its conditions.
    """

    def soft(memory: Memory, column: Column, argument: Argument) -> Float[Array, "rows"]:
        holds = memory.conditions[name]
        xp = namespace(holds, column)
        return contract(xp.reshape(holds, (holds.shape[0], -1)), xp.reshape(column[:, None] * argument, (-1,)))

    return soft


def greatest(memory: Memory, column: Column, argument: Argument) -> Float[Array, "rows"]:
    """sum_j a(j) greatest_t[i][j],
    greatest_t[i][j] = row_select_{t-1}[i] prod_k (1 - row_select_{t-1}[k])^[table[k][j] > table[i][j]]

    The probability that row i is selected and no row above it is.
    """
    return contract(_extreme(memory, 1.0), column)


def least(memory: Memory, column: Column, argument: Argument) -> Float[Array, "rows"]:
    """The same with [table[k][j] < table[i][j]]"""
    return contract(_extreme(memory, -1.0), column)


def _extreme(memory: Memory, sign: float) -> Float[Array, "rows columns"]:
    xp = namespace(memory.table, memory.row_select_1)
    rows, columns = memory.present.shape
    assert memory.above is not None, "the table was not prepared for greatest and least"
    above = memory.above if sign > 0 else _turned(xp, memory.above, rows, columns)
    left_out = 1 - memory.row_select_1
    some = xp.where(left_out > 0, left_out, xp.ones_like(left_out))
    logs = xp.where(left_out > 0, xp.log(some), xp.asarray(LOG_OF_NOTHING, dtype=left_out.dtype))
    none_above = xp.exp(xp.reshape(contract(logs, above), (rows, columns)))
    return memory.row_select_1[:, None] * none_above * memory.present


def _turned(xp: Any, above: Array, rows: int, columns: int) -> Array:
    """What is below instead of above: the two rows change places."""
    return xp.reshape(xp.permute_dims(xp.reshape(above, (rows, rows, columns)), (1, 0, 2)), (rows, rows * columns))


def both(memory: Memory, column: Column, argument: Argument) -> Float[Array, "rows"]:
    """and_t[i] = min(row_select_{t-1}[i], row_select_{t-2}[i])"""
    return namespace(memory.table).minimum(memory.row_select_1, memory.row_select_2)


def either(memory: Memory, column: Column, argument: Argument) -> Float[Array, "rows"]:
    """or_t[i] = max(row_select_{t-1}[i], row_select_{t-2}[i])"""
    return namespace(memory.table).maximum(memory.row_select_1, memory.row_select_2)


def others(memory: Memory, column: Column, argument: Argument) -> Float[Array, "rows"]:
    """not_t[i] = 1 - row_select_{t-1}[i] (for the rows of the table; padding stays 0)"""
    return memory.rows - memory.row_select_1


def assign(memory: Memory, column: Column, argument: Argument) -> Float[Array, "rows"]:
    """assign_t[i][j] = row_select_{t-1}[i], the same for every column"""
    return memory.row_select_1


def reset(memory: Memory, column: Column, argument: Argument) -> Float[Array, "rows"]:
    """reset_t[i] = 1 (for the rows of the table; padding stays 0)"""
    return memory.rows


def missing(column: np.ndarray) -> Bool[np.ndarray, "rows"]:
    """NaN, not-a-time, or empty text."""
    return column == "" if column.dtype.kind in "UT" else column != column


def _selected(s: State) -> np.ndarray:
    return s.column[s.row_select_1 & ~missing(s.column)]


def _most(choose: Callable[[np.ndarray], Any]) -> Callable[[State], Bool[np.ndarray, "rows"]]:
    """The selected rows whose cell is the one that is chosen of the selected; none, where no cell is there."""

    def rows(s: State) -> np.ndarray:
        cells = _selected(s)
        return s.row_select_1 & (s.column == choose(cells)) if len(cells) else np.zeros_like(s.row_select_1)

    return rows


def _of(aggregate: Callable[[np.ndarray], Any]) -> Callable[[State], float]:
    """An aggregate of the selected cells; not a number, where there are none."""
    return lambda s: float(aggregate(cells)) if len(cells := _selected(s)) else float("nan")


def _is_within(q: Query) -> Any:
    return q.column.eq(q.low) if q.low == q.high else (q.column >= q.low).and_(q.column <= q.high)


def _is_outside(q: Query) -> Any:
    return q.column.neq(q.low) if q.low == q.high else (q.column < q.low).or_(q.column > q.high)


def _is_text(q: Query) -> Any:
    return q.column.eq(q.low[0]) if len(q.low) == 1 else q.column.isin(*q.low)


def _is_other_text(q: Query) -> Any:
    return q.column.neq(q.low[0]) if len(q.low) == 1 else q.column.isin(*q.low).not_()


def _comparison(name: str, holds: Callable[[Any, Any, Any], Any], sql: Callable[[Query], Any], about: str) -> Operation:
    def exact(s: State) -> np.ndarray:
        return holds(s.column, s.low, s.high) & ~missing(s.column)

    return Operation(name, "rows", "ordered", "number", condition(name), exact, sql, about, holds)


def _beyond(
    name: str,
    column: Needed,
    extreme: Literal["MIN", "MAX"],
    holds: Callable[[Any, Any], Any],
    about: str,
    sql: Callable[[Any, Any], Any] | None = None,
) -> Operation:
    """The rows whose cell compares so with the least or the greatest of the selected; without a column, whose number.

    Where nothing is selected, there are none. `sql` is the comparison where Python's operators do not say it.
    """
    best, compares = {"MIN": np.min, "MAX": np.max}[extreme], sql or holds

    def exact(s: State) -> np.ndarray:
        cells = s.column if column != "none" else np.arange(len(s.row_select_1))
        selected = cells[s.row_select_1 & ~missing(cells)]
        return holds(cells, best(selected)) if len(selected) else np.zeros_like(s.row_select_1)

    def expression(q: Query) -> Any:
        cells = q.column if column != "none" else q.row
        return compares(cells, q.aggregate(extreme, cells, q.row_select_1))

    return Operation(name, "rows", column, "none", None, exact, expression, about)


def _frequent(name: str, most: bool, about: str) -> Operation:
    """The selected rows whose cell is the most frequent one of the selected, or the least."""

    def exact(s: State) -> np.ndarray:
        cells, times = np.unique(_selected(s), return_counts=True)
        wanted = (times.max if most else times.min)() if len(cells) else 0
        return s.row_select_1 & np.isin(s.column, cells[times == wanted])

    def expression(q: Query) -> Any:
        return q.row_select_1.and_(q.column.isin(query=q.frequent(q.column, q.row_select_1, most)))

    return Operation(name, "rows", "any", "none", None, exact, expression, about)


def _said(name: str, about: str) -> Operation:
    """A truth in one of the two words of its name."""
    holds, _, other = name.split()
    rows = lambda state: state.row_select_1  # noqa: E731
    return Operation(name, "truth", "none", "none", None, rows, rows, about, words=(holds, other))


OPERATIONS: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        Operation(
            "sum", "scalar", "number", "none", column_sum,
            lambda s: float(np.sum(_selected(s))), lambda q: q.aggregate("SUM", q.column, q.row_select_1),
            "the sum of a column over the selected rows",
        ),
        Operation(
            "count", "scalar", "none", "none", count,
            lambda s: float(np.sum(s.row_select_1)), lambda q: q.aggregate("COUNT", None, q.row_select_1),
            "how many rows are selected",
        ),
        Operation(
            "difference", "scalar", "none", "none", difference,
            lambda s: s.scalar_3 - s.scalar_1, lambda q: q.scalar_3 - q.scalar_1,
            "the number three steps ago less the number of the last step",
        ),
        _comparison(
            "greater", lambda cell, low, high: cell > high, lambda q: q.column > q.high,
            "the rows whose cell is greater than a number, or later than a time",
        ),
        _comparison(
            "lesser", lambda cell, low, high: cell < low, lambda q: q.column < q.low,
            "the rows whose cell is less than a number, or earlier than a time",
        ),
        Operation(
            "and", "rows", "none", "none", both,
            lambda s: s.row_select_1 & s.row_select_2, lambda q: q.row_select_2.and_(q.row_select_1),
            "the rows selected by both of the last two steps",
        ),
        Operation(
            "or", "rows", "none", "none", either,
            lambda s: s.row_select_1 | s.row_select_2, lambda q: q.row_select_2.or_(q.row_select_1),
            "the rows selected by any of the last two steps",
        ),
        Operation(
            "assign", "lookup", "any", "none", assign,
            lambda s: s.row_select_1, lambda q: q.row_select_1,
            "the cells of a column in the selected rows",
        ),
        Operation(
            "reset", "rows", "none", "none", reset,
            lambda s: np.ones_like(s.row_select_1), lambda q: q.everything,
            "all rows",
        ),
        Operation(
            "text match", "rows", "text", "text", condition("text match"),
            lambda s: np.isin(s.column, s.low) & ~missing(s.column), _is_text,
            "the rows whose cell is a text", lambda cell, low, high: cell == low,
        ),
        Operation(
            "text other", "rows", "text", "text", condition("text other"),
            lambda s: ~np.isin(s.column, s.low) & ~missing(s.column), _is_other_text,
            "the rows whose cell is another text", lambda cell, low, high: cell != low,
        ),
        _comparison(
            "equal", lambda cell, low, high: (cell >= low) & (cell <= high), _is_within,
            "the rows whose cell is a number, or within a time",
        ),
        _comparison(
            "not equal", lambda cell, low, high: (cell < low) | (cell > high),
            _is_outside,
            "the rows whose cell is another number, or outside of a time",
        ),
        _comparison(
            "at least", lambda cell, low, high: cell >= low, lambda q: q.column >= q.low,
            "the rows whose cell is a number or more, or a time or later",
        ),
        _comparison(
            "at most", lambda cell, low, high: cell <= high, lambda q: q.column <= q.high,
            "the rows whose cell is a number or less, or a time or earlier",
        ),
        Operation(
            "not", "rows", "none", "none", others,
            lambda s: ~s.row_select_1, lambda q: q.row_select_1.is_(True).not_(),
            "the rows that the last step did not select",
        ),
        Operation(
            "average", "scalar", "number", "none", average,
            _of(np.mean), lambda q: q.aggregate("AVG", q.column, q.row_select_1),
            "the average of a column over the selected rows",
        ),
        Operation(
            "maximum", "scalar", "number", "none", maximum,
            _of(np.max), lambda q: q.aggregate("MAX", q.column, q.row_select_1),
            "the greatest cell of a column in the selected rows",
        ),
        Operation(
            "minimum", "scalar", "number", "none", minimum,
            _of(np.min), lambda q: q.aggregate("MIN", q.column, q.row_select_1),
            "the least cell of a column in the selected rows",
        ),
        Operation(
            "greatest", "rows", "ordered", "none", greatest, _most(np.max),
            lambda q: q.row_select_1.and_(q.column.eq(q.aggregate("MAX", q.column, q.row_select_1))),
            "of the selected rows, those with the greatest cell of a column",
        ),
        Operation(
            "least", "rows", "ordered", "none", least, _most(np.min),
            lambda q: q.row_select_1.and_(q.column.eq(q.aggregate("MIN", q.column, q.row_select_1))),
            "of the selected rows, those with the least cell of a column",
        ),
        Operation(
            "decline", "nothing", "none", "none", reset,
            lambda s: s.row_select_1, lambda q: q.everything,
            "no answer: the table does not hold what is asked for",
        ),
        _beyond(
            "first", "none", "MIN", lambda row, first: row == first,
            "the first of the selected rows", lambda row, first: row.eq(first),
        ),
        _beyond(
            "last", "none", "MAX", lambda row, last: row == last,
            "the last of the selected rows", lambda row, last: row.eq(last),
        ),
        _beyond(
            "previous", "none", "MIN", lambda row, first: row == first - 1,
            "the row directly before the first of the selected ones", lambda row, first: row.eq(first - 1),
        ),
        _beyond(
            "next", "none", "MAX", lambda row, last: row == last + 1,
            "the row directly after the last of the selected ones", lambda row, last: row.eq(last + 1),
        ),
        _beyond(
            "above", "none", "MIN", lambda row, first: row < first,
            "all rows before the first of the selected ones",
        ),
        _beyond(
            "below", "none", "MAX", lambda row, last: row > last,
            "all rows after the last of the selected ones",
        ),
        _beyond(
            "more", "ordered", "MAX", lambda cell, greatest: cell > greatest,
            "the rows whose cell is greater than the greatest one of the selected rows",
        ),
        _beyond(
            "fewer", "ordered", "MIN", lambda cell, least: cell < least,
            "the rows whose cell is less than the least one of the selected rows",
        ),
        Operation(
            "same", "rows", "any", "none", None,
            lambda s: np.isin(s.column, _selected(s)) & ~s.row_select_1,
            lambda q: q.column.isin(query=q.cells(q.column, q.row_select_1)).and_(q.row_select_1.is_(True).not_()),
            "the other rows that have a cell of the selected ones in a column",
        ),
        _frequent("most common", True, "of the selected rows, those with the most frequent cell of a column"),
        Operation(
            "distinct", "scalar", "any", "none", None,
            lambda s: float(len(np.unique(_selected(s)))),
            lambda q: q.aggregate("COUNT DISTINCT", q.column, q.row_select_1),
            "how many different cells a column has in the selected rows",
        ),
        Operation(
            "whether", "truth", "none", "none", None,
            lambda s: s.row_select_1, lambda q: q.row_select_1,
            "whether any row is selected",
        ),
        _frequent("least common", False, "of the selected rows, those with the least frequent cell of a column"),
        Operation(
            "years", "scalar", "none", "none", None,
            lambda s: s.scalar_1, lambda q: q.scalar_1,
            "the number of the last step, as so many years", words=("year", "years"),
        ),
        _said("more or less", "more where any row is selected, else less"),
        _said("above or below", "above where any row is selected, else below"),
        _said("before or after", "before where any row is selected, else after"),
    )
}  # fmt: skip

EXTREMES = (maximum, minimum, greatest, least)  # the soft definitions that read Memory.above
PAPER = ("sum", "count", "difference", "greater", "lesser", "and", "or", "assign", "reset")  # Table 1
TEXT = (*PAPER, "text match")  # and section 2.3.1
ALL = tuple(name for name, operation in OPERATIONS.items() if operation.soft is not None)
EVERY = tuple(OPERATIONS)  # and those without a soft definition
ORDER = ("first", "last", "previous", "next", "above", "below")  # those that need the order of the rows
COMPARISONS = ("greater", "lesser")  # those of the paper, which take one number for the whole question


@cache
def named(names: tuple[str, ...]) -> tuple[Operation, ...]:
    """The operations of these names."""
    return tuple(OPERATIONS[name] for name in names)


@cache
def acting(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """Those of the operations that act on a column."""
    return tuple(operation for operation in operations if operation.column != "none")


@cache
def conditions(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """Those of the operations that take an argument."""
    return tuple(operation for operation in operations if operation.argument != "none")
