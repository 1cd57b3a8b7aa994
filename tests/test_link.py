"""What people write is found in the table: names, cells, numbers and times, whatever their spelling."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.link import Index, link
from neural_programmer.table import Table

TABLE = Table(
    ("orderNo", "City", "Net Sales", "unit_price", "Price ($)", "year", "ordered", "Paid", "customer name"),
    tuple(map(np.array, (
        ["00123", "0456", "10B"],
        ["New York", "São Paulo", "Paris"],
        [1.0, 2.0, 3.0],
        [1.0, 2.0, 3.0],
        [1.0, 2.0, 3.0],
        [2019, 2020, 2021],
        np.array(["2024-03-05", "2023-12-31", "NaT"], "M8[D]"),
        ["true", "false", "true"],
        ["Ada Stone", "Ben Kowalski", "Paris"],
    ))),
)  # fmt: skip
INDEX = Index.of(TABLE)


def mentioned(question):
    return [name for name, places in zip(TABLE.names, question.mentions, strict=True) if places]


def texts(question):
    return [{TABLE.names[column]: text for column, text in each.texts.items()} for each in question.links]


@pytest.mark.parametrize(
    ("said", "column"),
    [
        ("net sales", "Net Sales"), ("Net Sale", "Net Sales"), ("NET SALES", "Net Sales"), ("net_sales", "Net Sales"),
        ("netSales", "Net Sales"), ("sales", "Net Sales"), ("net sals", "Net Sales"), ("unit prices", "unit_price"),
        ("price", "Price ($)"), ("Price ($)", "Price ($)"), ("years", "year"), ("customers", "customer name"),
        ("custmer name", "customer name"), ("order no", "orderNo"), ("ordered", "ordered"), ("cities", "City"),
    ],
)  # fmt: skip
def test_ways_to_mention_a_column(said, column):
    assert mentioned(link(f"show me {said} please", INDEX)) == [column]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("in New York", {"City": "New York"}), ("in new york", {"City": "New York"}),
        ("in sao paulo", {"City": "São Paulo"}),
        ("new yrok", {"City": "New York"}), ("of ada stone's", {"customer name": "Ada Stone"}),
        ("in Paris", {"City": "Paris", "customer name": "Paris"}), ("for 00123", {"orderNo": "00123"}),
        ("of 10B", {"orderNo": "10B"}), ("paid", {"Paid": "true"}),
    ],
)  # fmt: skip
def test_ways_to_mention_a_cell(said, found):
    assert texts(link(f"how many {said} then", INDEX)) == [found]


def test_a_truth_is_said_of_the_column_before_it():
    assert texts(link("count where paid is no", INDEX)) == [{"Paid": "false"}]
    assert texts(link("no city is true", INDEX)) == []


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("1,200", 1200), ("1,200.50", 1200.5), ("-80.97", -80.97), ("1.5k", 1500), ("$5k", 5000), ("£30,000", 30000),
        ("12 %", 12), ("12%", 12), ("twenty five", 25), ("twenty-five", 25), ("a hundred", 100), ("a thousand", 1000),
        ("two hundred and six", 206), ("3 million", 3e6), ("1.2M", 1.2e6), ("forty thousand", 40000), ("0", 0),
    ],
)  # fmt: skip
def test_ways_to_write_a_number(said, number):
    question = link(f"more than {said} or so", INDEX)
    assert question.numbers == (number,)
    assert question.words[question.number_positions[0]] == "[number]"


@pytest.mark.parametrize(
    ("said", "first", "last", "word"),
    [
        ("2024-03-05", "2024-03-05", "2024-03-05", "[time]"), ("March 2024", "2024-03-01", "2024-03-31", "[time]"),
        ("december 2023", "2023-12-01", "2023-12-31", "[time]"), ("feb 2024", "2024-02-01", "2024-02-29", "[time]"),
        ("March 5, 2024", "2024-03-05", "2024-03-05", "[time]"), ("5 March 2024", "2024-03-05", "2024-03-05", "[time]"),
        ("2020", "2020-01-01", "2020-12-31", "[year]"),
    ],
)  # fmt: skip
def test_ways_to_write_a_time(said, first, last, word):
    question = link(f"since {said} only", INDEX)
    (period,) = question.periods
    assert (str(period.first), str(period.last)) == (first, f"{last}T23:59:59.999999")
    assert question.words == ("since", word, "only")
    assert math.isnan(question.numbers[0]) == (word == "[time]")


@pytest.mark.parametrize("said", ["2024-13-45", "may be 2 of them", "one of those"])
def test_what_is_no_time(said):
    assert all(period is None or period.text.isdigit() for period in link(f"the {said} there", INDEX).periods)


def test_words_that_are_known_are_no_typing_errors():
    assert mentioned(link("prices paid", INDEX)) == ["Price ($)", "Paid"]
    assert link("count the years of peace", INDEX).words[-1] == "peace"
    assert link("count the customs", INDEX).words[-1] == "customs"
    assert link("count by yeer", INDEX).words[-1] == "yeer"  # too short to tell
    assert link("count by custome", INDEX).words[-1] == "[text column]"
    assert link("count by custome", INDEX, known={"count", "custome"}).words == ("count", "by", "custome")


def test_articles_are_no_columns_unless_written_just_so():
    index = Index.of(Table(("A", "in"), (np.ones(1), np.ones(1))))
    assert link("sum of A for a reason in there", index).mentions == ((2,), (6,))
    assert link("sum of a reason", index).mentions == ((), ())


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "at least one word"), ("?!", "at least one word"), ("12 7", "one word"), ("x" * 20_000, "10,000 characters")],
)
def test_what_is_no_question(text, said):
    with pytest.raises(NeuralProgrammerError, match=said):
        link(text, INDEX)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.text(min_size=1, max_size=80))
def test_any_text_is_read_or_refused(text):
    """Positions lie within the words, and every number, mention and link has its place."""
    try:
        question = link(text, INDEX)
    except NeuralProgrammerError:
        return
    places = [*question.number_positions, *(link.position for link in question.links)]
    places += [place for mentions in question.mentions for place in mentions]
    assert all(0 <= place < len(question.words) for place in places)
    assert len(question.numbers) == len(question.number_positions) == len(question.periods)


def test_an_index_says_which_texts_are_all_different():
    table = Table(("a", "b", "c"), tuple(map(np.array, (["x", "y", ""], ["x", "x", "y"], [1.0, 2.0, 3.0]))))
    assert [column.different for column in Index.of(table).columns] == [True, False, False]
    assert [column.different for column in Index.of(Table(("a",), (np.array([""]),))).columns] == [False]


def test_an_index_takes_more_texts_and_stays_as_it_was():
    more = INDEX.extended({1: ["Reykjavík", "paris"], 8: ["Reykjavík"]})
    assert texts(link("how many in reykjavik", more)) == [{"City": "Reykjavík", "customer name": "Reykjavík"}]
    assert texts(link("how many in Paris", more)) == [{"City": "Paris", "customer name": "Paris"}]
    assert texts(link("how many in reykjavik", INDEX)) == []


def test_of_two_near_spellings_the_order_of_columns_does_not_decide():
    found = []
    for names in (("harbour", "harbours x"), ("harbours x", "harbour")):
        columns = {"harbour": ["Alesunt", "Alesund"], "harbours x": ["Alesunk", "b"]}
        index = Index.of(Table(names, tuple(np.array(columns[name]) for name in names)))
        (each,) = link("count alesunx", index).links
        found.append({index.columns[place].name: text for place, text in each.texts.items()})
    assert found[0] == found[1]
