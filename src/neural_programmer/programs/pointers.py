"""What a step points at: a column, a part of one, a measure of groups, or a number of each row; and its argument: a
number, a time or texts."""

from dataclasses import dataclass
from typing import Any, TypeAlias

from neural_programmer.programs.expressions import Unit
from neural_programmer.tables.period import Period


@dataclass(frozen=True)
class PartOf:
    """A part of the times of a column.

    >>> str(PartOf("built", "year"))
    'year of built'
    """

    column: str
    unit: Unit

    def __str__(self) -> str:
        return f"{self.unit} of {self.column}"


@dataclass(frozen=True)
class BandOf:
    """The bands of the numbers of a column.

    >>> str(BandOf("age", 10.0))
    'age in bands of 10'
    """

    column: str
    width: float

    def __str__(self) -> str:
        return f"{self.column} in bands of {self.width:g}"


@dataclass(frozen=True)
class MeasureAt:
    """A measure of the groups, by its place from 0.

    >>> str(MeasureAt(0))
    'measure 1'
    """

    place: int

    def __str__(self) -> str:
        return f"measure {self.place + 1}"


@dataclass(frozen=True)
class Computed:
    """The number of each row that was computed last.

    >>> str(Computed())
    'what was computed'
    """

    def __str__(self) -> str:
        return "what was computed"


Argument: TypeAlias = float | Period | tuple[str, ...] | None
Pointer: TypeAlias = str | PartOf | BandOf | MeasureAt | Computed


def source_of(pointer: Pointer | None) -> str | None:
    """Return the column of the table that a pointer reads, if it reads one.

    >>> source_of(PartOf("built", "year")), source_of(MeasureAt(0))
    ('built', None)
    """
    if isinstance(pointer, PartOf | BandOf):
        return pointer.column
    return pointer if isinstance(pointer, str) else None


def bounds(argument: float | Period | None) -> tuple[Any, Any]:
    """Return the least and the greatest cell that a number or a time stands for."""
    return (argument.first, argument.last) if isinstance(argument, Period) else (argument, argument)
