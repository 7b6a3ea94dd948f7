"""Comments: written, read, answered and deleted by two people, with a connection and without one."""

import fault_proxy
from api import Api, new_id, problem
from device import PASSWORD
from test_feed import follow, posted
from test_feed_device import LATER, email, feed, two
from waiting import wait_until


def shown(device, post):
    return device.json("feed", "show", post)


def texts(document):
    return [comment["content"] for comment in document["comments"]]


def test_comments_form_threads_that_both_read(server, new_device):
    reader, author = two(server, new_device)
    author.run("feed", "post", "The hut is open")
    post = str(feed(reader)[0][0]["postId"])
    assert reader.run("feed", "comment", post[-6:], "How much", "**wood**?").stdout == "Sent.\n"
    question = str(shown(author, post)["comments"][0]["commentId"])
    author.run("feed", "comment", post, "Another thing")
    author.run("feed", "comment", post, "All you can carry", "--reply", question[-6:])
    assert texts(shown(reader, post)) == ["<p>How much <strong>wood</strong>?</p>", "<p>All you can carry</p>", "<p>Another thing</p>"]
    assert "3 comments" in reader.run("feed").stdout
    said = author.run("feed", "show", post).stdout
    assert f"\n        All you can carry\n" in said, said
    refused = reader.run("feed", "delete", post, "--comment", str(shown(reader, post)["comments"][2]["commentId"]), check=False)
    assert refused.code == 1 and "author" in refused.stderr, refused
    author.run("feed", "delete", post, "--comment", question)
    left = shown(reader, post)["comments"]
    assert [comment.get("parentDeleted") for comment in left] == [True, None]
    assert "in reply to a deleted comment" in reader.run("feed", "show", post).stdout


def test_a_comment_written_without_a_connection_shows_at_once_and_is_sent_once(server, new_device):
    reader, author = two(server, new_device)
    author.run("feed", "post", "The hut is open")
    post = str(feed(reader)[0][0]["postId"])
    reader.run("feed", "comment", post, "first")
    shown(reader, post)
    server.stop()
    assert LATER in reader.run("feed", "comment", post, "from a train").stderr
    away = shown(reader, post)
    assert texts(away) == ["<p>first</p>"] and [one["content"] for one in away["waiting"]] == ["<p>from a train</p>"]
    assert feed(reader)[0][0]["commentCount"] == 2, "it counts at once"
    assert reader.json_lines("feed", "outbox")[0]["commentOn"] == int(post)
    server.start()
    reader.run("feed")
    assert texts(shown(author, post)) == ["<p>first</p>", "<p>from a train</p>"]
    assert shown(reader, post)["waiting"] == [] and feed(reader)[0][0]["commentCount"] == 2


def test_a_comment_whose_answer_is_lost_is_there_once(device, proxy, server):
    device.run("feed", "post", "once")
    post = str(feed(device)[0][0]["postId"])
    proxy.add(fault_proxy.drop_answer(lambda request: request.path.endswith("/comments") and request.method == "POST", times=2))
    device.run("feed", "comment", post, "one")
    wait_until(lambda: not shown(device, post)["waiting"], what="it is sent")
    assert texts(shown(device, post)) == ["<p>one</p>"] and feed(device)[0][0]["commentCount"] == 1


def test_a_comment_on_a_post_that_is_gone_is_kept_for_its_author(server, new_device):
    reader, author = two(server, new_device)
    author.run("feed", "post", "soon gone")
    post = str(feed(reader)[0][0]["postId"])
    server.stop()
    reader.run("feed", "comment", post, "words that took a while")
    server.start()
    author.run("feed", "delete", post)
    reader.run("feed")
    [kept] = reader.json_lines("feed", "outbox")
    assert kept["content"] == "<p>words that took a while</p>" and "no such post" in kept["refusal"]
    reader.run("feed", "discard", kept["number"])
    assert reader.json_lines("feed", "outbox") == []


def test_comments_leave_with_their_author(server, new_device):
    reader, author = two(server, new_device)
    author.run("feed", "post", "The hut is open")
    post = str(feed(reader)[0][0]["postId"])
    reader.run("feed", "comment", post, "hello")
    comment = str(shown(author, post)["comments"][0]["commentId"])
    author.run("feed", "comment", post, "hello to you", "--reply", comment)
    server.admin("user", "disable", reader.json("whoami")["user"]["email"])
    left = shown(author, post)["comments"]
    assert [(one["content"], one.get("parentDeleted")) for one in left] == [("<p>hello to you</p>", True)]
    assert feed(author)[0][0]["commentCount"] == 1


def test_two_people_see_no_comment_twice_whatever_the_size_of_a_page(server):
    ann = Api(server.url).register(email())
    post = ann.call("POST", "/v1/posts", json={"requestId": new_id(), "content": "<p>a</p>"}, expect=201).headers["Location"]
    first = None
    for number in range(9):
        body = {"requestId": new_id(), "content": f"<p>{number}</p>"}
        if number % 3 == 2:
            body["parentCommentId"] = first
        made = ann.call("POST", f"{post}/comments", json=body, expect=201).json()
        first = first or made["commentId"]
    for limit in (1, 2, 4, 9):
        seen, after = [], None
        while True:
            page = ann.call("GET", f"{post}/comments", params={"limit": limit, **({"after": after} if after else {})}, expect=200).json()
            seen += [comment["content"] for comment in page["comments"]]
            after = page["paging"].get("next")
            if not after:
                break
        assert seen == [f"<p>{n}</p>" for n in (0, 2, 5, 8, 1, 3, 4, 6, 7)], limit


def test_who_may_no_longer_read_a_post_can_still_delete_what_she_wrote_there(new_account):
    author, writer, other = new_account(), new_account(), new_account()
    for each in (writer, other):
        follow(each, author)
    post = posted(author, audience={"kind": "followers"})
    mine, theirs = [each.call("POST", f"/v1/posts/{post}/comments", json={"content": "a"}, expect=201).json()["commentId"]
                    for each in (writer, other)]
    follow(writer, author, "DELETE")
    problem(writer.call("DELETE", f"/v1/posts/{post}/comments/{theirs}"), 404, "not_found")
    writer.call("DELETE", f"/v1/posts/{post}/comments/{mine}", expect=204)
    problem(writer.call("DELETE", f"/v1/posts/{post}/comments/{mine}"), 404, "not_found")
    left = author.call("GET", f"/v1/posts/{post}/comments", expect=200).json()["comments"]
    assert [each["commentId"] for each in left] == [theirs]
