"""Which picture an answer has, from its columns alone: bars, a line, points, a histogram, or none and why."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from neural_programmer.base.notebook import shortened
from neural_programmer.programs.charts.columns import (
    ColumnKind,
    Number,
    apart,
    cell_text,
    is_of_years,
    kind_of,
    moment,
    number,
    number_text,
)
from neural_programmer.programs.charts.picture import LONGEST, AlongKind, Picture, Point, bin_text, ends_of, said, short
from neural_programmer.programs.charts.scales import Scale, some
from neural_programmer.programs.result import Result
from neural_programmer.programs.values import is_missing

MOST_BARS = 20  # groups that are drawn
MOST_SERIES = 6  # second keys that are drawn, each in a colour
MOST_GROUPED = 36  # bars of groups by second keys
MOST_POINTS = 1_000  # points, and points of lines
FEWEST_TIMES = 3  # that are drawn as a line
FEWEST_NUMBERS = 20  # that are a distribution; fewer are read faster than a picture of them
BINS = 20  # of a histogram, at most about
LOOKED_AT = 100  # cells that tell soon that there is nothing to draw


@dataclass(frozen=True)
class Shape:
    """What the columns of a table answer are, where that is known: `keys` name groups, `measures` are numbers of them.

    A table with measures and without keys has a row for each row of a table. Columns that are not there are ignored.
    """

    keys: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()


def chosen(result: Result, shape: Shape | None = None, unit: str = "") -> Picture | str:
    """Return the picture of an answer, or why there is none: what follows "there is no picture of this answer: ".

    >>> chosen(Result.table(("city", "rent"), [("Oslo", 900), ("Rome", 700)])).text
    'Bars: rent for each city; 2 groups; highest Oslo with 900, lowest Rome with 700.'
    >>> chosen(Result.number(3.0))
    'it is one number'
    """
    if result.kind == "table":
        return _of_table(result, shape or Shape(), unit)
    if result.kind == "lookup":
        return _histogram(result.held[0], result.columns[0], unit, result)
    return {"scalar": "it is one number", "truth": "it is one truth"}.get(result.kind, "there is no answer")


def _of_table(result: Result, shape: Shape, unit: str) -> Picture | str:
    if result.length < 2:
        return "it has one row, and nothing to compare it with" if result.length else "it has no rows"
    kinds: list[ColumnKind] = [kind_of(cells) for cells in result.held]
    if "number" not in kinds:
        return "none of its columns has numbers"
    keys = _named(result, shape.keys)
    measures = [place for place in _named(result, shape.measures) if kinds[place] == "number"]
    if not keys and not measures:
        keys = _keys(result, kinds)
        if isinstance(keys, str):
            return keys
    elif keys and not _tells_apart(result, keys):
        return "its rows are no groups: several have the same names"
    if len(keys) > 2:
        return f"it has {len(keys)} columns of groups, and two can be drawn"
    measures = measures or [place for place, kind in enumerate(kinds) if kind == "number" and place not in keys]
    if not measures:
        return "its only numbers are the names of its groups"
    if keys:
        return _of_groups(result, kinds, keys, measures, unit, known=bool(shape.keys))
    times = _times(result, kinds)
    if len(measures) > 1 or set(times) - set(measures):
        return _points(result, kinds, measures)
    return _histogram(result.held[measures[0]], result.columns[measures[0]], unit, result)


def _named(result: Result, names: Sequence[str]) -> list[int]:
    return [result.columns.index(name) for name in dict.fromkeys(names) if name in result.columns]


def _times(result: Result, kinds: Sequence[ColumnKind]) -> list[int]:
    """The columns that are times: dates, and years by their names."""
    return [
        place
        for place, kind in enumerate(kinds)
        if kind == "date" or (kind == "number" and is_of_years(result.columns[place], result.held[place]))
    ]


def _keys(result: Result, kinds: Sequence[ColumnKind]) -> list[int] | str:
    """The columns that tell the rows apart, which may be none; or why this is no table of groups or numbers."""
    times = _times(result, kinds)
    numbers = [place for place, kind in enumerate(kinds) if kind == "number"]
    names = [place for place, kind in enumerate(kinds) if kind == "text" or place in times]
    if set(numbers) <= set(names):  # years of years: the last ones are what is drawn
        names = [place for place in names if place != numbers[-1]]
    for keys in (*([name] for name in names), names[:2]):
        if keys and _tells_apart(result, keys):
            return keys
    whole = all(isinstance(cell, int) or (number(cell) or 0.5) % 1 == 0 for cell in result.held[numbers[0]])
    if not names and len(numbers) > 1 and result.length <= MOST_BARS and whole and _tells_apart(result, numbers[:1]):
        return numbers[:1]
    if names and len(numbers) == 1 and not times:
        return "its rows are no groups: several have the same names"
    return []


def _tells_apart(result: Result, keys: Sequence[int]) -> bool:
    named = {tuple(map(str, row)) for row in zip(*(result.held[place] for place in keys), strict=True)}
    return len(named) == result.length


def _of_groups(
    result: Result, kinds: Sequence[ColumnKind], keys: list[int], measures: Sequence[int], unit: str, known: bool
) -> Picture | str:
    """Bars, or a line along times; of two keys one is along, and the other has a colour each."""
    measure, over = measures[0], keys[0]
    kind: dict[int, AlongKind] = {
        place: "year" if is_of_years(result.columns[place], result.held[place], known) else kinds[place]
        for place in keys
    }
    for place in keys:
        if kind[place] in ("date", "year") and len(set(map(str, result.held[place]))) >= FEWEST_TIMES:
            over = place
            break
    line = kind[over] in ("date", "year") and len(set(map(str, result.held[over]))) >= FEWEST_TIMES
    by = next((place for place in keys if place != over), None)
    if by is not None and not line and len(set(map(str, result.held[by]))) > MOST_SERIES:
        less = len(set(map(str, result.held[over]))) < len(set(map(str, result.held[by])))
        over, by = (by, over) if less else (over, by)
    names, points, lacking = _Names(), [], 0
    for row in range(result.length):
        value = number(result.held[measure][row])
        given = result.held[over][row]
        place = _along(given, kind[over]) if line else names.of(over, given, kind[over])
        if value is None or place is None:
            lacking += 1
            continue
        series = "" if by is None else names.of(by, result.held[by][row], kind[by])
        points.append(Point(place, value, series))
    if len({point.along for point in points}) < 2:
        return "it has fewer than two numbers to compare"
    others = [result.columns[place] for place in measures[1:] if place not in keys]
    notes = [*_cut(result), *_without(lacking)]
    if others:
        notes.append(f"Drawn is {short(result.columns[measure])}; {_listed(others)} is in the table.")
    picture = Picture(
        "line" if line else "bars", short(result.columns[over]), kind[over], short(result.columns[measure]),
        tuple(points), "" if by is None else short(result.columns[by]), unit="" if others else unit,
    )  # fmt: skip
    return _fitting(picture, notes)


def _fitting(picture: Picture, notes: list[str]) -> Picture:
    """The picture with as much of it as can be read, and in words; a line from its beginning to its end."""
    points = list(picture.points)
    text = said(picture)
    series = picture.series
    if len(series) > MOST_SERIES:
        kept = set(series[:MOST_SERIES])
        points = [point for point in points if point.by in kept]
        notes.append(f"The first {MOST_SERIES} of {len(series):,} of {picture.by} are drawn.")
    count = min(len(series), MOST_SERIES)
    if picture.mark == "line":
        points.sort(key=lambda point: point.along)
        times = sorted({point.along for point in points})
        places = some(len(times), MOST_POINTS // count)
        if len(places) < len(times):
            kept = {times[place] for place in places}
            points = [point for point in points if point.along in kept]
            notes.append(f"One of every {places[1]:,} of {len(times):,} times is drawn.")
    else:
        groups = list(dict.fromkeys(point.along for point in points))
        most = MOST_BARS if count == 1 else max(MOST_GROUPED // count, 2)
        if len(groups) > most:
            kept = set(groups[:most])
            points = [point for point in points if point.along in kept]
            notes.append(f"The first {most:,} of {len(groups):,} groups are drawn.")
    return replace(picture, points=tuple(points), text=text, notes=tuple(notes))


def _points(result: Result, kinds: Sequence[ColumnKind], measures: Sequence[int]) -> Picture | str:
    """Two numbers of each row, or a number at a time: the first two, the first along."""
    times = _times(result, kinds)
    over = times[0] if times else measures[0]
    value = next(place for place in measures if place != over)
    kind: AlongKind = "number" if kinds[over] == "number" else "date"
    every = [
        Point(x, y)
        for x, y in ((_along(a, kind), number(b)) for a, b in zip(result.held[over], result.held[value], strict=True))
        if x is not None and y is not None
    ]
    if len(every) < 2:
        return "it has fewer than two numbers to compare"
    notes = [*_cut(result), *_without(result.length - len(every))]
    places = some(len(every), MOST_POINTS)
    if len(places) < len(every):
        notes.append(f"One of every {places[1]:,} of {len(every):,} rows is drawn.")
    along, measure = short(result.columns[over]), short(result.columns[value])
    picture = Picture("points", along, kind, measure, tuple(every))
    x, y = apart(along), apart(measure)
    low, high = ends_of(picture, [point.along for point in every])
    lowest, highest = number_text(min(picture.numbers)), number_text(max(picture.numbers))
    text = f"Points: {y} against {x}; {len(every):,} rows; {x} from {low} to {high}, {y} from {lowest} to {highest}."
    return Picture(
        "points", along, kind, measure, tuple(every[place] for place in places), text=text, notes=tuple(notes)
    )


def _histogram(cells: Sequence[Any], name: str, unit: str, result: Result) -> Picture | str:
    """How often which number is there."""
    if kind_of(cells[:LOOKED_AT]) == "text" or kind_of(cells) != "number":
        return "it is a list of cells that are no numbers"
    found = [each for each in map(number, cells) if each is not None]
    if len(found) < FEWEST_NUMBERS:
        return f"it is a list of {len(found):,} numbers, and a distribution needs {FEWEST_NUMBERS}"
    if min(found) == max(found):
        return "all of its numbers are the same"
    points = _bins(found)
    most = max(points, key=lambda point: point.value)
    name = short(name)
    text = (
        f"Histogram: how often which {apart(name)} is there; {len(found):,} numbers from"
        f" {number_text(min(found), unit)} to {number_text(max(found), unit)};"
        f" most, {most.value:,}, {bin_text(most, unit)}."
    )
    notes = (*_cut(result), *_without(len(cells) - len(found)))
    return Picture("histogram", name, "number", "how many", points, text=text, notes=notes, unit=unit)


def _bins(numbers: Sequence[Number]) -> tuple[Point, ...]:
    """How many of some numbers are in each of some bins, which end at round numbers; the last holds its end as well.

    Whole numbers that are close to each other have a bin each, in the middle of it.
    """
    whole = all(isinstance(each, int) or each.is_integer() for each in numbers)
    scale = Scale.of(numbers, BINS, "never", whole)
    low, step = float(scale.low), float(scale.step)
    if whole and scale.step == 1:
        low -= 0.5
        scale = Scale(scale.low - Fraction(1, 2), scale.high + Fraction(1, 2), scale.step)
    count = int((scale.high - scale.low) / scale.step)
    ends = [scale.low + place * scale.step for place in range(count + 1)]
    counts = Counter(min(max(math.floor((each - low) / step), 0), count - 1) for each in numbers)
    return tuple(Point(_float(ends[place]), counts[place], "", _float(ends[place + 1])) for place in range(count))


def _float(value: Fraction) -> Number:
    """A number for people and JSON: whole if it is."""
    return value.numerator if value.denominator == 1 and abs(value) < 2**53 else float(value)


class _Names:
    """The names of groups, short, of which no two are the same."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, str], str] = {}
        self.used: set[tuple[int, str]] = set()

    def of(self, column: int, cell: Any, kind: str) -> str:
        given = column, f"{type(cell).__name__} {cell}"
        if given not in self.known:
            name = shortened(str(int(cell)) if kind == "year" and not is_missing(cell) else cell_text(cell), LONGEST)
            number, called = 1, name
            while (column, called) in self.used:
                number += 1
                called = f"{name} ({number})"
            self.used.add((column, called))
            self.known[given] = called
        return self.known[given]


def _along(cell: Any, kind: str) -> Any:
    """Where a cell is along an axis of times or numbers; None where it is nowhere."""
    if kind == "date":
        return moment(cell)
    value = number(cell)
    return int(value) if kind == "year" and value is not None else value


def _listed(names: Sequence[str]) -> str:
    return short(names[0]) if len(names) == 1 else f"each of {len(names):,} other numbers"


def _cut(result: Result) -> list[str]:
    return [f"The answer holds the first {result.length:,} of {result.total:,} rows."] if result.more else []


def _without(lacking: int) -> list[str]:
    """What is said of rows that cannot be drawn."""
    if not lacking:
        return []
    what, verb = ("row", "is") if lacking == 1 else ("rows", "are")
    return [f"{lacking:,} {what} without a number to draw {verb} left out."]
