"""The same table is the same wherever it lies; bad files are refused in a sentence; nothing is ever written."""

import csv
import datetime
import gzip
import io
import json
import math
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from decimal import Decimal
from pathlib import Path

import duckdb
import numpy as np
import openpyxl
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neural_programmer.base.limits import Limits
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tables import books
from neural_programmer.tables.source import Column, open_source
from neural_programmer.tables.table import Table

DAY, MOMENT = datetime.date, datetime.datetime
NAMES = ("name", "count", "price", "day", "at", "open", 'odd "; DROP TABLE data; --')
KINDS = ("text", "number", "number", "date", "date", "boolean", "text")
ROWS = [
    ('Ann, "A"\nB', 1, 2.5, DAY(2024, 3, 5), MOMENT(2024, 3, 5, 12, 30), True, "x"),
    (None, None, None, None, None, None, None),
    ("Zoë €", -3, 1e20, DAY(1999, 12, 31), MOMENT(2000, 1, 1), False, "'; DROP TABLE data; --"),
    ("zoë €", 0, -0.125, DAY(2024, 3, 5), MOMENT(2000, 1, 1, 0, 0, 1), True, "x"),
]
LISTS = {name: [row[place] for row in ROWS] for place, name in enumerate(NAMES)}


def plain(cell):
    return "" if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell)


def as_csv(delimiter=","):
    written = io.StringIO(newline="")
    writer = csv.writer(written, delimiter=delimiter)
    writer.writerows([NAMES, *([plain(cell) for cell in row] for row in ROWS)])
    return written.getvalue()


def as_objects():
    return [
        {
            name: cell if isinstance(cell, str | int | float | None) else str(cell)
            for name, cell in zip(NAMES, row, strict=True)
        }
        for row in ROWS
    ]


def write_sheet(path):
    book = openpyxl.Workbook()
    book.active.title = "first"
    for row in (NAMES, *ROWS):
        book.active.append(row)
    book.create_sheet("second").append(["other"])
    book.save(path)


def write_ods(path):
    def cell(value):
        kind, attribute = {
            bool: ("boolean", "boolean-value"),
            DAY: ("date", "date-value"),
            MOMENT: ("date", "date-value"),
        }.get(type(value), ("float", "value"))
        if value is None:
            return "<table:table-cell/>"
        if isinstance(value, str):
            paragraphs = "".join(f"<text:p>{line.replace('&', '&amp;')}</text:p>" for line in value.split("\n"))
            return f'<table:table-cell office:value-type="string">{paragraphs}</table:table-cell>'
        shown = value.isoformat() if isinstance(value, DAY) else plain(value)
        return f'<table:table-cell office:value-type="{kind}" office:{attribute}="{shown}"/>'

    rows = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in (NAMES, *ROWS))
    space = "urn:oasis:names:tc:opendocument:xmlns:"
    content = (
        f'<office:document-content xmlns:table="{space}table:1.0" xmlns:text="{space}text:1.0"'
        f' xmlns:office="{space}office:1.0"><office:body><office:spreadsheet><table:table table:name="s">'
        f"{rows}</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", f'<m:manifest xmlns:m="{space}manifest:1.0"/>')
        archive.writestr("content.xml", content)


def write_cut(path):
    """A database without its second half."""
    write_sqlite(path).close()
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])


def write_sqlite(path, tables=("it's; a table",), mode="delete"):
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA journal_mode = {mode}")
    marks = ", ".join("?" * len(NAMES))
    for table in tables:
        columns = ", ".join(f'''"{name.replace('"', '""')}"''' for name in NAMES)
        connection.execute(f'CREATE TABLE "{table}" ({columns})')
        rows = [
            [
                cell if isinstance(cell, int | float | None) and not isinstance(cell, bool) else plain(cell)
                for cell in row
            ]
            for row in ROWS
        ]
        connection.executemany(f'INSERT INTO "{table}" VALUES ({marks})', rows)
    connection.commit()
    return connection


def write_duckdb(path):
    with duckdb.connect(str(path)) as connection:
        connection.register("frame", arrow())
        connection.execute("CREATE TABLE sales AS SELECT * FROM frame")


def arrow():
    return pyarrow.table(LISTS)


def connected():
    """A connection of DuckDB with one table."""
    connection = duckdb.connect()
    connection.register("lists", arrow())
    connection.execute("CREATE TABLE sales AS FROM lists; DROP VIEW lists")
    return connection


def zstd(text, encoding="utf-8"):
    return pyarrow.Codec("zstd").compress(text.encode(encoding), asbytes=True)


def write_ipc(path, new):
    with new(str(path), arrow().schema) as written:
        written.write_table(arrow(), max_chunksize=3)


def arrays():
    numbers = {"count": np.array([1, math.nan, -3, 0]), "price": np.array([2.5, math.nan, 1e20, -0.125])}
    moments = {name: np.array(LISTS[name], "M8[s]") for name in ("day", "at")}
    return {name: {**numbers, **moments}.get(name, np.array(cells, object)) for name, cells in LISTS.items()}


FILES = {
    "a.csv": lambda path: path.write_text(as_csv(), encoding="utf-8", newline=""),
    "bom.csv": lambda path: path.write_text(as_csv(), encoding="utf-8-sig", newline=""),
    "windows.csv": lambda path: path.write_text(as_csv(), encoding="cp1252", newline=""),
    "wide.txt": lambda path: path.write_text(as_csv(";"), encoding="utf-16", newline=""),
    "a.tsv": lambda path: path.write_text(as_csv("\t"), encoding="utf-8", newline=""),
    "pipes": lambda path: path.write_text(as_csv("|"), encoding="utf-8", newline=""),
    "a.csv.gz": lambda path: path.write_bytes(gzip.compress(as_csv().encode())),
    "windows.gz": lambda path: path.write_bytes(gzip.compress(as_csv().encode("cp1252"))),
    "year=2024'; --[1]*?.csv": lambda path: path.write_text(as_csv(), encoding="utf-8", newline=""),
    "a.jsonl": lambda path: path.write_text("\n".join(json.dumps(row) for row in as_objects())),
    "a.json": lambda path: path.write_text(
        json.dumps(as_objects(), ensure_ascii=False, indent=1), encoding="utf-8-sig"
    ),
    "a.json.gz": lambda path: path.write_bytes(gzip.compress(json.dumps(as_objects()).encode())),
    "unknown": lambda path: path.write_text(json.dumps(as_objects())),
    "a.csv.zst": lambda path: path.write_bytes(zstd(as_csv())),
    "a.jsonl.zst": lambda path: path.write_bytes(zstd("\n".join(json.dumps(row) for row in as_objects()))),
    "unknown.zst": lambda path: path.write_bytes(zstd(json.dumps(as_objects()))),
    "a.feather": lambda path: pyarrow.feather.write_feather(arrow(), str(path)),
    "a.arrow": lambda path: write_ipc(path, pyarrow.ipc.new_file),
    "stream.ipc": lambda path: write_ipc(path, pyarrow.ipc.new_stream),
    "a.parquet": lambda path: pyarrow.parquet.write_table(arrow(), path),
    "a.xlsx": write_sheet,
    "a.xlsx::first": write_sheet,
    "a.ods": write_ods,
    "a.db": lambda path: write_sqlite(path).close(),
    "two.sqlite::b'c": lambda path: write_sqlite(path, ("a", "b'c")).close(),
    "wal.db": lambda path: write_sqlite(path, mode="wal").close(),
    "a.duckdb": write_duckdb,
    "b.duckdb::sales": write_duckdb,
}
FRAMES = {
    "pandas": lambda: pandas.DataFrame(LISTS),
    "pandas, converted": lambda: pandas.DataFrame(LISTS).convert_dtypes(),
    "polars": lambda: polars.DataFrame(LISTS),
    "pandas, some of it an index": lambda: pandas.DataFrame(LISTS).set_index(["name", "count"]),
    "pandas, an index that is a column too": lambda: pandas.DataFrame(LISTS).set_index("open", drop=False),
    "polars, a query": lambda: polars.LazyFrame(LISTS),
    "pyarrow": arrow,
    "pyarrow, batches": lambda: arrow().to_batches()[0],
    "pyarrow, a reader": lambda: arrow().to_reader(),
    "pyarrow, a data set": lambda: pyarrow.dataset.dataset(arrow()),
    "relation": lambda: connected().table("sales"),
    "connection": lambda: connected(),
    "lists": lambda: LISTS,
    "dicts": lambda: [dict(zip(NAMES, row, strict=True)) for row in ROWS],
    "arrays": arrays,
}


def snapshot(folder):
    return {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.iterdir() if path.is_file()}


@pytest.fixture(autouse=True)
def temporary(tmp_path_factory, monkeypatch):
    """What is put aside while reading is gone in the end."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


def check(source):
    with source:
        assert source.columns == tuple(map(Column, NAMES, KINDS))
        assert source.rows == len(ROWS)
        assert source.page(0, 10) == [tuple(row) for row in ROWS]
        assert source.page(2, 1) == [ROWS[2]]
        assert source.texts(NAMES[-1], 10) == ["x", "'; DROP TABLE data; --"]
        assert source.texts("name", 1) == ['Ann, "A"\nB']
        table = source.table()
        assert table.names == NAMES
        np.testing.assert_array_equal(table.column("price"), [2.5, math.nan, 1e20, -0.125])
        assert table.column("open").tolist() == ["true", "", "false", "true"]
        days = np.array(["2024-03-05", "NaT", "1999-12-31", "2024-03-05"], "M8[D]")
        np.testing.assert_array_equal(table.column("day"), days)
        np.testing.assert_array_equal(table.column("at")[:2], np.array(["2024-03-05T12:30", "NaT"], "M8[us]"))
        [(total,)] = source.connection.execute(f'SELECT sum(price) FROM {source.relation} WHERE "open"').fetchall()
        assert total == 2.375


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("limit", [books.STORED_LIMIT, 0], ids=["stored", "view"])
def test_a_table_is_the_same_from_every_kind_of_file(name, limit, tmp_path, monkeypatch):
    if limit == 0 and name in ("windows.csv", "wide.txt", "windows.gz"):
        pytest.skip("too large to be converted")
    monkeypatch.setattr(books, "STORED_LIMIT", limit)
    FILES[name](tmp_path / name.partition("::")[0])
    before = snapshot(tmp_path)
    check(open_source(tmp_path / name if limit else str(tmp_path / name)))
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("name", FRAMES)
def test_a_table_is_the_same_from_every_kind_of_frame(name):
    check(open_source(FRAMES[name]()))


def test_rows_that_lack_a_name_and_an_index_without_one():
    rows = [{"a": 1}, {"b": "x", "a": None}, {}]
    assert open_source(rows).page(0, 9) == [(1, None), (None, "x"), (None, None)]
    assert [column.name for column in open_source(pandas.DataFrame({"a": [1]}, index=["x"])).columns] == ["a"]


def test_a_reader_is_read_once():
    reader = arrow().to_reader()
    check(open_source(reader))
    with pytest.raises(NeuralProgrammerError, match="the reader has no rows, or they were read before; make a new"):
        open_source(reader)


def test_arrays_and_lists_of_many_kinds():
    with open_source(
        {
            "masked": np.ma.masked_array([1, 2], [0, 1]),
            "day": np.array(["2024-01-02", "NaT"], "M8[D]"),
            "bytes": np.array([b"x", b"\xff"]),
            "half": np.array([1.5, math.nan], np.float16),
            "mixed": [1, "x"],
            "decimal": [Decimal("1.5"), None],
            7: [np.int64(2**60), np.float64(1)],
        }
    ) as source:
        assert [column.kind for column in source.columns] == [
            "number", "date", "text", "number", "text", "number", "number",
        ]  # fmt: skip
        assert source.page(0, 2) == [
            (1, DAY(2024, 1, 2), "x", 1.5, "1", 1.5, 2**60),
            (None, None, "\\xff", None, "x", None, 1),
        ]


def test_a_table_comes_back_from_memory_as_it_was():
    table = Table(("a", "b"), (np.array([1, math.nan, math.inf]), np.array(["007", "", " none "])))
    with open_source(table) as source:
        assert source.columns == (Column("a", "number"), Column("b", "text"))
        assert source.page(0, 3) == [(1, "007"), (None, None), (math.inf, " none ")]
        back = source.table()
    np.testing.assert_array_equal(back.column("a"), table.column("a"))
    assert back.column("b").tolist() == table.column("b").tolist()


def test_frames_need_no_library_that_is_not_there():
    code = (
        "import sys; from neural_programmer.tables.source import open_source\n"
        "with open_source({'a': [1]}) as source: source.table(), source.page(0, 1)\n"
        "assert not {'pandas', 'polars', 'pyarrow', 'openpyxl', 'python_calamine', 'jax'} & set(sys.modules)\n"
        "import importlib.util; find = importlib.util.find_spec\n"
        "import polars; sys.modules['pyarrow'] = None\n"
        "with open_source(polars.DataFrame({'a': [1, None]})) as source: assert source.page(0, 2) == [(1,), (None,)]\n"
        "try: open_source(5)\n"
        "except Exception as error: sys.exit(str(error))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": "src"}
    )
    assert done.returncode == 1
    assert done.stderr.startswith("cannot read this int: a table is a path, a frame")
    assert done.stderr.count("\n") == 1


def read(cells):
    """The column of these texts, and its values."""
    with open_source({"a": cells}) as source:
        return source.columns[0], [row[0] for row in source.page(0, len(cells))]


NUMBERS = {
    ("1200", "-80.97", "+3", "1,200.50", "1e6", ".5", "0", "\u22127"): ("", [1200, -80.97, 3, 1200.5, 1e6, 0.5, 0, -7]),
    ("1999", "2024"): ("", [1999, 2024]),
    ("0", "1"): ("", [0, 1]),
    ("$5k", "$1.2M", "-$3", "$ 1,200", "$2 bn"): ("$", [5000, 1.2e6, -3, 1200, 2e9]),
    ("€3.50", "3 €", "1.1 M€"): ("€", [3.5, 3, 1.1e6]),
    ("12 %", "12%", "n/a"): ("%", [12, 12, None]),
    ("12 km", "1,300 km", "1.5 million km"): ("km", [12, 1300, 1.5e6]),
    ("5km", "6\u00a0km", " 7 km\t"): ("km", [5, 6, 7]),
    ("5 m", "6m"): ("m", [5, 6]),
    ("3B", "4 billion", "5"): ("", [3e9, 4e9, 5]),
    ("inf", "-Infinity", "NaN"): ("", [math.inf, -math.inf, None]),
    ("9007199254740993", "-1"): ("", [9007199254740993, -1]),
    tuple(["1"] * 1200 + ["$2"]): None,
    tuple(["1"] * 1200 + ["1,000"]): ("", [1.0] * 1200 + [1000]),
    tuple([""] * 1200 + ["7"]): ("", [None] * 1200 + [7]),
    ("007", "8"): None,
    ("01234",): None,
    ("(5)", "5"): None,
    ("12 km", "13 mi"): None,
    ("$5", "5"): None,
    ("$5", "€5"): None,
    ("3,50", "4"): ("", [3.5, 4]),
    ("1.234,56", "-0,5", "12"): ("", [1234.56, -0.5, 12]),
    ("1.234.567", "890"): ("", [1234567, 890]),
    ("1.234", "12,5"): ("", [1234, 12.5]),
    ("1 234,5 €", "7 €"): ("€", [1234.5, 7]),
    ("1 234.5", "12 345"): ("", [1234.5, 12345]),
    ("1\u00a0234,5 km", "2\u202f000 km", "3\u2009000 km"): ("km", [1234.5, 2000, 3000]),
    ("1'234.50", "2\u2019000"): ("", [1234.5, 2000]),
    ("1,5 Mio", "2 Mio"): ("Mio", [1.5, 2]),
    ("2,5k", "1k"): ("", [2500, 1000]),
    ("1,20,000", "5"): ("", [120000, 5]),
    tuple(["1"] * 1200 + ["2,5"]): ("", [1.0] * 1200 + [2.5]),
    ("1,5", "1.5"): None,
    ("1 23", "4"): None,
    ("612 345 678", "612 345 679"): None,
    ("1,2,3",): None,
    ("0 123",): None,
    ("12 am", "1 am"): None,
    ("5 May",): None,
    ("1e999",): None,
    ("1_000",): None,
    ("0x10",): None,
    ("--5",): None,
    ("12 Main Street",): None,
}


@pytest.mark.parametrize("cells", NUMBERS, ids=lambda cells: " ".join(cells[:3]))
def test_numbers(cells):
    column, values = read(list(cells))
    unit, expected = NUMBERS[cells] or (None, list(cells))
    assert column == (Column("a", "text") if unit is None else Column("a", "number", unit))
    assert values == expected


MARCH, MAY, JUNE = DAY(2024, 3, 5), DAY(2024, 5, 3), DAY(2024, 6, 30)
DATES = {
    ("2024-03-05", "2024-6-30", ""): [MARCH, JUNE, None],
    ("2024/03/05",): [MARCH],
    ("2024-03-05 00:00:00",): [MARCH],
    ("2024-03-05 12:30:00", "2024-03-05T01:02", "2024-06-30"): [
        MOMENT(2024, 3, 5, 12, 30),
        MOMENT(2024, 3, 5, 1, 2),
        MOMENT(2024, 6, 30),
    ],
    ("2024-03-05T12:30:00.25+02:00", "2024-03-05T12:30:00Z"): [
        MOMENT(2024, 3, 5, 10, 30, 0, 250000),
        MOMENT(2024, 3, 5, 12, 30),
    ],
    ("05.03.2024", "30.6.2024"): [MARCH, JUNE],
    ("05.03.2024 07:08",): [MOMENT(2024, 3, 5, 7, 8)],
    ("3/5/2024",): [MARCH],
    ("3/5/2024", "06/30/2024"): [MARCH, JUNE],
    ("3/5/2024", "30/06/2024"): [MAY, JUNE],
    tuple(["3/5/2024"] * 1200 + ["30/6/2024"]): [MAY] * 1200 + [JUNE],
    ("3/5/2024 1:30 PM", "3/5/2024 12:00 am"): [MOMENT(2024, 3, 5, 13, 30), MOMENT(2024, 3, 5)],
    ("March 5, 2024", "Jun. 30th 2024", "march 5, 2024"): [MARCH, JUNE, MARCH],
    ("5 Mar 2024", "30-June-2024", "5th March 2024"): [MARCH, JUNE, MARCH],
    ("5-Mar-24", "30 june 24", "3rd May 24"): [MARCH, JUNE, MAY],
    ("5-Mar-68", "5-Mar-69"): [DAY(2068, 3, 5), DAY(1969, 3, 5)],
    ("30-Feb-24",): None,
    ("5-Mar-24", "5-Mar-2024"): None,
    ("06/30/2024", "30/06/2024"): None,
    ("2024-02-30",): None,
    ("2/30/2024",): None,
    ("February 30, 2024",): None,
    ("2024-03-05", "soon"): None,
    ("3/5/24",): None,
    ("3/5/24", "6/30/24"): [MARCH, JUNE],
    ("30/6/24", "3/5/24"): None,
    ("3/5/24", "2/30/24"): None,
    ("24/3/13", "24/3/5"): None,
    ("12:30",): None,
    ("epoch", "infinity"): None,
}


@pytest.mark.parametrize("cells", DATES, ids=lambda cells: " ".join(cells[:3]))
def test_dates(cells):
    expected = DATES[cells]
    assert read(list(cells)) == (Column("a", "date" if expected else "text"), expected or list(cells))


def test_years_of_two_digits_are_told(tmp_path):
    (tmp_path / "a.csv").write_text("day,open\n28-May-15,28-May-2015\n2-Jul-16,2-Jul-2016\n")
    with open_source(tmp_path / "a.csv") as source:
        notes = [column.note for column in source.columns]
    assert notes == ["day: its years have two digits; 68 was taken for 2068, and 69 for 1969.", ""]


@pytest.mark.parametrize(
    ("cells", "kind", "expected"),
    [
        (["true", "FALSE", "NA"], "boolean", [True, False, None]),
        (["Yes", "no", "true"], "boolean", [True, False, True]),
        (["yes"], "boolean", [True]),
        (["t", "F", "t"], "boolean", [True, False, True]),
        (["t", "t"], "text", ["t", "t"]),
        (["t", "true"], "text", ["t", "true"]),
        (["y", "N", None], "boolean", [True, False, None]),
        (["Y", "Y"], "text", ["Y", "Y"]),
        (["y", "no"], "text", ["y", "no"]),
        (["", "NA", "n/a", "NULL", "None", "nan", "-", None, "  "], "text", [None] * 9),
        (["'; DROP TABLE data; --", '"', "\\", "%", "{}", "@cell"], "text", None),
        ([" Paris\n", "New\u00a0York"], "text", ["Paris", "New York"]),
    ],
)
def test_booleans_texts_and_missing_cells(cells, kind, expected):
    assert read(cells) == (Column("a", kind), expected or cells)


def test_native_columns(tmp_path):
    path = tmp_path / "native.parquet"
    native = {
        "big": [2**53 + 1, None, -1],
        "nan": [math.nan, math.inf, 1.5],
        "decimal": [Decimal("1.25"), None, Decimal("-3")],
        "list": [[1, 2], None, []],
        "moments": [[datetime.datetime(2024, 1, 1)], None, []],
        "struct": [{"x": 1}, None, {"x": None}],
        "text": ["$5", "$6", "n/a"],
        "zone": pyarrow.array([0, None, 3_600_000_000], pyarrow.timestamp("us", "Europe/Berlin")),
        "fine": pyarrow.array([0, None, 3_600_000_000_000], pyarrow.timestamp("ns", "Europe/Berlin")),
        "none": pyarrow.array([None, None, None], pyarrow.int32()),
        "small": pyarrow.array([1, 2, 3], pyarrow.uint8()),
        "word": pyarrow.array(["a", "NA", "a"]).dictionary_encode(),
    }
    pyarrow.parquet.write_table(pyarrow.table(native), path)
    with open_source(path) as source:
        kinds = {column.name: column.kind for column in source.columns}
        first, second, third = (dict(zip(kinds, row, strict=True)) for row in source.page(0, 3))
    assert [name for name in kinds if kinds[name] == "text"] == ["list", "moments", "struct", "word"]
    assert kinds["zone"] == kinds["fine"] == "date"
    assert first["big"] == 2**53 + 1
    assert (first["nan"], second["nan"], third["nan"]) == (None, math.inf, 1.5)
    assert (first["decimal"], first["list"], first["text"], first["small"]) == (1.25, "[1, 2]", 5, 1)
    assert third["zone"] == MOMENT(1970, 1, 1, 1)
    assert (first["word"], second["word"]) == ("a", "NA")  # which may be Namibia
    assert type(first["small"]) is float


ODD = st.sampled_from([None, "", "NA", "n/a", "None", "-", " x ", "x", "\u00a0", "$5", "12", "nan", "Yes", "no"])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(ODD, st.sampled_from([None, math.nan, 1.5])), min_size=1, max_size=6), st.sampled_from("wd"))
def test_a_file_with_types_is_the_same_copied_or_not(rows, form):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("a.parquet" if form == "w" else "a.duckdb")
        texts, numbers = zip(*rows, strict=True)
        table = pyarrow.table(
            {"text": pyarrow.array(texts, pyarrow.string()), "number": pyarrow.array(numbers, pyarrow.float64())}
        )
        if form == "w":
            pyarrow.parquet.write_table(table, path)
        else:
            with duckdb.connect(path) as connection:
                connection.register("frame", table)
                connection.execute("CREATE TABLE t AS SELECT * FROM frame")
        found = []
        for limit in (books.STORED_LIMIT, -1):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(books, "STORED_LIMIT", limit)
                with open_source(path) as source:
                    found.append((source.columns, source.page(0, 9)))
        assert found[0] == found[1]
        if found[0][0][0].kind == "text":
            assert [text for text, _ in found[0][1]] == [text or None for text in texts]


def grouped(number):
    return f"{number:,}"


WRITTEN = {  # how a number can be written, and the unit that stands beside it
    "plain": (str, ""),
    "signed": (lambda number: f"{number:+}", ""),
    "grouped": (grouped, ""),
    "exponent": (lambda number: f"{number:.6e}".replace("e", "E"), ""),
    "dollars": (lambda number: f"-${grouped(-number)}" if number < 0 else f"${grouped(number)}", "$"),
    "euros": (lambda number: f"{grouped(number)} €", "€"),
    "percent": (lambda number: f"{number}%", "%"),
    "distance": (lambda number: f"{number} km", "km"),
    "thousands": (lambda number: f"{number.scaleb(-3):f}k", ""),
    "millions": (lambda number: f"£{number.scaleb(-6):f}M", "£"),
}


@settings(max_examples=15, deadline=None)
@given(st.lists(st.decimals(-99999, 99999, places=1), min_size=1, max_size=8))
def test_a_number_is_read_as_it_was_meant(numbers):
    with open_source({name: [write(number) for number in numbers] for name, (write, _) in WRITTEN.items()}) as source:
        assert source.columns == tuple(Column(name, "number", unit) for name, (_, unit) in WRITTEN.items())
        assert source.page(0, len(numbers)) == [(float(number),) * len(WRITTEN) for number in numbers]


SIGNS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.text(SIGNS).map(str.strip).filter(bool), min_size=1, max_size=5, unique_by=str.lower),
    st.text(SIGNS)
    .filter(lambda text: text.strip() == text and len(text) > 4 and not any(map(str.isdigit, text)))
    .filter(lambda text: text.lower().lstrip("+-") not in ("infinity", "false")),
)
def test_names_and_texts_come_back(names, cell):
    with open_source({name: [cell] for name in names}) as source:
        assert [column.name for column in source.columns] == names
        assert source.page(0, 1) == [(cell.replace("\u00a0", " "),) * len(names)]
        assert source.texts(names[-1], 5) == [cell.replace("\u00a0", " ")]


def write_far(path):
    book = openpyxl.Workbook()
    book.active["A1"], book.active["XFD1048576"] = "a", 1
    book.save(path)


def write_bomb(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", bytes(20_000_000))


def write_leak(path):
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE VIEW leak AS SELECT * FROM read_text('/etc/hostname')")


def write_bad_name(path):
    pyarrow.parquet.write_table(arrow(), path)
    path.write_bytes(path.read_bytes().replace(b"price", b"pri\xff\xff"))


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01"
BAD = {
    "missing.csv": (None, "'.*missing.csv' does not exist; name a CSV"),
    "missing.db::t": (None, "'.*missing.db' does not exist"),
    "nul\0.csv": (None, "does not exist"),
    "run.sh": (b"#!/bin/sh\necho hello\n", "it is a script, and no table; name a file of rows"),
    "table.csv": (b"#!/usr/bin/env python\nprint(1)\n", "it is a script, and no table; name a file of rows"),
    "empty.csv": (b"", "it is empty, and a first row with the names of the columns was expected"),
    "blank.csv": (b"\n \n", "it is blank, and a first row"),
    "short.csv": (b"a,b,c\n1,2,3\n4,5\n6,7,8\n", "line 3 has 2 cells and the first row has 3"),
    "long.csv": (b"a,b\n1,2\n3,4,5\n", "line 3 has 3 cells and the first row has 2"),
    "late.csv": (b"a,b\n" + b"1,2\n" * 30_000 + b"3\n", "line 30002 has 1 cells"),
    "quote.csv": (b'a,b\n"1,2\n3,4\n', "a quote on line 2 is not closed"),
    "row.csv": (b"a,b\n1," + b"x" * 3_000_000, "a row of it has more than two million bytes"),
    "ends.csv": (b"a,b\r\n1,2\n3,4\r\n", "its line ends differ"),
    "twice.csv": (b"a,b,A\n1,2,3\n", "column name 'A' or 'a' stands twice"),
    "same.csv": (b"a,a\n1,2\n", "column name 'a' stands twice"),
    "nameless.csv": (b"a,,c\n1,2,3\n", "column 2 of 3 has no name"),
    "unnamed.csv": (b" ,,\n1,2,3\n", "at least one column with a name"),
    "encoding.csv": (b"a\n\x81\x8d\n", "neither in UTF-8 nor in Windows-1252"),
    "image.csv": (PNG, "it is neither text nor of a kind of file known here"),
    "program.csv": (b"\x7fELF\x02\x01\x01\0\0\0", "it is neither text nor of a kind"),
    "image": (PNG, "it is neither text nor of a kind"),
    "cut.csv.gz": (gzip.compress(b"a,b\n" * 9999)[:-9], "ended before the end-of-stream"),
    "many.csv": (",".join(f"c{i}" for i in range(5000)).encode(), "1000 columns at most, and this one has 5000"),
    "table.csv::t": (b"a\n1\n", "it holds one table only; leave out ::t"),
    "a.parquet": (b"a,b\n1,2\n", "it is no parquet file inside"),
    "b.parquet": (b"PAR1" + bytes(100) + b"PAR1", "mend it or save it again"),
    "c.parquet": (write_bad_name, "mend it"),
    "a.xlsx": (b"a,b\n1,2\n", "it is no xlsx file inside"),
    "b.xlsx": (b"PK\x03\x04" + bytes(200), "it is not a workbook"),
    "b.xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "it is not a workbook"),
    "c.xlsx::third": (write_sheet, "unknown sheet 'third'; choose one of: first, second"),
    "far.xlsx": (write_far, "take [0-9,]+ megabytes, and 2,000 are allowed; delete what stands far from the table"),
    "bomb.xlsx": (write_bomb, "it unpacks to more than 10,000,000 bytes"),
    "a.db": (b"SQLite format 3\0" + bytes(50), "file is not a database|malformed|file is encrypted"),
    "longer.csv": (b"name,price\n" + 40_000_000 * b"x" + b",5\n", "a row of it has more than two million bytes"),
    "cut.db": (write_cut, "the database ends too soon, so the file may be cut off"),
    "two.db": (
        lambda path: write_sqlite(path, ("a", "b")).close(),
        "it holds 2 tables; name one, as in two.db::a: a, b",
    ),
    "none.db": (lambda path: write_sqlite(path, (), "wal").close(), "it holds no table"),
    "b.db::x": (lambda path: write_sqlite(path, ("a", "b")).close(), "unknown table 'x'; choose one of: a, b"),
    "a.duckdb": (bytes(8) + b"DUCK" + bytes(5000), "mend it or save it again"),
    "b.duckdb::x": (write_duckdb, "unknown table 'x'; choose one of: sales"),
    "leak.duckdb": (write_leak, "file system operations are disabled"),
    "a.feather": (b"a,b\n1,2\n", "it is no feather file inside"),
    "b.arrow": (b"ARROW1\0\0" + bytes(100), "it is no Arrow file, or a damaged one"),
    "c.arrow": (b"\xff\xff\xff\xff" + bytes(100), "it is no Arrow file, or a damaged one"),
    "cut.csv.zst": (zstd("".join(f"{i}\n" for i in range(200_000)))[:-99], "it ends too soon, so the file may be cut"),
    "more.csv.zst": (zstd("a\n1\n") + b"and more", "it ends too soon"),
    "bytes.csv.zst": (zstd("a\n\x81\x8d\n", "latin-1"), "it is not UTF-8, which a file that is large or packed"),
    "late.csv.zst": (zstd("a\n" + "b\n" * 500_000 + "\xe9\n", "latin-1"), "it is not UTF-8, which a file"),
    "row.csv.zst": (zstd("a,b\n1," + "x" * 3_000_000), "a row of it has more than two million bytes"),
    "large.csv.zst": (zstd("a,b\n" + "1,2\n" * 3_000_000), "it unpacks to more than 10,000,000 bytes"),
    "numbers.json": (b"[1, 2]", "row 1 is none"),
    "mixed.jsonl": (b'{"a": 1}\n[2]\n', "row 2 is none"),
    "cut.json": (b'[{"a": 1},', "the JSON array is not closed"),
    "cut.jsonl": (b'{"a": 1}\n{"a":\n', "line 2 is not JSON"),
    "twice.json": (b'[{"a": 1, "A": 2}]', "stands twice"),
    "none.json": (b"[]", "at least one column"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_refused_in_one_sentence(name, tmp_path):
    content, expected = BAD[name]
    path = tmp_path / name.partition("::")[0]
    if content is not None:
        path.write_bytes(content) if isinstance(content, bytes) else content(path)
    before = snapshot(tmp_path) if content is not None else {}
    start = time.process_time()
    with pytest.raises(NeuralProgrammerError, match=expected) as refused:
        open_source(str(tmp_path / name), limits=Limits(unpacked=10_000_000))
    assert time.process_time() - start < 10
    assert "\n" not in str(refused.value)
    assert refused.value.__suppress_context__ or refused.value.__context__ is None
    assert content is None or snapshot(tmp_path) == before


def several_tables():
    connection = duckdb.connect()
    connection.execute("CREATE TABLE a AS SELECT 1 AS x; CREATE VIEW b AS FROM a")
    return connection


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        ({}, "at least one column"),
        ({"a": [1], "b": [1, 2]}, r"the same number of rows, not \[1, 2\]"),
        ({"a": [1], "A": [2]}, "stands twice"),
        ({"a": 5}, "a column is a list or an array, not int"),
        ({"a": "text"}, "not str"),
        ({"a": np.zeros((2, 2))}, "one dimension"),
        ({"a": ["\ud800"]}, "not Unicode|surrogate"),
        (pandas.DataFrame([[1, 2]], columns=["a", "a"]), "stands twice"),
        (pandas.Series([1]), "at least one column"),
        (pyarrow.table([[1], [2]], names=["a", "a"]), "stands twice"),
        (
            polars.LazyFrame({"a": [1]}).select("b"),
            r"the query fails \(ColumnNotFoundError: .*; mend it",
        ),
        ([], "the list has no rows"),
        ([{"a": 1}, 2], "a list of rows has a dict for each, and row 2 is int"),
        ([{}], "at least one column"),
        ([{"a": 1, "A": 2}], "stands twice"),
        (duckdb.connect(), "the connection holds no table; give one"),
        (several_tables(), r"the connection holds 2 tables, a, b; give one of them, as connection.table\('a'\)"),
        (
            pandas.DataFrame([[1]], columns=["a"], index=pandas.MultiIndex.from_tuples([(1, 2)], names=["b", "B"])),
            "twice",
        ),
        (None, "a table is a path, a frame .*, not builtins.NoneType"),
    ],
)
def test_bad_frames_are_refused_in_one_sentence(frame, expected):
    with pytest.raises(NeuralProgrammerError, match=expected):
        open_source(frame)


def test_what_is_no_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NeuralProgrammerError, match="is a pipe or a device, not a file; name a CSV"):
        open_source(tmp_path / "pipe")
    with pytest.raises(NeuralProgrammerError, match="holds no files; name a CSV"):
        open_source(tmp_path)


@pytest.mark.parametrize(
    ("content", "names", "rows"),
    [
        ("a,b\n", ("a", "b"), []),
        ("a", ("a",), []),
        ("\n\na;b\n1;2,5\n", ("a", "b"), [(1, 2.5)]),
        (",b\n0,x\n", ("index", "b"), [(0, "x")]),
        (",Index\n0,x\n", ("row", "Index"), [(0, "x")]),
        (" a , b \n1,2\n", ("a", "b"), [(1, 2)]),
        ('a,b\n5" tall,"x\ny"\n', ("a", "b"), [('5" tall', "x\ny")]),
        ("a,b\n#1,2\n,\n", ("a", "b"), [("#1", 2), (None, None)]),
        ("note\nhello, world\nbye\n", ("note",), [("hello, world",), ("bye",)]),
        ("a\r1\r2", ("a",), [(1,), (2,)]),
        ("a,b\n" + "x,1\n" * 25_000 + '"x, y",2\n', ("a", "b"), [("x", 1)]),
    ],
)
def test_csv(content, names, rows, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(content, newline="")
    with open_source(path) as source:
        assert tuple(column.name for column in source.columns) == names
        assert source.page(0, max(len(rows), 1)) == rows


def test_paths(tmp_path, monkeypatch):
    (tmp_path / "a::b.csv").write_text("a\n1\n")
    (tmp_path / "link.csv").symlink_to("a::b.csv")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for path in ("a::b.csv", "link.csv", "./link.csv", "~/link.csv"):
        with open_source(path) as source:
            assert (source.name, source.page(0, 1)) == (path, [(1,)])


@pytest.mark.parametrize("name", ["a[1].csv", "a*.csv", "?1.csv", "year=2024/a.csv", "{a1,b}.csv"])
def test_a_path_is_no_pattern(name, tmp_path):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / "a1.csv").write_text("a\nwrong\n")
    (tmp_path / name).write_text("a\nright\n")
    with open_source(tmp_path / name) as source:
        assert source.columns == (Column("a", "text"),)
        assert source.page(0, 9) == [("right",)]


def test_json_columns_come_in_the_order_they_come_up(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"x/y": 1}\n{"~": [1], "x/y": "1e2"}\n{"$.a": true, "0": {"b": null}}\n')
    with open_source(path) as source:
        assert [column.name for column in source.columns] == ["x/y", "~", "$.a", "0"]
        assert source.page(0, 3) == [(1, None, None, None), (100, "[1]", None, None), (None, None, True, '{"b":null}')]


def test_a_database_that_is_written_to_is_read_and_left_alone(tmp_path):
    write_sqlite(tmp_path / "a.db", ("sales",), "wal").close()
    code = (
        f"import sqlite3; writer = sqlite3.connect({str(tmp_path / 'a.db')!r}, isolation_level=None)\n"
        "writer.execute('INSERT INTO sales (count) VALUES (77)'); print(flush=True); input()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        assert writer.stdout
        assert writer.stdout.readline()
        before = snapshot(tmp_path)
        assert before["a.db-wal"][1]
        with open_source(tmp_path / "a.db") as source:
            assert source.page(4, 1)[0][1] == 77
        assert snapshot(tmp_path) == before
        writer.communicate(b"\n")


def test_locked_databases_are_refused(tmp_path):
    writer = write_sqlite(tmp_path / "a.db")
    writer.execute("BEGIN EXCLUSIVE")
    with pytest.raises(NeuralProgrammerError, match="locked; try again when the other program is done"):
        open_source(tmp_path / "a.db")
    writer.close()
    write_duckdb(tmp_path / "a.duckdb")
    code = f"import duckdb; held = duckdb.connect({str(tmp_path / 'a.duckdb')!r}); print('held', flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdout.readline()
        with pytest.raises(NeuralProgrammerError, match="another program has it open for writing"):
            open_source(tmp_path / "a.duckdb")
        holder.communicate(b"\n")


@pytest.mark.parametrize("limit", [books.STORED_LIMIT, 0], ids=["stored", "view"])
def test_the_connection_reaches_nothing_else(limit, tmp_path, monkeypatch):
    monkeypatch.setattr(books, "STORED_LIMIT", limit)
    (tmp_path / "a.csv").write_text("a\n1\n")
    (tmp_path / "b.csv").write_text("b\n2\n")
    before = snapshot(tmp_path)
    with open_source(tmp_path / "a.csv") as source:
        for sql in (
            f"SELECT * FROM '{tmp_path}/b.csv'",
            "SELECT * FROM read_text('/etc/hostname')",
            f"COPY data TO '{tmp_path}/c.csv'",
            f"COPY data TO '{tmp_path}/a.csv'",
            f"ATTACH '{tmp_path}/d.duckdb'",
            "INSTALL httpfs",
            "LOAD httpfs",
            "SET enable_external_access = true",
            "SET memory_limit = '1TB'",
        ):
            with pytest.raises(duckdb.Error):
                source.connection.execute(sql)
    assert snapshot(tmp_path) == before


def test_a_file_that_changes_is_told_of(tmp_path, monkeypatch):
    monkeypatch.setattr(books, "STORED_LIMIT", 0)
    (tmp_path / "a.csv").write_text("a\n1\n")
    with open_source(tmp_path / "a.csv") as source:
        (tmp_path / "a.csv").unlink()
        with pytest.raises(NeuralProgrammerError, match=r"cannot read .*a\.csv"):
            source.page(0, 1)


def test_what_a_source_refuses(monkeypatch):
    with open_source({"a": ["x"], "b": [1]}) as source:
        with pytest.raises(NeuralProgrammerError, match="unknown column 'c'; choose one of: a, b"):
            source.texts("c", 1)
        with pytest.raises(NeuralProgrammerError, match="column 'b' holds numbers, not text"):
            source.texts("b", 1)
        monkeypatch.setattr("neural_programmer.tables.source.TABLE_BYTES", 1)
        with pytest.raises(NeuralProgrammerError, match="too large for memory: its texts need"):
            source.table()
        monkeypatch.setattr("neural_programmer.tables.source.TABLE_CELLS", 1)
        with pytest.raises(NeuralProgrammerError, match="too large for memory with 1 rows of 2 columns"):
            source.table()
    source.close()


def test_a_small_file_opens_fast(tmp_path):
    path = tmp_path / "a.csv"
    rows = [f"{i},name {i},{i / 7:.3f},${i},2024-03-{i % 28 + 1:02},{i % 2 == 0},{i}%,text" for i in range(100)]
    path.write_text("\n".join(["a,b,c,d,e,f,g,h", *rows]))
    taken = []
    for _ in range(5):
        start = time.process_time()
        open_source(path).close()
        taken.append(time.process_time() - start)
    assert min(taken) < 0.15


def test_a_parquet_file_that_is_not_copied(tmp_path, monkeypatch):
    """Its columns are taken as they are; an empty text and NaN are missing; its rows are numbered."""
    monkeypatch.setattr(books, "PARQUET_LIMIT", 0)
    path = tmp_path / "a.parquet"
    columns = {
        "row": ["x", "", None],
        "rowid": ["NA", " y ", "z"],
        "number": [math.nan, 1.5, None],
        "whole": [2**60 + 1, 2, None],
        "at": [MOMENT(2024, 1, 1), MOMENT(2024, 1, 2), None],
        "money": ["$5", "$6", "n/a"],
    }
    for more in ({}, {"File_Row_Number": [7, 8, 9]}):
        pyarrow.parquet.write_table(pyarrow.table(columns | more), path)
        with open_source(path) as source:
            assert [column.kind for column in source.columns[:6]] == [
                "text",
                "text",
                "number",
                "number",
                "date",
                "number",
            ]
            assert [row[:4] for row in source.page(0, 3)] == [
                ("x", "NA", None, 2**60 + 1), (None, " y ", 1.5, 2), (None, "z", None, None),
            ]  # fmt: skip
            assert [row[5] for row in source.page(0, 3)] == [5, 6, None]
            assert source.row == "row_"
            assert source.fetched(f"SELECT r FROM {source.placed(numbered=True)} WHERE c3 = 2") == [(1,)]
            assert source.seekable == (not more)
            assert source.table().column("at").tolist()[0] == MOMENT(2024, 1, 1)


def test_what_is_closed_while_another_thread_asks_it_is_let_go(tmp_path):
    """At the end of a program it was a traceback."""
    (tmp_path / "a.csv").write_text("a\n1\n")
    opened, began, ended = open_source(tmp_path / "a.csv"), threading.Event(), threading.Event()

    def wait(number: int) -> int:
        began.set()
        ended.wait(30)
        return number

    opened.connection.create_function("wait", wait)
    asking = threading.Thread(target=opened.fetched, args=["SELECT wait(a::INTEGER) FROM range(1) AS t(a)"])
    asking.start()
    assert began.wait(30)
    opened.close()
    assert not opened.folder.exists()
    ended.set()
    asking.join(30)
