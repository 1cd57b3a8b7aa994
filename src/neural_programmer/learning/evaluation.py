"""How well a model answers a task's test set: overall, by category, on templates seen in training and on new ones."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tasks.data import draw_test, draw_train, seen_templates
from neural_programmer.tasks.grammar import CATEGORIES
from neural_programmer.tasks.settings import TASKS, Task

SHOWN_ERRORS = 10


@dataclass(frozen=True)
class Score:
    """How many of a group of questions were answered rightly."""

    correct: int
    total: int

    @property
    def accuracy(self) -> float | None:
        return self.correct / self.total if self.total else None


@dataclass(frozen=True)
class Evaluation:
    """The result of an evaluation, with all that it was measured on."""

    task: str
    seed: int
    rows: tuple[int, int]
    value_range: int
    overall: Score
    categories: dict[str, Score]
    seen: Score
    unseen: Score
    errors: list[dict[str, str]]
    """The first wrong answers: question, what was said, what is right."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, with the accuracies beside their counts."""
        result = asdict(self)
        for scores, scored in ((result, self.__dict__), (result["categories"], self.categories)):
            for name, score in scored.items():
                if isinstance(score, Score):
                    scores[name]["accuracy"] = score.accuracy
        return result


def evaluate(
    model: Any,
    task: Task,
    seed: int = 0,
    count: int | None = None,
    rows: int | None = None,
    value_range: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Evaluation:
    """Answer the task's test set of this seed. The answers come from the exact interpreter.

    `count` takes a random part of the test set; `rows` and `value_range` change its tables, to see what the model
    does with sizes and numbers it was not trained on.
    """
    unknown = [word for word in task.words if word not in model.vocabulary.places]
    if unknown:
        raise NeuralProgrammerError(
            f"this model cannot read the questions of {task.name}: it never met {', '.join(unknown[:8])}; "
            f"it was trained on {model.trained.get('task', 'another task')}"
        )
    dataset = draw_test(task, seed, count, rows, value_range)
    known = trained_templates(model)
    groups: dict[str, list[bool]] = {name: [] for name in (*CATEGORIES, "seen", "unseen")}
    errors: list[dict[str, str]] = []
    for place, triple in enumerate(dataset):
        answer = model.answer(triple.question, triple.table)
        right = answer.equals(triple.answer)
        groups[triple.template.category].append(right)
        groups["seen" if triple.template.text in known else "unseen"].append(right)
        if not right and len(errors) < SHOWN_ERRORS:
            errors.append({"question": triple.question, "said": str(answer), "right": str(triple.answer)})
        progress(place + 1, len(dataset))
    scores = {name: Score(sum(group), len(group)) for name, group in groups.items()}
    categories = {name: scores[name] for name in CATEGORIES}
    overall = Score(sum(s.correct for s in categories.values()), sum(s.total for s in categories.values()))
    row_range = task.test_rows if rows is None else (rows, rows)
    return Evaluation(
        task.name,
        seed,
        row_range,
        value_range or task.test_range,
        overall,
        categories,
        scores["seen"],
        scores["unseen"],
        errors,
    )


def trained_templates(model: Any) -> frozenset[str]:
    """The templates of the training set that the model records it was trained on, drawn again from their seed."""
    trained = model.trained
    if trained.get("task") not in TASKS:
        return frozenset()
    return seen_templates(draw_train(TASKS[trained["task"]], trained["examples"], trained["seed"]))
