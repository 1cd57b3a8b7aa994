"""One's own operations on sets of rows: called for each set and table; the built-in ones are computed at once."""

from collections.abc import Collection, Iterator

import numpy as np
from jaxtyping import Bool, Float

from neural_programmer.candidates.masks import Condition, Move, RowSets, Tables
from neural_programmer.programs.operations import Operation, State
from neural_programmer.programs.own import limited
from neural_programmer.programs.program import bounds
from neural_programmer.questions.question import Question

MOST_CALLS = 20_000  # of one's own operations, for one question
SEARCHING = 60.0  # seconds for the calls of one's own operation on many sets of rows


def conditions(question: Question, tables: Tables) -> Iterator[Condition]:
    """Every condition of one's own with a number or a text."""
    nothing = np.zeros((1, tables.rows), bool)
    for entry in (entry for entry in tables.own if entry.argument != "none"):
        arguments: list[tuple[int, int, object, Move]] = []
        for place, (value, position) in enumerate(zip(question.numbers, question.number_positions, strict=True)):
            if entry.argument == "number" and not np.isnan(value):
                arguments += [(position, s, value, Move(entry.name, s, number=place)) for s in tables.numeric]
        for place, link in enumerate(question.links or ()):
            if entry.argument == "text":
                named = Move(entry.name, link=place)
                arguments += [(link.position, s, link.meant(s), named._replace(column=s)) for s in link.texts]
        for position, slot, argument, move in arguments:
            rows = _called(entry, slot, nothing, tables, argument)
            if rows is not None:
                yield Condition(position, move, rows[0])


def rows_of(sets: RowSets, tables: Tables, columns: Collection[int] | None = None) -> Iterator[RowSets]:
    """Of the rows of every set, those that one's own operations select."""
    for entry in tables.own:
        for slot in tables.own_slots(entry, columns) if (entry.updates, entry.argument) == ("rows", "none") else ():
            rows = _called(entry, slot, sets.rows, tables)
            if rows is not None:
                yield RowSets(
                    rows, lambda place, name=entry.name, slot=slot: [*sets.moves(place), Move(name, slot)], sets.extreme
                )


def aggregates(
    rows: Bool[np.ndarray, "sets rows"], tables: Tables, columns: Collection[int] | None = None
) -> Iterator[tuple[str, int, Float[np.ndarray, "sets tables"]]]:
    """Each scalar of one's own of each column it may act on, over the rows of every set, for each table."""
    for entry in tables.own:
        for slot in tables.own_slots(entry, columns) if entry.updates == "scalar" else ():
            values = _called(entry, slot, rows, tables)
            if values is not None:
                yield entry.name, slot, values


def _called(
    entry: Operation, slot: int, rows: Bool[np.ndarray, "sets rows"], tables: Tables, argument: object = None
) -> np.ndarray | None:
    """What an operation gives of the rows of every set: each different one of a table once; none after MOST_CALLS."""
    ends = np.cumsum(tables.lengths)
    parts, new = [], {}
    for first, last in zip(ends - tables.lengths, ends, strict=True):
        packed, places, which = np.unique(
            np.packbits(rows[:, first:last], axis=1), axis=0, return_index=True, return_inverse=True
        )
        keys = [(entry.name, slot, first, last, argument, each.tobytes()) for each in packed]
        parts.append((keys, which.ravel()))
        new |= {
            key: (slice(first, last), place) for key, place in zip(keys, places, strict=True) if key not in tables.given
        }
    if len(tables.given) + len(new) > MOST_CALLS:
        return None

    def call() -> None:
        for key, (part, place) in new.items():
            selected = rows[place, part]
            state = State(tables.columns[slot][part], *bounds(argument), selected, selected, 0.0, 0.0)  # type: ignore[arg-type]
            tables.given[key] = entry.exact(state)

    if new:
        limited(str(entry), call, SEARCHING)
    values = [np.stack([tables.given[key] for key in keys])[which] for keys, which in parts]
    return np.stack(values, axis=1) if entry.updates == "scalar" else np.concatenate(values, axis=1)
