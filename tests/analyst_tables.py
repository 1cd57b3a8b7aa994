"""Where the tables of the analysts' questions are: in the folder that ANALYST_TABLES names, or shared beside the
repository; and how they are opened."""

import csv
import io
import json
import os
from pathlib import Path

import pytest

from neural_programmer.tables.source import Source, open_source

QUESTIONS = Path(__file__).parent / "questions" / "analysts"
SHARED = Path(__file__).parent.parent.parent / "shared" / "data" / "tables"
FOLDER = Path(os.environ.get("ANALYST_TABLES") or SHARED)
there = pytest.mark.skipif(
    not (FOLDER / "bechdel_movies.csv").is_file(), reason="ANALYST_TABLES names no folder of the analysts' tables"
)


def tables(part: str) -> list[str]:
    """The names of the tables of a part."""
    return sorted(path.stem for path in (QUESTIONS / part).glob("*.jsonl"))


def opened(name: str, folder: Path) -> Source:
    """A table with the views of its cells; a copy in a folder, where it is no UTF-8 or has columns without names."""
    path = FOLDER / f"{name}.csv"
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    if text.encode() != data.removeprefix(b"\xef\xbb\xbf") or not all(rows[0]):
        rows[0] = [cell or f"column {place}" for place, cell in enumerate(rows[0], 1)]
        path = folder / path.name
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
    return open_source(path).written()


def questions(part: str, name: str) -> dict[str, dict]:
    """The questions about a table, by their ids."""
    lines = (QUESTIONS / part / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return {one["id"]: one for one in map(json.loads, lines)}


def programs(part: str, name: str) -> dict[str, dict]:
    """The programs that answer them, by the same ids."""
    lines = (QUESTIONS / part / "programs" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return {one["id"]: one for one in map(json.loads, lines)}
