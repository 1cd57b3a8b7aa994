"""Training on the marginal likelihood of sampled programs: draw, execute hard, raise what gave the answer.

The same answers as the soft objective, and nothing more. A program z is a choice at every step: an operation, with the
column and the argument that it uses. P(answer) = sum of P(z) over the programs z that give the answer, and

    grad log P(answer) = sum_z P(z | answer) grad log P(z).

The sum goes over programs that were found, each once: a beam search with Gumbel noise looks for beginnings of T - 1
steps, and each is tried with every last step there is. In the search every decision is mixed with all choices alike, so
that programs are met which the selector does not believe in yet. This is no sample of P(z | answer): which programs are
found, and which of many are kept, depends on the search. What is found is weighted by P(z)^m, m rising from 0 to 1.
"""

from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.base.arrays import Array, contract, log_softmax, one_hot_of_largest
from neural_programmer.learning.batches import Target, Triples, is_lookup, is_scalar
from neural_programmer.learning.programmer import ProgramLearner
from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import Example
from neural_programmer.network.executor import (
    Carry,
    Choice,
    Lookup,
    Prepared,
    memory_of,
    operate,
    prepare,
    remember,
    select,
    start,
)
from neural_programmer.network.soft import formula
from neural_programmer.programs.operations import Operation, acting, conditions
from neural_programmer.programs.same import TOLERANCE

LAST_BEGINNINGS = 8  # beginnings kept at the last but one step, for each sample
PROGRAMS_RAISED = 16  # programs of a question whose probability is raised at a step; more of them say the same
NO_CHOICE = -1e8  # a log-probability below this is that of a choice that does not exist


class Moves(NamedTuple):
    """Everything a step can say, by number: an operation with the column and the argument it uses."""

    operation: Int[np.ndarray, "moves"]
    acting: Int[np.ndarray, "moves"]  # its place among the operations that act on a column
    column: Int[np.ndarray, "moves"]  # 0 where none is used
    condition: Int[np.ndarray, "moves"]  # its place among the operations that take an argument
    argument: Int[np.ndarray, "moves"]
    uses_column: Bool[np.ndarray, "moves"]
    uses_argument: Bool[np.ndarray, "moves"]


def all_moves(operations: tuple[Operation, ...], columns: int, numbers: int, links: int) -> Moves:
    """Return all moves of a table with this many columns and a question with this many numbers and links."""
    acts, takes = acting(operations), conditions(operations)
    rows = []
    for place, entry in enumerate(operations):
        places = acts.index(entry) if entry in acts else 0, takes.index(entry) if entry in takes else 0
        arguments = {"none": (0,), "number": range(numbers), "text": range(numbers, numbers + links)}[entry.argument]
        slots = range(columns) if entry in acts else (0,)
        uses = entry in acts, entry in takes
        rows += [(place, places[0], slot, places[1], argument, *uses) for slot, argument in product(slots, arguments)]
    return Moves(*(np.asarray(part) for part in zip(*rows, strict=True)))


def moves_of(config: NetworkConfig, example: Example) -> Moves:
    links = example.link_positions.shape[0] if config.matches_text else 0
    return all_moves(config.entries, example.table.shape[1], example.numbers.shape[0], links)


def decisions(moves: Moves, prepared: Prepared) -> Float[np.ndarray, "moves decisions"]:
    """Return the decisions that make up each move, one-hot: its operation, and the column and argument that it uses.

    log P(move) is its product with the log-probabilities of the decisions, which is faster than looking them up.
    """
    allowed = prepared.allowed
    operations, (acts, columns) = len(allowed.operation), allowed.column.shape
    takes, _, candidates = allowed.argument.shape
    decision_matrix = np.zeros(
        (len(moves.operation), operations + acts * columns + takes * columns * candidates), np.float32
    )
    places = np.arange(len(decision_matrix))
    decision_matrix[places, moves.operation] = 1
    decision_matrix[places, operations + moves.acting * columns + moves.column] = moves.uses_column
    argument = (moves.condition * columns + moves.column) * candidates + moves.argument
    decision_matrix[places, operations + acts * columns + argument] = moves.uses_argument
    return decision_matrix


def flat(logs: Choice) -> Float[Array, "decisions"]:
    """Return the log-probabilities of all decisions in a row."""
    return jnp.concatenate([part.ravel() for part in logs])


def explored(
    scores: Float[Array, "*many places"], exploration: float, among: Bool[Array, "places"] | None = None
) -> Float[Array, "*many places"]:
    """log((1 - e) P + e / n): with probability e, all n choices alike, of those that exist and are `among` these."""
    exists = wanted = scores > NO_CHOICE
    if among is not None:
        wanted = exists & (among | ~jnp.any(exists & among, axis=-1, keepdims=True))
    alike = wanted / jnp.maximum(jnp.sum(wanted, axis=-1, keepdims=True), 1)
    mixed = (1 - exploration) * jnp.exp(log_softmax(scores)) + exploration * alike
    return jnp.where(exists, jnp.log(jnp.maximum(mixed, 1e-30)), 10 * NO_CHOICE)


def choice_of(moves: Moves, prepared: Prepared, move: Int[Array, ""]) -> Choice:
    """Return a move as a selection for the executor. A column or argument that it does not use is set, and ignored."""
    index, allowed = jax.tree.map(jnp.asarray, moves), prepared.allowed
    columns = allowed.column.shape[1]
    takes, _, candidates = allowed.argument.shape
    column = jax.nn.one_hot(index.column[move], columns)
    argument = jax.nn.one_hot(index.argument[move], candidates)
    return Choice(
        jax.nn.one_hot(index.operation[move], len(allowed.operation)),
        jnp.broadcast_to(column, allowed.column.shape),
        jnp.broadcast_to(argument, (takes, columns, candidates)),
    )


def followed(
    parameters: network.Parameters,
    config: NetworkConfig,
    prepared: Prepared,
    moves: Moves,
    history: network.History,
    move: Int[Array, ""],
) -> tuple[Choice, network.History]:
    """Return a move as a selection, and the history after it.

    The paper's history remembers a column even where the operation uses none: the most probable one.
    """
    choice = choice_of(moves, prepared, move)
    if config.arguments != "step":
        likely = one_hot_of_largest(select(parameters, prepared, history).column)
        choice = choice._replace(column=jnp.where(jnp.asarray(moves.uses_column)[move], choice.column, likely))
    return choice, remember(parameters, config, prepared, history, choice)


class Found(NamedTuple):
    """Programs that give the answer, and log P of all their steps but the last (far below zero where there is none)."""

    programs: Int[Array, "found steps"]
    logs: Float[Array, "found"]


def search(
    parameters: network.Parameters, config: NetworkConfig, triple: Triples, samples: int, exploration: float, key: Array
) -> Found:
    """Look for beginnings of programs, and try every last step: the programs that hit.

    Each step extends every beginning by every move and keeps `samples` of them: those with the largest log-probability
    (with exploration) plus Gumbel noise. Columns are explored among those that the question mentions, if any. What
    follows the last but one step needs no network, so more beginnings are kept there.
    """
    operations = config.entries
    prepared = prepare(parameters, config, triple.example)
    moves = moves_of(config, triple.example)
    decision_matrix = jnp.asarray(decisions(moves, prepared))
    mentioned = jnp.any(triple.example.mentions, axis=1)
    state = jax.tree.map(lambda array: array[None], start(parameters, prepared))
    programs = jnp.zeros((1, 0), jnp.int32)
    logs, proposals = jnp.zeros(1), jnp.zeros(1)
    for step, step_key in enumerate(jax.random.split(key, config.program_steps - 1)):
        scores = jax.vmap(partial(select, parameters, prepared))(state.history)
        believed = Choice(*map(log_softmax, scores))
        mixed = Choice(
            explored(scores.operation, exploration),
            explored(scores.column, exploration, mentioned),
            explored(scores.argument, exploration),
        )
        log_probability, proposal = (contract(jax.vmap(flat)(logs), decision_matrix.T) for logs in (believed, mixed))
        if config.arguments != "step":
            log_probability = _one_number_each(moves, programs, believed, log_probability)
            proposal = _one_number_each(moves, programs, mixed, proposal)
        proposal = proposals[:, None] + proposal
        width = samples if step < config.program_steps - 2 else LAST_BEGINNINGS * samples
        noisy = (proposal + jax.random.gumbel(step_key, proposal.shape)).ravel()
        parents, move = jnp.divmod(jax.lax.top_k(noisy, min(width, proposal.size))[1], proposal.shape[1])
        proposals, logs = proposal[parents, move], logs[parents] + log_probability[parents, move]
        programs = jnp.concatenate([programs[parents], move[:, None]], axis=1)

        def follow(state: Carry, move: Array) -> Carry:
            choice, history = followed(parameters, config, prepared, moves, state.history, move)
            return operate(operations, prepared, state, choice)._replace(history=history)

        state = jax.vmap(follow)(jax.tree.map(lambda array, parents=parents: array[parents], state), move)
    return _finish(operations, prepared, moves, triple.target, state, programs, logs)


def _finish(
    operations: tuple[Operation, ...],
    prepared: Prepared,
    moves: Moves,
    target: Target,
    state: Carry,
    programs: Int[Array, "beginnings steps"],
    logs: Float[Array, "beginnings"],
) -> Found:
    """Try every move that gives an answer, or that there is none, as the last one of every beginning."""
    last = np.asarray([place for place, of in enumerate(moves.operation) if operations[of].updates != "rows"])
    allowed = prepared.allowed
    exists = allowed.operation[moves.operation[last]]
    exists &= allowed.column[moves.acting[last], moves.column[last]] | ~moves.uses_column[last]
    tried = jax.vmap(lambda carry: _right(operations, prepared, target, carry))(state)
    hit = tried & exists & (logs[:, None] > NO_CHOICE)
    total = jnp.where(hit, logs[:, None], 10 * NO_CHOICE)
    ends = jnp.broadcast_to(jnp.asarray(last)[:, None], (*total.shape, 1))
    beginnings = jnp.broadcast_to(programs[:, None], (*total.shape, programs.shape[1]))
    return Found(jnp.concatenate([beginnings, ends], axis=2).reshape(-1, programs.shape[1] + 1), total.ravel())


def _right(
    operations: tuple[Operation, ...], prepared: Prepared, target: Target, carry: Carry
) -> Bool[Array, "last_moves"]:
    """Tell which last moves give the answer: each operation with each of its columns, in the order of the moves."""
    memory, columns = memory_of(prepared, carry), jnp.eye(prepared.table.shape[1])
    right = []
    for entry in operations:
        choices = columns if entry.column != "none" else columns[:1]
        if entry.updates == "scalar":
            soft = formula(entry)
            assert soft is not None, "checks.py refuses operations without a soft definition"
            values = jax.vmap(lambda column, soft=soft: soft(memory, column, None))(choices)
            right.append(target.is_scalar & jax.vmap(is_scalar, (0, None))(values, target))
        elif entry.updates == "lookup":
            looked_up = jax.vmap(lambda column: is_lookup(Lookup(memory.row_select_1, column), target))(choices)
            right.append(looked_up & ~target.is_scalar & ~target.is_none)
        elif entry.updates == "nothing":
            right.append(target.is_none[None])
    return jnp.concatenate(right)


def some(found: Found, merit: Float[Array, ""], key: Array) -> Found:
    """Draw a few of the programs found, without replacement, by P^merit of their beginnings."""
    noise = merit * found.logs + jax.random.gumbel(key, found.logs.shape)
    _, places = jax.lax.top_k(
        jnp.where(found.logs > NO_CHOICE, noise, found.logs), min(PROGRAMS_RAISED, len(found.logs))
    )
    return Found(found.programs[places], found.logs[places])


def _pivots(moves: Moves) -> tuple[Bool[np.ndarray, "moves moves"], Bool[np.ndarray, "moves moves"]]:
    """Tell of two comparisons of one kind whether they have the same number, and whether they have different ones."""
    alike = moves.uses_argument[:, None] & moves.uses_argument & (moves.condition[:, None] == moves.condition)
    same = moves.argument[:, None] == moves.argument
    return alike & same, alike & ~same


def _one_number_each(
    moves: Moves, programs: Int[Array, "beginnings steps"], logs: Choice, of_moves: Float[Array, "beginnings moves"]
) -> Float[Array, "beginnings moves"]:
    """Return the log-probabilities of the moves after these beginnings where the paper's comparisons have one pivot a
    question.

    A move with another pivot is impossible. One with the same pivot does not pay for it again.
    """
    same, different = (jnp.any(jnp.asarray(which)[programs], axis=1) for which in _pivots(moves))
    cost = jnp.where(moves.uses_argument & same, logs.argument[:, moves.condition, moves.column, moves.argument], 0.0)
    return jnp.where(different, 10 * NO_CHOICE, of_moves - cost)


def program_log_probability(
    parameters: network.Parameters,
    config: NetworkConfig,
    prepared: Prepared,
    moves: Moves,
    program: Int[Array, "steps"],
) -> Float[Array, ""]:
    """log P(z), the sum over the steps' moves; a number chosen for the whole question counts once.

    The histories first, step by step, then the selectors of all steps at once.
    """
    first, decision_matrix = start(parameters, prepared).history, jnp.asarray(decisions(moves, prepared))
    steps = np.arange(config.program_steps)
    again = jnp.any(jnp.asarray(_pivots(moves)[0])[program][:, program] & (steps[:, None] > steps), axis=1)
    again = again & (config.arguments != "step")

    def step(history: network.History, move: Array) -> tuple[network.History, network.History]:
        return followed(parameters, config, prepared, moves, history, move)[1], history

    def log(history: network.History, move: Array, again: Array) -> Array:
        logs = Choice(*map(log_softmax, select(parameters, prepared, history)))
        logs = logs._replace(argument=jnp.where(again, 0.0, logs.argument))
        return jnp.sum(decision_matrix[move] * flat(logs))

    _, histories = jax.lax.scan(step, first, program)
    return jnp.sum(jax.vmap(log)(histories, program, again))


def loss(
    parameters: network.Parameters,
    config: NetworkConfig,
    triple: Triples,
    samples: int,
    exploration: float,
    merit: Float[Array, ""],
    uninformative: Float[Array, ""],
    key: Array,
) -> Float[Array, ""]:
    """-sum_z w(z) log P(z),  w(z) = P(z)^m / sum_z P(z)^m, over up to 16 programs found that hit; 0 where none did.

    m is `merit`: 0 at first, 1 after merit_steps. With m = 1 and all hits, the gradient is that of -log P(answer).
    """
    search_key, key = jax.random.split(key)
    found = search(jax.lax.stop_gradient(parameters), config, triple, samples, exploration, search_key)
    found = some(found, merit, key)
    prepared, moves = prepare(parameters, config, triple.example), moves_of(config, triple.example)
    logs = jax.vmap(partial(program_log_probability, parameters, config, prepared, moves))(found.programs)
    hit = found.logs > NO_CHOICE
    logs = jnp.where(hit, logs, 0.0)
    weights = hit * jax.nn.softmax(jnp.where(hit, merit * jax.lax.stop_gradient(logs), NO_CHOICE))
    target = triple.target
    tells = jnp.where(target.is_scalar, jnp.abs(target.scalar) >= TOLERANCE, jnp.any(target.rows)) | target.is_none
    return -jnp.sum(weights * logs) * jnp.where(tells, 1.0, uninformative)


@dataclass(frozen=True)
class MarginalLearner(ProgramLearner):
    """The Neural Programmer, trained on the programs that give the answer."""

    samples: int
    exploration: float
    averaged = True

    def loss(
        self, parameters: network.Parameters, triple: Triples, settings: Any, now: Any, key: Any
    ) -> Float[Array, ""]:
        """Return the loss of one question (see `loss`). A hard choice of a number is the same blended or mixed; mixed,
        all numbers can be tried at once."""
        config = replace(self.config, arguments="mixed") if self.config.arguments == "blended" else self.config
        weight = settings.uninformative
        return loss(parameters, config, triple, self.samples, self.exploration, now.merit, weight, key)
