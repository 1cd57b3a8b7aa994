"""Question text -> words, the numbers taken out of it, and the columns it mentions."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from neural_programmer.errors import NeuralProgrammerError

NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)")
COLUMN = "[column]"  # read in the place of a column's name
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


def point(question: Question, names: Sequence[str]) -> tuple[Question, tuple[tuple[int, ...], ...]]:
    """Read every mention of a column as the one word COLUMN; for each column, the positions that mention it.

    A name of several words is one mention, and the longest name that fits is meant. Case does not matter, unless
    another column is written just so.

    >>> point(parse("greater 5 net sales sum A"), ["A", "net sales"])[1]
    ((3,), (1,))
    """
    spelled = [tuple(name.split()) for name in names]
    exact = {words: column for column, words in reversed(list(enumerate(spelled)))}
    folded = {tuple(map(str.casefold, words)): column for words, column in exact.items()}
    longest = max(map(len, spelled))
    words: list[str] = []
    moved: list[int] = []  # the new position of every word
    mentions: list[list[int]] = [[] for _ in names]
    place = 0
    while place < len(question.words):
        for length in range(min(longest, len(question.words) - place), 0, -1):
            phrase = question.words[place : place + length]
            column = exact.get(phrase, folded.get(tuple(map(str.casefold, phrase))))
            if column is not None:
                mentions[column].append(len(words))
                break
        else:
            length, column = 1, None
        moved += [len(words)] * length
        words.append(question.words[place] if column is None else COLUMN)
        place += length
    positions = tuple(moved[position] for position in question.number_positions)
    return Question(tuple(words), question.numbers, positions), tuple(map(tuple, mentions))
