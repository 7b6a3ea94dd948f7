"""Folders in step while they are watched: what is saved on one device is on the other in a moment."""

import contextlib
import fcntl
import os
import sqlite3
import time

import pytest

from fault_proxy import an_upload_start, answer
from synced import meet, wait_for_tree
from waiting import wait_until


@pytest.fixture
def watching(pair):
    a, b = pair
    a.write("first.txt", "first\n")
    meet(a, b)
    started = [folder.watch() for folder in (a, b)]
    yield a, b
    for process in started:
        process.terminate()
    for process in started:
        process.wait(60)


def test_edits_moves_and_deletions_meet_by_themselves(watching):
    a, b = watching
    a.write("new/deep/file.txt", "deep\n")
    wait_for_tree(b, a.tree())
    b.write("first.txt", "second\n")
    wait_for_tree(a, b.tree())
    os.rename(a.path / "new", a.path / "newer")
    wait_for_tree(b, a.tree())
    (b.path / "first.txt").unlink()
    wait_for_tree(a, b.tree())
    assert sorted(a.tree()) == ["newer", "newer/deep", "newer/deep/file.txt"]


def test_a_pause_holds_it_until_it_is_over(watching):
    a, b = watching
    a.device.run("pause")
    try:
        # At once: what is done after the command has ended is held.
        a.write("here.txt", "here\n")
        b.write("there.txt", "there\n")
        wait_until(lambda: "You paused background sync" in a.device.started_log(), what="it is held")
        wait_until(lambda: "there.txt" in str(listed(a)), what="the other one goes on")
        assert "/here.txt" not in str(listed(a))
        assert "here.txt" not in b.tree() and "there.txt" not in a.tree()
    finally:
        a.device.run("resume")
        a.device.run("agent", "--stop")  # which that has started
    wait_until(lambda: "here.txt" in b.tree(), what="it goes on")
    wait_for_tree(a, b.tree())


def test_a_sign_in_page_on_the_way_ends_no_watch(desks, watching):
    """A hotel's network answers in the server's place, until somebody signs in there."""
    a, b = watching
    fault = desks.proxy.add(answer(302, times=10 ** 6, headers=[("Location", "http://portal.invalid/")]))
    desks.proxy.disconnect()
    a.write("here.txt", "here\n")
    wait_until(lambda: fault.used > 3, what="it is asked in vain")
    desks.proxy.clear()
    b.write("there.txt", "there\n")
    wait_until(lambda: "here.txt" in b.tree(), what="it goes on")
    wait_for_tree(a, b.tree())


def test_two_files_that_are_swapped_by_three_renames_keep_their_versions(watching):
    """Wherever a pass comes in between: one of the two was an edit of the other then, and its versions lay in the trash."""
    a, b = watching
    orders = {"never": (), "after the first": (1,), "after the second": (2,), "after each": (1, 2)}
    for order in orders:
        a.write(f"{order}/p", f"p, {order}\n")
        a.write(f"{order}/q", f"q, {order}\n")
    wait_for_tree(b, a.tree())
    before = {file["path"]: file["id"] for file in listed(a)}
    # What is younger when it is renamed may be what an editor saves.
    time.sleep(11)
    for order, passes in orders.items():
        for number, (one, other) in enumerate([("p", "t"), ("q", "p"), ("t", "q")], 1):
            os.rename(a.path / order / one, a.path / order / other)
            if number in passes:
                wait_for_tree(b, a.tree())
    wait_for_tree(b, a.tree())
    after = {file["path"]: file["id"] for file in listed(a)}
    assert set(after.values()) == set(before.values()), (before, after)
    assert all(a.read(f"{order}/q") == f"p, {order}\n".encode() for order in orders)


def test_what_is_moved_into_a_folder_just_made_is_moved(watching):
    """As people type it: mkdir, mv. The folder's news come first, and the old place's while it is looked into."""
    a, b = watching
    for number in range(12):
        a.write(f"many/{number}.txt", f"{number}\n")
    a.write("one.txt", "1\n")
    wait_for_tree(b, a.tree())
    ids = {file["path"]: file["id"] for file in listed(a)}
    last = "one.txt"
    for number in range(10):
        (a.path / f"made{number}").mkdir()
        os.rename(a.path / last, a.path / f"made{number}/one.txt")
        last = f"made{number}/one.txt"
        wait_for_tree(b, a.tree())
    for number in range(5):
        (a.path / f"deep{number}").mkdir()
        os.rename(a.path / (f"deep{number - 1}/many" if number else "many"), a.path / f"deep{number}/many")
        wait_for_tree(b, a.tree())
    moved = {file["path"]: file["id"] for file in listed(a)}
    assert moved[f"{a.remote}/{last}"] == ids[f"{a.remote}/one.txt"]
    for number in range(12):
        assert moved[f"{a.remote}/deep4/many/{number}.txt"] == ids[f"{a.remote}/many/{number}.txt"]
    assert not a.trash() and not b.trash()


def listed(folder):
    return folder.device.run("ls", "--recursive", folder.remote, "--json").json_lines()


def test_a_file_that_is_still_being_written_is_left_until_it_is_closed(watching):
    a, b = watching
    with open(a.path / "film", "wb") as film:
        film.write(b"half")
        film.flush()
        a.write("marker", "m")
        wait_until(lambda: (b.path / "marker").exists(), what="the marker arrives")
        assert not (b.path / "film").exists()
        wait_until(lambda: "1 file is still being written" in a.device.run("bindings").stdout, what="it is told of")
        film.write(b" and half")
    wait_until(lambda: (b.path / "film").exists() and b.read("film") == b"half and half", what="the film arrives")


def test_a_save_is_seen_in_a_moment(watching):
    a, b = watching
    times = []
    for number in range(20):
        content = f"{number}\n".encode() * 1000
        began = time.monotonic()
        a.write("saved", content)
        wait_until(lambda: (b.path / "saved").exists() and b.read("saved") == content, what="it arrives", every=0.002)
        times.append(time.monotonic() - began)
    times.sort()
    print(f"save to there: p50 {times[10] * 1000:.0f} ms, worst {times[-1] * 1000:.0f} ms")
    assert times[10] < 5


def test_what_failed_is_tried_again_with_nobody_touching_it(desks, watching):
    a, b = watching
    full = desks.proxy.add(answer(507, an_upload_start, times=2, headers=[("Content-Type", "application/problem+json")],
                                  body=b'{"type":"about:blank","title":"Full","status":507,"code":"quota_exceeded","detail":"Full."}'))
    a.write("waits", "w")
    wait_until(lambda: full.used == 2, what="its failing")
    wait_for_tree(b, a.tree())


def test_many_files_that_are_deleted_one_after_the_other_are_asked_about_together(pair):
    """`rm *` takes its time, and a look that comes in the middle of it sees a few: none of them goes."""
    a, b = pair
    for number in range(150):
        a.write(f"files/{number}", f"{number}\n")
    tree = meet(a, b)
    process = a.watch()
    try:
        for number in range(100):
            (a.path / f"files/{number}").unlink()
            time.sleep(0.002)
        wait_until(lambda: "100 of 151 files and folders would be deleted on the server" in a.device.started_log(), what="the guard says so")
        b.sync()
        assert b.tree() == tree
    finally:
        process.terminate()
        process.wait(60)


# Commands beside a watch, without an agent


@pytest.fixture
def watched(pair):
    """The first of the two is watched by a command of its own; the other is not."""
    a, b = pair
    for number in range(60):
        a.write(f"files/{number}", f"{number}\n")
    meet(a, b)
    process = a.watch()
    yield a, b
    process.terminate()
    process.wait(60)


def runs_no_agent(device):
    return not device.json("status")["agent"]["running"]


def test_what_a_watch_asks_about_is_looked_at_and_confirmed_beside_it(watched):
    a, b = watched
    for number in range(20):
        (a.path / f"files/{number}").unlink()
    wait_until(lambda: "20 of 61 files and folders would be deleted on the server" in a.device.started_log(), what="the guard says so")
    assert a.sync("--dry-run").stdout.count("held back: would") == 20
    # As it is printed, which is not with --once.
    a.device.run("sync", a.path, "--confirm")
    b.sync("--confirm")
    assert len(os.listdir(b.path / "files")) == 40
    a.write("after", "the watch goes on")
    wait_until(lambda: "sent after" in a.device.started_log(), what="the watch goes on")
    assert runs_no_agent(a.device), "and nothing was started for it"


def test_a_pass_is_taken_back_beside_a_watch(watched):
    a, b = watched
    (b.path / "files/8").unlink()
    b.sync()
    wait_until(lambda: not (a.path / "files/8").exists(), what="the change")
    a.device.run("undo", a.last_pass())
    wait_until(lambda: (a.path / "files/8").exists(), what="what is taken back")
    (b.path / "files/9").unlink()
    b.sync()
    wait_until(lambda: not (a.path / "files/9").exists(), what="what comes after it")
    wait_until(lambda: b.sync() and (b.path / "files/8").exists(), what="it is carried to the other device")
    assert runs_no_agent(a.device)


def test_what_is_untied_beside_a_watch_ends_it(pair):
    a, b = pair
    a.write("one", "1")
    meet(a, b)
    process = a.watch()
    a.device.run("unsync", a.path)
    assert process.wait(60) == 0 and "is no longer synced" in a.device.started_log()


def test_who_was_lent_a_folder_and_is_killed_has_given_it_back(watched):
    a, b = watched
    borrower = a.device.start("sync", a.path, "--once")
    borrower.kill()
    borrower.wait(60)
    a.write("after", "the watch goes on")
    wait_until(lambda: b.sync() and (b.path / "after").exists(), what="the watch goes on")


def test_what_was_set_while_another_had_the_folder_holds_when_the_watch_has_it_again(watched):
    a, b = watched
    with contextlib.closing(sqlite3.connect(a.device.home / "bothy/client.sqlite")) as database:
        (binding,) = database.execute("SELECT binding_id FROM bindings WHERE local_path = ?", (str(a.path),)).fetchone()
    lock = a.device.home / f"bothy/locks/binding-{binding}"
    with open(f"{lock}.lending", "wb", buffering=0) as desk, open(lock) as held:
        desk.write(b"1")
        fcntl.flock(held, fcntl.LOCK_EX)
        desk.close()
        with contextlib.closing(sqlite3.connect(a.device.home / "bothy/client.sqlite")) as database, database:
            database.execute("UPDATE bindings SET conflicts = 'ask' WHERE binding_id = ?", (binding,))
        a.write("files/1", "mine\n")
        b.write("files/1", "theirs\n")
        b.sync()
        wait_until(lambda: "is syncing" in a.device.started_log() and "continues when that ends" in a.device.started_log(), what="it says who has it")
    wait_until(lambda: a.device.json_lines("conflicts"), what="its person is asked")
    assert a.read("files/1") == b"mine\n" and len(os.listdir(a.path / "files")) == 60


def test_status_tells_who_watches_a_folder(watched):
    a, _ = watched
    said = a.device.run("status").stdout
    assert "by “bothy sync --watch” (process" in said and "agent" in said and "not running; only" in said, said
    a.device.run("agent", "--background")
    try:
        def line():
            return next(line for line in a.device.json("status")["lines"] if line["part"] == "folders")
        wait_until(lambda: "by “bothy sync --watch”" in line()["words"], what="the agent sees the watch")
        assert line()["state"] == "idle" and "remedy" not in line()
    finally:
        a.device.run("agent", "--stop")
