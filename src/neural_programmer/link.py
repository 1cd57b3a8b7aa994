"""A question as people write it -> words, with every mention of a column, a cell, a number or a time as one word.

The network reads what kind of thing is mentioned, and chooses among what each mention may mean: it need not have met
the names, texts or numbers before.
"""

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache, cached_property, lru_cache
from typing import Literal, NamedTuple

import numpy as np

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.program import Period
from neural_programmer.question import Link, Question
from neural_programmer.table import Table, is_boolean, is_date, is_text
from neural_programmer.vectors import shipped

Kind = Literal["number", "text", "date", "boolean"]
VALUE = "[value]"
NUMBER = "[number]"
YEAR = "[year]"
TIME = "[time]"
NOT = "[not]"  # of words that deny a column: unpaid
PLACEHOLDERS = (VALUE, NUMBER, YEAR, TIME, NOT, "[number column]", "[text column]", "[date column]", "[boolean column]")
TRUTHS = {"yes": "true", "true": "true", "no": "false", "false": "false"}  # said of a column that holds them
LONGEST = 10_000  # characters of a question
LONGEST_MENTION = 8  # words of a mention
REMEMBERED = 20_000  # words, which come again
SHORTEST = 4  # letters of a word that may have one
START = 5  # letters of a word that begins a cell
DIFFERENT = 0.9  # share of a column's texts that are different where nearly all are
YEARS = 1500, 2100
DIGIT, SPACE = re.compile(r"\d"), re.compile(r"\S\s+\S")
MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
          "december")  # fmt: skip
AMOUNTS = {
    ("half", "a", "dozen"): 6.0, ("a", "dozen"): 12.0, ("dozen",): 12.0, ("half", "a", "million"): 5e5,
    ("half", "a", "thousand"): 500.0, ("half", "a", "billion"): 5e8, ("a", "couple", "of"): 2.0,
}  # fmt: skip
SCALES = {
    "k": 1e3,
    "grand": 1e3,
    "thousand": 1e3,
    "m": 1e6,
    "mn": 1e6,
    "million": 1e6,
    "b": 1e9,
    "bn": 1e9,
    "billion": 1e9,
}
SMALL = frozenset(  # words that mention nothing by themselves
    "a the of in on at to is are was were be for and or not no with by from as an any all each every do does did how "
    "many much what which who whose when where there that this it its their have has had than more less most least me "
    "my i we you".split()
)
OPERATIONS_SAID = frozenset(
    "total sum average mean number count maximum minimum max min most least highest lowest".split()
)
ENDINGS = "ation ance ment ion ing er or ed es s y e".split()  # of words that may be of one root
PEOPLE = {  # and what is theirs -> their country
    "american": "united states", "argentine": "argentina", "argentinian": "argentina", "australian": "australia",
    "austrian": "austria", "belgian": "belgium", "brazilian": "brazil", "british": "united kingdom",
    "bulgarian": "bulgaria", "canadian": "canada", "chilean": "chile", "chinese": "china", "colombian": "colombia",
    "croatian": "croatia", "cuban": "cuba", "czech": "czech republic", "danish": "denmark", "dutch": "netherlands",
    "egyptian": "egypt", "english": "england", "estonian": "estonia", "ethiopian": "ethiopia", "finnish": "finland",
    "french": "france", "german": "germany", "ghanaian": "ghana", "greek": "greece", "hungarian": "hungary",
    "icelandic": "iceland", "indian": "india", "indonesian": "indonesia", "iranian": "iran", "irish": "ireland",
    "israeli": "israel", "italian": "italy", "jamaican": "jamaica", "japanese": "japan", "kenyan": "kenya",
    "korean": "south korea", "latvian": "latvia", "lithuanian": "lithuania", "malaysian": "malaysia",
    "mexican": "mexico", "moroccan": "morocco", "nigerian": "nigeria", "norwegian": "norway", "pakistani": "pakistan",
    "peruvian": "peru", "polish": "poland", "portuguese": "portugal", "romanian": "romania", "russian": "russia",
    "scottish": "scotland", "serbian": "serbia", "slovak": "slovakia", "slovenian": "slovenia", "spanish": "spain",
    "swedish": "sweden", "swiss": "switzerland", "thai": "thailand", "turkish": "turkey", "ukrainian": "ukraine",
    "vietnamese": "vietnam", "welsh": "wales",
}  # fmt: skip
SHORT = {  # for what names say in short
    "acct": "account", "addr": "address", "amt": "amount", "avg": "average", "cat": "category", "cust": "customer",
    "dept": "department", "desc": "description", "dob": "date of birth", "emp": "employee", "hrs": "hours",
    "inv": "invoice", "lat": "latitude", "loc": "location", "lon": "longitude", "max": "maximum", "mgr": "manager",
    "min": "minimum", "mins": "minutes", "mo": "month", "nat": "nationality", "no": "number", "nr": "number",
    "num": "number", "org": "organisation", "pct": "percent", "pop": "population", "pos": "position",
    "prev": "previous", "qty": "quantity", "ref": "reference", "secs": "seconds", "temp": "temperature",
    "wt": "weight", "yr": "year", "yrs": "years",
}  # fmt: skip

_TOKEN = re.compile(
    r"(?P<iso>\d{4}-\d{2}-\d{2})"
    r"|(?P<number>(?<![\w.])[-+]?[$€£]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:(?:k|m|mn|bn|b)\b)?(?!\w))"
    r"|(?P<sign>[<>]=?|!=|=)"
    r"|(?P<word>[^\W_]+(?:['\u2019.&-][^\W_]+)*(?:\+\+?|\#|(?<![^\W_]{2})(?<=[a-f])-(?!\w))?)",  # C++, C#, B-
    re.IGNORECASE,
)


class Token(NamedTuple):
    """A word or number of a question, as it stands there and as it is compared."""

    text: str
    key: str
    number: float | None = None
    period: Period | None = None


@dataclass(frozen=True)
class IndexColumn:
    """What is known of a column before any question: its name, its kind, its texts, and whether none stands twice."""

    name: str
    kind: Kind
    texts: tuple[str, ...] = ()
    different: bool = False  # whether nearly all cells hold different texts
    low: float = math.nan  # of a column of numbers, the least and the greatest
    high: float = math.nan
    code: bool = False  # whether most texts have a digit, as identifiers have
    worded: bool = False  # whether most texts are several words, as the names of people and of works are

    @classmethod
    def of_texts(cls, name: str, texts: tuple[str, ...], different: bool) -> "IndexColumn":
        """A column of text."""
        code, worded = (
            2 * sum(mark.search(text) is not None for text in texts) > len(texts) for mark in (DIGIT, SPACE)
        )
        return cls(name, "text", texts, different, code=code, worded=worded)

    @property
    def is_year(self) -> bool:
        return YEARS[0] <= self.low <= self.high <= YEARS[1]


@dataclass(frozen=True)
class Index:
    """A table as questions refer to it; made once for many questions."""

    columns: tuple[IndexColumn, ...]

    @classmethod
    def of(cls, table: Table) -> "Index":
        """The index of a table in memory."""
        columns = []
        for name, column in zip(table.names, table.columns, strict=True):
            cells = [text for text in column.tolist() if text] if is_text(column) else []
            texts = tuple(dict.fromkeys(cells))
            kind = "date" if is_date(column) else "number" if not is_text(column) else "text"
            kind = "boolean" if is_boolean(column) else kind
            there = column[~np.isnan(column)] if kind == "number" else column[:0]
            bounds = (float(there.min()), float(there.max())) if len(there) else (math.nan, math.nan)
            different = 0 < DIFFERENT * len(cells) <= len(texts)
            if kind == "text":
                columns.append(IndexColumn.of_texts(name, texts, different))
            else:
                columns.append(IndexColumn(name, kind, texts, False, *bounds))
        return cls(tuple(columns))

    def extended(self, found: Mapping[int, Collection[str]]) -> "Index":
        """This index with more texts of some columns, by their places; what was prepared is not prepared again."""
        more = Index(self.columns)
        texts = dict(self.texts)
        for place, news in found.items():
            for text in news:
                for key in _text_keys(text):
                    texts[key] = {place: text} | texts.get(key, {})
        more.__dict__.update(names=self.names, parts=self.parts, texts=texts, spelled=self.spelled)
        return more

    @cached_property
    def names(self) -> dict[str, list[int]]:
        """Columns by their names: with and without a remark in brackets, in one word, with what is short in full."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, column in enumerate(self.columns):
            words = name_words(column.name)
            without_remark = name_words(re.sub(r"[(\[].*?[)\]]", " ", column.name))
            full = [whole for word in without_remark for whole in SHORT.get(word, word).split()]
            for key in dict.fromkeys(map(_stems, (words, without_remark, full, ["".join(words)]))):
                if key:
                    found[key].append(place)
        return dict(found)

    @cached_property
    def parts(self) -> dict[str, list[int]]:
        """Columns by single words of names that have several, where no column is called just so."""
        found: dict[str, list[int]] = defaultdict(list)
        for key, places in self.names.items():
            for word in key.split() if " " in key else ():
                if word not in _unsaid() and word not in self.names and len(word) > 1:
                    found[word] += [place for place in places if place not in found[word]]
        return dict(found)

    @cached_property
    def roots(self) -> dict[str, list[int]]:
        """Columns by the roots of their names' words: delivery is what is delivered."""
        found: dict[str, list[int]] = defaultdict(list)
        for key, places in self.names.items():
            for word in key.split():
                if word not in _unsaid() and len(_root(word)) >= SHORTEST:
                    found[_root(word)] += [place for place in places if place not in found[_root(word)]]
        return dict(found)

    @cached_property
    def text_starts(self) -> dict[str, dict[int, str]]:
        """Cells of one word by their first five letters, where only one begins so: cardio is Cardiology."""
        found: dict[str, dict[int, str]] = {}
        for key, texts in self.texts.items():
            if " " not in key and len(key) > START:
                found[key[:START]] = {} if key[:START] in found else texts
        return {start: texts for start, texts in found.items() if texts}

    @cached_property
    def texts(self) -> dict[str, dict[int, str]]:
        """Cells by their texts: of each column that has it, how the column spells it."""
        found: dict[str, dict[int, str]] = defaultdict(dict)
        for place, column in enumerate(self.columns):
            for text in column.texts if column.kind == "text" else ():
                for key in _text_keys(text):
                    found[key].setdefault(place, text)
        return dict(found)

    @cached_property
    def text_parts(self) -> dict[str, dict[int, str]]:
        """Cells by single words that no other text has: Anna, where there is one Anna Smith."""
        found: dict[str, dict[int, str]] = {}
        for key, texts in self.texts.items():
            for word in set(key.split()) if " " in key and len(texts) == 1 else ():
                if word not in SMALL and len(word) >= SHORTEST - 1:
                    found[word] = {} if word in found and found[word] != texts else texts
        return {word: texts for word, texts in found.items() if texts and word not in self.texts}

    @cached_property
    def spelled(self) -> dict[tuple[str, int], list[str]]:
        """All that a word with a typing error may have been meant to be, by first letter and length."""
        found: dict[tuple[str, int], list[str]] = defaultdict(list)
        for key in dict.fromkeys((*self.names, *self.parts, *self.texts)):
            if len(key) >= SHORTEST:
                found[key[0], len(key)].append(key)
        return dict(found)


@dataclass
class _Reading:
    """What was read so far."""

    columns: int
    words: list[str] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    periods: list[Period | None] = field(default_factory=list)
    mentions: list[list[int]] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    said: list[str] = field(default_factory=list)


def link(text: str, index: Index, known: Collection[str] | None = None) -> Question:
    """Read a question about a table. `known` are words that are never taken for a misspelt name: those that have a
    word vector, if nothing is said.

    The longest mention that fits is meant, from left to right: a cell's text before a column's name of the same words.

    >>> table = Table(("region", "net sales"), (["Europe", "Asia"], [1, 2]))
    >>> link("Total net sales where region is Europe", Index.of(table)).words
    ('total', '[number column]', 'where', '[text column]', 'is', '[value]')
    """
    if len(text) > LONGEST:
        raise NeuralProgrammerError(f"a question may have {LONGEST:,} characters, and this one has {len(text):,}")
    tokens = _numbers_in_words(tokenized(text))
    if any(column.kind == "date" for column in index.columns):
        tokens = _times(tokens)
    if not any(token.number is None and token.period is None for token in tokens):
        raise NeuralProgrammerError(f"a question needs at least one word, and {text[:60]!r} has none")
    if any(token.number is not None and math.isinf(token.number) for token in tokens):
        raise NeuralProgrammerError("a number of the question is too large to compute with")
    known = shipped().places if known is None else known
    reading = _Reading(len(index.columns), mentions=[[] for _ in index.columns])
    place = 0
    while place < len(tokens):
        place += _read(tokens, place, index, known, reading)
    return Question(
        tuple(reading.words),
        tuple(reading.numbers),
        tuple(reading.positions),
        tuple(reading.periods),
        tuple(map(tuple, reading.mentions)),
        tuple(reading.links),
        tuple(reading.said),
    )


def _read(tokens: Sequence[Token], place: int, index: Index, known: Collection[str], reading: _Reading) -> int:
    """Read one mention or word, and say how many tokens it took."""
    here = len(reading.words)
    for length in range(min(LONGEST_MENTION, len(tokens) - place), 0, -1):
        span = tokens[place : place + length]
        texts, columns = _meant(span, index, known)
        if length == 1 and span[0].number is not None and span[0].text.isdigit() and not span[0].text.startswith("0"):
            continue  # a number, whatever else it is; an identifier such as 10B or 007 is what it says
        if texts or columns:
            _mention(reading, here, index, texts, columns)
            reading.said.append(" ".join(token.key for token in span) if columns else _held(index, texts))
            return length
    token = tokens[place]
    texts, columns = _opposite(token, index)
    if texts or columns:
        reading.words.append(NOT)
        reading.said.append("")
        _mention(reading, here + 1, index, texts, columns)
        reading.said.append(token.key if columns else _held(index, texts))
        return 1
    texts = _part_of_text(token, index, known)
    if texts:
        _mention(reading, here, index, texts, [])
        reading.said.append(_held(index, texts))
        return 1
    if token.key in TRUTHS and "[boolean column]" in reading.words[-2:]:
        columns = [slot for slot, places in enumerate(reading.mentions) if {here - 1, here - 2} & set(places)]
        reading.links = [link for link in reading.links if link.position < here - 2 or columns[0] not in link.texts]
        reading.links.append(Link(here, dict.fromkeys(columns, TRUTHS[token.key])))
        reading.words.append(VALUE)
        reading.said.append("")
        return 1
    if token.number is None and token.period is None:
        reading.words.append(token.key)
        reading.said.append(token.key)
        return 1
    texts, _ = _meant([token], index, known)
    if texts:  # an identifier of digits, in a column of text
        reading.links.append(Link(here, texts))
    reading.numbers.append(math.nan if token.number is None else token.number)
    reading.periods.append(token.period)
    reading.positions.append(here)
    reading.words.append(NUMBER if token.period is None else YEAR if token.number is not None else TIME)
    reading.said.append("")
    return 1


def _meant(span: Sequence[Token], index: Index, known: Collection[str]) -> tuple[dict[int, str], list[int]]:
    """The cells and the columns that a few words mention."""
    key = " ".join(_stemmed(token.key) for token in span)
    if len(span) == 1 and (
        span[0].key in SMALL or len(key) == 1
    ):  # unless a column or a cell in capitals is called just so
        said = span[0].text
        texts = index.texts.get(key, {}) if said.isupper() and said != "I" else {}
        texts = {place: text for place, text in texts.items() if text == said}
        return texts, [place for place, column in enumerate(index.columns) if column.name == said]
    texts, columns = index.texts.get(key, {}), index.names.get(key, [])
    if texts or columns:
        return texts, columns
    if key in index.parts:
        return {}, index.parts[key]
    if len(span) == 1 and span[0].number is None and (akin := _akin(key, index)) != ({}, []):
        return akin
    return _misspelt(key, span, index, known)


def _akin(key: str, index: Index) -> tuple[dict[int, str], list[int]]:
    """What a word means that is no word of the table, but of the same root, the beginning of a cell or of a country."""
    if key in _unsaid():
        return {}, []
    country = _stems(PEOPLE.get(key, "").split())
    if country in index.texts:
        return index.texts[country], []
    starts = index.text_starts.get(key[:START], {}) if len(key) >= START else {}
    if starts and all(_text_keys(text)[0].startswith(key) for text in starts.values()):
        return starts, []
    columns = index.roots.get(_root(key), [])
    return {}, columns if len(columns) == 1 else []


@cache
def _unsaid() -> frozenset[str]:
    """Words that mention nothing by themselves, as they are compared."""
    return frozenset(map(_stemmed, SMALL | OPERATIONS_SAID)) | SMALL | OPERATIONS_SAID


@lru_cache(maxsize=REMEMBERED)
def _root(word: str) -> str:
    """A word without its endings.

    >>> [_root(word) for word in ("delivery", "deliver", "inspection", "managed", "manager")]
    ['deliv', 'deliv', 'inspect', 'manag', 'manag']
    """
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST:
            return _root(word.removesuffix(ending))
    return word


def _held(index: Index, texts: dict[int, str]) -> str:
    """The names of the columns that hold texts."""
    return " ".join(word for place in texts for word in name_words(index.columns[place].name))


def _opposite(token: Token, index: Index) -> tuple[dict[int, str], list[int]]:
    """The cells, or the columns of yes and no, that a word denies: unpaid, non-smoker, non-European."""
    denied = re.match(r"(?:un|non-|non|in)(.{3,})", token.key)
    key = _stemmed(denied[1]) if denied else ""
    columns = [place for place in index.names.get(key, []) if index.columns[place].kind == "boolean"]
    return ({} if columns or not token.key.startswith("non") else index.texts.get(key, {})), columns


def _part_of_text(token: Token, index: Index, known: Collection[str]) -> dict[int, str]:
    """The cell that a single word of it means: written as a name, or no other word."""
    named = token.text[:1].isupper() and not token.text.isupper()
    key = _stemmed(token.key)
    found = index.text_parts.get(key, {})
    first = len(key) >= SHORTEST and any(_text_keys(text)[0].split()[0] == key for text in found.values())
    short = all(len(_text_keys(text)[0].split()) == 2 for text in found.values())
    if token.number is not None or key in _unsaid() or not (named or token.key not in known or (first and short)):
        return {}
    return found


def _misspelt(
    key: str, span: Sequence[Token], index: Index, known: Collection[str]
) -> tuple[dict[int, str], list[int]]:
    """What was meant by words with a typing error; not where all of them are words that are known."""
    if len(key) < SHORTEST + 1 or any(token.number is not None for token in span):
        return {}, []
    if all(token.key in known or token.key in SMALL for token in span) or span[0].key in SMALL or span[-1].key in SMALL:
        return {}, []
    from rapidfuzz import process
    from rapidfuzz.distance import DamerauLevenshtein

    near = [other for more in (-1, 0, 1) for other in index.spelled.get((key[0], len(key) + more), ())]
    near.sort(key=lambda other: (other not in index.names, other not in index.parts, other))  # whatever their order
    best = process.extractOne(key, near, scorer=DamerauLevenshtein.distance, score_cutoff=1)
    if best is None:
        return {}, []
    meant = best[0]
    return index.texts.get(meant, {}), index.names.get(meant, index.parts.get(meant, []))


def _mention(reading: _Reading, here: int, index: Index, texts: dict[int, str], columns: list[int]) -> None:
    """Write down what is mentioned here; a column of yes and no also means that it is so."""
    for column in columns:
        reading.mentions[column].append(here)
    yes = {column: "true" for column in columns if index.columns[column].kind == "boolean"}
    if texts or yes:
        reading.links.append(Link(here, {**texts, **yes}))
    kind = index.columns[columns[0]].kind if columns else None
    reading.words.append(VALUE if kind is None else f"[{kind} column]")


def tokenized(text: str) -> list[Token]:
    """Words, numbers and days, in order; punctuation is left out.

    >>> [token.key for token in tokenized("What's the Sum over $1,200.50 on 2024-03-05?")]
    ['what', 'the', 'sum', 'over', '$1,200.50', 'on', '2024-03-05']
    """
    tokens = []
    for found in _TOKEN.finditer(text):
        part = found.group()
        if found.lastgroup == "iso" and (day := _day(*map(int, part.split("-")))):
            tokens.append(Token(part, part, None, _period(day, day, part)))
        elif found.lastgroup == "number":
            tokens.append(_number_token(part))
        else:
            tokens.append(Token(part, _folded(part)))
    return tokens


def _number_token(part: str) -> Token:
    """A number as it is written: 1,200.50, $5k, 1.2M; a whole one of four digits may be a year."""
    letters = re.sub(r"[^a-z]", "", part.casefold())
    number = float(re.sub(r"[^\d.+-]", "", part)) * SCALES.get(letters, 1.0)
    year = _period(date(int(part), 1, 1), date(int(part), 12, 31), part) if re.fullmatch(r"[12]\d{3}", part) else None
    return Token(part, _folded(part), number, year)


def _numbers_in_words(tokens: list[Token]) -> list[Token]:
    """Twenty five becomes 25, a thousand 1000, 3 million 3000000; one is a number after what compares."""
    read: list[Token] = []
    place = 0
    while place < len(tokens):
        length = _number_words(tokens, place)
        words = [token.key for token in tokens[place : place + length]]
        before = tokens[place - 1].key if place else ""
        value = _value(words) if words and (words != ["one"] or before in COMPARING) else None
        if value is not None:
            read.append(Token(" ".join(words), " ".join(words), value))
            place += length
            continue
        said = tuple(token.key for token in tokens[place : place + 3])
        whole = next((length for length in (3, 2, 1) if said[:length] in AMOUNTS), 0)
        if whole:
            read.append(Token(" ".join(said[:whole]), " ".join(said[:whole]), AMOUNTS[said[:whole]]))
            place += whole
            continue
        token = tokens[place]
        after = tokens[place + 1].key if place + 1 < len(tokens) else ""
        if token.number is not None and after in ("thousand", "million", "billion", "grand"):
            text = f"{token.text} {after}"
            read.append(Token(text, _folded(text), token.number * SCALES[after]))
            place += 2
            continue
        measured = re.fullmatch(
            r"(\d+(?:\.\d+)?)(?:kg|km|cm|mm|g|mg|l|ml|h|hrs|min|mph|kmh|kwh|gb|mb|usd|eur)", token.key
        )
        read.append(Token(token.text, token.key, float(measured[1])) if measured else token)
        place += 1
    return read


def _number_words(tokens: Sequence[Token], place: int) -> int:
    """How many words from here say a number; "and" goes on with one after hundreds and more only."""
    length, between = 0, place > 0 and tokens[place - 1].key == "between"
    while place + length < len(tokens) and (key := tokens[place + length].key) in NUMBER_WORDS:
        last = tokens[place + length - 1].key if length else ""
        if key == "and" and (between or last not in ("hundred", "thousand", "million", "billion")):
            break
        length += 1
    while length and tokens[place + length - 1].key in ("and", "a", "an"):
        length -= 1
    return length


COMPARING = ("least", "most", "than", "exactly", "over", "under", "above", "below", "equals")
UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen".split()
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
NUMBER_WORDS = {*UNITS, *TENS, "hundred", "thousand", "million", "billion", "a", "an", "and"} | {
    f"{ten}-{unit}" for ten in TENS for unit in UNITS[1:10]
}


def _value(words: Sequence[str]) -> float | None:
    """The number that these words say, or None if they say none.

    >>> _value("two hundred and twenty five".split())
    225.0
    """
    from text_to_num import text2num

    said = [("one" if word in ("a", "an") else word) for word in words if word != "and"]
    try:
        return float(text2num(" ".join(said), "en")) if any(word not in ("a", "an", "and") for word in words) else None
    except ValueError:
        return None


def _times(tokens: list[Token]) -> list[Token]:
    """March 2024, March 5, 2024, 5 March 2024 and 5th of March 2024 become times."""
    read: list[Token] = []
    place = 0
    while place < len(tokens):
        for length in (4, 3, 2):
            span = tokens[place : place + length]
            if length == 4:  # 5th of March 2024
                of = [token.key for token in span[1:2]] == ["of"] and re.fullmatch(r"\d+(?:st|nd|rd|th)", span[0].key)
                period = _month([span[0], *span[2:]]) if of else None
            else:
                period = _month(span) if len(span) == length else None
            if period is not None:
                read.append(Token(period.text, _folded(period.text), None, period))
                place += length
                break
        else:
            read.append(tokens[place])
            place += 1
    return read


def time_of(text: str) -> Period:
    """The time that a text names.

    >>> str(time_of("March 2024").first)
    '2024-03-01'
    """
    (token,) = _times(tokenized(text))
    assert token.period is not None
    return token.period


def _month(span: Sequence[Token]) -> Period | None:
    """The time that a month with its year, and perhaps its day, names."""
    if len(span) == 2 and re.fullmatch("q[1-4]", span[0].key) and span[1].period is not None and span[1].number:
        year, month = int(span[1].text), 3 * int(span[0].key[1])
        following = date(year + month // 12, month % 12 + 1, 1)
        return _period(date(year, month - 2, 1), following - timedelta(days=1), " ".join(t.text for t in span))
    names = [token for token in span if len(token.key) >= 3 and any(m.startswith(token.key) for m in MONTHS)]
    years = [token for token in span if token.period is not None and token.number is not None]
    days = [int(day[1]) for token in span if (day := re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", token.key))]
    if (len(names), len(years)) != (1, 1) or years[0] is not span[-1] or len(span) != 2 + len(days):
        return None
    month = next(place for place, name in enumerate(MONTHS, 1) if name.startswith(names[0].key))
    year, text = int(years[0].text), " ".join(token.text for token in span)
    if days:
        day = _day(year, month, days[0])
        return None if day is None else _period(day, day, text)
    following = date(year + month // 12, month % 12 + 1, 1)
    return _period(date(year, month, 1), following - timedelta(days=1), text)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _period(first: date, last: date, text: str) -> Period:
    end = np.datetime64(last, "us") + np.timedelta64(1, "D") - np.timedelta64(1, "us")
    return Period(np.datetime64(first, "D"), end, text)


@lru_cache(maxsize=REMEMBERED)
def _folded(text: str) -> str:
    """Without case and accents, and without 's."""
    plain = unicodedata.normalize("NFKD", text.replace("\u2019", "'")).casefold()
    return re.sub(r"'s$", "", "".join(letter for letter in plain if not unicodedata.combining(letter)))


def _stems(words: Sequence[str]) -> str:
    """Words as they are compared: in the singular.

    >>> _stems(["net", "sales"])
    'net sale'
    """
    return " ".join(map(_stemmed, words))


def _text_keys(text: str) -> list[str]:
    """A cell's text as a question may say it: with what a hyphen joins in one word, and in several.

    >>> _text_keys("Aix-en-Provence")
    ['aix-en-provence', 'aix en provence']
    """
    words = [token.key for token in tokenized(text)]
    apart = [part for word in words for part in re.split(r"(?<=\w)[-&](?=\w)", word)]
    return [key for key in dict.fromkeys((_stems(words), _stems(apart))) if key]


@lru_cache(maxsize=REMEMBERED)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a column's name.

    >>> name_words("unitPrice ($)")
    ('unit', 'price')
    """
    return tuple(token.key for token in tokenized(re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name)))


@lru_cache(maxsize=REMEMBERED)
def _stemmed(key: str) -> str:
    """A word in the singular.

    >>> [_stemmed(word) for word in ("cities", "boxes", "sales", "class")]
    ['city', 'box', 'sale', 'class']
    """
    for ending, singular in (("ies", "y"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss"), ("s", "")):
        if key.endswith(ending) and not key.endswith("ss") and len(key) > len(ending) + 1:
            return key.removesuffix(ending) + singular
    return key
