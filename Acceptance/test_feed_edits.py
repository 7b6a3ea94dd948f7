"""Posts are edited, deleted and restored by their authors; ids fit JavaScript's numbers; what was made once is made once for good."""

import pytest

from api import new_id, problem
from test_feed import act, attached, fetched, follow, ids, on_post, page, posted, posts_of, read, uploaded


@pytest.fixture
def author(new_account):
    return new_account()


@pytest.fixture
def reader(new_account, author):
    reader = new_account()
    follow(reader, author)
    return reader


def edit(api, post, base=1, expect=200, **what):
    body = {"requestId": new_id(), "baseVersion": base, **what}
    return api.call("PATCH", f"/v1/posts/{post}", json=body, expect=expect)


def history(api, post):
    return api.call("GET", f"/v1/posts/{post}/history", expect=200).json()["versions"]


def delete(api, post, **query):
    api.call("DELETE", f"/v1/posts/{post}", params=query, expect=204)


def restore(api, post, expect=200):
    return api.call("POST", f"/v1/posts/{post}/restore", expect=expect)


def trash(api):
    return [each["post"]["postId"] for each in api.call("GET", "/v1/posts/trash", expect=200).json()["posts"]]


def test_every_id_is_a_number_of_javascript(author, reader):
    post = posted(author, attachments=[attached(uploaded(author))])
    comment = reader.call("POST", f"/v1/posts/{post}/comments", json={"content": "a"}, expect=201).json()
    act(reader, post, "SHARED")
    seen = [post, author.user["id"], comment["commentId"], read(author, post)["attachments"][0]["id"],
            *(entry["entryId"] for entry in page(reader)["feed"])]
    assert all(0 < each < 2**53 for each in seen) and len(set(seen)) >= len(seen) - 1


def test_an_edit_keeps_place_and_likes_and_says_that_it_was_edited(author, reader):
    post, later = posted(author, "<p>one</p>"), posted(author)
    act(reader, post, "LIKED")
    detail = edit(author, post, content="<p>two</p>").json()["post"]
    assert detail == read(author, post) and detail["content"] == "<p>two</p>" and detail["version"] == 2
    assert ids(reader) == [later, post]
    entry = page(reader)["feed"][1]
    assert (entry["contentSummary"], entry["version"], entry["likeCount"], entry["liked"]) == ("<p>two</p>", 2, 1, True)
    assert entry["editedAt"] == detail["editedAt"] and "editedAt" not in page(reader)["feed"][0]
    assert [(each["version"], each["content"]) for each in history(reader, post)] == [(2, "<p>two</p>"), (1, "<p>one</p>")]


def test_an_edit_that_changes_nothing_makes_no_version(author):
    post = posted(author, "<p>one</p>")
    for nothing in ({}, {"content": "<p>one</p>"}, {"audience": {"kind": "everyone"}}):
        detail = edit(author, post, **nothing).json()["post"]
        assert detail["version"] == 1 and "editedAt" not in detail
    assert len(history(author, post)) == 1


def test_two_devices_that_edit_one_version_do_not_undo_each_other(author):
    post = posted(author)
    body = {"requestId": new_id(), "baseVersion": 1, "content": "<p>two</p>"}
    for _ in range(2):
        assert author.call("PATCH", f"/v1/posts/{post}", json=body, expect=200).json()["post"]["version"] == 2
    refused = problem(edit(author, post, expect=409, content="<p>other</p>"), 409, "post_changed")
    assert refused["currentVersion"] == 2 and read(author, post)["content"] == "<p>two</p>"


def test_attachments_are_edited_by_the_addresses_that_are_there(author, reader):
    one, two = uploaded(author), uploaded(author)
    post = posted(author, attachments=[attached(one), attached(two)])
    [_, kept] = read(author, post)["attachments"]
    edit(author, post, attachments=[{"type": "image", "contentUrl": kept["contentUrl"], "caption": "kept"}])
    [left] = read(reader, post)["attachments"]
    assert left["caption"] == "kept" and fetched(reader, left["contentUrl"])[0] == "image/png"
    problem(edit(author, post, 2, 400, content="", attachments=[]), 400, "invalid_parameter")
    assert read(author, post)["version"] == 2


def test_only_its_author_edits_a_post_and_cuts_its_history(author, reader, new_account):
    post = posted(author)
    problem(edit(reader, post, expect=403, content="a"), 403, "not_yours")
    problem(reader.call("DELETE", f"/v1/posts/{post}/history"), 403, "not_yours")
    edit(author, post, content="<p>two</p>")
    author.call("DELETE", f"/v1/posts/{post}/history", expect=204)
    assert [each["version"] for each in history(reader, post)] == [2]
    secret = posted(author, audience={"kind": "followers"})
    for method, path, body in (("PATCH", "", {"baseVersion": 1}), ("GET", "/history", None), ("DELETE", "/history", None)):
        problem(new_account().call(method, f"/v1/posts/{secret}{path}", json=body), 404, "not_found")


def test_an_audience_only_narrows(author, reader, new_account):
    other, stranger = new_account(), new_account()
    follow(other, author)
    post, people = posted(author), lambda *who: {"kind": "people", "people": [each.user["id"] for each in who]}
    act(reader, post, "SHARED")
    edit(author, post, 1, audience={"kind": "followers"})
    assert read(reader, post)["shared"] is False and read(reader, post)["shareCount"] == 0
    assert ids(stranger, posts_of(author)) == [] and ids(other) == [post]
    problem(edit(author, post, 2, 400, audience={"kind": "everyone"}), 400, "invalid_parameter")
    problem(edit(author, post, 2, 400, audience=people(reader, stranger)), 400, "invalid_parameter")
    edit(author, post, 2, audience=people(reader, other))
    edit(author, post, 3, audience=people(reader))
    assert ids(other) == [] and ids(reader) == [post]
    problem(edit(author, post, 4, 400, audience=people(reader, other)), 400, "invalid_parameter")
    assert read(author, post)["version"] == 4


def test_a_deleted_post_lies_in_its_authors_trash_and_comes_back_with_all_that_was_done_with_it(author, reader, new_account):
    distant = new_account()
    follow(distant, reader)
    post, later = posted(author), posted(author)
    act(reader, post, "SHARED")
    reader.call("POST", f"/v1/posts/{post}/comments", json={"content": "a"}, expect=201)
    before = read(reader, post)
    delete(author, post)
    assert trash(author) == [post] and trash(reader) == []
    assert ids(author) == ids(reader) == [later] and ids(distant) == []
    for method, path, body in on_post(post):
        problem(author.call(method, path, json=body), 404, "not_found")
    problem(restore(reader, post, 404), 404, "not_found")
    assert restore(author, post).json()["post"]["shareCount"] == 1
    assert read(reader, post) == before and ids(reader) == [later, post] and ids(distant) == [post] and trash(author) == []
    assert restore(author, post).json()["post"]["version"] == 1, "again"


def test_what_is_deleted_for_good_is_not_made_again_by_its_request(author, reader):
    body = {"requestId": new_id(), "content": "<p>once</p>"}
    address = author.call("POST", "/v1/posts", json=body, expect=201).headers["location"]
    post = int(address.removeprefix("/v1/posts/"))
    comment = {"requestId": new_id(), "content": "a"}
    made = reader.call("POST", f"{address}/comments", json=comment, expect=201).json()["commentId"]
    reader.call("DELETE", f"{address}/comments/{made}", expect=204)
    delete(author, post)
    delete(author, post, permanent="true")
    assert trash(author) == [] and author.call("POST", "/v1/posts", json=body, expect=201).headers["location"] == address
    assert ids(author) == []
    problem(author.call("DELETE", address, params={"permanent": "true"}), 404, "not_found")
    problem(restore(author, post, 404), 404, "not_found")
