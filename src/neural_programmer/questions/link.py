"""A question as people write it -> words, with every mention of a column, a cell, a number or a time as one word.

The network reads what kind of thing is mentioned, and chooses among what each mention may mean: it need not have met
the names, texts or numbers before.
"""

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import zip_longest

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.questions import clocks
from neural_programmer.questions.config import NEAR, NearConfig
from neural_programmer.questions.countries import ALSO_CALLED, COUNTRY_OF
from neural_programmer.questions.index import START, Index
from neural_programmer.questions.keys import SHORTEST, SMALL_WORDS, root, text_keys, unsaid
from neural_programmer.questions.near import near, parts
from neural_programmer.questions.quantities import ordinal, plainly, quantities
from neural_programmer.questions.question import NOTHING, Link, Question, check_said
from neural_programmer.questions.row_names import is_plural
from neural_programmer.questions.times import times
from neural_programmer.questions.tokens import Token, name_words, stemmed, stems, tokenized
from neural_programmer.questions.units import UNIT_OF
from neural_programmer.questions.unknown import GENERAL, USUAL, counted_column, foreign_count
from neural_programmer.questions.vectors import shipped
from neural_programmer.tables import views
from neural_programmer.tables.period import Period
from neural_programmer.tables.table import CellForm

VALUE = "[value]"
NUMBER = "[number]"
YEAR = "[year]"
TIME = "[time]"
NOT = "[not]"  # of words that deny a column: unpaid
PLACEHOLDERS = (VALUE, NUMBER, YEAR, TIME, NOT, "[number column]", "[text column]", "[date column]", "[boolean column]")
TRUTHS = {"yes": "true", "true": "true", "no": "false", "false": "false"}  # said of a column that holds them
LONGEST_QUESTION = 10_000  # characters of a question
MOST_NUMBERS = 100
LONGEST_MENTION = 12  # words of a mention
CLOCK = re.compile(r"\b\d+:[0-5]\d(?::[0-5]\d)?(?:\.\d+)?\b", re.ASCII)
AGGREGATES = frozenset("total sum average mean avg maximum max minimum min".split())
DIGITS = 3  # of a number that may be part of a text


@dataclass
class _Reading:
    """What was read so far."""

    words: list[str] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    periods: list[Period | None] = field(default_factory=list)
    mentions: list[list[int]] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    cells: CellForm = "typed"


def check_length(text: str) -> None:
    """Refuse a question that is too long to be one."""
    if len(text) > LONGEST_QUESTION:
        most = f"{LONGEST_QUESTION:,}"
        raise NeuralProgrammerError(f"a question may have {most} characters, and this one has {len(text):,}")


def link(
    text: str,
    index: Index,
    known: Collection[str] | None = None,
    cells: CellForm = "typed",
    meant: NearConfig = NEAR,
) -> Question:
    """Read a question about a table. `known` are words that are never taken for a misspelt name: those that have a
    word vector, if nothing is said. Of `cells` that are written as people do, parts may be mentioned too. What words
    may mean without saying it goes by `meant`.

    The longest mention that fits is meant, from left to right: a cell's text before a column's name of the same words.

    >>> from neural_programmer.tables.table import Table
    >>> table = Table(("region", "net sales"), (["Europe", "Asia"], [1, 2]))
    >>> link("Total net sales where region is Europe", Index.of(table)).words
    ('total', '[number column]', 'where', '[text column]', 'is', '[value]')
    """
    check_length(text)
    text, beyond = clocks.hours(text, index) if cells == "typed" else (text, "")
    if _has_times(index):
        text = _with_seconds(text, index)
    text = plainly(text, index)
    tokens = quantities(tokenized(text), index)
    if cells == "written":
        tokens = [_ordinal(token) for token in tokens]
    if any(column.kind == "date" for column in index.columns):
        tokens = times(tokens, index.years, index.styles)
    tokens = _without_units(tokens, index)
    words = [token for token in tokens if token.number is None and token.period is None]
    check_said(words, [token.number for token in tokens if token.number is not None], text)
    if sum(token.number is not None or token.period is not None for token in tokens) > MOST_NUMBERS:
        raise NeuralProgrammerError(f"a question may have {MOST_NUMBERS} numbers, and this one has more")
    known = shipped().places if known is None else known
    reading = _Reading(mentions=[[] for _ in index.columns], cells=cells)
    place = 0
    while place < len(tokens):
        place += _read(tokens, place, index, known, reading)
    _say_operation(reading, index)
    _ask_total(reading, index)
    if cells == "written":
        reading.links += parts(reading.words, index, meant)
    else:
        reading.links += near(reading.words, index, reading.mentions, meant)
    if cells == "typed":
        beyond = beyond or clocks.unread(text, reading.words, {link.position for link in reading.links}, index)
    named = any(reading.mentions) or reading.numbers or not all(link.near for link in reading.links)
    beyond = beyond or ("" if named else foreign_count(reading.words, reading.shown, reading.links, index))
    return Question(
        tuple(reading.words),
        tuple(reading.numbers),
        tuple(reading.positions),
        tuple(reading.periods),
        tuple(map(tuple, reading.mentions)),
        tuple(reading.links),
        tuple(reading.said),
        tuple(reading.shown),
        beyond,
    )


def _read(tokens: Sequence[Token], place: int, index: Index, known: Collection[str], reading: _Reading) -> int:
    """Read one mention or word, and say how many tokens it took."""
    here = len(reading.words)
    for length in range(min(LONGEST_MENTION, len(tokens) - place), 0, -1):
        span = tokens[place : place + length]
        texts, columns = _meant(span, index, known)
        is_number = length == 1 and span[0].number is not None and re.fullmatch(r"[1-9]\d*", span[0].text)
        if is_number and span[0].key not in index.names:  # but a column may be called 2021
            continue  # a number, whatever else it is; an identifier such as 10B or 007 is what it says
        held = {} if texts or columns or reading.cells == "typed" else _contained(span, index, known)
        texts = texts or {column: every[0] for column, every in held.items()}
        if texts or columns:
            _mention(reading, here, index, texts, columns, held)
            if reading.cells == "written" and not columns:
                _numbers(reading, here, span, index)
            reading.said.append(" ".join(token.key for token in span) if columns else _held(index, texts))
            reading.shown.append(" ".join(token.text for token in span))
            return length
    token = tokens[place]
    reading.shown.append(token.text)
    texts, columns = _opposite(token, index)
    if texts or columns:
        reading.words.append(NOT)
        reading.said.append("")
        reading.shown.insert(here, "not")
        _mention(reading, here + 1, index, texts, columns)
        reading.said.append(token.key if columns else _held(index, texts))
        return 1
    texts = _part_of_text(token, place, index, known)
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
        word = spelled(token.key, known) if token.text == token.key else token.key  # not what is written as a name
        if word != token.key:
            reading.shown.pop()
            return _read([*tokens[:place], Token(word, word), *tokens[place + 1 :]], place, index, known, reading)
        if word in NOTHING and any(column.low == 0 for column in index.columns if column.kind == "number"):
            reading.numbers.append(0.0)
            reading.periods.append(None)
            reading.positions.append(here)
        reading.words.append(word if reading.cells == "typed" else stemmed(word))
        reading.said.append(word)
        return 1
    texts, _ = _meant([token], index, known)
    held = index.holding(token.key) if not texts and reading.cells == "written" and len(token.key) >= DIGITS else {}
    if texts or held:  # an identifier of digits, in a column of text
        reading.links.append(Link(here, texts or {column: every[0] for column, every in held.items()}, parts=held))
    reading.numbers.append(math.nan if token.number is None else token.number)
    reading.periods.append(token.period)
    reading.positions.append(here)
    reading.words.append(NUMBER if token.period is None else YEAR if token.number is not None else TIME)
    reading.said.append("")
    return 1


def _without_units(tokens: Sequence[Token], index: Index) -> list[Token]:
    """Leave out units that columns have: the average width in millimetres is that of a column width_mm."""
    kept: list[Token] = []
    for token, after in zip_longest(tokens, tokens[1:]):
        unit = UNIT_OF.get(stemmed(token.key), stemmed(token.key))
        counts = after is not None and (after.number is not None or after.period is not None)
        if len(kept) > 1 and kept[-1].key == "in" and unit in index.units and not counts:
            kept.pop()
        else:
            kept.append(token)
    return kept


def _say_operation(reading: _Reading, index: Index) -> None:
    """Where a question says nothing but the name of a column of numbers, the operation that the name begins with is
    asked for: total price, where a column is called so."""
    columns = [column for column, places in enumerate(reading.mentions) if places]
    places = {place for column in columns for place in reading.mentions[column]}
    if len(places) != 1 or reading.links or reading.numbers or any(index.columns[c].kind != "number" for c in columns):
        return
    (place,) = places
    operation, _, rest = reading.said[place].partition(" ")
    others = [word for here, word in enumerate(reading.words) if here != place]
    if not rest or operation not in AGGREGATES or any(word not in SMALL_WORDS for word in others):
        return
    reading.words.insert(place, operation)
    reading.said.insert(place, operation)
    reading.shown.insert(place, reading.shown[place].split()[0])
    for column in columns:
        reading.mentions[column] = [place + 1]


def _ask_total(reading: _Reading, index: Index) -> None:
    """Where a question mentions nothing but how many of a column of numbers there are, their total is asked for."""
    place = counted_column(reading.words, reading.shown, index)
    others = [word for here, word in enumerate(reading.words) if here != place]
    if place is None or place < 2 or reading.links or reading.numbers or any(word.startswith("[") for word in others):
        return
    if all(word in SMALL_WORDS or word in GENERAL or word == "number" for word in others):
        reading.words[place - 2 : place] = reading.said[place - 2 : place] = ["the", "total"]


def _meant(span: Sequence[Token], index: Index, known: Collection[str]) -> tuple[dict[int, str], list[int]]:
    """Return the cells and the columns that a few words mention."""
    key = " ".join(stemmed(token.key) for token in span)
    if len(span) == 1 and (
        span[0].key in SMALL_WORDS or len(key) == 1
    ):  # unless a column or a cell in capitals is called just so
        said = span[0].text
        texts = index.texts.get(key, {}) if said.isupper() and said != "I" else {}
        texts = {place: text for place, text in texts.items() if text == said}
        return texts, [place for place, column in enumerate(index.columns) if column.name == said]
    texts, columns = index.texts.get(key, {}), index.names.get(key, [])
    if texts and index.alike:
        texts = index.as_said(texts, key, " ".join(token.text for token in span))
    if len(span) == 1 and len(key) == 2 and key.isalpha() and not span[0].text.isupper():  # hi is no state
        texts = {place: text for place, text in texts.items() if text == span[0].text}
    if texts or columns:
        return texts, columns
    if key in index.parts:
        rows = len(span) == 1 and is_plural(span[0].key) and index.row_names.has(key)
        numbers = all(index.columns[column].kind == "number" for column in index.parts[key])
        return {}, [] if rows and numbers else index.parts[key]  # flats are no numbers of flats
    if span[0].key not in SMALL_WORDS and span[-1].key not in SMALL_WORDS and (named := index.naming(key.split())):
        return {}, named
    if len(span) == 1 and span[0].number is None and (found := akin(key, index)) != ({}, []):
        return found
    return _misspelt(key, span, index, known)


def akin(key: str, index: Index) -> tuple[dict[int, str], list[int]]:
    """Return what a word means that the table does not have, by its root, the beginning of a cell, or a country."""
    if key in unsaid():
        return {}, []
    country = COUNTRY_OF.get(key, key if key in ALSO_CALLED else "")
    for name in (country, *ALSO_CALLED.get(country, ())):
        if texts := index.texts.get(stems(name.split())):
            return texts, []
    starts = index.text_starts.get(key[:START], {}) if len(key) >= START else {}
    if starts and all(text_keys(text)[0].startswith(key) for text in starts.values()):
        return starts, []
    columns = index.roots.get(root(key), [])
    if key.endswith("ment"):  # a shipment is no ship date, but what was shipped was so on one
        columns = [place for place in columns if index.columns[place].kind != "date"]
    return {}, columns if len(set(map(index.itself, columns))) == 1 else []


def _held(index: Index, texts: dict[int, str]) -> str:
    """Return the names of the columns that hold texts."""
    return " ".join(word for place in texts for word in name_words(index.columns[place].name))


def _opposite(token: Token, index: Index) -> tuple[dict[int, str], list[int]]:
    """Return the cells, or columns of yes and no, that a word denies: unpaid, non-smoker, non-European."""
    denied = re.match(r"(?:un|non-|non|in)(.{3,})", token.key)
    key = stemmed(denied[1]) if denied else ""
    columns = [place for place in index.names.get(key, []) if index.columns[place].kind == "boolean"]
    texts = index.texts.get(key, {}) or akin(key, index)[0]
    return ({} if columns or not token.key.startswith("non") else texts), columns


def _part_of_text(token: Token, place: int, index: Index, known: Collection[str]) -> dict[int, str]:
    """Return the cell that has this single word, if the word is written as a name or is no other word."""
    named = token.text[:1].isupper() and place > 0 and not token.text.isupper()
    key = stemmed(token.key)
    found = index.text_parts.get(key, {})
    first = len(key) > SHORTEST and any(text_keys(text)[0].split()[0] == key for text in found.values())
    short = all(len(text_keys(text)[0].split()) == 2 for text in found.values())
    if token.number is not None or key in unsaid() or not (named or token.key not in known or (first and short)):
        return {}
    return found


def _misspelt(
    key: str, span: Sequence[Token], index: Index, known: Collection[str]
) -> tuple[dict[int, str], list[int]]:
    """Return what mistyped words were meant to be; nothing if all of them are known words."""
    if len(key) < SHORTEST + 1 or any(token.number is not None for token in span):
        return {}, []
    if (
        all(token.key in known or token.key in SMALL_WORDS for token in span)
        or span[0].key in SMALL_WORDS
        or span[-1].key in SMALL_WORDS
    ):
        return {}, []
    if any(letter.isdigit() for letter in key):  # another identifier is another thing
        return {}, []
    from rapidfuzz import process
    from rapidfuzz.distance import DamerauLevenshtein

    near = [other for more in (-1, 0, 1) for other in index.spelled.get((key[0], len(key) + more), ())]
    near.sort(key=lambda other: (other not in index.names, other not in index.parts, other))  # whatever their order
    best = [
        other for other, *_ in process.extract(key, near, scorer=DamerauLevenshtein.distance, score_cutoff=1, limit=9)
    ]
    named = [other for other in best if other in index.names or other in index.parts]
    if len(named or best) != 1:  # nothing, or several as near
        return {}, []
    (meant,) = named or best
    return index.texts.get(meant, {}), index.names.get(meant, index.parts.get(meant, []))


@cache
def _usual() -> dict[tuple[str, int], list[str]]:
    """Words that people use in questions, by first letter and length, the most usual first."""
    found: dict[tuple[str, int], list[str]] = {}
    for word in USUAL.read_text(encoding="utf-8").split():
        found.setdefault((word[0], len(word)), []).append(word)
    return found


def spelled(key: str, known: Collection[str]) -> str:
    """Return a word as it is spelled, where one letter makes it a usual word.

    >>> spelled("meny", shipped().places), spelled("poeple", shipped().places)
    ('many', 'people')
    """
    if len(key) < SHORTEST or key in known or not key.isalpha() or key in _usual().get((key[0], len(key)), ()):
        return key
    from rapidfuzz import process
    from rapidfuzz.distance import DamerauLevenshtein

    near = [word for more in (0, 1, -1) for word in _usual().get((key[0], len(key) + more), ())]
    best = process.extractOne(key, near, scorer=DamerauLevenshtein.distance, score_cutoff=1)
    return key if best is None else best[0]


def _with_seconds(text: str, index: Index) -> str:
    """Return a question whose times, such as 2:01.5, are numbers of seconds; those that a cell has stay as they are."""

    def seconds(said: re.Match[str]) -> str:
        held = index.holding(stems([token.key for token in tokenized(said[0])]))
        return said[0] if held else f"{views.read(said[0]).time:.10g}"

    return CLOCK.sub(seconds, text)


def _ordinal(token: Token) -> Token:
    """Return the number that an ordinal such as 4th or fourth says; first and second may mean something else."""
    place = ordinal(token.key)
    said = place is not None and token.number is None and (place > 2 or token.key[0].isdigit())
    return token._replace(number=float(place or 0)) if said else token


def _numbers(reading: _Reading, here: int, span: Sequence[Token], index: Index) -> None:
    """Write down the number in the text of a cell, which other cells may be compared with: 80 m; of a time, seconds."""
    for token in [token for token in span if token.number is not None][:1]:
        clock = CLOCK.fullmatch(":".join(part.text for part in span))
        time = views.read(clock[0]).time if clock and _has_times(index) else None
        reading.numbers.append(time or token.number or 0.0)
        reading.periods.append(token.period if time is None else None)
        reading.positions.append(here)


def _has_times(index: Index) -> bool:
    return any(column.view == "time" for column in index.columns)


def _contained(span: Sequence[Token], index: Index, known: Collection[str]) -> dict[int, tuple[str, ...]]:
    """Return the cells that have several words in a row, or one that is no other word."""
    if span[0].key in SMALL_WORDS or span[-1].key in SMALL_WORDS:
        return {}
    if len(span) == 1 and (span[0].number is not None or span[0].key in known or len(span[0].key) < SHORTEST):
        return {}
    return index.holding(" ".join(stemmed(token.key) for token in span))


def _mention(
    reading: _Reading,
    here: int,
    index: Index,
    texts: dict[int, str],
    columns: list[int],
    held: dict[int, tuple[str, ...]] | None = None,
) -> None:
    """Write down what is mentioned here; a column of yes and no also means that it is so."""
    for column in columns:
        reading.mentions[column].append(here)
    yes = {column: "true" for column in columns if index.columns[column].kind == "boolean"}
    if texts or yes:
        reading.links.append(Link(here, {**texts, **yes}, parts=held or {}))
    kinds = {index.kinds[column] for column in columns if not index.columns[column].view}
    kind = next((kind for kind in ("text", "number", "date", "boolean") if kind in kinds), None)
    reading.words.append(VALUE if kind is None else f"[{kind} column]")
