"""The stream that the pages of a browser share, in a real browser, with streams that the test holds in its hand."""

from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "Sources/BothyWeb/Assets/streams.js"
WORLD = """(source) => {
    const streams = [], timers = [];
    class Held {
        constructor(address) { Object.assign(this, { address, listeners: {} }); streams.push(this); }
        addEventListener(kind, act) { this.listeners[kind] = act; }
        close() { this.isClosed = true; }
    }
    const connect = new Function("EventSource", "setTimeout", "clearTimeout", `let onconnect; ${source}; return onconnect;`)(
        Held, (act) => timers.push(act), () => { timers.length = 0; });
    globalThis.streams = streams;
    globalThis.settle = () => timers.splice(0).forEach((act) => act());
    globalThis.page = () => {
        const port = { heard: [], postMessage: (said) => port.heard.push(said) };
        connect({ ports: [port] });
        return port;
    };
}"""


@pytest.fixture
def world(browser):
    """A page of no site, in which `page()` opens pages, `settle()` lets time pass, and `streams` are those that were opened."""
    context = browser.new_context()
    page = context.new_page()
    page.evaluate(WORLD, SCRIPT.read_text())
    yield page
    context.close()


def test_each_page_hears_what_is_told_of_it(world):
    heard = world.evaluate("""() => {
        const [one, other] = [page(), page()];
        one.onmessage({ data: { of: "/folder/root/events", mark: "1" } });
        other.onmessage({ data: { of: "/trash/events", mark: "2" } });
        settle();
        streams[0].listeners.page({ data: "1 fragment 3\\n<p>gone</p>" });
        return [one.heard, other.heard, streams.length];
    }""")
    assert heard == [[], [{"of": "/trash/events", "kind": "fragment", "mark": "3", "html": "<p>gone</p>"}], 1]


def test_what_is_told_of_the_place_before_moves_no_mark_of_the_place_after(world):
    """A folder's own row changes with what comes into it: taken for news of the folder, that would hide what came."""
    heard, address, is_closed = world.evaluate("""() => {
        const one = page();
        one.onmessage({ data: { of: "/folder/root/events", mark: "1" } });
        settle();
        one.onmessage({ data: null });
        one.onmessage({ data: { of: "/folder/docs/events", mark: "5" } });
        streams[0].listeners.page({ data: "0 piece 9\\n<li>docs</li>" });
        settle();
        return [one.heard, streams[1].address, streams[0].isClosed];
    }""")
    assert (heard, is_closed) == ([], True)
    assert address == "/events?of=%2Ffolder%2Fdocs%2Fevents%26after%3D5"
