"""Columns whose cells a query cleans as it reads the stored table, so that it compares what the answer compared."""

from typing import Any, Literal, NamedTuple

from sqlglot import exp

from neural_programmer.tables.cleaning import AROUND, NAN, NO_BREAK, Cleaning

Cast = Literal["", "text", "json"]  # of what is stored as something else: its text, or that of a cell of JSON


class Cleaned(NamedTuple):
    """A column, and how its cells are cleaned before they are used."""

    name: str
    is_number: bool
    cast: Cast
    cleaning: Cleaning

    def expression(self, dialect: str = "") -> Any:
        """Return the cell of the column as SQL. A cell that stands for a missing one is NULL."""
        cell: Any = exp.column(self.name, quoted=True)
        if self.cast == "json":
            cell = exp.Anonymous(this="JSON_EXTRACT_STRING", expressions=[cell, exp.Literal.string("$")])
        elif self.cast:
            cell = exp.cast(cell, "TEXT")
        if self.cleaning.breaks:
            cell = exp.func("REPLACE", cell, exp.Literal.string(NO_BREAK), exp.Literal.string(" "))
        if self.cleaning.around:
            letters = exp.Literal.string(AROUND) if self.cleaning.around == AROUND else None
            cell = exp.Trim(this=cell, expression=letters)
        if not self.cleaning.missing:
            return cell
        if self.is_number and dialect == "duckdb":  # where a Parquet file states least and greatest, none equals NaN
            there = [exp.Anonymous(this=name, expressions=[cell.copy()]) for name in ("isfinite", "isinf")]
            return exp.case().when(exp.or_(*there), cell)
        if self.is_number:
            none = exp.cast(exp.Literal.string(NAN), "DOUBLE")
            return exp.Nullif(this=cell, expression=none)
        texts = list(map(exp.Literal.string, self.cleaning.missing))
        if len(texts) == 1:
            return exp.Nullif(this=cell, expression=texts[0])
        return exp.case().when(cell.copy().isin(*texts).not_(), cell)
