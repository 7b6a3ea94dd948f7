"""What people do to large files. Each edit fills `before`, and makes `after` of it."""

import io
import random
import shutil
import sqlite3
import tarfile
import zipfile
from pathlib import Path

from figures import KiB, MiB, random_file
from figures.everyday.mp4 import mp4


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


def _retitle(before: Path, after: Path, shrink: int) -> None:
    after.mkdir()
    for folder, title in ((before, "VID_0042"), (after, "Grandmother's eightieth, in the garden, with everybody")):
        (folder / "party.mp4").write_bytes(mp4(32 * MiB // shrink, title))


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
    "a longer title at the head of an MP4": _retitle,
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
