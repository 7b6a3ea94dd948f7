"""A folder on two devices: edits, moves, deletions and conflicts meet."""

import os

from synced import meet
from waiting import wait_until


def test_what_is_here_goes_to_the_other_device(pair):
    a, b = pair
    a.write("report.txt", "first\n")
    a.write("docs/plan.md", "plan\n")
    (a.path / "empty").mkdir()
    assert meet(a, b) == {"report.txt": b"first\n", "docs": None, "docs/plan.md": b"plan\n", "empty": None}


def test_a_pass_in_which_nothing_happened_says_so_and_does_nothing(met):
    a, _ = met
    said = a.sync()
    assert "Everything is synced" in said.stdout
    steps, summary = a.events()
    assert steps == [] and summary["done"] == 0 and "pass" not in summary


def test_an_edit_arrives_with_its_time_and_mode(met):
    a, b = met
    path = a.write("report.txt", "second\n")
    path.chmod(0o755)
    os.utime(path, ns=(1_234_567_890_123_456_789, 1_234_567_890_123_456_789))
    (b.path / "report.txt").chmod(0o640)
    b.sync()
    meet(a, b)
    there = (b.path / "report.txt").stat()
    assert there.st_mtime_ns == 1_234_567_890_123_456_789
    assert there.st_mode & 0o777 == 0o750


def test_both_edit_different_files(met):
    a, b = met
    a.write("report.txt", "by a\n")
    b.write("docs/plan.md", "by b\n")
    tree = meet(a, b)
    assert tree["report.txt"] == b"by a\n" and tree["docs/plan.md"] == b"by b\n"


def test_a_moved_folder_moves_no_bytes(met):
    a, b = met
    os.rename(a.path / "docs", a.path / "papers")
    steps, _ = a.events()
    assert [step["event"] for step in steps] == ["moved_there"]
    steps, _ = b.events()
    assert [step["event"] for step in steps] == ["moved_here"]
    assert "papers/old/notes.txt" in meet(a, b)


def test_a_rename_here_and_an_edit_there_are_both_kept(met):
    a, b = met
    os.rename(a.path / "report.txt", a.path / "final.txt")
    b.write("report.txt", "edited\n")
    tree = meet(a, b)
    assert tree["final.txt"] == b"edited\n" and "report.txt" not in tree


def test_a_deletion_goes_to_the_other_devices_trash(met):
    a, b = met
    (a.path / "report.txt").unlink()
    tree = meet(a, b)
    assert "report.txt" not in tree
    (item,) = b.trash()
    assert item["path"] == "report.txt"


def test_a_folder_deleted_here_goes_there_too(met):
    a, b = met
    for name in ("notes.txt",):
        (a.path / "docs/old" / name).unlink()
    (a.path / "docs/old").rmdir()
    tree = meet(a, b)
    assert "docs/old" not in tree and "docs/plan.md" in tree


def test_an_edit_beats_a_deletion(met):
    a, b = met
    (a.path / "report.txt").unlink()
    b.write("report.txt", "still needed\n")
    assert meet(a, b)["report.txt"] == b"still needed\n"


def test_two_edits_of_one_file_are_both_kept(met):
    a, b = met
    a.write("report.txt", "by a\n")
    b.write("report.txt", "by b\n")
    tree = meet(a, b)
    reports = {name: content for name, content in tree.items() if name.startswith("report")}
    assert sorted(reports.values()) == [b"by a\n", b"by b\n"]
    assert any("conflict" in name for name in reports), reports


def test_the_same_edit_on_both_sides_is_no_conflict(met):
    a, b = met
    a.write("report.txt", "the same\n")
    b.write("report.txt", "the same\n")
    tree = meet(a, b)
    assert [name for name in tree if name.startswith("report")] == ["report.txt"]


def test_folders_that_are_the_same_already_move_nothing(pair):
    a, b = pair
    for folder in (a, b):
        folder.write("same.txt", "the same\n")
        folder.write("docs/deep.txt", "deep\n")
    a.sync()
    steps, _ = b.events()
    assert {step["event"] for step in steps} <= {"touched_here"}, "their times at the most"
    assert meet(a, b) == {"same.txt": b"the same\n", "docs": None, "docs/deep.txt": b"deep\n"}


def test_a_first_link_deletes_nothing(pair):
    a, b = pair
    a.write("mine.txt", "a\n")
    b.write("yours.txt", "b\n")
    assert meet(a, b) == {"mine.txt": b"a\n", "yours.txt": b"b\n"}


def test_a_file_is_replaced_by_a_folder_of_its_name_and_back(met):
    a, b = met
    (a.path / "report.txt").unlink()
    a.write("report.txt/inside", "in\n")
    tree = meet(a, b)
    assert tree["report.txt"] is None and tree["report.txt/inside"] == b"in\n"
    (a.path / "report.txt/inside").unlink()
    (a.path / "report.txt").rmdir()
    a.write("report.txt", "a file again\n")
    assert meet(a, b)["report.txt"] == b"a file again\n"


def test_an_editor_that_saves_by_rename_keeps_the_history(met):
    a, b = met
    for text in ("two\n", "three\n"):
        a.write(".report.txt.swp", text)
        os.replace(a.path / ".report.txt.swp", a.path / "report.txt")
        meet(a, b)
    assert len(a.device.run("history", f"{a.remote}/report.txt", "--json").json_lines()) == 3


def test_two_names_are_swapped(met):
    a, b = met
    a.write("one", "1")
    a.write("two", "2")
    meet(a, b)
    os.rename(a.path / "one", a.path / "tmp")
    os.rename(a.path / "two", a.path / "one")
    os.rename(a.path / "tmp", a.path / "two")
    tree = meet(a, b)
    assert tree["one"] == b"2" and tree["two"] == b"1" and "tmp" not in tree


def test_deep_and_long_names_arrive(pair):
    a, b = pair
    a.write("n" * 255, "long\n")
    deep = "/".join(["d"] * 200)
    a.write(deep + "/file", "deep\n")
    tree = meet(a, b)
    assert tree["n" * 255] == b"long\n" and tree[deep + "/file"] == b"deep\n"


def test_a_dry_run_of_a_folder_that_is_not_tied_changes_nothing(pair):
    a, _ = pair
    a.write("report.txt", "first\n")
    said = a.sync("--dry-run").stdout
    assert "would have sent report.txt" in said and "not linked" in said
    assert a.device.run("bindings", "--json").json_lines() == []
    assert sorted(path.name for path in a.path.iterdir()) == ["report.txt"]
    assert a.device.run("stat", a.remote, check=False).code == 4


def test_a_conflict_waits_for_a_person_who_asked_to_be_asked(met):
    a, b = met
    a.sync("--conflicts", "ask")
    a.write("report.txt", "by a\n")
    b.write("report.txt", "by b\n")
    b.sync()
    a.sync()
    assert a.read("report.txt") == b"by a\n" and b.read("report.txt") == b"by b\n"
    waiting = a.device.run("conflicts", "--json").json_lines()
    assert [conflict["path"] for conflict in waiting] == [str(a.path / "report.txt")]
    a.device.run("resolve", a.path / "report.txt", "--keep", "theirs")
    assert a.read("report.txt") == b"by b\n"
    assert a.device.run("conflicts", "--json").json_lines() == []
    assert meet(a, b)["report.txt"] == b"by b\n"
    a.write("report.txt", "by a again\n")
    b.write("report.txt", "by b again\n")
    b.sync()
    a.sync()
    a.device.run("resolve", f"{a.remote}/report.txt", "--keep", "mine")  # as the server calls it
    assert meet(a, b)["report.txt"] == b"by a again\n"


def test_without_a_way_to_the_server_it_is_said_why_a_file_waits(desks, met):
    a, b = met
    process = a.watch()
    try:
        desks.proxy.go_down()
        a.write("report.txt", "in the train\n")
        waits, rests = a.why("report.txt"), a.why("docs/plan.md")
        assert waits["status"] == "pending" and "the server cannot be reached now" in waits["cause"], waits
        assert rests["status"] == "synced", rests
        said = a.device.run("why", a.path / "report.txt")
        assert "the last state that this device knows" in said.text, said
        assert "There are no open conflicts" in a.device.run("conflicts").text
        assert str(a.path) in a.device.run("status").stdout
        desks.proxy.come_back()
        wait_until(lambda: a.why("report.txt")["status"] == "synced", what="it is sent by itself")
    finally:
        process.terminate()
        process.wait(60)
    assert meet(a, b)["report.txt"] == b"in the train\n"


def test_where_nothing_runs_that_is_said_and_no_return_of_the_server_waited_for(desks, met):
    """It said “it goes on by itself once the server can be reached”."""
    a, _ = met
    a.write("report.txt", "in the train\n")
    desks.proxy.go_down()
    why = a.why("report.txt")
    assert "nothing is running that syncs it" in why["cause"] and "--once" in why["remedy"], why


def test_a_plan_for_a_folder_that_is_not_tied_ties_nothing(pair):
    a, _ = pair
    a.write("x", "x")
    said = a.sync("--plan", "0123456789ab", check=False)
    assert said.code == 4 and "There is no plan “0123456789ab”" in said.text, said
    assert not (a.path / ".bothy").exists()
