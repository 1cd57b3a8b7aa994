"""Train the network that weighs what the model of `ask` finds, and put both into one file (see MODEL_CARD.md).

python scripts/weigher.py ASK.safetensors random-split-1-train.tsv OUT [SHARE] [SEED]

writes OUT/0.safetensors, OUT/1.safetensors, ...; SHARE of all questions and steps, for a trial.

Several networks learn from the written questions, from drawn ones and from those of WikiTableQuestions that the
operations of `ask` can answer, all by their answers alone; then smaller ones are taught by them. Each of these, beside
the model that was given, is a model to be chosen from on the development questions.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from neural_programmer import api
from neural_programmer.answering.model import Model
from neural_programmer.data import triples
from neural_programmer.data.paper.draws import Given
from neural_programmer.learning.config import TrainingConfig
from neural_programmer.learning.enumerated import EnumeratedLearner, taught
from neural_programmer.learning.examples import common_words, count_written, vocabulary_of
from neural_programmer.learning.fitting import TAUGHT
from neural_programmer.learning.ranked import Ranked, own_ranked, rehearsed, spoken
from neural_programmer.learning.training import Report, one, train
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import Sizes, sizes
from neural_programmer.network.weights import Trained

NAME = "weighing"
TIMES, DRAWN = 3, 24_000  # each written question so many times, about other columns; drawn ones
KEPT = 400  # candidates of a question of WikiTableQuestions
OFTEN = 4  # times that a word must be met to be learnt
ROOM = Sizes(words=32, links=12, numbers=6, columns=16)  # of questions that are learnt from
WIDTH, TEACHERS, DROPPED = 192, 8, 0.4
PUPIL_WIDTH, PUPILS, PUPIL_DROPPED = 128, 4, 0.3
FORGOTTEN = 0.15, 0.6
VALIDATING = 60  # every which asking of a question validates; others of the same question are learnt from
SETTINGS = TrainingConfig(
    steps=10_000, batch=64, learning_rate=0.002, falling=True, clip=1.0, average=0.999, report_every=1_250, patience=0
)


def network(model: Model, width: int) -> NetworkConfig:
    """The network that weighs programs of a model."""
    return replace(model.config, chooses="programs", reader="gated", hidden=width)


def examples(config: NetworkConfig, wikitables: str, seed: int, share: float = 1.0) -> list[Ranked]:
    """All questions, or a share of them, with their candidates tried."""
    written = int(share * count_written())
    found = [each for time in range(TIMES) for each in rehearsed(written, config, seed + time, _told("written"))]
    found += spoken(int(share * DRAWN), config, seed, _told("drawn"))
    asked = triples.read(Path(wikitables)).triples
    found += own_ranked(asked[: int(share * len(asked))], config, seed, KEPT, _told("WikiTableQuestions"))
    return [each for each in found if each.programs and sizes(each.question, each.index, config).fits(ROOM)]


def teachers(config: NetworkConfig, found: Sequence[Ranked], settings: TrainingConfig) -> Model:
    """Several networks that learn from answers alone, as one model."""
    vocabulary = vocabulary_of(found, OFTEN)
    learner = EnumeratedLearner(config, vocabulary, common_words(found), FORGOTTEN, DROPPED)
    return train(learner, *_given(found, settings), _report, ensemble=True).model


def pupils(config: NetworkConfig, found: Sequence[Ranked], teacher: Model, settings: TrainingConfig) -> list[Model]:
    """Networks that learn from answers and from what others think of every candidate."""
    common = common_words(found)
    learner = EnumeratedLearner(config, teacher.vocabulary, common, FORGOTTEN, PUPIL_DROPPED, TAUGHT)
    given, settings = _given(taught(found, teacher), settings)
    parameters = train(learner, given, settings, _report).parameters
    trained = Trained(NAME, settings.seed, settings.examples)
    return [learner.model(one(parameters, place), trained) for place in range(settings.restarts)]


def _given(found: Sequence[Ranked], settings: TrainingConfig) -> tuple[Given, TrainingConfig]:
    validation = found[::VALIDATING]
    learnt = [question for place, question in enumerate(found) if place % VALIDATING]
    return Given(NAME, learnt, validation), replace(settings, examples=len(learnt), validation=len(validation))


def _report(report: Report) -> None:
    losses = " ".join("-" if loss is None else f"{loss:.3f}" for loss in report.loss)
    print(f"step {report.step}: loss {losses}, right {report.accuracy}, {report.seconds:.0f} s", flush=True)


def _told(what: str) -> Callable[[int], None]:
    return lambda done: print(f"\r{done:,} {what}", end="", file=sys.stderr, flush=True)


def main(path: str, wikitables: str, out: str, share: str = "1", seed: str = "0") -> None:
    model = api.load(path)
    assert isinstance(model, Model)
    settings = replace(SETTINGS, seed=int(seed), steps=max(1, int(float(share) * SETTINGS.steps)))
    found = examples(network(model, WIDTH), wikitables, settings.seed, float(share))
    print(f"{len(found):,} questions", flush=True)
    teacher = teachers(network(model, WIDTH), found, replace(settings, restarts=TEACHERS))
    chosen = pupils(network(model, PUPIL_WIDTH), found, teacher, replace(settings, restarts=PUPILS))
    Path(out).mkdir(parents=True, exist_ok=True)
    for place, pupil in enumerate(chosen):
        replace(model, weigher=pupil).save(Path(out) / f"{place}.safetensors", half=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
