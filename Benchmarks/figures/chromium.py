"""Chromium, and somebody who is signed in with it: at the server's web app, and at a device's own."""

import shutil
from contextlib import contextmanager

from peers.bothy import PASSWORD

EMAIL = "bench@example.org"
#: Milliseconds that anything on a page may take before it counts as what never comes.
PATIENCE = 180_000
#: A person's screens.
DESK = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 800}, "has_touch": True, "is_mobile": True}


def missing(bothy) -> str | None:
    """What is not installed; nothing when pages can be looked at."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return bothy.missing() or "no playwright"
    return bothy.missing() or (None if shutil.which("chromium") else "no Chromium")


@contextmanager
def launched():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            browser.close()


def signed_in(browser, url: str):
    page = _page(browser, url, **DESK)
    page.goto("/sign-in")
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(url + "/")
    return page


def at_agent(browser, device) -> tuple:
    """A page of the device's own web app, and the address of that."""
    address, entrance = device.entrance()
    page = _page(browser, address, **DESK)
    page.goto(entrance)
    page.wait_for_url(address + "/")
    return page, address


def on_a_phone(browser, page, url: str):
    """The same person's page on a phone."""
    return _page(browser, url, storage_state=page.context.storage_state(), **PHONE)


def _page(browser, url: str, **options):
    page = browser.new_page(base_url=url, **options)
    page.set_default_timeout(PATIENCE)
    return page
