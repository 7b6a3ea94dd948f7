"""What a person is told of a folder in step: why, what was done, and what taking it back does."""

import pytest

from api import new_id
from synced import SyncedFolder, meet


@pytest.fixture
def met(new_device, shared_server):
    email = f"{new_id()}@example.org"
    a = SyncedFolder(new_device("laptop").register(shared_server.url, email))
    b = SyncedFolder(new_device("desktop").login(shared_server.url, email))
    a.write("docs/plan.md", "plan\n")
    a.write("report.txt", "first\n")
    a.write("other.txt", "other\n")
    meet(a, b)
    return a, b


def test_taking_back_a_conflicts_copy_leaves_one_file_and_asks(met):
    a, b = met
    a.write("report.txt", "by a\n")
    a.sync()
    b.write("report.txt", "by b\n")
    b.sync()
    assert len([name for name in b.tree() if name.startswith("report")]) == 2
    said = b.device.run("undo", "--yes").stdout
    assert "restored the earlier version of report.txt" in said and "server's trash" in said, said
    assert {name: content for name, content in b.tree().items() if name.startswith("report")} == {"report.txt": b"by b\n"}
    assert b.why("report.txt")["status"] == "conflict"
    b.sync(check=False)
    a.sync()
    assert not any("conflict" in name for name in a.tree()) and a.read("report.txt") == b"by a\n"
    # It is one file still, under whatever name.
    (b.path / "report.txt").rename(b.path / "renamed.txt")
    b.sync(check=False)
    a.sync()
    assert a.read("renamed.txt") == b"by a\n" and b.read("renamed.txt") == b"by b\n"
    b.device.run("resolve", b.path / "renamed.txt", "--keep", "mine")
    assert meet(a, b)["renamed.txt"] == b"by b\n"
    assert not any("report" in name for name in b.tree())
    assert any(line["path"] == "report.txt" for line in b.trash())


def test_an_undoing_is_told_for_what_it_did_and_is_itself_taken_back(met):
    a, b = met
    b.write("report.txt", "by b\n")
    b.sync()
    (a.path / "other.txt").unlink()
    a.sync()
    undone = a.device.run("undo", "--yes", "--json").json_lines()[-1]["pass"]
    assert a.read("report.txt") == b"first\n"
    told = a.device.run("log", a.path).stdout.split("Pass ")[-1]
    assert "undoing pass" in told and "took other.txt out of the server's trash: you undid it" in told, told
    assert "deleted here" not in told, told
    assert told.startswith(f"{undone} of {a.path}, "), told
    said = a.device.run("undo", str(undone)).stdout
    assert f"Pass {undone} of “{a.path}” is undone. The next pass syncs this to the other side." in said, said
    assert a.read("report.txt") == b"by b\n"
    tree = meet(a, b)
    assert tree["report.txt"] == b"by b\n" and "other.txt" not in tree


@pytest.mark.parametrize("taken", ["plans", "trips"])
def test_names_that_were_swapped_are_taken_back_though_one_of_them_went_to_another_since(met, taken):
    """A folder was left under the name that it had for the moment between two moves."""
    a, b = met
    a.write("plans/1.txt", "plans\n")
    a.write("trips/1.txt", "trips\n")
    meet(a, b)
    for name, new in ("plans", "hand"), ("trips", "plans"), ("hand", "trips"):
        (a.path / name).rename(a.path / new)
    swapped = a.sync("--json").json_lines()[-1]["pass"]
    meet(a, b)
    (b.path / taken).rename(b.path / "elsewhere")
    b.write(f"{taken}/1.txt", "new\n")
    meet(a, b)
    a.device.run("undo", str(swapped), check=False)
    tree = meet(a, b)
    assert not any(path.startswith(".bothy") for path in tree), sorted(tree)
    assert {b"plans\n", b"trips\n", b"new\n"} <= set(tree.values())


def test_what_was_sent_and_is_taken_back_stays_here_and_nothing_is_carried(met):
    a, _ = met
    a.write("new.txt", "new\n")
    a.sync()
    said = a.device.run("undo", "--yes").stdout
    assert "new.txt" in said and "is undone." in said and "next pass" not in said, said
    assert a.read("new.txt") == b"new\n"


def test_a_conflict_that_was_decided_anew_since_is_left_by_the_undoing_of_an_undoing(met):
    a, b = met
    a.write("report.txt", "by a\n")
    b.write("report.txt", "by b\n")
    b.sync()
    a.sync("--conflicts", "ask")
    a.device.run("resolve", a.path / "report.txt", "--keep", "both")
    undone = a.device.run("undo", "--yes", "--json").json_lines()[-1]["pass"]
    a.device.run("resolve", a.path / "report.txt", "--keep", "mine")
    tree = meet(a, b)
    said = a.device.run("undo", str(undone), check=False)
    assert said.code != 0 and f"Nothing of pass {undone}" in said.stdout and "left unchanged" in said.stderr, said
    assert meet(a, b) == tree


def test_a_folder_that_was_deleted_elsewhere_comes_back_with_what_was_edited_there_and_no_conflict(met):
    a, b = met
    a.write("trip/plan.txt", "first\n")
    a.write("trip/list.txt", "list\n")
    meet(a, b)
    a.write("trip/plan.txt", "by a\n")
    a.sync()
    a.device.run("rm", "/box/trip")
    b.sync()
    assert not any(name.startswith("trip") for name in b.tree())
    b.device.run("undo", b.last_pass())
    assert b.read("trip/plan.txt") == b"first\n"
    tree = {name: content for name, content in meet(a, b).items() if name.startswith("trip")}
    assert tree == {"trip": None, "trip/plan.txt": b"by a\n", "trip/list.txt": b"list\n"}


def test_an_undoing_of_an_undoing_is_taken_back_as_the_first_was(met):
    a, b = met
    a.write("trip/plan.txt", "first\n")
    a.write("trip/list.txt", "list\n")
    meet(a, b)
    a.write("trip/plan.txt", "by a\n")
    a.sync()
    a.device.run("rm", "/box/trip")
    b.sync()
    once = b.device.run("undo", b.last_pass(), "--json").json_lines()[-1]["pass"]
    assert b.read("trip/plan.txt") == b"first\n"
    twice = b.device.run("undo", str(once), "--json").json_lines()[-1]["pass"]
    assert not any(name.startswith("trip") for name in b.tree())
    b.sync()
    b.device.run("undo", str(twice))
    assert b.read("trip/plan.txt") == b"first\n"
    tree = {name: content for name, content in meet(a, b).items() if name.startswith("trip")}
    assert tree == {"trip": None, "trip/plan.txt": b"by a\n", "trip/list.txt": b"list\n"}, "and no conflict"


def test_what_others_edited_since_is_not_taken_back(met):
    a, b = met
    a.write("report.txt", "by a\n")
    a.sync()
    meet(a, b)
    b.write("report.txt", "by b\n")
    b.sync()
    said = a.device.run("undo", "--yes", check=False)
    assert said.code != 0 and "could not be undone" in said.text and "changed" in said.text, said
    assert meet(a, b)["report.txt"] == b"by b\n"


def test_what_is_gone_or_elsewhere_is_not_ignored_and_its_log_goes_along(met):
    a, b = met
    (b.path / "docs").rename(b.path / "papers")
    meet(a, b)
    told = a.device.run("log", a.path / "papers/plan.md").stdout
    assert "sent docs/plan.md" in told and "moved docs to papers" in told, told
    assert "papers/plan.md" in a.why("docs/plan.md")["cause"]
    (a.path / "report.txt").unlink()
    (a.path / "papers/plan.md").unlink()
    (a.path / "papers").rmdir()
    meet(a, b)
    here, there = a.why("report.txt"), b.why("papers/plan.md")
    assert here["status"] == "gone" and "gone from both sides: it was deleted here" in here["cause"], here
    assert there["status"] == "gone" and "it was deleted elsewhere" in there["cause"], there
    assert "trash" in there["remedy"]
    never = b.why("never.txt")
    assert never["status"] == "unknown" and "nothing of that name" in never["cause"], never
    own = b.why(".bothy/trash")
    assert own["status"] == "ignored" and "Bothy" in own["cause"], own


def test_what_was_renamed_is_told_where_it_is_by_now_whoever_did_it(pair):
    a, b = pair
    a.write("report.txt", "first\n")
    meet(a, b)
    (a.path / "report.txt").rename(a.path / "renamed.txt")
    planned = [line for line in a.sync("--dry-run", "--json").json_lines() if line.get("event") == "moved_there"]
    assert planned[0]["path"] == "renamed.txt" and planned[0]["from"] == "report.txt", planned
    a.sync()
    why = a.why("report.txt")
    assert why["status"] == "moved" and "it is at renamed.txt now" in why["cause"], why
    assert f"“bothy why {a.path / 'renamed.txt'}” explains more" in why["remedy"], why
    moved = [line for line in a.device.json_lines("log", a.path / "renamed.txt") if line["event"] == "moved_there"]
    assert moved[0]["path"] == "renamed.txt" and moved[0]["from"] == "report.txt", moved
    b.sync()
    (b.path / "renamed.txt").rename(b.path / "last.txt")
    meet(a, b)
    for number in range(11):
        a.write("last.txt", f"{number}\n")
        a.sync()
    for folder in (a, b):
        for name in ("report.txt", "renamed.txt"):
            why = folder.why(name)
            assert why["status"] == "moved" and "it is at last.txt now" in why["cause"], why


def test_what_lies_on_the_server_behind_a_link_here_is_asked_about_as_it_is_typed(met):
    a, b = met
    elsewhere = a.device.home / "elsewhere"
    elsewhere.mkdir()
    (a.path / "linked").symlink_to(elsewhere)
    b.write("linked/x", "x\n")
    b.sync()
    said = a.partly().stdout
    assert "linked/x: the folder that it is in is held back" in said, said
    why = a.why("linked/x")
    assert why["status"] == "pending" and why["path"] == "linked/x" and why["onTheServer"], why
    link = a.why("linked")
    assert link["path"] == "linked" and "is in its place here" in link["cause"], link


def test_a_path_that_is_nowhere_is_not_on_the_server(met):
    a, _ = met
    why = a.device.json("why", "/nope")
    assert why["status"] == "outside" and why["cause"] == "there is no such file, neither here nor on the server", why


def test_files_below_a_folder_of_any_name_are_found(pair):
    """`why`, `log` and `resolve` once cut a letter off each file's name for each letter of the folder's that is not ASCII."""
    a, b = pair
    for folder in pair:
        folder.path = folder.path.with_name(f"{folder.path.name} Köln ☂")
    a.write("anfang.txt", "one\n")
    meet(a, b)
    assert a.why("anfang.txt")["path"] == "anfang.txt" and a.why("anfang.txt")["status"] == "synced"
    assert "sent anfang.txt" in a.device.run("log", a.path / "anfang.txt").stdout
    a.write("anfang.txt", "mine\n"), b.write("anfang.txt", "theirs\n")
    b.sync()
    a.sync("--conflicts", "ask", check=False)
    a.device.run("resolve", a.path / "anfang.txt", "--keep", "mine")
    assert meet(a, b)["anfang.txt"] == b"mine\n"
