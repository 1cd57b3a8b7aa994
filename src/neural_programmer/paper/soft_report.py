"""The soft objective in many ways as tables and pictures, from the results of `soft_results` alone."""

import json
import re
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from neural_programmer.data.paper import TASKS
from neural_programmer.learning.evaluation import percent

Result = dict[str, Any]
Results = dict[str, Result]

TESTS = "ways-tests.json"  # of the best network of each task, beside the results
FINAL = "ways-last-"
TRIED = ("ways-asking-", "ways-more-", FINAL)  # the groups whose networks were kept and chosen among
CLIPS = (1.0, 5.0, 50.0)  # the paper's grid
PLATEAU = 0.776  # of the validation questions of one column: all but the two templates of difference
WEIGHTS = 593_920  # of the paper's network on one column
BLUE, ORANGE, GREEN, GREY, RED = "#1f77b4", "#e8891c", "#2a9d4b", "#8a8a8a", "#c0392b"
LABELLED = {  # of the runs on one column: their groups, their ways, as a picture says them
    "errors relative to the answer": ("ways-objective", "relative", GREY),
    "relative to such answers, small errors in full": ("ways-longer", "sharp, noise 1", ORANGE),
    "and noise again where the program is wrong": ("ways-final-single-column", "strong", BLUE),
    "asked again, settled selections loosened": ("ways-last-single-column", "even 0.03", GREEN),
    "the paper's, noise after clipping": ("ways-lead", "noise, clip 50", RED),
}
NOISES = {
    "noise after clipping at 50": ("ways-lead", "noise, clip 50", RED),
    "by rows, no noise, clip 5": ("ways-lead", "by rows, no noise, clip 5", GREEN),
    "by rows, no noise, clip 50": ("ways-lead", "by rows, no noise, clip 50", GREY),
    "by rows, noise t^-0.55 as deviation, clip 50": ("ways-lead", "by rows, deviation t^-0.55, clip 50", BLUE),
    "by rows, noise after clipping at 5": ("ways-lead", "by rows, noise, clip 5", ORANGE),
}


def of_way(result: Result, way: str) -> list[int]:
    """The places of the runs of one way."""
    return [place for place, name in enumerate(result["runs"]) if name == way]


def curve(result: Result, way: str, part: str = "accuracy") -> tuple[np.ndarray, np.ndarray]:
    """Steps, and [looks, runs] of what was seen of one way."""
    seen = np.asarray([look[part] for look in result["curve"]], np.float64)
    return np.asarray([look["step"] for look in result["curve"]]), seen[:, of_way(result, way)]


FINAL_TITLE = (
    "## The soft objective, changed\n\nThe paper's network with comparisons mixed, trained softly: what was answered "
    "wrongly is asked again, as `paper/asked_groups.py` says (docs/paper.md tells why). Three uses of one H200, all "
    "eight tasks side by side in eight minutes each.\n\n**The best network of each task**, chosen by validation: of "
    "each group the two that did best by 500 questions drawn as in training were kept, and of these that which "
    "answers most of 1,000 further questions of templates drawn alike; tested on the full test set of a seed that "
    "was not used before."
)
EVERY_WAY = (
    "**Every way of the last groups.** Validation accuracy in percent; the tests, every template alike, up to "
    "2,000 questions, were made with each group, and those of the first and second use were seen before the "
    "next was planned."
)


def tests_beside(results: Path) -> dict[str, Any]:
    """The full test of the best network of every task, by task."""
    path = results / TESTS
    return json.loads(path.read_text())["tests"] if path.is_file() else {}


def tested(found: Results, task: str) -> list[float]:
    """The accuracy of the best network on the full test set, if one was kept."""
    return [each["overall"]["accuracy"] for each in found.get(FINAL + task, {}).get("tested", [])]


def of_all(found: Results, task: str) -> int:
    """How many restarts the best network was chosen among."""
    return sum(len(found[name + task]["runs"]) for name in TRIED if name + task in found)


def best_way(result: Result) -> tuple[str, list[float]]:
    """The way with the best mean validation, and the test accuracies of its restarts."""

    def mean(way: str) -> float:
        return statistics.mean(result["best"][place] for place in of_way(result, way))

    way = max(dict.fromkeys(result["runs"]), key=mean)
    return way, [result["test"]["accuracy"][place] for place in of_way(result, way)] if "test" in result else []


def final_table(found: Results, table: Callable[[list[str], list[list[str]]], str]) -> str:
    """Every way of the last groups, and the best network of each task."""
    rows, best = [], []
    for task in TASKS:
        result = found.get(FINAL + task)
        if result is None:
            continue
        for way in dict.fromkeys(result["runs"]):
            rows.append([task, way, *_of_way(result, way), *_test_of(result, way)])
        for test in result.get("tested", []):
            group = re.sub("-[0-9]-run-[0-9]+$", "", test["network"]).removesuffix(f"-{task}")
            way = found[f"ways-{group}-{task}"]["runs"][int(test["network"].split("-")[-1])]
            right = f"{test['overall']['correct']:,} of {test['overall']['total']:,}"
            accuracy = percent(test["overall"]["accuracy"])
            best.append([task, f"{TASKS[task].published:.2f}", accuracy, right, str(of_all(found, task)), group, way])
    if not rows:
        return ""
    head = ["task", "way", "restarts", "steps", "best, validation", "mean", "worst", "at 100 %, test", "best", "mean"]
    chosen = ["task", "paper", "test", "right", "of so many restarts", "group", "way"]
    tables = [FINAL_TITLE, table(chosen, best) if best else "", EVERY_WAY, table(head, rows)]
    return "\n\n".join(filter(None, tables))


def _of_way(result: Result, way: str) -> list[str]:
    places = of_way(result, way)
    best = [result["best"][place] for place in places]
    shown = [percent(value) for value in (max(best), statistics.mean(best), min(best))]
    return [str(len(places)), f"{result['stopped_at']:,}", *shown]


def _test_of(result: Result, way: str) -> list[str]:
    """How many restarts of a way answer all test questions, their best and their mean accuracy."""
    if "test" not in result:
        return ["not tested"] * 3
    of = [result["test"]["accuracy"][place] for place in of_way(result, way)]
    return [str(sum(value == 1 for value in of)), percent(max(of)), percent(statistics.mean(of))]


def exploring_table(found: Results, table: Callable[[list[str], list[list[str]]], str]) -> str:
    """Every way of all other groups: restarts, steps, validation and test accuracy."""
    rows = []
    for name, result in found.items():
        if not name.startswith("ways-") or name.startswith(FINAL):
            continue
        for way in dict.fromkeys(result["runs"]):
            perfect = sum(result["best"][place] == 1 for place in of_way(result, way))
            row = [name.removeprefix("ways-"), result["task"], way, *_of_way(result, way), str(perfect)]
            rows.append([*row, *_test_of(result, way)[1:]])
    if not rows:
        return ""
    head = [
        "group",
        "task",
        "way",
        "restarts",
        "steps",
        "best",
        "mean",
        "worst",
        "at 100 %",
        "best, test",
        "mean, test",
    ]
    return (
        "## Every way that was tried\n\nValidation accuracy in percent of 500 questions, then of tests of up to 2,000, "
        "where they were made.\n\n" + table(head, rows)
    )


def pictures(found: Results, plots: Path, pyplot: Any, save: Callable[[Any, Path], None]) -> list[str]:
    """Draw the four pictures of docs/paper.md, as far as there are results for them."""
    drawn = []
    for name, draw, wanted in (
        ("paper-noise", _lengths, "ways-lead"),
        ("paper-plateau", _plateau, "ways-lead"),
        ("paper-ways", _ways, "ways-final-single-column"),
        ("paper-tasks", _tasks, "ways-last-five-columns"),
    ):
        if wanted in found:
            save(draw(found, pyplot), plots / f"{name}.png")
            drawn.append(f"{name}.png")
    return drawn


def _lengths(found: Results, plt: Any) -> Any:
    """How long the gradient and the noise are, and where it is clipped."""
    figure, axis = plt.subplots(figsize=(7, 4), layout="constrained")
    for label, way, color in (
        ("gradient, the paper's loss as it is written", "noise, clip 50", RED),
        ("gradient, scalar loss divided by the rows", "by rows, no noise, clip 50", GREEN),
    ):
        steps, seen = curve(found["ways-lead"], way, "length")
        axis.plot(steps, seen.mean(axis=1), color=color, label=label)
    steps = np.geomspace(100, 1e5, 50)
    for power, style in ((0.275, "-"), (0.55, "--")):
        said = "variance" if power == 0.275 else "deviation"
        axis.plot(steps, WEIGHTS**0.5 / steps**power, style, color=BLUE, label=f"noise of {said} t^-0.55")
    for clip in CLIPS:
        axis.axhline(clip, color=GREY, linewidth=0.8, linestyle=":")
        axis.text(105, clip * 1.08, f"clip {clip:.0f}", fontsize=8, color=GREY)
    axis.set(xscale="log", yscale="log", xlim=(100, 1e5), ylim=(0.7, 4e4), xlabel="step", ylabel="length")
    axis.legend(fontsize=8, loc="upper right", framealpha=0.9)
    axis.grid(alpha=0.25)
    return figure


def _plateau(found: Results, plt: Any) -> Any:
    """With and without noise: mean validation accuracy, up to where all but difference is known."""
    figure, axis = plt.subplots(figsize=(7, 4), layout="constrained")
    for label, (group, way, color) in NOISES.items():
        steps, seen = curve(found[group], way)
        reached = (np.asarray(found[group]["best"])[of_way(found[group], way)] >= PLATEAU - 1e-6).sum()
        said = f"{label}: {reached} of {seen.shape[1]}"
        axis.plot(steps / 1e3, 100 * seen.mean(axis=1), color=color, label=said)
    axis.axhline(100 * PLATEAU, color=GREY, linestyle=":")
    axis.text(1, 100 * PLATEAU + 0.5, "everything but difference", fontsize=8, color=GREY)
    axis.set(xlabel="thousand steps", ylabel="validation accuracy, mean, %", ylim=(35, 82))
    axis.legend(fontsize=8, loc="lower right", title="runs that get there", title_fontsize=8)
    axis.grid(alpha=0.25)
    return figure


def _ways(found: Results, plt: Any) -> Any:
    """One column: mean of the restarts, between the worst and the best of them."""
    figure, axis = plt.subplots(figsize=(7, 4), layout="constrained")
    for label, (group, way, color) in LABELLED.items():
        if group not in found:
            continue
        steps, seen = curve(found[group], way)
        here = steps <= 45_000
        steps, seen = steps[here] / 1e3, 100 * seen[here]
        axis.fill_between(steps, seen.min(axis=1), seen.max(axis=1), color=color, alpha=0.13, linewidth=0)
        axis.plot(steps, seen.mean(axis=1), color=color, label=f"{label} ({seen.shape[1]} restarts)")
    axis.set(xlabel="thousand steps", ylabel="validation accuracy, %", ylim=(35, 101))
    axis.legend(fontsize=8, loc="lower right")
    axis.grid(alpha=0.25)
    return figure


def _tasks(found: Results, plt: Any) -> Any:
    """The eight tasks: published, the best soft restart, the best marginal one."""
    figure, axis = plt.subplots(figsize=(8, 4), layout="constrained")
    names = [name for name, task in TASKS.items() if task.published is not None]

    def soft(name: str) -> float:
        return max(tested(found, name), default=0.0)

    def marginal(name: str) -> float:
        return max([each["accuracy"] for each in found.get(f"marginal-{name}", {}).get("restarts", [])], default=0.0)

    published = [TASKS[name].published or 0.0 for name in names]
    heights = (published, [100 * soft(name) for name in names], [100 * marginal(name) for name in names])
    places = np.arange(len(names))
    for order, (label, color, values) in enumerate(
        zip(("published", "soft, best of ours", "marginal"), (GREY, ORANGE, BLUE), heights, strict=True)
    ):
        bars = axis.bar(places + (order - 1) * 0.28, values, 0.27, color=color, label=label)
        if order < 2:
            axis.bar_label(bars, [f"{value:.0f}" for value in values], fontsize=7, padding=1)
    axis.set_xticks(places, [name.replace("-", "\n", 1).replace("-", " ") for name in names], fontsize=8)
    axis.set(ylabel="test accuracy, best restart, %", ylim=(0, 112))
    axis.legend(fontsize=8, ncols=3, loc="upper center")
    return figure
