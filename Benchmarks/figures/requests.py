"""P11: metadata requests a core, against a Hummingbird handler that does nothing. Server and load each have a core."""

import os
import re
import subprocess
from pathlib import Path

from figures import Bench, Row, Table
from processes import ROOT, Server, free_port, program, wait_for_port

EMPTY_HANDLER = ROOT / ".build/release/bothy-bench"
SERVER_CORE, LOAD_CORE = 0, 1
#: Requests that wait side by side.
READERS, WRITERS = 32, 64
#: Goals, as parts of the empty handler's rate.
READ_GOAL, WRITE_GOAL = 0.5, 0.25

CREATE = """
local thread = 0
function setup(t) t:set("id", thread); thread = thread + 1 end
function init(arguments) count = 0; salt = arguments[1] end
function request()
    count = count + 1
    local name = salt .. "-" .. id .. "-" .. count
    local body = '{"requestId":"' .. name .. '","name":"' .. name .. '","mimeType":"text/plain","parentId":"root"}'
    return wrk.format("POST", nil, nil, body)
end
"""


def measure(bench: Bench) -> list[Table]:
    table = Table("P11", "Metadata requests a second on one core (reads by id; durable creations)")
    seconds = max(2, 10 // bench.shrink)
    lacking = [f"{name} is not installed" for name in ("wrk", "taskset") if not program(name)]
    if not EMPTY_HANDLER.exists():
        lacking.append("no release bothy-bench: swift build -c release --product bothy-bench")
    if (os.cpu_count() or 1) < 2:
        lacking.append("this needs two cores")
    if bench.bothy.missing():
        lacking.append(bench.bothy.missing())
    if lacking:
        table.rows.append(Row("bothy", {}, "; ".join(lacking)))
        return [table]
    with bench.room("requests") as room:
        script = room / "create.lua"
        script.write_text(CREATE)
        empty = _empty(room, script, seconds)
        ours = _ours(bench, room, script, seconds)
    table.rows = [
        Row("empty Hummingbird handler", {"reads/s": round(empty[0]), "writes/s": round(empty[1])}),
        Row("bothy", {"reads/s": round(ours[0]), "writes/s": round(ours[1])}, "writes are durable"),
    ]
    for work, one, base, goal in zip(("reads", "writes"), ours, empty, (READ_GOAL, WRITE_GOAL)):
        part = one / base
        table.verdicts.append(f"{work}: {part:.2f} of the empty handler against {goal} — "
                              f"{'holds' if part >= goal else 'missed'}")
    return [table]


def _empty(room: Path, script: Path, seconds: int) -> tuple[float, float]:
    port = free_port()
    server = Server([EMPTY_HANDLER, "handler", port], log=room / "empty.log", core=SERVER_CORE)
    try:
        wait_for_port(port)
        url = f"http://127.0.0.1:{port}"
        return _load(f"{url}/v1/files/root", READERS, seconds), _load(f"{url}/v1/files", WRITERS, seconds, script=script)
    finally:
        server.stop()


def _ours(bench: Bench, room: Path, script: Path, seconds: int) -> tuple[float, float]:
    bothy = bench.bothy
    bothy.start(room, core=SERVER_CORE)
    try:
        token = bothy.token()
        body = {"requestId": "one", "name": "read me", "mimeType": "text/plain", "parentId": "root"}
        file = bothy.request("POST", "/v1/files", body, token)
        reads = _load(f"{bothy.url}/v1/files/{file['id']}", READERS, seconds, token)
        return reads, _load(f"{bothy.url}/v1/files", WRITERS, seconds, token, script)
    finally:
        bothy.stop()


def _load(url: str, connections: int, seconds: int, token: str | None = None, script: Path | None = None) -> float:
    command = ["taskset", "-c", str(LOAD_CORE), "wrk", "-t1", f"-c{connections}", f"-d{seconds}s"]
    command += ["-H", "Content-Type: application/json"]
    if token:
        command += ["-H", f"Authorization: Bearer {token}"]
    if script:
        command += ["-s", str(script)]
    command += [url, *(["--", os.urandom(4).hex()] if script else [])]
    words = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in words:
        raise RuntimeError(f"not every answer was a success: {words}")
    return float(re.search(r"Requests/sec:\s+([\d.]+)", words)[1])
