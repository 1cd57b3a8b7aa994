"""Programs whose answers are tables, or rest on groups: by hand, and as DuckDB answers them."""

import pytest

from neural_programmer.engines import duck, sql
from neural_programmer.programs.program import run
from neural_programmer.programs.same import is_right
from neural_programmer.programs.text import parse
from neural_programmer.tables.source import open_source

TABLE = {
    "title": ["The King's Speech", "Kingdom", "King Kong", "Love, actually", "Glove", None],
    "genre": ["drama", "epic", "epic", "comedy", "drama", "drama"],
    "seen": ["2014-05-01", "2015-02-03", "2014-07-30", "2015-02-03", None, "2014-05-02"],
    "price": [4.0, 8.0, 6.0, None, 2.0, 2.0],
    "tax": [20.0, 25.0, 50.0, 10.0, 50.0, 100.0],
}
ANSWERS = {
    """has the word "title" 'king'; show "title\"""": ["The King's Speech", "King Kong"],
    """has the word "title" 'love' or 'KING KONG'; show "title\"""": ["King Kong", "Love, actually"],
    """has the word "title" 'king'; not; count""": 4,
    """extremes "price"; show "price"; once""": [8, 2],
    """text match "genre" 'epic'; extremes "price"; ascending "price"; show "price\"""": [6, 8],
    """extremes "seen"; show "seen"; once""": ["2014-05-01", "2015-02-03"],
    """for each "genre"; sum "price"; extremes measure 1""": [["epic", 14], ["comedy", 0]],
    """for each year of "seen"; count; extremes year of "seen\"""": [[2014, 3], [2015, 2]],
    """for each "genre"; count; total measure 1""": [["drama", 3, 6], ["epic", 2, 6], ["comedy", 1, 6]],
    """take "price"; times "tax"; divided by number 100; show "genre"; show what was computed""": [
        ["drama", 0.8], ["epic", 2], ["epic", 3], ["comedy", None], ["drama", 1], ["drama", 2]
    ],
    """for each "genre"; sum "price"; divided by number 4; show "genre"; show measure 2""": [
        ["drama", 2], ["epic", 3.5], ["comedy", 0]
    ],
    """for each "genre"; minimum "seen\"""": [
        ["drama", "2014-05-01"], ["epic", "2014-07-30"], ["comedy", "2015-02-03"]
    ],
    """overall; minimum "seen"; maximum "seen\"""": [["2014-05-01", "2015-02-03"]],
    """maximum "seen\"""": ["2015-02-03"],
    """top "seen" 1; show "title\"""": ["Kingdom", "Love, actually"],
    """place from the bottom "seen" 2; show "title"; show "genre\"""": [[None, "drama"]],
}  # fmt: skip


@pytest.fixture(scope="module")
def source():
    with open_source(TABLE) as opened:
        yield opened


@pytest.mark.parametrize("text", ANSWERS)
def test_a_program_gives_what_it_says(source, text):
    program, wanted = parse(text), ANSWERS[text]
    said = run(program, source.table()).answer
    assert is_right(said.value, wanted), said.value
    assert is_right(duck.answer(program, source)[0].value, wanted)


def test_words_are_found_without_translate(source):
    """SQLite has no TRANSLATE, and DuckDB understands what is written for it."""
    program = parse("""has the word "title" 'king'; count""")
    written = sql.text(program, "data", "sqlite")
    assert "TRANSLATE" not in written
    assert source.connection.execute(written).fetchall() == [(2,)]


def test_a_sum_within_a_product_is_named_in_parentheses(source):
    program = parse('take "price"; less "tax"; times "price"; for each "genre"; sum what was computed')
    assert run(program, source.table()).answer.result.columns == ("genre", "sum of (price - tax) * price")


def test_the_last_of_no_times_is_no_answer(source):
    program = parse('text match "title" \'Glove\'; maximum "seen"')
    assert run(program, source.table()).answer.reason == "there is nothing to take the maximum seen of"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('for each "genre"; count; top measure 1', "step 3, top measure 1, does not say how many"),
        ('top "seen" 2014-05', "step 1, top seen 2014-05, does not say how many"),
        ('greater "seen" 5', "step 1, greater seen 5.0, has no time to work with"),
        ("divided by number 5", "a program that makes no sense: no cells are taken to compute with"),
    ],
)
def test_what_does_not_fit_is_refused(source, text, told):
    assert run(parse(text), source.table()).answer.reason == told
