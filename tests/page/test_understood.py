"""What of a question was understood, in its own words and those of the table."""

import pytest

from neural_programmer.answering import asking
from neural_programmer.page.understood import Taken, understood
from neural_programmer.tables.source import open_source

FLATS = (
    "address,city,rent,rent due,floor area,floor,leased,since\n"
    "Elm Street 7,Oslo,900,0,50,2,yes,2020-05-01\nOak Lane 3,New York,1100,30,60,3,no,2021-06-02\n"
)


@pytest.fixture
def flats(tmp_path):
    (tmp_path / "flats.csv").write_text(FLATS)
    return asking.Opened(open_source(tmp_path / "flats.csv"))


@pytest.mark.parametrize(
    ("question", "taken"),
    [
        ("why is New York so dear", [("New York", "a cell of city")]),
        ("median floor area above 40", [("floor area", "the column floor area, of numbers"), ("40", "a number")]),
        ("was it leased in May 2020", [("leased", "the column leased, of yes and no"), ("May 2020", "a time")]),
        ("who is the king of Oslo, and of Oslo", [("Oslo", "a cell of city")]),
        ("who painted it", []),
        ("why is it free", []),
    ],
)
def test_words_that_mention_something_are_named_with_it(flats, model, question, taken):
    assert understood(model, flats, question) == tuple(Taken(*each) for each in taken)


def test_words_that_may_mean_several_columns_name_some_of_them(model, tmp_path):
    (tmp_path / "a.csv").write_text("name,north yield,south yield,east yield,west yield\na,1,2,3,4\nb,5,6,7,8\n")
    opened = asking.Opened(open_source(tmp_path / "a.csv"))
    ((said, meant),) = understood(model, opened, "median yield")
    assert (said, meant) == ("yield", "the columns north yield or south yield or east yield and 1 more")
