"""Files that cannot be read for what lies around them: their names, and who else has them open."""

import os

import duckdb
import pytest

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tables.source import open_source


@pytest.mark.skipif(os.name != "posix", reason="names of files are bytes on POSIX alone")
def test_a_name_that_is_not_utf_8(tmp_path):
    path = os.fsencode(tmp_path) + b"/caf\xe9.csv"
    try:
        with open(path, "w") as file:
            file.write("a\n1\n")
    except OSError:
        pytest.skip("this disk has no such names")
    with pytest.raises(NeuralProgrammerError, match=r"the path of .* is not UTF-8; rename it$"):
        open_source(os.fsdecode(path))


def test_a_database_that_this_program_has_open(tmp_path):
    with duckdb.connect(tmp_path / "a.duckdb") as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS a")
        with pytest.raises(NeuralProgrammerError, match="this program has it open for writing; give the connection"):
            open_source(tmp_path / "a.duckdb")
        with open_source(connection) as source:
            assert source.page(0, 1) == [(1,)]
