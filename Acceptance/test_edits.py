"""A large file that changes a little, by the command line and over a network that fails: only what changed is moved, and what arrives is right."""

import pytest

import fault_proxy
from api import Api
from content import content, file_sha256, sha256
from device import PASSWORD
from waiting import wait_until

MIB = 1 << 20
SIZE = 24 * MIB + 777


def a_plan(request):
    return request.method == "POST" and request.path.endswith("/plan")


def a_patch(request):
    return request.is_chunk and request.get("content-type") == "application/vnd.bothy.patch"


def a_patch_down(request):
    return request.method == "POST" and request.path.endswith("/patch")


def edited(data, seed):
    """Some bytes inserted, and 4 KiB written over, far from each other."""
    data = bytearray(data)
    data[17 * MIB:17 * MIB + 4096] = content(4096, seed=seed)
    data[5 * MIB + 1:5 * MIB + 1] = b"inserted"
    return bytes(data)


class Case:
    """A file that is on the server and on this device, and an edit of it."""

    def __init__(self, device, proxy, server, folder):
        self.device, self.proxy = device, proxy
        email = device.json("whoami")["user"]["email"]
        self.api = Api(server.url).login(email, PASSWORD, name="witness")
        self.source, self.target = folder / "film.bin", folder / "fetched.bin"
        before = content(SIZE, seed="edits")
        self.after = edited(before, "one")
        self.source.write_bytes(before)
        self.put()
        self.target.write_bytes(before)
        self.source.write_bytes(self.after)
        self.since = len(self.proxy.seen(fault_proxy.any_request))

    def put(self, **options):
        return self.device.put(self.source, "/film.bin", **options)

    def get(self):
        return self.device.get("/film.bin", self.target, "--replace")

    def assert_there(self):
        file = self.api.by_path("/film.bin").json()
        assert file["checksum"] == sha256(self.after)
        assert sha256(self.api.read(file)) == file["checksum"]

    def assert_here(self):
        assert file_sha256(self.target) == sha256(self.after)

    @property
    def sent_up(self):
        return sum(e.sent_up for e in self.proxy.seen(fault_proxy.any_request)[self.since:])

    @property
    def sent_down(self):
        return sum(e.sent_down for e in self.proxy.seen(fault_proxy.any_request)[self.since:])


@pytest.fixture
def case(device, proxy, shared_server, tmp_path):
    made = Case(device, proxy, shared_server, tmp_path)
    yield made
    made.api.close()


def test_only_what_changed_goes_up_and_down(case):
    case.put()
    case.assert_there()
    assert case.sent_up < 128 << 10
    case.since = len(case.proxy.seen(fault_proxy.any_request))
    case.get()
    case.assert_here()
    assert case.sent_up + case.sent_down < 64 << 10


FAULTS_UP = {
    "cut within a patch": lambda: [fault_proxy.cut_upload(after=100, matches=a_patch, times=2)],
    "a patch arrives twice": lambda: [fault_proxy.repeat(a_patch, times=2)],
    "the answer to a patch is lost": lambda: [fault_proxy.drop_answer(a_patch)],
    "one bit of a patch is flipped": lambda: [fault_proxy.flip_upload_bit(at=1000, matches=a_patch)],
    "the server is busy for a while": lambda: [fault_proxy.answer(503, a_patch, 2, [("Retry-After", "1")])],
    "names are cut": lambda: [fault_proxy.cut_upload(after=10, matches=a_plan, times=2)],
    "names arrive twice": lambda: [fault_proxy.repeat(a_plan, times=3)],
    "the answer to names is lost": lambda: [fault_proxy.drop_answer(a_plan, times=2)],
}


@pytest.mark.parametrize("name", FAULTS_UP)
def test_an_edit_arrives_through(case, name):
    case.proxy.add(*FAULTS_UP[name]())
    case.put()
    case.assert_there()
    assert case.sent_up < 1 * MIB


def test_kill_in_the_middle_of_an_edit(case):
    """Two places changed: one patch arrives, and the device dies while the other is on its way."""
    case.proxy.add(fault_proxy.leave_alone(a_patch), fault_proxy.hold(a_patch, 1000))
    put = case.device.start("put", case.source, "/film.bin")

    def seen():
        return case.proxy.seen(a_patch)

    def one_arrived():
        return len(seen()) == 2 and any(exchange.answered for exchange in seen())

    wait_until(lambda: put.poll() is not None or one_arrived(), what="one of two patches arrived")
    assert put.poll() is None
    put.kill()
    put.wait()
    arrived = [exchange.headers["content-range"] for exchange in seen() if exchange.answered]
    case.proxy.clear()
    case.put()
    case.assert_there()
    ranges = [exchange.headers["content-range"] for exchange in case.proxy.seen(fault_proxy.a_chunk)]
    assert [ranges.count(once) for once in arrived] == [1], "what had arrived is not sent again"
    assert case.sent_up < 1 * MIB


FAULTS_DOWN = {
    "cut within a patch": lambda: [fault_proxy.cut_download(after=100, matches=a_patch_down, times=2)],
    "one bit of a patch is flipped": lambda: [fault_proxy.flip_download_bit(at=1000, matches=a_patch_down)],
    "the server is busy for a while": lambda: [fault_proxy.answer(503, a_patch_down, 2, [("Retry-After", "1")])],
    "the server knows no patches": lambda: [fault_proxy.answer(404, a_patch_down, 9)],
    "a patch that is none": lambda: [fault_proxy.answer(200, a_patch_down, 9, body=b"<html>captive portal")],
}


@pytest.mark.parametrize("name", FAULTS_DOWN)
def test_an_edit_is_fetched_through(case, name):
    case.put()
    case.since = len(case.proxy.seen(fault_proxy.any_request))
    case.proxy.add(*FAULTS_DOWN[name]())
    case.get()
    case.assert_here()
    assert case.sent_down < 2 * MIB


def test_what_is_kept_here_is_not_fetched_again(case):
    case.put()
    case.device.run("pin", "/film.bin")
    case.target.unlink()
    case.since = len(case.proxy.seen(fault_proxy.any_request))
    case.device.get("/film.bin", case.target)
    case.assert_here()
    assert case.sent_up + case.sent_down < 64 << 10
