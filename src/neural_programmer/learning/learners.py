"""The learner for a task: which network, which words, which objective."""

from collections.abc import Callable, Sequence
from typing import Any

from neural_programmer.answering.model import Model
from neural_programmer.base.settings import to_dict
from neural_programmer.data.language import NAME
from neural_programmer.data.paper.draws import TRAIN, VALIDATION, Given
from neural_programmer.data.paper.settings import Task
from neural_programmer.data.triples import NAME as OWN
from neural_programmer.data.triples import Triple, shown
from neural_programmer.learning.checks import check_english, check_training
from neural_programmer.learning.config import LstmConfig, Objective, TrainingConfig
from neural_programmer.learning.enumerated import EnumeratedLearner
from neural_programmer.learning.examples import Linked, common_words, count_written, drawn, vocabulary_of, written
from neural_programmer.learning.found import FoundLearner
from neural_programmer.learning.lstm import LstmLearner
from neural_programmer.learning.lstm import vocabulary_of as characters_of
from neural_programmer.learning.marginal import MarginalLearner
from neural_programmer.learning.ranked import Ranked
from neural_programmer.learning.soft import SoftLearner
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import Vocabulary


def learner_of(task: Task, config: NetworkConfig | LstmConfig, training: TrainingConfig, objective: Objective) -> Any:
    """Return the learner that trains a network of this configuration on a task."""
    check_training(config, training, objective)
    if isinstance(config, LstmConfig):
        return LstmLearner(config, characters_of(task.words_read(pointers=False)))
    vocabulary = Vocabulary.of(task.words_read(config.columns == "pointers"))
    if objective == "soft":
        return SoftLearner(config, vocabulary, noisy=training.selection_noise > 0)
    return MarginalLearner(config, vocabulary, training.samples, training.exploration)


def english(
    config: NetworkConfig, training: TrainingConfig, progress: Callable[[int, int], None]
) -> tuple[FoundLearner, Given]:
    """Return the learner of questions as people write them, and the questions."""
    check_english(training)
    total = training.validation + training.examples + training.written * count_written()

    def draw(count: int, stream: int, before: int) -> list[Linked]:
        steps, own = config.program_steps, config.own
        return drawn(count, steps, training.seed, stream, lambda done: progress(before + done, total), own)

    validation = draw(training.validation, VALIDATION, 0)
    examples = draw(training.examples, TRAIN, training.validation)
    if training.written:
        before = training.validation + training.examples
        examples += written(
            training.written,
            config.program_steps,
            training.seed,
            lambda done: progress(before + done, total),
            config.own,
        )
    examples = [one for one in examples if one.programs]
    forgotten = training.forgotten, training.forgotten_rare
    learner = FoundLearner(config, vocabulary_of(examples), common_words(examples), forgotten, training.dropped)
    return learner, Given(NAME, examples, validation)


def fitting(
    objective: Objective,
    start: Model,
    training: TrainingConfig,
    train: Sequence[tuple[Triple, Linked]],
    validation: Sequence[tuple[Triple, Linked]],
    taught: float = 0.0,
) -> tuple[Any, Given]:
    """Return the learner that fits the network of a model to questions of one's own, and the questions.

    Questions of the enumerated objective have all their candidates (see ranked.py). `taught` is how much a teacher
    counts.
    """
    if objective == "soft":
        learner = SoftLearner(start.config, start.vocabulary, noisy=training.selection_noise > 0)
        return learner, Given(OWN, [shown(triple) for triple, _ in train], [shown(triple) for triple, _ in validation])
    if objective == "enumerated":
        ready, held = ([one for _, one in part] for part in (train, validation))
        return _enumerated(start, training, ready, held, taught)
    examples, others = [one for _, one in train if one.programs], [one for _, one in validation]
    forgotten = training.forgotten, training.forgotten_rare
    common = common_words(examples)
    learner = FoundLearner(start.config, start.vocabulary, common, forgotten, training.dropped, start.calibration)
    return learner, Given(OWN, examples, others)


def _enumerated(
    start: Model,
    training: TrainingConfig,
    train: Sequence[Linked],
    validation: Sequence[Linked],
    taught: float,
) -> tuple[EnumeratedLearner, Given]:
    """Return the learner of a network that chooses whole programs, and its questions."""
    examples = [one for one in train if isinstance(one, Ranked) and one.programs]
    common, forgotten = common_words(examples), (training.forgotten, training.forgotten_rare)
    learner = EnumeratedLearner(
        start.config, start.vocabulary, common, forgotten, training.dropped, taught, calibration=start.calibration
    )
    return learner, Given(OWN, examples, validation)


def asked(
    task: Task | Given, config: NetworkConfig | LstmConfig, training: TrainingConfig, objective: Objective
) -> dict[str, Any]:
    """Return all that a training was asked for, as plain values."""
    return {
        "task": task.name,
        "model": type(config).__name__,
        "objective": None if isinstance(config, LstmConfig) else objective,
        "network": to_dict(config),
        "training": to_dict(training),
    }
