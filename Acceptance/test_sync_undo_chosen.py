"""What `bothy undo` without a number takes back where there are many passes, and where one was cut off some time ago."""

import contextlib
import signal
import sqlite3

import fault_proxy
from synced import meet
from waiting import wait_until


@contextlib.contextmanager
def written_down(device):
    with contextlib.closing(sqlite3.connect(device.home / "bothy/client.sqlite", timeout=20)) as database, database:
        yield database


def copy_last_pass(device, times):
    """As many more passes that did the same: their numbers."""
    with written_down(device) as database:
        (last,) = database.execute("SELECT max(pass_id) FROM sync_passes").fetchone()
        made = []
        for _ in range(times):
            for table, key in (("sync_passes", "pass_id"), ("sync_decisions", "decision_id")):
                columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})") if row[1] != key]
                values = ", ".join("?" if table == "sync_decisions" and name == "pass_id" else name for name in columns)
                fill = (made[-1],) if table == "sync_decisions" else ()
                cursor = database.execute(
                    f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM {table} WHERE pass_id = ?", (*fill, last))
                if table == "sync_passes":
                    made.append(cursor.lastrowid)
    return made


def forget(device, passes):
    with written_down(device) as database:
        for table in ("sync_passes", "sync_decisions"):
            database.executemany(f"DELETE FROM {table} WHERE pass_id = ?", [(number,) for number in passes])


def test_the_own_pass_is_found_behind_more_from_elsewhere_than_are_read_at_first(met):
    a, b = met
    b.write("mine.txt", "by b\n")
    b.sync()
    a.sync()
    a.write("theirs.txt", "by a\n")
    a.sync()
    b.sync()
    more = copy_last_pass(b.device, 130)
    try:
        said = b.device.run("undo", "--dry-run")
        assert "mine.txt" in said.stdout and "theirs.txt" not in said.stdout, said
    finally:
        forget(b.device, more)


def test_an_undoing_that_was_cut_off_long_ago_is_not_what_is_meant_by_undo(desks, met):
    a, b = met
    for number in range(8):
        a.write(f"files/{number}.txt", str(number))
    meet(a, b)
    for number in range(8):
        (a.path / f"files/{number}.txt").unlink()
    a.sync()
    third = iter([False, False, True])
    held = desks.proxy.add(
        fault_proxy.hold(lambda r: r.method == "PATCH" and "/files/" in r.path and next(third, False)))
    undo = a.device.start("undo", "--yes", a.last_pass())
    wait_until(lambda: held.used or undo.poll() is not None, what="the third is under way")
    undo.send_signal(signal.SIGKILL)
    undo.wait(60)
    desks.proxy.clear()
    a.write("new.txt", "new\n")
    a.sync()
    lately = a.device.run("undo", "--dry-run")
    assert "new.txt" not in lately.stdout and "files/" in lately.stdout, lately
    with written_down(a.device) as database:
        database.execute("UPDATE sync_passes SET started_at = '2026-01-01T00:00:00.000Z' WHERE undoes IS NOT NULL")
    later = a.device.run("undo", "--dry-run")
    assert "new.txt" in later.stdout, later
