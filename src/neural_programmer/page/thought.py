"""Show how a question was thought about, as HTML and JSON: what was considered at every step, and forced choices."""

import json as _json
from dataclasses import fields
from typing import Any

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from neural_programmer.answering import thinking
from neural_programmer.answering.thinking import Forced, Thought
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.page.openapi import ANSWER, ASKED, NUMBERS, responses, sent
from neural_programmer.page.reception import Reception
from neural_programmer.page.refusals import Refused
from neural_programmer.page.requests import body, here, whole
from neural_programmer.page.responses import TEMPLATES, html, is_part, json
from neural_programmer.page.safety import refusal
from neural_programmer.page.schemas import NUMBER, TEXT, TRUTH, check, described, integer, listed, or_null, some_of
from neural_programmer.page.sessions import Session

MOST_FORCED = 64  # forced steps that are read
FORCED = listed(some_of(operation=or_null(TEXT), column=or_null(TEXT), argument=or_null(integer())), MOST_FORCED)
TRACED = {**ASKED, "properties": {**ASKED["properties"], "forced": FORCED}}
SHADES = 10  # of a heat map, besides none
SHOWN_AS_NOTHING = 0.005  # a probability that is shown as 0 %
OPERATIONS, COLUMNS = 6, 24  # that are shown, however improbable


async def thought(request: Request) -> Response:
    """Answer how a question (?table=KEY&question=TEXT) is thought about; see `_forced` for what may be forced."""
    reception, session = here(request)
    key, question = request.query_params.get("table", ""), request.query_params.get("question", "").strip()
    forced, status, sentence = [], 200, ""
    found = await reception.about(session, key, _think, reception, session, key, question, [])
    try:
        if forced := _forced(request.query_params):
            found = await reception.about(session, key, _think, reception, session, key, question, forced)
    except NeuralProgrammerError as error:  # said above what it thought by itself
        forced, status, sentence = [], refusal(request, error).status_code, str(error)
    name = "thought.html" if is_part(request) else "thought_page.html"
    values = {"thought": found, "forced": forced, "table": key, "question": question, "sentence": sentence}
    return html(request, name, status, here="ask", **values)


async def trace(request: Request) -> Response:
    """Answer the same as JSON."""
    reception, session = here(request)
    given = await body(request, TRACED)
    key, question, forced = given["table"], given["question"], _steps(given.get("forced", []))
    found = await reception.about(session, key, _think, reception, session, key, question, forced)
    return json(found.to_dict())


def _think(reception: Reception, session: Session, table: str, question: str, forced: list[Forced]) -> Thought:
    with reception.opened(session, table) as opened:
        return thinking.thought(reception.model, opened, question, forced)


def _forced(asked: QueryParams) -> list[Forced]:
    """Return the steps to force: those `before`, as JSON, and after them one with the parts that are chosen."""
    try:
        before = _json.loads(asked.get("before", "") or "[]")
    except (ValueError, RecursionError):
        raise Refused("the steps before are a JSON list, and something else came; begin again") from None
    check(before, FORCED, "the list of steps before")
    argument = whole(asked, "argument")
    last = Forced(asked.get("operation") or None, asked.get("column") or None, argument)
    return [*_steps(before), *([last] if last != Forced() else [])]


def _steps(given: list[dict[str, Any]]) -> list[Forced]:
    """Return steps to force, as JSON has them."""
    return [Forced(**step) for step in given]


def heat(probability: float) -> str:
    """Return the class of a cell of a heat map."""
    return f"heat-{round(SHADES * min(max(probability, 0.0), 1.0))}"


def percent(probability: float) -> str:
    """Return a share in whole percents; below one percent, in tenths."""
    return f"{100 * probability:.{int(0.0005 <= probability < 0.01)}f} %"


def likely(choices: dict[str, float], chosen: str | None, least: int) -> list[tuple[str, float]]:
    """Return the choices worth showing: the probable ones, the first `least`, and the one that was made."""
    ordered = sorted(choices, key=lambda choice: -choices[choice])
    shown = {choice for place, choice in enumerate(ordered) if choices[choice] >= SHOWN_AS_NOTHING or place < least}
    return [(choice, choices[choice]) for choice in choices if choice in shown or choice == chosen]


def rest(choices: dict[str, float]) -> float:
    """Return how probable it is that none of the choices is made."""
    return max(1 - sum(choices.values()), 0.0)


def as_forced(steps: Any) -> str:
    """Return steps of a thought, or forced ones, as JSON that forces them."""
    names = [field.name for field in fields(Forced)]
    return _json.dumps([{name: getattr(step, name) for name in names} for step in steps], ensure_ascii=False)


TEMPLATES.env.filters.update(heat=heat, percent=percent, likely=likely, rest=rest, as_forced=as_forced)
TEMPLATES.env.globals.update(few=SHOWN_AS_NOTHING, least_operations=OPERATIONS, least_columns=COLUMNS)
ROUTES = [Route("/thought", thought), Route("/api/trace", trace, methods=["POST"])]

BY_NAME = {"type": "object", "additionalProperties": NUMBER}
THOUGHT_STEP = described(
    operation=TEXT,
    column=or_null(TEXT),
    argument=or_null(integer()),
    probability=NUMBER,
    forced=TRUTH,
    operations=BY_NAME,
    columns=BY_NAME,
    arguments=NUMBERS,
    words=NUMBERS,
    attention=NUMBERS,
)
TRACE = described(
    question=TEXT,
    words=listed(TEXT),
    arguments=listed(described(said=TEXT, means=TEXT, word=integer())),
    answer=ANSWER,
    steps=listed(THOUGHT_STEP),
    others=listed(ANSWER),
    candidates=integer(),
    weighed=TRUTH,
)
PATHS: dict[str, Any] = {
    "/api/trace": {
        "post": {
            "summary": "How a question is thought about, with the first steps as they are forced",
            "requestBody": sent(TRACED),
            "responses": responses(TRACE, 200, 404, 422, 507),
        },
    },
}
