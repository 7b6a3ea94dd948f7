"""What was sent reached the server and its answer got lost; then its person took it back here. What is here counts."""

import os

import pytest

from fault_proxy import arrive_late, drop_answer
from synced import meet
from waiting import wait_until


@pytest.fixture
def lost(desks, met):
    """`lost()`: a pass of the laptop's whose first change arrives and is not answered."""
    a, b = met

    def send():
        fault = desks.proxy.add(drop_answer(lambda r: r.method in ("POST", "PATCH", "DELETE") and "/files" in r.path, times=99))
        assert a.sync(check=False).code != 0
        assert fault.used
        desks.proxy.clear()
        return a, b

    return send


def test_a_move_that_is_moved_back(met, lost):
    a, _ = met
    os.rename(a.path / "report.txt", a.path / "docs/report.txt")
    a, b = lost()
    os.rename(a.path / "docs/report.txt", a.path / "report.txt")
    tree = meet(a, b)
    assert tree["report.txt"] == b"first\n" and "docs/report.txt" not in tree


def test_a_move_that_is_moved_on(met, lost):
    a, _ = met
    os.rename(a.path / "docs", a.path / "papers")
    a, b = lost()
    os.rename(a.path / "papers", a.path / "sheets")
    assert sorted(meet(a, b)) == ["report.txt", "sheets", "sheets/old", "sheets/old/notes.txt", "sheets/plan.md"]


def test_a_new_folder_that_is_renamed(met, lost):
    a, _ = met
    (a.path / "new").mkdir()
    a, b = lost()
    os.rename(a.path / "new", a.path / "newer")
    tree = meet(a, b)
    assert "newer" in tree and "new" not in tree


def test_a_new_folder_that_is_deleted(met, lost):
    a, _ = met
    (a.path / "new").mkdir()
    a, b = lost()
    (a.path / "new").rmdir()
    assert "new" not in meet(a, b)


def test_an_executable_bit_that_is_taken_away(met, lost):
    a, _ = met
    (a.path / "report.txt").chmod(0o755)
    a, b = lost()
    (a.path / "report.txt").chmod(0o644)
    meet(a, b)
    assert [folder.path.joinpath("report.txt").stat().st_mode & 0o111 for folder in (a, b)] == [0, 0]


def test_a_time_that_is_put_back(met, lost):
    a, _ = met
    before = (a.path / "report.txt").stat().st_mtime_ns
    os.utime(a.path / "report.txt", ns=(10 ** 18, 10 ** 18))
    a, b = lost()
    os.utime(a.path / "report.txt", ns=(before, before))
    meet(a, b)
    assert [folder.path.joinpath("report.txt").stat().st_mtime_ns for folder in (a, b)] == [before, before]


def test_a_deletion_that_is_thought_better_of(met, lost, tmp_path):
    a, _ = met
    os.rename(a.path / "docs", tmp_path / "docs")
    a, b = lost()
    os.rename(tmp_path / "docs", a.path / "docs")
    tree = meet(a, b)
    assert tree["docs/plan.md"] == b"plan\n" and tree["docs/old/notes.txt"] == b"notes\n"


@pytest.mark.parametrize("name", ["report.txt", "docs"])
def test_what_comes_back_before_its_turn_stays_the_same_file(desks, met, tmp_path, name):
    """It was out of the folder for a moment, and deletions go last: elsewhere it would be deleted and made anew."""
    a, b = met
    before = a.why(name)["onTheServer"]["fileId"]
    os.rename(a.path / name, tmp_path / name)
    a.write("new.bin", os.urandom(300_000))

    def put_back(request):
        if request.path.startswith("/v1/upload") and (tmp_path / name).exists():
            os.rename(tmp_path / name, a.path / name)
        return False

    desks.proxy.add(drop_answer(put_back))
    a.sync()
    assert not (tmp_path / name).exists() and a.why(name)["onTheServer"]["fileId"] == before
    assert "new.bin" in meet(a, b)


def test_what_never_arrived_is_not_remembered_as_done(desks, met):
    """The laptop's move never reached the server and was taken back; then another device makes the same move."""
    a, b = met
    os.rename(a.path / "report.txt", a.path / "docs/report.txt")
    desks.proxy.go_down()
    assert a.sync(check=False).code != 0
    desks.proxy.come_back()
    os.rename(a.path / "docs/report.txt", a.path / "report.txt")
    a.sync()
    os.rename(b.path / "report.txt", b.path / "docs/report.txt")
    b.sync()
    tree = meet(a, b)
    assert "docs/report.txt" in tree and "report.txt" not in tree


def late(desks, home, undo):
    """A pass of `home` is killed with its change on the way; `undo()`, a whole pass, and only then the change arrives."""
    fault = desks.proxy.add(arrive_late(lambda r: r.method in ("POST", "PATCH") and "/files" in r.path))
    killed = home.start("--once")
    wait_until(lambda: fault.is_on_its_way, what="the change is on its way")
    killed.kill()
    killed.wait(60)
    undo()
    home.sync()
    desks.proxy.clear()
    wait_until(lambda: fault.has_arrived, what="the change has arrived")
    home.sync()


def test_an_executable_bit_that_arrives_late(desks, met):
    a, b = met
    report = a.path / "report.txt"
    report.chmod(0o755)
    late(desks, a, lambda: report.chmod(0o644))
    meet(a, b)
    assert [folder.path.joinpath("report.txt").stat().st_mode & 0o111 for folder in (a, b)] == [0, 0]


@pytest.mark.parametrize("then", ["docs", "sheets"])
def test_a_move_that_arrives_late(desks, met, then):
    a, b = met
    os.rename(a.path / "docs", a.path / "papers")
    late(desks, a, lambda: os.rename(a.path / "papers", a.path / then))
    assert sorted(meet(a, b)) == sorted(["report.txt", then, f"{then}/old", f"{then}/old/notes.txt", f"{then}/plan.md"])


def test_a_new_folder_that_arrives_late(desks, met):
    a, b = met
    (a.path / "new").mkdir()
    late(desks, a, lambda: os.rename(a.path / "new", a.path / "newer"))
    tree = meet(a, b)
    assert "newer" in tree and "new" not in tree


def test_a_rename_that_arrives_after_its_folder_was_deleted(desks, met):
    """Nobody who deleted the folder had seen it: what was renamed is kept, as it is where the rename never left."""
    a, b = met
    os.rename(a.path / "docs/plan.md", a.path / "docs/renamed.md")
    fault = desks.proxy.add(arrive_late(lambda r: r.method == "PATCH" and "/files" in r.path))
    killed = a.start("--once")
    wait_until(lambda: fault.is_on_its_way, what="the rename is on its way")
    killed.kill()
    killed.wait(60)
    b.device.run("rm", f"{b.remote}/docs")
    desks.proxy.clear()
    wait_until(lambda: fault.has_arrived, what="the rename has arrived")
    tree = meet(a, b)
    assert tree["docs/renamed.md"] == b"plan\n" and "docs/old" not in tree
