from dataclasses import replace

import numpy as np
import pytest

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import (
    ABSENT,
    DAY_ZERO,
    ELSEWHERE,
    MISSING,
    UNKNOWN,
    Example,
    Sizes,
    Vocabulary,
    distinct_texts,
    empty,
    encode,
    encode_linked,
    sizes,
    write,
    write_linked,
)
from neural_programmer.network.features import COLUMN_FEATURES, LINK_FEATURES
from neural_programmer.network.soft import ALL
from neural_programmer.programs import operations
from neural_programmer.programs.operations import EVERY, TEXT
from neural_programmer.questions.index import Index
from neural_programmer.questions.question import COLUMN, Link, Question, parse
from neural_programmer.questions.vectors import WordVectors, shipped
from neural_programmer.tables.period import Period
from neural_programmer.tables.table import Table
from neural_programmer.tables.views import written

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
PAPER = NetworkConfig(reader="rnn", attention=False, arguments="blended", columns="names", operations=TEXT)
DEFAULT = NetworkConfig(operations=TEXT)
CONFIGS = pytest.mark.parametrize("config", [PAPER, DEFAULT], ids=["paper", "default"])
WORDS = [
    "greater",
    "lesser",
    "and",
    "sum",
    "unit",
    "price",
    "C",
    "city",
    "state",
    "Rome",
    "Oslo",
    "Lima",
    "Bern",
    "opened",
]
VOCABULARY = Vocabulary.of([*WORDS, COLUMN])
ROOM = Sizes(words=12, links=11, numbers=4, columns=6, name_words=3, rows=5, texts=7)
PADDING = {"link_texts": ELSEWHERE, "periods": np.nan}  # all else is 0


def period(first: str, last: str) -> Period:
    """From the first moment of a day to the last of another."""
    end = np.datetime64(last, "us") + np.timedelta64(1, "D") - np.timedelta64(1, "us")
    return Period(np.datetime64(first), end, f"{first} to {last}")


# Dates, missing cells of every kind, and a question that was linked: a year that may be a number, a day that is none
DATED = Table(
    ("city", "price", "opened", "state"),
    (
        np.array(["Rome", "", "Oslo", "Rome"]),
        np.array([1.5, np.nan, -2.0, 0.0]),
        np.array(["2000-01-01", "2024-02-29", "NaT", "1999-12-31"], "M8[D]"),
        np.array(["", "Rome", "Bern", ""]),
    ),
)
LINKED = Question(
    words=("sum", COLUMN, "and", "Rome", "greater", "Lima", "C"),
    numbers=(2024.0, np.nan),
    number_positions=(2, 6),
    periods=(period("2024-01-01", "2024-12-31"), period("1999-12-31", "1999-12-31")),
    mentions=((), (1,), (1, 6), ()),
    links=(Link(3, {0: "Rome", 3: "Rome"}), Link(5, {0: "Lima"}), Link(3, {3: "Bern"})),
)


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
        (replace(DEFAULT, operations=operations.PAPER), {"question"}),
        (replace(DEFAULT, columns="names"), {"question", "name"}),
        (replace(PAPER, columns="pointers"), {"question", "cell"}),
        (replace(PAPER, operations=operations.PAPER), {"question", "name"}),
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
    assert sizes(QUESTION, TABLE, PAPER) == Sizes(words=8, links=8, numbers=2, columns=4, name_words=2, rows=3, texts=4)


def test_sizes_have_no_room_for_what_is_not_read():
    assert sizes(QUESTION, TABLE, DEFAULT) == Sizes(
        words=8, links=8, numbers=2, columns=4, name_words=1, rows=3, texts=1
    )
    numbers = replace(PAPER, operations=operations.PAPER)
    assert sizes(QUESTION, TABLE, numbers) == Sizes(
        words=8, links=1, numbers=2, columns=4, name_words=2, rows=3, texts=1
    )


@CONFIGS
def test_sizes_are_never_nothing(config):
    table = Table(("C",), (np.array([], dtype=np.float64),))
    assert sizes(Question(("sum",), (), ()), table, config) == Sizes() == Sizes(1, 1, 1, 1, 1, 1, 1)


def test_joined_sizes_have_room_for_both():
    assert Sizes(1, 2, 3, 4, 5, 6, 7).join(Sizes(7, 6, 5, 4, 3, 2, 1)) == Sizes(7, 6, 5, 4, 5, 6, 7)


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
    """Which of the distinct texts Rome, Oslo, Lima, Bern each word is, in any column; column names are no cells."""
    asked = parse("Bern state and Oslo city or Rome city sum C")
    example = encode(asked, TABLE, Vocabulary.of([*VOCABULARY.words, "or"]), config, ROOM)
    assert example.link_count == 10
    assert example.link_positions.tolist() == [*range(10), 0]
    for column in range(len(TABLE.names)):
        assert example.link_texts[:, column].tolist() == [3, -1, -1, 1, -1, -1, 0, -1, -1, -1, -2]
    assert (example.link_texts[:, len(TABLE.names) :] == ELSEWHERE).all()
    for place, word in enumerate(asked.words):
        for row, record in enumerate(TABLE.records()):
            for column in (0, 2):
                assert (example.cells[row, column] == example.link_texts[place, column]) == (record[column] == word)


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
    assert not example.date_columns.any()
    assert example.present.tolist() == [[False, True, False, True]] * 3
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


@pytest.mark.parametrize(
    "config", [DEFAULT, replace(PAPER, operations=operations.PAPER)], ids=["default", "no text match"]
)
def test_texts_are_empty_where_the_model_does_not_read_them(config):
    assert encode(QUESTION, TABLE, VOCABULARY, config).texts.tolist() == [0]


@CONFIGS
@pytest.mark.parametrize("linked", [False, True], ids=["parsed", "linked"])
def test_padding_keeps_what_is_real_and_is_nothing_beyond(config, linked):
    """Zero, but of the texts that links mean: zero is the first text; and of times: zero is a day."""
    asked = (LINKED, DATED) if linked else (QUESTION, TABLE)
    tight = encode(*asked, VOCABULARY, config)
    padded = encode(*asked, VOCABULARY, config, ROOM)
    for name, small, large in zip(Example._fields, tight, padded, strict=True):
        real = tuple(slice(length) for length in small.shape)
        np.testing.assert_array_equal(large[real], small, err_msg=name)
        padding = PADDING.get(name, 0)
        beyond = np.array(large)
        beyond[real] = padding
        np.testing.assert_array_equal(beyond, padding, err_msg=name)


@CONFIGS
def test_padded_sizes_are_those_asked_for(config):
    example = encode(QUESTION, TABLE, VOCABULARY, config, ROOM)
    shapes = {name: array.shape for name, array in zip(Example._fields, example, strict=True)}
    assert shapes == {
        "words": (12,),
        "word_count": (),
        "link_positions": (11,),
        "link_texts": (11, 6),
        "link_features": (11, len(LINK_FEATURES)),
        "link_count": (),
        "numbers": (4,),
        "periods": (4, 2),
        "number_positions": (4,),
        "number_count": (),
        "names": (6, 3),
        "name_counts": (6,),
        "mentions": (6, 12),
        "features": (6, len(COLUMN_FEATURES)),
        "meanings": (12, 0),
        "name_meanings": (6, 0),
        "contents": (6, 0),
        "within": (6, 4),
        "text_columns": (6,),
        "date_columns": (6,),
        "column_count": (),
        "table": (5, 6),
        "present": (5, 6),
        "texts": (7,),
        "cells": (5, 6),
        "row_count": (),
    }


@CONFIGS
def test_too_little_room_is_refused(config):
    tight = sizes(QUESTION, TABLE, config)
    too_small = [axis for axis in Sizes._fields if getattr(tight, axis) > 1]
    assert len(too_small) == (7 if config is PAPER else 5)
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
            padding = PADDING.get(name, 0)
            np.testing.assert_array_equal(array[place], padding if expected is None else expected[slot], err_msg=name)


@CONFIGS
def test_missing_cells_are_marked_and_hold_nothing(config):
    example = encode(parse("sum price"), DATED, VOCABULARY, config)
    assert example.text_columns.tolist() == [True, False, False, True]
    assert example.date_columns.tolist() == [False, False, True, False]
    for row, record in enumerate(zip(*DATED.columns, strict=True)):
        for column, cell in enumerate(record):
            there = bool(cell) if column in (0, 3) else cell == cell
            assert example.present[row, column] == (there and column in (1, 2)), (row, column)
            if column in (0, 3):
                assert (example.cells[row, column] == MISSING) == (not there)
                assert not there or distinct_texts(DATED)[example.cells[row, column]] == cell
            if not there:
                assert example.table[row, column] == 0
    assert distinct_texts(DATED) == ["Rome", "Oslo", "Bern"]
    assert example.table[:, 1].tolist() == [1.5, 0, -2, 0]
    assert example.row_count == 4


def test_a_table_of_missing_texts_has_no_texts():
    table = Table(("city", "C"), (np.array(["", ""]), np.array([1.0, 2.0])))
    assert distinct_texts(table) == []
    assert sizes(QUESTION, table, PAPER).texts == 1
    assert encode(parse("sum C"), table, VOCABULARY, PAPER).cells[:, 0].tolist() == [MISSING] * 2


def test_dates_are_days_from_the_first_of_2000():
    column = encode(parse("sum C"), DATED, VOCABULARY, DEFAULT).table[:, 2]
    assert column.tolist() == [0, 24 * 365 + 6 + 31 + 28, 0, -1]
    assert np.datetime64("2000-01-01") == DAY_ZERO


@pytest.mark.parametrize("unit", ["h", "s", "ms", "us", "ns"])
def test_times_of_day_are_parts_of_days(unit):
    column = np.array(["2000-01-02T12", "2000-01-03T06", "NaT", "1999-12-31T18"], f"M8[{unit}]")
    example = encode(parse("sum C"), Table(("C",), (column,)), VOCABULARY, DEFAULT)
    assert example.table[:, 0].tolist() == [1.5, 2.25, 0, -0.25]
    assert example.present[:, 0].tolist() == [True, True, False, True]


def test_times_of_a_question_are_their_first_and_last_days():
    """Of every number, in the order of the numbers; one that is no time has none."""
    asked = replace(LINKED, numbers=(2024.0, 5.0), periods=(LINKED.periods[0], None))
    batch = empty(1, sizes(asked, DATED, DEFAULT), np.float64)
    write(batch, 0, asked, DATED, VOCABULARY, DEFAULT)
    (first, last), nothing = batch.periods[0]
    assert first == 24 * 365 + 6
    assert 0 < first + 366 - last < 1e-10
    assert np.isnan(nothing).all()
    np.testing.assert_array_equal(batch.numbers[0], [2024, 5])
    assert np.isnan(encode(QUESTION, TABLE, VOCABULARY, DEFAULT).periods).all()
    example = encode(LINKED, DATED, VOCABULARY, DEFAULT)
    np.testing.assert_array_equal(example.numbers, [2024, np.nan])
    assert example.number_count == 2
    assert example.number_positions.tolist() == [2, 6]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rounding_keeps_what_lies_on_either_side_of_midnight_apart(dtype):
    """The last moment of a time is before the next midnight, and no cell crosses it; in float32 a day has few parts."""
    generator = np.random.default_rng(4)
    for _ in range(200):
        day = np.datetime64("1900-01-01") + np.timedelta64(int(generator.integers(0, 73_000)), "D")
        length = np.timedelta64(int(generator.integers(0, 400)), "D")
        time = period(str(day), str(day + length))
        around = [time.first, time.first - np.timedelta64(1, "us"), time.last, time.last + np.timedelta64(1, "us")]
        seconds = generator.integers(-200_000, 200_000, 8).astype("m8[s]")
        column = np.array([*around, *(time.first + seconds), *(time.last + seconds)], "M8[us]")
        table = Table(("opened",), (column,))
        asked = Question(("sum",), (np.nan,), (0,), (time,), mentions=((),), links=())
        batch = empty(1, sizes(asked, table, DEFAULT), dtype)
        write(batch, 0, asked, table, VOCABULARY, DEFAULT)
        first, last = batch.periods[0, 0]
        np.testing.assert_array_equal(batch.table[0, :, 0] >= first, column >= time.first)
        np.testing.assert_array_equal(batch.table[0, :, 0] <= last, column <= time.last)


def test_a_linked_question_says_itself_what_it_mentions():
    """Its words stay, the name of a column among them; only its links may be texts of cells."""
    example = encode(LINKED, DATED, VOCABULARY, DEFAULT, ROOM)
    assert words_of(example.words[: example.word_count]) == list(LINKED.words)
    assert [np.flatnonzero(row).tolist() for row in example.mentions[:4]] == [[], [1], [1, 6], []]
    assert example.link_count == 3
    assert example.link_positions[:3].tolist() == [3, 5, 3]
    assert example.link_texts[:3, :4].tolist() == [
        [0, ELSEWHERE, ELSEWHERE, 0],
        [ABSENT, ELSEWHERE, ELSEWHERE, ELSEWHERE],
        [ELSEWHERE, ELSEWHERE, ELSEWHERE, 2],
    ]
    assert sizes(LINKED, DATED, DEFAULT) == Sizes(words=7, links=3, numbers=2, columns=4, rows=4)


def test_a_linked_question_without_numbers_has_none():
    """The paper's -1 is for its own questions."""
    asked = replace(LINKED, numbers=(), number_positions=(), periods=(), links=())
    example = encode(asked, DATED, VOCABULARY, DEFAULT)
    assert (example.number_count, example.link_count) == (0, 0)
    assert sizes(asked, DATED, DEFAULT)[:3] == (7, 1, 1)


def test_links_have_no_room_where_no_text_is_matched():
    config = replace(DEFAULT, operations=operations.PAPER)
    example = encode(LINKED, DATED, VOCABULARY, config)
    assert example.link_count == 0
    assert example.link_texts.tolist() == [[ELSEWHERE] * 4]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_numbers_have_the_precision_asked_for(dtype):
    batch = empty(1, sizes(QUESTION, TABLE, PAPER), dtype)
    write(batch, 0, QUESTION, TABLE, VOCABULARY, PAPER)
    assert batch.numbers.dtype == batch.table.dtype == dtype
    assert batch.table[0, 2, 1] == dtype(80.97)
    assert batch.numbers[0, 0] == dtype(50.32)


# Questions that were linked, with what is known of the columns of their tables and no rows.
SHOPS = Table(
    ("city", "unitPrice", "opened", "Is Open", "%", "state"),
    (
        np.array(["Rome", "", "Oslo", "Rome"]),
        np.array([1.5, np.nan, -2.0, 50.0]),
        np.array(["2000-01-01", "2024-02-29", "NaT", "1999-12-31"], "M8[D]"),
        np.array(["true", "false", "true", "true"]),
        np.array([np.nan] * 4),
        np.array(["Lima", "Rome", "Bern", "Kyiv"]),
    ),
)
ASKED = Question(
    words=("sum", "[number column]", "kyiv", "[value]", "[number]", "[time]", "[number]", "[value]"),
    numbers=(50.0, np.nan, -2.5),
    number_positions=(4, 5, 6),
    periods=(None, period("2024-01-01", "2024-12-31"), None),
    mentions=((), (1,), (1, 6), (), (), ()),
    links=(Link(3, {0: "Rome", 5: "Rome"}), Link(7, {3: "true"})),
    said=("sum", "price per unit", "kyiv", "city state", "", "", "", ""),
)
BY_LINKS = NetworkConfig(hidden=8, columns="linked", operations=ALL, vectors=2)
READ = Vocabulary.of([*WORDS, UNKNOWN, "is", "open", "[value]", "[number]", "[time]", "[number column]"])
MEANINGS = WordVectors(
    {"price": 0, "unit": 1, "city": 2, "kyiv": 3}, np.array([[9, 0], [0, 5], [-3, 0], [3, 4]], np.int8)
)


def encoded(question=ASKED, table=SHOPS, config=BY_LINKS, vectors=MEANINGS):
    return encode_linked(question, Index.of(table), READ, config, vectors)


def test_what_is_known_of_columns_before_their_cells_are_read():
    """Its kind, whether nearly all cells differ, most are codes or several words, or all are years; its place."""
    assert COLUMN_FEATURES[:8] == ("number", "text", "date", "boolean", "different", "code", "worded", "year")
    expected = ["text first", "number", "date", "boolean", "number", "text different"]
    for row, names in zip(encoded().features, expected, strict=True):
        assert [name for name, there in zip(COLUMN_FEATURES, row, strict=True) if there] == names.split()
    example = encoded()
    assert example.text_columns.tolist() == [True, False, False, True, False, True]
    assert example.date_columns.tolist() == [False, False, True, False, False, False]


def test_codes_names_of_several_words_and_years():
    table = Table(
        ("id", "name", "founded", "seats"),
        (
            np.array(["A1", "B2", ""]),
            np.array(["Ada Lee", "Ben Fox", "Cy"]),
            np.array([1950.0, 2020.0, np.nan]),
            np.ones(3),
        ),
    )
    expected = [{"different", "code", "first"}, {"different", "worded"}, {"year"}, set()]
    question = Question(("is",), (), (), (), ((),) * 4, (), ("",))
    for row, names in zip(encoded(question, table).features, expected, strict=True):
        assert {name for name, there in zip(COLUMN_FEATURES, row, strict=True) if there} - {"text", "number"} == names


def test_numbers_within_the_range_of_a_column():
    """Its bounds belong to it; what is a time alone, a date, a text or nothing has no range."""
    within = encoded().within
    assert within[1].tolist() == [True, False, False]
    assert not np.delete(within, 1, axis=0).any()
    for value in (-2.0, 0.0, 50.0, 50.5, -2.5):
        asked = replace(ASKED, numbers=(value,), number_positions=(4,), periods=(None,))
        assert encoded(asked).within[1].tolist() == [-2 <= value <= 50]


def test_words_have_the_meaning_of_what_was_said_and_columns_that_of_their_names():
    example = encoded()
    half = 0.5**0.5
    expected = {1: [half, half], 2: [0.6, 0.8], 3: [-1, 0]}
    for position, row in enumerate(example.meanings.tolist()):
        np.testing.assert_allclose(row, expected.get(position, [0, 0]), atol=1e-3)
    names = [[-1, 0], [half, half], [0, 0], [0, 0], [0, 0], [0, 0]]
    np.testing.assert_allclose(example.name_meanings, names, atol=1e-3)


def test_without_vectors_there_are_no_meanings():
    example = encoded(config=replace(BY_LINKS, vectors=0), vectors=None)
    assert example.meanings.shape == (8, 0)
    assert example.name_meanings.shape == (6, 0)


def test_texts_are_linked_to_the_columns_that_have_them():
    example = encoded()
    assert example.link_count == 2
    assert example.link_positions.tolist() == [3, 7]
    for number, link in enumerate(ASKED.links):
        for slot in range(len(SHOPS.names)):
            assert example.link_texts[number, slot] == (ABSENT if slot in link.texts else ELSEWHERE)


def test_names_are_read_by_their_words_also_by_unknown_ones():
    example = encoded()
    names = [[READ.words[place] for place in row if place] for row in example.names]
    assert names == [["city"], ["unit", "price"], ["opened"], ["is", "open"], [UNKNOWN], ["state"]]
    assert example.name_counts.tolist() == [1, 2, 1, 2, 1, 1]
    assert example.column_count == 6
    assert READ.words[example.words[2]] == UNKNOWN


def test_the_rest_of_a_linked_question():
    example = encoded()
    assert [np.flatnonzero(row).tolist() for row in example.mentions] == [[], [1], [1, 6], [], [], []]
    np.testing.assert_array_equal(example.numbers, np.array([50, np.nan, -2.5], np.float32))
    assert example.number_positions.tolist() == [4, 5, 6]
    assert (example.number_count, example.word_count, example.row_count) == (3, 8, 0)
    assert np.isnan(example.periods).all(axis=1).tolist() == [True, False, True]
    assert example.table.shape == (1, 6)
    assert not example.present.any()


def test_a_linked_question_without_numbers_and_links_has_none_to_choose():
    asked = replace(ASKED, numbers=(), number_positions=(), periods=(), links=(), said=())
    example = encoded(asked)
    assert (example.number_count, example.link_count) == (0, 0)
    assert not example.within.any()
    assert (example.link_texts == ELSEWHERE).all()
    assert not example.meanings.any()


def test_linked_questions_of_a_batch_do_not_touch_each_other():
    """And more room changes nothing but what lies beyond."""
    room = sizes(ASKED, Index.of(SHOPS), BY_LINKS).join(Sizes(words=9, links=3, numbers=5, columns=7, name_words=4))
    batch = empty(3, room)
    few = Table(("C", "state"), (np.array([1.0, 2.0]), np.array(["Bern", "Rome"])))
    short = Question(("sum", "[value]"), (), (), (), ((), ()), (Link(1, {1: "Bern"}),), ("sum", "state"))
    asked = [(ASKED, SHOPS), None, (short, few)]
    for place, pair in enumerate(asked):
        if pair:
            write_linked(batch, place, pair[0], Index.of(pair[1]), READ, BY_LINKS, MEANINGS)
    for place, pair in enumerate(asked):
        alone = encoded(*pair) if pair else None
        for slot, (name, array) in enumerate(zip(Example._fields, batch, strict=True)):
            expected = np.full(array[place].shape, PADDING.get(name, 0), array.dtype)
            if alone is not None:
                expected[tuple(slice(length) for length in alone[slot].shape)] = alone[slot]
            np.testing.assert_array_equal(array[place], expected, err_msg=name)


def test_with_its_rows_a_linked_question_is_read_as_without_them():
    """Meanings included; the cells come beside, and which of them the texts are."""
    config = replace(BY_LINKS, vectors=shipped().dimensions)
    whole, slim = encode(ASKED, SHOPS, READ, config), encoded(config=config, vectors=shipped())
    assert slim.meanings.any()
    for name, one, other in zip(Example._fields, whole, slim, strict=True):
        if name not in ("table", "present", "cells", "row_count", "link_texts"):
            np.testing.assert_array_equal(one, other, err_msg=name)
    texts = distinct_texts(SHOPS)
    for number, link in enumerate(ASKED.links):
        for slot, text in link.texts.items():
            assert whole.link_texts[number, slot] == texts.index(text)
    np.testing.assert_array_equal(whole.link_texts == ELSEWHERE, slim.link_texts == ELSEWHERE)


def test_sizes_of_an_index_have_no_rows():
    found = sizes(ASKED, Index.of(SHOPS), BY_LINKS)
    assert found == Sizes(words=8, links=2, numbers=3, columns=6, name_words=2, rows=1, texts=1, dimensions=2)


def features_of(names, row):
    return {name for name, there in zip(names, row, strict=True) if there}


def test_how_texts_are_mentioned():
    """Whether they are only meant, part of cells or all of one, how many, in how many columns and words; totals."""
    links = [
        (Link(0, {0: "Rome"}), {"whole", "one text"}),
        (Link(1, {0: "Rome", 5: "Rome"}), {"whole", "one text", "several columns", "two words"}),
        (Link(2, {0: "Rome"}, near=True), {"near", "one text", "more words"}),
        (Link(0, {0: "a"}, parts={0: ("a", "b", "c")}), {"part", "few texts"}),
        (Link(0, {0: "a"}, True, parts={0: ("a", "b", "c", "d")}), {"near", "part"}),
        (Link(0, {0: "Total"}, True, {0: ("Total",)}, total=True), {"near", "part", "one text", "total"}),
    ]
    asked = replace(
        ASKED,
        words=("is", "[value]", "[value]"),
        said=("is", "", ""),
        shown=("is", "new york", "new york city"),
        numbers=(),
        number_positions=(),
        periods=(),
        mentions=((),) * 6,
        links=tuple(link for link, _ in links),
    )
    for row, (_, expected) in zip(encoded(asked).link_features, links, strict=True):
        assert features_of(LINK_FEATURES, row) == expected


def test_what_is_known_of_views():
    """Which each is and which a column has, after the kinds of columns; of a column of text what it is about."""
    table = written(Table(("city", "unit"), (np.array(["kyiv", "unit"]), np.array(["1:20.5", "2:10"]))))
    question = Question(("is",), (), (), (), ((),) * 3, (), ("",))
    example = encoded(question, table, replace(BY_LINKS, cells="written", operations=EVERY, chooses="programs"))
    texts = {"text", "different"}
    found = [features_of(COLUMN_FEATURES, row) for row in example.features]
    assert found == [{*texts, "first"}, {*texts, "code", "has time"}, {"number", "view", "time view"}]
    np.testing.assert_allclose(example.contents[0], MEANINGS.of(["kyiv", "unit"]), atol=1e-3)
    assert not example.contents[1:].any()
    assert not encoded(question, table).contents.any(), "only where cells are read as they are written"
