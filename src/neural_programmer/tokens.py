"""Text -> words, numbers and times, each as it stands there and as it is compared."""

import re
import unicodedata
from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from neural_programmer.program import Period

REMEMBERED = 20_000  # words, which come again
MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
          "december")  # fmt: skip
AMOUNTS = {
    ("half", "a", "dozen"): 6.0, ("a", "dozen"): 12.0, ("dozen",): 12.0, ("half", "a", "million"): 5e5,
    ("half", "a", "thousand"): 500.0, ("half", "a", "billion"): 5e8, ("a", "couple", "of"): 2.0,
}  # fmt: skip
SCALES = {"k": 1e3, "grand": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6, "b": 1e9, "bn": 1e9, "billion": 1e9}

_TOKEN = re.compile(
    r"(?P<iso>\d{4}-\d{2}-\d{2})"
    r"|(?P<number>(?<![\w.])[-+]?[$€£]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:(?:k|m|mn|bn|b)\b)?(?!\w))"
    r"|(?P<sign>[<>]=?|!=|=)"
    r"|(?P<word>[^\W_]+(?:['\u2019.&-][^\W_]+)*(?:\+\+?|\#|(?<![^\W_]{2})(?<=[a-f])-(?!\w))?)",  # C++, C#, B-
    re.IGNORECASE,
)


class Token(NamedTuple):
    """A word or number of a question, as it stands there and as it is compared."""

    text: str
    key: str
    number: float | None = None
    period: Period | None = None


def tokenized(text: str) -> list[Token]:
    """Words, numbers and days, in order; punctuation is left out.

    >>> [token.key for token in tokenized("What's the Sum over $1,200.50 on 2024-03-05?")]
    ['what', 'the', 'sum', 'over', '$1,200.50', 'on', '2024-03-05']
    """
    tokens = []
    for found in _TOKEN.finditer(text):
        part = found.group()
        if found.lastgroup == "iso" and (day := _day(*map(int, part.split("-")))):
            tokens.append(Token(part, part, None, _period(day, day, part)))
        elif found.lastgroup == "number":
            tokens.append(_number_token(part))
        else:
            tokens.append(Token(part, _folded(part)))
    return tokens


def _number_token(part: str) -> Token:
    """A number as it is written: 1,200.50, $5k, 1.2M; a whole one of four digits may be a year."""
    letters = re.sub(r"[^a-z]", "", part.casefold())
    number = float(re.sub(r"[^\d.+-]", "", part)) * SCALES.get(letters, 1.0)
    year = _period(date(int(part), 1, 1), date(int(part), 12, 31), part) if re.fullmatch(r"[12]\d{3}", part) else None
    return Token(part, _folded(part), number, year)


def numbers_in_words(tokens: list[Token]) -> list[Token]:
    """Twenty five becomes 25, a thousand 1000, 3 million 3000000; one is a number after what compares."""
    read: list[Token] = []
    place = 0
    while place < len(tokens):
        length = _number_words(tokens, place)
        words = [token.key for token in tokens[place : place + length]]
        before = tokens[place - 1].key if place else ""
        value = _value(words) if words and (words != ["one"] or before in COMPARING) else None
        if value is not None:
            read.append(Token(" ".join(words), " ".join(words), value))
            place += length
            continue
        said = tuple(token.key for token in tokens[place : place + 3])
        whole = next((length for length in (3, 2, 1) if said[:length] in AMOUNTS), 0)
        if whole:
            read.append(Token(" ".join(said[:whole]), " ".join(said[:whole]), AMOUNTS[said[:whole]]))
            place += whole
            continue
        token = tokens[place]
        after = tokens[place + 1].key if place + 1 < len(tokens) else ""
        if token.number is not None and after in ("thousand", "million", "billion", "grand"):
            text = f"{token.text} {after}"
            read.append(Token(text, _folded(text), token.number * SCALES[after]))
            place += 2
            continue
        measured = re.fullmatch(
            r"(\d+(?:\.\d+)?)(?:kg|km|cm|mm|g|mg|l|ml|h|hrs|min|mph|kmh|kwh|gb|mb|usd|eur)", token.key
        )
        read.append(Token(token.text, token.key, float(measured[1])) if measured else token)
        place += 1
    return read


def _number_words(tokens: Sequence[Token], place: int) -> int:
    """How many words from here say a number; "and" goes on with one after hundreds and more only."""
    length, between = 0, place > 0 and tokens[place - 1].key == "between"
    while place + length < len(tokens) and (key := tokens[place + length].key) in NUMBER_WORDS:
        last = tokens[place + length - 1].key if length else ""
        if key == "and" and (between or last not in ("hundred", "thousand", "million", "billion")):
            break
        length += 1
    while length and tokens[place + length - 1].key in ("and", "a", "an"):
        length -= 1
    return length


COMPARING = ("least", "most", "than", "exactly", "over", "under", "above", "below", "equals")
UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen".split()
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
NUMBER_WORDS = {*UNITS, *TENS, "hundred", "thousand", "million", "billion", "a", "an", "and"} | {
    f"{ten}-{unit}" for ten in TENS for unit in UNITS[1:10]
}


def _value(words: Sequence[str]) -> float | None:
    """The number that these words say, or None if they say none.

    >>> _value("two hundred and twenty five".split())
    225.0
    """
    from text_to_num import text2num

    said = [("one" if word in ("a", "an") else word) for word in words if word != "and"]
    try:
        return float(text2num(" ".join(said), "en")) if any(word not in ("a", "an", "and") for word in words) else None
    except ValueError:
        return None


def times(tokens: list[Token]) -> list[Token]:
    """March 2024, March 5, 2024, 5 March 2024 and 5th of March 2024 become times."""
    read: list[Token] = []
    place = 0
    while place < len(tokens):
        for length in (4, 3, 2):
            span = tokens[place : place + length]
            if length == 4:  # 5th of March 2024
                of = [token.key for token in span[1:2]] == ["of"] and re.fullmatch(r"\d+(?:st|nd|rd|th)", span[0].key)
                period = _month([span[0], *span[2:]]) if of else None
            else:
                period = _month(span) if len(span) == length else None
            if period is not None:
                read.append(Token(period.text, _folded(period.text), None, period))
                place += length
                break
        else:
            read.append(tokens[place])
            place += 1
    return read


def time_of(text: str) -> Period:
    """The time that a text names.

    >>> str(time_of("March 2024").first)
    '2024-03-01'
    """
    (token,) = times(tokenized(text))
    assert token.period is not None
    return token.period


def _month(span: Sequence[Token]) -> Period | None:
    """The time that a month with its year, and perhaps its day, names."""
    if len(span) == 2 and re.fullmatch("q[1-4]", span[0].key) and span[1].period is not None and span[1].number:
        year, month = int(span[1].text), 3 * int(span[0].key[1])
        following = date(year + month // 12, month % 12 + 1, 1)
        return _period(date(year, month - 2, 1), following - timedelta(days=1), " ".join(t.text for t in span))
    names = [token for token in span if len(token.key) >= 3 and any(m.startswith(token.key) for m in MONTHS)]
    years = [token for token in span if token.period is not None and token.number is not None]
    days = [int(day[1]) for token in span if (day := re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", token.key))]
    if (len(names), len(years)) != (1, 1) or years[0] is not span[-1] or len(span) != 2 + len(days):
        return None
    month = next(place for place, name in enumerate(MONTHS, 1) if name.startswith(names[0].key))
    year, text = int(years[0].text), " ".join(token.text for token in span)
    if days:
        day = _day(year, month, days[0])
        return None if day is None else _period(day, day, text)
    following = date(year + month // 12, month % 12 + 1, 1)
    return _period(date(year, month, 1), following - timedelta(days=1), text)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _period(first: date, last: date, text: str) -> Period:
    end = np.datetime64(last, "us") + np.timedelta64(1, "D") - np.timedelta64(1, "us")
    return Period(np.datetime64(first, "D"), end, text)


@lru_cache(maxsize=REMEMBERED)
def _folded(text: str) -> str:
    """Without case and accents, and without 's."""
    plain = unicodedata.normalize("NFKD", text.replace("\u2019", "'")).casefold()
    return re.sub(r"'s$", "", "".join(letter for letter in plain if not unicodedata.combining(letter)))


def stems(words: Sequence[str]) -> str:
    """Words as they are compared: in the singular.

    >>> stems(["net", "sales"])
    'net sale'
    """
    return " ".join(map(stemmed, words))


@lru_cache(maxsize=REMEMBERED)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a column's name.

    >>> name_words("unitPrice ($)")
    ('unit', 'price')
    """
    return tuple(token.key for token in tokenized(re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name)))


@lru_cache(maxsize=REMEMBERED)
def stemmed(key: str) -> str:
    """A word in the singular.

    >>> [stemmed(word) for word in ("cities", "boxes", "sales", "class")]
    ['city', 'box', 'sale', 'class']
    """
    for ending, singular in (("ies", "y"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss"), ("s", "")):
        if key.endswith(ending) and not key.endswith("ss") and len(key) > len(ending) + 1:
            return key.removesuffix(ending) + singular
    return key
