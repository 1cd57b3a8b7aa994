"""Somebody else's DuckDB file: what it holds, and one table of it as a copy in a file of our own; of one's own file,
whether a view can be planned.

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
from collections.abc import Callable, Iterator
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


def contents(path: str, part: str | None, folder: str | None, rows: int | None, megabytes: int | None) -> Iterator:
    """Return the names of the tables, and one after the other those of the views that can be planned. Where a part is
    asked for, all names, then that of the part and its columns as pairs of a name and a type; its rows are copied into
    the folder, one more than `rows` at most. Without a folder, the part is only planned."""
    with duckdb.connect(":memory:", config=config(megabytes)) as source:
        source.execute("SET TimeZone = 'UTC'")
        source.execute(
            f"ATTACH ? AS {FILE} (READ_ONLY)", [path if folder is None else _unnamed(Path(path), Path(folder))]
        )
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
        name = chosen(part, list(known), "table", Path(path))
        relation = source.table(known[name])
        yield name
        yield list(zip(relation.columns, map(str, relation.types), strict=True))
        if folder is None:
            relation.explain()
            return
        some = relation if rows is None else relation.limit(rows + 1)
        with duckdb.connect(place_of_copy(Path(folder)), config=config(megabytes)) as copy:
            copy.register("given", Stream(some))
            copy.execute(f"CREATE TABLE {COPIED} AS SELECT * FROM given")


def config(megabytes: int | None) -> dict[str, Any]:
    """Return the settings of a connection that reaches nothing else and takes so much memory at most."""
    return CONFIG if megabytes is None else {**CONFIG, "memory_limit": f"{megabytes}MB"}


def names(connection: duckdb.DuckDBPyConnection, asked: str) -> dict[str, str]:
    """Return what people call the TABLES or VIEWS of an attached file, and their names in SQL."""
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
    """Return a path that opens a file and does not say where it is, because a view can show the path of its database.
    DuckDB looks for the name of what a descriptor stands for, and this one has none any more."""
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


def tell(contents: Callable[..., Iterator]) -> None:
    """Copy something within limits, as this process was asked to, and tell of it, or why not."""
    asked = json.loads(sys.argv[1])
    end_with_input()
    os.environ.pop("HOME", None)  # which views can show
    if asked["megabytes"] is not None:
        _limit(asked["megabytes"])
    try:
        for told in contents(**asked):
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
    tell(contents)
