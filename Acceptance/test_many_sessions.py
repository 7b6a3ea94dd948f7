"""Ten thousand open uploads, and as many open connections as there are descriptors: bounded, and it still answers."""

import asyncio
import contextlib
import re
import resource
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from api import MIB, Api, content, new_id, problem, sha256
from server import Server, forget_peak, resident
from waiting import wait_until

pytestmark = pytest.mark.alone

EACH, LIMIT = 1_000, 1_000
ANSWERS_WITHIN = 20.0  # seconds: a machine may be slow, and who is kept out waits for the idle timeout, a minute


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


@pytest.mark.parametrize("count", [
    pytest.param(1, id="a thousand"), pytest.param(10, id="ten thousand", marks=pytest.mark.long)])
def test_thousands_of_open_uploads(server, new_account, count):
    accounts = [new_account(server) for _ in range(count)]
    patience = Patience(new_account(server))
    before = server.resident()
    patience.start()
    with ThreadPoolExecutor(count) as pool:
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
    if count == 10:
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

    def add(self, count, say=b"", addresses=("127.0.0.1",)):
        """So many more, in turn from each of the addresses."""
        self._call(self._add(count, say, addresses), 120)

    async def _add(self, count, say, addresses):
        for start in range(0, count, 200):
            made = await asyncio.gather(*(
                asyncio.open_connection("127.0.0.1", self.port, local_addr=(addresses[number % len(addresses)], 0))
                for number in range(start, min(start + 200, count))))
            for _, writer in made:
                writer.write(say)
            if say.endswith(b"\r\n\r\n"):
                for reader, _ in made:
                    await self._status(reader)
            self.open += made

    @staticmethod
    async def _status(reader):
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
        length = re.search(rb"content-length: (\d+)", head, re.I)
        await reader.readexactly(int(length.group(1)) if length else 0)
        return int(head.split(b" ")[1])

    def ask(self, say):
        """What each of them is answered to a request that is sent now; nothing by those that are closed."""
        return self._call(self._ask(say), 120)

    async def _ask(self, say):
        async def ask(reader, writer):
            try:
                writer.write(say)
                return await self._status(reader)
            except (ConnectionError, asyncio.IncompleteReadError):
                return None

        return await asyncio.gather(*(ask(*one) for one in self.open))

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


ASK = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
# A request whose body is still to come: the server says that it waits, and the connection is busy.
BEGIN = (b"POST /v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
         b"Content-Length: 100\r\nExpect: 100-continue\r\n\r\n")
SEVERAL = [f"127.0.0.{number}" for number in range(2, 8)]


@pytest.mark.parametrize("say", [b"", b"GET /v1/about HTTP/1.1\r\nHost: x\r\n"], ids=["silent", "half a request"])
def test_thousands_of_open_connections_leave_room_for_others(server, new_account, connections, many_files, say):
    count = min(4_000, many_files - 500)
    api = new_account(server)
    before = server.resident()
    crowd = connections(server)
    crowd.add(count, say, SEVERAL)
    patience = Patience(api)
    patience.start()
    api.put("film", content(8 * MIB))
    assert api.read(api.by_path("/film").json()) == content(8 * MIB)
    patience.end()
    assert server.resident() - before < count * (64 << 10), "64 KiB a connection"
    crowd.close()
    api.call("GET", "/v1/about", expect=200)


@pytest.mark.parametrize("say", [b"", ASK], ids=["silent", "kept alive"])
def test_one_stranger_takes_no_more_than_their_share(server, connections, many_files, say):
    """4,300 connections from one address were all that the server takes, and no new client was answered."""
    household = connections(server)
    household.add(20, ASK, ["127.0.0.2"])
    before = server.sockets()
    stranger = connections(server)
    stranger.add(min(4_300, many_files - 500), say, ["127.0.0.9"])
    begun = time.monotonic()
    Api(server.url).call("GET", "/healthz", expect=200)
    assert time.monotonic() - begun < ANSWERS_WITHIN
    wait_until(lambda: server.sockets() <= before + 1_024 + 10, what="a stranger with a quarter of the connections")
    assert household.ask(ASK) == [200] * 20, "nobody else gives way for them"
    answers = stranger.ask(ASK)
    # They are taken nearly in the order in which they were opened.
    assert answers.count(200) == 1_024 and not any(answers[:-1_200]), "those that were idle for longest gave way"


def test_when_all_are_taken_the_longest_idle_gives_way(tmp_path, connections):
    server = Server(tmp_path / "data", environment={"BOTHY_MAX_CONNECTIONS": "50"}).start()
    try:
        first, busy, others = connections(server), connections(server), connections(server)
        before = server.sockets()
        busy.add(5, BEGIN, ["127.0.0.2"])
        first.add(5, b"", ["127.0.0.3"])
        wait_until(lambda: server.sockets() >= before + 10, what="the first ten")
        others.add(40, ASK, SEVERAL)
        wait_until(lambda: server.sockets() >= before + 50, what="a server that has taken all fifty")
        begun = time.monotonic()
        late = connections(server)
        late.add(5, ASK, ["127.0.0.8"])  # each is answered
        assert time.monotonic() - begun < ANSWERS_WITHIN
        assert first.ask(ASK) == [None] * 5 and others.ask(ASK) == [200] * 40
        wait_until(lambda: server.sockets() <= before + 50, what="no more than fifty")
        assert busy.ask(b"{" + b" " * 98 + b"}") == [400] * 5, "what had begun is heard out"
    finally:
        server.kill()


def test_while_all_are_busy_the_next_one_waits_and_is_served_when_one_leaves(tmp_path, connections):
    server = Server(tmp_path / "data", environment={"BOTHY_MAX_CONNECTIONS": "50"}).start()
    try:
        crowd = connections(server)
        before = server.sockets()
        crowd.add(50, BEGIN, SEVERAL)
        wait_until(lambda: server.sockets() >= before + 50, what="a server that has taken all fifty")
        # A few more may have been on their way in while the last of the fifty was idle still.
        late = [socket.create_connection(("127.0.0.1", server.port), timeout=1)]
        late[-1].sendall(BEGIN)
        with contextlib.suppress(TimeoutError):
            while late[-1].recv(100) and len(late) < 20:
                late.append(socket.create_connection(("127.0.0.1", server.port), timeout=1))
                late[-1].sendall(BEGIN)
        assert len(late) < 20, "all the connections that it takes are taken"
        crowd.close(len(late))
        late[-1].settimeout(60)
        assert b" 100 " in late[-1].recv(100)
        for each in late:
            each.close()
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
