"""A network that may select more operations than before, otherwise the same."""

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from neural_programmer.base.arrays import Array
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.equations import Parameters
from neural_programmer.programs.operations import Operation

SLIGHTLY = 0.01  # how far the vectors of new operations of the same kind are apart


def can_grow(config: NetworkConfig, new: NetworkConfig) -> bool:
    """Whether a network differs from another in nothing but that it has more operations, or as many."""
    return replace(new, operations=config.operations, own=config.own) == config and set(config.operations) <= set(
        new.operations
    )


def grown(
    parameters: Parameters, config: NetworkConfig, new: NetworkConfig, generator: np.random.Generator
) -> Parameters:
    """The weights of a network that may select more operations, otherwise the same.

    U of a new operation is the mean of those it is like, with a little noise so that two of them differ: its scores are
    the means of theirs, so that it is chosen less often than the best of them and acts on the columns that they do. So
    is I, where whole programs are chosen.
    """
    if not can_grow(config, new):
        raise NeuralProgrammerError(f"a network can grow by operations alone: {config} cannot become {new}")

    def more(known: Float[Array, "operations width"]) -> Float[np.ndarray, "more_operations width"]:
        rows = dict(zip(config.operations, known, strict=True))

        def vector(entry: Operation) -> Float[Array, "width"]:
            if entry.name in rows:
                return rows[entry.name]
            similar = [other.name for other in config.entries if _are_alike(entry, other)]
            noise = generator.uniform(-SLIGHTLY, SLIGHTLY, known.shape[1])
            return np.mean([rows[name] for name in similar or config.operations], axis=0) + noise

        return np.stack([np.asarray(vector(entry), np.float32) for entry in new.entries])

    operations, inner = more(parameters.operations), parameters.inner
    if inner is not None:  # its last rows are of the operations
        features = len(inner) - len(config.operations)
        inner = np.concatenate([inner[:features], more(inner[features:])])
    return parameters._replace(operations=operations, inner=inner)


def _are_alike(one: Operation, other: Operation) -> bool:
    """Whether two operations update the same, take the same and both act on a column, or both on none."""
    return (one.updates, one.argument, one.column == "none") == (other.updates, other.argument, other.column == "none")
