"""What is only written down, to be sent when there is a connection, ends with a status of its own."""

import subprocess

import pytest

from api import new_id
from device import QUEUED
from server import BINARY
from waiting import wait_until


@pytest.fixture
def laptop(server, new_device):
    """A device that has seen what there is, and whose server is gone."""
    device = new_device()
    device.register(server.url, f"{new_id()}@example.org")
    device.run("mkdir", "/docs")
    for name in ("a.txt", "b.txt", "c.txt"):
        (device.home / name).write_text(f"{name}, first")
        device.put(name, "/docs/")
    device.run("ls", "/docs")
    server.stop()
    return device


def names(device, folder):
    return device.run("ls", folder).stdout.split()


@pytest.mark.parametrize("change", [
    ("mkdir", "/new"), ("mv", "/docs/a.txt", "/docs/d.txt"), ("rm", "/docs/b.txt"), ("star", "/docs/c.txt"),
    ("hide", "/docs/c.txt"), ("put", "more.txt", "/docs/"), ("put", "more.txt", "other.txt", "/docs/"),
    ("put", "folder", "/docs/"), ("put", "more.txt", "/docs/", "--json"), ("mkdir", "/new", "--quiet"),
], ids=" ".join)
def test_a_change_that_waits_for_a_connection_ends_with_6(server, laptop, change):
    (laptop.home / "more.txt").write_text("more")
    (laptop.home / "other.txt").write_text("other")
    (laptop.home / "folder").mkdir()
    (laptop.home / "folder" / "in.txt").write_text("in a folder")
    laptop.run(*change, code=QUEUED)
    assert laptop.run("ls", "/docs").code == 0
    server.start()
    laptop.run("ls", "/docs")
    wait_until(lambda: laptop.json_lines("journal") == [], what="it was sent")
    laptop.run("mkdir", "/done at once")


def test_a_file_that_was_only_written_down_is_not_removed_by_who_puts_and_removes(server, laptop):
    (laptop.home / "film.mov").write_text("nowhere else")
    script = f'"{BINARY}" put film.mov / && rm film.mov'
    ended = subprocess.run(
        ["sh", "-c", script], cwd=laptop.home, env=laptop.environment, capture_output=True, timeout=60)
    assert ended.returncode == QUEUED and (laptop.home / "film.mov").exists(), ended
    server.start()
    ended = subprocess.run(
        ["sh", "-c", script], cwd=laptop.home, env=laptop.environment, capture_output=True, timeout=60)
    assert ended.returncode == 0 and not (laptop.home / "film.mov").exists(), ended
    assert laptop.cat("/film.mov") == b"nowhere else"


def test_who_waits_for_the_server_ends_with_0(server, laptop):
    (laptop.home / "more.txt").write_text("more")
    waiting = laptop.start("put", "more.txt", "/docs/", "--wait")
    wait_until(lambda: "kept here" in laptop.started_log(), what="it is written down")
    server.start()
    assert waiting.wait(60) == 0, laptop.started_log()


def test_what_comes_in_without_a_connection_is_kept_and_sent_later(server, laptop):
    said = laptop.run("put", "-", "/docs/notes.txt", stdin=b"from a pipe", code=QUEUED)
    assert "→ /docs/notes.txt  kept here" in said.stdout, said
    assert laptop.cat("/docs/notes.txt") == b"from a pipe"
    laptop.run("put", "-", "/docs/a.txt", stdin=b"a newer version", code=QUEUED)
    line, summary = laptop.json_lines("put", "-", "/docs/json.txt", stdin=b"told", code=QUEUED)
    assert (line["event"], line["local"], line["size"]) == ("paused", "-", 4) and summary["paused"] == 1
    assert list((laptop.home / "bothy" / "content" / "spool").iterdir()) == []
    server.start()
    laptop.run("ls")
    wait_until(lambda: laptop.json_lines("journal") == [], what="it was sent")
    assert laptop.cat("/docs/notes.txt") == b"from a pipe" and laptop.cat("/docs/a.txt") == b"a newer version"
    assert len(laptop.json_lines("history", "/docs/a.txt")) == 2


def test_what_was_sent_in_pieces_of_commands_leaves_no_stopped_transfer(server, laptop):
    """Commands that look at something send a little of what waits, and are stopped when their time is over."""
    folder = laptop.home / "many"
    folder.mkdir()
    for number in range(60):
        (folder / f"{number}.txt").write_text(f"number {number} " * 2000)
    laptop.put("many", "/", code=QUEUED)
    server.start()
    for _ in range(40):
        sending = laptop.start("ls", "/")
        try:
            wait_until(lambda: sending.poll() is not None or laptop.json_lines("transfers"), seconds=60,
                       what="it sends")
        finally:
            sending.kill()
            sending.wait()
        if not laptop.json_lines("journal"):
            break
    wait_until(lambda: laptop.run("ls", "/many") and not laptop.json_lines("journal"), seconds=60, what="all was sent")
    assert laptop.run("transfers", "--json").stdout == "", laptop.run("transfers").stdout
    transfers = laptop.json("status")["transfers"]
    assert (transfers["stopped"], transfers["failed"]) == (0, 0), transfers
    assert len(names(laptop, "/many")) == 60
