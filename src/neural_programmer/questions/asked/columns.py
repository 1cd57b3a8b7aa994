"""Which columns a few words may mean, by their names, their units and word vectors, each with a score."""

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from neural_programmer.questions.asked.mentions import Choice
from neural_programmer.questions.asked.sentence import Sentence
from neural_programmer.questions.asked.vocabulary import DETERMINERS, NOTHING_SAID, Adjective, reading_words
from neural_programmer.questions.index import SHORT_TEXT, Index, IndexColumn, in_full
from neural_programmer.questions.keys import SHORTEST, root, unsaid
from neural_programmer.questions.tokens import REMEMBERED_WORDS, name_words, stemmed
from neural_programmer.questions.vectors import shipped
from neural_programmer.tables.table import Kind

LONGEST_NAME = 4  # words after "per" and the like that may name a column
PART, MISSPELT, ROOT = 0.8, 0.75, 0.6  # scores of weaker evidence than a name
ALIKE = 0.4  # cosine of two words from which one may stand for the other
LIKENESS = 0.7  # of such, the score is so much of the cosine
MEASURED_IN = {  # units at the end of names, and what is measured in them
    "weight": "kg g gram kilo tonne lb t", "length": "m cm mm km mile ft foot inch metre",
    "height": "m cm ft metre", "distance": "km mile m", "depth": "m ft", "width": "mm cm m",
    "price": "usd eur gbp chf jpy inr dollar euro pound $", "duration": "min minute hour hr sec second s ms day h",
    "speed": "kmh kph mph", "temperature": "c f celsius fahrenheit degree", "area": "m2 km2 ha sqm sqft acre",
    "volume": "l litre ml m3", "rainfall": "mm", "energy": "kcal",
}  # fmt: skip
UNITED = 0.5  # score of a column by its unit
DATED = 0.35  # score of any column of dates, where a word may mean times
TIMES = frozenset("date year start founded released release time since".split())
LATER = 0.005  # less for each concept that an adjective names later
LOOKED_AT, NEARLY_ALL = 20, 0.8  # texts of a column, and the share of them that are numbers, where it is of numbers
START_OF_NUMBER = re.compile(r"[-+~<>]?[$€£]?\d[\d,.]*(?:\s?[%a-zA-Z²]{0,3})?")
GUESSED = 0.1  # score of a column of numbers, where nothing else is known


def called(words: Sequence[str], index: Index) -> tuple[Choice, ...]:
    """Return the columns that these words may name, the likeliest first."""
    stems = [stemmed(word) for word in words if word]
    key = " ".join(stems)
    if not stems or all(word in unsaid() for word in stems):
        return ()
    for found, score, evidence in (
        (index.names.get(key), 1.0, "name"),
        (index.names.get("".join(stems)) or index.names.get("-".join(stems)), 1.0, "name"),
        (index.parts.get(key), PART, "part of the name"),
        (index.naming(stems), PART, "words of the name"),
    ):
        if found:
            return tuple(Choice(place, score, evidence) for place in _originals(found, index))
    if len(stems) > 1 or len(key) < SHORTEST or key in reading_words():
        return ()
    if places := _originals(index.roots.get(root(key), ()), index):
        return tuple(Choice(place, ROOT, "root of the name") for place in places)
    if key not in shipped().places and (other := _slip_of(key, index)):
        return tuple(Choice(place, MISSPELT, "mistyped name") for place in other)
    like = [
        (likeness(key, column.name), place)
        for place, column in enumerate(index.columns)
        if not column.view and stemmed(words[-1]) not in NOTHING_SAID
    ]
    return tuple(
        Choice(place, LIKENESS * score, "word vectors")
        for score, place in sorted(like, key=lambda each: (-each[0], each[1]))[:3]
        if score >= ALIKE
    )


def _originals(places: Iterable[int], index: Index) -> list[int]:
    """Return the places of columns without views."""
    return list(dict.fromkeys(index.itself(place) for place in places))


def _slip_of(key: str, index: Index) -> list[int]:
    """Return the columns whose name, or a word of it, a mistyped word was meant to be."""
    from rapidfuzz import process
    from rapidfuzz.distance import DamerauLevenshtein

    near = [each for each in (*index.names, *index.parts) if each[0] == key[0] and abs(len(each) - len(key)) <= 1]
    best = process.extract(key, near, scorer=DamerauLevenshtein.distance, score_cutoff=1, limit=2)
    if len(best) != 1 or len(best[0][0]) < SHORTEST:
        return []
    return _originals(index.names.get(best[0][0]) or index.parts.get(best[0][0], ()), index)


@lru_cache(REMEMBERED_WORDS)
def likeness(word: str, name: str) -> float:
    """Return the cosine of a word and the most like word of a column's name, or its name as a whole."""
    words = tuple(stemmed(each) for each in in_full(name_words(name)))
    if word in words:
        return 1.0
    known, said = shipped(), shipped().of([word])
    spoken = [each for each in words if each not in unsaid() and len(each) > 2]
    return max(
        (float(said @ known.of(each)) for each in ([*([each] for each in spoken), words] if spoken else ())),
        default=0.0,
    )


def named_after(sentence: Sentence, item: int) -> tuple[int, tuple[Choice, ...], list[str]]:
    """Return how far the words from an item on may name a column, which, and the words that were looked at.

    >>> from neural_programmer.questions.asked.sentence import sentence
    >>> from neural_programmer.tables.table import Table
    >>> index = Index.of(Table(("school district",), (["A"],)))
    >>> named_after(sentence("rent by the district in May", index), 2)[:2]
    (4, (Choice(column=0, score=0.8, evidence='part of the name', descending=True),))
    """
    items = sentence.items
    start = item
    while (
        start < len(items)
        and items[start].symbol in DETERMINERS
        and not (start > item and sentence.stops_after(start - 1))
    ):
        start += 1
    if [each.symbol for each in items[start : start + 2]] in (
        ["type", "of"],
        ["kind", "of"],
        ["types", "of"],
        ["kinds", "of"],
    ):
        start += 2
    if start >= len(items):
        return item, (), []
    named = sentence.named(items[start].symbol)
    if named is not None:
        choices = tuple(Choice(place, 1.0, "name") for place in _originals(named.columns, sentence.index))
        return (start + 1, choices, [named.said]) if choices else (item, (), [])
    said: list[str] = []
    for place in range(start, min(start + LONGEST_NAME, len(items))):
        symbol = items[place].symbol
        if not symbol[0].isalpha() or (symbol in unsaid() and said):
            break
        said.append(symbol)
        if sentence.stops_after(place):
            break
    for length in range(len(said), 0, -1):
        if length == 1 and len(said) > 1 and (choices := _described(said[:2], sentence.index)):
            return start + 2, choices, said
        if choices := called(said[:length], sentence.index):
            return start + length, choices, said
    if len(said) > 1 and not sentence.index.row_names.has(said[1]):  # building height, of a column of heights
        choices = called([said[1]], sentence.index)
        if choices and choices[0].score >= PART:
            return start + 2, choices, said
    after = sentence.named(items[start + 1].symbol) if len(said) == 1 and start + 1 < len(items) else None
    if after is not None and after.columns and not sentence.stops_after(start) and said[0] not in reading_words():
        return start + 2, tuple(Choice(place, 1.0, "name") for place in _originals(after.columns, sentence.index)), said
    return start, (), said


def _described(words: Sequence[str], index: Index) -> tuple[Choice, ...]:
    """Return the columns that two words mean together, of which one names it: record rainfall, of a column
    record_precipitation."""
    if any(word in unsaid() for word in words):
        return ()
    found = []
    for place, column in enumerate(index.columns):
        if not column.view:
            alike = [likeness(stemmed(word), column.name) for word in words]
            if max(alike) == 1.0 and min(alike) >= ALIKE:
                found.append(Choice(place, round(PART * sum(alike) / 2, 3), "words of the name"))
    return tuple(sorted(found, key=lambda choice: -choice.score))


def measures(adjective: Adjective, index: Index) -> list[Choice]:
    """Return the columns that an adjective orders, the likeliest first; descending where the greatest is most so."""
    found: list[Choice] = []
    for place, column in enumerate(index.columns):
        kind = kind_of(index, place)
        if kind not in ("number", "date") or _is_code(column):
            continue
        name = index.columns[column.view_of].name if column.view else column.name
        rising = max((_score(word, name, column) - LATER * at for at, word in enumerate(adjective.rising)), default=0.0)
        falling = max(
            (_score(word, name, column) - LATER * at for at, word in enumerate(adjective.falling)), default=0.0
        )
        score = max(rising, falling)
        if score > GUESSED:
            found.append(Choice(place, round(score, 3), "name" if score >= PART else "likeness", rising >= falling))
    found.sort(key=lambda choice: (-choice.score, choice.column))
    return found


def kind_of(index: Index, place: int) -> Kind:
    """Return the kind of a column; texts that nearly all begin as numbers do are numbers: 37, unknown, $1,200."""
    column = index.columns[place]
    if column.kind != "text":
        return column.kind
    return "number" if _are_numbers(column.texts[:LOOKED_AT]) else "text"


@lru_cache(1_000)
def _are_numbers(texts: tuple[str, ...]) -> bool:
    begin = sum(len(text) <= SHORT_TEXT and START_OF_NUMBER.fullmatch(text) is not None for text in texts)
    return begin > NEARLY_ALL * len(texts)


def _is_code(column: IndexColumn) -> bool:
    return re.search(r"(?:^|[\s_])(?:id|no|nr|code|zip|phone)$|(?<=[a-z])ID$|Id$", column.name, re.ASCII) is not None


@lru_cache(REMEMBERED_WORDS)
def _concept(word: str, name: str) -> float:
    """Return how likely a column of this name holds what a word measures."""
    words = [stemmed(each) for each in name_words(name)]
    if stemmed(word) in map(stemmed, in_full(words)) and stemmed(word) not in words:
        return 0.85
    if stemmed(word) in words:
        return 0.95 if words[-1] == stemmed(word) or words[0] == stemmed(word) else 0.85
    units = MEASURED_IN.get(word, "").split()
    like = likeness(stemmed(word), name)
    found = LIKENESS * like if like >= ALIKE else 0.0
    if units and words and (words[-1] in units or any(sign in name for sign in units if not sign.isalnum())):
        found = max(found, UNITED)
    return found


def _score(word: str, name: str, column: IndexColumn) -> float:
    """Return how likely a column holds what a word measures; dates hold times alone."""
    if column.kind == "date":
        base = _concept(word, name) if word in TIMES or word in ("birth", "born", "built", "founded") else 0.0
        if not base and word in ("age", "departure", "arrival", "end", "opened", "released", "joined", "hired"):
            base = _concept(word, name) if word != "age" else 0.0
        return max(base, DATED if word in TIMES else 0.0)
    if word in ("date", "since", "start"):  # is no number, unless it is a year
        return 0.0
    if column.is_year and word not in TIMES | {"born", "birth", "built", "established", "opened"}:
        return 0.0
    return _concept(word, name) if column.kind == "text" or not math.isnan(column.low) else 0.0
