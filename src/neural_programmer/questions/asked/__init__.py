"""Readings of what questions say beside columns and cells: amounts, times, keys, orders, computations.

Today's models do not look at them: `read` is for those who ask for it.
"""

from neural_programmer.questions.asked.asked import Asked, placed, read
from neural_programmer.questions.asked.mentions import (
    Amount,
    Band,
    Choice,
    Comparison,
    Computation,
    Connective,
    Interval,
    Key,
    Mention,
    Missing,
    Named,
    Order,
    Rate,
    Span,
    TextTest,
    TimeOf,
    Top,
    YesNo,
)

__all__ = [
    "Amount", "Asked", "Band", "Choice", "Comparison", "Computation", "Connective", "Interval", "Key", "Mention",
    "Missing", "Named", "Order", "Rate", "Span", "TextTest", "TimeOf", "Top", "YesNo", "placed", "read",
]  # fmt: skip
