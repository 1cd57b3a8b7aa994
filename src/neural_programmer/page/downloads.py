"""Write an answer as a CSV or JSON file in which a spreadsheet finds nothing to compute."""

import csv
import io
import json
from typing import Any

from neural_programmer.programs.answer import Answer
from neural_programmer.programs.values import plain

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for the beginning of a formula


def as_json(answer: Answer) -> str:
    return json.dumps(answer.to_dict(), ensure_ascii=False, indent=1)


def as_csv(answer: Answer, end: str = "\r\n") -> str:
    """Return the rows of an answer as CSV, under the names of its columns; `end` is that of a line."""
    lines = io.StringIO()
    rows = [answer.result.columns, *answer.result.rows]
    csv.writer(lines, lineterminator=end).writerows([harmless(plain(cell)) for cell in row] for row in rows)
    return lines.getvalue()


def as_svg(answer: Answer) -> str:
    """Return the picture of an answer that has one; a file is light or dark as whoever looks at it prefers."""
    return answer.chart.to_svg() if answer.chart else ""


def harmless(value: Any) -> Any:
    """Return a cell of a CSV file that no spreadsheet computes: what would be a formula is a text."""
    return f"'{value}" if isinstance(value, str) and value.lstrip(" ").startswith(FORMULA) else value
