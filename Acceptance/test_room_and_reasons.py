"""What a device keeps, hides and holds back is said, and can be changed, by one command each."""

import pytest

from api import new_id
from content import fresh
from power import Power
from waiting import wait_until

MIB = 1 << 20


@pytest.fixture
def laptop(server, new_device):
    device = new_device("laptop").register(server.url, f"{new_id()}@example.org")
    for name in ("a.txt", "b.txt"):
        (device.home / name).write_text(name)
        device.put(device.home / name, "/")
    return device


def test_what_is_hidden_is_left_out_until_it_is_shown_again(laptop):
    wait_until(lambda: laptop.run("find", "a.txt").stdout == "/a.txt\n")
    assert laptop.run("hide", "/a.txt").stdout == "/a.txt is hidden\n"
    assert laptop.run("ls").stdout == "b.txt\n"
    assert laptop.run("ls", "--all").stdout.split() == ["a.txt", "b.txt"]
    assert laptop.run("find", "a.txt").stdout == ""
    assert laptop.cat("/a.txt") == b"a.txt"
    assert laptop.json("hide", "--remove", "/a.txt")["hidden"] is False
    assert laptop.run("ls").stdout.split() == ["a.txt", "b.txt"]
    assert laptop.run("hide", "/", check=False).code != 0
    assert laptop.run("hide", "/nowhere", check=False).code == 4


def test_what_is_hidden_without_a_connection_is_told_to_the_server_later(laptop, server, new_device):
    laptop.run("ls")
    email = laptop.json("whoami")["user"]["email"]
    other = new_device("phone").login(server.url, email)
    server.stop()
    laptop.run("hide", "/a.txt")
    assert laptop.run("ls").stdout == "b.txt\n"
    server.start()
    laptop.run("ls")
    wait_until(lambda: other.run("ls").stdout == "b.txt\n")


def test_room_is_given_back_by_a_command(laptop):
    content = fresh(2 * MIB)
    (laptop.home / "film.bin").write_bytes(content)
    laptop.put(laptop.home / "film.bin", "/")
    nothing = laptop.run("unpin", "--free")
    assert "nothing to free" in nothing.stdout
    laptop.run("pin", "/film.bin")
    assert laptop.json("unpin", "--free") == {"freed": 0}
    laptop.run("unpin", "/film.bin")
    status = laptop.run("status").stdout
    assert "2.0 MiB is removed automatically" in status and "“bothy unpin --free” frees it now" in status
    assert laptop.run("unpin", "--free").stdout == "2.0 MiB freed. This content is downloaded again when it is opened.\n"
    assert "frees it now" not in laptop.run("status").stdout
    assert laptop.cat("/film.bin") == content
    assert laptop.run("unpin", check=False).code == 2


def stop_an_upload(device):
    """A command that was cut off in the middle of a file: its transfer, as it is listed then."""
    (device.home / "film.bin").write_bytes(fresh(8 * MIB))
    put = device.start("put", "--limit-rate", "1M", device.home / "film.bin", "/")
    wait_until(lambda: device.json_lines("transfers"), what="the transfer")
    put.terminate()
    put.wait(timeout=60)
    wait_until(lambda: device.json_lines("transfers")[0]["state"] == "paused", what="its end")
    return device.json_lines("transfers")[0]


def test_a_transfer_that_a_pause_holds_says_so(laptop):
    # What is typed runs all the same.
    laptop.run("pause")
    held = stop_an_upload(laptop)
    assert (held["reason"], held["heldBy"]) == ("stopped", "pause")
    assert "waiting: this device is paused" in laptop.run("transfers").stdout
    laptop.run("resume")
    assert "heldBy" not in laptop.json_lines("transfers")[0]


def test_a_transfer_that_the_battery_holds_says_so_until_the_plug_is_back(laptop, tmp_path):
    power = Power(tmp_path / "power").of(laptop)
    power.pull()
    laptop.run("config", "on-battery", "rest")
    held = stop_an_upload(laptop)
    assert (held["reason"], held["heldBy"]) == ("stopped", "battery")
    assert "waiting: on battery" in laptop.run("transfers").stdout
    power.plug_in()
    assert "heldBy" not in laptop.json_lines("transfers")[0]
    assert "waiting to be resumed" in laptop.run("transfers").stdout


def test_a_transfer_that_its_person_paused_is_held_by_no_rule(laptop):
    transfer = stop_an_upload(laptop)
    laptop.run("transfers", "pause", transfer["id"])
    laptop.run("pause")
    paused = laptop.json_lines("transfers")[0]
    assert paused["reason"] == "user" and "heldBy" not in paused
    assert "paused by you" in laptop.run("transfers").stdout
    laptop.run("transfers", "resume", transfer["id"])
    assert laptop.json_lines("transfers") == []
    assert laptop.json("stat", "/film.bin")["size"] == 8 * MIB
