"""What came with a request."""

import json
from typing import Any

from starlette.requests import Request

from neural_programmer.page.refusals import Refused


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
