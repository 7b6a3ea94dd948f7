"""P14, scrolling while the same page uploads: what that takes from the frames, beside the same scroll with nothing else to do."""

from figures import Bench, MiB, Row, Table, chromium, random_file, verdict
from figures.start import fill

#: Files in the folder that is scrolled.
FOLDERS = (1_000, 100_000)
SIZE = 256 * MiB
#: Uploads, and scrolls without one: their frames count together.
ROUNDS = 3
#: Milliseconds of a scroll; an upload that is over before ends it.
SCROLL = 4_000
#: Milliseconds above which a frame was late, at sixty a second; frames in a hundred that may be.
LATE, GOAL = 20, 5

SENT = "() => bothyUploads.all.length > 0 && bothyUploads.all.every(({ state }) => state === 'done')"
#: Up and down, a screen every four frames or so: the milliseconds of each frame, for as long as is asked, or from the beginning of the
#: next upload to its end.
SCROLLING = """([most, isUploading]) => { globalThis.scrolled = new Promise((done) => {
    const [frames, before] = [[], bothyUploads.all.length];
    let [last, by, sum] = [null, 200, 0];
    requestAnimationFrame(function step(now) {
        const own = bothyUploads.all.slice(before);
        if (last !== null && (!isUploading || own.some(({ state }) => state === "sending"))) {
            frames.push(now - last);
            sum += now - last;
        }
        last = now;
        const place = scrollY;
        scrollBy(0, by);
        if (scrollY === place) by = -by;
        const isSent = isUploading && own.length > 0 && own.every(({ state }) => state === "done");
        isSent || sum > most ? done(frames) : requestAnimationFrame(step);
    });
}); }"""
SCROLLED = "() => globalThis.scrolled"


def measure(bench: Bench) -> list[Table]:
    table = Table("P14 (scrolling)", f"A folder scrolled while {SIZE // bench.shrink // MiB} MiB go up from its page")
    bothy = bench.bothy
    if missing := chromium.missing(bothy):
        table.rows.append(Row(bothy.name, {}, missing))
        return [table]
    with bench.room("scrolling") as room, chromium.launched() as browser:
        bothy.start(room)
        page, there = chromium.signed_in(browser, bothy.url), 0
        for count in FOLDERS:
            bothy.stop()
            fill(room / "data", there, count // bench.shrink)
            there = count // bench.shrink
            bothy.serve()
            _add(table, f"bothy, {there:,} files", *_folder(page, room, bench.shrink))
            device = bothy.device(room / f"device-{there}")
            device.client("ls", "/")
            own, _ = chromium.at_agent(browser, device)
            try:
                _add(table, f"bothy agent, {there:,} files", *_folder(own, room, bench.shrink))
            finally:
                own.close()
                device.client("agent", "--stop")
        bothy.stop()
    return [table]


def _folder(page, room, shrink: int) -> tuple[list[float], list[float]]:
    """Milliseconds of each frame: with nothing else to do, and while a file goes up."""
    page.goto("/?layout=list")
    page.locator(".row").first.wait_for()
    idle, busy = [], []
    for _ in range(ROUNDS):
        page.evaluate(SCROLLING, [SCROLL // shrink, False])
        idle += page.evaluate(SCROLLED)
    for _ in range(ROUNDS):
        # Another content each time, under another name.
        number = len(list(room.glob("film-*")))
        film = random_file(room / f"film-{number}", SIZE // shrink, seed=number)
        page.evaluate(SCROLLING, [SCROLL, True])
        page.locator("#pickers [data-pick=files]").set_input_files(film)
        busy += page.evaluate(SCROLLED)
        page.wait_for_function(SENT)
        film.write_bytes(b"")
    return idle, busy


def _add(table: Table, whose: str, idle: list[float], busy: list[float]) -> None:
    late, rate = {}, {}
    for what, frames in (("idle", idle), ("uploading", busy)):
        late[what] = 100 * sum(frame > LATE for frame in frames) / len(frames)
        rate[what] = 1000 * len(frames) / sum(frames)
        table.rows.append(Row(f"{whose}, {what}", {
            "frames/s": round(rate[what], 1), f"frames over {LATE} ms, %": round(late[what], 1), "longest, ms": round(max(frames)),
            "seconds": round(sum(frames) / 1000, 1)}))
    table.verdicts.append(verdict(f"{whose}, uploading: frames over {LATE} ms, %", round(late["uploading"], 1), GOAL))
    table.verdicts.append(f"{whose}: {rate['uploading'] / rate['idle']:.2f} of the frames a second without an upload")
