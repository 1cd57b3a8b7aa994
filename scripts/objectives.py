"""The objectives on the same five-columns questions, each from nothing; into results/objectives.

python scripts/objectives.py run     # every way to learn that has no result yet, each in a process of its own
python scripts/objectives.py page    # docs/fit.md's table of what was measured so far
All ways answer the same test questions. Those of `fit` learn from the same file of triples; `train` from triples of the
same kind, as many as it draws. Seconds are those of all restarts, which learn side by side.
"""

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from neural_programmer import api
from neural_programmer.data.paper import TASKS, draw_test
from neural_programmer.data.paper.draws import draw_train
from neural_programmer.data.paper.export import write
from neural_programmer.learning.config import ALL_RIGHT, FitConfig, TrainingConfig
from neural_programmer.learning.evaluation import percent
from neural_programmer.learning.training import Report, TrainingResult, one
from neural_programmer.paper.record import circumstances, save, used

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "results" / "objectives"
TASK = "five-columns"
TRIPLES, ASKED = 5_000, 300  # to learn from and to validate by; and to be tested on
RESTARTS, STEPS = 3, 1_500  # of a fit; `train` stops by itself
SEED, TEST_SEED = 0, 40_000
WAYS = {
    "fit-soft": "soft, `fit`",
    "fit-marginal": "marginal, `fit`: programs tried before training",
    "fit-enumerated": "enumerated, `fit`",
    "train-marginal": "marginal, `train`: programs searched while training",
}


def measured(way: str) -> dict:
    """Train all restarts of one way to learn, and ask each of them all test questions."""
    command, objective = way.split("-")
    began = time.monotonic()
    trained, learning = (fitted if command == "fit" else drawn)(objective)
    seconds, taken = round(time.monotonic() - began, 1), used()
    restarts = []
    with tempfile.TemporaryDirectory() as folder:
        test = Path(folder) / "test.jsonl"
        write(draw_test(TASKS[TASK], TEST_SEED, ASKED), test)
        for place in range(RESTARTS):
            model = replace(trained.model, parameters=one(trained.parameters, place))
            if command == "fit":
                score = api.judge(model, test).overall
            else:
                score = api.evaluate(model, TASK, seed=TEST_SEED, count=ASKED).overall
            restarts.append({**score.to_dict(), "validation": trained.reports[-1].best_accuracy[place]})
    return {
        "way": way,
        "task": TASK,
        "seed": SEED,
        "test_seed": TEST_SEED,
        "learning": learning,
        "restarts": restarts,
        "at_100": sum(each["accuracy"] == 1 for each in restarts),
        "steps": trained.reports[-1].step,
        "seconds": seconds,
        **taken,
        "curve": [{"step": each.step, "accuracy": each.accuracy} for each in trained.reports],
    }


def told(now: Report) -> None:
    """Whoever waits sees how far it is."""
    print(f"step {now.step:,}, {now.seconds:,.0f} s: {now.accuracy}", file=sys.stderr, flush=True)


def fitted(objective: str) -> tuple[TrainingResult, dict]:
    """By `fit --start nothing`."""
    config = FitConfig(restarts=RESTARTS, seed=SEED, steps=STEPS)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.jsonl"
        write(draw_train(TASKS[TASK], TRIPLES, SEED), data)
        found = api.fit(data, start=api.NOTHING, objective=objective, config=config, report=told)  # type: ignore[arg-type]
    return found.training, {"triples": TRIPLES, "split": found.report.about["split"]}


def drawn(objective: str) -> tuple[TrainingResult, dict]:
    """By `train`, which stops as a fit does when all validation questions are right."""
    config = TrainingConfig(restarts=RESTARTS, seed=SEED, patience=ALL_RIGHT)
    found = api.train(TASK, training=config, objective=objective, report=told)  # type: ignore[arg-type]
    return found, {"triples": config.examples, "validation": config.validation}


def page() -> str:
    """What was measured, as a table."""
    heads = "objective, restarts at 100 %, best %, mean %, worst %, steps, seconds, CPU s, MB".split(", ")
    lines = ["| " + " | ".join(heads) + " |", "| --- |" + " ---: |" * (len(heads) - 1)]
    for way, said in WAYS.items():
        if (file := RESULTS / f"{way}.json").exists():
            found = json.loads(file.read_text())
            shares = [each["accuracy"] for each in found["restarts"]]
            cells = [said, f"{found['at_100']} of {len(shares)}"]
            cells += map(percent, (max(shares), sum(shares) / len(shares), min(shares)))
            cells += [f"{found[name]:,.0f}" for name in ("steps", "seconds", "cpu_seconds", "megabytes")]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(what: str, *which: str) -> None:
    if what == "one":
        (way,) = which
        RESULTS.mkdir(parents=True, exist_ok=True)
        save(RESULTS / f"{way}.json", {**circumstances(f"python scripts/objectives.py one {way}"), **measured(way)})
    elif what == "run":
        for way in which or WAYS:
            if not (RESULTS / f"{way}.json").exists():
                subprocess.run([sys.executable, __file__, "one", way], check=True)
    else:
        print(page())


if __name__ == "__main__":
    main(*sys.argv[1:])
