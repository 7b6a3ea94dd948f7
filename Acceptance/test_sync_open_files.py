"""A file changes elsewhere while a program here has it open to write in it: nothing is taken away under that program."""

import shutil

from waiting import wait_until

OPEN = "is open in a program that may still write in it"


def waits(folder):
    """A pass that leaves the file to the program, and says so."""
    said = folder.sync(check=False)
    assert said.code != 0 and OPEN in said.text, said
    assert "Nothing to do: it goes on when that program has closed it." in said.text, said


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
    wait_until(lambda: OPEN in a.device.started_log(), what="it says why it waits")
    in_step = a.device.json_lines("bindings")[-1]
    assert (in_step["inUse"], in_step["failed"]) == (1, 0), in_step
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
