"""Write an answer as a CSV or JSON file in which a spreadsheet finds nothing to compute."""

import csv
import io
import json
from typing import Any

from neural_programmer.programs.answer import Answer

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for the beginning of a formula


def as_json(answer: Answer) -> str:
    return json.dumps(answer.to_dict(), ensure_ascii=False, indent=1)


def as_csv(answer: Answer) -> str:
    """Return the values as CSV, below the name of their column."""
    lines = io.StringIO()
    column = answer.steps[-1].column if answer.kind == "lookup" and answer.steps else None
    values = answer.value if isinstance(answer.value, list) else [answer.value]
    csv.writer(lines, lineterminator="\r\n").writerows([harmless(cell)] for cell in (column or "answer", *values))
    return lines.getvalue()


def harmless(value: Any) -> Any:
    """Return a cell of a CSV file that no spreadsheet computes: what would be a formula is a text."""
    return f"'{value}" if isinstance(value, str) and value.lstrip(" ").startswith(FORMULA) else value
