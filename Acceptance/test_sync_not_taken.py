"""What is left out of a folder in step, by whom, and how it is told."""

import os
import socket

import pytest

from synced import meet


def waiting(folder, *options):
    return {item["path"]: (item["state"], item["words"]) for item in folder.events(*options)[1]["waiting"]}


def test_what_rules_leave_out_is_listed_with_the_rule(pair):
    a, b = pair
    a.write("kept.txt", "k")
    a.write("scratch.tmp", "s")
    a.write("build/out.o", "o")
    a.write("logs/today.log", "l")
    a.write(".bothyignore", "build/\n*.log\n!keep.log\n")
    a.write("logs/keep.log", "kept")
    left = waiting(a, "--exclude", "*.tmp")
    assert {path for path, (state, _) in left.items() if state == "ignored"} == {"scratch.tmp", "build", "logs/today.log"}
    b.sync()
    assert sorted(b.tree()) == [".bothyignore", "kept.txt", "logs", "logs/keep.log"]
    why = a.why("build/out.o")
    assert why["status"] == "ignored" and ".bothyignore" in why["cause"] and "build" in why["cause"], why
    assert "*.tmp" in a.why("scratch.tmp")["cause"]


def test_a_dry_run_lists_all_that_is_left_out_with_the_rule(met):
    a, _ = met
    a.write(".bothyignore", "*.log\n")
    for number in range(15):
        a.write(f"logs/{number:02}.log", "l")
    a.write("scratch.tmp", "s")
    (a.path / "link").symlink_to("scratch.tmp")
    said = a.sync("--dry-run", "--exclude", "*.tmp").stdout.splitlines()
    left = {line.split(": ")[1]: line for line in said if line.startswith("excluded: ")}
    assert set(left) == {"scratch.tmp", *(f"logs/{number:02}.log" for number in range(15))}, said
    assert "*.log" in left["logs/14.log"] and ".bothyignore" in left["logs/14.log"] and "*.tmp" in left["scratch.tmp"], left
    planned = a.sync("--dry-run", "--json", "--exclude", "*.tmp").json_lines()[-1]["waiting"]
    assert {item["path"] for item in planned if item["state"] == "ignored"} == set(left), planned
    assert ("link", "held") in {(item["path"], item["state"]) for item in planned}, planned
    assert a.events("--exclude", "*.tmp")[1]["waiting"] == planned


def test_a_rule_that_comes_later_deletes_nothing(met):
    a, b = met
    a.write(".bothyignore", "docs/\n")
    meet(a, b)
    assert a.read("docs/plan.md") == b"plan\n" and b.read("docs/plan.md") == b"plan\n"
    a.write("docs/plan.md", "changed, and left out\n")
    a.sync()
    b.sync()
    assert b.read("docs/plan.md") == b"plan\n"


def test_what_is_no_file_and_no_folder_is_told_of_each_with_its_kind(pair):
    a, b = pair
    a.write("file", "f")
    os.symlink("file", a.path / "link")
    os.symlink(".", a.path / "itself")
    os.symlink("..", a.path / "above")
    os.mkfifo(a.path / "pipe")
    kinds = {"link": "symbolic link", "itself": "symbolic link", "above": "symbolic link", "pipe": "pipe"}
    if os.geteuid() == 0:
        try:
            os.mknod(a.path / "device", 0o020666, os.makedev(1, 3))
            kinds["device"] = "device"
        except PermissionError:
            pass
    here = os.open(a.path, os.O_RDONLY)
    server = socket.socket(socket.AF_UNIX)
    server.bind(f"/proc/self/fd/{here}/socket")
    os.close(here)
    kinds["socket"] = "socket"
    left = waiting(a)
    assert {path for path in left} == set(kinds)
    assert all(word in left[path][1] for path, word in kinds.items())
    b.sync()
    assert b.tree() == {"file": b"f"}
    server.close()


def test_a_name_that_is_no_text_is_told_of(pair):
    a, b = pair
    a.write("file", "f")
    with open(os.fsencode(a.path) + b"/not \xff text", "wb") as file:
        file.write(b"n")
    said = a.partly()
    assert "not valid text" in said.stdout, said
    b.sync()
    assert b.tree() == {"file": b"f"}


def test_another_folder_in_step_inside_is_refused(met):
    a, _ = met
    said = a.device.run("sync", a.path / "docs", "/elsewhere", "--once", check=False)
    assert said.code == 1 and "is inside" in said.stderr


@pytest.mark.parametrize("rule", ["*", "/**", "*/"])
def test_leaving_out_everything_deletes_nothing(met, rule):
    a, b = met
    tree = b.tree()
    a.sync("--exclude", rule, check=False)
    b.sync()
    assert b.tree() == tree


def line_of(folder):
    return next(line for line in folder.device.json("status")["lines"] if line.get("subject") == str(folder.path))


def test_a_folder_with_something_in_it_that_cannot_be_synced_is_not_called_in_step(met):
    """It was, by `status` and `bindings`, while `why` said of the very thing that it had failed."""
    a, b = met
    os.symlink("/elsewhere", a.path / "a link that nobody else has")
    a.sync()
    assert line_of(a)["state"] == "idle", "a link is not synced: that is a rule, and no trouble"
    with open(os.fsencode(a.path) + b"/bad \xff", "wb") as file:
        file.write(b"n")
    os.symlink("/elsewhere", b.path / "pictures")
    a.write("pictures/one.jpg", "one")
    a.partly()
    b.partly()
    for folder in (a, b):
        line = line_of(folder)
        assert line["state"] == "held" and line["reason"] == "cannot_be_synced", line
        assert "but 1 item cannot be synced" in line["words"], line
        assert f"bothy sync {folder.path} --dry-run" in line["remedy"], line
        assert "cannot be synced" in folder.device.run("bindings").stdout
        assert folder.device.json_lines("bindings")[-1]["cannotBeSynced"] == 1
    assert "not valid text" in a.device.run("sync", a.path, "--dry-run").stdout
    assert "pictures: " in b.device.run("sync", b.path, "--dry-run").stdout
    os.remove(os.fsencode(a.path) + b"/bad \xff")
    (b.path / "pictures").unlink()
    for folder in (a, b):
        folder.sync()
        assert line_of(folder)["state"] == "idle"
    assert b.read("pictures/one.jpg") == b"one"


def test_a_file_of_which_it_was_taken_back_that_it_was_sent_is_told_by_the_status(met):
    a, _ = met
    a.write("new.txt", "new")
    a.sync()
    a.device.run("undo", "--yes")
    a.sync()
    line = line_of(a)
    assert line["state"] == "idle" and "1 file stays only here" in line["words"], line
    assert "1 file stays only here" in a.device.run("bindings").stdout
    listed = [line for line in a.sync("--dry-run").stdout.splitlines() if "undid" in line]
    why = a.why(".")
    assert len(listed) == 1 and "undid" in why["cause"] and why["status"] == "unsynced", (listed, why)
