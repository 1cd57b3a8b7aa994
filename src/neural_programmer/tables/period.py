"""A time that cells are compared with."""

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Period:
    """A time that a question names: a day, a month, a year; from its first moment to its last.

    `note` says what was taken, where the question left it open.
    """

    first: np.datetime64
    last: np.datetime64
    text: str
    note: str = field(default="", compare=False)

    def __str__(self) -> str:
        return self.text
