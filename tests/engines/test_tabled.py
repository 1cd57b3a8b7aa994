"""Answers that are tables, and the numbers and truths beside them: DuckDB and SQLite give what the interpreter gives,
and all of them say in a sentence what makes no sense."""

from collections import Counter

import numpy as np
import pytest

import tabled_programs as tabled
from neural_programmer.engines import sql
from neural_programmer.programs.program import run
from neural_programmer.programs.table_operations import TABLE_OPERATIONS

PROGRAMS, OF_A_TABLE = 300, 5


@pytest.fixture(scope="module", params=["duckdb", "sqlite"])
def engine(request):
    made = tabled.Engine(request.param)
    yield made
    made.close()


def test_random_programs_give_what_the_interpreter_gives(engine):
    """Each of the operations in some of them, but for those that a database lacks."""
    generator, met = np.random.default_rng(0), Counter()
    lacking = tabled.LACKING.get(engine.dialect, ())
    maker = tabled.Maker(generator, lacking)
    for _ in range(PROGRAMS // OF_A_TABLE):
        table = tabled.table(generator)
        engine.fill(table)
        for _ in range(OF_A_TABLE):
            program = maker.program()
            assert not tabled.difference(program, table, engine.rows(program)), program
            met.update({step.operation for step in program.steps})
    assert set(met) >= set(TABLE_OPERATIONS) - set(lacking) - {"number"}  # which few of them have


def test_steps_in_any_order_give_the_same_or_a_sentence(engine):
    generator, answered = np.random.default_rng(1), 0
    table = tabled.table(generator)
    engine.fill(table)
    for _ in range(PROGRAMS):
        program = tabled.wild(generator)
        reason = run(program, table).answer.reason
        if tabled.is_refused(program, table):
            assert reason, program
            continue
        if not tabled.has_query(program, engine.dialect):
            assert reason or sql.refusal(program, engine.dialect, tabled.KINDS_OF), program
            continue
        answered += 1
        assert not tabled.difference(program, table, engine.rows(program)), program
    assert answered > PROGRAMS / 30
