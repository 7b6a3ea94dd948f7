"""What would take much away stops and asks, in both directions."""

import os
import re
import shutil

import pytest

from synced import meet


@pytest.fixture
def many(pair):
    a, b = pair
    for number in range(60):
        a.write(f"files/{number}", f"{number}\n")
    meet(a, b)
    return a, b


WRITTEN = ("agreed", "agreed_anew", "forgotten", "left_out", "summary")


def held(folder):
    said = folder.sync("--json", check=False)
    done = [line for line in said.json_lines() if line.get("event", "agreed") not in WRITTEN]
    assert said.code == (5 if done else 1), said
    return said.json_lines()[-1]["held"]


def test_many_deletions_here_are_asked_about_and_the_rest_goes_on(many):
    a, b = many
    for number in range(20):
        (a.path / f"files/{number}").unlink()
    a.write("new", "new")
    assert "20 of" in held(a)
    b.sync()
    assert len(os.listdir(b.path / "files")) == 60 and b.read("new") == b"new"
    a.sync("--confirm")
    assert len(os.listdir(a.path / "files")) == 40 and len(os.listdir(b.path / "files")) == 60
    # What the other device confirmed, this one is asked about again: it may be the other that is broken.
    assert "20 of" in held(b)
    assert len(os.listdir(b.path / "files")) == 60
    b.sync("--confirm")
    assert meet(a, b).keys() == a.tree().keys() and len(b.trash()) >= 20


def test_what_is_decided_beside_what_is_held_is_done(many):
    a, b = many
    a.sync("--conflicts", "ask")
    a.write("files/59", "mine\n")
    b.write("files/59", "theirs\n")
    b.sync()
    a.sync(check=False)
    for number in range(20):
        (a.path / f"files/{number}").unlink()
    said = a.device.run("resolve", a.path / "files/59", "--keep", "mine")
    assert "you chose the version here" in said.stdout and "20 of 61" in said.stderr, said
    assert a.why("files/59")["status"] == "synced" and "20 of" in held(a)


def test_what_another_device_takes_back_counts_no_more_here(many):
    """It has gone from here and come back: what goes next is judged by itself."""
    a, b = many
    for number in range(14):
        (a.path / f"files/{number}").unlink()
    a.sync()
    b.sync()
    a.device.run("undo", "--yes")
    meet(a, b)
    assert len(os.listdir(b.path / "files")) == 60
    for number in range(20, 34):
        (a.path / f"files/{number}").unlink()
    a.sync()
    b.sync()
    assert len(os.listdir(b.path / "files")) == 46, "28 of 61 in a day would be asked about"


def test_what_joins_what_is_held_is_asked_about_with_the_reason(many):
    a, _ = many
    for number in range(20):
        (a.path / f"files/{number}").unlink()
    assert "Bothy asks above 50 a day, or from a quarter of a folder." in held(a)
    for number in range(2, 20):
        a.write(f"files/{number}", f"{number}\n")
    assert "2 of 61 files and folders would be deleted on the server. Bothy asks until what it held back before is answered." in held(a)


def test_forty_nine_deletions_a_pass_are_added_up(pair, outside):
    """A server, or whoever got hold of it, that deletes a little less than what is asked about, again and again."""
    a, b = pair
    for number in range(210):
        a.write(f"files/{number}", "f")
    a.sync()
    folder = outside.by_path(f"{a.remote}/files").json()
    files = outside.list(folder["id"])
    for file in files[:49]:
        outside.delete(file["id"])
    a.sync()
    assert len(os.listdir(a.path / "files")) == 161
    for file in files[49:98]:
        outside.delete(file["id"])
    assert "49 of" in held(a) and "(49 more in the last 24 hours)" in held(a)
    assert len(os.listdir(a.path / "files")) == 161
    assert len(a.trash()) == 49


@pytest.mark.parametrize("side", ["on the server", "here"])
def test_what_was_taken_back_counts_as_lost_no_more(pair, side):
    a, b = pair
    for number in range(20):
        a.write(f"{number}", f"{number}\n")
    meet(a, b)
    for _ in range(2):
        for number in range(4):
            (a.path / f"{number}").unlink()
        if side == "here":
            a.sync("--confirm")
            b.sync()
            assert len(b.tree()) == 16
            b.device.run("undo", b.last_pass())
        else:
            a.sync()
            a.device.run("undo", "--yes")
        assert len(meet(a, b)) == 20


def test_who_says_yes_was_told_what_had_gone_before_and_it_counts_no_more(pair):
    a, b = pair
    for number in range(40):
        a.write(f"{number}", f"{number}\n")
    meet(a, b)
    gone = iter(range(40))

    def delete(count):
        for _ in range(count):
            (a.path / f"{next(gone)}").unlink()

    delete(9)
    a.sync()
    delete(2)
    assert "2 of 31" in held(a) and "(9 more in the last 24 hours)" in held(a)
    a.sync("--confirm")
    delete(1)
    a.sync()
    assert len(b.device.run("ls", b.remote, "--json").json_lines()) == 28
    # It goes on to count from there.
    delete(6)
    assert "6 of 28" in held(a) and "(1 more in the last 24 hours)" in held(a)


def test_a_moved_folder_is_no_deletion(many):
    a, b = many
    os.rename(a.path / "files", a.path / "papers")
    assert len(meet(a, b)) == 61


def test_a_remote_folder_that_is_gone_deletes_nothing_here(many, outside):
    a, b = many
    tree = a.tree()
    outside.delete(outside.by_path(a.remote).json()["id"])
    assert "no longer exists" in held(a)
    assert a.tree() == tree
    a.sync("--confirm")
    assert outside.by_path(f"{a.remote}/files/1").status_code == 200


def test_an_emptied_folder_is_asked_about_even_when_it_was_small(met):
    a, b = met
    tree = b.tree()
    for child in a.path.iterdir():
        if child.name != ".bothy":
            shutil.rmtree(child) if child.is_dir() else child.unlink()
    assert "empty" in held(a)
    b.sync()
    assert b.tree() == tree


def test_a_file_that_comes_into_an_emptied_folder_is_nobodys_word(pair):
    """A disk that has lost everything, and a program that goes on writing into it."""
    a, b = pair
    for number in range(12):
        a.write(f"{number}.txt", f"{number}\n")
    tree = meet(a, b)
    for number in range(12):
        (a.path / f"{number}.txt").unlink()
    assert "empty" in held(a)
    a.write("new.txt", "hello")
    for _ in range(2):
        assert "12 of" in held(a)
    b.sync()
    assert b.tree() == {**tree, "new.txt": b"hello"}, "what came is carried, and nothing went"
    assert a.sync("--dry-run").stdout.count("held back: would") == 12
    a.sync("--confirm")
    b.sync("--confirm", check=False)
    assert a.tree() == b.tree() == {"new.txt": b"hello"}


def test_what_is_held_is_not_let_go_by_a_folder_that_grows(many):
    a, b = many
    for number in range(20):
        (a.path / f"files/{number}").unlink()
    a.sync("--confirm")
    assert "20 of 61" in held(b)
    for number in range(100, 200):
        b.write(f"files/{number}", f"{number}\n")
    for _ in range(2):
        assert "20 of" in held(b)
    assert len(os.listdir(b.path / "files")) == 160
    for number in range(20):
        (b.path / f"files/{number}").unlink()
    b.sync()
    (b.path / "files/20").unlink()
    b.sync()
    assert not (b.path / "files/20").exists() and meet(a, b)


def test_what_a_guard_holds_back_says_so_of_each_file(many):
    a, _ = many
    a.write("beside", "b")
    shutil.rmtree(a.path / "files")
    a.sync(check=False)
    why = a.why("files/7")
    assert "its deletion waits" in why["cause"] and "files and folders would be deleted on the server" in why["cause"] and "--confirm" in why["remedy"]


@pytest.fixture
def both(pair):
    """Sixty are gone on each side, and neither has heard of the other's."""
    a, b = pair
    for number in range(60):
        a.write(f"x/{number}", f"x{number}\n")
        a.write(f"y/{number}", f"y{number}\n")
    meet(a, b)
    for number in range(60):
        (b.path / f"x/{number}").unlink()
        (a.path / f"y/{number}").unlink()
    b.sync("--confirm")
    return a, b


def test_one_confirm_lets_no_more_go_than_was_said(both):
    a, b = both
    each = ("60 of 122 files and folders would be deleted from this folder", "60 of 122 files and folders would be deleted on the server")
    said = a.sync(check=False)
    assert said.code == 1 and all(words in said.stderr for words in each), said
    assert len(a.tree()) == 62
    for words in each:
        assert words in a.sync("--dry-run").stdout
        assert words in a.device.run("status").stdout
        assert words in a.device.run("bindings").stdout
        assert words in a.why("")["cause"] and words in a.why("x/1")["cause"] and words in a.why("y/1")["cause"]
    a.sync("--confirm")
    b.sync("--confirm")
    assert sorted(meet(a, b)) == ["x", "y"]


def test_what_was_not_meant_comes_back_on_each_side_by_what_the_guard_names(both):
    a, b = both
    said = a.sync(check=False).stderr
    assert f"“bothy get {a.remote}/NAME {a.path}”" in said, said
    assert "“bothy undo NUMBER” restores them; “bothy trash put-back NAME” restores a single one" in said, said
    a.device.run("get", f"{a.remote}/y", a.path)
    assert "deleted on the server" not in held(a)
    b.device.run("undo", "--yes")
    assert len(meet(a, b)) == 122
    assert a.events()[0] == [] and b.events()[0] == []


def test_what_was_deleted_by_mistake_is_brought_back_and_nothing_else(many):
    a, b = many
    for number in range(30):
        (a.path / f"files/{number}").unlink()
    a.write("files/40", "edited")
    os.rename(a.path / "files/41", a.path / "moved")
    assert f"“bothy sync {a.path} --bring-back” restores all of them" in a.sync(check=False).stderr
    assert "30" in a.sync("--dry-run").stdout
    said = a.sync("--bring-back").stdout
    assert said.count("it was deleted here, and is restored") == 30 and "new on the server" not in said, said
    both = meet(a, b)
    assert both.keys() == {"files", "moved"} | {f"files/{number}" for number in range(60) if number != 41}
    assert both["files/40"] == b"edited" and both["files/0"] == b"0\n" and both["moved"] == b"41\n"
    assert a.events()[0] == [] and "No deletions here are waiting" in a.sync("--bring-back").stderr
    shutil.rmtree(a.path / "files")
    a.sync(check=False)
    a.sync("--bring-back")
    assert meet(a, b) == both
    # Before any pass has told, and with something moved out of what went.
    os.rename(a.path / "files/50", a.path / "also moved")
    shutil.rmtree(a.path / "files")
    a.sync("--bring-back")
    both["also moved"] = both.pop("files/50")
    assert meet(a, b) == both


def test_an_undo_while_it_asks_takes_back_nothing(many):
    """The last pass may be the one that sent what was deleted by mistake: taking that back would delete it everywhere."""
    a, b = many
    tree = b.tree()
    for number in range(60):
        (a.path / f"files/{number}").unlink()
    a.sync(check=False)
    said = a.device.run("undo", "--yes", check=False)
    assert said.code == 4 and "is held back until you decide" in said.stderr and "--bring-back” restores all of them" in said.stderr, said
    assert re.search(r"“bothy undo \d+” undoes the pass before", said.stderr), said
    b.sync()
    assert b.tree() == tree
    a.sync("--bring-back")
    assert meet(a, b) == tree


def test_an_emptied_folder_comes_back_by_what_the_guard_names(many):
    a, b = many
    tree = a.tree()
    shutil.rmtree(a.path / "files")
    assert f"“bothy get {a.remote}/NAME {a.path}”" in a.sync(check=False).stderr
    a.device.run("get", f"{a.remote}/files", a.path)
    assert meet(a, b) == tree and a.events()[0] == []


def test_documents_keeps_what_was_deleted_elsewhere_until_it_is_confirmed(met):
    a, b = met
    b.sync("--policy", "documents")
    (a.path / "report.txt").unlink()
    a.sync()
    b.sync(check=False)
    assert b.read("report.txt") == b"first\n"
    assert b.why("report.txt")["status"] == "unsynced"
    assert a.events()[0] == [], "and it does not come back"


def test_files_that_lost_their_content_are_asked_about(many):
    """So a crash leaves them: their names and times kept, and nothing in them. They were emptied on every device, unasked."""
    a, b = many
    for number in range(30):
        path = a.path / f"files/{number}"
        times = path.stat()
        path.write_bytes(b"")
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    a.write("new", "new")
    assert "30 of 62 files would be emptied on the server" in held(a)
    b.sync()
    assert b.read("files/7") == b"7\n" and b.read("new") == b"new"
    said = a.sync("--bring-back").stdout
    assert said.count("is restored") == 30, said
    assert meet(a, b)["files/7"] == b"7\n" and a.events()[0] == []
    # Meant: the other device is asked as well, since its own content would go.
    for number in range(30):
        a.write(f"files/{number}", b"")
    a.sync(check=False)
    a.sync("--confirm")
    assert "30 of 62 files would be emptied here" in held(b)
    b.sync("--confirm")
    assert meet(a, b)["files/7"] == b""
