"""Questions about a table with more texts than are prepared: the model that comes along finds each of them."""

import random
from contextlib import contextmanager
from dataclasses import replace

import duckdb
import numpy as np
import pytest

from neural_programmer.answering.asking import Desk, ask
from neural_programmer.answering.model import load_shipped
from neural_programmer.answering.thinking import think
from neural_programmer.questions import cell_texts, indexing
from neural_programmer.tables.source import open_source

MODEL = load_shipped()
UNSURE = MODEL.config.unsure
LAST = (
    "Yellow House",
    "Zwölf Nächte",
    "Who's Who",
    "100 % Wool_",
    "Yes, Yes!",
    "Zoo",
    "What Is in the Box That She Left by the Door",
)
EVERYDAY = ("How Many", "The Highest", "Rows", "Have", "Price Over", "There", "Is")
WRITERS = ("Zyta Zwick", "O'Neil Żółć", "Zoe", "zz top", "Zoryak, Y.", "Yvonne Young", "Xu")


@pytest.fixture(scope="module")
def books():
    """24,007 rows, with titles of everyday words, writers and remarks that are all different; those at the end last.

    Of the title Yellow House each word is the text of another column by itself.
    """
    words = "blue red green house river stone black white night street garden moon king water fire gold".split()
    generator = random.Random(0)
    titles = [f"{' '.join(generator.sample(words, 3)).title()} {number}" for number in range(24_000)]
    writers = [f"Anna B{number}" for number in range(24_000)]
    columns = {
        "title": [*titles, *LAST],
        "writer": [*writers, *WRITERS],
        "remark": [*(f"A{number}" for number in range(24_000)), *EVERYDAY],
        "publisher": ["Ark" if number % 2 else "Bee" for number in range(24_000 + len(LAST))],
        "colour": ["Yellow" if number % 3 else "Blue" for number in range(24_000 + len(LAST))],
        "kind": ["House" if number % 5 else "Box" for number in range(24_000 + len(LAST))],
        "price": np.concatenate([np.full(24_000, 5.0), 101.0 + np.arange(len(LAST))]),
    }
    with open_source(columns) as source:
        yield source


@pytest.fixture(scope="module")
def desk():
    return Desk()


@pytest.fixture(params=["cells", "memory"])
def beyond(monkeypatch, request):
    """Tables have too many cells for an index of all, or there is no memory for one."""

    def too_much(*_):
        raise duckdb.OutOfMemoryException("no memory is left")

    if request.param == "cells":
        monkeypatch.setattr(indexing, "INDEXED_CELLS", 0)
    else:
        monkeypatch.setattr(cell_texts, "_pieces", too_much)
    return Desk()


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("what is the price of Yellow House", [101.0]),
        ("what is the price of yellow house?", [101.0]),
        ("how many rows have title Yellow House", 1),
        ("what is the price of zwolf nachte", [102.0]),
        ("what is the price of Who's Who", [103.0]),
        ("what is the price of '100 % Wool_'", [104.0]),
        ('what is the price of "Yes, Yes!"', [105.0]),
        ("what is the price of Zoo", [106.0]),
        ("what is the price of zoo", [106.0]),
        ("what is the price of what is in the box that she left by the door", [107.0]),
        ("total price where writer is O'Neil Żółć", 102.0),
        ("which title has writer zyta zwick", ["Yellow House"]),
        ("what is the price where writer is ZZ Top", [104.0]),
        ("how many rows have publisher Ark and writer Zoryak, Y.", 0),
        ("how many rows have publisher Bee and writer Zoryak, Y.", 1),
    ],
)
def test_every_text_is_found(books, desk, question, value):
    answer = ask(MODEL, books, question, desk=desk)
    assert answer.value == value
    assert answer.notes == ()


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("how many rows are there", 24_007),
        ("How many rows have a price over 100", 7),
        ("what is the highest price", 107.0),
        ("how many have a price over 105", 2),
    ],
)
def test_everyday_words_are_no_cells(books, desk, question, value):
    assert ask(MODEL, books, question, desk=desk).value == value


def test_what_stands_in_no_cell_is_not_found(books, desk):
    answer = ask(MODEL, books, "what is the price of Prague House", desk=desk)
    assert not answer.answered
    assert '"Prague"' in answer.reason
    assert (answer.confidence or 0) > UNSURE


def test_a_title_is_found_beyond_the_cells_of_an_index(books, beyond):
    for question in (
        "what is the price of Yellow House",
        "what is the price of yellow house",
        'what is the price of "Yellow House"',
        "what is the price where title is Yellow House",
    ):
        answer = ask(MODEL, books, question, desk=beyond)
        assert (answer.value, answer.notes) == ([101.0], ())
        assert (answer.confidence or 0) > UNSURE


def test_an_answer_says_what_was_not_looked_for_in_time_and_is_not_sure(books, beyond, monkeypatch):
    @contextmanager
    def over(*_):
        raise duckdb.InterruptException("time is up")
        yield

    monkeypatch.setattr(cell_texts, "within", over)
    for question, said in (
        ("what is the price of Yellow House", "Yellow House"),
        ("what is the price of yellow house", "yellow house"),
        ('what is the price of "Yellow House"', "Yellow House"),
        ("what is the price where title is Yellow House", "Yellow House"),
        ('what is the price of "The Yellow House"', "The Yellow House"),
        ("what is the price of zoo", "zoo"),
    ):
        answer = ask(MODEL, books, question, desk=beyond)
        [note] = answer.notes
        assert note.endswith(f'there may be one called "{said}".')
        assert (answer.confidence or 0) <= UNSURE
        assert answer.to_dict()["notes"] == [note]
    declined = ask(MODEL, books, "what is the price of Prague House", desk=beyond)
    assert declined.reason.startswith('there was no time to look through all cells for "Prague House"; ')
    thought = think(MODEL, books, "what is the price of Yellow House", desk=beyond)
    assert thought.answer.notes
    assert all((other.confidence or 0) <= UNSURE for other in thought.others)
    for question in ("average price where publisher is Ark", "average price where colour is Yellow and kind is House"):
        sure = ask(MODEL, books, question, desk=beyond)
        assert sure.notes == ()
        assert (sure.confidence or 0) > UNSURE


def test_how_sure_it_may_be_where_not_all_cells_were_looked_through_is_a_setting(books, beyond, monkeypatch):
    @contextmanager
    def over(*_):
        raise duckdb.InterruptException("time is up")
        yield

    monkeypatch.setattr(cell_texts, "within", over)
    wary = replace(MODEL, config=replace(MODEL.config, unsure=0.125))
    answers = [ask(model, books, "what is the price of Yellow House", desk=beyond) for model in (MODEL, wary)]
    assert 0.125 < answers[0].confidence <= UNSURE
    assert answers[1].confidence <= 0.125
