"""The page and its API as one application.

Where things are: `views.ROUTES` are the pages and their parts (HTML), `api.ROUTES` the same as JSON under /api,
`thought.ROUTES` how it thought (/thought, /api/trace), `learning.ROUTES` how it learns (/learn, /api/training); the
`PATHS` of these two go into the OpenAPI document.
A handler has the reception (the model, the people, threads to work in: see reception.py) and the person of
`requests.here`. `await reception.work(session, function, *arguments)` runs a function in a thread, `about` the same
about a table; `reception.opened(session, key)` is a table to ask. What a person can mend is raised as
NeuralProgrammerError anywhere, and shown by safety.Guard; templates/base.html is the frame of a page.
"""

import contextlib
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Mount
from starlette.staticfiles import StaticFiles

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.page import api, learning, thought, views
from neural_programmer.page.config import PageConfig
from neural_programmer.page.reception import Reception
from neural_programmer.page.responses import HERE, sorry
from neural_programmer.page.safety import Guard, refusal
from neural_programmer.page.training import Training

EXPIRING = 30  # seconds between two looks at who is away


def application(model: Any, config: PageConfig, offered: tuple[str, ...] = ()) -> Starlette:
    """Return the application; `offered` are tables that everybody may ask."""
    reception, training = Reception(model, config, offered), Training()

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async def expire() -> None:
            while True:
                await anyio.sleep(EXPIRING)
                await anyio.to_thread.run_sync(reception.sessions.expire)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(expire)
            tasks.start_soon(partial(anyio.to_thread.run_sync, reception.prepare, abandon_on_cancel=True))
            try:
                yield
            finally:
                tasks.cancel_scope.cancel()
                training.reset()
                reception.close()

    static = Mount("/static", StaticFiles(directory=HERE / "static"))
    app = Starlette(
        routes=[*views.ROUTES, *api.ROUTES, *thought.ROUTES, *learning.ROUTES, static],
        middleware=[Middleware(Guard, reception=reception)],
        exception_handlers={NeuralProgrammerError: _refused, HTTPException: _unknown},  # pyright: ignore
        lifespan=lifespan,
    )
    app.state.reception, app.state.training = reception, training
    return app


async def _refused(request: Request, error: NeuralProgrammerError) -> Response:
    return refusal(request, error)


async def _unknown(request: Request, error: HTTPException) -> Response:
    """Answer in our words what Starlette refuses."""
    sentence = {404: "there is no such page; go back to the start", 405: "this cannot be done here that way"}
    other = "this request cannot be understood; go back to the start"
    answer = sorry(request, sentence.get(error.status_code, other), error.status_code)
    if error.status_code == 405:  # of a path that several routes have, Starlette names what one of them can
        routes = [route for route in request.app.routes if route.matches(request.scope)[0] != Match.NONE]
        answer.headers["Allow"] = ", ".join(sorted({method for route in routes for method in route.methods or ()}))
    return answer
