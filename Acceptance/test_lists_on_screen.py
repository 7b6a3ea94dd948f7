"""Each command that lists something, with names in it that would act on a terminal: they are shown, and act on nothing, in words
and in JSON."""

import json

import pytest

import fault_proxy
from api import new_id
from device import QUEUED
from server import Server
from test_names_on_screen import REFUSED, TAKEN, Ground


class Lists:
    """A device on which every list has something in it."""

    def __init__(self, ground, folder):
        self.ground, self.server = ground, ground.folder()
        screen, api = ground.screen, ground.api
        self.here, self.local = folder / f"here{REFUSED}", folder / f"file{TAKEN}"
        self.here.mkdir()
        self.before = api.cursor()
        for text in ("one", "two"):
            self.local.write_text(text)
            screen("put", "--replace", self.local, f"{self.server}/")
        self.file = f"{self.server}/file{TAKEN}"
        screen("pin", self.file)
        api.put_small(f"gone{TAKEN}", b"x", self.there())
        screen("rm", f"{self.server}/gone{TAKEN}")
        self.sync()
        self.transfer(folder)
        self.wait()

    def there(self, path=""):
        return self.ground.api.by_path(f"{self.server}{path}").json()["id"]

    def sync(self):
        """A folder in step, in which one file is in conflict, one went to the trash here, and one cannot go to the server."""
        for name in (f"both{TAKEN}", f"old{TAKEN}", f"only here{REFUSED}"):
            (self.here / name).write_text("base")
        once = ("sync", "--once", "--conflicts", "ask", self.here, f"{self.server}/box")
        self.ground.screen(*once, code=None)
        self.ground.api.put_small(f"both{TAKEN}", b"theirs", self.there("/box"), conflict="overwrite")
        self.ground.api.delete(self.there(f"/box/old{TAKEN}"))
        (self.here / f"both{TAKEN}").write_text("mine")
        self.ground.screen(*once, "--confirm", code=None)

    def transfer(self, folder):
        """One that failed."""
        (folder / f"film{TAKEN}").write_bytes(bytes(300_000))
        self.ground.proxy.add(fault_proxy.answer(507, fault_proxy.an_upload_start, 1))
        self.ground.screen("put", folder / f"film{TAKEN}", f"{self.server}/", code=None)

    def wait(self):
        """Something waits to be sent."""
        self.ground.proxy.go_down()
        self.ground.screen("mkdir", f"{self.server}/later{TAKEN}", code=QUEUED)
        self.ground.screen("pause")
        self.ground.proxy.come_back()


@pytest.fixture(scope="module")
def lists(shared_server, tmp_path_factory):
    ground = Ground(shared_server, tmp_path_factory.mktemp("ground"))
    yield Lists(ground, tmp_path_factory.mktemp("lists"))
    ground.api.close()
    ground.proxy.stop()


LISTS = {
    "ls": (f"file{TAKEN}", lambda a: ("ls", a.server)),
    "ls of all": (f"file{TAKEN}", lambda a: ("ls", "-l", "-r", "/")),
    "stat": (f"file{TAKEN}", lambda a: ("stat", a.file)),
    "history": (f"laptop{TAKEN}", lambda a: ("history", a.file)),
    "pins": (f"file{TAKEN}", lambda a: ("pin",)),
    "trash": (f"gone{TAKEN}", lambda a: ("trash",)),
    "the trash here": (f"old{TAKEN}", lambda a: ("trash", "--local")),
    "transfers": (f"film{TAKEN}", lambda a: ("transfers",)),
    "all transfers": (f"file{TAKEN}", lambda a: ("transfers", "--all")),
    "journal": (f"later{TAKEN}", lambda a: ("journal",)),
    "conflicts": (f"both{TAKEN}", lambda a: ("conflicts",)),
    "bindings": (f"here{REFUSED}", lambda a: ("bindings",)),
    "log": (f"old{TAKEN}", lambda a: ("log",)),
    "log of a folder": (f"old{TAKEN}", lambda a: ("log", a.here)),
    "why of a folder": (f"both{TAKEN}", lambda a: ("why", a.here)),
    "why of a file": (f"only here{REFUSED}", lambda a: ("why", a.here / f"only here{REFUSED}")),
    "why of a file there": (f"file{TAKEN}", lambda a: ("why", a.file)),
    "dry run": (f"both{TAKEN}", lambda a: ("sync", "--dry-run", a.here)),
    "restore": (f"file{TAKEN}", lambda a: ("restore", a.server, "--at", a.before, "--dry-run")),
    "verify": (f"old{TAKEN}", lambda a: ("verify", a.here / f"old{TAKEN}")),
    "status": (f"here{REFUSED}", lambda a: ("status",)),
    "devices": (f"witness{TAKEN}", lambda a: ("devices",)),
    "whoami": (f"laptop{TAKEN}", lambda a: ("whoami",)),
    "doctor": ("", lambda a: ("doctor",)),
    "undo": (f"old{TAKEN}", lambda a: ("undo", "--yes")),
}


@pytest.mark.parametrize("name, words", LISTS.values(), ids=LISTS)
def test_a_list_shows_each_name_and_lets_none_act(lists, name, words):
    lists.ground.shows(name, *words(lists), code=None)
    said = lists.ground.screen(*words(lists), "--json", code=None)
    assert all(json.loads(line) for line in said.splitlines())


@pytest.mark.parametrize("words", [
    (f"x{REFUSED}",), ("ls", f"--x{REFUSED}"), ("get", f"--x{TAKEN}"), ("trash", f"x{REFUSED}"), ("pause", "--for", f"x{REFUSED}"),
    ("sync", "--policy", f"x{REFUSED}", "/x"), ("sync", "--conflicts", f"x{TAKEN}", "/x"), ("log", "-n", f"x{REFUSED}"),
    ("config", "limit-rate", f"x{REFUSED}"), ("config", "notices", f"x{REFUSED}"), ("undo", f"x{REFUSED}"),
    ("restore", "/x", "--at", f"x{REFUSED}"), ("server", "stats", "--data", f"/x{REFUSED}"),
    ("login", "--server", f"http://x{REFUSED}", "--email", f"x{REFUSED}")])
def test_what_cannot_be_read_is_shown_and_does_not_act(lists, words):
    """A pattern on a command line is as good as its names: “bothy put *” types what somebody else has named."""
    for form in ((), ("--json",)):
        assert "x" in lists.ground.screen(*words, *form, code=None)


def test_what_a_servers_owner_lists(lists, tmp_path, new_account):
    server = Server(tmp_path / "data").start()
    try:
        api = new_account(server)
        answer = api.call("POST", "/v1/auth/register", token="", json={
            "email": f"{new_id()}@example.org", "password": "correct horse battery", "displayName": f"anna{TAKEN}",
            "device": {"name": f"laptop{TAKEN}", "platform": "linux"}})
        assert answer.status_code == 201, answer.text
        api.put_small(f"a{TAKEN}", b"x")
        place = ("--data", tmp_path / "data")
        lists.ground.shows(f"anna{TAKEN}", "server", "user", "list", *place)
        lists.ground.screen("server", "user", "invite", "--note", f"for {TAKEN}", *place)
        for words in (("user", "list"), ("stats",), ("verify",), ("gc",)):
            for form in ((), ("--json",)):
                lists.ground.screen("server", *words, *place, *form, code=None)
        for words in (("backup", tmp_path / f"backup{REFUSED}"), ("export", tmp_path / f"plain{REFUSED}"),
                      ("import", "--user", api.user["email"], tmp_path / f"plain{REFUSED}")):
            lists.ground.screen("server", *words, *place, code=None)
    finally:
        server.kill()
    lists.ground.screen("server", "restore", "--help", code=None)
    for words in (("init",), ("stats",)):
        lists.ground.screen("server", *words, "--data", tmp_path / f"new{REFUSED}", code=None)
