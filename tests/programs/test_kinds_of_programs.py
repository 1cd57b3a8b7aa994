"""A small program of every kind that questions need, on one table: the interpreter and DuckDB give its answer."""

import numpy as np
import pytest

from neural_programmer.engines import duck
from neural_programmer.programs.pointers import BandOf, Computed, MeasureAt, PartOf
from neural_programmer.programs.program import Program, Step, run
from neural_programmer.programs.same import is_right
from neural_programmer.tables.period import Period
from neural_programmer.tables.source import open_source

FLATS = """flat,city,owner,rent,size,built,floor
Ash,Oslo,Ada,900,40,1990-05-01,1
Birch,Oslo,Bo,1200,60,2001-03-10,2
Cedar,Rome,Ada,700,50,1985-07-20,3
Dogwood,Rome,Cy,700,55,2001-11-05,1
Elm,Rome,Bo,1500,90,2010-01-15,5
Fir,Bern,Dee,1100,70,1990-02-01,
Gum,,Ada,500,30,1970-06-30,2
"""


def year(number):
    first = np.datetime64(str(number))
    return Period(first.astype("M8[us]"), (first + 1).astype("M8[us]") - np.timedelta64(1, "us"), str(number))


M1, M2 = MeasureAt(0), MeasureAt(1)
PROGRAMS = {  # steps -> the answer, and whether its rows have an order
    "cells of rows": ([("greater", "rent", 1000.0), ("show", "flat")], ["Birch", "Elm", "Fir"], False),
    "several columns": (
        [("text match", "city", ("Oslo",)), ("show", "flat"), ("show", "rent")],
        [["Ash", 900], ["Birch", 1200]],
        False,
    ),
    "each once": ([("show", "city"), ("once",)], ["Oslo", "Rome", "Bern", None], False),
    "a number": ([("text match", "city", ("Rome",)), ("average", "size")], 65, False),
    "how many": ([("at most", "rent", 700.0), ("count",)], 3, False),
    "how many different": ([("distinct", "owner")], 4, False),
    "several numbers": ([("overall",), ("minimum", "rent"), ("maximum", "rent"), ("count",)], [[500, 1500, 7]], False),
    "and, or": (
        [("equal", "rent", 700.0), ("greater", "size", 50.0), ("and",), ("text match", "owner", ("Dee",)), ("or",),
         ("show", "flat")],
        ["Dogwood", "Fir"],
        False,
    ),
    "not": ([("contains", "flat", ("a",)), ("not",), ("show", "flat")],
            ["Birch", "Dogwood", "Elm", "Fir", "Gum"], False),
    "a beginning and an ending": (
        [("begins with", "owner", ("d",)), ("ends with", "flat", ("UM",)), ("or",), ("show", "flat")],
        ["Fir", "Gum"],
        False,
    ),
    "a time": ([("equal", "built", year(2001)), ("show", "flat")], ["Birch", "Dogwood"], False),
    "missing": ([("missing", "floor"), ("show", "flat")], ["Fir"], False),
    "columns compared": ([("take", "rent"), ("exceeds", "size"), ("count",)], 7, False),
    "rows in an order": ([("descending", "size"), ("show", "flat")],
                         ["Elm", "Fir", "Birch", "Dogwood", "Cedar", "Ash", "Gum"], True),
    "two orders": ([("ascending", "flat"), ("ascending", "rent"), ("show", "flat")],
                   ["Gum", "Cedar", "Dogwood", "Ash", "Fir", "Birch", "Elm"], True),
    "the first, with ties": ([("bottom", "rent", 2.0), ("show", "flat")], ["Gum", "Cedar", "Dogwood"], True),
    "the first by a time": ([("top", "built", 2.0), ("show", "flat")], ["Elm", "Dogwood"], True),
    "the second": ([("place from the top", "rent", 2.0), ("show", "flat")], ["Birch"], False),
    "the second by a time": ([("place from the bottom", "built", 2.0), ("show", "flat")], ["Cedar"], False),
    "groups": ([("for each", "city"), ("count",)], [["Oslo", 2], ["Rome", 3], ["Bern", 1]], False),
    "groups of two": (
        [("greater", "rent", 1000.0), ("for each", "city"), ("for each", "owner"), ("count",)],
        [["Oslo", "Bo", 1], ["Rome", "Bo", 1], ["Bern", "Dee", 1]],
        False,
    ),
    "groups of years": ([("for each", PartOf("built", "year")), ("count",)],
                        [[1970, 1], [1985, 1], [1990, 2], [2001, 2], [2010, 1]], True),
    "groups of bands": ([("for each", BandOf("size", 30.0)), ("count",)], [[30, 4], [60, 2], [90, 1]], True),
    "a condition on a measure": (
        [("for each", "city"), ("average", "rent"), ("greater", M1, 1000.0), ("show", "city")],
        ["Oslo", "Bern"],
        False,
    ),
    "a measure or another": (
        [("for each", "city"), ("average", "rent"), ("count",), ("greater", M1, 1060.0), ("at least", M2, 3.0),
         ("or",), ("show", "city")],
        ["Rome", "Bern"],
        False,
    ),
    "not a measure": (
        [("for each", "city"), ("count",), ("equal", M1, 1.0), ("not",), ("show", "city")], ["Oslo", "Rome"], False),
    "the most": ([("for each", "owner"), ("count",), ("top", M1, 1.0), ("show", "owner")], ["Ada"], False),
    "how many groups": ([("for each", "owner"), ("count",), ("greater", M1, 1.0), ("count",)], 2, False),
    "a condition of a measure": (
        [("for each", "city"), ("greater", "size", 50.0), ("count",)],
        [["Oslo", 1], ["Rome", 2], ["Bern", 1]],
        False,
    ),
    "rows of groups": (
        [("for each", "owner"), ("count",), ("greater", M1, 1.0), ("among", "owner"), ("show", "flat")],
        ["Ash", "Birch", "Cedar", "Elm", "Gum"],
        False,
    ),
    "rows of no such group, and a condition": (
        [("for each", "city"), ("count",), ("top", M1, 1.0), ("not among", "city"), ("greater", "rent", 1000.0),
         ("and",), ("show", "flat")],
        ["Birch", "Fir"],
        False,
    ),
    "the best of each": (
        [("for each", "city"), ("top of each", "rent", 1.0), ("show", "city"), ("show", "flat")],
        [["Oslo", "Birch"], ["Rome", "Elm"], ["Bern", "Fir"]],
        False,
    ),
    "among the best of each": (
        [("for each", "city"), ("bottom of each", "rent", 1.0), ("among", "owner"), ("count",)], 5, False),
    "compared with an aggregate": ([("average", "rent"), ("more than it", "rent"), ("show", "flat")],
                                   ["Birch", "Elm", "Fir"], False),
    "groups compared with an aggregate": (
        [("average", "rent"), ("reset",), ("for each", "city"), ("average", "rent"), ("more than it", M1),
         ("show", "city")],
        ["Oslo", "Rome", "Bern"],
        False,
    ),
    "both": (
        [("text match", "city", ("Oslo",)), ("among", "owner"), ("text match", "city", ("Rome",)), ("and",),
         ("show", "owner"), ("once",)],
        ["Ada", "Bo"],
        False,
    ),
    "one and not the other": (
        [("text match", "city", ("Oslo",)), ("not among", "owner"), ("text match", "city", ("Rome",)), ("and",),
         ("show", "owner")],
        ["Cy"],
        False,
    ),
    "computed of rows": (
        [("take", "rent"), ("divided by", "size"), ("bottom", Computed(), 1.0), ("show", "flat")], ["Dogwood"], False),
    "a share": ([("reset",), ("text match", "city", ("Oslo",)), ("share",)], 100 * 2 / 7, False),
    "growth": (
        [("text match", "city", ("Oslo",)), ("sum", "rent"), ("text match", "city", ("Rome",)), ("sum", "rent"),
         ("growth",)],
        100 * 800 / 2100,
        False,
    ),
    "a truth": (
        [("text match", "city", ("Oslo",)), ("average", "rent"), ("text match", "city", ("Rome",)),
         ("average", "rent"), ("is more",)],
        True,
        False,
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("flats") / "flats.csv"
    path.write_text(FLATS, encoding="utf-8")
    return open_source(path)


@pytest.mark.parametrize("kind", PROGRAMS)
def test_a_program_of_each_kind(kind, source):
    steps, wanted, ordered = PROGRAMS[kind]
    program = Program(tuple(Step(*step) for step in steps))
    answer = run(program, source.table()).answer
    assert is_right(answer.result.value, wanted, ordered), answer
    of_duckdb, _ = duck.answer(program, source)
    assert is_right(of_duckdb.result.value, wanted, ordered), of_duckdb


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ([("top", "built", year(2001)), ("show", "flat")], "does not say how many"),
        ([("top", "rent"), ("show", "flat")], "does not say how many"),
        ([("overall",), ("count",), ("among", "city"), ("show", "flat")], "have no key"),
        ([("for each", "city"), ("count",), ("among", "rent"), ("show", "flat")], "not among"),
    ],
)
def test_what_makes_no_sense_is_said(steps, reason, source):
    answer = run(Program(tuple(Step(*step) for step in steps)), source.table()).answer
    assert answer.kind == "none"
    assert reason in answer.reason
