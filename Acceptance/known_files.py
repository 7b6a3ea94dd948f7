"""A device that knows a million files, without hearing of each from a server, which takes minutes."""

import sqlite3
from contextlib import closing

FOLDERS, FILES = 1_000, 1_000_000


def fill(replica):
    """Straight into the replica of a device that has seen the root: `FILES` in `FOLDERS` folders, "folder 0" and so on."""
    with closing(sqlite3.connect(replica)) as connection, connection:
        (root,) = connection.execute("SELECT luid FROM remote_files WHERE parent IS NULL").fetchone()
        (link,) = connection.execute("SELECT link FROM replica").fetchone()
        first = connection.execute("SELECT max(luid) + 1 FROM luids").fetchone()[0]
        files = first + FOLDERS
        connection.executemany(
            "INSERT INTO luids (luid, kind, server_id) VALUES (?, 'file', ?)",
            ((luid, f"known-{luid}") for luid in range(first, files + FILES)))
        columns = "luid, parent, rank, name, size, version, created_ms, updated_ms, modified_s, modified_ns, starred, hidden, executable, link"
        row = f"INSERT INTO remote_files ({columns}) VALUES (?, ?, ?, ?, 1, 1, 0, 0, 0, 0, 0, 0, 0, ?)"
        connection.executemany(
            row, ((first + number, root, 0, f"folder {number}", link) for number in range(FOLDERS)))
        connection.executemany(
            row, ((files + number, first + number % FOLDERS, 1, f"file {number}", link) for number in range(FILES)))
