"""Programs whose answers are tables, or rest on groups: by hand, and as DuckDB answers them."""

import contextlib
import sqlite3

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
    """for each decade of "seen"; count""": [[2010, 5]],
    """for each "tax" in bands of 25; sum "price"; change measure 1""": [
        [0, 4, None], [25, 8, 4], [50, 8, 0], [100, 2, None]
    ],
    """for each "price" in bands of 0.5; sum "tax"; change measure 1""": [
        [2, 150, None], [4, 20, None], [6, 50, None], [8, 25, None]
    ],
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


@pytest.mark.parametrize("text", ["has the word \"title\" 'king'; count", 'for each decade of "seen"; count'])
def test_sqlite_says_words_and_decades_in_its_own_way(source, text):
    """It has no TRANSLATE, and keeps times as text."""
    program = parse(text)
    written = sql.text(program, "data", "sqlite")
    assert "TRANSLATE" not in written
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE data (title TEXT, seen TEXT)")
        rows = zip(TABLE["title"], TABLE["seen"], strict=True)
        connection.executemany("INSERT INTO data VALUES (?, ?)", rows)
        found = [list(row) for row in connection.execute(written)]
    said = run(program, source.table()).answer.value
    assert is_right(found, said if isinstance(said, list) else [[said]])


def test_times_are_named_by_their_days(source):
    program = parse('for each "genre"; equal "seen" 2014-05; sum "price"')
    assert (
        run(program, source.table()).answer.result.columns[1]
        == "sum of price where seen is from 2014-05-01 to 2014-05-31"
    )


def test_a_sum_within_a_product_is_named_in_parentheses(source):
    program = parse('take "price"; less "tax"; times "price"; for each "genre"; sum what was computed')
    assert run(program, source.table()).answer.result.columns == ("genre", "sum of (price - tax) * price")


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
