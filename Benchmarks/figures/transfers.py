"""P1, P2 and P3: one large file up and down, many small ones up; with P7's memory at 1 GiB for every peer."""

import time
from dataclasses import dataclass, field
from pathlib import Path

from figures import Bench, GiB, MiB, Row, Table, exponent, median, random_file, small_files, spread
from peers import Peer, Unsupported
from peers.nginx import Nginx
from processes import SERVER_INTERVAL, Peak, Run


#: Of the whole, what growth is measured on besides it.
PARTS = (100, 10)


@dataclass
class Costs:
    """What one peer took. Server CPU is summed over the runs it belongs to."""

    up: list[Run] = field(default_factory=list)
    down: list[Run] = field(default_factory=list)
    tree: list[Run] = field(default_factory=list)
    #: Downloads to a file without a hash: what nginx and curl alone need.
    plain_down: list[Run] = field(default_factory=list)
    server_cpu_up: float = 0
    server_memory_up: int = 0
    server_memory_down: int = 0
    notes: dict = field(default_factory=dict)


def measure(bench: Bench) -> list[Table]:
    size, count = GiB // bench.shrink, 5_000 // bench.shrink
    with bench.room("source") as source:
        inputs = [random_file(source / f"large-{number}.bin", size, number) for number in range(bench.repeats)]
        smaller = [random_file(source / f"part-{part}.bin", size // part, part) for part in PARTS]
        trees = [small_files(source / f"tree-{number}", count, seed=number) for number in range(bench.repeats)]
        fewer = [small_files(source / f"tree-part-{part}", max(count // part, 1), seed=part) for part in PARTS]
        _read_all(source)
        costs = {peer.name: _one(bench, peer, inputs, trees) for peer in bench.peers if not peer.missing()}
        growth = _growth(bench, [*smaller, inputs[0]], [*fewer, trees[0]]) if not bench.bothy.missing() else {}
    return [
        _up(bench, costs, size, growth), _down(bench, costs, size, growth), _tree(bench, costs, count, growth),
        _memory(bench, costs, size),
    ]


def _read_all(folder: Path) -> None:
    """So that nobody waits for the source's disk."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                while file.read(MiB):
                    pass


def _one(bench: Bench, peer: Peer, inputs: list[Path], trees: list[Path]) -> Costs:
    costs = Costs()
    with bench.room(peer.name) as room:
        peer.start(room)
        try:
            cpu, idle = _cpu(peer), _idle(peer)
            with _peak(peer) as peak:
                for file in inputs:
                    _try(costs, "up", lambda: peer.put(file))
            costs.server_cpu_up = (_cpu(peer) - cpu) / len(inputs)
            costs.server_memory_up = peak.bytes - idle
            idle = _idle(peer)
            with _peak(peer) as peak:
                for file in inputs:
                    _fetch(costs, peer, file, room / "fetched.bin")
            costs.server_memory_down = peak.bytes - idle
            for tree in trees:
                _try(costs, "tree", lambda: peer.put_tree(tree))
        finally:
            peer.stop()
    return costs


def _try(costs: Costs, work: str, action) -> None:
    try:
        getattr(costs, work).append(action())
    except Unsupported as why:
        costs.notes[work] = str(why)
    except (RuntimeError, TimeoutError) as failure:
        costs.notes[work] = f"failed: {failure}".replace("\n", " ")[:300]


def _fetch(costs: Costs, peer: Peer, file: Path, target: Path) -> None:
    _try(costs, "down", lambda: peer.get(file.name, target))
    if target.exists():
        _same(file, target)
        target.unlink()
    if isinstance(peer, Nginx):
        costs.plain_down.append(peer.get_without_hash(file.name, target))
        target.unlink()


def _same(one: Path, other: Path) -> None:
    with one.open("rb") as left, other.open("rb") as right:
        while True:
            piece = left.read(MiB)
            if piece != right.read(MiB):
                raise RuntimeError(f"{other} is not what was put")
            if not piece:
                return


def _idle(peer: Peer) -> int:
    time.sleep(0.5)
    for server in peer.servers():
        server.forget_peak()
    return sum(server.resident_bytes() for server in peer.servers()[:1])


def _peak(peer: Peer) -> Peak:
    return Peak([server.process.pid for server in peer.servers()[:1]], SERVER_INTERVAL)


def _cpu(peer: Peer) -> float:
    return sum(server.cpu_seconds() for server in peer.servers())


def _growth(bench: Bench, files: list[Path], folders: list[Path]) -> dict[str, list[float]]:
    """The exponents of ours from each size to ten times it, on a server of its own."""
    with bench.room("growth") as room:
        bothy = bench.bothy
        bothy.start(room)
        try:
            idle = bothy.idle_client().seconds
            # The smallest take hardly longer than a command that does nothing.
            cost = lambda run: max(run.seconds - idle, 0.001)  # noqa: E731
            seconds = {
                "up": [cost(bothy.put(file)) for file in files],
                "down": [cost(bothy.get(file.name, room / "fetched.bin")) for file in files],
                "tree": [cost(bothy.put_tree(folder)) for folder in folders],
            }
        finally:
            bothy.stop()
    return {work: [exponent(*pair, 10) for pair in zip(times, times[1:])] for work, times in seconds.items()}


def _grows(what: str, powers: list[float]) -> str:
    small, large = powers
    return f"grows as {what} to the power of {small:.2f} from ×1 to ×10, {large:.2f} from ×10 to ×100 (the whole)"


def _rows(bench: Bench, costs: dict, work: str, baseline: str, columns) -> list[Row]:
    base = costs.get(baseline) and getattr(costs[baseline], work)
    rows = []
    for peer in bench.peers:
        if missing := peer.missing():
            rows.append(Row(peer.name, {}, missing))
            continue
        cost = costs[peer.name]
        runs = getattr(cost, work)
        if not runs:
            rows.append(Row(peer.name, {}, cost.notes.get(work, "")))
            continue
        middle = median(runs)
        values = {"seconds": round(middle.seconds, 2)}
        if base:
            values[f"× {baseline}"] = round(middle.seconds / median(base).seconds, 2)
        values |= {"client CPU s": round(middle.cpu_seconds, 2), **columns(cost), "spread": f"{spread(runs):.0%}"}
        notes = [word for word, holds in (("verifies", work in peer.verifies), ("durable", peer.durable)) if holds]
        rows.append(Row(peer.name, values, ", ".join(notes)))
    return rows


def _ratio(costs: dict, work: str, one: str, other: str) -> float | None:
    runs = [costs.get(name) and getattr(costs[name], work) for name in (one, other)]
    return median(runs[0]).seconds / median(runs[1]).seconds if all(runs) else None


def _goal(table: Table, words: str, value: float | None, most: float) -> None:
    if value is None:
        table.verdicts.append(f"{words}: not measured")
    else:
        table.verdicts.append(f"{words}: {value:.2f} against {most} — {'holds' if value <= most else 'missed'}")


def _up(bench: Bench, costs: dict, size: int, growth: dict) -> Table:
    table = Table("P1", f"Upload {size // MiB} MiB, hashed on both sides, durable")
    columns = lambda cost: {"server CPU s": round(cost.server_cpu_up, 2)}  # noqa: E731
    table.rows = _rows(bench, costs, "up", "nginx+curl", columns)
    _goal(table, "times of nginx+curl", _ratio(costs, "up", "bothy", "nginx+curl"), 1.7)
    for peer in bench.peers[1:]:
        if "up" in peer.verifies and costs.get(peer.name) and costs[peer.name].up:
            _goal(table, f"times of {peer.name}", _ratio(costs, "up", "bothy", peer.name), 1)
    if growth:
        table.verdicts.append(_grows("size", growth["up"]))
    return table


def _down(bench: Bench, costs: dict, size: int, growth: dict) -> Table:
    table = Table("P2", f"Download {size // MiB} MiB, verified, put in place (nginx+curl: piped to sha256sum)")
    table.rows = _rows(bench, costs, "down", "nginx+curl", lambda cost: {})
    if (nginx := costs.get("nginx+curl")) and nginx.plain_down:
        plain = median(nginx.plain_down)
        values = {"seconds": round(plain.seconds, 2), "client CPU s": round(plain.cpu_seconds, 2)}
        table.rows.insert(2, Row("nginx+curl to a file", values, "no hash"))
    _goal(table, "times of curl←nginx through sha256sum", _ratio(costs, "down", "bothy", "nginx+curl"), 1.5)
    if growth:
        table.verdicts.append(_grows("size", growth["down"]))
    return table


def _tree(bench: Bench, costs: dict, count: int, growth: dict) -> Table:
    table = Table("P3", f"{count} files of 4 KiB up")
    table.rows = _rows(bench, costs, "tree", "rsync daemon", lambda cost: {})
    _goal(table, "times of rsync", _ratio(costs, "tree", "bothy", "rsync daemon"), 3)
    _goal(table, "times of Syncthing", _ratio(costs, "tree", "bothy", "Syncthing"), 0.2)
    _goal(table, "times of rclone", _ratio(costs, "tree", "bothy", "rclone→webdav"), 1)
    if growth:
        table.verdicts.append(_grows("the number", growth["tree"]))
    return table


def _memory(bench: Bench, costs: dict, size: int) -> Table:
    table = Table("P7 (peers)", f"Memory for {size // MiB} MiB: the most over idle, MiB")
    for peer in bench.peers:
        if missing := peer.missing():
            table.rows.append(Row(peer.name, {}, missing))
            continue
        cost = costs[peer.name]
        values = {"server, up": round(cost.server_memory_up / MiB, 1)}
        if cost.down:
            values["server, down"] = round(cost.server_memory_down / MiB, 1)
        if cost.up:
            values["client, up (whole)"] = round(max(one.peak_bytes for one in cost.up) / MiB, 1)
        if cost.down:
            values["client, down (whole)"] = round(max(one.peak_bytes for one in cost.down) / MiB, 1)
        table.rows.append(Row(peer.name, values))
    return table
