"""What is made of a value in all rows of a relation, or in those up to each: totals, running ones, ranks, the one
before."""

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.programs.aggregates import Groups, Held


def total(values: Float[np.ndarray, "*sets rows"], there: Bool[np.ndarray, "*sets rows"], groups: Groups,
          function: str) -> Float[np.ndarray, "*sets rows"]:  # fmt: skip
    """Return what all rows that are alike have together; nothing where none has a number."""
    held = Held(np.where(np.isnan(values), 0.0, values), there & ~np.isnan(values), groups)
    made = held.averages() if function == "average" else np.where(held.some, held.sums, np.nan)
    return groups.spread(made)


def rank(
    order: Float[np.ndarray, "rows"], there: Bool[np.ndarray, "rows"], groups: Int[np.ndarray, "rows"]
) -> Float[np.ndarray, "rows"]:
    """Return how many rows that are alike come before each, and one more; the first is highest in `order`."""
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
    """Return the sum or average of the rows up to each in `order`, or of so many of the last of them."""
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
    """Return the value of the row whose step is one less; nothing where there is no such row."""
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
