"""Run a program on DuckDB, wherever the table is: its answer, the rows of every step, and the cells behind it."""

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import duckdb
from sqlglot import exp

from neural_programmer.base.limits import within
from neural_programmer.engines import sql
from neural_programmer.programs.answer import NAMED_CELLS, Answer
from neural_programmer.programs.expressions import Test
from neural_programmer.programs.program import NOTHING_TO_COMPARE, Program, nothing_to_take, time_of
from neural_programmer.programs.put_out import put_out, values_of
from neural_programmer.programs.result import Result
from neural_programmer.programs.values import plain
from neural_programmer.tables.reading import refusing
from neural_programmer.tables.source import Source

LOOKED_UP = 100_000  # that a look-up gives
TOGETHER = 1_000_000  # rows of a table whose conditions are counted in one query: of a larger one, while there is time
COUNTING = 0.2  # seconds for the rows of those steps that the answer does not count by itself
PASS = 3  # how much longer a pass for an answer takes than one that counts: then counting is not tried in vain


def answer(program: Program, source: Source, counting: float | None = None) -> tuple[Answer, list[int | None]]:
    """Return the answer of a program, and how many rows every step selects; for one that gives an answer, how many it
    reads.

    Every aggregate is one pass over the rows of its condition. The pass counts these rows and names their cells. An
    aggregate inside a condition is computed first, and is a parameter of the queries that follow. `counting` limits the
    time for counting the rows of the other steps: 0 counts none of them, None sets no limit.
    """
    passes = Passes(source)
    booleans = {column.name for column in source.columns if column.kind == "boolean"}
    written = sql.write(program, source.numbered, passes.aggregate, booleans, source.row, kinds=source.cell_kinds)
    last = written[-1]
    start = time.monotonic()
    with refusing(source.name):
        if last.operation.updates == "lookup":
            found = passes.look_up(str(program.steps[-1].column), last.value)
        elif last.is_table:
            found = passes.table(last)
        elif last.is_truth:
            found = passes.truth(last)
        elif last.operation.updates == "truth":
            counted = passes.take(passes.aggregate("COUNT", None, last.value))
            truth = last.operation.truth(bool(counted.scalar))
            found = replace(counted, result=Result.truth(truth))
        else:
            found = passes.take(last.value)
        moment: Any = found.scalar
        if found.kind == "scalar" and (moment is None or moment != moment):
            found = Answer(reason=nothing_to_take(program.steps[-1]))
        elif isinstance(moment, date):
            found = replace(found, result=time_of(program.steps[-1], str(plain(moment))))
        wheres = [each.rows for each in written]
        if last.operation.updates == "lookup":
            total = passes.counted(wheres[-1:], None)[0] or 0
            found = replace(found, result=replace(found.result, more=total - len(found.values)), total=total)
        hopeless = counting is not None and time.monotonic() - start > PASS * counting
        return found, passes.counted(wheres, 0.0 if hopeless else counting)


def count(test: Test, source: Source) -> int:
    """Return for how many rows of the table a test holds."""
    passes = Passes(source)
    booleans = {column.name for column in source.columns if column.kind == "boolean"}
    writer = sql.Writer(source.numbered, passes.aggregate, booleans, source.row)
    with refusing(source.name):
        return passes.counted([writer.test(test)], None)[0] or 0


class Passes:
    """The queries of one program, each run once; their results are kept."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.asked: dict[str, tuple[str, Any, Any]] = {}  # of each aggregate: function, expression, condition
        self.known: dict[str, Any] = {}  # their values
        self.rows: dict[str, int] = {}  # how many rows a condition selects
        self.cells: list[tuple[int, str | None]] = []  # those that the answer came from
        self.total = 0

    def aggregate(self, name: str, expression: Any, where: Any) -> exp.Placeholder:
        """Return a placeholder for a scalar, which is computed when it is needed."""
        key = f"a{len(self.asked)}"
        self.asked[key] = name, expression, where
        return exp.Placeholder(this=key)

    def take(self, value: Any) -> Answer:
        """Return the scalar of an expression as an answer."""
        scalar = self._evaluated(value)
        return Answer(Result.number(scalar), tuple(self.cells[:NAMED_CELLS]), total=self.total)

    def look_up(self, column: str, where: Any) -> Answer:
        """Return the cells of a column as an answer."""
        row = exp.column(self.source.row, quoted=True)
        chosen = self._run(exp.column(column, quoted=True), row, where=where, limit=LOOKED_UP + 1)
        if len(chosen) <= LOOKED_UP:
            self.rows[self._key(where)] = len(chosen)
        chosen = chosen[:LOOKED_UP]
        cells = tuple((number, column) for _, number in chosen[:NAMED_CELLS])
        return Answer(Result.cells((value for value, _ in chosen), column), cells, len(chosen))

    def table(self, last: sql.Written) -> Answer:
        """Return the rows that a table puts out as an answer."""
        rows = self.run(last.value.limit(LOOKED_UP + 1))
        more = 0
        if len(rows) > LOOKED_UP:
            [(count,)] = self.run(exp.select(sql.function("COUNT", None)).from_(last.value.subquery("answer")))
            rows, more = rows[:LOOKED_UP], count - LOOKED_UP
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(values_of(last.node))
        result = replace(put_out(last.node, columns), more=more)
        return Answer(result, total=self.counted([last.rows], None)[0] or 0)

    def truth(self, last: sql.Written) -> Answer:
        """Return as an answer how numbers compare, or whether there is any group."""
        holds = self._evaluated(last.value)
        if holds is None:
            return Answer(reason=NOTHING_TO_COMPARE)
        result = Result.truth(last.operation.truth(bool(holds)))
        return Answer(result, tuple(self.cells[:NAMED_CELLS]), total=self.total)

    def counted(self, wheres: Sequence[Any], seconds: float | None) -> list[int | None]:
        """Return how many rows each of the conditions selects, or None where time ran out."""
        keys = [self._key(where) for where in wheres]
        missing = {key: where for key, where in zip(keys, wheres, strict=True) if key not in self.rows}
        if not missing or seconds == 0:
            return [self.rows.get(key) for key in keys]
        ours = () if seconds is None else (duckdb.InterruptException,)  # without a limit here, it is another's
        with contextlib.suppress(*ours), within(seconds, self.source.connection):
            if self.source.rows <= TOGETHER:
                each = [
                    exp.case().when(where, exp.Literal.number(1)) for where in map(sql.simplified, missing.values())
                ]
                [counts] = self._run(*(sql.function("COUNT", case) for case in each), where=exp.true())
                self.rows.update(zip(missing, counts, strict=True))
            else:
                for key, where in missing.items():
                    [(self.rows[key],)] = self._run(sql.function("COUNT", None), where=where)
        return [self.rows.get(key) for key in keys]

    def _evaluated(self, value: Any) -> Any:
        """Evaluate an expression of aggregates and numbers. It is None where a part of it is missing."""
        parts = {found.name: self._value(found.name, named=True) for found in _placeholders(value)}
        if isinstance(value, exp.Placeholder):
            return parts[value.name]
        [[scalar]] = self.source.connection.execute(exp.select(value).sql("duckdb"), parts).fetchall()
        return scalar

    def _value(self, key: str, named: bool = False) -> Any:
        """Compute an aggregate. If `named`, note the cells that it came from."""
        if key in self.known and not named:
            return self.known[key]
        name, expression, where = self.asked[key]
        everywhere = sql.simplified(where) == exp.true()
        wanted = [sql.function(name, expression)]
        if not everywhere:
            wanted.append(sql.function("COUNT", None))
        there, row = self._there(expression), exp.column(self.source.row, quoted=True)
        if named:
            wanted.append(sql.function("COUNT", expression))
        if named and not everywhere:
            number = row if there is None else exp.case().when(there, row)
            wanted.append(exp.Anonymous(this="min", expressions=[number, exp.Literal.number(NAMED_CELLS)]))
        [(value, *found)] = self._run(*wanted, where=where)
        self.known[key] = value
        if not everywhere:
            self.rows[self._key(where)] = found.pop(0)
        if named:
            self.total += found[0]
            column = expression.name if isinstance(expression, exp.Column) else None
            rows = (
                found[1] if not everywhere else [r for (r,) in self._run(row, where=there or where, limit=NAMED_CELLS)]
            )
            self.cells += [(number, column) for number in rows or ()]
        return value

    @staticmethod
    def _there(expression: Any) -> Any:
        """Return the condition that a cell is not missing."""
        return None if expression is None else expression.is_(exp.null()).not_()

    def _run(self, *expressions: Any, where: Any, limit: int | None = None) -> list[tuple[Any, ...]]:
        """Run SELECT expressions WHERE condition, and return the rows."""
        query = sql.select(*expressions, relation=self.source.numbered, where=where)
        return self.run(query.limit(limit) if limit else query)

    def run(self, query: exp.Select) -> list[tuple[Any, ...]]:
        """Run a query and return its rows. The aggregates in its conditions are computed first."""
        parameters = {found.name: self._value(found.name) for found in _placeholders(query)}
        return self.source.connection.execute(query.sql("duckdb"), parameters).fetchall()

    def _key(self, where: Any) -> str:
        """Return the key of a condition. For all rows and for no rows, note how many there are."""
        where = sql.simplified(where)
        key = where.sql("duckdb")
        if isinstance(where, exp.Boolean):
            self.rows[key] = self.source.rows if where.this else 0
        return key


def _placeholders(expression: Any) -> Iterator[exp.Placeholder]:
    """Yield the aggregates that an expression needs, from left to right."""
    return (found for found in expression.dfs() if isinstance(found, exp.Placeholder))
