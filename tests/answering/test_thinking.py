"""How it thought: distributions that sum up, the words they mean, runner-ups, and what follows a forced choice."""

import json
from pathlib import Path

import numpy as np
import pytest

from neural_programmer.answering.model import load_shipped
from neural_programmer.answering.thinking import Forced, think
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.answer import AnswerStep
from neural_programmer.programs.operations import BUILT_IN

BOOKS = Path(__file__).parent.parent / "questions" / "development" / "books.csv"
DEVELOPMENT = [json.loads(line) for line in (BOOKS.parent / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
ASKED = "average price of books with more than 300 pages"
CSV = """city,region,revenue,day,open
Oslo,Europe,10,2024-01-01,yes
Lima,America,20,2023-02-03,no
Rome,Europe,30,2024-05-05,yes
"""


@pytest.fixture(scope="module")
def model():
    return load_shipped()


@pytest.fixture
def sales(tmp_path):
    path = tmp_path / "sales.csv"
    path.write_text(CSV, encoding="utf-8")
    return path


def shown(step):
    return step.operation, step.column


def test_a_thought_answers_as_ask_does(model):
    """Steps of the answer and of the thought are the same: resets before the program are not seen."""
    lengths = set()
    for each in DEVELOPMENT[::9]:
        table = BOOKS.parent / each["table"]
        found, answer = think(model, table, each["question"]), model.ask(table, each["question"])
        assert found.answer.to_dict() == answer.to_dict()
        assert [shown(step) for step in found.steps] == [shown(step) for step in answer.steps]
        assert len(found.words) == len(found.steps[0].words) == len(found.steps[0].attention)
        lengths.add(len(found.steps))
    assert len(lengths) > 2


def test_probabilities_of_a_step_sum_up(model):
    """Operations to one; columns and arguments to the share of what uses them; words to no more than is chosen."""
    for question in (ASKED, "how many books are there", "which book by Dorothy Finch is the cheapest?"):
        found = think(model, BOOKS, question)
        for step in found.steps:
            using = {name: BUILT_IN[name] for name in step.operations}
            acting = sum(p for name, p in step.operations.items() if using[name].column != "none")
            taking = sum(p for name, p in step.operations.items() if using[name].argument != "none")
            np.testing.assert_allclose(sum(step.operations.values()), 1.0, rtol=1e-5)
            np.testing.assert_allclose(sum(step.columns.values()), acting, rtol=1e-5, atol=1e-9)
            np.testing.assert_allclose(sum(step.arguments), taking, rtol=1e-5, atol=1e-9)
            np.testing.assert_allclose(sum(step.attention), 1.0, rtol=1e-5)
            assert all(-1e-9 <= p <= 1 + 1e-6 for p in step.words)
            assert step.probability <= step.operations[step.operation] + 1e-6
            if step.column is not None:
                assert step.probability <= step.columns[step.column] + 1e-6


def test_the_words_that_were_meant_are_warm(model):
    found = think(model, BOOKS, ASKED)
    first, _ = found.steps
    assert found.words == ("average", "price", "of", "books", "with", "more", "than", "300", "pages")
    assert [shown(step) for step in found.steps] == [("greater", "pages"), ("average", "price")]
    assert first.argument is not None
    assert found.arguments[first.argument].said == "300"
    warm = [[found.words[place] for place, heat in enumerate(step.words) if heat > 0.5] for step in found.steps]
    assert warm == [["300", "pages"], ["price"]]
    taken = zip(first.arguments, found.arguments, strict=True)
    assert first.words[7] == pytest.approx(sum(probability for probability, each in taken if each.word == 7))
    assert max(first.columns, key=first.columns.__getitem__) == "pages"


def test_arguments_say_what_they_mean(model, sales):
    found = think(model, sales, "revenue in Europe after 2023 where open is no and more than 1,5")
    named = {str(argument) for argument in found.arguments}
    assert {"Europe", "2023"} <= named
    assert any("open is false" in name for name in named)


def test_runner_ups_have_their_own_answers_and_are_less_probable(model):
    found = think(model, BOOKS, "which book is the cheapest")
    assert found.others
    sure = [found.answer.confidence, *(other.confidence for other in found.others)]
    assert sure == sorted(sure, reverse=True)
    programs = [found.answer.steps, *(other.steps for other in found.others)]
    assert len({str(steps) for steps in programs}) == len(programs)
    number = next(other for other in found.others if other.steps[-1].column == "isbn")
    assert number.values == ("0049777", "0049778")


def test_a_forced_operation_is_followed_by_what_fits_it(model):
    found = think(model, BOOKS, ASKED, forced=[Forced("lesser")])
    assert found.answer.steps[0] == AnswerStep("lesser", "pages", 300.0, 16, "pages is less than 300")
    assert shown(found.steps[-1]) == ("average", "price")
    assert [step.forced for step in found.steps] == [True, False]
    assert found.answer.scalar == pytest.approx(17.3, abs=0.05)
    free = think(model, BOOKS, ASKED)
    assert found.steps[0].operations == pytest.approx(free.steps[0].operations)  # what it thought before stays
    assert found.answer.confidence < free.answer.confidence


def test_a_program_grows_where_a_forced_step_gives_no_answer(model):
    """`count` is one step; with a condition forced before it, it is two."""
    question = "how many books cost more than 20"
    one = think(model, BOOKS, "how many books are there")
    assert len(one.steps) == 1
    found = think(model, BOOKS, "how many books are there", forced=[Forced("text match", "format")])
    assert [shown(step) for step in found.steps] == [("text match", "format"), ("count", None)]
    assert found.answer.kind == "scalar"
    assert think(model, BOOKS, question, forced=[Forced("not")]).answer.kind != "none"


def test_every_choice_that_is_offered_can_be_forced(model):
    """At each step, of the operations every third, and every column and argument for some operation."""
    free = think(model, BOOKS, ASKED)
    before = [Forced(step.operation, step.column, step.argument) for step in free.steps]
    for place in range(len(free.steps)):
        for name in list(free.steps[place].operations)[place::3]:
            if place == 0 and name == "reset":
                continue
            found = think(model, BOOKS, ASKED, forced=[*before[:place], Forced(name)])
            assert [shown(step) for step in found.steps[:place]] == [shown(step) for step in free.steps[:place]]
            assert found.steps[place].operation == name
            assert found.steps[place].forced
    for column in free.steps[0].columns:
        assert think(model, BOOKS, ASKED, forced=[Forced(column=column)]).steps[0].column == column
    for argument in range(len(free.arguments)):
        assert think(model, BOOKS, ASKED, forced=[Forced(argument=argument)]).steps[0].argument == argument


def test_a_step_may_be_left_to_the_network(model):
    found = think(model, BOOKS, ASKED, forced=[Forced(), Forced("count")])
    assert [shown(step) for step in found.steps] == [("greater", "pages"), ("count", None)]
    assert [step.forced for step in found.steps] == [False, True]


def test_forcing_what_was_chosen_changes_nothing(model):
    free = think(model, BOOKS, ASKED)
    forced = [Forced(step.operation, step.column, step.argument) for step in free.steps]
    for count in range(1, len(forced) + 1):
        found = think(model, BOOKS, ASKED, forced=[*forced[:count], *[Forced()] * 20])  # those at the end are nothing
        assert found.answer.to_dict() == free.answer.to_dict()


@pytest.mark.parametrize(
    ("forced", "said"),
    [
        ([Forced("nix")], "step 1 cannot have the operation 'nix'; choose one of: sum, count"),
        ([Forced("reset")], "step 1 cannot have the operation 'reset'"),
        (
            [Forced("greater", "author")],
            "step 1 greater cannot have the column 'author'; choose one of: pubYear, pages",
        ),
        ([Forced(), Forced("count", "price")], "step 2 count cannot have the column 'price'; it has no column"),
        ([Forced("greater", "price", 7)], r"step 1 greater price cannot have the argument '7'; choose one of: 0 \(300"),
        ([Forced("greater", "price", -1)], "cannot have the argument '-1'"),
        ([Forced(column="x" * 500)], "cannot have the column 'x{60}'; choose"),
        ([Forced("not")] * 8, "a program has at most 8 steps"),
        ([Forced("not")] * 9, "a program has at most 8 steps"),
        ([*[Forced()] * 8, Forced("count")], "a program has at most 8 steps and .*; 9 steps are forced"),
    ],
)
def test_what_is_not_possible_is_said_with_what_is(model, forced, said):
    with pytest.raises(NeuralProgrammerError, match=said):
        think(model, BOOKS, ASKED, forced=forced)


def test_a_thought_as_json(model, sales):
    found = model.think(sales, "total revenue in Europe")
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["answer"]["answer"] == 40
    assert told["words"] == ["total", "revenue", "in", "Europe"]
    assert told["arguments"][0] == {"said": "Europe", "means": "Europe", "word": 3}
    assert told["steps"][0]["operation"] == "text match"
    assert told["steps"][0]["columns"]["region"] > 0.5
    assert [other["answer"] for other in told["others"]] == [other.value for other in found.others]


def test_nothing_follows_a_step_that_declines(model):
    found = think(model, BOOKS, ASKED, forced=[Forced("decline")])
    assert (found.answer.kind, [step.operation for step in found.answer.steps]) == ("none", ["decline"])
    after = think(model, BOOKS, ASKED, forced=[Forced("greater"), Forced("decline")])
    assert (after.answer.kind, after.answer.steps[-1].operation) == ("none", "decline")
    with pytest.raises(NeuralProgrammerError, match="step 1 declines, and nothing follows that: leave the others out"):
        think(model, BOOKS, ASKED, forced=[Forced("decline"), Forced("sum")])
