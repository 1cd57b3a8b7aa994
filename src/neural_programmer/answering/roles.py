"""Tell what role each column has for people, by its name and cells: it names rows, is summed, is averaged.

A year, an identifier, a postcode, a latitude and a rank are written in digits, and neither summed nor averaged; of an
age, a price or a temperature the average says something, and the sum nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from neural_programmer.programs.values import CURRENCIES
from neural_programmer.questions.index import DIFFERENT, Index, IndexColumn, in_full
from neural_programmer.questions.tokens import name_words, stemmed
from neural_programmer.tables.table import Table

Role = Literal["name", "group", "amount", "level", "label", "date", "truth", "text"]
"""A name tells rows apart, a group is a text that several share; amounts can be summed and levels averaged; a label is
a number that only stands for something."""
LONGEST_NAME = 40  # characters of most texts in a column that names or groups rows
FEWEST_NUMBERED = 5  # rows, at least, of a column that numbers them
LAST_WORDS = frozenset(  # that end the name of a label
    "id no nr number code ref reference key serial identifier".split()
)
LABEL_WORDS = frozenset(  # that stand anywhere in the name of a label
    "id postcode postal zip zipcode plz telephone phone mobile fax isbn issn ean upc sku iban barcode ssn latitude "
    "longitude lat lon lng coordinate easting northing rank ranking position place".split()
)
TIME_WORDS = frozenset(  # that name one point in time; their plurals name how long
    "year month week weekday day quarter hour season decade century".split()
)
RATE_WORDS = frozenset("per by this last".split())  # beside a word of time: "rent per month" is no label
LEVEL_WORDS = frozenset(
    "age height width depth altitude elevation temperature percent percentage rate ratio share rating score star grade "
    "average mean median speed density pressure humidity index level per price magnitude fare gpa bmi ph maximum "
    "minimum to".split()
)
AMOUNT_WORDS = frozenset(
    "revenue sale turnover income profit loss cost spending budget donation amount quantity total volume area size "
    "population page word guest visitor passenger customer employee student pupil staff member ticket seat vote point "
    "goal medal win copy loan download view visit bed room nurse unit item order stock distance duration hour minute "
    "day calorie weight payment salary wage tax fee fine rent death birth case number count".split()
)


@dataclass(frozen=True)
class Roles:
    """The role of each column of an index."""

    index: Index
    of: tuple[Role, ...]

    def columns(self, *roles: Role) -> list[IndexColumn]:
        """Return the columns that have one of these roles, without views."""
        some = zip(self.index.columns, self.of, strict=True)
        return [column for column, role in some if role in roles and not column.view]

    @property
    def name(self) -> IndexColumn | None:
        """Return the first column that names rows, if there is one."""
        return next(iter(self.columns("name")), None)

    @property
    def beside(self) -> IndexColumn | None:
        """Return the column that is shown beside others to tell rows apart: the name, or the first column if it is no
        amount, level, name or truth."""
        first = self.index.columns[0] if self.of and self.of[0] in ("text", "group", "label", "date") else None
        return self.name or first


def roles(index: Index, some: Table, units: dict[str, str]) -> Roles:
    """Return the roles of the columns, by some rows of the table and the units that stand in `units` by column."""
    return Roles(index, tuple(_role(c, some.column(c.name), units.get(c.name, "")) for c in index.columns))


def _role(column: IndexColumn, cells: np.ndarray, unit: str) -> Role:
    """Return the role of a column."""
    if column.kind == "text":
        return _of_texts(column)
    if column.kind != "number":
        return "truth" if column.kind == "boolean" else "date"
    words = in_full(name_words(column.name))
    named = {stemmed(word) for word in words}
    if _is_label(words, named) or (not unit and (_counts_up(cells) or _are_years(column, cells, named))):
        return "label"
    if unit and unit in CURRENCIES:
        return "level" if named & LEVEL_WORDS else "amount"
    return "amount" if named & AMOUNT_WORDS and not named & LEVEL_WORDS and unit != "%" else "level"


def _of_texts(column: IndexColumn) -> Role:
    """Return the role of a column of text."""
    short = sum(len(text) <= LONGEST_NAME for text in column.texts) >= DIFFERENT * len(column.texts)
    if not column.texts or not short:
        return "text"
    if column.code and not column.worded:
        return "text"  # an identifier
    return "name" if column.different else "group"


def _is_label(words: Sequence[str], named: set[str]) -> bool:
    """Return whether a column's name is that of a label: "hour" is one, and "hours" is an amount."""
    if not words:
        return False
    is_time = words[-1] in TIME_WORDS and not named & LEVEL_WORDS and not RATE_WORDS & set(words)
    return is_time or words[-1] in LAST_WORDS or bool(LABEL_WORDS & set(words))


def _counts_up(cells: np.ndarray) -> bool:
    """Return whether the cells number the rows, in any order."""
    there = np.sort(cells[~np.isnan(cells)])
    return len(there) >= FEWEST_NUMBERED and len(there) == len(cells) and bool(np.all(np.diff(there) == 1))


def _are_years(column: IndexColumn, cells: np.ndarray, named: set[str]) -> bool:
    """Return whether the cells are whole years, and the name does not say that they are an amount."""
    there = cells[~np.isnan(cells)]
    return column.is_year and not named & AMOUNT_WORDS and bool(np.all(there == np.floor(there)))
