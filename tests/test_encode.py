from dataclasses import replace

import numpy as np
import pytest

from neural_programmer.config import NetworkConfig
from neural_programmer.encode import Example, Sizes, Vocabulary, distinct_texts, empty, encode, sizes, write
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.question import COLUMN, Question, parse
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
PAPER = NetworkConfig(reader="rnn", attention=False, arguments="blended", columns="names", text_match=True)
DEFAULT = NetworkConfig(text_match=True)
CONFIGS = pytest.mark.parametrize("config", [PAPER, DEFAULT], ids=["paper", "default"])
WORDS = ["greater", "lesser", "and", "sum", "unit", "price", "C", "city", "state", "Rome", "Oslo", "Lima", "Bern"]
VOCABULARY = Vocabulary.of([*WORDS, COLUMN])
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


def with_unknown(where: str) -> tuple[Question, Table]:
    """A question and a table with a word that the vocabulary lacks."""
    question = Question(("sum", "Kyiv"), (), ()) if where == "question" else QUESTION
    names = ("Kyiv", "C") if where == "name" else ("city", "C")
    cells = np.array(["Rome", "Kyiv" if where == "cell" else "Oslo"])
    return question, Table(names, (cells, np.array([1.0, 2.0])))


@pytest.mark.parametrize("config", [PAPER, replace(PAPER, arguments="mixed")], ids=["blended", "mixed"])
@pytest.mark.parametrize("unknown", ["question", "name", "cell"])
def test_unknown_words_are_refused_wherever_they_are_read(unknown, config):
    with pytest.raises(NeuralProgrammerError, match="never met the word 'Kyiv'"):
        encode(*with_unknown(unknown), VOCABULARY, config)


@pytest.mark.parametrize(
    ("config", "refused"),
    [
        (DEFAULT, {"question"}),
        (replace(DEFAULT, text_match=False), {"question"}),
        (replace(DEFAULT, columns="names"), {"question", "name"}),
        (replace(PAPER, columns="pointers"), {"question", "cell"}),
        (replace(PAPER, text_match=False), {"question", "name"}),
    ],
    ids=["default", "default without text match", "arguments at every step", "pointers", "paper without text match"],
)
@pytest.mark.parametrize("unknown", ["question", "name", "cell"])
def test_unknown_words_are_fine_where_they_are_not_read(unknown, config, refused):
    question, table = with_unknown(unknown)
    if unknown in refused:
        with pytest.raises(NeuralProgrammerError, match="never met the word 'Kyiv'"):
            encode(question, table, VOCABULARY, config)
    else:
        example = encode(question, table, VOCABULARY, config)
        assert words_of(example.words[: example.word_count])[-2] == "sum"
        assert example.cells[:, 0].tolist() == [0, 1]


def test_an_unknown_name_may_stand_in_a_question_that_points_at_it():
    _, table = with_unknown("name")
    example = encode(parse("sum kyiv"), table, VOCABULARY, DEFAULT)
    assert words_of(example.words) == ["sum", COLUMN]
    assert example.mentions.tolist() == [[False, True], [False, False]]


def test_sizes_are_those_of_the_question_and_the_table():
    assert sizes(QUESTION, TABLE, PAPER) == Sizes(words=8, numbers=2, columns=4, name_words=2, rows=3, texts=4)


def test_sizes_have_no_room_for_what_is_not_read():
    assert sizes(QUESTION, TABLE, DEFAULT) == Sizes(words=8, numbers=2, columns=4, name_words=1, rows=3, texts=1)
    numbers = replace(PAPER, text_match=False)
    assert sizes(QUESTION, TABLE, numbers) == Sizes(words=8, numbers=2, columns=4, name_words=2, rows=3, texts=1)


@CONFIGS
def test_sizes_are_never_nothing(config):
    table = Table(("C",), (np.array([], dtype=np.float64),))
    assert sizes(Question(("sum",), (), ()), table, config) == Sizes() == Sizes(1, 1, 1, 1, 1, 1)


def test_joined_sizes_have_room_for_both():
    assert Sizes(1, 2, 3, 4, 5, 6).join(Sizes(6, 5, 4, 3, 2, 1)) == Sizes(6, 5, 4, 4, 5, 6)


def test_question_words_and_numbers():
    example = encode(QUESTION, TABLE, VOCABULARY, PAPER)
    assert words_of(example.words) == ["greater", "unit", "price", "and", "lesser", "C", "sum", "C"]
    assert example.word_count == 8
    np.testing.assert_allclose(example.numbers, [50.32, -20.5])
    assert example.number_positions.tolist() == [0, 4]
    assert example.number_count == 2


def test_mentions_of_columns_are_read_as_one_word():
    """By pointers: the places that mention each column, the numbers behind the words they stood behind."""
    example = encode(QUESTION, TABLE, VOCABULARY, DEFAULT)
    words = ["greater", COLUMN, "and", "lesser", COLUMN, "sum", COLUMN]
    assert words_of(example.words) == [*words, ""]
    assert example.word_count == 7
    assert [np.flatnonzero(row).tolist() for row in example.mentions] == [[], [1], [], [4, 6]]
    np.testing.assert_allclose(example.numbers, [50.32, -20.5])
    assert example.number_positions.tolist() == [0, 3]
    assert not example.names.any()
    assert not example.name_counts.any()


def test_by_names_nothing_is_pointed_at():
    assert not encode(QUESTION, TABLE, VOCABULARY, PAPER).mentions.any()


@CONFIGS
def test_words_of_the_question_that_stand_in_cells(config):
    """Which of the distinct texts Rome, Oslo, Lima, Bern each word is; column names are no cells."""
    asked = parse("Bern state and Oslo city or Rome city sum C")
    example = encode(asked, TABLE, Vocabulary.of([*VOCABULARY.words, "or"]), config, ROOM)
    assert example.word_texts.tolist() == [3, -1, -1, 1, -1, -1, 0, -1, -1, -1, -1, -1]
    for place, word in enumerate(asked.words):
        for row, record in enumerate(TABLE.records()):
            for column in (0, 2):
                assert (example.cells[row, column] == example.word_texts[place]) == (record[column] == word)


@CONFIGS
def test_question_without_numbers_has_minus_one(config):
    """Both pivots are -1 in the paper's example without numbers."""
    example = encode(parse("sum C"), TABLE, VOCABULARY, config)
    assert example.numbers.tolist() == [-1.0]
    assert example.number_positions.tolist() == [0]
    assert example.number_count == 1


def test_column_names_of_several_words():
    example = encode(QUESTION, TABLE, VOCABULARY, PAPER)
    assert [words_of(name) for name in example.names] == [["city", ""], ["unit", "price"], ["state", ""], ["C", ""]]
    assert example.name_counts.tolist() == [1, 2, 1, 1]
    assert example.column_count == 4


@CONFIGS
def test_numbers_stand_in_columns_of_numbers_and_texts_in_columns_of_text(config):
    example = encode(QUESTION, TABLE, VOCABULARY, config)
    assert example.text_columns.tolist() == [True, False, True, False]
    np.testing.assert_allclose(example.table, [[0, 1.5, 0, 7], [0, -2.25, 0, 8], [0, 80.97, 0, 9]], rtol=1e-6)
    for row, record in enumerate(TABLE.records()):
        for column, value in enumerate(record):
            if isinstance(value, str):
                assert distinct_texts(TABLE)[example.cells[row, column]] == value
            else:
                assert example.cells[row, column] == 0
    assert example.row_count == 3


def test_texts_are_the_distinct_texts_of_the_table_in_order():
    example = encode(QUESTION, TABLE, VOCABULARY, PAPER)
    assert distinct_texts(TABLE) == ["Rome", "Oslo", "Lima", "Bern"]
    assert words_of(example.texts) == distinct_texts(TABLE)


def test_order_of_texts_agrees_on_random_tables():
    generator = np.random.default_rng(0)
    for _ in range(50):
        rows = int(generator.integers(1, 9))
        columns = [generator.choice(WORDS, rows) for _ in range(3)]
        table = Table(("city", "state", "C"), (columns[0], columns[1], generator.random(rows)))
        example = encode(QUESTION, table, VOCABULARY, PAPER)
        assert words_of(example.texts) == distinct_texts(table)
        assert len(set(distinct_texts(table))) == len(distinct_texts(table)) == sizes(QUESTION, table, PAPER).texts


def test_table_without_text_has_no_texts():
    table = Table(("C",), (np.array([1.0, 2.0]),))
    assert distinct_texts(table) == []
    assert encode(QUESTION, table, VOCABULARY, PAPER).texts.tolist() == [0]


@pytest.mark.parametrize("config", [DEFAULT, replace(PAPER, text_match=False)], ids=["default", "no text match"])
def test_texts_are_empty_where_the_model_does_not_read_them(config):
    assert encode(QUESTION, TABLE, VOCABULARY, config).texts.tolist() == [0]


@CONFIGS
def test_padding_keeps_what_is_real_and_is_zero_beyond(config):
    """But of the words that stand in cells it is -1: zero is the first text."""
    tight = encode(QUESTION, TABLE, VOCABULARY, config)
    padded = encode(QUESTION, TABLE, VOCABULARY, config, ROOM)
    for name, small, large in zip(Example._fields, tight, padded, strict=True):
        real = tuple(slice(length) for length in small.shape)
        np.testing.assert_array_equal(large[real], small, err_msg=name)
        padding = -1 if name == "word_texts" else 0
        beyond = np.array(large)
        beyond[real] = padding
        assert (beyond == padding).all(), name


@CONFIGS
def test_padded_sizes_are_those_asked_for(config):
    example = encode(QUESTION, TABLE, VOCABULARY, config, ROOM)
    shapes = {name: array.shape for name, array in zip(Example._fields, example, strict=True)}
    assert shapes == {
        "words": (12,),
        "word_count": (),
        "word_texts": (12,),
        "numbers": (4,),
        "number_positions": (4,),
        "number_count": (),
        "names": (6, 3),
        "name_counts": (6,),
        "mentions": (6, 12),
        "text_columns": (6,),
        "column_count": (),
        "table": (5, 6),
        "texts": (7,),
        "cells": (5, 6),
        "row_count": (),
    }


@CONFIGS
def test_too_little_room_is_refused(config):
    tight = sizes(QUESTION, TABLE, config)
    too_small = [axis for axis in Sizes._fields if getattr(tight, axis) > 1]
    assert len(too_small) == (6 if config is PAPER else 4)
    for axis in too_small:
        with pytest.raises((ValueError, IndexError)):
            encode(QUESTION, TABLE, VOCABULARY, config, tight._replace(**{axis: 1}))


@CONFIGS
def test_examples_of_a_batch_do_not_touch_each_other(config):
    other = Table(("state", "C"), (np.array(["Bern"]), np.array([3.5])))
    short = parse("sum C")
    batch = empty(3, ROOM)
    write(batch, 0, QUESTION, TABLE, VOCABULARY, config)
    write(batch, 2, short, other, VOCABULARY, config)
    alone = [encode(QUESTION, TABLE, VOCABULARY, config, ROOM), None, encode(short, other, VOCABULARY, config, ROOM)]
    for place, expected in enumerate(alone):
        for slot, (name, array) in enumerate(zip(Example._fields, batch, strict=True)):
            padding = -1 if name == "word_texts" else 0
            np.testing.assert_array_equal(array[place], padding if expected is None else expected[slot], err_msg=name)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_numbers_have_the_precision_asked_for(dtype):
    batch = empty(1, sizes(QUESTION, TABLE, PAPER), dtype)
    write(batch, 0, QUESTION, TABLE, VOCABULARY, PAPER)
    assert batch.numbers.dtype == batch.table.dtype == dtype
    assert batch.table[0, 2, 1] == dtype(80.97)
    assert batch.numbers[0, 0] == dtype(50.32)
