import numpy as np
import pytest

from neural_programmer.encode import Example, Sizes, Vocabulary, distinct_texts, empty, encode, sizes, write
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.question import Question, parse
from neural_programmer.table import Table

TABLE = Table(
    ("city", "unit price", "state", "C"),
    (
        np.array(["Rome", "Oslo", "Rome"]),
        np.array([1.5, -2.25, 80.97]),
        np.array(["Lima", "Rome", "Bern"]),
        np.array([7.0, 8.0, 9.0]),
    ),
)
QUESTION = parse("greater 50.32 unit price and lesser -20.5 C sum C")
WORDS = ["greater", "lesser", "and", "sum", "unit", "price", "C", "city", "state", "Rome", "Oslo", "Lima", "Bern"]
VOCABULARY = Vocabulary.of(WORDS)
ROOM = Sizes(words=12, numbers=4, columns=6, name_words=3, rows=5, texts=7)


def words_of(places: np.ndarray) -> list[str]:
    return [VOCABULARY.words[place] for place in places]


def test_vocabulary_has_every_word_once_behind_the_padding():
    vocabulary = Vocabulary.of(["b", "a", "b", "c"])
    assert vocabulary.words == ("", "a", "b", "c")
    assert len(vocabulary) == 4
    assert vocabulary.encode(["c", "a", "c"]) == [3, 1, 3]
    assert vocabulary.encode([]) == []


def test_vocabulary_does_not_depend_on_the_order_of_words():
    assert Vocabulary.of(WORDS) == Vocabulary.of([*WORDS[::-1], *WORDS])


def test_unknown_word_names_the_known_ones():
    with pytest.raises(NeuralProgrammerError) as error:
        Vocabulary.of(["sum", "A", "count"]).encode(["sum", "B", "D"])
    assert str(error.value) == "the model never met the word 'B' in training; it knows: A, count, sum"


@pytest.mark.parametrize(("known", "end"), [(40, "w39"), (41, "w39 ...")])
def test_unknown_word_names_at_most_forty(known, end):
    with pytest.raises(NeuralProgrammerError) as error:
        Vocabulary.of([f"w{number:02}" for number in range(known)]).encode(["x"])
    assert str(error.value).endswith(f", {end}")


@pytest.mark.parametrize("unknown", ["question", "name", "cell"])
def test_unknown_words_are_refused_wherever_they_stand(unknown):
    question = Question(("sum", "Kyiv"), (), ()) if unknown == "question" else QUESTION
    names = ("Kyiv", "C") if unknown == "name" else ("city", "C")
    cells = np.array(["Rome", "Kyiv" if unknown == "cell" else "Oslo"])
    with pytest.raises(NeuralProgrammerError, match="never met the word 'Kyiv'"):
        encode(question, Table(names, (cells, np.array([1.0, 2.0]))), VOCABULARY)


def test_sizes_are_those_of_the_question_and_the_table():
    assert sizes(QUESTION, TABLE) == Sizes(words=8, numbers=2, columns=4, name_words=2, rows=3, texts=4)


def test_sizes_are_never_nothing():
    table = Table(("C",), (np.array([], dtype=np.float64),))
    assert sizes(Question(("sum",), (), ()), table) == Sizes() == Sizes(1, 1, 1, 1, 1, 1)


def test_joined_sizes_have_room_for_both():
    assert Sizes(1, 2, 3, 4, 5, 6).join(Sizes(6, 5, 4, 3, 2, 1)) == Sizes(6, 5, 4, 4, 5, 6)


def test_question_words_and_numbers():
    example = encode(QUESTION, TABLE, VOCABULARY)
    assert words_of(example.words) == ["greater", "unit", "price", "and", "lesser", "C", "sum", "C"]
    assert example.word_count == 8
    np.testing.assert_allclose(example.numbers, [50.32, -20.5])
    assert example.number_positions.tolist() == [0, 4]
    assert example.number_count == 2


def test_question_without_numbers_has_minus_one():
    """Both pivots are -1 in the paper's example without numbers."""
    example = encode(parse("sum C"), TABLE, VOCABULARY)
    assert example.numbers.tolist() == [-1.0]
    assert example.number_positions.tolist() == [0]
    assert example.number_count == 1


def test_column_names_of_several_words():
    example = encode(QUESTION, TABLE, VOCABULARY)
    assert [words_of(name) for name in example.names] == [["city", ""], ["unit", "price"], ["state", ""], ["C", ""]]
    assert example.name_counts.tolist() == [1, 2, 1, 1]
    assert example.column_count == 4


def test_numbers_stand_in_columns_of_numbers_and_texts_in_columns_of_text():
    example = encode(QUESTION, TABLE, VOCABULARY)
    assert example.text_columns.tolist() == [True, False, True, False]
    np.testing.assert_allclose(example.table, [[0, 1.5, 0, 7], [0, -2.25, 0, 8], [0, 80.97, 0, 9]], rtol=1e-6)
    for row, record in enumerate(TABLE.records()):
        for column, value in enumerate(record):
            if isinstance(value, str):
                assert words_of(example.texts)[example.cells[row, column]] == value
            else:
                assert example.cells[row, column] == 0
    assert example.row_count == 3


def test_texts_are_the_distinct_texts_of_the_table_in_order():
    example = encode(QUESTION, TABLE, VOCABULARY)
    assert distinct_texts(TABLE) == ["Rome", "Oslo", "Lima", "Bern"]
    assert words_of(example.texts) == distinct_texts(TABLE)


def test_order_of_texts_agrees_on_random_tables():
    generator = np.random.default_rng(0)
    for _ in range(50):
        rows = int(generator.integers(1, 9))
        columns = [generator.choice(WORDS, rows) for _ in range(3)]
        table = Table(("city", "state", "C"), (columns[0], columns[1], generator.random(rows)))
        example = encode(QUESTION, table, VOCABULARY)
        assert words_of(example.texts) == distinct_texts(table)
        assert len(set(distinct_texts(table))) == len(distinct_texts(table)) == sizes(QUESTION, table).texts


def test_table_without_text_has_no_texts():
    table = Table(("C",), (np.array([1.0, 2.0]),))
    assert distinct_texts(table) == []
    assert encode(QUESTION, table, VOCABULARY).texts.tolist() == [0]


def test_padding_keeps_what_is_real_and_is_zero_beyond():
    tight = encode(QUESTION, TABLE, VOCABULARY)
    padded = encode(QUESTION, TABLE, VOCABULARY, ROOM)
    for name, small, large in zip(Example._fields, tight, padded, strict=True):
        real = tuple(slice(length) for length in small.shape)
        np.testing.assert_array_equal(large[real], small, err_msg=name)
        beyond = np.array(large)
        beyond[real] = 0
        assert not beyond.any(), name


def test_padded_sizes_are_those_asked_for():
    example = encode(QUESTION, TABLE, VOCABULARY, ROOM)
    shapes = {name: array.shape for name, array in zip(Example._fields, example, strict=True)}
    assert shapes == {
        "words": (12,),
        "word_count": (),
        "numbers": (4,),
        "number_positions": (4,),
        "number_count": (),
        "names": (6, 3),
        "name_counts": (6,),
        "text_columns": (6,),
        "column_count": (),
        "table": (5, 6),
        "texts": (7,),
        "cells": (5, 6),
        "row_count": (),
    }


def test_too_little_room_is_refused():
    for axis in Sizes._fields:
        with pytest.raises((ValueError, IndexError)):
            encode(QUESTION, TABLE, VOCABULARY, sizes(QUESTION, TABLE)._replace(**{axis: 1}))


def test_examples_of_a_batch_do_not_touch_each_other():
    other = Table(("state", "C"), (np.array(["Bern"]), np.array([3.5])))
    short = parse("sum C")
    batch = empty(3, ROOM)
    write(batch, 0, QUESTION, TABLE, VOCABULARY)
    write(batch, 2, short, other, VOCABULARY)
    alone = [encode(QUESTION, TABLE, VOCABULARY, ROOM), None, encode(short, other, VOCABULARY, ROOM)]
    for place, expected in enumerate(alone):
        for slot, (name, array) in enumerate(zip(Example._fields, batch, strict=True)):
            np.testing.assert_array_equal(array[place], 0 if expected is None else expected[slot], err_msg=name)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_numbers_have_the_precision_asked_for(dtype):
    batch = empty(1, sizes(QUESTION, TABLE), dtype)
    write(batch, 0, QUESTION, TABLE, VOCABULARY)
    assert batch.numbers.dtype == batch.table.dtype == dtype
    assert batch.table[0, 2, 1] == dtype(80.97)
    assert batch.numbers[0, 0] == dtype(50.32)
