"""What is done in the feed on a bad day: kept on the device, shown there at once, and done once at the server."""

import contextlib
import json
import sqlite3
import subprocess

import pytest

import fault_proxy
from api import Api
from device import PASSWORD
from test_feed_device import LATER, a_post, an_interaction, email, feed, texts, two
from waiting import wait_until
from web_screens import picture


@pytest.fixture
def far(server, proxy_to, new_device):
    """A reader whose own connection the test may cut, and somebody whom she follows."""
    far = lambda: None
    far.proxy = proxy_to(server)
    far.reader, far.author = two(server, new_device)
    far.reader.run("logout")
    far.reader.register(far.proxy.url, email())
    far.reader.run("feed", "follow", far.author.json("whoami")["user"]["displayName"])
    return far


def a_comment(request):
    return request.method == "POST" and request.path.endswith("/comments")


def as_witness(device, server):
    return Api(server.url).login(device.json("whoami")["user"]["email"], PASSWORD, name="witness")


def on_server(api):
    """What the server has of that person's feed, the newest first."""
    return texts(api.call("GET", "/v1/feed", expect=200).json()["feed"])


def written(number):
    return f"<p>number {number}</p>"


def write(device, count):
    for number in range(count):
        assert LATER in device.run("feed", "post", f"number {number}").stderr


def waiting(device):
    return device.json_lines("feed", "outbox")


def newest_first(count):
    return [written(number) for number in reversed(range(count))]


def test_what_is_written_without_a_connection_is_posted_once_in_its_order(server, new_device):
    device = new_device().register(server.url, email())
    server.stop()
    write(device, 6)
    assert [post["content"] for post in waiting(device)] == newest_first(6)[::-1]
    server.start()
    for _ in range(3):
        assert feed(device)[1] == [] and texts(feed(device)[0]) == newest_first(6)
    assert on_server(as_witness(device, server)) == newest_first(6)
    assert waiting(device) == [] and "No posts are waiting" in device.run("feed", "outbox").stderr


def test_a_like_that_was_taken_back_before_it_was_sent_is_none(far):
    far.author.run("feed", "post", "number 0")
    [post] = feed(far.reader)[0]
    far.proxy.go_down()
    for command, liked in (("like", True), ("unlike", False)):
        far.reader.run("feed", command, post["postId"])
        assert feed(far.reader)[0][0]["liked"] is liked, "it shows at once"
    far.proxy.come_back()
    assert not feed(far.reader)[0][0]["liked"]
    assert feed(far.author)[0][0]["likeCount"] == 0


def test_a_like_without_a_connection_comes_to_the_server_once(far):
    far.author.run("feed", "post", "number 0")
    [post] = feed(far.reader)[0]
    far.proxy.go_down()
    for _ in range(3):
        far.reader.run("feed", "like", post["postId"])
        assert feed(far.reader)[0][0]["likeCount"] == 1
    assert feed(far.author)[0][0]["likeCount"] == 0
    far.proxy.come_back()
    for _ in range(2):
        assert feed(far.reader)[0][0]["likeCount"] == 1
    assert feed(far.author)[0][0]["likeCount"] == 1


def test_a_client_that_is_killed_before_it_hears_of_its_post_posts_once(device, proxy):
    late = proxy.add(fault_proxy.arrive_late(a_post))
    command = device.start("feed", "post", "number 0")
    wait_until(lambda: late.is_on_its_way, what="it has asked")
    command.kill()
    command.wait()
    assert [post["content"] for post in waiting(device)] == [written(0)]
    proxy.clear()
    wait_until(lambda: late.has_arrived, what="the server has posted it")
    posts, left = feed(device)
    assert texts(posts) == [written(0)] and left == []
    assert len(proxy.seen(a_post)) == 2, "it was asked for once more"


def test_a_comment_whose_answer_was_lost_is_counted_once(far):
    """It was counted twice until the post was opened once more."""
    far.author.run("feed", "post", "number 0")
    [post] = feed(far.reader)[0]
    far.proxy.add(fault_proxy.drop_answer(a_comment, times=100))
    far.reader.run("feed", "comment", post["postId"], "and one", check=False)
    assert far.proxy.seen(a_comment) and waiting(far.reader)
    # The server has it, and the post is read with it.
    far.reader.run("feed", "show", post["postId"])
    far.proxy.clear()
    wait_until(lambda: not feed(far.reader)[1] and not waiting(far.reader), what="it is sent")
    far.proxy.go_down()
    assert far.reader.json("feed", "show", post["postId"])["post"]["commentCount"] == 1
    assert feed(far.reader)[0][0]["commentCount"] == 1
    assert feed(far.author)[0][0]["commentCount"] == 1


def test_kills_at_any_moment_lose_no_post_and_post_none_twice(server, new_device):
    device = new_device().register(server.url, email())
    server.stop()
    write(device, 8)
    server.start()
    for moment in (0.05, 0.1, 0.15, 0.2, 0.3):
        command = device.start("feed")
        try:
            command.wait(moment)
        except subprocess.TimeoutExpired:
            command.kill()
            command.wait()
    assert texts(feed(device)[0]) == newest_first(8) and waiting(device) == []


def test_kills_at_any_moment_do_what_waits_of_files_and_of_the_feed_once(server, new_device):
    device = new_device().register(server.url, email())
    device.run("ls")
    server.stop()
    for number in range(4):
        assert LATER in device.run("feed", "post", f"number {number}").stderr
        device.run("mkdir", f"/folder {number}")
    server.start()
    for moment in (0.05, 0.1, 0.15, 0.2, 0.3):
        command = device.start("journal", "retry")
        try:
            command.wait(moment)
        except subprocess.TimeoutExpired:
            command.kill()
            command.wait()
    device.run("journal", "retry")
    assert device.json_lines("journal") == []
    assert texts(feed(device)[0]) == newest_first(4)
    assert sorted(one["name"] for one in device.json_lines("ls")) == [f"folder {number}" for number in range(4)]


def test_commands_at_the_same_time_post_what_waits_once(server, new_device):
    device = new_device().register(server.url, email())
    server.stop()
    write(device, 6)
    server.start()
    commands = [device.start("feed") for _ in range(4)]
    assert [command.wait(120) for command in commands] == [0] * 4
    assert texts(feed(device)[0]) == newest_first(6) and waiting(device) == []


def test_a_like_of_what_was_deleted_meanwhile_keeps_nothing_back(far):
    far.author.run("feed", "post", "number 0")
    [post] = feed(far.reader)[0]
    far.proxy.go_down()
    far.reader.run("feed", "like", post["postId"])
    far.reader.run("feed", "bookmark", post["postId"])
    far.reader.run("feed", "post", "after it")
    far.author.run("feed", "delete", post["postId"])
    far.proxy.come_back()
    posts, left = feed(far.reader)
    assert texts(posts) == ["<p>after it</p>"] and left == []
    assert "to be sent to the feed" not in far.reader.run("status").stdout


def test_a_like_of_what_is_gone_is_told_to_who_has_just_done_it(far):
    far.author.run("feed", "post", "number 0")
    [post] = feed(far.reader)[0]
    far.author.run("feed", "delete", post["postId"])
    for command in ("like", "bookmark", "share"):
        said = far.reader.run("feed", command, post["postId"], check=False)
        assert said.code == 4 and "no such post" in said.stderr, said


def test_a_post_that_is_deleted_without_a_connection_is_gone_here_at_once_and_there_later(far):
    far.reader.run("feed", "post", "number 0")
    [post] = feed(far.reader)[0]
    far.author.run("feed", "follow", far.reader.json("whoami")["user"]["displayName"])
    far.proxy.go_down()
    far.reader.run("feed", "delete", post["postId"])
    read = far.reader.run("feed", "show", post["postId"], check=False)
    assert feed(far.reader)[0] == [] and read.code != 0 and "number 0" not in read.text
    assert texts(feed(far.author)[0]) == [written(0)]
    far.proxy.come_back()
    assert feed(far.reader) == ([], []) and feed(far.author)[0] == []


def test_what_is_discarded_is_never_posted(server, new_device):
    device = new_device().register(server.url, email())
    server.stop()
    write(device, 3)
    numbers = [post["number"] for post in waiting(device)]
    assert device.run("feed", "discard", numbers[2] + 1, check=False).code == 4
    device.run("feed", "discard", numbers[0], numbers[2])
    assert [post["content"] for post in waiting(device)] == [written(1)]
    server.start()
    assert texts(feed(device)[0]) == [written(1)]


def test_the_journal_has_what_waits_for_the_feed_beside_what_waits_of_files(server, new_device):
    device = new_device().register(server.url, email())
    device.run("ls")
    server.stop()
    write(device, 2)
    device.run("mkdir", "/later")
    write(device, 1)
    listed = device.json_lines("journal")
    assert [one["kind"] for one in listed] == ["post", "post", "create_folder", "post"]
    assert [one["id"] for one in listed if one["kind"] == "post"] == [post["number"] for post in waiting(device)]
    assert "post “number 1”" in device.run("journal").stdout
    assert device.json("journal", "discard", listed[1]["id"])["kind"] == "post"
    assert len(waiting(device)) == 2
    server.start()
    assert "Everything was sent." in device.run("journal", "retry").stdout
    assert device.json_lines("journal") == [] and texts(feed(device)[0]) == [written(0), written(0)]
    assert "later" in device.run("ls").stdout


def test_what_waited_in_a_home_of_before_is_posted_once(server, new_device):
    """The feed had tables of its own, in the device's database."""
    device = new_device().register(server.url, email())
    server.stop()
    with contextlib.closing(sqlite3.connect(device.home / "bothy/client.sqlite")) as database, database:
        database.execute(
            "CREATE TABLE feed_operations (id INTEGER PRIMARY KEY AUTOINCREMENT, request_id TEXT NOT NULL UNIQUE,"
            " action TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL, next_attempt_ms INTEGER,"
            " last_error TEXT, created_ms INTEGER NOT NULL) STRICT")
        for number in range(3):
            action = {"publish": {"_0": {"content": written(number)}}}
            database.execute(
                "INSERT INTO feed_operations (request_id, action, state, attempts, created_ms) VALUES (?, ?, 'pending', 0, 1)",
                [f"of-before-{number}", json.dumps(action)])
    assert [post["content"] for post in waiting(device)] == newest_first(3)[::-1]
    server.start()
    assert texts(feed(device)[0]) == newest_first(3) and waiting(device) == []


def test_what_the_server_refuses_later_keeps_nothing_else_back_and_waits_for_a_person(server, new_device):
    device = new_device().register(server.url, email())
    (device.home / "hill.png").write_bytes(picture(0.4))
    device.put("hill.png", "/")
    device.run("ls")
    server.stop()
    device.run("feed", "post", "a hill", "--attach", "/hill.png")
    device.run("feed", "post", "after it")
    server.start()
    api = as_witness(device, server)
    api.delete(api.list()[0]["id"], permanent="true")
    wait_until(lambda: api.call("GET", "/v1/about").json()["quota"]["used"] == 0, what="its content is gone")
    posts, [post] = feed(device)
    assert texts(posts) == ["<p>after it</p>"] and post["content"] == "<p>a hill</p>"
    listed = device.run("feed", "outbox").stdout
    assert "not posted: An attachment" in listed and f"(number {post['number']})" in listed
    again = device.run("feed", "retry", post["number"], check=False)
    assert again.code == 1 and post["refusal"] in again.stderr, again
    assert [one["number"] for one in waiting(device)] == [post["number"]], "it is kept until somebody decides"
    assert device.json("feed", "discard", post["number"])["refusal"] == post["refusal"]
    assert waiting(device) == [] and texts(feed(device)[0]) == ["<p>after it</p>"]


def a_refusal(matches, times=1):
    problem = {"type": "about:blank", "title": "No", "status": 400, "code": "invalid_parameter", "detail": "Not that."}
    return fault_proxy.answer(400, matches, times, [("Content-Type", "application/problem+json")],
                              json.dumps(problem).encode())


def test_what_waits_is_written_anew_and_tells_why_it_waits(server, new_device):
    device = new_device().register(server.url, email())
    server.stop()
    write(device, 2)
    # It was tried, and nobody took the connection: the server cannot have it.
    number = waiting(device)[0]["number"]
    assert LATER in device.run("feed", "edit", number, "better").stderr
    assert [post["content"] for post in waiting(device)] == ["<p>better</p>", written(1)]
    assert "post “better” — waiting to be sent" in device.run("feed", "why", number).stdout
    assert device.json("feed", "why", number)["waiting"][0]["kind"] == "post"
    assert device.run("feed", "edit", number + 7, "nothing", check=False).code == 4
    server.start()
    assert texts(feed(device)[0]) == [written(1), "<p>better</p>"]
    assert device.run("feed", "edit", number, "too late", check=False).code == 4
    [post, _] = feed(device)[0]
    assert "You wrote it." in device.run("feed", "why", post["postId"]).stdout


def test_whom_a_post_is_for_is_kept_while_it_waits(far):
    name = far.author.json("whoami")["user"]["displayName"]
    far.reader.run("feed", "post", "for one", "--to", name)
    far.proxy.go_down()
    far.reader.run("feed", "post", "for followers", "--to", "followers")
    assert "post “for followers” to your followers" in far.reader.run("journal").stdout
    far.proxy.come_back()
    posts = {post["contentSummary"]: post for post in feed(far.reader)[0]}
    assert posts["<p>for followers</p>"]["audience"]["kind"] == "followers"
    assert [person["name"] for person in posts["<p>for one</p>"]["audience"]["people"]] == [name]
    why = far.reader.run("feed", "why", posts["<p>for one</p>"]["postId"]).stdout
    assert f"Only {name} and" in why, why
    far.proxy.go_down()
    said = far.reader.run("feed", "share", posts["<p>for followers</p>"]["postId"], check=False)
    assert said.code == 1 and "to everyone can be shared" in said.stderr, said
    usage = far.reader.run("feed", "post", "x", "--to", "followers", "--to", name, check=False)
    assert usage.code == 2 and "already says" in usage.stderr, usage


def test_who_is_followed_without_a_connection_is_followed_once_there_is_one(far):
    name = far.author.json("whoami")["user"]["displayName"]
    far.reader.run("feed", "people")
    far.reader.run("feed", "unfollow", name)
    far.proxy.go_down()
    assert LATER in far.reader.run("feed", "follow", name).stderr
    known = lambda device: {person["name"]: person for person in device.json_lines("feed", "people")}
    assert known(far.reader)[name]["following"], "it shows at once"
    assert [one["kind"] for one in far.reader.json_lines("journal")] == ["follow"]
    you = far.reader.json("whoami")["user"]["displayName"]
    assert not known(far.author)[you]["followsYou"]
    far.proxy.come_back()
    feed(far.reader)
    assert known(far.author)[you]["followsYou"] and known(far.reader)[name]["following"]
    assert far.reader.json_lines("journal") == []


def test_what_was_refused_is_posted_once_it_was_written_anew(far):
    far.proxy.go_down()
    write(far.reader, 1)
    far.proxy.add(a_refusal(a_post))
    far.proxy.come_back()
    [post] = feed(far.reader)[1]
    assert "Not that." in post["refusal"]
    assert far.reader.json("feed", "edit", post["number"], "better")["posted"]
    assert texts(feed(far.reader)[0]) == ["<p>better</p>"] and waiting(far.reader) == []


def test_who_is_refused_at_once_is_told_and_nothing_of_it_waits(device, proxy):
    proxy.add(a_refusal(a_post))
    said = device.run("feed", "post", "number 0", check=False)
    assert said.code == 1 and "Not that." in said.stderr, said
    assert waiting(device) == [] and feed(device) == ([], [])


@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_server_that_fails_for_a_while_has_it_once_in_the_end(device, proxy, status):
    proxy.add(fault_proxy.answer(status, a_post, 3))
    device.run("feed", "post", "number 0", check=False)
    wait_until(lambda: feed(device)[1] == [], what="it is posted")
    assert texts(feed(device)[0]) == [written(0)]


def test_an_answer_to_a_like_that_is_lost_leaves_one_like(far):
    far.author.run("feed", "post", "number 0")
    [post] = feed(far.reader)[0]
    far.proxy.add(fault_proxy.drop_answer(an_interaction))
    far.reader.run("feed", "like", post["postId"])
    wait_until(lambda: "to be sent to the feed" not in far.reader.run("status").stdout, what="it is sent")
    assert feed(far.reader)[0][0]["likeCount"] == feed(far.author)[0][0]["likeCount"] == 1


def test_what_waits_is_not_lost_by_signing_out_and_given_up_on_demand(server, new_device):
    device = new_device().register(server.url, email())
    server.stop()
    write(device, 2)
    asked = device.run("logout", check=False)
    assert asked.code == 1 and "--give-up-transfers" in asked.stderr, asked
    assert len(waiting(device)) == 2
    device.run("logout", "--give-up-transfers")
    for words in (["feed"], ["feed", "outbox"], ["feed", "post", "more"], ["feed", "people"], ["feed", "show", "123456"],
                  ["feed", "like", "123456"]):
        said = device.run(*words, check=False)
        assert "number" not in said.stdout, said
        assert said.code == 3 or words == ["feed", "outbox"], said
    server.start()
    device.register(server.url, email())
    assert feed(device) == ([], []) and waiting(device) == []


def test_nobody_posts_and_likes_nothing(server, new_device):
    """It waited, and went into the account of whoever signed in next."""
    device = new_device()
    for words in (["feed", "post", "number 0"], ["feed", "like", "123456789012345678"]):
        assert device.run(*words, check=False).code == 3, words
    device.register(server.url, email())
    assert feed(device) == ([], []) and waiting(device) == []


def test_what_a_device_that_was_signed_out_elsewhere_has_not_sent_goes_on_when_it_is_signed_in(far):
    address = far.reader.json("whoami")["user"]["email"]
    far.proxy.go_down()
    write(far.reader, 1)
    far.proxy.come_back()
    elsewhere = Api(far.proxy.url).login(address, PASSWORD, name="phone")
    for other in elsewhere.call("GET", "/v1/auth/devices").json()["devices"]:
        if not other["current"]:
            elsewhere.call("DELETE", f"/v1/auth/devices/{other['id']}", expect=204)
    said = far.reader.run("feed", "post", "number 1", code=6)
    assert "no connection" not in said.stderr and "signed out" in said.stderr, said
    assert [post["content"] for post in waiting(far.reader)] == newest_first(2)[::-1]
    far.reader.login(far.proxy.url, address)
    assert texts(feed(far.reader)[0]) == newest_first(2) == on_server(elsewhere)


def test_an_agent_sends_all_that_was_done_meanwhile_without_a_command(server, new_device):
    reader, author = two(server, new_device)
    author.run("feed", "post", "number 0")
    [post] = feed(reader)[0]
    reader.starts_its_agent()
    server.stop()
    try:
        write(reader, 3)
        reader.run("feed", "like", post["postId"])
        server.start()
        api = as_witness(reader, server)
        wait_until(lambda: on_server(api) == [*newest_first(3), written(0)], what="its posts are there")
        wait_until(lambda: api.call("GET", f"/v1/posts/{post['postId']}").json()["post"]["likeCount"] == 1)
        assert waiting(reader) == [] and feed(reader)[1] == []
    finally:
        reader.run("agent", "--stop", check=False)


def test_a_share_shows_at_once_and_is_taken_back(far):
    far.author.run("feed", "post", "kind")
    post = feed(far.reader)[0][0]["postId"]
    far.proxy.go_down()
    far.reader.run("feed", "share", post)
    assert feed(far.reader)[0][0]["shareCount"] == 1, "it shows at once"
    far.proxy.come_back()
    assert feed(far.reader)[0][0]["shareCount"] == 1
    assert "no longer shared" in far.reader.run("feed", "share", post, "--remove").stdout
    assert feed(far.reader)[0][0]["shareCount"] == 0


def test_a_post_that_is_there_is_edited_by_its_digits(far):
    far.author.run("feed", "post", "one")
    [post] = feed(far.author)[0]
    digits = str(post["postId"])[-6:]
    assert far.author.json("feed", "edit", digits, "two **words**") == {"post": post["postId"], "version": 2}
    assert texts(feed(far.reader)[0]) == ["<p>two <strong>words</strong></p>"]
    said = far.reader.run("feed", "edit", str(post["postId"]), "mine", check=False)
    assert said.code != 0 and "Only the author of a post can edit it" in said.stderr, said
    far.proxy.go_down()
    away = far.reader.run("feed", "edit", str(post["postId"]), "mine", check=False)
    assert away.code != 0 and "reached" in away.stderr, away
