"""What a question mentions, as what may fill the slots of programs: measures, keys, orders, what is put out."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations, product
from typing import Any

from neural_programmer.candidates.evidence import Moves as Moves
from neural_programmer.candidates.evidence import Option as Option
from neural_programmer.candidates.evidence import worth
from neural_programmer.candidates.mentioned_rows import COMPARED, MentionedRows
from neural_programmer.programs.pointers import BandOf, Computed, PartOf, Pointer
from neural_programmer.questions.asked import Amount, Band, Comparison, Computation, Key, Order, Top, YesNo

FIRST_AND_LAST = (("firstname", "lastname"), ("fname", "lname"), ("forename", "surname"), ("givenname", "familyname"),
                  ("firstname", "surname"), ("namefirst", "namelast"), ("firstname", "familyname"))  # fmt: skip
MOST_ALL = 40  # columns of whole rows that are put out
MOST_OUTPUTS = 6  # columns that are put out
AGGREGATES = {"average": "average", "sum": "sum", "maximum": "maximum", "minimum": "minimum", "median": "median",
              "standard deviation": "deviation", "range": "range"}  # fmt: skip
PARTS = {"year": "year", "quarter": "quarter", "month": "month", "month of a year": "month of the year", "week": "week",
         "weekday": "weekday", "day": "day", "hour": "hour"}  # fmt: skip
COMPUTED = Computed()


class Said(MentionedRows):
    """What a question says about a table, and what may fill the slots of programs for it."""

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
        found.sort(key=worth, reverse=True)
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
        return sorted((*self.counted, *self.aggregates), key=worth, reverse=True)[:40]

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
        return sorted(found, key=worth, reverse=True)[:40]

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
        return sorted(found.values(), key=worth, reverse=True)[:30]

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
        return sorted(found, key=worth, reverse=True)[:40]

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
                if key not in found or worth(found[key]) < worth(made):
                    found[key] = made
        return sorted(found.values(), key=worth, reverse=True)[:26]

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
        value: Any = high if low is None or (operator in ("less", "at most") and high is not None) else low
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
        return sorted(found, key=worth, reverse=True)[:60]

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
            some.sort(key=worth, reverse=True)
        return [some for _, some in clusters[: MOST_OUTPUTS + 1]]

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
            or self.cue("difference") is not None,
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
        return sorted(found, key=worth, reverse=True)[:30]

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


def _together(chosen: Sequence[Option], more: float = 0.0) -> Option:
    """Several columns that are put out."""
    bits = 0
    for each in chosen:
        bits |= each.bits
    names = tuple(dict.fromkeys(str(each.what) for each in chosen))
    return Option(sum(each.score + 0.2 for each in chosen) + more - 0.2, bits, 0, names)
