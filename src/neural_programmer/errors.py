"""What can go wrong that a person can mend."""

import errno
import os
from collections.abc import Iterable

FULL = (errno.ENOSPC, errno.EDQUOT)  # what the system says of a disk without room


class NeuralProgrammerError(Exception):
    """One clear sentence: what was expected, what came, what to do. The command line prints it and exits with 2."""


class UsageError(NeuralProgrammerError, TypeError):
    """A call that Python refuses as a TypeError: an option that is not there, a value of another type, an answer used
    as what it is not."""


class NoRoomError(NeuralProgrammerError):
    """A disk that is full: not the fault of what was read or written."""


def is_of_full_disk(error: BaseException) -> bool:
    """Return whether the system, or a library that passes its words on, says that a disk is full."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno in FULL
    return isinstance(error, NoRoomError) or any(os.strerror(code) in str(error) for code in FULL)


def not_installed(what: str, package: str, extra: str) -> NeuralProgrammerError:
    """Return the error for a part of this program that needs a package which only an extra installs.

    >>> print(not_installed("training needs", "jax", "train"))
    training needs jax, which is not installed: pip install 'neural-programmer[train]'
    """
    return NeuralProgrammerError(f"{what} {package}, which is not installed: pip install 'neural-programmer[{extra}]'")


def one_of(what: str, given: object, known: Iterable[str]) -> NeuralProgrammerError:
    """The error for a name that is not among the known ones."""
    return NeuralProgrammerError(f"unknown {what} {str(given)[:60]!r}; choose one of: {', '.join(known)}")
