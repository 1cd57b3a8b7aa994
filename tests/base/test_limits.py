"""What a table may take where it is not its owner who opens it: rows, time, memory, what it unpacks to."""

import contextlib
import gzip
import io
import sqlite3
import struct
import time
import zipfile

import duckdb
import pytest

from neural_programmer.base.limits import Limits, check_time, within
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tables.containers import batches
from neural_programmer.tables.reading import parts
from neural_programmer.tables.source import open_source


def refused(path, limits: Limits) -> str:
    before = set(limits.folder.iterdir()) if limits.folder else set()
    with pytest.raises(NeuralProgrammerError) as error:
        open_source(path, "name.x", limits)
    assert "\n" not in str(error.value)
    assert str(error.value).startswith(("cannot read name.x: ", "name.x takes longer"))
    assert not limits.folder or set(limits.folder.iterdir()) == before
    return str(error.value)


def test_rows(tmp_path):
    (tmp_path / "a.csv").write_text("a\n" + "1\n" * 11)
    assert "it has 11 rows, and 10 are allowed here" in refused(tmp_path / "a.csv", Limits(rows=10, folder=tmp_path))
    assert open_source(tmp_path / "a.csv", limits=Limits(rows=11)).rows == 11


def test_a_workbook_that_says_less_than_it_unpacks_to(tmp_path):
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 3_000_000)
    lying = kept.getvalue().replace(struct.pack("<I", 3_000_000), struct.pack("<I", 300))
    (tmp_path / "a.xlsx").write_bytes(lying)
    limits = Limits(unpacked=1_000_000)
    assert "it unpacks to more than 1,000,000 bytes" in refused(tmp_path / "a.xlsx", limits)
    with pytest.raises(NeuralProgrammerError, match="it unpacks to more than"):
        parts(tmp_path / "a.xlsx", tmp_path, limits)


def test_a_packed_text_that_unpacks_to_much(tmp_path):
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"a\n" + b"1\n" * 1_000_000))
    assert "it unpacks to more than 1,000,000 bytes" in refused(tmp_path / "a.csv.gz", Limits(unpacked=1_000_000))
    assert open_source(tmp_path / "a.csv.gz", limits=Limits(unpacked=3_000_000)).rows == 1_000_000


def test_a_view_without_an_end(tmp_path):
    with contextlib.closing(sqlite3.connect(tmp_path / "a.db")) as database, database:
        numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        database.execute(f"CREATE VIEW many AS {numbers} SELECT i FROM n")
        database.execute(f"CREATE VIEW never AS {numbers} SELECT sum(i) AS s FROM n")
    database.close()
    assert "it has 101 rows, and 100 are allowed" in refused(f"{tmp_path}/a.db::many", Limits(rows=100, seconds=5))
    start = time.monotonic()
    assert "it takes longer than 0.2 seconds to read" in refused(f"{tmp_path}/a.db::never", Limits(seconds=0.2))
    assert time.monotonic() - start < 10


def test_a_view_with_huge_cells(tmp_path):
    """However it makes them: in one cell, in one row, or in rows that are sorted."""
    large = ", ".join(f"randomblob(1900000) AS c{place}" for place in range(300))
    with contextlib.closing(sqlite3.connect(tmp_path / "a.db")) as database, database:
        numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 500)"
        database.execute("CREATE VIEW cell AS SELECT hex(zeroblob(200000000)) AS a")
        database.execute(f"CREATE VIEW row AS SELECT {large}")
        database.execute(f"CREATE VIEW rows AS {numbers} SELECT hex(randomblob(400000)) AS a FROM n ORDER BY a")
    database.close()
    limits = Limits(megabytes=50, rows=1_000, seconds=30, folder=tmp_path)
    assert "a row of it has more than 2,000,000 bytes; shorten it" in refused(f"{tmp_path}/a.db::cell", limits)
    for view in ("row", "rows"):
        assert "it takes more memory than is allowed here" in refused(f"{tmp_path}/a.db::{view}", limits)


def test_a_workbook_whose_cells_repeat_one_long_text(tmp_path):
    """It unpacks to little, and every cell is a copy."""
    main, of = "http://schemas.openxmlformats.org/spreadsheetml/2006/main", "http://schemas.openxmlformats.org/"
    cells = "".join(f'<row r="{row}"><c r="A{row}" t="s"><v>0</v></c></row>' for row in range(1, 20_001))
    package = f'<Relationships xmlns="{of}package/2006/relationships"><Relationship Id="r1"'
    package += f' Type="{of}officeDocument/2006/relationships/{{}}" Target="{{}}"/></Relationships>'
    files = {
        "_rels/.rels": package.format("officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{of}officeDocument/2006/relationships">'
        '<sheets><sheet name="Sheet" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": package.format("worksheet", "worksheets/sheet1.xml"),
        "xl/sharedStrings.xml": f'<sst xmlns="{main}"><si><t>{"x" * 32_000}</t></si></sst>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{cells}</sheetData></worksheet>',
    }
    with zipfile.ZipFile(tmp_path / "a.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    limits = Limits(megabytes=50, unpacked=10_000_000, seconds=30, folder=tmp_path)
    assert parts(tmp_path / "a.xlsx", tmp_path, limits) == ["Sheet"]
    assert "it takes more memory than is allowed here" in refused(tmp_path / "a.xlsx", limits)


def test_rows_are_taken_in_small_batches():
    rows = [("x" * 1_000_000, None, 5)] * 13
    assert [len(batch) for batch in batches(iter(rows))] == [6, 6, 1]
    assert [len(batch) for batch in batches(iter([(1, "x")] * 25_000))] == [10_000, 10_000, 5_000]


def test_time(tmp_path):
    with duckdb.connect(str(tmp_path / "a.duckdb")) as database:
        database.execute("CREATE VIEW long AS SELECT a.range AS a FROM range(10000000) a, range(10000000) b")
    assert "takes longer than 0.2 seconds to read" in refused(tmp_path / "a.duckdb", Limits(seconds=0.2))


def test_memory(tmp_path):
    (tmp_path / "a.csv").write_text("a\n1\n")
    with (
        open_source(tmp_path / "a.csv", "name.x", Limits(megabytes=50, folder=tmp_path)) as source,
        pytest.raises(NeuralProgrammerError, match=r"cannot read name\.x: that takes more memory than is allowed; ask"),
    ):
        source.fetched("SELECT len(list(md5(range::VARCHAR))) FROM range(20000000)")


def test_parts_of_files(tmp_path):
    with contextlib.closing(sqlite3.connect(tmp_path / "a.db")) as database, database:
        database.execute("CREATE TABLE b (x)")
        database.execute("CREATE TABLE a (x)")
    database.close()
    with duckdb.connect(str(tmp_path / "a.duckdb")) as other:
        other.execute("CREATE TABLE c (x INTEGER)")
    (tmp_path / "a.csv").write_text("a\n")
    assert parts(tmp_path / "a.db", tmp_path) == ["b", "a"]
    assert parts(tmp_path / "a.duckdb", tmp_path) == ["c"]
    assert parts(tmp_path / "a.csv", tmp_path) == []


def test_interrupts_stop_with_what_they_limit():
    with duckdb.connect() as connection:
        with within(0.01, connection):
            time.sleep(0.05)
        assert connection.execute("SELECT 1").fetchall() == [(1,)]


def test_a_connection_that_was_closed_is_left_alone():
    """What a thread raises is an error in tests."""
    connection = duckdb.connect()
    with within(0.01, connection):
        connection.close()
        time.sleep(0.1)


def test_what_is_done_without_a_connection_looks_at_the_time_itself():
    check_time()
    with duckdb.connect() as connection:
        with within(0, connection), pytest.raises(duckdb.InterruptException), within(100, connection):
            check_time()  # what is within has no more time than what is around it
        with within(100, connection):
            with pytest.raises(duckdb.InterruptException), within(0, connection):
                check_time()
            check_time()
    check_time()
