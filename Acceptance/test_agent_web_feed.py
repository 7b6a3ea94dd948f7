"""The feed in a device's own web app: pictures of others are seen, and what was read is there without a connection."""

import re

import pytest

from api import Api, new_id
from browser import is_said
from device import PASSWORD
from waiting import wait_until
from web_screens import picture, posted


@pytest.fixture
def feed(desk):
    """A laptop whose person follows somebody with a picture."""
    house = Api(desk.server.url).login(desk.email, PASSWORD)
    desk.put(desk.phone, "own.txt", "mine")
    own = house.call("POST", "/v1/upload", expect=201, content=picture(0.6), headers={"Content-Type": "image/png"},
                     params={"uploadType": "media", "name": "own.png", "parentId": "root"}).json()["id"]
    posted(desk.server.url, house, own)
    desk.house = house
    return desk


def article(page, text):
    return page.locator("article.post", has_text=text)


def is_seen(picture):
    picture.evaluate("image => image.decode()")
    return picture.evaluate("image => image.naturalWidth") > 0


def test_what_was_read_is_there_without_a_connection_and_what_is_done_is_sent(feed):
    page, post = feed.page, feed.house.post
    page.goto("/feed")
    assert is_seen(article(page, "Up the hill").locator("img"))
    page.goto(f"/posts/{post}")
    feed.server.stop()
    page.goto("/feed")
    page.get_by_text("There is no connection: these are the last posts that this device knows.").wait_for()
    assert is_seen(article(page, "Up the hill").locator("img"))
    like = article(page, "Up the hill").get_by_role("button", name=re.compile("^Like"))
    assert like.get_attribute("aria-pressed") == "true"
    with page.expect_response("**/act"):
        like.click()
    page.goto("/feed/new")
    page.get_by_label("What would you like to say?").fill("from the hut")
    page.get_by_role("button", name="Post", exact=True).click()
    page.wait_for_url("**/feed")
    is_said(page, "It will be posted when there is a connection.")
    article(page, "from the hut").get_by_text("Waiting to be posted").wait_for()
    widths = [one.bounding_box()["width"] for one in page.locator("article.post").all()]
    assert len(widths) > 1 and len(set(widths)) == 1, "what waits has the room of any other post"
    page.goto(f"/posts/{post}")
    assert page.get_by_role("button", name=re.compile("^Like")).get_attribute("aria-pressed") == "false"
    page.goto("/people")
    page.get_by_role("heading", name="needs a connection").wait_for()
    feed.server.start()
    api = Api(feed.server.url).login(feed.email, PASSWORD, name=new_id())
    wait_until(lambda: "<p>from the hut</p>" in [
        one["contentSummary"] for one in api.call("GET", "/v1/feed", expect=200).json()["feed"]], what="it is posted")
    wait_until(lambda: api.call("GET", f"/v1/posts/{post}").json()["post"]["likeCount"] == 0, what="the like is taken back")


def test_an_open_post_moves_as_others_answer_it_and_after_the_server_was_away(feed):
    page, post = feed.page, feed.house.post
    page.goto(f"/posts/{post}")
    page.locator(".post.whole").wait_for()

    def comment(text):
        return feed.house.call("POST", f"/v1/posts/{post}/comments", expect=201,
                               json={"requestId": new_id(), "content": f"<p>{text}</p>"}).json()["commentId"]

    page.locator(f"#comment-{comment('before the rain?')}").wait_for()
    feed.server.stop()
    feed.server.start()
    page.locator(f"#comment-{comment('and after')}").wait_for()


def test_an_open_post_that_is_deleted_elsewhere_says_so(feed):
    page = feed.page
    post = feed.house.call("POST", "/v1/posts", expect=201, json={"requestId": new_id(), "content": "<p>too soon</p>"}).headers["Location"].rsplit("/", 1)[1]
    page.goto(f"/posts/{post}")
    page.locator(".post.whole").wait_for()
    feed.house.call("DELETE", f"/v1/posts/{post}", expect=204)
    page.get_by_role("alert").get_by_text("This post no longer exists.").wait_for()
