"""Reference: scores by loops over programs and moves. Invariants: the two array libraries agree, padding is nothing."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from candidates.test_candidates import CARS
from neural_programmer.answering.model import Model
from neural_programmer.candidates.enumeration import every
from neural_programmer.data.language import STEPS
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import UNKNOWN, Vocabulary, encode_linked
from neural_programmer.network.equations import History
from neural_programmer.network.executor import first_history, prepare, select
from neural_programmer.network.ranking import potentials, program_scores, transition_vectors
from neural_programmer.network.soft import ALL
from neural_programmer.programs.operations import acting, conditions, named
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import PLACEHOLDERS, link
from neural_programmer.tables.table import Rows

CONFIG = NetworkConfig(hidden=6, program_steps=STEPS, columns="linked", operations=ALL, chooses="programs")
TEXT = "how many audi have a price over 12"


@pytest.fixture(scope="module")
def asked():
    question = link(TEXT, Index.of(CARS))
    vocabulary = Vocabulary.of([*question.words, *PLACEHOLDERS, UNKNOWN])
    weights = network.initial(CONFIG, len(vocabulary), np.random.default_rng(0))
    weights = jax.tree.map(lambda array: 5 * array.astype(float), weights)
    example = encode_linked(question, Index.of(CARS), vocabulary, CONFIG, None)
    example = jax.tree.map(lambda array: array.astype(float) if array.dtype.kind == "f" else array, example)
    return question, vocabulary, weights, example, every(question, [CARS], named(ALL), STEPS)


def naive_score(weights, prepared, moves, features):
    """One candidate, move by move."""
    first = first_history(weights, prepared)
    hidden = CONFIG.hidden
    seen = network.attend(prepared.asked, prepared.mask, first.state)
    question = np.tanh(seen[0] + weights.operation_selector[:, hidden : 2 * hidden] @ first.state)
    operations, before, total = named(ALL), None, 0.0
    for operation, column, argument in moves.tolist():
        if operation < 0:
            break
        entry = operations[operation]
        total += naive_transition(weights, before, operation) @ question
        before = operation
        of_operation = weights.history[:, :hidden] @ weights.operations[operation]
        looking = np.tanh(of_operation + weights.history[:, -hidden:] @ first.state)
        scores = select(weights, prepared, History(looking, first.unused))
        if entry in acting(operations):
            total += scores.column[acting(operations).index(entry), column]
        if entry in conditions(operations):
            total += scores.argument[conditions(operations).index(entry), column, argument]
    total += sum(weights.results[place] @ [*question, 1.0] for place in np.flatnonzero(features))
    return total + naive_hidden(weights, moves, features) @ (weights.outer @ [*question, 1.0])


def naive_hidden(weights, moves, features):
    """What features and operations say together: those that hold or are used add their rows, one after the other."""
    inside = np.zeros(weights.inner.shape[1])
    for place, row in enumerate(weights.inner):
        if place < len(features):
            inside += row * features[place]
        else:
            inside += row * (moves[:, 0] == place - len(features)).sum()
    return np.tanh(inside)


def naive_transition(weights, before, operation):
    """The history RNN after two operations, or after one where nothing stands before it."""
    state = np.zeros(CONFIG.hidden)
    for place in ([] if before is None else [before]) + [operation]:
        read = [*weights.operations[place], *np.zeros(weights.history.shape[1] - 2 * CONFIG.hidden), *state]
        state = np.tanh(weights.history @ read)
    return state


def scores_of(weights, example, candidates, xp=np):
    prepared = prepare(weights, CONFIG, example, executes=False)
    moves, features = xp.asarray(candidates.moves.astype(np.int32)), xp.asarray(candidates.features)
    return program_scores(weights, CONFIG, prepared, transition_vectors(weights), moves, features)


def test_scores_are_those_of_their_parts(asked):
    _, _, weights, example, candidates = asked
    scores = scores_of(weights, example, candidates)
    prepared = prepare(weights, CONFIG, example, executes=False)
    assert len(candidates) > 500
    for place in np.random.default_rng(1).permutation(len(candidates))[:150].tolist():
        wanted = naive_score(weights, prepared, candidates.moves[place], candidates.features[place])
        np.testing.assert_allclose(scores[place], wanted, rtol=1e-9)


def test_no_candidate_has_a_move_that_is_none(asked):
    _, _, weights, example, candidates = asked
    assert scores_of(weights, example, candidates).min() > -1e6
    prepared = prepare(weights, CONFIG, example, executes=False)
    assert min(part.min() for part in potentials(weights, CONFIG, prepared)) < -1e6, "there are such moves"


def test_numpy_and_jax_agree(asked):
    _, _, weights, example, candidates = asked
    with jax.enable_x64(True):
        of_jax = jax.jit(lambda weights, example: scores_of(weights, example, candidates, jnp))(weights, example)
    np.testing.assert_allclose(scores_of(weights, example, candidates), of_jax, rtol=1e-9)


def test_every_two_operations_are_read_one_after_the_other(asked):
    _, _, weights, _, _ = asked
    transitions = transition_vectors(weights)
    assert transitions.shape == (len(ALL) + 1, len(ALL), CONFIG.hidden)
    for before in (*range(len(ALL)), None):
        for operation in range(len(ALL)):
            wanted = naive_transition(weights, before, operation)
            np.testing.assert_allclose(transitions[-1 if before is None else before, operation], wanted, rtol=1e-9)


def test_moves_that_are_none_change_nothing(asked):
    _, _, weights, example, candidates = asked
    padding = np.full((len(candidates), 3, 3), -1, candidates.moves.dtype)
    padded = replace(candidates, moves=np.concatenate([candidates.moves, padding], axis=1))
    np.testing.assert_allclose(scores_of(weights, example, candidates), scores_of(weights, example, padded))


def test_a_model_decides_by_answers(asked):
    """The answer whose programs are together the most probable, with the best of them; declining is one of them."""
    _, vocabulary, weights, example, candidates = asked
    model = Model(CONFIG, vocabulary, jax.tree.map(lambda array: array.astype(np.float32), weights))
    decision = model.decide(TEXT, Index.of(CARS), Rows.of(CARS))
    scores = scores_of(weights, example, candidates)
    shares = np.exp(scores - np.logaddexp.reduce(scores))
    best = max(candidates.alike(), key=lambda places: shares[places].sum())
    assert decision.confidence == pytest.approx(shares[best].sum(), rel=1e-4)
    assert len(decision.others) == 3
    assert decision.others[0][1] <= decision.confidence


def test_programs_are_chosen_among_linked_columns():
    with pytest.raises(NeuralProgrammerError, match="columns must be linked where programs are chosen whole"):
        NetworkConfig(chooses="programs")
