"""What a search takes at most: words that are in everything, words that are none, names and texts made to cost, on a drive of 100,000 files.

A search stops at a number of words that it looks at, not at a time; so the drive is one in which those words cost most."""

import http.client
import json
import random
import sqlite3
import string
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from figures import Bench, Row, Table, percentile, verdict
from figures.start import database_of, fill

FILES, TEXTS, COPIES = 100_000, 3_000, 20_000
#: Names of 255 bytes, each letter of which has to be taken apart to be compared.
LONG = 3_000
#: Milliseconds, for the worst of them; searches of each kind: so many, and those that take long for so many seconds, but thrice.
GOAL, TIMES, SECONDS, LEAST = 100, 100, 5, 3
#: Copies that one request makes; seconds until all texts were looked through.
COPIED, PATIENCE = 1_000, 900
#: Words that are in every text.
COMMON = ["about", "before", "could", "during", "every", "found", "great", "house"]
#: Of the server: terms that count, and bytes that it takes.
MOST_TERMS, MOST_BYTES = 8, 512


@dataclass
class Question:
    what: str
    text: str
    status: int = 200


QUESTIONS = [
    Question("a word that is there once", "unheard"),
    Question("one letter that every name has", "f"),
    Question("one letter that every text has", "e"),
    Question("60 letters, each with a space", " ".join((string.ascii_lowercase + string.digits + string.ascii_lowercase)[:60])),
    Question(f"{MOST_TERMS} words that every text has", " ".join(COMMON)),
    Question("the same, and what no text has last", " ".join(COMMON[:-1] + ["houx"])),
    Question("operators", '" OR NEAR( * ^ - ) AND NOT {a b}: "*" NEAR/3 col:f + ; -- \' %_'),
    Question("a quote that does not end", '"file OR "'),
    Question("names of 255 bytes, all accents", "éé"),
    Question("a text of which there are 20,000 copies", "copied"),
    Question(f"{MOST_BYTES} bytes", ("file " * MOST_BYTES)[:MOST_BYTES]),
    Question("2 KiB", ("file " * 2048)[:2048], status=400),
]


def measure(bench: Bench) -> list[Table]:
    table = Table("Search", f"{FILES // bench.shrink:,} files and {(TEXTS + COPIES) // bench.shrink:,} texts, milliseconds")
    bothy = bench.bothy
    if missing := bothy.missing():
        table.rows.append(Row(bothy.name, {}, missing))
        return [table]
    with bench.room("search") as room:
        bothy.start(room)
        try:
            _make(bothy, room, bench.shrink)
            for question in QUESTIONS:
                token = bothy.token()
                before = bothy.server.cpu_seconds()
                times, found = _asked(bothy, token, question, TIMES // bench.shrink)
                cpu = 1000 * (bothy.server.cpu_seconds() - before) / len(times)
                worst = round(max(times))
                table.rows.append(Row(f"bothy, {question.what}", {
                    "searches": len(times), "p50": round(percentile(times, 50)), "p99": round(percentile(times, 99)), "worst": worst,
                    "server CPU, each": round(cpu), "found": found}))
                table.verdicts.append(verdict(f"{question.what}, worst", worst, GOAL))
        finally:
            bothy.stop()
    return [table]


def _asked(bothy, token: str, question: Question, times: int) -> tuple[list[float], str]:
    """Milliseconds of each search, and what came of it."""
    connection, took = http.client.HTTPConnection("127.0.0.1", bothy.port, timeout=60), []
    headers = {"Authorization": f"Bearer {token}"}
    while len(took) < LEAST or (len(took) < times and sum(took) < 1000 * SECONDS):
        began = time.monotonic()
        connection.request("GET", "/v1/search?" + urlencode({"q": question.text, "limit": 50}), headers=headers)
        answer = connection.getresponse()
        said = json.loads(answer.read())
        took.append(1000 * (time.monotonic() - began))
        if answer.status != question.status:
            raise RuntimeError(f"{question.what}: answered with {answer.status}, {said}")
    connection.close()
    if question.status != 200:
        return took, f"refused with {question.status}"
    return took, f"{len(said['results'])}{'' if said['isComplete'] else ' and more'}"


def _make(bothy, room: Path, shrink: int) -> None:
    """Texts by putting them, copies by asking for them, and as many other files as are wanted beside them in the database."""
    chance, words = random.Random(5), [f"word{number}" for number in range(5_000)]
    texts, copied = room / "texts", room / "copied"
    for folder in (texts, copied):
        folder.mkdir()
    for number in range(TEXTS // shrink):
        text = COMMON + chance.sample(words, 120) + (["unheard"] if number == 0 else [])
        (texts / f"text {number}.txt").write_text(" ".join(text))
    for number in range(COPIED // shrink):
        (copied / f"copy {number}.txt").write_text("copied " + " ".join(words[:50]))
    for folder in (texts, copied):
        bothy.put_tree(folder)
    token = bothy.token()
    source = next(one["id"] for one in bothy.request("GET", "/v1/files?parentId=root", token=token)["files"] if one["name"] == "copied")
    for turn in range(COPIES // COPIED - 1):
        bothy.request("POST", f"/v1/files/{source}/copy", {"requestId": f"copy-{turn}", "name": f"copied {turn}", "parentId": "root"}, token)
    _wait_for_texts(bothy)
    bothy.stop()
    fill(room / "data", 0, (FILES - TEXTS - COPIES) // shrink)
    _name(room / "data", LONG // shrink)
    bothy.serve()


def _wait_for_texts(bothy) -> None:
    """Until the server has looked through all that came."""
    with closing(sqlite3.connect(database_of(bothy.folder / "data"))) as connection:
        deadline = time.monotonic() + PATIENCE
        while connection.execute("SELECT 1 FROM texts_to_index LIMIT 1").fetchone():
            if time.monotonic() > deadline:
                raise TimeoutError(f"not all texts were looked through within {PATIENCE} s")
            time.sleep(0.1)


def _name(data: Path, long: int) -> None:
    """Has the files that were filled in be found by their names, as the server does with each that it writes; the first are
    called so that it takes most to compare them."""
    with closing(sqlite3.connect(database_of(data))) as connection, connection:
        files = connection.execute("SELECT drive_id, node_id, name FROM nodes WHERE node_id LIKE 'bench-%' ORDER BY node_id").fetchall()
        named = [(drive, node, f"{number:05} " + "é" * 124 if number < long else name)
                 for number, (drive, node, name) in enumerate(files)]
        connection.executemany("UPDATE nodes SET name = ? WHERE drive_id = ? AND node_id = ?",
                               ((name, drive, node) for drive, node, name in named[:long]))
        connection.executemany(
            "INSERT INTO name_words (drive_id, word, node_id) VALUES (?, ?, ?)",
            ((drive, word, node) for drive, node, name in named for word in _words(name)))


def _words(name: str) -> list[str]:
    """As `NameWords` has them, of the names above: without accents, and 64 bytes of each."""
    return [word[:64] for word in name.replace("é", "e").replace(".", " ").split()]
