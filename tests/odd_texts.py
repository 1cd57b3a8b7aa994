"""Files of text as no careful program writes them, and files that are no table at all."""

import codecs
import csv
import io
import json
from pathlib import Path
from typing import Any

from odd_cells import Chance, Content

Kept = tuple[Path, str]  # where a table is: a file, and the part of it
ENCODINGS = {"utf-8": 8, "utf-8-sig": 1, "utf-16": 0.6, "cp1252": 0.6, "latin-1": 0.4, "utf-16-le": 0.2}
ENCODINGS |= {"utf-32": 0.1, "sjis": 0.1}


def text_of(cell: Any) -> str:
    return "" if cell is None else str(cell)


def write_csv(chance: Chance, made: Content, path: Path) -> Kept:
    """Rows of cells: separated, quoted, ended and encoded in any way."""
    delimiter = chance.weighted({",": 6, ";": 3, "\t": 2, "|": 1, ":": 0.2, " ": 0.2, "^": 0.1})
    quoting = chance.weighted({csv.QUOTE_MINIMAL: 6, csv.QUOTE_ALL: 1, csv.QUOTE_NONNUMERIC: 1, None: 0.7})
    end = chance.weighted({"\n": 5, "\r\n": 3, "\r": 0.3})
    rows = [made.names, *([text_of(cell) for cell in row] for row in made.rows)]
    if chance.happens(0.08):
        rows = [row[: 1 + chance.below(len(row))] if chance.happens(0.3) else row for row in rows]
    if chance.happens(0.04):
        rows = [[*row, "more"] if chance.happens(0.3) else row for row in rows]
    if chance.happens(0.05):
        rows = [[*row, ""] for row in rows]
    if chance.happens(0.05):
        rows.insert(chance.below(len(rows) + 1), chance.one([[], [""], ["# a remark"], ["", ""]]))
    if chance.happens(0.05):
        rows = rows[1:]
    if quoting is None:
        text = end.join(delimiter.join(row) for row in rows) + end
    else:
        written = io.StringIO(newline="")
        quote = chance.weighted({'"': 12, "'": 1})
        csv.writer(written, delimiter=delimiter, quoting=quoting, lineterminator=end, quotechar=quote).writerows(rows)
        text = written.getvalue()
    text = text.rstrip("\r\n") if chance.happens(0.2) else text
    path = path.with_name(path.name + chance.one([".csv", ".csv", ".tsv", ".txt", ".tab", ".psv", ".CSV", "", ".dat"]))
    path.write_bytes(_encoded(chance, text))
    return path, ""


def _encoded(chance: Chance, text: str) -> bytes:
    encoding = chance.weighted(ENCODINGS)
    mark = codecs.BOM_UTF16_BE if chance.happens(0.01) else b""
    return mark + text.encode(encoding, "surrogatepass" if encoding.startswith("utf") else "replace")


def write_json(chance: Chance, made: Content, path: Path) -> Kept:
    """Objects in one array or one a line; their keys change, their values are nested, some are no JSON."""
    rows: list[Any] = [dict(zip(made.names, row, strict=True)) for row in made.rows]
    if chance.happens(0.2):
        rows = [{name: cell for name, cell in row.items() if chance.happens(0.7)} for row in rows]
    if chance.happens(0.2):
        rows = [{name: _nested(chance, cell) for name, cell in row.items()} for row in rows]
    if chance.happens(0.1):
        rows = [{**row, f"key {chance.below(30)}": chance.below(9)} for row in rows]
    if chance.happens(0.03) and rows:
        rows[chance.below(len(rows))] = chance.one([[], 5, "text", None, [1, 2], [{}], {}, True])
    lines = [json.dumps(row, ensure_ascii=chance.happens(0.5), default=str) for row in rows]
    if chance.happens(0.03):
        deep = chance.one([50, 2_000, 100_000])
        lines.append('{"deep": ' + "[" * deep + "]" * deep + "}")
    if chance.happens(0.03):
        odd = ['{"a": NaN}', '{"a": 1, "a": 2}', '{"a": -Infinity}', '{"a": 1e999}', '{"a": "\\ud800"}', "{'a': 1}"]
        lines.append(chance.one([*odd, "// a remark", '{"a": 1,}', '{"a": ' + "9" * 5_000 + "}", '{"": 1}', "null"]))
    form = chance.weighted({"lines": 4, "array": 4, "pretty": 1, "wrapped": 0.3, "columns": 0.3})
    if form == "lines":
        text = "\n".join(lines) + chance.one(["\n", "", "\n\n"])
    elif form == "columns":
        text = json.dumps(dict(zip(made.names, made.columns, strict=True)), default=str)
    else:
        text = f"[{', '.join(lines)}]" if form == "array" else "[\n  " + ",\n  ".join(lines) + "\n]"
        text = f'{{"data": {text}}}' if form == "wrapped" else text
    path = path.with_name(path.name + chance.one([".json", ".jsonl", ".ndjson", ".json", ".txt", ""]))
    path.write_bytes(_encoded(chance, text))
    return path, ""


def _nested(chance: Chance, cell: Any) -> Any:
    return chance.one([cell, {"of": cell}, [cell, cell], [], {}, [[cell]], {"a": {"b": [cell, None]}}, str(cell)])


def write_noise(chance: Chance, made: Content, path: Path) -> Kept:
    """No table at all, or the beginning of one."""
    begin = [
        b"",
        b"PAR1",
        b"PK\x03\x04",
        b"SQLite format 3\0",
        bytes(8) + b"DUCK",
        b"\x1f\x8b",
        b"ARROW1",
        b"[",
        b"{",
        b"\xff\xfe",
    ]
    begin += [
        codecs.BOM_UTF8,
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        b"<html>",
        b"%PDF-1.7",
        b"\x28\xb5\x2f\xfd",
        b"a,b\n",
    ]
    suffixes = [".csv", ".json", ".parquet", ".xlsx", ".ods", ".db", ".duckdb", ".csv.gz", "", ".xls", ".txt"]
    path = path.with_name(path.name + chance.one(suffixes))
    rest = chance.one(
        [b"", b"\n", b"\n\n \n", chance.bytes(chance.below(5_000)), bytes(chance.below(5_000)), b'"' * 999]
    )
    path.write_bytes(chance.one(begin) + rest)
    return path, ""
