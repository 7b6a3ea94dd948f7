"""Holds an answer against openapi.yaml: its status, its media type, its headers and its body are documented there."""

import functools

import jsonschema_rs
import yaml

from api import problem
from server import ROOT

DOCUMENT = yaml.load((ROOT / "Sources/BothyServer/Resources/openapi.yaml").read_text(), yaml.CSafeLoader)

CODES = DOCUMENT["components"]["schemas"]["ProblemCode"]["enum"]


def refused(response, *statuses):
    """One of these refusals: a problem with one of the document's codes, and words for a person."""
    assert response.status_code in statuses, f"{response.status_code} instead of {statuses}: {response.text[:1000]}"
    return problem(response, response.status_code, CODES)


def resolved(node):
    while "$ref" in node:
        target = DOCUMENT
        for name in node["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        node = target
    return node


def assert_documented(response, method, path, body=None):
    """`path` as the document spells it; `body` where it was streamed."""
    answers = DOCUMENT["paths"][path][method.lower()]["responses"]
    status = str(response.status_code)
    assert status in answers, f"{method} {path} answers {status}, which is not documented"
    answer = resolved(answers[status])
    for name, header in answer.get("headers", {}).items():
        assert not resolved(header).get("required") or name in response.headers, f"{status} lacks {name}"
    documented = answer.get("content", {})
    if not documented:
        assert not (response.content if body is None else body), f"{status} has no body in the document"
        return
    media = response.headers["content-type"].split(";")[0]
    assert media in documented, f"{status} is {media}; the document knows {list(documented)}"
    if media.endswith("json"):
        validator(method.lower(), path, status, media).validate(response.json())


@functools.cache
def validator(method, path, status, media):
    schema = resolved(DOCUMENT["paths"][path][method]["responses"][status])["content"][media]["schema"]
    return jsonschema_rs.Draft202012Validator({**schema, "components": DOCUMENT["components"]})
