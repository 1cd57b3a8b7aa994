"""Propose programs for a question, step by step, without running them: a beam search over the moves of every step."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.base.arrays import Array, namespace
from neural_programmer.base.limits import check_time
from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import Example
from neural_programmer.network.equations import History
from neural_programmer.network.executor import Prepared, first_history, prepare, scored, select
from neural_programmer.programs.operations import Operation, acting, conditions

NEVER = -1e9  # the score of what is no move
ANY = -1  # in a forced move: what the network may decide
DIFFERENCE_STEPS = 5  # steps: the rows of one text, their sum, those of another, their sum, and the difference
Found = list[tuple[Int[np.ndarray, "_ 3"], float]]  # programs, each with the log of its probability


class Uses(NamedTuple):
    """For each operation its place among those that act on a column, and among those that take an argument, or -1."""

    column: Int[np.ndarray, "operations"]
    argument: Int[np.ndarray, "operations"]


def uses(config: NetworkConfig) -> Uses:
    return _uses(config.entries)


@lru_cache(256)
def _uses(operations: tuple[Operation, ...]) -> Uses:
    def places(some: tuple[Operation, ...]) -> Int[np.ndarray, "operations"]:
        return np.asarray([some.index(entry) if entry in some else -1 for entry in operations], np.int32)

    return Uses(places(acting(operations)), places(conditions(operations)))


def move_scores(
    parameters: network.Parameters, config: NetworkConfig, prepared: Prepared, history: History
) -> Float[Array, "operations columns candidates"]:
    """Return the score of every move: that of its operation, and of the column and the argument where it uses them.

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
    """Return the history after a move (section 2.4): that of `executor.remember` after a hard choice, by looking up."""
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


class Possible(NamedTuple):
    """The moves that there are: operation, column and argument, 0 where it uses none; as `move_scores` has them."""

    moves: Int[np.ndarray, "moves 3"]
    acts: Int[np.ndarray, "moves"]  # the place of the operation among those that act on a column, or -1
    takes: Int[np.ndarray, "moves"]  # and among those that take an argument


class Beginning(NamedTuple):
    """The first moves of a program, the history after them, and the log of their probability."""

    log: float
    moves: tuple[tuple[int, int, int], ...]
    history: History


class Consideration(NamedTuple):
    """What the network weighs at a step: the probability of every possible move, and how much attention each word
    gets."""

    probabilities: Float[np.ndarray, "moves"]
    attention: Float[np.ndarray, "words"]


@dataclass(frozen=True)
class Beam:
    """A question whose programs are searched step by step: the most probable beginnings are followed."""

    parameters: network.Parameters
    config: NetworkConfig
    prepared: Prepared
    possible: Possible
    numbers: int  # candidates for an argument that are numbers; the others are texts
    tried = 0  # whole programs
    left_out = False  # whether there are more, which were not tried

    def best(self, forced: Sequence[tuple[int, int, int]] = (), width: int = 0, gap: float | None = None) -> Found:
        """Return the most probable programs that the beam finds, each with the log of its probability.

        At every step the best `width` beginnings are kept, of those that are at most exp(`gap`) times less probable
        than the best, both the network's own where nothing else is said. Nothing is said twice (see `_senseless`), so
        that a question with few arguments has a short program.

        With `forced`, these are the most probable programs that begin with the forced moves, after any number of
        resets; where a forced move has ANY, the network decides. There are none if no such program gives an answer.
        """
        width, gap = width or self.config.width, self.config.gap if gap is None else gap
        steps, reset = self.config.program_steps, self.config.operations.index("reset")
        if len(forced) > steps:
            return []
        arguments = int(self.prepared.allowed.argument.any(axis=(0, 1)).sum())
        resets = steps - max(_longest(self.config, arguments), len(forced))
        start = Beginning(0.0, (), first_history(self.parameters, self.prepared))
        for _ in range(resets):
            start = _with(self, start, np.array([reset, 0, 0]), 0.0)
        again = fitting(self.possible, (reset, ANY, ANY))
        given = [fitting(self.possible, move) for move in forced]
        if given:
            given[0] = given[0] & ~again  # else the program would begin later
        more = range(steps - resets - len(given) + 1) if given else range(1)
        found = [one for count in more for one in _searched(self, start, [again] * count + given, width, gap)]
        found.sort(key=lambda one: -one.log)
        return [(np.array(one.moves), one.log) for one in found[:width] if one.log > found[0].log - gap]

    def considered(self, program: Int[np.ndarray, "steps 3"]) -> list[Consideration]:
        """Return what the network considers at every step of a program, after the steps before it."""
        history, result = first_history(self.parameters, self.prepared), []
        for move in program:
            attention = network.attention(self.prepared.asked, self.prepared.mask, history.state)
            result.append(Consideration(np.exp(_log_probabilities(self, history)), attention))
            history = followed(self.parameters, self.config, self.prepared, history, move)
        return result


def search(
    parameters: network.Parameters, config: NetworkConfig, example: Example, fixed: network.Fixed | None = None
) -> Beam:
    """Read a question, once for all that is decided on it; in NumPy."""
    return searching(parameters, config, prepare(parameters, config, example, executes=False, fixed=fixed), example)


def searching(parameters: network.Parameters, config: NetworkConfig, prepared: Prepared, example: Example) -> Beam:
    """Return the beam of a question that was read (see executor.prepare); in NumPy."""
    return Beam(parameters, config, prepared, _possible(config, prepared), example.numbers.shape[0])


def to_decline(config: NetworkConfig) -> list[tuple[int, int, int]]:
    """Return what to force on a beam (see Beam.best) so that it declines: nothing where no operation does."""
    return [(config.operations.index("decline"), ANY, ANY)] if "decline" in config.operations else []


def _searched(
    asked: Beam, start: Beginning, given: list[Bool[np.ndarray, "moves"]], width: int, gap: float
) -> list[Beginning]:
    """Return the programs that a beam finds from a beginning; each of the next steps is one of the moves given for
    it."""
    steps, possible = asked.config.program_steps, asked.possible
    every = np.ones(len(possible.moves), bool)
    selects = np.array([entry.updates == "rows" for entry in asked.config.entries])  # and gives no answer
    declines = np.array([entry.updates == "nothing" for entry in asked.config.entries])
    allowed = [*given, *[every] * (steps - len(start.moves) - len(given))]
    for place in range(min(len(given), len(allowed) - 1)):
        allowed[place] = allowed[place] & ~declines[possible.moves[:, 0]]  # nothing follows a step that declines
    allowed[-1] = allowed[-1] & ~selects[possible.moves[:, 0]]
    if not all(moves.any() for moves in allowed):
        return []
    beginnings = [start]
    for moves in allowed:
        check_time()
        found: list[tuple[float, int, Beginning]] = []
        for one in beginnings:
            logs = one.log + _log_probabilities(asked, one.history)
            sensible = moves & ~_senseless(asked.config, possible, one.moves, asked.numbers)
            logs[~(sensible if sensible.any() else moves)] = NEVER
            places = np.argsort(-logs, kind="stable")[:width].tolist()
            found += [(float(logs[place]), place, one) for place in places]
        found.sort(key=lambda each: (-each[0], each[1]))
        beginnings = [
            _with(asked, one, possible.moves[place], log)
            for log, place, one in found[:width]
            if log > found[0][0] - gap
        ]
    return beginnings


def _with(asked: Beam, one: Beginning, move: Int[np.ndarray, "3"], log: float) -> Beginning:
    """Return a beginning with a move more."""
    moves = (*one.moves, tuple(move.tolist()))
    if len(moves) == asked.config.program_steps:  # nothing follows
        return Beginning(log, moves, one.history)
    return Beginning(log, moves, followed(asked.parameters, asked.config, asked.prepared, one.history, move))


def _longest(config: NetworkConfig, arguments: int) -> int:
    """Return the steps of a program that uses every argument once: conditions, joined, the greatest or least of their
    rows, and an output; or those of a difference."""
    return min(config.program_steps, max(2 * arguments + 1, DIFFERENCE_STEPS))


def _possible(config: NetworkConfig, prepared: Prepared) -> Possible:
    of_column, of_argument = uses(config)
    _, columns, candidates = prepared.allowed.argument.shape
    first_column, first_candidate = np.zeros((1, columns), bool), np.zeros((1, columns, candidates), bool)
    first_column[:, :1] = first_candidate[:, :, :1] = True  # of what uses none; -1 is the last
    fitting = np.concatenate([prepared.allowed.column, first_column])[of_column][:, :, None]
    fitting = fitting & np.concatenate([prepared.allowed.argument, first_candidate])[of_argument]
    moves = np.argwhere(fitting & prepared.allowed.operation[:, None, None])
    return Possible(moves, of_column[moves[:, 0]], of_argument[moves[:, 0]])


def fitting(possible: Possible, move: tuple[int, int, int]) -> Bool[np.ndarray, "moves"]:
    """Tell which of the possible moves match this one. ANY matches all, and moves that use no column or argument."""
    used = possible.moves.copy()
    used[possible.acts < 0, 1] = used[possible.takes < 0, 2] = ANY
    return np.all((np.array(move) == ANY) | (used == move), axis=1)


def _log_probabilities(asked: Beam, history: History) -> Float[np.ndarray, "moves"]:
    """Return the log of the softmax of `move_scores` over the possible moves."""
    scores, possible = scored(asked.parameters, asked.prepared, history), asked.possible
    operation, column, argument = possible.moves.T
    result = scores.operation[operation] + np.where(possible.acts >= 0, scores.column[possible.acts, column], 0.0)
    result = result + np.where(possible.takes >= 0, scores.argument[possible.takes, column, argument], 0.0)
    largest = result.max()
    return result - (largest + np.log(np.exp(result - largest).sum()))


def _senseless(
    config: NetworkConfig, possible: Possible, before: tuple[tuple[int, int, int], ...], numbers: int
) -> Bool[np.ndarray, "moves"]:
    """Tell which moves make no sense after those before.

    A number is not compared with one column twice. A text is not used twice. Two texts of one column are not joined by
    `and`, for no row has both. After a step that computes a number, all is allowed again.
    """
    result, entries, takes = np.zeros(len(possible.moves), bool), config.entries, uses(config).argument
    computed = [step for step, move in enumerate(before, 1) if entries[move[0]].updates == "scalar"]
    for operation, column, argument in before[max(computed, default=0) :]:
        if takes[operation] >= 0:
            again = (possible.takes >= 0) & (possible.moves[:, 2] == argument)
            result |= again if argument >= numbers else again & (possible.moves[:, 1] == column)
    if len(before) > 1 and before[-1][:2] == before[-2][:2] and config.operations[before[-1][0]] == "text match":
        result |= possible.moves[:, 0] == config.operations.index("and")
    return result
