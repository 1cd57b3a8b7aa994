"""The data that the interpreter evaluates expressions on: the columns of one table or of several, and the rows of a
relation."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.programs.aggregates import Groups
from neural_programmer.programs.expressions import Column, Group
from neural_programmer.tables.table import CellKind, Table, column_kind, is_date, is_text, missing


class Frame:
    """The columns of one table, or of several tables with the same columns, on which expressions are evaluated.

    Each row knows its table. What is computed of a column is kept. The results of operations of one's own are kept too,
    and of their calls there may be at most `calls`.
    """

    def __init__(self, tables: Sequence[Table], calls: int | None = None) -> None:
        self.names, self.calls, self.first = tables[0].names, calls, tables[0]
        every = zip(*(table.columns for table in tables), strict=True)
        self.columns = [parts[0] if len(tables) == 1 else np.concatenate(parts) for parts in every]
        lengths = [table.rows for table in tables]
        self.lengths, self.rows = np.array(lengths), sum(lengths)
        self.tables = Groups(np.repeat(np.arange(len(tables)), self.lengths), len(tables))
        self.slices = [slice(end - length, end) for end, length in zip(accumulate(lengths), lengths, strict=True)]
        self.kinds: list[CellKind] = [column_kind(column) for column in self.columns]
        self._places = {name: place for place, name in enumerate(self.names)}
        self.applied: dict[tuple[Any, ...], Any] = {}
        self.all = Rows(np.ones(self.rows, bool), self.tables)
        self.each = np.ones(len(tables), bool), Groups(np.arange(len(tables)), len(tables))  # the tables, as a row each
        self._kept: dict[tuple[str, str], Any] = {}

    def column(self, name: str) -> Column:
        """Return the expression that reads a column."""
        return Column(name, self.kinds[self._places[name]])

    def cells(self, name: str) -> np.ndarray:
        """Return the cells of a column."""
        return self.columns[self._places[name]]

    def missing(self, name: str) -> Bool[np.ndarray, "rows"]:
        """Return which cells of a column are missing."""
        return self._keep("missing", name, lambda: missing(self.cells(name)))

    def present(self, name: str) -> Bool[np.ndarray, "rows"]:
        """Return which cells of a column are not missing."""
        return self._keep("present", name, lambda: ~self.missing(name))

    def codes(self, name: str) -> tuple[Groups, Int[np.ndarray, "groups"]]:
        """Group the rows of each table that have the same cell in a column. Return the groups and one row of each."""
        return self._keep("codes", name, lambda: alike([self.cells(name)], self.tables))

    def numbers(self) -> Float[np.ndarray, "rows"]:
        """Return the place of each row in its table, from 0."""
        starts = np.repeat(np.cumsum(self.lengths) - self.lengths, self.lengths)
        return self._keep("numbers", "", lambda: (np.arange(self.rows) - starts).astype(float))

    def _keep(self, what: str, name: str, make: Any) -> Any:
        if (what, name) not in self._kept:
            self._kept[what, name] = make()
        return self._kept[what, name]


def as_numbers(cells: np.ndarray) -> Float[np.ndarray, "*cells"]:
    """Return cells as numbers with the same order. Missing cells are NaN."""
    if is_date(cells):
        return np.where(np.isnat(cells), np.nan, cells.view(np.int64).astype(float))
    if is_text(cells):
        return np.where(cells == "", np.nan, np.unique(cells, return_inverse=True)[1].reshape(cells.shape))
    return cells


def alike(columns: Sequence[np.ndarray], groups: Groups) -> tuple[Groups, Int[np.ndarray, "groups"]]:
    """Group the rows that have the same cells in all columns and are in the same one of `groups`. Return the groups and
    one row of each."""
    number, first = groups.of, np.zeros(0, int)
    for column in columns:
        cells = column.view(np.int64) if is_date(column) else column
        _, code = np.unique(cells, return_inverse=True)
        both = number * (int(code.max(initial=0)) + 1) + code
        _, first, number = np.unique(both, return_index=True, return_inverse=True)
    return Groups(number, len(first)), first


class Rows(NamedTuple):
    """The rows of a relation: `there` says for every set which of them it has, `tables` the table of each.

    Where rows are groups, `group` is their expression, with the cells of its keys and measures, and `first` has one row
    of the table for each group. Where rows are sorted, `order` has the values that they are sorted by, the highest
    first; the last sort comes first.
    """

    there: Bool[np.ndarray, "*sets rows"]
    tables: Groups
    group: Group | None = None
    keys: Sequence[np.ndarray] = ()
    measures: Sequence[np.ndarray] = ()
    first: Int[np.ndarray, "rows"] | None = None
    order: tuple[Float[np.ndarray, "*sets rows"], ...] = ()
