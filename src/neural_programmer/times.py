"""Times as people say them: March 2024, March 5, 2024, the 5th of March; where no year is said, that of the table."""

import re
from collections.abc import Iterator, Sequence
from datetime import date

import numpy as np

from neural_programmer.index import in_year
from neural_programmer.program import Period
from neural_programmer.quantities import ordinal
from neural_programmer.tokens import Token, day_of, folded, period_of, tokenized

MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
          "december")  # fmt: skip
BEFORE = frozenset(  # what stands before a month that is said alone, and not before the verbs may and march
    "in of since until till before after during from by to and or last this for between through early late mid".split()
)
LONGEST_TIME = 5  # words of a time
LAST_YEAR = 9998  # that days are counted in
MANY_YEARS = 400  # that are tried
SLACK = 1e-9  # of parts of years
TO = ("and", "to", "or", "until", "till", "through")


def times(tokens: list[Token], years: tuple[float, float] | None = None) -> list[Token]:
    """Words that say times become times; without a year, in the last of the years between these that had it yet."""
    read: list[Token] = []
    place = 0
    while place < len(tokens):
        for length in range(LONGEST_TIME, 0, -1):
            span = tokens[place : place + length]
            period = _said(span, read[-1].key if read else "", years) if len(span) == length else None
            if period is not None:
                read.append(Token(period.text, folded(period.text), None, period))
                place += length
                break
        else:
            read.append(tokens[place])
            place += 1
    return _shared(read)


def _shared(tokens: list[Token]) -> list[Token]:
    """Between the 12th and the 16th of March: the month of the second day is that of the first."""
    read = list(tokens)
    for place, token in enumerate(tokens):
        rest = [other for other in tokens[place + 1 : place + 4] if other.key != "the"]
        day = ordinal(token.key)
        if day and len(rest) > 1 and rest[0].key in TO and rest[1].period is not None and rest[1].number is None:
            other = rest[1].period.first.astype(date)
            period = _period(other.year, other.month, other.month, [day], f"{token.text} {other:%B %Y}")
            read[place] = token if period is None else Token(token.text, token.key, None, period)
    return read


def time_of(text: str) -> Period:
    """The time that a text names.

    >>> str(time_of("March 2024").first)
    '2024-03-01'
    """
    (token,) = times(tokenized(text))
    assert token.period is not None
    return token.period


def _said(span: Sequence[Token], before: str, years: tuple[float, float] | None) -> Period | None:
    """The time that these words name: a month or quarter, perhaps with its day and its year."""
    text = " ".join(token.text for token in span)
    year = int(span[-1].text) if span[-1].period is not None and span[-1].number is not None else None
    words = [token.key for token in (span if year is None else span[:-1])]
    inner = words[1:-1] if year is None else words[1:]
    words = [word for place, word in enumerate(words) if not (word in ("of", "the") and 0 < place <= len(inner))]
    quarters = [int(word[1]) for word in words if re.fullmatch("q[1-4]", word)]
    months = [number for word in words if (number := _month(word))]
    days = [day for word in words if (day := _day(word)) is not None]
    if len(months) + len(quarters) != 1 or len(words) != 1 + len(days) or len(days) > (0 if quarters else 1):
        return None
    if year is None and not days and not quarters and not _is_month(span[0], before):
        return None
    first, last = (3 * quarters[0] - 2, 3 * quarters[0]) if quarters else (months[0], months[0])
    for each in [year] if year is not None else _years(years, in_year(first, days[0] if days else 1)):
        period = _period(each, first, last, days, text)
        if period is not None:
            return period
    return None


def _years(years: tuple[float, float] | None, part: float) -> Iterator[int]:
    """The years between these, the last first, that had come to this part of them."""
    low, high = (1, 0) if years is None else (max(years[0], 1), min(years[1], LAST_YEAR + 0.99))
    yield from (
        year for year in range(int(high), max(int(low), int(high) - MANY_YEARS) - 1, -1) if year + part <= high + SLACK
    )


def _month(word: str) -> int | None:
    fits = [place for place, name in enumerate(MONTHS, 1) if name.startswith(word) or word == "sept" == name[:4]]
    return fits[0] if fits and len(word) >= 3 else None


def _day(word: str) -> int | None:
    return int(word) if re.fullmatch(r"\d{1,2}", word) else ordinal(word)


def _is_month(token: Token, before: str) -> bool:
    """Whether a word alone is a month: its name or the first three letters, after what stands before months."""
    whole = token.key in MONTHS or len(token.key) == 3
    return whole and (before in BEFORE or (token.key in MONTHS and token.key not in ("may", "march")))


def _period(year: int, first: int, last: int, days: Sequence[int], text: str) -> Period | None:
    if not days:
        following = np.datetime64(f"{year:04d}-{last:02d}", "M") + 1
        return period_of(date(year, first, 1), (following.astype("M8[D]") - 1).astype(date), text)
    day = day_of(year, first, days[0])
    return None if day is None else period_of(day, day, text)
