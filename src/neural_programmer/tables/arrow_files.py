"""Arrow and Feather files: a process with limits copies them into a file of our own, for DuckDB reads none by itself.

    python -m neural_programmer.tables.arrow_files '{"files": LIST, "keys": KEYS, "folder": FOLDER, "rows": ROWS, ...}'

pyarrow reads them. One that is damaged may end whatever reads it, and one that is packed may unpack to anything.
"""

import contextlib
import importlib.util
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import duckdb

from neural_programmer.base.limits import NONE, Limits
from neural_programmer.errors import NeuralProgrammerError, not_installed
from neural_programmer.tables import copying
from neural_programmer.tables.apart import told_by
from neural_programmer.tables.uniting import united

MODULE = "neural_programmer.tables.arrow_files"
SHARE = 0.6  # of the memory of this machine that reading may take, where nothing is said; as DuckDB takes
NO_VALUE = "__HIVE_DEFAULT_PARTITION__"  # what the folder of rows is called that have no value in a column of folders


def copied(
    files: Mapping[Path, str], keys: Sequence[str], folder: Path, limits: Limits = NONE
) -> tuple[list[str], dict[str, str]]:
    """Copy files into the folder (see copying.place_of_copy). The names of their columns, and what is to be said of
    these."""
    if importlib.util.find_spec("pyarrow") is None:
        raise not_installed("Arrow and Feather files need", "pyarrow", "arrow")
    if limits.megabytes is None:
        limits = replace(limits, megabytes=_share_of_memory())
    listed = folder / "files.json"
    listed.write_text(json.dumps([(str(path), name) for path, name in files.items()]))
    asked = {"files": str(listed), "keys": list(keys), "folder": str(folder)}
    with told_by(MODULE, limits, **asked, rows=limits.rows, megabytes=limits.megabytes) as told:
        names, notes, *_ = told
    return names, dict(notes)


def contents(files: str, keys: Sequence[str], folder: str, rows: int | None, megabytes: int | None) -> Iterator:
    """Return the names of the columns of some files, and what is to be said of them; their rows are copied into the
    folder, one more than `rows` at most."""
    listed: list[tuple[str, str]] = [tuple(each) for each in json.loads(Path(files).read_text())]
    schemas = {}
    for path, name in listed:
        with _opened(path, name if len(listed) > 1 else "") as (schema, _):
            schemas[name] = schema
    own, notes = united({name: schema.names for name, schema in schemas.items()})
    own = [name for name in own if name.lower() not in map(str.lower, keys)]
    yield [*own, *keys]
    yield list(notes.items())
    places = {name.lower(): f"c{place}" for place, name in enumerate(own)}
    with duckdb.connect(copying.place_of_copy(Path(folder)), config=copying.config(megabytes)) as copy:
        _create(copy, schemas, places, len(keys))
        for path, name in listed:
            with _opened(path, name if len(listed) > 1 else "") as (schema, batches):
                left = None if rows is None else rows + 1 - copy.table(copying.COPIED).count("*").fetchall()[0][0]
                _insert(copy, schema, batches, places, _values(path, keys), left)


@contextlib.contextmanager
def _opened(path: str, name: str) -> Iterator[tuple[Any, Iterator[Any]]]:
    """Return the schema of an Arrow file or stream or of a Feather file, and its batches of rows, which are checked."""
    import pyarrow
    from pyarrow import feather, ipc

    try:
        with pyarrow.memory_map(path) as source:
            head = source.read(8)
            source.seek(0)
            if head.startswith(b"ARROW1"):
                reader = ipc.open_file(source)
                yield reader.schema, map(_checked, map(reader.get_batch, range(reader.num_record_batches)))
            elif head.startswith(b"FEA1"):
                table = feather.read_table(path)
                yield table.schema, map(_checked, table.to_batches())
            else:
                reader = ipc.open_stream(source)
                yield reader.schema, map(_checked, reader)
    except MemoryError:
        raise
    except (pyarrow.ArrowException, OSError, UnicodeError) as error:
        said = " ".join(str(error).split()).rstrip(".")[:200]
        raise NeuralProgrammerError(
            f"{name}{': ' if name else ''}it is no Arrow file, or a damaged one ({said}); save it again"
        ) from None


def _checked(batch: Any) -> Any:
    """Return a batch whose offsets and texts were looked through: DuckDB takes them for right."""
    batch.validate(full=True)
    return batch


def _create(copy: duckdb.DuckDBPyConnection, schemas: Mapping[str, Any], places: Mapping[str, str], keys: int) -> None:
    """Make the table, with columns of types that hold those of all files, and the columns of folders after them."""
    import pyarrow

    try:
        schema = pyarrow.unify_schemas(
            [_renamed(each, places) for each in schemas.values()], promote_options="permissive"
        )
    except pyarrow.ArrowException as error:
        said = " ".join(str(error).split()).rstrip(".")[:200]
        raise NeuralProgrammerError(f"its files have columns of different kinds ({said}); save them alike") from None
    copy.register("given", copying.Stream(schema.empty_table().select(list(places.values()))))
    more = "".join(f", CAST(NULL AS VARCHAR) AS k{place}" for place in range(keys))
    copy.execute(f"CREATE TABLE {copying.COPIED} AS SELECT *{more} FROM given")
    copy.unregister("given")


def _insert(
    copy: duckdb.DuckDBPyConnection,
    schema: Any,
    batches: Iterator[Any],
    places: Mapping[str, str],
    values: Sequence[str | None],
    most: int | None,
) -> None:
    """Add the rows of a file, or so many of them."""
    import pyarrow

    renamed, faults = _renamed(schema, places), []

    def each() -> Iterator[Any]:
        try:
            for batch in batches:
                yield batch.rename_columns(renamed.names)
        except Exception as error:  # to be told as it is: DuckDB tells of the stream that it reads
            faults.append(error)
            raise

    reader = pyarrow.RecordBatchReader.from_batches(renamed, each())
    copy.register("given", copying.Stream(reader))
    own = [name for name in renamed.names if name in places.values()]
    names = ", ".join([*own, *(f"k{place}" for place in range(len(values)))])
    selected = ", ".join([*own, *"?" * len(values)])
    limit = "" if most is None else f" LIMIT {most}"
    try:
        copy.execute(f"INSERT INTO {copying.COPIED} ({names}) SELECT {selected} FROM given{limit}", list(values))
    except duckdb.Error:
        if faults:
            raise faults[0] from None
        raise
    copy.unregister("given")


def _renamed(schema: Any, places: Mapping[str, str]) -> Any:
    """Return a schema whose columns are called by their places in the table; unwanted ones have no name."""
    import pyarrow

    names = [places.get(name.lower(), f"other{place}") for place, name in enumerate(schema.names)]
    return pyarrow.schema([field.with_name(name) for field, name in zip(schema, names, strict=True)])


def _values(path: str, keys: Sequence[str]) -> list[str | None]:
    """Return what the folders of a file give its rows."""
    given = {name: value for name, sign, value in (part.partition("=") for part in Path(path).parent.parts) if sign}
    return [None if given[key] == NO_VALUE else unquote(given[key]) for key in keys]


def _share_of_memory() -> int | None:
    """Megabytes of the memory of this machine that reading may take, where the system tells how much there is."""
    try:
        return int(SHARE * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1_000_000)
    except (AttributeError, ValueError, OSError):
        return None


if __name__ == "__main__":
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # others reserve more than they use
    copying.tell(contents)
