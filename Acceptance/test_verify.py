"""`bothy verify` finds and names a bit that flipped in a file here, and calls no edit damage."""

import hashlib
import os
import shlex
import sqlite3

import pytest

from api import new_id
from content import flip_a_bit
from synced import SyncedFolder


def forget_that_it_was_touched(device, path):
    """What a disk does below the file system leaves the inode's own time as it was, too."""
    changed = path.stat().st_ctime_ns
    database = sqlite3.connect(device.home / "bothy/client.sqlite")
    with database:
        # Of a folder that was untied, too, what was agreed on is kept for a while, and disks give out inodes anew.
        cursor = database.execute("UPDATE synced_nodes SET changed_s = ?, changed_ns = ? WHERE inode = ?"
                                  " AND binding_id IN (SELECT binding_id FROM bindings)",
                                  (changed // 10**9, changed % 10**9, path.stat().st_ino))
    database.close()
    assert cursor.rowcount == 1


def verify(device, *paths):
    """What is named, by its path; the summary; and all that was said."""
    said = device.run("verify", *paths, "--json", check=False)
    *named, summary = said.json_lines()
    assert summary.pop("event") == "summary", said
    return {line["path"]: line for line in named}, summary, said


def typed_in(remedy):
    """The command between quotation marks, as a shell takes it."""
    return shlex.split(remedy.split("“")[1].split("”")[0])


def numbers(**others):
    return {"damaged": 0, "unreadable": 0, "changed": 0, "missing": 0, "unknown": 0, **others}


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_whole_folder_is_said_to_be_whole(desks, met):
    a, _ = met
    said = a.device.run("verify", a.path)
    assert "3 files, 17 B, were verified by SHA-256: all are intact." in said.stdout, said
    assert said.stderr == "", said
    named, summary, _ = verify(a.device, a.path)
    assert not named and summary == numbers(files=3, bytes=17)
    desks.proxy.go_down()
    assert a.device.run("verify", a.path).code == 0, "it needs no connection"


@pytest.mark.parametrize("is_seen", [False, True], ids=["untouched", "its time put back"])
def test_a_bit_that_flipped_is_named_and_what_is_told_makes_the_file_whole(met, is_seen):
    a, _ = met
    path = a.path / "docs/plan.md"
    flip_a_bit(path)
    if not is_seen:
        forget_that_it_was_touched(a.device, path)
        assert not a.events()[0], "no pass sends it"
    said = a.device.run("verify", check=False)
    assert said.code == 1, said
    assert f"damaged     {path} ({a.remote}/docs/plan.md on the server)" in said.stdout, said
    assert "1 file is damaged." in said.stderr, said
    named, summary, said = verify(a.device, a.path)
    assert said.code == 1 and "damaged" in said.stderr, said
    assert summary == numbers(files=3, bytes=17, damaged=1)
    (line,) = named.values()
    assert line["event"] == "damaged" and line["path"] == str(path) and line["remote"] == f"{a.remote}/docs/plan.md"
    assert line["sha256"] == sha256("plan\n") and line["foundSha256"] == sha256("qlan\n"), line
    assert ("reset the time" if is_seen else "It was not edited") in line["cause"], line
    assert path.read_text() == "qlan\n", "it was looked at, and no more"

    name, *words = typed_in(line["remedy"])
    assert name == "bothy"
    a.device.run(*words)
    assert path.read_text() == "plan\n"
    for _ in range(2):
        assert verify(a.device, a.path)[:2] == ({}, numbers(files=3, bytes=17))
        assert not a.events()[0], "what is whole again is no news"


def test_only_what_is_named_is_read(met):
    a, _ = met
    flip_a_bit(a.path / "report.txt")
    flip_a_bit(a.path / "docs/plan.md")
    assert list(verify(a.device, a.path / "docs")[0]) == [str(a.path / "docs/plan.md")]
    assert verify(a.device, a.path / "docs/old")[:2] == ({}, numbers(files=1, bytes=6))
    assert list(verify(a.device, a.path / "report.txt")[0]) == [str(a.path / "report.txt")]
    named, summary, _ = verify(a.device, a.path.parent, a.path / "docs")
    assert len(named) == 2 and summary["damaged"] == 2, "all folders below a path, and nothing twice"


def test_what_was_edited_is_not_called_damaged(met):
    a, _ = met
    a.write("report.txt", "other\n")
    os.replace(a.write("new", "notes\nand more\n"), a.path / "docs/old/notes.txt")
    (a.path / "docs/plan.md").unlink()
    named, summary, said = verify(a.device, a.path)
    assert said.code == 0 and not named
    assert summary == numbers(files=0, bytes=0, changed=2, missing=1)
    said = a.device.run("verify", a.path)
    assert "2 have changed since the last sync, and were not checked." in said.stdout, said
    assert "1 no longer exists." in said.stdout, said


def test_what_cannot_be_read_is_named(as_a_person, met):
    a, _ = met
    (a.path / "report.txt").chmod(0)
    try:
        named, summary, said = verify(a.device, a.path)
        assert said.code == 5 and summary == numbers(files=2, bytes=11, unreadable=1)
        (line,) = named.values()
        assert line["event"] == "unreadable" and line["path"] == str(a.path / "report.txt")
        assert "Permission denied" in line["cause"] and line["remedy"], line
        flip_a_bit(a.path / "docs/plan.md")
        said = a.device.run("verify", a.path, check=False)
        assert said.code == 1 and "1 file is damaged, and 1 could not be read." in said.stderr, said
        assert f"unreadable  {a.path}/report.txt" in said.stdout, said
    finally:
        (a.path / "report.txt").chmod(0o644)


def test_another_folder_in_its_place_is_not_read(met):
    a, _ = met
    away = a.path.with_name("away")
    a.path.rename(away)
    a.path.mkdir()
    try:
        named, summary, said = verify(a.device, a.path)
        assert said.code == 5 and summary == numbers(files=0, bytes=0, unreadable=1)
        assert "another folder is in its place" in named[str(a.path)]["cause"], named
    finally:
        a.path.rmdir()
        away.rename(a.path)


def test_a_path_outside_any_folder_in_step_is_told_so(met):
    a, _ = met
    for path in ("/etc/hosts", a.device.home / "nothing", a.path / "never"):
        said = a.device.run("verify", a.path, path, check=False)
        assert said.code == 4 and f"“{path}”" in said.stderr and "bothy bindings" in said.stderr, said
        assert said.stdout == "", said


def test_beside_a_watch_it_reads_on_its_own(met):
    a, _ = met
    watch = a.watch()
    try:
        assert verify(a.device, a.path)[:2] == ({}, numbers(files=3, bytes=17))
    finally:
        watch.terminate()
        watch.wait()


def test_kept_content_with_a_flipped_byte_is_found_and_fetched_again(new_device, shared_server):
    device = new_device("laptop").register(shared_server.url, f"{new_id()}@example.org")
    (device.home / "a.txt").write_text("kept\n")
    device.put("a.txt", "/docs/")
    device.run("pin", "/docs")
    assert verify(device)[:2] == ({}, numbers(files=1, bytes=5))
    (held,) = (path for path in (device.home / "bothy").rglob("held/*") if path.is_file())
    flip_a_bit(held)
    named, summary, said = verify(device)
    assert said.code == 1 and summary == numbers(files=1, bytes=5, damaged=1), said
    line = named[str(held)]
    assert line["remote"] == "/docs/a.txt" and line["sha256"] == sha256("kept\n"), line
    assert f"rm {held}" in line["remedy"] and "“bothy pin”" in line["remedy"], line
    held.unlink()
    device.run("pin")
    assert verify(device)[:2] == ({}, numbers(files=1, bytes=5))


def test_what_waits_to_be_sent_is_read_too(server, new_device):
    device = new_device("laptop").register(server.url, f"{new_id()}@example.org")
    device.run("ls")
    server.stop()
    (device.home / "a.txt").write_text("waits\n")
    device.put("a.txt", "/a.txt")
    assert verify(device)[:2] == ({}, numbers(files=1, bytes=6))
    (pending,) = (path for path in (device.home / "bothy").rglob("pending/*") if path.is_file())
    flip_a_bit(pending)
    named, _, said = verify(device)
    assert said.code == 1 and "bothy journal discard" in named[str(pending)]["remedy"], said


def test_a_home_with_nothing_to_read_says_so(new_device):
    said = new_device().run("verify")
    assert "There is nothing to verify" in said.stdout, said
    said = new_device().run("server", "verify", "--help").stdout
    assert "bothy verify" in " ".join(said.split())
    said = new_device().run("verify", "--help").stdout
    assert "bothy server verify" in " ".join(said.split())
