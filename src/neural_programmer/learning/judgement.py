"""What a model makes of questions with answers: which it gets right and how, by kind; lucky programs; what is missing.

A right answer *looks lucky* where every program that gives it leaves out something that its question names: a cell, a
number, or all of the columns. Such a question teaches little, or something wrong: mend it, or give more like it.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from neural_programmer.base.notebook import line
from neural_programmer.data.readings import is_rows
from neural_programmer.data.triples import Triple
from neural_programmer.learning.evaluation import Score
from neural_programmer.learning.examples import Linked
from neural_programmer.learning.ranked import answering
from neural_programmer.programs.answer import items_of as items
from neural_programmer.programs.moves import Move
from neural_programmer.programs.program import Program, kind_of, run
from neural_programmer.questions.index import Index, seen
from neural_programmer.questions.question import NOTHING, Question
from neural_programmer.tables.table import Rows, Table

NO_PROGRAM = "no program"  # the kind of questions that no program answers
MANY_TIMES = 3.0  # how much more often a word must be in questions without a program than in others to group them


@dataclass(frozen=True)
class Verdict:
    """A question with what was wanted and what was said, by which program.

    Those of WikiTableQuestions have their id and what was said as items of its measure, for a file of predictions.
    """

    question: str
    place: str
    wanted: Any
    said: Any
    program: str
    confidence: float
    right: bool
    kind: str
    key: str = ""
    items: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return vars(self)


def judged(
    model: Any, triples: Sequence[Triple], progress: Callable[[int, int], None] = lambda done, total: None
) -> list[Verdict]:
    """Ask a model the questions of triples; of those it gets wrong, the kind is that of a program that is right.

    These programs are looked for after all else: a question is done when its kind is known.
    """
    verdicts: list[Verdict] = []
    wrong: list[int] = []  # by their places
    tables: dict[int, tuple[Table, Index]] = {}
    for place, triple in enumerate(triples):
        if id(triple.table) not in tables:
            tables[id(triple.table)] = seen(triple.table, model.config.cells)
        table, index = tables[id(triple.table)]
        decision = model.decide(triple.question, index, Rows.of(table))
        if triple.official:  # every question has an answer there
            decision = decision.answering()
        answer = answer_of(decision.program, table)
        right = triple.judge(answer)
        verdicts.append(
            Verdict(
                question=triple.question,
                place=triple.place,
                wanted=triple.answer,
                said=answer.value,
                program=str(decision.program),
                confidence=decision.confidence,
                right=right,
                kind=kind_of([step.operation for step in decision.program.steps]) if right else "",
                key=triple.key,
                items=tuple(items(answer)) if triple.official else (),
            )
        )
        wrong += [] if right else [place]
        progress(len(verdicts) - len(wrong), len(triples))
    known = len(verdicts) - len(wrong)
    found = answering(
        [triples[place] for place in wrong], model.config, lambda done: progress(known + done, len(triples))
    )
    for place, linked in zip(wrong, found, strict=True):
        verdicts[place] = replace(verdicts[place], kind=kind_of_linked(linked))
    return verdicts


def answer_of(program: Program, table: Table) -> Any:
    """Return the answer that a program gives on a table."""
    with np.errstate(all="ignore"):
        return run(program, table).answer


def kind_of_linked(linked: Linked) -> str:
    """Return the kind of a question, by a program that answers it."""
    return kind_of([move.operation for move in linked.programs[0]]) if linked.programs else NO_PROGRAM


@dataclass(frozen=True)
class Judgement:
    """How a model does on triples of one's own."""

    data: str
    verdicts: tuple[Verdict, ...]
    skipped: tuple[str, ...] = ()
    official: bool = False  # by the measure of WikiTableQuestions

    def __repr__(self) -> str:
        """In a line: the data, and how many answers are right; `verdicts` has each of them."""
        return line("Judgement", repr(self.data), f"{self.overall.correct:,} of {self.overall.total:,} right")

    @property
    def overall(self) -> Score:
        return score(self.verdicts)

    @property
    def kinds(self) -> dict[str, Score]:
        return by_kind(self.verdicts)

    def to_dict(self) -> dict[str, Any]:
        """Return the whole judgement as values that JSON has."""
        return {
            "data": self.data,
            "official": self.official,
            "overall": self.overall.to_dict(),
            "kinds": {kind: one.to_dict() for kind, one in self.kinds.items()},
            "wrong": [verdict.to_dict() for verdict in self.verdicts if not verdict.right],
            "skipped": list(self.skipped),
        }

    def predictions(self) -> str:
        """Yield a line for each question as the evaluator of WikiTableQuestions reads it: its id, then the items."""
        lines = ((verdict.key, *verdict.items) for verdict in self.verdicts)
        return "".join("\t".join(" ".join(part.split()) for part in line) + "\n" for line in lines)


def by_kind(verdicts: Iterable[Verdict]) -> dict[str, Score]:
    """Return how many questions of each kind are right, the most frequent kind first."""
    groups: dict[str, list[bool]] = defaultdict(list)
    for verdict in verdicts:
        groups[verdict.kind].append(verdict.right)
    order = sorted(groups, key=lambda kind: (-len(groups[kind]), kind))
    return {kind: Score(sum(groups[kind]), len(groups[kind])) for kind in order}


def score(verdicts: Sequence[Verdict]) -> Score:
    return Score(sum(verdict.right for verdict in verdicts), len(verdicts))


def left_out(question: Question, moves: Sequence[Move]) -> list[str]:
    """Return what a question names and a program does not use: cells, numbers, and columns where it uses none that is
    named."""
    links, numbers = question.links or (), question.number_positions
    named = {one.position for one in links if not one.near}
    named |= {place for place in numbers if question.words[place] not in NOTHING}
    used = {links[move.link].position for move in moves if move.link >= 0}
    used |= {numbers[move.number] for move in moves if move.number >= 0}
    columns = {slot for slot, places in enumerate(question.mentions or ()) if places}
    for slot in columns & {move.column for move in moves}:
        used |= set((question.mentions or ())[slot])
    missed = [question.said[place] or question.words[place] for place in sorted(named - used)]
    if columns and not columns & {move.column for move in moves}:
        missed.append("every column it names")
    return missed


def luck(linked: Linked) -> str:
    """Return what all right programs of a question leave out, where each leaves out something: they look lucky then."""
    if not linked.programs or linked.programs[0][-1].operation == "decline":
        return ""
    missed = [left_out(linked.question, moves) for moves in linked.programs]
    return ", ".join(min(missed, key=len)) if all(missed) else ""


def answer_type(answer: Any) -> str:
    """Return the kind of an answer in words."""
    if answer is None:
        return "no answer"
    if isinstance(answer, list):
        return "a table" if is_rows(answer) else "a list"
    if isinstance(answer, bool):
        return "a truth"
    return "a text" if isinstance(answer, str) else "a number"


@dataclass(frozen=True)
class Uncovered:
    """Questions without a program that have something in common: words that others seldom have, or only the answer."""

    shared: str
    answer: str
    questions: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"shared": self.shared, "answer": self.answer, "questions": list(self.questions)}


def coverage(pairs: Sequence[tuple[Triple, Linked]]) -> list[Uncovered]:
    """Return the questions that no program answers, in groups. First come groups whose words tell most of them from the
    others."""
    without = [(triple, _phrases(one.question)) for triple, one in pairs if not one.programs]
    covered = Counter(phrase for _, one in pairs if one.programs for phrase in _phrases(one.question))
    answered = max(len(pairs) - len(without), 1)
    groups = []
    while without:
        times = Counter(phrase for _, phrases in without for phrase in phrases)

        def telling(phrase: str, times: Counter[str] = times, size: int = len(without)) -> tuple[float, int, str]:
            lift = (times[phrase] / size) / ((covered[phrase] + 0.5) / (answered + 0.5))
            worth = times[phrase] * math.log(lift) if times[phrase] > 1 and lift >= MANY_TIMES else 0.0
            return worth, phrase.count(" "), phrase

        best = max(times, key=telling, default="")
        if not best or telling(best)[0] <= 0:
            break
        group = [triple for triple, phrases in without if best in phrases]
        groups += _by_answer(best, group)
        without = [(triple, phrases) for triple, phrases in without if best not in phrases]
    return groups + _by_answer("", [triple for triple, _ in without])


def _by_answer(shared: str, triples: Sequence[Triple]) -> list[Uncovered]:
    groups: dict[str, list[str]] = defaultdict(list)
    for triple in triples:
        groups[answer_type(triple.answer)].append(triple.question)
    order = sorted(groups, key=lambda kind: -len(groups[kind]))
    return [Uncovered(shared, kind, tuple(groups[kind])) for kind in order]


def _phrases(question: Question) -> set[str]:
    """Return the words of a question and its pairs of words. A mention stands as what it is, such as [column]."""
    words = question.words
    return {*words, *(f"{one} {other}" for one, other in pairwise(words))} - _placeholders(words)


def _placeholders(words: Iterable[str]) -> set[str]:
    return {word for word in words if word.startswith("[")}
