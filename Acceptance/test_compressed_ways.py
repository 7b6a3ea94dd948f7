"""Content comes down compressed where that makes it fewer bytes: counted on the wire, and whatever a network makes of it, right at the end."""

import random

import pytest

import fault_proxy
from api import MIB, Api, batch, new_id, sha256
from device import PASSWORD, Device
from fault_proxy import FaultProxy
from server import ROOT
from zstd import unpacked

TYPE = {"Content-Type": "application/octet-stream"}
SOURCES = {
    str(path.relative_to(ROOT)).replace("/", "-"): path.read_bytes()
    for path in sorted((ROOT / "Sources").rglob("*.swift")) if 0 < path.stat().st_size < 100 << 10
}


def shelve(api, name, files):
    """A folder with these files, as another device has put them there."""
    folder = api.folder(name)
    items = [({"requestId": new_id(), "name": name, "fileHashSha256": sha256(data), "parentId": folder["id"]}, data)
             for name, data in files.items()]
    stored = []
    for start in range(0, len(items), 100):
        answer = api.call("POST", "/v1/upload/batch", content=batch(items[start:start + 100]), headers=TYPE, expect=200)
        stored += [item["file"] for item in answer.json()["items"]]
    return stored


class Ground:
    """A device behind a proxy that counts, and what lies on the server."""

    def __init__(self, server, folder):
        self.proxy = FaultProxy(server.url)
        email = f"{new_id()}@example.org"
        self.device = Device(folder / "device").register(self.proxy.url, email)
        self.api = Api(server.url).login(email, PASSWORD, name="witness")
        self.sources = shelve(self.api, "sources", SOURCES)
        generator = random.Random(1)
        self.photos = {f"photo-{number:03}": generator.randbytes(20_000) for number in range(100)}
        shelve(self.api, "photos", self.photos)

    def close(self):
        self.api.close()
        self.proxy.stop()


@pytest.fixture(scope="module")
def shared_ground(shared_server, tmp_path_factory):
    ground = Ground(shared_server, tmp_path_factory.mktemp("ways"))
    yield ground
    ground.close()


@pytest.fixture
def ground(shared_ground):
    shared_ground.proxy.clear()
    shared_ground.before = len(shared_ground.proxy.exchanges)
    yield shared_ground
    shared_ground.proxy.clear()


def seen(ground, matches):
    return [e for e in ground.proxy.exchanges[ground.before:] if matches(e)]


def a_batch(exchange):
    return exchange.path == "/v1/content/batch"


def a_range(exchange):
    return exchange.method == "GET" and exchange.path.startswith("/v1/content/")


def came(exchanges):
    return sum(exchange.sent_down for exchange in exchanges)


def flip_in_the_middle(body):
    middle = len(body) // 2
    return body[:middle] + bytes([body[middle] ^ 1]) + body[middle + 1:]


def end_early(body):
    return body[:len(body) * 2 // 3]


def fetch_folder(ground, name, files, place):
    place.mkdir()
    ground.device.get("-q", f"/{name}/", place)
    there = {path.name: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    assert there == files


# Many small files


def test_a_folder_of_sources_takes_a_fraction_of_its_bytes(ground, tmp_path):
    fetch_folder(ground, "sources", SOURCES, tmp_path / "out")
    batches = seen(ground, a_batch)
    plain = sum(map(len, SOURCES.values()))
    assert len(batches) >= len(SOURCES) // 128 and len(seen(ground, a_range)) <= 10
    print(f"{len(SOURCES)} sources of {plain} bytes came in {came(batches)}")
    assert came(batches) < plain * 2 // 5


def test_a_folder_of_photos_comes_as_it_is(ground, tmp_path):
    fetch_folder(ground, "photos", ground.photos, tmp_path / "out")
    plain = sum(map(len, ground.photos.values()))
    assert came(seen(ground, lambda e: a_batch(e) or a_range(e))) >= plain


def test_an_answer_is_compressed_for_who_takes_it_so(ground):
    ids = [file["headRevisionId"] for file in ground.sources[:100]]

    def ask(accept):
        return ground.api.call(
            "POST", "/v1/content/batch", json={"revisionIds": ids}, headers={"Accept-Encoding": accept}, expect=200)

    plain = ask("identity")
    assert "content-encoding" not in plain.headers
    packed = ask("gzip, zstd")
    assert packed.headers["content-encoding"] == "zstd"
    assert unpacked(packed.content) == plain.content and len(packed.content) < len(plain.content) // 2
    for accept in ("br", "gzip, deflate, br", "zstd;q=0"):
        answer = ask(accept)
        assert "content-encoding" not in answer.headers and answer.content == plain.content


@pytest.mark.parametrize("fault", [
    pytest.param(fault_proxy.Fault(fault_proxy.a_batch_down, 2, edit_body=flip_in_the_middle), id="garbled"),
    pytest.param(fault_proxy.Fault(fault_proxy.a_batch_down, 2, edit_body=end_early), id="ended early"),
])
def test_what_cannot_be_unpacked_comes_plain(ground, tmp_path, fault):
    fault.used = 0
    ground.proxy.add(fault)
    fetch_folder(ground, "sources", SOURCES, tmp_path / "out")
    assert fault.used == 2
    batches = seen(ground, a_batch)
    # Together still, and nobody else is asked plain for what befell these.
    assert len(seen(ground, a_range)) <= 10
    asked = ["zstd" in {key.lower(): value for key, value in e.headers.items()}.get("accept-encoding", "") for e in batches]
    assert asked.count(False) >= 1 and asked.count(True) >= len(batches) - 6


def test_a_way_that_garbles_all_that_is_compressed(ground, tmp_path):
    def spoil(body):
        return flip_in_the_middle(body) if body.startswith(b"\x28\xb5\x2f\xfd") else body

    ground.proxy.add(fault_proxy.Fault(fault_proxy.a_batch_down, 1000, edit_body=spoil))
    fetch_folder(ground, "sources", SOURCES, tmp_path / "out")
    assert len(seen(ground, a_range)) <= 10


def test_a_compressed_answer_that_is_cut_goes_on_at_the_file(ground, tmp_path):
    ground.proxy.add(fault_proxy.cut_download(150_000, fault_proxy.a_batch_down, times=3))
    fetch_folder(ground, "sources", SOURCES, tmp_path / "out")
    plain = sum(map(len, SOURCES.values()))
    # What came whole counts: cut off or not, it stays far below what they have.
    assert came(seen(ground, a_batch)) < plain * 3 // 5 and len(seen(ground, a_range)) <= 10


# Large files


@pytest.fixture(scope="module")
def text(shared_ground):
    """Some MiB of sources, one after the other, as a file."""
    data = b"".join(SOURCES.values())
    data = (data * (1 + 9 * MIB // len(data)))[:9 * MIB + 321]
    return data, shared_ground.api.put("notes.txt", data)


@pytest.fixture(scope="module")
def photo(shared_ground):
    data = random.Random(2).randbytes(9 * MIB + 321)
    return data, shared_ground.api.put("photo.raw", data)


def asks_plain(exchange):
    return "a-im" not in {key.lower() for key in exchange.headers}


def test_a_text_takes_a_fraction_of_its_bytes(ground, text, tmp_path):
    said = ground.device.get("/notes.txt", tmp_path / "out", "--json").json_lines()
    assert (tmp_path / "out").read_bytes() == text[0]
    ranges = seen(ground, a_range)
    assert {e.status for e in ranges} == {226}
    print(f"a text of {len(text[0])} bytes came in {came(ranges)}")
    assert came(ranges) < len(text[0]) * 2 // 5
    carried = [line["bytesCarried"] for line in said if line.get("event") == "done"]
    assert len(carried) == 1 and came(ranges) * 9 // 10 <= carried[0] <= came(ranges)


def test_a_text_on_the_screen_comes_so_too(ground, text):
    assert ground.device.cat("/notes.txt") == text[0]
    assert came(seen(ground, a_range)) < len(text[0]) * 2 // 5


def test_a_photo_comes_as_it_is(ground, photo, tmp_path):
    ground.device.get("-q", "/photo.raw", tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == photo[0]
    ranges = seen(ground, a_range)
    assert {e.status for e in ranges} == {206} and came(ranges) == len(photo[0])
    assert not any(asks_plain(e) for e in ranges), "that is the server's to know"


@pytest.mark.parametrize("first, last", [(0, 4095), (1, 99_999), (3 * MIB - 5, 7 * MIB + 5), (0, 9 * MIB + 320), (8 * MIB, 9 * MIB)])
def test_a_range_is_cut_and_then_compressed(ground, text, first, last):
    data, file = text
    span = {"Range": f"bytes={first}-{last}"}
    plain = ground.api.download(file, **span)
    packed = ground.api.download(file, **span, **{"A-IM": "range, zstd"})
    assert plain.status_code == 206 and packed.status_code == 226
    assert packed.headers["im"] == "range, zstd" and packed.headers["vary"] == plain.headers["vary"] == "A-IM"
    assert unpacked(packed.content) == plain.content == data[first:last + 1]
    assert len(packed.content) < len(plain.content)
    for name in ("etag", "content-range", "repr-digest", "accept-ranges"):
        assert packed.headers[name] == plain.headers[name]
    assert {"no-store", "im"} <= set(packed.headers["cache-control"].split(", "))
    assert "no-store" not in plain.headers["cache-control"]


def test_the_whole_is_compressed_for_who_takes_that(ground, text):
    packed = ground.api.download(text[1], **{"A-IM": "zstd"})
    assert packed.status_code == 226 and packed.headers["im"] == "zstd"
    assert unpacked(packed.content) == text[0]


@pytest.mark.parametrize("wish", ["zstd, range", "zstd", "range", "range, gzip", "range, zstd;q=0", "br"])
def test_who_takes_no_compressed_range_gets_a_plain_one(ground, text, wish):
    answer = ground.api.download(text[1], **{"Range": "bytes=10-99999", "A-IM": wish})
    assert answer.status_code == 206 and "im" not in answer.headers
    assert answer.content == text[0][10:100_000]


def test_a_range_that_is_too_short_and_head_stay_plain(ground, text):
    data, file = text
    short = ground.api.download(file, **{"Range": "bytes=0-4094", "A-IM": "range, zstd"})
    assert short.status_code == 206 and short.content == data[:4095]
    head = ground.api.call("HEAD", file["downloadUrl"], token="", headers={"A-IM": "zstd"})
    assert head.status_code == 200 and head.headers["content-length"] == str(len(data)) and "im" not in head.headers


@pytest.mark.parametrize("spoil", [
    pytest.param(flip_in_the_middle, id="garbled"), pytest.param(end_early, id="ended early"),
    pytest.param(lambda body: b"more" + body, id="more before it"), pytest.param(lambda body: b"<html>sign in", id="something else"),
])
@pytest.mark.parametrize("times", [1, 1000])
def test_what_cannot_be_unpacked_is_asked_for_plain(ground, text, tmp_path, spoil, times):
    def compressed(request):
        return fault_proxy.a_download(request) and request.get("a-im") is not None

    fault = fault_proxy.Fault(compressed, times, edit_body=spoil)
    ground.proxy.add(fault)
    ground.device.get("-q", "/notes.txt", tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == text[0]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    ranges = seen(ground, a_range)
    assert fault.used >= 1 and asks_plain(ranges[-1]) and ranges[-1].status == 206


def test_the_next_download_is_compressed_again(ground, text, tmp_path):
    """What went wrong for one is nothing to another."""
    ground.proxy.add(fault_proxy.Fault(fault_proxy.a_download, edit_body=flip_in_the_middle))
    for name in ("first", "second"):
        before = len(ground.proxy.exchanges)
        ground.device.get("-q", "/notes.txt", tmp_path / name)
        ranges = [e for e in ground.proxy.exchanges[before:] if a_range(e)]
        assert any(asks_plain(e) for e in ranges) == (name == "first")
        assert (tmp_path / name).read_bytes() == text[0]


def test_a_compressed_download_that_is_cut_goes_on(ground, text, tmp_path):
    ground.proxy.add(fault_proxy.cut_download(900_000, times=2))
    ground.device.get("-q", "/notes.txt", tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == text[0]
    ranges = seen(ground, a_range)
    assert len(ranges) >= 3 and not any(asks_plain(e) for e in ranges)
    assert came(ranges) < len(text[0]) * 3 // 5, "what had come whole was not asked for again"
