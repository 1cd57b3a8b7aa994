"""List candidates as arrays: the moves of programs, the features of their results, and the results.

The words and steps that are listed here say when an operation is worth trying: they belong to the operations, as the
bounds of a feature belong to its name. How much is tried is a setting (see config.py).
"""

from collections.abc import Callable, Collection, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.base.limits import check_time
from neural_programmer.candidates import own_candidates
from neural_programmer.candidates.conditions import aggregates, differences
from neural_programmer.candidates.config import CandidateConfig
from neural_programmer.candidates.masks import Condition, RowSets, Tables
from neural_programmer.candidates.results import FEATURE, RESULT_FEATURES, Candidates, Cells, Outcomes
from neural_programmer.programs.items import key
from neural_programmer.programs.moves import Codec, Move
from neural_programmer.programs.operations import BUILT_IN, Operation
from neural_programmer.programs.program import Run
from neural_programmer.programs.same import as_text, key_of
from neural_programmer.programs.values import with_unit
from neural_programmer.questions.question import NOTHING, Question
from neural_programmer.tables.table import CellForm, plain

REDUCING_OPERATIONS = ("greatest", "least", "more", "fewer", "same", "most common", "least common")
FEW_ROWS = 5  # at most, which are "few rows"
FOUND_BY = {  # operations that must be among the steps before an answer of yes or no
    "more or less": {"greater", "at least", "more"},
    "above or below": {"above", "greater", "at least", "more"},
    "before or after": {"above", "lesser", "at most", "fewer"},
}
WORDS_OF_SPANS = frozenset("long longer older younger age years later earlier difference time between apart".split())
SPAN_YEARS = 1000, 2100  # numbers between them are taken for years


class Listing:
    """The candidates of a question, put together from sets of rows, differences and programs that were run."""

    def __init__(
        self,
        question: Question,
        tables: Tables,
        operations: tuple[Operation, ...],
        steps: int,
        limits: CandidateConfig,
        cells: CellForm,
    ) -> None:
        self.question, self.tables, self.codec, self.steps = question, tables, Codec.of(operations, question), steps
        self.limits = limits
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
        self.reducing = np.array(
            [*(entry.name in REDUCING_OPERATIONS for entry in operations), False]
        )  # the place -1 stands for no operation
        self.parts: list[tuple[np.ndarray, ...]] = []

    def _cells(self, as_text: Callable[[Any], str]) -> list[Cells]:
        """Return the cells of each table, by the texts that they are compared as."""
        columns = self.tables.columns
        return self.tables.kept(
            as_text.__name__, lambda: [Cells([column[part] for column in columns], as_text) for part in self.slices]
        )

    def add_outputs(self, groups: Sequence[RowSets], columns: Collection[int]) -> None:
        """Add every output of every set of rows."""
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
        """Add a program that was run on the only table."""
        *before, last = moves = self.codec.moves(numbered)
        begun = self._begun([before])
        whole = 1 < len(ran.steps) == len(moves)
        rows = ran.steps[-2].row_select if whole else np.ones(self.tables.rows, bool)
        counts = np.array([np.count_nonzero(rows)], float)
        if last.operation == "decline":
            self._add_declining(begun)
        elif last.operation == "assign":
            cells = self.tables.columns[last.column][rows][: self.limits.cells]
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
        """Return the features of how many rows there are."""
        features = np.zeros((len(counts), len(RESULT_FEATURES)), bool)
        for name, holds in (
            ("no row", counts == 0),
            ("one row", counts == 1),
            ("two rows", counts == 2),
            ("few rows", (counts > 2) & (counts <= FEW_ROWS)),
            ("many rows", counts > FEW_ROWS),
            ("all rows", counts == self.tables.lengths[0]),
        ):
            features[:, FEATURE[name]] = holds
        return features

    def add_differences(self, columns: Collection[int], single: Sequence[Condition] | None = None) -> None:
        """Add the differences of two numbers."""
        fitting = (
            (moves[:-1], values)
            for moves, values in differences(self.question, self.tables, columns, single)
            if self._fits(moves[:-1]) and {move.column for move in moves} <= {-1, *columns}
        )
        found = list(islice(fitting, self.limits.differences))
        if found:
            begun = self._begun([moves for moves, _ in found])
            features = np.zeros((len(found), len(RESULT_FEATURES)), bool)
            self._add_numbers(begun, features, Move("difference"), np.stack([values for _, values in found]))
        of_years = self.written and not WORDS_OF_SPANS.isdisjoint(self.question.said)
        spans = [one for one in found if self._is_span(one[0])] if of_years else []
        if spans := [(moves, values) for moves, values in spans if self._fits([*moves, Move("difference")])]:
            begun = self._begun([[*moves, Move("difference")] for moves, _ in spans])
            self._add_years(begun, np.stack([values for _, values in spans]))

    def _is_span(self, moves: Sequence[Move]) -> bool:
        """Return whether a difference is one of years: all its columns hold years."""
        slots = [move.column for move in moves if move.number < 0 and move.link < 0 and move.column >= 0]
        return bool(slots) and all(map(self._holds_years, slots))

    def _holds_years(self, slot: int) -> bool:
        """Return whether all cells of a column may be years."""
        cells = self.tables.columns[slot]
        there = cells[~np.isnan(cells)]
        return len(there) > 0 and bool(SPAN_YEARS[0] <= there.min() and there.max() <= SPAN_YEARS[1])

    def add_whether(self, groups: Sequence[RowSets]) -> None:
        """Add the operations that answer yes or no: whether a set has any row."""
        programs = [(sets.moves(place), sets.rows[place]) for sets in groups for place in range(len(sets.rows))]
        fitting = [(moves, rows) for moves, rows in programs if moves and self._fits(moves)]
        if fitting:
            begun = self._begun([moves for moves, _ in fitting])
            counts = self.tables.summed(np.stack([rows for _, rows in fitting]).astype(float))
            for entry in BUILT_IN.values():
                if entry.updates == "truth" and set(entry.words) - {""} <= set(self.question.said):
                    meant = FOUND_BY.get(entry.name)
                    names = ({move.operation for move in moves} for moves, _ in fitting)
                    says = np.array([meant is None or not meant.isdisjoint(each) for each in names])
                    features = np.zeros((int(says.sum()), len(RESULT_FEATURES)), bool)
                    features[:, FEATURE["holds"]] = counts[says, 0] > 0
                    holds, other = (key_of([entry.truth(truth)], self.as_text) for truth in (True, False))
                    keys = np.where(counts[says] > 0, holds, other)
                    self._add(begun.some(says), features, Move(entry.name), np.full(keys.shape, np.nan), keys)

    def add_declining(self) -> None:
        """Add the program that gives no answer."""
        self._add_declining(self._begun([[]]))

    def _add_declining(self, begun: "_Begun") -> None:
        """Add programs that give no answer."""
        features = np.zeros((1, len(RESULT_FEATURES)), bool)
        features[0, FEATURE["declines"]] = True
        nothing = np.full((1, len(self.slices)), np.nan)
        self._add(begun, features, Move("decline"), nothing, nothing)

    def candidates(self, left_out: bool) -> Candidates:
        """Return all that were added; `left_out` says whether there are more."""
        moves, features, scalar, cells = (np.concatenate(part) for part in zip(*self.parts, strict=True))
        return Candidates(moves, features, Outcomes(scalar, cells), left_out, self.as_text)

    def _fits(self, moves: Sequence[Move]) -> bool:
        """Return whether there is room for one more move, and all operations are known."""
        return len(moves) < self.steps and self.known.issuperset([move.operation for move in moves])

    def _begun(self, programs: Sequence[Sequence[Move]]) -> "_Begun":
        """Return programs without their last move as arrays."""
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
        """Add candidates that give numbers."""
        features, first = features.copy(), values[:, 0]
        features[:, FEATURE["no number"]] = np.isnan(first)
        features[:, FEATURE["zero"]] = first == 0
        features[:, FEATURE["one"]] = first == 1
        features[:, FEATURE["whole"]] = first == np.round(first)
        features[:, FEATURE["negative"]] = first < 0
        self._add(begun, features, last, values, np.full(values.shape, np.nan))

    def _add_years(self, begun: "_Begun", values: np.ndarray) -> None:
        """Add candidates that give numbers of years, which are compared as texts with their unit."""
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
        """Add lookups of a column in sets of rows, without those that find an empty written cell."""
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
        """Return the texts of a column that the question says."""
        said = (self.as_text(link.texts[slot]) for link in self.question.links or () if slot in link.texts)
        return [text for text in said if text]

    @staticmethod
    def _of_cells(features: np.ndarray, different: np.ndarray, counts: np.ndarray, says: np.ndarray) -> np.ndarray:
        """Return the features with those of looked up cells: how many differ among so many rows, and whether one is
        said by the question."""
        features = features.copy()
        features[:, FEATURE["one value"]] = different == 1
        features[:, FEATURE["different values"]] = (different > 1) & (different == counts)
        features[:, FEATURE["values again"]] = different < counts
        features[:, FEATURE["says what was said"]] = says
        return features

    def _add(self, begun: "_Begun", features: np.ndarray, last: Move, scalar: np.ndarray, cells: np.ndarray) -> None:
        """Add candidates that end with a move. `features` are those of results; those of programs are set here."""
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
    """Programs without their last move, with the columns and arguments that they use."""

    moves: Int[np.ndarray, "programs steps 3"]
    lengths: Int[np.ndarray, "programs"]
    columns: Bool[np.ndarray, "programs columns"]
    arguments: Bool[np.ndarray, "programs arguments"]
    reduced: Bool[np.ndarray, "programs columns"]  # columns by which an operation chooses rows by other rows

    def some(self, which: Bool[np.ndarray, "programs"]) -> "_Begun":
        """Return some of the programs."""
        return _Begun(*(part[which] for part in self))
