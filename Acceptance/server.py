"""The real server, as a process."""

import contextlib
import os
import queue
import re
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

from ports import own_port

ROOT = Path(__file__).resolve().parent.parent
BINARY = os.path.abspath(os.environ.get("BOTHY_BIN", ROOT / ".build/debug/bothy"))
LISTENING = re.compile(r"Bothy is listening on (https?://\S+)")


class DidNotStart(AssertionError):
    pass


def clean_environment(**more):
    kept = {key: os.environ[key] for key in ("PATH", "LANG", "TMPDIR") if key in os.environ}
    # A test says itself when an agent runs.
    return {"HOME": "/nonexistent", "BOTHY_AGENT": "off", **kept, **more}


class Server:
    def __init__(self, data, *flags, listen=None, environment=None, prefix=()):
        self.data = Path(data)
        self.prefix = list(prefix)  # a command that runs it elsewhere: on another disk
        self.flags = list(flags)
        self.listen = listen or f"127.0.0.1:{own_port()}"
        # Nobody follows anybody but by herself: test_feed_household.py has the others.
        # An account is there for one test: its password need not be dear to guess (test_accounts.py has the cost of a real one).
        self.environment = clean_environment(**{"BOTHY_TEST_SCRYPT_LOG_ROUNDS": "4", "BOTHY_FEED_FOLLOW": "none", **(environment or {})})
        self.process = None
        self.url = None
        self.output = []
        self.ready_after = None

    def start(self, seconds=60):
        """Starts it and returns once it says that it listens; again on the same port after the first time."""
        begun = time.monotonic()
        self.process = subprocess.Popen(
            [*self.prefix, BINARY, "server", "--data", str(self.data), "--listen", self.listen, *self.flags],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=self.environment, text=True, errors="replace")
        heard = queue.Queue()
        threading.Thread(target=self._listen_to, args=(self.process, heard), daemon=True).start()
        try:
            self.url = heard.get(timeout=seconds)
        except queue.Empty:
            self.url = None
        if self.url is None:
            self.kill()
            raise DidNotStart("the server did not say that it listens:\n" + "\n".join(self.output[-40:]))
        self.ready_after = time.monotonic() - begun
        self.listen = self.url.split("://")[1].rstrip("/")
        return self

    def _listen_to(self, process, heard):
        for line in process.stdout:
            self.output.append(line.rstrip("\n"))
            match = LISTENING.search(line)
            if match:
                heard.put(match.group(1).rstrip("/"))
        heard.put(None)

    @property
    def port(self):
        return int(self.url.rsplit(":", 1)[1])

    @property
    def pid(self):
        return self.process.pid

    def running(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        """kill -9."""
        if self.running():
            self.process.send_signal(signal.SIGKILL)
        return self.process.wait(60)

    def stop(self, seconds=60):
        if self.running():
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"the server did not end within {seconds} s of SIGTERM") from None

    def restart(self):
        self.stop()
        return self.start()

    def admin(self, *arguments, check=True, seconds=120, **options):
        """`bothy server COMMAND …`, as its owner types it beside the running server."""
        command, *rest = map(str, arguments)
        words = [*self.prefix, BINARY, "server", command]
        if command in ("user", "reports", "post"):
            words.append(rest.pop(0))
        result = subprocess.run(
            [*words, "--data", str(self.data), *rest], stdin=subprocess.DEVNULL, capture_output=True,
            text=True, env=self.environment, timeout=seconds, **options)
        if check and result.returncode != 0:
            raise AssertionError(f"bothy server {' '.join(map(str, arguments))} exited with {result.returncode}:\n"
                                 f"{result.stdout}{result.stderr}")
        return result

    def packs(self):
        return sorted((self.data / "packs").glob("*.pack"))

    def flip_a_bit_of(self, stored):
        """Wherever these bytes lie in a pack."""
        for pack in self.packs():
            place = pack.read_bytes().find(stored)
            if place >= 0:
                with open(pack, "r+b") as file:
                    file.seek(place)
                    file.write(bytes([stored[0] ^ 1]))
                return
        raise AssertionError("the bytes lie in no pack")

    def log(self):
        return "\n".join(self.output)

    def resident(self):
        return resident(self.pid)

    def sockets(self):
        """How many sockets it holds: those that it listens on, and every connection that it has taken."""
        count = 0
        for place in Path(f"/proc/{self.pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # closed meanwhile
                count += os.readlink(place).startswith("socket:")
        return count

    def answers(self, path="/healthz"):
        try:
            return urllib.request.urlopen(self.url + path, timeout=30).status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return None


def resident(pid, field="VmRSS"):
    """Bytes of memory that the process holds now (`VmRSS`), or held at most (`VmHWM`)."""
    with open(f"/proc/{pid}/status") as status:
        for line in status:
            if line.startswith(field + ":"):
                return int(line.split()[1]) << 10
    return 0


def forget_peak(pid):
    """Starts `VmHWM` anew from what is held now."""
    with open(f"/proc/{pid}/clear_refs", "w") as file:
        file.write("5")
