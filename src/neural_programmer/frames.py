"""Values of Python, frames among them -> their cells as they stand there, in a DuckDB connection."""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np

from neural_programmer.copying import Stream
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.kinds import GIVEN
from neural_programmer.table import Table

COLUMNS_LIMIT = 1000


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
    text_columns: frozenset[str] = frozenset()  # those of a database that are declared to hold text


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
    if isinstance(frame, Mapping):
        names = column_names(frame)
        _register(connection, list(frame.values()))
    elif hasattr(frame, "iloc") and hasattr(frame, "columns"):  # pandas
        names = column_names(frame.columns)
        _register(connection, [frame.iloc[:, place] for place in range(len(names))])
    elif hasattr(frame, "__arrow_c_stream__"):  # polars, pyarrow
        names = column_names(getattr(frame, "column_names", None) or getattr(frame, "columns", ()))
        connection.register("frame", Stream(frame))
        connection.execute(f"CREATE TABLE kept AS SELECT * FROM frame; CREATE VIEW {GIVEN} AS SELECT * FROM kept")
        connection.unregister("frame")
    else:
        kind = f"{type(frame).__module__}.{type(frame).__qualname__}"
        raise NeuralProgrammerError(
            f"a table is a path, a frame (pandas, polars, pyarrow), a dict of lists or a Table, not {kind}"
        )
    return Given(names)


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
