"""The paper's three example programs step by step against plain loops, and every edge of the interpreter."""

import numpy as np
import pytest

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.program import Program, Run, Step, run
from neural_programmer.table import Table

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
    ],
)
def test_no_answer_from_a_step_that_does_not_fit_the_table(step, reason):
    """The reason names the step; what ran before it is kept, what stands after it is not run."""
    executed = execute(Step("count"), step, Step("count"), table=MIXED)
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
        execute(Step("maximum", "A"))
    assert str(error.value) == (
        "unknown operation 'maximum'; choose one of: "
        "sum, count, difference, greater, lesser, and, or, assign, reset, text match"
    )


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


@pytest.mark.parametrize("step", [Step("sum", "A"), Step("count"), Step("difference"), Step("assign", "A")], ids=str)
def test_no_row_is_selected_after_a_step_that_gives_an_answer(step):
    executed = execute(step, Step("count"))
    assert selected(executed) == [NOTHING, NOTHING]
    assert executed.answer.scalar == 0
    assert execute(Step("greater", "A", 0.0), step, Step("or"), Step("count")).answer.scalar == 6


@pytest.mark.parametrize("step", [Step("reset"), Step("greater", "A", 0.0), Step("assign", "A")], ids=str)
def test_a_step_without_a_scalar_leaves_the_scalar_at_zero(step):
    """The difference takes the scalar of the step before it, not the latest one."""
    executed = execute(Step("count"), Step("reset"), step, Step("difference"))
    assert executed.answer.scalar == 8 - 0


def test_comparisons_start_from_all_rows():
    """Two in a row do not narrow the selection: that takes an and."""
    executed = execute(Step("lesser", "A", 0.0), Step("greater", "A", 0.0), Step("count"))
    assert executed.answer.scalar == 6


def test_table_without_rows():
    empty = Table(("T", "N"), (np.array([], dtype=str), np.array([], dtype=np.float64)))
    assert execute(Step("sum", "N"), table=empty).answer.scalar == 0
    assert execute(Step("count"), table=empty).answer.scalar == 0
    assert execute(Step("text match", "T", ("a",)), Step("assign", "T"), table=empty).answer.cells == ()


def test_sums_are_those_of_double_precision():
    table = Table(("A",), (np.array([1e9, 0.01, -1e9]),))
    assert execute(Step("sum", "A"), table=table).answer.scalar == pytest.approx(0.01, abs=1e-6)


def test_text_of_a_program():
    program = Program((Step("greater", "C", 50.32), Step("lesser", "E", 20.21), Step("and"), Step("sum", "H")))
    assert str(program) == "greater C 50.32; lesser E 20.21; and; sum H"
