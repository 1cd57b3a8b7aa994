"""What is checked of an answer to an odd question: that it can be written, and that its SQL and the other engine give
the same."""

import contextlib
import datetime
import json
import math
import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb

from neural_programmer.answering.asking import Opened
from neural_programmer.engines import duck
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.program import Program
from neural_programmer.tables.heads import SQLITE

CLOSE = 1e-9
SHOWN = 10  # values of a disagreement


class Disagrees(Exception):
    """Two ways to the same answer that are not the same."""


def check_written(answer: Answer) -> None:
    """Write an answer in every form that it has."""
    written = json.dumps(answer.to_dict(), ensure_ascii=False, allow_nan=False)
    for text in (written, str(answer), repr(answer), answer._repr_html_(), answer.text(3)):
        text.encode("utf-8", "surrogatepass")  # half a letter of the question is said again
    assert "\n" not in repr(answer), "the answer in a line has several"
    if answer.answered and len(answer.values) >= answer.total * (answer.kind == "lookup"):
        for frame in (answer.to_pandas(), answer.to_polars(), answer.to_arrow()):
            assert len(frame) == (len(answer.values) if answer.kind == "lookup" else 1)


def check_sql(answer: Answer, path: Path) -> str:
    """Run the SQL of an answer where the file is, if it is meant to run there; what came of it."""
    if not answer.sql:
        return "no query"
    if answer.sql.startswith("--"):
        return "told that it does not read all"
    with open(path, "rb") as file:
        head = file.read(16)
    database = head.startswith(SQLITE) or head[8:12] == b"DUCK"
    if (
        not database
        and str(path).replace('"', '""') not in answer.sql
        and str(path).replace("'", "''") not in answer.sql
    ):
        return "for a table of another name"
    try:
        found = _run(answer.sql, path, head)
    except (duckdb.Error, sqlite3.Error) as error:
        if "pytz" in str(error):
            return "gives moments with a zone, which this Python cannot hold"
        raise Disagrees(f"the SQL fails: {' '.join(str(error).split())[:200]}") from None
    if answer.kind == "none" and all(value is None or not math.isfinite(value) for value in found):
        return "gives no number either"
    wanted = list(answer.values) if answer.kind != "scalar" else [answer.scalar]
    if answer.kind == "lookup" and len(wanted) < answer.total:
        found = found[: len(wanted)]
    _compare(wanted, found, "the SQL")
    return "agrees"


def _run(sql: str, path: Path, head: bytes) -> list[Any]:
    if head.startswith(SQLITE):
        with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as source:
            source.text_factory = lambda text: text.decode("utf-8", "replace")
            return [value for (value,) in source.execute(sql)]
    given = {"database": str(path), "read_only": True} if head[8:12] == b"DUCK" else {}
    with duckdb.connect(**given) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        return [value for (value,) in connection.execute(sql).fetchall()]


def check_engine(answer: Answer, program: Program, opened: Opened) -> str:
    """Run a program that the interpreter ran on DuckDB too."""
    if opened.table is None or answer.kind == "none":
        return "one engine only"
    try:
        found, _ = duck.answer(program, opened.source)
    except duckdb.Error as error:
        raise Disagrees(f"DuckDB fails: {' '.join(str(error).split())[:200]}") from None
    if found.kind != answer.kind:
        raise Disagrees(f"DuckDB gives {found.kind}, {found.reason}")
    _compare([*answer.values, answer.scalar], [*found.values, found.scalar], "DuckDB")
    if found.total != answer.total:
        raise Disagrees(f"DuckDB counts {found.total} cells, not {answer.total}")
    return "agrees"


def _compare(wanted: Sequence[Any], found: Sequence[Any], who: str) -> None:
    same = len(wanted) == len(found) and all(map(_is_same, wanted, found))
    if not same and (len(wanted) != len(found) or sorted(map(_plain, wanted)) != sorted(map(_plain, found))):
        raise Disagrees(f"{who} gives {str(list(found)[:SHOWN])[:300]}, not {str(list(wanted)[:SHOWN])[:300]}")


def _is_same(one: Any, other: Any) -> bool:
    """Whether a cell is the same as it is stored, where it may be a text that says it."""
    if isinstance(other, dict | list | tuple):
        return True  # of what has parts, the answer has the text
    if one is None or other is None:
        return one is other or _plain(one or other) in ("", "nan", "na", "n/a", "null", "none", "-")
    if isinstance(one, float) and isinstance(other, int | float) and not isinstance(other, bool):
        return math.isclose(one, other, rel_tol=CLOSE, abs_tol=CLOSE) or one == other or (one != one and other != other)
    if isinstance(other, bytes) and one == duckdb.execute("SELECT CAST(? AS BLOB)::VARCHAR", [other]).fetchall()[0][0]:
        return True  # a cell of bytes, as DuckDB writes it
    if _plain(one) == _plain(other) or json.dumps(one, default=str, ensure_ascii=False) == other:
        return True
    if isinstance(one, bool):
        return str(other).strip().lower() in (("true", "yes", "y", "t", "1") if one else ("false", "no", "n", "f", "0"))
    if isinstance(one, int | float):
        return any(math.isclose(one, number, rel_tol=CLOSE, abs_tol=CLOSE) for number in _said(str(other)))
    if isinstance(one, datetime.date):
        return str(one.year) in str(other) or isinstance(other, datetime.date)
    return " ".join(str(one).split()) == " ".join(str(other).split())


def _said(text: str) -> Iterator[float]:
    """The numbers that a text may say."""
    power = next(
        (10.0**n for word, n in (("k", 3), ("million", 6), ("M", 6), ("B", 9)) if text.rstrip(" ").endswith(word)), 1.0
    )
    for left_out, point in ((r"[^\d.eE+\-]", "."), (r"[^\d,eE+\-]", ",")):
        with contextlib.suppress(ValueError):
            digits = re.sub(left_out, "", text.replace("\u2212", "-")).replace(point, ".").strip("eE")
            yield float(digits)
            yield float(digits) * power


def _plain(cell: Any) -> str:
    if isinstance(cell, datetime.datetime):
        cell = cell.replace(tzinfo=None)
        return cell.date().isoformat() if cell.time() == datetime.time() else cell.isoformat(" ")
    if isinstance(cell, float):
        return f"{cell:.9g}"
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "backslashreplace")
    text = str(cell).strip()
    return text.lower() if isinstance(cell, bool) else text.removesuffix(" 00:00:00")
