"""The frames of a page that is scrolled."""

#: Milliseconds above which a frame was late, at sixty a second; frames in a hundred that may be.
LATE, GOAL = 20, 5
#: A scroll, and what its frames count together with.
SCROLL, ROUNDS = 4_000, 3

#: Up and down, a screen every four frames or so: the milliseconds of each frame, for as long as is asked, or from the beginning of the
#: next upload to its end.
SCROLLING = """([most, isUploading]) => { globalThis.scrolled = new Promise((done) => {
    const uploads = () => globalThis.bothyUploads?.all ?? [];
    const [frames, before] = [[], uploads().length];
    let [last, by, sum] = [null, 200, 0];
    requestAnimationFrame(function step(now) {
        const own = uploads().slice(before);
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


def scrolled(page, milliseconds: float) -> list[float]:
    """Milliseconds of each frame while the page is scrolled from where it is, and nothing else is asked of it."""
    frames = []
    for _ in range(ROUNDS):
        page.evaluate(SCROLLING, [milliseconds, False])
        frames += page.evaluate(SCROLLED)
    return frames


def late(frames: list[float]) -> float:
    """Frames in a hundred that were late."""
    return 100 * sum(frame > LATE for frame in frames) / len(frames)


def rate(frames: list[float]) -> float:
    """Frames a second."""
    return 1000 * len(frames) / sum(frames)


def told(frames: list[float]) -> dict:
    """The columns of a table."""
    return {"frames/s": round(rate(frames), 1), f"frames over {LATE} ms, %": round(late(frames), 1), "longest, ms": round(max(frames)),
            "seconds": round(sum(frames) / 1000, 1)}
