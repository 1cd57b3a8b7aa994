"""How often soft training succeeds: the paper's grid of 72 settings, three seeds each, with and without gradient noise.

Published (Neelakantan et al. 2015, arXiv 1511.06807): of 216 runs on one column, 9 reach 100 % with noise, 1 without.
All runs train side by side. A run succeeds when, with the weights that did best on validation data, it answers every
question of ten test sets: 23 templates each, 120 rows, numbers in [-200, 200].
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import numpy as np

from neural_programmer.config import Arguments, TrainingConfig
from neural_programmer.experiments.record import circumstances, save
from neural_programmer.learning.learners import learner_of
from neural_programmer.learning.training import GRID, Report, accuracies, settings_of, train
from neural_programmer.tasks import draw_test, task

TEST_SETS = 10
TEST_SEED = 1000


NOISE = ({"noise": 1.0}, {"noise": 0.0})  # the published comparison


def soft_grid(
    out: str | Path,
    name: str,
    arguments: Arguments = "blended",
    steps: int = 17_000,
    seeds: int = 3,
    variants: Sequence[dict[str, float]] = NOISE,
    grid: bool = True,
    hidden: int = 256,
    report_every: int = 500,
) -> dict[str, Any]:
    """Train the grid in every variant (settings of TrainingConfig); write `OUT/NAME.json` and the best model."""
    command = (
        f"soft_grid(out, {name!r}, {arguments=}, {steps=}, {seeds=}, {variants=}, {grid=}, {hidden=}, {report_every=})"
    )
    setting = task("single-column")
    learner = learner_of(setting, replace(setting.paper, arguments=arguments, hidden=hidden), TrainingConfig(), "soft")
    config = TrainingConfig(steps=steps, restarts=seeds, grid=grid, report_every=report_every)
    runs = [replace(run, **variant) for variant in variants for run in settings_of(config)]
    variant_of = np.repeat(np.arange(len(variants)), len(runs) // len(variants))
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
    together = jax.tree.map(lambda *arrays: np.concatenate(arrays), *tests)
    test = np.asarray(jax.jit(accuracies, static_argnums=0)(learner, trained.parameters, together))
    validation = np.asarray(trained.reports[-1].best_accuracy)
    curves = np.asarray([report.accuracy for report in trained.reports])
    result = {
        "experiment": "single-column by soft training over the paper's grid",
        "circumstances": circumstances(command),
        "arguments": arguments,
        "steps": steps,
        "seconds": round(time.monotonic() - started, 1),
        "test_seeds": list(range(TEST_SEED, TEST_SEED + TEST_SETS)),
        "test_questions": len(together.target.scalar),
        "variants": [
            {
                **variant,
                "runs": int((variant_of == place).sum()),
                "at_100": int((test[variant_of == place] == 1).sum()),
                "best": round(float(test[variant_of == place].max()), 4),
                "median": round(float(np.median(test[variant_of == place])), 4),
                "validation_curve": [
                    {"step": report.step, "best": round(float(row.max()), 4), "median": round(float(np.median(row)), 4)}
                    for report, row in zip(trained.reports, curves[:, variant_of == place], strict=True)
                ],
            }
            for place, variant in enumerate(variants)
        ],
        "runs": [
            {
                **{setting: getattr(run, setting) for setting in (*GRID, "noise", "entropy", "entropy_steps")},
                "restart": place,
                "validation": round(float(validation[place]), 4),
                "test": round(float(test[place]), 4),
            }
            for place, run in enumerate(runs)
        ],
    }
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    save(folder / f"{name}.json", result)
    trained.model.save(folder / f"{name}.safetensors")  # the best on validation data, never on the test set
    for variant in result["variants"]:
        print({key: value for key, value in variant.items() if key != "validation_curve"}, flush=True)
    return result
