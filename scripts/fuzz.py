"""Ask odd tables odd questions; each must end in an answer, or in a sentence that says why there is none.

python scripts/fuzz.py results/fuzz.json      # 2,000 tables, three questions to each; exits with 1 where one failed
python scripts/fuzz.py try.json --tables 50   # some of them
python scripts/fuzz.py --one 17               # one of them again, in this process

The tables are files of every kind that is read, and frames, drawn from a seed by tests/odd_tables.py and its
neighbours; the questions are made of their names and cells, or make no sense at all. They are asked from Python, as the
server does with what is uploaded, and by the command line, in processes with a deadline and a limit of memory. Where
an answer has SQL that runs on the file as it is, DuckDB or SQLite runs it and must give the same; so must DuckDB where
the interpreter answered.
"""

import argparse
import contextlib
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from neural_programmer import front  # noqa: E402
from neural_programmer.answering import asking  # noqa: E402
from neural_programmer.answering.config import AskConfig  # noqa: E402
from neural_programmer.base.limits import NO_MEMORY, Limits  # noqa: E402
from neural_programmer.errors import NeuralProgrammerError  # noqa: E402
from neural_programmer.tables import reading  # noqa: E402
from neural_programmer.tables.source import open_source  # noqa: E402
from odd_answers import Disagrees, check_engine, check_sql, check_written  # noqa: E402
from odd_cells import Chance  # noqa: E402
from odd_questions import question  # noqa: E402
from odd_tables import Odd, file, frame  # noqa: E402

SEED, TABLES, QUESTIONS = 1, 2_000, 3
SECONDS = 60.0  # that a table, and a question, may take
MEGABYTES = 2_000  # of memory that a process that asks may hold at one time,
RESERVED = 16_000  # and of addresses, which libraries reserve by the gigabyte, that it may have for them
DEADLINE = 600.0  # after which a table hangs, however busy the machine is,
BUSY = 60.0  # or a process that was busy with it for so many seconds
SENTENCE = 2_000  # letters of what is said of a fault
DOORS = {"python": 6.0, "foreign": 2.0, "cli": 1.2, "think": 0.8}
DIALECTS = ("duckdb", "spark", "postgres", "bigquery", "snowflake", "sqlite", "mysql", "tsql")
PACKAGES = ("duckdb", "pandas", "polars", "pyarrow", "python-calamine", "sqlglot")
FINE = ("scalar", "lookup", "truth", "declined", "refused")  # how a question may end


@dataclass
class Case:
    """A table, what it is asked, by which door, and with which model."""

    number: int
    odd: Odd
    questions: list[str]
    door: str
    model: str
    chance: Chance = field(repr=False)


@dataclass
class Ended:
    """How a question ended, and what the oracles said of its answer."""

    kind: str
    said: str = ""
    sql: str = ""
    engine: str = ""


def drawn(number: int, folder: Path, seed: int = SEED, door: str = "") -> Case:
    """The case of this number, whose files are written into the folder."""
    chance = Chance(seed, number)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the libraries that make them
        odd = file(chance, folder) if chance.happens(0.8) else frame(chance)
    by_chance = chance.weighted(DOORS)
    chosen = door or by_chance
    if odd.path is None and chosen in ("foreign", "cli"):
        chosen = "python"
    questions = [question(chance, odd.columns) for _ in range(QUESTIONS)]
    model = "wikitablequestions" if chance.happens(0.15) else "ask"
    return Case(number, odd, questions, chosen, model, chance)


def asked(case: Case, folder: Path) -> list[Ended]:
    """How every question of a case ended."""
    before = _digest(case.odd.path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ended = list({"python": _python, "foreign": _foreign, "cli": _cli, "think": _think}[case.door](case, folder))
    if _digest(case.odd.path) != before:
        ended.append(Ended("writes", "the file, or what lies beside it, is not as before"))
    return ended


@cache
def model_of(name: str) -> Any:
    return front.load(name)


def _python(case: Case, folder: Path) -> Iterator[Ended]:
    """As from Python; a table that is refused is asked once."""
    model, options = model_of(case.model), {"seconds": SECONDS}
    if case.chance.happens(0.3):
        options["memory"] = 500
    with _ending() as ended:
        opened = asking.DESK.open(case.odd.what, AskConfig(**options))
    if ended.kind:
        yield ended
        return
    table, options = (opened, {"seconds": SECONDS}) if case.odd.path is None else (case.odd.what, options)
    for asking_ in case.questions:
        dialect = case.chance.one(DIALECTS) if case.chance.happens(0.2) else None
        with _ending() as ended:
            answer = front.ask(table, asking_, model=model, dialect=dialect, **options)
            _answered(ended, answer)
            if case.odd.path is not None and dialect is None:
                _judge(ended, "sql", check_sql, answer, case.odd.path)
            with opened.aside(SECONDS, model) as seen:
                program = asking.decided(model, seen, asking_).program
                _judge(ended, "engine", check_engine, answer, program, seen)
        yield ended
    del opened
    asking.DESK.clear()


def _foreign(case: Case, folder: Path) -> Iterator[Ended]:
    """As the server reads what is uploaded."""
    kept = folder / "kept"
    kept.mkdir(exist_ok=True)
    limits = Limits(megabytes=500, rows=1_000_000, seconds=SECONDS, unpacked=100_000_000, folder=kept, foreign=True)
    model, path = model_of(case.model), case.odd.path
    assert path is not None
    with _ending() as ended:
        with reading.refusing("a file"):
            named = reading.parts(path, kept, limits) or [""]
        for part in named[:2]:
            with open_source(f"{path}::{part}" if part else path, "a file", limits) as source:
                opened = asking.Opened(source)
                for asking_ in case.questions:
                    with _ending() as one, opened.aside(SECONDS, model) as seen:
                        decision = asking.decided(model, seen, asking_)
                        answer = asking.answered(seen, asking_, decision)
                        _answered(one, answer)
                        _judge(one, "engine", check_engine, answer, decision.program, seen)
                    yield one
    if ended.kind:
        yield ended
    if left := [name for name in os.listdir(kept) if name != path.name]:
        yield Ended("leaves files", ", ".join(left))


def _think(case: Case, folder: Path) -> Iterator[Ended]:
    """With all that was considered."""
    for asking_ in case.questions:
        with _ending() as ended:
            thought = front.think(case.odd.what, asking_, model=model_of(case.model), seconds=SECONDS)
            json.dumps(thought.to_dict(), ensure_ascii=False, allow_nan=False).encode()
            repr(thought).encode(), thought._repr_html_().encode()
            _answered(ended, thought.answer)
        yield ended
    asking.DESK.clear()


def _cli(case: Case, folder: Path) -> Iterator[Ended]:
    """By the command line: one question in several forms, all of them in a batch and at the prompt."""
    table = case.odd.what.replace("\0", "")
    plain = [each.replace("\0", " ").replace("\ud800", "\udce9")[:100_000] for each in case.questions]
    about = ["--model", case.model, "--seconds", str(SECONDS)]
    form = case.chance.one([[], ["--json"], ["--sql", case.chance.one(DIALECTS)], ["--digits", "2"]])
    yield _run(["ask", *about, *form, "--", table, plain[0]], json_lines=form == ["--json"])
    form = case.chance.one(["batch", "prompt"])
    if form == "prompt":
        json_ = case.chance.happens(0.5)
        yield _run(["ask", *about, *(["--json"] if json_ else []), "--", table], "\n".join(case.questions), json_)
        return
    lines = [{"id": n, "table": table, "question": each} for n, each in enumerate(case.questions)]
    batch = folder / "batch.jsonl"
    batch.write_text("\n".join(map(json.dumps, lines)) + chance_line(case.chance))
    ended = _run(["ask", *about, "--batch", str(batch)], json_lines=True)
    batch.unlink()
    yield ended


def chance_line(chance: Chance) -> str:
    """A line of a batch that is none."""
    return chance.one(["", "\n", "\n{", "\n5", "\n[]", '\n{"table": 5, "question": null}', "\n\x00", '\n{"id": NaN}'])


def _run(arguments: Sequence[str], given: str = "", json_lines: bool = False) -> Ended:
    """How a command ended: in an answer (0), without one (1) or in a sentence (2)."""
    command = [sys.executable, "-m", "neural_programmer", *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "COLUMNS": "200"}
    coded = given.encode("utf-8", "replace")
    try:
        done = subprocess.run(command, input=coded, capture_output=True, env=environment, timeout=DEADLINE / 3)
    except subprocess.TimeoutExpired:
        return Ended("hangs", str(arguments)[:SENTENCE])
    errors = done.stderr.decode("utf-8", "replace")
    if "Traceback" in errors or done.returncode not in (0, 1, 2):
        return Ended(f"exit code {done.returncode}", errors[-SENTENCE:])
    if "\x1b" in errors or (b"\x1b" in done.stdout and "--sql" not in arguments):
        return Ended("steers the terminal", errors[-SENTENCE:])
    if done.returncode == 2 and not errors.strip():
        return Ended("says nothing", str(arguments)[:SENTENCE])
    if json_lines and done.returncode < 2:
        try:
            for line in filter(None, done.stdout.decode().split("\n")):
                json.loads(line, parse_constant=float.fromhex)
        except ValueError as error:
            return Ended("writes no JSON", f"{error}: {done.stdout[:SENTENCE]!r}")
    return Ended({0: "answered", 1: "declined", 2: "refused"}[done.returncode], errors.strip()[:200])


@contextlib.contextmanager
def _ending() -> Iterator[Ended]:
    """How what is done here ends."""
    ended = Ended("")
    try:
        yield ended
    except NeuralProgrammerError as error:
        text = str(error)
        ended.kind, ended.said = "refused", text[:200]
        if not text.strip() or "\n" in text or len(text) > SENTENCE:
            ended.kind, ended.said = "no sentence", text[:SENTENCE]
        if NO_MEMORY in text:  # of tables as small as these
            ended.kind = "takes memory"
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # a traceback for who asked
        ended.kind, ended.said = f"traceback: {type(error).__name__}", traceback.format_exc()[-SENTENCE:]


def _answered(ended: Ended, answer: Any) -> None:
    check_written(answer)
    ended.kind, ended.said = ("declined", answer.reason) if answer.kind == "none" else (answer.kind, str(answer))
    ended.said = ended.said[:200]


def _judge(ended: Ended, oracle: str, check: Callable[..., str], *about: Any) -> None:
    """What an oracle says of an answer."""
    try:
        found = check(*about)
    except Disagrees as error:
        found = f"disagrees: {error}"
    setattr(ended, oracle, found)


def _digest(path: Path | None) -> Any:
    """What a file holds, and what lies beside it."""
    if path is None or not path.exists():
        return None
    beside = sorted(name for name in os.listdir(path.parent) if name not in ("kept", "batch.jsonl"))
    return hashlib.sha256(path.read_bytes()).hexdigest(), beside


def one(number: int, seed: int = SEED, door: str = "") -> tuple[Case, list[Ended]]:
    """Draw a case and ask it, in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        case = drawn(number, Path(folder), seed, door)
        return case, asked(case, Path(folder))


def _work(pipe: Any, folder: str, seed: int, door: str) -> None:
    """Ask cases until no number comes any more."""
    resource.setrlimit(resource.RLIMIT_DATA, (RESERVED * 1_000_000,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    tempfile.tempdir = folder
    with contextlib.suppress(EOFError):
        while True:
            number, before = pipe.recv(), _busy()
            _forget_held()
            try:
                case, ended = one(number, seed, door)
            except Exception:  # of what draws the case, or judges it
                pipe.send({**_nothing(number), "ended": [vars(Ended("breaks", traceback.format_exc()[-SENTENCE:]))]})
                continue
            busy, held = _busy() - before, _held()
            if busy > BUSY:
                ended.append(Ended("hangs", f"busy for {busy:.0f} seconds"))
            if held > MEGABYTES:
                ended.append(Ended("takes memory", f"held {held:,.0f} megabytes"))
            left = sorted(os.listdir(folder))
            if left:
                ended.append(Ended("leaves files", ", ".join(left)))
                for name in left:
                    shutil.rmtree(Path(folder, name), ignore_errors=True)
            about = {"number": case.number, "table": case.odd.kind, "door": case.door, "model": case.model}
            shown = [ascii(each[:200]) for each in case.questions]
            took = {"seconds": round(busy, 2), "megabytes": round(held)}
            pipe.send({**about, **took, "questions": shown, "ended": [vars(each) for each in ended]})


def _nothing(number: int) -> dict[str, Any]:
    """What is told of a case of which nothing came."""
    about = {"number": number, "table": "", "door": "", "model": "", "questions": []}
    return {**about, "seconds": DEADLINE, "megabytes": 0}


def _busy() -> float:
    """Seconds that this process, and those that it started, were busy."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def _forget_held() -> None:
    """Count what this process holds at one time from now on, where the system can."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _held() -> float:
    """Return the megabytes of memory that this process held at one time, where the system tells; what is
    reserved and never used is none."""
    with contextlib.suppress(OSError):
        status = Path("/proc/self/status").read_text().split()
        return int(status[status.index("VmHWM:") + 1]) / 1_000
    return 0.0


class Worker:
    """A process that asks cases, and another one where it crashed or hung."""

    def __init__(self, seed: int, door: str) -> None:
        self.seed, self.door, self.process = seed, door, None

    def ask(self, number: int) -> dict[str, Any]:
        if self.process is None:
            self._begin()
        self.pipe.send(number)
        kind = "hangs"
        with contextlib.suppress(EOFError, OSError):
            if self.pipe.poll(DEADLINE):
                return self.pipe.recv()
        assert self.process is not None
        self.process.join(1)
        kind = "hangs" if self.process.is_alive() else f"crashes: {self.process.exitcode}"
        self.close()
        return {**_nothing(number), "ended": [vars(Ended(kind))]}

    def _begin(self) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.folder = tempfile.mkdtemp(prefix="fuzz-worker-")
        self.process = context.Process(target=_work, args=(theirs, self.folder, self.seed, self.door), daemon=True)
        self.process.start()
        theirs.close()

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.pipe.close()
            shutil.rmtree(self.folder, ignore_errors=True)
            self.process = None


def every(numbers: Sequence[int], seed: int, workers: int, door: str = "") -> Iterator[dict[str, Any]]:
    """What came of these cases, by several processes."""
    free = [Worker(seed, door) for _ in range(workers)]

    def share(place: int) -> list[dict[str, Any]]:
        found = []
        try:
            for number in numbers[place::workers]:
                found.append(free[place].ask(number))
                tell(found[-1])
        finally:
            free[place].close()
        return found

    with ThreadPoolExecutor(workers) as pool:
        for found in pool.map(share, range(workers)):
            yield from found


def tell(found: dict[str, Any]) -> None:
    """Print what is wrong with a case."""
    for ended in found["ended"]:
        if fault := fault_of(ended):
            print(f"{found['number']} {found['table']}, {found['door']}, {found['model']}: {fault}", flush=True)


def fault_of(ended: dict[str, Any]) -> str:
    """What is wrong with the end of a question, or nothing."""
    if ended["kind"] not in (*FINE, "answered"):
        return f"{ended['kind']}: {ended['said']}"
    return next((ended[oracle] for oracle in ("sql", "engine") if ended[oracle].startswith("disagrees")), "")


def summary(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """How many ended how, by door, by kind of table and by what the oracles said; and every fault."""
    doors: dict[str, Counter] = {}
    tables: dict[str, Counter] = {}
    oracles: dict[str, Counter] = {"sql": Counter(), "engine": Counter()}
    faults = []
    for case in found:
        for place, ended in enumerate(case["ended"]):
            doors.setdefault(case["door"], Counter())[ended["kind"]] += 1
            kind, _, damage = case["table"].partition(", ")
            tables.setdefault(f"{kind}, damaged" if damage else kind, Counter())[ended["kind"]] += 1
            for oracle, said in oracles.items():
                said.update([ended[oracle].partition(":")[0]] if ended[oracle] else [])
            if fault := fault_of(ended):
                asked_ = case["questions"][place] if place < len(case["questions"]) else ""
                about = {name: case[name] for name in ("number", "table", "door", "model")}
                faults.append({**about, "question": asked_, "fault": fault[:SENTENCE]})
    slowest = sorted(found, key=lambda case: -case["seconds"])[:5]
    largest = sorted(found, key=lambda case: -case["megabytes"])[:5]
    return {
        "by_door": {name: dict(counts.most_common()) for name, counts in sorted(doors.items())},
        "by_table": {name: dict(counts.most_common()) for name, counts in sorted(tables.items())},
        "oracles": {name: dict(counts.most_common()) for name, counts in oracles.items()},
        "slowest": [{name: case[name] for name in ("number", "table", "door", "seconds")} for case in slowest],
        "largest": [{name: case[name] for name in ("number", "table", "door", "megabytes")} for case in largest],
        "faults": faults,
    }


def main() -> None:
    asked_ = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked_.add_argument("results", nargs="?", type=Path)
    asked_.add_argument("--tables", type=int, default=TABLES)
    asked_.add_argument("--first", type=int, default=0)
    asked_.add_argument("--seed", type=int, default=SEED)
    asked_.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked_.add_argument("--lines", type=Path, help="a file for what came of every case, to look at")
    asked_.add_argument("--one", type=int, nargs="*", help="numbers of cases to ask in this process")
    asked_.add_argument("--door", default="", choices=["", *DOORS])
    given = asked_.parse_args()
    if given.one:
        for number in given.one:
            case, ended = one(number, given.seed, given.door)
            print(case.number, case.odd.kind, case.door, case.model, repr(case.odd.what)[:300])
            for place, each in enumerate(ended):
                print(" ", repr(case.questions[place : place + 1])[:300], *vars(each).values(), sep="\n    ")
        return
    if given.results is None:
        asked_.error("name a file for the results")
    from neural_programmer.paper.record import circumstances, save

    start = time.monotonic()
    about = circumstances(f"python scripts/fuzz.py {given.results}")
    about["versions"] |= {name: version(name) for name in PACKAGES}
    found = list(every(range(given.first, given.first + given.tables), given.seed, given.workers, given.door))
    if given.lines:
        given.lines.write_text("".join(json.dumps(case) + "\n" for case in found))
    done = summary(found)
    counted = {"tables": len(found), "questions": sum(len(case["ended"]) for case in found), "seed": given.seed}
    limits = {"seconds": SECONDS, "deadline": DEADLINE, "busy": BUSY, "megabytes": MEGABYTES, "reserved": RESERVED}
    save(given.results, {**about, **counted, "limits": limits, "wall_seconds": round(time.monotonic() - start), **done})
    print(f"{len(done['faults'])} faults in {counted['questions']} questions about {len(found)} tables")
    if done["faults"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
