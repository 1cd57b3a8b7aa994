"""Ask the shipped model the questions of tests/questions, and write down how it did.

python scripts/questions.py                    # the held-out set: results/ask/questions.json and docs/questions.md
python scripts/questions.py development        # the sets to look at while developing: results/ask/development.json
"""

import json
import sys
from pathlib import Path

from neural_programmer.answering.model import load_shipped
from neural_programmer.learning.questions import judge, summary
from neural_programmer.paper.record import circumstances, save

ROOT = Path(__file__).parent.parent
GROUPS = {
    "plain": ("names columns and values about as they are written", 98),
    "free": ("as people say it: no column named, fillers, number words, small typos", 90),
    "operations": ("average, greatest and least, at least, at most, not, dates", 90),
    "unanswerable": ("the table cannot answer: no answer is right", 95),
}


def page(found: dict) -> str:
    """The results as people read them, with every miss."""
    lines = [
        "# The shipped model on questions that people wrote",
        "",
        f"{found['all']['of']} questions over tables of tests/questions/test, written independently of the question",
        "generator and held out of training. They were asked nine times while this was built; no model was chosen by",
        "them. Written by `python scripts/questions.py`.",
        "",
        "| group | what | right | of | % | aim % |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for group, (about, aim) in GROUPS.items():
        count = found["groups"][group]
        share = 100 * count["right"] / count["of"]
        lines.append(f"| {group} | {about} | {count['right']} | {count['of']} | {share:.1f} | {aim} |")
    every = found["all"]
    lines += [
        f"| all | | {every['right']} | {every['of']} | {100 * every['right'] / every['of']:.1f} | |",
        "",
        f"Expected calibration error (ten bins): {100 * found['calibration_error']:.1f} %.",
        "",
        "## Every miss",
        "",
        "| question | program | sure | said | right |",
        "| --- | --- | --- | --- | --- |",
    ]
    for miss in found["misses"]:
        cells = [
            miss["question"],
            miss["program"],
            f"{miss['confidence']:.0%}",
            _short(miss["said"]),
            _short(miss["wanted"]),
        ]
        lines.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def _short(value: object) -> str:
    text = "no answer" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def main(name: str = "test") -> None:
    model, held_out = load_shipped(), name == "test"
    folders = sorted((ROOT / "tests" / "questions").glob(name if held_out else f"{name}*"))
    found = summary([one for folder in folders for one in judge(model, folder)])
    (ROOT / "results" / "ask").mkdir(exist_ok=True)
    kept = ROOT / "results" / "ask" / ("questions.json" if held_out else f"{name}.json")
    save(kept, {**circumstances("python scripts/questions.py" + ("" if held_out else f" {name}")), **found})
    if held_out:
        (ROOT / "docs" / "questions.md").write_text(page(found), encoding="utf-8")
    print(page(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
