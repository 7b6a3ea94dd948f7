"""Folders in step while they are watched: what is saved on one device is on the other in a moment."""

import os
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
        process.wait(20)


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


def test_a_file_that_is_still_being_written_is_left_until_it_is_closed(watching):
    a, b = watching
    with open(a.path / "film", "wb") as film:
        film.write(b"half")
        film.flush()
        a.write("marker", "m")
        wait_until(lambda: (b.path / "marker").exists(), what="the marker arrives")
        assert not (b.path / "film").exists()
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
    assert times[10] < 2


def test_what_failed_is_tried_again_with_nobody_touching_it(desks, watching):
    a, b = watching
    full = desks.proxy.add(answer(507, an_upload_start, times=2, headers=[("Content-Type", "application/problem+json")],
                                  body=b'{"type":"about:blank","title":"Full","status":507,"code":"quota_exceeded","detail":"Full."}'))
    a.write("waits", "w")
    wait_until(lambda: full.used == 2, what="its failing")
    wait_for_tree(b, a.tree(), seconds=30)
