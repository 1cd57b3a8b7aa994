"""The enumerated objective: all typed programs over what a question mentions are tried once, before training.

What is left to learn is which of the programs that give the answer is meant: the loss is -log P(any of them).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer import network
from neural_programmer.arrays import Array
from neural_programmer.candidates import Move, found
from neural_programmer.config import NetworkConfig
from neural_programmer.decide import decided, followed, move_scores
from neural_programmer.encode import UNKNOWN, Example, Sizes, Vocabulary, empty, sizes, write_linked
from neural_programmer.executor import first_history, prepare
from neural_programmer.link import PLACEHOLDERS, Index, link
from neural_programmer.model import Model
from neural_programmer.question import Question
from neural_programmer.tasks.language import Asked
from neural_programmer.vectors import shipped
from neural_programmer.weights import Trained

KEPT = 12  # programs that give the answer, of one question
SEEN_OFTEN = 3  # times: a word that was met less often is learnt as unknown


class Questions(NamedTuple):
    """Questions with the programs that answer them; one of them, or many with a leading axis."""

    example: Example
    programs: Int[Array, "programs steps 3"]  # operation, column and argument of every step
    right: Bool[Array, "programs"]  # True where there is a program


def linked(asked: Asked) -> tuple[Question, Index]:
    index = Index.of(asked.tables[0])
    return link(asked.question, index), index


def programs_of(asked: Asked, question: Question, steps: int) -> list[list[Move]]:
    """Some of the programs that answer a question, those that use most of what it mentions first."""
    every = list(islice(found(question, asked.tables, asked.answers, steps), 50 * KEPT))
    every.sort(key=lambda moves: -len({(m.number, m.link) for m in moves}))
    return every[:KEPT]


def vocabulary_of(questions: Sequence[tuple[Question, Index]]) -> Vocabulary:
    """The words that questions have often enough to be learnt."""
    times: dict[str, int] = {}
    for question, _ in questions:
        for word in question.words:
            times[word] = times.get(word, 0) + 1
    return Vocabulary.of([*(word for word, count in times.items() if count >= SEEN_OFTEN), *PLACEHOLDERS, UNKNOWN])


def encoded(
    asked: Sequence[Asked], questions: Sequence[tuple[Question, Index]], vocabulary: Vocabulary, config: NetworkConfig
) -> Questions:
    """Questions as arrays, padded to the largest of them."""
    room = Sizes()
    for question, index in questions:
        room = room.join(sizes(question, index, config))
    batch, count = empty(len(asked), room), len(asked)
    programs = np.zeros((count, KEPT, config.program_steps, 3), np.int8)
    right = np.zeros((count, KEPT), bool)
    vectors = shipped() if config.vectors else None
    for place, (one, (question, index)) in enumerate(zip(asked, questions, strict=True)):
        write_linked(batch, place, question, index, vocabulary, config, vectors)
        for slot, moves in enumerate(programs_of(one, question, config.program_steps)):
            programs[place, slot] = numbered(moves, config, room.numbers)
            right[place, slot] = True
    return Questions(batch, programs, right)


def numbered(moves: list[Move], config: NetworkConfig, numbers: int) -> Int[np.ndarray, "steps 3"]:
    """A program as the places of its choices, with steps before it that select all rows."""
    moves = [Move("reset")] * (config.program_steps - len(moves)) + moves
    places = {name: place for place, name in enumerate(config.operations)}
    return np.array(
        [
            (places[move.operation], max(move.column, 0), move.number if move.link < 0 else numbers + move.link)
            for move in moves
        ]
    ).clip(0)


def program_log_probability(
    parameters: network.Parameters, config: NetworkConfig, prepared: Any, program: Int[Array, "steps 3"]
) -> Float[Array, ""]:
    """log P(z), the sum over the steps of log P(move)."""

    def step(history: Any, move: Array) -> tuple[Any, Any]:
        return followed(parameters, config, prepared, history, move), history

    def log(history: Any, move: Array) -> Array:
        scores = move_scores(parameters, config, prepared, history)
        return scores[move[0], move[1], move[2]] - jax.nn.logsumexp(scores)

    _, histories = jax.lax.scan(step, first_history(parameters, prepared), program)
    return jnp.sum(jax.vmap(log)(histories, program))


@dataclass(frozen=True)
class EnumeratedLearner:
    """The Neural Programmer on questions as people write them (see training.Learner)."""

    config: NetworkConfig
    vocabulary: Vocabulary
    forgotten: float = 0.1  # share of the words that are read as unknown in training
    fresh = False
    averaged = True
    known: Any = field(default=None, compare=False)

    def initial(self, generator: np.random.Generator) -> network.Parameters:
        return network.initial(self.config, len(self.vocabulary), generator)

    def encode(self, dataset: Any) -> Questions:
        return encoded(dataset, [linked(one) for one in dataset], self.vocabulary, self.config)

    def loss(self, parameters: network.Parameters, triple: Questions, settings: Any, now: Any, key: Array) -> Array:
        """-log sum_z P(z) over the programs found; 0 where none was."""
        example = self._forgetful(triple.example, key)
        prepared = prepare(parameters, self.config, example)
        log = partial(program_log_probability, parameters, self.config, prepared)
        logs = jnp.where(triple.right, jax.vmap(log)(triple.programs.astype(jnp.int32)), -1e9)
        return jnp.where(jnp.any(triple.right), -jax.nn.logsumexp(logs), 0.0)

    def _forgetful(self, example: Example, key: Array) -> Example:
        """Some words are read as unknown, so that the network learns to go by their meanings and by what is around."""
        unknown = self.vocabulary.places[UNKNOWN]
        kept = jnp.asarray([word.startswith("[") or not word for word in self.vocabulary.words])
        parts = []
        for words, part in zip((example.words, example.names), jax.random.split(key), strict=True):
            forget = jax.random.bernoulli(part, self.forgotten, words.shape) & ~kept[words]
            parts.append(jnp.where(forget, unknown, words))
        return example._replace(words=parts[0], names=parts[1])

    def correct(self, parameters: network.Parameters, triple: Questions) -> Bool[Array, ""]:
        moves = decided(parameters, self.config, triple.example)[0]
        return jnp.any(triple.right & jnp.all(moves == triple.programs, axis=(1, 2)))

    def model(self, parameters: network.Parameters, trained: Trained) -> Model:
        return Model(self.config, self.vocabulary, parameters, trained)
