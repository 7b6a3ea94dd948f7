"""A post stands behind a content warning, wherever it is written, kept, found and told of."""

import pytest

from api import new_id, problem
from documented import assert_documented
from test_feed import act, follow, page, posted, posts_of, read, try_post
from test_feed_drafts import draft, drafts, new_draft, saved
from test_feed_edits import edit, history
from test_feed_notifications import comment, told
from test_feed_scheduled import at, schedule, waiting
from waiting import wait_until

WARNING = "Tells the end of the film"
#: A direction override, a line separator and a bell, which act on a screen.
ACTING = "\u202e\u2028\x07"


@pytest.fixture
def author(new_account):
    return new_account()


@pytest.fixture
def reader(new_account, author):
    reader = new_account()
    follow(reader, author)
    return reader


def found(api, words):
    return [one["postId"] for one in api.call("GET", "/v1/posts/search", params={"q": words}, expect=200).json()["feed"]]


def test_a_warning_stands_in_every_list_and_in_the_post(author, reader):
    post, plain = posted(author, "<p>She leaves.</p>", contentWarning=WARNING), posted(author)
    for entries in (page(reader)["feed"], page(reader, posts_of(author))["feed"]):
        seen = {entry["postId"]: entry for entry in entries}
        assert seen[post]["contentWarning"] == WARNING and seen[post]["contentSummary"] == "<p>She leaves.</p>"
        assert "contentWarning" not in seen[plain]
    assert read(reader, post)["contentWarning"] == WARNING and "contentWarning" not in read(reader, plain)


@pytest.mark.parametrize("warning", ["", "   ", ACTING, "a" * 201, f" {ACTING} "], ids=["empty", "spaces", "acting", "long", "both"])
def test_a_warning_that_says_nothing_or_too_much_is_refused(author, warning):
    response = try_post(author, contentWarning=warning)
    assert_documented(response, "POST", "/v1/posts")
    problem(response, 400, "invalid_parameter")
    assert page(author)["feed"] == [], "nothing is posted without its warning"


def test_a_warning_is_plain_text_on_one_line(author):
    for sent, kept in ((f" {ACTING}Sad\n ", "Sad"), ("<b>&amp;</b>", "<b>&amp;</b>"), ("a" * 200, "a" * 200)):
        assert read(author, posted(author, contentWarning=sent))["contentWarning"] == kept


def test_a_post_is_found_by_the_words_of_its_warning(author, reader):
    word, other = f"w{new_id()[:8]}", f"w{new_id()[:8]}"
    post = posted(author, contentWarning=f"About {word}")
    assert found(reader, word) == [post] and found(reader, other) == []
    edit(author, post, contentWarning=other)
    assert found(reader, word) == [] and found(reader, other) == [post]


def test_an_edit_sets_a_warning_keeps_it_and_takes_it_away(author, reader):
    post = posted(author, "<p>one</p>")
    assert edit(author, post, contentWarning=WARNING).json()["post"]["contentWarning"] == WARNING
    assert edit(author, post, base=2, content="<p>two</p>").json()["post"]["contentWarning"] == WARNING
    assert edit(author, post, base=3, contentWarning=WARNING).json()["post"]["version"] == 3, "it is so already"
    assert "contentWarning" not in edit(author, post, base=3, contentWarning="").json()["post"]
    assert [(each["version"], each["content"], each.get("contentWarning")) for each in history(reader, post)] == [
        (4, "<p>two</p>", None), (3, "<p>two</p>", WARNING), (2, "<p>one</p>", WARNING), (1, "<p>one</p>", None)]
    problem(edit(author, post, base=4, expect=400, contentWarning="a" * 201), 400, "invalid_parameter")
    assert read(author, post)["version"] == 4


def test_a_draft_keeps_its_warning_and_a_program_that_knows_of_none_leaves_it(author):
    id = new_draft()
    first = saved(author, id, contentWarning=WARNING)
    assert draft(author, id)["contentWarning"] == WARNING
    second = saved(author, id, "<p>more</p>", baseVersion=first["version"])
    assert second["contentWarning"] == WARNING and second["content"] == "<p>more</p>"
    third = saved(author, id, "<p>more</p>", baseVersion=second["version"], contentWarning="")
    assert "contentWarning" not in third and third["version"] == second["version"] + 1


def test_a_draft_is_posted_with_its_warning_and_goes(author):
    id = new_draft()
    saved(author, id, "<p>more</p>", contentWarning=WARNING)
    body = {"requestId": str(id), "draftId": id, "draftVersion": 1, "content": "<p>more</p>", "contentWarning": WARNING}
    for _ in range(2):
        author.call("POST", "/v1/posts", json=body, expect=201)
    [entry] = page(author)["feed"]
    assert entry["contentWarning"] == WARNING and drafts(author) == []


def test_another_warning_of_the_draft_stays_when_an_older_version_is_posted(author):
    id = new_draft()
    first = saved(author, id, contentWarning=WARNING)
    saved(author, id, baseVersion=first["version"], contentWarning="Another")
    author.call("POST", "/v1/posts", expect=201, json={
        "requestId": str(id), "draftId": id, "draftVersion": first["version"], "content": "<p>kind</p>", "contentWarning": WARNING})
    [left] = drafts(author)
    assert draft(author, left["draftId"])["contentWarning"] == "Another"


def test_a_scheduled_post_comes_with_its_warning(author, reader):
    schedule(author, at(seconds=2), contentWarning=WARNING)
    [one] = waiting(author)
    assert one["contentWarning"] == WARNING
    [entry] = wait_until(lambda: page(reader)["feed"], what="it is posted")
    assert entry["contentWarning"] == WARNING


def test_a_notification_says_the_warning_and_nothing_of_what_is_behind_it(author, reader):
    post = posted(author, "<p>She leaves.</p>", contentWarning=WARNING)
    act(reader, post, "LIKED")
    comment(reader, post, "Oh no")
    by_kind = {one["kind"]: one for one in told(author)["notifications"]}
    assert by_kind["like"]["contentWarning"] == WARNING and "excerpt" not in by_kind["like"]
    assert by_kind["comment"]["excerpt"] == "Oh no" and "contentWarning" not in by_kind["comment"]


def test_an_export_has_the_warning(author):
    posted(author, contentWarning=WARNING)
    [post] = author.call("GET", "/v1/account/export", expect=200).json()["posts"]
    assert post["contentWarning"] == WARNING
