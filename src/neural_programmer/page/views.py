"""The pages and their parts, as HTML."""

import csv
import io
import json
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from neural_programmer.answer import Answer, shown_value
from neural_programmer.page import examples, tables
from neural_programmer.page.reception import Reception
from neural_programmer.page.refusals import Refused
from neural_programmer.page.responses import TEMPLATES, html
from neural_programmer.page.safety import cookie_name, knows
from neural_programmer.page.sessions import Session, Stored

VALUES = 50  # of an answer on the screen
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would compute
TEMPLATES.env.globals.update(shown_cell=tables.shown_cell, shown_value=shown_value)
TEMPLATES.env.filters["query"] = lambda values: urlencode(
    {k: v for k, v in values.items() if v not in (None, "", False)}
)


async def index(request: Request) -> Response:
    """The page: a table to choose, or one that was chosen, and the answer if a question is asked."""
    reception, session = _here(request)
    if "token" in request.query_params:
        return RedirectResponse("/", 303)
    values = await reception.work(session, _table, reception, session, request.query_params)
    return html(request, "index.html", here="ask", **values)


async def ask(request: Request) -> Response:
    """The answer to a question, the rows it came from, and what was asked before."""
    reception, session = _here(request)
    values = await reception.work(session, _table, reception, session, request.query_params)
    return html(request, "answered.html", **values)


async def rows(request: Request) -> Response:
    """Rows of the table: some at a time, as a step of the program sees them."""
    reception, session = _here(request)
    values = await reception.work(session, _rows, reception, session, request.query_params)
    return html(request, "rows.html", **values)


async def upload(request: Request) -> Response:
    """Take a file; then show its table."""
    reception, session = _here(request)
    file, name = await uploaded(request)
    kept = await reception.work(session, reception.keep, session, file.file, name)
    place = f"/?{urlencode({'table': kept[0].key})}"
    if request.headers.get("hx-request") == "true":
        return Response(status_code=204, headers={"HX-Redirect": place})
    return RedirectResponse(place, 303)


async def remove(request: Request) -> Response:
    """Forget a table."""
    reception, session = _here(request)
    form = await request.form(max_files=0, max_fields=2)
    await reception.work(session, reception.sessions.remove, session, str(form.get("table", "")))
    return RedirectResponse("/", 303)


async def enter(request: Request) -> Response:
    """Let in who knows the token."""
    reception = request.app.state.reception
    form = await request.form(max_files=0, max_fields=2)
    if reception.config.token is not None and not knows(reception.config, str(form.get("token", ""))):
        raise Refused("this is not the token; ask for it where you got the address", 401)
    answer = RedirectResponse("/", 303)
    session = request.state.session or reception.sessions.new()
    answer.set_cookie(cookie_name(reception.config), session.key, httponly=True, samesite="strict")
    return answer


async def download(request: Request) -> Response:
    """The answer as a file."""
    reception, session = _here(request)
    values = await reception.work(session, _table, reception, session, request.query_params)
    answer: Answer | None = values.get("answer")
    if answer is None:
        raise Refused("there is no answer to download; ask a question first")
    if request.url.path.endswith(".json"):
        content, kind = json.dumps(answer.to_dict(), ensure_ascii=False, indent=1), "application/json"
    else:
        content, kind = as_csv(answer), "text/csv"
    name = request.url.path.rpartition("/")[2]
    return Response(content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def as_csv(answer: Answer) -> str:
    """The values under a name; a text that a spreadsheet would compute is made one that it would not."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\r\n")
    column = answer.steps[-1].column if answer.kind == "lookup" and answer.steps else "answer"
    value = answer.value
    writer.writerow([harmless(column)])
    writer.writerows([harmless(each)] for each in (value if isinstance(value, list) else [value]))
    return lines.getvalue()


def harmless(value: Any) -> Any:
    """A cell of a CSV file; numbers are what they are."""
    return f"'{value}" if isinstance(value, str) and value.lstrip().startswith(FORMULA) else value


async def uploaded(request: Request) -> tuple[UploadFile, str]:
    """The file of an upload, and its name."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise Refused("a table comes as a form with a file (multipart/form-data); send it so")
    form = await request.form(max_files=1, max_fields=2)
    file = form.get("file")
    if not isinstance(file, UploadFile):
        raise Refused("no file came, or only a part of it; send it again")
    return file, file.filename or "table"


def _here(request: Request) -> tuple[Reception, Session]:
    return request.app.state.reception, request.state.session


def _table(reception: Reception, session: Session, asked: Any) -> dict[str, Any]:
    """What the page shows of the table and the question that are named; of none, which tables there are."""
    sessions, key, question = reception.sessions, asked.get("table", ""), asked.get("question", "").strip()
    values: dict[str, Any] = {
        "mine": list(session.tables.values()),
        "offered": list(sessions.examples.values()),
        "config": reception.config,
        "asked": [old for old in session.asked if old.table == key],
    }
    if not key:
        return values
    if question:
        values["answer"] = reception.ask(session, key, question)
    values |= _rows(reception, session, asked)
    opened = sessions.open(values["table"])
    values["suggested"] = examples.questions(reception.model, opened)
    values["asked"] = [old for old in session.asked if old.table == key]
    return values


def _rows(reception: Reception, session: Session, asked: Any) -> dict[str, Any]:
    """Rows of the table that is named; of a question, as a step of its program sees them."""
    key, question = asked.get("table", ""), asked.get("question", "").strip()
    stored: Stored = reception.sessions.table(session, key)
    step, start, only = whole(asked, "step"), whole(asked, "start"), asked.get("only", "") == "yes"
    program = None
    if question:
        known = session.recall(key, question)
        if known is None:
            reception.ask(session, key, question)
            known = session.recall(key, question)
        if known is not None and known.runs:
            program = known.decision.program
            step = step or len(program.steps)
    with reception.sessions.open(stored).aside(reception.config.seconds) as opened:
        return {
            "table": stored,
            "question": question,
            "sheet": tables.sheet(opened, program, step, start, only),
            "rows_in_all": opened.source.rows,
        }


def whole(asked: Any, name: str) -> int | None:
    """A whole number of the address, if it is there."""
    text = asked.get(name, "")
    if not text:
        return None
    if not text.isdecimal() or len(text) > 12:
        raise Refused(f"{name} is a whole number, not {text[:20]!r}")
    return int(text)


ROUTES = [
    Route("/", index),
    Route("/ask", ask),
    Route("/rows", rows),
    Route("/answer.csv", download),
    Route("/answer.json", download),
    Route("/tables", upload, methods=["POST"]),
    Route("/remove", remove, methods=["POST"]),
    Route("/enter", enter, methods=["POST"]),
]
