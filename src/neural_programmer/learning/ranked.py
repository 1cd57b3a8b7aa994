"""Questions with all their candidates, executed, and which give the answer: what whole programs are learnt from.

Trying all candidates takes some milliseconds a question, so it is done once, in as many processes as there are cores.
Nothing here needs JAX.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.candidates.enumeration import every
from neural_programmer.candidates.masks import Tables
from neural_programmer.candidates.results import grouped
from neural_programmer.data.language import Asked, Speaker
from neural_programmer.data.paper.draws import WRITTEN, generator_of
from neural_programmer.data.triples import Triple
from neural_programmer.data.written import question_folders
from neural_programmer.learning.examples import PROGRAMS_KEPT, Linked, count_written, tried
from neural_programmer.network.config import NetworkConfig
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.moves import Codec, Move
from neural_programmer.programs.operations import own_of
from neural_programmer.programs.workers import each
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import link
from neural_programmer.questions.question import Question
from neural_programmer.tables.table import Table
from neural_programmer.tables.views import written

TRAINED_ON = 600  # candidates of a question, of those that there are
CANDIDATE_STREAM, SPOKEN_STREAM = 7, 8  # the streams by which those are drawn, and questions of varied English
VALIDATED_ON = 2_000  # the same of a question about written cells that validates while training, right or not
RANKED_A_PART = 100  # questions that a process tries all candidates of at a time


@dataclass(frozen=True)
class Ranked(Linked):
    """A question with its candidates and which of them give the answer; its programs are the shortest of these."""

    moves: Int[np.ndarray, "candidates steps 3"]
    features: Bool[np.ndarray, "candidates features"]
    right: Bool[np.ndarray, "candidates"]
    answers: Int[np.ndarray, "candidates"]  # the same number for those that give the same
    taught: Float[np.ndarray, "candidates"] | None = None  # how probable each is to a teacher


@dataclass(frozen=True)
class _About:
    """What is made once for all questions about some tables."""

    index: Index
    tables: Tables

    @classmethod
    def of(cls, tables: Sequence[Table], config: NetworkConfig) -> "_About":
        seen = list(tables)
        if config.cells == "written":
            first = written(tables[0])
            seen = [first, *(written(table, like=first) for table in tables[1:])]
        return cls(Index.of(seen[0]), Tables(seen, own_of(config.entries), config.candidates))


def ranked(asked: Asked, config: NetworkConfig, generator: np.random.Generator, most: int = TRAINED_ON) -> Ranked:
    """Return one question with its candidates. Those that give the answer are kept, and some others.

    Where a question is asked of several tables, candidates run on all of them.
    """
    return _ranked(asked.question, _About.of(asked.tables, config), [asked.answers], config, generator, most)


def own_ranked(
    triples: Sequence[Triple],
    config: NetworkConfig,
    seed: int,
    most: int | None,
    progress: Callable[[int], None] = lambda done: None,
    blind: bool = False,
) -> list[Ranked]:
    """Return questions of one's own with their candidates, whatever reading of the answer is meant; made in as many
    processes as there are cores.

    Of more than `most` candidates those are kept that give the answer, and some others; or, where `blind`, some of all.
    """
    order = sorted(range(len(triples)), key=lambda place: triples[place].about)  # those about a table together
    parts = [
        (start, [triples[place] for place in order[start : start + RANKED_A_PART]])
        for start in range(0, len(order), RANKED_A_PART)
    ]
    ready: list[Ranked | None] = [None] * len(triples)
    for place, one in zip(order, each(partial(_own_ranked, config, seed, most, blind), parts, progress), strict=True):
        ready[place] = one
    return [one for one in ready if one is not None]


def answering(
    triples: Sequence[Triple], config: NetworkConfig, progress: Callable[[int], None] = lambda done: None
) -> Sequence[Linked]:
    """Return questions of one's own with programs that answer them, of those that a network chooses among."""
    if config.chooses == "programs":
        return own_ranked(triples, config, 0, 0, progress)
    return tried(triples, config, progress)


def _own_ranked(
    config: NetworkConfig, seed: int, most: int | None, blind: bool, part: tuple[int, Sequence[Triple]]
) -> list[Ranked]:
    start, triples = part
    generator = generator_of(seed, CANDIDATE_STREAM, start)
    about: tuple[Table, _About] | None = None
    ready = []
    for triple in triples:
        if about is None or about[0] is not triple.table:
            about = triple.table, _About.of([triple.table], config)
        meant = [(reading,) for reading in triple.readings]
        ready.append(_ranked(triple.question, about[1], meant, config, generator, most, blind))
    return ready


def _ranked(
    text: str,
    about: _About,
    meant: Sequence[tuple[Answer, ...]],
    config: NetworkConfig,
    generator: np.random.Generator,
    most: int | None,
    blind: bool = False,
) -> Ranked:
    question = link(text, about.index, cells=config.cells, meant=config.near)
    candidates = every(question, about.tables, config.entries, config.program_steps, config.candidates, config.cells)
    right = np.any([candidates.right(answers) for answers in meant], axis=0)
    order = np.lexsort((generator.random(len(right)), ~right & (not blind)))
    kept = np.sort(order[:most])
    slim = Index(tuple(replace(column, texts=column.texts[: config.contents]) for column in about.index.columns))
    programs = _shortest(candidates.moves[right], question, config)
    answers = np.unique(grouped(candidates.alike())[kept], return_inverse=True)[1].astype(np.int32)
    return Ranked(question, slim, programs, candidates.moves[kept], candidates.features[kept], right[kept], answers)


def _shortest(
    moves: Int[np.ndarray, "candidates steps 3"], question: Question, config: NetworkConfig
) -> tuple[tuple[Move, ...], ...]:
    """Return some of the candidates as programs: those with the fewest moves."""
    lengths = (moves[..., 0] >= 0).sum(axis=1)
    kept = moves[np.argsort(lengths, kind="stable")[:PROGRAMS_KEPT]]
    return tuple(map(Codec.of(config.entries, question).moves, kept))


def rehearsed(
    count: int, config: NetworkConfig, seed: int, progress: Callable[[int], None] = lambda done: None
) -> list[Ranked]:
    """Return some of the written questions (see data/written.py) with their candidates; all where there are fewer."""
    folders = question_folders()
    share = min(1.0, count / count_written())
    return list(each(partial(_rehearsed, config, seed, share), list(enumerate(folders)), progress))[:count]


def spoken(
    count: int, config: NetworkConfig, seed: int, progress: Callable[[int], None] = lambda done: None
) -> list[Ranked]:
    """Draw questions of varied English (see data/language.py) with their candidates, and return those with a right
    program."""
    sizes = [min(RANKED_A_PART, count - start) for start in range(0, count, RANKED_A_PART)]
    return list(each(partial(_spoken, config, seed), list(enumerate(sizes)), progress))


def _spoken(config: NetworkConfig, seed: int, part: tuple[int, int]) -> list[Ranked]:
    number, count = part
    generator = generator_of(seed, SPOKEN_STREAM, number)
    speaker = Speaker(generator)
    ready = (ranked(speaker.draw(), config, generator) for _ in range(count))
    return [one for one in ready if one.programs]


def _rehearsed(config: NetworkConfig, seed: int, share: float, part: tuple[int, Path]) -> list[Ranked]:
    from neural_programmer.data.folders import read

    number, folder = part
    generator = generator_of(seed, WRITTEN, number)
    ready = (
        ranked(one.asked(generator), config, generator) for one in read(folder, generator) if generator.random() < share
    )
    return [one for one in ready if one.programs]
