"""Draw the pictures of answers in docs/ask.md from a table of the page's: `python scripts/charts.py`."""

from pathlib import Path

import duckdb

from neural_programmer.programs.answer import Answer
from neural_programmer.programs.charts.svg import PHONE
from neural_programmer.programs.result import Result

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
HOTELS = ROOT / "src" / "neural_programmer" / "page" / "demo" / "hotels.csv"
RATE = "Rate per night (€)"
QUERIES = {  # by the name of the picture: the columns of the answer, and how the tests and this script compute it
    "bars": (
        ("City", f"average of {RATE}"),
        f'SELECT City, avg("{RATE}") FROM hotels GROUP BY City ORDER BY 2 DESC, 1',
    ),
    "points": (("Guest score", RATE), f'SELECT "Guest score", "{RATE}" FROM hotels'),
}


def drawings() -> dict[str, str]:
    """Return the pictures, as SVG."""
    with duckdb.connect() as database:
        database.read_csv(str(HOTELS)).create_view("hotels")
        answers = {
            name: Answer(Result.table(columns, database.sql(query).fetchall()))
            for name, (columns, query) in QUERIES.items()
        }
    return {name: answer.chart.to_svg(width=PHONE) for name, answer in answers.items() if answer.chart}


if __name__ == "__main__":
    for name, drawing in drawings().items():
        (PICTURES / f"{name}.svg").write_text(drawing + "\n", encoding="utf-8")
