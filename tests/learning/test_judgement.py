"""Right and wrong by kind, what looks lucky, and what no program answers, on questions whose programs are known."""

import numpy as np
import pytest

from neural_programmer.config import NetworkConfig
from neural_programmer.decision import Decision
from neural_programmer.index import Index
from neural_programmer.learning import judgement
from neural_programmer.learning.examples import tried
from neural_programmer.learning.judgement import Judgement, coverage, judged, left_out, luck
from neural_programmer.link import link
from neural_programmer.masks import Move
from neural_programmer.operations import ALL
from neural_programmer.program import Program, Step, kind_of
from neural_programmer.table import Table
from neural_programmer.triples import read

CONFIG = NetworkConfig(hidden=4, program_steps=5, columns="linked", operations=ALL)
ROWS = [
    {"name": "Ann", "team": "red", "pay": 11},
    {"name": "Bo", "team": "blue", "pay": 23},
    {"name": "Cy", "team": "red", "pay": 47},
    {"name": "Di", "team": "green", "pay": 95},
]
TABLE = Table(
    ("name", "team", "pay"),
    (np.array(["Ann", "Bo", "Cy", "Di"]), np.array(["red", "blue", "red", "green"]), np.array([11.0, 23, 47, 95])),
)


def triples(*pairs):
    return read([(question, ROWS, answer) for question, answer in pairs]).checked(False).triples


class Stubborn:
    """A model that always chooses one program."""

    config = CONFIG

    def __init__(self, *steps):
        self.program = Program(steps)

    def decide(self, question, index, rows):
        return Decision(self.program, 0.5)


def test_verdicts_by_kind():
    """Wrong answers are of the kind that is right; what no program answers is of none."""
    asked = triples(
        ("how many in team red", 2), ("total pay in team red", 58), ("what is the weather", None), ("odd pay", 1234567)
    )
    verdicts = judged(Stubborn(Step("text match", "team", ("red",)), Step("count")), asked)
    assert [(one.right, one.kind) for one in verdicts] == [
        (True, "count"), (False, "sum"), (False, "declined"), (False, "no program"),
    ]  # fmt: skip
    assert verdicts[1].said == 2
    assert verdicts[1].wanted == 58
    assert verdicts[1].program == "text match team red; count"
    found = Judgement("data", tuple(verdicts)).to_dict()
    assert found["overall"] == {"correct": 1, "total": 4, "accuracy": 0.25}
    assert found["kinds"]["sum"] == {"correct": 0, "total": 1, "accuracy": 0.0}
    assert len(found["wrong"]) == 3


def test_a_cell_is_right_as_number_and_as_cell_and_in_any_case():
    asked = triples(("pay of Bo", 23), ("pay of Bo again", [23]), ("who is blue", "bo"))
    cell = Stubborn(Step("text match", "name", ("Bo",)), Step("assign", "pay"))
    assert [one.right for one in judged(cell, asked)] == [True, True, False]
    total = Stubborn(Step("text match", "name", ("Bo",)), Step("sum", "pay"))
    assert [one.right for one in judged(total, asked)] == [True, True, False]
    name = Stubborn(Step("text match", "team", ("blue",)), Step("assign", "name"))
    assert [one.right for one in judged(name, asked)] == [False, False, True]


@pytest.mark.parametrize(
    ("operations", "kind"),
    [(["count"], "count"), (["greatest", "assign"], "greatest"), (["least", "count"], "count"),
     (["equal", "assign"], "look up"), (["decline"], "declined"), (["least", "assign"], "least"),
     (["text match", "whether"], "whether"), (["distinct"], "distinct"), (["most common", "assign"], "most common"),
     (["text match", "next", "assign"], "next"), (["greatest", "previous", "assign"], "previous"),
     (["equal", "first", "assign"], "first"), (["equal", "above", "count"], "count"),
     (["text match", "same", "assign"], "same"), (["text match", "more", "assign"], "more")],
)  # fmt: skip
def test_kinds(operations, kind):
    assert kind_of(operations) == kind


def test_what_a_program_leaves_out():
    question = link("total pay in team red over 20", Index.of(TABLE))
    red = next(place for place, one in enumerate(question.links) if 1 in one.texts)
    match, more, total = Move("text match", 1, link=red), Move("greater", 2, number=0), Move("sum", 2)
    assert left_out(question, [match, more, Move("and"), total]) == []
    assert len(left_out(question, [match, total])) == 1  # the number
    assert len(left_out(question, [Move("count")])) == 3  # the cell, the number, every column


def test_programs_that_look_lucky():
    """176 is the pay of all, whatever their team; 58 is that of the red one."""
    lucky, fair, declined = tried(
        triples(("total pay in team green", 176), ("total pay in team red", 58), ("is it true", None)), CONFIG
    )
    assert lucky.programs
    assert luck(lucky) == "team"  # a cell is called by its column
    assert luck(fair) == luck(declined) == ""


def test_questions_without_a_program_are_grouped_by_what_they_share():
    asked = triples(
        *((f"median pay of {team}", 1000 + place) for place, team in enumerate(("red", "blue", "green"))),
        *((f"total pay per {what}", ["Ann", 7]) for what in ("team", "name")),
        ("something else entirely", 77_777),
        *((f"total pay of {team}", pay) for team, pay in (("red", 58), ("blue", 23), ("green", 95))),
    )
    groups = coverage(list(zip(asked, tried(asked, CONFIG), strict=True)))
    assert [(len(group.questions), group.answer) for group in groups] == [
        (3, "a number"), (2, "a list"), (1, "a number"),
    ]  # fmt: skip
    assert groups[0].shared.startswith("median")
    assert "per" in groups[1].shared
    assert groups[2].shared == ""
    assert groups[2].questions == ("something else entirely",)


def test_nothing_is_missing_where_all_is_answered():
    asked = triples(("total pay of red", 58))
    assert coverage(list(zip(asked, tried(asked, CONFIG), strict=True))) == []


def test_candidates_are_tried_on_the_rows_that_asking_tries(monkeypatch):
    monkeypatch.setattr(judgement, "TRIED_ON", 3)
    seen = []

    class Looking(Stubborn):
        def decide(self, question, index, rows=None):
            seen.append(rows().rows)
            return super().decide(question, index, rows)

    [verdict] = judged(Looking(Step("count")), triples(("how many", 4)))
    assert seen == [3]
    assert verdict.right, "the program itself is run on all rows"
