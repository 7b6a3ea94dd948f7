"""A server that lies, or that somebody else has got hold of: what it says is looked at before it is done.

How many it may delete at a time is in test_sync_guards.py.
"""

import os
import socket
import threading

import pytest

from fault_proxy import rewrite
from synced import meet


def lies(desks, edit):
    """Every page of changes that the laptop gets is edited first, each file in it."""

    def edit_page(page):
        for change in page.get("changes", []):
            if change.get("file"):
                edit(change["file"])

    return desks.proxy.add(rewrite(edit_page, lambda r: r.path == "/v1/changes", times=99))


@pytest.fixture
def fresh(desks, pair):
    """The desktop has sent a file that the laptop has not heard of."""
    a, b = pair
    a.write("mine", "m")
    a.sync()
    b.sync()
    b.write("victim", "v" * 100)
    b.sync()
    return a, b


def everything_around(folder):
    return sorted(os.listdir(folder.path.parent))


HOSTILE_NAMES = ["../escaped", "..", ".", "", "a/b", "/etc/passwd", "nul\0byte", ".bothy", "x" * 256, "\n", "../../bothy/client.sqlite"]


@pytest.mark.parametrize("name", HOSTILE_NAMES, ids=repr)
def test_a_name_that_no_disk_should_hold_is_never_made(desks, fresh, name):
    a, _ = fresh
    before, around = a.tree(), everything_around(a)
    state = (a.device.home / "bothy/client.sqlite").stat().st_ino

    def edit(file):
        if file["name"] == "victim":
            file["name"] = name

    lies(desks, edit)
    said = a.sync(check=False)
    assert said.code in (0, 1, 3, 5) and "\0" not in said.text
    assert everything_around(a) == around and (a.device.home / "bothy/client.sqlite").stat().st_ino == state
    assert a.tree() == before
    assert a.read("mine") == b"m"


@pytest.mark.parametrize("name", ["\x1b[2Jgone", "invoice\u202efdp.exe", "a\rb", "\u2066hidden\u2069"], ids=repr)
def test_a_name_that_acts_on_the_terminal_is_shown_as_what_it_is(desks, fresh, name):
    a, _ = fresh

    def edit(file):
        if file["name"] == "victim":
            file["name"] = name

    lies(desks, edit)
    said = a.sync(check=False)
    for text in (said.text, a.device.run("log").text, a.device.run("why", a.path / name, check=False).text):
        assert not any(character in text for character in "\x1b\r\u202e\u2066\u2069"), repr(text)
    assert a.read("mine") == b"m"


@pytest.mark.parametrize("size", [0, 99, 101, 1 << 40, -1])
def test_a_size_that_lies_brings_nothing_wrong(desks, fresh, size):
    a, _ = fresh

    def edit(file):
        if file["name"] == "victim":
            file["size"] = size

    lies(desks, edit)
    a.sync(check=False, seconds=60)
    assert "victim" not in a.tree() or a.read("victim") == b"v" * 100
    assert a.read("mine") == b"m"


def test_a_hash_that_lies_brings_nothing(desks, fresh):
    a, _ = fresh

    def edit(file):
        if file["name"] == "victim":
            file["checksum"] = "0" * 64

    lies(desks, edit)
    said = a.sync(check=False)
    assert said.code != 0 and "victim" not in a.tree()


def test_a_folder_that_lies_in_itself_is_left_out(desks, pair):
    a, b = pair
    a.write("mine", "m")
    a.sync()
    b.sync()
    b.write("outer/inner/file", "f")
    b.sync()
    ids = {}

    def edit(file):
        ids[file["name"]] = file["id"]
        if file["name"] == "outer" and "inner" in ids:
            file["parentId"] = ids["inner"]
        if file["name"] == "inner":
            file["parentId"] = file["id"]

    lies(desks, edit)
    assert a.sync(check=False, seconds=60).code in (0, 1, 3, 5)
    assert a.read("mine") == b"m"


def test_two_files_of_one_name_are_not_written_over_each_other(desks, fresh):
    a, b = fresh
    b.write("second", "second\n")
    b.sync()

    def edit(file):
        if file["name"] == "second":
            file["name"] = "victim"

    lies(desks, edit)
    a.sync(check=False)
    contents = [content for path, content in a.tree().items() if path != "mine"]
    assert set(contents) <= {b"v" * 100, b"second\n"}


@pytest.fixture
def elsewhere():
    """An address that nobody should talk to; how many did."""
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(0.2)
    heard = []
    ending = threading.Event()

    def listen():
        while not ending.is_set():
            try:
                line, _ = server.accept()
            except TimeoutError:
                continue
            heard.append(line.recv(4096))
            line.close()

    thread = threading.Thread(target=listen)
    thread.start()
    yield f"http://127.0.0.1:{server.getsockname()[1]}", heard
    ending.set()
    thread.join()
    server.close()


def test_an_upload_address_elsewhere_gets_no_byte(desks, pair, elsewhere):
    a, _ = pair
    address, heard = elsewhere

    def edit(answer):
        answer["uploadUrl"] = f"{address}/v1/upload/{answer.get('uploadId')}"

    desks.proxy.add(rewrite(edit, lambda r: r.method == "POST" and r.path == "/v1/upload", times=99))
    a.write("large", os.urandom(6 << 20))
    a.sync(check=False, seconds=60)
    assert heard == []


@pytest.mark.parametrize("prefix", ["http://", "//"])
def test_a_download_address_elsewhere_gets_no_token_and_brings_nothing_wrong(desks, fresh, elsewhere, prefix):
    """Content may lie elsewhere: its hash says whether it is right, and nobody else is told who asks."""
    a, _ = fresh
    address, heard = elsewhere
    there = prefix + address.removeprefix("http://")

    def edit(document):
        for part in (document, document.get("file") or {}, *document.get("revisions", [])):
            if "downloadUrl" in part:
                part["downloadUrl"] = there + part["downloadUrl"]

    desks.proxy.add(rewrite(edit, lambda r: r.method == "GET" and r.path.startswith("/v1/files/"), times=99))
    lies(desks, lambda file: edit(file))
    a.sync(check=False, seconds=60)
    assert not any(b"authorization" in request.lower() or b"bearer" in request.lower() for request in heard), heard
    assert "victim" not in a.tree() or a.read("victim") == b"v" * 100


@pytest.mark.parametrize("edit", ["drop", "null", "strings", "deep"])
def test_answers_that_make_no_sense_change_nothing(desks, fresh, edit):
    a, _ = fresh
    before = a.tree()

    def nonsense(page):
        if edit == "drop":
            page.clear()
        elif edit == "null":
            page["changes"] = None
        elif edit == "strings":
            page["changes"] = ["nothing"] * 3
        else:
            inner = page["changes"]
            for _ in range(500):
                inner = [inner]
            page["changes"] = inner

    desks.proxy.add(rewrite(nonsense, lambda r: r.path == "/v1/changes", times=99))
    assert a.sync(check=False).code == 1
    assert a.tree() == before
    desks.proxy.clear()
    a.sync()
    assert a.read("victim") == b"v" * 100
