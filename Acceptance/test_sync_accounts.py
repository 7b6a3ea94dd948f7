"""A folder in step whose account says no: signed out, revoked, or full. Nothing is thrown away unasked."""

import os

import pytest

from api import new_id
from device import Device
from server import Server
from synced import SyncedFolder, meet


@pytest.fixture
def fresh_pair(new_device, shared_server):
    email = f"{new_id()}@example.org"
    a = SyncedFolder(new_device("laptop").register(shared_server.url, email))
    b = SyncedFolder(new_device("desktop").login(shared_server.url, email))
    a.write("report.txt", "first\n")
    meet(a, b)
    a.email = email
    return a, b


def test_a_revoked_device_keeps_what_it_has_and_goes_on_when_it_is_signed_in_again(fresh_pair, shared_server):
    a, b = fresh_pair
    a.write("report.txt", "not sent yet\n")
    a.write("new", "new\n")
    (laptop,) = [device for device in b.device.run("devices", "--json").json_lines() if device["name"] == "laptop"]
    b.device.run("devices", "sign-out", laptop["id"])
    said = a.sync(check=False)
    assert said.code != 0 and "sign" in said.text.lower() and "bothy login" in said.text, said
    assert a.read("report.txt") == b"not sent yet\n" and a.read("new") == b"new\n"
    a.device.login(shared_server.url, a.email)
    tree = meet(a, b)
    assert tree == {"report.txt": b"not sent yet\n", "new": b"new\n"}


def test_signing_out_leaves_the_files_and_signing_in_goes_on(fresh_pair, shared_server):
    a, b = fresh_pair
    a.write("new", "new\n")
    a.device.run("logout", check=False)
    assert a.tree() == {"report.txt": b"first\n", "new": b"new\n"}
    said = a.sync(check=False)
    assert said.code != 0 and "bothy login" in said.text, said
    b.write("report.txt", "meanwhile\n")
    b.sync()
    a.device.login(shared_server.url, a.email)
    a.sync("--confirm", check=False)
    tree = meet(a, b)
    assert tree == {"report.txt": b"meanwhile\n", "new": b"new\n"}


def test_another_account_in_the_same_home_gets_none_of_it(fresh_pair, shared_server):
    a, b = fresh_pair
    a.device.run("logout", check=False)
    a.device.register(shared_server.url, f"{new_id()}@example.org")
    before = a.tree()
    said = a.sync(check=False)
    assert said.code != 0, said
    assert a.tree() == before and "report.txt" not in a.device.run("ls", "/", check=False).stdout


def test_a_quota_that_is_used_up_halfway(server, new_device):
    email = f"{new_id()}@example.org"
    a = SyncedFolder(new_device("laptop").register(server.url, email))
    server.admin("user", "quota", email, "1MiB")
    for number in range(6):
        a.write(f"{number}", os.urandom(300 << 10))
    said = a.sync(check=False)
    assert said.code != 0 and "quota" in said.text.lower(), said
    waiting = [number for number in range(6) if a.why(f"{number}")["status"] != "synced"]
    assert 1 <= len(waiting) <= 5, "some went, and some did not"
    why = a.why(f"{waiting[0]}")
    assert why["status"] == "failed" and "quota" in why["cause"].lower() and why["remedy"], why
    a.write("small", b"fits")
    a.sync(check=False)
    assert a.why("small")["status"] == "synced", "what fits goes on"
    server.admin("user", "quota", email, "100MiB")
    a.sync()
    assert all(a.why(f"{number}")["status"] == "synced" for number in range(6))
