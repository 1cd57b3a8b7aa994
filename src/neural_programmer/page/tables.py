"""Show a table: its columns, some rows at a time, what a step selects, and where the answer came from."""

from dataclasses import dataclass
from typing import Any

from neural_programmer.answering.asking import Opened
from neural_programmer.engines import rows
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.program import Program
from neural_programmer.programs.values import shown_value

SHOWN_CELLS = 2_500  # on the screen at a time, about
FEWEST_ROWS, MOST_ROWS = 10, 50  # rows on the screen


@dataclass(frozen=True)
class Sheet:
    """Rows from `start` to before `end`, of `total`: of the table, or `only` of those that the step selects."""

    columns: tuple[Any, ...]
    rows: tuple[rows.Row, ...]
    start: int
    total: int
    size: int
    selected: int | None = None
    step: int | None = None
    only: bool = False
    takes: bool = False  # whether the step takes a number or a truth from the rows, rather than select them

    @property
    def end(self) -> int:
        return self.start + len(self.rows)

    @property
    def before(self) -> int | None:
        return max(self.start - self.size, 0) if self.start else None

    @property
    def after(self) -> int | None:
        return self.end if self.end < self.total else None


def sheet(
    opened: Opened,
    program: Program | None = None,
    step: int | None = None,
    start: int | None = None,
    only: bool = False,
    extent: tuple[int, int] | None = None,
) -> Sheet:
    """Return some rows; those of a step, counted from 1, begin where it first selects one, unless a `start` is given.

    `extent` is how many rows it selects and the number of the first, where that is known.
    """
    source = opened.source
    columns = source.plain().columns
    size = min(max(SHOWN_CELLS // len(columns), FEWEST_ROWS), MOST_ROWS)
    if program is None or step is None:
        start = _within(start or 0, source.rows, size)
        return Sheet(columns, tuple(rows.view(source).page(start, size)), start, source.rows, size)
    if not 1 <= step <= len(program.steps):
        raise NeuralProgrammerError(f"the program has {len(program.steps)} steps, and there is no step {step}")
    view = rows.view(source, program, step - 1)
    selected, first = extent or view.extent()
    total = selected if only else source.rows
    if start is None:
        start = 0 if only else size * (first // size)
    start = _within(start, total, size)
    takes = program.operations[step - 1].updates in ("scalar", "truth")
    return Sheet(columns, tuple(view.page(start, size, only)), start, total, size, selected, step, only, takes)


def _within(start: int, total: int, size: int) -> int:
    """Return a place in the table; its end, if the place is beyond."""
    return min(max(start, 0), max(total - size, 0)) if start >= total else max(start, 0)


def shown_cell(value: Any) -> str:
    """Return a cell as the page shows it; a missing one as nothing."""
    return "" if value is None else shown_value(value).strip()
