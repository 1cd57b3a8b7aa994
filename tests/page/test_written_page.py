"""The page with a model that reads written cells: people see the table as it is, and what a view was read from."""

import re
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient

from neural_programmer.answering.model import load_shipped
from neural_programmer.page.app import application
from neural_programmer.page.config import PageConfig
from neural_programmer.programs.program import Step
from page.conftest import BASE
from queries import Fake

GAMES = """City,Date,Attendance
Bern,"May 4, 1990","1,200[1]"
Chur,June 1991 (A),900 (est.)
Genf,"July 1, 1992",unknown
"""


class Reader(Fake):
    config = SimpleNamespace(cells="written")


@pytest.fixture
def client():
    steps = (Step("greater", "Date (year)", 1980.0), Step("sum", "Attendance (number)"))
    app = application(Reader({"how many came?": steps}), PageConfig(), ())
    with TestClient(app, base_url=BASE) as client:
        yield client


def test_the_columns_of_the_file_are_shown_and_marked(client, upload):
    table = upload(client, GAMES, "games.csv")
    asked = {"table": table, "question": "how many came?"}
    answer = client.post("/api/ask", json=asked).json()
    assert answer["answer"] == 2100
    assert [step["column"] for step in answer["program"]] == ["Date (year)", "Attendance (number)"]
    assert answer["cells"] == [{"row": 0, "column": "Attendance"}, {"row": 1, "column": "Attendance"}]
    page = client.get("/ask", params=asked).text
    assert re.findall(r"<mark>(.*?)</mark>", page) == ["1,200[1]", "900 (est.)"]
    assert re.findall(r'<th scope="col" class="\w+ acts">(\w+)<', page) == ["Attendance"]
    first = client.get("/rows", params={**asked, "step": "1"}).text
    assert re.findall(r'<th scope="col" class="\w+ acts">(\w+)<', first) == ["Date"]
    heads = re.findall(r'<th scope="col" class="[\w ]+">(\w+)<', first)
    assert heads == ["City", "Date", "Attendance"]


def test_the_table_is_told_as_it_is(client, upload):
    table = upload(client, GAMES, "games.csv")
    told = client.get(f"/api/tables/{table}").json()
    assert [column["name"] for column in told["columns"]] == ["City", "Date", "Attendance"]
    rows = client.get(f"/api/tables/{table}/rows").json()["rows"]
    assert rows[2] == ["Genf", "July 1, 1992", "unknown"]


def test_a_network_considers_views(model, tmp_path):
    (tmp_path / "games.csv").write_text(GAMES)
    thought = load_shipped("wikitablequestions").think(tmp_path / "games.csv", "total attendance")
    assert list(thought.steps[0].columns)[3:] == ["Date (date)", "Date (year)", "Date (month)", "Attendance (number)"]
    assert list(model.think(tmp_path / "games.csv", "total attendance").steps[0].columns)[3:] == []
