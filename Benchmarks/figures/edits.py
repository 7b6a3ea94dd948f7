"""P6: a large file of which a little changed. What goes over the wire for it, both ways together, up and down."""

import random
from pathlib import Path

from figures import Bench, MiB, Row, Table, random_file
from peers.bothy import PASSWORD
from processes import run
from relay import Relay

#: MiB over the wire, each way of the file; and seconds of processor time, the client's and the server's together.
GOAL, CPU_GOAL = 1.10, 2


def measure(bench: Bench) -> list[Table]:
    size = 256 * MiB // bench.shrink
    table = Table("P6", f"{size // MiB} MiB, 1 MiB of it written over and one byte inserted elsewhere: what is moved for it")
    with bench.room("edits") as room:
        before = random_file(room / "before.bin", size)
        after = _edited(before, room / "after.bin")
        for peer, side in ((bench.bothy, _bothy), (_peer(bench, "rsync daemon"), _rsync)):
            if missing := peer.missing():
                table.rows.append(Row(peer.name, {}, missing))
                continue
            with bench.room(f"edits-{peer.name.split()[0]}") as own:
                values = side(peer, own, before, after)
            table.rows.append(Row(peer.name, values))
            if peer is bench.bothy:
                for way in ("up", "down"):
                    for words, most in ((f"{way}, MiB", GOAL), (f"{way}, CPU s", CPU_GOAL)):
                        holds = "holds" if values[words] <= most else "missed"
                        table.verdicts.append(f"{words}: {values[words]} against {most} — {holds}")
    return [table]


def _peer(bench: Bench, name: str):
    return next(peer for peer in bench.peers if peer.name == name)


def _edited(before: Path, after: Path) -> Path:
    content, chance = bytearray(before.read_bytes()), random.Random(6)
    start = len(content) // 3
    content[start:start + MiB] = chance.randbytes(MiB)
    content[len(content) * 3 // 4:len(content) * 3 // 4] = b"!"
    after.write_bytes(content)
    return after


class _Side:
    """One client's work over a wire that counts."""

    def __init__(self, peer, relay: Relay):
        self.peer, self.relay, self.values = peer, relay, {}

    def measure(self, way: str, work) -> None:
        cpu = sum(server.cpu_seconds() for server in self.peer.servers())
        self.relay.forget()
        done = work()
        cpu = sum(server.cpu_seconds() for server in self.peer.servers()) - cpu + done.cpu_seconds
        self.values |= {f"{way}, MiB": round(self.relay.bytes / MiB, 2), f"{way}, CPU s": round(cpu, 2),
                        f"{way}, s": round(done.seconds, 2)}


def _bothy(bothy, room: Path, before: Path, after: Path) -> dict:
    bothy.start(room)
    relay = Relay(bothy.port)
    try:
        side, server = _Side(bothy, relay), f"http://127.0.0.1:{relay.port}"
        homes = {name: room / name for name in ("one", "other")}
        for name, home in homes.items():
            bothy.home = home
            bothy.client("login", "--server", server, "--email", "bench@example.org", "--device", name, "--password-stdin",
                         password=PASSWORD)
        put, get = ("put", "-q"), ("get", "-q", "--replace", "/edited.bin", room / "fetched.bin")
        bothy.home = homes["one"]
        bothy.client(*put, before, "/edited.bin")
        bothy.home = homes["other"]
        bothy.client(*get)
        bothy.home = homes["one"]
        side.measure("up", lambda: bothy.client(*put, after, "/edited.bin"))
        bothy.home = homes["other"]
        side.measure("down", lambda: bothy.client(*get))
        _check(after, room / "fetched.bin")
        return side.values
    finally:
        relay.stop()
        bothy.stop()


def _rsync(rsync, room: Path, before: Path, after: Path) -> dict:
    rsync.start(room)
    relay = Relay(rsync.port)
    try:
        side, url = _Side(rsync, relay), f"rsync://127.0.0.1:{relay.port}/files/edited.bin"
        fetched = room / "fetched.bin"
        run(["rsync", "--ignore-times", before, url])
        run(["rsync", "--ignore-times", url, fetched])
        side.measure("up", lambda: run(["rsync", "--ignore-times", "--no-whole-file", after, url]))
        side.measure("down", lambda: run(["rsync", "--ignore-times", "--no-whole-file", url, fetched]))
        _check(after, fetched)
        return side.values
    finally:
        relay.stop()
        rsync.stop()


def _check(one: Path, other: Path) -> None:
    if one.read_bytes() != other.read_bytes():
        raise RuntimeError(f"{other} is not what was put")
