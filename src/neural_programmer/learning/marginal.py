"""Training on the marginal likelihood of sampled programs: draw, execute hard, raise what gave the answer.

The same answers as the soft objective, and nothing more. A program z is a choice at every step: an operation, with the
column and the argument that it uses. P(answer) = sum of P(z) over the programs z that give the answer, and

    grad log P(answer) = sum_z P(z | answer) grad log P(z).

The sum goes over the programs found: beginnings of T - 1 steps are drawn without replacement, so that none is met
twice, and each is tried with every last step there is. While they are drawn, every decision is now and then made from
all choices alike, so that programs are met which the selector does not believe in yet.
"""

from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer import network
from neural_programmer.arrays import Array, log_softmax, one_hot_of_largest
from neural_programmer.config import NetworkConfig
from neural_programmer.encode import Example
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.executor import Carry, Choice, Prepared, operate, prepare, remember, select, start
from neural_programmer.learning.batches import Target, Triples, is_lookup, is_scalar
from neural_programmer.learning.soft import SoftLearner
from neural_programmer.operations import Operation, available, conditions

KEPT = 16  # programs of a question whose probability is raised at a step; more of them say the same
NEVER = -1e8  # a log-probability below this is that of a choice that does not exist


class Moves(NamedTuple):
    """Everything a step can say, by number: an operation with the column and the argument it uses."""

    operation: Int[np.ndarray, "moves"]
    column: Int[np.ndarray, "moves"]  # 0 where none is used
    condition: Int[np.ndarray, "moves"]
    argument: Int[np.ndarray, "moves"]
    uses_column: Bool[np.ndarray, "moves"]
    uses_argument: Bool[np.ndarray, "moves"]


def moves(operations: tuple[Operation, ...], columns: int, numbers: int, words: int) -> Moves:
    """All moves of a table with this many columns and a question with this many numbers and words."""
    taking = conditions(operations)
    rows = []
    for place, entry in enumerate(operations):
        condition = taking.index(entry) if entry in taking else 0
        arguments = {"none": (0,), "number": range(numbers), "text": range(numbers, numbers + words)}[entry.argument]
        slots = range(columns) if entry.column != "none" else (0,)
        uses = entry.column != "none", entry.argument != "none"
        rows += [(place, slot, condition, argument, *uses) for slot, argument in product(slots, arguments)]
    return Moves(*(np.asarray(part) for part in zip(*rows, strict=True)))


def moves_of(config: NetworkConfig, example: Example) -> Moves:
    words = example.words.shape[0] if config.text_match else 0
    return moves(available(config.text_match), example.table.shape[1], example.numbers.shape[0], words)


def add_up(moves: Moves, logs: Choice) -> Float[Array, "moves"]:
    """log P of every move: its operation's, and its column's and argument's where the operation uses them."""
    column = jnp.where(moves.uses_column, logs.column[moves.operation, moves.column], 0.0)
    argument = jnp.where(moves.uses_argument, logs.argument[moves.condition, moves.argument], 0.0)
    return logs.operation[moves.operation] + column + argument


def explored(
    scores: Float[Array, "*many places"], exploration: float, among: Bool[Array, "places"] | None = None
) -> Float[Array, "*many places"]:
    """log((1 - e) P + e / n): with probability e, all n choices alike, of those that exist and are `among` these."""
    exists = wanted = scores > NEVER
    if among is not None:
        wanted = exists & (among | ~jnp.any(exists & among, axis=-1, keepdims=True))
    alike = wanted / jnp.maximum(jnp.sum(wanted, axis=-1, keepdims=True), 1)
    mixed = (1 - exploration) * jnp.exp(log_softmax(scores)) + exploration * alike
    return jnp.where(exists, jnp.log(jnp.maximum(mixed, 1e-30)), 10 * NEVER)


def choice_of(config: NetworkConfig, moves: Moves, scores: Choice, move: Int[Array, ""]) -> Choice:
    """A move as a selection for the executor.

    The paper's history remembers a column even if the operation used none: it is the most probable one then.
    """
    table = jax.tree.map(jnp.asarray, moves)
    operations, columns = scores.column.shape
    operation = jax.nn.one_hot(table.operation[move], operations)
    column = jax.nn.one_hot(table.column[move], columns)
    if config.arguments != "step":
        column = jnp.where(table.uses_column[move], column, one_hot_of_largest(scores.column[0]))
    argument = jax.nn.one_hot(table.argument[move], scores.argument.shape[1])
    return Choice(
        operation, jnp.broadcast_to(column, scores.column.shape), jnp.broadcast_to(argument, scores.argument.shape)
    )


class Found(NamedTuple):
    """Programs that give the answer, and the logarithms of their probabilities (far below zero where there is none)."""

    programs: Int[Array, "found steps"]
    logs: Float[Array, "found"]


def search(
    parameters: network.Parameters, config: NetworkConfig, triple: Triples, samples: int, exploration: float, key: Array
) -> Found:
    """Draw beginnings of programs without replacement, and try every last step: the programs that hit.

    Each step extends every beginning by every move and keeps `samples` of them, drawn by their probability: those with
    the largest log-probability plus Gumbel noise. Columns are explored among those that the question mentions, if any.
    """
    operations = available(config.text_match)
    prepared = prepare(parameters, config, triple.example)
    table = moves_of(config, triple.example)
    mentioned = jnp.any(triple.example.mentions, axis=1)
    state = jax.tree.map(lambda array: array[None], start(parameters, prepared))
    programs = jnp.zeros((1, 0), jnp.int32)
    logs, proposals = jnp.zeros(1), jnp.zeros(1)
    for step_key in jax.random.split(key, config.program_steps - 1):
        scores = jax.vmap(partial(select, parameters, operations, prepared))(state.history)
        own = jax.vmap(partial(add_up, table))(Choice(*map(log_softmax, scores)))
        drawn = jax.vmap(partial(add_up, table))(
            Choice(
                explored(scores.operation, exploration),
                explored(scores.column, exploration, mentioned),
                explored(scores.argument, exploration),
            )
        )
        if config.arguments != "step":
            own, drawn = _one_number_each(table, programs, scores, own, drawn)
        drawn = proposals[:, None] + drawn
        _, places = jax.lax.top_k((drawn + jax.random.gumbel(step_key, drawn.shape)).ravel(), min(samples, drawn.size))
        parents, move = jnp.divmod(places, drawn.shape[1])
        proposals, logs = drawn[parents, move], logs[parents] + own[parents, move]
        programs = jnp.concatenate([programs[parents], move[:, None]], axis=1)

        def follow(state: Carry, scores: Choice, move: Array) -> Carry:
            choice = choice_of(config, table, scores, move)
            following = operate(operations, prepared, state, choice)
            return following._replace(history=remember(parameters, config, prepared, state.history, choice))

        of_parents = partial(jax.tree.map, lambda array, parents=parents: array[parents])
        state = jax.vmap(follow)(of_parents(state), of_parents(scores), move)
    return _finish(parameters, config, prepared, table, triple.target, state, programs, logs)


def some(found: Found, merit: Float[Array, ""], key: Array) -> Found:
    """A few of the programs found, drawn without replacement by P(z)^merit."""
    noise = merit * found.logs + jax.random.gumbel(key, found.logs.shape)
    _, places = jax.lax.top_k(jnp.where(found.logs > NEVER, noise, found.logs), min(KEPT, len(found.logs)))
    return Found(found.programs[places], found.logs[places])


def _finish(
    parameters: network.Parameters,
    config: NetworkConfig,
    prepared: Prepared,
    table: Moves,
    target: Target,
    state: Carry,
    programs: Int[Array, "beginnings steps"],
    logs: Float[Array, "beginnings"],
) -> Found:
    """Try every move that gives an answer as the last one of every beginning."""
    operations = available(config.text_match)
    last = np.asarray([place for place, of in enumerate(table.operation) if operations[of].updates != "rows"])
    ending = Moves(*(part[last] for part in table))
    is_last_scalar = np.asarray([operations[of].updates == "scalar" for of in ending.operation])

    def finish(state: Carry) -> tuple[Array, Array]:
        scores = select(parameters, operations, prepared, state.history)

        def right(move: Array) -> Array:
            ended = operate(operations, prepared, state, choice_of(config, table, scores, move))
            return jnp.where(target.is_scalar, is_scalar(ended.scalar_1, target), is_lookup(ended.lookup, target))

        own = add_up(ending, Choice(*map(log_softmax, scores)))
        return jax.vmap(right)(jnp.asarray(last)) & (is_last_scalar == target.is_scalar) & (own > NEVER), own

    hit, own = jax.vmap(finish)(state)
    total = jnp.where(hit & (logs[:, None] > NEVER), logs[:, None] + own, 10 * NEVER)
    ends = jnp.broadcast_to(jnp.asarray(last)[:, None], (*total.shape, 1))
    beginnings = jnp.broadcast_to(programs[:, None], (*total.shape, programs.shape[1]))
    return Found(jnp.concatenate([beginnings, ends], axis=2).reshape(-1, programs.shape[1] + 1), total.ravel())


def _pivots(table: Moves) -> tuple[Bool[np.ndarray, "moves moves"], Bool[np.ndarray, "moves moves"]]:
    """Of two comparisons of one kind: whether they have the same number, and whether they have different ones."""
    alike = table.uses_argument[:, None] & table.uses_argument & (table.condition[:, None] == table.condition)
    same = table.argument[:, None] == table.argument
    return alike & same, alike & ~same


def _one_number_each(
    table: Moves, programs: Int[Array, "beginnings steps"], scores: Choice, own: Array, drawn: Array
) -> tuple[Float[Array, "beginnings moves"], Float[Array, "beginnings moves"]]:
    """The paper's comparisons have one pivot a question: another number cannot follow, the same one costs nothing."""
    same, different = map(jnp.asarray, _pivots(table))
    cost = jnp.where(table.uses_argument, log_softmax(scores.argument)[:, table.condition, table.argument], 0.0)
    cost = jnp.where(jnp.any(same[programs], axis=1), cost, 0.0)
    impossible = jnp.any(different[programs], axis=1)
    return jnp.where(impossible, 10 * NEVER, own - cost), jnp.where(impossible, 10 * NEVER, drawn - cost)


def program_log_probability(
    parameters: network.Parameters,
    config: NetworkConfig,
    prepared: Prepared,
    table: Moves,
    program: Int[Array, "steps"],
) -> Float[Array, ""]:
    """log P(z), the sum over the steps' moves; a number chosen for the whole question counts once."""
    operations = available(config.text_match)
    steps = np.arange(config.program_steps)
    again = jnp.any(jnp.asarray(_pivots(table)[0])[program][:, program] & (steps[:, None] > steps), axis=1)
    again = again & (config.arguments != "step")

    def step(history: Array, inputs: tuple[Array, Array]) -> tuple[Array, Array]:
        move, again = inputs
        scores = select(parameters, operations, prepared, history)
        logs = Choice(*map(log_softmax, scores))
        log = add_up(table, logs._replace(argument=jnp.where(again, 0.0, logs.argument)))[move]
        choice = choice_of(config, table, scores, move)
        return remember(parameters, config, prepared, history, choice), log

    return jnp.sum(jax.lax.scan(step, start(parameters, prepared).history, (program, again))[1])


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
    """-sum_z w(z) log P(z) over the programs found that hit, w(z) = P(z)^merit normalised; nothing where none did."""
    search_key, key = jax.random.split(key)
    found = search(jax.lax.stop_gradient(parameters), config, triple, samples, exploration, search_key)
    found = some(found, merit, key)
    hit = found.logs > NEVER
    weights = hit * jnp.exp(merit * (found.logs - jnp.max(found.logs)))
    weights = weights / jnp.maximum(jnp.sum(weights), 1e-30)
    prepared = prepare(parameters, config, triple.example)
    table = moves_of(config, triple.example)
    logs = jax.vmap(partial(program_log_probability, parameters, config, prepared, table))(found.programs)
    target = triple.target
    tells = jnp.where(target.is_scalar, target.scalar != 0, jnp.any(target.rows))
    return -jnp.sum(weights * jnp.where(hit, logs, 0.0)) * jnp.where(tells, 1.0, uninformative)


@dataclass(frozen=True)
class MarginalLearner(SoftLearner):
    """The Neural Programmer, trained on the programs that give the answer."""

    samples: int
    exploration: float
    averaged = True

    def __post_init__(self) -> None:
        if self.config.text_match and self.config.arguments != "step":
            raise NeuralProgrammerError(
                "the marginal objective draws the words to match, which the paper's text match does not choose; train "
                "with --arguments step, or with --objective soft"
            )

    def loss(
        self, parameters: network.Parameters, triple: Triples, settings: Any, now: Any, key: Any
    ) -> Float[Array, ""]:
        """A hard choice of a number is the same blended or mixed; mixed, all numbers can be tried at once."""
        config = replace(self.config, arguments="mixed") if self.config.arguments == "blended" else self.config
        weight = settings.uninformative
        return loss(parameters, config, triple, self.samples, self.exploration, now.merit, weight, key)
