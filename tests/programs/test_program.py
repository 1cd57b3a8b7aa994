"""The paper's three example programs step by step against plain loops, and every edge of the interpreter."""

import numpy as np
import pytest

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.operations import BUILT_IN
from neural_programmer.programs.program import DECLINED, Program, Run, Step, run
from neural_programmer.tables.period import Period
from neural_programmer.tables.table import Table

NAMES = tuple("ABCDEFGH")
# Eight rows: cells on either side of the pivots of the paper's questions, and cells equal to them.
RECORDS = [
    dict(zip(NAMES, row, strict=True))
    for row in [
        (1.25, 12.57, 50.32, -80.97, 10.00, 31.00, 0.5, 100.00),
        (-2.50, 12.58, 50.33, -80.98, 20.21, 32.00, 0.5, 200.00),
        (3.75, -9.00, 50.33, 7.00, 20.20, 33.00, 0.5, -400.25),
        (4.00, 90.00, 99.99, -99.00, -5.00, 34.00, 0.5, 800.50),
        (-5.50, 90.00, -50.3, 0.00, -5.00, 33.00, 0.5, 1600.00),
        (6.00, 12.56, 60.00, -80.96, 90.00, 36.00, 0.5, 3200.00),
        (7.25, -1.00, 0.00, -81.00, 0.00, 37.00, 0.5, 6400.00),
        (8.50, 0.00, 51.00, 80.97, 20.22, 38.00, 0.5, -12800.0),
    ]
]
TABLE = Table(NAMES, tuple(np.array([record[name] for record in RECORDS]) for name in NAMES))
NOTHING, EVERYTHING = [False] * len(RECORDS), [True] * len(RECORDS)

YEAR = Period(np.datetime64("2020-01-01"), np.datetime64("2020-12-31T23:59:59.999999"), "2020")
MIXED = Table(("T", "N"), (np.array(["word:1", "word:2", "word:1"]), np.array([10.0, 20.0, 40.0])))


def execute(*steps: Step, table: Table = TABLE) -> Run:
    return run(Program(steps), table)


def selected(executed: Run) -> list[list[bool]]:
    """The rows selected after every step."""
    return [step.row_select.tolist() for step in executed.steps]


def test_paper_example_with_and():
    """greater 50.32 C and lesser 20.21 E sum H"""
    executed = execute(Step("greater", "C", 50.32), Step("lesser", "E", 20.21), Step("and"), Step("sum", "H"))
    greater, lesser, both, total = [], [], [], 0.0
    for record in RECORDS:
        greater.append(record["C"] > 50.32)
        lesser.append(record["E"] < 20.21)
        both.append(record["C"] > 50.32 and record["E"] < 20.21)
        if record["C"] > 50.32 and record["E"] < 20.21:
            total += record["H"]
    assert selected(executed) == [greater, lesser, both, NOTHING]
    assert both == [False, False, True, True, False, False, False, False]
    assert executed.answer.kind == "scalar"
    assert executed.answer.scalar == pytest.approx(total)
    assert executed.answer.scalar == pytest.approx(400.25)


def test_paper_example_with_or():
    """lesser -80.97 D or greater 12.57 B print F"""
    executed = execute(Step("lesser", "D", -80.97), Step("greater", "B", 12.57), Step("or"), Step("assign", "F"))
    lesser, greater, either, cells, values = [], [], [], [], []
    for row, record in enumerate(RECORDS):
        lesser.append(record["D"] < -80.97)
        greater.append(record["B"] > 12.57)
        either.append(record["D"] < -80.97 or record["B"] > 12.57)
        if record["D"] < -80.97 or record["B"] > 12.57:
            cells.append((row, "F"))
            values.append(record["F"])
    assert selected(executed) == [lesser, greater, either, NOTHING]
    assert either == [False, True, False, True, True, False, True, False]
    assert executed.answer.kind == "lookup"
    assert executed.answer.scalar is None
    assert list(executed.answer.cells) == cells
    assert list(executed.answer.values) == values == [32.0, 34.0, 33.0, 37.0]


def test_paper_example_with_difference():
    """sum A diff count"""
    executed = execute(Step("sum", "A"), Step("reset"), Step("count"), Step("difference"))
    total, rows = 0.0, 0
    for record in RECORDS:
        total += record["A"]
        rows += 1
    assert selected(executed) == [NOTHING, EVERYTHING, NOTHING, NOTHING]
    scalars = [step.answer.scalar for step in executed.steps]
    assert scalars == [pytest.approx(total), None, rows, pytest.approx(total - rows)]
    assert executed.answer.kind == "scalar"
    assert executed.answer.scalar == pytest.approx(22.75 - 8)


def test_text_match_selects_the_rows_that_hold_one_of_the_texts():
    for texts in [("word:1",), ("word:2", "word:1"), ("word:9",), ("word",), ()]:
        executed = execute(Step("text match", "T", texts), Step("sum", "N"), table=MIXED)
        matched, total = [], 0.0
        for text, number in MIXED.records():
            matched.append(any(text == wanted for wanted in texts))
            if any(text == wanted for wanted in texts):
                total += number
        assert selected(executed) == [matched, [False] * 3], texts
        assert executed.answer.scalar == total, texts


def test_columns_of_text_can_be_looked_up():
    executed = execute(Step("greater", "N", 15.0), Step("assign", "T"), table=MIXED)
    assert executed.answer.cells == ((1, "T"), (2, "T"))
    assert executed.answer.values == ("word:2", "word:1")


def test_looking_up_nothing_is_an_answer():
    executed = execute(Step("greater", "N", 1000.0), Step("assign", "N"), table=MIXED)
    assert executed.answer.kind == "lookup"
    assert executed.answer.cells == ()
    assert executed.answer.values == ()


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (Step("greater", "N", 15.0), "greater N 15.0"),
        (Step("lesser", "N", -15.25), "lesser N -15.25"),
        (Step("and"), "and"),
        (Step("or"), "or"),
        (Step("reset"), "reset"),
        (Step("text match", "T", ("word:1", "word:2")), "text match T word:1 or word:2"),
        (Step("text match", "T", ()), "text match T nothing"),
        (Step("text other", "T", ("word:1", "word:2")), "text other T word:1 or word:2"),
        (Step("equal", "N", 10.0), "equal N 10.0"),
        (Step("not equal", "N", 10.0), "not equal N 10.0"),
        (Step("at least", "N", 10.0), "at least N 10.0"),
        (Step("at most", "N", 10.0), "at most N 10.0"),
        (Step("not"), "not"),
        (Step("greatest", "N"), "greatest N"),
        (Step("least", "N"), "least N"),
    ],
)
def test_no_answer_when_the_last_step_selects_rows(step, text):
    """Not even if an earlier step gave one, and never 0."""
    executed = execute(Step("count"), step, table=MIXED)
    assert executed.steps[0].answer.scalar == 3
    assert executed.answer.kind == "none"
    assert executed.answer.scalar is None
    assert executed.answer.reason == f"the last step, {text}, selects rows and gives no answer"


def test_no_answer_from_an_empty_program():
    executed = execute()
    assert executed.answer.kind == "none"
    assert executed.answer.reason == "the program has no steps"
    assert executed.steps == ()


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (Step("sum", "T"), "step 2, sum T, needs a column of numbers, and column T holds text"),
        (
            Step("text match", "N", ("word:1",)),
            "step 2, text match N word:1, needs a column of text, and column N holds",
        ),
        (Step("sum"), "step 2, sum, names no column"),
        (Step("assign"), "step 2, assign, names no column"),
        (Step("greater", None, 3.0), "step 2, greater 3.0, names no column"),
        (Step("greater", "N"), "step 2, greater N, has no number to work with"),
        (Step("lesser", "N"), "step 2, lesser N, has no number to work with"),
        (Step("text match", "T"), "step 2, text match T, has no text to work with"),
        (Step("greater", "N", ("word:1",)), "step 2, greater N word:1, has no number to work with"),
        (Step("text match", "T", 5.0), "step 2, text match T 5.0, has no text to work with"),
        (Step("text other", "T"), "step 2, text other T, has no text to work with"),
        (Step("text other", "D", ("a",)), "step 2, text other D a, needs a column of text, and column D holds dates"),
        (Step("average", "T"), "step 2, average T, needs a column of numbers, and column T holds text"),
        (Step("greatest", "T"), "step 2, greatest T, needs a column of numbers or dates, and column T holds text"),
        (Step("sum", "D"), "step 2, sum D, needs a column of numbers, and column D holds dates"),
        (Step("median", "D"), "step 2, median D, needs a column of numbers, and column D holds dates"),
        (Step("at most", "D", 2020.0), "step 2, at most D 2020.0, has no time to work with"),
        (Step("at most", "D"), "step 2, at most D, has no time to work with"),
        (Step("equal", "N", YEAR), "step 2, equal N 2020, has no number to work with"),
        (Step("text match", "T", YEAR), "step 2, text match T 2020, has no text to work with"),
        (Step("least"), "step 2, least, names no column"),
    ],
)
def test_no_answer_from_a_step_that_does_not_fit_the_table(step, reason):
    """The reason names the step; what ran before it is kept, what stands after it is not run."""
    table = Table((*MIXED.names, "D"), (*MIXED.columns, np.array(["2020-01-01", "NaT", "2021-01-01"], "M8[D]")))
    executed = execute(Step("count"), step, Step("count"), table=table)
    assert executed.answer.kind == "none"
    assert executed.answer.reason.startswith(reason)
    assert [result.answer.scalar for result in executed.steps] == [3]


@pytest.mark.parametrize("step", [Step("sum", "T"), Step("greater", "T", 1.0), Step("lesser", "T", 1.0)])
def test_numbers_are_not_sought_in_columns_of_text(step):
    executed = execute(step, Step("count"), table=MIXED)
    assert executed.answer.kind == "none"
    assert executed.answer.reason.endswith("and column T holds text")
    assert executed.steps == ()


def test_unknown_operation_names_the_known_ones():
    with pytest.raises(NeuralProgrammerError) as error:
        execute(Step("mode", "A"))
    assert str(error.value) == (f"unknown operation 'mode'; choose one of: {', '.join(BUILT_IN)}")


@pytest.mark.parametrize("step", [Step("sum", "Z"), Step("greater", "Z", 1.0), Step("assign", "Z")])
def test_unknown_column_names_the_known_ones(step):
    with pytest.raises(NeuralProgrammerError) as error:
        execute(step)
    assert str(error.value) == "no column 'Z'; the table has: A, B, C, D, E, F, G, H"


def test_difference_before_step_four_subtracts_from_zero():
    """diff_t = scalar_{t-3} - scalar_{t-1}, where the scalars before step 1 are 0."""
    first = execute(Step("difference"))
    assert first.answer.scalar == 0
    second = execute(Step("count"), Step("difference"))
    assert second.answer.scalar == 0 - 8
    third = execute(Step("greater", "A", 0.0), Step("count"), Step("difference"))
    assert third.answer.scalar == 0 - 6
    ignored = execute(Step("count"), Step("reset"), Step("difference"))
    assert ignored.answer.scalar == 0


def test_difference_after_step_four_looks_three_and_one_steps_back():
    steps = [Step("greater", "A", 0.0), Step("count"), Step("reset"), Step("count"), Step("difference")]
    assert execute(*steps).answer.scalar == 6 - 8
    assert execute(*steps, Step("difference")).answer.scalar == 0 - (6 - 8)


def test_logic_in_the_first_steps_finds_every_row_selected():
    """row_select_0 and the one before it are 1."""
    assert selected(execute(Step("and"))) == [EVERYTHING]
    assert selected(execute(Step("or"))) == [EVERYTHING]
    greater = [record["A"] > 4.0 for record in RECORDS]
    assert selected(execute(Step("greater", "A", 4.0), Step("and"))) == [greater, greater]
    assert selected(execute(Step("greater", "A", 4.0), Step("or"))) == [greater, EVERYTHING]


@pytest.mark.parametrize(
    "step",
    [
        Step("sum", "A"),
        Step("count"),
        Step("difference"),
        Step("assign", "A"),
        Step("average", "A"),
        Step("maximum", "A"),
        Step("minimum", "A"),
        Step("distinct", "A"),
        Step("whether"),
        Step("decline"),
    ],
    ids=str,
)
def test_no_row_is_selected_after_a_step_that_gives_an_answer_or_declines(step):
    executed = execute(step, Step("count"))
    assert selected(executed) == [NOTHING, NOTHING]
    assert executed.answer.scalar == 0
    assert execute(Step("greater", "A", 0.0), step, Step("or"), Step("count")).answer.scalar == 6


@pytest.mark.parametrize(
    "step", [Step("reset"), Step("greater", "A", 0.0), Step("assign", "A"), Step("whether")], ids=str
)
def test_a_step_without_a_scalar_leaves_the_scalar_at_zero(step):
    """The difference takes the scalar of the step before it, not the latest one."""
    executed = execute(Step("count"), Step("reset"), step, Step("difference"))
    assert executed.answer.scalar == 8 - 0


def test_comparisons_start_from_all_rows():
    """Two in a row do not narrow the selection: that takes an and."""
    executed = execute(Step("lesser", "A", 0.0), Step("greater", "A", 0.0), Step("count"))
    assert executed.answer.scalar == 6


# A row for every way in which a cell can be missing, and ties among the greatest and the least of what is there.
GAPS = Table(
    ("T", "N", "M", "D"),
    (
        np.array(["red", "", "blue", "red", "", "green"]),
        np.array([4.0, 9.0, np.nan, 9.0, -1.0, -1.0]),
        np.array([np.nan, 5.0, np.nan, 2.0, 2.0, np.nan]),
        np.array(["2020-01-01", "NaT", "2020-12-31", "2021-01-01", "2019-12-31", "2021-01-01"], "M8[D]"),
    ),
)


@pytest.mark.parametrize(
    ("name", "holds"),
    [
        ("greater", lambda cell: cell > 4),
        ("lesser", lambda cell: cell < 4),
        ("equal", lambda cell: cell == 4),
        ("not equal", lambda cell: cell != 4),
        ("at least", lambda cell: cell >= 4),
        ("at most", lambda cell: cell <= 4),
    ],
)
def test_no_comparison_holds_of_a_missing_number(name, holds):
    executed = execute(Step(name, "N", 4.0), Step("count"), table=GAPS)
    expected = [number == number and holds(number) for number in GAPS.column("N").tolist()]
    assert selected(executed)[0] == expected
    assert executed.answer.scalar == sum(expected)


@pytest.mark.parametrize("texts", [("red",), ("red", "green"), ("pink",), ("",), ("", "red"), ()], ids=str)
def test_a_missing_text_is_no_text_and_no_other(texts):
    cells = GAPS.column("T").tolist()
    match, other = (execute(Step(name, "T", texts), table=GAPS) for name in ("text match", "text other"))
    assert selected(match) == [[cell != "" and cell in texts for cell in cells]]
    assert selected(other) == [[cell != "" and cell not in texts for cell in cells]]


def test_what_was_not_selected_may_be_missing():
    """not turns round what was selected, missing cells and all: not equal is something else."""
    executed = execute(Step("equal", "N", 9.0), Step("not"), Step("count"), table=GAPS)
    assert selected(executed)[1] == [True, False, True, False, True, True]
    assert executed.answer.scalar == 4
    assert execute(Step("not equal", "N", 9.0), Step("count"), table=GAPS).answer.scalar == 3
    assert selected(execute(Step("not"), Step("not"), table=GAPS)) == [[False] * 6, [True] * 6]


@pytest.mark.parametrize(
    ("name", "expected"), [("sum", 9.0), ("average", 3.0), ("maximum", 5.0), ("minimum", 2.0), ("count", 6.0)]
)
def test_no_aggregate_counts_a_missing_cell(name, expected):
    """But count, which counts rows."""
    executed = execute(Step(name, None if name == "count" else "M"), table=GAPS)
    assert executed.answer.kind == "scalar"
    assert executed.answer.scalar == expected


@pytest.mark.parametrize("name", ["average", "maximum", "minimum"])
def test_there_is_no_average_of_nothing(name):
    """Where no row is selected, or no selected row has a cell; a sum of nothing is 0."""
    for first in (Step("greater", "N", 100.0), Step("text match", "T", ("blue",))):
        executed = execute(first, Step(name, "M"), table=GAPS)
        assert executed.answer.kind == "none"
        assert executed.answer.scalar is None
        assert executed.answer.reason == f"there is nothing to take the {name} M of"
        assert execute(first, Step("sum", "M"), table=GAPS).answer.scalar == 0


def test_there_is_no_difference_from_nothing():
    """Whether it stands one step before or three."""
    nothing = (Step("greater", "N", 100.0), Step("average", "M"))
    for steps in ((*nothing, Step("difference")), (*nothing, Step("reset"), Step("count"), Step("difference"))):
        executed = execute(*steps, table=GAPS)
        assert executed.answer.kind == "none"
        assert executed.answer.reason == "there is nothing to take the difference of"
    assert execute(*nothing, *[Step("reset")] * 3, Step("difference"), table=GAPS).answer.scalar == 0


def test_the_greatest_and_the_least_are_of_the_selected_rows_and_may_be_several():
    assert selected(execute(Step("greatest", "N"), table=GAPS)) == [[False, True, False, True, False, False]]
    assert selected(execute(Step("least", "N"), table=GAPS)) == [[False, False, False, False, True, True]]
    lesser = execute(Step("lesser", "N", 9.0), Step("greatest", "N"), table=GAPS)
    assert selected(lesser)[1] == [True, False, False, False, False, False]
    latest, earliest = (execute(Step(name, "D"), Step("assign", "D"), table=GAPS) for name in ("greatest", "least"))
    assert latest.answer.cells == ((3, "D"), (5, "D"))
    assert latest.answer.values == ("2021-01-01", "2021-01-01")
    assert earliest.answer.cells == ((4, "D"),)
    assert earliest.answer.values == ("2019-12-31",)


@pytest.mark.parametrize("name", ["greatest", "least"])
def test_of_nothing_there_is_no_greatest(name):
    """Where no row is selected, or no selected row has a cell: no row, and looked up, no cell."""
    for first in (Step("greater", "N", 100.0), Step("text match", "T", ("blue",))):
        executed = execute(first, Step(name, "M"), Step("assign", "T"), table=GAPS)
        assert selected(executed)[1] == [False] * 6
        assert executed.answer.kind == "lookup"
        assert executed.answer.cells == ()


def test_the_row_of_the_least_can_be_looked_up():
    executed = execute(Step("text match", "T", ("red",)), Step("least", "D"), Step("assign", "N"), table=GAPS)
    assert executed.answer.cells == ((0, "N"),)
    assert executed.answer.values == (4.0,)


PERIODS = [
    YEAR,
    Period(np.datetime64("2020-12-31"), np.datetime64("2020-12-31T23:59:59.999999"), "2020-12-31"),
    Period(np.datetime64("2019-12-01"), np.datetime64("2019-12-31T23:59:59.999999"), "December 2019"),
    Period(np.datetime64("1900-01-01"), np.datetime64("1900-12-31T23:59:59.999999"), "1900"),
]
TIMES = ["2020-12-31T23:59:59", "2021-01-01T00:00:00", "NaT", "2019-12-31T12:00:00", "2020-01-01T00:00:00"]


@pytest.mark.parametrize("column", [GAPS.column("D"), np.array(TIMES, "M8[s]")], ids=["days", "times of day"])
@pytest.mark.parametrize("period", PERIODS, ids=str)
def test_dates_are_compared_with_all_that_lies_within_a_time(column, period):
    """Later than 2020 is after its end, earlier before its beginning; a missing date is neither, nor within it."""
    table = Table(("D",), (column,))
    first, last = period.first.astype("M8[us]").tolist(), period.last.tolist()
    cells = column.astype("M8[us]").tolist()  # datetime or None
    for name, holds in {
        "greater": lambda cell: cell > last,
        "lesser": lambda cell: cell < first,
        "equal": lambda cell: first <= cell <= last,
        "not equal": lambda cell: cell < first or cell > last,
        "at least": lambda cell: cell >= first,
        "at most": lambda cell: cell <= last,
    }.items():
        executed = execute(Step(name, "D", period), table=table)
        assert selected(executed) == [[cell is not None and holds(cell) for cell in cells]], name


def test_a_time_is_written_as_the_question_has_it():
    assert str(Step("at least", "D", YEAR)) == "at least D 2020"
    assert str(Program((Step("equal", "D", PERIODS[2]), Step("count")))) == "equal D December 2019; count"


def test_dates_are_looked_up_as_they_are_written():
    executed = execute(Step("equal", "D", YEAR), Step("assign", "D"), table=GAPS)
    assert executed.answer.values == ("2020-01-01", "2020-12-31")
    assert str(executed.answer) == "[2020-01-01, 2020-12-31]"


@pytest.mark.parametrize("before", [(), (Step("count"),), (Step("greater", "A", 0.0), Step("sum", "A"))], ids=len)
def test_a_program_may_decline(before):
    executed = execute(*before, Step("decline"))
    assert executed.answer.kind == "none"
    assert executed.answer.reason == DECLINED == "the table does not hold what the question asks for"
    assert len(executed.steps) == len(before) + 1


def test_what_is_declined_before_the_last_step_is_no_answer_to_go_on_with():
    executed = execute(Step("count"), Step("reset"), Step("decline"), Step("difference"))
    assert executed.answer.scalar == 8 - 0
    assert executed.steps[2].answer.reason == DECLINED


def test_table_without_rows_has_no_greatest_and_no_average():
    empty = Table(("N", "D"), (np.array([]), np.array([], "M8[D]")))
    for name in ("greatest", "least"):
        assert execute(Step(name, "D"), Step("assign", "D"), table=empty).answer.cells == ()
    for name in ("average", "maximum", "minimum"):
        assert execute(Step(name, "N"), table=empty).answer.kind == "none"
    for step in (Step("not"), Step("equal", "D", YEAR), Step("at least", "N", 0.0)):
        assert execute(step, Step("count"), table=empty).answer.scalar == 0


def test_table_without_rows():
    empty = Table(("T", "N"), (np.array([], dtype=str), np.array([], dtype=np.float64)))
    assert execute(Step("sum", "N"), table=empty).answer.scalar == 0
    assert execute(Step("count"), table=empty).answer.scalar == 0
    assert execute(Step("text match", "T", ("a",)), Step("assign", "T"), table=empty).answer.cells == ()
    assert execute(Step("first"), Step("whether"), table=empty).answer.value is False
    assert execute(Step("most common", "T"), Step("distinct", "T"), table=empty).answer.scalar == 0


@pytest.mark.parametrize(
    ("steps", "value"),
    [
        ((Step("equal", "C", 50.33), Step("next"), Step("assign", "F")), [34]),
        ((Step("equal", "C", 50.33), Step("first"), Step("previous"), Step("assign", "F")), [31]),
        ((Step("greatest", "C"), Step("above"), Step("count")), 3),
        ((Step("greatest", "C"), Step("below"), Step("last"), Step("assign", "F")), [38]),
        ((Step("equal", "C", 50.33), Step("more", "H"), Step("count")), 4),
        ((Step("equal", "C", 50.33), Step("fewer", "H"), Step("assign", "H")), [-12800]),
        ((Step("equal", "H", 100.0), Step("same", "G"), Step("count")), 7),
        ((Step("equal", "F", 34.0), Step("same", "B"), Step("assign", "F")), [33]),
        ((Step("most common", "F"), Step("assign", "A")), [3.75, -5.5]),
        ((Step("distinct", "F"),), 7),
        ((Step("greater", "A", 8.5), Step("whether")), False),
        ((Step("at least", "A", 8.5), Step("whether")), True),
        ((Step("at least", "F", 33.0), Step("least common", "F"), Step("count")), 4),
        ((Step("greater", "A", 8.5), Step("more or less")), "less"),
        ((Step("at least", "A", 8.5), Step("above or below")), "above"),
        ((Step("at least", "A", 8.5), Step("count"), Step("years")), 1),
    ],
    ids=lambda each: "; ".join(map(str, each)) if isinstance(each, tuple) else "",
)
def test_rows_are_found_by_others(steps, value):
    """What comes before and after rows, has more or fewer, has the same; counted by hand in the table above."""
    assert execute(*steps).answer.value == value


def test_sums_are_those_of_double_precision():
    table = Table(("A",), (np.array([1e9, 0.01, -1e9]),))
    assert execute(Step("sum", "A"), table=table).answer.scalar == pytest.approx(0.01, abs=1e-6)


def test_text_of_a_program():
    program = Program((Step("greater", "C", 50.32), Step("lesser", "E", 20.21), Step("and"), Step("sum", "H")))
    assert str(program) == "greater C 50.32; lesser E 20.21; and; sum H"


@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_the_latest_of_times_is_one_of_them(name):
    table = Table(("when",), ([np.datetime64("2020-01-01")],))
    assert run(Program((Step(name, "when"),)), table).answer.value == ["2020-01-01"]
