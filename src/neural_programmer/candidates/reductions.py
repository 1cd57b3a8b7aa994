"""Row sets of questions about written cells: conditions, pairs of them, and rows that are chosen by other rows.

Beyond greatest and least: the first, the one after it, those that have more than it, those with the same cell, those
with the most frequent one. Only sets that tell something are kept: some rows, and others than those they come from.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, chain, combinations, islice, permutations, product

import numpy as np
from jaxtyping import Bool, Int

from neural_programmer.candidates import own_candidates
from neural_programmer.candidates.conditions import EQUAL
from neural_programmer.candidates.masks import Condition, RowSets, Tables
from neural_programmer.programs.moves import Move
from neural_programmer.programs.operations import BUILT_IN
from neural_programmer.questions.question import Question
from neural_programmer.tables.table import is_text

FREQUENT = ("most common", "least common")
ASKED = EQUAL | {"greater", "lesser"}  # conditions of which it is asked whether they hold
SECOND = frozenset("second 2nd next runner".split())  # words without which nobody means what is second
RARE = frozenset("least fewest lowest smallest rarest only once one single".split())  # the same of what is rare
Rows = Bool[np.ndarray, "sets rows"]


def written_sets(
    question: Question, tables: Tables, columns: Collection[int], every: Sequence[Condition]
) -> Iterator[RowSets]:
    """All rows, those of every condition and of every two, and those that are chosen by these."""
    everything = RowSets(np.ones((1, tables.rows), bool), lambda place: [])
    single = _different(
        one for one in every if _tells(one.rows, tables) and (one.move.link >= 0 or one.move.column in columns)
    )
    single = sorted(single, key=lambda one: one.move.link >= 0 and (question.links or ())[one.move.link].near)
    single = sorted(single[: tables.limits.single], key=lambda one: one.position)
    usual = [one for one in single if one.move.operation != "text other"]
    of_one = _listed([(one.rows, [one.move]) for one in usual], tables)
    others = [one for one in single if one.move.operation == "text other"]
    of_others = _listed([*((one.rows, [one.move]) for one in others), *_without(others, usual, tables)], tables)
    pairs = _pairs(usual, tables)
    of_two, of_three = _listed(pairs, tables), _listed(_threes(pairs, usual, tables), tables)
    yield from (everything, of_one, of_others, of_two, of_three)
    for sets in (everything, of_one):
        yield from own_candidates.rows_of(sets, tables, columns)
    slots = [slot for slot in tables.ordered if slot in columns]
    together = [sets.some(_counted(sets.rows, tables) > 1) for sets in (everything, of_one, of_two, of_others)]
    several, usually = _Together(together, tables), _Together(together[:3], tables)
    frequent = FREQUENT if RARE & set(question.said) else FREQUENT[:1]
    for place in (0, 1, 3, 2):
        yield from (several.reduced(place, name, slot) for slot, name in product(slots, ("greatest", "least")))
        if place < 3:
            yield from (usually.reduced(place, name) for name in ("first", "last"))
            yield from (usually.reduced(place, *each) for each in product(frequent, _named(tables, columns)))
    for one, other in (("first", "next"), ("last", "previous")):
        yield _reduced(_reduced(everything, one, -1, tables), other, -1, tables)
    if SECOND & set(question.said):
        yield from _seconds(everything, tables, slots)
        yield from _seconds(of_one, tables, slots)
    of_named = _listed([(one.rows, [one.move]) for one in usual if one.move.operation in EQUAL], tables)
    of_few = of_named.some(_counted(of_named.rows, tables) <= tables.limits.few)
    yield from (_reduced(of_named, name, -1, tables) for name in ("previous", "next", "above", "below"))
    yield from (_reduced(of_few, name, slot, tables) for name, slot in product(("more", "fewer"), slots))
    yield from (_reduced(of_few, "same", slot, tables) for slot in _named(tables, columns))


def _different(single: Iterable[Condition]) -> list[Condition]:
    """Conditions on a column by something that the question says, of those for the same rows the first; none that says
    what a number is not."""
    found: dict[tuple[object, ...], Condition] = {}
    for one in single:
        if one.move.operation != "not equal":
            found.setdefault((one.position, one.move.column, one.move.link, one.rows.tobytes()), one)
    return list(found.values())


def comparisons(every: Sequence[Condition], tables: Tables, columns: Sequence[int]) -> tuple[RowSets, bool]:
    """Whether one thing has more than another, or stands above it: the rows of one text that have more, or less, than
    those of another.

    There are as many as the limits allow, of the things that are named first and of the first of the columns; whether
    some may be left out.
    """
    slots = [slot for slot in columns if slot in tables.ordered]
    few = [one for one in every if one.move.operation == "text match"]
    few = [one for one in few if _tells(one.rows, tables) and _counted(one.rows[None], tables)[0] <= tables.limits.few]
    named = few[: tables.limits.compared]
    pairs = [(one, other) for one, other in permutations(named, 2) if one.position != other.position]
    left_out = (
        len(few) > len(named)
        or len(pairs) > tables.limits.comparisons
        or (len(slots) > tables.limits.slots and bool(pairs))
    )
    found = []
    ways = [*product(("more", "fewer"), sorted(slots[: tables.limits.slots])), ("above", -1), ("below", -1)]
    for one, other in pairs[: tables.limits.comparisons]:
        for name, slot in ways:
            rows = _chosen(name, other.rows[None], slot, tables)[0] & one.rows
            found.append((rows, [other.move, Move(name, slot), one.move, Move("and")]))
    return _listed(found, tables), left_out


def nothing(every: Sequence[Condition], tables: Tables, columns: Collection[int]) -> RowSets:
    """Two conditions on different things that a question says that hold for no row together."""
    single = [one for one in every if one.move.operation in ASKED and one.move.column in columns]
    some = [one for one in _different(single) if _tells(one.rows, tables)]
    apart = (
        (one.rows & other.rows, [one.move, other.move, Move("and")])
        for one, other in combinations(some, 2)
        if one.position != other.position and not (one.rows & other.rows)[: tables.lengths[0]].any()
    )
    return _listed(list(islice(apart, tables.limits.combined)), tables)


def _named(tables: Tables, columns: Collection[int]) -> list[int]:
    """The columns themselves, without their views but those of texts."""
    return [slot for slot in sorted(columns) if slot not in tables.views or is_text(tables.columns[slot])]


def _counted(rows: Rows, tables: Tables) -> Int[np.ndarray, "sets"]:
    """How many rows of the first table are in every set."""
    return rows[:, : tables.lengths[0]].sum(axis=1)


def _tells(rows: Bool[np.ndarray, "rows"], tables: Tables) -> bool:
    """Whether a condition holds for some rows of the first table, but not for all."""
    return 0 < int(rows[: tables.lengths[0]].sum()) < int(tables.lengths[0])


def _listed(found: Sequence[tuple[np.ndarray, list[Move]]], tables: Tables) -> RowSets:
    rows = np.stack([rows for rows, _ in found]) if found else np.zeros((0, tables.rows), bool)
    return RowSets(rows, lambda place: found[place][1])


def _pairs(single: Sequence[Condition], tables: Tables) -> list[tuple[np.ndarray, list[Move]]]:
    """Two conditions on different things that a question says, joined, where this gives rows that neither has."""
    found: list[tuple[np.ndarray, list[Move]]] = []
    for one, other in combinations(single, 2):
        if one.position == other.position:
            continue
        both, either = one.rows & other.rows, one.rows | other.rows
        new = _is_new(both, one, other)
        if new and _tells(both, tables):
            found.append((both, [one.move, other.move, Move("and")]))
        same = one.move.column == other.move.column and one.move.operation == other.move.operation
        if new and same and _tells(either, tables):
            found.append((either, [one.move, other.move, Move("or")]))
        if len(found) >= tables.limits.combined:
            break
    return found


def _is_new(both: Bool[np.ndarray, "rows"], *single: Condition) -> bool:
    """Whether the rows of some conditions together are those of none of them."""
    return not any(np.array_equal(both, one.rows) for one in single)


def _without(
    others: Sequence[Condition], usual: Sequence[Condition], tables: Tables
) -> Iterator[tuple[np.ndarray, list[Move]]]:
    """Rows that have neither of two texts of a column, or one condition and not a text."""
    neither = ((one, two) for one, two in combinations(others, 2) if one.move.column == two.move.column)
    pairs = (pair for pair in chain(neither, product(others, usual)) if pair[0].position != pair[1].position)
    for one, two in islice(pairs, tables.limits.combined // 3):
        both = one.rows & two.rows
        if _is_new(both, one, two) and _tells(both, tables):
            yield both, [*(each.move for each in sorted((one, two), key=lambda each: each.position)), Move("and")]


def _threes(
    pairs: Sequence[tuple[np.ndarray, list[Move]]], single: Sequence[Condition], tables: Tables
) -> list[tuple[np.ndarray, list[Move]]]:
    """A third condition, on what the question says after the others, where all hold; or any, if they are alike."""
    found: list[tuple[np.ndarray, list[Move]]] = []
    position = {one.move: one.position for one in single}
    for (rows, moves), one in product(pairs, single):
        join = moves[-1]
        alike = (one.move.operation, one.move.column) == (moves[1].operation, moves[1].column)
        if (
            len(found) < tables.limits.combined // 3
            and one.position > position[moves[1]]
            and (join.operation == "and" or alike)
        ):
            new = rows & one.rows if join.operation == "and" else rows | one.rows
            if _tells(new, tables) and not np.array_equal(new, rows):
                found.append((new, [*moves, one.move, join]))
    return found


class _Together:
    """Groups of sets of rows, by which rows are chosen for all groups at once: most have few sets."""

    def __init__(self, groups: Sequence[RowSets], tables: Tables) -> None:
        self.groups, self.tables = groups, tables
        self.rows = np.concatenate([sets.rows for sets in groups])
        self.ends = list(accumulate(len(sets.rows) for sets in groups))
        self._chosen: dict[tuple[str, int], tuple[Rows, Int[np.ndarray, "new"]]] = {}

    def reduced(self, place: int, name: str, slot: int = -1) -> RowSets:
        """The rows that an operation chooses by every set of a group (see _new)."""
        sets = self.groups[place]
        if not len(sets.rows):
            return sets
        if (name, slot) not in self._chosen:
            self._chosen[name, slot] = _new(name, self.rows, slot, self.tables)
        rows, new = self._chosen[name, slot]
        end = self.ends[place]
        start = end - len(sets.rows)
        first, last = np.searchsorted(new, (start, end))
        return _chosen_sets(sets, rows[first:last], new[first:last] - start, name, slot)


def _seconds(sets: RowSets, tables: Tables, slots: Sequence[int]) -> Iterator[RowSets]:
    """The rows of every set with the second greatest or least cell: the greatest of the others."""
    for slot, name in product(slots, ("greatest", "least")):
        best = _chosen(name, sets.rows, slot, tables)
        second = _chosen(name, sets.rows & ~best, slot, tables)
        moves = partial(_second_moves, sets, Move(name, slot))
        yield RowSets(second, moves, True, counts=False).some(_counted(second, tables) > 0)


def _second_moves(sets: RowSets, best: Move, place: int) -> list[Move]:
    chosen = sets.moves(place)
    return [*chosen, best, Move("not"), *chosen, *([Move("and")] if chosen else []), best]


def _reduced(sets: RowSets, name: str, slot: int, tables: Tables) -> RowSets:
    """The rows that an operation chooses by every set; without those that are the set itself, or no rows."""
    return _Together([sets], tables).reduced(0, name, slot)


def _new(name: str, given: Rows, slot: int, tables: Tables) -> tuple[Rows, Int[np.ndarray, "new"]]:
    """The rows that an operation chooses by sets of them, and of which; without those that are the set itself, or no
    rows."""
    rows, here = _chosen(name, given, slot, tables), slice(0, tables.lengths[0])
    new = np.flatnonzero(rows[:, here].any(axis=1) & (rows[:, here] != given[:, here]).any(axis=1))
    return rows[new], new


def _chosen_sets(sets: RowSets, rows: Rows, places: Int[np.ndarray, "new"], name: str, slot: int) -> RowSets:
    """What an operation chose by some of the sets."""
    only = slot if name in FREQUENT else -1
    moves = lambda place: [*sets.moves(int(places[place])), Move(name, slot)]  # noqa: E731
    return RowSets(rows, moves, True, name in COUNTED, only)


def _chosen(name: str, rows: Rows, slot: int, tables: Tables) -> Rows:
    """What an operation chooses by every set of rows."""
    chosen = tables.given(BUILT_IN[name], rows, slot)
    assert chosen is not None, "it is built in"
    return chosen


COUNTED = frozenset((*FREQUENT, "above", "below", "more", "fewer", "same"))  # of which there may be many rows
