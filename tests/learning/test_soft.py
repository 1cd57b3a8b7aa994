"""Reference: losses against loops over cells. Gradients: finite differences in float64, away from ties."""

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neural_programmer.data.paper.draws import draw_test, draw_train
from neural_programmer.data.paper.settings import task
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning import soft
from neural_programmer.learning.batches import Target, Triples, encode_dataset, is_correct
from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import Sizes, Vocabulary, encode
from neural_programmer.network.executor import HARD, SOFT, Choice, Lookup, execute
from neural_programmer.network.soft import ALL
from neural_programmer.network.weights import Trained
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.operations import PAPER, TEXT
from neural_programmer.programs.program import Program, Step, run
from neural_programmer.programs.result import Result
from neural_programmer.questions.question import Question
from neural_programmer.tables.table import Table
from random_programs import TEXTS, VOCABULARY, execute_forced, forcing, linked

HIDDEN = 4
RNN = NetworkConfig(hidden=HIDDEN, reader="rnn", attention=False, arguments="blended", columns="names")
EVERYTHING = replace(RNN, reader="bidirectional", attention=True, arguments="mixed", operations=TEXT)
DEFAULT = NetworkConfig(hidden=HIDDEN, operations=TEXT)
ALL_OPERATIONS = NetworkConfig(hidden=HIDDEN, operations=ALL)
CONFIGS = pytest.mark.parametrize("config", [RNN, DEFAULT], ids=["rnn", "default"])
QUICK = {"xla_backend_optimization_level": 0}  # compiled to run a few times only
ROOM = Sizes(words=9, links=8, numbers=5, columns=5, name_words=2, rows=7, texts=6)

ASKED = Question(("greater", "A", "lesser", "B", "sum", "word:1"), (12.5, -3.25), (0, 2))
NUMBERS = Table(("A", "B"), (np.array([1.5, 20.0, -7.25, 4.0]), np.array([30.0, 2.5, -40.0, 8.0])))
MIXED = Table(("A", "column B"), (NUMBERS.columns[0], np.array(["word:1", "word:0", "word:1", "word:2"])))
THREE = Table(("A", "B", "C"), (*NUMBERS.columns, MIXED.columns[1]))
GAPS = Table(
    ("A", "B", "C"),
    (
        np.array([1.5, np.nan, -7.25, 4.0]),
        np.array(["2020-03-01", "2021-01-01", "NaT", "1999-12-31"], "M8[D]"),
        np.array(["word:1", "", "word:1", "word:2"]),
    ),
)
NOTHING = np.asarray(0.0)  # no reward for undecided selections


class Settings(NamedTuple):
    delta: np.ndarray = np.asarray(10.0)
    lookup_weight: np.ndarray = np.asarray(50.0)
    relative: np.ndarray = np.asarray(0.0)


class Now(NamedTuple):
    entropy: np.ndarray = NOTHING
    selection_noise: np.ndarray = NOTHING


def double(tree):
    return jax.tree.map(lambda array: array.astype(np.float64) if array.dtype.kind == "f" else array, tree)


def parameters_of(config, seed=0):
    """Weights in float64, ten times as large as the initial ones: selections are undecided but not even."""
    return jax.tree.map(lambda a: 10 * a, double(network.initial(config, len(VOCABULARY), np.random.default_rng(seed))))


def triple_of(table, answer, config, room=None):
    """A question about a table with this answer: a number, the rows to look up in the first column, or None.

    With all operations, the question is a linked one.
    """
    question = linked(table) if config.operations == ALL else ASKED
    example = double(encode(question, table, VOCABULARY, config, room))
    rows = np.zeros(example.table.shape[0], bool)
    scalar = isinstance(answer, float)
    rows[answer if isinstance(answer, list) else []] = True
    number = np.asarray(answer if scalar else 0.0, np.float64)
    return Triples(example, Target(np.asarray(answer is None), np.asarray(scalar), number, rows, np.asarray(0)))


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


@CONFIGS
@pytest.mark.parametrize("room", [None, ROOM], ids=["tight", "padded"])
def test_loss_of_a_scalar_question(config, room):
    parameters = parameters_of(config)
    triple = triple_of(NUMBERS, 100.0, config, room)
    answer = float(execute(parameters, config, triple_of(NUMBERS, 0.0, config).example, SOFT).scalar_answer)
    for delta in (10.0, 500.0):
        settings = Settings(delta=np.asarray(delta))
        expected = naive_huber(answer, 100.0, delta)
        np.testing.assert_allclose(soft.loss(parameters, config, triple, settings, NOTHING), expected, rtol=1e-10)
        heavier = settings._replace(lookup_weight=np.asarray(75.0))
        same = soft.loss(parameters, config, triple, settings, NOTHING)
        assert soft.loss(parameters, config, triple, heavier, NOTHING) == same
        relative = settings._replace(relative=np.asarray(3.0))
        scaled = expected / (delta * (3.0 + 100.0))
        np.testing.assert_allclose(soft.loss(parameters, config, triple, relative, NOTHING), scaled, rtol=1e-10)


@CONFIGS
@pytest.mark.parametrize("room", [None, ROOM], ids=["tight", "padded"])
def test_loss_of_a_lookup_question(config, room):
    parameters = parameters_of(config)
    triple = triple_of(NUMBERS, [1, 2], config, room)
    lookup = execute(parameters, config, triple_of(NUMBERS, 0.0, config).example, SOFT).lookup
    prediction = [[row * column for column in lookup.columns] for row in lookup.rows]
    target = np.array([[False, False], [True, False], [True, False], [False, False]])
    expected = naive_lookup_loss(prediction, target, 4, 2)
    for weight in (25.0, 100.0):
        for relative in (0.0, 3.0):
            settings = Settings(lookup_weight=np.asarray(weight), relative=np.asarray(relative))
            found = soft.loss(parameters, config, triple, settings, NOTHING)
            np.testing.assert_allclose(found, weight * expected, rtol=1e-4)


@pytest.mark.parametrize("answer", [100.0, [1, 2]], ids=["scalar", "lookup"])
def test_entropy_is_a_reward_for_undecided_selections(answer):
    parameters = parameters_of(RNN)
    triple = triple_of(NUMBERS, answer, RNN, ROOM)
    choice = execute(parameters, RNN, triple.example, SOFT).trace.choice
    undecided = 0.0
    for probabilities in (*choice.operation, *choice.column[:, 0, :2]):
        undecided -= sum(p * np.log(p) for p in probabilities)
    assert undecided > 1
    plain = soft.loss(parameters, RNN, triple, Settings(), NOTHING)
    rewarded = soft.loss(parameters, RNN, triple, Settings(), np.asarray(0.3))
    np.testing.assert_allclose(plain - rewarded, 0.3 * undecided, rtol=1e-4)


def test_entropy_of_columns_that_each_operation_chooses_for_itself():
    """The mean over the operations that act on a column; one that has a single column to choose is decided."""
    parameters = parameters_of(DEFAULT)
    triple = triple_of(THREE, 100.0, DEFAULT, ROOM)
    choice = execute(parameters, DEFAULT, triple.example, SOFT).trace.choice
    undecided = 0.0
    for operation, columns in zip(choice.operation, choice.column, strict=True):
        undecided -= sum(p * np.log(p) for p in operation)
        for column in columns:
            undecided -= sum(p * np.log(p) for p in column if p > 0) / len(columns)
    assert np.count_nonzero(choice.column[0], axis=1).tolist() == [2, 2, 2, 3, 1]
    plain = soft.loss(parameters, DEFAULT, triple, Settings(), NOTHING)
    rewarded = soft.loss(parameters, DEFAULT, triple, Settings(), np.asarray(0.3))
    np.testing.assert_allclose(plain - rewarded, 0.3 * undecided, rtol=1e-4)


@pytest.mark.parametrize("config", [RNN, EVERYTHING, DEFAULT], ids=["rnn", "everything", "default"])
@pytest.mark.parametrize("table", [NUMBERS, THREE], ids=["numbers", "text"])
def test_padding_does_not_change_the_reward(config, table):
    """Also where an operation has no column to act on."""
    parameters = parameters_of(config)
    tight, padded = (
        soft.loss(parameters, config, triple_of(table, 100.0, config, room), Settings(), np.asarray(0.3))
        for room in (None, ROOM)
    )
    np.testing.assert_allclose(padded, tight, rtol=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("config", [RNN, EVERYTHING, DEFAULT], ids=["rnn", "everything", "default"])
def test_noise_on_the_selections(config):
    """Noise of size nothing changes nothing; other noise changes the loss, the same key the same way."""
    parameters, triple = jax.tree.map(jnp.asarray, (parameters_of(config), triple_of(THREE, 100.0, config, ROOM)))
    plain, noisy = (soft.SoftLearner(config, VOCABULARY, noisy) for noisy in (False, True))
    keys = [jax.random.key(seed) for seed in (0, 0, 1)]

    def losses(learner, size):
        now = Now(selection_noise=np.asarray(size))
        return [float(learner.loss(parameters, triple, Settings(), now, key)) for key in keys]

    assert losses(noisy, 0.0) == pytest.approx(losses(plain, 0.0), rel=1e-6)
    first, again, other = losses(noisy, 1.0)
    assert first == again
    assert first != pytest.approx(other, rel=1e-3)


def test_noise_is_on_what_is_selected():
    """The paper's network selects one column a step, whatever the operation, and one number for each comparison."""
    parameters, triple = jax.tree.map(jnp.asarray, (parameters_of(RNN), triple_of(THREE, 100.0, RNN, ROOM)))
    noise = soft.SoftLearner(RNN, VOCABULARY, noisy=True)._noise(triple, jnp.asarray(1.0), jax.random.key(0))
    plain, noisy = (execute(parameters, RNN, triple.example, SOFT, force) for force in (None, noise))
    assert (noisy.trace.choice.column == noisy.trace.choice.column[:, :1]).all()
    assert (noisy.trace.choice.column != plain.trace.choice.column).any()
    assert not np.allclose(noisy.arguments.pivots, plain.arguments.pivots)


def test_selections_with_noise_are_drawn_by_their_probabilities():
    """The largest of scores with Gumbel noise of size one is each as often as the softmax says."""
    parameters, triple = jax.tree.map(jnp.asarray, (parameters_of(RNN), triple_of(THREE, 100.0, RNN, ROOM)))
    learner = soft.SoftLearner(RNN, VOCABULARY, noisy=True)
    expected = execute(parameters, RNN, triple.example, SOFT).trace.choice.operation[0]

    def draw(key):
        noise = learner._noise(triple, jnp.asarray(1.0), key)
        return execute(parameters, RNN, triple.example, HARD, noise).trace.choice.operation[0]

    drawn = jax.jit(jax.vmap(draw))(jax.random.split(jax.random.key(0), 4_000))
    np.testing.assert_allclose(drawn.mean(axis=0), expected, atol=0.03)


def test_entropy_of_planted_selections():
    """Evenly spread over four it is log 4 a step, decided it is nothing."""
    np.testing.assert_allclose(soft.entropy(np.full((3, 4), 0.25)), [np.log(4)] * 3, rtol=1e-4)
    np.testing.assert_allclose(soft.entropy(np.eye(4)), np.zeros(4), atol=1e-5)


@pytest.mark.parametrize(
    ("config", "table", "answers"),
    [
        (RNN, NUMBERS, [(3.0, 500.0), (100.0, 10.0)]),
        (EVERYTHING, MIXED, [([0, 2], 10.0), ([], 10.0), (3.0, 500.0)]),
        (DEFAULT, THREE, [([0, 2], 10.0), ([], 10.0), (3.0, 500.0), (100.0, 10.0)]),
        (ALL_OPERATIONS, GAPS, [([0, 2], 10.0), ([], 10.0), (3.0, 500.0), (100.0, 10.0)]),
    ],
    ids=[
        "rnn, scalar",
        "bidirectional with attention, look-up and text match",
        "default, with text match",
        "all operations, dates and missing cells",
    ],
)
def test_gradient_is_that_of_finite_differences(config, table, answers):
    """JAX's gradient against NumPy's loss: every parameter moved a little in random directions.

    The answers take both branches of the Huber loss, and look-ups of some cells and of none.
    """
    parameters = parameters_of(config, seed=1)
    leaves, tree = jax.tree.flatten(parameters)
    reward = np.asarray(0.1)
    with jax.enable_x64(True):
        slope = jax.grad(lambda weights, triple, settings: soft.loss(weights, config, triple, settings, reward))
        gradient_of = jax.jit(slope, compiler_options=QUICK)
        for answer, delta in answers:
            triple = triple_of(table, answer, config, ROOM)
            settings = Settings(delta=np.asarray(delta))
            gradient = jax.tree.leaves(gradient_of(parameters, triple, settings))
            loss_of = partial(soft.loss, config=config, triple=triple, settings=settings, reward=reward)
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


@pytest.mark.parametrize("arguments", ["blended", "mixed", "step"])
def test_gradient_of_the_choice_of_a_number(arguments):
    """Mixed comparisons pass a gradient to the scores of the numbers; the comparison with their mean passes none.

    One choice is for the whole question, or each column has its own at every step; that of the last step comes too late
    for a scalar.
    """
    config = replace(RNN, arguments=arguments)
    fixed = parameters_of(config, seed=1), triple_of(NUMBERS, 0.0, config).example
    start = Choice(np.zeros((4, 9)), np.zeros((4, 4, 2)), np.zeros((4, 2, 2, 2)))

    def answer(force, parameters, example):
        return execute(parameters, config, example, SOFT, force).scalar_answer

    def moved(argument):
        return answer(start._replace(argument=argument), *fixed)

    with jax.enable_x64(True):
        gradient = np.asarray(jax.jit(jax.grad(answer), compiler_options=QUICK)(start, *fixed).argument)
    steps, columns = {"blended": (0, 0), "mixed": (1, 1), "step": (3, 2)}[arguments]
    taken = np.zeros_like(gradient, bool)
    taken[:steps, :, :columns] = True
    assert (np.abs(gradient[taken]) > (1e-4 if arguments == "step" else 1e-3)).all()
    np.testing.assert_array_equal(gradient[~taken], 0)
    if arguments == "blended":
        assert moved(1e-6 * np.arange(32).reshape(4, 2, 2, 2)) == moved(start.argument)
    else:
        check_directions(lambda leaves: moved(*leaves), [start.argument], [gradient])


def ending_with(execution, answer, columns):
    """The same hard execution, but for its answer."""
    lookup = Lookup(np.zeros_like(execution.lookup.rows), np.zeros_like(execution.lookup.columns))
    for row, name in answer.cells:
        lookup.rows[row] = lookup.columns[columns.index(name)] = 1
    return execution._replace(
        scalar_answer=np.float32(answer.scalar or 0.0),
        lookup=lookup,
        gives_scalar=np.float32(answer.kind == "scalar"),
        gives_lookup=np.float32(answer.kind == "lookup"),
        gives_nothing=np.float32(0),
    )


def test_questions_about_names_absent_from_training_are_encoded_by_pointers():
    """Every column of the program is mentioned and no other is; by names the words are unknown."""
    unseen = task("unseen-names")
    dataset = draw_test(unseen, seed=0, count=60)
    example, target = encode_dataset(dataset, Vocabulary.of(unseen.words_read(pointers=True)), DEFAULT)
    for place, drawn in enumerate(dataset):
        named = {step.column for step in drawn.program.steps} - {None}
        mentioned = np.flatnonzero(example.mentions[place].any(axis=1))
        assert {drawn.table.names[column] for column in mentioned} == named
        words = drawn.question.split()
        several = sum(words.count(name.split()[0]) * (len(name.split()) - 1) for name in named)
        assert example.word_count[place] == len(words) - drawn.template.number_count - several
        if drawn.answer.cells:
            assert drawn.table.names[target.column[place]] == drawn.answer.cells[0][1]
    with pytest.raises(NeuralProgrammerError, match="the model never met the word"):
        encode_dataset(dataset, Vocabulary.of(unseen.words_read(pointers=False)), RNN)


@pytest.mark.parametrize("config", [EVERYTHING, DEFAULT], ids=["everything", "default"])
def test_is_correct_agrees_with_the_equality_of_answers(config):
    """Right answers, near misses, other cells, answers of the other kind, and none at all."""
    dataset = draw_train(task("text-five-columns"), 40, seed=3)
    vocabulary = Vocabulary.of(dataset.task.words_read(config.columns == "pointers"))
    triples = encode_dataset(dataset, vocabulary, config)
    parameters = network.initial(config, len(vocabulary), np.random.default_rng(0))
    outcomes = {(kind, right): 0 for kind in ("scalar", "lookup") for right in (True, False)}
    for place, drawn in enumerate(dataset):
        one = jax.tree.map(lambda array, place=place: array[place], triples)
        execution = execute(parameters, config, one.example, HARD)
        right, names = drawn.answer, drawn.table.names
        offered = [right, Answer(reason="nothing"), Answer(Result.number(0.0)), Answer(Result.cells(()))]
        if right.scalar is not None:
            offered += [Answer(Result.number(right.scalar + error)) for error in (0.04, -0.04, 0.06, -0.06, 300.0)]
        else:
            cells, name = right.cells, right.cells[0][1] if right.cells else names[0]
            free = [row for row in range(drawn.table.rows) if (row, name) not in cells]
            offered += [Answer(Result.cells(()), cells=cells[1:]), Answer(Result.cells(()), cells=cells[::-1])]
            offered += [Answer(Result.cells(()), cells=(*cells, (free[0], name)))] if free else []
            offered += [Answer(Result.cells(()), cells=tuple((row, other) for row, _ in cells)) for other in names]
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
    right = Answer(Result.number(0.0))
    target = Target(np.asarray(False), np.asarray(True), np.float32(0), np.zeros(table.rows, bool), np.int32(0))
    assert bool(is_correct(execution, target)) == run(program, table).answer.equals(right)


@pytest.mark.parametrize(
    "last", [Step("decline"), Step("count"), Step("assign", "A"), Step("reset"), Step("greatest", "B")], ids=str
)
def test_declining_is_right_where_there_is_no_answer_and_there_alone(last):
    """Nothing was selected before: a count is 0, and what is looked up has no cells."""
    program = Program((Step("reset"), Step("not"), Step("and"), last))
    config = ALL_OPERATIONS
    forced = forcing(program, GAPS, config, question=linked(GAPS))
    execution = execute_forced(network.initial(config, len(VOCABULARY), np.random.default_rng(0)), config, forced)
    answer = run(program, GAPS).answer
    for right, expected in ((None, last.operation == "decline"), (0.0, answer.kind == "scalar"),
                            ([], answer.kind == "lookup")):  # fmt: skip
        assert bool(is_correct(execution, triple_of(GAPS, right, config).target)) == expected, right


@pytest.mark.parametrize("column", ["A", "B"])
def test_a_look_up_without_cells_is_right_of_any_column(column):
    """As `Answer.equals` has it; one with a cell is right in its own column alone."""
    execution = execute(parameters_of(RNN), RNN, triple_of(NUMBERS, 0.0, RNN).example, HARD)
    empty = ending_with(execution, Answer(Result.cells(())), NUMBERS.names)
    empty = empty._replace(lookup=empty.lookup._replace(columns=np.eye(2)["AB".index(column)]))
    assert is_correct(empty, triple_of(NUMBERS, [], RNN).target)
    assert not is_correct(empty, triple_of(NUMBERS, [1], RNN).target)
    filled = empty._replace(lookup=empty.lookup._replace(rows=np.eye(4)[1]))
    assert is_correct(filled, triple_of(NUMBERS, [1], RNN).target) == (column == "A")


@pytest.mark.parametrize("config", [RNN, replace(DEFAULT, operations=PAPER)], ids=["rnn", "default"])
def test_learner_encodes_learns_and_judges_one_example_at_a_time(config):
    """The learner's functions are those of the module, for its own words and configuration."""
    dataset = draw_train(task("three-columns"), 12, seed=0)
    learner = soft.SoftLearner(config, Vocabulary.of(dataset.task.words_read(config.columns == "pointers")))
    parameters = learner.initial(np.random.default_rng(2))
    np.testing.assert_array_equal(parameters.words, learner.initial(np.random.default_rng(2)).words)
    assert not learner.fresh
    assert not learner.averaged
    model = learner.model(parameters, Trained("three-columns"))
    triples = learner.encode(dataset)
    for place, drawn in enumerate(dataset):
        one = jax.tree.map(lambda array, place=place: array[place], triples)
        for reward in (NOTHING, np.asarray(0.3)):
            found = learner.loss(parameters, one, Settings(), Now(reward), None)
            assert found == soft.loss(parameters, config, one, Settings(), reward)
        right = model.answer(drawn.question, drawn.table).equals(drawn.answer)
        assert bool(learner.correct(parameters, one)) == right
