"""Disks, clocks and programs that do what they should not."""

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from api import new_id
from clocks import DAY, YEAR, JumpingClock
from preconditions import machine_cannot
from small_disk import SmallDisk
from synced import SyncedFolder, meet
from waiting import wait_until

WRITES_FOR_EVER = "import sys,time\nwhile True:\n  with open(sys.argv[1],'ab') as f: f.write(b'x'*100)\n  time.sleep(0.01)"


@pytest.fixture
def watching(met):
    """`watching(folder)` keeps it in step until the test is over."""
    started = []

    def watch(folder):
        started.append(folder.watch())
        return started[-1]

    yield watch
    for process in started:
        process.terminate()
    for process in started:
        process.wait(60)


def test_a_file_that_never_stops_changing_keeps_nothing_else_waiting(met, watching):
    a, b = met
    log = a.path / "log"
    writer = subprocess.Popen([sys.executable, "-c", WRITES_FOR_EVER, log])
    try:
        wait_until(log.exists, what="the log")
        watching(a)
        a.write("beside", "b")
        wait_until(lambda: b.events() and (b.path / "beside").exists(), what="what is beside it", every=0.2)
    finally:
        writer.kill()
        writer.wait()
    whole = log.read_bytes()
    wait_until(lambda: b.events() and (b.path / "log").exists() and b.read("log") == whole, what="the log's end", every=0.2)
    assert sum("log" in name for name in b.tree()) == 1, "and no conflict"


def test_a_file_that_is_saved_a_hundred_times_a_second_is_no_version_a_save(met, watching):
    a, b = met
    watching(a)
    saved, began = b"", time.monotonic()
    for number in range(400):
        saved = f"save {number}".encode()
        a.write("log", saved)
        time.sleep(0.01)
    spans = (time.monotonic() - began) / 10
    wait_until(lambda: b.events() and (b.path / "log").exists() and b.read("log") == saved, what="the last save", every=0.2)
    versions = len(a.device.run("history", f"{a.remote}/log", "--json").json_lines())
    assert 2 <= versions <= 10 * (spans + 1) + 2, (versions, spans)


def test_a_file_that_never_stops_changing_ends_no_pass(met):
    a, b = met
    log = a.path / "log"
    writer = subprocess.Popen([sys.executable, "-c", WRITES_FOR_EVER, log])
    try:
        wait_until(log.exists, what="the log")
        a.write("beside", "b")
        a.sync(check=False)
        b.sync()
        assert b.read("beside") == b"b"
    finally:
        writer.kill()
        writer.wait()


def test_what_the_kernel_had_no_room_to_tell_is_found_all_the_same(met, watching):
    """More happens while the watch is given no time than the kernel keeps for it."""
    a, b = met
    a.write("busy/one", "1")
    a.write("calm/old", "1")
    meet(a, b)
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    process = watching(a)
    names = [a.path / "busy" / name for name in ("one", "other")]
    os.kill(process.pid, signal.SIGSTOP)
    try:
        for turn in range(most // 2 + 2):
            os.rename(names[turn % 2], names[1 - turn % 2])
        a.write("calm/late", "l")
        a.write("calm/old", "edited")
    finally:
        os.kill(process.pid, signal.SIGCONT)
    wait_until(lambda: b.events() and (b.path / "calm/late").exists() and b.read("calm/old") == b"edited",
               what="what was written after the queue ran over", every=0.2)
    assert b.tree() == a.tree()


@pytest.mark.parametrize("place", ["seen", pytest.param("wide/19/unseen", marks=pytest.mark.long)])
def test_where_no_more_folders_can_be_watched_they_are_looked_at_instead(met, watching, place):
    """The kernel's limit, lowered in a user namespace of the command's own. What is not watched is looked at twice a minute."""
    a, b = met
    for number in range(20):
        a.write(f"wide/{number}/file", "f")
    limited = ["unshare", "-Ur", "sh", "-c", 'echo 8 > /proc/sys/user/max_inotify_watches && exec "$0" "$@"']
    if subprocess.run([*limited, "true"], capture_output=True).returncode != 0:
        machine_cannot("no user namespace can be made here")
    a.device.prefix = limited
    try:
        watching(a)
        wait_until(lambda: "cannot be watched" in a.device.started_log(), what="its saying so")
        a.write(place, "new")
        wait_until(lambda: b.events() and (b.path / place).exists(), seconds=60, what="its arrival", every=0.2)
    finally:
        a.device.prefix = []


@pytest.mark.parametrize("jump", [-YEAR, -60, 10 * YEAR])
def test_a_calendar_that_jumps_decides_nothing(met, tmp_path, jump):
    a, b = met
    clock = JumpingClock(tmp_path)
    environment = dict(a.device.environment)
    a.device.environment.update(clock.environment)
    try:
        a.write("report.txt", "before\n")
        a.sync()
        clock.jump(jump)
        (a.path / "docs/plan.md").unlink()
        a.write("report.txt", "after\n")
        a.sync()
        clock.jump(0)
        a.write("docs/old/notes.txt", "back again\n")
        tree = meet(a, b)
        assert tree["report.txt"] == b"after\n" and "docs/plan.md" not in tree
        assert tree["docs/old/notes.txt"] == b"back again\n"
        # By lived time nothing was there for thirty days.
        assert [item["path"] for item in b.trash()].count("docs/plan.md") == 1
        clock.jump(40 * DAY)
        b.device.environment.update(clock.environment)
        b.write("another", "pass")
        b.sync()
        assert [item["path"] for item in b.trash()].count("docs/plan.md") == 1
    finally:
        a.device.environment = environment
        for name in clock.environment:
            b.device.environment.pop(name, None)
        clock.close()


def test_the_local_trash_is_emptied_after_thirty_days_of_lived_time(met):
    a, b = met
    b.write("report.txt", "second\n")
    b.sync()
    a.sync()
    (item,) = a.trash()
    assert Path(item["at"]).read_bytes() == b"first\n" and item["reason"] == "editedThere" and item["words"]

    def live(days):
        with sqlite3.connect(a.device.home / "bothy/client.sqlite") as database:
            database.execute("UPDATE settings SET value = value + ? WHERE name = 'lived-seconds'", [days * DAY])
        a.sync()

    live(29)
    assert Path(item["at"]).exists()
    live(2)
    assert not Path(item["at"]).exists()
    assert a.trash() == []


def test_what_lies_in_the_local_trash_can_be_put_back(met):
    a, b = met
    (b.path / "report.txt").unlink()
    b.sync()
    a.sync()
    (item,) = a.trash()
    assert "report.txt" in a.device.run("trash", "--local").stdout
    a.device.run("trash", "put-back", "--local", item["id"])
    assert a.read("report.txt") == b"first\n"
    assert meet(a, b)["report.txt"] == b"first\n", "and it is a file again on both"


def test_a_disk_that_is_full_holds_back_what_does_not_fit(pair, tmp_path):
    a, b = pair
    disk = SmallDisk(tmp_path / "small", "8M")
    try:
        a.write("large", os.urandom(6 << 20))
        a.write("small", "s")
        a.sync()
        b.device.prefix = disk.prefix
        b.path = disk.place / "box"
        disk.fill(leave=2 << 20)
        said = b.sync(check=False)
        inside = disk.outside / "box"
        assert said.code != 0 and "space" in said.text, said
        assert (inside / "small").read_bytes() == b"s" and not (inside / "large").exists()
        disk.make_room()
        b.sync()
        assert (inside / "large").stat().st_size == 6 << 20
    finally:
        b.device.run("unsync", b.path, "--yes", check=False)
        b.device.prefix = []
        disk.close()


def test_a_folder_that_was_moved_is_kept_in_step_where_it_is_now(met):
    a, b = met
    moved = a.path.with_name("moved")
    a.path.rename(moved)
    said = a.device.run("sync", moved, a.remote, "--once", check=False)
    assert said.code == 1 and "before it was moved here" in said.stderr and "--confirm" in said.stderr
    a.device.run("sync", moved, a.remote, "--once", "--confirm")
    a.path = moved
    assert [line["local"] for line in a.device.json_lines("bindings")] == [str(moved)]
    a.write("after", "the move")
    # Nothing is merged anew: what was agreed on went along.
    steps, _ = a.events()
    assert [step["event"] for step in steps] == ["sent"], steps
    meet(a, b)
    assert b.read("after") == b"the move"


def test_a_folder_that_was_untied_is_synced_with_the_one_around_it(met):
    a, b = met
    inner = SyncedFolder(a.device, "inner", "/inner")
    inner.path.mkdir()
    inner.write("old", "1")
    inner.write("gone", "2")
    inner.sync()
    a.device.run("rm", "/inner/gone")
    inner.sync()
    said = a.device.run("unsync", inner.path, "--keep-trash").stderr
    assert f"stays in “{inner.path}/.bothy/trash”" in said, said
    inner.path.rename(a.path / "inner")
    a.write("inner/new", "3")
    a.sync()
    b.sync()
    assert b.read("inner/new") == b"3" and b.read("inner/old") == b"1"
    assert not (b.path / "inner/.bothy").exists(), "what Bothy kept for it stays here"
    assert list((a.path / "inner/.bothy/trash").iterdir())


def test_who_deletes_its_trash_to_make_room_loses_nothing_more(met):
    a, b = met
    shutil.rmtree(a.path / ".bothy/trash")
    (b.path / "report.txt").unlink()
    b.write("docs/plan.md", "another plan\n")
    b.sync()
    steps, summary = a.events()
    assert sorted(step["event"] for step in steps) == ["fetched", "trashed_here"], steps
    assert a.tree() == b.tree() and len(a.trash()) == 2
    shutil.rmtree(a.path / ".bothy/staging")
    b.write("docs/plan.md", "a third plan\n")
    assert meet(b, a)["docs/plan.md"] == b"a third plan\n"


def test_put_of_a_folder_in_step_leaves_out_what_bothy_keeps_for_itself(met):
    a, b = met
    (b.path / "report.txt").unlink()
    meet(b, a)
    assert list((a.path / ".bothy/trash").iterdir())
    copy = f"{a.remote}-copy"
    a.device.run("put", a.path, copy)
    assert sorted(file["name"] for file in a.device.json_lines("ls", copy)) == ["docs"]
    a.device.run("rm", copy)


@pytest.mark.parametrize("name", [".bothy", ".video.0123456789ab.bothy-part", "inner/.bothy"])
def test_a_name_of_bothys_own_on_the_server_stays_there_and_is_said(met, tmp_path, name):
    a, b = met
    outside = tmp_path / "outside"
    outside.write_text("of a person")
    if name.endswith("-part"):
        a.device.run("put", outside, f"{a.remote}/{name}")
    else:
        a.device.run("mkdir", "--parents", f"{a.remote}/{name}")
        a.device.run("put", outside, f"{a.remote}/{name}/file")
    for device in (a, b):
        said = device.sync(check=False)
        assert f"{name.split('/')[-1]} (on the server): it has a name on the server that Bothy reserves" in said.text, said.text
        assert device.events(check=False)[0] == [], "nothing is left to do"
    a.device.run("mv", f"{a.remote}/{name}", f"{a.remote}/{name.replace('.', '')}")
    assert any(content == b"of a person" for content in meet(a, b).values())


def test_what_was_deleted_while_a_folder_was_untied_does_not_come_back(met):
    a, b = met
    b.device.run("unsync", b.path, "--yes")
    (a.path / "report.txt").unlink()
    (a.path / "docs/old/notes.txt").unlink()
    (a.path / "docs/old").rmdir()
    a.sync()
    b.write("docs/new.txt", "new\n")
    b.sync()
    assert b.why("report.txt")["status"] == b.why("docs/old/notes.txt")["status"] == "unsynced"
    a.sync()
    assert "report.txt" not in a.tree() and "docs/old" not in a.tree() and a.read("docs/new.txt") == b"new\n"


def test_what_was_edited_while_a_folder_was_untied_is_an_edit(met):
    a, b = met
    b.device.run("unsync", b.path, "--yes")
    a.write("report.txt", "edited there\n")
    a.sync()
    b.write("docs/plan.md", "edited here\n")
    (b.path / "docs/old/notes.txt").rename(b.path / "notes.txt")
    planned = b.device.run("sync", b.path, b.remote, "--dry-run").stdout
    assert "(1)" not in planned and "report.txt" in planned, planned
    b.sync()
    a.sync()
    assert a.tree() == b.tree() and not [name for name in a.tree() if "(1)" in name]
    assert b.read("report.txt") == b"edited there\n" and a.read("docs/plan.md") == b"edited here\n"
    assert a.read("notes.txt") == b"notes\n" and "docs/old/notes.txt" not in a.tree()


def test_what_an_undone_tie_put_back_is_no_edit_of_what_others_have_done(met):
    a, b = met
    b.device.run("unsync", b.path, "--yes")
    a.write("report.txt", "edited there\n")
    a.sync()
    b.sync()
    b.device.run("undo", b.last_pass())
    assert b.read("report.txt") == b"first\n"
    b.device.run("unsync", b.path, "--yes")
    b.sync()
    a.sync()
    assert a.read("report.txt") == b"edited there\n"


def test_a_folder_that_was_emptied_while_it_was_untied_gets_all_of_it(met):
    a, b = met
    b.device.run("unsync", b.path, "--yes")
    for entry in b.path.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    planned = b.device.run("sync", b.path, b.remote, "--dry-run").stdout
    assert "would have fetched report.txt" in planned, planned
    b.sync()
    assert b.tree() == a.tree()


def test_a_rule_that_leaves_out_all_that_is_there_empties_no_folder(met):
    a, b = met
    said = b.sync("--exclude", "*.txt", "--exclude", "docs")
    assert "is empty" not in said.text, said
    assert b.why("report.txt")["status"] == "ignored" and a.sync().code == 0 and "report.txt" in a.tree()


def test_another_folder_of_its_name_is_tied_as_another(met):
    a, b = met
    b.device.run("unsync", b.path, "--yes")
    b.path.rename(b.path.with_name("before"))
    b.path.mkdir()
    b.write("report.txt", "of another\n")
    b.sync()
    assert b.read("report (1).txt") == b"of another\n" and b.read("report.txt") == b"first\n"
    shutil.rmtree(b.path.with_name("before"))


def test_where_nothing_runs_that_would_send_it_why_says_so(met):
    a, _ = met
    a.device.run("agent", "--stop")
    a.write("x", "edited")
    why = a.why("x")
    assert "nothing is running" in why["cause"] and f"bothy sync {a.path} --once" in why["remedy"]


def test_two_folders_here_that_share_one_on_the_server_are_named(met):
    a, _ = met
    inner = a.device.home / "inner"
    said = a.device.run("sync", inner, f"{a.remote}/docs", "--once")
    try:
        assert f"“{a.path}” is also synced with “{a.remote}”: files in both are stored here twice." in said.stderr, said
        assert (inner / "plan.md").read_bytes() == b"plan\n"
        other = a.device.home / "other"
        said = a.device.run("sync", other, "/elsewhere", "--once")
        a.device.run("unsync", other, "--yes")
        assert "twice" not in said.stderr, said
    finally:
        a.device.run("unsync", inner, "--yes")


def test_an_undone_tie_that_is_confirmed_goes_on_from_what_was_agreed_on(met):
    a, b = met
    b.device.run("unsync", b.path, "--yes")
    b.write("docs/own.txt", "own\n")
    b.sync()
    b.device.run("undo", "--yes")
    assert "you undid the linking of the two folders" in b.device.run("bindings").stdout.lower()
    a.write("report.txt", "edited there\n")
    (a.path / "docs/old/notes.txt").unlink()
    a.sync()
    first = b.device.run("sync", b.path, "--dry-run").stdout
    assert "report.txt" in first and "docs/own.txt" in first and "--confirm" in first, first
    plan = b.events("--dry-run")[1]["plan"]
    b.sync("--plan", plan, "--confirm")
    a.sync()
    assert b.read("report.txt") == b"edited there\n" and a.read("docs/own.txt") == b"own\n"
    assert not [name for name in b.tree() if "(1)" in name]
    assert "docs/old/notes.txt" not in a.tree()


@pytest.mark.parametrize("lost", ["here", "there"])
def test_a_dry_run_tells_what_a_folder_that_was_lost_gets_by_confirm(met, lost):
    a, b = met
    if lost == "there":
        a.device.run("rm", a.remote)
    else:
        shutil.copytree(b.path, f"{b.path} copy", ignore=lambda *_: [".bothy"])
        shutil.rmtree(b.path)
        Path(f"{b.path} copy").rename(b.path)
        (b.path / "report.txt").unlink()
    before = b.tree()
    said = b.device.run("sync", b.path, "--dry-run", check=False).stdout
    what = "would have sent report.txt" if lost == "there" else "would have fetched report.txt"
    assert f"held back: {what}" in said, said
    assert b.tree() == before
    b.sync("--plan", b.events("--dry-run")[1]["plan"], "--confirm")
    assert "report.txt" in b.tree() and b.device.run("cat", f"{b.remote}/report.txt").stdout == "first\n"


def test_a_folder_that_takes_nothing_of_bothys_is_not_tied(new_device, shared_server):
    """It was tied all the same, made on the server, and could not be let go of."""
    device = new_device().register(shared_server.url, f"{new_id()}@example.org")
    said = device.run("sync", "/proc/self/attr", "/attr", "--once", check=False)
    assert said.code != 0 and "“.bothy”, in “/proc/" in said.text, said
    assert "Give yourself write permission there, or choose another folder." in said.text
    assert device.run("bindings", "--json").stdout == device.run("ls", "/").stdout == ""


def test_a_folder_whose_tying_could_not_be_finished_is_let_go_of(met):
    a, _ = met
    with contextlib.closing(sqlite3.connect(a.device.home / "bothy/client.sqlite")) as database, database:
        database.execute("UPDATE bindings SET passed_at = NULL")
    shutil.rmtree(a.path / ".bothy")
    (a.path / ".bothy").write_text("in the way")
    a.device.run("unsync", a.path, "--yes")
    assert a.device.run("bindings", "--json").stdout == ""


def test_a_folder_that_is_held_back_is_in_step_as_of_before(pair):
    a, _ = pair
    for number in range(30):
        a.write(f"file {number}", "x")
    a.sync()
    (before,) = a.device.run("bindings", "--json").json_lines()
    for number in range(29):
        (a.path / f"file {number}").unlink()
    a.sync(check=False)
    (held,) = a.device.run("bindings", "--json").json_lines()
    assert held["held"] and held["inStepAt"] == before["inStepAt"]
