"""All eight LSTMs of section 3.2.2, three restarts of each; a result `lstm-H-heads-table-first` or `-last` for each.

python scripts/lstm_runs.py OUT --seconds 100    # 100 seconds at most for each number of heads

Both orders of table and question and all restarts of as many heads are trained side by side, until the steps are done
or the time is up.
"""

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

import neural_programmer
from neural_programmer.base.settings import to_dict
from neural_programmer.data.paper import draw_test
from neural_programmer.learning.config import LstmConfig, TrainingConfig
from neural_programmer.paper.config import LARGER, TEST_SEED
from neural_programmer.paper.lstm_runs import TASK, Look, tested, train
from neural_programmer.paper.record import circumstances, used

HEADS = (0, 1, 5, 10)
ORDERS = {"first": True, "last": False}


def main(arguments: list[str]) -> None:
    print(neural_programmer.__file__, flush=True)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--heads", type=int, nargs="+", default=HEADS)
    parser.add_argument("--steps", type=int, default=6_000)
    parser.add_argument("--every", type=int, default=250)
    parser.add_argument("--batch", type=int, default=400)
    parser.add_argument("--restarts", type=int, default=3)
    parser.add_argument("--rate", type=float, default=3e-3, help="Adam's step size at first; falls along a cosine")
    parser.add_argument(
        "--seconds",
        type=float,
        default=float("inf"),
        help="for each number of heads: fewer steps are taken where that many take longer",
    )
    asked = parser.parse_args(arguments)
    asked.out.mkdir(parents=True, exist_ok=True)
    command = "python scripts/lstm_runs.py " + " ".join(sys.argv[1:])
    firsts = [first for first in ORDERS.values() for _ in range(asked.restarts)]
    for heads in asked.heads:
        began = time.monotonic()

        def told(look: Look, heads: int = heads) -> None:
            shown = " ".join(f"{100 * each:.1f}" for each in look.accuracy)
            print(f"[lstm {heads}] {look.step:,} {look.seconds:.0f} s: {shown}", flush=True)

        rates = [asked.rate] * len(firsts)
        best, looks = train(heads, firsts, rates, asked.steps, asked.batch, asked.every, asked.seconds, told=told)
        scales = [
            tested(heads, firsts, best, draw_test(TASK, TEST_SEED, value_range=limit)) for limit in (None, LARGER)
        ]
        for place, (name, first) in enumerate(ORDERS.items()):
            own = slice(place * asked.restarts, (place + 1) * asked.restarts)
            experiment = f"lstm-{heads}-heads-table-{name}"
            training = replace(
                TrainingConfig(steps=asked.steps, restarts=asked.restarts, batch=asked.batch, learning_rate=asked.rate),
                report_every=asked.every,
                falling=True,
                validation=1_000,
            )
            result = {
                "experiment": experiment,
                "part": "lstm",
                "circumstances": circumstances(command),
                "task": TASK.name,
                "model": "LstmConfig",
                "objective": None,
                "network": to_dict(LstmConfig(heads=heads, table_first=first)),
                "training": to_dict(training),
                "test_seed": TEST_SEED,
                "test_questions": len(draw_test(TASK, TEST_SEED)),
                "at_100": sum(each == 1 for each in scales[0][own]),
                "restarts": [
                    {"accuracy": accuracy, "validation": validation}
                    for accuracy, validation in zip(scales[0][own], looks[-1].best[own], strict=True)
                ],
                "stopped_at": looks[-1].step,
                "steps_by_time": looks[-1].total,
                "curve": [
                    {"step": look.step, "seconds": look.seconds, "loss": look.loss[own], "accuracy": look.accuracy[own]}
                    for look in looks
                ],
                "ranges": {str(LARGER): scales[1][own]},
                "failing": [],
                "seconds": round(time.monotonic() - began, 1),
                "memory_mb": used()["megabytes"],
            }
            (asked.out / f"{experiment}.json").write_text(json.dumps(result, indent=1) + "\n")
        shown = [np.round(np.asarray(scale) * 100, 1).tolist() for scale in scales]
        print(f"[lstm {heads}] done, training scale {shown[0]}, larger {shown[1]}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
