"""What came with a request: who asks, the fields of a form or an address, a file, JSON."""

import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from neural_programmer.page.reception import Reception
from neural_programmer.page.refusals import Refused
from neural_programmer.page.sessions import Session

FIELDS = 4  # of a form, at most


def here(request: Request) -> tuple[Reception, Session]:
    """Who does the work, and for whom: somebody new, where nobody is known by the cookie that came."""
    reception: Reception = request.app.state.reception
    if request.state.session is None:
        request.state.session = reception.sessions.new(request.state.visitor)
    return reception, request.state.session


def whole(asked: Any, name: str) -> int | None:
    """A whole number of the address, if it is there."""
    text = asked.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > 12:
        raise Refused(f"{name} is a whole number, not {text[:20]!r}")
    return int(text)


@contextlib.asynccontextmanager
async def form(request: Request, files: int = 0) -> AsyncIterator[FormData]:
    """The form that came, as long as it is looked at."""
    try:
        given = await request.form(max_files=files, max_fields=FIELDS)
    except HTTPException:  # in the words of its parser
        raise Refused("what came cannot be read as the form that was expected; send it again from the page") from None
    try:
        yield given
    finally:
        await given.close()


@contextlib.asynccontextmanager
async def uploaded(request: Request) -> AsyncIterator[UploadFile]:
    """The file of an upload, as long as it is looked at."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise Refused("a table comes as a form with a file (multipart/form-data); send it so")
    async with form(request, files=1) as given:
        file = given.get("file")
        if not isinstance(file, UploadFile):
            raise Refused("no file came, or only a part of one; send it again")
        yield file


async def written(request: Request, name: str) -> str:
    """A field of a form that has no files."""
    async with form(request) as given:
        return str(given.get(name, ""))


async def body(request: Request, **kinds: type) -> dict[str, Any]:
    """The JSON object that came, with these fields of these kinds, and perhaps others."""
    given, names = await _object(request, kinds, " and ")
    if not all(isinstance(given.get(name), kind) for name, kind in kinds.items()):
        raise Refused(f"a JSON object with {names} was expected, and something else came")
    return given


async def choices(request: Request, **kinds: type) -> dict[str, Any]:
    """The JSON object that came, with some of these fields of these kinds, and no others."""
    given, names = await _object(request, kinds, " or ")
    if not all(name in kinds and type(value) is kinds[name] for name, value in given.items()):
        raise Refused(f"a JSON object with {names}, each if it is wanted, was expected, and something else came")
    return given


async def _object(request: Request, kinds: dict[str, type], joined: str) -> tuple[dict[str, Any], str]:
    """The JSON object that came, and how its fields are named to people."""
    names = joined.join(f"{name} ({kind.__name__})" for name, kind in kinds.items())
    try:
        given = json.loads(await request.body())
        json.dumps(given, ensure_ascii=False, allow_nan=False).encode()  # what can be written again
    except (ValueError, RecursionError):
        raise Refused(f"a JSON object with {names} was expected, and what came is not JSON") from None
    if not isinstance(given, dict):
        raise Refused(f"a JSON object with {names} was expected, and something else came")
    return given, names
