"""What people do to large files, and what is moved for it: up from the device where it was done, and down to another one."""

import io
import random
import shutil
import sqlite3
import tarfile
import zipfile
from pathlib import Path

from figures import Bench, KiB, MiB, Row, Table, random_file
from peers.bothy import PASSWORD
from processes import program, run
from relay import Relay

#: Of the best peer in each row.
GOAL = 1.25


def measure(bench: Bench) -> list[Table]:
    table = Table("edits", "KiB moved for one edit: up and down, all that goes over the wire both ways; of tools without a wire, what they would send")
    ways = {"bothy": _bothy, "rsync": _rsync, "rdiff": _rdiff, "casync": _casync, "borg": _borg, "restic": _restic}
    missing = {name for name in ways if name != "bothy" and not program(name)}
    totals: dict[str, float] = {}
    for name, edit in EDITS.items():
        with bench.room("everyday") as room:
            before, after = room / "before", room / "after"
            before.mkdir()
            edit(before, after, bench.shrink)
            values = {}
            for way, work in ways.items():
                if way not in missing:
                    (room / way).mkdir()
                    values |= work(bench, room / way, before, after)
            table.rows.append(Row(name, {key: round(value) for key, value in values.items()}))
            for key, value in values.items():
                totals[key] = totals.get(key, 0) + value
    table.rows.append(Row("together", {key: round(value) for key, value in totals.items()}))
    table.verdicts += [_verdict(row) for row in table.rows]
    table.verdicts += [f"{name} is not installed" for name in sorted(missing)]
    return [table]


def _verdict(row: Row) -> str:
    words = []
    for way in ("up", "down"):
        best = min(value for key, value in row.values.items() if key.endswith(way) and not key.startswith("bothy"))
        ours = row.values[f"bothy {way}"]
        words.append(f"{way} {ours / max(best, 1):.2f} × the best peer: {'holds' if ours <= max(best, 1) * GOAL else 'missed'}")
    return f"{row.peer}: {'; '.join(words)}"


# The edits. Each fills `before`, and makes `after` of it.


def _file(change, size: int = 64 * MiB):
    """One file without any pattern, and what becomes of it."""
    def edit(before: Path, after: Path, shrink: int) -> None:
        path = random_file(before / "film.mkv", size // shrink)
        shutil.copytree(before, after)
        content = bytearray(path.read_bytes())
        change(content, random.Random(7))
        (after / "film.mkv").write_bytes(content)
    return edit


def _insert(place: float, count: int):
    def change(content: bytearray, chance: random.Random) -> None:
        start = int(len(content) * place)
        content[start:start] = chance.randbytes(count)
    return change


def _delete(content: bytearray, _) -> None:
    start = len(content) // 2 + 12345
    del content[start:start + 100_000]


def _scatter(content: bytearray, chance: random.Random) -> None:
    for _ in range(50):
        start = chance.randrange(len(content) // 4096) * 4096
        content[start:start + 4096] = chance.randbytes(4096)


def _head(content: bytearray, chance: random.Random) -> None:
    """A longer title: the tag at the head grows, and everything moves."""
    content[:2000] = chance.randbytes(2300)


def _sqlite(before: Path, after: Path, shrink: int) -> None:
    chance, path = random.Random(8), before / "app.sqlite"
    rows = 200_000 // shrink
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, body BLOB)")
        database.executemany("INSERT INTO notes VALUES (?, ?, ?)",
                             ((index, f"note {index}", chance.randbytes(180)) for index in range(rows)))
    database.close()
    shutil.copytree(before, after)
    with sqlite3.connect(after / "app.sqlite") as database:
        for _ in range(100):
            database.execute("UPDATE notes SET body = ? WHERE id = ?", (chance.randbytes(180), chance.randrange(rows)))
    database.close()


def _words(chance: random.Random, count: int) -> bytes:
    vocabulary = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randrange(2, 10))) for _ in range(3000)]
    return " ".join(chance.choices(vocabulary, k=count // 6)).encode()[:count]


def _tar(before: Path, after: Path, shrink: int) -> None:
    def write(path: Path, replaced: bool) -> None:
        chance = random.Random(9)
        with tarfile.open(path, "w") as archive:
            for index in range(400 // shrink):
                content = _words(chance, 80_000)
                if replaced and index == 200 // shrink:
                    content = _words(random.Random(10), 90_000)
                entry = tarfile.TarInfo(f"src/{index:04}.txt")
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    after.mkdir()
    write(before / "backup.tar", False)
    write(after / "backup.tar", True)


def _document(before: Path, after: Path, shrink: int) -> None:
    """A text document with pictures: its text is saved anew, compressed, and its pictures stay."""
    def write(path: Path, added: bytes) -> None:
        chance = random.Random(11)
        text = _words(chance, 300_000)
        with zipfile.ZipFile(path, "w") as archive:
            for index in range(40 // shrink):
                archive.writestr(zipfile.ZipInfo(f"Pictures/{index}.jpg"), chance.randbytes(300 * KiB))
            archive.writestr(zipfile.ZipInfo("content.xml"), text[:150_000] + added + text[150_000:], zipfile.ZIP_DEFLATED)
    after.mkdir()
    write(before / "report.odt", b"")
    write(after / "report.odt", b"one more sentence, in the middle of everything")


def _rename(before: Path, after: Path, shrink: int) -> None:
    random_file(before / "film.mkv", 64 * MiB // shrink)
    shutil.copytree(before, after)
    (after / "film.mkv").rename(after / "holidays.mkv")


def _copy(before: Path, after: Path, shrink: int) -> None:
    random_file(before / "film.mkv", 64 * MiB // shrink)
    shutil.copytree(before, after)
    shutil.copy(after / "film.mkv", after / "film (copy).mkv")


def _swap(before: Path, after: Path, shrink: int) -> None:
    for seed, name in enumerate(("a.mkv", "b.mkv")):
        random_file(before / name, 32 * MiB // shrink, seed=seed + 20)
    after.mkdir()
    shutil.copy(before / "a.mkv", after / "b.mkv")
    shutil.copy(before / "b.mkv", after / "a.mkv")


def _rotate(before: Path, after: Path, shrink: int) -> None:
    chance = random.Random(12)
    (before / "app.log").write_bytes(_words(chance, 20 * MiB // shrink))
    after.mkdir()
    (after / "app.log.1").write_bytes((before / "app.log").read_bytes())
    (after / "app.log").write_bytes(_words(chance, MiB // shrink))


EDITS = {
    "1 MiB appended": _file(_insert(1, MiB)),
    "64 KiB put before all": _file(_insert(0, 64 * KiB)),
    "1,000 bytes inserted in the middle": _file(_insert(0.5, 1000)),
    "100,000 bytes deleted in the middle": _file(_delete),
    "a tag at the head of an MP3": _file(_head, 8 * MiB),
    "EXIF of a photo": _file(_head, 6 * MiB),
    "an SQLite file after 100 updates": _sqlite,
    "a disk image with 50 writes of 4 KiB": _file(_scatter, 128 * MiB),
    "a tar with one file replaced": _tar,
    "a document edited": _document,
    "a rename": _rename,
    "a copy": _copy,
    "two files swapped": _swap,
    "a log rotated": _rotate,
}

# The programs. Each says how many KiB are moved, up and down.


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
    options = ["rsync", "--recursive", "--delete", "--ignore-times", "--no-whole-file", "--fuzzy", "--compress"]
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
