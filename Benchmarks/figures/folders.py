"""P4 and P5: folders in step. What a pass costs in which nothing changed, how long a save takes to the other computer, and how
both grow with the tree."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from figures import Bench, KiB, MiB, Row, Table, exponent, flat_files, small_files
from peers.rsync import Rsync
from peers.syncthing import Syncthing
from processes import Run, Server, program, run

#: Milliseconds from save to complete on the other side: the median, and the worst of a hundred.
GOAL, GOAL_P99 = 60, 250
#: The tree of P4.
QUIET = 5_000
SIZES = (1_000, 10_000, 100_000)
#: Saves that are timed; the worst of a hundred needs a hundred.
SAVES = 100
SAVED = 4 * KiB
#: Saves before those.
UNTIMED = 3
#: Saved in turn: what one program saves in one file ten times in ten seconds waits until it is quiet.
SAVED_FILES = 20
#: The folder that holds as much as a whole tree.
FLAT = "flat"


def measure(bench: Bench) -> Iterator[Table]:
    quiet = Table("P4", f"A pass over {QUIET // bench.shrink:,} files in which nothing changed")
    saves = Table("P5", f"From a save of {SAVED // KiB} KiB to complete on the other computer, milliseconds")
    growth = Table("P4", "Growth with the tree")
    bothy = bench.bothy
    if missing := bothy.missing():
        quiet.rows.append(Row(bothy.name, {}, missing))
        yield quiet
        return
    _quiet_passes(bench, quiet)
    yield quiet
    yield _first_looks(bench)
    with bench.room("folders") as room:
        bothy.start(room)
        try:
            _grow(bench, room, saves, growth)
        finally:
            bothy.stop()
    _syncthing_saves(bench, saves)
    yield saves
    yield growth


# P4

def _quiet_passes(bench: Bench, table: Table) -> None:
    times = {}
    for name, measure_one in {"bothy": _bothy_quiet, "rsync daemon": _rsync_quiet, "rclone bisync": _rclone_quiet}.items():
        with bench.room(f"quiet-{name}") as room:
            source = small_files(room / "source", QUIET // bench.shrink)
            try:
                times[name], note = measure_one(bench, room, source)
                table.rows.append(Row(name, {"milliseconds": round(times[name] * 1000)}, note))
            except FileNotFoundError as missing:
                table.rows.append(Row(name, {}, str(missing)))
    if "rsync daemon" in times:
        ratio = times["bothy"] / times["rsync daemon"]
        table.verdicts.append(f"{ratio:.2f} × rsync — {'holds' if ratio <= 1 else 'missed'}")


def _median_of(command: list, repeats: int = 7, **options) -> float:
    return sorted(run(command, **options).seconds for _ in range(repeats))[repeats // 2]


def _bothy_quiet(bench: Bench, room: Path, source: Path) -> tuple[float, str]:
    bothy = bench.bothy
    bothy.start(room)
    try:
        bothy.client("sync", source, "/files", "--once", "-q")
        home = {"BOTHY_HOME": str(bothy.home)}
        return _median_of([bothy.binary, "sync", source, "--once", "-q"], env=home), "the whole command, both sides asked"
    finally:
        bothy.stop()


def _rsync_quiet(bench: Bench, room: Path, source: Path) -> tuple[float, str]:
    if not program("rsync"):
        raise FileNotFoundError("rsync is not installed")
    rsync = Rsync()
    rsync.start(room)
    try:
        rsync.put_tree(source)
        command = ["rsync", "--recursive", "--times", source, f"rsync://127.0.0.1:{rsync.port}/files/"]
        return _median_of(command), "one direction"
    finally:
        rsync.stop()


def _rclone_quiet(bench: Bench, room: Path, source: Path) -> tuple[float, str]:
    if not program("rclone"):
        raise FileNotFoundError("rclone is not installed")
    command = ["rclone", "bisync", source, room / "other", "--config", "/dev/null", "--workdir", room / "state"]
    (room / "other").mkdir()
    run([*command, "--resync"])
    return _median_of(command, repeats=3), "two folders on one disk, no network"


def _first_looks(bench: Bench) -> Table:
    """What it takes to say what a first pass would do: each file is listed, read and hashed, and nothing is sent."""
    table = Table("P4", "A first look at a tree, each file read and hashed (a dry run)")
    times = {}
    with bench.room("first-look") as room:
        bench.bothy.start(room)
        try:
            for size in (count // bench.shrink for count in SIZES):
                source = small_files(room / "source", size)
                hashed = _all_hashed(source)
                command = [bench.bothy.binary, "sync", source, f"/first {size}", "--dry-run", "-q"]
                looked = sorted((run(command, env=_environment(bench.bothy.home)) for _ in range(3)), key=lambda one: one.seconds)[1]
                times[size] = looked.seconds
                table.rows.append(Row(f"bothy, {size:,} files", {
                    "seconds": round(looked.seconds, 2), "CPU s": round(looked.cpu_seconds, 2), "× sha256sum": round(looked.seconds / hashed.seconds, 2),
                    "peak, MiB": round(looked.peak_bytes / MiB)}, "listed, hashed, compared, and a plan kept"))
                table.rows.append(Row(f"sha256sum, {size:,} files", {
                    "seconds": round(hashed.seconds, 2), "CPU s": round(hashed.cpu_seconds, 2), "× sha256sum": 1.0}, "find and xargs, hashed alone"))
        finally:
            bench.bothy.stop()
    sizes = sorted(times)
    table.verdicts.append(
        f"grows as the number to the power of {exponent(times[sizes[0]], times[sizes[-1]], sizes[-1] / sizes[0]):.2f}")
    return table


def _all_hashed(source: Path) -> Run:
    command = ["bash", "-c", 'find "$1" -type f -print0 | xargs -0 sha256sum > /dev/null', "-", source]
    return sorted((run(command) for _ in range(3)), key=lambda one: one.seconds)[1]


# P5, and how it grows

def _grow(bench: Bench, room: Path, saves: Table, growth: Table) -> None:
    folders = {side: room / side for side in ("a", "b")}
    homes = {side: room / f"home-{side}" for side in folders}
    for home in homes.values():
        shutil.copytree(bench.bothy.home, home) if home.name == "home-a" else _sign_in(bench, home)
    sizes = [count // bench.shrink for count in SIZES]
    figures = {}
    for size in sizes:
        small_files(folders["a"], size)
        figures[size] = _tree(bench, f"bothy, {size:,} files", homes, folders, saves, growth)
    # What a save costs where everything lies beside it; the tree is the same as before, and as much again in one folder.
    for size in sizes[1:]:
        flat_files(folders["a"] / FLAT, size)
        _tree(bench, f"bothy, {size:,} of them in the folder of the save", homes, folders, saves, growth, inside=FLAT)
    _judge(figures, saves, growth)


def _tree(bench: Bench, name: str, homes: dict, folders: dict, saves: Table, growth: Table, inside: str = "000") -> tuple:
    """Two rows for the tree as it is; returns the median save and the quiet pass in seconds, bytes of memory, and the first passes
    up and down in seconds."""
    first = {side: _sync(bench, homes[side], folders[side]) for side in folders}
    quiet = _median_of(_command(bench, folders["a"]), repeats=3, env=_environment(homes["a"]))
    with _Watches(bench, homes, folders) as watches:
        times = _timed_saves({side: folders[side] / inside for side in folders}, max(SAVES // bench.shrink, 10))
        resident = watches.resident()
    saves.rows.append(_row(name, times))
    growth.rows.append(Row(name, {
        "first pass up, s": round(first["a"], 1), "first pass down, s": round(first["b"], 1),
        "quiet pass, ms": round(quiet * 1000), "resident while watching, MiB": round(resident / MiB)}))
    return times[len(times) // 2], quiet, resident, first["a"], first["b"]


def _row(name: str, times: list[float], note: str = "") -> Row:
    return Row(name, {
        "p50": round(times[len(times) // 2] * 1000), "p99": round(times[int(len(times) * 0.99)] * 1000),
        "worst": round(times[-1] * 1000)}, note)


def _syncthing_saves(bench: Bench, table: Table) -> None:
    syncthing = Syncthing(watches=True)
    size = SIZES[0] // bench.shrink
    name = f"Syncthing, {size:,} files"
    if missing := syncthing.missing():
        table.rows.append(Row(name, {}, missing))
        return
    with bench.room("syncthing") as room:
        syncthing.start(room)
        try:
            syncthing.put_tree(small_files(room / "source", size))
            folders = {side: device.files / "source/000" for side, device in zip("ab", syncthing.devices)}
            times = _timed_saves(folders, max(SAVES // bench.shrink // 4, 5))
            table.rows.append(_row(name, times, "its shortest wait for more, 1 s (10 s as it comes)"))
        finally:
            syncthing.stop()


def _judge(figures: dict, saves: Table, growth: Table) -> None:
    sizes = sorted(figures)
    slowest = max(figures[size][0] for size in sizes) * 1000
    saves.verdicts.append(f"p50 {slowest:.0f} ms against {GOAL} — {'holds' if slowest <= GOAL else 'missed'}")
    factor = sizes[-1] / sizes[0]
    for words, column in (("one save", 0), ("a quiet pass", 1), ("memory", 2), ("a first pass up", 3), ("a first pass down", 4)):
        power = exponent(figures[sizes[0]][column], figures[sizes[-1]][column], factor)
        growth.verdicts.append(f"{words} grows as the number of files to the power of {power:.2f}")


def _sign_in(bench: Bench, home: Path) -> None:
    from peers.bothy import PASSWORD

    subprocess.run(
        [bench.bothy.binary, "login", "--server", bench.bothy.url, "--email", "bench@example.org", "--device", home.name,
         "--password-stdin"], input=f"{PASSWORD}\n", text=True, check=True, env={**os.environ, **_environment(home)},
        stdout=subprocess.DEVNULL)


def _environment(home: Path) -> dict:
    return {"BOTHY_HOME": str(home)}


def _command(bench: Bench, folder: Path, *options) -> list:
    return [bench.bothy.binary, "sync", folder, "/shared", "-q", *(options or ("--once",))]


def _sync(bench: Bench, home: Path, folder: Path) -> float:
    return run(_command(bench, folder), env=_environment(home)).seconds


class _Watches:
    """`bothy sync --watch` on both computers."""

    def __init__(self, bench: Bench, homes: dict, folders: dict):
        self.servers = [
            Server(_command(bench, folders[side], "--watch"), log=homes[side] / "watch.log", env=_environment(homes[side]))
            for side in folders]
        self.folders = folders

    def __enter__(self):
        # The first save that arrives says that both look; once more have arrived, both have looked at what happened before they watched.
        for number in range(UNTIMED):
            content = os.urandom(SAVED)
            (self.folders["a"] / f"000/begun {number}.bin").write_bytes(content)
            _wait_for(self.folders["b"] / f"000/begun {number}.bin", content, seconds=120)
        return self

    def resident(self) -> int:
        return max(server.resident_bytes() for server in self.servers)

    def __exit__(self, *_):
        for server in self.servers:
            server.stop()


def _timed_saves(folders: dict, count: int) -> list[float]:
    """As an editor saves: a new file beside the old one, put in its place."""
    times = []
    for index in range(count):
        name = f"saved {index % SAVED_FILES}.bin"
        path = folders["a"] / name
        content = os.urandom(SAVED)
        path.with_suffix(".new").write_bytes(content)
        started = time.monotonic()
        path.with_suffix(".new").rename(path)
        _wait_for(folders["b"] / name, content)
        times.append(time.monotonic() - started)
        time.sleep(0.05)
    return sorted(times)


def _wait_for(path: Path, content: bytes, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            if path.read_bytes() == content:
                return
        except FileNotFoundError:
            pass
        if time.monotonic() > deadline:
            raise TimeoutError(f"{path} did not arrive within {seconds} s")
        time.sleep(0.0005)
