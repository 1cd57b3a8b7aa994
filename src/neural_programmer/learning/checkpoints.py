"""A run's folder: configuration, metrics, checkpoints to resume from and the best model so far.

RUN/config.json         what was asked for
RUN/metrics.jsonl       a line for every report
RUN/tensorboard/        the same for TensorBoard
RUN/checkpoints/        all that training carries along, to go on after a kill
RUN/model.safetensors   the best weights so far, to answer with
"""

import fcntl
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orbax.checkpoint as orbax
from tensorboardX import SummaryWriter

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.training import Report, State
from neural_programmer.model import FILE
from neural_programmer.weights import write_whole

KEPT = 2  # checkpoints kept: the last, and the one before should the last be of an odd number of steps


class Keeper:
    """Keeps a run in its folder. Every file is whole at any moment; a killed run resumes to the same bits."""

    def __init__(self, folder: Path, config: dict[str, Any], resume: bool) -> None:
        self.folder = folder
        self.steps, self.report_every = config["training"]["steps"], config["training"]["report_every"]
        if resume:
            self._check_same(config)
        elif folder.exists() and (
            not folder.is_dir() or any(not file.name.startswith(".") for file in folder.iterdir())
        ):
            raise NeuralProgrammerError(
                f"{folder} is not empty; continue that run with --resume, or choose another folder with --out"
            )
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.lock = open(folder / ".lock", "w")  # noqa: SIM115  held open until close()
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise NeuralProgrammerError(f"another process is training in {folder}; wait for it or end it") from None
        except OSError as error:
            raise NeuralProgrammerError(f"cannot use the folder {folder}: {error.strerror}") from None
        write_whole(folder / "config.json", (json.dumps(config, indent=1) + "\n").encode())
        options = orbax.CheckpointManagerOptions(max_to_keep=KEPT, enable_async_checkpointing=False)
        self.manager = orbax.CheckpointManager((folder / "checkpoints").absolute(), options=options)
        self.board: SummaryWriter | None = None

    def _check_same(self, config: dict[str, Any]) -> None:
        """A run is resumed as it was begun; only its number of steps may change."""
        try:
            begun = _flat(json.loads((self.folder / "config.json").read_text()))
        except (OSError, ValueError, AttributeError):
            raise NeuralProgrammerError(
                f"{self.folder} holds no run to resume: its config.json is missing or broken; start it without --resume"
            ) from None
        for name, asked in _flat(config).items():
            if begun.get(name) != asked and name != "steps":
                raise NeuralProgrammerError(
                    f"{self.folder} was begun with {name.replace('_', ' ')} {begun.get(name)}, not {asked}; "
                    "resume it with the settings it was begun with, or start another with --out"
                )

    def restore(self, state: State) -> tuple[int, State, list[Report]]:
        """The last checkpoint that training can go on from, or the given start."""
        usable = [s for s in self.manager.all_steps() if s % self.report_every == 0 or s == self.steps]
        step, reports = 0, []
        if usable:
            step = max(usable)
            try:
                state = State(*self.manager.restore(step, args=orbax.args.StandardRestore(state)))
                lines = (self.folder / "metrics.jsonl").read_text().splitlines()
                reports = [report for report in (Report(**json.loads(line)) for line in lines) if report.step <= step]
            except Exception as error:  # orbax and tensorstore raise many kinds
                raise NeuralProgrammerError(
                    f"the checkpoint of step {step} in {self.folder} is broken ({_first_line(error)}); "
                    f"remove {self.folder / 'checkpoints' / str(step)} to go on from the one before"
                ) from None
        self._write_metrics(reports)
        self.board = SummaryWriter(str(self.folder / "tensorboard"), purge_step=step)
        return step, state, reports

    def save(self, step: int, state: State, reports: list[Report], model: Any) -> None:
        """Metrics and model first, the checkpoint last: what a checkpoint promises is there."""
        self._write_metrics(reports)
        model.save(self.folder / FILE)
        try:
            self.manager.save(step, args=orbax.args.StandardSave(state), force=True)
            self.manager.wait_until_finished()
        except Exception as error:  # a full disk surfaces as many kinds
            raise NeuralProgrammerError(
                f"cannot save the checkpoint of step {step} in {self.folder}: {_first_line(error)}; "
                "make room and resume: what was saved before is kept"
            ) from None
        assert self.board is not None
        report = reports[-1]
        for restart, (loss, accuracy) in enumerate(zip(report.loss, report.accuracy, strict=True)):
            self.board.add_scalar(f"loss/{restart}", loss, step)
            self.board.add_scalar(f"validation_accuracy/{restart}", accuracy, step)
        self.board.flush()

    def close(self) -> None:
        self.manager.close()
        if self.board is not None:
            self.board.close()
        self.lock.close()

    def _write_metrics(self, reports: list[Report]) -> None:
        lines = "".join(json.dumps(asdict(report)) + "\n" for report in reports)
        write_whole(self.folder / "metrics.jsonl", lines.encode())


def _flat(config: dict[str, Any]) -> dict[str, Any]:
    """Settings by name, whichever part they stand in."""
    flat: dict[str, Any] = {}
    for name, value in config.items():
        flat.update(value if isinstance(value, dict) else {name: value})
    return flat


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:160]
