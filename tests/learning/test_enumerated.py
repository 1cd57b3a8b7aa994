"""Reference: the loss by loops over candidates. Gradients: finite differences. Learning: own questions."""

from dataclasses import replace

import jax
import numpy as np
import pytest

from neural_programmer.answering.model import Model
from neural_programmer.data.language import STEPS, Speaker
from neural_programmer.data.paper.draws import Given, generator_of
from neural_programmer.learning.config import TrainingConfig
from neural_programmer.learning.enumerated import EnumeratedLearner, taught
from neural_programmer.learning.examples import vocabulary_of
from neural_programmer.learning.ranked import ranked, spoken
from neural_programmer.learning.training import Learner, train
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.executor import prepare
from neural_programmer.network.ranking import program_scores, transition_vectors
from neural_programmer.network.soft import ALL

CONFIG = NetworkConfig(hidden=6, program_steps=STEPS, columns="linked", operations=ALL, chooses="programs")
COUNT, MOST = 40, 120


def drawn(count, config=CONFIG, most=MOST):
    speaker, generator = Speaker(generator_of(3, 5)), np.random.default_rng(0)
    return [ranked(speaker.draw(), config, generator, most) for _ in range(count)]


@pytest.fixture(scope="module")
def examples():
    return drawn(COUNT)


@pytest.fixture(scope="module")
def learner(examples):
    return EnumeratedLearner(CONFIG, vocabulary_of(examples), frozenset(), (0.0, 0.0))


@pytest.fixture(scope="module")
def data(learner, examples):
    return jax.tree.map(lambda a: a.astype(float) if a.dtype.kind == "f" else a, learner.encode(examples[:10]))


def weights_of(learner):
    return jax.tree.map(lambda array: 5 * array.astype(float), learner.initial(np.random.default_rng(0)))


def one(tree, place):
    return jax.tree.map(lambda array: array[place], tree)


def test_drawn_questions_are_the_same_of_the_same_seed_and_have_a_right_program():
    one_time, again, other = (spoken(30, CONFIG, seed) for seed in (1, 1, 2))
    assert 20 < len(one_time) <= 30
    assert all(question.right.any() for question in one_time)
    assert [question.question for question in one_time] == [question.question for question in again]
    assert [question.question for question in one_time] != [question.question for question in other]


def naive_loss(learner, weights, triple):
    """-log of the share that the right candidates have, in NumPy."""
    prepared = prepare(weights, CONFIG, triple.example, executes=False)
    transitions, moves = transition_vectors(weights), triple.moves.astype(int)
    scores = program_scores(weights, CONFIG, prepared, transitions, moves, triple.features)
    powers = [np.exp(score) for score, there in zip(scores, triple.there, strict=True) if there]
    right = [np.exp(score) for score, gives in zip(scores, triple.right, strict=True) if gives]
    return -np.log(sum(right) / sum(powers)) if right else 0.0


def test_the_loss_is_that_of_any_right_candidate(learner, data):
    weights = weights_of(learner)
    with jax.enable_x64(True):
        loss = jax.jit(lambda weights, triple: learner.loss(weights, triple, None, None, jax.random.key(0)))
        for place in range(len(data.right)):
            triple = one(data, place)
            np.testing.assert_allclose(loss(weights, triple), naive_loss(learner, weights, triple), rtol=1e-9)


def shares_of(weights, triple):
    """P of every candidate, in NumPy."""
    prepared = prepare(weights, CONFIG, triple.example, executes=False)
    moves = triple.moves.astype(int)
    scores = program_scores(weights, CONFIG, prepared, transition_vectors(weights), moves, triple.features)
    powers = np.where(triple.there, np.exp(scores - scores.max()), 0.0)
    return powers / powers.sum()


def test_a_teacher_is_followed_as_much_as_it_counts(learner, examples):
    """The loss by loops: some of the answer's, and some of how unlikely what the teacher says is."""
    generator = np.random.default_rng(3)
    some = [each for each in examples[:10] if each.programs]
    some = [replace(each, taught=generator.dirichlet(np.ones(len(each.moves)))) for each in some]
    pupil, weights = replace(learner, taught=0.7), weights_of(learner)
    data = jax.tree.map(lambda a: a.astype(float) if a.dtype.kind == "f" else a, pupil.encode(some))
    with jax.enable_x64(True):
        loss = jax.jit(lambda weights, triple: pupil.loss(weights, triple, None, None, jax.random.key(0)))
        for place in range(len(some)):
            triple = one(data, place)
            pairs = zip(triple.taught, shares_of(weights, triple), strict=True)
            unlikely = -sum(said * np.log(share) for said, share in pairs if said > 0)
            wanted = 0.3 * naive_loss(learner, weights, triple) + 0.7 * unlikely
            np.testing.assert_allclose(loss(weights, triple), wanted, rtol=1e-6)


@pytest.mark.parametrize("count", [1, 3])
def test_what_a_teacher_says(learner, examples, count):
    """The shares of one network; of several those of the mean of their log-probabilities. Each question has its own."""
    each = [jax.tree.map(lambda a: 5 * a, learner.initial(np.random.default_rng(seed))) for seed in range(count)]
    weights = each[0] if count == 1 else jax.tree.map(lambda *arrays: np.stack(arrays), *each)
    teacher = Model(replace(CONFIG, members=count), learner.vocabulary, weights)
    data = learner.encode(examples[:6])
    for place, said in enumerate(taught(examples[:6], teacher)):
        here = len(said.moves)
        logs = np.mean([np.log(shares_of(one_of, one(data, place))[:here]) for one_of in each], axis=0)
        np.testing.assert_allclose(said.taught, np.exp(logs) / np.exp(logs).sum(), rtol=1e-3, atol=1e-6)


@pytest.mark.slow
def test_gradient_is_that_of_finite_differences(learner, data):
    weights, triple = weights_of(learner), one(data, int(np.argmax(data.right.any(axis=1))))
    with jax.enable_x64(True):
        found = jax.grad(lambda weights: learner.loss(weights, triple, None, None, jax.random.key(0)))(weights)
        gradient = [np.asarray(array) for array in jax.tree.leaves(found)]
    generator, step = np.random.default_rng(2), 1e-6
    direction = jax.tree.map(lambda array: generator.normal(size=array.shape), weights)
    ends = [
        naive_loss(learner, jax.tree.map(lambda w, d, s=s: w + s * step * d, weights, direction), triple)
        for s in (1, -1)
    ]
    along = sum(np.sum(g * d) for g, d in zip(gradient, jax.tree.leaves(direction), strict=True))
    np.testing.assert_allclose(along, (ends[0] - ends[1]) / (2 * step), rtol=1e-5)


def test_padding_changes_nothing(learner, examples):
    """Beside a question with more words, columns and candidates."""
    weights = learner.initial(np.random.default_rng(0))
    small, large = sorted(examples, key=lambda each: len(each.moves))[:: len(examples) - 1]
    loss = jax.jit(lambda weights, triple: learner.loss(weights, triple, None, None, jax.random.key(0)))
    losses = [loss(weights, one(learner.encode(part), 0)) for part in ([small], [small, large])]
    np.testing.assert_allclose(losses[0], losses[1], rtol=1e-5)


def test_of_many_candidates_the_right_ones_are_kept():
    speaker = Speaker(generator_of(3, 5))
    for _ in range(10):
        asked = speaker.draw()
        few, many = (ranked(asked, CONFIG, np.random.default_rng(0), most) for most in (50, 100_000))
        assert len(few.moves) <= 50
        assert few.right.sum() == min(many.right.sum(), 50)


@pytest.mark.slow
def test_learns(examples):
    """From nothing to all questions that some program answers; the same seed gives the same."""
    config = NetworkConfig(hidden=16, program_steps=STEPS, columns="linked", operations=ALL, chooses="programs")
    some = [each for each in examples if each.right.any()]
    learner = EnumeratedLearner(config, vocabulary_of(some), frozenset(), (0.0, 0.0))
    assert isinstance(learner, Learner)
    training = TrainingConfig(
        steps=300, batch=20, learning_rate=0.01, examples=len(some), validation=len(some), report_every=100,
        average=0.9, patience=1,
    )  # fmt: skip
    result = train(learner, Given("own", some, some), training)
    assert result.reports[-1].best_accuracy == [1.0]
    assert result.model.config.chooses == "programs"
