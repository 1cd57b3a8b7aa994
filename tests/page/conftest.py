"""The application with the model that comes with it, and people who visit it."""

import pytest
from starlette.testclient import TestClient

from neural_programmer.config import PageConfig
from neural_programmer.model import load_shipped
from neural_programmer.page.app import application

BASE = "http://127.0.0.1:8000"
SALES = "region,year,revenue,note\nEurope,2020,$1200,=1+1\nAsia,2021,$5k,<script>alert(1)</script>\nEurope,2018,$7,\n"
TOKEN = "a token of sixteen letters"


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
