"""Hold the results of candidate programs as numbers and keys of cells, with their features.

Equal answers have equal keys, so that thousands of results are compared at once.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.programs.answer import Answer
from neural_programmer.programs.same import as_text, code_of, is_close, key_of
from neural_programmer.tables.table import plain

FIRST_FEATURES = (  # those that a model reads whose file names none
    "no row", "one row", "two rows", "few rows", "many rows", "all rows",
    "one value", "different values", "values again", "says what was said",
    "no number", "zero", "one", "whole", "negative",
    "output mentioned", "output of a condition",
    "text not used", "number not used", "only meant",
    "mentioned not used", "unmentioned used", "two unmentioned used", "declines",
    "no argument", "two arguments", "part of a cell", "first column", "view", "reduced by a mentioned column",
    "reduced by another column", "output reduces", "holds",
)  # fmt: skip
RESULT_FEATURES = FIRST_FEATURES  # in the order of the columns of `Candidates.features`; a new one comes last
FEATURE = {name: place for place, name in enumerate(RESULT_FEATURES)}
OF_PROGRAMS = frozenset(  # features of a program, known without running it; the others are of its result
    (
        "output mentioned", "output of a condition", "text not used", "number not used", "only meant",
        "mentioned not used", "unmentioned used", "two unmentioned used", "declines", "no argument", "two arguments",
        "part of a cell", "first column", "view", "reduced by a mentioned column", "reduced by another column",
        "output reduces",
    )
)  # fmt: skip
OF_RESULTS = np.array([name not in OF_PROGRAMS for name in RESULT_FEATURES])
HUGE = 1e300  # numbers beyond it are not rounded to six decimals, which would overflow


class Outcomes(NamedTuple):
    """The results of candidates on each table: a number, or the key of the cells that they look up."""

    scalar: Float[np.ndarray, "candidates tables"]  # NaN where cells are looked up, or there is no number
    cells: Float[np.ndarray, "candidates tables"]  # NaN where a number is computed


@dataclass(frozen=True)
class Candidates:
    """The candidate programs of a question, with their features and results."""

    moves: Int[np.ndarray, "candidates steps 3"]  # operation, column and argument; -1 where there is none
    features: Bool[np.ndarray, "candidates features"]  # of the program, and of what it gives on the first table
    result: Outcomes
    left_out: bool  # whether there are more, which were not tried
    as_text: Callable[[Any], str] = as_text  # how cells are compared

    def __len__(self) -> int:
        return len(self.moves)

    def right(self, answers: Sequence[Answer]) -> Bool[np.ndarray, "candidates"]:
        """Return which candidates give the answers, one for each table. A number equals a single cell that holds it.

        Where no table has an answer, declining is right. Where some have none, a right candidate gives none there.
        """
        if all(answer.kind == "none" for answer in answers):
            return self.features[:, FEATURE["declines"]].copy()
        right = np.ones(len(self), bool)
        for place, answer in enumerate(answers):
            scalar, cells = self.result.scalar[:, place], self.result.cells[:, place]
            if answer.kind == "none":
                right &= np.isnan(scalar) & np.isnan(cells)
                continue
            values = [answer.scalar] if answer.kind == "scalar" else answer.values
            given = cells == key_of(values, self.as_text)
            if len(values) == 1 and isinstance(values[0], int | float):
                given |= is_close(scalar, float(values[0]))
            right &= given
        return right & ~self.features[:, FEATURE["declines"]]

    def alike(self) -> list[Int[np.ndarray, "some"]]:
        """Return the places of the candidates that give the same on the first table, one array for each answer."""
        scalar = self.result.scalar[:, 0]
        huge = np.abs(scalar) > HUGE
        rounded = np.where(huge, scalar, np.round(np.where(huge, 0.0, scalar), 6))
        given = rounded, self.result.cells[:, 0], self.features[:, FEATURE["declines"]]
        keys = np.nan_to_num(np.array(given, float), nan=-math.inf)
        order = np.lexsort(keys[::-1])
        ordered = keys[:, order]
        return np.split(order, np.flatnonzero((ordered[:, 1:] != ordered[:, :-1]).any(axis=0)) + 1)


def grouped(alike: Sequence[Int[np.ndarray, "some"]]) -> Int[np.ndarray, "candidates"]:
    """Return for every candidate the number of its group of candidates that give the same (see Candidates.alike)."""
    groups = np.empty(sum(map(len, alike)), np.int32)
    for number, places in enumerate(alike):
        groups[places] = number
    return groups


class Cells:
    """The cells of every column by their texts, which finds the different cells of many sets of rows at once.

    The key of a set of cells is the sum of the codes of its different texts.
    """

    def __init__(self, columns: Sequence[np.ndarray], as_text: Callable[[Any], str] = as_text) -> None:
        self.columns, self.as_text = columns, as_text
        self._made: dict[int, tuple[dict[str, int], np.ndarray, np.ndarray, np.ndarray]] = {}

    def column(self, slot: int) -> tuple[dict[str, int], np.ndarray, np.ndarray, np.ndarray]:
        """Return of a column the place of each different text, the rows in order of their texts, where the rows of each
        text begin, and the code of each text."""
        if slot not in self._made:
            self._made[slot] = self._column(slot)
        return self._made[slot]

    def _column(self, slot: int) -> tuple[dict[str, int], np.ndarray, np.ndarray, np.ndarray]:
        column = self.columns[slot]
        texts = [self.as_text(cell) for cell in plain(column)]
        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        number = np.array([places[text] for text in texts], np.int64)
        order = np.argsort(number, kind="stable")
        starts = np.flatnonzero(np.diff(number[order], prepend=-1))
        return places, order, starts, np.array([code_of(text) for text in places])

    def different(self, slot: int, rows: Bool[np.ndarray, "sets rows"]) -> Bool[np.ndarray, "sets texts"]:
        """Return which texts of a column the rows of each set hold."""
        _, order, starts, codes = self.column(slot)
        if not len(codes):
            return np.zeros((len(rows), 0), bool)
        return np.logical_or.reduceat(rows[:, order], starts, axis=1)
