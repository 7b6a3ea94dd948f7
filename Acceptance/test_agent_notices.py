"""What a person is told of while they do not look: by the desktop; where there is none, by a browser; nothing unasked."""

import pytest

from agent_people import answers
from api import Api, new_id
from browser import expect, is_said
from desktop import DBUS_DAEMON, Desktop
from device import PASSWORD
from preconditions import missing
from test_feed import act, posted
from waiting import wait_until


@pytest.fixture
def bus():
    if not DBUS_DAEMON:
        missing("dbus", "there is no dbus-daemon here")
    desktop = Desktop()
    yield desktop
    desktop.end()


def restart(desk):
    """The agent begins anew, and its pages answer again."""
    desk.laptop.run("agent", "--stop", check=False)
    # One that ends slowly would be found running, and then be gone.
    wait_until(lambda: not answers(desk.person.url))
    desk.begin_agent()
    # An open page shows what it heard of the agent before.
    desk.page.reload()


def test_a_conflict_is_told_once(desk, bus):
    bus.begin()
    desk.laptop.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
    desk.put(desk.laptop, "plan.txt", "ours")
    desk.line("Up to date")
    # What is there when an agent begins is no news to it: the two meet once it runs.
    desk.laptop.run("pause")
    desk.both_change("plan.txt", "mine", "theirs")
    desk.laptop.run("resume")
    title, text = bus.next()
    assert (title, text) == ("Conflicts", "“plan.txt” was changed here and elsewhere.")
    restart(desk)
    desk.line("needs attention")
    assert bus.shown.empty()


def test_only_what_was_asked_for_is_told(desk, bus):
    bus.begin()
    desk.laptop.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
    assert desk.laptop.json("config")["notices"] == ["conflict", "failed", "held", "sign-in"]
    restart(desk)
    desk.page.goto("/settings")
    desk.page.get_by_text("Notifications are shown on this device’s desktop.").wait_for()
    assert not desk.page.get_by_role("checkbox", name="New from another device").is_checked()
    desk.put(desk.phone, "quiet.txt", "nobody asked")
    desk.page.goto("/")
    desk.page.locator(".row", has_text="quiet.txt").wait_for()
    desk.page.goto("/settings")
    desk.page.get_by_role("checkbox", name="New from another device").check()
    desk.page.get_by_role("button", name="Save").click()
    is_said(desk.page, "settings were saved")
    expect(desk.page.get_by_role("checkbox", name="New from another device")).to_be_checked()
    # What came just before may have been told too: not by an agent that begins anew.
    restart(desk)
    desk.line("Up to date")
    while not bus.shown.empty():
        bus.next()
    desk.put(desk.phone, "<b>loud & clear.txt", "told")
    # A name is no mark, whatever it looks like.
    assert bus.next() == ("New from another device", "“&lt;b&gt;loud &amp; clear.txt” has changed.")
    assert desk.laptop.json("config", "notices", "none")["notices"] == []
    desk.put(desk.phone, "quiet again.txt", "nobody asked")
    desk.page.goto("/")
    desk.page.locator(".row", has_text="quiet again.txt").wait_for()
    assert bus.shown.empty()


def test_who_mentions_and_answers_is_told_where_that_is_asked_for_and_nothing_of_what_was_written(desk, bus, new_account):
    bus.begin()
    desk.laptop.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
    mine = Api(desk.server.url).login(desk.email, PASSWORD, name="witness")
    other = new_account(desk.server)
    mine.call("PUT", f"/v1/users/{other.user['id']}/follow", expect=204)
    handle, name = mine.call("GET", "/v1/users/me").json()["handle"], other.user["displayName"]
    old = posted(other, f"<p>old, @{handle}</p>")
    desk.laptop.run("config", "notices", "mention", "comment", "follow")
    restart(desk)
    desk.page.goto("/feed/notifications")
    desk.page.get_by_text(f"{name} mentioned you").wait_for()
    assert bus.shown.empty(), "what was there when the agent began is no news"
    desk.page.get_by_role("link", name="Choose desktop notifications").click()
    expect(desk.page.get_by_role("checkbox", name="Mentions of you")).to_be_checked()
    posted(other, f"<p>a secret for @{handle}</p>")
    assert bus.next() == ("Mentions of you", f"{name} mentioned you.")
    act(other, posted(mine, "<p>mine</p>"), "LIKED")
    comment = mine.call("POST", f"/v1/posts/{old}/comments", json={"requestId": new_id(), "content": "<p>why</p>"}, expect=201).json()
    body = {"requestId": new_id(), "content": "<p>another secret</p>", "parentCommentId": comment["commentId"]}
    other.call("POST", f"/v1/posts/{old}/comments", json=body, expect=201)
    assert bus.next() == ("Comments and replies", f"{name} commented."), "and a like is no reason to call"
    mine.close()


def test_a_session_that_ended_is_told(desk, bus):
    bus.begin()
    desk.laptop.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
    restart(desk)
    desk.line("Up to date")
    desk.phone.run("devices", "sign-out", "laptop")
    assert bus.next()[0] == "Sign in again"


def test_without_a_desktop_a_browser_tells(desk, bus):
    """There is a bus, and nobody on it shows anything."""
    desk.laptop.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
    desk.laptop.run("config", "notices", "all")
    restart(desk)
    desk.person.context.add_init_script("""
        globalThis.told = [];
        globalThis.Notification = class {
            static permission = "default";
            static async requestPermission() { return (Notification.permission = "granted"); }
            constructor(title, { body }) { told.push(title, body); }
        };""")
    desk.page.goto("/settings")
    desk.page.get_by_text("A browser can").wait_for()
    allow = desk.page.get_by_role("button", name="Allow in this browser")
    allow.click()
    allow.wait_for(state="hidden")
    desk.put(desk.phone, "new.txt", "told")
    desk.page.wait_for_function("() => told.length === 2")
    assert desk.page.evaluate("told") == ["New from another device", "“new.txt” has changed."]


def test_what_no_kind_is_called_is_refused(new_device):
    said = new_device("laptop").run("config", "notices", "everything", check=False)
    assert said.code == 2 and "everything" in said.stderr
