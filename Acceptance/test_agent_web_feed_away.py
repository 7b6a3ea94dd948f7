"""The feed in a device's own web app while there is no connection, and what becomes of it when there is one again."""

import re

import pytest

from api import Api
from browser import expect, is_said
from device import PASSWORD
from test_agent_web_feed import article, is_seen
from test_feed import act, attached, follow, posted, read, uploaded
from test_web_feed import like_of, open_feed
from waiting import wait_until
from web_screens import picture


@pytest.fixture
def mine(desk):
    """The desk's account from elsewhere."""
    mine = Api(desk.server.url).login(desk.email, PASSWORD, name="witness")
    yield mine
    mine.close()


@pytest.fixture
def author(desk, mine, new_account):
    author = new_account(desk.server)
    follow(mine, author)
    return author


def write(desk, text):
    desk.page.goto("/feed/new")
    desk.page.get_by_label("What would you like to say?").fill(text)
    desk.page.get_by_role("button", name="Post", exact=True).click()
    desk.page.wait_for_url("**/feed")


def texts(api):
    return [entry["contentSummary"] for entry in api.call("GET", "/v1/feed", expect=200).json()["feed"]]


def number(article):
    return re.search(r"number (\d+)", article)[1]


def all_shown(desk):
    """The numbers of all posts, from the newest to the last that comes. What is off the screen is not drawn, and has no inner text."""
    while desk.page.locator(".next").count():
        before = desk.page.locator("article.post").count()
        desk.page.mouse.wheel(0, 20_000)
        desk.page.wait_for_function(
            """before => document.querySelectorAll('article.post').length > before
                || !document.querySelector('.next')""", arg=before)
    return [number(text) for text in desk.page.locator("article.post").all_text_contents()]


def test_what_waits_is_discarded_and_never_posted(desk, mine):
    open_feed(desk)
    desk.server.stop()
    for text in ("number 1", "number 2"):
        write(desk, text)
    article(desk.page, "number 1").get_by_role("button", name="Discard").click()
    is_said(desk.page, "It was discarded.")
    expect(article(desk.page, "number 1")).to_have_count(0)
    desk.server.start()
    wait_until(lambda: texts(mine) == ["<p>number 2</p>"], what="the other is posted")
    open_feed(desk)
    expect(desk.page.locator("article.post")).to_have_count(1)
    assert texts(mine) == ["<p>number 2</p>"]


def test_what_waits_in_the_feed_is_counted_with_the_transfers(desk, mine):
    open_feed(desk)
    desk.server.stop()
    for text in ("number 1", "number 2"):
        write(desk, text)
    desk.page.goto("/transfers")
    told = desk.page.get_by_text("2 actions in the feed wait to be sent")
    told.wait_for()
    expect(desk.page.get_by_text("All done", exact=True)).to_have_count(0)
    told.get_by_role("link", name="Feed").click()
    article(desk.page, "number 2").wait_for()
    desk.page.goto("/transfers")
    desk.server.start()
    desk.page.get_by_text("All done", exact=True).wait_for()
    expect(told).to_have_count(0)


def test_a_comment_that_was_refused_is_not_said_to_wait_with_the_transfers(desk, mine, author):
    """It was counted among what waits to be sent, and the link led to the feed, where no comment is."""
    post = posted(author, "<p>a hill</p>")
    open_feed(desk)
    desk.page.goto(f"/posts/{post}")
    desk.page.get_by_text("No comments yet").wait_for()
    desk.server.stop()
    desk.page.locator("#write").get_by_role("textbox").fill("which one?")
    desk.page.locator("#write").get_by_role("button", name="Send").click()
    desk.page.locator("article.comment").filter(has_text="which one?").wait_for()
    desk.page.goto("/transfers")
    waits = desk.page.get_by_text("1 action in the feed waits to be sent")
    waits.get_by_role("link", name="Comment").click()
    desk.page.wait_for_url(f"**/posts/{post}")
    desk.page.locator("article.comment").filter(has_text="which one?").wait_for()
    desk.laptop.run("agent", "--stop")
    desk.server.start()
    author.call("DELETE", f"/v1/posts/{post}", expect=204)
    desk.begin_agent()
    wait_until(lambda: "refusal" in desk.laptop.json_lines("feed", "outbox")[0], what="it is refused")
    desk.page.goto("/transfers")
    desk.page.get_by_text("1 action in the feed was refused").wait_for()
    expect(waits).to_have_count(0)


def test_the_page_of_somebody_of_whom_no_post_was_fetched_says_so(desk, author):
    desk.page.goto("/people")
    desk.page.locator(f"a[href='/people/{author.user['id']}']").first.wait_for()
    desk.server.stop()
    desk.page.goto(f"/people/{author.user['id']}")
    desk.page.get_by_role("heading", name="No posts on this device yet").wait_for()
    expect(desk.page.get_by_text("has not posted anything")).to_have_count(0)


def test_a_post_with_a_new_picture_waits_for_it_and_goes_with_it(desk, mine):
    """It was refused, its picture was gone from the form, and the second press posted it without."""
    open_feed(desk)
    desk.page.goto("/feed/new")
    desk.page.get_by_label("What would you like to say?").wait_for()
    desk.server.stop()
    desk.page.get_by_label("What would you like to say?").fill("a hill")
    desk.page.locator("input[data-attach]").set_input_files(
        {"name": "third.png", "mimeType": "image/png", "buffer": picture(0.4)})
    desk.page.get_by_label("Description").fill("a green hill")
    desk.page.get_by_role("button", name="Post", exact=True).click()
    desk.page.wait_for_url("**/feed")
    article(desk.page, "a hill").get_by_text("Waiting for 1 picture or video").wait_for()
    assert len(desk.laptop.json_lines("feed", "outbox")) == 1
    waiting = article(desk.page, "a hill")
    assert is_seen(waiting.locator("img"))
    waiting.get_by_role("button", name="Post without pictures").wait_for()
    waiting.get_by_text("Edit", exact=True).click()
    waiting.get_by_label("What would you like to say?").fill("a high hill")
    waiting.get_by_role("button", name="Save").click()
    article(desk.page, "a high hill").get_by_text("Waiting for 1 picture or video").wait_for()
    desk.server.start()
    wait_until(lambda: texts(mine) == ["<p>a high hill</p>"], what="it is posted")
    entry = mine.call("GET", "/v1/feed", expect=200).json()["feed"][0]
    post = read(mine, entry["postId"])
    assert [one.get("caption") for one in post["attachments"]] == ["a green hill"]


def test_a_reply_that_waits_stands_below_what_it_answers(desk, mine, author):
    """It stood below all comments, and said neither who wrote it nor whom it answers."""
    post = posted(author, "<p>a hill</p>")
    for text in ("the first", "the second"):
        author.call("POST", f"/v1/posts/{post}/comments", json={"content": f"<p>{text}</p>"}, expect=201)
    open_feed(desk)
    desk.page.goto(f"/posts/{post}")
    first = desk.page.locator("article.comment").filter(has_text="the first")
    first.wait_for()
    desk.server.stop()
    first.locator("summary").click()
    first.get_by_role("textbox").fill("which one?")
    first.get_by_role("button", name="Send").click()
    comments = desk.page.locator("article.comment")
    expect(comments).to_have_count(3)
    assert ["the first" in comments.nth(0).inner_text(), "the second" in comments.nth(2).inner_text()] == [True, True]
    for told in ("You", "Reply to", "which one?", "Waiting to be posted"):
        expect(comments.nth(1)).to_contain_text(told)


def test_a_comment_that_waited_is_there_once_when_it_was_sent(desk, mine, author):
    """On an open page it stood there twice: as it had waited, and as it was sent."""
    post = posted(author, "<p>a hill</p>")
    open_feed(desk)
    desk.page.goto(f"/posts/{post}")
    desk.page.get_by_text("No comments yet").wait_for()
    desk.server.stop()
    desk.page.locator("#write").get_by_role("textbox").fill("which one?")
    desk.page.locator("#write").get_by_role("button", name="Send").click()
    comment = desk.page.locator("article.comment").filter(has_text="which one?")
    expect(comment).to_contain_text("Waiting to be posted")
    expect(desk.page.locator("#content[data-unreached]")).to_have_count(1)
    desk.server.start()
    wait_until(lambda: read(mine, post)["commentCount"] == 1, what="it is sent")

    def is_renewed():
        desk.page.evaluate("document.dispatchEvent(new CustomEvent('bothy-heard', { detail: 'post' }))")
        return desk.page.locator("article.comment:not(.pending)").filter(has_text="which one?").count()

    wait_until(is_renewed, what="it is a comment like any other")
    expect(comment).to_have_count(1)


def test_a_post_that_is_refused_says_why_and_is_given_up_by_a_person(desk, mine):
    file = uploaded(mine)
    desk.page.goto("/")
    desk.page.get_by_role("link", name=file["name"]).first.wait_for()
    desk.server.stop()
    desk.page.get_by_role("link", name=file["name"]).first.click()
    desk.page.get_by_role("link", name="Post it").click()
    desk.page.get_by_label("What would you like to say?").fill("a hill")
    desk.page.get_by_label("Description").fill("a hill")
    desk.page.get_by_role("button", name="Post", exact=True).click()
    article(desk.page, "a hill").get_by_text("Waiting to be posted").wait_for()
    desk.laptop.run("agent", "--stop")
    desk.server.start()
    mine.delete(file["id"], permanent="true")
    wait_until(lambda: mine.call("GET", "/v1/about").json()["quota"]["used"] == 0, what="its content is gone")
    desk.begin_agent()
    wait_until(lambda: "refusal" in desk.laptop.json_lines("feed", "outbox")[0], what="it is refused")
    open_feed(desk)
    for _ in range(2):
        article(desk.page, "a hill").get_by_text("Not posted: An attachment").wait_for()
        article(desk.page, "a hill").get_by_role("button", name="Try again").click()
        desk.page.wait_for_url("**/feed")
    article(desk.page, "a hill").get_by_role("button", name="Discard").click()
    is_said(desk.page, "It was discarded.")
    assert texts(mine) == [] and desk.laptop.json_lines("feed", "outbox") == []


def test_marks_that_are_set_without_a_connection_stay_and_reach_the_server(desk, mine, author):
    post = posted(author, "<p>kind</p>")
    open_feed(desk)
    bookmark = article(desk.page, "kind").get_by_role("button", name="Bookmark")
    desk.server.stop()
    for button in (like_of(desk, "kind"), bookmark):
        with desk.page.expect_response("**/act"):
            button.click()
    article(desk.page, "kind").get_by_role("button", name=re.compile("^Share")).click()
    is_said(desk.page, "It will be shared with your followers when there is a connection.")
    open_feed(desk)
    for button in (like_of(desk, "kind"), bookmark, article(desk.page, "kind").get_by_role("button", name=re.compile("^Share"))):
        expect(button).to_have_attribute("aria-pressed", "true")
    desk.server.start()
    wait_until(lambda: read(mine, post)["shareCount"] == 1, what="it is shared")
    seen = read(mine, post)
    assert (seen["liked"], seen["likeCount"], seen["bookmarked"]) == (True, 1, True)


def test_all_that_was_scrolled_through_is_there_without_a_connection(desk, author):
    for place in range(70):
        posted(author, f"<p>number {place:02}</p>")
    wanted = [f"{place:02}" for place in reversed(range(70))]
    open_feed(desk)
    assert all_shown(desk) == wanted
    desk.server.stop()
    open_feed(desk)
    desk.page.get_by_text("There is no connection: these are the last posts that this device knows.").wait_for()
    assert all_shown(desk) == wanted


def test_what_is_new_comes_without_taking_away_an_edit_that_is_being_typed(desk, mine, author):
    """All that waited was drawn anew, with the text as it had been."""
    open_feed(desk)
    desk.server.stop()
    for text in ("first draft", "second draft"):
        write(desk, text)
    waiting = article(desk.page, "first draft")
    waiting.get_by_text("Edit", exact=True).click()
    typed = waiting.get_by_label("What would you like to say?")
    typed.fill("better words")
    desk.server.start()
    wait_until(lambda: len(texts(mine)) == 2, what="both are posted")
    posted(author, "<p>kind</p>")

    def is_shown():
        desk.page.evaluate("document.querySelector('#fresh a')?.click()")
        return article(desk.page, "kind").count()

    wait_until(is_shown, what="what is new is there")
    expect(typed).to_have_value("better words")
    expect(desk.page.locator("article.post.pending")).to_have_count(1)


def test_what_was_posted_between_two_visits_and_not_fetched_is_said_to_be_missing_and_opens_in_its_place(desk, author):
    """Without a connection it looked as if nothing had been posted in between."""
    def post(places):
        for place in places:
            posted(author, f"<p>number {place:02}</p>")

    def wanted(*parts):
        return [f"{place:02}" for part in parts for place in reversed(part)]

    def shown():
        return [number(text) for text in desk.page.locator("article.post").all_text_contents()]

    missing = desk.page.get_by_role("link", name="Load older posts")

    def press():
        # The row may go while the pointer is on its way.
        desk.page.evaluate("document.querySelector('.missing a')?.click()")
        return not missing.count()

    post(range(5))
    open_feed(desk)
    post(range(5, 75))
    open_feed(desk)
    desk.server.stop()
    open_feed(desk)
    assert all_shown(desk) == wanted(range(45, 75), range(5))
    missing.click()
    desk.page.locator(".toast.failure").wait_for()
    assert shown() == wanted(range(45, 75), range(5)), "without a connection it stays to be pressed"
    desk.server.start()
    wait_until(press, what="nothing is missing any more")
    assert shown() == wanted(range(75))
    desk.server.stop()
    open_feed(desk)
    assert all_shown(desk) == wanted(range(75)) and missing.count() == 0


def test_a_gap_is_opened_from_below_without_moving_what_is_read(desk, author):
    def post(places):
        for place in places:
            posted(author, f"<p>number {place:02}</p>")

    post(range(5))
    open_feed(desk)
    post(range(5, 75))
    open_feed(desk)
    desk.server.stop()
    open_feed(desk)
    assert len(all_shown(desk)) == 35
    desk.server.start()
    newer = desk.page.get_by_role("link", name="Load newer posts")

    def press():
        # Nobody knows yet that the server is there again. Once it has answered, it is not pressed again.
        return desk.page.evaluate("""() => {
            const isThere = document.body.textContent.includes("number 05");
            const link = document.querySelector(".missing .newer:not([aria-busy])");
            if (!isThere) link?.click();
            return isThere;
        }""")

    newer.scroll_into_view_if_needed()
    wait_until(press, what="the posts right above are loaded")
    numbers = [number(text) for text in desk.page.locator("article.post").all_text_contents()]
    assert numbers == [f"{place:02}" for part in (range(45, 75), range(35)) for place in reversed(part)]
    newer.scroll_into_view_if_needed()
    read = desk.page.locator(".missing + article").get_attribute("id")
    place = desk.page.locator(f"#{read}").bounding_box()
    newer.click()
    expect(newer).to_have_count(0)
    # The browser scrolls by whole points.
    assert abs(desk.page.locator(f"#{read}").bounding_box()["y"] - place["y"]) < 1, "what is read stays where it is"
    desk.server.stop()
    open_feed(desk)
    assert all_shown(desk) == [f"{place:02}" for place in reversed(range(75))]
    expect(newer).to_have_count(0)


def test_what_came_before_the_device_heard_again_is_told_on_a_page_that_was_drawn_without_a_connection(desk, author):
    """The device heard of what came from then on, and told of nothing that had come before."""
    posted(author, "<p>number 1</p>")
    open_feed(desk)
    article(desk.page, "number 1").wait_for()
    desk.server.stop()
    open_feed(desk)
    desk.page.get_by_text("There is no connection: these are the last posts that this device knows.").wait_for()
    desk.server.start()
    for place in (2, 3):
        posted(author, f"<p>number {place}</p>")
    told = desk.page.get_by_role("link", name="2 new posts", exact=True)
    told.wait_for(timeout=30_000)
    told.click()
    article(desk.page, "number 3").wait_for()
    assert [number(text) for text in desk.page.locator("article.post").all_text_contents()] == ["3", "2", "1"]


def test_scrolling_goes_on_where_the_connection_went_in_between(desk, author):
    for place in range(40):
        posted(author, f"<p>number {place:02}</p>")
    desk.page.set_viewport_size({"width": 1280, "height": 300})
    desk.laptop.run("feed", "-n", "100")
    open_feed(desk)
    desk.server.stop()
    assert all_shown(desk) == [f"{place:02}" for place in reversed(range(40))]


def test_a_post_of_ones_own_is_deleted_here_at_once_and_there_later(desk, mine):
    post = posted(mine, "<p>mine</p>")
    open_feed(desk)
    desk.page.goto(f"/posts/{post}")
    desk.server.stop()
    desk.page.locator(".menu-of summary").click()
    desk.page.get_by_role("button", name="Delete").click()
    desk.page.get_by_text("Delete this post?").wait_for()
    desk.page.get_by_role("button", name="Delete").click()
    desk.page.wait_for_url("**/feed")
    is_said(desk.page, "The post will be deleted for everybody when there is a connection.")
    expect(article(desk.page, "mine")).to_have_count(0)
    assert desk.page.goto(f"/posts/{post}").status in (404, 503)
    desk.server.start()
    wait_until(lambda: texts(mine) == [], what="it is deleted")


def test_what_happens_elsewhere_is_seen_here_and_the_other_way_round(desk, mine, author):
    post = posted(author, "<p>kind</p>")
    act(mine, post, "LIKED")
    open_feed(desk)
    expect(like_of(desk, "kind")).to_have_attribute("aria-pressed", "true")
    with desk.page.expect_response("**/act"):
        like_of(desk, "kind").click()
    assert read(mine, post)["liked"] is False
    author.call("DELETE", f"/v1/posts/{post}", expect=204)
    open_feed(desk)
    expect(desk.page.locator("article.post")).to_have_count(0)


def test_people_are_followed_and_left_and_their_pictures_seen(desk, mine, new_account):
    other = new_account(desk.server)
    posted(other, "<p>a hill</p>", attachments=[attached(uploaded(other, picture(0.4)))])
    name = other.user["displayName"]
    desk.page.goto("/people")
    desk.page.get_by_role("button", name=f"Follow: {name}").click()
    is_said(desk.page, "appear in your feed")
    open_feed(desk)
    assert is_seen(article(desk.page, "a hill").locator("img"))
    article(desk.page, "a hill").get_by_role("link", name=name).click()
    desk.page.get_by_role("button", name=f"Stop following: {name}").click()
    is_said(desk.page, "You no longer follow")
    open_feed(desk)
    desk.page.get_by_text("Nothing here yet").wait_for()


def test_what_was_never_read_whole_here_says_that_it_needs_a_connection(desk, author):
    post = posted(author, f"<p>{'word ' * 200}end</p>")
    open_feed(desk)
    desk.server.stop()
    article(desk.page, "word").get_by_role("link", name="Read on").click()
    desk.page.wait_for_url(f"**/posts/{post}")
    desk.page.get_by_text(re.compile("cannot be reached|needs a connection|no connection")).first.wait_for()


def test_nothing_of_the_feed_is_left_after_signing_out(desk, author):
    posted(author, "<p>kind</p>", attachments=[attached(uploaded(author, picture(0.4)))])
    open_feed(desk)
    assert is_seen(article(desk.page, "kind").locator("img"))
    desk.laptop.run("logout")
    for file in desk.laptop.home.rglob("*"):
        if file.is_file() and "client.sqlite" not in file.name:
            assert b"IHDR" not in file.read_bytes(), f"{file} is still there"
    said = desk.laptop.run("feed", check=False)
    assert said.code == 3 and "kind" not in said.text, said


def test_a_page_that_needs_a_connection_leads_back_to_the_feed_and_is_tried_again(desk):
    """The trash of posts led to one's files alone."""
    open_feed(desk)
    desk.server.stop()
    desk.page.goto("/feed/trash")
    desk.page.get_by_role("link", name="Go to the feed").wait_for()
    desk.server.start()
    again = desk.page.get_by_role("link", name="Try again")

    def is_there():
        if again.count():
            again.click()
        return desk.page.get_by_role("heading", name="Deleted posts", exact=True).count() == 1

    wait_until(is_there, what="the trash is shown")


def test_a_search_without_a_connection_says_what_was_searched(desk):
    open_feed(desk)
    desk.server.stop()
    desk.page.goto("/feed/search?q=nowhere")
    desk.page.get_by_role("heading", name="No post on this device has these words").wait_for()


def test_a_search_and_a_hashtag_show_what_the_server_finds_or_what_is_kept_here(desk, author):
    posted(author, "<p>a walk #hut</p>")
    open_feed(desk)
    article(desk.page, "a walk").wait_for()
    places = ("/feed/search?q=walk", "/feed/tags/hut")
    alone = desk.page.get_by_role("status").filter(has_text="only the posts that are kept on this device")

    def marks():
        return desk.page.locator("article.post .whereabouts").all_text_contents()

    for place in places:
        desk.page.goto(place)
        expect(article(desk.page, "a walk").locator(".whereabouts")).to_have_text("On the server")
        expect(alone).to_have_count(0)
    desk.server.stop()
    write(desk, "my walk #hut")
    for place in places:
        desk.page.goto(place)
        alone.wait_for()
        expect(desk.page.locator("article.post")).to_have_count(2)
        expect(article(desk.page, "a walk").locator(".whereabouts")).to_have_text("On this device")
        article(desk.page, "my walk").get_by_text("Waiting to be posted").wait_for()
        assert marks() == ["On this device"] * 2
    desk.server.start()
    for place in places:
        wait_until(lambda: desk.page.goto(place) and marks() == ["On the server"] * 2, what="the server finds both")
        expect(alone).to_have_count(0)
    expect(article(desk.page, "my walk")).to_have_count(1)


@pytest.mark.parametrize("kept", [0, 5])
def test_a_search_that_loses_its_connection_while_one_scrolls_says_so_and_goes_on_with_the_server_later(desk, author, kept):
    """It ended as if that were all, and what was not kept on the device was never shown."""
    def post(places):
        for place in places:
            posted(author, f"<p>number {place:02} of my walk</p>")

    def wanted(*parts):
        return [f"{place:02}" for part in parts for place in reversed(part)]

    def shown():
        return [number(text) for text in desk.page.locator("article.post").all_text_contents()]

    def scroll():
        # The next page is asked for when its place comes into view.
        first = desk.page.locator("article.post").first
        desk.page.mouse.wheel(0, -40_000)
        expect(first).to_be_in_viewport()
        desk.page.mouse.wheel(0, 40_000)
        expect(first).not_to_be_in_viewport()

    alone = desk.page.locator("#content > .alone")
    more = desk.page.locator(".page .next")
    desk.page.set_viewport_size({"width": 1280, "height": 300})
    post(range(kept))
    open_feed(desk)
    post(range(kept, 70))
    desk.page.goto("/feed/search?q=walk")
    article(desk.page, "number 69").wait_for()
    assert shown() == wanted(range(40, 70))
    desk.server.stop()
    scroll()
    expect(alone).to_have_text("There is no connection: these are only the posts that are kept on this device.")
    expect(desk.page.locator("article.post")).to_have_count(30 + kept)
    assert shown() == wanted(range(40, 70), range(kept))
    below = desk.page.locator("#content > .alone ~ article.post")
    expect(below).to_have_count(kept)
    expect(more).to_have_count(1)
    desk.server.start()

    def is_all_there():
        if more.count():
            scroll()
        return not more.count()

    wait_until(is_all_there, what="all that the server finds is shown")
    assert shown() == wanted(range(70))
    expect(alone).to_have_count(0)


@pytest.mark.parametrize("place", ["/feed/search?q=walk", "/feed/tags/hut"])
def test_what_is_done_to_a_waiting_post_that_was_found_comes_back_to_the_search(desk, place):
    """It ended in the feed, and the search was gone."""
    open_feed(desk)
    desk.server.stop()
    for text in ("walk 1 #hut", "walk 2 #hut"):
        write(desk, text)
    desk.page.goto(place)
    waiting = article(desk.page, "walk 1")
    waiting.get_by_text("Edit", exact=True).click()
    waiting.get_by_label("What would you like to say?").fill("walk 3 #hut")
    waiting.get_by_role("button", name="Save").click()
    edited = article(desk.page, "walk 3")
    edited.wait_for()
    expect(desk.page).to_have_url(re.compile(re.escape(place) + "$"))
    edited.get_by_role("button", name="Discard").click()
    is_said(desk.page, "It was discarded.")
    expect(edited).to_have_count(0)
    article(desk.page, "walk 2").wait_for()
    expect(desk.page).to_have_url(re.compile(re.escape(place) + "$"))


def test_a_waiting_comment_that_is_discarded_leaves_its_reader_at_the_post(desk, author):
    post = posted(author, "<p>a hill</p>")
    open_feed(desk)
    desk.page.goto(f"/posts/{post}")
    desk.page.get_by_text("No comments yet").wait_for()
    desk.server.stop()
    desk.page.locator("#write").get_by_role("textbox").fill("which one?")
    desk.page.locator("#write").get_by_role("button", name="Send").click()
    comment = desk.page.locator("article.comment").filter(has_text="which one?")
    comment.get_by_role("button", name="Discard").click()
    is_said(desk.page, "It was discarded.")
    expect(comment).to_have_count(0)
    expect(desk.page).to_have_url(re.compile(f"/posts/{post}(#comments)?$"))


def test_the_list_of_people_says_that_there_is_no_connection(desk, author):
    desk.page.goto("/people")
    desk.page.get_by_role("heading", name="People").wait_for()
    desk.server.stop()
    desk.page.goto("/people")
    desk.page.get_by_role("status").filter(has_text="There is no connection").first.wait_for()


def test_a_profile_that_is_shown_without_a_connection_says_so(desk, author):
    posted(author, "<p>kind</p>")
    place = f"/people/{author.user['id']}"
    desk.page.goto(place)
    desk.page.locator(".figures").wait_for()
    kept = desk.page.get_by_role("status").filter(has_text="There is no connection")
    expect(kept).to_have_count(0)
    desk.server.stop()
    desk.page.goto(place)
    desk.page.locator(".figures").wait_for()
    kept.first.wait_for()
