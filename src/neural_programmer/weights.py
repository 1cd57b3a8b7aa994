"""Weights on disk: one safetensors file with its configuration inside. Loading it runs no code."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import safetensors.numpy

from neural_programmer.errors import NeuralProgrammerError

FORMAT = "neural-programmer"
VERSION = 1


def save(path: Path, kind: str, description: dict[str, Any], parameters: Any) -> None:
    """Write parameters (named tuples of arrays) and their description; the file is whole or not there."""
    header = json.dumps({"version": VERSION, "kind": kind, **description}, sort_keys=True)
    write_whole(path, safetensors.numpy.save(dict(flatten(parameters)), metadata={FORMAT: header}))


def load(path: Path) -> tuple[str, dict[str, Any], dict[str, np.ndarray]]:
    """The kind of model, its description and its arrays by name."""
    if not path.exists():
        raise NeuralProgrammerError(f"no model at {path}: name a run's folder or its model.safetensors")
    try:
        with safetensors.safe_open(path, framework="np") as file:
            metadata = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  not a dict
    except (safetensors.SafetensorError, OSError, ValueError) as error:
        raise NeuralProgrammerError(
            f"{path} is not a whole safetensors file ({error}); train again or take another copy"
        ) from None
    if FORMAT not in metadata:
        raise NeuralProgrammerError(f"{path} holds weights of some other program: it has no {FORMAT!r} description")
    try:
        description = json.loads(metadata[FORMAT])
        version, kind = description.pop("version"), description.pop("kind")
    except (ValueError, KeyError, AttributeError):
        raise NeuralProgrammerError(f"the description inside {path} cannot be read; take another copy") from None
    if version != VERSION:
        raise NeuralProgrammerError(f"{path} has format {version}, and this program reads format {VERSION}: upgrade it")
    return kind, description, arrays


def flatten(tree: Any, prefix: str = "") -> list[tuple[str, np.ndarray]]:
    """Named tuples of arrays as (dotted name, array); what is None is left out."""
    if tree is None:
        return []
    if hasattr(tree, "_fields"):
        parts = zip(tree._fields, tree, strict=True)
        return [item for name, part in parts for item in flatten(part, f"{prefix}.{name}" if prefix else name)]
    return [(prefix, np.ascontiguousarray(tree))]


def unflatten(arrays: dict[str, np.ndarray], shapes: Any, prefix: str = "") -> Any:
    """Put arrays into the places of `shapes`, each of the shape that stands there; nothing may be left over."""
    left = dict(arrays)
    tree = _take(left, shapes, prefix)
    if left:
        raise NeuralProgrammerError(f"the configuration has no place for the weights {', '.join(sorted(left))}")
    return tree


def _take(arrays: dict[str, np.ndarray], shapes: Any, prefix: str) -> Any:
    if shapes is None:
        return None
    if hasattr(shapes, "_fields"):
        parts = zip(shapes._fields, shapes, strict=True)
        return type(shapes)(*(_take(arrays, part, f"{prefix}.{name}" if prefix else name) for name, part in parts))
    array = arrays.pop(prefix, None)
    came = None if array is None else array.shape
    if array is None or came != tuple(shapes) or array.dtype != np.float32:
        found = "is missing" if array is None else f"has shape {came} and type {array.dtype}"
        raise NeuralProgrammerError(
            f"the weights do not fit their configuration: {prefix!r} should have shape {tuple(shapes)} of float32 "
            f"and {found}"
        )
    return array


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that a reader sees the old content or the new, never a part."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(beside, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise NeuralProgrammerError(f"cannot write {path}: {error.strerror}; what was saved before is kept") from None
