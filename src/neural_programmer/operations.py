"""The operations, each defined once: what it needs, what it updates, its soft and its exact definition.

Table 1 of the paper, with the text match of section 2.3.1. The soft definitions compute with probabilities and are
written over the array API; they do not know whether a selection was soft or hard. The exact definitions compute with
sets of rows in float64 and are the judges of the soft ones.
"""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from neural_programmer.arrays import Array, contract, namespace

Updates = Literal["scalar", "lookup", "rows"]
Kind = Literal["none", "number", "text", "any"]


class Memory(NamedTuple):
    """What the operations may read at step t."""

    table: Float[Array, "rows columns"]
    rows: Float[Array, "rows"]  # 1 for a row of the table, 0 for padding
    conditions: dict[str, Float[Array, "rows columns candidates"]]  # whether each holds, for each argument it may take
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


Column = Float[Array, "columns"]  # alpha^col_t, sums to one
Argument = Float[Array, "columns candidates"] | None  # beta_op, sums to one for each column; of those that take one


@dataclass(frozen=True)
class Operation:
    """One operation.

    `updates` names the variable it writes; `column` the kind of column it acts on, if any; `argument` what it takes
    from the question. `soft` gets the selected column and argument as distributions, `exact` as they are. `holds` is
    the condition that an operation with an argument puts on a cell.
    """

    name: str
    updates: Updates
    column: Kind
    argument: Literal["none", "number", "text"]
    soft: Callable[[Memory, Column, Argument], Array]
    exact: Callable[[State], Any]
    holds: Callable[[Array, Array], Array] | None = None


def column_sum(memory: Memory, column: Column, argument: Argument) -> Float[Array, ""]:
    """sum_j a(j) sum_t[j],  sum_t[j] = sum_i row_select_{t-1}[i] * table[i][j]"""
    return namespace(memory.table).sum(column * contract(memory.row_select_1, memory.table))


def count(memory: Memory, column: Column, argument: Argument) -> Float[Array, ""]:
    """count_t = sum_i row_select_{t-1}[i]"""
    return namespace(memory.table).sum(memory.row_select_1)


def difference(memory: Memory, column: Column, argument: Argument) -> Float[Array, ""]:
    """diff_t = scalar_answer_{t-3} - scalar_answer_{t-1}"""
    return memory.scalar_3 - memory.scalar_1


def greater(memory: Memory, column: Column, argument: Argument) -> Float[Array, "rows"]:
    """sum_j a(j) g_t[i][j],  g_t[i][j] = sum_n b(n | j) [table[i][j] > qn_n]

    With one number this is the paper's definition; with several, its expectation over the choice of the number.
    """
    return _condition(memory.conditions["greater"], column, argument)


def lesser(memory: Memory, column: Column, argument: Argument) -> Float[Array, "rows"]:
    """sum_j a(j) l_t[i][j],  l_t[i][j] = sum_n b(n | j) [table[i][j] < qn_n]"""
    return _condition(memory.conditions["lesser"], column, argument)


def text_match(memory: Memory, column: Column, argument: Argument) -> Float[Array, "rows"]:
    """sum_j a(j) match[i][j],  match[i][j] = sum_n b(n | j) [cell i j is the word n]

    or, as in section 2.3.1, what was computed before the steps from question and cells.
    """
    return _condition(memory.conditions["text match"], column, argument)


def _condition(
    holds: Float[Array, "rows columns candidates"], column: Column, argument: Argument
) -> Float[Array, "rows"]:
    """sum_jn a(j) b(n | j) holds[i][j][n], as one product: samples of a question share its conditions."""
    xp = namespace(holds, column)
    return contract(xp.reshape(holds, (holds.shape[0], -1)), xp.reshape(column[:, None] * argument, (-1,)))


def both(memory: Memory, column: Column, argument: Argument) -> Float[Array, "rows"]:
    """and_t[i] = min(row_select_{t-1}[i], row_select_{t-2}[i])"""
    return namespace(memory.table).minimum(memory.row_select_1, memory.row_select_2)


def either(memory: Memory, column: Column, argument: Argument) -> Float[Array, "rows"]:
    """or_t[i] = max(row_select_{t-1}[i], row_select_{t-2}[i])"""
    return namespace(memory.table).maximum(memory.row_select_1, memory.row_select_2)


def assign(memory: Memory, column: Column, argument: Argument) -> Float[Array, "rows"]:
    """assign_t[i][j] = row_select_{t-1}[i], the same for every column"""
    return memory.row_select_1


def reset(memory: Memory, column: Column, argument: Argument) -> Float[Array, "rows"]:
    """reset_t[i] = 1 (for the rows of the table; padding stays 0)"""
    return memory.rows


OPERATIONS: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        Operation("sum", "scalar", "number", "none", column_sum, lambda s: float(np.sum(s.column[s.row_select_1]))),
        Operation("count", "scalar", "none", "none", count, lambda s: float(np.sum(s.row_select_1))),
        Operation("difference", "scalar", "none", "none", difference, lambda s: s.scalar_3 - s.scalar_1),
        Operation("greater", "rows", "number", "number", greater, lambda s: s.column > s.argument, operator.gt),
        Operation("lesser", "rows", "number", "number", lesser, lambda s: s.column < s.argument, operator.lt),
        Operation("and", "rows", "none", "none", both, lambda s: s.row_select_1 & s.row_select_2),
        Operation("or", "rows", "none", "none", either, lambda s: s.row_select_1 | s.row_select_2),
        Operation("assign", "lookup", "any", "none", assign, lambda s: s.row_select_1),
        Operation("reset", "rows", "none", "none", reset, lambda s: np.ones_like(s.row_select_1)),
        Operation(
            "text match", "rows", "text", "text", text_match, lambda s: np.isin(s.column, s.argument), operator.eq
        ),
    )
}

COMPARISONS = tuple(name for name, operation in OPERATIONS.items() if operation.argument == "number")


def available(text_match: bool) -> tuple[Operation, ...]:
    """The operations of a model: the nine of Table 1, and text match where tables hold text."""
    return tuple(operation for operation in OPERATIONS.values() if text_match or operation.argument != "text")


def acting(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """Those of the operations that act on a column."""
    return tuple(operation for operation in operations if operation.column != "none")


def conditions(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """Those of the operations that take an argument."""
    return tuple(operation for operation in operations if operation.argument != "none")
