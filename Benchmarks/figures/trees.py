"""What people have many of: the source code of a large project, and photos. Up, down, and what a second device that has
them already moves to be in step."""

import os
import random
import shutil
from pathlib import Path

from figures import Bench, KiB, MiB, Row, Table
from peers import Peer, Unsupported
from peers.rsync import Rsync
from peers.syncthing import Syncthing
from processes import Run
from relay import Relay

SOURCES, PHOTOS = 20_000, 2_000
IN_STEP = "bothy, folders in step"


def measure(bench: Bench) -> list[Table]:
    return [_measure_one(bench, name, count // bench.shrink, make) for name, count, make in (
        ("files of source code", SOURCES, _sources), ("photos", PHOTOS, _photos))]


def _measure_one(bench: Bench, name: str, count: int, make) -> Table:
    table = Table("trees", f"{count:,} {name}, seconds")
    ways: dict[str, dict] = {}
    with bench.room("trees-source") as room:
        source = room / "tree"
        size = make(source, count)
        for peer in [*bench.peers, Rsync(durable=True)]:
            if missing := peer.missing():
                table.rows.append(Row(peer.name, {}, missing))
                continue
            values, note = _one(bench, peer, source)
            if values:
                ways[peer.name] = values
                table.rows.append(Row(peer.name, values, note))
        passes, moved, seconds = _in_step(bench, source)
    table.rows.append(Row(IN_STEP, passes, _note(bench.bothy)))
    table.rows.append(Row("bothy, a second device that has them all", {"down": round(seconds, 2)}, f"{moved / KiB:,.0f} KiB moved of {size / MiB:,.0f} MiB"))
    ways[IN_STEP] = passes
    table.verdicts += _verdicts(bench, ways)
    return table


def _one(bench: Bench, peer: Peer, source: Path) -> tuple[dict, str]:
    with bench.room(f"trees-{peer.name}") as room:
        peer.start(room)
        try:
            up = _timed(lambda: peer.put_tree(source))
            if isinstance(peer, Syncthing):
                return {"up and down": round(up.seconds, 2), "CPU s": round(up.cpu_seconds, 1)}, _note(peer)
            try:
                down = _timed(lambda: peer.get_tree(source.name, room / "fetched"))
            except Unsupported as why:
                return {"up": round(up.seconds, 2)}, f"{_note(peer)}; down: {why}"
            _check(source, room / "fetched")
            return {"up": round(up.seconds, 2), "down": round(down.seconds, 2), "up and down": round(up.seconds + down.seconds, 2)}, _note(peer)
        except Unsupported as why:
            return {}, str(why)
        finally:
            peer.stop()


def _timed(work) -> Run:
    """With nothing of what came before still on its way to the disk."""
    os.sync()
    return work()


def _note(peer: Peer) -> str:
    return ", ".join([*(["verifies"] if "tree" in peer.verifies else []), *(["durable"] if peer.durable else [])])


def _verdicts(bench: Bench, ways: dict[str, dict]) -> list[str]:
    ours = ways.get(bench.bothy.name, {})
    in_step, syncthing = ways.get(IN_STEP, {}), ways.get(Syncthing.name, {})
    trusted = {peer.name for peer in [*bench.peers[1:], Rsync(durable=True)] if peer.durable or "tree" in peer.verifies}
    lines = []
    for way in ("up", "down", "up and down"):
        theirs = {name: values[way] for name, values in ways.items() if name in trusted and way in values}
        if way not in ours or not theirs:
            continue
        lines += [f"{way}: {ours[way] / theirs[name]:.2f} × {name} — {'holds' if ours[way] < theirs[name] else 'missed'}" for name in theirs]
    if in_step and syncthing:
        ratio = in_step["up and down"] / syncthing["up and down"]
        lines.append(f"folders in step, up and down: {ratio:.2f} × Syncthing — {'holds' if ratio < 1 else 'missed'}")
    return lines


def _check(source: Path, fetched: Path) -> None:
    """Every file came, whole."""
    for path in source.rglob("*"):
        if path.is_file() and (fetched / path.relative_to(source)).read_bytes() != path.read_bytes():
            raise RuntimeError(f"{path} came otherwise")


def _in_step(bench: Bench, source: Path) -> tuple[dict, int, float]:
    """Folders in step, as Syncthing has them: one device ties a folder that is full, another one that is empty. And a third, which has a copy of
    it already: what that moves, and how long it takes."""
    bothy = bench.bothy
    with bench.room("trees-in-step") as room:
        bothy.start(room)
        relay = Relay(bothy.port)
        try:
            up = _timed(lambda: bothy.client("sync", source, "/tree", "--once", "-q"))
            shutil.rmtree(source / ".bothy", ignore_errors=True)
            empty, copied = room / "empty", room / "copy"
            empty.mkdir()
            second = bothy.device(room / "second")
            down = _timed(lambda: second.client("sync", empty, "/tree", "--once", "-q"))
            _check(source, empty)
            shutil.copytree(source, copied)
            third = bothy.device(room / "third", f"http://127.0.0.1:{relay.port}")
            relay.forget()
            linked = _timed(lambda: third.client("sync", copied, "/tree", "--once", "-q"))
            passes = {"up": round(up.seconds, 2), "down": round(down.seconds, 2), "up and down": round(up.seconds + down.seconds, 2)}
            return passes, relay.bytes, linked.seconds
        finally:
            relay.stop()
            bothy.stop()


# What is in them

def _sources(folder: Path, count: int) -> int:
    """Text that reads and compresses like code: sizes as in large projects, the median at 3 KiB, one in a hundred above 60."""
    generator = random.Random(20)
    words = ["".join(generator.choices("etaoinshrdlucmfwypvbgk", k=generator.randint(2, 11))) for _ in range(4_000)]
    total = 0
    for index in range(count):
        place = folder / f"module{index // 400:02}" / f"part{index // 20 % 20:02}"
        place.mkdir(parents=True, exist_ok=True)
        size = min(int(generator.lognormvariate(8.0, 1.3)) + 60, 512 * KiB)
        text: list[str] = []
        length = 0
        while length < size:
            line = "    " * generator.randint(0, 3) + " ".join(generator.choices(words, k=generator.randint(2, 9))) + "\n"
            text.append(line)
            length += len(line)
        (place / f"file{index % 20:02}.swift").write_text("".join(text))
        total += length
    return total


def _photos(folder: Path, count: int) -> int:
    """What no compression makes smaller, 0.3 to 2.5 MiB each."""
    generator = random.Random(21)
    total = 0
    for index in range(count):
        place = folder / f"{2000 + index // 200}"
        place.mkdir(parents=True, exist_ok=True)
        size = generator.randint(300 * KiB, 2_500 * KiB)
        (place / f"IMG_{index:04}.jpg").write_bytes(generator.randbytes(size))
        total += size
    return total
