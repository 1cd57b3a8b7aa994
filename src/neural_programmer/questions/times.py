"""Times as people say them: March 2024, March 5, 2024, the 5th of March, the first week of March.

Where no year is said, it is that of the table; what was taken then is told in a note.
"""

import calendar
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import NamedTuple

from neural_programmer.questions.index import in_year
from neural_programmer.questions.quantities import ordinal
from neural_programmer.questions.tokens import Token, day_of, folded, number_token, period_of, stemmed, tokenized
from neural_programmer.tables.period import Period, full_year
from neural_programmer.tables.table import Style
from neural_programmer.tables.views import MONTH_NAMES

MONTHS = tuple(name.lower() for name in MONTH_NAMES)
BEFORE = frozenset(  # what stands before a month that is said alone, and not before the verbs may and march
    "in of since until till before after during from by to and or last this for between through early late mid".split()
)
LONGEST_TIME = 5  # words of a time
LAST_YEAR = 9998  # that days are counted in
MANY_YEARS = 400  # that are tried
SLACK = 1e-9  # of parts of years
TO = ("and", "to", "or", "until", "till", "through")
THIRDS = {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2}
LAST = ("last", "final")
LONGEST_PART = 1_000  # days, weeks or months that a part has


class _Said(NamedTuple):
    """A time in words: the months of its year, and the day if one is named."""

    text: str
    year: int | None
    first: int
    last: int
    days: tuple[int, ...]

    def period(self, year: int) -> Period | None:
        """Return the time in a year, if that has it."""
        text = self.text if self.year is not None else f"{self.text} {year}"
        if not self.days:
            return period_of(date(year, self.first, 1), _last_day(year, self.last), text)
        day = day_of(year, self.first, self.days[0])
        return None if day is None else period_of(day, day, text)


def times(
    tokens: list[Token], years: tuple[float, float] | None = None, styles: Collection[Style] = ("month",)
) -> list[Token]:
    """Words that say times become times; without a year, in the last of the years between these that had it yet.

    Of days in digits, the month comes first, or the day if that is the style of the table's.
    """
    read: list[Token] = []
    opens: dict[int, _Said] = {}  # at which places a time stands of which the year was not said
    place, tokens = 0, [_in_digits(token, styles) for token in _apart(tokens)]
    while place < len(tokens):
        for length in range(LONGEST_TIME, 0, -1):
            span = tokens[place : place + length]
            found = _said(span, read[-1].key if read else "") if len(span) == length else None
            period = found and _in_years(found, years)
            if found is not None and period is not None:
                if found.year is None:
                    opens[len(read)] = found
                read.append(Token(found.text, folded(found.text), None, period))
                place += length
                break
        else:
            read.append(tokens[place])
            place += 1
    return _parts(_shared(_of_one_year(read, opens, years)))


def _apart(tokens: Sequence[Token]) -> Iterator[Token]:
    """Mid-July as two words, and what follows the day in 28-May-15 as a month and a year."""
    for place, token in enumerate(tokens):
        first, _, rest = token.key.partition("-")
        if first == "mid" and _month(rest):
            yield from (Token(first, first), Token(token.text[4:], rest))
        elif place and _day(tokens[place - 1].key) and _month(first) and re.fullmatch(r"\d{2}|[12]\d{3}", rest):
            yield from (Token(token.text[: len(first)], first), number_token(str(full_year(rest))))
        else:
            yield token


def _in_digits(token: Token, styles: Collection[Style]) -> Token:
    """Return a day such as 3/5/2024 as the table writes days; where nothing shows that, a note says what was taken."""
    digits = re.fullmatch(r"(\d{1,2})/(\d{1,2})/(\d{4})", token.text)
    first, second, year = map(int, digits.groups()) if digits else (0, 0, 0)
    only_month = "month" in styles and "day" not in styles
    day = None if only_month else day_of(year, second, first)
    if day is None or token.period is None or first == second or first > 12:
        return token
    if "day" in styles and "month" not in styles:
        return token._replace(period=period_of(day, day, token.text))
    note = f'"{token.text}" was taken for {_told(*[token.period.first.astype(date)] * 2)}.'
    return token._replace(period=replace(token.period, note=note))


def _of_one_year(tokens: list[Token], opens: dict[int, _Said], years: tuple[float, float] | None) -> list[Token]:
    """From July to August 2023: the year of the second is that of the first, or the next one."""
    read = list(tokens)
    for place, said in opens.items():
        following = [token for token in tokens[place + 1 : place + 4] if token.key != "the"]
        other = following[1].period if len(following) > 1 and following[0].key in TO else None
        period = read[place].period
        assert period is not None
        if other is not None:
            start = other.first.astype(date)
            period = said.period(start.year - ((said.first, *said.days) > (start.month, start.day))) or period
        elif years is not None and int(years[0]) < period.first.astype(date).year:
            kind = "day" if said.days else "time"
            note = (
                f'"{said.text}" was taken for {period}, the last such {kind} of the table; name the year for another.'
            )
            period = replace(period, note=note)
        read[place] = read[place]._replace(period=period)
    return read


def _shared(tokens: list[Token]) -> list[Token]:
    """Between the 12th and the 16th of March: the month of the second day is that of the first."""
    read = list(tokens)
    for place, token in enumerate(tokens):
        rest = [other for other in tokens[place + 1 : place + 4] if other.key != "the"]
        day = ordinal(token.key)
        if day and len(rest) > 1 and rest[0].key in TO and rest[1].period is not None and rest[1].number is None:
            other = rest[1].period.first.astype(date)
            period = _Said(f"{token.text} {other:%B}", None, other.month, other.month, (day,)).period(other.year)
            read[place] = token if period is None else Token(token.text, token.key, None, period)
    return read


def _parts(tokens: Sequence[Token]) -> list[Token]:
    """Return the first week of March, early 2023, the last ten days of May: a part of a time, told in a note."""
    read: list[Token] = []
    for token in tokens:
        part = _part(read, token.period) if token.period is not None else None
        if part is None:
            read.append(token)
            continue
        length, first, last = part
        said = " ".join(one.text for one in (*read[len(read) - length :], token))
        period = period_of(first, last, _told(first, last))
        period = replace(period, note=f'"{said}" was taken for {period}.')
        read[len(read) - length :] = [Token(said, folded(said), None, period)]
    return read


def _part(before: Sequence[Token], period: Period) -> tuple[int, date, date] | None:
    """Return how many of the words before a time narrow it, and to which days."""
    whole, keys = _Days(period), [token.key for token in before]
    if keys[-1:] != ["of"]:
        third = THIRDS.get(keys[-1]) if keys and keys[-1] in ("early", "mid", "late") else None
        found, length = None if third is None else whole.third(third), 1
    elif keys[-2:-1] and keys[-2] in THIRDS:
        found, length = whole.third(THIRDS[keys[-2]]), 2
    else:
        unit, which = stemmed(keys[-2]) if keys[1:] else "", keys[-3] if keys[2:] else ""
        number = before[-3].number if keys[2:] else None
        if number is not None and 1 <= number <= LONGEST_PART and keys[3:] and keys[-4] in ("first", *LAST):
            found, length = whole.several(unit, int(number), keys[-4] != "first"), 4
        elif which in ("first", *LAST) and keys[-2] == f"{unit}s":  # the first days of March
            found, length = whole.third(0 if which == "first" else 2), 3
        elif which in LAST or ordinal(which):
            found, length = whole.one(unit, 0 if which in LAST else ordinal(which) or 0), 3
        else:
            found, length = whole.week() if unit == "week" else None, 2
    return None if found is None else (length, *found)


class _Days:
    """The days of a time, and parts of them."""

    def __init__(self, period: Period) -> None:
        self.first, self.last = period.first.astype(date), period.last.astype("M8[D]").astype(date)
        self.months = 12 * (self.last.year - self.first.year) + self.last.month - self.first.month + 1
        if self.first.day > 1 or self.last != _last_day(self.last.year, self.last.month):
            self.months = 0  # of days that are no whole months

    def third(self, place: int) -> tuple[date, date] | None:
        """Return the beginning, the middle or the end of a month, quarter or year."""
        if self.months == 1:
            ends = [0, 10, 20, self.last.day]
            return self.first.replace(day=ends[place] + 1), self.first.replace(day=ends[place + 1])
        if self.months % 3 or not self.months:
            return None
        return self._of_months(place * self.months // 3, self.months // 3)

    def one(self, unit: str, which: int) -> tuple[date, date] | None:
        """Return the first, the second, ... or the last (0) day, week, month, quarter or half."""
        if unit == "half" and self.months == 1 and which < 3:
            middle = self.first.replace(day=15)
            return (self.first, middle) if which == 1 else (middle + timedelta(1), self.last)
        months = {"month": 1, "quarter": 3, "half": self.months // 2}.get(unit, 0)
        if months and not self.months % months and which <= self.months // months and months < self.months:
            return self._of_months(months * ((which or self.months // months) - 1), months)
        days = {"day": 1, "week": 7}.get(unit)
        if days is None or not self.months:
            return None
        first = self.last - timedelta(days - 1) if not which else self.first + timedelta(days * (which - 1))
        return (first, min(first + timedelta(days - 1), self.last)) if first <= self.last else None

    def several(self, unit: str, count: int, from_end: bool) -> tuple[date, date] | None:
        """Return the first or the last so many days, weeks or months."""
        if unit == "month" and count <= self.months:
            return self._of_months(self.months - count if from_end else 0, count)
        days = count * {"day": 1, "week": 7}.get(unit, LONGEST_PART)
        if not self.months or days > (self.last - self.first).days + 1:
            return None
        more = timedelta(days - 1)
        return (self.last - more, self.last) if from_end else (self.first, self.first + more)

    def week(self) -> tuple[date, date] | None:
        """Return the week of a day, from Monday on."""
        if self.first != self.last:
            return None
        monday = self.first - timedelta(self.first.weekday())
        return monday, monday + timedelta(6)

    def _of_months(self, after: int, count: int) -> tuple[date, date]:
        start, end = self.first.month - 1 + after, self.first.month - 2 + after + count
        last = _last_day(self.first.year + end // 12, end % 12 + 1)
        return date(self.first.year + start // 12, start % 12 + 1, 1), last


def _told(first: date, last: date) -> str:
    """Days as people write them.

    >>> _told(date(2024, 3, 1), date(2024, 3, 7)), _told(date(2024, 2, 26), date(2024, 3, 3))
    ('1 to 7 March 2024', '26 February to 3 March 2024')
    """
    if first == last:
        return f"{last.day} {last:%B} {last.year}"
    shown = str(first.day)
    if first.month != last.month or first.year != last.year:
        shown += f" {first:%B}" + f" {first.year}" * (first.year != last.year)
    return f"{shown} to {_told(last, last)}"


def _last_day(year: int, month: int) -> date:
    return date(year, month, calendar.monthrange(year, month)[1])


def time_of(text: str) -> Period:
    """Return the time that a text names.

    >>> str(time_of("March 2024").first)
    '2024-03-01'
    """
    (token,) = times(tokenized(text))
    assert token.period is not None
    return token.period


def _said(span: Sequence[Token], before: str) -> _Said | None:
    """Return the time that these words name: a month or quarter, perhaps with its day and its year."""
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
    return _Said(text, year, first, last, tuple(days))


def _in_years(said: _Said, years: tuple[float, float] | None) -> Period | None:
    """Return the time in its year, or in the last of the years between these that had it."""
    part = in_year(said.first, said.days[0] if said.days else 1)
    found = (said.period(year) for year in ([said.year] if said.year is not None else _years(years, part)))
    return next(filter(None, found), None)


def _years(years: tuple[float, float] | None, part: float) -> Iterator[int]:
    """Return the years between these, the last first, that had come to this part of them."""
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
    """Return whether a word alone is a month: its name or the first three letters, after what stands before months."""
    whole = token.key in MONTHS or len(token.key) == 3
    return whole and (before in BEFORE or (token.key in MONTHS and token.key not in ("may", "march")))
