"""A device with a person at its own web app, for tests of what a device alone can show."""

import contextlib
import os
import re
import sqlite3
import subprocess
from pathlib import Path

import httpx
import pytest

from api import TLS, new_id
from browser import Person
from ports import own_port
from server import BINARY
from waiting import wait_until

#: Without a connection what the server alone can say is refused; an agent that is started anew breaks its streams off.
COMPLAINTS = (
    "status of 4", "status of 503", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET",
    "ERR_EMPTY_RESPONSE")


class Entrance:
    """`bothy open --print`: the page that leads in, for as long as it is good."""

    def __init__(self, device, root=""):
        """`root`: where this machine sees the device's own, when it has another."""
        self.process = subprocess.Popen(
            [*device.prefix, BINARY, "open", "--print"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, cwd=device.home,
            env=device.environment)
        found = re.search(r"file://(\S+)", self.process.stdout.readline())
        assert found, f"bothy open leads nowhere: {self.process.stderr.read()}"
        self.path = root + found[1]
        text = open(self.path).read()
        # A browser takes nothing that lies in /proc for a page.
        shown = device.home / "entrance.html" if root else Path(self.path)
        if root:
            shown.write_text(text)
        self.page = f"file://{shown}"
        self.address = re.search(r'action="(http://[^/"]+)/enter"', text)[1]
        self.token = re.search(r'value="(\w+)"', text)[1]

    def end(self):
        self.process.wait(timeout=120)
        assert not os.path.exists(self.path)


def come_in(browser, device, root="", **options):
    entrance = Entrance(device, root)
    someone = Person(browser, entrance.address, **options)
    someone.page.goto(entrance.page)
    someone.page.wait_for_url(entrance.address + "/")
    entrance.end()
    return someone


def keep_port(device):
    """The device's web app has a port that nobody takes while its agent begins anew: an open page finds it there again."""
    with contextlib.closing(sqlite3.connect(device.home / "bothy/client.sqlite")) as database, database:
        database.execute("INSERT OR REPLACE INTO settings (name, value) VALUES ('web-port', ?)", [str(own_port())])


def answers(address):
    """Whether the web app there answers: an agent that runs begins it a moment later."""
    try:
        return httpx.get(address + "/sign-in", verify=TLS).status_code == 200
    except httpx.TransportError:
        return False


class Desk:
    """A laptop with somebody at its screens, and a phone of the same account, on a server that the test may stop."""

    def __init__(self, server, laptop, phone, email=None):
        self.server, self.laptop, self.phone = server, laptop, phone
        self.email = email or f"{new_id()}@example.org"
        laptop.register(server.url, self.email)
        phone.login(server.url, self.email)

    def come_in(self, browser, root="", **options):
        if not root:
            keep_port(self.laptop)
        self.person = come_in(browser, self.laptop, root, **options)
        self.page = self.person.page
        return self

    def put(self, device, name, content, place="/", check=True):
        path = device.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return device.put(path, place, check=check)

    def slow(self):
        """From here on transfers keep to a pace, so that one can be met on its way; an agent that runs hears of it."""
        self.laptop.run("config", "limit-rate", "400K")

    def line(self, words):
        """Waits until the quiet line says so."""
        self.page.locator("#line", has_text=words).wait_for()

    def both_change(self, name, mine, theirs):
        """The same file on both devices, with the laptop away: it waits for a person from then on."""
        self.laptop.run("conflicts", "policy", "ask")
        self.server.stop()
        self.put(self.laptop, name, mine)
        self.laptop.run("agent", "--stop")
        self.server.start()
        self.put(self.phone, name, theirs)
        self.begin_agent()

    def begin_agent(self):
        """The laptop's agent runs, and its pages answer."""
        self.laptop.run("agent", "--background")
        if hasattr(self, "person"):
            wait_until(lambda: answers(self.person.url), what="the device's web app")


@pytest.fixture
def desk(request, server, browser, new_device):
    desk = Desk(server, new_device("laptop"), new_device("phone")).come_in(browser)
    yield desk
    expected = getattr(request.module, "COMPLAINTS", COMPLAINTS)
    complaints = [said for said in desk.person.complaints if not any(words in said for words in expected)]
    desk.person.close()
    desk.laptop.run("agent", "--stop", check=False)
    assert not complaints, complaints
