"""Names that would act on a terminal: its title, its colours, the cursor, the order of letters. No command lets one through,
whether it comes from another device, from this machine's disk, or from a server that says anything at all."""

import json
import re
import subprocess
import threading
from urllib.parse import quote

import pytest

import fault_proxy
from api import Api, new_id
from device import Device, PASSWORD, QUEUED
from fault_proxy import FaultProxy
from screen import Screen, acts, written_out
from server import BINARY, Server

TAKEN = "\u202eowned\u2028\u2066\u200b\ufeff"
"""What a server takes in a name."""
REFUSED = "\x1b]0;owned\x07\x1b[31m\x9b31m\x7f\t\n"
"""What only a disk has, or a server that lies."""


class Ground:
    """A device behind a proxy, its terminal, and its account from elsewhere; they cost more than what is tested."""

    def __init__(self, server, folder):
        self.proxy = FaultProxy(server.url)
        email = f"{new_id()}@example.org"
        self.device = Device(folder, f"laptop{TAKEN}").register(self.proxy.url, email)
        self.api = Api(server.url).login(email, PASSWORD, name=f"witness{TAKEN}")
        self.screen = Screen(self.device)

    def shows(self, name, *words, **options):
        """The command names it, with all that acts in it written out."""
        said = self.screen(*words, **options)
        assert written_out(name) in said, f"bothy {words!a} does not show {name!a}: {said!a}"
        return said

    def folder(self):
        return f"/{self.api.folder(new_id() + TAKEN)['name']}"


@pytest.fixture(scope="module")
def shared_ground(shared_server, tmp_path_factory):
    made = Ground(shared_server, tmp_path_factory.mktemp("ground"))
    yield made
    made.api.close()
    made.proxy.stop()


@pytest.fixture
def ground(shared_ground):
    yield shared_ground
    shared_ground.proxy.come_back()
    shared_ground.proxy.clear()


def test_names_that_the_server_takes_are_taken(ground):
    """What the tests below stand on; and what else would act is refused at the door."""
    ground.folder()
    for character in REFUSED:
        if character.isprintable():
            continue
        refused = ground.api.call("POST", "/v1/files", json={
            "requestId": new_id(), "name": f"a{character}b", "mimeType": "application/vnd.bothy.folder"})
        assert refused.status_code == 400, f"{character!a}: {refused.text}"


def test_files_on_the_server(ground, tmp_path):
    folder, shows = ground.folder(), ground.shows
    name, local = f"a{TAKEN}", tmp_path / f"a{TAKEN}"
    for text in ("one", "two"):
        local.write_text(text)
        shows(name, "put", "--replace", local, f"{folder}/")
    shows(name, "put", local, f"{folder}/", typed="k\n")
    shows(name, "ls", folder)
    shows(name, "ls", "-l", "-r", folder)
    shows(name, "stat", f"{folder}/{name}")
    shows(TAKEN, "history", f"{folder}/{name}")
    shows(name, "restore", f"{folder}/{name}")
    shows(name, "star", f"{folder}/{name}")
    shows(name, "cp", f"{folder}/{name}", f"{folder}/b{TAKEN}")
    shows(TAKEN, "mv", f"{folder}/b{TAKEN}", f"{folder}/c{TAKEN}")
    shows(TAKEN, "mkdir", f"{folder}/d{TAKEN}")
    (tmp_path / "back").mkdir()
    shows(name, "get", f"{folder}/{name}", tmp_path / "back")
    shows(TAKEN, "pin", f"{folder}/{name}")
    shows(TAKEN, "unpin", f"{folder}/{name}")
    shows(TAKEN, "rm", f"{folder}/{name}")
    shows(name, "trash")
    shows(name, "trash", "put-back", name)


def test_what_is_not_there(ground):
    folder, missing = ground.folder(), f"x{TAKEN}"
    for words in (("ls",), ("stat",), ("get",), ("cat",), ("history",), ("restore",), ("rm",), ("star",), ("pin",),
                  ("trash", "put-back")):
        ground.shows(missing, *words, f"{folder}/{missing}", code=4)
    for words in (("mv",), ("cp",)):
        ground.shows(missing, *words, f"{folder}/{missing}", f"{folder}/y", code=4)


def test_changes_as_they_are_watched(ground):
    folder = ground.folder()
    there, seen = ground.api.by_path(folder).json()["id"], threading.Event()

    def change():
        while not seen.wait(0.2):
            ground.api.folder(f"heard {new_id()}{TAKEN}", there)

    changing = threading.Thread(target=change)
    changing.start()
    try:
        ground.shows(TAKEN, "watch", folder, until="heard", code=None)
    finally:
        seen.set()
        changing.join()


def test_files_and_folders_of_this_machine(ground, tmp_path):
    """Their names, and the names of the folders that they lie in."""
    here, folder, screen = tmp_path / f"here{REFUSED}", ground.folder(), ground.screen
    here.mkdir()
    (here / f"a{REFUSED}").write_text("a")
    (here / "b").write_text("b")
    ground.shows(f"a{REFUSED}", "put", here / f"a{REFUSED}", f"{folder}/", code=2)
    screen("put", here / "b", f"{folder}/")
    screen("put", here, f"{folder}/", code=None)
    ground.shows(f"here{REFUSED}", "put", here / "nothing", f"{folder}/", code=4)
    (here / "back").mkdir()
    screen("get", f"{folder}/b", here / "back")
    (here / "back/b").write_text("only here")
    ground.shows(f"here{REFUSED}", "get", "--fail", f"{folder}/b", here / "back", code=4)
    ground.shows(f"here{REFUSED}", "get", f"{folder}/b", here / "back", typed="k\n")
    ground.shows(f"here{REFUSED}", "why", here / "b")


def test_transfers_that_wait(ground, tmp_path):
    here, folder = tmp_path / f"here{REFUSED}", ground.folder()
    here.mkdir()
    (here / f"film{TAKEN}").write_bytes(bytes(300_000))
    ground.proxy.add(fault_proxy.answer(507, fault_proxy.an_upload_start, 1))
    ground.shows(f"film{TAKEN}", "put", here / f"film{TAKEN}", f"{folder}/", code=None)
    ground.shows(TAKEN, "transfers")
    [transfer] = ground.device.run("transfers", "--json").json_lines()
    for words in (["pause"], ["resume"], ["retry"], ["cancel"]):
        ground.screen("transfers", *words, transfer["id"], code=None)


def test_folders_in_step(ground, tmp_path):
    here, remote = tmp_path / f"here{REFUSED}", ground.folder()
    here.mkdir()
    (here / f"a{TAKEN}").write_text("a")
    (here / f"b{REFUSED}").write_text("b")
    shows, screen = ground.shows, ground.screen
    shows(f"a{TAKEN}", "sync", "--dry-run", here, remote)
    shows(f"a{TAKEN}", "sync", "--once", here, remote, code=None)
    shows(f"here{REFUSED}", "bindings")
    shows(f"a{TAKEN}", "log", here)
    shows(f"a{TAKEN}", "why", here / f"a{TAKEN}")
    shows(f"b{REFUSED}", "why", here / f"b{REFUSED}")
    (here / f"a{TAKEN}").rename(here / f"c{TAKEN}")
    shows(f"c{TAKEN}", "sync", "--once", here, remote, code=None)
    ground.api.put_small(f"c{TAKEN}", b"theirs", ground.api.by_path(remote).json()["id"], conflict="overwrite")
    (here / f"c{TAKEN}").write_text("mine")
    shows(f"c{TAKEN}", "sync", "--once", "--conflicts", "ask", here, remote, code=None)
    shows(f"c{TAKEN}", "conflicts")
    shows(f"c{TAKEN}", "resolve", here / f"c{TAKEN}", "--keep", "theirs", code=None)
    shows(f"here{REFUSED}", "status")
    screen("sync", "--once", here, remote, code=None)
    shows(TAKEN, "trash", "--local", code=None)
    shows(TAKEN, "undo", "--yes", code=None)
    shows(f"here{REFUSED}", "unsync", here, "--yes")


def typed_as_shown(ground, command):
    """Whether a shell, which has only what the screen shows, takes the command."""
    (ground.device.home / "bin").mkdir(exist_ok=True)
    there = ground.device.home / "bin/bothy"
    there.exists() or there.symlink_to(BINARY)
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, env={
        **ground.device.environment, "PATH": f"{there.parent}:{ground.device.environment['PATH']}"})


def test_a_command_that_is_named_is_one_that_a_shell_takes(ground, tmp_path):
    """A newline in a name broke it in two, and what else acts was shown as what no shell reads."""
    here, remote = tmp_path / f"it's {REFUSED}{TAKEN}1", f"{ground.folder()}/b'{TAKEN}"
    here.mkdir()
    (here / f"a{TAKEN}").write_text("a")
    (here / f"c{REFUSED}").write_text("c")

    def named(said):
        return re.findall(r"“(bothy [^”]*)”", said)

    command = named(ground.screen("sync", "--dry-run", here, remote))[-1]
    said = typed_as_shown(ground, command)
    assert said.returncode == 5, (command, said)  # the server takes no such name as the other one
    assert ground.api.by_path(f"{remote}/a{TAKEN}").status_code == 200
    [rename] = re.findall(r"rename (.*) here", ground.screen("why", here / f"c{REFUSED}"))
    assert typed_as_shown(ground, f"printf %s {rename}").stdout == str(here / f"c{REFUSED}")
    [back] = named(ground.screen("rm", f"{remote}/a{TAKEN}"))
    assert typed_as_shown(ground, back).returncode == 0, back
    for words in (("mkdir", f"{remote}/x/y"), ("put", here / f"a{TAKEN}", f"{remote}/x/y")):
        [make] = named(ground.screen(*words, code=4))
        assert typed_as_shown(ground, make).returncode == 0, make
        ground.screen("rm", f"{remote}/x")
    [tells] = named(ground.screen("resolve", here / f"a{TAKEN}", "--send", code=4))
    assert typed_as_shown(ground, tells).returncode == 0, tells
    ground.screen("unsync", here, "--yes")


def test_what_is_done_without_a_connection(ground, tmp_path):
    folder, local = ground.folder(), tmp_path / f"a{TAKEN}"
    local.write_text("base")
    ground.screen("put", local, f"{folder}/")
    ground.screen("ls", folder)
    ground.proxy.go_down()
    local.write_text("mine")
    ground.shows(TAKEN, "mkdir", f"{folder}/new{TAKEN}", code=QUEUED)
    ground.screen("put", "--replace", local, f"{folder}/", code=QUEUED)
    ground.shows(f"new{TAKEN}", "journal")
    ground.screen("status")
    there = ground.api.by_path(folder).json()["id"]
    ground.api.put_small(f"a{TAKEN}", b"theirs", there, conflict="overwrite")
    ground.proxy.come_back()
    ground.shows(f"a{TAKEN}", "journal", "retry", code=None)
    ground.shows(f"a{TAKEN}", "conflicts", "decided")


def lies(name):
    """Every text of an answer that has the mark gets a name that no server takes."""
    def changed(value):
        if isinstance(value, dict):
            return {key: changed(entry) for key, entry in value.items()}
        if isinstance(value, list):
            return [changed(entry) for entry in value]
        return value.replace("owned", name) if isinstance(value, str) else value

    def edit(document):
        document.update(changed(document))
    return edit


def test_a_server_that_says_anything(ground, tmp_path):
    folder = f"/{new_id()}"
    there = ground.api.folder(folder[1:])["id"]
    ground.api.put_small("a owned", b"one", there)

    def not_content(request):
        return "/v1/content" not in request.path and not request.path.endswith(("/events", "/wait"))

    ground.proxy.add(fault_proxy.rewrite(lies(REFUSED), not_content, 100_000))
    for words in (("ls", folder), ("ls", "-l", folder), ("history", f"{folder}/a owned"), ("devices",)):
        ground.shows(REFUSED, *words)
    ground.shows(REFUSED, "get", folder, tmp_path / "back", code=1)
    assert not list((tmp_path / "back").rglob("*owned*"))
    for words in (("stat", f"{folder}/a owned"), ("cat", f"{folder}/a owned"), ("star", f"{folder}/a owned"), ("whoami",),
                  ("doctor",), ("status",), ("rm", f"{folder}/a owned")):
        ground.screen(*words, code=None)
    ground.shows(REFUSED, "trash")


@pytest.mark.parametrize("status, code", [(400, "invalid_name"), (409, "name_conflict"), (422, "of a later Bothy")])
def test_a_refusal_whose_words_act(ground, tmp_path, status, code):
    folder = ground.folder()
    (tmp_path / "b").write_text("b")
    body = json.dumps({"type": REFUSED, "title": REFUSED, "status": status, "code": code, "detail": REFUSED}).encode()
    ground.proxy.add(fault_proxy.answer(status, lambda request: request.method != "GET", 100,
                                        [("Content-Type", "application/problem+json")], body))
    for command in (("mkdir", f"{folder}/x"), ("put", tmp_path / "b", f"{folder}/"), ("star", folder), ("rm", folder)):
        for form in ((), ("--json",)):
            assert "bothy" in ground.screen(*command, *form, code=None) or form


def test_a_script_gets_each_name_as_it_is_and_nothing_that_acts(ground):
    folder, name = ground.folder(), f"a{TAKEN}"
    file = ground.api.put_small(name, b"one", ground.api.by_path(folder).json()["id"])

    def told(*words):
        return [json.loads(line) for line in ground.screen(*words, "--json").splitlines()]

    assert [entry["name"] for entry in told("ls", folder)] == [name]
    assert [entry["path"] for entry in told("stat", f"{folder}/{name}")] == [f"{folder}/{name}"]
    assert f"witness{TAKEN}" in [device["name"] for device in told("devices")]
    ground.api.delete(file["id"])
    assert name in [entry["name"] for entry in told("trash")]
    said = ground.device.run("stat", f"{folder}/{name}", "--json", check=False)
    assert said.code == 4 and name in json.loads(said.stderr)["error"]["message"] and TAKEN not in said.stderr


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_servers_own_log(tmp_path, new_account, form):
    """Whoever asks chooses most of what a request is made of."""
    server = Server(tmp_path / "data", environment={"BOTHY_LOG_LEVEL": "trace", "BOTHY_LOG_FORMAT": form}).start()
    try:
        api = new_account(server)
        for text in (TAKEN, REFUSED):
            api.call("POST", "/v1/auth/register", token="", json={
                "email": f"{text}{new_id()}@example.org", "password": PASSWORD, "displayName": text,
                "device": {"name": text, "platform": text}})
            api.call("POST", "/v1/auth/login", token="", json={
                "email": f"{text}@example.org", "password": text, "device": {"name": text, "platform": text}})
            api.call("POST", "/v1/files", json={"requestId": text, "name": text, "mimeType": text, "parentId": text})
            api.call("GET", f"/v1/files/{quote(text)}", params={"page": text}, headers={
                "User-Agent": "\x9b31m\u202e".encode(), "X-Forwarded-For": "\x9b31m\u202e".encode()})
            api.put_small(f"a{TAKEN}", b"x", conflict="fork")
        server.stop()
    finally:
        server.kill()
    assert "/v1/files/" in server.log()
    acted = {(f"U+{ord(c):04X}", line) for line in server.output for c in line if acts(c)}
    assert not acted, acted
