"""Files that cannot be read for what lies around them: their names, and who else has them open."""

import os
import subprocess
import sys
from pathlib import Path

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


WORDS = """
import sys
from neural_programmer.answering.asking import ask
from neural_programmer.programs.program import Step
from queries import Fake

print(ask(Fake({"q": (Step("count"),)}), sys.argv[1], "q"))
status = open("/proc/self/status").read().split()
print(int(status[status.index("VmHWM:") + 1]) // 1_000)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="the memory of a process is told on Linux alone")
@pytest.mark.parametrize("quote", ["", '"'])
def test_the_delimiter_of_a_line_of_many_words_is_found_in_little_memory(tmp_path, quote):
    """DuckDB takes 32 kB for each cell that a line may have, whatever delimits it: 1.8 GB of a file of 2 MB."""
    (tmp_path / "a.csv").write_text(f"a;b\n{quote}{'word, ' * 160_000}{quote};1\n")
    places = os.pathsep.join([*sys.path, str(Path(__file__).parent.parent)])
    command = [sys.executable, "-c", WORDS, str(tmp_path / "a.csv")]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": places}, capture_output=True, text=True)
    answer, megabytes = done.stdout.split()
    assert answer == "1"
    assert int(megabytes) < 500


def test_memory_that_does_not_suffice_to_read_a_table(monkeypatch):
    def settle(*given):
        raise MemoryError

    monkeypatch.setattr("neural_programmer.tables.source.settle", settle)
    with pytest.raises(NeuralProgrammerError, match=r"^cannot read this dict: it takes more memory than is allowed"):
        open_source({"a": [1]})


SETTING = """
from neural_programmer.tables.source import open_source

with open_source({"a": [1]}) as source:
    print(source.fetched("SELECT current_setting('enable_progress_bar')"))
"""


def test_nothing_is_drawn_into_the_output_where_python_was_started_without_a_file():
    """As the processes of a batch are, whose output are its lines: DuckDB drew how far it was with a query."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", SETTING], env=environment, capture_output=True)
    assert done.stdout.decode().strip() == "[(False,)]"
