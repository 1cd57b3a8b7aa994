"""Fitting a model to questions, tables and answers of one's own: what to start from, what to learn from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from neural_programmer.answering.model import Model
from neural_programmer.data.language import NETWORK
from neural_programmer.data.paper.draws import WEIGHTS, Given, generator_of
from neural_programmer.data.triples import NAME, Triple
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning import training
from neural_programmer.learning.checkpoints import Keeper
from neural_programmer.learning.checks import check_models
from neural_programmer.learning.config import FitConfig, Objective, TrainingConfig
from neural_programmer.learning.enumerated import taught
from neural_programmer.learning.examples import Linked, drawn, tried, vocabulary_of
from neural_programmer.learning.learners import asked, fitting
from neural_programmer.learning.ranked import TRAINED_ON, VALIDATED_ON, own_ranked, rehearsed
from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import UNKNOWN, Sizes, Vocabulary, sizes
from neural_programmer.network.growing import grown
from neural_programmer.programs.operations import ROWS, TEXT, Operation

OWN_WORD_TIMES = 2  # times that a word must be met to be learnt: fewer than where there are thousands of questions
MOST_VALIDATING = 1_000  # questions at most that validate while training, from all over those there are
REHEARSAL_STREAM = 6  # the stream of the questions that are mixed in
WRITTEN_NETWORK = NetworkConfig(  # for cells as people write them
    hidden=192,
    program_steps=8,
    reader="gated",
    columns="linked",
    operations=tuple(name for name in ROWS if name != "distinct"),  # which did not help
    vectors=NETWORK.vectors,
    chooses="programs",
    cells="written",
)
WRITTEN_ROOM = Sizes(words=28, links=12, numbers=5, columns=30)  # of questions about these that are learnt from
TAUGHT = 0.7  # how much it counts what a teacher says, of 1
SOFT_NETWORK = NetworkConfig(columns="linked", operations=TEXT)  # steps and operations that can be learnt so
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Lesson:
    """Triples to learn from and to validate by, each linked to its table, with programs that answer it."""

    train: tuple[tuple[Triple, Linked], ...]
    validation: tuple[tuple[Triple, Linked], ...]


@dataclass(frozen=True)
class Fit:
    """A fit before it runs: the model to start from or none, the settings, the triples, the folder."""

    start: Model | None
    objective: Objective
    config: FitConfig
    train: tuple[Triple, ...]
    validation: tuple[Triple, ...]
    operations: tuple[Operation, ...] = ()  # of one's own, that the model may not have yet
    out: Path | None = None
    resume: bool = False
    teacher: Model | None = None  # who says how probable each candidate is

    @property
    def network(self) -> NetworkConfig:
        if self.start is not None:
            return self.start.config.plus(own=self.operations)
        whole = WRITTEN_NETWORK if self.official else replace(NETWORK, chooses="programs")
        return {"soft": SOFT_NETWORK, "enumerated": whole}.get(self.objective, NETWORK).plus(own=self.operations)

    @property
    def official(self) -> bool:
        """Tell whether the triples are WikiTableQuestions."""
        return all(triple.official for triple in self.train)

    @property
    def settings(self) -> TrainingConfig:
        cells = self.network.cells
        count = len(self.train) + (self.config.rehearsed or 0 if self.start is None else 0)
        return self.config.training(count, len(self.validation), self.objective, self.start is None, cells)

    def run(
        self,
        given: dict[str, Any],
        report: Callable[[training.Report], None] = lambda report: None,
        trying: Progress = lambda done, total: None,
    ) -> tuple[training.TrainingResult, Lesson]:
        """Try all programs on all questions, then train; `given` is kept with the settings of the run, and a run that
        is resumed must have the same."""
        check_models(self.start, self.teacher, self.objective, self.network)
        settings = self.settings
        described = {**asked(Given(NAME, (), ()), self.network, settings, self.objective), **given}
        described["ensemble"] = self.config.ensemble
        keeper = None if self.out is None else Keeper(self.out, described, self.resume)
        lesson = _lesson(self.train, self.validation, self.network, settings.seed, trying)
        count = self.config.rehearsals(self.objective, self.start is None)
        whole = count and self.objective == "enumerated"
        ours = rehearsed(count, self.network, settings.seed, lambda done: trying(done, count)) if whole else []
        start = beginning(self.start, self.network, [*(one for _, one in lesson.train), *ours], settings.seed)
        validating = lesson.validation[:: _stride(len(lesson.validation))]
        small = [pair for pair in lesson.train if is_small(pair[1], self.network)]
        others = [pair for pair in validating if is_small(pair[1], self.network)]
        if not any(one.programs for _, one in small) or not others:
            raise NeuralProgrammerError(
                f"no question is short enough about a table narrow enough: at most {WRITTEN_ROOM.words} words and "
                f"{WRITTEN_ROOM.columns} columns, those read from cells included, are learnt from and validate"
            )
        learner, data = fitting(self.objective, start, settings, small, others, TAUGHT if self.teacher else 0.0)
        if whole:
            data = replace(data, train=[*data.train, *(one for one in ours if is_small(one, self.network))])
        elif count:
            data = rehearsing(data, count, self.network.program_steps, settings.seed)
        if self.teacher is not None:
            data = replace(data, train=taught(data.train, self.teacher))
        weights = None if self.start is None else start.parameters
        ensemble = self.config.ensemble
        return training.train(learner, data, settings, report, keeper, start=weights, ensemble=ensemble), lesson


def objective_of(start: Model | None, official: bool = False) -> Objective:
    """Return the objective where none is named: the one that the start was trained with; from nothing marginal, and for
    WikiTableQuestions enumerated."""
    whole = official if start is None else start.config.chooses == "programs"
    return "enumerated" if whole else "marginal"


def is_small(one: Linked, config: NetworkConfig) -> bool:
    """Tell whether a question fits the padded batch; longer ones, and those about wider tables, are skipped."""
    return config.cells == "typed" or sizes(one.question, one.index, config).fits(WRITTEN_ROOM)


def _lesson(
    train: Sequence[Triple], validation: Sequence[Triple], config: NetworkConfig, seed: int, progress: Progress
) -> Lesson:
    """Try all programs on all questions."""
    every = [*train, *validation]
    if config.chooses == "programs":
        linked = _ranked(train, validation, config, seed, progress)
    else:
        linked = tried(every, config, lambda done: progress(done, len(every)))
    pairs = tuple(zip(every, linked, strict=True))
    if not any(one.programs for _, one in pairs[: len(train)]):
        raise NeuralProgrammerError(
            f"no program gives the answer to any of the {len(train)} questions to learn from; look at the answers, or "
            "at what the questions call the columns and cells of their tables"
        )
    return Lesson(pairs[: len(train)], pairs[len(train) :])


def _ranked(
    train: Sequence[Triple], validation: Sequence[Triple], config: NetworkConfig, seed: int, progress: Progress
) -> list[Linked]:
    """Try all candidates of all questions: those that validate keep as many as they may, right or not, the others
    those that are right and some others."""
    stride, places = _stride(len(validation)), range(len(validation))
    validating, others = list(places[::stride]), [place for place in places if place % stride]
    ready: list[Linked] = []
    total = len(train) + len(validation)
    for part, most, blind in (
        (train, TRAINED_ON, False),
        ([validation[place] for place in validating], VALIDATED_ON if config.cells == "written" else None, True),
        ([validation[place] for place in others], TRAINED_ON, False),
    ):
        before = len(ready)
        tell = lambda done, before=before: progress(before + done, total)  # noqa: E731
        ready += own_ranked(part, config, seed, most, tell, blind)
    placed = dict(zip((*validating, *others), ready[len(train) :], strict=True))
    return [*ready[: len(train)], *(placed[place] for place in places)]


def _stride(count: int) -> int:
    """Return the stride that takes at most VALIDATING of so many questions, spread evenly."""
    return -(-count // MOST_VALIDATING)


def rehearsing(data: Given, count: int, steps: int, seed: int) -> Given:
    """Return the data with questions of varied English mixed in, so that a model that knew them does not forget them.

    One's own questions are repeated until they are half of all.
    """
    others = [one for one in drawn(count, steps, seed, REHEARSAL_STREAM) if one.programs] if count else []
    times = max(1, round(len(others) / max(len(data.train), 1)))
    return Given(data.name, [*data.train] * times + others, data.validation)


def beginning(model: Model | None, config: NetworkConfig, examples: Sequence[Linked], seed: int) -> Model:
    """Return the model to start from, with the words of the questions added; without one, a new model with these
    words."""
    words = vocabulary_of(examples, OWN_WORD_TIMES)
    if model is None:
        return Model(config, words, network.initial(config, len(words), generator_of(seed, WEIGHTS, 0)))
    weights = grown(model.parameters, model.config, config, generator_of(seed, WEIGHTS))
    return with_words(replace(model, config=config, parameters=weights, weigher=None), words.words)


def with_words(model: Model, words: Sequence[str]) -> Model:
    """Return a model that knows more words. New words begin with the vector of an unknown word."""
    new = sorted(set(words) - set(model.vocabulary.words))
    unknown = model.parameters.words[model.vocabulary.places[UNKNOWN]]
    rows = np.concatenate([model.parameters.words, np.tile(unknown, (len(new), 1))])
    vocabulary = Vocabulary((*model.vocabulary.words, *new))
    return replace(model, vocabulary=vocabulary, parameters=model.parameters._replace(words=rows))
