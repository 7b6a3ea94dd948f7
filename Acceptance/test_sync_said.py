"""What `sync`, `status`, `bindings`, `why`, `resolve` and `undo` say is so, and what they offer can be typed."""

import contextlib
import os
import shlex
import shutil
import signal
from pathlib import Path

import pytest

from api import new_id
from device import Device
from synced import SyncedFolder, meet
from waiting import wait_until

LINES = "one\ntwo\nthree\nfour\nfive\n"


def conflict(a, b, name="z.txt", mine="mine\n", theirs="theirs\n"):
    """Both have changed a file; `a` has a policy that asks."""
    a.sync("--conflicts", "ask")
    a.write(name, mine)
    b.write(name, theirs)
    b.sync()


def names(folder):
    return sorted(name for name in folder.tree())


# What a pass tells


def test_what_waits_for_a_person_is_told_however_much_is_left_out_before_it(met):
    a, b = met
    a.write("z.txt", "base\n")
    meet(a, b)
    for number in range(15):
        a.write(f"a{number:02}.log", "log\n")
    conflict(a, b)
    (a.path / os.fsdecode(b"bad\xff")).write_text("no text\n")
    said = a.sync("--exclude", "*.log", check=False).stdout
    assert "z.txt: both sides have a version of their own" in said, said
    assert f"bothy resolve {a.path}/z.txt --keep" in said, said
    assert "15 excluded by rules: a00.log, a01.log, a02.log and 12 more" in said, said
    assert "its name is not valid text" in said, said


def test_a_refusal_is_not_told_below_that_everything_is_in_step(met):
    a, _ = met
    for child in a.path.iterdir():
        if child.name != ".bothy":
            shutil.rmtree(child) if child.is_dir() else child.unlink()
    said = a.sync(check=False)
    assert said.code == 1 and "is synced" not in said.stdout, said
    assert "the folder is empty" in said.stderr.lower() and f"bothy sync {a.path} --dry-run" in said.stderr, said


def test_a_folder_that_was_renamed_is_told_with_where_it_was(met):
    a, _ = met
    (a.path / "docs").rename(a.path / "papers")
    assert "would have moved docs to papers on the server" in a.sync("--dry-run").stdout
    said = a.sync().stdout
    assert "moved docs to papers on the server" in said, said


def test_a_plan_that_no_longer_holds_says_what_is_different_in_a_sentence(met):
    a, _ = met
    a.write("n1", "1")
    plan = a.sync("--dry-run", "--json").json_lines()[-1]["plan"]
    a.write("n2", "2")
    said = a.sync("--plan", plan, check=False)
    assert said.code == 4 and "it would also have sent n2" in said.stderr, said


def test_what_a_guard_holds_is_told_once_while_it_is_watched(pair):
    a, b = pair
    a.write("kept.txt", "kept\n")
    for number in range(60):
        a.write(f"files/{number}", f"{number}\n")
    meet(a, b)
    process = a.watch()
    try:
        # All at once: who looks in the middle of it would see some of them, and then more.
        (a.path / "files").rename(a.device.home / f"thrown away{a.remote.replace('/', ' ')}")
        wait_until(lambda: "would be deleted on the server" in a.device.started_log(), what="the guard is told")
        for number in range(3):
            a.write(f"beside{number}", "b")
            wait_until(lambda: f"sent beside{number}" in a.device.started_log(), what="the rest goes on")
        assert a.device.started_log().count("would be deleted on the server") == 1, a.device.started_log()
        for number in range(3):
            (a.path / f"beside{number}").unlink()
        wait_until(lambda: a.device.started_log().count("would be deleted on the server") >= 2, what="more is told anew")
    finally:
        process.terminate()
        process.wait(60)


def test_a_watch_says_what_it_leaves_out_and_what_waits_once(met):
    a, _ = met
    a.write(".bothyignore", "*.log\n")
    a.write("a.log", "log\n")
    (a.path / "link").symlink_to("a.log")
    process = a.watch()
    try:
        wait_until(lambda: "1 excluded by rules: a.log (“bothy why FILE” shows which)" in a.device.started_log(), what="what is left out")
        wait_until(lambda: "link: it is a symbolic link" in a.device.started_log(), what="what cannot be synced")
        (a.path / os.fsdecode(b"bad\xff")).write_text("no text\n")
        wait_until(lambda: "its name is not valid text" in a.device.started_log(), what="what comes later")
        a.write("b.log", "log\n")
        a.write("beside", "b")
        wait_until(lambda: "sent beside" in a.device.started_log(), what="the rest goes on")
        said = a.device.started_log()
        assert said.count("link: ") == 1 and said.count("excluded by rules") == 1 and said.count("its name is not valid text") == 1, said
    finally:
        process.terminate()
        process.wait(60)


# What is left out


def test_files_are_left_out_by_size_and_type_and_nothing_is_deleted_by_it(met):
    a, b = met
    a.write("grows.txt", "small\n")
    b.write("grows there.txt", "small\n")
    meet(a, b)
    a.sync("--max-size", "1K", "--exclude-type", "ISO")
    a.write("disk.iso", "iso\n")
    a.write("large.bin", b"l" * 2000)
    a.write("grows.txt", b"g" * 2000)
    b.write("grows there.txt", b"g" * 2000)
    b.write("b.iso", "iso\n")
    b.sync()
    said = a.sync().stdout
    b.sync()
    assert "excluded by rules" in said and "trash" not in said, said
    assert "disk.iso" not in b.tree() and "large.bin" not in b.tree() and "b.iso" not in a.tree()
    assert b.read("grows.txt") == b"small\n" and a.read("grows there.txt") == b"small\n"
    assert [name for name in names(a) + names(b) if "(1)" in name] == []
    assert "--max-size" in a.why("large.bin")["cause"] and "--exclude-type" in a.why("disk.iso")["cause"]
    told = a.device.run("bindings").stdout
    assert "“*.iso”" in told and "files above 1 KiB" in told, told
    a.sync("--no-exclude")
    tree = meet(a, b)
    assert tree["grows.txt"] == tree["grows there.txt"] == b"g" * 2000, "the side that changed it has the new version"
    assert [name for name in tree if "(1)" in name] == []
    assert "disk.iso" in tree and "b.iso" in tree


# Dry runs


def test_a_dry_run_confirms_nothing(met):
    a, _ = met
    said = a.sync("--dry-run", "--confirm", check=False)
    assert said.code == 2 and "--dry-run changes nothing" in said.stderr, said


def test_a_dry_run_lists_what_a_guard_holds_and_the_plan_does_it_when_that_is_confirmed(pair):
    a, b = pair
    for number in range(60):
        a.write(f"files/{number}", f"{number}\n")
    meet(a, b)
    shutil.rmtree(a.path / "files")
    said = a.sync("--dry-run").stdout
    assert "held back: would have put files and 60 more in it into the server's trash" in said, said
    assert "There is nothing to do" not in said, said
    lines = a.sync("--dry-run", "--json").json_lines()
    assert lines[-1]["held"] and any(line.get("held") and line["path"] == "files" for line in lines)
    plan = lines[-1]["plan"]
    refused = a.sync("--plan", plan, check=False)
    assert refused.code == 1 and "--confirm" in refused.stderr, refused
    a.sync("--plan", plan, "--confirm")
    b.sync("--confirm")
    assert a.tree() == b.tree() == {}


def test_a_first_link_does_what_its_dry_run_told(desks, pair):
    a, b = pair
    b.write("same.txt", "theirs\n")
    b.write("there.txt", "there\n")
    b.sync()
    a.write("same.txt", "mine\n")
    a.write("here.txt", "here\n")
    a.device.run("conflicts", "policy", "ask")
    try:
        said = a.sync("--dry-run").stdout
        assert "same.txt: both sides have a version of their own" in said and "set same.txt aside" not in said, said
        plan = a.sync("--dry-run", "--json").json_lines()[-1]["plan"]
        a.write("later.txt", "later\n")
        changed = a.sync("--plan", plan, check=False)
        assert changed.code == 4 and "it would also have sent later.txt" in changed.stderr, changed
        assert a.device.run("bindings").stdout.count(str(a.path)) == 0, "nothing is tied by it"
        (a.path / "later.txt").unlink()
        a.sync("--plan", plan)
        assert a.read("same.txt") == b"mine\n" and a.read("there.txt") == b"there\n"
        b.sync()
        assert b.read("here.txt") == b"here\n" and b.read("same.txt") == b"theirs\n"
    finally:
        a.device.run("conflicts", "policy", "inherit")


def printed(said):
    """The command that a dry run ends with, as a person types it after “bothy”."""
    return shlex.split(said.stdout.rpartition("“bothy ")[2].partition("”")[0])


def test_a_dry_run_with_rules_is_carried_out_as_it_was_printed_and_they_hold_from_then_on(met):
    a, b = met
    a.write("zuild/x", "1\n")
    a.write("six", "6\n")
    said = a.sync("--dry-run", "--exclude", "zuild/")
    assert "would be synced with “zuild/” excluded from then on" in said.stdout, said
    assert "zuild" not in a.device.run("bindings").stdout, "a dry run changes nothing"
    a.write("seven", "7\n")
    changed = a.device.run(*printed(said), check=False)
    assert changed.code == 4 and "it would also have sent seven" in changed.stderr, changed
    assert "zuild" not in a.device.run("bindings").stdout, "nor does a plan that no longer holds"
    (a.path / "seven").unlink()
    done = a.device.run(*printed(said))
    assert "now synced with “zuild/” excluded" in done.stderr, done
    a.sync()
    b.sync()
    assert "six" in names(b) and "zuild" not in names(b)


@pytest.mark.parametrize("by", ["what it printed", "its id"])
def test_a_first_dry_run_with_rules_leaves_out_the_same_when_the_two_are_tied(pair, by):
    a, b = pair
    a.write("it's old/x", "1\n")
    a.write("-y", "1\n")
    a.write("six", "6\n")
    rules = ("--policy", "documents", "--exclude", "it's old/", "--exclude=-y", "--exclude-type", "iso", "--max-size", "1M")
    if by == "its id":
        plan = a.sync("--dry-run", "--json", *rules).json_lines()[-1]["plan"]
        a.sync("--plan", plan)
    else:
        a.device.run(*printed(a.sync("--dry-run", *rules)), "--once")
    told = next(line for line in a.device.json_lines("bindings") if line["local"] == str(a.path))
    assert told["policy"] == "documents", told
    b.sync()
    assert names(b) == ["six"]
    listed = a.device.run("bindings").stdout
    assert "“*.iso”" in listed and "files above 1" in listed, listed


# What is refused


def test_what_is_refused_leaves_nothing_on_the_server(met, outside):
    a, _ = met
    said = a.device.run("sync", a.path / "docs", "/left/behind", "--once", check=False)
    assert said.code == 1 and "is inside" in said.stderr, said
    assert outside.by_path("/left").status_code == 404


def test_the_root_of_the_disk_is_refused_by_what_it_is(met):
    said = met[0].device.run("sync", "/", "--once", check=False)
    assert said.code == 1 and "too broad to sync" in said.stderr, said


def test_a_folder_that_is_typed_through_a_link_is_the_folder(met):
    a, _ = met
    link = a.path.parent / "shortcut"
    link.symlink_to(a.path)
    try:
        assert a.device.run("sync", link, "--once").code == 0
        assert a.device.json("why", link / "report.txt")["status"] == "synced"
    finally:
        link.unlink()


def test_a_number_that_cannot_be_is_told_with_why(met):
    a, _ = met
    slow = a.device.run("config", "limit-rate", "1K", check=False)
    assert slow.code == 2 and "too slow" in slow.stderr and "4.0 KiB" in slow.stderr, slow
    steps = a.device.run("simulate", "--steps", "-5", check=False)
    assert steps.code == 2 and "steps" in steps.stderr and "Missing value" not in steps.stderr, steps


# Conflicts


def test_a_merge_that_cannot_be_is_told_so_and_decides_nothing(met):
    a, b = met
    a.write("z.txt", "base\n")
    meet(a, b)
    conflict(a, b)
    a.sync(check=False)
    for _ in range(2):
        said = a.device.run("resolve", a.path / "z.txt", "--keep", "merge", check=False)
        assert said.code == 4 and "cannot be merged" in said.stderr and "merged both" not in said.stdout, said
        assert a.read("z.txt") == b"mine\n" and a.why("z.txt")["status"] == "conflict"
        assert [name for name in names(a) if "conflict" in name] == []
    assert "merged both versions" not in a.device.run("log", a.path).stdout
    assert str(a.path) not in a.device.run("conflicts", "decided").stdout, "what came to nothing is no decision"
    a.device.run("resolve", a.path / "z.txt", "--keep", "mine")
    assert meet(a, b)["z.txt"] == b"mine\n"


@pytest.mark.parametrize("keep, here", [("both", LINES.replace("five", "FIVE")), ("mine", LINES.replace("one", "ONE")), ("theirs", LINES.replace("five", "FIVE")),
                                        ("merge", LINES.replace("one", "ONE").replace("five", "FIVE"))])
def test_a_decision_that_is_taken_back_asks_again_and_overwrites_nothing(met, keep, here):
    a, b = met
    a.write("z.txt", LINES)
    meet(a, b)
    mine, theirs = LINES.replace("one", "ONE"), LINES.replace("five", "FIVE")
    conflict(a, b, mine=mine, theirs=theirs)
    a.sync(check=False)
    a.device.run("resolve", a.path / "z.txt", "--keep", keep)
    assert a.read("z.txt").decode() == here
    a.device.run("undo", "--yes")
    a.sync(check=False)
    assert a.read("z.txt").decode() == mine and a.why("z.txt")["status"] == "conflict"
    b.sync()
    assert b.read("z.txt").decode() == theirs
    a.device.run("resolve", a.path / "z.txt", "--keep", "merge")
    assert meet(a, b)["z.txt"].decode() == LINES.replace("one", "ONE").replace("five", "FIVE")


@pytest.mark.parametrize("policy", ["fork", "merge", "last-write"])
def test_what_a_policy_decided_and_was_taken_back_asks_and_overwrites_nothing(met, policy):
    """The other version was put in the place of the one here."""
    a, b = met
    a.write("z.txt", LINES)
    meet(a, b)
    mine, theirs = LINES.replace("one", "ONE"), LINES.replace("five", "FIVE")
    b.write("z.txt", theirs)
    b.sync()
    a.write("z.txt", mine)
    a.sync("--conflicts", policy)
    said = a.device.run("undo", "--yes")
    assert "“bothy conflicts” lists it" in said.stderr, said
    for _ in range(2):
        a.sync(check=False)
        assert a.read("z.txt").decode() == mine and a.why("z.txt")["status"] == "conflict"
        b.sync()
        assert b.read("z.txt").decode() == theirs
    a.device.run("resolve", a.path / "z.txt", "--keep", "theirs")
    assert meet(a, b)["z.txt"].decode() == theirs
    b.write("z.txt", LINES.replace("two", "TWO"))
    b.sync()
    a.write("z.txt", LINES.replace("four", "FOUR"))
    a.sync()
    assert a.why("z.txt")["status"] == "synced", "the policy holds for what comes after"


@pytest.mark.parametrize("keep", ["both", "mine", "theirs"])
def test_a_decision_about_two_new_files_that_is_taken_back_asks_again_and_overwrites_nothing(met, keep):
    a, b = met
    a.sync("--conflicts", "ask")
    b.write("new.txt", "theirs\n")
    b.sync()
    a.write("new.txt", "mine\n")
    a.sync(check=False)
    a.device.run("resolve", a.path / "new.txt", "--keep", keep)
    a.device.run("undo", "--yes")
    for _ in range(2):
        a.sync(check=False)
        assert a.read("new.txt") == b"mine\n" and a.why("new.txt")["status"] == "conflict"
        b.sync()
        assert b.read("new.txt") == b"theirs\n"
    a.device.run("resolve", a.path / "new.txt", "--keep", "both")
    assert sorted(content for name, content in meet(a, b).items() if name.startswith("new")) == [b"mine\n", b"theirs\n"]


def test_a_policy_that_is_set_for_one_file_holds_in_a_folder_in_step(met):
    a, b = met
    a.write("text.md", LINES)
    a.write("z.txt", "base\n")
    meet(a, b)
    conflict(a, b)
    a.write("text.md", LINES.replace("one", "ONE"))
    b.write("text.md", LINES.replace("five", "FIVE"))
    b.sync()
    a.device.run("conflicts", "policy", "merge", f"{a.remote}/text.md")
    a.sync(check=False)
    assert a.read("text.md").decode() == LINES.replace("one", "ONE").replace("five", "FIVE")
    assert a.why("z.txt")["status"] == "conflict", "the folder's own holds for the rest"


# What stays here unsynced


def test_what_was_deleted_elsewhere_goes_or_comes_back_as_its_person_decides(met):
    a, b = met
    b.sync("--policy", "documents")
    a.write("other.txt", "other\n")
    meet(a, b)
    (a.path / "report.txt").unlink()
    (a.path / "other.txt").unlink()
    a.sync()
    b.sync(check=False)
    why = b.why("report.txt")
    assert why["status"] == "unsynced" and f"bothy resolve {b.path}/report.txt --delete" in why["remedy"], why
    assert "2 files stay here unsynced" in b.device.run("bindings").stdout
    refused = b.device.run("resolve", b.path / "report.txt", "--keep", "mine", check=False)
    assert refused.code == 4 and "--delete" in refused.stderr and "--send" in refused.stderr, refused
    b.device.run("resolve", b.path / "report.txt", "--delete")
    b.device.run("resolve", b.path / "other.txt", "--send")
    assert "report.txt" not in b.tree() and any(line["path"] == "report.txt" for line in b.trash())
    assert meet(a, b)["other.txt"] == b"other\n"
    refused = b.device.run("resolve", b.path / "other.txt", "--delete", check=False)
    assert refused.code == 4 and "is not an unsynced file" in refused.stderr, refused


def test_what_was_taken_back_is_not_told_at_every_pass(met):
    a, _ = met
    a.write("n1", "1")
    a.sync()
    a.device.run("undo", "--yes")
    said = a.sync().stdout
    assert "n1" not in said and "Everything else is synced: 1 file stays only here" in said, said
    assert "undid" in a.why("n1")["cause"]


# Undoing a first link


def test_tying_is_taken_back_and_nothing_is_deleted_anywhere_by_it(met):
    a, _ = met
    other = SyncedFolder(a.device, f"other {a.remote[1:]}", a.remote)
    other.write("own.txt", "own\n")
    try:
        other.sync()
        before = a.tree()
        said = a.device.run("undo", "--yes")
        assert "linked" in said.text and "bothy unsync" in said.text, said
        assert names(other) == ["own.txt"], "as it was before"
        held = other.sync(check=False)
        assert held.code == 1 and "You undid the linking of the two folders" in held.stderr, held
        assert other.why("own.txt")["cause"] == "you undid the linking of the two folders"
        a.sync()
        assert a.tree() == {name: content for name, content in before.items() if name != "own.txt"}
        other.sync("--confirm")
        assert {"report.txt", "docs/plan.md", "own.txt"} <= set(other.tree())
    finally:
        a.device.run("unsync", other.path, "--yes", check=False)
        shutil.rmtree(other.path, ignore_errors=True)


def test_an_undoing_of_tying_is_itself_taken_back(met):
    a, _ = met
    other = SyncedFolder(a.device, f"again {a.remote[1:]}", a.remote)
    try:
        other.sync()
        tree = other.tree()
        undone = a.device.json_lines("undo", other.last_pass())[-1]["pass"]
        assert other.tree() == {}
        a.device.run("undo", str(undone))
        assert other.tree() == tree
        other.sync()
        a.sync()
        assert other.tree() == tree == a.tree()
    finally:
        a.device.run("unsync", other.path, "--yes", check=False)
        shutil.rmtree(other.path, ignore_errors=True)


# How it stands


def line_of(folder):
    return next(line for line in folder.device.json("status")["lines"] if line.get("subject") == str(folder.path))


def test_what_waits_in_a_folder_is_on_the_page_with_an_agent_and_without(met):
    a, b = met
    a.write("z.txt", "base\n")
    meet(a, b)
    conflict(a, b)
    a.sync(check=False)
    line = line_of(a)
    assert line["state"] == "held" and line["reason"] == "conflict" and "1 file is in conflict" in line["words"], line
    assert "1 file is in conflict" in a.device.run("bindings").stdout
    a.device.run("agent", "--background")
    try:
        wait_until(lambda: line_of(a).get("reason") == "conflict", what="the agent tells it too")
        assert "bothy resolve" in line_of(a)["remedy"]
    finally:
        a.device.run("agent", "--stop")


def test_what_a_guard_holds_is_on_the_page_without_an_agent(pair):
    a, b = pair
    a.write("kept.txt", "kept\n")
    for number in range(60):
        a.write(f"files/{number}", f"{number}\n")
    meet(a, b)
    shutil.rmtree(a.path / "files")
    a.sync(check=False)
    line = line_of(a)
    assert line["reason"] == "guard" and "would be deleted on the server" in line["words"], line
    assert "would be deleted on the server" in a.device.run("bindings").stdout
    why = a.device.json("why", a.path)
    assert why["status"] == "pending" and "would be deleted on the server" in why["cause"], why


def test_the_words_of_a_failed_pass_go_with_the_next_that_comes_through(desks, met):
    a, _ = met

    def bound():
        return next(line for line in a.device.json_lines("bindings") if line["local"] == str(a.path))

    a.device.run("agent", "--background")
    try:
        wait_until(lambda: line_of(a)["state"] == "idle", what="it is kept")
        desks.proxy.go_down()
        a.write("new.txt", "new\n")
        wait_until(lambda: "error" in bound(), what="the pass is told as failed")
        assert "the last pass failed" in a.device.run("bindings").stdout
        a.device.run("why", a.path / "new.txt", check=False)
        desks.proxy.come_back()
        wait_until(lambda: "error" not in bound(), what="its words go")
        assert a.why("new.txt")["status"] == "synced" and "error" not in bound()
    finally:
        desks.proxy.come_back()
        a.device.run("agent", "--stop")


def test_a_folder_with_a_conflict_in_it_says_so(met):
    a, b = met
    a.write("docs/z.txt", "base\n")
    meet(a, b)
    conflict(a, b, "docs/z.txt")
    a.sync(check=False)
    for folder in (a.path, a.path / "docs"):
        why = a.device.json("why", folder)
        assert why["status"] == "conflict" and "docs/z.txt" in why["cause"], why
        assert f"bothy resolve {a.path}/docs/z.txt" in why["remedy"], why


def test_a_folder_that_is_made_anew_on_its_disk_is_another_and_on_no_other_disk(met):
    a, _ = met
    tree = a.tree()
    shutil.rmtree(a.path)
    a.path.mkdir()
    said = a.sync(check=False)
    assert said.code == 1 and "another folder is in its place" in said.stderr.lower(), said
    a.sync("--confirm")
    assert a.tree() == tree


def test_a_watched_folder_that_is_deleted_is_told_as_gone(met):
    a, _ = met
    tree = a.tree()
    a.device.run("agent", "--background")
    try:
        wait_until(lambda: line_of(a)["state"] == "idle", what="it is kept")
        shutil.rmtree(a.path)
        wait_until(lambda: "the folder does not exist" in line_of(a)["words"].lower(), what="it is told as gone")
        remedy = line_of(a)["remedy"]
        assert "unsync" in remedy and f"“bothy sync NEW {a.remote} --confirm”" in remedy, remedy
        assert f"{a.path} --confirm" not in remedy, "there is nothing to be confirmed where it was"
        assert a.device.json("why", a.path)["cause"] == "the folder does not exist"
    finally:
        a.device.run("agent", "--stop")
    assert tree


def test_a_folder_that_was_moved_on_the_server_is_known_by_where_it_is(met, outside):
    a, _ = met
    new = f"{a.remote} moved"
    outside.patch(outside.by_path(a.remote).json()["id"], name=new[1:])
    a.device.run("sync", a.path, new, "--once")
    assert a.device.run("bindings", "--json").json_lines()[-1]["remote"] == new
    b = met[1]
    b.device.run("sync", b.path, new, "--once")


def test_a_first_look_ends_when_it_is_told_to(pair):
    a, _ = pair
    a.path.mkdir(parents=True)
    with open(a.path / "large", "wb") as file:
        file.truncate(40 << 30)
    process = a.start("--once")
    wait_until(lambda: process.poll() is not None or reads(process, a.path / "large"), what="its looking at the file")
    process.send_signal(signal.SIGINT)
    # To look at all of it would take minutes.
    assert process.wait(20) == 130


def reads(process, path):
    """It has the file open."""
    with contextlib.suppress(OSError):
        return any(os.path.realpath(place) == os.path.realpath(path) for place in Path(f"/proc/{process.pid}/fd").iterdir())


# What is on the server alone


def test_why_tells_of_what_is_known_to_the_journal_alone(new_device, proxy, shared_server):
    device = new_device("laptop").register(proxy.url, f"{new_id()}@example.org")
    device.run("ls")
    (device.home / "x").write_text("x")
    proxy.go_down()
    device.run("put", "x", "/")
    why = device.json("why", "/x")
    assert why["status"] == "pending" and why["waiting"][0]["path"] == "/x", why
    said = device.run("why", "/x").stdout
    assert "upload /x: waiting to be sent" in said, said
    assert "“bothy journal” shows it" in device.run("ls").stderr
    device.run("mkdir", "/trip"), device.run("mv", "/x", "/trip/y")
    journal = device.run("journal").stdout
    assert "upload /x" in journal and "move /x to /trip/y" in journal, journal
    proxy.come_back()
    device.run("journal", "retry", check=False)
    why = device.json("why", "/trip/y")
    assert why["status"] == "synced" and why["onTheServer"]["size"] == 1, why
    nowhere = device.json("why", "/nowhere/at/all")
    assert nowhere["status"] == "outside" and "check the name" in nowhere["remedy"], nowhere


def test_a_device_that_was_signed_out_is_told_so_and_why_still_tells(new_device, shared_server):
    email = f"{new_id()}@example.org"
    a = SyncedFolder(new_device("laptop").register(shared_server.url, email))
    other = new_device("desktop").login(shared_server.url, email)
    a.write("report.txt", "first\n")
    a.sync()
    a.write("report.txt", "second\n")
    device = next(line for line in other.run("devices", "--json").json_lines() if line["name"] == "laptop")
    other.run("devices", "sign-out", device["id"])
    server = next(line for line in a.device.json("status")["lines"] if line["part"] == "server")
    assert server["reason"] == "sign_in_needed" and "answers in" not in server["words"], server
    why = a.device.json("why", a.path / "report.txt")
    assert why["status"] == "pending" and "bothy login" in why["remedy"], why
    said = a.sync(check=False)
    assert said.code == 3 and said.stderr.lower().count("sign in") == 1, said


# Paths on the server, and what is told of choices


def test_a_path_on_the_server_that_is_in_step_here_is_told_as_what_it_is_here(met):
    a, _ = met
    why = a.device.json("why", f"{a.remote}/report.txt")
    assert (why["status"], why["path"], why["folder"]) == ("synced", "report.txt", str(a.path))
    a.device.run("mv", f"{a.remote}/report.txt", f"{a.remote}/moved.txt")
    a.sync()
    assert "moved report.txt to moved.txt" in a.device.run("log", f"{a.remote}/moved.txt").stdout
    assert a.device.run("log", a.remote).stdout == a.device.run("log", a.path).stdout != ""


def test_what_a_rule_leaves_out_is_there_all_the_same(met):
    a, _ = met
    a.write("build.log", "l")
    a.sync("--exclude", "*.log")
    said = a.device.run("why", a.path / "build.log").stdout
    assert "build.log: excluded" in said and "there, but not read" in said, said
    assert "nothing" in a.device.run("why", a.path / "gone.log", check=False).stdout


def test_a_choice_that_is_changed_is_told(met):
    a, _ = met
    said = a.sync("--policy", "documents", "--conflicts", "ask").stderr
    assert "--policy documents, --conflicts ask" in said, said
    listed = a.device.run("bindings").stdout
    assert "documents" in listed and "ask" in listed
    assert "is now synced" not in a.sync("--policy", "documents").stderr


def test_who_takes_back_one_pass_of_an_act_is_told_of_the_others(met):
    a, _ = met
    for name in ("one", "two"):
        a.write(name, name)
        a.sync()
    passes = sorted({line["pass"] for line in a.device.run("log", "--json").json_lines() if line.get("pass")})
    said = a.device.run("undo", "--yes")
    assert f"1 more was done just before, in pass {passes[-2]}: “bothy undo {passes[-2]}”" in said.stderr, said


def test_what_was_done_just_before_and_is_another_act_is_not_named(met):
    a, _ = met
    a.write("one", "one")
    a.sync()
    (a.path / "report.txt").unlink()
    a.sync()
    assert "just before" not in a.device.run("undo", "--yes").stderr


def test_an_undoing_of_much_is_summed_up(met):
    """It told of each of a thousand files in a line of its own."""
    a, _ = met
    for number in range(30):
        a.write(f"n{number:02}", f"{number}")
    a.sync()
    for number in range(30):
        (a.path / f"n{number:02}").unlink()
    a.sync("--confirm")
    lines = a.device.run("undo", "--yes").stdout.splitlines()
    assert len(lines) == 12 and sum(" n" in line for line in lines[:10]) == 10, lines
    assert lines[10] == "… and 20 more; “bothy log” lists all" and "is undone" in lines[11], lines
    assert sum(" n" in line for line in a.device.run("log", "-n", "1", a.path).stdout.splitlines()) == 30
    # Whoever reads along has all of it.
    assert len([e for e in a.device.run("undo", "--yes", "--json").json_lines() if "event" in e]) == 30


def test_what_cannot_be_taken_back_is_said_to_stay(met):
    a, b = met
    b.write("report.txt", "second\n")
    b.sync()
    a.sync()
    a.write("report.txt", "third\n")
    said = a.device.run("undo", a.last_pass(), check=False)
    assert said.code != 0 and "is left unchanged" in said.text and "Nothing of pass" in said.text, said
    assert a.read("report.txt") == b"third\n"


def test_the_trash_of_this_machine_is_emptied_by_a_command(met):
    a, b = met
    (b.path / "report.txt").unlink()
    b.sync()
    a.sync()
    assert len(a.trash()) == 1
    assert a.device.run("trash", "empty", "--local", check=False).code != 0, "it asks first"
    assert "deleted for good" in a.device.run("trash", "empty", "--local", "--yes").stdout
    assert a.trash() == [] and not list((a.path / ".bothy" / "trash").glob("*"))
    assert "already empty" in a.device.run("trash", "empty", "--local").stdout


def test_what_was_decided_in_a_folder_says_how_it_is_taken_back(met):
    a, b = met
    a.sync("--conflicts", "ask")
    b.write("report.txt", "theirs\n")
    b.sync()
    a.write("report.txt", "mine\n")
    a.sync(check=False)
    assert "bothy resolve FILE" in a.device.run("conflicts").stderr
    a.device.run("resolve", a.path / "report.txt", "--keep", "mine")
    said = a.device.run("conflicts", "decided")
    [decided] = a.device.json_lines("conflicts", "decided")
    number = decided["number"]
    assert number in said.stdout.split() and str(a.path / "report.txt") in said.stdout, said
    assert "bothy resolve --undo NUMBER" in said.stderr, said
    a.device.run("undo", number.split(".")[0])
    assert a.read("report.txt") == b"mine\n"
    assert a.device.run("conflicts", "decided").stdout == ""


def decided(folder):
    return {line.get("from") or line["path"]: line["number"] for line in folder.device.json_lines("conflicts", "decided")}


def test_one_of_several_conflicts_that_a_pass_decided_is_taken_back_alone(met):
    """What “conflicts decided” listed, “resolve --undo” did not take, and “undo” took back all of the pass."""
    a, b = met
    names = ["one.txt", "two.txt", "three.txt"]
    for name in names:
        a.write(name, "base\n")
    meet(a, b)
    for name in names:
        b.write(name, "theirs\n")
        a.write(name, "mine\n")
    b.sync()
    a.write("more.txt", "more\n")
    a.sync("--conflicts", "fork")
    meet(a, b)
    numbers = decided(a)
    assert set(numbers) == set(names) and len({number.split(".")[0] for number in numbers.values()}) == 1, numbers

    said = a.device.run("resolve", "--undo", numbers["two.txt"])
    assert "two.txt: the decision is undone, and the conflict is open again" in said.stderr, said
    assert a.read("two.txt") == b"mine\n" and a.why("two.txt")["status"] == "conflict"
    assert [name for name in a.tree() if name.startswith("two")] == ["two.txt"]
    for name in ("one.txt", "three.txt"):
        assert a.read(name) == b"theirs\n" and a.why(name)["status"] == "synced"
        assert len([other for other in a.tree() if other.startswith(name[:-4])]) == 2
    a.sync(check=False)
    b.sync()
    assert b.read("two.txt") == b"theirs\n" and b.read("more.txt") == b"more\n"
    assert decided(a) == {name: numbers[name] for name in ("one.txt", "three.txt")}
    again = a.device.run("resolve", "--undo", numbers["two.txt"], check=False)
    assert again.code == 4 and "is already undone" in again.stderr, again
    assert "undoing one conflict of pass" in a.device.run("log", "--number", "60").stdout

    # The one that was decided anew since stands, whatever of its pass is taken back then.
    a.device.run("resolve", a.path / "two.txt", "--keep", "mine")
    a.device.run("undo", numbers["one.txt"].split(".")[0])
    assert a.read("two.txt") == b"mine\n" and a.why("two.txt")["status"] == "synced"
    for name in ("one.txt", "three.txt"):
        assert a.read(name) == b"mine\n" and a.why(name)["status"] == "conflict"
    assert set(decided(a)) == {"two.txt"}


def test_a_conflict_whose_file_has_changed_since_is_not_taken_back(met):
    a, b = met
    b.write("report.txt", "theirs\n")
    b.sync()
    a.write("report.txt", "mine\n")
    a.sync("--conflicts", "last-write")
    [number] = decided(a).values()
    b.sync()
    b.write("report.txt", "later\n")
    b.sync()
    said = a.device.run("resolve", "--undo", number, check=False)
    assert said.code == 5 and "report.txt is left unchanged" in said.stderr, said
    assert meet(a, b)["report.txt"] == b"later\n" and list(decided(a).values()) == [number]
    unknown = a.device.run("resolve", "--undo", f"{number}9", check=False)
    assert unknown.code == 4 and "There is no decision" in unknown.stderr, unknown


RENAMED = {"its file here": ("d/c.txt", "d/e.txt", "d/e.txt"), "its folder here": ("d", "e", "e/c.txt"), "its folder here, by its old path": ("d", "e", "d/c.txt")}
MERGED = LINES.replace("one", "ONE").replace("five", "FIVE")


@pytest.mark.parametrize("renamed", [*RENAMED, "its file elsewhere", "its folder elsewhere"])
@pytest.mark.parametrize("keep", ["both", "mine", "theirs", "merge"])
def test_a_decision_about_what_was_renamed_since_is_carried_out(met, keep, renamed):
    """The place was of one moment, and the file at another the next: nothing was decided, with status 0."""
    a, b = met
    a.write("d/c.txt", LINES)
    meet(a, b)
    mine, theirs = LINES.replace("one", "ONE"), LINES.replace("five", "FIVE")
    conflict(a, b, "d/c.txt", mine=mine, theirs=theirs)
    a.sync(check=False)
    if renamed in RENAMED:
        before, after, asked = RENAMED[renamed]
        os.rename(a.path / before, a.path / after)
    else:
        before, after, asked = ("d", "e", "d/c.txt") if "folder" in renamed else ("d/c.txt", "d/e.txt", "d/c.txt")
        os.rename(b.path / before, b.path / after)
        b.sync()
    why = a.why(asked)
    assert why["status"] == "conflict" and "both sides have a version of their own" in why["cause"], why
    a.device.run("resolve", a.path / asked, "--keep", keep)
    now = "d/e.txt" if after == "d/e.txt" else "e/c.txt"
    found = meet(a, b)
    assert found[now].decode() == {"mine": mine, "theirs": theirs, "both": theirs, "merge": MERGED}[keep], found
    copies = [content for name, content in found.items() if "conflict" in name]
    assert copies == ([mine.encode()] if keep == "both" else [])


def test_who_decides_about_a_folder_is_told_what_waits_in_it(met):
    """It was taken for a decision, and nothing was decided, with status 0."""
    a, b = met
    a.write("d/c.txt", "base\n")
    meet(a, b)
    conflict(a, b, "d/c.txt")
    a.sync(check=False)
    said = a.device.run("resolve", a.path / "d", "--keep", "mine", check=False)
    assert said.code == 4 and "d/c.txt" in said.stderr and f"bothy resolve {a.path}/d/c.txt --keep" in said.stderr, said
    a.device.run("resolve", a.path / "d/c.txt", "--keep", "mine")
    assert meet(a, b)["d/c.txt"] == b"mine\n"
