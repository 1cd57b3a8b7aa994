"""The OpenAPI document of the API. Other parts of the page add theirs as `PATHS` of their own."""

from typing import Any

from neural_programmer import __version__

LEFT_OUT = "Left-Out"  # a header: how many tables of a file found no room
ROWS_AT_ONCE = 1_000  # that can be asked for
TEXT, WHOLE, TRUTH = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
NUMBERS = {"type": "array", "items": {"type": "number"}}


def content(schema: dict[str, Any], kind: str = "application/json") -> dict[str, Any]:
    return {"content": {kind: {"schema": schema}}}


def responses(schema: dict[str, Any] | None, status: int = 200, *refusals: int) -> dict[str, Any]:
    """What an operation answers: that, or one sentence that says why not."""
    sorry = {"description": "One sentence that says why not.", **content({"$ref": "#/components/schemas/Error"})}
    done = {"description": "Done.", **({} if schema is None else content(schema))}
    return {str(status): done, **{str(code): sorry for code in (400, 401, 403, 429, *refusals)}}


def parameter(name: str, place: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path", "schema": schema}


def described(**properties: Any) -> dict[str, Any]:
    """An object with these properties, all of them there."""
    return {"type": "object", "required": list(properties), "properties": properties}


TABLE = described(table=TEXT, name=TEXT, part=TEXT, bytes=WHOLE, example=TRUTH)
COLUMN = described(name=TEXT, kind={"enum": ["number", "text", "date", "boolean"]}, unit=TEXT)
TOLD = described(**TABLE["properties"], rows=WHOLE, columns={"type": "array", "items": COLUMN})
ROWS = described(start=WHOLE, total=WHOLE, rows={"type": "array", "items": {"type": "array"}})
ANSWER = described(
    question=TEXT,
    answer={"description": "A number, a list of values, a truth or a word for it, or null where there is no answer."},
    kind={"enum": ["scalar", "lookup", "truth", "none"]},
    reason=TEXT,
    unit=TEXT,
    program={"type": "array", "items": {"type": "object"}},
    sql=TEXT,
    cells={"type": "array", "items": {"type": "object"}},
    cells_in_all=WHOLE,
    truncated=TRUTH,
    confidence={"type": ["number", "null"]},
    partial=TRUTH,
    notes={"type": "array", "items": TEXT},
)
FILE = {"type": "object", "required": ["file"], "properties": {"file": {"type": "string", "format": "binary"}}}
OF_TABLE = parameter("table", "path", TEXT)
FIRST_ROW = parameter("start", "query", {"type": "integer", "minimum": 0, "maximum": 10**11})
ROW_COUNT = parameter("count", "query", {"type": "integer", "minimum": 1, "maximum": ROWS_AT_ONCE})

PATHS: dict[str, Any] = {
    "/api/tables": {
        "get": {
            "summary": "The tables that can be asked about",
            "responses": responses({"type": "array", "items": TABLE}),
        },
        "post": {
            "summary": f"Upload a file; its tables, and in the header {LEFT_OUT} how many found no room",
            "requestBody": {"required": True, **content(FILE, "multipart/form-data")},
            "responses": responses({"type": "array", "items": TABLE}, 201, 409, 413, 507),
        },
    },
    "/api/tables/{table}": {
        "parameters": [OF_TABLE],
        "get": {"summary": "Its columns, and how many rows it has", "responses": responses(TOLD, 200, 404)},
        "delete": {"summary": "Forget a table", "responses": responses(None, 204, 404)},
    },
    "/api/tables/{table}/rows": {
        "parameters": [OF_TABLE],
        "get": {
            "summary": "Some of its rows",
            "parameters": [FIRST_ROW, ROW_COUNT],
            "responses": responses(ROWS, 200, 404),
        },
    },
    "/api/ask": {
        "post": {
            "summary": "Answer a question about a table",
            "requestBody": {"required": True, **content(described(table=TEXT, question=TEXT))},
            "responses": responses(ANSWER, 200, 404, 413),
        },
    },
}


def document(*more: dict[str, Any]) -> dict[str, Any]:
    """All of it."""
    about = "Questions about tables, answered by programs. A cookie tells whose tables are meant: keep it."
    return {
        "openapi": "3.1.0",
        "info": {"title": "neural-programmer", "version": __version__, "description": about},
        "paths": {path: entry for part in (PATHS, *more) for path, entry in part.items()},
        "components": {
            "schemas": {"Error": described(error=TEXT)},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }
