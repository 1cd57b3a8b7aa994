"""The enumerated objective: all candidates of a question are executed once, before training; one softmax over them.

The loss is -log P(any that gives the answer), so those that do not give it lose what the others gain. The network
sees what each candidate gives, but for the answer itself (see ranking.py). A teacher, such as several networks that
decide together, may say besides how probable each candidate is: one network can learn most of what they know together
(Hinton et al., 2015).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.answering.model import Model
from neural_programmer.base.arrays import Array
from neural_programmer.candidates.results import RESULT_FEATURES
from neural_programmer.learning.found import dropped, forgetful
from neural_programmer.learning.ranked import Ranked
from neural_programmer.learning.training import answered
from neural_programmer.network import equations as network
from neural_programmer.network.choosing import members
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.decide import NEVER
from neural_programmer.network.encode import Example, Sizes, Vocabulary, empty, sizes, write_linked
from neural_programmer.network.executor import prepare
from neural_programmer.network.ranking import program_scores, transition_vectors
from neural_programmer.network.weights import Trained
from neural_programmer.questions.vectors import shipped


class Choices(NamedTuple):
    """Questions with their candidate programs: one question, or many with a leading axis."""

    example: Example
    moves: Int[Array, "candidates steps 3"]
    features: Bool[Array, "candidates features"]
    there: Bool[Array, "candidates"]  # False where there is only padding
    right: Bool[Array, "candidates"]
    answers: Int[Array, "candidates"]  # the same number for those that give the same
    taught: Float[Array, "candidates"]  # by a teacher: how probable each is; 0 without one


@dataclass(frozen=True)
class EnumeratedLearner:
    """The Neural Programmer that chooses whole programs (see training.Learner)."""

    config: NetworkConfig
    vocabulary: Vocabulary
    common: frozenset[str]  # words that many questions have, whatever they are about
    forgotten: tuple[float, float]  # share of the common and of the other words that are read as unknown in training
    dropped: float = 0.0  # share of what was read that is lost in training
    taught: float = 0.0  # how much it counts what a teacher says, of 1
    calibration: tuple[float, float] = Model.calibration
    fresh = False
    averaged = True

    def initial(self, generator: np.random.Generator) -> network.Parameters:
        return network.initial(self.config, len(self.vocabulary), generator)

    def encode(self, dataset: Sequence[Ranked]) -> Choices:
        room = Sizes()
        for one in dataset:
            room = room.join(sizes(one.question, one.index, self.config))
        most = max(len(one.moves) for one in dataset)
        count, steps = len(dataset), max(one.moves.shape[1] for one in dataset)
        batch = Choices(
            empty(count, room),
            np.full((count, most, steps, 3), -1, np.int16),
            np.zeros((count, most, len(RESULT_FEATURES)), bool),
            np.zeros((count, most), bool),
            np.zeros((count, most), bool),
            np.zeros((count, most), np.int32),
            np.zeros((count, most if self.taught else 0), np.float16),
        )
        vectors = shipped() if self.config.vectors else None
        for place, one in enumerate(dataset):
            write_linked(batch.example, place, one.question, one.index, self.vocabulary, self.config, vectors)
            here = len(one.moves)
            batch.moves[place, :here] = moved(one.moves, max(len(one.question.numbers), 1), room.numbers)
            batch.features[place, :here] = one.features
            batch.there[place, :here] = True
            batch.right[place, :here] = one.right
            batch.answers[place, :here] = one.answers
            if self.taught and one.taught is not None:
                batch.taught[place, :here] = one.taught
        return batch

    def loss(self, parameters: network.Parameters, triple: Choices, settings: Any, now: Any, key: Array) -> Array:
        """-log sum_z P(z) over the candidates that give the answer; 0 where none does. With a teacher

        -(1 - w) log sum_{right z} P(z) - w sum_z Q(z) log P(z)

        w = taught, Q(z) = what the teacher says of the candidates that were kept, of which more are right than of all.
        """
        words, states = jax.random.split(key)
        example = forgetful(triple.example, words, self.vocabulary, self.common, self.forgotten)
        scores = self._scores(parameters, triple, example, dropped(states, self.dropped, self.config.hidden))
        of_right = jnp.where(triple.right, scores, NEVER)
        lost = jax.nn.logsumexp(scores) - jax.nn.logsumexp(of_right)
        if self.taught:
            logs = jnp.where(triple.there, jax.nn.log_softmax(scores), 0.0)
            lost = (1 - self.taught) * lost - self.taught * jnp.sum(triple.taught * logs)
        return jnp.where(jnp.any(triple.right), lost, 0.0)

    def _scores(
        self, parameters: Any, triple: Choices, example: Example, kept: Array | None
    ) -> Float[Array, "candidates"]:
        prepared = prepare(parameters, self.config, example, executes=False, kept=kept)
        moves = triple.moves.astype(jnp.int32)
        transitions = transition_vectors(parameters)
        scores = program_scores(parameters, self.config, prepared, transitions, moves, triple.features)
        return jnp.where(triple.there, scores, NEVER)

    def log_probabilities(self, parameters: network.Parameters, triple: Choices) -> Float[Array, "candidates"]:
        """Return log P(z) of every candidate z."""
        return jax.nn.log_softmax(self._scores(parameters, triple, triple.example, None))

    def correct(self, parameters: network.Parameters, triple: Choices) -> Bool[Array, ""]:
        """Tell whether the best program of the most probable answer is right: the program that asking chooses
        (choosing.Everything)."""
        scores = self._scores(parameters, triple, triple.example, None)
        shares = jnp.where(triple.there, jax.nn.softmax(scores), 0.0)
        totals = jnp.zeros_like(shares).at[triple.answers].add(shares)
        return triple.right[jnp.argmax(jnp.where(triple.answers == jnp.argmax(totals), scores, NEVER))]

    def answered(self, parameters: Any, data: Any) -> Bool[Array, "restarts questions"]:
        return answered(self, parameters, data)

    def model(self, parameters: network.Parameters, trained: Trained) -> Model:
        """Return the model of one network, or of several with a leading axis, which decide together."""
        members = len(parameters.words) if parameters.words.ndim > 2 else 1
        return Model(replace(self.config, members=members), self.vocabulary, parameters, trained, self.calibration)


def taught(examples: Sequence[Ranked], teacher: Model) -> list[Ranked]:
    """Return questions with how probable a model finds each of their candidates. Several networks count by the mean of
    their log-probabilities."""
    learner = EnumeratedLearner(replace(teacher.config, members=1), teacher.vocabulary, frozenset(), (0.0, 0.0))
    data = jax.device_put(learner.encode(examples))
    score = jax.jit(lambda weights, data: jax.lax.map(partial(learner.log_probabilities, weights), data, batch_size=64))
    together = members(teacher.parameters, teacher.config)
    mean = sum(np.asarray(score(one.parameters, data)) for one in together) / len(together)
    shares = np.asarray(jax.nn.softmax(jnp.where(data.there, mean, NEVER)))
    return [replace(one, taught=share[: len(one.moves)]) for one, share in zip(examples, shares, strict=True)]


def moved(
    moves: Int[np.ndarray, "candidates steps 3"], numbers: int, room: int
) -> Int[np.ndarray, "candidates steps 3"]:
    """Return moves for padded arrays: their texts stand after the room for numbers, not after the numbers that there
    are."""
    moves = moves.copy()
    moves[..., 2] += np.where(moves[..., 2] >= numbers, room - numbers, 0).astype(moves.dtype)
    return moves
