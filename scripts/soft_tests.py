"""The best networks of the final soft groups on the full test sets, answered as the product does.

    python scripts/soft_tests.py FOLDER results/ways-final-tests.json

FOLDER holds what `scripts/soft_runs.py` left: `final-TASK-ORDER-run-PLACE.safetensors`, the best by validation first.
Each is asked every template of a test set of a seed by which nothing was chosen. What is there is not asked again.
"""

import json
import re
import sys
import time
from pathlib import Path

from neural_programmer.data.paper import TASKS, test_size
from neural_programmer.front import load
from neural_programmer.learning.evaluation import evaluate
from neural_programmer.paper.record import circumstances

TEST_SEED = 60_000
SHOWN = 10  # wrong answers that are kept


def main(folder: Path, out: Path) -> None:
    told = json.loads(out.read_text()) if out.exists() else {"tests": {}}
    found = [re.fullmatch(r"final-(.+)-(\d)-run-(\d+)", path.stem) for path in folder.glob("final-*.safetensors")]
    named = sorted((int(each[2]), test_size(TASKS[each[1]]), each) for each in found if each)
    for order, size, each in named:
        name = each[0]
        if name in told["tests"]:
            continue
        model = load(folder / f"{name}.safetensors")
        began = time.monotonic()
        score = evaluate(model, TASKS[each[1]], TEST_SEED).to_dict()
        score["errors"] = score["errors"][:SHOWN]
        told["tests"][name] = {
            "task": each[1], "order": order, "run": int(each[3]), "questions": size,
            **score, "seconds": round(time.monotonic() - began, 1),
        }  # fmt: skip
        told["circumstances"] = circumstances("python scripts/soft_tests.py FOLDER " + str(out))
        out.write_text(json.dumps(told, indent=1) + "\n")
        print(name, told["tests"][name]["overall"], flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
