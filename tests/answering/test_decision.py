"""Where every question has an answer, the next best program answers instead of declining."""

import pytest

from neural_programmer.answering.decision import Decision
from neural_programmer.programs.program import Program, Step

DECLINE, COUNT, TOTAL = (Program((step,)) for step in (Step("decline"), Step("count"), Step("sum", "pay")))
LATE = Program((Step("count"), Step("decline")))


def test_a_decision_that_answers_stays_as_it_is():
    decision = Decision(COUNT, 0.4, others=((TOTAL, 0.3), (DECLINE, 0.2)))
    assert decision.answering() is decision


@pytest.mark.parametrize("declining", [DECLINE, LATE])
def test_where_the_best_program_declines_the_best_of_the_others_answers(declining):
    """As sure as it is of it, and without a reason not to answer."""
    decision = Decision(declining, 0.5, "no column is meant", ((DECLINE, 0.25), (TOTAL, 0.2), (COUNT, 0.1)))
    expected = Decision(TOTAL, 0.2, "", ((declining, 0.5), (DECLINE, 0.25), (COUNT, 0.1)))
    assert decision.answering() == expected
    assert expected.answering() is expected


def test_where_all_decline_it_stays_so():
    for others in ((), ((LATE, 0.1),)):
        decision = Decision(DECLINE, 0.9, "no column is meant", others)
        assert decision.answering() is decision
