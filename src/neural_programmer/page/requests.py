"""What came with a request: who asks, the fields of a form or an address, a file, JSON."""

import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import Request

from neural_programmer.page.reception import Reception
from neural_programmer.page.refusals import Refused
from neural_programmer.page.sessions import Session


def here(request: Request) -> tuple[Reception, Session]:
    """Who does the work, and for whom: somebody new, where nobody is known by the cookie that came."""
    reception: Reception = request.app.state.reception
    if request.state.session is None:
        request.state.session = reception.sessions.new()
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
async def uploaded(request: Request) -> AsyncIterator[UploadFile]:
    """The file of an upload, as long as it is looked at."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise Refused("a table comes as a form with a file (multipart/form-data); send it so")
    async with request.form(max_files=1, max_fields=2) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise Refused("no file came, or only a part of one; send it again")
        yield file


async def written(request: Request, name: str) -> str:
    """A field of a form that has no files."""
    async with request.form(max_files=0, max_fields=2) as form:
        return str(form.get(name, ""))


async def body(request: Request, **kinds: type) -> dict[str, Any]:
    """The JSON object that came, with these fields of these kinds, and perhaps others."""
    names = " and ".join(f"{name} ({kind.__name__})" for name, kind in kinds.items())
    try:
        given = json.loads(await request.body())
        json.dumps(given, ensure_ascii=False, allow_nan=False).encode()  # what can be written again
    except (ValueError, RecursionError):
        raise Refused(f"a JSON object with {names} was expected, and what came is not JSON") from None
    if not isinstance(given, dict) or not all(isinstance(given.get(name), kind) for name, kind in kinds.items()):
        raise Refused(f"a JSON object with {names} was expected, and something else came")
    return given
