"""A table of a file that can hold several: a sheet of a workbook, a table of a SQLite or DuckDB database."""

import contextlib
import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb

from neural_programmer import copying
from neural_programmer.containers import MODULE, SQLITE, TOO_LARGE, WORKBOOKS, chosen, contents
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.frames import Given, column_names, keep
from neural_programmer.kinds import GIVEN
from neural_programmer.limits import NONE, Limits

STORED_LIMIT = 200_000_000  # bytes: larger files are not copied into memory, but read again for every question
PLANNING = 5.0  # seconds for all views of somebody else's file
ATTACHED = f"ATTACH ? AS {copying.FILE} (READ_ONLY)"
PARQUET_LIMIT = 5_000_000  # bytes, the same for files that are fast to read again
BATCH = 10_000  # rows that are taken at a time,
LETTERS = 5_000_000  # or as many as have so many letters


def parts(
    connection: duckdb.DuckDBPyConnection, path: Path, folder: Path, head: bytes, limits: Limits = NONE
) -> list[str]:
    """The sheets or tables of a file that can hold several; of somebody else's DuckDB file those views that can be
    planned soon, as far as one that cannot.
    """
    if not is_database(head) or head.startswith(SQLITE):
        with _read(path, None, limits) as told:
            return next(told)
    if not limits.foreign:
        return list(_duckdb_names(connection, path))
    sooner = replace(limits, seconds=min(limits.seconds or PLANNING, PLANNING))
    with _copied(path, None, folder, sooner) as told:
        found = next(told)
        with contextlib.suppress(NeuralProgrammerError):
            found.extend(told)
        return found


def is_database(head: bytes) -> bool:
    """Whether a file that begins so is one of SQLite or DuckDB."""
    return head.startswith(SQLITE) or head[8:12] == b"DUCK"


def is_workbook(head: bytes) -> bool:
    return head.startswith(WORKBOOKS)


def read_sheet(connection: duckdb.DuckDBPyConnection, path: Path, part: str, limits: Limits = NONE) -> Given:
    """A sheet of a workbook; its first row names the columns."""
    with _read(path, part, limits) as told:
        sheets, name, header = next(told), next(told), next(told)
        names = column_names(column for column, _ in header)
        keep(connection, len(names), batches(told))
    return Given(names, part=name, others=() if part else tuple(sheets[1:]))


def read_sqlite(connection: duckdb.DuckDBPyConnection, path: Path, part: str, limits: Limits = NONE) -> Given:
    """A table or view of a SQLite file."""
    with _read(path, part, limits) as told:
        _, name, header = next(told), next(told), next(told)
        names = column_names(column for column, _ in header)
        texts = frozenset(column for column, kind in header if re.search("CHAR|CLOB|TEXT", kind, re.IGNORECASE))
        keep(connection, len(names), batches(told))
    return Given(names, part=name, dialect="sqlite", text_columns=texts)


def batches(rows: Iterator[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
    """Some rows at a time: not too many, and not too large together."""
    batch, letters = [], 0
    for row in rows:
        batch.append(row)
        letters += sum(len(cell) for cell in row if isinstance(cell, str | bytes))
        if len(batch) == BATCH or letters > LETTERS:
            yield batch
            batch, letters = [], 0
    if batch:
        yield batch


@contextlib.contextmanager
def _read(path: Path, part: str | None, limits: Limits) -> Iterator[Iterator[Any]]:
    """What a file holds (see containers.contents); within limits it is read in a process of its own."""
    if limits == NONE:
        yield contents(path, part)
        return
    with _apart(MODULE, path, part, limits, "unpacked", "rows", "megabytes") as told:
        yield told


@contextlib.contextmanager
def _copied(path: Path, part: str | None, folder: Path, limits: Limits) -> Iterator[Iterator[Any]]:
    """What a DuckDB file holds, a part of which is copied into the folder (see copying.contents)."""
    with _apart(copying.MODULE, path, part, replace(limits, folder=folder), "folder", "rows", "megabytes") as told:
        yield told


@contextlib.contextmanager
def _apart(module: str, path: Path, part: str | None, limits: Limits, *names: str) -> Iterator[Iterator[Any]]:
    """What a process tells of a file that reads it within limits, those of these names by itself."""
    allowed = {name: getattr(limits, name) for name in names}
    options = [f"--{name}={value}" for name, value in allowed.items() if value is not None]
    asked = [str(path)] if part is None else [str(path), part]
    ended = threading.Event()

    def end() -> None:
        ended.set()
        process.kill()

    with subprocess.Popen(
        [sys.executable, "-P", "-m", module, *options, "--", *asked],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        watch = threading.Timer(limits.seconds or threading.TIMEOUT_MAX, end)
        watch.daemon = True
        watch.start()
        try:
            yield _told(process, ended, limits)
        finally:
            watch.cancel()
            process.kill()


def _told(process: subprocess.Popen[bytes], ended: threading.Event, limits: Limits) -> Iterator[Any]:
    """What a process tells that reads a file, until it is done."""
    for line in process.stdout or ():
        told = json.loads(line) if line.endswith(b"\n") else {}  # of an end in the middle of a line
        if isinstance(told, dict):
            if "error" in told:
                raise NeuralProgrammerError(told["error"])
            if "duckdb" in told:
                raise duckdb.Error(told["duckdb"])
            break
        yield told
    if process.wait() and ended.is_set():
        raise NeuralProgrammerError(f"it takes longer than {limits.seconds:g} seconds to read; leave some of it out")
    if process.returncode:
        raise NeuralProgrammerError(TOO_LARGE)


def read_duckdb(
    connection: duckdb.DuckDBPyConnection, path: Path, folder: Path, part: str, limits: Limits = NONE
) -> Given:
    """A table or view of a DuckDB file; of somebody else's, a copy of it."""
    if not limits.foreign:
        known = _duckdb_names(connection, path)
        name = chosen(part, list(known), "table", path)
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
    return Given(names, stored, filled=frozenset(), part=name, text_columns=texts)


def _duckdb_names(connection: duckdb.DuckDBPyConnection, path: Path) -> dict[str, str]:
    """The tables and views of a DuckDB file of one's own, and their names in SQL."""
    connection.execute(ATTACHED, [str(path)])
    return {**copying.names(connection, copying.TABLES), **copying.names(connection, copying.VIEWS)}
