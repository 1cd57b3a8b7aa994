"""What the rows of a table are called: questions that differ in one word, or in the name of the table."""

import contextlib
import csv
import sqlite3

import pytest

from neural_programmer.answering.asking import Desk, ask
from neural_programmer.answering.model import load_shipped
from neural_programmer.answering.thinking import think
from neural_programmer.questions.row_names import row_names

MODEL, DESK = load_shipped(), Desk()
PEOPLE = [
    ("name", "town", "vegan", "nights"),
    ("Anna", "Bern", "yes", 3),
    ("Bo", "Lyon", "no", 7),
    ("Cem", "Bern", "no", 2),
    ("Dora", "Graz", "yes", 8),
]
HOMES = [
    ("unit_no", "street", "rooms", "rent"),
    (1, "Elm Road", 1, 700),
    (2, "Oak Lane", 3, 1500),
    (3, "Elm Road", 2, 900),
    (4, "Mill Way", 2, 1100),
]
VESSELS = {
    "boat_name": ["Alba", "Brisa", "Coral", "Fjord"],
    "harbour": ["Kiel", "Cork", "Kiel", "Brest"],
    "length_m": [12, 30, 8, 21],
}
SICK = {"patient": ["Ada", "Bob", "Cyd"], "age": [34, 70, 51], "insured": [True, False, True]}
EVENTS = {
    "event": ["Gala", "Fair", "Ball"],
    "city": ["Kiel", "Cork", "Kiel"],
    "guests": [120, 300, 80],
}
FLATS = {"flat_id": [1, 2, 3, 4], "rooms": [1, 2, 2, 4], "rent": [300, 500, 700, 900]}
UNNAMED = {"name": ["Anna", "Bo", "Cem"], "town": ["Bern", "Graz", "Bern"]}


def written(folder, name, rows):
    path = folder / name
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def answered(table, question):
    return ask(MODEL, table, question, desk=DESK)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("how many guests came", 4),
        ("how many guests are there", 4),
        ("how many people came", 4),
        ("how many persons came", 4),
        ("how many entries are there", 4),
        ("how many records", 4),
        ("number of guests from Bern", 2),
        ("how many guests are not vegan", 2),
        ("which guest stayed longest", ["Dora"]),
        ("guests from Graz", ["Dora"]),
    ],
)
def test_the_name_of_a_file_is_that_of_its_rows(tmp_path, question, value):
    answer = answered(written(tmp_path, "2024_guests-export.csv", PEOPLE), question)
    assert answer.value == value
    assert not answer.notes


@pytest.mark.parametrize("noun", ["hotels", "dogs", "flats", "beds", "doctors"])
def test_all_rows_are_not_counted_as_something_else(tmp_path, noun):
    answer = answered(written(tmp_path, "guests.csv", PEOPLE), f"how many {noun} are there")
    assert answer.kind == "none"


def test_why_they_are_not(tmp_path):
    answer = answered(written(tmp_path, "guests.csv", PEOPLE), "number of hotels")
    assert answer.reason == (
        'the question asks for "hotels", and a row of the table is called "guest"; ask how many rows there are'
    )


def test_what_is_asked_of_rows_that_may_be_so_is_told(tmp_path):
    answer = answered(written(tmp_path, "guests.csv", PEOPLE), "how many hikers from Bern are there")
    assert answer.value == 2
    assert answer.notes == ('"hikers" was taken for the rows, which are called guest.',)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("number of flats", 4),
        ("how many flats", 4),
        ("how many flats in Elm Road", 2),
        ("average rent of flats in Elm Road", 800),
        ("how many units", 4),
        ("how many people", None),
        ("how many tenants are there", None),
    ],
)
def test_a_first_column_names_rows_beside_the_file(tmp_path, question, value):
    assert answered(written(tmp_path, "flats.csv", HOMES), question).value == value


@pytest.mark.parametrize(
    ("table", "question", "value"),
    [
        (VESSELS, "how many boats", 4),
        (VESSELS, "number of boats in Kiel", 2),
        (VESSELS, "how many boats are longer than 10 m", 3),
        (VESSELS, "list the boats", ["Alba", "Brisa", "Coral", "Fjord"]),
        (VESSELS, "how many cars are there", None),
        (VESSELS, "how many people", None),
        (SICK, "how many patients", 3),
        (SICK, "how many people are there", 3),
        (SICK, "how many patients are insured", 2),
        (SICK, "number of doctors", None),
        (SICK, "how many doctors are there", None),
        (SICK, "average age of doctors", None),
        (FLATS, "how many flats", 4),
        (FLATS, "how many flats have 2 rooms", 2),
        (FLATS, "average rent of flats with 2 rooms", 600),
        (FLATS, "which flat has the highest rent", [4]),
        (FLATS, "how many houses", None),
    ],
)
def test_a_frame_is_named_by_its_first_column(table, question, value):
    assert answered(table, question).value == value


@pytest.mark.parametrize(
    ("question", "value", "note"),
    [
        ("how many guests", 500, '"guests" was taken for the total of a column; '),
        ("how many guests came", 500, '"guests" was taken for the total of a column; '),
        ("number of guests", 500, '"guests" was taken for the total of a column; '),
        ("how many guests in Kiel", 200, ""),
        ("average number of guests", 166.66666666666666, ""),
        ("how many events", 3, ""),
        ("how many events had over 100 guests", 2, ""),
    ],
)
def test_a_column_of_numbers_is_not_what_rows_are_called(question, value, note):
    answer = answered(EVENTS, question)
    assert answer.value == pytest.approx(value)
    assert "".join(answer.notes).startswith(note) if note else not answer.notes


def test_what_nothing_says_is_told():
    answer = answered(UNNAMED, "how many guests from Bern")
    assert (answer.value, answer.notes) == (2, ('"guests" was taken for the rows.',))


def test_a_table_of_a_database_names_its_rows_and_not_the_file(tmp_path):
    path = tmp_path / "hotels.db"
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE guests (name TEXT, town TEXT, nights INT)")
        connection.executemany("INSERT INTO guests VALUES (?, ?, ?)", [(a, b, d) for a, b, _, d in PEOPLE[1:]])
    connection.close()
    assert answered(f"{path}::guests", "how many guests came").value == 4
    assert answered(f"{path}::guests", "how many hotels are there").value is None


def test_how_it_was_thought_of_is_of_the_question_as_it_was_answered(tmp_path):
    thought = think(MODEL, written(tmp_path, "guests.csv", PEOPLE), "how many guests came", desk=DESK)
    assert thought.answer.value == 4
    assert thought.words == ("how", "many", "guests", "came")


@pytest.mark.parametrize(
    ("names", "first", "words", "sure"),
    [
        (["2024_flats-export.xlsx"], "street", {"flat"}, "flat"),
        (["Guests", "may.xlsx"], "name", {"guest"}, "guest"),
        (["Sheet1", "guests.xlsx"], "name", {"guest"}, "guest"),
        (["used_cars.csv.gz"], "Model", {"car"}, "car"),
        (["sales_by_region.csv"], "day", {"sale"}, "sale"),
        (["list of boats.csv"], "name", {"boat"}, "boat"),
        (["gymMembers2023.csv"], "id", {"member"}, "member"),
        (["people.json"], "name", {"person"}, "person"),
        (["acme.csv"], "name", {"acme"}, ""),
        (["data.csv"], "flat_id", {"flat"}, "flat"),
        (["export (2).csv"], "e-mail", set(), ""),
        ([], "boatName", {"boat"}, "boat"),
    ],
)
def test_names(names, first, words, sure):
    found = row_names(names, first, False)
    assert (set(found.words), found.sure) == (words, sure)
