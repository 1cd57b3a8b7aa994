"""Check settings where they are made, and when they come back from a file."""

from dataclasses import fields, is_dataclass
from typing import Any, TypeVar, get_args

from neural_programmer.errors import NeuralProgrammerError

Config = TypeVar("Config")
LISTS = {tuple[str, ...]: str, tuple[int, ...]: int}  # what stands as a list in a file, and of what
SMALLEST, LARGEST = 1e-30, 1e30  # of settings that may be any positive number


def between(config: Any, least: float, most: float, *names: str) -> None:
    """Refuse a setting outside of what makes sense."""
    for name in names:
        value = getattr(config, name)
        if not least <= value <= most:
            raise NeuralProgrammerError(f"{name.replace('_', ' ')} must be {least:g} to {most:,.10g}, not {value}")


def check_seed(seed: int) -> None:
    """Refuse what cannot seed a generator."""
    if not 0 <= seed < 2**32:
        raise NeuralProgrammerError(f"a seed is a whole number from 0 to 2^32 - 1, not {seed}")


def among(config: Any, name: str, choices: Any) -> None:
    """Refuse a setting that is not one of the choices."""
    value = getattr(config, name)
    if value not in get_args(choices):
        raise NeuralProgrammerError(f"{name} must be one of {', '.join(get_args(choices))}, not {value!r}")


NOT_STORED = {"stored": False}  # the metadata of a field that no file has


def _stored(kind: Any) -> dict[str, Any]:
    """Return the names of a configuration's settings, and their types."""
    return {field.name: field.type for field in fields(kind) if field.metadata.get("stored", True)}


def from_dict(kind: type[Config], values: Any, **others: Any) -> Config:
    """Return the configuration stored under these names, with `others` that are not stored; refuse unknown or missing
    names and other types. A setting may be a configuration itself."""
    known = _stored(kind)
    if not isinstance(values, dict) or set(values) != set(known):
        came = sorted(values) if isinstance(values, dict) else values
        raise NeuralProgrammerError(f"expected a configuration with {sorted(known)}, and {str(came)[:200]} came")
    for name, value in values.items():
        if not _is_of(value, known[name]):
            raise NeuralProgrammerError(f"{name} is misstated in the configuration: {str(value)[:60]!r}")
    return kind(**{name: _from_plain(value, known[name]) for name, value in values.items()}, **others)


def _from_plain(value: Any, kind: Any) -> Any:
    """Return a setting of this type from the plain value that a file has of it."""
    if isinstance(kind, type) and is_dataclass(kind):
        return from_dict(kind, value)
    return tuple(value) if kind in LISTS else value


def _is_of(value: Any, kind: Any) -> bool:
    """Return whether a value from a file is of this type; what is one of several words, the configuration itself
    checks."""
    if kind in LISTS:
        return isinstance(value, list) and all(type(part) is LISTS[kind] for part in value)
    if kind is float:
        return type(value) in (int, float)
    return kind not in (int, bool, str, int | None) or type(value) in (kind, *get_args(kind))


def to_dict(config: Any) -> dict[str, Any]:
    """Return the configuration as plain values, the same that come back from a file."""
    return {name: _plain(getattr(config, name)) for name in _stored(config)}


def _plain(value: Any) -> Any:
    """Return a setting as a file has it."""
    if is_dataclass(value):
        return to_dict(value)
    return list(value) if isinstance(value, tuple) else value
