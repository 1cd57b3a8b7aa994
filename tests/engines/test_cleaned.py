"""What is left out of cells when they are read, the SQL that is shown leaves out too: spaces, NA, empty texts, NaN."""

import contextlib
import json
import math
import sqlite3
from types import SimpleNamespace

import duckdb
import pyarrow
import pyarrow.parquet
import pytest

from neural_programmer.answering.asking import Desk, ask
from neural_programmer.programs.program import Step
from queries import Fake

ROWS = [
    ("Oslo", "red", "5", "yes"),
    (" Oslo", "NA", "nan", "NA"),
    ("Rome\u00a0", "-", "7", "no"),
    ("Lima", "red ", "1", "yes"),
    ("", "blue", "nan", "no"),
    ("\tRome", "blue", "2", "yes"),
    ("n/a", "blue", "3", "no"),
]
PROGRAMS = [
    (Step("text match", "city", ("Oslo",)), Step("count")),
    (Step("text other", "city", ("Oslo",)), Step("count")),
    (Step("distinct", "city"),),
    (Step("most common", "colour"), Step("count")),
    (Step("least common", "city"), Step("count")),
    (Step("average", "size"),),
    (Step("greatest", "size"), Step("count")),
    (Step("at least", "size", 2.0), Step("not"), Step("count")),
    (Step("text match", "open", ("true",)), Step("count")),
]
CSV = "city,colour,size,open\n" + "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in ROWS)


def write_csv(path):
    path.write_text(CSV, encoding="utf-8")


def write_json(path):
    """Cells of several kinds, as JSON has them."""
    rows = [
        {"city": city, "colour": None if colour == "-" else colour, "size": float(size), "open": opened}
        for city, colour, size, opened in ROWS
        if size != "nan"
    ]
    path.write_text("\n".join(map(json.dumps, [*rows, {"city": 5, "size": "NA"}])))


def typed(kind):
    """The rows with types: in such files NA is a text, and only the empty text and NaN are missing."""
    cells = ", ".join("(" + ", ".join(f"'{cell}'" for cell in row) + ")" for row in ROWS)
    return (
        f"SELECT CAST(city AS VARCHAR) AS city, CAST(colour AS {kind}) AS colour, CAST(size AS DOUBLE) AS size, open"
        f" FROM (VALUES {cells}) AS t(city, colour, size, open)"
    )


def write_parquet(path):
    duckdb.sql(f"COPY ({typed('VARCHAR')}) TO '{path}' (FORMAT parquet)")


def write_duckdb(path):
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TYPE colour AS ENUM ('red', 'red ', 'NA', '-', 'blue')")
        connection.execute(f"CREATE TABLE t AS {typed('colour')}")


def write_sqlite(path):
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE t (city, colour TEXT, size INTEGER, open TEXT)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", [*ROWS, (5, "NA", "NA", "no")])


WRITERS = {
    "t.csv": write_csv,
    "t.jsonl": write_json,
    "t.parquet": write_parquet,
    "t.duckdb": write_duckdb,
    "t.db": write_sqlite,
}


@pytest.mark.parametrize("steps", PROGRAMS, ids=lambda steps: "; ".join(map(str, steps)))
@pytest.mark.parametrize("name", WRITERS)
def test_the_query_leaves_out_what_the_answer_left_out(tmp_path, name, steps):
    path = tmp_path / name
    WRITERS[name](path)
    said = ask(Fake({"q": steps}), path, "q", desk=Desk())
    if said.sql.startswith("-- stored as text"):
        assert (name, steps[0].column) == ("t.db", "open")
        return
    connect = {".duckdb": duckdb.connect, ".db": sqlite3.connect}.get(path.suffix)
    with contextlib.closing(connect(path) if connect else duckdb.connect()) as connection:
        found = [value for (value,) in connection.execute(said.sql).fetchall()]
    assert found == [pytest.approx(said.value)], said.sql


def test_plain_texts_are_read_as_they_are(tmp_path):
    (tmp_path / "t.csv").write_text("city,size,open\nOslo,5,yes\n,6,no\nRome,,yes\n")
    for steps in (
        (Step("text other", "city", ("Oslo",)), Step("count")),
        (Step("distinct", "city"),),
        (Step("average", "size"),),
    ):
        said = ask(Fake({"q": steps}), tmp_path / "t.csv", "q", desk=Desk()).sql
        assert not any(word in said for word in ("TRIM", "NULLIF", "CASE", "CAST"))


def test_lists_and_objects_of_json_are_told(tmp_path):
    (tmp_path / "t.json").write_text('[{"a": [1, 2], "b": 1}, {"a": [3], "b": 2}]')
    steps = (Step("text match", "a", ("[3]",)), Step("sum", "b"))
    said = ask(Fake({"q": steps}), tmp_path / "t.json", "q", desk=Desk())
    assert (said.value, said.sql.partition("\n")[0]) == (2, "-- stored as lists or objects, taken for texts: a")


def test_codes_are_read_as_texts(tmp_path):
    """DuckDB takes 007 for 7."""
    (tmp_path / "t.csv").write_text("code,n\n007,1\n07,2\n8,4\n")
    steps = (Step("text match", "code", ("007",)), Step("sum", "n"))
    said = ask(Fake({"q": steps}), tmp_path / "t.csv", "q", desk=Desk())
    assert (said.value, duckdb.sql(said.sql).fetchall()) == (1, [(1,)])


@pytest.mark.parametrize("days", [("22/4/1966", "2/10/1932"), ("12/4/1966", "2/10/1932"), ("22.04.1966", "02.10.1932")])
def test_the_year_of_a_day_in_digits(tmp_path, days):
    """Whether DuckDB takes the texts for days or leaves them."""
    (tmp_path / "t.csv").write_text(f"name,born\nx,{days[0]}\ny,{days[1]}\nz,NA\n")
    steps = (Step("least", "born (year)"), Step("assign", "name"))
    model = Fake({"q": steps})
    model.config = SimpleNamespace(cells="written")
    said = ask(model, tmp_path / "t.csv", "q", desk=Desk())
    assert (said.value, duckdb.sql(said.sql).fetchall()) == (["y"], [("y",)])


def test_not_a_number_is_left_out_of_a_parquet_file_that_states_the_least_and_greatest(tmp_path):
    """DuckDB takes `= 'nan'` for false there."""
    pyarrow.parquet.write_table(pyarrow.table({"x": [3.0, math.nan, 1.0], "c": ["a"] * 3}), tmp_path / "t.parquet")
    programs = {
        "sum": (Step("sum", "x"),),
        "average": (Step("average", "x"),),
        "distinct": (Step("distinct", "x"),),
        "other": (Step("not equal", "x", 2.0), Step("count")),
    }
    for name, expected in (("sum", 4), ("average", 2), ("distinct", 2), ("other", 2)):
        said = ask(Fake(programs), tmp_path / "t.parquet", name, desk=Desk())
        with duckdb.connect() as connection:
            connection.execute(f"SET file_search_path = '{tmp_path}'")
            assert connection.execute(said.sql).fetchall() == [(expected,)] == [(said.scalar,)]
