"""What the words of a question may mention beside columns and cells: one small class for each kind.

A mention says where it stands and what was said; it decides nothing, and several may stand at one place.
"""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

Operator = Literal["greater", "at least", "less", "at most", "equal", "unequal", "between"]
Part = Literal["year", "quarter", "month", "month of a year", "week", "weekday", "day", "hour"]
End = Literal["top", "bottom", "first", "last", ""]
Direction = Literal["descending", "ascending"]
Computed = Literal[
    "moving average", "running total", "standard deviation", "correlation", "median", "most common", "least common",
    "distinct count", "distinct", "share", "ratio", "times", "product", "difference", "growth", "range", "distribution",
    "rank", "average", "sum", "count", "maximum", "minimum",
]  # fmt: skip
TestOfText = Literal["contains", "begins", "ends"]
Joint = Literal["and", "or", "not", "neither", "except", "both"]


class Span(NamedTuple):
    """The words from one place to before another."""

    first: int
    end: int


class Choice(NamedTuple):
    """A column that words may mean: its place, how likely it is (1: it was named), and by which evidence."""

    column: int
    score: float
    evidence: str
    descending: bool = True  # of an order: whether the greatest cell is the first


@dataclass(frozen=True)
class Mention:
    """Something that words from one place to another may mean."""

    position: Span
    said: str  # the words as they stand in the question


@dataclass(frozen=True)
class Named(Mention):
    """Words that are exactly the name of columns, or the text of cells: of each column that has it, how it spells
    it."""

    columns: tuple[int, ...] = ()
    cells: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Amount(Mention):
    """A number: 12 of a dozen, 50 percent of half, 2 times of twice; its unit, if one was said."""

    value: float
    unit: str = ""  # as in units.py; "percent" of shares, "times" of factors, a sign of money


@dataclass(frozen=True)
class Comparison(Mention):
    """What numbers are compared with: more than half, between 5 and 10. Without a number where something else is
    compared with: above the average, older than Anna."""

    operator: Operator
    low: float | None = None
    high: float | None = None
    unit: str = ""
    choices: tuple[Choice, ...] = ()  # of adjectives: older than 30
    """The columns that may be compared; of one that is ascending, the comparison is turned round."""


@dataclass(frozen=True)
class Top(Mention):
    """Ranks from an end: the top five, the second (first=2, count=1), the last ten percent."""

    count: float
    first: int = 1
    end: End = ""  # where nothing says it, an order beside it does
    unit: str = ""  # "percent", or of rows


@dataclass(frozen=True)
class Interval(Mention):
    """A time from its first to its last moment; None where it is open."""

    first: np.datetime64 | None
    last: np.datetime64 | None
    columns: tuple[int, ...] = ()  # of dates, or of numbers that are years, that may be compared with it
    note: str = field(default="", compare=False)  # what was taken where the question left it open


@dataclass(frozen=True)
class TimeOf(Mention):
    """A condition on a part of a time: one of some values, or from `low` to before `high`.

    Weekdays are 1 (Monday) to 7, months 1 to 12, quarters 1 to 4; hours are 0 to 24, half past six is 6.5.
    """

    part: Part
    values: tuple[int, ...] = ()
    low: float | None = None
    high: float | None = None
    columns: tuple[int, ...] = ()


@dataclass(frozen=True)
class Key(Mention):
    """What is grouped by: columns, or parts of a time, the likeliest first. All are empty where the table has nothing
    that is called so."""

    how: Literal["per", "by", "each", "which", "wise", "adverb"]
    choices: tuple[Choice, ...] = ()
    parts: tuple[Part, ...] = ()
    times: tuple[int, ...] = ()  # the columns of times that the parts are of
    rows: bool = False  # whether it is what the rows are called


@dataclass(frozen=True)
class Band(Mention):
    """A key that is a band of numbers or of times: bands of 100, by decade, age groups (without a width)."""

    width: float | None
    unit: str = ""  # "year" of decades and centuries
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class Rate(Mention):
    """A unit after "per" that is no key: per hour, per 100 g."""

    amount: float
    unit: str


@dataclass(frozen=True)
class Order(Mention):
    """An order, and the columns whose cells may be ordered, the likeliest first; with which direction each."""

    direction: Direction
    choices: tuple[Choice, ...] = ()
    counts: bool = False  # whether it may order by how many there are: most flats, most common
    listed: bool = False  # whether the answer is to be in this order: sorted by, alphabetically, largest first


@dataclass(frozen=True)
class Computation(Mention):
    """What is to be computed; of a moving average, of how many and of which unit."""

    what: Computed
    count: float | None = None
    unit: str = ""


@dataclass(frozen=True)
class YesNo(Mention):
    """The beginning of a question whose answer is yes or no."""


@dataclass(frozen=True)
class TextTest(Mention):
    """A text that cells contain, begin with or end in."""

    test: TestOfText
    text: str


@dataclass(frozen=True)
class Missing(Mention):
    """Cells that are missing, or that are not; of which columns, if one was said."""

    denied: bool = False
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class Connective(Mention):
    """What joins or denies conditions."""

    what: Joint
