"""A page of posts or comments, or a post, that a client has already is not sent again: `ETag` and 304."""

import pytest

from api import Api, new_id
from clocks import JumpingClock
from documented import assert_documented
from server import Server
from test_feed import act, attached, fetched, follow, posted, uploaded


def asked(api, path, tag=None):
    answer = api.call("GET", path, headers={"If-None-Match": tag} if tag else {})
    assert answer.status_code in (200, 304), answer.text
    assert answer.headers["cache-control"] == "private, no-cache"
    assert answer.status_code == 200 or answer.content == b""
    return answer


def is_same(api, path, tag):
    return asked(api, path, tag).status_code == 304


def comment(api, post):
    body = {"requestId": new_id(), "content": "<p>so</p>"}
    return api.call("POST", f"/v1/posts/{post}/comments", json=body, expect=201).json()["commentId"]


LISTS = ("/v1/feed", "/v1/feed/bookmarks", "/v1/users/{author}/posts", "/v1/posts/{post}", "/v1/posts/{post}/comments")
ROUTES = {"/v1/users/{author}/posts": "/v1/users/{userId}/posts", "/v1/posts/{post}": "/v1/posts/{postId}",
          "/v1/posts/{post}/comments": "/v1/posts/{postId}/comments"}


@pytest.mark.parametrize("route", LISTS)
def test_an_answer_that_is_held_already_comes_without_a_body(new_account, route):
    author, reader = new_account(), new_account()
    follow(reader, author)
    post = posted(author)
    comment(author, post)
    act(reader, post, "BOOKMARKED")
    path = route.format(author=author.user["id"], post=post)
    first = asked(reader, path)
    assert first.status_code == 200 and asked(reader, path).headers["etag"] == first.headers["etag"]
    for held in (first.headers["etag"], f'"other", {first.headers["etag"]}', "*"):
        again = asked(reader, path, held)
        assert again.status_code == 304 and again.headers["etag"] == first.headers["etag"], held
        assert_documented(again, "GET", ROUTES.get(route, route))
    for other in ('"other"', 'W/"other"', "nonsense", ""):
        assert asked(reader, path, other).json() == first.json()


def test_the_tag_changes_with_all_that_is_shown_and_with_nothing_else(new_account):
    author, reader, other = new_account(), new_account(), new_account()
    follow(reader, author)
    post = posted(author)
    page, whole, comments = "/v1/feed", f"/v1/posts/{post}", f"/v1/posts/{post}/comments"

    def tags():
        return [asked(reader, path).headers["etag"] for path in (page, whole, comments)]

    def changed(do):
        before = tags()
        do()
        return [was != now for was, now in zip(before, tags())]
    assert changed(lambda: act(other, post, "LIKED")) == [True, True, False]
    assert changed(lambda: comment(other, post)) == [True, True, True]
    assert changed(lambda: author.call("PATCH", whole, expect=200, json={
        "requestId": new_id(), "baseVersion": 1, "content": "<p>new</p>"})) == [True, True, False]
    assert changed(lambda: posted(author)) == [True, False, False]
    assert changed(lambda: posted(other)) == [False, False, False], "of somebody who is not followed"
    assert changed(lambda: author.call("PATCH", "/v1/users/me", json={"name": "Someone"}, expect=200)) == [True, True, False]


def test_who_may_read_a_post_no_more_is_refused_whatever_they_hold(new_account):
    author, reader = new_account(), new_account()
    follow(reader, author)
    post = posted(author, audience={"kind": "followers"})
    held = {path: asked(reader, path).headers["etag"] for path in (f"/v1/posts/{post}", f"/v1/posts/{post}/comments")}
    follow(reader, author, "DELETE")
    for path, tag in held.items():
        assert reader.call("GET", path, headers={"If-None-Match": tag}).status_code == 404
        assert reader.call("GET", path, headers={"If-None-Match": "*"}).status_code == 404


@pytest.fixture
def timed(tmp_path):
    clock = JumpingClock(tmp_path)
    server = Server(tmp_path / "data", environment=clock.environment).start()
    yield server, clock
    server.kill()
    clock.close()


def test_nobody_is_left_with_addresses_that_end(timed):
    """A picture is fetched by an address that is good for an hour; what is held as «the same still» has one that is."""
    server, clock = timed
    api = Api(server.url).register(f"{new_id()}@example.org")
    post = posted(api, attachments=[attached(uploaded(api))])
    held = {}
    for minute in range(0, 100, 4):
        clock.jump(minute * 60)
        api = Api(server.url).login(api.user["email"]) if minute % 12 == 0 else api
        for path in ("/v1/feed", f"/v1/posts/{post}"):
            answer = asked(api, path, held.get(path, (None,))[0])
            if answer.status_code == 200:
                held[path] = (answer.headers["etag"], answer.json())
        clock.jump((minute + 50) * 60)
        whole = held[f"/v1/posts/{post}"][1]["post"]["attachments"][0]["contentUrl"]
        preview = held["/v1/feed"][1]["feed"][0]["attachmentPreviewImageUrl"]
        for address in (whole, preview):
            fetched(api, address)
        clock.jump(minute * 60)
    api.close()
