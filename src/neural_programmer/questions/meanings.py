"""What the texts of a table mean: their word vectors, to be compared with the words of a question."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from neural_programmer.questions.keys import text_keys
from neural_programmer.questions.tokens import name_words
from neural_programmer.questions.vectors import shipped

COMPARED_TEXTS = 60  # of a column whose texts are compared with words by what they mean
SEXES = {  # what texts of columns of women and men say
    "f": ("female", "woman", "girl"), "female": ("female", "woman", "girl"), "w": ("female", "woman", "girl"),
    "m": ("male", "man", "boy"), "male": ("male", "man", "boy"),
}  # fmt: skip


class Meanings(NamedTuple):
    """The texts that words may mean: the places of their columns, they themselves and their vectors."""

    places: list[int]
    texts: list[str]
    vectors: Float[np.ndarray, "texts dimensions"]
    truths: list[int]  # the places of the columns of yes and no
    truth_vectors: Float[np.ndarray, "truths dimensions"]

    @classmethod
    def of(cls, texts: Mapping[int, Sequence[str]], truths: Mapping[int, str]) -> "Meanings":
        """Return what the texts of columns mean, by the places of these, where a column has few; and the names of
        columns of yes and no."""
        some = [(place, text) for place, every in texts.items() if len(every) <= COMPARED_TEXTS for text in every]
        return cls(
            [place for place, _ in some],
            [text for _, text in some],
            vectors_of([_words(text) for _, text in some]),
            list(truths),
            vectors_of([name_words(name) for name in truths.values()]),
        )


def _words(text: str) -> Sequence[str]:
    words = text_keys(text)[-1].split() if text_keys(text) else []
    return SEXES.get(words[0], words) if len(words) == 1 else words


def vectors_of(phrases: Sequence[Sequence[str]]) -> Float[np.ndarray, "phrases dimensions"]:
    """Return the mean direction of the words of each phrase."""
    known = shipped()
    return np.stack([known.of(words) for words in phrases]) if phrases else np.zeros((0, known.dimensions), np.float32)
