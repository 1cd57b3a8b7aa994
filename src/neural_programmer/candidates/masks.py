"""Sets of rows as masks over the rows of all tables that a question is asked of, and the moves that select them."""

import copy
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from neural_programmer.candidates.config import CANDIDATES, CandidateConfig
from neural_programmer.programs.aggregates import Needed
from neural_programmer.programs.expressions import Given
from neural_programmer.programs.frame import Frame
from neural_programmer.programs.interpreter import Interpreter, TooManyCalls
from neural_programmer.programs.moves import Move
from neural_programmer.programs.operations import Operation
from neural_programmer.programs.own import limited
from neural_programmer.programs.program import Argument
from neural_programmer.programs.state import below
from neural_programmer.tables.table import Table, is_text

MOST_CALLS = 20_000  # of one's own operations, for one question
SEARCHING = 60.0  # seconds for the calls of one's own operation on many sets of rows


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


class Tables(Frame):
    """A question's tables, all with the same columns, as one frame that programs are tried on.

    Beside the built-in operations, `own` ones may act on them: what they gave is remembered. `limits` say how many
    programs are tried on them.
    """

    def __init__(
        self, tables: Sequence[Table], own: Sequence[Operation] = (), limits: CandidateConfig = CANDIDATES
    ) -> None:
        super().__init__(tables, MOST_CALLS)
        self.own, self.limits = tuple(own), limits
        self.views = {self.names.index(name): view for name, (_, view) in tables[0].views.items()}
        self._made: dict[str, Any] = {}
        self._expressions: dict[tuple[Operation, int], Any] = {}
        self.numeric = [slot for slot, kind in enumerate(self.kinds) if kind == "number"]
        self.ordered = [slot for slot, kind in enumerate(self.kinds) if kind != "text"]

    def for_a_question(self) -> "Tables":
        """The same, with what it prepared, as a question begins with it: of one's own operations nothing is known."""
        other = copy.copy(self)
        other.applied = {}
        return other

    def given(
        self, entry: Operation, rows: Bool[np.ndarray, "*sets rows"], slot: int = -1, argument: Argument = None
    ) -> np.ndarray | None:
        """What an operation gives where these rows are selected: rows, or a number for each table.

        None, where one's own operation would have to be called too often.
        """
        node, interpreter = self._expression(entry, slot, argument), Interpreter(self, rows)
        give = interpreter.number if entry.updates == "scalar" else interpreter.rows
        if entry.own is None:
            return give(node)
        try:
            return limited(str(entry), lambda: give(node), SEARCHING)
        except TooManyCalls:
            return None

    def _expression(self, entry: Operation, slot: int, argument: Argument) -> Any:
        """What an operation gives of some rows; where it takes no argument, built once."""
        key = entry, slot
        if argument is None and key in self._expressions:
            return self._expressions[key]
        node = entry.expression(below(self.column(self.names[slot]) if slot >= 0 else None, argument, Given()))
        if argument is None:
            self._expressions[key] = node
        return node

    def summed(self, values: Float[np.ndarray, "*sets rows"]) -> Float[np.ndarray, "*sets tables"]:
        """Sums over the rows of each table."""
        return self.tables.summed(values)

    def of_kind(self, kind: Needed, columns: Collection[int] | None = None) -> list[int]:
        """The columns that an operation may act on, those of some `columns`."""
        kinds = {"number": ("number",), "ordered": ("number", "date"), "text": ("text",), "none": ()}.get(kind)
        fitting = (slot for slot, has in enumerate(self.kinds) if kinds is None or has in kinds)
        return [slot for slot in fitting if columns is None or slot in columns]

    def kept(self, what: str, make: Callable[[], Any]) -> Any:
        """What is made once for all questions about these tables."""
        if what not in self._made:
            self._made[what] = make()
        return self._made[what]

    def spelled(self, slot: int, texts: tuple[str, ...]) -> tuple[str, ...]:
        """The texts that are meant by some of a column: by one alone, all that differ from it by their case (see
        Index.spellings, which programs are made with)."""
        if len(texts) != 1 or not is_text(self.columns[slot]):
            return texts
        alike = self.kept(f"spellings {slot}", lambda: _by_case(self.columns[slot][self.slices[0]]))
        return tuple(dict.fromkeys([*texts, *alike.get(texts[0].casefold(), ())]))


def _by_case(column: np.ndarray) -> dict[str, list[str]]:
    """The different texts of a column by what they are in whatever case."""
    found: dict[str, list[str]] = {}
    for text in dict.fromkeys(column.tolist()):
        found.setdefault(text.casefold(), []).append(text)
    return found
