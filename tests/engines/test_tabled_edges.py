"""What divides by nothing, counts to 0, or makes no sense: the interpreter and DuckDB give a sentence or the right
answer."""

import datetime

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from neural_programmer.answering import asking
from neural_programmer.engines import sql
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.pointers import BandOf, Computed, MeasureAt, PartOf
from neural_programmer.programs.program import Program, Step
from neural_programmer.programs.same import is_right
from neural_programmer.tables.source import open_source
from queries import Fake

TABLE = {
    "city": ["Oslo", "Rome", "Oslo", ""],
    "rent": [1.0, 0.0, 3.0, 2.0],
    "zero": [0.0] * 4,
    "same": [0.1] * 4,  # whose mean is not quite 0.1
    "day": np.array(["2020-12-31", "2021-01-03", "2021-01-04", "2019-12-30"], "M8[D]"),
}
FIRST, SECOND = MeasureAt(0), MeasureAt(1)
CITIES, WEEKS = Step("for each", "city"), Step("for each", PartOf("day", "week"))
NO_SENSE = "a program that makes no sense: "


@pytest.fixture(params=["interpreter", "duckdb"])
def asked(request, monkeypatch):
    """An answer, by the interpreter or by DuckDB."""
    monkeypatch.setattr(asking, "IN_MEMORY", 10**6 if request.param == "interpreter" else -1)

    def ask(table, *steps):
        with open_source(table) as source:
            return asking.ask(Fake({"q": steps}), source, "q")

    return ask


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ((Step("top", "rent", 1e9), Step("show", "city")), ["Oslo", None, "Oslo", "Rome"]),
        ((Step("top", "rent", 1e30), Step("show", "city")), ["Oslo", None, "Oslo", "Rome"]),
        ((Step("top", "day", 1.0), Step("show", "rent")), [3]),
        ((CITIES, Step("count"), Step("top", FIRST, 1.0)), [["Oslo", 2]]),
        ((CITIES, Step("sum", "zero"), Step("share")), [["Oslo", 0, None], ["Rome", 0, None]]),
        ((CITIES, Step("sum", "rent"), Step("sum", "zero"), Step("divided by", FIRST)),
         [["Oslo", 4, 0, None], ["Rome", 0, 0, None]]),
        ((Step("take", "rent"), CITIES, Step("correlation", "same")), [["Oslo", None], ["Rome", None]]),
        ((WEEKS, Step("count")), [["2019-12-30", 1], ["2020-12-28", 2], ["2021-01-04", 1]]),  # one in both years
        ((WEEKS, Step("count"), Step("change", FIRST), Step("percent change", FIRST)),
         [["2019-12-30", 1, None, None], ["2020-12-28", 2, None, None], ["2021-01-04", 1, -1, -50]]),
        ((WEEKS, Step("sum", "zero"), Step("percent change", FIRST)),
         [["2019-12-30", 0, None], ["2020-12-28", 0, None], ["2021-01-04", 0, None]]),
        ((WEEKS, Step("sum", "rent"), Step("moving average", FIRST, 1e30)),
         [["2019-12-30", 2, 2], ["2020-12-28", 1, 1.5], ["2021-01-04", 3, 2]]),
        ((Step("text match", "city", ("Bonn",)), CITIES, Step("count")), []),
        ((Step("text match", "city", ("Bonn",)), Step("text match", "city", ("Oslo",)), Step("and"), Step("share")), 0),
        ((CITIES, Step("sum", "rent"), Step("share"), Step("greater", FIRST, 1.0)), [["Oslo", 4, 100]]),
        ((Step("for each", "rent"), Step("count")), [[0, 1], [1, 1], [2, 1], [3, 1]]),
        ((Step("for each", "day"), Step("count"), Step("change", FIRST), Step("top", "day", 2.0)),
         [["2021-01-04", 1, 0], ["2021-01-03", 1, None]]),
    ],
)  # fmt: skip
def test_the_right_answer(asked, steps, expected):
    assert is_right(asked(TABLE, *steps).value, expected, ordered=True)


@pytest.mark.parametrize(
    ("steps", "sentence"),
    [
        ((CITIES, Step("average", "city")),
         "step 2, average city, needs a column of numbers, and column city holds text"),
        ((Step("top", "rent", 0.0), Step("show", "city")),
         f"{NO_SENSE}there are no first 0, only whole numbers from 1"),
        ((Step("top", "rent", 1.5), Step("show", "city")),
         f"{NO_SENSE}there are no first 1.5, only whole numbers from 1"),
        ((WEEKS, Step("sum", "rent"), Step("moving average", FIRST, 0.0)),
         f"{NO_SENSE}there are no first 0, only whole numbers from 1"),
        ((Step("top", "rent", float("nan")), Step("show", "city")),
         "step 1, top rent nan, has no number to work with"),
        ((CITIES, Step("count"), Step("top", FIRST)), "step 3, top measure 1, does not say how many"),
        ((Step("share of", "zero"),), "there is nothing to take the share of zero of"),
        ((Step("sum", "zero"), Step("reset"), Step("sum", "rent"), Step("growth")),
         "there is nothing to take the growth of"),
        ((Step("sum", "rent"), Step("reset"), Step("sum", "zero"), Step("ratio")),
         "there is nothing to take the ratio of"),
        ((Step("take", "rent"), Step("divided by", "zero"), Step("average", Computed())),
         "there is nothing to take the average what was computed of"),
        ((Step("take", "rent"), Step("correlation", "same")), "there is nothing to take the correlation same of"),
        ((Step("top of each", "rent", 2.0), Step("show", "city")),
         f"{NO_SENSE}nothing is grouped of which to take the first of each"),
        ((Step("once"),), f"{NO_SENSE}nothing is put out yet that could be put out once"),
        ((Step("overall"),), "the last step, overall, makes one group without a measure and gives no answer"),
        ((Step("contains", "city", ("",)), Step("count")), f"{NO_SENSE}every text contains the empty one"),
        ((Step("for each", PartOf("city", "year")), Step("count")), f"{NO_SENSE}text has no year"),
        ((Step("for each", BandOf("day", 10.0)), Step("count")), f"{NO_SENSE}date has no bands"),
        ((Step("for each", BandOf("rent", 0.0)), Step("count")), f"{NO_SENSE}no band is 0 wide"),
        ((CITIES, Step("count"), Step("rank", SECOND)), f"{NO_SENSE}there is no measure 2"),
        ((CITIES, Step("count"), Step("change", FIRST)), f"{NO_SENSE}nothing is grouped by a time"),
        ((Step("assign", PartOf("day", "week")),),
         f"{NO_SENSE}the cells of a column are looked up, and what is computed of them is shown"),
        ((Step("is more"),), f"{NO_SENSE}it takes two numbers, and so many were not computed"),
    ],
)  # fmt: skip
def test_a_sentence(asked, steps, sentence):
    answer = asked(TABLE, *steps)
    assert (answer.kind, answer.reason) == ("none", sentence)


def test_letters_of_which_sqlite_knows_no_capitals():
    """It is said that there is no such query; what has no capitals can be looked for."""
    program = Program((Step("contains", "city", ("école",)), Step("count")))
    with pytest.raises(NeuralProgrammerError, match="sqlite does not know the capitals of letters such as those of"):
        sql.text(program, "t", "sqlite")
    assert "école" in sql.text(program, "t", "duckdb")
    assert "京" in sql.text(Program((Step("contains", "city", ("京",)), Step("count"))), "t", "sqlite")


def test_a_hundred_thousand_groups(asked):
    count = 100_000
    table = {"name": [f"k{number:06d}" for number in range(count)], "rent": np.arange(count) % 7.0}
    median = (Step("for each", "name"), Step("median", "rent"), Step("distinct", "rent"), Step("rank", FIRST))
    answer = asked(table, *median)
    assert len(answer.value) == count
    assert answer.value[0] == ["k000006", 6, 1, 1]
    assert answer.value[-1] == ["k099995", 0, 1, count - count // 7]
    answer = asked(table, Step("for each", "name"), Step("sum", "rent"), Step("top", FIRST, 1.0), Step("count"))
    assert answer.value == count // 7


def test_times_with_a_zone_are_those_of_utc(asked, tmp_path):
    """Where a clock shows an hour twice, both are told apart; and it is said that they are not those of the clock."""
    twice = [datetime.datetime(2021, 10, 31, hour, 30, tzinfo=datetime.UTC) for hour in (0, 1)]  # 2:30 in Oslo
    times = [*twice, datetime.datetime(2021, 12, 31, 23, 30, tzinfo=datetime.UTC)]  # the last is in 2022 in Oslo
    cells = pyarrow.array(times, pyarrow.timestamp("us", tz="Europe/Oslo"))
    pyarrow.parquet.write_table(pyarrow.table({"at": cells}), tmp_path / "a.parquet")
    path = tmp_path / "a.parquet"
    hours = asked(path, Step("for each", PartOf("at", "hour")), Step("count"))
    assert hours.value == [[0, 1], [1, 1], [23, 1]]
    assert hours.notes == ("at: its times have a time zone; days and hours are those of UTC.",)
    assert asked(path, Step("for each", PartOf("at", "year")), Step("count")).value == [[2021, 3]]
