"""How it learns: a small task trained while one looks on."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from neural_programmer.page.responses import html


async def learn(request: Request) -> Response:
    """The page that shows a training."""
    return html(request, "learn.html", here="learn")


ROUTES = [Route("/learn", learn)]
PATHS: dict[str, Any] = {}  # of the OpenAPI document (see openapi.py)
