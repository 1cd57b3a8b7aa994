"""Read a request: who asks, the fields of a form or an address, a file, JSON."""

import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from neural_programmer.page.reception import Reception
from neural_programmer.page.refusals import Refused
from neural_programmer.page.schemas import Schema, check, in_words
from neural_programmer.page.sessions import Session

FIELDS = 4  # of a form, at most


def here(request: Request) -> tuple[Reception, Session]:
    """Return who does the work and for whom: a new session where the cookie is unknown."""
    reception: Reception = request.app.state.reception
    if request.state.session is None:
        request.state.session = reception.sessions.new(request.state.visitor)
    return reception, request.state.session


def whole(asked: Any, name: str) -> int | None:
    """Return a whole number of the address, or None."""
    text = asked.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > 12:
        raise Refused(f"{name} is a whole number, not {text[:20]!r}")
    return int(text)


@contextlib.asynccontextmanager
async def form(request: Request, files: int = 0, fields: int = FIELDS) -> AsyncIterator[FormData]:
    """Open the form that came, for as long as it is looked at."""
    try:
        given = await request.form(max_files=files, max_fields=fields)
    except HTTPException:  # in the words of its parser
        raise Refused("what came cannot be read as the form that was expected; send it again from the page") from None
    try:
        yield given
    finally:
        await given.close()


@contextlib.asynccontextmanager
async def uploaded(request: Request) -> AsyncIterator[UploadFile]:
    """Open the file of an upload, for as long as it is looked at."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise Refused("a table comes as a form with a file (multipart/form-data); send it so", 415)
    async with form(request, files=1, fields=0) as given:
        file = given.get("file")
        if not isinstance(file, UploadFile):
            raise Refused("no file came, or only a part of one; send it again")
        yield file


async def written(request: Request, name: str) -> str:
    """Return a field of a form that has no files."""
    async with form(request) as given:
        return str(given.get(name, ""))


def number(request: Request, parameter: dict[str, Any]) -> int:
    """Return a whole number of the address; refuse what the document does not describe."""
    name, schema = parameter["name"], parameter["schema"]
    if name not in request.query_params:
        return schema["default"]
    given = whole(request.query_params, name)
    if given is None:
        raise Refused(f"{name} must be {in_words(schema)}, and nothing came")
    check(given, schema, name)
    return given


async def body(request: Request, schema: Schema) -> Any:
    """Return the JSON that came; refuse what the document does not describe."""
    try:
        given = json.loads(await request.body(), parse_float=_number, parse_constant=_none)
        json.dumps(given, ensure_ascii=False).encode()  # what can be written again
    except (ValueError, RecursionError):
        raise Refused(f"{in_words(schema)} was expected as JSON, and what came is not JSON") from None
    check(given, schema, "the JSON that is sent")
    return given


def _none(name: str) -> None:
    """Refuse NaN and Infinity, which Python reads and JSON does not have."""
    raise ValueError(name)


def _number(text: str) -> float:
    """Read a number of JSON, where 1.0 is as whole as 1."""
    number = float(text)
    return int(number) if number.is_integer() else number
