"""What can go wrong that a person can mend."""

from collections.abc import Iterable


class NeuralProgrammerError(Exception):
    """One clear sentence: what was expected, what came, what to do. The command line prints it and exits with 2."""


class UsageError(NeuralProgrammerError, TypeError):
    """A call that Python refuses as a TypeError: an option that is not there, a value of another type, an answer used
    as what it is not."""


def one_of(what: str, given: object, known: Iterable[str]) -> NeuralProgrammerError:
    """The error for a name that is not among the known ones."""
    return NeuralProgrammerError(f"unknown {what} {str(given)[:60]!r}; choose one of: {', '.join(known)}")
