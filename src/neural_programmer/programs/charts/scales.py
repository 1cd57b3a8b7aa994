"""Places along an axis: exact fractions, so that no number is too large, and round numbers to write beside it."""

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from neural_programmer.programs.charts.columns import Number, short_number

ROUND = (1, 2, 5, 10)  # what steps between numbers begin with
DAY = 86_400
Zero = Literal["always", "near", "never"]  # whether zero is on a scale


def round_step(span: Fraction, parts: int, whole: bool = False) -> Fraction:
    """Return the smallest round step by which a span has at most so many parts; a `whole` number if it must be.

    >>> round_step(Fraction(100), 5), round_step(Fraction(7), 5), round_step(Fraction(1), 5, whole=True)
    (Fraction(20, 1), Fraction(2, 1), Fraction(1, 1))
    """
    wanted = span / parts
    power = Fraction(10) ** (Decimal(wanted.numerator) / Decimal(wanted.denominator)).adjusted()
    step = next(each * power for each in ROUND if each * power >= wanted)
    return max(step, Fraction(1)) if whole else step


@dataclass(frozen=True)
class Scale:
    """The numbers from `low` to `high`, with a `step` between those that are written."""

    low: Fraction
    high: Fraction
    step: Fraction

    @classmethod
    def of(cls, numbers: Sequence[Number], parts: int, zero: Zero = "near", whole: bool = False) -> "Scale":
        """Return round ends around some numbers; with zero where that is `always` or, being `near`, hardly longer."""
        low, high = Fraction(min(numbers)), Fraction(max(numbers))
        near = (low > 0 and low * 2 < high) or (high < 0 and high * 2 > low)
        if zero == "always" or (zero == "near" and near):
            low, high = min(low, Fraction(0)), max(high, Fraction(0))
        if low == high:
            around = Fraction(1) if whole or not low else abs(low) / 2
            low, high = low - around, high + around
        step = round_step(high - low, parts, whole)
        return cls(low // step * step, -(-high // step) * step, step)

    def part(self, number: Number | Fraction) -> float:
        """Return how far along the scale a number is, from 0 to 1."""
        return float((Fraction(number) - self.low) / (self.high - self.low))

    @property
    def written(self) -> list[tuple[Fraction, str]]:
        """Return the round numbers of the scale, and how they are written."""
        count = int((self.high - self.low) / self.step)
        return [(each, short_number(each, self.step)) for each in (self.low + n * self.step for n in range(count + 1))]


def seconds(moment: datetime.datetime) -> Fraction:
    """Return how far a time is from the first there is, in seconds: as good before 1970 as after.

    >>> seconds(datetime.datetime(1970, 1, 2)) - seconds(datetime.datetime(1969, 12, 31))
    Fraction(172800, 1)
    """
    past = moment - datetime.datetime.min
    return Fraction(past.days * DAY + past.seconds) + Fraction(past.microseconds, 10**6)


def grain(moments: Sequence[datetime.datetime]) -> int:
    """Return how many letters of a time in ISO form tell these apart: 4 for years, 7 for months, 10 for days, ..."""
    if any(each.second or each.microsecond for each in moments):
        return 19
    if any(each.hour or each.minute for each in moments):
        return 16
    if any(each.day > 1 for each in moments):
        return 10
    return 7 if any(each.month > 1 for each in moments) else 4


def some(count: int, most: int) -> list[int]:
    """Return at most so many places of `count`, the first and as evenly as can be.

    >>> some(10, 4), some(3, 5), some(25, 6)
    ([0, 3, 6, 9], [0, 1, 2], [0, 5, 10, 15, 20])
    """
    step = max(math.ceil(count / max(most, 1)), 1)
    return list(range(0, count, step))
