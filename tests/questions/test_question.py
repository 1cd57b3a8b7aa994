"""Numbers leave the question, and each remembers the word on its left; mentions of columns become one word."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.questions.question import COLUMN, Link, Question, parse, pointed
from neural_programmer.tables.period import Period


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


def pointing(text, *names):
    """The words of a question as they are read, and the mentions of each column."""
    question = pointed(parse(text), names)
    return " ".join(question.words), question.mentions


def test_mentions_of_columns_are_read_as_one_word():
    assert pointed(parse("greater 50.32 C and lesser 20.21 E sum C"), ("A", "C", "E")) == Question(
        ("greater", COLUMN, "and", "lesser", COLUMN, "sum", COLUMN),
        numbers=(50.32, 20.21),
        number_positions=(0, 3),
        mentions=((), (1, 6), (4,)),
    )


def test_a_question_that_mentions_no_column_stays_as_it_is():
    asked = parse("greater 5 net and count 6")
    assert asked.mentions is None
    assert pointed(asked, ("net sales", "greater than", "A")) == replace(asked, mentions=((), (), ()))


def test_what_was_linked_before_stays_as_it_is():
    """A linked question says itself which words mention a column; its numbers, times and links stay with it."""
    period = Period(np.datetime64("2020-01-01"), np.datetime64("2020-12-31"), "2020")
    linked = Question(
        ("sum", "A", "of", "Rome"), (2020.0,), (3,), (period,), mentions=((), ()), links=(Link(3, {1: "Rome"}),)
    )
    assert pointed(linked, ("A", "city")) is linked
    once = pointed(parse("sum A of 5"), ("A", "city"))
    assert pointed(once, ("sum", "of")) is once


def test_a_name_of_several_words_is_one_mention():
    assert pointing("greater 5 net sales sum size of order", "size of order", "A", "net sales") == (
        "greater [column] sum [column]",
        ((3,), (), (1,)),
    )


@pytest.mark.parametrize("text", ["sum net", "sum sales net", "net sum sales", "sum nets ales", "sum netsales"])
def test_part_of_a_name_is_no_mention(text):
    assert pointing(text, "net sales") == (text, ((),))


def test_the_longest_name_is_meant():
    names = ("net", "net sales", "net sales tax", "tax")
    assert pointing("sum net sales tax", *names) == ("sum [column]", ((), (), (1,), ()))
    assert pointing("sum net sales sum tax", *names) == ("sum [column] sum [column]", ((), (1,), (), (3,)))
    assert pointing("sum net tax", *names) == ("sum [column] [column]", ((1,), (), (), (2,)))
    assert pointing("sum net sales tax", *names[::-1]) == ("sum [column]", ((), (1,), (), ()))


def test_names_that_could_overlap_are_read_from_the_left():
    assert pointing("sum gross net sales", "net sales", "gross net") == ("sum [column] sales", ((), (1,)))


@pytest.mark.parametrize("text", ["sum Net Sales", "sum net sales", "sum NET sALES"])
def test_case_does_not_matter(text):
    assert pointing(text, "A", "Net sales") == ("sum [column]", ((), (1,)))


def test_case_folds_as_unicode_says():
    assert pointing("sum GRÖSSE of ΤΕΛΟΣ", "größe", "τέλος", "τελος") == ("sum [column] of [column]", ((1,), (), (3,)))


def test_case_matters_where_another_column_is_spelled_so():
    for names in (("a", "A"), ("A", "a")):
        found = dict(zip(names, pointing("sum A of a or a", *names)[1], strict=True))
        assert found == {"A": (1,), "a": (3, 5)}
    assert pointing("sum Net sales of net SALES", "net sales", "Net sales")[1] == ((3,), (1,))


def test_a_spelling_of_no_column_is_the_first_that_it_may_be():
    assert pointing("sum NET", "Net", "net", "tax") == ("sum [column]", ((1,), (), ()))
    assert pointing("sum NET", "net", "Net", "tax") == ("sum [column]", ((1,), (), ()))


def test_numbers_stay_behind_their_words_when_names_become_one_word():
    """Behind a word before, within, at the end of, and after a name; and at the very start."""
    question = pointed(parse("7 net sales of 1 a big order 2 sum 3 x 4 5"), ("net sales", "a big order", "x"))
    assert question.words == (COLUMN, "of", COLUMN, "sum", COLUMN)
    assert question.numbers == (7.0, 1.0, 2.0, 3.0, 4.0, 5.0)
    assert question.number_positions == (0, 1, 2, 3, 4, 4)
    assert question.mentions == ((0,), (2,), (4,))


def test_white_space_in_names_does_not_matter():
    assert pointing("sum net sales", "  net \t sales ") == ("sum [column]", ((1,),))


def test_a_question_of_one_mention_alone():
    assert pointing("A", "A") == ("[column]", ((0,),))


@settings(derandomize=True, deadline=None, max_examples=200)
@given(
    words=st.lists(st.sampled_from(["a", "b", "c", "A", "sum"]), min_size=1, max_size=10),
    names=st.lists(st.sampled_from(["a", "A", "b", "a b", "b c a", "c c", "x"]), min_size=1, max_size=4, unique=True),
)
def test_mentions_put_back_give_the_question(words, names):
    """Every mention is the name of its column but for case, once; and a word left alone is the name of none."""
    question = pointed(Question(tuple(words), (), ()), names)
    pairs = zip(names, question.mentions, strict=True)
    columns = {position: name for name, positions in pairs for position in positions}
    assert len(columns) == sum(map(len, question.mentions)) == question.words.count(COLUMN)
    rebuilt = [columns.get(position, word) for position, word in enumerate(question.words)]
    assert " ".join(rebuilt).casefold() == " ".join(words).casefold()
    folded = {name.casefold() for name in names}
    assert not any(word.casefold() in folded for word in question.words)
