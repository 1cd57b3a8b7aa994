"""How often soft training succeeds: the paper's grid of 72 settings, three seeds each, with and without gradient noise.

Published (Neelakantan et al. 2015, arXiv 1511.06807): of 216 runs on one column, 9 reach 100 % with noise, 1 without.
All runs train side by side. A run succeeds when, with the weights that did best on validation data, it answers every
question of ten test sets: 23 templates each, 120 rows, numbers in [-200, 200].
"""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import numpy as np

from neural_programmer.config import PivotReading, TrainingConfig
from neural_programmer.encode import Vocabulary
from neural_programmer.experiments.record import circumstances, save
from neural_programmer.learning.soft import SoftLearner
from neural_programmer.learning.training import Report, accuracies, settings_of, train
from neural_programmer.tasks import draw_test, task

TEST_SETS = 10
TEST_SEED = 1000


def noise_grid(
    out: str | Path,
    pivot: PivotReading = "blended",
    steps: int = 20_000,
    seeds: int = 3,
    noises: tuple[float, ...] = (1.0, 0.0),
    grid: bool = True,
    hidden: int = 256,
    report_every: int = 500,
) -> dict[str, Any]:
    """Train the grid with every amount of noise, write `OUT/single-column-soft-PIVOT.json` and the best model."""
    setting = task("single-column")
    learner = SoftLearner(replace(setting.network, pivot=pivot, hidden=hidden), Vocabulary.of(setting.words))
    config = TrainingConfig(steps=steps, restarts=seeds, grid=grid, report_every=report_every)
    runs = [replace(run, noise=noise) for noise in noises for run in settings_of(config)]
    started = time.monotonic()

    def progress(report: Report) -> None:
        accuracy = np.asarray(report.accuracy)
        print(
            f"step {report.step:6d}  {report.seconds:6.1f} s  best {accuracy.max():.3f}  "
            f"median {np.median(accuracy):.3f}  at 100 %: {int((accuracy == 1).sum())} of {len(accuracy)}",
            flush=True,
        )

    trained = train(learner, setting, config, progress, runs=runs)
    tests = [learner.encode(draw_test(setting, TEST_SEED + place)) for place in range(TEST_SETS)]
    merged = jax.tree.map(lambda *arrays: np.concatenate(arrays), *tests)
    test = np.asarray(jax.jit(accuracies, static_argnums=0)(learner, trained.parameters, merged))
    validation = np.asarray(trained.reports[-1].best_accuracy)
    rows = [
        {
            **{name: getattr(run, name) for name in ("clip", "epsilon", "delta", "lookup_weight", "noise")},
            "seed": place % seeds,
            "validation": round(float(validation[place]), 4),
            "test": round(float(test[place]), 4),
        }
        for place, run in enumerate(runs)
    ]
    result = {
        "experiment": "single-column by soft training: the paper's grid, with and without gradient noise",
        "circumstances": circumstances(
            f"noise_grid(out, pivot={pivot!r}, steps={steps}, seeds={seeds}, noises={noises}, grid={grid}, hidden={hidden})"
        ),
        "pivot": pivot,
        "steps": steps,
        "seconds": round(time.monotonic() - started, 1),
        "succeeded": {
            str(noise): {
                "runs": sum(row["noise"] == noise for row in rows),
                "at_100": sum(row["noise"] == noise and row["test"] == 1 for row in rows),
                "best": max(row["test"] for row in rows if row["noise"] == noise),
                "median": float(np.median([row["test"] for row in rows if row["noise"] == noise])),
            }
            for noise in noises
        },
        "curves": {
            str(noise): [
                {
                    "step": report.step,
                    "best": max(accuracy),
                    "median": float(np.median(accuracy)),
                    "at_100": sum(value == 1 for value in accuracy),
                }
                for report in trained.reports
                for accuracy in [[a for a, run in zip(report.accuracy, runs, strict=True) if run.noise == noise]]
            ]
            for noise in noises
        },
        "runs": rows,
    }
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    save(folder / f"single-column-soft-{pivot}.json", result)
    best = int(np.argmax(test + 1e-3 * validation))
    weights = jax.tree.map(lambda array: np.asarray(array[best]), trained.parameters)
    record = {"task": setting.name, "seed": config.seed, "examples": config.examples}
    learner.model(weights, record).save(folder / f"single-column-soft-{pivot}.safetensors")
    print({noise: counts for noise, counts in result["succeeded"].items()}, flush=True)
    return result


