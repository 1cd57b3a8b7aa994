"""How many questions a minute have all their candidates tried, with the tables and questions of WikiTableQuestions.

The folder of the data set is named by WIKITABLEQUESTIONS, its csv/ and random-split-1-train.tsv in it.
"""

import csv
import os
import resource
from collections import defaultdict
from pathlib import Path

import pytest

from neural_programmer.base.processes import cores
from neural_programmer.candidates.enumeration import every
from neural_programmer.data.language import NETWORK
from neural_programmer.programs.workers import each
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import link
from neural_programmer.tables.source import open_source
from neural_programmer.tables.table import Table

FOLDER = Path(os.environ.get("WIKITABLEQUESTIONS", "none"))
SPLIT = FOLDER / "random-split-1-train.tsv"
TABLES = 400  # about 2,700 questions
CHUNK = 20  # tables that a process works on at a time

pytestmark = pytest.mark.skipif(not SPLIT.is_file(), reason="WIKITABLEQUESTIONS names no folder of the data set")


def asked() -> list[tuple[Path, list[str]]]:
    """The first tables, each with all of its questions."""
    by_table: dict[str, list[str]] = defaultdict(list)
    with open(SPLIT, encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            by_table[line["context"]].append(line["utterance"])
    return [(FOLDER / path, questions) for path, questions in by_table.items()][:TABLES]


def opened(path: Path) -> Table:
    """A table as `fit` has it; columns of one name are told apart."""
    with open(path, encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file, escapechar="\\", doublequote=False)
    names = [name if name and name not in names[:place] else f"{name} {place}" for place, name in enumerate(names)]
    with open_source(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))) as source:
        return source.table()


def tried(part: list[tuple[Path, list[str]]]) -> list[int]:
    """How many candidates each question has, from the file of its table on."""
    counts = []
    for path, questions in part:
        table = opened(path)
        index = Index.of(table)
        for question in questions:
            counts.append(len(every(link(question, index), [table], NETWORK.entries, NETWORK.program_steps)))
    return counts


@pytest.mark.benchmark(group="enumerating")
def test_wikitablequestions(benchmark):
    """Open, index, link and try, in as many processes as there are cores, which are started too."""
    by_table = asked()
    parts = [by_table[start : start + CHUNK] for start in range(0, len(by_table), CHUNK)]
    counts = benchmark.pedantic(lambda: list(each(tried, parts)), rounds=1)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    benchmark.extra_info.update(
        unit="questions/min",
        work=60 * len(counts),
        candidates=sum(counts),
        processes=cores(),
        cpu_seconds=used.ru_utime + used.ru_stime,
    )
