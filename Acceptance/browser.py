"""A person at a browser: headless Chromium, and what it complains of."""

import contextlib
import functools
import json
import re
import shutil

import httpx

from api import TLS
from preconditions import missing

#: What a browser on a phone has besides a small screen, for who takes a width for a whole kind of device.
HAND = {"has_touch": True, "is_mobile": True}



def program(*names):
    """The first of these that is installed."""
    return next(filter(None, map(shutil.which, names)), None)


CHROMIUM = program("chromium", "chromium-browser", "google-chrome")
#: Chromium without windows, extensions and profiles: a page costs a quarter of the CPU time.
HEADLESS = program("chromium-headless-shell") or CHROMIUM

try:
    from playwright.sync_api import Error as BrowserError
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=120_000)
except ImportError:  # scripts/setup says so
    sync_playwright, expect, BrowserError = None, None, Exception


#: How Chromium runs in a container, and without a screen.
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]


@functools.cache
def driver():
    """Playwright of this process. It refuses to be started a second time, so everybody shares this one."""
    return sync_playwright().start()


def end_driver():
    """Stops Playwright, if it was started."""
    if driver.cache_info().currsize:
        driver().stop()
        driver.cache_clear()


@contextlib.contextmanager
def chromium(*flags, program=HEADLESS):
    """One Chromium for as many people as the test needs."""
    if not program or sync_playwright is None:
        missing("chromium", "there is no Chromium here, or no playwright to drive it (make setup gets both)")
    browser = driver().chromium.launch(executable_path=program, args=[*FLAGS, *flags])
    try:
        yield browser
    finally:
        browser.close()


class WithoutCookies:
    """A Chromium as its owner has set it: it takes no cookie from anybody, and sends none."""

    def __init__(self, browser, folder):
        if not CHROMIUM:
            missing("chromium", "there is no Chromium here that has settings (make setup gets it)")
        self._type, self._profile = browser.browser_type, folder / "profile"
        settings = self._profile / "Default/Preferences"
        settings.parent.mkdir(parents=True)
        settings.write_text(json.dumps({"profile": {"default_content_setting_values": {"cookies": 2}}}))

    def new_context(self, **options):
        return self._type.launch_persistent_context(self._profile, executable_path=CHROMIUM, args=FLAGS, **options)


#: What is said goes by itself after some seconds. A page remembers it here, for whoever looks late.
REMEMBERS = """globalThis.said = [];
    new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
            for (const part of addedNodes)
                if (part.matches?.(".toast") && part.checkVisibility()) said.push([part.className, part.textContent]);
    }).observe(document, { childList: true, subtree: true });"""


def is_said(page, words, failure=False):
    """Waits until this page says so, or has said so."""
    page.wait_for_function(
        """([words, kind]) => [...document.querySelectorAll(".toast")].map((part) => [part.className, part.textContent])
            .concat(globalThis.said ?? []).some(([name, text]) => name.includes(kind) && text.includes(words))""",
        arg=[words, "failure" if failure else "toast"])


class Person:
    """One browser profile, and every complaint that its pages raise: refused scripts, failures, broken policies."""

    def __init__(self, browser, url, width=1280, height=800, dark=False, scripts=True, zone="Europe/Berlin",
                 **options):
        self.url, self.zone = url, zone if scripts else None
        # A service worker stands between a page and what a test holds up. Tests of it ask for it.
        options.setdefault("service_workers", "block")
        self.context = browser.new_context(
            base_url=url, viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light",
            java_script_enabled=scripts, timezone_id=zone, accept_downloads=True, **options)
        self.context.add_init_script(REMEMBERS)
        self.complaints = []
        self.page = self.new_page()

    def new_page(self):
        page = self.context.new_page()
        page.set_default_timeout(120_000)
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append(f"a dialog: {dialog.message}"), dialog.dismiss()))
        return page

    def register(self, email, password="correct horse battery"):
        self.page.goto("/sign-in?new=1")
        self.page.get_by_label("Email").fill(email)
        self.page.get_by_label("Password").fill(password)
        self.page.get_by_role("button", name="Create account").click()
        self.page.wait_for_url(self.url + "/")
        return self

    def sign_in(self, email, password="correct horse battery"):
        """Signs in without drawing the form, and opens the first page. Tests of the form itself use `sign_in_by_form`."""
        known = {cookie["name"]: cookie["value"] for cookie in self.context.cookies(self.url)}
        agent = self.page.evaluate("navigator.userAgent")
        with httpx.Client(
                base_url=self.url, cookies=known, headers={"User-Agent": agent}, timeout=120, trust_env=False, verify=TLS) as client:
            token = re.search(r'name="token" value="([0-9a-f]+)"', client.get("/sign-in").text)[1]
            answer = client.post("/sign-in", data={"token": token, "mode": "signIn", "email": email, "password": password})
            assert answer.status_code == 303, answer.text
            secrets = [
                {"name": cookie.name, "value": cookie.value, "url": self.url, "expires": cookie.expires, "httpOnly": True,
                 "sameSite": "Strict"} for cookie in client.cookies.jar if cookie.expires]
        self.context.add_cookies(secrets)
        if self.zone:  # as the script of any page before this one would have done
            self.context.add_cookies([{"name": "bothy-zone", "value": self.zone, "url": self.url, "sameSite": "Strict"}])
        self.page.goto("/")
        return self

    def sign_in_by_form(self, email, password="correct horse battery"):
        self.page.goto("/sign-in")
        self.page.get_by_label("Email").fill(email)
        self.page.get_by_label("Password").fill(password)
        self.page.get_by_role("button", name="Sign in").click()
        # Keys that are pressed before its scripts run are pressed for nothing.
        self.page.wait_for_load_state()
        return self

    def names(self):
        """What the list shows, in order; rows off the screen are not laid out, and have no inner text."""
        return self.page.locator(".row .name").all_text_contents()

    def close(self):
        self.context.close()
