"""WikiTableQuestions (Pasupat and Liang, 2015): its files of questions and its tables.

A file of questions has four columns between tabs, `id`, `utterance`, `context` (the path of the table) and
`targetValue`, the items of the answer with | between them (see programs/items.py for when an answer is right).
"""

import csv
import math
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.items import PLAIN
from neural_programmer.tables.table import TABLE_BYTES, Table

HEADER = ("id", "utterance", "context", "targetValue")
ESCAPES = {"n": "\n", "\\": "\\", "p": "|"}  # what stands after a backslash in a file of questions
ESCAPE = re.compile(r"\\(.?)", re.DOTALL)
BETWEEN_ITEMS = "|"


class Line(NamedTuple):
    """A line of a file of questions."""

    key: str
    question: str
    table: str
    items: tuple[str, ...]


def is_form(head: str) -> bool:
    """Return whether a file that begins so is meant as one of questions in this form."""
    return head.startswith("\t".join(HEADER[:2]))


def lines(text: str) -> Iterator[tuple[str, Line | NeuralProgrammerError]]:
    """Yield the lines of a file of questions, each with its place, and the error for those that are wrong."""
    header, *others = text.split("\n")
    if tuple(header.rstrip("\r").split("\t")) != HEADER:
        raise NeuralProgrammerError(
            f"the first line should be {', '.join(HEADER)} with tabs between them, not {header[:60]!r}"
        )
    for number, line in enumerate(others, 2):
        if line.strip():
            try:
                yield f"line {number}", _line(line.rstrip("\r"))
            except NeuralProgrammerError as error:
                yield f"line {number}", error


def _line(line: str) -> Line:
    fields = line.split("\t")
    if len(fields) != len(HEADER):
        raise NeuralProgrammerError(f"it has {len(fields)} fields between tabs, and should have {len(HEADER)}")
    try:
        line.encode()
    except UnicodeError:
        raise NeuralProgrammerError("it is not UTF-8") from None
    key, question, table, target = fields
    if not target:
        raise NeuralProgrammerError("its targetValue is empty")
    items = tuple(map(_unescaped, target.split(BETWEEN_ITEMS)))
    return Line(_unescaped(key), _unescaped(question), _unescaped(table), items)


def _unescaped(text: str) -> str:
    return ESCAPE.sub(_escaped, text) if "\\" in text else text


def _escaped(found: re.Match[str]) -> str:
    if found[1] not in ESCAPES:
        raise NeuralProgrammerError(f"{found[0]} stands for nothing: a backslash is written \\\\")
    return ESCAPES[found[1]]


def read_table(path: str | Path) -> Table:
    r"""Return the table of a CSV file in which \" is a quotation mark and \\ a backslash.

    A column is of numbers if all of its cells are, but for those that are empty; others stay as they are written.
    """
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise NeuralProgrammerError(f"the table {str(path)[:200]} is no file; name a CSV file")
        with open(path, encoding="utf-8-sig", newline="") as file:
            rows = list(csv.reader(file, escapechar="\\", doublequote=False, strict=True))
    except OSError as error:
        raise NeuralProgrammerError(
            f"cannot read the table {str(path)[:200]}: {error.strerror}; name the folder of the tables with --tables"
        ) from None
    except (csv.Error, ValueError) as error:  # such as what is not UTF-8
        raise NeuralProgrammerError(f"cannot read the table {str(path)[:200]} as CSV: {error}; mend it") from None
    if not rows or not rows[0]:
        raise NeuralProgrammerError(f"the table {str(path)[:200]} has no columns; its first line should name them")
    header, *others = rows
    width = len(header)
    even = [[cell.strip() for cell in row[:width]] + [""] * (width - len(row)) for row in others if row]
    columns = list(zip(*even, strict=True)) if even else [()] * width
    if (size := 4 * len(even) * sum(max(map(len, column), default=0) for column in columns)) > TABLE_BYTES:
        raise NeuralProgrammerError(f"the table {str(path)[:200]} takes {size:,} bytes of memory; shorten its cells")
    return Table(_names(header), tuple(map(_typed, columns)))


def _names(header: Sequence[str]) -> tuple[str, ...]:
    """Return a name of its own for every column: its place if it has none, a number added if it came before.

    >>> _names(["Score", "", "Score"])
    ('Score', 'column 2', 'Score 2')
    """
    given = [" ".join(name.split()) or f"column {place}" for place, name in enumerate(header, 1)]
    names: dict[str, None] = {}
    for name in given:
        new, number = name, 1
        while new in names or (number > 1 and new in given):
            number += 1
            new = f"{name} {number}"
        names[new] = None
    return tuple(names)


def _typed(cells: Sequence[str]) -> np.ndarray:
    """Return numbers if all cells are numbers or empty, else texts."""
    if any(cells) and all(not cell or PLAIN.fullmatch(cell) for cell in cells):
        numbers = np.array([float(cell.replace(",", "")) if cell else math.nan for cell in cells])
        if not np.isinf(numbers).any():
            return numbers
    return np.array(cells, str)
