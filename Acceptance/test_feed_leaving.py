"""Whoever leaves takes along what she said, and what others said to her stays in order."""

import pytest

from api import new_id, problem
from device import PASSWORD
from documented import assert_documented
from server import Server


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("house") / "data").start()
    yield server
    server.stop()


@pytest.fixture
def join(house, new_account):
    return lambda name: new_account(house, f"{name}.{new_id()}@example.org")


def post(api, text="kind"):
    place = api.call("POST", "/v1/posts", json={"requestId": new_id(), "content": f"<p>{text}</p>"}, expect=201).headers["location"]
    return int(place.rsplit("/", 1)[1])


def comment(api, place, parent=None):
    body = {"requestId": new_id(), "content": "<p>so</p>", **({"parentCommentId": parent} if parent else {})}
    return api.call("POST", f"/v1/posts/{place}/comments", json=body, expect=201).json()["commentId"]


def interact(api, place, kind):
    api.call("POST", f"/v1/posts/{place}/interactions", json={"requestId": new_id(), "type": kind}, expect=201)


def leave(api, password=PASSWORD):
    answer = api.call("DELETE", "/v1/account", json={"password": password})
    assert_documented(answer, "DELETE", "/v1/account")
    return answer


def test_whoever_leaves_is_gone_with_all_she_said(house, join):
    ann, ben = join("ann"), join("ben")
    place, own = post(ben), post(ann)
    ben.call("PUT", f"/v1/users/{ann.user['id']}/follow", expect=204)
    ann.call("PUT", f"/v1/users/{ben.user['id']}/follow", expect=204)
    ann.put_small("a.txt", b"hers")
    answered, alone = comment(ann, place), comment(ann, place)
    reply = comment(ben, place, answered)
    for kind in ("LIKED", "SHARED"):
        interact(ann, place, kind)
    problem(leave(ann, "wrong password"), 401, "wrong_credentials")
    assert ann.call("GET", f"/v1/posts/{own}", expect=200), "nothing happened"
    assert leave(ann).status_code == 204
    assert ann.call("GET", "/v1/about").status_code == 401
    answer = ann.call("POST", "/v1/auth/login", token="", json={
        "email": ann.user["email"], "password": PASSWORD, "device": {"name": "x", "platform": "linux"}})
    problem(answer, 401, "wrong_credentials")
    problem(ben.call("GET", f"/v1/posts/{own}"), 404, "not_found")
    problem(ben.call("GET", f"/v1/users/{ann.user['id']}"), 404, "not_found")
    whole = ben.call("GET", f"/v1/posts/{place}", expect=200).json()["post"]
    assert (whole["likeCount"], whole["shareCount"], whole["commentCount"]) == (0, 0, 1)
    [left] = ben.call("GET", f"/v1/posts/{place}/comments", expect=200).json()["comments"]
    assert (left["commentId"], left["parentLeft"], left["parentDeleted"]) == (reply, True, True)
    assert [entry["postId"] for entry in ben.call("GET", "/v1/feed", expect=200).json()["feed"]] == [place]
    assert alone not in (left["commentId"], left.get("parentCommentId"))
    again = house and join("ann")
    assert again.user["id"] != ann.user["id"]


def test_all_that_somebody_said_is_hers_to_take_along(join):
    ann, ben = join("ann"), join("ben")
    ann.call("PUT", f"/v1/users/{ben.user['id']}/follow", expect=204)
    places = [post(ann, str(number)) for number in range(3)]
    said = comment(ann, places[0])
    interact(ann, places[1], "LIKED")
    interact(ann, places[1], "REMOVED_LIKE")
    theirs = post(ben)
    interact(ann, theirs, "BOOKMARKED")
    answer = ann.call("GET", "/v1/account/export", expect=200)
    assert_documented(answer, "GET", "/v1/account/export")
    assert "attachment" in answer.headers["content-disposition"]
    whole = answer.json()
    assert whole["email"] == ann.user["email"] and whole["profile"]["isYou"]
    assert [one["postId"] for one in whole["posts"]] == places and whole["posts"][2]["content"] == "<p>2</p>"
    assert [(one["commentId"], one["postId"]) for one in whole["comments"]] == [(said, places[0])]
    assert whole["interactions"] == [{"postId": theirs, "liked": False, "shared": False, "bookmarked": True}]
    assert [one["id"] for one in whole["following"]] == [ben.user["id"]] and whole["followers"] == []
    assert "example.org" not in str({**whole, "email": ""}), "nobody else's email"
