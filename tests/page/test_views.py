"""The pages: what they show of tables, answers and steps; texts of tables are never more than texts."""

import html
import io
import re

import openpyxl
import pytest

from neural_programmer.answering import asking
from neural_programmer.answering.decision import Decision
from neural_programmer.page import tables, views
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


def test_the_start_is_the_first_table_that_is_served(serve, upload, tmp_path):
    for name in ("sales", "staff", "stock"):
        (tmp_path / f"{name}.csv").write_text(f"{name},number\na,1\n")
    client = serve(tuple(str(tmp_path / f"{name}.csv") for name in ("sales", "staff", "stock")))
    start = client.get("/")
    assert start.url == "http://127.0.0.1:8000/?table=example-1"
    assert "<h1>sales.csv</h1>" in start.text
    assert "1 row, 2 columns" in start.text
    assert tabs(start.text) == [("example-1", "sales.csv"), ("example-2", "staff.csv"), ("example-3", "stock.csv")]
    assert re.search(r'table=example-1" aria-current="page">sales', start.text)
    mine = upload(client, name="own.csv")
    assert tabs(client.get("/?table=example-3").text)[0] == (mine, "own.csv")
    chosen = client.get("/tables").text
    assert 'action="/tables"' in chosen
    assert re.findall("<h2>(.*)</h2>", chosen) == ["Your tables", "Tables of this server", "Or try one of these"]
    removed = client.post("/remove", data={"table": mine})
    assert removed.url == "http://127.0.0.1:8000/tables"


def tabs(page: str) -> list[tuple[str, str]]:
    """The tables that are a click away."""
    return re.findall(r'href="/\?table=([\w-]+)"(?: aria-current="page")?>([\w.]+)', page.partition("</nav>\n<div")[0])


def test_an_example_alone_has_no_tables_beside_it(client):
    assert 'class="tabs"' not in client.get("/?table=example-1").text
    assert "Choose another table" in client.get("/?table=example-1").text


def test_of_many_tables_some_are_a_click_away(serve, tmp_path):
    many = [tmp_path / f"table {number}.csv" for number in range(views.TABS + 3)]
    for path in many:
        path.write_text("a,b\n1,2\n3,4\n")
    page = serve(tuple(map(str, many))).get("/").text
    assert page.partition("</nav>\n<div")[0].count('<a href="/?table=') == views.TABS
    assert f'<a href="/tables">All {len(many)} tables</a>' in page


def test_an_upload_of_several_tables_opens_the_first(client):
    book = workbook({"Flats": [["city"], ["Oslo"]], "People": [["name"], ["Bo"]]})
    shown = client.post("/tables", files={"file": ("book.xlsx", book)}).text
    assert "<h1>book.xlsx <small>Flats</small></h1>" in shown
    assert [name for _, name in tabs(shown)] == ["book.xlsx", "book.xlsx"]


def workbook(sheets) -> bytes:
    book, written = openpyxl.Workbook(), io.BytesIO()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(written)
    return written.getvalue()


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
    assert "What it understood" not in said
    assert re.search("You could ask instead</h2>.*how many rows are there", said, re.DOTALL)
    assert "answer.csv" not in shown.text
    none = client.get("/answer.csv", params={"table": table, "question": "what is the name of the king"})
    assert none.status_code == 404
    assert "there is no answer to download: no column or cell is called" in none.text
    for question, status, sentence in (
        ("", 400, "a question is missing"),
        ("12", 422, "a question needs at least one word"),
    ):
        refused = client.get("/ask", params={"table": table, "question": question}, headers={"HX-Request": "true"})
        assert refused.status_code == status
        assert sentence in refused.text
        assert 'role="alert"' in refused.text
        assert "<html" not in refused.text


def test_what_was_understood_of_a_declined_question_is_told(client, upload):
    table = upload(client)
    said = html.unescape(client.get("/ask", params={"table": table, "question": "median revenue of Europe"}).text)
    assert "<li><q>revenue</q> as the column revenue, of numbers</li>" in said
    assert "<li><q>Europe</q> as a cell of region</li>" in said
    many = " or ".join(f"Europe above {number}" for number in range(1, 20))
    said = client.get("/ask", params={"table": table, "question": f"median revenue of {many}"}).text
    assert said.count("<q>") == views.TAKEN
    assert re.search(r"<li>and \d+ more</li>", said)


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
    assert answer.status_code == (422 if asked in ("step=9", "step=0") else 400)


def test_the_answer_as_a_file(client, upload):
    table = upload(client, "name,age\n=1+1,5\n-x,7\nBob,3\n")
    asked = {"table": table, "question": "which name has an age of more than 4?"}
    found = client.get("/answer.csv", params=asked)
    assert found.headers["content-disposition"] == 'attachment; filename="answer.csv"'
    assert found.text == "name\r\n'=1+1\r\n'-x\r\n"
    assert client.get("/answer.json", params=asked).json()["answer"] == ["=1+1", "-x"]
    assert client.get("/answer.exe", params=asked).status_code == 404
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


def test_after_a_count_the_column_is_known_that_rows_were_chosen_by(client, upload):
    page = client.get("/", params={"table": upload(client), "question": "how many rows where region is Europe?"}).text
    assert re.findall(r'class="\w+ chosen">(\w+)', page) == ["region"]
    assert "acts" not in page
    assert "chosen" not in client.get("/", params={"table": "example-1"}).text


def test_long_names_are_shown_in_several_lines_and_not_whole(client, upload):
    name = "Do you think that the next one will come in your lifetime? " + "x" * 300
    table = upload(client, f'"{name}",b\nYes,1\nNo,2\n')
    page = client.get("/", params={"table": table, "question": "who is the king"}).text
    assert re.findall(r'class="boolean long">(.+?)<small>', page) == [f"{name[: views.LONGEST_NAME - 2]} …"]
    assert f"The columns are {name[:77]}..., b" in html.unescape(page)


def test_what_is_hardly_believed_is_said_to_be_unsure(client, upload, monkeypatch):
    asked = {"table": upload(client), "question": ASKED}
    assert "not sure" not in client.get("/", params=asked).text
    program = Program((Step("sum", "revenue"),))
    monkeypatch.setattr(asking, "decided", lambda *_: Decision(program, 0.3))
    shown = client.get("/", params={**asked, "question": "how much"}).text
    assert "It is not sure: read in the program whether this is what you meant." in shown


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
