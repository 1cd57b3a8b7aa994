"""The cells of a table as programs read them, for gold SQL to be translated by: see gold_programs.py."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from neural_programmer.programs.pointers import Argument
from neural_programmer.tables.cleaning import MISSING_WORDS
from neural_programmer.tables.period import Period
from neural_programmer.tables.table import Table, column_kind, missing, plain


class Unsaid(Exception):
    """What no program of these operations says."""


@dataclass(frozen=True)
class Cells:
    """The cells of a table as programs read them, and what they are of those that SQL reads."""

    table: Table
    read: dict[str, dict[Any, Any]]  # of each column, a cell of the database -> of the table

    @classmethod
    def of(cls, table: Table, raw: Sequence[Sequence[Any]]) -> "Cells":
        columns = list(zip(*raw, strict=True)) if raw else [()] * len(table.names)
        if raw and len(raw) != table.rows:
            return cls(table, {name: {} for name in table.names})
        pairs = zip(table.names, columns, table.columns, strict=True)
        return cls(table, {name: dict(zip(some, plain(column), strict=True)) for name, some, column in pairs})

    def name(self, said: str) -> str | None:
        return next((name for name in self.table.names if name.lower() == said.lower()), None)

    def kind(self, name: str) -> str:
        return column_kind(self.table.column(name))

    def lacks(self, name: str) -> bool:
        """Whether some cells of a column are missing."""
        return bool(missing(self.table.column(name)).any())

    def argument(self, column: str, value: Any) -> Argument:
        """What a value that SQL compares a column with is in a program; None for one that is read as missing."""
        read = self.read[column]
        same = [typed for raw, typed in read.items() if raw == value or str(raw) == str(value)]
        typed = same[0] if same else value
        kind = self.kind(column)
        if (same and (typed is None or typed == "")) or (not same and str(typed).strip().lower() in MISSING_WORDS):
            return None
        if kind == "text":
            return (str(typed),)
        if kind == "number":
            try:
                return float(typed)
            except (TypeError, ValueError):
                raise Unsaid("a number column compared with a text") from None
        day = re.fullmatch(r"(\d{4}-\d{2}-\d{2})T00:00:00(\.0+)?", str(typed))
        return period(day[1] if day else str(typed))


def period(text: str) -> Period:
    """The time that a text says, as questions are linked: a year, a month, a day or a moment."""
    units = {4: "Y", 7: "M", 10: "D"}
    try:
        if len(text) in units and re.fullmatch(r"\d{4}(-\d{2}){0,2}", text):
            first = np.datetime64(text, units[len(text)])
            last = (first + 1).astype("M8[us]") - np.timedelta64(1, "us")
            return Period(first.astype("M8[us]"), last, text)
        moment = np.datetime64(text.strip().replace(" ", "T"))
    except ValueError:
        raise Unsaid("a date column compared with a text") from None
    return Period(moment, moment, text)
