"""Read a folder of tables and questions with SQL; answer each question on three tables.

A folder holds tables as CSV files and questions.jsonl, one object a line: table, question, sql over a table t; null
where the table cannot answer. The first of the three tables is the one that was written about, the second has each of
its columns shuffled by itself, the third has some of its rows; DuckDB answers.

A line may have a kind, one of KINDS: then its answer is beyond programs that select rows and give a number, the cells
of one column or none. Whoever learns such programs is given neither that answer nor that there is none.
"""

import json
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from neural_programmer.data.written import DECLINE, Written, holding, taken
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.result import Result
from neural_programmer.questions.index import Index
from neural_programmer.tables.source import Source, open_source

LOOK_UP = re.compile(r'SELECT\s+(?:DISTINCT\s+)?("[^"]+"|\w+)\s+FROM\s+t\b', re.IGNORECASE)  # a look-up; else a number
STAYING = 0.7  # share of the rows of the third table
KINDS = (
    *("group", "choose", "order", "top", "having", "share", "ratio", "change", "compare", "time"),
    *("statistics", "arithmetic", "bands", "text", "conditions", "truth", "few", "outputs"),
)


def read(folder: Path, generator: np.random.Generator, kinds: Collection[str] = ()) -> Iterator[Written]:
    """Yield the questions of a folder that its tables answer, and those that nothing answers.

    Questions that have a kind are left out, unless it is one of `kinds`.
    """
    tables: dict[str, _Tables] = {}
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        given = json.loads(line)
        name, question, sql, kind = given["table"], given["question"], given["sql"], given.get("kind")
        if kind is not None and kind not in kinds:
            continue
        if name not in tables:
            tables[name] = _Tables(open_source(folder / name), generator)
        about = tables[name]
        if sql is None:
            yield Written(question, about.tables, (DECLINE,) * len(about.tables))
        elif answers := about.answers(sql) if kind is None else about.richer_answers(sql):
            needed = frozenset(place for place, name in enumerate(about.tables[0].names) if _is_in(name, sql))
            yield Written(question, about.tables, answers, needed, about.naming(sql), about.texts(sql), kind)


class _Tables:
    """A table and two that are like it, in memory and in a database."""

    def __init__(self, source: Source, generator: np.random.Generator) -> None:
        whole, rows = source.table(), np.arange(source.rows)
        shuffled = [generator.permutation(rows) for _ in whole.names]
        some = [np.sort(generator.permutation(rows)[: max(1, round(STAYING * len(rows)))])] * len(whole.names)
        self.tables = whole, taken(whole, shuffled), taken(whole, some)
        self.source, self.connection = source, source.connection  # which lasts as long as its source
        cells = source.fetched(f"SELECT * FROM {source.relation}")
        for number, places in enumerate(([rows] * len(whole.names), shuffled, some)):
            self.connection.execute(f"CREATE SCHEMA v{number}")
            self.connection.execute(f"CREATE TABLE v{number}.t AS SELECT * FROM {source.relation} LIMIT 0")
            drawn = [[cells[row][column] for column, row in enumerate(row_of)] for row_of in zip(*places, strict=True)]
            marks = ", ".join("?" for _ in whole.names)
            self.connection.executemany(f"INSERT INTO v{number}.t VALUES ({marks})", drawn)

    def answers(self, sql: str) -> tuple[Answer, ...]:
        """Return what SQL answers on each table; nothing if it fails, gives no number, or gives a number for a time."""
        answers = []
        for number in range(len(self.tables)):
            self.connection.execute(f"SET schema = 'v{number}'")
            try:
                found = [row[0] for row in self.connection.execute(sql).fetchall()]
            except duckdb.Error:
                return ()
            if LOOK_UP.match(sql.strip()):
                answers.append(Answer(Result.cells(map(_plain, found))))
            elif len(found) != 1 or not (found[0] is None or hasattr(found[0], "__float__")):
                return ()
            else:
                nothing = Answer(reason="nothing")
                answers.append(nothing if found[0] is None else Answer(Result.number(float(found[0]))))
        return tuple(answers)

    def richer_answers(self, sql: str) -> tuple[Answer, ...]:
        """Return what SQL answers on each table, a table or a truth too; nothing if it fails."""
        answers = []
        for number in range(len(self.tables)):
            self.connection.execute(f"SET schema = 'v{number}'")
            try:
                cursor = self.connection.execute(sql)
                names, rows = [column[0] for column in cursor.description or ()], cursor.fetchall()
            except duckdb.Error:
                return ()
            answers.append(_richer_answer(names, rows, LOOK_UP.match(sql.strip()) is not None))
        return tuple(answers)

    def naming(self, sql: str) -> int | None:
        """Return the place of the looked-up column, if nearly all of its cells are different texts."""
        found = LOOK_UP.match(sql.strip())
        columns = Index.of(self.tables[0]).columns
        looked_up = found[1].strip('"').casefold() if found else None
        places = [p for p, column in enumerate(columns) if column.different and column.name.casefold() == looked_up]
        return places[0] if places else None

    def texts(self, sql: str) -> tuple[str, ...]:
        """Return the texts of cells that SQL names, but for those that all rows hold."""
        said = {text.replace("''", "'") for text in re.findall(r"'((?:[^']|'')*)'", sql)}
        whole = self.tables[0]
        return tuple(sorted(text for text in said if holding(whole, text).any() and not holding(whole, text).all()))


def _richer_answer(names: list[str], rows: list[tuple[Any, ...]], looked_up: bool) -> Answer:
    """Return rows of several columns as a table; of one column as a truth or a number, if they are it, or as cells."""
    if len(names) > 1:
        return Answer(Result.table(names, [map(_plain, row) for row in rows]))
    cells = [cell for (cell,) in rows]
    if looked_up or len(cells) != 1:
        return Answer(Result.cells(map(_plain, cells), names[0]))
    [cell] = cells
    if cell is None:
        return Answer(reason="nothing")
    if isinstance(cell, bool):
        return Answer(Result.truth(cell))
    return Answer(Result.number(float(cell)) if hasattr(cell, "__float__") else Result.cells([_plain(cell)], names[0]))


def _is_in(name: str, sql: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sql, re.IGNORECASE) is not None


def _plain(cell: Any) -> float | str:
    """Return a cell as tables have it in memory."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    return float(cell) if hasattr(cell, "__float__") else str(cell)
