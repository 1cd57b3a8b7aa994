"""Numbers as people say them, as the table's columns hold them."""

import math

import numpy as np
import pytest

from neural_programmer.questions.index import Index
from neural_programmer.questions.quantities import ordinal, quantities
from neural_programmer.questions.tokens import tokenized
from neural_programmer.tables.table import Table

FLATS = Index.of(
    Table(
        ("flat", "floor", "rooms", "rent ($)", "wait (min)", "price (m€)", "lease_months", "fee_k", "kind"),
        tuple(map(np.array, (
            ["A1", "B2"], [1.0, 4.0], [2.0, 5.0], [700.0, 9000.0], [5.0, 95.0], [0.4, 300.0], [6.0, 36.0], [10.0, 90.0],
            ["two-storey", "studio"],
        ))),
    )
)  # fmt: skip
PEAKS = Index.of(Table(("peak", "height (m)"), (np.array(["A", "B"]), np.array([3000.0, 4500.0]))))


def numbers(text, index=FLATS):
    return [token.number for token in quantities(tokenized(text), index) if token.number is not None]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("twenty five", [25]), ("half a dozen", [6]), ("a dozen", [12]), ("a couple of", [2]),
        ("half a million", [5e5]), ("over ten grand", [10_000]), ("a grand or more", [1000]), ("two point five", [2.5]),
        ("four and a half", [4.5]),
        ("two hundred and twenty five", [225]), ("one of them", []), ("at least one", [1]), ("and a half", []),
        ("colder than minus five", [-5]), ("below negative five", [-5]), ("seven point zero five", [7.05]),
        ("5 point -3", [5, -3]), ("5 point 5 point 5", [5.5, 5]), ("a dozen and a half", [18]),
        ("7 minus 5", [7, 5]), ("between one and five", [1, 5]),
    ],
)  # fmt: skip
def test_numbers_in_words(said, found):
    assert numbers(said) == found


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("from six to nine thousand", [6000, 9000]), ("between 5 and 9 thousand", [5000, 9000]),
        ("2 to 3k", [2000, 3000]), ("5 and 9 thousand", [5, 9000]), ("between 6,000 and 9 thousand", [6000, 9000]),
        ("9 to 3 thousand", [9, 3000]), ("between 2 and 3", [2, 3]),
    ],
)  # fmt: skip
def test_a_scale_that_holds_for_both_ends(said, found):
    assert numbers(said) == found


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("three-room flats", [3]), ("4-room flats", [4]), ("the two-storey one", []),
        ("well-known flats", []), ("studio-like", []),
        ("on the third floor", [3]), ("2nd floor", [2]), ("the ninth floor", []), ("the second highest", []),
        ("first come", []),
    ],
)  # fmt: skip
def test_numbers_that_belong_to_a_word(said, found):
    assert numbers(said) == found


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("waits over an hour", [60]), ("half an hour or longer", [30]), ("two hours", [120]), ("a year or more", [12]),
        ("half a year", [6]), ("18 months", [18]), ("3 days", [3]), ("ten minutes", [10]), ("what a day", []),
        ("rent a month", []), ("within an hour", [60]),
        ("an hour and a half or more", [90]), ("over an hour and a half", [90]), ("over 1h", [60]), ("1.5h", [90]),
    ],
)  # fmt: skip
def test_units_become_those_of_a_column(said, found):
    assert numbers(said) == found


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("more than 200 million", [200]), ("over 5k", [5000]), ("over 50k", [50]), ("2 million", [2]),
        ("3 billion", [3e9]),
    ],
)  # fmt: skip
def test_scales_become_those_of_a_column_where_none_holds_so_much(said, found):
    assert numbers(said) == found


def test_metres_are_no_millions():
    assert numbers("under 3500m", PEAKS) == [3500]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("in the 1990's", [1990, 1999]), ("in the 80's", [1980, 1989]), ("1990's winner", [1990]),
        ("from the 1990s", [1990, 1999]), ("in the 1800s", [1800, 1899]), ("in the 80s", [1980, 1989]),
        ("the eighties", [1980, 1989]), ("in their twenties", [20, 29]),
        ("in her early thirties", [30, 39]), ("2000s", [2000, 2009]),
        ("fifties", []),
    ],
)  # fmt: skip
def test_decades_are_between_two_years(said, found):
    assert numbers(said, PEAKS) == found


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("less than 60 s", [60]), ("more than 1500 s", [1500]), ("the 50 s limit", [50]),
        ("has only one medal", [1]), ("the only one with a medal", []), ("is the only one", []),
    ],
)  # fmt: skip
def test_seconds_are_no_decades_and_the_only_one_no_number(said, found):
    assert numbers(said, PEAKS) == found


def test_ordinals():
    assert [ordinal(word) for word in ("first", "12th", "22nd", "twelve", "th")] == [1, 12, 22, None, None]


def test_units_are_those_at_the_end_of_names_and_of_the_column_that_is_mentioned():
    tasks = Index.of(
        Table(
            ("wait (min)", "latency (ms)", "weight (g)", "min_qty", "year"),
            tuple(
                np.array(pair) for pair in ([10.0, 80.0], [300.0, 900.0], [50.0, 90.0], [1.0, 2.0], [2019.0, 2024.0])
            ),
        )
    )
    assert numbers("latency over 2 seconds", tasks) == [2000]
    assert numbers("wait over 90 seconds", tasks) == [1.5]
    assert numbers("over 2 seconds", tasks) == [2]  # of two columns with such units
    assert numbers("weight over 300mg", tasks) == [0.3]
    hours = Index.of(Table(("Hrs to Resolve", "First Reply (min)"), (np.array([1.0, 200.0]), np.array([1.0, 99.0]))))
    assert numbers("resolved after 100 hours", hours) == numbers("more than a hundred hours to fix", hours) == [100]
    assert numbers("at least 2 months", tasks) == [2]  # years are no lengths of time


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("99999999999th floor", []), ("9" * 400 + "th floor", []), ("9" * 400 + " point 5", [math.inf, 5]),
        ("9" * 20 + " point 5", [1e20, 5]), ("a " * 4900, []),
    ],
)  # fmt: skip
def test_what_is_too_much_has_no_place_and_no_decimals(said, found):
    assert numbers(said) == found


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("below \u22125", [-5]),
        ("above \u20135", [-5]),
        ("above - 5", [-5]),
        ("a - 5", [5]),
        (".5", [0.5]),
        ("2.5kg", [2.5]),
        ("\uff11\uff12", [12]),
        ("6-9", [6, 9]),
    ],
)
def test_signs_and_digits(said, found):
    assert numbers(said) == found
