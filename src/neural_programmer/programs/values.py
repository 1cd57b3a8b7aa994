"""The values of an answer as JSON has them and as people read them."""

import datetime
import math
from collections.abc import Iterator
from typing import Any

CURRENCIES = "$€£¥₹"  # that stand before a number
LARGE = 10_000  # numbers that are written in groups of three digits
DIGITS = 4  # of a probability, as it is written
EXACT, MOST_DECIMALS = 4, 12  # decimals of a number that are all shown, and that are at most
ROUNDING = 1e-12  # of a number, that floats are off


def is_missing(value: Any) -> bool:
    """Return whether a value stands for a missing cell: None, NaN or not-a-time, also as the text that tables have.

    >>> [is_missing(value) for value in (None, float("nan"), "NaT", "", 0.0)]
    [True, True, True, False, False]
    """
    return value is None or value != value or value == "NaT"


def plain(value: Any) -> Any:
    """Return a value as JSON writes it: whole numbers without a point, dates in ISO form, NaN and infinity as text."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == datetime.time() else value.isoformat(" ")
    return value.isoformat() if isinstance(value, datetime.date) else value


def rounded(value: Any) -> Any:
    """Return a value with its probabilities rounded to four digits."""
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, tuple | list):
        return [rounded(each) for each in value]
    return {name: rounded(each) for name, each in value.items()} if isinstance(value, dict) else value


def shown_value(value: Any, unit: str = "") -> str:
    """Return a cell as people read it, with all of its digits.

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
    """Return a number beside its unit: $5, 12 %, 3 km."""
    if unit in CURRENCIES:
        return f"-{unit}{number[1:]}" if unit and number.startswith("-") else f"{unit}{number}"
    return f"{number} {unit}"


def for_people(number: float, unit: str = "", digits: int | None = None) -> str:
    """Return a number as text, with the decimals that it needs or with `digits` decimals.

    Large numbers and those with a unit are written in groups of three digits; years are not.

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
    """Yield the numbers of decimals that may be enough, the fewest first."""
    exact = len(f"{number:.15g}".partition(".")[2].partition("e")[0])
    if exact <= EXACT:
        yield exact
    yield from (places for places in range(2, MOST_DECIMALS) if not _is_whole(number, f"{number:.{places}f}"))
    yield MOST_DECIMALS


def _is_whole(number: float, shown: str) -> bool:
    """Return whether a text shows a number as a whole one that it is not."""
    return float(shown).is_integer() and abs(number - float(shown)) > ROUNDING * max(1.0, abs(number))
