"""A process that was forked has no tables of the one before: it neither asks, closes nor removes them."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")

FORKED = """
import os, sys, threading
from pathlib import Path
from neural_programmer.answering.asking import DESK, TABLES_KEPT_OPEN
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.base.limits import within
from neural_programmer.page.sessions import Sessions
from neural_programmer.page.config import PageConfig

def content(table):
    return DESK.open(table).source.page(0, 1)

folder = Path(sys.argv[1])
tables = [folder / f"{number}.csv" for number in range(TABLES_KEPT_OPEN + 2)]
for number, table in enumerate(tables):
    table.write_text(f"a,b\\n{number},x\\n")
for table in tables[:TABLES_KEPT_OPEN]:
    content(table)
held = DESK.open(tables[0]).source
folders = [opened.source.folder for _, opened in DESK._opened.values()]
sessions = Sessions(PageConfig())
folders.append(sessions.folder)
DESK._lock.acquire()  # as another thread may hold it, which is not there in the child
with within(1000, held.connection):
    child = os.fork()
    if not child:
        assert content(tables[TABLES_KEPT_OPEN]) == [(float(TABLES_KEPT_OPEN), "x")]
        assert content(tables[0]) == [(0.0, "x")]
        try:
            held.page(0, 1)
            sys.exit("asked a table of another process")
        except NeuralProgrammerError as error:
            assert "the table was opened before this process was forked; open it again here" in str(error)
        with within(1000, DESK.open(tables[1]).source.connection):
            pass
        held.close()
        del held
        {end}
DESK._lock.release()
_, status = os.waitpid(child, 0)
assert os.waitstatus_to_exitcode(status) == 7, os.waitstatus_to_exitcode(status)
assert all(map(Path.exists, folders))
assert held.page(0, 1) == [(0.0, "x")]
assert content(tables[TABLES_KEPT_OPEN + 1]) == [(float(TABLES_KEPT_OPEN + 1), "x")]
print("done", *map(str, folders))
"""


@pytest.mark.parametrize("end", ["sys.exit(7)", "os._exit(7)"])
def test_a_child_asks_a_ninth_table(end, tmp_path):
    """Closing the first one there waited for threads that were gone, or ended the child."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKED.replace("{end}", end), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    said, *folders = done.stdout.split()
    assert said == "done"
    assert not any(map(os.path.exists, folders))  # who made them removes them
