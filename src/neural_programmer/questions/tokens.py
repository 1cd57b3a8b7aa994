"""Text -> words, numbers and times, each as it stands there and as it is compared."""

import re
import unicodedata
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

import numpy as np

from neural_programmer.base.once import remembered
from neural_programmer.tables.period import Period

REMEMBERED_WORDS = 20_000  # words, which come again
SCALES = {
    "k": 1e3, "grand": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6, "b": 1e9, "bn": 1e9, "billion": 1e9,
}  # fmt: skip

_TOKEN = re.compile(
    r"(?P<day>(?<![\w/.-])(?:\d{4}([-/])\d{1,2}\2\d{1,2}|\d{1,2}([/.])\d{1,2}\3\d{4})(?![\w/-]))"
    r"|(?P<decade>(?<![\w.])(?:1[5-9]|20)?\d0['\u2019]s\b)"
    r"|(?P<number>(?<![\w.])[-+]?[$€£]?(?:\d{1,3}(?:,\d{3})+|\d+|(?=\.\d))(?:\.\d+)?(?:(?:k|m|mn|bn|b)\b)?(?!\w|\.\d))"
    r"|(?P<sign>[<>]=?|!=|=)"
    r"|(?P<word>[^\W_]+(?:['\u2019.&-][^\W_]+)*(?:\+\+?|\#|(?<![^\W_]{2})(?<=[a-f])-(?!\w))?)",  # C++, C#, B-
    re.IGNORECASE,
)

_MINUS = re.compile(  # not - 5 after what compares nothing, where it is a dash
    r"(?<!\w)[\u2212\u2013](?=\.?\d)|(?<=(?:than|over) )[-\u2212\u2013] (?=\d)|(?<=(?:above|below|under|least) )"
    r"[-\u2212\u2013] (?=\d)|\u2212"
)


class Token(NamedTuple):
    """A word or number of a question, as it stands there and as it is compared."""

    text: str
    key: str
    number: float | None = None
    period: Period | None = None
    scale: float = 1.0  # that the number was said with: a million, of 3 million


def tokenized(text: str) -> list[Token]:
    """Words, numbers and days, in order; punctuation is left out, and other signs of minus are read as one.

    >>> [token.key for token in tokenized("What's the Sum over $1,200.50 on 2024-03-05?")]
    ['what', 'the', 'sum', 'over', '$1,200.50', 'on', '2024-03-05']
    """
    tokens = []
    for found in _TOKEN.finditer(unified(text)):
        part = found.group()
        if found.group("day"):
            day = _day(*map(int, re.split(r"[-/.]", part)), dotted="." in part)
            tokens.append(Token(part, part, None, None if day is None else period_of(day, day, part)))
        elif found.group("decade"):
            tokens.append(Token(part, part.replace("\u2019", "'")))
        elif found.lastgroup == "number":
            tokens.append(number_token(part))
        else:
            tokens.append(Token(part, folded(part)))
    return tokens


def unified(text: str) -> str:
    """Return a text with one sign of minus and one form of every letter: what words are taken from."""
    return _MINUS.sub("-", unicodedata.normalize("NFKC", text))


def number_token(part: str) -> Token:
    """Return a number as it is written: 1,200.50, $5k, 1.2M; a whole one of four digits may be a year."""
    letters = re.sub(r"[^a-z]", "", part.casefold())
    scale = SCALES.get(letters, 1.0)
    number = float(re.sub(r"[^\d.+-]", "", part)) * scale
    year = period_of(date(int(part), 1, 1), date(int(part), 12, 31), part) if re.fullmatch(r"[12]\d{3}", part) else None
    return Token(part, folded(part), number, year, scale)


def _day(first: int, second: int, third: int, dotted: bool) -> date | None:
    """Return the day of 2024-03-05, 5.3.2024, 3/5/2024 and 25/6/2024: with strokes the month comes first, if it is
    one."""
    if first > 31:
        return day_of(first, second, third)
    day, month = (first, second) if dotted or first > 12 else (second, first)
    return day_of(third, month, day)


def day_of(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except (ValueError, OverflowError):
        return None


def period_of(first: date, last: date, text: str) -> Period:
    end = np.datetime64(last, "us") + np.timedelta64(1, "D") - np.timedelta64(1, "us")
    return Period(np.datetime64(first, "D"), end, text)


@remembered(REMEMBERED_WORDS)
def folded(text: str) -> str:
    """Return a word without case, accents and 's."""
    plain = unicodedata.normalize("NFKD", text.replace("\u2019", "'")).casefold()
    return re.sub(r"'s$", "", "".join(letter for letter in plain if not unicodedata.combining(letter)))


def stems(words: Sequence[str]) -> str:
    """Return words as they are compared: in the singular.

    >>> stems(["net", "sales"])
    'net sale'
    """
    return " ".join(map(stemmed, words))


@remembered(REMEMBERED_WORDS)
def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a column's name.

    >>> name_words("unitPrice ($)")
    ('unit', 'price')
    """
    return tuple(token.key for token in tokenized(re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name)))


@remembered(REMEMBERED_WORDS)
def stemmed(key: str) -> str:
    """Return a word in the singular.

    >>> [stemmed(word) for word in ("cities", "boxes", "sales", "class")]
    ['city', 'box', 'sale', 'class']
    """
    for ending, singular in (("ies", "y"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss"), ("s", "")):
        if key.endswith(ending) and not key.endswith("ss") and len(key) > max(len(ending) + 1, 3):
            return key.removesuffix(ending) + singular
    return key
