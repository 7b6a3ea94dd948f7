"""Ours: the release binary as server, as client and as agent."""

import copy
import json
import os
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

from peers import Peer
from processes import Run, Server, free_port, run

PASSWORD = "a password for benchmarks only"


class Bothy(Peer):
    name = "bothy"
    verifies = frozenset({"up", "down", "tree"})
    durable = True

    def __init__(self, binary: Path | None):
        self.binary = binary

    def missing(self):
        if self.binary and os.access(self.binary, os.X_OK):
            return None
        return "no release binary: scripts/build-release makes it"

    @property
    def bench(self) -> Path:
        """What makes and measures that which no client can be asked for."""
        return self.binary.parent / "bothy-bench"

    def bench_missing(self) -> str | None:
        if self.missing() or self.bench.exists():
            return self.missing()
        return "no bothy-bench beside the binary: scripts/build-release bothy-bench makes it"

    def start(self, folder: Path, core: int | None = None):
        self.folder = folder
        self.port = free_port()
        self.home = folder / "device"
        self.serve(core)
        self.client("register", "--server", self.url, "--email", "bench@example.org", "--device", "bench",
                    "--password-stdin", password=PASSWORD)

    def serve(self, core: int | None = None) -> float:
        """Starts the server on what is there; returns the seconds until it was ready."""
        command = [self.binary, "server", "--data", self.folder / "data", "--listen", f"127.0.0.1:{self.port}"]
        started = time.monotonic()
        self.server = Server(command, log=self.folder / "log", core=core)
        while True:
            try:
                with urllib.request.urlopen(self.url + "/readyz", timeout=5):
                    return time.monotonic() - started
            except (urllib.error.URLError, ConnectionError):
                if self.server.process.poll() is not None:
                    raise RuntimeError(f"the server ended: {self.server.log.read_text()[-800:]}") from None
                if time.monotonic() - started > 60:
                    raise TimeoutError("the server was not ready within a minute") from None
                time.sleep(0.002)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def servers(self):
        return [self.server]

    def client(self, *arguments, password: str | None = None) -> Run:
        environment = {"BOTHY_HOME": str(self.home), "BOTHY_AGENT": "off"}
        if password is None:
            return run([self.binary, *arguments], env=environment)
        reading, writing = os.pipe()
        os.write(writing, password.encode() + b"\n")
        os.close(writing)
        try:
            return run([self.binary, *arguments], env=environment, stdin=reading)
        finally:
            os.close(reading)

    def device(self, home: Path, url: str | None = None) -> "Bothy":
        """The same server from another device of the same account, by another address where one is given."""
        other = copy.copy(self)
        other.home = home
        other.client("login", "--server", url or self.url, "--email", "bench@example.org", "--device", home.name,
                     "--password-stdin", password=PASSWORD)
        return other

    def entrance(self) -> tuple[str, str]:
        """The address of the agent's web app, and the page that leads a browser in: good once, for half a minute."""
        opening = subprocess.Popen(
            [self.binary, "open", "--print", "--json"], env={**os.environ, "BOTHY_HOME": str(self.home)},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        said = json.loads(opening.stdout.readline())
        return said["address"], said["entrance"]

    def wait_until_known(self):
        """Until the agent has taken in what is on the server, and only listens."""
        deadline = time.monotonic() + 300
        while "Changes are heard" not in subprocess.run(
                [self.binary, "status"], env={**os.environ, "BOTHY_HOME": str(self.home)}, stdin=subprocess.DEVNULL,
                capture_output=True, text=True, check=True).stdout:
            if time.monotonic() > deadline:
                raise TimeoutError("the agent does not get to the end of what is on the server")
            time.sleep(0.2)

    def put(self, file) -> Run:
        return self.client("put", "-q", file, f"/{file.name}")

    def get(self, name, destination) -> Run:
        return self.client("get", "-q", "--replace", f"/{name}", destination)

    def put_tree(self, folder) -> Run:
        return self.client("put", "-q", folder, "/")

    def get_tree(self, name, destination) -> Run:
        return self.client("get", "-q", f"/{name}", destination)

    def idle_client(self) -> Run:
        """A client that does next to nothing: what it costs to be there."""
        return self.client("ls", "--json", "/")

    def token(self) -> str:
        """A fresh access token, for requests that the benchmark makes itself."""
        body = {"email": "bench@example.org", "password": PASSWORD, "device": {"name": "wrk", "platform": "linux"}}
        return self.request("POST", "/v1/auth/login", body)["accessToken"]

    def request(self, method: str, path: str, body=None, token: str | None = None):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.url + path, data=data, method=method, headers=headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read() or b"null")

    def version(self) -> str:
        return subprocess.run([self.binary, "--version"], capture_output=True, text=True).stdout.strip()
