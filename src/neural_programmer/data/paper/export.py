"""Write triples as JSON lines."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from neural_programmer.base import files
from neural_programmer.data.paper.draws import Dataset, Triple


def as_record(triple: Triple) -> dict[str, Any]:
    """Question, table and answer; a look-up's answer is the list of values, with their cells as [row, column name]."""
    answer = triple.answer
    lookup = {"cells": [list(cell) for cell in answer.cells]} if answer.kind == "lookup" else {}
    return {
        "question": triple.question,
        "table": {"columns": list(triple.table.names), "rows": triple.table.records()},
        "answer": list(answer.values) if answer.kind == "lookup" else answer.scalar,
        **lookup,
        "category": triple.template.category,
        "template": triple.template.text,
    }


def write(dataset: Dataset, path: Path, progress: Callable[[int], None] = lambda done: None) -> None:
    """Write a line for every triple; the file is whole or not there."""
    with files.whole(path) as file:
        for place, triple in enumerate(dataset, 1):
            file.write(json.dumps(as_record(triple)).encode() + b"\n")
            progress(place)
