"""All typed programs over what a question mentions, executed at once: which of them give the answer?

A row set is a mask over the rows of all tables that the question is asked of. Conditions come from the question's
numbers, times and texts; they are joined, perhaps reduced to the rows with the greatest or least cell, and asked for an
output. A program is written one way only: conditions in the order in which the question mentions their arguments, a
pair joined by `or` before what is joined to it by `and`.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, islice, permutations, product

import numpy as np
from jaxtyping import Bool, Float

from neural_programmer.base.limits import check_time
from neural_programmer.candidates import own_candidates
from neural_programmer.candidates.masks import Condition, RowSets, Tables
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.expressions import Filter, Given, Group, Measure, Scan
from neural_programmer.programs.interpreter import Interpreter
from neural_programmer.programs.moves import Move
from neural_programmer.programs.operations import BUILT_IN, CONDITIONS, Operation
from neural_programmer.programs.program import Argument
from neural_programmer.programs.same import cell_of, is_close
from neural_programmer.programs.state import below
from neural_programmer.questions.question import NOTHING, Question
from neural_programmer.tables.table import Table, is_date, plain

AGGREGATED = ("sum", "average", "maximum", "minimum")  # of every column of numbers
EQUAL = frozenset(("text match", "equal"))  # conditions by which things are named


def found(
    question: Question,
    tables: Sequence[Table],
    answers: Sequence[Answer],
    steps: int,
    own: Sequence[Operation] = (),
) -> Iterator[list[Move]]:
    """The programs of at most so many steps that answer the question rightly on every one of its tables.

    They have the built-in operations and some of one's `own`.
    """
    if all(answer.kind == "none" for answer in answers):
        yield [Move("decline")]
        return
    together = Tables(tables, own)
    target = _Target(together, answers)
    if target.possible:
        for sets in row_sets(question, together):
            for place, last in target.hits(sets):
                program = [*sets.moves(place), last]
                if len(program) <= steps:
                    yield program
        if target.is_scalar:
            for program, values in differences(question, together):
                if len(program) <= steps and target.equal(values[None])[0]:
                    yield program


def conditions(
    question: Question, tables: Tables, columns: Collection[int] | None = None, most: int | None = None
) -> list[Condition]:
    """Every comparison with a number or time, of some columns, and every match with a text.

    With `most`, of so many numbers with a column and so many texts with a column: those that are said come before those
    that are only meant.
    """
    interpreter, result = Interpreter(tables), []

    def add(position: int, entry: Operation, slot: int, argument: Argument, move: Move) -> None:
        holds = entry.expression(below(tables.column(tables.names[slot]), argument))
        result.append(Condition(position, move, interpreter.rows(holds)))

    comparisons = [entry for entry in CONDITIONS if entry.argument == "number"]
    matches = [entry for entry in CONDITIONS if entry.argument == "text"]
    slots = [slot for slot in tables.ordered if columns is None or slot in columns]
    for place, slot in islice(product(range(len(question.numbers)), slots), most):
        value, period = question.numbers[place], question.periods[place] if question.periods else None
        argument = period if is_date(tables.columns[slot]) else None if np.isnan(value) else value
        for entry in comparisons if argument is not None else ():
            add(question.number_positions[place], entry, slot, argument, Move(entry.name, slot, number=place))
    links = question.links or ()
    order = sorted(range(len(links)), key=lambda number: links[number].near and most is not None)
    for place, slot in islice(((number, slot) for number in order for slot in links[number].texts), most):
        link = links[place]
        meant = tables.spelled(slot, link.meant(slot))
        for entry in matches:
            add(link.position, entry, slot, meant, Move(entry.name, slot, link=place))
    return [*result, *own_candidates.conditions(question, tables)]


def row_sets(
    question: Question,
    tables: Tables,
    columns: Collection[int] | None = None,
    joined: int | None = None,
    extremes: bool = True,
) -> Iterator[RowSets]:
    """All rows, those of every condition, those of several joined, and the greatest and least of all these.

    With `columns`, numbers are compared with these alone, and so are what is greatest and least of them. Without
    `extremes`, there are no greatest and least of several conditions.
    """
    for sets in _joined(question, conditions(question, tables, columns), tables, joined or tables.limits.joined):
        check_time()
        yield sets
        if len(sets.rows) <= tables.limits.sets // 10 and (extremes or not len(sets.rows) or len(sets.moves(0)) < 2):
            yield from _extremes(sets, tables, columns)
        if len(sets.rows) <= tables.limits.sets // 100:
            yield from own_candidates.rows_of(sets, tables, columns)


def _joined(question: Question, every: list[Condition], tables: Tables, joined: int) -> Iterator[RowSets]:
    yield RowSets(np.ones((1, tables.rows), bool), lambda place: [])
    by_position: dict[int, list[Condition]] = {}
    for condition in every:
        by_position.setdefault(condition.position, []).append(condition)
    mentioned = {slot for slot, places in enumerate(question.mentions or ()) if places}
    yield from _same_argument(by_position, mentioned)
    likely = {link.position for link in question.links or () if link.near}
    likely |= {place for place in question.number_positions if question.words[place] in NOTHING}
    together = 0
    for count in range(1, min(len(by_position), joined) + 1):
        for positions in combinations(sorted(by_position), count):
            if len(likely.intersection(positions)) > tables.limits.near:
                continue
            groups = [by_position[position] for position in positions]
            if np.prod([len(group) for group in groups]) > tables.limits.sets // (1 if count < 3 else 5):
                groups = [[c for c in group if c.move.link >= 0 or c.move.column in mentioned] for group in groups]
            size = np.prod([len(group) for group in groups])
            if 0 < size <= tables.limits.sets // (1 if count < 3 else 5):
                for sets in _arranged(groups):
                    yield sets
                    together += len(sets.rows)
            if together > tables.limits.together:
                return


def _same_argument(by_position: dict[int, list[Condition]], mentioned: set[int]) -> Iterator[RowSets]:
    """At least 5 in both A and B: the same comparison with the same number in two columns."""
    for group in by_position.values():
        for one, other in combinations(group, 2):
            same = one.move.operation == other.move.operation and one.move.number == other.move.number >= 0
            if same and {one.move.column, other.move.column} <= mentioned:
                for name, rows in (("and", one.rows & other.rows), ("or", one.rows | other.rows)):
                    moves = [one.move, other.move, Move(name)]
                    yield RowSets(rows[None], lambda place, moves=moves: moves)


def _arranged(groups: list[list[Condition]]) -> Iterator[RowSets]:
    """One condition of every group, joined: all by `and`, all by `or`, or a pair by `or` and the rest by `and`."""
    arrangements = [(list(range(len(groups))), ["and"] * (len(groups) - 1))]
    if len(groups) > 1:
        arrangements.append((list(range(len(groups))), ["or"] * (len(groups) - 1)))
    if len(groups) > 2:
        for pair in combinations(range(len(groups)), 2):
            rest = [place for place in range(len(groups)) if place not in pair]
            arrangements.append(([*pair, *rest], ["or", *["and"] * len(rest)]))
    masks = [np.stack([condition.rows for condition in group]) for group in groups]
    for order, joins in arrangements:
        rows = masks[order[0]]
        for place, join in zip(order[1:], joins, strict=True):
            with_it = masks[place]
            rows = rows[:, None] & with_it if join == "and" else rows[:, None] | with_it
            rows = rows.reshape(-1, rows.shape[-1])
        sizes = [len(groups[place]) for place in order]

        def moves(
            place: int, order: list[int] = order, joins: list[str] = joins, sizes: list[int] = sizes
        ) -> list[Move]:
            chosen = [groups[o][int(i)].move for o, i in zip(order, np.unravel_index(place, sizes), strict=True)]
            result = chosen[:1]
            for move, join in zip(chosen[1:], joins, strict=True):
                result += [move, Move(join)]
            return result

        yield RowSets(rows, moves)


def _extremes(sets: RowSets, tables: Tables, columns: Collection[int] | None) -> Iterator[RowSets]:
    """Of the rows of every set, those with the greatest and those with the least cell of a column."""
    for slot, name in product(tables.of_kind("ordered", columns), ("greatest", "least")):
        rows = tables.given(BUILT_IN[name], sets.rows, slot)
        assert rows is not None, "it is built in"
        yield RowSets(rows, lambda place, name=name, slot=slot: [*sets.moves(place), Move(name, slot)], True)


class _Target:
    """The answers, and which row sets with which output give them."""

    def __init__(self, tables: Tables, answers: Sequence[Answer]) -> None:
        self.tables = tables
        kinds = {answer.kind for answer in answers} - {"none"}
        self.possible = len(kinds) == 1
        self.is_scalar = kinds == {"scalar"}
        self.looks_up = kinds == {"lookup"}
        self.none = np.array([answer.kind == "none" for answer in answers])
        self.scalars = np.array([np.nan if answer.scalar is None else answer.scalar for answer in answers])
        if self.looks_up:
            self.counts = np.array([len(answer.values) for answer in answers])
            self.codes = [_codes(column, answers) for column in tables.columns]

    def hits(self, sets: RowSets) -> Iterator[tuple[int, Move]]:
        """Which sets give the answer with which output; rows that are extreme are looked up or counted alone."""
        rows, as_number = sets.rows, sets.rows.astype(float)
        counts = self.tables.summed(as_number)
        if self.looks_up:
            if self.none.any():
                return
            fitting = np.flatnonzero((counts == self.counts).all(-1))
            for slot, codes in enumerate(self.codes if len(fitting) else ()):
                if codes is not None:
                    right = (self.tables.summed(as_number[fitting] * codes[0]) == codes[1]).all(-1)
                    yield from ((int(place), Move("assign", slot)) for place in fitting[right])
            return
        yield from ((int(place), Move("count")) for place in np.flatnonzero(self.equal(counts)))
        for slot in self.tables.numeric if not sets.extreme else ():
            for name, values in aggregates(rows, self.tables, slot):
                yield from ((int(place), Move(name, slot)) for place in np.flatnonzero(self.equal(values)))
        for name, slot, values in own_candidates.aggregates(rows, self.tables) if not sets.extreme else ():
            yield from ((int(place), Move(name, slot)) for place in np.flatnonzero(self.equal(values)))

    def equal(self, values: Float[np.ndarray, "sets tables"]) -> Bool[np.ndarray, "sets"]:
        return np.all(np.where(self.none, np.isnan(values), is_close(values, self.scalars)), axis=-1)  # type: ignore[return-value]


def aggregates(
    rows: Bool[np.ndarray, "sets rows"], tables: Tables, slot: int
) -> Iterator[tuple[str, Float[np.ndarray, "sets tables"]]]:
    """Sum, average, maximum and minimum of a column over the rows of every set, for each table."""
    column = tables.column(tables.names[slot])
    group = tables.kept(
        f"aggregates {slot}",
        lambda: Group(Filter(Scan(), Given()), (), tuple(Measure(name, column) for name in AGGREGATED)),
    )
    yield from zip(AGGREGATED, Interpreter(tables, rows).measures(group), strict=True)


def _codes(column: np.ndarray, answers: Sequence[Answer]) -> tuple[np.ndarray, np.ndarray] | None:
    """A number for every cell such that the sum of those of an answer is that of no other cells, and these sums.

    Drawn at random: a sum of other cells that is the same by chance is one in 2^40.
    """
    cells = [cell_of(cell) for cell in plain(column)]
    known = {cell: place for place, cell in enumerate(dict.fromkeys(cells))}
    wanted = [[known.get(cell_of(value)) for value in answer.values] for answer in answers]
    if any(place is None for places in wanted for place in places):
        return None
    numbers = np.random.default_rng(0).integers(1, 2**40, len(known)).astype(float)
    sums = np.array([numbers[places].sum() if places else 0.0 for places in wanted])  # type: ignore[index]
    return numbers[[known[cell] for cell in cells]], sums


def differences(
    question: Question,
    tables: Tables,
    columns: Collection[int] | None = None,
    single: Sequence[Condition] | None = None,
) -> Iterator[tuple[list[Move], Float[np.ndarray, "tables"]]]:
    """The difference of an aggregate for one text or number and the same for another, of greatest and least, of a sum
    and how many rows there are, or of two columns, of all rows or for the same text or number; with its values.

    With `columns`, those of numbers in these alone. With the `single` conditions of written cells, what is the same of
    single rows is there but once.
    """
    once = single is not None
    numeric = [slot for slot in tables.numeric if columns is None or slot in columns]
    counted = Move("count"), tables.lengths.astype(float)
    of_all = {slot: dict(aggregates(np.ones((1, tables.rows), bool), tables, slot)) for slot in numeric}
    for slot, values in of_all.items():
        moves = [Move("maximum", slot), Move("reset"), Move("minimum", slot), Move("difference")]
        yield moves, values["maximum"][0] - values["minimum"][0]
        for (first, one), (last, other) in permutations((counted, (Move("sum", slot), values["sum"][0]))):
            yield [first, Move("reset"), last, Move("difference")], one - other
    mentioned = {slot for slot, places in enumerate(question.mentions or ()) if places or not once}
    pairs_of_columns = (pair for pair in permutations(of_all.items(), 2) if {slot for slot, _ in pair} <= mentioned)
    for (slot, one), (other, another) in islice(pairs_of_columns, tables.limits.pairs):
        for name in one:
            moves = [Move(name, slot), Move("reset"), Move(name, other), Move("difference")]
            yield moves, one[name][0] - another[name][0]
    single = conditions(question, tables, columns) if single is None else single
    equal = [one for one in single if one.move.operation in EQUAL]
    for one in equal[: tables.limits.pairs // 20]:
        sums = {slot: dict(aggregates(one.rows[None], tables, slot))["sum"][0] for slot in numeric}
        for slot, other in permutations(sums, 2):
            moves = [one.move, Move("sum", slot), one.move, Move("sum", other), Move("difference")]
            yield moves, sums[slot] - sums[other]
    pairs = (
        (one, other)
        for one, other in product(equal, equal)
        if one.position != other.position and one.move.column == other.move.column
    )
    for one, other in islice(pairs, tables.limits.pairs):
        rows = np.stack([one.rows, other.rows])
        outputs = [("count", -1, tables.summed(rows.astype(float)))]
        outputs += [(name, slot, values) for slot in numeric for name, values in aggregates(rows, tables, slot)]
        outputs += own_candidates.aggregates(rows, tables)
        if once and one.rows.sum() == other.rows.sum() == 1:
            outputs = [output for output in outputs if output[0] == "sum"]
        for name, slot, values in outputs:
            moves = [one.move, Move(name, slot), other.move, Move(name, slot), Move("difference")]
            yield moves, values[0] - values[1]
