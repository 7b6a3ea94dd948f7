"""What fingers do: pulling a list down at its top asks for it again."""

import pytest

from test_web_browse import put


@pytest.fixture
def phone(browser, account, person):
    """The same person on a phone."""
    context = browser.new_context(
        base_url=account.url, viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True,
        storage_state=person.context.storage_state())
    page = context.new_page()
    page.set_default_timeout(60_000)
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
    phone.wait_for_function("scrollY === 400")
    pull(phone, 130)
    assert len(asked) == 1
