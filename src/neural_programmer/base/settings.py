"""Check settings where they are made, and when they come back from a file."""

from dataclasses import fields
from typing import Any, TypeVar, get_args

from neural_programmer.errors import NeuralProgrammerError

Config = TypeVar("Config")
WORDS = tuple[str, ...]  # a list in a file
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
    names and other types.

    What is missing of a kind's `WITHOUT` is as it says there: settings that came later mean what was done before.
    """
    known = _stored(kind)
    if isinstance(values, dict):
        values = {**getattr(kind, "WITHOUT", {}), **values}
    if not isinstance(values, dict) or set(values) != set(known):
        came = sorted(values) if isinstance(values, dict) else values
        raise NeuralProgrammerError(f"expected a configuration with {sorted(known)}, and {str(came)[:200]} came")
    for name, value in values.items():
        if not _is_of(value, known[name]):
            raise NeuralProgrammerError(f"{name} is misstated in the configuration: {str(value)[:60]!r}")
    return kind(**{name: tuple(value) if known[name] == WORDS else value for name, value in values.items()}, **others)


def _is_of(value: Any, kind: Any) -> bool:
    """Return whether a value from a file is of this type; what is one of several words, the configuration itself
    checks."""
    if kind == WORDS:
        return isinstance(value, list) and all(isinstance(word, str) for word in value)
    if kind is float:
        return type(value) in (int, float)
    return kind not in (int, bool, str, int | None) or type(value) in (kind, *get_args(kind))


def to_dict(config: Any) -> dict[str, Any]:
    """Return the configuration as plain values, the same that come back from a file."""
    values = {name: getattr(config, name) for name in _stored(config)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
