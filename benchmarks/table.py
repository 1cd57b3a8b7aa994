"""Print the results of a benchmark run as a table, and keep them: python benchmarks/table.py RAW.json RESULTS.json"""

import json
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from neural_programmer.paper.record import circumstances

ASKED = ("by_hand_seconds", "most_memory_mb", "rows_counted", "spark", "per_second_once_started")  # of a table
TRIED = ("candidates", "processes", "cpu_seconds")  # of questions whose programs are all tried
LEARNT = ("seconds_to_100", "test_questions", "test_accuracy", "most_memory_so_far_mb")  # of a whole training


def _time(seconds: float) -> str:
    return f"{seconds:,.1f} s" if seconds >= 1 else f"{seconds * 1e3:,.2f} ms"


def _large(rows: list[dict]) -> None:
    """What large tables cost, against the query that a person would write, and what is allowed."""
    table = Table("million rows", "by hand", "asked, cold", "allowed", "memory", "Spark", box=None, pad_edge=False)
    for row in rows:
        hand, asked = row["by_hand_seconds"], row["median_seconds"]
        allowed = 1.1 * hand + 1
        row["allowed_seconds"] = allowed
        memory = f"{row['most_memory_mb']:,} MB"
        table.add_row(str(row["name"]), _time(hand), _time(asked), f"{_time(allowed)}", memory, row["spark"])
    if rows:
        Console(width=120).print(table)


def main(raw: Path, kept: Path) -> None:
    rows = []
    for bench in json.loads(raw.read_text())["benchmarks"]:
        info, seconds = bench["extra_info"], bench["stats"]["median"]
        row = {"group": bench["group"], "name": bench["param"] or bench["name"], "median_seconds": seconds}
        more = {name: info[name] for name in (*LEARNT, *ASKED, *TRIED) if name in info}
        row.update(rate=info["work"] / seconds, unit=info["unit"], gflop=info.get("gflop"), **more)
        rows.append(row)
    peak = max((row["rate"] for row in rows if row["unit"] == "GFLOP/s"), default=None)
    table = Table("what", "which", "median", "rate", "share of matrix rate", "100 % after", box=None, pad_edge=False)
    for row in rows:
        share = row["gflop"] / row["median_seconds"] / peak if row["gflop"] and peak else None
        row["share_of_matrix_rate"] = share
        rate = f"{row['rate']:,.0f} {row['unit']}"
        shown = f"{share:.1%}" if share else ""
        first = _time(row["seconds_to_100"]) if "seconds_to_100" in row else ""
        table.add_row(row["group"], str(row["name"]), _time(row["median_seconds"]), rate, shown, first)
    Console(width=120).print(table)
    _large([row for row in rows if "by_hand_seconds" in row])
    learnt = [row["median_seconds"] for row in rows if row["group"] == "from nothing to 100 %"]
    memory = max((row.get("most_memory_so_far_mb", 0) for row in rows), default=0)
    first = sum(row.get("seconds_to_100", 0) for row in rows)
    print(
        f"all {len(learnt)} tasks from nothing to 100 %: {first:,.0f} s, {sum(learnt):,.0f} s until training stopped "
        f"by itself, {memory:,} MB of memory at most"
    )
    result = {"circumstances": circumstances("make bench"), "benchmarks": rows}
    kept.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
