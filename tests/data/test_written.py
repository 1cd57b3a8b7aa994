"""Questions that were written one by one: their answers, and what is left of their tables each time they are asked."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from check_written import faults, lines

from neural_programmer import api
from neural_programmer.data import written as module
from neural_programmer.data.folders import KINDS, read
from neural_programmer.data.written import FOLDER, question_folders
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.config import FitConfig, TrainingConfig
from neural_programmer.learning.examples import count_written, written
from neural_programmer.learning.fitting import WRITTEN_NETWORK
from neural_programmer.learning.ranked import rehearsed
from neural_programmer.programs.program import DECLINED

TABLE = """id,dish,course,price,vegan,since
01,Pad Thai,main,12.5,no,2021-03-01
02,Tiramisu,dessert,6,no,2020-01-15
03,Fruit Salad,dessert,4.5,yes,2022-07-30
04,Curry,main,11,yes,2019-05-05
05,Soup,starter,5,,2023-02-02
"""
QUESTIONS = [
    ("what do the mains cost together", "SELECT sum(price) FROM t WHERE course = 'main'"),
    ("which desserts can vegans eat", "SELECT dish FROM t WHERE course = 'dessert' AND vegan = true"),
    ("when did you start with the soup", "SELECT since FROM t WHERE dish = 'Soup'"),
    ("who cooks the soup", None),
    ("this fails", "SELECT nothing FROM t"),
    ("the newest one came when", "SELECT max(since) FROM t"),
]


NOTHING = "price of the median pizza"
RICHER = [
    ("average price by course", "group", "SELECT course, avg(price) FROM t GROUP BY course ORDER BY 2 DESC"),
    (
        "which course is the dearest on average",
        "choose",
        "SELECT course FROM t GROUP BY course QUALIFY rank() OVER (ORDER BY avg(price) DESC) = 1",
    ),
    ("what share is vegan", "share", "SELECT 100.0 * count(*) FILTER (WHERE vegan) / count(vegan) FROM t"),
    ("is any dessert above 5", "truth", "SELECT count(*) > 0 FROM t WHERE course = 'dessert' AND price > 5"),
    ("in which year did most come", "choose", "SELECT year(since) FROM t GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 2"),
    ("what is missing", "text", "SELECT dish FROM t WHERE vegan IS NULL"),
    (NOTHING, "statistics", "SELECT median(price) FROM t WHERE dish = 'Pizza'"),
    ("this fails too", "statistics", "SELECT nothing FROM t"),
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "menu.csv").write_text(TABLE)
    lines = [json.dumps({"table": "menu.csv", "question": text, "sql": sql}) for text, sql in QUESTIONS]
    (tmp_path / "questions.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path


def questions(folder, seed=0):
    return {one.question: one for one in read(folder, np.random.default_rng(seed))}


def test_answers_are_those_of_the_database(folder):
    found = questions(folder)
    assert list(found) == [text for text, _ in QUESTIONS[:4]]  # SQL that fails, or gives no number, is left out
    mains, vegan, soup, cook = found.values()
    assert mains.answers[0].scalar == 23.5
    assert vegan.answers[0].values == ("Fruit Salad",)
    assert soup.answers[0].values == ("2023-02-02",)
    assert [answer.reason for answer in cook.answers] == [DECLINED] * 3


def test_three_tables_have_the_same_columns_and_cells(folder):
    whole, shuffled, some = questions(folder)["who cooks the soup"].tables
    assert whole.names == shuffled.names == some.names
    for one, other, few in zip(whole.columns, shuffled.columns, some.columns, strict=True):
        assert sorted(map(str, one)) == sorted(map(str, other))
        assert set(map(str, few)) <= set(map(str, one))
    assert [whole.rows, shuffled.rows, some.rows] == [5, 5, 4]
    assert any((one != other).any() for one, other in zip(whole.columns[:2], shuffled.columns[:2], strict=True))


def test_what_a_question_needs_stays_or_it_is_declined(folder):
    one = questions(folder)["which desserts can vegans eat"]
    assert one.needed == {1, 2, 4}
    assert one.naming == 1
    assert one.texts == ("dessert",)
    generator = np.random.default_rng(1)
    asked = [one.asked(generator) for _ in range(300)]
    answered = [each for each in asked if each.group == "free"]
    declined = [each for each in asked if each.group == "unanswerable"]
    assert all({"dish", "course", "vegan"} <= set(each.tables[0].names) for each in answered)
    assert all(each.answers == one.answers for each in answered)
    assert 20 < len(declined) < 60
    for each in declined:
        table = each.tables[0]
        has_both = {"course", "vegan"} <= set(table.names)
        assert not has_both or "dessert" not in table.columns[table.names.index("course")]
    assert len({each.tables[0].names for each in asked}) > 10  # other columns, in another order


def test_the_same_seed_asks_the_same(folder):
    one, again = (questions(folder, seed=3)["what do the mains cost together"] for _ in range(2))
    for first, second in zip(one.tables, again.tables, strict=True):
        for column, other in zip(first.columns, second.columns, strict=True):
            np.testing.assert_array_equal(column, other)
    names = [one.asked(np.random.default_rng(5)).tables[0].names for one in (one, again)]
    assert names[0] == names[1]


def test_written_questions_are_made_ready(folder):
    done = []
    found = written(3, 8, 0, done.append, folder=_only(folder))
    assert len(found) == 4 * 3
    assert all(one.programs for one in found)


def _only(folder):
    """A folder that holds this one alone."""
    outer = folder / "all"
    inner = outer / "01"
    inner.mkdir(parents=True)
    for name in ("menu.csv", "questions.jsonl"):
        (folder / name).rename(inner / name)
    return outer


@pytest.mark.parametrize("name", ["01", "32"])
def test_nearly_all_written_questions_are_answered(name):
    text = (FOLDER / name / "questions.jsonl").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if "kind" not in json.loads(line)]
    found = list(read(FOLDER / name, np.random.default_rng(0)))
    assert len(found) > 0.98 * len(lines)
    assert 0.1 < np.mean([not one.needed for one in found]) < 0.5


@pytest.fixture
def richer(folder):
    lines = [{"table": "menu.csv", "question": text, "sql": sql, "kind": kind} for text, kind, sql in RICHER]
    with (folder / "questions.jsonl").open("a") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return folder


def test_questions_of_a_kind_have_tables_and_truths_as_answers(richer):
    found = {one.question: one for one in read(richer, np.random.default_rng(0), KINDS) if one.kind}
    assert [(one.question, one.kind) for one in found.values()] == [(text, kind) for text, kind, _ in RICHER[:-1]]
    table, chosen, share, truth, years, missing, nothing = (one.answers[0] for one in found.values())
    assert table.result.rows == (("main", 11.75), ("dessert", 5.25), ("starter", 5.0))
    assert (chosen.kind, chosen.values) == ("lookup", ("main",))
    assert share.scalar == 50.0
    assert (truth.kind, truth.value) == ("truth", True)
    assert (years.kind, years.values) == ("lookup", (2019.0, 2020.0))
    assert missing.values == ("Soup",)
    assert nothing.reason == "nothing"
    assert found["average price by course"].needed == {2, 3}


def test_questions_of_a_kind_are_neither_answered_nor_declined_where_programs_cannot_say_them(richer):
    assert list(questions(richer)) == [text for text, _ in QUESTIONS[:4]]
    some = [one.kind for one in read(richer, np.random.default_rng(0), ("choose",)) if one.kind]
    assert some == ["choose", "choose"]
    outer = _only(richer)
    assert len(written(1, 8, 0, folder=outer)) == 4
    assert count_written(outer) == len(QUESTIONS)


@pytest.mark.parametrize("name", ["03", "19", "30"])
def test_all_questions_of_a_kind_have_sql_that_answers_them(name):
    """Those of some folders; tests/data/check_written.py checks them all."""
    assert [line for line in lines(FOLDER / name) if "kind" in line]
    assert faults(FOLDER / name) == []


def test_faulty_lines_of_a_kind_are_found(richer):
    assert faults(richer) == [f"{richer.name}: the SQL fails: this fails too", f"{richer.name}: no answer: {NOTHING}"]
    with (richer / "questions.jsonl").open("a") as file:
        file.write(json.dumps({"table": "menu.csv", "question": "dishes", "sql": "SELECT dish FROM t", "kind": "odd"}))
    assert len(faults(richer)) == 1
    assert "odd" in faults(richer)[0]


def test_there_are_many():
    assert count_written() > 20_000
    assert len(question_folders()) == len(list(FOLDER.glob("*/")))
    assert not list(Path(module.__file__).parents[1].rglob("questions.jsonl"))  # none of them in the package itself


def test_an_installed_package_says_that_it_comes_without_them(monkeypatch, tmp_path):
    """Before any question is drawn or any table is read."""
    monkeypatch.setattr(module, "FOLDER", tmp_path / "data" / "written")
    monkeypatch.setattr("neural_programmer.learning.learners.english", None)
    said = f"not in {tmp_path}/data/written: .*NEURAL_PROGRAMMER_QUESTIONS=data/written$"
    with pytest.raises(NeuralProgrammerError, match=said):
        api.train("english", training=TrainingConfig(written=1))
    with pytest.raises(NeuralProgrammerError, match=said):
        api.fit([], start="nothing", objective="enumerated", config=FitConfig(rehearsed=5))
    for asked in (count_written, lambda: written(1, 8, 0), lambda: rehearsed(1, WRITTEN_NETWORK, 0)):
        with pytest.raises(NeuralProgrammerError, match=said):
            asked()


def test_the_environment_names_another_folder(folder, tmp_path):
    code = "from neural_programmer.data.written import question_folders; print(question_folders())"
    environment = {**os.environ, "NEURAL_PROGRAMMER_QUESTIONS": str(_only(folder))}
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == str([folder / "all" / "01"])
