"""A question as readings look at it: its words, in full and without slips; its numbers; what is named exactly.

All of that stands in one line of plain words with signs for the rest, so that what people say is found by patterns.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from neural_programmer.base.once import remembered
from neural_programmer.questions.asked.mentions import Named, Span
from neural_programmer.questions.asked.patterns import pattern
from neural_programmer.questions.asked.vocabulary import (
    COMPARING,
    GROUPS_OF,
    IN_SHORT,
    MISSPELT,
    NOTHING_SAID,
    TRULY_WORDS,
    reading_words,
    spelled_words,
)
from neural_programmer.questions.index import Index
from neural_programmer.questions.keys import SMALL_WORDS
from neural_programmer.questions.link import LONGEST_MENTION
from neural_programmer.questions.meanings import COMPARED_TEXTS
from neural_programmer.questions.quantities import ORDINALS, TENS, UNITS
from neural_programmer.questions.tokens import REMEMBERED_WORDS, SCALES, folded, stemmed, tokenized, unified
from neural_programmer.questions.units import ENDING, UNIT_OF
from neural_programmer.questions.vectors import shipped

LONGEST_READ = 2_000  # characters of a question, of which the rest is not read
SHORTEST = 4  # letters of a word that may be mistyped
LONGEST_ONE = 60  # letters of a word that is looked at closely
_UNITS = "|".join(sorted({unit for unit in {*UNIT_OF, *ENDING} if unit.isalpha()} | {"x"}, key=len, reverse=True))
_LEXER = re.compile(
    r"(?P<quoted>\"[^\"]+\"|\u201c[^\u201d]+\u201d|(?<!\w)'[^'\s][^']*'(?!\w)|(?<!\w)[\u2018\u2019][^\u2018\u2019\s][^\u2018\u2019]*\u2019(?!\w))"
    r"|(?P<day>(?<![\w/.-])(?:\d{4}([-/])\d{1,2}\3\d{1,2}|\d{1,2}([/.])\d{1,2}\4\d{4})(?![\w/-]))"
    r"|(?P<clock>\b\d{1,2}:[0-5]\d(?::[0-5]\d)?\b)"
    r"|(?P<decade>(?<![\w.])(?:(?:1[0-9]|20)?\d0['\u2019]?s\b|['\u2019]\d0['\u2019]?s\b))"
    r"|(?P<short>(?<!\w)['\u2019]\d\d\b)"
    r"|(?P<ordinal>\b\d+(?:st|nd|rd|th)\b)"
    r"|(?P<number>(?:(?<![\w.])|(?<=\btop)|(?<=\bfirst)|(?<=\blast)|(?<=\bbottom))(?:(?<![\w)])-(?=[$€£]?\d))?[$€£]?(?:\d{1,3}(?:,\d{3})+|\d+|(?=\.\d))(?:\.\d+)?"
    rf"(?:(?:k|m|mn|bn|b)\b)?(?=[^\w]|$|(?:{_UNITS}|[ap]m|k|s)s?\b))"
    r"|(?P<top>(?:top|first|last|bottom)(?=\d))"
    r"|(?P<sign>[<>]=?|!=|[=%+&/#\u2264\u2265])"
    r"|(?P<dash>[-\u2013\u2014]+)"
    r"|(?P<word>w/o?\b|[^\W\d_]+(?=n['\u2019]t\b)|n['\u2019]t\b|[ap]\.m\b\.?|[^\W_]+(?:['\u2019][^\W_]+)*)",
    re.IGNORECASE,
)
_STOPS = re.compile(r"\s*[,;:?!()]|\.(?!\d)|\s[-\u2013\u2014]\s")
FULL_DENIALS = {"n't": "not", "ca": "can", "wo": "will", "cannot": "not"}


class Word(NamedTuple):
    """A word of a question: as it stands there, and as it is compared."""

    text: str
    key: str
    start: int
    end: int
    kind: str
    stops: bool = False  # whether a comma or the like follows


class Item(NamedTuple):
    """One or more words that are one thing in the line."""

    symbol: str
    first: int
    end: int


@dataclass(frozen=True)
class Sentence:
    """The words of a question about a table."""

    text: str
    words: tuple[Word, ...]
    items: tuple[Item, ...]
    starts: tuple[int, ...]  # of each item in the line
    line: str
    numbers: dict[int, tuple[float, str]]  # by the place of their first word, with the sign of money
    exact: dict[int, Named]
    index: Index

    def find(self, section: str) -> Iterator[re.Match[str]]:
        """Return where the forms of a section of patterns.txt are."""
        return pattern(section).finditer(self.line)

    def span(self, found: re.Match[str], group: int | str = 0) -> Span:
        """Return the words that a group of a match is."""
        first, last = self.item_at(found.start(group)), self.item_at(max(found.end(group) - 1, found.start(group)))
        return Span(self.items[first].first, self.items[last].end)

    def item_at(self, offset: int) -> int:
        """Return the item at a place of the line."""
        return max(bisect_right(self.starts, offset) - 1, 0)

    def said(self, span: Span) -> str:
        """Return words as they stand in the question."""
        return self.text[self.words[span.first].start : self.words[span.end - 1].end]

    def value(self, symbol: str) -> float:
        """Return the number of its sign in the line."""
        return self.numbers[int(symbol[1:])][0]

    def named(self, symbol: str) -> Named | None:
        """Return what is named exactly by its sign in the line."""
        return self.exact[int(symbol[1:])] if symbol[0] == "@" else None

    def stops_after(self, item: int) -> bool:
        return self.words[self.items[item].end - 1].stops

    def place(self, found: re.Match[str], group: int | str = 0) -> int:
        """Return the place of the item after a group of a match."""
        return self.item_at(max(found.end(group) - 1, 0)) + 1


def sentence(text: str, index: Index) -> Sentence:
    """Read the words of a question.

    >>> from neural_programmer.tables.table import Table
    >>> index = Index.of(Table(("rent",), ([1.0],)))
    >>> sentence("Avg rent over two hundred?", index).line
    'average @1 over #3'
    """
    text = unified(text[:LONGEST_READ])
    exact = _exact(text, index)
    words = _words(text, exact, index)
    starts_exact = {start: (end, each) for start, end, each in exact}
    named: dict[int, Named] = {}
    items: list[Item] = []
    numbers: dict[int, tuple[float, str]] = {}
    place = 0
    while place < len(words):
        if words[place].start in starts_exact:
            last, found = starts_exact[words[place].start]
            after = place + 1
            while after < len(words) and words[after].end <= last:
                after += 1
            span = Span(place, after)
            said = text[words[place].start : words[after - 1].end]
            named[place] = Named(span, said, found.columns, found.cells)
            items.append(Item(f"@{place}", place, after))
            place = after
            continue
        counted, value = _number(words, place)
        if counted:
            sign = next((sign for sign in "$€£" if sign in words[place].text), "")
            numbers[place] = value, sign
            items.append(Item(f"#{place}", place, place + counted))
            place += counted
            continue
        word = words[place]
        signs = {"quoted": "~", "clock": "!", "day": "^", "decade": "&"}
        items.append(Item(f"{signs[word.kind]}{place}" if word.kind in signs else word.key, place, place + 1))
        place += 1
    starts, offset = [], 0
    for item in items:
        starts.append(offset)
        offset += len(item.symbol) + 1
    line = " ".join(item.symbol for item in items)
    return Sentence(text, tuple(words), tuple(items), tuple(starts), line, numbers, named, index)


def _words(text: str, exact: Sequence[tuple[int, int, Named]], index: Index) -> list[Word]:
    """Return the words of a question with all their letters; a dash between numbers is "to"."""
    words: list[Word] = []
    found = [each for each in _LEXER.finditer(text) if each.lastgroup]
    for place, each in enumerate(found):
        kind, part = str(each.lastgroup), each.group()
        stops = _STOPS.match(text, each.end()) is not None
        if kind == "dash":
            before, after = (found[at].lastgroup if 0 <= at < len(found) else "" for at in (place - 1, place + 1))
            if before in ("number", "clock", "day", "ordinal") and after in ("number", "clock", "day", "ordinal"):
                words.append(Word(part, "to", each.start(), each.end(), "word"))
            continue
        if kind == "sign":
            key = {"\u2264": "<=", "\u2265": ">="}.get(part, IN_SHORT.get(part, part))
        elif kind in ("word", "ordinal", "top"):
            inside = any(start <= each.start() < end for start, end, _ in exact)
            key = _key(part, words[-1] if words else None, inside, index)
        else:
            key = folded(part)
        words.append(Word(part, key, each.start(), each.end(), kind, stops))
    return words


def _key(part: str, before: Word | None, is_named: bool, index: Index) -> str:
    """Return a word as it is compared: in full, without slips."""
    key = folded(part)
    if part.lower().replace("\u2019", "'") in FULL_DENIALS:
        return FULL_DENIALS[part.lower().replace("\u2019", "'")]
    if key in ("am", "pm", "a.m", "p.m", "a.m.", "p.m."):
        return f"{key[0]}m"
    if key in ("w/", "w"):
        return "with"
    if ordinal := re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)", key):
        place = int(ordinal[1])
        return ORDINALS[place] if 0 < place < len(ORDINALS) else key
    if key in ("min", "mins") and before is not None and before.kind == "number":
        return "minutes"
    key = IN_SHORT.get(key, key)
    if key in MISSPELT and key not in TRULY_WORDS:
        return MISSPELT[key]
    if is_named or not _may_be_slip(key) or _is_of_table(key, index):
        return key
    return _mended(key)


def _may_be_slip(key: str) -> bool:
    return SHORTEST <= len(key) <= LONGEST_ONE and key.isalpha() and key not in spelled_words()


def _is_of_table(key: str, index: Index) -> bool:
    stem = stemmed(key)
    return stem in index.names or stem in index.parts or stem in index.texts or stem in index.text_parts


@remembered(REMEMBERED_WORDS)
def _mended(key: str) -> str:
    """Return a word of readings that a mistyped word was meant to be.

    >>> _mended("avergae"), _mended("percntage"), _mended("average"), _mended("lounge")
    ('average', 'percentage', 'average', 'lounge')
    """
    if key in shipped().places or stemmed(key) in shipped().places:
        return key
    from rapidfuzz import process
    from rapidfuzz.distance import DamerauLevenshtein

    most = 1 if len(key) < 9 else 2
    near = [word for word in sorted(spelled_words()) if word[0] == key[0] and abs(len(word) - len(key)) <= most]
    best = process.extract(key, near, scorer=DamerauLevenshtein.distance, score_cutoff=most, limit=2)
    return best[0][0] if best and (len(best) == 1 or best[0][1] < best[1][1]) else key


def _number(words: Sequence[Word], place: int) -> tuple[int, float]:
    """Return how many words from here are a number, and which: 0 if they are none."""
    word, after = words[place], words[place + 1].key if place + 1 < len(words) else ""
    before = words[place - 1].key if place else ""
    count, value = 0, 0.0
    if word.kind == "number":
        letters = re.sub(r"[^a-z]", "", word.key)
        value = float(re.sub(r"[^\d.-]", "", word.key)) * SCALES.get(letters, 1.0)
        count = 1
        if after == "/" and place + 2 < len(words) and words[place + 2].kind == "number":
            below = float(re.sub(r"[^\d.-]", "", words[place + 2].key))
            return (3, value / below) if 0 < value < below <= 10 else (1, value)
    else:
        keys = [each.key for each in words[place : place + 12]]
        count, value = spoken(keys)
        if (
            count == 1
            and keys[0] == "one"
            and before not in COMPARING
            and keys[1:3] not in (["or", "more"], ["percent"])
        ):
            return 0, 0.0
        if not count and keys[0] in ("a", "an") and before in COMPARING and UNIT_OF.get(stemmed(after)):
            return 1, 1.0
        if not count:
            return 0, 0.0
    if place + count < len(words) and words[place + count].key in (
        "hundred",
        "thousand",
        "million",
        "billion",
        "grand",
    ):
        value, count = value * GROUPS_OF[words[place + count].key], count + 1
    rest = [each.key for each in words[place + count : place + count + 3]]
    if rest == ["and", "a", "half"]:
        return count + 3, value + 0.5 * (value if value in GROUPS_OF.values() and value > 2 else 1.0)
    return count, value


def spoken(keys: Sequence[str]) -> tuple[int, float]:
    """Return how many words say a number, and which.

    >>> spoken("two hundred and five of".split()), spoken(["half", "a", "dozen"]), spoken(["a", "hat"])
    ((4, 205.0), (3, 6.0), (0, 0.0))
    """
    if list(keys[:2]) in (["half", "a"], ["half", "an"]) and keys[2:3] and UNIT_OF.get(stemmed(keys[2])):
        return 2, 0.5
    if list(keys[:2]) in (["half", "a"], ["half", "an"]) and keys[2:3] and keys[2] in GROUPS_OF and keys[2] != "score":
        return 3, 0.5 * GROUPS_OF[keys[2]]
    if keys[0] == "a" and keys[1:2] in (["couple"], ["dozen"]):
        return (3 if keys[2:3] == ["of"] else 2), GROUPS_OF[keys[1]]
    if list(keys[:4]) in (["a", "quarter", "of", "an"], ["a", "quarter", "of", "a"]) and keys[4:5] == ["hour"]:
        return 4, 0.25
    if keys[0] in ("dozen",):
        return 1, 12.0
    total, part, place = 0.0, 0.0, 0
    if keys[0] == "a" and keys[1:2] and keys[1] in ("hundred", "thousand", "million", "billion"):
        part, place = 1.0, 1
    last = "a"
    while place < len(keys):
        key = keys[place]
        if key in UNITS and last not in UNITS:
            part += UNITS.index(key)
        elif key in TENS and last not in UNITS and last not in TENS:
            part += 20.0 + 10.0 * TENS.index(key)
        elif key == "hundred" and part:
            part *= 100.0
        elif key in ("thousand", "million", "billion", "grand", "dozen") and part:
            total, part = total + part * GROUPS_OF[key], 0.0
        elif (
            key == "and"
            and last in ("hundred", "thousand")
            and place + 1 < len(keys)
            and keys[place + 1] in {*UNITS, *TENS}
        ):
            pass
        else:
            break
        last, place = key, place + 1
    return place, total + part


def _exact(text: str, index: Index) -> list[tuple[int, int, Named]]:
    """Return what is named exactly, the longest first from left to right, by its letters in the question."""
    tokens = tokenized(text)
    places, start = [], 0
    for token in tokens:
        start = text.index(token.text, start)
        places.append((start, start + len(token.text)))
        start += len(token.text)
    stems = [stemmed(token.key) for token in tokens]
    letters = [each.span() for each in re.finditer(r"\b(?:A to Z|Z to A|A-Z)\b", text, re.IGNORECASE)]
    found: list[tuple[int, int, Named]] = []
    place = 0
    while place < len(tokens):
        for length in range(min(LONGEST_MENTION, len(tokens) - place), 0, -1):
            key = " ".join(stems[place : place + length])
            columns, texts = index.names.get(key, ()), index.texts.get(key, {})
            if not columns and not texts:
                continue
            first, end = places[place][0], places[place + length - 1][1]
            said = text[first:end]
            if any(start <= first < stop for start, stop in letters):
                continue
            if length == 1:
                after = tokens[place + 1].key if place + 1 < len(tokens) else ""
                columns = _columns_of_word(tokens[place].key, said, columns, after, index)
            texts = {at: cell for at, cell in texts.items() if _says_cell(said, key, cell, at, first == 0, index)}
            is_number = length == 1 and tokens[place].number is not None
            if columns or (texts and not (is_number and re.fullmatch(r"[1-9]\d*", said))):
                named = Named(Span(0, 0), said, tuple(columns), tuple(texts.items()))
                found.append((first, end, named))
                place += length
                break
        else:
            place += 1
    return found


def _columns_of_word(word: str, said: str, columns: Sequence[int], after: str, index: Index) -> list[int]:
    """Return the columns that a single word names: not a column called A by an article, nor one called number by the
    number of something."""
    if word in SMALL_WORDS or len(word) == 1:
        return [place for place in columns if index.columns[place].name == said]
    if after == "of" and word in ("number", "count", "total", "sum", "average", "share", "percentage", "rank"):
        return []
    return list(columns)


def _says_cell(said: str, key: str, cell: str, place: int, begins: bool, index: Index) -> bool:
    """Return whether words say a cell: words that much else is said with do so if they are written as the cell is, or
    if the column has few texts."""
    words = key.split()
    if len(words) == 1 and (len(key) == 1 or words[0] in SMALL_WORDS):
        return said == cell and said.isupper() and said != "I"
    if said == cell and not (begins and len(words) == 1):
        return True
    if len(words) == 1 and len(key) == 2 and key.isalpha() and not said.isupper():
        return False
    if not all(word in reading_words() or word in NOTHING_SAID for word in words):
        return True
    column = index.columns[place]
    return (
        not column.different and len(column.texts) <= COMPARED_TEXTS and not all(word in SMALL_WORDS for word in words)
    )
