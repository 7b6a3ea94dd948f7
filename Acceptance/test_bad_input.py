"""Bad input, raw at the socket and politely by HTTP: a clear error, nothing half done, and the server goes on."""

import json
import socket
import threading
import time

import pytest

from api import FOLDER, MIB, Api, batch, content, new_id, problem, sha256
from documented import CODES, refused
from server import Server
from waiting import wait_until

K256 = 256 << 10


class Raw:
    """A socket that says exactly what it is told to."""

    def __init__(self, server, timeout=60):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=timeout)

    def send(self, *parts):
        for part in parts:
            self.socket.sendall(part if isinstance(part, bytes) else part.encode())
        return self

    def end(self):
        self.socket.shutdown(socket.SHUT_WR)
        return self

    def answer(self):
        """The status, or None when the connection ends without one."""
        data = b""
        try:
            while b"\r\n\r\n" not in data:
                piece = self.socket.recv(65536)
                if not piece:
                    break
                data += piece
        except (ConnectionError, socket.timeout):
            pass
        self.said = data
        return int(data.split(b" ")[1]) if data.startswith(b"HTTP/1.") else None

    def refusal(self, *statuses):
        """The answer is one of these, and says what is wrong in the shape of every other refusal."""
        status = self.answer()
        assert status in statuses, f"{status} instead of {statuses}: {self.said[:1000]}"
        head, _, body = self.said.partition(b"\r\n\r\n")
        fields = dict(line.lower().split(": ", 1) for line in head.decode("latin-1").split("\r\n")[1:])
        while len(body) < int(fields["content-length"]) and (piece := self.socket.recv(65536)):
            body += piece
        assert fields["content-type"].startswith("application/problem+json"), fields
        said = json.loads(body)
        assert said["status"] == status and said["code"] in CODES and said["detail"].strip(), said
        return said

    def close(self):
        self.socket.close()


@pytest.fixture
def raw(shared_server):
    opened = []

    def make(**options):
        opened.append(Raw(shared_server, **options))
        return opened[-1]

    yield make
    for connection in opened:
        connection.close()
    assert shared_server.running() and shared_server.answers() == 200


def head(api, method, path, **headers):
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {api.access}"]
    lines += [f"{key.replace('_', '-')}: {value}" for key, value in headers.items()]
    return "\r\n".join(lines) + "\r\n\r\n"


@pytest.mark.parametrize("body", [
    b"", b"{", b"[]", b"null", b"nonsense", b'{"name": 5}', b'{"name": "a", "parentId": []}', b"\xff\xfe{}", b'{"name":"\\ud800"}',
    b"[" * 20_000, b'{"a":' * 5_000, json.dumps({"name": "x" * 100_000}).encode()])
def test_malformed_json(untouched, body):
    response = untouched.call("POST", "/v1/files", content=body, headers={"Content-Type": "application/json"})
    refused(response, 400, 413)
    assert untouched.names() == []


def test_a_body_of_another_type(untouched):
    response = untouched.call("POST", "/v1/files", content=b"<xml/>", headers={"Content-Type": "text/xml"})
    refused(response, 400, 415)


def test_a_body_that_never_ends_is_cut(untouched):
    response = untouched.call("POST", "/v1/files", content=b" " * (20 * MIB), headers={"Content-Type": "application/json"})
    problem(response, 413, "body_too_large")


@pytest.mark.parametrize("file_id", ["nonsense", "0", "-1", "%00", "..%2f..%2fetc%2fpasswd", "a" * 3000, "💾", "' or 1=1"])
def test_unknown_ids(untouched, file_id):
    for method, path in (("GET", "/v1/files/"), ("GET", "/v1/upload/"), ("DELETE", "/v1/upload/"), ("DELETE", "/v1/files/")):
        response = untouched.call(method, path + file_id, headers={"Idempotency-Key": new_id()})
        refused(response, 400, 404)


@pytest.mark.parametrize("said", [
    "", "bytes", "bytes 0-", "bytes -5/100", "bytes 5-0/100", "bytes 0-99/50", "items 0-99/100", "bytes 0-99/",
    "bytes 0-99/-1", "bytes 0-99999999999999999999/100", "bytes 9223372036854775807-9223372036854775807/*",
    "bytes 0-99/9223372036854775808", "bytes 1-100/101", "bytes 100-199/100", "bytes 0-98/100", "bytes 0-99/101", "bytes*/100"])
def test_wrong_and_huge_content_ranges(untouched, said):
    session = untouched.start_upload("range", 100)
    data = content(100)
    response = untouched.put_range(session["uploadId"], 0, data, 100, **{"Content-Range": said})
    refused(response, 400, 416)
    if response.status_code == 416:
        assert problem(response, 416, "range_off_plan")["plan"]["size"] == 100
    assert untouched.upload(session["uploadId"])["receivedChunks"] == []
    untouched.put_range(session["uploadId"], 0, data, 100, expect=308)


@pytest.mark.parametrize("index", ["-1", "1", "999999999999", "9223372036854775808", "x", "0x0", ""])
def test_chunk_indexes_off_the_plan(untouched, index):
    session = untouched.start_upload("index", 100)
    refused(untouched.put_chunk(session["uploadId"], index, content(100)), 400, 404, 405, 416)
    assert untouched.upload(session["uploadId"])["receivedChunks"] == []


def test_a_range_that_cuts_through_a_chunk_is_off_the_plan(untouched):
    data = content(2 * K256)
    session = untouched.start_upload("middle", len(data), plan={"kind": "fixed", "chunkSize": K256})
    for first, last in ((0, K256 - 1), (1, K256 + 1), (K256, 2 * K256 - 1), (0, K256 + 1)):
        response = untouched.put_range(session["uploadId"], first, data[first:last], len(data))
        problem(response, 416, "range_off_plan")
    assert untouched.upload(session["uploadId"])["receivedChunks"] == []


def test_a_body_shorter_than_said_keeps_nothing(untouched, raw):
    session = untouched.start_upload("short", K256)
    data = content(K256)
    connection = raw().send(head(untouched, "PUT", f"/v1/upload/{session['uploadId']}/chunks/0", Content_Length=K256,
                                 X_Chunk_Hash=f"sha256={sha256(data)}"), data[:1000]).end()
    connection.refusal(400, 408)
    assert untouched.upload(session["uploadId"])["receivedChunks"] == []
    untouched.put_chunk(session["uploadId"], 0, data, expect=308)


@pytest.mark.parametrize("sent", [b"5\r\nhello\r\n", b"5\r\nhello\r\na\r\nabc"])
def test_a_body_of_unknown_length_that_is_cut_makes_no_file(untouched, raw, sent):
    connection = raw().send(head(untouched, "POST", "/v1/upload?uploadType=media&name=half", Transfer_Encoding="chunked"),
                            sent).end()
    connection.refusal(400, 408)
    assert untouched.names() == []


@pytest.mark.parametrize("length", [99, 101, 5 * MIB])
def test_a_body_whose_length_is_not_the_chunks(untouched, length):
    session = untouched.start_upload("length", 100)
    response = untouched.put_chunk(session["uploadId"], 0, content(length))
    refused(response, 400, 413, 416, 422)
    assert untouched.upload(session["uploadId"])["receivedChunks"] == []


def test_a_chunked_body_longer_than_its_range_is_cut(untouched, raw):
    session = untouched.start_upload("endless", K256)
    connection = raw().send(head(untouched, "PUT", f"/v1/upload/{session['uploadId']}/chunks/0", Transfer_Encoding="chunked",
                                 X_Chunk_Hash=f"sha256={sha256(b'')}"))
    try:
        for _ in range(200):
            connection.send(b"10000\r\n" + b"x" * 65536 + b"\r\n")
    except (ConnectionError, socket.timeout):
        pass
    connection.refusal(400, 413, 422)
    assert untouched.upload(session["uploadId"])["receivedChunks"] == []


@pytest.mark.parametrize("digest", ["", "sha256=", "md5=00", "sha256=xyz", "sha256=" + "0" * 63, "sha256=" + "g" * 64, "0" * 64])
def test_chunk_hashes_that_are_none(untouched, digest):
    session = untouched.start_upload("hash", 100)
    response = untouched.put_chunk(session["uploadId"], 0, content(100), **{"X-Chunk-Hash": digest})
    refused(response, 400, 422)
    assert untouched.upload(session["uploadId"])["receivedChunks"] == []


@pytest.mark.parametrize("change, status", [
    ({"size": -1}, (400, 422)), ({"size": (10 << 30) + 1}, (413,)), ({"size": 2**63 - 1}, (413,)), ({"size": 2**64}, (400, 413)),
    ({"size": 1.5}, (400,)), ({"size": "5"}, (400,)), ({"conflict": "maybe"}, (400,)), ({"finalize": "later"}, (400,)),
    ({"plan": {"kind": "fixed", "chunkSize": 0}}, (400, 422)), ({"plan": {"kind": "fixed", "chunkSize": -4}}, (400, 422)),
    ({"plan": {"kind": "fixed", "chunkSize": (256 << 10) - 1}}, (400, 422)),
    ({"plan": {"kind": "fixed", "chunkSize": (16 << 20) + 1}}, (400, 422)), ({"plan": {"kind": "spiral"}}, (400, 422)),
    ({"plan": {"kind": "blocks"}}, (400, 422)),
    ({"plan": {"kind": "blocks", "blocks": [{"sha256": "0" * 64, "size": 50}]}}, (400, 422)),
    ({"plan": {"kind": "blocks", "blocks": [{"sha256": "0" * 64, "size": 0}]}, "size": 0}, (400, 422)),
    ({"plan": {"kind": "blocks", "blocks": [{"sha256": "0" * 64, "size": -5}, {"sha256": "1" * 64, "size": 105}]}}, (400, 422)),
    ({"plan": {"kind": "blocks", "blocks": [{"sha256": "0" * 64, "size": (16 << 20) + 1}]}, "size": (16 << 20) + 1}, (400, 422)),
    ({"plan": {"kind": "blocks", "blocks": [{"sha256": "zz", "size": 100}]}}, (400,)),
    ({"fileHashSha256": "abc"}, (400,)),
    ({"name": "../x"}, (400,)), ({"name": ""}, (400,)), ({"parentId": "nowhere"}, (404, 409)), ({"fileId": "nowhere"}, (404,)),
    ({"modifiedAt": "yesterday"}, (400,))])
def test_upload_requests_that_cannot_be(untouched, change, status):
    body = {"requestId": new_id(), "name": "x", "size": 100, **change}
    response = untouched.call("POST", "/v1/upload", params={"uploadType": "resumable"}, json=body)
    refused(response, *status)


def test_a_plan_of_too_many_chunks(untouched):
    blocks = [{"sha256": "0" * 64, "size": 1}] * 70_000
    response = untouched.call("POST", "/v1/upload", params={"uploadType": "resumable"}, timeout=60, json={
        "requestId": new_id(), "name": "x", "size": 70_000, "plan": {"kind": "blocks", "blocks": blocks}})
    refused(response, 400, 413, 422)


def test_a_named_block_whose_size_lies(untouched):
    data = content(1000)
    plan = {"kind": "blocks", "blocks": [{"sha256": sha256(data), "size": 900}]}
    session = untouched.start_upload("liar", 900, plan=plan)
    refused(untouched.put_chunk(session["uploadId"], 0, data), 400, 413, 422)
    problem(untouched.put_chunk(session["uploadId"], 0, data[:900], digest=sha256(data)), 422, "chunk_corrupt")
    refused(untouched.put_chunk(session["uploadId"], 0, data[:900]), 409, 422)
    assert untouched.upload(session["uploadId"])["receivedChunks"] == []


def test_a_block_that_is_there_with_another_size_is_not_taken_for_it(api):
    data = content(1000, seed=new_id())
    api.put_small("there", data)
    response = api.call("POST", "/v1/upload", params={"uploadType": "resumable"}, json={
        "requestId": new_id(), "name": "x", "size": 999, "plan": {
            "kind": "blocks", "blocks": [{"sha256": sha256(data), "size": 999}]}})
    assert "1000" in problem(response, 422, "plan_invalid")["detail"]
    assert api.names() == ["there"]


HOSTILE = ["", ".", "..", "a/b", "../a", "nul\0", "line\nbreak", "tab\t", "\x7f", "\x85", "a" * 256, "é" * 128]
WAYS = {
    "a folder": lambda api, name: api.call("POST", "/v1/files", json={"requestId": new_id(), "name": name, "mimeType": FOLDER}),
    "a rename": lambda api, name: api.call("PATCH", f"/v1/files/{api.named}", json={"requestId": new_id(), "name": name}),
    "a copy": lambda api, name: api.call("POST", f"/v1/files/{api.named}/copy", json={
        "requestId": new_id(), "name": name, "parentId": "root"}),
    "media": lambda api, name: api.call("POST", "/v1/upload", content=b"x", headers={"Idempotency-Key": new_id()},
                                        params={"uploadType": "media", "name": name, "parentId": "root"}),
    "multipart": lambda api, name: multipart(api, META.replace(b'"m"', json.dumps(name).encode()) + b"--b\r\n\r\nx\r\n--b--\r\n"),
    "resumable": lambda api, name: api.call("POST", "/v1/upload", params={"uploadType": "resumable"}, json={
        "requestId": new_id(), "name": name, "size": 100}),
    "finalize": lambda api, name: api.finalize(api.session, name=name),
}


@pytest.fixture(scope="module")
def with_a_file(shared_server):
    """An account with one file and one upload that has everything."""
    api = Api(shared_server.url).register(f"{new_id()}@example.org")
    api.named = api.put_small("good name", b"x")["id"]
    api.session = api.start_upload("another", 1)["uploadId"]
    api.put_chunk(api.session, 0, b"x", expect=308)
    yield api
    assert api.names() == ["good name"]
    api.close()


@pytest.mark.parametrize("way", WAYS)
def test_hostile_names_by_every_way_in(with_a_file, way):
    for name in HOSTILE:
        problem(WAYS[way](with_a_file, name), 400, ("invalid_name", "malformed_request", "invalid_parameter"))


def test_hostile_names_in_a_batch(with_a_file):
    items = [({"requestId": new_id(), "name": name}, b"x") for name in HOSTILE]
    answer = with_a_file.call("POST", "/v1/upload/batch", content=batch(items), expect=200,
                              headers={"Content-Type": "application/octet-stream"}).json()
    assert [item["status"] for item in answer["items"]] == [400] * len(HOSTILE), answer


SIXTEEN = 16 * MIB
TOO_MANY = [{"sha256": sha256(b"%d" % number), "size": SIXTEEN} for number in range((10 << 30) // SIXTEEN)] + [
    {"sha256": sha256(b"one byte"), "size": 1}]


def test_ten_gib_and_a_byte_by_every_way_in(untouched, raw):
    """As a number that is said, as blocks that sum up to it, and as blocks that are named one after the other."""
    named = {"requestId": new_id(), "name": "x", "plan": {"kind": "blocks", "blocks": TOO_MANY}}
    problem(untouched.call("POST", "/v1/upload", params={"uploadType": "resumable"}, json=named), 413, "file_too_large")
    upload = untouched.start_upload("x", None, plan={"kind": "open"})["uploadId"]
    untouched.call("POST", f"/v1/upload/{upload}/plan", json={"from": 0, "blocks": TOO_MANY[:-1]}, expect=200)
    problem(untouched.call("POST", f"/v1/upload/{upload}/plan", json={"from": len(TOO_MANY) - 1, "blocks": TOO_MANY[-1:]}),
            413, "file_too_large")
    assert untouched.upload(upload)["totalChunks"] == len(TOO_MANY) - 1
    raw().send(head(untouched, "POST", "/v1/upload?uploadType=media&name=x", Content_Length=(10 << 30) + 1,
                    Idempotency_Key=new_id())).refusal(413)


def test_a_body_longer_than_said_is_no_part_of_the_file(api, raw):
    """What follows the body is no request. Whether it is met before the body's own answer is on its way depends on the moment."""
    connection = raw().send(head(api, "POST", "/v1/upload?uploadType=media&name=hello", Content_Length=5,
                                 Idempotency_Key=new_id()), b"hello, and more that nobody announced\r\n\r\n").end()
    status, there = connection.answer(), api.by_path("/hello")
    assert (status, there.status_code) in ((201, 200), (400, 200), (400, 404)), connection.said
    assert there.status_code == 404 or api.read(there.json()) == b"hello"


@pytest.mark.parametrize("upload_type", ["", "simple", "resumable "])
def test_unknown_upload_types(untouched, upload_type):
    response = untouched.call("POST", "/v1/upload", params={"uploadType": upload_type}, json={"name": "x", "size": 1})
    refused(response, 400)


def multipart(api, body, boundary="b"):
    return api.call("POST", "/v1/upload", params={"uploadType": "multipart"}, content=body,
                    headers={"Content-Type": f"multipart/related; boundary={boundary}"})


META = b'--b\r\nContent-Type: application/json\r\n\r\n{"requestId":"r","name":"m","parentId":"root"}\r\n'


@pytest.mark.parametrize("body", [
    b"", b"--b", META, META + b"--b\r\n\r\ncontent without end", META + b"--b--\r\n", b"--b\r\n\r\n--b--\r\n",
    META + b"--b\r\nContent-Type: text/plain\r\n\r\nx\r\n" * 100 + b"--b--\r\n",
    b"--b\r\n" + b"X-Long: " + b"y" * (1 << 20) + b"\r\n\r\n{}\r\n--b\r\n\r\nx\r\n--b--\r\n",
    b"--b\r\n" + b"X-Many: y\r\n" * 50_000 + b"\r\n{}\r\n--b\r\n\r\nx\r\n--b--\r\n",
    META.replace(b"{", b"") + b"--b\r\n\r\nx\r\n--b--\r\n"],
    ids=["empty", "opened only", "metadata only", "without end", "one part", "empty part", "a hundred parts",
         "a megabyte of header", "many headers", "bad metadata"])
def test_multipart_that_does_not_hold(untouched, body):
    response = multipart(untouched, body)
    refused(response, 400, 413, 431)
    assert untouched.names() == []


@pytest.mark.parametrize("boundary", ["", "x" * 71, '"'])
def test_multipart_boundaries_that_are_none(untouched, boundary):
    refused(multipart(untouched, META + b"--b\r\n\r\nx\r\n--b--\r\n", boundary), 400, 415)


def test_a_multipart_over_its_limit(untouched):
    refused(multipart(untouched, META + b"--b\r\n\r\n" + content(5 * MIB + 1) + b"\r\n--b--\r\n"), 413)


def test_headers_beyond_measure(untouched, raw):
    raw().send(head(untouched, "GET", "/v1/about", X_Long="y" * (1 << 20))).refusal(400, 413, 431)
    raw().send(head(untouched, "GET", "/v1/files?parentId=" + "y" * (1 << 20))).refusal(400, 413, 414, 431)


@pytest.mark.parametrize("text", [
    "GET\r\n\r\n", "\x00\x01\x02\x03" * 100, "GET / HTTP/9.9\r\n\r\n", "GET http://[::1 HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n", "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
    "POST /v1/files HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
    "POST /v1/files HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
    "POST /v1/files HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "POST /v1/files HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + "\x00" * 50, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"])
def test_what_is_no_http(raw, text):
    raw().send(text.encode("latin-1")).end().refusal(*range(400, 500))


def test_smuggled_second_request_is_not_answered_as_another(untouched, raw):
    connection = raw().send(
        "POST /v1/files HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
        "0\r\n\r\nGET /v1/about HTTP/1.1\r\nHost: a\r\n" + f"Authorization: Bearer {untouched.access}\r\n\r\n").end()
    connection.answer()
    assert untouched.user["email"].encode() not in connection.said


def test_slow_clients_that_send_a_byte_a_second(tmp_path, new_account):
    """They are cut off, and meanwhile everyone else is served."""
    from server import Server
    server = Server(tmp_path / "data", environment={"BOTHY_IDLE_TIMEOUT": "2"}).start()
    try:
        api = new_account(server)
        session = api.start_upload("slow", 1000)
        ended = threading.Event()
        slow = [Raw(server, timeout=60) for _ in range(20)]
        for connection in slow[:10]:
            connection.send("GET /v1/about HTTP/1.1\r\nHost: a\r\nX-Slow: ")
        for connection in slow[10:]:
            connection.send(head(api, "PUT", f"/v1/upload/{session['uploadId']}/chunks/0", Content_Length=1000,
                                 X_Chunk_Hash=f"sha256={sha256(b'x')}"))

        def drip():
            open_ones = set(slow)
            while open_ones and not ended.wait(1):
                for connection in list(open_ones):
                    try:
                        connection.send("x")
                        connection.socket.setblocking(False)
                        if connection.socket.recv(4096) in (b"",):
                            open_ones.discard(connection)
                    except BlockingIOError:
                        pass
                    except OSError:
                        open_ones.discard(connection)
                    finally:
                        if connection.socket.fileno() >= 0:
                            connection.socket.setblocking(True)
                still_open[0] = len(open_ones)

        still_open = [len(slow)]
        dripper = threading.Thread(target=drip, daemon=True)
        dripper.start()
        begun = time.monotonic()
        for number in range(20):
            api.folder(f"meanwhile {number}")
        assert time.monotonic() - begun < 60
        wait_until(lambda: still_open[0] == 0, seconds=90, what="every slow client being cut off", every=0.1)
        ended.set()
        assert api.upload(session["uploadId"])["receivedChunks"] == []
    finally:
        server.kill()


REFUSED = "POST /v1/files HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000000000\r\n\r\n"


def test_who_is_refused_and_goes_on_sending_is_cut_off(shared_server):
    """A terabyte was read to its end for everybody who had no right to send it."""
    raw = Raw(shared_server).send(REFUSED)
    assert raw.answer() == 401
    sent = 0
    with pytest.raises(OSError):
        while sent < 300 * MIB:
            sent += raw.socket.send(b"x" * MIB)
    assert 60 * MIB < sent < 200 * MIB, "64 MiB are heard out, and what the system keeps on its way"


def test_who_is_refused_and_sends_slowly_is_cut_off_in_time(tmp_path):
    server = Server(tmp_path / "data", environment={"BOTHY_IDLE_TIMEOUT": "2"}).start()
    try:
        raw = Raw(server).send(REFUSED)
        assert raw.answer() == 401
        begun = time.monotonic()
        with pytest.raises(OSError):
            while time.monotonic() - begun < 60:
                raw.send(b"x" * 1000)
                time.sleep(0.1)  # fast enough not to be stalled
        assert time.monotonic() - begun < 30
    finally:
        server.kill()


def test_who_sends_all_of_a_refused_body_hears_why_and_goes_on(shared_server):
    raw = Raw(shared_server).send(REFUSED.replace("1000000000000", str(40 * MIB)))
    for _ in range(40):
        raw.send(b"x" * MIB)
    assert raw.answer() == 401
    assert raw.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").answer() == 200, "on the same connection"


def test_too_many_open_sessions_are_refused_and_the_rest_still_works(api):
    """10,000 open sessions: the account's own bound stops it long before, by name."""
    refused = None
    for number in range(1_001):
        response = api.call("POST", "/v1/upload", params={"uploadType": "resumable"},
                            json={"requestId": new_id(), "name": f"open {number}", "size": 100})
        if response.status_code != 201:
            refused = response
            break
    assert refused is not None and number == 1_000
    problem(refused, 429, "too_many_uploads")
    assert refused.headers["retry-after"]
    api.folder("still works"), api.put_small("small", b"still works")


def test_a_client_that_uploads_and_abandons_until_its_quota(tmp_path, new_account):
    from server import Server
    server = Server(tmp_path / "data", environment={"BOTHY_QUOTA": "3 MiB"}).start()
    try:
        api = new_account(server)
        refused, sessions = None, []
        for number in range(10):
            response = api.call("POST", "/v1/upload", params={"uploadType": "resumable"}, json={
                "requestId": new_id(), "name": f"abandoned {number}", "size": MIB, "finalize": "explicit"})
            if response.status_code != 201:
                refused = response
                break
            sessions.append(response.json()["uploadId"])
            answer = api.put_chunk(sessions[-1], 0, content(MIB, seed=number))
            if answer.status_code != 308:
                refused = answer
                break
        assert refused is not None and 2 <= len(sessions) <= 4
        problem(refused, 507, "quota_exceeded")
        assert api.call("GET", "/v1/about").json()["quota"]["used"] <= 3 * MIB
        for session in sessions:
            api.call("DELETE", f"/v1/upload/{session}", expect=204)
        assert api.call("GET", "/v1/about").json()["quota"]["used"] == 0
        api.put_small("fits again", content(MIB, seed="again"))
    finally:
        server.kill()


def test_a_known_size_beyond_the_quota_is_refused_at_the_start(tmp_path, new_account):
    from server import Server
    server = Server(tmp_path / "data", environment={"BOTHY_QUOTA": "3 MiB"}).start()
    try:
        api = new_account(server)
        response = api.call("POST", "/v1/upload", params={"uploadType": "resumable"},
                            json={"requestId": new_id(), "name": "x", "size": 4 * MIB})
        assert problem(response, 507, "quota_exceeded")["free"] == 3 * MIB
    finally:
        server.kill()
