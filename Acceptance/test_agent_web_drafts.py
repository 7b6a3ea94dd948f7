"""Drafts in a device's own web app: they are those of the account, and without a connection the browser keeps what was typed."""

from browser import expect, is_said
from test_agent_web_feed_away import mine, texts as posts  # noqa: F401
from test_web_drafts import draft, drafts, field, is_saved, kept, publish, texts, write
from waiting import wait_until

#: What cannot be saved says so by its status.
COMPLAINTS = ("status of 4", "status of 5")


def test_a_draft_is_the_accounts_and_is_posted(desk, mine):  # noqa: F811
    write(desk.page, "from the desk")
    is_saved(desk.page)
    assert texts(mine) == ["<p>from the desk</p>"]
    publish(desk.page)
    desk.page.wait_for_url("**/feed")
    assert posts(mine) == ["<p>from the desk</p>"] and drafts(mine) == []


def test_without_a_connection_the_browser_keeps_it_until_it_is_saved(desk, mine):  # noqa: F811
    desk.page.goto("/feed/new")
    desk.server.stop()
    field(desk.page).fill("in the tunnel")
    expect(desk.page.locator(".draft-line")).to_contain_text("kept in this browser")
    desk.server.start()
    wait_until(lambda: desk.page.evaluate("1") and texts(mine) == ["<p>in the tunnel</p>"], seconds=60, what="it is saved")
    wait_until(lambda: kept(desk.page) == {}, what="nothing is kept in the browser")


def test_what_the_browser_keeps_is_listed_and_a_new_post_begins_empty(desk, mine):  # noqa: F811
    """The next post was filled with the text of the one before, and Drafts did not list it."""
    desk.page.goto("/feed/drafts")
    desk.page.get_by_role("heading", name="Drafts", exact=True).wait_for()
    desk.page.goto("/feed/new")
    desk.server.stop()
    field(desk.page).fill("in the tunnel")
    expect(desk.page.locator(".draft-line")).to_contain_text("kept in this browser")
    desk.page.reload()
    expect(field(desk.page)).to_have_text("in the tunnel")
    desk.page.goto("/feed/new")
    expect(field(desk.page)).to_have_text("")
    desk.page.goto("/feed/drafts")
    entry = desk.page.locator("li.entry", has_text="in the tunnel")
    expect(entry).to_contain_text("Not saved yet")
    entry.get_by_role("link", name="Open").click()
    expect(field(desk.page)).to_have_text("in the tunnel")
    desk.server.start()
    wait_until(lambda: desk.page.evaluate("1") and texts(mine) == ["<p>in the tunnel</p>"], seconds=60, what="it is saved")


def test_what_is_posted_without_a_connection_is_no_draft_besides(desk, mine):  # noqa: F811
    desk.page.goto("/feed/new")
    desk.server.stop()
    field(desk.page).fill("later")
    publish(desk.page)
    desk.page.wait_for_url("**/feed")
    is_said(desk.page, "It will be posted when there is a connection.")
    wait_until(lambda: kept(desk.page) == {}, what="it is in one place")
    desk.server.start()
    wait_until(lambda: posts(mine) == ["<p>later</p>"], seconds=60, what="it is posted")
    assert drafts(mine) == []


def test_drafts_that_were_never_listed_say_why_there_are_none_without_a_connection(desk, mine):  # noqa: F811
    """An error took the place of the page."""
    draft(mine, "<p>from elsewhere</p>")
    desk.server.stop()
    desk.page.goto("/feed/drafts")
    desk.page.get_by_role("heading", name="Your drafts are not known here yet").wait_for()
    desk.server.start()

    def is_listed():
        desk.page.goto("/feed/drafts")
        return desk.page.locator("li.entry", has_text="from elsewhere").count() == 1

    wait_until(is_listed, what="the draft is listed")
