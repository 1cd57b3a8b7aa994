"""All candidate programs of a question, or those that were proposed, executed: what a network that reads whole programs
chooses among.

Row sets are masks (see masks.py); each is asked for every output. A candidate is its moves, the features of its
result, and what it gives (see listing.py). Nothing here knows the answer.
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
from neural_programmer.candidates.reductions import MOST_SINGLE, comparisons, nothing, written_sets
from neural_programmer.candidates.results import OF_RESULTS, RESULT_FEATURES, Candidates
from neural_programmer.programs.operations import Operation, own_of
from neural_programmer.programs.program import Program, run
from neural_programmer.questions.question import Question
from neural_programmer.tables.table import CellForm, Table

MOST_TRUTHS = 4  # operations that say whether there is a row, each in its words
MOST_OUTPUTS = 4 + MOST_TRUTHS  # of a set of rows, for each column


def every(
    question: Question,
    tables: Sequence[Table] | Tables,
    operations: tuple[Operation, ...],
    steps: int,
    limits: CandidateConfig = CANDIDATES,
    cells: CellForm = "typed",
) -> Candidates:
    """All candidates of a question, or where there are very many, those of the columns that it most likely means.

    They are tried on tables with the same columns, which are prepared where many questions are asked about them.

    There are about `limits.most` of them, and at most `limits.differences` besides. Of cells as people write them, sets
    of rows times columns are `limits.most` at most: each set is looked up in every column, summed and averaged in those
    of numbers, counted, and asked whether there is a row, which makes at most MOST_OUTPUTS times as many; besides,
    MOST_COMPARISONS and MOST_PAIRS at most are asked whether there is a row, and differences may be years. Operations
    of one's own may add to this.
    """
    together = tables if isinstance(tables, Tables) else Tables(tables, own_of(operations))
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
    """Programs that were proposed, as candidates: each is run, as it stands, on the only table.

    Of a table without rows, the candidates do not know what they give.

    That a number is negative is never known, for most are not: whoever is asked how much older one is than another
    would be taken to be older.
    """
    together = (tables if isinstance(tables, Tables) else Tables([tables], own_of(operations))).for_a_question()
    together.calls = None  # the programs are few
    table, listed = together.first, Listing(question, together, operations, steps, limits, "typed")
    with np.errstate(all="ignore"):  # of infinite and huge cells
        for moves, program in programs:
            listed.add_run(moves, run(program, table, together))
    candidates = listed.candidates(left_out=False)
    hidden = np.array(RESULT_FEATURES) == "negative" if table.rows else OF_RESULTS
    return replace(candidates, features=candidates.features & ~hidden)


def _add_written(listed: Listing, question: Question, tables: Tables, limits: CandidateConfig) -> bool:
    """Candidates of a question about cells as people write them; whether some are left out.

    Where there are too many, columns are left out, and then the sets of rows that come last.
    """
    order, single = likeliest(question, tables), conditions(question, tables, most=MOST_SINGLE)
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
    left_out = len(columns) < len(order) or count > limits.most or max(pairs) > MOST_SINGLE
    listed.add_outputs(groups, columns)
    compared, some = comparisons(single, tables, order[: len(columns)])
    nowhere = nothing(single, tables, columns)
    listed.add_whether([*(sets for sets in groups if sets.counts), compared, nowhere])
    listed.add_differences(columns, single)
    return left_out or some
