"""A calendar that jumps by a year, forwards and back, under the running server, over its restart, and on a device.

Nothing that was kept is purged, nobody is locked out for good, and whoever has to do something is told what.
"""

import datetime
import urllib.request

import pytest

import fault_proxy
from api import MIB, Api, chunks, content, new_id, problem, sha256
from clocks import YEAR, clock  # noqa: F401
from device import PASSWORD, Device
from server import Server
from waiting import wait_until

JUMPS = {"a year forwards": YEAR, "a year back": -YEAR}


@pytest.fixture
def server(tmp_path, clock):
    server = Server(tmp_path / "data", environment=clock.environment).start()
    yield server
    if server.running():
        server.kill()


def year_of(server):
    return urllib.request.urlopen(server.url + "/healthz").headers["date"].split()[3]


@pytest.fixture(params=JUMPS, ids=[name.replace(" ", "-") for name in JUMPS])
def jump(request, clock, server):
    """Makes the clock jump: under the running server, or over a restart of it."""
    def make(restart=False):
        if restart:
            server.stop()
        clock.jump(JUMPS[request.param])
        if restart:
            server.start()
        expected = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=JUMPS[request.param])
        wait_until(lambda: year_of(server) == str(expected.year), what="the jump")
    return make


def by_restart(test):
    return pytest.mark.parametrize("restart", [False, True], ids=["while-it-runs", "over-a-restart"])(test)


def refresh(api):
    answer = api.call("POST", "/v1/auth/refresh", token="", json={"refreshToken": api.refresh_token})
    assert answer.status_code == 200, answer.text
    api.access, api.refresh_token = answer.json()["accessToken"], answer.json()["refreshToken"]
    return api


@by_restart
def test_sessions_outlive_the_jump(server, jump, new_account, restart):
    api = new_account(server)
    jump(restart)
    problem(api.call("GET", "/v1/about"), 401, "token_expired")
    refresh(api).call("GET", "/v1/about", expect=200)
    Api(server.url).login(api.user["email"]).call("GET", "/v1/about", expect=200)
    refresh(api).call("GET", "/v1/about", expect=200)


@by_restart
def test_nothing_in_the_trash_is_purged_nor_an_earlier_revision(server, jump, new_account, restart):
    api = new_account(server)
    trashed = api.put_small("trashed", b"trashed")
    api.delete(trashed["id"])
    file = api.put_small("file", b"one")
    api.put_small("file", b"two", conflict="overwrite")
    jump(restart)
    server.admin("gc")
    server.restart()  # what runs by the clock runs at once after a start
    refresh(api)
    assert [entry["name"] for entry in api.list(trashed="true")] == ["trashed"]
    api.patch(trashed["id"], trashed=False)
    assert api.read(api.by_path("/trashed").json()) == b"trashed"
    contents = [api.call("GET", revision["downloadUrl"], token="").content for revision in api.revisions(file["id"])]
    assert contents == [b"two", b"one"]


@by_restart
def test_an_upload_goes_on_where_it_was(server, jump, new_account, restart):
    api = new_account(server)
    data = content(3 * MIB + 5)
    upload = api.start_upload("film", len(data), plan={"kind": "fixed", "chunkSize": MIB})["uploadId"]
    pieces = chunks(data, MIB)
    for index in (0, 2):
        api.put_chunk(upload, index, pieces[index], expect=308)
    jump(restart)
    server.admin("gc")
    refresh(api)
    api.put_chunk(upload, 1, pieces[1], expect=308)
    api.put_chunk(upload, 3, pieces[3])
    file = api.finalize(upload, expect=201).json()["file"]
    assert api.read(file) == data


@by_restart
def test_signed_addresses_end_and_new_ones_hold(server, jump, new_account, restart):
    api = new_account(server)
    file = api.put_small("file", b"bytes")
    jump(restart)
    problem(api.download(file), 403, "url_expired")
    assert api.read(refresh(api).file(file["id"])) == b"bytes"


@by_restart
def test_cursors_hold_and_changes_keep_their_order(server, jump, new_account, restart):
    api = new_account(server)
    first = api.put_small("first", b"1")
    cursor = api.cursor()
    jump(restart)
    refresh(api)
    second = api.put_small("second", b"2")
    changes, _ = api.changes(cursor)
    assert [change["id"] for change in changes] == [second["id"]]
    assert {first["id"], second["id"]} <= {change["id"] for change in api.changes(None)[0]}
    head = api.put_small("first", b"1 again", conflict="overwrite")
    assert [r["revisionId"] for r in api.revisions(first["id"])][0] == head["headRevisionId"], "the newest comes first"


def test_guessing_passwords_is_slowed_no_longer_than_before(server, jump, new_account):
    api = new_account(server)
    guess = {"email": api.user["email"], "password": "wrong password", "device": {"name": "x", "platform": "linux"}}
    answers = [Api(server.url).call("POST", "/v1/auth/login", json=guess) for _ in range(5)]
    assert answers[-1].status_code == 429
    jump()
    slowed = Api(server.url).call("POST", "/v1/auth/login", json=guess)
    assert slowed.status_code == 429, "a jump forgives no guess"
    assert int(slowed.headers["retry-after"]) <= 60, "and locks nobody out for long"


def test_an_invite_is_kept_and_a_request_id_acts_once(server, jump, new_account):
    api = new_account(server)
    body = {"requestId": new_id(), "name": "folder", "parentId": "root", "mimeType": "application/vnd.bothy.folder"}
    made = api.call("POST", "/v1/files", json=body, expect=201).json()
    jump()
    again = refresh(api).call("POST", "/v1/files", json=body)
    assert again.status_code in (200, 201) and again.json()["id"] == made["id"]
    assert api.names() == ["folder"]


def test_a_device_goes_on_without_signing_in_again(server, jump, tmp_path):
    device = Device(tmp_path / "device").register(server.url, f"{new_id()}@example.org")
    (tmp_path / "a").write_bytes(content(6 * MIB))
    device.put(tmp_path / "a", "/a")
    jump()
    assert device.cat("/a") == content(6 * MIB)
    (tmp_path / "b").write_bytes(content(6 * MIB, seed="b"))
    device.put(tmp_path / "b", "/b")
    assert sha256(device.cat("/b")) == sha256(content(6 * MIB, seed="b"))


@pytest.mark.parametrize("name", JUMPS, ids=[name.replace(" ", "-") for name in JUMPS])
def test_a_device_whose_own_clock_jumps_goes_on_and_doctor_says_so(clock, shared_server, proxy, tmp_path, name):
    device = Device(tmp_path / "device", environment=clock.environment)
    device.register(proxy.url, f"{new_id()}@example.org")
    data = content(24 * MIB)
    (tmp_path / "film").write_bytes(data)
    proxy.add(fault_proxy.trickle(8 * MIB, fault_proxy.a_chunk, 20))
    process = device.start("put", tmp_path / "film", "/film")
    wait_until(lambda: len([e for e in proxy.seen(fault_proxy.a_chunk)]) >= 2, what="a chunk or two")
    clock.jump(JUMPS[name])  # while it runs
    assert process.wait(60) == 0, device.started_log()
    assert sha256(device.cat("/film")) == sha256(data)
    doctor = device.run("doctor", check=False)
    assert "clock" in doctor.text.lower(), doctor
    device.run("whoami")


def test_a_put_that_was_killed_before_the_jump_goes_on_after_it(clock, shared_server, proxy, tmp_path):
    for number, seconds in enumerate((YEAR, -YEAR)):
        clock.jump(0)
        device = Device(tmp_path / f"device-{number}", environment=clock.environment)
        device.register(proxy.url, f"{new_id()}@example.org")
        data = content(24 * MIB, seed=number)
        (tmp_path / f"film-{number}").write_bytes(data)
        before = len(proxy.seen(fault_proxy.a_chunk))
        proxy.add(fault_proxy.trickle(4 * MIB, fault_proxy.a_chunk, 6))
        process = device.start("put", tmp_path / f"film-{number}", "/film")
        wait_until(lambda: len(proxy.seen(fault_proxy.a_chunk)) >= before + 4, what="a chunk or two")
        process.kill()
        process.wait()
        clock.jump(seconds)
        device.put(tmp_path / f"film-{number}", "/film")
        assert sha256(device.cat("/film")) == sha256(data)
        assert device.json("stat", "/film")["sha256"] == sha256(data)


def test_a_backup_made_before_a_jump_restores_after_it(server, clock, new_account, tmp_path):
    api = new_account(server)
    api.put_small("file", b"kept")
    clock.jump(YEAR)
    server.admin("backup", tmp_path / "backup")
    clock.jump(-YEAR)
    restored = Server(tmp_path / "restored", environment=clock.environment)
    restored.admin("restore", tmp_path / "backup")
    restored.start()
    try:
        again = Api(restored.url).login(api.user["email"], PASSWORD)
        assert again.read(again.by_path("/file").json()) == b"kept"
    finally:
        restored.kill()
