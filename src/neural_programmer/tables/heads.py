"""What a file is, as its first bytes show, whatever it is called."""

import codecs
from typing import Literal

FileKind = Literal["sqlite", "duckdb", "workbook", "parquet", "arrow", "gzip", "zstd", "text", "unknown"]
KIND_BYTES = 100  # of a file that show its kind
HEAD = 1_000_000  # bytes of a file that are looked at, in which the first row must end
SQLITE = b"SQLite format 3\0"
SCRIPT = b"#!"
WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # how text in UTF-16 begins
_BEGINNINGS: tuple[tuple[bytes, FileKind], ...] = (
    (SQLITE, "sqlite"),
    (b"PK\x03\x04", "workbook"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "workbook"),
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"FEA1", "arrow"),
    (b"\xff\xff\xff\xff", "arrow"),  # a stream
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
)


def kind_of(head: bytes) -> FileKind:
    """Tell the kind of a file by its first bytes; a hundred are enough, but more can show that it is no text."""
    if head[8:12] == b"DUCK":
        return "duckdb"
    for beginning, kind in _BEGINNINGS:
        if head.startswith(beginning):
            return kind
    return "unknown" if b"\0" in head and not head.startswith(WIDE) else "text"
