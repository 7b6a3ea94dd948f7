"""Looking at pictures one after the other: by keys and fingers, larger and smaller, and back to where one was."""

import pytest
from playwright.sync_api import expect

from browser import HAND, Person
from test_web_feed import article, open_feed, post
from web_screens import picture

COMPLAINTS = ("status of 4",)


@pytest.fixture
def author(account, new_account):
    author = new_account()
    account.call("PUT", f"/v1/users/{author.user['id']}/follow", expect=204)
    return author


def viewer(page):
    return page.get_by_role("dialog", name="Photos and videos")


def place(page, words):
    expect(page.locator(".viewer-place")).to_have_text(words)


def open_post(page, author, *hues):
    post(author, "<p>hills</p>", *[(f"hill {number}.png", picture(hue, 480, 300)) for number, hue in enumerate(hues, 1)])
    page.goto("/feed")
    page.locator("article.post", has_text="hills").locator("a.when").click()
    page.locator(".gallery").wait_for()


def test_keys_go_along_and_escape_comes_back(person, author):
    page = person.page
    open_post(page, author, 0.1, 0.5, 0.9)
    page.locator(".gallery a[data-view]").first.focus()
    page.keyboard.press("Enter")
    place(page, "1 of 3")
    expect(page.locator(".viewer-caption")).to_have_text("hill 1.png")
    expect(viewer(page).get_by_role("button", name="Previous")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    place(page, "3 of 3")
    page.keyboard.press("ArrowRight")
    place(page, "3 of 3")
    page.wait_for_function("() => document.querySelector('.viewer-stage img').naturalWidth > 0")
    page.keyboard.press("Escape")
    expect(viewer(page)).to_be_hidden()
    expect(page.locator(".gallery a[data-view]").nth(2)).to_be_focused()
    assert "/posts/" in page.url


def test_going_back_closes_it_and_stays_on_the_page(person, author):
    page = person.page
    open_post(page, author, 0.1, 0.5)
    page.locator(".gallery a[data-view]").first.click()
    place(page, "1 of 2")
    here = page.url
    page.go_back()
    expect(viewer(page)).to_be_hidden()
    assert page.url == here


def scale(page):
    return page.evaluate("() => new DOMMatrix(getComputedStyle(document.querySelector('.viewer-stage img')).transform).a")


def test_a_wheel_and_two_taps_make_it_larger(person, author):
    page = person.page
    open_post(page, author, 0.1)
    page.locator(".gallery a[data-view]").first.click()
    viewer(page).wait_for()
    page.wait_for_function("() => document.querySelector('.viewer-stage img')?.naturalWidth > 0")
    page.mouse.move(640, 400)
    page.mouse.wheel(0, -400)
    assert scale(page) > 1.5
    page.keyboard.press("0")
    assert scale(page) == 1
    page.locator(".viewer-stage img").dblclick()
    assert scale(page) == 2.5
    page.get_by_role("button", name="Zoom").click()
    assert scale(page) == 1


def test_a_finger_turns_and_lets_go(browser, account, author):
    someone = Person(browser, account.url, width=390, height=780, **HAND).sign_in(account.email)
    page = someone.page
    open_post(page, author, 0.1, 0.5)
    page.locator(".gallery a[data-view]").first.tap()
    place(page, "1 of 2")
    swipe(page, (300, 400), (80, 410))
    place(page, "2 of 2")
    swipe(page, (80, 400), (300, 410))
    place(page, "1 of 2")
    swipe(page, (200, 300), (205, 600))
    expect(viewer(page)).to_be_hidden()
    someone.close()


def swipe(page, start, end):
    """One finger, as a browser tells of it."""
    page.locator(".viewer-stage").evaluate(
        """(stage, [start, end]) => {
            stage.setPointerCapture = () => {};
            const tell = (name, [x, y]) => stage.dispatchEvent(new PointerEvent(name, {
                pointerId: 7, pointerType: "touch", isPrimary: true, clientX: x, clientY: y, bubbles: true }));
            tell("pointerdown", start);
            for (let step = 1; step <= 4; step += 1) tell("pointermove", start.map((from, at) => from + (end[at] - from) * step / 4));
            tell("pointerup", end); }""", [start, end])


def test_a_file_is_looked_at_with_what_lies_beside_it(account, person):
    for number in (1, 2, 10):
        account.call("POST", "/v1/upload", expect=201, content=picture(number / 10), headers={"Content-Type": "image/png"},
                     params={"uploadType": "media", "name": f"IMG_{number}.png", "parentId": "root"})
    account.call("POST", "/v1/upload", expect=201, content=b"x", headers={"Content-Type": "text/plain"},
                 params={"uploadType": "media", "name": "IMG_3.txt", "parentId": "root"})
    page = person.page
    page.goto("/")
    page.get_by_role("link", name="IMG_2.png").first.click()
    page.locator("a.looked").click()
    place(page, "2 of 3")
    page.keyboard.press("End")
    place(page, "3 of 3")
    expect(page.locator(".viewer-caption")).to_have_text("IMG_10.png")
    page.keyboard.press("Escape")
    expect(page.locator("a.looked")).to_be_focused()


def test_without_scripts_a_picture_is_a_link_to_itself(browser, account, author):
    post(author, "<p>hills</p>", ("hill.png", picture(0.4)))
    someone = Person(browser, account.url, scripts=False)
    someone.sign_in(account.email)
    open_feed(someone)
    article(someone, "hills").locator("a.when").click()
    link = someone.page.locator(".gallery a[data-view]")
    answer = someone.page.request.get(link.get_attribute("href"))
    assert answer.ok and answer.headers["content-type"] == "image/png"
    someone.close()
