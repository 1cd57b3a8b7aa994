"""Right and wrong by kind, what looks lucky, and what no program answers, on questions whose programs are known."""

from dataclasses import replace

import numpy as np
import pytest

from candidates.test_candidates import program_of
from neural_programmer import api
from neural_programmer.answering.decision import Decision
from neural_programmer.answering.model import Model
from neural_programmer.data.triples import read
from neural_programmer.learning.examples import PROGRAMS_KEPT, tried
from neural_programmer.learning.judgement import Judgement, coverage, judged, left_out, luck
from neural_programmer.learning.ranked import answering, own_ranked
from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import UNKNOWN, Vocabulary
from neural_programmer.network.soft import ALL
from neural_programmer.programs.answer import items_of
from neural_programmer.programs.moves import Move
from neural_programmer.programs.operations import ROWS as ROW_NAMES
from neural_programmer.programs.program import Program, Step, kind_of, run
from neural_programmer.programs.same import is_right_of_wikitables as is_right
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import PLACEHOLDERS, link
from neural_programmer.tables.table import Table
from neural_programmer.tables.views import written

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


class Reading(Stubborn):
    """A model that chooses whole programs about cells as people write them; what it was shown is kept."""

    config = replace(CONFIG, operations=ROW_NAMES, chooses="programs", cells="written")

    def __init__(self, *steps):
        super().__init__(*steps)
        self.shown = []

    def decide(self, question, index, rows):
        self.shown.append((index, rows.first()))
        return super().decide(question, index, rows)


KINDS = ("whether", "next", "sum")
RACES = [
    {"runner": "Ann", "distance": "10 km[1]", "place": "2nd"},
    {"runner": "Bo", "distance": "12.5 km", "place": "1st"},
    {"runner": "Cy", "distance": "9 km", "place": "3rd"},
    {"runner": "Di", "distance": "7 km in snow", "place": "4th"},
    {"runner": "Ed", "distance": "5 km", "place": "5th"},
]


def test_models_that_read_written_cells_are_asked_about_views(monkeypatch):
    """Made once for a table; the kinds of what is wrong are of the programs that such a model chooses among."""
    made = []
    monkeypatch.setattr("neural_programmer.questions.index.written", lambda table: made.append(table) or written(table))
    asked = read(
        [
            ("how far in all", RACES, 43.5),
            ("who came after Bo", RACES, "Cy"),
            ("who ran furthest", RACES, "Bo"),
            ("how many ran", RACES, 5),
            ("odd thing", RACES, 1234567),
        ]
    ).checked(False)
    model, told = Reading(Step("sum", "distance (number)")), []
    verdicts = judged(model, asked.triples, lambda *done: told.append(done))
    assert [one.right for one in verdicts] == [True, False, False, False, False]
    assert [one.kind for one in verdicts] == ["sum", "next", "greatest", "count", "no program"]
    assert len(made) == 1
    for index, rows in model.shown:
        assert rows.names == ("runner", "distance", "place", "distance (number)", "place (number)")
        assert [column.view for column in index.columns] == ["", "", "", "number", "number"]
    assert told == sorted(told), "what is told of progress never goes back"
    assert told[-1] == (5, 5)


def test_a_model_that_reads_written_cells_is_judged_by_the_official_measure(tmp_path):
    """As `evaluate` does, with a file of predictions: what it says is what asking it says."""
    cells = "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in [[*RACES[0]], *(r.values() for r in RACES)])
    (tmp_path / "races.csv").write_text(cells)
    lines = [("did Bo run", "yes"), ("who came after Bo", "Cy"), ("how far in all", "43.5")]
    asked = "".join(f"nu-{place}\t{text}\traces.csv\t{answer}\n" for place, (text, answer) in enumerate(lines))
    (tmp_path / "asked.tsv").write_text("id\tutterance\tcontext\ttargetValue\n" + asked)
    words = Vocabulary.of([*PLACEHOLDERS, UNKNOWN])
    weights = network.initial(Reading.config, len(words), np.random.default_rng(0))
    model = Model(Reading.config, words, weights)
    judgement = api.judge(model, tmp_path / "asked.tsv", predictions=tmp_path / "said.tsv")
    said = [line.split("\t") for line in (tmp_path / "said.tsv").read_text().splitlines()]
    answers = [model.ask(tmp_path / "races.csv", text) for text, _ in lines]
    assert [items for _, *items in said] == [items_of(answer) for answer in answers]
    assert [one.right for one in judgement.verdicts] == [
        is_right(items_of(answer), [wanted]) for answer, (_, wanted) in zip(answers, lines, strict=True)
    ]
    wrong = [(kind, one.kind) for kind, one in zip(KINDS, judgement.verdicts, strict=True) if not one.right]
    assert wrong
    assert all(kind == found for kind, found in wrong)


class Doubtful(Stubborn):
    """A model that declines, but has another program besides."""

    def decide(self, question, index, rows):
        return Decision(Program((Step("decline"),)), 0.7, "it is not said", ((self.program, 0.2),))


def test_the_next_best_program_counts_where_every_question_has_an_answer(tmp_path):
    """That is of WikiTableQuestions; to others, not to answer is an answer."""
    (tmp_path / "staff.csv").write_text("name,team,pay\nAnn,red,11\nBo,blue,23\n")
    line = "nt-0\twhat is the pay of all\tstaff.csv\t34"
    (tmp_path / "asked.tsv").write_text(f"id\tutterance\tcontext\ttargetValue\n{line}\n")
    official = read(tmp_path / "asked.tsv").checked(False).triples
    others = triples(("what is the pay of all", 176))
    model = Doubtful(Step("sum", "pay"))
    found = [judged(model, asked)[0] for asked in (official, others)]
    assert [(one.program, one.said, one.confidence, one.right) for one in found] == [
        ("sum pay", 34, 0.2, True), ("decline", None, 0.7, False),
    ]  # fmt: skip
    assert [one.items for one in found] == [("34",), ()]


def test_a_cell_is_right_as_number_and_as_cell_and_in_any_case():
    asked = triples(("pay of Bo", 23), ("pay of Bo again", [23]), ("who is blue", "bo"))
    cell = Stubborn(Step("text match", "name", ("Bo",)), Step("assign", "pay"))
    assert [one.right for one in judged(cell, asked)] == [True, True, False]
    total = Stubborn(Step("text match", "name", ("Bo",)), Step("sum", "pay"))
    assert [one.right for one in judged(total, asked)] == [True, True, False]
    name = Stubborn(Step("text match", "team", ("blue",)), Step("assign", "name"))
    assert [one.right for one in judged(name, asked)] == [False, False, True]


def test_the_shortest_right_candidates_are_programs():
    """They give the answer when the interpreter runs them, and look lucky where those that are found do."""
    asked = triples(("total pay in team green", 176), ("total pay in team red", 58), ("odd pay", 1234567))
    config = replace(CONFIG, chooses="programs")
    lucky, fair, without = answering(asked, config)
    assert [luck(lucky), luck(fair), without.programs] == ["team", "", ()]
    for triple, one in zip(asked, (lucky, fair), strict=False):
        lengths = [len(moves) for moves in one.programs]
        assert 0 < len(lengths) <= PROGRAMS_KEPT
        assert lengths == sorted(lengths)
        for moves in one.programs:
            program = program_of(moves, one.question, triple.table)
            assert triple.judge(run(program, triple.table).answer), str(program)
    whole = own_ranked(asked, config, 0, None)
    assert [one.programs for one in whole] == [lucky.programs, fair.programs, ()], "however many candidates are kept"
    for one in whole:
        counts = (one.moves[one.right, :, 0] >= 0).sum(axis=1)
        assert [len(moves) for moves in one.programs] == sorted(counts.tolist())[:PROGRAMS_KEPT]


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
    monkeypatch.setattr("neural_programmer.tables.table.TRIED_ON", 3)
    seen = []

    class Looking(Stubborn):
        def decide(self, question, index, rows=None):
            seen.append(rows.first().rows)
            return super().decide(question, index, rows)

    [verdict] = judged(Looking(Step("count")), triples(("how many", 4)))
    assert seen == [3]
    assert verdict.right, "the program itself is run on all rows"
