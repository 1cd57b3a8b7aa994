"""Send a page, a part of one, or JSON; and what went wrong, in the form that was asked for."""

import re
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.templating import Jinja2Templates

HERE = Path(__file__).parent
TEMPLATES = Jinja2Templates(directory=HERE / "templates")
TEMPLATES.env.trim_blocks = TEMPLATES.env.lstrip_blocks = True


def html(
    request: Request, name: str, status: int = 200, headers: dict[str, str] | None = None, **values: Any
) -> Response:
    """Render a template, in which every value is escaped."""
    return TEMPLATES.TemplateResponse(request, name, values, status, headers)


def json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse(value, status, headers)


def is_part(request: Request) -> bool:
    """Return whether htmx asks, which puts what comes into the page."""
    return request.headers.get("hx-request") == "true"


def sorry(request: Request, sentence: str, status: int) -> Response:
    """Return one sentence: as JSON, as a part of the page, or as a page."""
    private = re.escape(str(request.app.state.reception.sessions.folder))
    sentence = re.sub(rf"{private}[\w/.-]*", "the file", " ".join(sentence.split()))
    if request.scope["path"].startswith("/api"):
        return json({"error": sentence}, status)
    name = "sorry.html" if is_part(request) else "sorry_page.html"
    return html(request, name, status, sentence=sentence, locked=status == 401)
