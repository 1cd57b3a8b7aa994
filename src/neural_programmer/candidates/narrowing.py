"""Choose the columns that candidate programs act on, so that there are not too many candidates."""

from collections.abc import Collection

import numpy as np

from neural_programmer.candidates.config import CandidateConfig
from neural_programmer.candidates.masks import Tables
from neural_programmer.programs.operations import CONDITIONS
from neural_programmer.questions.index import in_full
from neural_programmer.questions.question import Question
from neural_programmer.questions.tokens import name_words
from neural_programmer.questions.vectors import shipped
from neural_programmer.tables.table import is_text

WAYS_TO_JOIN = (1, 1, 2, 5, 8)  # how many ways `conditions.row_sets` joins 0, 1, 2, 3 or 4 conditions


def within(question: Question, tables: Tables, limits: CandidateConfig) -> tuple[frozenset[int], int, bool, bool]:
    """Return the columns to try, how many conditions to join, whether the greatest and least of joined conditions are
    tried, and whether candidates are left out.

    The greatest and least of joined conditions are left out before any column that the question mentions.
    """
    order = likeliest(question, tables)
    mentioned = sum(map(bool, question.mentions or ()))
    widths = [len(order), *sorted({mentioned, *limits.columns} & set(range(2, len(order))), reverse=True)]
    for width in widths:
        columns = frozenset(order[:width])
        for extremes in (True, False) if width <= mentioned else (True,):
            for joined in range(limits.joined, 1, -1):
                if _count(question, tables, columns, joined, extremes) <= limits.most:
                    fewer = joined < min(limits.joined, _said(question))
                    return columns, joined, extremes, width < len(order) or fewer or not extremes
    return frozenset(order[: widths[-1]]), 1, True, True


def _said(question: Question) -> int:
    """Return how many words of a question are numbers or texts."""
    return len({*question.number_positions, *(link.position for link in question.links or ())})


def _count(question: Question, tables: Tables, columns: Collection[int], joined: int, extremes: bool) -> int:
    """Return how many candidates there are at most, without differences and the same comparison of two columns."""
    ordered, numeric = (sum(slot in columns for slot in some) for some in (tables.ordered, tables.numeric))
    entries = (*CONDITIONS, *tables.own)
    comparisons = sum(entry.argument == "number" for entry in entries)
    matches = sum(entry.argument == "text" for entry in entries)
    sizes: dict[int, int] = {}
    for position in question.number_positions:
        sizes[position] = sizes.get(position, 0) + comparisons * ordered
    for link in question.links or ():
        sizes[link.position] = sizes.get(link.position, 0) + matches * len(link.texts)
    sums = [1] + [0] * joined  # by how many sizes are multiplied: the sum of such products
    for size in sizes.values():
        for count in range(joined, 0, -1):
            sums[count] += sums[count - 1] * size
    sets = [ways * number for ways, number in zip(WAYS_TO_JOIN, sums, strict=False)]
    looked_up = 1 + len(columns)
    reduced = sum(sets if extremes else sets[:2])  # sets that are reduced to the greatest and least cell
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
    """Return the columns in the order in which a question may mean them.

    Those that it mentions come first, then those whose texts it says, with the first column of texts that differ in all
    rows, then those whose names are most like one of its words.
    """
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
