"""What the operations may act on: which columns fit them, which arguments the question has, which conditions hold."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from neural_programmer.base.arrays import Array, inside, masked, namespace, one_hot_of_largest, softmax
from neural_programmer.network import equations as network
from neural_programmer.network import soft
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import ELSEWHERE, MISSING, Example
from neural_programmer.programs.operations import BUILT_IN, COMPARISONS, Operation, acting, conditions

KINDS = ("number", "ordered", "text", "any")  # of columns that an operation may need


class Selection(NamedTuple):
    """A way of selecting: scores -> a vector that sums to one; a probability of truth -> how true it is."""

    choose: Callable[[Array], Array]
    decide: Callable[[Array], Array]


def _threshold(probability: Float[Array, "*places"]) -> Float[Array, "*places"]:
    """Return 1 where a probability is above one half. The paper hardens the softmaxes alone; a hard program needs this
    too."""
    return namespace(probability).astype(probability > 0.5, probability.dtype)


SOFT = Selection(softmax, lambda probability: probability)
HARD = Selection(one_hot_of_largest, _threshold)


class Arguments(NamedTuple):
    """What the arguments of one question may be: its numbers first, then its words or the texts it matches."""

    conditions: dict[str, Float[Array, "rows columns some"]]  # whether each holds, for each of its candidates
    states: Float[Array, "candidates hidden"] | None  # G, where arguments are chosen at every step
    scores: Float[Array, "conditions candidates"] | None  # the same for all steps, as in the paper
    allowed: Bool[Array, "conditions columns candidates"]
    pivots: Float[Array, "comparisons numbers"] | None  # beta_op of the whole question, as in the paper
    text_match: Float[Array, "texts columns"] | None  # of the whole question, as in the paper


def fits(operations: tuple[Operation, ...], example: Example) -> Bool[Array, "acting columns"]:
    """Tell which columns are of the kind that each operation needs."""
    xp = namespace(example.table, example.text_columns)
    there = inside(example.column_count, example.table.shape[1], example.table)
    ordered = there & ~example.text_columns
    kinds = xp.stack([ordered & ~example.date_columns, ordered, there & example.text_columns, there])
    return kinds[np.array([KINDS.index(entry.column) for entry in acting(operations)], np.int32)]


def above(example: Example) -> Float[Array, "rows rows_and_columns"]:
    """[table[k][j] > table[i][j]] for rows k and i of the table, in one row for every k."""
    xp, table = namespace(example.table), example.table
    there = real(example, ~example.text_columns)
    above = (table[:, None, :] > table[None, :, :]) & there[:, None, :] & there[None, :, :]
    return xp.astype(xp.reshape(above, (table.shape[0], -1)), table.dtype)


def _comparison(
    entry: Operation, example: Example, low: Float[Array, "columns some"], high: Float[Array, "columns some"]
) -> Float[Array, "rows columns some"]:
    """Tell whether a comparison with each of the candidates holds, in the columns of numbers and dates."""
    xp = namespace(example.table, low)
    holds = soft.holds(entry, example.table[:, :, None], low, high)
    return xp.astype(holds & real(example, ~example.text_columns)[:, :, None], example.table.dtype)


def _paper_comparison(name: str, example: Example, numbers: Float[Array, "some"]) -> Float[Array, "rows columns some"]:
    every = namespace(example.table, numbers).broadcast_to(numbers, (example.table.shape[1], numbers.shape[0]))
    return _comparison(BUILT_IN[name], example, every, every)


def _match(entry: Operation, example: Example) -> Float[Array, "rows columns links"]:
    """Tell whether the text of a cell is, or is not, the one that each link means in its column."""
    xp, cells = namespace(example.table, example.cells), example.cells[:, :, None]
    links = xp.permute_dims(example.link_texts, (1, 0))
    holds = soft.holds(entry, cells, links, links) & (cells != MISSING)
    return xp.astype(holds & _there(example, example.text_columns)[:, :, None], example.table.dtype)


def _there(example: Example, kind: Bool[Array, "columns"]) -> Bool[Array, "rows columns"]:
    """Tell which cells of a table's columns of one kind are there, and not padding."""
    row_slots, column_slots = example.table.shape
    there = inside(example.column_count, column_slots, example.table)
    return inside(example.row_count, row_slots, example.table)[:, None] & (kind & there)


def real(example: Example, kind: Bool[Array, "columns"]) -> Bool[Array, "rows columns"]:
    """Tell which cells of the columns of numbers and dates are not missing."""
    return _there(example, kind) & example.present


def _bounds(example: Example) -> tuple[Float[Array, "columns numbers"], Float[Array, "columns numbers"]]:
    """Return the least and the most that each number stands for: itself, and in a column of dates the days of its
    time."""
    xp = namespace(example.numbers)
    dates = example.date_columns[:, None]
    return xp.where(dates, example.periods[:, 0], example.numbers), xp.where(
        dates, example.periods[:, 1], example.numbers
    )


def of_steps(
    operations: tuple[Operation, ...], example: Example, reading: network.Reading, executes: bool = True
) -> Arguments:
    """Return the arguments that are chosen at every step: any number of the question, and for a text any of its
    links."""
    xp = namespace(reading.states)
    taking = conditions(operations)
    low, high = _bounds(example)
    numbers = inside(example.number_count, example.numbers.shape[0], example.numbers) & (low == low)
    states = [reading.states[example.number_positions]]
    masks = {"number": [numbers]}
    if any(entry.argument == "text" for entry in taking):
        states.append(reading.states[example.link_positions])
        links = xp.permute_dims(example.link_texts, (1, 0)) > ELSEWHERE
        links = links & inside(example.link_count, links.shape[1], example.link_positions)
        masks = {"number": [numbers, xp.zeros_like(links)], "text": [xp.zeros_like(numbers), links]}
    holds = {
        entry.name: _comparison(entry, example, low, high) if entry.argument == "number" else _match(entry, example)
        for entry in (taking if executes else ())
        if soft.compares(entry)
    }
    allowed = xp.stack([xp.concat(masks[entry.argument], axis=1) for entry in taking])
    return Arguments(holds, xp.concat(states), None, allowed, None, None)


def of_question(
    parameters: network.Parameters,
    config: NetworkConfig,
    example: Example,
    reading: network.Reading,
    columns: Float[Array, "columns hidden"],
    selection: Selection,
    force: Float[Array, "conditions columns candidates"] | None,
) -> Arguments:
    """Return one pivot for each comparison and one text match for each column (sections 2.3 and 2.3.1).

    beta_op = softmax(Z U(op));  pivot_op = sum_i beta_op(i) qn_i, or the comparisons are mixed with these weights.
    """
    xp = namespace(reading.states)
    index = {entry.name: place for place, entry in enumerate(config.entries)}
    numbers = inside(example.number_count, example.numbers.shape[0], example.numbers)
    scores = [
        network.pivot_scores(reading.states, example.number_positions, parameters.operations[index[name]])
        for name in COMPARISONS
    ]
    scores = masked(xp.stack(scores), numbers)
    if force is not None:
        scores = scores + force[: scores.shape[0], 0, : scores.shape[1]]
    pivots = selection.choose(scores)
    if config.arguments == "blended":
        values = xp.sum(pivots * example.numbers, axis=1, keepdims=True)
        holds = {name: _paper_comparison(name, example, values[place]) for place, name in enumerate(COMPARISONS)}
        scores, numbers = xp.zeros_like(values), xp.ones((1,), dtype=bool)
    else:
        holds = {name: _paper_comparison(name, example, example.numbers) for name in COMPARISONS}
    allowed = xp.broadcast_to(numbers, scores.shape)
    matches = None
    if config.matches_text:
        matches = selection.decide(network.text_matches(parameters, reading, columns, example))
        cells = xp.take_along_axis(matches, xp.maximum(example.cells, xp.zeros_like(example.cells)), axis=0)
        real = xp.astype(_there(example, example.text_columns) & (example.cells != MISSING), cells.dtype)
        holds["text match"] = (cells * real)[:, :, None]
        scores = xp.pad(scores, ((0, 1), (0, 1)))  # the matched texts are the one candidate of the text match
        allowed = xp.pad(allowed, ((0, 1), (0, 1)))
        corner = (xp.arange(scores.shape[0]) == scores.shape[0] - 1)[:, None]
        allowed = allowed | (corner & (xp.arange(scores.shape[1]) == scores.shape[1] - 1))
    allowed = xp.broadcast_to(allowed[:, None, :], (allowed.shape[0], columns.shape[0], allowed.shape[1]))
    return Arguments(holds, None, scores, allowed, pivots, matches)
