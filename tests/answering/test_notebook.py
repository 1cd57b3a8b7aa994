"""The last line of a notebook cell: short lines and safe HTML for whatever the public functions give."""

import html
import re

import numpy as np
import pytest

import neural_programmer
from neural_programmer import front
from neural_programmer.answering.model import Model
from neural_programmer.base.notebook import grid, line, shortened, tag
from neural_programmer.data.paper.settings import TASKS
from neural_programmer.learning.evaluation import Evaluation, Score
from neural_programmer.learning.judgement import Judgement
from neural_programmer.network.encode import Vocabulary
from neural_programmer.network.equations import initial
from neural_programmer.network.weights import Trained
from neural_programmer.programs.answer import Answer, AnswerStep
from neural_programmer.programs.program import Program, Step, run
from neural_programmer.programs.result import Result
from neural_programmer.tables.table import Table

EVIL = "<script>alert('x')</script>&"
LONG = {"city": [f"{EVIL} {number}" for number in range(500)], "rent": list(range(500))}


@pytest.fixture(scope="module")
def model():
    return front.shipped()


@pytest.fixture(scope="module")
def thought(model):
    return model.think({"city": ["Oslo", "Rome", "Lima"], "rent": [900, 700, 400]}, "which city has the lowest rent?")


def test_a_model_is_one_short_line(model):
    """It was 131,825 characters: all words and weights."""
    assert repr(model) == (
        "Model(answers: people's questions, steps of a program: up to 8, networks: 2, weights: 3,635,783, words: 4,393)"
    )


def test_a_model_of_a_task_says_which(model):
    config, words = TASKS["single-column"].network, Vocabulary.of(["sum"])
    made = Model(config, words, initial(config, len(words), np.random.default_rng(0)), Trained("single-column"))
    assert repr(made).startswith("Model(answers: the task single-column, steps of a program: 4, ")


def test_an_answer_is_one_short_line():
    steps = (AnswerStep("maximum", "rent"),)
    assert repr(Answer(Result.number(900.0), steps=steps, confidence=0.98527)) == (
        "Answer('900', program='maximum rent', confidence=0.9853)"
    )
    assert repr(Answer(reason="there is no such column")) == "Answer('no answer: there is no such column')"
    many = Answer(Result.cells(("x" * 100,) * 500), total=500, cells=((0, "a"),) * 500)
    assert len(repr(many)) < 120


def test_a_thought_is_one_short_line(thought):
    assert repr(thought).startswith(
        "Thought('which city has the lowest rent?', Answer('[Lima]', program='least rent; assign city', confidence="
    )
    assert len(repr(thought)) < 200


def test_other_results_are_short_lines():
    table = Table(("city", "rent"), (np.array(["Oslo"] * 3000), np.arange(3000.0)))
    assert repr(table) == "Table(3,000 rows, columns city, rent)"
    wide = Table(tuple(f"column {place}" for place in range(900)), tuple(np.zeros((900, 1))))
    assert len(repr(wide)) < 120
    done = run(Program((Step("sum", "rent"),)), table)
    assert repr(done) == "Run(Answer('4498500'), steps=1)"
    score = Score(1, 2)
    wrong = [{"question": "x" * 1000, "said": "1", "right": "2"}] * 1000
    result = Evaluation("single-column", 0, 1, (1, 2), 3, score, {}, score, score, wrong)
    assert repr(result) == "Evaluation('single-column', 1 of 2 right)"
    assert repr(Judgement("mine.jsonl", ())) == "Judgement('mine.jsonl', 0 of 0 right)"


def test_a_trace_is_one_short_line(model):
    (traced, _), *_ = neural_programmer.traces("ask", question="what is the highest rent?", table=LONG)
    assert repr(traced) == "Trace('what is the highest rent?', program='maximum rent', Answer('499'))"


def texts(shown: str) -> list[str]:
    """The texts of HTML that has only these elements, all of them closed, and no attribute."""
    found = re.findall(r"<(/?)([^<>]*)>", shown)
    assert {name for _, name in found} <= {"table", "caption", "tr", "th", "td", "p", "b", "pre"}
    opened = []
    for closing, name in found:
        assert not closing or opened.pop() == name
        opened += [] if closing else [name]
    assert opened == []
    return [html.unescape(text) for text in re.findall(r">([^<>]+)<", f">{shown}<")]


def test_html_of_an_answer_shows_it_with_its_steps(model):
    shown = texts(model.ask({"city": ["Oslo", "Rome"], "rent": [900, 700]}, "what is the highest rent?")._repr_html_())
    for said in ("900", "what is the highest rent?", "the largest rent", "maximum", "2"):
        assert said in shown


def test_html_of_a_thought_shows_what_was_considered(thought):
    shown = texts(thought._repr_html_())
    for said in ("[Lima]", "the rows with the smallest rent", "probability", "other operations"):
        assert said in shown


def test_html_of_a_model_shows_its_operations(model):
    shown = texts(model._repr_html_())
    assert ", ".join(model.config.operations) in shown
    assert "3,635,783" in shown


def test_no_text_of_a_table_or_a_question_is_markup(model):
    table = {f"rent {EVIL}": [1, 2], "city": [EVIL, "Rome"]}
    for asked in (f"which city has the lowest rent {EVIL}", "which city has the lowest rent"):
        for given in (model.ask(table, asked), model.think(table, asked)):
            texts(given._repr_html_())
    evil = Answer(reason=EVIL, question=EVIL, notes=(EVIL,), sql=EVIL)
    assert texts(evil._repr_html_()).count(EVIL) == 3


def test_lines_and_grids():
    assert shortened("a  b\nc") == "a b c"
    assert shortened("a" * 90) == "a" * 77 + "..."
    assert line("Model") == "Model()"
    assert tag("p", "") == ""
    assert grid(("a",), [("<",)], "&") == (
        "<table><caption>&amp;</caption><tr><th>a</th></tr><tr><td>&lt;</td></tr></table>"
    )
