"""An answer: a scalar, cells looked up in the table, or none with the reason why."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["scalar", "lookup", "none"]

# "correct if it is equal to the correct answer up to the first decimal place" (the paper's Table 2)
TOLERANCE = 0.05


@dataclass(frozen=True)
class Answer:
    """`scalar` has a number, `lookup` the cells as (row, column name) with their values, `none` a reason."""

    kind: Kind
    scalar: float | None = None
    cells: tuple[tuple[int, str], ...] = ()
    values: tuple[float | str, ...] = ()
    reason: str = ""

    def equals(self, other: "Answer") -> bool:
        """Scalars equal up to the first decimal place; look-ups when the same cells are chosen; no answer never."""
        if self.kind != other.kind or self.kind == "none":
            return False
        if self.scalar is not None and other.scalar is not None:
            return abs(self.scalar - other.scalar) < TOLERANCE
        return set(self.cells) == set(other.cells)

    def __str__(self) -> str:
        if self.kind == "none":
            return f"no answer: {self.reason}"
        if self.scalar is not None:
            return f"{self.scalar:z.2f}".rstrip("0").rstrip(".")
        shown = ", ".join(str(value) for value in self.values[:8])
        more = len(self.values) - 8
        return f"[{shown}{f', and {more} more' if more > 0 else ''}]"
