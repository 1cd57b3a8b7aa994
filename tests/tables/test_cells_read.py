"""What views read of cells as people write them, by hand; which views a column has."""

from datetime import date

import pytest

from neural_programmer.tables.views import Read, fitting, read


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Read()),
        ("none[1]", Read()),
        ("12 km", Read(number=12)),
        ("\u2212$1,200.50", Read(number=-1200.5)),
        ("- \u20ac .5 million", Read(number=-500_000)),
        ("1.5\u00a0billion[2]", Read(number=1.5e9)),
        ("5 millions", Read(number=5)),
        ("3\u20132 (aet)", Read(number=3, second=2, span=1)),
        ("1:02:03.5", Read(time=3723.5, number=1, second=2, span=1)),
        ("62:03", Read(time=3723, number=62, second=3, span=59)),
        ("5:60", Read(number=5, second=60, span=55)),
        ("1999\u20132000", Read(year=1999, number=1999, second=2000, span=1)),
        ("May 4, 1990", Read(day=date(1990, 5, 4), year=1990, number=4, second=1990)),
        ("4th of July,\u00a01776", Read(day=date(1776, 7, 4), year=1776, number=4, second=1776)),
        ("SEPT. 2010", Read(day=date(2010, 9, 1), year=2010, number=2010)),
        ("29 February", Read(day=date(2000, 2, 29), number=29)),
        ("30 February 2001", Read(year=2001, number=30, second=2001)),
        ("2001-02-29 or 4 May 1990", Read(year=2001, number=2001, second=2, span=11)),
        ("Mary 5", Read(number=5)),
        ("\u0661\u0662", Read()),
        ("5\v6", Read(number=5, second=6, span=1)),
        ("May\v5", Read(number=5)),
        ("5 May 1990 \u2013 6 June 1994", Read(day=date(1990, 5, 5), year=1990, number=5, second=1990, span=4)),
        ("-5 to 3", Read(number=-5, second=3)),
        ("1 million to 2 million", Read(number=1e6, second=2)),
        ("1999-00", Read(year=1999, number=1999, second=0)),
    ],
)
def test_what_is_read(text, expected):
    assert read(text) == expected


def test_months_are_read_by_their_names():
    assert [read(text).month for text in ("Oct. 3", "2001-02-03", "1990", "may be")] == [
        "October",
        "February",
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("texts", "views"),
    [
        (["5 km", "6 km", "far"], ("number",)),
        (["5 km", "far", "near"], ()),
        (["5 km", "", " "], ("number",)),
        (["1:20", "2:30.5"], ("time",)),
        (["4 May", "5 June"], ("date", "month")),
        (["4 May 1990", "5 June 1991", "unknown"], ("date", "year", "month")),
        (["4 May 1990 \u2013 5 June 1991", "1 May 1990 \u2013 1 May 1992"], ("date", "year", "month", "span")),
        (["1990 (a)", "1991"], ("year",)),
        (["1990-91", "12 in 1992"], ("year", "number", "second number")),
        (["1990-1991", "1992-1994"], ("year", "second number", "span")),
        (["2-1", "0-0"], ("number", "second number", "span")),
        (["5, 6", "7, 8"], ("number", "second number", "span")),
        ([], ()),
    ],
)
def test_which_views_a_column_has(texts, views):
    assert fitting(texts) == views
