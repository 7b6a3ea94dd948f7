"""A taking back that something cuts off goes on with the same command, and a pass that is killed leaves nothing behind."""

import itertools
import os
import shutil
import signal

import pytest

import fault_proxy
from synced import meet
from waiting import wait_until

FILES = [f"files/{number}.txt" for number in range(12)]


def untrash(nth):
    """The `nth` change of a file that goes to the server from now on."""
    count = itertools.count(1)
    return lambda r: r.method == "PATCH" and "/files/" in r.path and next(count) == nth


@pytest.fixture
def many(met):
    a, b = met
    for number in range(60):
        a.write(f"others/{number}.txt", str(number))
    for name in FILES:
        a.write(name, name)
    meet(a, b)
    return a, b


@pytest.fixture(params=["here", "elsewhere"])
def deleted(many, request):
    """Twelve files are gone on both sides, and `a` can take that back."""
    a, b = many
    first, second = (a, b) if request.param == "here" else (b, a)
    for name in FILES:
        (first.path / name).unlink()
    first.sync()
    second.sync()
    assert not set(FILES) & set(a.tree())
    return a, b


def passes(a):
    return a.device.run("log", "--json").json_lines()


def assert_all_back(a, b):
    tree = meet(a, b)
    assert set(FILES) <= set(tree), sorted(tree)


def there(folder):
    """Of the files, those that the server has."""
    listed = folder.device.run("ls", f"{folder.remote}/files", "--json").json_lines()
    return {f"files/{file['name']}" for file in listed} & set(FILES)


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("is_done", [False, True], ids=["before it is done", "before it is answered"])
def test_an_undoing_that_is_cut_off_goes_on_where_it_was(desks, deleted, ending, is_done):
    a, b = deleted
    sixth = untrash(6)
    held = desks.proxy.add(fault_proxy.hold_download(0, sixth) if is_done else fault_proxy.hold(sixth))
    undo = a.device.start("undo", a.last_pass())
    wait_until(lambda: held.used or undo.poll() is not None, what="the sixth is under way")
    if is_done:
        wait_until(lambda: len(there(b)) == 6, what="the server has done it")
    undo.send_signal(ending)
    undo.wait(60)
    said = a.device.started_log()
    if ending == signal.SIGINT:
        assert undo.returncode == 130 and "undone so far" in said and "continues from there" in said, said
    desks.proxy.clear()
    a.device.run("undo", "--yes")
    assert_all_back(a, b)


@pytest.mark.parametrize("deleted", ["here"], indirect=True)
def test_an_undoing_without_a_connection_says_how_far_it_came(desks, deleted):
    a, b = deleted
    desks.proxy.add(fault_proxy.cut_before(lambda r, sixth=untrash(6), gone=[]: bool(gone) or (sixth(r) and not gone.append(1)), times=10_000))
    said = a.device.run("undo", "--yes", check=False)
    assert said.code != 0 and "were undone so far" in said.stderr and "continues" in said.stderr, said
    assert "Nothing was undone" not in said.stderr
    desks.proxy.clear()
    listed = a.device.run("log").stdout
    assert "partly undone by pass" in listed, listed
    a.device.run("undo", "--yes")
    assert_all_back(a, b)
    assert "partly" not in a.device.run("log").stdout


@pytest.mark.parametrize("again", ["named", "last"])
def test_what_could_not_be_taken_back_here_is_tried_again(as_a_person, desks, met, again):
    """It was called changed since, the same command said that it is taken back already, and `undo` took the one before."""
    a, b = met
    a.write("closed/list.txt", "list\n")
    meet(a, b)
    a.write("before.txt", "before\n")
    a.sync()
    b.sync()
    b.write("closed/list.txt", "longer list\n")
    b.write("report.txt", "second\n")
    b.sync()
    number = a.sync("--json").json_lines()[-1]["pass"]
    (a.path / "closed").chmod(0o555)
    try:
        said = a.device.run("undo", number, check=False)
    finally:
        (a.path / "closed").chmod(0o755)
    assert said.code == 5 and "closed/list.txt" in said.stderr and "changed since" not in said.text, said
    assert f"1 could not be undone. “bothy undo {number}” retries it." in " ".join(said.stderr.split()), said
    assert a.read("report.txt") == b"first\n" and a.read("closed/list.txt") == b"longer list\n"
    assert f"partly undone by pass {number + 1}" in a.device.run("log").stdout
    # What goes on meanwhile is not what is meant.
    a.sync()
    said = a.device.run("undo", *([number] if again == "named" else ["--yes"]))
    assert f"Pass {number} of" in said.stdout and "report.txt" not in said.stdout, said
    assert a.read("closed/list.txt") == b"list\n" and "before.txt" in there_by_name(b)
    assert "partly" not in a.device.run("log").stdout
    tree = meet(a, b)
    assert tree["closed/list.txt"] == b"list\n" and tree["report.txt"] == b"first\n"
    assert a.device.run("undo", number, check=False).code == 4


def there_by_name(folder):
    return {file["name"] for file in folder.device.run("ls", folder.remote, "--json").json_lines()}


@pytest.mark.parametrize("deleted", ["here"], indirect=True)
def test_what_the_server_refused_to_take_back_is_tried_again(desks, deleted):
    a, b = deleted
    body = b'{"type": "about:blank", "title": "No", "status": 507, "code": "quota_exceeded", "detail": "There is no room."}'
    headers = [("Content-Type", "application/problem+json")]
    desks.proxy.add(fault_proxy.answer(507, untrash(6), headers=headers, body=body))
    said = a.device.run("undo", "--yes", check=False)
    assert said.code == 5 and "retries it" in said.stderr and "changed since" not in said.text, said
    assert len(there(b)) == 11
    undoing = a.device.json_lines("undo", "--yes")[-1]["pass"]
    assert_all_back(a, b)
    a.device.run("undo", str(undoing))
    a.sync("--confirm")
    b.sync("--confirm")
    assert not set(FILES) & set(meet(a, b)), "it is one undoing"


def test_a_conflict_whose_taking_back_is_cut_off_goes_on_with_the_same_command(desks, met):
    a, b = met
    b.write("report.txt", "theirs\n")
    b.sync()
    a.write("report.txt", "mine\n")
    a.sync("--conflicts", "fork")
    [decided] = a.device.json_lines("conflicts", "decided")
    tree = a.tree()
    held = desks.proxy.add(fault_proxy.hold_download(0, lambda r: r.method == "DELETE" and "/files/" in r.path))
    undo = a.device.start("resolve", "--undo", decided["number"])
    wait_until(lambda: held.used or undo.poll() is not None, what="the copy goes")
    undo.kill()
    undo.wait(60)
    desks.proxy.clear()
    a.device.run("resolve", "--undo", decided["number"])
    assert a.read("report.txt") == b"mine\n" and a.why("report.txt")["status"] == "conflict"
    assert len(a.tree()) == len(tree) - 1
    b.sync()
    assert b.read("report.txt") == b"theirs\n" and not any("conflict" in name for name in b.tree())


def test_an_undoing_that_was_gone_on_with_is_taken_back_as_one(desks, deleted):
    a, b = deleted
    desks.proxy.add(fault_proxy.hold_download(0, untrash(6)))
    undo = a.device.start("undo", a.last_pass())
    wait_until(lambda: len(there(b)) == 6, what="the server has done it")
    undo.kill()
    undo.wait(60)
    desks.proxy.clear()
    undoing = a.device.json_lines("undo", "--yes")[-1]["pass"]
    assert_all_back(a, b)
    a.device.run("undo", str(undoing))
    a.sync("--confirm")
    b.sync("--confirm")
    assert not set(FILES) & set(meet(a, b))


def test_a_folder_that_comes_back_by_an_undoing_in_two_parts_is_the_one_it_was(desks, met):
    """What others did in it is then news, as it is after an undoing in one go, and no second version of the file."""
    a, b = met
    a.write("trip/plan.txt", "by train")
    meet(a, b)
    b.write("trip/plan.txt", "by boat")
    b.sync()
    shutil.rmtree(b.path / "trip")
    b.sync("--confirm")
    a.sync("--confirm")
    assert "trip" not in a.tree()
    held = desks.proxy.add(fault_proxy.hold(untrash(1)))
    undo = a.device.start("undo", a.last_pass())
    wait_until(lambda: held.used or undo.poll() is not None, what="the folder is here, and about to be asked back")
    undo.kill()
    undo.wait(60)
    assert a.read("trip/plan.txt") == b"by train"
    desks.proxy.clear()
    a.device.run("undo", "--yes")
    tree = meet(a, b)
    assert {name for name in tree if name.startswith("trip/")} == {"trip/plan.txt"}, sorted(tree)
    assert tree["trip/plan.txt"] == b"by boat"


def test_several_passes_are_taken_back_as_one(met):
    a, b = met
    meet(a, b)
    for name in ("one", "two", "three"):
        a.write(name, name)
        a.sync()
    said = a.device.run("undo", "--yes").stderr
    first = int(said.split("--since ")[1].split("”")[0])
    a.device.run("undo", "--since", first)
    a.sync()
    names = {file["name"] for file in b.device.run("ls", a.remote, "--json").json_lines()}
    assert not {"one", "two", "three"} & names, names


def test_a_pass_that_is_killed_leaves_no_trash_and_no_passes_of_single_files(pair):
    a, b = pair
    for number in range(150):
        b.write(f"{number}.txt", bytes([number]) * 20_000)
    b.sync()
    for share in (1, 20, 50, 90, 130):
        killed = a.start("--once", "-q")
        wait_until(lambda: here(a) >= share or killed.poll() is not None, what="some have come")
        killed.kill()
        killed.wait()
    a.sync()
    assert a.trash() == []
    assert len({line["pass"] for line in passes(a) if line.get("pass")}) <= 6
    assert len(meet(a, b)) == 150


def here(folder):
    """Files that have come, in their places or on the way to them."""
    return sum(name.endswith(".txt") or "-" in name for _, _, names in os.walk(folder.path) for name in names)
