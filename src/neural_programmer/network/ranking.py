"""Whole programs instead of steps: the score of every candidate, normalised over all of them.

The same network as for steps. Its selectors look at the question once for each operation and give every move a
potential; its history RNN reads every two operations that follow each other; what the candidates give is known, for
they were executed (see enumeration.py).

s(z) = sum_t T(op_{t-1}, op_t) . a + sum of the potentials of its moves + sum_f [f holds for z] R_f [a; 1]
       + tanh(sum_f [f holds for z] I_f + sum_t I_{op_t}) . O [a; 1]
P(z) = softmax over all z

with a = tanh(W^op [q; h_1]), T(op, op') the state of the history RNN after both.
"""

from typing import NamedTuple

from jaxtyping import Bool, Float, Int

from neural_programmer.base.arrays import Array, namespace
from neural_programmer.candidates.results import RESULT_FEATURES
from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.decide import NEVER, uses
from neural_programmer.network.executor import Prepared, first_history
from neural_programmer.network.features import feature_places


class Potentials(NamedTuple):
    """How well the parts of a move fit the question, knowing its operation."""

    column: Float[Array, "acting columns"]  # of the operations that act on a column
    argument: Float[Array, "conditions columns candidates"]  # of those that take an argument, for each column


def potentials(parameters: network.Parameters, config: NetworkConfig, prepared: Prepared) -> Potentials:
    """Return the scores of columns and arguments (see executor.select) after each operation.

    h(op) = tanh(W^history [U(op); h_1]): the selectors look as if the operation had been chosen just before.
    """
    xp = namespace(parameters.words, prepared.columns)
    assert parameters.argument_selector is not None and prepared.belonging is not None  # noqa: PT018
    assert prepared.arguments.states is not None
    first = first_history(parameters, prepared)
    histories = network.next_history(parameters, first.state, prepared.inputs[0])
    of_column, of_argument = uses(config)
    acting, taking = (
        [place for place, among in enumerate(of.tolist()) if among >= 0] for of in (of_column, of_argument)
    )
    hidden = histories.shape[1]
    scores = []
    for selector, weights, places in (
        (1, parameters.column_selector, acting),
        (2, parameters.argument_selector, taking),
    ):
        some = xp.stack([histories[place] for place in places])
        seen = network.attend_all(prepared.asked, prepared.mask, some, selector)
        scores.append(seen + some @ weights[:, hidden : 2 * hidden].T)
    column = xp.tanh(scores[0]) @ prepared.columns.T + prepared.belonging.columns
    argument = xp.tanh(scores[1] + prepared.belonging.operations) @ prepared.arguments.states.T
    argument = argument[:, None, :] + prepared.belonging.arguments
    return Potentials(
        xp.where(prepared.allowed.column, column, NEVER), xp.where(prepared.allowed.argument, argument, NEVER)
    )


def transition_vectors(parameters: network.Parameters) -> Float[Array, "operations_and_none operations hidden"]:
    """T: every two operations as the history RNN reads them, h_t = tanh(W^history [U(op_t); h_{t-1}]); the last row is
    of those that nothing stands before."""
    xp = namespace(parameters.words)
    hidden = parameters.operations.shape[1]
    inputs = parameters.operations @ parameters.history.T[:hidden]
    first = network.next_history(parameters, xp.zeros_like(inputs), inputs)
    before = xp.concat([first, xp.zeros_like(first[:1])])
    return network.next_history(parameters, before[:, None], inputs[None])


def program_scores(
    parameters: network.Parameters,
    config: NetworkConfig,
    prepared: Prepared,
    transitions: Float[Array, "operations_and_none operations hidden"],
    moves: Int[Array, "programs steps 3"],
    features: Bool[Array, "programs features"],
) -> Float[Array, "programs"]:
    """s(z) of every candidate, by the features that the network reads; `transitions` are T; a move of -1 is none."""
    xp = namespace(parameters.words, moves)
    assert parameters.results is not None, "this network chooses step after step"
    first = first_history(parameters, prepared).state
    seen = network.attend(prepared.asked, prepared.mask, first)
    asked = network.selected(parameters.operation_selector, seen[0], first)  # a
    fitting = potentials(parameters, config, prepared)
    of_column, of_argument = (xp.asarray(places) for places in uses(config))
    there = moves[..., 0] >= 0
    operation, column, argument = (xp.maximum(moves[..., part], 0) for part in range(3))
    before = xp.concat([xp.full_like(operation[:, :1], transitions.shape[0] - 1), operation[:, :-1]], axis=1)
    score = (transitions @ asked)[before, operation]
    acts, takes = of_column[operation], of_argument[operation]
    score = score + xp.where(acts >= 0, fitting.column[acts, column], 0.0)
    score = score + xp.where(takes >= 0, fitting.argument[takes, column, argument], 0.0)
    counts = parameters.results[:, :-1] @ asked + parameters.results[:, -1]
    held = xp.astype(features[:, feature_places(config.features, RESULT_FEATURES)], counts.dtype)
    score = xp.sum(xp.where(there, score, 0.0), axis=-1) + held @ counts
    assert parameters.inner is not None and parameters.outer is not None  # noqa: PT018
    count = len(config.features)
    places = xp.arange(parameters.inner.shape[0] - count)
    used = xp.astype(xp.sum(moves[..., 0, None] == places, axis=-2), counts.dtype) @ parameters.inner[count:]
    outer = parameters.outer[:, :-1] @ asked + parameters.outer[:, -1]
    return score + xp.tanh(held @ parameters.inner[:count] + used) @ outer
