"""The marginal objective on questions as people write them: programs that give the answer are found before training, by
trying all typed programs over what a question mentions (see candidates/conditions.py).

What is left to learn is which of the programs that give the answer is meant: the loss is -log P(any of them).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.answering.model import Model
from neural_programmer.base.arrays import Array
from neural_programmer.base.threads import one_thread
from neural_programmer.learning.examples import Linked, encoded
from neural_programmer.learning.training import one
from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.decide import NEVER, followed, move_scores, searching, to_decline
from neural_programmer.network.encode import PADDING, UNKNOWN, Example, Vocabulary
from neural_programmer.network.executor import Prepared, first_history, prepare
from neural_programmer.network.weights import Trained
from neural_programmer.questions.link import PLACEHOLDERS


class Questions(NamedTuple):
    """Questions with the programs that answer them; one of them, or many with a leading axis."""

    example: Example
    programs: Int[Array, "programs steps 3"]  # operation, column and argument of every step
    right: Bool[Array, "programs"]  # True where there is a program
    beyond: Bool[Array, ""]  # whether it asks for what no operation gives: asking declines it whatever the network says


def program_log_probability(
    parameters: network.Parameters, config: NetworkConfig, prepared: Prepared, program: Int[Array, "steps 3"]
) -> Float[Array, ""]:
    """Return log P(z), the sum over the steps of log P(move)."""

    def step(history: Any, move: Array) -> tuple[Any, Any]:
        return followed(parameters, config, prepared, history, move), history

    def log(history: Any, move: Array) -> Array:
        scores = move_scores(parameters, config, prepared, history)
        return scores[move[0], move[1], move[2]] - jax.nn.logsumexp(scores)

    _, histories = jax.lax.scan(step, first_history(parameters, prepared), program)
    return jnp.sum(jax.vmap(log)(histories, program))


@dataclass(frozen=True)
class FoundLearner:
    """The Neural Programmer on questions as people write them (see training.Learner)."""

    config: NetworkConfig
    vocabulary: Vocabulary
    common: frozenset[str]  # words that many questions have, whatever they are about
    forgotten: tuple[float, float]  # share of the common and of the other words that are read as unknown in training
    dropped: float = 0.0  # share of what was read that is lost in training
    calibration: tuple[float, float] = Model.calibration
    fresh = False
    averaged = True

    def initial(self, generator: np.random.Generator) -> network.Parameters:
        return network.initial(self.config, len(self.vocabulary), generator)

    def encode(self, dataset: Sequence[Linked]) -> Questions:
        beyond = np.array([bool(one.question.beyond) for one in dataset])
        return Questions(*encoded(dataset, self.vocabulary, self.config), beyond)

    def loss(self, parameters: network.Parameters, triple: Questions, settings: Any, now: Any, key: Array) -> Array:
        """-log sum_z P(z) over the programs found; 0 where none was."""
        words, states = jax.random.split(key)
        example = forgetful(triple.example, words, self.vocabulary, self.common, self.forgotten)
        kept = dropped(states, self.dropped, self.config.hidden)
        prepared = prepare(parameters, self.config, example, executes=False, kept=kept)
        log = partial(program_log_probability, parameters, self.config, prepared)
        logs = jnp.where(triple.right, jax.vmap(log)(triple.programs.astype(jnp.int32)), NEVER)
        return jnp.where(jnp.any(triple.right), -jax.nn.logsumexp(logs), 0.0)

    def answered(self, parameters: Any, data: Questions) -> Bool[np.ndarray, "restarts questions"]:
        """Return for which questions the program that asking gives (decide.Beam) is one of those that were found. They
        are read compiled, and their programs searched in NumPy, question by question, as those that are asked."""
        local = jax.tree.map(np.asarray, data)
        restarts = [one(parameters, restart) for restart in range(len(parameters.words))]
        with one_thread():
            return np.array([self._answered(weights, _read(self.config, weights, data), local) for weights in restarts])

    def _answered(self, weights: network.Parameters, read: Prepared, data: Questions) -> list[bool]:
        read, right = jax.tree.map(np.asarray, read), []
        for place in range(len(data.right)):
            each = one(data, place)
            if not each.right.any():  # no program was found that could be given
                right.append(False)
                continue
            beam = searching(weights, self.config, one(read, place), each.example)
            moves = beam.best(to_decline(self.config) if each.beyond else ())[0][0]
            right.append(bool((each.right & (moves == each.programs).all(axis=(1, 2))).any()))
        return right

    def model(self, parameters: network.Parameters, trained: Trained) -> Model:
        return Model(self.config, self.vocabulary, parameters, trained, self.calibration)


@partial(jax.jit, static_argnums=0)
def _read(config: NetworkConfig, weights: network.Parameters, data: Questions) -> Prepared:
    """Read questions, some hundred at a time to bound the memory."""
    return jax.lax.map(partial(_prepared, config, weights), data.example, batch_size=128)


def _prepared(config: NetworkConfig, weights: network.Parameters, example: Example) -> Prepared:
    return prepare(weights, config, example, executes=False)


def forgetful(
    example: Example, key: Array, vocabulary: Vocabulary, common: frozenset[str], forgotten: tuple[float, float]
) -> Example:
    """Return a question with some words read as unknown, so that the network learns to go by the meanings of words and
    by the words around them.

    `forgotten` is the share of the common words and that of the other words.
    """
    unknown = vocabulary.places[UNKNOWN]
    kept = {*PLACEHOLDERS, PADDING}
    rates = jnp.asarray([0.0 if word in kept else forgotten[word not in common] for word in vocabulary.words])
    parts = []
    for words, part in zip((example.words, example.names), jax.random.split(key), strict=True):
        parts.append(jnp.where(jax.random.uniform(part, words.shape) < rates[words], unknown, words))
    return example._replace(words=parts[0], names=parts[1])


def dropped(key: Array, share: float, hidden: int) -> Float[Array, "hidden"] | None:
    """Return what the states of a question are multiplied by, so that a share of them is lost; None where none is."""
    return jax.random.bernoulli(key, 1 - share, (hidden,)) / (1 - share) if share else None
