"""The LSTMs of section 3.2.2 on examples that are made where they are learnt from, many networks side by side.

`learning.lstm` has the networks and learns from triples; making those takes longer than learning from them. Here all
examples of a step are drawn, answered and spelt as arrays: the distribution is that of `single-column-scalars`.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float, Int

from neural_programmer.base.arrays import Array
from neural_programmer.data.paper.draws import VALIDATION, WEIGHTS, draw_train, generator_of
from neural_programmer.data.paper.grammar import CATEGORIES, NUMBER
from neural_programmer.data.paper.settings import TASKS
from neural_programmer.learning.config import LstmConfig
from neural_programmer.learning.lstm import (
    CELL,
    END,
    LONGEST_ANSWER,
    QUESTION,
    TABLE,
    LstmLearner,
    Sequences,
    _digits,
    longest_input,
    vocabulary_of,
)
from neural_programmer.learning.training import answered
from neural_programmer.paper.record import fitting

TASK = TASKS["single-column-scalars"]
NOTHING = -1  # a place without a token
OPERATIONS = ("none", "greater", "lesser")
CLIP, MOMENTUM, SQUARES, EPSILON = 50.0, 0.9, 0.999, 1e-8


class Kinds(NamedTuple):
    """The templates as arrays: what they say and what they ask for."""

    words: np.ndarray  # [templates, places], -2 and -3 for the first and second number
    conditions: np.ndarray  # [templates, 2], places in OPERATIONS
    either: np.ndarray  # [templates], whether one condition is enough
    sums: np.ndarray  # [templates], how often the sum is counted
    counts: np.ndarray
    shares: np.ndarray  # how often each is drawn


def kinds(learner: LstmLearner) -> Kinds:
    """Every template of the task."""
    grammar, made = TASK.grammar, []
    for category in CATEGORIES:
        for number in range(grammar.counts[category]):
            template = grammar.template(category, number)
            words, numbers = [], iter((-2, -3))
            for word in template.words:
                words.append(next(numbers) if word == NUMBER else learner.vocabulary.places[word])
            done = [clause.operation for clause in template.clauses]
            found = [OPERATIONS.index(name) for name in done if name in OPERATIONS]
            sign = {"sum": 0, "count": 0}
            outputs = [name for name in done if name in sign]
            for name, factor in zip(outputs, (1, -1), strict=False):
                sign[name] = factor
            share = 1 / len(CATEGORIES) / grammar.counts[category]
            made.append((words, [*found, 0, 0][:2], "or" in done, sign["sum"], sign["count"], share))
    words, conditions, either, sums, counts, shares = zip(*made, strict=True)
    width = max(map(len, words))
    padded = [[*said, *[NOTHING] * (width - len(said))] for said in words]
    return Kinds(*map(np.asarray, (padded, conditions, either, sums, counts, shares)))


def spelling(learner: LstmLearner, limit: int) -> Int[np.ndarray, "numbers tokens"]:
    """The tokens of every whole number from -limit to limit."""
    said = [learner.vocabulary.encode(list(_digits(float(number)))) for number in range(-limit, limit + 1)]
    width = max(map(len, said))
    return np.asarray([[*tokens, *[NOTHING] * (width - len(tokens))] for tokens in said])


def draw(learner: LstmLearner, key: Array, count: int, table_first: Any) -> Sequences:
    """Fresh examples, as `draw_train` draws them and `LstmLearner.encode` spells them."""
    made, (least, most), limit = kinds(learner), TASK.train_rows, TASK.train_range
    largest = most * limit + most
    spelt, places = jnp.asarray(spelling(learner, largest)), learner.vocabulary.places
    which, drawn, cells, long = jax.random.split(key, 4)
    kind = jax.random.choice(which, len(made.shares), (count,), p=jnp.asarray(made.shares, jnp.float32))
    numbers = jax.random.randint(drawn, (count, 2), -limit, limit + 1)
    values = jax.random.randint(cells, (count, most), -limit, limit + 1)
    rows = jax.random.randint(long, (count,), least, most + 1)
    there = jnp.arange(most) < rows[:, None]

    def holds(place: int) -> Array:
        operation, number = jnp.asarray(made.conditions)[kind, place][:, None], numbers[:, place][:, None]
        return ((operation != 1) | (values > number)) & ((operation != 2) | (values < number))

    one, other = holds(0), holds(1)
    either = jnp.asarray(made.either)[kind][:, None]
    chosen = jnp.where(either, jnp.logical_or(one, other), jnp.logical_and(one, other)) & there
    answer = jnp.asarray(made.sums)[kind] * jnp.sum(values * chosen, axis=1)
    answer = answer + jnp.asarray(made.counts)[kind] * jnp.sum(chosen, axis=1)

    def said(token: str) -> Array:
        return jnp.full((count, 1), places[token])

    def number(value: Array) -> Array:
        return spelt[value + largest]

    words, question = jnp.asarray(made.words)[kind], [said(QUESTION)]
    for place in range(words.shape[1]):
        word = words[:, place][:, None]
        first, second = number(numbers[:, 0]), number(numbers[:, 1])
        plain = jnp.pad(jnp.maximum(word, NOTHING), ((0, 0), (0, spelt.shape[1] - 1)), constant_values=NOTHING)
        question.append(jnp.where(word == -2, first, jnp.where(word == -3, second, plain)))
    table = [said(TABLE)]
    for row in range(most):
        table += [jnp.where(there[:, row][:, None], part, NOTHING) for part in (number(values[:, row]), said(CELL))]
    before, after = jnp.concat(table, axis=1), jnp.concat(question, axis=1)
    inputs = jnp.where(table_first, jnp.concat([before, after], axis=1), jnp.concat([after, before], axis=1))
    outputs = jnp.concat([number(answer), said(END)], axis=1)
    inputs, input_count = _together(inputs, longest_input(TASK))
    outputs, output_count = _together(outputs, LONGEST_ANSWER)
    return Sequences(inputs, input_count, outputs, output_count)


def _together(tokens: Int[Array, "many places"], width: int) -> tuple[Array, Array]:
    """The tokens of every row without the places between them, and how many there are."""
    order = jnp.argsort(tokens == NOTHING, axis=1, stable=True)
    packed = jnp.take_along_axis(tokens, order, axis=1)[:, :width]
    packed = jnp.pad(packed, ((0, 0), (0, width - packed.shape[1])), constant_values=NOTHING)
    return jnp.where(packed == NOTHING, 0, packed), jnp.sum(tokens != NOTHING, axis=1)


@dataclass(frozen=True)
class Look:
    """What a look at the validation questions shows: one of each for every network."""

    step: int
    seconds: float
    loss: list[float]
    accuracy: list[float]
    best: list[float]
    total: int
    """How many steps there will be."""


def learner_of(config: LstmConfig) -> LstmLearner:
    return LstmLearner(config, vocabulary_of(TASK.words_read(pointers=False)))


@partial(jax.jit, static_argnums=(0, 1, 2))
def _advance(
    learner: LstmLearner, batch: int, many: int, state: Any, firsts: Array, rates: Array, key: Array, step: Array, total
) -> tuple[Any, Array]:
    def update(state: Any, step: Array) -> tuple[Any, Array]:
        drawn = jax.random.fold_in(key, step)

        def one(parameters: Any, mean: Any, square: Any, first: Array, rate: Array) -> Any:
            batched = draw(learner, drawn, batch, first)

            def objective(parameters: Any) -> Float[Array, ""]:
                return jnp.mean(jax.vmap(lambda each: learner.loss(parameters, each, None, None, None))(batched))

            loss, gradient = jax.value_and_grad(objective)(parameters)
            length = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(gradient)))
            gradient = jax.tree.map(lambda g: g * jnp.minimum(1.0, CLIP / jnp.maximum(length, 1e-30)), gradient)
            mean = jax.tree.map(lambda m, g: MOMENTUM * m + (1 - MOMENTUM) * g, mean, gradient)
            square = jax.tree.map(lambda v, g: SQUARES * v + (1 - SQUARES) * g * g, square, gradient)
            time = jnp.asarray(step + 1, jnp.float32)
            left = (1 + jnp.cos(jnp.pi * jnp.minimum(step / total, 1.0))) / 2
            now, root = rate * left / (1 - MOMENTUM**time), 1 - SQUARES**time
            parameters = jax.tree.map(
                lambda p, m, v: p - now * m / (jnp.sqrt(v / root) + EPSILON), parameters, mean, square
            )
            return (parameters, mean, square), loss

        parameters, mean, square = state
        return jax.vmap(one)(parameters, mean, square, firsts, rates)

    state, losses = jax.lax.scan(update, state, step + jnp.arange(many))
    return state, jnp.mean(losses, axis=0)


@partial(jax.jit, static_argnums=0)
def _right(learner: LstmLearner, parameters: Any, validation: Any) -> Array:
    """[networks, questions]; every network has its own order of table and question."""

    def of_one(parameters: Any, data: Any) -> Array:
        network = jax.tree.map(lambda array: array[None], parameters)
        return answered(learner, network, data)[0]  # pyright: ignore[reportArgumentType]

    return jax.vmap(of_one)(parameters, validation)


def train(
    heads: int,
    firsts: Sequence[bool],
    rates: Sequence[float],
    steps: int,
    batch: int = 400,
    every: int = 250,
    seconds: float = float("inf"),
    seed: int = 0,
    told: Callable[[Look], Any] = lambda look: None,
) -> tuple[Any, list[Look]]:
    """Train networks of so many heads, each with the table first or last, its step size falling along a cosine; the
    best weights of each."""
    began = time.monotonic()
    learner = learner_of(LstmConfig(heads=heads))
    drawn = [learner.initial(generator_of(seed, WEIGHTS, place)) for place in range(len(firsts))]
    parameters = jax.tree.map(lambda *arrays: jnp.stack(arrays), *drawn)
    nothing = jax.tree.map(jnp.zeros_like, parameters)
    state, best, best_accuracy = (parameters, nothing, nothing), parameters, np.zeros(len(firsts))
    held = draw_train(TASK, 1_000, seed, VALIDATION)
    validation = each_order(heads, firsts, held)
    key, looks, step = jax.random.key(seed), [], 0
    order, rate = jnp.asarray(firsts), jnp.asarray(rates, jnp.float32)
    while step < steps:
        many = min(every, steps - step)
        state, losses = _advance(
            learner, batch, many, state, order, rate, key, jnp.asarray(step), jnp.asarray(steps, jnp.float32)
        )
        step += many
        accuracy = np.asarray(_right(learner, state[0], validation)).mean(axis=1)
        better = accuracy >= best_accuracy
        best = jax.tree.map(
            lambda new, old, better=better: jnp.where(better.reshape(-1, *[1] * (new.ndim - 1)), new, old),
            state[0],
            best,
        )
        best_accuracy = np.maximum(accuracy, best_accuracy)
        passed = time.monotonic() - began
        if len(looks) == 1:  # the first of them was compiled
            steps = min(steps, fitting(step, every, passed, passed - looks[0].seconds, seconds))
        mean_loss = np.asarray(losses).tolist()
        looks.append(Look(step, round(passed, 1), mean_loss, accuracy.tolist(), best_accuracy.tolist(), steps))
        told(looks[-1])
    return best, looks


def each_order(heads: int, firsts: Sequence[bool], dataset: Any) -> Sequences:
    """A data set as every network reads it."""
    orders = {first: learner_of(LstmConfig(heads=heads, table_first=first)).encode(dataset) for first in set(firsts)}
    return jax.tree.map(lambda *arrays: jnp.stack(arrays), *(orders[first] for first in firsts))


def tested(heads: int, firsts: Sequence[bool], parameters: Any, dataset: Any) -> list[float]:
    """The share of right answers of every network."""
    with jax.default_matmul_precision("highest"):
        right = _right(learner_of(LstmConfig(heads=heads)), parameters, each_order(heads, firsts, dataset))
    return np.asarray(right).mean(axis=1).tolist()
