"""Days as people name them, at a place of a question: May 3, 2024; the first half of 2020; Q3; the nineties; May."""

import calendar
import re
from datetime import date, timedelta
from typing import NamedTuple

from neural_programmer.questions.asked.points import (
    Point,
    last_of_month,
    months_on,
    part_of_year,
    third_of,
)
from neural_programmer.questions.asked.sentence import Sentence
from neural_programmer.questions.asked.vocabulary import HOLIDAYS, SEASONS, WEEKDAYS
from neural_programmer.questions.index import YEARS, Index
from neural_programmer.questions.quantities import DECADES, ORDINALS
from neural_programmer.questions.times import BEFORE, LAST, LAST_YEAR, MONTHS, THIRDS
from neural_programmer.questions.tokens import day_of
from neural_programmer.tables.period import full_year

YEAR_BEFORE = frozenset(  # words before a number that is a year, also where the table has no such year
    "in since from during until till before after by year to through than and between of or late early mid "
    "throughout for versus around summer winter spring autumn fall".split()
)
AMBIGUOUS = frozenset("may march mar sun sat wed mon dec jan fri thu tue second fall spring".split())
SURE = frozenset("in since until till during of last every this".split())
CENTURIES = {name: place for place, name in enumerate(ORDINALS)}
DEEPEST = 5  # times within times
SMALLER = {"week": 7, "day": 1}


class Times(NamedTuple):
    """The columns of times of a table: of dates and of years, and their last days."""

    dates: tuple[int, ...]
    years: tuple[int, ...]
    first: date | None
    last: date | None

    @property
    def every(self) -> tuple[int, ...]:
        return self.dates + self.years


def times_of(index: Index) -> Times:
    """Return the columns of times of a table."""
    dates = tuple(p for p, c in enumerate(index.columns) if c.kind == "date" and 1 <= c.low <= c.high < LAST_YEAR)
    years = tuple(p for p, c in enumerate(index.columns) if c.is_year and (not c.view or index.itself(p) not in dates))
    lows = [index.columns[place].low for place in dates + years]
    if not lows:
        return Times(dates, years, None, None)
    high = max([newest(index, place) for place in dates + years])
    return Times(dates, years, date(int(min(lows)), 1, 1), high)


def newest(index: Index, place: int) -> date:
    """Return the last day of a column of dates; of one of years, the end of the last.

    >>> import numpy as np
    >>> from neural_programmer.tables.table import Table
    >>> newest(Index.of(Table(("day",), (np.array(["2020-02-03", "2024-12-31"], "M8[D]"),))), 0)
    datetime.date(2024, 12, 31)
    """
    column = index.columns[place]
    year = int(column.high)
    if column.kind == "number":
        return date(year, 12, 31)
    months, days = divmod(round((column.high - year) * 372), 31)
    return date(year, months + 1, min(days + 1, calendar.monthrange(year, months + 1)[1]))


class Reader:
    """Reads times of a question."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence, self.times = sentence, times_of(sentence.index)
        self.symbols = [item.symbol for item in sentence.items]
        self.depth = 0

    def at(self, item: int, before: str = "") -> Point | None:
        """Return the time that begins at an item, if it is not one within many others: the end of the end of ..."""
        if self.depth >= DEEPEST:
            return None
        self.depth += 1
        try:
            if self._symbol(item) != "the":
                return self._read(item, before)
            found = self._read(item + 1, "the") or self._read(item + 1, before)
            return found and found._replace(length=found.length + 1)
        finally:
            self.depth -= 1

    def _read(self, item: int, before: str) -> Point | None:
        symbol = self._symbol(item)
        if not symbol:
            return None
        if symbol == "last" and (
            found := self._holiday(item + 1) or self._month(item + 1, "last") or self._season(item + 1, "the")
        ):
            return self._last_such(found)
        return (
            self._digits(item)
            or self._partial(item, before)
            or self._holiday(item)
            or self._month(item, before)
            or self._quarter(item)
            or self._season(item, before)
            or self._decade(item, before)
            or self._year(item, before)
            or self._weekday(item, before)
        )

    def _last_such(self, point: Point) -> Point | None:
        """Return the last May, the last summer of the table."""
        if point.part is None or self.times.last is None:
            return point._replace(length=point.length + 1)
        last = self.times.last
        year = last.year if point.values[-1] <= last.month else last.year - 1
        first = date(year - (point.values[0] > point.values[-1]), point.values[0], 1)
        return Point(
            point.length + 1,
            first,
            last_of_month(date(year, point.values[-1], 1)),
            note=f"the year was taken to be {year}",
        )

    def _symbol(self, item: int) -> str:
        return self.symbols[item] if 0 <= item < len(self.symbols) else ""

    def _digits(self, item: int) -> Point | None:
        """2024-03-05, 5.3.2024, 3/5/2024 as the table writes days."""
        symbol = self._symbol(item)
        if symbol[0] != "^":
            return None
        text = self.sentence.words[int(symbol[1:])].text
        one, two, three = (int(part) for part in re.split(r"[-/.]", text))
        styles = self.sentence.index.styles
        if one > 31:
            year, month, day = one, two, three
        elif "." in text or one > 12 or ("day" in styles and "month" not in styles and two <= 12):
            year, month, day = three, two, one
        else:
            year, month, day = three, one, two
        found = day_of(year, month, day)
        return found and Point(1, found, found)

    def year_at(self, item: int, before: str | None = None) -> tuple[int, int] | None:
        """Return how many items say a year, and which: 2019, '19, of 2019, the year 2019."""
        length = 0
        while length < 3 and (self._symbol(item + length) in ("of", "the", "in") or self.says_year(item + length)):
            length += 1
        symbol = self._symbol(item + length)
        if short := re.fullmatch(r"['\u2019](\d\d)", symbol):
            return length + 1, full_year(short[1])
        if not symbol.startswith("#"):
            return None
        value, _ = self.sentence.numbers[int(symbol[1:])]
        said = self.sentence.words[self.sentence.items[item + length].first : self.sentence.items[item + length].end]
        if len(said) != 1 or not re.fullmatch(r"\d{4}", said[0].text) or not YEARS[0] <= value <= YEARS[1]:
            return None
        after = self._symbol(item + length + 1)
        if after in ("percent", "times", "km", "kg", "dollar", "dollars", "euros", "euro"):
            return None
        return length + 1, int(value)

    def says_year(self, item: int) -> bool:
        """Return whether an item is the word year, also where a column is called so."""
        symbol = self._symbol(item)
        named = self.sentence.named(symbol) if symbol.startswith("@") else None
        return symbol == "year" or (named is not None and named.said.lower() == "year")

    def _year(self, item: int, before: str) -> Point | None:
        found = self.year_at(item) if self.says_year(item) or self._symbol(item).startswith("#") else None
        if found is None or self.times.first is None or self.times.last is None:
            return None
        length, year = found
        fits = self.times.first.year <= year <= self.times.last.year
        if not fits and before not in YEAR_BEFORE:
            return None
        if before in ("over", "above", "under", "below", "least", "most", "exactly", "than"):  # an amount
            return None
        return Point(length, date(year, 1, 1), date(year, 12, 31))

    def _month(self, item: int, before: str) -> Point | None:
        """May; May 3; 3 May 2024; the 3rd of May; May 2024."""
        day = self._day_of_month(item)
        month = self._month_number(item)
        length = 1
        if day and not month:
            length = 2 if self._symbol(item + 1) == "of" else 1
            month, length = self._month_number(item + length), length + 1
            if not month:
                return None
        elif month:
            more = 1 if self._symbol(item + 1) != "the" else 2
            day = self._day_of_month(item + more)
            length += more if day else 0
        else:
            return None
        sure = self.symbols[item] in MONTHS and self.symbols[item] not in AMBIGUOUS
        told = before in SURE | BEFORE - {"to"} or self.year_at(item + length) or self._capital(item)
        if not (day or sure or told):
            return None
        year = self.year_at(item + length)
        if year is not None:
            length += year[0]
            first = day_of(year[1], month, day or 1)
            return first and Point(length, first, first if day else last_of_month(first))
        if day:
            return self._in_last_year(length, month, day)
        return Point(length, part="month of a year", values=(month,))

    def _in_last_year(self, length: int, month: int, day: int) -> Point | None:
        """Return a day without a year in the last year of the table that has it, told in a note."""
        last = self.times.last
        if last is None:
            return None
        for year in range(last.year, max(last.year - 8, 1), -1):
            found = day_of(year, month, day)
            if found and found <= last:
                return Point(length, found, found, note=f"the year was taken to be {year}", open=(month, day))
        found = day_of(last.year, month, day)
        return found and Point(length, found, found, open=(month, day))

    def _capital(self, item: int) -> bool:
        word = self.sentence.words[self.sentence.items[item].first]
        return item > 0 and word.text[0].isupper() and len(word.text) > 2

    def _month_number(self, item: int) -> int:
        word = self._symbol(item)
        if len(word) < 3 or not word.isalpha():
            return 0
        for place, name in enumerate(MONTHS, 1):
            if word == name or word == name[:3] or (word == "sept" == name[:4]):
                return place
        return 0

    def _day_of_month(self, item: int) -> int:
        symbol = self._symbol(item)
        if symbol.startswith("#"):
            word = self.sentence.words[int(symbol[1:])]
            return int(word.text) if re.fullmatch(r"[1-9]|[12]\d|3[01]", word.text) else 0
        if symbol in ORDINALS:
            return ORDINALS.index(symbol)
        digits = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)", symbol)
        return int(digits[1]) if digits and int(digits[1]) <= 31 else 0

    def _quarter(self, item: int) -> Point | None:
        """Q3; Q3 2019; 2019 Q3; the last quarter of 2019; the first half of 2020; H1 2020."""
        symbol, after = self._symbol(item), self._symbol(item + 1)
        length, unit, which = 1, "", 0
        digits = re.fullmatch(r"([qh])([1-4])", symbol)
        ordinal = ORDINALS.index(symbol) if symbol in ORDINALS else -1 if symbol in LAST else 0
        if digits:
            unit, which = {"q": "quarter", "h": "half"}[digits[1]], int(digits[2])
        elif ordinal and after in ("quarter", "half"):
            unit, which, length = after, ordinal, 2
        elif symbol == "quarter" and after.startswith("#") and self.sentence.value(after) in (1, 2, 3, 4):
            unit, which, length = symbol, int(self.sentence.value(after)), 2
        elif symbol.startswith("#") and re.fullmatch(r"[qh][1-4]", after):
            year = self.year_at(item)
            found = self._quarter(item + 1)
            if year and found and found.part:
                return part_of_year(2, "quarter" if after[0] == "q" else "half", int(after[1]), year[1])
            return None
        if not unit:
            return None
        year = self.year_at(item + length)
        if year:
            return part_of_year(length + year[0], unit, which, year[1])
        if unit == "quarter" and which != -1 and which <= 4:
            return Point(length, part="quarter", values=(which,))
        if unit == "half" and digits and which <= 2:
            return Point(length, part="month of a year", values=tuple(range(6 * which - 5, 6 * which + 1)))
        month = self.at(item + length + 1) if self._symbol(item + length) == "of" else None
        if month and month.first and month.last and unit == "half" and not month.part:
            middle = month.first + (month.last - month.first) // 2
            if which == 1:
                return Point(length + 1 + month.length, month.first, middle)
            return Point(length + 1 + month.length, middle + timedelta(1), month.last)
        return None

    def _season(self, item: int, before: str) -> Point | None:
        symbol = self._symbol(item).removesuffix("s")
        season = SEASONS.get(symbol)
        if season is None:
            return None
        year = self.year_at(item + 1)
        if year is None:
            sure = before in ("in", "during", "the", "every", "this", "over", "each", "for") or symbol in (
                "summer",
                "winter",
                "autumn",
            )
            return Point(1, part="month of a year", values=season) if sure and before != "last" else None
        length, first = 1 + year[0], date(year[1], season[0], 1)
        last = last_of_month(date(year[1] + (season[0] > season[2]), season[2], 1))
        note = f"{symbol} was taken to be {first:%B} to {last:%B}"
        return Point(length, first, last, note=note)

    def _decade(self, item: int, before: str) -> Point | None:
        """The nineties, 1990s, '90s; the 19th century."""
        symbol = self._symbol(item)
        if symbol.startswith("&"):
            digits = re.sub(r"\D", "", self.sentence.words[int(symbol[1:])].text)
            year = int(digits)
            if len(digits) == 4 and year % 100 == 0 and year < 2000:
                return Point(1, date(year, 1, 1), date(year + 99, 12, 31))
            if len(digits) < 4:
                if self.times.first is None or before in ("their", "his", "her"):
                    return None
                year += 1900 if self.times.last is None or 2000 + year > self.times.last.year else 2000
                year = year if year >= 1900 else year + 1900
            return Point(1, date(year, 1, 1), date(year + 9, 12, 31))
        if symbol in DECADES and before in ("the", "early", "late", "mid", "in") and self.times.every:
            year = 1900 + DECADES[symbol]
            return Point(1, date(year, 1, 1), date(year + 9, 12, 31))
        digits = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)", symbol)
        number = int(digits[1]) if digits else CENTURIES.get(symbol, 0)
        if 10 < number <= 21 and self._symbol(item + 1) == "century":
            return Point(2, date(100 * (number - 1) + 1, 1, 1), date(100 * number, 12, 31))
        return None

    def _weekday(self, item: int, before: str) -> Point | None:
        symbol = self._symbol(item)
        if symbol in ("weekend", "weekends"):
            return Point(1, part="weekday", values=(6, 7))
        if symbol in ("weekdays", "workdays") or (symbol == "weekday" and before in ("a", "on")):
            return Point(1, part="weekday", values=(1, 2, 3, 4, 5)) if before not in ("by", "per", "each") else None
        if symbol in ("working", "business", "week") and self._symbol(item + 1) == "days":
            return Point(2, part="weekday", values=(1, 2, 3, 4, 5))
        day = WEEKDAYS.get(symbol)
        if day is None or (
            len(symbol) <= 3 and before not in ("on", "every", "each", "to", "or", "and", "from", "between")
        ):
            return None
        return Point(1, part="weekday", values=(day,))

    def _holiday(self, item: int) -> Point | None:
        for length in (3, 2, 1):
            said = self.symbols[item : item + length]
            if len(said) == length and " ".join(said) in HOLIDAYS:
                month, day = HOLIDAYS[" ".join(said)]
                year = self.year_at(item + length)
                if year:
                    found = date(year[1], month, day)
                    return Point(length + year[0], found, found)
                return self._in_last_year(length, month, day)
        return None

    def _partial(self, item: int, before: str) -> Point | None:
        """Early 2020; the end of May 2020; the first week of March 2020; the last ten days of May 2020."""
        symbol = self._symbol(item)
        if symbol in THIRDS and symbol not in ("start", "beginning", "end", "middle"):
            inner = self.at(item + 1, symbol)
            return inner and third_of(inner, THIRDS[symbol], 1)
        if symbol in THIRDS and self._symbol(item + 1) == "of":
            inner = self.at(item + 2, "of")
            return inner and third_of(inner, THIRDS[symbol], 2)
        if symbol == "week" and self._symbol(item + 1) == "of":  # from Monday on
            inner = self.at(item + 2, "of")
            if inner is None or inner.first is None or inner.first != inner.last:
                return None
            monday = inner.first - timedelta(inner.first.weekday())
            return Point(inner.length + 2, monday, monday + timedelta(6), note=inner.note)
        number, length = 1, 1
        which = ORDINALS.index(symbol) if symbol in ORDINALS else -1 if symbol in LAST else 0
        if not which:
            return None
        if self._symbol(item + 1).startswith("#"):
            number, length = int(self.sentence.value(self._symbol(item + 1))), 2
        unit = self._symbol(item + length).removesuffix("s")
        if unit not in ("week", "day", "month") or self._symbol(item + length + 1) not in ("of", "in"):
            return None
        inner = self.at(item + length + 2, "of")
        if inner is None or inner.first is None or inner.last is None or number < 1 or number > 1000:
            return None
        length += 2 + inner.length
        if unit == "month":
            if which == -1:
                start = months_on(date(inner.last.year, inner.last.month, 1), 1 - number)
                return Point(length, start, inner.last, note=inner.note)
            start = months_on(inner.first, number * (which - 1))
            return Point(length, start, last_of_month(months_on(start, number - 1)), note=inner.note)
        days = timedelta(SMALLER[unit] * number)
        if which == -1:
            return Point(length, inner.last - days + timedelta(1), inner.last, note=inner.note)
        start = inner.first + days * (which - 1)
        return Point(length, start, min(start + days - timedelta(1), inner.last), note=inner.note)
