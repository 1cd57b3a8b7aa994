"""The ask command: what it prints, how it refuses, that it writes nothing, and that it starts fast."""

import contextlib
import io
import json
import sqlite3
import subprocess
import sys

import duckdb
import openpyxl
import pytest

from neural_programmer.answering import model
from neural_programmer.cli import main
from neural_programmer.cli.batch import Clerk
from neural_programmer.programs.program import Step
from neural_programmer.questions import link
from queries import Fake

CSV = "region,year,revenue\nEurope,2020,$1200\nAsia,2021,$5k\nEurope,2018,$7\nEurope,2022,$300.50\n"
SUM = "total revenue in Europe after 2019"
PROGRAMS = {
    SUM: (
        Step("text match", "region", ("Europe",)),
        Step("greater", "year", 2019.0),
        Step("and"),
        Step("sum", "revenue"),
    ),
    "which regions": (Step("assign", "region"),),
    "how many": (Step("count"),),
    "'; DROP TABLE data; --": (Step("count"),),
}


class Reader(Fake):
    """A fake that reads its questions as a model does."""

    def decide(self, question, index, rows=None):
        link.link(question, index)
        return super().decide(question, index)


@pytest.fixture(autouse=True)
def shipped(monkeypatch):
    monkeypatch.setattr(model, "load_shipped", lambda name="ask": Reader(PROGRAMS), raising=False)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "sales.csv").write_text(CSV)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def say(capsys, *arguments) -> str:
    main(["ask", *map(str, arguments)])
    return capsys.readouterr().out


def refuse(capsys, *arguments) -> str:
    """The one sentence with which it is refused: exit code 2, nothing on the output, no traceback."""
    with pytest.raises(SystemExit) as stopped:
        main(["ask", *map(str, arguments)])
    shown = capsys.readouterr()
    assert stopped.value.code == 2
    assert shown.out == ""
    assert shown.err.startswith("neural-programmer: ")
    assert shown.err.count("\n") == 1
    assert len(shown.err) < 1000
    return shown.err


def decline(capsys, *arguments) -> tuple[str, str]:
    """What is said where there is no answer, on the output and on the error stream; the exit code is 1."""
    with pytest.raises(SystemExit) as stopped:
        main(["ask", *map(str, arguments)])
    shown = capsys.readouterr()
    assert stopped.value.code == 1
    return shown.out, shown.err


def failing(capsys, *arguments) -> tuple[list[dict], str]:
    """The objects of a batch some of whose lines cannot be asked, and what is said of them."""
    with pytest.raises(SystemExit) as stopped:
        main(["ask", *map(str, arguments)])
    shown = capsys.readouterr()
    assert stopped.value.code == 2
    return [json.loads(line) for line in shown.out.splitlines()], shown.err


def test_an_answer_for_people(capsys, folder):
    assert say(capsys, "sales.csv", SUM) == (
        "$1,500.50\n"
        "\n"
        "   step                                operation   rows\n"
        "1  region is Europe                    text match     3\n"
        "2  year is more than 2019              greater        3\n"
        "3  the rows of both step 1 and step 2  and            2\n"
        "4  the total of revenue                sum            2\n"
        "\n"
        "SELECT\n"
        "  COALESCE(\n"
        "    SUM(\n"
        "      TRY_CAST(REPLACE(REPLACE(REPLACE(\"revenue\", '$', ''), 'k', 'e3'), ' ', '') AS DOUBLE)\n"
        "    ),\n"
        "    0\n"
        "  ) AS answer\n"
        'FROM "sales.csv"\n'
        "WHERE\n"
        '  "region" = \'Europe\' AND "year" > 2019\n'
        "\n"
        "confidence 90%\n"
    )


def test_cells_for_people(capsys, folder):
    assert say(capsys, "sales.csv", "which regions").startswith("Europe (3 times)\nAsia\n\n")
    (folder / "many.csv").write_text("region\n" + "\n".join(f"r{i}" for i in range(30)))
    assert "r19\nand 10 more, with --json\n" in say(capsys, "many.csv", "which regions")
    (folder / "odd.csv").write_text("region\n\x1b[31mred\x1b[0m\n")
    assert "\x1b" not in say(capsys, "odd.csv", "which regions")


def test_no_answer_for_people(capsys, folder):
    assert decline(capsys, "sales.csv", "what is the weather") == (
        "",
        "no answer: the table does not hold what the question asks for\n\nconfidence 90% that there is none\n",
    )


def test_no_query_for_people(capsys, folder):
    assert decline(capsys, "sales.csv", "what is the weather", "--sql", "postgres") == (
        "",
        "no query: the table does not hold what the question asks for\n",
    )


def test_a_query_whose_answer_is_none_is_one(capsys, folder):
    PROGRAMS["largest"] = (Step("greater", "year", 9999.0), Step("maximum", "revenue"))
    assert say(capsys, "sales.csv", "largest", "--sql", "sqlite").endswith('WHERE\n  "year" > 9999\n')
    out, _ = decline(capsys, "sales.csv", "largest", "--json")
    assert json.loads(out)["kind"] == "none"


def test_words_need_no_quotes(capsys, folder):
    assert say(capsys, "sales.csv", "how", "many") == say(capsys, "sales.csv", "how many")


def test_json(capsys, folder):
    said = say(capsys, "sales.csv", SUM, "--json")
    assert said.count("\n") == 1
    found = json.loads(said)
    assert list(found) == [
        "version", "question", "answer", "columns", "kind", "reason", "unit", "units", "said", "program", "sql",
        "cells", "cells_in_all", "truncated", "confidence", "partial", "notes", "chart",
    ]  # fmt: skip
    assert (found["version"], found["answer"], found["kind"], found["unit"]) == (1, 1500.5, "scalar", "$")
    both = "the rows of both step 1 and step 2"
    assert found["program"][2] == {"operation": "and", "column": None, "argument": None, "rows": 2, "in_words": both}
    assert found["cells"] == [{"row": 0, "column": "revenue"}, {"row": 3, "column": "revenue"}]
    out, err = decline(capsys, "sales.csv", "no such thing", "--json")
    assert (json.loads(out)["answer"], err) == (None, "")


def test_json_lists_some_cells_and_says_how_many_there_are(capsys, folder):
    (folder / "long.csv").write_text("revenue\n" + "\n".join(map(str, range(891))))
    PROGRAMS["all"] = (Step("sum", "revenue"),)
    said = say(capsys, "long.csv", "all", "--json")
    found = json.loads(said)
    assert (found["answer"], found["cells_in_all"]) == (396495, 891)
    assert found["cells"] == [{"row": row, "column": "revenue"} for row in range(20)]
    assert len(said) < 2_000


def test_sql_of_a_dialect(capsys, folder):
    said = say(capsys, "sales.csv", SUM, "--sql", "bigquery")
    assert said.startswith(
        "-- stored as text, taken for numbers, dates or truths: revenue\n"
        "SELECT\n  COALESCE(SUM(`revenue`), 0) AS answer\nFROM `sales`\nWHERE\n"
    )
    assert "unknown dialect of SQL 'klingon'; choose one of: " in refuse(capsys, "sales.csv", SUM, "--sql", "klingon")


def test_a_batch_goes_on_after_what_cannot_be_written_again(capsys, folder):
    lines = [
        '{"id": NaN, "table": "sales.csv", "question": "how many"}',
        '{"id": 1e999, "table": "sales.csv", "question": "how many"}',
        '{"id": "\\ud800", "table": "sales.csv", "question": "how many"}',
        '{"id": 4, "table": "sales.csv", "question": "how many"}',
    ]
    (folder / "odd.jsonl").write_text("\n".join(lines))
    found, said = failing(capsys, "--batch", folder / "odd.jsonl")
    assert said == "neural-programmer: 3 of the lines could not be asked; their `error` says why\n"
    assert [line["id"] for line in found] == [None, None, None, 4]
    assert [line["answer"] for line in found] == [None, None, None, 4]
    assert all("is not JSON" in line["reason"] == line["error"] for line in found[:3])
    assert found[3]["error"] is None


def test_a_batch(capsys, folder, monkeypatch):
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "beside.csv").write_text("a\n1\n2\n")
    lines = [
        {"id": 1, "table": "sales.csv", "question": SUM},
        {"id": "two", "table": "beside.csv", "question": "how many"},
        {"table": str(folder / "sales.csv"), "question": "how many"},
        {"id": 4, "table": "missing.csv", "question": "how many"},
        {"id": 5, "table": "sales.csv"},
        {"id": 6, "table": 7, "question": "how many"},
        {"id": 7, "table": "sales.csv", "question": ""},
        {"id": 8, "table": "sales.csv", "question": 5},
        {"id": 9, "table": "sales.csv", "question": "x" * 100_000},
        {"id": 10, "table": "sales.csv", "question": "how many"},
        {"id": 11, "table": "besid*.csv", "question": "how many"},
        {"id": 12, "table": "-", "question": "how many"},
    ]
    text = "\n".join(json.dumps(line) for line in lines)
    (elsewhere / "batch.jsonl").write_text(text.replace('{"id": 4', '{"id": 3.5, oops\n\n[]\n{"id": 4'))
    found, _ = failing(capsys, "--batch", elsewhere / "batch.jsonl")
    assert [line["id"] for line in found] == [1, "two", None, None, None, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    assert [line["answer"] for line in found] == [1500.5, 2, 4, *[None] * 8, 4, 2, None]
    reasons = [line["reason"] for line in found if line["kind"] == "none"]
    assert [reason[:22] for reason in reasons] == [
        "line 4 is not JSON: '{", "line 6 is no JSON obje", "'missing.csv' does not", "line 8 names no questi",
        "line 9 names no table ", "a question needs at le", "line 11 names no quest", "a question may have 10",
        "the standard input can",
    ]  # fmt: skip
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"id": 1, "question": "how many"}\n')))
    assert json.loads(say(capsys, "sales.csv", "--batch", "-"))["answer"] == 4


def test_a_table_of_a_batch_is_opened_once(folder, monkeypatch):
    from neural_programmer.answering import asking

    opened = []
    monkeypatch.setattr(asking, "open_source", lambda what, limits: opened.append(what) or open_source(what))
    from neural_programmer.tables.source import open_source

    clerk = Clerk("b.jsonl", None, None, None, {})
    line = '{"table": "sales.csv", "question": "how many"}'
    assert [clerk.answer(number, line)["answer"] for number in range(1, 21)] == [4] * 20
    assert len(opened) == 1


def test_questions_one_after_the_other(capsys, folder, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("how many\n\n12\nwhich regions\nquit\nhow many\n"))
    main(["ask", "sales.csv", "--json"])
    shown = capsys.readouterr()
    assert [json.loads(line)["answer"] for line in shown.out.splitlines()] == [
        4,
        ["Europe", "Asia", "Europe", "Europe"],
    ]
    assert shown.err.splitlines() == [
        "sales.csv: 4 rows; columns region, year, revenue. Ask a question, help or quit.",
        "neural-programmer: a question needs at least one word, and '12' has none",
    ]


def test_help_at_the_prompt(capsys, folder, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("?\nhow many\n"))
    main(["ask", "sales.csv", "--json"])
    shown = capsys.readouterr()
    assert json.loads(shown.out)["answer"] == 4
    assert "  which region has the highest year\n" in shown.err
    assert "  revenue: number in $\n" in shown.err


def test_a_folder_at_the_prompt(capsys, folder, monkeypatch):
    (folder / "all").mkdir()
    for name in "ab":
        (folder / "all" / f"{name}.csv").write_text(CSV)
    monkeypatch.setattr(sys, "stdin", io.StringIO("how many\n"))
    main(["ask", "all", "--json"])
    shown = capsys.readouterr()
    assert json.loads(shown.out)["answer"] == 8
    assert shown.err == "all: 2 files, 8 rows; columns region, year, revenue. Ask a question, help or quit.\n"


def test_which_sheet_was_read(capsys, folder):
    book = openpyxl.Workbook()
    for name in ("first", "second"):
        sheet = book.active if name == "first" else book.create_sheet()
        sheet.title = name
        sheet.append(["region"])
        sheet.append([name])
    book.save(folder / "a.xlsx")
    main(["ask", "a.xlsx", "how many"])
    assert capsys.readouterr().err == "a.xlsx: read the sheet first, not second; name another as a.xlsx::second\n"
    main(["ask", "a.xlsx::first", "how many"])
    assert capsys.readouterr().err == ""


def make_tables(folder) -> dict[str, tuple[str, str]]:
    """Bad tables, and what is said of them."""
    (folder / "folder").mkdir()
    (folder / "empty.csv").write_bytes(b"")
    (folder / "ragged.csv").write_text("a,b\n1,2\n3\n4,5,6\n")
    (folder / "twice.csv").write_text("a,A\n1,2\n")
    (folder / "nameless.csv").write_text("a,,c\n1,2,3\n")
    (folder / "binary.csv").write_bytes(bytes(range(256)) * 10)
    (folder / "wide.csv").write_text(",".join(f"c{i}" for i in range(5000)) + "\n")
    (folder / "bytes.csv").write_bytes(b"a\n\x81\x8d\n")
    (folder / "broken.jsonl").write_text('{"a": 1}\n{"a": 2\n{"a": 3}\n')
    (folder / "broken.json").write_text('[{"a": 1},\n{"a": 2]')
    (folder / "corrupt.parquet").write_bytes(b"PAR1 and no more")
    (folder / "corrupt.db").write_bytes(b"SQLite format 3\0" + b"\1" * 2000)
    (folder / "corrupt.duckdb").write_bytes(b"\0" * 8 + b"DUCK" + b"\1" * 2000)
    with contextlib.closing(sqlite3.connect(folder / "two.db")) as connection, connection:
        connection.executescript("CREATE TABLE a (x); CREATE TABLE b (x)")
    return {
        "missing.csv": ("does not exist", ""),
        "folder": ("holds no files", ""),
        "empty.csv": ("it is empty", ""),
        "ragged.csv": ("line 3 has 1 cells", "line 4 has 3 cells"),
        "twice.csv": ("stands twice", ""),
        "nameless.csv": ("column 2 of 3 has no name", ""),
        "binary.csv": ("neither text nor of a kind of file known here", ""),
        "wide.csv": ("1000 columns at most, and this one has 5000", ""),
        "bytes.csv": ("neither in UTF-8 nor in Windows-1252", ""),
        "broken.jsonl": ("line 2 is not JSON: unexpected end of data; mend it", ""),
        "broken.json": ("object 2 is not JSON: ", ""),
        "corrupt.parquet": ("cannot read corrupt.parquet", ""),
        "corrupt.db": ("cannot read corrupt.db", ""),
        "corrupt.duckdb": ("cannot read corrupt.duckdb", ""),
        "two.db": ("it holds 2 tables; name one, as in two.db::a: a, b", ""),
        "two.db::c": ("unknown table 'c'; choose one of: a, b", ""),
        "sales.csv::x": ("it holds one table only; leave out ::x", ""),
    }


def test_bad_tables_are_refused_in_one_sentence(capsys, folder):
    tables = make_tables(folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for name, said in tables.items():
        message = refuse(capsys, name, "how many")
        assert any(part and part in message for part in said), message
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_database_that_is_locked(capsys, folder):
    with duckdb.connect(folder / "a.duckdb") as connection:
        connection.execute("CREATE TABLE t (x INTEGER)")
    code = f"import duckdb; held = duckdb.connect({str(folder / 'a.duckdb')!r}); print('held', flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdout.readline()
        assert "another program has it open for writing" in refuse(capsys, "a.duckdb", "how many")
        holder.communicate(b"\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sales.csv", ""], "a question needs at least one word"),
        (["sales.csv", "12 13"], "a question needs at least one word"),
        (["sales.csv", "x" * 100_000], "a question may have 10,000 characters, and this one has 100,000"),
        ([], "name a table to ask about"),
        (["sales.csv", "how many", "--batch", "b.jsonl"], "leave out the question or --batch"),
        (["sales.csv", "--batch", "nowhere.jsonl"], "cannot read nowhere.jsonl: No such file"),
        (["sales.csv", "--batch", "."], "cannot read .: Is a directory"),
        (["sales.csv", "how many", "--master", "local"], "--master is a setting of Spark; add --engine spark"),
        (["sales.csv", "how many", "--engine", "oracle"], "oracle"),
        (["sales.csv", "how many", "--colour"], "--colour"),
        (["sales.csv", "how many", "--model", "./nowhere"], "no model at nowhere"),
        (["bad\0name.csv", "how many"], "name"),
        (["--colour", "sales.csv", "how many"], "there is no option '--colour'"),
        (["--jsn", "sales.csv", "how many"], "there is no option '--jsn'; did you mean --json?"),
        (["--second", "3", "sales.csv", "how many"], "there is no option '--second'; did you mean --seconds?"),
        (["sales.csv", "how many", "--sql"], "--sql needs a dialect; choose one of: athena, bigquery, clickhouse,"),
        (["sales.csv", "how many", "--batch"], "--batch requires an argument"),
        (
            ["sales.csv", "sales.csv", "how many"],
            "'sales.csv' is a second table, and one is asked about; put a pattern in",
        ),
        (["*.parquet", "how many"], "'*.parquet' stands for no file; name a CSV"),
        (["s3://bucket/sales.csv", "how many"], "aws s3 cp s3://bucket/sales.csv ."),
    ],
)
def test_bad_arguments_are_refused_in_one_sentence(capsys, folder, arguments, message):
    assert message in refuse(capsys, *arguments)


def test_sql_in_question_name_or_cell_is_only_text(capsys, folder):
    name, cell = 'a"; DROP TABLE data; --', "'; DROP TABLE data; --"
    (folder / "odd.csv").write_text('"a""; DROP TABLE data; --",b\n"' + cell + '",NaN\nx,inf\n')
    before = (folder / "odd.csv").read_bytes()
    assert json.loads(say(capsys, "odd.csv", cell, "--json"))["answer"] == 2
    PROGRAMS["odd"] = (Step("text match", name, (cell,)), Step("assign", name))
    assert json.loads(say(capsys, "odd.csv", "odd", "--json"))["answer"] == [cell]
    PROGRAMS["far"] = (Step("assign", "b"),)
    assert json.loads(say(capsys, "odd.csv", "far", "--json"))["answer"] == [None, "Infinity"]
    PROGRAMS["sum"] = (Step("sum", "b"),)
    assert json.loads(decline(capsys, "odd.csv", "sum", "--json")[0])["reason"].startswith("the sum b is infinite")
    assert (folder / "odd.csv").read_bytes() == before


def test_a_header_alone_is_a_table_without_rows(capsys, folder):
    (folder / "header.csv").write_text("region,year\n")
    assert json.loads(say(capsys, "header.csv", "how many", "--json"))["answer"] == 0
    assert json.loads(say(capsys, "header.csv", "which regions", "--json"))["answer"] == []


def test_asking_loads_nothing_that_is_slow_to_load(folder):
    """In a process of its own: without the libraries that it does not need."""
    code = (
        "import sys; from neural_programmer.answering import model\n"
        "from neural_programmer.answering.decision import Decision\n"
        "from neural_programmer.programs.program import Program, Step\n"
        "class Fake:\n"
        "    def decide(self, question, index, rows=None): return Decision(Program((Step('count'),)), 0.9)\n"
        "model.load_shipped = lambda name='ask': Fake()\n"
        "from neural_programmer.cli import main; main(['ask', 'sales.csv', 'how many'])\n"
        "assert not {'jax', 'pandas', 'polars', 'pyarrow', 'pyspark', 'matplotlib'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("4\n")


def test_so_many_decimals(capsys, folder):
    asked = "sales.csv", SUM
    assert say(capsys, *asked).splitlines()[0] == "$1,500.50"
    assert say(capsys, *asked, "--digits", "4").splitlines()[0] == "$1,500.5000"
    with pytest.raises(SystemExit):
        main(["ask", *asked, "--digits", "99"])
    assert "--digits is a number of decimals from 0 to 12, not 99" in capsys.readouterr().err
