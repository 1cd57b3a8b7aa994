"""Files of every kind that is read, as no careful program writes them; some are damaged."""

import gzip
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import odd_arrow
from odd_books import write_ods, write_xlsx, write_xlsx_by_hand
from odd_cells import Chance, Content, content
from odd_stores import write_duckdb, write_parquet, write_parquet_of_duckdb, write_sqlite
from odd_texts import Kept, write_csv, write_json, write_noise

DAMAGES = ("cut", "flipped", "zeros", "inserted", "twice", "packed", "packed and cut", "renamed", "nothing", "noise")
INSERTED = (b"12345", b'"', b"\0", b"\xff", b"\xe9", b"\r", b"\x1b[2J")
SUFFIXES = (".csv", ".json", ".parquet", ".xlsx", ".db", ".jsonl", ".txt", ".gz", ".png")


@dataclass
class Odd:
    """A table to ask about: its kind, a frame or a file with a part of it, and the columns that questions speak of."""

    kind: str
    frame: Any = None
    path: Path | None = None
    part: str = ""
    columns: dict[str, list[str]] = field(default_factory=dict)

    @property
    def what(self) -> Any:
        """The table as it is named."""
        if self.path is None:
            return self.frame
        return f"{self.path}::{self.part}" if self.part else str(self.path)


def file(chance: Chance, folder: Path) -> Odd:
    """A file of any kind."""
    kind = chance.weighted({kind: weight for kind, (weight, _) in KINDS.items()})
    made, path = content(chance), folder / chance.one(["t", "sales 1", "a.b", "données", "x[1]", "row", "data", "-t"])
    if chance.happens(0.01):
        path = folder / 'it\'s "odd"; --\U0001f3e0'
    path, part = KINDS[kind][1](chance, made, path)
    odd = Odd(kind, None, path, part, made.said())
    if chance.happens(0.15):
        damage = chance.one(DAMAGES)
        odd.kind += f", {damage}"
        _damage(chance, odd, damage)
    return odd


def frame(chance: Chance) -> Odd:
    """A frame of any kind."""
    made = content(chance)
    kind, found = odd_arrow.frame(chance, made)
    return Odd(kind, found, columns=made.said())


KINDS: dict[str, tuple[float, Callable[[Chance, Content, Path], Kept]]] = {
    "csv": (6, write_csv),
    "json": (3, write_json),
    "parquet": (2, write_parquet),
    "parquet of duckdb": (1, write_parquet_of_duckdb),
    "sqlite": (2, write_sqlite),
    "duckdb": (2, write_duckdb),
    "xlsx": (1, write_xlsx),
    "xlsx by hand": (1, write_xlsx_by_hand),
    "ods": (0.7, write_ods),
    "noise": (0.7, write_noise),
}


def _damage(chance: Chance, odd: Odd, damage: str) -> None:
    """Do something to the bytes of a file, or to its name."""
    path = odd.path
    assert path is not None
    content = bytearray(path.read_bytes())
    place = chance.below(len(content) + 1)
    if damage == "cut":
        content = content[:place]
    elif damage == "flipped" and content:
        for _ in range(1 + chance.below(20)):
            content[chance.below(len(content))] ^= 1 << chance.below(8)
    elif damage == "zeros":
        content[place : place + 200] = bytes(len(content[place : place + 200]))
    elif damage == "inserted":
        content[place:place] = chance.one(INSERTED)
    elif damage == "twice":
        content *= 2
    elif damage.startswith("packed"):
        content = bytearray(gzip.compress(bytes(content), mtime=0))
        content = content[: 20 + place] if damage.endswith("cut") else content
        path.unlink()
        path = path.with_name(path.name + ".gz")
    elif damage == "renamed":
        path.unlink()
        path = path.with_suffix(chance.one(SUFFIXES))
    elif damage == "nothing":
        content = bytearray()
    elif damage == "noise":
        content = bytearray(chance.bytes(len(content) or 100))
    path.write_bytes(content)
    odd.path = path
