"""Schemathesis over openapi.yaml: no undocumented 5xx, every answer as documented."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from api import Api, new_id
from documented import assert_documented
from server import Server

CHECKS = ("not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,"
          "response_schema_conformance,ignored_auth,unsupported_method,use_after_free")
# 503 and 507 are documented refusals (QUALITY.md): everything else from 500 on is a failure.
CONFIG = """
[checks.not_a_server_error]
expected-statuses = ["1xx", "2xx", "3xx", "4xx", 503, 507]
"""


def fuzz(server, tmp_path, examples, seed=1):
    api = Api(server.url).register(f"{new_id()}@example.org")
    (tmp_path / "schemathesis.toml").write_text(CONFIG)
    report = tmp_path / "report.xml"
    result = subprocess.run(
        [str(Path(sys.executable).parent / "schemathesis"), "--config-file", str(tmp_path / "schemathesis.toml"),
         "run", f"{server.url}/openapi.yaml", "--url", server.url, "--checks", CHECKS,
         "--phases", "examples,coverage,fuzzing", "--max-examples", str(examples), "--seed", str(seed),
         "--header", f"Authorization: Bearer {api.access}", "--request-timeout", "15", "--workers", "1",
         # One that signs the fuzzer out, and two that answer when something happens: their own tests are below.
         "--exclude-path", "/v1/auth/logout", "--exclude-path", "/v1/events", "--exclude-path", "/v1/changes/wait",
         "--no-color", "--report", "junit", "--report-junit-path", str(report)],
        capture_output=True, text=True, cwd=tmp_path, stdin=subprocess.DEVNULL)
    api.close()
    return result


def test_every_answer_is_as_documented(tmp_path):
    server = Server(tmp_path / "data").start()
    try:
        result = fuzz(server, tmp_path, examples=8)
        assert result.returncode == 0, result.stdout[-12000:] + result.stderr[-2000:]
    finally:
        server.kill()


@pytest.mark.long
def test_every_answer_is_as_documented_for_longer(tmp_path):
    server = Server(tmp_path / "data").start()
    try:
        for seed in range(2, 5):
            result = fuzz(server, tmp_path, 150, seed)
            assert result.returncode == 0, result.stdout[-12000:] + result.stderr[-2000:]
    finally:
        server.kill()


def test_the_served_document_is_the_repositorys(shared_server):
    import yaml

    from server import ROOT
    served = Api(shared_server.url).call("GET", "/openapi.yaml", expect=200)
    assert yaml.safe_load(served.text) == yaml.safe_load(
        (ROOT / "Sources/BothyServer/Resources/openapi.yaml").read_text())
    assert json.dumps(yaml.safe_load(served.text)["paths"])


def foreign_cursor(api):
    """A cursor that reads well, of a log that this server never had."""
    epoch, rest = cursor(api).removeprefix("c1.").split(".", 1)
    return f"c1.{int(epoch, 36) + 7}.{rest}"


def cursor(api):
    return api.call("GET", "/v1/changes/cursor", expect=200).json()["cursor"]


def answered(api, method, path, status, code=None, **options):
    response = api.call(method, path, **options)
    assert response.status_code == status, response.text
    assert_documented(response, method, path)
    if code:
        assert response.json()["code"] == code
    return response


def test_signing_out_is_answered_as_documented(new_account, shared_server):
    api = new_account()
    lost = Api(shared_server.url).login(api.user["email"])
    answered(lost, "POST", "/v1/auth/logout", 204)
    answered(lost, "POST", "/v1/auth/logout", 401, "device_signed_out")
    answered(lost, "POST", "/v1/auth/logout", 401, "token_invalid", token="no.such.token")
    answered(Api(shared_server.url), "POST", "/v1/auth/logout", 401, "sign_in_required")
    lost.close()


def test_waiting_for_changes_is_answered_as_documented(api, shared_server):
    path, before = "/v1/changes/wait", cursor(api)
    quiet = answered(api, "GET", path, 200, params={"cursor": before, "timeoutSeconds": 1})
    assert quiet.json()["changed"] is False
    api.folder("new")
    assert answered(api, "GET", path, 200, params={"cursor": before}).json()["changed"] is True
    for wrong in ({}, {"cursor": "nonsense"}, {"cursor": ""}, {"cursor": before, "timeoutSeconds": "soon"},
                  {"cursor": before, "timeoutSeconds": 0}, {"cursor": before, "timeoutSeconds": 301},
                  {"cursor": before, "timeoutSeconds": -1}, {"cursor": before, "timeoutSeconds": 10 ** 30}):
        refused = api.call("GET", path, params=wrong)
        assert refused.status_code in (400, 410), (wrong, refused.text)
        assert_documented(refused, "GET", path)
    answered(api, "GET", path, 410, "cursor_expired", params={"cursor": foreign_cursor(api)})
    answered(Api(shared_server.url), "GET", path, 401, "sign_in_required", params={"cursor": before})


def test_the_stream_of_events_is_answered_as_documented(api, shared_server):
    path, before = "/v1/events", cursor(api)
    api.folder("new")
    for given in ({"params": {"cursor": before}}, {"headers": {"Last-Event-ID": before}}):
        with api.http.stream("GET", path, params=given.get("params"), headers={
                "Authorization": f"Bearer {api.access}", **given.get("headers", {})}) as stream:
            assert_documented(stream, "GET", path, body=b"")
            lines = stream.iter_lines()
            event = dict(line.split(": ", 1) for line in until_an_event(lines))
            assert event["event"] == "changes" and event["id"] == json.loads(event["data"])["cursor"]
    answered(api, "GET", path, 410, "cursor_expired", headers={"Last-Event-ID": "nonsense"})
    answered(api, "GET", path, 410, "cursor_expired", headers={"Last-Event-ID": foreign_cursor(api)})
    answered(Api(shared_server.url), "GET", path, 401, "sign_in_required")


def until_an_event(lines):
    """The lines of the first event; comments and empty lines before it are passed over."""
    event = []
    for line in lines:
        if not line and event:
            return event
        if line and not line.startswith(":"):
            event.append(line)
    raise AssertionError("the stream ended")
