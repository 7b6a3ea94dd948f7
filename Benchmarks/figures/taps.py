"""P14, a person's hand: from the moment a finger or a button lets go, or a key goes down, to the frame that shows what came of it.

The input is Chromium's own (its protocol sends it where the mouse and the screen would), and so is the moment that each event
carries. What is waited for is the effect itself: the row that is chosen, the star that the server took, the folder's first paint."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from figures import Bench, Row, Table, chromium, percentile, verdict
from figures.browser import PAINT, PAINTED
from figures.start import fill
from processes import wait_for_port

#: Milliseconds until a tap is seen.
GOAL = 50
#: Files in each folder, and what the one is called that is opened.
FILES, OPENED = 1_000, "a folder"
#: How often a row is chosen, or let go of; starred, or not any more; and a folder opened: each by each way.
CHOICES, STARS, OPENINGS = 100, 60, 20
#: What ends a tap: its own time stamp is where the clock begins.
BEGINNINGS = {"mouse": "pointerup", "finger": "pointerup", "key": "keydown"}
#: From the event to the end of the frames that draw its effects; the page may have to be told of them first.
ARMED = """([event, effects]) => {
    let began = null;
    addEventListener(event, ({ timeStamp }) => { began = timeStamp; }, { capture: true, once: true });
    globalThis.shown = Promise.all(effects.map((effect) => new Promise((done) => {
        const watcher = new MutationObserver(() => {
            if (began === null || !document.querySelector(effect)) return;
            watcher.disconnect();
            requestAnimationFrame(() => { const seen = new MessageChannel();
                seen.port1.onmessage = () => done(performance.now() - began); seen.port2.postMessage(0); });
        });
        watcher.observe(document, { subtree: true, childList: true, attributes: true });
    })));
}"""
SHOWN = "() => globalThis.shown"
#: Carried over to the page that comes, on the clock that both share.
LEFT = """(event) => addEventListener(event, ({ timeStamp }) => sessionStorage.setItem("left", performance.timeOrigin + timeStamp),
    { capture: true, once: true })"""
CAME = "(painted) => performance.timeOrigin + painted - sessionStorage.getItem('left')"
#: Chromium's own account of the same events: until the next frame was on the screen, in steps of eight milliseconds from sixteen on.
ACCOUNT = """() => { globalThis.account = {}; new PerformanceObserver((list) => { for (const { startTime, duration } of list.getEntries())
    account[startTime] = Math.max(account[startTime] ?? 0, duration); }).observe({ type: "event", durationThreshold: 16 }); }"""


@dataclass
class Hand:
    """How somebody taps."""

    way: str
    page: object

    def tap(self, target: str, key: str) -> None:
        """On what can be seen; by the key, on what has the focus."""
        if self.way == "key":
            return self.page.keyboard.press(key)
        box = self.page.locator(target).first.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.click(x, y) if self.way == "mouse" else self.page.touchscreen.tap(x, y)

    def timed(self, target: str, key: str, *effects: str) -> list[float]:
        """Milliseconds until each of the effects, which are things that can be found by then, was drawn."""
        self.page.evaluate(ARMED, [BEGINNINGS[self.way], effects])
        self.tap(target, key)
        return self.page.evaluate(SHOWN)


def measure(bench: Bench) -> list[Table]:
    table = Table("P14 (taps)", "From a tap to its effect on the screen, milliseconds")
    bothy = bench.bothy
    if missing := chromium.missing(bothy):
        table.rows.append(Row(bothy.name, {}, missing))
        return [table]
    with bench.room("taps") as room, chromium.launched() as browser:
        bothy.start(room)
        folder = bothy.request("POST", "/v1/files", {
            "requestId": "folder", "name": OPENED, "parentId": "root", "mimeType": "application/vnd.bothy.folder"}, bothy.token())["id"]
        bothy.stop()
        fill(room / "data", 0, FILES)
        fill(room / "data", FILES, 2 * FILES, folder)
        bothy.serve()
        page = chromium.signed_in(browser, bothy.url)
        _hands(table, "bothy", page, bothy.url, browser, bench)
        device = bothy.device(room / "device")
        device.client("ls", "/")
        device.client("ls", f"/{OPENED}")
        page, address = chromium.at_agent(browser, device)
        wait_for_port(urlsplit(address).port)
        try:
            _hands(table, "bothy agent", page, address, browser, bench)
        finally:
            device.client("agent", "--stop")
            bothy.stop()
    return [table]


def _hands(table: Table, whose: str, page, address: str, browser, bench: Bench) -> None:
    phone = chromium.on_a_phone(browser, page, address)
    openings = []
    for hand in (Hand("mouse", page), Hand("finger", phone), Hand("key", page)):
        chosen, account = _accounted(hand, lambda: _choosing(hand, CHOICES // bench.shrink))
        first, star = zip(*_starring(hand, STARS // bench.shrink))
        openings += _opening(hand, OPENINGS // bench.shrink)
        add(table, f"{whose}: choosing a row, {hand.way}", chosen, GOAL, f"by Chromium's own account {account:.0f} for 99 of 100")
        add(table, f"{whose}: a star's first sign, {hand.way}", first, GOAL, "the row steps back until the answer is there")
        add(table, f"{whose}: a star, {hand.way}", star, GOAL, "what was stored, shown")
    add(table, f"{whose}: a folder's first paint", openings, PAINT[FILES], f"{FILES:,} files; by mouse, finger and key")
    phone.context.close()


def add(table: Table, what: str, times, goal: float, note: str) -> None:
    p50, p99 = (round(percentile(times, part)) for part in (50, 99))
    table.rows.append(Row(what, {"taps": len(times), "p50": p50, "p99": p99, "worst": round(max(times))}, note))
    table.verdicts.append(verdict(f"{what}, p99", p99, goal))


def _shown(page) -> None:
    page.goto("/?layout=list")
    page.locator(".row").nth(1).wait_for()


def _choosing(hand: Hand, taps: int) -> list[float]:
    """One row, chosen and let go of by turns: the second, a file."""
    page = hand.page
    row = f".row[data-id='{page.locator('.row').nth(1).get_attribute('data-id')}']"
    times = []
    for turn in range(taps):
        if hand.way == "key":
            page.locator(f"{row} .open").focus()
        times += hand.timed(f"{row} .pick", "Space", f"{row}:not(.picked)" if turn % 2 else f"{row}.picked")
    return times


def _accounted(hand: Hand, act) -> tuple[list[float], float]:
    """What an act's taps took, and the 99th of a hundred in Chromium's own account of them."""
    _shown(hand.page)
    hand.page.evaluate(ACCOUNT)
    times = act()
    told = hand.page.evaluate("() => new Promise((done) => setTimeout(() => done(Object.values(account)), 200))")
    # What took less than sixteen is not told.
    return times, percentile(told + [16] * max(0, len(times) - len(told)), 99)


def _starring(hand: Hand, taps: int) -> list[list[float]]:
    """Each with its first sign before it."""
    page = hand.page
    _shown(page)
    row = f".row[data-id='{page.locator('.row').nth(1).get_attribute('data-id')}']"
    page.locator(f"{row} .pick").set_checked(True, force=True)
    times = []
    for turn in range(taps):
        act, effect = ("unstar", f"{row}:not(:has(.star))") if turn % 2 else ("star", f"{row}:has(.star)")
        button = f"#acts [value={act}]"
        page.locator(f"{button}:not([hidden])").wait_for()
        page.locator(f"{row}:not(.busy)").wait_for()
        if hand.way == "key":
            page.locator(button).focus()
        times.append(hand.timed(button, "Enter", f"{row}.busy", effect))
    return times


def _opening(hand: Hand, openings: int) -> list[float]:
    page = hand.page
    times = []
    for _ in range(openings):
        _shown(page)
        place = page.url
        page.evaluate(LEFT, BEGINNINGS[hand.way])
        if hand.way == "key":
            page.locator(".row .open").first.focus()
        hand.tap(".row .open", "Enter")
        page.wait_for_url(lambda url: url != place, wait_until="commit")
        page.locator(".row").first.wait_for()
        times.append(page.evaluate(CAME, page.evaluate(PAINTED)))
    return times
