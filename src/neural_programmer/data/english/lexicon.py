"""What tables are about, read from domains.txt: what rows are called, their columns, and how people speak of them.

A line of the file is a kind and its fields with semicolons between them; alternatives have a bar between them. A domain
goes on to the next one. `{}` stands for a cell or name, and in a column of numbers for "over 5 kg".

    like price; more=dearer|pricier; most=dearest; verbs=cost {}; ask=how much does {} cost
    domain cars/car|vehicles/vehicle; who
    name model; Golf|Corsa
    text make|brand; Ford|Kia; ways=made by {}; pre; noun
    number price|list price; 900 90000 0; like=price
    date registered|registration date; 2015 2024; past=registered; ask=when was {} registered
    truth automatic; pre
    missing heated seats|top speed; how fast is {}|who owned {} before
"""

from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files
from typing import Literal

Kind = Literal["name", "id", "text", "number", "date", "truth"]
Words = tuple[str, ...]


@dataclass(frozen=True)
class Source:
    """What a column of some domain is called, what stands in it, and what people say who do not name it."""

    kind: Kind
    names: Words
    cells: Words = ()
    low: float = 0.0
    high: float = 1.0
    decimals: int = 0
    like: str = ""
    ways: Words = ()  # after the things: "in {}", "costing {}"
    verbs: Words = ()  # said of several: "live in {}", "cost {}"
    ask: Words = ()  # whole questions after the cell of this column: "who wrote {}"
    got: Words = ()  # what one does to have so many: "score", "win"
    more: Words = ()
    less: Words = ()
    most: Words = ()
    least: Words = ()
    unit: Words = ()
    past: Words = ()  # of dates: "hired", "born"
    flags: frozenset[str] = frozenset()  # pre, noun, money, year, a, bare

    @cached_property
    def claims(self) -> frozenset[str]:
        """The words that mean this column without naming it: two columns of a table must not share any."""
        said = (*self.more, *self.less, *self.most, *self.least, *self.verbs, *self.ask, *self.past)
        numbers = self.ways if self.kind == "number" else ()
        return frozenset((*said, *numbers, *self.names, *(name.split("~")[-1] for name in self.names)))


@dataclass(frozen=True)
class Domain:
    """What a table is about."""

    things: tuple[tuple[str, str], ...]  # each way to call the rows: several, one
    who: bool = False
    columns: tuple[Source, ...] = ()
    missing: Words = ()  # what the table has no column for
    odd: Words = ()  # whole questions after things that it does not hold


@cache
def domains() -> tuple[Domain, ...]:
    """Return the domains of the file, in its order."""
    return _read(files("neural_programmer.data.english").joinpath("domains.txt").read_text(encoding="utf-8"))


def _read(text: str) -> tuple[Domain, ...]:
    found: list[Domain] = []
    pools: dict[str, Words] = {}
    likes: dict[str, dict[str, Words]] = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        head, *fields = [part.strip() for part in line.split(";")]
        kind, _, names = head.partition(" ")
        if kind == "pool":
            pools[names] = _words(fields[0])
        elif kind == "like":
            likes[names] = {key: _words(value) for key, value in (part.split("=", 1) for part in fields)}
        elif kind == "domain":
            things = tuple((many, one) for many, one in (pair.split("/") for pair in _words(names)))
            found.append(Domain(things, "who" in fields))
        elif kind == "missing":
            found[-1] = replace(found[-1], missing=_words(names), odd=_words(fields[0]) if fields else ())
        else:
            source = _source(kind, names, fields, pools, likes)
            found[-1] = replace(found[-1], columns=(*found[-1].columns, source))
    return tuple(found)


def _words(text: str) -> Words:
    return tuple(part.strip() for part in text.split("|") if part.strip())


def _source(
    kind: str, names: str, fields: list[str], pools: dict[str, Words], likes: dict[str, dict[str, Words]]
) -> Source:
    keys = dict(part.split("=", 1) for part in fields if "=" in part)
    plain = [part for part in fields if "=" not in part]
    given: dict[str, Words] = {key: _words(value) for key, value in keys.items() if key != "like"}
    like = keys.get("like", "")
    said = {**likes.get(like, {}), **given}
    flags = frozenset((*said.pop("flags", ()), *(plain[1:] if kind != "truth" else plain)))
    if kind in ("number", "date"):
        low, high, *decimals = map(float, plain[0].split())
        digits = int(decimals[0]) if decimals else 0
        return Source(kind, _words(names), (), low, high, digits, like, flags=flags, **said)
    cells: list[str] = []
    for cell in _words(plain[0]) if kind != "truth" else ():
        cells += pools.get(cell.removeprefix("@"), ()) if cell.startswith("@") and cell[1:] in pools else (cell,)
    return Source(kind, _words(names), tuple(cells), like=like, flags=flags, **said)  # type: ignore[arg-type]
