"""An answer: a scalar, cells looked up in the table, a truth, or none with the reason why; and how it came about."""

import datetime
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from neural_programmer.base.notebook import grid, line, shortened, tag
from neural_programmer.errors import NeuralProgrammerError, UsageError
from neural_programmer.programs import converting

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

AnswerKind = Literal["scalar", "lookup", "truth", "none"]

# "correct if it is equal to the correct answer up to the first decimal place" (the paper's Table 2)
TOLERANCE = 0.05
NAMED_CELLS = 1_000  # that an answer names, of those that it came from,
LISTED_CELLS = 20  # and of them those that JSON lists
SHOWN = 8  # values of a look-up in a line of text
CURRENCIES = "$€£¥₹"  # that stand before a number
LARGE = 10_000  # numbers that are written in groups of three digits
DIGITS = 4  # of a probability, as it is written
EXACT, MOST_DECIMALS = 4, 12  # decimals of a number that are all shown, and that are at most
ROUNDING = 1e-12  # of a number, that floats are off


@dataclass(frozen=True)
class AnswerStep:
    """A step of the program that gave an answer.

    `rows` is how many rows are selected after it; of a step that gives a number or cells, how many they were taken
    from; None where the table is too large to count them all in time. `in_words` is the step as people say it (see
    wording.py), of an answer to a person's question.
    """

    operation: str
    column: str | None = None
    argument: float | str | None = None
    rows: int | None = None
    in_words: str = ""

    def __str__(self) -> str:
        argument = "" if self.argument is None else str(plain(self.argument))
        return " ".join(filter(None, (self.operation, self.column, argument)))

    @property
    def rows_text(self) -> str:
        """The rows, as people read them."""
        return "not counted" if self.rows is None else f"{self.rows:,}"


@dataclass(frozen=True)
class Answer:
    """`scalar` has a number, `lookup` the cells as (row, column name) with their values, `truth` one value, True or
    False or a word for it, `none` a reason.

    Rows are counted from 0. Of an answer to a person's question, the cells are those that it came from, and None stands
    for the column where whole rows were counted; of many, the first are given, and `total` says how many there are.
    `partial` are those for which there were too many programs to try them all. `notes` are sentences for people: what
    was taken where the question or the table leaves it open, and what was not tried.
    """

    kind: AnswerKind
    scalar: float | None = None
    cells: tuple[tuple[int, str | None], ...] = ()
    values: tuple[Any, ...] = ()
    reason: str = ""
    question: str = ""
    unit: str = ""
    steps: tuple[AnswerStep, ...] = ()
    sql: str = ""
    confidence: float | None = None
    total: int = 0
    partial: bool = False
    notes: tuple[str, ...] = ()

    def equals(self, other: "Answer") -> bool:
        """Scalars equal up to the first decimal place, look-ups when the same cells are chosen, truths when they are
        alike; no answer never."""
        if self.kind != other.kind or self.kind == "none":
            return False
        if self.scalar is not None and other.scalar is not None:
            return abs(self.scalar - other.scalar) < TOLERANCE
        if self.kind == "truth":
            return self.values == other.values
        return set(self.cells) == set(other.cells)

    @property
    def value(self) -> Any:
        """A number, a list of values (None for a missing cell), a truth, or None: as JSON writes them."""
        if self.kind == "none":
            return None
        if self.kind == "truth":
            return self.values[0]
        return plain(self.scalar) if self.kind == "scalar" else [plain(value) for value in self.values]

    def to_dict(self) -> dict[str, Any]:
        """All of it but cells after the first ones, in what JSON can hold."""
        return {
            "question": self.question,
            "answer": self.value,
            "kind": self.kind,
            "reason": self.reason,
            "unit": self.unit,
            "program": [vars(step) | {"argument": plain(step.argument)} for step in self.steps],
            "sql": self.sql,
            "cells": [{"row": row, "column": column} for row, column in self.cells[:LISTED_CELLS]],
            "cells_in_all": self.total,
            "truncated": self.kind == "lookup" and len(self.values) < self.total,
            "confidence": None if self.confidence is None else rounded(self.confidence),
            "partial": self.partial,
            "notes": list(self.notes),
        }

    @property
    def answered(self) -> bool:
        """Whether there is an answer; "no" and 0 are answers. Where there is none, `reason` says why.

        >>> Answer("scalar", scalar=0.0).answered, Answer("none", reason="there is no such column").answered
        (True, False)
        """
        return self.kind != "none"

    def __bool__(self) -> NoReturn:
        """Refuse `if answer:`, which could mean either of two things."""
        raise UsageError(
            "an answer is neither true nor false by itself: answer.answered says whether there is one, and answer.value"
            " what it is, as 0 or False"
        )

    def __float__(self) -> float:
        """The number that the answer is, or the only cell of a look-up.

        >>> float(Answer("scalar", scalar=2.5))
        2.5
        """
        found = self.values[0] if self.kind == "lookup" and len(self.values) == 1 else self.scalar
        if isinstance(found, int | float) and not isinstance(found, bool):
            return float(found)
        raise UsageError(f"the answer is not one number, but {self._said()}; answer.value has it")

    def __int__(self) -> int:
        """The whole number that the answer is.

        >>> int(Answer("scalar", scalar=3.0))
        3
        """
        found = float(self)
        if not found.is_integer():
            raise UsageError(f"the answer {found:g} is not a whole number; take float(answer), or round it")
        return int(found)

    def to_pandas(self) -> "pandas.DataFrame":
        """A DataFrame of pandas: a look-up is a column named as in the table, a number or a truth one row of `answer`.

        >>> Answer("lookup", values=("Oslo", "Rome"), steps=(AnswerStep("assign", "city"),)).to_pandas()
           city
        0  Oslo
        1  Rome
        """
        return converting.to_pandas(*self._column())

    def to_polars(self) -> "polars.DataFrame":
        """A DataFrame of polars, with what `to_pandas` has."""
        return converting.to_polars(*self._column())

    def to_arrow(self) -> "pyarrow.Table":
        """A Table of pyarrow, with what `to_pandas` has."""
        return converting.to_arrow(*self._column())

    def _column(self) -> tuple[str, tuple[Any, ...]]:
        """The name of the column that an answer is, and its values."""
        if self.kind == "none":
            raise NeuralProgrammerError(f"there is no answer to make a table of ({self.reason}); see answer.answered")
        if self.kind != "lookup":
            return "answer", (self.scalar,) if self.kind == "scalar" else self.values
        if len(self.values) < self.total:
            raise NeuralProgrammerError(
                f"the answer has {self.total:,} values and holds the first {len(self.values):,} of them; run answer.sql"
                " where the table is for all, or take answer.values"
            )
        columns = [*(step.column for step in self.steps[-1:]), *(column for _, column in self.cells[:1])]
        return next(filter(None, columns), "answer"), self.values

    def _said(self) -> str:
        """What kind of answer it is, in words."""
        if self.kind == "lookup":
            return f"{len(self.values):,} cells, {shortened(str(self))}" if len(self.values) != 1 else f"{self.value}"
        return f"none: {self.reason}" if self.kind == "none" else shortened(str(self))

    def __repr__(self) -> str:
        """In a line: the answer, the program and how sure the model is; `to_dict` has all of it."""
        program = shortened("; ".join(map(str, self.steps)))
        return line(
            "Answer",
            repr(shortened(str(self))),
            f"program={program!r}" if program else "",
            "" if self.confidence is None else f"confidence={rounded(self.confidence)}",
        )

    def __str__(self) -> str:
        return self.text()

    def text(self, digits: int | None = None) -> str:
        """In a line, as people read it; a number with so many decimals, if it is said how many."""
        if self.kind == "none":
            return f"no answer: {self.reason}"
        if self.scalar is not None:
            if digits is None and not self.question:
                return f"{self.scalar:z.2f}".rstrip("0").rstrip(".")
            return with_unit(for_people(self.scalar, self.unit, digits), self.unit)
        if self.kind == "truth":
            return shown_value(self.value)
        if not self.question:
            shown = [str(value) for value in self.values[:SHOWN]]
        else:
            shown = [shown_value(value, self.unit) for value in self.values[:SHOWN]]
        more = max(self.total, len(self.values)) - SHOWN
        return f"[{', '.join(shown)}{f', and {more:,} more' if more > 0 else ''}]"

    def _repr_html_(self) -> str:
        """For notebooks: the answer, the steps with their rows, and the SQL."""
        rows = [
            (str(number), step.in_words or str(step), step.operation, step.rows_text)
            for number, step in enumerate(self.steps, 1)
        ]
        steps = grid(("", "step", "operation", "rows"), rows, self.question)
        sure = "" if self.confidence is None else tag("p", f"confidence {self.confidence:.0%}")
        notes = "".join(tag("p", note) for note in self.notes)
        return f"<p>{tag('b', str(self))}</p>{notes}{steps}{sure}{tag('pre', self.sql)}"


def plain(value: Any) -> Any:
    """A value as JSON writes it: whole numbers without a point, dates in ISO form, what is not finite as text."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == datetime.time() else value.isoformat(" ")
    return value.isoformat() if isinstance(value, datetime.date) else value


def rounded(value: Any) -> Any:
    """Probabilities with as many digits as are read."""
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, tuple | list):
        return [rounded(each) for each in value]
    return {name: rounded(each) for name, each in value.items()} if isinstance(value, dict) else value


def shown_value(value: Any, unit: str = "") -> str:
    """A cell as people read it, with all of its digits.

    >>> shown_value(3133.2, "$"), shown_value(1.459, "€"), shown_value(0.1 + 0.2), shown_value(2024.0)
    ('$3,133.20', '€1.459', '0.3', '2024')
    """
    value = plain(value)
    if value is None or isinstance(value, bool):
        return "-" if value is None else "yes" if value else "no"
    if isinstance(value, str) or not unit:
        return with_unit(f"{value:.15g}" if isinstance(value, float) else str(value), unit)
    digits = f"{value:,}" if isinstance(value, int) else f"{value:,.15g}"
    return with_unit(digits + "0" * (unit in CURRENCIES and digits[-2:-1] == "."), unit)


def with_unit(number: str, unit: str) -> str:
    """A number beside its unit: $5, 12 %, 3 km."""
    if unit in CURRENCIES:
        return f"-{unit}{number[1:]}" if unit and number.startswith("-") else f"{unit}{number}"
    return f"{number} {unit}"


def for_people(number: float, unit: str = "", digits: int | None = None) -> str:
    """With the decimals that it needs, or so many `digits`; in groups if large or beside a unit, for a year is in none.

    All decimals up to four, of more of them two, or four digits of small numbers; but none is shown as a whole number
    that it is not.

    >>> for_people(3133.2, "$"), for_people(3133.2, "km"), for_people(2024.0), for_people(0.1 + 0.2)
    ('3,133.20', '3,133.2', '2024', '0.3')
    >>> for_people(2.998), for_people(10 / 3), for_people(2.9999963), for_people(10 / 3, digits=6)
    ('2.998', '3.33', '2.999996', '3.333333')
    """
    money, grouped = bool(unit) and unit in CURRENCIES, "," * bool(unit or abs(number) >= LARGE)
    small = 0 < abs(number) < (0.01 if money else 1)
    if digits is None and small and not _is_whole(number, shown := f"{number:.4g}"):
        return shown
    places = next(_places(number)) if digits is None else digits
    shown = f"{number:z{grouped}.{places}f}"
    if digits is not None or "." not in shown:
        return shown
    whole, _, decimals = shown.partition(".")
    decimals = decimals.rstrip("0")
    return f"{whole}.{decimals.ljust(2, '0') if money else decimals}" if decimals else whole


def _places(number: float) -> Iterator[int]:
    """How many decimals are enough, the fewest first."""
    exact = len(f"{number:.15g}".partition(".")[2].partition("e")[0])
    if exact <= EXACT:
        yield exact
    yield from (places for places in range(2, MOST_DECIMALS) if not _is_whole(number, f"{number:.{places}f}"))
    yield MOST_DECIMALS


def _is_whole(number: float, shown: str) -> bool:
    """Whether a number is shown as a whole one that it is not."""
    return float(shown).is_integer() and abs(number - float(shown)) > ROUNDING * max(1.0, abs(number))
