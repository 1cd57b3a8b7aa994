"""Aggregates such as sum and median: how each is computed for one set of rows or for many sets at once, and its name in
SQL."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.tables.table import is_date

Needed = Literal["none", "number", "ordered", "text", "any"]
"""What is made something of: no column, one of numbers, of numbers or dates, of text, or any."""

MEMBERS = 10_000  # rows times groups, of which it is kept which rows are in which groups


@dataclass(frozen=True)
class Groups:
    """The group of each row: the table that it stands in, or the rows with the same keys."""

    of: Int[np.ndarray, "rows"]
    count: int

    def summed(self, values: np.ndarray) -> np.ndarray:
        """Return the sum of each group. The values are float32 or float64."""
        if self.count == 1:
            ones = np.ones((len(self.of), 1), values.dtype)
            return values.sum(axis=-1, keepdims=True) if values.ndim == 1 else values @ ones
        if values.ndim == 1:
            return np.bincount(self.of, values, self.count).astype(values.dtype)
        return self._reduced(np.add, values, 0)

    def counted(self, there: np.ndarray) -> np.ndarray:
        """Return how many of the rows each group has, in float32."""
        if self.count == 1 or there.ndim == 1 or self._members is None:
            return self.summed(there.astype(np.float32))
        return there.astype(np.float32) @ self._members

    def some(self, there: np.ndarray) -> np.ndarray:
        """Return whether each group has any of the rows."""
        if self.count == 1:
            return np.asarray(there.any(axis=-1, keepdims=True))
        if there.ndim > 1 and self._members is not None:
            return self.counted(there) > 0
        return self._reduced(np.logical_or, there, False)

    def largest(self, values: np.ndarray, nothing: Any) -> np.ndarray:
        """Return the largest value of each group; `nothing` for a group without rows."""
        if self.count == 1:
            return values.max(axis=-1, keepdims=True, initial=nothing)
        return self._reduced(np.maximum, values, nothing)

    def _reduced(self, function: np.ufunc, values: np.ndarray, nothing: Any) -> np.ndarray:
        """Reduce the values of each group by a function; a group without rows gives `nothing`."""
        result = np.full((*values.shape[:-1], self.count), nothing, values.dtype)
        if len(self.of):
            order, starts, groups = self._ordered
            result[..., groups] = function.reduceat(values if order is None else values[..., order], starts, axis=-1)
        return result

    def spread(self, values: np.ndarray) -> np.ndarray:
        """Return for each row the value of its group."""
        return values if self.count == 1 else values[..., self.of]

    @cached_property
    def _members(self) -> np.ndarray | None:
        """Return the matrix of rows by groups, or None if it is large. To multiply with a small one is faster than to
        go from group to group."""
        if len(self.of) * self.count > MEMBERS:
            return None
        return (self.of[:, None] == np.arange(self.count)).astype(np.float32)

    @cached_property
    def _ordered(self) -> tuple[np.ndarray | None, np.ndarray, np.ndarray]:
        """Return the order that sorts the rows by group (None if they are sorted), where each group begins, and which
        group that is."""
        order = None if (np.diff(self.of) >= 0).all() else np.argsort(self.of, kind="stable")
        of = self.of if order is None else self.of[order]
        starts = np.flatnonzero(np.diff(of, prepend=-1))
        return order, starts, of[starts]


@dataclass(frozen=True)
class GroupedCells:
    """The cells of a column, which of them are selected and not missing in every set of rows, and the group of each
    row."""

    cells: np.ndarray
    there: Bool[np.ndarray, "*sets rows"]
    groups: Groups

    @cached_property
    def counts(self) -> Float[np.ndarray, "*sets groups"]:
        """Return how many cells each group has."""
        return self.groups.counted(self.there).astype(float)

    @cached_property
    def some(self) -> Bool[np.ndarray, "*sets groups"]:
        """Return whether each group has a cell."""
        return self.groups.some(self.there)

    @cached_property
    def sums(self) -> Float[np.ndarray, "*sets groups"]:
        """Return the sum of each group."""
        return self.groups.summed(np.where(self.there, self.cells, 0.0))

    def averages(self) -> Float[np.ndarray, "*sets groups"]:
        """Return the average of each group, NaN where it has no cell."""
        return np.where(self.counts > 0, self.sums / np.maximum(self.counts, 1.0), np.nan)

    def largest(self, sign: int = 1) -> np.ndarray:
        """Return the largest cell of each group, or the smallest if `sign` is -1. Dates stay dates."""
        dates = is_date(self.cells)
        numbers = self.cells.view(np.int64) if dates else self.cells
        none = np.iinfo(np.int64).min if dates else -np.inf
        best = self.groups.largest(np.where(self.there, numbers if sign > 0 else -numbers, none), none)
        if dates:  # not-a-time is the least of their numbers
            return np.where(best == none, none, sign * best).view(self.cells.dtype)
        best = best if sign > 0 else -best
        return np.where(self.some, best, np.nan) if np.isinf(best).any() else best

    def medians(self) -> Float[np.ndarray, "*sets groups"]:
        """Return the median of each group, NaN where it has no cell."""

        def made(cells: np.ndarray, starts: np.ndarray, counts: np.ndarray) -> np.ndarray:
            return (cells[starts + (counts - 1) // 2] + cells[starts + counts // 2]) / 2

        return self._sorted(made, math.nan)

    def different(self) -> Float[np.ndarray, "*sets groups"]:
        """Return how many different cells each group has."""

        def made(cells: np.ndarray, starts: np.ndarray, counts: np.ndarray) -> np.ndarray:
            new = np.ones(len(cells), bool)
            new[1:] = cells[1:] != cells[:-1]
            new[starts] = True
            return np.add.reduceat(new, starts, dtype=float)

        return self._sorted(made, 0.0)

    def deviations(self) -> Float[np.ndarray, "*sets groups"]:
        """Return the standard deviation of each group, NaN where it has fewer than two cells."""
        off = np.where(self.there, self.cells - self.groups.spread(self.averages()), 0.0)
        squares = self.groups.summed(off**2)
        return np.where(self.counts > 1, np.sqrt(squares / np.maximum(self.counts - 1.0, 1.0)), np.nan)

    def _sorted(self, made: Callable[..., np.ndarray], nothing: float) -> Float[np.ndarray, "*sets groups"]:
        """Sort the cells of each group of every set, and return what `made` computes. It gets the cells, where each
        group begins, and how many cells each has."""

        def of_set(cells: np.ndarray, rows: np.ndarray, result: np.ndarray) -> None:
            order = rows[np.lexsort((cells[rows], self.groups.of[rows]))]
            of = self.groups.of[order]
            starts = np.flatnonzero(np.diff(of, prepend=-1))
            result[of[starts]] = made(cells[order], starts, np.diff(starts, append=len(of)))

        return self._each_set(of_set, nothing)

    def each(self, made: Callable[[np.ndarray], Any], nothing: float) -> Float[np.ndarray, "*sets groups"]:
        """Return what `made` computes of the cells of each group of every set, one group after the other."""

        def of_set(cells: np.ndarray, rows: np.ndarray, result: np.ndarray) -> None:
            rows = rows[np.argsort(self.groups.of[rows], kind="stable")]
            for part in np.split(rows, np.flatnonzero(np.diff(self.groups.of[rows])) + 1):
                result[self.groups.of[part[0]]] = made(cells[part])

        return self._each_set(of_set, nothing)

    def _each_set(self, fill: Callable[..., None], nothing: float) -> Float[np.ndarray, "*sets groups"]:
        """Return what `fill` writes for each set that has rows, one set after the other."""
        sets = self.there.reshape(math.prod(self.there.shape[:-1]), self.there.shape[-1])
        cells = np.broadcast_to(self.cells, self.there.shape).reshape(sets.shape)
        results = np.full((len(sets), self.groups.count), nothing)
        for some, there, result in zip(cells, sets, results, strict=True):
            if there.any():
                fill(some, np.flatnonzero(there), result)
        return results.reshape(*self.there.shape[:-1], self.groups.count)


@dataclass(frozen=True)
class Aggregate:
    """A function of the cells of a set of rows.

    `of` is the kind of column that it takes. `one` computes it for one set of rows, `many` for many sets at once if
    there is a way. `nothing` is its value where there are no cells. `lacking` are the dialects of SQL without such a
    function. `of_two` says that it takes two columns; the cells of the second are the imaginary parts.
    """

    of: Needed
    sql: str
    one: Callable[[np.ndarray], Any]
    many: Callable[[GroupedCells], np.ndarray] | None = None
    nothing: float = float("nan")
    lacking: tuple[str, ...] = ()
    of_two: bool = False

    def __call__(self, held: GroupedCells) -> np.ndarray:
        """Return the value of each group of every set."""
        if held.there.ndim == 1 and held.groups.count == 1:
            cells, gives = held.cells[held.there], self._gives(held.cells)
            nothing = self.nothing if gives is float else np.datetime64("NaT")
            return np.asarray(self.one(cells) if len(cells) else nothing, gives).reshape(1)
        return held.each(self.one, self.nothing) if self.many is None else self.many(held)

    def _gives(self, cells: np.ndarray) -> Any:
        return cells.dtype if is_date(cells) and self.of == "ordered" else float


def deviation(cells: np.ndarray) -> float:
    """Return the standard deviation of a sample, and NaN for fewer than two cells."""
    return float(np.std(cells, ddof=1)) if len(cells) > 1 else math.nan


def correlation(pairs: np.ndarray) -> float:
    """Return Pearson's correlation of pairs of numbers, given as complex numbers; NaN where one side is constant."""
    both = np.real(pairs), np.imag(pairs)
    if any(np.ptp(cells) == 0 for cells in both if len(cells)) or len(pairs) < 2:
        return math.nan
    one, other = (cells - cells.mean() for cells in both)
    spread = math.sqrt(float((one**2).sum()) * float((other**2).sum()))
    return min(1.0, max(-1.0, float((one * other).sum()) / spread)) if spread > 0 else math.nan


WITHOUT_STATISTICS = ("sqlite", "mysql")
AGGREGATES = {
    "count": Aggregate("none", "COUNT", len, lambda held: held.counts, 0.0),
    "sum": Aggregate("number", "SUM", np.sum, lambda held: held.sums, 0.0),
    "average": Aggregate("number", "AVG", np.mean, GroupedCells.averages),
    "maximum": Aggregate("ordered", "MAX", np.max, GroupedCells.largest),
    "minimum": Aggregate("ordered", "MIN", np.min, lambda held: held.largest(-1)),
    "median": Aggregate("number", "MEDIAN", np.median, GroupedCells.medians, lacking=WITHOUT_STATISTICS),
    "deviation": Aggregate("number", "STDDEV_SAMP", deviation, GroupedCells.deviations, lacking=WITHOUT_STATISTICS),
    "correlation": Aggregate("number", "CORR", correlation, lacking=WITHOUT_STATISTICS, of_two=True),
    "distinct": Aggregate(
        "any", "COUNT DISTINCT", lambda cells: len(np.unique(cells)), GroupedCells.different, nothing=0.0
    ),
}
