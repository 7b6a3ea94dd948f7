"""P10: a server of a million people and ten million posts. What a page of a feed takes, whomever its reader follows; what a post takes, however many
follow its author; and when it is in the last feed."""

import json
import os
import sqlite3
import statistics
import subprocess
import time
from contextlib import closing
from pathlib import Path

from figures import Bench, Row, Table, percentile, verdict
from figures.people import Caller, register
from figures.start import database_of

PEOPLE, POSTS, ACTIVE, WORDED = 1_000_000, 10_000_000, 10_000, 100_000
#: Whom readers follow, and who follows authors.
FOLLOWEES, FOLLOWERS = (10, 100, 1_000, 5_000), (10, 250, 10_000, 1_000_000)
#: Pages of each reader, and posts of each author; an hour takes 300 of one person.
PAGES, POSTED, LIMIT = 1_000, 60, 20
#: Seconds between two pages of somebody who scrolls faster than anybody reads.
GLANCE = 0.05
#: Milliseconds of a page and of a post; seconds until it is in the last feed.
PAGE_GOAL, POST_GOAL, LAST_GOAL = 10, 50, 2
TEXT = "The hut is open again, and the path above the lake is free of snow. Bring wood. #hut"


def measure(bench: Bench) -> list[Table]:
    pages = Table("P10", f"A page of {LIMIT} of the feed, in milliseconds, on a server of {PEOPLE // bench.shrink:,} people and "
                         f"{POSTS // bench.shrink:,} posts")
    posts = Table("P10", "A post on the same server, in milliseconds; seconds until it is in the last feed")
    made = Table("P10", "What that server keeps, and what making it took")
    bothy = bench.bothy
    if missing := bothy.bench_missing():
        pages.rows.append(Row(bothy.name, {}, missing))
        return [pages]
    os.environ |= {"BOTHY_REGISTRATION": "open", "BOTHY_FEED_FOLLOW": "none"}
    with bench.room("feed") as room:
        bothy.start(room)
        try:
            for name in [f"reader{count}" for count in FOLLOWEES] + [f"author{count}" for count in FOLLOWERS]:
                register(bothy, name)
        finally:
            bothy.stop()
        figures = _generate(bothy, room, bench.shrink)
        made.rows = _made(figures)
        bothy.serve()
        try:
            _pages(bothy, pages, bench.shrink)
            _posts(bothy, posts, room, bench.shrink)
        finally:
            bothy.stop()
    return [pages, posts, made]


def _generate(bothy, room: Path, shrink: int) -> dict:
    command = [str(bothy.bench), "feed", "--data", str(room / "data"), "--people", str(PEOPLE // shrink), "--posts", str(POSTS // shrink),
               "--active", str(ACTIVE // shrink), "--worded", str(WORDED // shrink)]
    for count in FOLLOWEES:
        command += ["--reader", f"reader{count}@example.org={min(count, PEOPLE // shrink)}"]
    for count in FOLLOWERS:
        command += ["--author", f"author{count}@example.org={min(count, PEOPLE // shrink)}"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def _made(figures: dict) -> list[Row]:
    rows = [Row(what, {"": f"{figures[key]:,}"}) for what, key in (
        ("people", "people"), ("follows", "follows"), ("posts", "posts"), ("authors whose posts are left to readers", "loudAuthors"),
        ("entries in feeds", "feedEntries"))]
    rows += [Row(f"MiB of {table}", {"": round(size / (1 << 20))})
             for table, size in sorted(figures["bytes"].items(), key=lambda each: -each[1]) if size > 1 << 20]
    return rows + [Row(f"seconds for {step}", {"": round(seconds, 1)}) for step, seconds in figures["seconds"].items()]


def _pages(bothy, table: Table, shrink: int) -> None:
    worst, medians = 0.0, []
    for count in FOLLOWEES:
        caller = Caller(bothy, f"reader{count}")
        first = caller.call("GET", f"/v1/feed?limit={LIMIT}")[1]
        newest = [caller.call("GET", f"/v1/feed?limit={LIMIT}")[1] for _ in range(max(50, PAGES // shrink))]
        older, after = [], None
        for _ in range(max(50, PAGES // shrink // 2)):
            answer, took = caller.call("GET", f"/v1/feed?limit={LIMIT}" + (f"&after={after}" if after else ""))
            after = answer["paging"].get("next")
            older.append(took)
            time.sleep(GLANCE)
        values = {"p50": round(statistics.median(newest), 2), "p99": round(percentile(newest, 99), 2),
                  "older pages, p50": round(statistics.median(older), 2), "older pages, p99": round(percentile(older, 99), 2),
                  "slowest": round(max(older + newest), 1), "the first of all": round(first, 1)}
        table.rows.append(Row(f"follows {count:,}", values))
        worst = max(worst, values["p99"], values["older pages, p99"])
        medians.append(values["p50"])
    table.verdicts = [verdict("milliseconds of a page, p99 of the slowest", worst, PAGE_GOAL),
                      f"with {FOLLOWEES[-1]:,} followed people a page takes {medians[-1] / medians[0]:.2f} of what it takes with {FOLLOWEES[0]}"]


def _posts(bothy, table: Table, room: Path, shrink: int) -> None:
    with closing(sqlite3.connect(f"file:{database_of(room / 'data')}?mode=ro", uri=True)) as database:
        for count in FOLLOWERS:
            caller = Caller(bothy, f"author{count}")
            took, last = [], []
            for number in range(max(5, POSTED // shrink)):
                body = {"requestId": f"{count}{number:06}", "content": f"<p>{TEXT} {number}</p>"}
                answer, milliseconds = caller.call("POST", "/v1/posts", body)
                took.append(milliseconds)
                post = int(answer["location"].rpartition("/")[2])
                last.append(_carried(database, post))
            entries = database.execute("SELECT count(*) FROM feed_entries WHERE post_id = ?", [post]).fetchone()[0]
            values = {"p50": round(statistics.median(took), 1), "p99": round(percentile(took, 99), 1), "last feed, s": round(max(last), 2),
                      "feeds written": f"{entries:,}"}
            table.rows.append(Row(f"followed by {min(count, PEOPLE // shrink):,}", values))
            table.verdicts.append(verdict(f"milliseconds of a post with {count:,} followers, p99", values["p99"], POST_GOAL))
        table.verdicts.append(verdict("seconds to the last feed", max(row.values["last feed, s"] for row in table.rows), LAST_GOAL))


def _carried(database: sqlite3.Connection, post: int) -> float:
    """Seconds from now until the outbox has nothing of it."""
    started = time.monotonic()
    while database.execute("SELECT 1 FROM feed_outbox WHERE post_id = ?", [post]).fetchone():
        if time.monotonic() - started > 60:
            raise TimeoutError("the post is not in the last feed after a minute")
        time.sleep(0.01)
    return time.monotonic() - started
