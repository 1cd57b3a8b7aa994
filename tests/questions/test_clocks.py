"""Times of day, days of the week and times from today: numbers of hours, or a reason instead of an answer."""

import numpy as np
import pytest

from neural_programmer.answering.asking import ask
from neural_programmer.answering.model import load_shipped
from neural_programmer.answering.thinking import Forced, think
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import link
from neural_programmer.tables.table import Table

DAYS = np.array(["2023-03-06", "2023-07-01", "2024-07-02"], "M8[D]")


def table(**columns):
    return Table(tuple(name.replace("_", " ") for name in columns), tuple(map(np.asarray, columns.values())))


SALES = table(customer=["Ann", "Bob", "Cid"], ordered=DAYS, price=[8.4, 9.0, 12.0])
RIDES = table(ride=[1.0, 2.0, 3.0], hour=[8.0, 20.0, 21.0], fare=[5.0, 8.5, 9.0])
CLUB = table(member=["Ann", "Bob"], starts=["10:30", "9 am"], joined=DAYS[:2])


@pytest.fixture(scope="module")
def model():
    return load_shipped()


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("how many orders between 8 and 9 am", 'a time of day, "8 and 9 am", which no operation compares'),
        ("total price before 10:30", 'a time of day, "10:30", which no operation compares'),
        ("orders after 9 p.m.", 'a time of day, "9 p.m.", which no operation compares'),
        ("price at 8 o'clock", 'a time of day, "8 o\'clock", which no operation compares'),
        ("how many orders were on Mondays", 'days of the week, "monday", which no operation finds; name dates'),
        ("orders on a weekend in March", 'days of the week, "weekend", which no operation finds; name dates'),
        ("total price in the past 30 days", '"past 30 days", and a table does not say when today is; name dates'),
        ("total price in summer 2023", 'a season, "summer"; say from when to when it is'),
    ],
)
def test_a_time_that_no_operation_finds_is_declined_and_not_taken_for_an_amount(model, question, why):
    found = ask(model, SALES, question)
    assert (found.kind, found.reason) == ("none", f"the question asks for {why}")
    assert found.confidence == 1


def test_thinking_declines_as_asking_does_unless_it_is_forced(model):
    thought = think(model, SALES, "how many orders between 8 and 9 am")
    assert thought.answer.reason == ask(model, SALES, "how many orders between 8 and 9 am").reason
    assert think(model, SALES, "how many orders between 8 and 9 am", forced=[Forced("count")]).answer.value == 3


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("how many rides between 8 and 9 am", 1),
        ("how many rides between 8 pm and 9 pm", 2),
        ("total fare before 9 am", 5),
        ("average fare after 7pm", 8.75),
    ],
)
def test_hours_are_those_of_the_column_that_holds_them(model, question, value):
    found = ask(model, RIDES, question)
    assert found.value == value
    assert {step.column for step in found.steps[:-1]} - {None} == {"hour"}


def test_a_cell_that_says_a_time_is_found(model):
    assert ask(model, CLUB, "who starts at 10:30").value == ["Ann"]
    assert ask(model, CLUB, "who starts at 9 am").value == ["Bob"]


@pytest.mark.parametrize(
    "question", ["how many I am told", "the 3 items of 2 pms", "price of 1:1", "prices of the last 2 weeks of July"]
)
def test_what_is_no_time_of_day_and_not_from_today(question):
    assert link(question, Index.of(SALES)).beyond == ""


def test_days_that_cells_or_columns_are_called_are_found():
    shifts = table(day=["Monday", "Sunday"], opened=DAYS[:2], last_30_days=[1.0, 2.0])
    for question in ("how many opened on Monday", "the last 30 days on Sunday"):
        assert link(question, Index.of(shifts)).beyond == ""
