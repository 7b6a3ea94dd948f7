"""The same thing changed here, without a connection, and elsewhere: what each policy makes of it, what a person decides, and
taking that back. Nothing that anybody wrote is lost by any of it."""

import pytest

from api import Api, new_id

BASE = "one\ntwo\nthree\nfour\nfive\n"
THEIRS = "one\ntwo\nthree\nfour\nFIVE\n"
MINE = "ONE\ntwo\nthree\nfour\nfive\n"
MERGED = "ONE\ntwo\nthree\nfour\nFIVE\n"


class Train:
    """A laptop that loses its connection, and the same account at home."""

    def __init__(self, laptop, proxy, home):
        self.laptop, self.proxy, self.home = laptop, proxy, home
        self.file = home.put_small("a.txt", BASE.encode())
        laptop.run("ls")

    def leave(self):
        self.proxy.go_down()

    def arrive(self):
        self.proxy.come_back()
        return self.laptop.run("journal", "retry", check=False)

    def write(self, text, *options):
        (self.laptop.home / "a.txt").write_text(text)
        return self.laptop.put("--replace", *options, "a.txt", "/")

    def both_edit(self, mine=MINE, theirs=THEIRS):
        """Returns what the laptop says when it is home again."""
        self.leave()
        self.write(mine)
        self.home.put_small("a.txt", theirs.encode(), conflict="overwrite")
        return self.arrive()

    def names(self):
        return sorted(self.home.names())

    def text(self, path="/a.txt"):
        return self.laptop.cat(path).decode()

    def decided(self):
        return self.laptop.run("conflicts", "decided", "--json").json_lines()


@pytest.fixture
def train(new_device, proxy, shared_server):
    email = f"{new_id()}@example.org"
    laptop = new_device("laptop").register(proxy.url, email)
    home = Api(shared_server.url).login(email)
    yield Train(laptop, proxy, home)
    home.close()


def test_unless_another_policy_is_set_both_are_kept_and_it_is_said(train):
    said = train.both_edit()
    beside = next(name for name in train.names() if name != "a.txt")
    assert beside.startswith("a (laptop's conflict ") and beside.endswith(").txt")
    assert train.text() == THEIRS and train.text(f"/{beside}") == MINE
    assert "/a.txt was changed elsewhere too: both are kept" in said.stderr and "--undo" in said.stderr
    assert train.laptop.run("conflicts").stdout == "" and train.laptop.run("journal").stdout == ""


def test_a_name_that_was_taken_meanwhile_is_not_called_a_change(train):
    train.leave()
    train.laptop.run("mv", "/a.txt", "/target.txt")
    train.home.put_small("target.txt", b"theirs")
    said = train.arrive()
    assert "conflicted with another “target.txt”: both are kept" in said.stderr, said
    assert "was changed elsewhere too" not in said.stderr, said


def test_what_was_decided_can_be_taken_back_and_decided_anew(train):
    train.both_edit()
    [decision] = train.decided()
    assert decision["kept"] == "both" and decision["automatic"] and decision["path"] == "/a.txt"
    train.laptop.run("resolve", "--undo", decision["id"])
    assert train.names() == ["a.txt"] and train.text() == THEIRS
    train.laptop.run("resolve", "/a.txt", "--keep", "mine")
    assert train.text() == MINE and len(train.home.revisions(train.file["id"])) == 3
    assert train.laptop.run("resolve", "--undo", decision["id"], check=False).code == 4


@pytest.mark.parametrize("typed", [("--undo",), ("--undo", "/a.txt"), ("--undo", "1", "--keep", "mine")])
def test_who_takes_back_without_a_number_is_told_where_the_numbers_are(device, typed):
    said = device.run("resolve", *typed, check=False)
    assert said.code == 2 and "“bothy conflicts decided” lists them" in said.stderr, said


@pytest.mark.parametrize("keep, expected", [("mine", MINE), ("theirs", THEIRS), ("both", THEIRS), ("merge", MERGED)])
def test_each_choice_of_a_person_can_be_taken_back(train, keep, expected):
    train.laptop.run("conflicts", "policy", "ask")
    said = train.both_edit()
    assert "conflict" in said.stdout
    assert [c["path"] for c in train.laptop.run("conflicts", "--json").json_lines()] == ["/a.txt"]
    train.laptop.run("resolve", "/a.txt", "--keep", keep)
    assert train.text() == expected and len(train.names()) == (2 if keep == "both" else 1)
    train.laptop.run("resolve", "--undo", train.decided()[0]["id"])
    assert train.text() == THEIRS and train.names() == ["a.txt"]
    train.laptop.run("resolve", "/a.txt", "--keep", "merge")
    assert train.text() == MERGED


def test_the_last_write_wins_where_that_is_the_policy(train):
    train.laptop.run("conflicts", "policy", "last-write")
    train.both_edit()
    assert train.names() == ["a.txt"] and train.text() == MINE
    assert len(train.home.revisions(train.file["id"])) == 3


def test_texts_are_merged_where_that_is_the_files_own_policy(train):
    assert "merge" in train.laptop.run("conflicts", "policy", "merge", "/a.txt").stdout
    train.both_edit()
    assert train.names() == ["a.txt"] and train.text() == MERGED
    assert train.laptop.run("conflicts", "policy", "--json").json_lines() == [
        {"path": "/", "policy": "fork"}, {"path": "/a.txt", "policy": "merge"}]


def test_what_cannot_be_merged_is_kept_beside_without_markers(train):
    train.laptop.run("conflicts", "policy", "merge")
    train.both_edit(mine="mine\n", theirs="theirs\n")
    assert len(train.names()) == 2 and train.text() == "theirs\n"


def test_the_same_edit_on_both_sides_is_no_conflict(train):
    said = train.both_edit(mine=THEIRS, theirs=THEIRS)
    assert train.names() == ["a.txt"] and train.decided() == [] and "conflict" not in said.text


def test_a_rename_against_an_edit_merges_silently(train):
    train.leave()
    train.laptop.run("mv", "/a.txt", "/b.txt")
    train.home.put_small("a.txt", THEIRS.encode(), conflict="overwrite")
    said = train.arrive()
    assert train.names() == ["b.txt"] and train.text("/b.txt") == THEIRS
    assert "conflict" not in said.text and train.decided() == []


def test_a_deletion_that_had_not_seen_an_edit_keeps_the_edit_and_says_so(train):
    train.leave()
    train.laptop.run("rm", "/a.txt")
    assert train.laptop.run("ls").stdout == ""
    train.home.put_small("a.txt", THEIRS.encode(), conflict="overwrite")
    said = train.arrive()
    assert train.names() == ["a.txt"] and train.text() == THEIRS
    assert "/a.txt was changed elsewhere before it was deleted here: it is kept" in said.stderr


def test_two_creations_of_one_name_and_content_are_one_file(train):
    train.leave()
    (train.laptop.home / "new.txt").write_text("the same")
    train.laptop.put("new.txt", "/")
    train.laptop.run("mkdir", "/trip")
    train.home.put_small("new.txt", b"the same")
    train.home.folder("trip")
    train.arrive()
    assert train.names() == ["a.txt", "new.txt", "trip"]
    assert train.laptop.run("journal").stdout == ""


def test_two_creations_of_one_name_get_a_counter(train):
    train.leave()
    (train.laptop.home / "new.txt").write_text("mine")
    train.laptop.put("new.txt", "/")
    train.home.put_small("new.txt", b"theirs")
    train.arrive()
    assert train.names() == ["a.txt", "new (1).txt", "new.txt"]
    assert train.text("/new (1).txt") == "mine"


def test_a_move_that_met_another_is_told_with_where_it_was_to_go(train):
    train.laptop.run("conflicts", "policy", "ask")
    train.home.folder("g")
    train.laptop.run("ls", "/g")
    train.leave()
    train.laptop.run("mv", "/a.txt", "/g/z.txt")
    train.home.put_small("z.txt", b"theirs", parent=train.home.by_path("/g").json()["id"])
    train.arrive()
    listed = train.laptop.run("conflicts").stdout
    assert "move /a.txt to /g/z.txt" in listed, listed
    train.laptop.run("resolve", "/g/z.txt", "--keep", "both")
    assert train.laptop.run("conflicts").stdout == ""


def test_the_status_names_what_decides_a_conflict_and_counts_it_once(train):
    """It named `journal discard`, which throws the edit away, and a failed transfer beside it."""
    train.laptop.run("conflicts", "policy", "ask")
    train.both_edit()
    page = train.laptop.json("status")
    [line] = [line for line in page["lines"] if line["part"] == "journal"]
    assert line["state"] == "held" and "bothy conflicts" in line["remedy"] and "bothy resolve" in line["remedy"], line
    assert "discard" not in line["remedy"] and not line["words"].endswith(".."), line
    assert page["transfers"]["failed"] == 0, page["transfers"]
    said = train.laptop.run("transfers").stdout
    assert "content/pending" not in said and "bothy conflicts" in said, said
    train.laptop.run("resolve", "/a.txt", "--keep", "theirs")
    assert "a.txt" not in train.laptop.run("transfers").stdout


def test_a_folder_is_tied_while_something_waits_to_be_decided(train):
    laptop = train.laptop
    laptop.run("conflicts", "policy", "ask")
    train.both_edit()
    folder = laptop.home / "new"
    folder.mkdir()
    (folder / "x.txt").write_text("x")
    # What is done while something waits is written down first, and the agent sends it.
    laptop.starts_its_agent().run("agent", "--background")
    try:
        said = laptop.run("sync", folder, "/New", "--once")
    finally:
        laptop.run("agent", "--stop")
    assert "sent x.txt" in said.stdout, (said.stdout, said.stderr)
    assert train.names() == ["New", "a.txt"]


def test_a_folder_whose_other_side_waits_to_be_made_is_not_tied_yet(train):
    folder = train.laptop.home / "new"
    folder.mkdir()
    (folder / "x.txt").write_text("x")
    train.leave()
    said = train.laptop.run("sync", folder, "/New", "--once", check=False)
    assert said.code == 1 and "the server cannot be reached now" in said.stderr and "bothy journal" in said.stderr, said.stderr
    assert train.laptop.run("bindings", "--json").json_lines() == []
    train.arrive()
    assert "sent x.txt" in train.laptop.run("sync", folder, "/New", "--once").stdout
    assert train.names() == ["New", "a.txt"]


def test_an_edit_that_was_given_up_is_in_the_local_trash(train):
    train.laptop.run("conflicts", "policy", "ask")
    train.both_edit()
    said = train.laptop.run("resolve", "/a.txt", "--keep", "theirs")
    assert "bothy trash --local" in said.stdout, said
    [item] = train.laptop.run("trash", "--local", "--json").json_lines()
    assert item["path"] == "/a.txt" and item["reason"] == "theirs_kept", item
    train.laptop.run("trash", "put-back", "--local", "/a.txt")
    assert train.names() == ["a (1).txt", "a.txt"] and train.text() == THEIRS and train.text("/a (1).txt") == MINE
