"""Questions that are offered: of the table's own columns, and such as are answered."""

import duckdb
import pytest

from neural_programmer.answering import asking
from neural_programmer.page import examples
from neural_programmer.page.sessions import EXAMPLE_TABLES
from neural_programmer.tables.source import open_source


@pytest.mark.parametrize("path", EXAMPLE_TABLES, ids=lambda path: path.stem)
def test_tables_that_are_offered_have_questions_that_are_answered(path, model):
    opened = asking.Opened(open_source(path))
    found = examples.questions(model, opened, 10)
    assert len(found) == len(set(found)) == examples.OFFERED
    for question in found:
        answer = asking.ask(model, opened, question)
        assert answer.kind != "none"
        assert answer.confidence >= examples.SURE
    assert found == examples.questions(model, opened, 10)


def test_what_was_found_in_time_is_kept(model, monkeypatch):
    answered, left = asking.answered, iter(range(2))

    def slower(*arguments):
        if next(left, None) is None:
            raise duckdb.InterruptException("time is up")
        return answered(*arguments)

    opened = asking.Opened(open_source(EXAMPLE_TABLES[0]))
    found = examples.questions(model, opened, 10)
    monkeypatch.setattr(asking, "answered", slower)
    assert 1 <= len(shorter := examples.questions(model, opened, 10)) <= 2
    assert shorter == found[: len(shorter)]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("a\n", ()), ("a\n1\n", ("average a", "what is the highest a?", "how many rows are there?")),
        ("only text\nx\ny\n", ("how many rows are there?",)), ("d\n2024-01-01\n", ("how many rows are there?",)),
        ("t\ntrue\nfalse\n", ("how many rows where t is yes?", "how many rows are there?")),
    ],
)  # fmt: skip
def test_any_table_will_do(content, said, model, tmp_path):
    (tmp_path / "a.csv").write_text(content)
    assert examples.questions(model, asking.Opened(open_source(tmp_path / "a.csv")), 10) == said


FLATS = "id,address,city,postcode,rent_eur,year,latitude,rank\n" + "".join(
    f"{n},{street} {n},{city},{1000 * n},{700 + 37 * n},{1950 + n % 7},{59 + n / 10},{n}\n"
    for n, street, city in zip(
        range(1, 25), 12 * ["Elm Street", "Oak Lane"], 8 * ["Oslo", "Bergen", "Rome"], strict=True
    )
)


@pytest.fixture
def flats(tmp_path):
    (tmp_path / "flats.csv").write_text(FLATS)
    return asking.Opened(open_source(tmp_path / "flats.csv"))


def test_questions_make_sense_of_the_columns(flats, model):
    """A year, an identifier, a postcode, a latitude and a rank are not summed or averaged, and no unit is said."""
    found = examples.questions(model, flats, 10)
    assert "average rent where city is Bergen" in found
    assert "total rent" in found
    assert not [
        each
        for each in found
        for label in ("id", "postcode", "year", "latitude", "rank", "eur")
        if label in each.split()
    ]


def made(model, tmp_path, content):
    (tmp_path / "a.csv").write_text(content)
    return examples.questions(model, asking.Opened(open_source(tmp_path / "a.csv")), 10)


def test_several_columns_are_asked_about(model, tmp_path):
    cells = "".join(f"country {n},{3 * n},{7 + 2 * n},{90 - 3 * n}\n" for n in range(9))
    found = made(model, tmp_path, f"country,beer_servings,wine_servings,spirit_servings\n{cells}")
    assert found[:3] == (
        "which country has the highest beer servings?",
        "how many rows where wine servings are more than 20?",
        "average spirit servings",
    )


def test_names_that_sound_odd_in_a_question_come_last(model, tmp_path):
    """Of two letters, or a question themselves; and nobody asks for the total total."""
    cells = "".join(f"{n % 3},{n % 2},{'ab'[n % 2]},{'Oslo Rome'.split()[n % 2]},{n * 10000}\n" for n in range(12))
    found = made(model, tmp_path, f"W,D,How do you like your steak prepared?,city,total\n{cells}")
    assert found[:2] == ("average total where city is Oslo", "how many rows where city is Oslo?")
    assert "how many rows where total is more than 60,000?" in found
    assert not [each for each in found if "steak" in each or {"w", "d"} & set(each.split())]
    assert "total total" not in found


def test_a_table_about_which_little_is_answered_has_a_question(model, tmp_path):
    names = ",".join(f"measure {n} of the wide table" for n in range(60))
    rows = "".join(",".join(str(n * m % 97) for m in range(60)) + "\n" for n in range(20))
    assert "how many rows are there?" in made(model, tmp_path, f"{names}\n{rows}")


def test_what_is_answered_otherwise_than_it_is_meant_is_not_offered(flats, model, monkeypatch):
    decision = asking.decided(model, flats, "average rent where city is Bergen")
    monkeypatch.setattr(asking, "decided", lambda *_: decision)
    assert examples.questions(model, flats, 10) == ("average rent where city is Bergen",)


@pytest.mark.parametrize(
    ("question", "close"),
    [
        ("median rent in Oslo", "average rent where city is Oslo"),
        ("why is the flat at Elm Street 7 so cheap", "what is the rent of Elm Street 7?"),
        ("average rent per city", "average rent"),
        ("what is the name of the king", "how many rows are there?"),
    ],
)
def test_questions_that_are_close_are_answered(flats, model, question, close):
    assert asking.ask(model, flats, question).kind == "none"
    found = examples.close(model, flats, question, 10)
    assert close in found
    assert 1 <= len(found) <= examples.CLOSE
    for each in found:
        answer = asking.ask(model, flats, each)
        assert answer.kind != "none"
        assert answer.confidence >= examples.SURE
