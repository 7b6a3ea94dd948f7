"""P14, scrolling while the same page uploads: what that takes from the frames, beside the same scroll with nothing else to do."""

from figures import Bench, MiB, Row, Table, chromium, random_file, verdict
from figures.frames import GOAL, LATE, ROUNDS, SCROLL, SCROLLED, SCROLLING, late, rate, scrolled, told
from figures.start import fill

#: Files in the folder that is scrolled.
FOLDERS = (1_000, 100_000)
SIZE = 256 * MiB

SENT = "() => bothyUploads.all.length > 0 && bothyUploads.all.every(({ state }) => state === 'done')"


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
    idle, busy = scrolled(page, SCROLL // shrink), []
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
    table.rows += [Row(f"{whose}, idle", told(idle)), Row(f"{whose}, uploading", told(busy))]
    table.verdicts.append(verdict(f"{whose}, uploading: frames over {LATE} ms, %", round(late(busy), 1), GOAL))
    table.verdicts.append(f"{whose}: {rate(busy) / rate(idle):.2f} of the frames a second without an upload")
