"""Show an answer that is a table, in rows that can be sorted, and the picture of an answer."""

from dataclasses import dataclass

from markupsafe import Markup

from neural_programmer.programs.answer import Answer
from neural_programmer.programs.charts.columns import kind_of, moment, number, texts_of
from neural_programmer.programs.charts.html_file import and_more
from neural_programmer.programs.charts.svg import PHONE, drawn
from neural_programmer.programs.values import is_missing

ROWS, COLUMNS = 200, 30  # of an answer on the screen, at most


@dataclass(frozen=True)
class Cell:
    """A cell as people read it, and what it is sorted by: a number, or nothing for a text; `missing` ones come last."""

    text: str
    order: str = ""
    missing: bool = False


@dataclass(frozen=True)
class Grid:
    """The first rows and columns of a table, each column of a kind, and how many more there are, in words."""

    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[Cell, ...], ...]
    more: str


def grid_of(answer: Answer) -> Grid:
    """Return the first rows of an answer that is a table."""
    names, held = answer.result.columns[:COLUMNS], [cells[:ROWS] for cells in answer.result.held[:COLUMNS]]
    kinds = [kind_of(cells) for cells in held]
    columns = []
    for name, kind, cells in zip(names, kinds, held, strict=True):
        texts = texts_of(cells, name)
        columns.append([_cell(text, cell, kind) for text, cell in zip(texts, cells, strict=True)])
    rows = tuple(zip(*columns, strict=True))
    return Grid(tuple(zip(names, kinds, strict=True)), rows, and_more(answer.result, ROWS, COLUMNS))


def _cell(text: str, cell: object, kind: str) -> Cell:
    if is_missing(cell):
        return Cell("", missing=True)
    if kind == "number":
        value = number(cell)
        return Cell(text, text if value is None else repr(float(value)))
    time = moment(cell) if kind == "date" else None
    return Cell(text, time.isoformat() if time else "")


def picture_of(answer: Answer) -> Markup | None:
    """Return the drawing of an answer for the page, in whose style sheet its colours are; None if it has none."""
    return None if answer.chart is None else Markup(drawn(answer.chart.picture, PHONE))
