import json
from dataclasses import replace

import pytest

from neural_programmer.programs.answer import Answer
from neural_programmer.programs.result import Result
from neural_programmer.programs.values import shown_value


def scalar(value):
    return Answer(Result.number(value))


def truth(value):
    return Answer(Result.truth(value))


def lookup(*cells):
    return Answer(Result.cells(tuple(float(row) for row, _ in cells)), cells=cells)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (10.0, 10.0, True),
        (10.0, 10.04, True),
        (-10.0, -10.04, True),
        (0.02, -0.02, True),
        (10.0, 10.06, False),
        (10.0, 10.1, False),
        (10.0, -10.0, False),
        (0.0, 1e9, False),
    ],
)
def test_scalars_are_equal_up_to_the_first_decimal_place(one, other, equal):
    assert scalar(one).equals(scalar(other)) is equal
    assert scalar(other).equals(scalar(one)) is equal


def test_lookups_are_equal_when_the_same_cells_are_chosen():
    chosen = lookup((0, "A"), (4, "A"))
    assert chosen.equals(lookup((4, "A"), (0, "A")))
    assert not chosen.equals(lookup((0, "A")))
    assert not chosen.equals(lookup((0, "A"), (4, "A"), (5, "A")))
    assert not chosen.equals(lookup((0, "B"), (4, "B")))
    assert lookup().equals(lookup())


def test_the_same_values_in_other_cells_are_another_answer():
    one = Answer(Result.cells((7.0,)), cells=((0, "A"),))
    other = Answer(Result.cells((7.0,)), cells=((1, "A"),))
    assert not one.equals(other)


def test_no_answer_equals_nothing():
    none = Answer(reason="the program has no steps")
    for other in (none, scalar(0.0), lookup()):
        assert not none.equals(other)
        assert not other.equals(none)


def test_scalar_and_lookup_are_never_equal():
    assert not scalar(0.0).equals(lookup())
    assert not lookup().equals(scalar(0.0))


def test_truths_are_equal_when_they_are_alike():
    assert truth(True).equals(truth(True))
    assert replace(truth(False), cells=((0, None),)).equals(truth(False))
    assert not truth(True).equals(truth(False))
    for other in (scalar(1.0), lookup(), Answer()):
        assert not truth(True).equals(other)
        assert not other.equals(truth(True))


def test_a_truth_is_one_in_json():
    said = replace(truth(False), question="any?", total=0).to_dict()
    assert json.loads(json.dumps(said))["answer"] is False
    assert (said["kind"], said["truncated"]) == ("truth", False)
    assert "<b>no</b>" in replace(truth(False), question="any?")._repr_html_()


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (scalar(12.0), "12"),
        (truth(True), "yes"),
        (replace(truth(False), question="any?", unit="$"), "no"),
        (scalar(100.0), "100"),
        (scalar(0.0), "0"),
        (scalar(-80.97), "-80.97"),
        (scalar(2.5), "2.5"),
        (scalar(0.1 + 0.2), "0.3"),
        (scalar(1234567.891), "1234567.89"),
        (Answer(reason="the program has no steps"), "no answer: the program has no steps"),
        (lookup(), "[]"),
        (lookup((1, "A"), (2, "A")), "[1.0, 2.0]"),
        (Answer(Result.cells(("word:3",)), cells=((0, "T"),)), "[word:3]"),
    ],
)
def test_text_of_an_answer(answer, text):
    assert str(answer) == text


@pytest.mark.parametrize(
    ("number", "unit", "text"),
    [
        (3133.2, "$", "$3,133.20"),
        (-3133.2, "$", "-$3,133.20"),
        (3133.0, "$", "$3,133"),
        (0.5, "€", "€0.50"),
        (0.0042, "$", "$0.0042"),
        (1500.5, "km", "1,500.5 km"),
        (0.1 + 0.2, "%", "0.3 %"),
        (0.1 + 0.2, "", "0.3"),
        (2024.0, "", "2024"),
        (1234567.891, "", "1,234,567.891"),
        (1234567.89123, "", "1,234,567.89"),
        (2.998, "", "2.998"),
        (-2.998, "$", "-$2.998"),
        (2.9999963, "km", "2.999996 km"),
        (0.99999, "", "0.99999"),
        (999.996, "€", "€999.996"),
        (10 / 3, "", "3.33"),
        (3 - 1e-15, "", "3"),
        (1e20, "", "100,000,000,000,000,000,000"),
        (12.5, "€", "€12.50"),
        (0.012345, "", "0.01235"),
    ],
)
def test_numbers_for_people(number, unit, text):
    assert str(replace(scalar(number), question="?", unit=unit)) == text
    assert replace(scalar(number), question="?", unit=unit).to_dict()["answer"] == number


@pytest.mark.parametrize(
    ("cell", "unit", "text"),
    [
        (1.459, "€", "€1.459"), (3133.2, "$", "$3,133.20"), (12, "$", "$12"), (10248, "", "10248"),
        (2**60, "B", f"{2**60:,} B"),
        (0.1 + 0.2, "", "0.3"), (12.345, "km", "12.345 km"), (None, "$", "-"), (True, "", "yes"),
        ("Infinity", "", "Infinity"),
    ],
)  # fmt: skip
def test_cells_for_people(cell, unit, text):
    assert shown_value(cell, unit) == text


def test_a_list_that_was_cut_says_so():
    cut = Answer(Result.cells(("a", "b"), more=1), total=3)
    assert (cut.to_dict()["truncated"], cut.to_dict()["cells_in_all"]) == (True, 3)
    assert not replace(cut, result=Result.cells(("a", "b"))).to_dict()["truncated"]
    assert not replace(scalar(5.0), total=9).to_dict()["truncated"]


def test_long_lookups_are_cut_short():
    cells = tuple((row, "A") for row in range(11))
    assert str(lookup(*cells[:8])) == "[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]"
    assert str(lookup(*cells)) == "[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, and 3 more]"


def test_a_sum_that_rounds_to_zero_has_no_sign():
    assert str(scalar(0.3 - 0.1 - 0.2)) == "0"


def test_notes_are_in_every_form_of_an_answer():
    noted = replace(scalar(1.0), question="?", notes=("July is <July 2024>.",))
    assert noted.to_dict()["notes"] == ["July is <July 2024>."]
    assert "<p>July is &lt;July 2024&gt;.</p>" in noted._repr_html_()


def test_as_many_decimals_as_are_asked_for():
    asked = replace(scalar(10 / 3), question="?", unit="$")
    assert (asked.text(6), asked.text(0), str(asked)) == ("$3.333333", "$3", "$3.33")
