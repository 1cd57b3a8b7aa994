"""Numbers leave the question, and each remembers the word on its left."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.question import Question, parse


def test_numbers_leave_the_question_and_remember_the_word_on_their_left():
    assert parse("greater 50.32 C and lesser 20.21 E sum H") == Question(
        words=("greater", "C", "and", "lesser", "E", "sum", "H"), numbers=(50.32, 20.21), number_positions=(0, 3)
    )


def test_question_without_numbers():
    assert parse("sum A diff count") == Question(("sum", "A", "diff", "count"), (), ())


@pytest.mark.parametrize(
    ("token", "number"),
    [("7", 7.0), ("-80.97", -80.97), ("+3.5", 3.5), (".5", 0.5), ("-.25", -0.25), ("12.", 12.0), ("007", 7.0)],
)
def test_ways_to_write_a_number(token, number):
    assert parse(f"lesser {token} D") == Question(("lesser", "D"), (number,), (0,))


@pytest.mark.parametrize(
    "token",
    ["-", "+", ".", "--3", "1.2.3", "1e5", "1,000", "3%", "word:7", "C3", "nan", "inf", "-inf", "0x10", "1_000"],
)
def test_what_only_looks_like_a_number_is_a_word(token):
    assert parse(f"greater {token}") == Question(("greater", token), (), ())


def test_leading_number_takes_the_position_of_the_first_word():
    assert parse("5 greater A 6") == Question(("greater", "A"), (5.0, 6.0), (0, 1))


def test_several_numbers_after_one_word_share_its_position():
    assert parse("between 1 2 and 3") == Question(("between", "and"), (1.0, 2.0, 3.0), (0, 0, 1))


def test_any_white_space_separates():
    assert parse("\tsum  \n A\u00a0greater\u30001 ") == Question(("sum", "A", "greater"), (1.0,), (2,))


def test_words_of_other_scripts_are_kept_as_they_are():
    assert parse("größer 12.5 Preis_€ 合計 École") == Question(("größer", "Preis_€", "合計", "École"), (12.5,), (0,))


@pytest.mark.parametrize("text", ["", "   \n", "3", "-1.5 2"])
def test_a_question_needs_a_word(text):
    with pytest.raises(NeuralProgrammerError) as error:
        parse(text)
    assert str(error.value) == f"a question needs at least one word, and {text!r} has none"


def test_the_error_shows_no_more_than_the_start_of_a_long_question():
    with pytest.raises(NeuralProgrammerError) as error:
        parse("1 " * 5000)
    assert len(str(error.value)) < 150


# Letters, punctuation and symbols of any script, but no digits: never a number.
WORDS = st.text(st.characters(categories=["L", "P", "S"]), min_size=1, max_size=8)
NUMBERS = st.one_of(
    st.integers(-(10**9), 10**9).map(str),
    st.integers(-(10**9), 10**9).map(lambda hundredths: f"{hundredths / 100:.2f}"),
)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(first=WORDS, rest=st.lists(st.one_of(WORDS, NUMBERS.map(lambda token: (token,))), max_size=12))
def test_words_and_numbers_round_trip(first, rest):
    """Putting every number back behind its word gives the tokens of the question in their order."""
    tokens = [first, *(token if isinstance(token, str) else token[0] for token in rest)]
    question = parse(" ".join(tokens))
    numbered = list(zip(question.number_positions, question.numbers, strict=True))
    rebuilt = []
    for position, word in enumerate(question.words):
        rebuilt.append(word)
        rebuilt.extend(number for place, number in numbered if place == position)
    assert rebuilt == [first, *(token if isinstance(token, str) else float(token[0]) for token in rest)]
