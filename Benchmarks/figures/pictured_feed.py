"""A feed of posts with pictures. The first are posted through the API; the others are copies of those with ids and times before them,
straight in the database of a stopped server: an hour takes 300 posts of one person, and the server looks at each picture as it is posted."""

import math
import random
import sqlite3
import struct
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from figures.people import Caller, register
from figures.start import database_of

#: Who posts, and how many pictures each of them, of so many points: what is drawn of one is 960 x 720.
AUTHORS, PICTURES, SIDES = 8, 6, (1_600, 1_200)
#: Seconds until the server knows how large the pictures are.
PATIENCE = 180
TEXT = "The hut is open again, and the path above the lake is free of snow. Bring wood. It is warm at night and cold in the morning."
#: By table: what a copy of a row has instead.
COPIED = {
    "posts": {"post_id": "copy_id", "request_id": "NULL", "created_ms": "created_ms - 60000 * (number + 1)"},
    "post_attachments": {"post_id": "copy_id"},
    "feed_entries": {"post_id": "copy_id", "entry_id": "copy_id"},
}


def fill(bothy, reader: str, posts: int) -> None:
    """Makes the feed of the reader with this token. The server is started anew, and has made all small pictures when this ends."""
    with ThreadPoolExecutor(2) as hands:
        list(hands.map(lambda author: _post(bothy, reader, author), range(AUTHORS)))
    deadline = time.monotonic() + PATIENCE
    while any("attachmentPreviewWidth" not in post for post in bothy.request("GET", "/v1/feed?limit=100", token=reader)["feed"]):
        if time.monotonic() > deadline:
            raise TimeoutError(f"the server does not know how large the pictures are after {PATIENCE} s")
        time.sleep(0.2)
    bothy.stop()
    _copy(bothy.folder / "data", posts - AUTHORS * PICTURES)
    bothy.serve()


def _post(bothy, reader: str, author: int) -> None:
    name = f"author{author}"
    made = register(bothy, name)
    bothy.request("PUT", f"/v1/users/{made['user']['id']}/follow", token=reader)
    caller = Caller(bothy, name, made["accessToken"])
    for number in range(PICTURES):
        address = caller.upload(f"{number}.png", picture(author * PICTURES + number), "image/png")["downloadUrl"]
        caller.fetch(f"{address}&quality=high")
        caller.call("POST", "/v1/posts", {
            "requestId": f"{author}-{number}", "content": f"<p>{TEXT}</p>", "attachments": [{"type": "image", "contentUrl": address}]})


def _copy(data: Path, count: int) -> None:
    with closing(sqlite3.connect(database_of(data))) as database, database:
        posts = database.execute("SELECT author_id, post_id FROM posts ORDER BY post_id").fetchall()
        database.execute("CREATE TEMPORARY TABLE copies (author_id, post_id, copy_id, number)")
        database.executemany("INSERT INTO copies VALUES (?, ?, ?, ?)", (
            (*posts[number % len(posts)], posts[0][1] - number - 1, number) for number in range(count)))
        for table, changed in COPIED.items():
            columns = [column for _, column, *_ in database.execute(f"PRAGMA table_info({table})")]
            values = [changed.get(column, f"one.{column}") for column in columns]
            database.execute(f"""
                INSERT INTO {table} ({", ".join(columns)}) SELECT {", ".join(values)} FROM copies
                JOIN {table} one ON one.author_id = copies.author_id AND one.post_id = copies.post_id""")


def picture(seed: int) -> bytes:
    """A PNG of slanting waves of colour, of others for each seed."""
    generator, (width, height) = random.Random(seed), SIDES
    lengths = [generator.uniform(20, 200) for _ in range(3)]
    colours = bytes(int(128 + 127 * math.sin(place / length)) for place in range(width + height) for length in lengths)
    rows = b"".join(b"\0" + colours[3 * row:3 * (row + width)] for row in range(height))
    parts = (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts)
