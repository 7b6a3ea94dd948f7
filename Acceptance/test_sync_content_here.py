"""A folder in step: content that a device has already, under another name, is not fetched once more."""

import os
import shutil

import pytest

import fault_proxy
from content import content
from synced import meet

MIB = 1 << 20
SIZE = 3 * MIB + 777


class Wire:
    """What goes over the wire of the laptop, both ways, while it takes over what the desktop has done."""

    def __init__(self, proxy, folder):
        self.proxy, self.folder = proxy, folder
        self.exchanges = []

    def sync(self):
        before = len(self.proxy.seen(fault_proxy.any_request))
        self.folder.sync()
        self.exchanges = self.proxy.seen(fault_proxy.any_request)[before:]
        return sum(each.sent_up + each.sent_down for each in self.exchanges)


@pytest.fixture
def wire(desks, pair):
    return Wire(desks.proxy, pair[0])


def test_a_copy_is_not_fetched(pair, wire):
    laptop, desktop = pair
    desktop.write("film.mkv", content(SIZE))
    meet(desktop, laptop)
    shutil.copy(desktop.path / "film.mkv", desktop.path / "film (copy).mkv")
    desktop.sync()
    assert wire.sync() < 64 << 10
    assert laptop.read("film (copy).mkv") == content(SIZE)
    meet(desktop, laptop)


def test_a_copy_of_what_was_moved_at_the_same_time_is_not_fetched(pair, wire):
    laptop, desktop = pair
    desktop.write("film.mkv", content(SIZE))
    meet(desktop, laptop)
    shutil.copy(desktop.path / "film.mkv", desktop.path / "copy.mkv")
    (desktop.path / "films").mkdir()
    os.rename(desktop.path / "film.mkv", desktop.path / "films/film.mkv")
    desktop.sync()
    assert wire.sync() < 64 << 10
    assert laptop.read("copy.mkv") == laptop.read("films/film.mkv") == content(SIZE)


def test_a_copy_of_many_small_files_is_not_fetched(pair, wire):
    laptop, desktop = pair
    for number in range(100):
        desktop.write(f"notes/{number}.txt", content(3000, seed=number))
    meet(desktop, laptop)
    shutil.copytree(desktop.path / "notes", desktop.path / "notes (copy)")
    desktop.sync()
    assert wire.sync() < 200_000
    assert laptop.read("notes (copy)/73.txt") == content(3000, seed=73)
    meet(desktop, laptop)


def test_two_files_that_were_swapped_are_not_fetched(pair, wire):
    laptop, desktop = pair
    for name in "ab":
        desktop.write(name, content(SIZE, seed=name))
    meet(desktop, laptop)
    for name, seed in ("ab", "ba"):
        desktop.write(name, content(SIZE, seed=seed))
    desktop.sync()
    assert wire.sync() < 64 << 10
    assert laptop.read("a") == content(SIZE, seed="b") and laptop.read("b") == content(SIZE, seed="a")
    meet(desktop, laptop)


def test_two_files_that_were_swapped_are_told_of_in_one_request(pair, wire):
    laptop, desktop = pair
    for name in "ab":
        laptop.write(name, content(SIZE, seed=name))
    meet(laptop, desktop)
    for name, seed in ("ab", "ba"):
        laptop.write(name, content(SIZE, seed=seed))
    assert wire.sync() < 8 << 10
    assert [each.path for each in wire.exchanges if each.method == "POST"] == ["/v1/upload/batch"]
    tree = meet(laptop, desktop)
    assert tree["a"] == content(SIZE, seed="b") and tree["b"] == content(SIZE, seed="a")


def test_of_a_rotated_log_only_the_new_one_is_fetched(pair, wire):
    laptop, desktop = pair
    desktop.write("app.log", content(SIZE))
    meet(desktop, laptop)
    desktop.write("app.log.1", content(SIZE))
    desktop.write("app.log", content(1000, seed="today"))
    desktop.sync()
    assert wire.sync() < 64 << 10
    assert laptop.read("app.log.1") == content(SIZE) and laptop.read("app.log") == content(1000, seed="today")
    meet(desktop, laptop)


def test_what_was_replaced_before_and_comes_back_is_not_fetched(pair, wire):
    """The log's first lines arrive a pass before the old log under its new name: by then that lies in the local trash."""
    laptop, desktop = pair
    desktop.write("app.log", content(SIZE))
    meet(desktop, laptop)
    desktop.write("app.log", content(1000, seed="today"))
    meet(desktop, laptop)
    desktop.write("app.log.1", content(SIZE))
    desktop.sync()
    assert wire.sync() < 64 << 10
    assert laptop.read("app.log.1") == content(SIZE)


def test_what_changed_here_meanwhile_is_no_source(pair, wire):
    """Its size and time are as they were, and its bytes are not."""
    laptop, desktop = pair
    desktop.write("film.mkv", content(SIZE))
    meet(desktop, laptop)
    path = laptop.path / "film.mkv"
    time = path.stat().st_mtime_ns
    with path.open("r+b") as film:
        film.seek(MIB)
        film.write(b"another scene")
    os.utime(path, ns=(time, time))
    shutil.copy(desktop.path / "film.mkv", desktop.path / "copy.mkv")
    desktop.sync()
    assert wire.sync() > SIZE, "the copy was fetched"
    assert laptop.read("copy.mkv") == content(SIZE)
    assert laptop.read("film.mkv")[MIB:MIB + 13] == b"another scene"


def edit(path):
    """A few words more in four places: of each, the block around it is some 70 KiB, and what changed is less than 4."""
    data = path.read_bytes()
    path.write_bytes(b"another scene".join(data[start:start + 2 * MIB] for start in range(0, len(data), 2 * MIB)))


def test_what_was_copied_here_goes_up_as_what_changed(pair, wire):
    """Its bytes never came over the wire, and what the first edit needs is known all the same: the old bytes are gone by then."""
    laptop, desktop = pair
    desktop.write("film.mkv", content(7 * MIB))
    meet(desktop, laptop)
    shutil.copy(desktop.path / "film.mkv", desktop.path / "copy.mkv")
    desktop.sync()
    assert wire.sync() < 64 << 10
    edit(laptop.path / "copy.mkv")
    assert wire.sync() < 64 << 10
    desktop.sync()
    assert desktop.read("copy.mkv") == laptop.read("copy.mkv") != content(7 * MIB)


def test_what_came_out_of_the_local_trash_goes_up_as_what_changed(pair, wire):
    """Nothing is remembered of it any more under the name that it had: it is looked at."""
    laptop, desktop = pair
    desktop.write("film.mkv", content(7 * MIB, seed="first"))
    meet(desktop, laptop)
    desktop.write("film.mkv", content(7 * MIB, seed="another film"))
    meet(desktop, laptop)
    desktop.write("first.mkv", content(7 * MIB, seed="first"))
    desktop.sync()
    assert wire.sync() < 64 << 10
    edit(laptop.path / "first.mkv")
    assert wire.sync() < 64 << 10
    desktop.sync()
    assert desktop.read("first.mkv") == laptop.read("first.mkv")


def bodies(requests):
    """What each request is: its method, and the last part of its path."""
    return sorted(f"{each.method} {each.path.split('?')[0].rsplit('/', 1)[1]}" for each in requests)


def requests_of(wire, folder):
    """But for the renewal of its session, which falls due four times an hour."""
    before = len(wire.proxy.seen(fault_proxy.any_request))
    folder.sync()
    return [each for each in wire.proxy.seen(fault_proxy.any_request)[before:] if "/v1/auth/" not in each.path]


def test_a_copy_goes_up_in_one_request(pair, wire):
    """Whatever has the same length is read for its hash, and a start that names it is all: no names, no finalize."""
    laptop, _ = pair
    laptop.write("film.mkv", content(7 * MIB, seed="seen"))
    laptop.write("other.mkv", content(7 * MIB, seed="not seen"))
    laptop.sync()
    shutil.copy(laptop.path / "film.mkv", laptop.path / "copy.mkv")
    requests = requests_of(wire, laptop)
    assert bodies(requests) == ["GET changes", "POST upload"]
    os.rename(laptop.path / "film.mkv", laptop.path / "a.mkv")
    os.rename(laptop.path / "other.mkv", laptop.path / "film.mkv")
    os.rename(laptop.path / "a.mkv", laptop.path / "other.mkv")
    laptop.sync()
    (laptop.path / "copy.mkv").write_bytes(content(7 * MIB, seed="third"))
    laptop.sync()
    meet(laptop, pair[1])
    assert pair[1].read("copy.mkv") == content(7 * MIB, seed="third")
    assert pair[1].read("film.mkv") == content(7 * MIB, seed="not seen")


def test_a_rename_is_one_request_after_a_look_and_taking_it_over_is_one_look(pair, wire):
    laptop, desktop = pair
    desktop.write("film.mkv", content(SIZE))
    meet(desktop, laptop)
    os.rename(laptop.path / "film.mkv", laptop.path / "holidays.mkv")
    kinds = [each.method for each in requests_of(wire, laptop)]
    assert kinds == ["GET", "PATCH"]
    desktop.sync()
    os.rename(desktop.path / "holidays.mkv", desktop.path / "film.mkv")
    desktop.sync()
    assert [each.method for each in requests_of(wire, laptop)] == ["GET"]
    assert laptop.read("film.mkv") == content(SIZE)
    meet(desktop, laptop)
