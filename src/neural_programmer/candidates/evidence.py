"""Which columns a question means, and by which of its words: what may fill a slot of a program has a score, and the
words that it uses, as bits. Nothing here is learnt.
"""

import re
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from neural_programmer.candidates.config import ProposalConfig
from neural_programmer.questions.asked import Band, Comparison, Computation, Key, Missing, Order, Span, placed, read
from neural_programmer.questions.index import Index, in_full
from neural_programmer.questions.keys import SMALL_WORDS, unsaid
from neural_programmer.questions.link import link
from neural_programmer.questions.tokens import name_words, stemmed
from neural_programmer.questions.vectors import shipped

Moves = tuple[tuple[Any, ...], ...]
"""Steps as tuples: an operation, what it points at, its argument."""


class Option(NamedTuple):
    """One way to fill a slot."""

    score: float
    bits: int  # the words that it uses
    hard: int  # those of them that nothing else in the program may use: what is compared with
    what: Any


CODE = re.compile(r"(?:^|[\s_])(?:id|no|nr|code|zip|phone)$|(?<=[a-z])ID$|Id$", re.ASCII)
FIRM = 0.3  # of the score of a column, from which the words that mean it count as used
ALSO = {"high": "max", "low": "min", "highest": "max", "lowest": "min"}  # what a column is called that holds it
MOST_BITS = 60  # words of a question that are told apart
ALIKE = 0.36  # cosine from which a word may mean a column
UNSAID = 0.9  # less for a column that nothing mentions
MOST_WORDS = 200  # of a question that are compared with names


class Evidence:
    """What a question says about a table, and how likely each of its columns is meant."""

    def __init__(self, text: str, index: Index, limits: ProposalConfig) -> None:
        self.index, self.limits = index, limits
        self.linked, self.asked = link(text, index), read(text, index)
        self.cut = 0  # columns that no slot has, because there are too many
        bits, count = [], 0
        for word in self.asked.words:
            key = word.lower()
            counts = key not in SMALL_WORDS and any(letter.isalnum() for letter in key)
            bits.append(1 << min(count, MOST_BITS - 1) if counts else 0)
            count += counts
        self._bits = bits
        self.spans = placed(self.linked.shown, self.asked)

    def bits(self, span: Span | None) -> int:
        """Return the words of a span that say something, as bits."""
        found = 0
        for bit in self._bits[span.first : span.end] if span is not None else ():
            found |= bit
        return found

    @cached_property
    def evidence(self) -> dict[int, list[tuple[float, int]]]:
        """How likely each column is meant, and by which words."""
        index, found = self.index, {}
        for named in self.asked.named:
            for place in named.columns:
                found.setdefault(place, []).append((1.0, self.bits(named.position)))
        taken = {place for mention in self.asked.named if mention.cells for place in range(*mention.position)}
        for place, positions in enumerate(self.linked.mentions or ()):
            for position in positions:
                span = self.spans[position] if position < len(self.spans) else None
                found.setdefault(place, []).append((0.85, self.bits(span)))
        for mention in self.asked.mentions:
            if isinstance(mention, Order | Key | Missing | Comparison | Band):
                for choice in mention.choices:
                    found.setdefault(choice.column, []).append((0.9 * choice.score, self.bits(mention.position)))
        words = [
            (place, stemmed(word.lower()))
            for place, word in enumerate(self.asked.words[:MOST_WORDS])
            if self._bits[place] and place not in taken and word.isalpha() and stemmed(word.lower()) not in unsaid()
        ]
        if words and index.columns:
            names = _named(tuple(column.name for column in index.columns))
            said = np.stack([shipped().of([word]) for _, word in words])
            like = names @ said.T
            for column, word in np.argwhere(like >= ALIKE).tolist():
                place = words[word][0]
                score = 0.7 * float(like[column, word])
                found.setdefault(column, []).append((score, self._bits[place] if score >= FIRM else 0))
        self._whole_names(found)
        self._inside_names(found)
        return {
            self.index.itself(place): [self._of_code(place, *each) for each in every] for place, every in found.items()
        }

    def _of_code(self, place: int, score: float, bits: int) -> tuple[float, int]:
        """A word of the name of an identifier mostly means what is identified: captains are no captain_id."""
        is_part = score < 1.0 and self.is_code[place] and not self._says_code
        return (min(score, 0.4), 0) if is_part else (score, bits)

    @cached_property
    def is_code(self) -> list[bool]:
        """Which columns hold identifiers, by their names."""
        return [CODE.search(column.name) is not None for column in self.index.columns]

    @cached_property
    def _says_code(self) -> bool:
        return any(
            word.lower() in ("id", "ids", "code", "codes", "number", "numbers", "key") for word in self.asked.words
        )

    def _inside_names(self, found: dict[int, list[tuple[float, int]]]) -> None:
        """Columns whose names have a word inside of one: agency in lawenforcementagency."""
        names = [(place, column.name.lower()) for place, column in enumerate(self.index.columns)]
        for place, word in enumerate(self.asked.words[:MOST_WORDS]):
            key = stemmed(word.lower())
            if not self._bits[place] or len(key) < 4 or key in unsaid():
                continue
            other = ALSO.get(key, "")
            held = [
                column
                for column, name in names
                if key in name or (other and other in name) or any(_begins(key, part) for part in _words_of(name))
            ]
            for column in held if len(held) <= 8 else ():
                found.setdefault(column, []).append((0.6, self._bits[place]))

    def _whole_names(self, found: dict[int, list[tuple[float, int]]]) -> None:
        """Columns all words of whose names are said, wherever: the time they took and left office."""
        said: dict[str, int] = {}
        for place, word in enumerate(self.asked.words[:MOST_WORDS]):
            key = stemmed(word.lower())
            said[key] = said.get(key, 0) | self._bits[place]
        for place, column in enumerate(self.index.columns):
            words = [stemmed(word) for word in in_full(name_words(column.name))]
            if len(words) > 1 and all(word in said for word in words):
                bits = 0
                for word in words:
                    bits |= said[word]
                found.setdefault(place, []).append((0.95, bits))

    @cached_property
    def columns(self) -> list[Option]:
        """All columns, with how likely each is meant, the likeliest first."""
        found = []
        for place, column in enumerate(self.index.columns):
            if column.view:
                continue
            every = self.evidence.get(place)
            if every:
                best = max(score for score, _ in every)
                bits = 0
                for score, bit in every:
                    bits |= bit if score >= 0.3 else 0
                found.append(Option(best - 1.0, bits, 0, place))
            else:
                found.append(Option(-UNSAID - 0.002 * min(place, 100), 0, 0, place))
        found.sort(key=lambda each: -each.score - each.bits.bit_count())
        return found

    def of_kind(self, *kinds: str, most: int | None = None) -> list[Option]:
        """Return the likeliest columns of some kinds, by their names."""
        fitting = [each for each in self.columns if self.index.columns[each.what].kind in kinds]
        if most is None:
            most = self.limits.columns
            self.cut = max(self.cut, len(fitting) - most)
        return [each._replace(what=self.name(each.what)) for each in fitting[:most]]

    def name(self, place: int) -> str:
        return self.index.columns[place].name

    def cue(self, *whats: str) -> int | None:
        """Return the words that say what is to be computed, or None if none do."""
        spans = [each.position for each in self.asked.of(Computation) if each.what in whats]
        if not spans:
            return None
        found = 0
        for span in spans:
            found |= self.bits(span)
        return found

    def cued(self, *whats: str, said: float = 0.6, unsaid: float = -0.8) -> tuple[float, int]:
        """Return a score and the words for something that may be asked to be computed."""
        bits = self.cue(*whats)
        return (unsaid, 0) if bits is None else (said, bits)

    @cached_property
    def numbers(self) -> list[Option]:
        return self.of_kind("number")

    @cached_property
    def ordered(self) -> list[Option]:
        return self.of_kind("number", "date")

    @cached_property
    def names(self) -> list[Option]:
        """Columns of text whose cells name the rows."""
        found = [
            (place, column.worded)
            for place, column in enumerate(self.index.columns)
            if column.kind == "text" and column.different and not column.view
        ]
        worded = [place for place, is_worded in found if is_worded] or [place for place, _ in found]
        return [Option(-0.05 - 0.15 * rank, 0, 0, self.name(place)) for rank, place in enumerate(worded[:2])]


def _begins(word: str, part: str) -> bool:
    """Whether a word of a name is the beginning of a longer word: pov of poverty."""
    return 3 <= len(part) <= len(word) - 3 and word.startswith(part)


@lru_cache(2_000)
def _words_of(name: str) -> tuple[str, ...]:
    return tuple(name_words(name))


def _named(names: tuple[str, ...]) -> np.ndarray:
    return _vectors_of(names)


@lru_cache(64)
def _vectors_of(names: tuple[str, ...]) -> np.ndarray:
    """The directions of the names of columns."""
    return np.stack([shipped().of(tuple(stemmed(word) for word in in_full(name_words(name)))) for name in names])


def worth(option: Option) -> float:
    """How good an option is alone: its score, and the words that it uses."""
    return option.score + option.bits.bit_count()
