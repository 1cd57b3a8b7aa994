"""How fast DuckDB answers with tables by the SQL of programs, beside the SQL that a person would write.

MILLIONS names the sizes, in millions of rows: MILLIONS=100 pytest benchmarks/test_tables.py
"""

import os
import statistics
import time

import duckdb
import pytest

from neural_programmer.engines import duck
from neural_programmer.programs.pointers import MeasureAt, PartOf
from neural_programmer.programs.program import Program, Step
from neural_programmer.tables.source import open_source

MILLIONS = [int(millions) for millions in os.environ.get("MILLIONS", "1,10").split(",")]
ROUNDS = 5
FIRST = MeasureAt(0)
REGIONS, SHOPS = Step("for each", "region"), Step("for each", "shop")
TASKS = {
    "sum of groups": (
        (REGIONS, Step("sum", "revenue")),
        "SELECT region, sum(revenue) AS total FROM '{}' GROUP BY region ORDER BY total DESC",
    ),
    "top 10 of groups": (
        (SHOPS, Step("sum", "revenue"), Step("top", FIRST, 10.0)),
        "SELECT shop, sum(revenue) AS total FROM '{}' GROUP BY shop ORDER BY total DESC LIMIT 10",
    ),
    "share of groups": (
        (REGIONS, Step("sum", "revenue"), Step("share")),
        "SELECT region, sum(revenue) AS total, 100 * total / sum(total) OVER () FROM '{}' GROUP BY region"
        " ORDER BY total DESC",
    ),
    "growth by month": (
        (Step("for each", PartOf("day", "month")), Step("sum", "revenue"), Step("percent change", FIRST)),
        "SELECT date_trunc('month', day) AS month, sum(revenue) AS total,"
        " 100 * (total / lag(total) OVER (ORDER BY month) - 1) FROM '{}' GROUP BY month ORDER BY month",
    ),
    "distinct of groups": (
        (REGIONS, Step("distinct", "customer")),
        "SELECT region, count(DISTINCT customer) AS customers FROM '{}' GROUP BY region ORDER BY customers DESC",
    ),
}


@pytest.fixture(scope="module", params=MILLIONS, ids=lambda millions: f"{millions} million rows")
def path(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "sales.parquet"
    with duckdb.connect() as connection:
        connection.execute(
            f"""COPY (SELECT 'region ' || hash(i) % 20 AS region, CAST(hash(7 * i) % 10000 AS INTEGER) AS shop,
            CAST(hash(13 * i) % 100000 AS INTEGER) AS revenue, CAST(hash(19 * i) % 1000000 AS INTEGER) AS customer,
            DATE '2015-01-01' + CAST(hash(17 * i) % 3650 AS INTEGER) AS day
            FROM range({request.param * 1_000_000}) t(i)) TO '{path}' (FORMAT parquet)"""
        )
    yield path, request.param
    path.unlink()


def by_hand(path, query: str) -> list[tuple]:
    with duckdb.connect() as connection:
        return connection.execute(query.format(path)).fetchall()


def by_program(path, steps) -> list[tuple]:
    with open_source(path) as source:
        found, _ = duck.answer(Program(steps), source, counting=0)
    return [tuple(row) for row in found.values]


@pytest.mark.benchmark(group="answers that are tables")
@pytest.mark.parametrize("task", TASKS)
def test_beside_a_query_by_hand(benchmark, path, task):
    """The file is opened in each round, by a person's query too; both in turn."""
    (file, millions), (steps, query), hand = path, TASKS[task], []

    def in_turn():
        start = time.perf_counter()
        rows = by_hand(file, query)
        hand.append((time.perf_counter() - start, rows))
        return (), {}

    found = benchmark.pedantic(lambda: by_program(file, steps), setup=in_turn, rounds=ROUNDS)
    expected = hand[-1][1]
    assert [row[-1] for row in found] == [pytest.approx(row[-1]) for row in expected]
    seconds = statistics.median(one for one, _ in hand)
    benchmark.extra_info.update(unit="rows/s", work=millions * 1_000_000, by_hand_seconds=seconds)
    if benchmark.stats is not None:
        benchmark.extra_info["of_by_hand"] = benchmark.stats.stats.median / seconds
