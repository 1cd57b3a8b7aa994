"""The OpenAPI document of the API. Other parts of the page add theirs as `PATHS` of their own."""

from typing import Any, get_args

from neural_programmer import __version__
from neural_programmer.page.schemas import NUMBER, TEXT, TRUTH, Schema, among, described, integer, listed, or_null, text
from neural_programmer.page.tables import MOST_ROWS
from neural_programmer.programs.answer import LISTED_CELLS, VERSION
from neural_programmer.programs.result import ResultKind
from neural_programmer.questions.link import LONGEST_QUESTION
from neural_programmer.tables.table import Kind

LEFT_OUT = "Left-Out"  # a header: how many tables of a file found no room
ROWS_AT_ONCE = 1_000  # that can be asked for
LAST_ROW = 10**11  # that can be asked for
KEY = 100  # characters of what a table is known by, at most
ERROR = described(error=TEXT)
REFUSALS = {
    400: "The request is not as this document says.",
    401: "The token is missing or wrong, or a visit has ended.",
    403: "Another site asked, or this server is not known by that name.",
    404: "There is no such table, or not any more.",
    408: "The request took too long to arrive.",
    409: "That needs something to be removed or stopped first.",
    413: "The request is larger than this server takes.",
    415: "A file comes as multipart/form-data.",
    422: "The request is as this document says, and cannot be done: a file is no table, a question has no word, ...",
    429: "Too much is being done for the same visitor already; wait until some of it is done.",
    500: "This failed, and it is not the request's fault.",
    501: "This server lacks packages for it.",
    503: "The server is being stopped, or has too much to do; try again later.",
    507: "The disk has no room for it.",
}
ALWAYS = 400, 401, 403, 408, 413, 429, 500, 503
OF_CONNECTIONS = 400, 408, 503  # also said where it is not known yet, or does not matter, what is asked


def content(schema: Schema, kind: str = "application/json") -> dict[str, Any]:
    return {"content": {kind: {"schema": schema}}}


def responses(schema: Schema | None, status: int = 200, *refusals: int, **headers: Schema) -> dict[str, Any]:
    """Return the answers of an operation: a good one, or one sentence that says why not."""
    done: dict[str, Any] = {"description": "Done.", **({} if schema is None else content(schema))}
    if headers:
        done["headers"] = {name: {"required": True, "schema": each} for name, each in headers.items()}
    codes = sorted({*ALWAYS, *refusals})
    return {str(status): done, **{str(code): {"$ref": f"#/components/responses/{code}"} for code in codes}}


def refused(code: int) -> dict[str, Any]:
    """Return the answer that is one sentence and says why not."""
    kinds = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    if code in OF_CONNECTIONS:
        kinds["text/plain"] = {"schema": TEXT}
    return {"description": REFUSALS[code], "content": kinds}


def parameter(name: str, place: str, schema: Schema) -> dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path", "schema": schema}


def sent(schema: Schema, kind: str = "application/json") -> dict[str, Any]:
    """Return the description of a request's body."""
    return {"required": True, **content(schema, kind)}


CELL = {"type": ["number", "string", "boolean", "null"]}
NUMBERS = listed(NUMBER)
TABLE = described(table=TEXT, name=TEXT, part=TEXT, bytes=integer(), example=TRUTH)
COLUMN = described(name=TEXT, kind=among(get_args(Kind)), unit=TEXT)
TOLD = described(**TABLE["properties"], rows=integer(), columns=listed(COLUMN))
ROWS = described(start=integer(), total=integer(), rows=listed(listed(CELL)))
STEP = described(
    operation=TEXT,
    column=or_null(TEXT),
    argument={"type": ["number", "string", "null"]},
    rows={**or_null(integer()), "description": "Selected after it; null where there are too many to count in time."},
    in_words=TEXT,
)
ANSWER = described(
    version={
        "type": "integer",
        "const": VERSION,
        "description": "Of what an answer is in JSON: another where a name goes or means something else.",
    },
    question=TEXT,
    answer={
        "type": [*CELL["type"], "array"],
        "items": {"type": [*CELL["type"], "array"], "items": CELL},
        "description": "A number, a list of values, a list of rows, a truth or a word for it, or null where there is no"
        " answer.",
    },
    columns={
        **listed(TEXT),
        "description": "Their names: of the values, or of each cell of a row; a number and a truth are called answer.",
    },
    kind=among(get_args(ResultKind)),
    reason=TEXT,
    unit=TEXT,
    units=listed({**TEXT, "description": "Of the columns of a table."}),
    said={**TEXT, "description": "What was computed, in a sentence, where it can be said in one."},
    program=listed(STEP),
    sql=TEXT,
    cells=listed(described(row=integer(), column=or_null(TEXT)), LISTED_CELLS),
    cells_in_all=integer(),
    truncated=TRUTH,
    confidence=or_null(NUMBER),
    partial=TRUTH,
    notes=listed(TEXT),
    chart={
        "type": ["object", "null"],
        "description": "Its picture as a Vega-Lite specification with the data inside, or null where it has none.",
    },
)
ASKED = described(table=text(1, KEY), question=text(1, LONGEST_QUESTION))
FILE = {**described(file={"type": "string", "format": "binary"}), "additionalProperties": False}
OF_TABLE = parameter("table", "path", text(1, KEY))
FIRST_ROW = parameter("start", "query", integer(0, LAST_ROW, default=0))
ROW_COUNT = parameter("count", "query", integer(1, ROWS_AT_ONCE, default=MOST_ROWS))

PATHS: dict[str, Any] = {
    "/api/tables": {
        "get": {"summary": "The tables that can be asked about", "responses": responses(listed(TABLE))},
        "post": {
            "summary": f"Upload a file; its tables, and in the header {LEFT_OUT} how many found no room",
            "requestBody": sent(FILE, "multipart/form-data"),
            "responses": responses(listed(TABLE), 201, 409, 415, 422, 507, **{LEFT_OUT: integer()}),
        },
    },
    "/api/tables/{table}": {
        "parameters": [OF_TABLE],
        "get": {"summary": "Its columns, and how many rows it has", "responses": responses(TOLD, 200, 404, 422, 507)},
        "delete": {"summary": "Forget a table", "responses": responses(None, 204, 404)},
    },
    "/api/tables/{table}/rows": {
        "parameters": [OF_TABLE],
        "get": {
            "summary": "Some of its rows",
            "parameters": [FIRST_ROW, ROW_COUNT],
            "responses": responses(ROWS, 200, 404, 422, 507),
        },
    },
    "/api/ask": {
        "post": {
            "summary": "Answer a question about a table",
            "requestBody": sent(ASKED),
            "responses": responses(ANSWER, 200, 404, 422, 507),
        },
    },
}


def document(*more: dict[str, Any]) -> dict[str, Any]:
    """Return the whole document."""
    about = "Questions about tables, answered by programs. A cookie tells whose tables are meant: keep it."
    return {
        "openapi": "3.1.0",
        "info": {"title": "neural-programmer", "version": __version__, "description": about},
        "paths": {path: entry for part in (PATHS, *more) for path, entry in part.items()},
        "components": {
            "schemas": {"Error": ERROR},
            "responses": {str(code): refused(code) for code in REFUSALS},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }
