"""Train many restarts of one task; measure how many answer every test question, how soon, and by which programs."""

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import jax
import numpy as np

from neural_programmer.answering.model import Model
from neural_programmer.data.paper import TASKS, Dataset, Task, Triple, draw_test, test_size
from neural_programmer.learning.checkpoints import Keeper
from neural_programmer.learning.config import LstmConfig, Objective, TrainingConfig
from neural_programmer.learning.evaluation import evaluate, trained_templates
from neural_programmer.learning.learners import asked, learner_of
from neural_programmer.learning.training import Report, TrainingResult, answered, one, train
from neural_programmer.network.config import NetworkConfig
from neural_programmer.paper.config import TEST_SEED
from neural_programmer.paper.record import circumstances

LEAST_QUESTIONS = 1_000  # test questions; where there are fewer templates, each has several
EXACT = 50  # questions that each restart also answers as the product does: NumPy, then the exact interpreter
INVARIANCE = (12, 1_200, 12_000)  # rows of the tables on which every restart is tried again, on as many questions
LARGE_RANGE = 20_000  # and the range of their numbers
KEPT_PROGRAMS = 20  # programs kept in a result
FAILING = 3  # wrong answers of each restart kept in a result


@dataclass(frozen=True)
class Experiment:
    """One task, one network, one objective, many restarts."""

    name: str
    part: str
    task: str
    objective: Objective = "marginal"
    network: NetworkConfig | LstmConfig | None = None
    """The task's, if nothing is said."""
    training: TrainingConfig = field(default_factory=TrainingConfig)
    ranges: tuple[int, ...] = ()
    """Ranges of numbers to test with beside the task's own."""

    @property
    def config(self) -> NetworkConfig | LstmConfig:
        task = TASKS[self.task]
        return self.network or (task.paper if self.objective == "soft" else task.network)

    @property
    def settings(self) -> dict[str, Any]:
        return asked(TASKS[self.task], self.config, self.training, self.objective)

    @property
    def command(self) -> str:
        restarts, seed = self.training.restarts, self.training.seed
        return f"neural-programmer reproduce {self.task} --parts {self.part} --restarts {restarts} --seed {seed}"


def measure(
    experiment: Experiment, folder: Path, report: Callable[[Report], None] = lambda report: None
) -> dict[str, Any]:
    """Train all restarts, resuming what is in the folder, and answer the full test set with each."""
    task, training = TASKS[experiment.task], experiment.training
    learner = learner_of(task, experiment.config, training, experiment.objective)
    resume = (folder / "config.json").exists()
    trained = train(learner, task, training, report, Keeper(folder, experiment.settings, resume))
    tested = time.monotonic()
    often = max(task.questions_per_template, -(-LEAST_QUESTIONS // test_size(task)))
    test = draw_test(replace(task, questions_per_template=often), TEST_SEED)
    right = _right(learner, trained, test)
    seen = trained_templates(trained.model)
    known = np.asarray([template.text in seen for template in test.templates])
    models = [learner.model(one(trained.parameters, place), trained.model.trained) for place in range(len(right))]
    result = {
        "experiment": experiment.name,
        "part": experiment.part,
        "circumstances": circumstances(experiment.command),
        **experiment.settings,
        "test_seed": TEST_SEED,
        "test_questions": right.shape[1],
        "at_100": int(right.all(axis=1).sum()),
        "restarts": [_restart(trained.reports, place, row, known) for place, row in enumerate(right)],
        "curve": [
            {"step": each.step, "seconds": each.seconds, "loss": each.loss, "accuracy": each.accuracy}
            for each in trained.reports
        ],
        "ranges": {str(limit): _ranges(learner, trained, task, limit) for limit in experiment.ranges},
        "failing": [
            _failure(model, place, test.triple(question))
            for place, model in enumerate(models)
            for question in np.flatnonzero(~right[place])[:FAILING].tolist()
        ],
    }
    if isinstance(trained.model, Model):
        result["exactly"] = [_again(model, task) for model in models]
        result["invariance"] = [
            {
                "rows": rows,
                "value_range": LARGE_RANGE,
                "restarts": [_again(model, task, rows, LARGE_RANGE) for model in models],
            }
            for rows in INVARIANCE
        ]
        result["programs"] = _programs(trained.model, task)
    trained.model.save(folder.parent / f"{folder.name}.safetensors")
    result["seconds"] = round(trained.reports[-1].seconds + time.monotonic() - tested, 1)
    result["memory_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return result


def _right(learner: Any, trained: TrainingResult, test: Dataset) -> np.ndarray:
    """[restarts, questions]: which test questions each restart answers rightly, in float32 but full precision."""
    with jax.default_matmul_precision("highest"):
        return np.asarray(jax.jit(partial(answered, learner))(trained.parameters, jax.device_put(learner.encode(test))))


def _ranges(learner: Any, trained: TrainingResult, task: Task, limit: int) -> list[float]:
    """Return the accuracy of every restart where the numbers come from another range."""
    return _right(learner, trained, draw_test(task, TEST_SEED, value_range=limit)).mean(axis=1).tolist()


def _restart(reports: list[Report], place: int, right: np.ndarray, known: np.ndarray) -> dict[str, Any]:
    """Return how one restart did: accuracy on all, seen and new templates, and when it first answered all of
    validation."""
    first = next((report for report in reports if report.accuracy[place] == 1), None)

    def share(part: np.ndarray) -> float | None:
        return float(part.mean()) if part.size else None

    return {
        "accuracy": share(right),
        "wrong": int((~right).sum()),
        "seen": share(right[known]),
        "unseen": share(right[~known]),
        "validation": reports[-1].best_accuracy[place],
        "steps_to_100": first and first.step,
        "seconds_to_100": first and round(first.seconds, 1),
    }


def _failure(model: Any, restart: int, triple: Triple) -> dict[str, Any]:
    """Return a wrongly answered question, with what the restart said and how, and what is right."""
    said = {"program": str(model.trace(triple.question, triple.table).program)} if isinstance(model, Model) else {}
    return {
        "restart": restart,
        "category": triple.template.category,
        "question": triple.question,
        **said,
        "answer": str(model.answer(triple.question, triple.table)),
        "right_program": str(triple.program),
        "right": str(triple.answer),
    }


def _again(model: Model, task: Task, rows: int | None = None, value_range: int | None = None) -> dict[str, Any]:
    """Measure a model on some test questions, as the product answers them; on other sizes and numbers, if asked for."""
    count = min(EXACT, test_size(task))
    return evaluate(model, task, TEST_SEED, count=count, rows=rows, value_range=value_range).overall.to_dict()


def _programs(model: Model, task: Task) -> list[dict[str, str]]:
    """Return some test questions and the programs that the model runs for them."""
    few = draw_test(task, TEST_SEED, min(KEPT_PROGRAMS, test_size(task)))
    traces = [model.trace(triple.question, triple.table) for triple in few]
    return [
        {"question": trace.question, "program": str(trace.program), "answer": str(trace.answer)} for trace in traces
    ]
