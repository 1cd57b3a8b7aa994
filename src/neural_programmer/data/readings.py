"""Find what an answer may mean in a table: a number, or cells as the table has them."""

import json
from datetime import datetime
from typing import Any

import numpy as np

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.program import DECLINED
from neural_programmer.programs.result import Result
from neural_programmer.programs.values import is_missing
from neural_programmer.tables.table import Table, plain

DECLINE = Answer(reason=DECLINED)
Keys = list[dict[str, Any]]  # of each column the cells, by what an answer that means them has in common


def readings(answer: Any, table: Table, keyed: Keys | None = None) -> tuple[Answer, ...]:
    """Return all that an answer may mean: cells of some column, as the table has them, and a number if it is one.

    `keyed` are the table's `keys`, where many answers are read.

    >>> people = Table(("name", "born"), (["Ann", "Bo"], [1990, 1985]))
    >>> [reading.value for reading in readings("bo", people)], [reading.value for reading in readings(1990, people)]
    ([['Bo']], [[1990], 1990])
    """
    keyed = keys(table) if keyed is None else keyed
    if answer is None:
        return (DECLINE,)
    if is_rows(answer):
        return (Answer(Result.table([f"column {place}" for place, _ in enumerate(answer[0], 1)], answer)),)
    items = answer if isinstance(answer, list) else [answer]
    found: list[Answer] = []
    for column in keyed:
        cells = [column[key] for key in map(_key, items) if key in column]
        if len(cells) == len(items):
            found.append(Answer(Result.cells(cells)))
    numbers = [_number(item) for item in items]
    if len(numbers) == 1 and numbers[0] is not None:
        found.append(Answer(Result.number(numbers[0])))
    if isinstance(answer, bool):
        found.append(Answer(Result.truth(answer)))
    if not found:
        texts = [item for item, number in zip(items, numbers, strict=True) if number is None]
        absent = [item for item in texts if not any(_key(item) in column for column in keyed)]
        if absent:
            raise NeuralProgrammerError(
                f"the answer {short(absent[0])} is no number, and no cell of the table holds it"
            )
        found.append(Answer(Result.cells(items)))  # of several columns: nothing gives it
    return tuple(dict.fromkeys(found))


def is_rows(answer: Any) -> bool:
    """Return whether an answer is a table: a list of rows, each a list of cells."""
    return isinstance(answer, list) and bool(answer) and all(isinstance(row, list) for row in answer)


def _number(item: Any) -> float | None:
    if isinstance(item, bool) or item is None:
        return None
    try:
        number = float(item.replace(",", "") if isinstance(item, str) else item)
    except (ValueError, OverflowError):
        return None
    return number if np.isfinite(number) else None


def _key(item: Any) -> str:
    """Return what an answer and a cell that holds it have in common, however they are written."""
    if item is None:
        return ""
    if isinstance(item, bool):
        return str(item).lower()
    if (number := _number(item)) is not None:
        return repr(number)
    text = " ".join(str(item).split()).casefold()
    try:
        return datetime.fromisoformat(text).isoformat()
    except ValueError:
        return {"yes": "true", "no": "false"}.get(text, text)


def keys(table: Table) -> Keys:
    """Return the cells of each column by their keys."""
    result: Keys = []
    for column in table.columns:
        result.append({})
        for cell in plain(column):
            result[-1].setdefault("" if is_missing(cell) else _key(cell), cell)
    return result


def short(answer: Any) -> str:
    """Return an answer in a line."""
    text = json.dumps(answer, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "..."
