"""Window functions over the rows of a relation: totals, running sums and averages, ranks, and the row before."""

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.programs.aggregates import GroupedCells, Groups


def total(values: Float[np.ndarray, "*sets rows"], there: Bool[np.ndarray, "*sets rows"], groups: Groups,
          function: str) -> Float[np.ndarray, "*sets rows"]:  # fmt: skip
    """Return for each row the sum or average of all rows of its group. It is NaN where none of them has a number."""
    held = GroupedCells(np.where(np.isnan(values), 0.0, values), there & ~np.isnan(values), groups)
    made = held.averages() if function == "average" else np.where(held.some, held.sums, np.nan)
    return groups.spread(made)


def rank(
    order: Float[np.ndarray, "rows"], there: Bool[np.ndarray, "rows"], groups: Int[np.ndarray, "rows"]
) -> Float[np.ndarray, "rows"]:
    """Return the place of each row in its group, from 1: one more than the rows with a higher `order`."""
    result = np.full(len(order), np.nan)
    for rows in _parts(there, groups):
        descending = np.sort(-order[rows])
        result[rows] = np.searchsorted(descending, -order[rows], "left") + 1
    return result


def running(
    values: Float[np.ndarray, "rows"],
    order: Float[np.ndarray, "rows"],
    there: Bool[np.ndarray, "rows"],
    groups: Int[np.ndarray, "rows"],
    function: str,
    last: int | None,
) -> Float[np.ndarray, "rows"]:
    """Return the sum or average of the rows up to each in `order`, or of only the `last` of them."""
    result = np.full(len(order), np.nan)
    for rows in _parts(there, groups):
        rows = rows[np.argsort(-order[rows], kind="stable")]
        numbers = np.where(np.isnan(values[rows]), 0.0, values[rows])
        sums, counts = np.cumsum(numbers), np.cumsum(~np.isnan(values[rows])).astype(float)
        if last is not None:
            sums[last:], counts[last:] = sums[last:] - sums[:-last], counts[last:] - counts[:-last]
        with np.errstate(all="ignore"):
            result[rows] = np.where(counts > 0, sums / counts if function == "average" else sums, np.nan)
    return result


def previous(
    values: Float[np.ndarray, "rows"],
    steps: Float[np.ndarray, "rows"],
    there: Bool[np.ndarray, "rows"],
    groups: Int[np.ndarray, "rows"],
) -> Float[np.ndarray, "rows"]:
    """Return the value of the row whose step is one less, NaN where there is no such row."""
    result = np.full(len(values), np.nan)
    for rows in _parts(there, groups):
        rows = rows[~np.isnan(steps[rows])]
        rows = rows[np.argsort(steps[rows], kind="stable")]
        follows = np.flatnonzero(steps[rows][1:] - steps[rows][:-1] == 1) + 1
        result[rows[follows]] = values[rows[follows - 1]]
    return result


def _parts(there: Bool[np.ndarray, "rows"], groups: Int[np.ndarray, "rows"]) -> list[Int[np.ndarray, "_"]]:
    """Return the rows of each group that are there."""
    rows = np.flatnonzero(there)
    rows = rows[np.argsort(groups[rows], kind="stable")]
    return np.split(rows, np.flatnonzero(np.diff(groups[rows])) + 1) if len(rows) else []
