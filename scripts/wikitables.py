"""Measure models on questions of WikiTableQuestions, and write down how they did.

python scripts/wikitables.py measure MODEL QUESTIONS.tsv NAME     # results/wikitables/NAME.json
python scripts/wikitables.py together OUT MODEL MODEL ...         # models of one training as one that decides by all
python scripts/wikitables.py calibrate MODEL QUESTIONS.tsv OUT    # the model with confidences that are right on average

Models come of `neural-programmer fit random-split-1-train.tsv --validation random-split-1-dev.tsv`.
"""

import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from neural_programmer import api
from neural_programmer.answering.model import Model
from neural_programmer.learning.judgement import NO_PROGRAM, Judgement
from neural_programmer.network import equations as network
from neural_programmer.paper.record import circumstances, save

ROOT = Path(__file__).parent.parent
BINS = 10  # of confidences


def measure(model: str, questions: str, name: str) -> None:
    """How many answers are right, by kind of question; shares of the errors; seconds for a question."""
    loaded = _loaded(model)
    start = time.perf_counter()
    found = api.judge(loaded, questions)
    seconds = time.perf_counter() - start
    wrong = [verdict for verdict in found.verdicts if not verdict.right]
    without = sum(verdict.kind == NO_PROGRAM for verdict in wrong)
    result = {
        **circumstances(f"python scripts/wikitables.py measure {Path(model).name} {Path(questions).name} {name}"),
        "members": loaded.config.members,
        "overall": found.overall.to_dict(),
        "kinds": {kind: one.to_dict() for kind, one in found.kinds.items()},
        "wrong": {"no candidate gives the answer": without, "another was chosen": len(wrong) - without},
        "calibration_error": _calibration_error(found),
        "seconds_a_question": seconds / len(found.verdicts),
    }
    (ROOT / "results" / "wikitables").mkdir(exist_ok=True)
    save(ROOT / "results" / "wikitables" / f"{name}.json", result)
    print(name, result["overall"], result["wrong"], f"{result['seconds_a_question']:.4f} s a question")


def together(out: str, *models: str) -> None:
    """One model of several that were trained side by side."""
    each = [_loaded(model) for model in models]
    first = each[0]
    if any((one.config, one.vocabulary) != (first.config, first.vocabulary) for one in each):
        raise SystemExit("these models are not of one training: they have other settings or words")
    columns = zip(*(one.parameters for one in each), strict=True)
    parameters = network.Parameters(*(None if arrays[0] is None else np.stack(arrays) for arrays in columns))
    config = replace(first.config, members=len(each))
    replace(first, config=config, parameters=parameters).save(out, half=True)


def calibrate(model: str, questions: str, out: str) -> None:
    """Fit the two numbers of a model's calibration (see Model.calibration), by Newton's method."""
    loaded = replace(_loaded(model), calibration=Model.calibration)
    verdicts = api.judge(loaded, questions).verdicts
    sure = np.clip([verdict.confidence for verdict in verdicts], 1e-9, 1 - 1e-9)
    right = np.array([verdict.right for verdict in verdicts], float)
    inputs = np.stack([np.log(sure / (1 - sure)), np.ones_like(sure)], axis=1)
    weights = np.array(Model.calibration)
    for _ in range(50):
        said = 1 / (1 + np.exp(-inputs @ weights))
        curvature = (inputs * (said * (1 - said))[:, None]).T @ inputs
        weights = weights + np.linalg.solve(curvature, inputs.T @ (right - said))
    replace(loaded, calibration=(float(weights[0]), float(weights[1]))).save(out, half=True)
    print("calibration", weights.tolist())


def _loaded(model: str) -> Model:
    loaded = api.load(model)
    if not isinstance(loaded, Model):
        raise SystemExit(f"{model} is no Neural Programmer")
    return loaded


def _calibration_error(found: Judgement) -> float:
    """The mean difference of confidence and share of right answers, over bins of confidence."""
    sure = np.array([verdict.confidence for verdict in found.verdicts])
    right = np.array([verdict.right for verdict in found.verdicts])
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    parts = [(bins == place) for place in range(BINS) if (bins == place).any()]
    return float(sum(part.mean() * abs(sure[part].mean() - right[part].mean()) for part in parts))


if __name__ == "__main__":
    command, *arguments = sys.argv[1:] or ["help"]
    commands = {"measure": measure, "together": together, "calibrate": calibrate}
    if command not in commands:
        raise SystemExit(__doc__)
    commands[command](*arguments)
