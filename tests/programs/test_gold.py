"""Gold SQL as programs: on a table of our own, and on a sample of Spider, in the folder that SPIDER names or
shared beside the repository."""

import importlib
import os
import sqlite3
import sys
from pathlib import Path

import pytest

from neural_programmer.programs.program import Program, run
from neural_programmer.programs.same import is_right
from neural_programmer.tables.source import open_source

ROOT = Path(__file__).parents[2]
SPIDER = Path(os.environ.get("SPIDER") or ROOT.parent / "shared" / "data" / "spider")
QUERIES = {
    "SELECT name FROM dogs WHERE age > 3 AND NOT (breed = 'pug' OR breed LIKE '%hound%')": 7,
    "SELECT breed, avg(age), count(*) FROM dogs GROUP BY breed HAVING count(*) > 1 ORDER BY avg(age) DESC": 5,
    "SELECT name FROM dogs WHERE age = (SELECT max(age) FROM dogs)": 3,
    "SELECT name FROM dogs WHERE age > (SELECT avg(age) FROM dogs WHERE breed = 'pug') AND weight < 30": 6,
    "SELECT name FROM dogs WHERE breed IN (SELECT breed FROM dogs GROUP BY breed HAVING count(*) > 1)": 5,
    "SELECT breed FROM dogs WHERE age > 5 EXCEPT SELECT breed FROM dogs WHERE weight > 20": 6,
    "SELECT breed FROM dogs WHERE age > 5 INTERSECT SELECT breed FROM dogs WHERE weight < 20": 6,
    "SELECT count(DISTINCT breed) FROM dogs WHERE name LIKE 'R%'": 2,
    "SELECT name, weight FROM dogs ORDER BY weight DESC, name LIMIT 2": 4,
    "SELECT max(age) - min(age) FROM dogs": 1,
}
DOGS = [
    ("Rex", "pug", 4, 9.5), ("Rita", "pug", 7, 8), ("Ben", "beagle", 2, 12), ("Bo", "wolfhound", 6, 55),
    ("Cleo", "beagle", 10, 11), ("Dot", "collie", 8, 25),
]  # fmt: skip


@pytest.fixture(scope="module")
def gold():
    sys.path.insert(0, str(ROOT / "scripts"))
    yield importlib.import_module("gold")
    sys.path.remove(str(ROOT / "scripts"))


@pytest.fixture(scope="module")
def dogs(tmp_path_factory):
    path = tmp_path_factory.mktemp("dogs") / "dogs.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE dogs (name TEXT, breed TEXT, age INTEGER, weight REAL)")
        connection.executemany("INSERT INTO dogs VALUES (?, ?, ?, ?)", DOGS)
    return connection, open_source(path).table()


@pytest.mark.parametrize("sql", QUERIES)
def test_a_query_is_a_program_that_gives_its_rows(sql, gold, dogs):
    connection, table = dogs
    steps = gold.translated(sql, gold.Cells.of(table, DOGS))
    assert len(steps) == QUERIES[sql], steps
    answer = run(Program(tuple(steps)), table).answer
    assert is_right(answer.result.value, [list(row) for row in connection.execute(sql)], "ORDER BY" in sql), answer


def test_what_no_program_says_is_called_by_its_kind(gold, dogs):
    _, table = dogs
    with pytest.raises(gold.Unsaid, match="joined with itself"):
        gold.translated("SELECT a.name FROM dogs a JOIN dogs b ON a.age = b.age", gold.Cells.of(table, DOGS))


@pytest.mark.skipif(not (SPIDER / "train.jsonl").exists(), reason="SPIDER names no folder with Spider's questions")
def test_programs_give_what_forty_of_spiders_queries_give(gold):
    found = gold.report(gold.measured(SPIDER, 40))
    assert found["questions"] == 40
    assert sum(found["equal"].values()) >= 36, found["not_said"]
