"""Parquet files and databases with columns of all types, views, triggers and odd names."""

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

import duckdb
import pyarrow
import pyarrow.parquet

from odd_arrow import arrow
from odd_cells import Chance, Content
from odd_texts import Kept, text_of

DUCK_TYPES = (
    "TINYINT", "BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT", "FLOAT", "DOUBLE", "DECIMAL(18, 4)", "DECIMAL(38, 10)",
    "DATE", "TIME", "TIMETZ", "TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMP_NS", "TIMESTAMP_S", "INTERVAL", "BLOB", "BIT",
    "UUID", "JSON", "VARCHAR[]", "INTEGER[3]", "STRUCT(a INTEGER, b VARCHAR)", "MAP(VARCHAR, INTEGER)",
    "UNION(a INTEGER, b VARCHAR)", "mood", "BOOLEAN", "BIGNUM", "VARCHAR", "VARCHAR",
)  # fmt: skip
DUCK_CELLS = (
    "1", "-5", "3.5", "2024-02-29", "12:30:00", "2024-02-29 10:00:00", "2024-02-29 10:00:00+02", "1 day", "true",
    "[a, b]", "[1, 2, 3]", "{'a': 1, 'b': x}", "{a=1}", "0101", "sad", "infinity", "-infinity", "294247-01-10",
    "00000000-0000-0000-0000-000000000001", "nan", "5877642-06-25 (BC)", "12:30:00+02", "{}", "3 years", "x",
)  # fmt: skip
SQLITE_TYPES = (
    "", "TEXT", "INTEGER", "REAL", "BLOB", "NUMERIC", "VARCHAR(3)", "DATE", "BOOLEAN", "DECIMAL(5,2)", "INT8",
    "odd type",
)  # fmt: skip


def write_parquet(chance: Chance, made: Content, path: Path) -> Kept:
    """Columns of all types that Arrow has."""
    path = path.with_name(path.name + chance.one([".parquet", ".parquet", ".pq", ""]))
    table, how = arrow(chance, made), chance.one(["snappy", "none", "gzip", "zstd", "lz4", "brotli"])
    options = {"compression": how, "row_group_size": chance.one([1, 7, 1_000]), "use_dictionary": chance.happens(0.5)}
    try:
        pyarrow.parquet.write_table(table, path, **options)
    except (pyarrow.ArrowException, ValueError):  # of types that Parquet does not have
        kept = [place for place, kind in enumerate(table.schema.types) if _is_plain(kind)]
        table = table.select(kept) if kept else pyarrow.table({"a": [1]})
        pyarrow.parquet.write_table(table, path, **options)
    return path, ""


def _is_plain(kind: pyarrow.DataType) -> bool:
    types = pyarrow.types
    return types.is_integer(kind) or types.is_floating(kind) or types.is_string(kind) or types.is_boolean(kind)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _fill(connection: duckdb.DuckDBPyConnection, chance: Chance, made: Content, name: str) -> None:
    """A table of DuckDB with columns of all its types."""
    with contextlib.suppress(duckdb.Error):
        connection.execute("CREATE TYPE mood AS ENUM ('sad', 'ok', '', 'O''Hara')")
    names = [re_named or f"c{place}" for place, re_named in enumerate(map(_without_nul, made.names))]
    typed, seen = [], set()
    for place, each in enumerate(names):
        each = each if each.lower() not in seen else f"{each}_{place}"
        seen.add(each.lower())
        typed.append((each, chance.one(DUCK_TYPES) if chance.happens(0.6) else "VARCHAR"))
    connection.execute(f"CREATE TABLE {_quoted(name)} ({', '.join(f'{_quoted(n)} {kind}' for n, kind in typed)})")
    own = [chance.one(DUCK_CELLS) for _ in range(20)]
    marks = ", ".join(f"TRY_CAST(? AS {kind})" for _, kind in typed)
    for row in made.rows[:40]:
        cells = [_without_nul(text_of(cell))[:1_000] if chance.happens(0.5) else chance.one(own) for cell in row]
        with contextlib.suppress(duckdb.Error):  # of what cannot be cast at all
            connection.execute(f"INSERT INTO {_quoted(name)} SELECT {marks}", cells)


def _without_nul(text: str) -> str:
    return text.replace("\0", "")


def write_duckdb(chance: Chance, made: Content, path: Path) -> Kept:
    """A database of DuckDB: one table or several, views, macros, generated columns, schemas."""
    path = path.with_name(path.name + chance.one([".duckdb", ".db", ".ddb", ""]))
    table = chance.one(["t", "orders", 'odd " name', "copied", "file", "given", "select", "🏠", "a.b"])
    with duckdb.connect(path) as connection:
        _fill(connection, chance, made, table)
        if chance.happens(0.2):
            connection.execute(f"CREATE VIEW v AS SELECT *, row_number() OVER () AS n FROM {_quoted(table)}")
        if chance.happens(0.1):
            connection.execute("CREATE SCHEMA s; CREATE TABLE s.t (a INTEGER, b INTEGER GENERATED ALWAYS AS (a + 1))")
        if chance.happens(0.1):
            connection.execute("CREATE MACRO m(x) AS x + 1; CREATE VIEW w AS SELECT m(1) AS a, random() AS r")
        if chance.happens(0.1):
            connection.execute("CREATE TABLE gone AS SELECT 1 AS a; CREATE VIEW broken AS FROM gone; DROP TABLE gone")
    return path, chance.one([table, table, "v", "w", "s.t", "broken"]) if chance.happens(0.6) else ""


def write_parquet_of_duckdb(chance: Chance, made: Content, path: Path) -> Kept:
    """A Parquet file with the types of DuckDB."""
    path = path.with_name(path.name + ".parquet")
    with duckdb.connect() as connection:
        _fill(connection, chance, made, "t")
        options = chance.one(["", ", COMPRESSION zstd", ", ROW_GROUP_SIZE 2048", ", PARQUET_VERSION v2"])
        try:
            connection.execute(f"COPY t TO ? (FORMAT parquet{options})", [str(path)])
        except duckdb.Error:
            connection.execute("COPY (SELECT 1 AS a) TO ? (FORMAT parquet)", [str(path)])
    return path, ""


def write_sqlite(chance: Chance, made: Content, path: Path) -> Kept:
    """A database of SQLite: columns of odd declared types, views, triggers, tables of all sorts."""
    path = path.with_name(path.name + chance.one([".db", ".sqlite", ".sqlite3", ""]))
    table = chance.one(["t", "orders", 'odd " name', "select", "🏠", "sqlite stat", "a::b"])
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = off")
        if chance.happens(0.1):
            connection.execute(f"PRAGMA encoding = '{chance.one(['UTF-16le', 'UTF-16be'])}'")
        if chance.happens(0.1):
            connection.execute("PRAGMA journal_mode = wal")
        seen: set[str] = set()
        named = []
        for place, name in enumerate(map(_without_nul, made.names)):
            named.append(name if name and name.lower() not in seen else f"{name}_{place}")
            seen.add(named[-1].lower())
        declared = ", ".join(f"{_quoted(name)} {chance.one(SQLITE_TYPES)}" for name in named)
        connection.execute(f"CREATE TABLE {_quoted(table)} ({declared})")
        marks = ", ".join("?" * len(named))
        some = [[_stored(chance, cell) for cell in row] for row in made.rows]
        connection.executemany(f"INSERT INTO {_quoted(table)} VALUES ({marks})", some)
        if chance.happens(0.2):
            connection.execute(f"CREATE VIEW v AS SELECT *, 1 AS one FROM {_quoted(table)}")
        if chance.happens(0.1):
            connection.execute(f"CREATE TRIGGER g AFTER INSERT ON {_quoted(table)} BEGIN SELECT 1; END")
        if chance.happens(0.1):
            connection.execute("CREATE TABLE w (k TEXT PRIMARY KEY, n INT AS (length(k))) WITHOUT ROWID")
            connection.execute("INSERT INTO w VALUES ('a'), ('bc')")
        if chance.happens(0.05):
            connection.execute("CREATE TABLE gone (a); CREATE TABLE kept (a)".partition(";")[0])
            connection.execute("CREATE VIEW broken AS SELECT * FROM gone")
            connection.execute("DROP TABLE gone")
        if chance.happens(0.05):
            with contextlib.suppress(sqlite3.Error):  # where it was built without
                connection.execute("CREATE VIRTUAL TABLE f USING fts5(body)")
        if chance.happens(0.05):
            connection.execute(f"INSERT INTO {_quoted(table)} ({_quoted(named[0])}) VALUES (CAST(x'ff00fe' AS TEXT))")
    return path, chance.one([table, table, "v", "w", "broken", "f"]) if chance.happens(0.6) else ""


def _stored(chance: Chance, cell: Any) -> Any:
    """A cell as SQLite keeps it, which takes any for any column."""
    if isinstance(cell, int) and abs(cell) >= 2**63:
        return str(cell)
    return chance.bytes(3) if chance.happens(0.005) else cell
