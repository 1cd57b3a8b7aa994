"""Files of CSV or JSON -> their cells as text, in a DuckDB connection: as they are if DuckDB can read them so."""

import codecs
import contextlib
import csv
import io
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import duckdb

from neural_programmer.errors import NeuralProgrammerError, is_of_full_disk
from neural_programmer.tables import books
from neural_programmer.tables.containers import quoted
from neural_programmer.tables.frames import COLUMNS_LIMIT, Given, column_names
from neural_programmer.tables.heads import HEAD, KIND_BYTES, WIDE, FileKind, kind_of
from neural_programmer.tables.kinds import GIVEN
from neural_programmer.tables.naming import JSON_SUFFIXES, TEXT_SUFFIXES, suffix_of
from neural_programmer.tables.packing import Packing, check_unpacked, packing_of, size_unpacked, unpacked
from neural_programmer.tables.uniting import united

ROWS_AT_ONCE = 1_000  # rows that are fetched at a time
SNIFFED = 10_000  # cells of a line: to find the delimiter, DuckDB takes 32 kB of memory for each that it might have
DELIMITERS = ",;\t|"
SHAPES = 100  # of CSV files of one table: their columns, delimiters and so on, as these change from file to file
LONG_ROW = "a row of it has more than two million bytes; shorten it"
NO_TABLE = "it is neither text nor of a kind of file known here; name another"
NOT_UTF8 = "it is not UTF-8, which files of this size must be; convert it, as with iconv"


class Shape(NamedTuple):
    """How a CSV file is read: its columns, what stands between them, and how many lines stand before their names."""

    names: tuple[str, ...]
    delimiter: str
    blank: int
    packing: Packing


@dataclass(frozen=True)
class Text:
    """A file of text as DuckDB is to read it, maybe a copy; `name` is what people call it."""

    path: Path
    name: str
    packing: Packing
    first: str  # letter
    shape: Shape | None  # of CSV
    is_copy: bool = False
    is_wide: bool = False


def read_texts(
    connection: duckdb.DuckDBPyConnection,
    folder: Path,
    files: Mapping[Path, str],
    keys: Sequence[str] = (),
    most: int | None = None,
) -> Given:
    """Make GIVEN of files of text, by their names; `keys` are the columns that their folders give them, and `most` is
    how many bytes a packed one may unpack to.

    Those that are not small together are not copied into memory, but read again for every question.
    """
    texts: list[Text] = []
    packings: dict[Path, Packing] = {path: packing_of(_kind(path)) for path in files}
    sizes = []
    for path, name in files.items():
        with blaming(name if len(files) > 1 else ""):
            sizes.append(size_unpacked(path, packings[path]))
    stored, size = sum(sizes) <= books.STORED_LIMIT, 0
    for number, (path, name) in enumerate(files.items()):
        with blaming(name if len(files) > 1 else ""):
            if most is not None and packings[path] != "none":
                check_unpacked(path, packings[path], connection, most)
            like = texts[-1].shape if texts else None
            copy = folder / f"text{number}"
            text, counted = _prepared(connection, path, name, packings[path], copy, stored, like)
        texts.append(text)
        size += counted
    shapes = [text.shape for text in texts if text.shape]
    if shapes and len(shapes) < len(texts):
        one, other = (next(text.name for text in texts if (text.shape is None) == json) for json in (True, False))
        raise NeuralProgrammerError(f"{one} is JSON and {other} is not, and a table is of one kind; name fewer files")
    names, form, notes = _csv(connection, texts, shapes, keys) if shapes else _json(connection, texts, keys)
    form = "" if any(text.is_copy for text in texts) else form
    is_wide = any(text.is_wide for text in texts)
    return Given(names, stored and size <= books.STORED_LIMIT, form=form, is_wide=is_wide, notes=notes)


@contextlib.contextmanager
def blaming(name: str) -> Iterator[None]:
    """Say which of several files it is that is refused."""
    try:
        yield
    except (NeuralProgrammerError, OSError, EOFError, zlib.error) as error:
        if not name or is_of_full_disk(error):
            raise
        said = str(error) if isinstance(error, NeuralProgrammerError) else of_system(error)
        raise NeuralProgrammerError(f"{name}: {said}") from None


def of_system(error: Exception) -> str:
    """What the system, or a library that unpacks, has against a file."""
    return f"{getattr(error, 'strerror', None) or error}; it may be damaged or not for you to read"


def _kind(path: Path) -> FileKind:
    with open(path, "rb") as file:
        return kind_of(file.read(KIND_BYTES))


def _prepared(
    connection: duckdb.DuckDBPyConnection,
    path: Path,
    name: str,
    packing: Packing,
    copy: Path,
    stored: bool,
    like: Shape | None,
) -> tuple[Text, int]:
    """Look through a file, whose shape is probably `like` that of the one before, and make a copy of it in UTF-8 if
    DuckDB cannot read it as it is. Its bytes, unpacked, are counted up to those that would be kept in memory."""
    with unpacked(path, packing, connection) as file:
        head = file.read(HEAD)
    suffix = suffix_of(name)
    is_json = suffix in JSON_SUFFIXES or (
        suffix not in TEXT_SUFFIXES and head.lstrip(codecs.BOM_UTF8 + b" \t\r\n")[:1] in b"[{"
    )
    encoding, size = "utf-8", 0
    if packing != "zstd":  # which DuckDB looks through
        with unpacked(path, packing, connection) as file:
            encoding, size = _encoding(file, stored)
    is_copy = encoding != "utf-8" or (is_json and head.startswith(codecs.BOM_UTF8))
    if encoding != "utf-8" and not stored:
        raise NeuralProgrammerError(NOT_UTF8)
    if is_copy:
        with unpacked(path, packing, connection) as file:
            most = None if packing == "none" else books.STORED_LIMIT
            _copy(file, "utf-8-sig" if encoding == "utf-8" else encoding, copy, most)
        path, packing = copy, "none"
        with open(copy, "rb") as file:
            head = file.read(HEAD)
    beginning = codecs.getincrementaldecoder("utf-8-sig")().decode(head)
    if not beginning.strip():
        raise NeuralProgrammerError("it is blank, and a first row with the names of the columns was expected")
    is_wide = not is_json and _is_wide(beginning)
    shape = None if is_json else _shape(connection, path, packing, beginning, is_wide, like)
    return Text(path, name, packing, beginning.lstrip()[0], shape, is_copy, is_wide), size


def _is_wide(beginning: str) -> bool:
    """Return whether a line might have more cells than DuckDB may look at to find the delimiter.

    A text of a hundred thousand words with commas between them takes it half a gigabyte.
    """
    return any(line.count(delimiter) > SNIFFED for line in beginning.splitlines() for delimiter in DELIMITERS)


def _encoding(file: io.BufferedIOBase, stored: bool) -> tuple[str, int]:
    """UTF-8 if the file, or the beginning of a large one, is that; else what Windows may have written. Its bytes, as
    far as they were read."""
    decoder, size = codecs.getincrementaldecoder("utf-8")(), 0
    while chunk := file.read(HEAD):
        if not size and chunk.startswith(WIDE):
            return "utf-16", 0
        size += len(chunk)
        if b"\0" in chunk:
            raise NeuralProgrammerError(NO_TABLE)
        try:
            decoder.decode(chunk)
        except UnicodeDecodeError:
            return "cp1252", size
        if not stored or size > books.STORED_LIMIT:
            return "utf-8", size
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return "cp1252", size
    return "utf-8", size


def _copy(file: io.BufferedIOBase, encoding: str, copy: Path, most: int | None) -> None:
    """Copy a file of another encoding in UTF-8, unless it has more letters than may be."""
    size = 0
    try:
        with (
            io.TextIOWrapper(file, encoding, newline="") as decoded,  # pyright: ignore[reportArgumentType]
            open(copy, "w", encoding="utf-8", newline="") as written,
        ):
            while text := decoded.read(HEAD):
                size += written.write(text)
                if most is not None and size > most:
                    raise NeuralProgrammerError(NOT_UTF8)
    except UnicodeError:
        raise NeuralProgrammerError("it is text neither in UTF-8 nor in Windows-1252; save it as UTF-8") from None


def _csv(
    connection: duckdb.DuckDBPyConnection, texts: Sequence[Text], shapes: Sequence[Shape], keys: Sequence[str]
) -> tuple[tuple[str, ...], str, dict[str, str]]:
    """Rows of cells between delimiters; the first row that is not blank names the columns. The names, the delimiter,
    and what is to be said of columns."""
    own, notes = united({text.name: shape.names for text, shape in zip(texts, shapes, strict=True)})
    own = [name for name in own if name.lower() not in map(str.lower, keys)]
    groups = [list(some) for _, some in groupby(zip(shapes, texts, strict=True), key=lambda each: each[0])]
    if len(groups) > SHAPES:
        raise NeuralProgrammerError(
            f"its files change their columns or their delimiter {len(groups) - 1:,} times, and {SHAPES - 1} times are"
            " allowed; save them alike, or name fewer"
        )
    read = [
        _selected(_rows(connection, shape, [text for _, text in some], bool(keys)), shape.names, own, keys)
        for shape, some in ((some[0][0], some) for some in groups)
    ]
    reduce(duckdb.DuckDBPyRelation.union, read).create_view(GIVEN)
    same = len({shape.delimiter for shape in shapes}) == 1 and not any(shape.blank for shape in shapes)
    return column_names([*own, *keys]), shapes[0].delimiter if same else "", notes


def _rows(
    connection: duckdb.DuckDBPyConnection, shape: Shape, texts: Sequence[Text], with_keys: bool
) -> duckdb.DuckDBPyRelation:
    """The rows of files of one shape."""
    return connection.read_csv(
        [str(text.path) for text in texts],  # pyright: ignore[reportArgumentType]
        columns={f"c{place}": "VARCHAR" for place in range(len(shape.names))},
        auto_detect=False,
        header=True,
        sep=shape.delimiter,
        quotechar='"',
        escapechar='"',
        skiprows=shape.blank,
        compression=shape.packing,
        hive_partitioning=with_keys,
    )


def _selected(
    rows: duckdb.DuckDBPyRelation, names: Sequence[str], wanted: Sequence[str], keys: Sequence[str]
) -> duckdb.DuckDBPyRelation:
    """The columns that are wanted of rows whose columns have these names: nothing where there is no such column."""
    places = {name.lower(): place for place, name in enumerate(names)}
    cells = [f"c{places[name.lower()]}" if name.lower() in places else "CAST(NULL AS VARCHAR)" for name in wanted]
    every = [*cells, *map(quoted, keys)]
    return rows.project(", ".join(f"{cell} AS u{place}" for place, cell in enumerate(every)))


def _shape(
    connection: duckdb.DuckDBPyConnection,
    path: Path,
    packing: Packing,
    beginning: str,
    is_wide: bool,
    like: Shape | None,
) -> Shape:
    """How a CSV file is read; as the one before, if it begins as that does."""
    if like is not None and like.packing == packing:
        with contextlib.suppress(csv.Error):
            header, blank = _first_row(beginning, like.delimiter)
            if blank == like.blank and tuple(name.strip() for name in header) == like.names:
                return like
    asked = "SELECT Delimiter FROM sniff_csv(?, compression = ?, all_varchar = true, header = true, quote = '\"')"
    delimiters = list(DELIMITERS)
    if not is_wide:
        with contextlib.suppress(duckdb.Error):
            [(sniffed,)] = connection.execute(asked, [str(path), packing]).fetchall()
            delimiters.insert(0, sniffed)
    try:  # rows of different lengths mislead the sniffer: then what cuts the first row most decides
        first_rows = {delimiter: _first_row(beginning, delimiter) for delimiter in delimiters}
    except csv.Error as error:
        raise NeuralProgrammerError(f"the first row cannot be read as names of columns: {error}; mend it") from None
    sniffed_well = len(first_rows[delimiters[0]][0]) > 1
    delimiter = delimiters[0] if sniffed_well else max(delimiters, key=lambda one: len(first_rows[one][0]))
    header, blank = first_rows[delimiter]
    return Shape(column_names(header), delimiter, blank, packing)


def _first_row(beginning: str, delimiter: str) -> tuple[list[str], int]:
    """The cells of the first row that is not blank, and how many lines stand before it."""
    reader, blank = csv.reader(io.StringIO(beginning, newline=""), delimiter=delimiter), 0
    for row in reader:
        if row:
            return row, blank
        blank = reader.line_num
    return [], blank


def _json(
    connection: duckdb.DuckDBPyConnection, texts: Sequence[Text], keys: Sequence[str]
) -> tuple[tuple[str, ...], str, dict[str, str]]:
    """JSON objects, one a line or all in one array; their names are the columns, in the order in which they come up.
    The names, "json" where each line is an object, and what is to be said of columns."""
    for text in texts:
        with blaming(text.name if len(texts) > 1 else ""):
            _check_closed(text)
    asked = "SELECT * FROM read_json_objects(?, compression = ?, format = ?, filename = true, hive_partitioning = ?)"
    form = {"[": "array"}  # which DuckDB does not see behind a byte order mark
    groups = groupby(texts, lambda each: (each.packing, form.get(each.first, "auto")))
    read = [
        connection.sql(asked, params=[[str(text.path) for text in some], packing, form, bool(keys)])
        for (packing, form), some in groups
    ]
    reduce(duckdb.DuckDBPyRelation.union, read).create_view("objects")
    of_each = _json_names(connection, {str(text.path): text.name for text in texts})
    every = [name for names in of_each.values() for name in names]
    own = [name for name in dict.fromkeys(every) if name.lower() not in map(str.lower, keys)]
    names = column_names([*own, *keys])
    _, notes = united({name: list(each) for name, each in of_each.items()})
    pointers = ["/" + name.replace("~", "~0").replace("/", "~1") for name in own]
    listed = "SELECT * EXCLUDE (json, filename), json_extract_string(json, ?::VARCHAR[]) AS cells FROM objects"
    connection.sql(listed, params=[pointers]).create_view("lists")
    cells = [f"cells[{place}] AS c{place}" for place in range(1, len(own) + 1)]
    connection.execute(f"CREATE VIEW {GIVEN} AS SELECT {', '.join([*cells, *map(quoted, keys)])} FROM lists")
    return names, "" if any(text.first == "[" for text in texts) else "json", notes


def _check_closed(text: Text) -> None:
    """Refuse an array that is cut off, of which DuckDB would take what there is."""
    if text.packing == "none" and text.first == "[":
        with open(text.path, "rb") as file:
            file.seek(-min(HEAD, text.path.stat().st_size), os.SEEK_END)
            if not file.read().rstrip().endswith(b"]"):
                raise NeuralProgrammerError("the JSON array is not closed, so the file may be cut off; save it again")


def _json_names(connection: duckdb.DuckDBPyConnection, files: Mapping[str, str]) -> dict[str, dict[str, None]]:
    """The names in the objects of each file."""
    of_each: dict[str, dict[str, None]] = {name: {} for name in files.values()}
    found = connection.execute(
        "SELECT filename, json_keys(json) AS keys, min(place) AS place, bool_and(json_type(json) = 'OBJECT')"
        " FROM (SELECT json, filename, row_number() OVER () AS place FROM objects) GROUP BY ALL ORDER BY place"
    )
    while some := found.fetchmany(ROWS_AT_ONCE):  # there may be as many sets of names as objects
        for path, names, place, is_object in some:
            if not is_object:
                row = f"row {place}" if len(files) == 1 else f"one of {files[path]}"
                raise NeuralProgrammerError(f"every row must be a JSON object of names and values, and {row} is none")
            column_names(names)  # of one object, refused if a name stands twice in it
            of_each[files[path]].update(dict.fromkeys(names))
        if max(map(len, of_each.values())) > COLUMNS_LIMIT:
            break
    return of_each
