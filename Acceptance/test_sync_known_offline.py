"""Without a connection and without an agent: what is said of a folder in step is what its own passes have heard and done."""

import contextlib
import os
import sqlite3

import pytest

from fault_proxy import hold
from synced import SyncedFolder
from waiting import wait_until

#: Seconds, on a machine that does much else: what waits as long as a connection may stand still takes a minute.
SOON = 30


def known(folder):
    """Names that this device knows on the server, without asking anybody."""
    with contextlib.closing(sqlite3.connect(f"file:{folder.device.home}/bothy/replica.sqlite?mode=ro", uri=True)) as replica:
        return {name for (name,) in replica.execute("SELECT name FROM remote_files WHERE trashed_ms IS NULL")}


def listed(folder):
    return set(folder.device.run("ls", folder.remote).stdout.split())


def test_what_a_watch_has_heard_and_sent_is_known_when_the_server_is_gone(desks, met):
    a, b = met
    a.device.run("ls", a.remote)
    process = a.watch()
    try:
        os.rename(a.path / "report.txt", a.path / "renamed.txt")
        a.write("mine.txt", "mine\n")
        b.write("theirs.txt", "theirs\n")
        b.sync()
        wait_until(lambda: (a.path / "theirs.txt").exists(), what="what the other sent arrives")
        wait_until(lambda: {"renamed.txt", "mine.txt", "theirs.txt"} <= known(a), what="it is known of the drive too")
        desks.proxy.go_down()
        assert listed(a) == {"docs/", "renamed.txt", "mine.txt", "theirs.txt"}
        for name in ("renamed.txt", "mine.txt", "theirs.txt"):
            why = a.why(name)
            assert why["status"] == "synced" and why["onTheServer"], why
        a.device.run("star", f"{a.remote}/mine.txt")
        assert a.device.json("stat", f"{a.remote}/mine.txt")["starred"] is True
    finally:
        process.terminate()
        process.wait(60)


def test_what_a_pass_has_done_is_known_when_the_server_is_gone(desks, met):
    a, _ = met
    os.rename(a.path / "report.txt", a.path / "renamed.txt")
    a.write("mine.txt", "mine\n")
    a.sync()
    desks.proxy.go_down()
    assert listed(a) == {"docs/", "renamed.txt", "mine.txt"}
    assert a.why("mine.txt")["status"] == "synced" and a.why("renamed.txt")["status"] == "synced"


def test_a_pass_sends_first_what_was_typed_before(desks, met):
    a, b = met
    desks.proxy.go_down()
    a.device.run("mv", f"{a.remote}/report.txt", f"{a.remote}/renamed.txt")
    desks.proxy.come_back()
    a.write("report.txt", "edited\n")
    a.sync()
    assert not a.device.run("journal", "--json").json_lines()
    b.sync()
    assert a.tree() == b.tree() and set(a.tree()) >= {"renamed.txt"} and "report.txt" not in a.tree()
    assert a.read("renamed.txt") == b"edited\n"


def test_a_plan_does_what_was_told_and_nothing_that_was_typed_before(desks, met):
    a, _ = met
    desks.proxy.go_down()
    a.device.run("mv", f"{a.remote}/docs/plan.md", f"{a.remote}/renamed.md")
    desks.proxy.come_back()
    a.write("report.txt", "edited\n")
    told = a.sync("--dry-run")
    assert "1 unsent change is sent first" in told.stderr, told
    plan = a.events("--dry-run")[1]["plan"]
    a.sync("--plan", plan)
    folder = a.why("docs")
    assert folder["status"] == "pending" and "docs/plan.md" in folder["cause"] and len(folder["waiting"]) == 1, folder
    assert a.why("report.txt")["status"] == "synced"
    a.sync()
    assert "renamed.md" in a.tree() and not a.device.run("journal", "--json").json_lines()


def test_what_an_undoing_has_done_is_known_when_the_server_is_gone(desks, met):
    a, _ = met
    os.rename(a.path / "report.txt", a.path / "renamed.txt")
    a.sync()
    a.device.run("undo", "--yes")
    desks.proxy.go_down()
    assert listed(a) == {"docs/", "report.txt"}


# Content


def test_what_lies_in_a_folder_in_step_is_read_from_there(desks, met):
    a, _ = met
    large = a.write("large.bin", os.urandom(3 << 20)).read_bytes()
    os.rename(a.path / "report.txt", a.path / "renamed.txt")
    a.sync()
    desks.proxy.go_down()
    assert a.device.cat(f"{a.remote}/renamed.txt") == b"first\n"
    assert a.device.cat(f"{a.remote}/docs/old/notes.txt") == b"notes\n"
    assert a.device.cat(f"{a.remote}/large.bin") == large
    a.device.run("get", f"{a.remote}/docs", a.device.home / "got")
    assert (a.device.home / "got/plan.md").read_bytes() == b"plan\n"


def test_what_was_edited_since_is_not_taken_for_the_servers_version(desks, met):
    a, _ = met
    desks.proxy.go_down()
    before = os.stat(a.path / "report.txt")
    a.write("report.txt", "edit!\n")
    os.utime(a.path / "report.txt", ns=(before.st_atime_ns, before.st_mtime_ns))
    for command in (("cat", f"{a.remote}/report.txt"), ("get", f"{a.remote}/report.txt", a.device.home / "copy")):
        said = a.device.run(*command, check=False)
        assert said.code == 1 and "is not on this device" in said.stderr, said
        assert f"{a.path}/report.txt”, which is synced with it, has another version" in said.stderr, said
    assert not (a.device.home / "copy").exists()


@pytest.fixture
def silent(desks, met):
    """The server takes every connection, and says nothing; two folders of the laptop are in step with it."""
    a, _ = met
    beside = SyncedFolder(a.device, f"{a.path.name}-beside", f"{a.remote}-beside")
    beside.write("note.txt", "note\n")
    beside.sync()
    desks.proxy.add(hold(times=1000))
    desks.asked = len(desks.proxy.exchanges)
    yield a
    desks.proxy.clear()
    beside.device.run("unsync", beside.path, "--yes")


@pytest.mark.parametrize("command, words", [
    (("status",), "cannot be reached (it does not answer)"), (("status",), "Last synced with “"),
    (("why", "report.txt"), "There is no connection. The server's side is the last state that this device knows."),
    (("why", "/elsewhere.txt"), "There is no connection."),
    (("conflicts",), "There is no connection. This is the last state that this device knows."), (("bindings",), "mirror"),
])
def test_what_is_known_here_is_told_soon_where_the_server_takes_connections_and_says_nothing(desks, silent, command, words):
    """It took a minute, and of `conflicts` a minute for each folder."""
    said = silent.device.run(*command, cwd=silent.path, seconds=SOON)
    assert words in said.text, said
    assert len(desks.proxy.exchanges) - desks.asked <= 1, "nobody waits twice"


def test_a_folder_that_was_tied_and_not_passed_yet_keeps_nothing_from_being_listed(desks, met):
    a, _ = met
    new = SyncedFolder(a.device, f"{a.path.name}-new", f"{a.remote}-new")
    a.device.run("mkdir", new.remote)
    new.write("note.txt", "note\n")
    desks.proxy.go_down()
    assert new.sync(check=False).code != 0
    assert "There are no open conflicts" in a.device.run("conflicts").text
    assert new.why("note.txt")["status"] == "pending"
    desks.proxy.come_back()
    new.sync()
    assert new.why("note.txt")["status"] == "synced"
    new.device.run("unsync", new.path, "--yes")


def test_what_was_typed_and_waits_is_no_unknown_name(desks, met):
    a, _ = met
    desks.proxy.go_down()
    a.device.run("mv", f"{a.remote}/report.txt", f"{a.remote}/renamed.txt")
    why = a.why("renamed.txt")
    assert why["status"] == "pending" and why["waiting"], why
    assert "next command that reaches the server" in why["remedy"], why
    assert a.why("report.txt")["waiting"], "under the name that it had, too"
    desks.proxy.come_back()
    a.sync()
    assert a.why("renamed.txt")["status"] == "synced"


def test_the_doctor_says_soon_that_the_server_says_nothing(silent):
    said = silent.device.run("doctor", seconds=SOON, check=False)
    assert "BAD server" in said.text and "does not answer" in said.text, said
