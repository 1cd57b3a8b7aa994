"""Static word vectors: what a word means, also where training never met it. Made by scripts/word_vectors.py."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import safetensors.numpy
from jaxtyping import Float, Int8

SHIPPED = Path(__file__).parent.parent / "shipped" / "words.safetensors"
REMEMBERED_MEANS = 20_000  # means of words, which come again


@dataclass(frozen=True, eq=False)
class WordVectors:
    """A direction for every word; words that mean the like have like directions."""

    places: dict[str, int]
    vectors: Int8[np.ndarray, "words dimensions"]  # up to their lengths

    @property
    def dimensions(self) -> int:
        return self.vectors.shape[1]

    def of(self, words: Sequence[str]) -> Float[np.ndarray, "dimensions"]:
        """Return the mean direction of a few words, of length one; zero if none of them is known."""
        return _mean(self, tuple(words))


@lru_cache(maxsize=REMEMBERED_MEANS)
def _mean(vectors: WordVectors, words: tuple[str, ...]) -> Float[np.ndarray, "dimensions"]:
    places = [vectors.places[word] for word in words if word in vectors.places]
    if not places:
        return np.zeros(vectors.dimensions, np.float32)
    found = vectors.vectors[places].astype(np.float32)
    mean = (found / np.linalg.norm(found, axis=1, keepdims=True)).sum(axis=0)
    return mean / np.maximum(np.linalg.norm(mean), np.float32(1e-6))


@cache
def shipped() -> WordVectors:
    """Return the vectors that come with the package, read once."""
    arrays = safetensors.numpy.load_file(SHIPPED)
    words = arrays["words"].tobytes().decode().split("\n")
    return WordVectors({word: place for place, word in enumerate(words)}, arrays["vectors"])
