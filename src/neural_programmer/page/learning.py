"""How it learns: a small task trained while people look on, as a page and as JSON. All people see the same training;
before there is one, a training that was recorded.
"""

import json as _json
from functools import cache
from typing import Any, get_args

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from neural_programmer.data.paper.settings import TASKS
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.live import MOST_RESTARTS, SMALL_TASKS
from neural_programmer.page.openapi import NUMBERS, responses, sent
from neural_programmer.page.refusals import Refused
from neural_programmer.page.requests import body, form, here, whole
from neural_programmer.page.responses import HERE, html, is_part, json
from neural_programmer.page.safety import refusal
from neural_programmer.page.schemas import (
    NUMBER,
    TEXT,
    TRUTH,
    among,
    check,
    described,
    integer,
    listed,
    or_null,
    some_of,
)
from neural_programmer.page.training import MOST_STEPS, ORDER, RESTARTS, State, Training

WIDTH, HEIGHT = 360, 200  # of a drawing, in its own units
LEFT, RIGHT, TOP, BOTTOM = 44, 8, 10, 24  # and of what lies around the curves
REACHES = (10, 4, 2)  # of all steps that a drawing shows at first
HALVES = (0.0, 0.5, 1.0)  # accuracies with a line and a number
RECORDED = HERE / "recorded.json"  # a training as `Training.to_dict` tells it, by scripts/record_training.py
STARTED = some_of(task=among(SMALL_TASKS), restarts=integer(1, MOST_RESTARTS), steps=integer(1, MOST_STEPS))
ABOUT = {
    "marginal": "Programs are searched, and those that give the right answer made more probable",
    "soft": "The paper's: all operations at once, weighted; the error of the answer goes back through everything",
}


async def learn(request: Request) -> Response:
    """Answer with the page that shows the training."""
    return html(
        request, "learn.html", here="learn", tasks=_tasks(), restarts=MOST_RESTARTS, usual=RESTARTS, **_shown(request)
    )


async def progress(request: Request, status: int = 200, sentence: str = "") -> Response:
    """Answer with the part of the page that changes, and what is to be said."""
    return html(request, "training.html", status, sentence=sentence, **_shown(request))


async def change(request: Request) -> Response:
    """Start, stop or reset the training; answer with the part of the page that changed."""
    try:
        async with form(request) as filled:
            restarts, task = whole(filled, "restarts"), str(filled.get("task", SMALL_TASKS[0]))
        given = {"task": task, "restarts": RESTARTS if restarts is None else restarts}
        check(given, STARTED, "a training")
        await _change(request, request.path_params["what"], given)
    except NeuralProgrammerError as error:
        refused = refusal(request, error)
        return await progress(request, refused.status_code, str(error)) if is_part(request) else refused
    return await progress(request) if is_part(request) else RedirectResponse("/learn", 303)


async def status(request: Request) -> Response:
    """Answer with the state of the training as JSON."""
    return json(_training(request).to_dict())


async def changed(request: Request) -> Response:
    """Start, stop or reset the training; answer with its state as JSON."""
    what = request.path_params["what"]
    given = await body(request, STARTED) if what == "start" else {}
    await _change(request, what, given)
    return await status(request)


async def _change(request: Request, what: str, given: dict[str, Any]) -> None:
    training, (reception, session) = _training(request), here(request)
    changes = {"start": lambda: training.start(**given), "stop": training.stop, "reset": training.reset}
    if what not in changes:
        raise Refused(f"a training can {', '.join(changes)}, not {what[:20]!r}", 404)
    await reception.work(session, changes[what])


def _training(request: Request) -> Training:
    return request.app.state.training


def _tasks() -> list[tuple[str, str]]:
    return [(name, TASKS[name].about) for name in SMALL_TASKS]


@cache
def recorded() -> dict[str, Any]:
    """Return the training that was recorded."""
    return _json.loads(RECORDED.read_text(encoding="utf-8"))


def _shown(request: Request) -> dict[str, Any]:
    """Return the training as the page draws it; while there is none, the recorded one."""
    told: dict[str, Any] = _training(request).to_dict()
    if told["state"] == "idle":
        told = {**recorded(), "state": "idle"}
    lessons = []
    for each in told["objectives"]:
        room = reach(each["step"], each["steps"])
        drawn = {"about": ABOUT[each["objective"]], "reach": room, "lines": curves(each["curves"], room)}
        lessons.append(each | drawn)
    grid = [(_height(share), share) for share in HALVES]
    frame = {"width": WIDTH, "height": HEIGHT, "left": LEFT, "right": WIDTH - RIGHT, "bottom": HEIGHT - BOTTOM}
    return {"training": told | {"objectives": lessons}, "frame": frame, "grid": grid}


def reach(step: int, steps: int) -> int:
    """Return how many steps a drawing has room for: a part of all, until more is needed."""
    return next(part for part in (*(-(-steps // parts) for parts in REACHES), steps) if part >= step)


def curves(reports: list[dict[str, Any]], steps: int) -> list[str]:
    """Return the accuracy of every restart over the steps, as points of an SVG polyline that begins at nothing."""
    restarts = len(reports[0]["accuracy"]) if reports else 0
    across = (WIDTH - LEFT - RIGHT) / steps
    places = [LEFT + across * report["step"] for report in reports]
    return [
        " ".join(
            f"{x:.1f},{_height(accuracy):.1f}"
            for x, accuracy in zip(
                [LEFT, *places], [0.0, *(report["accuracy"][restart] for report in reports)], strict=True
            )
        )
        for restart in range(restarts)
    ]


def _height(share: float) -> float:
    return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM)


ROUTES = [
    Route("/learn", learn),
    Route("/learn/progress", progress),
    Route("/learn/{what}", change, methods=["POST"]),
    Route("/api/training", status),
    Route("/api/training/{what}", changed, methods=["POST"]),
]

OBJECTIVE = described(
    objective=among(ABOUT),
    state=among(ORDER),
    error=TEXT,
    step=integer(),
    steps=integer(),
    seconds=NUMBER,
    curves=listed(described(step=integer(), loss=listed(or_null(NUMBER)), accuracy=NUMBERS)),
    best=NUMBERS,
    programs=listed(described(question=TEXT, program=TEXT, right=TRUTH)),
)
STATUS = described(state=among(get_args(State)), task=TEXT, restarts=integer(), objectives=listed(OBJECTIVE))
PATHS: dict[str, Any] = {
    "/api/training": {"get": {"summary": "How the training stands", "responses": responses(STATUS)}},
    "/api/training/start": {
        "post": {
            "summary": "Train a small task, for all to look at",
            "requestBody": sent(STARTED),
            "responses": responses(STATUS, 200, 409, 501),
        }
    },
    "/api/training/stop": {"post": {"summary": "Stop the training", "responses": responses(STATUS)}},
    "/api/training/reset": {"post": {"summary": "Stop and forget the training", "responses": responses(STATUS)}},
}
