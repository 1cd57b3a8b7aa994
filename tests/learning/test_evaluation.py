"""Evaluation: who is right where, in which category, on which templates; planted models whose score is known."""

from types import SimpleNamespace

import pytest

from neural_programmer.data.paper import draw_test, task
from neural_programmer.data.paper.draws import train_templates
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.evaluation import Score, evaluate, trained_templates
from neural_programmer.network.encode import Vocabulary
from neural_programmer.network.weights import Trained
from neural_programmer.programs.answer import Answer

TASK = task("three-columns")


class Planted:
    """Answers rightly, but for the questions it is told to answer wrongly."""

    def __init__(self, wrong=lambda triple: False, examples=300, task=TASK, pointers=False):
        self.vocabulary = Vocabulary.of(task.words_read(pointers))
        self.trained = Trained(task.name, 5, examples)
        self.answers = {
            triple.question: Answer(reason="planted") if wrong(triple) else triple.answer
            for triple in draw_test(task, 7)
        }

    def answer(self, question, table):
        return self.answers[question]


POINTERS = pytest.mark.parametrize("pointers", [False, True], ids=["names", "pointers"])


@POINTERS
def test_who_knows_all_answers_is_right_everywhere(pointers):
    result = evaluate(Planted(pointers=pointers), TASK, seed=7)
    assert result.overall == Score(307, 307)
    assert {name: score.total for name, score in result.categories.items()} == TASK.grammar.counts
    assert result.errors == []
    assert result.to_dict()["overall"] == {"correct": 307, "total": 307, "accuracy": 1.0}


@pytest.mark.parametrize("category", ["aggregation", "comparison", "logic", "arithmetic"])
def test_errors_are_counted_in_their_category(category):
    result = evaluate(Planted(lambda triple: triple.template.category == category), TASK, seed=7)
    for name, score in result.categories.items():
        assert score.correct == (0 if name == category else score.total)
    assert result.overall.correct == 307 - TASK.grammar.counts[category]
    assert len(result.errors) == TASK.grammar.counts[category]
    assert result.errors[0]["said"] == "no answer: planted"


def test_seen_templates_are_those_of_the_training_set():
    """A training set of 300 triples lacks many of the 307 templates; wrong on just those is wrong on all new ones."""
    known = train_templates(TASK, 300, 5)
    result = evaluate(Planted(lambda triple: triple.template.text not in known), TASK, seed=7)
    assert 0 < result.unseen.total < 307
    assert result.unseen.correct == 0
    assert result.seen.correct == result.seen.total == 307 - result.unseen.total
    assert evaluate(Planted(examples=None), TASK, seed=7).unseen == Score(0, 0)


@POINTERS
def test_a_model_of_other_words_is_refused(pointers):
    with pytest.raises(NeuralProgrammerError, match=r"cannot read the questions of words-one-column: it never met"):
        evaluate(Planted(pointers=pointers), task("words-one-column"))


def test_a_model_of_other_names_is_refused_where_it_reads_names():
    """By pointers, names are all the same: a model of three columns may be asked about five."""
    with pytest.raises(NeuralProgrammerError, match=r"cannot read the questions of five-columns: it never met D, E;"):
        evaluate(Planted(), task("five-columns"))
    model = Planted(task=task("five-columns"), pointers=True)
    model.vocabulary = Planted(pointers=True).vocabulary
    assert evaluate(model, task("five-columns"), seed=7).overall == Score(1231, 1231)


@pytest.mark.parametrize("examples", [300, None], ids=["drawn once", "always fresh"])
def test_templates_of_names_absent_from_training_are_new(examples):
    """All but the one that names no column."""
    unseen = task("unseen-names")
    result = evaluate(Planted(task=unseen, pointers=True, examples=examples), unseen, seed=7)
    assert result.overall == Score(3179, 3179)
    assert result.seen == Score(1, 1)
    assert result.unseen == Score(3178, 3178)


@pytest.mark.parametrize("name", ["three-columns", "same-comparison", "unseen-names", "text-five-columns"])
def test_always_fresh_training_has_seen_all_templates_that_it_may_draw(name):
    """A drawn training set is part of them."""
    model = SimpleNamespace(trained=Trained(name, 5, None))
    assert train_templates(task(name), 500, seed=5) <= trained_templates(model)
