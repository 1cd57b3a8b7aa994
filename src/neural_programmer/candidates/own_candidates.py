"""Run operations that a user defined on sets of rows. Each is called for every set and table."""

from collections.abc import Collection, Iterator

import numpy as np
from jaxtyping import Bool, Float

from neural_programmer.candidates.masks import Condition, RowSets, Tables
from neural_programmer.programs.moves import Move
from neural_programmer.programs.program import Argument
from neural_programmer.questions.question import Question


def conditions(question: Question, tables: Tables) -> Iterator[Condition]:
    """Yield every condition that a user defined, with every number or text of the question that it may take."""
    nothing = np.zeros(tables.rows, bool)
    for entry in (entry for entry in tables.own if entry.argument != "none"):
        arguments: list[tuple[int, int, Argument, Move]] = []
        for place, (value, position) in enumerate(zip(question.numbers, question.number_positions, strict=True)):
            if entry.argument == "number" and not np.isnan(value):
                arguments += [(position, s, value, Move(entry.name, s, number=place)) for s in tables.numeric]
        for place, link in enumerate(question.links or ()):
            if entry.argument == "text":
                named = Move(entry.name, link=place)
                arguments += [(link.position, s, link.meant(s), named._replace(column=s)) for s in link.texts]
        for position, slot, argument, move in arguments:
            rows = tables.given(entry, nothing, slot, argument)
            if rows is not None:
                yield Condition(position, move, rows)


def rows_of(sets: RowSets, tables: Tables, columns: Collection[int] | None = None) -> Iterator[RowSets]:
    """Yield the rows of every set that each operation of a user selects."""
    for entry in (entry for entry in tables.own if (entry.updates, entry.argument) == ("rows", "none")):
        for slot in tables.of_kind(entry.column, columns):
            rows = tables.given(entry, sets.rows, slot)
            if rows is not None:
                yield RowSets(
                    rows, lambda place, name=entry.name, slot=slot: [*sets.moves(place), Move(name, slot)], sets.extreme
                )


def aggregates(
    rows: Bool[np.ndarray, "sets rows"], tables: Tables, columns: Collection[int] | None = None
) -> Iterator[tuple[str, int, Float[np.ndarray, "sets tables"]]]:
    """Yield each number that a user defined, of each column it may act on, over the rows of every set and table."""
    for entry in (entry for entry in tables.own if entry.updates == "scalar"):
        for slot in tables.of_kind(entry.column, columns):
            values = tables.given(entry, rows, slot)
            if values is not None:
                yield entry.name, slot, values
