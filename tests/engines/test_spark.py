"""Spark gives what the interpreter gives, from the files that it reads itself and from copies of the others."""

import gzip
import math
import shutil
import sys
import time
from types import SimpleNamespace

import duckdb
import numpy as np
import pytest

import tabled_programs as tabled
from neural_programmer.answering import asking
from neural_programmer.answering.asking import Opened, interpreted
from neural_programmer.engines import spark, sql
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.operations import ORDER
from neural_programmer.programs.program import Program, Step
from neural_programmer.tables import books
from neural_programmer.tables.source import open_source
from queries import BOOLEAN, Fake, random_program, random_table, source_of
from spark_engine import Spark

pytestmark = pytest.mark.filterwarnings("ignore")
PROGRAMS = 60  # in one query


@pytest.fixture(scope="module")
def session():
    pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    found = spark.connect("local[2]")
    found.conf.set("spark.sql.shuffle.partitions", "1")
    yield found
    found.stop()


def as_column(program: Program, view: str) -> str:
    """A query that gives one value: a scalar, or the cells of a look-up as texts."""
    query = sql.query(program, view, {BOOLEAN})
    if program.steps[-1].operation != "assign":
        return f"({query.sql('spark')})"
    query.selects[0].replace(query.selects[0].as_("cell"))
    return f"(SELECT sort_array(collect_list(coalesce(CAST(cell AS STRING), ''))) FROM ({query.sql('spark')}))"


@pytest.mark.parametrize("seed", [0, 1])
def test_random_programs_give_what_the_interpreter_gives(session, seed):
    generator = np.random.default_rng(seed)
    with source_of(random_table(generator, most=200)) as source:
        opened = Opened(source)
        assert opened.table is not None
        programs = [random_program(generator, opened.table, ORDER) for _ in range(PROGRAMS)]
        view = spark.register(session, source)
        columns = ", ".join(f"{as_column(program, view)} AS a{place}" for place, program in enumerate(programs))
        [found] = session.sql(f"SELECT {columns}").collect()
        for program, value in zip(programs, found, strict=True):
            expected, _ = interpreted(program, opened)
            if expected.kind == "lookup":
                words = {None: "", True: "true", False: "false"}
                texts = [words[cell] if isinstance(cell, bool | None) else cell for cell in expected.values]
                if program.steps[-1].column in opened.table.names[:2]:
                    assert sorted(float(text or "nan") for text in value if text) == sorted(t for t in texts if t != "")
                    assert len(value) == len(texts)
                else:
                    assert value == sorted(map(str, texts)), program
            elif expected.kind == "truth":
                assert (value, type(value)) == (expected.value, type(expected.value)), program
            else:
                assert value == (None if expected.scalar is None else pytest.approx(expected.scalar)), program


@pytest.mark.slow
def test_random_programs_that_answer_with_tables_give_what_the_interpreter_gives(session):
    generator, engine = np.random.default_rng(0), Spark(session)
    maker = tabled.Maker(generator)
    for _ in range(8):
        table = tabled.table(generator)
        engine.fill(table)
        for _ in range(5):
            program = maker.program()
            assert not tabled.difference(program, table, engine.rows(program)), program


CSV = (
    "name,count,price,day,moment,open,note\n"
    '"Ann ""A""\nB",1,2.5,2024-03-05,2024-03-05 12:30:00,yes,x\n'
    ",,,,,,n/a\n"
    "Zoë, -3 ,1e20,1999-12-31,2000-01-01 00:00:00,no,' or 1=1\n"
)
STEPS = {
    "sum": (Step("sum", "count"),),
    "yes": (Step("text match", "open", ("true",)), Step("assign", "name")),
    "day": (Step("greatest", "day"), Step("assign", "moment")),
    "note": (Step("text other", "note", ("x",)), Step("count")),
    "whether": (Step("greater", "count", 5.0), Step("whether")),
    "distinct": (Step("distinct", "open"),),
    "same": (Step("text match", "open", ("true",)), Step("not"), Step("most common", "open"), Step("assign", "count")),
    "not same": (Step("text match", "open", ("true",)), Step("same", "price"), Step("not"), Step("count")),
    "more": (
        Step("text match", "open", ("true",)),
        Step("fewer", "day"),
        Step("more", "count"),
        Step("assign", "name"),
    ),
}


def write(kind: str, folder):
    """The same table in a file of another kind."""
    (folder / "a.csv").write_text(CSV)
    if kind == "gz":
        (folder / "a.csv.gz").write_bytes(gzip.compress(CSV.encode()))
        return folder / "a.csv.gz"
    if kind in ("parquet", "json"):
        with open_source(folder / "a.csv") as source:
            rows, types = source.page(0, 9), source.connection.table(source.relation).types
        with duckdb.connect() as connection:
            typed = ", ".join(f"{column.name} {kind}" for column, kind in zip(source.columns, types, strict=True))
            connection.execute(f"CREATE TABLE t ({typed})")
            connection.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(types))})", rows)
            connection.execute(f"COPY t TO '{folder}/a.{kind}' (FORMAT {kind})")
    elif kind == "money":
        (folder / "a.money").write_text(CSV.replace("2.5", "$2.50").replace("1e20", "$5k"))
    return folder / f"a.{kind}"


@pytest.mark.parametrize("kind", ["csv", "gz", "parquet", "json", "money"])
def test_files_are_read_as_they_are_read_here(session, kind, tmp_path):
    path = write(kind, tmp_path)
    with open_source(path) as source:
        for name, steps in STEPS.items():
            model = Fake({name: steps})
            here, there = (asking.ask(model, source, name, engine=engine) for engine in ("duckdb", "spark"))
            assert (there.kind, there.value) == (here.kind, here.value), name
            assert [step.rows for step in there.steps] == [step.rows for step in here.steps]
            assert there.cells == ()


@pytest.mark.parametrize("limit", [10**6, -1], ids=["copied", "queried"])
def test_missing_texts_of_a_file_with_types(session, limit, tmp_path, monkeypatch):
    """NA is a text there, the empty text and NULL are missing: for the interpreter, DuckDB and Spark."""
    monkeypatch.setattr(books, "PARQUET_LIMIT", limit)
    monkeypatch.setattr(asking, "IN_MEMORY", limit)
    rows = "(VALUES ('NA', 1.0), ('', 2.0), (NULL, 'nan'::DOUBLE), (' x ', NULL), ('none', 16.0)) AS t(a, b)"
    duckdb.sql(f"COPY (SELECT * FROM {rows}) TO '{tmp_path}/a.parquet'")
    other = Step("text other", "a", ("NA",))
    programs = {"a": (Step("assign", "a"),), "b": (other, Step("sum", "b")), "c": (other, Step("not"), Step("count"))}
    with open_source(tmp_path / "a.parquet") as source:
        for engine in ("duckdb", "spark"):
            found = [asking.ask(Fake(programs), source, name, engine=engine).value for name in programs]
            assert found == [["NA", None, None, " x ", "none"], 16, 3], engine


@pytest.mark.parametrize("name", ORDER)
def test_spark_has_no_order_of_rows(name):
    """Which is said before it is started."""
    with open_source({"a": [1.0]}) as source, pytest.raises(NeuralProgrammerError) as said:
        asking.ask(Fake({"q": (Step(name), Step("count"))}), source, "q", engine="spark", master="klingon")
    assert str(said.value) == (
        f"the operation '{name}' needs the order of the rows, which Spark does not keep; ask with --engine duckdb"
    )


def test_another_session_has_another_view(session, tmp_path):
    (tmp_path / "a.csv").write_text(CSV)
    with open_source(tmp_path / "a.csv") as source:
        name = spark.register(session, source)
        assert spark.register(session, source) == name
        other = SimpleNamespace(sparkContext=SimpleNamespace(applicationId="other"), read=session.read)
        spark.register(other, source)
        assert spark._views[source][0] == "other"


def test_spark_has_so_much_time_and_no_more(session, monkeypatch):
    """A query that takes a minute is stopped, and what the program around asks of Spark after it is its own."""
    with open_source({"a": [1.0, 2.0]}) as source:
        count = Fake({"q": (Step("count"),)})
        with monkeypatch.context() as slower:
            endless = session.sql("SELECT sum(a.id * b.id % 7) FROM range(3000000) a CROSS JOIN range(3000000) b")
            slower.setattr(spark, "_collected", lambda *asked: spark._tried(endless.collect, source))
            start = time.monotonic()
            with pytest.raises(NeuralProgrammerError, match="the question took longer than 2 seconds; ask something"):
                asking.ask(count, source, "q", engine="spark", seconds=2)
            assert time.monotonic() - start < 60
        assert session.sparkContext.getLocalProperty("spark.jobGroup.id") is None
        assert asking.ask(count, source, "q", engine="spark").value == 2


def test_nothing_and_infinity(session):
    with open_source({"a": np.array([math.nan, math.nan]), "b": [math.inf, 1.0]}) as source:
        ask = asking.ask(Fake({"q": (Step("average", "a"),)}), source, "q", engine="spark")
        assert (ask.kind, ask.reason) == ("none", "there is nothing to take the average a of")
        assert asking.ask(Fake({"q": (Step("sum", "b"),)}), source, "q", engine="spark").kind == "none"


def test_what_spark_cannot_do_is_said_in_a_sentence(session, tmp_path):
    (tmp_path / "a.csv").write_text(CSV)
    with open_source(tmp_path / "a.csv") as source:
        spark.register(session, source)
        (tmp_path / "a.csv").unlink()
        with pytest.raises(NeuralProgrammerError, match="Spark cannot query") as said:
            spark.answer(Program(STEPS["sum"]), source)
        assert "\n" not in str(said.value)


@pytest.mark.parametrize(
    ("master", "said"), [("klingon", "a master of Spark is local"), ("local[2]", "needs Java 17, and there is none")]
)
def test_where_spark_cannot_start(master, said, monkeypatch):
    pytest.importorskip("pyspark")
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    with pytest.raises(NeuralProgrammerError, match=said):
        spark.connect(master)


def test_spark_need_not_be_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(NeuralProgrammerError, match=r"pip install 'neural-programmer\[spark\]'"):
        spark.connect()
