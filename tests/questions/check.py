"""Run the gold SQL of each question and check the stored answers.

python tests/questions/check.py                  verify; exits with 1 when something differs
python tests/questions/check.py --write          fill in `answer` of each question from its SQL
python tests/questions/check.py development-b    only the folders named (also with --write)
"""

import collections
import csv
import datetime
import json
import math
import re
import sys
from pathlib import Path

import duckdb

FOLDER = Path(__file__).parent
SETS = ("test", *sorted(folder.name for folder in FOLDER.glob("development*") if folder.is_dir()))
GROUPS = ("plain", "free", "operations", "analysis", "unanswerable")
KINDS = (
    *("group", "choose", "order", "top", "having", "share", "ratio", "change", "compare", "time"),
    *("statistics", "arithmetic", "bands", "text", "conditions", "truth", "few", "outputs"),
)  # of analysis
MISSING = "('', 'NA', 'n/a', '-')"
CELLS = re.compile(r'SELECT ("[^"]+"|\w+) FROM t( WHERE .+)?')  # a look-up of one column's cells; else one number
KEYS = re.compile(r'SELECT ("[^"]+"|\w+) FROM t\b.*')  # the same, in an order or of groups


def typed(column, kind):
    """SQL that reads one text column as the given kind; a cell that does not fit is an error."""
    quoted = '"' + column.replace('"', '""') + '"'
    cell = f"CASE WHEN trim({quoted}) IN {MISSING} THEN NULL ELSE trim({quoted}) END"
    if kind == "number":
        value = f"CAST(regexp_replace({cell}, '[$£€,% ]', '', 'g') AS DOUBLE)"
    elif kind == "date":
        value = f"CAST({cell} AS DATE)"
    elif kind == "boolean":
        value = f"CASE WHEN {quoted} = 'yes' THEN true WHEN {quoted} = 'no' THEN false ELSE CAST({cell} AS BOOLEAN) END"
    elif kind == "text":
        value = cell
    else:
        raise ValueError(f"{column}: unknown kind {kind}")
    return f"{value} AS {quoted}"


def load(path, kinds):
    """A connection in which t holds the typed table."""
    with open(path, newline="", encoding="utf-8") as file:
        header = next(csv.reader(file))
    if header != list(kinds):
        raise ValueError(f"{path.name}: header and tables.json differ: {header} {list(kinds)}")
    connection = duckdb.connect(config={"threads": 1})
    connection.execute(
        f"CREATE TABLE raw AS SELECT * FROM read_csv('{path}', header=true, delim=',', quote='\"', all_varchar=true)"
    )
    columns = ", ".join(typed(column, kind) for column, kind in kinds.items())
    connection.execute(f"CREATE TABLE t AS SELECT {columns} FROM raw ORDER BY raw.rowid")
    return connection


def plain(value):
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, float):
        value = round(value, 6)
        return int(value) if value.is_integer() else value
    return value


def run(connection, sql):
    if CELLS.fullmatch(sql):
        return [plain(row[0]) for row in connection.execute(sql + " ORDER BY t.rowid").fetchall()]
    rows = connection.execute(sql).fetchall()
    if len(rows) != 1 or len(rows[0]) != 1:
        raise ValueError("one value expected")
    value = plain(rows[0][0])
    if value is None:
        raise ValueError("no value")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"a number expected, not {value!r}")
    return value


def run_analysis(connection, sql):
    """Rows of several columns, the cells of one in the order of the query, or one number or truth."""
    found = connection.execute(sql)
    rows = [[plain(cell) for cell in row] for row in found.fetchall()]
    if len(found.description) > 1:
        return rows
    cells = [cell for (cell,) in rows]
    if KEYS.fullmatch(sql):
        return cells
    if len(cells) != 1 or not isinstance(cells[0], int | float):
        raise ValueError(f"one number or truth expected, not {cells!r}")
    return cells[0]


def holes(answer):
    """Whether a list is empty or a cell is missing in it."""
    if not isinstance(answer, list):
        return answer is None
    return not answer or any(holes(cell) for cell in answer)


def same(one, other):
    if isinstance(one, list) or isinstance(other, list):
        return (
            isinstance(one, list)
            and isinstance(other, list)
            and len(one) == len(other)
            and all(same(a, b) for a, b in zip(one, other, strict=True))
        )
    if isinstance(one, bool) or isinstance(other, bool) or isinstance(one, str) or isinstance(other, str):
        return type(one) is type(other) and one == other
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-6)


def check(folder, write):
    kinds = json.loads((folder / "tables.json").read_text(encoding="utf-8"))
    path = folder / "questions.jsonl"
    questions = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    problems = []
    connections = {}
    for table in {file.name for file in folder.glob("*.csv")} ^ set(kinds):
        problems.append(f"{table}: not both in the folder and in tables.json")
    for table in kinds:
        connections[table] = load(folder / table, kinds[table])
    for field in ("id", "question"):
        for value, count in collections.Counter((q[field], q["table"]) for q in questions).items():
            if count > 1:
                problems.append(f"{value}: {field} occurs {count} times")
    for question in questions:
        name = question["id"]
        if question["group"] not in GROUPS or not question["question"].strip():
            problems.append(f"{name}: bad group or empty question")
        if question["group"] == "unanswerable":
            if question["sql"] is not None or question["answer"] is not None or not question.get("note"):
                problems.append(f"{name}: an unanswerable question has no SQL, no answer and a note")
            continue
        analysis = question["group"] == "analysis"
        if analysis != (question.get("kind") in KINDS) or question.get("ordered", False) not in (False, analysis):
            problems.append(f"{name}: the questions of analysis, and they alone, have a kind and may be ordered")
        try:
            answer = (run_analysis if analysis else run)(connections[question["table"]], question["sql"])
        except (duckdb.Error, ValueError, KeyError) as error:
            problems.append(f"{name}: {error}")
            continue
        if holes(answer):
            problems.append(f"{name}: empty list or missing cell in {answer}")
        if write:
            question["answer"] = answer
        elif not same(question["answer"], answer):
            problems.append(f"{name}: stored {question['answer']}, SQL gives {answer}")
    if write and not problems:
        lines = [json.dumps(question, ensure_ascii=False) for question in questions]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    groups = collections.Counter(question["group"] for question in questions)
    counts = ", ".join(f"{groups[group]} {group}" for group in GROUPS)
    print(f"{folder.name}: {len(kinds)} tables, {len(questions)} questions ({counts}), {len(problems)} problems")
    for problem in problems:
        print(" ", problem)
    return not problems


if __name__ == "__main__":
    names = [name for name in sys.argv[1:] if name != "--write"] or SETS
    results = [check(FOLDER / name, "--write" in sys.argv[1:]) for name in names]
    sys.exit(0 if all(results) else 1)
