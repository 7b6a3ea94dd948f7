"""Without a connection and without an agent: what is said of a folder in step is what its own passes have heard and done."""

import contextlib
import os
import sqlite3

from waiting import wait_until


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


def test_what_an_undoing_has_done_is_known_when_the_server_is_gone(desks, met):
    a, _ = met
    os.rename(a.path / "report.txt", a.path / "renamed.txt")
    a.sync()
    a.device.run("undo")
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
        assert f"{a.path}/report.txt”, in step with it, holds another version" in said.stderr, said
    assert not (a.device.home / "copy").exists()
