"""The learner for a task: which network, which words, which objective."""

from typing import Any, get_args

from neural_programmer.baselines.lstm import LstmLearner, vocabulary_of
from neural_programmer.config import LstmConfig, NetworkConfig, Objective, TrainingConfig, check_objective, to_dict
from neural_programmer.encode import Vocabulary
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.marginal import MarginalLearner
from neural_programmer.learning.soft import SoftLearner
from neural_programmer.tasks.settings import Task


def learner_of(task: Task, config: NetworkConfig | LstmConfig, training: TrainingConfig, objective: Objective) -> Any:
    """What trains a network of this configuration on the task."""
    if objective not in get_args(Objective):
        raise NeuralProgrammerError(f"the objective must be one of {', '.join(get_args(Objective))}, not {objective!r}")
    if isinstance(config, LstmConfig):
        check_objective(None, training)
        return LstmLearner(config, vocabulary_of(task.words_read(pointers=False)))
    check_objective(objective, training)
    vocabulary = Vocabulary.of(task.words_read(config.columns == "pointers"))
    if objective == "soft":
        return SoftLearner(config, vocabulary, noisy=training.selection_noise > 0)
    return MarginalLearner(config, vocabulary, training.samples, training.exploration)


def asked(
    task: Task, config: NetworkConfig | LstmConfig, training: TrainingConfig, objective: Objective
) -> dict[str, Any]:
    """All that was asked for, as plain values."""
    return {
        "task": task.name,
        "model": type(config).__name__,
        "objective": None if isinstance(config, LstmConfig) else objective,
        "network": to_dict(config),
        "training": to_dict(training),
    }
