"""Judging answers to questions that people wrote; and the model that is shipped, on the development questions."""

import json
from pathlib import Path

import pytest

from neural_programmer.answering.decision import Decision
from neural_programmer.answering.model import load_shipped
from neural_programmer.learning.questions import Judged, calibration_error, judge, measured, summary
from neural_programmer.programs.program import Program, Step

QUESTIONS = Path(__file__).parent.parent / "questions"


def judged(confidence, right, group="plain"):
    return Judged("id", group, "?", 1, 1 if right else 2, "count", confidence, right)


def test_the_calibration_error_by_hand():
    """Two bins: three at 0.95 of which two are right, one at 0.25 that is wrong."""
    every = [judged(0.95, True), judged(0.95, True), judged(0.95, False), judged(0.25, False)]
    assert calibration_error(every) == pytest.approx((abs(2 - 2.85) + 0.25) / 4)
    assert calibration_error([judged(1.0, True)]) == 0


def test_a_summary_counts_by_group_and_lists_every_miss():
    found = summary([judged(0.9, True), judged(0.8, False), judged(0.7, True, "free")])
    assert found["groups"] == {"plain": {"right": 1, "of": 2}, "free": {"right": 1, "of": 1}}
    assert found["all"] == {"right": 2, "of": 3}
    assert [miss["confidence"] for miss in found["misses"]] == [0.8]


class Counts:
    """A model that counts, whatever it is asked."""

    def decide(self, question, index, rows=None):
        return Decision(Program((Step("count"),)), 0.5)


def test_questions_are_asked_about_the_tables_beside_them(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n1,x\n2,y\n")
    lines = [
        {"id": number, "table": "t.csv", "question": "how many", "group": "plain", "answer": answer}
        for number, answer in (("one", 2), ("two", 3))
    ]
    (tmp_path / "questions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    told = []
    found = judge(Counts(), tmp_path, lambda done, total: told.append((done, total)))
    assert [(one.id, one.said, one.program, one.right) for one in found] == [
        ("one", 2, "count", True),
        ("two", 2, "count", False),
    ]
    assert told == [(1, 2), (2, 2)]


def test_questions_of_analysis_measure_no_shipped_model(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n1,x\n2,y\n")
    groups = {"one": ("plain", 2), "two": ("analysis", [["x", 1], ["y", 1]]), "three": ("unanswerable", None)}
    lines = [
        {"id": name, "table": "t.csv", "question": "how many", "group": group, "answer": answer}
        for name, (group, answer) in groups.items()
    ]
    (tmp_path / "questions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [one.id for one in judge(Counts(), tmp_path)] == ["one", "three"]


def test_the_development_questions_are_as_many_as_is_said():
    """In docs and model card."""
    found = [one for folder in sorted(QUESTIONS.glob("development*")) for one in measured(folder)]
    assert (len(found), sum(one["group"] == "unanswerable" for one in found)) == (707, 62)
    assert (len(measured(QUESTIONS / "test")), len(list(QUESTIONS.glob("development*")))) == (396, 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "floor"), [("development", 0.93), ("development-b", 0.83), ("development-c", 0.83)]
)  # fmt: skip
def test_the_shipped_model_answers_the_development_questions(name, floor):
    found = summary(judge(load_shipped(), QUESTIONS / name))
    assert found["groups"]["plain"]["right"] >= 0.95 * found["groups"]["plain"]["of"]
    assert found["all"]["right"] >= floor * found["all"]["of"]
