"""P12: idle event streams: what each costs the server's memory, and how soon a change reaches all of an account's devices."""

import os
import resource
import selectors
import socket
import time

from figures import Bench, KiB, Row, Table

#: Accounts, and streams of each: within the server's limit of 256 for one drive.
ACCOUNTS, DEVICES = 50, 200
#: KiB of resident memory a stream; milliseconds until 99 of 100 of an account's devices know.
MEMORY_GOAL, REACH_GOAL = 20, 250
#: Descriptors that are not streams: the database, logs, packs, the bench itself.
OTHER_FILES = 500
LISTENING, CHANGED = b": listening", b"event: changes"


def measure(bench: Bench) -> list[Table]:
    table = Table("P12", "Idle event streams")
    bothy = bench.bothy
    devices = DEVICES // bench.shrink
    room_for = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    lacking = bothy.missing()
    if room_for < ACCOUNTS * devices + OTHER_FILES:
        lacking = f"a process may open {room_for} files here, and this opens {ACCOUNTS * devices} streams"
    if lacking:
        table.rows.append(Row("bothy", {}, lacking))
        return [table]
    resource.setrlimit(resource.RLIMIT_NOFILE, (room_for, room_for))
    before = os.environ.get("BOTHY_MAX_CONNECTIONS")
    os.environ["BOTHY_MAX_CONNECTIONS"] = str(ACCOUNTS * devices + OTHER_FILES)
    try:
        with bench.room("streams") as room:
            bothy.start(room)
            try:
                cost, reached = _listen(bothy, devices)
            finally:
                bothy.stop()
    finally:
        os.environ.pop("BOTHY_MAX_CONNECTIONS")
        if before is not None:
            os.environ["BOTHY_MAX_CONNECTIONS"] = before
    half, most = (reached[len(reached) * part // 100] for part in (50, 99))
    table.rows.append(Row("bothy", {
        "streams": ACCOUNTS * devices, "KiB each": round(cost / KiB, 1), "a change, p50 ms": round(half), "p99 ms": round(most)}))
    for what, one, goal, unit in (("a stream", cost / KiB, MEMORY_GOAL, "KiB"), ("a change at all devices, p99", most, REACH_GOAL, "ms")):
        table.verdicts.append(f"{what}: {one:.1f} {unit} against {goal} — {'holds' if one <= goal else 'missed'}")
    return [table]


def _listen(bothy, devices: int) -> tuple[float, list[float]]:
    """Bytes of memory a stream, and the milliseconds from a change's answer being asked for to each device knowing of it."""
    tokens = [_account(bothy, number) for number in range(ACCOUNTS)]
    streams = {token: [] for token in tokens}
    selector = selectors.DefaultSelector()
    try:
        # One of each account first: what an account costs by itself is no stream's.
        for token in tokens:
            streams[token].append(_open(bothy, token, selector))
        _wait_for(selector, tokens, LISTENING)
        alone = bothy.server.resident_bytes()
        for token in tokens:
            for _ in range(devices - 1):
                streams[token].append(_open(bothy, token, selector))
            _wait_for(selector, streams[token][1:], LISTENING)
        cost = (bothy.server.resident_bytes() - alone) / (ACCOUNTS * (devices - 1))
        reached = []
        for number, token in enumerate(tokens):
            began = time.monotonic()
            name = f"change-{number}"
            bothy.request("POST", "/v1/files", {"requestId": name, "name": name, "mimeType": "text/plain", "parentId": "root"}, token)
            reached += [(at - began) * 1000 for at in _wait_for(selector, streams[token], CHANGED)]
        return cost, sorted(reached)
    finally:
        for opened in streams.values():
            for stream in opened:
                stream.close()
        selector.close()


def _account(bothy, number: int) -> str:
    body = {"email": f"streams{number}@example.org", "password": "a password for benchmarks only",
            "displayName": f"Streams {number}", "device": {"name": "bench", "platform": "linux"}}
    return bothy.request("POST", "/v1/auth/register", body)["accessToken"]


def _open(bothy, token: str, selector) -> socket.socket:
    stream = socket.create_connection(("127.0.0.1", bothy.port), timeout=30)
    stream.sendall(
        f"GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:{bothy.port}\r\nAuthorization: Bearer {token}\r\n"
        "Accept: text/event-stream\r\n\r\n".encode())
    stream.setblocking(False)
    selector.register(stream, selectors.EVENT_READ)
    return stream


def _wait_for(selector, streams, words: bytes, seconds: float = 120) -> list[float]:
    """When each of as many streams said the words, in seconds of the monotonic clock."""
    deadline, times, said = time.monotonic() + seconds, [], {}
    while len(times) < len(streams):
        for key, _ in selector.select(1):
            got = key.fileobj.recv(65_536)
            if not got:
                raise ConnectionError(f"the server closed a stream after {said.get(key.fd, b'')!r}")
            said[key.fd] = said.get(key.fd, b"") + got
            if words in said[key.fd]:
                times.append(time.monotonic())
                said[key.fd] = b""
        if time.monotonic() > deadline:
            raise TimeoutError(f"{len(streams) - len(times)} of {len(streams)} streams did not say {words!r} within {seconds} s")
    return times
