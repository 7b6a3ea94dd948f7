"""rsync against its own daemon. It verifies what it moved by its own checksum, and never calls fsync unless asked."""

from pathlib import Path

from peers import Peer
from processes import Run, Server, free_port, program, run, wait_for_port

CONFIGURATION = """
use chroot = no
pid file = {folder}/rsyncd.pid
lock file = {folder}/rsyncd.lock
[files]
path = {folder}/files
read only = no
{identity}
"""


class Rsync(Peer):
    verifies = frozenset({"up", "down", "tree"})

    def __init__(self, durable: bool = False):
        #: Whether each file is on the disk when the command ends, as ours is.
        self.durable = durable
        self.name = "rsync --fsync" if durable else "rsync daemon"
        self.options = ["--times", *(["--fsync"] if durable else [])]

    def missing(self):
        return None if program("rsync") else "rsync is not installed"

    def start(self, folder: Path):
        (folder / "files").mkdir()
        self.port = free_port()
        identity = "uid = 0\ngid = 0" if Path("/proc/self").stat().st_uid == 0 else ""
        configuration = folder / "rsyncd.conf"
        configuration.write_text(CONFIGURATION.format(folder=folder, identity=identity))
        command = ["rsync", "--daemon", "--no-detach", f"--config={configuration}"]
        self.server = Server([*command, "--address=127.0.0.1", f"--port={self.port}"], log=folder / "log")
        wait_for_port(self.port)

    def servers(self):
        return [self.server]

    def put(self, file) -> Run:
        return run(["rsync", "--whole-file", *self.options, file, self._url("")])

    def get(self, name, destination) -> Run:
        return run(["rsync", "--whole-file", *self.options, self._url(name), destination])

    def put_tree(self, folder) -> Run:
        return run(["rsync", "--recursive", *self.options, folder, self._url("")])

    def get_tree(self, name, destination) -> Run:
        return run(["rsync", "--recursive", *self.options, self._url(f"{name}/"), destination])

    def _url(self, name: str) -> str:
        return f"rsync://127.0.0.1:{self.port}/files/{name}"
