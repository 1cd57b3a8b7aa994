"""Compute properties once, when they are first asked for, and keep results of functions of texts."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")
Function = TypeVar("Function", bound=Callable[..., Any])
LONGEST_TEXT = 500  # letters of a text of which something is kept: cells may have a million


class once(Generic[Value]):
    """Compute a property once and keep it, as functools.cached_property; in Python 3.11 too, objects do not wait for
    each other.

    >>> class Table:
    ...     @once
    ...     def index(self):
    ...         return print("computed")
    >>> table = Table()
    >>> table.index, table.index
    computed
    (None, None)
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self.compute, self.__doc__ = compute, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Value:
        return instance.__dict__.setdefault(self.name, self.compute(instance))


def remembered(size: int) -> Callable[[Function], Function]:
    """Keep the results of a function of a text, as functools.lru_cache; those of long texts are not kept."""

    def of(function: Function) -> Function:
        kept = lru_cache(size)(function)

        @wraps(function)
        def called(text: str, *others: Any, **named: Any) -> Any:
            return (kept if len(text) <= LONGEST_TEXT else function)(text, *others, **named)

        return called  # pyright: ignore[reportReturnType]

    return of
