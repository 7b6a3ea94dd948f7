"""What fingers do: pulling a list down at its top asks for it again."""

import pytest

from browser import Person
from test_web_browse import put


@pytest.fixture
def phone(browser, account, person):
    """The same person on a phone."""
    context = browser.new_context(
        base_url=account.url, viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True,
        storage_state=person.context.storage_state())
    page = context.new_page()
    page.set_default_timeout(120_000)
    yield page
    context.close()


def pull(page, by):
    """A finger goes down by so many pixels, in steps."""
    finger = page.context.new_cdp_session(page)

    def touch(kind, *points):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": 200, "y": y} for y in points]})

    touch("touchStart", 250)
    for step in range(10, by + 1, 10):
        touch("touchMove", 250 + step)
    touch("touchEnd")


def test_a_list_that_is_pulled_down_is_asked_for_again(account, phone):
    for number in range(30):
        put(account, f"{number:02}.txt")
    phone.goto("/?layout=list")
    phone.locator(".row").first.wait_for()
    asked = []
    phone.on("request", lambda request: asked.append(request.url) if "/rows?" in request.url else None)
    # Something that nobody told of: only asking again shows it.
    phone.evaluate("document.querySelector('.row').remove()")
    pull(phone, 40)
    assert not asked
    with phone.expect_response(lambda response: "/rows?" in response.url):
        pull(phone, 130)
    phone.locator(".row", has_text="00.txt").wait_for()
    assert len(asked) == 1
    # Further down, a finger scrolls.
    phone.evaluate("scrollTo(0, 400)")
    phone.wait_for_function("() => scrollY === 400")
    pull(phone, 130)
    assert len(asked) == 1


def test_what_is_said_lies_above_the_tray(account, browser):
    put(account, "a.txt")
    someone = Person(browser, account.url, width=390, height=780).sign_in(account.email)
    page = someone.page
    page.locator(".row", has_text="a.txt").wait_for()
    page.route("**/chunk*", lambda route: None)
    page.locator("#pickers [data-pick=files]").set_input_files(
        [{"name": f"{number}.mp4", "mimeType": "video/mp4", "buffer": b"x" * 900_000} for number in range(2)])
    page.locator(".upload.sending").first.wait_for()
    page.locator(".row", has_text="a.txt").locator(".pick").check()
    page.locator("#acts").get_by_role("button", name="Move to trash").click()
    toast, tray = page.locator(".toast"), page.locator("#tray")
    toast.get_by_role("button", name="Undo").focus()  # it stays for who is on it
    for _ in range(2):  # open, and folded
        said, below = toast.bounding_box(), tray.bounding_box()
        assert said["y"] + said["height"] <= below["y"] and below["y"] + below["height"] <= 780
        page.locator("#tray [data-do=fold]").evaluate("button => button.click()")
    page.evaluate("bothyUploads.all.slice().forEach((one) => bothyUploads.drop(one))")
    someone.close()
