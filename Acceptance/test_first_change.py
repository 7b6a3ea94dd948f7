"""The first change of a file that nothing is known of but its bytes: sent and fetched as what changed, counted with all heads of requests."""

import functools
import importlib
import sys

import pytest

import fault_proxy
from content import content
from server import ROOT
from synced import meet

KIB = 1024


def photo(size=3 * KIB * KIB):
    return content(size, seed="photo")


def tagged(data):
    """Another tag at the head, a little longer than the one before."""
    return data[:300] + content(200, seed="tag") + data[460:]


def text(size=300 * KIB):
    lines = (f"{number}: {content(12, seed=number).hex()} and what else there is to say of it\n" for number in range(size // 60))
    return "".join(lines).encode()[:size]


def edited(data):
    return data[:150_000] + b"A sentence that was put into the middle.\n" + data[150_020:]


CASES = {"a tag at the head of a photo": (photo, tagged), "a sentence in the middle of a text": (text, edited)}


def a_sketch(request):
    return request.method == "GET" and request.path.endswith("/sketch")


def a_patch_down(request):
    return request.method == "POST" and request.path.endswith("/patch")


@functools.cache
def documented():
    """The sketch as the documentation makes it."""
    sys.path.insert(0, str(ROOT / "docs" / "blocks"))
    try:
        return importlib.import_module("sketch").sketch
    finally:
        sys.path.pop(0)


def shifted(data):
    made = documented()(data)
    return made[:4] + bytes(8) + made[4:-8]


class Wire:
    def __init__(self, proxy):
        self.proxy = proxy

    def bytes(self, act):
        """All that goes over it meanwhile, both ways."""
        before = len(self.proxy.seen(fault_proxy.any_request))
        act()
        exchanges = self.proxy.seen(fault_proxy.any_request)[before:]
        counted = sum(each.sent_up + each.sent_down + each.heads for each in exchanges)
        print("\n".join(f"{each.method} {each.path[:70]} {each.status} {each.heads} {each.sent_up} {each.sent_down}" for each in exchanges))
        print("together", counted)
        return counted


@pytest.fixture
def wire(desks):
    return Wire(desks.proxy)


@pytest.mark.parametrize("name", CASES)
def test_the_first_change_goes_up_from_a_folder(pair, wire, name):
    made, changed = CASES[name]
    laptop, desktop = pair
    laptop.write("file", made())
    meet(laptop, desktop)
    laptop.write("file", changed(made()))
    assert wire.bytes(laptop.sync) < 25 * KIB
    desktop.sync()
    assert desktop.read("file") == changed(made())


@pytest.mark.parametrize("name", CASES)
def test_the_first_change_comes_into_a_folder(pair, wire, name):
    made, changed = CASES[name]
    laptop, desktop = pair
    desktop.write("file", made())
    meet(desktop, laptop)
    desktop.write("file", changed(made()))
    desktop.sync()
    assert wire.bytes(laptop.sync) < 20 * KIB
    assert laptop.read("file") == changed(made())


def test_the_change_of_a_file_as_small_as_a_hundred_kilobytes_costs_a_tenth(pair, wire):
    laptop, desktop = pair
    laptop.write("file", photo(100 * KIB))
    meet(laptop, desktop)
    laptop.write("file", tagged(photo(100 * KIB)))
    assert wire.bytes(laptop.sync) < 12 * KIB
    desktop.sync()
    assert desktop.read("file") == tagged(photo(100 * KIB))
    desktop.write("file", edited(tagged(photo(100 * KIB))))
    desktop.sync()
    assert wire.bytes(laptop.sync) < 8 * KIB
    assert laptop.read("file") == edited(tagged(photo(100 * KIB)))


FALLBACKS_UP = {
    "the server knows no sketches": lambda: [fault_proxy.answer(404, a_sketch, 9)],
    "the server takes no such request": lambda: [fault_proxy.answer(405, a_sketch, 9)],
    "the server is busy": lambda: [fault_proxy.answer(503, a_sketch, 9, [("Retry-After", "1")])],
    "the sketch is cut": lambda: [fault_proxy.cut_download(after=1000, matches=a_sketch, times=9)],
    "a sketch that is none": lambda: [fault_proxy.answer(200, a_sketch, 9, body=b"<html>captive portal")],
    "each fragment is said to lie where the next one does": lambda: [fault_proxy.answer(200, a_sketch, 9, body=shifted(photo(600 * KIB)))],
    "bits of the sketch are flipped": lambda: [fault_proxy.flip_download_bit(at=900, matches=a_sketch)],
}


@pytest.mark.parametrize("name", FALLBACKS_UP)
def test_what_goes_up_is_right_where(pair, wire, name):
    laptop, desktop = pair
    laptop.write("file", photo(600 * KIB))
    meet(laptop, desktop)
    wire.proxy.add(*FALLBACKS_UP[name]())
    laptop.write("file", tagged(photo(600 * KIB)))
    assert wire.bytes(laptop.sync) < 640 * KIB
    wire.proxy.clear()
    desktop.sync()
    assert desktop.read("file") == tagged(photo(600 * KIB))
    meet(laptop, desktop)


FALLBACKS_DOWN = {
    "the server knows no patches": lambda: [fault_proxy.answer(404, a_patch_down, 9)],
    "the server knows no base": lambda: [fault_proxy.answer(400, a_patch_down, 9)],
    "the server is busy": lambda: [fault_proxy.answer(503, a_patch_down, 9, [("Retry-After", "1")])],
    "the patch is cut": lambda: [fault_proxy.cut_download(after=100, matches=a_patch_down, times=9)],
    "a bit of the patch is flipped": lambda: [fault_proxy.flip_download_bit(at=100, matches=a_patch_down)],
    "a patch that is none": lambda: [fault_proxy.answer(200, a_patch_down, 9, body=b"<html>captive portal")],
}


@pytest.mark.parametrize("name", FALLBACKS_DOWN)
def test_what_comes_down_is_right_where(pair, wire, name):
    laptop, desktop = pair
    desktop.write("file", photo(600 * KIB))
    meet(desktop, laptop)
    desktop.write("file", tagged(photo(600 * KIB)))
    desktop.sync()
    wire.proxy.add(*FALLBACKS_DOWN[name]())
    assert wire.bytes(laptop.sync) < 640 * KIB
    assert laptop.read("file") == tagged(photo(600 * KIB))
    wire.proxy.clear()
    meet(laptop, desktop)


def test_commands_send_and_fetch_what_changed(device, proxy, shared_server, tmp_path):
    source, target = tmp_path / "photo.jpg", tmp_path / "fetched.jpg"
    for path in (source, target):
        path.write_bytes(photo())
    device.put(source, "/photo.jpg")
    source.write_bytes(tagged(photo()))
    assert Wire(proxy).bytes(lambda: device.put(source, "/photo.jpg")) < 25 * KIB
    assert Wire(proxy).bytes(lambda: device.get("/photo.jpg", target, "--replace")) < 20 * KIB
    assert target.read_bytes() == tagged(photo())
    # What lies here was changed here alone: the server has nothing that it could be made of.
    target.write_bytes(b"another" + photo())
    device.get("/photo.jpg", target, "--replace")
    assert target.read_bytes() == tagged(photo())


def test_the_sketch_is_what_the_documentation_says(api):
    for size in (100, 70_001, 300_000):
        data = content(size, seed="sketch")
        file = api.put_small(f"{size}.bin", data)
        answer = api.call("GET", f"/v1/files/{file['id']}/revisions/{file['headRevisionId']}/sketch", expect=200)
        assert answer.headers["content-type"] == "application/vnd.bothy.sketch"
        assert answer.content == documented()(data)
