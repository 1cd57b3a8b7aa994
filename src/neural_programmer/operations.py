"""The operations, each defined once: what it needs, what it updates, its soft and its exact definition.

Table 1 of the paper, with the text match of section 2.3.1. The soft definitions compute with probabilities and are
written over the array API; they do not know whether a selection was soft, hard or sampled. The exact definitions
compute with sets of rows in float64 and are the judges of the soft ones.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from neural_programmer.arrays import Array, namespace

Updates = Literal["scalar", "lookup", "rows"]


class Pivot(NamedTuple):
    """The number that a comparison compares with: question numbers and the weight of each."""

    numbers: Float[Array, "numbers"]  # qn
    weights: Float[Array, "numbers"]  # beta_op, sums to one


class Memory(NamedTuple):
    """What the operations may read at step t."""

    table: Float[Array, "rows columns"]
    rows: Float[Array, "rows"]  # 1 for a row of the table, 0 for padding
    number_columns: Float[Array, "columns"]  # 1 where a column holds numbers
    text_match: Float[Array, "rows columns"]  # 0 where a column holds numbers
    pivots: dict[str, Pivot]
    row_select_1: Float[Array, "rows"]  # row_select_{t-1}
    row_select_2: Float[Array, "rows"]  # row_select_{t-2}
    scalar_1: Float[Array, ""]  # scalar_answer_{t-1}
    scalar_3: Float[Array, ""]  # scalar_answer_{t-3}


class State(NamedTuple):
    """What the exact definitions may read at step t: the chosen column, its argument, and earlier results."""

    column: np.ndarray
    argument: Any
    row_select_1: Bool[np.ndarray, "rows"]
    row_select_2: Bool[np.ndarray, "rows"]
    scalar_1: float
    scalar_3: float


@dataclass(frozen=True)
class Operation:
    """One operation.

    `updates` names the variable it writes; `column` the kind of column it acts on, if any; `argument` what it takes
    from the question. `soft` returns a value for every column if it has one to act on, else one value for all.
    """

    name: str
    updates: Updates
    column: Literal["none", "number", "text", "any"]
    argument: Literal["none", "number", "text"]
    soft: Callable[[Memory], Array]
    exact: Callable[[State], Any]


def column_sums(memory: Memory) -> Float[Array, "columns"]:
    """sum_t[j] = sum_i row_select_{t-1}[i] * table[i][j]

    Elementwise products, not a matrix product: GPUs multiply matrices in TF32 unless told otherwise.
    """
    return namespace(memory.table).sum(memory.row_select_1[:, None] * memory.table, axis=0)


def count(memory: Memory) -> Float[Array, ""]:
    """count_t = sum_i row_select_{t-1}[i]"""
    return namespace(memory.table).sum(memory.row_select_1)


def difference(memory: Memory) -> Float[Array, ""]:
    """diff_t = scalar_answer_{t-3} - scalar_answer_{t-1}"""
    return memory.scalar_3 - memory.scalar_1


def greater(memory: Memory) -> Float[Array, "rows columns"]:
    """g_t[i][j] = table[i][j] > pivot_g"""
    return _compare(memory, memory.pivots["greater"], lambda cell, pivot: cell > pivot)


def lesser(memory: Memory) -> Float[Array, "rows columns"]:
    """l_t[i][j] = table[i][j] < pivot_l"""
    return _compare(memory, memory.pivots["lesser"], lambda cell, pivot: cell < pivot)


def _compare(memory: Memory, pivot: Pivot, compare: Callable) -> Float[Array, "rows columns"]:
    """sum_n beta(n) [table[i][j] compared with qn_n], zero for padding and for columns of text.

    With one number this is the paper's definition; with several, its expectation over the choice of the number.
    """
    xp = namespace(memory.table)
    holds = xp.astype(compare(memory.table[:, :, None], pivot.numbers), memory.table.dtype)
    return xp.sum(holds * pivot.weights, axis=-1) * memory.rows[:, None] * memory.number_columns


def both(memory: Memory) -> Float[Array, "rows"]:
    """and_t[i] = min(row_select_{t-1}[i], row_select_{t-2}[i])"""
    return namespace(memory.table).minimum(memory.row_select_1, memory.row_select_2)


def either(memory: Memory) -> Float[Array, "rows"]:
    """or_t[i] = max(row_select_{t-1}[i], row_select_{t-2}[i])"""
    return namespace(memory.table).maximum(memory.row_select_1, memory.row_select_2)


def assign(memory: Memory) -> Float[Array, "rows columns"]:
    """assign_t[i][j] = row_select_{t-1}[i]"""
    return namespace(memory.table).broadcast_to(memory.row_select_1[:, None], memory.table.shape)


def reset(memory: Memory) -> Float[Array, "rows"]:
    """reset_t[i] = 1 (for the rows of the table; padding stays 0)"""
    return memory.rows


def text_match(memory: Memory) -> Float[Array, "rows columns"]:
    """text_match[m][k], computed before the steps from question and cells (section 2.3.1)"""
    return memory.text_match


OPERATIONS: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        Operation("sum", "scalar", "number", "none", column_sums, lambda s: float(np.sum(s.column[s.row_select_1]))),
        Operation("count", "scalar", "none", "none", count, lambda s: float(np.sum(s.row_select_1))),
        Operation("difference", "scalar", "none", "none", difference, lambda s: s.scalar_3 - s.scalar_1),
        Operation("greater", "rows", "number", "number", greater, lambda s: s.column > s.argument),
        Operation("lesser", "rows", "number", "number", lesser, lambda s: s.column < s.argument),
        Operation("and", "rows", "none", "none", both, lambda s: s.row_select_1 & s.row_select_2),
        Operation("or", "rows", "none", "none", either, lambda s: s.row_select_1 | s.row_select_2),
        Operation("assign", "lookup", "any", "none", assign, lambda s: s.row_select_1),
        Operation("reset", "rows", "none", "none", reset, lambda s: np.ones_like(s.row_select_1)),
        Operation("text match", "rows", "text", "text", text_match, lambda s: np.isin(s.column, s.argument)),
    )
}

COMPARISONS = tuple(name for name, operation in OPERATIONS.items() if operation.argument == "number")


def available(text_match: bool) -> tuple[Operation, ...]:
    """The operations of a model: the nine of Table 1, and text match where tables hold text."""
    return tuple(operation for operation in OPERATIONS.values() if text_match or operation.argument != "text")
