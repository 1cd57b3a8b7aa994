"""Names and cells as no careful person writes them, drawn so that the same seed gives the same ones."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

Chosen = TypeVar("Chosen")
SAID = 30  # rows of a long table that questions speak of
PLAIN = (
    "city", "rent", "year", "price", "net sales", "netSales", "date", "name", "country", "rear_width_mm", "open",
    "score", "Population (millions)", "born", "team", "duration", "front_width_mm", "id", "category", "share %",
)  # fmt: skip
KEYWORDS = (
    "select", "order", "group by", "from", "where", "row", "row_", "rowid", "c0", "p0_0", "index", "numbered", "data",
    "given", "cells", "written", "answer", "file_row_number", "lists", "null", "true", "a0", "kept", "marked",
)  # fmt: skip
MEANING = (
    "count", "average", "how many", "most", "highest", "not", "total", "which", "difference", "last", "2020", "5",
)  # fmt: skip
ODD = (
    '"', "'", '";DROP TABLE data;--', "a.b", "a::b", "{0}", "%s", "$1", "@cell", "@value", "?", "*", "-", "\\", "\\N",
    "السعر", "שם", "🏠", "👩\u200d👩\u200d👧", "e\u0301", "\u00e9", "İ", "\u0131", "ß", "SS", "K", "\u212a", "\u200b",
    "価格", "\u202eabc", "\x1b[31mred", "tab\there", "line\nbreak", "\x07", "\u2028", "\ufeffa", "a" * 300, "[column]",
    "_", "<b>x</b>", "1e400", "NaN", "  spaced  name  ", "\x85", "q" * 10_000,
)  # fmt: skip
CITIES = ("Oslo", "Rome", "New York", "Köln", "São Paulo", "St. John's", "東京", "القاهرة", "Lima", "Ann Arbor", "oslo")
WORDS = (*CITIES, "yes", "no", "Anna Smith", "O'Hara", "red", "Red", "A", "b", "first", "total", "Total", "the", "of")
STRANGE = (
    "", " ", '"', "'", "''", '""', "`", "\\", "\\n", "a,b", "a;b", "a|b", "a\tb", "line\nbreak", "cr\rhere", "\r\n",
    "ﬁ", "²", "\u202eevil", "\x1b[2J", "\x00", "\x01\x02", "\u200b", "\ufeff", "🏠🏠", "👩\u200d👩\u200d👧", "e\u0301",
    "\u00e9", "=1+1", "Robert'); DROP TABLE data;--", "<script>alert(1)</script>", "%s", "{}", "\ufffd", "NULL",
    "None", "nan", "NaN", "inf", "-inf", "Infinity", "NA", "n/a", "-", "--", "true", "İstanbul", "ẞ", " padded ",
    "\u00a0wide\u00a0", "\ttab\t",
)  # fmt: skip
HUGE = (
    "1e308", "-1e308", "1e309", "1e400", "-1e400", "1e-400", "inf", "-Infinity", "9007199254740993", "0", "-0", "½",
    "1e", "9223372036854775808", "170141183460469231731687303715884105728", "1" + "0" * 40, "0." + "0" * 30 + "1",
    "9" * 5_000, "0x10", "1_000", "٣", "\uff11\uff12", "+5", ".5", "5.", "007", "1e5", "1E+05", "(5)", "\u22123",
)  # fmt: skip
MONTHS = ("January", "Feb", "march", "Apr.", "May", "June", "jul", "August", "Sept", "OCT", "November", "Dec")
FEATURED = (
    "3rd", "12 km", "2-1", "1:23.4", "May 4, 1990 (aged 80)", "1999-2003", "5 (2)", "c. 1850", "10,000+", "#4", "~7",
    "1/2", "12 km 3 m", "4 hours 5 min", "1st place", "1990s", "3\u20131", "W 3\u20131", "$5-10", "20 %", "10^6",
)  # fmt: skip


@dataclass(frozen=True)
class Content:
    """Named columns of cells of Python: None, numbers, texts, dates, truths."""

    names: list[str]
    columns: list[list[Any]]

    def said(self) -> dict[str, list[str]]:
        """The cells of every column as questions speak of them; of a long table the first."""
        every = zip(self.names, self.columns, strict=True)
        return {name: [str(cell) for cell in cells[:SAID] if cell is not None] for name, cells in every}

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        return list(zip(*self.columns, strict=True))


class Chance:
    """Draws of all kinds from one generator."""

    def __init__(self, *seed: int) -> None:
        self.generator = np.random.default_rng(seed)

    def below(self, most: int) -> int:
        """A whole number from 0 on."""
        return int(self.generator.integers(most))

    def one(self, choices: Sequence[Chosen]) -> Chosen:
        return choices[self.below(len(choices))]

    def happens(self, probability: float) -> bool:
        return bool(self.generator.random() < probability)

    def weighted(self, choices: dict[Chosen, float]) -> Chosen:
        """One of the choices, by their weights."""
        place = self.generator.random() * sum(choices.values())
        for choice, weight in choices.items():
            place -= weight
            if place < 0:
                return choice
        return next(iter(choices))

    def bytes(self, count: int) -> bytes:
        return self.generator.bytes(count)


def whole(chance: Chance) -> int:
    return chance.below(10 ** (1 + chance.below(6))) - chance.below(50)


def decimal(chance: Chance) -> float:
    return round(float(chance.generator.normal()) * 10 ** chance.below(6), chance.below(5))


def year(chance: Chance) -> int:
    return 1800 + chance.below(300)


def _grouped(chance: Chance) -> str:
    group, point = chance.one([(",", "."), (".", ","), (" ", ","), ("'", "."), ("\u202f", ","), ("\u00a0", ".")])
    return f"{whole(chance):,}".replace(",", group) + (f"{point}{chance.below(100):02}" if chance.happens(0.6) else "")


def _money(chance: Chance) -> str:
    number = chance.one([str(whole(chance)), f"{decimal(chance):.2f}", _grouped(chance)])
    style = chance.one(["$@", "@ €", "@ %", "@%", "@ km", "-$@", "@k", "@ million", "£@", "(@)", "@ kg", "\u2212@"])
    return style.replace("@", number)


def _date(chance: Chance) -> str:
    """A date in some style; not every one is on a calendar."""
    of, month, day = chance.one([year(chance), 2024, 0, 9999, 999]), 1 + chance.below(12), 1 + chance.below(31)
    clock = f"{chance.below(25):02}:{chance.below(61):02}"
    named, iso = MONTHS[month - 1], f"{of:04}-{month:02}-{day:02}"
    digits = [iso, f"{month}/{day}/{of}", f"{day}/{month}/{of}", f"{day:02}.{month:02}.{of:04}"]
    words = [f"{named} {day}, {of}", f"{day} {named} {of}", f"{of}-{month:02}", f"{month}/{of}"]
    return chance.one([*digits, *words, f"{iso}T{clock}:00Z", f"{iso} {clock}:59.123456+02:00", clock])


def _same_dates(chance: Chance, rows: int) -> list[str]:
    """Dates of one style, as a column has them."""
    digits = ["{0:04}-{1:02}-{2:02}", "{1}/{2}/{0}", "{2}/{1}/{0}", "{2:02}.{1:02}.{0}"]
    style = chance.one([*digits, "{2} {3} {0}", "{3} {2}, {0}"])
    drawn = [(1900 + chance.below(150), 1 + chance.below(12), 1 + chance.below(28)) for _ in range(rows)]
    return [style.format(*day, MONTHS[day[1] - 1]) for day in drawn]


def _long(chance: Chance) -> str:
    return chance.one(["x", "ab ", "é", "🏠", "1", "word, ", '"']) * (10 ** chance.one([2, 3, 3, 4, 4, 5]))


SINGLE: dict[Callable[[Chance], Any], float] = {
    whole: 3,
    decimal: 3,
    year: 1,
    _grouped: 1,
    _money: 1,
    _date: 1,
    _long: 0.1,
    lambda chance: chance.one(WORDS): 4,
    lambda chance: chance.one(STRANGE): 1,
    lambda chance: chance.one(HUGE): 1,
    lambda chance: chance.one(FEATURED): 1,
    lambda chance: chance.one(["true", "false", "yes", "no", "Y", "N", "t", "f", True, False]): 1,
    lambda chance: f"{chance.one(WORDS)} {chance.one(WORDS)} {chance.below(100)}": 1,
}


def column(chance: Chance, rows: int) -> list[Any]:
    """The cells of a column: of one kind, of one style of dates, or of kinds mixed; some are missing."""
    missing = chance.weighted({0.0: 5, 0.1: 3, 0.5: 1, 1.0: 0.4})
    if chance.happens(0.12):
        cells = _same_dates(chance, rows)
    elif chance.happens(0.12):
        choices = chance.one([("yes", "no"), ("Y", "N"), ("true", "false"), (True, False), ("t", "f"), ("0", "1")])
        cells = [chance.one(choices) for _ in range(rows)]
    elif chance.happens(0.15):
        cells = [chance.weighted(SINGLE)(chance) for _ in range(rows)]
    else:
        kind = chance.weighted(SINGLE)
        cells = [kind(chance) for _ in range(rows)]
    return [None if chance.happens(missing) else cell for cell in cells]


def names(chance: Chance, width: int) -> list[str]:
    """The names of columns: mostly plain ones, each once, now and then one twice, none, or an odd one."""
    found: list[str] = []
    while len(found) < width:
        kind = chance.weighted({PLAIN: 8, KEYWORDS: 1.2, MEANING: 1, ODD: 1.2})
        name = chance.one(kind)
        if name.lower() in {other.lower() for other in found} and not chance.happens(0.02):
            name = f"{name} {len(found)}"
        found.append("" if chance.happens(0.005) else name)
    return found


def content(chance: Chance) -> Content:
    """A table; most are small, some have no rows, a single column, very many columns or a cell of a million letters."""
    if chance.happens(0.45):
        return tidy(chance)
    rows = chance.weighted({0: 0.5, 1: 1, 2: 1, 5: 4, 12: 4, 40: 2, 300: 0.6, 1_100: 0.3})
    width = chance.weighted({1: 1, 2: 2, 3: 4, 5: 4, 8: 2, 20: 0.5, 500: 0.12, 1_001: 0.03})
    rows = min(rows, 40) if width > 20 else rows
    made = Content(names(chance, width), [column(chance, rows) for _ in range(width)])
    if rows and chance.happens(0.01):
        chance.one(made.columns)[chance.below(rows)] = "long " * 200_000
    return made


def tidy(chance: Chance) -> Content:
    """A table as people make them, so that what is odd is its file, or a single column."""
    rows = chance.weighted({2: 1, 7: 4, 15: 3, 60: 1})
    number = chance.one([whole, decimal, year, lambda chance: chance.below(5)])
    kinds: dict[str, Callable[[], list[Any]]] = {
        "city": lambda: [chance.one(CITIES) for _ in range(rows)],
        "team": lambda: [f"{chance.one(WORDS)} {chance.below(20)}" for _ in range(rows)],
        "rent": lambda: [number(chance) for _ in range(rows)],
        "net sales": lambda: _like(chance, rows),
        "score": lambda: [None if chance.happens(0.1) else decimal(chance) for _ in range(rows)],
        "born": lambda: [year(chance) for _ in range(rows)],
        "day": lambda: _same_dates(chance, rows),
        "open": lambda: [chance.one(["yes", "no"]) for _ in range(rows)],
        "rear_width_mm": lambda: [chance.below(900) for _ in range(rows)],
    }
    found = {name: make() for name, make in kinds.items() if chance.happens(0.6)}
    if chance.happens(0.3) or not found:
        found[names(chance, 1)[0] or "more"] = column(chance, rows)
    return Content(list(found), list(found.values()))


def _like(chance: Chance, rows: int) -> list[str]:
    """Amounts that are all written alike."""
    style = chance.one(
        ["${:,}", "{} €", "{} %", "{:,}.50", "{} km", "{},25", "{}k", "{}.000", "{:,}", "-{}", "{}e3", "+{}"]
    )
    return [style.format(abs(whole(chance))) for _ in range(rows)]
