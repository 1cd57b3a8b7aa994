"""Run all candidate programs of a question, or those that were proposed: a network that scores whole programs chooses
among them.

Sets of rows are masks (see masks.py). Each set is tried with every output. A candidate is its moves, its result and the
features of both (see listing.py). The right answer is not known here.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Int

from neural_programmer.base.limits import check_time
from neural_programmer.candidates.conditions import conditions, row_sets
from neural_programmer.candidates.config import CANDIDATES, CandidateConfig
from neural_programmer.candidates.listing import Listing
from neural_programmer.candidates.masks import Tables
from neural_programmer.candidates.narrowing import likeliest, within
from neural_programmer.candidates.reductions import comparisons, nothing, written_sets
from neural_programmer.candidates.results import OF_RESULTS, RESULT_FEATURES, Candidates
from neural_programmer.programs.operations import Operation, own_of
from neural_programmer.programs.program import Program, run
from neural_programmer.questions.question import Question
from neural_programmer.tables.table import CellForm, Table

MOST_TRUTHS = 4  # operations that answer yes or no
MOST_OUTPUTS = 4 + MOST_TRUTHS  # of one set of rows, for each column


def every(
    question: Question,
    tables: Sequence[Table] | Tables,
    operations: tuple[Operation, ...],
    steps: int,
    limits: CandidateConfig = CANDIDATES,
    cells: CellForm = "typed",
) -> Candidates:
    """Return all candidates of a question, or where they are too many, those of the columns that it most likely means.

    All tables have the same columns. `Tables` are prepared tables, for many questions about the same ones.

    Of typed cells there are about `limits.most` candidates, and at most `limits.differences` besides. Of written cells,
    sets of rows times columns are at most `limits.most`. Each set gives at most MOST_OUTPUTS candidates for each
    column: it is looked up, summed, averaged, counted, and asked whether there is a row. Besides, comparisons of
    things with each other and some pairs are asked whether there is a row, and each difference may be one of years too.
    Operations that a user defined add to this.
    """
    together = tables if isinstance(tables, Tables) else Tables(tables, own_of(operations), limits)
    listed = Listing(question, together, operations, steps, limits, cells)
    with np.errstate(all="ignore"):  # of infinite and huge cells
        if cells == "written":
            left_out = _add_written(listed, question, together, limits)
        else:
            columns, joined, extremes, left_out = within(question, together, limits)
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
    limits: CandidateConfig = CANDIDATES,
) -> Candidates:
    """Run proposed programs on the only table, and return them as candidates.

    Where the table has no rows, nothing is known of what the programs give.

    The feature "negative" is always off. Most right answers are not negative, so that it would turn "how much older is
    A than B" around where A is the younger.
    """
    together = (tables if isinstance(tables, Tables) else Tables([tables], own_of(operations), limits)).for_a_question()
    together.calls = None  # few programs need no limit
    table, listed = together.first, Listing(question, together, operations, steps, limits, "typed")
    with np.errstate(all="ignore"):  # of infinite and huge cells
        for moves, program in programs:
            listed.add_run(moves, run(program, table, together))
    candidates = listed.candidates(left_out=False)
    hidden = np.array(RESULT_FEATURES) == "negative" if table.rows else OF_RESULTS
    return replace(candidates, features=candidates.features & ~hidden)


def _add_written(listed: Listing, question: Question, tables: Tables, limits: CandidateConfig) -> bool:
    """Add the candidates of a question about written cells; return whether some are left out.

    Where there are too many, columns are left out, and then the last sets of rows.
    """
    order, single = likeliest(question, tables), conditions(question, tables, most=limits.single)
    widths = [len(order), *(width for width in limits.written_columns if width < len(order))]
    columns, groups, count = frozenset(order), [], 0
    for width in widths:
        columns, groups, count = frozenset(order[:width]), [], 0
        for sets in written_sets(question, tables, columns, single):
            check_time()
            count += len(sets.rows) * width
            if count > limits.most:
                break
            groups += [sets] if len(sets.rows) else []
        if count <= limits.most:
            break
    pairs = len(question.numbers) * len(tables.ordered), sum(len(link.texts) for link in question.links or ())
    left_out = len(columns) < len(order) or count > limits.most or max(pairs) > limits.single
    listed.add_outputs(groups, columns)
    compared, some = comparisons(single, tables, order[: len(columns)])
    nowhere = nothing(single, tables, columns)
    listed.add_whether([*(sets for sets in groups if sets.counts), compared, nowhere])
    listed.add_differences(columns, single)
    return left_out or some
