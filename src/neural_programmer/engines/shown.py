"""The query that people read, such that it runs where the table is: on the file itself, or in its database."""

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

import duckdb
from sqlglot import exp

from neural_programmer.engines import sql
from neural_programmer.programs.program import Program
from neural_programmer.tables.kinds import PLAIN_PATTERNS, Column
from neural_programmer.tables.reading import PATTERN_LETTERS
from neural_programmer.tables.source import Source
from neural_programmer.tables.views_sql import Stored, Viewed, viewed


@dataclass(frozen=True)
class Place:
    """What a query must know of the table as it is stored: its name, and the columns whose texts it reads itself."""

    relation: str
    booleans: frozenset[str]
    numbers: tuple[tuple[str, sql.Replaced], ...] = ()
    others: frozenset[str] = frozenset()  # columns of text that the query takes for something else, and cannot read
    row: str = sql.ROW  # what the numbers of the rows are called, as no column is
    views: tuple[Viewed, ...] = ()  # columns that are read from others
    dates: tuple[tuple[str, tuple[str, ...]], ...] = ()  # columns of text, with how these write dates
    file: sql.File | None = None  # how DuckDB is to read a file, where it would take texts for something else


def place(source: Source, dialect: str) -> Place:
    """Where a query in this dialect runs: DuckDB reads the file, a database its table, others a table of theirs."""
    plain, views = source.plain(), viewed(source.columns)
    found, typed = _plain(plain, dialect), _typed(plain) if views and dialect == source.dialect else frozenset()
    stored: Stored = "guessed" if len(source.form) == 1 else "typed"
    views = [view._replace(kind="text") if view.column in found.others else view for view in views]
    views = [view._replace(stored=stored) if view.column in typed else view for view in views]
    told = source.part or source.form == "parquet" or stored == "guessed"  # else DuckDB guesses, whatever it is told
    return replace(found, row=source.row, views=tuple(views), others=found.others if told else found.others | typed)


def _typed(source: Source) -> frozenset[str]:
    """The columns of text that are stored as something else, or that DuckDB takes for something else in the file."""
    texts = _names([column for column in source.columns if column.kind == "text"])
    if source.part:
        return texts - source.text_columns
    return texts & {name for name, kind in (_types(source) or {}).items() if kind != "VARCHAR"}


def _plain(source: Source, dialect: str) -> Place:
    """The same of a table without views."""
    booleans = frozenset(column.name for column in source.columns if column.kind == "boolean")
    relation = source.part or source.called.partition(".")[0] or "data"
    read = [column for column in source.columns if column.pattern and column.kind != "text"]
    odd = [column for column in read if column.pattern not in PLAIN_PATTERNS]
    if dialect != source.dialect:
        return Place(relation, booleans, (), _names(odd))
    if source.part:
        texts = [column for column in read if column.name in source.text_columns or column in odd]
        formats = _formats(texts) if dialect == "duckdb" else ()
        unread = [column for column in odd if column.kind == "date" and column.name not in dict(formats)]
        if dialect == "sqlite":  # which compares texts with 0 and 1
            unread += [column for column in read if column.kind == "boolean"]
        return Place(relation, booleans, _numbers(texts), _names(unread), dates=formats)
    types = _types(source)
    if types is None:
        return Place(relation, booleans, (), _names(odd))
    taken = [column for column in odd if types[column.name] != "VARCHAR"]  # as DuckDB guesses, which may be otherwise
    if len(source.form) > 1 and taken:
        return Place(_path(source), booleans, (), _names(odd))
    texts = [column for column in read if types[column.name] == "VARCHAR" or column in taken]
    formats = _formats(texts)
    unread = [column for column in texts if column.kind == "date" and column.name not in dict(formats)]
    file = sql.File(source.form, _names(taken)) if taken else None
    return Place(_path(source), booleans, _numbers(texts), _names(unread), dates=formats, file=file)


def _path(source: Source) -> str:
    """The file as its owner names it: where it was given by its content, only they know where it lies."""
    assert source.path is not None
    if source.called == source.name or source.called != source.path.name:
        return source.called
    return source.name if os.path.exists(source.name) else str(source.path)


def text(program: Program, place: Place, dialect: str) -> str:
    """The query; before it, in remarks, the columns whose texts it cannot read, and those that are not there."""
    used = {step.column for step in program.steps}
    views = tuple(view for view in place.views if view.name in used)
    reads = dialect.lower() == "duckdb"
    read = views if reads else ()
    stored = place.booleans, place.numbers, place.row, read, place.dates, place.file
    written = sql.text(program, place.relation, dialect, *stored)
    unread = place.others & (used | {view.column for view in views})
    missing = [] if reads else [f"{view.name} from {view.column}" for view in views]
    remarks = [
        f"-- {said}: {', '.join(' '.join(name.split()) for name in names)}\n"
        for said, names in (
            ("stored as text, taken for numbers, dates or truths", sorted(unread)),
            ("columns to be made first, by reading the texts of others", missing),
        )
        if names
    ]
    return "".join(remarks) + written


def _types(source: Source) -> dict[str, str] | None:
    """The types of the columns when DuckDB reads the file by itself, if it finds the same columns."""
    if source.path is None or set(str(source.path)) & PATTERN_LETTERS:
        return None
    named = exp.Table(this=exp.to_identifier(str(source.path), quoted=True))
    with contextlib.suppress(duckdb.Error):
        found = source.connection.sql(exp.select("*").from_(named).limit(0).sql("duckdb"))
        if found.columns == [column.name for column in source.columns]:
            return dict(zip(found.columns, map(str, found.types), strict=True))
    return None


def _numbers(columns: Sequence[Column]) -> tuple[tuple[str, sql.Replaced], ...]:
    return tuple((column.name, column.replaced) for column in columns if column.kind == "number")


def _formats(columns: Sequence[Column]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((column.name, column.formats) for column in columns if column.formats)


def _names(columns: Sequence[Column]) -> frozenset[str]:
    return frozenset(column.name for column in columns)
