"""A table as questions refer to it: its columns by their names, its cells by their texts."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from neural_programmer.base.once import Value, once
from neural_programmer.questions.keys import SHORTEST, SMALL_WORDS, root, text_keys, unsaid
from neural_programmer.questions.meanings import Meanings
from neural_programmer.questions.row_names import RowNames, row_names
from neural_programmer.questions.tokens import name_words, stemmed, stems
from neural_programmer.questions.units import ENDING, UNIT_OF
from neural_programmer.tables.table import CellForm, Kind, Style, Table, column_kind, is_boolean, is_date, is_text
from neural_programmer.tables.views import written

START = 5  # letters of a word that begins a cell
MOST_WORDS = 40  # of a cell that are looked for one by one
SHORT_TEXT = 20  # characters of a number or date with something beside it
START_OF_NUMBER = re.compile(r"[-+\u2212\u2013$€£]?[\d.]")
TOTAL = re.compile(r"(?:grand |overall |sub-?)?totals?\b.{0,15}|sum|average")
DIFFERENT = 0.9  # share of a column's texts that are different where nearly all are
YEARS = 1500, 2100
DIGIT, SPACE = re.compile(r"\d"), re.compile(r"\S\s+\S")
CODES = frozenset("id no nr number code ref reference".split())  # after what they are given to
SHORT = {  # for what names say in short
    "acct": "account", "addr": "address", "alt": "altitude", "amt": "amount", "arr": "arrival", "avg": "average",
    "cat": "category", "cust": "customer", "dep": "departure", "dept": "department", "desc": "description",
    "dest": "destination", "disc": "discount", "dist": "distance", "dob": "date of birth", "dur": "duration",
    "elev": "elevation", "emp": "employee", "est": "established", "exp": "experience", "freq": "frequency",
    "grp": "group", "hq": "headquarters", "hrs": "hours", "inv": "invoice", "kcal": "calories", "lat": "latitude",
    "loc": "location", "lon": "longitude", "lvl": "level", "max": "maximum", "mfr": "manufacturer",
    "mgr": "manager", "min": "minimum", "mins": "minutes", "mo": "month", "nat": "nationality", "no": "number",
    "nr": "number", "num": "number", "org": "organisation", "orig": "origin", "pax": "passengers", "pct": "percent",
    "pop": "population", "pos": "position", "prep": "preparation", "prev": "previous", "prod": "product",
    "pts": "points", "qty": "quantity", "ref": "reference", "rev": "revenue", "secs": "seconds", "stat": "status",
    "subj": "subject", "tel": "telephone", "temp": "temperature", "vol": "volume", "wt": "weight", "yr": "year",
    "yrs": "years",
}  # fmt: skip


@dataclass(frozen=True)
class IndexColumn:
    """What is known of a column before any question: its name, its kind, its texts or its range."""

    name: str
    kind: Kind
    texts: tuple[str, ...] = ()
    different: bool = False  # whether nearly all cells hold different texts
    low: float = math.nan  # of a column of numbers, the least and the greatest; of dates, the years of these
    high: float = math.nan
    code: bool = False  # whether most texts have a digit, as identifiers have
    worded: bool = False  # whether most texts are several words, as the names of people and of works are
    view_of: int = -1  # of a view, the place of the column that it is read from
    view: str = ""  # and which it is (see views.py)
    style: Style = ""  # in which its numbers or dates are written (see kinds.py)

    @classmethod
    def of_texts(cls, name: str, texts: tuple[str, ...], different: bool) -> "IndexColumn":
        """Return a column of text."""
        code, worded = (
            2 * sum(mark.search(text) is not None for text in texts) > len(texts) for mark in (DIGIT, SPACE)
        )
        return cls(name, "text", texts, different, code=code, worded=worded)

    @property
    def is_year(self) -> bool:
        return self.kind == "number" and YEARS[0] <= self.low <= self.high <= YEARS[1]


class shared(once[Value]):
    """As once, for a property that an extended index takes from the index that it extends."""

    def __get__(self, instance: Any, owner: type | None = None) -> Value:
        if instance.original is None:
            return super().__get__(instance, owner)
        return instance.__dict__.setdefault(self.name, getattr(instance.original, self.name))


@dataclass(frozen=True)
class Index:
    """A table as questions refer to it; made once for many questions."""

    columns: tuple[IndexColumn, ...]
    called: tuple[str, ...] = ()  # the names of the sheet or table, and of the file
    missed: tuple[str, ...] = ()
    """What a question says that was not looked for in all cells."""
    wider: Callable[[], "Index"] | None = field(default=None, compare=False, repr=False)
    """Gives the same with the texts that a question may mean by everyday words, if it means nothing else by them."""
    original: "Index | None" = field(default=None, compare=False, repr=False)
    """The index that this one extends, whose properties it shares."""

    @classmethod
    def of(cls, table: Table) -> "Index":
        """Return the index of a table in memory."""
        columns = []
        for name, column in zip(table.names, table.columns, strict=True):
            cells = [text for text in column.tolist() if text] if is_text(column) else []
            texts = tuple(dict.fromkeys(cells))
            kind = column_kind(column)
            if name in table.views:  # its texts are those of the column that it is read from
                of, view = table.views[name]
                columns.append(
                    IndexColumn(name, kind, (), False, *_range(column), view_of=table.names.index(of), view=view)
                )
                continue
            kind = "boolean" if is_boolean(column) else kind
            if kind == "text":
                columns.append(IndexColumn.of_texts(name, texts, 0 < DIFFERENT * len(cells) <= len(texts)))
            else:
                columns.append(IndexColumn(name, kind, texts, False, *_range(column)))
        return cls(tuple(columns))

    @shared
    def styles(self) -> frozenset[Style]:
        """Return in which styles numbers and dates are written."""
        return frozenset(column.style for column in self.columns)

    @shared
    def kinds(self) -> tuple[Kind, ...]:
        """Return the kind of each column as features see it: for texts whose cells are short and begin as numbers or
        dates do, the kind of their views."""
        found: list[Kind] = [column.kind for column in self.columns]
        for column in self.columns:
            texts = self.columns[column.view_of].texts if column.view and column.kind != "text" else ()
            begin = sum(START_OF_NUMBER.match(text) is not None for text in texts)
            short = sum(len(text) <= SHORT_TEXT for text in texts)
            if 2 * short > len(texts) and (column.kind == "date" or 2 * begin > len(texts)):
                found[column.view_of] = column.kind
        return tuple(found)

    def itself(self, place: int) -> int:
        """Return the place of a column; for a view, that of the column it reads."""
        return self.columns[place].view_of if self.columns[place].view else place

    def extended(
        self,
        found: Mapping[int, Collection[str]],
        missed: Collection[str] = (),
        wider: Callable[[], "Index"] | None = None,
    ) -> "Index":
        """Return this index with more texts of some columns, by their places, sharing what was prepared."""
        more = Index(self.columns, self.called, (*self.missed, *missed), wider, self)
        texts, alike = dict(self.texts), dict(self.alike)
        for place, text in ((place, text) for place, news in found.items() for text in news):
            for key in text_keys(text):
                same = alike.get((key, place)) or [each for at, each in texts.get(key, {}).items() if at == place]
                if same and text not in same:
                    alike[key, place] = [*same, text]
                texts[key] = {place: text} | texts.get(key, {})
        more.__dict__.update(texts=texts, alike=alike)
        return more

    @shared
    def years(self) -> tuple[float, float] | None:
        """From when to when the dates of the table are, in years; None where there are none."""
        dated = [column for column in self.columns if column.kind == "date" and column.low <= column.high]
        return (min(column.low for column in dated), max(column.high for column in dated)) if dated else None

    @shared
    def names(self) -> dict[str, list[int]]:
        """Return columns by their names: with and without a remark in brackets or a unit at the end, in one word, with
        abbreviations in full."""
        found: dict[str, list[int]] = defaultdict(list)
        every = [name_words(column.name) for column in self.columns if not column.view]
        begin = Counter(words[:length] for words in every for length in range(1, len(words)))
        for place, column in enumerate(self.columns):
            name = self.columns[column.view_of].name if column.view else column.name
            words, without_remark = name_words(name), name_words(re.sub(r"[(\[].*?[)\]]", " ", name))
            forms = words, without_remark, in_full(without_remark), ["".join(words)]
            if without_remark and stemmed(without_remark[-1]) in ENDING and begin[without_remark[:-1]] == 1:
                forms += (without_remark[:-1],)  # temp_min is no temperature in minutes where there is a temp_max
            for key in dict.fromkeys(map(stems, forms)):
                if key:
                    found[key].append(place)
        return dict(found)

    @shared
    def row_names(self) -> RowNames:
        """Return the words for its rows."""
        return row_names(self.called, self.columns[0].name, self.columns[0].different)

    @shared
    def units(self) -> frozenset[str]:
        """Return the units that names of columns of numbers end in, or have in brackets."""
        numbers = (name_words(column.name) for column in self.columns if column.kind == "number")
        last = {stemmed(words[-1]) for words in numbers if len(words) > 1}
        return frozenset(UNIT_OF.get(word, word) for word in last & ENDING)

    @shared
    def parts(self) -> dict[str, list[int]]:
        """Return columns by single words of names that have several, where no column is called just so."""
        found: dict[str, list[int]] = defaultdict(list)
        for key, places in self.names.items():
            for word in self._alone(key) if " " in key else ():
                if word not in self.names and len(word) > 1:
                    found[word] += [place for place in places if place not in found[word]]
        return dict(found)

    @shared
    def named_with(self) -> dict[str, frozenset[int]]:
        """Return columns by every word of their names, those that mention nothing by themselves too."""
        found: dict[str, set[int]] = defaultdict(set)
        for key, places in self.names.items():
            for word in key.split():
                found[word].update(places)
        return {word: frozenset(places) for word, places in found.items()}

    def naming(self, words: Sequence[str]) -> list[int]:
        """Return columns whose names have all of several words, in any order: rear width finds rear_width_mm alone."""
        if len(words) < 2 or len(set(words)) < len(words):
            return []
        return sorted(frozenset.intersection(*(self.named_with.get(word, frozenset()) for word in words)))

    def _alone(self, key: str) -> list[str]:
        """Return the words of a name that mention it by themselves; member does not mean MemberNo where other columns
        hold names."""
        words = key.split()
        if len(words) == 2 and words[1] in CODES and any(c.different and c.worded and not c.code for c in self.columns):
            return []
        return [word for word in words if word not in unsaid()]

    @shared
    def roots(self) -> dict[str, list[int]]:
        """Return columns by the roots of their names' words: delivered finds delivery."""
        found: dict[str, list[int]] = defaultdict(list)
        for key, places in self.names.items():
            for word in self._alone(key):
                if len(root(word)) >= SHORTEST:
                    found[root(word)] += [place for place in places if place not in found[root(word)]]
        return dict(found)

    @shared
    def text_starts(self) -> dict[str, dict[int, str]]:
        """Return cells of one word by their first five letters, where only one begins so: cardio finds Cardiology."""
        found: dict[str, dict[int, str]] = {}
        for key, texts in self.texts.items():
            if " " not in key and len(key) > START:
                found[key[:START]] = {} if key[:START] in found else texts
        return {start: texts for start, texts in found.items() if texts}

    @once
    def texts(self) -> dict[str, dict[int, str]]:
        """Cells by their texts: of each column that has it, how the column spells it."""
        found: dict[str, dict[int, str]] = defaultdict(dict)
        for place, column in enumerate(self.columns):
            for text in column.texts if column.kind == "text" else ():
                for key in text_keys(text):
                    found[key].setdefault(place, text)
        return dict(found)

    @once
    def alike(self) -> dict[tuple[str, int], list[str]]:
        """Of each key and column, its texts where there are several, such as open, OPEN and opens."""
        found: dict[tuple[str, int], list[str]] = defaultdict(list)
        for place, column in enumerate(self.columns):
            for text in column.texts if column.kind == "text" else ():
                for key in text_keys(text):
                    found[key, place].append(text)
        return {key: texts for key, texts in found.items() if len(texts) > 1}

    def as_said(self, texts: dict[int, str], key: str, said: str) -> dict[int, str]:
        """Return of the texts of a key those that are spelled as a question says them, in whatever case: Shirts, no
        Shirt."""
        like = {place: self.alike.get((key, place), ()) for place in texts}
        better = {p: text for p, every in like.items() for text in every[::-1] if text.casefold() == said.casefold()}
        return {**texts, **better}

    def spellings(self, place: int, text: str) -> tuple[str, ...]:
        """Return all texts of a column that differ from one by their case alone, and itself."""
        like = [other for key in text_keys(text) for other in self.alike.get((key, place), ())]
        return tuple(dict.fromkeys([text, *(other for other in like if other.casefold() == text.casefold())]))

    @shared
    def text_parts(self) -> dict[str, dict[int, str]]:
        """Return cells by single words that no other text has: Anna, where there is one Anna Smith, in whatever
        columns."""
        found: dict[str, dict[int, str]] = {}
        for key, texts in self.texts.items():
            for word in set(key.split()) if " " in key else ():
                if word not in SMALL_WORDS and len(word) >= SHORTEST - 1:
                    found[word] = {} if word in found and found[word] != texts else texts
        return {word: texts for word, texts in found.items() if texts and word not in self.texts}

    @shared
    def words(self) -> dict[str, list[tuple[int, str, str]]]:
        """Return cells by each of their words: the column, the text, and its words in a row."""
        found: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
        for place, column in enumerate(self.columns):
            for text in column.texts if column.kind == "text" else ():
                for key in text_keys(text)[:1]:
                    words = key.split()[:MOST_WORDS]
                    cell = place, text, f" {' '.join(words)} "
                    for word in set(words):
                        found[word].append(cell)
        return dict(found)

    @shared
    def beginnings(self) -> dict[str, list[str]]:
        """Return the words of cells by their first five letters."""
        found: dict[str, list[str]] = defaultdict(list)
        for word in self.words:
            if len(word) >= START:
                found[word[:START]].append(word)
        return dict(found)

    def beginning(self, word: str) -> dict[int, tuple[str, ...]]:
        """Return cells sharing this word's first five letters, by column: Hungarians finds Hungary."""
        found: dict[int, dict[str, None]] = defaultdict(dict)
        for other in self.beginnings.get(word[:START], ()) if len(word) >= START else ():
            for place, text, _ in self.words[other]:
                found[place][text] = None
        return {place: tuple(texts) for place, texts in found.items()}

    def holding(self, key: str) -> dict[int, tuple[str, ...]]:
        """Return the texts of each column that have some words in a row."""
        rarest = min((self.words.get(word, []) for word in key.split()), key=len)
        found: dict[int, list[str]] = defaultdict(list)
        for place, text, words in rarest:
            if f" {key} " in words:
                found[place].append(text)
        return {place: tuple(texts) for place, texts in found.items()}

    @shared
    def totals(self) -> dict[int, tuple[str, ...]]:
        """Return, for each column, the texts called total: their rows are sums of the others."""
        named = ((p, text) for p, c in enumerate(self.columns) for text in c.texts if c.kind == "text")
        found: dict[int, list[str]] = defaultdict(list)
        for place, text in named:
            if TOTAL.fullmatch(text.strip().casefold()):
                found[place].append(text)
        return {place: tuple(texts) for place, texts in found.items()}

    @shared
    def meanings(self) -> Meanings:
        """Return what its texts mean, where a column has few, and its columns of yes and no."""
        columns = dict(enumerate(self.columns))
        return Meanings.of(
            {place: column.texts for place, column in columns.items() if column.kind == "text"},
            {place: column.name for place, column in columns.items() if column.kind == "boolean"},
        )

    @shared
    def spelled(self) -> dict[tuple[str, int], list[str]]:
        """Return the words that a mistyped word may have been meant to be, by first letter and length."""
        found: dict[tuple[str, int], list[str]] = defaultdict(list)
        for key in dict.fromkeys((*self.names, *self.parts, *self.texts)):
            if len(key) >= SHORTEST:
                found[key[0], len(key)].append(key)
        return dict(found)


def _range(column: np.ndarray) -> tuple[float, float]:
    there = column[:0] if is_text(column) else column[~np.isnan(column)]
    if not len(there):
        return math.nan, math.nan
    return years_of(there.min(), there.max()) if is_date(there) else (float(there.min()), float(there.max()))


def years_of(first: np.datetime64, last: np.datetime64) -> tuple[float, float]:
    """Return the year of the first of some dates, and when in its year the last is (see `in_year`).

    >>> years_of(np.datetime64("2022-03-01"), np.datetime64("2024-07-01"))
    (2022.0, 2024.5)
    """
    year, month, day = (last.astype(f"M8[{unit}]") for unit in "YMD")
    part = in_year(int((month - year).astype(int)) + 1, int((day - month).astype(int)) + 1)
    return float(first.astype("M8[Y]").astype(int) + 1970), float(year.astype(int) + 1970) + part


def in_year(month: int, day: int) -> float:
    """Return the part of a year that has gone by, where all months have 31 days."""
    return (month - 1) / 12 + (day - 1) / 372


def in_full(words: Sequence[str]) -> tuple[str, ...]:
    """Return words with abbreviations in full.

    >>> in_full(["dest", "city"])
    ('destination', 'city')
    """
    return tuple(whole for word in words for whole in SHORT.get(word, word).split())


def seen(table: Table, cells: CellForm) -> tuple[Table, Index]:
    """Return a table as a network sees it: with views of its `cells` if it reads them as people write them; and its
    index."""
    table = written(table) if cells == "written" else table
    return table, Index.of(table)
