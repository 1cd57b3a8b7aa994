"""How fast questions are answered: cold, in a running process, many at once, and about tables of 100 million rows."""

import csv
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

import neural_programmer
from neural_programmer.answering.asking import Desk, ask
from neural_programmer.data import wikitables

WIKIPEDIA = Path(os.environ.get("WIKITABLEQUESTIONS", "none")) / "random-split-1-dev.tsv"
QUESTION = "total revenue where region is Europe and year is greater than 2019"
BY_HAND = "SELECT sum(revenue) FROM '{}' WHERE region = 'Europe' AND year > 2019"
SMALL = "region,year,revenue,customer\n" + "".join(
    f"{('Europe', 'Asia', 'Africa')[i % 3]},{2000 + i % 25},{i * 1.25},customer {i}\n" for i in range(100)
)
RIGHT = sum(i * 1.25 for i in range(100) if i % 3 == 0 and i % 25 > 19)


def command(*arguments) -> list[str]:
    """The command as people give it."""
    return [sys.executable, "-m", "neural_programmer", "ask", *map(str, arguments)]


def measured(arguments: list[str]) -> tuple[float, int, str]:
    """Seconds, most memory in MB and output of a process of its own."""
    start = time.perf_counter()
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return time.perf_counter() - start, usage.ru_maxrss // 1024, output


@pytest.fixture
def small(tmp_path):
    (tmp_path / "sales.csv").write_text(SMALL)
    return tmp_path / "sales.csv"


@pytest.mark.benchmark(group="asking")
def test_cold(benchmark, small):
    """A new process for one question about a small CSV file."""
    _, _, output = benchmark.pedantic(lambda: measured(command(small, QUESTION)), rounds=10, warmup_rounds=1)
    assert float(output.split()[0]) == RIGHT
    benchmark.extra_info.update(unit="questions/s", work=1)


@pytest.mark.benchmark(group="asking")
@pytest.mark.parametrize("model", ["ask", "wikitablequestions"])
def test_in_a_running_process(benchmark, small, model):
    """The same question again, about a table that is open."""
    chosen = neural_programmer.load(model)
    answer = benchmark.pedantic(lambda: ask(chosen, small, QUESTION), rounds=300, warmup_rounds=5)
    assert answer.value == RIGHT
    benchmark.extra_info.update(unit="questions/s", work=1)


@pytest.mark.skipif(not WIKIPEDIA.is_file(), reason="WIKITABLEQUESTIONS names no folder of the data set")
@pytest.mark.benchmark(group="asking")
def test_wikipedia_tables(benchmark):
    """Questions that people wrote, each about another table, which is open, with the model for such tables."""
    with open(WIKIPEDIA, encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    asked = {line["context"]: line["utterance"] for line in lines}
    desk, chosen = Desk(), neural_programmer.load("wikitablequestions")
    opened = [(desk.open(wikitables.read_table(WIKIPEDIA.parent / path)), text) for path, text in asked.items()][:200]
    answers = benchmark.pedantic(
        lambda: [ask(chosen, table, text, desk=desk) for table, text in opened], rounds=3, warmup_rounds=1
    )
    assert sum(answer.answered for answer in answers) > 0.9 * len(opened)
    benchmark.extra_info.update(unit="questions/s", work=len(opened))


@pytest.mark.benchmark(group="asking")
def test_batch(benchmark, small, tmp_path):
    """Different questions about one small table, in one command; its start is not counted."""
    count = 2000
    lines = [
        {"id": i, "table": "sales.csv", "question": QUESTION.replace("2019", str(2000 + i % 25))} for i in range(count)
    ]
    (tmp_path / "batch.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (tmp_path / "one.jsonl").write_text(json.dumps(lines[0]))
    start = statistics.median(measured(command("--batch", tmp_path / "one.jsonl"))[0] for _ in range(5))
    seconds, _, output = benchmark.pedantic(lambda: measured(command("--batch", tmp_path / "batch.jsonl")), rounds=1)
    answers = [json.loads(line)["answer"] for line in output.splitlines()]
    assert len(answers) == count
    assert answers[19] == RIGHT
    benchmark.extra_info.update(unit="questions/s", work=count, per_second_once_started=count / (seconds - start))


@pytest.mark.benchmark(group="asking a Parquet file")
@pytest.mark.parametrize("millions", [1, 10, 100])
def test_large(benchmark, millions, tmp_path):
    """The whole command, against the query that a person would write, run in a process that is there already."""
    path = tmp_path / "sales.parquet"
    with duckdb.connect() as connection:
        connection.execute(
            f"""COPY (SELECT
            ['Europe', 'Asia', 'Africa', 'North America', 'Oceania'][CAST(1 + hash(i) % 5 AS INTEGER)] AS region,
            CAST(2000 + hash(7 * i) % 25 AS INTEGER) AS year, CAST(hash(13 * i) % 1000000 AS DOUBLE) / 100 AS revenue,
            DATE '2015-01-01' + CAST(hash(17 * i) % 3650 AS INTEGER) AS day, hash(19 * i) % 2 = 0 AS active,
            'C' || lpad(CAST(i AS VARCHAR), 9, '0') AS customer
            FROM range({millions * 1_000_000}) t(i)) TO '{path}' (FORMAT parquet)"""
        )
    try:
        hand = []
        with duckdb.connect() as connection:
            for _ in range(5):
                start = time.perf_counter()
                [(expected,)] = connection.execute(BY_HAND.format(path)).fetchall()
                hand.append(time.perf_counter() - start)
        runs = []
        benchmark.pedantic(lambda: runs.append(measured(command(path, QUESTION, "--json"))), rounds=5)
        answers = [json.loads(output) for _, _, output in runs]
        assert all(answer["answer"] == pytest.approx(expected) for answer in answers)
        benchmark.extra_info.update(
            unit="rows/s",
            work=millions * 1_000_000,
            by_hand_seconds=statistics.median(hand),
            most_memory_mb=max(memory for _, memory, _ in runs),
            rows_counted=all(step["rows"] is not None for answer in answers for step in answer["program"]),
            spark=on_spark(path, expected),
        )
    finally:
        shutil.rmtree(tmp_path, ignore_errors=True)


def on_spark(path, expected) -> str:
    """Whether Spark gives the same, and how long it takes once it runs."""
    if shutil.which("java") is None:
        return "no Java"
    chosen = neural_programmer.load()
    ask(chosen, path, QUESTION, engine="spark")
    start = time.perf_counter()
    found = ask(chosen, path, QUESTION, engine="spark")
    assert found.value == pytest.approx(expected)
    return f"the same, {time.perf_counter() - start:.1f} s"
