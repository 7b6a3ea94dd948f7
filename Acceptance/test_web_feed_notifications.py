"""Notifications, hashtags and found posts in a browser: the bell counts while the page is open."""

import re

import pytest

from api import new_id
from browser import expect
from test_feed import act, posted
from test_feed_search import word
from test_web_feed import article, open_feed


@pytest.fixture
def author(account, new_account):
    """Somebody whom the person follows."""
    author = new_account()
    account.call("PUT", f"/v1/users/{author.user['id']}/follow", expect=204)
    return author


def is_dark(face):
    color = face.evaluate("face => getComputedStyle(face).backgroundColor")
    parts = [float(part) for part in re.findall(r"[\d.]+", color)]
    return len(parts) == 3 and max(parts) < 200


def test_the_bell_counts_while_the_page_is_open_and_the_page_lists(account, person, author):
    mine = posted(account, "<p>Who walks on Sunday?</p>")
    page = open_feed(person)
    bell = page.locator("#bell")
    assert bell.inner_text() == ""
    act(author, mine, "LIKED")
    page.wait_for_function("() => document.getElementById('bell').textContent === '1'")
    page.get_by_role("link", name=re.compile("^Notifications")).click()
    page.get_by_role("heading", name="Notifications").wait_for()
    row = page.locator(".entry.unread")
    assert f"{author.user['displayName']} liked your post" in row.inner_text() and "Who walks on Sunday?" in row.inner_text()
    assert is_dark(row.locator(".face")), "white letters are read on it"
    row.get_by_role("link").click()
    page.wait_for_url(f"**/posts/{mine}")
    assert open_feed(person).locator("#bell").inner_text() == ""


def test_names_and_tags_lead_to_people_and_posts(account, person, author):
    handle = author.call("GET", "/v1/users/me").json()["handle"]
    one = word()
    posted(author, f"<p>so says @{handle} #{one}</p>")
    page = open_feed(person)
    article(person, one).get_by_role("link", name=f"#{one}").click()
    page.wait_for_url(f"**/feed/tags/{one}")
    assert page.get_by_role("heading", level=1).inner_text() == f"Posts with #{one}"
    article(person, one).get_by_role("link", name=f"@{handle}").click()
    page.wait_for_url(f"**/people/{author.user['id']}")


def test_posts_are_searched_in_the_feed(account, person, author):
    one = word()
    posted(author, f"<p>Hello {one} #{one}</p>")
    page = open_feed(person)
    page.get_by_role("link", name="Search posts").click()
    page.get_by_role("searchbox").fill(one[:10])
    page.get_by_role("searchbox").press("Enter")
    article(person, f"Hello {one}").wait_for()
    page.get_by_role("link", name=f"#{one} 1 post").click()
    page.wait_for_url(f"**/feed/tags/{one}")
    page.goto(f"/feed/search?q={new_id()}")
    page.get_by_text("No post has these words").wait_for()


@pytest.mark.parametrize("permission", ["granted", "denied"])
def test_a_browser_says_whether_it_shows_them_and_can_be_told_to_stop(person, permission):
    page = person.page
    # A browser without a screen has no permission to ask for.
    page.add_init_script(f"""(() => {{
        let held = sessionStorage.getItem("held") ?? "default";
        globalThis.Notification = class {{
            static get permission() {{ return held; }}
            static async requestPermission() {{ sessionStorage.setItem("held", held = "{permission}"); return held; }}
        }}; }})()""")
    page.goto("/feed/notifications")
    start, stop = (page.get_by_role("button", name=name) for name in ("Show them on this device, too", "Stop showing them"))
    start.click()
    expect(start).to_be_hidden()
    if permission == "denied":
        page.get_by_text("does not let Bothy show them").wait_for()
        expect(stop).to_be_hidden()
        return
    told = page.get_by_text("They are shown on this device, too")
    told.wait_for()
    expect(stop).to_be_focused()
    stop.click()
    expect(told).to_be_hidden()
    expect(start).to_be_focused()
    page.reload()
    expect(start).to_be_visible()
    expect(told).to_be_hidden()
    start.click()
    told.wait_for()
