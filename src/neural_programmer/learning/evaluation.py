"""How well a model answers a task's test set: overall, by category, on templates seen in training and on new ones."""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from neural_programmer.base.notebook import line
from neural_programmer.data.paper.draws import draw_test, test_size, train_templates
from neural_programmer.data.paper.grammar import CATEGORIES
from neural_programmer.data.paper.settings import TASKS, Task
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.questions.question import COLUMN


@dataclass(frozen=True)
class Score:
    """How many of a group of questions were answered rightly."""

    correct: int
    total: int

    @property
    def accuracy(self) -> float | None:
        return self.correct / self.total if self.total else None

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "accuracy": self.accuracy}


@dataclass(frozen=True)
class Evaluation:
    """The result of an evaluation, with all that it was measured on."""

    task: str
    seed: int
    sets: int
    rows: tuple[int, int]
    value_range: int
    overall: Score
    categories: dict[str, Score]
    seen: Score
    unseen: Score
    errors: list[dict[str, str]]
    """Every wrong answer: question, what was said, what is right."""

    def __repr__(self) -> str:
        """In a line: the task, and how many answers are right; `errors` has the others."""
        return line("Evaluation", repr(self.task), f"{self.overall.correct:,} of {self.overall.total:,} right")

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with the accuracies beside their counts."""
        scores = {name: getattr(self, name).to_dict() for name in ("overall", "seen", "unseen")}
        categories = {name: score.to_dict() for name, score in self.categories.items()}
        return {**asdict(self), **scores, "categories": categories}


def evaluate(
    model: Any,
    task: Task,
    seed: int = 0,
    sets: int = 1,
    count: int | None = None,
    rows: int | None = None,
    value_range: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Evaluation:
    """Answer the task's test set of this seed. The answers come from the exact interpreter.

    `sets` takes as many test sets, of this seed and those that follow; `count` a random part of each; `rows` and
    `value_range` change the tables, to see what the model does with sizes and numbers it was not trained on.
    """
    words = task.words_read(pointers=COLUMN in model.vocabulary.places, test=True)
    unknown = [word for word in dict.fromkeys(words) if word not in model.vocabulary.places]
    if unknown:
        raise NeuralProgrammerError(
            f"this model cannot read the questions of {task.name}: it never met {', '.join(unknown)}; "
            f"it was trained on {model.trained.task or 'another task'}"
        )
    if sets < 1:
        raise NeuralProgrammerError(f"at least one test set must be answered, not {sets}")
    size = test_size(task) if count is None else count
    triples = (triple for place in range(sets) for triple in draw_test(task, seed + place, count, rows, value_range))
    known = trained_templates(model)
    groups: dict[str, list[bool]] = {name: [] for name in (*CATEGORIES, "seen", "unseen")}
    errors: list[dict[str, str]] = []
    for place, triple in enumerate(triples, 1):
        answer = model.answer(triple.question, triple.table)
        right = answer.equals(triple.answer)
        groups[triple.template.category].append(right)
        groups["seen" if triple.template.text in known else "unseen"].append(right)
        if not right:
            errors.append({"question": triple.question, "said": str(answer), "right": str(triple.answer)})
        progress(place, sets * size)
    scores = {name: Score(sum(group), len(group)) for name, group in groups.items()}
    categories = {name: scores[name] for name in CATEGORIES}
    overall = Score(sum(s.correct for s in categories.values()), sum(s.total for s in categories.values()))
    row_range = task.test_rows if rows is None else (rows, rows)
    return Evaluation(
        task.name,
        seed,
        sets,
        row_range,
        value_range or task.test_range,
        overall,
        categories,
        scores["seen"],
        scores["unseen"],
        errors,
    )


def percent(value: float | None) -> str:
    """Return a share as a percentage, rounded down: "100.00" means all."""
    return "-" if value is None else f"{math.floor(10_000 * value + 1e-9) / 100:.2f}"


def trained_templates(model: Any) -> frozenset[str]:
    """Return the templates of the training set that the model names, drawn again; all templates, where examples were
    always fresh."""
    trained = model.trained
    if trained.task not in TASKS:
        return frozenset()
    task = TASKS[trained.task]
    if trained.examples is None:
        grammar = task.grammar_over(task.numbers, task.texts)
        return frozenset(grammar.numbered(number).text for number in range(grammar.count))
    return train_templates(task, trained.examples, trained.seed)
