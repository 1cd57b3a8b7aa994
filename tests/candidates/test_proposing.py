"""Programs that are proposed: shapes on small tables, the cap, the same each time, odd tables."""

from dataclasses import replace

import numpy as np
import pytest

from neural_programmer.candidates.config import PROPOSALS
from neural_programmer.candidates.proposing import KIND, SHAPES, propose
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.program import run
from neural_programmer.programs.same import is_right
from neural_programmer.questions.index import Index
from neural_programmer.tables.table import Table

DAYS = [
    np.datetime64(day) for day in ("2018-03-01", "2019-05-02", "2019-07-09", "2018-11-30", "2019-01-15", "2020-02-02")
]
FLATS = Table(
    ("street", "district", "rent", "rooms", "furnished", "let since"),
    (
        ["Elm Road", "Oak Lane", "Ash Way", "Fir Street", "Yew Court", "Lime Row"],
        ["North", "South", "North", "East", "South", "North"],
        [900.0, 700.0, 1200.0, 650.0, 800.0, 1000.0],
        [3.0, 2.0, 4.0, 1.0, 2.0, np.nan],
        ["true", "false", "true", "false", "true", "false"],
        DAYS,
    ),
)
ASKED = {
    "how many flats are in the North district": 3,
    "average rent": 875,
    "median rent of South": 750,
    "how many different districts are there": 3,
    "street of the dearest flat": ["Ash Way"],
    "street and rent in East": [["Fir Street", 650]],
    "average rent per district": [["North", 3100 / 3], ["South", 750], ["East", 650]],
    "number of flats for each district": [["North", 3], ["South", 2], ["East", 1]],
    "which district has the highest average rent": ["North"],
    "which district has the most flats": ["North"],
    "districts with more than one flat": ["North", "South"],
    "streets of the three flats with the highest rent": ["Ash Way", "Lime Row", "Elm Road"],
    "street with the second highest rent": ["Lime Row"],
    "what percentage of the flats is furnished": 50,
    "what share of the rent comes from North": 100 * 3100 / 5250,
    "share of furnished flats by district": [["North", 200 / 3], ["South", 50], ["East", 0]],
    "difference between the average rent in North and in South": 3100 / 3 - 750,
    "how many times the rent of South is that of North": 3100 / 1500,
    "total rent by year of let since": [[2018, 1550], [2019, 2700], [2020, 1000]],
    "are there any flats in the North with a rent over 1100": True,
    "is the average rent in North higher than in South": True,
    "how many flats have no rooms given": 1,
    "streets that contain 'oa'": ["Elm Road", "Oak Lane"],
    "highest rent per room: rent divided by rooms": 650,
    "correlation of rent and rooms": None,
    "streets with a rent above the average": ["Elm Road", "Ash Way", "Lime Row"],
    "how many flats were let since 2019": 4,
    "streets of flats with a lower rent than the average in North": [
        "Elm Road", "Oak Lane", "Fir Street", "Yew Court", "Lime Row"
    ],
    "minimum and maximum rent": [[650, 1200]],
    "list the streets by rent, cheapest first": [
        "Fir Street", "Oak Lane", "Yew Court", "Elm Road", "Lime Row", "Ash Way"
    ],
}  # fmt: skip


def answers(proposals, table):
    for program in proposals:
        yield run(program, table).answer.value


@pytest.mark.parametrize("question", ASKED)
def test_a_program_with_the_right_answer_is_proposed(question):
    proposals = propose(question, Index.of(FLATS))
    wanted = ASKED[question]
    if wanted is None:
        assert any(program.steps[-1].operation == "correlation" for program in proposals)
    else:
        assert any(is_right(value, wanted) for value in answers(proposals, FLATS))


def test_no_more_are_proposed_than_allowed_and_what_is_left_out_is_counted():
    index = Index.of(FLATS)
    few = propose("average rent per district", index, replace(PROPOSALS, most=50))
    many = propose("average rent per district", index)
    assert len(few) == 50
    assert len(many) <= PROPOSALS.most
    assert sum(few.left_out.values()) >= sum(many.left_out.values()) > 0
    assert few.left_out.keys() <= KIND.keys()


def test_each_program_is_proposed_once_and_the_same_ones_each_time():
    index = Index.of(FLATS)
    one, other = (propose("top two districts by rent since 2019", index) for _ in range(2))
    assert len(set(one.moves)) == len(one)
    assert one.moves == other.moves
    assert one.scores == other.scores


def test_every_shape_has_a_kind():
    assert sorted(shape.name for shape in SHAPES) == sorted(KIND)


def test_what_is_mentioned_comes_before_what_is_not():
    proposals = propose("average rent per district", Index.of(FLATS))
    assert str(proposals[0]) == "for each district; average rent"


def test_columns_that_no_slot_has_are_counted():
    wide = Table(tuple(f"column {n}" for n in range(300)), tuple([float(n), 2.0] for n in range(300)))
    proposals = propose("average of column 7", Index.of(wide))
    assert proposals.columns == 300 - PROPOSALS.columns
    assert "average column 7" in map(str, proposals)


@pytest.mark.parametrize(
    "table",
    [
        Table(("name",), (["a", "b"],)),
        Table(("name", "size"), ([], [])),
        Table(("x",), ([np.nan, np.nan],)),
        Table(("when",), ([np.datetime64("2020-01-01")],)),
        Table(("blank",), (["", ""],)),
        Table(("count", "sum"), ([1.0, 2.0], [3.0, 4.0])),
    ],
    ids=["no numbers", "empty", "nothing there", "dates", "blank", "names of operations"],
)
@pytest.mark.parametrize("question", ["name", "how many more than 3 or 4 by year", "top 5 share of size", "¿?x"])
def test_odd_tables_have_proposals(table, question):
    proposals = propose(question, Index.of(table))
    for program in list(proposals)[:100]:
        run(program, table)


def test_long_questions_are_read_or_refused():
    index = Index.of(FLATS)
    assert len(propose("rent", index)) > 0
    assert len(propose("a " * 4_990, index)) > 0
    assert len(propose("rent " * 1_900, index)) > 0
    with pytest.raises(NeuralProgrammerError, match="characters"):
        propose("rent " * 5_000, index)
