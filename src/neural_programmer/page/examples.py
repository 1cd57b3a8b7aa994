"""Questions that can be asked about a table, made of its own columns; only such as the model answers."""

from typing import Any

from neural_programmer import asking
from neural_programmer.asking import Opened
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.index import IndexColumn

SHOWN = 5
SURE = 0.5  # the least confidence of an example


def questions(model: Any, opened: Opened) -> tuple[str, ...]:
    """Some questions; made once for a table, and kept with it."""
    with opened.lock:
        if not hasattr(opened, "suggested"):
            opened.suggested = tuple(_answered(model, opened))[:SHOWN]
        return opened.suggested


def _answered(model: Any, opened: Opened) -> list[str]:
    """Those that lead to an answer."""
    found = []
    with opened.aside(1.0) as own:
        for question in _made(own):
            try:
                decision = asking.decided(model, own, question)
                answer = asking.answered(own, question, decision)
            except NeuralProgrammerError:
                continue
            if answer.kind != "none" and decision.confidence > SURE:
                found.append(question)
            if len(found) == SHOWN:
                break
    return found


def _made(opened: Opened) -> list[str]:
    """Questions of different kinds over the columns, in the order in which they are offered."""
    columns = opened.known.index.columns
    of = {kind: [column for column in columns if column.kind == kind] for kind in ("number", "text", "date", "boolean")}
    names, numbers = of["text"], of["number"]
    groups = [column for column in names if 2 <= len(column.texts) <= opened.source.rows // 2] or names
    made = []
    for number, name in zip(numbers, names * len(numbers), strict=False):
        made.append(f"which {_said(names[0])} has the highest {_said(number)}?")
        if groups and groups[0].texts:
            group = groups[len(made) % len(groups)]
            text = group.texts[0]
            made.append(f"average {_said(number)} where {_said(group)} is {text}")
            made.append(f"how many rows have {_said(group)} {text}?")
        made.append(f"total {_said(number)}")
        if number.low < number.high:
            middle = (number.low + number.high) / 2
            made.append(f"how many have a {_said(number)} of more than {middle:.0f}?")
        del name
    made += [f"what is the latest {_said(date)}?" for date in of["date"]]
    made += ["how many rows are there?"]
    return made


def _said(column: IndexColumn) -> str:
    """A column's name as one says it."""
    return column.name.replace("_", " ")
