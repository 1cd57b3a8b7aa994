"""The settings of trying candidate programs; they are part of a network's settings, and stand in its file."""

from dataclasses import dataclass

from neural_programmer.base.settings import between
from neural_programmer.errors import NeuralProgrammerError


@dataclass(frozen=True)
class CandidateConfig:
    """How many candidate programs are tried for a question, and of how many columns."""

    most: int = 12_000
    """About how many candidates of a question are tried; of written cells, sets of rows times columns."""
    differences: int = 500
    """How many differences of two numbers are tried besides."""
    columns: tuple[int, ...] = (10, 6, 4, 3, 2)
    """How many columns are tried where the candidates of all are too many: the first of these that is few enough."""
    written_columns: tuple[int, ...] = (24, 16, 10, 6, 4)
    """The same of tables with written cells, whose views are columns too."""
    cells: int = 1_000
    """How many cells are read of those that a proposed program looks up."""
    joined: int = 4
    """How many conditions are joined at most."""
    near: int = 1
    """How many of these may be on texts that the question does not say."""
    sets: int = 20_000
    """How many sets of rows are tried for one choice of mentions; where there are more, columns must be mentioned."""
    together: int = 200_000
    """How many sets of rows are tried for all choices of mentions; those of fewer mentions come first."""
    pairs: int = 1_000
    """How many pairs of conditions, or of columns, have their numbers taken from each other."""
    single: int = 150
    """Of written cells, how many conditions are tried alone: so many on texts and so many on numbers."""
    combined: int = 300
    """Of written cells, how many sets of rows of two conditions are tried, and of three a third of these."""
    compared: int = 12
    """Of written cells, how many things are compared with each other."""
    comparisons: int = 30
    """Of written cells, how many pairs of these are compared."""
    slots: int = 24
    """Of written cells, in how many columns they are compared."""
    few: int = 3
    """Of written cells, how many rows others are compared with at most."""

    def __post_init__(self) -> None:
        between(self, 1, 10**6, "most", "cells", "sets", "together", "single", "few")
        between(self, 0, 10**6, "differences", "near", "pairs", "combined", "compared", "comparisons", "slots")
        between(self, 1, 4, "joined")
        for name in ("columns", "written_columns"):
            counts = getattr(self, name)
            if not counts or len(counts) > 100 or not all(1 <= count <= 10_000 for count in counts):
                raise NeuralProgrammerError(
                    f"{name.replace('_', ' ')} must be 1 to 100 numbers of 1 to 10,000, not {str(counts)[:60]}"
                )


CANDIDATES = CandidateConfig()


@dataclass(frozen=True)
class ProposalConfig:
    """How many programs are proposed for a question, and of how much of what it mentions they are made."""

    most: int = 2_000
    """How many programs are proposed."""
    columns: int = 20
    """How many columns of a kind fill a slot: those that are mentioned come first."""
    conditions: int = 50
    """How many sets of conditions fill a slot."""
    kept: int = 700
    """How many of the ways to fill the slots of a shape are kept, after each of its slots."""
    each: int = 20
    """How many programs of every shape are among those that are proposed, whatever their scores are."""

    varied: float = 0.25
    """What a score loses for each doubling of the programs of its shape with the same conditions before it."""

    def __post_init__(self) -> None:
        between(self, 0, 10, "varied")
        between(self, 1, 10**6, "most", "columns", "conditions", "kept")
        between(self, 0, 10**6, "each")


PROPOSALS = ProposalConfig()
