"""Processes that a benchmark starts, and what they cost."""

import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Programs that scripts/setup unpacked or installed for us come first.
SEARCH_PATH = [ROOT / ".tools/usr/sbin", ROOT / ".tools/usr/bin", ROOT / ".venv-bench/bin"]
os.environ["PATH"] = os.pathsep.join([*map(str, SEARCH_PATH), os.environ["PATH"]])
#: What they stand on, where it was unpacked beside them.
LIBRARIES = ROOT / f".tools/usr/lib/{os.uname().machine}-linux-gnu"
os.environ["LD_LIBRARY_PATH"] = os.pathsep.join([str(LIBRARIES), os.environ.get("LD_LIBRARY_PATH", "")]).rstrip(os.pathsep)

TICKS = os.sysconf("SC_CLK_TCK")
#: Seconds between two looks at the memory of a client, and of servers.
CLIENT_INTERVAL, SERVER_INTERVAL = 0.005, 0.05
#: Of what runs for long, this part of its time lies between two looks, and no more seconds than these: each costs a processor that what is measured needs.
LONG_INTERVAL, LONGEST_INTERVAL = 0.01, 0.25


def program(name: str) -> str | None:
    return shutil.which(name)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for_port(port: int, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise TimeoutError(f"nothing listens on port {port} after {seconds} s") from None
            time.sleep(0.01)


@dataclass
class Run:
    """One finished client command."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int


def run(command: list, *, cwd=None, env: dict | None = None, stdin=None) -> Run:
    """Runs a client to its end. Raises with its last words when it fails."""
    started = time.monotonic()
    process = subprocess.Popen(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdin=stdin if stdin is not None else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    with Peak([process.pid], CLIENT_INTERVAL) as peak:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - started
    if process.returncode != 0:
        words = output.decode(errors="replace")[-800:]
        raise RuntimeError(f"{command[0]} failed with {process.returncode}: {words}")
    return Run(seconds, usage.ru_utime + usage.ru_stime, peak.bytes)


class Peak:
    """The most that these processes and their children had resident together, looked at over and over.

    The kernel's own `ru_maxrss` will not do for a client: it counts the process that started it, too.
    """

    def __init__(self, pids: list[int], interval: float):
        self.bytes = 0
        self._pids, self._interval, self._over = pids, interval, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        started = time.monotonic()
        while not self._over.is_set():
            self.bytes = max(self.bytes, sum(status(pid, "VmHWM") for pid in family(self._pids)))
            long = min(LONG_INTERVAL * (time.monotonic() - started), LONGEST_INTERVAL)
            self._over.wait(max(self._interval, long))


def family(pids: list[int]) -> list[int]:
    """The processes and everything below them."""
    found, queue = [], list(pids)
    while queue:
        pid = queue.pop()
        found.append(pid)
        try:
            for thread in os.listdir(f"/proc/{pid}/task"):
                queue += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
        except OSError:
            continue  # ended meanwhile
    return found


def status(pid: int, field: str) -> int:
    """A size in bytes from /proc/PID/status; 0 for a process that has ended."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def cpu_seconds(pids: list[int]) -> float:
    """What these processes have taken of the processors since they started."""
    total = 0.0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / TICKS
        except OSError:
            continue  # ended meanwhile
    return total


class Server:
    """A server process, and everything below it."""

    def __init__(self, command: list, *, log: Path, env: dict | None = None, cwd=None, core: int | None = None):
        if core is not None:
            command = ["taskset", "-c", str(core), *command]
        self.log = log
        self.process = subprocess.Popen(
            [str(part) for part in command],
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=log.open("wb"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def _pids(self) -> list[int]:
        return family([self.process.pid])

    def peak_bytes(self) -> int:
        """The sum of the most that each process had resident, since it started or since `forget_peak`."""
        return sum(status(pid, "VmHWM") for pid in self._pids())

    def resident_bytes(self) -> int:
        return sum(status(pid, "VmRSS") for pid in self._pids())

    def forget_peak(self) -> None:
        for pid in self._pids():
            try:
                Path(f"/proc/{pid}/clear_refs").write_text("5")
            except OSError:
                pass  # ended meanwhile, or not ours to reset: the peak is then since its start

    def cpu_seconds(self) -> float:
        return cpu_seconds(self._pids())

    def kill(self) -> None:
        """As a power cut would: without a goodbye."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self, seconds: float = 15) -> None:
        if self.process.poll() is not None:
            return
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
