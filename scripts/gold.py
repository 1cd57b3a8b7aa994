"""Measure what the language of programs says of Spider's questions over one table.

python scripts/gold.py SPIDER results/gold-spider.json [--questions 40] [--show KIND]

SPIDER is a folder with train.jsonl and databases/NAME.sqlite. Each gold query is translated to a program
(gold_programs.py), which the interpreter runs on the table as the product reads it; its answer is compared with that of
the query. Nothing learns from these programs.
"""

import argparse
import json
import re
import sqlite3
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlglot
from gold_cells import Cells, Unsaid
from gold_programs import Translator, translated
from sqlglot import exp

from neural_programmer.answering.asking import Opened, indexed
from neural_programmer.api import load
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.paper.record import circumstances, save
from neural_programmer.programs.program import Program, Step, run
from neural_programmer.programs.same import is_right
from neural_programmer.questions.link import link
from neural_programmer.questions.question import Question
from neural_programmer.tables.containers import quoted
from neural_programmer.tables.period import Period
from neural_programmer.tables.source import open_source

STEPS = 12
CONSTANTS = (0.0, 1.0)
EQUAL = ("equal", "equal but for ties cut", "equal but for the order of ties")
AS_READ = "equal to the query on the cells as the product reads them"


@dataclass
class Verdict:
    """What became of a question."""

    id: str
    question: str
    sql: str
    kind: str = "unsaid"
    why: str = ""
    steps: list[Step] = field(default_factory=list)
    said: Any = None
    wanted: Any = None
    missing: list[str] = field(default_factory=list)

    @property
    def nothing(self) -> bool:
        """Whether the query gives no rows, or nothing but missing cells: another program may do so as well."""
        return not self.wanted or all(cell is None for row in self.wanted for cell in row)

    @property
    def equal(self) -> bool:
        return self.kind in EQUAL


class Tables:
    """The tables of the databases, each opened once."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.opened, self.model = folder, {}, load("ask")

    def get(self, database: str, name: str) -> tuple[Opened, Cells, sqlite3.Connection]:
        key = database, name.lower()
        if key not in self.opened:
            path = self.folder / "databases" / f"{database}.sqlite"
            connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
            connection.text_factory = lambda cell: cell.decode("utf-8", "replace")
            every = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            named = next(each for each in every if each.lower() == name.lower())
            opened = Opened(open_source(f"{path}::{named}"))
            raw = connection.execute(f"SELECT * FROM {quoted(named)}").fetchall()
            self.opened[key] = opened, Cells.of(opened.source.table(), raw), connection
        return self.opened[key]


def judged(line: dict[str, Any], tables: Tables) -> Verdict:
    """Translate a question's query, run the program, and compare."""
    verdict = Verdict(line["id"], line["question"], line["sql"])
    try:
        opened, cells, connection = tables.get(line["database"], line["table_names"][0])
    except NeuralProgrammerError as wrong:
        verdict.kind, verdict.why = "not opened", str(wrong)
        return verdict
    try:
        verdict.steps = translated(line["sql"], cells)
    except Unsaid as wrong:
        verdict.why = str(wrong)
        return verdict
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as wrong:
        verdict.why = f"not translated: {type(wrong).__name__}"
        return verdict
    try:
        answer = run(Program(tuple(verdict.steps)), cells.table).answer
    except NeuralProgrammerError as wrong:
        verdict.kind, verdict.why = "not run", str(wrong)
        return verdict
    result = answer.result
    verdict.said = result.value
    wanted = line.get("answer_as_numbers", line["answer"])
    verdict.wanted = wanted = as_read(line["sql"], wanted, cells)
    verdict.why = answer.reason
    verdict.kind = compared(line, verdict, cells, connection)
    verdict.why = answer.reason if verdict.kind == "no answer" else ""
    if verdict.kind == "other answer":
        verdict.why = cause(line, verdict)
    verdict.missing = not_offered(verdict, opened, cells, tables.model)
    return verdict


def cause(line: dict[str, Any], verdict: Verdict) -> str:
    """What the data says of an answer that differs."""
    whole = [row for row in verdict.wanted if None not in row]
    grouped = "GROUP BY" in verdict.sql.upper() and len(whole) < len(verdict.wanted)
    if grouped and is_right(verdict.said, whole):
        return "a group of missing cells"
    if line["as_text"]:
        return "numbers stored as texts"
    if line["tied"]:
        return "a limit within ties"
    tree = sqlglot.parse_one(line["sql"].rstrip().rstrip(";"), dialect="sqlite")
    keys = len(tree.args["group"].expressions) if tree.args.get("group") else 0
    if 0 < keys < sum(step.operation == "for each" for step in verdict.steps):
        return "any row of a group"
    if tree.args.get("distinct") and tree.args.get("order"):
        return "what is put out once, in the order of another column"
    return verdict.why or "other rows"


def as_read(sql: str, rows: Sequence[Sequence[Any]], cells: Cells) -> list[list[Any]]:
    """The rows of a query, with cells of columns as the product reads them."""
    columns = shown(sql, cells)
    if not rows or columns is None or len(columns) != len(rows[0]):
        return [list(row) for row in rows]
    return [[read(cells, column, cell) for column, cell in zip(columns, row, strict=True)] for row in rows]


def read(cells: Cells, column: str | None, cell: Any) -> Any:
    if column is None:
        return cell
    found = cells.read[column].get(cell, cell)
    return None if found in ("", "NaN", "NaT") else found


def shown(sql: str, cells: Cells) -> list[str | None] | None:
    """The column of each that a query puts out, where it is one or the greatest or least of one."""
    tree = sqlglot.parse_one(sql.rstrip().rstrip(";"), dialect="sqlite")
    while isinstance(tree, exp.SetOperation):
        tree = tree.this
    if not isinstance(tree, exp.Select):
        return None
    to, found = Translator(cells), []
    for item in to.expanded([item.unalias() for item in tree.expressions]):
        item = item.this if isinstance(item, exp.Max | exp.Min | exp.Paren | exp.Distinct) else item
        found.append(to.column(item))
    return found


def compared(line: dict[str, Any], verdict: Verdict, cells: Cells, connection: sqlite3.Connection) -> str:
    """How the answer of a program compares with that of its query."""
    said, wanted, ordered = verdict.said, verdict.wanted, line["ordered"]
    nothing = verdict.nothing
    if said is None:
        return "equal" if nothing and verdict.why.startswith("there is nothing to take") else "no answer"
    if is_right(said, wanted, ordered):
        return "equal"
    if nothing and is_right(said, [], ordered):
        return "equal"
    tree = sqlglot.parse_one(line["sql"].rstrip().rstrip(";"), dialect="sqlite")
    if tied(line, verdict, tree, connection, cells):
        same = len(said) == len(wanted) and not line["tied"]
        return "equal but for the order of ties" if same else "equal but for ties cut"
    typed = as_typed(line["table_names"][0], cells)
    try:
        rows = as_read(line["sql"], typed.execute(line["sql"]).fetchall(), cells)
    except sqlite3.Error:
        return "other answer"
    if is_right(said, rows, ordered) or tied(line, verdict, tree, typed, cells):
        return AS_READ
    return "other answer"


def tied(line: dict[str, Any], verdict: Verdict, tree: Any, connection: sqlite3.Connection, cells: Cells) -> bool:
    """Whether an answer is that of a query with all rows that are as good as the last, alike ones in any order."""
    whole, said = untied(tree, connection, cells), verdict.said
    found = with_ties(whole, connection, cells)
    if found is None:
        if whole is tree:
            return False
        return is_right(said, as_read(line["sql"], connection.execute(whole.sql("sqlite")).fetchall(), cells))
    rows, keys = found
    if not isinstance(said, list):
        return False
    return is_right(said, rows, ordered=False) and (not line["ordered"] or in_blocks(said, rows, keys))


def untied(tree: Any, connection: sqlite3.Connection, cells: Cells) -> Any:
    """A query whose sub-queries take the first of all rows that are as good as it; the same where none takes any."""
    whole = tree.copy()
    found = [each for each in whole.find_all(exp.Select) if each.args.get("limit") and each.parent_select is not None]
    for inner in found:
        ties = with_ties(inner, connection, cells)
        if ties is None or not ties[0] or len(ties[0][0]) != 1:
            return tree
        values = [exp.Null() if cell is None else exp.convert(cell) for [cell] in ties[0]]
        outer = inner.parent.parent if isinstance(inner.parent, exp.Subquery) else inner.parent
        if not isinstance(outer, exp.EQ | exp.In):
            return tree
        outer.replace(exp.In(this=outer.this.copy(), expressions=values))
    return whole if found else tree


def as_typed(name: str, cells: Cells) -> sqlite3.Connection:
    """A database with the cells of a table as programs read them."""
    connection = sqlite3.connect(":memory:")
    kinds = ("REAL" if cells.kind(column) == "number" else "TEXT" for column in cells.table.names)
    names = (f"{quoted(column)} {kind}" for column, kind in zip(cells.table.names, kinds, strict=True))
    connection.execute(f"CREATE TABLE {quoted(name)} ({', '.join(names)})")
    places = ", ".join("?" * len(cells.table.names))
    rows = [[None if cell in ("", "NaN", "NaT") else cell for cell in row] for row in cells.table.records()]
    connection.executemany(f"INSERT INTO {quoted(name)} VALUES ({places})", rows)
    return connection


def with_ties(tree: Any, connection: sqlite3.Connection, cells: Cells) -> tuple[list[list[Any]], list[Any]] | None:
    """The rows of a query and its keys of the order; where it takes the first, all that are as good as the last."""
    if not isinstance(tree, exp.Select) or tree.args.get("order") is None:
        return None
    whole = tree.copy()
    limit = whole.args.get("limit")
    offset = whole.args.get("offset")
    if whole.args.get("distinct"):
        return None if limit else _distinct(whole, connection, cells)
    keys = [order.this.copy() for order in whole.args["order"].expressions]
    whole.set("limit", None)
    whole.set("offset", None)
    width = len(shown(tree.sql("sqlite"), cells) or ())
    for place, key in enumerate(keys):
        whole = whole.select(exp.alias_(key, f"ordered_by_{place}"))
    try:
        rows = connection.execute(whole.sql("sqlite")).fetchall()
    except sqlite3.Error:
        return None
    if limit is not None:
        begin = int(offset.expression.this) if offset is not None else 0
        count = int(limit.expression.this)
        at = rows[begin : begin + count]
        ends = {row[width:] for row in at[-1:]} | ({row[width:] for row in at[:1]} if begin else set())
        rows = [row for place, row in enumerate(rows) if begin <= place < begin + count or row[width:] in ends]
    read_rows = as_read(tree.sql("sqlite"), [row[:width] for row in rows], cells)
    return read_rows, [row[width:] for row in rows]


def _distinct(tree: Any, connection: sqlite3.Connection, cells: Cells) -> tuple[list[list[Any]], list[Any]] | None:
    rows = connection.execute(tree.sql("sqlite")).fetchall()
    read_rows = as_read(tree.sql("sqlite"), rows, cells)
    return read_rows, list(range(len(rows)))


def in_blocks(said: Any, rows: Sequence[Sequence[Any]], keys: Sequence[Any]) -> bool:
    """Whether rows stand in an order, but for those that are alike in its keys."""
    start = 0
    while start < len(rows):
        end = start + 1
        while end < len(rows) and keys[end] == keys[start]:
            end += 1
        if not is_right(said[start:end], rows[start:end], ordered=False):
            return False
        start = end
    return True


# ------------------------------------------------------------------------------------------------------------- linking


def not_offered(verdict: Verdict, opened: Opened, cells: Cells, model: Any) -> list[str]:
    """Which arguments of a program linking does not offer for its question, by kind."""
    index = indexed(model, opened, verdict.question)
    try:
        question = link(verdict.question, index)
    except NeuralProgrammerError:
        return ["a question that is not linked"]
    found = (_offer(step, question, verdict.question, cells) for step in verdict.steps)
    return [kind for kind in found if kind]


def _offer(step: Step, question: Question, said: str, cells: Cells) -> str:
    """What kind of argument of a step is not offered, or nothing."""
    argument = step.argument
    if argument is None:
        return ""
    if isinstance(argument, tuple):
        return _text(step, argument[0], question, said, cells)
    if isinstance(argument, Period):
        times = [period for period in question.periods if period is not None]
        return "" if any((one.first, one.last) == (argument.first, argument.last) for one in times) else "a time"
    return "" if argument in CONSTANTS or argument in question.numbers else "a number"


def _text(step: Step, text: str, question: Question, said: str, cells: Cells) -> str:
    assert isinstance(step.column, str)
    place = cells.table.names.index(step.column)
    texts = {each for one in question.links or () if place in one.texts for each in one.meant(place)}
    if text in texts or text.casefold() in {each.casefold() for each in texts}:
        return ""
    held = text in set(cells.table.column(step.column).tolist())
    free = step.operation in ("contains", "begins with", "ends with")
    if (free or not held) and re.search(rf"(?<!\w){re.escape(text.strip())}", said, re.IGNORECASE):
        return ""
    if free:
        return "a part of a text"
    return "a text of a cell" if held else "a text that no cell is"


# -------------------------------------------------------------------------------------------------------------- report


def report(verdicts: Sequence[Verdict], examples: int = 3) -> dict[str, Any]:
    """Counts by kind, with a few examples."""
    total = len(verdicts)
    within = [verdict for verdict in verdicts if verdict.steps and len(verdict.steps) <= STEPS]
    equal = [verdict for verdict in within if verdict.equal]
    as_read_too = [verdict for verdict in within if verdict.kind == AS_READ]
    offered = [verdict for verdict in equal if not verdict.missing]
    unsaid: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        if verdict not in equal:
            kind = f"more than {STEPS} steps" if verdict.equal else verdict.kind
            unsaid[f"{kind}: {verdict.why}" if verdict.why else kind].append(verdict)
    lengths = Counter(len(verdict.steps) for verdict in verdicts if verdict.steps)
    missing = Counter(kind for verdict in equal for kind in dict.fromkeys(verdict.missing))
    return {
        "questions": total,
        "translated": sum(bool(verdict.steps) for verdict in verdicts),
        "within_12_steps": len(within),
        "equal": {kind: sum(verdict.kind == kind for verdict in equal) for kind in EQUAL},
        "equal_without_rows": sum(verdict.nothing for verdict in equal),
        "equal_share": len(equal) / total,
        "equal_as_read": len(as_read_too),
        "equal_share_with_as_read": (len(equal) + len(as_read_too)) / total,
        "offered": len(offered),
        "offered_share": len(offered) / total,
        "offered_share_of_equal": len(offered) / max(len(equal), 1),
        "not_offered": dict(missing.most_common()),
        "steps": {str(length): lengths[length] for length in sorted(lengths)},
        "not_said": {
            kind: {"count": len(some), "examples": [f"{each.id}: {each.sql}" for each in some[:examples]]}
            for kind, some in sorted(unsaid.items(), key=lambda item: -len(item[1]))
        },
    }


def questions(folder: Path) -> list[dict[str, Any]]:
    """Spider's questions over one table."""
    with (folder / "train.jsonl").open(encoding="utf-8") as file:
        return [line for line in map(json.loads, file) if line["tables"] == 1]


def measured(folder: Path, every: int | None = None) -> list[Verdict]:
    """The verdicts on all questions, or on so many from all over."""
    lines, tables = questions(folder), Tables(folder)
    if every is not None:
        lines = lines[:: max(len(lines) // every, 1)][:every]
    return [judged(line, tables) for line in lines]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spider", type=Path)
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--questions", type=int)
    parser.add_argument("--show", help="questions whose kind, reason or missing argument has this in it")
    chosen = parser.parse_args(arguments)
    verdicts = measured(chosen.spider, chosen.questions)
    if chosen.show is not None:
        for verdict in verdicts:
            if chosen.show in f"{verdict.kind}: {verdict.why} {verdict.missing}":
                steps = "; ".join(map(str, verdict.steps))
                parts = verdict.question, verdict.sql, steps, verdict.why, str(verdict.missing)
                print(verdict.id, verdict.kind, *parts, sep="\n   ")
                print("   said", str(verdict.said)[:160], "\n   gold", str(verdict.wanted)[:160])
        return
    result = report(verdicts)
    print(json.dumps(result, indent=1, ensure_ascii=False))
    if chosen.out is not None:
        command = f"python scripts/gold.py SPIDER results/{chosen.out.name}"
        where = circumstances(command)
        where["versions"] |= {"sqlglot": sqlglot.__version__, "sqlite": sqlite3.sqlite_version}
        save(chosen.out, {"circumstances": where, **result})


if __name__ == "__main__":
    main(sys.argv[1:])
