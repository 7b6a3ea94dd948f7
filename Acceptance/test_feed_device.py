"""The feed on a device: read, liked and written with a connection and without one, and sent once."""

import random
import re
import subprocess

import fault_proxy
from api import Api, new_id
from device import PASSWORD, QUEUED
from test_feed import posted
from waiting import wait_until
from web_screens import picture

LATER = "will be sent when there is"


def a_post(request):
    return request.method == "POST" and request.path == "/v1/posts"


def an_interaction(request):
    return request.path.endswith("/interactions")


def email():
    return f"{new_id()}@example.org"


def texts(posts):
    return [post["contentSummary"] for post in posts]


def feed(device):
    """What a device shows: the posts, and then what waits."""
    shown = device.json("feed")["feed"]
    return [post for post in shown if "postId" in post], [post for post in shown if "number" in post]


def two(server, new_device):
    """A reader, and somebody whom she follows, on a server that the test may stop."""
    name = new_id()
    reader, author = new_device("laptop"), new_device("phone")
    reader.register(server.url, email())
    author.register(server.url, f"{name}@example.org")
    reader.run("feed", "follow", name)
    return reader, author


def test_what_is_posted_is_read_liked_and_shared(server, new_device):
    reader, author = two(server, new_device)
    posted = author.run("feed", "post", "We went **up**. <script>alert(1)</script>").stdout
    said = reader.run("feed").stdout
    assert "We went up. <script>alert(1)</script>" in said
    digits = str(feed(reader)[0][0]["postId"])[-6:]
    assert posted == f"Posted as {digits}.\n"
    reader.run("feed", "like", digits)
    reader.run("feed", "bookmark", digits)
    reader.run("feed", "share", digits)
    assert "1 like, yours · 1 share · bookmarked" in reader.run("feed", "show", digits).stdout
    reader.run("feed", "unlike", digits)
    assert not feed(reader)[0][0]["liked"]
    assert feed(author)[0][0]["shareCount"] == 1


def test_a_post_with_too_many_letters_is_refused_with_the_limits(server, new_device):
    author = two(server, new_device)[1]
    said = author.run("feed", "post", "-", stdin=b"a" * 10_001, check=False)
    assert said.code != 0 and "10,000 characters" in said.text


def test_a_picture_on_the_server_goes_with_a_post(server, new_device):
    reader, author = two(server, new_device)
    (author.home / "hill.png").write_bytes(picture(0.4))
    (author.home / "notes.txt").write_text("no picture")
    author.put("hill.png", "notes.txt", "/")
    author.run("feed", "post", "--attach", "/hill.png")
    assert feed(reader)[0][0]["attachmentCount"] == 1
    assert "image\n    " + server.url + "/v1/content/" in reader.run("feed", "show", str(feed(reader)[0][0]["postId"])).stdout
    refused = author.run("feed", "post", "look", "--attach", "/notes.txt", check=False)
    assert refused.code == 1 and "not a picture or video" in refused.stderr
    assert author.run("feed", "post", "look", "--attach", "/gone.png", check=False).code == 4


def posts_folder(device):
    return [file["name"] for file in device.json_lines("ls", "/Posts")]


def test_a_picture_of_this_machine_goes_up_and_then_the_post(server, new_device):
    reader, author = two(server, new_device)
    for number, name in enumerate(("hill.png", "lake.png")):
        (author.home / name).write_bytes(picture(0.2 + number / 4))
    said = author.run("feed", "post", "Two.", "--attach", "hill.png", "--caption", "A hill.", "--attach", "./lake.png",
                      "--caption", "", cwd=author.home)
    assert said.stdout.startswith("Posted as ") and "“hill.png” on this machine is uploaded to “/Posts”" in said.stderr
    assert sorted(posts_folder(author)) == ["hill.png", "lake.png"]
    assert feed(reader)[0][0]["attachmentCount"] == 2
    assert "image: A hill." in reader.run("feed", "show", str(feed(reader)[0][0]["postId"])).stdout
    (author.home / "hill.png").write_bytes(picture(0.9))
    author.run("feed", "post", "Another hill.", "--attach", author.home / "hill.png")
    assert len(posts_folder(author)) == 3, "another picture of the same name is another file"
    author.run("feed", "post", "The lake.", "--attach", author.home / "lake.png")
    assert len(posts_folder(author)) == 3, "the same picture is there once"
    refused = author.run("feed", "post", "x", "--attach", "gone.png", check=False)
    assert refused.code == 4 and "not on this machine" in refused.stderr
    assert author.run("feed", "post", "x", "--attach", author.home, check=False).code == 4
    folder = author.run("feed", "post", "x", "--attach", "/Posts", check=False)
    assert folder.code == 4 and "“/Posts” on the server is a folder" in folder.stderr
    assert author.run("feed", "post", "x", "--attach", "hill.png", "--caption", "a", "--caption", "b", check=False).code == 2


def test_a_post_with_a_picture_waits_for_a_connection_and_is_there_once(server, new_device):
    reader, author = two(server, new_device)
    author.run("ls", "/")
    (author.home / "hill.png").write_bytes(picture(0.4))
    server.stop()
    said = author.run("feed", "post", "From a train.", "--attach", author.home / "hill.png", code=QUEUED)
    assert LATER in said.stderr and "waits for 1 picture or video" in said.stderr
    # What was posted is what was there then.
    (author.home / "hill.png").unlink()
    assert "waiting for 1 picture or video (" in author.run("feed", "outbox").stdout
    waiting = author.json_lines("feed", "outbox")
    assert [post["attachmentsToSend"] for post in waiting] == [1] and waiting[0]["bytesToSend"] > 0
    server.start()
    wait_until(lambda: feed(author)[1] == [], what="it was sent")
    assert texts(feed(reader)[0]) == ["<p>From a train.</p>"] and feed(reader)[0][0]["attachmentCount"] == 1
    assert posts_folder(author) == ["hill.png"]


def test_what_is_said_without_a_connection_is_of_what_was_just_done(server, new_device):
    reader, author = two(server, new_device)
    author.run("feed", "post", "Here.")
    post = feed(author)[0][0]["postId"]
    author.run("ls", "/")
    (author.home / "hill.png").write_bytes(picture(0.4))
    server.stop()
    first = author.run("feed", "post", "From a train.", "--attach", author.home / "hill.png", code=QUEUED).stderr
    assert "The post waits for 1 picture" in first and f"This {LATER}" in first
    for deed in (("post", "Words alone."), ("like", post), ("comment", post, "Well."), ("post", "More.")):
        said = author.run("feed", *deed, code=QUEUED).stderr
        assert "picture or video" not in said, said
    assert "This and 4 earlier actions will be " in said
    assert f"This {LATER}" in author.run("feed", "edit", author.json_lines("feed", "outbox")[0]["number"], "--detach").stderr


def test_what_is_posted_says_by_which_number_other_commands_take_it(server, new_device):
    _, author = two(server, new_device)
    said = author.json("feed", "post", "Here.")
    assert said["posted"] and "number" not in said
    assert author.json("feed", "show", said["postId"])["post"]["postId"] == said["postId"]
    digits = str(said["postId"])[-6:]
    assert f"bothy feed trash restore {digits}" in author.run("feed", "delete", digits).stdout
    author.run("feed", "trash", "restore", digits)
    assert texts(feed(author)[0]) == ["<p>Here.</p>"]
    server.stop()
    waits = author.json("feed", "post", "Later.", code=QUEUED)
    assert not waits["posted"] and "postId" not in waits
    assert waits["number"] == author.json_lines("feed", "outbox")[0]["number"]


def test_a_second_like_without_a_connection_is_none(server, new_device):
    reader, author = two(server, new_device)
    author.run("feed", "post", "Here.")
    post = feed(reader)[0][0]["postId"]
    server.stop()
    reader.run("feed", "like", post, code=QUEUED)
    assert "liked already" in reader.run("feed", "like", post).stdout
    assert [one["kind"] for one in reader.json_lines("journal")] == ["interact"]
    reader.run("feed", "unlike", post, code=QUEUED)
    assert "already" not in reader.run("feed", "like", post, code=QUEUED).stdout
    server.start()
    wait_until(lambda: feed(reader) and reader.json_lines("journal") == [], what="it was sent")
    assert feed(reader)[0][0]["likeCount"] == 1


def test_a_number_of_the_outbox_never_means_another_post(server, new_device):
    reader, author = two(server, new_device)
    author.run("feed", "post", "Here.")
    post = str(feed(author)[0][0]["postId"])
    server.stop()
    author.run("feed", "post", "Later.", code=QUEUED)
    number = author.json_lines("feed", "outbox")[0]["number"]
    assert "Later." in author.run("feed", "show", number).stdout
    assert author.json("feed", "show", number)["number"] == number
    refused = author.run("feed", "delete", number, check=False)
    assert refused.code == 4 and f"bothy feed discard {number}" in refused.stderr
    assert len(author.json_lines("feed", "outbox")) == 1
    for few in (1, 2, 3):
        if int(post[-few:]) != number:
            assert author.run("feed", "delete", post[-few:], check=False).code == 4
    assert texts(feed(author)[0]) == ["<p>Here.</p>"]
    assert "Here." in author.run("feed", "show", post[-4:]).stdout


def test_a_command_that_is_killed_loses_no_post_and_doubles_none(server, new_device):
    reader, author = two(server, new_device)
    generator = random.Random(7)
    for number in range(10):
        (author.home / f"{number}.png").write_bytes(picture(number / 10))
        process = author.start("feed", "post", f"number {number}", "--attach", author.home / f"{number}.png")
        try:
            process.wait(generator.uniform(0.02, 0.4))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    wait_until(lambda: feed(author)[1] == [], what="all that was written down is sent")
    posts, _ = feed(reader)
    assert len(set(texts(posts))) == len(posts), "none is there twice"
    assert [post["attachmentCount"] for post in posts] == [1] * len(posts), "none is there without its picture"
    there = posts_folder(author) if posts else []
    assert sorted(there) == sorted(text[len("<p>number "):-len("</p>")] + ".png" for text in texts(posts))


def test_a_post_goes_without_a_picture_that_does_not_go_up(server, new_device):
    reader, author = two(server, new_device)
    author.run("ls", "/")
    (author.home / "hill.png").write_bytes(picture(0.4))
    server.stop()
    author.run("feed", "post", "Words.", "--attach", author.home / "hill.png", code=QUEUED)
    author.run("feed", "post", "--attach", author.home / "hill.png", code=QUEUED)
    words, bare = [post["number"] for post in author.json_lines("feed", "outbox")]
    author.run("feed", "edit", words, "--detach", code=QUEUED)
    refused = author.run("feed", "edit", bare, "--detach", check=False)
    assert refused.code == 1 and "would be empty" in refused.stderr
    assert "still uploaded to “/Posts”" in author.run("feed", "discard", bare).stdout
    assert [post["attachmentCount"] for post in author.json_lines("feed", "outbox")] == [0]
    server.start()
    wait_until(lambda: feed(author)[1] == [], what="it was sent")
    assert [(post["contentSummary"], post["attachmentCount"]) for post in feed(reader)[0]] == [("<p>Words.</p>", 0)]


def test_a_post_gets_another_text_and_goes_without_its_picture_in_one_edit(server, new_device):
    """With a connection, the picture was uploaded and posted before the post could go without it."""
    reader, author = two(server, new_device)
    author.run("ls", "/")
    (author.home / "hill.png").write_bytes(picture(0.4))
    server.stop()
    author.run("feed", "post", "Words.", "--attach", author.home / "hill.png", code=QUEUED)
    [waiting] = author.json_lines("feed", "outbox")
    server.start()
    author.run("feed", "edit", waiting["number"], "Other words.", "--detach")
    assert [(post["contentSummary"], post["attachmentCount"]) for post in feed(reader)[0]] == [("<p>Other words.</p>", 0)]


def test_what_waits_and_is_no_transfer_is_counted_with_the_transfers(server, new_device):
    """The status counted it, and the transfers said that nothing waits."""
    _, author = two(server, new_device)
    author.run("ls", "/")
    assert "“bothy journal”" not in author.run("transfers").stderr
    server.stop()
    author.run("feed", "post", "Later.", code=QUEUED)
    author.run("feed", "post", "Later still.", code=QUEUED)
    assert "2 things to be sent to the feed" in author.run("status").stdout
    assert "2 other actions wait here." in author.run("transfers").stderr
    author.run("feed", "discard", author.json_lines("feed", "outbox")[0]["number"])
    assert "1 other action waits here." in author.run("transfers").stderr
    # A document has the transfers alone; these are in the journal's.
    assert author.json_lines("transfers") == [] and len(author.json_lines("journal")) == 1


def test_a_profile_that_is_shown_without_a_connection_says_so(server, new_device):
    reader, _ = two(server, new_device)
    known = reader.run("feed", "profile")
    assert "fetched before" not in known.stderr
    server.stop()
    away = reader.run("feed", "profile")
    assert away.stdout == known.stdout and "This is what this device has fetched before." in away.stderr


def test_of_somebody_of_whom_no_post_was_fetched_that_is_said(server, new_device):
    reader, author = two(server, new_device)
    author.run("feed", "post", "unseen")
    people = {one["name"]: one for one in reader.json_lines("feed", "people")}
    name = author.json("feed", "profile")["name"]
    assert name in people
    server.stop()
    away = reader.run("feed", "list", "--of", f"@{people[name]['handle']}")
    assert "With a connection, they are shown." in away.stderr and "has not posted" not in away.text


def test_without_a_connection_it_is_read_liked_and_written(server, new_device):
    reader, author = two(server, new_device)
    for number in range(3):
        author.run("feed", "post", f"number {number}")
    posts, _ = feed(reader)
    server.stop()
    ids = [post["postId"] for post in posts]
    assert LATER in reader.run("feed", "like", ids[0]).stderr
    reader.run("feed", "like", ids[1])
    reader.run("feed", "unlike", ids[1])
    for text in ("first", "second"):
        assert LATER in reader.run("feed", "post", text).stderr
    away = reader.run("feed")
    assert "cannot be reached" in away.stderr and away.stdout.count("waiting to be posted") == 2
    kept, waiting = feed(reader)
    assert texts(kept) == texts(posts) and [post["liked"] for post in kept] == [True, False, False]
    assert [post["content"] for post in waiting] == ["<p>second</p>", "<p>first</p>"], "the newest first"
    assert "4 things to be sent to the feed" in reader.run("status").stdout or "5 things" in reader.run("status").stdout
    server.start()
    posts, waiting = feed(reader)
    assert waiting == [] and texts(posts)[:2] == ["<p>second</p>", "<p>first</p>"]
    assert [post["likeCount"] for post in feed(author)[0]] == [1, 0, 0]


def test_what_the_agent_finds_is_sent_without_a_command(server, new_device):
    reader, author = two(server, new_device)
    reader.starts_its_agent()
    server.stop()
    try:
        reader.run("feed", "post", "from a train")
        server.start()
        api = Api(server.url).login(reader.json("whoami")["user"]["email"], PASSWORD)
        wait_until(lambda: texts(api.call("GET", "/v1/feed", expect=200).json()["feed"]) == ["<p>from a train</p>"],
                   what="the post is there")
        assert "feed" not in [line["part"] for line in reader.json("status")["lines"]]
    finally:
        reader.run("agent", "--stop", check=False)


def test_a_post_whose_answer_is_lost_is_there_once(device, proxy):
    proxy.add(fault_proxy.drop_answer(a_post, times=3), fault_proxy.drop_answer(an_interaction, times=3))
    device.run("feed", "post", "once")
    wait_until(lambda: feed(device)[1] == [], what="it has left the device")
    posts, _ = feed(device)
    assert texts(posts) == ["<p>once</p>"]
    device.run("feed", "like", posts[0]["postId"])
    wait_until(lambda: feed(device)[0][0]["likeCount"] == 1)
    assert len(proxy.seen(a_post)) > 1, "it was asked for more than once"


def test_what_is_refused_later_is_kept_until_somebody_decides(server, new_device):
    device = new_device().register(server.url, email())
    (device.home / "hill.png").write_bytes(picture(0.4))
    device.put("hill.png", "/")
    device.run("ls")
    server.stop()
    device.run("feed", "post", "a hill", "--attach", "/hill.png")
    server.start()
    api = Api(server.url).login(device.json("whoami")["user"]["email"], PASSWORD)
    api.call("DELETE", f"/v1/files/{api.call('GET', '/v1/files').json()['files'][0]['id']}?permanent=true")
    wait_until(lambda: api.call("GET", "/v1/about").json()["quota"]["used"] == 0, what="its content is gone")
    assert "not posted: An attachment" in device.run("feed").stdout
    assert device.run("feed", "retry", check=False).code == 1
    number = device.json_lines("feed", "outbox")[0]["number"]
    assert "discarded" in device.run("feed", "discard", number).stdout
    assert feed(device) == ([], [])
    assert device.run("feed", "discard", number, check=False).code == 4


def test_signing_out_asks_before_it_gives_up_what_waits(server, new_device):
    device = new_device().register(server.url, email())
    server.stop()
    device.run("feed", "post", "not sent yet")
    assert device.run("logout", check=False).code == 1
    assert len(feed(device)[1]) == 1
    device.run("logout", "--give-up-transfers")
    server.start()
    device.register(server.url, email())
    assert feed(device) == ([], [])


def test_only_who_wrote_a_post_deletes_it_and_then_it_is_gone(server, new_device):
    reader, author = two(server, new_device)
    author.run("feed", "post", "soon gone")
    post = feed(reader)[0][0]["postId"]
    refused = reader.run("feed", "delete", post, check=False)
    assert refused.code == 1 and "Only the author of a post" in refused.stderr
    author.run("feed", "delete", post)
    assert reader.run("feed", "show", post, check=False).code == 4
    assert reader.run("feed", "like", post, check=False).code == 4
    assert feed(reader) == ([], [])


def test_a_deleted_post_is_listed_restored_and_deleted_for_good(server, new_device):
    reader, author = two(server, new_device)
    author.run("feed", "post", "soon gone")
    post = feed(reader)[0][0]["postId"]
    reader.run("feed", "like", post)
    author.run("feed", "delete", post)
    [trashed] = author.json_lines("feed", "trash")
    assert trashed["post"] == post and trashed["contentSummary"] == "<p>soon gone</p>" and trashed["deletedAt"] >= trashed["createdAt"]
    assert "soon gone" in author.run("feed", "trash").stdout and reader.json_lines("feed", "trash") == []
    digits = str(post)[-6:]
    author.run("feed", "trash", "restore", digits)
    assert feed(author)[0][0]["likeCount"] == 1 and author.json_lines("feed", "trash") == []
    assert author.run("feed", "trash", "restore", digits, check=False).code == 4
    author.run("feed", "delete", post)
    assert author.json("feed", "trash", "delete", digits) == {"deletedForGood": post}
    assert author.json_lines("feed", "trash") == [] and feed(author)[0] == []
    refused = author.run("feed", "trash", "delete", "my post", check=False)
    assert refused.code == 2 and "“my post” is not a post." in refused.stderr


def test_what_was_not_fetched_between_two_looks_is_said_to_be_missing(server, new_device):
    reader, author = two(server, new_device)

    def post(*numbers):
        for number in numbers:
            author.run("feed", "post", f"number {number}")

    post(1, 2)
    feed(reader)
    # More than the page and the one behind it, which is fetched where that closes the gap.
    post(*range(3, 36))
    reader.run("feed", "-n", "1")
    server.stop()
    shown = feed(reader)[0]
    assert texts(shown) == [f"<p>number {number}</p>" for number in (35, 2, 1)]
    assert [("missing" in one) for one in shown] == [True, False, False]
    said = reader.run("feed").stdout
    assert said.index("number 35") < said.index("Posts are missing here") < said.index("number 2")
    server.start()
    fetched = reader.json("feed", "list", "-n", "40", "--after", shown[0]["missing"])["feed"]
    assert texts(fetched) == [f"<p>number {number}</p>" for number in range(34, 0, -1)]
    server.stop()
    assert texts(reader.json("feed", "-n", "40")["feed"]) == [f"<p>number {number}</p>" for number in range(35, 0, -1)]
    assert "missing" not in reader.run("feed", "-n", "40").stdout


def test_what_is_missing_is_fetched_from_below_as_well(server, new_device):
    reader, author = two(server, new_device)

    def post(*numbers):
        for number in numbers:
            author.run("feed", "post", f"number {number}")

    def numbered(page):
        return [int(text.removeprefix("<p>number ").removesuffix("</p>")) for text in texts(page["feed"])]

    post(1, 2)
    feed(reader)
    post(*range(3, 36))
    reader.run("feed", "-n", "1")
    server.stop()
    place = feed(reader)[0][0]["missingAbove"]
    assert f"--above {place}" in reader.run("feed").stdout
    refused = reader.run("feed", "list", "--above", place, check=False)
    assert refused.code != 0 and refused.stderr
    server.start()
    lower = reader.json("feed", "list", "-n", "5", "--above", place)
    assert numbered(lower) == [7, 6, 5, 4, 3]
    rest = reader.json("feed", "list", "-n", "100", "--above", lower["newer"])
    assert numbered(rest) == list(range(35, 7, -1)) and "newer" not in rest
    newest = str(feed(reader)[0][0]["postId"])
    assert "nothing newer" in reader.run("feed", "list", "--above", newest).text
    assert "nothing newer" in reader.run("feed", "list", "--above", newest[-6:]).text, "as it is printed beside the post"
    server.stop()
    assert numbered(reader.json("feed", "-n", "40")) == list(range(35, 0, -1))
    assert "missing" not in reader.run("feed", "-n", "40").stdout
    assert reader.run("feed", "list", "--above", place, "--bookmarks", check=False).code != 0


def test_the_digits_beside_a_post_name_its_place_in_the_feed(server, new_device):
    """They were taken for an entry below all others, and the oldest posts were listed."""
    reader, author = two(server, new_device)
    for number in (1, 2, 3):
        author.run("feed", "post", f"number {number}")
    reader.run("feed", "post", "number 4")
    [third] = [one for one in feed(reader)[0] if one["contentSummary"] == "<p>number 3</p>"]
    assert third["entryId"] == third["postId"]
    for place in (str(third["postId"])[-6:], third["postId"], third["entryId"]):
        assert texts(reader.json("feed", "list", "--above", place)["feed"]) == ["<p>number 4</p>"], place
    # Another account's post that was only looked at is in no feed here.
    stranger = Api(server.url).register(email())
    other = posted(stranger, "<p>elsewhere</p>")
    reader.run("feed", "show", other)
    for place in (other, str(other)[-6:]):
        refused = reader.run("feed", "list", "--above", place, check=False)
        assert refused.code != 0 and "not in the feed" in refused.stderr, refused
    assert reader.run("feed", "list", "--above", "0", check=False).code != 0
    assert "is not a post" in reader.run("feed", "list", "--above", "newest", check=False).stderr


def test_between_posts_of_ones_own_nothing_is_said_to_be_missing(server, new_device):
    _, author = two(server, new_device)
    author.run("feed", "post", "first")
    feed(author)
    author.run("feed", "post", "second")
    author.run("feed", "-n", "1")
    author.run("feed", "post", "third")
    author.run("feed", "post", "fourth")
    author.run("feed", "-n", "1")
    server.stop()
    assert texts(feed(author)[0]) == [f"<p>{word}</p>" for word in ("fourth", "third", "second", "first")]
    assert "missing" not in author.run("feed").stdout


def test_people_and_posts_are_named_as_they_are_shown(server, new_device):
    reader, author = two(server, new_device)
    people = reader.json_lines("feed", "people")
    assert [person["following"] for person in people if not person["isYou"]] == [True]
    assert reader.run("feed", "follow", "nobody of that name", check=False).code == 4
    assert reader.run("feed", "list", "--of", str(people[0]["id"])).code == 0
    for word, code in (("12", 4), ("x", 2), ("-1", 2)):
        assert reader.run("feed", "show", "--", word, check=False).code == code, word
    assert reader.run("feed", "post", check=False).code == 2
    assert reader.run("feed", "post", "  ", check=False).code == 2


def test_a_server_that_fails_is_not_told_as_a_missing_connection(device, proxy):
    proxy.add(fault_proxy.answer(500, a_post, times=20))
    said = device.run("feed", "post", "not yet", code=QUEUED)
    assert "no connection" not in said.text and "will be tried again" in said.text, said.text
    assert [post["content"] for post in feed(device)[1]] == ["<p>not yet</p>"]


def test_what_was_never_there_is_not_told_as_deleted(device):
    for command in (["feed", "delete"], ["feed", "like"], ["feed", "show"]):
        said = device.run(*command, "385283640130535424", check=False)
        assert said.code == 4 and "folder" not in said.stderr and "feed" in said.stderr, said.text


def test_while_nothing_goes_on_by_itself_a_look_sends_nothing(server, new_device):
    device = new_device().register(server.url, email())
    server.stop()
    device.run("feed", "post", "later")
    device.run("pause")
    server.start()
    assert feed(device) == ([], feed(device)[1]) and len(feed(device)[1]) == 1
    device.run("resume")
    assert texts(feed(device)[0]) == ["<p>later</p>"]


def test_what_was_seen_is_shown_without_a_connection(server, new_device):
    reader, author = two(server, new_device)
    author.run("feed", "post", "short #walk")
    author.run("feed", "post", "beginning " + "word " * 200)
    posts, _ = feed(reader)
    name = posts[0]["author"]["name"]
    short, long = [str(post["postId"]) for post in reversed(posts)]
    author.run("feed", "like", short)
    author.run("feed", "comment", short, "Yes.")
    reader.run("feed", "post", "mine")
    author.run("feed", "like", str(feed(reader)[0][0]["postId"]))
    assert "liked your post" in reader.run("feed", "notifications").stdout
    reader.run("feed", "profile", name)
    reader.run("feed", "post", "later", "--at", "in 2 hours")
    reader.run("feed", "scheduled")
    server.stop()
    shown = reader.run("feed", "show", long)
    assert "beginning word" in shown.stdout and "only its beginning is shown" in shown.stderr
    assert reader.json("feed", "show", long)["isBeginning"] and not reader.json("feed", "show", short)["isBeginning"]
    assert "short" in reader.run("feed", "show", short).stdout
    for command, words in (
            (["notifications"], "liked your post"), (["list", "--of", name], "short"), (["profile", name], name),
            (["search", "begin"], "beginning"), (["search", "#walk"], "short"), (["scheduled"], "later")):
        said = reader.run("feed", *command)
        assert words in said.stdout, said
        assert "cannot be reached" in said.stderr or command[0] == "profile", said
    assert "kept on this device has these words" in reader.run("feed", "search", "nowhere").stderr
    server.start()
    assert "beginning" not in reader.run("feed", "show", long).stderr


def found(device, *words):
    """Of each that a search finds, who found it and what it says."""
    return [(post["from"], re.sub("<[^>]*>", "", post["contentSummary"])) for post in device.json("feed", "search", *words)["feed"]]


def test_a_search_joins_what_the_server_finds_with_what_is_kept_here(server, new_device):
    reader, author = two(server, new_device)
    for number in range(1, 5):
        author.run("feed", "post", f"walk {number} #hut")
    author.run("feed", "delete", str(feed(reader)[0][1]["postId"]))
    there = [("server", f"walk {number} #hut") for number in (4, 2, 1)]
    assert found(reader, "walk") == found(reader, "#hut") == there, "nothing that is gone comes from the device"
    said = reader.run("feed", "search", "walk")
    assert said.stdout.count("on the server") == 3 and "on this device" not in said.stdout + said.stderr
    first = reader.json("feed", "search", "walk", "--limit", "2")
    second = reader.json("feed", "search", "walk", "--limit", "2", "--after", first["next"])
    assert len(first["feed"]) == 2 and second["feed"] == reader.json("feed", "search", "walk")["feed"][2:]
    server.stop()
    reader.run("feed", "post", "walk 5 #hut")
    for words in ("walk", "#hut"):
        assert found(reader, words)[:2] == [("device", "walk 5 #hut"), ("device", "walk 4 #hut")]
        said = reader.run("feed", "search", words)
        assert said.stdout.count("on this device") >= 3 and "waiting to be posted" in said.stdout
        assert "cannot be reached" in said.stderr and "only the posts that are kept on this device" in said.stderr
    later = reader.json("feed", "search", "walk", "--limit", "2", "--after", first["next"])
    assert [post["postId"] for post in later["feed"]] == [post["postId"] for post in second["feed"]]
    assert {post["from"] for post in later["feed"]} == {"device"} and later["unreached"]
    server.start()
    wait_until(lambda: feed(reader)[1] == [], what="it was sent")
    assert found(reader, "walk") == found(reader, "#hut") == [("server", "walk 5 #hut"), *there]


def test_drafts_are_listed_and_posted_without_a_connection(server, new_device):
    device = new_device().register(server.url, email())
    api = Api(server.url).login(device.json("whoami")["user"]["email"], PASSWORD)
    api.call("PUT", "/v1/drafts/123456789", expect=201, json={"content": "<p>begun</p>"})
    number = device.json_lines("feed", "drafts")[0]["number"]
    refused = device.run("feed", "post", "--draft", number, "--to", "nobody of that name", check=False)
    assert refused.code == 4, "it was read here by that"
    server.stop()
    assert "begun" in device.run("feed", "drafts").stdout
    assert LATER in device.run("feed", "post", "--draft", number).stderr
    assert device.json_lines("feed", "drafts") == []
    server.start()
    wait_until(lambda: feed(device)[1] == [], what="it was sent")
    assert texts(feed(device)[0]) == ["<p>begun</p>"]
    assert api.call("GET", "/v1/drafts", expect=200).json()["drafts"] == []


def test_why_takes_a_post_as_the_feed_shows_it_and_files_come_first(server, new_device):
    reader, author = two(server, new_device)
    author.run("feed", "post", "hello")
    digits = str(feed(reader)[0][0]["postId"])[-6:]
    assert "because you follow" in reader.run("why", digits).stdout
    assert reader.json("why", digits)["because"] == "followed"
    (reader.home / digits).write_text("a file of that name")
    assert "because you follow" not in reader.run("why", digits).stdout
    server.stop()
    reader.run("feed", "post", "waits", "--to", "followers")
    said = reader.run("feed", "outbox").stdout
    assert "for followers only" in said
    [waiting] = reader.json_lines("feed", "outbox")
    assert waiting["audience"] == {"kind": "followers"}
    assert "post “waits” to your followers" in reader.run("why", str(waiting["number"])).stdout
    status = reader.run("status").stdout
    assert "All changes to your files were sent." in status and "1 thing to be sent to the feed." in status


def test_a_post_that_waits_for_its_time_is_moved_by_the_same_words(server, new_device):
    device = new_device().register(server.url, email())
    device.run("feed", "post", "later", "--at", "in 2 hours")
    [post] = device.json_lines("feed", "scheduled")
    device.run("feed", "scheduled", "move", post["number"], "tomorrow", "8:00")
    assert device.json_lines("feed", "scheduled")[0]["publishAt"] != post["publishAt"]
    device.run("feed", "scheduled", "move", post["number"], "in 3 hours")
    over = device.run("feed", "scheduled", "move", post["number"], "today", "0:00", check=False)
    assert over.code == 2 and "--at" not in over.stderr and "“now”" in over.stderr
    assert "1 post ·" not in device.run("feed", "profile").stdout
    device.run("feed", "scheduled", "move", post["number"], "now")
    assert "1 post · 0 followers" in device.run("feed", "profile").stdout
