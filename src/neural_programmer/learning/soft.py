"""The paper's objective (section 2.5): execute softly, compare the soft answer with the right one."""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Bool, Float

from neural_programmer.base.arrays import Array, inside, namespace
from neural_programmer.learning.batches import Triples
from neural_programmer.learning.programmer import ProgramLearner
from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.executor import SOFT, Choice, execute
from neural_programmer.programs.operations import acting, conditions

SQUEEZE = 1e-6  # probabilities are squeezed into [SQUEEZE, 1 - SQUEEZE] before their logarithm is taken


def huber_loss(prediction: Float[Array, ""], target: Float[Array, ""], delta: Float[Array, ""]) -> Float[Array, ""]:
    """a = |prediction - y|;  a^2 / 2 if a <= delta, else delta a - delta^2 / 2        (section 2.5)"""
    xp = namespace(prediction)
    error = xp.abs(prediction - target)
    return xp.where(error <= delta, error**2 / 2, delta * error - delta**2 / 2)


def lookup_loss(
    prediction: Float[Array, "rows columns"], target: Bool[Array, "rows columns"], real: Bool[Array, "rows columns"]
) -> Float[Array, ""]:
    """-1/(MC) sum_ij (y log p + (1 - y) log(1 - p)) over the real cells        (section 2.5)

    A sum of probabilities can round to a little above one, whose log(1 - p) is no number: p is squeezed first.
    """
    xp = namespace(prediction)
    probability = SQUEEZE + (1 - 2 * SQUEEZE) * xp.clip(prediction, 0.0, 1.0)
    log_likelihood = xp.log(xp.where(target, probability, 1 - probability))
    weights = xp.astype(real, prediction.dtype)
    return -xp.sum(log_likelihood * weights) / xp.sum(weights)


def entropy(probabilities: Float[Array, "*many choices"]) -> Float[Array, "*many"]:
    """Return -sum_k a(k) log a(k): how undecided a selection is."""
    xp = namespace(probabilities)
    return -xp.sum(probabilities * xp.log(probabilities + SQUEEZE), axis=-1)


def loss(
    parameters: network.Parameters,
    config: NetworkConfig,
    triple: Triples,
    settings: Any,
    reward: Float[Array, ""],
    noise: Choice | None = None,
) -> Float[Array, ""]:
    """L = [n] L_scalar + [not n] lambda L_lookup        (section 2.5)

    `settings` has delta, lookup_weight (lambda) and relative (c) of TrainingConfig. Beyond the paper, where
    they ask for it: L_scalar / (delta (c + |y|)), L - reward * entropy of the selections, noise on their scores.
    """
    example, target = triple
    execution = execute(parameters, config, example, SOFT, noise)
    xp = namespace(execution.scalar_answer)
    rows, columns = example.table.shape
    real = inside(example.row_count, rows, example.table)[:, None] & inside(
        example.column_count, columns, example.table
    )
    scalar = huber_loss(execution.scalar_answer, target.scalar, settings.delta)
    scale = settings.delta * (settings.relative + xp.abs(target.scalar))
    scalar = scalar / xp.where(settings.relative > 0, scale, xp.ones_like(scale))
    lookup = execution.lookup.rows[:, None] * execution.lookup.columns
    lookup = lookup_loss(lookup, target.cells(columns), real)
    choice = execution.trace.choice
    operations = config.entries
    possible = xp.stack([choice.operation[:, operations.index(entry)] > 0 for entry in acting(operations)], axis=1)
    columns_undecided = xp.mean(entropy(choice.column) * possible, axis=1)
    undecided = xp.sum(entropy(choice.operation)) + xp.sum(columns_undecided)
    return xp.where(target.is_scalar, scalar, settings.lookup_weight * lookup) - reward * undecided


@dataclass(frozen=True)
class SoftLearner(ProgramLearner):
    """The Neural Programmer, trained softly."""

    noisy: bool = False
    """Whether any restart has noise on its selections."""
    averaged = False  # the paper keeps the last weights

    def loss(
        self, parameters: network.Parameters, triple: Triples, settings: Any, now: Any, key: Any
    ) -> Float[Array, ""]:
        noise = self._noise(triple, now.selection_noise, key) if self.noisy else None
        return loss(parameters, self.config, triple, settings, now.entropy, noise)

    def _noise(self, triple: Triples, size: Float[Array, ""], key: Any) -> Choice:
        """-size log(-log u), u uniform in (0, 1), for every score of every step: softmax(s + it) is Gumbel-softmax.

        The paper's network selects one column at a step for all operations, and one number for all columns.
        """
        config, example = self.config, triple.example
        operations, steps, apart = config.entries, config.program_steps, config.arguments == "step"
        (columns,), (numbers,), (links,) = (
            example.text_columns.shape,
            example.numbers.shape,
            example.link_positions.shape,
        )
        candidates = numbers + links * (apart and config.matches_text)
        acts, takes = len(acting(operations)), len(conditions(operations))
        full = (steps, len(operations)), (steps, acts, columns), (steps, takes, columns, candidates)
        drawn = full if apart else (full[0], (steps, 1, columns), (steps, takes, 1, candidates))
        noise = map(jax.random.gumbel, jax.random.split(key, len(drawn)), drawn)
        return Choice(*(size * jnp.broadcast_to(each, shape) for each, shape in zip(noise, full, strict=True)))
