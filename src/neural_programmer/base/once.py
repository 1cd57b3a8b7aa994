"""What is computed when it is first asked for, and kept."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class once(Generic[Value]):
    """As functools.cached_property, but in Python 3.11 too nobody waits for what is computed for another object.

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
