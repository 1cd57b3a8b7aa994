"""Parts of times, bands of numbers, and how people read them."""

import calendar
from typing import Any

import numpy as np

from neural_programmer.programs.values import plain
from neural_programmer.tables.table import is_date

TRUNCATED = {"year": "M8[Y]", "month": "M8[M]", "day": "M8[D]"}
EXACT = 9  # decimals that bands of a fraction are reckoned with: 0.3 is three times 0.1
WEEKDAYS, MONTHS = tuple(calendar.day_name), tuple(calendar.month_name)
BETWEEN_WORDS = ".,;:!?\"'()[]{}-/&"  # what words stand between, besides spaces
SPACED = "".join(" " if chr(place) in BETWEEN_WORDS else chr(place) for place in range(128))  # by the letter's code
STEP = {"year": 1, "quarter": 3, "month": 1, "week": 7, "day": 1}  # of a part, in its own unit of NumPy (see `ordinal`)


def part(cells: np.ndarray, unit: str) -> np.ndarray:
    """Return a part of each time: a number, or the day that a quarter, a month or a week begins on.

    >>> days = np.array(["2014-12-31", "1969-07-20", "NaT"], "M8[D]")
    >>> part(days, "quarter").tolist()[0].isoformat(), part(days, "weekday").tolist()
    ('2014-10-01', [3.0, 7.0, nan])
    """
    assert is_date(cells), "parts are those of times"
    days, months = cells.astype("M8[D]"), cells.astype("M8[M]")
    none = np.isnat(cells)
    if unit in ("month", "day"):
        return cells.astype(TRUNCATED[unit]).astype("M8[D]")
    if unit == "quarter":
        return np.where(none, np.datetime64("NaT"), (_integer(months) // 3 * 3).astype("M8[M]").astype("M8[D]"))
    if unit == "week":
        return np.where(none, np.datetime64("NaT"), ((_integer(days) + 3) // 7 * 7 - 3).astype("M8[D]"))
    if unit in ("year", "decade"):
        number = _integer(cells.astype("M8[Y]")) + 1970
        number = number // 10 * 10 if unit == "decade" else number
    elif unit == "month of the year":
        number = _integer(months) % 12 + 1
    elif unit == "quarter of the year":
        number = _integer(months) % 12 // 3 + 1
    elif unit == "weekday":
        number = (_integer(days) + 3) % 7 + 1
    else:
        assert unit == "hour", unit
        number = _integer(cells.astype("M8[h]")) % 24
    return np.where(none, np.nan, number.astype(float))


def ordinal(cells: np.ndarray, unit: str) -> np.ndarray:
    """Return parts of times as numbers, of which each is one more than that of the unit before; numbers stay so."""
    if not is_date(cells):
        return cells
    days = _integer(cells.astype("M8[D]")).astype(float)
    if unit in ("month", "quarter"):
        days = (_integer(cells.astype("M8[M]")) // (3 if unit == "quarter" else 1)).astype(float)
    elif unit == "week":
        days = days // 7
    return np.where(np.isnat(cells), np.nan, days)


def band(cells: np.ndarray, width: float) -> np.ndarray:
    """Return where the band of each number begins.

    >>> band(np.array([25.0, -1.0, 30.0]), 10).tolist()
    [20.0, -10.0, 30.0]
    """
    if float(width).is_integer():
        return np.floor(cells / width) * width
    return np.round(np.floor(np.round(cells / width, EXACT)) * width, EXACT)


def like(cells: np.ndarray, place: str, text: str) -> np.ndarray:
    """Return which texts contain, have the word, begin with or end with another, in whatever case.

    >>> like(np.array(["Sea King", "McDonald"]), "begins with", "mc").tolist()
    [False, True]
    >>> like(np.array(["The King's Speech", "Kingdom"]), "has the word", "king").tolist()
    [True, False]
    """
    lower, text = np.char.lower(cells.astype(str)), text.lower()
    if place == "has the word":
        lower, text = np.char.translate(lower, SPACED), spaced(text)
        return np.char.find(np.char.add(np.char.add(" ", lower), " "), text) >= 0
    if place == "contains":
        return np.char.find(lower, text) >= 0
    return (np.char.startswith if place == "begins with" else np.char.endswith)(lower, text)


def spaced(text: str) -> str:
    """Return words with spaces around them, as they are looked for.

    >>> spaced("bird's-eye")
    ' bird s eye '
    """
    return f" {text.translate(SPACED)} "


def label(cell: Any, unit: str) -> Any:
    """Return a part as people write it; cells are plain values of Python, days as they are written or dates.

    >>> label(3.0, "weekday"), label(12, "month of the year"), label("2014-10-01", "quarter")
    ('Wednesday', 'December', '2014-Q4')
    """
    if cell is None or cell != cell:
        return None
    if unit == "weekday":
        return WEEKDAYS[int(cell) - 1]
    if unit == "month of the year":
        return MONTHS[int(cell)]
    if unit in ("decade", "year", "hour", "quarter of the year"):
        return int(cell)
    day = str(plain(cell))[:10]
    if unit == "month":
        return day[:7]
    return f"{day[:4]}-Q{(int(day[5:7]) + 2) // 3}" if unit == "quarter" else day


def _integer(cells: np.ndarray) -> np.ndarray:
    """Return times as whole numbers of their unit since 1970; not-a-time as any."""
    return np.where(np.isnat(cells), 0, cells.view(np.int64))
