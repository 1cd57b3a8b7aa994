"""What columns are to people, by their names and cells: what names rows, and which numbers may be summed.

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
LONGEST = 40  # characters of a text that names or groups rows, of most of them
FEWEST = 5  # rows that count up, by which a column is seen to number them
LAST = frozenset("id no nr number code ref reference key serial identifier".split())  # words of labels, at the end
LABELS = frozenset(  # and anywhere
    "id postcode postal zip zipcode plz telephone phone mobile fax isbn issn ean upc sku iban barcode ssn latitude "
    "longitude lat lon lng coordinate easting northing rank ranking position place".split()
)
TIMES = frozenset("year month week weekday day quarter hour season decade century".split())  # and not years or days
RATES = frozenset("per by this last".split())  # after them a time is none: the rent per month
LEVELS = frozenset(
    "age height width depth altitude elevation temperature percent percentage rate ratio share rating score star grade "
    "average mean median speed density pressure humidity index level per price magnitude fare gpa bmi ph maximum "
    "minimum to".split()
)
AMOUNTS = frozenset(
    "revenue sale turnover income profit loss cost spending budget donation amount quantity total volume area size "
    "population page word guest visitor passenger customer employee student pupil staff member ticket seat vote point "
    "goal medal win copy loan download view visit bed room nurse unit item order stock distance duration hour minute "
    "day calorie weight payment salary wage tax fee fine rent death birth case number count".split()
)


@dataclass(frozen=True)
class Roles:
    """What each column of an index is to people."""

    index: Index
    of: tuple[Role, ...]

    def columns(self, *roles: Role) -> list[IndexColumn]:
        """The columns of these roles, views left out."""
        some = zip(self.index.columns, self.of, strict=True)
        return [column for column, role in some if role in roles and not column.view]

    @property
    def name(self) -> IndexColumn | None:
        """The column that rows are called by, if there is one."""
        return next(iter(self.columns("name")), None)

    @property
    def beside(self) -> IndexColumn | None:
        """The column by which rows are told apart as well as can be: the name, or the first if it is no measure."""
        first = self.index.columns[0] if self.of and self.of[0] in ("text", "group", "label", "date") else None
        return self.name or first


def roles(index: Index, some: Table, units: dict[str, str]) -> Roles:
    """Return what the columns are to people, seen on some rows of the table; `units` are those of columns by name."""
    return Roles(index, tuple(_role(c, some.column(c.name), units.get(c.name, "")) for c in index.columns))


def _role(column: IndexColumn, cells: np.ndarray, unit: str) -> Role:
    if column.kind == "text":
        return _of_texts(column)
    if column.kind != "number":
        return "truth" if column.kind == "boolean" else "date"
    words = in_full(name_words(column.name))
    named = {stemmed(word) for word in words}
    if _is_label(words, named) or (not unit and (_counts_up(cells) or _are_years(column, cells, named))):
        return "label"
    if unit and unit in CURRENCIES:
        return "level" if named & LEVELS else "amount"
    return "amount" if named & AMOUNTS and not named & LEVELS and unit != "%" else "level"


def _of_texts(column: IndexColumn) -> Role:
    short = sum(len(text) <= LONGEST for text in column.texts) >= DIFFERENT * len(column.texts)
    if not column.texts or not short:
        return "text"
    if column.code and not column.worded:
        return "text"  # an identifier
    return "name" if column.different else "group"


def _is_label(words: Sequence[str], named: set[str]) -> bool:
    """Whether a name is that of a number which only stands for something, as that of an hour and not of hours."""
    if not words:
        return False
    is_time = words[-1] in TIMES and not named & LEVELS and not RATES & set(words)
    return is_time or words[-1] in LAST or bool(LABELS & set(words))


def _counts_up(cells: np.ndarray) -> bool:
    """Whether the cells number the rows, in whatever order."""
    there = np.sort(cells[~np.isnan(cells)])
    return len(there) >= FEWEST and len(there) == len(cells) and bool(np.all(np.diff(there) == 1))


def _are_years(column: IndexColumn, cells: np.ndarray, named: set[str]) -> bool:
    there = cells[~np.isnan(cells)]
    return column.is_year and not named & AMOUNTS and bool(np.all(there == np.floor(there)))
