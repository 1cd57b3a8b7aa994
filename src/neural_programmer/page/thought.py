"""How it thought, as a part of the page and as JSON."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from neural_programmer.page.responses import html


async def thought(request: Request) -> Response:
    """The part of the page that shows how a question (?table=KEY&question=TEXT) was thought about."""
    return html(request, "thought.html")


ROUTES = [Route("/thought", thought)]
PATHS: dict[str, Any] = {}  # of the OpenAPI document (see openapi.py)
