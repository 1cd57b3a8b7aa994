"""Tell what of a question was understood: which of its words mention columns, cells, numbers and times."""

from typing import Any, NamedTuple

from neural_programmer.answering import asking
from neural_programmer.answering.asking import Opened
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import link
from neural_programmer.questions.question import NOTHING, Question

KINDS = {"number": "numbers", "text": "texts", "date": "dates", "boolean": "yes and no"}  # that a column may hold
NAMED_COLUMNS = 3  # columns that some words may mean


class Taken(NamedTuple):
    """Some words of a question, and what they were taken for."""

    said: str
    meant: str


def linked(model: Any, opened: Opened, question: str) -> tuple[Question, Index]:
    """Return a question as it is linked to a table, and what it may refer to there."""
    index = asking.indexed(model, opened, question)
    return link(question, index, cells=model.config.cells, meant=model.config.near), index


def understood(model: Any, opened: Opened, question: str) -> tuple[Taken, ...]:
    """Return the words of a question that mention something of the table, in their order, and what they mention."""
    found, index = linked(model, opened, question)
    meant: dict[int, str] = {}
    for place, period in zip(found.number_positions, found.periods, strict=True):
        if found.words[place] not in NOTHING:
            meant[place] = "a number" if period is None else "a time"
    for each in found.links or ():
        held = [index.columns[place].name for place in each.texts if index.columns[place].kind == "text"]
        if held and not each.near:
            meant[each.position] = f"a cell of {_listed(held)}"
    columns: dict[int, list[int]] = {}
    for column, places in enumerate(found.mentions or ()):
        for place in places:
            columns.setdefault(place, []).append(index.itself(column))
    for place, some in columns.items():
        names = list(dict.fromkeys(index.columns[column].name for column in some))
        kind = KINDS[index.columns[some[0]].kind]
        meant[place] = f"the column {names[0]}, of {kind}" if len(names) == 1 else f"the columns {_listed(names)}"
    return tuple(dict.fromkeys(Taken(found.shown[place], meant[place]) for place in sorted(meant)))


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - NAMED_COLUMNS} more" if len(names) > NAMED_COLUMNS else ""
    return f"{' or '.join(names[:NAMED_COLUMNS])}{more}"
