"""Choose the picture of an answer from its columns alone: bars, a line, points, a histogram, or none and why."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from neural_programmer.base.notebook import shortened
from neural_programmer.programs.charts.columns import (
    BANDS_NAMED,
    GROUP_NAMED,
    ColumnKind,
    Number,
    apart,
    are_quarters,
    cell_text,
    is_of_years,
    kind_of,
    moment,
    number,
    number_text,
)
from neural_programmer.programs.charts.picture import (
    LONGEST,
    TIMES,
    AlongKind,
    Picture,
    Point,
    bin_text,
    ends_of,
    said,
    short,
)
from neural_programmer.programs.charts.scales import Scale, some
from neural_programmer.programs.result import Result

MOST_BARS = 20  # groups that are drawn
MOST_SERIES = 6  # second keys that are drawn, each in a colour
MOST_GROUPED = 36  # bars of groups by second keys
MOST_POINTS = 1_000  # points, and points of lines
FEWEST_TIMES = 3  # that are drawn as a line
FEWEST_NUMBERS = 20  # that are a distribution; fewer are read faster than a picture of them
BINS = 20  # of a histogram, at most about
MOST_BANDS = 60  # bands of a histogram, those without rows too
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
    if len(keys) == 1 and (bands := _bands(result, keys[0], measures)):
        return bands
    if keys:
        return _of_groups(result, kinds, keys, measures, unit, known=bool(shape.keys))
    times = _times(result, kinds)
    if len(measures) > 1 or set(times) - set(measures):
        return _points(result, kinds, measures)
    return _histogram(result.held[measures[0]], result.columns[measures[0]], unit, result)


def _named(result: Result, names: Sequence[str]) -> list[int]:
    return [result.columns.index(name) for name in dict.fromkeys(names) if name in result.columns]


def _times(result: Result, kinds: Sequence[ColumnKind]) -> list[int]:
    """Return the places of the columns that hold times: dates, and years by their names."""
    return [
        place
        for place, kind in enumerate(kinds)
        if kind == "date" or (kind == "number" and is_of_years(result.columns[place], result.held[place]))
    ]


def _keys(result: Result, kinds: Sequence[ColumnKind]) -> list[int] | str:
    """Return the places of the columns that tell the rows apart, which may be none, or why the table has no picture."""
    times = _times(result, kinds)
    numbers = [place for place, kind in enumerate(kinds) if kind == "number"]
    groups = [place for place in numbers if GROUP_NAMED.search(result.columns[place])]
    names = [place for place, kind in enumerate(kinds) if kind == "text" or place in (*times, *groups)]
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
    some = [result.held[place] for place in keys]
    return _different(some[0] if len(some) == 1 else list(zip(*some, strict=True))) == result.length


def _different(cells: Sequence[Any]) -> int:
    """Return how many of some cells differ."""
    try:
        return len(set(cells))
    except TypeError:  # lists have no hash
        return len(set(map(str, cells)))


def _kind(name: str, cells: Sequence[Any], kind: ColumnKind, known: bool) -> AlongKind:
    """Return the kind of the cells of a key."""
    if kind == "number":
        return "year" if is_of_years(name, cells, known) else "number"
    return "quarter" if kind == "date" and are_quarters(cells) else kind


def _of_groups(
    result: Result, kinds: Sequence[ColumnKind], keys: list[int], measures: Sequence[int], unit: str, known: bool
) -> Picture | str:
    """Return bars, or a line along times. Of two keys, one lies along the axis, and the other has a colour for each
    group."""
    measure, over, count = measures[0], keys[0], {place: _different(result.held[place]) for place in keys}
    names, held = result.columns, result.held
    kind: dict[int, AlongKind] = {place: _kind(names[place], held[place], kinds[place], known) for place in keys}
    times = [place for place in keys if kind[place] in (*TIMES, "year") and count[place] >= FEWEST_TIMES]
    over, line = (times[0], True) if times else (over, False)
    by = next((place for place in keys if place != over), None)
    if by is not None and not line and MOST_SERIES < count[by] > count[over]:
        over, by = by, over
    groups, series = _Names(kind[over]), _Names("text" if by is None else kind[by])
    points, gaps, lacking = [], [], 0
    for value, along, second in zip(
        map(number, result.held[measure]), result.held[over], result.held[measure if by is None else by], strict=True
    ):
        place = _along(along, kind[over]) if line else groups.place(along)
        lacking += value is None or place is None
        if place is not None:
            some = gaps if value is None else points
            some.append(Point(place, value or 0, "" if by is None else str(series.place(second))))
    if len({point.along for point in points}) < 2:
        return "it has fewer than two numbers to compare"
    others = _others(result, measures)
    notes = [*_cut(result), *_without(lacking), *others]
    picture = Picture(
        "line" if line else "bars", short(result.columns[over]), kind[over], short(result.columns[measure]),
        tuple(points), "" if by is None else short(result.columns[by]), unit="" if others else unit,
        gaps=tuple(gaps) if line else (),
    )  # fmt: skip

    def named(point: Point) -> Point:
        return Point(
            point.along if line else groups.name(point.along),
            point.value,
            "" if by is None else series.name(int(point.by)),
        )

    return _fitting(picture, notes, named)


def _fitting(picture: Picture, notes: list[str], named: Callable[[Point], Point]) -> Picture:
    """Return the picture with as many series and groups as can be read, under their names, and said in words.

    A line keeps its beginning and its end.
    """
    points, series = list(picture.points), picture.series
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
            points, picture = [point for point in points if point.along in kept], replace(picture, gaps=())
            notes.append(f"One of every {places[1]:,} of {len(times):,} times is drawn.")
    else:
        groups = list(dict.fromkeys(point.along for point in points))
        most = MOST_BARS if count == 1 else max(MOST_GROUPED // count, 2)
        if len(groups) > most:
            kept = set(groups[:most])
            points = [point for point in points if point.along in kept]
            notes.append(f"The first {most:,} of {len(groups):,} groups are drawn.")
    drawn = tuple(map(named, points))
    gaps = tuple(named(gap) for gap in picture.gaps if gap.by in {point.by for point in points})
    ends = (named(pick(picture.points, key=lambda point: point.value)) for pick in (max, min))
    return replace(picture, points=drawn, gaps=gaps, text=said(picture, *ends), notes=tuple(notes))


def _points(result: Result, kinds: Sequence[ColumnKind], measures: Sequence[int]) -> Picture | str:
    """Return points of the first two numbers of each row, the first along the axis; or of a number at each time."""
    times = _times(result, kinds)
    over = next((time for time in times if set(measures) - {time}), measures[0])
    if set(measures) <= {over}:
        return "its only numbers are times"
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
    """Return a histogram of some numbers, or why there is none."""
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


def _bands(result: Result, key: int, measures: Sequence[int]) -> Picture | None:
    """Return a histogram of a measure of bands of numbers, which the names of the columns say, or None. An empty band
    is seen."""
    found = BANDS_NAMED.search(result.columns[key])
    width = float(found[1]) if found else 0.0
    pairs = [(number(a), number(b)) for a, b in zip(result.held[key], result.held[measures[0]], strict=True) if found]
    points = sorted(Point(a, b, "", a + width) for a, b in pairs if a is not None and b is not None)
    if len(points) < 2 or not width or points[-1].along - points[0].along > MOST_BANDS * width:
        return None
    if min(point.value for point in points) < 0:
        return None
    most = max(points, key=lambda point: point.value)
    along, value = short(result.columns[key]), short(result.columns[measures[0]])
    text = (
        f"Histogram: {apart(value)} by {apart(along)}; {len(points):,} bands from"
        f" {number_text(points[0].along)} to below {number_text(points[-1].until)}; highest"
        f" {number_text(most.value)}, {bin_text(most)}."
    )
    notes = [*_cut(result), *_without(len(pairs) - len(points)), *_others(result, measures)]
    return Picture("histogram", along, "number", value, tuple(points), text=text, notes=tuple(notes))


def _bins(numbers: Sequence[Number]) -> tuple[Point, ...]:
    """Return how many of some numbers are in each of some bins, which end at round numbers. The last bin holds its end
    as well.

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
    """Return a number for people and JSON, whole if it is."""
    return value.numerator if value.denominator == 1 and abs(value) < 2**53 else float(value)


class _Names:
    """The groups of a column: a place for each, and a short name that no other has for those that are drawn."""

    def __init__(self, kind: AlongKind) -> None:
        self.kind, self.places, self.cells, self.names = kind, {}, [], {}

    def place(self, cell: Any) -> int:
        """Return the place of a group. All groups without a name have the same."""
        key = (type(cell), cell) if type(cell) in (str, float, int) and cell == cell else cell_text(cell)
        if key not in self.places:
            self.places[key] = len(self.cells)
            self.cells.append(cell)
        return self.places[key]

    def name(self, place: int) -> str:
        if place not in self.names:
            cell = self.cells[place]
            year = self.kind == "year" and number(cell) is not None
            name = called = shortened(str(int(cell)) if year else cell_text(cell), LONGEST)
            count = 1
            while called in self.names.values():
                count += 1
                called = f"{name} ({count})"
            self.names[place] = called
        return self.names[place]


def _along(cell: Any, kind: str) -> Any:
    """Return where a cell lies along an axis of times or numbers, or None where it is neither."""
    if kind in TIMES:
        return moment(cell)
    value = number(cell)
    return int(value) if kind == "year" and value is not None else value


def _others(result: Result, measures: Sequence[int]) -> list[str]:
    """Return the note on a table that has further numbers, none of which is drawn."""
    drawn, *others = (short(result.columns[place]) for place in measures)
    if not others:
        return []
    named = others[0] if len(others) == 1 else f"each of {len(others):,} other numbers"
    return [f"Drawn is {drawn}; {named} is in the table."]


def _cut(result: Result) -> list[str]:
    return [f"The answer holds the first {result.length:,} of {result.total:,} rows."] if result.more else []


def _without(lacking: int) -> list[str]:
    """Return the note on rows that cannot be drawn."""
    if not lacking:
        return []
    what, verb = ("row", "is") if lacking == 1 else ("rows", "are")
    return [f"{lacking:,} {what} without a number to draw {verb} left out."]
