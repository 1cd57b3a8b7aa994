"""Somebody else's DuckDB file: what it holds, and one table of it as a copy in a file of our own.

    python -m neural_programmer.tables.copying '{"path": FILE, "part": PART, "folder": FOLDER, "rows": ROWS, ...}'

A view can compute anything, and to plan it alone may take more time and memory than there are: DuckDB limits neither.
So all that is done in this process, which can be ended at any time and be given no more memory, and who asks questions
reads the copy: a table without a view.
"""

import contextlib
import json
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb

from neural_programmer.base.ending import end_with_input
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tables.containers import PROCESS, ROW, TOO_LARGE, chosen, quoted

MODULE = "neural_programmer.tables.copying"
FILE = "file"  # what a DuckDB file is attached as
COPIED = "copied"  # what a copy is called in its own
TABLES = "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ?"
VIEWS = "SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = ? AND NOT internal"
DESCRIPTORS = "/dev/fd"  # where open files can be opened again
DISK = 4  # times the memory that a copy may take on the disk
CONFIG = {
    "threads": 1,
    "temp_directory": "",
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    "python_enable_replacements": False,
    "arrow_lossless_conversion": True,
}


def contents(path: Path, part: str | None, folder: Path, rows: int | None, megabytes: int | None) -> Iterator:
    """The names of the tables, and one after the other those of the views that can be planned. Where a part is asked
    for, all names, then that of the part and its columns as pairs of a name and a type; its rows are copied into the
    folder, one more than `rows` at most.
    """
    config = CONFIG if megabytes is None else {**CONFIG, "memory_limit": f"{megabytes}MB"}
    with duckdb.connect(":memory:", config=config) as source:
        source.execute("SET TimeZone = 'UTC'")
        source.execute(f"ATTACH ? AS {FILE} (READ_ONLY)", [_unnamed(path, folder)])
        source.execute("SET enable_external_access = false")
        source.execute("SET lock_configuration = true")
        tables, views = names(source, TABLES), names(source, VIEWS)
        if part is None:
            yield list(tables)
            for name, place in views.items():
                with contextlib.suppress(duckdb.Error):
                    source.table(place)
                    yield name
            return
        known = {**tables, **views}
        yield list(known)
        name = chosen(part, list(known), "table", path)
        relation = source.table(known[name])
        yield name
        yield list(zip(relation.columns, map(str, relation.types), strict=True))
        some = relation if rows is None else relation.limit(rows + 1)
        with duckdb.connect(place_of_copy(folder), config=config) as copy:
            copy.register("given", Stream(some))
            copy.execute(f"CREATE TABLE {COPIED} AS SELECT * FROM given")


def names(connection: duckdb.DuckDBPyConnection, asked: str) -> dict[str, str]:
    """What people call the TABLES or VIEWS of an attached file, and their names in SQL."""
    return {
        name if schema == "main" else f"{schema}.{name}": f"{FILE}.{quoted(schema)}.{quoted(name)}"
        for schema, name in connection.execute(asked, [FILE]).fetchall()
    }


def place_of_copy(folder: Path) -> Path:
    return folder / "copy.duckdb"


class Stream:
    """A frame or a relation as nothing but a stream of Arrow batches, for which DuckDB needs no other library."""

    def __init__(self, frame: Any) -> None:
        self.frame = frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.frame.__arrow_c_stream__(requested_schema)


def _unnamed(path: Path, folder: Path) -> str:
    """A path that opens a file and does not say where it is, for a view can show the path of its database: DuckDB
    looks for the name of what a descriptor stands for, and this one has none any more."""
    if not os.path.isdir(DESCRIPTORS):
        raise NeuralProgrammerError("DuckDB files cannot be read here without telling where they are; save it as CSV")
    other = folder / secrets.token_hex(8)  # for one may have been left by a process that was ended
    try:
        try:
            os.link(path, other)
        except OSError:  # where its owner alone may link it, or from another disk
            shutil.copyfile(path, other)
        return f"{DESCRIPTORS}/{os.open(other, os.O_RDONLY)}"
    except OSError as error:
        raise NeuralProgrammerError(f"no copy of it can be made ({error.strerror}); make it smaller") from None
    finally:
        other.unlink(missing_ok=True)


def _limit(megabytes: int) -> None:
    """Let this process take no more memory, nor write larger files."""
    with contextlib.suppress(ImportError):  # where there are no such limits
        import resource

        memory, disk = (PROCESS + megabytes) * 1_000_000, DISK * megabytes * 1_000_000
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))  # DuckDB reserves more addresses than it uses
        resource.setrlimit(resource.RLIMIT_FSIZE, (disk, disk))


def main() -> None:
    """Copy a table within limits and tell of it, or why not."""
    asked = json.loads(sys.argv[1])
    end_with_input()
    os.environ.pop("HOME", None)  # which views can show
    if asked["megabytes"] is not None:
        _limit(asked["megabytes"])
    try:
        path, folder = Path(asked.pop("path")), Path(asked.pop("folder"))
        for told in contents(path, folder=folder, **asked):
            line = json.dumps(told)
            if len(line) > ROW:
                raise NeuralProgrammerError("the names in it are too long; shorten them")
            print(line, flush=True)
    except MemoryError:
        print(json.dumps({"error": TOO_LARGE}))
    except duckdb.Error as error:
        said = str(error).rpartition("Exception: ")[2]  # without what the copy says of the stream that it reads
        print(json.dumps({"error": TOO_LARGE} if said.startswith("Out of Memory") else {"duckdb": said}))
    except (NeuralProgrammerError, OSError) as error:
        print(json.dumps({"error": str(error)}))


if __name__ == "__main__":
    main()
