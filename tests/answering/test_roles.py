"""What columns are to people: found from their names and cells."""

import numpy as np
import pytest

from neural_programmer.answering.roles import roles
from neural_programmer.questions.index import Index
from neural_programmer.tables.table import Table

SOME = [12.0, 7.0, 30.0, 7.0, 19.0, 25.0]


def role(name: str, cells=SOME, unit: str = "") -> str:
    table = Table((name,), (np.array(cells),))
    return roles(Index.of(table), table, {name: unit}).of[0]


@pytest.mark.parametrize(
    "name",
    ["id", "Order ID", "customerId", "room no", "Bus Number", "postcode", "ZIP", "latitude", "lng", "rank", "Position",
     "year", "release_yr", "month", "Start Hour", "phone"],
)  # fmt: skip
def test_numbers_that_only_stand_for_something_are_labels(name):
    assert role(name) == "label"


@pytest.mark.parametrize(
    "name", ["revenue", "rent_eur", "number of guests", "pages", "copiesSold", "Hours", "revenue this year", "Deaths"]
)
def test_amounts_can_be_summed(name):
    assert role(name) == "amount"


@pytest.mark.parametrize(
    "name",
    ["age", "price", "GDP per head", "temperature", "guest score", "rate/day", "free seats pct", "gizmo", "places"],
)
def test_of_levels_the_average_says_something(name):
    assert role(name) == "level"


def test_cells_say_what_names_do_not():
    assert role("built", [1901, 1950, 1999, 2005, 2010, 1950]) == "label"
    assert role("built", [1901.5, 1950, 1999, 2005, 2010, 1950]) == "level"
    assert role("n", [3, 1, 2, 5, 4]) == "label"
    assert role("n", [3, 1, 2, 5, 5]) == "level"
    assert role("paid", [1901, 1950, 1999, 2005, 2010, 1950], unit="$") == "amount"
    assert role("guests", SOME, unit="%") == "level"


def test_what_rows_are_called():
    columns = (
        [f"A-{n}" for n in range(9)],
        ["a very long text " * 5 + str(n) for n in range(9)],
        ["Oslo", "Rome", "Bern"] * 3,
        [f"Name {chr(65 + n)}" for n in range(9)],
        [f"Other {chr(65 + n)}" for n in range(9)],
        ["true", "false", "true"] * 3,
        np.array(["2024-01-01"] * 9, "M8[D]"),
    )
    table = Table(("code", "note", "city", "who", "also", "yes", "at"), tuple(map(np.array, columns)))
    found = roles(Index.of(table), table, {})
    assert found.of == ("text", "text", "group", "name", "name", "truth", "date")
    assert found.name
    assert found.name.name == "who"
    assert [column.name for column in found.columns("group", "date")] == ["city", "at"]
    assert found.beside is found.name


@pytest.mark.parametrize(
    ("first", "beside"),
    [
        (["Ann", "Bo"] * 4, True),
        ([f"A-{n}" for n in range(8)], True),
        (range(1, 9), True),
        ([3.5, 7, 3.5, 9] * 2, False),
    ],
)
def test_rows_without_a_name_are_known_by_the_first_column_if_it_measures_nothing(first, beside):
    table = Table(("first", "city"), (np.array(list(first)), np.array(["Oslo", "Rome"] * 4)))
    found = roles(Index.of(table), table, {})
    assert found.name is None
    assert (found.beside.name if found.beside else None) == ("first" if beside else None)
