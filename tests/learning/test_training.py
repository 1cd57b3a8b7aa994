"""Learning: restarts train side by side, the best is chosen by validation, the same seed gives the same bits."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neural_programmer import api
from neural_programmer.data.paper import task
from neural_programmer.data.paper.draws import WEIGHTS, generator_of
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning import training
from neural_programmer.learning.config import TrainingConfig
from neural_programmer.learning.soft import SoftLearner
from neural_programmer.learning.training import GRID, Settings, Ways, _optimizer, one, settings_of, train
from neural_programmer.network.encode import Vocabulary

TASK = task("single-column")
SMALL = TrainingConfig(steps=40, restarts=2, examples=200, batch=10, validation=50, report_every=20)
NETWORK = replace(TASK.paper, hidden=8)
LEARNER = SoftLearner(NETWORK, Vocabulary.of(TASK.words_read(pointers=False)))


def bits(tree):
    return [array.tobytes() for array in jax.tree.leaves(jax.tree.map(np.asarray, tree))]


def test_learns_from_answers_alone():
    """A few hundred steps take a small network from nothing to more than a third of the questions."""
    config = replace(SMALL, steps=600, examples=3000, batch=50, report_every=200, validation=200)
    trained = api.train(TASK, config=replace(NETWORK, hidden=64), training=config, objective="soft")
    losses = [report.loss[trained.best_restart] for report in trained.reports]
    assert losses[-1] < 0.8 * losses[0]
    assert max(trained.reports[-1].best_accuracy) > 1 / 3
    assert trained.best_restart == int(np.argmax(trained.reports[-1].best_accuracy))


def test_same_seed_same_bits_and_another_seed_others():
    first, again = (train(LEARNER, TASK, SMALL) for _ in range(2))
    other = train(LEARNER, TASK, replace(SMALL, seed=1))
    assert bits(first.parameters) == bits(again.parameters)
    assert bits(first.parameters) != bits(other.parameters)
    assert [report.loss for report in first.reports] == [report.loss for report in again.reports]


def test_restarts_differ_and_do_not_disturb_each_other():
    """The second of two restarts ends where the second of three ends."""
    two, three = (train(LEARNER, TASK, replace(SMALL, restarts=count)) for count in (2, 3))
    first, second = (jax.tree.map(lambda array, r=r: np.asarray(array)[r], two.parameters) for r in (0, 1))
    same = jax.tree.map(lambda array: np.asarray(array)[1], three.parameters)
    assert bits(first) != bits(second)
    for mine, theirs in zip(jax.tree.leaves(second), jax.tree.leaves(same), strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-5)


def test_the_grid_is_the_papers():
    runs = settings_of(TrainingConfig(grid=True, restarts=3))
    points = {(run.clip, run.epsilon, run.delta, run.lookup_weight) for run in runs}
    assert len(runs) == 216
    assert len(points) == 72
    assert GRID["delta"] == (10.0, 25.0, 50.0)


def test_the_optimizer_clips_then_adds_noise_then_takes_adams_step():
    """Recomputed by hand: gradient scaled to the clip, noise of variance noise / (1 + t)^0.55, first step of Adam."""
    config = TrainingConfig(learning_rate=0.1, clip=5.0, noise=1.0)
    settings = Settings(*(jnp.asarray(float(getattr(config, name))) for name in Settings._fields))
    weights = jnp.zeros(200_000)
    optimizer = _optimizer(settings, Ways(noisy=True), jax.random.key(0))
    gradient = jnp.full(200_000, 3.0)
    state = optimizer.init(weights)
    updates, state = optimizer.update(gradient, state, weights)
    noisy = np.asarray(state[2][0].mu) / 0.1  # Adam's first moment after one step is 0.1 of what it was given
    clipped = 3.0 * 5.0 / np.linalg.norm(np.full(200_000, 3.0))
    assert abs(noisy.mean() - clipped) < 4 / 200_000**0.5
    np.testing.assert_allclose(noisy.var(), 1.0, rtol=0.02)
    np.testing.assert_allclose(np.abs(updates), 0.1, rtol=1e-2)
    variances = []
    for _ in range(3):
        before = np.asarray(state[2][0].mu)
        _, state = optimizer.update(gradient, state, weights)
        variances.append(((np.asarray(state[2][0].mu) - 0.9 * before) / 0.1).var())
    np.testing.assert_allclose(variances, [(1 + t) ** -0.55 for t in (1, 2, 3)], rtol=0.03)


@pytest.mark.parametrize("wanted", [True, False])
def test_a_learning_rate_that_falls_follows_half_a_cosine(wanted):
    """Recomputed by hand: of a constant gradient, Adam's step is the learning rate; at the end nothing is left.

    Where it falls in another restart only, it stays as it is.
    """
    config = TrainingConfig(learning_rate=0.1, falling=wanted, steps=8)
    settings = Settings(*(jnp.asarray(float(getattr(config, name))) for name in Settings._fields))
    optimizer = _optimizer(settings, Ways(falling=True), jax.random.key(0))
    weights = jnp.zeros(3)
    state = optimizer.init(weights)
    rates = []
    for _ in range(10):
        updates, state = optimizer.update(jnp.full(3, 0.25), state, weights)
        rates.append(-np.asarray(updates))
    share = [(1 + np.cos(np.pi * min(step / 8, 1))) / 2 if wanted else 1.0 for step in range(10)]
    np.testing.assert_allclose(rates, 0.1 * np.array(share)[:, None] * np.ones(3), rtol=1e-4, atol=1e-8)
    if wanted:
        assert rates[0][0] > rates[3][0] > rates[7][0] > rates[8][0] - 1e-8 >= -1e-8


def test_weights_that_are_no_numbers_end_the_run_before_they_are_saved(tmp_path):
    config = replace(SMALL, learning_rate=1e30, steps=20, report_every=1)
    with pytest.raises(NeuralProgrammerError, match=r"stopped being numbers before step .* lower learning rate"):
        api.train(TASK, config=NETWORK, training=config, objective="soft", out=tmp_path / "run")
    saved = api.load(tmp_path / "run").parameters
    assert all(np.isfinite(array).all() for array in jax.tree.leaves(saved))


def test_weights_that_are_no_numbers_are_never_the_best():
    """One restart of two is lost to its learning rate; the other goes on, and its weights are kept."""
    runs = [replace(SMALL, learning_rate=1e30), SMALL]
    trained = train(LEARNER, TASK, SMALL, runs=runs)
    assert trained.reports[-1].loss[0] is None
    assert trained.best_restart == 1
    assert all(np.isfinite(array).all() for array in jax.tree.leaves(trained.parameters))


def test_training_can_start_from_another_model(tmp_path):
    first = api.train(TASK, config=NETWORK, training=SMALL, objective="soft")
    first.model.save(tmp_path / "first.safetensors")
    on = replace(SMALL, steps=1, learning_rate=1e-30)
    start = {"training": on, "objective": "soft", "start_from": tmp_path / "first.safetensors"}
    second = api.train(TASK, config=NETWORK, **start)
    assert bits(second.model.parameters) == bits(first.model.parameters)
    with pytest.raises(NeuralProgrammerError, match="it has other settings or words"):
        api.train(TASK, config=replace(NETWORK, hidden=4), **start)


class Scripted(SoftLearner):
    """Answers rightly as its weights' first number says: what training stops at can be planted."""

    def correct(self, parameters, triple):
        return parameters.history[0, 0] > 0


def test_a_restart_stops_when_validation_stays_at_100_percent():
    """One restart is right from the start, the other never: the first keeps what it had after two reports."""
    learner = Scripted(NETWORK, LEARNER.vocabulary)
    config = replace(SMALL, steps=60, report_every=10, patience=2)
    start = learner.initial(np.random.default_rng(0))
    right = start._replace(history=np.abs(start.history) + 1)
    wrong = start._replace(history=-np.abs(start.history) - 1)
    alone = train(learner, TASK, replace(config, restarts=1), start=right)
    assert [report.step for report in alone.reports] == [10, 20]
    assert train(learner, TASK, replace(config, restarts=1), start=wrong).reports[-1].step == 60
    never = train(learner, TASK, replace(config, restarts=1, patience=0), start=right)
    assert never.reports[-1].step == 60
    assert bits(never.parameters) != bits(alone.parameters)


def test_a_restart_that_has_learnt_stays_as_it_was():
    """Beside another that has not, it ends with the weights it had when it stopped."""
    learner = Scripted(NETWORK, LEARNER.vocabulary)

    def is_right(seed, restart):
        return learner.initial(generator_of(seed, WEIGHTS, restart)).history[0, 0] > 0

    seed = next(seed for seed in range(50) if is_right(seed, 0) and not is_right(seed, 1))
    config = replace(SMALL, steps=60, report_every=10, patience=2, seed=seed, learning_rate=1e-6)
    long, short = (train(learner, TASK, replace(config, steps=steps)) for steps in (60, 20))
    assert long.reports[-1].step == 60
    assert bits(one(long.parameters, 0)) == bits(one(short.parameters, 0))
    assert bits(one(long.last.parameters, 0)) != bits(one(short.last.parameters, 0))


def test_the_mean_of_the_weights_is_kept_where_a_learner_says_so():
    """Recomputed from the weights after every step; the paper's objective keeps them as they are."""
    steps = [train(LEARNER, TASK, replace(SMALL, steps=n, report_every=1, restarts=1, patience=0)) for n in (1, 2, 3)]
    weights = [np.asarray(trained.last.parameters.history[0]) for trained in steps]
    np.testing.assert_array_equal(weights[-1], steps[-1].last.average.history[0])
    learner = Averaged(NETWORK, LEARNER.vocabulary)
    mean = np.asarray(learner.initial(generator_of(SMALL.seed, WEIGHTS, 0)).history)
    for step, new in enumerate(weights):
        kept = min(0.5, (1 + step) / (10 + step))
        mean = kept * mean + (1 - kept) * new
    averaged = train(learner, TASK, replace(SMALL, steps=3, report_every=1, restarts=1, patience=0, average=0.5))
    np.testing.assert_allclose(averaged.last.average.history[0], mean, atol=1e-6)


class Averaged(SoftLearner):
    averaged = True


@pytest.mark.slow
def test_restarts_are_spread_over_all_devices():
    """Two devices (two parts of this processor) give what one gives."""
    script = """
import sys, json, numpy as np, jax
from neural_programmer import api
from neural_programmer.network.config import NetworkConfig
from neural_programmer.learning.config import TrainingConfig
config = TrainingConfig(steps=20, restarts=4, examples=200, batch=10, validation=50, report_every=20)
trained = api.train("single-column", config=NetworkConfig(hidden=8), training=config)
weights = trained.parameters.history
print(json.dumps([len(jax.devices()), len(weights.sharding.device_set), np.asarray(weights).ravel()[:500].tolist()]))
"""
    found = []
    for devices in (1, 2):
        flags = f"--xla_force_host_platform_device_count={devices}"
        done = subprocess.run(
            [sys.executable, "-c", script], env={**os.environ, "XLA_FLAGS": flags}, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        found.append(json.loads(done.stdout))
    assert [part[0] for part in found] == [1, 2]
    assert [part[1] for part in found] == [1, 2]
    np.testing.assert_allclose(found[0][2], found[1][2], atol=1e-5)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"average": 1.0}, "average must be 0 to 0.999999, not 1.0"),
        ({"patience": -1}, "patience must be 0 to 10,000, not -1"),
        ({"merit_steps": 0}, "merit steps must be 1 to 1,000,000,000, not 0"),
        ({"steps": 0}, "steps must be 1 to 1,000,000,000, not 0"),
        ({"restarts": -1}, "restarts must be 1 to 10,000, not -1"),
        ({"learning_rate": float("nan")}, "learning rate must be 1e-30 to 1e\\+30, not nan"),
        ({"seed": -1}, r"a seed is a whole number from 0 to 2\^32 - 1, not -1"),
        ({"batch": 0}, "batch must be 1 to 10,000,000, not 0"),
    ],
)
def test_impossible_settings_are_refused(settings, message):
    with pytest.raises(NeuralProgrammerError, match=message):
        TrainingConfig(**settings)


@pytest.mark.parametrize(
    ("objective", "settings", "message"),
    [
        ("marginal", {"delta": 25.0}, "--delta is a setting of the soft objective; leave it out"),
        ("marginal", {"grid": True}, "--grid is a setting of the soft objective"),
        ("soft", {"merit_steps": 5}, "--merit-steps is a setting of the marginal objective"),
    ],
)
def test_settings_of_the_other_objective_are_refused(objective, settings, message):
    with pytest.raises(NeuralProgrammerError, match=message):
        api.train(TASK, training=TrainingConfig(**settings), objective=objective)


def test_training_stops_when_no_restart_gets_better():
    """Two restarts: one rises at the second report, and then none does."""
    best = [[0.1, 0.2], [0.1, 0.5], [0.1, 0.5], [0.1, 0.5]]
    reports = [training.Report(10 * n, [1.0, 1.0], accuracy, accuracy, 0.0) for n, accuracy in enumerate(best, 1)]
    state = training.State(None, None, None, None, jnp.zeros(2), jnp.zeros(2, jnp.int32))
    config = replace(SMALL, steps=100, patience=2, stalled=2)
    stops = [training._done(state, reports[:count], 10 * count, config) for count in range(5)]
    assert stops == [False, False, False, False, True]
    assert not training._done(state, reports, 40, replace(config, stalled=0))
