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
