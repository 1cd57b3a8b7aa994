"""Reference: losses against loops over cells. Gradients: finite differences in float64, away from ties."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neural_programmer import network
from neural_programmer.answer import Answer
from neural_programmer.arrays import softmax
from neural_programmer.config import NetworkConfig
from neural_programmer.encode import Sizes, Vocabulary, encode
from neural_programmer.executor import HARD, SOFT, Noise, Selection, execute
from neural_programmer.learning import soft
from neural_programmer.learning.batches import Target, Triples, encode_dataset, is_correct
from neural_programmer.operations import COMPARISONS
from neural_programmer.program import Program, Step, run
from neural_programmer.question import Question
from neural_programmer.table import Table
from neural_programmer.tasks.data import draw_train
from neural_programmer.tasks.settings import task
from neural_programmer.weights import Trained
from programs import TEXTS, VOCABULARY, execute_forced, forcing

HIDDEN = 4
RNN = NetworkConfig(hidden=HIDDEN)
EVERYTHING = NetworkConfig(hidden=HIDDEN, reader="bidirectional", attention=True, pivot="mixed", text_match=True)
QUICK = {"xla_backend_optimization_level": 0}  # compiled to run a few times only
ROOM = Sizes(words=9, numbers=4, columns=5, name_words=2, rows=7, texts=6)

ASKED = Question(("greater", "A", "lesser", "B", "sum", "word:1"), (12.5, -3.25), (0, 2))
NUMBERS = Table(("A", "B"), (np.array([1.5, 20.0, -7.25, 4.0]), np.array([30.0, 2.5, -40.0, 8.0])))
MIXED = Table(("A", "column B"), (NUMBERS.columns[0], np.array(["word:1", "word:0", "word:1", "word:2"])))


class Settings(NamedTuple):
    delta: np.ndarray = np.asarray(10.0)
    lookup_weight: np.ndarray = np.asarray(50.0)
    relative: np.ndarray = np.asarray(0.0)
    entropy: np.ndarray = np.asarray(0.0)


def double(tree):
    return jax.tree.map(lambda array: array.astype(np.float64) if array.dtype.kind == "f" else array, tree)


def parameters_of(config, seed=0):
    """Weights in float64, ten times as large as the initial ones: selections are undecided but not even."""
    return jax.tree.map(lambda a: 10 * a, double(network.initial(config, len(VOCABULARY), np.random.default_rng(seed))))


def triple_of(table, answer, room=None):
    """A question about a table with this answer: a number, or the rows to look up in the first column."""
    example = double(encode(ASKED, table, VOCABULARY, room))
    rows = np.zeros(example.table.shape[0], bool)
    scalar = not isinstance(answer, list)
    rows[[] if scalar else answer] = True
    number = np.asarray(answer if scalar else 0.0, np.float64)
    return Triples(example, Target(np.asarray(scalar), number, rows, np.asarray(0)))


def naive_huber(prediction, target, delta):
    error = abs(prediction - target)
    return error**2 / 2 if error <= delta else delta * error - delta**2 / 2


@pytest.mark.parametrize("delta", [0.5, 10.0, 25.0])
def test_huber_loss(delta):
    for target in (-7.25, 0.0, 1000.0):
        for error in (0.0, 0.1, -0.5, 0.5, 9.9, -10.0, 25.0, -25.1, 4000.0):
            found = soft.huber_loss(np.asarray(target + error), np.asarray(target), np.asarray(delta))
            np.testing.assert_allclose(found, naive_huber(target + error, target, delta), rtol=1e-12)


def test_huber_loss_has_no_step_at_delta():
    """Value and slope agree on both sides: a^2 / 2 and its slope a at a = delta = 10."""
    slope = jax.value_and_grad(soft.huber_loss)
    for error in (10.0, np.nextafter(np.float32(10), np.float32(11))):
        np.testing.assert_allclose(slope(jnp.float32(error), jnp.float32(0), jnp.float32(10)), (50, 10), rtol=1e-5)


def naive_lookup_loss(prediction, target, rows, columns):
    """-1/(MC) sum_ij (y log p + (1 - y) log(1 - p))"""
    total = 0.0
    for i in range(rows):
        for j in range(columns):
            total += np.log(prediction[i][j]) if target[i][j] else np.log(1 - prediction[i][j])
    return -total / (rows * columns)


def test_lookup_loss_is_over_the_real_cells_alone():
    generator = np.random.default_rng(0)
    for rows, columns in ((1, 1), (3, 2), (5, 4)):
        prediction = generator.uniform(0.02, 0.98, (5, 4))
        target = generator.random((5, 4)) < 0.4
        real = np.zeros((5, 4), bool)
        real[:rows, :columns] = True
        found = soft.lookup_loss(prediction, target, real)
        np.testing.assert_allclose(found, naive_lookup_loss(prediction, target, rows, columns), rtol=1e-4)
        other = soft.lookup_loss(np.where(real, prediction, 0.5), target & real, real)
        assert found == other, "padding must not count"


def test_a_planted_look_up_has_its_known_loss():
    """Probabilities of a half cost log 2 a cell, whatever the answer."""
    half, real = np.full((3, 2), 0.5), np.ones((3, 2), bool)
    np.testing.assert_allclose(soft.lookup_loss(half, np.eye(3, 2).astype(bool), real), np.log(2), rtol=1e-6)


@pytest.mark.parametrize("probability", [0.0, 1.0, np.float32(1.000001), -1e-7])
@pytest.mark.parametrize("target", [False, True])
def test_lookup_loss_stays_finite_where_probabilities_round_out_of_range(probability, target):
    """Certain and right costs next to nothing, certain and wrong log(1e-6); value and slope are numbers."""
    prediction = np.full((1, 1), probability, np.float32)
    loss_and_slope = jax.value_and_grad(lambda p: soft.lookup_loss(p, jnp.full((1, 1), target), jnp.full((1, 1), True)))
    loss, slope = loss_and_slope(jnp.asarray(prediction))
    assert np.isfinite(slope).all()
    right = target == (probability > 0.5)
    np.testing.assert_allclose(loss, 0 if right else -np.log(1e-6), atol=0.05)
    in_numpy = soft.lookup_loss(prediction, np.full((1, 1), target), np.full((1, 1), True))
    np.testing.assert_allclose(in_numpy, loss, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("room", [None, ROOM], ids=["tight", "padded"])
def test_loss_of_a_scalar_question(room):
    parameters = parameters_of(RNN)
    triple = triple_of(NUMBERS, 100.0, room)
    answer = float(execute(parameters, RNN, triple_of(NUMBERS, 0.0).example, SOFT).scalar_answer)
    for delta in (10.0, 500.0):
        settings = Settings(delta=np.asarray(delta))
        expected = naive_huber(answer, 100.0, delta)
        np.testing.assert_allclose(soft.loss(parameters, RNN, triple, settings), expected, rtol=1e-10)
        heavier = settings._replace(lookup_weight=np.asarray(75.0))
        assert soft.loss(parameters, RNN, triple, heavier) == soft.loss(parameters, RNN, triple, settings)
        relative = settings._replace(relative=np.asarray(3.0))
        scaled = expected / (delta * (3.0 + 100.0))
        np.testing.assert_allclose(soft.loss(parameters, RNN, triple, relative), scaled, rtol=1e-10)


@pytest.mark.parametrize("room", [None, ROOM], ids=["tight", "padded"])
def test_loss_of_a_lookup_question(room):
    parameters = parameters_of(RNN)
    triple = triple_of(NUMBERS, [1, 2], room)
    prediction = execute(parameters, RNN, triple_of(NUMBERS, 0.0).example, SOFT).lookup_answer
    target = np.array([[False, False], [True, False], [True, False], [False, False]])
    expected = naive_lookup_loss(prediction, target, 4, 2)
    for weight in (25.0, 100.0):
        for relative in (0.0, 3.0):
            settings = Settings(lookup_weight=np.asarray(weight), relative=np.asarray(relative))
            found = soft.loss(parameters, RNN, triple, settings)
            np.testing.assert_allclose(found, weight * expected, rtol=1e-4)


@pytest.mark.parametrize("answer", [100.0, [1, 2]], ids=["scalar", "lookup"])
def test_entropy_is_a_reward_for_undecided_selections(answer):
    parameters = parameters_of(RNN)
    triple = triple_of(NUMBERS, answer, ROOM)
    trace = execute(parameters, RNN, triple.example, SOFT).trace
    undecided = 0.0
    for probabilities in (*trace.operation, *trace.column[:, :2]):
        undecided -= sum(p * np.log(p) for p in probabilities)
    assert undecided > 1
    plain = soft.loss(parameters, RNN, triple, Settings())
    rewarded = soft.loss(parameters, RNN, triple, Settings(entropy=np.asarray(0.3)))
    np.testing.assert_allclose(plain - rewarded, 0.3 * undecided, rtol=1e-4)


def test_entropy_of_planted_selections():
    """Evenly spread over four it is log 4 a step, decided it is nothing."""
    np.testing.assert_allclose(soft.entropy(np.full((3, 4), 0.25)), 3 * np.log(4), rtol=1e-4)
    np.testing.assert_allclose(soft.entropy(np.eye(4)), 0, atol=1e-5)


@pytest.mark.parametrize(
    ("config", "table", "answers"),
    [
        (RNN, NUMBERS, [(3.0, 500.0), (100.0, 10.0)]),
        (EVERYTHING, MIXED, [([0, 2], 10.0), ([], 10.0), (3.0, 500.0)]),
    ],
    ids=["rnn, scalar", "bidirectional with attention, look-up and text match"],
)
def test_gradient_is_that_of_finite_differences(config, table, answers):
    """JAX's gradient against NumPy's loss: every parameter moved a little in random directions.

    The answers take both branches of the Huber loss, and look-ups of some cells and of none.
    """
    parameters = parameters_of(config, seed=1)
    leaves, tree = jax.tree.flatten(parameters)
    with jax.enable_x64(True):
        slope = jax.grad(lambda weights, triple, settings: soft.loss(weights, config, triple, settings))
        gradient_of = jax.jit(slope, compiler_options=QUICK)
        for answer, delta in answers:
            triple = triple_of(table, answer, ROOM)
            settings = Settings(delta=np.asarray(delta), entropy=np.asarray(0.1))
            gradient = jax.tree.leaves(gradient_of(parameters, triple, settings))
            loss_of = partial(soft.loss, config=config, triple=triple, settings=settings)
            check_directions(lambda moved, f=loss_of: f(jax.tree.unflatten(tree, moved)), leaves, gradient)


def check_directions(function, leaves, gradient, step=1e-6):
    """(f(x + s v) - f(x - s v)) / 2s = gradient . v, for a random direction v of every leaf"""
    generator = np.random.default_rng(9)
    for place, leaf in enumerate(leaves):
        slope = np.asarray(gradient[place])
        assert slope.dtype == np.float64
        assert np.abs(slope).max() > 1e-6, f"nothing is learnt of parameter {place}"
        direction = generator.normal(size=leaf.shape)
        ends = []
        for sign in (1, -1):
            moved = [*leaves[:place], leaf + sign * step * direction, *leaves[place + 1 :]]
            ends.append(float(function(moved)))
        expected = (ends[0] - ends[1]) / (2 * step)
        np.testing.assert_allclose(np.sum(slope * direction), expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("pivot", ["blended", "mixed"])
def test_gradient_of_the_choice_of_a_number(pivot):
    """Mixed comparisons pass a gradient to the scores of the numbers; the comparison with their mean passes none."""
    config = NetworkConfig(hidden=HIDDEN, pivot=pivot)
    fixed = parameters_of(config, seed=1), triple_of(NUMBERS, 0.0).example
    undecided = Selection(lambda scores, noise: softmax(scores + noise), SOFT.decide)
    start = Noise(np.zeros((4, 9)), np.zeros((4, 2)), np.zeros((len(COMPARISONS), 2)))

    def answer(noise, parameters, example):
        return execute(parameters, config, example, undecided, noise).scalar_answer

    def moved(pivots):
        return answer(start._replace(pivots=pivots), *fixed)

    with jax.enable_x64(True):
        gradient = np.asarray(jax.jit(jax.grad(answer), compiler_options=QUICK)(start, *fixed).pivots)
    if pivot == "mixed":
        assert (np.abs(gradient) > 1e-3).all()
        check_directions(lambda leaves: moved(*leaves), [start.pivots], [gradient])
    else:
        np.testing.assert_array_equal(gradient, 0)
        assert moved(1e-6 * np.arange(4).reshape(2, 2)) == moved(start.pivots)


def ending_with(execution, answer, columns):
    """The same hard execution, but for its answer."""
    lookup = np.zeros_like(execution.lookup_answer)
    for row, name in answer.cells:
        lookup[row, columns.index(name)] = 1
    return execution._replace(
        scalar_answer=np.float32(answer.scalar or 0.0),
        lookup_answer=lookup,
        gives_scalar=np.float32(answer.kind == "scalar"),
        gives_lookup=np.float32(answer.kind == "lookup"),
    )


def test_is_correct_agrees_with_the_equality_of_answers():
    """Right answers, near misses, other cells, answers of the other kind, and none at all."""
    dataset = draw_train(task("text-five-columns"), 40, seed=3)
    vocabulary = Vocabulary.of(dataset.task.words)
    triples = encode_dataset(dataset, vocabulary)
    parameters = network.initial(EVERYTHING, len(vocabulary), np.random.default_rng(0))
    outcomes = {(kind, right): 0 for kind in ("scalar", "lookup") for right in (True, False)}
    for place, drawn in enumerate(dataset):
        one = jax.tree.map(lambda array, place=place: array[place], triples)
        execution = execute(parameters, EVERYTHING, one.example, HARD)
        right, names = drawn.answer, drawn.table.names
        offered = [right, Answer("none", reason="nothing"), Answer("scalar", scalar=0.0), Answer("lookup")]
        if right.scalar is not None:
            offered += [Answer("scalar", scalar=right.scalar + error) for error in (0.04, -0.04, 0.06, -0.06, 300.0)]
        else:
            cells, name = right.cells, right.cells[0][1] if right.cells else names[0]
            free = [row for row in range(drawn.table.rows) if (row, name) not in cells]
            offered += [Answer("lookup", cells=cells[1:]), Answer("lookup", cells=cells[::-1])]
            offered += [Answer("lookup", cells=(*cells, (free[0], name)))] if free else []
            offered += [Answer("lookup", cells=tuple((row, other) for row, _ in cells)) for other in names]
        for answer in offered:
            expected = answer.equals(right)
            found = is_correct(ending_with(execution, answer, names), one.target)
            assert bool(found) == expected, (drawn.question, answer, right)
            outcomes[right.kind, expected] += 1
    assert min(outcomes.values()) > 20


def test_is_correct_refuses_a_program_that_does_not_fit_the_table():
    table = Table(("A",), (np.array(TEXTS),))
    program = Program((Step("reset"),) * 3 + (Step("sum", "A"),))
    parameters = network.initial(EVERYTHING, len(VOCABULARY), np.random.default_rng(0))
    execution = execute_forced(parameters, EVERYTHING, forcing(program, table, EVERYTHING))
    right = Answer("scalar", scalar=0.0)
    target = Target(np.asarray(True), np.float32(0), np.zeros(table.rows, bool), np.int32(0))
    assert bool(is_correct(execution, target)) == run(program, table).answer.equals(right)


def test_learner_encodes_learns_and_judges_one_example_at_a_time():
    """The learner's functions are those of the module, for its own words and configuration."""
    dataset = draw_train(task("single-column"), 6, seed=0)
    learner = soft.SoftLearner(RNN, Vocabulary.of(dataset.task.words))
    parameters = learner.initial(np.random.default_rng(2))
    np.testing.assert_array_equal(parameters.words, learner.initial(np.random.default_rng(2)).words)
    assert not learner.fresh
    model = learner.model(parameters, Trained("single-column"))
    triples = learner.encode(dataset)
    for place, drawn in enumerate(dataset):
        one = jax.tree.map(lambda array, place=place: array[place], triples)
        assert learner.loss(parameters, one, Settings(), None) == soft.loss(parameters, RNN, one, Settings())
        right = model.answer(drawn.question, drawn.table).equals(drawn.answer)
        assert bool(learner.correct(parameters, one)) == right
