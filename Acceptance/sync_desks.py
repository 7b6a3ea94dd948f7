"""Two desks of one account, for tests of folders in step: signing up costs more than most of what is tested."""

import itertools
import os
import shutil

import pytest

from api import Api, new_id
from device import Device
from fault_proxy import FaultProxy
from preconditions import machine_cannot
from synced import SyncedFolder, meet

numbers = itertools.count(1)

WITHOUT_ROOTS_RIGHTS = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]


@pytest.fixture(scope="session")
def desks(tmp_path_factory, shared_server):
    """`laptop`, behind a proxy that can fail, `desktop`, and an outside client of the same account."""
    proxy = FaultProxy(shared_server.url)
    email = f"{new_id()}@example.org"
    homes = tmp_path_factory.mktemp("desks")
    laptop = Device(homes / "laptop", "laptop").register(proxy.url, email)
    desktop = Device(homes / "desktop", "desktop").login(shared_server.url, email)
    api = Api(shared_server.url).login(email, name="outside")
    yield Desks(laptop, desktop, proxy, api)
    api.close()
    proxy.stop()


class Desks:
    def __init__(self, laptop, desktop, proxy, api):
        self.laptop, self.desktop, self.proxy, self.api = laptop, desktop, proxy, api


@pytest.fixture
def pair(desks):
    """A new folder on the server, and a place for it on each desk that is tied at its first pass."""
    number = next(numbers)
    a = SyncedFolder(desks.laptop, f"box{number}", f"/box{number}")
    b = SyncedFolder(desks.desktop, f"box{number}", f"/box{number}")
    yield a, b
    desks.proxy.come_back()
    desks.proxy.clear()
    for folder in (a, b):
        folder.device.run("unsync", folder.path, "--yes", check=False)
        shutil.rmtree(folder.path, ignore_errors=True)


@pytest.fixture
def met(pair):
    """Both have the same few files."""
    a, b = pair
    a.write("report.txt", "first\n")
    a.write("docs/plan.md", "plan\n")
    a.write("docs/old/notes.txt", "notes\n")
    meet(a, b)
    return a, b


@pytest.fixture
def outside(desks):
    """The same account from outside, signed in for as long as the test takes."""
    return desks.api.login(desks.api.user["email"], name="outside")


@pytest.fixture
def as_a_person(desks):
    """The desks' commands may do what the modes of files let their owner do, and no more."""
    if os.geteuid() != 0:
        yield
        return
    if shutil.which("setpriv") is None:
        machine_cannot("root may write everywhere, and there is no setpriv here")
    for desk in (desks.laptop, desks.desktop):
        desk.prefix = WITHOUT_ROOTS_RIGHTS
    yield
    for desk in (desks.laptop, desks.desktop):
        desk.prefix = []
