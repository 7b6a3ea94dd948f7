"""In a household everybody follows everybody; whoever comes by an invite and whoever made it follow each other; a server may have no feed."""

import json

import pytest

from api import Api, new_id, problem
from documented import assert_documented
from server import Server


@pytest.fixture
def serving(tmp_path):
    running = []

    def serve(*flags, **environment):
        running.append(Server(tmp_path / "data", *flags, environment=environment).start())
        return running[-1]

    yield serve
    for server in running:
        if server.running():
            server.stop()


def post(api, text):
    api.call("POST", "/v1/posts", json={"requestId": new_id(), "content": f"<p>{text}</p>"}, expect=201)


def feed(api):
    return [entry["contentSummary"] for entry in api.call("GET", "/v1/feed", expect=200).json()["feed"]]


def followed(api):
    users = api.call("GET", "/v1/users", expect=200).json()["users"]
    return {one["name"]: (one["following"], one["followsYou"]) for one in users if not one["isYou"]}


def test_up_to_a_bound_everybody_follows_everybody(serving, new_account):
    server = serving(BOTHY_FEED_FOLLOW="2")
    ann = new_account(server, "ann@example.org")
    post(ann, "before")
    ben = new_account(server, "ben@example.org")
    assert followed(ben) == {"ann": (True, True)} and feed(ben) == ["<p>before</p>"]
    post(ben, "after")
    assert feed(ann) == ["<p>after</p>", "<p>before</p>"]
    cleo = new_account(server, "cleo@example.org")
    assert followed(cleo) == {"ann": (False, False), "ben": (False, False)}, "one more than the bound"


def test_by_default_a_household_sees_what_it_posts(serving, new_account):
    server = serving(BOTHY_FEED_FOLLOW="50")
    people = [new_account(server, f"{name}@example.org") for name in ("ann", "ben", "cleo")]
    ann = people[0]
    ann.call("DELETE", f"/v1/users/{people[1].user['id']}/follow", expect=204)
    server.restart()
    assert followed(ann) == {"ben": (False, True), "cleo": (True, True)}, "what one ends stays so"


def test_whoever_comes_by_an_invite_and_whoever_made_it_follow_each_other(serving):
    server = serving("--registration", "invite", BOTHY_FEED_FOLLOW="none")
    first = Api(server.url).register("ann@example.org", invite=json.loads(server.admin("user", "invite", "--json").stdout)["invite"])
    answer = first.call("POST", "/v1/invites", json={"note": "Ben"}, expect=201)
    assert_documented(answer, "POST", "/v1/invites")
    code = answer.json()["invite"]
    ben = Api(server.url).register("ben@example.org", invite=code)
    assert followed(ben) == {"ann": (True, True)}
    other = Api(server.url)
    refused = other.call("POST", "/v1/auth/register", json={
        "email": "cleo@example.org", "password": "correct horse", "displayName": "cleo", "invite": code,
        "device": {"name": "x", "platform": "linux"}})
    problem(refused, 403, "invite_required")
    for _ in range(20):
        first.call("POST", "/v1/invites", json={}, expect=201)
    problem(first.call("POST", "/v1/invites", json={}), 429, "too_many_requests")
    problem(first.call("POST", "/v1/invites", json={"note": "x" * 201}), 400, "invalid_parameter")
    for api in (first, ben, other):
        api.close()


def test_a_server_may_have_no_feed(serving, new_account, new_device):
    server = serving(BOTHY_FEED="off")
    ann = new_account(server, "ann@example.org")
    assert ann.call("GET", "/v1/about", expect=200).json()["settings"]["feed"] is False
    for method, path in (("GET", "/v1/feed"), ("GET", "/v1/users"), ("GET", "/v1/users/me"), ("GET", "/v1/posts/1"),
                         ("PUT", "/v1/users/1/follow"), ("POST", "/v1/posts")):
        answer = ann.call(method, path, **({"json": {"content": "<p>a</p>"}} if method == "POST" else {}))
        problem(answer, 403, "feed_off")
    device = new_device("laptop").login(server.url, "ann@example.org")
    said = device.run("feed", check=False)
    assert said.code and "The feed is turned off on this server." in said.text
    assert ann.names() == [], "files are another matter"


@pytest.mark.parametrize("words", [{"BOTHY_FEED": "maybe"}, {"BOTHY_FEED_FOLLOW": "1001"}, {"BOTHY_FEED_FOLLOW": "-1"}])
def test_what_cannot_be_set_is_refused(tmp_path, words):
    server = Server(tmp_path / "data", environment=words)
    with pytest.raises(AssertionError, match="cannot be"):
        server.start()
