"""Questions that were written by hand about tables, with SQL that answers them: asked of three tables each.

A folder holds tables as CSV files and questions.jsonl, one object a line: table, question, sql over a table t; null
where the table cannot answer. The first of the three tables is the one that was written about, the others have its rows
drawn anew; each time a question is asked, its tables have other columns besides those it needs, in another order.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from neural_programmer.answer import Answer
from neural_programmer.program import DECLINED, Program
from neural_programmer.source import Source, open_source
from neural_programmer.table import Table
from neural_programmer.tasks.language import Asked

CELLS = re.compile(r'SELECT\s+(?:"[^"]+"|\w+)\s+FROM\s+t\b', re.IGNORECASE)  # a look-up; else it is a number
TABLES = 3
KEPT = 0.7  # how often a column that is not needed stays


@dataclass(frozen=True)
class Written:
    """One question, with its table and its SQL."""

    question: str
    source: Source
    sql: str | None

    def asked(self, generator: np.random.Generator) -> Asked | None:
        """The question asked of three tables; None where its SQL does not answer."""
        whole = self._table
        rows = [np.arange(whole.rows), *(generator.integers(0, whole.rows, whole.rows) for _ in range(TABLES - 1))]
        answers = tuple(self._answer(some) for some in rows)
        if any(answer is None for answer in answers):
            return None
        places = [place for place in range(len(whole.names)) if self._needs(place) or generator.random() < KEPT]
        if generator.random() < 0.5:
            places = generator.permutation(places).tolist()
        tables = tuple(
            Table(tuple(whole.names[p] for p in places), tuple(whole.columns[p][some] for p in places)) for some in rows
        )
        group = "unanswerable" if self.sql is None else "free"
        return Asked(self.question, tables, answers, Program(()), "written", group)  # type: ignore[arg-type]

    @cached_property
    def _table(self) -> Table:
        return self.source.table()

    def _needs(self, place: int) -> bool:
        """Whether the SQL names a column; of a question without an answer, any may be left out."""
        name = self._table.names[place]
        return (
            self.sql is not None and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", self.sql, re.IGNORECASE) is not None
        )

    def _answer(self, rows: np.ndarray) -> Answer | None:
        if self.sql is None:
            return Answer("none", reason=DECLINED)
        connection, relation = self.source.connection, self.source.relation
        drawn = "SELECT unnest(?) AS r, generate_subscripts(?, 1) AS i"
        connection.execute(f"CREATE OR REPLACE TEMP TABLE drawn AS {drawn}", [rows.tolist()] * 2)
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE t AS SELECT numbered.* EXCLUDE (r) FROM "
            f"(SELECT *, row_number() OVER () - 1 AS r FROM {relation}) AS numbered JOIN drawn USING (r) ORDER BY i"
        )
        found = [row[0] for row in connection.execute(self.sql).fetchall()]
        if CELLS.match(self.sql.strip()):
            return Answer("lookup", values=tuple(map(_plain, found)))
        if len(found) != 1 or isinstance(found[0], str):
            return None
        return Answer("none", reason="nothing") if found[0] is None else Answer("scalar", scalar=float(found[0]))


def _plain(cell: Any) -> float | str:
    """A cell as tables have it in memory."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    return float(cell) if hasattr(cell, "__float__") else str(cell)


def read(folder: Path) -> Iterator[Written]:
    """The questions of a folder; its tables are opened once."""
    sources: dict[str, Source] = {}
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        given = json.loads(line)
        name = given["table"]
        sources[name] = sources.get(name) or open_source(folder / name)
        yield Written(given["question"], sources[name], given["sql"])
