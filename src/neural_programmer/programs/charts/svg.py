"""A picture drawn as SVG, for a phone or for a wide window; the same on the page, in files and in notebooks."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from neural_programmer.programs.charts.columns import number_text, short_number
from neural_programmer.programs.charts.drawing import DASHES, Drawing, Theme, width_of
from neural_programmer.programs.charts.picture import TIMES, Picture, bin_text, place_texts, value_texts
from neural_programmer.programs.charts.scales import Scale, seconds, some

PHONE, WINDOW = 300, 640  # pixels that a picture is wide
ROW, BAR = 22, 14  # pixels of a bar with its room, and of it alone
HEAD = 24  # of the names above
FOOT = 12  # pixels from the top of a line of text to its foot
LABELS = 0.4  # of the width, that names beside bars may take; longer ones stand above them
DAYS = 10  # letters of a day
FEW_DOTS = 60  # points of a line that are drawn as such


def drawn(picture: Picture, width: int = PHONE, theme: Theme | None = None) -> str:
    """Return a picture as SVG: with a style sheet of its own where a `theme` is named, else with classes alone."""
    drawing = Drawing(width)
    {"bars": _bars, "line": _plot, "points": _plot, "histogram": _plot}[picture.mark](drawing, picture)
    return drawing.whole(" ".join((picture.text, *picture.notes)), theme)


def _bars(drawing: Drawing, picture: Picture) -> None:
    """Draw a bar for each group, with its name beside or above it and its number at the right. Bars of several series
    stand under one name."""
    groups = list(dict.fromkeys(point.along for point in picture.points))
    names = dict(zip(groups, place_texts(picture, groups), strict=True))
    series = picture.series
    beside = series if picture.by else list(names.values())
    longest = max(map(width_of, beside))
    above = not picture.by and longest > LABELS * drawing.width
    points = _in_groups(picture, groups)
    texts = value_texts(picture, [point.value for point in points])
    left = 0.0 if above else min(longest, LABELS * drawing.width) + 8
    right = drawing.width - min(max(map(width_of, texts)), LABELS * drawing.width) - 8
    low, high = min(0, *picture.numbers), max(0, *picture.numbers)
    scale = Scale(Fraction(low), Fraction(high if low or high else 1), Fraction(1))
    zero = left + scale.part(0) * (right - left)
    half, named, measure = drawing.width / 2 - 6, width_of(picture.along), width_of(_measure(picture))
    drawing.text(0, FOOT, picture.along, "quiet", room=max(half, drawing.width - measure - 12))
    drawing.text(drawing.width, FOOT, _measure(picture), "quiet", "end", max(half, drawing.width - named - 12))
    y, top, group = float(HEAD), float(HEAD), None
    for point, text in zip(points, texts, strict=True):
        if picture.by and point.along != group:
            y += 4 * (group is not None)
            drawing.text(0, y + FOOT, names[point.along], room=drawing.width, more=' font-weight="600"')
            y += ROW - 4
        group = point.along
        name = point.by if picture.by else names[point.along]
        if above:
            drawing.text(0, y + FOOT, name, room=drawing.width, ends=True)
            y += FOOT + 5
        else:
            drawing.text(left - 8, y + BAR - 3, name, "quiet" if picture.by else "ink", "end", left - 8)
        end = left + scale.part(point.value) * (right - left)
        said = f"{names[point.along]}{f', {point.by}' if point.by else ''}: {text}"
        drawing.bar(min(zero, end), y, abs(end - zero), BAR, series.index(point.by), said)
        drawing.text(drawing.width, y + BAR - 3, text, anchor="end", room=drawing.width - right)
        y += ROW + 2 * above
    if low < 0:
        drawing.line(zero, top, zero, y - ROW + BAR, "zero")
    drawing.height = y - ROW + BAR + 4


def _in_groups(picture: Picture, groups: Sequence[Any]) -> list[Any]:
    """Return the points of each group beside each other, in the order of the groups and the series."""
    places = {group: place for place, group in enumerate(groups)}
    order = {name: place for place, name in enumerate(picture.series)}
    return sorted(picture.points, key=lambda point: (places[point.along], order[point.by]))


def _measure(picture: Picture) -> str:
    return f"{picture.value} ({picture.unit})" if picture.unit and picture.mark != "histogram" else picture.value


def _named(picture: Picture) -> str:
    """Return the name of the axis: with the unit of a distribution, or with the day if all times are of one day."""
    if picture.mark == "histogram":
        return f"{picture.along} ({picture.unit})" if picture.unit else picture.along
    days = {text[:DAYS] for text in place_texts(picture, [point.along for point in picture.points]) if len(text) > DAYS}
    return f"{picture.along}, {days.pop()}" if picture.kind in TIMES and len(days) == 1 else picture.along


def _plot(drawing: Drawing, picture: Picture) -> None:
    """Draw lines, points or the bars of a histogram between two axes, under the name of the measure."""
    numbers, histogram = picture.numbers, picture.mark == "histogram"
    tall = min(max(drawing.width * 0.55, 190), 300)
    upward = Scale.of([0, *numbers] if histogram else numbers, 5, "always" if histogram else "near", _counts(picture))
    left = max(width_of(text) for _, text in upward.written) + 8
    right = drawing.width - 8.0
    drawing.text(0, FOOT, _measure(picture), "quiet", room=drawing.width)
    top = HEAD + (_legend(drawing, picture) if picture.by else 0)
    foot = top + tall

    def y(value: Any) -> float:
        return foot - upward.part(value) * tall

    for value, text in upward.written:
        drawing.line(left, y(value), right, y(value), "zero" if not value else "rule")
        drawing.text(left - 6, y(value) + 4, text, "quiet", "end")
    along, labels = _across(picture, left, right)
    if histogram:
        for point in picture.points:
            start, end = along(point.along), along(point.until)
            said = f"{number_text(point.value)} {bin_text(point, picture.unit)}"
            if point.value:
                drawing.bar(start + 0.5, y(point.value), end - start - 1, foot - y(point.value), 0, said)
    elif picture.mark == "points":
        for point in picture.points:
            drawing.dot(along(point.along), y(point.value), 0, 3, faint=True)
    else:
        _lines(drawing, picture, along, y)
    last = -1e9
    for x, text in labels:
        half = width_of(text) / 2
        x_text = min(max(x, half), drawing.width - half)
        if x_text - half > last + 8:
            drawing.line(x, foot, x, foot + 4, "zero")
            drawing.text(x_text, foot + 18, text, "quiet", "middle")
            last = x_text + half
    drawing.text((left + right) / 2, foot + 38, _named(picture), "quiet", "middle", right - left)
    drawing.height = foot + 44


def _counts(picture: Picture) -> bool:
    """Return whether all numbers that are drawn are whole, so that the axis writes whole ones only."""
    return all(float(value).is_integer() for value in picture.numbers)


def _lines(drawing: Drawing, picture: Picture, along: Callable[[Any], float], y: Callable[[Any], float]) -> None:
    texts = place_texts(picture, [point.along for point in picture.points])
    for place, name in enumerate(picture.series):
        heights = {point.along: point.value for point in picture.points if point.by == name}
        gaps = {gap.along for gap in picture.gaps if gap.by == name}
        parts: list[list[tuple[float, float]]] = [[]]
        for time in sorted({*gaps, *heights}):
            if time in heights:
                parts[-1].append((along(time), y(heights[time])))
            else:
                parts.append([])
        for part in parts:
            if len(part) > 1:
                drawing.path(part, place)
            elif part:
                drawing.dot(*part[0], place)
    if len(picture.points) <= FEW_DOTS:
        for point, text in zip(picture.points, texts, strict=True):
            said = f"{text}{f', {point.by}' if point.by else ''}: {number_text(point.value, picture.unit)}"
            drawing.dot(along(point.along), y(point.value), picture.series.index(point.by), title=said)


def _across(picture: Picture, left: float, right: float) -> tuple[Callable[[Any], float], list[tuple[float, str]]]:
    """Return a function from a place to its position on the axis, and the places that are written there, as many as
    fit."""
    if picture.kind in TIMES:
        times = sorted({point.along for point in picture.points})
        first, last = seconds(times[0]), seconds(times[-1])

        def at_time(time: Any) -> float:
            return left + float((seconds(time) - first) / (last - first or 1)) * (right - left)

        texts = place_texts(picture, times)
        if len(texts[0]) > DAYS and len({text[:DAYS] for text in texts}) == 1:
            texts = [text[DAYS:].strip() for text in texts]
        room = max(int((right - left) / (width_of(texts[0]) + 20)), 2)
        return at_time, [(at_time(times[place]), texts[place]) for place in some(len(times), room)]
    places = [point.along for point in picture.points]
    if picture.mark == "histogram":
        places.append(picture.points[-1].until)
        scale = Scale.of(places, 6, "never")
        low, high = Fraction(min(places)), Fraction(max(places))
    else:
        year = picture.kind == "year"
        scale = Scale.of(places, 6, "never" if year else "near", whole=year)
        low, high = (Fraction(min(places)), Fraction(max(places))) if year else (scale.low, scale.high)

    def at(number: Any) -> float:
        return left + float((Fraction(number) - low) / (high - low or 1)) * (right - left)

    written = [each for each, _ in scale.written if low <= each <= high]
    if picture.kind == "year":
        return at, [(at(each), str(each)) for each in written]
    return at, [(at(each), short_number(each, scale.step)) for each in written]


def _legend(drawing: Drawing, picture: Picture) -> float:
    """Draw the names of the series, as many in a line as fit. Return the height."""
    x, y = 0.0, float(HEAD)
    for place, name in enumerate(picture.series):
        wide = min(width_of(name), drawing.width - 30)
        if x and x + 26 + wide > drawing.width:
            x, y = 0.0, y + 18
        dash = f' stroke-width="3" stroke-dasharray="{DASHES[place]}"' if DASHES[place] else ' stroke-width="3"'
        drawing.line(x, y + 6, x + 20, y + 6, f"l{place}", dash)
        drawing.text(x + 26, y + 10, name, room=drawing.width - 30)
        x += 26 + wide + 16
    return y + 22 - HEAD
