"""A thousand open pages on one server: what each costs its memory, how soon a change is told to all of them, and whether somebody
who opens a page beside them waits longer. The same on a device's agent.

A page is here what it is to a server: a connection of its own (HTTP/1.1), signed in by the form, that asks for the stream which the
pages of a browser share. A thousand of them are a thousand browsers; one browser's tabs share one stream."""

import http.client
import json
import multiprocessing
import re
import selectors
import socket
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

from figures import Bench, KiB, Row, Table, percentile, verdict
from peers.bothy import PASSWORD
from processes import cpu_seconds, status

#: Accounts, and pages of each: a server tells 256 of one account at most.
ACCOUNTS, PAGES = 4, 250
#: Changes of each account, one after the other; and of all accounts at once.
CHANGES, TOGETHER = 10, 5
#: Milliseconds from a change to the 99th of a hundred pages; milliseconds of an ordinary page, 99 of 100.
REACHED, PAGE = 300, 300
#: Seconds between two visits beside.
PAUSE = 0.02
#: Seconds of visits with nothing else to do, and until all pages must have been told.
ALONE, PATIENCE = 3, 60
OPENED = b"retry: "


@dataclass
class Person:
    """Somebody in a browser, and the pages that they have open."""

    address: str
    cookie: str
    mark: str
    #: For changes, as another device of theirs makes them.
    token: str
    streams: list = field(default_factory=list)

    def open(self, selector) -> None:
        of = quote(f"/folder/root/events?order=name&after={self.mark}", safe="")
        stream = socket.create_connection((urlsplit(self.address).hostname, urlsplit(self.address).port), timeout=30)
        stream.sendall(f"GET /events?of={of} HTTP/1.1\r\nHost: {urlsplit(self.address).netloc}\r\nCookie: {self.cookie}\r\n"
                       "Accept: text/event-stream\r\n\r\n".encode())
        stream.setblocking(False)
        selector.register(stream, selectors.EVENT_READ, self)
        self.streams.append(stream)


def measure(bench: Bench) -> list[Table]:
    table = Table("Open pages", f"{ACCOUNTS * PAGES // bench.shrink:,} pages that listen, a connection each")
    bothy = bench.bothy
    if missing := bothy.missing():
        table.rows.append(Row(bothy.name, {}, missing))
        return [table]
    with bench.room("pages") as room:
        bothy.start(room)
        try:
            people = [_at_server(bothy, number) for number in range(ACCOUNTS)]
            _add(table, "bothy", bothy, people, PAGES // bench.shrink, bothy.server.process.pid)
            device = bothy.device(room / "device")
            try:
                person, pid = _at_agent(device)
                _add(table, "bothy agent", bothy, [person], ACCOUNTS * PAGES // bench.shrink, pid)
            finally:
                device.client("agent", "--stop")
        finally:
            bothy.stop()
    return [table]


def _add(table: Table, whose: str, bothy, people: list[Person], pages: int, pid: int) -> None:
    # A process of its own, from before anything is open.
    with Visitor(people[0]) as visitor:
        alone = visitor.during(lambda: time.sleep(ALONE))
        with selectors.DefaultSelector() as selector:
            try:
                each = _open(people, pages, selector, pid)
                one, every, cost = [], [], 0.0

                def change() -> None:
                    nonlocal cost
                    before = cpu_seconds([pid])
                    one.extend(_changes(bothy, selector, [[person] for person in people], CHANGES))
                    cost = 1000 * (cpu_seconds([pid]) - before) / len(one)
                    if len(people) > 1:
                        every.extend(_changes(bothy, selector, [people], TOGETHER))

                beside = visitor.during(change)
            finally:
                for person in people:
                    for stream in person.streams:
                        stream.close()
    table.rows.append(Row(whose, {"pages": len(people) * pages, "KiB each": round(each, 1), "CPU ms a page told": round(cost, 2)} | _figures({
        "a change": one, "a page beside": beside, "a page, nothing else": alone}
        | ({f"{len(people)} at once": every} if every else {}))))
    table.verdicts.append(verdict(f"{whose}: a change at all pages of an account, p99", round(percentile(one, 99)), REACHED))
    if every:
        table.verdicts.append(verdict(f"{whose}: {len(people)} changes at once at all pages, p99", round(percentile(every, 99)), REACHED))
    table.verdicts.append(verdict(f"{whose}: a page that is opened beside, p99", round(percentile(beside, 99)), PAGE))


def _figures(measured: dict[str, list[float]]) -> dict:
    return {f"{what}, p{part}": round(percentile(times, part)) for what, times in measured.items() for part in (50, 99)}


def _open(people: list[Person], pages: int, selector, pid: int) -> float:
    """KiB of memory that a page costs."""
    # One of each first: what a person costs by themselves is no page's.
    for person in people:
        person.open(selector)
    _wait_for(selector, len(people), OPENED)
    before = status(pid, "VmRSS")
    for person in people:
        for _ in range(pages - 1):
            person.open(selector)
        _wait_for(selector, pages - 1, OPENED)
    return (status(pid, "VmRSS") - before) / KiB / (len(people) * (pages - 1))


def _changes(bothy, selector, groups: list[list[Person]], turns: int) -> list[float]:
    """Milliseconds from a change being asked for to each page having been told; all of a group change something at once."""
    waits = []
    with ThreadPoolExecutor(len(groups[0])) as devices:
        for turn in range(turns):
            for group in groups:
                name = f"change-{turn}-{len(waits)}-of-{len(group)}.txt"
                began = {person.token: devices.submit(_change, bothy, person, name) for person in group}
                told = _wait_for(selector, sum(len(person.streams) for person in group), name.encode())
                waits += [1000 * (at - began[person.token].result()) for person, at in told]
    return waits


def _change(bothy, person: Person, name: str) -> float:
    began = time.monotonic()
    bothy.request("POST", "/v1/files", {"requestId": name, "name": name, "mimeType": "text/plain", "parentId": "root"}, person.token)
    return began


def _wait_for(selector, count: int, words: bytes) -> list[tuple[Person, float]]:
    """Whose stream said the words when, in seconds of the monotonic clock."""
    deadline, told, said = time.monotonic() + PATIENCE, [], {}
    while len(told) < count:
        for key, _ in selector.select(1):
            got = key.fileobj.recv(65_536)
            if not got:
                raise ConnectionError(f"a stream was closed after {said.get(key.fd, b'')!r}")
            said[key.fd] = said.get(key.fd, b"") + got
            if words in said[key.fd]:
                told.append((key.data, time.monotonic()))
                said[key.fd] = b""
        if time.monotonic() > deadline:
            raise TimeoutError(f"{count - len(told)} of {count} pages were not told {words!r} within {PATIENCE} s")
    return told


# Somebody who opens a page beside them, over and over.

class Visitor:
    """A process of its own, so that waiting for a thousand streams takes nothing from it."""

    def __init__(self, person: Person):
        self._pipe, other = multiprocessing.Pipe()
        self._process = multiprocessing.get_context("spawn").Process(
            target=_visits, args=(other, person.address, person.cookie), daemon=True)

    def __enter__(self):
        self._process.start()
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.join()

    def during(self, act) -> list[float]:
        """Milliseconds of each visit while something happens."""
        self._pipe.send("visit")
        self._pipe.recv()
        act()
        self._pipe.send("that is all")
        return self._pipe.recv()


def _visits(pipe, address: str, cookie: str) -> None:
    while True:
        pipe.recv()
        connection, times = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE), []
        pipe.send("on the way")
        while not pipe.poll(PAUSE) or not times:
            began = time.monotonic()
            connection.request("GET", "/", headers={"Cookie": cookie})
            answer = connection.getresponse()
            if b'id="rows"' not in answer.read():
                raise RuntimeError(f"a visit was answered with {answer.status}")
            times.append(1000 * (time.monotonic() - began))
        pipe.recv()
        connection.close()
        pipe.send(times)


# Coming in.

def _at_server(bothy, number: int) -> Person:
    email = f"pages{number}@example.org"
    token = bothy.request("POST", "/v1/auth/register", {
        "email": email, "password": PASSWORD, "displayName": f"Pages {number}",
        "device": {"name": "bench", "platform": "linux"}})["accessToken"]
    return _come_in(bothy.url, token, lambda form: ("/sign-in", bothy.url, {"token": form, "email": email, "password": PASSWORD}))


def _at_agent(device) -> tuple[Person, int]:
    """And the agent's process."""
    device.client("ls", "/")
    address, entrance = device.entrance()
    secret = re.search(r'value="(\w+)"', Path(urlsplit(entrance).path).read_text())[1]
    person = _come_in(address, device.token(), lambda _: ("/enter", "null", {"token": secret}))
    return person, json.loads((device.home / "agent/holder.json").read_text())["pid"]


def _come_in(address: str, token: str, form) -> Person:
    """Posts the form that leads in, as a browser does."""
    cookies = CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))
    page = browser.open(address + "/sign-in").read().decode()
    place, origin, fields = form((re.search(r'name="token" value="([^"]+)"', page) or [None, ""])[1])
    browser.open(urllib.request.Request(address + place, urlencode(fields).encode(), {"Origin": origin})).read()
    mark = re.search(r'data-mark="([^"]+)"', browser.open(address + "/").read().decode())[1]
    return Person(address, "; ".join(f"{one.name}={one.value}" for one in cookies), mark, token)
