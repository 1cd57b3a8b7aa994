"""Which words of a question may be the text of a cell that nobody knows of yet."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from neural_programmer.questions.index import Index
from neural_programmer.questions.keys import IN_FULL, SMALL_WORDS, unsaid
from neural_programmer.questions.link import LONGEST_MENTION, LONGEST_QUESTION, TRUTHS, akin
from neural_programmer.questions.tokens import Token, stemmed, tokenized, unified
from neural_programmer.questions.unknown import GENERAL, SIGNS

QUOTES = frozenset("\"'\u201c\u201d\u2018\u2019\u201e\u201a\u00ab\u00bb`")
ARTICLES = frozenset("the a an".split())  # which names begin with
TITLED = 3  # words in capitals that make a headline of a question: then capitals say nothing
TIMES = frozenset(IN_FULL.keys() | IN_FULL.values())  # written in capitals, whatever they are


@dataclass(frozen=True)
class Phrase:
    """A few words of a question in a row, as texts are compared (see index.text_keys) and as they stand there.

    It is said as a name if one of its words is none that everybody uses, or two of them say something, or if it is in
    capitals or in quotes. Other words mean a cell only if the question means nothing else by them.
    """

    key: str
    said: tuple[str, ...]  # without and with the sign after it, and without 's
    is_name: bool
    unknown: tuple[str, ...]  # what it says, of which no column and no cell is known
    missed: tuple[str, ...]  # what is to be said of it where not all cells are looked through


def phrases(question: str, usual: Collection[str], index: Index) -> list[Phrase]:
    """Return all that may be the text of a cell, in a question in which `usual` words mean what they say."""
    text = unified(question[:LONGEST_QUESTION])
    tokens = tokenized(text)
    asked = _Asked(text, tokens, usual, index)
    found = []
    for start in range(len(tokens)):
        for end in range(start + 1, min(start + LONGEST_MENTION, len(tokens)) + 1):
            if phrase := asked.phrase(start, end):
                found.append(phrase)
    return found


class _Asked:
    """The words of a question, and what is known of each."""

    def __init__(self, text: str, tokens: Sequence[Token], usual: Collection[str], index: Index) -> None:
        self.text, self.tokens, self.index = text, tokens, index
        self.stems = [stemmed(token.key) for token in tokens]
        self.places: list[tuple[int, int]] = []
        for token in tokens:
            start = text.index(token.text, self.places[-1][1] if self.places else 0)
            self.places.append((start, start + len(token.text)))
        self.small = [token.key in SMALL_WORDS for token in tokens]
        self.says = [_says(token) for token in tokens]
        self.usual = [
            token.key in usual or stem in usual or stem in index.names or token.key in TIMES or not says
            for token, stem, says in zip(tokens, self.stems, self.says, strict=True)
        ]
        capitals = [token.text[0].isupper() for token in tokens]
        large = [capital for capital, small in zip(capitals, self.small, strict=True) if not small]
        is_headline = all(large) and len(large) >= TITLED
        self.capital = [False, *(capital and not is_headline for capital in capitals[1:])]
        self.unknown = self._unknown()
        self.together = self._together()

    def _unknown(self) -> list[str]:
        """For each of the words those beside it that say something and are in no name of a column and no cell that is
        known, if it is one of them."""
        index = self.index
        is_known = [
            not says
            or token.number is not None
            or stem in index.parts
            or index.row_names.has(stem)
            or akin(stem, index) != ({}, [])
            for token, says, stem in zip(self.tokens, self.says, self.stems, strict=True)
        ]
        held = self._held(1)
        return self._runs([place for place, known in enumerate(is_known) if not known and place not in held], 1)

    def _together(self) -> list[str]:
        """For each of the words those beside it with which it may be one text that is not known: yellow house, where
        yellow is a colour and house a kind. Words of columns, numbers and times are none of these."""
        index = self.index
        may_be = [
            says
            and token.number is None
            and token.key not in TIMES
            and not (stem in index.names or stem in index.parts or index.row_names.has(stem) or akin(stem, index)[1])
            for token, says, stem in zip(self.tokens, self.says, self.stems, strict=True)
        ]
        held = self._held(2)
        return self._runs([place for place, may in enumerate(may_be) if may and place not in held], 2)

    def _held(self, fewest: int) -> set[int]:
        """Return the places of the words of known texts and columns that are called by so many words or more."""
        found: set[int] = set()
        for start in range(len(self.stems)):
            for end in range(start + fewest, min(start + LONGEST_MENTION, len(self.stems)) + 1):
                key = " ".join(self.stems[start:end])
                if key in self.index.texts or key in self.index.names:
                    found.update(range(start, end))
        return found

    def _runs(self, chosen: Collection[int], fewest: int) -> list[str]:
        """For each of the words at the places that are chosen how it and those beside it are said, if they are so many
        or more."""
        found: list[str] = []
        for is_chosen, run in groupby(range(len(self.tokens)), set(chosen).__contains__):
            places = list(run)
            said = self.text[self.places[places[0]][0] : self.places[places[-1]][1]]
            found += [said if is_chosen and len(places) >= fewest else ""] * len(places)
        return found

    def phrase(self, start: int, end: int) -> Phrase | None:
        """Return the words from one place to another, if they may be a text."""
        part, key = slice(start, end), " ".join(self.stems[start:end])
        first, last = self.places[start][0], self.places[end - 1][1]
        before, after = self.text[max(first - 1, 0) : first].strip(), self.text[last : last + 1].strip()
        quoted = bool(before and after) and {before, after} <= QUOTES
        if not quoted and (key in self.index.names or self.index.naming(key.split())):
            return None
        unknown = tuple(dict.fromkeys(filter(None, self.unknown[part])))
        is_name = quoted or self._is_named(part, bool(unknown))
        if not is_name and not (unknown and self._is_whole(part)):
            return None
        said = self.text[first:last]
        is_known = key in self.index.texts or key in self.index.names
        missed = (said,) if quoted and not is_known else (*unknown, *filter(None, self.together[part]))
        forms = said, said + after, re.sub(r"['\u2019]s$", "", said)
        return Phrase(key, tuple(dict.fromkeys(forms)), is_name, unknown, missed)

    def _is_named(self, part: slice, is_unknown: bool) -> bool:
        """Return whether words are said as a name is, without quotes."""
        words, capitals, says = self.tokens[part], self.capital[part], sum(self.says[part])
        if says > 1 or (not says and len(words) > 1 and all(capitals)):
            return True
        if not self._is_whole(part):
            return False
        if not all(self.usual[part]):
            return len(words) > 1 or not self.index.row_names.has(words[0].key)
        if not is_unknown or (len(words) == 1 and words[0].key in TIMES):
            return False
        return all(capital or small for capital, small in zip(capitals, self.small[part], strict=True))

    def _is_whole(self, part: slice) -> bool:
        """Return whether words neither begin nor end with a small one, which names seldom do: in Oslo, Oslo and."""
        small = [small and not capital for small, capital in zip(self.small[part], self.capital[part], strict=True)]
        begins = not small[0] or (len(small) > 1 and self.tokens[part.start].key in ARTICLES)
        return begins and not small[-1]


def _says(token: Token) -> bool:
    """Return whether a word says something by itself, as identifiers do and numbers."""
    if any(map(str.isdigit, token.key)):
        return True
    is_word = len(token.key) > 1 and any(map(str.isalpha, token.key))
    return is_word and token.key not in _general() and stemmed(token.key) not in _general()


@cache
def _general() -> frozenset[str]:
    return unsaid().union(GENERAL, TRUTHS, *SIGNS.values())
