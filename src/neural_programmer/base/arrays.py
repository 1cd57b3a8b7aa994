"""The little that the Python array API standard lacks: a scan, a softmax, a one-hot choice.

Every function of the network takes arrays of NumPy or of JAX and asks the array itself for its namespace, so the same
lines are traced by JAX to train and run by NumPy to answer. JAX is imported only where a JAX array came in.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from jaxtyping import Bool, Float, Int

Array = Any  # an array of any library that implements the array API standard


def namespace(*arrays: Array) -> Any:
    """Return the array library to compute with: JAX if any of the arrays is JAX's, else NumPy."""
    for array in arrays:
        if not isinstance(array, np.ndarray | np.generic):
            return array.__array_namespace__()
    return np


def scan(step: Callable, state: Any, inputs: tuple) -> tuple[Any, Any]:
    """Run `state, output = step(state, input)` along the first axis of the inputs; outputs come back stacked.

    The inputs are arrays or trees of them, the first of them an array.

    A loop in NumPy; under JAX `lax.scan`, which compiles the step once.
    """
    xp = namespace(inputs[0])
    if xp is not np:
        from jax import lax

        return lax.scan(step, state, inputs)
    outputs = []
    lengths = set(_lengths(inputs))
    if len(lengths) > 1:
        raise ValueError(f"the inputs of a scan have different lengths: {sorted(lengths)}")
    for place in range(len(inputs[0])):
        state, output = step(state, _at(inputs, place))
        outputs.append(output)
    return state, _stack(outputs)


def _lengths(tree: Any) -> list[int]:
    """Return the length of every array of a tree."""
    if isinstance(tree, tuple):
        return [length for part in tree for length in _lengths(part)]
    return [] if tree is None else [len(tree)]


def _at(tree: Any, place: int) -> Any:
    """One place of every array of a tree."""
    if isinstance(tree, tuple):
        parts = [_at(part, place) for part in tree]
        return type(tree)(*parts) if hasattr(tree, "_fields") else tuple(parts)
    return None if tree is None else tree[place]


def _stack(outputs: list[Any]) -> Any:
    """Stack a list of equal trees (tuples, named tuples, arrays) into one tree of arrays."""
    first = outputs[0]
    if isinstance(first, tuple):
        parts = [_stack(list(column)) for column in zip(*outputs, strict=True)]
        return type(first)(*parts) if hasattr(first, "_fields") else tuple(parts)
    return np.stack(outputs)


def contract(left: Float[Array, "*many axis"], right: Float[Array, "axis *rest"]) -> Array:
    """Return the product over the last axis of one and the first of the other, in full precision.

    For table arithmetic: GPUs multiply matrices in TF32 unless told otherwise.
    """
    xp = namespace(left, right)
    if xp is np:
        return np.tensordot(left, right, axes=1)
    return xp.tensordot(left, right, axes=1, precision="highest")


def inside(count: Int[Array, ""] | int, length: int, like: Array) -> Bool[Array, "length"]:
    """True for the first `count` of `length` places: what is not padding."""
    return namespace(like).arange(length) < count


def masked(scores: Float[Array, "*many places"], mask: Bool[Array, "*some places"]) -> Float[Array, "*many places"]:
    """Scores that padding can never win."""
    xp = namespace(scores)
    return xp.where(mask, scores, xp.asarray(-1e9, dtype=scores.dtype))


def softmax(scores: Float[Array, "*places"]) -> Float[Array, "*places"]:
    """exp(s_i) / sum_j exp(s_j) over the last axis."""
    xp = namespace(scores)
    powers = xp.exp(scores - xp.max(scores, axis=-1, keepdims=True))
    return powers / xp.sum(powers, axis=-1, keepdims=True)


def log_softmax(scores: Float[Array, "*places"]) -> Float[Array, "*places"]:
    """s_i - log sum_j exp(s_j) over the last axis."""
    xp = namespace(scores)
    below = scores - xp.max(scores, axis=-1, keepdims=True)
    return below - xp.log(xp.sum(xp.exp(below), axis=-1, keepdims=True))


def sigmoid(scores: Float[Array, "*places"]) -> Float[Array, "*places"]:
    """1 / (1 + exp(-s)), written with tanh so that it never overflows."""
    xp = namespace(scores)
    return (xp.tanh(scores / 2) + 1) / 2


def one_hot_of_largest(scores: Float[Array, "*places"]) -> Float[Array, "*places"]:
    """One at the first largest score of the last axis, zero elsewhere."""
    xp = namespace(scores)
    places = xp.arange(scores.shape[-1])
    return xp.astype(places == xp.argmax(scores, axis=-1, keepdims=True), scores.dtype)
