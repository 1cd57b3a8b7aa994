"""Refuse, in one sentence, options that a function does not have and values of other types."""

import difflib
import functools
import inspect
import numbers
import os
import types
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin

from neural_programmer.errors import UsageError, one_of

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

SHOWN_LETTERS = 60  # characters of a value
WORDS = {str: "a text", Path: "a path", int: "a whole number", float: "a number", bool: "True or False", None: "None"}
ACCEPTED: dict[Any, tuple[type, ...]] = {  # what may be given where a type is asked for, besides itself
    int: (numbers.Integral,),
    float: (numbers.Real,),
    Path: (os.PathLike,),
}


def checked(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Refuse an option that a function does not have, naming the nearest one, and a value that is not of its type.

    >>> @checked
    ... def ask(question: str, *, seconds: float = 600):
    ...     return question
    >>> ask("how many", secondes=3)
    Traceback (most recent call last):
    neural_programmer.errors.UsageError: ask() has no option 'secondes'; did you mean 'seconds'?
    >>> ask(3)
    Traceback (most recent call last):
    neural_programmer.errors.UsageError: ask() takes a text as its question, and 3 is of type int
    """
    signature = inspect.signature(function)
    name = function.__name__

    @functools.wraps(function)
    def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        for option in kwargs:
            if option not in signature.parameters:
                raise _no_option(name, option, signature.parameters)
        try:
            given = signature.bind(*args, **kwargs)
        except TypeError:  # too many or too few: Python says it well
            return function(*args, **kwargs)
        for option, value in given.arguments.items():
            given.arguments[option] = _taken(name, option, value, _kinds(signature.parameters[option].annotation))
        return function(*given.args, **given.kwargs)

    return call


def _no_option(name: str, option: str, known: Iterable[str]) -> UsageError:
    options = [each for each in known if each != "self"]
    near = difflib.get_close_matches(option, options, n=1)
    said = f"did you mean {near[0]!r}?" if near else f"it has: {', '.join(options)}"
    return UsageError(f"{name}() has no option {option!r}; {said}")


def _taken(name: str, option: str, value: Any, kinds: list[Any]) -> Any:
    """Return a value as a function takes it, numbers of NumPy and the like as Python's; refuse one of another type."""
    fitting = [kind for kind in kinds if _is_of(value, kind)]
    if fitting:
        plain = fitting[0] in ACCEPTED and not isinstance(value, fitting[0])
        return fitting[0](value) if plain else value
    if isinstance(value, str) and kinds and get_origin(kinds[0]) is Literal:
        raise one_of(option, value, get_args(kinds[0]))
    wrong = _wrong_part(value, kinds)
    value, where = (value, "") if wrong is None else (wrong, " in it")
    shown = repr(value)
    shown = shown if len(shown) <= SHOWN_LETTERS else f"{shown[: SHOWN_LETTERS - 3]}..."
    said = " came" if value is None else f"{where} is of type {type(value).__name__}"
    wanted = " or ".join(dict.fromkeys(map(_said, kinds)))
    raise UsageError(f"{name}() takes {wanted} as its {option}, and {shown}{said}")


def _wrong_part(value: Any, kinds: list[Any]) -> Any:
    """Return the first part of a list that is not of its type."""
    for kind in kinds:
        if get_origin(kind) is Sequence and _is_of(value, Sequence):
            return next(part for part in value if not _is_part(part, kind))
    return None


def _is_part(part: Any, kind: Any) -> bool:
    return any(_is_of(part, each) for of in get_args(kind) for each in _kinds(of))


def _kinds(annotation: Any) -> list[Any]:
    """Return the types that an annotation allows."""
    if get_origin(annotation) in (Union, types.UnionType):
        return [kind for part in get_args(annotation) for kind in _kinds(part)]
    return [None if annotation is type(None) else annotation]


def _is_of(value: Any, kind: Any) -> bool:
    """Return whether a value may be given for a type; of one that cannot be told, it may."""
    if kind is None or kind is Any:
        return value is None or kind is Any
    origin = get_origin(kind) or kind
    if origin is Literal:
        return value in get_args(kind)
    if origin is Sequence:
        if not isinstance(value, Iterable) or isinstance(value, str | bytes | dict):
            return False
        return not isinstance(value, list | tuple) or kind is Sequence or all(_is_part(part, kind) for part in value)
    if origin is Callable:
        return callable(value)
    if not isinstance(origin, type) or origin is inspect.Parameter.empty:
        return True
    if isinstance(value, bool) and origin in (int, float):
        return False
    return isinstance(value, (origin, *ACCEPTED.get(origin, ())))


def _said(kind: Any) -> str:
    origin = get_origin(kind) or kind
    if origin is Literal:
        return f"one of {', '.join(get_args(kind))}"
    if origin is Sequence:
        return f"a list of {' or '.join(_said(each) for part in get_args(kind) for each in _kinds(part))}"
    if origin is Callable:
        return "a function"
    return WORDS.get(origin) or origin.__name__
