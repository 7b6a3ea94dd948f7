"""Followers that are let in one by one, and whom people mute, block and report."""

import json

import pytest

from api import new_id, problem
from documented import assert_documented
from server import Server
from test_feed import posted


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("house") / "data").start()
    yield server
    server.stop()


@pytest.fixture
def join(house, new_account):
    return lambda name: new_account(house, f"{name}.{new_id()}@example.org")


def act(api, method, who, what, status=204):
    answer = api.call(method, f"/v1/users/{who.user['id']}/{what}")
    assert answer.status_code == status, answer.text
    assert_documented(answer, method, f"/v1/users/{{userId}}/{what}")


def related(api, relation):
    answer = api.call("GET", "/v1/users", params={"relation": relation, "limit": 1000}, expect=200)
    assert_documented(answer, "GET", "/v1/users")
    return [one["id"] for one in answer.json()["users"]]


def seen(api, who):
    return api.call("GET", f"/v1/users/{who.user['id']}", expect=200).json()


def post(api, text="kind"):
    place = api.call("POST", "/v1/posts", json={"requestId": new_id(), "content": f"<p>{text}</p>"}, expect=201).headers["location"]
    return int(place.rsplit("/", 1)[1])


def feed(api):
    return [entry["postId"] for entry in api.call("GET", "/v1/feed", expect=200).json()["feed"]]


def comment(api, place, parent=None):
    body = {"requestId": new_id(), "content": "<p>so</p>", **({"parentCommentId": parent} if parent else {})}
    return api.call("POST", f"/v1/posts/{place}/comments", json=body, expect=201).json()["commentId"]


def test_followers_are_let_in_one_by_one_by_who_wants_that(join):
    ann, ben, cleo, dora = [join(name) for name in ("ann", "ben", "cleo", "dora")]
    act(dora, "PUT", ann, "follow")
    ann.call("PATCH", "/v1/users/me", json={"approvesFollowers": True}, expect=200)
    place = post(ann)
    for api in (ben, cleo):
        act(api, "PUT", ann, "follow", 202)
        act(api, "PUT", ann, "follow", 202)
        assert seen(api, ann)["requested"] and not seen(api, ann)["following"] and feed(api) == []
    act(dora, "PUT", ann, "follow")
    assert sorted(related(ann, "requests")) == sorted(api.user["id"] for api in (ben, cleo))
    assert related(ann, "followers") == [dora.user["id"]], "who follows already stays"
    act(ann, "PUT", ben, "request")
    assert feed(ben) == [place] and seen(ben, ann)["following"] and "requested" not in seen(ben, ann)
    act(ann, "DELETE", cleo, "request")
    assert "requested" not in seen(cleo, ann) and feed(cleo) == []
    problem(ann.call("PUT", f"/v1/users/{cleo.user['id']}/request"), 404, "not_found")
    act(cleo, "PUT", ann, "follow", 202)
    act(cleo, "DELETE", ann, "follow")
    assert related(ann, "requests") == [], "what was asked is taken back"
    act(cleo, "PUT", ann, "follow", 202)
    ann.call("PATCH", "/v1/users/me", json={"approvesFollowers": False}, expect=200)
    assert feed(cleo) == [place] and related(ann, "requests") == []


def test_a_follower_is_removed(join):
    ann, ben = join("ann"), join("ben")
    act(ben, "PUT", ann, "follow")
    post(ann)
    act(ann, "DELETE", ben, "follower")
    act(ann, "DELETE", ben, "follower")
    assert feed(ben) == [] and not seen(ben, ann)["following"]
    problem(ann.call("DELETE", "/v1/users/1/follower"), 404, "not_found")


def test_what_is_muted_stays_out_of_the_feed_and_nobody_hears(join):
    ann, ben, cleo = join("ann"), join("ben"), join("cleo")
    for who in (ann, cleo):
        act(ben, "PUT", who, "follow")
    place, own = post(ann), post(cleo)
    for other in (place,):
        cleo.call("POST", f"/v1/posts/{other}/interactions", json={"requestId": new_id(), "type": "SHARED"}, expect=201)
    act(ben, "PUT", ann, "mute")
    assert feed(ben) == [own] and seen(ben, ann)["muted"] and seen(ben, ann)["following"]
    assert "muted" not in seen(ann, ben) and related(ben, "muted") == [ann.user["id"]]
    listed = ben.call("GET", f"/v1/users/{ann.user['id']}/posts", expect=200).json()["feed"]
    assert [entry["postId"] for entry in listed] == [place], "her own page shows them"
    act(ben, "DELETE", ann, "mute")
    assert feed(ben) == [own, place]
    act(ben, "PUT", cleo, "mute")
    assert feed(ben) == [place], "what she shared is there by its author"
    problem(ben.call("PUT", f"/v1/users/{ben.user['id']}/mute"), 400, "invalid_parameter")


def test_a_block_hides_both_from_each_other_everywhere(join):
    ann, ben, cleo = join("ann"), join("ben"), join("cleo")
    for one, other in ((ann, ben), (ben, ann), (cleo, ann), (cleo, ben), (ann, cleo), (ben, cleo)):
        act(one, "PUT", other, "follow")
    place, own, third = post(ann), post(ben), post(cleo)
    said = comment(ann, third)
    cleo.call("POST", f"/v1/posts/{place}/interactions", json={"requestId": new_id(), "type": "SHARED"}, expect=201)
    act(ben, "PUT", ann, "block")
    act(ben, "PUT", ann, "block")
    for one, other, hers in ((ben, ann, place), (ann, ben, own)):
        assert feed(one) == [third, own if one is ben else place]
        for path in (f"/v1/users/{other.user['id']}", f"/v1/users/{other.user['id']}/posts", f"/v1/posts/{hers}",
                     f"/v1/posts/{hers}/comments", f"/v1/users/{other.user['id']}/picture"):
            problem(one.call("GET", path), 404, "not_found")
        problem(one.call("PUT", f"/v1/users/{other.user['id']}/follow"), 404, "not_found")
        problem(one.call("POST", f"/v1/posts/{hers}/interactions", json={"type": "LIKED"}), 404, "not_found")
        handle = seen(cleo, other)["handle"]
        assert one.call("GET", "/v1/users", params={"handle": handle}, expect=200).json()["users"] == []
        assert other.user["id"] not in related(one, "followers") + related(one, "following") + related(one, "suggested")
    assert feed(cleo) == [third, own, place], "the others see both"
    comments = [one["commentId"] for one in ben.call("GET", f"/v1/posts/{third}/comments", expect=200).json()["comments"]]
    assert comments == [], "comments are hidden, too"
    assert ben.call("GET", f"/v1/posts/{third}", expect=200).json()["post"]["commentCount"] == 0
    assert [one["commentId"] for one in cleo.call("GET", f"/v1/posts/{third}/comments", expect=200).json()["comments"]] == [said]
    assert related(ben, "blocked") == [ann.user["id"]] and related(ann, "blocked") == []
    problem(ann.call("PUT", f"/v1/users/{ben.user['id']}/block"), 404, "not_found")
    act(ann, "DELETE", ben, "block")
    problem(ann.call("GET", f"/v1/posts/{own}"), 404, "not_found"), "the other one's block stays"
    act(ben, "DELETE", ann, "block")
    assert seen(ann, ben)["following"] is False and seen(ben, ann)["following"] is False
    assert ann.call("GET", f"/v1/posts/{own}", expect=200)


def test_posts_are_reported_and_removed(house, join):
    ann, ben = join("ann"), join("ben")
    place = post(ann, "buy <b>now</b>")
    answer = ben.call("POST", f"/v1/posts/{place}/report", json={"reason": "spam\u202e\nand worse"}, expect=204)
    assert_documented(answer, "POST", "/v1/posts/{postId}/report")
    ben.call("POST", f"/v1/posts/{place}/report", json={"reason": "spam"}, expect=204)
    problem(ann.call("POST", f"/v1/posts/{place}/report", json={"reason": "x"}), 400, "invalid_parameter")
    problem(ben.call("POST", f"/v1/posts/{place}/report", json={"reason": ""}), 400, "invalid_parameter")
    problem(ben.call("POST", "/v1/posts/1/report", json={"reason": "x"}), 404, "not_found")
    [report] = [json.loads(line) for line in house.admin("reports", "list", "--json").stdout.splitlines()]
    assert (report["post"], report["reason"]) == (place, "spam")
    assert "buy now" in house.admin("reports", "list").stdout and report["reporter"] == seen(ann, ben)["handle"]
    house.admin("reports", "dismiss", place)
    assert "Nobody has reported" in house.admin("reports", "list").stdout and ben.call("GET", f"/v1/posts/{place}", expect=200)
    ben.call("POST", f"/v1/posts/{place}/report", json={"reason": "still"}, expect=204)
    assert house.admin("post", "remove", place, check=False).returncode, "it asks first"
    house.admin("post", "remove", place, "--yes")
    problem(ann.call("GET", f"/v1/posts/{place}"), 404, "not_found")
    assert "Nobody has reported" in house.admin("reports", "list").stdout
    assert "There is no post" in house.admin("post", "remove", place, "--yes", check=False).stderr


def test_a_reported_post_is_listed_with_the_warning_before_it(house, join):
    ann, ben = join("ann"), join("ben")
    place = posted(ann, "<p>She leaves him.</p>", contentWarning="Tells the end")
    ben.call("POST", f"/v1/posts/{place}/report", json={"reason": "spoils"}, expect=204)
    assert "    Warning: Tells the end\n    She leaves him." in house.admin("reports", "list").stdout
    [report] = [json.loads(line) for line in house.admin("reports", "list", "--json").stdout.splitlines()]
    assert report["contentWarning"] == "Tells the end"
    house.admin("post", "remove", place, "--yes")


def test_it_all_at_a_terminal(house, join, new_device):
    ann, device = join("ann"), new_device("laptop")
    device.register(house.url, f"ben.{new_id()}@example.org")
    ann.call("PATCH", "/v1/users/me", json={"approvesFollowers": True}, expect=200)
    handle = "@" + ann.call("GET", "/v1/users/me", expect=200).json()["handle"]
    assert "have asked to follow" in device.run("feed", "follow", handle).stdout
    assert "asked" in device.run("feed", "people").stdout
    device.run("feed", "unfollow", handle)
    device.run("feed", "profile", "--asks", "yes")
    you = device.json("feed", "profile")
    ann.call("PUT", f"/v1/users/{you['id']}/follow", expect=202)
    assert [one["id"] for one in device.json_lines("feed", "people", "--only", "requests")] == [ann.user["id"]]
    assert "follows you now" in device.run("feed", "accept", handle).stdout
    assert "no longer follows you" in device.run("feed", "remove-follower", handle).stdout
    assert "is muted" in device.run("feed", "mute", handle).stdout
    assert device.json("feed", "profile", handle)["muted"]
    assert "no longer muted" in device.run("feed", "mute", "--remove", handle).stdout
    place = post(ann)
    device.run("feed", "list", "--of", handle)
    assert "will look at it" in device.run("feed", "report", place, "spam").stdout
    assert "no longer see each other" in device.run("feed", "block", handle).stdout
    assert device.run("feed", "profile", handle, check=False).code
    assert "no longer blocked" in device.run("feed", "block", "--remove", handle).stdout
    assert device.json("feed", "profile", handle)["handle"] == handle[1:]


def test_a_post_that_two_shared_stays_by_the_one_who_is_not_muted(join, house):
    """It went with whoever had shared it first, though somebody else whom one follows had shared it too."""
    author, first, second, reader = [join(name) for name in ("author", "first", "second", "reader")]
    for who in (first, second):
        act(reader, "PUT", who, "follow")
    place = post(author)

    def share(api, kind="SHARED"):
        api.call("POST", f"/v1/posts/{place}/interactions", json={"requestId": new_id(), "type": kind}, expect=201)

    def shown():
        entries = reader.call("GET", "/v1/feed", expect=200).json()["feed"]
        return [(entry["postId"], entry["sharedBy"]["id"]) for entry in entries]
    share(first)
    share(second)
    by_first, by_second = [(place, who.user["id"]) for who in (first, second)]
    assert shown() == [by_first]
    act(reader, "PUT", first, "mute")
    assert shown() == [by_second]
    share(second, "REMOVED_SHARE")
    assert shown() == [], "the other is muted still"
    share(second)
    assert shown() == [by_second], "what is shared later comes too"
    act(reader, "DELETE", first, "mute")
    assert shown() == [by_first]
    assert house.admin("user", "disable", first.user["email"]).returncode == 0
    assert shown() == [by_second]
    act(reader, "PUT", author, "mute")
    assert shown() == []
