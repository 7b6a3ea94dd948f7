"""Many small files in one request, up and down: over HTTP as an outside client sends them, and by the command line through a network that
fails. Whatever happens to a request, each file gets there once."""

import random
import signal

import pytest

import fault_proxy
from api import Api, batch, content, new_id, problem, sha256, unbatch
from device import PASSWORD, Device
from fault_proxy import FaultProxy
from waiting import wait_until

COUNT = 300
TYPE = {"Content-Type": "application/octet-stream"}


def item(name, data, **more):
    return {"requestId": new_id(), "name": name, "fileHashSha256": sha256(data), **more}, data


def send(api, body, expect=200, **options):
    return api.call("POST", "/v1/upload/batch", content=body, headers=TYPE, expect=expect, **options)


# Over HTTP


def test_each_item_is_answered_in_its_place(api):
    items = [item(f"note-{number}", content(number * 50, seed=number)) for number in range(60)]
    items[20] = item("wrong", b"other", fileHashSha256=sha256(b"than said"))
    items[30] = item("a/b", b"bad name")
    items[40] = (b"no JSON", b"x")
    response = send(api, batch(items))
    answers = response.json()["items"]
    assert [a["status"] for a in answers] == [{20: 422, 30: 400, 40: 400}.get(n, 201) for n in range(60)]
    assert answers[20]["problem"]["code"] == "hash_mismatch" and "file" not in answers[20]
    assert [a.get("requestId") for a in answers] == [i[0]["requestId"] if n != 40 else None for n, i in enumerate(items)]
    assert response.headers["bothy-cursor"] == answers[-1]["cursor"]
    files = {file["name"]: file for file in api.list()}
    assert len(files) == 57
    for (metadata, data), answer in zip(items, answers):
        if answer["status"] == 201:
            assert answer["file"] == {key: files[metadata["name"]][key] for key in answer["file"]}
            assert files[metadata["name"]]["checksum"] == sha256(data)
    assert api.read(files["note-59"]) == items[59][1]


def test_a_batch_that_comes_again_acts_once(api):
    items = [item(f"once-{number}", b"same" * number, conflict="fork") for number in range(10)]
    first = send(api, batch(items)).json()
    assert send(api, batch(items[5:] + items[:5])).json()["items"] == first["items"][5:] + first["items"][:5]
    # Another type is another request.
    metadata, data = items[3]
    again = api.put_multipart({**metadata, "mimeType": "text/plain"}, data, expect=422)
    assert again["code"] == "idempotency_mismatch"
    assert len(api.names()) == 10


def test_a_body_that_cannot_be_a_batch_is_refused(api):
    whole = batch([item("x", b"content")])
    for body in (b"", whole[:-1], whole[:5], b"\xff" * 100, whole + b"\0"):
        problem(send(api, body, expect=None), 400, "malformed_request")
    problem(send(api, batch([item(str(n), b"") for n in range(257)]), expect=None), 422, "too_many_items")
    problem(send(api, bytes((8 << 20) + 1), expect=None), 413, "body_too_large")
    too_large = send(api, batch([item("large", bytes((128 << 10) + 1)), item("small", b"fits")])).json()["items"]
    assert [a["status"] for a in too_large] == [413, 201] and too_large[0]["problem"]["limit"] == 128 << 10
    assert api.names() == ["small"]


def ask(api, ids, expect=200):
    return api.call("POST", "/v1/content/batch", json={"revisionIds": ids}, expect=expect)


def test_each_content_is_answered_in_its_place(api, new_account):
    items = [item(f"down-{number}", content(number * 50, seed=number)) for number in range(60)]
    stored = [a["file"] for a in send(api, batch(items)).json()["items"]]
    other = new_account()
    theirs = send(other, batch([item("secret", b"theirs")])).json()["items"][0]["file"]["headRevisionId"]
    ids = [file["headRevisionId"] for file in reversed(stored)]
    answers = unbatch(ask(api, [*ids, theirs, new_id(), ids[0]]).content)
    assert [a["revisionId"] for a, _ in answers[:60]] == ids
    assert [data for _, data in answers[:60]] == [data for _, data in reversed(items)]
    assert all(a["content"]["checksum"] == sha256(data) and a["content"]["size"] == len(data) for a, data in answers[:60])
    assert answers[60][1] == b"" and answers[60][0]["problem"] == answers[61][0]["problem"]
    assert answers[61][0]["status"] == 404 and answers[62] == answers[0]
    problem(ask(api, [], expect=None), 400, "malformed_request")
    problem(ask(api, ids[:1] * 257, expect=None), 422, "too_many_items")


# By the command line


class Case:
    """A device, its proxy, a folder of small files, and a second view on the account, past the proxy."""

    def __init__(self, device, proxy, api, folder):
        self.device, self.proxy, self.api = device, proxy, api
        self.source = folder / new_id()
        self.source.mkdir(parents=True)
        generator = random.Random(self.name)
        self.files = {f"f{number:03}": generator.randbytes(generator.randrange(0, 6000)) for number in range(COUNT)}
        for name, data in self.files.items():
            (self.source / name).write_bytes(data)
        self.before = len(proxy.exchanges)

    @property
    def name(self):
        return self.source.name

    def put(self, *flags, **options):
        return self.device.put(self.source, *flags, **options)

    @property
    def requests(self):
        return sum(e.method == "POST" and e.path.startswith("/v1/upload") for e in self.proxy.exchanges[self.before:])

    def folder(self):
        return self.api.by_path(f"/{self.name}").json()["id"]

    def there(self):
        return {file["name"]: file for file in self.api.list(self.folder(), limit=1000)}

    def assert_all_there_once(self):
        there = self.there()
        assert set(there) == set(self.files)
        for name, data in self.files.items():
            assert there[name]["checksum"] == sha256(data) and there[name]["version"] == 1, name
        some = there[f"f{COUNT // 2:03}"]
        assert self.api.read(some) == self.files[some["name"]]


def ground(server, folder):
    """An account, and a device of it behind a proxy. They cost more than a folder of files, and the tests share them."""
    proxy = FaultProxy(server.url)
    email = f"{new_id()}@example.org"
    device = Device(folder / "device").register(proxy.url, email)
    return device, proxy, Api(server.url).login(email, PASSWORD, name="witness")


@pytest.fixture(scope="module")
def shared_ground(shared_server, tmp_path_factory):
    device, proxy, api = ground(shared_server, tmp_path_factory.mktemp("ground"))
    yield device, proxy, api
    api.close()
    proxy.stop()


@pytest.fixture
def case(shared_ground, tmp_path):
    shared_ground[1].clear()
    return Case(*shared_ground, tmp_path)


def test_many_small_files_share_few_requests(case):
    told = case.put("--json").json_lines()
    assert sum(line.get("event") == "done" for line in told) == COUNT
    case.assert_all_there_once()
    # How they fall together depends on the machine's load; one request a file would be 300.
    assert case.requests <= COUNT // 5


@pytest.mark.parametrize("fault", [
    pytest.param(fault_proxy.drop_answer(fault_proxy.a_batch, times=3), id="the answer is lost"),
    pytest.param(fault_proxy.cut_upload(20_000, fault_proxy.a_batch, times=3), id="cut in the middle"),
    pytest.param(fault_proxy.cut_download(500, fault_proxy.a_batch, times=2), id="the answer is cut"),
    pytest.param(fault_proxy.repeat(fault_proxy.a_batch, times=3), id="repeated"),
    pytest.param(fault_proxy.flip_upload_bit(3_000, fault_proxy.a_batch, times=1), id="a bit turns over in a content"),
    pytest.param(fault_proxy.answer(405, fault_proxy.a_batch, times=99), id="a server without batches"),
    pytest.param(fault_proxy.answer(400, fault_proxy.a_batch, times=99), id="refused as such"),
    pytest.param(fault_proxy.answer(413, fault_proxy.a_batch, times=4), id="too large for a proxy"),
    pytest.param(fault_proxy.answer(503, fault_proxy.a_batch, times=2, headers=[("Retry-After", "0")]), id="busy"),
])
def test_whatever_happens_to_a_request_each_file_gets_there_once(case, fault):
    fault.used = 0
    case.proxy.add(fault)
    case.put("-q")
    assert fault.used > 0
    case.assert_all_there_once()


@pytest.mark.parametrize("places", [(0, 3, 7), (9, 40, 95), (110, 125, 150), (170, 190, 215), (230, 245, 260)])
def test_a_bit_that_turns_over_in_an_items_metadata_makes_no_other_file(case, places):
    """It fell into a request id or a name: the file was stored under another, and what was sent again was its second version."""
    case.proxy.add(*[fault_proxy.flip_upload_bit(place, fault_proxy.a_batch) for place in places])
    case.put("-q")
    assert sum(e.status == 400 for e in case.proxy.exchanges[case.before:]) == len(places)
    case.assert_all_there_once()
    assert case.requests <= COUNT // 5, "it is sent again together, and not one by one"


def renames(request):
    return request.method == "PATCH" and request.path.startswith("/v1/files/")


@pytest.mark.parametrize("place", [5, 30, 60, 75])
def test_a_bit_that_turns_over_in_a_small_request_changes_no_name(case, place):
    case.proxy.add(fault_proxy.flip_upload_bit(place, makes_a_folder), fault_proxy.flip_upload_bit(place % 20, renames))
    case.device.run("mkdir", f"/{case.name}")
    case.device.run("mv", f"/{case.name}", f"/renamed-{case.name}")
    assert sum(e.status == 400 for e in case.proxy.exchanges[case.before:]) == 2
    assert [name for name in case.api.names() if case.name in name] == [f"renamed-{case.name}"]


def makes_a_folder(request):
    return request.method == "POST" and request.path == "/v1/files"


@pytest.mark.parametrize("fault", [
    pytest.param(None, id="nothing happens"),
    pytest.param(fault_proxy.drop_answer, id="the answer is lost"),
    pytest.param(lambda matches: fault_proxy.answer(503, matches), id="busy"),
])
def test_many_folders_are_made_together_and_each_once(case, fault, tmp_path):
    source = tmp_path / f"folders-{case.name}"
    folders = [f"a{number:02}/b{below}" for number in range(7) for below in range(4)] + ["a05/b2/deep/er", "z"]
    for folder in folders:
        (source / folder).mkdir(parents=True)
        (source / folder / "file.txt").write_text(folder)
    before = len(case.proxy.exchanges)
    if fault:
        # Of one that is made before the walk is there.
        case.proxy.add(fault(lambda request: makes_a_folder(request) and len(case.proxy.exchanges) > before + 5))
    case.device.put(source, "-q")
    asked = case.proxy.exchanges[before:]
    # What met no connection waits here, and goes along with the commands that follow.
    wait_until(lambda: "Nothing is waiting" in case.device.run("journal").text or not case.device.run("ls", "/"))
    if not fault:
        assert sum(makes_a_folder(e) for e in asked) == 1 + 7 + 28 + 2 + 1
        assert not [e.path for e in asked if "parentId=" in e.path], "what was just made is known to be empty"
    for folder in folders:
        there = case.api.by_path(f"/{source.name}/{folder}/file.txt").json()
        assert there["checksum"] == sha256(folder.encode())
    assert sorted(case.api.names(case.api.by_path(f"/{source.name}").json()["id"])) == [
        *(f"a{number:02}" for number in range(7)), "z"]


def test_a_file_that_is_refused_takes_no_other_with_it(case):
    """Somebody takes a name in the folder between the look and the send."""
    case.device.run("mkdir", f"/{case.name}")
    folder = case.folder()
    case.proxy.add(fault_proxy.Fault(
        lambda request: request.method == "POST" and request.path.startswith("/v1/upload"),
        edit_request=lambda _: case.api.put_small("f000", b"theirs", folder)))
    said = case.put("--fail", check=False)
    assert said.code == 5 and "f000" in said.text
    there = case.there()
    assert len(there) == COUNT and there["f000"]["checksum"] == sha256(b"theirs")
    assert all(there[name]["checksum"] == sha256(data) for name, data in case.files.items() if name != "f000")


def test_a_client_killed_during_a_batch_goes_on_and_doubles_nothing(case):
    generator = random.Random(3)
    for _ in range(3):
        before = case.requests
        process = case.device.start("put", "-q", case.source)
        wait_until(lambda: case.requests > before + generator.randrange(3) or process.poll() is not None)
        process.kill()
        process.wait()
    case.put("-q")
    case.assert_all_there_once()


def test_ctrl_c_stops_the_sending_of_many_and_the_same_command_goes_on(case):
    case.proxy.add(fault_proxy.hold(fault_proxy.a_batch, 1000))
    process = case.device.start("put", case.source)
    wait_until(lambda: case.requests > 0 or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130, case.device.started_log()
    case.proxy.disconnect()
    case.proxy.clear()
    case.put("-q")
    case.assert_all_there_once()


def test_a_server_killed_during_a_batch_loses_nothing_and_doubles_nothing(server, tmp_path):
    device, proxy, api = ground(server, tmp_path)
    case = Case(device, proxy, api, tmp_path)
    process = case.device.start("put", "-q", case.source)
    for _ in range(3):
        before = case.requests
        wait_until(lambda: case.requests > before or process.poll() is not None)
        server.kill()
        server.start()
    assert process.wait(60) == 0, case.device.started_log()
    case.assert_all_there_once()
    assert server.admin("verify").returncode == 0
    api.close()
    proxy.stop()


# Down, by the command line


MANY = 1000


@pytest.fixture(scope="module")
def shelf(shared_ground):
    """A folder of many small files on the server, as another device has put it there."""
    api = shared_ground[2]
    folder = api.folder(f"shelf-{new_id()}")
    generator = random.Random(7)
    files = {f"f{number:04}": generator.randbytes(generator.randrange(0, 6000)) for number in range(MANY)}
    items = [item(name, data, parentId=folder["id"]) for name, data in files.items()]
    for start in range(0, MANY, 200):
        send(api, batch(items[start:start + 200]))
    return f"/{folder['name']}", files


class Down:
    def __init__(self, ground, shelf, place):
        self.device, self.proxy, _ = ground
        self.remote, self.files = shelf
        self.place = place
        self.proxy.clear()
        self.before = len(self.proxy.exchanges)

    def sync(self):
        try:
            return self.device.run("sync", self.place, self.remote, "--once")
        finally:
            self.device.run("unsync", self.place, "--yes", check=False)

    def get(self, *flags, **options):
        self.place.mkdir(exist_ok=True)
        return self.device.get("-q", *flags, f"{self.remote}/", self.place, **options)

    def count(self, method, path):
        return sum(e.method == method and e.path.startswith(path) for e in self.proxy.exchanges[self.before:])

    @property
    def batches(self):
        return self.count("POST", "/v1/content/batch")

    def assert_all_there(self):
        there = {path.name: path for path in self.place.rglob("*") if path.is_file() and path.name in self.files}
        assert set(there) == set(self.files)
        for name, data in self.files.items():
            assert there[name].read_bytes() == data, name
        assert not list(self.place.rglob("*.bothy-part"))


@pytest.fixture
def down(shared_ground, shelf, tmp_path):
    yield Down(shared_ground, shelf, tmp_path / "down")
    shared_ground[1].clear()


@pytest.mark.parametrize("way", ["sync", "get"])
def test_many_small_files_come_in_few_requests(down, way):
    getattr(down, way)()
    down.assert_all_there()
    # How they fall together depends on the machine's load; one for each, and its look-up, would be 2,000.
    assert len(down.proxy.exchanges) - down.before <= 100
    assert down.batches >= MANY // 128
    assert down.count("GET", "/v1/content/") <= 10


def test_an_answer_that_is_cut_goes_on_at_the_file(down):
    down.proxy.add(fault_proxy.cut_download(100_000, fault_proxy.a_batch_down, times=5))
    down.sync()
    down.assert_all_there()
    # One for each that was cut, and none from its beginning for each of its files.
    assert down.batches <= 50 and down.count("GET", "/v1/content/") <= 10


@pytest.mark.parametrize("fault", [
    pytest.param(fault_proxy.cut_before(fault_proxy.a_batch_down, times=2), id="never arrives"),
    pytest.param(fault_proxy.flip_download_bit(50_000, fault_proxy.a_batch_down, times=2), id="a bit turns over"),
    pytest.param(fault_proxy.flip_download_bit(2, fault_proxy.a_batch_down, times=2), id="a bit of a length turns over"),
    pytest.param(fault_proxy.answer(405, fault_proxy.a_batch_down, times=9), id="a server without batches"),
    pytest.param(fault_proxy.answer(403, fault_proxy.a_batch_down, times=99), id="a proxy that forbids them"),
    pytest.param(fault_proxy.answer(200, fault_proxy.a_batch_down, times=2, body=b"<html>sign in"), id="a captive portal"),
    pytest.param(fault_proxy.answer(503, fault_proxy.a_batch_down, times=2, headers=[("Retry-After", "0")]), id="busy"),
])
def test_whatever_happens_to_an_answer_each_file_is_there_as_it_is(down, fault):
    fault.used = 0
    down.proxy.add(fault)
    down.get()
    assert fault.used > 0
    down.assert_all_there()


def test_a_client_killed_while_many_come_goes_on(down):
    down.place.mkdir()
    for _ in range(3):
        before = down.batches
        process = down.device.start("get", "-q", f"{down.remote}/", down.place)
        wait_until(lambda: down.batches > before + 1 or process.poll() is not None)
        process.kill()
        process.wait()
    down.get()
    down.assert_all_there()
