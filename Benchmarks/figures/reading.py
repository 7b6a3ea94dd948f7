"""P9, a person who reads a feed: its first page and a like on a device that keeps ten thousand posts, with no server to ask; a like in a
browser, from the tap to the frame that shows it; and the frames of a page with as many posts, each with its picture.

Beside the scrolled page stands the same page as plain files: what this browser makes of as many posts and pictures by itself."""

import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from urllib.parse import urlsplit

from figures import Bench, Row, Table, chromium, frames, pictured_feed, taps, verdict
from figures.browser import parts, served
from peers.static_page import StaticPage
from processes import wait_for_port

POSTS = 10_000
#: How often a device reads its first page, and likes a post; 200 at least.
SAMPLES = 400
#: Milliseconds of the first page, and until the screen's state shows a like: for 99 of 100.
PAGE_GOAL, LIKE_GOAL = 5, 1
#: Likes, or what takes them back: by each way.
LIKES = 100
#: Milliseconds that a page may take to load all posts.
LOADING = 900_000

#: All pages of the list, one after the other, as if its end was scrolled to over and over; and the same once it is there.
LOAD = """(posts) => {
    const list = document.getElementById("content");
    globalThis.isLoaded = false;
    const goOn = () => {
        isLoaded = list.querySelectorAll(":scope > .post[id]").length >= posts || !list.querySelector(".next");
        if (isLoaded) watcher.disconnect();
        scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
    };
    const watcher = new MutationObserver(goOn);
    watcher.observe(list, { childList: true });
    goOn();
}"""
LOADED = "() => globalThis.isLoaded"
COUNT = "() => document.querySelectorAll('#content > .post[id]').length"
END = "() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })"
PICTURES = "() => [...document.querySelectorAll('.cell img')].filter((one) => one.complete && one.naturalWidth > 0).length"
SHOWN_PICTURES = "() => [...new Set([...document.querySelectorAll('.cell img')].slice(0, 30).map((one) => one.getAttribute('src')))]"
#: The page as it is, without what runs in it, and with other addresses for its pictures: each its own, of the files that are there.
PLAIN = """(pictures) => {
    const page = document.documentElement.cloneNode(true);
    page.querySelectorAll("script, link[rel=manifest]").forEach((one) => one.remove());
    page.querySelectorAll(".cell img").forEach((one, place) => one.setAttribute("src", `/picture-${place % pictures}.webp?${place}`));
    return "<!doctype html>" + page.outerHTML;
}"""
MIDDLE = "(one) => one.scrollIntoView({ block: 'center', behavior: 'instant' })"


def measure(bench: Bench) -> list[Table]:
    return [_device(bench), *_pages(bench)]


# What a device keeps.

def _device(bench: Bench) -> Table:
    posts = POSTS // bench.shrink
    table = Table("P9 (device)", f"A feed of {posts:,} posts that a device keeps, milliseconds, where nobody answers")
    bothy = bench.bothy
    if missing := bothy.bench_missing():
        table.rows.append(Row(bothy.name, {}, missing))
        return table
    with bench.room("reading-device") as room:
        figures = json.loads(subprocess.run(
            [str(bothy.bench), "reading", "--home", str(room / "home"), "--posts", str(posts), "--samples", str(max(200, SAMPLES // bench.shrink))],
            check=True, stdout=subprocess.PIPE).stdout)
    for what, key, goal, note in (
            ("the first page, from the database", "read", PAGE_GOAL, "what the screen is made of"),
            ("the first page, on the screen", "shown", PAGE_GOAL, "the server is asked first: nobody answers"),
            ("a like, on the screen", "like", LIKE_GOAL, "before anybody has answered")):
        times = {part: round(figures[key][part], 3) for part in ("p50", "p99", "worst")}
        table.rows.append(Row(what, {"times": figures[key]["count"], **times}, note))
        table.verdicts.append(verdict(f"{what}, p99", times["p99"], goal))
    return table


# Pages in a browser.

def _pages(bench: Bench) -> list[Table]:
    posts = POSTS // bench.shrink
    likes = Table("P9 (likes)", "From a tap on a like to the frame that shows it, milliseconds")
    scrolls = Table("P9 (scrolling)", f"A feed of {posts:,} posts with a picture each, scrolled")
    bothy = bench.bothy
    missing = chromium.missing(bothy) or (None if shutil.which("vips") else "no vips, with which the server makes small pictures")
    if missing:
        likes.rows.append(Row(bothy.name, {}, missing))
        return [likes]
    os.environ |= {"BOTHY_REGISTRATION": "open", "BOTHY_FEED_FOLLOW": "none"}
    with bench.room("reading") as room, chromium.launched() as browser:
        bothy.start(room)
        try:
            # Before the authors come: from one address only so many sign in at a time.
            page, device = chromium.signed_in(browser, bothy.url), bothy.device(room / "device")
            pictured_feed.fill(bothy, bothy.token(), posts)
            _likes(likes, "bothy", browser, page, bothy.url, bench)
            _scrolls(scrolls, "bothy", page, bench, posts)
            _plain(scrolls, browser, page, room / "static", bench)
            page.close()
            own, address = chromium.at_agent(browser, device)
            wait_for_port(urlsplit(address).port)
            try:
                _likes(likes, "bothy agent", browser, own, address, bench)
                _scrolls(scrolls, "bothy agent", own, bench, posts)
                own.close()
            finally:
                device.client("agent", "--stop")
        finally:
            bothy.stop()
    return [likes, scrolls]


def _open(page) -> None:
    page.goto("/feed")
    page.locator(".post[id]").first.wait_for()


def _likes(table: Table, whose: str, browser, page, address: str, bench: Bench) -> None:
    phone = chromium.on_a_phone(browser, page, address)
    for hand in (taps.Hand("mouse", page), taps.Hand("finger", phone), taps.Hand("key", page)):
        taps.add(table, f"{whose}: a like, {hand.way}", _liking(hand, LIKES // bench.shrink), taps.GOAL, "liked, and not any more, by turns")
    phone.context.close()


def _liking(hand: taps.Hand, count: int) -> list[float]:
    page, times = hand.page, []
    _open(page)
    like = f"#{page.locator('.post[id]').first.get_attribute('id')} .marks button:first-of-type"
    page.locator(like).evaluate(MIDDLE)
    for _ in range(count):
        effect = "false" if page.locator(like).get_attribute("aria-pressed") == "true" else "true"
        if hand.way == "key":
            page.locator(like).focus()
        # The next one waits until this one is answered: what is measured is a tap, and no queue.
        with page.expect_response(lambda answer: urlsplit(answer.url).path.endswith("/act")) as answered:
            times += hand.timed(like, "Enter", f"{like}[aria-pressed='{effect}']")
        if answered.value.status >= 400:
            raise RuntimeError(f"a like was answered with {answered.value.status}")
    return times


def _scrolls(table: Table, whose: str, page, bench: Bench, posts: int) -> None:
    _open(page)
    loading = f"{whose}: pages load as one scrolls"
    _hold(table, loading, _add(table, loading, page, bench))
    began = time.monotonic()
    page.evaluate(LOAD, posts)
    page.wait_for_function(LOADED, timeout=LOADING)
    whole, seconds = f"{whose}: {page.evaluate(COUNT):,} posts on the page", time.monotonic() - began
    _hold(table, whole, _add(table, whole, page, bench, f"{seconds:.0f} s until all of them were there"))


def _plain(table: Table, browser, page, folder: Path, bench: Bench) -> None:
    """The page as it is now, from a plain web server."""
    pictures = page.evaluate(SHOWN_PICTURES)
    html = page.evaluate(PLAIN, len(pictures))
    folder.mkdir()
    static = StaticPage()
    static.keep(folder / "files", {"/": html.encode()} | parts(page) | {
        f"/picture-{place}.webp": page.request.get(address).body() for place, address in enumerate(pictures)})
    with served(static, folder):
        plain = browser.new_page(**chromium.DESK)
        plain.goto(static.url, timeout=LOADING)
        plain.evaluate(END)
        _add(table, f"the same page as plain files: {plain.evaluate(COUNT):,} posts", plain, bench)
        plain.close()


def _add(table: Table, what: str, page, bench: Bench, note: str = "") -> list[float]:
    """Milliseconds of each frame."""
    before = page.evaluate(PICTURES)
    drawn = frames.scrolled(page, max(1_000, frames.SCROLL // bench.shrink))
    table.rows.append(Row(what, frames.told(drawn) | {"pictures that came": page.evaluate(PICTURES) - before}, note))
    return drawn


def _hold(table: Table, what: str, drawn: list[float]) -> None:
    table.verdicts.append(verdict(f"{what}: frames over {frames.LATE} ms, %", round(frames.late(drawn), 1), frames.GOAL))
