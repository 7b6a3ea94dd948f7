"""The smallest screens that people have: nothing is cut, and nothing has to be pushed aside to be read."""

import pytest

from browser import HAND, Person
from test_feed import posted
from test_web_browse import folder, put

TOO_WIDE = """() => {
    const cut = [...document.querySelectorAll("body *")].filter((part) => {
        if (!part.checkVisibility() || part.closest(".crumbs a > *, .unseen, .skip, #pull, svg, pre, .wide, .lines, .tray, #landing")) return false;
        const { left, right, width, height } = part.getBoundingClientRect();
        return width > 1 && height > 1 && (right > 320.5 || left < -0.5);
    });
    return [document.documentElement.scrollWidth - 320, cut.slice(0, 5).map((part) => part.outerHTML.slice(0, 90))];
}"""


@pytest.mark.parametrize("place", [
    "/", "/folder/{folder}", "/file/{file}", "/file/{file}/versions", "/trash", "/settings", "/search?q=long", "/starred", "/feed",
    "/feed/trash", "/feed/drafts", "/feed/notifications",
    "/people", "/storage", "/restore"])
def test_a_page_of_320_points_is_whole(account, browser, place):
    docs = folder(account, "A folder with a name of some length")
    file = put(account, "a rather long name of a file that nobody types.txt", parent=docs["id"])
    account.patch(docs["id"], starred=True)
    account.delete(put(account, "long gone, and its name was long as well.txt")["id"])
    someone = Person(browser, account.url, width=320, height=568, **HAND).sign_in(account.email)
    someone.page.goto(place.format(folder=docs["id"], file=file["id"]))
    someone.page.locator("#main h1").first.wait_for()
    assert someone.page.evaluate(TOO_WIDE) == [0, []]
    if place == "/":
        someone.page.locator("[data-gesture=select]").click()
        someone.page.locator(".row .open").first.click()
        someone.page.locator("#picked", has_text="1 selected").wait_for()
        assert someone.page.evaluate(TOO_WIDE) == [0, []]
    someone.close()


def test_what_stands_below_a_name_is_not_broken_in_its_parts(account, browser):
    """The time of an edited post and its sign were broken over three lines."""
    account.call("PATCH", "/v1/users/me", json={"handle": "x" + str(account.user["id"])[-20:]}, expect=200)
    post = posted(account, "<p>a hill</p>")
    account.call("PATCH", f"/v1/posts/{post}", expect=200, json={"baseVersion": 1, "content": "<p>two hills</p>"})
    someone = Person(browser, account.url, width=320, height=568, **HAND).sign_in(account.email)
    for place in ("/feed", f"/posts/{post}"):
        someone.page.goto(place)
        heights = someone.page.locator(".about").first.evaluate(
            "about => [...about.children].map((part) => part.getClientRects().length === 1 && part.offsetHeight < 30)")
        assert len(heights) == 4 and all(heights), place
        assert someone.page.evaluate(TOO_WIDE) == [0, []]
    someone.close()


def test_what_one_writes_with_stands_below_the_edge_of_a_wide_window(account, browser):
    someone = Person(browser, account.url, width=1280, height=800).sign_in(account.email)
    for place in ("/feed", "/feed/drafts", "/feed/scheduled"):
        someone.page.goto(place)
        write = someone.page.locator(".bar .write")
        write.wait_for()
        assert write.bounding_box()["y"] >= 16, place
    someone.close()


def test_on_a_phone_the_title_of_a_new_post_is_one_line_and_what_is_said_covers_no_field(account, browser):
    post = posted(account, "<p>a hill</p>" * 12)
    someone = Person(browser, account.url, width=390, height=800, **HAND).sign_in(account.email)
    page = someone.page
    page.goto("/feed/new")
    title = page.get_by_role("heading", name="New post")
    title.wait_for()
    assert title.bounding_box()["height"] < 40
    page.goto(f"/posts/{post}")
    field = page.locator("#write").get_by_role("textbox")
    field.click()
    page.keyboard.type("kind")
    page.locator("#write").get_by_role("button", name="Send").click()
    page.locator(".toast", has_text="Your comment was sent.").wait_for()
    field.scroll_into_view_if_needed()
    said, below = page.locator(".toast").first.bounding_box(), field.bounding_box()
    assert said["y"] + said["height"] <= below["y"] or said["y"] >= below["y"] + below["height"]
    someone.close()
