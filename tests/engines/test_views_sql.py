"""Views in SQL: DuckDB reads of every text what Python reads of it."""

import csv
from typing import get_args

import duckdb
import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sqlglot import exp

from neural_programmer.tables.views import READ, View, read
from neural_programmer.tables.views_sql import Viewed, before, value
from wikitable_files import FOLDER, there

PIECES = (
    *"0 1 2 3 5 9 12 29 30 31 45 59 60 99 007 1999 2000 2024 0000 1000 2100 12345 1,200 1,2,3 3.50 .5 5. 1e6".split(),
    *"- \u2212 \u2013 \u2014 + $ \u20ac \u00a3 : . , / ( ) [ ] [1] [note\n2] % ' \u00b0 st nd rd th of".split(),
    *"jan January FEB mar. march Mary apr may May jun june july Aug sept Sep September oct nov dec. december".split(),
    *"thousand Million BILLION millions km k \u0130 \u212a \u017f \u0660 \u00b2 \u00e9 \U0001f600 z1 a \u00df".split(),
    *(" ", " ", " ", "  ", "\t", "\n", "\r", "\v", "\f", "\u00a0", "\u2003", "\0", "", "9" * 400, "1" * 5000),
)
TEXTS = st.lists(st.sampled_from(PIECES) | st.characters(exclude_categories=["Cs"]), max_size=12).map("".join)
ODD = (
    "May 4, 1990", "30 February 2001", "2001-02-29 or 4 May 1990", "0000-05-04", "4th of July, 1776", "Sept. 2010",
    "\u2212\u00a0$1,200.50 million[3]", "- \u20ac .5", "1:02:03.5", "62:03", "5:60", "2-1", "1999\u20132000", "Mary 5",
    "1990 to 5 May 1994", "1999-00", "1990\n1994 1999", "5-12-7",
    "APR\u0130L 5", "1[9]99", "9" * 400 + ":10:20", "", " ", "no digit", "\u0661\u0662", "3\v4", "5\u00a0May\u00a01990",
)  # fmt: skip


def by_duckdb(texts):
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE cells (place INTEGER, cell VARCHAR)")
        connection.execute("INSERT INTO cells SELECT unnest(range(?)), unnest(?)", [len(texts), texts])
        views = [exp.alias_(value(exp.column("cell"), view), f"v{i}") for i, view in enumerate(get_args(View))]
        query = exp.select(*views).from_("cells").order_by("place")
        return connection.execute(query.sql("duckdb")).fetchall()


def check(texts):
    expected = [tuple(READ[view](read(text)) for view in get_args(View)) for text in texts]
    wrong = [pair for pair in zip(texts, by_duckdb(texts), expected, strict=True) if pair[1] != pair[2]]
    assert not wrong, wrong[:5]


@example(list(ODD))
@given(st.lists(TEXTS, min_size=20, max_size=60))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_duckdb_reads_what_python_reads(texts):
    check(texts)


def test_pieces_of_dates_times_and_numbers_in_any_order():
    generator = np.random.default_rng(0)
    pieces = np.array([piece for piece in PIECES if len(piece) < 20], object)
    check(["".join(generator.choice(pieces, generator.integers(1, 9))) for _ in range(5_000)])


@there
def test_all_cells_of_wikitablequestions():
    cells = set()
    for path in sorted((FOLDER / "csv").glob("*/*.csv")):
        with open(path, encoding="utf-8", newline="") as file:
            cells.update(cell for row in csv.reader(file, escapechar="\\") for cell in row)
    check(sorted(cells))


def test_dates_have_years_and_months_and_what_is_missing_has_nothing():
    with duckdb.connect() as connection:
        for cell, year, month in (
            ("DATE '1990-05-04'", 1990.0, "May"),
            ("TIMESTAMP '2020-02-29 10:00:00'", 2020.0, "February"),
            ("NULL", None, None),
        ):
            views = (value(exp.column("cell"), view, "date") for view in ("year", "month"))
            cells = exp.select(*views).from_("cells").sql("duckdb")
            query = f"WITH cells AS (SELECT CAST({cell} AS TIMESTAMP) AS cell) {cells}"
            assert connection.execute(query).fetchall() == [(year, month)]
    assert by_duckdb([None]) == [(None,) * len(get_args(View))]


def test_what_else_a_query_begins_with_may_use_the_views():
    numbered = exp.select("*", "row_number() OVER () AS number").from_("written")
    query = exp.select("max(number * way)").from_("numbered").with_("numbered", as_=numbered)
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE cells AS SELECT unnest(['5 km', '7 km']) AS text")
        made = before(query, "written", "cells", [Viewed("way", "text", "text", "number")])
        assert connection.execute(made.sql("duckdb")).fetchall() == [(14,)]
