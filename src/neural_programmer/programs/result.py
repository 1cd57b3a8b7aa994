"""The result that an answer says, as a small table. How it came about is in answer.py."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from neural_programmer.errors import UsageError
from neural_programmer.programs.values import plain

ResultKind = Literal["scalar", "lookup", "table", "truth", "none"]
NAMELESS = "answer"  # the column of a number, of a truth, and of cells that no column of a table has


@dataclass(frozen=True)
class Result:
    """A table with the names `columns` and the cells `held`, column by column. A number and a truth are one cell.

    The kinds are `scalar` (a number), `lookup` (the cells of one column), `table`, `truth` (True, False, or a word for
    it) and `none`, which has no columns. There are `more` rows than it holds where they are too many to hold.

    >>> Result.table(("city", "rent"), [("Oslo", 900), ("Rome", 700)]).rows
    (('Oslo', 900), ('Rome', 700))
    """

    kind: ResultKind = "none"
    columns: tuple[str, ...] = ()
    held: tuple[tuple[Any, ...], ...] = ()
    more: int = 0

    def __post_init__(self) -> None:
        if len(self.columns) != len(self.held) or len({len(cells) for cells in self.held}) > 1:
            raise UsageError("a result has a name for each column, and columns of one length")

    @classmethod
    def none(cls) -> "Result":
        """Return the result that says that there is no answer."""
        return cls()

    @classmethod
    def number(cls, value: float) -> "Result":
        """Return a number as a result."""
        return cls("scalar", (NAMELESS,), ((value,),))

    @classmethod
    def truth(cls, value: Any) -> "Result":
        """Return True, False, or a word for it as a result."""
        return cls("truth", (NAMELESS,), ((value,),))

    @classmethod
    def cells(cls, values: Any, column: str = NAMELESS, more: int = 0) -> "Result":
        """Return cells of a column as a result."""
        return cls("lookup", (column,), (tuple(values),), more)

    @classmethod
    def table(cls, columns: Any, rows: Any, more: int = 0) -> "Result":
        """Return rows of some columns as a result."""
        columns, rows = tuple(columns), [tuple(row) for row in rows]
        if any(len(row) != len(columns) for row in rows):
            raise UsageError(f"every row of a result has a cell for each of its {len(columns)} columns")
        return cls("table", columns, tuple(zip(*rows, strict=True)) if rows else ((),) * len(columns), more)

    @property
    def length(self) -> int:
        """Return how many rows it holds."""
        return len(self.held[0]) if self.held else 0

    @property
    def total(self) -> int:
        """Return how many rows there are, with those that it does not hold."""
        return self.length + self.more

    @property
    def truncated(self) -> bool:
        """Return whether it lacks some of the rows."""
        return self.more > 0

    @cached_property
    def rows(self) -> tuple[tuple[Any, ...], ...]:
        """Return the rows that it holds."""
        return tuple(zip(*self.held, strict=True))

    @property
    def scalar(self) -> float | None:
        """Return the number that it is, or None."""
        return self.held[0][0] if self.kind == "scalar" else None

    @property
    def values(self) -> tuple[Any, ...]:
        """Return the cells of a look-up, the rows of a table, or a truth alone. A number has none."""
        if self.kind == "table":
            return self.rows
        return self.held[0] if self.kind in ("lookup", "truth") else ()

    @property
    def value(self) -> Any:
        """Return it as JSON has it: a number, a list of cells (None for a missing one), a list of rows, a truth, or
        None."""
        if self.kind == "none":
            return None
        if self.kind == "table":
            return [[plain(cell) for cell in row] for row in self.rows]
        cells = [plain(cell) for cell in self.held[0]]
        return cells if self.kind == "lookup" else cells[0]

    @property
    def only(self) -> Any:
        """Return the cell of a result that has only one, else None."""
        return self.held[0][0] if len(self.held) == self.total == 1 else None
