"""What questions say beside columns and cells."""

from itertools import pairwise

import numpy as np
import pytest
from asked_sentences import TABLES, index_of, kind_of, measured, read_of, sentences

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.questions.asked import Comparison, Interval, Key, Named, Order, placed, read
from neural_programmer.questions.asked.patterns import _sections, pattern
from neural_programmer.questions.asked.vocabulary import adjectives
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import link
from neural_programmer.tables.table import Table

RIGHT = 0.98  # of what is read, and of what is to be read, in the sentences


def test_of_the_sentences_nearly_all_is_read_right():
    counts, faults = measured()
    right, found, expected = (sum(each) for each in zip(*counts.values(), strict=True))
    assert min(right / found, right / expected) >= RIGHT, "\n".join(faults)


def test_sentences_are_many_and_of_every_kind():
    every = list(sentences())
    assert len(every) >= 400
    assert {table for table, _, _ in every} == set(TABLES)
    kinds = {kind_of(each) for _, _, expected in every for each in expected}
    assert len(kinds) == 14


@pytest.mark.parametrize("section", sorted(_sections()))
def test_every_pattern_compiles_and_finds_nothing_in_nothing(section):
    assert pattern(section).search("") is None or pattern(section).match("") is not None


def test_adjectives_measure_something():
    assert all(each.rising or each.falling for each in adjectives().values())
    assert (adjectives()["dearest"].degree, adjectives()["older"].degree, adjectives()["old"].degree) == (
        "most",
        "more",
        "",
    )


def test_the_name_of_a_column_or_the_text_of_a_cell_is_nothing_else():
    table = Table(("first", "second price", "month"), (["May", "Mon"], [1.0, 2.0], ["May", "June"]))
    asked = read("the second price of May by month", Index.of(table))
    assert [named.said for named in asked.named] == ["second price", "May", "month"]
    assert [(type(each), each.said) for each in asked.mentions] == [(Key, "by month")]


def test_which_measure_was_taken_is_told():
    (order,) = read("the dearest flat", index_of("flats")).of(Order)
    assert order.direction == "descending"
    assert index_of("flats").columns[order.choices[0].column].name == "rent"
    (youngest,) = read("the youngest nurse", index_of("people")).of(Order)
    names = {index_of("people").columns[choice.column].name: choice.descending for choice in youngest.choices}
    assert names == {"age": False, "birth_date": True}


def test_of_a_comparison_a_column_says_whether_greater_cells_fulfil_it():
    (compared,) = read("people older than 30", index_of("people")).of(Comparison)
    names = {index_of("people").columns[choice.column].name: choice.descending for choice in compared.choices}
    assert (compared.operator, compared.low, names) == ("greater", 30.0, {"age": True, "birth_date": False})


def test_a_time_counted_from_the_newest_says_so():
    (last,) = read("flats of the last 7 days", index_of("flats")).of(Interval)
    assert last.note == "counted from 17 August 2023, the newest available"
    assert (last.first, last.last) == (np.datetime64("2023-08-11"), np.datetime64("2023-08-17T23:59:59.999999"))


def test_words_of_a_linked_question_are_found_among_those_that_are_read():
    found, every = 0, 0
    for table, said, _ in sentences():
        try:
            shown = link(said, index_of(table)).shown
        except NeuralProgrammerError:  # nothing but a number
            continue
        spans = placed(shown, read(said, index_of(table)))
        there = [span for span in spans if span is not None]
        assert all(one.end <= other.first for one, other in pairwise(there))
        found, every = found + len(there), every + len(spans)
    assert found >= 0.95 * every


def test_words_that_nothing_was_read_of():
    asked = read("average rent per district, gracefully", index_of("flats"))
    assert [asked.words[place] for place in asked.unread()] == ["gracefully"]
    text = asked.text
    assert [text[first:end] for first, end in asked.places] == list(asked.words)


@pytest.mark.parametrize("days", [("0001-01-01", "9999-12-31"), ("-5000-01-01", "20000-05-05"), ("NaT", "NaT")])
def test_days_that_no_calendar_has_are_no_times(days):
    index = Index.of(Table(("day", "n"), (np.array(days, "M8[D]"), [1.0, 2.0])))
    for said in (
        "n last year",
        "n since May",
        "n in the last 500 years",
        "n before 9999",
        "winter of 9999",
        "n by month",
    ):
        assert not any(isinstance(each, Interval) and each.columns for each in read(said, index).mentions)


def test_years_have_no_months():
    assert [key.parts for key in read("in which month was the most", index_of("movies")).of(Key)] == []
    assert read_of("movies", "what weeks May") is not None


def test_a_table_without_times_has_none():
    index = Index.of(Table(("rent", "district"), ([1.0, 2.0], ["a b", "c d"])))
    assert read("rent in 2019 since May per month last year", index).of(Interval) == ()


@pytest.mark.parametrize(
    "said",
    ["", "?", "by", "per", "which", "top", "between and", "since", "the", "#3 @4 ~5", "'", '"', "1/0", "from 99 to",
     "31 February 2021", "by by by", "\u2212", "12345678901234567890 years ago", "last 99999999 years", "q5 2019",
     "0th", "between 9 and 8", "the 99th of May", "half half half a", "\u00e9\u0301 a\u0308 \U0001f600"],
)  # fmt: skip
@pytest.mark.parametrize("table", ["flats", "orders"])
def test_odd_questions_are_read_without_a_fault(said, table):
    assert read_of(table, said) is not None


@pytest.mark.parametrize("words", ["the ", "early ", "the end of ", "last ", "5% ", "by the ", "A-1 ", '"a'])
def test_a_long_question_of_the_same_words_ends(words):
    assert len(read((words * 5_000)[:9_999], index_of("orders")).text) <= 2_000


def test_what_is_too_long_is_refused():
    with pytest.raises(NeuralProgrammerError, match="characters"):
        read("a" * 10_001, index_of("flats"))


def test_places_are_within_the_words():
    for table, said, _ in sentences():
        asked = read(said, index_of(table))
        for each in (*asked.named, *asked.mentions):
            first, end = each.position
            assert 0 <= first < end <= len(asked.words), each
            assert each.said == asked.text[asked.places[first][0] : asked.places[end - 1][1]], each
            assert isinstance(each, Named) or each in asked.mentions
