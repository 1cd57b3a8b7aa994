"""Many soft trainings side by side, each in its own way: the paper's, what it may have left unsaid, and beyond.

`learning.training` trains restarts that differ in the settings people use. Here every run is a `Way`: where the
gradient noise stands, what a scalar's error is divided by, how selections are kept from settling too early.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from neural_programmer.base.arrays import Array, inside, softmax
from neural_programmer.data.paper.draws import VALIDATION, WEIGHTS, draw_train, generator_of
from neural_programmer.data.paper.settings import Task
from neural_programmer.learning.batches import Triples
from neural_programmer.learning.soft import SoftLearner, entropy, huber_loss, lookup_loss
from neural_programmer.learning.training import answered
from neural_programmer.network.arguments import Selection
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import Vocabulary
from neural_programmer.network.executor import SOFT, execute
from neural_programmer.paper.asked_again import Looks, Trouble
from neural_programmer.paper.record import fitting
from neural_programmer.paper.soft_scale import Scale, fit_scale, places_by_size, scale_of

MOMENTUM, SQUARES = 0.9, 0.999  # Adam's
NEAR = 0.01  # of a sum to the right answer: both are rounded
RAMP = 10  # the mean of the weights counts (1 + t) / (RAMP + t) of itself at first
TINY = 1e-30  # of a probability
CERTAIN = 2  # words of which one of so many answers is wrong are as noisy as those never answered rightly
AMONG, SELECTING, GRADIENT, SPREAD, AGAIN = range(5)  # what a step's random key is used for


@dataclass(frozen=True)
class Way:
    """How one network is trained. As it stands: the paper's objective (section 2.5) without gradient noise."""

    rate: float = 1e-3
    """Adam's step size."""
    falling: float = 0.0
    """1: the step size falls to nothing along a cosine over all steps."""
    epsilon: float = 1e-8
    clip: float = 50.0
    """The gradient is scaled down to this length when it is longer."""
    noise: float = 0.0
    """Of the gradient: its standard deviation is noise / t^power."""
    power: float = 0.275
    """The paper: a variance of t^-0.55."""
    noise_first: float = 0.0
    """1: noise before clipping; else after."""
    delta: float = 25.0
    """The Huber loss is linear beyond this error,"""
    delta_share: float = 0.0
    """plus this share of the scale."""
    weight: float = 25.0
    """A scalar's loss is weight * huber / (delta * scale): delta here gives the paper's."""
    constant: float = 1.0
    """scale = constant + relative |y| + worded S(words)"""
    relative: float = 0.0
    worded: float = 0.0
    compressed: float = 0.0
    """1: errors are scale * (asinh(a / scale) - asinh(y / scale)) instead of a - y."""
    by_rows: float = 0.0
    """1: a scalar's loss is divided by the rows of the table,"""
    most: float = 1e30
    """and is no more than this: what is farther off has no gradient."""
    lookup: float = 50.0
    """Lambda."""
    empty: float = 1.0
    """The weight of questions whose answer is zero or no cell: many wrong programs give it."""
    entropy: float = 0.0
    """Reward for undecided selections, falling,"""
    selection_noise: float = 0.0
    """and Gumbel noise on their scores, falling,"""
    noise_share: float = 0.75
    """over this share of all steps;"""
    spread: float = 0.0
    """1: the noise on a question's selections is a random part of that;"""
    wrong_entropy: float = 0.0
    """more of both for questions that the hard program answers wrongly,"""
    wrong_noise: float = 0.0
    again: float = 0.0
    """falling to nothing over so many steps, again and again."""
    shared: float = 0.0
    """1: questions of the same words have the same noise on their selections in a step."""
    plain: float = 1.0
    """The weight of questions that the sum, the count or the list of all rows answers."""
    growing: float = 0.0
    """Longer questions come later, all of them after this share of all steps."""
    average: float = 0.0
    """The weights that are validated are means: how much of the mean stays at each step."""
    asked_again: float = 0.0
    """The share of a batch that is drawn among the questions that were answered wrongly when they were looked at."""
    trouble_noise: float = 0.0
    """Noise for questions whose words were answered wrongly, and more of a reward,"""
    trouble_entropy: float = 0.0
    """falling to nothing as `again` says;"""
    trouble_heat: float = 0.0
    """their scores are divided by one and so much;"""
    trouble_even: float = 0.0
    """and a reward for the mean logarithm of the probabilities of operations, whose slope does not vanish where a
    selection has settled, as that of the entropy does."""
    column_part: float = 1.0
    """How much of noise and reward there is for the choice of columns."""
    large_later: float = 0.0
    """Questions with larger answers come later, all of them after this share of all steps."""


class State(NamedTuple):
    """What training carries along, one of each for every run."""

    parameters: Any
    mean: Any  # Adam's m
    square: Any  # Adam's v
    average: Any
    best: Any
    best_accuracy: Array


@dataclass(frozen=True)
class Work:
    """A network and a task to train it on, with what does not differ between runs."""

    task: Task
    config: NetworkConfig
    batch: int = 50
    examples: int = 50_000
    validation: int = 500
    seed: int = 0

    def learner(self) -> SoftLearner:
        words = Vocabulary.of(self.task.words_read(self.config.columns == "pointers"))
        return SoftLearner(self.config, words, noisy=True)


def _errors(
    learner: SoftLearner, parameters: Any, triple: Triples, way: Way, scale: Array, heat: Array, noise: Any
) -> tuple:
    """The loss of one question whose scores are divided by `heat`; the entropy of its selections; the mean logarithm
    of the probabilities of its operations."""
    example, target = triple
    warm = Selection(lambda scores: softmax(scores / heat), SOFT.decide)
    noise = noise._replace(column=noise.column * way.column_part)
    noise = jax.tree.map(lambda each: each * heat, noise)
    execution = execute(parameters, learner.config, example, warm, noise)
    rows, columns = example.table.shape
    real = inside(example.row_count, rows, example.table)[:, None] & inside(
        example.column_count, columns, example.table
    )
    size = way.constant + way.relative * jnp.abs(target.scalar) + way.worded * scale
    delta = way.delta + way.delta_share * size
    bent = size * (jnp.arcsinh(execution.scalar_answer / size) - jnp.arcsinh(target.scalar / size))
    error = jnp.where(way.compressed > 0, bent, execution.scalar_answer - target.scalar)
    scalar = way.weight * huber_loss(error, jnp.zeros_like(error), delta) / (delta * size)
    scalar = scalar / jnp.where(way.by_rows > 0, jnp.astype(example.row_count, jnp.float32), 1.0)
    scalar = jnp.minimum(scalar, way.most)
    lookup = lookup_loss(execution.lookup.rows[:, None] * execution.lookup.columns, target.cells(columns), real)
    choice = execution.trace.choice
    of_columns = jnp.sum(jnp.mean(entropy(choice.column), axis=1))
    undecided = jnp.sum(entropy(choice.operation)) + way.column_part * of_columns
    even = jnp.sum(jnp.mean(jnp.log(choice.operation + TINY), axis=1))
    return jnp.where(target.is_scalar, scalar, way.lookup * lookup), undecided, even


def loss_of(
    learner: SoftLearner,
    scale: Scale,
    explores: bool,
    parameters: Any,
    triple: Triples,
    way: Way,
    now: tuple[Array, Array],
    trouble: Array,
    key: Any,
) -> Float[Array, ""]:
    """L with noise on the selections, less a reward for their entropy; `now` falls from 1 to 0, once and again."""
    size = scale_of(scale, triple)
    once, again = now
    part = jax.random.uniform(jax.random.fold_in(key, SPREAD))
    selecting = way.selection_noise * once * jnp.where(way.spread > 0, part, 1.0)
    selecting = selecting + way.trouble_noise * again * trouble
    reward = way.entropy * once + way.trouble_entropy * again * trouble
    if explores:
        wrong = again * ~learner.correct(jax.lax.stop_gradient(parameters), triple)
        selecting, reward = selecting + way.wrong_noise * wrong, reward + way.wrong_entropy * wrong
    heat = 1 + way.trouble_heat * again * trouble
    noise = learner._noise(triple, selecting, key)
    loss, undecided, even = _errors(learner, parameters, triple, way, size, heat, noise)
    return loss - reward * undecided - way.trouble_even * again * trouble * even


def _says_little(triple: Triples) -> tuple[Array, Array]:
    """Whether the answer is zero or no cell, and whether it is that of all rows: many wrong programs give those."""
    example, target = triple
    rows = inside(example.row_count, example.table.shape[0], example.table)
    totals = jnp.sum(jnp.where(rows[:, None], example.table, 0.0), axis=0)
    empty = jnp.where(target.is_scalar, target.scalar == 0, ~jnp.any(target.rows))
    near = jnp.any(jnp.abs(totals - target.scalar) < NEAR) | (target.scalar == example.row_count)
    return empty, jnp.where(target.is_scalar, near, jnp.all(target.rows == rows))


def start(work: Work, ways: Sequence[Way], first: int = 0) -> State:
    """Every run at its own initial weights: the run of place p has those of restart first + p."""
    learner = work.learner()
    drawn = [learner.initial(generator_of(work.seed, WEIGHTS, first + place)) for place in range(len(ways))]
    parameters = jax.tree.map(lambda *arrays: jnp.stack(arrays), *drawn)
    nothing = jax.tree.map(jnp.zeros_like, parameters)

    def copy() -> Any:
        return jax.tree.map(jnp.copy, parameters)

    return State(parameters, nothing, jax.tree.map(jnp.copy, nothing), copy(), copy(), jnp.zeros(len(ways)))


def _together(ways: Sequence[Way]) -> Way:
    return Way(*(jnp.asarray([getattr(way, field.name) for way in ways], jnp.float32) for field in fields(Way)))  # type: ignore[arg-type]


jax.tree_util.register_dataclass(Way, [field.name for field in fields(Way)], [])


@partial(jax.jit, static_argnums=(0, 1, 2, 3), donate_argnums=5)
def _advance(
    learner: SoftLearner,
    parts: tuple[bool, bool],
    batch: int,
    steps: int,
    scale: Scale,
    state: State,
    ways: Way,
    keys: Array,
    data: Any,
    lengths: Array,
    sizes: Array,
    troubles: Trouble | None,
    first: Array,
    total: Array,
) -> tuple[State, Array]:
    """Take `steps` steps in every run; also the mean loss of each."""
    noisy, explores = parts
    count, longest = lengths.shape[0], jnp.max(lengths)

    def update(state: State, way: Way, key: Array, trouble: Trouble | None, step: Array) -> tuple[State, Array]:
        key = jax.random.fold_in(key, step)
        places = jax.random.randint(jax.random.fold_in(key, AMONG), (batch,), 0, count)
        troubled = jnp.zeros(batch)
        if trouble is not None:
            again, some = trouble.draw(jax.random.fold_in(key, AGAIN), batch)
            places = jnp.where((jnp.arange(batch) < way.asked_again * batch) & some, again, places)
            troubled = jnp.minimum(1.0, CERTAIN * trouble.wrong_words[places])
        triples = jax.tree.map(lambda array: array[places], data)
        alike = jnp.sum(triples.example.words * (1 + jnp.arange(triples.example.words.shape[1])) ** 3, axis=1)
        which = jnp.where(way.shared > 0, alike, jnp.arange(batch))
        draws = jax.vmap(partial(jax.random.fold_in, jax.random.fold_in(key, SELECTING)))(which)
        period = jnp.where(way.again > 0, way.again, 1e9)
        now = jnp.maximum(0.0, 1 - step / (way.noise_share * total)), 1 - jnp.mod(step, period) / period
        here = step / jnp.maximum(way.growing * total, 1.0) * longest + 2 - lengths[places]
        counts = jnp.where(way.growing > 0, jnp.clip(here, 0.0, 1.0), 1.0)
        later = sizes[places] * way.large_later * total <= step
        counts = counts * jnp.where(way.large_later > 0, later, 1.0)
        empty, plain = jax.vmap(_says_little)(triples)
        counts = counts * jnp.where(empty, way.empty, jnp.where(plain, way.plain, 1.0))

        def objective(parameters: Any) -> Array:
            each = jax.vmap(partial(loss_of, learner, scale, explores), (None, 0, None, None, 0, 0))
            return jnp.mean(counts * each(parameters, triples, way, now, troubled, draws))

        loss, gradient = jax.value_and_grad(objective)(state.parameters)
        time = jnp.asarray(step + 1, jnp.float32)
        drawn = None
        if noisy:
            leaves, tree = jax.tree.flatten(gradient)
            seeds = jax.random.split(jax.random.fold_in(key, GRADIENT), len(leaves))
            size = way.noise / time**way.power
            drawn = tree.unflatten(
                [size * jax.random.normal(s, leaf.shape) for s, leaf in zip(seeds, leaves, strict=True)]
            )
            gradient = jax.tree.map(lambda g, n: g + jnp.where(way.noise_first > 0, n, 0.0), gradient, drawn)
        length = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(gradient)))
        shorter = jnp.minimum(1.0, way.clip / jnp.maximum(length, 1e-30))
        gradient = jax.tree.map(lambda g: g * shorter, gradient)
        if drawn is not None:
            gradient = jax.tree.map(lambda g, n: g + jnp.where(way.noise_first > 0, 0.0, n), gradient, drawn)
        mean = jax.tree.map(lambda m, g: MOMENTUM * m + (1 - MOMENTUM) * g, state.mean, gradient)
        square = jax.tree.map(lambda v, g: SQUARES * v + (1 - SQUARES) * g * g, state.square, gradient)
        left = jnp.where(way.falling > 0, (1 + jnp.cos(jnp.pi * jnp.minimum(step / total, 1.0))) / 2, 1.0)
        rate, root = way.rate * left / (1 - MOMENTUM**time), 1 - SQUARES**time
        parameters = jax.tree.map(
            lambda p, m, v: p - rate * m / (jnp.sqrt(v / root) + way.epsilon), state.parameters, mean, square
        )
        kept = jnp.minimum(way.average, (1 + step) / (RAMP + step))
        average = jax.tree.map(lambda a, p: kept * a + (1 - kept) * p, state.average, parameters)
        return State(parameters, mean, square, average, state.best, state.best_accuracy), jnp.stack([loss, length])

    def advance(state: State, way: Way, key: Array, trouble: Trouble | None) -> tuple[State, Array]:
        def one(state: State, step: Array) -> tuple[State, Array]:
            return update(state, way, key, trouble, step)

        state, losses = jax.lax.scan(one, state, first + jnp.arange(steps))
        return state, jnp.mean(losses, axis=0)

    return jax.vmap(advance)(state, ways, keys, troubles)


@partial(jax.jit, static_argnums=0, donate_argnums=1)
def _validate(learner: SoftLearner, state: State, validation: Any) -> tuple[State, Array]:
    right = answered(learner, state.average, validation)
    accuracy = jnp.mean(right.astype(jnp.float32), axis=1)
    better = accuracy >= state.best_accuracy

    def keep(new: Array, old: Array) -> Array:
        return jnp.where(better.reshape(-1, *[1] * (new.ndim - 1)), new, old)

    best = jax.tree.map(keep, state.average, state.best)
    return state._replace(best=best, best_accuracy=jnp.maximum(accuracy, state.best_accuracy)), right


@dataclass(frozen=True)
class Look:
    """What a look at the validation questions shows: one of each for every run."""

    step: int
    seconds: float
    loss: list[float]
    length: list[float]
    """Of the gradient before it is clipped, with the noise where that stands first."""
    accuracy: list[float]
    best: list[float]
    total: int
    """How many steps there will be."""


def train(
    work: Work,
    ways: Sequence[Way],
    steps: int,
    every: int = 1_000,
    seconds: float = float("inf"),
    state: State | None = None,
    before: int = 0,
    first: int = 0,
    fits: bool = False,
    told: Callable[[Look, State, np.ndarray], None] = lambda look, state, right: None,
) -> tuple[State, list[Look], int]:
    """Train until `steps`, or until the time is up; from `before` steps in a state, if there is one.

    Where it `fits`, it takes as many steps as there is time for, which is known when the second look is taken. `told`
    is called at every look, with which validation questions every run answers rightly.
    """
    began = time.monotonic()
    learner = work.learner()
    data = learner.encode(draw_train(work.task, work.examples, work.seed))
    validation = learner.encode(draw_train(work.task, work.validation, work.seed, VALIDATION))
    scale = fit_scale(data, len(learner.vocabulary))
    lengths, sizes = jnp.asarray(data.example.word_count, jnp.float32), jnp.asarray(places_by_size(scale, data))
    asks = any(way.asked_again or way.trouble_noise or way.trouble_entropy for way in ways)
    asked = Looks(data, len(ways)) if asks else None
    data, validation = jax.device_put((data, validation))
    now: State = start(work, ways, first) if state is None else jax.tree.map(jnp.asarray, state)
    fast = "rbg" if jax.default_backend() == "gpu" else None
    key = jax.random.key(work.seed, impl=fast)
    keys = jax.vmap(partial(jax.random.fold_in, key))(first + jnp.arange(len(ways)))
    parts = any(way.noise for way in ways), any(way.wrong_noise or way.wrong_entropy for way in ways)
    together, looks, step, most = _together(ways), [], before, steps
    while step < steps and (fits or time.monotonic() - began < seconds):
        many = min(every, steps - step)
        now, seen = _advance(
            learner, parts, work.batch, many, scale, now, together, keys, data, lengths, sizes,
            asked.trouble() if asked else None, jnp.asarray(step), jnp.asarray(steps, jnp.float32),
        )  # fmt: skip
        now, right = _validate(learner, now, validation)
        if asked:
            asked.look(learner, now.average, data)
        step += many
        seen, right = np.asarray(seen), np.asarray(right)
        passed = time.monotonic() - began
        if fits and len(looks) in (1, 4):  # the first was compiled; others may begin later
            steps = min(most, fitting(step, every, passed, passed - looks[-1].seconds, seconds))
        accuracy, best = right.mean(axis=1).tolist(), np.asarray(now.best_accuracy).tolist()
        losses, lengths_seen = seen.T.tolist()
        looks.append(Look(step, round(passed, 1), losses, lengths_seen, accuracy, best, steps))
        told(looks[-1], now, right)
    return now, looks, step
