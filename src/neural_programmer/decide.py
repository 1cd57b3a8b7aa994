"""Which program does a question ask for? Selects and remembers, step by step, without executing anything."""

from functools import cache
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer import network
from neural_programmer.arrays import Array, namespace, scan
from neural_programmer.config import NetworkConfig
from neural_programmer.encode import Example
from neural_programmer.executor import Choice, Prepared, first_history, prepare, scored, select
from neural_programmer.network import History
from neural_programmer.operations import OPERATIONS, Operation, acting, conditions, named

NEVER = -1e9  # the score of what is no move
DIFFERENCE = 5  # steps: the rows of one text, their sum, those of another, their sum, and the difference
WIDTH, GAP = 4, 4.0  # of the search for the most probable program


class Uses(NamedTuple):
    """For each operation its place among those that act on a column, and among those that take an argument, or -1."""

    column: Int[np.ndarray, "operations"]
    argument: Int[np.ndarray, "operations"]


def uses(config: NetworkConfig) -> Uses:
    return _uses(named(config.operations))


@cache
def _uses(operations: tuple[Operation, ...]) -> Uses:
    def places(some: tuple[Operation, ...]) -> Int[np.ndarray, "operations"]:
        return np.asarray([some.index(entry) if entry in some else -1 for entry in operations], np.int32)

    return Uses(places(acting(operations)), places(conditions(operations)))


def move_scores(
    parameters: network.Parameters, config: NetworkConfig, prepared: Prepared, history: History
) -> Float[Array, "operations columns candidates"]:
    """The score of every move: that of its operation, and of the column and the argument where it uses them.

    P(move) is their softmax over all moves. What does not use a column or an argument stands at place 0.
    """
    xp = namespace(history.state)
    scores = select(parameters, prepared, history)
    of_column, of_argument = uses(config)
    _, columns, candidates = prepared.allowed.argument.shape
    no_column = xp.where(xp.arange(columns) == 0, 0.0, NEVER)[None]
    no_argument = xp.broadcast_to(xp.where(xp.arange(candidates) == 0, 0.0, NEVER), (1, columns, candidates))
    column = xp.concat([scores.column, no_column])[of_column]  # -1 is the last
    argument = xp.concat([scores.argument, no_argument])[of_argument]
    return scores.operation[:, None, None] + column[:, :, None] + argument


def followed(
    parameters: network.Parameters,
    config: NetworkConfig,
    prepared: Prepared,
    history: History,
    move: Int[Array, "3"],
) -> History:
    """The history after a move (section 2.4): as `executor.remember` of a hard choice, by looking up."""
    xp = namespace(history.state)
    operation, column, argument = move[0], move[1], move[2]
    from_operation, from_column, from_argument = prepared.inputs
    assert from_argument is not None and history.unused is not None, "of linked questions"  # noqa: PT018
    of_column, of_argument = (xp.asarray(part) for part in uses(config))
    acts = xp.astype(of_column[operation] >= 0, history.state.dtype)
    takes = xp.astype(of_argument[operation] >= 0, history.state.dtype)
    chosen = from_operation[operation] + acts * from_column[column] + takes * from_argument[argument]
    left = history.unused * (1 - takes * xp.astype(xp.arange(history.unused.shape[0]) == argument, takes.dtype))
    chosen = chosen + network.unused(parameters, prepared.arguments.states, left)
    return History(network.next_history(parameters, history.state, chosen), left)


def decided(
    parameters: network.Parameters, config: NetworkConfig, example: Example
) -> tuple[Int[Array, "steps 3"], Float[Array, "steps"]]:
    """The most probable move of every step given those before it, and its log-probability.

    Where an operation uses no column or argument, its place is 0.
    """
    prepared = prepare(parameters, config, example, executes=False)
    xp = namespace(parameters.words, example.words)

    def step(history: History, _: Array) -> tuple[History, tuple[Array, Array]]:
        scores = move_scores(parameters, config, prepared, history)
        flat = xp.reshape(scores, (-1,))
        best = xp.argmax(flat)
        operation, rest = best // (scores.shape[1] * scores.shape[2]), best % (scores.shape[1] * scores.shape[2])
        move = xp.stack([operation, rest // scores.shape[2], rest % scores.shape[2]])
        log = -xp.log(xp.sum(xp.exp(flat - flat[best])))
        return followed(parameters, config, prepared, history, move), (move, log)

    return scan(step, first_history(parameters, prepared), (xp.arange(config.program_steps),))[1]


class Beginning(NamedTuple):
    """The first moves of a program, with what is remembered of them and the log of their probability."""

    log: float
    moves: tuple[tuple[int, int, int], ...]
    history: History


def best(
    parameters: network.Parameters,
    config: NetworkConfig,
    example: Example,
    fixed: network.Fixed | None = None,
    width: int = WIDTH,
    gap: float = GAP,
) -> list[tuple[Int[np.ndarray, "steps 3"], float]]:
    """The most probable programs that a beam finds, each with the log of its probability; in NumPy.

    At every step the best `width` beginnings are kept, of those that are at most exp(`gap`) times less probable than
    the best. Nothing is said twice (see `_senseless`), so that a question with few arguments has a short program.
    """
    prepared = prepare(parameters, config, example, executes=False, fixed=fixed)
    possible = _possible(config, prepared)
    resets = config.program_steps - _longest(config, int(prepared.allowed.argument.any(axis=(0, 1)).sum()))
    reset = np.array([config.operations.index("reset"), 0, 0])
    selecting = np.array([entry.updates == "rows" for entry in named(config.operations)])  # what gives no answer
    history = first_history(parameters, prepared)
    for _ in range(resets):
        history = followed(parameters, config, prepared, history, reset)
    beginnings = [Beginning(0.0, (tuple(reset.tolist()),) * resets, history)]
    for step in range(resets, config.program_steps):
        found: list[tuple[float, int, Beginning]] = []
        for one in beginnings:
            scores = _scores(scored(parameters, prepared, one.history), possible)
            largest = scores.max()
            logs = scores - (largest + np.log(np.exp(scores - largest).sum()) - one.log)
            logs[_senseless(config, possible, one.moves, example.numbers.shape[0])] = NEVER
            if step == config.program_steps - 1:
                logs[selecting[possible.moves[:, 0]]] = NEVER
            places = np.argsort(-logs, kind="stable")[:width].tolist()
            found += [(float(logs[place]), place, one) for place in places]
        found.sort(key=lambda each: (-each[0], each[1]))
        last = step == config.program_steps - 1
        beginnings = []
        for log, place, one in found[:width]:
            if log > found[0][0] - gap:
                move = possible.moves[place]
                history = one.history if last else followed(parameters, config, prepared, one.history, move)
                beginnings.append(Beginning(log, (*one.moves, tuple(move.tolist())), history))
    return [(np.array(one.moves), one.log) for one in beginnings]


def _longest(config: NetworkConfig, arguments: int) -> int:
    """Steps of a program that uses every argument once: conditions, joined, the greatest or least of their rows, and an
    output; or of a difference."""
    return min(config.program_steps, max(2 * arguments + 1, DIFFERENCE))


class Possible(NamedTuple):
    """The moves that there are: operation, column and argument, 0 where it uses none; as `move_scores` has them."""

    moves: Int[np.ndarray, "moves 3"]
    acts: Int[np.ndarray, "moves"]  # the place of the operation among those that act on a column, or -1
    takes: Int[np.ndarray, "moves"]  # and among those that take an argument


def _possible(config: NetworkConfig, prepared: Prepared) -> Possible:
    of_column, of_argument = uses(config)
    parts = []
    for operation in np.flatnonzero(prepared.allowed.operation).tolist():
        if of_column[operation] < 0:
            parts.append(np.array([[operation, 0, 0]]))
            continue
        fitting = prepared.allowed.column[of_column[operation]][:, None]
        if of_argument[operation] >= 0:
            fitting = fitting & prepared.allowed.argument[of_argument[operation]]
        places = np.argwhere(fitting)
        parts.append(np.concatenate([np.full((len(places), 1), operation), places], axis=1))
    moves = np.concatenate(parts)
    return Possible(moves, of_column[moves[:, 0]], of_argument[moves[:, 0]])


def _scores(scores: Choice, possible: Possible) -> Float[np.ndarray, "moves"]:
    """`move_scores` of the possible moves alone."""
    operation, column, argument = possible.moves.T
    result = scores.operation[operation] + np.where(possible.acts >= 0, scores.column[possible.acts, column], 0.0)
    return result + np.where(possible.takes >= 0, scores.argument[possible.takes, column, argument], 0.0)


def _senseless(
    config: NetworkConfig, possible: Possible, before: tuple[tuple[int, int, int], ...], numbers: int
) -> Bool[np.ndarray, "moves"]:
    """Which moves should not follow: a number is not compared with the same column twice, no text is used twice, and
    two texts of one column are not joined by `and`, for no row is both. After a number was computed, all begins anew.
    """
    result = np.zeros(len(possible.moves), bool)
    computed = [
        step for step, move in enumerate(before, 1) if OPERATIONS[config.operations[move[0]]].updates == "scalar"
    ]
    for operation, column, argument in before[max(computed, default=0) :]:
        if uses(config).argument[operation] >= 0:
            again = (possible.takes >= 0) & (possible.moves[:, 2] == argument)
            result |= again if argument >= numbers else again & (possible.moves[:, 1] == column)
    if len(before) > 1 and before[-1][:2] == before[-2][:2] and config.operations[before[-1][0]] == "text match":
        result |= possible.moves[:, 0] == config.operations.index("and")
    return result
