"""Times as people say them."""

import numpy as np
import pytest

from neural_programmer.questions.index import years_of
from neural_programmer.questions.times import time_of, times
from neural_programmer.questions.tokens import tokenized

YEARS = 2022.0, 2024.5  # the dates of a table are from 2022 to the middle of 2024


def found(text, years=YEARS):
    return [
        (str(token.period.first), str(token.period.last)[:10])
        for token in times(tokenized(text), years)
        if token.period and token.number is None
    ]


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("in March 2024", "2024-03-01", "2024-03-31"), ("on March 5, 2024", "2024-03-05", "2024-03-05"),
        ("5 March 2024", "2024-03-05", "2024-03-05"), ("the 5th of March 2023", "2023-03-05", "2023-03-05"),
        ("may fourteenth 2024", "2024-05-14", "2024-05-14"), ("in Q2 2023", "2023-04-01", "2023-06-30"),
        ("in dec 2023", "2023-12-01", "2023-12-31"), ("on 2024-02-29", "2024-02-29", "2024-02-29"),
        ("on 25/06/2024", "2024-06-25", "2024-06-25"), ("on 3/5/2024", "2024-03-05", "2024-03-05"),
        ("after 1.3.2024", "2024-03-01", "2024-03-01"), ("on 2024/03/01", "2024-03-01", "2024-03-01"),
        ("March the 20th, 2024", "2024-03-20", "2024-03-20"),
        ("on 28-May-15", "2015-05-28", "2015-05-28"), ("before 2-jul-1999", "1999-07-02", "1999-07-02"),
        ("on 3rd Sept-69", "1969-09-03", "1969-09-03"),
    ],
)  # fmt: skip
def test_times_with_a_year(said, first, last):
    assert found(said) == found(said, None) == [(first, last)]


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("on June 4th", "2024-06-04", "2024-06-04"), ("the fifth of May", "2024-05-05", "2024-05-05"),
        ("in September", "2023-09-01", "2023-09-30"), ("since 10 march", "2024-03-10", "2024-03-10"),
        ("in may", "2024-05-01", "2024-05-31"), ("October ones", "2023-10-01", "2023-10-31"),
        ("in aug", "2023-08-01", "2023-08-31"), ("in Q1", "2024-01-01", "2024-03-31"),
        ("on 29 February", "2024-02-29", "2024-02-29"),
    ],
)  # fmt: skip
def test_times_without_a_year_are_the_last_that_the_table_has(said, first, last):
    assert found(said) == [(first, last)]
    assert found(said, None) == []


@pytest.mark.parametrize(
    "said", ["what may I take", "they march on", "the marina", "decimal 5", "may 40", "the 12th man"]
)
def test_what_is_no_time(said):
    assert found(said) == []


def test_a_day_that_no_year_has():
    assert found("on 31 June") == [("2024-06-01", "2024-06-30")]  # some number, and a month
    assert str(time_of("March 2024").first) == "2024-03-01"


def test_two_days_of_one_month():
    assert found("between the 12th and the 16th of March") == [("2024-03-12",) * 2, ("2024-03-16",) * 2]
    assert found("the 1st to 10th of May 2023") == [("2023-05-01",) * 2, ("2023-05-10",) * 2]
    assert found("the 30th and 10 February") == [("2024-02-10",) * 2]  # no day of February


def test_the_month_in_which_the_table_ends():
    for month, name in ((3, "March"), (5, "May"), (12, "December")):
        years = years_of(np.datetime64("2023-01-01"), np.datetime64(f"2024-{month:02d}-01"))
        assert found(f"in {name}", years)[0][0] == f"2024-{month:02d}-01"
        assert found(f"on the 2nd of {name}", years)[0][0] == f"2023-{month:02d}-02"


@pytest.mark.parametrize("last", ["9999-12-31", "200000-01-01"])
def test_dates_that_mean_no_end(last):
    years = years_of(np.datetime64("-0044-03-15"), np.datetime64(last))
    assert len(found("in december", years)) <= 1
    assert found("on the 99999999999th of March", years) in ([], [("9998-03-01", "9998-03-31")])


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("in the first week of March 2023", "2023-03-01", "2023-03-07"),
        ("in the fifth week of March", "2024-03-29", "2024-03-31"),
        ("the last week of March", "2024-03-25", "2024-03-31"),
        ("in the first half of 2023", "2023-01-01", "2023-06-30"),
        ("second half of May", "2024-05-16", "2024-05-31"),
        ("in the second quarter of 2024", "2024-04-01", "2024-06-30"),
        ("early March", "2024-03-01", "2024-03-10"),
        ("in mid-July 2023", "2023-07-11", "2023-07-20"),
        ("late 2023", "2023-09-01", "2023-12-31"),
        ("at the end of February 2024", "2024-02-21", "2024-02-29"),
        ("the start of Q2 2023", "2023-04-01", "2023-04-30"),
        ("the first 5 days of March 2023", "2023-03-01", "2023-03-05"),
        ("the last 10 days of 2023", "2023-12-22", "2023-12-31"),
        ("the last 2 weeks of May", "2024-05-18", "2024-05-31"),
        ("the first 3 months of 2023", "2023-01-01", "2023-03-31"),
        ("last day of May 2024", "2024-05-31", "2024-05-31"),
        ("the first days of March 2023", "2023-03-01", "2023-03-10"),
        ("the third month of 2023", "2023-03-01", "2023-03-31"),
        ("in the week of March 5 2023", "2023-02-27", "2023-03-05"),
    ],
)
def test_parts_of_a_time_are_told(said, first, last):
    assert found(said) == [(first, last)]
    [period] = [token.period for token in times(tokenized(said), YEARS) if token.period]
    assert period.note.endswith(f"was taken for {period}.")


@pytest.mark.parametrize(
    ("said", "whole"),
    [
        ("the 6th week of March 2023", [("2023-03-01", "2023-03-31")]), ("the first 400 days of 2023", []),
        ("the 3rd half of 2023", []),
    ],
)  # fmt: skip
def test_parts_that_a_time_does_not_have(said, whole):
    assert found(said) == whole
    assert notes(said) == []


def notes(text, years=YEARS):
    return [token.period.note for token in times(tokenized(text), years) if token.period and token.period.note]


def test_a_year_that_was_not_said_is_told_where_the_table_has_several():
    taken = "was taken for {}, the last such {} of the table; name the year for another."
    assert notes("in July") == ['"July" ' + taken.format("July 2024", "time")]
    assert notes("on March 5") == ['"March 5" ' + taken.format("March 5 2024", "day")]
    assert notes("in July 2023") == notes("in July", (2024.0, 2024.9)) == []


def test_the_year_of_a_range_is_said_once():
    assert found("between March and July 2023") == [("2023-03-01", "2023-03-31"), ("2023-07-01", "2023-07-31")]
    assert found("from November to February 2024") == [("2023-11-01", "2023-11-30"), ("2024-02-01", "2024-02-29")]
    assert found("between April and August") == [("2023-04-01", "2023-04-30"), ("2023-08-01", "2023-08-31")]
    assert found("from March 3 to May 5, 2023") == [("2023-03-03",) * 2, ("2023-05-05",) * 2]
