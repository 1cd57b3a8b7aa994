"""Training: restarts side by side in one compiled program, chosen by validation, resumable after a kill."""

import contextlib
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any, NamedTuple, Protocol, runtime_checkable

import jax
import jax.numpy as jnp
import numpy as np
import optax

from neural_programmer.base.arrays import Array
from neural_programmer.base.notebook import line
from neural_programmer.data.paper.draws import FRESH, VALIDATION, WEIGHTS, Given, draw_train, generator_of
from neural_programmer.data.paper.settings import Task
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.config import TrainingConfig
from neural_programmer.network.weights import Trained

# The paper's grid (section 3.2.1): 72 settings.
GRID = {
    "clip": (1.0, 5.0, 50.0),
    "epsilon": (1e-6, 1e-8),
    "delta": (10.0, 25.0, 50.0),
    "lookup_weight": (25.0, 50.0, 75.0, 100.0),
}
BATCH, NOISE, DRAWS = 0, 1, 2  # what a restart's random key is used for
AVERAGE_RAMP = 10  # the mean of the weights m <- k m + (1 - k) w has k = min(average, (1 + t) / (10 + t)) at step t
NOISE_DECAY = 0.55  # variance of the gradient noise = noise / step^0.55
MOST_WEIGHTS = 2 * 10**9  # of all restarts together; training holds six numbers for each


@runtime_checkable
class Learner(Protocol):
    """What training needs of a model and its objective. The loss takes one example."""

    fresh: bool
    """Whether every step has examples never seen before, or draws from a fixed training set."""
    averaged: bool
    """Whether the mean of the weights over the last steps is kept, or the weights as they are."""

    def initial(self, generator: np.random.Generator) -> Any: ...
    def encode(self, dataset: Any) -> Any: ...
    def loss(self, parameters: Any, triple: Any, settings: "Settings", now: "Now", key: Array) -> Array: ...
    def answered(self, parameters: Any, data: Any) -> Array:
        """Return which questions every restart answers rightly, as who asks the model would be answered."""
        ...

    def model(self, parameters: Any, trained: Trained) -> Any: ...


@runtime_checkable
class Judges(Protocol):
    """A learner that tells whether one example is answered rightly, in a way that JAX compiles."""

    def correct(self, parameters: Any, triple: Any) -> Array: ...


class Ways(NamedTuple):
    """What the optimizer has, in any of the restarts."""

    noisy: bool = False
    falling: bool = False


class Settings(NamedTuple):
    """What may differ between restarts."""

    learning_rate: Array
    epsilon: Array
    clip: Array
    delta: Array
    lookup_weight: Array
    noise: Array
    relative: Array
    entropy: Array
    selection_noise: Array
    entropy_steps: Array
    uninformative: Array
    merit_steps: Array
    average: Array
    falling: Array
    steps: Array


class Now(NamedTuple):
    """What changes in the course of training."""

    entropy: Array
    selection_noise: Array
    merit: Array


class State(NamedTuple):
    """All that training carries along, one of each for every restart."""

    parameters: Any
    optimizer: Any
    average: Any  # the mean of the last weights, which is what is validated and kept
    best_parameters: Any
    best_accuracy: Array
    streak: Array  # how many reports in a row answered all validation questions


@dataclass(frozen=True)
class Report:
    """Where training stands after a number of steps: one loss and one validation accuracy for every restart."""

    step: int
    loss: list[float | None]  # None where it is no longer a number
    accuracy: list[float]
    best_accuracy: list[float]
    seconds: float


@dataclass(frozen=True)
class TrainingResult:
    """The result of training: the best model or that of all restarts, and how every restart did."""

    model: Any
    best_restart: int
    reports: list[Report]
    parameters: Any
    """The best weights of every restart, with a leading axis of restarts."""
    last: State
    """Where training stopped."""

    def __repr__(self) -> str:
        """In a line: the model, and which of the restarts it is."""
        return line("TrainingResult", repr(self.model), f"best_restart={self.best_restart}")


def settings_of(config: TrainingConfig) -> list[TrainingConfig]:
    """Return the settings of every run: of each restart, at every point of the grid where it is wanted."""
    points = [dict(zip(GRID, values, strict=True)) for values in product(*GRID.values())] if config.grid else [{}]
    return [replace(config, **point) for point in points for _ in range(config.restarts)]


def train(
    learner: Learner,
    task: Task | Given,
    config: TrainingConfig,
    report: Callable[[Report], None] = lambda report: None,
    keeper: Any = None,
    runs: list[TrainingConfig] | None = None,
    start: Any = None,
    ensemble: bool = False,
) -> TrainingResult:
    """Train all restarts side by side and keep, for each, the weights that did best on validation data.

    `report` is called after every look at the validation data. `keeper` (see checkpoints.Keeper) saves and restores.
    `runs` overrides the settings of the single runs, where they differ in other ways than the grid's. `start` are
    weights to begin with instead of drawn ones; they are kept where no step makes them better. The model is the best
    restart, or all of them as an `ensemble`.
    """
    started = time.monotonic()
    runs = runs or settings_of(config)
    if not learner.averaged:
        runs = [replace(run, average=0.0) for run in runs]
    _check_size(learner, len(runs), config.seed)
    data = None if learner.fresh else learner.encode(draw_train(task, config.examples, config.seed))
    validation = learner.encode(draw_train(task, config.validation, config.seed, VALIDATION))
    place = _restart_sharding(len(runs))
    columns = ([getattr(run, name) for run in runs] for name in Settings._fields)
    settings = jax.device_put(Settings(*(jnp.asarray(column, jnp.float32) for column in columns)), place)
    key_of = partial(jax.random.fold_in, jax.random.key(config.seed))
    keys = jax.device_put(jax.vmap(key_of)(jnp.arange(len(runs))), place)
    ways = Ways(any(run.noise for run in runs), any(run.falling for run in runs))
    state = jax.device_put(_start(learner, ways, config.seed, settings, keys, start), place)
    data, validation = jax.device_put((data, validation))
    if start is not None:
        state = _validated(learner, config.patience, state, validation)[0]
        state = state._replace(streak=jnp.zeros_like(state.streak))  # no report yet
    trained = Trained(task.name, config.seed, None if learner.fresh else config.examples)

    def model(state: State) -> Any:
        weights = (
            jax.tree.map(np.asarray, state.best_parameters) if ensemble else one(state.best_parameters, _best(state))
        )
        return learner.model(weights, trained)

    with keeper or contextlib.nullcontext():
        step, reports = 0, []
        if keeper is not None:
            step, state, reports = keeper.restore(state)
            if reports:  # a kill may have come between the state and what is made from it
                keeper.publish(reports, model(state))
        started -= reports[-1].seconds if reports else 0.0
        done = _done(state, reports, step, config)
        while not done:
            steps = min(config.report_every, config.steps - step)
            if learner.fresh:
                stream = FRESH + step // config.report_every
                data = jax.device_put(learner.encode(draw_train(task, steps * config.batch, config.seed, stream)))
            state, losses = _advance(learner, ways, config.batch, steps, state, settings, keys, data, step)
            state, accuracy, finite = _validated(learner, config.patience, state, validation)
            step += steps
            if not np.asarray(finite).any():
                raise NeuralProgrammerError(
                    f"the weights of every restart stopped being numbers before step {step}; what was saved before is "
                    "kept: start another run with a lower learning rate or clip"
                )
            losses = [float(loss) if math.isfinite(loss) else None for loss in np.asarray(losses)]
            accuracy, best = (np.asarray(values).tolist() for values in (accuracy, state.best_accuracy))
            reports.append(Report(step, losses, accuracy, best, time.monotonic() - started))
            done = _done(state, reports, step, config)
            if keeper is not None:
                last = done or config.steps - step < config.report_every
                keeper.save(step, state, reports, model(state), last)
            report(reports[-1])
    return TrainingResult(
        model=model(state),
        best_restart=_best(state),
        reports=reports,
        parameters=state.best_parameters,
        last=state,
    )


def _learnt(state: State, patience: int) -> Array:
    """Tell which restarts have answered all validation questions at so many reports in a row."""
    return (state.streak >= patience) & (patience > 0)


def _done(state: State, reports: list[Report], step: int, config: TrainingConfig) -> bool:
    if step >= config.steps or bool(np.asarray(_learnt(state, config.patience)).all()):
        return True
    before = reports[-config.stalled - 1] if 0 < config.stalled < len(reports) else None
    return before is not None and before.best_accuracy == reports[-1].best_accuracy


def _best(state: State) -> int:
    return int(np.argmax(np.asarray(state.best_accuracy)))


def one(tree: Any, restart: int) -> Any:
    """Return the weights of one restart."""
    return jax.tree.map(lambda array: np.asarray(array[restart]), tree)


def _restart_sharding(restarts: int) -> jax.sharding.NamedSharding:
    """Spread the restart axis over as many of the local devices as divide it evenly.

    Choose a number of restarts that all devices divide: 5 restarts on 4 devices use one of them.
    """
    devices = jax.local_devices()
    used = max(count for count in range(1, len(devices) + 1) if restarts % count == 0)
    mesh = jax.make_mesh((used,), ("restarts",), (jax.sharding.AxisType.Auto,), devices=devices[:used])
    return jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("restarts"))


def _optimizer(settings: Settings, ways: Ways, key: Array) -> optax.GradientTransformation:
    """Clip, add noise, take Adam's step (section 3.2.1); noise after clipping, as published for the gradient noise.

    g <- g min(1, clip / |g|) + N(0, noise / t^0.55), t = 1, 2, ...

    Beyond the paper, the learning rate may fall: at step t of T it is (1 + cos(pi t / T)) / 2 of what it was.
    """
    noise = optax.add_noise(settings.noise, NOISE_DECAY, key) if ways.noisy else optax.identity()
    clip = optax.clip_by_global_norm(settings.clip)  # type: ignore[arg-type]

    def falling(step: Array) -> Array:
        left = (1 + jnp.cos(jnp.pi * jnp.minimum(step / settings.steps, 1.0))) / 2
        return settings.learning_rate * jnp.where(settings.falling > 0, left, 1.0)

    rate = falling if ways.falling else settings.learning_rate
    return optax.chain(clip, noise, optax.adam(rate, eps=settings.epsilon))  # type: ignore[arg-type]


def _check_size(learner: Learner, restarts: int, seed: int) -> None:
    size = restarts * sum(array.size for array in jax.tree.leaves(learner.initial(generator_of(seed, WEIGHTS, 0))))
    if size > MOST_WEIGHTS:
        raise NeuralProgrammerError(
            f"{restarts:,} restarts have {size:,} weights together; train at most {MOST_WEIGHTS:,} side by side"
        )


def _start(learner: Learner, ways: Ways, seed: int, settings: Settings, keys: Array, weights: Any = None) -> State:
    """Return the state before the first step: every restart at its own initial weights, or all at the given ones."""

    def draw(restart: int) -> Any:
        return learner.initial(generator_of(seed, WEIGHTS, restart)) if weights is None else weights

    drawn = [draw(restart) for restart in range(len(settings.clip))]
    parameters = jax.tree.map(lambda *arrays: jnp.stack(arrays), *drawn)

    def start(parameters: Any, settings: Settings, key: Array) -> State:
        optimizer = _optimizer(settings, ways, jax.random.fold_in(key, NOISE)).init(parameters)
        nothing = jnp.asarray(0.0, jnp.float32), jnp.asarray(0, jnp.int32)
        return State(parameters, optimizer, parameters, parameters, *nothing)

    return jax.jit(jax.vmap(start))(parameters, settings, keys)


@partial(jax.jit, static_argnums=(0, 1, 2, 3), donate_argnums=4)
def _advance(
    learner: Learner,
    ways: Ways,
    batch: int,
    steps: int,
    state: State,
    settings: Settings,
    keys: Array,
    data: Any,
    first: Array,
) -> tuple[State, Array]:
    """Take `steps` steps in every restart; also the mean loss of each. The one place where restarts are mapped over."""
    count = jax.tree.leaves(data)[0].shape[0]

    def update(state: State, settings: Settings, key: Array, step: Array) -> tuple[State, Array]:
        if learner.fresh:
            places = (step - first) * batch + jnp.arange(batch)
        else:
            places = jax.random.randint(jax.random.fold_in(jax.random.fold_in(key, BATCH), step), (batch,), 0, count)
        triples = jax.tree.map(lambda array: array[places], data)

        draws = jax.random.split(jax.random.fold_in(jax.random.fold_in(key, DRAWS), step), batch)
        falling = jnp.maximum(0.0, 1 - step / settings.entropy_steps)
        now = Now(
            entropy=settings.entropy * falling,
            selection_noise=settings.selection_noise * falling,
            merit=jnp.minimum(1.0, step / settings.merit_steps),
        )

        def objective(parameters: Any) -> Array:
            each = jax.vmap(learner.loss, (None, 0, None, None, 0))
            return jnp.mean(each(parameters, triples, settings, now, draws))

        loss, gradient = jax.value_and_grad(objective)(state.parameters)
        updates, optimizer = _optimizer(settings, ways, key).update(gradient, state.optimizer, state.parameters)
        parameters = optax.apply_updates(state.parameters, updates)
        kept = jnp.minimum(settings.average, (1 + step) / (AVERAGE_RAMP + step))
        average = jax.tree.map(lambda mean, new: kept * mean + (1 - kept) * new, state.average, parameters)
        return state._replace(parameters=parameters, optimizer=optimizer, average=average), loss

    def advance(state: State, settings: Settings, key: Array) -> tuple[State, Array]:
        state, losses = jax.lax.scan(
            lambda state, step: update(state, settings, key, step), state, first + jnp.arange(steps)
        )
        return state, jnp.mean(losses)

    return jax.vmap(advance)(state, settings, keys)


def _validated(learner: Learner, patience: int, state: State, validation: Any) -> tuple[State, Array, Array]:
    """Return the state with the best weights, the accuracy of every restart on the validation data, and whether its
    weights are numbers still."""
    return _keep(patience, state, learner.answered(state.average, validation))


@partial(jax.jit, static_argnums=0, donate_argnums=1)
def _keep(patience: int, state: State, right: Array) -> tuple[State, Array, Array]:
    """Keep the weights that do at least as well as their restart's best so far, until the restart has learnt: from then
    on it stays as it was, as if it had been trained alone and stopped. Also return the accuracy, and whether weights
    are numbers still.
    """
    accuracy = jnp.mean(right.astype(jnp.float32), axis=1)
    axes = [jnp.all(jnp.isfinite(array), axis=tuple(range(1, array.ndim))) for array in jax.tree.leaves(state.average)]
    finite = jnp.all(jnp.stack(axes), axis=0)

    def keep(current: Any, best: Any, better: Array) -> Any:
        return jax.tree.map(lambda new, old: jnp.where(better, new, old), current, best)

    learning = ~_learnt(state, patience)
    better = (accuracy >= state.best_accuracy) & finite & learning
    best = jax.vmap(keep)(state.average, state.best_parameters, better)
    best_accuracy = jnp.where(better, accuracy, state.best_accuracy)
    streak = jnp.where(learning, jnp.where(accuracy == 1, state.streak + 1, 0), state.streak)
    return state._replace(best_parameters=best, best_accuracy=best_accuracy, streak=streak), accuracy, finite


@partial(jax.jit, static_argnums=0)
def answered(learner: Judges, parameters: Any, data: Any) -> Array:
    """Return which questions every restart answers rightly, compiled: some hundred at a time, to bound the memory."""

    def of_restart(parameters: Any) -> Array:
        return jax.lax.map(partial(learner.correct, parameters), data, batch_size=128)

    return jax.vmap(of_restart)(parameters)
