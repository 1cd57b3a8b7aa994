"""A source with views of its cells: the same columns and numbers as its table in memory, the same index."""

import gc

import duckdb
import numpy as np
import pytest

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.questions import indexing
from neural_programmer.questions.index import Index
from neural_programmer.questions.indexing import known
from neural_programmer.tables import books, source, views
from neural_programmer.tables.source import Column, open_source
from queries import random_table, source_of

CSV = """City,Date,Time,Attendance,Score,day,open,Year,city (number)
Bern 1,"May 4, 1990",10:30,"1,200[1]",2\u20131,2020-01-01,yes,1990,x
Chur 2,30 June 1991,11:45,900 (est.),0\u20130,2021-01-01,no,1991 (B),y
Genf 3,"31 June 1992",9:05,c. 50,3-2 (aet),,yes,c. 1992,z
Genf 4,,,,,2022-05-01,,,
"""
VIEWS = {
    "Date (date)": ("Date", "date"),
    "Date (year)": ("Date", "year"),
    "Date (month)": ("Date", "month"),
    "Time (time)": ("Time", "time"),
    "Attendance (number)": ("Attendance", "number"),
    "Score (number)": ("Score", "number"),
    "Score (second number)": ("Score", "second number"),
    "Score (span)": ("Score", "span"),
    "day (year)": ("day", "year"),
    "day (month)": ("day", "month"),
    "Year (year)": ("Year", "year"),
}


@pytest.fixture
def path(tmp_path):
    (tmp_path / "games.csv").write_text(CSV, encoding="utf-8")
    return tmp_path / "games.csv"


def same(one, other):
    assert one.names == other.names
    assert one.views == other.views
    for column, expected in zip(one.columns, other.columns, strict=True):
        np.testing.assert_array_equal(column, expected)


def fetched(written):
    """The table as DuckDB reads its views."""
    columns = zip(*written.page(0, written.rows), strict=True)
    return {column.name: list(cells) for column, cells in zip(written.columns, columns, strict=True)}


def test_views_are_columns_after_the_others(path):
    with open_source(path) as plain:
        written = plain.written()
        assert [column for column in written.columns if not column.view] == list(plain.columns)
        assert {column.name: (column.view_of, column.view) for column in written.columns if column.view} == VIEWS
        assert written.column("Date (date)") == Column("Date (date)", "date", view_of="Date", view="date")
        cells = fetched(written)
        assert [str(day) for day in cells["Date (date)"]] == ["1990-05-04", "1991-06-30", "None", "None"]
        assert cells["Time (time)"] == [630, 705, 545, None]
        assert cells["Attendance (number)"] == [1200, 900, 50, None]
        assert list(zip(cells["Score (number)"], cells["Score (second number)"], strict=True))[:3] == [
            (2, 1),
            (0, 0),
            (3, 2),
        ]
        assert cells["day (year)"] == [2020, 2021, None, 2022]
        assert cells["Year (year)"] == [1990, 1991, 1992, None]
        same(written.table(), views.written(plain.table()))
        assert [column.name for column in written.plain().columns] == [column.name for column in plain.columns]
        assert len(written.plain().page(0, 1)[0]) == len(plain.columns)
        assert (written.origin("Date (year)"), written.origin("City"), written.origin(None)) == ("Date", "City", None)


def test_numbers_of_rows_come_last(path):
    with open_source(path) as plain:
        written = plain.written()
        rows = written.fetched(f"SELECT c{written.columns.index(written.column('Time (time)'))}, r FROM "
                               f"{written.placed(numbered=True)} ORDER BY r")  # fmt: skip
        assert rows == [(630, 0), (705, 1), (545, 2), (None, 3)]


def test_an_index_is_the_same_from_a_source_and_from_its_table(path):
    generator = np.random.default_rng(1)
    for plain in (open_source(path), *(source_of(random_table(generator)) for _ in range(20))):
        with plain:
            written = plain.written()
            found, expected = known(written).index, Index.of(written.table())
            assert [column.name for column in found.columns] == [column.name for column in expected.columns]
            places = [place for place, column in enumerate(found.columns) if column.view]
            assert len(places) == len(found.columns) - len(plain.columns)
            for place in places:
                np.testing.assert_equal(vars(found.columns[place]), vars(expected.columns[place]))
                column = found.columns[place]
                of = found.columns[column.view_of].name
                assert (column.name, column.texts) == (f"{of} ({column.view})", ())
            assert all(column.view_of == -1 for column in found.columns[: len(plain.columns)])


def test_a_written_table_keeps_its_file_open(path):
    written = open_source(path).written()
    gc.collect()
    with written.aside() as own:
        assert own.table(2).views == VIEWS
        assert own.plain().table(1).names == tuple(column.name for column in written.columns if not column.view)
    written.close()
    with pytest.raises((duckdb.Error, NeuralProgrammerError)):
        written.page(0, 1)


def test_first_rows_have_the_views_of_all(path):
    """Of the last row there is nothing to read, of all rows there is."""
    with open_source(path) as plain:
        written = plain.written()
        assert written.table(0).views == VIEWS
        same(written.table(2), views.written(plain.table()).head(2))


@pytest.mark.parametrize("seekable", [True, False])
def test_of_a_large_table_some_rows_decide(tmp_path, monkeypatch, seekable):
    monkeypatch.setattr(source, "VIEWED_CELLS", 400)
    if not seekable:
        monkeypatch.setattr(books, "STORED_LIMIT", 0)
    rows = "".join(f"{10000 + i} km,{'word' if i < 900 else f'{10000 + i} m'}\n" for i in range(1, 2001))
    (tmp_path / "a.csv").write_text(f"way,mixed\nfar,x\n{rows}")
    with open_source(tmp_path / "a.csv") as plain:
        assert plain.seekable == seekable
        written = plain.written()
        assert [column.name for column in written.columns[2:]] == ["way (number)", *["mixed (number)"] * seekable]
        assert written.fetched(f"SELECT max(c2), count(c2) FROM {written.placed()}") == [(12000, 2000)]
        monkeypatch.setattr(indexing, "ALL_ROWS", 10)
        assert known(written).index.columns[2].view_of == 0


def test_names_that_are_there_already_are_left_out():
    with open_source({"a": ["5 km", "6 km x"], "A (Number)": ["x", "y"], "b 'c\" (d)": ["1 x", "2 y"]}) as plain:
        written = plain.written()
        assert [column.name for column in written.columns[3:]] == ["b 'c\" (d) (number)"]
        assert fetched(written)["b 'c\" (d) (number)"] == [1, 2]


def test_a_table_without_anything_to_read():
    with open_source({"a": ["x", "y"], "b": [1, 2]}) as plain:
        same(plain.written().table(), plain.table())
        assert plain.plain() is plain
