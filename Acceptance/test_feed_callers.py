"""Every route of the feed × every kind of caller from whom something is hidden: it is answered as what never was, to the letter."""

import pytest

from api import new_id
from test_callers import DOCUMENT, METHODS
from test_feed import act, follow, posted, read
from test_feed_scheduled import at, schedule

#: What the right caller would be answered well, so that a refusal is about who asks.
BODIES = {
    "PATCH /v1/posts/{postId}": {"baseVersion": 1, "content": "<p>other</p>"},
    "PATCH /v1/posts/scheduled/{scheduledId}": {"publishAt": at(days=2)},
    "POST /v1/posts/{postId}/comments": {"content": "<p>other</p>"},
    "POST /v1/posts/{postId}/interactions": {"type": "LIKED"},
    "POST /v1/posts/{postId}/comments/{commentId}/interactions": {"type": "LIKED"},
    "POST /v1/posts/{postId}/report": {"reason": "It is not true."},
}


def routes(name):
    return [f"{method.upper()} {path}" for path, item in DOCUMENT["paths"].items() if name in path
            for method in METHODS if method in item]


class Hidden:
    """Somebody who writes, and a caller from whom what they wrote is hidden by and by."""

    def __init__(self, server, new_account):
        self.server, self.author, self.caller, self.other = server, new_account(), new_account(), new_account()
        self.word = "secret" + new_id()[:8]

    def said(self, **more):
        """A post with a comment of its author."""
        post = posted(self.author, f"<p>{self.word}</p>", **more)
        body = {"requestId": new_id(), "content": f"<p>{self.word} comment</p>"}
        made = self.author.call("POST", f"/v1/posts/{post}/comments", json=body, expect=201).json()
        return {"postId": post, "commentId": made["commentId"]}

    def to_followers(self):
        return self.said(audience={"kind": "followers"})

    def to_followers_by_then(self):
        """The caller followed, liked it and said something there, and follows no more."""
        follow(self.caller, self.author)
        said = self.said(audience={"kind": "followers"})
        act(self.caller, said["postId"], "LIKED")
        self.caller.call("POST", f"/v1/posts/{said['postId']}/comments", json={"requestId": new_id(), "content": "mine"}, expect=201)
        follow(self.caller, self.author, "DELETE")
        return said

    def to_others(self):
        return self.said(audience={"kind": "people", "people": [self.other.user["id"]]})

    def narrowed(self):
        said = self.said()
        act(self.caller, said["postId"], "SHARED")
        body = {"requestId": new_id(), "baseVersion": 1, "audience": {"kind": "followers"}}
        self.author.call("PATCH", f"/v1/posts/{said['postId']}", json=body, expect=200)
        return said

    def deleted(self):
        said = self.said()
        self.author.call("DELETE", f"/v1/posts/{said['postId']}", expect=204)
        return said

    def of_one_who_blocks(self):
        said = self.said()
        self.author.call("PUT", f"/v1/users/{self.caller.user['id']}/block", expect=204)
        return said

    def of_one_who_is_blocked(self):
        said = self.said()
        self.caller.call("PUT", f"/v1/users/{self.author.user['id']}/block", expect=204)
        return said

    def of_one_who_is_disabled(self):
        said = self.said()
        assert self.server.admin("user", "disable", self.author.user["email"]).returncode == 0
        return said


HIDING = (Hidden.to_followers, Hidden.to_followers_by_then, Hidden.to_others, Hidden.narrowed, Hidden.deleted, Hidden.of_one_who_blocks,
          Hidden.of_one_who_is_blocked, Hidden.of_one_who_is_disabled)
NOWHERE = {"postId": 4_711, "commentId": 4_712, "scheduledId": 4_713, "userId": 4_714}


@pytest.fixture
def hidden(shared_server, new_account):
    return Hidden(shared_server, new_account)


def asked(api, route, names):
    method, path = route.split(" ")
    body = {"json": {"requestId": new_id(), **BODIES[route]}} if route in BODIES else {}
    return api.call(method, path.format(**names), **body)


def assert_alike(api, route, names):
    """Where it is, and where nothing ever was."""
    theirs, made_up = asked(api, route, names), asked(api, route, {**NOWHERE})
    assert theirs.status_code == made_up.status_code == 404, f"{route}: {theirs.status_code} {theirs.text}, {made_up.text}"
    assert theirs.text == made_up.text, route


@pytest.mark.parametrize("hide", HIDING, ids=[hide.__name__.replace("_", " ") for hide in HIDING])
def test_a_post_that_is_hidden_is_answered_as_none_on_every_route(hidden, hide):
    names = hide(hidden)
    for route in routes("{postId}"):
        assert_alike(hidden.caller, route, names)
    body = {"interactions": [{"requestId": new_id(), "postId": post, "type": "LIKED"} for post in (names["postId"], NOWHERE["postId"])]}
    answer = hidden.caller.call("POST", "/v1/interactions", json=body)
    assert answer.status_code == 200, answer.text
    one, other = answer.json()["outcomes"]
    assert one["problem"] == other["problem"] and one["problem"]["code"] == "not_found", answer.text
    held = [names["postId"], NOWHERE["postId"]]
    answer = hidden.caller.call("POST", "/v1/posts/check", json={"posts": [[post, 1] for post in held]}, expect=200)
    assert answer.json() == {"changed": [], "gone": held}, answer.text


@pytest.mark.parametrize("hide", HIDING, ids=[hide.__name__.replace("_", " ") for hide in HIDING])
def test_no_list_has_a_post_that_is_hidden(hidden, hide):
    post, word = hide(hidden)["postId"], hidden.word
    for path in ("/v1/feed", "/v1/feed/bookmarks", f"/v1/posts/search?q={word}", "/v1/notifications", "/v1/conversations", "/v1/posts/trash",
                 f"/v1/users/{hidden.author.user['id']}/posts", f"/v1/users/{hidden.caller.user['id']}/posts"):
        answer = hidden.caller.call("GET", path)
        assert answer.status_code in (200, 404) and str(post) not in answer.text and word not in answer.text, path


def test_what_somebody_has_scheduled_is_answered_as_none_to_others(hidden):
    address = schedule(hidden.author, at(days=1), content="<p>secret</p>")
    for route in routes("{scheduledId}"):
        assert_alike(hidden.caller, route, {"scheduledId": address.rsplit("/", 1)[1]})


@pytest.mark.parametrize("hide", [Hidden.of_one_who_blocks, Hidden.of_one_who_is_disabled],
                         ids=["of one who blocks", "of one who is disabled"])
def test_somebody_who_is_hidden_is_answered_as_nobody_on_every_route(hidden, hide):
    hide(hidden)
    for route in routes("{userId}"):
        # Whoever has blocked somebody can end it whatever became of them.
        if not route.startswith("DELETE") or not route.endswith("/block"):
            assert_alike(hidden.caller, route, {"userId": hidden.author.user["id"]})


def test_who_wrote_a_post_is_answered_on_every_route(hidden):
    """The same requests, of somebody who may: what refuses the others does not refuse everybody."""
    for route in routes("{postId}"):
        names = hidden.said()
        if route.endswith("/restore"):
            hidden.author.call("DELETE", f"/v1/posts/{names['postId']}", expect=204)
        answer = asked(hidden.author, route, names)
        assert answer.status_code < 300 or answer.status_code in (400, 403, 422) and route.endswith("/report"), f"{route}: {answer.text}"
    assert read(hidden.author, hidden.said()["postId"])["content"] == f"<p>{hidden.word}</p>"
