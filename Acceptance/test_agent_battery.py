"""A device that is to rest on its battery: the plug is pulled and comes back, and nobody types anything."""

import pytest

from browser import is_said
from power import Power
from test_agent_notices import restart
from waiting import wait_until


@pytest.fixture
def power(desk, tmp_path):
    power = Power(tmp_path / "power").of(desk.laptop)
    restart(desk)
    desk.line("Up to date")
    return power


def lines(device):
    return {line["part"]: line for line in device.json("status")["lines"]}


def test_on_its_battery_a_device_rests_until_the_plug_is_back(desk, power):
    assert desk.laptop.json("config")["onBattery"] == "go"
    power.pull()
    assert "pauses" in desk.laptop.run("config", "on-battery", "rest").stdout
    desk.line("Paused: on battery")
    desk.server.stop()
    desk.put(desk.laptop, "letter.txt", "written in a train")
    desk.server.start()
    # What is typed reaches the server, and what waits is not taken along.
    desk.laptop.run("whoami")
    desk.put(desk.laptop, "typed.txt", "at once")
    assert desk.phone.cat("/typed.txt") == b"at once"
    battery = lines(desk.laptop)["battery"]
    assert (battery["state"], battery["reason"]) == ("waiting", "battery")
    assert "bothy config on-battery go" in battery["remedy"]
    said = desk.laptop.run("status").stdout
    assert "runs on battery" in said and "You paused" not in said
    assert desk.phone.run("cat", "/letter.txt", check=False).code != 0
    desk.line("Paused: on battery")
    power.plug_in()
    # By itself: nobody tells the agent.
    wait_until(lambda: desk.phone.run("cat", "/letter.txt", check=False).stdout == "written in a train",
               what="the letter's arrival")
    desk.line("Up to date")
    assert "battery" not in lines(desk.laptop)
    power.pull()
    desk.line("Paused: on battery")
    # An agent that works tells how it hears of the server; one that rests leaves that to be asked.
    wait_until(lambda: "It answers in" in lines(desk.laptop)["server"]["words"], what="the agent's rest")
    # A person's own word is told before, and outlasts the plug.
    desk.laptop.run("pause")
    desk.line("Paused by you")
    assert "runs on battery" in desk.laptop.run("resume").stdout
    desk.line("Paused: on battery")
    desk.laptop.run("config", "on-battery", "go")
    desk.line("Up to date")


def test_it_is_switched_in_the_settings_where_there_is_a_battery(desk, power):
    desk.page.goto("/settings")
    switch = desk.page.get_by_role("checkbox", name="Pause syncing on battery")
    section = desk.page.get_by_role("region", name="Battery")
    assert not switch.is_checked()
    switch.check()
    section.get_by_role("button", name="Save").click()
    is_said(desk.page, "Syncing now pauses on battery")
    assert switch.is_checked() and desk.laptop.json("config")["onBattery"] == "rest"
    power.pull()
    desk.line("Paused: on battery")
    desk.page.goto("/transfers")
    desk.page.locator("#banner").get_by_text("when this device is plugged in").wait_for()
    assert desk.page.get_by_role("button", name="Resume").count() == 0
    desk.page.locator("#banner").get_by_role("link", name="Review").click()
    switch.uncheck()
    section.get_by_role("button", name="Save").click()
    is_said(desk.page, "Syncing now continues on battery")
    desk.line("Up to date")


def test_without_a_battery_nothing_is_asked(desk):
    desk.laptop.environment["BOTHY_TEST_POWER_SUPPLY"] = str(desk.laptop.home / "none")
    restart(desk)
    desk.page.goto("/settings")
    desk.page.get_by_role("heading", name="Notifications").wait_for()
    assert desk.page.get_by_text("Battery").count() == 0


def test_what_is_no_choice_is_refused(new_device):
    said = new_device("laptop").run("config", "on-battery", "maybe", check=False)
    assert said.code == 2 and "maybe" in said.stderr
