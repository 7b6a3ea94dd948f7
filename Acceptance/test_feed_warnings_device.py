"""Content warnings on the command line: typed, kept without a connection, sent, and shown in place of the post."""

from device import QUEUED
from test_feed import page, posted
from test_feed_device import LATER, feed, two
from test_feed_drafts import drafts, new_draft, saved
from test_feed_scheduled import at, schedule
from test_feed_words import author, reader  # noqa: F401
from waiting import wait_until

WARNING = "Tells the end of the film"


def test_a_list_shows_the_warning_and_show_has_the_post(reader, author):  # noqa: F811
    post = posted(author, "<p>She leaves him.</p>", contentWarning=WARNING)
    said = reader.run("feed").stdout
    assert f"  Warning: {WARNING}\n" in said and "She leaves" not in said
    shown = reader.run("feed", "show", post).stdout
    assert f"  Warning: {WARNING}\n" in shown and "She leaves him." in shown
    entry = next(one for one in feed(reader)[0] if one["postId"] == post)
    assert entry["contentWarning"] == WARNING and entry["contentSummary"] == "<p>She leaves him.</p>"
    assert reader.json("feed", "show", post)["post"]["contentWarning"] == WARNING


def test_what_is_posted_with_a_warning_waits_with_it_and_is_kept_with_it(server, new_device):
    reader, author = two(server, new_device)
    server.stop()
    assert LATER in author.run("feed", "post", "She leaves him.", "--warning", WARNING, code=QUEUED).stderr
    [waiting] = feed(author)[1]
    assert waiting["contentWarning"] == WARNING
    assert author.json_lines("feed", "outbox")[0]["contentWarning"] == WARNING
    assert f"Warning: {WARNING}" in author.run("feed", "outbox").stdout
    server.start()
    wait_until(lambda: feed(author)[1] == [], what="it was sent")
    assert [one["contentWarning"] for one in feed(reader)[0]] == [WARNING]
    server.stop()
    said = reader.run("feed").stdout
    assert f"Warning: {WARNING}" in said and "She leaves" not in said
    assert feed(reader)[0][0]["contentWarning"] == WARNING
    [post] = [one["postId"] for one in feed(reader)[0]]
    shown = reader.run("feed", "show", post).stdout
    assert f"Warning: {WARNING}" in shown and "She leaves him." in shown
    assert [one["postId"] for one in reader.json("feed", "search", "film")["feed"]] == [post], "by a word of its warning"


def test_a_draft_is_posted_with_its_warning_or_with_another(api, new_device):
    device = new_device("laptop").login(api.url, api.user["email"])
    for typed, kept in (([], WARNING), (["--warning", "Sad"], "Sad"), (["--warning", ""], None)):
        draft = new_draft()
        saved(api, draft, contentWarning=WARNING)
        device.run("feed", "post", "--draft", draft, *typed)
        assert page(api)["feed"][0].get("contentWarning") == kept


def test_drafts_are_listed_with_their_warnings(api, new_device):
    device = new_device("laptop").login(api.url, api.user["email"])
    warned, plain = new_draft(), new_draft()
    saved(api, warned, contentWarning=WARNING)
    saved(api, plain)
    told = {warned: WARNING, plain: None}
    assert {one["draftId"]: one.get("contentWarning") for one in drafts(api)} == told
    assert device.run("feed", "drafts").stdout.count(f"  Warning: {WARNING}\n") == 1
    assert {one["number"]: one.get("contentWarning") for one in device.json_lines("feed", "drafts")} == told


def test_what_waits_for_its_time_and_what_is_deleted_say_their_warnings(api, new_device):
    device = new_device("laptop").login(api.url, api.user["email"])
    schedule(api, at(days=1), contentWarning=WARNING)
    api.call("DELETE", f"/v1/posts/{posted(api, contentWarning=WARNING)}", expect=204)
    for list_ in ("scheduled", "trash"):
        assert f"  Warning: {WARNING}\n" in device.run("feed", list_).stdout
        assert [one["contentWarning"] for one in device.json_lines("feed", list_)] == [WARNING]


def test_a_warning_that_is_too_long_is_told_before_anything_is_sent(reader):  # noqa: F811
    said = reader.run("feed", "post", "a", "--warning", "a" * 201, check=False)
    assert said.code == 2 and "200 characters" in said.stderr, said


def test_the_warning_of_a_post_is_set_and_taken_away_and_its_text_stays(api, new_device):
    device = new_device("laptop").login(api.url, api.user["email"])
    post = posted(api, "<p>She leaves him.</p>")
    for typed, kept in ((["--warning", WARNING], WARNING), (["She stays.", "--warning", "Sad"], "Sad"), (["--no-warning"], None)):
        device.run("feed", "edit", post, *typed)
        assert page(api)["feed"][0].get("contentWarning") == kept
    assert page(api)["feed"][0]["contentSummary"] == "<p>She stays.</p>"
    for wrong in (["--warning", "a", "--no-warning"], ["--warning", "a" * 201], []):
        assert device.run("feed", "edit", post, *wrong, check=False).code == 2, wrong
    assert device.json("feed", "edit", post, "--warning", WARNING)["version"] == 5


def test_the_warning_of_a_post_that_waits_is_set_and_taken_away(server, new_device):
    _, author = two(server, new_device)
    server.stop()
    author.run("feed", "post", "She leaves him.", code=QUEUED)
    number = author.json_lines("feed", "outbox")[0]["number"]
    for typed, kept in ((["--warning", WARNING], WARNING), (["--no-warning"], None), (["--warning", "Sad"], "Sad")):
        author.run("feed", "edit", number, *typed, code=QUEUED)
        [waiting] = author.json_lines("feed", "outbox")
        assert waiting.get("contentWarning") == kept and waiting["content"] == "<p>She leaves him.</p>"
    server.start()
    wait_until(lambda: feed(author)[1] == [], what="it was sent")
    assert feed(author)[0][0]["contentWarning"] == "Sad"
