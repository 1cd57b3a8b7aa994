"""The pictures of answers: which one, what it says, its specification, its drawing, and cells of every odd kind."""

import datetime
import json
import math
import random
import re
import runpy
import xml.etree.ElementTree as ElementTree
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.charts import png
from neural_programmer.programs.charts.choosing import (
    FEWEST_NUMBERS,
    MOST_BARS,
    MOST_GROUPED,
    MOST_POINTS,
    MOST_SERIES,
    Shape,
    chosen,
)
from neural_programmer.programs.charts.columns import LARGEST, texts_of
from neural_programmer.programs.charts.drawing import COLOURS, cut, width_of
from neural_programmer.programs.charts.scales import Scale, seconds, some
from neural_programmer.programs.charts.svg import PHONE, WINDOW, drawn
from neural_programmer.programs.charts.vega import MIME, specification
from neural_programmer.programs.result import Result

CITY = "עיר"
ROOT = Path(__file__).parent.parent.parent
EVIL = '<script>alert("x")</script>&\''
day = datetime.date


def table(columns: str, rows, more: int = 0) -> Result:
    return Result.table(columns.split(), rows, more)


RENTS = table("city rent", [("Oslo", 900.0), ("Rome", None), ("Lima", 350.5), ("Bern", 1200)])
MONTHS = table("month revenue", [(day(1968 + place // 12, place % 12 + 1, 1), place * 2.5) for place in range(36)])
YEARS = table("region year sales", [(r, y, y % 7) for r in ("Asia", "Europe") for y in range(2010, 2016)])
GROUPED = table("region product sales", [(r, p, len(r + p)) for r in ("Asia", "Europe") for p in ("tea", "coffee")])
PAIRS = table("area price", [(place * 1.5, 500 - place % 17) for place in range(200)])
MANY = Result.cells([place * place % 97 + 0.5 for place in range(300)], "rent")
DRAWN = {"bars": RENTS, "line": MONTHS, "lines": YEARS, "grouped": GROUPED, "points": PAIRS, "histogram": MANY}


def picture(result: Result, shape: Shape | None = None, unit: str = ""):
    found = chosen(result, shape, unit)
    assert not isinstance(found, str), found
    return found


def texts(svg: str) -> list[str]:
    """What is written in a drawing, which is well formed and has no script, no style and no address."""
    root = ElementTree.fromstring(svg)
    names = {each.tag.partition("}")[2] for each in root.iter()}
    assert names <= {"svg", "text", "rect", "line", "path", "circle", "title"}
    for each in root.iter():
        assert not {name for name in each.attrib if name.startswith("on") or "href" in name or name == "style"}
    written = [each for each in root.iter() if each.tag.endswith("text")]
    return [(each.text or "") + "".join(title.tail or "" for title in each) for each in written]


@pytest.mark.parametrize(
    ("name", "mark", "text"),
    [
        ("bars", "bars", "Bars: rent for each city; 3 groups; highest Bern with 1200, lowest Lima with 350.5."),
        ("line", "line", "Line: revenue by month; 36 times from 1968-01 to 1970-12; highest 1970-12 with 87.5, lowest"
         " 1968-01 with 0."),
        ("lines", "line", "Line: sales by year and region; 6 times from 2010 to 2015 with 2 of region; highest 2015,"
         " Asia and 1 more with 6, lowest 2010, Asia and 1 more with 1."),
        ("grouped", "bars", "Bars: sales for each region and product; 2 groups with 2 of product; highest Europe,"
         " coffee with 12, lowest Asia, tea with 7."),
        ("points", "points", "Points: price against area; 200 rows; area from 0 to 298.5, price from 484 to 500."),
        ("histogram", "histogram", "Histogram: how often which rent is there; 300 numbers from 0.5 to 96.5; most, 30,"
         " from 0 to below 5."),
    ],
)  # fmt: skip
def test_an_answer_knows_its_picture_and_says_it_in_a_sentence(name, mark, text):
    found = picture(DRAWN[name])
    assert (found.mark, found.text) == (mark, text)
    spec = specification(found, "why?")
    assert json.loads(json.dumps(spec, allow_nan=False)) == spec
    assert len(spec["data"]["values"]) == len(found.points)
    assert spec["description"].startswith(text)
    for width in (PHONE, WINDOW):
        written = texts(drawn(found, width))
        assert all("nan" not in each and "inf" not in each for each in written)


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (Result.number(3.0), "it is one number"),
        (Result.truth(True), "it is one truth"),
        (Result.none(), "there is no answer"),
        (table("city rent", []), "it has no rows"),
        (table("city rent", [("Oslo", 900)]), "it has one row, and nothing to compare it with"),
        (table("city", [("Oslo",), ("Rome",)]), "none of its columns has numbers"),
        (table("city rent", [("Oslo", None), ("Rome", math.nan)]), "none of its columns has numbers"),
        (table("city rent", [("Oslo", 2), ("Rome", math.inf)]), "it has fewer than two numbers to compare"),
        (table("city rent", [("Oslo", 2), ("Oslo", 3)]), "its rows are no groups: several have the same names"),
        (Result.cells(["Oslo", "Rome"]), "it is a list of cells that are no numbers"),
        (Result.cells([1.0] * 9), f"it is a list of 9 numbers, and a distribution needs {FEWEST_NUMBERS}"),
        (Result.cells([7] * 50), "all of its numbers are the same"),
        (table("a", [(place,) for place in range(5)]),
         f"it is a list of 5 numbers, and a distribution needs {FEWEST_NUMBERS}"),
    ],
)  # fmt: skip
def test_what_has_no_picture_says_why(result, reason, tmp_path):
    assert chosen(result) == reason
    answer = Answer(result, reason="so")
    assert answer.chart is None
    assert answer.to_dict()["chart"] is None
    with pytest.raises(NeuralProgrammerError, match=f"there is no picture of this answer: {reason}"):
        answer.save_chart(tmp_path / "a.svg")
    assert list(tmp_path.iterdir()) == []


def test_what_columns_are_may_be_said():
    rows = table("rooms flats", [(3, 12), (2, 30), (5, 4), (1, 9)])
    assert picture(rows).mark == "bars"  # whole numbers, each once
    assert picture(rows, Shape(measures=("rooms", "flats"))).mark == "points"
    assert picture(rows, Shape(keys=("rooms",), measures=("flats",))).along == "rooms"
    several = table("city rent flats", [("Oslo", 9, 1), ("Rome", 7, 2)])
    assert picture(several).notes == ("Drawn is rent; flats is in the table.",)
    assert picture(several, Shape(("city",), ("flats", "rent"))).value == "flats"
    assert picture(several, Shape(("no such",), ("nor this",))).value == "rent"
    founded = table("founded count", [(2001, 3), (1999, 2), (1870, 9), (1950, 4)])
    assert picture(founded, Shape(("founded",))).mark == "line"  # years, for they group
    assert [point.along for point in picture(founded, Shape(("founded",))).points] == [1870, 1950, 1999, 2001]
    assert chosen(table("a b c n", [(1, 2, 3, 4), (2, 3, 4, 5)]), Shape(("a", "b", "c"))) == (
        "it has 3 columns of groups, and two can be drawn"
    )
    assert chosen(table("a n", [("x", 4), ("x", 5)]), Shape(("a",))) == (
        "its rows are no groups: several have the same names"
    )


def test_a_list_of_dates_and_numbers_is_points_over_time():
    rows = [(day(2024, 1, place % 9 + 1), place) for place in range(30)]
    found = picture(table("day sold", rows))
    assert (found.mark, found.kind) == ("points", "date")
    assert "day from 2024-01-01 to 2024-01-09" in found.text
    assert specification(found)["encoding"]["x"]["type"] == "temporal"


@pytest.mark.parametrize(
    ("name", "cells", "mark", "kind", "shown"),
    [
        ("month of date", ["1968-01", "1968-02", "1969-01"], "line", "date", "from 1968-01 to 1969-01"),
        ("quarter of date", ["1999-Q4", "2000-Q1", "2000-Q2"], "line", "quarter", "from 1999-Q4 to 2000-Q2"),
        ("week of date", ["2024-12-30", "2025-01-06", "2025-01-13"], "line", "date", "from 2024-12-30 to 2025-01-13"),
        ("time", ["2024-01-01 12:00:00", "2024-01-01 12:30:00", "2024-01-02 00:00:00"], "line", "date",
         "from 2024-01-01 12:00 to 2024-01-02 00:00"),
        ("year of date", [1812, 1820, 1905], "line", "year", "from 1812 to 1905"),
        ("hour of start", [*range(24)], "bars", "number", "24 groups"),
        ("weekday of date", ["Monday", "Sunday"], "bars", "text", "2 groups"),
        ("rent in bands of 100", [300, 100, 500], "histogram", "number", "from 100 to below 600; highest 3, from 500"),
        ("rent in bands of 0.5", [0.5, -1.5], "histogram", "number", "2 bands from -1.5 to below 1;"),
        ("rent in bands of 1", [1e9, 5], "bars", "number", "2 groups"),
        ("month of the year of date", ["March", "June"], "bars", "text", "2 groups"),
        ("quarter of the year of date", [1, 2, 3, 4], "bars", "number", "4 groups"),
        ("day", ["2024-02-30", "2024-02-28", "2024-02-29"], "bars", "text", "3 groups"),
    ],
)  # fmt: skip
def test_times_and_bands_as_programs_write_them(name, cells, mark, kind, shown):
    found = picture(Result.table((name, "count"), [(cell, place % 5 + 1) for place, cell in enumerate(cells)]))
    assert (found.mark, found.kind) == (mark, kind)
    assert shown in found.text
    texts(drawn(found))
    assert specification(found)["data"]["values"]


def test_few_times_are_bars():
    found = picture(table("day sold", [(day(2024, 1, 2), 5), (day(2024, 1, 1), 7)]))
    assert found.mark == "bars"
    assert [value["along"] for value in specification(found)["data"]["values"]] == ["2024-01-02", "2024-01-01"]


def test_bars_stand_in_the_order_of_the_answer():
    names = [value["along"] for value in specification(picture(RENTS))["data"]["values"]]
    assert names == ["Oslo", "Lima", "Bern"]
    written = texts(drawn(picture(RENTS)))
    assert [each for each in written if each in ("Oslo", "Lima", "Bern")] == names
    assert written[-6:] == ["Oslo", "900.0", "Lima", "350.5", "Bern", "1200.0"]
    assert picture(RENTS).notes == ("1 row without a number to draw is left out.",)


def test_times_before_1970_keep_their_day_and_their_distance():
    rows = [(day(1812, 6, 1) + datetime.timedelta(place), float(place)) for place in range(9)]
    found = picture(table("day degrees", [*rows[:4], *rows[5:]]))
    values = specification(found)["data"]["values"]
    assert values[0]["along"] == "1812-06-01T00:00:00.000Z"
    assert specification(found)["encoding"]["x"]["scale"] == {"type": "utc"}
    places = [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', drawn(found))]
    steps = [b - a for a, b in pairwise(places)]
    assert steps[3] == pytest.approx(2 * steps[0], abs=0.2)  # a gap is a gap
    assert seconds(datetime.datetime(1, 1, 1)) == 0
    assert picture(table("day n", [(day(1, 1, 1), 1), (day(9999, 12, 31), 2), (day(1969, 1, 1), 3)])).mark == "line"


def test_a_line_is_broken_where_a_number_is_missing():
    rows = [(f"2024-{month:02}", None if month in (4, 5, 7) else month) for month in range(1, 13)]
    found = picture(table("month sold", rows))
    paths = re.findall(r'<path d="([^"]*)"', drawn(found))
    assert [path.count(" ") for path in paths] == [3, 5]  # the first three months, the last five; June is a dot
    assert drawn(found).count("<circle") == 9 + 1
    values = specification(found)["data"]["values"]
    assert [value["along"][5:7] for value in values if value["value"] is None] == ["04", "05", "07"]
    assert found.notes == ("3 rows without a number to draw are left out.",)
    both = picture(Result.table(("region", "year", "n"), [(r, y, None if y == 2011 and r == "a" else y)
                                                          for r in "ab" for y in range(2009, 2014)]))  # fmt: skip
    assert drawn(both).count("<path") == 3


def test_many_groups_are_counted_and_not_dumped():
    found = picture(table("id count", [(f"id {place}", 1) for place in range(100_000)], more=900_000))
    assert len(found.points) == MOST_BARS
    assert found.text == "Bars: count for each id; 100,000 groups; all with 1."
    assert found.notes == (
        "The answer holds the first 100,000 of 1,000,000 rows.",
        f"The first {MOST_BARS} of 100,000 groups are drawn.",
    )
    assert len(json.dumps(specification(found))) < 5_000


def test_many_series_and_times_are_counted():
    rows = [(f"r{place % 9}", f"p{place // 9}", place) for place in range(9 * 40)]
    found = picture(table("region product sales", rows))
    assert len(found.series) == MOST_SERIES
    assert len(found.points) <= MOST_GROUPED
    assert found.notes[-2:] == (
        f"The first {MOST_SERIES} of 9 of region are drawn.", "The first 6 of 40 groups are drawn.",
    )  # fmt: skip
    start = datetime.datetime(1960, 1, 1)
    long = picture(
        table("time load", [(start + datetime.timedelta(hours=place), place % 7) for place in range(30_000)])
    )
    assert len(long.points) == MOST_POINTS
    assert long.notes == ("One of every 30 of 30,000 times is drawn.",)
    assert "30,000 times" in long.text
    assert len(picture(table("a b", [(place / 7, place % 11) for place in range(5_000)])).points) == MOST_POINTS


def test_a_histogram_counts_every_number():
    numbers = [random.Random(1).gauss(0, 1e6) for _ in range(1)] + [float(place) for place in range(1_000)]
    found = picture(Result.cells([*numbers, None, math.nan, math.inf], "n"))
    assert sum(found.numbers) == 1_001
    assert found.notes == ("3 rows without a number to draw are left out.",)
    dice = picture(Result.cells([1, 2, 3, 4, 5, 6] * 20, "eyes"))
    assert [(point.along, point.until, point.value) for point in dice.points] == [
        (place - 0.5, place + 0.5, 20) for place in range(1, 7)
    ]
    assert dice.text.endswith("most, 20, of 1.")
    assert picture(Result.cells([5, 5, 5, 7] * 9, "n"), unit="$").text.endswith("most, 27, of $5.")


ODD = [
    1e300, -1e300, LARGEST * 10, 5e-324, -5e-324, math.inf, -math.inf, math.nan, None, 10**400, 2**63, 0.0, -0.0,
    Decimal("3.14"), Decimal("NaN"), Decimal("Infinity"), Fraction(1, 3), True, "text", "", EVIL, day(1, 1, 1),
    day(9999, 12, 31), datetime.datetime(1969, 7, 20, 20, 17, 40, 123456),
    datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC), "2024-13", "0000-01", "שלום", "\x00\x1b[31m", "\ud800",
    "名" * 300, "NaT", b"bytes",
]  # fmt: skip


def test_odd_cells_are_drawn_or_left_out():
    """Whatever stands in the cells: a picture that is well formed, or a reason."""
    draws = random.Random(3)
    marks = set()
    for _ in range(400):
        usual = [1, 2, 3.5], ["a", "b", "c", "d", EVIL], [*map(float, range(1990, 2020))]
        kinds = [draws.choice((ODD, ODD[:15], *usual)) for _ in range(draws.randint(1, 4))]
        rows = [[draws.choice(kind) for kind in kinds] for _ in range(draws.choice((0, 1, 2, 5, 40)))]
        names = draws.sample(["a", EVIL, "year", "month.x[0]", "", "\x00", "a" * 300, "שם"], len(kinds))
        result = Result.table(names, rows) if len(kinds) > 1 else Result.cells([row[0] for row in rows], names[0])
        found = chosen(
            result, draws.choice((None, Shape((names[0],)), Shape((), tuple(names)))), draws.choice(("", "$"))
        )
        if isinstance(found, str):
            assert found
            continue
        marks.add(found.mark)
        spec = json.dumps(specification(found, EVIL), allow_nan=False)
        json.loads(spec)
        for width in (PHONE, WINDOW):
            written = texts(drawn(found, width))
            assert not [each for each in written if "nan" in each.lower() and "NaT" not in each]
        drawn(found, PHONE, "auto").encode()
    assert marks == {"bars", "line", "points", "histogram"}


def test_nothing_of_a_text_is_markup():
    rows = [(EVIL, 3), (f"{EVIL} again", 4)]
    answer = Answer(Result.table((EVIL, f"{EVIL} n"), rows), question=EVIL, notes=(EVIL,))
    for shown in (answer.chart.to_svg(), answer._repr_html_(), *answer.chart._repr_mimebundle_().values()):
        if isinstance(shown, str) and shown.startswith("<"):
            assert "<script" not in shown
    assert EVIL in texts(drawn(answer.chart.picture))


def test_long_names_are_cut_and_stay_apart():
    name = "The very long title of a book that somebody wrote in the year of the dog, volume {} " + "x" * 300
    found = picture(table("title price", [(name.format(place), place + 1.5) for place in range(3)]))
    names = [point.along for point in found.points]
    assert len(set(names)) == 3
    assert max(map(len, names)) <= 110
    written = [each for each in texts(drawn(found, PHONE)) if "…" in each]
    assert len(written) == 3
    assert all(width_of(each) <= PHONE for each in written)
    assert cut("abcdefghij", 40) == "abc…"
    assert cut("abcdefghij", 60, ends=True) == "abc…ghij"


def test_names_that_would_be_the_same_stay_apart():
    found = picture(table("name n", [(None, 1), ("(none)", 2), ("", 3), ("(empty)", 4), (1, 5), ("1", 6)][:4]))
    assert [point.along for point in found.points] == ["(none)", "(none) (2)", "(empty)", "(empty) (2)"]


def test_names_from_right_to_left_end_at_their_left():
    found = picture(table(f"{CITY} n", [("תל אביב", 2), ("Oslo", 3)]))
    written = texts(drawn(found))
    assert "תל אביב\u200f" in written
    assert "Oslo" in written
    assert f"\u2068{CITY}\u2069" in found.text


def test_one_and_two_hundred_columns():
    wide = Result.table([f"c{place}" for place in range(200)], [range(row, row + 200) for row in range(30)])
    assert picture(wide).mark == "points"
    named = Result.table(["name", *(f"c{n}" for n in range(199))], [[f"n{r}", *range(r, r + 199)] for r in range(3)])
    assert picture(named).notes == ("Drawn is c0; each of 198 other numbers is in the table.",)
    assert "and 180 more columns" in Answer(wide)._repr_html_()
    assert picture(table("n", [(place,) for place in range(99)])).mark == "histogram"


def test_the_specification_has_no_name_that_vega_would_read_as_a_path():
    found = picture(Result.table(("a.b[0]", "datum['x']"), [("x", 1), ("y", 2)]))
    spec = specification(found)
    assert spec["encoding"]["y"]["field"] == "along"
    assert spec["encoding"]["y"]["title"] == "a.b[0]"
    assert set(spec["data"]) == {"values"}
    assert "http" not in json.dumps({name: each for name, each in spec.items() if name != "$schema"})


@pytest.mark.parametrize("name", DRAWN)
def test_vega_lite_draws_the_specification(name):
    vl_convert = pytest.importorskip("vl_convert")
    made = vl_convert.vegalite_to_svg(specification(picture(DRAWN[name]), "why?"), allowed_base_urls=[])
    marks = re.findall(r'aria-roledescription="(bar|line mark|point)"', made)
    assert len(marks) >= 2
    assert "NaN" not in made


def test_a_picture_as_png_is_that_of_the_svg():
    pytest.importorskip("resvg_py")
    chart = Answer(RENTS, question="the rent of each city").chart
    made = {theme: chart.to_png(theme) for theme in ("light", "dark")}
    assert all(each.startswith(b"\x89PNG") for each in made.values())
    assert made["light"] != made["dark"]


def test_a_png_without_its_package_or_a_font_is_refused(monkeypatch, tmp_path):
    answer = Answer(RENTS)
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    with pytest.raises(NeuralProgrammerError, match=r"pip install 'neural-programmer\[charts\]'"):
        answer.save_chart(tmp_path / "a.png")

    class Blind:
        @staticmethod
        def svg_to_bytes(**_):
            return b"the same for a letter and for none"

    monkeypatch.setattr(png, "library", Blind)
    with pytest.raises(NeuralProgrammerError, match="no font to write a PNG with"):
        answer.chart.to_png()


def test_a_notebook_has_the_specification_and_what_others_can_show():
    chart = Answer(RENTS, question="the rent of each city").chart
    bundle = chart._repr_mimebundle_()
    assert set(bundle) == {MIME, "image/svg+xml", "text/html", "text/plain"}
    assert bundle[MIME] == chart.to_dict()
    assert bundle["text/plain"] == f"{chart.text} 1 row without a number to draw is left out."
    assert repr(chart).startswith("Chart('Bars: rent for each city;")
    shown = Answer(RENTS, question="the rent of each city")._repr_html_()
    assert "<svg" in shown
    assert shown.index("</svg>") < shown.index("900.0</td>") < shown.index("1200.0</td>")


def test_the_pictures_of_the_documentation_are_those_of_the_code():
    script = runpy.run_path(str(ROOT / "scripts" / "charts.py"))
    for name, drawing in script["drawings"]().items():
        kept = (ROOT / "docs" / "pictures" / f"{name}.svg").read_text(encoding="utf-8")
        assert kept == f"{drawing}\n", "draw them again: python scripts/charts.py"


@pytest.mark.parametrize("theme", COLOURS)
def test_colours_stand_out_from_the_paper(theme):
    """By the measure of WCAG 2: 4.5 for texts, 3 for what is drawn."""

    def light(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    def contrast(one: str, other: str) -> float:
        high, low = sorted((light(one), light(other)), reverse=True)
        return (high + 0.05) / (low + 0.05)

    paper, ink, quiet, _, *series = COLOURS[theme]
    assert min(contrast(paper, ink), contrast(paper, quiet)) >= 4.5
    assert min(contrast(paper, each) for each in series) >= 3
    assert len(series) == MOST_SERIES == len(set(series))


def test_scales_hold_all_numbers():
    for numbers in ([1, 2], [-1e300, 1e300], [5e-324, 1e-323], [7, 7], [0, 0], [-3, -2.5], [1e15, 1e15 + 1]):
        for zero in ("always", "near", "never"):
            scale = Scale.of(numbers, 5, zero)
            assert all(0 <= scale.part(each) <= 1 for each in numbers)
            assert 2 <= len(scale.written) <= 8
            assert len({text for _, text in scale.written}) == len(scale.written)
    assert some(0, 5) == []


def test_cells_of_a_column_have_one_form():
    assert texts_of([0.1 + 0.2, 1, None, math.inf]) == ["0.3", "1.0", "-", "Infinity"]
    assert texts_of([1e20, 0.0012, 5.25]) == ["1e+20", "1.2e-3", "5.25"]
    assert texts_of([10**400]) == [str(10**400)]
    assert texts_of([True, False]) == ["yes", "no"]
    assert texts_of([1, "a"]) == ["1", "a"]
    assert texts_of([3.14159, 2], digits=4) == ["3.1416", "2.0000"]
    assert texts_of([2019.0, 2020.0], "year", digits=2) == ["2019", "2020"]


def test_a_time_and_a_year_are_no_picture_that_lacks_a_number():
    rows = [(1999, "1999-05-02", "a"), (2001, "2001-01-02", "b")]
    found = chosen(Result.table(("year of day", "moment", "shop"), rows))
    assert found == "its only numbers are times" or found.text
