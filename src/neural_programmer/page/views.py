"""The pages and their parts, as HTML."""

from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from neural_programmer.errors import one_of
from neural_programmer.page import downloads, tables
from neural_programmer.page.pictured import grid_of, picture_of
from neural_programmer.page.reception import Reception
from neural_programmer.page.refusals import Refused
from neural_programmer.page.requests import here, uploaded, whole, written
from neural_programmer.page.responses import TEMPLATES, html, is_part
from neural_programmer.page.safety import knows
from neural_programmer.page.sessions import Session
from neural_programmer.page.values import values_of
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.values import shown_value

TABS = 12  # tables that are one click away from the one that is shown
LONGEST_NAME = 120  # characters of a column's name that stand above its cells
LETTERS = 1_000  # of a cell of an answer on the page
TAKEN = 8  # words of a question that is declined that are said to be understood
FILES = {
    ".csv": (downloads.as_csv, "text/csv"),
    ".json": (downloads.as_json, "application/json"),
    ".svg": (downloads.as_svg, "image/svg+xml"),
}


def address(values: dict[str, Any]) -> str:
    """Return what follows the ? of an address: the values that are not empty."""
    return urlencode({name: value for name, value in values.items() if value not in (None, "")})


def page_address(asked: Any) -> str:
    """Return the address of the page that shows what was asked for, to come back to."""
    return f"/?{address({name: asked.get(name) for name in ('table', 'question', 'step', 'start', 'only')})}"


def counted(number: int, name: str) -> str:
    """Return a number of things in words.

    >>> counted(1, "row"), counted(30000, "row")
    ('1 row', '30,000 rows')
    """
    return f"{number:,} {name}{'' if number == 1 else 's'}"


def in_a_line(answer: Any) -> str:
    """Return an answer for a line of text: a look-up without brackets, and words if it is empty."""
    return str(answer).removeprefix("[").removesuffix("]") or "nothing: no row fits"


TEMPLATES.env.globals.update(
    shown_cell=tables.shown_cell,
    shown_value=shown_value,
    most_tabs=TABS,
    most_taken=TAKEN,
    longest_name=LONGEST_NAME,
    most_letters=LETTERS,
)
TEMPLATES.env.filters.update(query=address, in_a_line=in_a_line, counted=counted)


async def index(request: Request) -> Response:
    """Answer with the page: the chosen table and the answer, if a question is asked. Without a table it is the first
    that this server offers, or a choice of tables."""
    reception, session = here(request)
    if "token" in request.query_params:  # by which somebody was let in; it need not stay in sight
        return RedirectResponse("/", 303)
    asked, offered = request.query_params, reception.sessions.offered
    if "table" not in asked:
        return RedirectResponse(page_address({"table": offered[0].key}), 303) if offered else await choose(request)
    values = await reception.about(session, asked["table"], _asked, reception, session, asked)
    values |= {"tables": [*session.tables.values(), *offered], "config": reception.config}
    return html(request, "index.html", here="ask", **values)


async def choose(request: Request) -> Response:
    """Answer with the page of all tables to choose from, where others are uploaded."""
    reception, session = here(request)
    offered = reception.sessions.offered
    values = {
        "mine": list(session.tables.values()),
        "offered": offered,
        "examples": [stored for stored in reception.sessions.examples.values() if stored not in offered],
        "left_out": whole(request.query_params, "left_out"),
    }
    return html(request, "index.html", here="ask", config=reception.config, **values)


async def ask(request: Request) -> Response:
    """Answer a question, with the rows it came from and what was asked before; the browser remembers the address."""
    (reception, session), asked = here(request), request.query_params
    if not asked.get("question", "").strip():
        raise Refused("a question is missing; write one")
    values = await reception.about(session, asked.get("table", ""), _asked, reception, session, asked)
    return html(request, "answered.html", headers={"HX-Push-Url": page_address(asked)}, **values)


async def rows(request: Request) -> Response:
    """Answer with some rows of the table, as a step of the program sees them; a reload shows the same."""
    (reception, session), asked = here(request), request.query_params
    values = await reception.about(session, asked.get("table", ""), _rows, reception, session, asked)
    return html(request, "rows.html", headers={"HX-Replace-Url": page_address(asked)}, **values)


async def upload(request: Request) -> Response:
    """Take a file; then show its table."""
    reception, session = here(request)
    async with uploaded(request) as file:
        given = session, file.file, file.filename or ""
        kept, left_out = await reception.work(session, reception.keep, *given, long=True)
    place = f"/tables?{address({'left_out': left_out})}" if left_out else page_address({"table": kept[0].key})
    if is_part(request):
        return Response(status_code=200, headers={"HX-Redirect": place})
    return RedirectResponse(place, 303)


async def remove(request: Request) -> Response:
    """Forget a table."""
    reception, session = here(request)
    await reception.work(session, reception.sessions.remove, session, await written(request, "table"))
    return RedirectResponse("/tables", 303)


async def enter(request: Request) -> Response:
    """Let in who knows the token."""
    reception: Reception = request.app.state.reception
    if not knows(reception.config, await written(request, "token")):
        raise Refused("this is not the token; ask for it where you got the address", 401)
    here(request)
    return RedirectResponse("/", 303)


async def download(request: Request) -> Response:
    """Answer with the answer as a file."""
    reception, session = here(request)
    ending, asked = request.path_params["ending"], request.query_params
    if ending not in FILES:
        raise Refused(str(one_of("ending of an answer", ending, FILES)), 404)
    write, kind = FILES[ending]
    answer = await reception.about(
        session, asked.get("table", ""), reception.ask, session, asked.get("table", ""), asked.get("question", "")
    )
    if ending != ".json" and answer.kind == "none":  # JSON says why
        raise Refused(f"there is no answer to download: {answer.reason}", 404)
    if ending == ".svg" and answer.chart is None:
        raise Refused("there is no picture of this answer; its other files are /answer.csv and /answer.json", 404)
    disposition = f'attachment; filename="answer{ending}"'
    return Response(write(answer), media_type=kind, headers={"Content-Disposition": disposition})


def _asked(reception: Reception, session: Session, asked: Any) -> dict[str, Any]:
    """Return what the page shows of the named table, with the answer if a question is asked."""
    key, question = asked.get("table", ""), asked.get("question", "").strip()
    answer = reception.ask(session, key, question) if question else None
    shown = _rows(reception, session, asked, answer)
    values, taken, close = None, (), ()
    if answer is not None and not answer.answered:
        taken, close = reception.understood(session, key, question), reception.close_to(session, key, question)
    elif answer is not None and answer.kind == "lookup" and len(answer.values) > 1:
        with reception.opened(session, key) as opened:
            values = values_of(opened, answer)
    return {
        **shown,
        "answer": answer,
        "values": values,
        "grid": grid_of(answer) if answer is not None and answer.kind == "table" else None,
        "picture": None if answer is None else picture_of(answer),
        "taken": taken,
        "close": close,
        "suggested": reception.suggested(shown["table"]),
        "asked": [old for old in session.asked if old.table == key],
    }


def _rows(reception: Reception, session: Session, asked: Any, answer: Answer | None = None) -> dict[str, Any]:
    """Return rows of the named table; if a question is asked, as a step of its program sees them.

    Of the last step it is known from the answer how many there are, and the first.
    """
    key, question = asked.get("table", ""), asked.get("question", "").strip()
    step, start, only = whole(asked, "step"), whole(asked, "start"), asked.get("only", "") == "yes"
    program = reception.program(session, key, question) if question else None
    if program is not None:
        step = len(program.steps) if step is None else step
    with reception.opened(session, key) as opened:
        extent = None
        if answer is not None and answer.cells and program and step == len(program.steps) and answer.steps[-1].rows:
            extent = answer.steps[-1].rows, answer.cells[0][0]
        sheet = tables.sheet(opened, program, step, start, only, extent)
        columns = [opened.source.origin(each.source) for each in program.steps[: sheet.step]] if program else []
    return {
        "table": reception.sessions.table(session, key),
        "question": question,
        "sheet": sheet,
        "rows_in_all": opened.source.rows,
        "acts_on": columns[-1] if columns else None,
        "chosen_by": next(filter(None, reversed(columns)), None),
    }


ROUTES = [
    Route("/", index),
    Route("/ask", ask),
    Route("/rows", rows),
    Route("/answer{ending}", download),
    Route("/tables", choose, methods=["GET"]),
    Route("/tables", upload, methods=["POST"]),
    Route("/remove", remove, methods=["POST"]),
    Route("/enter", enter, methods=["POST"]),
]
