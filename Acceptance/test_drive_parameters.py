"""A drive whose files a later release cuts in another way: an older one says so, sends whole files, and loses nothing."""

import contextlib
import sqlite3

import pytest

import fault_proxy
from api import Api
from content import content, file_sha256, sha256
from device import PASSWORD

MIB = 1 << 20
SIZE = 9 * MIB + 777
WORDS = "This drive's files are cut in a way this Bothy does not know"
REMEDY = "Update Bothy on this machine"


def a_plan(request):
    return request.method == "POST" and request.path.endswith("/plan")


def a_start(request):
    return request.method == "POST" and request.path.startswith("/v1/upload?uploadType=resumable")


@pytest.fixture
def later(shared_server, device):
    """What a later release would write when it changes how the drive's files are cut."""
    user = device.json("whoami")["user"]

    def change(version):
        with contextlib.closing(sqlite3.connect(shared_server.data / "bothy.sqlite", timeout=30)) as database, database:
            changed = database.execute("UPDATE drives SET block_parameters = ? WHERE drive_id = ?", [version, user["id"]])
            assert changed.rowcount == 1
    return change


def test_a_drive_that_is_cut_in_another_way_takes_whole_files(device, proxy, shared_server, later, tmp_path):
    api = Api(shared_server.url).login(device.json("whoami")["user"]["email"], PASSWORD, name="witness")
    source = tmp_path / "film.bin"
    source.write_bytes(content(SIZE, seed="before"))
    said = device.put(source, "/film.bin")
    assert WORDS not in said.stderr
    assert api.call("GET", "/v1/about").json()["blockParameters"] == 1

    later(2)
    assert api.call("GET", "/v1/about").json()["blockParameters"] == 2
    changed = bytearray(content(SIZE, seed="before"))
    changed[5 * MIB:5 * MIB + 10] = b"0123456789"
    source.write_bytes(changed)
    before = len(proxy.seen(fault_proxy.any_request))
    said = device.put(source, "/film.bin")
    assert WORDS in said.stderr and REMEDY in said.stderr
    requests = proxy.seen(fault_proxy.any_request)[before:]
    assert not [each for each in requests if a_plan(each)], "blocks were named that nobody else would name so"
    assert sum(each.sent_up for each in requests) < 1 * MIB, "patches need no names"
    file = api.by_path("/film.bin").json()
    assert file["checksum"] == sha256(bytes(changed))
    assert sha256(api.read(file)) == file["checksum"]
    [line] = [line for line in device.json("status")["lines"] if line["part"] == "drive"]
    assert line["words"].startswith(WORDS) and line["remedy"].startswith(REMEDY) and line["reason"] == "cuts_unknown"
    doctor = device.run("doctor").stdout
    assert WORDS in doctor and REMEDY in doctor

    fetched = tmp_path / "fetched.bin"
    device.get("/film.bin", fetched)
    assert file_sha256(fetched) == file["checksum"]

    later(1)
    source.write_bytes(content(SIZE, seed="after"))
    said = device.put(source, "/film.bin")
    assert WORDS not in said.stderr
    assert not [line for line in device.json("status")["lines"] if line["part"] == "drive"]
    assert WORDS not in device.run("doctor").stdout
    assert api.by_path("/film.bin").json()["checksum"] == sha256(content(SIZE, seed="after"))
    api.close()


def test_parameters_that_the_server_does_not_know_are_refused_by_name(api):
    def start(expect, **plan):
        return api.start_upload("film", 0, expect=expect, plan=plan)
    for plan in ({"kind": "open"}, {"kind": "blocks", "blocks": []}, {"kind": "fixed"}):
        refused = start(422, **plan, parameters=2)
        assert refused["code"] == "parameters_unknown" and "version 2" in refused["detail"]
    assert start(201, kind="open", parameters=1)["blockParameters"] == 1
