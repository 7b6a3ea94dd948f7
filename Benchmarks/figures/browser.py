"""P14, the web app in a browser: from opening a folder to seeing it, from a key to its effect, from a change elsewhere to its row.
The server's, and a device's own, which its agent serves.

Beside them stand the same page as plain files, which is the least that this browser takes on this machine, and copyparty's list of a
folder with as many files."""

import json
import time
import urllib.request
from contextlib import contextmanager
from urllib.parse import urlsplit

from figures import Bench, Row, Table, chromium, verdict
from figures.chromium import EMAIL
from figures.start import fill
from peers.bothy import PASSWORD
from peers.copyparty import Copyparty
from peers.static_page import StaticPage
from processes import wait_for_port

#: Milliseconds from asking for a folder to its first rows being painted, by how many lie in it.
PAINT = {1_000: 100, 100_000: 150}
#: Milliseconds from a key to its effect.
KEY = 50
#: Milliseconds from a change of another device to its row; the 99th of a hundred.
CHANGE = 300
#: KiB of a page with everything that it needs, as it is sent.
WEIGHT = 60
#: Frames that may be missed of a hundred while the list is scrolled, at sixty a second.
MISSED = 5
#: Milliseconds that a page may take before it counts as one that never comes.
PATIENCE = 180_000
#: Openings of each page; the median counts.
OPENINGS = 11

#: When the first rows were painted, on the page's own clock, which begins as the page is asked for.
PAINTED = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
    done(performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? performance.now()))))"""
PRESSED = """() => new Promise((done) => {
    document.querySelector(".row .open").focus();
    const began = performance.now();
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true, cancelable: true }));
    requestAnimationFrame(() => { const seen = new MessageChannel();
        seen.port1.onmessage = () => done(performance.now() - began); seen.port2.postMessage(0); });
})"""
#: Three seconds of scrolling, a screen every four frames or so; in per cent, the frames that did not come.
SCROLLED = """() => new Promise((done) => {
    const frames = [];
    let [last, began] = [performance.now(), performance.now()];
    requestAnimationFrame(function step(now) {
        frames.push(now - last);
        last = now;
        scrollBy(0, 200);
        if (now - began < 3000) return requestAnimationFrame(step);
        const missed = frames.slice(2).reduce((sum, one) => sum + Math.max(0, Math.round(one * 60 / 1000) - 1), 0);
        done(100 * missed / (missed + frames.length - 2));
    });
})"""
SEEN = """() => { window.seen = {}; new MutationObserver((all) => { for (const one of all) for (const row of one.addedNodes)
    if (row.dataset?.id) requestAnimationFrame(() => { window.seen[row.querySelector(".name").textContent] ??= Date.now(); }); })
    .observe(document.getElementById("rows"), { childList: true }); }"""


def measure(bench: Bench) -> list[Table]:
    table = Table("P14 (browser)", "A folder in Chromium, milliseconds")
    bothy = bench.bothy
    if missing := chromium.missing(bothy):
        table.rows.append(Row(bothy.name, {}, missing))
        return [table]
    with bench.room("browser") as room, chromium.launched() as browser:
        bothy.start(room)
        page = chromium.signed_in(browser, bothy.url)
        there = 0
        for count, goal in PAINT.items():
            bothy.stop()
            fill(room / "data", there, count // bench.shrink)
            there = count // bench.shrink
            bothy.serve()
            row = _folder(page, bothy.url)
            floor = _floor(browser, page, room / "static")
            agent = _agent(browser, bothy.device(room / f"device-{there}"))
            peer, missing = _copyparty(browser, room / f"copyparty-{there}", there)
            table.rows.append(Row(f"bothy, {there:,} files", row))
            table.rows.append(Row(f"bothy agent, {there:,} files", agent))
            table.rows.append(Row("the same page as plain files", floor))
            table.rows.append(Row(f"copyparty, {there:,} files", peer, missing))
            table.verdicts.append(verdict("first paint", row["first paint"], goal))
            table.verdicts.append(
                f"first paint: {row['first paint'] / floor['first paint']:.2f} times that of the same page as plain files"
                + (f", {row['first paint'] / peer['first paint']:.2f} times copyparty's" if peer else ""))
            table.verdicts.append(verdict("key", row["key"], KEY))
            table.verdicts.append(verdict("change, p99", row["change p99"], CHANGE))
            table.verdicts.append(verdict("frames missed while scrolling, %", row["missed frames, %"], MISSED))
            table.verdicts.append(verdict("first paint from an agent that was just started", agent["cold"], goal))
            table.verdicts.append(verdict("first paint from an agent", agent["first paint"], goal))
            table.verdicts.append(verdict("change, p99, on an agent's page", agent["change p99"], CHANGE))
        table.verdicts.append(verdict("the page, KiB", _weight(page), WEIGHT))
        bothy.stop()
    return [table]


def _folder(page, url: str) -> dict:
    paints, keys = [], []
    for _ in range(OPENINGS):
        page.goto("/")
        page.locator(".row").first.wait_for()
        paints.append(page.evaluate(PAINTED))
        keys.append(page.evaluate(PRESSED))
    missed = page.evaluate(SCROLLED)
    page.goto("/")
    page.locator(".row").first.wait_for()
    page.evaluate(SEEN)
    changes = _changes(page, url)
    # The first of them has a server that was just started.
    return {"first paint": _median(paints), "cold": round(paints[0]), "key": _median(keys),
            "change p50": changes[len(changes) // 2], "change p99": changes[-1], "missed frames, %": round(missed, 1)}


def _agent(browser, device) -> dict:
    """The same folder from a device that knows it, in a browser that came in before its agent was started once more."""
    device.client("ls", "/")
    page, address = chromium.at_agent(browser, device)
    page.goto("about:blank")
    device.wait_until_known()
    device.client("agent", "--stop")
    device.client("agent", "--background")
    wait_for_port(urlsplit(address).port)
    try:
        return _folder(page, device.url)
    finally:
        page.close()
        device.client("agent", "--stop")


def _median(figures: list[float]) -> int:
    return round(sorted(figures)[len(figures) // 2])


def _floor(browser, page, folder) -> dict:
    """The page as it was just shown, with all that it asks for, as files that a plain web server sends."""
    folder.mkdir(exist_ok=True)
    static = StaticPage()
    static.keep(folder / "files", {"/": page.request.get("/").body()} | parts(page))
    with served(static, folder):
        return {"first paint": _paint(browser, static.url, ".row")}


def parts(page) -> dict[str, bytes]:
    """What a page asks for besides itself, by its paths."""
    return {path: page.request.get(path).body() for path in page.evaluate(
        """() => [...new Set([...document.querySelectorAll("link[href], script[src], use[href^='/']")]
            .map((one) => (one.getAttribute("href") ?? one.getAttribute("src")).split("#")[0]))]""")}


def _copyparty(browser, folder, count: int) -> tuple[dict, str]:
    peer = Copyparty()
    if missing := peer.missing():
        return {}, missing
    folder.mkdir()
    with served(peer, folder):
        for index in range(count):
            (folder / "files" / f"file {index:07}.txt").touch()
        return {"first paint": _paint(browser, peer.url, "#files tbody tr")}, ""


@contextmanager
def served(peer, folder):
    peer.start(folder)
    try:
        yield
    finally:
        peer.stop()


def _paint(browser, url: str, row: str) -> int:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    paints = []
    for _ in range(OPENINGS):
        # Not until all is loaded: a font that nobody waits for may never be.
        page.goto(url, wait_until="commit", timeout=PATIENCE)
        page.locator(row).first.wait_for(timeout=PATIENCE)
        paints.append(page.evaluate(PAINTED))
    page.close()
    return _median(paints)


def _changes(page, url: str) -> list[int]:
    """Files that another device makes at the head of the list: milliseconds until each is seen."""
    token = _call(url, "POST", "/v1/auth/login", {
        "email": EMAIL, "password": PASSWORD, "device": {"name": "other", "platform": "test"}})["accessToken"]
    made = {}
    for index in range(100):
        began = time.time()
        name = f"a {(1 << 63) - time.time_ns()}"  # above those of before
        made[name] = began
        _call(url, "POST", "/v1/files", {
            "requestId": f"{time.time_ns()}", "name": name, "parentId": "root", "mimeType": "text/plain"}, token)
        page.wait_for_function("name => window.seen[name]", arg=name)
    seen = page.evaluate("window.seen")
    return sorted(round(seen[name] - 1000 * began) for name, began in made.items())


def _weight(page) -> int:
    """KiB of the page and all that it asks for, as they are sent."""
    page.goto("/")
    page.wait_for_timeout(1000)
    return round(page.evaluate(
        """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
            .reduce((sum, one) => sum + one.encodedBodySize, 0)""") / 1024)


def _call(url: str, method: str, path: str, body: dict, token: str | None = None) -> dict:
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    request = urllib.request.Request(url + path, json.dumps(body).encode(), headers, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)
