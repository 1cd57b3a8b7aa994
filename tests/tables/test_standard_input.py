"""The standard input as a table: of every kind, copied once within bounds, and nothing is left of it."""

import contextlib
import io
import json
import os
import pty
import sqlite3
import subprocess
import sys
import tempfile

import openpyxl
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest

from neural_programmer.answering import asking, model
from neural_programmer.cli import main
from neural_programmer.errors import NeuralProgrammerError, NoRoomError
from neural_programmer.programs.program import Step
from neural_programmer.tables import standard_input
from neural_programmer.tables.source import open_source
from queries import Fake

TOTAL = Fake({"total": (Step("sum", "price"),)})
SALES = "city,price\nOslo,3\nBergen,5\n"


@pytest.fixture(autouse=True)
def temporary(tmp_path_factory, monkeypatch):
    """What is put aside is gone in the end."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setattr(model, "load_shipped", lambda name="ask": TOTAL, raising=False)
    yield folder
    standard_input.forget()
    asking.DESK.clear()
    assert list(folder.iterdir()) == []


@pytest.fixture
def given(monkeypatch):
    """Give the standard input some bytes."""

    def give(content):
        content = content.encode() if isinstance(content, str) else content
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    return give


def written(write):
    into = io.BytesIO()
    write(into)
    return into.getvalue()


def book(into):
    made = openpyxl.Workbook()
    for row in (("city", "price"), ("Oslo", 3), ("Bergen", 5)):
        made.active.append(row)
    made.save(into)


FRAME = pyarrow.table({"city": ["Oslo", "Bergen"], "price": [3, 5]})
KINDS = {
    "csv": SALES,
    "tsv": SALES.replace(",", "\t"),
    "windows": SALES.replace("Bergen", "Tromsø").encode("cp1252"),
    "gzip": pyarrow.Codec("gzip").compress(SALES.encode(), asbytes=True),
    "zstd": pyarrow.Codec("zstd").compress(SALES.encode(), asbytes=True),
    "json": '[{"city": "Oslo", "price": 3}, {"city": "Bergen", "price": 5}]',
    "jsonl": '{"city": "Oslo", "price": 3}\n{"city": "Bergen", "price": 5}\n',
    "parquet": written(lambda into: pyarrow.parquet.write_table(FRAME, into)),
    "feather": written(lambda into: pyarrow.feather.write_feather(FRAME, into)),
    "workbook": written(book),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_of_every_kind(kind, given, capsys):
    given(KINDS[kind])
    main(["ask", "-", "total", "--json"])
    assert json.loads(capsys.readouterr().out)["answer"] == 8


@pytest.mark.parametrize("name", ["-", "/dev/stdin", "-::Sheet"])
def test_its_names_and_what_its_query_says(name, given, capsys):
    given(KINDS["workbook" if "Sheet" in name else "csv"])
    main(["ask", name, "total", "--sql", "duckdb"])
    called = "Sheet" if "Sheet" in name else "stdin"
    assert capsys.readouterr().out == f'SELECT\n  COALESCE(SUM("price"), 0) AS answer\nFROM "{called}"\n'


def test_it_is_read_once_for_all_questions(given, temporary):
    given(SALES)
    for _ in range(2):
        assert asking.ask(TOTAL, "-", "total").value == 8
    with open_source("-") as source:
        assert source.rows == 2
    [folder] = [path for path in temporary.iterdir() if (path / "-").exists()]
    assert folder.stat().st_mode & 0o777 == 0o700
    given("price\n1\n")
    assert asking.ask(TOTAL, "-", "total").value == 1


def test_a_database_with_several_tables(given, capsys, tmp_path):
    with contextlib.closing(sqlite3.connect(tmp_path / "a.db")) as connection, connection:
        connection.executescript("CREATE TABLE a (price); INSERT INTO a VALUES (8); CREATE TABLE b (x)")
    given((tmp_path / "a.db").read_bytes())
    assert "it holds 2 tables; name one, as in -::a: a, b" in refused(capsys, "ask", "-", "total")
    given((tmp_path / "a.db").read_bytes())
    main(["ask", "-::a", "total", "--sql", "sqlite"])
    assert capsys.readouterr().out.endswith('FROM "a"\n')


def refused(capsys, *arguments):
    with pytest.raises(SystemExit) as stopped:
        main([*arguments])
    shown = capsys.readouterr()
    assert (stopped.value.code, shown.out, shown.err.count("\n")) == (2, "", 1)
    return shown.err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "cannot read the standard input: it is empty, and a first row"),
        (b"\n\n", "cannot read the standard input: it is blank"),
        (bytes(5_000_000), "it is neither text nor of a kind of file known here"),
        (b"a,b\n1\n", "cannot read the standard input: line 2 has 1 cells"),
        (b"PAR1 and no more", "cannot read the standard input: "),
        (b"a\n" + b"1\n" * 1000, "the standard input has more than 1,000 bytes; save it as a file, and name that"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(content, said, given, capsys, monkeypatch):
    if len(content) < 5000 and said.startswith("the"):
        monkeypatch.setattr(standard_input, "MOST_BYTES", 1000)
    given(content)
    assert said in refused(capsys, "ask", "-", "total")


def test_of_what_is_no_table_only_the_beginning_is_copied(given, monkeypatch):
    class Endless(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            buffer[:] = bytes(len(buffer))
            return len(buffer)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Endless())))
    with pytest.raises(NeuralProgrammerError, match="it is neither text nor of a kind"):
        open_source("-")


def test_a_disk_without_room_and_an_input_that_fails(given, monkeypatch):
    class Failing(io.BytesIO):
        fault = 28

        def read(self, size=-1):
            raise OSError(self.fault, os.strerror(self.fault))

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Failing(b"a")))
    with pytest.raises(NoRoomError, match="no room for a copy of the standard input"):
        open_source("-")
    Failing.fault = 5
    with pytest.raises(NeuralProgrammerError, match="cannot read the standard input: Input/output error"):
        open_source("-")


def test_questions_cannot_come_from_there_too(given, capsys, tmp_path):
    given(SALES)
    for more in ([], ["--batch", "-"]):
        assert "the standard input is the table, so that questions cannot come from there too" in refused(
            capsys, "ask", "-", *more
        )


def test_a_closed_one_and_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert "the standard input is closed; name a file" in refused(capsys, "ask", "-", "total")
    ours, theirs = pty.openpty()
    with open(theirs, closefd=True) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        assert "the standard input is a terminal, and a table was expected; pipe one" in refused(
            capsys, "ask", "-", "total"
        )
    os.close(ours)


def test_the_lines_of_a_batch_about_it(tmp_path):
    lines = [{"question": "how many rows are there"}, {"question": "what is the total price", "table": "-"}]
    (tmp_path / "b.jsonl").write_text("\n".join(map(json.dumps, lines)))

    def asked(*arguments, **more):
        (tmp_path / "left").mkdir(exist_ok=True)
        command = [sys.executable, "-m", "neural_programmer", "ask", *arguments]
        where = {**os.environ, "TMPDIR": str(tmp_path / "left")}
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=where, **more)
        assert list((tmp_path / "left").iterdir()) == []
        return [json.loads(line) for line in done.stdout.splitlines()]

    batch = "--batch", str(tmp_path / "b.jsonl")
    assert [line["answer"] for line in asked("-", *batch, input=SALES)] == [2, 8]
    (tmp_path / "sales.csv").write_text(SALES)
    found = asked(str(tmp_path / "sales.csv"), *batch, input=SALES)
    assert [line["answer"] for line in found] == [2, None]
    assert found[1]["error"] == "the standard input cannot be the table of a single line; name a file"
