"""The command that answers: one question, a file of them, or one after the other at a prompt."""

import contextlib
import difflib
import inspect
import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from neural_programmer.answering.asking import Desk
from neural_programmer.answering.asking import ask as _ask
from neural_programmer.answering.config import ENGINE, AskConfig, Engine
from neural_programmer.cli import show
from neural_programmer.cli.batch import batch as answers
from neural_programmer.cli.models import chosen_model
from neural_programmer.cli.texts import printable
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.operations import Operation, named
from neural_programmer.programs.values import MOST_DECIMALS
from neural_programmer.tables import naming

NO_ANSWER = 1  # the exit code, as that of grep
ENDS, HELPS = ("quit", "exit", "q"), ("help", "?")  # said at the prompt


def ask(
    table: Annotated[str | Path | None, Parameter(allow_leading_hyphen=True)] = None,
    *question: str,
    json_: Annotated[bool, Parameter("--json", negative="")] = False,
    csv_: Annotated[bool, Parameter("--csv", negative="")] = False,
    batch: Annotated[str | Path | None, Parameter(allow_leading_hyphen=True)] = None,
    sql: str | None = None,
    engine: Engine = ENGINE,
    master: str | None = None,
    model: str | None = None,
    operations: Annotated[list[Path] | None, Parameter(negative="")] = None,
    digits: int | None = None,
    chart: Path | None = None,
    allowed: Annotated[AskConfig, Parameter(name="*")] = AskConfig(),  # noqa: B008  frozen
) -> None:
    """Answer a question about a table (what the help says first stands in __init__.py, which does not read this file).

    Parameters
    ----------
    table
        A CSV, TSV, JSON, Parquet, Arrow, Excel, SQLite or DuckDB file; a sheet or table of it after two colons. A
        folder, or a pattern in quotes such as 'sales/*.csv', is one table of all its files; - is the standard input.
    question
        What to ask, in English.
    json_
        Print one JSON object: version (1, of these names), question, answer, columns (their names), kind, reason, unit,
        program, sql, cells (the first 20 of them), cells_in_all (how many there are), truncated (whether the answer
        lacks some of them), confidence, partial, notes, chart (a Vega-Lite specification, or null).
    csv_
        Print the answer only, as CSV under the names of its columns: all of its rows, and no cell that a spreadsheet
        would take for a formula (a ' stands before it).
    batch
        A file of JSON lines with id, table and question, or - for the standard input; one such object with its id is
        printed for each, in order, and with an error, which is null if there was none; the exit code is 2 if there was
        one. The limits are those of every line. A line without a table is about TABLE; one without a folder is looked
        for here, then beside the file.
    sql
        Print the query only, in this dialect: duckdb, spark, postgres, bigquery, snowflake, sqlite and others.
    engine
        What runs the program: DuckDB on this machine, or Spark for tables beyond one machine.
    master
        The master of Spark, such as local[4] or spark://host:7077 [default: local[*]].
    model
        The name of a model that comes with this program, or the path of another [default: ask].
    operations
        A Python file that defines operations of your own, which the model was trained with; it is run.
    digits
        How many decimals a number is shown with [default: as many as it needs; --json has all].
    chart
        Write the picture of the answer to this file, too: .html (with the table beside it), .svg, .png (needs the extra
        charts) or .json (a Vega-Lite specification). What the file held before is replaced.
    """
    sql = checked_query(sql, engine, master)
    if table is not None and str(table).startswith("-") and not naming.is_standard_input(str(table)):
        near = difflib.get_close_matches(str(table)[:60], _options(), n=1)
        meant = f"; did you mean {near[0]}?" if near else ""
        raise NeuralProgrammerError(f"there is no option {str(table)[:60]!r}{meant} (see neural-programmer ask --help)")
    if table is None and batch is None:
        raise NeuralProgrammerError("name a table to ask about, as in: neural-programmer ask sales.csv")
    check_form(json_, csv_, sql, digits, batch is not None)
    if table is not None and naming.is_standard_input(str(table)) and (str(batch) == "-" or not (question or batch)):
        raise NeuralProgrammerError(
            "the standard input is the table, so that questions cannot come from there too; name a question, or a file"
            " of them with --batch"
        )
    if files := [word for word in question if naming.suffix_of(word) in naming.SUFFIXES and os.path.isfile(word)]:
        raise NeuralProgrammerError(
            f"{files[0][:200]!r} is a second table, and one is asked about; put a pattern in quotes, as in:"
            f" neural-programmer ask '*{naming.suffix_of(files[0])}' 'how many rows'"
        )
    if question and batch is not None:
        raise NeuralProgrammerError("the questions of a batch stand in its file; leave out the question or --batch")
    if chart is not None:
        check_chart(chart, table, one=bool(question), query=sql is not None and not json_)
    options = {"engine": engine, "master": master, "dialect": sql, **vars(allowed)}
    table = None if table is None else str(table)
    if batch is not None:
        failed = 0
        for result in answers(str(batch), table, model, operations, options):
            _line(result)
            failed += result["error"] is not None
        if failed:
            raise NeuralProgrammerError(f"{failed:,} of the lines could not be asked; their `error` says why")
        return
    desk, model_ = Desk(1), chosen_model(model, operations)

    def tell(asked: str) -> bool:
        """Print the answer to a question; whether there is one, of --sql a query."""
        given = _ask(model_, table, asked, desk=desk, **options)
        return printed(given, json_, csv_, sql, digits, chart, lambda: model_.config.own)

    source = desk.open(table, allowed).source
    if source.others:
        show.sheets(source)
    if question:
        if not tell(" ".join(question)):
            sys.exit(NO_ANSWER)
        return
    show.table(source)
    for asked in _asked():
        if asked.lower() in HELPS:
            show.help(source)
            continue
        try:
            tell(asked)
        except NeuralProgrammerError as error:
            show.fault(error)
        except KeyboardInterrupt:
            if not sys.stdin.isatty():
                raise
            show.err.print("neural-programmer: the question was stopped")


def printed(
    given: Answer,
    json_: bool,
    csv_: bool,
    sql: str | None,
    digits: int | None,
    chart: Path | None,
    own: Callable[[], tuple[Operation, ...]],
) -> bool:
    """Print an answer in the form that is asked for, and write its picture; return whether there is one, of --sql a
    query."""
    if json_:
        _line(given.to_dict())
    elif csv_ and given.answered:
        _csv(given)
    elif sql is None:
        show.answer(given, digits)
    elif given.sql:
        show.query(given.sql)
    else:
        show.no_query(given.reason or _without(given, own(), sql))
    if chart is not None and given.answered:
        show.wrote(given.save_chart(chart))
    return bool(given.sql) if sql is not None and not json_ else given.kind != "none"


def checked_query(sql: str | None, engine: Engine, master: str | None) -> str | None:
    """Return the name of the dialect; refuse one that is none, and a setting of Spark where another engine runs."""
    if master is not None and engine != "spark":
        raise NeuralProgrammerError("--master is a setting of Spark; add --engine spark")
    if sql is None:
        return None
    from neural_programmer.engines.sql import check_dialect

    return check_dialect(sql)


def check_form(json_: bool, csv_: bool, sql: str | None, digits: int | None, batch: bool = False) -> None:
    """Refuse two forms of one answer, and decimals that no number has."""
    if csv_ and (other := "--json" if json_ else "--sql" if sql is not None else "--batch" if batch else ""):
        raise NeuralProgrammerError(f"--csv and {other} are two forms of one answer; leave out one of them")
    if digits is not None and not 0 <= digits <= MOST_DECIMALS:
        raise NeuralProgrammerError(f"--digits is a number of decimals from 0 to {MOST_DECIMALS}, not {digits}")


def check_chart(chart: Path, table: str | Path | None, one: bool, query: bool) -> None:
    """Refuse a picture that cannot be written, before anything is asked; a file of the table is never replaced."""
    from neural_programmer.programs.charts import files

    if not one or query:
        without = "leave out --sql, or add --json" if query else "name one question, or leave out --chart"
        raise NeuralProgrammerError(f"--chart is for the picture of one answer; {without}")
    files.check(chart)
    named = None if table is None or naming.is_standard_input(str(table)) else naming.find(str(table))
    for each in () if named is None else named.files:
        if os.path.exists(chart) and os.path.samefile(chart, each):
            raise NeuralProgrammerError(f"{chart} is the table itself, which is never written to; name another file")


def _options() -> list[str]:
    """The names of the options."""
    own = [name for name, each in inspect.signature(ask).parameters.items() if each.kind == each.KEYWORD_ONLY]
    return [f"--{name.rstrip('_')}" for name in (*own, *(each.name for each in fields(AskConfig))) if name != "allowed"]


def _without(given: Answer, own: tuple[Operation, ...], dialect: str) -> str:
    """Return why an answer has no query: one of its operations has none, or not in that dialect."""
    from neural_programmer.engines.sql import without
    from neural_programmer.programs.aggregates import AGGREGATES

    operations = named(tuple(step.operation for step in given.steps), own)
    for operation in operations:
        if not operation.has_sql:
            return without(operation)
        if operation.name in AGGREGATES and dialect in AGGREGATES[operation.name].lacking:
            return f"{dialect} has no {operation.name}: ask for the SQL of another dialect"
    return "one of its operations has no SQL in that dialect: ask for another"


def _asked() -> Iterator[str]:
    """Read questions from the standard input, with a prompt if a person types them."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")  # pyright: ignore[reportAttributeAccessIssue]
    person = sys.stdin.isatty()
    if person:
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  keys to go back and to mend a line
    while True:
        try:
            line = input("? ") if person else sys.stdin.readline()
        except EOFError:
            return
        except KeyboardInterrupt:
            if not person:
                raise
            show.err.print()  # the line that was begun is left
            continue
        asked = line.strip()
        if asked.lower() in ENDS or (not person and not line):
            return
        if asked:
            yield asked


def _csv(given: Answer) -> None:
    """Print an answer as the page has it to download, for a terminal without what would steer it; where it holds a part
    of its rows, the error stream says so."""
    from neural_programmer.page.downloads import as_csv

    written = as_csv(given, "\n")
    sys.stdout.write(printable(written, keep="\n") if show.console.is_terminal else written)
    sys.stdout.flush()
    if given.result.truncated:
        show.err.print(f"the answer holds the first {given.result.length:,} of {given.result.total:,} rows")


def _line(result: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(result, ensure_ascii=False, allow_nan=False) + "\n")
    sys.stdout.flush()
