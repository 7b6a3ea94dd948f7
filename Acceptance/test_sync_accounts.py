"""A folder in step whose account says no: signed out, revoked, or full. Nothing is thrown away unasked."""

import os
import re

import pytest

from api import new_id
from device import Device
from server import Server
from synced import SyncedFolder, meet, wait_for_tree
from waiting import wait_until


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


@pytest.mark.parametrize("keeper", ["agent", "watch"])
def test_an_account_that_is_disabled_for_a_while_is_heard_of_again_by_itself(fresh_pair, shared_server, keeper):
    """The agent never heard the server again, and a watch was over."""
    a, b = fresh_pair
    watch = b.watch() if keeper == "watch" else None
    if keeper == "agent":
        b.device.run("agent", "--background")
    try:
        a.write("one", "1\n")
        a.sync()
        wait_for_tree(b, {"report.txt": b"first\n", "one": b"1\n"})
        shared_server.admin("user", "disable", a.email)
        b.write("two", "2\n")
        said = b.device.started_log if watch else lambda: b.device.run("status", check=False).text
        wait_until(lambda: "disabled" in said(), what="what is wrong")
        shared_server.admin("user", "enable", a.email)
        a.write("three", "3\n")
        a.sync()
        everything = {"report.txt": b"first\n", "one": b"1\n", "two": b"2\n", "three": b"3\n"}
        wait_for_tree(b, everything)
        wait_until(lambda: (a.sync(), a.tree() == everything)[1], what="both ways")
        if keeper == "agent":
            wait_until(lambda: "disabled" not in said(), what="that all is well again")
    finally:
        if watch:
            watch.terminate()
            watch.wait(60)
        b.device.run("agent", "--stop", check=False)


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


def why_text(folder, name):
    return folder.device.run("why", folder.path / f"{name}").stdout


def log_text(folder, name):
    return folder.device.run("log", folder.path / f"{name}").stdout


def test_a_quota_that_a_large_file_uses_up_is_told_in_sizes_that_people_read(server, new_device):
    """It named a chunk of the file, by its bytes, and said twice what to do."""
    email = f"{new_id()}@example.org"
    device = new_device("laptop").register(server.url, email)
    server.admin("user", "quota", email, "8 MiB")
    large = device.home / "film.bin"
    large.write_bytes(os.urandom(20 << 20))
    said = device.put(large, "/", check=False)
    told = r"There is not enough space: it needs 20 MiB, and [0-9.]+ (KiB|MiB) are left of this account's quota of 8\.0 MiB\."
    assert said.code == 1 and re.search(told, said.text), said
    assert not re.search(r"\d bytes", said.text) and said.text.count("Delete") == 1, said


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
    told = why_text(a, waiting[0])
    assert "KiB are left of this account's quota of 1 MiB." in told and " bytes" not in told, told
    assert told.count("Delete files that you no longer need") == 1 and "Delete something" not in told, told
    for _ in range(3):
        a.sync(check=False)
    lines = [line for line in why_text(a, waiting[0]).splitlines() if f"could not send {waiting[0]}" in line]
    tries = [one for one in a.why(f"{waiting[0]}")["decisions"] if "error" in one]
    assert len(lines) == 1 and f"({len(tries)} times since " in lines[0] and len(tries) >= 4, (lines, tries)
    log = [line for line in log_text(a, waiting[0]).splitlines() if f"could not send {waiting[0]}" in line]
    assert len(log) == 1 and f"({len(tries)} times since " in log[0], (log, tries)
    told = [one for one in a.device.json_lines("log", a.path / f"{waiting[0]}") if "error" in one]
    assert len(told) == 1 and told[0]["at"] == tries[0]["at"], told
    assert [one["pass"] for one in told[0]["earlier"]] == [one["pass"] for one in tries[1:]], (told, tries)
    a.write("small", b"fits")
    a.write("new/large", os.urandom(300 << 10))
    said = a.sync(check=False).text
    assert a.why("small")["status"] == "synced", "what fits goes on"
    # Its folder is made meanwhile, and it is still one file that was tried once.
    assert f"{len(waiting) + 1} could not be synced" in said and said.count("new/large") == 1, said
    server.admin("user", "quota", email, "100MiB")
    a.sync()
    assert all(a.why(f"{number}")["status"] == "synced" for number in [*range(6), "new/large"])


def test_a_folder_of_another_account_is_left_alone(fresh_pair, shared_server):
    """It was said to be gone from the server, with the advice to make it anew: in the account of whoever had signed in."""
    a, _ = fresh_pair
    a.device.run("logout")
    a.device.register(shared_server.url, f"{new_id()}@example.org")
    said = a.sync(check=False)
    assert said.code == 1 and "another account" in said.text and "bothy unsync" in said.text, said.text
    assert a.device.run("ls", "/").stdout == "" and "report.txt" in a.tree()
    assert a.device.run("sync", a.path, "--confirm", check=False).code == 1
    assert a.device.run("ls", "/").stdout == ""
    a.device.run("logout")
    a.device.login(shared_server.url, a.email)
    a.write("new", "new\n")
    a.sync()
    assert a.device.run("cat", f"{a.remote}/new").stdout == "new\n"
