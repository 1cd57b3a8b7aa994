"""All built-in operations by name: those on rows, in the order of the weights of older models, then those on tables."""

import copyreg
import pickle
from functools import lru_cache
from typing import Any

from neural_programmer.errors import one_of
from neural_programmer.programs.operation import Operation as Operation
from neural_programmer.programs.row_operations import ROW_OPERATIONS as ROW_OPERATIONS
from neural_programmer.programs.table_operations import TABLE_OPERATIONS

BUILT_IN = ROW_OPERATIONS | TABLE_OPERATIONS
PAPER = ("sum", "count", "difference", "greater", "lesser", "and", "or", "assign", "reset")  # Table 1
TEXT = (*PAPER, "text match")  # and section 2.3.1
ROWS = tuple(ROW_OPERATIONS)
TABLES = tuple(TABLE_OPERATIONS)
EVERY = tuple(BUILT_IN)
ORDER = ("first", "last", "previous", "next", "above", "below")  # those that need the order of the rows
COMPARISONS = ("greater", "lesser")  # those of the paper, which take one number for the whole question
CONDITIONS = tuple(entry for entry in ROW_OPERATIONS.values() if entry.argument != "none")


def entry_of(name: str, own: tuple[Operation, ...] = ()) -> Operation:
    """Return the operation of a name: one of somebody's `own`, or a built-in one."""
    found = next((entry for entry in own if entry.name == name), None) or BUILT_IN.get(name)
    if found is None:
        raise one_of("operation", name, (*BUILT_IN, *(entry.name for entry in own)))
    return found


@lru_cache(256)
def named(names: tuple[str, ...], own: tuple[Operation, ...] = ()) -> tuple[Operation, ...]:
    """Return the operations of these names."""
    return tuple(entry_of(name, own) for name in names)


def own_of(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """Return the operations that are not built in."""
    return tuple(operation for operation in operations if operation.own is not None)


@lru_cache(256)
def acting(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """Return the operations that act on a column."""
    return tuple(operation for operation in operations if operation.column != "none")


@lru_cache(256)
def conditions(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """Return the operations that take an argument."""
    return tuple(operation for operation in operations if operation.argument != "none")


def _travelling(operation: Operation) -> tuple[Any, ...]:
    """Pickle an operation for another process: a built-in one by its name, one's own by its file, run there."""
    if operation.own is None:
        return entry_of, (operation.name,)
    if operation.own.again is None:
        raise pickle.PicklingError(f"{operation} came without a file that another process could run")
    return operation.own.again, ()


copyreg.pickle(Operation, _travelling)  # type: ignore[arg-type]
