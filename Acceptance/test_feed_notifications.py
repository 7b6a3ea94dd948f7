"""People are told what others did that concerns them, at once, and never of what they may not read."""

import pytest

from api import new_id, problem
from test_changes import Events
from test_feed import act, follow, posted
from waiting import wait_until

NEVER = 9_007_199_254_740_991


@pytest.fixture
def people(new_account):
    return [new_account() for _ in range(3)]


def told(api, **query):
    return api.call("GET", "/v1/notifications", params=query, expect=200).json()


def kinds(api):
    return [one["kind"] for one in told(api)["notifications"]]


def comment(api, post, text, **more):
    body = {"requestId": new_id(), "content": f"<p>{text}</p>", **more}
    return api.call("POST", f"/v1/posts/{post}/comments", json=body, expect=201).json()


def handle(api):
    return "@" + api.call("GET", "/v1/users/me", expect=200).json()["handle"]


def read_up_to(api, notification):
    return api.call("PUT", "/v1/notifications/read", json={"upTo": notification}, expect=200).json()


def test_nobody_is_told_anything_at_first(api):
    assert told(api) == {"notifications": [], "unread": 0, "paging": {"limit": 30}}
    assert read_up_to(api, NEVER) == {"readUpTo": 0, "unread": 0}


def test_likes_of_one_post_are_one_notification_and_go_when_they_are_taken_back(people):
    author, one, other = people
    post = posted(author, "<p>Who walks on <strong>Sunday</strong>?</p>")
    for who in (one, other):
        act(who, post, "LIKED")
        act(who, post, "LIKED")
    act(author, post, "LIKED")
    [like] = told(author)["notifications"]
    assert like["kind"] == "like" and like["postId"] == post and like["excerpt"] == "Who walks on Sunday?"
    assert [who["id"] for who in like["actors"]] == [other.user["id"], one.user["id"]] and like["actorCount"] == 2
    act(other, post, "REMOVED_LIKE")
    [like] = told(author)["notifications"]
    assert [who["id"] for who in like["actors"]] == [one.user["id"]] and like["actorCount"] == 1
    act(one, post, "REMOVED_LIKE")
    assert told(author)["notifications"] == [] and told(one)["notifications"] == []


def test_a_share_and_a_follow_are_told(people):
    author, reader, _ = people
    post = posted(author)
    act(reader, post, "SHARED")
    follow(reader, author)
    newest, before = told(author)["notifications"]
    assert newest["kind"] == "follow" and "postId" not in newest and "excerpt" not in newest
    assert before["kind"] == "share" and before["postId"] == post
    follow(reader, author, "DELETE")
    assert kinds(author) == ["share"]
    act(reader, post, "REMOVED_SHARE")
    assert kinds(author) == []


def test_of_a_comment_each_is_told_once_and_why(people):
    author, one, other = people
    post = posted(author)
    first = comment(one, post, "first")["commentId"]
    assert kinds(author) == ["comment"] and told(author)["notifications"][0]["commentId"] == first
    assert told(author)["notifications"][0]["excerpt"] == "first"
    reply = comment(other, post, f"{handle(one)} {handle(author)} {handle(other)} yes", parentCommentId=first)["commentId"]
    assert kinds(one) == ["reply"] and kinds(author) == ["comment", "comment"] and kinds(other) == []
    other.call("DELETE", f"/v1/posts/{post}/comments/{reply}", expect=204)
    assert kinds(one) == [] and kinds(author) == ["comment"]


def test_who_is_named_is_told_if_she_may_read_it(people):
    author, named, _ = people
    post = posted(author, f"<p>{handle(named).upper()} look, {handle(named)}</p>")
    [mention] = told(named)["notifications"]
    assert mention["kind"] == "mention" and mention["postId"] == post
    posted(author, f"<p>{handle(named)} does not follow</p>", audience={"kind": "followers"})
    assert kinds(named) == ["mention"]
    follow(named, author)
    posted(author, f"<p>{handle(named)} does</p>", audience={"kind": "followers"})
    assert kinds(named) == ["mention", "mention"]
    follow(named, author, "DELETE")
    assert kinds(named) == ["mention"], "what she may not read any more is not told"


def test_what_is_deleted_is_told_no_more(people):
    author, reader, _ = people
    post = posted(author)
    act(reader, post, "LIKED")
    author.call("DELETE", f"/v1/posts/{post}", expect=204)
    assert told(author) == {"notifications": [], "unread": 0, "paging": {"limit": 30}}


def test_how_far_was_read_only_grows(people):
    author, reader, other = people
    posts = [posted(author) for _ in range(3)]
    for post in posts:
        act(reader, post, "LIKED")
    newest, middle, oldest = told(author)["notifications"]
    assert told(author)["unread"] == 3 and not newest["read"]
    assert read_up_to(author, middle["notificationId"]) == {"readUpTo": middle["notificationId"], "unread": 1}
    assert read_up_to(author, oldest["notificationId"])["readUpTo"] == middle["notificationId"]
    assert [one["read"] for one in told(author)["notifications"]] == [False, True, True]
    assert read_up_to(author, NEVER) == {"readUpTo": newest["notificationId"], "unread": 0}, "not ahead of what there is"
    act(other, posts[0], "LIKED")
    assert told(author)["unread"] == 1 and told(author)["notifications"][0]["actorCount"] == 2


def test_pages_have_each_once(people):
    author, reader, _ = people
    made = [posted(author) for _ in range(7)]
    for post in made:
        act(reader, post, "LIKED")
    found, after = [], {}
    while True:
        answer = told(author, limit=3, **after)
        assert answer["unread"] == 7
        found += [one["postId"] for one in answer["notifications"]]
        if not answer["paging"].get("next"):
            break
        after = {"after": answer["paging"]["next"]}
    assert found == made[::-1]


@pytest.mark.parametrize("body", [{}, {"upTo": -1}, {"upTo": "1"}, {"upTo": 1.5}, []])
def test_a_place_that_is_none_is_refused(untouched, body):
    response = untouched.call("PUT", "/v1/notifications/read", json=body)
    assert response.status_code == 400, response.text


def test_bad_pages_are_refused(untouched):
    problem(untouched.call("GET", "/v1/notifications", params={"after": "?"}), 400, "page_invalid")
    problem(untouched.call("GET", "/v1/notifications", params={"limit": 101}), 400, "invalid_parameter")


def heard(events):
    return [line.removeprefix("event: ") for line in events.lines if line.startswith("event: ")]


def test_the_stream_tells_of_posts_and_notifications_and_nobody_else_hears(people):
    author, reader, stranger = people
    follow(reader, author)
    hearing, deaf = Events(reader), Events(stranger)
    assert hearing.status == deaf.status == 200
    post = posted(author, f"<p>{handle(reader)} hello</p>")
    wait_until(lambda: {"feed", "notifications"} <= set(heard(hearing)), what="both")
    assert heard(deaf) == []
    own = Events(author)
    act(reader, post, "LIKED")
    wait_until(lambda: "notifications" in heard(own), what="the like")
    read_up_to(author, NEVER)
    wait_until(lambda: heard(own).count("notifications") == 2, what="that it was read")


def test_the_command_lists_them_and_says_that_they_were_read(device, new_account):
    reader = new_account()
    own = device.json("whoami")["user"]
    device.run("feed", "post", "Who walks on Sunday?")
    post = device.json("feed")["feed"][0]["postId"]
    act(reader, post, "LIKED")
    follow(reader, type("You", (), {"user": own}))
    said = device.run("feed", "notifications").stdout
    name = reader.user["displayName"]
    assert f"* {name} follows you" in said and f"* {name} liked your post · “Who walks on Sunday?”" in said
    listed = device.json("feed", "notifications")
    assert listed["unread"] == 2 and [one["kind"] for one in listed["notifications"]] == ["follow", "like"]
    assert device.json("feed", "notifications", "--read")["unread"] == 0
    assert "*" not in device.run("feed", "notifications").stdout


def test_a_mention_comes_from_the_server_alone(people):
    author, named, _ = people
    forged = f'<p><a href="/people/{named.user["id"]}" class="mention">the queen</a></p>'
    post = posted(author, forged)
    assert author.call("GET", f"/v1/posts/{post}").json()["post"]["content"] == "<p>the queen</p>" and kinds(named) == []
    post = posted(author, f"<p>so says {handle(named)}, {new_id()}</p>")
    link = f'<a href="/people/{named.user["id"]}" class="mention">{handle(named)}</a>'
    assert link in author.call("GET", f"/v1/posts/{post}").json()["post"]["content"]
