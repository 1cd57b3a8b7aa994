"""The application with the model that comes with it, and people who visit it."""

import os
import shutil
import threading
import time

import pytest
import uvicorn
from playwright.sync_api import expect
from starlette.testclient import TestClient

from neural_programmer.answering.model import load_shipped
from neural_programmer.page.app import application
from neural_programmer.page.config import PageConfig
from neural_programmer.page.connections import Patience, Serving

BASE = "http://127.0.0.1:8000"
SALES = "region,year,revenue,note\nEurope,2020,$1200,=1+1\nAsia,2021,$5k,<script>alert(1)</script>\nEurope,2018,$7,\n"
QUESTIONS = (
    "total revenue in Europe",
    "which region had the highest revenue?",
    "how many rows have a year after 2019",
    "average revenue",
    "what is the name of the king",
)
TOKEN = "a token of sixteen letters"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
expect.set_options(timeout=60_000)  # how fast a busy machine is, is not tested here
browser_only = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here: make browser installs it")


@pytest.fixture(scope="session")
def model():
    return load_shipped()


@pytest.fixture
def serve(model):
    """Start an application; its first visitor."""
    running = []

    def start(offered=(), **settings) -> TestClient:
        app = application(model, PageConfig(**settings), offered)
        client = TestClient(app, base_url=BASE, raise_server_exceptions=False)
        running.append(client.__enter__())
        return client

    yield start
    for client in running:
        client.__exit__(None, None, None)


@pytest.fixture
def client(serve):
    return serve()


@pytest.fixture
def upload():
    """Upload a file; its first table."""

    def send(client, content=SALES, name="sales.csv") -> str:
        data = content.encode() if isinstance(content, str) else content
        answer = client.post("/api/tables", files={"file": (name, data)})
        assert answer.status_code == 201, answer.text
        return answer.json()[0]["table"]

    return send


def other(client) -> TestClient:
    """Somebody else at the same server."""
    return TestClient(client.app, base_url=BASE, raise_server_exceptions=False)


@pytest.fixture(scope="session")
def browser_type_launch_args():
    """Debian's chromium, which has no sandbox for root."""
    return {"executable_path": CHROMIUM, "args": ["--no-sandbox"] if os.getuid() == 0 else []}


@pytest.fixture
def start(model):
    """Serve an application beside the test; its address, and the application."""
    running = []

    def started(offered=(), patience=Patience(), **settings):  # noqa: B008  frozen
        config = PageConfig(**settings)
        app = application(model, config, offered)
        server = uvicorn.Server(Serving(app, config, patience, port=0))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        running.append((server, thread))
        while not server.started:
            time.sleep(0.01)
        return f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}", app

    yield started
    for server, thread in running:
        server.should_exit = True
        thread.join(30)


@pytest.fixture
def faults(page):
    """What the browser complains of, such as a style or a script that is blocked."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    return said


WIDTHS = [390, 1280, 1920]


def fits(page) -> bool:
    """Whether nothing is wider than the window."""
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def outside(page) -> list[str]:
    """What is cut or touches the border of what it lies in; rows, headers and code are scrolled."""
    return page.evaluate(
        """() => [...document.querySelectorAll("main *")].filter((each) => {
          if (!each.getClientRects().length) return false;
          if (each.closest(".scroll *, .header *, pre, svg *, select *, .hidden")) return false;
          const around = each.parentElement, style = getComputedStyle(around);
          const room = parseFloat(style.paddingRight) + parseFloat(style.borderRightWidth);
          return each.getBoundingClientRect().right > around.getBoundingClientRect().right - room + 1;
        }).map((each) => each.outerHTML.slice(0, 80))"""
    )
