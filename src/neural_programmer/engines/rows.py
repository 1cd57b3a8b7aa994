"""Pages of the rows of a table as a step of a program sees them, fetched by the database."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlglot import exp

from neural_programmer.engines import sql
from neural_programmer.engines.duck import Passes
from neural_programmer.programs.program import Program, origins
from neural_programmer.tables.kinds import Column
from neural_programmer.tables.reading import refusing
from neural_programmer.tables.source import Source

LONGEST = 200  # characters of a cell that are fetched


class Row(NamedTuple):
    """A row of a page: its number from 0, its cells, and whether the step selects it or reads it.

    `marked` are the columns with cells that the answer came from; None stands for the whole row.
    """

    number: int
    cells: tuple[Any, ...]
    selected: bool = False
    marked: frozenset[str | None] = frozenset()


class View(NamedTuple):
    """The rows that a step selects or reads, and the cells that the answer came from.

    Where a column is read from the texts of another (see views.py), the texts are shown and marked.
    """

    source: Source
    passes: Passes
    where: Any
    marks: tuple[tuple[Any, str | None], ...]

    def extent(self) -> tuple[int, int]:
        """Return how many rows there are, and the number of the first, or 0 where there is none."""
        wanted = sql.function("COUNT", None), sql.function("MIN", _number(self.source))
        with refusing(self.source.name):
            [(total, number)] = self.passes.run(self._select(*wanted, where=self.where))
        return total, number or 0

    def page(self, start: int, count: int, only: bool = False) -> list[Row]:
        """Return `count` rows of the table from `start` on; if `only`, of the rows that the step selects."""
        number = _number(self.source)
        within = exp.and_(number >= start, number < start + count)
        cells = [_shown(column) for column in self.source.plain().columns]
        marks = [where for where, _ in self.marks if where is not self.where]
        truths = [sql.simplified(where) for where in (self.where, *marks)]
        query = self._select(number, *cells, *truths, where=self.where if only else within).order_by(number.copy())
        with refusing(self.source.name):
            found = self.passes.run(query.limit(count).offset(start) if only else query)
        last = 1 + len(cells)
        return [Row(row[0], row[1:last], bool(row[last]), self._marked(row[1:last], row[last:])) for row in found]

    def _marked(self, cells: tuple[Any, ...], truths: tuple[Any, ...]) -> frozenset[str | None]:
        """Return the columns of a row that the answer came from, without those whose cell is missing."""
        selected, *others = truths
        if not any(truths):
            return frozenset()
        rest = iter(others)
        holds = [selected if where is self.where else next(rest) for where, _ in self.marks]
        shown = self.source.plain().columns
        there = {column.name for column, cell in zip(shown, cells, strict=True) if cell is not None}
        columns = {column for (_, column), held in zip(self.marks, holds, strict=True) if held}
        return frozenset(columns & {None, *there})

    def _select(self, *expressions: Any, where: Any) -> exp.Select:
        return sql.select(*expressions, relation=self.source.numbered, where=where)


def view(source: Source, program: Program | None = None, place: int = -1) -> View:
    """Return the rows that the step at a place of a program sees. Without a program, no row is selected."""
    passes = Passes(source)
    if program is None:
        return View(source, passes, exp.false(), ())
    booleans = {column.name for column in source.columns if column.kind == "boolean"}
    written = sql.write(program, source.numbered, passes.aggregate, booleans, source.row, kinds=source.cell_kinds)
    wheres = [each.rows for each in written]
    marks = tuple(_mark(source, wheres[i], program.steps[i].source) for i in origins(program))
    return View(source, passes, wheres[place], marks)


def cells(source: Source, column: str, numbers: Sequence[int]) -> dict[int, Any]:
    """Return the cells of a column in the rows of these numbers."""
    if not numbers:
        return {}
    number = _number(source)
    within = exp.and_(number >= min(numbers), number <= max(numbers), number.isin(*numbers))
    query = sql.select(number, _shown(source.column(column)), relation=source.numbered, where=within)
    with refusing(source.name):
        return dict(Passes(source).run(query))


def _mark(source: Source, where: Any, column: str | None) -> tuple[Any, str | None]:
    """Return the condition on the rows that an answer's cells are in, and their column. Where a column that is read
    from another has no cell, the row is not marked."""
    origin = source.origin(column)
    if column is None or origin == column:
        return where, column
    return exp.and_(where, exp.column(column, quoted=True).is_(exp.null()).not_()), origin


def _number(source: Source) -> Any:
    return exp.column(source.row, quoted=True)


def _shown(column: Column) -> Any:
    """Return a cell as SQL, of a long text only the beginning."""
    cell = exp.column(column.name, quoted=True)
    return exp.func("LEFT", cell, exp.Literal.number(LONGEST)) if column.kind == "text" else cell
