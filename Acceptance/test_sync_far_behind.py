"""Devices and servers whose memories are of different times: nothing is deleted by what is only absent."""

import contextlib
import sqlite3
from pathlib import Path

import pytest

from api import Api, new_id
from device import Device
from fault_proxy import answer
from server import Server
from synced import SyncedFolder, meet

EXPIRED = b'{"type":"about:blank","title":"Cursor expired","status":410,"code":"cursor_expired","detail":"Begin again."}'


def expire_cursor(desks):
    """The next time that the laptop asks for changes, its cursor is too old."""
    return desks.proxy.add(answer(410, lambda r: r.path == "/v1/changes" and "cursor=" in r.target, times=1,
                                  headers=[("Content-Type", "application/problem+json")], body=EXPIRED))


def test_a_cursor_that_has_expired_moves_no_bytes(desks, met):
    a, b = met
    expired = expire_cursor(desks)
    steps, _ = a.events()
    assert expired.used and steps == []
    assert len(meet(a, b)) == 5


def test_a_device_that_was_away_for_a_year_brings_nothing_back_and_loses_nothing(desks, met):
    a, b = met
    b.write("docs/plan.md", "a year later\n")
    (b.path / "report.txt").unlink()
    b.write("new there", "n")
    b.sync()
    a.write("made in the year", "m")
    a.write("docs/old/notes.txt", "edited in the year\n")
    expired = expire_cursor(desks)
    a.sync(check=False)
    assert expired.used
    assert a.read("report.txt") == b"first\n", "what is absent is not deleted while both sides are tied anew"
    b.sync()
    a.sync(check=False)
    tree = b.tree()
    assert "report.txt" not in tree, "and it does not come back"
    assert a.why("report.txt")["status"] == "unsynced"
    assert tree["made in the year"] == b"m" and tree["docs/old/notes.txt"] == b"edited in the year\n"
    assert a.read("docs/plan.md") == b"a year later\n" and a.read("new there") == b"n"


def damage_replica(path, damage):
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        if damage == "newer":
            database.execute("INSERT INTO grdb_migrations VALUES ('999 of tomorrow')")
    # Closing it has put all of it into the one file.
    if damage == "garbage":
        path.write_bytes(b"this is no database " * 5000)
    elif damage == "torn":
        with open(path, "r+b") as file:
            file.seek(4096)
            file.write(b"\xff" * (path.stat().st_size - 4096))
    elif damage == "gone":
        path.unlink()


@pytest.mark.parametrize("damage", ["garbage", "torn", "newer", "gone"])
def test_a_replica_that_cannot_be_read_is_made_anew(met, damage):
    a, b = met
    damage_replica(Path(a.device.home) / "bothy/replica.sqlite", damage)
    a.write("docs/plan.md", "edited\n")
    steps, _ = a.events()
    assert [(step["event"], step["path"]) for step in steps] == [("sent", "docs/plan.md")]
    b.write("report.txt", "by b\n")
    tree = meet(a, b)
    assert tree["docs/plan.md"] == b"edited\n" and tree["report.txt"] == b"by b\n" and len(tree) == 5


@pytest.fixture
def mondays(tmp_path):
    """Two devices in step with a server of their own, which can go back to what it was."""
    made = Mondays(tmp_path)
    yield made
    made.server.kill()


class Mondays:
    def __init__(self, folder):
        self.folder = folder
        self.server = Server(folder / "data").start()
        email = f"{new_id()}@example.org"
        self.a = SyncedFolder(Device(folder / "laptop", "laptop").register(self.server.url, email))
        self.b = SyncedFolder(Device(folder / "desktop", "desktop").login(self.server.url, email))

    def back_up(self):
        self.server.admin("backup", self.folder / "backup")

    def go_back(self):
        address = self.server.listen
        self.server.kill()
        self.server = Server(self.folder / "restored", listen=address)
        self.server.admin("restore", self.folder / "backup")
        self.server.start()


def test_a_server_of_an_old_backup_deletes_nothing_and_gets_back_what_it_lacks(mondays):
    a, b = mondays.a, mondays.b
    a.write("kept.txt", "monday\n")
    a.write("docs/edited.txt", "monday\n")
    a.write("moved.txt", "moved\n")
    a.write("deleted.txt", "deleted on tuesday\n")
    meet(a, b)
    mondays.back_up()
    a.write("docs/edited.txt", "tuesday\n")
    b.write("new/tuesday.txt", "only tuesday knew\n")
    (a.path / "moved.txt").rename(a.path / "docs/moved.txt")
    (a.path / "deleted.txt").unlink()
    meet(a, b)
    mondays.go_back()
    a.write("wednesday.txt", "and on it goes\n")
    for _ in range(3):
        a.sync(check=False)
        b.sync(check=False)
    tree = meet(a, b)
    assert tree["kept.txt"] == b"monday\n"
    assert tree["docs/edited.txt"] == b"tuesday\n", "the version here is newer"
    assert tree["new/tuesday.txt"] == b"only tuesday knew\n"
    assert tree["wednesday.txt"] == b"and on it goes\n"
    assert b"moved\n" in tree.values()
    assert not any("conflict" in name for name in tree), sorted(tree)
