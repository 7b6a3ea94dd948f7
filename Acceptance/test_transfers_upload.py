"""Uploads by the command line through a network that fails. Each test is a line of resumable-transfers.md («Testing
strategies», «Integrity failure scenarios») or of drive-app.md («Error handling and recovery»), by its name."""

import contextlib
import json
import os
import signal
import sqlite3
import time

import pytest

import fault_proxy
from api import Api, new_id, sha256
from content import write_content
from device import PASSWORD
from waiting import wait_until

MIB = 1 << 20
CHUNK = 4 * MIB
SIZE = 24 * MIB + 777
CHUNKS = 7  # requests that it takes: neighbouring blocks go together, about 4 MiB of them


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

    def begin(self, device=None):
        """Starts a put of which the server has two chunks, and gets no more of it until the faults are cleared."""
        self.proxy.add(fault_proxy.leave_alone(fault_proxy.a_chunk, 2), fault_proxy.hold(fault_proxy.a_chunk, 1000))
        put = (device or self.device).start("put", self.source, "/film.bin")
        wait_until(lambda: len(self.acknowledged()) == 2 or put.poll() is not None, what="two chunks")
        assert put.poll() is None, self.device.started_log()
        return put

    def acknowledged(self):
        """The ranges that the server has answered for."""
        return {e.headers["content-range"] for e in self.proxy.seen(fault_proxy.a_chunk) if e.status == 308}

    def transfers(self):
        return self.device.run("transfers", "--json").json_lines()

    def assert_there(self, digest=None):
        file = self.api.by_path("/film.bin").json()
        assert file["checksum"] == (digest or self.digest)
        assert sha256(self.api.read(file)) == file["checksum"]

    def assert_not_there(self):
        assert self.api.by_path("/film.bin").status_code == 404

    def assert_one_revision(self):
        assert len(self.api.revisions(self.api.by_path("/film.bin").json()["id"])) == 1

    def assert_went_on(self, requests, acknowledged):
        """After so many requests for chunks, of which these were acknowledged: the same session, and only what it lacked."""
        chunks = self.proxy.seen(fault_proxy.a_chunk)
        assert len({e.path for e in chunks}) == 1, "a session was begun anew"
        later = [e.headers["content-range"] for e in chunks[requests:]]
        assert later and acknowledged and not acknowledged & set(later), "what the server had was sent again"

    def sessions(self):
        """How many uploads the account ever began, as the server's database has them: one that nobody uses shows nowhere else."""
        with contextlib.closing(sqlite3.connect(f"file:{self.server.data}/bothy.sqlite?mode=ro", uri=True)) as database:
            return database.execute("SELECT count(*) FROM uploads WHERE drive_id = ?", [self.api.user["id"]]).fetchone()[0]

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
    "network drop at the last byte of a chunk": lambda: [fault_proxy.cut_upload(after=-1, times=2)],
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
    faults = FAULTS[name]()
    case.proxy.add(*faults)
    case.put()
    assert all(fault.used for fault in faults), "it was never put to the test"
    case.assert_there()
    case.assert_one_revision()
    chunks = case.proxy.seen(fault_proxy.a_chunk)
    assert len({e.path for e in chunks}) == case.sessions() == 1, "a session was begun anew"
    assert len(chunks) <= CHUNKS + sum(fault.used for fault in faults), "more was sent again than what was spoiled"


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_asks_to_be_left_alone_for_a_while_is(case, status):
    """Of its own accord nobody would wait for more than a second after a first refusal."""
    case.proxy.add(fault_proxy.answer(status, fault_proxy.a_chunk, 1, [("Retry-After", "2")]))
    case.put()
    chunks = case.proxy.seen(fault_proxy.a_chunk)
    [refused] = [e for e in chunks if e.status == status]
    [again] = [e for e in chunks if e is not refused and e.headers["content-range"] == refused.headers["content-range"]]
    assert again.begun - refused.answered >= 2, f"asked again after {again.begun - refused.answered:.1f} s"


def test_a_retried_chunk_sends_only_that_chunk_again(case):
    case.proxy.add(fault_proxy.flip_upload_bit(at=100))
    case.put()
    sent = [e.headers["content-range"] for e in case.proxy.seen(fault_proxy.a_chunk)]
    assert len(sent) == CHUNKS + 1 and len(set(sent)) == CHUNKS, sent


def test_app_kill_and_restart_during_upload(case):
    """The same put typed again goes on where it was."""
    put = case.begin()
    put.kill()
    put.wait()
    case.assert_not_there()
    before = len(case.proxy.seen(fault_proxy.a_chunk)), case.acknowledged()
    case.proxy.clear()
    case.put()
    case.assert_there()
    case.assert_went_on(*before)


def test_ctrl_c_leaves_the_upload_resumable_and_says_how_to_go_on(case):
    put = case.begin()
    put.send_signal(signal.SIGINT)
    assert put.wait(60) == 130
    said = case.device.started_log()
    assert "Run the same command again to resume" in said and "bothy transfers resume" in said, said
    before = len(case.proxy.seen(fault_proxy.a_chunk)), case.acknowledged()
    case.proxy.clear()
    case.put()
    case.assert_there()
    case.assert_went_on(*before)


def has_pending(process, number):
    [mask] = [line.split()[1] for line in open(f"/proc/{process.pid}/status") if line.startswith("ShdPnd")]
    return int(mask, 16) >> number - 1 & 1


def test_two_quick_ctrl_cs_are_one(case):
    """The second ended the program before it had said that it stops: an agent then took the upload for left behind."""
    put = case.begin()
    put.send_signal(signal.SIGINT)
    # Until the first has been taken, the kernel makes one of both.
    while has_pending(put, signal.SIGINT):
        pass
    put.send_signal(signal.SIGINT)
    assert put.wait(60) == 130
    assert "Run the same command again to resume" in case.device.started_log()
    [transfer] = case.transfers()
    assert transfer["state"] == "paused" and transfer["reason"] == "stopped", transfer


def test_connectivity_problems_save_the_state_and_resume_when_it_returns(case):
    put = case.begin()
    case.proxy.go_down()
    wait_until(lambda: "connection lost, trying again" in case.device.started_log(), what="a clear status message")
    [transfer] = case.transfers()
    assert transfer["state"] == "paused" and transfer["reason"] == "offline", transfer
    assert put.poll() is None, "losing the network ended the upload"
    before = len(case.proxy.seen(fault_proxy.a_chunk)), case.acknowledged()
    case.proxy.clear()
    case.proxy.come_back()
    assert put.wait(120) == 0, case.device.started_log()
    case.assert_there()
    case.assert_went_on(*before)


def test_retries_back_off(case, tmp_path):
    """The delay between attempts grows: a server that is away is not hammered.

    Six files that nobody takes, for four seconds. With delays of up to 1, 2, 4 … seconds there are 20 to 29 attempts (seen in
    20,000 draws); with delays of up to 1 second that do not grow, 38 to 72.
    """
    files = [tmp_path / f"letter {number}" for number in range(6)]
    for number, file in enumerate(files):
        write_content(file, 200_000, seed=number)
    case.proxy.add(fault_proxy.answer(502, fault_proxy.an_upload_start, 10_000))
    put = case.device.start("put", *files, "/")

    def attempts():
        return [e.begun for e in case.proxy.seen(fault_proxy.an_upload_start)]

    begun = wait_until(attempts, what="the first attempt")[0]
    wait_until(lambda: time.monotonic() > begun + 4 or put.poll() is not None, what="four seconds of attempts")
    assert put.poll() is None, "it gave up: " + case.device.started_log()
    put.send_signal(signal.SIGINT)
    put.wait(60)
    within = sum(at < begun + 4 for at in attempts())
    # How many they are at least is the machine's: one that is busy comes to few.
    assert 2 <= within < 34, f"{within} attempts"


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
        path.with_name("other").rename(path)


@pytest.mark.parametrize("kind", ["shrinks", "grows", "is written over", "is replaced"])
def test_local_file_changed_during_upload(case, kind):
    """What is there in the end is the newer content, whole, as the only revision: never a mixture, and no half of the old."""
    write_content(case.source.with_name("other"), SIZE, seed=2)
    put = case.begin()
    change(case.source, kind)
    case.proxy.clear()
    assert put.wait(120) == 0, case.device.started_log()
    case.assert_there(sha256(case.source.read_bytes()))
    case.assert_one_revision()
    assert [t["state"] for t in case.transfers() if t["state"] not in ("completed", "canceled")] == []


def test_a_source_that_vanishes_during_its_upload_is_named_and_can_be_put_again(case):
    put = case.begin()
    kept = case.source.rename(case.source.with_name("elsewhere"))
    case.proxy.clear()
    assert put.wait(120) == 4
    said = case.device.started_log()
    assert str(case.source) in said and "is not there" in said and "Put the file back" in said, said
    [transfer] = case.transfers()
    assert transfer["state"] == "failed" and transfer["error"]["code"] == "file_missing", transfer
    case.assert_not_there()
    kept.rename(case.source)
    case.put()
    case.assert_there()
    case.assert_one_revision()


NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")


def test_a_source_that_becomes_unreadable_during_its_upload_is_named_and_can_be_put_again(case, new_device):
    """An open file stays readable, so it takes a kill, as a restart of the machine would, to notice."""
    device = new_device()
    if os.geteuid() == 0:  # who reads everything
        device.prefix = list(NOBODY)
        os.chown(device.home, 65534, 65534)
        for place in (case.source, *case.source.parents):  # pytest's folders are for their owner alone
            if place.stat().st_mode & 0o055 != 0o055:
                place.chmod(place.stat().st_mode | 0o055)
    device.login(case.proxy.url, case.api.user["email"], PASSWORD)
    put = case.begin(device)
    put.kill()
    put.wait()
    case.source.chmod(0)
    case.proxy.clear()
    said = device.put(case.source, "/film.bin", check=False)
    assert said.code == 1 and str(case.source) in said.text and "cannot be read" in said.text, said
    assert "Give yourself permission" in said.text, said
    case.assert_not_there()
    case.source.chmod(0o644)
    device.put(case.source, "/film.bin")
    case.assert_there()
    case.assert_one_revision()


def test_detect_file_missing_early(case):
    """Before a first attempt, and before one that goes on: no byte is sent."""
    put = case.begin()
    put.kill()
    put.wait()
    kept = case.source.rename(case.source.with_name("elsewhere"))
    case.proxy.disconnect()
    case.proxy.clear()
    sent = len(case.proxy.seen(fault_proxy.a_chunk))
    said = case.put(check=False)
    assert said.code == 4 and str(case.source) in said.text and "does not exist" in said.text, said
    assert len(case.proxy.seen(fault_proxy.a_chunk)) == sent
    kept.rename(case.source)
    case.put()
    case.assert_there()


def test_an_upload_reads_its_source_in_place(case):
    """Nothing of a large file is kept a second time on this device."""
    put = case.begin()
    kept = sum(path.stat().st_size for path in case.device.home.rglob("*") if path.is_file())
    assert kept < CHUNK, f"{kept} bytes in the device's home"
    case.proxy.clear()
    assert put.wait(120) == 0, case.device.started_log()
    case.assert_there()


@pytest.mark.parametrize("name, body", [
    ("an expired session", problem_body("upload_expired", 410)),
    ("a canceled session", problem_body("upload_canceled", 410)),
    ("a session that is not there", problem_body("not_found", 404))])
def test_an_invalid_upload_state_starts_again(case, name, body):
    case.proxy.add(fault_proxy.answer(json.loads(body)["status"], fault_proxy.a_chunk, 1, PROBLEM, body))
    case.put()
    case.assert_there()
    assert len(case.proxy.seen(fault_proxy.an_upload_start)) >= 2
    case.assert_one_revision()


def test_more_chunks_processed_than_there_are_starts_again(case):
    lie = json.dumps({"uploadId": "x", "totalChunks": 7, "chunksProcessed": 9, "chunkSize": CHUNK, "uploadUrl": "/v1/upload/x",
                      "uploadExpiresAt": "2099-01-01T00:00:00.000Z", "receivedChunks": [[0, 8]]}).encode()
    case.proxy.add(fault_proxy.answer(308, fault_proxy.a_chunk, 1, [("Content-Type", "application/json")], lie))
    case.put()
    case.assert_there()
    assert len(case.proxy.seen(fault_proxy.an_upload_start)) >= 2
    case.assert_one_revision()


def test_the_expiry_time_being_reached_starts_again(server, proxy_to, new_device, tmp_path):
    """Nobody goes on for a day, in which the server runs: its session is over, and the same put begins a new one."""
    proxy = proxy_to(server)
    case = Case(new_device().register(proxy.url, f"{new_id()}@example.org"), proxy, server, tmp_path)
    put = case.begin()
    put.kill()
    put.wait()
    server.stop()
    with contextlib.closing(sqlite3.connect(server.data / "bothy.sqlite")) as database, database:
        database.execute("INSERT INTO server_state (key, value) VALUES ('lived_ms', ?) "
                         "ON CONFLICT (key) DO UPDATE SET value = value + excluded.value", [25 * 3600 * 1000])
    server.start()
    [first] = {e.path for e in proxy.seen(fault_proxy.a_chunk)}
    proxy.disconnect()
    proxy.clear()
    case.put()
    case.assert_there()
    case.assert_one_revision()
    asked = [e.status for e in proxy.seen(lambda r: r.method == "GET" and r.path == first.removesuffix("/chunk"))]
    assert asked == [410]
    assert len(proxy.seen(fault_proxy.an_upload_start)) == 2
    assert {e.path for e in proxy.seen(fault_proxy.a_chunk) if e.status == 308} - {first}, "nothing went to a new session"
    case.api.close()


MISMATCH = problem_body("hash_mismatch", 422, computedSha256="0" * 64)


def test_server_assembled_file_differs_from_client(case):
    """Finalize says once that the hashes differ: everything is sent again, in a new session."""
    case.proxy.add(fault_proxy.answer(422, fault_proxy.a_finalize, 1, PROBLEM, MISMATCH))
    case.put()
    case.assert_there()
    case.assert_one_revision()
    assert len(case.proxy.seen(fault_proxy.an_upload_start)) == 2
    assert len({e.path for e in case.proxy.seen(fault_proxy.a_finalize)}) == 2


def test_a_mismatch_that_persists_is_a_failure_and_can_be_retried_from_scratch(case):
    case.proxy.add(fault_proxy.answer(422, fault_proxy.a_finalize, 1000, PROBLEM, MISMATCH))
    said = case.put(check=False)
    assert said.code == 1 and "film.bin" in said.text, said
    [transfer] = case.transfers()
    assert transfer["state"] == "failed" and transfer["error"]["code"] == "integrity_mismatch", transfer
    assert "scratch" in transfer["error"]["remedy"], transfer
    case.assert_not_there()
    case.proxy.clear()
    case.device.run("transfers", "retry", transfer["id"], "--from-scratch")
    case.assert_there()
    case.assert_one_revision()


def says_another_hash(answer):
    if "fileHashSha256" in answer:
        answer["fileHashSha256"] = "0" * 64
    if answer.get("file"):
        answer["file"]["checksum"] = "0" * 64


def a_question(request):
    return request.method == "GET" and request.path.startswith("/v1/upload/")


def test_an_answer_to_finalize_with_another_hash_is_no_success(case):
    """The server says yes, and names another hash than was sent, however often it is asked."""
    case.proxy.add(fault_proxy.rewrite(says_another_hash, fault_proxy.a_finalize, 1000),
                   fault_proxy.rewrite(says_another_hash, a_question, 1000))
    said = case.put(check=False)
    assert [e.status for e in case.proxy.seen(fault_proxy.a_finalize)] == [201, 201]
    assert said.code == 1 and "does not match what was sent" in said.text, said
    [transfer] = case.transfers()
    assert transfer["state"] == "failed" and transfer["error"]["code"] == "integrity_mismatch", transfer


def test_one_answer_to_finalize_with_another_hash_is_asked_about(case):
    case.proxy.add(fault_proxy.rewrite(says_another_hash, fault_proxy.a_finalize))
    case.put()
    assert case.proxy.seen(a_question), "the session was not asked what it has"
    case.assert_there()
    case.assert_one_revision()


def test_the_servers_quota_is_named(case):
    body = problem_body("quota_exceeded", 507, free=5)
    case.proxy.add(fault_proxy.answer(507, fault_proxy.an_upload_start, 10, PROBLEM, body))
    said = case.put(check=False)
    assert said.code == 1 and "Delete files that you no longer need" in said.text, said
    [transfer] = case.transfers()
    assert transfer["state"] == "failed" and transfer["error"]["code"] == "quota_exceeded", transfer
    assert len(case.proxy.seen(fault_proxy.an_upload_start)) == 1, "asking again does not help"


def test_a_full_disk_on_the_server_is_named(case):
    put = case.begin()
    case.proxy.clear()
    case.proxy.add(fault_proxy.answer(507, fault_proxy.a_chunk, 1000, PROBLEM, problem_body("disk_full", 507)))
    assert put.wait(120) == 1
    assert "Ask the server's administrator to free space" in case.device.started_log()
    [transfer] = case.transfers()
    assert transfer["state"] == "failed" and transfer["error"]["code"] == "server_full", transfer
    before = len(case.proxy.seen(fault_proxy.a_chunk)), case.acknowledged()
    case.proxy.clear()
    case.put()
    case.assert_there()
    case.assert_went_on(*before)


def test_a_proxys_413_makes_the_chunks_smaller(case):
    too_large = fault_proxy.Fault(lambda request: request.is_chunk and int(request.get("content-length") or 0) > MIB, 10_000,
                                  answer=(413, [], b"<html>413 Request Entity Too Large</html>"))
    case.proxy.add(too_large)
    case.put()
    assert too_large.used
    case.assert_there()
    case.assert_one_revision()


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
    case.proxy.add(fault_proxy.hold(fault_proxy.a_chunk, 1000))
    put = case.start_put()
    wait_until(lambda: len(case.proxy.seen(fault_proxy.a_chunk)) >= 2, what="two chunks at once")
    case.proxy.clear()
    assert put.wait(120) == 0, case.device.started_log()
    assert 2 <= case.proxy.most_at_once(case.proxy.seen(fault_proxy.a_chunk)) <= 4
    case.assert_there()


def test_chunks_that_end_out_of_order_are_kept_each(case):
    """The first of two is held up, and the program killed: what ended after it is not sent again."""
    case.proxy.add(fault_proxy.hold(lambda r: r.is_chunk and r.get("content-range").startswith("bytes 0-"), 1000),
                   fault_proxy.leave_alone(fault_proxy.a_chunk, 3), fault_proxy.hold(fault_proxy.a_chunk, 1000))
    put = case.start_put()
    wait_until(lambda: len(case.acknowledged()) == 3 or put.poll() is not None, what="three chunks after the first")
    put.kill()
    put.wait()
    before = len(case.proxy.seen(fault_proxy.a_chunk)), case.acknowledged()
    assert len(before[1]) == 3 and not any(said.startswith("bytes 0-") for said in before[1])
    case.proxy.disconnect()
    case.proxy.clear()
    case.put()
    case.assert_there()
    case.assert_went_on(*before)


def test_a_second_put_of_an_unchanged_file_sends_nothing(case):
    case.put()
    before = case.sent_up
    case.put()
    assert case.sent_up == before
    case.assert_one_revision()


def test_two_processes_putting_one_file_are_one_transfer(case):
    def looks():
        return len(case.proxy.seen(lambda request: request.path.endswith("/by-path")))

    first = case.begin()
    before = looks()
    second = case.start_put()
    wait_until(lambda: looks() == before + 2 or second.poll() is not None, what="the second put, which finds no such file")
    assert second.poll() is None, case.device.started_log()
    case.proxy.clear()
    assert first.wait(120) == 0, case.device.started_log()
    assert second.wait(120) == 0, case.device.started_log()
    case.assert_there()
    case.assert_one_revision()
    assert len(case.proxy.seen(fault_proxy.a_chunk)) == CHUNKS and len(case.proxy.seen(fault_proxy.an_upload_start)) == 1
