"""Run the gold SQL of the written questions; exits with 1 where that of a question with a kind gives nothing.

python tests/data/check_written.py          all folders
python tests/data/check_written.py 03 19    only the folders named
"""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from neural_programmer.data.folders import KINDS, read
from neural_programmer.data.written import FOLDER


def lines(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of a folder."""
    return [json.loads(line) for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()]


def faults(folder: Path) -> list[str]:
    """Return what is wrong with the lines of a folder that have a kind: their names, their SQL, their answers."""
    kinded = [line for line in lines(folder) if "kind" in line]
    found = [
        f"{folder.name}: {line}"
        for line in kinded
        if set(line) != {"table", "question", "sql", "kind"} or line["kind"] not in KINDS or line["sql"] is None
    ]
    if found or not kinded:
        return found
    read_here = [one for one in read(folder, np.random.default_rng(0), KINDS) if one.kind]
    unread = Counter(line["question"] for line in kinded) - Counter(one.question for one in read_here)
    found += [f"{folder.name}: the SQL fails: {question}" for question in unread]
    empty = [one for one in read_here if not one.answers[0].result.length]
    return found + [f"{folder.name}: no answer: {one.question}" for one in empty]


def main(names: list[str]) -> int:
    """Check the folders that are named, or all; count the questions of each kind."""
    folders = sorted(file.parent for file in FOLDER.glob("*/questions.jsonl"))
    counts: Counter[str] = Counter()
    wrong = 0
    for folder in folders:
        if names and folder.name not in names:
            continue
        counts.update(line["kind"] for line in lines(folder) if "kind" in line)
        for fault in faults(folder):
            wrong += 1
            print(fault)
    print(", ".join(f"{kind} {count}" for kind, count in counts.most_common()), f"= {counts.total()}; {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
