"""Varied English over varied tables: questions with their answers, drawn from a seed.

A table is drawn first, then a program, then a way to ask for it. Answers come from the interpreter; the program is for
judging alone. Words and domains are in words.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from neural_programmer.answer import Answer
from neural_programmer.link import time_of
from neural_programmer.program import Program, Step, run
from neural_programmer.table import Table
from neural_programmer.tasks import words
from neural_programmer.tasks.words import DOMAINS, Domain, Number, Text

STEPS = 6  # of a program: three conditions, two joins and an output

@dataclass(frozen=True)
class Asked:
    """One question, with its table, its answer and the program that gives it."""

    question: str
    table: Table
    answer: Answer
    program: Program
    kind: str


@dataclass(frozen=True)
class Column:
    """A column of a drawn table: what it is called here, and where its words come from."""

    name: str
    said: str
    source: Number | Text | None
    kind: str  # name, text, number, date, truth


class Speaker:
    """Draws tables and questions about them."""

    def __init__(self, generator: np.random.Generator) -> None:
        self.generator = generator

    def pick(self, choices: str | Sequence) -> Any:
        choices = choices.split("|") if isinstance(choices, str) else choices
        return choices[int(self.generator.integers(len(choices)))]

    def chance(self, probability: float) -> bool:
        return bool(self.generator.random() < probability)

    def word(self) -> str:
        """A word that nobody has met."""
        parts = "ba ke lo mi nu pra ste vi zor tan el qui dro fen gal hup ix jor".split()
        return "".join(self.pick(parts) for _ in range(self.generator.integers(2, 4)))

    def draw(self) -> Asked:
        while True:
            said = Drawn(self, self.pick(DOMAINS)).ask()
            if said is not None:
                return said


class Drawn:
    """A table about something, and the ways to ask about it."""

    def __init__(self, speaker: Speaker, domain: Domain) -> None:
        self.speaker, self.domain = speaker, domain
        self.pick, self.chance, self.generator = speaker.pick, speaker.chance, speaker.generator
        calls = domain.things.split("|")
        place = 2 * int(self.generator.integers(len(calls) // 2))
        self.things, self.thing = calls[place], calls[min(place + 1, len(calls) - 1)]
        self.rows = int(self.generator.integers(4, 15))
        self.columns = self._columns()
        self.table = Table(
            tuple(column.name for column in self.columns), tuple(self._cells(column) for column in self.columns)
        )

    def _columns(self) -> list[Column]:
        domain, taken, columns = self.domain, set(), []
        style = self.pick(["plain", "plain", "title", "snake", "camel", "upper"])

        def add(names: str, source: Number | Text | None, kind: str) -> None:
            said = self.pick(names)
            if self.chance(0.06):
                said = self.speaker.word()
            name = _styled(said, style)
            if source and isinstance(source, Number) and self.chance(0.1):
                name += self.pick([" ($)", " (%)", "_total", " (km)"]) if style != "camel" else "Total"
            if name.casefold() not in taken:
                taken.add(name.casefold())
                columns.append(Column(name, said, source, kind))

        def some(choices: Sequence, most: int) -> list:
            count = min(len(choices), int(self.generator.integers(1, most + 1)))
            return [choices[place] for place in sorted(self.generator.permutation(len(choices))[:count])]

        if self.chance(0.92):
            add(domain.name.names, domain.name, "name")
        for text in some(domain.texts, 3):
            add(text.names, text, "text")
        for number in some(domain.numbers, 4):
            add(number.names, number, "number")
        if domain.dates and self.chance(0.4):
            add(self.pick(domain.dates), None, "date")
        if domain.truths and self.chance(0.35):
            add(self.pick(domain.truths), None, "truth")
        first = columns[:1] if columns and columns[0].kind == "name" and self.chance(0.8) else []
        rest = columns[len(first) :]
        return first + [rest[place] for place in self.generator.permutation(len(rest))]

    def _cells(self, column: Column) -> np.ndarray:
        generator, rows, source = self.generator, self.rows, column.source
        gone = generator.random(rows) < (0.15 if column.kind != "name" and self.chance(0.15) else 0.0)
        if column.kind == "date":
            first = np.datetime64("2015-01-01") + generator.integers(0, 3000)
            dates = first + generator.integers(0, self.pick([60, 400, 1500]), rows).astype("m8[D]")
            return np.where(gone, np.datetime64("NaT"), dates)
        if column.kind == "truth":
            return np.where(gone, "", generator.choice(["true", "false"], rows))
        if isinstance(source, Number):
            spread = generator.random(rows) ** self.pick([1, 1, 3])
            values = np.round(source.low + (source.high - source.low) * spread, source.decimals)
            return np.where(gone, np.nan, values)
        return np.where(gone, "", np.array(self._texts(source, column.kind == "name"), str))

    def _texts(self, source: Text, different: bool) -> list[str]:
        cells = source.cells.split("|") if source.cells else []
        if cells:
            some = self.generator.permutation(cells)[: self.generator.integers(2, len(cells) + 1)].tolist()
            style = self.pick([str, str, str.title, str.lower])
            some = [style(cell) for cell in some]
            return [self.pick(some) for _ in range(self.rows)]
        kind = self.pick(["person", "person", "made", "code"]) if different else "person"
        if self.domain.who or not different:
            kind = "person"
        pool = []
        for _ in range(self.rows if different else int(self.generator.integers(2, 7))):
            person = f"{self.pick(words.FIRST)} {self.pick(words.LAST)}"
            made = f"{self.pick(words.PARTS)} {self.pick([self.speaker.word().title(), self.pick(words.PARTS)])}"
            code = f"{self.pick(list('ABCDEFGHX'))}{self.generator.integers(100, 9999)}"
            pool.append({"person": person, "made": made, "code": code}[kind])
        return pool if different else [self.pick(pool) for _ in range(self.rows)]

    @cached_property
    def name(self) -> Column | None:
        return next((column for column in self.columns if column.kind == "name"), None)

    def of(self, *kinds: str) -> list[Column]:
        return [column for column in self.columns if column.kind in kinds]

    # ---- conditions -------------------------------------------------------------------------------------------------

    def condition(self) -> "Condition | None":
        kind = self.pick(["text", "text", "number", "number", "date", "truth"])
        found = self.of(*({"text": ("text", "text", "name")}.get(kind, (kind,))))
        if not found:
            return None
        column = self.pick(found)
        return getattr(self, f"_{kind}_condition")(column)

    def _text_condition(self, column: Column) -> "Condition | None":
        cells = [cell for cell in self.table.column(column.name).tolist() if cell]
        if not cells:
            return None
        cell = self.pick(cells)
        said = self.pick([cell, cell, cell.lower(), _mistyped(cell, self.generator) if self.chance(0.15) else cell])
        ways = [way for way in (column.source.ways or "").split("|") if way] if isinstance(column.source, Text) else []
        after, before = [way for way in ways if way != "{}"], "{}" in ways
        step = Step("text match", column.name, (cell,))
        named = [f"{self.pick(words.WHERE)} {column.said} {self.pick(words.IS)} {said}", f"with {column.said} {said}",
                 f"in {column.said} {said}", f"for {column.said} {said}", f"whose {column.said} is {said}"]  # fmt: skip
        if self.chance(0.2):
            step = Step("text other", column.name, (cell,))
            named = [f"{self.pick(words.WHERE)} {column.said} is {self.pick('not|other than|different from|anything but')} {said}",
                     f"whose {column.said} is not {said}", f"that are not {said}", f"other than {said}", f"except {said}",
                     f"excluding {said}", f"without {said}", f"that have a {column.said} other than {said}"]  # fmt: skip
            if after:
                way = self.pick(after).format(said)
                named += [f"not {way}", f"that are not {way}", f"outside {said}", f"which are not {way}"] * 2
            return Condition((step,), self.pick(named))
        others = [other for other in cells if other != cell]
        if others and self.chance(0.12):
            other = self.pick(others)
            way = self.pick(after).format(f"{said} or {other}") if after else f"with {column.said} {said} or {other}"
            return Condition((step, Step("text match", column.name, (other,)), Step("or")), way)
        if before and self.chance(0.5):
            return Condition((step,), "", said)
        return Condition((step,), self.pick(after).format(said) if after and self.chance(0.6) else self.pick(named))

    def _number_condition(self, column: Column) -> "Condition | None":
        cells = self.table.column(column.name)
        cells = cells[~np.isnan(cells)]
        if not len(cells) or not isinstance(column.source, Number):
            return None
        source, name = column.source, column.said
        low = self._near(cells, source)
        number = self._number(low)
        if self.chance(0.14):
            high = self._near(cells, source)
            low, high = min(low, high), max(low, high)
            joined = self.pick(["between {} and {}", "from {} to {}", "in the range {} to {}", "between {} and {}"])
            between = joined.format(self._number(low), self._number(high))
            steps = Step("at least", column.name, low), Step("at most", column.name, high), Step("and")
            way = self.pick([f"{self.pick(words.WHERE)} {name} {between}", f"with a {name} {between}", f"whose {name} is {between}",
                             f"{between} {name}", f"with {between} {name}"])  # fmt: skip
            return Condition(steps, way)
        operation = self.pick(["greater", "greater", "lesser", "lesser", "at least", "at most", "equal", "not equal"])
        ways = {"greater": words.GREATER, "lesser": words.LESSER, "at least": words.AT_LEAST, "at most": words.AT_MOST,
                "equal": words.EQUAL, "not equal": words.NOT_EQUAL}[operation]  # fmt: skip
        way, step = self.pick(ways), Step(operation, column.name, low)
        forms = [f"{self.pick(words.WHERE)} {name} {self.pick('is|are|was|')} {way} {number}", f"with {name} {way} {number}",
                 f"with {way} {number} {name}", f"whose {name} is {way} {number}", f"with a {name} of {way} {number}",
                 f"having {way} {number} {name}", f"that have {way} {number} {name}", f"with {way} {number} in {name}"]  # fmt: skip
        if operation == "equal":
            forms += [f"{self.pick(words.WHERE)} {name} {self.pick('is|=|of|')} {number}", f"with {number} {name}",
                      f"with {name} {number}", f"with exactly {number} {name}", f"whose {name} is {number}"]  # fmt: skip
            if "year" in name:
                forms += [f"in {number}", f"from {number}", f"of {number}"] * 2
        if operation == "at least":
            forms += [f"with {number} or more {name}", f"with {name} of {number} or {self.pick('more|higher|above|over|better')}"]
        if operation == "at most":
            forms += [f"with {number} or {self.pick('less|fewer')} {name}", f"with {name} of {number} or {self.pick('less|lower|below|under')}"]
        implied = source.more if operation == "greater" else source.less if operation == "lesser" else ""
        if implied and self.chance(0.45):
            more = self.pick(implied)
            forms = [f"{more} than {number}", f"that are {more} than {number}", f"{self.pick('who|which')} are {more} than {number}"]
            if source.more == words.MONEY["more"]:
                forms += [f"costing {way} {number}", f"that cost {way} {number}", f"priced {way} {number}", f"{way} {number} dollars"]
        return Condition((step,), self.pick(forms))

    def _near(self, cells: np.ndarray, source: Number) -> float:
        """A number that divides the rows: one of the cells, or a rounder one near it."""
        cell = float(self.pick(cells))
        if self.chance(0.4):
            return cell
        digits = max(0, int(np.floor(np.log10(abs(cell)))) - 1) if cell else 0
        return float(np.round(cell, -digits)) if source.high > 50 else float(np.round(cell, source.decimals))

    def _number(self, value: float) -> str:
        """A number as people write it."""
        whole = value == int(value)
        text = f"{int(value)}" if whole else f"{value:g}" if abs(value) < 1e5 else f"{value:.2f}"
        if whole and 0 < value <= 20 and self.chance(0.2):
            return self.pick([_NUMERALS[int(value)]])
        if whole and abs(value) >= 1000 and self.chance(0.4) and not 1500 < value < 2100:
            return self.pick([f"{int(value):,}", f"{int(value):,}", f"${int(value):,}"])
        if whole and value >= 1000 and value % 100 == 0 and self.chance(0.4):
            return f"{value / 1000:g}k"
        return text

    def _date_condition(self, column: Column) -> "Condition | None":
        cells = self.table.column(column.name)
        cells = cells[~np.isnat(cells)]
        if not len(cells):
            return None
        day = self.pick(cells)
        year, month = str(day)[:4], int(str(day)[5:7])
        name = _MONTHS[month - 1]
        text = self.pick([str(day), str(day), f"{name} {year}", year, year, f"{name} {int(str(day)[8:])}, {year}"])
        period = time_of(text)
        operation = self.pick(["greater", "lesser", "equal", "at least", "at most"])
        ways = {"greater": "after|later than", "lesser": "before|earlier than|prior to", "equal": "in|during" if len(text) < 9 or " " in text else "on",
                "at least": "since|from|on or after|not before", "at most": "until|up to|on or before|by|no later than"}[operation]  # fmt: skip
        way, said = self.pick(ways), column.said
        verb = said.split("=")[1] if "=" in said else said
        forms = [f"{verb} {way} {text}", f"with {_noun(said)} {way} {text}", f"{self.pick(words.WHERE)} {_noun(said)} is {way} {text}",
                 f"that were {verb} {way} {text}", f"{way} {text}"]  # fmt: skip
        return Condition((Step(operation, column.name, period),), self.pick(forms))

    def _truth_condition(self, column: Column) -> "Condition":
        yes = self.chance(0.65)
        said = column.said
        step = Step("text match", column.name, ("true",))
        if yes and self.chance(0.3):
            return Condition((step,), "", said)
        if yes:
            return Condition((step,), self.pick([f"that are {said}", f"with {said}", f"{self.pick(words.WHERE)} {said} is {self.pick('yes|true')}",
                                                 f"which are {said}", f"with {said} yes", f"that have {said}"]))  # fmt: skip
        if self.chance(0.4):
            form = self.pick([f"{self.pick(words.WHERE)} {said} is {self.pick('no|false')}", f"with {said} no"])
            return Condition((Step("text match", column.name, ("false",)),), form)
        form = self.pick([f"that are not {said}", f"without {said}", f"which are not {said}", f"that have no {said}", f"not {said}"])
        return Condition((Step("text other", column.name, ("true",)),), form)

    # ---- questions --------------------------------------------------------------------------------------------------

    def conditions(self, most: int) -> list["Condition"]:
        """Up to three, on different columns."""
        wanted = self.pick([0, 1, 1, 1, 2, 2, 3][: 2 * most + 1])
        found: list[Condition] = []
        for _ in range(3 * wanted):
            one = self.condition()
            room = most - sum(condition.count for condition in found)
            if one and one.count <= room and len(found) < wanted and one.column not in [c.column for c in found]:
                if not (one.before and any(c.before for c in found)):
                    found.append(one)
        return found

    def joined(self, found: list["Condition"]) -> tuple[list[Step], str, str]:
        """The steps that select the rows, what stands before the things, and what after them."""
        steps: list[Step] = []
        either = len(found) == 2 and not any(c.before for c in found) and self.chance(0.2)
        for place, condition in enumerate(found):
            steps += condition.steps
            if place:
                steps.append(Step("or" if either else "and"))
        before = " ".join(condition.before for condition in found if condition.before)
        after = [condition.after for condition in found if condition.after]
        if either:
            return steps, before, " or ".join(after)
        joint = self.pick([" and ", " and ", " ", ", ", " and also ", " but only "]) if len(after) < 3 else " and "
        return steps, before, joint.join(after)

    def ask(self) -> Asked | None:
        kind = self.pick(KINDS)
        made = getattr(self, f"ask_{kind}")()
        if made is None:
            return None
        text, steps = made
        if len(steps) > STEPS:
            return None
        program = Program((Step("reset"),) * (STEPS - len(steps)) + tuple(steps))
        answer = run(program, self.table).answer
        if answer.kind == "none" and kind != "nothing":
            return None
        text = " ".join(f"{self.pick(words.START)}{text}{self.pick(words.END)}".split())
        text = self.pick([text, text.lower(), text[:1].upper() + text[1:]])
        return Asked(text, self.table, answer, program, kind)

    def _around(self, head: str, before: str, after: str, things: str) -> str:
        """The words of an output, of the things it is about and of the conditions, in some order."""
        what = " ".join(f"{before} {things}".split())
        if "{}" in head:
            said = head.format(what)
            return f"{said} {after}" if not after or self.chance(0.85) else f"{after}, {said}"
        if not after and not before:
            return self.pick([head, head, f"{head} of all {things}", f"{head} of the {things}"])
        of = self.pick([f"of {what}", f"of the {what}", f"for {what}", f"of all {what}", f"for the {what}"])
        if not before and self.chance(0.5):
            of = ""
        said = f"{head} {of} {after}"
        return said if self.chance(0.85) or not after else self.pick([f"{after}, {head} {of}", f"{what} {after}: {head}"])

    def ask_count(self) -> tuple[str, list[Step]] | None:
        steps, before, after = self.joined(self.conditions(3))
        things = self.pick([self.things, self.things, self.things, self.pick("rows|entries|records|lines|ones")])
        head = self.pick(words.COUNT)
        if after and self.chance(0.15):
            what = f"{before} {things}".strip()
            return self.pick([f"{what} {after}, how many", f"{what} {after}, how many are there", f"{what} {after} - how many"]), [*steps, Step("count")]
        return self._around(head, before, after, things), [*steps, Step("count")]

    def _aggregate(self, operation: str, ways: str) -> tuple[str, list[Step]] | None:
        numbers = self.of("number")
        if not numbers:
            return None
        column = self.pick(numbers)
        steps, before, after = self.joined(self.conditions(3))
        head = self.pick(ways).replace("{}", column.said)
        if not head.startswith(("how", "add")) and self.chance(0.5):
            head = self.pick(words.WHAT).replace("{}", head)
        return self._around(head, before, after, self.things), [*steps, Step(operation, column.name)]

    def ask_sum(self) -> tuple[str, list[Step]] | None:
        return self._aggregate("sum", words.SUM)

    def ask_average(self) -> tuple[str, list[Step]] | None:
        return self._aggregate("average", words.AVERAGE)

    def ask_maximum(self) -> tuple[str, list[Step]] | None:
        return self._aggregate("maximum", words.MAXIMUM)

    def ask_minimum(self) -> tuple[str, list[Step]] | None:
        return self._aggregate("minimum", words.MINIMUM)

    def ask_list(self) -> tuple[str, list[Step]] | None:
        column = self.pick(self.columns)
        steps, before, after = self.joined(self.conditions(3))
        if not steps and self.chance(0.7):
            return None
        said = _plural(_noun(column.said), self.generator)
        head = self.pick(words.LIST).replace("{}", self.pick([said, f"the {said}", f"all {said}"]))
        text = self._around(head, before, after, self.things)
        return self.pick([text, text, f"which {said} {after}" if after and not before else text]), [*steps, Step("assign", column.name)]

    def ask_which(self) -> tuple[str, list[Step]] | None:
        if self.name is None:
            return None
        steps, before, after = self.joined(self.conditions(3))
        if not steps:
            return None
        what = " ".join(f"{before} {self.things}".split())
        heads = [f"which {what} are {after}", f"which {what} {after}", f"what {what} {after}", f"list the {what} {after}",
                 f"show all {what} {after}", f"{what} {after}", f"name the {what} {after}", f"find {what} {after}", f"give me {what} {after}"]  # fmt: skip
        if self.domain.who:
            heads += [f"who {after}", f"who is {after}", f"who are the {what} {after}", f"everyone {after}", f"who are {what} {after}"] if not before else []
        return self.pick(heads), [*steps, Step("assign", self.name.name)]

    def ask_extreme(self) -> tuple[str, list[Step]] | None:
        numbers = self.of("number", "date") if self.chance(0.2) else self.of("number")
        if not numbers:
            return None
        column = self.pick(numbers)
        most = self.chance(0.5)
        steps, before, after = self.joined(self.conditions(2))
        source = column.source
        what = " ".join(f"{before} {self.thing}".split())
        adjective = (words.MAXIMUM if most else words.MINIMUM).replace("|the most {}", "").replace("|the fewest {}", "")
        plain = [way for way in adjective.split("|") if not way.endswith("of {}")]
        with_it = self.pick(plain).replace("{}", _noun(column.said))
        if column.kind == "date":
            with_it = f"{self.pick('latest|most recent|last|newest') if most else self.pick('earliest|first|oldest')} {_noun(column.said)}"
        implied = (source.most if most else source.least) if isinstance(source, Number) else ""
        target, steps = self.name, [*steps, Step("greatest" if most else "least", column.name)]
        if target is None or self.chance(0.3):
            others = [other for other in self.columns if other.name != column.name]
            if not others:
                return None
            target = self.pick(others)
        head = _noun(target.said)
        if target is self.name and self.chance(0.75):
            heads = [f"which {what} {after} has the {with_it}", f"what {what} {after} has the {with_it}", f"the {what} {after} with the {with_it}",
                     f"{what} with the {with_it} {after}", f"which {what} has the {with_it} {after}", f"which is the {what} with the {with_it} {after}"]  # fmt: skip
            if self.domain.who:
                heads += [f"who has the {with_it} {after}", f"who {after} has the {with_it}", f"who got the {with_it} {after}"]
            if implied:
                adjective = self.pick(implied)
                heads += [f"which {what} {after} is the {adjective}", f"the {adjective} {what} {after}", f"which is the {adjective} {what} {after}",
                          f"what is the {adjective} {what} {after}", f"{adjective} {what} {after}"] * 2  # fmt: skip
                if self.domain.who:
                    heads += [f"who is the {adjective} {what} {after}", f"who is the {adjective} {after}"] * 2
        else:
            asked = self.pick([head, f"what is the {head}", f"the {head}", f"give me the {head}", f"which {head}"])
            heads = [f"{asked} of the {what} with the {with_it} {after}", f"{asked} of the {what} {after} with the {with_it}",
                     f"which {head} has the {with_it} {after}", f"{asked} for the {with_it} {after}", f"{asked} with the {with_it} {after}"]  # fmt: skip
            if implied:
                heads += [f"{asked} of the {self.pick(implied)} {what} {after}"] * 3
        return self.pick(heads), [*steps, Step("assign", target.name)]

    def ask_difference(self) -> tuple[str, list[Step]] | None:
        numbers, texts = self.of("number"), self.of("text")
        if not numbers or not texts:
            return None
        column, text = self.pick(numbers), self.pick(texts)
        cells = list(dict.fromkeys(cell for cell in self.table.column(text.name).tolist() if cell))
        if len(cells) < 2:
            return None
        operation, ways = self.pick([("sum", "total {}|sum of {}|{}"), ("average", "average {}|mean {}"), ("maximum", "highest {}"), ("minimum", "lowest {}")])
        one, other = cells[0], cells[1]
        head = self.pick(ways).replace("{}", column.said)
        form = self.pick(["difference between the {h} of {a} and the {h} of {b}", "difference between the {h} in {a} and in {b}",
                          "difference in {h} between {a} and {b}", "{h} of {a} minus {h} of {b}", "how much more {h} does {a} have than {b}",
                          "by how much does the {h} of {a} exceed that of {b}"])  # fmt: skip
        steps = [Step("text match", text.name, (one,)), Step(operation, column.name), Step("text match", text.name, (other,)),
                 Step(operation, column.name), Step("difference")]  # fmt: skip
        return form.format(h=head, a=one, b=other), steps

    def ask_nothing(self) -> tuple[str, list[Step]] | None:
        """What the table cannot answer: reasons, opinions, other columns, other cells."""
        cells = [cell for column in self.of("name", "text") for cell in self.table.column(column.name).tolist() if cell]
        cell = self.pick(cells) if cells else "that"
        numbers = self.of("number")
        if self.chance(0.35):
            named = self.pick(numbers).said if numbers else "value"
            text = self.pick(words.WHY).format(c=named, v=cell, t=self.things, o=self.thing, y=int(self.generator.integers(2027, 2040)))
            return text, [Step("decline")]
        here = {word for column in self.columns for word in column.said.split()}
        other = self.pick(self.pick(DOMAINS).numbers + self.pick(DOMAINS).texts)
        missing = self.pick(other.names)
        if set(missing.split()) & here or any(missing in column.source.names.split("|") for column in self.columns if column.source):
            return None
        missing = self.speaker.word() if self.chance(0.25) else missing
        ways = self.pick([words.SUM, words.AVERAGE, words.MAXIMUM, words.LIST, words.LIST, "how many {} does %s have|which {} did %s get|what {} has %s"])
        head = self.pick(ways).replace("{}", missing)
        head = head.replace("%s", cell) if "%s" in head else head
        steps, before, after = self.joined(self.conditions(2))
        return self._around(head, before, after, self.things), [Step("decline")]


@dataclass(frozen=True)
class Condition:
    """Steps that select rows, and how they are said: before what is asked about, or after it."""

    steps: tuple[Step, ...]
    after: str
    before: str = ""

    @property
    def count(self) -> int:
        return sum(step.column is not None for step in self.steps)

    @property
    def column(self) -> str | None:
        return self.steps[0].column


KINDS = ["count"] * 4 + ["sum"] * 3 + ["average"] * 2 + ["maximum", "minimum"] + ["list"] * 4 + ["which"] * 3 + ["extreme"] * 4 + ["difference"] + ["nothing"] * 3
_NUMERALS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
_MONTHS = "January February March April May June July August September October November December".split()


def _styled(said: str, style: str) -> str:
    words = _noun(said).split()
    if style == "snake":
        return "_".join(words)
    if style == "camel":
        return words[0] + "".join(word.title() for word in words[1:])
    text = " ".join(words)
    return text.title() if style == "title" else text.upper() if style == "upper" else text


def _noun(said: str) -> str:
    """What a column is called; of dates, what stands before the verb."""
    return said.split("=")[0]


def _plural(noun: str, generator: np.random.Generator) -> str:
    if generator.random() < 0.6 or noun.endswith("s"):
        return noun
    return noun[:-1] + "ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else noun + "s"


def _mistyped(text: str, generator: np.random.Generator) -> str:
    """The text with two letters in the other order, or one left out."""
    if len(text) < 7 or not text.isascii():
        return text
    place = int(generator.integers(2, len(text) - 2))
    if generator.random() < 0.5:
        return text[:place] + text[place + 1 :]
    return text[:place] + text[place + 1] + text[place] + text[place + 2 :]
