"""The worked example: fifty questions about three tables, in words that nobody else uses, and a fourth table."""

import json
from pathlib import Path

import pytest

from neural_programmer import api
from neural_programmer.cli import main

OWN = Path(__file__).parent.parent.parent / "examples" / "own_questions"


@pytest.mark.slow
def test_fifty_questions_are_learnt_and_carry_over_to_a_fourth_table(tmp_path, capsys):
    assert len((OWN / "questions.jsonl").read_text().splitlines()) == 50
    before = api.judge(api.load(), OWN / "fourth.jsonl").overall
    assert before.correct < before.total / 2
    main(["fit", str(OWN / "questions.jsonl"), "--out", str(tmp_path / "run")])
    assert "all         100.00 %     14  14     100.00 %     36  36" in capsys.readouterr().out
    model = api.load(tmp_path / "run")
    fourth = api.judge(model, OWN / "fourth.jsonl")
    assert fourth.overall.accuracy == 1
    assert json.loads((tmp_path / "run" / "report.json").read_text())["accuracy"]["train"]["accuracy"] == 1
    assert str(model.ask(str(OWN / "bikes.csv"), "cream by rent from green")) == "[Kite]"
    assert str(model.ask(str(OWN / "bikes.csv"), "how many bikes are red?")) == "3"  # what it knew before
