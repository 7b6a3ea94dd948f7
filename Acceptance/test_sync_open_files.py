"""A file changes elsewhere while a program here has it open to write in it: nothing is taken away under that program."""

import os
import shutil

from synced import meet
from waiting import wait_until

#: What is said of it.
OPEN = "a program has it open, or something in it, and may still write there"
REMEDY = "nothing to do: it is synced when that program has closed it"
#: Large enough to go beside the passes.
LARGE = os.urandom(24 << 20)


def waits(folder):
    """A pass that leaves the file to the program, and says so. All else is in step."""
    said = folder.sync()
    assert OPEN in said.text and REMEDY in said.text, said


def test_a_file_that_a_program_has_open_is_replaced_once_it_is_closed(met):
    """What the program wrote after that went into a file that nobody saw any more."""
    a, b = met
    b.write("report.txt", "second\n")
    b.sync()
    with open(a.path / "report.txt", "r+") as program:
        waits(a)
        assert a.read("report.txt") == b"first\n"
        cause = a.why("report.txt")
        assert OPEN in str(cause), cause
        program.write("begun\n")
    a.sync()
    b.sync()
    # Both were edited: both are there, on both sides.
    for side in (a, b):
        assert {b"second\n", b"begun\n"} <= set(side.tree().values()), side.tree()


def test_what_nobody_wrote_in_after_all_is_replaced(met):
    a, b = met
    b.write("report.txt", "second\n")
    b.sync()
    with open(a.path / "report.txt", "r+"):
        waits(a)
    a.sync()
    assert a.tree() == b.tree()
    assert a.read("report.txt") == b"second\n"


def test_a_folder_with_a_file_that_is_open_is_deleted_once_it_is_closed(met):
    a, b = met
    shutil.rmtree(b.path / "docs")
    b.sync()
    before = a.trash()
    with open(a.path / "docs/old/notes.txt", "a"):
        waits(a)
        assert a.read("docs/old/notes.txt") == b"notes\n"
        assert a.trash() == before
    a.sync()
    assert a.tree() == b.tree()


def test_who_watches_goes_on_as_soon_as_it_is_closed(met):
    a, b = met
    program = open(a.path / "report.txt", "r+")
    watch = a.watch()
    b.write("report.txt", "second\n")
    b.sync()
    wait_until(lambda: a.device.json_lines("bindings")[-1]["inUse"] == 1, what="it waits")
    assert a.device.json_lines("bindings")[-1]["failed"] == 0
    assert "1 file is open in a program" in a.device.run("status").stdout
    program.close()
    wait_until(lambda: a.read("report.txt") == b"second\n", what="the other version is here")
    watch.terminate()
    watch.wait(timeout=60)


def test_who_only_reads_keeps_nobody_waiting(met):
    a, b = met
    b.write("report.txt", "second\n")
    b.sync()
    with open(a.path / "report.txt") as reader:
        a.sync()
        assert reader.read() == "first\n"
    assert a.read("report.txt") == b"second\n"


def test_a_large_file_is_fetched_once_however_long_it_is_open(met):
    """It was fetched anew every few seconds."""
    a, b = met
    a.write("disk.img", LARGE)
    meet(a, b)
    with open(a.path / "disk.img", "r+b"):
        watch = a.watch()
        b.write("disk.img", LARGE[1:])
        b.sync()
        wait_until(lambda: a.device.json_lines("bindings")[-1]["inUse"] == 1, what="it waits")
        for number in range(6):  # each of these is a pass
            a.write("beside.txt", f"{number}\n")
            wait_until(lambda: b.device.run("cat", f"{b.remote}/beside.txt", check=False).stdout == f"{number}\n")
        fetched = [line for line in a.device.json_lines("transfers", "--all") if "disk.img" in line["local"]]
        assert len(fetched) <= 1, fetched
        assert a.device.started_log().count(OPEN) == 0, a.device.started_log()
    wait_until(lambda: a.read("disk.img") == LARGE[1:], what="the other version is here")
    watch.terminate()
    watch.wait(timeout=60)


def test_an_undo_takes_no_folder_away_under_a_program(met):
    """It was in the local trash, with what the program wrote afterwards."""
    a, b = met
    shutil.rmtree(b.path / "docs")
    b.sync()
    a.sync()
    back = a.device.json_lines("undo", a.last_pass())[-1]["pass"]
    before = a.trash()
    with open(a.path / "docs/plan.md", "a") as program:
        said = a.device.run("undo", str(back), check=False)
        assert said.code != 0 and "is open in a program that may still write to it" in said.text, said
        program.write("more\n")
    assert a.read("docs/plan.md") == b"plan\nmore\n"
    assert a.trash() == before


def test_what_is_merged_waits_too_and_leaves_nothing_behind(met):
    """Each try left a merged copy that nobody had made in the local trash."""
    a, b = met
    lines = [f"line {number}\n" for number in range(20)]
    a.write("text.txt", "".join(lines))
    a.sync("--conflicts", "merge")
    b.sync("--conflicts", "merge")
    b.write("text.txt", "".join(["theirs\n", *lines[1:]]))
    b.sync()
    a.write("text.txt", "".join([*lines[:-1], "mine\n"]))
    # Not so new that it counts as being written.
    os.utime(a.path / "text.txt", (1, 1))
    before = a.trash()
    with open(a.path / "text.txt", "a"):
        for _ in range(3):
            waits(a)
        assert a.trash() == before
    a.sync()
    assert a.read("text.txt").decode() == "".join(["theirs\n", *lines[1:-1], "mine\n"])
