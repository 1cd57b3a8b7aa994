"""The pages: what they show of tables, answers and steps; texts of tables are never more than texts."""

import html
import re

import pytest

from neural_programmer.answering import asking
from neural_programmer.answering.decision import Decision
from neural_programmer.page import tables
from neural_programmer.page.views import address, in_a_line
from neural_programmer.programs.program import Program, Step
from page.conftest import other

ASKED = "total revenue in Europe"


def test_the_start_shows_what_can_be_asked(client, upload):
    upload(client)
    page = client.get("/").text
    assert "sales.csv" in page
    assert "countries.csv" in page
    assert 'action="/tables"' in page


def test_a_question_shows_answer_program_and_rows(client, upload):
    table = upload(client)
    page = client.get("/", params={"table": table, "question": ASKED}).text
    assert '<p class="said">$1,207</p>' in page
    assert page.count('aria-current="step"') == 1
    assert "Step 2 works on <strong>2</strong> of 3 rows" in page
    assert page.count('<tr class="selected">') == 2
    assert page.count("<mark>") == 2
    assert 'FROM "sales.csv"' in html.unescape(page), "as its owner calls it"
    first = client.get("/rows", params={"table": table, "question": ASKED, "step": 1}).text
    assert "Step 1 selects <strong>2</strong> of 3 rows" in first
    only = client.get("/rows", params={"table": table, "question": ASKED, "step": 1, "only": "yes"}).text
    assert only.count("<tr") == 3


def test_texts_of_tables_are_texts(client, upload):
    bad = '"<script>alert(1)</script>",b""q\n"<img src=x onerror=alert(2)>",\'" onclick=x\n'
    table = upload(client, bad, "<b>sales</b>.csv")
    for page in (
        client.get("/").text,
        client.get("/", params={"table": table, "question": "how many <script>alert(3)</script> rows"}).text,
    ):
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "<b>sales" not in page
        assert "b&gt;sales&lt;" in page or "b&gt;.csv" in page


def test_a_question_that_cannot_be_answered_is_told_why(client, upload):
    table = upload(client)
    shown = client.get("/ask", params={"table": table, "question": "what is the name of the king"})
    assert shown.status_code == 200
    said = html.unescape(shown.text)
    assert (
        'No answer: no column or cell is called "king"</p>\n<p>The columns are region, year, revenue, note</p>' in said
    )
    assert "<meter" not in said
    assert re.search("You could ask instead</h2>.*how many rows are there", said, re.DOTALL)
    assert "answer.csv" not in shown.text
    none = client.get("/answer.csv", params={"table": table, "question": "what is the name of the king"})
    assert none.status_code == 404
    assert "there is no answer to download: no column or cell is called" in none.text
    for question, sentence in (("", "a question is missing"), ("12", "a question needs at least one word")):
        refused = client.get("/ask", params={"table": table, "question": question}, headers={"HX-Request": "true"})
        assert refused.status_code == 400
        assert sentence in refused.text
        assert 'role="alert"' in refused.text
        assert "<html" not in refused.text


def test_a_session_that_ended_is_told(client, upload):
    table = upload(client)
    asked = {"table": table, "question": ASKED}
    assert client.get("/ask", params=asked).status_code == 200
    for person in list(client.app.state.reception.sessions._people.values()):
        person.used = -1e9
    ended = client.get("/ask", params=asked, headers={"HX-Request": "true"})
    assert ended.status_code == 404
    assert "tables are kept for 60 minutes after the last visit; upload it again" in ended.text
    assert client.get("/").status_code == 200


def test_large_tables_come_in_pages(client, upload):
    rows = "\n".join(f"{number},{'x' * 500}" for number in range(1, 1001))
    table = upload(client, f"number,text\n{rows}\n")
    page = client.get("/rows", params={"table": table}).text
    assert page.count("<tr") == tables.MOST_ROWS + 1
    assert "1 to 50 of 1,000" in page
    assert "x" * 201 not in page
    asked = {"table": table, "question": "how many have a number of more than 900?"}
    client.get("/ask", params=asked)
    page = client.get("/rows", params=asked).text
    assert "901 to 950 of 1,000" in page
    assert page.count('<tr class="selected">') == 50
    only = client.get("/rows", params={**asked, "only": "yes", "start": 50}).text
    assert "51 to 100 of 100" in only


def test_uploading_leads_to_the_table(client):
    sent = {"file": ("a.csv", b"a\n1\n")}
    plain = client.post("/tables", files=sent, follow_redirects=False)
    assert plain.status_code == 303
    assert plain.headers["location"].startswith("/?table=")
    swapped = client.post("/tables", files=sent, headers={"HX-Request": "true"})
    assert swapped.headers["hx-redirect"].startswith("/?table=")
    key = plain.headers["location"].partition("=")[2]
    assert client.post("/remove", data={"table": key}).status_code == 200
    assert client.get("/", params={"table": key}).status_code == 404


@pytest.mark.parametrize("asked", ["step=9", "step=0", "step=x", "start=-1", "start=" + "9" * 30, "step=²"])
def test_places_that_are_none_are_refused(client, asked):
    answer = client.get(f"/rows?table=example-1&question=how+many+countries&{asked}")
    assert answer.status_code == 400


def test_the_answer_as_a_file(client, upload):
    table = upload(client, "name,age\n=1+1,5\n-x,7\nBob,3\n")
    asked = {"table": table, "question": "which name has an age of more than 4?"}
    found = client.get("/answer.csv", params=asked)
    assert found.headers["content-disposition"] == 'attachment; filename="answer.csv"'
    assert found.text == "name\r\n'=1+1\r\n'-x\r\n"
    assert client.get("/answer.json", params=asked).json()["answer"] == ["=1+1", "-x"]
    assert client.get("/answer.exe", params=asked).status_code == 400
    assert other(client).get("/answer.csv", params=asked).status_code == 404


def test_the_browser_is_told_where_it_is(client):
    asked = {"table": "example-1", "question": "wie viele Länder? & mehr"}
    told = client.get("/ask", params=asked)
    place = "/?table=example-1&question=wie+viele+L%C3%A4nder%3F+%26+mehr"
    assert told.headers["hx-push-url"] == place
    assert "<title>wie viele Länder? &amp; mehr · countries.csv · Neural Programmer</title>" in told.text
    seen = client.get("/rows", params={"table": "example-1", "start": "10", "other": "x"})
    assert seen.headers["hx-replace-url"] == "/?table=example-1&start=10"
    assert "hx-push-url" not in client.get("/ask", params={**asked, "question": "12"}).headers


def test_the_column_of_a_step_is_marked_in_the_header(client, upload):
    asked = {"table": upload(client), "question": ASKED}
    for step, column in ((1, "region"), (2, "revenue")):
        page = client.get("/rows", params={**asked, "step": step}).text
        assert re.findall(r'<th scope="col" class="\w+ acts">(\w+)<span class="hidden"> of step (\d)', page) == [
            (column, str(step))
        ]
    assert "acts" not in client.get("/rows", params={"table": asked["table"]}).text


def test_what_no_row_fits_is_said(client, upload):
    asked = {"table": upload(client), "question": "which region has a revenue of more than 9000"}
    shown = client.get("/ask", params=asked).text
    assert '<p class="said long">Nothing: no row fits</p>' in shown
    assert "<span>nothing: no row fits</span>" in shown


def test_a_truth_is_said_in_a_word(client, upload, monkeypatch):
    program = Program((Step("text match", "region", ("Europe",)), Step("whether")))
    monkeypatch.setattr(asking, "decided", lambda *_: Decision(program, 0.9))
    asked = {"table": upload(client), "question": "is there any in Europe"}
    page = client.get("/", params=asked).text
    assert '<p class="said">yes</p>' in page
    assert "Step 2 works on <strong>2</strong> of 3 rows" in page
    assert page.count('<tr class="selected">') == 2
    assert client.get("/answer.json", params=asked).json()["answer"] is True
    said = client.post("/api/ask", json=asked).json()
    assert (said["answer"], said["kind"], said["cells_in_all"]) == (True, "truth", 2)
    assert "WHERE" in said["sql"]


def test_an_answer_in_a_line_has_no_brackets(model):
    table = {"name": ["Ann", "[Bo]"], "age": [5, 7]}
    assert in_a_line(model.ask(table, "which name has an age of more than 4?")) == "Ann, [Bo]"
    assert in_a_line(model.ask(table, "total age")) == "12"


def test_an_address_has_what_there_is():
    assert address({"table": "a b", "question": "", "step": None, "start": "0"}) == "table=a+b&start=0"


def test_notes_stand_below_the_answer(client, upload, monkeypatch):
    program = Program((Step("count"),))
    monkeypatch.setattr(asking, "decided", lambda *_: Decision(program, 0.9, notes=("<July> is July 2024.",)))
    page = client.get("/", params={"table": upload(client), "question": "how many"}).text
    assert '<li class="note">&lt;July&gt; is July 2024.</li>' in page
