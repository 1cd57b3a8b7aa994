"""The marginal objective: programs are drawn as it says, their probability is right, and every restart learns."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neural_programmer import api, network
from neural_programmer.config import NetworkConfig, TrainingConfig
from neural_programmer.encode import Vocabulary
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.executor import GIVEN, HARD, Noise, execute
from neural_programmer.learning import marginal
from neural_programmer.learning.batches import encode_dataset
from neural_programmer.operations import COMPARISONS, available
from neural_programmer.tasks import draw_train, task

TASK = task("three-columns")
VOCABULARY = Vocabulary.of(TASK.words)
CONFIG = NetworkConfig(hidden=8, program_steps=2)
OPERATIONS = available(False)


def weights(scale=15.0, seed=0):
    """Weights large enough that the selections are far from uniform."""
    drawn = network.initial(CONFIG, len(VOCABULARY), np.random.default_rng(seed))
    return jax.tree.map(lambda array: jnp.asarray(scale * array), drawn)


def triples(count, seed=0):
    return jax.tree.map(jnp.asarray, encode_dataset(draw_train(TASK, count, seed), VOCABULARY))


def one(tree, place):
    return jax.tree.map(lambda array: array[place], tree)


def test_programs_are_drawn_with_their_probability():
    """Without exploration, all decisions together come as often as the product of their probabilities says."""
    parameters, triple = weights(), one(triples(20), 3)
    draws = 20_000
    noise = marginal.draw_noise(CONFIG, triple.example, draws, 0.0, jax.random.key(1))
    _, choices = jax.jit(lambda: marginal.hits(parameters, CONFIG, triple, noise))()
    execution = jax.jit(jax.vmap(lambda c: execute(parameters, CONFIG, triple.example, GIVEN, c)))(choices)
    trace = execution.trace
    logs = np.asarray(jnp.sum(trace.operation_log + trace.column_log, axis=1) + jnp.sum(execution.pivot_logs, axis=1))
    seen = {}
    decisions = np.concatenate([np.argmax(part, axis=-1) for part in choices], axis=1)
    for decision, log in zip(map(tuple, decisions.tolist()), logs.tolist(), strict=True):
        seen.setdefault(decision, []).append(log)
    assert len(seen) > 10
    for drawn in seen.values():
        expected = np.exp(drawn[0])
        assert abs(len(drawn) / draws - expected) < 5 * (expected / draws) ** 0.5 + 1e-4


def test_columns_and_numbers_count_only_where_an_operation_uses_them():
    parameters, triple = weights(), one(triples(20), 3)
    noise = marginal.draw_noise(CONFIG, triple.example, 60, 1.0, jax.random.key(2))

    @jax.jit
    @jax.vmap
    def both(noise):
        _, choices = marginal.hits(parameters, CONFIG, triple, jax.tree.map(lambda array: array[None], noise))
        choice = one(choices, 0)
        execution = execute(parameters, CONFIG, triple.example, GIVEN, choice)
        return choice, execution, marginal.program_log_probability(parameters, CONFIG, triple.example, choice)

    choices, execution, found = jax.tree.map(np.asarray, both(noise))
    for place in range(60):
        chosen = [OPERATIONS[number] for number in np.argmax(choices.operation[place], axis=-1)]
        columns = [entry.column != "none" for entry in chosen]
        pivots = [name in [entry.name for entry in chosen] for name in COMPARISONS]
        expected = execution.trace.operation_log[place].sum()
        expected += execution.trace.column_log[place][columns].sum() + execution.pivot_logs[place][pivots].sum()
        np.testing.assert_allclose(found[place], expected, rtol=1e-4, atol=1e-5)


def test_exploring_decisions_are_uniform_and_never_padding():
    example = one(triples(30), 0).example
    noise = marginal.draw_noise(CONFIG, example, 6000, 1.0, jax.random.key(0))
    parameters = weights(scale=40.0)
    _, choices = marginal.hits(parameters, CONFIG, one(triples(30), 0), noise)
    shares = np.mean(np.asarray(choices.operation), axis=0)
    np.testing.assert_allclose(shares, 1 / len(OPERATIONS), atol=0.03)
    columns = np.mean(np.asarray(choices.column), axis=0)
    count = int(example.column_count)
    np.testing.assert_allclose(columns[:, :count], 1 / count, atol=0.04)
    assert not columns[:, count:].any()


def test_the_gradient_raises_the_programs_that_hit():
    """Following it for a few steps makes the answer of a hard enough question more probable."""
    parameters, data = weights(scale=3.0), triples(40)
    noise = marginal.draw_noise(CONFIG, one(data, 0).example, 2000, 0.0, jax.random.key(9))

    @jax.jit
    def share(parameters, triple):
        return jnp.mean(marginal.hits(parameters, CONFIG, triple, noise)[0])

    @jax.jit
    def step(parameters, triple, key):
        gradient = jax.grad(marginal.loss)(parameters, CONFIG, triple, 256, 0.3, jnp.asarray(1.0), key)
        return jax.tree.map(lambda array, slope: array - 0.1 * slope, parameters, gradient)

    triple = next(one(data, place) for place in range(40) if 0.005 < share(parameters, one(data, place)) < 0.2)
    before = share(parameters, triple)
    for place in range(30):
        parameters = step(parameters, triple, jax.random.key(place))
    assert share(parameters, triple) > 3 * before


def test_questions_that_tell_little_count_little():
    """The loss of a question whose answer is empty is scaled; that of another is not."""
    data, parameters = triples(60), weights()
    empty = jnp.where(data.target.is_scalar, data.target.scalar == 0, ~jnp.any(data.target.rows, axis=1))
    loss = jax.jit(lambda triple, weight: marginal.loss(parameters, CONFIG, triple, 64, 0.3, weight, jax.random.key(0)))
    for tells in (False, True):
        place = int(np.flatnonzero(np.asarray(empty) != tells)[0])
        full, scaled = (loss(one(data, place), jnp.asarray(weight)) for weight in (1.0, 0.1))
        np.testing.assert_allclose(scaled, full if tells else 0.1 * full, rtol=1e-5)


def test_nothing_is_learnt_where_nothing_hits():
    triple = one(triples(5), 0)
    impossible = triple._replace(target=triple.target._replace(is_scalar=jnp.asarray(True), scalar=jnp.asarray(1e9)))
    weight, key = jnp.asarray(1.0), jax.random.key(0)
    slope = jax.grad(lambda parameters: marginal.loss(parameters, CONFIG, impossible, 32, 0.3, weight, key))
    gradient = jax.jit(slope)(weights())
    assert not any(np.any(array) for array in jax.tree.leaves(gradient))


def test_every_restart_learns_one_column_from_answers_alone():
    """Two restarts from nothing to 100 % of the validation questions, and of the test set."""
    training = TrainingConfig(
        steps=300, restarts=2, examples=3000, samples=128, report_every=50, validation=200, clip=5.0
    )
    trained = api.train("single-column", config=NetworkConfig(hidden=64), training=training, objective="marginal")
    assert trained.reports[-1].best_accuracy == [1.0, 1.0]
    assert api.evaluate(trained.model, seed=3, sets=3).overall.accuracy == 1.0


def test_text_is_refused():
    with pytest.raises(NeuralProgrammerError, match="cannot learn to match text yet"):
        api.train("text-two-columns", training=TrainingConfig(steps=1), objective="marginal")


def test_hard_choices_have_the_probabilities_of_the_softmax():
    """The logarithms that an execution reports are those of its softmaxes."""
    parameters, triple = weights(), one(triples(10), 2)
    soft = execute(parameters, CONFIG, triple.example)
    hard = execute(parameters, replace(CONFIG, pivot="mixed"), triple.example, HARD)
    first = np.log(np.sum(np.asarray(soft.trace.operation[0]) * np.asarray(hard.trace.operation[0])))
    np.testing.assert_allclose(hard.trace.operation_log[0], first, rtol=1e-5)
    pivots = np.log(np.sum(np.asarray(soft.pivots) * np.asarray(hard.pivots), axis=-1))
    np.testing.assert_allclose(hard.pivot_logs, pivots, rtol=1e-4, atol=1e-6)
    assert isinstance(marginal.draw_noise(CONFIG, triple.example, 2, 0.3, jax.random.key(0)), Noise)
