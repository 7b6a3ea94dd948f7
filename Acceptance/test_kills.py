"""kill -9 at random moments, over and over: nothing acknowledged is lost, and in `make test-long` it is ready again in under 2 s."""

import random
import threading
import time

import httpx
import pytest

from api import Api, chunks, content, new_id, sha256
from device import Device
from server import Server

K256 = 256 << 10
READY_WITHIN = 2.0
# Of an account's 1,000 open uploads: each kill may leave one more behind, whose answer was lost.
LEFT_OPEN = 200
# Of each worker's uploads that were left open, so many are gone on with at the end.
FINISHED = 10


class Worker(threading.Thread):
    """A client that keeps working through a server that keeps dying, and writes down what was acknowledged."""

    def __init__(self, server, number, ended):
        super().__init__(daemon=True)
        self.server, self.number, self.ended = server, number, ended
        self.api = Api(server.url, timeout=10).register(f"{new_id()}@example.org")
        self.random = random.Random(number)
        self.files = {}  # path → content of the newest acknowledged state
        self.chunks = []  # (upload, index) acknowledged in sessions that are not finished
        self.seeds = {}  # of what these were to be
        self.doubtful = set()  # names whose answer never came
        self.counter = self.left_open = 0
        self.failure = None

    def run(self):
        try:
            while not self.ended.is_set():
                self.counter += 1
                work = self.random.choice([self.put_small, self.put_small, self.put_large, self.leave_open, self.replace])
                try:
                    work()
                except (httpx.TransportError, ServerAway):
                    self.ended.wait(0.02)
        except Exception as error:  # reported by the test
            self.failure = error

    def call(self, *arguments, **options):
        response = self.api.call(*arguments, **options)
        if response.status_code in (502, 503):
            raise ServerAway
        assert response.status_code < 500, response.text
        return response

    def name(self):
        return f"w{self.number}-{self.counter}"

    def put_small(self):
        name, data = self.name(), content(self.random.randrange(1, 60_000), seed=new_id())
        self.doubtful.add(name)
        response = self.call("POST", "/v1/upload", content=data, headers={"Idempotency-Key": new_id()},
                             params={"uploadType": "media", "name": name, "parentId": "root"})
        assert response.status_code == 201, response.text
        self.files[name] = data

    def start_upload(self, name, data, **more):
        response = self.call("POST", "/v1/upload", params={"uploadType": "resumable"}, json={
            "requestId": new_id(), "name": name, "size": len(data), "plan": {"kind": "fixed", "chunkSize": K256},
            "fileHashSha256": sha256(data), **more})
        assert response.status_code == 201, response.text
        return response.json()["uploadId"]

    def put_chunk(self, upload, index, piece):
        response = self.call("PUT", f"/v1/upload/{upload}/chunks/{index}", content=piece, headers={
            "X-Chunk-Hash": f"sha256={sha256(piece)}"})
        assert response.status_code in (201, 308), response.text

    def put_large(self, **more):
        name, data = more.pop("name", None) or self.name(), content(3 * K256 + 99, seed=new_id())
        upload = self.start_upload(name, data, **more)
        for index, piece in enumerate(chunks(data, K256)):
            self.put_chunk(upload, index, piece)
        self.doubtful.add(name)
        response = self.call("POST", f"/v1/upload/{upload}/finalize", json={})
        assert response.status_code == 201, response.text
        self.files[name] = data

    def leave_open(self):
        if self.left_open == LEFT_OPEN:
            return
        self.left_open += 1
        seed = new_id()
        data = content(4 * K256, seed=seed)
        upload = self.start_upload(self.name(), data)
        self.seeds[upload] = seed
        for index, piece in enumerate(chunks(data, K256)[:3]):
            self.put_chunk(upload, index, piece)
            self.chunks.append((upload, index))

    def replace(self):
        settled = [name for name in self.files if name not in self.replaced]
        if settled:
            name = self.random.choice(settled)
            self.replaced.add(name)  # if the answer is lost, either content may be there
            old = self.files[name]
            self.maybe[name] = old
            self.put_large(name=name, conflict="overwrite")
            self.maybe.pop(name)
            self.replaced.discard(name)

    replaced: set = set()
    maybe: dict = {}


class ServerAway(Exception):
    pass


def check(workers):
    for worker in workers:
        api = worker.api
        for name, data in worker.files.items():
            response = api.by_path(f"/{name}")
            assert response.status_code == 200, f"{name} was acknowledged, and is gone"
            file = response.json()
            if name in worker.maybe:  # a second version was sent, and not acknowledged: it may be there, above the first
                assert sha256(worker.maybe[name]) in {revision["checksum"] for revision in api.revisions(file["id"])}, name
                continue
            assert file["checksum"] == sha256(data), name
        for name in list(worker.files)[-5:]:
            file = api.by_path(f"/{name}").json()
            assert sha256(api.read(file)) == file["checksum"], f"{name} is served as something else"
        by_upload = {}
        for upload, index in worker.chunks:
            by_upload.setdefault(upload, set()).add(index)
        for upload, indexes in by_upload.items():
            runs = api.upload(upload)["receivedChunks"]
            there = {index for first, last in runs for index in range(first, last + 1)}
            assert indexes <= there, f"chunks {indexes - there} of {upload} were acknowledged, and are gone"
        for upload in list(by_upload)[-FINISHED:]:
            finish(api, upload, content(4 * K256, seed=worker.seeds[upload]))


def finish(api, upload, data):
    """Sends only what lacks: the file is whole if the server has what it says, to the byte."""
    there = {index for first, last in api.upload(upload)["receivedChunks"] for index in range(first, last + 1)}
    for index, piece in enumerate(chunks(data, K256)):
        if index not in there:
            answer = api.put_chunk(upload, index, piece)
            assert answer.status_code in (201, 308), f"{upload} lacks bytes: {answer.text}"
    done = api.finalize(upload)
    assert done.status_code == 201 and done.json()["fileHashSha256"] == sha256(data), f"{upload} lacks bytes: {done.text}"


def cycles(server, count, seed):
    generator = random.Random(seed)
    ended = threading.Event()
    workers = [Worker(server, number, ended) for number in range(4)]
    for worker in workers:
        worker.replaced, worker.maybe = set(), {}
        worker.start()
    times = []
    for cycle in range(count):
        time.sleep(generator.uniform(0.0, 0.6))  # the random moment
        server.kill()
        server.start()
        times.append(server.ready_after)
        assert server.answers("/readyz") == 200
        if cycle % 50 == 49:  # tokens live 15 minutes, and so may this
            for worker in workers:
                worker.api.access = Api(server.url).login(worker.api.user["email"]).access
        failures = [worker.failure for worker in workers if worker.failure]
        assert not failures, failures
    ended.set()
    for worker in workers:
        worker.join(60)
    server.kill()
    server.start()
    assert not [worker.failure for worker in workers if worker.failure]
    assert sum(len(worker.files) for worker in workers) >= count // 4, "hardly anything was acknowledged"
    check(workers)
    assert server.admin("verify").returncode == 0
    times.sort()
    print(f"{count} kills: ready again after {times[len(times) // 2]:.2f} s (median), {times[-1]:.2f} s (longest); "
          f"{sum(len(w.files) for w in workers)} files and {sum(len(w.chunks) for w in workers)} chunks were acknowledged")
    return times


def test_nothing_acknowledged_is_lost_in_12_kills(server):
    cycles(server, 12, seed=1)


@pytest.mark.alone
@pytest.mark.long
def test_nothing_acknowledged_is_lost_in_200_kills(server):
    times = cycles(server, 200, seed=2)
    assert times[-1] < READY_WITHIN, times


def client_cycles(server, device, folder, count, seed):
    """The client is killed instead: the same words typed again always get there, and nothing is half done."""
    generator = random.Random(seed)
    from content import file_sha256, write_content
    for cycle in range(count):
        digest = write_content(folder / "source", 9 << 20, seed=f"{seed}/{cycle}")
        for words in (("put", folder / "source", f"/f{cycle}"), ("get", f"/f{cycle}", folder / f"back{cycle}")):
            process = device.start(*words)
            try:
                process.wait(generator.uniform(0.02, 0.5))
            except Exception:  # still running: the moment has come
                process.kill()
                process.wait()
            if words[0] == "get" and (folder / f"back{cycle}").exists():
                assert file_sha256(folder / f"back{cycle}") == digest
            if not (words[0] == "get" and (folder / f"back{cycle}").exists()):
                device.run(*words)
        assert file_sha256(folder / f"back{cycle}") == digest
        (folder / f"back{cycle}").unlink()


def test_a_client_killed_at_random_moments_always_gets_there(shared_server, new_device, tmp_path):
    device = new_device().register(shared_server.url, f"{new_id()}@example.org")
    client_cycles(shared_server, device, tmp_path, 3, seed=1)


@pytest.mark.long
def test_a_client_killed_at_random_moments_always_gets_there_50_times(shared_server, new_device, tmp_path):
    device: Device = new_device().register(shared_server.url, f"{new_id()}@example.org")
    client_cycles(shared_server, device, tmp_path, 50, seed=2)


def test_power_goes_while_the_server_starts(tmp_path):
    """Killed in the middle of its first start, again and again: it always comes up."""
    server = Server(tmp_path / "data")
    import signal
    import subprocess

    from server import BINARY, clean_environment
    for moment in (0.005, 0.02, 0.04, 0.06, 0.1, 0.15, 0.2):
        process = subprocess.Popen([BINARY, "server", "--data", str(server.data), "--listen", "127.0.0.1:0"],
                                   env=clean_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(moment)
        process.send_signal(signal.SIGKILL)
        process.wait()
    server.start()
    assert server.answers("/readyz") == 200
    server.stop()
