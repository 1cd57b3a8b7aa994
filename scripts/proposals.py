"""Measure what is proposed: is a program with the right answer among the first 1, 10, 100, 2,000 for each question?

    python scripts/proposals.py --data DATA                 all development questions; writes results/proposals.json
    python scripts/proposals.py --data DATA --sets a b      some sets: analysts, b, c, look, measure
    python scripts/proposals.py --data DATA --every 5       every fifth of Spider's questions
    python scripts/proposals.py --data DATA --misses FILE   writes the questions without a right program

DATA holds tables/ with the tables of analysts' questions, and spider/. Of Spider's databases a third, drawn by their
names, is to look at (`look`), the rest to measure (`measure`); left out are questions whose answer is empty, tied or
compares numbers as texts. A right answer may come of a wrong program: truths and small numbers often do.
"""

import argparse
import contextlib
import hashlib
import json
import sqlite3
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from neural_programmer.answering.asking import Opened
from neural_programmer.candidates.config import PROPOSALS, ProposalConfig
from neural_programmer.candidates.evidence import Moves
from neural_programmer.candidates.proposing import Proposals, propose
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.expressions import RELATION_NODES, Nonsense
from neural_programmer.programs.frame import Frame
from neural_programmer.programs.interpreter import Interpreter
from neural_programmer.programs.operations import entry_of
from neural_programmer.programs.program import Program, Step, _executed, _kind, misfit, no_answer
from neural_programmer.programs.same import is_right
from neural_programmer.programs.state import State, arranged
from neural_programmer.questions.indexing import indexed
from neural_programmer.tables.source import open_source
from neural_programmer.tables.table import Table

ROOT = Path(__file__).parent.parent
SETS = ("analysts", "b", "c", "look", "measure")
FIRST = (1, 10, 100, 2_000)
DECLINED = "decline"
MOST_CELLS = 300_000  # of a table of Spider's that is asked


class Runner:
    """Runs the programs of one question: what begins alike is built once."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.interpreter = Interpreter(Frame([table]))
        self.states: dict[Moves, State | None] = {(): State()}

    def answer(self, moves: Moves) -> Answer | None:
        """Return the answer of a program, if it has one."""
        built = self._built(moves)
        if built is None:
            return None
        step, operation, node, _ = built
        if isinstance(node, RELATION_NODES) and operation.updates != "lookup":
            node = arranged(node)
        if no_answer(Program((step,)), node):
            return None
        try:
            found = _executed(step, operation, node, self.interpreter).answer
        except (Nonsense, NeuralProgrammerError):
            return None
        return None if found.reason else found

    def _built(self, moves: Moves) -> Any:
        state = self._state(moves[:-1])
        if state is None:
            return None
        step = Step(*moves[-1])
        operation = entry_of(step.operation)
        if misfit(step, operation, len(moves), self.table):
            return None
        try:
            column = None if step.column is None else state.value(step.column, _kind(step, operation, self.table))
            node = state.built(operation, state.below(column, step.argument))
        except Nonsense:
            return None
        return step, operation, node, state.after(operation, column, node)

    def _state(self, moves: Moves) -> State | None:
        if moves not in self.states:
            built = self._built(moves)
            self.states[moves] = None if built is None else built[3]
        return self.states[moves]


def questions(data: Path, sets: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the questions that have an answer, with their set and the path of their table."""
    folder = ROOT / "tests" / "questions"
    if "analysts" in sets:
        for path in sorted((folder / "analysts" / "a").glob("*.jsonl")):
            for one in map(json.loads, path.read_text("utf-8").splitlines()):
                yield "analysts", one | {"path": str(data / "tables" / one["table"])}
    for name in ("b", "c"):
        if name in sets:
            path = folder / f"development-{name}" / "questions.jsonl"
            for one in map(json.loads, path.read_text("utf-8").splitlines()):
                if one["group"] == "analysis":
                    yield name, one | {"path": str(path.parent / one["table"])}
    if {"look", "measure"} & set(sets):
        for one in map(json.loads, (data / "spider" / "train.jsonl").read_text("utf-8").splitlines()):
            of = "look" if hashlib.sha256(one["database"].encode()).digest()[0] % 3 == 0 else "measure"
            if one["tables"] == 1 and of in sets and not (one["empty"] or one["tied"] or one["as_text"]):
                path = data / "spider" / "databases" / f"{one['database']}.sqlite"
                name = spelled(path).get(one["table_names"][0].lower())
                if name is None:
                    continue
                kind = " and ".join(each for each in one["categories"] if each != "single table")
                yield of, one | {"path": f"{path}::{name}", "kind": f"spider, {kind}"}


@lru_cache(None)
def spelled(path: Path) -> dict[str, str]:
    """Return the names of the tables of a database, by how they are written in small letters."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return {name.lower(): name for (name,) in names}


@lru_cache(4)
def opened(path: str) -> Opened | None:
    """Open a table; one in Latin-1 is read as that. Too large ones are left out."""
    try:
        found = Opened(open_source(path))
    except NeuralProgrammerError:
        try:
            text = Path(path).read_bytes().decode("latin-1")
        except OSError:
            return None
        head, line, rest = text.removeprefix("\u00ef\u00bb\u00bf").partition("\n")
        names = [name.strip() or f"column {place}" for place, name in enumerate(head.split(","), 1)]
        text = ",".join(names) + line + rest
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / Path(path).name
            copy.write_text(text, "utf-8")
            found = Opened(open_source(str(copy)))
            _ = found.known, found.source.table()
    return None if found.source.rows * len(found.source.columns) > MOST_CELLS else found


@lru_cache(4)
def in_memory(path: str) -> Table:
    """Return a table in memory, whatever the kind of its numbers is."""
    found = opened(path)
    assert found is not None
    return found.source.table()


def wanted_of(one: dict[str, Any]) -> list[Any]:
    """Return the answers that count."""
    answer = one["answer"]
    if "sql" in one and "database" in one:  # rows
        rows = [[as_read(cell) for cell in row] for row in answer]
        return [rows if len(rows[0]) > 1 else [row[0] for row in rows]]
    return [answer, *one.get("accept", [])]


def as_read(cell: Any) -> Any:
    """Return a cell of a database as our own reading has it: numbers and days that are stored as texts are these."""
    if not isinstance(cell, str):
        return cell
    text = cell.strip().removesuffix(".000000")
    with contextlib.suppress(ValueError):
        return float(text.replace(",", ""))
    for form in ("%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%m/%d/%Y", "%Y-%m-%d %H:%M:%S"):
        with contextlib.suppress(ValueError):
            return datetime.strptime(text, form).isoformat()
    return text


def _again(value: Any) -> Any:
    """Return an answer with its cells as they are read."""
    return [_again(each) for each in value] if isinstance(value, list) else as_read(value)


def place_of(
    proposals: Proposals, table: Table, wanted: list[Any], ordered: bool, read_again: bool = False
) -> int | None:
    """Return the place of the first program that gives the right answer, from 1."""
    runner = Runner(table)
    counts = {len(each) if isinstance(each, list) else 1 for each in wanted}
    truth = any(isinstance(each, bool) for each in wanted)
    for place, moves in enumerate(proposals.moves, 1):
        if not truth and moves[-1][0] in ("whether", "whether all", "is more", "is less", "is the same"):
            continue
        found = runner.answer(moves)
        if found is None or found.result.length not in counts:
            continue
        if any(is_right(found.value, each, ordered and isinstance(each, list)) for each in wanted):
            return place
        if read_again and any(is_right(_again(found.value), each, ordered) for each in wanted):
            return place
    return None


def asked(one: dict[str, Any], limits: ProposalConfig) -> dict[str, Any] | None:
    """Return where the right answer is among what is proposed for a question."""
    table = opened(one["path"])
    if table is None:
        return None
    index = indexed(table.source, table.known, one["question"])
    before = time.process_time()
    proposals = propose(one["question"], index, limits)
    took = time.process_time() - before
    place = place_of(proposals, in_memory(one["path"]), wanted_of(one), bool(one.get("ordered")), "database" in one)
    shape = proposals.shapes[place - 1] if place else None
    left = sum(proposals.left_out.values())
    return {"place": place, "shape": shape, "took": took, "left_out": left, "columns": proposals.columns}


def timed(repeat: int = 3) -> dict[str, Any]:
    """Time proposing on a table of 1,000 rows and 20 columns."""
    random = np.random.default_rng(0)
    rows = 1_000
    words = "alpha bravo charlie delta echo foxtrot golf hotel india juliet".split()
    names = ("shop region product status channel rating price quantity discount revenue cost margin weight height "
             "opened sold year age city manager").split()  # fmt: skip
    columns: dict[str, list[Any]] = {}
    for name in names:
        if name in ("shop", "region", "product", "status", "channel", "city", "manager"):
            many = 10 if name != "manager" else 400
            columns[name] = [f"{words[n % 10]} {name} {n}" for n in random.integers(0, many, rows)]
        elif name in ("opened", "sold"):
            columns[name] = [
                f"20{15 + n // 300:02}-{1 + n % 12:02}-{1 + n % 28:02}" for n in random.integers(0, 2_400, rows)
            ]
        elif name == "year":
            columns[name] = random.integers(2000, 2024, rows).tolist()
        else:
            columns[name] = np.round(random.uniform(1, 500, rows), 2).tolist()
    asked = (
        "how many shops are there", "average price per region", "total revenue by month of sold",
        "which region has the most sales", "top five products by revenue", "share of rows with a rating above 400",
        "how much more revenue did alpha region 0 have than bravo region 1", "cheapest product in charlie city 2",
        "list the shops with a price over 300 and a weight under 100, dearest first",
        "did alpha shop 0 sell more than bravo shop 1 in 2019?", "correlation of price and weight",
        "which managers have more than five rows", "growth of revenue by year", "median cost since May 2018",
        "region and status with the highest average margin", "products whose name contains delta",
        "which rows lack a discount", "revenue minus cost for each channel", "number of shops per decade",
        "average age of rows above the average height", "second highest rating in each region",
        "name, price and city of the ten most expensive products sold in the last quarter of 2019",
        "how many different managers are there in echo region 4 or golf region 6", "what is the range of heights",
    )  # fmt: skip
    with contextlib.closing(open_source(columns)) as source:
        table = Opened(source)
        times = []
        for question in asked * repeat:
            index = indexed(source, table.known, question)
            before = time.process_time()
            propose(question, index)
            times.append(1e3 * (time.process_time() - before))
    times = times[len(asked) :]  # the first time, names and words are prepared
    return {
        "rows": rows,
        "columns": len(names),
        "questions": len(asked),
        "median_ms": round(float(np.median(times)), 1),
        "95th_percentile_ms": round(float(np.percentile(times, 95)), 1),
    }


def summed(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Return how many of some questions have a right program among the first so many."""
    within = {str(most): sum(1 for each in found if each["place"] and each["place"] <= most) for most in FIRST}
    return {"questions": len(found), **within, "share": round(within[str(FIRST[-1])] / len(found), 3)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--misses", type=Path)
    parser.add_argument("--most", type=int, default=PROPOSALS.most, help="how many programs are proposed")
    parser.add_argument("--write", action="store_true", help="write results/proposals.json")
    chosen = parser.parse_args()
    limits = replace(PROPOSALS, most=chosen.most)
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    misses, counts, left_out = [], Counter[str](), 0
    for of, one in questions(chosen.data, chosen.sets):
        counts[of] += 1
        if one["answer"] is None or (of in ("look", "measure") and counts[of] % chosen.every):
            continue
        try:
            found = asked(one, limits)
        except NeuralProgrammerError as fault:
            found = None
            print(one["id"], fault)
        if found is None:
            left_out += 1
            continue
        groups[of].append(found)
        groups[f"{of}: {one['kind']}"].append(found)
        misses.append(one | found)
    result = {
        "limits": vars(limits),
        "sets": {name: summed(each) for name, each in sorted(groups.items())},
        "left out because the table is too large or cannot be read": left_out,
        "proposing": timed(),
        "programs beyond the cap, median": float(np.median([each["left_out"] for each in misses])),
        "questions with columns that no slot has": sum(each["columns"] > 0 for each in misses),
    }
    for name, each in result["sets"].items():
        print(f"{name:40}", *each.values())
    print(json.dumps({key: value for key, value in result.items() if key != "sets"}))
    if chosen.misses:
        chosen.misses.write_text("".join(json.dumps(each) + "\n" for each in misses), "utf-8")
    if chosen.write:
        (ROOT / "results" / "proposals.json").write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
