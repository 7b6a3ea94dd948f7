"""Every route of openapi.yaml × every kind of caller: nobody, another account, a signed-out device, a wrong token, one that has
expired, and the right one. What is not the caller's own answers exactly as what does not exist."""

from datetime import datetime, timedelta, timezone

import pytest
import yaml

from api import FOLDER, Api, batch, new_id
from clocks import JumpingClock
from server import ROOT, Server

DOCUMENT = yaml.safe_load((ROOT / "Sources/BothyServer/Resources/openapi.yaml").read_text())
METHODS = ("get", "put", "post", "patch", "delete", "head")


def routes():
    for path, item in DOCUMENT["paths"].items():
        for method in METHODS:
            if method in item:
                yield method.upper(), path, item[method].get("security", DOCUMENT.get("security")) == []


PRIVATE = [(method, path) for method, path, is_open in routes() if not is_open]
#: What a server's people show each other; and drafts, whose numbers are each account's own (test_feed_drafts.py).
SHARED = ("/v1/posts/", "/v1/users/", "/v1/tags/", "/v1/drafts/")
OWNED = [(method, path) for method, path in PRIVATE
         if "{" in path and "{requestId}" not in path and not path.startswith(SHARED)]
ENDLESS = {"/v1/events", "/v1/changes/wait"}
NAMES = [f"{method} {path}" for method, path in PRIVATE]


class Owner:
    """An account with one of each thing that a route can name."""

    def __init__(self, url):
        self.api = Api(url).register(f"{new_id()}@example.org")
        self.second = Api(url).login(self.api.user["email"], name="second")
        self.file = self.api.put_small("secret-name.txt", b"secret content")
        self.upload = self.api.start_upload("secret-upload", 100)["uploadId"]
        self.folder = self.api.folder("secret-folder")["id"]
        self.other = Api(url).register(f"{new_id()}@example.org")
        self.names = {"fileId": self.file["id"], "revisionId": self.file["headRevisionId"], "uploadId": self.upload,
                      "index": "0", "deviceId": self.second.device["id"], "restoreId": self.plan(),
                      "userId": str(self.other.user["id"]), "postId": (post := self.post()), "commentId": self.comment(post),
                      "scheduledId": self.scheduled(), "conversationId": self.conversation(), "draftId": self.draft(), "tag": "walk",
                      "requestId": self.api.call("GET", f"/v1/files/{self.folder}", expect=200).json()["requestId"]}

    def post(self, **more):
        return self.api.call("POST", "/v1/posts", expect=201, json={
            "requestId": new_id(), "content": "<p>for all</p>", **more}).headers["Location"].rsplit("/", 1)[1]

    def scheduled(self):
        return self.post(publishAt=(datetime.now(timezone.utc) + timedelta(days=2)).strftime("%Y-%m-%dT%H:%M:%S.000Z"))

    def conversation(self):
        post = self.post(audience={"kind": "people", "people": [self.other.user["id"]]})
        return str(self.api.call("GET", f"/v1/posts/{post}", expect=200).json()["post"]["audience"]["conversationId"])

    def draft(self):
        self.api.call("PUT", "/v1/drafts/4711", json={"content": "<p>kept</p>"}, expect=201)
        return "4711"

    def comment(self, post):
        return str(self.api.call("POST", f"/v1/posts/{post}/comments", expect=201, json={
            "requestId": new_id(), "content": "<p>for all</p>"}).json()["commentId"])

    def plan(self):
        cursor = self.api.call("GET", "/v1/changes/cursor", expect=200).json()["cursor"]
        return self.api.call("POST", "/v1/restore", expect=200, json={
            "requestId": new_id(), "cursor": cursor, "dryRun": True}).json()["restoreId"]

    def secrets(self):
        return ["secret-name", "secret content", "secret-upload", "secret-folder", self.api.user["email"], self.file["checksum"]]


@pytest.fixture(scope="module")
def owner(shared_server):
    return Owner(shared_server.url)


@pytest.fixture(scope="module")
def stranger(shared_server):
    return Api(shared_server.url).register(f"{new_id()}@example.org")


def body_for(path, method):
    """A body that would be taken from the right caller, so that a refusal is about who asks."""
    if method in ("GET", "HEAD", "DELETE"):
        return {}
    if "/chunk" in path:
        return {"content": b"x" * 100, "headers": {
            "Content-Range": "bytes 0-99/100", "Content-Type": "application/octet-stream",
            "X-Chunk-Hash": "sha256=" + "0" * 64}}
    if path == "/v1/upload/batch":
        return {"content": batch([({"requestId": new_id(), "name": new_id()}, b"small")]),
                "headers": {"Content-Type": "application/octet-stream"}}
    bodies = {
        "/v1/auth/password": {"currentPassword": "wrong password", "newPassword": "another password"},
        "/v1/files": {"requestId": new_id(), "name": new_id(), "mimeType": "application/vnd.bothy.folder"},
        "/v1/files/{fileId}": {"requestId": new_id(), "starred": True},
        "/v1/files/{fileId}/copy": {"requestId": new_id(), "name": new_id(), "parentId": "root"},
        "/v1/files/{fileId}/revisions/{revisionId}/patch": {"wanted": [[0, 0]], "have": []},
        "/v1/restore": {"requestId": new_id(), "cursor": "c1.1.0.0", "dryRun": True},
        "/v1/upload": {"requestId": new_id(), "name": new_id(), "size": 10},
        "/v1/upload/{uploadId}/plan": {"from": 0, "blocks": []},
    }
    return {"json": bodies.get(path, {})}


def ask(api, method, path, names, **options):
    query = {"uploadType": "resumable"} if path == "/v1/upload" else {}
    query |= {"path": "/secret-name.txt"} if path.endswith("by-path") else {}
    query |= {"q": "secret"} if path.endswith("search") else {}
    query |= {"cursor": "c1.1.0.0", "timeoutSeconds": "1"} if path.endswith("wait") else {}
    given = body_for(path, method)
    headers = {"Idempotency-Key": new_id(), **given.pop("headers", {}), **options.pop("headers", {})}
    return api.call(method, path.format(**names), params=query, headers=headers, **given, **options)


def assert_nothing_leaks(response, owner):
    for secret in owner.secrets():
        assert secret not in response.text, f"{secret} leaked"


@pytest.mark.parametrize("method, path", PRIVATE, ids=NAMES)
def test_nobody_is_asked_to_sign_in(owner, shared_server, method, path):
    response = ask(Api(shared_server.url), method, path, owner.names)
    assert response.status_code == 401, response.text
    assert response.json()["code"] == "sign_in_required"
    assert_nothing_leaks(response, owner)


@pytest.mark.parametrize("method, path", PRIVATE, ids=NAMES)
def test_a_wrong_token_is_refused(owner, shared_server, method, path):
    response = ask(Api(shared_server.url), method, path, owner.names, token=owner.api.access[:-8] + "AAAAAAAA")
    assert response.status_code == 401 and response.json()["code"] == "token_invalid", response.text
    assert_nothing_leaks(response, owner)


@pytest.mark.parametrize("method, path", PRIVATE, ids=NAMES)
def test_a_signed_out_device_is_told_so(owner, shared_server, method, path, signed_out):
    response = ask(signed_out, method, path, owner.names)
    assert response.status_code == 401 and response.json()["code"] == "device_signed_out", response.text
    assert_nothing_leaks(response, owner)


@pytest.fixture(scope="module")
def signed_out(owner, shared_server):
    api = Api(shared_server.url).login(owner.api.user["email"], name="lost")
    api.call("POST", "/v1/auth/logout", expect=204)
    return api


@pytest.fixture(scope="module")
def an_hour_later(tmp_path_factory):
    """An owner whose token has expired: it was good for a quarter of an hour."""
    folder = tmp_path_factory.mktemp("expired")
    clock = JumpingClock(folder)
    server = Server(folder / "data", environment=clock.environment).start()
    owner = Owner(server.url)
    clock.jump(3600)
    yield owner
    server.kill()
    clock.close()


@pytest.mark.parametrize("method, path", PRIVATE, ids=NAMES)
def test_an_expired_token_is_told_from_a_wrong_one(an_hour_later, method, path):
    response = ask(an_hour_later.api, method, path, an_hour_later.names)
    assert response.status_code == 401 and response.json()["code"] == "token_expired", response.text
    assert_nothing_leaks(response, an_hour_later)


@pytest.mark.parametrize("method, path", OWNED, ids=[f"{m} {p}" for m, p in OWNED])
def test_another_account_sees_nothing_there(owner, stranger, method, path):
    """What is there and what never was are answered alike, to the letter."""
    nowhere = {**{key: new_id() for key in owner.names}, "index": "0", "conversationId": "4711"}
    theirs, made_up = ask(stranger, method, path, owner.names), ask(stranger, method, path, nowhere)
    assert theirs.status_code == made_up.status_code == 404, theirs.text
    assert theirs.json()["code"] == "not_found"
    assert without(theirs.text, owner.names) == without(made_up.text, nowhere)
    assert_nothing_leaks(theirs, owner)
    owner.api.call("GET", f"/v1/files/{owner.file['id']}", expect=200)
    owner.second.call("GET", "/v1/about", expect=200)


def test_another_account_learns_of_no_request_and_withdraws_none(owner, stranger):
    for method in ("GET", "DELETE"):
        theirs = stranger.call(method, f"/v1/requests/{owner.names['requestId']}", expect=200)
        assert theirs.json() == {"done": False}
    mine = owner.api.call("DELETE", f"/v1/requests/{owner.names['requestId']}", expect=200).json()
    assert mine["done"] and mine["file"]["id"] == owner.folder


def without(text, names):
    for key, name in names.items():
        if key != "index":
            text = text.replace(name, key)
    return text


def test_another_account_cannot_put_into_a_folder_that_is_not_its_own(owner, stranger):
    for response in (
            stranger.call("POST", "/v1/files", json={"requestId": new_id(), "name": "x", "parentId": owner.file["id"],
                                                    "mimeType": "application/vnd.bothy.folder"}),
            stranger.call("POST", "/v1/upload", params={"uploadType": "resumable"}, json={
                "requestId": new_id(), "name": "x", "size": 1, "parentId": owner.file["id"]}),
            stranger.call("POST", "/v1/upload", params={"uploadType": "resumable"}, json={
                "requestId": new_id(), "name": "x", "size": 1, "fileId": owner.file["id"]}),
            stranger.call("GET", "/v1/files", params={"parentId": owner.file["id"]})):
        assert response.status_code in (404, 409) and response.json()["code"] in ("not_found", "parent_gone")
        assert_nothing_leaks(response, owner)


def into(api, folder, **more):
    return {"requestId": new_id(), "name": new_id(), "parentId": folder, **more}


def finalized(api, **fields):
    upload = api.start_upload(new_id(), 1)["uploadId"]
    api.put_chunk(upload, 0, b"x", expect=308)
    return api.finalize(upload, **fields)


NAMED = {
    "a folder in it": lambda api, its: api.call("POST", "/v1/files", json=into(api, its, mimeType=FOLDER)),
    "a move into it": lambda api, its: api.call("PATCH", f"/v1/files/{api.own}", json={"requestId": new_id(), "parentId": its}),
    "a copy into it": lambda api, its: api.call("POST", f"/v1/files/{api.own}/copy", json=into(api, its)),
    "content into it": lambda api, its: api.call(
        "POST", "/v1/upload", content=b"x", headers={"Idempotency-Key": new_id()},
        params={"uploadType": "media", "name": new_id(), "parentId": its}),
    "an upload into it": lambda api, its: api.call(
        "POST", "/v1/upload", params={"uploadType": "resumable"}, json=into(api, its, size=1)),
    "an upload over it": lambda api, its: api.call(
        "POST", "/v1/upload", params={"uploadType": "resumable"}, json=into(api, "root", size=1, fileId=its)),
    "the end of an upload into it": lambda api, its: finalized(api, parentId=its),
    "a list of it": lambda api, its: api.call("GET", "/v1/files", params={"parentId": its}),
    "a restore of it": lambda api, its: api.call("POST", "/v1/restore", json={
        "requestId": new_id(), "cursor": api.cursor(), "fileId": its, "dryRun": True}),
}


@pytest.mark.parametrize("way", NAMED)
def test_what_another_account_has_is_nowhere_in_a_body_either(owner, stranger, way):
    stranger.own = stranger.put_small(new_id(), b"own")["id"]
    nowhere = new_id()
    theirs, made_up = NAMED[way](stranger, owner.folder), NAMED[way](stranger, nowhere)
    assert theirs.status_code == made_up.status_code and theirs.status_code in (404, 409), theirs.text
    assert theirs.text.replace(owner.folder, nowhere) == made_up.text
    assert_nothing_leaks(theirs, owner)
    assert owner.api.names(owner.folder) == []


def test_a_batch_into_another_accounts_folder_is_into_none(owner, stranger):
    items = [({"requestId": new_id(), "name": new_id(), "parentId": its}, b"x") for its in (owner.folder, new_id())]
    answer = stranger.call("POST", "/v1/upload/batch", content=batch(items), expect=200,
                           headers={"Content-Type": "application/octet-stream"})
    theirs, made_up = answer.json()["items"]
    assert theirs["status"] == made_up["status"] and theirs["problem"] == made_up["problem"], answer.text
    assert owner.api.names(owner.folder) == []


def test_the_right_caller_passes_everywhere_that_reads(owner):
    for method, path in PRIVATE:
        if method == "GET" and path not in ENDLESS:
            assert ask(owner.api, method, path, owner.names).status_code == 200, path


def test_the_right_caller_passes_everywhere_that_writes(shared_server):
    """What is asked may still be refused for what it says; who asks is not. What ends things comes last, and signing out at the end."""
    own = Owner(shared_server.url)
    writing = [(method, path) for method, path in PRIVATE if method not in ("GET", "HEAD")]
    last = ["DELETE /v1/files/{fileId}", "POST /v1/auth/logout"]
    order = {"PATCH": 0, "PUT": 1, "POST": 2, "DELETE": 3}
    # What lies in something is deleted before it.
    depth = {route: -route[1].count("/") if route[0] == "DELETE" else 0 for route in writing}
    # Two who are blocked find nothing of each other.
    writing.sort(key=lambda route: (" ".join(route) in last, "logout" in route[1], route[1].endswith("/block"), order[route[0]], depth[route], route[1]))
    answers = {f"{method} {path}": ask(own.api, method, path, own.names) for method, path in writing}
    refused = {route: answer.text for route, answer in answers.items()
               if answer.status_code in (401, 403, 404, 405) or answer.status_code >= 500}
    # The password is wrong, and nobody has asked to follow.
    assert set(refused) <= {"POST /v1/auth/password", "PUT /v1/users/{userId}/request", "DELETE /v1/users/{userId}/request"}, refused
    done = [route for route, answer in answers.items() if answer.status_code < 300]
    assert len(done) > len(answers) / 2, {route: answer.status_code for route, answer in answers.items()}


def test_an_unknown_address_and_method_are_problems(shared_server, owner):
    for method, path, status in (("GET", "/v1/nothing", 404), ("GET", "/nothing", 404), ("PUT", "/v1/files", 405),
                                 ("DELETE", "/v1/about", 405)):
        response = owner.api.call(method, path)
        assert response.status_code == status and response.headers["content-type"].startswith("application/problem+json")
