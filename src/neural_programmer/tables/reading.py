"""A file -> its cells as they stand there, in a DuckDB connection that reaches nothing else."""

import codecs
import contextlib
import csv
import gzip
import io
import os
import re
import shutil
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import duckdb

from neural_programmer.base.limits import NONE, Limits
from neural_programmer.errors import NeuralProgrammerError, NoRoomError, is_of_full_disk
from neural_programmer.tables import books, containers
from neural_programmer.tables.frames import COLUMNS_LIMIT, Given, column_names
from neural_programmer.tables.kinds import GIVEN

PACKED = 10  # how much larger a file is assumed to be than its gzip
HEAD = 1_000_000  # bytes, in which the first row must end
SOME = 1_000  # rows that are fetched at a time
NO_ROOM = "the disk has no room for what it takes to read it; make some, then try again"
LONG_ROW = "a row of it has more than two million bytes; shorten it"
PATTERN_LETTERS = frozenset("*?[")  # of a path that means other files too, to DuckDB

_TEXT_SUFFIXES = (".csv", ".tsv", ".tab", ".psv", ".txt")
_JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")
_BINARY_SUFFIXES = (".parquet", ".xlsx", ".xls", ".ods", ".db", ".sqlite", ".sqlite3", ".duckdb")
SUFFIXES = (*_TEXT_SUFFIXES, *_JSON_SUFFIXES, *_BINARY_SUFFIXES)  # that files are known by


def connect(folder: Path, paths: Sequence[Path], megabytes: int | None = None) -> duckdb.DuckDBPyConnection:
    """A connection that reads these files and no others, fetches nothing, and spills into the folder alone."""
    spilled = {} if megabytes is None else {"max_temp_directory_size": f"{4 * megabytes}MB"}
    connection = duckdb.connect(
        ":memory:",
        config={
            **spilled,
            "memory_limit": "60%" if megabytes is None else f"{megabytes}MB",
            "temp_directory": str(folder),
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "allow_community_extensions": False,
            "allow_persistent_secrets": False,
            "python_enable_replacements": False,
            "disabled_optimizers": "common_subexpressions",  # which takes seconds to plan what reads 1,000 columns
        },
    )
    connection.execute("SET GLOBAL TimeZone = 'UTC'; SET GLOBAL parquet_metadata_cache = true")
    connection.execute("SET allowed_paths = ?", [[str(path) for path in paths]])
    connection.execute("SET allowed_directories = ?", [[str(folder)]])
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


def find(what: str | os.PathLike[str]) -> tuple[Path, str]:
    """The file that is meant, and the table or sheet in it that stands after ::, if one does."""
    text, part = os.path.expanduser(os.fsdecode(what)), ""
    if not os.path.exists(text) and "::" in text:
        text, _, part = text.rpartition("::")
    if not os.path.isfile(text):
        fault = "is not a file" if os.path.exists(text) else "does not exist"
        raise NeuralProgrammerError(f"{text!r} {fault}; name a CSV, TSV, Excel, JSON, Parquet, SQLite or DuckDB file")
    return Path(os.path.abspath(text)), part


def parts(path: Path, folder: Path, limits: Limits = NONE) -> list[str]:
    """The sheets or tables of a file that can hold several; of another, none."""
    with open(path, "rb") as file:
        head = file.read(100)
    if not books.is_database(head) and not books.is_workbook(head):
        return []
    with connect(folder, [path], limits.megabytes) as connection:
        return books.parts(connection, path, folder, head, limits)


def read_file(
    connection: duckdb.DuckDBPyConnection, folder: Path, path: Path, part: str, limits: Limits = NONE
) -> Given:
    """Make GIVEN of a file, whose kind is seen in its first bytes."""
    with open(path, "rb") as file:
        head = file.read(HEAD)
    if not head:
        raise NeuralProgrammerError("it is empty, and a first row with the names of the columns was expected")
    database, excel = books.is_database(head), books.is_workbook(head)
    if part and not database and not excel:
        raise NeuralProgrammerError(f"it holds one table only; leave out ::{part}")
    if head.startswith(containers.SQLITE):
        return books.read_sqlite(connection, path, part, limits)
    if database:
        return books.read_duckdb(connection, path, folder, part, limits)
    if excel:
        return books.read_sheet(connection, path, part, limits)
    link = path
    if set(str(path)) & PATTERN_LETTERS:
        link = folder / f"link{path.suffix}"
        link.symlink_to(path)
    if head.startswith(b"PAR1"):
        return _parquet(connection, link)
    packed = head.startswith(b"\x1f\x8b")
    suffix = Path(path.stem if packed else path.name).suffix.lower()
    if suffix in _BINARY_SUFFIXES:
        raise NeuralProgrammerError(f"it is no {suffix[1:]} file inside, or a damaged one; save it again")
    if packed and limits.unpacked is not None:
        _check_packed(path, limits.unpacked)
    return _text_file(connection, folder, link, packed, suffix)


def _check_packed(path: Path, most: int) -> None:
    """Refuse what unpacks to more."""
    with _unpacked(path, True) as file:
        while file.read(HEAD):
            if file.tell() > most:
                raise NeuralProgrammerError(f"it unpacks to more than {most:,} bytes, which is not allowed here")


def _parquet(connection: duckdb.DuckDBPyConnection, path: Path) -> Given:
    """A Parquet file; of one that is not small, only what a question needs is read, each time.

    What it says of itself shows which of its columns hold no empty text; where DuckDB wrote it, also no NaN, for then
    it states no least number. The numbers of its rows come last, unless it has a column of their name.
    """
    stored = path.stat().st_size <= min(books.PARQUET_LIMIT, books.STORED_LIMIT)
    relation = connection.read_parquet(str(path), hive_partitioning=False)
    header = relation.columns
    numbered = not stored and "file_row_number" not in map(str.lower, header)
    if numbered:
        relation = connection.read_parquet(str(path), hive_partitioning=False, file_row_number=True)
    relation.create_view(GIVEN)
    if stored:
        return Given(column_names(header), filled=frozenset(), form="parquet")
    known = connection.execute(
        "SELECT path_in_schema FROM parquet_metadata(?) GROUP BY path_in_schema HAVING"
        " bool_and(coalesce(stats_min_value > '', stats_null_count = num_values, false))",
        [str(path)],
    ).fetchall()
    written = connection.execute("SELECT DISTINCT created_by FROM parquet_file_metadata(?)", [str(path)]).fetchall()
    stated, ours = {name for (name,) in known}, all(str(writer).startswith("DuckDB") for (writer,) in written)
    kinds = dict(zip(header, map(str, relation.types), strict=False))
    places = frozenset(i for i, name in enumerate(header) if name in stated and (ours or kinds[name] == "VARCHAR"))
    return Given(column_names(header), stored=False, filled=places, numbered=numbered, form="parquet")


def _text_file(connection: duckdb.DuckDBPyConnection, folder: Path, path: Path, packed: bool, suffix: str) -> Given:
    """A file of text, packed or not: as it is if DuckDB can read it so, else a copy of it in UTF-8."""
    stored = path.stat().st_size * (PACKED if packed else 1) <= books.STORED_LIMIT
    with _unpacked(path, packed) as file:
        head = file.read(HEAD)
    json = suffix in _JSON_SUFFIXES or (
        suffix not in _TEXT_SUFFIXES and head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in b"[{"
    )
    encoding = _encoding(path, packed, head, stored)
    if encoding != "utf-8" and not stored:
        raise NeuralProgrammerError("it is not UTF-8, which files of this size must be; convert it, as with iconv")
    if encoding != "utf-8" or (json and head.startswith(codecs.BOM_UTF8)):
        copy, encoding = folder / "text", "utf-8-sig" if encoding == "utf-8" else encoding
        try:
            with (
                _unpacked(path, packed) as file,
                io.TextIOWrapper(file, encoding, newline="") as decoded,
                open(copy, "w", encoding="utf-8", newline="") as written,
            ):
                shutil.copyfileobj(decoded, written)
        except UnicodeError:
            fault = "it is text neither in UTF-8 nor in Windows-1252; save it as UTF-8"
            raise NeuralProgrammerError(fault) from None
        path, packed = copy, False
        with open(copy, "rb") as file:
            head = file.read(HEAD)
    beginning = codecs.getincrementaldecoder("utf-8-sig")().decode(head)
    if not beginning.strip():
        raise NeuralProgrammerError("it is blank, and a first row with the names of the columns was expected")
    names, form = (_json if json else _csv)(connection, path, packed, beginning)
    return Given(names, stored, form="" if path.parent == folder else form)


def _encoding(path: Path, packed: bool, head: bytes, whole: bool) -> str:
    """UTF-8 if the file, or the head of one too large to look through, is that; else what Windows may have written."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    decoder = codecs.getincrementaldecoder("utf-8")()
    with _unpacked(path, packed) as file, contextlib.suppress(UnicodeDecodeError):
        while chunk := file.read(HEAD):
            if b"\0" in chunk:
                raise NeuralProgrammerError("it is neither text nor of a kind of file known here; name another")
            decoder.decode(chunk)
            if not whole:
                return "utf-8"
        decoder.decode(b"", final=True)
        return "utf-8"
    return "cp1252"


def _unpacked(path: Path, packed: bool) -> gzip.GzipFile | io.BufferedReader:
    return gzip.GzipFile(path) if packed else open(path, "rb")


def _csv(
    connection: duckdb.DuckDBPyConnection, path: Path, packed: bool, beginning: str
) -> tuple[tuple[str, ...], str]:
    """Rows of cells between delimiters; the first row that is not blank names the columns. The names, the delimiter."""
    asked = "SELECT Delimiter FROM sniff_csv(?, compression = ?, all_varchar = true, header = true, quote = '\"')"
    delimiters = list(",;\t|")
    with contextlib.suppress(duckdb.Error):
        [(sniffed,)] = connection.execute(asked, [str(path), "gzip" if packed else "none"]).fetchall()
        delimiters.insert(0, sniffed)
    try:  # rows of different lengths mislead the sniffer: then what cuts the first row most decides
        first_rows = {delimiter: _first_row(beginning, delimiter) for delimiter in delimiters}
    except csv.Error as error:
        raise NeuralProgrammerError(f"the first row cannot be read as names of columns: {error}; mend it") from None
    sniffed_well = len(first_rows[delimiters[0]][0]) > 1
    delimiter = delimiters[0] if sniffed_well else max(delimiters, key=lambda one: len(first_rows[one][0]))
    header, blank = first_rows[delimiter]
    names = column_names(header)
    connection.read_csv(
        str(path),
        columns={f"c{i}": "VARCHAR" for i in range(len(names))},
        auto_detect=False,
        header=True,
        sep=delimiter,
        quotechar='"',
        escapechar='"',
        skiprows=blank,
        compression="gzip" if packed else "none",
        hive_partitioning=False,
    ).create_view(GIVEN)
    return names, "" if blank else delimiter


def _first_row(beginning: str, delimiter: str) -> tuple[list[str], int]:
    """The cells of the first row that is not blank, and how many lines stand before it."""
    reader, blank = csv.reader(io.StringIO(beginning, newline=""), delimiter=delimiter), 0
    for row in reader:
        if row:
            return row, blank
        blank = reader.line_num
    return [], blank


def _json(
    connection: duckdb.DuckDBPyConnection, path: Path, packed: bool, beginning: str
) -> tuple[tuple[str, ...], str]:
    """JSON objects, one a line or all in one array; their keys are the columns, in the order they come up."""
    if not packed and beginning.lstrip()[0] == "[":
        with open(path, "rb") as file:
            file.seek(-min(HEAD, path.stat().st_size), os.SEEK_END)
            if not file.read().rstrip().endswith(b"]"):  # DuckDB would take what there is
                raise NeuralProgrammerError("the JSON array is not closed, so the file may be cut off; save it again")
    asked = "SELECT json FROM read_json_objects(?, compression = ?)"
    connection.sql(asked, params=[str(path), "gzip" if packed else "none"]).create_view("objects")
    asked = (
        "SELECT json_keys(json) AS keys, min(place) AS place, bool_and(json_type(json) = 'OBJECT')"
        " FROM (SELECT json, row_number() OVER () AS place FROM objects) GROUP BY keys ORDER BY place"
    )
    every: dict[str, None] = {}
    found = connection.execute(asked)
    while some := found.fetchmany(SOME):  # there may be as many sets of keys as objects
        for keys, place, is_object in some:
            if not is_object:
                raise NeuralProgrammerError(
                    f"every row must be a JSON object of names and values, and row {place} is none"
                )
            column_names(keys)  # of one object, refused if a key stands twice in it
            every.update(dict.fromkeys(keys))
        if len(every) > COLUMNS_LIMIT:
            break
    keys, names = list(every), column_names(every)
    pointers = ["/" + key.replace("~", "~0").replace("/", "~1") for key in keys]
    lists = connection.sql("SELECT json_extract_string(json, ?::VARCHAR[]) AS cells FROM objects", params=[pointers])
    lists.create_view("lists")
    cells = ", ".join(f"cells[{place}] AS c{place}" for place in range(1, len(keys) + 1))
    connection.execute(f"CREATE VIEW {GIVEN} AS SELECT {cells} FROM lists")
    return names, "" if beginning.lstrip()[0] == "[" else "json"


def forget(connection: duckdb.DuckDBPyConnection) -> None:
    """Let go of the file, once all of it is copied."""
    connection.unregister(GIVEN)
    for kind, name in (("VIEW", GIVEN), ("VIEW", "lists"), ("VIEW", "objects"), ("TABLE", "kept")):
        connection.execute(f"DROP {kind} IF EXISTS {name}")
    connection.execute("DETACH DATABASE IF EXISTS file")


@contextlib.contextmanager
def refusing(name: str) -> Iterator[None]:
    """Say in one sentence about `name` what DuckDB, SQLite or the system have against it."""
    try:
        yield
    except duckdb.InterruptException:
        raise
    except (NeuralProgrammerError, duckdb.Error, OSError) as error:
        if is_of_full_disk(error):
            raise NoRoomError(f"cannot read {name}: {NO_ROOM}") from None
        if isinstance(error, NeuralProgrammerError):
            raise NeuralProgrammerError(f"cannot read {name}: {error}") from None
        reason = _reason(str(error)) if isinstance(error, duckdb.Error) else _of_system(error)
        raise NeuralProgrammerError(f"cannot read {name}: {reason}") from None
    except sqlite3.Error as error:
        raise NeuralProgrammerError(f"cannot read {name}: {containers.sqlite_fault(error)}") from None
    except (EOFError, zlib.error) as error:
        raise NeuralProgrammerError(f"cannot read {name}: {_of_system(error)}") from None
    except (UnicodeError, RuntimeError) as error:  # the latter of DuckDB, which has no words for it,
        if "interrupted" in str(error):  # and swallows Ctrl-C
            raise KeyboardInterrupt from None
        raise NeuralProgrammerError(f"cannot read {name}: a text in it is not Unicode; mend it") from None


def _of_system(error: Exception) -> str:
    return f"{getattr(error, 'strerror', None) or error}; it may be damaged or not for you to read"


def _reason(message: str) -> str:
    line = re.search(r"CSV Error on Line: (\d+)", message)
    cells = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
    if line and cells:
        return f"line {line[1]} has {cells[2]} cells and the first row has {cells[1]}; give every row as many"
    if "line size" in message:
        return LONG_ROW
    if line and "quote" in message.partition("Possible")[0]:
        return f"a quote on line {line[1]} is not closed, or text stands after it; mend it"
    if "state machine" in message:
        return "its line ends differ, or text stands after a closing quote; save it again as CSV"
    if found := re.search(r"Malformed JSON.* at byte \d+ in (line|record/value) (\d+): ([\w ]+)", message):
        place = "line" if found[1] == "line" else "object"
        return f"{place} {int(found[2]) - 1} is not JSON: {found[3]}; mend it"  # DuckDB counts one too many
    if message.startswith("Out of Memory"):
        return "that takes more memory than is allowed; ask something simpler, or a smaller table"
    if "set lock" in message:
        return "another program has it open for writing; close it there"
    without = re.sub(r"^[A-Za-z ]*Error: |,? (?:in|from|of) file (?:\"[^\"]*\"|'[^']*')", "", message)
    first = without.partition("\n")[0].strip().rstrip(".")
    return f"{first[:200]}; mend it or save it again"
