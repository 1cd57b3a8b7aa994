"""A table: named columns of numbers, of dates or of text, all of the same length.

A missing cell is NaN, not-a-time or the empty text.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from neural_programmer.base.notebook import line, shortened
from neural_programmer.errors import NeuralProgrammerError, UsageError

Kind = Literal["number", "text", "date", "boolean"]  # of a column
CellKind = Literal["number", "date", "text"]  # of a cell, as programs compute with it: truths are texts
KINDS: dict[Kind, CellKind] = {"number": "number", "date": "date", "text": "text", "boolean": "text"}  # of columns
CELL_KINDS: dict[str, CellKind] = {"f": "number", "i": "number", "u": "number", "M": "date"}  # by NumPy's letters
Style = Literal[
    "", "point", "comma", "day", "month"
]  # what is before the decimals of its numbers, or first in its dates
CellForm = Literal["typed", "written"]  # numbers, dates and texts; or texts as people write them, with views of them
IN_MEMORY = 100_000  # cells of a table that is answered by the interpreter, which takes less time than a query
TRIED_ON = 1_000  # rows of a table that many programs are tried on before one is chosen
TABLE_BYTES = 2_000_000_000  # of a table in memory, which gives every text of a column the room of the longest


@dataclass(frozen=True)
class Table:
    """Columns in order, made float64 where they hold numbers, text where they hold neither these nor dates."""

    names: tuple[str, ...]
    columns: tuple[np.ndarray, ...]
    views: Mapping[str, tuple[str, Any]] = field(default_factory=dict)
    """Of the columns that were read from others, from which, and by which view (see views.py)."""

    def __post_init__(self) -> None:
        for given in (self.names, self.columns):
            if not isinstance(given, Sequence) or isinstance(given, str | bytes):
                raise UsageError(f"a table is made of names and columns, each a list or tuple, not {given!r:.60}")
        for name in self.names:
            if not isinstance(name, str):
                raise UsageError(f"the name of a column is a text, not {name!r:.60}")
        if not self.names:
            raise NeuralProgrammerError("a table needs at least one column, and this one has none")
        if len(self.names) != len(self.columns):
            raise NeuralProgrammerError(f"{len(self.names)} column names were given for {len(self.columns)} columns")
        if len(set(self.names)) < len(self.names):
            twice = next(name for name in self.names if self.names.count(name) > 1)
            raise NeuralProgrammerError(f"column name {twice!r} stands twice; give every column a name of its own")
        if any(not name.split() for name in self.names):
            raise NeuralProgrammerError("a column has an empty name; give every column a name")
        object.__setattr__(self, "names", tuple(self.names))
        columns = (np.asarray(column) for column in self.columns)
        object.__setattr__(self, "columns", tuple(c.astype(_kept(c.dtype)) for c in columns))
        lengths = {len(column) for column in self.columns}
        if len(lengths) > 1:
            raise NeuralProgrammerError(f"columns must have the same number of rows, not {sorted(lengths)}")

    def __repr__(self) -> str:
        """In a line: how many rows it has, and its columns."""
        return line("Table", f"{self.rows:,} rows", shortened(f"columns {', '.join(self.names)}"))

    @property
    def rows(self) -> int:
        return len(self.columns[0])

    def column(self, name: str) -> np.ndarray:
        if name not in self.names:
            raise NeuralProgrammerError(f"no column {name!r}; the table has: {', '.join(self.names)}")
        return self.columns[self.names.index(name)]

    def head(self, rows: int) -> "Table":
        """Return the first rows as a table."""
        if rows >= self.rows:
            return self
        return Table(self.names, tuple(column[:rows] for column in self.columns), self.views)

    def is_text(self, name: str) -> bool:
        return is_text(self.column(name))

    def records(self) -> list[list[float | str]]:
        """Return the rows as plain Python values, dates as they are written."""
        return [list(row) for row in zip(*(plain(column) for column in self.columns), strict=True)]


def without_rows(columns: Mapping[str, Kind]) -> Table:
    """Return columns of these names and kinds that hold nothing."""
    kinds = {"number": float, "date": "M8[D]", "text": str, "boolean": str}
    return Table(tuple(columns), tuple(np.empty(0, kinds[kind]) for kind in columns.values()))


@dataclass(frozen=True)
class Rows:
    """The rows of a table that candidate programs run on."""

    whole: Table | None
    """All of it, where it is in memory: a few programs are tried on that, for what the first rows lack misleads."""
    first: Callable[[], Table]
    """Its first rows: many programs are tried on these."""
    prepared: dict[Hashable, Any] = field(default_factory=dict)
    """What was made of them for all questions, with the table that it was made of."""

    def prepare(self, table: Table, what: Hashable, make: Callable[[], Any]) -> Any:
        """What is made of these rows once for all questions; of many cells for each, so that little is kept."""
        if table.rows * len(table.names) > IN_MEMORY:
            return make()
        known = self.prepared.get(what)
        if known is None or known[0] is not table:
            known = self.prepared[what] = table, make()
        return known[1]

    @classmethod
    def of(cls, table: Table) -> "Rows":
        """Return those of a table that asking would open; it is in memory if asking would have it there."""
        whole = table if table.rows * len(table.names) <= IN_MEMORY else None
        return cls(whole, lambda: table.head(TRIED_ON))


def _kept(dtype: np.dtype) -> np.dtype | type:
    """float64 for numbers, days or finer for dates, text for all else."""
    kind = CELL_KINDS.get(dtype.kind, "text")
    if kind == "date":
        return dtype if np.datetime_data(dtype)[0] in ("h", "m", "s", "ms", "us", "ns") else np.dtype("M8[D]")
    return float if kind == "number" else str


def column_kind(column: np.ndarray) -> CellKind:
    """Return what the cells of a column are: the one place that tells it from how they are held.

    >>> [column_kind(np.array(cells)) for cells in ([1.5], ["a"], [np.datetime64("2024-01-02")])]
    ['number', 'text', 'date']
    """
    return CELL_KINDS.get(column.dtype.kind, "text")


def is_text(column: np.ndarray) -> bool:
    """Return whether a column holds texts; truths are the texts true and false."""
    return column_kind(column) == "text"


def is_date(column: np.ndarray) -> bool:
    """Return whether a column holds days or moments."""
    return column_kind(column) == "date"


def missing(column: np.ndarray) -> np.ndarray:
    """Return where there is no cell: NaN, not-a-time, or empty text."""
    return column == "" if is_text(column) else column != column


def is_boolean(column: np.ndarray) -> bool:
    """Return whether a column holds truths alone, which are written as text."""
    return is_text(column) and set(column.tolist()) - {""} in ({"true"}, {"false"}, {"true", "false"})


def plain(column: np.ndarray) -> list[float | str]:
    """Return the cells as plain Python values."""
    return (column.astype(str) if is_date(column) else column).tolist()
