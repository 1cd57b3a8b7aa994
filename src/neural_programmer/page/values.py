"""Show the values of a look-up: each once, with how often it is there and the names of its rows."""

from dataclasses import dataclass

from neural_programmer.answering.asking import Opened
from neural_programmer.answering.roles import Roles, roles
from neural_programmer.engines import rows
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.values import shown_value

FIRST, MOST = 8, 50  # values on the screen at once, and at most
NAMED_ROWS = 3  # rows that are named beside a value


@dataclass(frozen=True)
class Value:
    """A value of a look-up, with how many rows hold it and the names of the first of them; nothing where cells are
    missing."""

    text: str
    cells: int
    names: tuple[str, ...] = ()

    @property
    def more(self) -> int:
        """How many of its rows are not named."""
        return self.cells - len(self.names) if self.names else 0


@dataclass(frozen=True)
class Values:
    """What a look-up found in a column, in the order of the rows; `called` is the column that these are named by."""

    column: str
    called: str
    shown: tuple[Value, ...]
    different: int

    @property
    def counted(self) -> bool:
        """Whether any value is there several times."""
        return any(value.cells > 1 for value in self.shown)

    @property
    def first(self) -> tuple[Value, ...]:
        """Those that are in sight."""
        return self.shown[:FIRST] if len(self.shown) > FIRST + 1 else self.shown

    @property
    def rest(self) -> tuple[Value, ...]:
        return self.shown[len(self.first) :]


def roles_of(opened: Opened) -> Roles:
    """Return what the columns of a table are to people."""
    units = {column.name: column.unit for column in opened.source.columns}
    return roles(opened.known.index, opened.some(), units)


def values_of(opened: Opened, answer: Answer) -> Values:
    """Return the values of a look-up; without names where the rows are called by them."""
    texts = ["" if value is None else shown_value(value, answer.unit) for value in answer.values]
    cells = [row for row, _ in answer.cells]  # as many as are named: the first
    places: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        places.setdefault(text, []).append(place)
    shown = list(places.items())[:MOST]
    wanted = {text: [cells[place] for place in each[:NAMED_ROWS] if place < len(cells)] for text, each in shown}
    column, name = str(answer.steps[-1].column), roles_of(opened).beside
    called = name.name if name and name.name != column else ""
    names = rows.cells(opened.source, called, [row for some in wanted.values() for row in some]) if called else {}
    found = [
        Value(text, len(each), tuple(shown_value(names[row]) for row in wanted[text] if names.get(row) is not None))
        for text, each in shown
    ]
    return Values(column, called, tuple(found), len(places))
