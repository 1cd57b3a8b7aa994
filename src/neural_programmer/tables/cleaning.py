"""What is left out of a column's texts when they are read, such as spaces around them and words like NA: a query of the
file as it is must leave out the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb

MISSING_WORDS = ("", "na", "n/a", "null", "none", "nan", "-")  # in any case
NO_BREAK = "\u00a0"
AROUND = " \t\r\n"  # what is taken away at both ends of a text
NAN = "nan"
COLUMNS_AT_ONCE = 25  # columns that are looked through in one query


@dataclass(frozen=True)
class Cleaning:
    """The texts that stand for nothing, as they are written; the letters to take away around the others; whether some
    have spaces that do not break; and whether the cells are no texts where they are stored, but were read as such. Of
    numbers, NAN stands for what is none."""

    missing: tuple[str, ...] = ()
    around: str = ""
    breaks: bool = False
    cast: bool = False


def is_spaced(cell: str) -> str:
    """Return the SQL that tells whether a text must be trimmed."""
    return f"{cell}[1] <= ' ' OR {cell}[-1] <= ' ' OR contains({cell}, '{NO_BREAK}')"


def trimmed(cell: str) -> str:
    """Return the SQL of a text without what stands around it, where something does."""
    return f"CASE WHEN {is_spaced(cell)} THEN {_trim(_plain(cell))} ELSE {cell} END"


def is_missing(cell: str, missing: Sequence[str] = MISSING_WORDS) -> str:
    """Return the SQL that tells whether a text that is trimmed says that there is none."""
    short = f"strlen({cell}) <= {max(map(len, missing))}"
    return f"({short} AND regexp_full_match({cell}, '(?i:{'|'.join(missing)})'))"


def is_number(cell: str) -> str:
    """Return the SQL that tells whether a number is one, and not NaN; not by isnan, which DuckDB takes for false where
    a Parquet file states the least and greatest of the others."""
    return f"isfinite({cell}) OR isinf({cell})"


def cleanings(
    connection: duckdb.DuckDBPyConnection, relation: str, width: int, kinds: Mapping[int, str]
) -> dict[int, Cleaning]:
    """Return the cleaning of some columns of a relation: of "text", of texts taken "as they are", of what was "cast" to
    text, or of a "number"."""
    found: dict[int, Cleaning] = {}
    given = f"{relation} AS given({', '.join(f'c{place}' for place in range(width))})"
    for start in range(0, len(kinds), COLUMNS_AT_ONCE):
        some = list(kinds.items())[start : start + COLUMNS_AT_ONCE]
        asked = ", ".join(sql for place, kind in some for sql in _asked(f"c{place}", kind))
        facts = iter(connection.execute(f"SELECT {asked} FROM {given}").fetchall()[0])
        for place, kind in some:
            missing, breaks, spaced, oddly = (next(facts) for _ in range(4))
            around = AROUND if oddly else " " if spaced else ""
            found[place] = Cleaning(tuple(sorted(missing or ())), around, bool(breaks), kind == "cast")
    return {place: cleaning for place, cleaning in found.items() if cleaning != Cleaning()}


def _asked(cell: str, kind: str) -> list[str]:
    """Return the SQL of what is missing, and whether there are spaces that do not break, any around, or such as
    tabs."""
    if kind == "number":
        return [f"CASE WHEN bool_or(NOT ({is_number(cell)})) THEN ['{NAN}'] END", "false", "false", "false"]
    if kind == "as they are":
        return [f"CASE WHEN bool_or({cell} = '') THEN [''] END", "false", "false", "false"]
    if kind == "cast":
        text = f"CAST({cell} AS VARCHAR)"
        return [f"list(DISTINCT {text}) FILTER ({is_missing(text)})", "false", "false", "false"]
    bare = _trim(_plain(cell))
    return [
        f"list(DISTINCT {bare}) FILTER ({is_missing(bare)})",
        f"bool_or(contains({cell}, '{NO_BREAK}'))",
        f"bool_or({_plain(cell)} <> {bare})",
        f"bool_or(trim({_plain(cell)}, ' ') <> {bare})",
    ]


def _plain(cell: str) -> str:
    return f"replace({cell}, '{NO_BREAK}', ' ')"


def _trim(text: str) -> str:
    return f"trim({text}, '{AROUND}')"
