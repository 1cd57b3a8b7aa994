"""The enumerated objective: all candidates of a question are executed once, before training; one softmax over them.

The loss is -log P(any that gives the answer), so those that do not give it lose what the others gain. The network
sees what each candidate gives, but for the answer itself (see ranking.py).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer import network
from neural_programmer.answer import Answer
from neural_programmer.arrays import Array
from neural_programmer.config import NetworkConfig
from neural_programmer.decide import NEVER
from neural_programmer.encode import Example, Sizes, Vocabulary, empty, sizes, write_linked
from neural_programmer.enumeration import RESULT_FEATURES, every
from neural_programmer.executor import prepare
from neural_programmer.index import Index
from neural_programmer.learning.found import dropped, forgetful
from neural_programmer.link import link
from neural_programmer.model import Model
from neural_programmer.processes import each
from neural_programmer.question import Question
from neural_programmer.ranking import distinct_templates, program_scores, template_vectors
from neural_programmer.table import Table
from neural_programmer.tasks.data import generator_of
from neural_programmer.tasks.language import Asked
from neural_programmer.triples import Triple
from neural_programmer.vectors import shipped
from neural_programmer.weights import Trained

TRAINED_ON = 1_000  # candidates of a question, of those that there are
CANDIDATES = 7  # the stream by which those are drawn
CHUNK = 100  # questions that a process works on at a time


@dataclass(frozen=True)
class Ranked:
    """A question, what is known of its table's columns, its candidates and which of them give the answer."""

    question: Question
    index: Index
    moves: Int[np.ndarray, "candidates steps 3"]
    features: Bool[np.ndarray, "candidates features"]
    right: Bool[np.ndarray, "candidates"]


def ranked(asked: Asked, config: NetworkConfig, generator: np.random.Generator, most: int = TRAINED_ON) -> Ranked:
    """One question made ready. Of many candidates those are kept that give the answer, and some others.

    A question that is asked of several tables has its candidates tried on all of them.
    """
    index = Index.of(asked.tables[0])
    return _ranked(asked.question, index, asked.tables, [asked.answers], config, generator, most)


def own_ranked(
    triples: Sequence[Triple],
    config: NetworkConfig,
    seed: int,
    most: int | None,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Ranked]:
    """Questions of one's own made ready, whatever their answers may mean; by as many processes as there are cores."""
    parts = [(start, triples[start : start + CHUNK]) for start in range(0, len(triples), CHUNK)]
    return list(each(partial(_own_ranked, config, seed, most), parts, progress))


def _own_ranked(config: NetworkConfig, seed: int, most: int | None, part: tuple[int, Sequence[Triple]]) -> list[Ranked]:
    start, triples = part
    generator = generator_of(seed, CANDIDATES, start)
    indexes: dict[int, Index] = {}  # made once for all questions about a table
    ready = []
    for triple in triples:
        index = indexes.get(id(triple.table)) or indexes.setdefault(id(triple.table), Index.of(triple.table))
        meant = [(reading,) for reading in triple.readings]
        ready.append(_ranked(triple.question, index, (triple.table,), meant, config, generator, most))
    return ready


def _ranked(
    text: str,
    index: Index,
    tables: tuple[Table, ...],
    meant: Sequence[tuple[Answer, ...]],
    config: NetworkConfig,
    generator: np.random.Generator,
    most: int | None,
) -> Ranked:
    question = link(text, index)
    tried = every(question, tables, config.operations, config.program_steps)
    right = np.any([tried.right(answers) for answers in meant], axis=0)
    order = np.lexsort((generator.random(len(right)), ~right))
    kept = np.sort(order[:most])
    slim = Index(tuple(replace(column, texts=()) for column in index.columns))
    return Ranked(question, slim, tried.moves[kept], tried.features[kept], right[kept])


class Choices(NamedTuple):
    """Questions with their candidates; one of them, or many with a leading axis."""

    example: Example
    moves: Int[Array, "candidates steps 3"]
    template: Int[Array, "candidates"]  # which of the learner's templates
    features: Bool[Array, "candidates features"]
    there: Bool[Array, "candidates"]  # False where there is only padding
    right: Bool[Array, "candidates"]


class EnumeratedLearner:
    """The Neural Programmer that chooses whole programs (see training.Learner)."""

    fresh = False
    averaged = True

    def __init__(
        self,
        config: NetworkConfig,
        vocabulary: Vocabulary,
        common: frozenset[str],
        forgotten: tuple[float, float],
        drops: float,
        examples: Sequence[Ranked],
    ) -> None:
        self.config, self.vocabulary = config, vocabulary
        self.common, self.forgotten, self.drops = common, forgotten, drops
        operations = np.unique(np.concatenate([distinct_templates(one.moves)[0] for one in examples]), axis=0)
        self.templates = operations  # the sequences of operations that candidates have
        self.places = {tuple(each): place for place, each in enumerate(operations.tolist())}
        room = Sizes()
        for one in examples:
            room = room.join(sizes(one.question, one.index, config))
        self.room = room

    def initial(self, generator: np.random.Generator) -> network.Parameters:
        return network.initial(self.config, len(self.vocabulary), generator)

    def encode(self, dataset: Sequence[Ranked]) -> Choices:
        room = self.room
        for one in dataset:
            room = room.join(sizes(one.question, one.index, self.config))
        most = max(len(one.moves) for one in dataset)
        count, steps = len(dataset), self.config.program_steps
        batch = Choices(
            empty(count, room),
            np.full((count, most, steps, 3), -1, np.int16),
            np.zeros((count, most), np.int32),
            np.zeros((count, most, len(RESULT_FEATURES)), bool),
            np.zeros((count, most), bool),
            np.zeros((count, most), bool),
        )
        vectors = shipped() if self.config.vectors else None
        for place, one in enumerate(dataset):
            write_linked(batch.example, place, one.question, one.index, self.vocabulary, self.config, vectors)
            found, which = distinct_templates(one.moves)
            known = np.array([self.places.get(tuple(each), -1) for each in found.tolist()])
            here = len(one.moves)
            batch.moves[place, :here] = moved(one.moves, max(len(one.question.numbers), 1), room.numbers)
            batch.template[place, :here] = known[which]
            batch.features[place, :here] = one.features
            batch.there[place, :here] = known[which] >= 0
            batch.right[place, :here] = one.right & (known[which] >= 0)
        return batch

    def loss(self, parameters: network.Parameters, triple: Choices, settings: Any, now: Any, key: Array) -> Array:
        """-log sum_z P(z) over the candidates that give the answer; 0 where none does."""
        words, states = jax.random.split(key)
        example = forgetful(triple.example, words, self.vocabulary, self.common, self.forgotten)
        scores = self._scores(parameters, triple, example, dropped(states, self.drops, self.config.hidden))
        of_right = jnp.where(triple.right, scores, NEVER)
        lost = jax.nn.logsumexp(scores) - jax.nn.logsumexp(of_right)
        return jnp.where(jnp.any(triple.right), lost, 0.0)

    def _scores(
        self, parameters: Any, triple: Choices, example: Example, kept: Array | None
    ) -> Float[Array, "candidates"]:
        prepared = prepare(parameters, self.config, example, executes=False, kept=kept)
        vectors = template_vectors(parameters, jnp.asarray(self.templates, jnp.int32))
        moves = triple.moves.astype(jnp.int32)
        scores = program_scores(parameters, self.config, prepared, vectors, triple.template, moves, triple.features)
        return jnp.where(triple.there, scores, NEVER)

    def correct(self, parameters: network.Parameters, triple: Choices) -> Bool[Array, ""]:
        return triple.right[jnp.argmax(self._scores(parameters, triple, triple.example, None))]

    def model(self, parameters: network.Parameters, trained: Trained) -> Model:
        return Model(self.config, self.vocabulary, parameters, trained)


def moved(
    moves: Int[np.ndarray, "candidates steps 3"], numbers: int, room: int
) -> Int[np.ndarray, "candidates steps 3"]:
    """Moves whose texts stand after the numbers that there is room for, instead of those that there are."""
    moves = moves.copy()
    moves[..., 2] += np.where(moves[..., 2] >= numbers, room - numbers, 0).astype(moves.dtype)
    return moves
