"""Write the tables of docs/operations.md: `python scripts/operations.py`.

Each operation stands in one group, with what it does, a program that has it, and the query of that in DuckDB's SQL.
tests/programs/test_operations.py fails where the page is not what this writes.
"""

import re
from pathlib import Path

from neural_programmer.engines import sql
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.operations import BUILT_IN, PAPER
from neural_programmer.programs.text import parse

PAGE = Path(__file__).parent.parent / "docs" / "operations.md"
BEGIN, END = "<!-- written by scripts/operations.py -->", "<!-- end -->"
OSLO, GROUPS = "text match \"city\" 'Oslo'", 'for each "city"; average "price"'
BY_MONTH = 'for each month of "sold"; sum "price"'
TWO = f'{OSLO}; sum "price"; text match "city" \'Rome\'; sum "price"'
TABLE = {
    "city": ["Oslo", "Rome", "Oslo", "Bern", "Rome", "Oslo"],
    "kind": ["fresh", "dried", "dried", "fresh", "fresh", None],
    "price": [5.0, 3.0, 8.0, 4.0, None, 6.0],
    "cost": [2.0, 3.0, 5.0, 4.0, 1.0, 6.0],
    "sold": ["2024-01-05", "2024-01-20", "2024-02-11", "2024-02-12", "2024-03-01", "2024-03-09"],
}

EXAMPLES: dict[str, dict[str, str]] = {
    "Rows": {
        "greater": 'greater "price" 5; count',
        "lesser": 'lesser "price" 5; count',
        "at least": 'at least "price" 5; count',
        "at most": 'at most "sold" 2024-02; count',
        "equal": 'equal "sold" 2024-02; count',
        "not equal": 'not equal "price" 5; count',
        "and": f'greater "price" 5; {OSLO}; and; count',
        "or": f'greater "price" 5; {OSLO}; or; count',
        "not": 'greater "price" 5; not; count',
        "reset": 'greater "price" 5; reset; count',
        "greatest": 'greatest "price"; assign "city"',
        "least": 'least "price"; assign "city"',
        "extremes": 'extremes "price"; show "city"; show "price"',
        "most common": 'greater "price" 5; most common "city"; assign "city"',
        "least common": 'greater "price" 5; least common "city"; assign "city"',
        "more": f'{OSLO}; more "price"; assign "city"',
        "fewer": f'{OSLO}; fewer "price"; assign "city"',
        "same": f'{OSLO}; same "price"; assign "city"',
        "among": 'greater "price" 5; among "city"; count',
        "not among": 'greater "price" 5; not among "city"; count',
        "more than it": 'average "price"; more than it "price"; assign "city"',
        "less than it": 'average "price"; less than it "price"; assign "city"',
        "same as it": 'maximum "price"; same as it "price"; assign "city"',
        "exceeds": 'take "price"; exceeds "cost"; count',
        "equals": 'take "price"; equals "cost"; count',
    },
    "Texts and missing cells": {
        "text match": f"{OSLO}; count",
        "text other": "text other \"city\" 'Oslo' or 'Rome'; count",
        "contains": "contains \"city\" 'os'; count",
        "has the word": "has the word \"city\" 'oslo'; count",
        "begins with": "begins with \"city\" 'o'; count",
        "ends with": "ends with \"city\" 'e'; count",
        "missing": 'missing "kind"; count',
        "present": 'present "kind"; count',
    },
    "Order": {
        "ascending": 'ascending "price"; show "city"',
        "descending": f"{GROUPS}; descending measure 1",
        "top": 'top "price" 3; show "city"',
        "bottom": f"{GROUPS}; bottom measure 1 2",
        "top of each": 'for each "city"; top of each "price" 1; show "city"; show "price"',
        "bottom of each": 'for each "city"; bottom of each "price" 1; show "city"; show "price"',
        "place from the top": 'place from the top "price" 2; assign "city"',
        "place from the bottom": 'place from the bottom "price" 2; assign "city"',
        "rank": f"{GROUPS}; rank measure 1",
        "first": f'{OSLO}; first; assign "price"',
        "last": f'{OSLO}; last; assign "price"',
        "previous": f'{OSLO}; previous; assign "city"',
        "next": f'{OSLO}; next; assign "city"',
        "above": f"{OSLO}; above; count",
        "below": f"{OSLO}; below; count",
    },
    "Numbers and truths": {
        "count": 'greater "price" 5; count',
        "sum": 'sum "price"',
        "average": 'average "price"',
        "median": 'median "price"',
        "deviation": 'deviation "price"',
        "minimum": 'minimum "price"',
        "maximum": 'maximum "price"',
        "range": 'range "price"',
        "distinct": 'distinct "city"',
        "number": 'sum "price"; number 1000; ratio',
        "sum of both": f"{TWO}; sum of both",
        "minus": f"{TWO}; minus",
        "ratio": f"{TWO}; ratio",
        "percent of": f"{TWO}; percent of",
        "difference": f"{TWO}; difference",
        "years": 'maximum "price"; reset; minimum "price"; difference; years',
        "take": 'take "price"; less "cost"; sum what was computed',
        "plus": 'take "price"; plus "cost"; average what was computed',
        "less": 'take "price"; less "cost"; greatest what was computed; assign "city"',
        "times": 'take "price"; times "cost"; sum what was computed',
        "divided by": 'take "price"; divided by "cost"; maximum what was computed',
        "divided by number": 'take "price"; divided by number 100; show "city"; show what was computed',
        "correlation": 'take "price"; correlation "cost"',
        "whether": 'greater "price" 5; whether',
        "whether all": f'{OSLO}; greater "price" 5; whether all',
        "is more": f"{TWO}; is more",
        "is less": f"{TWO}; is less",
        "is the same": f"{TWO}; is the same",
        "more or less": 'greater "price" 5; more or less',
        "above or below": f"{OSLO}; above; text match \"city\" 'Bern'; and; above or below",
        "before or after": 'lesser "sold" 2024-02; before or after',
    },
    "Groups and their measures": {
        "for each": 'for each "city"; for each year of "sold"; count',
        "overall": 'overall; minimum "price"; maximum "price"',
    },
    "Shares and change": {
        "share": "for each \"city\"; text match \"kind\" 'fresh'; share",
        "share of": f'{OSLO}; share of "price"',
        "share within": 'for each "city"; for each "kind"; sum "price"; share within measure 1',
        "total": f"{GROUPS}; total measure 1",
        "running total": f"{BY_MONTH}; running total measure 1",
        "moving average": f"{BY_MONTH}; moving average measure 1 3",
        "change": f"{BY_MONTH}; change measure 1",
        "percent change": f"{BY_MONTH}; percent change measure 1",
        "growth": f"{TWO}; growth",
    },
    "What is put out": {
        "assign": 'greater "price" 5; assign "city"',
        "show": 'greater "price" 5; show "city"; show "price"',
        "once": 'show "city"; once',
        "decline": "decline",
    },
}  # fmt: skip


def tables() -> str:
    """Return the tables of all operations, group by group."""
    parts = []
    for group, examples in EXAMPLES.items():
        lines = [
            f"### {group}",
            "",
            "| operation | what it does | a program with it | its SQL |",
            "| --- | --- | --- | --- |",
        ]
        lines += [_line(name, program) for name, program in examples.items()]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _line(name: str, program: str) -> str:
    about = BUILT_IN[name].about + (" (the paper)" if name in (*PAPER, "text match") else "")
    return f"| {name} | {about} | `{program}` | {_query(program)} |"


def _query(program: str) -> str:
    """Return the query of a program in a line; none of one that has no query."""
    try:
        query = sql.text(parse(program), "shop", "duckdb")
    except NeuralProgrammerError:
        return "none"
    return f"`{' '.join(query.split())}`"


def page(text: str) -> str:
    """Return the page with the tables of today."""
    written = f"{BEGIN}\n\n{tables()}\n\n{END}"
    return re.sub(f"{re.escape(BEGIN)}.*{re.escape(END)}", lambda _: written, text, flags=re.DOTALL)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
