"""How it thought, on the page and as JSON: heat that can be read, choices that can be forced, and bad input."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from network.test_choosing import untrained
from neural_programmer.answering.thinking import Forced, think
from neural_programmer.page.app import application
from neural_programmer.page.config import PageConfig
from neural_programmer.page.thought import COLUMNS, heat, likely, percent, rest
from page.conftest import BASE

BOOKS = Path(__file__).parent.parent / "questions" / "development" / "books.csv"
ASKED = {"table": "example-1", "question": "average price of books with more than 300 pages"}
PART = {"hx-request": "true"}


@pytest.fixture(scope="module")
def client(model):
    with TestClient(application(model, PageConfig(), (str(BOOKS),)), BASE) as client:
        yield client


def text_of(page):
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def thought(model, **how):
    """What Python thinks, as visitors may read it: a table is called by its file's name, not by where that lies."""
    told = json.dumps(think(model, BOOKS, ASKED["question"], **how).to_dict())
    return json.loads(told.replace(str(BOOKS), BOOKS.name))


def test_a_trace_is_the_thought(client, model):
    told = client.post("/api/trace", json=ASKED)
    assert told.status_code == 200
    assert told.json() == thought(model)
    assert told.json()["answer"] == client.post("/api/ask", json=ASKED).json()


def test_a_model_that_chooses_whole_programs_is_looked_at_and_forced_too():
    with TestClient(application(untrained(), PageConfig(), (str(BOOKS),)), BASE) as client:
        free = client.post("/api/trace", json=ASKED).json()
        said = text_of(client.get("/thought", params=ASKED).text)
        assert f"The operations run {free['candidates']:,} programs over what they mention" in said
        forced = client.get("/thought", params={**ASKED, "operation": "count"})
        assert "With a step forced, it would answer" in text_of(forced.text)
        assert "Step 1: count" in text_of(forced.text)
        assert "count 35 confidence" in text_of(forced.text), "a runner-up"
        none = client.get("/thought", params={**ASKED, "before": '[{"operation": "count"}]', "operation": "count"})
        assert none.status_code == 422
        assert "begins with the forced steps: force others" in text_of(none.text)


def test_one_row_is_one_row(client):
    asked = {**ASKED, "question": "which title has the highest price?"}
    assert "from 1 row " in text_of(client.get("/thought", params=asked).text) + " "


def test_a_forced_trace(client, model):
    told = client.post("/api/trace", json={**ASKED, "forced": [{"operation": "lesser"}, {"column": None}]}).json()
    assert told == thought(model, forced=[Forced("lesser"), Forced()])
    assert [step["forced"] for step in told["steps"]] == [True, False]


@pytest.mark.parametrize(
    ("more", "status", "said"),
    [
        ({"forced": "sum"}, 400, 'forced must be a list with 64 at most, and "sum" came'),
        ({"forced": [["sum"]]}, 400, "forced, number 1, must be an object with operation or column or argument, and"),
        ({"forced": [{"operation": 5}]}, 400, "operation must be a text or null, and 5 came"),
        ({"forced": [{"argument": True}]}, 400, "argument must be a whole number from 0 on or null, and true came"),
        ({"forced": [{}, {"operator": "sum"}]}, 400, "number 2, must be an object with operation or"),
        ({"forced": [{}] * 1000}, 400, "forced must be a list with 64 at most, and [{}, {}"),
        ({"forced": [{}] * 8 + [{"operation": "count"}]}, 422, "a program has at most 8 steps"),
        ({"forced": [{"operation": "nix"}]}, 422, "cannot have the operation 'nix'; choose one of: sum"),
        ({"forced": [{"operation": "sum", "column": "author"}]}, 422, "choose one of: pubYear, pages"),
        ({"table": "example-99"}, 404, "upload it again"),
        ({"question": "5"}, 422, "a question needs at least one word"),
        ({"question": 5}, 400, "question must be a text of 1 to 10,000 characters, and 5 came"),
    ],
)
def test_what_a_trace_refuses(client, more, status, said):
    refused = client.post("/api/trace", json={**ASKED, **more})
    assert refused.status_code == status
    assert said in refused.json()["error"]


def test_the_part_shows_the_four_modules_with_numbers_to_read(client):
    shown = client.get("/thought", params=ASKED, headers=PART)
    assert shown.status_code == 200
    text = text_of(shown.text)
    assert re.search(r"Step 1: greater pages 300 \d+ %", text)
    for module in ("Question RNN", "Selector", "Operations", "History RNN"):
        assert text.count(module) >= 2  # of every step
    assert re.search(r'<li class="chip heat-\d+ chosen"><span>greater</span> <b>\d+ %</b>', shown.text)
    assert "Runner-up programs decline no answer" in text
    assert "<html" not in shown.text


def steps_of(page):
    """The parts of the page that show a step."""
    return page.partition("<h3>Runner-up")[0].split("<h3>")[1:]


def header_of(step):
    """Heat, whether it was chosen, name and percents of every cell of a step's header."""
    cells = re.findall(r'<th scope="col" class="(heat-\d+)( acts)?">(?:<i>)?([^<]*)', step)
    shares = [float(share) for share in re.findall(r"<td>([\d.]+) %</td>", step)]
    return [(*cell, share) for cell, share in zip(cells, shares, strict=True)]


def test_columns_are_the_header_of_the_table_as_warm_as_they_are_probable(client):
    names = BOOKS.read_text(encoding="utf-8").splitlines()[0].split(",")
    header = header_of(steps_of(client.get("/thought", params=ASKED, headers=PART).text)[0])
    assert [name for _, _, name, _ in header] == [*names, "none"]
    assert [name for _, chosen, name, _ in header if chosen] == ["pages"]
    warmest = max(header, key=lambda cell: cell[3])
    assert warmest[2] == "pages"
    assert sum(share for *_, share in header) == pytest.approx(100, abs=3)
    assert warmest[0] == heat(warmest[3] / 100)


def test_a_step_without_a_column_has_none_and_of_many_the_probable_are_shown(model, tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text(",".join(f"c{place}" for place in range(40)) + ",price\n" + "1," * 40 + "2\n", encoding="utf-8")
    with TestClient(application(model, PageConfig(), (str(path),)), BASE) as client:
        asked = {"table": "example-1", "question": "how many rows are there?"}
        (step,) = steps_of(client.get("/thought", params=asked, headers=PART).text)
    header = header_of(step)
    assert len(header) == COLUMNS + 1
    assert [name for _, chosen, name, _ in header if chosen] == ["none"]
    assert "and 17 more, each below 0.5 %" in text_of(step)


def test_the_history_remembers_the_steps_before_also_those_that_are_forced(client):
    first, second = map(text_of, steps_of(client.get("/thought", params=ASKED, headers=PART).text))
    assert "History RNN remembers nothing: this is the first step Selector" in first
    assert "History RNN remembers greater pages 300 Selector" in second
    params = {**ASKED, "operation": "lesser"}
    second = text_of(steps_of(client.get("/thought", params=params, headers=PART).text)[1])
    assert "History RNN remembers lesser pages 300 forced Selector" in second


def test_alone_it_is_a_whole_page(client):
    shown = client.get("/thought", params=ASKED)
    assert "<html" in shown.text
    assert "How it thought" in shown.text


def test_a_choice_is_forced_by_the_form_of_its_step(client):
    """What the form of step 2 sends: the steps before it, as they were, and the choice."""
    free = client.get("/thought", params=ASKED, headers=PART).text
    before = [unescape(value) for value in re.findall(r'name="before" value="([^"]*)"', free)]
    assert [len(json.loads(steps)) for steps in before] == [0, 1]
    params = {**ASKED, "before": before[1], "operation": "sum", "column": "", "argument": ""}
    text = text_of(client.get("/thought", params=params, headers=PART).text)
    assert "With steps forced, it would answer 375.21" in text
    assert "Step 1: greater pages 300" in text
    assert "Step 2: sum price" in text
    again = client.get("/thought", params={**ASKED, "column": "price", "argument": "0"}, headers=PART).text
    assert "Step 1: greater price 300" in text_of(again)
    assert '<option value="price" selected>' in again


@pytest.mark.parametrize(
    ("more", "status", "said"),
    [
        ({"before": "{"}, 400, "the steps before are a JSON list"),
        ({"before": "[" * 10_000}, 400, "the steps before are a JSON list"),
        ({"before": '{"operation": "sum"}'}, 400, "the list of steps before must be a list with 64 at most, and"),
        ({"argument": "x"}, 400, "argument is a whole number, not 'x'"),
        ({"argument": "-1"}, 400, "argument is a whole number"),
        ({"argument": "99"}, 422, "step 1 cannot have the argument '99'; choose one of: 0 (300)"),
        ({"operation": "<script>"}, 422, "cannot have the operation '<script>'"),
    ],
)
def test_what_the_part_refuses_it_says(client, more, status, said):
    refused = client.get("/thought", params={**ASKED, **more}, headers=PART)
    assert refused.status_code == status
    assert said in text_of(refused.text)
    assert "<script>" not in refused.text
    assert "Step 1: greater pages 300" in text_of(refused.text)  # what it thought by itself stays


def test_texts_of_tables_and_questions_are_escaped(model, tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text('"<b>price</b>",city\n1,<script>\n2,Rome\n', encoding="utf-8")
    with TestClient(application(model, PageConfig(), (str(path),)), BASE) as client:
        asked = {"table": "example-1", "question": 'sum of price where city is "<script>" \'><img>'}
        shown = client.get("/thought", params=asked).text
    assert "<b>price" not in shown
    assert "<img" not in shown
    assert "&lt;b&gt;price" in shown


def test_the_api_document_tells_of_it(client):
    told = client.get("/api/openapi.json").json()["paths"]
    assert {"/api/trace", "/api/training", "/api/training/start"} <= set(told)


def test_shades_and_percents():
    assert [heat(share) for share in (0.0, 0.04, 0.05001, 0.5, 1.0, 1.0000001)] == [
        "heat-0", "heat-0", "heat-1", "heat-5", "heat-10", "heat-10",
    ]  # fmt: skip
    assert [percent(share) for share in (0.0, 0.0004, 0.005, 0.01, 0.996, 1.0)] == [
        "0 %", "0 %", "0.5 %", "1 %", "100 %", "100 %",
    ]  # fmt: skip
    shares = {"a": 0.9, "b": 0.001, "c": 0.09, "d": 0.002, "e": 0.0}
    assert rest(shares) == pytest.approx(0.007)
    assert rest({"a": 0.7, "b": 0.3 + 1e-9}) == 0
    assert [name for name, _ in likely(shares, None, 0)] == ["a", "c"]
    assert [name for name, _ in likely(shares, "e", 3)] == ["a", "c", "d", "e"]
