"""Files that hold several tables and are read row by row: workbooks and SQLite databases.

    python -m neural_programmer.tables.containers '{"path": FILE, "part": PART, "megabytes": MEGABYTES, ...}'

writes the same as JSON lines. Workbooks are read so, and databases of somebody else: a view can compute anything, a
workbook can unpack to anything and end whatever reads it, and a process can be ended at any time and be given no more
memory. Only what is needed is imported, so that it starts soon.
"""

import contextlib
import datetime
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neural_programmer.base.ending import end_with_input
from neural_programmer.errors import NeuralProgrammerError, one_of
from neural_programmer.tables.heads import KIND_BYTES, kind_of

if TYPE_CHECKING:
    import sqlite3
    from zipfile import ZipFile, ZipInfo

MODULE = "neural_programmer.tables.containers"
EXCEL_LIMIT = 500_000_000  # bytes, unpacked
EXCEL_CELLS = 20_000_000  # that a sheet may span
CHUNK = 1_000_000  # bytes that are read at a time
BATCH = 10_000  # rows that are taken at a time,
LETTERS = 5_000_000  # or as many as have so many letters
ROW = 2_000_000  # bytes of a row, in a process of its own; as of a CSV file
MOST_TOLD = 2_000_000_000  # bytes that such a process tells: one text of a workbook may be shown by every cell
HEAD_LINES = 3  # lines of it before the rows
PROCESS = 200  # megabytes that it takes before it reads anything
GRACE = 5  # seconds of the processor after which it ends by itself, where nobody is left to end it
TOO_LARGE = "it takes more memory than is allowed here; leave some of it out, or save it as CSV"


def contents(
    path: Path, part: str | None = None, unpacked: int | None = None, rows: int | None = None, apart: bool = False
) -> Iterator:
    """Return the names of the sheets or tables; then the name of the part that is meant, its columns as pairs of a name
    and a declared type, and batches of its rows: of a database, one more than `rows` at most. `apart` is whether this
    is a process of its own.

    An empty `part` means the only table, or the first sheet that holds something. If it is None, the names are followed
    by whether each of the sheets does, and nothing else.
    """
    with open(path, "rb") as file:
        head = file.read(KIND_BYTES)
    return _database(path, head, part, rows, apart) if kind_of(head) == "sqlite" else _workbook(path, part, unpacked)


def batches(rows: Iterable[Sequence[Any]], longest: int = sys.maxsize) -> Iterator[list[Sequence[Any]]]:
    """Return some rows at a time: not too many, and not too large together; none has more than the `longest`
    letters."""
    batch, letters = [], 0
    for row in rows:
        length = sum(len(cell) for cell in row if isinstance(cell, str | bytes))
        if length > longest:
            raise NeuralProgrammerError(f"a row of it has more than {longest:,} bytes; shorten it")
        batch.append(row)
        letters += length
        if len(batch) == BATCH or letters > LETTERS:
            yield batch
            batch, letters = [], 0
    if batch:
        yield batch


def _workbook(path: Path, part: str | None, unpacked: int | None) -> Iterator:
    """Return a workbook; the first row of a sheet names the columns."""
    import python_calamine

    most = unpacked or EXCEL_LIMIT
    if path.stat().st_size > most:
        raise NeuralProgrammerError(f"a workbook has {most:,} bytes at most; save the sheet as CSV")
    try:
        _check_unpacked(path, most)
        book = python_calamine.CalamineWorkbook.from_path(path)
        names = book.sheet_names
        yield names
        if part is None:
            yield from (_holds_something(book.get_sheet_by_name(name)) for name in names)
            return
        some = [chosen(part, names, "sheet", path)] if part else names
        sheet = next(filter(_holds_something, map(book.get_sheet_by_name, some)), None)
    except (python_calamine.CalamineError, OSError) as error:
        raise NeuralProgrammerError(
            f"it is not a workbook, or a damaged or locked one ({error}); save it again"
        ) from None
    if sheet is None:
        empty = "the sheet is empty; it" if len(some) == 1 else "all its sheets are empty; one"
        raise NeuralProgrammerError(f"{empty} needs a first row with the names of the columns")
    if sheet.height * sheet.width > EXCEL_CELLS:
        raise NeuralProgrammerError(
            f"the sheet spans {sheet.height:,} rows and {sheet.width:,} columns, more than {EXCEL_CELLS:,} cells;"
            " delete what stands far from the table, or save it as CSV"
        )
    rows = _rows(sheet)
    yield sheet.name
    yield [(cell, "") for cell in next(rows)]
    yield from batches(rows, ROW)


def _holds_something(sheet: Any) -> bool:
    return any(cell != "" for row in _rows(sheet) for cell in row)


def _rows(sheet: Any) -> Iterator[list[Any]]:
    """Return the rows of a sheet from the first that holds something."""
    row = sheet.start[0] if sheet.start else 0
    try:
        for cells in islice(sheet.iter_rows(), row, None):
            yield cells
            row += 1
    except OverflowError:
        raise NeuralProgrammerError(f"row {row + 1} holds a time of millions of years; mend it") from None


def _check_unpacked(path: Path, most: int) -> None:
    """Refuse what would unpack to more, whatever it says."""
    import zipfile

    if not zipfile.is_zipfile(path):
        return
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        if sum(entry.file_size for entry in entries) > most or _unpacked(archive, entries, most) > most:
            raise NeuralProgrammerError(f"it unpacks to more than {most:,} bytes; save the sheet as CSV")
        if any(name.startswith("xl/worksheets/") and name.endswith(".bin") for name in archive.namelist()):
            raise NeuralProgrammerError("it is a binary workbook (xlsb); save it as xlsx")


def _unpacked(archive: "ZipFile", entries: "Sequence[ZipInfo]", most: int) -> int:
    """Return how many bytes the entries of an archive unpack to, whatever they say; no more are read than `most` and
    some."""
    import copy

    size = 0
    for entry in entries:
        honest = copy.copy(entry)
        honest.file_size = sys.maxsize  # so that it is read to its end
        with archive.open(honest) as file:
            while size <= most and (chunk := file.read(CHUNK)):
                size += len(chunk)
    return size


def _database(path: Path, head: bytes, part: str | None, most: int | None, apart: bool) -> Iterator:
    """Return a SQLite file, which is neither written to nor locked."""
    import sqlite3
    import urllib.parse

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
        yield from batches(rows, ROW if apart else sys.maxsize)


def sqlite_fault(error: "sqlite3.Error") -> str:
    """Return what SQLite has against a file, and what to do."""
    if "too big" in str(error):
        return f"a row of it has more than {ROW:,} bytes; shorten it"
    return f"{error}; " + ("try again when the other program is done" if "locked" in str(error) else "save it again")


def quoted(name: str) -> str:
    """Return a name as it stands in SQL."""
    return '"' + name.replace('"', '""') + '"'


def chosen(part: str, known: Sequence[str], what: str, path: Path) -> str:
    """Return the table or sheet that is meant: the one that was named, or the only one."""
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
    import sqlite3

    asked = json.loads(sys.argv[1])
    end_with_input()
    _limit(asked.pop("megabytes"), asked.pop("seconds"))
    size = 0
    try:
        for number, told in enumerate(contents(Path(asked.pop("path")), **asked, apart=True)):
            line = json.dumps(told, default=_plain)
            size += len(line)
            if number < HEAD_LINES and len(line) > ROW:
                raise NeuralProgrammerError(f"the names in it have more than {ROW:,} bytes; shorten them")
            if size > MOST_TOLD:
                raise NeuralProgrammerError(f"it holds more than {MOST_TOLD:,} bytes of text; leave some of it out")
            print(line, flush=True)
    except MemoryError:
        print(json.dumps({"error": TOO_LARGE}))
    except sqlite3.Error as error:
        print(json.dumps({"error": sqlite_fault(error)}))
    except (NeuralProgrammerError, OSError) as error:
        print(json.dumps({"error": str(error)}))
    except BaseException as error:  # calamine panics, too
        print(json.dumps({"error": f"it is damaged, or of a kind unknown here ({error}); save it again"}))


def _limit(megabytes: int | None, seconds: float | None) -> None:
    """Let this process take no more memory and time than this, and leave no image of its memory where it breaks off."""
    try:
        import resource
    except ImportError:  # where there are no such limits
        return
    limits = {resource.RLIMIT_CORE: 0}
    if megabytes is not None:
        limits[resource.RLIMIT_AS] = (PROCESS + megabytes) * 1_000_000
    if seconds is not None:
        limits[resource.RLIMIT_CPU] = int(seconds) + GRACE
    for limit, most in limits.items():
        _, hard = resource.getrlimit(limit)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(ValueError, OSError):  # where a limit is known and cannot be set
            resource.setrlimit(limit, (most, most))


def _plain(cell: Any) -> str:
    """Return a cell that JSON has no kind for, as a text."""
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "backslashreplace")
    return cell.isoformat(" ") if isinstance(cell, datetime.datetime) else str(cell)


if __name__ == "__main__":
    main()
