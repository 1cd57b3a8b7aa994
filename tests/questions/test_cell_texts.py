"""Every text of a table is found by what a question says, however it is written."""

import duckdb
import numpy as np
import pytest

from neural_programmer.questions import cell_texts
from neural_programmer.questions.cell_texts import CellTexts, numbers_of, searched
from neural_programmer.questions.keys import IN_FULL, text_keys
from neural_programmer.questions.tokens import unified
from neural_programmer.tables.source import open_source

ODD = (
    "Blue House", "O'Neil Żółć", "100% Press_x", 'say "hi"', "Who's There?", "a\0b c", "bell\x07 rang", "tab\there",
    "zero\u200bwidth", "1984", "007", "3.50 €", "Aix-en-Provence", "AT&T", "C++", "naïve Straße", "ÎLE", "\ufb01re ½",
    "\u2163 m²", "Москва", "日本 語", "ΠΑΠΑΔΟΠΟΥΛΟΣ", "अंग्रेज़ी", "한국", "ᾳ b\u0345", "x" * 290, "Cities", "see", "S",
)  # fmt: skip


def letters_of_all_kinds(generator: np.random.Generator) -> str:
    codes = generator.choice([0x7F, 0x24F, 0x3FF, 0x10FF, 0x1FFF, 0xD7FF, 0xFFFF, 0x1FFFF], generator.integers(1, 9))
    letters = (chr(generator.integers(1, most)) for most in codes)
    return "".join("s" if "\ud800" <= letter <= "\udfff" else letter for letter in letters)


def test_what_is_said_alike_has_the_same_number():
    generator = np.random.default_rng(0)
    drawn = [letters_of_all_kinds(generator) for _ in range(2_000)]
    ends = "ies y xes x ches ch shes sh sses ss s es 's".split()
    plurals = [f"{start}{end}" for start in ("cit", "Box", "wat", "Class", "ys", "Ess") for end in ends]
    for text in (*drawn, *ODD, *plurals):
        for key in set(text_keys(text)) - set(IN_FULL.values()):
            assert numbers_of(key).tolist() == numbers_of(text.replace("\0", " ")).tolist(), ascii(text)


def test_texts_stay_apart():
    texts = ["", "Blue House", "Żółć", "!", "", "the end"]
    assert numbers_of("\0".join(texts)).tolist() == [int(numbers_of(text)[0]) for text in texts]
    assert len(set(numbers_of("red\0rod\0der\0rid").tolist())) == 4


def test_words_are_taken_from_a_text_that_stays_as_it_is():
    generator = np.random.default_rng(1)
    for _ in range(2_000):
        text = "".join(generator.choice([*"- -\u2212\u2013.,5a", "over ", "than ", "under "], 12))
        assert unified(unified(text)) == unified(text)


@pytest.mark.parametrize("run", [3, 100_000])
def test_every_text_of_every_column_is_found_by_each_of_its_keys(monkeypatch, run):
    monkeypatch.setattr(cell_texts, "RUN", run)
    monkeypatch.setattr(cell_texts, "TOGETHER", 2)
    texts = [text for text in ODD if text_keys(text)]
    columns = {name: texts[place:] + texts[:place] for place, name in enumerate(("a", 'b "c"', "r", "row"))}
    with open_source({**columns, "number": list(range(len(texts)))}) as source:
        places = [place for place, column in enumerate(source.columns) if column.kind == "text"]
        every = CellTexts.of(source, places)
        assert every is not None
        assert len(every.numbers) == len(places) * len(texts)
        stored = set(source.texts("a", len(texts)))
        for text in stored:
            for key in text_keys(text):
                found = every.found(source, {key})
                assert found.complete
                assert set(found.texts) == set(places)
                assert all(text in same for same in found.texts.values())
        assert every.found(source, {"blue houses", "blue", "yes"}).texts == {}


def test_of_a_text_that_comes_up_again_all_ways_to_write_it_are_found():
    with open_source({"t": ["Shirt", "SHIRTS", "shirt", "Shirt", "", "   ", "skirt"] * 9, "n": range(63)}) as source:
        every = CellTexts.of(source, [0])
        assert every is not None
        assert len(every.numbers) == 4
        assert every.found(source, {"shirt"}).texts == {0: ["SHIRTS", "Shirt", "shirt"]}


def test_texts_that_nobody_says_are_left_out():
    with open_source({"t": ["x" * 10_000, "y y", "z" * 301], "n": [1, 2, 3]}) as source:
        every = CellTexts.of(source, [0])
        assert every is not None
        assert len(every.numbers) == 1


def test_too_many_texts_for_one_question_are_not_all_found(monkeypatch):
    monkeypatch.setattr(cell_texts, "MOST_FOUND", 2)
    with open_source({"t": ["a b!", "a b!!", "A b", "c"]}) as source:
        every = CellTexts.of(source, [0])
        assert every is not None
        found = every.found(source, {"a b"})
        assert not found.complete
        assert len(found.texts[0]) == 2
        assert every.found(source, {"c"}).complete


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("blue house", ["BLUE house", "Blue House"]),
        ("o'neil ZOŁC", ["O'Neil Żółć"]),
        ("100% press_x", ["100% Press_x"]),
        ("100_ press%x", []),
        ("%", []),
        ("who's there?", ["Who's There?"]),
        ('say "hi"', ['say "hi"']),
        ("'; DROP TABLE data; --", []),
    ],
)
def test_a_query_finds_what_is_the_same_but_for_case_and_accents(said, found, monkeypatch):
    monkeypatch.setattr(cell_texts, "TOGETHER", 1)
    texts = ["Blue House", "BLUE house", "O'Neil Żółć", "100% Press_x", "100 Press x", 'say "hi"', "Who's There?"]
    with open_source({"t": texts, "other": texts[::-1]}) as source:
        keys = {key for text in (said, *texts) for key in text_keys(text)}
        assert searched(source, [0, 1], [said], keys) == ({0: found, 1: found} if found else {}, True)


def test_a_query_that_does_not_end_in_time_says_so(monkeypatch):
    def over(*_):
        raise duckdb.InterruptException("time is up")

    monkeypatch.setattr(cell_texts, "within", over)
    with open_source({"t": ["a", "b"]}) as source:
        assert searched(source, [0], ["a"], {"a"}) == ({}, False)


def test_where_there_is_no_memory_for_all_texts_there_is_no_index(monkeypatch):
    def no_memory(*_):
        raise duckdb.OutOfMemoryException("failed to allocate")

    monkeypatch.setattr(cell_texts, "_pieces", no_memory)
    with open_source({"t": ["a", "b"]}) as source:
        assert CellTexts.of(source, [0]) is None
