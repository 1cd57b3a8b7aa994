"""How large answers to such words usually are, fitted once to the training answers, for errors to be compared with."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from neural_programmer.base.arrays import Array, inside
from neural_programmer.learning.batches import Triples

FITTED = 200  # steps of Newton's method to fit the scales of words


class Scale(NamedTuple):
    """S(words) = exp(start + sum of the words' own), the usual size of a scalar answer to such words."""

    start: float
    words: np.ndarray


def fit_scale(triples: Triples, vocabulary: int) -> Scale:
    """The most probable Scale of |y| ~ Exponential(S), by words alone: numbers are taken out, order does not count.

    Minimise sum_k |y_k| / S_k + log S_k, which is convex in log S, by Newton's method.
    """
    scalars = np.asarray(triples.target.is_scalar)
    words, counts = np.asarray(triples.example.words)[scalars], np.asarray(triples.example.word_count)[scalars]
    sizes = np.abs(np.asarray(triples.target.scalar, np.float64)[scalars])
    features = np.zeros((len(words), vocabulary + 1))
    features[:, 0] = 1
    for place in range(words.shape[1]):
        there = place < counts
        np.add.at(features, (np.flatnonzero(there), 1 + words[there, place]), 1)
    found = np.zeros(vocabulary + 1)
    found[0] = np.log(sizes.mean() + 1)
    for _ in range(FITTED):
        ratios = (sizes + 1) / np.exp(features @ found)
        slope = features.T @ (1 - ratios) + 1e-3 * found
        bend = (features * ratios[:, None]).T @ features + 1e-3 * np.eye(len(found))
        step = np.linalg.solve(bend, slope)
        found -= step * min(1.0, 2 / max(np.abs(step).max(), 1e-9))
        if np.abs(step).max() < 1e-6:
            break
    return Scale(float(found[0]), found[1:].astype(np.float32))


def scale_of(scale: Scale, triple: Triples) -> Float[Array, ""]:
    """S of the words of one question."""
    example = triple.example
    there = inside(example.word_count, example.words.shape[0], example.words)
    return jnp.exp(scale.start + jnp.sum(jnp.where(there, jnp.asarray(scale.words)[example.words], 0.0)))


def places_by_size(scale: Scale, data: Triples) -> np.ndarray:
    """For every question, the share of the others with a smaller S(words): 0 where cells are looked up."""
    sizes = np.where(data.target.is_scalar, jax.vmap(partial(scale_of, scale))(data), 0.0)
    return np.searchsorted(np.sort(sizes), sizes, side="left") / len(sizes)
