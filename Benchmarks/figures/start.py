"""P13, the server's half: how long a server with many files takes until it is ready, after a clean stop and after kill -9."""

import sqlite3
from contextlib import closing
from pathlib import Path

from figures import Bench, Row, Table, exponent

#: Seconds, with a million files.
GOAL = 0.3


def measure(bench: Bench) -> list[Table]:
    table = Table("P13 (server)", "From exec to ready")
    bothy = bench.bothy
    if missing := bothy.missing():
        table.rows.append(Row(bothy.name, {}, missing))
        return [table]
    times = {}
    with bench.room("start") as room:
        bothy.start(room)
        there = 0
        for count in (10_000 // bench.shrink, 100_000 // bench.shrink, 1_000_000 // bench.shrink):
            bothy.stop()
            fill(room / "data", there, count)
            there = count
            clean = sorted(_again(bothy, "stop") for _ in range(5))[2]
            killed = sorted(_again(bothy, "kill") for _ in range(5))[2]
            times[count] = clean
            row = {"seconds": round(clean, 3), "after kill -9": round(killed, 3)}
            table.rows.append(Row(f"bothy, {count:,} files", row))
        bothy.stop()
    counts = sorted(times)
    table.verdicts.append(
        f"{times[counts[-1]]:.3f} s against {GOAL} — {'holds' if times[counts[-1]] <= GOAL else 'missed'}; "
        f"grows as the number to the power of {exponent(times[counts[0]], times[counts[-1]], counts[-1] / counts[0]):.2f}")
    return [table]


def _again(bothy, ending: str) -> float:
    seconds = bothy.serve()
    bothy.server.kill() if ending == "kill" else bothy.stop()
    return seconds


def _name_key(index: int) -> bytes:
    """As `NameOrder` writes the names above: a number as a zero, its length, and its digits."""
    digits = str(index).encode() if index else b""
    return b"file 0" + bytes([len(digits)]) + digits + b".txt"


def database_of(data) -> Path:
    return next(path for path in data.rglob("*") if path.is_file() and path.open("rb").read(15) == b"SQLite format 3")


def fill(data, start: int, end: int, folder: str | None = None) -> None:
    """Puts files into the root, or into a folder, straight in the database of a stopped server: putting a million takes an hour."""
    # Closed before the server opens the file again: it takes the log and the index of the log away when it ends.
    with closing(sqlite3.connect(database_of(data))) as connection, connection:
        drive, root, before = connection.execute("SELECT drive_id, root_id, last_sequence FROM drives").fetchone()
        parent, last = folder or root, before + end - start
        columns = "drive_id, node_id, serial, parent_id, name, kind, mime_type, size, version, created_ms, updated_ms, " \
                  "modified_s, modified_ns, name_key"
        connection.executemany(
            f"INSERT INTO nodes ({columns}) VALUES (?, ?, ?, ?, ?, 1, 'text/plain', 0, 1, 0, 0, 0, 0, ?)",
            ((drive, f"bench-{index:07}", before + 1 + index - start, parent, f"file {index:07}.txt", _name_key(index))
             for index in range(start, end)))
        # As the server keeps it with each file that it writes itself.
        connection.execute(
            "INSERT INTO folder_counts (drive_id, folder_id, kind, entries) VALUES (?, ?, 1, ?) "
            "ON CONFLICT (drive_id, folder_id, kind) DO UPDATE SET entries = entries + excluded.entries",
            (drive, parent, end - start))
        # The last of them alone is in the log, as when the rest was long ago: a device that knew the drive lists it anew.
        connection.execute("DELETE FROM changes WHERE drive_id = ?", (drive,))
        connection.execute(
            "INSERT INTO changes (drive_id, sequence, tag, kind, entity_id, removed, at_ms, at_lived) "
            "VALUES (?, ?, 0, 'file', ?, 0, 0, 0)", (drive, last, f"bench-{end - 1:07}"))
        connection.execute(
            "UPDATE drives SET last_sequence = ?, last_tag = 0, oldest_sequence = ?, history_from = ? WHERE drive_id = ?",
            (last, last, last - 1, drive))
