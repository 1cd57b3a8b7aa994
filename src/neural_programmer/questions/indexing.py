"""A source -> what questions may refer to: names, kinds and texts of its columns, also where no one can read them all.

The texts of a small table are all known. Of a large one, and of a column with very many texts, some are known, from
rows all over the table; what a question mentions besides is looked up when it is asked: up to five million cells in an
index of every text, of a larger table with a query that is not let to take long.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from neural_programmer.questions.cell_texts import INDEXED_CELLS, CellTexts, Found, searched
from neural_programmer.questions.index import DIFFERENT, Index, IndexColumn
from neural_programmer.questions.phrases import Phrase, phrases
from neural_programmer.tables.source import Source

ALL_ROWS = 100_000  # of a table whose texts are all read
FEW_ROWS = 5_000  # of a table that is read at once
PREPARED_TEXTS = 20_000  # that are prepared for questions, of all columns together
PLACES, RUN = 8, 1_024  # where rows of a large table are read, and how many at each place
SHAPED_TEXTS = 20  # texts of a column whose others are known by their shape
SHAPES = 3  # that the texts of a column of identifiers may have


@dataclass(frozen=True)
class Known:
    """The index of a source; of the columns whose texts are not all in it, those that are known by their shape, and
    every text, where there are not too many cells."""

    index: Index
    partly: frozenset[int] = frozenset()
    shapes: tuple[tuple[int, frozenset[str]], ...] = ()
    texts: CellTexts | None = field(default=None, compare=False, repr=False)


def known(source: Source) -> Known:
    """Read what questions may refer to. The order of the rows does not matter where all of them are read."""
    texts = [place for place, column in enumerate(source.columns) if column.kind == "text" and not column.view]
    most = max(PREPARED_TEXTS // max(len(texts), 1), SHAPED_TEXTS)
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
        complete = source.rows <= ALL_ROWS and len(found) <= most
        shape = frozenset(_shape(text) for text, _ in found) if different and not complete else frozenset()
        has_shape = 0 < len(shape) <= SHAPES and all("9" in each for each in shape)
        kept = tuple(text for text, _ in found[: SHAPED_TEXTS if has_shape else most])
        columns.append(IndexColumn.of_texts(column.name, kept, different))
        if not complete:
            partly.add(place)
        if has_shape:
            shapes.append((place, shape))
    called = tuple(filter(None, (source.part, source.called)))
    cells = source.rows * sum(not column.view for column in source.columns)
    every = CellTexts.of(source, sorted(partly)) if partly and cells <= INDEXED_CELLS else None
    return Known(Index(tuple(columns), called), frozenset(partly), tuple(shapes), every)


def indexed(source: Source, known: Known, question: str, words: Collection[str] = ()) -> Index:
    """Return the index to read a question with; where some texts are unknown, with those that the question mentions.

    `words` are such as everybody uses: see phrases.Phrase.
    """
    asked = phrases(question, words, known.index) if known.partly else []
    if not asked:
        return known.index
    names = [phrase for phrase in asked if phrase.is_name]
    return _with(source, known, names, partial(_with, source, known, asked) if len(names) < len(asked) else None)


def _with(source: Source, known: Known, asked: Sequence[Phrase], wider: Callable[[], Index] | None = None) -> Index:
    """Return the index of a source with the texts asked for, and what is missing where time was up."""
    if known.texts is not None:
        found = known.texts.found(source, {phrase.key for phrase in asked})
    else:
        found = _searched(source, known, asked)
    missed = [] if found.complete else list(dict.fromkeys(said for phrase in asked for said in phrase.missed))
    whole = [said for said in missed if not any(said != other and f" {said} " in f" {other} " for other in missed)]
    return known.index.extended(found.texts, whole, wider)


def _searched(source: Source, known: Known, asked: Sequence[Phrase]) -> Found:
    """Return what a question says in a table with very many cells. An identifier of the shape that a column's texts
    have is taken to be one of them, if nothing else is known of it."""
    by_shape: dict[int, list[str]] = {}
    shaped = {form: phrase for phrase in asked if phrase.unknown for form in _cases(phrase.said[0])}
    for place, shapes in known.shapes:
        by_shape[place] = [form for form in shaped if _shape(form) in shapes]
    taken = {shaped[form].key for texts in by_shape.values() for form in texts}
    left = [phrase for phrase in asked if phrase.key not in taken]
    fitting = {_shape(form) for phrase in left for form in _cases(phrase.said[0])}
    places = sorted(known.partly - {place for place, shapes in known.shapes if not shapes & fitting})
    if not left or not places:
        return Found(by_shape)
    found = searched(source, places, {form for each in left for form in each.said}, {each.key for each in left})
    texts = {place: [*found.texts.get(place, ()), *by_shape.get(place, ())] for place in found.texts | by_shape.keys()}
    return Found(texts, found.complete)


def _cases(said: str) -> tuple[str, ...]:
    return said, said.lower(), said.upper(), said.title()


def _counted(source: Source, places: Sequence[int], most: int) -> list[list[tuple[str, int]]]:
    """Return the texts of the columns and how often each comes up, the most frequent first; of very many, `most` and
    one more.

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
    """Return all rows of a small table, and some of a large one."""
    return source.some(ALL_ROWS, PLACES, RUN)


def _ranges(source: Source) -> dict[int, tuple[float, float]]:
    """Return the least and the greatest of columns of numbers and of dates, in the rows that are read."""
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


def _shape(text: str) -> str:
    """C-0042 -> A-9999: digits and letters of either case are alike."""
    return re.sub(r"[^\W\d_]", lambda found: "A" if found[0].isupper() else "a", re.sub(r"\d", "9", text))
