"""Programs are written as text and read again as what they were; text that is none is refused in a sentence."""

from datetime import date, timedelta
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.expressions import Unit
from neural_programmer.programs.operations import BUILT_IN
from neural_programmer.programs.pointers import BandOf, Computed, MeasureAt, PartOf
from neural_programmer.programs.program import Program, Step
from neural_programmer.programs.text import parse, period_of, write

NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-3000, 3000).map(float)
WIDTHS = st.floats(1e-9, 1e9)
DAYS = st.dates(date(1000, 1, 1), date(9998, 1, 1))


@st.composite
def times(draw):
    first = draw(DAYS)
    if draw(st.booleans()):
        clock = draw(st.times())
        return period_of(f"{first}T{clock.isoformat('microseconds')}..{first + timedelta(1)}T00:00:00.000000")
    last = first + timedelta(draw(st.integers(1, 20)))
    return period_of(draw(st.sampled_from([f"year {first:%Y}", f"{first:%Y-%m}", f"{first}", f"{first}..{last}"])))


POINTERS = st.one_of(
    st.none(), st.text(), st.just(Computed()), st.integers(0, 9).map(MeasureAt),
    st.builds(PartOf, st.text(), st.sampled_from(get_args(Unit))), st.builds(BandOf, st.text(), WIDTHS),
)  # fmt: skip
ARGUMENTS = st.one_of(st.none(), NUMBERS, times(), st.lists(st.text(), max_size=3).map(tuple))
STEPS = st.builds(Step, st.sampled_from(tuple(BUILT_IN)), POINTERS, ARGUMENTS)


@settings(deadline=None, max_examples=300, derandomize=True)
@given(st.lists(STEPS, min_size=1, max_size=6), st.sampled_from(["; ", "\n", " ;\n\n  "]))
def test_what_is_written_is_read_again(steps, apart):
    program = Program(tuple(steps))
    assert parse(write(program, apart)) == program


def test_a_program_as_people_write_it():
    text = '''
        text match "type of ""home""" 'flat' or 'landlord''s'; at least "built" 2014-05
        for each month of the year of "built"
        average "rent"
        top measure 1 3
    '''
    assert parse(text).steps == (
        Step("text match", 'type of "home"', ("flat", "landlord's")),
        Step("at least", "built", period_of("2014-05")),
        Step("for each", PartOf("built", "month of the year")),
        Step("average", "rent"),
        Step("top", MeasureAt(0), 3.0),
    )


@pytest.mark.parametrize(("time", "first", "last"), [
    ("year 2016", "2016-01-01", "2016-12-31"), ("2016-02", "2016-02-01", "2016-02-29"),
    ("2014-05-03", "2014-05-03", "2014-05-03"), ("2014-05-03..2014-05-09", "2014-05-03", "2014-05-09"),
    ("2014-05..2014-06", "2014-05-01", "2014-06-30"),
])  # fmt: skip
def test_times_are_from_their_first_moment_to_their_last(time, first, last):
    [step] = parse(f'equal "date" {time}').steps
    assert step.argument.first == np.datetime64(first)
    assert step.argument.last == np.datetime64(last) + np.timedelta64(1, "D") - np.timedelta64(1, "us")


@pytest.mark.parametrize(("text", "told"), [
    ("", "a program has at least one step, such as: count"),
    ("count; grater \"age\" 5", 'step 2, grater "age" 5, begins with none of the operations: sum, '),
    ('greater "age" five', "step 1, greater \"age\" five, has 'five' where a column in double quotes, a number, "),
    ('greater "age', 'step 1, greater " age, has a quote that does not end where '),
    ('greater "age" 5 6', 'step 1, greater "age" 5 6, has \'6\' where it should end'),
    ('average measure', "step 1, average measure, names a measure without its number, such as: measure 1"),
    ('for each year of date', 'step 1, for each year of date, names no column after year of: write it in double'),
    ('for each "age" in bands of ten', 'names no width, such as: "age" in bands of 10'),
    ("text match \"a\" 'x' or y", "step 1, text match \"a\" 'x' or y, has no text in single quotes after or"),
    ('equal "date" 2014-02-30', 'step 1, equal "date" 2014-02-30, has a time that no calendar has'),
    ('equal "date" year soon', "names no year, such as: year 2014"),
])  # fmt: skip
def test_what_is_no_program_is_refused_in_a_sentence(text, told):
    with pytest.raises(NeuralProgrammerError) as caught:
        parse(text)
    assert told in str(caught.value)
