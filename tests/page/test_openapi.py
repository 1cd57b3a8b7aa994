"""The OpenAPI document and the server are the same: what it describes is taken, what it excludes is refused, and what
comes is as it says."""

import json

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    positive_data_acceptance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from neural_programmer.page import learning, openapi, thought, training
from neural_programmer.page.openapi import document
from neural_programmer.questions.link import LONGEST_QUESTION
from page.conftest import BASE, QUESTIONS, SALES

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    positive_data_acceptance,
    negative_data_rejection,
]
PATHS = {**openapi.PATHS, **thought.PATHS, **learning.PATHS}
OPERATIONS = [
    (path, method, mode)
    for path, entry in PATHS.items()
    for method in ("get", "post", "delete")
    for mode in GenerationMode
    if method in entry and (mode == GenerationMode.POSITIVE or {"parameters", "requestBody"} & {*entry, *entry[method]})
]
ACCEPTED = ["2xx", "404", "409", "422"]  # of what the document describes: nothing is at fault in the request itself
LIMITED = settings(
    max_examples=15,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


class Untrained(training.Lesson):
    """A training that ends at once."""

    def __init__(self, task, objective, restarts, steps):
        self.objective, self.steps, self.reports, self.stopped, self.error = objective, steps, [], False, ""

    @property
    def state(self):
        return "done"


@pytest.fixture
def operation_of(client, upload, monkeypatch):
    """An operation as schemathesis asks it, with tables that are there and questions that are answered."""
    monkeypatch.setattr(training, "Lesson", Untrained)
    tables = {"enum": [upload(client), "example-1", "nothing"]}
    written = client.get("/api/openapi.json").json()

    def operation(path, method):
        entry = written["paths"][path]
        for parameter in entry.get("parameters", []):
            parameter["schema"] = tables
        asked = entry[method].get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        if "question" in (properties := asked.get("properties", {})):
            questions = {"anyOf": [{"enum": list(QUESTIONS)}, properties["question"]]}
            properties |= {"table": tables, "question": questions}
        schema = schemathesis.openapi.from_dict(written)
        schema.config.checks.positive_data_acceptance.expected_statuses = ACCEPTED
        return schema[path][method]

    return operation


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("path", "method", "mode"), OPERATIONS)
def test_the_document_is_kept_to(client, operation_of, path, method, mode):
    """schemathesis asks for what the document allows, and for what it does not."""
    statuses = set()

    @settings(LIMITED)
    @given(case=operation_of(path, method).as_strategy(generation_mode=mode))
    def asked(case):
        cookies = dict(client.cookies)
        answer = case.call_and_validate(base_url=BASE, app=client.app, cookies=cookies, checks=CHECKS)
        statuses.add(answer.status_code)

    asked()
    assert mode == GenerationMode.NEGATIVE or statuses & {200, 201, 204}


@pytest.mark.parametrize("place", [openapi.FIRST_ROW, openapi.ROW_COUNT], ids=lambda place: place["name"])
def test_numbers_are_taken_up_to_their_bounds(client, place):
    """Rows up to 999,999,999,999 were given, and 100,000,000,000 documented."""
    least, most = place["schema"]["minimum"], place["schema"]["maximum"]
    status = {
        number: client.get("/api/tables/example-1/rows", params={place["name"]: number}).status_code
        for number in (least - 1, least, most, most + 1)
    }
    assert status == {least - 1: 400, least: 200, most: 200, most + 1: 400}
    none = client.get("/api/tables/example-1/rows", params={place["name"]: ""})
    assert (none.status_code, none.json()["error"].rpartition(", and ")[2]) == (400, "nothing came")


def test_what_is_described_is_never_at_fault_in_itself(client, upload):
    """However long the question, and however its letters are written."""
    for question in ("\U0001f600" * LONGEST_QUESTION, "how many rows " + "x" * (LONGEST_QUESTION - 14), "7"):
        asked = {"table": "example-1", "question": question}
        assert client.post("/api/ask", content=json.dumps(asked)).status_code in (200, 422)
    longer = {"table": "example-1", "question": "x" * (LONGEST_QUESTION + 1)}
    assert client.post("/api/ask", json=longer).status_code == 400
    for whole in (0, 0.0):
        asked = {"table": "example-1", "question": "how many rows over 7", "forced": [{"argument": whole}]}
        assert client.post("/api/trace", json=asked).status_code == 200
    assert client.post("/api/tables", files={"file": ("a.csv", "a,b\n1\n")}).status_code == 422
    assert client.post("/api/tables", files={"file": ("a.csv", SALES)}, data={"more": "x"}).status_code == 400
    assert client.post("/api/tables", content=SALES).status_code == 415


def undescribed(value, schema, place=""):
    """The places of what came that a schema does not describe."""
    if isinstance(value, dict) and "properties" in schema:
        known = schema["properties"]
        yield from (f"{place}.{key}" for key in value.keys() - known.keys())
        for key in value.keys() & known.keys():
            yield from undescribed(value[key], known[key], f"{place}.{key}")
    elif isinstance(value, dict):
        yield from () if "additionalProperties" in schema else (place,)
    elif isinstance(value, list):
        for each in value:
            yield from undescribed(each, schema.get("items", {}), f"{place}[]")


def test_all_that_comes_is_described(client, monkeypatch):
    """Of a trace, `weighed` was not, nor the steps and cells of an answer."""
    monkeypatch.setattr(training, "Lesson", Untrained)
    asked = {"table": "example-1", "question": QUESTIONS[0]}
    for path, method, json_ in (
        ("/api/tables", "get", None),
        ("/api/tables/{table}", "get", None),
        ("/api/tables/{table}/rows", "get", None),
        ("/api/ask", "post", asked),
        ("/api/trace", "post", asked),
        ("/api/training/start", "post", {}),
    ):
        came = client.request(method, path.replace("{table}", "example-1"), json=json_).json()
        described = PATHS[path][method]["responses"]["200"]["content"]["application/json"]["schema"]
        assert list(undescribed(came, described)) == []


def test_what_cannot_be_done_that_way_says_which_ways_there_are(client):
    for path in PATHS:
        known = {method.upper() for method in PATHS[path]} & {"GET", "POST", "DELETE"}
        refused = client.request("TRACE", path)
        allowed = set(refused.headers["allow"].split(", "))
        assert (refused.status_code, allowed - {"HEAD"}) == (405, known)


def test_every_refusal_is_one_of_the_documented_ones():
    described = document(thought.PATHS, learning.PATHS)
    for path, entry in described["paths"].items():
        for method in entry.keys() & {"get", "post", "delete"}:
            for status, answer in entry[method]["responses"].items():
                assert int(status) < 300 or answer["$ref"] == f"#/components/responses/{status}", path
                assert int(status) < 300 or status in described["components"]["responses"]
