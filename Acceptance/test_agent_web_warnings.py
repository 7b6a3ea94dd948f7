"""Content warnings in a device's own web app: posts stay folded without a connection, and what is written behind one waits with it."""

from browser import expect
from test_agent_web_feed_away import author, mine  # noqa: F401
from test_feed import page as page_of, posted
from test_web_drafts import publish
from test_web_warnings import BEHIND, WARNING, is_folded, summary
from waiting import wait_until

#: What cannot be saved says so by its status.
COMPLAINTS = ("status of 4", "status of 5")


def test_a_post_that_was_read_stays_folded_without_a_connection(desk, author):  # noqa: F811
    post = posted(author, f"<p>{BEHIND}</p>", contentWarning=WARNING)
    for is_away in (False, True):
        for place in ("/feed", f"/posts/{post}"):
            desk.page.goto(place)
            article = desk.page.locator("article.post")
            is_folded(article)
            summary(article).click()
            expect(article.get_by_text(BEHIND)).to_be_visible()
        if not is_away:
            desk.server.stop()


def test_what_is_written_behind_a_warning_waits_with_it(desk, mine):  # noqa: F811
    desk.page.goto("/feed/new")
    desk.server.stop()
    desk.page.get_by_label("What would you like to say?").fill(BEHIND)
    desk.page.locator(".later.warn > summary").click()
    desk.page.get_by_label("Content warning").fill(WARNING)
    publish(desk.page)
    desk.page.wait_for_url("**/feed")
    is_folded(desk.page.locator("article.post.pending"))
    desk.server.start()
    [entry] = wait_until(lambda: page_of(mine)["feed"], seconds=60, what="it is posted")
    assert entry["contentWarning"] == WARNING and entry["contentSummary"] == f"<p>{BEHIND}</p>"
