"""Steps of programs in words that people use."""

import numpy as np
import pytest

from neural_programmer.answering import asking
from neural_programmer.answering.decision import Decision
from neural_programmer.programs.operations import BUILT_IN, ROW_OPERATIONS
from neural_programmer.programs.program import Program, Step
from neural_programmer.programs.wording import in_words
from neural_programmer.tables.period import Period

JULY = Period(np.datetime64("2024-07-01"), np.datetime64("2024-07-31"), "July 2024")
DAY = Period(np.datetime64("2024-07-05"), np.datetime64("2024-07-05T23:59:59"), "5 July 2024")


def test_every_operation_has_words():
    assert all(operation.phrase for operation in BUILT_IN.values())
    for operation in ROW_OPERATIONS.values():
        assert bool(operation.of_times) == (operation.column == "ordered")


@pytest.mark.parametrize(
    ("step", "number", "kind", "unit", "words"),
    [
        (Step("text match", "city", ("Oslo",)), 1, "text", "", "city is Oslo"),
        (Step("text match", "city", ("Oslo", "Rome")), 1, "text", "", "city is Oslo or Rome"),
        (Step("text match", "city", tuple("abc")), 1, "text", "", "city is a, b or c"),
        (Step("text match", "city", tuple("abcdefg")), 1, "text", "", "city is a, b or 5 others"),
        (Step("text match", "city", ()), 1, "text", "", "city is nothing"),
        (Step("text match", "lift", ("true",)), 1, "boolean", "", "lift is yes"),
        (Step("text other", "city", ("Oslo",)), 1, "text", "", "city is not Oslo"),
        (Step("text other", "city", ("Oslo", "Rome")), 1, "text", "", "city is none of Oslo and Rome"),
        (Step("greater", "rent", 1200.0), 1, "number", "€", "rent is more than €1,200"),
        (Step("at most", "rent", 1200.5), 1, "number", "", "rent is 1200.5 or less"),
        (Step("equal", "built", 1999.0), 1, "number", "", "built is 1999"),
        (Step("equal", "due", JULY), 1, "date", "", "due is in July 2024"),
        (Step("equal", "due", DAY), 1, "date", "", "due is on 5 July 2024"),
        (Step("lesser", "due", JULY), 1, "date", "", "due is before July 2024"),
        (Step("at least", "due", JULY), 1, "date", "", "due is July 2024 or later"),
        (Step("least", "rent"), 1, "number", "", "the rows with the smallest rent"),
        (Step("least", "due"), 2, "date", "", "the rows with the earliest due"),
        (Step("and"), 3, "number", "", "the rows of both step 1 and step 2"),
        (Step("or"), 5, "number", "", "the rows of step 3 or step 4"),
        (Step("difference"), 5, "number", "", "the number of step 2 minus the number of step 4"),
        (Step("previous"), 2, "number", "", "the row before these rows"),
        (Step("last"), 1, "number", "", "the last of the rows"),
        (Step("sum", "rent {x}"), 1, "number", "", "the total of rent {x}"),
        (Step("median of mine", "rent"), 1, "number", "", "median of mine rent"),
    ],
)  # fmt: skip
def test_a_step_in_words(step, number, kind, unit, words):
    assert in_words(step, number, kind, unit) == words


class Decided:
    """Always the same program."""

    def decide(self, question, index, rows):
        steps = Step("text match", "city", ("Oslo",)), Step("greatest", "built"), Step("assign", "city")
        return Decision(Program(steps), 0.9)


def test_answers_say_their_steps_in_words():
    table = {"city": ["Oslo", "Rome"], "built": np.array(["2001-01-01", "2002-01-01"], "M8[D]")}
    answer = asking.ask(Decided(), table, "which?")
    said = ["city is Oslo", "the rows with the latest built", "the city of these rows"]
    assert [step.in_words for step in answer.steps] == said
    assert [step["in_words"] for step in answer.to_dict()["program"]] == said


def test_how_many_rows_are_first_has_no_unit_of_the_column():
    assert in_words(Step("top", "rent", 3.0), unit="€") == "the 3 with the largest rent"
