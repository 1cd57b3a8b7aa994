"""Which program does a question ask for? Decided step by step (see decide.py), or chosen of all its candidates.

Of the programs that are found step by step, another network may choose that reads them whole and knows what they give:

log P(z) = log P_steps(z) + s log P_whole(z) + c, for the programs z that were found, s = SHARE

with c such that these are as probable all together as before. What is considered at a step is told of the first one.

Where whole programs are chosen, the probability of a move after those before it is exact, for all candidates are known:

P(m_t | m_1 ... m_{t-1}) = sum of P(z) over the candidates z that begin m_1 ... m_t / the same over m_1 ... m_{t-1}

What is left to one is that the program ends.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.base.arrays import log_softmax
from neural_programmer.base.limits import check_time
from neural_programmer.candidates.results import Candidates
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.network import decide
from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.decide import WIDTH, Consideration, Found, Possible, Search, Weigh, fitting, uses
from neural_programmer.network.encode import Example
from neural_programmer.network.executor import Prepared, first_history, fixed_of, prepare
from neural_programmer.network.ranking import program_scores, transition_vectors

SHARE = 0.5  # of what is thought of whole programs, chosen on the development questions
PACKED = np.array([1 << 32, 1 << 16, 1])  # a move as one number: each of its parts has 16 bits


class Weighed(NamedTuple):
    """A question whose candidates have their probabilities, and the moves that these have."""

    parameters: network.Parameters
    prepared: Prepared
    possible: Possible
    numbers: int  # candidates for an argument that are numbers; the others are texts
    candidates: Candidates
    places: Int[np.ndarray, "candidates steps"]  # of their moves among the possible ones; -1 after the last
    logs: Float[np.ndarray, "candidates"]  # of their probabilities


class Member(NamedTuple):
    """One of the networks that choose together, with what depends on its weights alone."""

    parameters: network.Parameters
    fixed: network.Fixed
    transitions: Float[np.ndarray, "operations_and_none operations hidden"]


def members(parameters: network.Parameters, config: NetworkConfig) -> list[Member]:
    """The networks of these weights, which have a leading axis where there are several."""
    several = config.members > 1
    each = [network.member(parameters, place) for place in range(config.members)] if several else [parameters]
    return [Member(one, fixed_of(one, config), transition_vectors(one)) for one in each]


def weighed(
    together: Sequence[Member],
    config: NetworkConfig,
    example: Example,
    candidates: Candidates,
) -> Weighed:
    """Give every candidate its probability: of several networks, in proportion to the geometric mean of theirs.

    What the first of them sees of the question is what can be looked at.
    """
    check_time()
    reads = [prepare(one.parameters, config, example, executes=False, fixed=one.fixed) for one in together]
    logs = [
        log_softmax(
            program_scores(one.parameters, config, read, one.transitions, candidates.moves, candidates.features)
        )
        for one, read in zip(together, reads, strict=True)
    ]
    there = candidates.moves[..., 0] >= 0
    chosen = np.maximum(candidates.moves[there], 0).astype(np.int64)
    _, first, among = np.unique(chosen @ PACKED, return_index=True, return_inverse=True)
    moves = chosen[first]
    places = np.full(there.shape, -1)
    places[there] = among.ravel()
    acts, takes = (of[moves[:, 0]] for of in uses(config))
    possible = Possible(moves, acts, takes)
    return Weighed(
        together[0].parameters,
        reads[0],
        possible,
        example.numbers.shape[0],
        candidates,
        places,
        np.asarray(log_softmax(np.mean(logs, axis=0))),
    )


def best(asked: Search | Weighed, forced: Sequence[tuple[int, int, int]] = ()) -> Found:
    """The most probable programs, each with the log of its probability, that begin with the forced moves (see
    decide.best); of candidates the best one for each answer, with the probability of all that give it."""
    if isinstance(asked, Search):
        found = decide.best(asked, forced=forced)
        return found if asked.weigh is None else _shared(found, decide.best(asked) if forced else found, asked.weigh)
    if len(forced) > asked.places.shape[1]:
        return []
    fits = np.ones(len(asked.places), bool)
    for step, move in enumerate(forced):
        fits &= _having(asked, step, fitting(asked.possible, move))
    alike = [same for each in asked.candidates.alike() if len(same := each[fits[each]])]
    if not alike:
        return []
    logs = asked.logs[np.concatenate(alike)]
    totals = np.logaddexp.reduceat(logs, np.cumsum([0, *map(len, alike[:-1])]))
    found = []
    for place in np.argsort(-totals, kind="stable")[:WIDTH].tolist():
        program = asked.places[alike[place][np.argmax(asked.logs[alike[place]])]]
        found.append((asked.possible.moves[program[program >= 0]], float(totals[place])))
    return found


def _shared(found: Found, free: Found, weigh: Weigh) -> Found:
    """Programs that were found, by what both networks think of each.

    c = log sum_z P_steps(z) - log sum_z P_steps(z) P_whole(z)^s over the programs z that are found where nothing is
    forced, so that forcing a program does not change its probability; others have 1 at most.
    """
    both = {moves.tobytes(): (moves, log) for moves, log in (*free, *found)}
    if len(both) < 2:
        return found
    programs, logs = zip(*both.values(), strict=True)
    shared = np.array(logs) + SHARE * weigh(programs)
    if not np.isfinite(shared).all():
        raise NeuralProgrammerError(
            "the second network of the model is damaged: it gives no numbers; take another copy"
        )
    added = np.logaddexp.reduce(logs[: len(free)]) - np.logaddexp.reduce(shared[: len(free)])
    by_program = dict(zip(both, np.minimum(shared + added, 0.0).tolist(), strict=True))
    now = [(moves, by_program[moves.tobytes()]) for moves, _ in found]
    return sorted(now, key=lambda one: -one[1])


def considered(asked: Search | Weighed, program: Int[np.ndarray, "steps 3"]) -> list[Consideration]:
    """What the network considers at every step of a program, after the steps before it."""
    if isinstance(asked, Search):
        return decide.considered(asked, program)
    first = first_history(asked.parameters, asked.prepared).state
    histories = network.next_history(asked.parameters, first, asked.prepared.inputs[0])
    fits, result = np.ones(len(asked.places), bool), []
    for step, move in enumerate(program):
        powers = np.exp(asked.logs[fits] - asked.logs[fits].max())
        following = asked.places[fits, step]
        shares = np.bincount(following[following >= 0], powers[following >= 0], len(asked.possible.moves))
        attention = network.attention(asked.prepared.asked, asked.prepared.mask, histories[move[0]])
        result.append(Consideration(shares / powers.sum(), attention))
        fits &= _having(asked, step, np.all(asked.possible.moves == move, axis=1))
    return result


def _having(asked: Weighed, step: int, which: Bool[np.ndarray, "moves"]) -> Bool[np.ndarray, "candidates"]:
    """The candidates whose move at a step is one of these."""
    return np.append(which, False)[asked.places[:, step]]  # -1 is the last
