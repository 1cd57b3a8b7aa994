"""The query that people read: pasted into DuckDB or SQLite, it runs on the file as it is, and gives the answer."""

import contextlib
import csv
import sqlite3

import duckdb
import pytest

from neural_programmer.answering.asking import Desk, ask
from neural_programmer.programs.program import Step
from neural_programmer.tables.source import open_source
from odd_answers import check_sql
from queries import Fake

CSV = """region,year,revenue,share,size,open,day
Europe,2020,$1200,12 %,5k,yes,5 March 2024
Asia,2021,"$5,000.50",3 %,1.2 million,no,6 March 2024
Europe,900,$7,4%,300,no,7 April 2024
Europe,NA,-$300.50,,\u22122.5M,yes,8 March 2024
"""
ROWS = list(csv.reader(CSV.splitlines()))
PROGRAMS = [
    (Step("text match", "region", ("Europe",)), Step("sum", "revenue")),
    (Step("greater", "year", 1000.0), Step("greater", "revenue", 10.0), Step("and"), Step("count")),
    (Step("average", "share"),),
    (Step("average", "year"),),
    (Step("minimum", "size"),),
    (Step("sum", "size"),),
    (Step("greatest", "share"), Step("assign", "region")),
    (Step("text match", "region", ("Europe",)), Step("least", "year"), Step("assign", "share")),
    (Step("greater", "revenue", 10.0), Step("last"), Step("assign", "region")),
    (Step("text match", "region", ("Asia",)), Step("next"), Step("assign", "share")),
    (Step("text match", "region", ("Asia",)), Step("below"), Step("sum", "revenue")),
    (Step("lesser", "year", 2021.0), Step("more", "revenue"), Step("assign", "region")),
    (Step("most common", "region"), Step("distinct", "revenue")),
    (Step("greater", "year", 2020.0), Step("same", "share"), Step("whether")),
    (Step("equal", "year", 900.0), Step("same", "region"), Step("first"), Step("assign", "share")),
]


def answer(path, *steps, **options):
    return ask(Fake({"q": steps}), path, "q", desk=Desk(), **options)


def csv_file(folder):
    (folder / "sales 1.csv").write_text(CSV, encoding="utf-8")
    return folder / "sales 1.csv"


def parquet_file(folder):
    """All columns are text."""
    path = csv_file(folder)
    duckdb.sql(f"COPY (SELECT * FROM read_csv('{path}', all_varchar = true)) TO '{folder}/sales.parquet'")
    return folder / "sales.parquet"


def duckdb_file(folder):
    path = csv_file(folder)
    with duckdb.connect(folder / "sales.duckdb") as connection:
        connection.execute(f"CREATE TABLE sales AS FROM read_csv('{path}', all_varchar = true)")
    return folder / "sales.duckdb"


def sqlite_file(folder):
    with contextlib.closing(sqlite3.connect(folder / "sales.db")) as connection, connection:
        connection.execute(f"CREATE TABLE sales ({', '.join(f'{name} TEXT' for name in ROWS[0])})")
        connection.executemany(f"INSERT INTO sales VALUES ({', '.join('?' * len(ROWS[0]))})", ROWS[1:])
    return folder / "sales.db"


def csv_folder(folder):
    """Of two files whose columns are in another order."""
    (folder / "sales").mkdir()
    halves = ROWS[:3], [ROWS[0][::-1], *(row[::-1] for row in ROWS[3:])]
    for number, rows in enumerate(halves):
        with open(folder / "sales" / f"{number}.csv", "w", newline="") as file:
            csv.writer(file).writerows(rows)
    return folder / "sales"


def parquet_pattern(folder):
    """Of files in folders that tell a column, one of which lacks a column that others have."""
    path = csv_file(folder)
    for number in range(4):
        (folder / "all" / f"half={number // 2}").mkdir(parents=True, exist_ok=True)
        some = f"FROM read_csv('{path}', all_varchar = true) LIMIT 1 OFFSET {number}"
        left_out = " EXCLUDE (size)" if number == 3 else ""
        duckdb.sql(f"COPY (SELECT *{left_out} {some}) TO '{folder}/all/half={number // 2}/{number}.parquet'")
    return folder / "all" / "**" / "*.parquet"


@pytest.mark.parametrize("steps", PROGRAMS, ids=lambda steps: "; ".join(map(str, steps)))
@pytest.mark.parametrize("make", [csv_file, parquet_file, duckdb_file, sqlite_file, csv_folder, parquet_pattern])
def test_it_runs_on_the_file_and_gives_the_answer(tmp_path, make, steps):
    path = make(tmp_path)
    said = answer(path, *steps)
    connect = {".duckdb": duckdb.connect, ".db": sqlite3.connect}.get(path.suffix)
    with contextlib.closing(connect(path) if connect else duckdb.connect()) as connection:
        found = [value for (value,) in connection.execute(said.sql).fetchall()]
    if said.kind == "truth":
        assert found == [said.value]
    elif said.kind == "scalar":
        assert found == [pytest.approx(said.value)]
    else:
        assert [str(cell).rstrip(" %") for cell in found] == [str(value) for value in said.value]


def test_a_column_and_a_table_may_be_called_as_the_numbers_of_rows_are(tmp_path):
    with contextlib.closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as connection:
        connection.execute("CREATE TABLE numbered (Row TEXT, row_ REAL)")
        connection.executemany("INSERT INTO numbered VALUES (?, ?)", [("x", 7), ("y", 5), ("x", 3), ("z", 1)])
        for steps, value in (
            ((Step("text match", "Row", ("y",)), Step("previous"), Step("assign", "row_")), [7]),
            ((Step("text match", "Row", ("x",)), Step("last"), Step("below"), Step("sum", "row_")), 1),
        ):
            said = answer(tmp_path / "a.db", *steps)
            assert said.value == value
            assert connection.execute(said.sql).fetchall() == [(value if isinstance(value, int) else value[0],)]


def test_plain_columns_are_not_converted(tmp_path):
    (tmp_path / "a.csv").write_text("region,day,year,open\nEurope,2024-01-02,2020,yes\nAsia,2024-01-03,,no\n")
    steps = (Step("text match", "open", ("true",)), Step("greatest", "day"), Step("sum", "year"))
    assert "CAST" not in answer(tmp_path / "a.csv", *steps).sql


def test_what_it_cannot_read_is_told(tmp_path):
    told = "-- stored as text, taken for numbers, dates or truths: "
    path, first = csv_file(tmp_path), (Step("least", "day"), Step("sum", "revenue"))
    assert answer(path, *first).sql.startswith(f"{told}day\nSELECT")
    assert answer(path, *first, dialect="bigquery").sql.startswith(f"{told}day, revenue\nSELECT")
    opened = (Step("text match", "open", ("true",)), Step("count"))
    assert answer(path, *opened).sql.startswith("SELECT")
    assert answer(sqlite_file(tmp_path), *opened).sql.startswith(f"{told}open\nSELECT")


def test_a_database_is_asked_in_its_own_dialect(tmp_path):
    steps = (Step("greater", "year", 1.0), Step("count"))
    assert "GLOB" in answer(sqlite_file(tmp_path), *steps).sql
    assert "GLOB" not in answer(tmp_path / "sales.db", *steps, dialect="duckdb").sql


def test_a_file_that_duckdb_does_not_find_by_its_name(tmp_path):
    (tmp_path / "sales.txt").write_text("a\n1\n")
    assert answer(tmp_path / "sales.txt", Step("sum", "a")).sql.endswith('FROM "sales"')
    (tmp_path / "sales[1].csv").write_text("a\n1\n")
    assert answer(tmp_path / "sales[1].csv", Step("sum", "a")).sql.endswith('FROM "sales[1]"')


SEVERAL = {  # what is named, and the call that reads it
    "sales/*.csv": "READ_CSV('sales/*.csv', union_by_name := TRUE)",
    "sales": "READ_CSV('sales/*.csv', union_by_name := TRUE)",
    "./sales/[ab].csv": "READ_CSV('./sales/[ab].csv', union_by_name := TRUE)",
    "deep": "READ_CSV('deep/**/*.csv', union_by_name := TRUE)",
    "by": "READ_PARQUET('by/**/*.parquet', union_by_name := TRUE, hive_partitioning := TRUE)",
    "by/year=*/*": "READ_PARQUET('by/year=*/*', union_by_name := TRUE, hive_partitioning := TRUE)",
    "lines/*": "READ_JSON('lines/*', union_by_name := TRUE)",
    "both": "READ_JSON(['both/a.json', 'both/b.jsonl'], union_by_name := TRUE)",
    "hidden": "READ_CSV(['hidden/a.csv', 'hidden/b.csv'], union_by_name := TRUE)",
    "one": '"one/a.csv"',
}


@pytest.fixture
def several(tmp_path, monkeypatch):
    """Folders of files, in the folder that we are in."""
    monkeypatch.chdir(tmp_path)
    places = "sales/a sales/b deep/a deep/x/b hidden/a hidden/b hidden/.c one/a"
    texts = {f"{place}.csv": f"a,year\n{ord(place[-1])},2024\n" for place in places.split()}
    texts |= {f"lines/{name}.jsonl": '{"a": 1, "year": 2023}\n' for name in "ab"}
    texts |= {"both/a.json": '[{"a": 1, "year": 2023}]', "both/b.jsonl": '{"a": 2}\n{"a": 3, "year": 2025}\n'}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for year in (2023, 2024):
        (tmp_path / f"by/year={year}").mkdir(parents=True)
        duckdb.sql(f"COPY (SELECT {year} AS a) TO 'by/year={year}/a.parquet'")


@pytest.mark.parametrize("what", SEVERAL)
def test_several_files_are_read_by_a_call_that_runs_here(several, tmp_path, what):
    steps = (Step("greater", "year", 2023.0), Step("sum", "a"))
    said = answer(what, *steps)
    assert f"FROM {SEVERAL[what]}\n" in said.sql
    assert duckdb.sql(said.sql).fetchall() == [(said.value,)]
    elsewhere = answer(str(tmp_path / what), *steps)
    assert f"'{tmp_path}/" in elsewhere.sql.replace('"', "'")
    assert duckdb.sql(elsewhere.sql).fetchall() == [(said.value,)]
    assert 'FROM "' in answer(what, *steps, dialect="bigquery").sql.replace("`", '"')


def test_several_files_that_no_call_can_read(several, tmp_path, monkeypatch):
    """Then the query has what the table is called; as where nobody is to know where they lie."""
    steps = (Step("sum", "a"),)
    (tmp_path / "hidden/d[1].csv").write_text("a,year\n1,2024\n")
    assert answer("hidden", *steps).sql.endswith('FROM "hidden"')
    with open_source("sales/*.csv", "sales") as source:
        assert ask(Fake({"q": steps}), source, "q").sql.endswith('FROM "sales"')
    monkeypatch.setattr("neural_programmer.engines.shown.LISTED", 1)
    assert answer("both", *steps).sql.endswith('FROM "both"')


def test_so_many_files_that_duckdb_opens_them_one_by_one(several, monkeypatch):
    monkeypatch.setattr("neural_programmer.engines.shown.OPEN", 1)
    said = answer("sales", Step("sum", "a"))
    assert said.sql.endswith("FROM READ_CSV('sales/*.csv')")
    assert duckdb.sql(said.sql).fetchall() == [(said.value,)]


@pytest.mark.parametrize("content", [b'"",n,t\n1,A,3\n2,B,4\n', b"n,t\nCaf\xe9,3\nB,4\n"], ids=["no name", "Latin-1"])
def test_a_file_that_duckdb_does_not_read_by_itself_is_said_to_be_a_table_to_make(tmp_path, content):
    (tmp_path / "odd.csv").write_bytes(content)
    said = answer(tmp_path / "odd.csv", Step("average", "t"))
    assert said.value == 3.5
    assert said.sql.startswith("-- a table to be made first of the file, which DuckDB does not read by itself\nSELECT")
    assert "--" not in answer({"t": [3, 4]}, Step("average", "t")).sql


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_columns_that_have_another_name_in_a_database_are_said_to_be_renamed_first(tmp_path, dialect):
    """Of a name that it does not know, SQLite makes a text: the query gave other rows."""
    with contextlib.closing({"sqlite": sqlite3, "duckdb": duckdb}[dialect].connect(tmp_path / "a.db")) as connection:
        connection.execute('CREATE TABLE t ("\x85" TEXT, "price " INTEGER, city TEXT)')
        connection.execute("INSERT INTO t VALUES ('x', 3, 'Oslo'), ('y', 4, 'Rome')")
        connection.commit()
    told = "-- columns to be renamed first, which have another name there: "
    said = answer(tmp_path / "a.db", Step("text match", "index", ("y",)), Step("sum", "price"))
    assert said.value == 4
    assert said.sql.startswith(f"{told}index, price\nSELECT")
    said = answer(tmp_path / "a.db", Step("text match", "index", ("y",)), Step("assign", "city"))
    assert said.sql.startswith(f"{told}index\nSELECT")
    said = answer(tmp_path / "a.db", Step("text match", "city", ("Rome",)), Step("assign", "city"))
    assert said.sql.startswith("SELECT")
    assert "--" not in answer(tmp_path / "a.db", Step("sum", "price"), dialect="postgres").sql


def test_a_column_of_bytes(tmp_path):
    """The answer is their text as DuckDB writes it; the query gives them as they are stored."""
    path = tmp_path / "a.parquet"
    cells = r"(1, '\xFF\x00'::BLOB), (2, 'abc'::BLOB), (3, '\xC3\xA9\x0A'::BLOB), (4, NULL)"
    duckdb.sql(f"COPY (FROM (VALUES {cells}) AS t(a, b)) TO '{path}'")
    every = answer(path, Step("at least", "a", 1.0), Step("assign", "b"))
    assert every.value == [r"\xFF\x00", "abc", r"\xC3\xA9\x0A", None]
    assert duckdb.sql(every.sql).fetchall() == [(b"\xff\x00",), (b"abc",), ("\u00e9\n".encode(),), (None,)]
    assert check_sql(every, path) == "agrees"
    for place, text in enumerate(every.value[:3], 1):
        one = answer(path, Step("text match", "b", (text,)), Step("assign", "a"))
        assert one.value == [place]
        assert check_sql(one, path) == "agrees"
