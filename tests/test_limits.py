"""What a table may take where it is not its owner who opens it: rows, time, memory, what it unpacks to."""

import gzip
import io
import sqlite3
import struct
import time
import zipfile

import duckdb
import pytest

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.limits import Limits, within
from neural_programmer.reading import parts
from neural_programmer.source import open_source


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
    with sqlite3.connect(tmp_path / "a.db") as database:
        numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        database.execute(f"CREATE VIEW many AS {numbers} SELECT i FROM n")
        database.execute(f"CREATE VIEW never AS {numbers} SELECT sum(i) AS s FROM n")
    database.close()
    assert "it has 101 rows, and 100 are allowed" in refused(f"{tmp_path}/a.db::many", Limits(rows=100, seconds=5))
    start = time.monotonic()
    assert "it takes too long" in refused(f"{tmp_path}/a.db::never", Limits(seconds=0.2))
    assert time.monotonic() - start < 10


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
    with sqlite3.connect(tmp_path / "a.db") as database:
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
