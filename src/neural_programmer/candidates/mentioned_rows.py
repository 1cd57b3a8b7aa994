"""Which rows a question means: conditions, sets of them, and pairs that numbers are compared by."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np

from neural_programmer.candidates.evidence import MOST_WORDS, Evidence, Moves, Option, worth
from neural_programmer.programs.pointers import PartOf
from neural_programmer.questions.asked import Amount, Comparison, Connective, Interval, Missing, TextTest, TimeOf, Top
from neural_programmer.questions.keys import unsaid
from neural_programmer.questions.tokens import stemmed
from neural_programmer.tables.period import Period

DENYING = re.compile(r"(?:un|non-?|in)(\w{3,})")
ASKING = frozenset(  # words of questions that mean no cell, unless they are exactly one
    "list show find give return display tell get name names which what count number total average appear appears most "
    "least more less record records entry entries row rows sort order sorted different distinct each year years".split()
)
NONE = frozenset(("no", "n", "false", "none", "not", "never"))
MOST_UNITS = 12  # mentions that conditions are made of
MOST_NUMBERS = 8  # amounts that conditions are made of
UNITS = {"month of a year": "month of the year", "quarter": "quarter of the year"}
LESS = ("less", "at most")
COMPARED = {"greater": "greater", "at least": "at least", "less": "lesser", "at most": "at most", "equal": "equal",
            "unequal": "not equal"}  # fmt: skip
NEGATED = {"text match": "text other", "equal": "not equal", "contains": None}


class MentionedRows(Evidence):
    """What a question says of rows."""

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
        value: Any = high if low is None or (operator in LESS and high is not None) else low
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
                found = _in_time(each, column.name, column.kind == "date")
                yield Option(score, bits | option.bits, bits, found)
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
            every.sort(key=worth, reverse=True)
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
        found = [*{option.what: option for option in sorted(found, key=worth)}.values()]
        found.sort(key=worth, reverse=True)
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

    @cached_property
    def pairs(self) -> list[Option]:
        """Two conditions that differ in one mention, as two numbers are compared by."""
        found = []
        best = sorted(self.conditions, key=worth, reverse=True)[:40]
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
        return sorted(found, key=worth, reverse=True)[:24]

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
