"""The feed in a browser: what is posted is read and liked at once, and nothing that anybody writes runs."""

import re

import pytest

from api import new_id
from browser import Person, is_said
from web_screens import picture

#: A like that is refused on purpose, and an address that a hostile text names.
COMPLAINTS = ("status of 4", "status of 5", "ERR_FAILED", "ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING")
HOSTILE = "<img src=x onerror=alert(1)> **bold** [x](javascript:alert(2)) <script>alert(3)</script>"


@pytest.fixture
def author(account, new_account):
    """Somebody whom the person follows."""
    author = new_account()
    account.call("PUT", f"/v1/users/{author.user['id']}/follow", expect=204)
    return author


def post(api, content, *files):
    attached = []
    for name, data in files:
        file = api.call("POST", "/v1/upload", expect=201, content=data, headers={"Content-Type": "image/png"},
                        params={"uploadType": "media", "name": name, "parentId": "root"}).json()
        attached.append({"type": "image", "contentUrl": file["downloadUrl"], "caption": name})
    api.call("POST", "/v1/posts", expect=201,
             json={"requestId": new_id(), "content": content, "attachments": attached})


def article(person, text):
    return person.page.locator("article.post", has_text=text)


def like_of(person, text):
    return article(person, text).get_by_role("button", name=re.compile("^Like"))


def open_feed(person):
    person.page.goto("/feed")
    person.page.get_by_role("heading", name="Feed").wait_for()
    return person.page


def is_seen(picture):
    picture.evaluate("image => image.decode()")
    return picture.evaluate("image => image.naturalWidth") > 0


def test_an_empty_feed_says_what_comes_here(person):
    open_feed(person)
    person.page.get_by_text("Nothing here yet").wait_for()
    person.page.get_by_role("link", name="See who is here").click()
    person.page.get_by_role("heading", name="People").wait_for()


def test_what_is_written_is_posted_as_it_was_meant(account, person):
    open_feed(person).get_by_role("link", name="New post").click()
    person.page.get_by_label("What would you like to say?").click()
    person.page.keyboard.type("# Walk\nWe went **up**.\n- bread\n\n" + HOSTILE)
    person.page.get_by_role("button", name="Post", exact=True).click()
    person.page.wait_for_url("**/feed")
    is_said(person.page, "Posted.")
    mine = article(person, "We went")
    assert mine.locator("strong").all_inner_texts() == ["up", "bold"]
    assert mine.locator("h2, h3").inner_text() == "Walk" and mine.locator("li").inner_text() == "bread"
    assert mine.locator(".said img, .said script, .said a").count() == 0
    assert "<script>alert(3)</script>" in mine.inner_text()
    assert len(account.call("GET", "/v1/feed").json()["feed"]) == 1


def test_the_text_of_a_post_does_not_leave_as_a_notice_does(person, author):
    """It vanished after eight seconds: notices had the same class."""
    post(author, "<p>to stay</p>")
    open_feed(person)
    said = article(person, "to stay").locator(".said")
    assert said.evaluate("element => getComputedStyle(element).animationName") == "none"


def open_post(person, text):
    open_feed(person)
    article(person, text).locator("a.when").click()
    person.page.get_by_role("heading", name="Comments").wait_for()


def comments(person):
    return person.page.locator("article.comment .said:not([contenteditable])").all_inner_texts()


def test_comments_are_written_answered_and_deleted(account, person, author):
    post(author, "<p>The hut is open</p>")
    open_post(person, "The hut")
    person.page.get_by_text("No comments yet").wait_for()
    person.page.get_by_label("Write a comment").click()
    person.page.keyboard.type("How much **wood**? " + HOSTILE)
    person.page.get_by_role("button", name="Send").last.click()
    is_said(person.page, "Your comment was sent.")
    assert person.page.url.endswith("#write"), "one goes on where one wrote"
    [first] = comments(person)
    assert "How much wood?" in first and "<script>alert(3)</script>" in first
    assert person.page.locator("article.comment strong").first.inner_text() == "wood"
    person.page.get_by_text("Reply", exact=True).click()
    person.page.locator("article.comment").get_by_role("textbox").fill("All you can carry")
    person.page.locator("article.comment").get_by_role("button", name="Send").click()
    person.page.locator("article.comment.reply", has_text="All you can carry").wait_for()
    assert person.page.locator("article.comment:target").count() == 1 and "#comment-" in person.page.url
    person.page.get_by_role("button", name="Delete this comment").first.click()
    is_said(person.page, "The comment was deleted.")
    assert person.page.url.endswith("#comments")
    assert comments(person) == ["All you can carry"]
    person.page.get_by_text("In reply to a comment that was deleted").wait_for()
    open_feed(person)
    assert article(person, "The hut").get_by_role("link", name=re.compile("^Comments")).locator(".number").inner_text() == "1"


def test_a_comment_that_is_refused_stays_in_its_field(person, author):
    post(author, "<p>long</p>")
    open_post(person, "long")
    person.page.get_by_label("Write a comment").fill("word " * 4_000)
    person.page.get_by_role("button", name="Send").last.click()
    person.page.get_by_text("A comment has at most 16 KiB of text.").wait_for()
    assert person.page.get_by_label("Write a comment").inner_text().startswith("word word")


def test_a_post_without_words_is_refused_and_what_was_typed_stays(person):
    person.page.goto("/feed/new")
    person.page.get_by_label("What would you like to say?").fill("   ")
    person.page.get_by_role("button", name="Post", exact=True).click()
    person.page.get_by_text("Write a few words, or attach a picture.").wait_for()


def test_a_like_shows_before_the_server_has_answered_and_stays(person, author):
    post(author, "<p>early</p>")
    open_feed(person)
    held = []
    person.page.route("**/act", lambda route: held.append(route))
    like_of(person, "early").click()
    person.page.wait_for_function("() => document.querySelector('.reaction').getAttribute('aria-pressed') === 'true'")
    assert like_of(person, "early").locator(".number").inner_text() == "1"
    with person.page.expect_response("**/act"):
        held[0].continue_()
    person.page.unroute_all()
    open_feed(person)
    assert like_of(person, "early").get_attribute("aria-pressed") == "true"
    with person.page.expect_response("**/act"):
        like_of(person, "early").click()
    open_feed(person)
    assert like_of(person, "early").get_attribute("aria-pressed") == "false"
    assert like_of(person, "early").locator(".number").inner_text() == ""


def test_a_like_of_what_is_gone_is_told_and_taken_back(person, author):
    post(author, "<p>soon gone</p>")
    open_feed(person)
    gone = author.call("GET", "/v1/feed").json()["feed"][0]["postId"]
    author.call("DELETE", f"/v1/posts/{gone}", expect=204)
    like_of(person, "soon gone").click()
    is_said(person.page, "There is no such post", failure=True)
    person.page.wait_for_function("() => document.querySelector('.reaction').getAttribute('aria-pressed') === 'false'")
    assert like_of(person, "soon gone").get_attribute("aria-pressed") == "false"


def test_a_picture_of_somebody_else_is_seen_in_the_feed_and_whole(person, author):
    post(author, "<p>a hill</p>", ("hill.png", picture(0.4)), ("lake.png", picture(0.8)))
    open_feed(person)
    assert is_seen(article(person, "a hill").locator("img").first)
    assert article(person, "a hill").locator(".cell").count() == 2
    article(person, "a hill").locator("a.when").click()
    person.page.wait_for_url("**/posts/*")
    for shown in person.page.locator("figure img").all():
        assert is_seen(shown)
    assert person.page.locator("figcaption").all_inner_texts() == ["hill.png", "lake.png"]


def test_a_picture_among_ones_files_is_posted_from_there(account, person):
    account.call("POST", "/v1/upload", expect=201, content=picture(0.4), headers={"Content-Type": "image/png"},
                 params={"uploadType": "media", "name": "hill.png", "parentId": "root"})
    person.page.goto("/")
    person.page.get_by_role("link", name="hill.png").first.click()
    person.page.get_by_role("link", name="Post it").click()
    person.page.get_by_label("Description").fill("the hill")
    person.page.get_by_role("button", name="Post", exact=True).click()
    person.page.wait_for_url("**/feed")
    assert is_seen(person.page.locator("article.post img"))


def test_enter_in_a_caption_posts_and_takes_nothing_away(account, person):
    file = account.call("POST", "/v1/upload", expect=201, content=picture(0.4), headers={"Content-Type": "image/png"},
                        params={"uploadType": "media", "name": "hill.png", "parentId": "root"}).json()
    person.page.goto(f"/feed/new?file={file['id']}")
    person.page.get_by_label("Description").fill("the hill")
    person.page.keyboard.press("Enter")
    person.page.wait_for_url("**/feed")
    assert is_seen(person.page.locator("article.post img"))


def test_older_posts_come_as_one_reads_on(person, author):
    for number in range(70):
        post(author, f"<p>number {number:02}</p>")
    open_feed(person)
    article(person, "number 40").wait_for()
    while person.page.locator(".next").count():
        person.page.mouse.wheel(0, 20_000)
        person.page.wait_for_timeout(50)
    shown = [re.search(r"number (\d+)", text)[1] for text in person.page.locator("article.post").all_text_contents()]
    assert shown == [f"{number:02}" for number in reversed(range(70))]


def test_people_are_followed_and_looked_at(account, person, new_account):
    other = new_account()
    post(other, "<p>elsewhere</p>")
    name = other.user["displayName"]
    person.page.goto(f"/people/{other.user['id']}")
    person.page.get_by_role("button", name=f"Follow: {name}").click()
    is_said(person.page, "appear in your feed")
    open_feed(person)
    article(person, "elsewhere").get_by_role("link", name=name).click()
    person.page.get_by_role("button", name=f"Stop following: {name}").click()
    is_said(person.page, "You no longer follow")
    open_feed(person)
    person.page.get_by_text("Nothing here yet").wait_for()


def test_a_post_of_ones_own_is_deleted_after_a_question(account, person):
    post(account, "<p>mine</p>")
    open_feed(person)
    assert article(person, "mine").get_by_role("button", name=re.compile("Share")).count() == 0
    article(person, "mine").locator(".when").click()
    person.page.locator(".menu-of summary").click()
    person.page.get_by_role("button", name="Delete").click()
    person.page.get_by_text("Delete this post?").wait_for()
    person.page.get_by_text("It disappears for everyone at once").wait_for()
    person.page.get_by_role("button", name="Delete").click()
    is_said(person.page, "The post was deleted.")
    assert account.call("GET", "/v1/feed").json()["feed"] == []


def test_without_scripts_it_is_read_liked_and_written(browser, account, author):
    post(author, "<p>plain</p>")
    someone = Person(browser, account.url, scripts=False)
    someone.sign_in(account.email)
    someone.page.wait_for_url(account.url + "/")
    open_feed(someone)
    # What is found by its text is never in a <noscript>.
    assert "You can view and download everything" in someone.page.locator("noscript p").first.inner_text()
    like_of(someone, "plain").click()
    someone.page.wait_for_url("**/feed#post-*")
    assert like_of(someone, "plain").get_attribute("aria-pressed") == "true"
    someone.page.get_by_role("link", name="New post").click()
    someone.page.get_by_label("What would you like to say?").fill("typed")
    someone.page.get_by_role("button", name="Post", exact=True).click()
    article(someone, "typed").wait_for()
    someone.close()


def test_the_same_form_sent_twice_posts_once(account, person):
    person.page.goto("/feed/new")
    person.page.get_by_label("What would you like to say?").fill("once")
    form = person.page.evaluate("() => Object.fromEntries(new FormData(document.querySelector('form#content')))")
    for _ in range(2):
        answer = person.page.request.post("/feed/new", form={**form, "act": "publish"}, headers={"Origin": person.url})
        assert answer.ok, answer.status
    assert len(account.call("GET", "/v1/feed").json()["feed"]) == 1
