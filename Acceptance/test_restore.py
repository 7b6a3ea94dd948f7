"""The drive, or a part of it, as it stood at a moment: one command away, and one command back."""

import datetime
import re
import threading
import time

import pytest

from api import Api, new_id, problem
from device import PASSWORD
from server import Server
from waiting import wait_until


@pytest.fixture
def witness(device, shared_server):
    """The account of `device`, past the command line."""
    made = Api(shared_server.url).login(device.json("whoami")["user"]["email"], PASSWORD, name="witness")
    yield made
    made.close()


def moment():
    """A time that lies between what was done before and what is done after."""
    time.sleep(0.005)
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
    time.sleep(0.005)
    return now


def write(device, remote, text):
    device.put("-", remote, stdin=text.encode())


def tree(api, parent="root", path=""):
    """Path → content of everything that is live; None for folders."""
    found = {}
    for file in api.list(parent):
        name = f"{path}/{file['name']}"
        if file["mimeType"].endswith("folder"):
            found[name] = None
            found |= tree(api, file["id"], name)
        else:
            found[name] = api.read(file) if file.get("checksum") else b""
    return found


def restore(api, expect=200, **request):
    return api.call("POST", "/v1/restore", json={"requestId": new_id(), **request}, expect=expect)


def spoil(device):
    """What a bad afternoon does to a folder."""
    write(device, "/docs/a.txt", "overwritten")
    device.run("mv", "/docs/b.txt", "/docs/b renamed.txt")
    device.run("mv", "/docs/deep", "/elsewhere")
    device.run("rm", "/docs/c.txt")
    write(device, "/docs/new.txt", "was not there")
    device.run("rm", "--permanently", "--yes", "/docs/gone.txt")


@pytest.fixture
def good_day(device, witness):
    for folder in ("/docs", "/docs/deep"):
        device.run("mkdir", folder)
    for name in ("a.txt", "b.txt", "c.txt", "gone.txt", "deep/d.txt"):
        write(device, f"/docs/{name}", f"this is {name}")
    write(device, "/other.txt", "not in the folder")
    return tree(witness)


def test_a_folder_goes_back_and_the_rest_stays(device, witness, good_day):
    then = moment()
    spoil(device)
    write(device, "/other.txt", "newer")
    said = device.run("restore", "/docs", "--at", then)
    expected = {**good_day, "/other.txt": b"newer"}
    del expected["/docs/gone.txt"]
    assert tree(witness) == expected
    assert "“/docs” is again as it was" in said.stdout and "1 thing was deleted for good" in said.stdout
    assert "new.txt" in [f["name"] for f in witness.list(trashed="true")]


def test_a_dry_run_lists_and_changes_nothing_and_its_plan_does_what_it_listed(device, witness, good_day):
    then = moment()
    spoil(device)
    before = tree(witness)
    said = device.run("restore", "/", "--at", then, "--dry-run")
    assert tree(witness) == before
    for line in ("back   /docs/a.txt  (its content)", "back   /docs/b.txt  (is “b renamed.txt” now)",
                 "back   /docs/c.txt  (from the trash)", "trash  /docs/new.txt  (was not there)",
                 "back   /docs/deep/  (is /elsewhere now)", "lost   /docs/gone.txt  (deleted for good on "):
        assert line in said.stdout, said
    assert "Nothing has changed yet." in said.stdout
    plan = re.search(r"bothy restore --plan (\S+)", said.stdout).group(1)
    lines = device.run("restore", "/", "--at", then, "--dry-run", "--json").json_lines()
    assert lines[-1]["state"] == "planned" and lines[-1]["putBack"] == 4 and lines[-1]["trashed"] == 1
    assert sorted(line["action"] for line in lines[:-1]) == ["lost"] + ["putBack"] * 4 + ["trash"]
    device.run("restore", "--plan", plan)
    assert tree(witness) == {k: v for k, v in good_day.items() if k != "/docs/gone.txt"}


def test_a_plan_is_refused_when_something_changed_since(device, witness, good_day):
    then = moment()
    spoil(device)
    plan = device.run("restore", "/docs", "--at", then, "--dry-run", "--json").json_lines()[-1]["restoreId"]
    write(device, "/docs/a.txt", "changed after looking")
    before = tree(witness)
    said = device.run("restore", "--plan", plan, check=False)
    assert said.code == 4 and "a.txt" in said.text and "dry run" in said.text, said
    assert tree(witness) == before


def test_a_restore_is_undone_and_the_undoing_too(device, witness, good_day):
    then = moment()
    spoil(device)
    spoilt = tree(witness)
    said = device.run("restore", "/", "--at", then)
    good = tree(witness)
    undo = re.search(r"Undo it with: bothy (restore / --at \S+)", said.stdout).group(1).split()
    said = device.run(*undo)
    assert tree(witness) == spoilt, "undone"
    undo = re.search(r"Undo it with: bothy (restore / --at \S+)", said.stdout).group(1).split()
    device.run(*undo)
    assert tree(witness) == good, "and done again"
    assert "already" in device.run("restore", "/", "--at", "now").stdout


def test_a_folder_in_the_trash_goes_back_by_the_path_it_had(device, witness, good_day):
    then = moment()
    write(device, "/docs/a.txt", "overwritten")
    device.run("rm", "/docs")
    device.run("restore", "/docs", "--at", then)
    assert tree(witness) == good_day


def test_one_file_goes_back_with_its_name_and_place(device, witness, good_day):
    then = moment()
    write(device, "/docs/a.txt", "overwritten")
    device.run("mv", "/docs/a.txt", "/moved.txt")
    device.run("restore", "/moved.txt", "--at", then)
    assert tree(witness) == good_day


def test_two_that_swapped_names_swap_back(device, witness):
    write(device, "/a", "one")
    write(device, "/b", "two")
    then = moment()
    for old, new in (("/a", "/c"), ("/b", "/a"), ("/c", "/b")):
        device.run("mv", old, new)
    device.run("restore", "/", "--at", then)
    assert tree(witness) == {"/a": b"one", "/b": b"two"}


def test_what_moved_out_of_a_folder_that_was_deleted_for_good_goes_back_into_it(device, witness, good_day):
    then = moment()
    device.run("mv", "/docs/deep/d.txt", "/d.txt")
    device.run("rm", "--permanently", "--yes", "/docs")
    said = device.run("restore", "/", "--at", then, "--dry-run")
    assert "anew   /docs/" in said.stdout and "anew   /docs/deep/" in said.stdout
    device.run("restore", "/", "--at", then)
    assert tree(witness) == {"/docs": None, "/docs/deep": None, "/docs/deep/d.txt": b"this is deep/d.txt",
                             "/other.txt": b"not in the folder"}


def test_words_for_moments_that_cannot_be(device, good_day):
    for words, code, text in (
            (["/", "--at", "tomorrow"], 2, "2 hours ago"), (["/", "--at", "2001-01-01"], 1, "goes back to"),
            (["/", "--at", "2040-01-01"], 1, "in the future"), (["/nothing", "--at", "now"], 4, "/nothing"),
            (["/docs"], 4, "--at"), (["--plan", new_id()], 4, "There is no plan"), ([], 2, "--at"),
            (["/docs", "--at", "now", "--plan", "x"], 2, "--plan")):
        said = device.run("restore", *words, check=False)
        assert said.code == code and text in said.text, said


def test_the_refusals_by_their_codes(api):
    before_all = api.user and api.cursor()
    file = api.put_small("a", b"1")
    cursor = api.cursor()
    problem(restore(api, expect=None), 400, "invalid_parameter")
    problem(restore(api, expect=None, at=moment(), cursor=cursor), 400, "invalid_parameter")
    problem(restore(api, expect=None, at="2040-01-01T00:00:00Z"), 400, "invalid_parameter")
    told = problem(restore(api, expect=None, at="2001-01-01T00:00:00Z"), 410, "moment_forgotten")
    assert told["earliest"] > "2026"
    problem(restore(api, expect=None, cursor="c1.1.zzz.0"), 410, "cursor_expired")
    problem(restore(api, expect=None, cursor=before_all, fileId=file["id"]), 422, "not_there_then")
    problem(restore(api, expect=None, cursor=cursor, fileId=new_id()), 404, "not_found")
    problem(restore(api, expect=None, planId=new_id()), 404, "not_found")
    problem(restore(api, expect=None, planId=new_id(), at=moment()), 400, "invalid_parameter")
    plan = restore(api, cursor=cursor, dryRun=True).json()["restoreId"]
    restore(api, planId=plan)
    problem(restore(api, expect=None, planId=plan), 409, "plan_changed")


def test_the_same_request_restores_once_and_another_body_is_refused(api):
    file = api.put_small("a", b"1")
    cursor = api.cursor()
    api.patch(file["id"], name="b")
    key = new_id()
    answers = [restore(api, requestId=key, cursor=cursor).json() for _ in range(3)]
    assert len({answer["restoreId"] for answer in answers}) == 1
    assert len({answer["after"] for answer in answers}) == 1 and api.names() == ["a"]
    problem(restore(api, expect=None, requestId=key, cursor=cursor, dryRun=True), 422, "idempotency_mismatch")


def test_other_devices_hear_of_it_from_the_log(api):
    file = api.put_small("a", b"1")
    cursor = api.cursor()
    api.patch(file["id"], name="b")
    seen = api.cursor()
    answer = restore(api, cursor=cursor)
    changes, after = api.changes(seen)
    assert [change["file"]["name"] for change in changes] == ["a"]
    assert answer.headers["Bothy-Cursor"] == after == answer.json()["after"]


def test_changes_page(api):
    cursor = api.cursor()
    for number in range(7):
        api.put_small(f"file {number}", b"x")
    plan = restore(api, cursor=cursor, dryRun=True).json()
    assert plan["counts"]["trashed"] == 7
    seen, page = [], None
    while True:
        answer = api.call("GET", f"/v1/restore/{plan['restoreId']}/changes", expect=200,
                          params={"limit": 3, **({"page": page} if page else {})}).json()
        assert len(answer["changes"]) <= 3
        seen += [change["path"] for change in answer["changes"]]
        page = answer["pagination"].get("next")
        if not page:
            break
    assert sorted(seen) == [f"/file {number}" for number in range(7)]


def test_a_restore_that_a_kill_broke_off_goes_on(tmp_path, new_account):
    server = Server(tmp_path / "data").start()
    api = new_account(server)
    try:
        folder = api.folder("many")["id"]
        for number in range(600):
            api.put_small(f"file {number}", b"x", parent=folder)
        cursor = api.cursor()
        for number, file in enumerate(api.list(folder)):
            api.patch(file["id"], name=f"spoilt {number}")
        key = new_id()
        restoring = threading.Thread(target=broken_off, args=(api, key, cursor))
        restoring.start()
        wait_until(lambda: any(name.startswith("file") for name in api.names(folder)))
        server.kill()
        restoring.join()
        server.start()
        api = Api(server.url).login(api.user["email"])
        answer = restore(api, requestId=key, cursor=cursor).json()
        assert answer["state"] == "finished" and answer["counts"]["done"] == 600, answer
        assert sorted(api.names(folder)) == sorted(f"file {number}" for number in range(600))
        api.close()
    finally:
        server.kill()


def broken_off(api, key, cursor):
    other = Api(api.url)
    other.access = api.access
    try:
        restore(other, expect=None, requestId=key, cursor=cursor)
    except Exception:  # noqa: BLE001: the server is killed under it
        pass
    finally:
        other.close()
