"""How commands begin and end: mistyped ones, Ctrl-C, limits, completion, python -m."""

import contextlib
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time

import pytest

from neural_programmer.cli import main

SLOW = """
CREATE TABLE numbers (a INTEGER);
INSERT INTO numbers VALUES (1);
CREATE VIEW slow AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) AS a FROM c;
"""


def refuse(capsys, *arguments: str) -> str:
    with pytest.raises(SystemExit) as stopped:
        main([*arguments])
    shown = capsys.readouterr()
    assert (stopped.value.code, shown.out) == (2, "")
    return shown.err


COMMANDS = "the commands are ask, run, fit, train, serve, tasks, generate, evaluate, trace, reproduce, completion\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["aks", "sales.csv"], f"there is no command 'aks'; did you mean ask? {COMMANDS}"),
        (["tarin"], f"there is no command 'tarin'; did you mean train? {COMMANDS}"),
        (["dance"], f"there is no command 'dance'; {COMMANDS}"),
        (
            ["sales.csv", "how many orders"],
            "'sales.csv' is no command; did you mean: neural-programmer ask sales.csv 'how many orders'\n",
        ),
        (
            ["how many orders", "sales.csv"],
            "'how many orders' is no command; did you mean: neural-programmer ask 'how many orders' sales.csv\n",
        ),
    ],
)
def test_what_was_meant_by_a_mistyped_command(capsys, arguments, said):
    assert refuse(capsys, *arguments) == f"neural-programmer: {said}"


def test_python_runs_the_package():
    done = subprocess.run([sys.executable, "-m", "neural_programmer", "--version"], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("0.1.0\n", "")


@pytest.mark.parametrize(
    "line", ["a => ask", "ask sal => sales.csv", "ask x --eng => --engine", "serve --po => --port"]
)
def test_bash_completes_commands_options_and_files(capsys, tmp_path, line):
    main(["completion", "bash"])
    (tmp_path / "complete").write_text(capsys.readouterr().out)
    (tmp_path / "sales.csv").write_text("a\n1\n")
    typed, completed = line.split(" => ")
    script = (
        f"source ./complete; COMP_WORDS=(neural-programmer {typed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1));"
        ' _neural_programmer; echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=tmp_path)
    assert (done.stdout.strip(), done.stderr) == (completed, "")


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_have_theirs(capsys, shell):
    main(["completion", shell])
    assert "engine" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (["--seconds", "0"], "seconds must be 0.01 to 100,000, not 0"),
        (["--memory", "1"], "memory must be 50 to 1,000,000, not 1"),
        (["--memory", "1.5"], "--memory takes a whole number, not 1.5"),
    ],
)
def test_odd_limits_are_refused(capsys, tmp_path, option, said):
    (tmp_path / "a.csv").write_text("a\n1\n")
    assert said in refuse(capsys, "ask", str(tmp_path / "a.csv"), "how many", *option)


@pytest.fixture
def slow(tmp_path):
    """A database with a table, and a view that never ends."""
    import sqlite3

    with contextlib.closing(sqlite3.connect(tmp_path / "slow.db")) as connection, connection:
        connection.executescript(SLOW)
    return tmp_path


def test_a_line_of_a_batch_that_takes_for_ever_is_one_line_of_error(slow):
    tables = ["slow.db::numbers", "slow.db::slow", "slow.db::numbers"]
    lines = "".join(json.dumps({"table": str(slow / each), "question": "how many rows"}) + "\n" for each in tables)
    done = subprocess.run(
        [sys.executable, "-m", "neural_programmer", "ask", "--batch", "-", "--seconds", "3"],
        input=lines, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["answer"] for line in found] == [1, None, 1]
    assert "takes longer than 3 seconds to read" in found[1]["error"]
    assert done.stderr == "neural-programmer: 1 of the lines could not be asked; their `error` says why\n"
    assert done.returncode == 2


def test_ctrl_c_stops_a_question_and_leaves_nothing(slow, tmp_path):
    folder = tmp_path / "temporary"
    folder.mkdir()
    asked = [sys.executable, "-m", "neural_programmer", "ask", str(slow / "slow.db::slow"), "how many rows"]
    with subprocess.Popen(
        asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(folder)}
    ) as process:
        wait_for(lambda: any(folder.iterdir()))
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "neural-programmer: stopped\n")
    assert list(folder.iterdir()) == []


def test_ctrl_c_at_the_prompt_leaves_the_line(tmp_path):
    (tmp_path / "a.csv").write_text("a\n1\n2\n")
    ours, theirs = pty.openpty()
    asked = [sys.executable, "-m", "neural_programmer", "ask", str(tmp_path / "a.csv"), "--json"]
    with subprocess.Popen(
        asked, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stderr
        assert process.stdout
        assert "2 rows" in process.stderr.readline()
        assert process.stdout.read(2) == "? "
        os.write(ours, b"how many colum")
        termios.tcflush(theirs, termios.TCIFLUSH)  # which a terminal does at Ctrl-C
        wait_for(lambda: process.send_signal(signal.SIGINT) or select.select([process.stderr], [], [], 1)[0])
        assert process.stderr.readline() == "\n"
        os.write(ours, b"how many rows\nquit\n")
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert json.loads(out[out.index("{") : out.rindex("}") + 1])["question"] == "how many rows"
    assert err.strip() == ""  # a signal between the prompt and its reading is lost, and another one was sent
    os.close(ours)
    os.close(theirs)


def wait_for(there) -> None:
    """Until something is there, a minute at most."""
    end = time.monotonic() + 60
    while not there():
        assert time.monotonic() < end
        time.sleep(0.05)
