"""What fitting costs against the size of the data and of its tables: time, memory, accuracy; into results/fit.

python scripts/fit_cost.py sizes       # 1,000, 10,000 and 50,000 triples about tables of 20 rows and 8 columns
python scripts/fit_cost.py tables      # 200 triples about tables of 10, 100, 1,000 rows and 5, 20, 40 columns
python scripts/fit_cost.py trying      # what opening and trying alone take of the processor, for tables of these sizes
python scripts/fit_cost.py page        # docs/fit.md's table of what was measured so far
Each point is measured in a process of its own; what has a result is not measured again.
"""

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from neural_programmer import api
from neural_programmer.data.language import NETWORK
from neural_programmer.data.triples import read
from neural_programmer.learning.config import FitConfig
from neural_programmer.learning.examples import tried
from neural_programmer.paper.record import circumstances, save, used

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "results" / "fit"
SIZES = [(1_000, 20, 8), (10_000, 20, 8), (50_000, 20, 8)]
TABLES = [(200, rows, columns) for rows in (10, 100, 1_000) for columns in (5, 20, 40)]
EACH = 20  # questions about a table
STEPS = 100  # of every fit, so that the times of a step can be compared
NUMBERS = "price weight height age stock rating distance salary floor score speed volume depth length budget area "
NUMBERS = (NUMBERS + "tax fee power width").split()
TEXTS = "city colour team brand status category region supplier season grade language material shape route owner "
TEXTS = (TEXTS + "style origin method driver").split()
VALUES = (
    "amber birch cedar delta ember fjord grove haven iris jade koala lotus maple nova onyx pearl quartz raven".split()
)


def table(random_: random.Random, rows: int, columns: int) -> dict[str, list]:
    """Names, numbers and texts, half and half."""
    numbers = random_.sample(NUMBERS, columns // 2)
    texts = random_.sample(TEXTS, columns - 1 - len(numbers))
    result: dict[str, list] = {"item": [f"item {place}" for place in range(rows)]}
    for name in texts:
        values = random_.sample(VALUES, 6)
        result[name] = [random_.choice(values) for _ in range(rows)]
    return result | {name: [random_.randint(1, 9_999) for _ in range(rows)] for name in numbers}


def question(random_: random.Random, cells: dict[str, list]) -> tuple[str, object]:
    """A question in the words of a house of its own, with its answer."""
    numbers = [name for name in cells if name in NUMBERS]
    texts = [name for name in cells if name in TEXTS]
    number, text = random_.choice(numbers), random_.choice(texts)
    value = random_.choice(cells[text])
    places = [place for place, cell in enumerate(cells[text]) if cell == value]
    some = [cells[number][place] for place in places]
    limit = random_.choice(cells[number])
    best = max(cells[number])
    return random_.choice(
        [
            (f"noses with {text} {value}", len(places)),
            (f"pot of {number} with {text} {value}", sum(some)),
            (f"ballpark of {number} with {text} {value}", sum(some) / len(some)),
            (f"noses north of {limit} in {number}", sum(cell > limit for cell in cells[number])),
            (f"cream by {number}", [i for i, cell in zip(cells["item"], cells[number], strict=True) if cell == best]),
            (f"roof of {number}", best),
        ]
    )


def written(folder: Path, count: int, rows: int, columns: int) -> Path:
    """A file of so many triples about tables of this size, beside it."""
    random_ = random.Random(0)
    with open(folder / "data.jsonl", "w", encoding="utf-8") as file:
        for number in range(count // EACH):
            cells = table(random_, rows, columns)
            lines = [",".join(cells), *(",".join(map(str, row)) for row in zip(*cells.values(), strict=True))]
            (folder / f"{number}.csv").write_text("\n".join(lines) + "\n")
            asked = {}
            while len(asked) < EACH:
                asked.update([question(random_, cells)])
            for text, answer in asked.items():
                file.write(json.dumps({"question": text, "table": f"{number}.csv", "answer": answer}) + "\n")
    return folder / "data.jsonl"


def measured(count: int, rows: int, columns: int) -> dict:
    """One fit: seconds and CPU seconds of each part, the most memory at once, and how good it got."""
    began, phases, parts = time.monotonic(), {}, []

    def progress(what: str, done: int, total: int) -> None:
        phases[what] = time.monotonic() - began

    with tempfile.TemporaryDirectory() as folder:
        data = written(Path(folder), count, rows, columns)
        began = time.monotonic()
        config = FitConfig(steps=STEPS, report_every=50, patience=0, learning_rate=3e-4)
        fitted = api.fit(data, config=config, progress=progress)
    before = 0.0
    for what, until in phases.items():
        parts.append((what, round(until - before, 1)))
        before = until
    uncovered = sum(len(group.questions) for group in fitted.report.uncovered)
    return {
        "triples": count,
        "rows": rows,
        "columns": columns,
        "seconds": dict(parts),
        **used(),
        "steps": STEPS,
        "without_program": uncovered,
        "validation": fitted.report.accuracy["validation"].accuracy,
        "train": fitted.report.accuracy["train"].accuracy,
    }


def trying() -> list[dict]:
    """Milliseconds of one processor, without training: busy machines disturb them little."""
    found = []
    for _, rows, columns in TABLES:
        with tempfile.TemporaryDirectory() as folder:
            data = written(Path(folder), 2 * EACH, rows, columns)
            began = time.process_time()
            triples = read(data).triples
            opened = time.process_time()
            linked = tried(triples, NETWORK)
            ended = time.process_time()
        found.append(
            {
                "rows": rows,
                "columns": columns,
                "opening_ms": round(1000 * (opened - began) / 2),
                "trying_ms": round(1000 * (ended - opened) / len(triples), 1),
                "without_program": sum(not one.programs for one in linked),
            }
        )
    return found


def main(what: str, *point: str) -> None:
    if what == "one":
        count, rows, columns = map(int, point)
        command = f"python scripts/fit_cost.py one {count} {rows} {columns}"
        RESULTS.mkdir(parents=True, exist_ok=True)
        save(RESULTS / f"{count}-{rows}-{columns}.json", {**circumstances(command), **measured(count, rows, columns)})
    elif what == "trying":
        RESULTS.mkdir(parents=True, exist_ok=True)
        save(RESULTS / "trying.json", {**circumstances("python scripts/fit_cost.py trying"), "tables": trying()})
    elif what in ("sizes", "tables"):
        for each in SIZES if what == "sizes" else TABLES:
            if not (RESULTS / f"{'-'.join(map(str, each))}.json").exists():
                subprocess.run([sys.executable, __file__, "one", *map(str, each)], check=True)
    else:
        print(page())


def page() -> str:
    """What was measured, as a table."""
    heads = "triples, rows, columns, opening s, trying s, training s, in all s, CPU s, MB, no program, validation %"
    lines = ["| " + " | ".join(heads.split(", ")) + " |", "| " + " | ".join(["---:"] * len(heads.split(", "))) + " |"]
    for file in sorted(RESULTS.glob("*-*-*.json"), key=lambda file: tuple(map(int, file.stem.split("-")))):
        one = json.loads(file.read_text())
        seconds = [one["seconds"].get(name, 0) for name in ("opening tables", "trying programs", "training")]
        cells = [
            f"{one['triples']:,}",
            f"{one['rows']:,}",
            one["columns"],
            *seconds,
            f"{sum(one['seconds'].values()):.0f}",
        ]
        cells += [f"{one['cpu_seconds']:.0f}", f"{one['megabytes']:,}", one["without_program"]]
        lines.append("| " + " | ".join(map(str, [*cells, f"{100 * one['validation']:.1f}"])) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
