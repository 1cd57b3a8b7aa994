"""Write docs/results.md and its plots, from results/*.json alone."""

import json
import os
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

from neural_programmer.base import files
from neural_programmer.data.paper import TASKS
from neural_programmer.errors import NeuralProgrammerError, not_installed
from neural_programmer.learning.evaluation import percent
from neural_programmer.paper.config import LARGER
from neural_programmer.paper.reproduce import PAPER, SCALARS
from neural_programmer.paper.restarts import EXACT, INVARIANCE, LARGE_RANGE
from neural_programmer.paper.soft_report import (
    FINAL,
    best_way,
    exploring_table,
    final_table,
    of_all,
    pictures,
    tested,
    tests_beside,
)

Result = dict[str, Any]
Results = dict[str, Result]


def write_report(results: Path, page: Path) -> None:
    """Write the page, and its plots into a folder `plots` beside it."""
    found = read(results)
    check_page(page)
    plots = page.parent / "plots"
    try:
        plots.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NeuralProgrammerError(f"cannot make the folder {plots}: {error.strerror}") from None
    try:
        parts = [make(found, plots) for make in SECTIONS]
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise NeuralProgrammerError(
            f"a result in {results} is not as reproduce writes them ({type(error).__name__}: {error}); move it away"
        ) from None
    files.write(page, ("\n\n".join([TITLE, INTRODUCTION, *filter(None, parts)]) + "\n").encode())


def read(folder: Path) -> Results:
    """Return every result of the folder by the name of its experiment."""
    found = load(folder)
    if not found:
        raise NeuralProgrammerError(f"no results in {folder}; run neural-programmer reproduce first")
    return found


def load(folder: Path) -> Results:
    """Return the results that are there so far; leave files of other kinds alone and refuse broken ones."""
    found = {}
    for path in filter(Path.is_file, sorted(folder.glob("*.json"))):
        try:
            result = json.loads(path.read_text())
        except (OSError, ValueError, RecursionError) as error:
            raise NeuralProgrammerError(f"cannot read the result {path}: {error}; move it away") from None
        if isinstance(result, dict) and result.get("experiment") == path.stem and "curve" in result:
            found[path.stem] = result
    for task, test in tests_beside(folder).items():
        if FINAL + task in found:
            found[FINAL + task]["tested"] = [test]
    return found


NO_NUMBER = ("-", "none", "not tried", "not tested", "not kept", "of the other")  # where a number would stand
TITLE = "# Results"
INTRODUCTION = (
    "Made by `neural-programmer reproduce` from the files of its folder of results, which say with which "
    "command, commit, seeds, versions and machine each came about. A restart is a training from its own random "
    "weights; its weights are those that did best on validation data, up to where it stopped. Test sets hold "
    "every template once (24,000 of the 116,368 of `words-five-columns`), or several times where there are "
    "fewer than 1,000; tables of 120 rows, numbers in [-200, 200] (`single-column-scalars`: 4 to 7 rows, [-10, 10]). "
    "None was looked at while anything was chosen. A restart is at 100 % when every answer to every test question is "
    "right."
)


def _table(head: list[str], rows: list[list[str]]) -> str:
    """A table whose columns stand to the right where they hold numbers."""
    numbers = [all(row[place][:1].isdigit() or row[place] in NO_NUMBER for row in rows) for place in range(len(head))]
    lines = [head, ["---:" if right else "---" for right in numbers], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _accuracies(result: Result) -> list[float]:
    return [restart["accuracy"] for restart in result["restarts"]]


def _machine(result: Result) -> str:
    where = result["circumstances"]
    device = where["devices"][0]
    return f"{where['cpu_cores']} CPU cores" if device.lower() == "cpu" else device


def _summary(result: Result | None) -> list[str]:
    """Restarts at 100 %, best, mean and worst accuracy."""
    return ["not tried"] * 4 if result is None else _few(_accuracies(result), result["at_100"])


def _few(accuracies: list[float], at_100: int | None = None) -> list[str]:
    at_100 = sum(value == 1 for value in accuracies) if at_100 is None else at_100
    shown = [percent(value) for value in (max(accuracies), statistics.mean(accuracies), min(accuracies))]
    return [f"{at_100} of {len(accuracies)}", *shown]


def _main(found: Results, plots: Path) -> str:
    rows = []
    for name in TASKS:
        soft, ours = found.get(f"soft-{name}"), found.get(f"marginal-{name}")
        if name == SCALARS or not (soft or ours):
            continue
        published = TASKS[name].published
        shown = _best_soft(found, name) or _summary(soft)
        rows.append([name, "none" if published is None else f"{published:.2f}", *shown, *_summary(ours)])
    ways = [f"{way} {what}" for way in ("soft", "marginal") for what in ("at 100 %", "best", "mean", "worst")]
    eight = [found[f"marginal-{name}"] for name in PAPER if f"marginal-{name}" in found]
    total = sum(result["at_100"] for result in eight), sum(len(result["restarts"]) for result in eight)
    said = (
        f"\n\nThe marginal objective on {'all' if len(eight) == len(PAPER) else len(eight)} of the paper's eight "
        f"settings: **{total[0]} of {total[1]}** restarts at 100 %."
    )
    return (
        "## The paper's table, and ours\n\nAccuracy on the test set in percent. The paper reports the best run. Soft "
        "is the changed objective below: the best network, chosen by validation among so many restarts, on the full "
        "test set; then the restarts of the way that did best on average by validation. Where that was not tried, "
        "`--parts soft`.\n\n" + _table(["task", "paper", *ways], rows) + (said if eight else "") + _failing(found)
    )


def _best_soft(found: Results, name: str) -> list[str]:
    """The best network of the changed soft objective, and how the restarts of its best way did."""
    if not tested(found, name):
        return []
    shown = _few(best_way(found[FINAL + name])[1])
    return [shown[0], f"{percent(tested(found, name)[0])} (of {of_all(found, name)})", *shown[2:]]


def _failing(found: Results) -> str:
    lines = [
        f"- {result['task']}, restart {wrong['restart']}: `{wrong['question']}` answered by `{wrong['program']}`; "
        f"right is `{wrong['right_program']}`"
        for name, result in found.items()
        if name.startswith("marginal-")
        for wrong in result["failing"]
    ]
    return (
        "\n\nQuestions that some restart of the marginal objective gets wrong:\n\n" + "\n".join(lines) if lines else ""
    )


def _speed(found: Results, plots: Path) -> str:
    rows = []
    chosen = {name: found[f"marginal-{name}"] for name in TASKS if f"marginal-{name}" in found}
    if not chosen:
        return ""
    for name, result in chosen.items():
        steps = [restart["steps_to_100"] for restart in result["restarts"] if restart["steps_to_100"]]
        seconds = [restart["seconds_to_100"] for restart in result["restarts"] if restart["seconds_to_100"]]
        if not steps:
            continue
        row = [
            f"{statistics.median(steps):,.0f}",
            f"{max(steps):,}",
            f"{max(seconds):,.0f}",
            f"{result['seconds']:,.0f}",
        ]
        rows.append([name, *row, f"{result['memory_mb']:,}", str(len(result["restarts"])), _machine(result)])
    head = ["task", "steps to 100 %, median", "slowest", "seconds, slowest", "seconds in all", "MB", "restarts", "on"]
    _curves(chosen, plots / "marginal.png")
    return (
        "## How soon\n\nSteps and seconds until a restart first answers all validation questions, all restarts trained "
        "side by side, data and compilation included; seconds in all, test included; memory of the process so far.\n\n"
        + _table(head, rows)
        + "\n\n![validation accuracy of every restart](plots/marginal.png)"
    )


def _curves(chosen: Results, path: Path) -> None:
    """Draw the validation accuracy of every restart against the steps, a panel for each task."""
    plt = _pyplot()
    width = min(4, len(chosen))
    height = -(-len(chosen) // width)
    size = (2.6 * width + 1, 2.3 * height + 0.6)
    figure, axes = plt.subplots(height, width, figsize=size, sharey=True, squeeze=False, layout="constrained")
    for axis in axes.flat[len(chosen) :]:
        axis.set_visible(False)
    for axis, (name, result) in zip(axes.flat, chosen.items(), strict=False):
        steps = [report["step"] for report in result["curve"]]
        for restart in range(len(result["restarts"])):
            values = [100 * report["accuracy"][restart] for report in result["curve"]]
            axis.plot(steps, values, color="tab:blue", alpha=0.4, linewidth=1, marker=".", markersize=3)
        axis.set_title(f"{name}\n{result['at_100']} of {len(result['restarts'])} at 100 %", fontsize=9)
        axis.set_xscale("log")  # most is learnt in the first steps
        axis.xaxis.set_major_formatter("{x:,.0f}")
        axis.set_ylim(0, 103)
        axis.grid(alpha=0.3)
    figure.supxlabel("steps", fontsize=10)
    figure.supylabel("validation accuracy, %", fontsize=10)
    _save(figure, path)


def _templates(found: Results, plots: Path) -> str:
    rows = []
    for name in TASKS:
        result = found.get(f"marginal-{name}")
        if result and name != SCALARS:
            seen = [restart["seen"] for restart in result["restarts"] if restart["seen"] is not None]
            unseen = [restart["unseen"] for restart in result["restarts"] if restart["unseen"] is not None]
            row = [percent(statistics.mean(part)) if part else "none" for part in (seen, unseen)]
            rows.append([name, f"{result['test_questions']:,}", *row])
    head = ["task", "test questions", "templates seen in training, %", "new templates, %"]
    return "## Seen and new templates\n\nMarginal, mean over the restarts.\n\n" + _table(head, rows) if rows else ""


def _grid(found: Results, plots: Path) -> str:
    rows = [
        [f"published, {way} noise", f"{many} of 216", "100.00", "-", "-"] for way, many in (("with", 9), ("without", 1))
    ]
    ours = [(way, found[f"grid-{way}-noise"]) for way in ("with", "without") if f"grid-{way}-noise" in found]
    if not ours:
        return ""
    rows += [[f"here, {way} noise", *_summary(result)] for way, result in ours]
    return (
        "## The paper's grid\n\nOne column, soft, 72 settings of clip, epsilon, delta and lambda, three restarts of "
        "each.\n\n" + _table(["", "at 100 %", "best", "mean", "worst"], rows)
    )


def _ways(found: Results, plots: Path) -> str:
    pictures(found, plots, _pyplot(), _save)
    return "\n\n".join(filter(None, (final_table(found, _table), exploring_table(found, _table))))


def _noise(found: Results, plots: Path) -> str:
    pair = [(way, found[f"noise-{way}-noise"]) for way in ("with", "without") if f"noise-{way}-noise" in found]
    if not pair:
        return ""
    plt = _pyplot()
    figure, axis = plt.subplots(figsize=(6, 3.6))
    rows = []
    for label, result in pair:
        steps = [report["step"] for report in result["curve"]]
        mean = [100 * statistics.mean(report["accuracy"]) for report in result["curve"]]
        best = [100 * max(report["accuracy"]) for report in result["curve"]]
        (line,) = axis.plot(steps, mean, label=f"{label} noise, mean")
        axis.plot(steps, best, linestyle="--", color=line.get_color(), label=f"{label} noise, best")
        all_of = _accuracies(result)
        rows.append([f"{label} noise", str(len(all_of)), percent(max(all_of)), percent(statistics.mean(all_of))])
    axis.set_xlabel("steps")
    axis.set_ylabel("validation accuracy, %")
    axis.grid(alpha=0.3)
    axis.legend(fontsize=8)
    figure.tight_layout()
    _save(figure, plots / "noise.png")
    return (
        "## Gradient noise\n\nThe paper's figure: the soft objective on five columns, with and without noise.\n\n"
        + _table(["", "restarts", "best, %", "mean, %"], rows)
        + "\n\n![accuracy with and without gradient noise](plots/noise.png)"
    )


def _lstm(found: Results, plots: Path) -> str:
    chosen = {name: result for name, result in found.items() if name.startswith("lstm-")}
    if f"marginal-{SCALARS}" in found:
        chosen[f"marginal-{SCALARS}"] = found[f"marginal-{SCALARS}"]
    if not chosen:
        return ""
    rows = []
    for result in sorted(chosen.values(), key=lambda result: result["network"].get("heads", LARGER)):
        network, larger = result["network"], result["ranges"][str(LARGER)]
        held = [restart.get("validation") for restart in result["restarts"]]
        label = "Neural Programmer, marginal"
        if result["model"] == "LstmConfig":
            heads = {0: "no attention", 1: "one attention head"}.get(network["heads"], f"{network['heads']} heads")
            label = f"LSTM, {heads}, table {'before' if network['table_first'] else 'after'} the question"
        shown = [percent(max(_accuracies(result))), percent(max(larger))] if larger else ["not tested"] * 2
        steps = f"{result['curve'][-1]['step']:,}"
        rows.append([label, str(len(held)), steps, percent(max(held)) if all(held) else "not kept", *shown])
    return (
        f"## The LSTM comparison\n\nThe simpler set (`{SCALARS}`), best restart, at the training scale and with "
        f"numbers in [-{LARGER}, {LARGER}]. Published: about 80 % and 30 % for the best LSTM, 100 % for the Neural "
        "Programmer. Validation is drawn by category as in training, the tests have every template alike.\n\n"
        + _table(["model", "restarts", "steps", "best, validation", "training scale, %", "larger scale, %"], rows)
    )


def _programs(found: Results, plots: Path) -> str:
    rows = []
    for name in (
        "single-column",
        "ten-columns",
        "words-five-columns",
        "text-five-columns",
        "same-comparison",
        "unseen-names",
    ):
        for example in found.get(f"marginal-{name}", {}).get("programs", [])[-3:]:
            rows.append([f"`{example['question']}`", f"`{example['program']}`"])
    return "## Programs it found\n\n" + _table(["question", "program"], rows) if rows else ""


def _invariance(found: Results, plots: Path) -> str:
    rows = []
    for name in TASKS:
        result = found.get(f"marginal-{name}", {})
        tried = [result.get("exactly"), *(each["restarts"] for each in result.get("invariance", []))]
        if all(tried):
            rows.append([name, *(f"{_added(each, 'correct'):,} of {_added(each, 'total'):,}" for each in tried)])
    head = ["task", "as in the test", *(f"{rows:,} rows" for rows in INVARIANCE)]
    text = (
        f"Every restart answers up to {EXACT} test questions as the product does, NumPy and then the exact "
        "interpreter: on tables as in the test, and on tables of other sizes with numbers in "
        f"[-{LARGE_RANGE}, {LARGE_RANGE}]. "
        "Right answers of all restarts.\n\n"
    )
    return "## Other sizes, other numbers\n\n" + text + _table(head, rows) if rows else ""


def _added(scores: list[dict[str, Any]], part: str) -> int:
    return sum(score[part] for score in scores)


def _save(figure: Any, path: Path) -> None:
    with files.whole(path) as file:
        figure.savefig(file, format="png", dpi=110, metadata={"Software": None})
    _pyplot().close(figure)


def check_page(page: Path) -> None:
    """Refuse, before hours of training, a page that cannot be written or plots that cannot be drawn."""
    _pyplot()
    if page.suffix != ".md" or (page.exists() and not page.is_file()):
        raise NeuralProgrammerError(f"the page of results is a file NAME.md, and {page} is not")
    if page.exists() and not page.read_bytes().startswith(TITLE.encode()):
        raise NeuralProgrammerError(f"{page} is not a page of results and would be lost; name another with --page")
    above = next(folder for folder in (page.parent, *page.parent.parents) if folder.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):
        raise NeuralProgrammerError(f"cannot write {page}: {above} is no folder that can be written to")


def _pyplot() -> Any:
    try:
        import matplotlib
    except (ImportError, ValueError):  # not there, or MPLBACKEND is none
        raise not_installed("plots need", "matplotlib", "train") from None
    matplotlib.use("Agg")
    import matplotlib.pyplot

    return matplotlib.pyplot


SECTIONS: tuple[Callable[[Results, Path], str], ...] = (
    _main,
    _speed,
    _templates,
    _grid,
    _ways,
    _noise,
    _lstm,
    _programs,
    _invariance,
)
