"""A disk that is full under the running server, and under a device: clear words, nothing lost, and on it goes with room."""

from concurrent.futures import ThreadPoolExecutor

import pytest

import fault_proxy
from api import FOLDER, MIB, Api, batch, chunks, content, new_id, problem, sha256
from content import file_sha256, write_content
from device import PASSWORD, Device
from server import Server
from small_disk import FailingDisk, SmallDisk
from waiting import wait_until

pytestmark = pytest.mark.needs_root


@pytest.fixture
def small_disk(tmp_path):
    made = []

    def make(size):
        made.append(SmallDisk(tmp_path / f"disk-{len(made)}", size))
        return made[-1]

    yield make
    for disk in made:
        disk.close()


@pytest.fixture
def small_server(small_disk):
    """Makes a server on a disk of `size`; with the disk."""
    servers = []

    def make(size, *flags):
        disk = small_disk(size)
        servers.append(Server(disk.place / "data", *flags, prefix=disk.prefix).start())
        return servers[-1], disk

    yield make
    for server in servers:
        server.kill()


def put_until_refused(api, size=MIB):
    """Small files, until one is refused: what was acknowledged, and the refusal."""
    kept = {}
    for number in range(1000):
        data = content(size, seed=f"fill {number}")
        response = api.call("POST", "/v1/upload", content=data, headers={"Idempotency-Key": new_id()},
                            params={"uploadType": "media", "name": f"f{number}", "parentId": "root"})
        if response.status_code != 201:
            return kept, response
        kept[f"f{number}"] = data
    raise AssertionError("the disk never filled")


def assert_kept(api, kept):
    for name, data in kept.items():
        assert api.read(api.by_path(f"/{name}").json()) == data, name


def test_the_server_keeps_its_room_free_and_deleting_still_works(small_server):
    server, disk = small_server("64m", "--min-free", "20MiB")
    api = Api(server.url).register(f"{new_id()}@example.org")
    kept, refusal = put_until_refused(api)
    problem(refusal, 507, "disk_full")
    assert len(kept) > 20 and disk.free() >= 19 * MIB
    problem(api.call("POST", "/v1/upload", params={"uploadType": "media", "name": "g"}, content=content(MIB, seed="g"),
                     headers={"Idempotency-Key": new_id()}), 507, "disk_full")
    assert_kept(api, kept)
    api.delete(api.by_path("/f0").json()["id"], permanent="true")
    assert api.by_path("/f0").status_code == 404
    assert server.answers("/readyz") == 200 and server.running()
    # What was deleted is given back to the disk within seconds, and not within hours.
    wait_until(lambda: send_small(api, "g", content(MIB, seed="g")).status_code == 201, what="room for another file", every=0.5)


def send_small(api, name, data):
    return api.call("POST", "/v1/upload", params={"uploadType": "media", "name": name, "parentId": "root"}, content=data,
                    headers={"Idempotency-Key": new_id()})


def make_folder(api, name):
    return api.call("POST", "/v1/files", json={"requestId": new_id(), "name": name, "parentId": "root", "mimeType": FOLDER})


def test_an_account_that_fills_the_disk_with_copies_locks_nobody_out(small_server):
    """Metadata knew neither quota nor reserve: copies of a folder filled the disk to the last byte; then nobody could delete, or sign in."""
    server, disk = small_server("64m", "--min-free", "16MiB", "--quota", "1")
    api = Api(server.url).register(f"{new_id()}@example.org")
    other = Api(server.url).register(f"{new_id()}@example.org")
    theirs = other.folder("theirs")
    many = api.folder("many")
    for group in range(4):
        items = [({"requestId": new_id(), "name": f"an empty file {group}-{number}", "parentId": many["id"]}, b"") for number in range(250)]
        api.call("POST", "/v1/upload/batch", content=batch(items), headers={"Content-Type": "application/octet-stream"}, expect=200)
    copies = []
    for number in range(100):
        made = api.call("POST", f"/v1/files/{many['id']}/copy", json={"requestId": new_id(), "name": f"copy {number}"})
        if made.status_code != 201:
            break
        copies.append(made.json()["id"])
    problem(made, 507, "disk_full")
    assert len(copies) > 2 and disk.free() > 8 * MIB, "it ends well before the last byte"
    # Nobody is locked out, and nobody adds anything.
    problem(make_folder(other, "more"), 507, "disk_full")
    other.login(other.user["email"], PASSWORD, name="another device")
    other.signed_in(other.call("POST", "/v1/auth/refresh", token="", json={"refreshToken": other.refresh_token}, expect=200).json())
    other.delete(theirs["id"])
    other.delete(theirs["id"], permanent="true")
    assert server.answers("/readyz") == 200
    for copy in [many["id"], *copies]:
        api.delete(copy, permanent="true")
    assert api.names() == []
    # The names' room goes to other names.
    wait_until(lambda: make_folder(other, "more").status_code == 201, what="room for names")
    assert server.admin("verify").returncode == 0


def test_as_many_files_and_folders_as_an_account_may_have(tmp_path):
    server = Server(tmp_path / "data", "--max-items", "5").start()
    try:
        api = Api(server.url).register(f"{new_id()}@example.org")
        for number in range(5):
            api.folder(f"folder {number}")
        refusal = problem(make_folder(api, "one too many"), 507, "quota_exceeded")
        assert refusal["limit"] == 5
        quota = api.call("GET", "/v1/about", expect=200).json()["quota"]
        assert (quota["items"], quota["itemLimit"]) == (5, 5)
        api.delete(api.by_path("/folder 0").json()["id"], permanent="true")
        wait_until(lambda: make_folder(api, "another").status_code == 201, what="a place")
    finally:
        server.kill()


def taken_by_packs(server):
    return sum(pack.stat().st_blocks * 512 for pack in server.packs())


def test_refused_uploads_take_no_room_of_others(small_server):
    """96 refused uploads of an account at its quota took 480 MiB of the packs, and others had no room for ten minutes."""
    server, disk = small_server("64m", "--min-free", "8MiB", "--quota", "2MiB")
    api = Api(server.url).register(f"{new_id()}@example.org")
    kept = content(2 * MIB, seed="kept")
    api.put_small("kept", kept)
    before = disk.free()
    with ThreadPoolExecutor(4) as pool:
        refused = list(pool.map(lambda number: send_small(api, f"r{number}", content(MIB, seed=f"refused {number}")), range(60)))
    assert {problem(answer, 507, "quota_exceeded")["free"] for answer in refused} == {0}
    assert before - disk.free() < MIB
    other = Api(server.url).register(f"{new_id()}@example.org")
    assert send_small(other, "fits", content(MIB, seed="other")).status_code == 201
    assert api.read(api.by_path("/kept").json()) == kept


def test_what_was_written_in_vain_is_given_back_while_room_is_short(small_server):
    """Chunks that arrive damaged are written before that is known, in nobody's quota."""
    server, disk = small_server("64m", "--min-free", "8MiB")
    api = Api(server.url).register(f"{new_id()}@example.org")
    other = Api(server.url).register(f"{new_id()}@example.org")
    session = api.start_upload("film", 64 * MIB, plan={"kind": "fixed", "chunkSize": 4 * MIB})
    for number in range(100):
        answer = api.put_chunk(session["uploadId"], 0, content(4 * MIB, seed=f"damaged {number}"), **{"X-Chunk-Hash": f"sha256={sha256(b'other')}"})
        if answer.status_code != 422:
            break
    problem(answer, 507, "disk_full")
    wait_until(lambda: send_small(other, "fits", content(4 * MIB, seed="other")).status_code == 201, seconds=30,
               what="room for others", every=0.5)


@pytest.fixture
def failing_disk(tmp_path):
    disk = FailingDisk(tmp_path / "failing", tmp_path / "failing.image")
    yield disk
    disk.close()


def test_a_servers_disk_that_turned_read_only_is_told_at_once(failing_disk, tmp_path):
    """/readyz said ok, «put» waited without a word, and «status» said that all was well."""
    server = Server(failing_disk.place / "data", "--min-free", "10MiB").start()
    try:
        device = Device(tmp_path / "device").register(server.url, f"{new_id()}@example.org")
        (tmp_path / "file").write_bytes(content(MIB, seed="kept"))
        device.put(tmp_path / "file", "/kept")
        assert server.answers("/readyz") == 200
        failing_disk.turn_read_only()
        wait_until(lambda: server.answers("/readyz") == 503, what="the server says that it cannot write")
        assert server.answers("/healthz") == 200
        (tmp_path / "new").write_bytes(content(MIB, seed="new"))
        for arguments in [("put", tmp_path / "new", "/new"), ("put", tmp_path / "new", tmp_path / "file", "/"), ("mkdir", "/folder")]:
            said = device.run(*arguments, check=False, seconds=60)
            assert said.code != 0 and "disk" in said.stderr, said
        (line,) = [line for line in device.json("status")["lines"] if line["part"] == "server"]
        assert line["state"] != "idle" and "disk" in line["words"], line
        assert device.run("doctor", check=False).code != 0
        assert sha256(device.cat("/kept")) == sha256(content(MIB, seed="kept")), "what is there can be fetched still"
    finally:
        server.kill()


def test_a_disk_that_is_full_under_the_running_server_loses_nothing(small_server):
    server, disk = small_server("64m", "--min-free", "0")
    api = Api(server.url).register(f"{new_id()}@example.org")
    kept = {}
    for number in range(10):
        data = content(MIB, seed=f"before {number}")
        api.put_small(f"b{number}", data)
        kept[f"b{number}"] = data
    data = content(3 * MIB, seed="session")
    session = api.start_upload("session", len(data), plan={"kind": "fixed", "chunkSize": MIB})
    api.put_chunk(session["uploadId"], 0, chunks(data, MIB)[0], expect=308)

    disk.fill()
    refused = api.call("POST", "/v1/upload", content=content(MIB, seed="too much"), headers={"Idempotency-Key": new_id()},
                       params={"uploadType": "media", "name": "too much", "parentId": "root"})
    problem(refused, 507, "disk_full")
    problem(api.put_chunk(session["uploadId"], 1, chunks(data, MIB)[1]), 507, "disk_full")
    made = api.call("POST", "/v1/files", json={"requestId": new_id(), "name": "folder", "parentId": "root",
                                               "mimeType": "application/vnd.bothy.folder"})
    assert made.status_code in (201, 507), made.text  # names may still fit into what the log of the database has
    assert server.running() and server.answers() == 200
    assert_kept(api, kept)
    assert api.by_path("/too much").status_code == 404

    disk.make_room()
    for index, piece in enumerate(chunks(data, MIB)):
        assert api.put_chunk(session["uploadId"], index, piece).status_code in (201, 308)
    assert api.finalize(session["uploadId"]).status_code == 201
    kept["session"] = data
    kept["after"] = content(MIB, seed="after")
    api.put_small("after", kept["after"])
    assert_kept(api, kept)
    assert server.answers("/readyz") == 200
    server.restart()
    assert_kept(api, kept)
    assert server.admin("verify").returncode == 0


def test_a_server_that_was_killed_on_a_full_disk_starts_again_and_has_everything(small_server):
    server, disk = small_server("48m", "--min-free", "0")
    api = Api(server.url).register(f"{new_id()}@example.org")
    disk.fill(leave=disk.free() - MIB)  # what will make room: else that is as little as the last refusal left
    kept, refusal = put_until_refused(api)
    problem(refusal, 507, "disk_full")
    disk.fill()
    api.call("POST", "/v1/upload", content=content(MIB, seed="x"), headers={"Idempotency-Key": new_id()},
             params={"uploadType": "media", "name": "x", "parentId": "root"})
    server.kill()
    disk.make_room()
    server.start()
    assert_kept(api, kept)
    assert server.admin("verify").returncode == 0


def test_a_download_to_a_full_disk_says_so_leaves_nothing_and_goes_on_with_room(small_disk, shared_server, tmp_path):
    disk = small_disk("40m")
    digest = write_content(tmp_path / "film", 24 * MIB, seed="film")
    email = f"{new_id()}@example.org"
    Device(tmp_path / "first").register(shared_server.url, email).put(tmp_path / "film", "/film")
    device = Device(tmp_path / "second", prefix=disk.prefix).login(shared_server.url, email)
    disk.fill(leave=10 * MIB)
    target = disk.place / "film"
    said = device.get("/film", target, check=False)
    assert said.code == 1 and "space" in said.text.lower() and "film" in said.text, said
    assert sorted(path.name for path in disk.outside.iterdir()) == ["filler"]
    disk.make_room()
    device.get("/film", target)
    assert file_sha256(disk.outside / "film") == digest


def test_a_disk_that_fills_during_a_download_leaves_it_resumable(small_disk, proxy, shared_server, tmp_path):
    disk = small_disk("60m")
    digest = write_content(tmp_path / "film", 32 * MIB, seed="film 2")
    email = f"{new_id()}@example.org"
    Device(tmp_path / "first").register(shared_server.url, email).put(tmp_path / "film", "/film")
    device = Device(tmp_path / "second", prefix=disk.prefix).login(proxy.url, email)
    proxy.add(fault_proxy.hold_download(4 * MIB, times=1000))
    process = device.start("get", "/film", disk.place / "film")
    wait_until(lambda: sum(e.sent_down for e in proxy.seen(fault_proxy.a_download)) > 6 * MIB, what="a part of the film")
    disk.fill()
    proxy.clear()
    assert process.wait(60) == 1, device.started_log()
    assert "space" in device.started_log().lower(), device.started_log()
    assert not (disk.outside / "film").exists()
    disk.make_room()
    device.get("/film", disk.place / "film")
    assert file_sha256(disk.outside / "film") == digest
    assert not [path.name for path in disk.outside.iterdir() if path.name != "film"]


def test_a_device_whose_own_disk_is_full_says_so_and_goes_on_with_room(small_disk, proxy, shared_server, tmp_path):
    disk = small_disk("24m")
    digest = write_content(tmp_path / "film", 6 * MIB, seed="film 3")
    home = disk.place / "home"
    email = f"{new_id()}@example.org"
    device = Device(tmp_path / "d", prefix=disk.prefix, environment={"BOTHY_HOME": str(home)}).register(proxy.url, email)
    witness = Device(tmp_path / "w").login(shared_server.url, email)
    device.run("ls")
    disk.fill()
    # What the database's log has of room may be enough for the few rows of a transfer: then it is done, and not only said to be.
    said = device.put(tmp_path / "film", "/film", check=False)
    if said.code == 0:
        assert sha256(witness.cat("/film")) == digest
    else:
        assert_says_full(said)
        assert witness.run("cat", "/film", check=False).code == 4
    # Without a connection it has to be kept here, and there is no room for it.
    proxy.go_down()
    said = device.put(tmp_path / "film", "/later", check=False)
    assert said.code != 0, said
    assert_says_full(said)
    disk.make_room()
    assert "later" not in device.run("ls").stdout
    device.put(tmp_path / "film", "/later")
    proxy.come_back()
    device.put(tmp_path / "film", "/film")
    wait_until(lambda: witness.run("cat", "/later", check=False).code == 0, what="what waited has arrived")
    assert sha256(witness.cat("/later")) == sha256(witness.cat("/film")) == digest


def test_the_status_of_a_device_names_its_disk_that_is_full(small_disk, shared_server, tmp_path):
    """It showed a page on which all was well."""
    disk = small_disk("96m")
    home = disk.place / "home"
    device = Device(tmp_path / "d", prefix=disk.prefix, environment={"BOTHY_HOME": str(home)})
    device.register(shared_server.url, f"{new_id()}@example.org")
    assert "disk" not in {line["part"] for line in device.json("status")["lines"]}
    disk.fill()
    (line,) = [line for line in device.json("status")["lines"] if line["part"] == "disk"]
    assert line["state"] == "held" and line["reason"] == "disk_full" and f"on the disk of “{home}”" in line["words"], line
    assert "are free on the disk of" in device.run("status").stdout


def assert_says_full(said):
    assert said.code == 1 and ("full" in said.text.lower() or "space" in said.text.lower()), said
    assert "SQL" not in said.text and "error 13" not in said.text, said
