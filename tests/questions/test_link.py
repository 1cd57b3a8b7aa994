"""What people write is found in the table: names, cells, numbers and times, whatever their spelling."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.questions.index import Index
from neural_programmer.questions.keys import root
from neural_programmer.questions.link import link
from neural_programmer.tables.table import Table

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


def said_in(question):
    """Links of what the question says, without those that it only may mean."""
    return [each for each in question.links if not each.near]


def texts(question):
    return [{TABLE.names[column]: text for column, text in each.texts.items()} for each in said_in(question)]


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


@pytest.mark.parametrize(
    ("said", "words", "numbers"),
    [
        ("2024-13-45", ["2024-13-45"], ()), ("may be 2 of them", ["may", "be", "[number]", "of", "them"], (2,)),
        ("one of those", ["one", "of", "those"], ()),
    ],
)  # fmt: skip
def test_what_is_no_time(said, words, numbers):
    question = link(f"the {said} there", INDEX)
    assert question.words == ("the", *words, "there")
    assert question.numbers == numbers
    assert not any(question.periods)


def test_words_that_are_known_are_no_typing_errors():
    assert mentioned(link("prices paid", INDEX)) == ["Price ($)", "Paid"]
    assert link("count the years of peace", INDEX).words[-1] == "peace"
    assert link("count the costumes", INDEX).words[-1] == "costumes"
    assert link("count by yeer", INDEX).words[-1] == "[number column]"  # which is no word; a usual word is
    assert link("count by custome", INDEX).words[-1] == "[text column]"
    assert link("count by prize", INDEX, known={"count"}).words[-1] == "[number column]"
    assert link("count by prize", INDEX, known={"count", "prize"}).words == ("count", "by", "prize")


def test_articles_are_no_columns_unless_written_just_so():
    index = Index.of(Table(("A", "in"), (np.ones(1), np.ones(1))))
    assert link("sum of A for a reason in there", index).mentions == ((2,), (6,))
    assert link("sum of a reason", index).mentions == ((), ())


PEOPLE = Table(
    ("person", "dept", "grade", "os", "team", "Paid", "smoker", "qty", "Stock No", "netSales", "Total Cost", "DOB",
     "origin"),
    tuple(map(np.array, (
        ["Anna Smith", "Bob Smith", "Carla Green", "Xerxes Rose"],
        ["IT", "HR", "R&D", "IT"],
        ["B-", "B", "A+", "A"],
        ["macOS", "Linux", "Windows", "Linux"],
        ["North-West", "South", "East", "Jean-Luc & Sons"],
        ["true", "false", "true", "true"],
        ["true", "false", "true", "true"],
        [1.0, 2.0, 3.0, 4.0],
        [1.0, 2.0, 3.0, 4.0],
        [1.0, 2.0, 3.0, 4.0],
        [1.0, 2.0, 3.0, 4.0],
        np.array(["1990-01-01"] * 4, "M8[D]"),
        ["Green Bay", "Oslo", "Oslo", "Oslo"],
    ))),
)  # fmt: skip
STAFF = Index.of(PEOPLE)


def cells(text):
    return [{PEOPLE.names[column]: cell for column, cell in each.texts.items()} for each in said_in(link(text, STAFF))]


def columns(text):
    return [name for name, places in zip(PEOPLE.names, link(text, STAFF).mentions, strict=True) if places]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("of Anna there", [{"person": "Anna Smith"}]),  # written as a name
        ("of Anna's there", [{"person": "Anna Smith"}]),
        ("of anna there", []),  # a word that is known
        ("of xerxes there", [{"person": "Xerxes Rose"}]),  # no other word
        ("of Smith there", []),  # two have it
        ("of Green there", []),  # one in each of two columns
        ("of ANNA there", []),  # all is in capitals
        ("of Bob Smith there", [{"person": "Bob Smith"}]),
        ("a Rose there", [{"person": "Xerxes Rose"}]),
        ("a rose there", []),
    ],
)
def test_parts_of_texts(said, found):
    assert cells(f"how many {said}") == found


def test_the_first_word_is_not_a_name_for_its_capital():
    assert cells("Anna has how many") == []
    assert cells("Xerxes has how many") == [{"person": "Xerxes Rose"}]


@pytest.mark.parametrize(
    ("said", "word", "found"),
    [
        ("unpaid", "[boolean column]", {"Paid": "true"}), ("non-smoker", "[boolean column]", {"smoker": "true"}),
        ("non-smokers", "[boolean column]", {"smoker": "true"}), ("nonsmoker", "[boolean column]", {"smoker": "true"}),
        ("non-Linux", "[value]", {"os": "Linux"}), ("non-linux", "[value]", {"os": "Linux"}),
    ],
)  # fmt: skip
def test_what_denies_is_a_word_before_what_it_denies(said, word, found):
    question = link(f"count the {said} ones", STAFF)
    assert question.words == ("count", "the", "[not]", word, "ones")
    assert cells(f"count the {said} ones") == [found]
    assert question.links[0].position == 3
    assert len(question.said) == len(question.words)


@pytest.mark.parametrize("said", ["unlinux", "undone", "inside", "unqty", "non-sense", "nonpareil"])
def test_what_denies_nothing(said):
    """A text is denied by non alone, a column only where it says yes or no."""
    assert link(f"count the {said} ones", STAFF).words == ("count", "the", said, "ones")


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("Q1 2020", "2020-01-01", "2020-03-31"), ("q2 2020", "2020-04-01", "2020-06-30"),
        ("Q3 2021", "2021-07-01", "2021-09-30"), ("Q4 2023", "2023-10-01", "2023-12-31"),
        ("1st March 2020", "2020-03-01", "2020-03-01"), ("March 2nd, 2020", "2020-03-02", "2020-03-02"),
        ("3rd of March 2020", "2020-03-03", "2020-03-03"), ("22nd Feb 2024", "2024-02-22", "2024-02-22"),
        ("Sept 2019", "2019-09-01", "2019-09-30"),
    ],
)  # fmt: skip
def test_quarters_and_ordinals(said, first, last):
    question = link(f"born in {said} or so", STAFF)
    (period,) = question.periods
    assert (str(period.first), str(period.last)) == (first, f"{last}T23:59:59.999999")
    assert question.words == ("born", "in", "[time]", "or", "so")


@pytest.mark.parametrize(
    ("said", "years"),
    [("Q5 2020", ["2020"]), ("the 3rd", []), ("the 3rd of", []), ("1st of 2020", ["2020"]), ("30th February", [])],
)
def test_what_is_no_quarter_and_no_day(said, years):
    assert [str(period) for period in link(f"born in {said}", STAFF).periods] == years


@pytest.mark.parametrize(
    ("said", "numbers"),
    [
        ("between three and six", (3, 6)), ("two hundred and five", (205,)), ("between two hundred and five", (200, 5)),
        ("from two to five", (2, 5)), ("one hundred and one thousand", (101_000,)), ("at least one", (1,)),
        ("exactly one", (1,)), ("one of", ()), ("which one", ()), ("more than a dozen", (12.0,)), ("5kg", (5,)),
        ("5.5 km", (5.5,)), ("over 5 m", (5,)), ("over 5m", (5e6,)), ("over 10mph", (10,)), ("under 250gb", (250,)),
        ("three or four", (3, 4)), ("a hundred", (100,)), ("a person", ()),
    ],
)  # fmt: skip
def test_numbers_in_words_and_with_units(said, numbers):
    question = link(f"those with {said} then", STAFF)
    assert question.numbers == numbers
    assert [question.words[position] for position in question.number_positions] == ["[number]"] * len(numbers)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("in IT", [{"dept": "IT"}]), ("is it", []), ("in HR", [{"dept": "HR"}]), ("grade A+", [{"grade": "A+"}]),
        ("grade A", [{"grade": "A"}]), ("a grade", []), ("grade B", [{"grade": "B"}]), ("grade B-", [{"grade": "B-"}]),
        ("on macOS", [{"os": "macOS"}]), ("on MacOS", [{"os": "macOS"}]), ("on macos", [{"os": "macOS"}]),
        ("in R&D", [{"dept": "R&D"}]), ("in r&d", [{"dept": "R&D"}]), ("in R & D", [{"dept": "R&D"}]),
        ("of north-west", [{"team": "North-West"}]), ("of North West", [{"team": "North-West"}]),
        ("of Jean-Luc & Sons", [{"team": "Jean-Luc & Sons"}]), ("of jean luc and", []),
    ],
)  # fmt: skip
def test_cells_with_capitals_and_signs(said, found):
    assert cells(f"how many {said}") == found


@pytest.mark.parametrize(
    ("said", "column"),
    [
        ("qty", "qty"), ("quantity", "qty"), ("quantities", "qty"), ("stock number", "Stock No"),
        ("stock no", "Stock No"), ("netSales", "netSales"), ("net sales", "netSales"),
        ("netsales", "netSales"), ("sales", "netSales"), ("total cost", "Total Cost"), ("cost", "Total Cost"),
        ("totalcost", "Total Cost"), ("date of birth", "DOB"), ("dob", "DOB"),
    ],
)  # fmt: skip
def test_names_in_short_and_in_one_word(said, column):
    assert columns(f"show the {said} please") == [column]


@pytest.mark.parametrize("word", ["total", "number", "count", "average", "maximum", "highest", "sum", "of", "no"])
def test_words_of_operations_are_no_part_of_a_name(word):
    assert columns(f"show the {word} please") == []


@pytest.mark.parametrize(
    "word", ["smelt", "seals", "stick", "costs", "coast", "windows", "tea", "gradient", "personal"]
)
def test_english_words_are_no_typing_errors(word):
    meant = {"costs": ["Total Cost"]}.get(word, [])
    question = link(f"show the {word} please", STAFF)
    assert columns(f"show the {word} please") == meant
    assert question.words[2] == ("[number column]" if meant else "[value]" if word == "windows" else word)


def test_a_word_with_one_slip_is_what_it_was_meant_to_be():
    assert columns("the quantitty please") == ["qty"]
    assert cells("those on Linxu") == [{"os": "Linux"}]
    assert cells("those on Lniuzx") == []  # two slips


def test_what_was_said_of_columns_and_of_texts_and_in_other_words():
    """A column as it was said, for a text the name of its column; nothing for numbers and for what denies."""
    question = link("average Net Sales over 5 kilos of Anna Smith on non-Linux unpaid", STAFF)
    pairs = dict(zip(question.said, question.words, strict=True))
    assert pairs.pop("") == "[not]"
    assert pairs == {
        "average": "average", "net sales": "[number column]", "over": "over", "kilos": "kilos", "of": "of",
        "person": "[value]", "on": "on", "os": "[value]", "unpaid": "[boolean column]",
    }  # fmt: skip
    assert [word for said, word in zip(question.said, question.words, strict=True) if not said] == [
        "[number]",
        *["[not]"] * 2,
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "at least one word"),
        ("?!", "at least one word"),
        ("12 7", "one word"),
        ("x" * 20_000, "10,000 characters"),
        ("more than " + "9" * 400, "too large"),
        ("under 9" + "0" * 305 + " million", "too large"),
    ],
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
    assert len(question.said) == len(question.words)


def test_an_index_says_which_texts_are_all_different():
    table = Table(("a", "b", "c"), tuple(map(np.array, (["x", "y", ""], ["x", "x", "y"], [1.0, 2.0, 3.0]))))
    assert [column.different for column in Index.of(table).columns] == [True, False, False]
    assert [column.different for column in Index.of(Table(("a",), (np.array([""]),))).columns] == [False]


def test_an_index_takes_more_texts_and_stays_as_it_was():
    more = INDEX.extended({1: ["Reykjavík", "paris"], 8: ["Reykjavík"]})
    assert texts(link("how many in reykjavik", more)) == [{"City": "Reykjavík", "customer name": "Reykjavík"}]
    assert texts(link("how many in Paris", more)) == [{"City": "Paris", "customer name": "Paris"}]
    assert texts(link("how many in reykjavik", INDEX)) == []


def test_a_cell_of_many_words_is_mentioned_by_all_of_them():
    title = "The Man Who Sold the House by the River to Nobody"
    index = Index.of(Table(("title", "house"), (np.array([title, "The Man"]), np.array(["The River", "x"]))))
    assert [each.texts for each in said_in(link(f"price of {title.lower()}", index))] == [{0: title}]


def test_of_several_near_spellings_none_is_taken():
    for names in (("harbour", "harbours x"), ("harbours x", "harbour")):
        columns = {"harbour": ["Alesunt", "Alesund"], "harbours x": ["Alesunk", "b"]}
        index = Index.of(Table(names, tuple(np.array(columns[name]) for name in names)))
        assert said_in(link("count alesunx", index)) == []
        (each,) = said_in(link("count alesumk", index))
        assert {index.columns[place].name: text for place, text in each.texts.items()} == {"harbours x": "Alesunk"}


@pytest.mark.parametrize(
    ("said", "found"),
    [("K0013", []), ("K0010", ["K0010"]), ("in gas", []), ("say hi", []), ("in HI", ["HI"]), ("in GA", ["GA"])],
)
def test_another_identifier_is_another_thing_and_words_are_no_codes(said, found):
    index = Index.of(Table(("customer", "state"), (np.array(["K0010", "K0012"]), np.array(["GA", "HI"]))))
    assert [text for each in said_in(link(f"total {said}", index)) for text in each.texts.values()] == found


def test_a_column_called_by_a_number_is_mentioned_by_it():
    index = Index.of(Table(("2021", "year"), (np.array([1.0, 2.0]), np.array([2021.0, 2022.0]))))
    assert link("total 2021", index).mentions == ((1,), ())
    assert link("total 2022", index).numbers == (2022.0,)


def test_a_question_with_very_many_numbers_is_refused():
    with pytest.raises(NeuralProgrammerError, match="100 numbers"):
        link("sum " + "1 " * 101, INDEX)


def test_a_mention_of_several_columns_is_the_same_in_any_order():
    columns = {"home team": np.array(["A", "B"]), "home goals": np.array([1.0, 2.0])}
    for names in (list(columns), list(columns)[::-1]):
        index = Index.of(Table(tuple(names), tuple(columns[name] for name in names)))
        assert link("at home", index).words == ("at", "[text column]")


AKIN = Index.of(
    Table(
        ("restaurant", "delivery", "last inspection", "cuisine", "country", "HasTerrace", "unit"),
        (
            np.array(["Nonna Pia", "Golden Dragon", "Hazel Room"]),
            np.array(["true", "false", "true"]),
            np.array(["2024-01-01", "2024-02-01", "2024-03-01"], "M8[D]"),
            np.array(["Cardiology", "Chinese", "Orthopaedics"]),
            np.array(["France", "United States", "Chile"]),
            np.array(["true", "false", "true"]),
            np.array(["Hazel Ward", "Yew Ward", "Elm Ward"]),
        ),
    )
)


@pytest.mark.parametrize(
    ("said", "column"),
    [
        ("that deliver", "delivery"), ("when it was inspected", "last inspection"),
        ("do the inspectors come", "last inspection"),
    ],
)  # fmt: skip
def test_words_of_one_root_mention_a_column(said, column):
    question = link(f"which ones {said}", AKIN)
    found = [AKIN.columns[slot].name for slot, places in enumerate(question.mentions) if places]
    assert found == [column]


@pytest.mark.parametrize(
    ("said", "texts_"),
    [
        ("cardio people", {"cuisine": "Cardiology"}), ("French ones", {"country": "France"}),
        ("chilean ones", {"country": "Chile"}), ("american ones", {"country": "United States"}),
        ("orthopaedic ones", {"cuisine": "Orthopaedics"}), ("people in elm", {}),
        ("who has it", {}), ("card games", {}),
    ],
)  # fmt: skip
def test_beginnings_of_cells_and_peoples_mention_a_cell(said, texts_):
    question = link(f"how many {said}", AKIN)
    found = {AKIN.columns[slot].name: text for each in said_in(question) for slot, text in each.texts.items()}
    assert found == texts_


def test_the_first_word_of_a_cell_of_two_mentions_it_where_no_other_has_it():
    assert said_in(link("how many in hazel", AKIN)) == []  # a room and a ward
    (each,) = said_in(link("how many in golden", AKIN))
    assert list(each.texts.values()) == ["Golden Dragon"]


def test_a_member_is_no_member_number_where_there_are_names():
    numbers, names, dates = (
        np.array(["001", "002"]),
        np.array(["Ada Stone", "Ben Lee"]),
        np.array(["2024-01-01"] * 2, "M8[D]"),
    )
    both = Index.of(Table(("MemberNo", "FullName", "ship_date"), (numbers, names, dates)))
    alone = Index.of(Table(("MemberNo", "ship_date"), (numbers, dates)))
    assert link("which members came", both).mentions == ((), (), ())
    assert link("which member no is it", both).mentions == ((1,), (), ())
    assert link("which members came", alone).mentions == ((1,), ())
    assert link("which shipment is it", both).mentions == ((), (), ())
    assert link("when did they ship it", both).mentions == ((), (), (3,))


def test_texts_that_differ_in_case_or_number():
    index = Index.of(
        Table(("status", "item"), (np.array(["open", "Open", "OPEN"]), np.array(["Shirt", "Shirts", "Hat"])))
    )
    for said, item in (("shirt", "Shirt"), ("Shirts", "Shirts"), ("the shirts", "Shirts")):
        assert [each.texts for each in said_in(link(f"total of {said}", index))] == [{1: item}]
    assert index.spellings(0, "Open") == ("Open", "open", "OPEN")
    assert index.spellings(1, "Shirt") == ("Shirt",)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("How much did New York pay?", ["How", "much", "did", "New York", "pay"]),
        ("net sales over $5k in March 2024", ["net sales", "over", "$5k", "in", "March 2024"]),
        ("how many unpaid", ["how", "many", "not", "unpaid"]),
        ("how meny are paid yes", ["how", "many", "are", "paid", "yes"]),
        ("orders before the 5th of March", None),
        ("total twenty five, \u2212 3 and half a million", None),
    ],
)
def test_what_stands_in_the_place_of_each_word_can_be_shown(said, shown):
    question = link(said, INDEX)
    assert len(question.shown) == len(question.words)
    if shown is not None:
        assert list(question.shown) == shown


def test_a_word_of_endings_alone_is_read():
    assert len(root("y" * 9_000)) < 10


def measures(*names):
    """An index of columns of numbers after a name."""
    return Index.of(Table(("model", *names), (np.array(["Alto", "Brava"]), *[np.array([10.0, 20.0])] * len(names))))


def mentioned_by(question, index):
    return [[c.name for c, places in zip(index.columns, link(question, index).mentions, strict=True) if places]]


@pytest.mark.parametrize(
    "unit", ["mm", "km", "kg", "pct", "usd", "eur", "min", "sec", "date", "id", "per day", "c", "no"]
)
@pytest.mark.parametrize(
    "spell",
    [
        lambda words: "_".join(words),
        lambda words: words[0] + "".join(word.title() for word in words[1:]),
        lambda words: " ".join(words).title(),
        lambda words: f"{words[0]}_{words[1]} ({'_'.join(words[2:])})",
        lambda words: f"{words[0]} {words[1]} [{' '.join(words[2:])}]",
        lambda words: "_".join((words[1], words[0], *words[2:])),
    ],
)
def test_names_that_share_a_word_and_end_in_a_unit_are_told_apart(unit, spell):
    for one, other, shared in (("front", "rear", "width"), ("net", "gross", "price"), ("home", "away", "score")):
        names = [spell((word, shared, *unit.split())) for word in (one, other)]
        for index in measures(*names), measures(*names[::-1]):
            for said, name in zip((one, other), names, strict=True):
                assert mentioned_by(f"average {said} {shared}", index) == [[name]]
                assert link(f"average {said} {shared} then", index).words == ("average", "[number column]", "then")
                assert mentioned_by(f"average {said} {shared}s of the {name}", index) == [[name]]


@pytest.mark.parametrize("other", ["rear_width_mm", "rearWidth", "width_max"])
def test_a_name_without_its_unit_is_that_column(other):
    expected = [["width_mm"]] if other != "width_max" else [["width_mm", other]]  # which is no maximum in millimetres
    assert mentioned_by("average width", measures("width_mm", other)) == expected


def test_a_typing_error_in_a_name_with_a_unit():
    assert mentioned_by("average reer width", measures("front_width_mm", "rear_width_mm")) == [["rear_width_mm"]]


def test_a_unit_that_columns_have_says_nothing():
    index = measures("front_width_mm", "rear_width_mm", "built_year")
    for said in ("in mm", "in millimetres", "in millimeter"):
        found = link(f"average rear width {said} of Alto", index)
        assert found.words == ("average", "[number column]", "of", "[value]")
    assert link("average rear width in metres", index).words[-1] == "metres"
    assert mentioned_by("how many were built in year 2010", index) == [["built_year"]]


def test_the_operation_that_a_name_begins_with_is_asked_for_where_nothing_else_is_said():
    index = measures("total_price_eur", "unit_price_eur", "max_temp_c")
    assert link("total price", index).words == ("total", "[number column]")
    assert link("what is the max temp?", index).words == ("what", "is", "the", "max", "[number column]")
    assert link("total price of Alto", index).words == ("[number column]", "of", "[value]")
    assert link("average total price", index).words == ("average", "[number column]")
    assert link("unit price", index).words == ("[number column]",)


def test_a_word_of_a_name_that_stands_in_two_columns_means_it_in_both():
    names = np.array(["Rafael Nadal", "Nicolas Almagro", "Andy Murray"])
    index = Index.of(Table(("server", "seconds", "opponent"), (names, np.array([1.0, 2.0, 3.0]), names[[1, 0, 0]])))
    (found,) = link("average seconds for Nadal", index).links
    assert found.texts == {0: "Rafael Nadal", 2: "Rafael Nadal"}
