"""Aggregates: what each makes of the cells of a set of rows, or of many sets at once, and its name in SQL."""

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
    """Which group each row is in: the table that it stands in, or what its keys are."""

    of: Int[np.ndarray, "rows"]
    count: int

    def summed(self, values: np.ndarray) -> np.ndarray:
        """The sums of the groups, of values in float32 or float64."""
        if self.count == 1:
            ones = np.ones((len(self.of), 1), values.dtype)
            return values.sum(axis=-1, keepdims=True) if values.ndim == 1 else values @ ones
        if values.ndim == 1:
            return np.bincount(self.of, values, self.count).astype(values.dtype)
        return self._reduced(np.add, values, 0)

    def counted(self, there: np.ndarray) -> np.ndarray:
        """How many of the rows each group has, in float32."""
        if self.count == 1 or there.ndim == 1 or self._members is None:
            return self.summed(there.astype(np.float32))
        return there.astype(np.float32) @ self._members

    def some(self, there: np.ndarray) -> np.ndarray:
        """Which groups have any of the rows."""
        if self.count == 1:
            return np.asarray(there.any(axis=-1, keepdims=True))
        if there.ndim > 1 and self._members is not None:
            return self.counted(there) > 0
        return self._reduced(np.logical_or, there, False)

    def largest(self, values: np.ndarray, nothing: Any) -> np.ndarray:
        """The largest of each group; `nothing` of a group without rows."""
        if self.count == 1:
            return values.max(axis=-1, keepdims=True, initial=nothing)
        return self._reduced(np.maximum, values, nothing)

    def _reduced(self, function: np.ufunc, values: np.ndarray, nothing: Any) -> np.ndarray:
        """What a function makes of the values of each group; `nothing` of a group without rows."""
        result = np.full((*values.shape[:-1], self.count), nothing, values.dtype)
        if len(self.of):
            order, starts, groups = self._ordered
            result[..., groups] = function.reduceat(values if order is None else values[..., order], starts, axis=-1)
        return result

    def spread(self, values: np.ndarray) -> np.ndarray:
        """What each row's group has."""
        return values if self.count == 1 else values[..., self.of]

    @cached_property
    def _members(self) -> np.ndarray | None:
        """Which rows are in which groups, if that is little: to multiply with it is faster than to go from group to
        group."""
        if len(self.of) * self.count > MEMBERS:
            return None
        return (self.of[:, None] == np.arange(self.count)).astype(np.float32)

    @cached_property
    def _ordered(self) -> tuple[np.ndarray | None, np.ndarray, np.ndarray]:
        """The rows by their groups, if they are not so already, where each group begins, and which it is."""
        order = None if (np.diff(self.of) >= 0).all() else np.argsort(self.of, kind="stable")
        of = self.of if order is None else self.of[order]
        starts = np.flatnonzero(np.diff(of, prepend=-1))
        return order, starts, of[starts]


@dataclass(frozen=True)
class Held:
    """Cells of a column, and which of them are there in every set of rows, and selected."""

    cells: np.ndarray
    there: Bool[np.ndarray, "*sets rows"]
    groups: Groups

    @cached_property
    def counts(self) -> Float[np.ndarray, "*sets groups"]:
        return self.groups.counted(self.there).astype(float)

    @cached_property
    def some(self) -> Bool[np.ndarray, "*sets groups"]:
        return self.groups.some(self.there)

    @cached_property
    def sums(self) -> Float[np.ndarray, "*sets groups"]:
        return self.groups.summed(np.where(self.there, self.cells, 0.0))

    def averages(self) -> Float[np.ndarray, "*sets groups"]:
        return np.where(self.counts > 0, self.sums / np.maximum(self.counts, 1.0), np.nan)

    def largest(self, sign: int = 1) -> np.ndarray:
        """The largest cells, or with another sign the smallest; dates stay dates."""
        dates = is_date(self.cells)
        numbers = self.cells.view(np.int64) if dates else self.cells
        none = np.iinfo(np.int64).min if dates else -np.inf
        best = self.groups.largest(np.where(self.there, numbers if sign > 0 else -numbers, none), none)
        if dates:  # not-a-time is the least of their numbers
            return np.where(best == none, none, sign * best).view(self.cells.dtype)
        best = best if sign > 0 else -best
        return np.where(self.some, best, np.nan) if np.isinf(best).any() else best

    def medians(self) -> Float[np.ndarray, "*sets groups"]:
        def made(cells: np.ndarray, starts: np.ndarray, counts: np.ndarray) -> np.ndarray:
            return (cells[starts + (counts - 1) // 2] + cells[starts + counts // 2]) / 2

        return self._sorted(made, math.nan)

    def different(self) -> Float[np.ndarray, "*sets groups"]:
        def made(cells: np.ndarray, starts: np.ndarray, counts: np.ndarray) -> np.ndarray:
            new = np.ones(len(cells), bool)
            new[1:] = cells[1:] != cells[:-1]
            new[starts] = True
            return np.add.reduceat(new, starts, dtype=float)

        return self._sorted(made, 0.0)

    def deviations(self) -> Float[np.ndarray, "*sets groups"]:
        off = np.where(self.there, self.cells - self.groups.spread(self.averages()), 0.0)
        squares = self.groups.summed(off**2)
        return np.where(self.counts > 1, np.sqrt(squares / np.maximum(self.counts - 1.0, 1.0)), np.nan)

    def _sorted(self, made: Callable[..., np.ndarray], nothing: float) -> Float[np.ndarray, "*sets groups"]:
        """What is made of the cells of all groups of each set: put in order, with where each group begins and how many
        it has."""

        def of_set(cells: np.ndarray, rows: np.ndarray, result: np.ndarray) -> None:
            order = rows[np.lexsort((cells[rows], self.groups.of[rows]))]
            of = self.groups.of[order]
            starts = np.flatnonzero(np.diff(of, prepend=-1))
            result[of[starts]] = made(cells[order], starts, np.diff(starts, append=len(of)))

        return self._each_set(of_set, nothing)

    def each(self, made: Callable[[np.ndarray], Any], nothing: float) -> Float[np.ndarray, "*sets groups"]:
        """What is made of the cells of each group of each set, one after the other."""

        def of_set(cells: np.ndarray, rows: np.ndarray, result: np.ndarray) -> None:
            rows = rows[np.argsort(self.groups.of[rows], kind="stable")]
            for part in np.split(rows, np.flatnonzero(np.diff(self.groups.of[rows])) + 1):
                result[self.groups.of[part[0]]] = made(cells[part])

        return self._each_set(of_set, nothing)

    def _each_set(self, fill: Callable[..., None], nothing: float) -> Float[np.ndarray, "*sets groups"]:
        """What is made of each set that has rows, one after the other."""
        sets = self.there.reshape(math.prod(self.there.shape[:-1]), self.there.shape[-1])
        cells = np.broadcast_to(self.cells, self.there.shape).reshape(sets.shape)
        results = np.full((len(sets), self.groups.count), nothing)
        for some, there, result in zip(cells, sets, results, strict=True):
            if there.any():
                fill(some, np.flatnonzero(there), result)
        return results.reshape(*self.there.shape[:-1], self.groups.count)


@dataclass(frozen=True)
class Aggregate:
    """What is made `of` cells: of those of one set of rows by `one`, of those of many at once by `many`, if there is a
    way; `nothing` is what no cells give. `lacking` are the dialects of SQL that have no such function.

    One that is made `of_two` values has cells of two columns, the second of which comes after the first.
    """

    of: Needed
    sql: str
    one: Callable[[np.ndarray], Any]
    many: Callable[[Held], np.ndarray] | None = None
    nothing: float = float("nan")
    lacking: tuple[str, ...] = ()
    of_two: bool = False

    def __call__(self, held: Held) -> np.ndarray:
        """What it makes of each group of every set."""
        if held.there.ndim == 1 and held.groups.count == 1:
            cells, gives = held.cells[held.there], self._gives(held.cells)
            nothing = self.nothing if gives is float else np.datetime64("NaT")
            return np.asarray(self.one(cells) if len(cells) else nothing, gives).reshape(1)
        return held.each(self.one, self.nothing) if self.many is None else self.many(held)

    def _gives(self, cells: np.ndarray) -> Any:
        return cells.dtype if is_date(cells) and self.of == "ordered" else float


def deviation(cells: np.ndarray) -> float:
    """The standard deviation of a sample; of a single cell there is none."""
    return float(np.std(cells, ddof=1)) if len(cells) > 1 else math.nan


def correlation(pairs: np.ndarray) -> float:
    """Pearson's correlation of pairs of numbers, as complex ones; none with what is always the same."""
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
    "average": Aggregate("number", "AVG", np.mean, Held.averages),
    "maximum": Aggregate("ordered", "MAX", np.max, Held.largest),
    "minimum": Aggregate("ordered", "MIN", np.min, lambda held: held.largest(-1)),
    "median": Aggregate("number", "MEDIAN", np.median, Held.medians, lacking=WITHOUT_STATISTICS),
    "deviation": Aggregate("number", "STDDEV_SAMP", deviation, Held.deviations, lacking=WITHOUT_STATISTICS),
    "correlation": Aggregate("number", "CORR", correlation, lacking=WITHOUT_STATISTICS, of_two=True),
    "distinct": Aggregate("any", "COUNT DISTINCT", lambda cells: len(np.unique(cells)), Held.different, nothing=0.0),
}
