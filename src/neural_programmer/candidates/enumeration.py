"""All candidate programs of a question, or those that were proposed, executed: what a network that reads whole programs
chooses among.

Row sets are masks (see masks.py); each is asked for every output. A candidate is its moves, the features of its
result, and what it gives. Nothing here knows the answer.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.base.limits import check_time
from neural_programmer.candidates import own_candidates
from neural_programmer.candidates.conditions import MOST_CONDITIONS, aggregates, conditions, differences, row_sets
from neural_programmer.candidates.masks import Condition, RowSets, Tables
from neural_programmer.candidates.reductions import MOST_SINGLE, comparisons, nothing, written_sets
from neural_programmer.candidates.results import (
    FEATURE,
    OF_RESULTS,
    RESULT_FEATURES,
    Candidates,
    Cells,
    Outcomes,
)
from neural_programmer.programs.items import key
from neural_programmer.programs.moves import Codec, Move
from neural_programmer.programs.operations import BUILT_IN, CONDITIONS, ROW_OPERATIONS, Operation, own_of
from neural_programmer.programs.program import Program, Run, run
from neural_programmer.programs.same import as_text, key_of
from neural_programmer.programs.values import with_unit
from neural_programmer.questions.index import in_full
from neural_programmer.questions.question import NOTHING, Question
from neural_programmer.questions.tokens import name_words
from neural_programmer.questions.vectors import shipped
from neural_programmer.tables.table import CellForm, Table, is_text, plain

MOST = 12_000  # candidates of a question
MOST_DIFFERENCES = 500
MOST_TRUTHS = 4  # operations that say whether there is a row, each in its words
MOST_OUTPUTS = 4 + MOST_TRUTHS  # of a set of rows, for each column
REDUCING = ("greatest", "least", "more", "fewer", "same", "most common", "least common")
ARRANGED = (1, 1, 2, 5, 8)  # ways to join so many conditions
NARROWER = (10, 6, 4, 3, 2)  # columns that are tried where all are too many
NARROW = (24, 16, 10, 6, 4)  # the same of tables with views
FEW = 5  # rows
COMPARED = 1_000  # cells that are looked up by a program that was proposed
MEANT = {  # steps that rows are found by where a word says that there are some
    "more or less": {"greater", "at least", "more"},
    "above or below": {"above", "greater", "at least", "more"},
    "before or after": {"above", "lesser", "at most", "fewer"},
}
SPANS = frozenset("long longer older younger age years later earlier difference time between apart".split())
YEARS = 1000, 2100  # the first and the last, where numbers are such


def every(
    question: Question,
    tables: Sequence[Table] | Tables,
    operations: tuple[Operation, ...],
    steps: int,
    most: int = MOST,
    cells: CellForm = "typed",
) -> Candidates:
    """All candidates of a question, or where there are very many, those of the columns that it most likely means.

    They are tried on tables with the same columns, which are prepared where many questions are asked about them.

    There are about `most` of them, and at most MOST_DIFFERENCES besides. Of cells as people write them, sets of rows
    times columns are `most` at most: each set is looked up in every column, summed and averaged in those of numbers,
    counted, and asked whether there is a row, which makes at most MOST_OUTPUTS times `most`; besides, MOST_COMPARISONS
    and MOST_PAIRS at most are asked whether there is a row, and differences may be years. Operations of one's own may
    add to this.
    """
    together = tables if isinstance(tables, Tables) else Tables(tables, own_of(operations))
    listed = _List(question, together, operations, steps, cells)
    with np.errstate(all="ignore"):  # of infinite and huge cells
        if cells == "written":
            left_out = _add_written(listed, question, together, most)
        else:
            columns, joined, extremes, left_out = _within(question, together, most)
            listed.add_outputs(list(row_sets(question, together, columns, joined, extremes)), columns)
            listed.add_differences(columns)
    listed.add_declining()
    return listed.candidates(left_out)


def proposed(
    question: Question,
    tables: Table | Tables,
    programs: Sequence[tuple[Int[np.ndarray, "_ 3"], Program]],
    operations: tuple[Operation, ...],
    steps: int,
) -> Candidates:
    """Programs that were proposed, as candidates: each is run, as it stands, on the only table.

    Of a table without rows, the candidates do not know what they give.

    That a number is negative is never known, for most are not: whoever is asked how much older one is than another
    would be taken to be older.
    """
    together = (tables if isinstance(tables, Tables) else Tables([tables], own_of(operations))).for_a_question()
    together.calls = None  # the programs are few
    table, listed = together.first, _List(question, together, operations, steps, "typed")
    with np.errstate(all="ignore"):  # of infinite and huge cells
        for moves, program in programs:
            listed.add_run(moves, run(program, table, together))
    candidates = listed.candidates(left_out=False)
    hidden = np.array(RESULT_FEATURES) == "negative" if table.rows else OF_RESULTS
    return replace(candidates, features=candidates.features & ~hidden)


def _add_written(listed: "_List", question: Question, tables: Tables, most: int) -> bool:
    """Candidates of a question about cells as people write them; whether some are left out.

    Where there are too many, columns are left out, and then the sets of rows that come last.
    """
    order, single = likeliest(question, tables), conditions(question, tables, most=MOST_SINGLE)
    widths = [len(order), *(width for width in NARROW if width < len(order))]
    columns, groups, count = frozenset(order), [], 0
    for width in widths:
        columns, groups, count = frozenset(order[:width]), [], 0
        for sets in written_sets(question, tables, columns, single):
            check_time()
            count += len(sets.rows) * width
            if count > most:
                break
            groups += [sets] if len(sets.rows) else []
        if count <= most:
            break
    pairs = len(question.numbers) * len(tables.ordered), sum(len(link.texts) for link in question.links or ())
    left_out = len(columns) < len(order) or count > most or max(pairs) > MOST_SINGLE
    listed.add_outputs(groups, columns)
    compared, some = comparisons(single, tables, order[: len(columns)])
    nowhere = nothing(single, tables, columns)
    listed.add_whether([*(sets for sets in groups if sets.counts), compared, nowhere])
    listed.add_differences(columns, single)
    return left_out or some


def _within(question: Question, tables: Tables, most: int) -> tuple[frozenset[int], int, bool, bool]:
    """The columns to try, how many conditions to join, and whether what is greatest of those joined is tried, so that
    there are not more candidates than wanted; whether some are left out.

    Before columns are left out that the question mentions, what is greatest of several conditions is.
    """
    order = likeliest(question, tables)
    mentioned = sum(map(bool, question.mentions or ()))
    widths = [len(order), *sorted({mentioned, *NARROWER} & set(range(2, len(order))), reverse=True)]
    for width in widths:
        columns = frozenset(order[:width])
        for extremes in (True, False) if width <= mentioned else (True,):
            for joined in range(MOST_CONDITIONS, 1, -1):
                if _count(question, tables, columns, joined, extremes) <= most:
                    fewer = joined < min(MOST_CONDITIONS, _said(question))
                    return columns, joined, extremes, width < len(order) or fewer or not extremes
    return frozenset(order[: widths[-1]]), 1, True, True


def _said(question: Question) -> int:
    return len({*question.number_positions, *(link.position for link in question.links or ())})


def _count(question: Question, tables: Tables, columns: Collection[int], joined: int, extremes: bool) -> int:
    """How many candidates there are at most, but for differences and one comparison of two columns, which are few."""
    ordered, numeric = (sum(slot in columns for slot in some) for some in (tables.ordered, tables.numeric))
    entries = (*CONDITIONS, *tables.own)
    comparisons = sum(entry.argument == "number" for entry in entries)
    matches = sum(entry.argument == "text" for entry in entries)
    sizes: dict[int, int] = {}
    for position in question.number_positions:
        sizes[position] = sizes.get(position, 0) + comparisons * ordered
    for link in question.links or ():
        sizes[link.position] = sizes.get(link.position, 0) + matches * len(link.texts)
    sums = [1] + [0] * joined  # of the products of so many of the sizes
    for size in sizes.values():
        for count in range(joined, 0, -1):
            sums[count] += sums[count - 1] * size
    sets = [ways * number for ways, number in zip(ARRANGED, sums, strict=False)]
    looked_up = 1 + len(columns)
    reduced = sum(sets if extremes else sets[:2])  # those of which the rows with the greatest and least cell are tried
    scalars, selections = (
        sum(
            len(tables.of_kind(entry.column, columns))
            for entry in tables.own
            if (entry.updates, entry.argument) == what
        )
        for what in (("scalar", "none"), ("rows", "none"))
    )
    return sum(sets) * (1 + selections) * (looked_up + 4 * numeric + scalars) + reduced * 2 * ordered * looked_up


def likeliest(question: Question, tables: Tables) -> list[int]:
    """The columns, those first that the question mentions or whose texts it says, and the first of names, of which no
    row has that of another; then those whose names are most like a word of it."""
    vectors, names = shipped(), tables.names
    said = np.stack([vectors.of(words.split()) for words in (question.said or question.words)])
    named = np.stack([vectors.of(in_full(name_words(name))) for name in names])
    like = (named @ said.T).max(axis=1)
    held = {slot for link in question.links or () for slot in link.texts if not link.near}
    mentioned = {slot for slot, places in enumerate(question.mentions or ()) if places}
    first = slice(0, tables.lengths[0])
    naming = (s for s, c in enumerate(tables.columns) if is_text(c) and len(set(c[first].tolist())) == len(c[first]))
    held.add(next(naming, 0))
    return sorted(
        range(len(names)), key=lambda slot: (slot not in mentioned, slot not in held, -like[slot], names[slot])
    )


class _List:
    """Candidates as they are put together."""

    def __init__(
        self, question: Question, tables: Tables, operations: tuple[Operation, ...], steps: int, cells: CellForm
    ) -> None:
        self.question, self.tables, self.codec, self.steps = question, tables, Codec.of(operations, question), steps
        self.slices = tables.slices
        self.written = cells == "written"
        self.as_text = as_text if cells == "typed" else key
        self.cells = self._cells(self.as_text)
        links, words = question.links or (), question.words
        self.numbers, self.known = self.codec.numbers, {entry.name for entry in operations}
        self.said_numbers = [n for n, at in enumerate(question.number_positions) if words[at] not in NOTHING]
        self.said_texts = [self.numbers + place for place, link in enumerate(links) if not link.near]
        self.meant = [self.numbers + place for place, link in enumerate(links) if link.near]
        self.mentioned = np.array([bool(places) for places in question.mentions or [()] * len(tables.names)])
        self.parts_said = [self.numbers + place for place, link in enumerate(links) if link.parts]
        self.reducing = np.array([*(entry.name in REDUCING for entry in operations), False])  # -1 is the last
        self.parts: list[tuple[np.ndarray, ...]] = []

    def _cells(self, as_text: Callable[[Any], str]) -> list[Cells]:
        """The cells of each table, by what they are compared as."""
        columns = self.tables.columns
        return self.tables.kept(
            as_text.__name__, lambda: [Cells([column[part] for column in columns], as_text) for part in self.slices]
        )

    def add_outputs(self, groups: Sequence[RowSets], columns: Collection[int]) -> None:
        """Every output of every one of the row sets."""
        programs = [sets.moves(place) for sets in groups for place in range(len(sets.rows))]
        fits = np.array([self._fits(moves) for moves in programs])
        begun = self._begun([moves for moves, fit in zip(programs, fits.tolist(), strict=True) if fit])
        rows = np.concatenate([sets.rows for sets in groups])[fits]
        all_counts = self.tables.summed(rows.astype(float))
        counts = all_counts[:, 0]
        features = self._of_rows(counts)

        def of_sets(what: Callable[[RowSets], int]) -> np.ndarray:
            return np.concatenate([np.full(len(sets.rows), what(sets)) for sets in groups])[fits]

        plain, only = of_sets(lambda sets: not sets.extreme), of_sets(lambda sets: sets.only)
        if self.written:
            counted = of_sets(lambda sets: sets.counts)
            self._add_numbers(begun.some(counted), features[counted], Move("count"), all_counts[counted])
            plain &= counts > 1
        else:
            self._add_numbers(begun, features, Move("count"), all_counts)
        some, few = begun.some(plain), features[plain]
        for slot in self.tables.numeric:
            for name, values in aggregates(rows[plain], self.tables, slot) if slot in columns else ():
                if not self.written or (name in ("sum", "average") and self.tables.views.get(slot) != "year"):
                    self._add_numbers(some, few, Move(name, slot), values)
        for name, slot, values in own_candidates.aggregates(rows[plain], self.tables, columns):
            self._add_numbers(some, few, Move(name, slot), values)
        for slot in sorted(columns):
            here = (only < 0) | (only == slot)
            if here.all():
                self._add_cells(begun, features, slot, rows, counts)
            else:
                self._add_cells(begun.some(here), features[here], slot, rows[here], counts[here])

    def add_run(self, numbered: Int[np.ndarray, "steps 3"], ran: Run) -> None:
        """A program as a network chose it, which was run on the only table there is."""
        *before, last = moves = self.codec.moves(numbered)
        begun = self._begun([before])
        whole = 1 < len(ran.steps) == len(moves)
        rows = ran.steps[-2].row_select if whole else np.ones(self.tables.rows, bool)
        counts = np.array([np.count_nonzero(rows)], float)
        if last.operation == "decline":
            self._add_declining(begun)
        elif last.operation == "assign":
            cells = self.tables.columns[last.column][rows][:COMPARED]
            texts = {self.as_text(cell) for cell in plain(cells)}
            says = not texts.isdisjoint(self._texts_said(last.column))
            different, shown = np.array([len(texts)]), np.array([len(cells)])
            features = self._of_cells(self._of_rows(counts), different, shown, np.array([says]))
            keys = np.array([[key_of(texts, self.as_text)]])
            self._add(begun, features, last, np.full(keys.shape, np.nan), keys)
        else:
            of_rows = last.operation != "difference"
            features = self._of_rows(counts) if of_rows else np.zeros((1, len(RESULT_FEATURES)), bool)
            value = np.nan if ran.answer.scalar is None else ran.answer.scalar
            self._add_numbers(begun, features, last, np.array([[value]]))

    def _of_rows(self, counts: Float[np.ndarray, "sets"]) -> Bool[np.ndarray, "sets features"]:
        """The features of how many rows there are."""
        features = np.zeros((len(counts), len(RESULT_FEATURES)), bool)
        for name, holds in (
            ("no row", counts == 0),
            ("one row", counts == 1),
            ("two rows", counts == 2),
            ("few rows", (counts > 2) & (counts <= FEW)),
            ("many rows", counts > FEW),
            ("all rows", counts == self.tables.lengths[0]),
        ):
            features[:, FEATURE[name]] = holds
        return features

    def add_differences(self, columns: Collection[int], single: Sequence[Condition] | None = None) -> None:
        """Numbers that are taken from each other."""
        fitting = (
            (moves[:-1], values)
            for moves, values in differences(self.question, self.tables, columns, single)
            if self._fits(moves[:-1]) and {move.column for move in moves} <= {-1, *columns}
        )
        found = list(islice(fitting, MOST_DIFFERENCES))
        if found:
            begun = self._begun([moves for moves, _ in found])
            features = np.zeros((len(found), len(RESULT_FEATURES)), bool)
            self._add_numbers(begun, features, Move("difference"), np.stack([values for _, values in found]))
        spans = (
            [one for one in found if self._is_span(one[0])] if self.written and SPANS & set(self.question.said) else []
        )
        if spans := [(moves, values) for moves, values in spans if self._fits([*moves, Move("difference")])]:
            begun = self._begun([[*moves, Move("difference")] for moves, _ in spans])
            self._add_years(begun, np.stack([values for _, values in spans]))

    def _is_span(self, moves: Sequence[Move]) -> bool:
        """Whether numbers that are taken from each other are years."""
        slots = [move.column for move in moves if move.number < 0 and move.link < 0 and move.column >= 0]
        return bool(slots) and all(map(self._holds_years, slots))

    def _holds_years(self, slot: int) -> bool:
        cells = self.tables.columns[slot]
        there = cells[~np.isnan(cells)]
        return len(there) > 0 and bool(YEARS[0] <= there.min() and there.max() <= YEARS[1])

    def add_whether(self, groups: Sequence[RowSets]) -> None:
        """Whether there is any row."""
        programs = [(sets.moves(place), sets.rows[place]) for sets in groups for place in range(len(sets.rows))]
        fitting = [(moves, rows) for moves, rows in programs if moves and self._fits(moves)]
        if fitting:
            begun = self._begun([moves for moves, _ in fitting])
            counts = self.tables.summed(np.stack([rows for _, rows in fitting]).astype(float))
            for entry in ROW_OPERATIONS.values():
                if entry.updates == "truth" and set(entry.words) - {""} <= set(self.question.said):
                    found_by = [{move.operation for move in moves} for moves, _ in fitting]
                    says = np.array([entry.name not in MEANT or bool(names & MEANT[entry.name]) for names in found_by])
                    features = np.zeros((int(says.sum()), len(RESULT_FEATURES)), bool)
                    features[:, FEATURE["holds"]] = counts[says, 0] > 0
                    holds, other = (key_of([entry.truth(truth)], self.as_text) for truth in (True, False))
                    keys = np.where(counts[says] > 0, holds, other)
                    self._add(begun.some(says), features, Move(entry.name), np.full(keys.shape, np.nan), keys)

    def add_declining(self) -> None:
        """To give no answer."""
        self._add_declining(self._begun([[]]))

    def _add_declining(self, begun: "_Begun") -> None:
        features = np.zeros((1, len(RESULT_FEATURES)), bool)
        features[0, FEATURE["declines"]] = True
        nothing = np.full((1, len(self.slices)), np.nan)
        self._add(begun, features, Move("decline"), nothing, nothing)

    def candidates(self, left_out: bool) -> Candidates:
        moves, features, scalar, cells = (np.concatenate(part) for part in zip(*self.parts, strict=True))
        return Candidates(moves, features, Outcomes(scalar, cells), left_out, self.as_text)

    def _fits(self, moves: Sequence[Move]) -> bool:
        """Whether there is room for one more move, and all operations are known."""
        return len(moves) < self.steps and self.known.issuperset([move.operation for move in moves])

    def _begun(self, programs: Sequence[Sequence[Move]]) -> "_Begun":
        """Programs without their last move."""
        moves = np.full((len(programs), self.steps, 3), -1, np.int16)
        lengths = np.array([len(program) for program in programs])
        listed = [self.codec.integers(move) for program in programs for move in program]
        if listed:
            moves[np.arange(self.steps) < lengths[:, None]] = listed
        columns, arguments = (
            np.zeros((len(programs), room + 1), bool)
            for room in (len(self.mentioned), self.numbers + len(self.question.links or ()))
        )
        for part, use in ((1, columns), (2, arguments)):
            use[np.arange(len(programs))[:, None], moves[:, :, part]] = True  # -1 is the last
        reduced = np.zeros((len(programs), len(self.mentioned) + 1), bool)
        which, step = np.nonzero(self.reducing[moves[:, :, 0]])
        reduced[which, moves[which, step, 1]] = True
        return _Begun(moves, lengths, columns[:, :-1], arguments[:, :-1], reduced[:, :-1])

    def _add_numbers(self, begun: "_Begun", features: np.ndarray, last: Move, values: np.ndarray) -> None:
        features, first = features.copy(), values[:, 0]
        features[:, FEATURE["no number"]] = np.isnan(first)
        features[:, FEATURE["zero"]] = first == 0
        features[:, FEATURE["one"]] = first == 1
        features[:, FEATURE["whole"]] = first == np.round(first)
        features[:, FEATURE["negative"]] = first < 0
        self._add(begun, features, last, values, np.full(values.shape, np.nan))

    def _add_years(self, begun: "_Begun", values: np.ndarray) -> None:
        """Numbers of years, which are no longer numbers alone."""
        unit, features = BUILT_IN["years"].unit, np.zeros((len(values), len(RESULT_FEATURES)), bool)
        features[:, FEATURE["no number"]] = np.isnan(values[:, 0])
        features[:, FEATURE["negative"]] = values[:, 0] < 0
        said = [[with_unit(self.as_text(value), unit(value)) for value in row] for row in values.tolist()]
        keys = np.array([[key_of([text], self.as_text) for text in row] for row in said])
        self._add(
            begun, features, Move("years"), np.full(values.shape, np.nan), np.where(np.isnan(values), np.nan, keys)
        )

    def _add_cells(
        self, begun: "_Begun", features: np.ndarray, slot: int, rows: np.ndarray, counts: np.ndarray
    ) -> None:
        """What a column has there; of written cells not where that is nothing: nobody means empty cells."""
        parts = zip(self.slices, self.cells, strict=True)
        held = [(cells.different(slot, rows[:, part]), cells.column(slot)[3]) for part, cells in parts]
        keys = np.stack([different @ codes for different, codes in held], axis=1)
        different = held[0][0]
        places = self.cells[0].column(slot)[0]
        said = [places[text] for text in self._texts_said(slot) if text in places]
        features = self._of_cells(features, different.sum(axis=1), counts, np.asarray(different[:, said].any(axis=1)))
        if self.written and (empty := self.cells[0].column(slot)[0].get("")) is not None:
            some = np.asarray(np.delete(different, empty, axis=1).any(axis=1))
            begun, features, keys = begun.some(some), features[some], keys[some]
        self._add(begun, features, Move("assign", slot), np.full(keys.shape, np.nan), keys)

    def _texts_said(self, slot: int) -> list[str]:
        """The texts of a column that the question says."""
        said = (self.as_text(link.texts[slot]) for link in self.question.links or () if slot in link.texts)
        return [text for text in said if text]

    @staticmethod
    def _of_cells(features: np.ndarray, different: np.ndarray, counts: np.ndarray, says: np.ndarray) -> np.ndarray:
        """The features with those of how many different cells are looked up in so many rows, and whether the question
        says one of them."""
        features = features.copy()
        features[:, FEATURE["one value"]] = different == 1
        features[:, FEATURE["different values"]] = (different > 1) & (different == counts)
        features[:, FEATURE["values again"]] = different < counts
        features[:, FEATURE["says what was said"]] = says
        return features

    def _add(self, begun: "_Begun", features: np.ndarray, last: Move, scalar: np.ndarray, cells: np.ndarray) -> None:
        """Candidates that end with a move; `features` are of what they give, those of the program are added."""
        check_time()
        if last.operation not in self.known:
            return
        columns = begun.columns
        if last.column >= 0:
            features[:, FEATURE["output mentioned"]] = self.mentioned[last.column]
            features[:, FEATURE["output of a condition"]] = columns[:, last.column]
            columns = columns.copy()
            columns[:, last.column] = True
        features[:, FEATURE["text not used"]] = ~begun.arguments[:, self.said_texts].all(axis=1)
        features[:, FEATURE["number not used"]] = ~begun.arguments[:, self.said_numbers].all(axis=1)
        features[:, FEATURE["only meant"]] = begun.arguments[:, self.meant].any(axis=1)
        features[:, FEATURE["mentioned not used"]] = (self.mentioned & ~columns).any(axis=1)
        unmentioned = (columns & ~self.mentioned).sum(axis=1)
        features[:, FEATURE["unmentioned used"]] = unmentioned > 0
        features[:, FEATURE["two unmentioned used"]] = unmentioned > 1
        used = begun.arguments.sum(axis=1)
        features[:, FEATURE["no argument"]] = used == 0
        features[:, FEATURE["two arguments"]] = used > 1
        features[:, FEATURE["part of a cell"]] = begun.arguments[:, self.parts_said].any(axis=1)
        features[:, FEATURE["first column"]] = self.written and last.column == 0  # else the order must not matter
        features[:, FEATURE["view"]] = last.column in self.tables.views
        features[:, FEATURE["reduced by a mentioned column"]] = begun.reduced[:, self.mentioned].any(axis=1)
        features[:, FEATURE["reduced by another column"]] = begun.reduced[:, ~self.mentioned].any(axis=1)
        features[:, FEATURE["output reduces"]] = last.column >= 0 and begun.reduced[:, last.column]
        moves = begun.moves.copy()
        moves[np.arange(len(moves)), begun.lengths] = self.codec.integers(last)
        self.parts.append((moves, features, scalar, cells))


class _Begun(NamedTuple):
    """Programs without their last move, and which columns and arguments they use."""

    moves: Int[np.ndarray, "programs steps 3"]
    lengths: Int[np.ndarray, "programs"]
    columns: Bool[np.ndarray, "programs columns"]
    arguments: Bool[np.ndarray, "programs arguments"]
    reduced: Bool[np.ndarray, "programs columns"]  # which columns rows are compared in

    def some(self, which: Bool[np.ndarray, "programs"]) -> "_Begun":
        return _Begun(*(part[which] for part in self))
