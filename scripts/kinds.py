"""Write docs/kinds.md: `python scripts/kinds.py`.

For each kind of question that people ask of a table, one question, the program that answers it, its SQL and its answer.
tests/programs/test_kinds.py fails where the page, or a picture of an answer on it, is not what this writes.
"""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import neural_programmer
from neural_programmer.engines import sql
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.program import expressions, run
from neural_programmer.programs.sentence import sentence
from neural_programmer.programs.text import parse, write
from neural_programmer.programs.values import for_people
from neural_programmer.tables.source import open_source

ROOT = Path(__file__).parent.parent
TABLE, PAGE = ROOT / "examples" / "bakery.csv", ROOT / "docs" / "kinds.md"
PICTURES = ROOT / "docs" / "pictures" / "kinds"
INTRODUCTION = """# What people ask of tables

One question of each kind about [bakery.csv](../examples/bakery.csv), the sales of three shops: its answer, the
program that gives it, and that program's SQL for DuckDB. What the steps mean stands in
[operations.md](operations.md). This page is written by `python scripts/kinds.py`. The programs were written by hand:
the page shows what the language says, not what a model finds.
"""


class Example(NamedTuple):
    kind: str
    question: str
    program: str


EXAMPLES = (
    Example("group", "How many pieces did each shop sell?", 'for each "shop"; sum "pieces"'),
    Example(
        "group, then choose",
        "Which product has the highest average rating?",
        'for each "product"; average "rating"; greatest measure 1; show "product"',
    ),
    Example(
        "order",
        "List the days of the Harbour shop, newest first",
        'text match "shop" \'Harbour\'; descending "day"; show "day"',
    ),
    Example(
        "top k", "The three largest orders: what, and how many pieces?", 'top "pieces" 3; show "product"; show "pieces"'
    ),
    Example(
        "group, condition on the measure",
        "Which products were ordered more than four times?",
        'for each "product"; count; greater measure 1 4; show "product"',
    ),
    Example("share", "What percentage of the orders was rated 5?", 'equal "rating" 5; share'),
    Example(
        "share of a total",
        "Each shop's share of the pieces",
        'for each "shop"; sum "pieces"; share of measure 1; show "shop"; show measure 2',
    ),
    Example(
        "ratio, rate",
        "How many times as dear is plum cake as rye bread, on average?",
        'text match "product" \'plum cake\'; average "price"; '
        'text match "product" \'rye bread\'; average "price"; ratio',
    ),
    Example(
        "change between two times",
        "By how many percent did the average price of rye bread grow from 2022 to 2023?",
        'text match "product" \'rye bread\'; equal "day" year 2022; and; average "price"; '
        'text match "product" \'rye bread\'; equal "day" year 2023; and; average "price"; growth',
    ),
    Example(
        "change along the calendar",
        "Pieces by month, and the change to the month before",
        'for each month of "day"; sum "pieces"; change measure 1',
    ),
    Example(
        "compare two",
        "Did the Market or the Station shop get better ratings?",
        'text match "shop" \'Market\' or \'Station\'; for each "shop"; average "rating"; '
        'greatest measure 1; show "shop"',
    ),
    Example("parts of time", "Orders by quarter", 'for each quarter of "day"; count'),
    Example("statistics", "What is the correlation of price and pieces?", 'take "price"; correlation "pieces"'),
    Example(
        "running total",
        "Pieces so far, month by month",
        'for each month of "day"; sum "pieces"; running total measure 1',
    ),
    Example(
        "arithmetic of columns",
        "Profit of each shop: price less cost, times pieces",
        'take "price"; less "cost"; times "pieces"; for each "shop"; sum what was computed',
    ),
    Example("bands", "How many customers were in each age group of ten years?", 'for each "age" in bands of 10; count'),
    Example("missing", "How many orders have no rating?", 'missing "rating"; count'),
    Example("text", 'Which remarks contain "king"?', 'contains "remark" \'king\'; show "remark"'),
    Example(
        "two conditions on one column",
        "Orders of more than 3 but fewer than 8 pieces, not of the Station shop: product and pieces",
        'greater "pieces" 3; lesser "pieces" 8; and; text other "shop" \'Station\'; and; show "product"; show "pieces"',
    ),
    Example(
        "yes or no",
        "Is the average order of the Market shop larger than that of the Harbour shop?",
        'text match "shop" \'Market\'; average "pieces"; text match "shop" \'Harbour\'; average "pieces"; is more',
    ),
    Example("list of a few", "Ages of the four oldest customers", 'top "age" 4; show "age"'),
    Example(
        "several outputs",
        "What was ordered for Christmas, when, and where?",
        'contains "remark" \'Christmas\'; show "product"; show "day"; show "shop"',
    ),
    Example("about the table", "Which products are there?", 'show "product"; once'),
    Example("the time covered", "From when to when are the sales?", 'overall; minimum "day"; maximum "day"'),
)


def page() -> str:
    """Return the page."""
    with open_source(TABLE) as source:
        table = source.table()
    shown, drawn = [], pictures()
    for kind, question, text in EXAMPLES:
        name = file_name(kind)
        program = parse(text)
        answer = run(program, table).answer
        query = sql.text(program, TABLE.stem, "duckdb").strip()
        lines = write(program, "\n")
        computed = sentence([*expressions(program, table)][-1].node)
        parts = [
            f"## {kind[0].upper()}{kind[1:]}",
            f"*{question}*",
            told(answer),
            *([f"Computed: {computed}."] * bool(computed)),
        ]
        if name in drawn:
            parts.append(f"![{question}](pictures/kinds/{name}.svg)")
        shown.append("\n\n".join([*parts, f"```text\n{lines}\n```", f"```sql\n{query}\n```"]))
    return "\n\n".join([INTRODUCTION.rstrip(), *shown]) + "\n"


def told(answer: Answer) -> str:
    """Return an answer as people read it: a number with its unit, a truth, cells in a line, or a table."""
    result = answer.result
    if result.kind == "table":
        lines = [result.columns, ["---"] * len(result.columns), *result.rows]
        return "\n".join(f"| {' | '.join(map(cell, line))} |" for line in lines)
    if result.kind == "scalar":
        return f"**{for_people(float(answer))} {answer.unit}".strip() + "**"
    return f"**{', '.join(map(cell, result.values))}**"


def cell(value: Any) -> str:
    """Return a cell as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value != value:
        return "(none)"
    return for_people(float(value)) if isinstance(value, int | float) else str(value)


def file_name(kind: str) -> str:
    """Return the name of a kind's picture."""
    return kind.replace(",", "").replace(" ", "-")


@cache
def pictures() -> dict[str, str]:
    """Return the pictures of the answers that have one, as SVG, by their names."""
    answers = {file_name(kind): neural_programmer.run(str(TABLE), text) for kind, _, text in EXAMPLES}
    return {name: answer.chart.to_svg() + "\n" for name, answer in answers.items() if answer.chart is not None}


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for drawn, drawing in pictures().items():
        (PICTURES / f"{drawn}.svg").write_text(drawing, encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
