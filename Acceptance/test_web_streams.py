"""The stream that the pages of a browser share, in a real browser, with streams that the test holds in its hand."""

from pathlib import Path

import pytest

import fault_proxy
from test_web_browse import put, shows
from waiting import wait_until

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


SILENT = """(source) => {
    const streams = [], timers = new Map();
    let [now, next] = [0, 1];
    class Held {
        constructor(address) { Object.assign(this, { address, listeners: {} }); streams.push(this); }
        addEventListener(kind, act) { this.listeners[kind] = act; }
        close() { this.isClosed = true; }
    }
    const again = [];
    const names = ["EventSource", "setTimeout", "clearTimeout", "setInterval", "performance"];
    const connect = new Function(...names, `let onconnect; ${source}; return onconnect;`)(
        Held, (act, wait) => { timers.set(next, [now + wait, act]); return next++; }, (timer) => timers.delete(timer),
        (act, wait) => again.push(act), { now: () => now });
    globalThis.streams = streams;
    globalThis.pass = (seconds) => {
        now += seconds * 1000;
        for (const [timer, [at, act]] of [...timers]) if (at <= now && timers.delete(timer)) act();
        again.forEach((act) => act());
    };
    globalThis.page = () => {
        const port = { heard: [], postMessage: (said) => port.heard.push(said.kind) };
        connect({ ports: [port] });
        return port;
    };
}"""


def test_a_stream_that_stalls_without_a_word_is_opened_anew(browser):
    """A link that was cut without a word was taken for one on which nothing happens, for ever."""
    page = browser.new_context().new_page()
    page.evaluate(SILENT, SCRIPT.read_text())
    opened, heard, closed = page.evaluate("""() => {
        const one = page(), opened = [];
        const count = () => opened.push(streams.length);
        one.onmessage({ data: { of: "/folder/root/events", mark: "1" } });
        pass(1);
        streams[0].onopen();
        for (let beats = 0; beats < 4; beats += 1) { streams[0].listeners.beat({ data: "15000" }); pass(14); }
        count();
        streams[0].listeners.beat({ data: "15000" });
        pass(29);
        count();
        pass(2);
        count();
        // One that is never answered is no better.
        pass(31);
        count();
        streams[2].listeners.beat({ data: "60000" });
        pass(100);
        count();
        return [opened, one.heard, streams.map((stream) => !!stream.isClosed)];
    }""")
    assert opened == [1, 1, 2, 3, 3]
    assert heard == ["open", "lost", "lost"] and closed == [True, True, False]
    page.context.close()


def test_a_page_whose_link_stalls_hears_again_by_itself(account, person, way):
    """Nothing comes through, and nobody says so: the page was waiting for ever."""

    def events(request):
        return request.path.endswith("/events")

    person.page.add_init_script("delete globalThis.SharedWorker")
    person.page.clock.install()
    way.add(fault_proxy.hold_download(1, matches=events))
    person.page.reload()
    wait_until(lambda: way.seen(events) and way.seen(events)[-1].sent_down, what="the stream has begun")
    put(account, "a.txt")
    person.page.clock.fast_forward(40_000)
    shows(person, "a.txt")


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
