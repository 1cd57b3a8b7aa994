"""What a person can act on after a fit: accuracy by kind, what is wrong, what looks lucky, what no program answers."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from neural_programmer.answering.model import Model
from neural_programmer.base import files
from neural_programmer.base.notebook import line
from neural_programmer.learning.evaluation import Score
from neural_programmer.learning.fit_page import page
from neural_programmer.learning.judgement import (
    Uncovered,
    Verdict,
    by_kind,
    coverage,
    judged,
    luck,
    score,
)

ASKED_AGAIN = 2_000  # questions of each part that the model is asked again for the report, from all over the data
PARTS = ("train", "validation")


@dataclass(frozen=True)
class Lucky:
    """A question whose right programs all leave out something that it names."""

    question: str
    place: str
    left_out: str
    program: str

    def to_dict(self) -> dict[str, Any]:
        return vars(self)


@dataclass(frozen=True)
class FitReport:
    """The report of a fit: what the model says to its questions, and what programs there are for them."""

    about: dict[str, Any]
    """The data, how it was split, what was skipped, what it was started from."""
    curve: tuple[dict[str, Any], ...]
    """Validation accuracy and loss in the course of training."""
    train: tuple[Verdict, ...]
    validation: tuple[Verdict, ...]
    lucky: tuple[Lucky, ...]
    uncovered: tuple[Uncovered, ...]

    def __repr__(self) -> str:
        """In a line: how many answers are right; `to_dict` has all of it."""
        parts = (f"{part} {score.correct:,} of {score.total:,} right" for part, score in self.accuracy.items())
        return line("FitReport", *parts)

    @property
    def accuracy(self) -> dict[str, Score]:
        return {part: score(getattr(self, part)) for part in PARTS}

    @property
    def kinds(self) -> dict[str, dict[str, Score]]:
        """Return scores by kind of question, for the questions to learn from and for those to validate by."""
        parts = {part: by_kind(getattr(self, part)) for part in PARTS}
        names = by_kind([*self.train, *self.validation])
        return {kind: {part: parts[part].get(kind, Score(0, 0)) for part in PARTS} for kind in names}

    def to_dict(self) -> dict[str, Any]:
        """Return the whole report as values that JSON has."""
        return {
            **self.about,
            "accuracy": {part: one.to_dict() for part, one in self.accuracy.items()},
            "kinds": {kind: {part: one.to_dict() for part, one in some.items()} for kind, some in self.kinds.items()},
            "curve": list(self.curve),
            "wrong": {part: [v.to_dict() for v in getattr(self, part) if not v.right] for part in PARTS},
            "lucky": [one.to_dict() for one in self.lucky],
            "uncovered": [one.to_dict() for one in self.uncovered],
        }

    def write(self, folder: Path) -> None:
        """Write report.json and report.html into a folder."""
        content = self.to_dict()
        files.write(folder / "report.json", (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode())
        files.write(folder / "report.html", page(content).encode())


def reported(
    model: Model,
    lesson: Any,
    reports: Sequence[Any],
    about: dict[str, Any],
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> FitReport:
    """Ask the fitted model its questions again, and look at the programs that were tried (see fitting.Lesson)."""
    some = {part: _some([triple for triple, _ in getattr(lesson, part)]) for part in PARTS}
    total = sum(map(len, some.values()))
    train = judged(model, some["train"], lambda done, _: progress(done, total))
    validation = judged(model, some["validation"], lambda done, _: progress(len(train) + done, total))
    every = (*lesson.train, *lesson.validation)
    lucky = []
    for triple, linked in every:
        if missed := luck(linked):
            operations = "; ".join(move.operation for move in linked.programs[0])
            lucky.append(Lucky(triple.question, triple.place, missed, operations))
    curve = [
        {"step": one.step, "loss": one.loss[0], "accuracy": max(one.accuracy), "best": max(one.best_accuracy)}
        for one in reports
    ]
    return FitReport(about, tuple(curve), tuple(train), tuple(validation), tuple(lucky), tuple(coverage(every)))


def _some(triples: list[Any]) -> list[Any]:
    return triples[:: -(-len(triples) // ASKED_AGAIN)] if triples else []
