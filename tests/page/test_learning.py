"""How it learns: a small real training in its own process, seen, stopped and forgotten; drawings; bad input."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from neural_programmer.data.paper.draws import draw_test
from neural_programmer.data.paper.settings import task as find
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.live import ENVIRONMENT, MODULE, SHOWN_QUESTIONS, TRAININGS
from neural_programmer.page import training
from neural_programmer.page.app import application
from neural_programmer.page.config import PageConfig
from neural_programmer.page.learning import (
    BOTTOM,
    HEIGHT,
    LEFT,
    OBJECTIVE,
    RIGHT,
    STATUS,
    TOP,
    WIDTH,
    curves,
    reach,
    recorded,
)
from neural_programmer.page.training import MOST_STEPS, Training
from page.conftest import BASE

PART = {"hx-request": "true"}
STEPS = 20  # enough for two reports
LONG = 600  # seconds that a test waits at most


def wait(until, seconds=LONG):
    """Look again and again until it is so."""
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.1)


def is_there(pid):
    """Whether a process runs still."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False


@pytest.mark.slow
def test_a_training_is_seen_from_the_start_to_its_end(client):
    assert client.get("/api/training").json() == {"state": "idle", "task": "", "restarts": 0, "objectives": []}
    begun = client.post("/api/training/start", json={"restarts": 2, "steps": STEPS})
    assert begun.status_code == 200
    assert begun.json()["state"] == "running"
    again = client.post("/api/training/start", json={})
    assert again.status_code == 409
    assert again.json()["error"] == "single-column is being trained already; look at it, or stop it first"
    wait(lambda: client.get("/api/training").json()["state"] != "running")
    told = client.get("/api/training").json()
    assert told["state"] == "done"
    assert [each["objective"] for each in told["objectives"]] == ["marginal", "soft"]
    for each, reports in zip(told["objectives"], (2, 1), strict=True):
        assert each["error"] == ""
        assert each["step"] == each["steps"] == STEPS
        assert len(each["curves"]) == reports
        assert all(len(report["accuracy"]) == 2 for report in each["curves"])
        assert len(each["best"]) == 2
        assert max(each["best"]) == max(max(report["accuracy"]) for report in each["curves"])
        assert len(each["programs"]) == 6
        assert all(program["question"] and program["program"] for program in each["programs"])
    shown = client.get("/learn").text
    assert shown.count("<polyline") == 4
    assert shown.count("Step 20 of 20") == 2
    assert client.post("/api/training/reset", json={}).json()["objectives"] == []
    assert "Nothing is being trained" in client.get("/learn/progress").text


def test_a_training_is_stopped_at_once_and_can_be_looked_at(client):
    """Also while it compiles; and from the page."""
    shown = client.post("/learn/start", data={"task": "three-columns", "restarts": "1"}, headers=PART)
    assert 'data-state="running"' in shown.text
    assert "every 1s" in shown.text
    processes = [lesson.process for lesson in client.app.state.training._lessons]
    started = time.monotonic()
    shown = client.post("/learn/stop", headers=PART)
    assert time.monotonic() - started < 5
    assert 'data-state="stopped"' in shown.text
    assert "every 5s" in shown.text
    assert all(process.poll() is not None for process in processes)
    assert client.post("/learn/start", headers=PART).status_code == 200  # another may begin
    assert "recorded" not in shown.text
    assert "This is a recorded training" in client.post("/learn/reset", headers=PART).text
    assert client.post("/learn/stop", follow_redirects=False).headers["location"] == "/learn"  # without a script


def test_it_begins_with_a_recorded_training(client, monkeypatch):
    """Also where nothing can be trained; it is what a training tells, of the questions that are drawn today."""
    monkeypatch.setattr(training, "NEEDED", ("no_such_package",))
    shown = client.get("/learn").text
    assert 'data-state="idle"' in shown
    assert (
        "This is a recorded training: single-column, 4 restarts. Choose a task and press Train to watch one." in shown
    )
    assert shown.count("<small>recorded</small>") == 2
    assert shown.count("<polyline") == 8
    assert "Step 3,000 of 3,000, done." in shown  # how long it took elsewhere says nothing here
    assert shown.count("<tr class=") == 2 * SHOWN_QUESTIONS
    told = recorded()
    assert set(told) == set(STATUS["properties"])
    for each in told["objectives"]:
        assert set(each) == set(OBJECTIVE["properties"])
        assert (each["state"], each["error"]) == ("done", "")
        assert each["steps"] == TRAININGS[each["objective"]].steps
    assert told["objectives"][0]["best"] == [1, 1, 1, 1]
    task = find(told["task"])
    asked = [triple.question for triple in draw_test(task, TRAININGS["marginal"].seed, SHOWN_QUESTIONS)]
    assert [program["question"] for program in told["objectives"][0]["programs"]] == asked
    assert client.get("/api/training").json()["objectives"] == []  # it is no training of this server


def test_it_ends_with_the_server(model):
    app = application(model, PageConfig())
    with TestClient(app, BASE) as client:
        client.post("/api/training/start", json={})
        processes = [lesson.process for lesson in app.state.training._lessons]
        assert len(processes) == 2
    assert all(process.poll() is not None for process in processes)


def test_it_ends_with_a_server_that_is_killed():
    """Nobody tells it: its standard input is closed."""
    code = (
        "import time; from neural_programmer.page.training import Training; training = Training(); training.start(); "
        "print(*(lesson.process.pid for lesson in training._lessons), flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        pids = [int(pid) for pid in server.stdout.readline().split()]
        assert all(map(is_there, pids))
        server.kill()
    assert len(pids) == 2
    wait(lambda: not any(map(is_there, pids)), 60)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"task": "ten-columns"}, "task must be one of single-column, three-columns,"),
        ([], "the JSON that is sent must be an object with task or restarts or steps, and [] came"),
        ({"task": 5}, "task must be one of single-column,"),
        ({"restarts": 0}, "restarts must be a whole number from 1 to 8, and 0 came"),
        ({"restarts": 9}, "restarts must be a whole number from 1 to 8, and 9 came"),
        ({"restarts": True}, "restarts must be a whole number from 1 to 8, and true came"),
        ({"steps": 10**9}, f"steps must be a whole number from 1 to {MOST_STEPS:,}, and 1000000000 came"),
        ({"steps": 1.5}, f"steps must be a whole number from 1 to {MOST_STEPS:,}, and 1.5 came"),
        ({"seed": 5}, 'must be an object with task or restarts or steps, and "seed" is there'),
    ],
)
def test_what_a_training_refuses(client, given, said):
    refused = client.post("/api/training/start", json=given)
    assert refused.status_code == 400
    assert said in refused.json()["error"]
    assert client.get("/api/training").json()["state"] == "idle"


def test_what_the_page_refuses(client):
    for restarts, said in (("many", "restarts is a whole number, not"), ("99", "from 1 to 8, and 99 came")):
        refused = client.post("/learn/start", data={"restarts": restarts}, headers=PART)
        assert refused.status_code == 400
        assert said in refused.text
        assert 'hx-get="/learn/progress"' in refused.text  # it goes on looking
        assert client.post("/learn/start", data={"restarts": restarts}).status_code == 400
    assert client.post("/api/training/sing", json={}).status_code == 404


def test_without_the_packages_it_says_what_to_install(client, monkeypatch):
    monkeypatch.setattr(training, "NEEDED", ("jax", "no_such_package"))
    refused = client.post("/api/training/start", json={})
    assert refused.status_code == 501
    assert (
        refused.json()["error"]
        == "training needs no_such_package, which is not installed: pip install 'neural-programmer[train]'"
    )


def test_a_training_that_dies_says_so(monkeypatch):
    monkeypatch.setattr(training, "MODULE", "neural_programmer.learning.nowhere")
    started = Training()
    started.start()
    wait(lambda: started.state != "running", 60)
    assert started.state == "failed"
    assert all("No module named" in each["error"] for each in started.to_dict()["objectives"])


def test_where_one_cannot_start_the_other_does_not_go_on(monkeypatch):
    begun = []

    class Second(training.Lesson):
        def __init__(self, *arguments):
            if begun:
                raise OSError("no more processes")
            super().__init__(*arguments)
            begun.append(self)

    monkeypatch.setattr(training, "Lesson", Second)
    started = Training()
    with pytest.raises(NeuralProgrammerError, match="cannot be started now: no more processes; try again later"):
        started.start()
    assert begun[0].state == "stopped"
    assert started.to_dict() == {"state": "idle", "task": "", "restarts": 0, "objectives": []}


def test_nothing_begins_while_a_training_is_forgotten():
    held = []

    class Seen:
        def stop(self):
            held.append(trained._lock.locked())

    trained = Training()
    trained._lessons = [Seen()]  # pyright: ignore
    trained.reset()
    assert (held, trained._lessons) == ([True], [])


def test_the_process_stands_behind_others_and_takes_one_core():
    with subprocess.Popen(
        [sys.executable, "-P", "-m", MODULE, "single-column", "soft"],
        env={**os.environ, **ENVIRONMENT},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        wait(lambda: os.getpriority(os.PRIO_PROCESS, process.pid) == 10 or process.poll() is not None, 60)
        assert process.poll() is None
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(60) == 0
    assert ENVIRONMENT["NPROC"] == "1"


def test_curves_begin_at_nothing_and_stay_in_their_frame():
    reports = [{"step": 10, "accuracy": [0.5, 0.0]}, {"step": 40, "accuracy": [1.0, 0.25]}]
    first, second = ([tuple(map(float, p.split(","))) for p in line.split()] for line in curves(reports, 40))
    bottom, right, middle = HEIGHT - BOTTOM, WIDTH - RIGHT, (TOP + HEIGHT - BOTTOM) / 2
    assert first == [(LEFT, bottom), (LEFT + (right - LEFT) / 4, middle), (right, TOP)]
    assert second[1] == (first[1][0], bottom)
    assert curves([], 40) == []


def test_a_drawing_has_room_for_what_was_done():
    steps = TRAININGS["marginal"].steps
    assert [reach(step, steps) for step in (0, steps // 10, steps // 10 + 1, steps // 2 + 1, steps)] == [
        steps // 10, steps // 10, steps // 4, steps, steps,
    ]  # fmt: skip
    assert reach(20, 20) == 20
    assert reach(0, 3) == 1
