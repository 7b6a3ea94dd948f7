"""copyparty with its own uploader, u2c, which hashes on both sides."""

from pathlib import Path

from peers import Peer
from processes import Run, Server, free_port, program, run, wait_for_port


class Copyparty(Peer):
    name = "copyparty"
    verifies = frozenset({"up", "tree"})

    def missing(self):
        return next((f"{name} is not installed" for name in ("copyparty", "u2c") if not program(name)), None)

    def start(self, folder: Path):
        (folder / "files").mkdir()
        self.port = free_port()
        command = ["copyparty", "-i", "127.0.0.1", "-p", self.port, "-v", f"{folder}/files::rwmd", "-e2d", "-q"]
        environment = {"XDG_CONFIG_HOME": str(folder), "HOME": str(folder)}
        self.server = Server([*command, "--hist", folder / "history"], log=folder / "log", env=environment)
        wait_for_port(self.port)

    def servers(self):
        return [self.server]

    def put(self, file) -> Run:
        return run(["u2c", self._url(""), file])

    def get(self, name, destination) -> Run:
        return run(["curl", "-sSf", "-o", destination, self._url(name)])

    def put_tree(self, folder) -> Run:
        return run(["u2c", self._url(""), folder])

    @property
    def url(self) -> str:
        return self._url("")

    def _url(self, name: str) -> str:
        return f"http://127.0.0.1:{self.port}/{name}"
