"""A large file that is on its way in a watched folder holds up nothing else in it, and nobody loses anything by that."""

import contextlib
import os
import signal
import time

import pytest

from content import fresh
from fault_proxy import a_chunk, a_download, an_upload_start, answer, hold, hold_download
from synced import meet, wait_for_tree
from waiting import wait_until

LARGE = 40 << 20


@pytest.fixture
def met(pair):
    a, b = pair
    a.write("first.txt", "first\n")
    meet(a, b)
    return a, b


@contextlib.contextmanager
def watched(*folders):
    processes = [folder.watch() for folder in folders]
    try:
        yield processes
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(60)


def held_upload(desks, a, content):
    """Something large that the server will not take before the faults are cleared."""
    fault = desks.proxy.add(hold(a_chunk, times=1000))
    a.write("large.bin", content)
    wait_until(lambda: fault.used > 0, what="it is on its way")
    return fault


def held_download(desks, b, content):
    fault = desks.proxy.add(hold_download(1 << 20, a_download, times=1000))
    b.write("large.bin", content)
    wait_until(lambda: fault.used > 0, what="it is on its way")
    return fault


def log_of(folder, name):
    return [line for line in folder.device.run("log", folder.path / name).stdout.splitlines() if line]


def test_what_is_saved_while_a_large_file_is_sent_is_there_before_it(desks, met):
    a, b = met
    content = fresh(LARGE)
    with watched(a, b):
        held_upload(desks, a, content)
        a.write("small.txt", "small\n")
        wait_until(lambda: (b.path / "small.txt").exists(), what="the small file is there")
        b.write("first.txt", "changed there\n")
        wait_until(lambda: a.read("first.txt") == b"changed there\n", what="their change is here")
        os.rename(a.path / "small.txt", a.path / "renamed.txt")
        (a.path / "first.txt").unlink()
        wait_until(lambda: sorted(b.tree()) == ["renamed.txt"], what="the renaming and the deletion are there")
        assert a.why("large.bin")["status"] == "transferring"
        assert counts(a) == (0, 1)
        desks.proxy.clear()
        wait_for_tree(b, {"renamed.txt": b"small\n", "large.bin": content})
        wait_until(lambda: a.why("large.bin")["status"] == "synced", what="it is in step")
    assert sum("sent “large.bin”" in line or "sent large.bin" in line for line in log_of(a, "large.bin")) == 1, log_of(a, "large.bin")
    assert a.events()[0] == []


def test_what_others_save_while_a_large_file_is_fetched_is_here_before_it(desks, met):
    a, b = met
    content = fresh(LARGE)
    with watched(a, b):
        held_download(desks, b, content)
        b.write("small.txt", "small\n")
        wait_until(lambda: (a.path / "small.txt").exists(), what="the small file is here")
        a.write("mine.txt", "mine\n")
        wait_until(lambda: (b.path / "mine.txt").exists(), what="mine is there")
        assert not (a.path / "large.bin").exists()
        desks.proxy.clear()
        wait_for_tree(a, b.tree())
    assert a.read("large.bin") == content and a.events()[0] == []


def test_what_is_saved_while_its_new_version_is_fetched_is_in_no_trash(desks, met):
    """What was here was to go to the trash, and did not: nobody is told that it lies there."""
    a, b = met
    theirs = fresh(2 << 20)
    b.write("first.txt", theirs)
    b.sync()
    fault = desks.proxy.add(hold(lambda request: request.path.endswith("/patch"), times=1000))
    fetching = a.device.start("sync", a.path, a.remote, "--once")
    wait_until(lambda: fault.used > 0, what="it is on its way")
    a.write("first.txt", "mine\n")
    desks.proxy.clear()
    fetching.wait(120)
    there = meet(a, b)
    assert sorted(there.values(), key=len) == [b"mine\n", theirs]
    assert [kept for kept in a.trash() if kept.get("folder") == str(a.path)] == []


def test_a_large_file_that_is_saved_again_while_it_is_sent_arrives_as_it_was_saved_last(desks, met):
    a, b = met
    with watched(a, b):
        held_upload(desks, a, fresh(LARGE))
        newer = fresh(LARGE)
        a.write("large.bin", newer)
        desks.proxy.clear()
        wait_until(lambda: (b.path / "large.bin").exists() and b.read("large.bin") == newer, what="the newer one is there")
        wait_for_tree(a, b.tree())
    assert not [one for one in a.tree() if "conflict" in one]


def test_a_large_file_that_is_deleted_while_it_is_sent_is_nowhere(desks, met):
    a, b = met
    with watched(a, b):
        held_upload(desks, a, fresh(LARGE))
        (a.path / "large.bin").unlink()
        a.write("after.txt", "after\n")
        wait_until(lambda: (b.path / "after.txt").exists(), what="what was saved after it is there")
        desks.proxy.clear()
        wait_until(lambda: not open_transfers(a), what="nothing is on its way any more")
    assert sorted(meet(a, b)) == ["after.txt", "first.txt"]
    assert [file["name"] for file in b.device.run("ls", b.remote, "--json").json_lines()] == ["after.txt", "first.txt"]


def open_transfers(folder):
    return [one for one in folder.device.json_lines("transfers") if one["name"] == "large.bin" and one["state"] not in ("completed", "canceled")]


def test_a_large_file_that_is_renamed_while_it_is_fetched_comes_under_its_new_name(desks, met):
    a, b = met
    content = fresh(LARGE)
    with watched(a, b):
        held_download(desks, b, content)
        os.rename(b.path / "large.bin", b.path / "other.bin")
        b.write("after.txt", "after\n")
        wait_until(lambda: (a.path / "after.txt").exists(), what="what was saved after it is here")
        desks.proxy.clear()
        wait_for_tree(a, b.tree())
    assert a.read("other.bin") == content


def test_what_is_fetched_is_listed_where_it_will_be(desks, met):
    """It was listed below “.bothy/staging”, under a name of numbers."""
    a, b = met
    with watched(a, b):
        held_download(desks, b, fresh(LARGE))
        # What is known of the drive is taken in a moment after the transfer has begun.
        wait_until(
            lambda: [one["local"] for one in open_transfers(a)] == [str(a.path / "large.bin")],
            what="it is listed")
        listed = a.device.run("transfers").stdout
        assert str(a.path / "large.bin") in listed and ".bothy/staging" not in listed, listed
        desks.proxy.clear()
        wait_for_tree(a, b.tree())


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_watch_that_ends_while_a_large_file_is_on_its_way_goes_on_with_it(desks, met, end):
    a, b = met
    content = fresh(LARGE)
    process = a.watch()
    try:
        held_upload(desks, a, content)
    finally:
        process.send_signal(end)
        process.wait(60)
    desks.proxy.clear()
    with watched(a, b):
        wait_until(lambda: (b.path / "large.bin").exists() and b.read("large.bin") == content, what="it is there")
    files = b.device.run("ls", b.remote, "--json").json_lines()
    assert [file["name"] for file in files] == ["first.txt", "large.bin"]
    assert a.events()[0] == []


def test_several_large_files_leave_room_for_small_ones(desks, met):
    a, b = met
    with watched(a, b):
        fault = desks.proxy.add(hold(a_chunk, times=1000))
        contents = {f"large{number}.bin": fresh(20 << 20) for number in range(6)}
        for name, content in contents.items():
            a.write(name, content)
        wait_until(lambda: fault.used > 0, what="they are on their way")
        for number in range(20):
            a.write(f"small{number}.txt", f"{number}\n")
        wait_until(lambda: sum(name.startswith("small") for name in b.tree()) == 20, what="the small ones are there")
        desks.proxy.clear()
        wait_for_tree(b, a.tree())
    assert all(b.read(name) == content for name, content in contents.items())


def test_a_pause_stops_a_large_file_and_says_so(desks, met):
    a, b = met
    content = fresh(LARGE)
    a.device.run("agent", "--background")
    try:
        held_upload(desks, a, content)
        wait_until(lambda: folder_line(a)["state"] == "working" and "large file is being transferred" in folder_line(a)["words"], what="status says what is left")
        a.device.run("pause")
        desks.proxy.clear()
        wait_until(lambda: "bothy resume" in a.why("large.bin")["remedy"], what="why says what it waits for")
        assert a.why("large.bin")["status"] == "pending" and not (b.path / "large.bin").exists()
        a.device.run("resume")
        wait_until(lambda: a.why("large.bin")["status"] == "synced", what="it goes on")
    finally:
        a.device.run("agent", "--stop")
    b.sync()
    assert b.read("large.bin") == content


def folder_line(folder):
    return next(line for line in folder.device.json("status")["lines"] if line.get("subject") == str(folder.path))


# What a fresh reader found


@pytest.mark.parametrize("way", ["up", "down"])
def test_a_folder_that_is_away_for_a_moment_ends_no_watch(desks, met, way):
    a, b = met
    content = fresh(LARGE)
    with watched(a, b) as processes:
        (held_upload if way == "up" else held_download)(desks, a if way == "up" else b, content)
        for seconds in (0.01, 0.05, 0.2, 0.02, 0.1, 0.3):
            os.rename(a.path, f"{a.path}.away")
            time.sleep(seconds)
            os.rename(f"{a.path}.away", a.path)
            time.sleep(0.1)
        assert processes[0].poll() is None, a.device.started_log()
        desks.proxy.clear()
        wait_until(lambda: a.tree() == b.tree() and "large.bin" in a.tree(), what="it arrives all the same")
        a.write("after.txt", "after\n")
        wait_until(lambda: (b.path / "after.txt").exists(), what="it is watched still")


def counts(folder):
    """How many failed and are tried again, and how many large ones are on their way."""
    binding = next(one for one in folder.device.json_lines("bindings") if one["local"] == str(folder.path))
    return binding["failed"], binding["underWay"]


def starts(desks):
    """How many uploads of large files have been begun so far."""
    return len(desks.proxy.seen(starts_in_pieces))


def starts_in_pieces(request):
    """Of what is too large for one request, what is to be sent is asked first."""
    return an_upload_start(request) and "json" in (request.get("Content-Type") or "")


def test_what_fails_is_tried_more_and_more_seldom(desks, met):
    a, b = met
    full = answer(507, starts_in_pieces, times=100_000, headers=[("Content-Type", "application/problem+json")],
                  body=b'{"type":"about:blank","title":"Full","status":507,"code":"quota_exceeded","detail":"Full."}')
    with watched(a, b):
        desks.proxy.add(full)
        for number in range(3):
            a.write(f"large{number}.bin", fresh(17 << 20))
        wait_until(lambda: full.used >= 3, what="they fail")
        began = full.used
        for number in range(9):  # what else goes on does not make it tried more often
            a.write("often.txt", f"{number}\n")
            wait_until(lambda: (b.path / "often.txt").exists() and b.read("often.txt") == f"{number}\n".encode(), what="a small file is there")
        assert full.used - began < 20, full.used - began
        wait_until(lambda: counts(a) == (3, 0), what="between two tries all three have failed", every=0.1)
        assert len([line for line in a.device.started_log().splitlines() if "Full." in line]) < 24
        desks.proxy.clear()
        wait_for_tree(b, a.tree())


def test_what_becomes_of_a_file_beside_its_bytes_does_not_begin_it_anew(desks, met):
    a, b = met
    a.write("large.bin", fresh(LARGE))
    meet(a, b)
    with watched(a, b):
        content = fresh(LARGE)
        fault = desks.proxy.add(hold(a_chunk, times=1000))
        a.write("large.bin", content)
        wait_until(lambda: fault.used > 0, what="it is on its way")
        begun = starts(desks)
        b.device.run("star", f"{b.remote}/large.bin")
        os.chmod(a.path / "large.bin", 0o755)
        for number in range(3):
            a.write(f"{number}.txt", "x")
            wait_until(lambda: (b.path / f"{number}.txt").exists(), what="passes have come and gone")
        assert starts(desks) == begun, "it goes on as it was begun"
        desks.proxy.clear()
        wait_until(lambda: b.read("large.bin") == content and os.access(b.path / "large.bin", os.X_OK), what="it is there")
    ids = [file["id"] for file in b.device.run("ls", b.remote, "--json").json_lines() if file["name"] == "large.bin"]
    assert len(ids) == 1


def test_a_large_file_that_is_renamed_while_it_is_sent_is_there_once(desks, met):
    a, b = met
    content = fresh(LARGE)
    with watched(a, b):
        held_upload(desks, a, content)
        os.rename(a.path / "large.bin", a.path / "other.bin")
        a.write("after.txt", "after\n")
        wait_until(lambda: (b.path / "after.txt").exists(), what="what was saved after it is there")
        desks.proxy.clear()
        wait_for_tree(b, {"first.txt": b"first\n", "after.txt": b"after\n", "other.bin": content})
        wait_until(lambda: a.why("other.bin")["status"] == "synced", what="both agree")
    assert sorted(meet(a, b)) == ["after.txt", "first.txt", "other.bin"]
    assert not b.trash()


@pytest.mark.parametrize("word", ["pause", "cancel"])
def test_a_transfer_that_a_person_stops_stops_no_folder(desks, met, word):
    a, b = met
    content = fresh(LARGE)
    with watched(a, b) as processes:
        held_upload(desks, a, content)
        transfer = next(one["id"] for one in a.device.json_lines("transfers") if one["name"] == "large.bin")
        a.device.run("transfers", word, transfer)
        a.write("after.txt", "after\n")
        wait_until(lambda: (b.path / "after.txt").exists(), what="the folder goes on")
        if word == "pause":
            wait_until(lambda: "transfers resume" in a.why("large.bin")["remedy"], what="why says what it waits for")
            desks.proxy.clear()
            assert not (b.path / "large.bin").exists()
            a.device.run("transfers", "resume", transfer)
        else:
            desks.proxy.clear()
        wait_until(lambda: (b.path / "large.bin").exists() and b.read("large.bin") == content, what="it is there in the end")
        assert processes[0].poll() is None


def test_a_watch_tells_of_each_large_file(desks, met):
    a, b = met
    with watched(a, b):
        for number in range(5):
            a.write(f"large{number}.bin", fresh(17 << 20))
        wait_until(lambda: len(b.tree()) == 6, what="they are there")
        wait_until(lambda: all(f"sent large{number}.bin" in a.device.started_log() for number in range(5)), what="each is told of")


def test_a_large_file_that_is_saved_on_and_on_is_not_sent_on_and_on(desks, met):
    a, b = met
    desks.proxy.add(hold(a_chunk, times=100_000))
    with watched(a, b):
        content, before = fresh(17 << 20), starts(desks)
        for number in range(60):
            a.write("large.bin", content[:-8] + f"{number:8}".encode())
            time.sleep(0.05)
        assert starts(desks) - before < 30
        desks.proxy.clear()
        wait_for_tree(b, a.tree())
