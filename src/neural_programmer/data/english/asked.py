"""Draw questions of the kinds in asked.txt about a scene: the text, and what stands in each of its slots.

A question is described by its kind and its slots alone. What program answers it is for others to say.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from string import Formatter

import numpy as np

from neural_programmer.data.english.asked_words import (
    AGO,
    CHOSEN,
    COMPARED,
    DAYS,
    DIRECTIONS,
    FACTORS,
    FIRST,
    PARTS,
    SEASONS,
    SHARES,
)
from neural_programmer.data.english.speech import in_words, mistyped, number_said, plural, third
from neural_programmer.data.english.tables import Column, Scene
from neural_programmer.questions.quantities import ORDINALS, TENS
from neural_programmer.questions.times import MONTHS

Value = str | float | tuple[str | float | int | None, ...]
NO_COLUMN = ""
ASKING = frozenset("which what what's how is are do does did was by in for per so".split())
TELLING = frozenset("list show give name count compare break rank sort order group i add".split())
QUARTERS = ("first", "second", "third", "last")
BEGINS = ("", "", "", "", "please ", "hi, ", "so ", "can you show me ")
SLIPS, LOWER = 0.05, 0.5  # of questions: those with a slip, and those that begin without a capital


@dataclass(frozen=True)
class Slot:
    """What stands in one place of a question: how it is said, of which column it speaks, and what it means."""

    name: str  # as asked.txt has it: c, k, when
    what: str
    """column, cell, count, rank, amount, comparison, operator, order, measure, measures, output, time, part, share,
    factor, band, text or condition."""
    said: str
    column: str = NO_COLUMN
    value: Value = ""
    start: int = -1  # where it stands in the text; -1 where the text has slips


@dataclass(frozen=True)
class Spoken:
    """A question: its kind, its text, its form, and its slots from left to right."""

    kind: str
    text: str
    form: str  # as it was chosen from asked.txt
    slots: tuple[Slot, ...]

    def slot(self, name: str) -> Slot | None:
        return next((slot for slot in self.slots if slot.name == name), None)


@cache
def kinds() -> dict[str, tuple[str, ...]]:
    """Return the forms of every kind of question."""
    found: dict[str, list[str]] = {}
    forms: list[str] = []
    for line in files("neural_programmer.data.english").joinpath("asked.txt").read_text("utf-8").splitlines():
        if header := re.fullmatch(r"\[(.+)\]", line):
            forms = found.setdefault(header[1], [])
        elif line and not line.startswith("#"):
            forms.append(line)
    return {kind: tuple(each) for kind, each in found.items()}


class CannotSayError(Exception):
    """A scene has not what a form asks for."""


class Speaker:
    """Says questions about one scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.pick, self.chance, self.random = scene, scene.pick, scene.chance, scene.random
        self.numbers = [c for c in scene.of("number") if "year" not in c.source.flags]
        self.keys = [c for c in scene.of("text") if scene.cells(c)]
        self.dates = scene.of("date")

    def say(self, kind: str) -> Spoken | None:
        """Return a question of a kind; None if the scene lacks what the form that was drawn asks for."""
        form = re.sub(r"<([^<>]*)>", lambda each: self.pick(each[1].split("|")), self.pick(kinds()[kind]))
        form = re.sub(r" {2,}", " ", form).replace(" ,", ",").strip()
        try:
            return self._finished(kind, form, *_Filling(self).filled(form))
        except CannotSayError:
            return None

    def _finished(self, kind: str, form: str, text: str, slots: list[Slot]) -> Spoken:
        """Write it as people do: with a capital or without, with a mark or without, now and then in haste."""
        begins = self.pick(BEGINS) if self.chance(0.2) else ""
        if begins.startswith("can") and text.split()[0] in (
            "which",
            "what",
            "how",
            "is",
            "are",
            "do",
            "does",
            "did",
            "by",
        ):
            begins = ""
        moved, text = len(begins), begins + text
        if self.chance(1 - LOWER):
            text = text[:1].upper() + text[1:]
        if not text.endswith("?") and self.chance(0.25):
            text += self.pick(("?", "?", ".", " ??"))
        elif text.endswith("?") and self.chance(0.3):
            text = text[:-1]
        if self.chance(SLIPS):
            words = text.split()
            place = self.random.randrange(len(words))
            said = {word for slot in slots for word in slot.said.split()}
            if words[place] not in said:
                words[place] = mistyped(words[place], self.random)
            if " ".join(words) != text:
                return Spoken(kind, " ".join(words), form, tuple(replace(slot, start=-1) for slot in slots))
        placed = (replace(slot, start=slot.start + moved) for slot in slots)
        return Spoken(kind, text, form, tuple(placed))


class _Filling:
    """Fills the slots of one form; slots of one name mean one thing."""

    def __init__(self, speaker: Speaker) -> None:
        self.speaker, self.scene, self.pick = speaker, speaker.scene, speaker.pick
        self.columns: dict[str, Column] = {}
        self.days: list[str] = []
        self.cells: list[str] = []
        self.form, self.asked, self.least = "", "", 0.0

    def filled(self, form: str) -> tuple[str, list[Slot]]:
        text, slots, self.form = "", [], form
        if "{most}" in form or "{least}" in form or "{more}" in form:  # say which column it is
            ordered = [c for c in self.speaker.numbers if c.source.most and c.source.least and c.source.more]
            self.columns["c"] = self._one(ordered)
        for before, name, _, _ in Formatter().parse(form):
            text += before
            if not name:
                continue
            if name == "t":
                text += self.scene.things
            elif name == "o":
                text += self.scene.thing
            else:
                slot = self._slot(name)
                if slot is not None:
                    start = len(text) + len(slot.said) - len(slot.said.lstrip())
                    slots.append(replace(slot, said=slot.said.strip(), start=start))
                    text += slot.said
        return text, slots

    def _one(self, columns: list[Column]) -> Column:
        free = [column for column in columns if column not in self.columns.values()]
        if not free:
            raise CannotSayError
        return self.pick(free)

    def _column(self, name: str) -> Column:
        """Return the column of a slot: c and d of numbers, k and l of groups, j of texts."""
        if name not in self.columns:
            texts = [c for c in self.scene.of("name", "text") if self.scene.cells(c)]
            every = {"c": self.speaker.numbers, "d": self.speaker.numbers, "k": self.speaker.keys,
                     "l": self.speaker.keys, "j": texts}[name]  # fmt: skip
            self.columns[name] = self._one(every)
        return self.columns[name]

    def _slot(self, name: str) -> Slot | None:
        makers: dict[str, Callable[[], Slot | None]] = {
            "n": self._count, "nth": self._rank, "p": self._part, "days": self._days, "m": self._month,
            "half": lambda: self._of("half", "share", SHARES), "twice": lambda: self._of("twice", "factor", FACTORS),
            "when": self._when, "since": self._day, "until": self._day, "y": self._year, "z": self._year,
            "ago": lambda: Slot("ago", "time", self.pick(AGO), self._date().name, "relative"),
            "h": self._hour, "hh": self._hour, "b": self._band, "test": self._test, "tests": self._test,
            "direction": self._direction, "f": self._filter, "g": self._condition, "g2": self._condition,
        }  # fmt: skip
        self.asked = name
        if name in CHOSEN:
            what, words = CHOSEN[name]
            meant = self.pick([each for each in words if not each.endswith("imum") or "{extreme}" not in self.form])
            return Slot(name, what, self.pick(words[meant]), NO_COLUMN, meant)
        if name in ("c", "d", "k", "l", "j"):
            column = self._column(name)
            return Slot(name, "column", column.said, column.name)
        if name in ("cs", "ks", "ls", "js"):
            column = self._column(name[0])
            return Slot(name[0], "column", plural(column.said), column.name)
        if name in ("v", "w", "va", "wa"):
            return self._cell(name)
        if name in ("most", "least", "more"):
            column = self._column("c")
            words = getattr(column.source, name)
            if name == "more" and "year" in column.source.flags:
                raise CannotSayError
            return Slot(name, "order", self.pick(words), column.name, "ascending" if name == "least" else "descending")
        if name[0] == "x" or (name[0] == "a" and name != "ago"):
            return self._amount(name)
        return makers[name]()

    def _of(self, name: str, what: str, said: dict[str, float]) -> Slot:
        text = self.pick(list(said))
        return Slot(name, what, text, NO_COLUMN, said[text])

    def _count(self) -> Slot:
        count = self.pick((2, 3, 3, 4, 5, 5, 5, 6, 7, 8, 10, 10, 12, 20))
        said = in_words(count) if count < 13 and self.speaker.chance(0.5) else str(count)
        return Slot("n", "count", said, NO_COLUMN, float(count))

    def _rank(self) -> Slot:
        rank = self.pick((2, 2, 2, 3, 3, 4, 5))
        digits = f"{rank}{ {2: 'nd', 3: 'rd'}.get(rank, 'th') }"
        return Slot("nth", "rank", ORDINALS[rank] if self.speaker.chance(0.7) else digits, NO_COLUMN, float(rank))

    def _part(self) -> Slot:
        part = self.pick(PARTS)
        meant = {"day of the week": "weekday", "month of the year": "month of a year"}.get(part, part)
        return Slot("p", "part", part, self._date().name, meant)

    def _days(self) -> Slot:
        said = self.pick(list(DAYS))
        return Slot("days", "part", said, self._date().name, ("weekday", *DAYS[said]))

    def _month(self) -> Slot:
        month = self.scene.random.randrange(12)
        return Slot("m", "part", MONTHS[month].title(), self._date().name, ("month of a year", month + 1))

    def _hour(self) -> Slot:
        hour = self.pick((6, 7, 8, 9)) if self.asked == "h" else self.pick((11, 12, 15, 18))
        half, twelve = ("pm" if hour > 11 else "am"), hour % 12 or 12
        said = self.pick((f"{hour}:00", f"{twelve} {half}", f"{twelve}{half}"))
        return Slot(self.asked, "part", said, self._date().name, ("hour", float(hour)))

    def _date(self) -> Column:
        if "date" not in self.columns:
            if not self.speaker.dates:
                raise CannotSayError
            self.columns["date"] = self.pick(self.speaker.dates)
        return self.columns["date"]

    def _cells_of_dates(self) -> list[str]:
        cells = self.scene.first.column(self._date().name)
        days = sorted(cells[~np.isnat(cells)].astype("M8[D]").astype(str).tolist())
        if not days:
            raise CannotSayError
        return days

    def _year(self) -> Slot:
        years = sorted({day[:4] for day in self._cells_of_dates()})
        if len(years) < 2:
            raise CannotSayError
        earlier = self.pick(years[:-1]) if self.asked == "y" else None
        if earlier is None:
            later = [year for year in years if not self.days or year > self.days[0]]
            earlier = self.pick(later or years[-1:])
        self.days.append(earlier)
        return Slot(self.asked, "time", earlier, self._date().name, (f"{earlier}-01-01", f"{earlier}-12-31"))

    def _when(self) -> Slot:
        """A year, a month, a quarter, a half, a season, a decade."""
        day = self.pick(self._cells_of_dates())
        year, month = int(day[:4]), int(day[5:7])
        quarter, half = (month - 1) // 3, (month - 1) // 6
        of_quarter = f"{year}-{3 * quarter + 1:02}-01", _end(year, 3 * quarter + 3)
        season = self.pick(list(SEASONS))
        decade = year // 10 * 10
        choices = [
            (str(year), f"{year}-01-01", f"{year}-12-31"),
            (f"{MONTHS[month - 1].title()} {year}", f"{year}-{month:02}-01", _end(year, month)),
            (f"{MONTHS[month - 1][:3].title()} {year}", f"{year}-{month:02}-01", _end(year, month)),
            (f"Q{quarter + 1} {year}", *of_quarter), (f"the {QUARTERS[quarter]} quarter of {year}", *of_quarter),
            (f"the {QUARTERS[half]} half of {year}", f"{year}-{6 * half + 1:02}-01", _end(year, 6 * half + 6)),
            (f"{self.pick(('', 'the '))}{season} {self.pick(('of ', ''))}{year}", f"{year}-{SEASONS[season]:02}-01",
             _end(year, SEASONS[season] + 2)),
            (f"the {decade}s", f"{decade}-01-01", f"{decade + 9}-12-31"),
        ]  # fmt: skip
        if 1920 <= decade < 2000:
            choices.append((f"the {TENS[decade // 10 % 10 - 2][:-1]}ies", f"{decade}-01-01", f"{decade + 9}-12-31"))
        said, first, last = self.pick(choices)
        return Slot("when", "time", said, self._date().name, (first, last))

    def _day(self) -> Slot:
        """A year, a month or a day; until is later than since."""
        name, days = self.asked, self._cells_of_dates()
        if name == "until":
            days = [day for day in days if not self.days or day[:7] > self.days[-1][:7]]
            if not days:
                raise CannotSayError
        day = self.pick(days)
        self.days.append(day)
        year, month, number = int(day[:4]), int(day[5:7]), int(day[8:10])
        title = MONTHS[month - 1].title()
        said, first, last = self.pick((
            (f"{title} {year}", f"{year}-{month:02}-01", _end(year, month)),
            (f"{title} {number}, {year}", day, day), (f"{number} {title} {year}", day, day), (day, day, day),
        ))  # fmt: skip
        return Slot(name, "time", said, self._date().name, (first, last))

    def _cell(self, name: str) -> Slot:
        """A cell of the key of the question, or of a column of its own; w is another cell of the same."""
        column = self.columns.get("of v") or self._own_key()
        self.columns["of v"] = column
        cells = [cell for cell in self.scene.cells(column) if cell not in self.cells]
        if not cells:
            raise CannotSayError
        cell = self.pick(cells)
        self.cells.append(cell)
        said = cell if self.speaker.chance(0.7) else cell.lower()
        ways = [way.format(said) for way in column.source.ways if way.count("{}") == 1]
        if name[1:] == "a" and ways and not column.source.flags & {"pre", "noun"}:  # are in Oslo
            said = self.pick(ways)
        return Slot(name[0], "cell", said, column.name, cell)

    def _own_key(self) -> Column:
        free = [column for column in self.speaker.keys if column not in self.columns.values()]
        if not free:
            raise CannotSayError
        return self.pick(free)

    def _near(self, column: Column) -> float:
        cells = self.scene.first.column(column.name)
        cells = cells[~np.isnan(cells)]
        if not len(cells):
            raise CannotSayError
        value = float(self.pick(cells.tolist()))
        digits = int(np.floor(np.log10(abs(value)))) if value else 0
        return float(round(value, -max(0, digits - 1))) if abs(value) >= 10 else float(round(value))

    def _amount(self, name: str) -> Slot:
        column = self._column("d" if name in ("a2", "x2") else "c")
        value = self._near(column)
        if name == "a4":
            value = self.least + max(abs(value), 1.0)
        self.least = value
        flags = column.source.flags
        units = column.source.unit if name[0] == "x" or name == "a" else ()
        if name in ("a3", "a4"):
            said = f"{value:g}" if value < 1e6 else f"{int(value)}"
            return Slot(name, "amount", said, column.name, value)
        said = number_said(value, self.scene.random, units, "money" in flags)
        if name[0] == "a":
            return Slot(name, "amount", said, column.name, value)
        operator = self.pick(list(COMPARED))
        return Slot(name, "comparison", f"{self.pick(COMPARED[operator])} {said}", column.name, (operator, value))

    def _band(self) -> Slot:
        column = self._column("c")
        cells = self.scene.first.column(column.name)
        spread = float(np.nanmax(cells) - np.nanmin(cells)) if len(cells) else 0.0
        if not spread > 2:
            raise CannotSayError
        width = 10.0 ** int(np.floor(np.log10(spread / 2))) * self.pick((1, 1, 2, 5))
        return Slot("b", "band", number_said(width, self.scene.random), column.name, width)

    def _direction(self) -> Slot:
        """A direction: one word before "order of", else words of their own."""
        words = DIRECTIONS if self.form.find("{direction} order") >= 0 else FIRST
        meant = self.pick(list(words))
        return Slot("direction", "order", self.pick(words[meant]), NO_COLUMN, meant)

    def _test(self) -> Slot:
        """A text that cells contain, begin with or end in."""
        column = self._column("j")
        cell = self.pick(self.scene.cells(column))
        words = re.findall(r"[^\W\d_]{3,}", cell) or [cell]
        test = self.pick(("contains", "contains", "begins", "ends"))
        text = {"contains": self.pick(words), "begins": cell[: self.pick((1, 2, 3))], "ends": cell[-3:]}[
            test
        ].strip() or cell
        said = {
            "contains": ('contain "{}"', "contain {}", "include the word {}", "contain the word {}"),
            "begins": ('start with "{}"', "begin with {}", "start with {}"), "ends": ('end in "{}"', "end with {}"),
        }[test]  # fmt: skip
        way = third(self.pick(said)) if self.asked == "tests" else self.pick(said)
        return Slot("test", "text", way.replace("{}", text).replace("in thems", "in it"), column.name, (test, text))

    def _filter(self) -> Slot | None:
        return self._condition() if self.speaker.chance(0.3) else None

    def _condition(self) -> Slot:
        """A condition after the rows: in Oslo, with rent over 500; in another column than those of the question."""
        name = self.asked
        free = [column for column in self.speaker.keys if column not in self.columns.values()]
        numbers = [column for column in self.speaker.numbers if column not in self.columns.values()]
        if free and (not numbers or self.speaker.chance(0.65)):
            column = self.pick(free)
            self.columns[f"of {name}"] = column
            cell = self.pick(self.scene.cells(column))
            said = cell if self.speaker.chance(0.7) else cell.lower()
            ways = [way.format(said) for way in column.source.ways if way.count("{}") == 1]
            ways = ways or [f"with {column.said} {said}", f"whose {column.said} is {said}"]
            return Slot(name, "condition", f" {self.pick(ways)}", column.name, ("equal", cell))
        if not numbers:
            raise CannotSayError
        column = self.pick(numbers)
        self.columns[f"of {name}"] = column
        operator, value = self.pick(list(COMPARED)), self._near(column)
        way = self.pick((f"with {column.said}", f"whose {column.said} is", f"with a {column.said} of"))
        said = f" {way} {self.pick(COMPARED[operator])} {number_said(value, self.scene.random)}"
        return Slot(name, "condition", said, column.name, (operator, value))


def _end(year: int, month: int) -> str:
    """Return the last day of a month."""
    last = np.datetime64(f"{year}-{month:02}") + np.timedelta64(1, "M")
    return str(last.astype("M8[D]") - np.timedelta64(1, "D"))
