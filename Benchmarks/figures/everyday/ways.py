"""The programs that are given an edit. Each says how many KiB are moved for it, up and down."""

import shutil
from pathlib import Path
from urllib.parse import quote

from figures import Bench, KiB
from peers.bothy import PASSWORD
from peers.syncthing import Syncthing
from processes import run
from relay import Relay


def _bothy(bench: Bench, room: Path, before: Path, after: Path) -> dict:
    bothy = bench.bothy
    bothy.start(room)
    relay = Relay(bothy.port)
    try:
        desks = {name: (room / name, room / f"{name} files") for name in ("one", "other")}
        for name, (home, folder) in desks.items():
            bothy.home = home
            bothy.client("login", "--server", f"http://127.0.0.1:{relay.port}", "--email", "bench@example.org", "--device",
                         name, "--password-stdin", password=PASSWORD)
            folder.mkdir()
        def step(name: str) -> int:
            bothy.home, folder = desks[name]
            relay.forget()
            bothy.client("sync", folder, "/files", "--once", "-q")
            return relay.bytes
        _fill(desks["one"][1], before)
        step("one")
        step("other")
        _fill(desks["one"][1], after)
        moved = {"bothy up": step("one") / KiB, "bothy down": step("other") / KiB}
        _check(after, desks["other"][1])
        return moved
    finally:
        relay.stop()
        bothy.stop()


def _fill(folder: Path, content: Path) -> None:
    """The folder as it is when somebody has done the edit: a rename is one, and what did not change is not touched."""
    known = {path.read_bytes(): path for path in _files(folder)}
    wanted = {path.name: path.read_bytes() for path in content.iterdir()}
    aside = []
    for name, path in [(name, known[data]) for name, data in wanted.items() if data in known]:
        if path.name != name and path.name not in wanted:
            path.rename(folder / name)
        elif path.name != name and (folder / name).exists():
            aside.append((path.rename(folder / f".{name}.moving"), folder / name))
    for path, target in aside:
        path.rename(target)
    for name, data in wanted.items():
        if not (folder / name).exists() or (folder / name).read_bytes() != data:
            (folder / name).write_bytes(data)
    for path in _files(folder):
        if path.name not in wanted:
            path.unlink()


def _files(folder: Path) -> list[Path]:
    """What people have put there: not what the agent keeps beside it."""
    return [path for path in folder.iterdir() if path.is_file()]


def _check(one: Path, other: Path) -> None:
    for path in one.iterdir():
        if (other / path.name).read_bytes() != path.read_bytes():
            raise RuntimeError(f"{path.name} is not what was put")


def _rsync(bench: Bench, room: Path, before: Path, after: Path) -> dict:
    rsync = next(peer for peer in bench.peers if peer.name == "rsync daemon")
    rsync.start(room)
    relay = Relay(rsync.port)
    # What is to be deleted is deleted last, so that --fuzzy finds what a file was called before.
    options = ["rsync", "--recursive", "--delete-after", "--ignore-times", "--no-whole-file", "--fuzzy", "--compress"]
    try:
        url, fetched = f"rsync://127.0.0.1:{relay.port}/files/", room / "fetched"
        run([*options, f"{before}/", url])
        run([*options, url, fetched])
        relay.forget()
        run([*options, f"{after}/", url])
        up = relay.bytes
        relay.forget()
        run([*options, url, fetched])
        _check(after, fetched)
        return {"rsync up": up / KiB, "rsync down": relay.bytes / KiB}
    finally:
        relay.stop()
        rsync.stop()


def _zsync(bench: Bench, room: Path, before: Path, after: Path) -> dict:
    """It only fetches: the control file, which names the blocks, and what is not found in any of the old files. It is not asked for what did not change."""
    nginx = next(peer for peer in bench.peers if peer.name == "nginx+curl")
    nginx.start(room)
    relay = Relay(nginx.port)
    seeds = [part for path in before.iterdir() for part in ("-i", path)]
    try:
        moved, fetched = 0, room / "fetched"
        fetched.mkdir()
        for path in after.iterdir():
            old, name = before / path.name, quote(path.name)
            if old.exists() and old.read_bytes() == path.read_bytes():
                continue
            served = shutil.copy(path, room / "files")
            run(["zsyncmake", "-u", name, "-o", f"{served}.zsync", served])
            relay.forget()
            run(["zsync", "-q", *seeds, "-o", fetched / path.name, f"http://127.0.0.1:{relay.port}/{name}.zsync"], cwd=room)
            moved += relay.bytes
            if (fetched / path.name).read_bytes() != path.read_bytes():
                raise RuntimeError(f"zsync fetched another {path.name}")
        return {"zsync down": moved / KiB}
    finally:
        relay.stop()
        nginx.stop()


def _syncthing(_, room: Path, before: Path, after: Path) -> dict:
    """Two devices that stay connected. Up, the edit is done at the one that calls; then it is taken back, and down, it is done at the other one."""
    syncthing = Syncthing(counted=True)
    syncthing.start(room)
    try:
        a, b = syncthing.devices
        def move(changed, other, content: Path) -> float:
            _fill(changed.files, content)
            moved = syncthing.moved(changed, other) / KiB
            _check(content, other.files)
            return moved
        move(a, b, before)
        up = move(a, b, after)
        move(a, b, before)
        return {"syncthing up": up, "syncthing down": move(b, a, after)}
    finally:
        syncthing.stop()


def _rdiff(_, room: Path, before: Path, after: Path) -> dict:
    """Signature one way, delta the other. A file that has no old one by its name is sent whole."""
    moved = 0
    for path in after.iterdir():
        old = before / path.name
        if not old.exists():
            moved += path.stat().st_size
        elif old.read_bytes() != path.read_bytes():
            signature, delta = room / "signature", room / "delta"
            run(["rdiff", "-f", "signature", old, signature])
            run(["rdiff", "-f", "delta", signature, path, delta])
            moved += signature.stat().st_size + delta.stat().st_size
    return {"rdiff up": moved / KiB, "rdiff down": moved / KiB}


def _casync(_, room: Path, before: Path, after: Path) -> dict:
    """The chunks that the store gains, and the index."""
    store = room / "store"
    run(["casync", "make", f"--store={store}", room / "before.caidx", before])
    size = _size(store)
    run(["casync", "make", f"--store={store}", room / "after.caidx", after])
    moved = _size(store) - size + (room / "after.caidx").stat().st_size
    return {"casync up": moved / KiB, "casync down": moved / KiB}


def _borg(_, room: Path, before: Path, after: Path) -> dict:
    env = {"BORG_BASE_DIR": str(room / "borg-home"), "BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK": "yes",
           "BORG_RELOCATED_REPO_ACCESS_IS_OK": "yes"}
    repository = room / "repository"
    run(["borg", "init", "--encryption=none", repository], env=env)
    run(["borg", "create", f"{repository}::before", "."], cwd=before, env=env)
    size = _size(repository / "data")
    run(["borg", "create", f"{repository}::after", "."], cwd=after, env=env)
    return {"borg up": (_size(repository / "data") - size) / KiB}


def _restic(_, room: Path, before: Path, after: Path) -> dict:
    env = {"RESTIC_PASSWORD": PASSWORD, "RESTIC_REPOSITORY": str(room / "restic"), "XDG_CACHE_HOME": str(room / "cache")}
    run(["restic", "init"], env=env)
    run(["restic", "backup", "."], cwd=before, env=env)
    size = _size(room / "restic")
    run(["restic", "backup", "."], cwd=after, env=env)
    return {"restic up": (_size(room / "restic") - size) / KiB}


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


WAYS = {"bothy": _bothy, "rsync": _rsync, "zsync": _zsync, "syncthing": _syncthing, "rdiff": _rdiff, "casync": _casync, "borg": _borg,
        "restic": _restic}
#: What has to be installed for one, where that is not just the program of its name.
NEEDS = {"bothy": [], "zsync": ["zsync", "zsyncmake", "nginx"]}
