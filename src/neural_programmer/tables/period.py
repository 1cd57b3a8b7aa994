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


def full_year(digits: str) -> int:
    """Return a year as it is written, of two digits as DuckDB and C read them.

    >>> full_year("68"), full_year("69"), full_year("1815")
    (2068, 1969, 1815)
    """
    year = int(digits)
    return year if len(digits) > 2 else year + (2000 if year < 69 else 1900)
