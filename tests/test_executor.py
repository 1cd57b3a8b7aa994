"""Oracle: one-hot selections equal the exact interpreter. Invariants: padding and order change nothing."""

from collections import Counter

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neural_programmer import network
from neural_programmer.config import NetworkConfig
from neural_programmer.encode import Sizes, encode
from neural_programmer.executor import HARD, SAMPLED, SOFT, Noise, execute
from neural_programmer.operations import OPERATIONS
from neural_programmer.program import run
from neural_programmer.table import Table
from programs import QUESTION, VOCABULARY, execute_forced, forcing, random_program, random_table

CONFIG = NetworkConfig(hidden=8, text_match=True)
PARAMETERS = network.initial(CONFIG, len(VOCABULARY), np.random.default_rng(0))
ROOM = Sizes(words=9, numbers=4, columns=7, name_words=1, rows=12, texts=6)


def check_against_interpreter(program, table, execution):
    """Answers and selected rows of every step; padding is never selected."""
    exact = run(program, table)
    for result, rows, scalar in zip(
        exact.steps, execution.trace.row_select, execution.trace.scalar_answer, strict=True
    ):
        np.testing.assert_array_equal(rows[: table.rows] == 1, result.row_select, err_msg=str(program))
        assert not rows[table.rows :].any(), f"padding was selected by {program}"
        np.testing.assert_allclose(scalar, result.answer.scalar or 0.0, rtol=1e-6, atol=1e-4, err_msg=str(program))
    assert execution.gives_scalar == (exact.answer.kind == "scalar")
    assert execution.gives_lookup == (exact.answer.kind == "lookup")
    found = zip(*np.nonzero(execution.lookup_answer), strict=True)
    assert {(int(row), table.names[column]) for row, column in found} == set(exact.answer.cells), str(program)
    return exact.answer.kind


@pytest.mark.parametrize("pivot", ["blended", "mixed"])
def test_one_hot_selections_equal_the_interpreter(pivot):
    """10,000 random programs and tables in all, every operation; JAX runs them in one batch."""
    config = NetworkConfig(hidden=8, text_match=True, pivot=pivot)
    generator = np.random.default_rng([7, pivot == "mixed"])
    tables = [random_table(generator, texts=True) for _ in range(5000)]
    programs = [random_program(generator, table) for table in tables]
    forced = [forcing(program, table, config, ROOM) for program, table in zip(programs, tables, strict=True)]
    stacked = jax.tree.map(lambda *arrays: np.stack(arrays), *forced)
    weights = jax.tree.map(jnp.asarray, PARAMETERS)
    executions = jax.jit(jax.vmap(lambda one: execute_forced(weights, config, one)))(stacked)
    executions = jax.tree.map(np.asarray, executions)
    kinds = Counter()
    for place, (program, table) in enumerate(zip(programs, tables, strict=True)):
        one = jax.tree.map(lambda array, place=place: array[place], executions)
        kinds[check_against_interpreter(program, table, one)] += 1
    met = Counter(step.operation for program in programs for step in program.steps)
    assert set(met) == set(OPERATIONS)
    assert min(met.values()) > 500
    assert min(kinds[kind] for kind in ("scalar", "lookup", "none")) > 200


def test_numpy_runs_the_same_programs():
    """The same functions in NumPy, without padding."""
    generator = np.random.default_rng(8)
    for _ in range(150):
        table = random_table(generator, texts=True)
        program = random_program(generator, table)
        check_against_interpreter(program, table, execute_forced(PARAMETERS, CONFIG, forcing(program, table, CONFIG)))


@pytest.mark.parametrize("steps", [1, 3, 6])
def test_any_number_of_steps(steps):
    config = NetworkConfig(hidden=8, text_match=True, program_steps=steps)
    generator = np.random.default_rng(9)
    for _ in range(20):
        table = random_table(generator, texts=True)
        program = random_program(generator, table, steps)
        check_against_interpreter(program, table, execute_forced(PARAMETERS, config, forcing(program, table, config)))


def test_sampled_selections_follow_the_probabilities():
    """Over many draws of Gumbel noise, every operation and column is chosen as often as its softmax says."""
    generator = np.random.default_rng(3)
    table = random_table(generator, texts=True)
    parameters = jax.tree.map(lambda array: 12 * array, PARAMETERS)
    config = NetworkConfig(hidden=8, text_match=True, program_steps=1)
    example = encode(QUESTION, table, VOCABULARY)
    soft = execute(parameters, config, example, SOFT)
    draws = 20_000
    shapes = Noise((1, soft.trace.operation.shape[1]), (1, len(table.names)), soft.pivots.shape)
    noise = Noise(*(generator.gumbel(size=(draws, *shape)).astype(np.float32) for shape in shapes))
    weights, question = jax.tree.map(jnp.asarray, (parameters, example))
    sampled = jax.jit(jax.vmap(lambda noise: execute(weights, config, question, SAMPLED, noise)))(noise)
    assert np.ptp(soft.trace.operation) > 0.1
    for drawn, expected in (
        (sampled.trace.operation, soft.trace.operation),
        (sampled.trace.column, soft.trace.column),
        (sampled.pivots, soft.pivots),
    ):
        assert set(np.unique(drawn)) <= {0.0, 1.0}
        np.testing.assert_allclose(np.mean(drawn, axis=0), expected, atol=4 * 0.5 / draws**0.5)


@pytest.mark.parametrize("reader", ["rnn", "bidirectional"])
@pytest.mark.parametrize("selection", [SOFT, HARD], ids=["soft", "hard"])
def test_padding_changes_nothing(reader, selection):
    config = NetworkConfig(hidden=8, text_match=True, reader=reader, attention=True, pivot="mixed")
    parameters = network.initial(config, len(VOCABULARY), np.random.default_rng(1))
    generator = np.random.default_rng(2)
    for _ in range(20):
        table = random_table(generator, texts=True)
        tight = execute(parameters, config, encode(QUESTION, table, VOCABULARY), selection)
        padded = execute(parameters, config, encode(QUESTION, table, VOCABULARY, ROOM), selection)
        rows, columns = table.rows, len(table.names)
        np.testing.assert_allclose(padded.scalar_answer, tight.scalar_answer, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(padded.lookup_answer[:rows, :columns], tight.lookup_answer, atol=1e-6)
        np.testing.assert_allclose(padded.trace.operation, tight.trace.operation, atol=1e-6)
        np.testing.assert_allclose(padded.trace.row_select[:, :rows], tight.trace.row_select, atol=1e-6)
        assert not padded.lookup_answer[rows:].any()
        assert not padded.lookup_answer[:, columns:].any()
        assert not padded.trace.row_select[:, rows:].any()


@pytest.mark.parametrize("selection", [SOFT, HARD], ids=["soft", "hard"])
def test_row_and_column_order_do_not_matter(selection):
    config = NetworkConfig(hidden=8, text_match=True, reader="bidirectional", attention=True)
    parameters = network.initial(config, len(VOCABULARY), np.random.default_rng(4))
    generator = np.random.default_rng(5)
    for _ in range(20):
        table = random_table(generator, texts=True)
        rows, columns = generator.permutation(table.rows), generator.permutation(len(table.names))
        shuffled = Table(tuple(table.names[c] for c in columns), tuple(table.columns[c][rows] for c in columns))
        one = execute(parameters, config, encode(QUESTION, table, VOCABULARY), selection)
        other = execute(parameters, config, encode(QUESTION, shuffled, VOCABULARY), selection)
        np.testing.assert_allclose(other.scalar_answer, one.scalar_answer, rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(other.lookup_answer, one.lookup_answer[rows][:, columns], atol=1e-6)
        np.testing.assert_allclose(other.trace.row_select, one.trace.row_select[:, rows], atol=1e-6)
        np.testing.assert_allclose(other.trace.column, one.trace.column[:, columns], atol=1e-6)
