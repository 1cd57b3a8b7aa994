"""Reference: the loss by loops over programs and steps. Gradients: finite differences. Learning: own questions."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from neural_programmer.answering.model import Model
from neural_programmer.data.language import STEPS, Speaker
from neural_programmer.data.paper.draws import generator_of
from neural_programmer.learning.examples import drawn, vocabulary_of
from neural_programmer.learning.found import FoundLearner, Questions, forgetful, program_log_probability
from neural_programmer.learning.training import Learner
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.decide import followed, move_scores, search
from neural_programmer.network.encode import UNKNOWN
from neural_programmer.network.executor import first_history, prepare
from neural_programmer.network.soft import ALL
from neural_programmer.network.weights import Trained
from neural_programmer.programs.program import run
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import PLACEHOLDERS

CONFIG = NetworkConfig(hidden=6, program_steps=STEPS, columns="linked", operations=ALL)
SEED, STREAM, COUNT = 5, 9, 150


@pytest.fixture(scope="module")
def examples():
    return drawn(COUNT, STEPS, SEED, STREAM)


@pytest.fixture(scope="module")
def vocabulary(examples):
    return vocabulary_of(examples)


@pytest.fixture(scope="module")
def learner(vocabulary):
    return FoundLearner(CONFIG, vocabulary, frozenset(), (0.0, 0.0))


@pytest.fixture(scope="module")
def data(learner, examples):
    """The first dozen, one without programs among them, in float64."""
    some = [*examples[:10], replace(examples[10], programs=()), examples[11]]
    return jax.tree.map(lambda array: array.astype(float) if array.dtype.kind == "f" else array, learner.encode(some))


def weights_of(learner, seed=0):
    """Five times as large as the initial ones, in float64."""
    drawn = learner.initial(np.random.default_rng(seed))
    return jax.tree.map(lambda array: 5 * array.astype(float), drawn)


def one(tree, place):
    return jax.tree.map(lambda array: array[place], tree)


def naive_log_probability(parameters, config, example, program):
    """Step by step, with NumPy: the move's share of the softmax over all moves."""
    prepared = prepare(parameters, config, example)
    history, total = first_history(parameters, prepared), 0.0
    for move in program:
        scores = move_scores(parameters, config, prepared, history)
        total += scores[tuple(move)] - scores.max() - np.log(np.exp(scores - scores.max()).sum())
        history = followed(parameters, config, prepared, history, move)
    return total


def naive_loss(parameters, config, triple):
    """-log of the sum of the probabilities of all right programs"""
    shares = [
        np.exp(naive_log_probability(parameters, config, triple.example, program.astype(np.int64)))
        for program, right in zip(triple.programs, triple.right, strict=True)
        if right
    ]
    return -np.log(sum(shares)) if shares else 0.0


def test_the_loss_is_that_of_any_right_program(learner, data):
    parameters = weights_of(learner)
    with jax.enable_x64(True):
        loss = jax.jit(lambda parameters, triple: learner.loss(parameters, triple, None, None, jax.random.key(0)))
        for place in range(len(data.right)):
            triple = one(data, place)
            np.testing.assert_allclose(
                loss(parameters, triple), naive_loss(parameters, CONFIG, triple), rtol=1e-9, atol=1e-12
            )
    assert not data.right[10].any()


def test_probabilities_of_first_moves_sum_to_one(learner, data):
    """Over all moves of one step, given any beginning."""
    parameters = weights_of(learner)
    prepared = prepare(parameters, CONFIG, one(data.example, 0))
    history = first_history(parameters, prepared)
    for move in data.programs[0, 0].astype(np.int64):
        scores = move_scores(parameters, CONFIG, prepared, history)
        shares = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
        np.testing.assert_allclose(shares.sum(), 1, rtol=1e-9)
        history = followed(parameters, CONFIG, prepared, history, move)


def test_gradient_is_that_of_finite_differences(learner, data):
    """JAX's gradient in float32 and float64 against NumPy's loss in float64, in a random direction of every weight."""
    parameters = weights_of(learner)
    place = next(place for place in range(len(data.right)) if data.right[place].sum() > 1)
    triple = one(data, place)

    def loss(parameters, triple):
        return learner.loss(parameters, triple, None, None, jax.random.key(0))

    with jax.enable_x64(True):
        exact = [np.asarray(array) for array in jax.tree.leaves(jax.jit(jax.grad(loss))(parameters, triple))]
    small = jax.tree.map(
        lambda array: array.astype(np.float32) if array.dtype.kind == "f" else array, (parameters, triple)
    )
    rough = [np.asarray(array) for array in jax.tree.leaves(jax.jit(jax.grad(loss))(*small))]
    leaves, tree = jax.tree.flatten(parameters)
    generator = np.random.default_rng(9)
    moved = 0
    for number, leaf in enumerate(leaves):
        direction, step = generator.normal(size=leaf.shape), 1e-6
        ends = []
        for sign in (1, -1):
            shifted = [*leaves[:number], leaf + sign * step * direction, *leaves[number + 1 :]]
            ends.append(naive_loss(jax.tree.unflatten(tree, shifted), CONFIG, triple))
        expected = (ends[0] - ends[1]) / (2 * step)
        np.testing.assert_allclose(np.sum(exact[number] * direction), expected, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(np.sum(rough[number] * direction), expected, rtol=2e-2, atol=2e-3)
        moved += abs(expected) > 1e-6
    assert moved > len(leaves) - 3


def test_gradient_of_the_probability_of_a_program(learner, data):
    """The same of log P(z) for a program with a number or text."""
    parameters = weights_of(learner, 1)
    example, program = one(data.example, 0), data.programs[0, 0].astype(np.int64)

    def log(parameters, example, program):
        return program_log_probability(parameters, CONFIG, prepare(parameters, CONFIG, example), program)

    with jax.enable_x64(True):
        value, gradient = jax.tree.map(np.asarray, jax.jit(jax.value_and_grad(log))(parameters, example, program))
    np.testing.assert_allclose(value, naive_log_probability(parameters, CONFIG, example, program), rtol=1e-9)
    assert value < 0
    direction = np.random.default_rng(3).normal(size=parameters.history.shape)
    ends = [
        naive_log_probability(parameters._replace(history=parameters.history + s * direction), CONFIG, example, program)
        for s in (1e-6, -1e-6)
    ]
    np.testing.assert_allclose(np.sum(gradient.history * direction), (ends[0] - ends[1]) / 2e-6, rtol=1e-5)


def test_a_question_without_programs_teaches_nothing(learner, data):
    parameters, triple = weights_of(learner), one(data, 10)
    slope = jax.jit(jax.grad(lambda p, triple: learner.loss(p, triple, None, None, jax.random.key(0))))
    assert not any(np.any(array) for array in jax.tree.leaves(slope(parameters, triple)))


def test_words_are_forgotten_but_not_placeholders(vocabulary, learner, examples):
    """Common ones as often as asked for, others as often as asked for these; without any, all are kept."""
    common = frozenset(vocabulary.words[len(PLACEHOLDERS) + 2 :: 2])
    batch = learner.encode(examples[:40]).example
    keys = jax.random.split(jax.random.key(1), 40)

    def forget(example, key):
        return forgetful(example, key, vocabulary, common, (0.1, 0.4))

    forgotten = jax.vmap(forget)(batch, keys)
    unknown = vocabulary.places[UNKNOWN]
    placeholder = np.array([word in (*PLACEHOLDERS, "") for word in vocabulary.words])
    is_common = np.array([word in common for word in vocabulary.words])
    before, after = (np.concatenate([part.words.ravel(), part.names.ravel()]) for part in (batch, forgotten))
    changed = after != before
    assert not changed[placeholder[before]].any()
    assert (after[changed] == unknown).all()
    plain = ~placeholder[before] & (before != unknown)
    assert 0.05 < changed[plain & is_common[before]].mean() < 0.16
    assert 0.3 < changed[plain & ~is_common[before]].mean() < 0.5
    again = jax.vmap(forget)(batch, jax.random.split(jax.random.key(2), 40))
    assert (np.asarray(again.words) != np.asarray(forgotten.words)).any()
    same = forgetful(one(batch, 0), jax.random.key(0), vocabulary, common, (0.0, 0.0))
    np.testing.assert_array_equal(same.words, batch.words[0])
    np.testing.assert_array_equal(same.names, batch.names[0])


def greedy(parameters, example):
    """The most probable move of every step after those before it."""
    prepared = prepare(parameters, CONFIG, example)
    history, moves = first_history(parameters, prepared), []
    for _ in range(CONFIG.program_steps):
        scores = move_scores(parameters, CONFIG, prepared, history)
        moves.append(np.array(np.unravel_index(scores.argmax(), scores.shape)))
        history = followed(parameters, CONFIG, prepared, history, moves[-1])
    return np.stack(moves)


def planted(triple, program, beyond=False):
    """One question, of which only one program is right; an array with a leading axis for one question."""
    programs = np.tile(np.where(program[:, :1] == 0, 1, 0) + 0 * program, (len(triple.programs), 1, 1))
    programs[3] = program
    right = np.arange(len(programs)) == 3
    return jax.tree.map(lambda array: np.asarray(array)[None], Questions(triple.example, programs, right, beyond))


def test_what_asking_gives_is_what_validates(learner, data):
    """The first program of the beam, and not the most probable move of every step, where these differ."""
    parameters, differing = weights_of(learner), 0
    stacked = jax.tree.map(lambda array: array[None], parameters)
    for place in range(len(data.right)):
        triple = one(data, place)
        best, step_by_step = search(parameters, CONFIG, triple.example).best()[0][0], greedy(parameters, triple.example)
        assert learner.answered(stacked, planted(triple, best)).tolist() == [[True]]
        same = np.array_equal(best, step_by_step)
        assert learner.answered(stacked, planted(triple, step_by_step)).tolist() == [[same]]
        wrong = planted(triple, best)
        assert learner.answered(stacked, wrong._replace(right=~wrong.right)).tolist() == [[False]]
        differing += not same
    assert differing > 0


def test_every_restart_validates_by_its_own_weights(learner, data):
    several = [weights_of(learner, seed) for seed in range(2)]
    best = [search(parameters, CONFIG, one(data.example, 0)).best()[0][0] for parameters in several]
    assert not np.array_equal(*best)
    stacked = jax.tree.map(lambda *arrays: np.stack(arrays), *several)
    assert learner.answered(stacked, planted(one(data, 0), best[1])).tolist() == [[False], [True]]


def test_what_no_operation_gives_is_declined_while_validating_as_when_it_is_asked(learner, data):
    """Whatever the network thinks of it."""
    reset, decline = (CONFIG.operations.index(name) for name in ("reset", "decline"))
    program = np.array([[reset, 0, 0]] * (STEPS - 1) + [[decline, 0, 0]])
    stacked = jax.tree.map(lambda array: array[None], weights_of(learner))
    for beyond in (False, True):
        assert learner.answered(stacked, planted(one(data, 0), program, beyond)).tolist() == [[beyond]]


def test_it_is_a_learner(learner):
    assert isinstance(learner, Learner)
    model = learner.model(learner.initial(np.random.default_rng(0)), Trained("questions", 1, 2))
    assert isinstance(model, Model)
    assert model.vocabulary is learner.vocabulary


@pytest.mark.slow
def test_it_learns_its_own_questions(vocabulary, examples):
    """A hundred and fifty of them, from answers alone: most are answered rightly, and the loss falls."""
    config = replace(CONFIG, hidden=48)
    learner = FoundLearner(config, vocabulary, frozenset(), (0.0, 0.0))
    whole = learner.encode(examples)
    few = whole._replace(programs=whole.programs[:, :4], right=whole.right[:, :4])
    data = jax.tree.map(jnp.asarray, few)
    parameters = learner.initial(np.random.default_rng(0))
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-2))

    @jax.jit
    def steps(parameters, state, keys):
        def step(carry, key):
            parameters, state = carry
            places = jax.random.randint(key, (30,), 0, COUNT)
            batch = jax.tree.map(lambda array: array[places], data)

            def mean(parameters):
                return jnp.mean(jax.vmap(lambda triple: learner.loss(parameters, triple, None, None, key))(batch))

            loss, gradient = jax.value_and_grad(mean)(parameters)
            updates, state = optimizer.update(gradient, state)
            return (optax.apply_updates(parameters, updates), state), loss

        return jax.lax.scan(step, (parameters, state), keys)

    keys = jax.random.split(jax.random.key(0), 250)
    (parameters, _), losses = steps(parameters, optimizer.init(parameters), keys)
    assert np.mean(losses[-20:]) < 0.2 * np.mean(losses[:5])
    (right,) = learner.answered(jax.tree.map(lambda array: array[None], parameters), data)
    assert np.mean(right) > 0.8
    answered(learner.model(jax.tree.map(np.asarray, parameters), Trained()), right)


def answered(model, right):
    """What the learner calls right, the model answers rightly on all tables of the question."""
    speaker = Speaker(generator_of(SEED, STREAM, 0))
    for correct in right[:40]:
        asked = speaker.draw()
        if correct:
            decision = model.decide(asked.question, Index.of(asked.tables[0]))
            for table, answer in zip(asked.tables, asked.answers, strict=True):
                found = run(decision.program, table).answer
                assert found.kind == answer.kind
                assert found.equals(answer) or answer.kind == "none" or sorted(found.values) == sorted(answer.values)
