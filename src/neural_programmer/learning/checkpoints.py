"""A run's folder: configuration, metrics, the state to resume from and the best model so far.

    RUN/config.json         what was asked for
    RUN/metrics.jsonl       a line for every report
    RUN/tensorboard/        the same for TensorBoard
    RUN/state.safetensors   all that training carries along, to go on after a kill
    RUN/model.safetensors   the best weights so far, to answer with

Every file is replaced as a whole: a kill at any moment leaves the old one or the new one.
"""

import contextlib
import fcntl
import json
import os
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import safetensors
import safetensors.numpy
from tensorboardX.event_file_writer import EventsWriter
from tensorboardX.proto.event_pb2 import Event, SessionLog  # pyright: ignore[reportAttributeAccessIssue]
from tensorboardX.summary import scalar

from neural_programmer.answering.model import FILE
from neural_programmer.base import files
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.config import FitConfig, completed
from neural_programmer.learning.training import Report, State

STATE = "state.safetensors"
BEGINNING = ("config.json", "tensorboard")  # what is there before the first report: nothing that would be lost
PAUSE = 10  # the state is not saved again before ten times as long has passed as saving it took


class Keeper:
    """The folder of a run: what saves it there, and brings it back. A killed run resumes to the same bits."""

    def __init__(self, folder: Path, config: dict[str, Any], resume: bool) -> None:
        self.folder, self.config, self.resume = folder, config, resume
        self.report_every = config["training"]["report_every"]
        self.next_save = 0.0
        self._check_folder()

    def _check_folder(self) -> None:
        """Refuse a folder that holds anything but the beginning of a run, or to resume anything but this run."""
        folder = self.folder
        try:
            others = {file.name for file in folder.iterdir()} if folder.exists() else set()
        except OSError as error:
            raise NeuralProgrammerError(f"cannot use {folder} as the folder of a run: {error.strerror}") from None
        if self.resume:
            self._check_same(self.config)
            self._check_forward()
        elif not all(name in BEGINNING or name.startswith(".") for name in others):
            raise NeuralProgrammerError(
                f"{folder} is not empty; continue that run with --resume, or choose another folder"
            )
        elif "config.json" in others and not self._begun():
            raise NeuralProgrammerError(f"the config.json in {folder} is not a run's; choose another folder")

    def __enter__(self) -> "Keeper":
        """Begin to write into the folder. Nothing was written before."""
        with contextlib.ExitStack() as opened:
            try:
                (self.folder / "tensorboard").mkdir(parents=True, exist_ok=True)
                lock = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK)
                opened.callback(os.close, lock)
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._check_folder()  # again: another process may have trained here in the meantime
                self.board = EventsWriter(str(self.folder / "tensorboard" / "events"))
            except BlockingIOError:
                raise NeuralProgrammerError(
                    f"another process is training in {self.folder}; wait for it or end it"
                ) from None
            except OSError as error:
                raise NeuralProgrammerError(f"cannot use the folder {self.folder}: {error.strerror}") from None
            opened.callback(self._close_board)
            files.write(self.folder / "config.json", (json.dumps(self.config, indent=1) + "\n").encode())
            self.opened = opened.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self.opened.close()

    def _close_board(self) -> None:
        with contextlib.suppress(OSError):  # a full disk, which the writing of the files has said already
            self.board.close()

    def _begun(self) -> dict[str, Any] | None:
        """Return the settings of the run in this folder, if its config.json is one."""
        path = self.folder / "config.json"
        if not path.is_file():  # a pipe would be waited for
            return None
        try:
            begun = completed(json.loads(path.read_text()))
            return _flat({"ensemble": FitConfig.ensemble, "teacher": None, **begun})  # which older runs do not say
        except (OSError, ValueError, RecursionError, KeyError, TypeError):
            return None

    def _check_same(self, config: dict[str, Any]) -> None:
        """Refuse to resume a run with other settings than it was begun with. Only when it stops may change."""
        begun = self._begun()
        if begun is None:
            raise NeuralProgrammerError(
                f"{self.folder} holds no run to resume: its config.json is missing or broken; start another elsewhere"
            )
        for name, asked in _flat(config).items():
            if begun.get(name) != asked and name not in ("steps", "patience", "stalled"):
                raise NeuralProgrammerError(
                    f"{self.folder} was begun with {name.replace('_', ' ')} {begun.get(name)}, not {asked}; "
                    "resume it with the settings it was begun with, or start another elsewhere"
                )

    def _check_forward(self) -> None:
        """Refuse to resume a run to fewer steps than it was trained for."""
        try:
            step = max((line["step"] for line in self._read_metrics()), default=0)
        except NeuralProgrammerError:  # broken: they are made again from the state
            return
        if step > self.config["training"]["steps"]:
            raise NeuralProgrammerError(f"the run is already at step {step}; resume it with more steps than that")

    def restore(self, start: State) -> tuple[int, State, list[Report]]:
        """Return the step, the state and the reports to go on from: those saved last, or the given start."""
        step, state, reports = 0, start, []
        path = self.folder / STATE
        if path.is_file():
            try:
                with safetensors.safe_open(path, framework="np") as file:
                    arrays = [file.get_tensor(name) for name in _names(start)]
                    reports = [Report(**report) for report in json.loads(file.metadata()["reports"])]
                step = self._step_of(reports)
                leaves = jax.tree.leaves(start)
                state = jax.tree.unflatten(jax.tree.structure(start), map(_like, arrays, leaves))
            except (safetensors.SafetensorError, OSError, ValueError, KeyError, TypeError, IndexError) as error:
                raise NeuralProgrammerError(
                    f"the saved state of {self.folder} is broken ({error}); its best model may still serve, "
                    "but the run has to start anew in another folder"
                ) from None
        elif any(line["step"] >= self.report_every for line in self._read_metrics()):
            raise NeuralProgrammerError(
                f"{self.folder} was trained before, but its {STATE} is missing: it cannot go on; start anew in "
                "another folder"
            )
        self._write_event(Event(wall_time=time.time(), step=step, session_log=SessionLog(status=SessionLog.START)))
        return step, state, reports

    def _step_of(self, reports: list[Report]) -> int:
        """Return the step of the last of the reports, each of which has a number for every restart."""
        for place, report in enumerate(reports, 1):
            lists = report.loss, report.accuracy, report.best_accuracy
            if report.step != place * self.report_every or not all(isinstance(values, list) for values in lists):
                raise ValueError(f"report {place} is not one")
            numbers = [report.seconds, *(number for values in lists for number in values)]
            if not all(isinstance(number, int | float | None) for number in numbers):
                raise ValueError(f"report {place} holds what is no number")
        return reports[-1].step

    def save(self, step: int, state: State, reports: list[Report], model: Any, last: bool) -> None:
        """Save the state first: all else can be made again from it.

        The state is not saved after every report where reports follow each other fast; it always is after the last.
        Steps after the last whole report are not saved: trained longer, the run goes on from that report.
        """
        began = time.monotonic()
        if step % self.report_every == 0 and (last or began >= self.next_save):
            arrays = dict(zip(_names(state), map(_plain, jax.tree.leaves(state)), strict=True))
            metadata = {"reports": json.dumps([asdict(report) for report in reports])}
            files.write(self.folder / STATE, safetensors.numpy.save(arrays, metadata))
            ended = time.monotonic()
            self.next_save = ended + PAUSE * (ended - began)
        self.publish(reports, model)
        for name, values in (("loss", reports[-1].loss), ("validation_accuracy", reports[-1].accuracy)):
            for restart, value in enumerate(values):
                summary = scalar(f"{name}/{restart}", float("nan") if value is None else value)
                self._write_event(Event(wall_time=time.time(), step=step, summary=summary))

    def publish(self, reports: list[Report], model: Any) -> None:
        """Write what others read: the metrics and the best model."""
        lines = "".join(json.dumps(asdict(report)) + "\n" for report in reports)
        files.write(self.folder / "metrics.jsonl", lines.encode())
        model.save(self.folder / FILE)

    def _read_metrics(self) -> list[dict[str, Any]]:
        path = self.folder / "metrics.jsonl"
        try:
            lines = [json.loads(line) for line in path.read_text().splitlines()] if path.is_file() else []
            if not all(isinstance(line, dict) and isinstance(line.get("step"), int) for line in lines):
                raise ValueError("a line has no step")
            return lines
        except (OSError, ValueError, RecursionError) as error:
            raise NeuralProgrammerError(f"{path} is broken ({error}); start anew in another folder") from None

    def _write_event(self, event: Event) -> None:
        try:
            self.board.write_event(event)
            self.board.flush()
        except OSError as error:
            raise NeuralProgrammerError(
                f"cannot write to {self.folder / 'tensorboard'}: {error.strerror}; what was saved before is kept"
            ) from None


def _flat(config: dict[str, Any]) -> dict[str, Any]:
    """Return settings by their names, from all parts together."""
    flat: dict[str, Any] = {}
    for name, value in config.items():
        flat.update(value if isinstance(value, dict) else {name: value})
    return flat


def _names(tree: Any) -> list[str]:
    return [jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_leaves_with_path(tree)]


def _is_key(array: jax.Array) -> bool:
    return bool(jnp.issubdtype(array.dtype, jax.dtypes.prng_key))


def _plain(array: jax.Array) -> np.ndarray:
    """Return an array that can be written to a file: of a random key, its data."""
    return np.asarray(jax.random.key_data(array) if _is_key(array) else array)


def _like(array: np.ndarray, leaf: jax.Array) -> jax.Array:
    """Return an array that was read from a file as the array that it replaces is: of its type, on its device, in its
    shape."""
    value = jax.random.wrap_key_data(jnp.asarray(array)) if _is_key(leaf) else array
    if value.shape != leaf.shape or value.dtype != leaf.dtype:
        raise ValueError(f"shape {value.shape} of {value.dtype} came where {leaf.shape} of {leaf.dtype} belongs")
    return jax.device_put(value, leaf.sharding)
