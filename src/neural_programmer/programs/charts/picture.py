"""The picture of an answer before it is drawn, and how it is said in words."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from neural_programmer.base.notebook import shortened
from neural_programmer.programs.charts.columns import ColumnKind, Number, apart, number_text, texts_of
from neural_programmer.programs.charts.scales import grain
from neural_programmer.programs.values import with_unit

LONGEST = 100  # letters of a name

Mark = Literal["bars", "line", "points", "histogram"]
TIMES = ("date", "quarter")  # the kinds of what is along that are times, not numbers
AlongKind = ColumnKind | Literal["year", "quarter"]


class Point(NamedTuple):
    """A bar or a point: its place along the axis, its height, its series, and where it ends if it is a bin."""

    along: Any
    value: Number
    by: str = ""
    until: Number = 0


@dataclass(frozen=True)
class Picture:
    """A picture before it is drawn: `value` over `along`, which is of a kind, for each of `series` (one without a name,
    or several).

    A line is broken at `gaps`, times that have no number. `text` says the picture in a sentence, for those who do not
    see it; `notes` say what is not drawn.
    """

    mark: Mark
    along: str
    kind: AlongKind
    value: str
    points: tuple[Point, ...]
    by: str = ""
    text: str = ""
    notes: tuple[str, ...] = ()
    unit: str = ""
    gaps: tuple[Point, ...] = ()

    @property
    def series(self) -> list[str]:
        """Return the names of the series, in order."""
        return list(dict.fromkeys(point.by for point in self.points))

    @property
    def numbers(self) -> list[Number]:
        """Return the heights of all that is drawn."""
        return [point.value for point in self.points]


def short(name: str) -> str:
    """Return the name of a column as a picture has it."""
    return shortened(name, LONGEST)


def place_texts(picture: Picture, places: Sequence[Any]) -> list[str]:
    """Return places along as people read them: times as exactly as they differ."""
    if picture.kind == "quarter" and places and isinstance(places[0], datetime.datetime):
        return [f"{each.year:04}-Q{(each.month + 2) // 3}" for each in places]
    if picture.kind == "date" and places and isinstance(places[0], datetime.datetime):
        letters = grain([point.along for point in picture.points])
        return [each.isoformat(" ")[:letters] for each in places]
    return [number_text(each) if isinstance(each, float) else str(each) for each in places]


def value_texts(picture: Picture, values: Sequence[Number]) -> list[str]:
    """Return heights as people read them, all with equally many decimals."""
    return [with_unit(text, picture.unit) if picture.unit else text for text in texts_of(values)]


def ends_of(picture: Picture, places: Sequence[Any]) -> tuple[str, str]:
    """Return the first and the last place along, as people read them."""
    low, high = place_texts(picture, [min(places), max(places)])
    return low, high


def said(picture: Picture, highest: Point, lowest: Point) -> str:
    """Return a picture of groups or times in a sentence, in which two of its points are named."""
    points, unit = picture.points, picture.unit
    value, along, by = map(apart, (picture.value, picture.along, picture.by))
    also = f" and {by}" if by else ""
    groups = len({point.along for point in points})
    if picture.mark == "line":
        low, high = ends_of(picture, [point.along for point in points])
        told = f"Line: {value} by {along}{also}; {groups:,} times from {low} to {high}"
    else:
        told = f"Bars: {value} for each {along}{also}; {groups:,} groups"
    if picture.by:
        told += f" with {len(picture.series):,} of {by}"
    if highest.value == lowest.value:
        return f"{told}; all with {number_text(highest.value, unit)}."
    ends = []
    for point in (highest, lowest):
        ties = sum(each.value == point.value for each in points) - 1
        named = place_texts(picture, [point.along])[0], point.by
        tied = f" and {ties:,} more" if ties else ""
        ends.append(
            f"{', '.join(apart(shortened(name)) for name in named if name)}{tied} with {number_text(point.value, unit)}"
        )
    return f"{told}; highest {ends[0]}, lowest {ends[1]}."


def bin_text(point: Point, unit: str = "") -> str:
    """Return which numbers are in a bin of a histogram.

    >>> bin_text(Point(2.5, 9, "", 3.5)), bin_text(Point(100, 9, "", 200), "$")
    ('of 3', 'from $100 to below $200')
    """
    middle = (point.along + point.until) / 2
    if point.until - point.along == 1 and point.along % 1 == 0.5:
        return f"of {number_text(middle, unit)}"
    return f"from {number_text(point.along, unit)} to below {number_text(point.until, unit)}"
