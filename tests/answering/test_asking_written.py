"""Questions to a model that reads cells as people write them: programs that name views, on small and large tables."""

import datetime
from types import SimpleNamespace

import duckdb
import pytest

from neural_programmer.answering import asking
from neural_programmer.answering.asking import Desk, Opened, ask
from neural_programmer.engines import rows
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.page import tables
from neural_programmer.programs.program import Program, Step
from neural_programmer.tables.source import open_source
from queries import Fake

GAMES = """City,Date,Time,Attendance,day,Sold
Bern,"May 4, 1990",10:30,"1,200[1]",2020-01-01,$5
Chur,30 June 1991,11:45,900 (est.),2021-01-01,$7
Genf,"July 1, 1992",9:05,unknown,,"$1,000"
Visp,5 May 1993,8:00,c. 50,2022-05-01,$1
"""
LARGE = 20_000  # rows of six columns are more than IN_MEMORY
PROGRAMS = {
    "cities after 1990": (Step("greater", "Date (year)", 1990.0), Step("assign", "City")),
    "time in all": (Step("sum", "Time (time)"),),
    "who came to the latest": (Step("greatest", "Date (date)"), Step("sum", "Attendance (number)")),
    "average attendance": (Step("average", "Attendance (number)"),),
    "years of the fewest": (Step("least", "Attendance (number)"), Step("assign", "Date (year)")),
    "days before 2022": (Step("lesser", "day (year)", 2022.0), Step("count")),
    "dates of the quickest": (Step("least", "Time (time)"), Step("assign", "Date (date)")),
    "sold after": (Step("greater", "Date (year)", 1991.0), Step("sum", "Sold")),
    "before the latest": (Step("greatest", "Date (date)"), Step("previous"), Step("assign", "City")),
    "years after the first": (Step("first"), Step("more", "Date (year)"), Step("distinct", "Date (year)")),
    "did any come late": (Step("greater", "Time (time)", 700.0), Step("whether")),
    "difference": (Step("maximum", "Date (year)"), Step("reset"), Step("minimum", "Date (year)"), Step("difference")),
}
ANSWERS = {
    "cities after 1990": ["Chur", "Genf", "Visp"],
    "time in all": 2360,
    "who came to the latest": 50,
    "average attendance": pytest.approx(2150 / 3),
    "years of the fewest": [1993],
    "days before 2022": 2,
    "dates of the quickest": ["1993-05-05"],
    "sold after": 1001,
    "before the latest": ["Genf"],
    "years after the first": 3,
    "did any come late": True,
    "difference": 3,
}
CELLS = {
    "who came to the latest": ((3, "Attendance"),),
    "average attendance": ((0, "Attendance"), (1, "Attendance"), (3, "Attendance")),
    "years of the fewest": ((3, "Date"),),
    "days before 2022": ((0, None), (1, None)),
}


class Reader(Fake):
    config = SimpleNamespace(cells="written")


@pytest.fixture
def path(tmp_path):
    (tmp_path / "all games.csv").write_text(GAMES, encoding="utf-8")
    return tmp_path / "all games.csv"


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Dates, times and attendances of many games."""
    path = tmp_path_factory.mktemp("large") / "games.csv"
    start = datetime.date(1950, 1, 1)
    lines = []
    for i in range(LARGE):
        day = start + datetime.timedelta(days=37 * (i % 600))
        came = f'"{13 * (i % 600):,}[{i % 9}]"' if i % 7 else "unknown"
        when = f'"{day:%B} {day.day}, {day.year}[{i % 9}]"' if i % 11 else "unknown"
        lines.append(f"City {i % 50},{when},{i % 60}:{i % 59:02d},{came},{day},${i % 13}")
    path.write_text("City,Date,Time,Attendance,day,Sold\n" + "\n".join(lines), encoding="utf-8")
    return path


def by_query(answer):
    """What the query that an answer shows gives in DuckDB."""
    with duckdb.connect() as connection:
        found = [value for (value,) in connection.execute(answer.sql).fetchall()]
    if answer.kind == "scalar":
        return pytest.approx(found[0])
    if answer.kind == "truth":
        return found[0]
    return [value.isoformat() if isinstance(value, datetime.date) else value for value in found]


@pytest.mark.parametrize("question", PROGRAMS)
def test_interpreter_database_and_shown_query_agree(path, question, monkeypatch):
    small = ask(Reader(PROGRAMS), path, question, desk=Desk())
    monkeypatch.setattr(asking, "IN_MEMORY", -1)
    queried = ask(Reader(PROGRAMS), path, question, desk=Desk())
    assert small == queried
    assert small.value == ANSWERS[question] == by_query(small)
    assert small.cells == CELLS.get(question, small.cells)
    assert {column for _, column in small.cells} <= {None, *GAMES.splitlines()[0].split(",")}


def test_a_large_table_is_queried(large, monkeypatch):
    queried, interpreted = Opened(open_source(large)), Opened(open_source(large))
    with queried.aside(model=Reader(PROGRAMS)) as own:
        assert own.table is None
    monkeypatch.setattr(asking, "IN_MEMORY", 10 * asking.IN_MEMORY)
    for question in PROGRAMS:
        found, expected = (ask(Reader(PROGRAMS), opened, question) for opened in (queried, interpreted))
        assert found.value == (pytest.approx(expected.value) if found.kind == "scalar" else expected.value)
        assert (found.cells, found.steps, found.total) == (expected.cells, expected.steps, expected.total)
        shown = by_query(found)
        if found.kind == "lookup":  # a query of a large file gives its rows in whatever order
            assert sorted(map(_ordered, found.value)) == sorted(map(_ordered, shown))
        else:
            assert found.value == shown


def _ordered(value):
    return value is None, value or 0


def test_views_are_there_for_models_that_read_them_and_kept(path):
    desk, model, other = Desk(), Reader(PROGRAMS), Fake(PROGRAMS)
    for _ in range(2):
        ask(model, path, "time in all", desk=desk)
        with pytest.raises(NeuralProgrammerError, match="no column 'Time"):
            ask(other, path, "time in all", desk=desk)
    opened = desk.open(path)
    assert opened.seen_by(model) is opened.seen_by(model) is opened.written
    assert opened.seen_by(other) is opened.seen_by(None) is opened
    assert [column.view_of for column in model.seen[0].columns] == [-1] * 6 + [1, 1, 1, 2, 3, 4, 4]
    assert all(column.view_of == -1 for column in other.seen[0].columns)


def test_the_query_reads_only_the_views_that_it_names(path):
    shown = ask(Reader(PROGRAMS), path, "cities after 1990", desk=Desk()).sql
    assert (
        shown
        == f"""WITH written AS (
  SELECT
    *,
    TRY_CAST(REGEXP_EXTRACT(
      LOWER(REGEXP_REPLACE(LEFT("Date", 300), '\\[[^\\]]*\\]', '', 'g')),
      '\\b(1[0-9][0-9][0-9]|20[0-9][0-9])\\b',
      1
    ) AS DOUBLE) AS "Date (year)"
  FROM "{path}"
)
SELECT
  "City"
FROM "written"
WHERE
  "Date (year)" > 1990"""
    )
    plain = Reader({"sold": (Step("sum", "Sold"),)})
    assert ask(plain, path, "sold", desk=Desk()).sql == ask(Fake(plain.programs), path, "sold", desk=Desk()).sql


def test_other_dialects_are_told_what_to_make_first(path):
    shown = ask(Reader(PROGRAMS), path, "who came to the latest", desk=Desk(), dialect="bigquery").sql
    told = "-- columns to be made first, by reading the texts of others: Date (date) from Date, Attendance (number)"
    assert shown.startswith(f"{told} from Attendance\nSELECT")


def test_a_table_of_a_database_called_as_the_query_calls_it(tmp_path):
    with duckdb.connect(tmp_path / "a.duckdb") as connection:
        connection.execute("CREATE TABLE written AS SELECT unnest(['5 km', '7 km or so']) AS way")
    found = ask(Reader({"q": (Step("sum", "way (number)"),)}), tmp_path / "a.duckdb", "q", desk=Desk())
    with duckdb.connect(tmp_path / "a.duckdb", read_only=True) as connection:
        assert connection.execute(found.sql).fetchall() == [(found.value,)] == [(12,)]


def test_rows_show_the_cells_that_views_were_read_from(path):
    opened = Opened(open_source(path)).seen_by(Reader(PROGRAMS))
    program = Program(PROGRAMS["average attendance"])
    sheet = tables.sheet(opened, program, 1)
    assert [column.name for column in sheet.columns] == GAMES.splitlines()[0].split(",")
    assert sheet.rows[0].cells[:2] == ("Bern", "May 4, 1990")
    marked = {row.number: row.marked for row in sheet.rows}
    assert marked == {number: frozenset({"Attendance"} if number != 2 else ()) for number in range(4)}
    found = rows.view(opened.source, Program(PROGRAMS["years of the fewest"]), 1).page(0, 4)
    assert [(row.number, row.marked) for row in found if row.selected] == [(3, {"Date"})]
    assert len(tables.sheet(opened).columns) == 6


def test_spark_refuses_views(path):
    with pytest.raises(NeuralProgrammerError, match=r"Spark does not read Time \(time\) from the texts of cells"):
        ask(Reader(PROGRAMS), path, "time in all", engine="spark", desk=Desk())


def test_time_to_make_views_is_limited(path):
    opened = Opened(open_source(path))
    with opened.lock, pytest.raises(NeuralProgrammerError, match="still being prepared"):
        opened.seen_by(Reader(PROGRAMS), 0.01)
    with opened.aside(10, Reader(PROGRAMS)) as own:
        assert own.source.column("Time (time)").kind == "number"


def test_years_of_dates_that_are_stored_as_text(tmp_path):
    (tmp_path / "a.csv").write_text("day\n5 March 2024\n6 April 2025\n7 May 2026\n")
    found = ask(
        Reader({"q": (Step("greater", "day (year)", 2024.0), Step("count"))}), tmp_path / "a.csv", "q", desk=Desk()
    )
    assert found.sql.startswith("-- stored as text, taken for numbers, dates or truths: day\nWITH written AS (")
    assert found.value == by_query(found) == 2


def test_times_that_are_stored_as_times(tmp_path):
    with duckdb.connect(tmp_path / "a.duckdb") as connection:
        connection.execute("CREATE TABLE t AS SELECT unnest([TIME '10:30:00', TIME '00:00:05']) AS start")
        connection.execute(f"COPY t TO '{tmp_path}/a.parquet'")
    model = Reader({"q": (Step("sum", "start (time)"),)})
    parquet, database = (ask(model, tmp_path / name, "q", desk=Desk()) for name in ("a.parquet", "a.duckdb"))
    assert parquet.value == database.value == by_query(parquet) == 37_805
    with duckdb.connect(tmp_path / "a.duckdb", read_only=True) as connection:
        assert connection.execute(database.sql).fetchall() == [(37_805,)]


def test_times_that_are_guessed_are_told(tmp_path):
    """DuckDB takes 10:30 in JSON for a time of the day, and nothing can be done about it."""
    (tmp_path / "a.json").write_text('{"lap": "10:30"}\n{"lap": "11:45"}\n')
    found = ask(Reader({"q": (Step("sum", "lap (time)"),)}), tmp_path / "a.json", "q", desk=Desk())
    assert found.value == 1335
    assert found.sql.startswith("-- stored as text, taken for numbers, dates or truths: lap\n")
