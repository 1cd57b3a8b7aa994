"""Question text -> words, and the numbers taken out of it."""

import math
import re
from dataclasses import dataclass

from neural_programmer.errors import NeuralProgrammerError

NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)")
NO_NUMBER = -1.0  # both pivots of a question without numbers (the paper's Table 3)


@dataclass(frozen=True)
class Question:
    """The words w_1 ... w_Q without the numbers; for each number qn_i the position of the word on its left.

    (section 2.1) A number at the very start has no word on its left; it takes the first word's position.
    """

    words: tuple[str, ...]
    numbers: tuple[float, ...]
    number_positions: tuple[int, ...]


def parse(text: str) -> Question:
    """Split at white space and take the numbers out.

    >>> parse("greater 50.32 C and lesser 20.21 E sum H")
    Question(words=('greater', 'C', 'and', 'lesser', 'E', 'sum', 'H'), numbers=(50.32, 20.21), number_positions=(0, 3))
    """
    words: list[str] = []
    numbers: list[float] = []
    positions: list[int] = []
    for token in text.split():
        if NUMBER.fullmatch(token):
            numbers.append(float(token))
            positions.append(max(len(words) - 1, 0))
        else:
            words.append(token)
    if not all(map(math.isfinite, numbers)):
        raise NeuralProgrammerError("a number of the question is too large to compute with")
    if not words:
        raise NeuralProgrammerError(f"a question needs at least one word, and {text[:60]!r} has none")
    return Question(tuple(words), tuple(numbers), tuple(positions))
