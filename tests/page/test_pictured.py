"""Answers that are tables, and pictures of answers, on the page."""

import csv
import datetime
import html
import io
import re
from urllib.parse import urlencode

import pytest

from neural_programmer.answering import asking
from neural_programmer.answering.decision import Decision
from neural_programmer.page.pictured import COLUMNS, ROWS, grid_of
from neural_programmer.page.responses import HERE
from neural_programmer.programs.answer import Answer, AnswerStep
from neural_programmer.programs.charts.drawing import COLOURS
from neural_programmer.programs.program import Program, Step
from neural_programmer.programs.result import Result
from page.conftest import browser_only, fits, outside

EVIL = "<img src=x onerror=alert(1)>"
QUESTION = "average rent for each city"
RENTS = Result.table(("city", "rent"), [("Oslo", 900.25), ("Rome", None), (EVIL, 350.0), ("Bern", 1200.0)])
MONTHS = Result.table(
    ("month", "region", "sales"),
    [(datetime.date(1969, month, 1), region, month * 3) for region in ("North", "South") for month in range(1, 13)],
)
LONG = Result.table(
    ("title", "price"), [(f"A title that is as long as some are, volume {n}", n + 0.5) for n in range(30)]
)
WIDE = Result.table([f"column {n}" for n in range(200)], [[f"n{n}", *range(199)] for n in range(300)])
NUMBERS = Result.cells([float(number % 37) for number in range(200)], "rent")
SHOWN = {"bars": RENTS, "lines": MONTHS, "long": LONG, "wide": WIDE, "histogram": NUMBERS}


@pytest.fixture
def answers(monkeypatch):
    """Every question has this answer, made by hand."""

    def give(result: Result, **about) -> None:
        step = AnswerStep("count", rows=3, in_words="average of rent for each city")
        given = Answer(result, ((0, "rent"),), 3, QUESTION, (step,), confidence=0.9, sql="SELECT 1", **about)
        monkeypatch.setattr(asking, "answered", lambda *_, **__: given)
        monkeypatch.setattr(asking, "decided", lambda *_: Decision(Program((Step("count"),)), 0.9))

    return give


def cells(page: str) -> list[str]:
    body = page.partition('class="scroll answered"')[2].partition("</table>")[0].partition("<tbody>")[2]
    return [html.unescape(re.sub("<.*?>", "", cell)) for cell in re.findall(r"<td.*?</td>", body)]


def test_a_table_stands_beside_its_picture(client, upload, answers):
    answers(RENTS)
    asked = {"table": upload(client), "question": QUESTION}
    page = client.get("/ask", params=asked).text
    assert "4 rows, 2 columns" in page
    assert cells(page) == ["Oslo", "900.25", "Rome", "missing", EVIL, "350.00", "Bern", "1200.00"]
    assert EVIL not in page
    said = "Bars: rent for each city; 3 groups; highest Bern with 1200, lowest &lt;img src=x"
    assert f'role="img" aria-label="{said}' in page
    assert "<figcaption>1 row without a number to draw is left out.</figcaption>" in page
    drawing = page.partition("<svg")[2].partition("</svg>")[0]
    assert "style" not in drawing
    assert "<script" not in page
    assert f"/answer.svg?{html.escape(urlencode(asked))}" in page


def test_the_picture_is_in_the_api_and_to_download(client, upload, answers):
    answers(RENTS)
    asked = {"table": upload(client), "question": QUESTION}
    told = client.post("/api/ask", json=asked).json()
    assert (told["kind"], told["columns"], told["answer"][1]) == ("table", ["city", "rent"], ["Rome", None])
    assert told["chart"]["$schema"].endswith("/v5.json")
    assert len(told["chart"]["data"]["values"]) == 3
    file = client.get("/answer.svg", params=asked)
    assert file.headers["content-type"] == "image/svg+xml"
    assert file.headers["content-disposition"] == 'attachment; filename="answer.svg"'
    assert "prefers-color-scheme: dark" in file.text
    lines = list(csv.reader(io.StringIO(client.get("/answer.csv", params=asked).text)))
    assert lines == [["city", "rent"], ["Oslo", "900.25"], ["Rome", ""], [EVIL, "350"], ["Bern", "1200"]]


def test_an_answer_without_a_picture_has_none_to_download(client, upload, answers):
    answers(Result.number(3.0))
    asked = {"table": upload(client), "question": QUESTION}
    assert client.post("/api/ask", json=asked).json()["chart"] is None
    assert "<svg" not in client.get("/ask", params=asked).text
    refused = client.get("/answer.svg", params=asked)
    assert refused.status_code == 404
    assert "there is no picture of this answer" in refused.text
    answers(Result.none(), reason="no such column")
    refused = client.get("/answer.svg", params={**asked, "question": "another"})
    assert (refused.status_code, "there is no answer to download: no such column" in refused.text) == (404, True)


def test_a_part_of_a_large_table_is_shown_and_the_rest_counted(client, upload, answers):
    many = Result.table(("id", "n"), [(f"id {n}", n) for n in range(1_000)], more=9_000)
    grid = grid_of(Answer(many))
    assert (len(grid.rows), grid.more) == (ROWS, "and 9,800 more rows")
    grid = grid_of(Answer(WIDE))
    assert (len(grid.columns), grid.more) == (COLUMNS, f"and {300 - ROWS} more rows, and {200 - COLUMNS} more columns")
    answers(many)
    page = client.get("/ask", params={"table": upload(client), "question": QUESTION}).text
    assert "10,000 rows, 2 columns" in page
    assert len(cells(page)) == 2 * ROWS
    assert "download the first 1,000" in page
    assert "The first 20 of 1,000 groups are drawn." in page


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        (Result.table(("a", "b"), []), ["No rows"]),
        (Result.table(("a",), [(1,)]), ["1"]),
        (Result.table((), []), ["No rows"]),
        (Result.table(("", "\x00"), [("\x1b[31m", None)]), ["\x1b[31m", "missing"]),
        (Result.table(("a", "b"), [("x", float("inf")), ("y", float("nan")), ("z", 1e300)]),
         ["x", "Infinity", "y", "missing", "z", "1e+300"]),
    ],
)  # fmt: skip
def test_odd_tables_are_shown(client, upload, answers, result, shown):
    answers(result)
    assert cells(client.get("/ask", params={"table": upload(client), "question": QUESTION}).text) == shown


def test_the_colours_of_the_page_are_those_of_files():
    sheet = (HERE / "static" / "picture.css").read_text()
    for theme, declared in zip(COLOURS, re.findall(r":root \{(.*?)\}", sheet, re.DOTALL), strict=True):
        assert re.findall(r"--series-\d: (#\w+)", declared) == COLOURS[theme][4:]
    classes = {"ink", "quiet", "rule", "zero", *(f"{kind}{place}" for kind in "sl" for place in range(6))}
    assert classes == set(re.findall(r"\.picture \.(\w+)", sheet))


@browser_only
@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("name", SHOWN)
def test_pictures_fit_and_are_coloured_in_light_and_dark(start, page, faults, answers, name, width, tmp_path):
    (tmp_path / "flats.csv").write_text("city,rent\nOslo,900\nRome,700\n")
    answers(SHOWN[name])
    address, _ = start((str(tmp_path / "flats.csv"),))
    page.set_viewport_size({"width": width, "height": 800})
    papers = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{address}/?{urlencode({'table': 'example-1', 'question': QUESTION})}")
        drawing = page.locator("svg.picture")
        fills = {
            drawing.locator(f".{kind}").first.evaluate(
                "shape => getComputedStyle(shape).fill + getComputedStyle(shape).stroke"
            )
            for kind in ("ink", "quiet", "s0", "l0")
            if drawing.locator(f".{kind}").count()
        }
        assert "rgb(0, 0, 0)none" not in fills  # a class without a colour is black
        papers.append(fills)
        size = drawing.locator("text").first.evaluate("text => text.getBoundingClientRect().height")
        assert size >= 10  # pixels, that a text is readable with
        assert fits(page)
        assert [each for each in outside(page) if "<tr" not in each] == []
    assert papers[0] != papers[1]
    if name != "histogram" and width > 1000:
        boxes = [page.locator(part).bounding_box() for part in (".drawn", ".answered")]
        assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    assert faults == []


@browser_only
def test_a_click_on_a_column_sorts_the_answer(start, page, faults, answers, tmp_path):
    (tmp_path / "flats.csv").write_text("city,rent\nOslo,900\nRome,700\n")
    answers(RENTS)
    address, _ = start((str(tmp_path / "flats.csv"),))
    page.goto(f"{address}/?{urlencode({'table': 'example-1', 'question': QUESTION})}")
    head = page.locator(".answered th").nth(1)

    def shown() -> list[str]:
        return [text.split("\t")[0].strip() for text in page.locator(".answered tbody tr").all_inner_texts()]

    asked = ["Oslo", "Rome", EVIL, "Bern"]
    assert shown() == asked
    button = page.get_by_role("button", name="rent")
    button.focus()
    for way, order in (
        ("descending", ["Bern", "Oslo", EVIL, "Rome"]),
        ("ascending", [EVIL, "Oslo", "Bern", "Rome"]),
        (None, asked),
    ):
        page.keyboard.press("Enter")
        assert shown() == order
        assert head.get_attribute("aria-sort") == way
    page.get_by_role("button", name="city").click()
    assert shown() == [EVIL, "Bern", "Oslo", "Rome"]
    assert page.locator("[aria-sort]").count() == 1
    assert faults == []
