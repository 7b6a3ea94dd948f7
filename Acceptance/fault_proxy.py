"""A proxy between a client and the server that fails the way networks and middle boxes fail.

It speaks HTTP/1.1, so that a test can name the request to spoil and how. Each `Fault` is used up after `times`
requests that match it; what no fault matches passes through untouched. All counting is done here, at the wire.
"""

import asyncio
import json
import socket
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Callable, Optional
from urllib.parse import urlsplit

PIECE = 256 << 10


class Cut(Exception):
    """This connection ends here, without a word."""


@dataclass
class Head:
    start: str
    headers: list

    def get(self, name):
        for key, value in self.headers:
            if key.lower() == name.lower():
                return value
        return None

    def set(self, name, value):
        self.headers = [(k, v) for k, v in self.headers if k.lower() != name.lower()]
        if value is not None:
            self.headers.append((name, value))

    def encode(self):
        lines = [self.start] + [f"{key}: {value}" for key, value in self.headers]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


@dataclass
class Request(Head):
    @property
    def method(self):
        return self.start.split(" ")[0]

    @property
    def target(self):
        return self.start.split(" ")[1]

    @property
    def path(self):
        return urlsplit(self.target).path

    @property
    def is_chunk(self):
        return self.method == "PUT" and "/v1/upload/" in self.path

    @property
    def is_content(self):
        return self.method == "GET" and "/v1/content/" in self.path


@dataclass
class Response(Head):
    @property
    def status(self):
        return int(self.start.split(" ")[1])


@dataclass
class Exchange:
    """What the proxy saw of one request."""

    method: str
    path: str
    headers: dict
    begun: float = field(default_factory=time.monotonic)
    answered: Optional[float] = None  # when its answer began
    status: Optional[int] = None
    sent_up: int = 0
    sent_down: int = 0
    heads: int = 0  # bytes of its head and its answer's
    ended: bool = False
    client: Optional[asyncio.StreamReader] = None

    @property
    def is_open(self):
        """Whoever asked is still there, and waits for more."""
        return not (self.ended or self.client.at_eof() or self.client.exception())


@dataclass(eq=False)
class Fault:
    matches: Callable[[Request], bool]
    times: int = 1
    wait_seconds: float = 0.0
    holds: bool = False  # the request, until the faults are cleared
    arrives_late: bool = False  # when the faults are cleared, whoever sent it
    is_on_its_way: bool = False
    has_arrived: bool = False
    holds_answer_after: Optional[int] = None  # bytes of its body
    answer: Optional[tuple] = None  # (status, headers, body), the server never hears of the request
    edit_request: Optional[Callable[[Request], None]] = None
    edit_response: Optional[Callable[[Response], None]] = None
    edit_body: Optional[Callable[[bytes], bytes]] = None  # of the answer
    cut_request_after: Optional[int] = None  # bytes of the body that still arrive; below 0: all but so many
    cut_response_after: Optional[int] = None
    flip_request_at: Optional[int] = None  # the offset in the body whose lowest bit turns over
    flip_response_at: Optional[int] = None
    drop_answer: bool = False
    repeat: bool = False
    bytes_per_second: Optional[float] = None
    holds_back: bool = False
    used: int = 0


def any_request(_):
    return True


def a_chunk(request):
    return request.is_chunk


def a_download(request):
    return request.is_content


def a_range(request):
    return request.is_content and request.get("range") is not None


def a_finalize(request):
    return request.method == "POST" and request.path.endswith("/finalize")


def a_batch(request):
    return request.method == "POST" and request.path == "/v1/upload/batch"


def a_batch_down(request):
    return request.method == "POST" and request.path == "/v1/content/batch"


def an_upload_start(request):
    return request.method == "POST" and request.path == "/v1/upload"


# The faults, by what a person would call them.


def delay(seconds, matches=any_request, times=1):
    return Fault(matches, times, wait_seconds=seconds)


def cut_upload(after, matches=a_chunk, times=1):
    return Fault(matches, times, cut_request_after=after)


def cut_download(after, matches=a_download, times=1):
    return Fault(matches, times, cut_response_after=after)


def cut_before(matches=any_request, times=1):
    return Fault(matches, times, cut_request_after=0)


def flip_upload_bit(at, matches=a_chunk, times=1):
    return Fault(matches, times, flip_request_at=at)


def flip_download_bit(at, matches=a_download, times=1):
    return Fault(matches, times, flip_response_at=at)


def drop_answer(matches=any_request, times=1):
    return Fault(matches, times, drop_answer=True)


def repeat(matches=any_request, times=1):
    return Fault(matches, times, repeat=True)


def leave_alone(matches=any_request, times=1):
    """Nothing happens to these; the faults that are added afterwards meet the ones after them."""
    return Fault(matches, times)


def hold(matches=any_request, times=1):
    """Goes no further until the faults are cleared, so that a test has all the time it needs, however slow the machine."""
    return Fault(matches, times, holds=True)


def arrive_late(matches=any_request, times=1):
    """Reaches the server when the faults are cleared, though its sender has died meanwhile; nobody gets the answer."""
    return Fault(matches, times, arrives_late=True)


def hold_download(after, matches=a_download, times=1, bytes_per_second=None):
    return Fault(matches, times, holds_answer_after=after, bytes_per_second=bytes_per_second)


def trickle(bytes_per_second, matches=any_request, times=1):
    return Fault(matches, times, bytes_per_second=bytes_per_second)


def hold_back(matches=any_request, times=1):
    """The middle box that hands an answer on when it has all of it: an event stream never gets through."""
    return Fault(matches, times, holds_back=True)


def answer(status, matches=any_request, times=1, headers=(), body=b""):
    return Fault(matches, times, answer=(status, list(headers), body))


def rewrite(edit, matches=any_request, times=1):
    """The server that says something else: `edit` gets the JSON of an answer, and changes it in place."""

    def edit_body(body):
        if not body:
            return body
        document = json.loads(body)
        edit(document)
        return json.dumps(document).encode()

    def edit_request(request):
        request.set("Accept-Encoding", None)

    return Fault(matches, times, edit_request=edit_request, edit_body=edit_body)


def wrong_content_range(shift=1, matches=a_range, times=1):
    def edit(response):
        said = response.get("content-range")
        if said:
            span, total = said.removeprefix("bytes ").split("/")
            first, last = map(int, span.split("-"))
            response.set("Content-Range", f"bytes {first + shift}-{last + shift}/{int(total) + shift}")

    return Fault(matches, times, edit_response=edit)


def another_range(shift, matches=a_range, times=1):
    """The middle box that answers with another part than was asked for, just as long, and says so."""

    def edit(request):
        first, last = map(int, request.get("range").removeprefix("bytes=").split("-"))
        away = shift if first < shift else -shift
        request.set("Range", f"bytes={first + away}-{last + away}")

    return Fault(matches, times, edit_request=edit)


def ignore_range(matches=a_range, times=1):
    """The middle box that answers 200 with the whole file to a request for a range of it."""

    def edit(request):
        request.set("Range", None)
        request.set("If-Range", None)

    return Fault(matches, times, edit_request=edit)


class FaultProxy:
    def __init__(self, upstream, port=0):
        parts = urlsplit(upstream)
        self.upstream = (parts.hostname, parts.port)
        self.port = port
        self.exchanges: list[Exchange] = []
        self.bytes_up = 0  # bodies of requests, as handed on to the server
        self.bytes_down = 0
        self.cuts = 0
        self._faults = deque()
        self._cut_points = deque()
        self._after_cut = None
        self._down = False
        self._open = set()
        self._loop = asyncio.new_event_loop()
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self._thread.start()
        assert started.wait(60), "the proxy did not start"

    # What a test says.

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def add(self, *faults):
        self._faults.extend(faults)
        return faults[0] if len(faults) == 1 else faults

    def clear(self):
        self._faults.clear()

    def point_to(self, upstream):
        parts = urlsplit(upstream)
        self.upstream = (parts.hostname, parts.port)

    def disconnect(self):
        """Ends every open connection; new ones are taken."""
        self._call(self._abort_all)

    def go_down(self):
        """No network: everything open ends, everything new is reset."""
        self._down = True
        self._call(self._abort_all)

    def come_back(self):
        self._down = False

    def cut_at(self, points, then=None):
        """Ends every connection each time that the bytes in both directions pass one of these points."""
        self._cut_points = deque(sorted(points))
        self._after_cut = then

    @property
    def moved(self):
        return self.bytes_up + self.bytes_down

    def seen(self, matches):
        return [e for e in self.exchanges if matches(Request(f"{e.method} {e.path} HTTP/1.1", list(e.headers.items())))]

    @staticmethod
    def most_at_once(exchanges):
        """How many of these waited for an answer at the same moment, at most."""
        moments = sorted([(e.begun, 1) for e in exchanges] + [(e.answered, -1) for e in exchanges if e.answered])
        most = now = 0
        for _, change in moments:
            now += change
            most = max(most, now)
        return most

    def stop(self):
        self._call(self._abort_all)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(60)

    # How it works.

    def _call(self, function):
        done = threading.Event()
        self._loop.call_soon_threadsafe(lambda: (function(), done.set()))
        done.wait(60)

    def _run(self, started):
        asyncio.set_event_loop(self._loop)

        async def listen():
            server = await asyncio.start_server(self._serve, "127.0.0.1", self.port, limit=2 * PIECE, backlog=512)
            self.port = server.sockets[0].getsockname()[1]
            started.set()

        self._loop.run_until_complete(listen())
        self._loop.run_forever()
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        self._loop.close()

    def _abort_all(self):
        for transport in list(self._open):
            transport.abort()

    async def _serve(self, reader, writer):
        if self._down:
            writer.transport.abort()
            return
        upstream = None
        # What lies in buffers when the line is cut was counted and never arrived: keep that little.
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 128 << 10)
        self._open.add(writer.transport)
        try:
            while (request := await _read_head(reader, Request)) is not None:
                if upstream is None or upstream[1].is_closing():
                    upstream = await asyncio.open_connection(*self.upstream, limit=2 * PIECE)
                    self._open.add(upstream[1].transport)
                if not await self._exchange(request, reader, writer, *upstream):
                    break
        except (Cut, ConnectionError, asyncio.IncompleteReadError, OSError):
            writer.transport.abort()
        finally:
            for stream in (writer, upstream and upstream[1]):
                if stream is not None:
                    self._open.discard(stream.transport)
                    stream.transport.abort() if stream is not writer else stream.close()

    def _fault_for(self, request):
        for fault in tuple(self._faults):  # a test may add and clear meanwhile
            if fault.used < fault.times and fault.matches(request):
                fault.used += 1
                return fault
        return Fault(any_request)

    async def _exchange(self, request, reader, writer, up_reader, up_writer):
        fault = self._fault_for(request)
        seen = Exchange(request.method, request.target, {k.lower(): v for k, v in request.headers}, client=reader)
        self.exchanges.append(seen)
        if fault.wait_seconds:
            await asyncio.sleep(fault.wait_seconds)
        if fault.holds:
            await self._wait_for_clearing(fault, writer)
        if fault.arrives_late:
            await self._deliver_late(fault, request, reader)
            self._end(writer, up_writer)
        if fault.answer is not None:
            return await self._answer(fault.answer, seen, request, reader, writer)
        if fault.edit_request:
            fault.edit_request(request)
        if fault.repeat:
            body = b"".join([piece async for piece in _body(request, reader, has_body=_request_has_body(request))])
            await self._send_once_before(request, body)
            reader = _reader_of(body)
        if fault.cut_request_after == 0:
            self._end(writer, up_writer)

        seen.heads += len(request.encode())
        up_writer.write(request.encode())
        sending = asyncio.ensure_future(self._send_body(request, reader, up_writer, fault, seen, writer))
        answering = asyncio.ensure_future(_read_head(up_reader, Response))
        try:
            await asyncio.wait({sending, answering}, return_when=asyncio.FIRST_COMPLETED)
            if sending.done() and isinstance(sending.exception(), Cut):
                raise sending.exception()
            response = await answering
            while response is not None and response.status == 100:
                writer.write(response.encode())
                response = await _read_head(up_reader, Response)
            if response is None:
                raise Cut
            seen.heads += len(response.encode())
            seen.status, seen.answered = response.status, time.monotonic()
            if fault.drop_answer:
                async for _ in _body(response, up_reader, _response_has_body(request, response)):
                    pass
                self._end(writer, up_writer)
            await self._send_answer(request, response, up_reader, writer, up_writer, fault, seen)
            if not sending.done():
                # The server answered before the body had ended: it reads no further.
                await asyncio.wait({sending}, timeout=1)
            seen.ended = True
            closes = (response.get("connection") or "").lower() == "close" or _until_close(request, response)
            return sending.done() and sending.exception() is None and not closes
        finally:
            for task in (sending, answering):
                task.cancel()
            await asyncio.gather(sending, answering, return_exceptions=True)

    async def _wait_for_clearing(self, fault, writer):
        while fault in self._faults:
            if writer.transport.is_closing():
                raise Cut
            await asyncio.sleep(0.005)

    async def _deliver_late(self, fault, request, reader):
        body = b"".join([piece async for piece in _body(request, reader, has_body=_request_has_body(request))])
        fault.is_on_its_way = True
        while fault in self._faults:
            await asyncio.sleep(0.005)
        await self._send_once_before(request, body)
        fault.has_arrived = True

    async def _send_body(self, request, reader, up_writer, fault, seen, writer):
        cut_after = fault.cut_request_after
        if cut_after is not None and cut_after < 0:
            cut_after += int(request.get("content-length"))
        async for piece in _body(request, reader, has_body=_request_has_body(request)):
            for part in self._spoil(piece, seen.sent_up, fault.flip_request_at, cut_after):
                seen.sent_up += len(part)  # counted first: whoever has them all may look at once
                self.bytes_up += len(part)
                up_writer.write(part)
                await up_writer.drain()
                self._cut_if_due()
                await _pace(fault, len(part))
            if cut_after is not None and seen.sent_up >= cut_after:
                self._end(writer, up_writer)
        await up_writer.drain()

    async def _send_answer(self, request, response, up_reader, writer, up_writer, fault, seen):
        if fault.edit_response:
            fault.edit_response(response)
        has_body = _response_has_body(request, response)
        if fault.holds_back:
            whole = b"".join([piece async for piece in _body(response, up_reader, has_body)])
            up_reader = _reader_of(whole)
        if fault.edit_body and has_body:
            whole = b"".join([piece async for piece in _body(response, up_reader, has_body)])
            whole = fault.edit_body(_unchunked(whole) if response.get("transfer-encoding") else whole)
            response.set("Transfer-Encoding", None)
            response.set("Content-Length", str(len(whole)))
            up_reader = _reader_of(whole)
        if fault.holds_answer_after == 0:
            # An answer without a body would be whole with its head.
            await self._wait_for_clearing(fault, writer)
        writer.write(response.encode())
        async for piece in _body(response, up_reader, has_body):
            for part in self._spoil(piece, seen.sent_down, fault.flip_response_at, fault.cut_response_after):
                seen.sent_down += len(part)  # counted first: whoever has them all may look at once
                self.bytes_down += len(part)
                writer.write(part)
                await writer.drain()
                self._cut_if_due()
                await _pace(fault, len(part))
            if fault.holds_answer_after is not None and seen.sent_down >= fault.holds_answer_after:
                await self._wait_for_clearing(fault, writer)
            if fault.cut_response_after is not None and seen.sent_down >= fault.cut_response_after:
                self._end(writer, up_writer)
        await writer.drain()

    def _spoil(self, piece, offset, flip_at, cut_after):
        if flip_at is not None and offset <= flip_at < offset + len(piece):
            spoiled = bytearray(piece)
            spoiled[flip_at - offset] ^= 1
            piece = bytes(spoiled)
        if cut_after is not None:
            piece = piece[:max(0, cut_after - offset)]
        return [piece] if piece else []

    def _cut_if_due(self):
        if self._cut_points and self.moved >= self._cut_points[0]:
            while self._cut_points and self.moved >= self._cut_points[0]:
                self._cut_points.popleft()
            self.cuts += 1
            if self._after_cut:
                self._after_cut(self.cuts)
            self._abort_all()
            raise Cut

    def _end(self, *writers):
        for writer in writers:
            writer.transport.abort()
        self.cuts += 1
        raise Cut

    async def _answer(self, given, seen, request, reader, writer):
        status, headers, body = given
        async for piece in _body(request, reader, has_body=_request_has_body(request)):
            seen.sent_up += len(piece)
        seen.status, seen.answered = status, time.monotonic()
        head = Response(f"HTTP/1.1 {status} Said by the proxy", list(headers) + [("Content-Length", str(len(body)))])
        writer.write(head.encode() + body)
        await writer.drain()
        seen.ended = True
        return True

    async def _send_once_before(self, request, body):
        reader, writer = await asyncio.open_connection(*self.upstream, limit=2 * PIECE)
        try:
            writer.write(request.encode() + body)
            response = await _read_head(reader, Response)
            if response is not None:
                async for _ in _body(response, reader, _response_has_body(request, response)):
                    pass
        finally:
            writer.transport.abort()


def _reader_of(data):
    reader = asyncio.StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    return reader


def _unchunked(body):
    pieces = []
    while body:
        line, body = body.split(b"\r\n", 1)
        size = int(line.split(b";")[0], 16)
        if size == 0:
            break
        pieces.append(body[:size])
        body = body[size + 2:]
    return b"".join(pieces)


async def _pace(fault, count):
    if fault.bytes_per_second:
        await asyncio.sleep(count / fault.bytes_per_second)


async def _read_head(reader, kind):
    try:
        data = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    lines = data[:-4].decode("latin-1").split("\r\n")
    headers = [(k, v.strip()) for k, _, v in (line.partition(":") for line in lines[1:])]
    return kind(lines[0], headers)


def _request_has_body(request):
    return request.get("content-length") is not None or request.get("transfer-encoding") is not None


def _response_has_body(request, response):
    return request.method != "HEAD" and response.status not in (204, 304)


def _until_close(request, response):
    return (_response_has_body(request, response) and response.get("content-length") is None
            and response.get("transfer-encoding") is None)


async def _body(head, reader, has_body):
    """The body as it stands on the wire, in pieces: chunked framing is handed on as it is."""
    if not has_body:
        return
    length = head.get("content-length")
    if head.get("transfer-encoding"):
        while True:
            line = await reader.readuntil(b"\r\n")
            size = int(line.split(b";")[0], 16)
            if size == 0:
                while (trailer := await reader.readuntil(b"\r\n")) != b"\r\n":
                    line += trailer
                yield line + b"\r\n"
                return
            yield line + await reader.readexactly(size + 2)
    elif length is not None:
        remaining = int(length)
        while remaining:
            piece = await reader.read(min(PIECE, remaining))
            if not piece:
                raise ConnectionError("the body ended early")
            remaining -= len(piece)
            yield piece
    else:
        while piece := await reader.read(PIECE):
            yield piece


def main():
    import argparse

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("upstream")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    proxy = FaultProxy(options.upstream, options.port)
    print(proxy.url, flush=True)
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    main()
