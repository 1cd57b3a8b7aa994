"""Numbers and dates as much of the world writes them: one style for a table, told in doubt; SQL reads the file so."""

import datetime

import duckdb
import pytest

from neural_programmer.answering.asking import Desk, ask
from neural_programmer.answering.model import load_shipped
from neural_programmer.programs.program import Step
from neural_programmer.questions.index import Index, IndexColumn
from neural_programmer.questions.link import link
from neural_programmer.questions.quantities import plainly
from neural_programmer.questions.times import time_of
from neural_programmer.tables import books
from neural_programmer.tables.source import open_source
from queries import Fake

SHOP = """name;price;people;day;net;mass
A;12,50;1.234;03/04/2024;1\u00a0234,5 €;3,500
B;3,20;12.500;05/06/2024;7 €;2,250
C;n/a;7.000;13/06/2024 10:30;8 €;1,000
"""
PROGRAMS = {
    "average": (Step("average", "price"),),
    "thousands": (Step("sum", "people"),),
    "grouped by spaces": (Step("sum", "net"),),
    "three decimals": (Step("sum", "mass"),),
    "of the dear": (Step("greater", "price", 5.0), Step("sum", "people")),
    "since June": (Step("at least", "day", time_of("June 2024")), Step("sum", "mass")),
    "first day": (Step("least", "day"), Step("sum", "mass")),
}
ANSWERS = dict(zip(PROGRAMS, (7.85, 20734, 1249.5, 6.75, 1234, 3.25, 3.5), strict=True))
APRIL, MARCH = datetime.date(2024, 4, 3), datetime.date(2024, 3, 4)


@pytest.fixture
def path(tmp_path):
    (tmp_path / "shop.csv").write_text(SHOP, encoding="utf-8")
    return tmp_path / "shop.csv"


@pytest.mark.parametrize("question", PROGRAMS)
@pytest.mark.parametrize("limit", [books.STORED_LIMIT, 0], ids=["stored", "queried"])
def test_the_query_gives_the_same_on_the_file_as_it_is(path, question, limit, monkeypatch):
    monkeypatch.setattr(books, "STORED_LIMIT", limit)
    found = ask(Fake(PROGRAMS), path, question, desk=Desk())
    assert found.value == pytest.approx(ANSWERS[question])
    assert found.notes == ()
    [(value,)] = duckdb.sql(found.sql).fetchall()
    assert value == pytest.approx(ANSWERS[question])


def test_the_query_names_how_the_file_is_to_be_read_only_where_it_must(path):
    found = {question: ask(Fake(PROGRAMS), path, question).sql for question in PROGRAMS}
    assert f'FROM "{path}"' in found["average"]
    read = " ".join(found["thousands"].split())
    assert f"FROM READ_CSV( '{path}', delim := ';', header := TRUE, types := {{'people': 'TEXT'}} )" in read
    assert "TRY_STRPTIME(\"day\", ['%d/%m/%Y', '%d/%m/%Y %H:%M'])" in found["since June"]


def read(column, *others):
    with open_source({"a": column, **{f"b{place}": cells for place, cells in enumerate(others)}}) as source:
        return source.page(0, 1)[0][0], bool(source.columns[0].note)


@pytest.mark.parametrize(
    ("cells", "other", "first", "noted"),
    [
        (["1.234", "5.678"], ["x"] * 2, 1.234, True),
        (["1.234", "5.678"], ["1,5", "2,75"], 1234, False),
        (["1.234", "5.678"], ["1.5", "2.75"], 1.234, False),
        (["1.234", "0.5"], ["x"] * 2, 1.234, False),
        (["1.234 km", "5.678 km"], ["1,5", "2,75"], 1234, False),
        (["1,234", "5,678"], ["x"] * 2, 1234, False),
        (["1,234", "5,678"], ["1,5", "2,75"], 1.234, False),
        (["1,234", "5,678"], ["1.234,5", "7"], 1.234, False),
        (["03/04/2024", "05/06/2024"], ["x"] * 2, MARCH, True),
        (["03/04/2024", "13/06/2024"], ["x"] * 2, APRIL, False),
        (["03/04/2024", "05/13/2024"], ["x"] * 2, MARCH, False),
        (["03/04/2024", "05/06/2024"], ["13/01/2024"] * 2, APRIL, False),
        (["03/04/2024", "05/06/2024"], ["01/13/2024"] * 2, MARCH, False),
        (["03/04/2024", "05/06/2024"], ["1,5", "2,75"], APRIL, False),
        (["04/04/2024", "05/05/2024"], ["x"] * 2, datetime.date(2024, 4, 4), False),
    ],
)
def test_what_may_be_read_in_two_ways_is_read_as_the_table_shows_or_with_a_note(cells, other, first, noted):
    assert read(cells, other) == (first, noted)


def test_a_note_of_a_column_is_one_of_the_answers_that_use_it(tmp_path):
    (tmp_path / "a.csv").write_text("day,units\n03/04/2024,3\n05/06/2024,4\n")
    programs = {"used": (Step("equal", "day", time_of("March 2024")), Step("sum", "units")), "not": (Step("count"),)}
    used = ask(Fake(programs), tmp_path / "a.csv", "used")
    assert used.value == 3
    assert used.notes[0].startswith(
        "day: its cells may have the month first or the day; 03/04/2024 was taken for March 4"
    )
    assert ask(Fake(programs), tmp_path / "a.csv", "not").notes == ()
    assert duckdb.sql(used.sql).fetchall() == [(3,)]  # which DuckDB, left alone, reads as days of April and June


def of(style):
    return Index((IndexColumn("price", "number", (), False, 0, 9, style=style), IndexColumn("day", "date")))


@pytest.mark.parametrize(
    ("text", "points", "commas"),
    [
        ("over 1.234,56", "over 1234.56", "over 1234.56"),
        ("over 12,50", "over 12,50", "over 12.50"),
        ("over 10 000 or 1'000.5", "over 10000 or 1000.5", "over 10000 or 1000.5"),
        ("over 1.234", "over 1.234", "over 1234"),
        ("over 1,234", "over 1,234", "over 1,234"),
        ("1,2,3 in 2010,2011", "1,2,3 in 2010,2011", "1,2,3 in 2010,2011"),
        ("in 2024 500 people, 5 100m", "in 2024 500 people, 5 100m", "in 2024 500 people, 5 100m"),
    ],
)
def test_numbers_of_questions(text, points, commas):
    assert (plainly(text, of("point")), plainly(text, of("comma"))) == (points, commas)


def test_a_number_in_a_cell_stays_as_it_is():
    index = Index((IndexColumn.of_texts("phone", ("555 123",), True), of("comma").columns[0]))
    assert plainly("who has 555 123", index) == "who has 555 123"


def days(text, style):
    [period] = link(text, of(style)).periods
    return str(period.first), period.note


def test_a_day_in_digits_is_written_as_those_of_the_table():
    assert days("on 3/5/2024", "day") == ("2024-05-03", "")
    assert days("on 3/5/2024", "month") == ("2024-03-05", "")
    assert days("on 3/5/2024", "") == ("2024-03-05", '"3/5/2024" was taken for 5 March 2024.')
    assert days("on 25/6/2024", "month") == days("on 25/6/2024", "") == ("2024-06-25", "")


def test_the_average_of_a_column_with_decimal_commas(path):
    found = ask(load_shipped(), path, "average price")
    assert (found.value, [step.column for step in found.steps]) == (7.85, ["price"])
    assert ask(load_shipped(), path, "how many have a price of more than 3,20").value == 1
