"""Each function in NumPy and in JAX against its formula, where numbers are large and where they tie."""

import subprocess
import sys
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from neural_programmer.base.arrays import (
    contract,
    inside,
    log_softmax,
    masked,
    namespace,
    one_hot_of_largest,
    scan,
    sigmoid,
    softmax,
)

LIBRARIES = pytest.mark.parametrize("library", [np, jnp], ids=["numpy", "jax"])


class Totals(NamedTuple):
    total: np.ndarray
    pair: tuple[np.ndarray, np.ndarray]


def running_totals(state, values):
    """A step with a nested state and a named tuple of outputs."""
    total, steps = state
    number, there = values
    total = total + number * there
    return (total, steps + 1), Totals(total, (total[0] * steps, there))


def test_scan_is_the_same_loop_in_both_libraries():
    numbers = np.random.default_rng(0).normal(size=(6, 3)).astype(np.float32)
    there = np.array([1, 0, 1, 1, 0, 1], np.float32)
    start = (np.full(3, 0.5, np.float32), np.float32(0))
    state, outputs = scan(running_totals, start, (numbers, there))
    jax_state, jax_outputs = jax.jit(lambda *inputs: scan(running_totals, start, inputs))(numbers, there)
    totals = 0.5 + np.cumsum(numbers * there[:, None], axis=0)
    for last, steps in (state, jax_state):
        np.testing.assert_allclose(last, totals[-1], rtol=1e-6)
        assert steps == 6
    for found in (outputs, jax_outputs):
        assert type(found) is Totals
        assert type(found.pair) is tuple
        np.testing.assert_allclose(found.total, totals, rtol=1e-6)
        np.testing.assert_allclose(found.pair[0], totals[:, 0] * np.arange(6), rtol=1e-6)
        np.testing.assert_array_equal(found.pair[1], there)
    assert isinstance(outputs.total, np.ndarray)
    assert isinstance(jax_outputs.total, jax.Array)


@LIBRARIES
@pytest.mark.parametrize("lengths", [(2, 1), (1, 2)])
def test_scan_refuses_inputs_of_different_lengths(library, lengths):
    with pytest.raises(ValueError):  # noqa: PT011  the message is the library's
        scan(running_totals, (library.zeros(3), 0), (library.zeros((lengths[0], 3)), library.zeros(lengths[1])))


def test_scan_goes_along_trees_of_inputs():
    """Named tuples, tuples within them, and nothing at all in a place; the outputs are the same in both libraries."""
    numbers = np.arange(12.0, dtype=np.float32).reshape(4, 3)
    inputs = (np.arange(4), Totals(numbers, (numbers[:, 0], numbers > 5)), (), None)

    def step(state, values):
        place, totals, empty, nothing = values
        assert type(totals) is Totals
        assert empty == ()
        assert nothing is None
        return state + totals.total * place, (totals.pair[0] + place, totals.pair[1])

    start = np.zeros(3, np.float32)
    expected = sum(place * numbers[place] for place in range(4))
    jax_found = jax.jit(lambda inputs: scan(step, start, inputs))(inputs)
    for state, (firsts, above) in (scan(step, start, inputs), jax_found):
        np.testing.assert_array_equal(state, expected)
        np.testing.assert_array_equal(firsts, [0, 4, 8, 12])
        np.testing.assert_array_equal(above, numbers > 5)


def test_namespace_is_jax_if_any_array_is():
    assert namespace(np.zeros(1), np.float32(1)) is np
    assert namespace(np.zeros(1), jnp.zeros(1)) is jnp
    assert jax.jit(lambda array: jnp.asarray(namespace(np.zeros(1), array) is jnp))(np.zeros(1))


def test_numpy_needs_no_jax():
    """None of the functions imports JAX for NumPy arrays."""
    code = """
import sys
import numpy as np
from neural_programmer.base.arrays import contract, log_softmax, masked, one_hot_of_largest, scan, sigmoid, softmax
one_hot_of_largest(softmax(masked(sigmoid(np.zeros(3)), np.ones(3, bool))))
contract(log_softmax(np.zeros(3)), np.zeros((3, 2)))
scan(lambda state, values: (state, values[0]), 0, (np.zeros(3),))
assert "jax" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@LIBRARIES
def test_softmax_is_its_formula(library):
    scores = np.random.default_rng(1).normal(size=(4, 5)).astype(np.float32)
    found = softmax(library.asarray(scores))
    powers = np.exp(scores.astype(np.float64))
    np.testing.assert_allclose(found, powers / powers.sum(axis=-1, keepdims=True), rtol=1e-5)
    np.testing.assert_allclose(np.sum(found, axis=-1), 1, rtol=1e-6)


@LIBRARIES
def test_softmax_of_large_scores_does_not_overflow(library):
    found = softmax(library.asarray([[1000.0, 1000.0, -1000.0], [-1000.0, -1001.0, -1000.0]]))
    kept = 1 / (2 + np.exp(-1))
    np.testing.assert_allclose(found, [[0.5, 0.5, 0], [kept, kept * np.exp(-1), kept]], rtol=1e-5)


@LIBRARIES
def test_log_softmax_is_the_logarithm_of_the_softmax(library):
    scores = np.random.default_rng(1).normal(size=(4, 5)).astype(np.float32)
    found = log_softmax(library.asarray(scores))
    assert found.dtype == np.float32
    powers = np.exp(scores.astype(np.float64))
    np.testing.assert_allclose(found, np.log(powers / powers.sum(axis=-1, keepdims=True)), rtol=1e-5)


@LIBRARIES
def test_log_softmax_of_large_scores_is_finite(library):
    """Also where the softmax itself is too small for a logarithm."""
    found = log_softmax(library.asarray([[1000.0, 1000.0, -1000.0], [-1000.0, -1001.0, -1000.0]]))
    kept = -np.log(2 + np.exp(-1))
    np.testing.assert_allclose(found, [[-np.log(2), -np.log(2), -2000 - np.log(2)], [kept, kept - 1, kept]], rtol=1e-5)


def naive_contract(left, right):
    """sum_k left[..., k] right[k, ...], one number at a time"""
    found = np.zeros(left.shape[:-1] + right.shape[1:])
    for one in np.ndindex(left.shape[:-1]):
        for other in np.ndindex(right.shape[1:]):
            found[one + other] = sum(left[(*one, k)] * right[(k, *other)] for k in range(len(right)))
    return found


@LIBRARIES
@pytest.mark.parametrize(
    ("left", "right"), [((3,), (3,)), ((3,), (3, 4)), ((2, 3), (3,)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4, 2))]
)
def test_contract_is_the_sum_over_the_shared_axis(library, left, right):
    generator = np.random.default_rng(2)
    one, other = generator.normal(size=left), generator.normal(size=right)
    found = contract(library.asarray(one), library.asarray(other))
    np.testing.assert_allclose(found, naive_contract(one, other), rtol=1e-5, atol=1e-5)


def test_contract_multiplies_in_full_precision():
    """Whatever the device: a GPU would take TF32 for a product of matrices that says nothing."""
    program = jax.make_jaxpr(contract)(jnp.zeros((2, 3)), jnp.zeros((3, 4)))
    products = [equation for equation in _equations(program.jaxpr) if equation.primitive.name == "dot_general"]
    highest = (jax.lax.Precision.HIGHEST,) * 2
    assert [equation.params["precision"] for equation in products] == [highest]


def _equations(program):
    """Those of a traced program, and of the programs it calls."""
    for equation in program.eqns:
        yield equation
        if "jaxpr" in equation.params:
            yield from _equations(equation.params["jaxpr"].jaxpr)


@LIBRARIES
def test_sigmoid_is_its_formula_and_never_overflows(library):
    scores = np.linspace(-8, 8, 33)
    np.testing.assert_allclose(sigmoid(library.asarray(scores)), 1 / (1 + np.exp(-scores)), atol=1e-6)
    np.testing.assert_array_equal(sigmoid(library.asarray([-1000.0, 0.0, 1000.0])), [0, 0.5, 1])


@LIBRARIES
def test_one_hot_takes_the_first_of_equal_scores(library):
    scores = np.array([[0.0, 3.0, 3.0], [-5.0, -7.0, -5.0], [1.0, 2.0, 4.0]], np.float32)
    found = one_hot_of_largest(library.asarray(scores))
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, [[0, 1, 0], [1, 0, 0], [0, 0, 1]])


@LIBRARIES
def test_masked_places_never_win(library):
    """Whatever the scores, padding gets nothing of a softmax and is never the largest."""
    mask = inside(2, 4, library.zeros(1))
    np.testing.assert_array_equal(mask, [True, True, False, False])
    scores = library.asarray([[-1000.0, -1001.0, 1000.0, 0.0], [1.0, 2.0, 3.0, 4.0]])
    kept = masked(scores, mask)
    assert kept.dtype == scores.dtype
    np.testing.assert_array_equal(kept[:, :2], scores[:, :2])
    probabilities = softmax(kept)
    np.testing.assert_array_equal(probabilities[:, 2:], 0)
    np.testing.assert_allclose(np.sum(probabilities, axis=-1), 1, rtol=1e-6)
    np.testing.assert_array_equal(one_hot_of_largest(kept), [[1, 0, 0, 0], [0, 1, 0, 0]])
