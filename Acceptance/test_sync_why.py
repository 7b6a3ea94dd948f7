"""What `bothy why` says of a file, of the folder that it is in and of its path on the server; and what `status` and `bindings` say
of a folder in which something failed."""

import os
import shutil

from api import new_id
from synced import SyncedFolder, meet


def line_of(folder):
    return next(line for line in folder.device.json("status")["lines"] if line.get("subject") == str(folder.path))


def bound(folder):
    return next(line for line in folder.device.json_lines("bindings") if line["local"] == str(folder.path))


def whys(folder, name):
    """Of a file, of the folder here that it is in, of the whole folder, and of that by its path on the server."""
    above = (folder.path / name).parent
    return [folder.device.json("why", path) for path in (folder.path / name, above, folder.path, folder.remote)]


def test_a_folder_says_what_is_the_matter_with_what_is_in_it(desks, met):
    """It said that all was next, whatever held it."""
    a, _ = met
    a.device.run("agent", "--stop")
    a.write("docs/plan.md", "another plan\n")
    for why in whys(a, "docs/plan.md"):
        assert why["status"] == "pending" and "nothing is running that syncs it" in why["cause"], why
        assert f"bothy sync {a.path} --once" in why["remedy"], why
    a.device.run("pause")
    try:
        for why in whys(a, "docs/plan.md"):
            assert "you have paused this device" in why["cause"] and "bothy resume" in why["remedy"], why
    finally:
        a.device.run("resume")
        # It is the agent that goes on, beside the tests after this one, too.
        a.device.run("agent", "--stop")
    process = a.watch()
    try:
        desks.proxy.go_down()
        a.write("docs/plan.md", "a third plan\n")
        for why in whys(a, "docs/plan.md"):
            assert why["status"] == "pending" and "the server cannot be reached now" in why["cause"], why
    finally:
        process.terminate()
        process.wait(60)


def test_a_folder_in_which_something_failed_is_not_called_in_step(as_a_person, met):
    """By `status` and `bindings` it was, as of the pass in which it failed."""
    a, b = met
    before = bound(b)["inStepAt"]
    (b.path / "docs").chmod(0o555)
    try:
        a.write("docs/plan.md", "another plan\n")
        a.write("docs/later.md", "later\n")
        a.sync()
        said = b.sync(check=False)
        assert said.code == 1 and "2 could not be synced" in said.stderr, said
        line = line_of(b)
        assert line["state"] == "waiting" and line["reason"] == "partly_done", line
        assert "2 could not be synced" in line["words"] and f"bothy why {b.path}" in line["remedy"], line
        assert "Last synced" not in line["words"]
        assert "2 could not be synced" in b.device.run("bindings").stdout
        assert bound(b)["failed"] == 2 and bound(b)["inStepAt"] == before
        b.sync(check=False)
        assert bound(b)["inStepAt"] == before
        for why in whys(b, "docs/plan.md"):
            assert why["status"] == "failed" and "the last try failed" in why["cause"], why
            assert "Permission denied" in why["cause"], why
        log = b.device.run("log", b.path / "docs/plan.md").stdout
        assert "could not fetch the new version of docs/plan.md: it was edited elsewhere." in log, log
    finally:
        (b.path / "docs").chmod(0o755)
    b.sync()
    assert line_of(b)["state"] == "idle" and bound(b)["failed"] == 0 and bound(b)["inStepAt"] > before


def test_what_lies_in_a_folder_that_may_not_be_read_has_a_cause(as_a_person, met):
    a, _ = met
    (a.path / "docs").chmod(0)
    try:
        said = a.device.run("why", a.path / "docs/plan.md")
        assert "permission to read it here is denied" in said.stdout and "docs: " in said.stdout, said
        assert "unknown" in said.stdout, said
        assert a.why("docs/plan.md")["cause"] in said.stdout
    finally:
        (a.path / "docs").chmod(0o755)


def test_a_name_that_is_too_long_is_unknown(met):
    a, _ = met
    assert "nothing of that name" in a.device.run("why", a.path / ("n" * 300)).stdout
    assert "not in a synced folder" in a.device.run("why", "/" + "n" * 300).stdout


def test_who_signed_out_is_told_so_and_why_still_tells(new_device, shared_server):
    a = SyncedFolder(new_device("laptop").register(shared_server.url, f"{new_id()}@example.org"))
    a.write("docs/report.txt", "first\n")
    a.write("docs/same.txt", "same\n")
    a.sync()
    a.device.run("logout")
    a.write("docs/report.txt", "second\n")
    for why in whys(a, "docs/report.txt"):
        assert why["status"] == "pending" and "bothy login" in why["remedy"], why
    said = a.device.run("why", a.path / "docs/same.txt")
    assert "synced" in said.stdout and "Nobody is signed in" in said.stderr, said
    assert "agreed on      5 B" in said.stdout, said


def test_what_both_devices_renamed_is_found(met):
    a, b = met
    a.write("case", "case\n")
    meet(a, b)
    os.rename(a.path / "case", a.path / "case-a")
    os.rename(b.path / "case", b.path / "case-b")
    a.sync()
    b.sync()
    for folder in (a, b):
        why = folder.why("case")
        assert why["status"] == "moved" and "it is at case-a now" in why["cause"], why


def test_what_is_in_something_that_is_not_synced_says_what_that_is(met):
    a, b = met
    elsewhere = a.device.home / "elsewhere"
    elsewhere.mkdir(exist_ok=True)
    (elsewhere / "x").write_text("x")
    (a.path / "docs/link").symlink_to(elsewhere)
    cause = a.why("docs/link/x")["cause"]
    assert cause.startswith("it is held back with its folder. docs/link: it is a symbolic link"), cause
    (a.path / "taken").symlink_to(elsewhere)
    b.write("taken/y", "y\n")
    b.sync()
    said = a.partly().stdout
    assert f"“bothy why {a.path}/taken” says why" in said, said
    cause = a.why("taken")["cause"]
    assert cause == "something that is not synced is in its place here: it is a symbolic link, and those are not synced"
    assert f"“bothy why {a.path}/taken” says why" in a.why("taken/y")["remedy"]


def test_what_a_rule_leaves_out_says_what_lifts_it(met):
    a, _ = met
    a.write(".bothyignore", "# built\n*.o\n")
    a.write("x.o", "o")
    a.write("x.log", "l")
    a.write("large", b"x" * 2000)
    a.sync("--exclude", "*.log", "--max-size", "1K")
    assert a.why("x.o")["remedy"] == f"change line 2 of {a.path}/.bothyignore to have it synced"
    assert f"bothy sync {a.path} --no-exclude" in a.why("x.log")["remedy"]
    assert f"bothy sync {a.path} --max-size" in a.why("large")["remedy"]


def test_how_both_versions_of_a_conflict_are_opened_is_said(pair):
    a, b = pair
    a.write("first", "f")
    meet(a, b)
    b.write("new.txt", "theirs\n")
    b.sync()
    a.write("new.txt", "mine\n")
    a.sync("--conflicts", "ask", check=False)
    why = a.why("new.txt")
    assert "both sides have a new file of this name" in why["cause"], why
    assert f"“bothy cat {a.remote}/new.txt” shows the server’s" in why["remedy"], why
    said = a.device.run("conflicts")
    assert "both sides have a new file" in said.stdout and "–" not in said.stdout and f"bothy cat {a.remote}/new.txt" in said.stderr, said
    assert a.device.run("cat", f"{a.remote}/new.txt").stdout == "theirs\n"
    a.device.run("resolve", a.path / "new.txt", "--keep", "both")
    rows = [line for line in a.device.run("conflicts", "decided").stdout.splitlines() if "new" in line]
    assert len(rows) == 1 and str(a.path / "new.txt") in rows[0], rows


def test_what_is_on_the_server_and_in_no_folder_here_does_not_contradict_itself(desks, met):
    desks.laptop.run("mkdir", "/trip")
    why = desks.laptop.json("why", "/trip")
    assert why["status"] == "synced" and "it is in no synced folder of this device" in why["cause"], why
    assert desks.laptop.run("why", "/trip").stdout.startswith("/trip: on the server\n")


def test_what_waits_to_be_sent_is_named_of_a_file_in_a_folder_in_step(desks, pair):
    a, b = pair
    a.write("plans.txt", "plans\n")
    meet(a, b)
    desks.proxy.go_down()
    a.device.run("star", f"{a.remote}/plans.txt")
    why = a.why("plans.txt")
    assert [operation["kind"] for operation in why["waiting"]] == ["star"] and why["transfers"] == [], why
    said = a.device.run("why", a.path / "plans.txt").stdout
    assert f"star {a.remote}/plans.txt: waiting to be sent" in said, said
    assert all(key in said for key in ("here ", "on the server ", "agreed on ")), said


def test_what_was_thrown_away_comes_back_by_the_path_that_it_had(desks, met):
    laptop = desks.laptop
    for folder in ("/p1", "/p2"):
        laptop.run("mkdir", folder)
        laptop.run("mkdir", f"{folder}/same")
    for path in ("/p1/same", "/p2/same"):
        assert f"“bothy trash put-back {path}” restores it" in laptop.run("rm", path).stdout
    laptop.run("trash", "put-back", "/p2/same")
    assert "same/" in laptop.run("ls", "/p2").stdout and "same/" not in laptop.run("ls", "/p1").stdout
    missing = laptop.run("trash", "put-back", "/p2/same", check=False)
    assert missing.code == 4 and "There is no “/p2/same” in the trash" in missing.stderr, missing


def test_a_tie_that_was_taken_back_is_told_though_the_device_is_paused(met):
    """It said “you have paused this device”, and “bothy resume” changed nothing."""
    a, _ = met
    other = SyncedFolder(a.device, f"untied {a.remote[1:]}", a.remote)
    other.write("own.txt", "own\n")
    try:
        other.sync()
        a.device.run("undo", "--yes")
        other.sync(check=False)
        a.device.run("pause")
        for path in (other.path / "own.txt", other.path):
            why = a.device.json("why", path)
            assert "you undid the linking of the two folders" in why["cause"], why
            assert "resume" not in why["remedy"] and "--confirm" in why["remedy"], why
    finally:
        a.device.run("resume")
        a.device.run("agent", "--stop")
        a.device.run("unsync", other.path, "--yes", check=False)
        shutil.rmtree(other.path, ignore_errors=True)


def test_what_lies_in_a_folder_that_is_on_its_way_goes_along_with_it(met):
    """It was in step, or nowhere, by `why`."""
    a, b = met
    a.write("d/sub/q", "q\n")
    a.write("gone/q", "q\n")
    meet(a, b)
    os.rename(a.path / "d", a.path / "e")
    shutil.rmtree(a.path / "gone")
    for name in ("e/sub/q", "d/sub/q", "d", "gone/q", "gone"):
        why = a.why(name)
        assert why["status"] == "pending" and "nothing is running that syncs it" in why["cause"], (name, why)
        assert why["onTheServer"] and why["agreed"], (name, why)
    assert a.why("d/sub/q")["cause"].startswith("it is at e/sub/q here: ")
    for name in ("e/sub/none", "d/none", "gone/none"):
        assert a.why(name)["status"] == "unknown", name
    a.sync()
    for name in ("e/sub/q", "d/sub/q", "gone/q"):
        assert b.why(name)["status"] == "pending", (name, b.why(name))
    b.sync()
    assert b.why("e/sub/q")["status"] == "synced" and b.why("d/sub/q")["status"] == "moved"
    assert b.why("gone/q")["status"] == "gone"


def test_a_file_that_stays_unsynced_is_found_by_the_name_that_it_had(met):
    a, b = met
    b.write("kept", "k\n")
    meet(a, b)
    a.sync("--policy", "documents")
    (b.path / "kept").unlink()
    b.sync()
    a.sync()
    os.rename(a.path / "kept", a.path / "named")
    for _ in range(2):
        why = a.why("kept")
        assert why["status"] == "unsynced" and why["cause"].startswith("it is at named here: it was deleted elsewhere"), why
        assert f"bothy resolve {a.path}/named --delete" in why["remedy"], why
        a.sync()
    a.device.run("resolve", a.path / "kept", "--delete")
    assert not (a.path / "named").exists()


def test_a_folder_that_is_gone_on_the_server_is_not_said_to_be_there(met):
    """“The folder on the server is gone”, and below that “on the server  a folder, version 1”."""
    a, b = met
    b.device.run("rm", b.remote)
    why = a.device.json("why", a.path)
    assert why["cause"] == "the folder on the server no longer exists" and "onTheServer" not in why, why
    said = a.device.run("why", a.path).stdout
    assert "on the server  nothing" in said and "agreed on      a folder" in said, said
    b.device.run("trash", "put-back", b.remote)
    assert a.device.json("why", a.path)["onTheServer"]["kind"] == "folder"
