"""The query that people read: pasted into DuckDB or SQLite, it runs on the file as it is, and gives the answer."""

import contextlib
import csv
import sqlite3

import duckdb
import pytest

from neural_programmer.answering.asking import Desk, ask
from neural_programmer.programs.program import Step
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


@pytest.mark.parametrize("steps", PROGRAMS, ids=lambda steps: "; ".join(map(str, steps)))
@pytest.mark.parametrize("make", [csv_file, parquet_file, duckdb_file, sqlite_file])
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
