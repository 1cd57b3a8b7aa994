"""An answer: its result or the reason why there is none, the program that gave it, and how sure the model is."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from neural_programmer.base.notebook import grid, line, shortened, tag
from neural_programmer.errors import NeuralProgrammerError, UsageError
from neural_programmer.programs import converting, same
from neural_programmer.programs.items import written
from neural_programmer.programs.result import Result, ResultKind
from neural_programmer.programs.values import for_people, plain, rounded, shown_value, with_unit

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from neural_programmer.programs.charts.choosing import Shape
    from neural_programmer.programs.charts.shown import Chart

VERSION = 1  # of an answer in JSON: another where a name goes or means something else, not where one comes
NAMED_CELLS = 1_000  # that an answer names, of those that it came from,
LISTED_CELLS = 20  # and of them those that JSON lists
TABLE_ROWS, TABLE_COLUMNS = 20, 20  # of a table in a notebook
SHOWN = 8  # cells of a look-up, or rows of a table, in a line of text


@dataclass(frozen=True)
class AnswerStep:
    """A step of the program that gave an answer.

    `rows` is how many rows are selected after it; of a step that gives a number or cells, how many they were taken
    from; None where the table is too large to count them all in time. `in_words` is the step as people say it (see
    wording.py), of an answer to a person's question.
    """

    operation: str
    column: str | None = None
    argument: float | str | None = None
    rows: int | None = None
    in_words: str = ""

    def __str__(self) -> str:
        argument = "" if self.argument is None else str(plain(self.argument))
        return " ".join(filter(None, (self.operation, self.column, argument)))

    @property
    def rows_text(self) -> str:
        """Return the number of rows as people read it."""
        return "not counted" if self.rows is None else f"{self.rows:,}"


@dataclass(frozen=True)
class Answer:
    """What was found, and apart from it the cells it came from, the explanation, the query and the confidence.

    `result` is a small table (see result.py); `kind`, `scalar`, `values` and `value` are its own.

    `cells` are those that the answer came from, as (row, column name); rows are counted from 0, and None stands for the
    column where whole rows were counted. Of many the first are given, and `total` says how many there are.

    `question`, `steps`, `notes` and `unit` are for people; notes say what was taken where the question or the table
    leaves it open, and what was not tried. `reason` says why there is no answer. Those answers are `partial` for which
    there were too many programs to try them all. `shape` says what the columns of a table are, where that is known,
    `units` theirs, and `said` is what was computed in one sentence, where it can be said in one.
    """

    result: Result = Result()  # noqa: RUF009  frozen
    cells: tuple[tuple[int, str | None], ...] = ()
    total: int = 0
    question: str = ""
    steps: tuple[AnswerStep, ...] = ()
    notes: tuple[str, ...] = ()
    unit: str = ""
    reason: str = ""
    partial: bool = False
    sql: str = ""
    confidence: float | None = None
    shape: "Shape | None" = None
    units: tuple[str, ...] = ()
    said: str = ""

    @property
    def kind(self) -> ResultKind:
        """Return what the answer is: scalar, lookup, table, truth or none."""
        return self.result.kind

    @property
    def scalar(self) -> float | None:
        """Return the number that the answer is, or None if it is none."""
        return self.result.scalar

    @property
    def values(self) -> tuple[Any, ...]:
        """Return the cells of a look-up, the rows of a table, or a truth alone. A number has none."""
        return self.result.values

    @property
    def value(self) -> Any:
        """Return the answer as JSON has it: a number, a list of values (None for a missing cell), a list of rows, a
        truth, or None."""
        return self.result.value

    def equals(self, other: "Answer") -> bool:
        """Return whether the paper takes both for the same answer (see same.py)."""
        return same.is_right_in_paper(self.result, other.result, self.cells, other.cells)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it but cells after the first ones, in what JSON can hold."""
        return {
            "version": VERSION,
            "question": self.question,
            "answer": self.value,
            "columns": list(self.result.columns),
            "kind": self.kind,
            "reason": self.reason,
            "unit": self.unit,
            "units": list(self.units),
            "said": self.said,
            "program": [vars(step) | {"argument": plain(step.argument)} for step in self.steps],
            "sql": self.sql,
            "cells": [{"row": row, "column": column} for row, column in self.cells[:LISTED_CELLS]],
            "cells_in_all": self.total,
            "truncated": self.result.truncated,
            "confidence": None if self.confidence is None else rounded(self.confidence),
            "partial": self.partial,
            "notes": list(self.notes),
            "chart": None if self.chart is None else self.chart.to_dict(),
        }

    @property
    def chart(self) -> "Chart | None":
        """Return the picture of the answer, or None. Groups, times and many numbers have one. A notebook shows it.

        >>> Answer(Result.table(("city", "rent"), [("Oslo", 900), ("Rome", 700)])).chart
        Chart('Bars: rent for each city; 2 groups; highest Oslo with 900, lowest Rome ...')
        """
        return None if isinstance(self._chart, str) else self._chart

    def save_chart(self, path: str | Path) -> Path:
        """Write the picture as .html (with the table beside it), .svg, .png (needs the extra `charts`) or .json
        (Vega-Lite). Refuse an answer that has none."""
        from neural_programmer.programs.charts import files

        place, chart = files.check(path), self._chart
        if isinstance(chart, str):
            raise NeuralProgrammerError(f"there is no picture of this answer: {chart}")
        return files.save(chart, place, self.result, self.notes)

    @cached_property
    def _chart(self) -> "Chart | str":
        """Return the picture, or why there is none."""
        if self.kind not in ("lookup", "table"):
            return {"scalar": "it is one number", "truth": "it is one truth"}.get(self.kind, "there is no answer")
        from neural_programmer.programs.charts.choosing import chosen

        found = chosen(self.result, self.shape, self.unit if self.kind == "lookup" else "")
        if isinstance(found, str):
            return found
        from neural_programmer.programs.charts.shown import Chart

        return Chart(found, self.question)

    @property
    def answered(self) -> bool:
        """Return whether there is an answer; "no" and 0 are answers. Where there is none, `reason` says why.

        >>> Answer(Result.number(0.0)).answered, Answer(reason="there is no such column").answered
        (True, False)
        """
        return self.kind != "none"

    def __bool__(self) -> NoReturn:
        """Refuse `if answer:`, which could mean either of two things."""
        raise UsageError(
            "an answer is neither true nor false by itself: answer.answered says whether there is one, and answer.value"
            " what it is, as 0 or False"
        )

    def __float__(self) -> float:
        """Return the number that the answer is, or its only cell.

        >>> float(Answer(Result.number(2.5)))
        2.5
        """
        found = self.result.only
        if isinstance(found, int | float) and not isinstance(found, bool):
            return float(found)
        raise UsageError(f"the answer is not one number, but {self._said()}; answer.value has it")

    def __int__(self) -> int:
        """Return the whole number that the answer is.

        >>> int(Answer(Result.number(3.0)))
        3
        """
        found = float(self)
        if not found.is_integer():
            raise UsageError(f"the answer {found:g} is not a whole number; take float(answer), or round it")
        return int(found)

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a pandas DataFrame. A look-up is a column named as in the table; a number or a truth is one row of
        `answer`.

        >>> Answer(Result.cells(("Oslo", "Rome"), "city")).to_pandas()
           city
        0  Oslo
        1  Rome
        """
        return converting.to_pandas(*self._whole())

    def to_polars(self) -> "polars.DataFrame":
        """Return a polars DataFrame with what `to_pandas` has."""
        return converting.to_polars(*self._whole())

    def to_arrow(self) -> "pyarrow.Table":
        """Return a pyarrow Table with what `to_pandas` has."""
        return converting.to_arrow(*self._whole())

    def _whole(self) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
        """Return the columns of the answer and the cells of each. Refuse an answer that does not hold all rows."""
        if self.kind == "none":
            raise NeuralProgrammerError(f"there is no answer to make a table of ({self.reason}); see answer.answered")
        if self.result.truncated:
            of = "rows" if self.kind == "table" else "values"
            raise NeuralProgrammerError(
                f"the answer has {self.result.total:,} {of} and holds the first {self.result.length:,} of them; run"
                " answer.sql where the table is for all, or take answer.values"
            )
        return self.result.columns, self.result.held

    def _said(self) -> str:
        """Return in words what kind of answer it is."""
        if self.kind in ("lookup", "table"):
            of = "rows" if self.kind == "table" else "cells"
            return f"{len(self.values):,} {of}, {shortened(str(self))}" if len(self.values) != 1 else f"{self.value}"
        return f"none: {self.reason}" if self.kind == "none" else shortened(str(self))

    def __repr__(self) -> str:
        """Return one line: the answer, the program and how sure the model is. `to_dict` has all of it."""
        program = shortened("; ".join(map(str, self.steps)))
        return line(
            "Answer",
            repr(shortened(str(self))),
            f"program={program!r}" if program else "",
            "" if self.confidence is None else f"confidence={rounded(self.confidence)}",
        )

    def __str__(self) -> str:
        return self.text()

    def text(self, digits: int | None = None) -> str:
        """Return the answer in one line, as people read it; a number with `digits` decimals if that is given."""
        if self.kind == "none":
            return f"no answer: {self.reason}"
        if self.scalar is not None:
            if digits is None and not self.question:
                return f"{self.scalar:z.2f}".rstrip("0").rstrip(".")
            return with_unit(for_people(self.scalar, self.unit, digits), self.unit)
        if self.kind == "truth":
            return shown_value(self.value)
        first = zip(*(cells[:SHOWN] for cells in self.result.held), strict=True)
        rows = [", ".join(map(self._shown, row)) for row in first]
        more = self.result.total - SHOWN
        between = "; " if self.kind == "table" else ", "
        return f"[{between.join(rows)}{f'{between}and {more:,} more' if more > 0 else ''}]"

    def _shown(self, cell: Any) -> str:
        """Return a cell as people read it, if the answer is to a question."""
        return shown_value(cell, self.unit if self.kind == "lookup" else "") if self.question else str(cell)

    def _repr_html_(self) -> str:
        """Return HTML for notebooks: the answer, the steps with their rows, and the SQL."""
        rows = [
            (str(number), step.in_words or str(step), step.operation, step.rows_text)
            for number, step in enumerate(self.steps, 1)
        ]
        steps = grid(("", "step", "operation", "rows"), rows, self.question)
        sure = "" if self.confidence is None else tag("p", f"confidence {self.confidence:.0%}")
        notes = "".join(tag("p", note) for note in self.notes)
        return f"{self._answer_html()}{notes}{steps}{sure}{tag('pre', self.sql)}"

    def _answer_html(self) -> str:
        """Return the answer as HTML with its picture if it has one, and the first rows of a table."""
        chart = self.chart
        picture = "" if chart is None else chart.to_svg() + "".join(tag("p", note) for note in chart.notes)
        if self.kind != "table":
            return f"<p>{tag('b', str(self))}</p>{picture}"
        from neural_programmer.programs.charts.html_file import table

        return picture + table(self.result, TABLE_ROWS, TABLE_COLUMNS)


def items_of(answer: Answer) -> list[str]:
    """Return the texts that stand for an answer in a file of predictions: a number with its unit, a truth, or each cell
    once.

    The cells of a table are those of all its rows.
    """
    if answer.unit and answer.scalar is not None:
        return [with_unit(written(answer.scalar), answer.unit)]
    return list(dict.fromkeys(written(cell) for row in answer.result.rows for cell in row))
