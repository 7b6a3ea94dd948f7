"""The proxy itself does what its faults are called; else the tests behind it would prove nothing."""

import http.server
import threading

import httpx
import pytest

import fault_proxy
from content import content
from waiting import wait_until

DATA = content(1 << 20, seed="proxied")


class Echo(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    taken = None

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if len(body) < int(self.headers["content-length"]):
            self.close_connection = True
            return
        self.taken.append(body)
        self.send_response(201)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def do_GET(self):
        span = self.headers.get("range")
        first, last = map(int, span.removeprefix("bytes=").split("-")) if span else (0, len(DATA) - 1)
        body = DATA[first:last + 1]
        self.send_response(206 if span else 200)
        self.send_header("Content-Length", str(len(body)))
        if span:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(DATA)}")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def wire(proxy_to):
    handler = type("Handler", (Echo,), {"taken": []})
    upstream = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=upstream.serve_forever, args=(0.01,), daemon=True).start()
    proxy = proxy_to(f"http://127.0.0.1:{upstream.server_address[1]}")
    client = httpx.Client(base_url=proxy.url, trust_env=False, timeout=60)
    yield proxy, client, handler.taken
    client.close()
    upstream.shutdown()


def put(client, data=DATA):
    return client.put("/v1/upload/1/chunk", content=data)


def get(client, **headers):
    return client.get("/v1/content/1", headers=headers)


def test_passes_through_what_no_fault_matches(wire):
    proxy, client, taken = wire
    assert put(client).status_code == 201 and get(client).content == DATA
    assert taken == [DATA] and proxy.bytes_up == len(DATA) and proxy.bytes_down == len(DATA) + 2


def test_cuts_an_upload_in_the_middle_once(wire):
    proxy, client, taken = wire
    proxy.add(fault_proxy.cut_upload(after=100_000))
    with pytest.raises(httpx.TransportError):
        put(client)
    assert put(client).status_code == 201
    assert taken == [DATA] and len(DATA) + 90_000 < proxy.bytes_up <= len(DATA) + 100_000


def test_cuts_a_download_in_the_middle(wire):
    proxy, client, _ = wire
    proxy.add(fault_proxy.cut_download(after=100_000))
    with pytest.raises(httpx.TransportError):
        get(client)
    assert get(client).content == DATA


def test_flips_one_bit_each_way(wire):
    proxy, client, taken = wire
    proxy.add(fault_proxy.flip_upload_bit(at=70_000), fault_proxy.flip_download_bit(at=300_000))
    put(client)
    assert [i for i, (a, b) in enumerate(zip(taken[0], DATA)) if a != b] == [70_000]
    assert [i for i, (a, b) in enumerate(zip(get(client).content, DATA)) if a != b] == [300_000]


def test_shifts_a_content_range_or_a_range_and_ignores_one(wire):
    proxy, client, _ = wire
    proxy.add(fault_proxy.wrong_content_range(), fault_proxy.ignore_range())
    assert get(client, Range="bytes=10-19").headers["content-range"] == f"bytes 11-20/{len(DATA) + 1}"
    whole = get(client, Range="bytes=10-19")
    assert whole.status_code == 200 and whole.content == DATA
    proxy.add(fault_proxy.another_range(5))
    other = get(client, Range="bytes=10-19")
    assert other.content == DATA[5:15] and other.headers["content-range"] == f"bytes 5-14/{len(DATA)}"
    assert get(client, Range="bytes=10-19").content == DATA[10:20]


def test_repeats_a_request_and_drops_an_answer(wire):
    proxy, client, taken = wire
    proxy.add(fault_proxy.repeat(fault_proxy.a_chunk))
    assert put(client, b"twice").status_code == 201 and taken == [b"twice"] * 2
    proxy.add(fault_proxy.drop_answer(fault_proxy.a_chunk))
    with pytest.raises(httpx.TransportError):
        put(client, b"unheard")
    assert taken[-1] == b"unheard"


def test_answers_in_the_servers_place(wire):
    proxy, client, taken = wire
    proxy.add(fault_proxy.answer(413, fault_proxy.a_chunk, body=b"too big"))
    assert put(client).status_code == 413 and taken == []
    assert put(client).status_code == 201


def test_goes_down_and_comes_back(wire):
    proxy, client, _ = wire
    proxy.go_down()
    with pytest.raises(httpx.TransportError):
        put(client)
    proxy.come_back()
    assert put(client).status_code == 201


def test_cuts_everything_at_the_named_points(wire):
    proxy, client, _ = wire
    heard = []
    proxy.cut_at([500_000, 1_200_000], then=heard.append)
    with pytest.raises(httpx.TransportError):
        get(client)
    with pytest.raises(httpx.TransportError):
        get(client)
    assert get(client).content == DATA and heard == [1, 2]


def in_background(work):
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_holds_a_request_until_the_faults_are_cleared(wire):
    proxy, client, taken = wire
    proxy.add(fault_proxy.leave_alone(fault_proxy.a_chunk), fault_proxy.hold(fault_proxy.a_chunk))
    assert put(client, b"first").status_code == 201
    held = in_background(lambda: put(client, b"second"))
    wait_until(lambda: len(proxy.exchanges) == 2, what="the second request")
    assert taken == [b"first"] and held.is_alive()
    proxy.clear()
    held.join(60)
    assert taken == [b"first", b"second"]


def test_holds_an_answer_after_so_many_bytes(wire):
    proxy, client, _ = wire
    proxy.add(fault_proxy.hold_download(after=500_000))
    answers = []
    held = in_background(lambda: answers.append(get(client).content))
    wait_until(lambda: proxy.bytes_down >= 500_000, what="a part of the answer")
    assert proxy.bytes_down < len(DATA) and not answers
    proxy.clear()
    held.join(60)
    assert answers == [DATA]


def test_counts_how_many_wait_at_once(wire):
    proxy, client, _ = wire
    put(client), put(client)
    assert proxy.most_at_once(proxy.exchanges) == 1
    proxy.add(fault_proxy.hold(fault_proxy.a_chunk, times=3))
    held = [in_background(lambda: put(client, b"x")) for _ in range(3)]
    wait_until(lambda: len(proxy.exchanges) == 5, what="three requests at once")
    proxy.clear()
    for each in held:
        each.join(60)
    assert proxy.most_at_once(proxy.exchanges) == 3
