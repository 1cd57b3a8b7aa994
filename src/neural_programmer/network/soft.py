"""The soft formulas of section 2: what operations give where selections are probabilities, to train through.

Table 1 of the paper, the text match of section 2.3.1, and formulas of the same kind for some operations beyond them.
They are written over the array API and do not know whether a selection was soft or hard; with hard ones they give what
the expressions of the operations give. Operations without a formula are for networks that are not trained through what
they execute.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from jaxtyping import Float

from neural_programmer.base.arrays import Array, contract, namespace
from neural_programmer.programs import expressions
from neural_programmer.programs.expressions import Constant, In, Within
from neural_programmer.programs.interpreter import COMPARE, within
from neural_programmer.programs.operations import BUILT_IN, CONDITIONS, Operation
from neural_programmer.programs.state import below

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


Column = Float[Array, "columns"]  # alpha^col_t, sums to one
Argument = Float[Array, "columns candidates"] | None  # beta_op, sums to one for each column; of those that take one


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
    """Return the mean of the greatest cells: sum_j a(j) sum_i greatest_t[i][j] table[i][j] / sum_i greatest_t[i][j]"""
    return _mean(memory, column, _extreme(memory, 1.0))


def minimum(memory: Memory, column: Column, argument: Argument) -> Float[Array, ""]:
    """Return the mean of the least cells"""
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
    """Return the same with [table[k][j] < table[i][j]]"""
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
    """Return what is below in the place of what is above: the two rows change places."""
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


FORMULAS: dict[str, Callable[[Memory, Column, Argument], Array]] = {
    "sum": column_sum,
    "count": count,
    "difference": difference,
    "and": both,
    "or": either,
    "assign": assign,
    "reset": reset,
    "not": others,
    "average": average,
    "maximum": maximum,
    "minimum": minimum,
    "greatest": greatest,
    "least": least,
    "decline": reset,
} | {entry.name: condition(entry.name) for entry in CONDITIONS}
ALL = tuple(name for name in BUILT_IN if name in FORMULAS)
ORDERING = ("maximum", "minimum", "greatest", "least")  # those whose formulas read Memory.above


def formula(entry: Operation) -> Callable[[Memory, Column, Argument], Array] | None:
    """Return the soft formula of an operation, or None where it has none."""
    if entry.own is None:
        return FORMULAS.get(entry.name)
    return condition(entry.name) if entry.own.holds is not None else entry.own.soft


def compares(entry: Operation) -> bool:
    """Tell whether a condition can be computed on arrays: one's own may have no formula."""
    return entry.own is None or entry.own.holds is not None


def holds(entry: Operation, cells: Array, low: Array, high: Array) -> Array:
    """Tell whether the condition that an operation puts on a cell holds, for arrays of cells and arguments. Texts are
    compared by their numbers."""
    if entry.own is not None:
        assert entry.own.holds is not None, "it compares"
        return entry.own.holds(cells, low, high)
    least, most = (Constant("least"), Constant("most")) if entry.argument == "text" else (Constant(0.0), Constant(1.0))
    taken = below(expressions.Column("cell", least.kind))._replace(low=least, high=most, texts=(least,))
    test: Any = entry.expression(taken)
    if isinstance(test, Within):
        return within(cells, low, high, test.outside)
    if isinstance(test, In):
        return COMPARE["<>" if test.other else "="](cells, low)
    return COMPARE[test.operator](cells, {least: low, most: high}[test.right])
