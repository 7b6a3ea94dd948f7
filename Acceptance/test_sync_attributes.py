"""What travels with a file, and what stays this disk's own."""

import os
import struct

import pytest

from fault_proxy import hold
from synced import meet
from waiting import wait_until

ACL = "system.posix_acl_access"


def acl_of(*entries):
    """A POSIX ACL as its extended attribute holds it: (tag, permissions, id) each."""
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def test_a_replaced_file_keeps_its_mode_owner_acl_and_extended_attributes(met):
    a, b = met
    mine = a.path / "report.txt"
    mine.chmod(0o640)
    os.setxattr(mine, "user.colour", b"green")
    nobody = 0xFFFFFFFF
    os.setxattr(mine, ACL, acl_of((1, 6, nobody), (2, 4, 12345), (4, 4, nobody), (16, 4, nobody), (32, 0, nobody)))
    if os.geteuid() == 0:
        os.chown(mine, 1234, 4321)
    before = mine.stat()
    acl = os.getxattr(mine, ACL)
    b.write("report.txt", "second\n")
    meet(a, b)
    now = mine.stat()
    assert a.read("report.txt") == b"second\n"
    assert (now.st_mode, now.st_uid, now.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert os.getxattr(mine, "user.colour") == b"green" and os.getxattr(mine, ACL) == acl
    assert (b.path / "report.txt").stat().st_mode & 0o777 == 0o644, "the other device's is its own"


def test_what_was_replaced_keeps_them_in_the_trash_too(met):
    a, b = met
    (a.path / "report.txt").chmod(0o600)
    os.setxattr(a.path / "report.txt", "user.colour", b"green")
    b.write("report.txt", "second\n")
    meet(a, b)
    (item,) = a.trash()
    assert os.stat(item["at"]).st_mode & 0o777 == 0o600 and os.getxattr(item["at"], "user.colour") == b"green"


@pytest.mark.parametrize("mask, file, script, folder", [(0o022, 0o644, 0o755, 0o755), (0o077, 0o600, 0o700, 0o700),
                                                        (0o002, 0o664, 0o775, 0o775)])
def test_a_new_file_gets_what_the_umask_leaves(pair, mask, file, script, folder):
    a, b = pair
    a.write("new/file", "f")
    a.write("new/script", "s").chmod(0o755)
    a.sync()
    before = os.umask(mask)
    try:
        b.sync()
    finally:
        os.umask(before)
    assert [(b.path / name).stat().st_mode & 0o777 for name in ("new/file", "new/script", "new")] == [file, script, folder]


def test_the_agents_new_files_get_what_the_umask_leaves_as_well(met):
    a, b = met
    before = os.umask(0o022)
    try:
        b.device.starts_its_agent().run("sync", b.path)
        a.write("by the agent/file", "f")
        a.sync()
        wait_until(lambda: (b.path / "by the agent/file").exists(), what="the agent's bringing it")
        assert (b.path / "by the agent/file").stat().st_mode & 0o777 == 0o644
        assert (b.path / "by the agent").stat().st_mode & 0o777 == 0o755
        home = b.device.home / "bothy"
        assert home.stat().st_mode & 0o077 == 0, "and its own are behind a closed door"
    finally:
        b.device.run("agent", "--stop", check=False)
        os.umask(before)


@pytest.mark.parametrize("moment", [-1, -86_400 * 365 * 10 * 10 ** 9 - 1, 0, 1_700_000_000_123_456_789, 4_102_444_800 * 10 ** 9 + 999_999_999])
def test_times_travel_to_the_nanosecond(met, moment):
    a, b = met
    os.utime(a.path / "report.txt", ns=(moment, moment))
    meet(a, b)
    assert (b.path / "report.txt").stat().st_mtime_ns == moment


def test_the_executable_bit_travels_both_ways(met):
    a, b = met
    (a.path / "report.txt").chmod(0o755)
    meet(a, b)
    assert (b.path / "report.txt").stat().st_mode & 0o111
    (b.path / "report.txt").chmod(0o644)
    meet(a, b)
    assert not (a.path / "report.txt").stat().st_mode & 0o111


def test_one_changes_the_mode_and_the_other_the_content(met):
    a, b = met
    (a.path / "report.txt").chmod(0o755)
    b.write("report.txt", "second\n")
    tree = meet(a, b)
    assert tree["report.txt"] == b"second\n" and sum(name.startswith("report") for name in tree) == 1
    assert [bool(folder.path.joinpath("report.txt").stat().st_mode & 0o111) for folder in (a, b)] == [True, True]


def test_a_time_alone_moves_no_bytes(met, desks):
    a, b = met
    os.utime(a.path / "report.txt", ns=(10 ** 18, 10 ** 18))
    steps, _ = a.events()
    assert [step["event"] for step in steps] == ["touched_there"]
    steps, _ = b.events()
    assert [step["event"] for step in steps] == ["touched_here"]


@pytest.mark.parametrize("turned_back", [False, True])
def test_a_bit_that_is_turned_while_it_is_sent_is_sent_again(desks, met, turned_back):
    a, b = met
    mine, theirs = a.path / "report.txt", b.path / "report.txt"
    mine.chmod(0o755)
    fault = desks.proxy.add(hold(lambda r: r.method == "PATCH"))
    sending = a.start("--once")
    wait_until(lambda: fault.used, what="the bit is on its way")
    mine.chmod(0o644)
    if not turned_back:
        mine.chmod(0o755)
    desks.proxy.clear()
    assert sending.wait(60) == 0
    meet(a, b)
    a.write("report.txt", "second\n")
    meet(a, b)
    assert {os.access(path, os.X_OK) for path in (mine, theirs)} == {not turned_back}


def test_content_from_elsewhere_gets_no_rights_that_were_given_to_other_content(met):
    a, b = met
    tool = a.path / "report.txt"
    tool.chmod(0o6755)
    if os.geteuid() == 0:
        os.setxattr(tool, "security.capability", bytes.fromhex("0100000200200000000000000000000000000000"))
    meet(a, b)
    b.write("report.txt", "second\n")
    meet(a, b)
    assert a.read("report.txt") == b"second\n" and tool.stat().st_mode & 0o7777 == 0o755
    assert "security.capability" not in os.listxattr(tool)
