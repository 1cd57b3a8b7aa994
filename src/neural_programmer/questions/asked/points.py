"""Times that words say, with or without their year: days from the first to the last, or a part of times."""

import calendar
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from neural_programmer.questions.asked.mentions import Part
from neural_programmer.questions.tokens import day_of


class Point(NamedTuple):
    """A time that some items say: days from the first to the last, or a part of times."""

    length: int  # items
    first: date | None = None
    last: date | None = None
    part: Part | None = None
    values: tuple[int, ...] = ()
    note: str = ""
    open: tuple[int, int] | None = None  # month and day, where no year was said


def third_of(inner: Point, place: int, more: int) -> Point | None:
    """Return the beginning, the middle or the end of a time."""
    if inner.first is None or inner.last is None:
        return None
    days = (inner.last - inner.first).days + 1
    if days < 3:
        return None
    months = 12 * (inner.last.year - inner.first.year) + inner.last.month - inner.first.month + 1
    note = "a third of it was taken"
    if months % 3 == 0 and months >= 3 and inner.first.day == 1:
        start = months_on(inner.first, place * months // 3)
        return Point(inner.length + more, start, last_of_month(months_on(start, months // 3 - 1)), note=note)
    ends = [
        inner.first,
        inner.first + timedelta(days // 3),
        inner.first + timedelta(2 * days // 3),
        inner.last + timedelta(1),
    ]
    return Point(inner.length + more, ends[place], ends[place + 1] - timedelta(1), note=note)


def part_of_year(length: int, unit: str, which: int, year: int) -> Point | None:
    """Return a quarter or a half of a year."""
    months = {"quarter": 3, "half": 6}[unit]
    which = 12 // months if which == -1 else which
    if which > 12 // months:
        return None
    first = date(year, months * (which - 1) + 1, 1)
    return Point(length, first, last_of_month(date(year, months * which, 1)))


def months_on(day: date, months: int) -> date:
    """Return the first day of the month so many months on."""
    years, month = divmod(day.month - 1 + months, 12)
    return date(day.year + years, month + 1, 1)


def last_of_month(day: date) -> date:
    return date(day.year, day.month, calendar.monthrange(day.year, day.month)[1])


def with_year(point: Point, year: int) -> Point:
    """Return a time without a year in that of another: from May 3 to 9 June 2023."""
    if point.open is not None:
        found = day_of(year, *point.open)
        return point._replace(first=found, last=found, note="") if found else point
    if point.part == "month of a year" and len(point.values) == 1:
        first = date(year, point.values[0], 1)
        return point._replace(first=first, last=last_of_month(first), part=None, values=())
    if point.part == "quarter" and len(point.values) == 1:
        found = part_of_year(point.length, "quarter", point.values[0], year)
        return found or point
    return point


def as_values(points: Sequence[Point]) -> tuple[int, ...]:
    """Return the values from one part of times to another: Monday to Friday, November to February."""
    one, other = points[0].values[0], points[1].values[-1]
    size = {"weekday": 7, "month of a year": 12, "quarter": 4}[str(points[0].part)]
    return tuple((one - 1 + step) % size + 1 for step in range((other - one) % size + 1))
