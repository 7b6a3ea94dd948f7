"""What a client holds of posts is held against what the server has: 500 posts a request, and on a device whenever it comes back."""

import fault_proxy
import pytest

from api import new_id, problem
from documented import assert_documented
from test_feed import act, follow, posted
from test_feed_device import email, feed, texts, two

CHECK = "/v1/posts/check"


def check(api, *held):
    answer = api.call("POST", CHECK, json={"posts": [list(pair) for pair in held]}, expect=200)
    assert_documented(answer, "POST", CHECK)
    return answer.json()


def edit(author, post, text, version=1):
    body = {"requestId": new_id(), "baseVersion": version, "content": text}
    author.call("PATCH", f"/v1/posts/{post}", json=body, expect=200)


def test_what_was_edited_and_what_is_gone_is_told_and_the_rest_is_not(new_account):
    author, reader = new_account(), new_account()
    follow(reader, author)
    kept, edited, deleted = [posted(author, f"<p>{name}</p>") for name in ("kept", "edited", "deleted")]
    closed = posted(author, audience={"kind": "followers"})
    assert check(reader, *[(post, 1) for post in (kept, edited, deleted, closed)]) == {"changed": [], "gone": []}
    edit(author, edited, "<p>other</p>")
    author.call("DELETE", f"/v1/posts/{deleted}", expect=204)
    follow(reader, author, "DELETE")
    act(author, kept, "LIKED")
    told = check(reader, (closed, 1), (kept, 1), (edited, 1), (deleted, 1), (4_711, 1), (closed, 7), (edited, 2))
    assert told == {"changed": [[edited, 2]], "gone": [closed, deleted, 4_711]}
    author.call("POST", f"/v1/posts/{deleted}/restore", expect=200)
    assert check(reader, (deleted, 1), (edited, 2)) == {"changed": [], "gone": []}


def test_a_version_that_the_server_does_not_have_is_another_one(new_account):
    """A server that was restored from a backup knows less of a post than its readers do."""
    author = new_account()
    post = posted(author)
    assert check(author, (post, 9), (post, -1)) == {"changed": [[post, 1]], "gone": []}


def test_five_hundred_are_checked_at_once_and_no_more(new_account):
    api = new_account()
    post = posted(api)
    many = [(post, 1)] + [(number, 1) for number in range(1, 500)]
    assert check(api, *many)["gone"] == list(range(1, 500))
    for wrong in ([*many, (500, 1)], []):
        problem(api.call("POST", CHECK, json={"posts": [list(pair) for pair in wrong]}), 400, "invalid_parameter")


@pytest.mark.parametrize("body", [
    {}, {"posts": None}, {"posts": [[1]]}, {"posts": [[1, 2, 3]]}, {"posts": [["1", 1]]}, {"posts": [[1, 1.5]]},
    {"posts": [{"postId": 1, "version": 1}]}, {"posts": [[2 ** 70, 1]]}, []])
def test_what_is_no_pair_of_numbers_is_refused(new_account, body):
    answer = new_account().call("POST", CHECK, json=body)
    assert answer.status_code == 400, answer.text
    assert_documented(answer, "POST", CHECK)


def known(device, post):
    """What a device shows of a post without a connection; nothing for what is not kept there."""
    said = device.run("feed", "show", str(post), "--json", check=False)
    return said.stdout if said.code == 0 else ""


def test_a_device_that_was_away_lets_go_of_what_is_gone(server, new_device):
    """A post that it had read before, and that is on no page of the feed which it looks at."""
    reader, author = two(server, new_device)
    for text in ("The first secret", "The second", "The third"):
        author.run("feed", "post", text)
    first = next(post["postId"] for post in feed(reader)[0] if "first" in post["contentSummary"])
    assert "The first secret" in known(reader, first)
    server.stop()
    assert "The first secret" in known(reader, first), "without a connection it is here"
    reader.run("feed", "list")
    server.start()
    author.run("feed", "delete", str(first))
    reader.run("feed", "-n", "1")
    server.stop()
    assert "The first secret" not in known(reader, first)
    assert "The first secret" not in reader.run("feed", "list", "-n", "50").stdout
    server.start()


def a_check(request):
    return request.path == CHECK


def through(proxy, new_device):
    """A reader behind a proxy, and an author whom she follows, who has posted twice and edited both after she had read them."""
    reader, author, name = new_device("laptop"), new_device("phone"), new_id()
    reader.register(proxy.url, email())
    author.register(proxy.url, f"{name}@example.org")
    reader.run("feed", "follow", name)
    for text in ("One", "Two"):
        author.run("feed", "post", text)
    posts = [post["postId"] for post in feed(reader)[0]]
    for post in posts:
        assert known(reader, post)
    proxy.go_down()
    # She notices that she is away: the next look asks what became of the posts.
    assert "cannot be reached" in reader.run("feed", "list").stderr
    proxy.come_back()
    for post in posts:
        author.run("feed", "edit", str(post), f"Anew {post}")
    return reader, author, posts


@pytest.mark.parametrize("status, body", [(500, b""), (200, b"[]"), (404, b"")])
def test_a_check_that_fails_keeps_nobody_from_the_feed(new_device, proxy, status, body):
    reader, author, posts = through(proxy, new_device)
    author.run("feed", "post", "Three")
    kind = [("Content-Type", "application/json")]
    fault, used = proxy.add(fault_proxy.answer(status, a_check, times=99, headers=kind, body=body)), 0
    for _ in range(2):
        said = reader.run("feed", "-n", "1")
        assert "Three" in said.stdout and "cannot be reached" not in said.stderr
        assert fault.used > used, "it is asked again at the next look"
        used = fault.used
    proxy.clear()
    reader.run("feed", "-n", "1")
    proxy.go_down()
    assert all(f"Anew {post}" in known(reader, post) for post in posts)


def test_an_edited_post_that_cannot_be_fetched_keeps_nobody_from_the_feed(new_device, proxy):
    reader, author, posts = through(proxy, new_device)
    author.run("feed", "post", "Three")
    fault = proxy.add(fault_proxy.answer(500, lambda request: request.path == f"/v1/posts/{posts[0]}", times=99))
    assert texts(reader.json("feed", "-n", "1")["feed"]) == ["<p>Three</p>"]
    assert fault.used
    proxy.go_down()
    assert f"Anew {posts[0]}" not in known(reader, posts[0]), "it was not fetched"
    assert f"Anew {posts[1]}" in known(reader, posts[1])
