"""A post is written now and comes at its time."""

import datetime

from api import new_id, problem
from test_feed import attached, follow, ids, page, read, uploaded
from test_feed_device import LATER, email
from test_feed_notifications import handle, kinds
from waiting import wait_until


def at(**delta):
    time = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(**delta)
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def schedule(api, when, **more):
    body = {"requestId": new_id(), "content": "<p>later</p>", "publishAt": when, **more}
    addresses = {api.call("POST", "/v1/posts", json=body, expect=201).headers["location"] for _ in range(2)}
    assert len(addresses) == 1, "once"
    return addresses.pop()


def waiting(api):
    return api.call("GET", "/v1/posts/scheduled", expect=200).json()["posts"]


def test_a_post_comes_at_its_time_with_all_that_it_has(new_account):
    author, reader, stranger = new_account(), new_account(), new_account()
    follow(reader, author)
    when = at(seconds=2)
    address = schedule(author, when, audience={"kind": "followers"}, attachments=[attached(uploaded(author), caption="a")])
    [one] = waiting(author)
    assert address == f"/v1/posts/scheduled/{one['scheduledId']}" and one["publishAt"].startswith(when[:-1]) and "held" not in one
    assert author.call("GET", one["attachments"][0]["contentUrl"], token="", expect=200).content
    assert ids(author) == ids(reader) == waiting(reader) == []
    [post] = wait_until(lambda: ids(reader), what="it is posted")
    seen = read(author, post)
    assert seen["audience"] == {"kind": "followers"} and seen["attachments"][0]["caption"] == "a"
    assert seen["publishAt"] == one["publishAt"] and "publishAt" not in page(reader)["feed"][0]
    assert waiting(author) == [] and ids(stranger) == []


def test_whom_a_post_names_is_told_when_it_comes_out(new_account):
    author, named = new_account(), new_account()
    words = f"<p>{handle(named)} look</p>"
    schedule(author, at(seconds=2), content=words)
    address = schedule(author, at(days=1), content=words)
    assert kinds(named) == []
    wait_until(lambda: kinds(named) == ["mention"], what="it is told")
    author.call("PATCH", address, json={"publishAt": at(seconds=-1)}, expect=201)
    assert kinds(named) == ["mention", "mention"]


def test_a_post_that_waits_is_its_authors_alone(new_account):
    author, other = new_account(), new_account()
    address = schedule(author, at(days=1))
    for method, body in (("PATCH", {"publishAt": at(days=2)}), ("DELETE", None)):
        problem(other.call(method, address, json=body), 404, "not_found")
    author.call("PATCH", address, json={"publishAt": at(days=2)}, expect=204)
    problem(author.call("PATCH", address, json={"publishAt": at(days=400)}), 400, "invalid_parameter")
    posted = author.call("PATCH", address, json={"publishAt": at(seconds=-1)}, expect=201).headers["location"]
    assert [f"/v1/posts/{post}" for post in ids(author)] == [posted] and waiting(author) == []
    gone = schedule(author, at(days=1))
    author.call("DELETE", gone, expect=204)
    assert waiting(author) == []
    problem(author.call("DELETE", gone), 404, "not_found")


def test_a_time_that_is_over_posts_at_once(new_account):
    author = new_account()
    assert schedule(author, at(days=-1)) == f"/v1/posts/{ids(author)[0]}"


def test_a_post_is_scheduled_moved_and_deleted_from_the_command_line(server, new_device):
    device = new_device().register(server.url, email())
    assert device.json("feed", "post", "later", "--at", "in 3 days")["posted"] is False
    assert "is scheduled for" in device.run("feed", "post", "soon", "--at", "tomorrow 8:00").stdout
    assert device.json_lines("feed", "outbox") == [], "the server has them"
    soon, later = device.json_lines("feed", "scheduled")
    assert soon["content"] == "<p>soon</p>" and soon["publishAt"] < later["publishAt"]
    assert "to be posted on" in device.run("feed", "scheduled").stdout
    device.run("feed", "scheduled", "move", soon["number"], "now")
    assert [post["content"] for post in device.json("feed")["feed"]] == ["<p>soon</p>"]
    device.run("feed", "scheduled", "move", later["number"], "in 2 weeks")
    assert device.json_lines("feed", "scheduled")[0]["publishAt"] > later["publishAt"]
    device.run("feed", "scheduled", "delete", later["number"])
    assert device.json_lines("feed", "scheduled") == []
    assert device.run("feed", "scheduled", "delete", later["number"], check=False).code == 4
    for wrong in ("yesterday", "soonish"):
        assert device.run("feed", "post", "x", "--at", wrong, check=False).code == 2


def test_a_post_for_a_set_time_waits_for_a_connection_as_any_other(server, new_device):
    device = new_device().register(server.url, email())
    server.stop()
    assert LATER in device.run("feed", "post", "for later", "--at", "in 2 days").stderr
    [waits] = device.json_lines("feed", "outbox")
    assert waits["publishAt"] and "waiting to be posted on" in device.run("feed", "outbox").stdout
    server.start()
    assert device.json("feed")["feed"] == []
    [post] = device.json_lines("feed", "scheduled")
    assert post["publishAt"] == waits["publishAt"] and device.json_lines("feed", "outbox") == []
