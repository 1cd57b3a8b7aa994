"""The items of an answer, read as the official evaluator of WikiTableQuestions reads them.

An item is a text, a number or a date; an answer is right if it has as many different items as are wanted, and each that
is wanted matches one of them (see same.py).
"""

import math
import re
import unicodedata
from typing import Any, NamedTuple

import numpy as np

from neural_programmer.base.once import remembered
from neural_programmer.programs.values import is_missing, plain

PLAIN = re.compile(r"[+-]?(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.[0-9]+)?")  # perhaps with thousands separators
DATE = re.compile(r"(xx|xxxx|[0-9]{1,9})-(xx|[0-9]{1,9})-(xx|[0-9]{1,9})")
UNKNOWN = -1  # a part of a date
DECIMALS = 6  # that show a difference of numbers that do not count as the same

QUOTES, DOUBLE_QUOTES = "\u2018\u2019\u00b4`", "\u201c\u201d"
DASHES = "\u2010\u2011\u2012\u2013\u2014\u2212"
UNIFIED = str.maketrans(
    {**dict.fromkeys(QUOTES, "'"), **dict.fromkeys(DOUBLE_QUOTES, '"'), **dict.fromkeys(DASHES, "-")}
)
MARKS = "•♦†‡*#+"  # of a footnote, behind a text
LONGEST = 2_000  # letters of a text that something is taken away from
ENDS = frozenset(MARKS + '])"')  # what the last letter is where something may be taken away
BEHIND = re.compile(rf"(?:(?!^)\[[^\]]*\]|\[[0-9]+\]|[{re.escape(MARKS)}]| \([^)]*\))$")
QUOTED = re.compile(r'"([^"]*)"')
REMEMBERED = 1 << 18  # texts that are normalised once


def normalised(text: str) -> str:
    """Return a text as the measure compares it: without case, accents, footnotes, remarks in parentheses and quotation
    marks.

    >>> normalised('“Café  Central” (closed)[2]')
    'cafe central'
    """
    if not text.isascii():
        letters = unicodedata.normalize("NFKD", text)
        text = "".join(letter for letter in letters if unicodedata.category(letter) != "Mn").translate(UNIFIED)
    elif "`" in text:
        text = text.translate(UNIFIED)
    text = _shortened(text.strip())
    return " ".join(text.removesuffix(".").lower().split())


def _shortened(text: str) -> str:
    """Return a text without footnote marks and remarks behind it and quotation marks around it."""
    while text and text[-1] in ENDS and len(text) <= LONGEST:
        quoted = QUOTED.fullmatch(text)
        shorter = (quoted[1] if quoted else BEHIND.sub("", text)).strip()
        if shorter == text:
            break
        text = shorter
    return text


def number(text: str, grouped: bool = False) -> float | None:
    """Return the number that a text is for the measure, or None. If `grouped`, it may have thousands separators."""
    try:
        found = float(text.replace(",", "") if grouped and PLAIN.fullmatch(text) else text)
    except ValueError:
        return None
    return found if math.isfinite(found) and "_" not in text else None


def _date(text: str) -> tuple[int, int, int] | None:
    """Return year, month and day of a date such as 1990-05-xx, or None if the text is no date."""
    if not (found := DATE.fullmatch(text.lower())):
        return None
    year, month, day = (UNKNOWN if part.startswith("x") else int(part) for part in found.groups())
    if month not in (UNKNOWN, *range(1, 13)) or day not in (UNKNOWN, *range(1, 32)):
        return None
    return None if year == month == day == UNKNOWN else (year, month, day)


class Item(NamedTuple):
    """An item of an answer: its normalised text, and the number or date that it is, if any."""

    text: str
    number: float | None = None
    date: tuple[int, int, int] | None = None

    @property
    def itself(self) -> Any:
        """Return what makes items of an answer count once: equal ones are the same item."""
        return self.date or (self.text if self.number is None else round(self.number, DECIMALS))


@remembered(REMEMBERED)
def item(text: str, grouped: bool = False) -> Item:
    """Return the item that a text is. A date of which only the year is known is a number."""
    if (found := number(text, grouped)) is not None:
        return Item(normalised(text), found)
    day = _date(text)
    if day is not None and day[1:] == (UNKNOWN, UNKNOWN):
        return Item(normalised(text), float(day[0]))
    return Item(normalised(text), None, day)


def key(value: Any) -> str:
    """Return a key that is the same for any two items that match. A number, a truth or a missing value of Python has
    one too.

    >>> key("12.0"), key(12.0), key("Café*"), key("1,234"), key(1234.0)
    ('12', '12', 'cafe', '1234', '1234')
    """
    return _text_key(value if isinstance(value, str) else written(value))


@remembered(REMEMBERED)
def _text_key(text: str) -> str:
    one = item(normalised(text) or text, grouped=True)
    if one.date is not None:
        return "-".join("xx" if part == UNKNOWN else f"{part:02}" for part in one.date)
    return one.text if one.number is None else written(one.number)


def written(value: Any) -> str:
    """Return a value as the text of an item: numbers with at most six decimals, truths as yes and no, a missing cell as
    nothing.

    >>> written(12.0), written(1 / 3), written(-2.50), written(True), written(float("nan")), written("1,234 km")
    ('12', '0.333333', '-2.5', 'yes', '', '1,234 km')
    """
    if is_missing(value):
        return ""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | float) and math.isfinite(value):
        text = f"{value:z.{DECIMALS}f}"
        return text.rstrip("0").rstrip(".")
    return str(plain(value))
