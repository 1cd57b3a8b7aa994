"""Spark as an engine as those of tabled_programs.py."""

from typing import Any

import tabled_programs as tabled
from neural_programmer.engines import spark
from neural_programmer.programs.program import Program
from neural_programmer.tables.table import Table

KINDS = {"VARCHAR": "STRING", "TIMESTAMP": "TIMESTAMP_NTZ"}  # where they are called otherwise


class Spark:
    dialect = "spark"

    def __init__(self, session: Any = None) -> None:
        self.session = session or spark.connect("local[2]")
        self.session.conf.set("spark.sql.shuffle.partitions", "1")

    def close(self) -> None:
        self.session.stop()

    def fill(self, table: Table) -> None:
        """Make the view `t` anew: of texts, each of which is cast."""
        rows = [["NULL" if cell is None else f"'{_escaped(cell)}'" for cell in row] for row in tabled.cells(table)]
        values = ", ".join(f"({', '.join(row)})" for row in rows or [["NULL"] * len(tabled.NAMES)])
        columns = ", ".join(
            f"CAST(c{place} AS {KINDS.get(kind, kind)}) AS `{name}`"
            for place, (name, kind) in enumerate(zip(tabled.NAMES, tabled.TYPES, strict=True))
        )
        names = ", ".join(f"c{place}" for place in range(len(tabled.NAMES)))
        where = "" if rows else " WHERE FALSE"
        self.session.sql(f"SELECT {columns} FROM VALUES {values} AS v({names}){where}").createOrReplaceTempView("t")

    def rows(self, program: Program) -> list[Any]:
        """What the query of a program gives, about the table that is there."""
        return [tuple(row) for row in self.session.sql(tabled.written(program, self.dialect)).collect()]


def _escaped(cell: Any) -> str:
    return str(cell).replace("\\", "\\\\").replace("'", "\\'")
