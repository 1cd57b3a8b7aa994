"""Question text -> words, the numbers taken out of it, and the columns it mentions."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tables.period import Period

NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)")
COLUMN = "[column]"  # read in the place of a column's name
NO_NUMBER = -1.0  # both pivots of a question without numbers (the paper's Table 3)

NOTHING = frozenset("no without never free zero".split())  # may mean 0, where a column of numbers begins with it


@dataclass(frozen=True)
class Link:
    """A text that a question mentions: where, and which cells it means, by column."""

    position: int
    texts: dict[int, str]  # of each column that has it, how the column spells it
    near: bool = False  # whether the word only may mean it, and says something else
    parts: dict[int, tuple[str, ...]] = field(default_factory=dict)  # where it is part of cells only, these
    total: bool = False  # whether nothing was said, but there are rows of totals

    def meant(self, column: int) -> tuple[str, ...]:
        """Return all texts of a column that it means."""
        return self.parts.get(column) or (self.texts[column],)


@dataclass(frozen=True)
class Question:
    """The words w_1 ... w_Q without the numbers; for each number qn_i the position of the word on its left.

    (section 2.1) A number at the very start has no word on its left; it takes the first word's position.

    Beyond the paper, where a question was linked to its table (see link.py): every mention of a column, a cell or a
    number is one word that says what it mentions, and a number stands in its own place.
    """

    words: tuple[str, ...]
    numbers: tuple[float, ...]  # NaN where it is a time and no number
    number_positions: tuple[int, ...]
    periods: tuple[Period | None, ...] = ()  # the time that each number may mean
    mentions: tuple[tuple[int, ...], ...] | None = None  # of each column; None where nothing was linked
    links: tuple[Link, ...] | None = None  # None where every word may be the text of a cell
    said: tuple[str, ...] = ()  # of linked questions: a column as it was said, for a text its column; other words
    shown: tuple[str, ...] = ()  # of linked questions: what stands in the place of each word, for people to read
    beyond: str = ""  # of linked questions: what they ask for that no operation gives, whatever a network thinks


def parse(text: str) -> Question:
    """Split at white space and take the numbers out.

    >>> question = parse("greater 50.32 C and lesser 20.21 E sum H")
    >>> question.words, question.numbers, question.number_positions
    (('greater', 'C', 'and', 'lesser', 'E', 'sum', 'H'), (50.32, 20.21), (0, 3))
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
    check_said(words, numbers, text)
    return Question(tuple(words), tuple(numbers), tuple(positions))


def check_said(words: Sequence[object], numbers: Iterable[float], text: str) -> None:
    """Refuse a question without a word, or with a number that float64 does not hold."""
    if not words:
        raise NeuralProgrammerError(f"a question needs at least one word, and {text[:60]!r} has none")
    if not all(map(math.isfinite, numbers)):
        raise NeuralProgrammerError("a number of the question is too large to compute with")


def pointed(question: Question, names: Sequence[str]) -> Question:
    """Read every mention of a column as the one word COLUMN, and remember the positions that mention it.

    A name of several words is one mention, and the longest name that fits is meant. Case does not matter, unless
    another column is written just so. What was linked before stays as it is.

    >>> pointed(parse("greater 5 net sales sum A"), ["A", "net sales"]).mentions
    ((3,), (1,))
    """
    if question.mentions is not None:
        return question
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
    return replace(question, words=tuple(words), number_positions=positions, mentions=tuple(map(tuple, mentions)))
