"""A post is edited in a device's own web app: with a connection at once, and without one nothing that was typed is lost."""

from browser import expect, is_said
from test_agent_web_feed_away import mine  # noqa: F401
from test_feed import posted, read
from test_web_edit_post import field, save

#: What is refused says so by its status.
COMPLAINTS = ("status of 4", "status of 5")


def test_a_post_is_edited_and_without_a_connection_the_words_stay(desk, mine):  # noqa: F811
    post = posted(mine, "<p>first</p>")
    desk.page.goto(f"/posts/{post}/edit")
    field(desk.page).fill("second")
    desk.server.stop()
    save(desk.page)
    desk.page.get_by_role("alert").filter(has_text="Editing a post needs a connection").wait_for()
    expect(field(desk.page)).to_have_text("second")
    desk.server.start()
    save(desk.page)
    desk.page.wait_for_url(f"**/posts/{post}")
    is_said(desk.page, "Your changes were saved.")
    assert read(mine, post)["content"] == "<p>second</p>"
    desk.page.get_by_role("link", name="edited").click()
    expect(desk.page.locator("article.version .said")).to_have_text(["second", "first"])
