"""A source -> what questions may refer to: names, kinds and texts of its columns, also where no one can read them all.

The texts of a small table are all known. Of a large one, and of a column with very many texts, some are known, from
rows all over the table; what a question mentions besides is looked up when it is asked.
"""

import contextlib
import math
import re
import string
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import duckdb

from neural_programmer.base.limits import within
from neural_programmer.questions.index import DIFFERENT, SMALL, Index, IndexColumn
from neural_programmer.questions.link import LONGEST
from neural_programmer.tables.source import Source

ALL_ROWS = 100_000  # of a table whose texts are all read
FEW_ROWS = 5_000  # of a table that is read at once
TEXTS = 20_000  # that are prepared for questions, of all columns together
PLACES, RUN = 8, 1_024  # where rows of a large table are read, and how many at each place
PHRASE = 5  # words that are looked up as one text
PHRASES = 400
LOOKING = 1.0  # seconds
TOGETHER = 20  # columns in which phrases are looked up at once
FEW = 20  # texts of a column whose others are known by their shape
SHAPES = 3  # that the texts of a column of identifiers may have


@dataclass(frozen=True)
class Known:
    """The index of a source; of the columns whose texts are not all in it, those that are known by their shape."""

    index: Index
    partly: frozenset[int] = frozenset()
    shapes: tuple[tuple[int, frozenset[str]], ...] = ()


def known(source: Source) -> Known:
    """Read what questions may refer to. The order of the rows does not matter where all of them are read."""
    texts = [place for place, column in enumerate(source.columns) if column.kind == "text" and not column.view]
    most = max(TEXTS // max(len(texts), 1), FEW)
    counts = dict(zip(texts, _counted(source, texts, most), strict=True))
    ranges = _ranges(source)
    columns, partly, shapes = [], set(), []
    places = {column.name: place for place, column in enumerate(source.columns)}
    for place, column in enumerate(source.columns):
        read = {"view_of": places[column.view_of], "view": column.view} if column.view else {}
        if column.view or place in ranges:
            low, high = ranges.get(place, (math.nan, math.nan))
            columns.append(IndexColumn(column.name, column.kind, (), False, low, high, style=column.style, **read))
            continue
        if column.kind != "text":
            columns.append(IndexColumn(column.name, column.kind, ("true", "false") if column.kind == "boolean" else ()))
            continue
        found = counts[place]
        different = 0 < DIFFERENT * sum(times for _, times in found) <= len(found)
        every = source.rows <= ALL_ROWS or all(times > 1 for _, times in found)  # each that was met was met twice
        complete = every and len(found) <= most
        shape = frozenset(_shape(text) for text, _ in found) if different and not complete else frozenset()
        has_shape = 0 < len(shape) <= SHAPES and all("9" in each for each in shape)
        kept = tuple(text for text, _ in found[: FEW if has_shape else most])
        columns.append(IndexColumn.of_texts(column.name, kept, different))
        if not complete:
            partly.add(place)
        if has_shape:
            shapes.append((place, shape))
    called = tuple(filter(None, (source.part, source.called)))
    return Known(Index(tuple(columns), called), frozenset(partly), tuple(shapes))


def indexed(source: Source, known: Known, question: str, words: Collection[str] = ()) -> Index:
    """The index to read a question with: where some texts are unknown, with those that the question mentions.

    `words` mean what they say and are not looked up, unless they stand beside others. An identifier of the shape that a
    column's texts have is taken to be one of them; the other phrases are looked up in one query that is not let to take
    long.
    """
    if not known.partly:
        return known.index
    phrases = _phrases(question, words, known.index)
    found: dict[int, list[str]] = {}
    for place, shapes in known.shapes:
        found[place] = [phrase for phrase in phrases if _shape(phrase) in shapes]
    phrases = [phrase for phrase in phrases if not any(phrase in texts for texts in found.values())]
    wanted = sorted(known.partly - {place for place, _ in known.shapes})
    if phrases and wanted:
        with contextlib.suppress(duckdb.InterruptException), within(LOOKING, source.connection):
            for start in range(0, len(wanted), TOGETHER):  # a query is planned for as long as it likes
                for place, text in _looked_up(source, wanted[start : start + TOGETHER], phrases):
                    found.setdefault(place, []).append(text)
    return known.index.extended(found)


def _counted(source: Source, places: Sequence[int], most: int) -> list[list[tuple[str, int]]]:
    """The texts of the columns and how often each comes up, the most frequent first; of very many, `most` and one more.

    A small table is read at once, of a larger one every column is counted where it lies, of a large one some rows are
    read.
    """
    if not places:
        return []
    if FEW_ROWS < source.rows <= ALL_ROWS:
        counted = "SELECT {0}, count(*) AS times FROM {1} WHERE {0} IS NOT NULL GROUP BY {0} ORDER BY times DESC, {0}"
        return [
            source.fetched(f"{counted} LIMIT {most + 1}".format(f"c{place}", source.placed(place=place)))
            for place in places
        ]
    rows = source.fetched(f"SELECT {', '.join(f'c{place}' for place in places)} FROM {_some(source)}")
    columns: Iterable[tuple] = zip(*rows, strict=True) if rows else [()] * len(places)
    counts = [Counter(text for text in column if text is not None) for column in columns]
    return [sorted(count.items(), key=lambda item: (-item[1], item[0]))[: most + 1] for count in counts]


def _some(source: Source) -> str:
    """All rows of a small table; of a large one some."""
    return source.some(ALL_ROWS, PLACES, RUN)


def _ranges(source: Source) -> dict[int, tuple[float, float]]:
    """The least and the greatest of columns of numbers and of dates, in the rows that are read."""
    kinds = {p: column.kind for p, column in enumerate(source.columns) if column.kind in ("number", "date")}
    if not kinds:
        return {}
    part = "{0} + (month({1}) - 1) / 12.0 + (day({1}) - 1) / 372.0"  # as index.years_of
    ends = []
    for place, kind in kinds.items():
        low, high = f"min(c{place})", f"max(c{place})"
        ends += [f"year({low})", part.format(f"year({high})", high)] if kind == "date" else [low, high]
    ends = [f"CAST({end} AS DOUBLE)" for end in ends]
    (found,) = source.fetched(f"SELECT {', '.join(ends)} FROM {_some(source)}")
    values = [math.nan if value is None else value for value in found]
    return dict(zip(kinds, zip(values[::2], values[1::2], strict=True), strict=True))


def _looked_up(source: Source, places: Sequence[int], phrases: Sequence[str]) -> list[tuple[int, str]]:
    """Which of the phrases are texts of which columns."""
    marks = ", ".join(f"${place}" for place in range(1, len(phrases) + 1))
    parts = [
        f"SELECT DISTINCT {place}, c{place} FROM {source.placed(place=place)} WHERE c{place} IN ({marks})"
        for place in places
    ]
    return sorted(source.fetched(" UNION ALL ".join(parts), phrases))


def _phrases(question: str, words: Collection[str], index: Index) -> list[str]:
    """What a question may mention that is not known: a few words in a row, as they stand there and in other cases."""
    said = [
        word.strip(string.punctuation.replace("-", "") + "\u201c\u201d\u2018\u2019")
        for word in question[:LONGEST].split()
    ]
    said = [re.sub(r"['\u2019]s$", "", word) for word in said]
    usual = [
        not word or word.casefold() in SMALL or word.casefold() in words or word.casefold() in index.names
        for word in said
    ]
    phrases: dict[str, None] = {}
    for length in range(1, PHRASE + 1):
        for start in range(len(said) - length + 1):
            if not all(usual[start : start + length]) and all(said[start : start + length]):
                phrase = " ".join(said[start : start + length])
                phrases.update(dict.fromkeys((phrase, phrase.lower(), phrase.upper(), phrase.title())))
    return list(phrases)[:PHRASES]


def _shape(text: str) -> str:
    """C-0042 -> A-9999: digits and letters of either case are alike."""
    return re.sub(r"[^\W\d_]", lambda found: "A" if found[0].isupper() else "a", re.sub(r"\d", "9", text))
