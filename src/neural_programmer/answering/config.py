"""The settings of asking: by which model, where programs run, what a question may take of the machine."""

from dataclasses import dataclass
from typing import Literal

from neural_programmer.base.settings import between

Engine = Literal["duckdb", "spark"]
ENGINE: Engine = "duckdb"  # what runs a program, if nothing is said
DEFAULT = "ask"  # the model that answers where none is named


@dataclass(frozen=True)
class AskConfig:
    """What a question may take of the machine."""

    seconds: float = 600
    """How long a table may take to be opened, and then each question about it."""
    memory: int | None = None
    """Megabytes of memory that one table and its queries may take [default: 60 % of what the machine has]."""

    def __post_init__(self) -> None:
        between(self, 0.01, 100_000, "seconds")
        if self.memory is not None:
            between(self, 50, 10**6, "memory")
