"""Whole programs instead of steps: the score of every candidate, normalised over all of them.

The same network as for steps. Its selectors look at the question once for each operation and give every move a
potential; its history RNN reads the operations of a program and nothing else; what the candidates give is known, for
they were executed (see enumeration.py).

s(z) = T(z) . a + sum of the potentials of its moves + sum_f [f holds for z] R_f [a; 1],   P(z) = softmax over all z

with a = tanh(W^op [q; h_1]), T(z) the last state of the history RNN.
"""

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer import network
from neural_programmer.arrays import Array, namespace, scan
from neural_programmer.config import NetworkConfig
from neural_programmer.decide import NEVER, uses
from neural_programmer.executor import Prepared, first_history, select
from neural_programmer.network import History


def move_potentials(
    parameters: network.Parameters, config: NetworkConfig, prepared: Prepared
) -> Float[Array, "operations columns candidates"]:
    """How well each move fits the question: the scores of its column and its argument, knowing its operation.

    h(op) = tanh(W^history [U(op); h_1]): the selectors look as if the operation had been chosen just before. What uses
    no column or argument stands at place 0.
    """
    xp = namespace(parameters.words, prepared.columns)
    first = first_history(parameters, prepared)
    histories = network.next_history(parameters, first.state, prepared.inputs[0])
    of_column, of_argument = (xp.asarray(places) for places in uses(config))
    _, columns, candidates = prepared.allowed.argument.shape
    no_column = xp.where(xp.arange(columns) == 0, 0.0, NEVER)[None]
    no_argument = xp.broadcast_to(xp.where(xp.arange(candidates) == 0, 0.0, NEVER), (1, columns, candidates))

    def step(none: tuple, operation: tuple[Array, Array, Array]) -> tuple[tuple, Array]:
        history, column, argument = operation
        scores = select(parameters, prepared, History(history, first.unused))
        of_columns = xp.concat([scores.column, no_column])[column]  # -1 is the last
        return none, of_columns[:, None] + xp.concat([scores.argument, no_argument])[argument]

    return scan(step, (), (histories, of_column, of_argument))[1]


def template_vectors(
    parameters: network.Parameters, templates: Int[Array, "templates steps"]
) -> Float[Array, "templates hidden"]:
    """T: the operations of a program as the history RNN reads them, h_t = tanh(W^history [U(op_t); h_{t-1}])."""
    xp = namespace(parameters.words, templates)
    hidden = parameters.operations.shape[1]
    inputs = parameters.operations @ parameters.history.T[:hidden]

    state = xp.zeros((templates.shape[0], hidden), dtype=parameters.words.dtype)
    for place in range(templates.shape[1]):
        operation = templates[:, place]
        following = network.next_history(parameters, state, inputs[operation])
        state = xp.where(operation[:, None] >= 0, following, state)
    return state


def program_scores(
    parameters: network.Parameters,
    config: NetworkConfig,
    prepared: Prepared,
    templates: Float[Array, "templates hidden"],
    which: Int[Array, "programs"],
    moves: Int[Array, "programs steps 3"],
    features: Bool[Array, "programs features"],
) -> Float[Array, "programs"]:
    """s(z) of every candidate; `templates` are T, of which each has the one that `which` says; a move of -1 is none."""
    xp = namespace(parameters.words, moves)
    assert parameters.results is not None, "this network chooses step after step"
    first = first_history(parameters, prepared).state
    seen = network.attend(prepared.asked, prepared.mask, first)
    asked = network.selected(parameters.operation_selector, seen[0], first)  # a
    potentials = move_potentials(parameters, config, prepared)
    _, columns, candidates = potentials.shape
    flat = xp.concat([xp.reshape(potentials, (-1,)), xp.zeros((1,), dtype=potentials.dtype)])
    operation, column, argument = moves[..., 0], *(xp.maximum(moves[..., part], 0) for part in (1, 2))
    places = xp.where(operation < 0, flat.shape[0] - 1, (operation * columns + column) * candidates + argument)
    counts = parameters.results[:, :-1] @ asked + parameters.results[:, -1]
    return (templates @ asked)[which] + xp.sum(flat[places], axis=-1) + xp.astype(features, counts.dtype) @ counts


def distinct_templates(moves: Int[np.ndarray, "*many steps 3"]) -> tuple[np.ndarray, np.ndarray]:
    """The different sequences of operations of programs, and which of them each program has."""
    operations = moves[..., 0].reshape(-1, moves.shape[-2])
    found, places = np.unique(operations, axis=0, return_inverse=True)
    return found, places.reshape(moves.shape[:-2])
