"""Why a question is declined: what a person can act on, and nothing that is not so."""

import numpy as np
import pytest

from neural_programmer.answering.declining import reason
from neural_programmer.answering.notes import notes
from neural_programmer.programs.program import Program, Step
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import link
from neural_programmer.questions.unknown import GROUPS, ORDER
from neural_programmer.tables.table import Table

CELLS = ["Golf", "Mustang"], ["diesel", "petrol"], [9000, 21000], ["true", "false"]
TABLE = Table(("Model", "Fuel", "Price", "Serviced"), tuple(map(np.array, CELLS)))
COLUMNS = "the columns are Model, Fuel, Price, Serviced"
NO_TIME = "there was no time to look through all cells for"


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("does the Golf have a sunroof", f'no column or cell is called "sunroof"; {COLUMNS}'),
        ("list the cars with a sunroof", f'no column or cell is called "sunroof"; {COLUMNS}'),
        ("who is Paolo Rinaldi", f'no column or cell is called "Paolo Rinaldi"; {COLUMNS}'),
        ("what is the top speed of the Mustang", f'no column or cell is called "speed"; {COLUMNS}'),
        ("hello, how are you", f"the question mentions no column and no cell; {COLUMNS}"),
        ("is the Golf still there", "the table does not hold what the question asks for"),
        ("average price per fuel", f"the question asks for {GROUPS}"),
        ("total price by fuel", f"the question asks for {GROUPS}"),
        ("the 3 cheapest models", f"the question asks for {ORDER}"),
        ("top 3 by price", f"the question asks for {ORDER}"),
        ("what is the second highest price", f"the question asks for {ORDER}"),
        ("median price", "the question asks for a figure for which there is no operation; "),
        ("what percentage is diesel", "the question asks for a share of a whole, "),
        ("what will the Golf cost", "the question asks for why it is so, for advice or for what is to come, "),
        ("which models have a blank price", "the question asks for missing cells, "),
        ("average fuel", "the table does not hold what the question asks for"),
        ("is there a model over 5", "the table does not hold what the question asks for"),
    ],
)
def test_reasons(question, why):
    index = Index.of(TABLE)
    assert reason(question, link(question, index), index).startswith(why)


@pytest.mark.parametrize(
    ("question", "missed", "why"),
    [
        ("what is the price of Purple Barn", "Purple Barn", f'{NO_TIME} "Purple Barn"; {COLUMNS}'),
        ("what is the price of purple barns", "purple barns", f'{NO_TIME} "purple barns"; {COLUMNS}'),
        ("what is the price of Golf Diesel", "Golf Diesel", f'{NO_TIME} "Golf Diesel"; {COLUMNS}'),
        (
            "does Purple Barn have a sunroof",
            "Purple Barn",
            f'no column or cell is called "sunroof", and {NO_TIME} "Purple Barn"; {COLUMNS}',
        ),
        ("total price per Purple Barn", "Purple Barn", f"the question asks for {GROUPS}"),
    ],
)
def test_what_was_not_looked_for_is_not_said_to_be_lacking(question, missed, why):
    index = Index.of(TABLE).extended({}, [missed])
    for cells in ("typed", "written"):
        assert reason(question, link(question, index, cells=cells), index) == why


def test_a_note_does_not_say_that_what_was_not_looked_for_is_lacking():
    index, program = Index.of(TABLE), Program((Step("count"),))
    question = "how many have a Barn"
    assert notes(link(question, index), program, index) == (
        'All rows were counted: no column or cell is called "Barn".',
    )
    [note] = notes(link(question, index), program, index.extended({}, ["Barn"]))
    assert note.endswith('there may be one called "Barn".')


def test_of_many_columns_some_are_named():
    index = Index.of(Table(tuple(f"c{i}" for i in range(20)), (np.array([1.0]),) * 20))
    why = reason("who painted it", link("who painted it", index), index)
    assert why == (
        'no column or cell is called "painted";'
        " the columns are c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11 and 8 more"
    )


def test_the_cell_that_is_no_number_is_named():
    acres = np.array(["1,193.91", "160", "4,193 (water)"])
    index = Index.of(
        Table(("park", "state", "acres"), (np.array(["Elm", "Oak", "Fir"]), np.array(["A", "B", "C"]), acres))
    )
    for question in (
        "average acres",
        "which park has the largest acres",
        "which state has a park with more than 100 acres",
    ):
        why = reason(question, link(question, index), index)
        assert why == (
            'acres is read as texts, for not all of its cells are numbers, such as "4,193 (water)"; mend these cells'
        )


def test_long_names_are_not_named_whole():
    index = Index.of(Table(("x" * 500, "b"), (np.array([1.0]),) * 2))
    why = reason("who painted it", link("who painted it", index), index)
    assert why.endswith(f"the columns are {'x' * 77}..., b")


def test_a_word_that_may_mean_a_cell_is_not_lacking():
    index = Index.of(Table(("Sex",), (np.array(["female", "male"]),)))
    question = "which are boys"
    assert any(found.near for found in link(question, index).links)
    assert "boys" not in reason(question, link(question, index), index)
