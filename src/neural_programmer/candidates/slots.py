"""What a question mentions, as what may fill the slots of programs: columns, conditions, keys, measures, orders.

An option has a score, which says how likely it is without looking at the others, and the words of the question that it
uses, as bits. Nothing here is learnt.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import combinations, pairwise, product
from typing import Any, NamedTuple

import numpy as np

from neural_programmer.candidates.config import ProposalConfig
from neural_programmer.programs.pointers import BandOf, Computed, PartOf, Pointer
from neural_programmer.questions.asked import (
    Amount,
    Band,
    Comparison,
    Computation,
    Connective,
    Interval,
    Key,
    Missing,
    Order,
    Span,
    TextTest,
    TimeOf,
    Top,
    YesNo,
    placed,
    read,
)
from neural_programmer.questions.index import Index, in_full
from neural_programmer.questions.keys import SMALL_WORDS, unsaid
from neural_programmer.questions.link import link
from neural_programmer.questions.tokens import name_words, stemmed
from neural_programmer.questions.vectors import shipped
from neural_programmer.tables.period import Period

Moves = tuple[tuple[Any, ...], ...]
"""Steps as tuples: an operation, what it points at, its argument."""


class Option(NamedTuple):
    """One way to fill a slot."""

    score: float
    bits: int  # the words that it uses
    hard: int  # those of them that nothing else in the program may use: what is compared with
    what: Any


CODE = re.compile(r"(?:^|[\s_])(?:id|no|nr|code|zip|phone)$|(?<=[a-z])ID$|Id$", re.ASCII)
FIRM = 0.3  # of the score of a column, from which the words that mean it count as used
DENYING = re.compile(r"(?:un|non-?|in)(\w{3,})")
ALSO = {"high": "max", "low": "min", "highest": "max", "lowest": "min"}  # what a column is called that holds it
ASKING = frozenset(  # words of questions that mean no cell, unless they are exactly one
    "list show find give return display tell get name names which what count number total average appear appears most "
    "least more less record records entry entries row rows sort order sorted different distinct each year years".split()
)
NONE = frozenset(("no", "n", "false", "none", "not", "never"))
MOST_BITS = 60  # words of a question that are told apart
ALIKE = 0.36  # cosine from which a word may mean a column
UNSAID = 0.9  # less for a column that nothing mentions
MOST_UNITS = 12  # mentions that conditions are made of
MOST_NUMBERS = 8  # amounts that conditions are made of
FIRST_AND_LAST = (("firstname", "lastname"), ("fname", "lname"), ("forename", "surname"), ("givenname", "familyname"),
                  ("firstname", "surname"), ("namefirst", "namelast"), ("firstname", "familyname"))  # fmt: skip
MOST_ALL = 40  # columns of whole rows that are put out
MOST_OUTPUTS = 6  # columns that are put out
MOST_WORDS = 200  # of a question that are compared with names
UNITS = {"month of a year": "month of the year", "quarter": "quarter of the year"}
LESS = ("less", "at most")
COMPARED = {"greater": "greater", "at least": "at least", "less": "lesser", "at most": "at most", "equal": "equal",
            "unequal": "not equal"}  # fmt: skip
NEGATED = {"text match": "text other", "equal": "not equal", "contains": None}
AGGREGATES = {"average": "average", "sum": "sum", "maximum": "maximum", "minimum": "minimum", "median": "median",
              "standard deviation": "deviation", "range": "range"}  # fmt: skip
PARTS = {"year": "year", "quarter": "quarter", "month": "month", "month of a year": "month of the year", "week": "week",
         "weekday": "weekday", "day": "day", "hour": "hour"}  # fmt: skip


class Said:
    """What a question says about a table, and what may fill the slots of programs for it."""

    def __init__(self, text: str, index: Index, limits: ProposalConfig) -> None:
        self.index, self.limits = index, limits
        self.linked, self.asked = link(text, index), read(text, index)
        self.cut = 0  # columns that no slot has, because there are too many
        bits, count = [], 0
        for word in self.asked.words:
            key = word.lower()
            counts = key not in SMALL_WORDS and any(letter.isalnum() for letter in key)
            bits.append(1 << min(count, MOST_BITS - 1) if counts else 0)
            count += counts
        self._bits = bits
        self.spans = placed(self.linked.shown, self.asked)

    def bits(self, span: Span | None) -> int:
        """Return the words of a span that say something, as bits."""
        found = 0
        for bit in self._bits[span.first : span.end] if span is not None else ():
            found |= bit
        return found

    @cached_property
    def evidence(self) -> dict[int, list[tuple[float, int]]]:
        """How likely each column is meant, and by which words."""
        index, found = self.index, {}
        for named in self.asked.named:
            for place in named.columns:
                found.setdefault(place, []).append((1.0, self.bits(named.position)))
        taken = {place for mention in self.asked.named if mention.cells for place in range(*mention.position)}
        for place, positions in enumerate(self.linked.mentions or ()):
            for position in positions:
                span = self.spans[position] if position < len(self.spans) else None
                found.setdefault(place, []).append((0.85, self.bits(span)))
        for mention in self.asked.mentions:
            if isinstance(mention, Order | Key | Missing | Comparison | Band):
                for choice in mention.choices:
                    found.setdefault(choice.column, []).append((0.9 * choice.score, self.bits(mention.position)))
        words = [
            (place, stemmed(word.lower()))
            for place, word in enumerate(self.asked.words[:MOST_WORDS])
            if self._bits[place] and place not in taken and word.isalpha() and stemmed(word.lower()) not in unsaid()
        ]
        if words and index.columns:
            names = _named(tuple(column.name for column in index.columns))
            said = np.stack([shipped().of([word]) for _, word in words])
            like = names @ said.T
            for column, word in np.argwhere(like >= ALIKE).tolist():
                place = words[word][0]
                score = 0.7 * float(like[column, word])
                found.setdefault(column, []).append((score, self._bits[place] if score >= FIRM else 0))
        self._whole_names(found)
        self._inside_names(found)
        return {
            self.index.itself(place): [self._of_code(place, *each) for each in every] for place, every in found.items()
        }

    def _of_code(self, place: int, score: float, bits: int) -> tuple[float, int]:
        """A word of the name of an identifier mostly means what is identified: captains are no captain_id."""
        is_part = score < 1.0 and self.is_code[place] and not self._says_code
        return (min(score, 0.4), 0) if is_part else (score, bits)

    @cached_property
    def is_code(self) -> list[bool]:
        """Which columns hold identifiers, by their names."""
        return [CODE.search(column.name) is not None for column in self.index.columns]

    @cached_property
    def _says_code(self) -> bool:
        return any(
            word.lower() in ("id", "ids", "code", "codes", "number", "numbers", "key") for word in self.asked.words
        )

    def _inside_names(self, found: dict[int, list[tuple[float, int]]]) -> None:
        """Columns whose names have a word inside of one: agency in lawenforcementagency."""
        names = [(place, column.name.lower()) for place, column in enumerate(self.index.columns)]
        for place, word in enumerate(self.asked.words[:MOST_WORDS]):
            key = stemmed(word.lower())
            if not self._bits[place] or len(key) < 4 or key in unsaid():
                continue
            other = ALSO.get(key, "")
            held = [
                column
                for column, name in names
                if key in name or (other and other in name) or any(_begins(key, part) for part in _words_of(name))
            ]
            for column in held if len(held) <= 8 else ():
                found.setdefault(column, []).append((0.6, self._bits[place]))

    def _whole_names(self, found: dict[int, list[tuple[float, int]]]) -> None:
        """Columns all words of whose names are said, wherever: the time they took and left office."""
        said: dict[str, int] = {}
        for place, word in enumerate(self.asked.words[:MOST_WORDS]):
            key = stemmed(word.lower())
            said[key] = said.get(key, 0) | self._bits[place]
        for place, column in enumerate(self.index.columns):
            words = [stemmed(word) for word in in_full(name_words(column.name))]
            if len(words) > 1 and all(word in said for word in words):
                bits = 0
                for word in words:
                    bits |= said[word]
                found.setdefault(place, []).append((0.95, bits))

    @cached_property
    def columns(self) -> list[Option]:
        """All columns, with how likely each is meant, the likeliest first."""
        found = []
        for place, column in enumerate(self.index.columns):
            if column.view:
                continue
            every = self.evidence.get(place)
            if every:
                best = max(score for score, _ in every)
                bits = 0
                for score, bit in every:
                    bits |= bit if score >= 0.3 else 0
                found.append(Option(best - 1.0, bits, 0, place))
            else:
                found.append(Option(-UNSAID - 0.002 * min(place, 100), 0, 0, place))
        found.sort(key=lambda each: -each.score - each.bits.bit_count())
        return found

    def of_kind(self, *kinds: str, most: int | None = None) -> list[Option]:
        """Return the likeliest columns of some kinds, by their names."""
        fitting = [each for each in self.columns if self.index.columns[each.what].kind in kinds]
        if most is None:
            most = self.limits.columns
            self.cut = max(self.cut, len(fitting) - most)
        return [each._replace(what=self.name(each.what)) for each in fitting[:most]]

    def name(self, place: int) -> str:
        return self.index.columns[place].name

    def cue(self, *whats: str) -> int | None:
        """Return the words that say what is to be computed, or None if none do."""
        spans = [each.position for each in self.asked.of(Computation) if each.what in whats]
        if not spans:
            return None
        found = 0
        for span in spans:
            found |= self.bits(span)
        return found

    def cued(self, *whats: str, said: float = 0.6, unsaid: float = -0.8) -> tuple[float, int]:
        """Return a score and the words for something that may be asked to be computed."""
        bits = self.cue(*whats)
        return (unsaid, 0) if bits is None else (said, bits)

    @cached_property
    def numbers(self) -> list[Option]:
        return self.of_kind("number")

    @cached_property
    def ordered(self) -> list[Option]:
        return self.of_kind("number", "date")

    @cached_property
    def names(self) -> list[Option]:
        """Columns of text whose cells name the rows."""
        found = [
            (place, column.worded)
            for place, column in enumerate(self.index.columns)
            if column.kind == "text" and column.different and not column.view
        ]
        worded = [place for place, is_worded in found if is_worded] or [place for place, _ in found]
        return [Option(-0.05 - 0.15 * rank, 0, 0, self.name(place)) for rank, place in enumerate(worded[:2])]

    # --- conditions ---

    @cached_property
    def denied(self) -> bool:
        """Whether something is denied."""
        return any(each.what in ("not", "neither", "except") for each in self.asked.of(Connective)) or bool(
            {"not", "without", "no", "never", "excluding", "except", "w/o", "[not]"}.intersection(
                word.lower() for word in (*self.asked.words, *self.linked.words)
            )
        )

    @cached_property
    def is_or(self) -> bool:
        return any(word.lower() in ("or", "either") for word in self.asked.words)

    @cached_property
    def conditions(self) -> list[Option]:
        """Single conditions, each with the steps that select its rows."""
        found: dict[Moves, Option] = {}
        for option in self._conditions():
            known = found.get(option.what)
            if known is None or known.score + known.bits.bit_count() < option.score + option.bits.bit_count():
                found[option.what] = option
        return list(found.values())

    def _conditions(self) -> Iterator[Option]:
        for option in (*self._texts(), *self._flags(), *self._compared(), *self._times(), *self._tests()):
            yield option
            if len(option.what) == 1:
                operation, column, argument = option.what[0]
                if other := NEGATED.get(operation):
                    less = 0.0 if self.denied else 1.0
                    yield option._replace(score=option.score - less, what=((other, column, argument),))

    def _texts(self) -> Iterator[Option]:
        """Texts of cells that are said, or meant."""
        index = self.index
        for named in self.asked.named:
            bits = self.bits(named.position)
            for place, text in named.cells:
                by_chance = named.said.islower() and text[:1].isupper() and index.columns[place].different
                score = 0.1 - 0.1 * bool(named.columns) - 0.7 * by_chance
                yield Option(score, bits, bits, (("text match", self.name(place), index.spellings(place, text)),))
        for each in self.linked.links or ():
            span = self.spans[each.position] if each.position < len(self.spans) else None
            bits = self.bits(span)
            if span is not None and " ".join(self.asked.words[span.first : span.end]).lower() in ASKING:
                continue
            for place in [*each.texts][: self.limits.columns]:
                texts = each.parts.get(place) or index.spellings(place, each.texts[place])
                words = 1 if span is None else span.end - span.first
                is_part = not each.near and len(each.texts[place].split()) > words
                score = -0.75 if each.near else -1.4 if is_part else 0.0
                yield Option(score, bits, bits, (("text match", self.name(place), tuple(texts)),))
        yield from self._denied_texts()
        yield from self._parts_of_texts()

    def _denied_texts(self) -> Iterator[Option]:
        """Words that deny the name of a column: unarmed, where one called armed says No."""
        for place, word in enumerate(self.asked.words[:MOST_WORDS]):
            found = DENYING.match(word.lower())
            key = stemmed(found[1]) if found else ""
            for column in (*self.index.names.get(key, ()), *self.index.parts.get(key, ()))[:4] if key else ():
                of, bits = self.index.columns[column], self._bits[place]
                texts = tuple(text for text in of.texts if text.casefold() in NONE)
                if of.kind in ("text", "boolean") and texts:
                    yield Option(0.2, bits, bits, (("text match", of.name, texts),))
                elif of.kind == "number" and of.low == 0:
                    yield Option(0.2, bits, bits, (("equal", of.name, 0.0),))

    def _parts_of_texts(self) -> Iterator[Option]:
        """Words that cells contain."""
        named = {place for mention in self.asked.named if mention.cells for place in range(*mention.position)}
        count = 0
        words = [stemmed(word.lower()) for word in self.asked.words[:MOST_WORDS]]
        for place, (one, other) in enumerate(pairwise(words)):
            if self._bits[place] and self._bits[place + 1] and not {place, place + 1} & named:
                held = self.index.holding(f"{one} {other}") if one in self.index.words else {}
                for column in [*held][:3]:
                    bits = self._bits[place] | self._bits[place + 1]
                    yield Option(-0.6, bits, bits, (("contains", self.name(column), (f"{one} {other}",)),))
        for place, word in enumerate(self.asked.words[:MOST_WORDS]):
            key = stemmed(word.lower())
            if not self._bits[place] or place in named or len(key) < 3 or key in unsaid() or word.lower() in ASKING:
                continue
            cells = self.index.words.get(key, ())
            columns = dict.fromkeys(column for column, _, _ in cells)
            if cells and count < MOST_UNITS:
                count += 1
                for column in [*columns][:4]:
                    bits = self._bits[place]
                    yield Option(-1.5, bits, bits, (("contains", self.name(column), (key,)),))

    def _flags(self) -> Iterator[Option]:
        """Columns of yes and no that are mentioned, and of 0 and 1."""
        count = 0
        for score, bits, _, place in self.columns:
            column = self.index.columns[place]
            is_flag = column.kind == "number" and column.low == 0 and column.high == 1
            if not bits or count >= self.limits.columns or not (column.kind == "boolean" or is_flag):
                continue
            count += 1
            for holds in (True, False):
                less = 0.1 if holds != self.denied else 0.6
                if is_flag:
                    step = ("equal", column.name, float(holds))
                else:
                    step = ("text match", column.name, ("true" if holds else "false",))
                yield Option(score - less, bits, bits, (step,))
        for score, bits, _, place in self.columns[: self.limits.columns]:
            column = self.index.columns[place]
            if place in self.evidence and column.kind == "number" and column.low == 0 and column.high != 1:
                for step in (("greater", column.name, 0.0), ("equal", column.name, 0.0)):
                    less = 0.7 if (step[0] == "equal") == self.denied else 1.2
                    yield Option(score - less, bits, bits, (step,))

    def _compared(self) -> Iterator[Option]:
        """Comparisons with numbers, and with an average."""
        columns = [(each, self.index.columns[each.what]) for each in self.columns]
        numeric = [(each, column) for each, column in columns if column.kind == "number"][: self.limits.columns]
        asked: list[tuple[str, float | None, float | None, int, dict[int, tuple[float, bool]], str]] = []
        unsaid = {"at least": 0.6, "greater": 0.8}  # of amounts that are compared with by no word
        guessed = ranks = 0
        for top in self.asked.of(Top):
            ranks |= self.bits(top.position)
        taken = 0
        for each in self.asked.of(Comparison)[:MOST_NUMBERS]:
            choices = {choice.column: (choice.score, choice.descending) for choice in each.choices}
            bits = self.bits(each.position)
            if each.low is None and each.high is None:
                yield from self._beyond_average(each.operator, bits, choices)
                continue
            taken |= bits
            asked.append((each.operator, each.low, each.high, bits, choices, each.unit))
            if any((each.operator in LESS) == choice.descending for choice in each.choices):
                turned = {"greater": "less", "at least": "at most", "less": "greater", "at most": "at least"}
                other = {place: (score - 0.4, True) for place, (score, _) in choices.items()}
                operator = turned.get(each.operator, each.operator)
                asked.append((operator, each.high, each.low, bits, other, each.unit))
        for each in self.asked.of(Amount)[:MOST_NUMBERS]:
            bits = self.bits(each.position)
            if not bits & taken:
                taken |= bits
                guessed |= bits
                asked += [
                    (name, each.value, each.value, bits, {}, each.unit) for name in ("equal", "at least", "greater")
                ]
        for number, position in list(zip(self.linked.numbers, self.linked.number_positions, strict=True))[
            :MOST_NUMBERS
        ]:
            span = self.spans[position] if position < len(self.spans) else None
            bits = self.bits(span)
            if number == number and bits and not bits & taken:
                asked.append(("equal", number, number, bits, {}, ""))
        for operator, low, high, bits, choices, unit in asked:
            number_bits = bits
            for option, column in numeric:
                chosen, _ = choices.get(option.what, (0.0, True))
                score = max(option.score, chosen - 1.0) - (unsaid.get(operator, 0.0) if bits & guessed else 0.0)
                value = low if low is not None else high
                assert value is not None
                scale = 0.01 if unit == "percent" and column.high <= 1 < value else 1.0
                if operator == "equal" and not column.low <= value * scale <= column.high:
                    score -= 0.8
                if bits & ranks:
                    score -= 0.8
                if column.is_year and not 1000 <= value <= 2200:
                    score -= 1.0
                if self.is_code[option.what] and operator != "equal":
                    score -= 1.0
                used = option.bits | bits
                yield Option(score, used, number_bits, self._comparison(operator, low, high, scale, column.name))

    @staticmethod
    def _comparison(operator: str, low: Any, high: Any, scale: float, name: str) -> Moves:
        if operator == "between" and low is not None and high is not None:
            return ("at least", name, low * scale), ("at most", name, high * scale), ("and", None, None)
        entry = COMPARED.get(operator, "at least" if low is not None else "at most")
        value = high if low is None or (operator in LESS and high is not None) else low
        return ((entry, name, value * scale),)

    def _beyond_average(self, operator: str, bits: int, choices: dict[int, tuple[float, bool]]) -> Iterator[Option]:
        cue = self.cue("average")
        name = "less than it" if operator in ("less", "at most") else "more than it"
        for option in self.columns[: self.limits.columns]:
            if self.index.columns[option.what].kind == "number":
                chosen, descending = choices.get(option.what, (0.0, True))
                score = max(option.score, chosen - 1.0) - (0.2 if cue is not None else 1.0)
                used = option.bits | bits | (cue or 0)
                column = self.name(option.what)
                entry = name if descending else {"less than it": "more than it"}.get(name, "less than it")
                yield Option(score, used, bits, (("average", column, None), (entry, column, None)))

    def _times(self) -> Iterator[Option]:
        """Times, and parts of times."""
        for each in self.asked.of(Interval)[:MOST_NUMBERS]:
            bits = self.bits(each.position)
            dates = [place for place, column in enumerate(self.index.columns) if column.kind == "date"]
            for place in dict.fromkeys((*each.columns, *dates)):
                column, option = self.index.columns[place], self._column(place)
                score = option.score * 0.6 + 0.3
                steps = _in_time(each, column.name, column.kind == "date")
                yield Option(score, bits | option.bits, bits, steps)
        for each in self.asked.of(TimeOf)[:MOST_NUMBERS]:
            bits = self.bits(each.position)
            for place in each.columns:
                column, option = self.index.columns[place], self._column(place)
                if column.kind != "date":
                    continue
                part = PartOf(column.name, UNITS.get(each.part, each.part))  # type: ignore[arg-type]
                steps: list[tuple[Any, ...]] = []
                if each.values:
                    for rank, value in enumerate(each.values):
                        steps.append(("equal", part, float(value)))
                        if rank:
                            steps.append(("or", None, None))
                else:
                    if each.low is not None:
                        steps.append(("at least", part, each.low))
                    if each.high is not None:
                        steps.append(("lesser", part, each.high))
                    if len(steps) == 2:
                        steps.append(("or" if each.low > each.high else "and", None, None))  # type: ignore[operator]
                if steps:
                    yield Option(option.score * 0.6 + 0.4, bits | option.bits, bits, tuple(steps))

    def _tests(self) -> Iterator[Option]:
        """Tests of texts, and missing cells."""
        operations = {"contains": "contains", "begins": "begins with", "ends": "ends with"}
        for each in self.asked.of(TextTest)[:MOST_NUMBERS]:
            bits = self.bits(each.position)
            for option in self.of_kind("text"):
                step = operations[each.test], option.what, (each.text,)
                yield Option(option.score + 0.3, bits | option.bits, bits, (step,))
        for each in self.asked.of(Missing)[:MOST_NUMBERS]:
            bits = self.bits(each.position)
            for option in self.columns[: self.limits.columns]:
                choice = next((choice.score for choice in each.choices if choice.column == option.what), 0.0)
                for step in ("missing", "present"):
                    score = max(option.score, choice - 1.0) + (0.2 if (step == "present") == each.denied else -0.6)
                    yield Option(score, bits | option.bits, bits, ((step, self.name(option.what), None),))

    def _column(self, place: int) -> Option:
        return next(each for each in self.columns if each.what == place)

    @cached_property
    def compared_columns(self) -> list[Option]:
        """Conditions that compare two columns of a row."""
        if len(self.numbers) < 2 or not any(each.bits for each in self.numbers):
            return []
        found = []
        best = [each for each in self.numbers if each.bits][:5]
        words = {word.lower() for word in self.asked.words}
        said = -0.4 if words & {"than", "exceed", "exceeds", "exceeded", "above", "beat", "equal", "over"} else -1.6
        said -= 0.8 * any(each.low is not None or each.high is not None for each in self.asked.of(Comparison))
        for one, other in product(best, best):
            if one.what != other.what:
                steps = ("take", one.what, None), ("exceeds", other.what, None)
                found.append(Option(one.score + other.score + said, one.bits | other.bits, 0, steps))
        return found

    @cached_property
    def where(self) -> list[Option]:
        """Sets of conditions, the likeliest first, none at all among them."""
        units: list[tuple[int, list[Option]]] = []
        for option in sorted(self.conditions, key=lambda each: -each.hard.bit_count()):
            for place, (bits, every) in enumerate(units):
                if bits & option.hard:
                    every.append(option)
                    units[place] = bits | option.hard, every
                    break
            else:
                units.append((option.hard, [option]))
        units.sort(key=lambda unit: unit[0] & -unit[0])
        beam: list[tuple[float, int, int, tuple[Option, ...]]] = [(0.0, 0, 0, ())]
        for _, every in units[:MOST_UNITS]:
            every.sort(key=_worth, reverse=True)
            more = [
                (score + each.score - 0.2, bits | each.bits, hard | each.hard, (*chosen, each))
                for score, bits, hard, chosen in beam
                if len(chosen) < 4
                for each in every[:14]
                if not hard & each.hard
            ]
            beam = sorted([*beam, *more], key=lambda each: -each[0] - each[1].bit_count())
            if len(beam) > 2 * self.limits.conditions:
                beam = beam[: 2 * self.limits.conditions]
        found = [Option(0.0, 0, 0, ())]
        for score, bits, hard, chosen in beam:
            found += [Option(score - less, bits, hard, steps) for less, steps in self._joined(chosen)]
        found += self.compared_columns
        found = [*{option.what: option for option in sorted(found, key=_worth)}.values()]
        found.sort(key=_worth, reverse=True)
        kept = found[: self.limits.conditions]
        if not any(not each.what for each in kept):
            kept[-1] = Option(0.0, 0, 0, ())
        return kept

    def _joined(self, chosen: Sequence[Option]) -> Iterator[tuple[float, Moves]]:
        """Join conditions: all hold, or any of those of one column; texts of one column are one condition."""
        if not chosen:
            return
        chosen = sorted(chosen, key=lambda each: each.what[0][0] not in ("average",))
        groups: dict[Any, list[Option]] = {}
        for place, each in enumerate(chosen):
            operation, column, _ = each.what[0]
            same = len(each.what) == 1 and operation in ("text match", "text other", "contains", "equal")
            groups.setdefault((operation, column) if same else place, []).append(each)
        merged = [_merged(every) for every in groups.values()]
        several = any(len(every) > 1 and len({one.what for one in every}) > 1 for every in groups.values())
        yield 0.0, _all(merged, "and")
        if several:
            yield 0.4, _all([each.what for each in chosen], "and")
        if len(merged) > 1:
            alike = len({steps[0][1] for steps in merged}) == 1
            yield (0.1 - 0.3 * alike if self.is_or else 1.2), _all(merged, "or")
        if len(merged) > 2 and self.is_or:
            yield 0.3, (*_all(merged[:2], "or"), *merged[2], ("and", None, None))
            rest = _all(merged[1:], "or")
            yield 0.3, (*rest, *merged[0], ("and", None, None))

    # --- what is computed, keys, orders, what is put out ---

    @cached_property
    def aggregates(self) -> list[Option]:
        """An aggregate of a column."""
        found = []
        orders = self.asked.of(Order)
        for what, operation in AGGREGATES.items():
            score, bits = self.cued(what, said=0.5, unsaid=-1.0 if operation in ("average", "sum") else -2.2)
            if operation in ("maximum", "minimum") and score < 0:
                wanted = "descending" if operation == "maximum" else "ascending"
                for each in orders:
                    turned = [c.descending == (operation == "maximum") for c in each.choices]
                    if each.direction == wanted or any(turned):
                        score, bits = (
                            max(score, -0.2 if each.direction == wanted else -0.6),
                            bits | self.bits(each.position),
                        )
            kinds = self.ordered if operation in ("maximum", "minimum") else self.numbers
            found += [Option(score + each.score, bits | each.bits, 0, (operation, each.what, None)) for each in kinds]
        found.sort(key=_worth, reverse=True)
        return found[:60]

    @cached_property
    def counted(self) -> list[Option]:
        """How many rows there are, or how many different cells of a column."""
        how_many = self.cue("count", "sum", "distinct count") is not None
        score, bits = self.cued("count", "distinct count", "distribution", said=0.7, unsaid=-0.5)
        for each in self.asked.of(Order):
            if each.counts:
                score, bits = max(score, 0.4), bits | self.bits(each.position)
        if self.cue("most common", "least common") is not None:
            score = max(score, 0.6)
        found = [Option(score, bits, 0, ("count", None, None))]
        score, bits = self.cued("distinct count", "distinct", said=0.5, unsaid=-0.3 if how_many else -1.5)
        found += [
            Option(score + each.score, bits | each.bits, 0, ("distinct", each.what, None))
            for each in self.of_kind("number", "text", "date", "boolean")
        ]
        return found

    @cached_property
    def measures(self) -> list[Option]:
        """One measure, of rows or of groups."""
        return sorted((*self.counted, *self.aggregates), key=_worth, reverse=True)[:40]

    @cached_property
    def several(self) -> list[Option]:
        """Several measures."""
        cues = [(name, bits) for what, name in AGGREGATES.items() if (bits := self.cue(what)) is not None]
        if not {"maximum", "minimum"}.intersection(name for name, _ in cues):
            for each in self.asked.of(Order):
                name = "maximum" if each.direction == "descending" else "minimum"
                if name not in (known for known, _ in cues):
                    cues.append((name, self.bits(each.position)))
        found = []
        numbers = [each for each in self.numbers if each.bits][:6] or self.numbers[:4]
        for count in (2, 3, 4):
            for some in combinations(cues[:5], count):
                bits = 0
                for _, bit in some:
                    bits |= bit
                for each in numbers:
                    measures = tuple((name, each.what, None) for name, _ in some)
                    found.append(Option(each.score + 0.5, bits | each.bits, 0, measures))
        for name, bit in cues[:4] or [("average", 0), ("sum", 0)]:
            for one, other in combinations(numbers, 2):
                for first, second in ((name, name),):
                    measures = (first, one.what, None), (second, other.what, None)
                    score = one.score + other.score + (0.4 if bit else -1.0)
                    found.append(Option(score, bit | one.bits | other.bits, 0, measures))
        for (name, bit), (second, bit2) in combinations(cues[:4], 2):
            for one, other in product(numbers[:4], numbers[:4]):
                if one.what != other.what:
                    measures = (name, one.what, None), (second, other.what, None)
                    found.append(Option(one.score + other.score + 0.2, bit | bit2 | one.bits | other.bits, 0, measures))
        count_score, count_bits = self.cued("count", said=0.5, unsaid=-0.6)
        for each in self.aggregates[:6]:
            measures = ("count", None, None), each.what
            found.append(Option(each.score + count_score, each.bits | count_bits, 0, measures))
        return sorted(found, key=_worth, reverse=True)[:40]

    @cached_property
    def keys(self) -> list[Option]:
        """One key of groups."""
        found: dict[Pointer, Option] = {}

        def add(score: float, bits: int, pointer: Pointer) -> None:
            known = found.get(pointer)
            if known is None or known.score + known.bits.bit_count() < score + bits.bit_count():
                found[pointer] = Option(score, bits, 0, pointer)

        for each in self.asked.of(Key):
            bits = self.bits(each.position)
            firm = 0.0 if each.how == "which" else 0.4
            for choice in each.choices:
                column = self.index.columns[choice.column]
                option = self._column(self.index.itself(choice.column))
                add(choice.score - 0.5 + firm, bits | option.bits, column.name)
                if column.kind == "date":
                    for rank, part in enumerate(("year", "month")):
                        add(choice.score - 0.8 + firm - 0.1 * rank, bits | option.bits, PartOf(column.name, part))
            for rank, part in enumerate(each.parts):
                for place in each.times[:6]:
                    column, option = self.index.columns[place], self._column(place)
                    score = option.score * 0.5 + 0.5 + firm - 0.15 * rank
                    if column.kind == "date":
                        add(score, bits | option.bits, PartOf(column.name, PARTS[part]))  # type: ignore[arg-type]
                        if part == "day":
                            add(score, bits | option.bits, column.name)
                    elif part == "year":
                        add(score, bits | option.bits, column.name)
        for each in self.asked.of(Band):
            bits = self.bits(each.position)
            for option in self.numbers:
                chosen = next((c.score for c in each.choices if self.name(c.column) == option.what), 0.0)
                column = next(one for one in self.index.columns if one.name == option.what)
                score = max(option.score, chosen - 1.0) + (0.6 if each.unit == "year" and column.is_year else 0.3)
                for rank, width in enumerate([each.width] if each.width else [10.0, 5.0, 100.0, 1000.0]):
                    add(score - 0.2 * rank, bits | option.bits, BandOf(str(option.what), float(width)))
        for option in self.columns[: self.limits.columns]:
            column = self.index.columns[option.what]
            add(option.score - (0.3 if column.kind in ("text", "boolean") else 0.6), option.bits, column.name)
            if column.kind == "date":
                for rank, part in enumerate(("year", "month")):
                    add(option.score - 0.9 - 0.1 * rank, option.bits, PartOf(column.name, part))
        for each in self.conditions:
            column = each.what[0][1]
            if each.what[0][0] == "text match" and isinstance(column, str):
                add(-0.7, 0, column)
        return sorted(found.values(), key=_worth, reverse=True)[:30]

    @cached_property
    def groups(self) -> list[Option]:
        """One key or two."""
        found = [each._replace(what=(each.what,)) for each in self.keys]
        best = self.keys[:9]
        for one, other in product(best, best):
            if one.what != other.what and (one.bits | other.bits).bit_count() > max(
                one.bits.bit_count() * bool(other.bits), other.bits.bit_count() * bool(one.bits)
            ):
                less = 0.3 if one.bits & -one.bits < other.bits & -other.bits else 0.35
                found.append(Option(one.score + other.score - less, one.bits | other.bits, 0, (one.what, other.what)))
        return sorted(found, key=_worth, reverse=True)[:40]

    @cached_property
    def time_keys(self) -> list[Option]:
        """Keys that are times, or numbers."""
        numbers = {column.name for column in self.index.columns if column.kind in ("number", "date")}
        found = [each for each in self.keys if isinstance(each.what, PartOf | BandOf) or each.what in numbers]
        return found[:12]

    @cached_property
    def direction(self) -> dict[bool, tuple[float, int]]:
        """How likely the greatest or the least is asked for."""
        found = {True: (-0.9, 0), False: (-0.9, 0)}
        for each in self.asked.of(Order):
            bits = self.bits(each.position)
            for descending in (True, False):
                turned = any(c.descending == descending and c.score > 0.3 for c in each.choices[:3])
                if (each.direction == "descending") == descending:
                    found[descending] = 0.5, bits
                elif turned and found[descending][0] < 0:
                    found[descending] = 0.2, bits
        for each in self.asked.of(Computation):
            if each.what in ("most common", "least common"):
                found[each.what == "most common"] = 0.6, self.bits(each.position)
        for each in self.asked.of(Top):
            if each.end:
                descending = each.end in ("top", "first")
                score, bits = found[descending]
                found[descending] = max(score, 0.3), bits | self.bits(each.position)
        return found

    @cached_property
    def orders(self) -> list[Option]:
        """A column to order by, and whether the greatest is first."""
        found: dict[tuple[str, bool], Option] = {}
        for each in self.asked.of(Order):
            bits = self.bits(each.position)
            for choice in each.choices:
                option = self._column(self.index.itself(choice.column))
                key = self.name(option.what), choice.descending
                score = max(choice.score - 0.6, option.score + 0.2)
                if key not in found or found[key].score < score:
                    found[key] = Option(score, bits | option.bits, 0, key)
        kinds = self.of_kind("number", "date", "text", most=12)
        for option in kinds:
            for descending in (True, False):
                score, bits = self.direction[descending]
                key = str(option.what), descending
                made = Option(option.score + score - 0.3, option.bits | bits, 0, key)
                if key not in found or _worth(found[key]) < _worth(made):
                    found[key] = made
        return sorted(found.values(), key=_worth, reverse=True)[:26]

    @cached_property
    def tops(self) -> list[Option]:
        """How many from an end, and from which place on: (5, 1) are the first five, (1, 2) is the second."""
        found = [Option(-0.1, 0, 0, (1, 1))]
        for each in self.asked.of(Top):
            bits = self.bits(each.position)
            if each.unit != "percent" and each.count >= 1 and each.first >= 1:
                found.append(Option(0.3, bits, bits, (int(min(each.count, 1e9)), each.first)))
        for each in self.asked.of(Amount):
            if each.value >= 1 and each.value == int(each.value) and each.value < 1e6:
                bits = self.bits(each.position)
                found.append(Option(-0.3, bits, bits, (int(each.value), 1)))
        return found[:8]

    @cached_property
    def limits_of_measures(self) -> list[Option]:
        """Conditions on a measure."""
        found = []
        for each in self.asked.of(Comparison):
            bits = self.bits(each.position)
            if each.low is None and each.high is None:
                continue
            found.append(Option(0.0, bits, bits, self._of_measure(each.operator, each.low, each.high)))
        for each in self.asked.of(Amount):
            bits = self.bits(each.position)
            for name in ("equal", "at least", "greater"):
                found.append(Option(-0.5, bits, bits, self._of_measure(name, each.value, each.value)))
        words = {word.lower() for word in self.asked.words}
        if words & {"multiple", "several", "repeatedly", "once", "twice", "both", "common", "shared", "one"}:
            for value in (1.0, 2.0):
                found.append(Option(-0.9, 0, 0, (("greater", value),)))
        return found[:12]

    @staticmethod
    def _of_measure(operator: str, low: Any, high: Any) -> tuple[tuple[str, float], ...]:
        if operator == "between" and low is not None and high is not None:
            return ("at least", low), ("at most", high)
        value = high if low is None or (operator in ("less", "at most") and high is not None) else low
        return ((COMPARED.get(operator, "at least"), float(value)),)

    @cached_property
    def shown(self) -> list[Option]:
        """What is put out of rows: one column, or several."""
        singles: dict[tuple[str, ...], Option] = {}
        kinds = self.of_kind("number", "date", "text", "boolean")
        for each in (*kinds, *self.names):
            key = (str(each.what),)
            score = each.score + 0.3 * bool(each.bits)
            if key not in singles or singles[key].score < score:
                singles[key] = each._replace(score=score, what=key)
        found = list(singles.values())
        clusters = self._clusters()
        firsts = [every[0] for every in clusters]
        for count in range(2, min(len(clusters), MOST_OUTPUTS) + 1):
            for some in list(combinations(range(len(clusters)), count))[:20]:
                chosen = [firsts[place] for place in some]
                found.append(_together(chosen))
                for at, place in enumerate(some):  # one of them as another column
                    for other in clusters[place][1:3]:
                        found.append(_together([*chosen[:at], other, *chosen[at + 1 :]], -0.2))
        for name in self.names:
            for each in kinds[:6]:
                if each.bits and each.what != name.what:
                    found.append(_together([name, each], 0.2))
            for some in combinations(firsts[:5], 2):
                if name.what not in (each.what for each in some):
                    found.append(_together([name, *some], 0.2))
        if "name" in self._stems or "names" in self._stems:
            found += self._first_and_last(firsts)
        for every in clusters:  # the first and the last name, where a name is said
            if len(every) > 1:
                pair = [each.what for each in every[:2]]
                pair.sort(key=lambda name: next(c for c, one in enumerate(self.index.columns) if one.name == name))
                found.append(Option(every[0].score + every[1].score, every[0].bits, 0, tuple(pair)))
        if {"information", "details", "everything", "info", "records", "record", "rows", "row", "data"}.intersection(
            word.lower() for word in self.asked.words
        ):
            names = tuple(column.name for column in self.index.columns if not column.view)
            found.append(Option(0.5, 0, 0, names[:MOST_ALL]))
        if len(clusters) > 2:
            found.append(_together(firsts[:MOST_OUTPUTS], -0.1))
        return sorted(found, key=_worth, reverse=True)[:60]

    @cached_property
    def _stems(self) -> frozenset[str]:
        return frozenset(word.lower() for word in self.asked.words)

    def _first_and_last(self, firsts: Sequence[Option]) -> Iterator[Option]:
        """The columns of the first and of the last name, and others beside them."""
        columns = {column.name.lower().replace("_", "").replace(" ", ""): column.name for column in self.index.columns}
        bits = 0
        for place, word in enumerate(self.asked.words):
            bits |= self._bits[place] if word.lower() in ("name", "names", "first", "last", "full") else 0
        for first, last in FIRST_AND_LAST:
            if first in columns and last in columns:
                pair = columns[first], columns[last]
                both = Option(0.5, bits, 0, pair)
                yield both
                others = [each for each in firsts if not each.bits & bits and each.what not in pair]
                for some in (others[:1], others[:2], others[:3], others[1:2]):
                    if some:
                        more = _together(some)
                        names = pair + more.what
                        yield Option(0.6 + more.score, bits | more.bits, 0, names)
                        yield Option(0.5 + more.score, bits | more.bits, 0, (*more.what, *pair))

    def _clusters(self) -> list[list[Option]]:
        """The columns that are mentioned by other words, in the order of the question; those by the same together."""
        clusters: list[tuple[int, list[Option]]] = []
        for each in self.columns[: self.limits.columns]:
            every = [one for one in self.evidence.get(each.what, ()) if one[1] and one[0] >= 0.4]
            for score, bits in sorted(every, key=lambda one: (-one[1].bit_count(), -one[0]))[:1]:
                option = Option(score - 0.8, bits, 0, self.name(each.what))
                for place, (held, some) in enumerate(clusters):
                    same = held == bits or (held & bits and score < 0.95)
                    if same:
                        some.append(option)
                        clusters[place] = held, some
                        break
                else:
                    clusters.append((bits, [option]))
        clusters.sort(key=lambda cluster: cluster[0] & -cluster[0])
        for _, some in clusters:
            some.sort(key=_worth, reverse=True)
        return [some for _, some in clusters[: MOST_OUTPUTS + 1]]

    @cached_property
    def pairs(self) -> list[Option]:
        """Two conditions that differ in one mention, as two numbers are compared by."""
        found = []
        best = sorted(self.conditions, key=_worth, reverse=True)[:40]
        for one, other in combinations(best, 2):
            if one.hard & other.hard or one.what[0][:1] != other.what[0][:1]:
                continue
            alike = one.what[0][1] == other.what[0][1]
            if not alike and not (one.bits and other.bits and one.what[0][0] == "equal" and self._is_flag(one, other)):
                continue
            first, second = (one, other) if one.hard & -one.hard <= other.hard & -other.hard else (other, one)
            found.append(
                Option(
                    one.score + other.score - (0.0 if alike else 0.4),
                    one.bits | other.bits,
                    one.hard | other.hard,
                    (first.what, second.what),
                )
            )
        for each in best[:12]:  # of two values, the other one
            if len(each.what) == 1 and each.what[0][0] in ("text match", "equal"):
                other = NEGATED[each.what[0][0]]
                turned = ((other, *each.what[0][1:]),)
                found.append(Option(each.score - 0.8, each.bits, each.hard, (each.what, turned)))
        found += self._ends()
        return sorted(found, key=_worth, reverse=True)[:24]

    def _ends(self) -> Iterator[Option]:
        """The first and the last year, or month, of a time: between 1990 and 2010."""
        for each in self.asked.of(Interval)[:2]:
            if each.first is None or each.last is None:
                continue
            bits = self.bits(each.position)
            for unit in ("Y", "M"):
                first, last = (at.astype(f"M8[{unit}]") for at in (each.first, each.last))
                if first == last:
                    continue
                for place in [*each.columns][:4]:
                    column = self.index.columns[place]
                    if column.kind == "date":
                        steps = tuple(_in_time(_within(at, each), column.name, True) for at in (first, last))
                    elif unit == "Y":
                        steps = tuple((("equal", column.name, float(at.astype(int) + 1970)),) for at in (first, last))
                    else:
                        continue
                    yield Option(self._column(place).score * 0.6 + 0.2, bits, bits, steps)
                break

    @staticmethod
    def _is_flag(one: Option, other: Option) -> bool:
        return one.what[0][2] in (0.0, 1.0) and one.what[0][2] == other.what[0][2]

    @cached_property
    def computed(self) -> list[Option]:
        """Two columns put together in each row."""
        words = {word.lower() for word in self.asked.words}
        said = {
            "plus": bool(words & {"together", "plus", "combined", "add", "adding", "sum", "total", "both", "added"}),
            "less": bool(
                words
                & {
                    "less",
                    "minus",
                    "difference",
                    "gap",
                    "between",
                    "lost",
                    "profit",
                    "margin",
                    "away",
                    "gain",
                    "spread",
                    "from",
                }
            )
            or self.cue("difference") is not None,  # fmt: skip
            "times": bool(words & {"times", "by", "multiplied", "value"}) or self.cue("product") is not None,
            "divided by": bool(words & {"per", "ratio", "times", "rate", "relative", "compared", "divided", "return"})
            or self.cue("ratio", "times", "share") is not None,
        }
        best = ([each for each in self.numbers if each.bits] + [each for each in self.numbers if not each.bits])[:6]
        cue = self.cue("difference", "ratio", "times", "product", "share") or 0
        found = []
        for one, other in product(best, best):
            if one.what == other.what or not (one.bits or other.bits):
                continue
            for operation, is_said in said.items():
                if operation in ("plus", "times") and str(one.what) > str(other.what):
                    continue
                score = one.score + other.score - (0.3 if is_said else 1.1)
                steps = ("take", one.what, None), (operation, other.what, None)
                found.append(Option(score, one.bits | other.bits | (cue if is_said else 0), 0, steps))
        return sorted(found, key=_worth, reverse=True)[:30]

    @cached_property
    def is_truth(self) -> bool:
        return bool(self.asked.of(YesNo))

    @cached_property
    def has_key(self) -> bool:
        return bool(self.asked.of(Key) or self.asked.of(Band))

    @cached_property
    def is_share(self) -> bool:
        return self.cue("share") is not None

    @cached_property
    def is_compared(self) -> bool:
        words = {word.lower() for word in self.asked.words}
        return self.cue("difference", "ratio", "times", "growth") is not None or bool(
            words & {"than", "versus", "vs", "compared", "more", "fewer", "less", "rise", "fall", "ratio", "each"}
        )

    @cached_property
    def is_change(self) -> bool:
        return self.cue("growth", "running total", "moving average", "difference") is not None


def _begins(word: str, part: str) -> bool:
    """Whether a word of a name is the beginning of a longer word: pov of poverty."""
    return 3 <= len(part) <= len(word) - 3 and word.startswith(part)


@lru_cache(2_000)
def _words_of(name: str) -> tuple[str, ...]:
    return tuple(name_words(name))


def _named(names: tuple[str, ...]) -> np.ndarray:
    return _vectors_of(names)


@lru_cache(64)
def _vectors_of(names: tuple[str, ...]) -> np.ndarray:
    """The directions of the names of columns."""
    return np.stack([shipped().of(tuple(stemmed(word) for word in in_full(name_words(name)))) for name in names])


def _worth(option: Option) -> float:
    """How good an option is alone: its score, and the words that it uses."""
    return option.score + option.bits.bit_count()


def _together(chosen: Sequence[Option], more: float = 0.0) -> Option:
    """Several columns that are put out."""
    bits = 0
    for each in chosen:
        bits |= each.bits
    names = tuple(dict.fromkeys(str(each.what) for each in chosen))
    return Option(sum(each.score + 0.2 for each in chosen) + more - 0.2, bits, 0, names)


def _merged(every: Sequence[Option]) -> Moves:
    """Conditions of the same kind on one column as one: any of several texts."""
    if len(every) == 1:
        return every[0].what
    operation, column, argument = every[0].what[0]
    if isinstance(argument, tuple):
        texts = tuple(dict.fromkeys(text for each in every for text in each.what[0][2]))
        return ((operation, column, texts),)
    return _all([each.what for each in every], "or")


def _all(every: Sequence[Moves], join: str) -> Moves:
    """Join steps that select rows."""
    found = every[0]
    for steps in every[1:]:
        found = (*found, *steps, (join, None, None))
    return found


def _within(at: np.datetime64, each: Interval) -> Interval:
    """A year or a month as a time."""
    first = at.astype("M8[us]")
    return replace(each, first=first, last=(at + 1).astype("M8[us]") - np.timedelta64(1, "us"), said=str(at))


def _in_time(each: Interval, name: str, is_date: bool) -> Moves:
    """The steps that select the rows of a time."""
    first, last = each.first, each.last
    if is_date:
        if first is not None and last is not None:
            return (("equal", name, Period(first, last, each.said)),)
        at = first if first is not None else last
        assert at is not None
        return (("at least" if first is not None else "at most", name, Period(at, at, each.said)),)
    years = [None if at is None else float(at.astype("M8[Y]").astype(int) + 1970) for at in (first, last)]
    if years[0] is not None and years[0] == years[1]:
        return (("equal", name, years[0]),)
    steps = []
    if years[0] is not None:
        steps.append(("at least", name, years[0]))
    if years[1] is not None:
        steps.append(("at most", name, years[1]))
    return (*steps, ("and", None, None)) if len(steps) == 2 else tuple(steps)


COMPUTED = Computed()
