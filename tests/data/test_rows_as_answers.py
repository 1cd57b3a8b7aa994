"""Answers that are tables or truths in questions of one's own: read, searched for and judged."""

import json

from neural_programmer.candidates.conditions import found
from neural_programmer.cli import main
from neural_programmer.data.readings import readings
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import link
from neural_programmer.tables.table import Table

RENTS = Table(("city", "rent"), (["Oslo", "Rome"], [900.0, 700.0]))


def test_rows_are_a_table_and_a_truth_is_one():
    (table,) = readings([["Oslo", 900], ["Rome", 700]], RENTS)
    assert (table.kind, table.value) == ("table", [["Oslo", 900], ["Rome", 700]])
    assert [meant.kind for meant in readings(True, RENTS)] == ["truth"]


def test_they_are_judged(tmp_path, capsys):
    (tmp_path / "rents.csv").write_text("city,rent\nOslo,900\nRome,700\n")
    asked = [
        {"table": "rents.csv", "question": "average rent by city", "answer": [["Oslo", 900], ["Rome", 700]]},
        {"table": "rents.csv", "question": "what is the highest rent", "answer": 900},
        {"table": "rents.csv", "question": "is any rent above 800", "answer": True},
    ]
    (tmp_path / "asked.jsonl").write_text("\n".join(map(json.dumps, asked)))
    main(["evaluate", "ask", "--data", str(tmp_path / "asked.jsonl")])
    said = capsys.readouterr().out
    assert "33.33 %      1   3" in said
    assert 'right is [["Oslo", 900], ["Rome", 700]]' in said


def test_the_search_for_programs_finds_none_for_a_table():
    question = link("average rent by city", Index.of(RENTS))
    for meant in (*readings([["Oslo", 900], ["Rome", 700]], RENTS), *readings(True, RENTS)):
        assert [moves for moves in found(question, [RENTS], [meant], 6) if moves[-1].operation != "whether"] == []
