"""Frames and tables of Arrow with all types, and frames of Python as people and libraries make them."""

import datetime
import decimal
from typing import Any

import duckdb
import numpy as np
import pandas
import polars
import pyarrow

from neural_programmer.tables.table import Table
from odd_cells import Chance, Content

ARROW: list[pyarrow.DataType] = [
    pyarrow.int8(), pyarrow.int64(), pyarrow.uint8(), pyarrow.uint64(), pyarrow.float16(), pyarrow.float32(),
    pyarrow.float64(), pyarrow.bool_(), pyarrow.string(), pyarrow.large_string(), pyarrow.string_view(),
    pyarrow.binary(), pyarrow.binary(3), pyarrow.date32(), pyarrow.date64(), pyarrow.time32("s"), pyarrow.time64("ns"),
    pyarrow.null(), pyarrow.timestamp("s"), pyarrow.timestamp("ms", "UTC"), pyarrow.timestamp("us", "Asia/Tokyo"),
    pyarrow.timestamp("ns"), pyarrow.duration("s"), pyarrow.duration("ns"), pyarrow.month_day_nano_interval(),
    pyarrow.decimal128(38, 10), pyarrow.decimal128(5, 2), pyarrow.decimal256(76, 0), pyarrow.list_(pyarrow.int32()),
    pyarrow.large_list(pyarrow.string()), pyarrow.struct([("a", pyarrow.int8()), ("b", pyarrow.string())]),
    pyarrow.map_(pyarrow.string(), pyarrow.int32()), pyarrow.dictionary(pyarrow.int8(), pyarrow.string()),
    pyarrow.list_(pyarrow.float32(), 2), pyarrow.string(),
]  # fmt: skip
NANOSECONDS = pyarrow.MonthDayNano([1, 2, 3])
FILL: dict[str, tuple[Any, ...]] = {  # cells of each kind of type
    "int": (0, 1, 5, 127),
    "float": (0.0, -0.0, 1.5, float("nan"), float("inf"), float("-inf"), 1e4),
    "bool": (True, False),
    "string": ("", "Oslo", "Rome", "NA", "5", "2024-01-02", "O'Hara", "🏠", "x" * 1_000, "$5", "a\nb"),
    "binary": (b"", b"abc", b"\xff\x00"),
    "fixed_size_binary": (b"abc", b"\xff\x00\xff"),
    "date": (datetime.date(2024, 2, 29), datetime.date(1, 1, 1), datetime.date(9999, 12, 31)),
    "time": (datetime.time(0), datetime.time(23, 59, 59)),
    "timestamp": (datetime.datetime(2024, 2, 29, 10), datetime.datetime(1970, 1, 1), datetime.datetime(2262, 1, 1)),
    "duration": (datetime.timedelta(0), datetime.timedelta(days=5), datetime.timedelta(seconds=-7)),
    "month_day_nano_interval": (NANOSECONDS,),
    "decimal": (decimal.Decimal("0"), decimal.Decimal("12"), decimal.Decimal("-999")),
    "list": ([], [1, 2], [None]),
    "large_list": ([], ["a", "b"], [None]),
    "fixed_size_list": ([1.0, 2.0], [0.0, float("nan")]),
    "struct": ({"a": 1, "b": "x"}, {"a": None, "b": None}),
    "map": ([], [("k", 1)]),
    "dictionary": ("Oslo", "Rome"),
    "null": (None,),
}
DTYPES = (
    "Int64", "Float64", "boolean", "string", "category", "datetime64[ns, Europe/Oslo]", "timedelta64[ns]", "float16",
    "period[M]", "complex128", "Sparse[float]", "object", "uint8", "datetime64[s]", "int64[pyarrow]",
    "string[pyarrow]",
)  # fmt: skip
POLARS: tuple[Any, ...] = (
    polars.Int8, polars.UInt64, polars.Int128, polars.Float32, polars.Boolean, polars.String, polars.Categorical,
    polars.Enum(["1", "2", "Oslo"]), polars.Decimal(20, 3), polars.Date, polars.Time, polars.Null, polars.Duration,
    polars.Datetime("ns", "Asia/Tokyo"), polars.Binary, polars.List(polars.Int8), polars.Object,
    polars.Array(polars.Int8, 2), polars.Struct({"a": polars.Int8}),
)  # fmt: skip
ARRAYS = (
    "i1", "u8", "f2", "f4", "f8", "g", "?", "U5", "S3", "O", "M8[D]", "M8[ns]", "M8[Y]", "m8[s]", "c16", ">f8", "V4",
)  # fmt: skip
OTHERS: tuple[Any, ...] = (
    None, 5, 1.5, True, object(), [], {}, [[]], set(), b"bytes", "", ".", "nothing.csv", "::", "::t", "\0", type,
)  # fmt: skip


def arrow(chance: Chance, made: Content) -> pyarrow.Table:
    """A table of Arrow: columns of any type."""
    arrays = []
    for column in made.columns:
        kind = chance.one(ARROW)
        if kind == pyarrow.string():
            cells = _texts(column)
        else:
            choices = next(FILL[name] for name in sorted(FILL, key=len, reverse=True) if name in _named(kind))
            cells = [None if cell is None else chance.one(choices) for cell in column]
        try:
            arrays.append(pyarrow.array(cells, kind))
        except (pyarrow.ArrowException, ValueError, OverflowError, TypeError):  # of what this type cannot hold
            arrays.append(pyarrow.nulls(len(cells), kind))
    return pyarrow.table(arrays, names=[name.encode("utf-8", "replace").decode() for name in made.names])


def _texts(cells: list[Any]) -> list[str | None]:
    return [None if cell is None else str(cell).encode("utf-8", "replace").decode() for cell in cells]


def _named(kind: pyarrow.DataType) -> str:
    """The name of a type by which FILL has cells for it."""
    name = str(kind)
    if name.startswith(("double", "halffloat")):
        return "float"
    return (
        "fixed_size_list"
        if pyarrow.types.is_fixed_size_list(kind)
        else name.partition("(")[0].partition("<")[0].partition("[")[0]
    )


def frame(chance: Chance, made: Content) -> tuple[str, Any]:
    """What kind of frame it is, and the frame."""
    if made.rows and chance.happens(0.03):
        chance.one(made.columns)[0] = "\ud800"  # half a letter, which no file holds
    kind = chance.weighted(
        {"pandas": 4, "polars": 3, "arrow": 2, "dict": 2, "rows": 2, "arrays": 1, "Table": 1, "other": 0.7}
    )
    return kind, {
        "pandas": _pandas, "polars": _polars, "arrow": _arrow, "dict": _dict, "rows": _rows, "arrays": _arrays,
        "Table": _table, "other": _other,
    }[kind](chance, made)  # fmt: skip


def _pandas(chance: Chance, made: Content) -> Any:
    """A frame of pandas: types by itself or odd ones, names that are no texts, an index of any kind."""
    columns: dict[Any, Any] = {}
    for place, (name, cells) in enumerate(zip(made.names, made.columns, strict=True)):
        series = pandas.Series(cells, dtype=object)
        if chance.happens(0.4):
            try:
                series = pandas.Series(_numbers(chance, cells)).astype(chance.one(DTYPES))
            except (ValueError, TypeError, OverflowError, NotImplementedError):  # what pandas does not convert
                series = pandas.Series(cells)
        elif chance.happens(0.5) and "\ud800" not in cells:
            series = series.infer_objects()
        key = name if chance.happens(0.97) else chance.one([place, None, (name, place), 1.5, float("nan"), b"x", True])
        columns[key] = series
    found = pandas.DataFrame(columns)
    if chance.happens(0.1):
        found.index = pandas.Index(range(len(found)), name=chance.one([made.names[0], "key", 5, "", None]))
    if chance.happens(0.05) and len(found.columns) > 1 and "float16" not in map(str, found.dtypes):
        found = found.set_index(list(found.columns[:2]))
    if chance.happens(0.04):
        found.columns = pandas.MultiIndex.from_tuples([("top", name) for name in found.columns])
    if chance.happens(0.03):
        found = pandas.concat([found, found], axis=1)
    return found


def _numbers(chance: Chance, cells: list[Any]) -> list[Any]:
    return [None if cell is None else chance.below(100) for cell in cells]


def _polars(chance: Chance, made: Content) -> Any:
    """A frame of polars, lazy ones too."""
    columns = []
    for place, (name, cells) in enumerate(zip(made.names, made.columns, strict=True)):
        name = name if name and name not in made.names[:place] else f"{name}_{place}"
        if chance.happens(0.5):
            columns.append(polars.Series(name, _texts(cells), polars.String))
            continue
        kind = chance.one(POLARS)
        if kind == polars.Object:
            columns.append(polars.Series(name, [object() for _ in cells], polars.Object))
            continue
        try:
            columns.append(polars.Series(name, _numbers(chance, cells)).cast(kind, strict=False))
        except polars.exceptions.PolarsError:  # what polars does not convert
            columns.append(polars.Series(name, [None] * len(cells), kind))
    found = polars.DataFrame(columns)
    return found.lazy() if chance.happens(0.2) else found


def _arrow(chance: Chance, made: Content) -> Any:
    """A table of Arrow, a batch, a reader, or a relation of DuckDB."""
    table = arrow(chance, made)
    form = chance.one(["table", "table", "chunks", "batch", "reader", "relation"])
    if form == "chunks":
        return pyarrow.concat_tables([table.slice(0, 1), table.slice(1)])
    if form == "batch":
        batches = table.to_batches()
        return batches[0] if batches else table
    if form == "reader":
        return pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches())
    return duckdb.sql("SELECT 1 AS a, [1, 2] AS b, NULL AS c, INTERVAL 1 DAY AS d") if form == "relation" else table


def _dict(chance: Chance, made: Content) -> Any:
    """A dict of columns: lists, tuples, arrays, sets, generators, texts; not always of the same length."""
    found: dict[Any, Any] = dict(zip(made.names, made.columns, strict=True))
    if chance.happens(0.15):
        odd = [(), 5, None, "text", b"bytes", {1, 2}, range(3), object(), np.zeros((2, 2)), [[1], [2]], [{}], iter([1])]
        found[chance.one([*made.names, "more", 5, None])] = chance.one(odd)
    return {name: tuple(cells) if chance.happens(0.1) else cells for name, cells in found.items()}


def _rows(chance: Chance, made: Content) -> Any:
    """A list of dicts; some lack a name, some are none."""
    found: list[Any] = [dict(zip(made.names, row, strict=True)) for row in made.rows]
    found = [{name: cell for name, cell in row.items() if chance.happens(0.9)} for row in found]
    if chance.happens(0.05):
        found.append(chance.one([None, [], 5, "text", {}, {None: 1}, {5: 5}]))
    return tuple(found) if chance.happens(0.1) else found


def _arrays(chance: Chance, made: Content) -> Any:
    """A dict of arrays of NumPy of all types."""
    found = {}
    for name, cells in zip(made.names, made.columns, strict=True):
        array = np.array(_numbers(chance, [0 if cell is None else cell for cell in cells]))
        found[name] = array.astype(chance.one(ARRAYS)) if len(array) else array
        if chance.happens(0.1):
            found[name] = np.ma.masked_array(array, array % 2 == 0)
    return found


def _table(chance: Chance, made: Content) -> Any:
    """A Table of our own."""
    names = [
        name if name.split() and name not in made.names[:place] else f"{name}_{place}"
        for place, name in enumerate(made.names)
    ]
    columns = [np.array(["" if cell is None else str(cell)[:500] for cell in cells], str) for cells in made.columns]
    columns = [column if chance.happens(0.6) else np.arange(float(len(column))) for column in columns]
    return Table(tuple(names), tuple(columns))


def _other(chance: Chance, made: Content) -> Any:
    """What is no table."""
    return chance.one(OTHERS)
