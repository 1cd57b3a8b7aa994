"""The command that runs a program which a person wrote."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from neural_programmer.answering.asking import ran
from neural_programmer.answering.config import ENGINE, AskConfig, Engine
from neural_programmer.cli.ask import NO_ANSWER, check_chart, check_form, checked_query, printed
from neural_programmer.programs import own
from neural_programmer.programs.text import parse


def run(
    table: Annotated[str | Path, Parameter(allow_leading_hyphen=True)],
    program: str,
    *,
    json_: Annotated[bool, Parameter("--json", negative="")] = False,
    csv_: Annotated[bool, Parameter("--csv", negative="")] = False,
    sql: str | None = None,
    engine: Engine = ENGINE,
    master: str | None = None,
    operations: Annotated[list[Path] | None, Parameter(negative="")] = None,
    digits: int | None = None,
    chart: Path | None = None,
    allowed: Annotated[AskConfig, Parameter(name="*")] = AskConfig(),  # noqa: B008  frozen
) -> None:
    """Run a program on a table (what the help says first stands in __init__.py, which does not read this file).

    Parameters
    ----------
    table
        What ask takes: a file, a sheet or table of it after two colons, a folder, a pattern, or -.
    program
        Steps between semicolons or on lines: an operation, a column in double quotes, an argument.
    json_
        Print one JSON object, as ask does.
    csv_
        Print the answer only, as CSV under the names of its columns.
    sql
        Print the query only, in this dialect: duckdb, spark, postgres, bigquery, snowflake, sqlite and others.
    engine
        What runs the program: DuckDB on this machine, or Spark for tables beyond one machine.
    master
        The master of Spark, such as local[4] or spark://host:7077 [default: local[*]].
    operations
        A Python file that defines operations of your own, which the program uses; it is run.
    digits
        How many decimals a number is shown with [default: as many as it needs; --json has all].
    chart
        Write the picture of the answer to this file, too: .html, .svg, .png or .json.
    """
    sql = checked_query(sql, engine, master)
    check_form(json_, csv_, sql, digits)
    if chart is not None:
        check_chart(chart, table, one=True, query=sql is not None and not json_)
    known = own.given(operations or ())
    steps = parse(program, known)
    given = ran(str(table), steps, engine=engine, master=master, dialect=sql, **vars(allowed))
    if not printed(given, json_, csv_, sql, digits, chart, lambda: steps.own):
        sys.exit(NO_ANSWER)
