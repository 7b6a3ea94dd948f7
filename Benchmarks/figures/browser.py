"""P14, the web app in a browser: from opening a folder to seeing it, from a key to its effect, from a change elsewhere to its row."""

import json
import shutil
import time
import urllib.request

from figures import Bench, Row, Table
from figures.start import _fill
from peers.bothy import PASSWORD

EMAIL = "bench@example.org"
#: Milliseconds from asking for a folder to its first rows being painted, by how many lie in it.
PAINT = {1_000: 100, 100_000: 150}
#: Milliseconds from a key to its effect.
KEY = 50
#: Milliseconds from a change of another device to its row; the 99th of a hundred.
CHANGE = 300
#: KiB of a page with everything that it needs, as it is sent.
WEIGHT = 60

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
SEEN = """() => { window.seen = {}; new MutationObserver((all) => { for (const one of all) for (const row of one.addedNodes)
    if (row.dataset?.id) requestAnimationFrame(() => { window.seen[row.dataset.id] = Date.now(); }); })
    .observe(document.getElementById("rows"), { childList: true }); }"""


def measure(bench: Bench) -> list[Table]:
    table = Table("P14 (browser)", "A folder in Chromium, milliseconds")
    bothy, chromium = bench.bothy, shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sync_playwright = None
    if missing := bothy.missing() or (None if chromium and sync_playwright else "no Chromium, or no playwright"):
        table.rows.append(Row(bothy.name, {}, missing))
        return [table]
    with bench.room("browser") as room, sync_playwright() as playwright:
        bothy.start(room)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = _signed_in(browser, bothy.url)
        there = 0
        for count, goal in PAINT.items():
            bothy.stop()
            _fill(room / "data", there, count // bench.shrink)
            there = count // bench.shrink
            bothy.serve()
            row = _folder(page, bothy.url)
            table.rows.append(Row(f"bothy, {there:,} files", row))
            table.verdicts.append(_verdict("first paint", row["first paint"], goal))
            table.verdicts.append(_verdict("key", row["key"], KEY))
            table.verdicts.append(_verdict("change, p99", row["change p99"], CHANGE))
        table.verdicts.append(_verdict("the page, KiB", _weight(page), WEIGHT))
        browser.close()
        bothy.stop()
    return [table]


def _verdict(what: str, value: float, goal: float) -> str:
    return f"{what}: {value} against {goal} — {'holds' if value <= goal else 'missed'}"


def _signed_in(browser, url: str):
    page = browser.new_page(base_url=url, viewport={"width": 1280, "height": 800})
    page.goto("/sign-in")
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(url + "/")
    return page


def _folder(page, url: str) -> dict:
    paints, keys = [], []
    for _ in range(11):
        page.goto("/")
        page.locator(".row").first.wait_for()
        paints.append(page.evaluate(PAINTED))
        keys.append(page.evaluate(PRESSED))
    page.evaluate(SEEN)
    changes = _changes(page, url)
    # The first of them has a server that was just started.
    return {"first paint": round(sorted(paints)[5]), "cold": round(paints[0]), "key": round(sorted(keys)[5]),
            "change p50": changes[len(changes) // 2], "change p99": changes[-1]}


def _changes(page, url: str) -> list[int]:
    """Files that another device makes at the head of the list: milliseconds until each is seen."""
    token = _call(url, "POST", "/v1/auth/login", {
        "email": EMAIL, "password": PASSWORD, "device": {"name": "other", "platform": "test"}})["accessToken"]
    made = {}
    for index in range(100):
        began = time.time()
        file = _call(url, "POST", "/v1/files", {
            "requestId": f"{time.time_ns()}", "name": f"a {time.time_ns()}", "parentId": "root",
            "mimeType": "text/plain"}, token)
        made[file["id"]] = began
        page.wait_for_function("id => window.seen[id]", arg=file["id"])
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
