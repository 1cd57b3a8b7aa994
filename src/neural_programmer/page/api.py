"""Serve as JSON what the page does; `openapi.py` describes it."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from neural_programmer.page import learning, thought
from neural_programmer.page.openapi import ASKED, FIRST_ROW, LEFT_OUT, ROW_COUNT, document
from neural_programmer.page.reception import Reception
from neural_programmer.page.refusals import Refused
from neural_programmer.page.requests import body, here, number, uploaded
from neural_programmer.page.responses import json
from neural_programmer.page.sessions import Session, Stored
from neural_programmer.programs.values import plain


async def described(request: Request) -> Response:
    """Answer with the OpenAPI document."""
    return json(document(thought.PATHS, learning.PATHS))


async def listed(request: Request) -> Response:
    """Answer with this person's tables and those offered to all."""
    reception, session = here(request)
    return json([_listed(stored) for stored in (*session.tables.values(), *reception.sessions.examples.values())])


async def added(request: Request) -> Response:
    """Take an upload and answer with its tables, as far as there is room for them."""
    reception, session = here(request)
    async with uploaded(request) as file:
        given = session, file.file, file.filename or ""
        kept, left_out = await reception.work(session, reception.keep, *given, long=True)
    return json([_listed(stored) for stored in kept], 201, {LEFT_OUT: str(left_out)})


async def told(request: Request) -> Response:
    """Answer with a table's columns and number of rows."""
    (reception, session), key = here(request), request.path_params["table"]
    return json(await reception.about(session, key, _told, reception, session, key))


async def removed(request: Request) -> Response:
    """Forget a table."""
    reception, session = here(request)
    key = request.path_params["table"]
    if key not in session.tables:
        raise Refused("this is no table of yours; `GET /api/tables` lists them", 404)
    await reception.work(session, reception.sessions.remove, session, key)
    return Response(status_code=204)


async def rows(request: Request) -> Response:
    """Answer with some rows of a table."""
    reception, session = here(request)
    key, start, count = request.path_params["table"], number(request, FIRST_ROW), number(request, ROW_COUNT)
    return json(await reception.about(session, key, _page, reception, session, key, start, count))


async def ask(request: Request) -> Response:
    """Answer a question as the command line does."""
    reception, session = here(request)
    given = await body(request, ASKED)
    answer = await reception.about(session, given["table"], reception.ask, session, given["table"], given["question"])
    return json(answer.to_dict())


def _listed(stored: Stored) -> dict[str, Any]:
    return {
        "table": stored.key,
        "name": stored.name,
        "part": stored.part,
        "bytes": stored.size,
        "example": stored.example,
    }


def _told(reception: Reception, session: Session, key: str) -> dict[str, Any]:
    stored = reception.sessions.table(session, key)
    source = reception.sessions.open(stored).source
    columns = [{"name": column.name, "kind": column.kind, "unit": column.unit} for column in source.columns]
    return {**_listed(stored), "rows": source.rows, "columns": columns}


def _page(reception: Reception, session: Session, key: str, start: int, count: int) -> dict[str, Any]:
    with reception.opened(session, key) as opened:
        found = opened.source.plain().page(start, count)
        return {"start": start, "total": opened.source.rows, "rows": [[plain(cell) for cell in row] for row in found]}


ROUTES = [
    Route("/api/openapi.json", described),
    Route("/api/tables", listed, methods=["GET"]),
    Route("/api/tables", added, methods=["POST"]),
    Route("/api/tables/{table}", told, methods=["GET"]),
    Route("/api/tables/{table}", removed, methods=["DELETE"]),
    Route("/api/tables/{table}/rows", rows, methods=["GET"]),
    Route("/api/ask", ask, methods=["POST"]),
]
