"""Likes, shares and comments are counted exactly, whoever comes and goes, and whatever comes twice."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from api import new_id, problem
from test_feed import act, follow, house, ids, page, posted, read, try_post  # noqa: F401 (a fixture)


def counts(api, post):
    seen = read(api, post)
    return seen["likeCount"], seen["shareCount"], seen["commentCount"]


def comment(api, post, text="a", **more):
    return api.call("POST", f"/v1/posts/{post}/comments", json={"requestId": new_id(), "content": text, **more}, expect=201).json()


def test_an_interaction_answers_with_what_became_of_the_post(new_account):
    author, reader = new_account(), new_account()
    post = posted(author)
    state = {"postId": post, "version": 1, **dict.fromkeys(("liked", "bookmarked", "shared"), False),
             **dict.fromkeys(("likeCount", "shareCount", "commentCount"), 0)}
    for kind, change in (
            ("LIKED", {"liked": True, "likeCount": 1}), ("SHARED", {"shared": True, "shareCount": 1}),
            ("BOOKMARKED", {"bookmarked": True}), ("REMOVED_LIKE", {"liked": False, "likeCount": 0}),
            ("REMOVED_SHARE", {"shared": False, "shareCount": 0}), ("REMOVED_SHARE", {})):
        state |= change
        assert act(reader, post, kind) == state


def test_who_shares_no_more_takes_the_post_out_of_the_feeds_that_it_came_into_by_that(new_account):
    author, one, two, reader = [new_account() for _ in range(4)]
    for who in (one, two):
        follow(reader, who)
    post, own = posted(author), posted(one)
    for who in (one, two):
        act(who, post, "SHARED")
    act(two, own, "SHARED")
    assert sorted(ids(reader)) == [post, own]
    act(one, post, "REMOVED_SHARE")
    act(two, own, "REMOVED_SHARE")
    assert sorted(ids(reader)) == [post, own] and page(reader)["feed"][0]["sharedBy"]["id"] == two.user["id"]
    act(two, post, "REMOVED_SHARE")
    assert ids(reader) == ids(one) == [own]
    act(one, post, "SHARED")
    assert ids(reader) == [post, own], "once more"


def test_an_interaction_that_comes_late_undoes_nothing(new_account):
    author, reader = new_account(), new_account()
    post, key = posted(author), new_id()
    like = {"requestId": key, "type": "LIKED"}
    reader.call("POST", f"/v1/posts/{post}/interactions", json=like, expect=201)
    act(reader, post, "REMOVED_LIKE")
    reader.call("POST", f"/v1/posts/{post}/interactions", json=like, expect=201)
    assert counts(author, post) == (0, 0, 0)
    problem(reader.call("POST", f"/v1/posts/{post}/interactions", json={**like, "type": "SHARED"}), 422, "idempotency_mismatch")


def test_many_interactions_at_once_each_have_their_own_outcome(new_account):
    author, reader = new_account(), new_account()
    post, secret = posted(author), posted(author, audience={"kind": "followers"})
    many = [{"requestId": number + 1, "postId": each, "type": kind} for number, (each, kind) in enumerate((
        (post, "LIKED"), (secret, "LIKED"), (1, "LIKED"), (post, "BOOKMARKED"), (post, "REMOVED_LIKE")))]
    for _ in range(2):
        outcomes = reader.call("POST", "/v1/interactions", json={"interactions": many}, expect=200).json()["outcomes"]
        assert [each["requestId"] for each in outcomes] == ["1", "2", "3", "4", "5"]
        assert [each.get("problem", {}).get("code") for each in outcomes] == [None, "not_found", "not_found", None, None]
    assert outcomes[4]["state"]["bookmarked"] is True and counts(author, post) == (0, 0, 0)
    one = reader.call("POST", f"/v1/posts/{post}/interactions", json={"requestId": 1, "type": "LIKED"}, expect=201).json()
    assert one["likeCount"] == 1 and counts(author, post) == (0, 0, 0), "the same request, answered again"
    for wrong in ([], many[:1] * 101):
        problem(reader.call("POST", "/v1/interactions", json={"interactions": wrong}), 400, "invalid_parameter")


def test_people_who_like_at_once_are_each_counted(new_account):
    people = [new_account() for _ in range(6)]
    post = posted(people[0])
    with ThreadPoolExecutor(6) as pool:
        for kind in ("LIKED", "SHARED", "LIKED"):
            list(pool.map(lambda who: act(who, post, kind), people))
        list(pool.map(lambda who: comment(who, post), people))
    assert counts(people[1], post) == (6, 6, 6)


def test_counts_follow_who_is_disabled_enabled_and_deleted(house, server):  # noqa: F811
    anna, berta, clara = house
    post = posted(anna)
    for who in (berta, clara):
        act(who, post, "LIKED")
        act(who, post, "SHARED")
        comment(who, post)
    own = comment(anna, post)
    path = f"/v1/posts/{post}/comments/{own['commentId']}/interactions"
    assert berta.call("POST", path, json={"type": "LIKED"}, expect=201).json()["likeCount"] == 1

    def likes():
        found = anna.call("GET", f"/v1/posts/{post}/comments", expect=200).json()["comments"]
        return next(each["likeCount"] for each in found if each["commentId"] == own["commentId"])

    server.admin("user", "disable", berta.user["email"])
    assert counts(anna, post) == (1, 1, 2) and likes() == 0
    server.admin("user", "enable", berta.user["email"])
    assert counts(anna, post) == (2, 2, 3) and likes() == 1
    server.admin("user", "delete", berta.user["email"], "--yes")
    assert counts(anna, post) == (1, 1, 2) and likes() == 0


def test_a_comment_is_liked_once_by_each(new_account):
    author, reader = new_account(), new_account()
    post = posted(author)
    made = comment(author, post)
    assert (made["likeCount"], made["liked"]) == (0, False)
    path = f"/v1/posts/{post}/comments/{made['commentId']}/interactions"
    for who, kind, expected in ((reader, "LIKED", (1, True)), (reader, "LIKED", (1, True)), (author, "LIKED", (2, True)),
                                (reader, "REMOVED_LIKE", (1, False)), (reader, "REMOVED_LIKE", (1, False))):
        seen = who.call("POST", path, json={"type": kind}, expect=201).json()
        assert (seen["likeCount"], seen["liked"]) == expected
    problem(reader.call("POST", path, json={"type": "SHARED"}), 400, "invalid_parameter")
    problem(reader.call("POST", path.replace(str(made["commentId"]), "1"), json={"type": "LIKED"}), 404, "not_found")


def test_nobody_floods_the_feed(new_account):
    api = new_account()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: try_post(api).status_code, range(301)))
    assert answers.count(201) == 300
    refused = try_post(api)
    assert "300 posts per hour" in problem(refused, 429, "too_many_requests")["detail"]
    assert 3000 < int(refused.headers["retry-after"]) <= 3601


@pytest.fixture
def three(new_account):
    return [new_account() for _ in range(3)]


def test_conversations_are_listed_by_their_newest_post(three):
    anna, berta, clara = three

    def to(*people):
        return {"kind": "people", "people": [who.user["id"] for who in people]}

    def listed(api):
        found = api.call("GET", "/v1/conversations", expect=200).json()["conversations"]
        return [({each["id"] for each in one["people"]}, one["lastPostId"]) for one in found]

    assert listed(anna) == []
    first, both = posted(anna, audience=to(berta)), posted(anna, audience=to(berta, clara))
    everybody = {who.user["id"] for who in three}
    assert listed(anna) == [(everybody - {anna.user["id"]}, both), ({berta.user["id"]}, first)]
    assert listed(clara) == [(everybody - {clara.user["id"]}, both)]
    answer = posted(berta, audience=to(anna))
    assert listed(anna)[0] == ({berta.user["id"]}, answer) and ids(anna) == [answer, both, first]
    pair = read(anna, answer)["audience"]["conversationId"]
    path = f"/v1/conversations/{pair}/posts"
    assert ids(anna, path) == ids(berta, path) == [answer, first]
    problem(clara.call("GET", path), 404, "not_found")
    one = anna.call("GET", "/v1/conversations", params={"limit": 1}, expect=200).json()
    rest = anna.call("GET", "/v1/conversations", params={"limit": 1, "after": one["paging"]["next"]}, expect=200).json()
    assert [each["conversations"][0]["lastPostId"] for each in (one, rest)] == [answer, both] and "next" not in rest["paging"]
    anna.call("DELETE", f"/v1/posts/{both}", expect=204)
    assert listed(clara) == []
