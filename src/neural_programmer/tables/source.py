"""A table that can be queried, wherever it is: a file, a database or a frame."""

import contextlib
import copy
import ctypes
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

import duckdb
import numpy as np

from neural_programmer.base.files import remove_own
from neural_programmer.base.limits import NONE, Limits, within
from neural_programmer.errors import NeuralProgrammerError, one_of
from neural_programmer.tables import naming, reading, views
from neural_programmer.tables.containers import quoted
from neural_programmer.tables.frames import read_frame
from neural_programmer.tables.heads import HEAD
from neural_programmer.tables.kinds import NUMBERED, RELATION, WRITTEN, WRITTEN_NUMBERED, Column, row_name, settle
from neural_programmer.tables.naming import Named
from neural_programmer.tables.table import KINDS, TABLE_BYTES, CellKind, Kind, Table, is_date
from neural_programmer.tables.texts import LONG_ROW

__all__ = ["Column", "Kind", "Source", "open_source"]

TABLE_CELLS = 5_000_000  # that fit into a Table in memory
VIEWED_CELLS = 100_000  # by which it is decided what views there are: all of a small table, of a large one some rows
RUNS = 8  # places where those rows are


class Source:
    """Typed columns under their names in `relation`, a table or view of `connection`; close it after use.

    `numbered` is the same with the numbers of its rows, from 0, in a column called `row`; where it is `seekable`, rows
    are found by their numbers without reading the others. `named`, `part` and `form` say where it came from, if from
    files, and how others can read these, `called` what people call it; where that was said, it is `private` where these
    lie. `dialect`, `text_columns` and `renamed` say which SQL runs there, which of its columns hold text, and which
    have another name; `others` are the sheets of a workbook that were not taken, where nobody said which; it is
    `united` of files not all of which have all columns; where it `is_wide`, DuckDB is not to guess how its text is
    read. In `folder` there may be files until it is closed.
    """

    def __init__(
        self,
        name: str,
        columns: tuple[Column, ...],
        rows: int,
        connection: duckdb.DuckDBPyConnection,
        folder: Path,
        seekable: bool = True,
        named: Named | None = None,
        part: str = "",
        form: str = "",
        called: str = "",
        dialect: str = "duckdb",
        text_columns: frozenset[str] = frozenset(),
        others: tuple[str, ...] = (),
        united: bool = False,
        renamed: frozenset[str] = frozenset(),
        is_wide: bool = False,
    ) -> None:
        self._process = os.getpid()
        self.name, self.columns, self.rows, self.connection = name, columns, rows, connection
        self.relation, self.numbered, self.row = RELATION, NUMBERED, row_name([column.name for column in columns])
        self.folder, self.seekable, self.named, self.part, self.form = folder, seekable, named, part, form
        self.dialect, self.text_columns, self.others, self.united = dialect, text_columns, others, united
        self.renamed, self.is_wide = renamed, is_wide
        self.called, self.private = called or (named.called if named else ""), bool(called)
        self.whole: Source | None = None  # that whose connection this one uses, which is open for as long as it is kept
        self._release = weakref.finalize(self, _released, connection, folder, self._process)

    def __repr__(self) -> str:
        return f"Source({self.name!r}, {self.rows} rows, columns {', '.join(column.name for column in self.columns)})"

    def __enter__(self) -> "Source":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def path(self) -> Path | None:
        """The file that it came from, if it is one."""
        return self.named.path if self.named and self.named.root is None else None

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The connection to ask, in the process that opened it: in one that was forked, its threads are gone."""
        if self._process != os.getpid():
            raise NeuralProgrammerError("the table was opened before this process was forked; open it again here")
        return self._connection

    @connection.setter
    def connection(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    @property
    def cell_kinds(self) -> tuple[tuple[str, CellKind], ...]:
        """What the columns hold, as programs compute with it, by their names."""
        return tuple((column.name, KINDS[column.kind]) for column in self.columns)

    def close(self) -> None:
        """Let go of the file, the memory and what was spilled to disk."""
        self._release()

    @contextlib.contextmanager
    def aside(self) -> Iterator["Source"]:
        """The same table with a connection of its own, whose queries run and are interrupted beside those of others."""
        other = copy.copy(self)
        with self.connection.cursor() as other.connection:
            yield other

    def written(self) -> "Source":
        """The same with the views of its columns after them (see views.py): of a large table those of some rows."""
        if self.relation == WRITTEN:
            return self
        from neural_programmer.tables.views_sql import relation

        made = self._views().items()
        found = [Column(name, views.KINDS[view], view_of=of, view=view) for name, (of, view) in made]
        other = copy.copy(self)
        other.whole, other.columns = self, (*self.columns, *found)
        other.relation, other.numbered = WRITTEN, WRITTEN_NUMBERED
        with reading.refusing(self.name):
            for name, plain, more in ((WRITTEN, self.relation, ()), (WRITTEN_NUMBERED, self.numbered, (self.row,))):
                selected = relation(other.columns, plain, *more).sql("duckdb")
                self.connection.execute(f"CREATE OR REPLACE VIEW {name} AS {selected}")
        return other

    def plain(self) -> "Source":
        """The same without views: what people see of it."""
        if not any(column.view for column in self.columns):
            return self
        other = copy.copy(self)
        other.columns = tuple(column for column in self.columns if not column.view)
        other.relation, other.numbered = RELATION, NUMBERED
        return other

    def _views(self) -> dict[str, tuple[str, views.View]]:
        """The views that the columns have: of each name, the column that it is read from and the view."""
        places = [place for place, column in enumerate(self.columns) if column.kind == "text"]
        found: dict[int, tuple[views.View, ...]] = {
            place: views.OF_DATES for place, column in enumerate(self.columns) if column.kind == "date"
        }
        if places:
            most = max(VIEWED_CELLS // len(places), RUNS)
            cells = ", ".join(f"c{place}" for place in places)
            rows = self.fetched(f"SELECT {cells} FROM {self.some(most, RUNS, most // RUNS)}")
            texts = zip(*rows, strict=True) if rows else [()] * len(places)
            found |= {
                place: views.fitting([text or "" for text in cells]) for place, cells in zip(places, texts, strict=True)
            }
        every = [found.get(place, ()) for place in range(len(self.columns))]
        return views.called([column.name for column in self.columns], every)

    def origin(self, name: str | None) -> str | None:
        """The column that people see for one that a program names: where that is a view, the one it is read from."""
        return name if name is None else self.column(name).view_of or name

    def column(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise one_of("column", name, (column.name for column in self.columns))

    def texts(self, column: str, limit: int) -> list[str]:
        """The distinct texts of a column of text, the most frequent first."""
        if (found := self.column(column)).kind != "text":
            raise NeuralProgrammerError(f"column {column!r} holds {found.kind}s, not text; choose another")
        cell = f"c{self.columns.index(found)}"
        counted = f"SELECT {cell}, count(*) AS times FROM {self.placed()} WHERE {cell} IS NOT NULL GROUP BY {cell}"
        return [text for text, _ in self.fetched(f"{counted} ORDER BY times DESC, {cell} LIMIT ?", [limit])]

    def page(self, start: int, count: int) -> list[tuple[Any, ...]]:
        """Some rows as plain Python values, None where they are missing."""
        return self.fetched(f"SELECT * FROM {self.placed()} LIMIT ? OFFSET ?", [count, start])

    def table(self, most: int | None = None, letters: int | None = None) -> Table:
        """All of it in memory, or its first rows; NaN, not-a-time or "" where missing, booleans as the texts true and
        false, of texts perhaps so many letters; views as Python reads them."""
        made: dict[str, tuple[str, views.View]] = {
            column.name: (column.view_of, column.view) for column in self.columns if column.view
        }
        if made:
            return views.with_views(self.plain().table(most, letters), made)
        rows = self.rows if most is None else min(most, self.rows)
        placed = self.placed() if most is None else f"(SELECT * FROM {self.placed()} LIMIT {rows})"
        if rows * len(self.columns) > TABLE_CELLS:
            size = f"{rows:,} rows of {len(self.columns)} columns"
            raise NeuralProgrammerError(
                f"{self.name} is too large for memory with {size}; {TABLE_CELLS:,} cells are allowed"
            )
        cells = [_in_memory(f"c{place}", column.kind, letters) for place, column in enumerate(self.columns)]
        if (size := self._text_bytes(cells, placed, rows)) > TABLE_BYTES:
            raise NeuralProgrammerError(f"{self.name} is too large for memory: its texts need {size:,} bytes")
        with reading.refusing(self.name):
            found = self.connection.execute(f"SELECT {', '.join(cells)} FROM {placed}")
            kinds = [str(kind) for _, kind, *_ in found.description]
            arrays = [_unmasked(array, kind) for array, kind in zip(found.fetchnumpy().values(), kinds, strict=True)]
        return Table(tuple(column.name for column in self.columns), tuple(arrays))

    def text_bytes(self) -> int:
        """What the texts of all rows take in memory, where each has the room of the longest of its column."""
        texts = [f"c{place}" for place, column in enumerate(self.columns) if column.kind == "text" and not column.view]
        return self._text_bytes(texts, self.placed(), self.rows) if texts else 0

    def _text_bytes(self, cells: Sequence[str], placed: str, rows: int) -> int:
        lengths = [f"max(length(CAST({cell} AS VARCHAR)))" for cell in cells]
        longest = self.fetched(f"SELECT {', '.join(lengths)} FROM {placed}")[0]
        return 4 * rows * sum(length or 0 for length in longest)

    def placed(self, numbered: bool = False, place: int | None = None) -> str:
        """The relation with its columns called c0, c1, ..., so that no name of theirs stands in SQL; the rows' is r.

        Of many columns, the one at a `place` is found sooner alone.
        """
        if place is not None:
            return f"(SELECT {quoted(self.columns[place].name)} AS c{place} FROM {self.relation})"
        names = ", ".join(f"c{place}" for place in range(len(self.columns)))
        return f"{self.numbered} AS data({names}, r)" if numbered else f"{self.relation} AS data({names})"

    def some(self, most: int, places: int, run: int) -> str:
        """Its rows if there are so many at `most`; else runs of them, from all over where it can be read anywhere."""
        if self.rows <= most:
            return self.placed()
        if not self.seekable:
            return f"(SELECT * FROM {self.placed()} LIMIT {places * run})"
        starts = [place * (self.rows - run) // (places - 1) for place in range(places)]
        return f"{self.placed(numbered=True)} WHERE {' OR '.join(f'r BETWEEN {s} AND {s + run - 1}' for s in starts)}"

    def fetched(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query of this table."""
        with reading.refusing(self.name):
            return self.connection.execute(sql, list(parameters)).fetchall()


def _in_memory(cell: str, kind: Kind, letters: int | None) -> str:
    """The SQL of a cell as it stands in a Table."""
    if kind == "date":
        return cell
    if kind == "number":
        return f"coalesce(CAST({cell} AS DOUBLE), 'nan')"
    cell = f"CAST({cell} AS VARCHAR)"
    return f"coalesce({cell if letters is None else f'left({cell}, {letters})'}, '')"


def _unmasked(array: Any, kind: str) -> np.ndarray:
    """Not-a-time where a date is missing; days as days."""
    if not is_date(array):
        return np.asarray(array)
    missing: Any = np.array("NaT", array.dtype)
    filled = array.filled(missing) if isinstance(array, np.ma.MaskedArray) else array
    return filled.astype("M8[D]") if kind == "DATE" else filled


def open_source(what: Any, called: str = "", limits: Limits = NONE) -> Source:
    """Open a table: the path of a CSV, JSON, Parquet, Arrow, Excel, SQLite or DuckDB file, or a frame.

    A sheet or a table of a file is named after two colons, as in sales.xlsx::2024 or shop.db::orders; the first sheet
    and the only table need no name. A folder of files, or a pattern such as sales/*.csv, is one table; - is the
    standard input. `called` is what people call it, where that is not where it is.
    """
    named = naming.find(what) if isinstance(what, str | os.PathLike) else what if isinstance(what, Named) else None
    name = called or (named.title if named else f"this {type(what).__name__}")
    name = name if name.isprintable() else repr(name)
    folder = Path(tempfile.mkdtemp(prefix="neural-programmer-", dir=limits.folder))
    try:
        with reading.refusing(name):
            files = reading.readable(named, folder) if named else {}
            reached = [*named.files, Path(f"{named.path}.wal")] if named else []
            connection = reading.connect(folder, reached, limits.megabytes)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    try:
        with _in_time(name, limits.seconds, connection), reading.refusing(name, files):
            if named is None:
                given = read_frame(connection, what)
            else:
                given = reading.read_files(connection, folder, named, files, limits)
            columns, rows = settle(connection, given.names, given.stored, given.judge_text, given.filled)
            if limits.rows is not None and rows > limits.rows:
                raise NeuralProgrammerError(
                    f"it has {rows:,} rows, and {limits.rows:,} are allowed here; leave some out"
                )
            if len(given.form) == 1 and not rows and sum(file.stat().st_size for file in files) > 2 * HEAD:
                raise NeuralProgrammerError(LONG_ROW)  # DuckDB leaves a very long row out, and says nothing
            if given.stored:
                reading.forget(connection)
    except BaseException:
        _released(connection, folder, os.getpid())
        raise
    seekable = given.stored or given.numbered
    stored = given.dialect, given.text_columns, given.others, bool(given.notes), given.renamed, given.is_wide
    columns = tuple(_with_note(column, given.notes) for column in columns)
    return Source(name, columns, rows, connection, folder, seekable, named, given.part, given.form, called, *stored)


def _with_note(column: Column, notes: Mapping[str, str]) -> Column:
    """A column with what is to be said of it, if anything is."""
    if column.name not in notes:
        return column
    said = f"{column.name}: {notes[column.name]}"
    return replace(column, note=f"{column.note}; {said}" if column.note else said)


@contextlib.contextmanager
def _in_time(name: str, seconds: float | None, connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Refuse what takes longer to read."""
    try:
        with within(seconds, connection):
            yield
    except duckdb.InterruptException:
        raise NeuralProgrammerError(
            f"{name} takes longer than {seconds:g} seconds to read; leave some of it out"
        ) from None


def _released(connection: duckdb.DuckDBPyConnection, folder: Path, process: int) -> None:
    """Close a connection and remove its folder; in a process that was forked, forget them, for they are the other's.

    There the connection is not closed either when nobody holds it any more: that would wait for threads that are gone.
    """
    if os.getpid() == process:
        with contextlib.suppress(duckdb.ResourceInUseException):  # of a thread that still asks: it is closed after that
            connection.close()
    else:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))
    remove_own(folder, process)
