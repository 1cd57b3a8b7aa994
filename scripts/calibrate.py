"""Make a model as sure as it should be: `python scripts/calibrate.py MODEL [OUT]`.

Asks all development questions of tests/questions, finds the two numbers with which sigmoid(a log(p / (1 - p)) + b) says
best how often the program of probability p is right (logistic regression), and writes the model with them, in half
precision.
"""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from neural_programmer.answering.model import Model
from neural_programmer.api import load
from neural_programmer.learning.questions import Judged, calibration_error, judge

QUESTIONS = Path(__file__).parent.parent / "tests" / "questions"
STEPS = 100
PRIOR = 1.0  # pulls towards a = 1, b = 0, as one question would


def fitted(odds: np.ndarray, right: np.ndarray) -> tuple[float, float]:
    """Newton's steps on the log-likelihood, none of them longer than 0.1."""
    inputs, weights = np.stack([odds, np.ones_like(odds)], axis=1), np.array([1.0, 0.0])
    for _ in range(STEPS):
        sure = (1 + np.tanh(inputs @ weights / 2)) / 2
        gradient = inputs.T @ (right - sure) - PRIOR * (weights - np.array([1.0, 0.0]))
        curvature = (inputs * (sure * (1 - sure))[:, None]).T @ inputs + PRIOR * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        weights = weights + step * min(1.0, 0.1 / np.abs(step).max())
    return float(weights[0]), float(weights[1])


def _judged(model: Model) -> list[Judged]:
    return [one for folder in sorted(QUESTIONS.glob("development*")) for one in judge(model, folder)]


def _calibrated(model: Model, numbers: tuple[float, float]) -> Model:
    """The model with these two numbers, which of two networks the second one has."""
    if model.weigher is None:
        return replace(model, calibration=numbers)
    return replace(model, weigher=replace(model.weigher, calibration=numbers))


def main(path: str, out: str | None = None) -> None:
    model = load(path)
    assert isinstance(model, Model)
    before = _judged(_calibrated(model, (1.0, 0.0)))
    sure = np.clip([one.confidence for one in before], 1e-6, 1 - 1e-6)
    found = fitted(np.log(sure / (1 - sure)), np.array([one.right for one in before], float))
    found = round(found[0], 3), round(found[1], 3)
    model = _calibrated(model, found)
    after = _judged(model)
    errors = f"{calibration_error(before):.3f} -> {calibration_error(after):.3f}"
    print(f"calibration {found}: expected error {errors}")
    model.save(out or path, half=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
