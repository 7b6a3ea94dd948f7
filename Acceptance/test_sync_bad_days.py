"""Folders in step on days when things go wrong: nothing is lost, and it is said why.

| the bad day | its tests |
| --- | --- |
| a replica that is damaged, newer or gone | test_sync_far_behind.py; Tests/BothyClientTests/Replica/ReplicaDatabaseTests |
| a server restored from an old backup | test_sync_far_behind.py, test_old_backup.py |
| a cursor that has expired, a year away | test_sync_far_behind.py |
| tens of thousands of changes at once | here, the long one; PlannerScaleTests |
| moves in a circle by two devices, a move into what the other deleted | test_sync_meeting.py |
| a folder renamed, or all files in it, while another edits them | test_sync_meeting.py; here |
| folders 200 deep, names of 255 bytes, a file that becomes a folder and back | test_sync_two_devices.py, test_sync_meeting.py |
| a path of more than 4,096 bytes | here |
| links in a circle, sockets, pipes, devices | test_sync_not_taken.py |
| a file that never stops changing, no room for watches, a calendar that jumps, a full disk | test_sync_odd_days.py |
| two agents on one home | test_agent.py |
| a folder that vanishes, an empty mount, a folder inside another | here |
| `docs/x` where `docs` is a link here | here |
| a server that lies | test_sync_hostile_server.py, test_sync_guards.py |
| signed out, revoked, a quota used up | test_sync_accounts.py |
| answers that get lost | test_sync_lost_answers.py |
| all of it at once | test_three_homes.py |
"""

import os
import shutil
import signal
from pathlib import Path

import pytest

from preconditions import machine_cannot
from small_disk import SmallDisk
from synced import meet


@pytest.fixture
def met(pair):
    a, b = pair
    for number in range(30):
        a.write(f"files/{number}.txt", f"{number}\n")
    meet(a, b)
    return a, b


def test_a_vanished_folder_deletes_nothing(met):
    a, b = met
    tree = b.tree()
    os.rename(a.path, a.path.with_name("moved-away"))
    said = a.sync(check=False)
    assert said.code != 0 and "not exist" in said.text
    b.sync()
    assert b.tree() == tree


def test_an_empty_mount_deletes_nothing(met):
    """A disk that is empty is mounted over the folder, or the other way round: its own is not mounted."""
    a, b = met
    tree = b.tree()
    disk = SmallDisk(a.path, "1m", over=True)
    try:
        a.device.prefix = disk.prefix
        for _ in range(2):
            said = a.sync(check=False)
            assert said.code != 0 and "on another disk than before" in said.text and "ount its disk" in said.text, said.text
        assert list(disk.outside.iterdir()) == [], "nor is anything brought there"
    finally:
        a.device.prefix = []
        disk.close()
    b.sync()
    assert a.tree() == b.tree() == tree
    assert a.events()[0] == [] and meet(a, b) == tree


def test_an_empty_folder_under_its_name_deletes_nothing(met):
    a, b = met
    tree = b.tree()
    os.rename(a.path, a.path.with_name("real"))
    a.path.mkdir()
    said = a.sync(check=False)
    assert said.code != 0 and "another folder is in its place" in said.text.lower(), "it is on the same disk"
    b.sync()
    assert b.tree() == tree
    a.path.rmdir()
    os.rename(a.path.with_name("real"), a.path)
    meet(a, b)
    assert a.tree() == tree


def test_another_folder_under_the_name_is_asked_about_and_tied_anew(met):
    a, b = met
    tree = b.tree()
    shutil.copytree(a.path, a.path.with_name("copy"), symlinks=True)
    shutil.rmtree(a.path)
    os.rename(a.path.with_name("copy"), a.path)
    (a.path / "files/1.txt").unlink()
    said = a.sync(check=False)
    assert said.code != 0 and "--confirm" in said.text
    a.sync("--confirm")
    meet(a, b)
    assert a.tree() == tree


def test_what_a_pass_deleted_is_taken_back(met):
    a, b = met
    tree = b.tree()
    for number in range(3):
        (a.path / f"files/{number}.txt").unlink()
    a.sync()
    a.device.run("undo", "--yes")
    meet(a, b)
    assert a.tree() == tree and b.tree() == tree


def test_what_a_pass_replaced_here_is_taken_back(met):
    a, b = met
    b.write("files/1.txt", "by b\n")
    b.sync()
    a.sync()
    assert a.read("files/1.txt") == b"by b\n"
    a.device.run("undo", a.last_pass())
    assert a.read("files/1.txt") == b"1\n"
    meet(a, b)
    assert b.read("files/1.txt") == b"1\n"


def test_a_link_here_is_not_gone_through(pair, tmp_path):
    a, b = pair
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    a.path.mkdir()
    os.symlink(outside, a.path / "docs")
    b.write("docs/x", "from b\n")
    b.sync()
    a.sync(check=False)
    assert os.listdir(outside) == ["secret"]
    assert (a.path / "docs").is_symlink()
    b.sync()
    assert b.read("docs/x") == b"from b\n"
    assert not (b.path / "docs/secret").exists()


def test_what_cannot_be_read_is_held_and_not_deleted(pair):
    if os.geteuid() == 0:
        machine_cannot("root reads everything")
    a, b = pair
    a.write("closed/file", "f")
    meet(a, b)
    (a.path / "closed").chmod(0)
    a.sync(check=False)
    b.sync()
    assert b.read("closed/file") == b"f"
    (a.path / "closed").chmod(0o755)


@pytest.mark.parametrize("typed", ["itself", "through a link"])
@pytest.mark.parametrize("where, why", [
    ("/", "too broad to sync"), ("home", "too broad to sync"), ("above home", "too broad to sync"),
    ("inside", "is inside"), ("itself", "is already synced with"), ("state", "keeps its own state in"),
    ("server", "the data folder of a Bothy server"), ("in the server", "the data folder of a Bothy server")])
def test_what_must_not_be_tied_is_refused(met, shared_server, tmp_path, where, why, typed):
    a, _ = met
    place = {"/": Path("/"), "home": a.device.home, "above home": a.device.home.parent, "inside": a.path / "files",
             "itself": a.path, "state": a.device.home / "bothy", "server": shared_server.data,
             "in the server": shared_server.data / "packs"}[where]
    if typed == "through a link":
        (tmp_path / "link").symlink_to(place)
        place = tmp_path / "link"
    said = a.device.run("sync", place, "/other", "--once", check=False)
    assert said.code not in (0, 130) and why in said.stderr, said
    assert [binding["local"] for binding in a.device.run("bindings", "--json").json_lines()] == [str(a.path)]


def test_a_folder_whose_own_folder_is_missing_is_told_what_to_do(met, tmp_path):
    said = met[0].device.run("sync", tmp_path / "gone/inside", "/other", check=False)
    assert said.code == 4 and f"“{tmp_path}/gone” does not exist" in said.text and "Create the folder first" in said.text, said


def test_a_dry_run_is_what_is_done(met):
    a, b = met
    a.write("new.txt", "new\n")
    (a.path / "files/1.txt").unlink()
    lines = a.sync("--dry-run", "--json").json_lines()
    planned = [(line["event"], line["path"]) for line in lines if "event" in line]
    plan = lines[-1]["plan"]
    assert b.events()[0] == []
    steps = [line for line in a.sync("--plan", plan, "--json").json_lines() if "event" in line]
    assert [(step["event"], step["path"]) for step in steps] == planned
    assert "new.txt" in meet(a, b)


def test_a_plan_that_no_longer_holds_is_not_done(met):
    a, b = met
    a.write("new.txt", "new\n")
    plan = a.sync("--dry-run", "--json").json_lines()[-1]["plan"]
    a.write("other.txt", "other\n")
    said = a.sync("--plan", plan, check=False)
    assert said.code == 4 and "other.txt" in said.text
    b.sync()
    assert "new.txt" not in b.tree()


def test_killed_at_any_moment_it_goes_on(pair):
    a, b = pair
    for number in range(120):
        a.write(f"many/{number % 7}/{number}", f"{number}\n" * (number + 1))
    expected = a.tree()
    for milliseconds in (60, 120, 200, 300, 450):
        started = a.start("--once")
        try:
            started.wait(milliseconds / 1000)
        except Exception:
            started.send_signal(signal.SIGKILL)
            started.wait()
    meet(a, b)
    assert b.tree() == expected and a.tree() == expected
    for milliseconds in (60, 120, 200):
        for number in range(60):
            b.write(f"many/{number % 7}/{number}", f"edited {number} {milliseconds}\n")
        started = b.start("--once")
        try:
            started.wait(milliseconds / 1000)
        except Exception:
            started.send_signal(signal.SIGKILL)
            started.wait()
        other = a.start("--once")
        try:
            other.wait(milliseconds / 1000)
        except Exception:
            other.send_signal(signal.SIGKILL)
            other.wait()
    expected = b.tree()
    meet(a, b)
    assert a.tree() == expected, "no false conflict, nothing lost"


def test_two_watches_of_one_folder_are_refused(met):
    a, _ = met
    started = a.watch()
    try:
        said = a.sync("--watch", check=False)
        assert said.code != 0 and f"(process {started.pid})" in said.text, said
    finally:
        started.terminate()
        started.wait(60)


def test_unsync_leaves_all_files(met):
    a, b = met
    tree = a.tree()
    a.device.run("unsync", a.path)
    assert a.tree() == tree and not (a.path / ".bothy").exists()
    assert b.events()[0] == []
    assert a.device.run("bindings", "--json").json_lines() == []


def test_a_path_that_the_system_does_not_take_is_told_and_keeps_nothing_waiting(pair):
    a, b = pair
    meet(a, b)
    names = [f"{number:02}" + "d" * 248 for number in range(17)]
    inside = os.open(a.path, os.O_RDONLY)
    for name in names:
        os.mkdir(name, dir_fd=inside)
        below = os.open(name, os.O_RDONLY, dir_fd=inside)
        os.close(inside)
        inside = below
    with os.fdopen(os.open("file", os.O_CREAT | os.O_WRONLY, 0o644, dir_fd=inside), "w") as file:
        file.write("too deep")
    a.write(f"{names[0]}/near", "near")
    said = a.sync(check=False)
    assert said.code != 0 and "File name too long" in said.text and "shorter name" in said.text
    os.close(inside)
    b.sync()
    assert b.read(f"{names[0]}/near") == b"near"


@pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.long)])
def test_files_that_are_all_renamed_while_another_device_edits_them(pair, count):
    a, b = pair
    for number in range(count):
        a.write(f"many/{number}", f"{number}\n")
    meet(a, b)
    for number in range(count):
        os.rename(a.path / f"many/{number}", a.path / f"many/renamed {number}")
        if number % 3 == 0:
            b.write(f"many/{number}", f"edited {number}\n")
    a_runs, b_runs = a.start("--once"), b.start("--once")
    assert a_runs.wait(300) == 0 and b_runs.wait(300) == 0
    tree = meet(a, b)
    assert tree == {"many": None} | {
        f"many/renamed {number}": f"{number}\n".encode() if number % 3 else f"edited {number}\n".encode()
        for number in range(count)}


@pytest.mark.long
def test_fifty_thousand_changes_at_once(pair):
    a, b = pair
    meet(a, b)
    for number in range(50_000):
        a.write(f"{number // 500}/{number}", f"{number}")
    a.sync(seconds=3000)
    b.sync(seconds=3000)
    assert a.tree() == b.tree()
    for number in range(50_000):
        os.rename(a.path / f"{number // 500}/{number}", a.path / f"{number // 500}/moved {number}")
    a.sync(seconds=3000)
    steps = b.sync("--json", seconds=3000).json_lines()
    assert len([step for step in steps if step.get("event") == "moved_here"]) == 50_000
    assert a.tree() == b.tree()
    for number in range(50_000):
        (a.path / f"{number // 500}/moved {number}").unlink()
    a.sync("--confirm", seconds=3000)
    b.sync("--confirm", seconds=3000)
    assert a.tree() == b.tree() and len(b.trash()) > 0
