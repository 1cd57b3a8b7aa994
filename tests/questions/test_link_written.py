"""Questions about cells as people write them: parts of cells, ordinals, times, totals and countries, by example."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.questions.config import NEAR
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import link
from neural_programmer.tables.table import Table
from neural_programmer.tables.views import written

RUNNERS = Index.of(
    written(
        Table(
            ("Rank", "Name", "Nation", "Time", "Distance", "Day"),
            tuple(map(np.array, (
                ["1st", "2nd", "3rd", "4", "Total"],
                ["Ann Lee Aho", "Bo Berg", "Cy Carr", "Ann Berg", "grand total"],
                ["United States (USA)", "Hungary", "Korea", "Great Britain", ""],
                ["2:01.5", "1:59.0", "2:10.25", "2:00.0", ""],
                ["80 m", "100 m", "12.5 km (2nd)", "flight 714 north", "1,000 m"],
                ["May 4, 1990", "4 May 1991", "June 1992", "May 5, 1990", ""],
            ))),
        )
    )
)  # fmt: skip
PIECES = "1st third 2:01.5 2:00 9:59 80 m 714 may 1990 bergs lee american total rank names no ' \u02bc \u0345".split()


def written_links(text):
    """What a question says of written cells: of each word that means some, these, and whether it only may."""
    question = link(text, RUNNERS, cells="written")
    return [
        (
            question.shown[each.position],
            {RUNNERS.columns[slot].name: each.meant(slot) for slot in each.texts},
            each.near,
        )
        for each in question.links
        if not each.total
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("who is Bo Berg", [("Bo Berg", {"Name": ("Bo Berg",)}, False)]),  # all of a cell
        ("who is lee aho", [("lee aho", {"Name": ("Ann Lee Aho",)}, False)]),  # words of it in a row
        ("who is aho", [("aho", {"Name": ("Ann Lee Aho",)}, False)]),  # one that is no other word
        ("when did the berg start", [("berg", {"Name": ("Bo Berg", "Ann Berg")}, True)]),  # which may be another word
        ("how many bergs ran", [("bergs", {"Name": ("Bo Berg", "Ann Berg")}, False)]),  # by its stem
        ("is there any in all of the", []),  # words that mention nothing
        ("which american ran", [("american", {"Nation": ("United States (USA)",)}, True)]),  # part of a cell
        ("the british runners", [("british", {"Nation": ("Great Britain",)}, False)]),  # all of it
        ("how many koreans", [("koreans", {"Nation": ("Korea",)}, False)]),  # called otherwise, and many
        ("how many hungarians", [("hungarians", {"Nation": ("Hungary",)}, False)]),
        ("the french runners", []),  # there are none
        ("who was on 714", [("714", {"Distance": ("flight 714 north",)}, False)]),  # a number within a text
        ("who was on 14", []),  # not within a number
        ("who ran in 1990", [("1990", {"Day": ("May 4, 1990", "May 5, 1990")}, False)]),
    ],
)  # fmt: skip
def test_words_of_written_cells(text, found):
    assert written_links(text) == found


def test_words_of_questions_about_written_cells_are_read_in_the_singular():
    assert link("how many runners", RUNNERS, cells="written").words == ("how", "many", "runner")
    assert link("how many runners", RUNNERS).words == ("how", "many", "runners")


@pytest.mark.parametrize(
    ("text", "words", "numbers"),
    [
        ("who came third", ("who", "came", "[number]"), (3.0,)),
        ("who came 7th", ("who", "came", "[number]"), (7.0,)),
        ("who came 3rd", ("who", "came", "[value]"), (3.0,)),  # a cell, with its number
        ("who came first", ("who", "came", "first"), ()),  # which may be the first row
        ("who came second", ("who", "came", "second"), ()),
        ("who ran under 2:02", ("who", "ran", "under", "[number]"), (122.0,)),  # seconds
        ("who ran under 1:02:03.5", ("who", "ran", "under", "[number]"), (3723.5,)),
        ("who ran 2:01.5", ("who", "ran", "[value]"), (121.5,)),  # a cell, with its seconds
        ("who ran over 2:10.25 in may 1990", ("who", "ran", "over", "[value]", "in", "[time]"), (130.25, None)),
        ("who ran 2:99", ("who", "ran", "[number]", "[number]"), (2.0, 99.0)),  # no time
        ("who ran 80 m", ("who", "ran", "[value]"), (80.0,)),  # a cell, with its number
        ("who ran 90 m", ("who", "ran", "[number]", "m"), (90.0,)),
        ("who ran over 1,000 m", ("who", "ran", "over", "[value]"), (1000.0,)),
    ],
)
def test_numbers_of_questions_about_written_cells(text, words, numbers):
    """Ordinals, times and numbers with something beside them; each stands in its place."""
    question = link(text, RUNNERS, cells="written")
    assert question.words == words
    assert tuple(None if number != number else number for number in question.numbers) == numbers
    assert all(question.words[place] in ("[number]", "[value]", "[time]") for place in question.number_positions)


def test_times_are_read_as_such_where_there_are_some():
    """Elsewhere 2:30 is two numbers."""
    index = Index.of(Table(("a",), (np.array(["x 2 30", "y"]),)))
    assert link("who has 2:30", index, cells="written").numbers == (2.0,)
    assert link("who has 2:31", index, cells="written").numbers == (2.0, 31.0)


def test_rows_of_totals_may_be_left_out_by_every_question():
    """By a link of their own, which no word says; tables without such rows have none."""
    *_, last = link("how many runners", RUNNERS, cells="written").links
    assert (last.total, last.near) == (True, True)
    assert {slot: last.meant(slot) for slot in last.texts} == {0: ("Total",), 1: ("grand total",)}
    plain = Index.of(Table(("a",), (np.array(["totality", "a sum of things", "summer"]),)))
    assert link("how many things", plain, cells="written").links[-1:] != (last,)
    assert not any(each.total for each in link("how many things", plain, cells="written").links)


def test_links_of_single_words_are_few_and_the_rarest():
    names = [f"common {word}" for word in "amber birch cedar dahlia ebony fig".split()]
    index = Index.of(Table(("name",), (np.array(names),)))
    question = link("common amber birch2 or cedar or dahlia or ebony or fig", index, cells="written")
    single = [each for each in question.links if each.near]
    assert len(single) == NEAR.parts
    assert [each.position for each in single] == sorted(each.position for each in single)
    assert all(len(each.parts[0]) == 1 for each in single), "common is of all"


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=20), min_size=1, max_size=12).map(" ".join))
def test_any_text_is_read_or_refused(text):
    """Positions lie within the words, every word has what was said and is shown, every link means some cells."""
    try:
        question = link(text, RUNNERS, cells="written")
    except NeuralProgrammerError:
        return
    places = [*question.number_positions, *(each.position for each in question.links)]
    assert all(0 <= place < len(question.words) for place in places)
    assert len(question.numbers) == len(question.number_positions) == len(question.periods)
    assert len(question.said) == len(question.shown) == len(question.words)
    for each in question.links:
        assert each.texts
        assert each.parts.keys() <= each.texts.keys()
