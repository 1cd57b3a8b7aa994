"""The serve command: it answers soon, on this machine alone; what it refuses; it leaves nothing behind."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import httpx2
import numpy as np
import pytest
from starlette.testclient import TestClient

import hostile_databases
from neural_programmer.answering.model import Model
from neural_programmer.cli import main
from neural_programmer.cli import serve as cli_serve
from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import UNKNOWN, Vocabulary
from neural_programmer.network.soft import ALL
from neural_programmer.page.config import PageConfig
from neural_programmer.questions.link import PLACEHOLDERS
from own_operations import MINE, MY_OPS


def refuse(capsys, *arguments) -> str:
    with pytest.raises(SystemExit) as stopped:
        main(["serve", "--no-browser", *arguments])
    shown = capsys.readouterr()
    assert (stopped.value.code, shown.out) == (2, "")
    assert shown.err.count("\n") == 1
    return shown.err


@pytest.fixture
def served(tmp_path):
    """The command in a process of its own, with a table; its address, and the process."""
    (tmp_path / "sales.csv").write_text("region,revenue\nEurope,5\nAsia,7\n")
    command = [sys.executable, "-m", "neural_programmer.cli", "serve", "sales.csv", "--port", "0", "--no-browser"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        yield re.search(r"http://127\.0\.0\.1:\d+/", line)[0], process
        process.kill()


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_and_ends(served, tmp_path, end):
    address, process = served
    asked = json.dumps({"table": "example-1", "question": "total revenue"}).encode()
    with urllib.request.urlopen(urllib.request.Request(f"{address}api/ask", asked), timeout=20) as answer:
        assert json.load(answer)["answer"] == 12
    with urllib.request.urlopen(address, timeout=20) as page:
        assert "<h1>sales.csv</h1>" in page.read().decode()
    assert len(list(tmp_path.glob("neural-programmer-page-*"))) == 1
    process.send_signal(end)
    process.wait(20)
    assert process.stderr.read() == ("stopped; what was uploaded is removed\n" if end == signal.SIGINT else "")
    assert list(tmp_path.glob("neural-programmer-page-*")) == []


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_an_end_while_something_is_done_is_said_in_a_sentence(served, tmp_path, end):
    """It was a traceback for every request; after Ctrl-C, all that threads were doing was waited for."""
    address, process = served
    hostile_databases.write_sleeping(tmp_path / "slow.duckdb")
    files = {"file": ("slow.duckdb", (tmp_path / "slow.duckdb").read_bytes())}
    with ThreadPoolExecutor(1) as pool:
        upload = pool.submit(httpx2.post, f"{address}api/tables", files=files, timeout=60)
        while not list(tmp_path.glob("neural-programmer-page-*/*/*.duckdb")):
            time.sleep(0.01)
        time.sleep(0.5)  # until it is read
        process.send_signal(end)
        process.wait(15)  # not for as long as it may be read
        answer = upload.result()
    assert answer.status_code == 503
    assert answer.json() == {"error": "the server was stopped before this was done; ask again when it is back"}
    said = process.stderr.read()
    assert "Traceback" not in said
    assert said.count("\n") == (2 if end == signal.SIGINT else 1)
    assert list(tmp_path.glob("neural-programmer-*")) == []


def test_what_it_refuses(capsys, monkeypatch, tmp_path):
    assert "others can reach the page; give a --token" in refuse(capsys, "--host", "0.0.0.0")
    assert "a token has at least 16 characters" in refuse(capsys, "--token", "short")
    with monkeypatch.context() as patch:
        patch.setenv("NEURAL_PROGRAMMER_TOKEN", "also short")
        assert "a token has at least 16 characters, and this one 10" in refuse(capsys)
    assert "port must be 0 to 65,535" in refuse(capsys, "--port", "70000")
    assert "does not exist" in refuse(capsys, str(tmp_path / "missing.csv"), "--port", "0")
    (tmp_path / "run.sh").write_text("#!/bin/sh\necho hello\n")
    assert "cannot read run.sh: it is a script, and no table; name" in refuse(capsys, str(tmp_path / "run.sh"))
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0")
    assert "cannot read picture.png: it is neither text nor of a" in refuse(capsys, str(tmp_path / "picture.png"))
    (tmp_path / "empty.csv").write_text("")
    assert "cannot read empty.csv: it is empty" in refuse(capsys, str(tmp_path / "empty.csv"))
    assert "no model at x: name a run's folder" in refuse(capsys, "--model", "x", "--port", "0")
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert "the page needs uvicorn, which is not installed: pip install 'neural-programmer[serve]'" in refuse(capsys)


def test_a_port_that_is_taken_is_told(capsys):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        said = refuse(capsys, "--port", str(taken.getsockname()[1]))
    assert "choose another with --port, or --port 0 for one that is free" in said


def test_the_address_that_is_shown_can_be_opened(monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: "Desk")
    token = "x" * 16
    shown = {
        host: cli_serve.addresses(PageConfig(host, 80, token)) for host in ("127.0.0.1", "0.0.0.0", "::", "10.0.0.5")
    }
    assert shown == {
        "127.0.0.1": ["http://127.0.0.1:80/"],
        "0.0.0.0": ["http://127.0.0.1:80/", "http://desk:80/"],
        "::": ["http://[::1]:80/", "http://desk:80/"],
        "10.0.0.5": ["http://10.0.0.5:80/"],
    }


def test_a_browser_is_opened_where_there_is_a_screen(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not cli_serve._has_screen()
    monkeypatch.setenv("DISPLAY", ":0")
    assert cli_serve._has_screen()


def test_a_model_with_operations_of_ones_own(capsys, monkeypatch, tmp_path):
    """It is refused without their file, and with it the page runs them."""
    (tmp_path / "sales.csv").write_text("region,revenue\nEurope,5\nAsia,7\nAfrica,40\n")
    served = []
    monkeypatch.setattr("uvicorn.Server.run", lambda server, sockets: served.append((server.config.app, sockets)))
    config = NetworkConfig(hidden=4, program_steps=1, columns="linked", operations=ALL).plus(own=MINE)
    words = Vocabulary.of([*PLACEHOLDERS, UNKNOWN])
    model = Model(config, words, network.initial(config, len(words), np.random.default_rng(0)))
    model.save(tmp_path / "own.safetensors")
    given = ["--model", str(tmp_path / "own.safetensors"), "--port", "0"]
    assert "this model uses the operation 'median', which is not one of this program" in refuse(capsys, *given)
    assert "no file of operations at" in refuse(capsys, *given, "--operations", str(tmp_path / "missing.py"))
    main(["serve", str(tmp_path / "sales.csv"), "--no-browser", *given, "--operations", str(MY_OPS)])
    ((app, (listening,)),) = served
    address = re.search(r"http://127\.0\.0\.1:\d+", capsys.readouterr().err)[0]
    assert listening.fileno() == -1  # closed
    asked = {"table": "example-1", "question": "revenue", "forced": [{"operation": "median", "column": "revenue"}]}
    with TestClient(app, base_url=address) as visitor:
        answer = visitor.post("/api/trace", json=asked).json()["answer"]
    assert answer["answer"] == 7
    assert [step["operation"] for step in answer["program"]] == ["median"]
