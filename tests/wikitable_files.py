"""Where WikiTableQuestions is: in the folder that WIKITABLEQUESTIONS names, or shared beside the repository."""

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).parent.parent.parent / "shared" / "data" / "wikitablequestions"
FOLDER = Path(os.environ.get("WIKITABLEQUESTIONS") or SHARED)
there = pytest.mark.skipif(
    not (FOLDER / "training.tsv").is_file(), reason="WIKITABLEQUESTIONS names no folder of the data set"
)


def some(path: Path, first: int, count: int) -> Path:
    """A file of so many questions of those to train on, from one on, about few tables."""
    head, *lines = (FOLDER / "training.tsv").read_text(encoding="utf-8").splitlines()
    lines.sort(key=lambda line: line.split("\t")[2])
    path.write_text("\n".join([head, *lines[first : first + count]]) + "\n", encoding="utf-8")
    return path
