"""A table of a file that can hold several: a sheet of a workbook, a table of a SQLite or DuckDB database."""

import contextlib
import copy
import re
import sqlite3
import sys
import time
import urllib.parse
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb

from neural_programmer.errors import NeuralProgrammerError, one_of
from neural_programmer.frames import Given, column_names, keep
from neural_programmer.kinds import GIVEN, quoted
from neural_programmer.limits import NONE, Limits

STORED_LIMIT = 200_000_000  # bytes: larger files are not copied into memory, but read again for every question
PARQUET_LIMIT = 5_000_000  # bytes, the same for files that are fast to read again
SQLITE = b"SQLite format 3\0"  # how its files begin
EXCEL_LIMIT = 500_000_000  # bytes, unpacked
EXCEL_CELLS = 20_000_000  # that a sheet may span
BATCH = 10_000  # rows
CHUNK = 1_000_000  # bytes that are read at a time
PATIENCE = 100_000  # instructions of SQLite between two looks at the time

_EXCEL_CELL = re.compile(rb'<(?:\w+:)?c\s[^>/]*?\br="([A-Z]{1,3})([0-9]{1,7})"[^>/]*>')


def parts(connection: duckdb.DuckDBPyConnection, path: Path, head: bytes, limits: Limits = NONE) -> list[str]:
    """The sheets or tables of a file that can hold several."""
    if head.startswith(SQLITE):
        with contextlib.closing(_sqlite(path, head, limits)) as source:
            return _sqlite_tables(source)
    return list(_duckdb_tables(connection, path)) if is_database(head) else _workbook(path, limits).sheet_names


def is_database(head: bytes) -> bool:
    """Whether a file that begins so is one of SQLite or DuckDB."""
    return head.startswith(SQLITE) or head[8:12] == b"DUCK"


def is_workbook(head: bytes) -> bool:
    return head.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"))


def read_sheet(connection: duckdb.DuckDBPyConnection, path: Path, part: str, limits: Limits = NONE) -> Given:
    """A sheet of a workbook; its first row names the columns."""
    book = _workbook(path, limits)
    name = _chosen(part or next(iter(book.sheet_names), ""), book.sheet_names, "sheet", path)
    with _undamaged():
        sheet = book.get_sheet_by_name(name)
        if sheet.height * sheet.width > EXCEL_CELLS:
            raise NeuralProgrammerError(f"the sheet spans more than {EXCEL_CELLS:,} cells; save it as CSV")
        rows = sheet.to_python()
    if not rows:
        raise NeuralProgrammerError("the sheet is empty; it needs a first row with the names of the columns")
    names = column_names(rows[0])
    keep(connection, len(names), (rows[start : start + BATCH] for start in range(1, len(rows), BATCH)))
    return Given(names, part=name, others=() if part else tuple(book.sheet_names[1:]))


def _workbook(path: Path, limits: Limits) -> Any:
    """A workbook that can be unpacked."""
    import python_calamine

    most = limits.unpacked or EXCEL_LIMIT
    if path.stat().st_size > most:
        raise NeuralProgrammerError(f"a workbook has {most:,} bytes at most; save the sheet as CSV")
    with _undamaged():
        if zipfile.is_zipfile(path):
            _check_workbook(path, most)
        return python_calamine.CalamineWorkbook.from_path(path)


@contextlib.contextmanager
def _undamaged() -> Iterator[None]:
    """Say in a sentence that a workbook is damaged."""
    import python_calamine

    try:
        yield
    except (python_calamine.CalamineError, zipfile.BadZipFile, OSError) as error:
        raise NeuralProgrammerError(
            f"it is not a workbook, or a damaged or locked one ({error}); save it again"
        ) from None


def _check_workbook(path: Path, most: int) -> None:
    """Refuse what would unpack to more than memory holds, or span more cells: one far cell makes a sheet that large."""
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        if sum(entry.file_size for entry in entries) > most or _unpacked(archive, entries, most) > most:
            raise NeuralProgrammerError(f"it unpacks to more than {most:,} bytes; save the sheet as CSV")
        for name in archive.namelist():
            if not name.startswith("xl/worksheets/"):
                continue
            if name.endswith(".bin"):
                raise NeuralProgrammerError("it is a binary workbook (xlsb); save it as xlsx")
            rows, columns = _extent(archive.read(name))
            if rows * columns > EXCEL_CELLS:
                raise NeuralProgrammerError(
                    f"a sheet spans {rows:,} rows and {columns:,} columns, more than {EXCEL_CELLS:,} cells;"
                    " delete what stands far from the table, or save it as CSV"
                )


def _unpacked(archive: zipfile.ZipFile, entries: Sequence[zipfile.ZipInfo], most: int) -> int:
    """How many bytes the entries of an archive unpack to, whatever they say; no more are read than `most` and some."""
    size = 0
    for entry in entries:
        honest = copy.copy(entry)
        honest.file_size = sys.maxsize  # so that it is read to its end
        with archive.open(honest) as file:
            while size <= most and (chunk := file.read(CHUNK)):
                size += len(chunk)
    return size


def _extent(sheet: bytes) -> tuple[int, int]:
    """The rows and columns between the cells of a sheet that hold something."""
    letters: set[bytes] = set()
    first, last = 10**7, 0
    for cell in _EXCEL_CELL.finditer(sheet):
        letters.add(cell[1])
        first, last = min(first, int(cell[2])), max(last, int(cell[2]))
    columns = [sum((letter - 64) * 26**place for place, letter in enumerate(reversed(name))) for name in letters]
    return (last - first + 1, max(columns) - min(columns) + 1) if columns else (0, 0)


def read_sqlite(
    connection: duckdb.DuckDBPyConnection, path: Path, part: str, head: bytes, limits: Limits = NONE
) -> Given:
    """A table or view of a SQLite file."""
    with contextlib.closing(_sqlite(path, head, limits)) as source:
        name = _chosen(part, _sqlite_tables(source), "table", path)
        most = -1 if limits.rows is None else limits.rows + 1
        rows = source.execute(f"SELECT * FROM {quoted(name)} LIMIT ?", [most])
        names = column_names(column[0] for column in rows.description)
        declared = source.execute("SELECT name, type FROM pragma_table_info(?)", [name]).fetchall()
        texts = frozenset(column for column, kind in declared if re.search("CHAR|CLOB|TEXT", kind, re.IGNORECASE))
        keep(connection, len(names), iter(lambda: rows.fetchmany(BATCH), []))
    return Given(names, part=name, dialect="sqlite", text_columns=texts)


def _sqlite(path: Path, head: bytes, limits: Limits) -> sqlite3.Connection:
    """A SQLite file, which is neither written to nor locked."""
    log = path.with_name(path.name + "-wal")
    is_logged = head[18:19] == b"\2"  # by changes in a file beside it, which SQLite would create to read
    is_whole = is_logged and not (log.exists() and log.stat().st_size)
    options = "mode=ro&immutable=1" if is_whole else "mode=ro&readonly_shm=1"
    source = sqlite3.connect(f"file:{urllib.parse.quote(str(path))}?{options}", uri=True, timeout=1)
    source.text_factory = lambda text: text.decode("utf-8", "replace")
    if limits.seconds is not None:  # of a view, which may compute anything
        until = time.monotonic() + limits.seconds
        source.set_progress_handler(lambda: time.monotonic() > until, PATIENCE)
    return source


def _sqlite_tables(source: sqlite3.Connection) -> list[str]:
    source.execute("PRAGMA trusted_schema = off")
    asked = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    return [name for (name,) in source.execute(asked)]


def read_duckdb(connection: duckdb.DuckDBPyConnection, path: Path, part: str) -> Given:
    """A table or view of a DuckDB file."""
    known = _duckdb_tables(connection, path)
    schema, name = known[_chosen(part, list(known), "table", path)]
    relation = connection.table(f"file.{quoted(schema)}.{quoted(name)}")
    relation.create_view(GIVEN)
    names, stored = column_names(relation.columns), path.stat().st_size <= STORED_LIMIT
    texts = frozenset(column for column, kind in zip(names, relation.types, strict=True) if str(kind) == "VARCHAR")
    return Given(names, stored, filled=frozenset(), part=name, text_columns=texts)


def _duckdb_tables(connection: duckdb.DuckDBPyConnection, path: Path) -> dict[str, tuple[str, str]]:
    """The tables and views of a DuckDB file, with their schemas."""
    connection.execute("ATTACH ? AS file (READ_ONLY)", [str(path)])
    found = connection.execute(
        "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = 'file' UNION ALL"
        " SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = 'file' AND NOT internal"
    ).fetchall()
    return {name if schema == "main" else f"{schema}.{name}": (schema, name) for schema, name in found}


def _chosen(part: str, known: Sequence[str], what: str, path: Path) -> str:
    """The table or sheet that is meant: the one that was named, or the only one."""
    if part:
        if part not in known:
            raise one_of(what, part, known[:50])
        return part
    if len(known) == 1:
        return known[0]
    if not known:
        raise NeuralProgrammerError(f"it holds no {what}; name another file")
    listed = ", ".join(known[:50])
    raise NeuralProgrammerError(f"it holds {len(known)} {what}s; name one, as in {path.name}::{known[0]}: {listed}")
