"""Which program does a question ask for? Programs are proposed, scored, and the best are chosen.

A proposal is a beam of steps (decide.Beam), or all candidates, which were run (Everything here). Both are asked in one
way: for the best programs, perhaps with forced beginnings, and for what was considered at every step of one. The
scores of a proposal may be added to by another network, which reads the programs of a beam whole and knows what they
give (Reranked):

log P(z) = log P_steps(z) + s log P_whole(z) + c, for the programs z that were found, s = share

with c such that these are as probable all together as before; `share` stands in the file of that network.

Where whole programs are chosen, the probability of a move after those before it is exact, for all candidates are known:

P(m_t | m_1 ... m_{t-1}) = sum of P(z) over the candidates z that begin m_1 ... m_t / the same over m_1 ... m_{t-1}

What is left to one is that the program ends.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.base.arrays import log_softmax
from neural_programmer.base.limits import check_time
from neural_programmer.candidates.results import Candidates
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.decide import Beam, Consideration, Found, Possible, fitting, uses
from neural_programmer.network.encode import Example
from neural_programmer.network.executor import Prepared, first_history, fixed_of, prepare
from neural_programmer.network.ranking import program_scores, transition_vectors

PACKED = np.array([1 << 32, 1 << 16, 1])  # a move as one number: each of its parts has 16 bits
Programs = Sequence[Int[np.ndarray, "_ 3"]]


@runtime_checkable
class Proposal(Protocol):
    """The programs that a question may mean."""

    @property
    def possible(self) -> Possible:
        """Return the moves that there are."""
        ...

    @property
    def numbers(self) -> int:
        """Return how many of the arguments are numbers; the others are texts."""
        ...

    @property
    def tried(self) -> int:
        """Return how many whole programs were run before one is chosen; 0 where they are found step by step."""
        ...

    @property
    def left_out(self) -> bool:
        """Tell whether there are more, which were not tried."""
        ...

    def best(self, forced: Sequence[tuple[int, int, int]] = ()) -> Found:
        """Return the most probable programs that begin with the forced moves, each with the log of its probability."""
        ...

    def considered(self, program: Int[np.ndarray, "steps 3"]) -> list[Consideration]:
        """Return what was considered at every step of a program, after the steps before it."""
        ...


@runtime_checkable
class Scorer(Protocol):
    """What says how probable whole programs are, among each other, and how much that counts."""

    @property
    def share(self) -> float: ...

    def logs(self, programs: Programs) -> Float[np.ndarray, "programs"]: ...


@dataclass(frozen=True)
class Everything:
    """A question whose candidates have their probabilities, and the moves that these have."""

    parameters: network.Parameters
    config: NetworkConfig
    prepared: Prepared
    possible: Possible
    numbers: int
    candidates: Candidates
    places: Int[np.ndarray, "candidates steps"]  # of their moves among the possible ones; -1 after the last
    logs: Float[np.ndarray, "candidates"]  # of their probabilities

    @property
    def tried(self) -> int:
        return len(self.candidates)

    @property
    def left_out(self) -> bool:
        return self.candidates.left_out

    def best(self, forced: Sequence[tuple[int, int, int]] = ()) -> Found:
        """Return the most probable programs that begin with the forced moves (see decide.Beam): the best one for each
        answer, with the probability of all that give it."""
        if len(forced) > self.places.shape[1]:
            return []
        fits = np.ones(len(self.places), bool)
        for step, move in enumerate(forced):
            fits &= self._having(step, fitting(self.possible, move))
        alike = [same for each in self.candidates.alike() if len(same := each[fits[each]])]
        if not alike:
            return []
        logs = self.logs[np.concatenate(alike)]
        totals = np.logaddexp.reduceat(logs, np.cumsum([0, *map(len, alike[:-1])]))
        found = []
        for place in np.argsort(-totals, kind="stable")[: self.config.width].tolist():
            program = self.places[alike[place][np.argmax(self.logs[alike[place]])]]
            found.append((self.possible.moves[program[program >= 0]], float(totals[place])))
        return found

    def considered(self, program: Int[np.ndarray, "steps 3"]) -> list[Consideration]:
        """Return the shares of the moves at every step of a program, after the steps before it."""
        first = first_history(self.parameters, self.prepared).state
        histories = network.next_history(self.parameters, first, self.prepared.inputs[0])
        fits, result = np.ones(len(self.places), bool), []
        for step, move in enumerate(program):
            powers = np.exp(self.logs[fits] - self.logs[fits].max())
            following = self.places[fits, step]
            shares = np.bincount(following[following >= 0], powers[following >= 0], len(self.possible.moves))
            attention = network.attention(self.prepared.asked, self.prepared.mask, histories[move[0]])
            result.append(Consideration(shares / powers.sum(), attention))
            fits &= self._having(step, np.all(self.possible.moves == move, axis=1))
        return result

    def _having(self, step: int, which: Bool[np.ndarray, "moves"]) -> Bool[np.ndarray, "candidates"]:
        """Tell which candidates have one of these moves at a step."""
        return np.append(which, False)[self.places[:, step]]  # -1 is the last


@dataclass(frozen=True)
class Reranked:
    """The programs of a beam, by what another network thinks of them too; what is considered at a step is its own."""

    beam: Beam
    scorer: Scorer
    tried = 0
    left_out = False

    @property
    def possible(self) -> Possible:
        return self.beam.possible

    @property
    def numbers(self) -> int:
        return self.beam.numbers

    def best(self, forced: Sequence[tuple[int, int, int]] = ()) -> Found:
        """Return the programs of the beam in the order of both scores.

        c = log sum_z P_steps(z) - log sum_z P_steps(z) P_whole(z)^s over the programs z that are found where nothing is
        forced, so that forcing a program does not change its probability; others have 1 at most.
        """
        found = self.beam.best(forced)
        free = self.beam.best() if forced else found
        both = {moves.tobytes(): (moves, log) for moves, log in (*free, *found)}
        if len(both) < 2:
            return found
        programs, logs = zip(*both.values(), strict=True)
        shared = np.array(logs) + self.scorer.share * self.scorer.logs(programs)
        if not np.isfinite(shared).all():
            raise NeuralProgrammerError(
                "the second network of the model is damaged: it gives no numbers; take another copy"
            )
        added = np.logaddexp.reduce(logs[: len(free)]) - np.logaddexp.reduce(shared[: len(free)])
        by_program = dict(zip(both, np.minimum(shared + added, 0.0).tolist(), strict=True))
        now = [(moves, by_program[moves.tobytes()]) for moves, _ in found]
        return sorted(now, key=lambda one: -one[1])

    def considered(self, program: Int[np.ndarray, "steps 3"]) -> list[Consideration]:
        return self.beam.considered(program)


class Member(NamedTuple):
    """One of the networks that choose together, with what depends on its weights alone."""

    parameters: network.Parameters
    fixed: network.Fixed
    transitions: Float[np.ndarray, "operations_and_none operations hidden"]


def members(parameters: network.Parameters, config: NetworkConfig) -> list[Member]:
    """Return the networks of these weights, which have a leading axis where there are several."""
    several = config.members > 1
    each = [network.member(parameters, place) for place in range(config.members)] if several else [parameters]
    return [Member(one, fixed_of(one, config), transition_vectors(one)) for one in each]


def weighed(
    together: Sequence[Member],
    config: NetworkConfig,
    example: Example,
    candidates: Candidates,
) -> Everything:
    """Return every candidate with its probability: of several networks, in proportion to the geometric mean of theirs.

    The attention that is shown is that of the first network.
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
    return Everything(
        together[0].parameters,
        config,
        reads[0],
        possible,
        example.numbers.shape[0],
        candidates,
        places,
        np.asarray(log_softmax(np.mean(logs, axis=0))),
    )
