"""Grow a network: let it select more operations than before, and leave the rest as it was."""

from dataclasses import replace
from functools import partial

import numpy as np
from jaxtyping import Float

from neural_programmer.base.arrays import Array
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.equations import Parameters
from neural_programmer.programs.operations import Operation

SLIGHTLY = 0.01  # how far the vectors of new operations of the same kind are apart


def can_grow(config: NetworkConfig, new: NetworkConfig) -> bool:
    """Tell whether a network differs from another only in that it has more operations, or reads more features."""
    lists = "operations", "features", "column_features", "link_features"
    known = {name: getattr(config, name) for name in lists}
    same = replace(new, own=config.own, **known) == config
    return same and all(set(known[name]) <= set(getattr(new, name)) for name in lists)


def grown(
    parameters: Parameters, config: NetworkConfig, new: NetworkConfig, generator: np.random.Generator
) -> Parameters:
    """Return the weights of a network that may select more operations, otherwise the same.

    U of a new operation is the mean of those it is like, with a little noise so that two of them differ: its scores are
    the means of theirs, so that it is chosen less often than the best of them and acts on the columns that they do. So
    is I, where whole programs are chosen. A new feature is a row of zeros: nothing is made of it yet.
    """
    if not can_grow(config, new):
        raise NeuralProgrammerError(f"a network grows by operations and features alone: {config} cannot become {new}")

    def more(known: Float[Array, "operations width"]) -> Float[np.ndarray, "more_operations width"]:
        rows = dict(zip(config.operations, known, strict=True))

        def vector(entry: Operation) -> Float[Array, "width"]:
            if entry.name in rows:
                return rows[entry.name]
            similar = [other.name for other in config.entries if _are_alike(entry, other)]
            noise = generator.uniform(-SLIGHTLY, SLIGHTLY, known.shape[1])
            return np.mean([rows[name] for name in similar or config.operations], axis=0) + noise

        return np.stack([np.asarray(vector(entry), np.float32) for entry in new.entries])

    operations, inner, results = more(parameters.operations), parameters.inner, parameters.results
    if inner is not None and results is not None:  # its last rows are of the operations
        features = len(config.features)
        read = partial(_with_zeros, config.features, new.features)
        inner, results = np.concatenate([read(inner[:features]), more(inner[features:])]), read(results)
    columns, links = parameters.features, parameters.links
    if columns is not None:
        columns = _with_zeros(config.column_features, new.column_features, columns)
    if new.link_features:
        assert columns is not None, "a network that reads links reads columns"
        links = np.zeros((0, columns.shape[1]), np.float32) if links is None else links
        links = _with_zeros(config.link_features, new.link_features, links)
    return parameters._replace(operations=operations, inner=inner, results=results, features=columns, links=links)


def _with_zeros(
    names: tuple[str, ...], more: tuple[str, ...], rows: Float[Array, "features width"]
) -> Float[Array, "more_features width"]:
    """Return the rows of more features: those that are known as they are, zeros for the others."""
    if names == more:
        return rows
    known = dict(zip(names, rows, strict=True))
    return np.stack([np.asarray(known.get(name, np.zeros(rows.shape[1])), np.float32) for name in more])


def _are_alike(one: Operation, other: Operation) -> bool:
    """Tell whether two operations update the same, take the same and both act on a column, or both on none."""
    return (one.updates, one.argument, one.column == "none") == (other.updates, other.argument, other.column == "none")
