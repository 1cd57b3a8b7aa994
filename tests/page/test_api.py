"""The API: upload, list, ask, rows; the same answers as everywhere; what it refuses; what its document says."""

import contextlib
import html
import io
import json
import zipfile

import pyarrow
import pyarrow.feather
import pytest

from many_books import SAID, many_books
from neural_programmer.answering import asking
from neural_programmer.cli import main
from page.conftest import QUESTIONS, SALES, other


def test_page_api_command_and_python_give_the_same(client, upload, tmp_path, capsys, model, monkeypatch):
    (tmp_path / "sales.csv").write_text(SALES)
    monkeypatch.chdir(tmp_path)
    table = upload(client)
    for question in QUESTIONS:
        expected = asking.ask(model, "sales.csv", question)
        with contextlib.suppress(SystemExit):  # of the command, where there is no answer
            main(["ask", "sales.csv", question, "--json"])
        assert json.loads(capsys.readouterr().out) == expected.to_dict()
        assert client.post("/api/ask", json={"table": table, "question": question}).json() == expected.to_dict()
        asked = {"table": table, "question": question}
        assert client.get("/answer.json", params=asked).json() == expected.to_dict()
        shown = html.unescape(client.get("/ask", params=asked).text)
        why = f"No answer: {expected.reason.partition('; ')[0]}"
        said = why if not expected.answered else str(expected) if expected.kind == "scalar" else str(expected.value[0])
        assert f">{said}<" in shown


def test_titles_are_found_in_a_table_with_more_texts_than_are_prepared(client, upload):
    table = upload(client, many_books(), "books.csv")
    for said, price in SAID.items():
        asked = {"table": table, "question": f"what is the price of {said}"}
        answer = client.post("/api/ask", json=asked).json()
        assert answer.get("answer") == price, answer
        shown = html.unescape(client.get("/ask", params=asked).text)
        assert (f"<mark>{price[0]}</mark>" if price else '"Prague House"') in shown


def test_tables_are_listed_told_read_and_removed(client, upload):
    table = upload(client)
    listed = client.get("/api/tables").json()
    assert listed[0] == {"table": table, "name": "sales.csv", "part": "", "bytes": len(SALES), "example": False}
    assert {entry["example"] for entry in listed[1:]} == {True}
    told = client.get(f"/api/tables/{table}").json()
    assert told["rows"] == 3
    assert told["columns"][2] == {"name": "revenue", "kind": "number", "unit": "$"}
    rows = client.get(f"/api/tables/{table}/rows", params={"start": 1, "count": 1}).json()
    assert rows == {"start": 1, "total": 3, "rows": [["Asia", 2021, 5000, "<script>alert(1)</script>"]]}
    assert client.delete(f"/api/tables/{table}").status_code == 204
    gone = client.get(f"/api/tables/{table}")
    assert (gone.status_code, gone.json()["error"]) == (
        404,
        "there is no such table, or it is not here any more: tables are kept for 60 minutes after the last visit; "
        "upload it again",
    )


def test_nobody_sees_the_tables_of_others(client, upload):
    table = upload(client)
    somebody = other(client)
    assert table not in {entry["table"] for entry in somebody.get("/api/tables").json()}
    for answer in (
        somebody.get(f"/api/tables/{table}"),
        somebody.get(f"/api/tables/{table}/rows"),
        somebody.delete(f"/api/tables/{table}"),
        somebody.post("/api/ask", json={"table": table, "question": "how many"}),
        somebody.get("/rows", params={"table": table}),
        somebody.get("/answer.csv", params={"table": table, "question": "how many"}),
    ):
        assert answer.status_code == 404
    assert client.get(f"/api/tables/{table}").status_code == 200


def test_sheets_of_a_workbook_are_tables(client, upload):
    import openpyxl

    book = openpyxl.Workbook()
    book.active.title = "one"
    book.active.append(["a"])
    book.active.append([1])
    book.create_sheet("two").append(["b"])
    kept = io.BytesIO()
    book.save(kept)
    upload(client, kept.getvalue(), "book.xlsx")
    listed = [entry for entry in client.get("/api/tables").json() if not entry["example"]]
    assert [(entry["name"], entry["part"]) for entry in listed] == [("book.xlsx", "one"), ("book.xlsx", "two")]
    told = [client.get(f"/api/tables/{entry['table']}").json()["columns"][0]["name"] for entry in listed]
    assert told == ["a", "b"]
    client.delete(f"/api/tables/{listed[0]['table']}")
    assert client.get(f"/api/tables/{listed[1]['table']}").status_code == 200  # of the same file


BAD = [
    ('{"table": "x"', "an object with table and question was expected as JSON, and what came is not JSON"),
    ("[]", "the JSON that is sent must be an object with table and question, and [] came"),
    ('{"table": "example-1"}', "must be an object with table and question, and question is missing"),
    ('{"table": "example-1", "question": 5}', "question must be a text of 1 to 10,000 characters, and 5 came"),
    ('{"table": "example-1", "question": "\\ud800 rows"}', "what came is not JSON"),
    ('{"table": "example-1", "question": NaN}', "what came is not JSON"),
    ('{"table": "example-1", "question": "' + "x" * 11_000 + '"}', "characters, and one of 11,000 characters came"),
    ('{"table": "example-1", "question": ""}', 'question must be a text of 1 to 10,000 characters, and "" came'),
    ("[" * 60_000, "what came is not JSON"),
]


@pytest.mark.parametrize(("body", "sentence"), BAD)
def test_bad_requests_are_refused_in_a_sentence(client, body, sentence):
    answer = client.post("/api/ask", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]


def test_what_is_not_there(client):
    assert client.get("/api/nothing").json() == {"error": "there is no such page; go back to the start"}
    assert client.put("/api/tables").status_code == 405
    assert client.get("/api/tables/example-1/rows?start=-1").status_code == 400
    assert client.get("/api/tables/example-1/rows?count=0").status_code == 400
    assert client.get("/api/tables/example-1/rows?start=99999").json()["rows"] == []


def workbook(unpacked: int) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * unpacked)
    return kept.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("bomb.xlsx", workbook(5_000_000), "it unpacks to more than 2,000,000 bytes"),
        ("empty.csv", b"", "it is empty"),
        ("wrong.csv", b"a,b\n1,2,3\n", "line 2 has 3 cells and the first row has 2"),
        ("binary.csv", bytes(range(256)) * 10, "neither text nor of a kind of file known here"),
        ("cut.parquet", b"PAR1" + bytes(100), "mend it or save it again"),
        ("rows.csv", b"a\n" + b"1\n" * 200, "it has 200 rows, and 100 are allowed here"),
        ("../../../etc/passwd", b"", "cannot read passwd: it is empty"),
    ],
)
def test_bad_files_are_refused_and_not_kept(serve, name, content, sentence):
    client = serve(megabytes=1, rows=100)
    answer = client.post("/api/tables", files={"file": (name, content)})
    assert answer.status_code == 422
    assert sentence in answer.json()["error"]
    assert str(client.app.state.reception.sessions.folder) not in answer.text
    assert [path for path in client.app.state.reception.sessions.folder.rglob("*") if path.is_file()] == []
    assert client.post("/api/ask", json={"table": "example-1", "question": "how many rows"}).status_code == 200


def test_names_are_never_paths(client, upload):
    table = upload(client, name="../../x.csv")
    [kept] = [path for path in client.app.state.reception.sessions.folder.rglob("*") if path.is_file()]
    assert kept.is_relative_to(client.app.state.reception.sessions.folder)
    assert "x.csv" not in kept.name
    assert client.get(f"/api/tables/{table}").json()["name"] == "x.csv"
    for name, shown in (("C:\\tables\\y.csv", "y.csv"), ("..", "table")):
        key = upload(client, name=name)
        assert client.get(f"/api/tables/{key}").json()["name"] == shown


def test_the_number_of_tables_is_bounded(serve, upload):
    client = serve(tables=2)
    upload(client), upload(client)
    refused = client.post("/api/tables", files={"file": ("a.csv", SALES)})
    assert refused.status_code == 409
    assert refused.json()["error"] == "2 tables are allowed, and you have them; remove one first"


def book_of(sheets: int) -> bytes:
    import openpyxl

    book, kept = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["a"])
    for number in range(2, sheets + 1):
        book.create_sheet(f"sheet {number}").append(["b"])
    book.save(kept)
    return kept.getvalue()


def test_tables_that_find_no_room_are_told(serve, upload, monkeypatch):
    client = serve(tables=2)
    added = client.post("/api/tables", files={"file": ("book.xlsx", book_of(3))})
    kept = [entry["table"] for entry in client.get("/api/tables").json() if not entry["example"]]
    assert ([entry["table"] for entry in added.json()], added.headers["left-out"]) == (kept, "1")
    client.delete(f"/api/tables/{kept[0]}")
    shown = client.post("/tables", files={"file": ("book.xlsx", book_of(3))}).text
    assert "2 of the file's tables are left out: there is no room for more." in html.unescape(shown)
    monkeypatch.setattr(client.app.state.reception.sessions, "check_room", lambda _: None)  # another was faster
    folder = client.app.state.reception.sessions.folder
    files = {path for path in folder.rglob("*") if path.is_file()}
    assert client.post("/api/tables", files={"file": ("a.csv", SALES)}).status_code == 409
    assert {path for path in folder.rglob("*") if path.is_file()} == files


def test_packed_tables_and_those_of_arrow(serve, upload):
    client = serve(megabytes=1)
    table = pyarrow.table({"region": ["Europe", "Asia"], "revenue": [1200, 5000]})
    written = io.BytesIO()
    pyarrow.feather.write_feather(table, written)
    zstd = pyarrow.Codec("zstd")
    for name, content in (
        ("sales.feather", written.getvalue()),
        ("sales.csv.zst", zstd.compress(SALES.encode(), asbytes=True)),
        ("a*[b].csv.gz", pyarrow.Codec("gzip").compress(SALES.encode(), asbytes=True)),
    ):
        asked = {"table": upload(client, content, name), "question": "highest revenue"}
        answer = client.post("/api/ask", json=asked).json()
        assert (answer["answer"], 'FROM "' in answer["sql"]) == (5000, True)
    for name, content, said in (
        ("a.arrow", b"ARROW1\0\0" + bytes(99), "it is no Arrow file, or a damaged one"),
        ("a.csv.zst", zstd.compress(b"a\n" + b"1\n" * 2_000_000, asbytes=True), "it unpacks to more than 2,000,000"),
        ("a.csv.zst", zstd.compress(SALES.encode(), asbytes=True)[:-5], "it ends too soon, so the file may be cut off"),
    ):
        refused = client.post("/api/tables", files={"file": (name, content)})
        assert refused.status_code == 422
        assert said in refused.json()["error"]


def test_no_visitor_sees_where_offered_tables_lie(client):
    answer = client.post("/api/ask", json={"table": "example-1", "question": QUESTIONS[0]}).json()
    shown = client.post("/api/ask", json={"table": "example-1", "question": "how many rows"}).json()
    assert not any("/" in told["sql"] for told in (answer, shown))
    assert 'FROM "' in answer["sql"] + shown["sql"]
