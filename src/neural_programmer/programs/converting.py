"""Convert an answer to a frame of pandas, polars or pyarrow; none of these is needed for anything else."""

import datetime
import importlib
from collections.abc import Sequence
from typing import Any

from neural_programmer.errors import NeuralProgrammerError

Columns = Sequence[str]
Cells = Sequence[Sequence[Any]]  # the cells of each column


def to_pandas(columns: Columns, held: Cells) -> Any:
    """Return a pandas DataFrame of these columns; dates are moments to pandas."""
    pandas = _library("pandas")
    made = {}
    for place, values in enumerate(held):
        cells = _numbers(values)
        dates = any(isinstance(cell, datetime.date) for cell in cells)
        whole = all(isinstance(cell, int | None) and not isinstance(cell, bool) for cell in cells) and None in cells
        column = [float("nan") if cell is None else float(cell) for cell in cells] if whole and any(cells) else cells
        made[place] = pandas.to_datetime(column) if dates else column
    return pandas.DataFrame(made).set_axis(list(columns), axis=1)


def to_polars(columns: Columns, held: Cells) -> Any:
    """Return a polars DataFrame of these columns."""
    return _library("polars").DataFrame({name: _numbers(values) for name, values in zip(columns, held, strict=True)})


def to_arrow(columns: Columns, held: Cells) -> Any:
    """Return a pyarrow Table of these columns."""
    return _library("pyarrow").table({name: _numbers(values) for name, values in zip(columns, held, strict=True)})


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        method = "to_arrow" if name == "pyarrow" else f"to_{name}"
        raise NeuralProgrammerError(f"{method}() needs {name}, which is not installed: pip install {name}") from None


def _numbers(values: Sequence[Any]) -> list[Any]:
    """Return numbers all whole or all floats, as a column needs them. They are whole where nothing is lost."""
    floats = [cell for cell in values if isinstance(cell, float)]
    if not floats:
        return list(values)
    whole = all(cell.is_integer() and abs(cell) < 2**53 for cell in floats)
    return [
        cell if cell is None or isinstance(cell, str | bool) else int(cell) if whole else float(cell) for cell in values
    ]
