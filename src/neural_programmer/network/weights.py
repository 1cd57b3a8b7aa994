"""Weights on disk: one safetensors file with its configuration inside. Loading it runs no code."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import safetensors.numpy

from neural_programmer.base import files
from neural_programmer.base.settings import from_dict, to_dict
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.network.encode import Vocabulary

FORMAT = "neural-programmer"
VERSION = 1


@dataclass(frozen=True)
class Trained:
    """What a model was trained on. `examples` is None where every step had fresh ones."""

    task: str = ""
    seed: int = 0
    examples: int | None = None


def save(path: Path, model: Any, half: bool = False, within: dict[str, Any] | None = None) -> None:
    """Write a model, and by their names others that it has within: the weights, perhaps in half the precision, and
    beside them all that describes it. The file is whole or not there."""
    others = within or {}
    description = {**_described(model), "version": VERSION, "kind": model.KIND}
    description |= {name: _described(other) for name, other in others.items()}
    listed = flatten(model.parameters)
    for name, other in others.items():
        listed += flatten(other.parameters, name)
    arrays = {name: array.astype(np.float16) if half else array for name, array in listed}
    content = safetensors.numpy.save(arrays, {FORMAT: json.dumps(description, sort_keys=True)})
    files.write(path, content)


def _described(model: Any) -> dict[str, Any]:
    described = {
        "config": to_dict(model.config),
        "vocabulary": list(model.vocabulary.words),
        "trained": asdict(model.trained),
    }
    return {**described, "calibration": list(model.calibration)} if hasattr(model, "calibration") else described


def parted(arrays: dict[str, np.ndarray], name: str) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """The arrays of a model, and those of another that it has within by this name."""
    start = f"{name}."
    others = {key.removeprefix(start): array for key, array in arrays.items() if key.startswith(start)}
    return {key: array for key, array in arrays.items() if not key.startswith(start)}, others


def restore(
    kind: type, config: Any, shapes: Callable, description: dict[str, Any], arrays: dict[str, np.ndarray]
) -> Any:
    """The model of this kind and configuration that the stored pieces describe."""
    words = description["vocabulary"]
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise NeuralProgrammerError("the vocabulary is misstated: it should be a list of words")
    vocabulary = Vocabulary(tuple(words))
    trained = from_dict(Trained, description["trained"])
    return kind(config, vocabulary, unflatten(arrays, shapes(config, len(vocabulary))), trained)


def load(path: Path) -> tuple[str, dict[str, Any], dict[str, np.ndarray]]:
    """The kind of model, its description and its arrays by name."""
    if not path.exists():
        raise NeuralProgrammerError(f"no model at {path}: name a run's folder or its model.safetensors")
    if not path.is_file():
        raise NeuralProgrammerError(f"{path} is not a file; name a run's folder or its model.safetensors")
    try:
        with safetensors.safe_open(path, framework="np") as file:
            kind, description = _description(path, file.metadata() or {})
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  not a dict
    except (safetensors.SafetensorError, OSError, ValueError, TypeError, AttributeError) as error:
        raise NeuralProgrammerError(
            f"{path} is not a whole safetensors file ({error}); train again or take another copy"
        ) from None
    return kind, description, arrays


def _description(path: Path, metadata: dict[str, str]) -> tuple[str, dict[str, Any]]:
    """The kind of model and all else that its file says of it."""
    if FORMAT not in metadata:
        raise NeuralProgrammerError(f"{path} holds weights of some other program: it has no {FORMAT!r} description")
    try:
        description = json.loads(metadata[FORMAT])
        version, kind = description.pop("version"), str(description.pop("kind"))
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        raise NeuralProgrammerError(f"the description inside {path} cannot be read; take another copy") from None
    if version != VERSION:
        raise NeuralProgrammerError(f"{path} has format {version}, and this program reads format {VERSION}: upgrade it")
    return kind, description


def map_tree(function: Callable, shapes: Any) -> Any:
    """Apply a function to every shape in a tree of (named) tuples, leaving what is None."""
    if shapes is None or _is_shape(shapes):
        return None if shapes is None else function(shapes)
    parts = [map_tree(function, part) for part in shapes]
    return type(shapes)(*parts) if hasattr(shapes, "_fields") else tuple(parts)


def flatten(tree: Any, prefix: str = "") -> list[tuple[str, np.ndarray]]:
    """A tree of (named) tuples of arrays as (dotted name, array); what is None is left out."""
    if tree is None:
        return []
    if isinstance(tree, tuple):
        return [item for name, part in _parts(tree) for item in flatten(part, f"{prefix}.{name}" if prefix else name)]
    return [(prefix, np.ascontiguousarray(tree))]


def unflatten(arrays: dict[str, np.ndarray], shapes: Any) -> Any:
    """Put arrays into the places of `shapes`, each of the shape that stands there; nothing may be left over."""
    left = dict(arrays)
    tree = _take(left, shapes, "")
    if left:
        raise NeuralProgrammerError(f"the configuration has no place for the weights {', '.join(sorted(left))}")
    return tree


def _take(arrays: dict[str, np.ndarray], shapes: Any, prefix: str) -> Any:
    if shapes is None:
        return None
    if not _is_shape(shapes):
        parts = [_take(arrays, part, f"{prefix}.{name}" if prefix else name) for name, part in _parts(shapes)]
        return type(shapes)(*parts) if hasattr(shapes, "_fields") else tuple(parts)
    array = arrays.pop(prefix, None)
    array = array.astype(np.float32) if array is not None and array.dtype == np.float16 else array
    if array is None or array.shape != shapes or array.dtype != np.float32:
        found = "is missing" if array is None else f"has shape {array.shape} of {array.dtype}"
        raise NeuralProgrammerError(
            f"the weights do not fit their configuration: {prefix!r} should have shape {shapes} of float32 and {found}"
        )
    if not np.isfinite(array).all():
        raise NeuralProgrammerError(f"the weights {prefix!r} are damaged: some of them are no numbers")
    return array


def _is_shape(tree: Any) -> bool:
    return all(isinstance(part, int) for part in tree)


def _parts(tree: tuple) -> list[tuple[str, Any]]:
    return list(zip(getattr(tree, "_fields", map(str, range(len(tree)))), tree, strict=True))
