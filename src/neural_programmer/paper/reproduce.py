"""The paper's evaluation and ours, experiment by experiment: results as JSON, then a page with tables and plots.

An experiment whose result is there is not run again; one that was stopped goes on where it was.
"""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from neural_programmer.data.paper import TASKS
from neural_programmer.errors import NeuralProgrammerError, one_of
from neural_programmer.learning.config import LstmConfig, TrainingConfig, completed
from neural_programmer.learning.training import Report
from neural_programmer.network import older
from neural_programmer.paper.asked_groups import GROUPS
from neural_programmer.paper.config import LARGER, RESTARTS, Part
from neural_programmer.paper.record import save
from neural_programmer.paper.restarts import Experiment, measure
from neural_programmer.paper.soft_results import Ways

PAPER = tuple(name for name, task in TASKS.items() if task.published is not None)  # the eight settings
SCALARS = "single-column-scalars"
PARTS = get_args(Part)
SOFT_RESTARTS = {  # at most: a restart of these takes many times as long as one of a single column
    "three-columns": 9, "five-columns": 9, "ten-columns": 3, "words-one-column": 9, "words-five-columns": 3,
    "text-two-columns": 9, "text-five-columns": 3,
}  # fmt: skip


def experiments(
    parts: Sequence[str] = PARTS, tasks: Sequence[str] = (), restarts: int = RESTARTS, seed: int = 0
) -> list[Experiment | Ways]:
    """What is to be run: the parts, each on the tasks named, or on all that belong to it."""
    for part in parts:
        if part not in PARTS:
            raise one_of("part", part, dict.fromkeys(PARTS))
    for task in tasks:
        if task not in TASKS:
            raise one_of("task", task, TASKS)
    made = {part: MAKERS[part](TrainingConfig(restarts=restarts, seed=seed)) for part in parts}
    chosen = [each for part in parts for each in made[part] if not tasks or each.task in tasks]
    if not parts:
        raise NeuralProgrammerError(f"name at least one part of the evaluation: {', '.join(PARTS)}")
    if not chosen:
        raise NeuralProgrammerError(f"no experiment of {', '.join(parts)} is about {', '.join(tasks)}")
    return chosen


def _marginal(training: TrainingConfig) -> list[Experiment]:
    """One configuration for every task, the two beyond the paper and the simpler set of the LSTM comparison too.

    It is the default, looked at five times as often: the first hundred steps are where most is learnt.
    """
    training = replace(training, report_every=training.report_every // 5, patience=training.patience * 5)
    return [
        Experiment(f"marginal-{name}", "marginal", name, training=training, ranges=(LARGER,) if name == SCALARS else ())
        for name in TASKS
    ]


def _soft(training: TrainingConfig) -> list[Experiment]:
    """Return the paper's network with comparisons mixed, errors relative to the answer, and a reward for undecided
    selections and noise on them, both falling slowly; see docs/log.md for how each was chosen."""
    training = replace(training, steps=36_000, report_every=1_000, relative=20.0, delta=10.0, lookup_weight=1.0)
    training = replace(training, entropy=0.05, selection_noise=1.0, entropy_steps=27_000)
    networks = {name: replace(TASKS[name].paper, arguments="mixed") for name in PAPER}
    trained = {
        name: replace(training, restarts=min(training.restarts, SOFT_RESTARTS.get(name, training.restarts)))
        for name in PAPER
    }
    return [Experiment(f"soft-{name}", "soft", name, "soft", networks[name], trained[name]) for name in PAPER]


def _grid(training: TrainingConfig) -> list[Experiment]:
    """Return the published comparison: one column, 72 settings, three restarts of each, with and without gradient
    noise."""
    training = replace(training, restarts=min(training.restarts, 3), grid=True, steps=17_000, report_every=500)
    return [_noisy("grid", "single-column", training, noise) for noise in (1.0, 0.0)]


def _noise(training: TrainingConfig) -> list[Experiment]:
    """Return the paper's figure: five columns, soft, with and without gradient noise."""
    training = replace(training, restarts=min(training.restarts, 3), steps=10_000, report_every=500)
    return [_noisy("noise", "five-columns", training, noise) for noise in (1.0, 0.0)]


def _noisy(part: str, task: str, training: TrainingConfig, noise: float) -> Experiment:
    name = f"{part}-{'with' if noise else 'without'}-noise"
    return Experiment(name, part, task, "soft", training=replace(training, noise=noise))


def _lstm(training: TrainingConfig) -> list[Experiment]:
    """LSTM with one, five and ten attention heads and without, the table before the question and after it; three
    restarts of each of the eight. `scripts/lstm_runs.py` does the same many times as fast, where there is a GPU."""
    training = replace(training, restarts=min(training.restarts, 3), steps=6_000, batch=400, learning_rate=3e-3)
    training = replace(training, falling=True, validation=1_000, report_every=250)
    return [
        Experiment(
            f"lstm-{heads}-heads-table-{'first' if first else 'last'}",
            "lstm",
            SCALARS,
            network=LstmConfig(heads=heads, table_first=first),
            training=training,
            ranges=(LARGER,),
        )
        for heads in (0, 1, 5, 10)
        for first in (True, False)
    ]


def _ways(training: TrainingConfig) -> list[Ways]:
    """The soft objective in many ways, group by group; `scripts/soft_runs.py` runs them where time is short."""
    return [Ways(group, training.restarts) for group in GROUPS]


MAKERS: dict[str, Callable[[TrainingConfig], Sequence[Experiment | Ways]]] = {
    "marginal": _marginal,
    "soft": _soft,
    "ways": _ways,
    "grid": _grid,
    "noise": _noise,
    "lstm": _lstm,
}


def run(
    chosen: Sequence[Experiment | Ways],
    results: Path,
    runs: Path,
    begin: Callable[[str, int, bool], Callable[[Report], None]] = lambda name, steps, done: lambda report: None,
) -> list[dict[str, Any]]:
    """Run what has no result yet. `begin` is told of every experiment: name, steps, whether it was done before."""
    for folder in (results, runs):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise NeuralProgrammerError(f"cannot make the folder {folder}: {error.strerror}") from None
        if not os.access(folder, os.W_OK):
            raise NeuralProgrammerError(f"cannot write into the folder {folder}")
    done = {experiment.name: _result(results / f"{experiment.name}.json", experiment) for experiment in chosen}
    found = []
    for experiment in chosen:
        path, result = results / f"{experiment.name}.json", done[experiment.name]
        report = begin(experiment.name, experiment.training.steps, result is not None)
        if result is None:
            training = experiment.training
            folder = f"{experiment.name}-{training.restarts}-restarts-seed-{training.seed}"
            folder = runs / folder
            result = (
                experiment.measure(folder, report)
                if isinstance(experiment, Ways)
                else measure(experiment, folder, report)
            )
            save(path, result)
        found.append(result)
    return found


def completed_ways(result: dict[str, Any]) -> dict[str, Any]:
    """A result of ways, with settings of its network that came later as they were then."""
    return {**result, "network": older.completed(result["network"])}


def _result(path: Path, experiment: Experiment | Ways) -> dict[str, Any] | None:
    """The result of this experiment, if it was run with these settings."""
    if not path.is_file():
        return None
    try:
        result = json.loads(path.read_text())
        result = completed_ways(result) if isinstance(experiment, Ways) else completed(result)
        asked = json.loads(json.dumps(experiment.settings))
        if {name: result[name] for name in asked} == asked:
            return result
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise NeuralProgrammerError(f"{path} is not a result of {experiment.name} ({error}); move it away") from None
    parts = [(asked[part], result[part]) for part in ("network", "training") if isinstance(result.get(part), dict)]
    differing = [
        f"{name} {has.get(name)}" for wants, has in parts for name, value in wants.items() if has.get(name) != value
    ]
    raise NeuralProgrammerError(
        f"{path} is of other settings ({', '.join(differing) or 'another task or objective'}); move it away to run "
        f"{experiment.name} anew"
    )
