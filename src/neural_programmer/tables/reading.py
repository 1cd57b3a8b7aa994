"""Files -> their cells as they stand there, in a DuckDB connection that reaches nothing else."""

import contextlib
import re
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import duckdb

from neural_programmer.base.limits import NONE, Limits
from neural_programmer.errors import NeuralProgrammerError, NoRoomError, is_of_full_disk
from neural_programmer.tables import arrow_files, books, containers, copying
from neural_programmer.tables.containers import quoted
from neural_programmer.tables.frames import Given, column_names
from neural_programmer.tables.heads import HEAD, KIND_BYTES, SCRIPT, FileKind, kind_of
from neural_programmer.tables.kinds import GIVEN
from neural_programmer.tables.naming import BINARY_SUFFIXES, Named, suffix_of
from neural_programmer.tables.searching import is_pattern
from neural_programmer.tables.texts import LONG_ROW, NO_TABLE, blaming, of_system, read_texts
from neural_programmer.tables.uniting import united

NO_ROOM = "the disk has no room for what it takes to read it; make some, then try again"
PLAIN: tuple[FileKind, ...] = ("text", "gzip", "zstd")  # of files of text, packed or not


def connect(folder: Path, paths: Sequence[Path], megabytes: int | None = None) -> duckdb.DuckDBPyConnection:
    """A connection that reads these files and no others, fetches nothing, and spills into the folder alone."""
    for path in paths:
        try:
            str(path).encode()
        except UnicodeEncodeError:
            raise NeuralProgrammerError(f"the name of {str(path)!r} is not in UTF-8; rename it") from None
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
    connection.execute("SET enable_progress_bar = false")  # which it prints where Python was started without a file
    connection.execute("SET GLOBAL TimeZone = 'UTC'; SET GLOBAL parquet_metadata_cache = true")
    connection.execute("SET allowed_paths = ?", [[str(path) for path in paths]])
    connection.execute("SET allowed_directories = ?", [[str(folder)]])
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


def parts(path: Path, folder: Path, limits: Limits = NONE) -> list[str]:
    """The sheets or tables of a file that can hold several; of another, none."""
    with open(path, "rb") as file:
        kind = kind_of(file.read(KIND_BYTES))
    if kind not in books.KINDS:
        return []
    with connect(folder, [path], limits.megabytes) as connection:
        return books.parts(connection, path, folder, kind, limits)


def read_files(
    connection: duckdb.DuckDBPyConnection, folder: Path, named: Named, files: Mapping[Path, str], limits: Limits = NONE
) -> Given:
    """Make GIVEN of a file, or of several that are one table, by their names (see `readable`); of what kind they are is
    seen in their first bytes."""
    several = named.root is not None
    kinds: dict[str, str] = {}  # of each kind that there is, one file
    for path, name in files.items():
        with blaming(name if several else ""):
            kinds.setdefault(check_kind(path, name, named.part), name)
    (kind, name), *others = kinds.items()
    if others:
        said = " and ".join(f"{name} is {kind}" for kind, name in kinds.items())
        raise NeuralProgrammerError(f"{said}, and a table is of one kind; name fewer files")
    if kind in books.KINDS:
        if several:
            raise NeuralProgrammerError(f"{name} holds tables of its own; name one such file alone")
        return books.read(connection, named.path, folder, kind, named.part, limits)
    if kind == "parquet":
        return _parquet_files(connection, files, named.keys) if several else _parquet(connection, *files)
    if kind == "arrow":
        return _arrow(connection, folder, files, named.keys, limits)
    return read_texts(connection, folder, files, named.keys, limits.unpacked)


def readable(named: Named, folder: Path) -> dict[Path, str]:
    """Return the files as DuckDB is to read them, with what people call them.

    Those whose path is a pattern to it are read by links; so are all of those that have columns from their folders,
    where a folder further up has a name as if it gave one.
    """
    found, above = {}, bool(named.keys) and "=" in str(named.root)
    for number, file in enumerate(named.files):
        try:
            str(file).encode()
        except UnicodeEncodeError:
            raise NeuralProgrammerError(f"the path of {named.shown(file)} is not UTF-8; rename it") from None
        path = file
        if above or is_pattern(str(file)):
            parts = file.relative_to(named.root).parent.parts if named.root else ()
            path = folder.joinpath(
                f"link{number}", *(_plain(part) for part in parts if "=" in part), f"link{file.suffix}"
            )
            path.parent.mkdir(parents=True)
            path.symlink_to(file)
        found[path] = named.shown(file)
    return found


def _plain(text: str) -> str:
    """A part of a path that is no pattern to DuckDB, and from which it reads the same."""
    return text.translate({ord(letter): f"%{ord(letter):02X}" for letter in "*?["})


def check_kind(path: Path, name: str, part: str = "") -> str:
    """Return what kind a file is, and refuse what holds no table; all files of text are one kind."""
    with open(path, "rb") as file:
        head = file.read(HEAD)
    if not head:
        raise NeuralProgrammerError("it is empty, and a first row with the names of the columns was expected")
    if head.startswith(SCRIPT):
        raise NeuralProgrammerError("it is a script, and no table; name a file of rows, such as a CSV file")
    kind = kind_of(head)
    if part and kind not in books.KINDS:
        raise NeuralProgrammerError(f"it holds one table only; leave out ::{part}")
    if kind not in (*PLAIN, "unknown"):
        return kind
    if (suffix := suffix_of(name)) in BINARY_SUFFIXES:
        raise NeuralProgrammerError(f"it is no {suffix[1:]} file inside, or a damaged one; save it again")
    if kind == "unknown":
        raise NeuralProgrammerError(NO_TABLE)
    return "text"


def _parquet(connection: duckdb.DuckDBPyConnection, path: Path) -> Given:
    """A Parquet file; of one that is not small, only what a question needs is read, each time.

    The numbers of its rows come last, unless it is small or has a column of their name.
    """
    stored = path.stat().st_size <= min(books.PARQUET_LIMIT, books.STORED_LIMIT)
    relation = connection.read_parquet(str(path), hive_partitioning=False)
    header = relation.columns
    numbered = not stored and "file_row_number" not in map(str.lower, header)
    if numbered:
        relation = connection.read_parquet(str(path), hive_partitioning=False, file_row_number=True)
    relation.create_view(GIVEN)
    filled = frozenset() if stored else _filled(connection, [str(path)])
    return Given(column_names(header), stored, filled=filled, numbered=numbered, form="parquet")


def _parquet_files(connection: duckdb.DuckDBPyConnection, files: Mapping[Path, str], keys: Sequence[str]) -> Given:
    """Several Parquet files, their columns united by name, and after them those of their folders."""
    paths = list(map(str, files))
    own, notes = united(_parquet_columns(connection, dict(zip(paths, files.values(), strict=True))))
    names = column_names([*(name for name in own if name.lower() not in map(str.lower, keys)), *keys])
    relation = connection.read_parquet(paths, union_by_name=True, hive_partitioning=bool(keys))
    relation = relation.project(", ".join(map(quoted, names)))
    stored = sum(path.stat().st_size for path in files) <= min(books.PARQUET_LIMIT, books.STORED_LIMIT)
    if stored:  # at once: each file is opened for each query
        relation.create("kept")
        relation = connection.table("kept")
    relation.create_view(GIVEN)
    filled = frozenset() if stored else _filled(connection, paths)
    return Given(names, stored, filled=filled, form="parquet", notes=notes)


def _filled(connection: duckdb.DuckDBPyConnection, paths: Sequence[str]) -> frozenset[int]:
    """The places of the columns that hold no empty text and no NaN, as far as Parquet files say so of themselves; those
    that DuckDB wrote state no least number where there is NaN."""
    known = connection.execute(
        "SELECT lower(path_in_schema) FROM parquet_metadata(?) GROUP BY ALL HAVING"
        " bool_and(coalesce(stats_min_value > '', stats_null_count = num_values, false))",
        [paths],
    ).fetchall()
    written = connection.execute("SELECT DISTINCT created_by FROM parquet_file_metadata(?)", [paths]).fetchall()
    stated, ours = {name for (name,) in known}, all(str(writer).startswith("DuckDB") for (writer,) in written)
    given = connection.table(GIVEN)
    kinds = list(zip(given.columns, map(str, given.types), strict=True))
    return frozenset(
        place for place, (name, kind) in enumerate(kinds) if name.lower() in stated and (ours or kind == "VARCHAR")
    )


def _parquet_columns(connection: duckdb.DuckDBPyConnection, files: Mapping[str, str]) -> dict[str, list[str]]:
    """The columns of each file, without the fields in them: who has fields says how many, and they follow."""
    found = connection.execute(
        "SELECT file_name, list({'name': name, 'fields': coalesce(num_children, 0)} ORDER BY column_id)"
        " FROM parquet_schema(?) GROUP BY file_name",
        [list(files)],
    )
    of_each: dict[str, list[str]] = {name: [] for name in files.values()}
    for path, (_, *fields) in found.fetchall():
        inside = 0
        for field in fields:
            if not inside:
                of_each[files[path]].append(field["name"])
            inside += field["fields"] - bool(inside)
    return of_each


def _arrow(
    connection: duckdb.DuckDBPyConnection, folder: Path, files: Mapping[Path, str], keys: Sequence[str], limits: Limits
) -> Given:
    """Arrow or Feather files, as the copy that a process of its own makes of them."""
    names, notes = arrow_files.copied(files, keys, folder, limits)
    path = copying.place_of_copy(folder)
    connection.execute(books.ATTACHED, [str(path)])
    connection.table(f"{copying.FILE}.{copying.COPIED}").create_view(GIVEN)
    stored = path.stat().st_size <= books.STORED_LIMIT
    return Given(column_names(names), stored, filled=frozenset(), notes=notes)


def forget(connection: duckdb.DuckDBPyConnection) -> None:
    """Let go of the file, once all of it is copied."""
    connection.unregister(GIVEN)
    for kind, name in (("VIEW", GIVEN), ("VIEW", "lists"), ("VIEW", "objects"), ("TABLE", "kept")):
        connection.execute(f"DROP {kind} IF EXISTS {name}")
    connection.execute("DETACH DATABASE IF EXISTS file")


@contextlib.contextmanager
def refusing(name: str, files: Mapping[Path, str] = MappingProxyType({})) -> Iterator[None]:
    """Say in one sentence about `name` what DuckDB, SQLite or the system have against it, or one of its files."""
    try:
        yield
    except duckdb.InterruptException:
        raise
    except (NeuralProgrammerError, duckdb.Error, OSError) as error:
        if is_of_full_disk(error):
            raise NoRoomError(f"cannot read {name}: {NO_ROOM}") from None
        if isinstance(error, NeuralProgrammerError):
            raise NeuralProgrammerError(f"cannot read {name}: {error}") from None
        reason = _reason(str(error), files) if isinstance(error, duckdb.Error) else of_system(error)
        raise NeuralProgrammerError(f"cannot read {name}: {reason}") from None
    except sqlite3.Error as error:
        raise NeuralProgrammerError(f"cannot read {name}: {containers.sqlite_fault(error)}") from None
    except (EOFError, zlib.error) as error:
        raise NeuralProgrammerError(f"cannot read {name}: {of_system(error)}") from None
    except MemoryError:
        raise NeuralProgrammerError(f"cannot read {name}: {containers.TOO_LARGE}") from None
    except (UnicodeError, RuntimeError) as error:  # the latter of DuckDB, which has no words for it,
        if "interrupted" in str(error):  # and swallows Ctrl-C
            raise KeyboardInterrupt from None
        raise NeuralProgrammerError(f"cannot read {name}: a text in it is not Unicode; mend it") from None


def _reason(message: str, files: Mapping[Path, str]) -> str:
    """What DuckDB has against a file, and against which where there are several."""
    said = re.search(r"[Ff]ile(?: = |: | [\"'])([^\"'\n]*)", message)
    name = files.get(Path(said[1]), "") if said and len(files) > 1 else ""
    return f"{name}: {_fault(message)}" if name else _fault(message)


def _fault(message: str) -> str:
    line = re.search(r"CSV Error on Line: (\d+)", message)
    cells = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
    if line and cells:
        return f"line {line[1]} has {cells[2]} cells and the first row has {cells[1]}; give every row as many"
    if "line size" in message:
        return LONG_ROW
    if "not utf-8" in message:
        return "it is not UTF-8, which a file that is large or packed by Zstandard must be; convert it, as with iconv"
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
    if "already attached" in message:
        return "this program has it open for writing; give the connection, or close it"
    if found := re.search(r"Unsupported Internal Arrow Type.* (\S+)$", message, re.MULTILINE):
        return f"a column of it has a type of Arrow that is not read here ({found[1]}); make it numbers, texts or times"
    without = re.sub(r"^[A-Za-z ]*Error: |,? (?:in|from|of) file (?:\"[^\"]*\"|'[^']*')", "", message)
    first = without.partition("\n")[0].strip().rstrip(".")
    return f"{first[:200]}; mend it or save it again"
