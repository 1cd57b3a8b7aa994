"""Files that hold several tables and are read row by row: workbooks and SQLite databases.

    python -m neural_programmer.containers FILE [PART] --unpacked BYTES --rows ROWS --megabytes MEGABYTES

writes the same as JSON lines. A file of somebody else is read so, in a process of its own: a view can compute anything,
a workbook unpack to anything, and a process can be ended at any time and be given no more memory.
"""

import argparse
import contextlib
import copy
import datetime
import json
import re
import sqlite3
import sys
import urllib.parse
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from neural_programmer.ending import end_with_input
from neural_programmer.errors import NeuralProgrammerError, one_of

MODULE = "neural_programmer.containers"
SQLITE = b"SQLite format 3\0"  # how its files begin
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")  # and those of workbooks
HEAD = 100  # bytes that show what a file is
EXCEL_LIMIT = 500_000_000  # bytes, unpacked
EXCEL_CELLS = 20_000_000  # that a sheet may span
CHUNK = 1_000_000  # bytes that are read at a time
ROW = 2_000_000  # bytes of a row, in a process of its own; as of a CSV file
PROCESS = 200  # megabytes that a process takes before it reads anything
TOO_LARGE = "it takes more memory than is allowed here; leave some of it out, or save it as CSV"

_EXCEL_CELL = re.compile(rb'<(?:\w+:)?c\s[^>/]*?\br="([A-Z]{1,3})([0-9]{1,7})"[^>/]*>')


def contents(
    path: Path, part: str | None = None, unpacked: int | None = None, rows: int | None = None, apart: bool = False
) -> Iterator:
    """The names of the sheets or tables; then, unless `part` is None, the name of the one that is meant, its columns as
    pairs of a name and a declared type, and its rows: of a database, one more than `rows` at most. `apart` is whether
    this is a process of its own.
    """
    with open(path, "rb") as file:
        head = file.read(HEAD)
    return _database(path, head, part, rows, apart) if head.startswith(SQLITE) else _workbook(path, part, unpacked)


def _workbook(path: Path, part: str | None, unpacked: int | None) -> Iterator:
    """A workbook; the first row of a sheet names the columns."""
    import python_calamine

    most = unpacked or EXCEL_LIMIT
    if path.stat().st_size > most:
        raise NeuralProgrammerError(f"a workbook has {most:,} bytes at most; save the sheet as CSV")
    try:
        if zipfile.is_zipfile(path):
            _check_workbook(path, most)
        book = python_calamine.CalamineWorkbook.from_path(path)
        names = book.sheet_names
        yield names
        if part is None:
            return
        name = chosen(part or next(iter(names), ""), names, "sheet", path)
        sheet = book.get_sheet_by_name(name)
        if sheet.height * sheet.width > EXCEL_CELLS:
            raise NeuralProgrammerError(f"the sheet spans more than {EXCEL_CELLS:,} cells; save it as CSV")
        rows = sheet.to_python()
    except (python_calamine.CalamineError, zipfile.BadZipFile, OSError) as error:
        raise NeuralProgrammerError(
            f"it is not a workbook, or a damaged or locked one ({error}); save it again"
        ) from None
    if not rows:
        raise NeuralProgrammerError("the sheet is empty; it needs a first row with the names of the columns")
    yield name
    yield [(cell, "") for cell in rows[0]]
    yield from rows[1:]


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


def _database(path: Path, head: bytes, part: str | None, most: int | None, apart: bool) -> Iterator:
    """A SQLite file, which is neither written to nor locked."""
    page, pages = int.from_bytes(head[16:18], "big"), int.from_bytes(head[28:32], "big")
    if path.stat().st_size < pages * (65_536 if page == 1 else page):
        raise NeuralProgrammerError("the database ends too soon, so the file may be cut off; save it again")
    log = path.with_name(path.name + "-wal")
    is_logged = head[18:19] == b"\2"  # by changes in a file beside it, which SQLite would create to read
    is_whole = is_logged and not (log.exists() and log.stat().st_size)
    options = "mode=ro&immutable=1" if is_whole else "mode=ro&readonly_shm=1"
    uri = f"file:{urllib.parse.quote(str(path))}?{options}"
    with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=1)) as source:
        source.text_factory = lambda text: text.decode("utf-8", "replace")
        source.execute("PRAGMA trusted_schema = off")
        if apart:  # and what it sorts is in memory, which is limited
            source.execute("PRAGMA temp_store = memory")
            source.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, ROW)
        asked = (
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        )
        names = [name for (name,) in source.execute(asked)]
        yield names
        if part is None:
            return
        name = chosen(part, names, "table", path)
        declared = dict(source.execute("SELECT name, type FROM pragma_table_info(?)", [name]).fetchall())
        rows = source.execute(f"SELECT * FROM {quoted(name)} LIMIT ?", [-1 if most is None else most + 1])
        yield name
        yield [(column[0], declared.get(column[0], "")) for column in rows.description]
        yield from rows


def sqlite_fault(error: sqlite3.Error) -> str:
    """What SQLite has against a file, and what to do."""
    if "too big" in str(error):
        return f"a row of it has more than {ROW:,} bytes; shorten it"
    return f"{error}; " + ("try again when the other program is done" if "locked" in str(error) else "save it again")


def quoted(name: str) -> str:
    """A name as it stands in SQL."""
    return '"' + name.replace('"', '""') + '"'


def chosen(part: str, known: Sequence[str], what: str, path: Path) -> str:
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


def main() -> None:
    """Read a file within limits, and tell all of it, or why not."""
    parser = argparse.ArgumentParser(prog=f"python -m {MODULE}", description="Write the rows of a file as JSON lines.")
    parser.add_argument("file", type=Path)
    parser.add_argument("part", nargs="?")
    for name in ("unpacked", "rows", "megabytes"):
        parser.add_argument(f"--{name}", type=int)
    asked = parser.parse_args()
    end_with_input()
    if asked.megabytes is not None:
        with contextlib.suppress(ImportError):  # where there is no such limit
            import resource

            most = (PROCESS + asked.megabytes) * 1_000_000
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        for told in contents(asked.file, asked.part, asked.unpacked, asked.rows, apart=True):
            line = json.dumps(told, default=_plain)
            if len(line) > ROW:
                raise NeuralProgrammerError(f"a row of it has more than {ROW:,} bytes; shorten it")
            print(line)
    except MemoryError:
        print(json.dumps({"error": TOO_LARGE}))
    except sqlite3.Error as error:
        print(json.dumps({"error": sqlite_fault(error)}))
    except (NeuralProgrammerError, OSError) as error:
        print(json.dumps({"error": str(error)}))


def _plain(cell: Any) -> str:
    """A cell that JSON has no kind for, as a text."""
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "backslashreplace")
    return cell.isoformat(" ") if isinstance(cell, datetime.datetime) else str(cell)


if __name__ == "__main__":
    main()
