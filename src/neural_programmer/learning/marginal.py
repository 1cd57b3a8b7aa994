"""Training on the marginal likelihood of sampled programs: draw, execute hard, raise what gave the answer.

The same network and the same answers as the soft objective, and nothing more. A program z is a choice of operation,
column and number at every step; P(answer) = sum of P(z) over the programs z that give the answer. Its gradient is

    grad log P(answer) = E[grad log P(z)]  over  z ~ P(z | answer),

estimated by the programs that hit among those drawn from the selector itself. Each decision is drawn from all choices
alike now and then, so that programs are met which the selector does not believe in yet; hits are averaged.
"""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Bool, Float

from neural_programmer import network
from neural_programmer.arrays import Array
from neural_programmer.config import NetworkConfig
from neural_programmer.encode import Example
from neural_programmer.executor import GIVEN, SAMPLED, Noise, execute, noise_shapes
from neural_programmer.learning.batches import Triples, is_correct
from neural_programmer.learning.soft import SoftLearner
from neural_programmer.operations import COMPARISONS, available

KEPT = 16  # hits of a question whose probability is raised; more of them say the same
ALIKE = 1e4  # Gumbel noise this much larger outweighs every score, and leaves padding out


def draw_noise(config: NetworkConfig, example: Example, samples: int, exploration: float, key: Array) -> Noise:
    """Gumbel noise for many programs; larger than any score where a decision explores."""

    def draw(shape: tuple[int, int], key: Array) -> Array:
        gumbel_key, explore_key = jax.random.split(key)
        explores = jax.random.bernoulli(explore_key, exploration, (samples, shape[0], 1))
        return jax.random.gumbel(gumbel_key, (samples, *shape)) * jnp.where(explores, ALIKE, 1.0)

    return Noise(*map(draw, noise_shapes(config, example), jax.random.split(key, 3)))


def program_log_probability(
    parameters: network.Parameters, config: NetworkConfig, example: Example, choices: Noise
) -> Float[Array, ""]:
    """log P(z): the operations, and the columns and numbers where the chosen operations use them."""
    operations = available(config.text_match)
    execution = execute(parameters, config, example, GIVEN, choices)
    uses_column = choices.operation @ jnp.asarray([float(entry.column != "none") for entry in operations])
    comparison = jnp.asarray([[float(entry.name == name) for name in COMPARISONS] for entry in operations])
    uses_pivot = jnp.max(choices.operation @ comparison, axis=0)
    steps = execution.trace.operation_log + uses_column * execution.trace.column_log
    return jnp.sum(steps) + jnp.sum(uses_pivot * execution.pivot_logs)


def hits(
    parameters: network.Parameters, config: NetworkConfig, triple: Triples, noise: Noise
) -> tuple[Bool[Array, "samples"], Noise]:
    """Which of the drawn programs give the answer, and the choices that make them up."""

    def one(noise: Noise) -> tuple[Array, Noise]:
        execution = execute(parameters, config, triple.example, SAMPLED, noise)
        choices = Noise(execution.trace.operation, execution.trace.column, execution.pivots)
        return is_correct(execution, triple.target), choices

    return jax.vmap(one)(noise)


def loss(
    parameters: network.Parameters,
    config: NetworkConfig,
    triple: Triples,
    samples: int,
    exploration: float,
    uninformative: Float[Array, ""],
    key: Array,
) -> Float[Array, ""]:
    """-1/H sum of log P(z) over up to H = 16 hits z; nothing where no program hit."""
    noise_key, tie_key = jax.random.split(key)
    noise = draw_noise(config, triple.example, samples, exploration, noise_key)
    hit, choices = hits(jax.lax.stop_gradient(parameters), config, triple, noise)
    order, places = jax.lax.top_k(hit + jax.random.uniform(tie_key, hit.shape), min(KEPT, samples))
    kept = (order >= 1).astype(jnp.float32)
    chosen = jax.tree.map(lambda array: array[places], choices)
    logs = jax.vmap(lambda choice: program_log_probability(parameters, config, triple.example, choice))(chosen)
    target = triple.target
    tells = jnp.where(target.is_scalar, target.scalar != 0, jnp.any(target.rows))
    return -jnp.sum(kept * logs) / jnp.maximum(jnp.sum(kept), 1.0) * jnp.where(tells, 1.0, uninformative)


@dataclass(frozen=True)
class MarginalLearner(SoftLearner):
    """The Neural Programmer, trained on the programs that give the answer."""

    samples: int
    exploration: float

    def loss(self, parameters: network.Parameters, triple: Triples, settings: Any, key: Any) -> Float[Array, ""]:
        return loss(parameters, self.config, triple, self.samples, self.exploration, settings.uninformative, key)
