"""Ten thousand open uploads, and as many open connections as there are descriptors: bounded, and it still answers."""

import asyncio
import resource
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from api import MIB, Api, content, new_id, problem, sha256
from server import Server, forget_peak, resident
from waiting import wait_until

pytestmark = pytest.mark.alone

ACCOUNTS, EACH, LIMIT = 10, 1_000, 1_000
ANSWERS_WITHIN = 2.0  # seconds, on a machine with two cores that runs the clients as well


class Patience(threading.Thread):
    """Somebody else, who asks for something small all the time, and remembers how long it took."""

    def __init__(self, api):
        super().__init__(daemon=True)
        self.api, self.longest, self.asked, self.ending = api, 0.0, 0, threading.Event()

    def run(self):
        while not self.ending.is_set():
            begun = time.monotonic()
            self.api.call("GET", "/v1/files", params={"parentId": "root"}, expect=200)
            self.longest = max(self.longest, time.monotonic() - begun)
            self.asked += 1
            self.ending.wait(0.05)

    def end(self):
        self.ending.set()
        self.join(60)
        assert self.asked > 0 and self.longest < ANSWERS_WITHIN, f"somebody waited for {self.longest:.2f} s"


def open_sessions(api, count, chunk=None):
    uploads = []
    for number in range(count):
        upload = api.start_upload(f"film {number}", 8 * MIB, plan={"kind": "fixed", "chunkSize": MIB})["uploadId"]
        uploads.append(upload)
        if chunk is not None and number % 50 == 0:
            api.put_chunk(upload, 0, chunk, expect=308)
    return uploads


def test_ten_thousand_open_uploads(server, new_account):
    accounts = [new_account(server) for _ in range(ACCOUNTS)]
    patience = Patience(new_account(server))
    before = server.resident()
    patience.start()
    with ThreadPoolExecutor(ACCOUNTS) as pool:
        opened = list(pool.map(lambda api: open_sessions(api, EACH, content(MIB, seed=api.user["id"])), accounts))
    assert server.resident() - before < 64 * MIB

    for api in accounts:
        refused = api.call("POST", "/v1/upload", params={"uploadType": "resumable"}, json={
            "requestId": new_id(), "name": "one too many", "size": MIB})
        body = problem(refused, 429, "too_many_uploads")
        assert str(LIMIT) in body["detail"] and "cancel" in body["detail"].lower()
        api.put_small("small files still go", b"in")
    patience.end()

    server.kill()
    server.start()
    assert server.ready_after < 2, "ten thousand open uploads keep no start waiting"
    api, uploads = accounts[0], opened[0]
    api.call("DELETE", f"/v1/upload/{uploads[7]}", expect=204)
    again = open_sessions(api, 1)
    data = content(8 * MIB, seed="whole")
    for index in range(8):
        assert api.put_chunk(again[0], index, data[index * MIB:(index + 1) * MIB]).status_code in (201, 308)
    assert api.finalize(again[0]).status_code == 201
    server.admin("gc")
    assert server.answers("/readyz") == 200


class Connections:
    """Many connections at once that say nothing, in a thread of their own."""

    def __init__(self, port):
        self.port, self.open = port, []
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def add(self, count, say=b""):
        self._call(self._add(count, say), 120)

    async def _add(self, count, say):
        for start in range(0, count, 200):
            made = await asyncio.gather(*(
                asyncio.open_connection("127.0.0.1", self.port) for _ in range(min(200, count - start))))
            for _, writer in made:
                writer.write(say)
            self.open += made

    def close(self, count=None):
        leaving, self.open = self.open[:count], self.open[len(self.open) if count is None else count:]
        self._call(self._close(leaving), 60)

    async def _close(self, leaving):
        for _, writer in leaving:
            writer.transport.abort()

    def end(self):
        self.close()
        self.loop.call_soon_threadsafe(self.loop.stop)

    def _call(self, work, seconds):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(seconds)


@pytest.fixture
def connections(request):
    made = []

    def make(server):
        made.append(Connections(server.port))
        return made[-1]

    yield make
    for each in made:
        each.end()


@pytest.fixture
def many_files():
    """As many descriptors as the system lets this test have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("say", [b"", b"GET /v1/about HTTP/1.1\r\nHost: x\r\n"], ids=["silent", "half a request"])
def test_thousands_of_open_connections_leave_room_for_others(server, new_account, connections, many_files, say):
    count = min(4_000, many_files - 500)
    api = new_account(server)
    before = server.resident()
    crowd = connections(server)
    crowd.add(count, say)
    patience = Patience(api)
    patience.start()
    api.put("film", content(8 * MIB))
    assert api.read(api.by_path("/film").json()) == content(8 * MIB)
    patience.end()
    assert server.resident() - before < count * (64 << 10), "64 KiB a connection"
    crowd.close()
    api.call("GET", "/v1/about", expect=200)


def test_at_the_bound_the_next_one_waits_and_is_served_when_one_leaves(tmp_path, connections):
    server = Server(tmp_path / "data", environment={"BOTHY_MAX_CONNECTIONS": "50"}).start()
    try:
        crowd = connections(server)
        before = server.sockets()
        crowd.add(50)
        # Connected is not yet taken: the kernel answers for a server that has not come to it.
        wait_until(lambda: server.sockets() >= before + 50, what="a server that took all fifty")
        answers = []
        late = threading.Thread(target=lambda: answers.append(Api(server.url).call("GET", "/healthz").status_code))
        late.start()
        late.join(0.5)
        assert late.is_alive() and not answers, "all the connections that it takes are taken"
        crowd.close(1)
        late.join(60)
        assert answers == [200]
        assert server.running()
    finally:
        server.kill()


def test_who_says_nothing_keeps_nobody_out_for_longer_than_the_idle_timeout(tmp_path, connections):
    server = Server(tmp_path / "data", environment={"BOTHY_MAX_CONNECTIONS": "50", "BOTHY_IDLE_TIMEOUT": "2"}).start()
    try:
        connections(server).add(120)
        begun = time.monotonic()
        assert Api(server.url).call("GET", "/healthz", expect=200)
        assert time.monotonic() - begun < 15
    finally:
        server.kill()


def test_as_many_named_blocks_as_one_request_takes_cost_little_memory(server, new_account):
    api = new_account(server)
    blocks = [{"sha256": sha256(f"block {number}".encode()), "size": 8192} for number in range(8_192)]
    forget_peak(server.pid)
    before = server.resident()
    upload = api.start_upload("database", None, plan={"kind": "open"})["uploadId"]
    for _ in range(2):  # again, as after a lost answer
        answer = api.call("POST", f"/v1/upload/{upload}/plan", json={"from": 0, "blocks": blocks}, expect=200).json()
        assert answer["totalChunks"] == len(blocks) and answer["receivedChunks"] == []
    assert resident(server.pid, "VmHWM") - before < 48 * MIB
    refused = api.call("POST", f"/v1/upload/{upload}/plan", json={"from": len(blocks), "blocks": blocks + blocks[:1]})
    assert "8192" in problem(refused, 422, "plan_invalid")["detail"]
