"""A picture as a Vega-Lite specification: the data stands inside, nothing is fetched, and no text is a formula."""

import datetime
from typing import Any

from neural_programmer.base.notebook import shortened
from neural_programmer.programs.charts.columns import Number
from neural_programmer.programs.charts.picture import LONGEST, TIMES, Picture, place_texts

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"  # a name; nobody fetches it
MIME = "application/vnd.vegalite.v5+json"
WIDTH = 340  # that a phone has
TITLE = {"labelLimit": 160}


def specification(picture: Picture, title: str = "") -> dict[str, Any]:
    """Return the picture as Vega-Lite, whose fields are called along, value, by and until; titles are real names.

    Times are those of the table's clock, wherever it is looked at.
    """
    made: dict[str, Any] = {
        "$schema": SCHEMA,
        "description": " ".join((picture.text, *picture.notes)),
        **(
            {"title": {"text": shortened(title, LONGEST), "limit": WIDTH, "anchor": "start", "frame": "group"}}
            if title
            else {}
        ),
        "width": WIDTH,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": _values(picture)},
        **_drawn(picture),
    }
    if picture.notes:
        made["usermeta"] = {"notes": list(picture.notes)}
    return made


def _values(picture: Picture) -> list[dict[str, Any]]:
    """Return the points as Vega-Lite reads them. The groups of bars are written as people read them."""
    points, made = picture.points, []
    texts = place_texts(picture, [point.along for point in points]) if picture.mark == "bars" else []
    for place, point in enumerate(points):
        along = texts[place] if texts else _time(point.along)
        value: dict[str, Any] = {"along": along, "value": point.value}
        if picture.by:
            value["by"] = point.by
        if picture.mark == "histogram":
            value["until"] = point.until
        made.append(value)
    for gap in picture.gaps:  # at which Vega-Lite breaks a line
        made.append({"along": _time(gap.along), "value": None, **({"by": gap.by} if picture.by else {})})
    return made


def _time(along: Any) -> str | Number:
    """Return a time as every browser reads it: in UTC, so that its clock stays as it is."""
    if not isinstance(along, datetime.datetime):
        return along
    return f"{along.isoformat(timespec='milliseconds')}Z"


def _drawn(picture: Picture) -> dict[str, Any]:
    """Return the marks, and which field each axis shows."""
    measure = f"{picture.value} ({picture.unit})" if picture.unit else picture.value
    value = {"field": "value", "type": "quantitative", "title": measure}
    along: dict[str, Any] = {"field": "along", "title": picture.along}
    by = {
        "field": "by",
        "type": "nominal",
        "title": picture.by,
        "sort": None,
        "legend": {"orient": "top", "columns": 2},
    }
    colour = {"color": by} if picture.by else {}
    if picture.mark == "bars":
        names = {**along, "type": "nominal", "sort": None, "axis": TITLE}
        offset = {"yOffset": {"field": "by", "sort": None}} if picture.by else {}
        return {
            "mark": {"type": "bar", "tooltip": True},
            "encoding": {"y": names, "x": {**value, "scale": {"zero": True}}, **offset, **colour},
        }
    if picture.mark == "histogram":
        unit = f"{picture.along} ({picture.unit})" if picture.unit else picture.along
        binned = {**along, "title": unit, "type": "quantitative", "bin": "binned"}
        return {
            "mark": {"type": "bar", "tooltip": True},
            "encoding": {"x": binned, "x2": {"field": "until"}, "y": value},
        }
    if picture.kind in TIMES:
        quarters = {"axis": {"format": "%Y-Q%q"}} if picture.kind == "quarter" else {}
        over = {**along, "type": "temporal", "scale": {"type": "utc"}, **quarters}
    else:
        years = {"format": "d", "tickMinStep": 1} if picture.kind == "year" else {}
        over = {**along, "type": "quantitative", "scale": {"zero": False}, **({"axis": years} if years else {})}
    mark = (
        {"type": "line", "point": True, "tooltip": True}
        if picture.mark == "line"
        else {"type": "point", "tooltip": True}
    )
    return {"mark": mark, "encoding": {"x": over, "y": {**value, "scale": {"zero": False}}, **colour}}
