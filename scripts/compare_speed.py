"""Compare how fast two checkouts are, in one run: python scripts/compare_speed.py OLD NEW

OLD and NEW are folders of checkouts, such as a worktree of git at the commit before and this one. Each runs in
processes of its own, with the Python and the packages of this one. The two take turns at every measurement, so that
what else the machine does slows both. What is told is the ratio of their times, NEW by OLD, where more than 1 is
slower: the median, and between what the middle half of the ratios lies. On a busy machine the ratio of the times that
processors worked says more.

    cold          one question by the command, in a new process
    ask           a question about an open table in a running process, with the model ask
    written       the same with the model wikitablequestions
    batch         200 lines by the command
    enumeration   all programs that a question may mean, tried on its table: as the model wikitablequestions does
    training      a step of training the task single-column, without start and compilation

`--only NAME` measures that alone (again for others), `--rounds N` so many times each.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

ROUNDS = {"cold": 8, "ask": 20, "written": 20, "batch": 4, "enumeration": 20, "training": 3}
LINES = 200  # of a batch
STEPS, REPORTED = 200, 50  # of a training; the steps before the first report, which compile, are left out
SALES = "region,year,revenue,customer\n" + "".join(
    f"{('Europe', 'Asia', 'Africa')[i % 3]},{2000 + i % 25},{i * 1.25},customer {i}\n" for i in range(100)
)
ASKED = [f"total revenue where region is Europe and year is greater than {2000 + i}" for i in range(20)] + [
    "which customer has the highest revenue",
    "average revenue in Asia",
    "how many rows have a year after 2010",
    "how many customers in Africa or Asia had a revenue below 50",
]
GAMES = "Rank,City,Date,Score,Attendance\n" + "".join(
    f'{i}.,{city},"{month} {i + 1}, 19{60 + i}",{i % 4}-{i % 3},"{i},{200 + i}[1]"\n'
    for i, city, month in zip(
        range(1, 25), 6 * ["Bern", "Chur", "Genf", "Olten"], 4 * ["May", "June", "July", "March", "April", "August"],
        strict=True,
    )
)  # fmt: skip
PLAYED = [
    "who was listed after Chur?",
    "how many games were played in Bern?",
    "what was the highest attendance in Genf?",
    "which city had the last game before June 20, 1972?",
    "how many more came on May 2, 1961 than on June 3, 1962?",
    "what is the difference in attendance between Bern and Olten?",
]


class Side:
    """A checkout, and a process of it that measures."""

    def __init__(self, root: Path, folder: Path, stack: ExitStack) -> None:
        if not (root / "src" / "neural_programmer").is_dir():
            sys.exit(f"{root} is no checkout: it has no src/neural_programmer")
        self.root, self.folder = root, folder
        self.environment = {**os.environ, "PYTHONPATH": str(root / "src"), "JAX_COMPILATION_CACHE_DIR": str(folder)}
        self.process = stack.enter_context(
            subprocess.Popen(
                [sys.executable, __file__, "--drive", str(folder)],
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        imported = Path(self.read()["imported"]).resolve()
        if not imported.is_relative_to(root.resolve()):
            sys.exit(f"{imported} was imported, and not what is in {root}")

    def read(self) -> dict[str, Any]:
        """What the process says next."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"what measures {self.root} ended; its error stands above")
        return json.loads(line)

    def driven(self, name: str) -> dict[str, Any]:
        """What the process measures."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{name}\n")
        self.process.stdin.flush()
        return self.read()

    def command(self, *arguments: str) -> "Taken":
        """How long a command takes."""
        start = time.perf_counter()
        command = [sys.executable, "-m", "neural_programmer", *arguments]
        with open(self.folder / "said", "w+") as said:
            process = subprocess.Popen(command, env=self.environment, cwd=self.folder, stdout=said, stderr=said)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                said.seek(0)
                sys.exit(f"{self.root}: {' '.join(arguments)} ended with {process.returncode}: {said.read()[-500:]}")
        return Taken(time.perf_counter() - start, used.ru_utime + used.ru_stime)


class Taken(NamedTuple):
    """How many seconds something took, and how many of them processors worked."""

    seconds: float
    worked: float


def measured(side: Side, name: str) -> Taken:
    """What one of what is measured takes at one side."""
    if name == "cold":
        return side.command("ask", "sales.csv", ASKED[0])
    if name == "batch":
        taken = side.command("ask", "--batch", "batch.jsonl")
        return Taken(taken.seconds / LINES, taken.worked / LINES)
    return Taken(*side.driven(name)["taken"])


def compared(old: Side, new: Side, name: str, rounds: int) -> str:
    """A line that tells the times of both sides and their ratio."""
    if name == "enumeration":  # by the function itself where both have it, which is most of a question anyway
        ways = [side.driven("can enumerate") for side in (old, new)]
        name = "enumeration" if all(way["can"] for way in ways) else "enumeration by think"
    for side in (old, new) if name != "training" else ():
        measured(side, name)
    taken: dict[Side, list[Taken]] = {old: [], new: []}
    for place in range(rounds):
        for side in (old, new) if place % 2 == 0 else (new, old):
            taken[side].append(measured(side, name))
    before, after = (statistics.median(each.seconds for each in taken[side]) for side in (old, new))
    pairs = list(zip(taken[old], taken[new], strict=True))
    ratios = [after.seconds / before.seconds for before, after in pairs], [b.worked / a.worked for a, b in pairs]
    rates = f"{60 / before:14,.0f} {60 / after:14,.0f}"
    return f"{name:22}{1e3 * before:10.2f} {1e3 * after:10.2f} {rates}   {'   '.join(map(spread, ratios))}"


def spread(ratios: list[float]) -> str:
    """The median, and between what the middle half lies."""
    low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else ratios * 3
    return f"{middle:.3f} ({low:.3f} to {high:.3f})"


def prepared(folder: Path) -> None:
    """Write the tables and the lines that are asked."""
    Path(folder, "sales.csv").write_text(SALES)
    Path(folder, "games.csv").write_text(GAMES)
    lines = [{"id": i, "table": "sales.csv", "question": ASKED[i % len(ASKED)]} for i in range(LINES)]
    Path(folder, "batch.jsonl").write_text("\n".join(map(json.dumps, lines)))


def main(old: Path, new: Path, names: list[str], rounds: int | None) -> None:
    with ExitStack() as stack:
        folders = [Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in range(2)]
        sides = []
        for root, folder in zip((old, new), folders, strict=True):
            prepared(folder)
            sides.append(Side(root, folder, stack))
        head = f"{'':22}{'old ms':>10} {'new ms':>10} {'old a minute':>14} {'new a minute':>14}   {'ratio':24}"
        print(f"{head}   of processor time", flush=True)
        for name in names:
            print(compared(*sides, name, rounds or ROUNDS[name]), flush=True)
        for side in sides:
            assert side.process.stdin is not None
            side.process.stdin.close()


Measure = Callable[[], Taken]


def drive(folder: Path) -> None:
    """Measure what the lines of the standard input name, in the checkout that is imported."""
    import neural_programmer

    said = sys.stdout
    sys.stdout = sys.stderr  # whatever is printed is no result
    models: dict[str, Any] = {}

    def model(name: str) -> Any:
        return models.setdefault(name, models.get(name) or neural_programmer.load(name))

    def asking(name: str, table: str, questions: list[str], thinks: bool = False) -> Measure:
        do = model(name).think if thinks else model(name).ask
        return lambda: _timed(lambda: [do(folder / table, question) for question in questions], len(questions))

    def enumerating() -> Measure:
        from neural_programmer.candidates.enumeration import every
        from neural_programmer.questions.index import seen
        from neural_programmer.questions.link import link

        config = model("wikitablequestions").config
        with neural_programmer.open_source(folder / "games.csv") as source:
            table, index = seen(source.table(), config.cells)
        linked = [link(question, index, cells=config.cells) for question in PLAYED]
        steps = config.program_steps

        def tried() -> list[Any]:
            return [every(question, [table], config.operations, steps, cells=config.cells) for question in linked]

        return lambda: _timed(tried, len(linked))

    def training() -> Taken:
        from neural_programmer.learning.config import TrainingConfig

        config = TrainingConfig(
            steps=STEPS, report_every=REPORTED, restarts=1, examples=2000, validation=50, patience=0
        )
        seen: list[tuple[int, float, float]] = []
        note = lambda report: seen.append((report.step, time.perf_counter(), time.process_time()))  # noqa: E731
        neural_programmer.train("single-column", training=config, report=note)
        (first, *began), (last, *ended) = seen[0], seen[-1]
        return Taken(*((end - start) / (last - first) for start, end in zip(began, ended, strict=True)))

    ways: dict[str, Callable[[], Measure]] = {
        "ask": lambda: asking("ask", "sales.csv", ASKED),
        "written": lambda: asking("wikitablequestions", "games.csv", PLAYED),
        "enumeration": enumerating,
        "enumeration by think": lambda: asking("wikitablequestions", "games.csv", PLAYED, thinks=True),
        "training": lambda: training,
    }
    ready: dict[str, Measure] = {}
    print(json.dumps({"imported": neural_programmer.__file__}), file=said, flush=True)
    for line in sys.stdin:
        name = line.strip()
        if name == "can enumerate":
            try:
                ready["enumeration"] = enumerating()
                ready["enumeration"]()
                result: dict[str, Any] = {"can": True}
            except (ImportError, AttributeError, TypeError) as error:  # it is called otherwise there
                result = {"can": False, "why": str(error)}
        else:
            ready[name] = ready.get(name) or ways[name]()
            result = {"taken": ready[name]()}
        print(json.dumps(result), file=said, flush=True)


def _timed(function: Callable[[], Any], count: int) -> Taken:
    """What each of so many takes that are done together."""
    start, before = time.perf_counter(), time.process_time()
    function()
    return Taken((time.perf_counter() - start) / count, (time.process_time() - before) / count)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--drive"]:
        drive(Path(sys.argv[2]))
    else:
        parser = argparse.ArgumentParser(
            description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
        )
        parser.add_argument("old", type=Path, metavar="OLD")
        parser.add_argument("new", type=Path, metavar="NEW")
        parser.add_argument("--only", action="append", choices=list(ROUNDS), metavar="NAME")
        parser.add_argument("--rounds", type=int)
        given = parser.parse_args()
        main(given.old, given.new, given.only or list(ROUNDS), given.rounds)
