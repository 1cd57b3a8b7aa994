"""When two answers are the same: each definition that there is, and the pieces that they share.

| definition | numbers | cells | who asks |
| --- | --- | --- | --- |
| `is_right` | to a millionth, whole ones exactly | as often as they are wanted, in any order | `fit`, `evaluate` |
| `is_close`, `cell_of` | the same; in cells exactly | the same | the search for programs (candidates/conditions.py) |
| `key_of` | to ten digits | each once, in any case, in any order | candidates, of which many are compared at once |
| `is_right_of_wikitables` | to a millionth | each once, as its evaluator reads texts | WikiTableQuestions |
| `is_right_in_paper` | to the first decimal | the same places of the table | the paper's tasks |

The first is our own, and the second the same for many sets of rows at once. `key_of` also says which candidates share
their probability: another definition would change what models decide. The last two are published measures.
"""

import hashlib
import math
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import date
from typing import Any

import numpy as np
from jaxtyping import Bool, Float

from neural_programmer.base.once import remembered
from neural_programmer.programs.items import Item, item
from neural_programmer.programs.result import Result
from neural_programmer.programs.values import is_missing, plain

CLOSE = 1e-6  # the difference of numbers that count as the same; of those above 1 relative to what is wanted
WHOLE = 2.0**53  # below which whole numbers are exactly what they are
TOLERANCE = 0.05  # "correct if it is equal to the correct answer up to the first decimal place" (the paper's Table 2)
MIDNIGHT = "T00:00:00", " 00:00:00"  # behind a day

Row = tuple[tuple[str, Any], ...]


def is_close(
    values: Float[np.ndarray, "*many"], wanted: Float[np.ndarray, "*some"] | float
) -> Bool[np.ndarray, "*many"]:
    """Return which numbers are the ones that are wanted but for how they were rounded: whole ones are so exactly."""
    near = np.abs(values - wanted) <= CLOSE * np.maximum(1.0, np.abs(wanted))
    off = near & (values != wanted)
    return near & ~(off & _whole(values) & _whole(wanted)) if off.any() else near


def _whole(values: Any) -> Any:
    """Return which numbers are whole, and small enough to be so by more than chance."""
    return (np.abs(values) < WHOLE) & (np.floor(values) == values)


def cell_of(value: Any) -> tuple[str, Any]:
    """Return a cell as it is compared: what is missing, a number, or a text; truths are texts, and midnight is its day.

    >>> cell_of(3), cell_of(True), cell_of(float("nan")), cell_of("2024-01-02T00:00:00")
    (('number', 3), ('text', 'true'), ('text', ''), ('text', '2024-01-02'))
    """
    if is_missing(value):
        return "text", ""
    if isinstance(value, bool | np.bool_):
        return "text", str(value).lower()
    if isinstance(value, int | float) and abs(value) <= sys.float_info.max:
        return "number", value
    text = str(plain(value))
    return "text", text[:10] if text[10:] in MIDNIGHT and _is_day(text[:10]) else text


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_right(said: Any, wanted: Any, ordered: bool = False) -> bool:
    """Return whether two values of answers are the same, as JSON has them: our own definition.

    Rows are the same in any order, unless one is asked for by `ordered`, and columns in any order, whatever they are
    called; a number, a truth or a text is the list of it alone; no answer is the same as none.

    >>> is_right(["b", 2], [2.0, "b"]), is_right([["b", 2]], [[2, "b"]]), is_right(5, [5]), is_right(3, 3.1)
    (True, True, True, False)
    """
    if said is None or wanted is None:
        return said is wanted
    one, other = _rows(said), _rows(wanted)
    widths = {len(row) for row in (*one, *other)}
    if len(one) != len(other) or len(widths) > 1:
        return False
    if not widths or widths == {1}:
        return _alike(one, other, ordered)
    columns, others = ([[(cell,) for cell in column] for column in zip(*rows, strict=True)] for rows in (one, other))
    fitting = [[place for place, column in enumerate(columns) if _alike(column, each, ordered)] for each in others]
    return any(_alike([tuple(row[p] for p in order) for row in one], other, ordered) for order in _orders(fitting))


def _rows(value: Any) -> list[Row]:
    """Return the rows of a value: those of a list, whose cells are rows of one."""
    rows = value if isinstance(value, list | tuple) else [value]
    return [tuple(map(cell_of, row)) if isinstance(row, list | tuple) else (cell_of(row),) for row in rows]


def _alike(one: Sequence[Row], other: Sequence[Row], ordered: bool) -> bool:
    """Return whether as many rows have the same cells; close numbers are put in order after all texts."""
    parts, others = ([_parts(row) for row in rows] for rows in (one, other))
    if not ordered:
        parts.sort()
        others.sort()
    if any(part[0] != wanted[0] for part, wanted in zip(parts, others, strict=True)):
        return False
    numbers, wanted = ([number for _, held in some for number in held] for some in (parts, others))
    return bool(is_close(np.array(numbers, float), np.array(wanted, float)).all())


def _parts(row: Row) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Return the texts of a row, each in its place, and its numbers."""
    if len(row) == 1:
        [(kind, held)] = row
        return ((), (held,)) if kind == "number" else ((held,), ())
    texts = tuple("number" if kind == "number" else f"text {held}" for kind, held in row)
    return texts, tuple(held for kind, held in row if kind == "number")


def _orders(fitting: Sequence[Sequence[int]], taken: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield the ways to take a place for each column, none of them twice."""
    if len(taken) == len(fitting):
        yield taken
        return
    for place in fitting[len(taken)]:
        if place not in taken:
            yield from _orders(fitting, (*taken, place))


def as_text(value: Any) -> str:
    """Return a typed cell as candidates compare it: numbers by what they are, texts in any case, missing ones as
    nothing.

    >>> as_text(12.0), as_text("12.0"), as_text("Oslo "), as_text(None)
    ('12', '12', 'oslo', '')
    """
    if is_missing(value):
        return ""
    text = str(plain(value)).strip().casefold()
    try:
        number = float(text)
    except ValueError:
        return text
    return f"{number:.10g}" if math.isfinite(number) else text


@remembered(100_000)
def code_of(text: str) -> float:
    """Return a whole number for a text, as good as no other has: sums of some thousand of them are exact."""
    return float(int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=5).digest(), "little"))


def key_of(values: Iterable[Any], as_text: Callable[[Any], str] = as_text) -> float:
    """Return a number that is the same for answers with the same cells, each of them once, however they are written.

    Cells that people wrote are compared by `items.key`, as the measure of WikiTableQuestions does.
    """
    return float(sum(map(code_of, {as_text(value) for value in values})))


def is_right_of_wikitables(predicted: Sequence[str], wanted: Sequence[str]) -> bool:
    """Return what the official evaluator does: there are as many different items as wanted, and a match for each.

    What is wanted may be a number with thousands separators, for those who made the data read it so; what is predicted
    is one only as plain digits.

    >>> is_right_of_wikitables(["Spain", "morocco"], ["Morocco", "Spain"]), is_right_of_wikitables(["3.0"], ["3"])
    (True, True)
    """
    said, right = (
        {one.itself: one for one in (item(text, grouped) for text in texts)}.values()
        for texts, grouped in ((predicted, False), (wanted, True))
    )
    return len(said) == len(right) and all(any(_matches(one, other) for other in said) for one in right)


def _matches(one: Item, other: Item) -> bool:
    """Return whether items have the same text, number or date."""
    if one.text == other.text:
        return True
    if one.number is not None and other.number is not None:
        return abs(one.number - other.number) < CLOSE
    return one.date is not None and one.date == other.date


def is_right_in_paper(said: Result, wanted: Result, cells: Collection[Any], wanted_cells: Collection[Any]) -> bool:
    """Return whether numbers are equal up to the first decimal place, look-ups choose the same cells of the table,
    whatever these hold, or truths are alike; no answer is never right."""
    if said.kind != wanted.kind or said.kind == "none":
        return False
    if said.scalar is not None and wanted.scalar is not None:
        return abs(said.scalar - wanted.scalar) < TOLERANCE
    if said.kind == "truth":
        return said.values == wanted.values
    return set(cells) == set(wanted_cells)
