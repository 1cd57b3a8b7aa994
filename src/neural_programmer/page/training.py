"""Train for everybody to look at: both objectives side by side, each in its own process (see learning/live.py).

Training in a thread of the server would keep its answers waiting: tracing and compiling hold Python's lock for seconds.
A process of low priority leaves them alone, and can be stopped at once, also while it compiles.
"""

import importlib.util
import json
import os
import subprocess
import sys
import threading
from typing import Any, Literal

from neural_programmer.errors import not_installed
from neural_programmer.learning.live import ENVIRONMENT, MODULE, SMALL_TASKS, TRAININGS, Live
from neural_programmer.page.refusals import Refused
from neural_programmer.programs.values import rounded

State = Literal["idle", "running", "done", "stopped", "failed"]
ORDER: tuple[State, ...] = ("running", "failed", "stopped", "done")  # that of all is the first that one has
RESTARTS = TRAININGS["marginal"].restarts
MOST_STEPS = max(training.steps for training in TRAININGS.values())
NEEDED = ("jax", "optax")


class Lesson:
    """One objective at work, in its own process, and what it has told so far."""

    def __init__(self, task: str, objective: Live, restarts: int, steps: int) -> None:
        self.objective, self.steps = objective, steps
        self.reports: list[dict[str, Any]] = []
        self.stopped, self.error, self.last_words = False, "", ""
        asked = [task, objective, "--restarts", str(restarts), "--steps", str(steps)]
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", MODULE, *asked],
            env={**os.environ, **ENVIRONMENT},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        """Listen until the process has ended."""
        with self.process as process:
            for line in process.stdout or ():
                try:
                    told = json.loads(line)
                except ValueError:  # a warning, or what it died of
                    self.last_words = line.strip() or self.last_words
                    continue
                if "error" in told:
                    self.error = told["error"]
                else:
                    self.reports.append(told)
        if process.returncode and not self.stopped and not self.error:
            self.error = f"the training ended before it was done: {self.last_words[:200] or 'without a word'}"

    @property
    def state(self) -> State:
        if self.reader.is_alive():
            return "running"
        return "stopped" if self.stopped else "failed" if self.error else "done"

    def stop(self) -> None:
        """End the process, whatever it does: it has nothing to tidy up. What it has told stays."""
        if self.state != "running":
            return
        self.stopped = True
        self.process.kill()
        self.reader.join()

    def to_dict(self) -> dict[str, Any]:
        """Return the state as plain values: the curves of all restarts, and the programs found so far."""
        reports = list(self.reports)
        last = reports[-1] if reports else {"step": 0, "seconds": 0.0, "best_accuracy": [], "programs": []}
        return {
            "objective": self.objective,
            "state": self.state,
            "error": self.error,
            "step": last["step"],
            "steps": self.steps,
            "seconds": round(last["seconds"], 1),
            "curves": [
                {name: report[name] for name in ("step", "loss", "accuracy")}
                | {"accuracy": rounded(report["accuracy"])}
                for report in reports
            ],
            "best": rounded(last["best_accuracy"]),
            "programs": last["programs"],
        }


class Training:
    """What a server trains: nothing, or one task for everybody to look at."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lessons: list[Lesson] = []
        self._task, self._restarts = "", 0

    def start(self, task: str = SMALL_TASKS[0], restarts: int = RESTARTS, steps: int = MOST_STEPS) -> None:
        """Begin to train a small task anew, unless a training runs already; for `steps` at most."""
        check_installed()
        with self._lock:
            if self.state == "running":
                raise Refused(f"{self._task} is being trained already; look at it, or stop it first", 409)
            lessons: list[Lesson] = []
            try:
                for each, training in TRAININGS.items():
                    lessons.append(Lesson(task, each, restarts, min(steps, training.steps)))
            except (OSError, RuntimeError) as error:  # no process or thread more
                for lesson in lessons:
                    lesson.stop()
                raise Refused(f"the training cannot be started now: {error}; try again later", 503) from None
            self._task, self._restarts, self._lessons = task, restarts, lessons

    @property
    def state(self) -> State:
        """The state of both lessons together."""
        states: list[State] = [lesson.state for lesson in self._lessons]
        return min(states, key=ORDER.index) if states else "idle"

    def stop(self) -> None:
        """End the training; what was learnt can still be looked at."""
        with self._lock:
            for lesson in self._lessons:
                lesson.stop()

    def reset(self) -> None:
        """End the training and forget it."""
        with self._lock:
            for lesson in self._lessons:
                lesson.stop()
            self._lessons = []

    def to_dict(self) -> dict[str, Any]:
        with self._lock:
            lessons = [lesson.to_dict() for lesson in self._lessons]
            return {"state": self.state, "task": self._task, "restarts": self._restarts, "objectives": lessons}


def check_installed() -> None:
    """Refuse where the packages that train are missing."""
    for name in NEEDED:
        if importlib.util.find_spec(name) is None:
            raise Refused(str(not_installed("training needs", name, "train")), 501)
