"""A table of a file that can hold several: a sheet of a workbook, a table of a SQLite or DuckDB database."""

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb

from neural_programmer.base.limits import NONE, WORKBOOK, Limits
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tables import copying
from neural_programmer.tables.apart import told_by
from neural_programmer.tables.containers import MODULE, chosen, contents
from neural_programmer.tables.frames import Given, column_names, keep
from neural_programmer.tables.heads import FileKind
from neural_programmer.tables.kinds import GIVEN

KINDS: tuple[FileKind, ...] = ("sqlite", "duckdb", "workbook")  # of files that can hold several tables
STORED_LIMIT = 200_000_000  # bytes: larger files are not copied into memory, but read again for every question
LOOKING = 5.0  # seconds for all views of somebody else's file
PLANNING, PLANS = 20.0, 2_000  # seconds and megabytes for the plan of a view of one's own
ATTACHED = f"ATTACH ? AS {copying.FILE} (READ_ONLY)"
PARQUET_LIMIT = 5_000_000  # bytes, the same for files that are fast to read again


def parts(
    connection: duckdb.DuckDBPyConnection, path: Path, folder: Path, kind: FileKind, limits: Limits = NONE
) -> list[str]:
    """The sheets or tables of a file that can hold several: of a workbook, those sheets that are not empty; of somebody
    else's DuckDB file, those views that can be planned soon, as far as one that cannot.
    """
    if kind != "duckdb":
        with _read(path, None, limits, kind == "workbook") as told:
            names, held = next(told), []
            with contextlib.suppress(NeuralProgrammerError):  # of one sheet, said when it is asked
                held.extend(told)
            return [name for place, name in enumerate(names) if place >= len(held) or held[place]]
    if not limits.foreign:
        return [name for known in _duckdb_names(connection, path) for name in known]
    sooner = replace(limits, seconds=min(limits.seconds or LOOKING, LOOKING))
    with _copied(path, None, folder, sooner) as told:
        found = next(told)
        with contextlib.suppress(NeuralProgrammerError):
            found.extend(told)
        return found


def read(
    connection: duckdb.DuckDBPyConnection, path: Path, folder: Path, kind: FileKind, part: str, limits: Limits = NONE
) -> Given:
    """Make GIVEN of a sheet or a table of a file of one of the KINDS."""
    if kind == "duckdb":
        return _read_duckdb(connection, path, folder, part, limits)
    return (_read_sheet if kind == "workbook" else _read_sqlite)(connection, path, part, limits)


def _read_sheet(connection: duckdb.DuckDBPyConnection, path: Path, part: str, limits: Limits = NONE) -> Given:
    """A sheet of a workbook; its first row names the columns."""
    with _read(path, part, limits, is_book=True) as told:
        sheets, name, header = next(told), next(told), next(told)
        names = column_names(column for column, _ in header)
        keep(connection, len(names), told)
    return Given(names, part=name, others=() if part else tuple(sheet for sheet in sheets if sheet != name))


def _read_sqlite(connection: duckdb.DuckDBPyConnection, path: Path, part: str, limits: Limits = NONE) -> Given:
    """A table or view of a SQLite file."""
    with _read(path, part, limits) as told:
        _, name, header = next(told), next(told), next(told)
        names = column_names(column for column, _ in header)
        kinds = dict(zip(names, (kind for _, kind in header), strict=True))
        texts = frozenset(name for name, kind in kinds.items() if re.search("CHAR|CLOB|TEXT", kind, re.IGNORECASE))
        keep(connection, len(names), told)
    renamed = _renamed(names, [column for column, _ in header])
    return Given(names, part=name, dialect="sqlite", text_columns=texts, renamed=renamed)


def _renamed(names: Sequence[str], stored: Sequence[str]) -> frozenset[str]:
    """Return the columns that have another name in the database, such as one with a space at its end."""
    return frozenset(name for name, other in zip(names, stored, strict=True) if name != other)


@contextlib.contextmanager
def _read(path: Path, part: str | None, limits: Limits, is_book: bool = False) -> Iterator[Iterator[Any]]:
    """What a file holds (see containers.contents): a workbook, and what has limits, is read in a process of its own."""
    if limits == NONE and not is_book:
        yield contents(path, part)
        return
    megabytes, seconds = limits.megabytes or WORKBOOK.megabytes, limits.seconds or WORKBOOK.seconds
    limits = replace(limits, megabytes=megabytes, seconds=seconds)
    asked = {name: getattr(limits, name) for name in ("unpacked", "rows", "megabytes", "seconds")}
    with told_by(MODULE, limits, path=str(path), part=part, **asked) as told:
        yield told


@contextlib.contextmanager
def _copied(path: Path, part: str | None, folder: Path | None, limits: Limits) -> Iterator[Iterator[Any]]:
    """What a DuckDB file holds, a part of which is copied into the folder, if there is one (see copying.contents)."""
    asked = {name: getattr(limits, name) for name in ("rows", "megabytes")}
    with told_by(copying.MODULE, limits, path=str(path), part=part, folder=folder and str(folder), **asked) as told:
        yield told


def _read_duckdb(
    connection: duckdb.DuckDBPyConnection, path: Path, folder: Path, part: str, limits: Limits = NONE
) -> Given:
    """A table or view of a DuckDB file; of somebody else's, a copy of it.

    What it takes to plan a view is bound by nothing in DuckDB: that it can be planned is seen in a process with limits.
    """
    if not limits.foreign:
        tables, views = _duckdb_names(connection, path)
        known = {**tables, **views}
        name = chosen(part, list(known), "table", path)
        if name in views:
            _check_plan(path, name, limits)
        relation = connection.table(known[name])
        declared = list(zip(relation.columns, map(str, relation.types), strict=True))
    else:
        with _copied(path, part, folder, limits) as told:
            _, name, declared, *_ = told
        path = copying.place_of_copy(folder)
        connection.execute(ATTACHED, [str(path)])
        relation = connection.table(f"{copying.FILE}.{copying.COPIED}")
    relation.create_view(GIVEN)
    names, stored = column_names(relation.columns), path.stat().st_size <= STORED_LIMIT
    texts = frozenset(column for column, (_, kind) in zip(names, declared, strict=True) if kind == "VARCHAR")
    renamed = _renamed(names, relation.columns)
    return Given(names, stored, filled=frozenset(), part=name, text_columns=texts, renamed=renamed)


def _check_plan(path: Path, view: str, limits: Limits) -> None:
    """Refuse a view that takes too long to plan, or too much memory."""
    seconds, megabytes = min(limits.seconds or PLANNING, PLANNING), min(limits.megabytes or PLANS, PLANS)
    with _copied(path, view, None, replace(limits, seconds=seconds, megabytes=megabytes, rows=None)) as told:
        list(told)


def _duckdb_names(connection: duckdb.DuckDBPyConnection, path: Path) -> tuple[dict[str, str], dict[str, str]]:
    """The tables of a DuckDB file of one's own and its views, and their names in SQL."""
    connection.execute(ATTACHED, [str(path)])
    return copying.names(connection, copying.TABLES), copying.names(connection, copying.VIEWS)
