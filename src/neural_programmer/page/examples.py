"""Suggest questions about a table, made of its own columns; only such as the model answers as they are meant.

`questions` are some that make sense of the columns, `close` some that are near to one that was declined.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np

from neural_programmer.answering import asking
from neural_programmer.answering.asking import Opened
from neural_programmer.answering.roles import LONGEST_NAME, RATE_WORDS, TIME_WORDS, Roles
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.page.understood import linked
from neural_programmer.page.values import roles_of
from neural_programmer.programs.program import Program
from neural_programmer.programs.values import for_people
from neural_programmer.questions.index import IndexColumn
from neural_programmer.questions.keys import SMALL_WORDS
from neural_programmer.questions.tokens import stemmed, tokenized
from neural_programmer.questions.units import ENDING
from neural_programmer.questions.vectors import shipped

OFFERED, CLOSE = 5, 3  # questions that are offered, and that are close to one that was declined
TRIED = 12  # at most, of those that are made
SURE = 0.8  # the least confidence of a question that is offered
CELLS = 3  # that the answer of one may look up
SHORTEST, WORDS = 3, 4  # letters and words of a name that is said in a question
TURNS = 5  # columns of each kind that are asked about
AFTER_ALL = 0.1  # of a question that is close: what a word too many counts against a word in common


@dataclass(frozen=True)
class Made:
    """A question with what its program has to do: operations, each with the column that it acts on."""

    question: str
    steps: frozenset[tuple[str, str | None]]

    def is_meant(self, program: Program, opened: Opened) -> bool:
        """Return whether a program does just that."""
        does = {(step.operation, opened.source.origin(step.source)) for step in program.steps}
        return does == self.steps


def questions(model: Any, opened: Opened, seconds: float) -> tuple[str, ...]:
    """Return some questions about a table, as far as they are answered and found in time."""
    with opened.aside(seconds, model) as own:
        return _answered(model, own, _made(roles_of(own)), OFFERED)


def close(model: Any, opened: Opened, question: str, seconds: float) -> tuple[str, ...]:
    """Return questions that are answered and close to one that is not: those that share most words with it, or words
    that mean the like."""
    with opened.aside(seconds, model) as own:
        said = _said_cells(model, own, question)
        made = list(_made(roles_of(own), len(own.known.index.columns), said))
        words = _words(question)
        near = {each: _nearness(words, _words(each.question)) for each in made}
        return _answered(model, own, sorted(made, key=lambda each: -near[each]), CLOSE)


def _answered(model: Any, opened: Opened, made: Iterable[Made], wanted: int) -> tuple[str, ...]:
    """Return the first of the questions that the model answers as they are meant."""
    found: list[str] = []
    for each, _ in zip(dict.fromkeys(made), range(TRIED), strict=False):
        try:
            decision = asking.decided(model, opened, each.question)
            if decision.confidence < SURE or not each.is_meant(decision.program, opened):
                continue
            answer = asking.answered(opened, each.question, decision)
        except NeuralProgrammerError:
            continue
        except duckdb.InterruptException:  # time is up, also for the questions that follow
            break
        if answer.scalar or 0 < len(answer.values) <= CELLS:
            found.append(each.question)
        if len(found) == wanted:
            break
    return tuple(found)


def _made(roles: Roles, turns: int = TURNS, said: dict[str, str] | None = None) -> Iterator[Made]:
    """Yield questions of different kinds, first one of each, then the same about other columns. Groups are asked about
    with the cell that is said, or with one that they have."""
    said, name = said or {}, roles.name
    amounts, groups, levels, truths, dates = (
        sorted(roles.columns(role), key=_is_odd) for role in ("amount", "group", "level", "truth", "date")
    )
    numbers = sorted([*amounts, *levels], key=_is_odd)
    usual = [column for column in numbers if not _is_odd(column)] or numbers
    if name and name.name in said:
        for number in numbers:
            yield _of(f"what is the {_said(number)} of {said[name.name]}?", ("text match", name), ("assign", number))
    for turn in range(turns):
        number, group, truth, date = (_one(some, turn) for some in (numbers, groups, truths, dates))
        second, third = (usual[(turn + more) % len(usual)] if number else None for more in (1, 2))
        if number and name:
            highest, lowest = ("most", "fewest") if _is_counted(number, amounts) else ("highest", "lowest")
            extreme, does = ((highest, "greatest"), (lowest, "least"))[turn % 2]
            yield _of(f"which {_said(name)} has the {extreme} {_said(number)}?", (does, number), ("assign", name))
        if group:
            short = [text for text in group.texts if len(text) <= LONGEST_NAME]
            cell = said.get(group.name, short[turn % len(short)])
            where = f"where {_said(group)} is {cell}"
            if number:
                yield _of(f"average {_said(number)} {where}", ("text match", group), ("average", number))
            yield _of(f"how many rows {where}?", ("text match", group), ("count", None))
        amount = _one(amounts, turn)
        if amount and (summed := _said(amount).removeprefix("total").strip()):
            yield _of(f"total {summed}", ("sum", amount))
        if second and second.low < second.high:
            more = f"more than {_round(second)}"
            many = f"how many have {more} {_said(second)}?"
            where = f"how many rows where {_said(second)} {'are' if _is_plural(second) else 'is'} {more}?"
            yield _of(many if _is_counted(second, amounts) else where, ("greater", second), ("count", None))
        if truth:
            yield _of(f"how many rows where {_said(truth)} is yes?", ("text match", truth), ("count", None))
        if date and name:
            yield _of(f"which {_said(name)} has the latest {_said(date)}?", ("greatest", date), ("assign", name))
        if third:
            yield _of(f"average {_said(third)}", ("average", third))
        if number and not name:
            yield _of(f"what is the highest {_said(number)}?", ("maximum", number))
        if turn == min(1, turns - 1):  # what can always be asked, when there was some of everything
            yield _of("how many rows are there?", ("count", None))


def _of(question: str, *steps: tuple[str, IndexColumn | None]) -> Made:
    return Made(question, frozenset((name, column.name if column else None) for name, column in steps))


def _one(some: list[IndexColumn], turn: int) -> IndexColumn | None:
    """Return the column of a turn; None after the last."""
    return some[turn] if turn < len(some) else None


def _said(column: IndexColumn) -> str:
    """Return a column's name as people say it: without its unit or a remark, in small letters but for GDP."""
    name = re.sub(r"[(\[].*?[)\]]", " ", column.name)
    words = [token.text for token in tokenized(re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name))]
    if (
        len(words) > 1
        and stemmed(words[-1].lower()) in ENDING - TIME_WORDS
        and words[-2].lower() not in SMALL_WORDS | RATE_WORDS
    ):
        words.pop()
    words = [word if word.isupper() and not name.isupper() else word.lower() for word in words]
    return " ".join(words) or column.name


def _is_plural(column: IndexColumn) -> bool:
    """Return whether a name is that of several things, as pages are."""
    last = _said(column).split()[-1]
    return last.endswith("s") and stemmed(last) != last


def _is_counted(column: IndexColumn, amounts: Sequence[IndexColumn]) -> bool:
    """Return whether a column says how many there are of something: then a row has most of them, or more than ten."""
    return column in amounts and _is_plural(column)


def _is_odd(column: IndexColumn) -> bool:
    """Return whether a question with the name sounds odd: a letter or two, or a question itself."""
    said = _said(column)
    return not SHORTEST <= len(said) <= LONGEST_NAME or len(said.split()) > WORDS


def _round(column: IndexColumn) -> str:
    """Return a number in the middle of a column, rounded to a digit or two, as people say numbers."""
    return for_people(float(f"{(column.low + column.high) / 2:.1g}"))


def _said_cells(model: Any, opened: Opened, question: str) -> dict[str, str]:
    """Return, for each column, the cell that a question mentions."""
    found, index = linked(model, opened, question)
    links = [each for each in found.links or () if not each.near]
    return {index.columns[place].name: text for each in links for place, text in each.texts.items()}


def _words(question: str) -> tuple[str, ...]:
    """Return the stems of the words that carry the question's meaning."""
    return tuple(stemmed(token.key) for token in tokenized(question) if token.key not in SMALL_WORDS)


def _nearness(words: tuple[str, ...], others: tuple[str, ...]) -> float:
    """Return how much of what one question is about another one is about too."""
    known = shipped()
    some = [known.of([word]) for word in others]
    best = [
        1.0 if word in others else max((float(np.dot(known.of([word]), one)) for one in some), default=0.0)
        for word in words
    ]
    return sum(best) - AFTER_ALL * len(others)
