"""Which words of a question are looked for in all cells."""

import numpy as np
import pytest

from neural_programmer.questions.index import Index
from neural_programmer.questions.phrases import phrases
from neural_programmer.tables.table import Table

USUAL = frozenset(
    "how many what is price of blue red house houses yellow the long have are sold sales net which berlin total title "
    "who".split()
)
INDEX = Index.of(
    Table(
        ("title", "net price", "colour", "in stock"),
        (np.array(["Zebra Crossing"]), np.array([1.0]), np.array(["red"]), np.array(["true"])),
    ),
)


def asked(question, is_name):
    return {phrase.said[0] for phrase in phrases(question, USUAL, INDEX) if phrase.is_name == is_name}


@pytest.mark.parametrize(
    ("question", "missed"),
    [
        ("how many are red houses", {"red houses", "houses"}),
        ("net price of red", set()),
        ("net price of Zebra Crossing", set()),  # which is known
        ("net price of the Red Zebra Crossing", set()),
        ("net price of 'the Red Zebra'", {"the Red Zebra", "Red Zebra", "Zebra"}),
        ("net price of 'red'", set()),
        ("how many red in stock", set()),
    ],
)
def test_what_is_missed_is_no_known_text(question, missed):
    found = {said for phrase in phrases(question, USUAL, INDEX) if phrase.is_name for said in phrase.missed}
    assert found == missed


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("what is the price of Drummer", {"Drummer"}),
        ("what is the price of drummers", {"drummers"}),
        ("what is the price of the drummer", {"drummer", "the drummer"}),
        ("price in Berlin", {"Berlin"}),
        ("how many are Red", set()),  # which is known
        ("how many by The Who", {"The Who"}),
        ("price of Long", set()),
        ("price of Long Long", {"Long Long"}),
        ('price of "long"', {"long"}),
        ("price of 'The Long'?", {"The Long"}),
        ("How Many Red Houses Are Sold", {"Houses Are Sold"}),  # a headline
        ("how many of 1984", {"1984"}),
        ("sales in March", set()),
        ("how many rows are there", set()),
        ("what is the net price", set()),
        ("", set()),
        ("?!", set()),
    ],
)
def test_what_is_said_as_a_name(question, names):
    found = asked(question, True)
    assert names <= found if names else not {phrase for phrase in found if " " not in phrase}


def test_two_everyday_words_that_say_something_are_a_name():
    found = asked("what is the price of the blue house", True)
    assert {"blue house", "the blue house"} <= found
    assert not {"blue", "house", "how many", "the price"} & found


def test_everyday_words_are_looked_for_where_nothing_else_is_meant():
    assert asked("how many are blue", False) == {"blue"}
    assert asked("how many are the blue", False) == {"blue", "the blue"}
    assert asked("how many are red", False) == set()
    assert asked("how many", False) == asked("the total", False) == asked("yes or no", False) == set()


def test_what_is_unknown_is_named():
    unknown = {
        said for phrase in phrases("red price of Blue House in Zebra Crossing", USUAL, INDEX) for said in phrase.unknown
    }
    assert unknown == {"Blue House"}


def test_a_long_question_is_read_soon_and_stays_what_it_is():
    question = " ".join(["blue house"] * 1_000)[:10_000]
    found = phrases(question, USUAL, INDEX)
    assert len({phrase.key for phrase in found}) < 40
    assert all(said in f"{question} " for phrase in found for said in phrase.said)
