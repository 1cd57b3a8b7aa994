"""Questions that are answered with tables, from the program on, in memory and queried; and what is said beside."""

import json

import pytest

import neural_programmer
from neural_programmer.answering import asking
from neural_programmer.answering.asking import Desk, answered
from neural_programmer.answering.config import AskConfig
from neural_programmer.answering.decision import Decision
from neural_programmer.programs.pointers import BandOf, Computed, MeasureAt, PartOf
from neural_programmer.programs.program import Program, Step

LINES = """shop,city,price,sold,day,paid
Ann,Oslo,$5,10,2019-01-30,yes
Ann,Oslo,$15,20,2019-02-28,no
Bo,Rome,$25,,2019-02-28,yes
Bo,Rome,$35,40,2019-04-01,yes
Cy,Rome,$45,50,2020-04-01,no
Cy,,$45,60,2020-05-02,
"""
FIRST, SECOND = MeasureAt(0), MeasureAt(1)


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "shops.csv"
    file.write_text(LINES, encoding="utf-8")
    return file


@pytest.fixture(params=[False, True], ids=["in memory", "queried"])
def engine(request, monkeypatch):
    if request.param:
        monkeypatch.setattr(asking, "IN_MEMORY", -1)


def answer(path, *steps):
    program = Program(tuple(Step(*step) if isinstance(step, tuple) else Step(step) for step in steps))
    with Desk().open(path, AskConfig()).aside(60, None) as opened:
        return answered(opened, "which?", Decision(program, 0.9))


@pytest.mark.parametrize(
    ("steps", "value", "said"),
    [
        (
            (("for each", "city"), ("average", "price"), "count"),
            [["Rome", 35, 3], ["Oslo", 10, 2]],
            "average of price and count for each city, highest first; 2 groups from 5 rows",
        ),
        (
            (("for each", "shop"), "count", ("text match", "paid", ("true",)), "share"),
            [["Ann", 2, 50], ["Bo", 2, 100], ["Cy", 2, 0]],
            "count and percent where paid is true for each shop, highest first; 3 groups from 6 rows",
        ),
        (
            (("for each", "shop"), ("sum", "sold"), ("greater", FIRST, 35.0), ("show", "shop")),
            ["Cy", "Bo"],
            "shop by sum of sold for each shop, where sum of sold is more than 35, highest first; 2 groups from 6 rows",
        ),
        (
            (("for each", PartOf("day", "month")), ("sum", "price"), ("change", FIRST), ("running total", FIRST)),
            [["2019-01", 5, None, 5], ["2019-02", 40, 35, 45], ["2019-04", 35, None, 80],
             ["2020-04", 45, None, 125], ["2020-05", 45, 0, 170]],
            "sum of price, change and running total for each month of day; 5 groups from 6 rows",
        ),
        (
            (("for each", PartOf("day", "weekday")), "count"),
            [["Monday", 1], ["Wednesday", 2], ["Thursday", 2], ["Saturday", 1]],
            "count for each weekday of day; 4 groups from 6 rows",
        ),
        (
            (("for each", BandOf("price", 20.0)), "count", "share"),
            [[0, 2, pytest.approx(100 / 3)], [20, 2, pytest.approx(100 / 3)], [40, 2, pytest.approx(100 / 3)]],
            "count and percent of all for each price in bands of 20; 3 groups from 6 rows",
        ),
        (
            (("top", "price", 1.0), ("show", "shop"), ("show", "price")),
            [["Cy", 45], ["Cy", 45]],
            "shop and price, the one with the highest price; 2 of 6 rows",
        ),
        (
            (("for each", "city"), ("bottom of each", "price", 1.0), ("show", "city"), ("show", "shop")),
            [["Oslo", "Ann"], ["Rome", "Bo"]],
            "city and shop, the one with the lowest price of each city; 2 of 6 rows",
        ),
        (
            (("average", "price"), ("more than it", "price"), ("show", "price")),
            [35, 45, 45],
            "price where price is more than the average of price; 3 of 6 rows",
        ),
        (
            (("place from the top", "sold", 2.0), ("show", "shop"), ("show", "sold")),
            [["Cy", 50]],
            "shop and sold where sold is number 2 from the highest; 1 of 6 rows",
        ),
        (
            ("overall", ("minimum", "sold"), ("median", "sold")),
            [[10, 40]],
            "minimum of sold and median of sold; 1 group from 6 rows",
        ),
        ((("descending", "city"), ("show", "city"), "once"), ["Rome", "Oslo", None], None),
    ],
)  # fmt: skip
def test_tables(path, engine, steps, value, said):
    found = answer(path, *steps)
    assert found.value == value
    assert said is None or found.said == said
    assert json.loads(json.dumps(found.to_dict()))["said"] == found.said


@pytest.mark.parametrize(
    ("steps", "value", "text"),
    [
        (("reset", ("text match", "paid", ("true",)), "share"), 50, "50 %"),
        ((("text match", "city", ("Rome",)), ("text match", "paid", ("true",)), ("share of", "price")),
         pytest.approx(100 * 60 / 105), "57.14 %"),
        ((("text match", "city", ("Rome",)), ("average", "price"),
          ("text match", "city", ("Oslo",)), ("average", "price"), "minus"), 25, "$25"),
        ((("text match", "city", ("Rome",)), ("average", "price"),
          ("text match", "city", ("Oslo",)), ("average", "price"), "ratio"), 3.5, "3.5"),
        ((("text match", "city", ("Oslo",)), ("average", "price"), ("number", None, 9.0), "is more"), True, "yes"),
        ((("for each", "city"), "count", ("greater", FIRST, 5.0), "whether"), False, "no"),
        ((("for each", "shop"), ("sum", "price"), ("average", FIRST)), pytest.approx(170 / 3), "56.67"),
        ((("take", "price"), ("times", "sold"), ("sum", Computed())), 6700, "6700"),
        ((("text match", "shop", ("Bo",)), ("text match", "city", ("Rome",)), "whether all"), True, "yes"),
        ((("text match", "city", ("Rome",)), ("text match", "shop", ("Bo",)), "whether all"), False, "no"),
        ((("for each", "shop"), ("top of each", "price", 1.0), "count"), 4, "4"),
        ((("for each", "shop"), ("bottom of each", "price", 1.0), ("sum", "price")), 120, "$120"),
        ((("maximum", "day"),), ["2020-05-02"], "[2020-05-02]"),
        ((("minimum", PartOf("day", "month")),), ["2019-01"], "[2019-01]"),
        ((("deviation", "price"),), pytest.approx(16.329931), "$16.33"),
    ],
)  # fmt: skip
def test_numbers_and_truths(path, engine, steps, value, text):
    found = answer(path, *steps)
    assert found.value == value
    assert str(found) == text


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ((("average", "shop"),), "step 1, average shop, needs a column of numbers, and column shop holds text"),
        ((("top", "price", 0.0), ("show", "shop")), "there are no first 0, only whole numbers from 1"),
        ((("ascending", "price"),), "the last step, ascending price, puts rows in order and gives no answer"),
        ((("for each", "shop"), ("average", FIRST)), "there is no measure 1"),
        ((("sum", "price"), "is more"), "it takes two numbers"),
        ((("text match", "shop", ("Zoe",)), ("average", "price"), ("number", None, 1.0), "is more"),
         "one of the numbers to compare is made of nothing"),
        ((("text match", "shop", ("Zoe",)), ("text match", "paid", ("true",)), "share"),
         "there is nothing to take the share of"),
        ((("number", None, 0.0), ("number", None, 5.0), "growth"), "there is nothing to take the growth of"),
        ((("for each", "shop"), ("top of each", "price", 1.0), ("text match", "city", ("Rome",)), "and", "count"),
         "the first of each are shown, grouped or measured, not joined with other rows"),
        ((("take", "price"), ("number", None, 1.0)), None),
    ],
)  # fmt: skip
def test_what_has_no_answer(path, engine, steps, reason):
    found = answer(path, *steps)
    assert reason is None or (found.kind == "none" and reason in found.reason)


def test_rows_without_a_key_are_left_out_and_that_is_said(path, engine):
    assert answer(path, ("for each", "city"), "count").notes == ("1 row without city is left out.",)
    assert answer(path, ("for each", "shop"), "count").notes == ()


def test_columns_have_their_units_and_the_picture_knows_what_they_are(path, engine):
    found = answer(path, ("for each", "shop"), ("average", "price"), ("text match", "paid", ("true",)), "share")
    assert found.units == ("", "$", "%")
    assert found.shape is not None
    assert found.shape.keys == ("shop",)
    assert found.chart is not None
    assert found.to_pandas().columns.tolist() == ["shop", "average of price", "percent where paid is true"]


def test_more_rows_than_an_answer_holds_are_counted(path, engine, monkeypatch):
    from neural_programmer.engines import duck

    monkeypatch.setattr(duck, "LOOKED_UP", 2)
    found = answer(path, ("for each", "shop"), "count")
    assert found.result.total == 3


def test_steps_that_are_read_again_and_again_take_no_time(path):
    """A tree that every step doubles is neither said nor computed part by part."""
    doubled = answer(path, ("take", "sold"), *[("times", Computed())] * 40, ("for each", "shop"), ("sum", Computed()))
    assert doubled.result.columns == ("shop", "sum of a number")
    joined = answer(path, ("greater", "sold", 15.0), *["or"] * 40, "count")
    assert (joined.value, joined.said) == (6, "")


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ('for each "shop"; greater "sold" 15; text match "city" \'Rome\'; or; count', "are not joined"),
        ('for each "shop"; greater "sold" 15; show "shop"', "restricts a measure, and none follows"),
        ('for each "shop"; assign "city"', "assign drops the groups"),
        ('ascending "sold"; greater "sold" 15; show "sold"', "put in order after they are selected"),
        ('for each "shop"; count; show "shop"; top measure 1 2', "what is shown comes last"),
        ('average "sold"; count', "step 2, count, has no rows"),
        ('average "sold"; for each "shop"; count', "step 2, for each shop, has no rows"),
        ('sum "sold" 5', "takes no argument"),
        ('for each "shop"; share of', "step 2, share of, names no column"),
        ("; ".join(["not"] * 200 + ["count"]), "at most 100 steps"),
    ],
)
def test_steps_that_would_be_dropped_are_refused(path, program, said):
    try:
        told = neural_programmer.run(str(path), program).reason
    except neural_programmer.NeuralProgrammerError as error:
        told = str(error)
    assert said in told


def test_a_place_that_is_not_there_has_no_row(path, engine):
    assert answer(path, ("place from the top", "sold", 99.0), ("show", "shop")).value == []
    assert answer(path, ("place from the top", "sold", 5.0), ("show", "shop")).value == ["Ann"]


def test_yes_and_no_are_what_people_write(path):
    assert neural_programmer.run(str(path), "text match \"paid\" 'Yes'; count").value == 3


def test_numbers_of_each_row_leave_the_rows_as_they_are(path, engine):
    steps = answer(path, ("greater", "sold", 15.0), ("take", "sold"), ("correlation", "price")).steps
    assert [step.rows for step in steps] == [4, 4, 4]
