"""Connections on this machine: who is slow, or opens too many, is shut out, and nobody else."""

import socket
import time
from contextlib import ExitStack, closing
from urllib.parse import urlsplit

import pytest

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.page.config import PageConfig
from neural_programmer.page.connections import TOO_MANY, TOO_SLOW, Patience
from neural_programmer.page.shares import Shares, visitor_of

QUICK = Patience(connections=6, share=3, head=0.3, body=0.3, reader=0.3, rate=10_000, looks=0.02)
HEAD = b"GET /api/tables HTTP/1.1\r\nHost: localhost\r\n"
UPLOAD = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\n"
BODY = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\na\n1\n\r\n--x--\r\n'
LATE = 10  # seconds after which a connection that should be closed is not


@pytest.fixture
def connect(start):
    """Serve with little patience; what connects to it, from another address of this machine if one is given."""
    with ExitStack() as opened:

        def serving(patience=QUICK, **settings):
            address, _ = start(patience=patience, **settings)

            def connection(sent=b"") -> socket.socket:
                found = opened.enter_context(
                    closing(socket.create_connection(("127.0.0.1", urlsplit(address).port), timeout=LATE))
                )
                found.sendall(sent)
                return found

            return connection

        yield serving


def heard(connection: socket.socket) -> str:
    """What comes until the other side closes."""
    came = b""
    try:
        while some := connection.recv(65_536):
            came += some
    except ConnectionResetError:
        pass
    return came.decode()


def answered(connection: socket.socket) -> str:
    """The first line of an answer, after which the connection stays open."""
    came = b""
    while b"\r\n\r\n" not in came:
        came += connection.recv(65_536)
    size = int(came.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
    while len(came.partition(b"\r\n\r\n")[2]) < size:
        came += connection.recv(65_536)
    return came.split(b"\r\n")[0].decode()


@pytest.mark.parametrize("sent", [b"", HEAD, HEAD + b"\r\n" + HEAD])
def test_a_head_that_does_not_come_ends_the_connection(connect, sent):
    said = heard(connect()(sent))
    assert said.count("HTTP/1.1 200 OK") == sent.count(b"\r\n\r\n")
    assert "HTTP/1.1 408 Request Timeout" in said
    assert said.endswith(TOO_SLOW)


def test_a_head_that_comes_letter_by_letter_ends_it_too(connect):
    slow, start = connect()(HEAD), time.monotonic()
    slow.settimeout(0.01)
    with pytest.raises(OSError, match=r"reset|pipe|aborted"):  # noqa: PT012  the end may be seen by either
        while time.monotonic() < start + LATE:
            slow.sendall(b"x")
            try:
                if not slow.recv(1_000):
                    raise ConnectionResetError("reset")
            except TimeoutError:
                pass


def test_a_body_may_take_long_if_something_comes_meanwhile(connect):
    connection = connect()
    said = heard(connection(UPLOAD + b"Content-Length: 1000\r\n\r\n" + BODY))
    assert said.startswith("HTTP/1.1 408 Request Timeout")
    filled = connection(UPLOAD + b"Content-Length: %d\r\n\r\n" % (len(BODY) + 8_000))
    for _ in range(8):  # 0.8 s in all, and a second is allowed for 10,000 bytes
        filled.sendall(b"\n" * 1_000)
        time.sleep(0.07)
    filled.sendall(BODY)
    assert answered(filled) == "HTTP/1.1 201 Created"


def test_who_does_not_read_an_answer_is_not_waited_for(start, tmp_path):
    (tmp_path / "wide.csv").write_text("a\n" + ("x" * 4_000 + "\n") * 1_000)
    address, _ = start((str(tmp_path / "wide.csv"),), patience=QUICK)
    asked = HEAD.replace(b"/tables", b"/tables/example-1/rows?count=1000") + b"\r\n"
    with closing(socket.socket()) as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        reader.connect(("127.0.0.1", urlsplit(address).port))
        reader.settimeout(LATE)
        reader.sendall(asked)
        reader.recv(100)
        time.sleep(0.6)
        assert len(heard(reader)) < 4_000_000


def test_a_visitor_has_a_share_of_the_connections(connect, monkeypatch):
    connection = connect(Patience(connections=6, share=3))
    waiting = [connection(HEAD) for _ in range(3)]
    assert heard(connection()).endswith(TOO_MANY)
    waiting[0].sendall(b"\r\n")
    assert answered(waiting[0]) == "HTTP/1.1 200 OK"
    waiting[1].close()
    for _ in range(LATE * 50):
        another = connection(HEAD + b"Connection: close\r\n\r\n")
        if (said := heard(another)).startswith("HTTP/1.1 200"):
            break
        assert said.endswith(TOO_MANY)
        time.sleep(0.02)
    else:
        raise AssertionError("what was closed is not given back")
    monkeypatch.setattr("neural_programmer.page.connections.visitor_of", lambda _: "somebody else")
    assert answered(connection(HEAD + b"\r\n")) == "HTTP/1.1 200 OK"


def test_all_visitors_of_a_proxy_share_its_connections(connect):
    connection = connect(Patience(connections=6, share=3), proxy=("127.0.0.0/8",))
    assert [answered(connection(HEAD + b"\r\n")) for _ in range(6)] == 6 * ["HTTP/1.1 200 OK"]
    assert heard(connection()).endswith(TOO_MANY)


def cookie_of(connection: socket.socket) -> str:
    return next(line for line in heard(connection).split("\r\n") if line.lower().startswith("set-cookie"))


def test_what_a_proxy_says_is_believed_where_it_is_known_and_nobody_else(connect, monkeypatch):
    visitors: list[str] = []

    def seen(host):
        visitors.append(visitor_of(host))
        return visitors[-1]

    monkeypatch.setattr("neural_programmer.page.safety.visitor_of", seen)
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")  # which uvicorn would believe
    said = HEAD + b"X-Forwarded-For: 203.0.113.9, 198.51.100.7\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n\r\n"
    assert "Secure" not in cookie_of(connect()(said))
    assert cookie_of(connect(proxy=("127.0.0.1",))(said)).endswith("; HttpOnly; SameSite=Lax; Path=/; Secure")
    assert "Secure" not in cookie_of(connect(proxy=("10.0.0.1",))(said))
    assert visitors == ["loopback", "198.51.100.7", "loopback"]


def test_a_proxy_is_named_by_its_address():
    for wrong in ("proxy.example", "10.0.0.0/40", ""):
        with pytest.raises(NeuralProgrammerError, match=r"a proxy is an address, as 127\.0\.0\.1, or a network"):
            PageConfig(proxy=(wrong,))


@pytest.mark.parametrize(
    ("host", "visitor"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("127.9.8.7", "loopback"),
        ("::1", "loopback"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_what_one_machine_chooses_from_is_one_visitor(host, visitor):
    assert visitor_of(host) == visitor


def test_shares_are_taken_and_given_back():
    shares = Shares(share=2, most=3)
    assert [shares.take("a") for _ in range(3)] == [True, True, False]
    assert [shares.take("b"), shares.take("c")] == [True, False]
    shares.give_back("a")
    assert shares.take("a")
    shares.give_back("b")
    assert shares.take("a", shared=True)
    assert not shares.take("b", shared=True)
