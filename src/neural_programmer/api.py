"""The commands as Python functions with typed results: train, evaluate, load, traces."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neural_programmer.answer import Answer
from neural_programmer.config import LstmConfig, NetworkConfig, TrainingConfig, to_dict
from neural_programmer.encode import Vocabulary
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.evaluation import Evaluation
from neural_programmer.learning.evaluation import evaluate as _evaluate
from neural_programmer.model import Model, Trace, load
from neural_programmer.tasks.data import draw_test, test_count
from neural_programmer.tasks.settings import Task
from neural_programmer.tasks.settings import task as find

if TYPE_CHECKING:
    from neural_programmer.learning.training import Report, Trained

__all__ = ["evaluate", "load", "traces", "train"]


def train(
    task: str | Task,
    *,
    config: NetworkConfig | LstmConfig | None = None,
    training: TrainingConfig | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    start_from: str | Path | None = None,
    report: Callable[["Report"], None] = lambda report: None,
) -> "Trained":
    """Train a model on a task; with `out`, keep the run in that folder so that it can be resumed.

    `start_from` is a run or model whose weights to begin with.

    >>> trained = train("single-column", training=TrainingConfig(steps=5000, restarts=4))  # doctest: +SKIP
    >>> trained.model.answer("greater 50 sum", table)  # doctest: +SKIP
    """
    try:
        from neural_programmer.learning import training as learning
        from neural_programmer.learning.checkpoints import Keeper
        from neural_programmer.learning.soft import SoftLearner
    except ImportError as error:
        raise NeuralProgrammerError(
            f"training needs {error.name}, which is not installed: pip install 'neural-programmer[train]'"
        ) from None
    from neural_programmer.baselines.lstm import LstmLearner, vocabulary_of

    chosen = find(task) if isinstance(task, str) else task
    config = config or chosen.network
    training = training or TrainingConfig()
    if isinstance(config, LstmConfig):
        learner: Any = LstmLearner(config, vocabulary_of(chosen.words))
    else:
        learner = SoftLearner(config, Vocabulary.of(chosen.words))
    start = None if start_from is None else _start(start_from, config, learner.vocabulary)
    if out is None:
        return learning.train(learner, chosen, training, report, start=start)
    asked = {
        "task": chosen.name,
        "model": type(config).__name__,
        "network": to_dict(config),
        "training": to_dict(training),
        "start_from": None if start_from is None else str(start_from),
    }
    keeper = Keeper(Path(out), asked, resume)
    try:
        return learning.train(learner, chosen, training, report, keeper, start=start)
    finally:
        keeper.close()


def _start(path: str | Path, config: Any, vocabulary: Vocabulary) -> Any:
    """The weights of another model, if it is built like the one to train."""
    other = load(path)
    if other.config != config or other.vocabulary != vocabulary:
        raise NeuralProgrammerError(
            f"training cannot start from {path}: it has other settings or words ({other.config}) than {config}"
        )
    return other.parameters


def evaluate(model: Any, task: str | Task | None = None, **options: Any) -> Evaluation:
    """Measure a model, or the model of a run's folder, on a task's test set; see learning.evaluation.evaluate."""
    model = load(model) if isinstance(model, str | Path) else model
    return _evaluate(model, _task_of(model, task), **options)


def traces(
    model: Any, task: str | Task | None = None, question: str | None = None, seed: int = 0, count: int = 3
) -> list[tuple[Trace, Answer | None]]:
    """How a model answers a question about a test table, or questions of the test set with the right answers."""
    if not isinstance(model, Model):
        raise NeuralProgrammerError("an LSTM selects no programs, so there is nothing to trace; evaluate it instead")
    chosen = _task_of(model, task)
    if question is not None:
        return [(model.trace(question, draw_test(chosen, seed, 1).table(0)), None)]
    if count < 1:
        raise NeuralProgrammerError(f"at least one question must be shown, not {count}")
    dataset = draw_test(chosen, seed, min(count, test_count(chosen)))
    return [(model.trace(triple.question, triple.table), triple.answer) for triple in dataset]


def _task_of(model: Any, task: str | Task | None) -> Task:
    name = model.trained.get("task") if task is None else task
    if name is None:
        raise NeuralProgrammerError("the model does not say what it was trained on; name a task with --task")
    return find(name) if isinstance(name, str) else name
