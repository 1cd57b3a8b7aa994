"""Many restarts of one task: how many answer every test question, how soon, what is wrong, by which programs."""

from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import jax
import numpy as np

from neural_programmer.config import LstmConfig, NetworkConfig, Objective, TrainingConfig
from neural_programmer.experiments.record import circumstances
from neural_programmer.learning.checkpoints import Keeper
from neural_programmer.learning.evaluation import evaluate
from neural_programmer.learning.learners import learner_of
from neural_programmer.learning.training import Report, TrainingResult, answered, one, train
from neural_programmer.model import Model
from neural_programmer.tasks import TASKS, draw_test, test_size, train_templates
from neural_programmer.tasks.settings import Task

TEST_SEED = 20_000  # of the test sets: never used while anything was chosen
SHOWN = 20  # failing questions and programs kept in a result
INVARIANCE = (12, 1_200, 12_000)  # rows of the tables on which the trained models are tried again
LARGE = 20_000  # and the range of their numbers


@dataclass(frozen=True)
class Experiment:
    """One task, one network, one objective, many restarts."""

    name: str
    task: str
    objective: Objective = "marginal"
    network: NetworkConfig | LstmConfig | None = None
    """The task's, if nothing is said."""
    training: TrainingConfig = field(default_factory=TrainingConfig)
    ranges: tuple[int, ...] = ()
    """Ranges of numbers to test with beside the task's own."""

    @property
    def settings(self) -> dict[str, Any]:
        """All that was asked for, as plain values."""
        config = self.config
        return {
            "task": self.task,
            "objective": self.objective,
            "model": type(config).__name__,
            "network": asdict(config),
            "training": asdict(self.training),
        }

    @property
    def config(self) -> NetworkConfig | LstmConfig:
        task = TASKS[self.task]
        return self.network or (task.paper if self.objective == "soft" else task.network)


def measure(experiment: Experiment, folder: Path, report: Any = lambda report: None) -> dict[str, Any]:
    """Train all restarts, resuming what is in the folder, and answer the full test set with each."""
    task, training = TASKS[experiment.task], experiment.training
    learner = learner_of(task, experiment.config, training, experiment.objective)
    resume = (folder / "config.json").exists()
    trained = train(learner, task, training, report, Keeper(folder, experiment.settings, resume))
    test = draw_test(task, TEST_SEED)
    right = _right(learner, trained, test)
    seen = train_templates(task, training.examples, training.seed)
    known = np.asarray([template.text in seen for template in test.templates])
    result = {
        "experiment": experiment.name,
        "circumstances": circumstances(f"neural-programmer reproduce {experiment.name}"),
        **experiment.settings,
        "test_seed": TEST_SEED,
        "test_questions": right.shape[1],
        "at_100": int(right.all(axis=1).sum()),
        "restarts": [_restart(trained.reports, place, row, known) for place, row in enumerate(right)],
        "curve": [asdict(report) for report in trained.reports],
        "failing": _failing(learner, trained, test, right),
        "ranges": {
            str(limit): _right(learner, trained, draw_test(task, TEST_SEED, value_range=limit)).mean(axis=1).tolist()
            for limit in experiment.ranges
        },
    }
    model = trained.model
    if isinstance(model, Model):
        result["programs"] = _programs(model, task)
        result["invariance"] = _invariance(learner.model(one(trained.parameters, 0), model.trained), task)
    model.save(folder.parent / f"{experiment.name}.safetensors")
    return result


def _right(learner: Any, trained: TrainingResult, test: Any) -> np.ndarray:
    """[restarts, questions]: which test questions each restart answers rightly."""
    return np.asarray(jax.jit(partial(answered, learner))(trained.parameters, learner.encode(test)))


def _restart(reports: list[Report], place: int, right: np.ndarray, known: np.ndarray) -> dict[str, Any]:
    """How one restart did: accuracy on all, seen and new templates, and when it first answered all of validation."""
    first = next((report for report in reports if report.accuracy[place] == 1), None)

    def share(part: np.ndarray) -> float | None:
        return round(float(part.mean()), 6) if part.size else None

    return {
        "accuracy": share(right),
        "wrong": int((~right).sum()),
        "seen": share(right[known]),
        "unseen": share(right[~known]),
        "validation": reports[-1].best_accuracy[place],
        "steps_to_100": first and first.step,
        "seconds_to_100": first and round(first.seconds, 1),
    }


def _failing(learner: Any, trained: TrainingResult, test: Any, right: np.ndarray) -> list[dict[str, Any]]:
    """The first questions that some restart answers wrongly, with what it said."""
    failing = []
    for restart, place in zip(*np.nonzero(~right), strict=True):
        if len(failing) == SHOWN:
            break
        triple = test.triple(int(place))
        model = learner.model(one(trained.parameters, int(restart)), trained.model.trained)
        said = {"program": str(model.trace(triple.question, triple.table).program)} if isinstance(model, Model) else {}
        said["answer"] = str(model.answer(triple.question, triple.table))
        failing.append({"restart": int(restart), "question": triple.question, **said, "right": str(triple.answer)})
    return failing


def _programs(model: Model, task: Task) -> list[dict[str, str]]:
    """Some test questions and the programs that the model runs for them."""
    few = draw_test(task, TEST_SEED, min(SHOWN, test_size(task)))
    traces = [model.trace(triple.question, triple.table) for triple in few]
    return [
        {"question": trace.question, "program": str(trace.program), "answer": str(trace.answer)} for trace in traces
    ]


def _invariance(model: Model, task: Task) -> list[dict[str, Any]]:
    """The same weights on short and long tables of large numbers, answered by the exact interpreter."""
    count = min(200, test_size(task))
    results = [evaluate(model, task, TEST_SEED, count=count, rows=rows, value_range=LARGE) for rows in INVARIANCE]
    return [
        {"rows": result.rows[0], "value_range": LARGE, **result.overall.to_dict(), "errors": result.errors[:SHOWN]}
        for result in results
    ]
