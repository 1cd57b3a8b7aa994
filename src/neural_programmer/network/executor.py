"""T steps: select an operation, a column and an argument, operate, remember (Algorithm 1 of the paper).

One executor for every way of selecting. A selection is a vector that sums to one: soft (a softmax) or hard (one at the
largest score, or at a choice that was drawn). The operations do not know which it was.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.base.arrays import Array, inside, masked, namespace, scan
from neural_programmer.network import equations as network
from neural_programmer.network.arguments import (
    HARD,
    SOFT,
    Arguments,
    Selection,
    above,
    fits,
    of_question,
    of_steps,
    real,
)
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import Example
from neural_programmer.network.equations import History
from neural_programmer.network.soft import ORDERING, Memory, formula
from neural_programmer.programs.operations import Operation, acting, conditions


class Choice(NamedTuple):
    """A step's selection, or the scores it is made from. What an operation does not use is ignored."""

    operation: Float[Array, "operations"]  # alpha^op_t
    column: Float[Array, "acting columns"]  # alpha^col_t, for each operation that acts on a column
    argument: Float[Array, "conditions columns candidates"]  # beta_op, for each that takes an argument, and its column


class Allowed(NamedTuple):
    """True where there is something to choose, in the places of a choice."""

    operation: Bool[Array, "operations"]
    column: Bool[Array, "acting columns"]
    argument: Bool[Array, "conditions columns candidates"]


class Prepared(NamedTuple):
    """What is computed once, before the steps."""

    asked: network.Asked
    mask: Bool[Array, "words"]  # True where there is a word
    columns: Float[Array, "columns hidden"]  # P
    arguments: Arguments
    belonging: network.Belonging | None  # where arguments are chosen at every step
    allowed: Allowed
    inputs: tuple[Array, Array, Array | None]  # what each choice adds to the history
    table: Float[Array, "rows columns"]
    rows: Float[Array, "rows"]
    present: Float[Array, "rows columns"]
    above: Float[Array, "rows rows*columns"] | None  # for operations that look for the greatest or least


class Lookup(NamedTuple):
    """lookup_answer[i][j] = rows[i] columns[j]"""

    rows: Float[Array, "rows"]
    columns: Float[Array, "columns"]


class Carry(NamedTuple):
    """What goes from one step to the next."""

    history: History  # h_t
    row_select_1: Float[Array, "rows"]
    row_select_2: Float[Array, "rows"]
    scalar_1: Float[Array, ""]
    scalar_2: Float[Array, ""]
    scalar_3: Float[Array, ""]
    lookup: Lookup


class Trace(NamedTuple):
    """The choices and results of every step, each with a leading axis of steps."""

    choice: Choice
    row_select: Float[Array, "steps rows"]
    scalar_answer: Float[Array, "steps"]


class Execution(NamedTuple):
    """The outputs after T steps, and how they came about."""

    scalar_answer: Float[Array, ""]  # scalar_answer_T
    lookup: Lookup  # lookup_answer_T
    gives_scalar: Float[Array, ""]  # the probability that step T updates the scalar answer, and that every step
    gives_lookup: Float[Array, ""]  # acts on a column of the kind it needs; the same for the look-up answer,
    gives_nothing: Float[Array, ""]  # and for none
    trace: Trace
    arguments: Arguments


@np.errstate(invalid="ignore")  # OpenBLAS raises this flag now and then on small products of plain numbers
def execute(
    parameters: network.Parameters,
    config: NetworkConfig,
    example: Example,
    selection: Selection = SOFT,
    force: Choice | None = None,
) -> Execution:
    """Run the network and its operations on one example (Algorithm 1).

    `force`, with a leading axis of steps, is added to the scores: where it is large, its choice is made.
    """
    xp = namespace(parameters.words, example.words)
    operations = config.entries
    prepared = prepare(parameters, config, example, selection, None if force is None else force.argument[0])

    def step(carry: Carry, inputs: tuple[Array, Choice | None]) -> tuple[Carry, Trace]:
        scores = select(parameters, prepared, carry.history)
        if inputs[1] is not None:
            scores = _forced(scores, inputs[1], prepared.arguments.scores is None)
        choice = Choice(*map(selection.choose, scores))
        acting = choice
        if selection is HARD and force is None:
            acting = choice._replace(column=selection.choose(_of_kind(scores.column, fitting)))
        following = operate(operations, prepared, carry, acting)
        following = following._replace(history=remember(parameters, config, prepared, carry.history, choice))
        return following, Trace(acting, following.row_select_1, following.scalar_1)

    fitting = fits(operations, example)
    last, trace = scan(step, start(parameters, prepared), (xp.arange(config.program_steps), force))
    gives = _gives(operations, trace.choice, fitting)
    return Execution(last.scalar_1, last.lookup, *gives, trace, prepared.arguments)


def _of_kind(scores: Float[Array, "acting columns"], fitting: Bool[Array, "acting columns"]) -> Array:
    """The scores of columns, each operation's among those of the kind that it takes, if there is any.

    The paper's network selects a column for all operations alike; what is softly selected of another kind adds nothing,
    so that nothing teaches a step that is not needed which kind to select.
    """
    xp = namespace(scores)
    return masked(scores, fitting | ~xp.any(fitting, axis=1, keepdims=True))


def _forced(scores: Choice, force: Choice, at_every_step: bool) -> Choice:
    """Return the scores with what forces them added. Pivots of the whole question were forced before the steps."""
    argument = scores.argument + force.argument if at_every_step else scores.argument
    return Choice(scores.operation + force.operation, scores.column + force.column, argument)


def prepare(
    parameters: network.Parameters,
    config: NetworkConfig,
    example: Example,
    selection: Selection = HARD,
    force: Float[Array, "conditions columns candidates"] | None = None,
    executes: bool = True,
    fixed: network.Fixed | None = None,
    kept: Float[Array, "hidden"] | None = None,
) -> Prepared:
    """Read the question, find the columns and the arguments; `force` is added to the scores of the paper's pivots.

    Where nothing is going to be executed, the rows of the table are not looked at. `fixed` is `fixed_of` these weights,
    where it is known already. What was read is multiplied by `kept`: training drops some of it.
    """
    xp = namespace(parameters.words, example.words)
    operations = config.entries
    reading = network.read(parameters, example.words, example.word_count, example.meanings)
    if kept is not None:
        reading = reading._replace(question=reading.question * kept, states=reading.states * kept)
    if config.columns == "linked":
        columns = network.linked_columns(parameters, config, reading.states, example)
    elif config.columns == "pointers":
        columns = network.pointed_columns(reading.states, example.mentions)
    else:
        columns = network.column_vectors(parameters, example.names, example.name_counts)
    fitting, acts = fits(operations, example), _places(operations, acting(operations))
    fixed = fixed or fixed_of(parameters, config)
    if config.arguments == "step":
        arguments = of_steps(operations, example, reading, executes)
        if parameters.links is not None:
            states = network.linked_arguments(parameters, config, arguments.states, example)
            arguments = arguments._replace(states=states)
        takes = _places(operations, conditions(operations))
        belonging = network.belonging(parameters, columns, arguments.states, fixed)
        if config.columns == "linked":
            belonging = belonging._replace(arguments=belonging.arguments + _places_of(parameters, config, example))
        some = xp.any(arguments.allowed, axis=2)  # columns with something to take, for those that take
        anyway = xp.ones((1, some.shape[1]), dtype=bool)
        fitting = fitting & xp.concat([some, anyway])[_among(tuple(acts), tuple(takes))]
        any_fits = xp.concat([xp.any(fitting, axis=1), anyway[0, :1]])
        possible = any_fits[_among(tuple(range(len(operations))), tuple(acts))]
    else:
        arguments = of_question(parameters, config, example, reading, columns, selection, force)
        belonging = None
        there = inside(example.column_count, example.table.shape[1], example.table)
        possible, fitting = xp.ones((len(operations),), dtype=bool), xp.broadcast_to(there, fitting.shape)
    allowed = Allowed(possible, fitting, arguments.allowed)
    inputs = network.history_inputs(parameters, columns, arguments.states, fixed)
    rows = xp.astype(inside(example.row_count, example.table.shape[0], example.table), columns.dtype)
    asked = network.ask(parameters, reading, fixed)
    present = xp.astype(real(example, ~example.text_columns), columns.dtype)
    order = above(example) if executes and any(entry.name in ORDERING for entry in operations) else None
    return Prepared(
        asked, reading.mask, columns, arguments, belonging, allowed, inputs, example.table, rows, present, order
    )


def fixed_of(parameters: network.Parameters, config: NetworkConfig) -> network.Fixed:
    """Return what depends on the weights alone."""
    operations = config.entries
    return network.fixed(
        parameters, _places(operations, acting(operations)), _places(operations, conditions(operations))
    )


def _places_of(
    parameters: network.Parameters, config: NetworkConfig, example: Example
) -> Float[Array, "columns candidates"]:
    """Return how far arguments belong to columns by where they stand, and by whether a number is one of the
    column's."""
    xp = namespace(parameters.words, example.words)
    within = xp.astype(example.within, parameters.words.dtype) * parameters.within
    positions = [example.number_positions]
    if config.matches_text:
        positions.append(example.link_positions)
        within = xp.concat(
            [within, xp.zeros_like(xp.permute_dims(example.link_texts, (1, 0)), dtype=within.dtype)], axis=1
        )
    return network.nearness(parameters, example, xp.concat(positions)) + within


@cache
def _among(places: tuple[int, ...], some: tuple[int, ...]) -> Int[np.ndarray, "places"]:
    """Return the place of each of the places among some of them; where it is not there, the place after the last."""
    return np.array([some.index(place) if place in some else len(some) for place in places], np.int32)


def _places(operations: tuple[Operation, ...], some: tuple[Operation, ...]) -> list[int]:
    return [operations.index(entry) for entry in some]


def start(parameters: network.Parameters, prepared: Prepared) -> Carry:
    """Return the state before step 1: h_1 = 0, row_select_0 = row_select_{-1} = 1, scalars 0."""
    xp = namespace(prepared.table, parameters.words)
    zero = xp.zeros((), dtype=prepared.table.dtype)
    nothing = Lookup(xp.zeros_like(prepared.rows), xp.zeros_like(prepared.table[0]))
    return Carry(first_history(parameters, prepared), prepared.rows, prepared.rows, zero, zero, zero, nothing)


def first_history(parameters: network.Parameters, prepared: Prepared) -> History:
    """Return h_1 = 0; of a linked question, tanh of what it has for the steps to use."""
    xp = namespace(parameters.words)
    if parameters.remaining is None:
        return History(xp.zeros(parameters.operations.shape[1], dtype=parameters.operations.dtype))
    candidates = prepared.arguments.states
    assert candidates is not None, "a linked network chooses its arguments at every step"
    left = xp.astype(xp.any(prepared.allowed.argument, axis=(0, 1)), candidates.dtype)
    return History(xp.tanh(network.unused(parameters, candidates, left)), left)


def select(parameters: network.Parameters, prepared: Prepared, remembered: History) -> Choice:
    """Return the scores of a step's operation, column and argument, impossible choices masked (section 2.2)."""
    operation, column, argument = scored(parameters, prepared, remembered)
    allowed, xp = prepared.allowed, namespace(operation)
    shape = (argument.shape[0], prepared.columns.shape[0], argument.shape[2])
    full = operation, xp.broadcast_to(column, allowed.column.shape), xp.broadcast_to(argument, shape)
    return Choice(*(masked(*pair) for pair in zip(full, allowed, strict=True)))


def scored(parameters: network.Parameters, prepared: Prepared, remembered: History) -> Choice:
    """Return the same scores with those of impossible choices left in."""
    history = remembered.state
    arguments, belonging = prepared.arguments, prepared.belonging
    seen = network.attend(prepared.asked, prepared.mask, history)
    operation = network.operation_scores(parameters, seen, history)
    column = network.column_scores(parameters, prepared.columns, seen, history)
    if belonging is None:
        assert arguments.scores is not None
        argument = arguments.scores[:, None, :]
    else:
        column = column + belonging.columns
        argument = network.argument_scores(parameters, arguments.states, belonging.operations, seen, history)
        if remembered.unused is not None:
            argument = argument + parameters.again * (1 - remembered.unused)
        argument = argument[:, None, :] + belonging.arguments
    return Choice(operation, column, argument)


def remember(
    parameters: network.Parameters, config: NetworkConfig, prepared: Prepared, history: History, choice: Choice
) -> History:
    """Return the history after a step (section 2.4); with arguments at every step, it holds what the operation used
    only."""
    xp = namespace(history.state)
    operations = config.entries
    from_operation, from_column, from_argument = prepared.inputs
    chosen = choice.operation @ from_operation
    if from_argument is None:  # the paper remembers a column even where none is used
        chosen = chosen + choice.column[0] @ from_column
        return History(network.next_history(parameters, history.state, chosen))
    used = xp.stack([choice.operation[place] for place in _places(operations, acting(operations))])
    chosen = chosen + (used @ choice.column) @ from_column
    assert prepared.arguments.states is not None
    taken = xp.zeros_like(prepared.arguments.states[:, 0])
    for place, entry in enumerate(conditions(operations)):
        column = choice.column[acting(operations).index(entry)]
        taken = taken + choice.operation[operations.index(entry)] * (column @ choice.argument[place])
    chosen = chosen + taken @ from_argument
    if history.unused is None:
        return History(network.next_history(parameters, history.state, chosen))
    left = history.unused * (1 - taken)
    chosen = chosen + network.unused(parameters, prepared.arguments.states, left)
    return History(network.next_history(parameters, history.state, chosen), left)


def operate(operations: tuple[Operation, ...], prepared: Prepared, carry: Carry, choice: Choice) -> Carry:
    """Add up what the operations give, weighted by their probabilities and those of the columns (section 2.3).

    scalar_answer_t     = a(count) count_t + a(difference) diff_t + sum_j a(j) a(sum) sum_t[j]
    lookup_answer_t[ij] = a(j) a(assign) assign_t[i][j]
    row_select_t[i]     = a(and) and_t[i] + a(or) or_t[i] + a(reset) reset_t[i]
                          + sum_j a(j) (a(greater) g_t[i][j] + a(lesser) l_t[i][j] + a(text match) text_match[i][j])
    """
    xp = namespace(prepared.table, choice.operation)
    memory = memory_of(prepared, carry)
    scalar = xp.zeros_like(carry.scalar_1)
    row_select = xp.zeros_like(prepared.rows)
    lookup = carry.lookup
    for place, entry in enumerate(operations):
        soft = formula(entry)
        if entry.updates == "nothing" or soft is None:  # without a formula: it is run exactly, or not trained so
            continue
        column, argument = _chosen(operations, entry, memory, choice)
        value = soft(memory, column, argument)
        if entry.updates == "lookup":
            lookup = Lookup(value, choice.operation[place] * column)
        elif entry.updates == "scalar":
            scalar = scalar + choice.operation[place] * value
        else:
            row_select = row_select + choice.operation[place] * value
    return Carry(carry.history, row_select, carry.row_select_1, scalar, carry.scalar_1, carry.scalar_2, lookup)


def memory_of(prepared: Prepared, carry: Carry) -> Memory:
    """Return what the operations may read at this step."""
    return Memory(
        prepared.table,
        prepared.rows,
        prepared.present,
        prepared.above,
        prepared.arguments.conditions,
        carry.row_select_1,
        carry.row_select_2,
        carry.scalar_1,
        carry.scalar_3,
    )


def _chosen(
    operations: tuple[Operation, ...], entry: Operation, memory: Memory, choice: Choice
) -> tuple[Float[Array, "columns"], Float[Array, "columns some"] | None]:
    """Return the column and the argument that were chosen for an operation: numbers stand first, texts last."""
    acts, takes = acting(operations), conditions(operations)
    column = choice.column[acts.index(entry) if entry in acts else 0]
    if entry not in takes:
        return column, None
    argument = choice.argument[takes.index(entry)]
    width = memory.conditions[entry.name].shape[2]
    return column, argument[:, :width] if entry.argument == "number" else argument[:, argument.shape[1] - width :]


def _gives(
    operations: tuple[Operation, ...], choice: Choice, fits: Bool[Array, "acting columns"]
) -> tuple[Float[Array, ""], Float[Array, ""], Float[Array, ""]]:
    """Return the probabilities that step T updates the scalar, the look-up answer, nothing; every step on a fitting
    column."""
    xp = namespace(choice.operation)
    misfits = xp.sum(choice.column * xp.astype(~fits, choice.column.dtype), axis=-1)
    acts = xp.stack([choice.operation[:, place] for place in _places(operations, acting(operations))], axis=1)
    fitting = xp.prod(1 - xp.sum(acts * misfits, axis=-1))

    def share(kind: str) -> Float[Array, ""]:
        updates = xp.asarray([entry.updates == kind for entry in operations], dtype=choice.operation.dtype)
        return fitting * xp.sum(choice.operation[-1] * updates)

    return share("scalar"), share("lookup"), share("nothing")
