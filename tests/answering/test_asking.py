"""From a table and a decision to an answer: value, unit, steps, cells, SQL; open tables are kept and seen to change."""

import contextlib
import datetime
import json
import math
import os
import sqlite3
import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import duckdb
import numpy as np
import pandas
import polars
import pyarrow
import pytest

from neural_programmer.answering import asking, thinking
from neural_programmer.answering.asking import Desk, Opened, ask
from neural_programmer.answering.model import load_shipped
from neural_programmer.base.limits import within
from neural_programmer.candidates import masks
from neural_programmer.candidates.enumeration import every
from neural_programmer.engines import duck
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.program import DECLINED, Program, Step, run
from neural_programmer.programs.same import is_right
from neural_programmer.questions import indexing
from neural_programmer.questions.times import time_of
from neural_programmer.tables.source import Source, open_source
from neural_programmer.tables.table import TRIED_ON
from queries import Fake, random_program, random_table, source_of

CSV = """item,price,sold,day,new
pen,$1.50,1200,2024-01-01,yes
book,$12,30,2024-02-29,no
lamp,$40.25,,2023-05-05,yes
"""
DEAR = Step("greater", "price", 5.0)
QUESTIONS = Path(__file__).parent.parent / "questions" / "development"
DEVELOPMENT = [json.loads(line) for line in (QUESTIONS / "questions.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def path(tmp_path):
    (tmp_path / "shop items.csv").write_text(CSV)
    return tmp_path / "shop items.csv"


@pytest.fixture(params=["in memory", "queried"])
def engine(request, monkeypatch):
    """Small tables are interpreted, others queried: the same answers."""
    if request.param == "queried":
        monkeypatch.setattr(asking, "IN_MEMORY", -1)


def answer(path, *steps, **options):
    return ask(Fake({"q": steps}), path, "q", desk=Desk(), **options)


def test_an_answer_tells_how_it_came_about(path, engine):
    found = answer(path, DEAR, Step("text match", "new", ("true",)), Step("and"), Step("sum", "price"))
    assert found.to_dict() == {
        "version": 1,
        "question": "q",
        "answer": 40.25,
        "columns": ["answer"],
        "kind": "scalar",
        "reason": "",
        "unit": "$",
        "units": [],
        "said": "sum of price where price is more than 5 and new is true",
        "program": [
            {"operation": "greater", "column": "price", "argument": 5, "rows": 2, "in_words": "price is more than $5"},
            {"operation": "text match", "column": "new", "argument": "true", "rows": 2, "in_words": "new is yes"},
            {
                "operation": "and",
                "column": None,
                "argument": None,
                "rows": 1,
                "in_words": "the rows of both step 1 and step 2",
            },
            {"operation": "sum", "column": "price", "argument": None, "rows": 1, "in_words": "the total of price"},
        ],
        "sql": f"""SELECT
  COALESCE(SUM(TRY_CAST(REPLACE("price", '$', '') AS DOUBLE)), 0) AS answer
FROM "{path}"
WHERE
  TRY_CAST(REPLACE("price", '$', '') AS DOUBLE) > 5 AND "new" = TRUE""",
        "cells": [{"row": 2, "column": "price"}],
        "partial": False,
        "notes": [],
        "chart": None,
        "cells_in_all": 1,
        "truncated": False,
        "confidence": 0.9,
    }
    assert str(found) == "$40.25"


@pytest.mark.parametrize(
    ("steps", "value", "text", "cells"),
    [
        ((DEAR, Step("assign", "item")), ["book", "lamp"], "[book, lamp]", [(1, "item"), (2, "item")]),
        ((DEAR, Step("assign", "price")), [12, 40.25], "[$12, $40.25]", [(1, "price"), (2, "price")]),
        ((DEAR, Step("assign", "sold")), [30, None], "[30, -]", [(1, "sold"), (2, "sold")]),
        ((Step("greatest", "day"), Step("assign", "day")), ["2024-02-29"], "[2024-02-29]", [(1, "day")]),
        ((DEAR, Step("assign", "new")), [False, True], "[no, yes]", [(1, "new"), (2, "new")]),
        ((DEAR, Step("count")), 2, "2", [(1, None), (2, None)]),
        ((Step("maximum", "sold"),), 1200, "1200", [(0, "sold"), (1, "sold")]),
        ((Step("average", "price"),), pytest.approx(17.91666), "$17.92", [(0, "price"), (1, "price"), (2, "price")]),
        ((Step("sum", "price"), DEAR, Step("sum", "price"), Step("difference")), 1.5, "$1.50",
         [(0, "price"), (1, "price"), (2, "price"), (1, "price"), (2, "price")]),
        ((Step("sum", "price"), DEAR, Step("count"), Step("difference")), pytest.approx(51.75), "51.75",
         [(0, "price"), (1, "price"), (2, "price"), (1, None), (2, None)]),
        ((Step("lesser", "price", 0.0), Step("assign", "item")), [], "[]", []),
        ((Step("lesser", "price", 0.0), Step("sum", "price")), 0, "$0", []),
        ((DEAR, Step("whether")), True, "yes", [(1, None), (2, None)]),
        ((Step("lesser", "price", 0.0), Step("whether")), False, "no", []),
        ((DEAR, Step("more or less")), "more", "more", [(1, None), (2, None)]),
        ((Step("lesser", "price", 0.0), Step("before or after")), "after", "after", []),
        ((Step("count"), Step("years")), 3, "3 years", [(0, None), (1, None), (2, None)]),
        ((Step("text match", "item", ("pen",)), Step("count"), Step("years")), 1, "1 year", [(0, None)]),
        ((Step("distinct", "price"),), 3, "3", [(0, "price"), (1, "price"), (2, "price")]),
        ((Step("text match", "item", ("pen",)), Step("next"), Step("assign", "price")), [12], "[$12]", [(1, "price")]),
        ((Step("text match", "item", ("pen",)), Step("same", "new"), Step("assign", "item")), ["lamp"], "[lamp]",
         [(2, "item")]),
        ((Step("whether"), DEAR, Step("count"), Step("difference")), -2, "-2", [(1, None), (2, None)]),
    ],
)  # fmt: skip
def test_answers_of_all_kinds(path, engine, steps, value, text, cells):
    found = answer(path, *steps)
    assert found.value == value
    assert (str(found), list(found.cells), found.total) == (text, cells, len(cells))
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["kind"] == found.kind


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ((Step("decline"),), DECLINED),
        ((), DECLINED),
        ((DEAR,), "the last step, greater price 5.0, selects rows and gives no answer"),
        ((Step("sum", "item"),), "step 1, sum item, needs a column of numbers, and column item holds text"),
        ((Step("lesser", "price", 0.0), Step("average", "price")), "there is nothing to take the average price of"),
    ],
)
def test_no_answer_has_a_reason(path, engine, steps, reason):
    found = answer(path, *steps)
    assert (found.kind, found.value, found.reason, found.unit) == ("none", None, reason, "")
    assert str(found) == f"no answer: {reason}"


def test_what_the_model_says_about_declining_is_told(path):
    class Model:
        def decide(self, question, index, rows=None):
            return asking.Decision(asking.Program((Step("decline"),)), 0.8, "no column is about colours")

    assert ask(Model(), path, "what colour").reason == "no column is about colours"


def test_infinite_answers_are_none():
    found = answer({"a": [1.0, math.inf]}, Step("sum", "a"))
    assert (found.kind, found.reason) == ("none", "the sum a is infinite: a cell of the column is")
    assert json.dumps(answer({"a": [1.0, math.inf]}, Step("assign", "a")).value, allow_nan=False) == '[1, "Infinity"]'


def test_random_programs_give_what_the_interpreter_gives(monkeypatch):
    """On all of what an answer says, in memory and queried."""
    generator = np.random.default_rng(3)
    for _ in range(25):
        with source_of(random_table(generator)) as source:
            table = source.table()
            for _ in range(4):
                program = random_program(generator, table)
                expected = run(program, table).answer
                answers = []
                for cells in (asking.IN_MEMORY, -1):
                    with monkeypatch.context() as patch:
                        patch.setattr(asking, "IN_MEMORY", cells)
                        answers.append(ask(Fake({"q": program.steps}, own=program.own), source, "q", desk=Desk()))
                one, other = (answer.to_dict() for answer in answers)
                assert one.pop("answer") == pytest.approx(other.pop("answer"))
                assert one == other
                assert (one["kind"], one["reason"]) == (expected.kind, expected.reason)


@pytest.mark.parametrize(("seconds", "rows"), [(0.0, [None, 1]), (60.0, [2, 1])])
def test_how_long_rows_are_counted_is_one_setting(path, monkeypatch, seconds, rows):
    monkeypatch.setattr(asking, "IN_MEMORY", -1)
    monkeypatch.setattr(duck, "COUNTING", seconds)
    found = answer(path, DEAR, Step("lesser", "price", 20.0), Step("and"), Step("count"))
    assert [step.rows for step in found.steps][::3] == rows


def test_the_order_of_rows_and_columns_does_not_matter():
    frame = pandas.DataFrame({"a": [3.0, 1.0, 2.0], "b": ["x", "y", "x"], "c": [1.0, None, 5.0]})
    steps = (Step("text match", "b", ("x",)), Step("average", "a"))
    for other in (frame, frame[::-1], frame[["c", "b", "a"]], frame.sort_values("a")):
        assert answer(other, *steps).value == 2.5


@pytest.mark.parametrize("name", sorted({one["table"] for one in DEVELOPMENT}))
def test_the_shipped_model_answers_the_same_whatever_the_order(name, tmp_path):
    """Of the table's columns and rows."""
    model, generator, desk = load_shipped(), np.random.default_rng(0), Desk()
    frame = pandas.read_csv(QUESTIONS / name, dtype=str, keep_default_na=False)
    shuffled = frame.iloc[generator.permutation(len(frame)), generator.permutation(frame.shape[1])]
    shuffled.to_csv(tmp_path / name, index=False)
    for question in [one["question"] for one in DEVELOPMENT if one["table"] == name]:
        one, other = (ask(model, folder / name, question, desk=desk) for folder in (QUESTIONS, tmp_path))
        assert one.confidence == pytest.approx(other.confidence, abs=1e-3), question
        assert is_right(one.value, other.value), question


@pytest.mark.parametrize("dialect", ["bigquery", "snowflake", "spark", "postgres"])
def test_sql_of_another_dialect(path, dialect):
    found = answer(path, Step("greater", "sold", 5.0), Step("count"), dialect=dialect)
    assert found.sql.startswith("SELECT\n  COUNT(*) AS answer\nFROM ")
    assert ("`shop items`" in found.sql) == (dialect in ("bigquery", "spark"))


def test_the_sql_names_the_table_of_a_database(tmp_path):
    path = tmp_path / "shop.db"
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE orders AS SELECT 1 AS a")
    assert 'FROM "orders"' in answer(path, Step("count")).sql


def test_a_changed_polars_frame_is_read_again():
    frame, desk = polars.DataFrame({"a": [1.0, 2.0]}), Desk()
    model = Fake({"q": (Step("sum", "a"),)})
    assert ask(model, frame, "q", desk=desk).value == 3
    frame[0, "a"] = 100.0
    assert ask(model, frame, "q", desk=desk).value == 102


@pytest.mark.parametrize("make", [pandas.DataFrame, polars.DataFrame, pyarrow.table, dict])
def test_frames(make):
    frame = make({"a": [1, 2, None], "day": [datetime.date(2024, 1, 1), None, datetime.date(2025, 1, 1)]})
    assert answer(frame, Step("sum", "a")).value == 3
    assert answer(frame, Step("least", "day"), Step("assign", "day")).value == ["2024-01-01"]


def test_open_tables_are_kept_until_they_change(path):
    desk, model = Desk(), Fake({"q": (Step("count"),)})
    opened = desk.open(path)
    assert desk.open(str(path)) is opened
    assert ask(model, path, "q", desk=desk).value == 3
    path.write_text(CSV + "mug,$3,7,2022-01-01,no\n")
    os.utime(path, ns=(1, 1))
    assert ask(model, path, "q", desk=desk).value == 4
    assert desk.open(path) is not opened


def test_frames_are_kept_until_they_change():
    desk, model = Desk(), Fake({"q": (Step("sum", "a"),)})
    frame = pandas.DataFrame({"a": [1, 2]})
    opened = desk.open(frame)
    assert desk.open(frame) is opened
    frame.loc[0, "a"] = 10
    assert ask(model, frame, "q", desk=desk).value == 12
    values = {"a": [1, 2]}
    assert ask(model, values, "q", desk=desk).value == 3
    values["a"][0] = 10
    assert ask(model, values, "q", desk=desk).value == 12


def test_what_may_give_other_rows_is_read_again(tmp_path):
    desk, model = Desk(), Fake({"q": (Step("sum", "a"),)})
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t AS SELECT 1 AS a")
    (tmp_path / "a.csv").write_text("a\n1\n")
    for table in (connection, connection.table("t"), polars.scan_csv(tmp_path / "a.csv")):
        assert ask(model, table, "q", desk=desk).value == 1
    connection.execute("UPDATE t SET a = 2")
    (tmp_path / "a.csv").write_text("a\n2\n")
    for table in (connection, connection.table("t"), polars.scan_csv(tmp_path / "a.csv")):
        assert ask(model, table, "q", desk=desk).value == 2


def test_only_a_few_tables_are_kept(tmp_path):
    desk = Desk(kept=2)
    for name in "abc":
        (tmp_path / name).write_text("x\n1\n")
    first = desk.open(tmp_path / "a")
    desk.open(tmp_path / "b")
    desk.open(tmp_path / "c")
    assert desk.open(tmp_path / "a") is not first
    assert first.source.page(0, 1) == [(1,)]  # it is closed when nobody uses it any more
    desk.clear()


def test_an_open_source_is_asked_and_left_open(path):
    with open_source(path) as source:
        assert answer(source, Step("count")).value == 3
        assert source.page(0, 1)


def test_for_notebooks(tmp_path):
    (tmp_path / "a.csv").write_text('"<b>price</b>"\n<script>alert(1)</script>\n')
    found = answer(tmp_path / "a.csv", Step("assign", "<b>price</b>"))
    shown = found._repr_html_()
    assert "<script>" not in shown
    assert "<b>price" not in shown
    assert "&lt;script&gt;" in shown
    assert "confidence 90%" in shown
    assert "<table>" in Answer(reason="<")._repr_html_()


def test_asking_again_is_fast(path):
    model, taken = Fake({"q": (DEAR, Step("text match", "new", ("true",)), Step("and"), Step("sum", "price"))}), []
    for _ in range(30):
        start = time.perf_counter()
        ask(model, path, "q")
        taken.append(time.perf_counter() - start)
    assert statistics.median(taken) < 0.02


def test_a_slow_question_does_not_hold_up_others_and_ends(tmp_path):
    slow = threading.Event()

    class Slow(Fake):
        """Decides once another question was answered, and after a query that would not end."""

        def decide(self, question, index, rows=None):
            assert slow.wait(10)
            return super().decide(question, index)

    (tmp_path / "a.csv").write_text("a\n1\n2\n")
    opened = asking.Opened(open_source(tmp_path / "a.csv"))
    programs = {"how many": (Step("count"),)}
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(asking.ask, Slow(programs), opened, "how many")
        assert asking.ask(Fake(programs), opened, "how many").value == 2
        slow.set()
        assert waiting.result().value == 2
    with pytest.raises(NeuralProgrammerError, match=r"longer than 0\.1 seconds; ask something simpler"):
        for_long(opened, 0.1)
    assert asking.ask(Fake(programs), opened, "how many").value == 2


def test_time_that_was_up_while_a_program_was_chosen_or_run_is_up(path, monkeypatch):
    class Slow(Fake):
        def decide(self, question, index, rows=None):
            time.sleep(0.03)
            return super().decide(question, index)

    def slow(program, table):
        time.sleep(0.03)
        return run(program, table)

    opened, programs = asking.Opened(open_source(path)), {"how many": (Step("count"),)}
    assert ask(Fake(programs), opened, "how many").value == 3
    with pytest.raises(NeuralProgrammerError, match=r"longer than 0\.02 seconds; ask something simpler"):
        ask(Slow(programs), opened, "how many", seconds=0.02)
    monkeypatch.setattr(asking, "run", slow)
    with pytest.raises(NeuralProgrammerError, match=r"longer than 0\.02 seconds; ask something simpler"):
        ask(Fake(programs), opened, "how many", seconds=0.02)
    assert ask(Fake(programs), opened, "how many").value == 3


@pytest.mark.parametrize("name", ["ask", "wikitablequestions"])
def test_no_model_goes_on_choosing_when_time_is_up(path, name):
    model, question = load_shipped(name), "how many cost more than 5"
    with asking.Opened(open_source(path)).aside(model=model) as opened:
        index = asking.indexed(model, opened, question)
        linked, asked = model.read(question, index, opened.rows)
        stages = {
            "linking": lambda: model.read(question, index, opened.rows),
            "candidates": lambda: every(linked, [opened.rows.first()], model.config.entries, 3),
            "written": lambda: every(linked, [opened.rows.first()], model.config.entries, 3, cells="written"),
        }
        if name == "ask":
            stages["search"] = lambda: asked.best()
        with within(0, Idle()):
            for stage in stages.values():
                with pytest.raises(duckdb.InterruptException):
                    stage()


class Idle:
    """A connection that has nothing to interrupt."""

    def interrupt(self) -> None:
        pass


def for_long(opened, seconds: float) -> None:
    """Two queries without an end, of which the first is let go where it is, as rows are counted while there is time."""
    endless = "SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b"
    with opened.aside(seconds) as own:
        with contextlib.suppress(duckdb.InterruptException):
            own.source.fetched(endless)
        own.source.fetched(endless)


def test_what_is_prepared_takes_no_longer_than_is_allowed_and_holds_up_no_other_table(tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_text("a\nx\n")
    slow, quick = (asking.Opened(open_source(tmp_path / "a.csv", name)) for name in ("slow.csv", "quick.csv"))
    began, known = threading.Event(), indexing.known

    def endless(source):
        if source is slow.source:
            began.set()
            source.fetched("SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b")
        return known(source)

    monkeypatch.setattr(indexing, "known", endless)

    def prepare():
        with (
            pytest.raises(NeuralProgrammerError, match="the question took longer than 1 seconds"),
            slow.aside(1.0),
        ):
            raise AssertionError("it was prepared")

    first = threading.Thread(target=prepare)
    first.start()
    assert began.wait(10)
    with quick.aside(10) as own:
        assert own.known.index.columns[0].texts == ("x",)
    waits = pytest.raises(NeuralProgrammerError, match=r"slow\.csv is still being prepared for questions; try again")
    with waits, slow.aside(0.05):
        raise AssertionError("it was prepared")
    first.join()
    monkeypatch.undo()
    with slow.aside(10) as own:
        assert own.known.index.columns[0].texts == ("x",)


def test_notes_of_the_program_the_columns_and_the_decision_are_those_of_the_answer(tmp_path):
    (tmp_path / "a.csv").write_text("day,units\n2024-07-01,3\n2023-07-01,4\n")
    july = replace(time_of("July 2024"), note="July is July 2024.")
    program = Program((Step("equal", "day", july), Step("sum", "units")))
    asked = Fake({"q": program.steps}).decide("q", None)
    model = SimpleNamespace(decide=lambda *_: replace(asked, notes=("Not all was looked through.",), partial=True))
    found = ask(model, tmp_path / "a.csv", "q")
    assert found.value == 3
    assert found.notes == (asking.PARTIAL, "Not all was looked through.", "July is July 2024.")
    assert ask(Fake({"q": program.steps[1:]}), tmp_path / "a.csv", "q").notes == ()


def test_a_small_table_with_a_long_text_takes_no_room_for_each_row(monkeypatch):
    """In memory all texts of a column have the room of the longest: a million letters in 300 rows are 1.2 GB."""
    long = "x" * 1_000_000
    table = {"city": [*(f"city {row}" for row in range(299)), long], "rent": [float(row) for row in range(300)]}
    with open_source(table) as source:
        opened = Opened(source)
        assert opened.table is None
        assert max(map(len, opened.some().columns[0])) == asking.MOST_TEXT_BYTES // (4 * TRIED_ON * 2)
        found = ask(Fake({"q": (Step("greatest", "rent"), Step("assign", "city"))}), opened, "q")
    assert found.value == [long]


def test_what_programs_are_tried_on_is_prepared_once(monkeypatch, tmp_path):
    """Of a table above the limit of the interpreter the first rows are read once for all questions, not for each."""
    monkeypatch.setattr(asking, "IN_MEMORY", 1)
    read, made = [], []
    rows, tables = Source.table, masks.Tables.__init__
    monkeypatch.setattr(Source, "table", lambda self, *given: (read.append(given), rows(self, *given))[1])
    monkeypatch.setattr(masks.Tables, "__init__", lambda self, *given: (made.append(self), tables(self, *given))[1])
    (tmp_path / "sales.csv").write_text("region,revenue\nEurope,5\nAsia,7\nAfrica,40\n")
    desk, model = Desk(), load_shipped("wikitablequestions")
    for question in ("total revenue", "which region has the most revenue?", "total revenue"):
        assert ask(model, tmp_path / "sales.csv", question, desk=desk).answered
    assert len([given for given in read if given]) == 1
    assert len(made) == 1


def test_memory_that_does_not_suffice_for_a_question_is_told_in_a_sentence(monkeypatch):
    """From Python as from the command line."""

    def decide(*given):
        raise MemoryError

    monkeypatch.setattr(asking, "decided", decide)
    monkeypatch.setattr(thinking, "thought", decide)
    for entry in (ask, thinking.think):
        with pytest.raises(NeuralProgrammerError, match=r"^the question takes more memory than there is; ask a small"):
            entry(Fake({}), {"a": [1]}, "q")


def test_models_that_see_a_table_in_two_ways_ask_it_side_by_side():
    """Its views are prepared on the same connection, by one after the other."""
    models = [load_shipped(), load_shipped("wikitablequestions")]
    table = {"range": ["Himalaya", "Andes", "Himalaya"], "height": [8849.0, 6961.0, 8611.0]}
    for _ in range(6):
        opened, found, faults = Opened(open_source(table)), [], []
        barrier = threading.Barrier(len(models))

        def one(model, opened=opened, found=found, faults=faults, barrier=barrier):
            barrier.wait(30)
            try:
                with opened.aside(None, model) as seen:
                    found.append(asking.answered(seen, "q", asking.decided(model, seen, "what is the highest height?")))
            except Exception as error:
                faults.append(error)

        threads = [threading.Thread(target=one, args=[model]) for model in models]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert faults == []
        assert len(found) == 2
        opened.source.close()
