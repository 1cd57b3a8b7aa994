"""The values of a look-up as people see them."""

import html
import re

import pytest

from neural_programmer.answering import asking
from neural_programmer.answering.decision import Decision
from neural_programmer.page.values import FIRST, MOST, Value, values_of
from neural_programmer.programs.program import Program, Step
from neural_programmer.tables.source import open_source

CITIES = ("Oslo", "Rome", "Oslo", "Bern", "Oslo", "Oslo")


@pytest.fixture
def looks_up(monkeypatch):
    """The model looks up the cells of this column."""

    def decide(column):
        decision = Decision(Program((Step("greater", "rooms", 3.0), Step("assign", column))), 0.9)
        monkeypatch.setattr(asking, "decided", lambda *_: decision)

    return decide


def found(model, path):
    opened = asking.Opened(open_source(path))
    with opened.aside(10, model) as own:
        return values_of(own, asking.answered(own, "which?", asking.decided(model, own, "which?")))


def flats(path, rows: int = 6, cities=CITIES) -> str:
    lines = [f"Flat <{chr(65 + n // 26)}{chr(65 + n % 26)}>,{cities[n % len(cities)]},{n % 3 + 4}" for n in range(rows)]
    path.write_text("\n".join(["flat,city,rooms", *lines]) + "\n")
    return path


def test_each_value_is_there_once_with_its_rows(model, tmp_path, looks_up):
    looks_up("city")
    values = found(model, flats(tmp_path / "flats.csv"))
    assert (values.column, values.called, values.different) == ("city", "flat", 3)
    names = ("Flat <AA>", "Flat <AC>", "Flat <AE>")
    assert values.shown == (Value("Oslo", 4, names), Value("Rome", 1, ("Flat <AB>",)), Value("Bern", 1, ("Flat <AD>",)))
    assert (values.shown[0].more, values.counted, values.rest) == (1, True, ())


def test_rows_are_not_named_by_themselves(model, tmp_path, looks_up):
    looks_up("flat")
    values = found(model, flats(tmp_path / "flats.csv", 70))
    assert (values.called, values.counted, values.different) == ("", False, 70)
    assert (len(values.first), len(values.shown)) == (FIRST, MOST)


def test_a_table_without_names_has_values_alone(model, tmp_path, looks_up):
    looks_up("city")
    (tmp_path / "a.csv").write_text("city,rooms\n" + "Oslo,4\nRome,5\n" * 3)
    values = found(model, tmp_path / "a.csv")
    assert values.shown == (Value("Oslo", 3), Value("Rome", 3))


@pytest.mark.parametrize(
    ("head", "called", "names"),
    [("guest", "guest", ("Ann", "Bo")), ("guest_id", "guest_id", ("1", "2")), ("age", "", ())],
)
def test_rows_without_names_are_called_by_the_first_column_if_it_measures_nothing(
    model, tmp_path, looks_up, head, called, names
):
    looks_up("city")
    cells = {"guest": ["Ann", "Bo"], "guest_id": [1, 2], "age": [31, 45]}[head]
    lines = [f"{cells[n % 2]},{city},5" for n, city in enumerate(["Oslo", "Rome"] * 3)]
    (tmp_path / "a.csv").write_text("\n".join([f"{head},city,rooms", *lines]) + "\n")
    values = found(model, tmp_path / "a.csv")
    assert values.called == called
    assert tuple(name for value in values.shown for name in value.names[:1]) == names


def test_missing_values_are_said_to_be_missing(client, upload, looks_up):
    looks_up("city")
    table = upload(client, "flat,city,rooms\nElm,Oslo,5\nOak,,6\nFir,,7\n", "flats.csv")
    page = client.get("/ask", params={"table": table, "question": "which city"}).text
    assert '<td class="value"><i>missing</i></td>\n<td>Oak, Fir</td>' in page


def test_the_page_shows_a_table_of_values(client, upload, tmp_path, looks_up):
    looks_up("city")
    table = upload(client, flats(tmp_path / "flats.csv").read_text(), "flats.csv")
    asked = {"table": table, "question": "which city has more than 3 rooms"}
    page = client.get("/ask", params=asked).text
    assert "6 values, 3 different" in page
    named = "Flat &lt;AA&gt;, Flat &lt;AC&gt;, Flat &lt;AE&gt; <small>and 1 more</small>"
    assert f'<td class="value">Oslo</td>\n<td>{named}</td>' in page
    assert '<td class="times">4</td>' in page
    assert "download" not in page.partition("The program")[0]


def test_what_is_not_shown_can_be_downloaded(client, upload, tmp_path, looks_up):
    looks_up("city")
    cities = [f"City {chr(65 + n // 26)}{chr(65 + n % 26)}" for n in range(70)]
    table = upload(client, flats(tmp_path / "flats.csv", 70, cities).read_text(), "flats.csv")
    page = html.unescape(
        client.get("/ask", params={"table": table, "question": "which city has more than 3 rooms"}).text
    )
    assert "<summary>42 more</summary>" in page
    assert f'and 20 more: <a href="/answer.csv?table={table}&question=which' in page
    assert ">download them all</a>" in page
    link = re.search(r'<a href="([^"]+)" download>download them all', page)[1]
    assert client.get(link).text.splitlines() == ["city", *cities]
