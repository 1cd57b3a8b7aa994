"""Describe JSON once: the API's document shows the descriptions, and requests are checked by them."""

import json
import math
from collections.abc import Collection
from typing import Any

from neural_programmer.page.refusals import Refused

Schema = dict[str, Any]
TEXT, TRUTH, NUMBER = {"type": "string"}, {"type": "boolean"}, {"type": "number"}
KINDS: dict[str, tuple[type, str]] = {  # of JSON, in Python and in words
    "string": (str, "a text"),
    "integer": (int, "a whole number"),
    "boolean": (bool, "true or false"),
    "null": (type(None), "null"),
    "array": (list, "a list"),
    "object": (dict, "an object"),
}
SHOWN_LETTERS = 40  # letters of what is refused


def text(least: int, most: int) -> Schema:
    """Return the schema of a text of so many characters."""
    return {"type": "string", "minLength": least, "maxLength": most}


def integer(least: int = 0, most: int | None = None, **more: Any) -> Schema:
    """Return the schema of a whole number between these."""
    return {"type": "integer", "minimum": least, **({} if most is None else {"maximum": most}), **more}


def among(values: Collection[str]) -> Schema:
    """Return the schema of one of some texts."""
    return {"type": "string", "enum": list(values)}


def or_null(schema: Schema) -> Schema:
    """Return the same schema, or null."""
    return {**schema, "type": [schema["type"], "null"]}


def listed(items: Schema, most: int | None = None) -> Schema:
    """Return the schema of a list of such."""
    return {"type": "array", "items": items, **({} if most is None else {"maxItems": most})}


def described(**properties: Schema) -> Schema:
    """Return the schema of an object that has all of these properties."""
    return {"type": "object", "required": list(properties), "properties": properties}


def some_of(**properties: Schema) -> Schema:
    """Return the schema of an object with some of these properties, and no others."""
    return {"type": "object", "properties": properties, "additionalProperties": False}


def check(given: Any, schema: Schema, name: str) -> None:
    """Refuse what a schema does not describe, in a sentence that calls it by its name."""
    if not _is_of(given, schema):
        raise Refused(f"{name} must be {in_words(schema)}, and {_shown(given)} came")
    if isinstance(given, list):
        for number, each in enumerate(given, 1):
            check(each, schema["items"], f"{name}, number {number},")
    if isinstance(given, dict):
        known, needed = schema["properties"], schema.get("required", ())
        wrong = [f"{key} is missing" for key in needed if key not in given]
        if "additionalProperties" in schema:
            wrong += [f"{_shown(key)} is there" for key in given if key not in known]
        if wrong:
            raise Refused(f"{name} must be {in_words(schema)}, and {wrong[0]}")
        for key, each in known.items():
            if key in given:
                check(given[key], each, key)


def _is_of(given: Any, schema: Schema) -> bool:
    """Return whether a value is of the kind and the size that a schema describes."""
    if type(given) not in [KINDS[kind][0] for kind in _kinds(schema)]:
        return False
    if isinstance(given, str):
        return schema.get("minLength", 0) <= len(given) <= schema.get("maxLength", math.inf) and (
            given in schema.get("enum", [given])
        )
    if isinstance(given, list):
        return len(given) <= schema.get("maxItems", math.inf)
    return type(given) is not int or schema.get("minimum", given) <= given <= schema.get("maximum", given)


def in_words(schema: Schema) -> str:
    """Return what a schema describes, as people say it."""
    kind, *others = _kinds(schema)
    words = KINDS[kind][1]
    if "enum" in schema:
        words = f"one of {', '.join(schema['enum'])}"
    elif "maxLength" in schema:
        words += f" of {schema['minLength']:,} to {schema['maxLength']:,} characters"
    elif "maximum" in schema:
        words += f" from {schema['minimum']:,} to {schema['maximum']:,}"
    elif "minimum" in schema:
        words += f" from {schema['minimum']:,} on"
    elif "maxItems" in schema:
        words += f" with {schema['maxItems']:,} at most"
    elif "properties" in schema:
        words += f" with {(' and ' if 'required' in schema else ' or ').join(schema['properties'])}"
    return " or ".join([words, *(KINDS[other][1] for other in others)])


def _kinds(schema: Schema) -> list[str]:
    return [schema["type"]] if isinstance(schema["type"], str) else schema["type"]


def _shown(given: Any) -> str:
    """Return what came, in a few letters."""
    if isinstance(given, str) and len(given) > SHOWN_LETTERS:
        return f"one of {len(given):,} characters"
    shown = json.dumps(given, ensure_ascii=False)
    return shown if len(shown) <= SHOWN_LETTERS else f"{shown[:SHOWN_LETTERS]} …"
