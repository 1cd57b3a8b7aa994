"""Run a program on Spark, for tables beyond one machine: the same query, run by the cluster that `master` names."""

import contextlib
import os
import re
import shutil
import sys
import tempfile
import uuid
import warnings
import weakref
from collections.abc import Callable, Collection, Iterator
from datetime import date
from typing import Any

from sqlglot import exp

from neural_programmer.base.limits import too_long, within
from neural_programmer.engines import sql
from neural_programmer.engines.duck import LOOKED_UP
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.expressions import RELATION_NODES
from neural_programmer.programs.operations import BUILT_IN, ORDER
from neural_programmer.programs.program import NOTHING_TO_COMPARE, Program, expressions, nothing_to_take, time_of
from neural_programmer.programs.put_out import put_out, values_of
from neural_programmer.programs.result import Result
from neural_programmer.programs.values import plain
from neural_programmer.tables.kinds import MISSING_WORDS, PLAIN_PATTERNS, Column
from neural_programmer.tables.source import Source

MASTER = "local[*]"
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.ansi.enabled": "true",
    "spark.sql.caseSensitive": "true",
}
_views: weakref.WeakKeyDictionary[Source, tuple[str, str]] = weakref.WeakKeyDictionary()  # the application, the name


def answer(
    program: Program, source: Source, master: str | None = None, seconds: float | None = None
) -> tuple[Answer, list[int | None]]:
    """Return the answer of a program, and how many rows every step selects; for one that gives an answer, how many it
    reads.

    Rows have no numbers in Spark, so that no cells are named, and cells of a look-up come in the order that Spark
    gives. After `seconds` the query is interrupted.
    """
    if ordered := [step.operation for step in program.steps if step.operation in ORDER]:
        raise NeuralProgrammerError(
            f"{BUILT_IN[ordered[0]]} needs the order of the rows, which Spark does not keep; ask with --engine duckdb"
        )
    if views := sorted({str(step.source) for step in program.steps if source.origin(step.source) != step.source}):
        raise NeuralProgrammerError(f"Spark does not read {', '.join(views)} from the texts of cells; ask with duckdb")
    session, source = connect(master), source.plain()
    jobs = _Jobs(session)
    with within(seconds, jobs):
        try:
            return _answered(session, program, source)
        except NeuralProgrammerError:
            if seconds is not None and jobs.ended:
                raise too_long(seconds) from None
            raise
        finally:
            jobs.leave()


class _Jobs:
    """The jobs of one question in Spark, which can be interrupted together, as a connection can."""

    def __init__(self, session: Any) -> None:
        self.context, self.group, self.ended = session.sparkContext, uuid.uuid4().hex, False
        self.context.setJobGroup(self.group, "a question", interruptOnCancel=True)

    def leave(self) -> None:
        """Take the jobs that the calling program starts after this out of the group."""
        for name in ("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel"):
            self.context.setLocalProperty(name, None)

    def interrupt(self) -> None:
        """Cancel the jobs."""
        self.ended = True
        with contextlib.suppress(Exception):  # Spark has ended in the meantime
            self.context.cancelJobGroup(self.group)


def _answered(session: Any, program: Program, source: Source) -> tuple[Answer, list[int | None]]:
    """Return the answer and the rows of every step."""
    view = register(session, source)
    booleans = {column.name for column in source.columns if column.kind == "boolean"}
    gives = program.operations[-1].updates
    query = sql.query(program, view, booleans, dialect="spark", kinds=source.cell_kinds)
    [*_, last] = expressions(program, source.cell_kinds)
    of_table = isinstance(last.node, RELATION_NODES) and gives != "lookup"
    if gives == "lookup" or of_table:
        query = query.limit(LOOKED_UP)
    found = _collected(session, query, source)
    values, rows = [row[0] for row in found], _counted(session, program, view, booleans, source)
    if of_table:
        columns = list(zip(*found, strict=True)) if found else [()] * len(values_of(last.node))
        return Answer(put_out(last.node, columns), total=rows[-1] or 0), rows
    if gives == "truth" and values[0] is None:
        return Answer(reason=NOTHING_TO_COMPARE), rows
    if gives == "lookup":
        total, column = rows[-1] or 0, str(program.steps[-1].column)
        return Answer(Result.cells(values, column, max(total - len(values), 0)), total=total), rows
    if gives == "truth":
        return Answer(Result.truth(values[0]), total=rows[-1] or 0), rows
    if values[0] is None or values[0] != values[0]:
        return Answer(reason=nothing_to_take(program.steps[-1])), rows
    if isinstance(values[0], date):
        return Answer(time_of(program.steps[-1], str(plain(values[0]))), total=rows[-1] or 0), rows
    return Answer(Result.number(values[0]), total=rows[-1] or 0), rows


def connect(master: str | None = None) -> Any:
    """Return the session with Spark. It is started when it is first needed."""
    master = master or MASTER
    if not re.match(r"local(\[.*\])?$|yarn$|spark://.|k8s://.", master):
        raise NeuralProgrammerError(
            f"a master of Spark is local, local[4], yarn, or begins with spark:// or k8s://, not {master[:60]!r}"
        )
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise NeuralProgrammerError("Spark is not installed: pip install 'neural-programmer[spark]'") from None
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java" if home is None else os.path.join(home, "bin", "java")) is None:
        raise NeuralProgrammerError("Spark needs Java 17, and there is none; install it, or set JAVA_HOME")
    builder = SparkSession.builder.appName("neural-programmer")  # pyright: ignore[reportAttributeAccessIssue]
    for name, value in {"spark.master": master, **SETTINGS}.items():
        builder = builder.config(name, value)
    with warnings.catch_warnings(), tempfile.TemporaryFile() as log:
        warnings.simplefilter("ignore")  # of the versions of other libraries, which are not used
        try:
            with _errors_to(log.fileno()):
                return builder.getOrCreate()
        except Exception as error:
            log.seek(0)
            thrown = re.search(r"Exception: (.*)", log.read().decode("utf-8", "replace"))
            said = thrown[1][:200] if thrown else _sentence(error)
            raise NeuralProgrammerError(f"cannot start Spark: {said}; it needs Java 17 and a master") from None


@contextlib.contextmanager
def _errors_to(file: int) -> Iterator[None]:
    """Write the standard error to a file in this block, for what Java says while it starts is not for people."""
    sys.stderr.flush()
    before = os.dup(2)
    os.dup2(file, 2)
    try:
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)


def register(session: Any, source: Source) -> str:
    """Return the name of a view of the table in Spark: a view of its file, if Spark reads the file as we do, or of a
    copy."""
    application = session.sparkContext.applicationId
    known, name = _views.get(source, ("", ""))
    if known != application:
        name = f"table_{len(_views)}_{id(source):x}"
        try:
            _frame(session, source).createOrReplaceTempView(name)
        except Exception as error:
            raise NeuralProgrammerError(f"Spark cannot read {source.name}: {_sentence(error)}") from None
        _views[source] = application, name
    return name


def _frame(session: Any, source: Source) -> Any:
    """Return the table as a data frame of Spark, with columns of the kinds that were found."""
    path, places = f"file://{source.path}", range(len(source.columns))
    read = session.read
    if not _readable(source):
        copy = source.folder / "spark.parquet"
        source.connection.execute(f"COPY (SELECT * FROM {source.placed()}) TO '{copy}' (FORMAT parquet)")
        frame = read.parquet(f"file://{copy}")
    elif source.form == "parquet":
        frame = read.parquet(path).toDF(*(f"c{place}" for place in places))
    elif source.form == "json":
        fields = ", ".join(f"{_quoted(column.name)} STRING" for column in source.columns)
        frame = read.schema(fields).json(path).toDF(*(f"c{place}" for place in places))
    else:
        fields = ", ".join(f"c{place} STRING" for place in places)
        options = {"header": "true", "multiLine": "true", "escape": '"', "sep": source.form, "mode": "FAILFAST"}
        frame = read.schema(fields).options(**options).csv(path)
    kinds = [str(kind) for kind in source.connection.table(source.relation).types]
    is_text = source.form not in ("", "parquet") and _readable(source)
    columns = [
        f"{_value(f'c{place}', column, kind, is_text)} AS {_quoted(column.name)}"
        for place, column, kind in zip(places, source.columns, kinds, strict=True)
    ]
    return frame.selectExpr(*columns)


def _readable(source: Source) -> bool:
    """Return whether Spark can read the file as it was read here. It needs all columns, and a path that Spark takes for
    no pattern."""
    if not source.form or source.path is None or set(str(source.path)) & set("*?[]{}\\,"):
        return False
    if source.form == "parquet":
        return not any(column.pattern for column in source.columns)
    return all(column.pattern in ("", *PLAIN_PATTERNS) for column in source.columns)


def _value(cell: str, column: Column, kind: str, is_text: bool) -> str:
    """Return the SQL of a cell: of the kind that was found, and NULL where it is missing."""
    if column.kind == "text" and not is_text:
        return f"nullif({cell}, '')"
    if is_text:
        missing = ", ".join(f"'{word}'" for word in MISSING_WORDS)
        cell = f"trim(BOTH ' \\t\\r\\n' FROM replace({cell}, '\u00a0', ' '))"
        cell = f"CASE WHEN lower({cell}) NOT IN ({missing}) THEN {cell} END"
    if column.kind == "boolean" and is_text:
        return f"lower({cell}) IN ('true', 'yes')"
    if column.kind == "date":
        cell = f"replace({cell}, '/', '-')" if is_text else cell
        return f"CAST({cell} AS {'DATE' if kind == 'DATE' else 'TIMESTAMP_NTZ'})"
    if column.kind == "number":
        wanted = {"DOUBLE": "DOUBLE", "HUGEINT": "DECIMAL(38, 0)"}.get(kind, "BIGINT")
        return f"nullif(CAST({cell} AS {wanted}), CAST('NaN' AS DOUBLE))" if wanted == "DOUBLE" else cell
    return cell


def _counted(session: Any, program: Program, view: str, booleans: Collection[str], source: Source) -> list[int | None]:
    """Return the number of rows of every step, counted in one query."""

    def aggregate(name: str, expression: Any, where: Any) -> exp.Subquery:
        return sql.select(sql.function(name, expression), relation=view, where=where).subquery()

    wheres = [
        each.rows for each in sql.write(program, view, aggregate, booleans, dialect="spark", kinds=source.cell_kinds)
    ]
    one = exp.Literal.number(1)
    counts = [exp.alias_(sql.function("COUNT", exp.case().when(w.copy(), one)), f"n{i}") for i, w in enumerate(wheres)]
    [found] = _collected(session, sql.select(*counts, relation=view, where=exp.true()), source)
    return list(found)


def _collected(session: Any, query: exp.Select, source: Source) -> list[Any]:
    return _tried(lambda: session.sql(query.sql("spark")).collect(), source)


def _tried(collect: Callable[[], list[Any]], source: Source) -> list[Any]:
    try:
        return collect()
    except Exception as error:
        raise NeuralProgrammerError(f"Spark cannot query {source.name}: {_sentence(error)}") from None


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _sentence(error: BaseException) -> str:
    """Return the first line of an error, whose message may be pages long."""
    return next(filter(None, (line.strip().rstrip(".;") for line in str(error).splitlines())), type(error).__name__)[
        :200
    ]
