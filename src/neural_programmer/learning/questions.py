"""How well a model answers questions that people wrote, judged by gold SQL: by group, with every miss, and calibration.

A folder of questions has questions.jsonl, one object a line with id, table (a file beside it), question, group and
answer: a number, a list of cells, or null where the table cannot answer. Those of the group `analysis` have tables,
truths, orders or figures computed of figures as answers; they are left out of what measures the shipped models.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from neural_programmer.answering.asking import Desk, ask
from neural_programmer.programs.same import is_right

BEYOND = frozenset({"analysis"})  # groups whose answers need operations that no shipped model has
BINS = 10  # of confidence, for the calibration error


@dataclass(frozen=True)
class Judged:
    """One question with what was wanted and what was said."""

    id: str
    group: str
    question: str
    wanted: Any
    said: Any
    program: str
    confidence: float
    right: bool


def measured(folder: Path) -> list[dict[str, Any]]:
    """Return the questions of a folder that the shipped models are measured on: those of all groups but BEYOND."""
    every = map(json.loads, (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines())
    return [one for one in every if one["group"] not in BEYOND]


def judge(model: Any, folder: Path, progress: Callable[[int, int], None] = lambda done, total: None) -> list[Judged]:
    """Ask a model the questions of a folder that it is measured on."""
    asked, desk, judged = measured(folder), Desk(), []
    for place, one in enumerate(asked, 1):
        answer = ask(model, folder / one["table"], one["question"], desk=desk)
        program = "; ".join(map(str, answer.steps))
        right = is_right(answer.value, one["answer"])
        what = one["id"], one["group"], one["question"], one["answer"], answer.value
        judged.append(Judged(*what, program, answer.confidence or 0.0, right))
        progress(place, len(asked))
    return judged


def calibration_error(judged: Sequence[Judged]) -> float:
    """Return the expected calibration error: the mean over bins of confidence of |accuracy - mean confidence|, weighted
    by how many answers a bin has."""
    bins: dict[int, list[Judged]] = defaultdict(list)
    for one in judged:
        bins[min(int(one.confidence * BINS), BINS - 1)].append(one)
    gaps = (abs(sum(one.right for one in some) - sum(one.confidence for one in some)) for some in bins.values())
    return sum(gaps) / len(judged)


def summary(judged: Sequence[Judged]) -> dict[str, Any]:
    """Return how many were right in each group and in all, the calibration error, and every miss."""
    groups: dict[str, list[bool]] = defaultdict(list)
    for one in judged:
        groups[one.group].append(one.right)
    counts = {group: {"right": sum(right), "of": len(right)} for group, right in groups.items()}
    every = [one.right for one in judged]
    return {
        "groups": counts,
        "all": {"right": sum(every), "of": len(every)},
        "calibration_error": round(calibration_error(judged), 4),
        "misses": [asdict(one) for one in judged if not one.right],
    }
