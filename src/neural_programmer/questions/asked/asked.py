"""All that a question says beside columns and cells, each with its place among the words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from neural_programmer.questions.asked.amounts import amounts
from neural_programmer.questions.asked.computations import computations
from neural_programmer.questions.asked.conditions import conditions
from neural_programmer.questions.asked.groups import groups
from neural_programmer.questions.asked.mentions import (
    Amount,
    Band,
    Comparison,
    Connective,
    Key,
    Mention,
    Missing,
    Named,
    Rate,
    Span,
    TextTest,
    Top,
    YesNo,
)
from neural_programmer.questions.asked.moments import moments
from neural_programmer.questions.asked.orders import orders
from neural_programmer.questions.asked.sentence import Sentence, sentence
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import check_length
from neural_programmer.questions.tokens import unified

Kind = TypeVar("Kind", bound=Mention)
FARTHEST = 12  # words that are left out between two words of a linked question
BEFORE_IT = frozenset(("previous", "prior", "preceding"))
SPREADS = frozenset(("distribution", "histogram"))


@dataclass(frozen=True)
class Asked:
    """What a question says: its words, and what they mention."""

    text: str
    words: tuple[str, ...]
    places: tuple[tuple[int, int], ...]  # of each word, where its letters stand in the text
    named: tuple[Named, ...]
    mentions: tuple[Mention, ...]  # from left to right

    def of(self, kind: type[Kind]) -> tuple[Kind, ...]:
        """Return the mentions of one kind.

        >>> from neural_programmer.tables.table import Table
        >>> index = Index.of(Table(("rent", "district"), ([9.0], ["Mitte"])))
        >>> [key.said for key in read("average rent per district", index).of(Key)]
        ['per district']
        """
        return tuple(mention for mention in self.mentions if isinstance(mention, kind))

    def unread(self) -> tuple[int, ...]:
        """Return the places of the words that nothing was read of."""
        read = {place for each in (*self.named, *self.mentions) for place in range(*each.position)}
        return tuple(place for place in range(len(self.words)) if place not in read)


def read(text: str, index: Index) -> Asked:
    """Read a question about a table.

    A time before an amount, a band before a key: of readings of two kinds that cannot both be meant, the one that says
    more stays. What is exactly the name of a column or the text of a cell is read as nothing else.
    """
    check_length(text)
    said = sentence(text, index)
    mentions = sorted(_chosen(said), key=lambda each: (*each.position, type(each).__name__))
    return Asked(
        said.text,
        tuple(word.text for word in said.words),
        tuple((word.start, word.end) for word in said.words),
        tuple(said.exact.values()),
        tuple(mentions),
    )


def placed(shown: Sequence[str], asked: Asked) -> tuple[Span | None, ...]:
    """Return, for each word of a linked question as it is shown, the words of the same question as it is read here;
    None for words that stand for none.

    >>> from neural_programmer.tables.table import Table
    >>> asked = read("Total net sales in New York?", Index.of(Table(("net sales",), ([9.0],))))
    >>> placed(("Total", "net sales", "in", "New York"), asked)
    (Span(first=0, end=1), Span(first=1, end=3), Span(first=3, end=4), Span(first=4, end=6))
    """
    keys = [_plain(word) for word in asked.words]
    found: list[Span | None] = []
    cursor = 0
    for each in shown:
        parts = _plain(each)
        span = None
        for start in range(cursor, min(cursor + FARTHEST, len(keys))):
            end, said = start, ""
            while end < len(keys) and len(said) < len(parts):
                said, end = said + keys[end], end + 1
            if said == parts and parts:
                span = Span(start, end)
                break
        found.append(span)
        cursor = span.end if span is not None else cursor
    return tuple(found)


def _plain(word: str) -> str:
    """Return the letters and digits of a word, without 's."""
    return re.sub(r"[\W_]", "", re.sub(r"['\u2019]s\b", "", unified(word).casefold()))


def _chosen(said: Sentence) -> Iterator[Mention]:
    """Choose among the readings of all topics."""
    times, numbers, keys = list(moments(said)), list(amounts(said)), list(groups(said))
    ranked, computed, rest = list(orders(said)), list(computations(said)), list(conditions(said))
    bands = _of(numbers, Band)
    times = _outside([each for each in times if not _is_longer(each, bands)], _of(rest, TextTest))
    if len({each.position for each in times}) > 1:  # 2020 compared to the previous year
        times = [each for each in times if not BEFORE_IT.intersection(each.said.lower().split())]
    numbers = [*bands, *_clear_of([each for each in numbers if each not in bands], [*times, *_of(keys, Rate)])]
    growing = [each for each in computed if each.what == "growth"]
    moving = [each for each in computed if each.count is not None]
    numbers = _outside(numbers, [*growing, *moving])
    listed = [each for each in ranked if each.listed]
    keys = _outside(_clear_of(keys, bands), [*times, *growing])
    keys = _clear_of(keys, [each for each in listed if len(each.said.split()) > 1])
    keys = [each for each in keys if not any(_is_banded(each, band) for band in bands)]
    if _of(rest, YesNo):  # did every customer pay
        keys = [each for each in keys if not each.said.lower().startswith("every ")]
    ranked = _outside(ranked, bands)
    often = [each for each in computed if each.what in ("most common", "least common")]
    ranked = _outside(ranked, often)
    compared = _of(numbers, Comparison)
    factors = [each for each in _of(numbers, Amount) if each.unit == "times"]
    plain_bands = [each for each in bands if not SPREADS.intersection(each.said.lower().split())]
    computed = _clear_of(_outside(computed, [*compared, *times, *keys, *plain_bands]), factors)
    tests = _of(rest, TextTest)
    numbers = _outside(numbers, tests)
    differences = [each for each in computed if each.what in ("difference", "times")]
    joined = [*times, *compared, *tests, *_of(rest, Missing), *listed, *bands, *_of(numbers, Top)]
    connectives = _outside(_of(rest, Connective), joined)
    without_numbers = _clear_of(_of(rest, Comparison), [*compared, *times, *differences])
    others = [each for each in rest if not isinstance(each, Connective | Comparison)]
    held = _outside(_of(numbers, Amount), [*_of(keys, Key), *listed])
    numbers = [each for each in numbers if not isinstance(each, Amount)]
    yield from (*times, *numbers, *held, *keys, *ranked, *computed, *without_numbers, *others, *connectives)


def _of(mentions: Sequence[Mention], kind: type[Kind]) -> list[Kind]:
    return [each for each in mentions if isinstance(each, kind)]


def _clear_of(mentions: Sequence[Kind], others: Sequence[Mention]) -> list[Kind]:
    """Return the mentions that have no word of others."""
    return [each for each in mentions if not any(_touch(each, other) for other in others)]


def _outside(mentions: Sequence[Kind], others: Sequence[Mention]) -> list[Kind]:
    """Return the mentions that are no part of others."""
    spans = [other.position for other in others]
    return [each for each in mentions if not any(a <= each.position.first and each.position.end <= b for a, b in spans)]


def _touch(one: Mention, other: Mention) -> bool:
    return one.position.first < other.position.end and other.position.first < one.position.end


def _is_longer(one: Mention, others: Sequence[Mention]) -> bool:
    """Return whether others that have words of a mention have as many words as it, or more."""
    length = one.position.end - one.position.first
    return any(_touch(one, other) and other.position.end - other.position.first >= length for other in others)


def _is_banded(key: Mention, band: Band) -> bool:
    """Return whether a key is the column just before bands: by rent in steps of 500."""
    return (
        isinstance(key, Key)
        and key.position.end == band.position.first
        and {c.column for c in key.choices} & {c.column for c in band.choices} != set()
    )
