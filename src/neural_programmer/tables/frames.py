"""Values of Python, frames among them -> their cells as they stand there, in a DuckDB connection."""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import duckdb
import numpy as np

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tables.containers import quoted
from neural_programmer.tables.copying import Stream
from neural_programmer.tables.kinds import GIVEN
from neural_programmer.tables.table import Table

COLUMNS_LIMIT = 1000
UNREAD = ("Null", "Int128", "UInt128", "Float16")  # types of polars
_DATABASE = (duckdb.DuckDBPyConnection, duckdb.DuckDBPyRelation)


@dataclass(frozen=True)
class Given:
    """What GIVEN is now: the names of its columns, whether to copy it, and whether its text may be numbers or dates.

    Of a file with types of its own, `filled` are the columns that surely hold no empty text and no NaN; it may
    be `numbered` in a last column. `form` says how another program can read the file as it is: "parquet", "json" for
    one object a line, the delimiter of a CSV file; empty where it cannot.
    """

    names: tuple[str, ...]
    stored: bool = True
    judge_text: bool = True
    filled: frozenset[int] | None = None
    numbered: bool = False
    form: str = ""
    part: str = ""  # the table or sheet of a file that was taken,
    others: tuple[str, ...] = ()  # and those that were not, where nobody said which
    dialect: str = "duckdb"  # of SQL that runs where the table is
    text_columns: frozenset[str] = frozenset()  # those of a database that are declared to hold text,
    renamed: frozenset[str] = frozenset()  # and those that have another name there
    is_wide: bool = False  # whether another program had better not guess how its text is read
    notes: Mapping[str, str] = field(default_factory=dict)  # what is to be said of columns


def column_names(header: Iterable[Any]) -> tuple[str, ...]:
    """The names of columns: each there, and once, whatever its case; an empty first one is that of an index."""
    names = [(_text(name) or "").strip() for name in header]
    if len(names) > COLUMNS_LIMIT:
        raise NeuralProgrammerError(
            f"a table has {COLUMNS_LIMIT} columns at most, and this one has {len(names)}; leave some out"
        )
    if not any(names):
        raise NeuralProgrammerError("a table needs at least one column with a name, and this one has none")
    if not names[0]:
        names[0] = "index" if "index" not in map(str.lower, names) else "row"
    if "" in names:
        raise NeuralProgrammerError(f"column {names.index('') + 1} of {len(names)} has no name; give every column one")
    seen: dict[str, str] = {}
    for name in names:
        if name.lower() in seen:
            both = sorted({seen[name.lower()], name})
            raise NeuralProgrammerError(
                f"column name {' or '.join(map(repr, both))} stands twice; give every column its own"
            )
        seen[name.lower()] = name
    return tuple(names)


def keep(connection: duckdb.DuckDBPyConnection, width: int, batches: Iterable[Sequence[Sequence[Any]]]) -> None:
    """Rows of cells as a table of text."""
    connection.execute(f"CREATE TABLE kept ({', '.join(f'c{place} VARCHAR' for place in range(width))})")
    with connection.appender("kept") as appender:
        for batch in batches:
            appender.append_rows([[_text(cell) for cell in row] for row in batch])
            appender.flush()
    connection.execute(f"CREATE VIEW {GIVEN} AS SELECT * FROM kept")


def read_frame(connection: duckdb.DuckDBPyConnection, frame: Any) -> Given:
    """Make GIVEN of a frame, which is known by what it can do: nobody needs pandas to read a dict."""
    if isinstance(frame, Table):
        _register(connection, frame.columns)
        return Given(column_names(frame.names), judge_text=False)
    frame = _read_lazy(frame)
    if isinstance(frame, list | tuple):
        frame = _columns_of(frame)
    if isinstance(frame, Mapping):
        names = column_names(frame)
        _register(connection, list(frame.values()))
    elif hasattr(frame, "iloc") and hasattr(frame, "columns"):  # pandas
        labels = _named_levels(frame)
        names = column_names([*labels, *frame.columns])
        _register(connection, [*labels.values(), *(frame.iloc[:, place] for place in range(len(frame.columns)))])
    elif hasattr(frame, "__arrow_c_stream__"):  # polars, pyarrow, a relation of DuckDB
        names = column_names(_stream_names(frame))
        frame = _readable(frame)
        connection.register("frame", Stream(frame))
        connection.execute(f"CREATE TABLE kept AS SELECT * FROM frame; CREATE VIEW {GIVEN} AS SELECT * FROM kept")
        connection.unregister("frame")
        if _is_read_once(frame) and not connection.execute("SELECT 1 FROM kept LIMIT 1").fetchall():
            raise NeuralProgrammerError("the reader has no rows, or they were read before; make a new one")
    else:
        kind = f"{type(frame).__module__}.{type(frame).__qualname__}"
        raise NeuralProgrammerError(
            "a table is a path, a frame (pandas, polars, pyarrow), a relation of DuckDB, a dict of lists, a list of"
            f" dicts or a Table, not {kind}"
        )
    return Given(names)


def is_lazy(frame: Any) -> bool:
    """Whether a frame may give other rows when it is read again, and cannot tell: a query, or a connection."""
    return isinstance(frame, _DATABASE) or hasattr(frame, "collect") or hasattr(frame, "scanner")


def _read_lazy(frame: Any) -> Any:
    """A frame of what stands for one: a query of polars, a data set of pyarrow, a connection of DuckDB."""
    if isinstance(frame, duckdb.DuckDBPyConnection):
        return _only_table(frame)
    if hasattr(frame, "scanner"):  # pyarrow
        return frame.scanner().to_reader()
    try:
        return frame.collect() if hasattr(frame, "collect_schema") and hasattr(frame, "collect") else frame
    except Exception as error:  # of polars, whatever the query does
        said = str(error).strip().partition("\n")[0][:200]
        raise NeuralProgrammerError(
            f"the query fails ({type(error).__name__}: {said}); mend it, or collect it"
        ) from None


def _only_table(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyRelation:
    """The only table or view of a connection, as a relation of it."""
    known = connection.execute(
        "SELECT database_name, schema_name, table_name FROM duckdb_tables() WHERE NOT internal UNION ALL"
        " SELECT database_name, schema_name, view_name FROM duckdb_views() WHERE NOT internal ORDER BY ALL"
    ).fetchall()
    if len(known) != 1:
        names = [name for *_, name in known[:50]]
        told = (
            f"holds {len(known)} tables, {', '.join(names)}; give one of them" if known else "holds no table; give one"
        )
        example = f"connection.table({names[0] if names else 'name'!r})"
        raise NeuralProgrammerError(f"the connection {told}, as {example}")
    return connection.table(".".join(map(quoted, known[0])))


def _columns_of(rows: Sequence[Any]) -> dict[str, list[Any]]:
    """The columns of rows that are dicts, in the order that their names come up; a name that a row lacks is missing."""
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            raise NeuralProgrammerError(f"a list of rows has a dict for each, and row {number} is {type(row).__name__}")
    if not rows:
        raise NeuralProgrammerError("the list has no rows, so that nobody knows the columns; give at least one dict")
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _named_levels(frame: Any) -> dict[Any, Any]:
    """The levels of a pandas index that have names, and none that a column has."""
    index = frame.index
    taken = {str(name).lower() for name in frame.columns}
    return {
        name: index.get_level_values(place)
        for place, name in enumerate(index.names)
        if name is not None and str(name).lower() not in taken
    }


def _stream_names(frame: Any) -> Iterable[Any]:
    """The names of the columns of what can be read as a stream of Arrow batches."""
    if hasattr(frame, "column_names"):
        return frame.column_names
    return frame.columns if hasattr(frame, "columns") else getattr(getattr(frame, "schema", None), "names", ())


def _readable(frame: Any) -> Any:
    """A frame of polars without the types that DuckDB does not read: what is missing everywhere, and huge integers."""
    kinds = getattr(frame, "schema", None)
    odd = [name for name, kind in kinds.items() if str(kind) in UNREAD] if isinstance(kinds, Mapping) else []
    return frame.cast(dict.fromkeys(odd, str)) if odd else frame


def _is_read_once(frame: Any) -> bool:
    return hasattr(frame, "read_next_batch")


def _register(connection: duckdb.DuckDBPyConnection, columns: Sequence[Any]) -> None:
    arrays = [_array(column) for column in columns]
    if len({len(array) for array in arrays}) > 1:
        raise NeuralProgrammerError(f"columns must have the same number of rows, not {sorted(set(map(len, arrays)))}")
    connection.register(GIVEN, {f"c{place}": array for place, array in enumerate(arrays)})


def _array(column: Any) -> np.ndarray:
    """A column as numbers, booleans or moments if it is an array of those, else as text."""
    dtype = getattr(column, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind in "iubfM" and not isinstance(column, np.ma.MaskedArray):
        array = np.asarray(column)
        array = array.astype({"f": float, "M": "M8[us]"}.get(dtype.kind, dtype))
    elif isinstance(column, str | bytes) or not isinstance(column, Iterable):
        raise NeuralProgrammerError(f"a column is a list or an array, not {type(column).__name__}")
    else:
        texts = [_text(cell) for cell in (column.tolist() if isinstance(column, np.ndarray) else column)]
        array = np.empty(len(texts), object)
        array[:] = texts
    if array.ndim != 1:
        raise NeuralProgrammerError(f"a column has one dimension, and one of these has {array.ndim}")
    return array


def _text(cell: Any) -> str | None:
    """A cell as a person would write it."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, bool | np.bool_):
        return "true" if cell else "false"
    if isinstance(cell, float | np.floating):
        return str(int(cell)) if abs(cell) < 1e15 and cell == int(cell) else repr(float(cell))
    if type(cell).__name__ in ("NAType", "NaTType") or str(cell) == "NaT":  # of pandas and NumPy
        return None
    if isinstance(cell, datetime.datetime):
        return cell.isoformat(" ")
    return cell.decode("utf-8", "backslashreplace") if isinstance(cell, bytes) else str(cell)
