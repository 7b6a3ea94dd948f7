"""10 GiB up and down through 20 disconnects and a kill -9 on each side each way; in `make test` a shorter way."""

import os
import shutil
import threading
import time

import pytest

import fault_proxy
from api import new_id
from content import file_sha256
from preconditions import machine_cannot
from server import Server, forget_peak, resident
from waiting import wait_until

GIB = 1 << 30
MIB = 1 << 20
OVER_IDLE_AT_MOST = 64 * MIB


def make_source(path, size):
    """Content that does not compress and does not repeat, made faster than Python's generator does."""
    import hashlib
    digest = hashlib.sha256()
    with open("/dev/urandom", "rb") as source, open(path, "wb") as file:
        for _ in range(size // (8 * MIB)):
            piece = source.read(8 * MIB)
            digest.update(piece)
            file.write(piece)
    return digest.hexdigest()


class Memory(threading.Thread):
    """Watches the most that a process holds; a new pid may come at any time."""

    def __init__(self):
        super().__init__(daemon=True)
        self.pids, self.peak, self.ended = {}, {}, threading.Event()

    def run(self):
        while not self.ended.wait(0.05):
            for name, pid in list(self.pids.items()):
                try:
                    self.peak[name] = max(self.peak.get(name, 0), resident(pid))
                except (FileNotFoundError, ProcessLookupError):
                    pass


def points(size, count):
    return [size * (number + 1) // (count + 1) for number in range(count)]


def journey(server, device, proxy, folder, size, disconnects, sent_twice_at_most):
    source, back = folder / "source.bin", folder / "back.bin"
    digest = make_source(source, size)
    device.run("whoami")
    memory = Memory()
    memory.start()
    idle_server = server.resident()
    forget_peak(server.pid)
    results = {}
    for words, moved in ((("put", source, "/big.bin"), lambda: proxy.bytes_up), (("get", "/big.bin", back), lambda: proxy.bytes_down)):
        before_up, before_down = proxy.bytes_up, proxy.bytes_down
        proxy.cut_at([proxy.moved + point for point in points(size, disconnects)])
        cuts = proxy.cuts
        kill_client_at = moved() + size * 0.35
        kill_server_at = moved() + size * 0.65
        begun = time.monotonic()
        process = device.start(*words)
        memory.pids = {"server": server.pid, words[0]: process.pid}
        wait_until(lambda: moved() >= kill_client_at or process.poll() is not None, seconds=3000, what="a third of it")
        assert process.poll() is None, device.started_log()[-3000:]
        process.kill()
        process.wait()
        process = device.start(*words)
        memory.pids = {"server": server.pid, words[0]: process.pid}
        wait_until(lambda: moved() >= kill_server_at or process.poll() is not None, seconds=3000, what="two thirds of it")
        assert process.poll() is None, device.started_log()[-3000:]
        server.kill()
        server.start()
        memory.pids = {"server": server.pid, words[0]: process.pid}
        assert process.wait(3000) == 0, device.started_log()[-3000:]
        taken = time.monotonic() - begun
        up, down = proxy.bytes_up - before_up, proxy.bytes_down - before_down
        results[words[0]] = (up if words[0] == "put" else down, proxy.cuts - cuts, taken)
    memory.ended.set()
    assert file_sha256(back) == digest
    for word, (sent, cuts, taken) in results.items():
        print(f"{word}: {size >> 20} MiB in {taken:.0f} s, {cuts} disconnects, "
              f"{100 * (sent - size) / size:.2f} % sent twice, client at most {memory.peak[word] >> 20} MiB")
    print(f"server: {idle_server >> 20} MiB idle, at most {memory.peak['server'] >> 20} MiB")
    for word, (sent, cuts, _) in results.items():
        assert cuts >= disconnects
        assert sent - size <= sent_twice_at_most * size, f"{word} sent {sent - size} bytes twice"
    idle_client = idle_memory_of_a_client(device)
    assert memory.peak["server"] - idle_server <= OVER_IDLE_AT_MOST
    for word in results:
        assert memory.peak[word] - idle_client <= OVER_IDLE_AT_MOST, word


def idle_memory_of_a_client(device):
    """What a client holds that is up and moves nothing."""
    process = device.start("watch")
    try:
        wait_until(lambda: process.poll() is not None or resident(process.pid, "VmHWM") > 5 * MIB, what="the idle client")
        time.sleep(1)  # whatever it still loads
        assert process.poll() is None, device.started_log()[-2000:]
        return resident(process.pid)
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def one_way(tmp_path, new_device, proxy_to):
    server = Server(tmp_path / "data").start()
    proxy = proxy_to(server)
    device = new_device().register(proxy.url, f"{new_id()}@example.org")
    yield server, device, proxy
    server.kill()


def test_256_mib_through_3_disconnects_and_a_kill_on_each_side_each_way(one_way, tmp_path):
    """The long test's journey, shortened: the chunks in flight weigh more against less, so more may go twice."""
    journey(*one_way, tmp_path, 256 * MIB, 3, sent_twice_at_most=0.4)


@pytest.mark.alone
@pytest.mark.long
def test_10_gib_through_20_disconnects_and_a_kill_on_each_side_each_way(one_way, tmp_path):
    if shutil.disk_usage(tmp_path).free < 45 * GIB:
        machine_cannot("needs 45 GiB of disk")
    journey(*one_way, tmp_path, 10 * GIB, 20, sent_twice_at_most=0.02)
    for path in tmp_path.iterdir():
        if path.is_file():
            os.unlink(path)
