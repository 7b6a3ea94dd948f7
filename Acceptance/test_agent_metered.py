"""A device that is to rest in metered networks: it comes into one and leaves it, and nobody types anything."""

import pytest

from browser import is_said
from desktop import DBUS_DAEMON, Network
from preconditions import missing
from test_agent_battery import lines
from test_agent_notices import restart
from waiting import wait_until


@pytest.fixture
def network(desk):
    if DBUS_DAEMON is None:
        missing("dbus", "there is no dbus-daemon here (make setup gets it)")
    network = Network().begin().of(desk.laptop)
    restart(desk)
    desk.line("Up to date")
    yield network
    network.end()


def test_in_a_metered_network_a_device_rests_until_it_is_in_another(desk, network):
    assert desk.laptop.json("config")["onMetered"] == "go"
    network.is_metered = True
    assert "pauses" in desk.laptop.run("config", "on-metered", "rest").stdout
    desk.line("Paused: metered network")
    desk.server.stop()
    desk.put(desk.laptop, "letter.txt", "written in a train")
    desk.server.start()
    # What is typed reaches the server, and what waits is not taken along.
    desk.put(desk.laptop, "typed.txt", "at once")
    assert desk.phone.cat("/typed.txt") == b"at once"
    assert desk.phone.run("cat", "/letter.txt", check=False).code != 0
    metered = lines(desk.laptop)["metered"]
    assert (metered["state"], metered["reason"]) == ("waiting", "metered")
    assert "bothy config on-metered go" in metered["remedy"]
    assert "metered network" in desk.laptop.run("status").stdout or "is metered" in desk.laptop.run("status").stdout
    network.is_metered = False
    # By itself: nobody tells the agent.
    wait_until(lambda: desk.phone.run("cat", "/letter.txt", check=False).stdout == "written in a train",
               what="the letter's arrival")
    desk.line("Up to date")
    network.is_metered = True
    desk.line("Paused: metered network")
    desk.laptop.run("config", "on-metered", "go")
    desk.line("Up to date")


def test_it_is_switched_in_the_settings_where_somebody_tells_of_the_network(desk, network):
    desk.page.goto("/settings")
    section = desk.page.get_by_role("region", name="Metered networks")
    switch = section.get_by_role("checkbox", name="Pause syncing on metered networks")
    switch.check()
    section.get_by_role("button", name="Save").click()
    is_said(desk.page, "Syncing now pauses on metered networks")
    assert desk.laptop.json("config")["onMetered"] == "rest"
    network.is_metered = True
    desk.line("Paused: metered network")
    desk.page.locator("#line").get_by_role("link").first.click()
    desk.page.wait_for_url("**/settings")
    switch.uncheck()
    section.get_by_role("button", name="Save").click()
    is_said(desk.page, "Syncing now continues on metered networks")
    desk.line("Up to date")


def test_where_nobody_tells_nothing_is_asked_and_nothing_rests(desk):
    desk.laptop.environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/nowhere"
    restart(desk)
    desk.page.goto("/settings")
    desk.page.get_by_role("heading", name="Notifications").wait_for()
    assert desk.page.get_by_text("Metered networks").count() == 0
    desk.laptop.run("config", "on-metered", "rest")
    desk.put(desk.phone, "a.txt", "goes on")
    wait_until(lambda: "a.txt" in desk.laptop.run("ls").stdout)
    desk.line("Up to date")
