"""T steps: select an operation and a column, operate, remember (Algorithm 1 of the paper).

One executor for every way of selecting. A selection is a vector that sums to one: soft (a softmax), hard (one at the
largest score) or sampled (one at a draw). The operations do not know which it was.
"""

from collections.abc import Callable
from typing import NamedTuple

from jaxtyping import Float

from neural_programmer import network
from neural_programmer.arrays import (
    Array,
    inside,
    log_probability,
    masked,
    namespace,
    one_hot_of_largest,
    scan,
    softmax,
)
from neural_programmer.config import NetworkConfig
from neural_programmer.encode import Example
from neural_programmer.operations import COMPARISONS, Memory, Pivot, available


class Noise(NamedTuple):
    """Gumbel noise for sampled selections, one draw for every decision; texts are matched without a draw."""

    operation: Float[Array, "steps operations"]
    column: Float[Array, "steps columns"]
    pivots: Float[Array, "comparisons numbers"]


class Selection(NamedTuple):
    """A way of selecting: scores and noise -> a vector that sums to one; a probability of truth -> how true it is."""

    choose: Callable[[Array, Array], Array]
    decide: Callable[[Array], Array]


def _threshold(probability: Float[Array, "*places"]) -> Float[Array, "*places"]:
    """True if more probable than not. The paper hardens the softmaxes alone; a hard program needs this too."""
    return namespace(probability).astype(probability > 0.5, probability.dtype)


SOFT = Selection(lambda scores, noise: softmax(scores), lambda probability: probability)
HARD = Selection(lambda scores, noise: one_hot_of_largest(scores), _threshold)
SAMPLED = Selection(lambda scores, noise: one_hot_of_largest(scores + noise), _threshold)
GIVEN = Selection(lambda scores, choice: choice, _threshold)  # the choices themselves, in the place of the noise


class Trace(NamedTuple):
    """The choices and results of every step."""

    operation: Float[Array, "steps operations"]  # alpha^op_t
    column: Float[Array, "steps columns"]  # alpha^col_t
    operation_log: Float[Array, "steps"]  # the logarithm of the probability of the choice
    column_log: Float[Array, "steps"]
    row_select: Float[Array, "steps rows"]
    scalar_answer: Float[Array, "steps"]


class Execution(NamedTuple):
    """The outputs after T steps, and how they came about."""

    scalar_answer: Float[Array, ""]  # scalar_answer_T
    lookup_answer: Float[Array, "rows columns"]  # lookup_answer_T
    gives_scalar: Float[Array, ""]  # the probability that step T updates the scalar answer, and that every step
    gives_lookup: Float[Array, ""]  # acts on a column of the kind it needs; the same for the look-up answer
    trace: Trace
    pivots: Float[Array, "comparisons numbers"]  # beta_op
    pivot_logs: Float[Array, "comparisons"]
    text_match: Float[Array, "texts columns"]


class Carry(NamedTuple):
    """What goes from one step to the next."""

    history: Array  # h_t
    row_selects: tuple[Array, Array]  # of the last two steps, the last first
    scalars: tuple[Array, Array, Array]  # of the last three steps, the last first
    lookup: Array


def execute(
    parameters: network.Parameters,
    config: NetworkConfig,
    example: Example,
    selection: Selection = SOFT,
    noise: Noise | None = None,
) -> Execution:
    """Run the network and its operations on one example (Algorithm 1). A sampled selection needs noise to draw with."""
    xp = namespace(parameters.words, example.words)
    dtype = parameters.words.dtype
    operations = available(config.text_match)
    index = {operation.name: place for place, operation in enumerate(operations)}
    row_slots, column_slots = example.table.shape
    rows = xp.astype(inside(example.row_count, row_slots, example.table), dtype)
    column_mask = inside(example.column_count, column_slots, example.table)
    number_mask = inside(example.number_count, example.numbers.shape[0], example.numbers)
    zero = xp.zeros((), dtype=dtype)
    if noise is None:
        shapes = noise_shapes(config, example)
        noise = Noise(*(xp.zeros(shape, dtype=dtype) for shape in shapes))

    # Question module, columns, pivots and text matches: once, before the steps
    reading = network.read(parameters, example.words, example.word_count)
    columns = network.column_vectors(parameters, example.names, example.name_counts)
    pivot_scores = [
        network.pivot_scores(reading.states, example.number_positions, parameters.operations[index[name]])
        for name in COMPARISONS
    ]
    pivot_scores = masked(xp.stack(pivot_scores), number_mask)
    betas = selection.choose(pivot_scores, noise.pivots)
    pivot_logs = log_probability(pivot_scores, betas)
    text_columns = xp.astype(example.text_columns, dtype)
    matches = xp.zeros((example.texts.shape[0], column_slots), dtype=dtype)
    matched_rows = xp.zeros_like(example.table)
    if config.text_match:
        matches = selection.decide(network.text_matches(parameters, reading, columns, example))
        matched_rows = xp.take_along_axis(matches, example.cells, axis=0) * rows[:, None] * text_columns
    fixed = Memory(
        table=example.table,
        rows=rows,
        number_columns=xp.astype(column_mask & ~example.text_columns, dtype),
        text_match=matched_rows,
        pivots={name: _pivot(config, example.numbers, betas[place]) for place, name in enumerate(COMPARISONS)},
        row_select_1=rows,
        row_select_2=rows,
        scalar_1=zero,
        scalar_3=zero,
    )

    def step(carry: Carry, draws: tuple[Array, Array]) -> tuple[Carry, Trace]:
        question = network.attend(parameters, reading, carry.history)
        operation_scores = network.operation_scores(parameters, question, carry.history)
        column_scores = masked(network.column_scores(parameters, columns, question, carry.history), column_mask)
        operation = selection.choose(operation_scores, draws[0])
        column = selection.choose(column_scores, draws[1])
        memory = fixed._replace(
            row_select_1=carry.row_selects[0],
            row_select_2=carry.row_selects[1],
            scalar_1=carry.scalars[0],
            scalar_3=carry.scalars[2],
        )
        scalar, lookup, row_select = combine(memory, operations, operation, column)
        history = network.next_history(parameters, carry.history, operation, column, columns)
        following = Carry(history, (row_select, carry.row_selects[0]), (scalar, *carry.scalars[:2]), lookup)
        logs = log_probability(operation_scores, operation), log_probability(column_scores, column)
        return following, Trace(operation, column, *logs, row_select, scalar)

    start = Carry(
        history=xp.zeros(parameters.operations.shape[1], dtype=dtype),  # h_1 = 0
        row_selects=(rows, rows),
        scalars=(zero, zero, zero),
        lookup=xp.zeros_like(example.table),
    )
    last, trace = scan(step, start, (noise.operation, noise.column))
    gives_scalar, gives_lookup = _gives(operations, trace, fixed.number_columns, text_columns)
    return Execution(last.scalars[0], last.lookup, gives_scalar, gives_lookup, trace, betas, pivot_logs, matches)


def noise_shapes(config: NetworkConfig, example: Example) -> Noise:
    """How much noise the decisions of one example take, in the places of the noise."""
    return Noise(
        operation=(config.program_steps, len(available(config.text_match))),
        column=(config.program_steps, example.table.shape[1]),
        pivots=(len(COMPARISONS), example.numbers.shape[0]),
    )


def _gives(
    operations: tuple, trace: Trace, number_columns: Float[Array, "columns"], text_columns: Float[Array, "columns"]
) -> tuple[Float[Array, ""], Float[Array, ""]]:
    """The probabilities that step T updates the scalar and the look-up answer, every step on a fitting column."""
    xp = namespace(number_columns)
    kinds = {"number": number_columns, "text": text_columns}
    fits = xp.stack([kinds.get(entry.column, xp.ones_like(text_columns)) for entry in operations])
    fitting = xp.prod(xp.sum(trace.operation[:, :, None] * fits * trace.column[:, None, :], axis=(1, 2)))

    def share(kind: str) -> Float[Array, ""]:
        updates = xp.asarray([entry.updates == kind for entry in operations], dtype=number_columns.dtype)
        return fitting * xp.sum(trace.operation[-1] * updates)

    return share("scalar"), share("lookup")


def _pivot(config: NetworkConfig, numbers: Float[Array, "numbers"], weights: Float[Array, "numbers"]) -> Pivot:
    """pivot_op = sum_i beta_op(i) qn_i (section 2.3), or every number with its weight where comparisons are mixed."""
    if config.pivot == "mixed":
        return Pivot(numbers, weights)
    xp = namespace(weights)
    return Pivot(xp.sum(weights * numbers, keepdims=True), xp.ones((1,), dtype=weights.dtype))


def combine(
    memory: Memory, operations: tuple, operation: Float[Array, "operations"], column: Float[Array, "columns"]
) -> tuple[Float[Array, ""], Float[Array, "rows columns"], Float[Array, "rows"]]:
    """Add up what the operations give, weighted by their probabilities and those of the columns (section 2.3).

    scalar_answer_t     = a(count) count_t + a(difference) diff_t + sum_j a(j) a(sum) sum_t[j]
    lookup_answer_t[ij] = a(j) a(assign) assign_t[i][j]
    row_select_t[i]     = a(and) and_t[i] + a(or) or_t[i] + a(reset) reset_t[i]
                          + sum_j a(j) (a(greater) g_t[i][j] + a(lesser) l_t[i][j] + a(text match) text_match[i][j])
    """
    xp = namespace(memory.table)
    scalar = xp.zeros_like(memory.scalar_1)
    lookup = xp.zeros_like(memory.table)
    row_select = xp.zeros_like(memory.rows)
    for place, entry in enumerate(operations):
        value = operation[place] * entry.soft(memory)
        if entry.updates == "lookup":
            lookup = lookup + value * column
        elif entry.updates == "scalar":
            scalar = scalar + (value if entry.column == "none" else xp.sum(value * column))
        else:
            row_select = row_select + (value if entry.column == "none" else xp.sum(value * column, axis=-1))
    return scalar, lookup, row_select
