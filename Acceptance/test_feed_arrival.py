"""What came into a feed since it was read last, whatever its place in it; and how far it was read, on whatever device."""

import random

import pytest

from api import Api, problem
from documented import assert_documented
from test_feed import act, follow, ids, page, posted


@pytest.fixture
def author(new_account):
    return new_account()


@pytest.fixture
def reader(new_account, author):
    reader = new_account()
    follow(reader, author)
    return reader


def arrived(api, since, limit=30):
    """The posts that came since, over all pages, and the cursor of what is there now."""
    found, after, newest = [], {}, None
    while True:
        answer = page(api, since=since, limit=limit, **after)
        newest = newest or answer["arrival"]
        found += [entry["postId"] for entry in answer["feed"]]
        assert answer["reachesSince"] is ("next" not in answer["paging"])
        if answer["reachesSince"]:
            return found, newest
        after = {"after": answer["paging"]["next"]}


def test_only_what_came_since_is_told_and_all_of_it(reader, author):
    posted(author)
    since = page(reader)["arrival"]
    assert arrived(reader, since) == ([], since)
    made = [posted(who) for who in (author, reader, author)][::-1]
    found, later = arrived(reader, since)
    assert found == made and arrived(reader, later) == ([], later)
    assert "arrival" not in page(reader, "/v1/feed/bookmarks") and "reachesSince" not in page(reader)


def test_a_page_that_does_not_reach_it_says_so_and_the_rest_follows(reader, author):
    since = page(reader)["arrival"]
    made = [posted(author) for _ in range(7)][::-1]
    first = page(reader, since=since, limit=3)
    assert first["reachesSince"] is False and [one["postId"] for one in first["feed"]] == made[:3]
    posted(author)
    assert arrived(reader, since, limit=3)[0][1:] == made
    rest = page(reader, since=since, after=first["paging"]["next"])
    assert rest["reachesSince"] is True and [one["postId"] for one in rest["feed"]] == made[3:]


@pytest.mark.parametrize("limit", (1, 3, 100))
def test_pages_up_have_what_pages_down_have(reader, author, limit):
    made = [posted(who) for who in (author, reader, author, author, author, reader, author)]
    place, found = made[1], []
    while place is not None:
        answer = page(reader, above=place, limit=limit)
        found = [entry["postId"] for entry in answer["feed"]] + found
        place = answer["paging"].get("next")
    assert found == made[:1:-1]


@pytest.mark.parametrize("query", ({"above": "-1"}, {"above": "up"}, {"above": 1, "after": "e30"}, {"above": 1, "since": "e30"}))
def test_a_page_up_from_nowhere_or_with_another_place_is_refused(untouched, query):
    problem(untouched.call("GET", "/v1/feed", params=query), 400, "invalid_parameter")


def test_the_past_of_somebody_who_is_followed_now_came_since(reader, author, api):
    old, shared = posted(api), posted(author)
    act(api, shared, "SHARED")
    own = posted(reader)
    since = page(reader)["arrival"]
    follow(reader, api)
    found, _ = arrived(reader, since)
    assert found == [old] and ids(reader) == [own, shared, old], "it lies below what was there, and is told all the same"


def test_what_is_shared_and_what_is_in_the_feed_for_another_reason_now_came_since(reader, author, api):
    old = posted(api)
    since = page(reader)["arrival"]
    act(author, old, "SHARED")
    found, since = arrived(reader, since)
    assert found == [old]
    follow(reader, api)
    follow(reader, author, "DELETE")
    assert arrived(reader, since)[0] == [old], "it has another place now"


def test_who_is_enabled_again_came_since(server, new_account):
    anna, berta = [new_account(server, f"{name}@example.org") for name in ("anna", "berta")]
    follow(anna, berta)
    post = posted(berta)
    server.admin("user", "disable", berta.user["email"])
    since = page(anna)["arrival"]
    server.admin("user", "enable", berta.user["email"])
    assert arrived(anna, since)[0] == [post]


@pytest.mark.parametrize("seed", range(4))
def test_whatever_happens_what_came_and_what_was_there_are_all_there_is(new_account, seed):
    random.seed(seed)
    reader, others = new_account(), [new_account() for _ in range(3)]
    known, since, made = set(), page(reader)["arrival"], []
    for _ in range(25):
        who, what = random.choice(others), random.randrange(5)
        if what < 2 or not made:
            made.append((who, posted(who)))
        elif what == 2:
            follow(reader, who, random.choice(("PUT", "PUT", "DELETE")))
        elif what == 3:
            act(who, random.choice(made)[1], "SHARED")
        else:
            found, since = arrived(reader, since, limit=random.choice((1, 2, 30)))
            known |= set(found)
    found, _ = arrived(reader, since)
    known |= set(found)
    assert set(ids(reader, limit=100)) <= known, "nothing is in the feed that was not told"


@pytest.mark.parametrize("since", ["made-up", "AAAA", "", "💾", "eyJlcG9jaCI6MSwiYXJyaXZhbCI6OTk5OTk5fQ"])
def test_a_cursor_that_was_made_up_has_expired(untouched, since):
    problem(untouched.call("GET", "/v1/feed", params={"since": since}), 410, "cursor_expired")


def counted(api, since=None):
    """How many came since, and whether there are more; and the cursor of what is there now."""
    response = api.call("GET", "/v1/feed/arrivals", params={"since": since} if since else {})
    assert response.status_code == 200, response.text
    assert_documented(response, "GET", "/v1/feed/arrivals")
    told = response.json()
    return (told["count"], told["hasMore"]), told["arrival"]


def test_what_came_is_counted_without_being_sent(reader, author):
    posted(author)
    number, since = counted(reader)
    assert number == (0, False) and since == page(reader)["arrival"]
    made = [posted(who) for who in (author, reader, author)]
    number, later = counted(reader, since)
    assert number == (3, False) and len(arrived(reader, since)[0]) == 3
    assert counted(reader, later) == ((0, False), later)
    author.call("DELETE", f"/v1/posts/{made[0]}", expect=204)
    assert counted(reader, since)[0] == (2, False), "what is gone by then is not counted"


def test_what_came_is_counted_exactly_up_to_a_bound(reader, author):
    since = page(reader)["arrival"]
    for _ in range(20):
        posted(author)
    assert counted(reader, since)[0] == (20, False)
    posted(author)
    assert counted(reader, since)[0] == (20, True)


@pytest.mark.parametrize("since", ["made-up", "💾", "eyJlcG9jaCI6MSwiYXJyaXZhbCI6OTk5OTk5fQ"])
def test_nothing_is_counted_from_a_cursor_that_was_made_up(untouched, since):
    problem(untouched.call("GET", "/v1/feed/arrivals", params={"since": since}), 410, "cursor_expired")


def marker(api, **body):
    response = api.call("PUT", "/v1/feed/marker", json=body) if body else api.call("GET", "/v1/feed/marker")
    assert response.status_code == 200, response.text
    assert_documented(response, "PUT" if body else "GET", "/v1/feed/marker")
    told = response.json()
    told.pop("updatedAt", None)
    return told


def test_what_was_read_on_one_device_is_read_on_all_and_stays_read(reader, author, shared_server):
    old, new = posted(author), posted(author)
    other = Api(shared_server.url).login(reader.user["email"])
    assert marker(reader) == {}
    assert marker(reader, readUpTo=new) == marker(other, readUpTo=old) == {"readUpTo": new}
    there = {"entryId": old, "offset": 250}
    assert marker(other, position=there) == marker(reader) == {"readUpTo": new, "position": there}
    assert marker(reader, position={"entryId": new, "offset": 0})["position"]["entryId"] == new, "the last word counts"
    assert marker(author) == {}
    other.close()


def test_a_marker_at_what_is_gone_is_at_the_next_older(reader, author):
    oldest, old, new = [posted(author) for _ in range(3)]
    assert marker(reader, position={"entryId": old, "offset": 900}, readUpTo=2 ** 63 - 1)["readUpTo"] == new
    author.call("DELETE", f"/v1/posts/{old}", expect=204)
    assert marker(reader)["position"] == {"entryId": oldest, "offset": 0}
    author.call("DELETE", f"/v1/posts/{oldest}", expect=204)
    assert "position" not in marker(reader)
    assert marker(reader, readUpTo=1)["readUpTo"] == new


@pytest.mark.parametrize("body, code", [
    ({"readUpTo": "x"}, "malformed_request"), ({"readUpTo": 2 ** 63}, "malformed_request"),
    ({"position": {"entryId": 1}}, "malformed_request"), ({"position": 7}, "malformed_request"),
    ({"position": {"entryId": 1, "offset": 1001}}, "invalid_parameter"),
    ({"position": {"entryId": 1, "offset": -1}}, "invalid_parameter")])
def test_a_marker_that_is_none_is_refused(untouched, body, code):
    problem(untouched.call("PUT", "/v1/feed/marker", json=body), 400, code)
    assert marker(untouched) == {}
