"""Answers as files: what a spreadsheet would compute is a text, and the rest is as it was."""

import csv
import io
import json

import pytest

from neural_programmer.page.downloads import as_csv, as_json, harmless
from neural_programmer.programs.answer import Answer, AnswerStep
from neural_programmer.programs.result import Result


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1 x", "@SUM(A1)", "\t=1", "\r=1", "  =1", '=HYPERLINK("x")'])
def test_formulas_are_texts(text):
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("value", ["a=b", "x", "", -5, 1.5, None, True, "2024-01-01"])
def test_other_cells_are_what_they_are(value):
    assert harmless(value) is value


def test_values_stand_under_the_name_of_their_column():
    answer = Answer(Result.cells(("a,b", "=x", 'say "hi"'), "=name"), question="?")
    assert list(csv.reader(io.StringIO(as_csv(answer)))) == [["'=name"], ["a,b"], ["'=x"], ['say "hi"']]


def test_a_truth_stands_under_answer():
    answer = Answer(Result.truth(True), steps=(AnswerStep("whether"),), question="?")
    assert as_csv(answer) == "answer\r\nTrue\r\n"
    assert json.loads(as_json(answer))["answer"] is True


def test_a_number_stands_under_answer():
    answer = Answer(Result.number(-2.5), steps=(AnswerStep("sum", "price"),), question="?")
    assert as_csv(answer) == "answer\r\n-2.5\r\n"
