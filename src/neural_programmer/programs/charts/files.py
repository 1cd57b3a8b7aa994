"""The picture of an answer as a file: a page, SVG, PNG, or the specification."""

import json
from pathlib import Path

from neural_programmer.base.files import write
from neural_programmer.errors import NeuralProgrammerError, one_of
from neural_programmer.programs.charts.html_file import html_file
from neural_programmer.programs.charts.png import library
from neural_programmer.programs.charts.shown import Chart
from neural_programmer.programs.result import Result

ENDINGS = (".html", ".svg", ".png", ".json")


def check(path: str | Path) -> Path:
    """Return where a picture is to go; refuse an ending that is unknown, and one that nothing here can write."""
    place = Path(path)
    if place.suffix.lower() not in ENDINGS:
        raise one_of("ending of a picture", place.suffix or place.name, ENDINGS)
    if place.suffix.lower() == ".png":
        library()
    return place


def save(chart: Chart, path: str | Path, result: Result, notes: tuple[str, ...] = ()) -> Path:
    """Write a picture, as the ending of its file says; what was there before is replaced."""
    place = check(path)
    made = {
        ".html": lambda: html_file(chart, result, notes).encode(),
        ".svg": lambda: chart.to_svg().encode(),
        ".png": chart.to_png,
        ".json": lambda: (json.dumps(chart.to_dict(), ensure_ascii=False, indent=1) + "\n").encode(),
    }
    try:
        write(place, made[place.suffix.lower()]())
    except (UnicodeEncodeError, ValueError) as error:
        raise NeuralProgrammerError(f"cannot write {place}: {error}") from None
    return place
