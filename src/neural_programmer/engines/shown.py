"""The query that people read. It runs where the table is: on the file itself, or in its database."""

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb
from sqlglot import exp

from neural_programmer.engines import sql
from neural_programmer.engines.cleaned import Cast, Cleaned
from neural_programmer.programs.program import Kinds, Program
from neural_programmer.tables import standard_input
from neural_programmer.tables.cleaning import NAN, Cleaning
from neural_programmer.tables.kinds import PLAIN_PATTERNS, Column
from neural_programmer.tables.naming import JSON_SUFFIXES, TEXT_SUFFIXES, Named, ending_of, suffix_of
from neural_programmer.tables.searching import BELOW, is_pattern
from neural_programmer.tables.source import Source
from neural_programmer.tables.views_sql import Stored, Viewed, viewed

LISTED = 100  # files that a query names one by one
OPEN = 200  # CSV files that DuckDB can open together on every system, to see what all of them hold


@dataclass(frozen=True)
class Place:
    """The table as a query finds it stored: its name, and how its columns are to be read."""

    relation: str
    booleans: frozenset[str]
    numbers: tuple[tuple[str, sql.Replaced], ...] = ()
    others: frozenset[str] = frozenset()  # columns of text that the query takes for something else, and cannot read
    nested: frozenset[str] = frozenset()  # columns of lists or objects that it takes for texts, and cannot read
    row: str = sql.ROW  # what the numbers of the rows are called, as no column is
    views: tuple[Viewed, ...] = ()  # columns that are read from others
    dates: tuple[tuple[str, tuple[str, ...]], ...] = ()  # columns of text, with how these write dates
    file: sql.File | None = None  # how DuckDB is to read a file, where it would take texts for something else
    cleaned: tuple[Cleaned, ...] = ()  # columns whose cells are read otherwise than as they are
    renamed: frozenset[str] = frozenset()  # columns that have another name in the database
    unread: bool = False  # whether DuckDB does not read the file by itself as it was read here
    kinds: Kinds = ()  # what the columns hold


def place(source: Source, dialect: str) -> Place:
    """Return where a query in this dialect runs. DuckDB reads the file, a database its own table, other dialects a
    table of that name."""
    plain, views = source.plain(), viewed(source.columns)
    found, typed = _plain(plain, dialect), _typed(plain) if views and dialect == source.dialect else frozenset()
    stored: Stored = "guessed" if len(source.form) == 1 else "typed"
    formats = dict(found.dates)
    views = [view._replace(formats=formats.get(view.column, ())) for view in views]
    views = [view._replace(kind="text") if view.column in found.others else view for view in views]
    views = [view._replace(stored=stored) if view.column in typed else view for view in views]
    told = source.part or source.form == "parquet" or stored == "guessed"  # else DuckDB guesses, whatever it is told
    found = replace(found, kinds=source.cell_kinds)
    return replace(found, row=source.row, views=tuple(views), others=found.others if told else found.others | typed)


def _typed(source: Source) -> frozenset[str]:
    """Return the columns of text that are stored as another type, or that DuckDB takes for another type in the file."""
    texts = _names([column for column in source.columns if column.kind == "text"])
    if source.part:
        return texts - source.text_columns
    return texts & {name for name, kind in (_types(source, _files(source)) or {}).items() if kind != "VARCHAR"}


def _plain(source: Source, dialect: str) -> Place:
    """Return the place of a table without columns that are read from others."""
    booleans = frozenset(column.name for column in source.columns if column.kind == "boolean")
    relation = source.part or source.called.partition(".")[0] or "data"
    read = [column for column in source.columns if column.pattern and column.kind != "text"]
    odd = [column for column in read if column.pattern not in PLAIN_PATTERNS]
    if dialect != source.dialect:
        return Place(relation, booleans, (), _names(odd))
    if source.part:
        texts = [
            column
            for column in read
            if column.name in source.text_columns or column in odd or column.cleaning.missing or column.cleaning.cast
        ]
        formats = _formats(texts) if dialect == "duckdb" else ()
        unread = [column for column in odd if column.kind == "date" and column.name not in dict(formats)]
        if dialect == "sqlite":  # which compares texts with 0 and 1
            unread += [column for column in read if column.kind == "boolean"]
        place = Place(relation, booleans, _numbers(texts), _names(unread), dates=formats, cleaned=_cleaned(source))
        return replace(place, renamed=source.renamed)
    several = _files(source)
    types = _types(source, several)
    if types is None:
        return Place(relation, booleans, (), _names(odd), unread=_has_a_place(source))
    clean = _cleaned(source, types)
    texts = [column for column in source.columns if column.kind == "text"]
    guessed = [column for column in [*odd, *texts] if types[column.name] != "VARCHAR"]  # as DuckDB does
    of_folders = _names(guessed) & set(source.named.keys if source.named else ())  # whose types it cannot be told
    guessed = [column for column in guessed if column.name not in of_folders]
    told = len(source.form) <= 1 and not _is_json(source)
    taken = guessed if told else []
    cast = {each.name for each in clean if each.cast}
    untold = [column for column in guessed if column not in taken and column.name not in cast]
    nested = [column for column in untold if _is_nested(types[column.name])]
    read = [column for column in read if types[column.name] == "VARCHAR" or column in taken or column.name in cast]
    formats = _formats(read)
    unread = [column for column in read if column.kind == "date" and column.name not in dict(formats)]
    file = several
    if told and (taken or several):
        file = (several or sql.File("", frozenset()))._replace(delimiter=source.form, texts=_names(taken))
    unread = _names(unread) | {column.name for column in untold if column.kind != "text"} | of_folders
    place = Place(relation if several else _path(source), booleans, _numbers(read), unread, _names(nested))
    return replace(place, dates=formats, file=file, cleaned=clean)


def _cleaned(source: Source, types: dict[str, str] | None = None) -> tuple[Cleaned, ...]:
    """Return the columns of a stored table whose cells must be cleaned before they are compared. `types` are those of a
    file."""
    found = []
    for column in source.columns:
        kind = (types or {}).get(column.name)
        is_number = kind in ("FLOAT", "DOUBLE") or (not column.pattern and column.kind == "number")
        in_sqlite = source.dialect == "sqlite" and column.kind == "text" and column.name not in source.text_columns
        cast: Cast = "text" if column.cleaning.cast or in_sqlite else "json" if kind == "JSON" else ""
        cleaning = column.cleaning
        if column.kind not in ("text", "boolean"):  # of what is read from it by TRY_CAST, only NaN is a number
            nan = tuple(text for text in cleaning.missing if text.lower() == NAN)
            cleaning = Cleaning(nan[:1] if is_number else nan)
        found.append(Cleaned(column.name, is_number, cast, cleaning))
    return tuple(each for each in found if each.cast or each.cleaning != Cleaning(cast=each.cleaning.cast))


def _has_a_place(source: Source) -> bool:
    """Return whether the table is in files that people can name again. The standard input is not."""
    return source.named is not None and source.named.called != standard_input.CALLED


def _is_json(source: Source) -> bool:
    """Return whether DuckDB takes a file for JSON, which it does by its name."""
    file = source.path if source.named is None else source.named.files[0]
    return file is not None and suffix_of(file.name) in JSON_SUFFIXES


def _is_nested(kind: str) -> bool:
    """Return whether a type of DuckDB holds lists or objects."""
    return kind.endswith("]") or kind.startswith(("STRUCT", "MAP"))


def _path(source: Source) -> str:
    """Return the path of the file as its owner names it. A file that was given by its content has only a name."""
    if source.private:
        return source.called
    assert source.named is not None
    return source.name if os.path.isfile(source.name) else _from_here(source.named, source.named.path)


def _files(source: Source) -> sql.File | None:
    """Return how DuckDB reads several files as one table, or None if it cannot, or if their names are private."""
    named = source.named
    function = _function(source)
    if named is None or named.root is None or source.private or function is None:
        return None
    paths = _pattern(named) or tuple(_from_here(named, file) for file in named.files)
    if len(paths) > LISTED or (len(paths) > 1 and any(map(is_pattern, paths))):
        return None
    by_name = function != "READ_CSV" or source.united or len(named.files) <= OPEN
    options = ["union_by_name"] * by_name + ["hive_partitioning"] * bool(named.keys)
    return sql.File("", frozenset(), function, paths, tuple(options))


def _function(source: Source) -> str | None:
    """Return the function by which DuckDB reads such files, or None, as for Arrow files."""
    suffix = suffix_of(source.named.files[0].name) if source.named else ""
    if len(source.form) == 1 or suffix in TEXT_SUFFIXES:
        return "READ_CSV"
    if source.form == "json" or suffix in JSON_SUFFIXES:
        return "READ_JSON"
    return "READ_PARQUET" if source.form == "parquet" else None


def _pattern(named: Named) -> tuple[str, ...]:
    """Return a pattern by which DuckDB finds the same files in the same order: the one that was named, or one of the
    folder; nothing if there is none."""
    said = os.path.expanduser(named.title)
    tried = [said]
    if os.path.isdir(said):
        [end, *others] = {ending_of(file.name) for file in named.files}
        tried = [] if others else [os.path.join(said, f"*{end}"), os.path.join(said, BELOW, f"*{end}")]
    with duckdb.connect(config={"autoinstall_known_extensions": False}) as connection:
        for pattern in tried:
            found = connection.execute("SELECT file FROM glob(?)", [pattern]).fetchall()
            if [os.path.abspath(file) for (file,) in found] == list(map(str, named.files)):
                return (pattern,)
    return ()


def _from_here(named: Named, file: Path) -> str:
    """Return the path of a file in the way the folder or pattern was named: absolute, or relative to the current
    folder."""
    return str(file) if os.path.isabs(os.path.expanduser(named.title)) else os.path.relpath(file)


def text(program: Program, place: Place, dialect: str) -> str:
    """Return the query. Remarks before it name the columns that it cannot read, and those that are not there."""
    used = {step.source for step in program.steps}
    views = tuple(view for view in place.views if view.name in used)
    reads = dialect.lower() == "duckdb"
    read = views if reads else ()
    stored = place.booleans, place.numbers, place.row, read, place.dates, place.file, place.cleaned, place.kinds
    written = sql.text(program, place.relation, dialect, *stored)
    of_views = used | {view.column for view in views}
    missing = [] if reads else [f"{view.name} from {view.column}" for view in views]
    remarks = (
        ["-- a table to be made first of the file, which DuckDB does not read by itself\n"] if place.unread else []
    )
    remarks += [
        f"-- {said}: {', '.join(' '.join(name.split()) for name in names)}\n"
        for said, names in (
            ("stored as text, taken for numbers, dates or truths", sorted(place.others & of_views)),
            ("stored as lists or objects, taken for texts", sorted(place.nested & used)),
            ("columns to be renamed first, which have another name there", sorted(place.renamed & of_views)),
            ("columns to be made first, by reading the texts of others", missing),
        )
        if names
    ]
    return "".join(remarks) + written


def _types(source: Source, several: sql.File | None = None) -> dict[str, str] | None:
    """Return the types of the columns when DuckDB reads the files by itself, or None if it finds other columns."""
    if source.is_wide:
        return None
    if several is not None and source.named is not None:
        read = several._replace(paths=tuple(map(str, source.named.files))).read("")
    elif source.path is None or is_pattern(str(source.path)):
        return None
    else:
        read = exp.Table(this=exp.to_identifier(str(source.path), quoted=True))
    with contextlib.suppress(duckdb.Error):
        found = source.connection.sql(exp.select("*").from_(read).limit(0).sql("duckdb"))
        if found.columns == [column.name for column in source.columns]:
            return dict(zip(found.columns, map(str, found.types), strict=True))
    return None


def _numbers(columns: Sequence[Column]) -> tuple[tuple[str, sql.Replaced], ...]:
    return tuple((column.name, column.replaced) for column in columns if column.kind == "number")


def _formats(columns: Sequence[Column]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((column.name, column.formats) for column in columns if column.formats)


def _names(columns: Sequence[Column]) -> frozenset[str]:
    return frozenset(column.name for column in columns)
