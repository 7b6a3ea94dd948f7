"""What rules leave out of a folder in step, and what becomes of it when they change."""

import pytest

from api import new_id
from synced import SyncedFolder, meet


@pytest.fixture
def met(new_device, shared_server):
    email = f"{new_id()}@example.org"
    a = SyncedFolder(new_device("laptop").register(shared_server.url, email))
    b = SyncedFolder(new_device("desktop").login(shared_server.url, email))
    a.write("build/x.o", "object\n")
    a.write("plan.md", "plan\n")
    meet(a, b)
    return a, b


def test_what_a_new_rule_leaves_out_stays_on_both_sides_and_is_told(met):
    a, b = met
    a.write(".bothyignore", "build/\n")
    said = a.sync().stdout
    assert "a rule excludes it now; it stays as it is on both sides" in said, said
    b.sync()
    a.write("build/x.o", "changed\n")
    a.sync()
    b.sync()
    assert a.read("build/x.o") == b"changed\n" and b.read("build/x.o") == b"object\n"
    why = a.why("build/x.o")
    assert why["status"] == "ignored" and ".bothyignore" in why["cause"], why


def test_what_no_rule_leaves_out_any_more_comes_into_step_and_nothing_is_deleted(met):
    a, b = met
    a.sync("--exclude", "build/")
    a.write("build/only_here.o", "here\n")
    (a.path / "build/x.o").unlink()
    a.sync()
    assert "build/" in a.device.run("bindings").stdout
    a.sync("--no-exclude")
    tree = meet(a, b)
    assert tree["build/x.o"] == b"object\n" and tree["build/only_here.o"] == b"here\n"
    assert a.device.run("bindings", "--json").json_lines()[0]["exclude"] == []


@pytest.mark.parametrize("way", ["--exclude", ".bothyignore", ".bothyignore, a folder"])
def test_what_others_did_while_a_rule_left_it_out_is_carried_when_it_is_taken_in_again(met, way):
    """What they had deleted came back, and what they had edited was a conflict with itself."""
    a, b = met
    for name in ("deleted.o", "edited.o", "edited here.o", "gone here.o", "both.o"):
        a.write(f"build/{name}", "old\n")
    meet(a, b)
    lines = "build/\n" if "folder" in way else "*.o\n"
    if way == "--exclude":
        a.sync("--exclude", "*.o")
    else:
        # It leaves itself out, so that the other device has no such rule.
        a.write(".bothyignore", f"{lines}.bothyignore\n")
        a.sync()
    (b.path / "build/deleted.o").unlink()
    b.write("build/edited.o", "new\n")
    b.write("build/both.o", "theirs\n")
    b.sync()
    a.write("build/edited here.o", "mine\n")
    a.write("build/both.o", "mine\n")
    (a.path / "build/gone here.o").unlink()
    steps, summary = a.events()
    assert steps == [] and summary["done"] == 0, steps
    assert a.read("build/deleted.o") == a.read("build/edited.o") == b"old\n", "nothing is done about it meanwhile"
    b.sync()
    assert b.read("build/edited here.o") == b"old\n" and b.read("build/gone here.o") == b"old\n"
    why = a.why("build/edited.o")
    assert why["status"] == "ignored" and (way if way == "--exclude" else ".bothyignore") in why["cause"], why

    if way == "--exclude":
        a.sync("--no-exclude")
    else:
        a.write(".bothyignore", ".bothyignore\n")
        a.sync()
    a.write(".bothyignore", "")
    a.sync()
    tree = meet(a, b)
    assert "build/deleted.o" not in tree, "it is deleted here too"
    assert [item for item in a.trash() if "deleted.o" in str(item)], "and lies in the local trash"
    assert tree["build/edited.o"] == b"new\n" and tree["build/edited here.o"] == b"mine\n"
    assert tree["build/gone here.o"] == b"old\n", "nobody looked whether it was there: it was not deleted"
    assert not [name for name in tree if "(1)" in name], sorted(tree)
    copies = [name for name in tree if name.startswith("build/both") and name != "build/both.o"]
    assert len(copies) == 1 and "conflict" in copies[0], "only what both had edited is one"


def test_another_device_may_tighten_rules_and_not_loosen_them(met):
    a, b = met
    a.write(".bothyignore", "secret\n")
    meet(a, b)
    a.write("secret", "mine alone\n")
    b.write(".bothyignore", "*.tmp\n")
    b.sync()
    said = a.partly().stdout
    assert ".bothyignore" in said and "--confirm" in said, said
    a.write("x.tmp", "x\n")
    a.partly()
    b.sync()
    assert a.read(".bothyignore") == b"*.tmp\n", "the file itself is in step"
    assert "secret" not in b.tree() and "x.tmp" not in b.tree()
    assert "another device changed it" in a.why("secret")["cause"]
    a.sync("--confirm")
    b.sync()
    assert b.read("secret") == b"mine alone\n"

    b.write(".bothyignore", "secret\n")
    b.sync()
    b.write(".bothyignore", "")
    b.write("x.tmp", "x of b\n")
    b.sync()
    a.partly()
    assert a.read("x.tmp") == b"x\n", "what the person there takes in holds there at once, and not here"


def test_what_grows_too_large_elsewhere_is_known_for_the_older_version(met):
    a, b = met
    for name in ("deleted", "renamed", "small again", "wanted"):
        a.write(name, "old\n")
    meet(a, b)
    a.sync("--max-size", "2K")
    for name in ("deleted", "renamed", "small again", "wanted"):
        b.write(name, b"x" * 5000)
    b.sync()
    a.sync()
    assert a.read("deleted") == b"old\n" and "--max-size" in a.why("deleted")["cause"]
    (b.path / "deleted").unlink()
    (b.path / "renamed").rename(b.path / "otherwise")
    b.write("small again", "new\n")
    b.sync()
    a.sync()
    b.sync()
    assert "deleted" not in a.tree() and a.read("small again") == b"new\n"
    assert b.tree().keys() == {"build", "build/x.o", "plan.md", "otherwise", "small again", "wanted"}
    a.sync("--max-size", "off")
    tree = meet(a, b)
    assert tree["wanted"] == tree["otherwise"] == b"x" * 5000 and "renamed" not in tree


def test_another_home_in_a_folder_in_step_stays_this_devices_own(met):
    """A person may have several homes, and keep what lies around one in step with another: its secrets sign in as them."""
    a, b = met
    a.device.run("status", environment={"BOTHY_HOME": str(a.path / "second/bothy")}, check=False)
    a.write("second/beside", "beside\n")
    assert {"client.sqlite", "secrets"} <= {path.name for path in (a.path / "second/bothy").iterdir()}
    a.sync()
    b.sync()
    assert {name for name in b.tree() if name.startswith("second")} == {"second", "second/bothy", "second/beside"}
    assert "ignored" == a.why("second/bothy/client.sqlite")["status"]
