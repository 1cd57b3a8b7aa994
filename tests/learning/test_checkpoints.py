"""A run that is killed and resumed ends as one left alone; what is broken or full is said, and nothing is lost."""

import json
import os
import signal
import struct
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import safetensors
import safetensors.numpy
from tensorboardX.proto.event_pb2 import Event

from neural_programmer import api
from neural_programmer.base import files
from neural_programmer.base.settings import to_dict
from neural_programmer.data.paper import task
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.checkpoints import Keeper
from neural_programmer.learning.config import Objective, TrainingConfig, completed
from neural_programmer.learning.fitting import NETWORK, WRITTEN_NETWORK
from neural_programmer.network.config import NetworkConfig

STEPS = 800
SINCE = "features", "gap", "share", "column_features", "link_features", "near", "candidates", "contents", "unsure"
TRAIN = [
    *(sys.executable, "-m", "neural_programmer.cli", "train", "--task", "single-column", "--hidden", "8"),
    *("--objective", "soft"),
    *("--examples", "200", "--batch", "10", "--validation", "50", "--report-every", "10", "--restarts", "2"),
    *("--noise", "1", "--steps"),
]
LONG = [*TRAIN, "100000"]
TRAIN = [*TRAIN, str(STEPS)]
# Tests that run in the background hand their deafness for interrupts on to what they start: this takes it off.
HEARD = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"


def config(**changes) -> TrainingConfig:
    return TrainingConfig(
        **{"steps": 20, "examples": 100, "batch": 10, "validation": 20, "report_every": 10, **changes}
    )


def train(out: Path, resume: bool = False, hidden: int = 8, objective: Objective = "soft", **changes):
    network = replace(task("single-column").paper if objective == "soft" else NetworkConfig(), hidden=hidden)
    training = config(**changes)
    return api.train("single-column", config=network, training=training, objective=objective, out=out, resume=resume)


def metrics(run: Path) -> list[dict]:
    file = run / "metrics.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines]


def wait_for(condition, process, seconds=120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < end
        time.sleep(0.001)


@pytest.mark.slow
def test_a_run_killed_again_and_again_ends_with_the_same_bits(tmp_path):
    """SIGKILL before the first state, while one is being written, right after it, and later; then left to finish.

    Where the machine is too busy to catch a state half written, the second kill comes a few reports later.
    """
    alone, killed = tmp_path / "alone", tmp_path / "killed"
    subprocess.run([*TRAIN, "--out", str(alone)], check=True, capture_output=True)
    moments = [
        lambda: (killed / "config.json").exists(),
        lambda: any(".state.safetensors" in name for name in os.listdir(killed)) or len(metrics(killed)) >= 10,
        lambda: (killed / "state.safetensors").exists(),
        lambda: len(metrics(killed)) >= 16,
    ]
    for place, moment in enumerate(moments):
        command = [*TRAIN, "--out", str(killed), *(["--resume"] if place else [])]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            try:
                wait_for(moment, process)
            finally:
                process.kill()
    assert len(metrics(killed)) < STEPS / 10, "the run was over before it was killed"
    subprocess.run([*TRAIN, "--out", str(killed), "--resume"], check=True, capture_output=True)
    assert (killed / "model.safetensors").read_bytes() == (alone / "model.safetensors").read_bytes()
    assert metrics(killed) == metrics(alone)


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["soft", "marginal"])
def test_a_finished_run_can_be_trained_longer(tmp_path, objective):
    """25 steps and then 10 more give what 35 give, although the last report of the first was not a whole one."""
    train(tmp_path / "whole", steps=35, objective=objective)
    train(tmp_path / "parts", steps=25, objective=objective)
    train(tmp_path / "parts", steps=35, resume=True, objective=objective)
    whole, parts = (api.load(tmp_path / name) for name in ("whole", "parts"))
    np.testing.assert_array_equal(whole.parameters.history, parts.parameters.history)
    assert metrics(tmp_path / "whole") == metrics(tmp_path / "parts")


def test_metrics_are_written_for_tensorboard_too(tmp_path):
    """Read back record by record: length, checksum, event, checksum."""
    train(tmp_path / "run")
    (file,) = (tmp_path / "run" / "tensorboard").glob("events.*")
    content, found = file.read_bytes(), {}
    while content:
        (length,) = struct.unpack("<Q", content[:8])
        event = Event.FromString(content[12 : 12 + length])
        content = content[16 + length :]
        found.update({(event.step, value.tag): value.simple_value for value in event.summary.value})
    for line in metrics(tmp_path / "run"):
        assert found[line["step"], "loss/0"] == pytest.approx(line["loss"][0])
        assert found[line["step"], "validation_accuracy/0"] == pytest.approx(line["accuracy"][0])
    assert [line["step"] for line in metrics(tmp_path / "run")] == [10, 20]


@pytest.mark.parametrize("left", [(), (".lock",), (".lock", "tensorboard"), (".lock", "tensorboard", "config.json")])
def test_a_run_killed_before_its_first_report_can_begin_again(tmp_path, left):
    """Whatever of its beginning a kill leaves behind, the same command works."""
    train(tmp_path / "whole")
    run = tmp_path / "run"
    run.mkdir()
    for name in left:
        if name == "tensorboard":
            (run / name).mkdir()
        else:
            (run / name).write_bytes((tmp_path / "whole" / name).read_bytes())
    train(run)
    assert (run / "model.safetensors").read_bytes() == (tmp_path / "whole" / "model.safetensors").read_bytes()


def test_a_run_whose_settings_are_a_pipe_is_no_run(tmp_path):
    """It was waited for."""
    os.mkfifo(tmp_path / "config.json")
    with pytest.raises(NeuralProgrammerError, match=r"holds no run to resume: its config\.json is missing or broken"):
        train(tmp_path, resume=True)


def test_a_folder_in_use_is_not_overwritten(tmp_path):
    train(tmp_path / "run")
    before = (tmp_path / "run" / "model.safetensors").read_bytes()
    with pytest.raises(NeuralProgrammerError, match="is not empty; continue that run with --resume"):
        train(tmp_path / "run")
    (tmp_path / "file").write_text("mine")
    with pytest.raises(NeuralProgrammerError, match=r"cannot use .*file as the folder of a run: Not a directory"):
        train(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"
    assert (tmp_path / "run" / "model.safetensors").read_bytes() == before


@pytest.mark.parametrize("moment", ["config.json", "model.safetensors"])
def test_a_run_that_is_interrupted_says_so_and_goes_on(tmp_path, moment):
    """Ctrl-C before the first report and after it: exit code 130, one sentence, a run that can be resumed."""
    run = tmp_path / "run"
    command = [sys.executable, "-c", HEARD, *TRAIN, "--out", str(run)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            wait_for((run / moment).exists, process)
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=60)[1]
        finally:
            process.kill()
    assert process.returncode == 130, said
    assert said == "neural-programmer: stopped; what was saved is kept: go on with --resume\n"
    subprocess.run([*TRAIN, "--out", str(run), "--resume"], check=True, capture_output=True)
    assert metrics(run)[-1]["step"] == STEPS


def test_what_others_put_into_the_folder_is_not_overwritten(tmp_path):
    """A config.json that is not a run's, a lock that holds something or leads elsewhere, a run that came in between."""
    run = tmp_path / "run"
    run.mkdir()
    (run / "config.json").write_text('{"mine": 1}')
    with pytest.raises(NeuralProgrammerError, match="is not a run's"):
        train(run)
    assert (run / "config.json").read_text() == '{"mine": 1}'
    (run / "config.json").unlink()
    (run / ".lock").write_text("mine")
    train(run)
    assert (run / ".lock").read_text() == "mine"
    (tmp_path / "elsewhere").write_text("mine")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / ".lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NeuralProgrammerError, match="cannot use the folder"):
        train(tmp_path / "linked")
    assert (tmp_path / "elsewhere").read_text() == "mine"
    keeper = Keeper(tmp_path / "late", json.loads((run / "config.json").read_text()), resume=False)
    train(tmp_path / "late", seed=5)
    before = (tmp_path / "late" / "config.json").read_text()
    with pytest.raises(NeuralProgrammerError, match="is not empty"), keeper:
        pass
    assert (tmp_path / "late" / "config.json").read_text() == before


def test_only_one_process_trains_in_a_folder(tmp_path):
    with subprocess.Popen([*LONG, "--out", str(tmp_path / "run")], stderr=subprocess.PIPE) as process:
        try:
            wait_for(lambda: (tmp_path / "run" / "model.safetensors").exists(), process)
            done = subprocess.run([*LONG, "--out", str(tmp_path / "run"), "--resume"], capture_output=True, text=True)
        finally:
            process.kill()
    assert done.returncode == 2
    assert "another process is training in" in done.stderr


@pytest.mark.parametrize(
    ("changes", "message"),
    [({"seed": 3}, "was begun with seed 0, not 3"), ({"batch": 5}, "was begun with batch 10, not 5")],
)
def test_a_run_is_resumed_as_it_was_begun(tmp_path, changes, message):
    train(tmp_path / "run")
    with pytest.raises(NeuralProgrammerError, match=message):
        train(tmp_path / "run", resume=True, **changes)


@pytest.mark.parametrize("lost", ["metrics.jsonl", "model.safetensors"])
def test_metrics_and_model_are_made_again_from_the_state(tmp_path, lost):
    """As after a kill between the state and the files that follow it, at the last report of a run."""
    run = tmp_path / "run"
    train(run)
    before, model = metrics(run), (run / "model.safetensors").read_bytes()
    (run / lost).unlink()
    train(run, resume=True)
    assert metrics(run) == before
    assert (run / "model.safetensors").read_bytes() == model


def test_a_run_that_lost_its_state_is_not_trained_over(tmp_path):
    run = tmp_path / "run"
    train(run)
    (run / "state.safetensors").unlink()
    before = (run / "model.safetensors").read_bytes()
    with pytest.raises(NeuralProgrammerError, match=r"its state.safetensors is missing"):
        train(run, steps=30, resume=True)
    for broken in ("{\n", "[1]\n", '{"a": 1}\n', '{"step": "x"}\n'):
        (run / "metrics.jsonl").write_text(broken)
        with pytest.raises(NeuralProgrammerError, match=r"metrics.jsonl is broken"):
            train(run, steps=30, resume=True)
    assert (run / "model.safetensors").read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [{"step": "x"}, {"step": 590.5}, {"step": None}, {"step": -10}, {"step": 7}, {"seconds": "x"}, {"accuracy": 5},
     {"loss": ["x"]}, {"best_accuracy": [[1]]}],
)  # fmt: skip
def test_tampered_reports_are_refused(tmp_path, change):
    train(tmp_path / "run", steps=20)
    path = tmp_path / "run" / "state.safetensors"
    with safetensors.safe_open(path, framework="np") as file:
        arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  not a dict
        reports = json.loads(file.metadata()["reports"])
    reports[-1].update(change)
    path.write_bytes(safetensors.numpy.save(arrays, {"reports": json.dumps(reports)}))
    with pytest.raises(NeuralProgrammerError, match=r"the saved state of .* is broken"):
        train(tmp_path / "run", steps=30, resume=True)


def test_a_run_shorter_than_a_report_can_be_trained_longer(tmp_path):
    """Nothing was saved to go on from: it begins anew, with the same bits."""
    train(tmp_path / "whole", steps=30)
    train(tmp_path / "parts", steps=5)
    train(tmp_path / "parts", steps=30, resume=True)
    assert metrics(tmp_path / "parts") == metrics(tmp_path / "whole")


def test_a_run_is_not_trained_backwards(tmp_path):
    train(tmp_path / "run", steps=30)
    with pytest.raises(NeuralProgrammerError, match="is already at step 30"):
        train(tmp_path / "run", steps=20, resume=True)


def test_a_refused_resume_changes_nothing(tmp_path):
    """Also where the last stretch was shorter than a report, and its model is ahead of the saved state."""
    train(tmp_path / "run", steps=35)
    before = {path: path.read_bytes() for path in (tmp_path / "run").glob("*.*")}
    with pytest.raises(NeuralProgrammerError, match="is already at step 35"):
        train(tmp_path / "run", steps=30, resume=True)
    assert {path: path.read_bytes() for path in (tmp_path / "run").glob("*.*")} == before


def test_the_state_is_saved_at_most_a_tenth_of_the_time(tmp_path, monkeypatch):
    """Where saving takes long, reports go without; the last is always there to be gone on from, with the same bits."""
    train(tmp_path / "whole", steps=70)
    saved, write = [], files.write

    def slow(path: Path, content: bytes) -> None:
        if path.name == "state.safetensors":
            saved.append(path)
            time.sleep(1.0)  # so that the next ten seconds go without
        write(path, content)

    monkeypatch.setattr("neural_programmer.base.files.write", slow)
    train(tmp_path / "parts", steps=55)
    assert len(saved) == 2  # the first and the last whole one, of five
    train(tmp_path / "parts", steps=70, resume=True)
    assert metrics(tmp_path / "parts") == metrics(tmp_path / "whole")


def test_settings_that_came_later_stand_at_their_defaults(tmp_path):
    """A run that was begun before a setting existed can be resumed."""
    train(tmp_path / "run", steps=20)
    path = tmp_path / "run" / "config.json"
    begun = json.loads(path.read_text())
    del begun["training"]["selection_noise"]
    path.write_text(json.dumps(begun))
    train(tmp_path / "run", steps=30, resume=True)
    assert metrics(tmp_path / "run")[-1]["step"] == 30


@pytest.mark.parametrize("network", [NETWORK, WRITTEN_NETWORK], ids=["typed", "written"])
def test_settings_of_a_network_that_came_later_are_as_they_were(tmp_path, network):
    """A run of a network that was begun before its file named features and limits is the same run."""
    asked = {"task": "english", "model": "NetworkConfig", "network": to_dict(network), "training": to_dict(config())}
    older = {name: value for name, value in asked["network"].items() if name not in SINCE}
    assert len(older) == len(asked["network"]) - len(SINCE)
    assert completed({**asked, "network": older}) == asked


def test_nothing_to_resume(tmp_path):
    with pytest.raises(NeuralProgrammerError, match="holds no run to resume"):
        train(tmp_path / "nowhere", resume=True)
    assert not (tmp_path / "nowhere").exists()


def test_a_broken_state_is_said_and_the_model_still_serves(tmp_path):
    run = tmp_path / "run"
    train(run)
    whole = (run / "state.safetensors").read_bytes()
    for broken in (whole[: len(whole) // 3], b"", b"not a state at all", whole[:8] + b"?" + whole[9:]):
        (run / "state.safetensors").write_bytes(broken)
        with pytest.raises(NeuralProgrammerError, match=r"the saved state of .* is broken"):
            train(run, steps=30, resume=True)
    api.load(run)


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
def test_a_full_disk_is_said_and_the_last_checkpoint_kept(tmp_path):
    """A real disk runs full while a state is written; with room again, the run goes on to the same bits."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("this system does not let a small disk be mounted")
    run, state = disk / "run", disk / "run" / "state.safetensors"
    try:
        train(run, hidden=32, steps=10)
        kept = state.read_bytes()
        room = os.statvfs(disk)
        left = (run / "model.safetensors").stat().st_size + 30_000  # for the model, not for the state
        assert left < len(kept)
        (disk / "filler").write_bytes(b"x" * (room.f_bavail * room.f_bsize - left))
        with pytest.raises(NeuralProgrammerError, match=r"cannot write .*state.safetensors: No space left on device"):
            train(run, hidden=32, steps=20, resume=True)
        assert state.read_bytes() == kept
        api.load(run)
        (disk / "filler").unlink()
        train(run, hidden=32, steps=20, resume=True)
        train(tmp_path / "alone", hidden=32, steps=20)
        name = "model.safetensors"
        assert (run / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()
    finally:
        subprocess.run(["umount", str(disk)], check=True)
