"""A PostgreSQL server gives what the interpreter gives, where there is one."""

import numpy as np
import pytest

import tabled_programs as tabled
from postgres import Postgres, is_there

TABLES, OF_A_TABLE = 6, 5


@pytest.mark.slow
@pytest.mark.skipif(not is_there(), reason="no PostgreSQL here")
def test_random_programs_give_what_the_interpreter_gives():
    generator, server = np.random.default_rng(0), Postgres()
    maker = tabled.Maker(generator)
    try:
        for _ in range(TABLES):
            table = tabled.table(generator)
            server.fill(table)
            for _ in range(OF_A_TABLE):
                program = maker.program()
                assert not tabled.difference(program, table, server.rows(program)), program
    finally:
        server.close()
