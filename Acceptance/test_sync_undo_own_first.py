"""`bothy undo` without a number: this device's own last change, after it was listed and somebody has said yes."""

from synced import meet


def both_sent_something(a, b):
    """`b` sent one file, then fetched another that `a` had made."""
    b.write("mine.txt", "by b\n")
    b.sync()
    a.sync()
    a.write("theirs.txt", "by a\n")
    a.sync()
    b.sync()
    assert b.read("theirs.txt") == b"by a\n"


def test_what_another_device_made_is_not_deleted_by_an_undo_without_a_number(met):
    a, b = met
    both_sent_something(a, b)
    fetched = b.last_pass()
    said = b.device.run("undo", "--yes")
    assert f"bothy undo {fetched}" in said.stderr, said
    b.sync(check=False)
    a.sync()
    # What was new and sent from here stays here.
    assert a.read("theirs.txt") == b.read("theirs.txt") == b"by a\n"
    assert "mine.txt" not in a.tree() and b.read("mine.txt") == b"by b\n"


def test_it_lists_what_it_would_do_and_does_nothing_where_nobody_can_be_asked(met):
    a, b = met
    both_sent_something(a, b)
    before = b.tree()
    said = b.device.run("undo", check=False)
    assert said.code == 2 and "would report:" in said.stdout and "mine.txt" in said.stdout, said
    assert "theirs.txt" not in said.text and "--yes" in said.stderr, said
    dry = b.device.run("undo", "--dry-run")
    assert "mine.txt" in dry.stdout and "theirs.txt" not in dry.stdout, dry
    told = b.device.json("undo", "--dry-run")
    assert told["folder"] == str(b.path) and len(told["steps"]) == 1 and "mine.txt" in told["steps"][0], told
    assert b.tree() == before == meet(a, b)
    assert b.device.json("undo", "--dry-run", str(b.last_pass()))["steps"], "a named pass is listed too"
    assert b.tree() == before


def test_where_this_device_has_sent_nothing_it_takes_back_by_its_number_alone_what_others_made(pair):
    a, b = pair
    a.write("theirs.txt", "by a\n")
    a.sync()
    b.sync()
    a.write("later.txt", "by a\n")
    a.sync()
    b.sync()
    said = b.device.run("undo", "--dry-run")
    assert "later.txt" in said.stdout and "changes from other devices" in said.stderr, said
    number = b.last_pass()
    before = b.tree()
    for words in (["--yes"], []):
        refused = b.device.run("undo", *words, check=False)
        assert refused.code == 2 and f"bothy undo {number} --yes" in " ".join(refused.stderr.split()), refused
        assert b.tree() == before
    b.device.run("undo", number, "--yes")
    b.sync(check=False)
    a.sync(check=False)
    assert "undone by pass" in b.device.run("log").stdout
    assert "later.txt" not in b.tree() and b.read("theirs.txt") == b"by a\n", number
