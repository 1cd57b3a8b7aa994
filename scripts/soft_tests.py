"""The kept networks of soft groups, answered as the product does: the best of each task by further validation, tested.

    python scripts/soft_tests.py FOLDER results/ways-tests.json

FOLDER holds what `scripts/soft_runs.py` left: `GROUP-TASK-ORDER-run-PLACE.safetensors`, of each group the two best by
validation. Each is asked questions of every template alike, where validation in training draws the category first; that
which answers most of them is asked the full test set. Neither seed was used before. What is there is not asked again.
"""

import json
import re
import sys
import time
from pathlib import Path
from typing import Any

from neural_programmer.data.paper import TASKS, test_size
from neural_programmer.front import load
from neural_programmer.learning.evaluation import evaluate
from neural_programmer.paper.record import circumstances

CHOOSING_SEED, TEST_SEED = 90_000, 80_000
CHOOSING = 1_000  # questions
SHOWN = 10  # wrong answers that are kept


def asked(path: Path, task: str, seed: int, most: int | None = None) -> dict[str, Any]:
    """How well a network answers test sets of a seed, several where they are small."""
    began, size = time.monotonic(), test_size(TASKS[task])
    many = 1 if most is None else max(1, most // size)
    score = evaluate(load(path), TASKS[task], seed, many, None if most is None else min(most, size)).to_dict()
    score["errors"] = score["errors"][:SHOWN]
    return {**score, "seconds": round(time.monotonic() - began, 1)}


def main(folder: Path, out: Path) -> None:
    told = json.loads(out.read_text()) if out.exists() else {"networks": {}, "tests": {}}

    def write() -> None:
        told["circumstances"] = circumstances(f"python scripts/soft_tests.py FOLDER {out}")
        out.write_text(json.dumps(told, indent=1) + "\n")

    for path in sorted(folder.glob("*.safetensors")):
        found = re.fullmatch(rf"([a-z]+)-({'|'.join(TASKS)})-(\d)-run-(\d+)", path.stem)
        if found is None or path.stem in told["networks"]:
            continue
        score = asked(path, found[2], CHOOSING_SEED, CHOOSING)
        about = {"task": found[2], "group": f"{found[1]}-{found[2]}", "order": int(found[3]), "run": int(found[4])}
        told["networks"][path.stem] = {**about, "seed": CHOOSING_SEED, "accuracy": score["overall"]["accuracy"]}
        write()
        print(path.stem, told["networks"][path.stem]["accuracy"], flush=True)
    for task in TASKS:
        of_task = {name: each["accuracy"] for name, each in told["networks"].items() if each["task"] == task}
        if not of_task:
            continue
        name = max(of_task, key=lambda name: (of_task[name], name))
        if told["tests"].get(task, {}).get("network") != name:
            told["tests"][task] = {"network": name, **asked(folder / f"{name}.safetensors", task, TEST_SEED)}
            write()
        print(task, name, told["tests"][task]["overall"], flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
