"""Moves, deletions and edits of two devices that meet."""

import os
import shutil

import pytest

from synced import meet


def test_two_folders_moved_into_each_other_by_two_devices(pair):
    a, b = pair
    a.write("x/in x", "x")
    a.write("y/in y", "y")
    meet(a, b)
    os.rename(a.path / "x", a.path / "y/x")
    os.rename(b.path / "y", b.path / "x/y")
    a.sync()
    tree = meet(a, b)
    assert sorted(content for content in tree.values() if content) == [b"x", b"y"], tree


def test_three_folders_moved_in_a_circle_by_two_devices(pair):
    a, b = pair
    for name in "xyz":
        a.write(f"{name}/in {name}", name)
    meet(a, b)
    os.rename(a.path / "x", a.path / "y/x")
    os.rename(a.path / "y", a.path / "z/y")
    os.rename(b.path / "z", b.path / "x/z")
    a.sync()
    tree = meet(a, b)
    assert sorted(content for content in tree.values() if content) == [b"x", b"y", b"z"], tree


def test_a_folder_moved_into_one_that_the_other_side_deleted(pair):
    a, b = pair
    a.write("kept/file", "kept")
    a.write("going/old", "old")
    for number in range(20):
        a.write(f"others/{number}", "o")
    meet(a, b)
    os.rename(a.path / "kept", a.path / "going/kept")
    shutil.rmtree(b.path / "going")
    b.sync()
    tree = meet(a, b)
    assert sorted(content for content in tree.values() if content and content != b"o") == [b"kept"], tree


def test_a_folder_deleted_on_both_sides_with_a_new_file_on_one(met):
    a, b = met
    shutil.rmtree(a.path / "docs")
    shutil.rmtree(b.path / "docs/old")
    b.write("docs/new", "new")
    tree = meet(a, b)
    assert tree["docs/new"] == b"new" and "docs/old" not in tree


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.long)])
def test_many_files_in_a_folder_that_is_renamed_while_another_edits_them(pair, count):
    a, b = pair
    for number in range(count):
        a.write(f"many/{number}", f"{number}\n")
    meet(a, b)
    os.rename(a.path / "many", a.path / "more")
    for number in range(0, count, 20):
        b.write(f"many/{number}", f"edited {number}\n")
    b.sync()
    steps, _ = a.events()
    assert {step["event"] for step in steps} == {"moved_there", "fetched"}
    assert len([step for step in steps if step["event"] == "fetched"]) == count // 20
    tree = meet(a, b)
    assert len(tree) == count + 1
    assert all(tree[f"more/{number}"] == (f"{number}\n" if number % 20 else f"edited {number}\n").encode()
               for number in range(count))


def test_a_file_replaced_by_a_folder_here_while_it_is_edited_there(met):
    a, b = met
    (a.path / "report.txt").unlink()
    a.write("report.txt/inside", "in\n")
    b.write("report.txt", "edited\n")
    tree = meet(a, b)
    assert sorted(content for name, content in tree.items() if name.startswith("report") and content) == [b"edited\n", b"in\n"]


def test_a_folder_replaced_by_a_file_here_while_something_is_put_into_it_there(met):
    a, b = met
    shutil.rmtree(a.path / "docs")
    a.write("docs", "a file now\n")
    b.write("docs/new", "new\n")
    b.sync()
    tree = meet(a, b)
    contents = [content for content in tree.values() if content]
    assert b"a file now\n" in contents and b"new\n" in contents


def test_both_rename_one_file(met):
    a, b = met
    os.rename(a.path / "report.txt", a.path / "mine.txt")
    os.rename(b.path / "report.txt", b.path / "yours.txt")
    tree = meet(a, b)
    assert [name for name in tree if name.endswith(".txt") and "/" not in name] in (["mine.txt"], ["yours.txt"])


def versions(folder, name):
    return folder.device.run("history", f"{folder.remote}/{name}", "--json").json_lines()


@pytest.mark.parametrize("gone", ["docs", "docs/plan.md"], ids=["with its folder", "by itself"])
def test_a_file_edited_here_and_deleted_elsewhere_keeps_its_versions(met, desks, gone):
    """It was sent as a new one, and what it had been before lay in the server's trash alone."""
    a, b = met
    [first] = versions(a, "docs/plan.md")
    a.write("docs/plan.md", "edited\n")
    desks.laptop.run("rm", f"{a.remote}/{gone}")
    b.sync()
    assert not (b.path / gone).exists()
    steps, _ = a.events()
    assert [step["event"] for step in steps if step["path"] == "docs/plan.md"] == ["untrashed_there", "sent"], steps
    tree = meet(a, b)
    assert tree["docs/plan.md"] == b"edited\n"
    assert ("docs/old/notes.txt" in tree) == (gone != "docs")
    assert [version["fileId"] for version in versions(b, "docs/plan.md")] == [first["fileId"]] * 2
    a.device.run("undo", "--yes")
    assert a.read("docs/plan.md") == b"edited\n"
    assert desks.desktop.run("stat", f"{a.remote}/docs/plan.md", check=False).code == 4


def test_a_file_edited_while_its_folder_is_deleted_by_a_device_that_had_not_seen_it(met):
    """In the other order: the edit comes first, and the device that deletes looks again."""
    a, b = met
    [first] = versions(a, "docs/plan.md")
    a.write("docs/plan.md", "edited\n")
    a.sync()
    shutil.rmtree(b.path / "docs")
    tree = meet(b, a)
    assert {name: content for name, content in tree.items() if name.startswith("docs")} == {
        "docs": None, "docs/plan.md": b"edited\n"}
    assert [version["fileId"] for version in versions(a, "docs/plan.md")] == [first["fileId"]] * 2
