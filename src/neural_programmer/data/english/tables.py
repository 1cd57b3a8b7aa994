"""Draw three tables about one thing: the same columns, different rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, TypeVar

import numpy as np

from neural_programmer.data.english.lexicon import Domain, Source, domains
from neural_programmer.data.english.speech import plural
from neural_programmer.questions.tokens import name_words
from neural_programmer.tables.table import Table

TABLES = 3
ROWS = (5, 20)
SYLLABLES = "ba ke lo mi nu pra ste vi zor tan el qui dro fen gal hup ix jor wem sko".split()
FIRST = (
    "Anna Omar Li Grace Victor Nina Hugo Priya Sam Elena Tom Yuki Karim Julia Marco Ruth Ivan Sofia Paul Amara Ben "
    "Clara Dev Emma Felix Hannah Igor Jane Kofi Laura Mike Noor Olga Peter Rosa Sven Tara Uma Wei Zoe Daniel Maria"
).split()
LAST = (
    "Smith Garcia Tanaka Okafor Novak Rossi Müller Silva Khan Larsen Dubois Kim Brown Haddad Costa Ivanova Reed Walsh "
    "Patel Nguyen Fischer Moreau Lopez Jensen Clarke Murphy Schmidt Ali Wright Kowalski Berg Adeyemi Chen Hughes Park"
).split()
PARTS = (
    "Alpha Nova Delta Prime Orion Vega Apex Luna Terra Echo Zephyr Cobalt Willow Harbor Summit Cedar Falcon River "
    "Granite Maple Beacon Pioneer Sterling Horizon Atlas Juniper Copper Meridian Lantern Birch Quartz Raven"
).split()
T = TypeVar("T")


@dataclass(frozen=True)
class Column:
    """A column of drawn tables: its name, what people call it, where it comes from, what its cells may be."""

    name: str
    said: str
    source: Source
    pool: tuple[str, ...] = ()  # the texts that its cells are drawn from
    absent: tuple[str, ...] = ()  # texts of the same kind that no cell has
    bare: bool = True  # whether it may be meant where nothing says so: the only column of times

    @property
    def kind(self) -> str:
        return self.source.kind


class Scene:
    """A domain with its three tables: what questions are about."""

    def __init__(self, random: Random, generator: np.random.Generator) -> None:
        self.random, self.generator = random, generator
        self.made_up = self.chance(0.09)
        self.domain = _made_up(random) if self.made_up else self.pick(domains())
        self.things, self.thing = self.pick(self.domain.things)
        self.columns = self._columns(self.domain)
        sizes = [random.randint(*ROWS) for _ in range(TABLES)]
        cells = [self._cells(column, sizes) for column in self.columns]
        names = tuple(column.name for column in self.columns)
        self.tables = tuple(Table(names, tuple(column[number] for column in cells)) for number in range(TABLES))

    # ---- chance ---------------------------------------------------------------------------------------------------

    def pick(self, choices: Sequence[T]) -> T:
        return choices[int(self.random.random() * len(choices))]

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def some(self, choices: Sequence[T], least: int, most: int) -> list[T]:
        """Return a few of them, in their order."""
        count = min(len(choices), self.random.randint(least, most))
        return [choices[place] for place in sorted(self.random.sample(range(len(choices)), count))]

    # ---- columns --------------------------------------------------------------------------------------------------

    def of(self, *kinds: str) -> list[Column]:
        return [column for column in self.columns if column.kind in kinds]

    @cached_property
    def name(self) -> Column | None:
        """The column that says which thing a row is."""
        return next((column for kind in ("name", "id") for column in self.of(kind)), None)

    @cached_property
    def first(self) -> Table:
        return self.tables[0]

    @cached_property
    def taken(self) -> frozenset[str]:
        """The words of the columns' names."""
        return frozenset(word for column in self.columns for word in name_words(column.name))

    @cached_property
    def shared(self) -> frozenset[str]:
        """Texts that stand in several columns: what they mean has to be said."""
        seen: set[str] = set()
        twice: set[str] = set()
        for column in self.columns:
            keys = {cell.casefold() for cell in column.pool}
            twice |= seen & keys
            seen |= keys
        return frozenset(twice)

    def cells(self, column: Column) -> list[str]:
        """Return the different texts of a column of the first table."""
        return [cell for cell in dict.fromkeys(self.first.column(column.name).tolist()) if cell]

    def _columns(self, domain: Domain) -> list[Column]:
        by_kind = {kind: [c for c in domain.columns if c.kind == kind] for kind in
                   ("name", "id", "text", "number", "date", "truth")}  # fmt: skip
        sources: list[Source] = []
        if by_kind["id"] and self.chance(0.35 if by_kind["name"] else 0.95):
            sources += by_kind["id"][:1]
        if by_kind["name"] and self.chance(0.93 if not sources else 0.8):
            sources += by_kind["name"][:1]
        rest = self.some(by_kind["text"], 1, 3) + self.some(by_kind["number"], 1, 4)
        rest += self.some(by_kind["date"], 1, 2) if self.chance(0.5) else []
        rest += self.some(by_kind["truth"], 0, 2) if self.chance(0.5) else []
        self.random.shuffle(rest)
        sources = [*sources, *rest] if self.chance(0.85) else [*rest[:1], *sources, *rest[1:]]
        style = self.pick(STYLES)
        columns: list[Column] = []
        claimed: set[str] = set()
        called = {word for pair in domain.things for word in pair}
        words: set[str] = set()
        for source in sources:
            written, _, meant = self.pick(source.names).partition("~")
            said = meant if meant and self.chance(0.6) else written
            name = self._named(written, source, style)
            keys = set(name_words(name)) | {word.removesuffix("s") for word in said.split()}
            if source.kind == "number" and {said, plural(said)} & called:
                continue
            if claimed & source.claims or (words & keys and (len(keys) == 1 or keys <= words | NAMELESS_WORDS)):
                continue
            temporal = source.kind == "date" or "year" in source.flags
            alone = not (temporal and any(c.kind == "date" or "year" in c.source.flags for c in columns))
            claimed |= source.claims
            words |= keys
            columns.append(self._pooled(Column(name, said, source, bare=alone)))
        return columns

    def _named(self, said: str, source: Source, style: str) -> str:
        units = [unit for unit in source.unit if len(unit) <= 4]
        name = style_of(said, style)
        if units and not set(name_words(said)) & {unit.casefold() for unit in units} and self.chance(0.15):
            unit = self.pick(units)
            return f"{name}_{unit}" if style == "snake" else f"{name} ({unit})"
        elif "money" in source.flags and "(" not in said and self.chance(0.12):
            return f"{name} {self.pick(('($)', '(€)', '($)', '(USD)'))}" if style != "snake" else f"{name}_usd"
        return name

    def _pooled(self, column: Column) -> Column:
        source = column.source
        if source.kind not in ("name", "id", "text"):
            return column
        different = source.kind != "text"
        cells = source.cells
        if cells == ("@person",) and self.chance(0.2):
            cells = ("@first",)
        if len(cells) == 1 and (cells[0].startswith("@") or "#" in cells[0]):
            count = ROWS[1] + 6 if different else self.random.randint(5, 12)
            made: dict[str, None] = {}
            for _ in range(3 * count):
                made[self._text(cells[0])] = None
                if len(made) == count:
                    break
            pool = list(made)
        else:
            pool = list(cells)
            self.random.shuffle(pool)
        if source.kind == "text":
            keep = min(len(pool), self.random.randint(2, max(3, len(pool) - 1)))
        else:
            keep = max(5, len(pool) - 3) if len(pool) < ROWS[1] + 3 else len(pool) - 3
        case = self.pick(CASES) if source.kind == "text" else str
        pool = [case(cell) for cell in pool]
        return Column(column.name, column.said, source, tuple(pool[:keep]), tuple(pool[keep:]), column.bare)

    def _text(self, pattern: str) -> str:
        if pattern == "@person":
            return f"{self.pick(FIRST)} {self.pick(LAST)}"
        if pattern == "@first":
            return self.pick(FIRST)
        if pattern == "@company":
            end = self.pick(
                ("Ltd", "Group", "Inc", "Partners", "& Sons", "Works", "Systems", "Foods", "Energy", "Bank")
            )
            return f"{self.pick((self.pick(PARTS), self.pick(LAST)))} {end}"
        if pattern == "@title":
            return self.pick(
                (f"The {self.pick(PARTS)} {self.pick(NOUNS)}", f"{self.pick(PARTS)} {self.pick(NOUNS)}",
                 f"A {self.pick(NOUNS)} in {self.pick(PARTS)}", f"{self.pick(NOUNS)} of {self.pick(PARTS)}")
            )  # fmt: skip
        if pattern == "@place":
            return (
                f"{self.pick(PARTS)}{self.pick(('ton', 'ville', ' Bay', ' Hill', 'field', 'burg', ' Falls', 'ford'))}"
            )
        if pattern == "@street":
            return f"{self.random.randint(2, 180)} {self.pick(PARTS)} {self.pick(('Street', 'Road', 'Lane', 'Avenue'))}"
        if pattern == "@made":
            return made_word(self.random).title()
        return "".join("0123456789"[int(self.random.random() * 10)] if letter == "#" else letter for letter in pattern)

    # ---- cells ----------------------------------------------------------------------------------------------------

    def _cells(self, column: Column, sizes: list[int]) -> list[np.ndarray]:
        source, total = column.source, sum(sizes)
        if column.kind in ("name", "id"):
            if len(column.pool) >= max(sizes):
                return [np.array(self.random.sample(column.pool, size)) for size in sizes]
            return [np.array([self.pick(column.pool) for _ in range(size)]) for size in sizes]
        gone = column.kind != "truth" and self.chance(0.12)
        cells = self._all_cells(column, source, total)
        if gone:
            missing = self.generator.random(total) < 0.12
            missing[0] = False
            nothing: Any = {"date": np.datetime64("NaT", "D"), "text": ""}.get(column.kind, np.nan)
            cells = np.where(missing, nothing, cells)
        places = np.cumsum(sizes)[:-1]
        return np.split(cells, places)

    def _all_cells(self, column: Column, source: Source, total: int) -> np.ndarray:
        if column.kind == "number":
            spread = self.generator.random(total) ** self.pick((1, 1, 2, 3))
            cells = source.low + (source.high - source.low) * spread
            coarse = source.decimals - (
                len(str(int(source.high))) - 2 if source.high > 2000 and self.chance(0.4) else 0
            )
            return np.maximum(np.round(cells, source.decimals if "year" in source.flags else coarse), source.low)
        if column.kind == "date":
            span = int((source.high - source.low) * 365.25)
            width = self.pick((min(span, 300), min(span, 1200), span))
            days = self.random.randint(0, span - width) + self.generator.integers(0, width, total)
            return np.datetime64(f"{int(source.low)}-01-01") + days.astype("m8[D]")
        if column.kind == "truth":
            return np.where(self.generator.random(total) < self.random.uniform(0.3, 0.7), "true", "false")
        return np.array(column.pool)[self.generator.integers(0, len(column.pool), total)]


STYLES = ("plain", "plain", "plain", "title", "title", "snake", "snake", "camel", "upper")
CASES = (str, str, str, str.title, str.lower)
NAMELESS_WORDS = frozenset("name no number id of the date year total".split())
NOUNS = "Garden River Night Winter Road Secret Shadow Dream Island Letter Storm House Song Mirror Journey Crown".split()


def style_of(said: str, style: str) -> str:
    """Return a name in the manner of a table: snake_case, camelCase, Title Case."""
    words = said.split()
    if style == "snake":
        return "_".join(words)
    if style == "camel":
        return words[0] + "".join(word.title() for word in words[1:])
    text = " ".join(words)
    return text.title() if style == "title" else text.upper() if style == "upper" else text


def made_word(random: Random) -> str:
    """Return a word that nobody has met."""
    return "".join(random.choice(SYLLABLES) for _ in range(random.randint(2, 3)))


def _made_up(random: Random) -> Domain:
    """Return a domain of which no word is known."""
    words = list(dict.fromkeys(made_word(random) for _ in range(60)))
    texts = tuple(
        Source(
            "text", (words.pop(),), tuple(words.pop() for _ in range(random.randint(3, 6))), flags=frozenset({"pre"})
        )
        for _ in range(2)
    )
    high = random.choice((10, 100, 1000, 50000))
    numbers = tuple(Source("number", (words.pop(),), (), 0, high, random.choice((0, 0, 1, 2))) for _ in range(3))
    name = Source("name", (random.choice((words.pop(), "name")),), (random.choice(("@made", "X-###", "@place")),))
    others = (Source("date", (words.pop(),), (), 2010, 2024), Source("truth", (words.pop(),)))
    one = words.pop()
    things = random.choice(((one + "s", one), ("entries", "entry"), ("rows", "row"), ("items", "item")))
    return Domain((things,), False, (name, *texts, *numbers, *others), tuple(words[:5]))
