"""Packed files of text as the bytes in them: gzip by Python, Zstandard by DuckDB, which needs no other library."""

import gzip
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import duckdb

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tables.heads import HEAD, FileKind

Packing = Literal["none", "gzip", "zstd"]  # as DuckDB calls it
PACKED = 10  # how much larger a file is assumed to be than its gzip
LINE = 64_000_000  # bytes of the longest line that can be unpacked
CUT = "it ends too soon, so the file may be cut off; save it again"
BLOCK = 128 * 1024  # bytes of Zstandard that are packed together, at most
_LINES = (
    "read_csv(?, compression = 'zstd', columns = {'line': 'VARCHAR'}, auto_detect = false, header = false,"
    " delim = '\x01', quote = '', escape = '', strict_mode = false,"
    f" max_line_size = {LINE}, buffer_size = {LINE}, hive_partitioning = false)"
)
_AT_ONCE = 1_000  # lines


def packing_of(kind: FileKind) -> Packing:
    """Return how a file of this kind is packed."""
    return kind if kind == "gzip" or kind == "zstd" else "none"


def unpacked(path: Path, packing: Packing, connection: duckdb.DuckDBPyConnection) -> io.BufferedIOBase:
    """Open a file to read what is packed in it, of Zstandard UTF-8 alone; the connection reads nothing else then."""
    if packing == "gzip":
        return gzip.GzipFile(path)
    return io.BufferedReader(_Lines(path, connection)) if packing == "zstd" else open(path, "rb")


def size_unpacked(path: Path, packing: Packing) -> int:
    """Return how many bytes a file unpacks to: of gzip about, of Zstandard at most."""
    if packing == "zstd":
        return BLOCK * _blocks(path)
    return path.stat().st_size * (PACKED if packing == "gzip" else 1)


def check_unpacked(path: Path, packing: Packing, connection: duckdb.DuckDBPyConnection, most: int) -> None:
    """Refuse what unpacks to more."""
    size = 0
    if packing == "zstd" and size_unpacked(path, packing) > most:
        counted = connection.execute(f"SELECT sum(strlen(line) + 1) FROM {_LINES}", [str(path)])
        size = counted.fetchall()[0][0] or 0
    elif packing == "gzip":
        with gzip.GzipFile(path) as file:
            while size <= most and (chunk := file.read(HEAD)):
                size += len(chunk)
    if size > most:
        raise NeuralProgrammerError(f"it unpacks to more than {most:,} bytes, which is not allowed here")


def _blocks(path: Path) -> int:
    """Count the blocks of a file of Zstandard, and refuse one that is cut off: DuckDB takes what there is of it.

    A file has frames. Each begins with what tells how long its header is; its blocks tell how long they are, and which
    is the last one (RFC 8878).
    """
    size, blocks = path.stat().st_size, 0
    with open(path, "rb") as file:
        while file.tell() < size:
            magic = _number(file, 4)
            if magic >> 4 == 0x184D2A5:  # of something else, to be left out
                file.seek(_number(file, 4), io.SEEK_CUR)
                continue
            if magic != 0xFD2FB528:
                raise NeuralProgrammerError(CUT)
            told = _number(file, 1)
            is_single, has_checksum = told >> 5 & 1, told >> 2 & 1
            of_dictionary, of_size = (0, 1, 2, 4)[told & 3], (is_single, 2, 4, 8)[told >> 6]
            file.seek(1 - is_single + of_dictionary + of_size, io.SEEK_CUR)
            is_last = 0
            while not is_last:
                block = _number(file, 3)
                is_last, is_repeated, length = block & 1, block >> 1 & 3 == 1, block >> 3
                file.seek(1 if is_repeated else length, io.SEEK_CUR)
                blocks += 1
            file.seek(4 * has_checksum, io.SEEK_CUR)
        if file.tell() > size:
            raise NeuralProgrammerError(CUT)
    return blocks


def _number(file: io.BufferedIOBase, length: int) -> int:
    found = file.read(length)
    if len(found) < length:
        raise NeuralProgrammerError(CUT)
    return int.from_bytes(found, "little")


class _Lines(io.RawIOBase):
    """The bytes of a file that DuckDB unpacks, line by line."""

    def __init__(self, path: Path, connection: duckdb.DuckDBPyConnection) -> None:
        self._found = connection.execute(f"SELECT line FROM {_LINES}", [str(path)])
        self._lines, self._rest = self._fetched(), b""

    def _fetched(self) -> Iterator[bytes]:
        while some := self._found.fetchmany(_AT_ONCE):
            yield "".join([f"{line or ''}\n" for (line,) in some]).encode()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._rest = self._rest or next(self._lines, b"")
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size
