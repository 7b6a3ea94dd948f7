"""A post is to everyone, to followers, or to people who are named: for anybody else it is not there."""

import pytest

from api import new_id, problem
from test_feed import act, attached, follow, ids, on_post, page, posted, posts_of, preview, read, try_post, uploaded


@pytest.fixture
def people(new_account):
    return [new_account() for _ in range(3)]


def to(*people):
    return {"kind": "people", "people": [who.user["id"] for who in people]}


def unseen(api, author, post, picture=None):
    for method, path, body in [*on_post(post), ("GET", f"/v1/posts/{post}/comments", None),
                               ("POST", f"/v1/posts/{post}/comments", {"content": "a"})]:
        problem(api.call(method, path, json=body), 404, "not_found")
    assert post not in ids(api) + ids(api, posts_of(author)) + ids(api, "/v1/feed/bookmarks")
    if picture:
        problem(api.call("GET", picture, token=""), 404, "not_found")


def test_a_post_to_followers_is_read_by_who_follows_at_that_time(people):
    author, reader, stranger = people
    follow(reader, author)
    post = posted(author, audience={"kind": "followers"}, attachments=[attached(uploaded(author))])
    assert ids(reader) == ids(author) == [post] == ids(reader, posts_of(author))
    assert read(reader, post)["audience"] == page(reader)["feed"][0]["audience"] == {"kind": "followers"}
    act(reader, post, "BOOKMARKED")
    picture, small = [read(reader, post)["attachments"][0][name] for name in ("contentUrl", "previewImageUrl")]
    assert reader.call("GET", picture, token="", expect=200).content
    unseen(stranger, author, post)
    follow(reader, author, "DELETE")
    unseen(reader, author, post, picture)
    problem(reader.call("GET", small, token=""), 404, "not_found")
    follow(stranger, author)
    assert ids(stranger) == [post], "following brings what was posted before"


def test_a_post_to_people_is_theirs_whether_they_follow_or_not(people):
    author, named, stranger = people
    follow(stranger, author)
    post = posted(author, audience=to(named))
    assert ids(named) == ids(author) == [post] and read(named, post)["audience"]["people"] == [preview(named)]
    unseen(stranger, author, post)
    follow(named, author)
    follow(named, author, "DELETE")
    assert ids(named) == [post], "it came for another reason"


def test_the_same_people_have_one_conversation(people):
    author, one, two = people
    posts = [(author, posted(author, audience=to(one, two))), (one, posted(one, audience=to(two, author, one))),
             (author, posted(author, audience=to(one)))]
    first, second, pair = [read(who, post)["audience"]["conversationId"] for who, post in posts]
    assert first == second != pair


@pytest.mark.parametrize("audience", [
    {"kind": "people"}, {"kind": "people", "people": []}, {"kind": "people", "people": [1]},
    {"kind": "everyone", "people": [1]}, {"kind": "people", "people": list(range(1, 102))}])
def test_an_audience_that_cannot_be_is_refused(untouched, audience):
    problem(try_post(untouched, audience=audience), 400, "invalid_parameter")
    assert ids(untouched) == []


@pytest.mark.parametrize("audience", [{}, {"kind": "friends"}, "everyone", {"kind": "people", "people": "all"}])
def test_an_audience_that_is_not_known_is_refused(untouched, audience):
    problem(try_post(untouched, audience=audience), 400, "malformed_request")
    assert ids(untouched) == []


@pytest.mark.parametrize("kind", ["followers", "people"])
def test_only_a_post_to_everyone_is_shared(people, kind):
    author, reader, _ = people
    follow(reader, author)
    post = posted(author, audience=to(reader) if kind == "people" else {"kind": kind})
    for who in (reader, author):
        answer = who.call("POST", f"/v1/posts/{post}/interactions", json={"type": "SHARED"})
        assert "everyone" in problem(answer, 403, "not_yours")["detail"]
    public = posted(author)
    act(reader, public, "SHARED")
    assert read(reader, public)["shared"] is page(reader)["feed"][0]["shared"] is True
    assert read(author, public)["shared"] is False


def test_a_request_id_is_a_number_or_its_digits(api):
    number = 2**53 - 1
    posts = {api.call("POST", "/v1/posts", json={"requestId": key, "content": "a"}, expect=201).headers["location"]
             for key in (number, str(number))}
    [post] = ids(api)
    assert len(posts) == 1 and read(api, post)["requestId"] == str(number)
    for path, body in ((f"/v1/posts/{post}/comments", {"content": "a"}), (f"/v1/posts/{post}/interactions", {"type": "LIKED"})):
        api.call("POST", path, json={"requestId": 7, **body})
    assert read(api, post)["commentCount"] == 1
    for wrong in (0, -1, 2**53, 1.5, True, [1]):
        problem(api.call("POST", "/v1/posts", json={"requestId": wrong, "content": "a"}), 400, "malformed_request")


def test_a_request_id_is_told_to_its_author_alone(people):
    author, reader, _ = people
    follow(reader, author)
    key = new_id()
    author.call("POST", "/v1/posts", json={"requestId": key, "content": "a"}, expect=201)
    assert page(author)["feed"][0]["requestId"] == key and "requestId" not in page(reader)["feed"][0]
