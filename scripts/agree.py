"""Run random programs that answer with tables by the interpreter and by databases; they must give the same.

python scripts/agree.py results/agree.json      # 10,000 on DuckDB and SQLite; exits with 1 where one differs
python scripts/agree.py try.json --programs 500 --engines duckdb,postgres   # a server of its own, if that is there
python scripts/agree.py try.json --programs 100 --engines spark
python scripts/agree.py --one 17                # the programs of the 17th table again, with their SQL

Tables and programs are drawn from a seed by tests/tabled_programs.py, so many programs for each table.
"""

import argparse
import shlex
import sqlite3
import sys
import time
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import numpy as np  # noqa: E402

import tabled_programs as tabled  # noqa: E402
from neural_programmer.cli.show import bar  # noqa: E402
from neural_programmer.engines import sql  # noqa: E402
from neural_programmer.paper import record  # noqa: E402
from neural_programmer.programs.program import Program, run  # noqa: E402

SEED, PROGRAMS, OF_A_TABLE = 1, 10_000, 5
LISTED = 50  # differences that are kept


def engine_of(name: str) -> Any:
    """The engine of this name, started."""
    if name == "postgres":
        from postgres import Postgres

        return Postgres()
    if name == "spark":
        from spark_engine import Spark

        return Spark()
    return tabled.Engine(name)


def drawn(number: int, seed: int) -> tuple[Any, list[Program]]:
    """The table of this number, and the programs that it is asked."""
    generator = np.random.default_rng((seed, number))
    table, maker = tabled.table(generator), tabled.Maker(generator)
    return table, [maker.program() for _ in range(OF_A_TABLE)]


def compared(engine: Any, program: Program, table: Any) -> tuple[str, str]:
    """How it ended: the same, refused, differs or fails; and what is to be said of it."""
    if refused := sql.refusal(program, engine.dialect, tabled.KINDS_OF):
        return "refused", refused
    try:
        difference = tabled.difference(program, table, engine.rows(program))
    except Exception as error:
        return "fails", f"{type(error).__name__}: {error}"[:500]
    return ("differs", difference[:500]) if difference else ("same", "")


def judged(programs: int, seed: int, engines: list[Any], said: Any) -> dict[str, Any]:
    """What became of so many programs."""
    ended = {engine.dialect: Counter() for engine in engines}
    refused = {engine.dialect: Counter() for engine in engines}
    kinds, operations, rows, differences = Counter(), Counter(), Counter(), []
    tables = -(-programs // OF_A_TABLE)
    for number in range(tables):
        table, some = drawn(number, seed)
        rows["none" if table.rows == 0 else "one" if table.rows == 1 else "more"] += 1
        for engine in engines:
            engine.fill(table)
        for program in some:
            kinds[run(program, table).answer.kind] += 1
            operations.update({step.operation for step in program.steps})
            for engine in engines:
                how, what = compared(engine, program, table)
                ended[engine.dialect][how] += 1
                if how == "refused":
                    refused[engine.dialect][what] += 1
                elif how != "same":
                    one = {"table": number, "engine": engine.dialect, "program": str(program), "said": what}
                    differences.append(one)
                    print(one, file=sys.stderr)
        said((number + 1) * OF_A_TABLE, tables * OF_A_TABLE, f"{len(differences)} differences")
    return {
        "programs": tables * OF_A_TABLE,
        "tables": {"all": tables, "by rows": dict(rows)},
        "answers": dict(kinds.most_common()),
        "engines": {name: dict(found) for name, found in ended.items()},
        "refused": {name: dict(found.most_common()) for name, found in refused.items() if found},
        "programs with an operation": dict(operations.most_common()),
        "differences": differences[:LISTED],
        "differences in all": len(differences),
    }


def versions(names: list[str]) -> dict[str, str]:
    """The versions of what was compared."""
    found = {"duckdb": version("duckdb"), "sqlglot": version("sqlglot"), "sqlite": sqlite3.sqlite_version}
    return found | ({"pyspark": version("pyspark")} if "spark" in names else {})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="?", type=Path)
    parser.add_argument("--programs", type=int, default=PROGRAMS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--engines", default="duckdb,sqlite")
    parser.add_argument("--one", type=int)
    options = parser.parse_args()
    names = options.engines.split(",")
    engines = [engine_of(name) for name in names]
    try:
        if options.one is not None:
            table, some = drawn(options.one, options.seed)
            for engine in engines:
                engine.fill(table)
                for program in some:
                    how = compared(engine, program, table)
                    print(
                        program, "" if how[0] == "refused" else tabled.written(program, engine.dialect), *how, sep="\n"
                    )
            return 0
        start = time.monotonic()
        circumstances = record.circumstances(shlex.join(["python", "scripts/agree.py", *sys.argv[1:]]))
        circumstances["versions"] = {**circumstances["versions"], **versions(names)}
        with bar("programs compared", options.programs) as said:
            found = judged(options.programs, options.seed, engines, said)
    finally:
        for engine in engines:
            engine.close()
    result = {"seed": options.seed, "seconds": round(time.monotonic() - start, 1), **found}
    if options.results is not None:
        record.save(options.results, {"circumstances": circumstances, **result})
    print(found["engines"], f"{found['differences in all']} differences")
    return 1 if found["differences in all"] else 0


if __name__ == "__main__":
    sys.exit(main())
