"""Uploads by the command line through a network that fails. Each test is a line of resumable-transfers.md («Testing
strategies», «Integrity failure scenarios») or of drive-app.md («Error handling and recovery»), by its name."""

import json
import os
import signal

import pytest

import fault_proxy
from api import Api, content, sha256
from content import write_content
from device import PASSWORD
from waiting import wait_until

MIB = 1 << 20
CHUNK = 4 * MIB
SIZE = 24 * MIB + 777


class Case:
    """A device, its proxy, a source file, and a second view on the account, past the proxy."""

    def __init__(self, device, proxy, server, folder):
        self.device, self.proxy, self.server = device, proxy, server
        self.source = folder / "film.bin"
        self.digest = write_content(self.source, SIZE)
        email = device.json("whoami")["user"]["email"]
        self.api = Api(server.url).login(email, PASSWORD, name="witness")

    def put(self, *flags, **options):
        return self.device.put(self.source, "/film.bin", *flags, **options)

    def start_put(self):
        return self.device.start("put", self.source, "/film.bin")

    def assert_there(self, digest=None):
        file = self.api.by_path("/film.bin").json()
        assert file["checksum"] == (digest or self.digest)
        assert sha256(self.api.read(file)) == file["checksum"]

    def assert_not_there(self):
        assert self.api.by_path("/film.bin").status_code == 404

    @property
    def sent_up(self):
        return sum(e.sent_up for e in self.proxy.seen(fault_proxy.a_chunk))


@pytest.fixture
def case(device, proxy, shared_server, tmp_path):
    made = Case(device, proxy, shared_server, tmp_path)
    yield made
    made.api.close()


def problem_body(code, status, **more):
    return json.dumps({"type": f"/problems/{code}", "title": code, "status": status, "code": code, "detail": "so", **more}).encode()


PROBLEM = [("Content-Type", "application/problem+json")]
AFTER = [("Retry-After", "1")]

FAULTS = {
    "network drop mid-chunk": lambda: [fault_proxy.cut_upload(after=MIB, times=3)],
    "network drop between chunks": lambda: [fault_proxy.cut_upload(after=0, times=3)],
    "network drop at the first byte of a chunk": lambda: [fault_proxy.cut_upload(after=1, times=2)],
    "network drop at the last byte of a chunk": lambda: [fault_proxy.cut_upload(after=CHUNK - 1, times=2)],
    "corrupted chunk bytes, one bit flipped": lambda: [fault_proxy.flip_upload_bit(at=12345, times=2)],
    "a chunk arrives twice": lambda: [fault_proxy.repeat(fault_proxy.a_chunk, times=3)],
    "the answer to a chunk is lost": lambda: [fault_proxy.drop_answer(fault_proxy.a_chunk, times=3)],
    "the answer to the start is lost": lambda: [fault_proxy.drop_answer(fault_proxy.an_upload_start)],
    "the start arrives twice": lambda: [fault_proxy.repeat(fault_proxy.an_upload_start)],
    "the answer to finalize is lost": lambda: [fault_proxy.drop_answer(fault_proxy.a_finalize)],
    "finalize arrives twice": lambda: [fault_proxy.repeat(fault_proxy.a_finalize)],
    "the server is busy for a while": lambda: [fault_proxy.answer(503, fault_proxy.a_chunk, 2, AFTER)],
    "too many requests": lambda: [fault_proxy.answer(429, fault_proxy.a_chunk, 2, AFTER)],
    "a bad gateway": lambda: [fault_proxy.answer(502, fault_proxy.any_request, 2)],
    "a gateway that timed out": lambda: [fault_proxy.answer(504, fault_proxy.a_chunk, 2)],
    "a slow network": lambda: [fault_proxy.trickle(3 * MIB, fault_proxy.a_chunk, 3)],
    "a late answer": lambda: [fault_proxy.delay(2, fault_proxy.a_chunk, 2)],
    "an answer that is no JSON": lambda: [fault_proxy.answer(308, fault_proxy.a_chunk, 1, body=b"<html>captive portal")],
}


@pytest.mark.parametrize("name", FAULTS)
def test_an_upload_survives(case, name):
    case.proxy.add(*FAULTS[name]())
    case.put()
    case.assert_there()


def test_a_retried_chunk_sends_only_that_chunk_again(case):
    case.proxy.add(fault_proxy.flip_upload_bit(at=100))
    case.put()
    assert case.sent_up <= SIZE + 2 * CHUNK


def test_app_kill_and_restart_during_upload(case):
    """The same put typed again goes on where it was."""
    case.proxy.add(fault_proxy.trickle(6 * MIB, fault_proxy.a_chunk, 1000))
    put = case.start_put()
    wait_until(lambda: sum(e.status == 308 for e in case.proxy.seen(fault_proxy.a_chunk)) >= 2, what="two chunks")
    put.kill()
    put.wait()
    case.assert_not_there()
    case.proxy.clear()
    case.put()
    case.assert_there()
    assert case.sent_up <= SIZE + 4 * CHUNK, "more was sent again than was in flight"


def test_ctrl_c_leaves_the_upload_resumable_and_says_how_to_go_on(case):
    case.proxy.add(fault_proxy.trickle(6 * MIB, fault_proxy.a_chunk, 1000))
    put = case.start_put()
    wait_until(lambda: any(e.status == 308 for e in case.proxy.seen(fault_proxy.a_chunk)), what="a chunk")
    put.send_signal(signal.SIGINT)
    assert put.wait(15) != 0
    said = case.device.started_log()
    assert "again" in said or "resume" in said, said
    case.proxy.clear()
    case.put()
    case.assert_there()
    assert case.sent_up <= SIZE + 4 * CHUNK


def test_connectivity_problems_save_the_state_and_resume_when_it_returns(case):
    case.proxy.add(fault_proxy.trickle(8 * MIB, fault_proxy.a_chunk, 1000))
    put = case.start_put()
    wait_until(lambda: any(e.status == 308 for e in case.proxy.seen(fault_proxy.a_chunk)), what="a chunk")
    case.proxy.go_down()
    wait_until(lambda: "onnection" in case.device.started_log() or "etwork" in case.device.started_log(), seconds=30,
               what="a clear status message: connection lost")
    assert put.poll() is None, "losing the network ended the upload"
    case.proxy.clear()
    case.proxy.come_back()
    assert put.wait(60) == 0, case.device.started_log()
    case.assert_there()


def test_retries_back_off(case):
    """The delay between attempts grows: a server that is away is not hammered."""
    case.proxy.go_down()
    attempts = []
    original = case.proxy._serve

    async def counting(reader, writer):
        import time
        attempts.append(time.monotonic())
        await original(reader, writer)

    case.proxy._serve = counting
    case.proxy.come_back()
    case.proxy.add(fault_proxy.answer(502, fault_proxy.any_request, 10_000))
    put = case.start_put()
    wait_until(lambda: len(case.proxy.exchanges) >= 3, seconds=30, what="some attempts")
    before = len(case.proxy.exchanges)
    put.send_signal(signal.SIGINT)
    put.wait(15)
    assert before < 20


def begun(case, device=None):
    """An upload of which the server has a chunk, and goes on slowly."""
    case.proxy.add(fault_proxy.trickle(5 * MIB, fault_proxy.a_chunk, 1000))
    put = (device or case.device).start("put", case.source, "/film.bin")
    wait_until(lambda: any(e.status == 308 for e in case.proxy.seen(fault_proxy.a_chunk)), what="a chunk")
    return put


def change(path, kind):
    if kind == "shrinks":
        os.truncate(path, SIZE // 2)
    elif kind == "grows":
        with open(path, "ab") as file:
            file.write(b"more" * 1000)
    elif kind == "is written over":
        with open(path, "r+b") as file:
            file.seek(SIZE - 5000)
            file.write(b"changed meanwhile")
    else:
        other = path.with_name("other")
        write_content(other, SIZE, seed=2)
        other.rename(path)


@pytest.mark.parametrize("kind", ["shrinks", "grows", "is written over", "is replaced"])
def test_local_file_changed_during_upload(case, kind):
    """What is there in the end is the newer content, whole, as the only revision: never a mixture, and no half of the old."""
    put = begun(case)
    change(case.source, kind)
    case.proxy.clear()
    assert put.wait(60) == 0, case.device.started_log()
    case.assert_there(sha256(case.source.read_bytes()))
    assert len(case.api.revisions(case.api.by_path("/film.bin").json()["id"])) == 1
    assert [t["state"] for t in case.device.run("transfers", "--json").json_lines() if t["state"] not in ("completed", "canceled")] == []


def test_a_source_that_vanishes_during_its_upload_is_named_and_can_be_put_again(case):
    put = begun(case)
    kept = case.source.rename(case.source.with_name("elsewhere"))
    case.proxy.clear()
    assert put.wait(60) == 4
    said = case.device.started_log()
    assert str(case.source) in said and "is not there" in said and "Put the file back" in said, said
    [transfer] = case.device.run("transfers", "--json").json_lines()
    assert transfer["state"] == "failed" and transfer["error"]["code"] == "file_missing", transfer
    case.assert_not_there()
    kept.rename(case.source)
    case.put()
    case.assert_there()
    assert len(case.api.revisions(case.api.by_path("/film.bin").json()["id"])) == 1


NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")


def test_a_source_that_becomes_unreadable_during_its_upload_is_named_and_can_be_put_again(case, new_device, shared_server):
    """An open file stays readable, so it takes a kill, as a restart of the machine would, to notice."""
    device = new_device()
    if os.geteuid() == 0:  # who reads everything
        device.prefix = list(NOBODY)
        os.chown(device.home, 65534, 65534)
        for folder in (case.source, *case.source.parents):
            if folder.stat().st_uid == 0 and folder != folder.parent and "pytest" in str(folder):
                folder.chmod(folder.stat().st_mode | 0o055)
    device.login(case.proxy.url, case.api.user["email"], PASSWORD)
    put = begun(case, device)
    put.kill()
    put.wait()
    case.source.chmod(0)
    case.proxy.clear()
    said = device.put(case.source, "/film.bin", check=False)
    assert said.code == 1 and str(case.source) in said.text and "cannot be read" in said.text, said
    assert "Give yourself the right" in said.text, said
    case.assert_not_there()
    case.source.chmod(0o644)
    device.put(case.source, "/film.bin")
    case.assert_there()
    assert len(case.api.revisions(case.api.by_path("/film.bin").json()["id"])) == 1


def test_detect_file_missing_early(case):
    case.source.unlink()
    said = case.put(check=False)
    assert said.code in (1, 4) and "film.bin" in said.text and case.sent_up == 0


@pytest.mark.parametrize("name, body", [
    ("an expired session", problem_body("upload_expired", 410)),
    ("a canceled session", problem_body("upload_canceled", 410)),
    ("a session that is not there", problem_body("not_found", 404))])
def test_an_invalid_upload_state_starts_again(case, name, body):
    case.proxy.add(fault_proxy.answer(json.loads(body)["status"], fault_proxy.a_chunk, 1, PROBLEM, body))
    case.put()
    case.assert_there()
    assert len(case.proxy.seen(fault_proxy.an_upload_start)) >= 2


def test_more_chunks_processed_than_there_are_starts_again(case):
    lie = json.dumps({"uploadId": "x", "totalChunks": 7, "chunksProcessed": 9, "chunkSize": CHUNK, "uploadUrl": "/v1/upload/x",
                      "uploadExpiresAt": "2099-01-01T00:00:00.000Z", "receivedChunks": [[0, 8]]}).encode()
    case.proxy.add(fault_proxy.answer(308, fault_proxy.a_chunk, 1, [("Content-Type", "application/json")], lie))
    case.put()
    case.assert_there()


def test_the_expiry_time_being_reached_starts_again(case):
    """The session lives on the server only until its time; kept chunks are found again by their hash."""
    case.proxy.add(fault_proxy.trickle(6 * MIB, fault_proxy.a_chunk, 1000))
    put = case.start_put()
    wait_until(lambda: any(e.status == 308 for e in case.proxy.seen(fault_proxy.a_chunk)), what="a chunk")
    put.kill()
    put.wait()
    upload = case.proxy.seen(fault_proxy.a_chunk)[0].path.split("/")[3]
    case.device.run("whoami")
    owner = Api(case.server.url)
    owner.access = case.api.access
    owner.call("DELETE", f"/v1/upload/{upload}")
    case.proxy.clear()
    case.put()
    case.assert_there()


def test_server_assembled_file_differs_from_client(case):
    """Finalize says that the hashes differ: the transfer is no success; after that it starts from scratch, or says so."""
    body = problem_body("hash_mismatch", 422, computedSha256="0" * 64)
    case.proxy.add(fault_proxy.answer(422, fault_proxy.a_finalize, 1, PROBLEM, body))
    said = case.put(check=False)
    if said.code != 0:
        case.assert_not_there()
        assert "match" in said.text or "integrity" in said.text or "differ" in said.text, said
        case.put()
    case.assert_there()


def test_an_answer_to_finalize_with_another_hash_is_no_success(case):
    case.proxy.add(fault_proxy.Fault(fault_proxy.a_finalize, 1, flip_response_at=150))
    said = case.put(check=False)
    if said.code == 0:
        case.assert_there()
    else:
        case.put()
        case.assert_there()


def test_the_servers_quota_is_named(case, new_device, tmp_path):
    body = problem_body("quota_exceeded", 507, free=5)
    case.proxy.add(fault_proxy.answer(507, fault_proxy.an_upload_start, 10, PROBLEM, body))
    said = case.put(check=False)
    assert said.code == 1 and ("quota" in said.text.lower() or "room" in said.text.lower() or "space" in said.text.lower()), said


def test_a_full_disk_on_the_server_is_named(case):
    case.proxy.add(fault_proxy.answer(507, fault_proxy.a_chunk, 1000, PROBLEM, problem_body("disk_full", 507)))
    said = case.put(check=False, seconds=60)
    assert said.code == 1 and "disk" in said.text.lower(), said
    case.proxy.clear()
    case.put()
    case.assert_there()
    assert case.sent_up <= SIZE + 6 * CHUNK


def test_a_proxys_413_makes_the_chunks_smaller(case):
    too_large = fault_proxy.Fault(lambda request: request.is_chunk and int(request.get("content-length") or 0) > MIB, 10_000,
                                  answer=(413, [], b"<html>413 Request Entity Too Large</html>"))
    case.proxy.add(too_large)
    case.put()
    case.assert_there()


def test_sign_in_needed_is_its_own_state(case):
    case.api.call("GET", "/v1/auth/devices", expect=200)
    devices = case.api.call("GET", "/v1/auth/devices").json()["devices"]
    for device in devices:
        if not device["current"]:
            case.api.call("DELETE", f"/v1/auth/devices/{device['id']}", expect=204)
    said = case.put(check=False)
    assert said.code == 3 and "login" in said.text, said


def test_parallelism_with_care(case):
    """2 to 4 chunks at once, finished in any order."""
    case.proxy.add(fault_proxy.delay(1, fault_proxy.a_chunk, 2))
    put = case.start_put()
    most = 0

    def done():
        nonlocal most
        most = max(most, sum(1 for e in case.proxy.seen(fault_proxy.a_chunk) if e.status is None and not e.ended))
        return put.poll() is not None

    wait_until(done, seconds=60, what="the upload")
    assert put.returncode == 0 and most <= 4
    case.assert_there()


def test_a_second_put_of_an_unchanged_file_sends_nothing(case):
    case.put()
    before = case.sent_up
    case.put()
    assert case.sent_up == before and len(case.api.revisions(case.api.by_path("/film.bin").json()["id"])) == 1


def test_two_processes_putting_one_file_are_one_transfer(case):
    case.proxy.add(fault_proxy.trickle(8 * MIB, fault_proxy.a_chunk, 1000))
    first = case.start_put()
    wait_until(lambda: any(e.status == 308 for e in case.proxy.seen(fault_proxy.a_chunk)), what="a chunk")
    second = case.start_put()
    assert first.wait(90) == 0, case.device.started_log()
    assert second.wait(90) == 0, case.device.started_log()
    case.assert_there()
    assert case.sent_up <= SIZE + 2 * CHUNK
    assert len(case.api.revisions(case.api.by_path("/film.bin").json()["id"])) == 1
