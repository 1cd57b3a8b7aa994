"""Who is let in, from where, with how much; what browsers are told; what is logged when something fails."""

import errno
import logging
import os
import re

import duckdb
import pytest

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.page import reception, safety
from neural_programmer.page.config import PageConfig
from page.conftest import SALES, TOKEN, other


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "", "127.0.0.1.evil.example", "10.0.0.5", "[", "localhost/enter?"]
)
def test_hosts_that_are_not_ours_are_refused(client, host):
    answer = client.get("/api/tables", headers={"Host": host})
    assert answer.status_code == 403
    assert "this server is not known as" in answer.json()["error"]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000", "[::1]:8000", "127.0.0.2"])
def test_this_machine_is_known(client, host):
    assert client.get("/api/tables", headers={"Host": host}).status_code == 200


def test_other_names_are_known_where_they_are_given(serve):
    client = serve(host="0.0.0.0", token=TOKEN, names=("tables.example",))
    said = {"Authorization": f"Bearer {TOKEN}"}
    assert client.get("/api/tables", headers={"Host": "tables.example", **said}).status_code == 200
    assert client.get("/api/tables", headers={"Host": "10.0.0.5", **said}).status_code == 200
    assert client.get("/api/tables", headers={"Host": "evil.example", **said}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Origin": "http://127.0.0.1:9000"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_other_origins_are_refused(client, headers):
    for method, path in (("POST", "/api/ask"), ("POST", "/tables"), ("GET", "/ask"), ("GET", "/api/tables")):
        answer = client.request(method, path, headers=headers)
        assert answer.status_code == 403
        assert "another site asked for this" in answer.text


def test_a_link_from_elsewhere_leads_to_the_page(client):
    linked = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.get("/", headers=linked).status_code == 200
    assert client.post("/", headers=linked).status_code == 403
    assert client.post("/api/ask", headers={"Origin": "http://127.0.0.1:8000"}, json={}).status_code == 400


def test_browsers_are_told_to_be_careful(client):
    for path in ("/", "/api/tables", "/static/page.js", "/nothing"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "access-control-allow-origin" not in headers
    assert "no-store" in client.get("/").headers["cache-control"]


def test_the_cookie_is_of_no_use_elsewhere(client):
    kept = client.get("/").headers["set-cookie"]
    assert kept.startswith("neural-programmer-8000=")
    assert kept.endswith("; HttpOnly; SameSite=Lax; Path=/")
    assert "set-cookie" not in client.get("/").headers


def test_nobody_is_made_for_what_needs_nobody(client):
    for path in ("/nothing", "/api/nothing", "/static/page.js", "/api/openapi.json"):
        assert "set-cookie" not in client.get(path).headers
    assert not client.app.state.reception.sessions._people


def test_a_token_is_needed_where_one_is_set(serve):
    client = serve(token=TOKEN)
    refused = client.get("/")
    assert refused.status_code == 401
    assert "this page needs the token that its owner set; enter it" in refused.text
    assert 'action="/enter"' in refused.text
    assert client.get("/api/tables").json() == {"error": "this page needs the token that its owner set; enter it"}
    assert client.get("/api/tables", headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert client.get("/?token=wrong").status_code == 401
    assert client.get("/api/tables", headers={"Host": "localhost/enter?"}).status_code == 403
    assert client.post("/enter", data={"token": "wrong"}).status_code == 401
    assert client.get("/static/page.css").status_code == 200
    assert other(client).get("/api/tables", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    by_link, by_form = other(client), other(client)
    assert by_link.get(f"/?token={TOKEN}").url.query == b""
    assert by_link.get("/api/tables").status_code == 200
    assert by_form.post("/enter", data={"token": TOKEN}).status_code == 200
    assert by_form.get("/api/tables").status_code == 200
    assert client.get("/api/tables").status_code == 401


def test_who_comes_back_too_late_is_asked_for_the_token_again(serve):
    client = serve(token=TOKEN, minutes=5)
    assert client.get(f"/?token={TOKEN}").status_code == 200
    for person in client.app.state.reception.sessions._people.values():
        person.used = -1e9
    ended = client.get("/api/tables")
    assert ended.status_code == 401
    assert ended.json()["error"] == (
        "your visit has ended (it is kept for 5 minutes); enter the token again, then upload your tables again"
    )
    assert 'action="/enter"' in client.get("/").text


def test_elsewhere_than_here_needs_a_token():
    with pytest.raises(NeuralProgrammerError, match=r"at 0\.0\.0\.0 others can reach the page; give a --token"):
        PageConfig(host="0.0.0.0")
    with pytest.raises(NeuralProgrammerError, match="a token has at least 16 characters, and this one 5"):
        PageConfig(token="short")
    assert TOKEN not in repr(PageConfig(token=TOKEN))


def test_large_requests_are_refused_by_what_they_say_and_by_what_comes(serve):
    client = serve(megabytes=1)
    said = client.post("/api/tables", headers={"Content-Length": str(2 * 10**9)}, content=iter([b""]))
    assert said.status_code == 413
    assert said.json()["error"] == "this is larger than 1 MB, which is not allowed here; send less"
    sent = 0

    def endless():
        nonlocal sent
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
        while sent < 3 * 10**6:  # all of which the client prepares
            sent += 100_000
            yield b"0" * 100_000

    came = client.post("/api/tables", headers={"Content-Type": "multipart/form-data; boundary=x"}, content=endless())
    assert came.status_code == 413
    assert client.post("/api/ask", content=b" " * 300_000).status_code == 413
    assert client.get("/api/tables").status_code == 200


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Starlette forgets to close a part
def test_uploads_have_room_together(serve):
    client = serve(megabytes=50, disk=50)
    with client.app.state.reception.sessions.arriving() as others:
        others(49_990_000)
        started = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
        sent = {"headers": {"Content-Type": "multipart/form-data; boundary=x"}}
        for content in (started + b"0" * 20_000, iter([started, b"0" * 20_000])):
            answer = client.post("/api/tables", content=content, **sent)
            assert answer.status_code == 507
            assert answer.json()["error"] == "there is no room for more tables now; try again later"
        assert client.post("/api/ask", json={"table": "example-1", "question": "how many rows"}).status_code == 200
    assert client.post("/api/tables", files={"file": ("a.csv", SALES)}).status_code == 201
    assert client.app.state.reception.sessions._arriving == 0


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Starlette forgets to close a part
def test_a_file_that_is_cut_off_is_not_kept(client):
    start = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\na,b\n1,'
    answer = client.post("/tables", headers={"Content-Type": "multipart/form-data; boundary=x"}, content=start)
    assert answer.status_code == 400
    assert "no file came, or only a part of one; send it again" in answer.text
    for kind, sent in (
        ("multipart/form-data", b""),
        ("multipart/form-data; boundary=x", b"no boundary"),
        ("multipart/form-data; boundary=x", 2 * start.replace(b"1,", b"1,2\r\n") + b"\r\n--x--\r\n"),
    ):
        odd = client.post("/tables", headers={"Content-Type": kind}, content=sent)
        assert odd.status_code == 400
        assert "what came cannot be read as the form that was expected; send it again from the page" in odd.text
    assert client.post("/enter", headers={"Content-Type": "multipart/form-data"}, content=b"").status_code == 400
    assert client.post("/learn/stop", headers={"Content-Type": "multipart/form-data"}, content=b"").status_code == 400
    assert client.post("/tables", headers={"Content-Type": "text/plain"}, content=SALES).status_code == 415


FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
FULL_OF_DUCKDB = duckdb.IOException(f'IO Error: Could not write file "/tmp/x": {FULL.strerror}')


@pytest.mark.parametrize(
    ("where", "fault"),
    [
        ("starlette.formparsers.SpooledTemporaryFile", FULL),  # while it comes,
        ("shutil.copyfileobj", FULL),  # is kept,
        ("tempfile.mkdtemp", FULL),  # and opened
        ("neural_programmer.tables.source.settle", FULL_OF_DUCKDB),
        ("neural_programmer.tables.books._read", NeuralProgrammerError(str(FULL))),  # as a process of its own tells it
    ],
)
def test_a_full_disk_is_nobodys_fault(client, monkeypatch, where, fault):
    """It was a 500 where the file was kept, and called a damaged file where it was read."""

    def full(*_, **__):
        raise fault

    folder = client.app.state.reception.sessions.folder
    before = sorted(path for path in folder.rglob("*") if path.is_file())
    with monkeypatch.context() as patch:
        patch.setattr(where, full)
        content = b"SQLite format 3\0" if "books" in where else SALES.encode()
        answer = client.post("/api/tables", files={"file": ("a.csv", content)})
    assert answer.status_code == 507
    assert re.search("the disk (of this server )?has no room", answer.json()["error"])
    assert sorted(path for path in folder.rglob("*") if path.is_file()) == before
    assert client.post("/api/tables", files={"file": ("a.csv", SALES)}).status_code == 201


def test_what_fails_is_logged_in_a_line_and_the_server_goes_on(client, caplog, monkeypatch):
    def fails(*_):
        raise RuntimeError("two\nlines of secrets")

    with monkeypatch.context() as patch, caplog.at_level(logging.INFO):
        patch.setattr(reception.Reception, "ask", fails)
        answer = client.post("/api/ask", json={"table": "example-1", "question": "how many rows"})
    assert answer.status_code == 500
    assert answer.json() == {"error": "this failed, and it is not your fault; the server goes on, try something else"}
    [line] = [record.getMessage() for record in caplog.records if record.name == safety.log.name]
    assert line == "POST /api/ask: RuntimeError: two lines of secrets"
    assert client.post("/api/ask", json={"table": "example-1", "question": "how many rows"}).status_code == 200


def test_what_is_logged_is_one_line(client, caplog):
    with caplog.at_level("INFO"):
        client.get("/api/tables/x%0aneural-programmer: FAKE%1b[31m")
    logged = [record.getMessage() for record in caplog.records if record.name == safety.log.name]
    assert len(logged) == 1
    assert logged[0].isprintable()
