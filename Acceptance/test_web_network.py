"""The web app under a name in a network, without TLS, where browsers say less of what they ask for."""

import re

import pytest

from browser import Person, chromium, expect, is_said
from test_web_act import row, tool
from test_web_browse import put, shows


@pytest.fixture(scope="module")
def browser():
    """A Chromium for which a machine of the network is this one."""
    with chromium("--host-resolver-rules=MAP nas.lan 127.0.0.1") as browser:
        yield browser


@pytest.fixture
def person(browser, account):
    someone = Person(browser, account.url.replace("127.0.0.1", "nas.lan")).sign_in_by_form(account.email)
    yield someone
    someone.close()


def test_what_is_done_is_said_and_taken_back(account, person):
    put(account, "a.txt")
    put(account, "b.txt")
    shows(person, "a.txt", "b.txt")
    row(person, "a.txt").locator(".open").focus()
    person.page.keyboard.press("F2")
    person.page.get_by_role("textbox", name="Rename").fill("b.txt")
    person.page.keyboard.press("Enter")
    is_said(person.page, "b.txt", failure=True)
    person.page.keyboard.press("Escape")
    row(person, "b.txt").locator(".pick").check()
    tool(person, "Move to trash").click()
    person.page.get_by_role("button", name="Undo").click()
    shows(person, "a.txt", "b.txt")
    expected = ("Cross-Origin-Opener-Policy", "status of 4")  # that a browser lacks TLS, and what was refused
    assert all(any(words in said for words in expected) for said in person.complaints), person.complaints


def test_who_is_signed_out_elsewhere_sees_nothing_any_more(account, person):
    put(account, "a.txt")
    shows(person, "a.txt")
    (device,) = [one for one in account.call("GET", "/v1/auth/devices", expect=200).json()["devices"] if one["platform"] == "web"]
    account.call("DELETE", f"/v1/auth/devices/{device['id']}", expect=204)
    person.page.wait_for_url(re.compile("/sign-in"))
    expect(person.page.locator(".row")).to_have_count(0)
