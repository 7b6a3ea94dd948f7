"""rclone copying to `rclone serve webdav`. Debian's 1.60 paces WebDAV at 10 ms a call; the package of PyPI need not."""

from pathlib import Path

from peers import Peer
from processes import Run, Server, free_port, program, run, wait_for_port


class Rclone(Peer):
    name = "rclone→webdav"

    def missing(self):
        return None if program("rclone") else "rclone is not installed"

    def start(self, folder: Path):
        (folder / "files").mkdir()
        self.port = free_port()
        configuration = folder / "rclone.conf"
        configuration.write_text(
            f"[peer]\ntype = webdav\nurl = http://127.0.0.1:{self.port}\nvendor = other\npacer_min_sleep = 0\n"
        )
        self.options = ["--config", configuration]
        command = ["rclone", *self.options, "serve", "webdav", folder / "files", "--addr", f"127.0.0.1:{self.port}"]
        self.server = Server(command, log=folder / "log")
        wait_for_port(self.port)

    def servers(self):
        return [self.server]

    def put(self, file) -> Run:
        return run(["rclone", *self.options, "copy", file, "peer:"])

    def get(self, name, destination) -> Run:
        return run(["rclone", *self.options, "copyto", f"peer:{name}", destination])

    def put_tree(self, folder) -> Run:
        return run(["rclone", *self.options, "copy", folder, f"peer:{folder.name}", "--transfers", "8"])

    def get_tree(self, name, destination) -> Run:
        return run(["rclone", *self.options, "copy", f"peer:{name}", destination, "--transfers", "8"])
