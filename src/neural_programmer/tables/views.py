"""Cells as people write them -> columns to compute with: the number in "12 km", the year in "May 4, 1990".

A view is one more column of a table, of numbers, dates or months, read from a column of text or of dates; it is there
where most cells of the column have what it reads. Patterns are written once, such that Python and the databases read
the same with them: NumPy arrays come of `written`, SQL of views_sql.py.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Literal, NamedTuple, get_args

import numpy as np

from neural_programmer.base.once import remembered
from neural_programmer.tables.table import Kind, Table, is_boolean, is_date, is_text

View = Literal["time", "date", "year", "month", "number", "second number", "span"]
KINDS: dict[View, Kind] = {
    name: "text" if name == "month" else "date" if name == "date" else "number" for name in get_args(View)
}
OF_DATES: tuple[View, ...] = "year", "month"  # the views of a column of dates
REMEMBERED_CELLS = 20_000  # cells, which come again
MOST_CELLS = 0.5  # share of a column's cells that have what a view reads
MONTH_NAMES = "January February March April May June July August September October November December".split()
MONTH_STARTS = "".join(name[:3].lower() for name in MONTH_NAMES)  # by the first three letters of each
LONGEST_CELL = 300  # letters of a cell that are read
NO_YEAR = 2000  # of a day and a month alone: a year in which every day is
LARGE = {"thousand": 1e3, "million": 1e6, "billion": 1e9}

# In the syntax that Python and RE2 have in common, but for what `python` changes; a group is what is read.
SPACE = r"[\s\x{a0}]"
REMARK = r"\[[^\]]*\]"  # of a footnote, which is left out before all else
NUMBER = r"([0-9][0-9,]*(?:\.[0-9]+)?|\.[0-9]+)"
NEGATIVE = rf"^{SPACE}*[-\x{{2212}}\x{{2013}}]{SPACE}*[$\x{{20ac}}\x{{a3}}]?{SPACE}*[0-9.]"
SECOND = NUMBER + r"[^0-9]*[^0-9,.]" + NUMBER
TIME = r"^[^0-9:]*(?:([0-9]+):)?([0-9]+):([0-5][0-9](?:\.[0-9]+)?)"
YEAR = r"\b(1[0-9][0-9][0-9]|20[0-9][0-9])\b"
YEARS = rf"{YEAR}(?s:.)*?{YEAR}"
DAY = r"([0-9]{1,2})(?:st|nd|rd|th)?"
MONTH = (
    r"\b(jan|january|feb|february|mar|march|apr|april|may|jun|june|jul|july|aug|august|sep|sept|september|oct|october"
    r"|nov|november|dec|december)\b\.?"
)
DATES = {  # each with the groups of year, month and day; 0 where it has none
    r"\b([0-9]{4})-([0-9]{2})-([0-9]{2})\b": (1, 2, 3),
    rf"{MONTH}{SPACE}+{DAY},?{SPACE}+([0-9]{{4}})\b": (3, 1, 2),
    rf"\b{DAY}{SPACE}+(?:of{SPACE}+)?{MONTH},?{SPACE}+([0-9]{{4}})\b": (3, 2, 1),
    rf"{MONTH},?{SPACE}+([0-9]{{4}})\b": (2, 1, 0),
    rf"{MONTH}{SPACE}+{DAY}\b": (0, 1, 2),
    rf"\b{DAY}{SPACE}+{MONTH}\b": (0, 2, 1),
}
SCALE = rf"[0-9]{SPACE}*(thousand|million|billion)\b"


def python(pattern: str) -> re.Pattern[str]:
    """Return a pattern as Python writes it: with letters for their codes, and the spaces that RE2 knows."""
    spaced = pattern.replace(r"\s", r"\t\n\f\r ")
    return re.compile(re.sub(r"\\x\{([0-9a-f]+)\}", lambda code: re.escape(chr(int(code[1], 16))), spaced), re.ASCII)


_REMARK, _NUMBER, _NEGATIVE, _SECOND, _TIME, _YEAR, _YEARS, _SCALE = map(
    python, (REMARK, NUMBER, NEGATIVE, SECOND, TIME, YEAR, YEARS, SCALE)
)
_DATES = [(python(pattern), groups) for pattern, groups in DATES.items()]


class Read(NamedTuple):
    """What the views read of a cell; None where there is no such thing."""

    time: float | None = None
    day: date | None = None
    year: float | None = None
    number: float | None = None
    second: float | None = None
    span: float | None = None

    @property
    def month(self) -> str | None:
        return None if self.day is None else MONTH_NAMES[self.day.month - 1]


@remembered(REMEMBERED_CELLS)
def read(text: str) -> Read:
    """Return all that the views read of a text.

    >>> read("3rd").number, read("$1.2 million[2]").number, read("1:23.4").time, read("2-1").second
    (3.0, 1200000.0, 83.4, 1.0)
    >>> read("May 4, 1990").day, read("4 May").day, read("1999-2000").year
    (datetime.date(1990, 5, 4), datetime.date(2000, 5, 4), 1999.0)
    >>> read("1990-1994").span, read("4 May").month
    (4.0, 'May')
    """
    text = text[:LONGEST_CELL]
    if not any(letter.isdigit() for letter in text):
        return Read()
    text = _REMARK.sub("", text).replace("\u0130", "i").lower()  # a letter that Python makes two of, and databases one
    number, second, year = _NUMBER.search(text), _SECOND.search(text), _YEAR.search(text)
    if number is None:
        return Read()
    scale = LARGE[found[1]] if (found := _SCALE.search(text)) else 1.0
    sign = -1.0 if _NEGATIVE.search(text) else 1.0
    return Read(
        _seconds(text),
        _day(text),
        float(year[1]) if year else None,
        sign * scale * _plain(number[1]),
        _plain(second[2]) if second else None,
        _span(text, second),
    )


def _plain(digits: str) -> float:
    return float(digits.replace(",", ""))


def _span(text: str, second: re.Match[str] | None) -> float | None:
    """Return how far the first two years of a text are apart, or where it has none, its first two numbers; not where
    the first is below zero or in thousands or more."""
    if years := _YEARS.search(text):
        return abs(float(years[2]) - float(years[1]))
    if second is None or any(pattern.search(text) for pattern in (_YEAR, _NEGATIVE, _SCALE)):
        return None
    return abs(_plain(second[2]) - _plain(second[1]))


def _seconds(text: str) -> float | None:
    """Hours, minutes and seconds, or the latter two, as seconds."""
    found = _TIME.search(text)
    return None if found is None else float(found[1] or 0) * 3600 + float(found[2]) * 60 + float(found[3])


def _day(text: str) -> date | None:
    """Return the first date of a text by the first pattern that it has; the first of a month where no day is named."""
    for pattern, places in _DATES:
        if found := pattern.search(text):
            year, month, day = (found[place] if place else "" for place in places)
            try:
                return date(int(year or NO_YEAR), _month(month), int(day or 1))
            except ValueError:  # no such day
                return None
    return None


def _month(text: str) -> int:
    return int(text) if text.isdigit() else MONTH_STARTS.index(text[:3]) // 3 + 1


READ: dict[View, Callable[[Read], float | date | str | None]] = {
    "time": lambda cell: cell.time,
    "date": lambda cell: cell.day,
    "year": lambda cell: cell.year,
    "number": lambda cell: cell.number,
    "second number": lambda cell: cell.second,
    "month": lambda cell: cell.month,
    "span": lambda cell: cell.span,
}


def fitting(texts: Sequence[str]) -> tuple[View, ...]:
    """Return the views that a column of these cells has: times and dates are no numbers, and a year is one only
    once."""
    cells = [read(text) for text in texts if text.strip()]
    enough = max(MOST_CELLS * len(cells), 1)
    has = {view for view, part in READ.items() if sum(part(cell) is not None for cell in cells) >= enough}
    if "time" in has:
        return ("time",)
    if "date" in has:
        dated = [cell for cell in cells if cell.day is not None]
        years = sum(cell.year is not None for cell in dated)
        has &= {"date", "month", "span", *(("year",) if years >= enough else ())}
        if sum(cell.year is not None and cell.span is not None for cell in cells) < enough:  # of years
            has.discard("span")
    elif "year" in has and all(cell.year is None or cell.number == cell.year for cell in cells):
        has.discard("number")
    return tuple(view for view in get_args(View) if view in has)


def written(table: Table, like: Table | None = None) -> Table:
    """Return a table with the views of its columns after them; a column of dates has its years and months. It has the
    views of another one that is like it, if this is given.

    >>> written(Table(("town", "area"), (["Bern", "Chur"], ["51 km2", "54 km2"]))).column("area (number)").tolist()
    [51.0, 54.0]
    """
    views = called(table.names, map(views_of, table.columns)) if like is None else like.views
    return with_views(table, views)


def with_views(table: Table, views: Mapping[str, tuple[str, View]]) -> Table:
    """Return a table with these views after its columns: of each name, the column that it is read from and the view."""
    columns = [viewed(table.column(name), view) for name, view in views.values()]
    return Table((*table.names, *views), (*table.columns, *columns), views)


def called(names: Sequence[str], views: Iterable[Sequence[View]]) -> dict[str, tuple[str, View]]:
    """Return what the views of columns are called: as none of the columns is, in whatever case.

    >>> called(["day", "Day (year)"], [("date", "year"), ()])
    {'day (date)': ('day', 'date')}
    """
    taken, found = {name.lower() for name in names}, {}
    for name, view in ((name, view) for name, each in zip(names, views, strict=True) for view in each):
        if (new := f"{name} ({view})").lower() not in taken:
            taken.add(new.lower())
            found[new] = name, view
    return found


def views_of(column: np.ndarray) -> tuple[View, ...]:
    """Return the views that a column has."""
    if is_date(column):
        return OF_DATES
    return fitting(column.tolist()) if is_text(column) and not is_boolean(column) else ()


def viewed(column: np.ndarray, view: View) -> np.ndarray:
    """Return the numbers, dates or texts that a view reads of the cells of a column; NaN, not-a-time or the empty text
    where there are none."""
    if is_date(column) and view == "month":
        months = column.astype("M8[M]").astype(int) % 12
        return np.where(np.isnat(column), "", np.array(MONTH_NAMES)[months])
    if is_date(column):
        years = column.astype("M8[Y]").astype(float) + 1970
        return np.where(np.isnat(column), np.nan, years)
    cells = [READ[view](read(text)) for text in column.tolist()]
    if view == "date":
        return np.array(cells, "M8[D]")
    if view == "month":
        return np.array(["" if cell is None else cell for cell in cells], str)
    return np.array([np.nan if cell is None else cell for cell in cells], float)
