"""A deletion that is taken back where somebody has made the same anew since leaves one of it, and no double beside it."""

import shutil

import pytest

from synced import meet


def named(tree, start):
    return {name: content for name, content in tree.items() if name.startswith(start)}


def test_a_file_that_is_there_again_with_the_same_content_is_left_as_it_is(met):
    a, b = met
    (a.path / "report.txt").unlink()
    a.sync()
    b.sync()
    b.write("report.txt", "first\n")
    b.sync()
    said = a.device.run("undo", "--yes", check=False)
    assert said.code == 5 and "report.txt" in said.stderr and "exists again" in said.stderr, said
    assert named(meet(a, b), "report") == {"report.txt": b"first\n"}


def test_a_file_that_is_there_again_with_another_content_comes_back_beside_it(met):
    a, b = met
    (a.path / "report.txt").unlink()
    a.sync()
    b.sync()
    b.write("report.txt", "another\n")
    b.sync()
    a.device.run("undo", "--yes")
    assert named(meet(a, b), "report") == {"report.txt": b"another\n", "report (1).txt": b"first\n"}


def test_what_others_deleted_and_made_again_comes_back_once(met):
    """The server had it again, and its old one came out of the trash beside it."""
    a, b = met
    (b.path / "report.txt").unlink()
    b.sync()
    a.sync()
    number = a.last_pass()
    b.write("report.txt", "first\n")
    b.sync()
    a.device.run("undo", number, check=False)
    assert named(meet(a, b), "report") == {"report.txt": b"first\n"}


@pytest.fixture
def edited_in_a_deleted_folder(met):
    """`a` deletes a folder, and `b` had edited something in it: that is there again, in a folder of its name."""
    a, b = met
    for name in ("one.txt", "two.txt", "deep/three.txt", "deep/er/four.txt"):
        a.write(f"trip/{name}", f"{name}\n")
    meet(a, b)
    shutil.rmtree(a.path / "trip")
    a.sync()
    b.write("trip/one.txt", "edited\n")
    b.write("trip/deep/three.txt", "edited too\n")
    b.sync()
    assert named(b.tree(), "trip") == {
        "trip": None, "trip/one.txt": b"edited\n", "trip/deep": None, "trip/deep/three.txt": b"edited too\n"}
    return a, b


WHOLE = {
    "trip": None, "trip/one.txt": b"edited\n", "trip/two.txt": b"two.txt\n", "trip/deep": None,
    "trip/deep/three.txt": b"edited too\n", "trip/deep/er": None, "trip/deep/er/four.txt": b"deep/er/four.txt\n"}


def test_what_was_deleted_of_a_folder_comes_back_into_the_one_that_is_there_again(edited_in_a_deleted_folder):
    a, b = edited_in_a_deleted_folder
    undone = a.device.json_lines("undo", "--yes")[-1]["pass"]
    assert named(meet(a, b), "trip") == WHOLE
    a.device.run("undo", str(undone))
    a.sync("--confirm")
    b.sync("--confirm")
    edited = {name: content for name, content in WHOLE.items() if not {"two.txt", "er", "four.txt"} & set(name.split("/"))}
    assert named(meet(a, b), "trip") == edited, "what came back goes, what was edited stays"


def test_a_folder_that_is_there_again_with_all_that_was_in_it_is_left_as_it_is(met):
    a, b = met
    a.write("trip/one.txt", "one\n")
    meet(a, b)
    shutil.rmtree(a.path / "trip")
    a.sync()
    b.sync()
    b.write("trip/one.txt", "one\n")
    b.write("trip/more.txt", "more\n")
    b.sync()
    said = a.device.run("undo", "--yes", check=False)
    assert said.code == 5 and "“trip” exists again" in said.stderr, said
    assert named(meet(a, b), "trip") == {"trip": None, "trip/one.txt": b"one\n", "trip/more.txt": b"more\n"}


@pytest.mark.parametrize("is_sent", [False, True], ids=["here", "on the server too"])
def test_what_others_deleted_of_a_folder_comes_back_into_the_one_that_was_made_here_since(met, is_sent):
    a, b = met
    for name in ("one.txt", "two.txt", "deep/three.txt", "deep/er/four.txt"):
        a.write(f"trip/{name}", f"{name}\n")
    meet(a, b)
    shutil.rmtree(b.path / "trip")
    b.sync()
    number = a.sync("--json").json_lines()[-1]["pass"]
    assert named(a.tree(), "trip") == {}
    a.write("trip/one.txt", "edited\n")
    a.write("trip/deep/three.txt", "edited too\n")
    if is_sent:
        a.sync()
    undone = a.device.json_lines("undo", str(number))[-1]["pass"]
    assert named(a.tree(), "trip") == WHOLE
    assert named(meet(a, b), "trip") == WHOLE
    a.device.run("undo", str(undone))
    kept = named(a.tree(), "trip")
    assert "trip/two.txt" not in kept and "trip/deep/er" not in kept and kept["trip/one.txt"] == b"edited\n"
