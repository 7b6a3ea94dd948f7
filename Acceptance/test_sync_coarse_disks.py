"""Folders in step on disks that tell less than usual: times of whole seconds, no births, inode numbers that are given out anew, names
that differ in case alone, no executable bit."""

import os
import time

import pytest

from api import new_id
from mounted_disk import mounted  # noqa: F401
from synced import SyncedFolder, meet

pytestmark = pytest.mark.needs_root


@pytest.fixture
def folders(server, new_device, mounted):  # noqa: F811
    """A folder on a disk of some kind, and one on a usual disk."""

    def make(kind):
        email = f"{new_id()}@example.org"
        small, usual = new_device("small").register(server.url, email), new_device("usual").login(server.url, email)
        disk = mounted(small.home / "disk", kind)
        a, b = SyncedFolder(small, "disk/box"), SyncedFolder(usual)
        a.path.mkdir()
        return a, b, disk

    return make


def second_begins():
    """Waits for the beginning of a second of the clock: what follows lies in it."""
    while time.time() % 1 > 0.1:
        time.sleep(0.005)


def edit(path, content):
    """In place, as a database does it: the file's inode and size stay."""
    with open(path, "r+b") as file:
        file.write(content)


def same_second(folder, name, first, second):
    """A file that is brought to the server, and edited in the second in which it was looked at."""
    while True:
        second_begins()
        path = folder.write(name, first)
        before = path.stat()
        folder.sync()
        edit(path, second)
        after = path.stat()
        if (before.st_mtime_ns, before.st_ctime_ns) == (after.st_mtime_ns, after.st_ctime_ns):
            return path
        name = f"again-{name}"


def test_an_edit_in_the_second_of_the_pass_arrives(folders):
    """It was never sent, whatever passes came after it."""
    a, b, _ = folders("ext4")
    path = same_second(a, "pin.txt", b"1111", b"2222")
    assert meet(a, b)[path.name] == b"2222"


def test_a_new_file_with_the_inode_of_a_deleted_one_arrives(folders):
    a, b, _ = folders("ext4")
    a.sync()
    while True:
        second_begins()
        old = a.write("old", b"3333")
        before = old.stat()
        a.sync()
        old.unlink()
        new = a.write("new", b"4444")
        after = new.stat()
        if (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns):
            break
        new.unlink()
    assert meet(a, b) == {"new": b"4444"}


def test_an_edit_that_no_pass_has_seen_is_not_called_damage(folders):
    """What was to heal it destroyed it."""
    a, _, _ = folders("ext4")
    path = same_second(a, "pin.txt", b"1111", b"2222")
    said = a.device.run("verify", a.path, check=False)
    assert "damaged" not in said.text
    assert a.sync().code == 0 and a.device.cat(f"/box/{path.name}") == b"2222"


def test_what_is_replaced_by_what_verify_tells_to_do_is_kept(folders):
    a, _, _ = folders("ext4")
    path = a.write("pin.txt", b"1111")
    a.sync()
    a.device.run("get", "--replace", "/box/pin.txt", path)
    assert a.trash() == [], "nothing was replaced"
    edit(path, b"2222")
    a.device.run("get", "--replace", "/box/pin.txt", path)
    assert path.read_bytes() == b"1111"
    (item,) = a.trash()
    with open(item["at"], "rb") as kept:
        assert kept.read() == b"2222"


def test_a_stick_that_is_plugged_in_again_is_as_it_was(folders):
    """Its inodes have other numbers then: files were taken for each other, and sent as new versions of each other."""
    a, b, disk = folders("exfat")
    for number in range(12):
        path = b.write(f"d{number % 3}/f{number}", f"content {number:03} ".encode() * 20)
        os.utime(path, (1.6e9, 1.6e9))
    files = meet(b, a)
    for order in (("d2", "d1"), ("d1", "d0", "d2")):
        disk.take_out()
        disk.plug_in()
        for folder in order:
            [path.stat() for path in sorted((a.path / folder).iterdir())]
        steps, _ = a.events()
        assert steps == []
    assert b.events()[0] == [] and a.tree() == files and b.tree() == files
    assert len(b.device.json_lines("history", "/box/d1/f1")) == 1


def test_a_new_spelling_arrives_where_both_are_one_name(folders):
    a, b, _ = folders("exfat")
    b.write("plain.txt", b"v1")
    b.write("Docs/one", b"1")
    meet(b, a)
    os.rename(b.path / "plain.txt", b.path / "Plain.txt")
    os.rename(b.path / "Docs", b.path / "docs")
    assert meet(b, a) == {"Plain.txt": b"v1", "docs": None, "docs/one": b"1"}


def test_an_edit_on_a_disk_without_an_executable_bit_leaves_it_as_it_was(folders):
    """All files look executable there."""
    a, b, _ = folders("exfat")
    b.write("doc.txt", b"doc").chmod(0o644)
    b.write("tool.sh", b"#!/bin/sh").chmod(0o755)
    meet(b, a)
    for name, content in {"doc.txt": b"edited", "tool.sh": b"#!/bin/sh\n:", "new.txt": b"new"}.items():
        a.write(name, content)
    meet(a, b)
    modes = {name: os.stat(b.path / name).st_mode & 0o777 for name in ("doc.txt", "tool.sh", "new.txt")}
    assert modes == {"doc.txt": 0o644, "tool.sh": 0o755, "new.txt": 0o644}
