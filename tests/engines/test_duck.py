"""What DuckDB answers, counts and names is what the interpreter does."""

import datetime
import math
import time

import duckdb
import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from neural_programmer.answering import asking
from neural_programmer.answering.asking import Opened, interpreted
from neural_programmer.base.limits import within
from neural_programmer.engines import duck
from neural_programmer.programs.operations import ROW_OPERATIONS
from neural_programmer.programs.program import Program, Step
from neural_programmer.tables import books
from neural_programmer.tables.period import Period
from neural_programmer.tables.source import open_source
from own_operations import MINE
from queries import Fake, random_program, random_search, random_table, source_of


def test_random_programs_give_what_the_interpreter_gives():
    """The answer, the rows of every step, and the cells: in the same order, whatever is missing."""
    generator = np.random.default_rng(1)
    met, kinds = set(), set()
    for _ in range(60):
        with source_of(random_table(generator)) as source:
            opened = Opened(source)
            assert opened.table is not None
            for _ in range(8):
                program = random_program(generator, opened.table)
                found, rows = duck.answer(program, source, counting=None)
                expected, expected_rows = interpreted(program, opened)
                assert rows == expected_rows, program
                assert (found.kind, found.reason) == (expected.kind, expected.reason), program
                assert found.scalar == (None if expected.scalar is None else pytest.approx(expected.scalar)), program
                assert (found.values, found.cells, found.total) == (expected.values, expected.cells, expected.total)
                met |= {step.operation for step in program.steps}
                kinds.add(found.kind)
    assert met == {*ROW_OPERATIONS, *(entry.name for entry in MINE)} - {"decline"}
    assert kinds == {"scalar", "lookup", "truth", "none"}


def test_rows_that_are_found_by_others_are_those_of_the_interpreter():
    generator = np.random.default_rng(4)
    for _ in range(25):
        with source_of(random_table(generator, most=24)) as source:
            opened = Opened(source)
            for _ in range(6):
                program = random_search(generator, source.table())
                found, rows = duck.answer(program, source, counting=None)
                expected, expected_rows = interpreted(program, opened)
                assert rows == expected_rows, program
                assert (found.kind, found.scalar, found.reason) == (expected.kind, expected.scalar, expected.reason)
                assert (found.values, found.cells, found.total) == (expected.values, expected.cells, expected.total)


@pytest.mark.parametrize("writer", ["arrow", "duckdb"])
def test_files_that_are_not_copied_give_the_same(writer, tmp_path, monkeypatch):
    """Where NaN and empty texts stand in the file itself, of which its writer may not tell."""
    monkeypatch.setattr(books, "PARQUET_LIMIT", 0)
    generator = np.random.default_rng(2)
    for number in range(25):
        table = random_table(generator, most=30)
        if not table.rows:
            continue
        truths = pyarrow.array([{"true": True, "false": False}.get(cell) for cell in table.columns[4].tolist()])
        columns = [pyarrow.array(column.tolist()) for column in table.columns[:3]]
        days = pyarrow.array(table.columns[3].tolist(), pyarrow.date32())
        named = dict(zip(table.names, [*columns, days, truths.cast(pyarrow.bool_())], strict=True))
        pyarrow.parquet.write_table(pyarrow.table(named), tmp_path / f"{number}.parquet")
        if writer == "duckdb":
            duckdb.read_parquet(str(tmp_path / f"{number}.parquet")).write_parquet(str(tmp_path / "again.parquet"))
            (tmp_path / "again.parquet").replace(tmp_path / f"{number}.parquet")
        with open_source(tmp_path / f"{number}.parquet") as source, source_of(table) as plain:
            if [column.kind for column in source.columns] != [column.kind for column in plain.columns]:
                continue  # its few texts are all the same number
            opened = Opened(plain)
            for _ in range(12):
                program = random_program(generator, table)
                found, rows = duck.answer(program, source, counting=None)
                expected, expected_rows = interpreted(program, opened)
                assert rows == expected_rows, program
                assert (found.kind, found.reason, found.total) == (expected.kind, expected.reason, expected.total), (
                    program
                )
                assert found.scalar == (None if expected.scalar is None else pytest.approx(expected.scalar)), program
                assert (found.values, found.cells, found.total) == (expected.values, expected.cells, expected.total)


def test_whole_numbers_beyond_float64_stay_exact():
    with open_source({"id": [2**60 + 1, 2**60, None], "name": ["a", "b", "c"]}) as source:
        assert Opened(source).table is None
        for steps, answer in (
            ((Step("greatest", "id"), Step("assign", "name")), ["a"]),
            ((Step("least", "id"), Step("assign", "id")), [2**60]),
            ((Step("sum", "id"),), 2**61 + 1),
        ):
            found, _ = duck.answer(Program(steps), source)
            assert (found.scalar if isinstance(answer, int) else list(found.values)) == answer


def test_infinities():
    with open_source({"a": [1.0, math.inf, -math.inf, math.nan]}) as source:
        for name, kind in (("maximum", "scalar"), ("sum", "none")):
            assert duck.answer(Program((Step(name, "a"),)), source)[0].kind == kind


def test_of_many_cells_the_first_are_given(monkeypatch):
    monkeypatch.setattr(duck, "NAMED_CELLS", 3)
    monkeypatch.setattr(duck, "LOOKED_UP", 5)
    with open_source({"a": list(range(10)), "b": [None, *range(9)]}) as source:
        found, rows = duck.answer(Program((Step("assign", "a"),)), source)
        assert (found.values, found.cells, found.total) == ((0, 1, 2, 3, 4), ((0, "a"), (1, "a"), (2, "a")), 10)
        assert rows == [10]
        found, rows = duck.answer(Program((Step("sum", "b"),)), source)
        assert (found.scalar, found.cells, found.total) == (36, ((1, "b"), (2, "b"), (3, "b")), 9)
        assert rows == [10]


def test_rows_are_not_counted_for_ever(monkeypatch):
    with open_source({"a": list(range(10))}) as source:
        program = Program((Step("greater", "a", 5.0), Step("lesser", "a", 8.0), Step("and"), Step("count")))
        assert duck.answer(program, source)[1] == [4, 8, 2, 2]
        found, rows = duck.answer(program, source, counting=0.0)
        assert (found.scalar, rows) == (2, [None, None, 2, 2])
        monkeypatch.setattr(duck, "PASS", 0)  # any pass takes too long to try
        assert duck.answer(program, source, counting=60.0)[1] == [None, None, 2, 2]


def test_a_query_that_takes_long_is_stopped():
    with duckdb.connect() as connection:
        start = time.monotonic()
        with pytest.raises(duckdb.InterruptException), within(0.05, connection):
            connection.execute("SELECT count(*) FROM range(10000000000) a, range(1000) b").fetchall()
        assert time.monotonic() - start < 5
        assert connection.execute("SELECT 1").fetchall() == [(1,)]


def test_moments_and_days():
    year = Period(np.datetime64("2020-01-01"), np.datetime64("2020-12-31T23:59:59.999999"), "2020")
    table = {"at": ["2020-12-31 23:59:59", "2021-01-01 00:00:00", ""], "day": ["2020-01-01", "2021-01-01", ""]}
    with open_source(table) as source:
        for name in table:
            for operation, place in (("equal", 0), ("greater", 1)):
                model = Fake({"q": (Step(operation, name, year), Step("assign", "day"))})
                days = [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)]
                assert asking.ask(model, source, "q").values == (days[place],)
                found, _ = duck.answer(Program(model.programs["q"]), source)
                assert found.values == (days[place],)


def test_a_limit_of_others_is_not_taken_for_ours(monkeypatch):
    """Where counting has no limit of its own, time that runs out is told, and no total is nothing."""

    def interrupted(*_, **__):
        raise duckdb.InterruptException("time is up")

    with source_of(random_table(np.random.default_rng(2))) as source:
        passes = duck.Passes(source)
        monkeypatch.setattr(passes, "_run", interrupted)
        where = duck.exp.column(source.columns[0].name, quoted=True).is_(duck.exp.null())
        assert passes.counted([where], 1.0) == [None]
        with pytest.raises(duckdb.InterruptException):
            passes.counted([where], None)
