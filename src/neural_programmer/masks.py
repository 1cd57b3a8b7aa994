"""Sets of rows as masks over the rows of all tables that a question is asked of, and the moves that select them."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from neural_programmer.operations import Needed, Operation
from neural_programmer.table import Table, is_date, is_text


class Move(NamedTuple):
    """A step of a program as a network chooses it: the column's place, and the place of a number or of a link."""

    operation: str
    column: int = -1
    number: int = -1
    link: int = -1


class Condition(NamedTuple):
    """One condition: where the question says its argument, its move, and the rows for which it holds."""

    position: int
    move: Move
    rows: Bool[np.ndarray, "rows"]


@dataclass(frozen=True)
class RowSets:
    """Sets of rows, and the moves that select each."""

    rows: Bool[np.ndarray, "sets rows"]
    moves: Callable[[int], list[Move]]
    extreme: bool = False  # whether they are the rows with the greatest or least cell of others


class Tables:
    """A question's tables, all with the same columns, as one table whose rows know where they came from.

    Beside the built-in operations, `own` ones may act on them: what they gave is remembered.
    """

    def __init__(self, tables: Sequence[Table], own: Sequence[Operation] = ()) -> None:
        self.own = tuple(own)
        self.given: dict[tuple[object, ...], Any] = {}
        self.names = tables[0].names
        self.columns = [np.concatenate(parts) for parts in zip(*(table.columns for table in tables), strict=True)]
        self.lengths = np.array([table.rows for table in tables])
        self.rows = int(self.lengths.sum())
        self.table_of = np.repeat(np.arange(len(tables)), self.lengths)
        self.member = (self.table_of[:, None] == np.arange(len(tables))).astype(float)
        self.numeric = [slot for slot, c in enumerate(self.columns) if not is_text(c) and not is_date(c)]
        self.ordered = [slot for slot, c in enumerate(self.columns) if not is_text(c)]

    def summed(self, values: Float[np.ndarray, "*sets rows"]) -> Float[np.ndarray, "*sets tables"]:
        """Sums over the rows of each table."""
        return values @ self.member

    def of_kind(self, kind: Needed) -> list[int]:
        """The columns that an operation may act on."""
        text = [slot for slot, column in enumerate(self.columns) if is_text(column)]
        every = list(range(len(self.columns)))
        return {"number": self.numeric, "ordered": self.ordered, "text": text, "any": every}.get(kind, [])

    def own_slots(self, entry: Operation, columns: Collection[int] | None) -> list[int]:
        """Those of some columns that an operation may act on."""
        return [slot for slot in self.of_kind(entry.column) if columns is None or slot in columns]

    def largest(self, values: Float[np.ndarray, "*sets rows"]) -> Float[np.ndarray, "*sets tables"]:
        """The largest of each table; minus infinity where there is none."""
        result = np.full((*values.shape[:-1], len(self.lengths)), -np.inf)
        some = np.flatnonzero(self.lengths)
        if len(some):
            starts = (np.cumsum(self.lengths) - self.lengths)[some]
            result[..., some] = np.maximum.reduceat(values, starts, axis=-1)
        return result
