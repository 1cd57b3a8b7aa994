"""Somebody else's DuckDB file is read in a process with limits, which tells nothing of where it is."""

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

import hostile_databases as hostile
from neural_programmer.base.limits import Limits
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tables import books, copying
from neural_programmer.tables.copying import MODULE
from neural_programmer.tables.reading import parts
from neural_programmer.tables.source import open_source


@pytest.fixture
def limits(tmp_path):
    (tmp_path / "kept").mkdir()
    return Limits(megabytes=300, rows=1_000, seconds=30, folder=tmp_path / "kept", foreign=True)


def test_views_that_cannot_be_planned_take_little_and_are_not_offered(tmp_path, limits):
    hostile.write_nested(tmp_path / "a.duckdb")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    offered = parts(tmp_path / "a.duckdb", tmp_path, limits)
    assert offered[:4] == ["small", "fine", "v0", "v1"]
    assert "v8" not in offered
    for name, rows in (("small", 10), ("fine", 10), ("v1", 80)):
        with open_source(f"{tmp_path}/a.duckdb::{name}", "a.duckdb", limits) as source:
            assert source.rows == rows
    with pytest.raises(NeuralProgrammerError, match=r"^cannot read a\.duckdb: it takes (more memory|longer than) "):
        open_source(f"{tmp_path}/a.duckdb::v8", "a.duckdb", limits)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kilobytes, of this process
    assert list(limits.folder.iterdir()) == []


def test_of_ones_own_file_a_view_that_cannot_be_planned_is_refused(tmp_path, monkeypatch):
    """DuckDB would take ten gigabytes for it, whatever the limits."""
    hostile.write_nested(tmp_path / "a.duckdb")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with open_source(f"{tmp_path}/a.duckdb::fine") as source:
        assert source.rows == 10
    for limits in (Limits(seconds=0.5), Limits(megabytes=50)):
        monkeypatch.setattr(books, "PLANNING", 5.0)
        with pytest.raises(NeuralProgrammerError, match=r"takes (more memory|longer than \S+ seconds)"):
            open_source(f"{tmp_path}/a.duckdb::v8", limits=limits)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kilobytes, of this process


def test_views_do_not_tell_where_things_are(tmp_path, limits):
    hostile.write_telling(tmp_path / "a.duckdb")
    shown = 0
    for name in parts(tmp_path / "a.duckdb", tmp_path, limits):
        try:
            with open_source(f"{tmp_path}/a.duckdb::{name}", "a.duckdb", limits) as source:
                told = str(source.page(0, 1_000))
        except NeuralProgrammerError as error:
            told = str(error)
        else:
            shown += 1
        for secret in (str(tmp_path), str(limits.folder), str(Path.home()), os.getcwd(), "root:"):
            assert secret not in told
    assert shown > len(hostile.TELLING) / 2


def fail(*paths):
    raise OSError(28, "No space left on device", *map(str, paths[:1]))


def test_no_view_tells_where_a_file_is_that_cannot_be_linked(tmp_path, monkeypatch):
    with duckdb.connect(tmp_path / "a.duckdb") as database:
        database.execute("CREATE VIEW telling AS SELECT path FROM duckdb_databases()")
    folder = tmp_path / "kept"
    folder.mkdir()
    (folder / "link").touch()  # of a process that was ended

    def told():
        list(copying.contents(tmp_path / "a.duckdb", "telling", folder, None, None))
        with duckdb.connect(copying.place_of_copy(folder)) as copy:
            found = str(copy.table(copying.COPIED).fetchall())
        copying.place_of_copy(folder).unlink()
        assert os.listdir(folder) == ["link"]
        return found

    assert "/fd/" in (first := told())
    assert str(tmp_path) not in first
    monkeypatch.setattr(os, "link", fail)
    assert "/fd/" in (second := told())
    assert str(tmp_path) not in second
    monkeypatch.setattr(shutil, "copyfile", fail)
    with pytest.raises(NeuralProgrammerError, match=r"^no copy of it can be made \(No space left on device\)"):
        told()
    monkeypatch.setattr(copying, "DESCRIPTORS", "/nowhere")
    with pytest.raises(NeuralProgrammerError, match="cannot be read here without telling where they are"):
        told()


def test_a_view_that_sleeps_ends_in_time(tmp_path, limits):
    hostile.write_sleeping(tmp_path / "a.duckdb")
    start = time.monotonic()
    with pytest.raises(NeuralProgrammerError, match=r"it takes longer than 0\.5 seconds to read"):
        open_source(tmp_path / "a.duckdb", "a.duckdb", replace(limits, seconds=0.5))
    assert time.monotonic() - start < 20


def test_a_copy_holds_what_the_file_holds(tmp_path, limits):
    made = (
        "SELECT 'a'::mood AS m, 2::HUGEINT AS h, 'NA' AS n, {'a': 1} AS s, [1, 2] AS l, 1.5::DECIMAL(30, 3) AS d,"
        " DATE '2020-01-02' AS day, TIMESTAMPTZ '2020-01-02 10:00+02' AS moment, true AS b, NULL::DOUBLE AS f,"
        " 9007199254740993 AS big, 'x'::BLOB AS x, '{\"k\": 1}'::JSON AS j, INTERVAL 3 DAYS AS i, '' AS empty"
    )
    with duckdb.connect(tmp_path / "a.duckdb") as database:
        database.execute("CREATE TYPE mood AS ENUM ('a', 'b')")
        database.execute('CREATE SCHEMA other; CREATE TABLE "odd "" name" AS SELECT 1 AS a')
        database.execute(f"CREATE TABLE other.t AS {made}")
    assert sorted(parts(tmp_path / "a.duckdb", tmp_path, limits)) == ['odd " name', "other.t"]
    name = f"{tmp_path}/a.duckdb::other.t"
    with open_source(name) as own, open_source(name, limits=limits) as copy:
        assert copy.columns == own.columns
        assert copy.page(0, 10) == own.page(0, 10)
        assert (copy.part, copy.dialect, copy.text_columns) == (own.part, own.dialect, own.text_columns)
    with open_source(f'{tmp_path}/a.duckdb::odd " name', limits=limits) as copy:
        assert copy.page(0, 10) == [(1,)]


def test_a_damaged_file_is_refused_in_a_sentence(tmp_path, limits):
    (tmp_path / "a.duckdb").write_bytes(bytes(8) + b"DUCK" + bytes(5_000))
    for read in (lambda: parts(tmp_path / "a.duckdb", tmp_path, limits), lambda: open_source(tmp_path / "a.duckdb")):
        with pytest.raises((NeuralProgrammerError, duckdb.Error)) as error:
            read()
        assert str(tmp_path / "kept") not in str(error.value)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked up in /proc")
def test_it_ends_with_whoever_started_it(tmp_path):
    hostile.write_sleeping(tmp_path / "a.duckdb")
    given = {"path": f"{tmp_path}/a.duckdb", "part": "slow", "folder": str(tmp_path), "rows": None, "megabytes": None}
    asked = [sys.executable, "-m", MODULE, json.dumps(given)]
    starting = f"import subprocess, sys; p = subprocess.Popen({asked!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)"
    starting += "; p.stdout.readline(); print(p.pid, flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", starting], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        reader = Path("/proc", parent.stdout.readline().strip())
        assert reader.exists()
        parent.kill()
    for _ in range(1_000):
        if not reader.exists() or "\nState:\tZ" in (reader / "status").read_text():
            return
        time.sleep(0.02)
    raise AssertionError("it goes on although nobody reads it")
