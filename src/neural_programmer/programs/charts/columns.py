"""The columns of a result: what kind they are, and their cells as people read them, all of a column in one form."""

import datetime
import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, Literal

from neural_programmer.programs.values import DIGITS, LARGE, for_people, is_missing, plain, shown_value, with_unit

ColumnKind = Literal["number", "date", "text", "nothing"]
Number = int | float
HUGE, TINY = 1e15, 1e-4  # beyond which, and below which, numbers are written with an exponent
LARGEST = 1e300  # that is drawn: the distance of two larger ones may be no float
SIZES = ((Fraction(10**12), "T"), (Fraction(10**9), "B"), (Fraction(10**6), "M"), (Fraction(10**3), "k"))
YEAR_NAMED = re.compile(r"\b(year|decade|century)s?\b", re.IGNORECASE)
YEARS = range(1000, 3000)  # whole numbers that may be years
MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])", re.ASCII)  # a text that is a month,
QUARTER = re.compile(r"(\d{4})-Q([1-4])", re.ASCII)  # or a quarter,
DAY = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?", re.ASCII)  # or a day or a time of one
BANDS_NAMED = re.compile(r" in bands of (\d+(?:\.\d+)?(?:e[+-]?\d+)?)$")
GROUP_NAMED = re.compile(r" in bands of |^(decade|hour|weekday|month of the year|quarter of the year) of ")
NONE, EMPTY = "(none)", "(empty)"  # the names of groups without one


def number(cell: Any) -> Number | None:
    """Return the number that a cell is, if it can be drawn: no truth, nothing missing, nothing beyond all measure.

    >>> [number(cell) for cell in (2, 2.5, True, None, float("inf"), "3")]
    [2, 2.5, None, None, None, None]
    """
    if type(cell) in (float, int):  # as nearly all are, a million of them
        return cell if -LARGEST <= cell <= LARGEST else None
    if isinstance(cell, bool) or not isinstance(cell, Real | Decimal) or is_missing(cell):
        return None
    try:
        value = float(cell)
    except OverflowError:
        return None
    if not abs(value) <= LARGEST:
        return None
    return int(cell) if isinstance(cell, Integral) else value


def moment(cell: Any) -> datetime.datetime | None:
    """Return the time that a cell is, a day or a month as its beginning; the clock stays as it is written.

    >>> moment("1969-07"), moment(datetime.date(1969, 7, 20)), moment("July")
    (datetime.datetime(1969, 7, 1, 0, 0), datetime.datetime(1969, 7, 20, 0, 0), None)
    """
    if type(cell) is datetime.datetime and cell.tzinfo is None:
        return cell
    if isinstance(cell, str):
        return _written(cell) if cell[:1].isdigit() else None
    if isinstance(cell, datetime.datetime):
        return None if is_missing(cell) else cell.replace(tzinfo=None)
    return datetime.datetime(cell.year, cell.month, cell.day) if isinstance(cell, datetime.date) else None


def _written(text: str) -> datetime.datetime | None:
    """Return the time that a text writes as an answer does: 2024-05-01 12:00, 2024-05-01, 2024-05 or 2024-Q2."""
    try:
        if DAY.fullmatch(text):
            return datetime.datetime.fromisoformat(text)
        if found := MONTH.fullmatch(text):
            return datetime.datetime(int(found[1]), int(found[2]), 1)
        if found := QUARTER.fullmatch(text):
            return datetime.datetime(int(found[1]), 3 * int(found[2]) - 2, 1)
    except ValueError:  # of a year 0, a day 31
        return None
    return None


def are_quarters(cells: Sequence[Any]) -> bool:
    """Return whether all cells that are there are quarters of a year, written as 2024-Q2."""
    there = [cell for cell in cells if not is_missing(cell)]
    return bool(there) and all(isinstance(cell, str) and QUARTER.fullmatch(cell) for cell in there)


def kind_of(cells: Sequence[Any]) -> ColumnKind:
    """Return what the cells of a column are, missing ones left out; those of several kinds are texts.

    >>> kind_of([1, None, 2.5]), kind_of(["a", 1]), kind_of([None]), kind_of(["2019-01", "2019-02"])
    ('number', 'text', 'nothing', 'date')
    """
    if set(map(type, cells)) <= {float, int} and any(cell == cell for cell in cells):
        return "number"
    kinds: set[ColumnKind] = set()
    for cell in cells:
        if not is_missing(cell):
            kinds.add(_kind(cell))
            if len(kinds) > 1 or "text" in kinds:
                return "text"
    return kinds.pop() if kinds else "nothing"


def _kind(cell: Any) -> ColumnKind:
    if type(cell) in (float, int) or (isinstance(cell, Real | Decimal) and not isinstance(cell, bool)):
        return "number"
    return "text" if moment(cell) is None else "date"


def is_of_years(name: str, cells: Sequence[Any], groups: bool = False) -> bool:
    """Return whether a column of numbers holds years: whole ones, by its name or because it is known that it `groups`.

    >>> is_of_years("year", [2019, 2020.0]), is_of_years("price", [2019, 2020])
    (True, False)
    """
    if not (groups or YEAR_NAMED.search(name)):
        return False
    there = [cell for cell in cells if not is_missing(cell)]
    return bool(there) and all(number(cell) in YEARS for cell in there)


def cell_text(cell: Any) -> str:
    """Return a cell as the name of a group.

    >>> cell_text(None), cell_text(""), cell_text(3.0), cell_text(True)
    ('(none)', '(empty)', '3', 'yes')
    """
    return NONE if is_missing(cell) else shown_value(plain(cell)).strip() or EMPTY


def number_text(value: Number, unit: str = "") -> str:
    """Return a number as people read it; one that is huge or tiny with an exponent.

    >>> number_text(1234.5678, "$"), number_text(1e300), number_text(2 / 3)
    ('$1,234.5678', '1e+300', '0.6667')
    """
    if value and not TINY <= abs(value) < HUGE:
        return with_unit(_with_exponent(value), unit) if unit else _with_exponent(value)
    shown = for_people(float(value), unit)
    return with_unit(shown, unit) if unit else shown


def short_number(value: Fraction, step: Fraction) -> str:
    """Return a number beside an axis, with the digits that its distance to the next one needs.

    >>> [short_number(Fraction(each), Fraction(2500)) for each in (0, 2500, 15000)]
    ['0', '2.5k', '15k']
    >>> [short_number(Fraction(each), Fraction(500)) for each in (500, 1000)]
    ['500', '1,000']
    """
    if step >= HUGE or (value and step < TINY):
        return _with_exponent(value) if value else "0"
    size, letter = next(((s, name) for s, name in SIZES if value and step >= s), (Fraction(1), ""))
    places = next(places for places in range(20) if places == 19 or (step / size * 10**places).denominator == 1)
    shown = f"{float(value / size):,.{places}f}"
    return f"{shown.rstrip('0').rstrip('.') if '.' in shown and letter else shown}{letter}"


def texts_of(cells: Sequence[Any], name: str = "", digits: int | None = None) -> list[str]:
    """Return the cells of a column of an answer as people read them: its numbers have equally many decimals.

    Those are all that there are up to two, or four where all numbers are below one; or `digits`.

    >>> texts_of([3133.333333, 2, None]), texts_of([2019.0, 2020.0]), texts_of([0.12345, 0.5]), texts_of([12000, 7.25])
    (['3133.33', '2.00', '-'], ['2019', '2020'], ['0.1235', '0.5000'], ['12,000.00', '7.25'])
    """
    if kind_of(cells) != "number":
        return [shown_value(cell) for cell in cells]
    found = [number(cell) for cell in cells]
    usual = [float(each) for each in found if each is not None and abs(each) < HUGE]
    most = 2 if any(abs(each) >= 1 for each in usual) else DIGITS
    places = min(max(map(_decimals, usual), default=0), most)
    if digits is not None and not is_of_years(name, cells):
        places = digits
    grouped = "," * (places > 0 and any(abs(each) >= LARGE for each in usual))
    return [
        shown_value(cell) if each is None else _in_column(each, places, grouped)
        for cell, each in zip(cells, found, strict=True)
    ]


def _in_column(value: Number, places: int, grouped: str) -> str:
    if abs(value) >= HUGE:
        return str(value) if isinstance(value, int) and abs(value) < 10**20 else _with_exponent(value)
    shown = f"{float(value):z{grouped}.{places}f}"
    return _with_exponent(value) if value and not float(shown.replace(",", "")) else shown


def _decimals(value: float) -> int:
    return len(f"{value:.15g}".partition(".")[2].partition("e")[0])


def _with_exponent(value: Number | Fraction) -> str:
    exact = Fraction(value)
    digits, _, exponent = f"{Decimal(exact.numerator) / Decimal(exact.denominator):.3e}".lower().partition("e")
    return f"{digits.rstrip('0').rstrip('.')}e{exponent}"


def leftward(text: str) -> bool:
    """Return whether a text is written from right to left: its first letter says.

    >>> leftward("12 \u05ea\u05dc"), leftward("Oslo")
    (True, False)
    """
    first = next((way for way in map(unicodedata.bidirectional, text) if way in ("L", "R", "AL")), "L")
    return first != "L"


def apart(name: str) -> str:
    """Return a name for a sentence, which one that is written from right to left would put into disorder."""
    return f"\u2068{name}\u2069" if leftward(name) else name
