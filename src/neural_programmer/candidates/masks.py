"""Sets of rows as masks over the rows of all tables that a question is asked of, and the moves that select them."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.programs.operations import OPERATIONS, Needed, Operation, missing
from neural_programmer.tables.table import Table, is_date, is_text


class Move(NamedTuple):
    """A step of a program as a network chooses it: the column's place, and the place of a number or of a link."""

    operation: str
    column: int = -1
    number: int = -1
    link: int = -1


def move_of(numbered: Sequence[int], operations: Sequence[str], numbers: int) -> Move:
    """A move of which the places are known: of its operation, its column, and its argument, which is one of so many
    numbers or after these one of the links; without those that it does not use."""
    place, column, argument = numbered
    entry = OPERATIONS[operations[place]]
    column = column if entry.column != "none" else -1
    if entry.argument == "none":
        return Move(entry.name, column)
    if argument < numbers:
        return Move(entry.name, column, number=argument)
    return Move(entry.name, column, link=argument - numbers)


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
    extreme: bool = False  # whether they are chosen of others, such as those with the greatest cell
    counts: bool = True  # whether it is worth while to count them
    only: int = -1  # the column to look up cells of, if it is one only

    def some(self, which: Bool[np.ndarray, "sets"]) -> "RowSets":
        """Those of the sets."""
        places = np.flatnonzero(which)
        return replace(self, rows=self.rows[places], moves=lambda place: self.moves(int(places[place])))


class Tables:
    """A question's tables, all with the same columns, as one table whose rows know where they came from.

    Beside the built-in operations, `own` ones may act on them: what they gave is remembered.
    """

    def __init__(self, tables: Sequence[Table], own: Sequence[Operation] = ()) -> None:
        self.own = tuple(own)
        self.given: dict[tuple[object, ...], Any] = {}
        self.names = tables[0].names
        every = zip(*(table.columns for table in tables), strict=True)
        self.columns = [parts[0] if len(tables) == 1 else np.concatenate(parts) for parts in every]
        self.lengths = np.array([table.rows for table in tables])
        self.rows = int(self.lengths.sum())
        self.table_of = np.repeat(np.arange(len(tables)), self.lengths)
        self.member = (self.table_of[:, None] == np.arange(len(tables))).astype(float)
        ends = np.cumsum(self.lengths)
        self.slices = [slice(end - length, end) for end, length in zip(ends, self.lengths, strict=True)]
        self.views = {self.names.index(name): view for name, (_, view) in tables[0].views.items()}
        self._kept: dict[str, Any] = {}
        self._numbered: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]] = {}
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

    def kept(self, what: str, make: Callable[[], Any]) -> Any:
        """What is made once for all questions about these tables."""
        if what not in self._kept:
            self._kept[what] = make()
        return self._kept[what]

    def spelled(self, slot: int, texts: tuple[str, ...]) -> tuple[str, ...]:
        """The texts that are meant by some of a column: by one alone, all that differ from it by their case (see
        Index.spellings, which programs are made with)."""
        if len(texts) != 1 or not is_text(self.columns[slot]):
            return texts
        alike = self.kept(f"spellings {slot}", lambda: _by_case(self.columns[slot][self.slices[0]]))
        return tuple(dict.fromkeys([*texts, *alike.get(texts[0].casefold(), ())]))

    def numbered(self, slot: int, part: slice) -> tuple[Int[np.ndarray, "rows"], Bool[np.ndarray, "rows"]]:
        """Of some rows the number of the text in a column, the same for the same, and where there is one."""
        key = slot, part.start
        if key not in self._numbered:
            column = self.columns[slot][part]
            _, number = np.unique(column.astype(str) if is_date(column) else column, return_inverse=True)
            self._numbered[key] = number, ~missing(column)
        return self._numbered[key]

    def largest(self, values: Float[np.ndarray, "*sets rows"]) -> Float[np.ndarray, "*sets tables"]:
        """The largest of each table; minus infinity where there is none."""
        result = np.full((*values.shape[:-1], len(self.lengths)), -np.inf)
        some = np.flatnonzero(self.lengths)
        if len(some):
            starts = (np.cumsum(self.lengths) - self.lengths)[some]
            result[..., some] = np.maximum.reduceat(values, starts, axis=-1)
        return result


def _by_case(column: np.ndarray) -> dict[str, list[str]]:
    """The different texts of a column by what they are in whatever case."""
    found: dict[str, list[str]] = {}
    for text in dict.fromkeys(column.tolist()):
        found.setdefault(text.casefold(), []).append(text)
    return found
