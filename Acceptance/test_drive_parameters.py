"""A drive whose files a later release cuts in another way: an older one says so, sends whole files, and loses nothing."""

import contextlib
import sqlite3
import time

import pytest

import fault_proxy
from api import Api
from content import content, file_sha256, sha256
from device import PASSWORD

MIB = 1 << 20
SIZE = 9 * MIB + 777
WORDS = "This server splits files in a way that this Bothy does not know"
REMEDY = "Update Bothy on this machine"


def a_plan(request):
    return request.method == "POST" and request.path.endswith("/plan")


def seen_since(moment, proxy, matches):
    return [each for each in proxy.seen(matches) if each.begun >= moment]


def sent_up_since(moment, proxy):
    return sum(each.sent_up for each in seen_since(moment, proxy, fault_proxy.any_request))


@pytest.fixture
def later(shared_server, device):
    """What a later release would write when it changes how the drive's files are cut."""
    user = device.json("whoami")["user"]

    def change(version):
        with contextlib.closing(sqlite3.connect(shared_server.data / "bothy.sqlite", timeout=30)) as database, database:
            changed = database.execute("UPDATE drives SET block_parameters = ? WHERE drive_id = ?", [version, user["id"]])
            assert changed.rowcount == 1
    return change


@contextlib.contextmanager
def settings(device):
    with contextlib.closing(sqlite3.connect(device.home / "bothy/client.sqlite", timeout=30)) as database, database:
        yield database


def remember(device, version):
    """What the device was told of its drive, some time ago."""
    with settings(device) as database:
        changed = database.execute("UPDATE settings SET value = ? WHERE name = 'drive-block-parameters'", [str(version)])
        assert changed.rowcount == 1


def remembered(device):
    with settings(device) as database:
        [[version]] = database.execute("SELECT value FROM settings WHERE name = 'drive-block-parameters'")
    return int(version)


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
    moment = time.monotonic()
    said = device.put(source, "/film.bin")
    assert WORDS in said.stderr and REMEDY in said.stderr
    assert seen_since(moment, proxy, a_plan) == [], "blocks were named that nobody else would name so"
    assert sent_up_since(moment, proxy) < 1 * MIB, "patches need no names"
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


def test_a_device_that_remembers_other_cuts_than_the_drives_cuts_again(device, proxy, shared_server, tmp_path):
    api = Api(shared_server.url).login(device.json("whoami")["user"]["email"], PASSWORD, name="witness")
    source = tmp_path / "film.bin"
    source.write_bytes(content(SIZE, seed="before"))
    device.put(source, "/film.bin")
    assert remembered(device) == 1

    remember(device, 2)
    copy = tmp_path / "copy.bin"
    copy.write_bytes(b"ahead of it" + content(SIZE, seed="before") + b"and behind it")
    moment = time.monotonic()
    said = device.put(copy, "/copy.bin")
    assert WORDS not in said.stderr
    assert len(seen_since(moment, proxy, fault_proxy.an_upload_start)) == 2, "by what it remembered, and anew"
    assert seen_since(moment, proxy, a_plan), "it is cut as the drive's files are"
    assert sent_up_since(moment, proxy) < 2 * MIB, "its blocks are the drive's"
    assert remembered(device) == 1
    file = api.by_path("/copy.bin").json()
    assert file["checksum"] == file_sha256(copy)
    assert sha256(api.read(file)) == file["checksum"]

    again = tmp_path / "again.bin"
    again.write_bytes(content(SIZE, seed="again"))
    moment = time.monotonic()
    device.put(again, "/again.bin")
    assert len(seen_since(moment, proxy, fault_proxy.an_upload_start)) == 1, "what it was told is remembered"
    assert api.by_path("/again.bin").json()["checksum"] == file_sha256(again)
    api.close()


def test_parameters_that_the_server_does_not_know_are_refused_by_name(api):
    def start(expect, **plan):
        return api.start_upload("film", 0, expect=expect, plan=plan)
    for plan in ({"kind": "open"}, {"kind": "blocks", "blocks": []}, {"kind": "fixed"}):
        refused = start(422, **plan, parameters=2)
        assert refused["code"] == "parameters_unknown" and "version 2" in refused["detail"]
    assert start(201, kind="open", parameters=1)["blockParameters"] == 1
