"""What every test stands on: a server, accounts on it, devices, and a network that fails."""

import itertools
import os
import shutil
import tempfile
import time

import pytest

from api import Api, new_id
from device import Device
from fault_proxy import FaultProxy
from preconditions import left_out
from server import BINARY, Server

pytest_plugins = ["agent_people", "sync_desks", "web_people"]


#: Bytes that all of them take at a time, with what a server leaves free.
ROOM = 4 << 30


def pytest_configure(config):
    free = shutil.disk_usage(tempfile.gettempdir()).free
    if free < ROOM:
        raise pytest.UsageError(
            f"{tempfile.gettempdir()} has {free >> 20} MiB free; the tests need {ROOM >> 30} GiB: make room, or set TMPDIR")
    if not os.access(BINARY, os.X_OK):
        raise pytest.UsageError(f"{BINARY} is not there: swift build, or set BOTHY_BIN")


#: Files of few tests that take long.
DEAR = {"test_three_homes.py", "test_kills.py", "test_big_file.py", "test_openapi.py"}


def pytest_collection_modifyitems(items):
    """Browsers and what is dear begin: a worker takes a file at a time, and those that come last should be short."""
    browsers = {item.path for item in items if "browser" in getattr(item, "fixturenames", ())}
    items.sort(key=lambda item: (item.path.name not in DEAR, item.path not in browsers))


def pytest_terminal_summary(terminalreporter):
    lines = left_out(terminalreporter.stats.get("skipped", []))
    if lines:
        terminalreporter.section("not tested on this machine")
        for line in lines:
            terminalreporter.line(line)


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory):
    """One server for every test that only uses it. Accounts keep the tests apart."""
    server = Server(tmp_path_factory.mktemp("shared") / "data").start()
    yield server
    server.stop()


@pytest.fixture
def server(tmp_path):
    """A server that the test may kill."""
    server = Server(tmp_path / "data").start()
    yield server
    if server.running():
        server.kill()


@pytest.fixture
def new_account(request):
    """Makes accounts: `new_account()` on the shared server, `new_account(server)` on another."""
    opened = []

    def make(server=None, email=None):
        url = (server or request.getfixturevalue("shared_server")).url
        api = Api(url)
        opened.append(api)
        return api.register(email or f"{new_id()}@example.org")

    yield make
    for api in opened:
        api.close()


@pytest.fixture
def api(new_account):
    """An account of the test's own on the shared server."""
    return new_account()


@pytest.fixture(scope="session")
def untouched_account(shared_server):
    api = Api(shared_server.url).register(f"{new_id()}@example.org")
    api.signed_in_at = time.monotonic()
    yield api
    assert api.login(api.user["email"]).names() == []
    api.close()


@pytest.fixture
def untouched(untouched_account):
    """An account for tests whose every request is refused: an account costs a password's hash, which is meant to be dear."""
    # An access token lives for a quarter of an hour, and all the tests may take longer.
    if time.monotonic() - untouched_account.signed_in_at > 5 * 60:
        untouched_account.login(untouched_account.user["email"])
        untouched_account.signed_in_at = time.monotonic()
    return untouched_account


@pytest.fixture
def proxy_to():
    """Makes fault proxies: `proxy_to(server)`."""
    made = []

    def make(server):
        made.append(FaultProxy(getattr(server, "url", server)))
        return made[-1]

    yield make
    for proxy in made:
        proxy.stop()


@pytest.fixture
def proxy(proxy_to, shared_server):
    return proxy_to(shared_server)


@pytest.fixture
def new_device(tmp_path):
    """Makes devices that are signed in nowhere yet."""
    numbers = itertools.count(1)

    def make(name=None):
        number = next(numbers)
        return Device(tmp_path / f"device-{number}", name or f"device {number}")

    return make


@pytest.fixture
def device(new_device, proxy):
    """A device with an account of its own, through the fault proxy to the shared server."""
    return new_device().register(proxy.url, f"{new_id()}@example.org")
