"""Questions that can be asked about a table, made of its own columns; only such as the model answers."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import duckdb

from neural_programmer import asking
from neural_programmer.asking import Opened
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.index import IndexColumn

SHOWN = 5
TRIED = 12  # at most, of those that are made
SURE = 0.7  # the least confidence of an example
LONG = 40  # characters of a cell that is named in a question


def questions(model: Any, opened: Opened, seconds: float) -> tuple[str, ...]:
    """Some questions, as far as they lead to an answer and are found in time."""
    found = []
    with opened.aside(seconds, model) as own:
        for question in islice(dict.fromkeys(_made(own)), TRIED):
            try:
                decision = asking.decided(model, own, question)
                answer = asking.answered(own, question, decision)
            except NeuralProgrammerError:
                continue
            except duckdb.InterruptException:  # time is up, also for the questions that follow
                break
            if answer.kind != "none" and decision.confidence > SURE:
                found.append(question)
    return tuple(found[:SHOWN])


def _made(opened: Opened) -> Iterator[str]:
    """Questions of different kinds: first one of each, then the same about other columns."""
    columns = opened.known.index.columns
    numbers = [column for column in columns if column.kind == "number" and not column.is_year]
    texts = [column for column in columns if column.kind == "text" and column.texts and not column.code]
    names = [column for column in texts if column.different] or texts
    groups = [column for column in texts if not column.different and len(column.texts[0]) <= LONG]
    truths = [column for column in columns if column.kind == "boolean"]
    dates = [column for column in columns if column.kind == "date"]
    for turn in range(3):
        number, name, group = (_one(some, turn) for some in (numbers, names[:1], groups))
        if number and name:
            yield f"which {_said(name)} has the {('highest', 'lowest')[turn % 2]} {_said(number)}?"
        if number and group:
            yield f"average {_said(number)} where {_said(group)} is {group.texts[turn % len(group.texts)]}"
        if group:
            yield f"how many have {_said(group)} {group.texts[0]}?"
        if number and number.low < number.high:
            yield f"how many have a {_said(number)} of more than {_round(number)}?"
        if truths and turn == 0 and name and name.different:
            yield f"which {_said(name)} is {_said(truths[0])}?"
        if dates and turn == 0:
            yield f"what is the latest {_said(dates[0])}?"
        if number:
            yield f"total {_said(number)}"
    yield "how many rows are there?"


def _one(some: list[IndexColumn], turn: int) -> IndexColumn | None:
    return some[turn % len(some)] if some else None


def _said(column: IndexColumn) -> str:
    """A column's name as one says it."""
    return column.name.replace("_", " ")


def _round(column: IndexColumn) -> str:
    """A number in the middle of a column, as people say numbers: with one or two digits of its own."""
    middle = float(f"{(column.low + column.high) / 2:.1g}")
    return f"{middle:.0f}" if middle.is_integer() else f"{middle:g}"
