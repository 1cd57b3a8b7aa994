"""What can go wrong that a person can mend."""


class NeuralProgrammerError(Exception):
    """One clear sentence: what was expected, what came, what to do. The command line prints it and exits with 2."""


def one_of(what: str, given: object, known: object) -> NeuralProgrammerError:
    """The error for a name that is not among the known ones."""
    return NeuralProgrammerError(f"unknown {what} {given!r}; choose one of: {', '.join(map(str, known))}")  # type: ignore[call-overload]
