"""The programs that stand side by side. Each is a `Peer`; one that is not installed says so in its row."""

from dataclasses import dataclass
from pathlib import Path

from processes import Run, Server


class Peer:
    #: What the table calls it.
    name: str
    #: In which of `up`, `down`, `tree` it compares a hash of the whole content between both sides.
    verifies = frozenset()
    #: Whether an answer means that the bytes are on the disk.
    durable = False

    def missing(self) -> str | None:
        """What is not installed; nothing when it can run."""
        raise NotImplementedError

    def start(self, folder: Path) -> None:
        """Starts the server with its data below `folder`, which exists and is empty."""
        raise NotImplementedError

    def servers(self) -> list[Server]:
        raise NotImplementedError

    def put(self, file: Path) -> Run:
        """Uploads one file under its own name."""
        raise NotImplementedError

    def get(self, name: str, destination: Path) -> Run:
        """Downloads what `put` uploaded."""
        raise NotImplementedError

    def put_tree(self, folder: Path) -> Run:
        """Uploads everything below a folder."""
        raise NotImplementedError

    def get_tree(self, name: str, destination: Path) -> Run:
        """Downloads a folder that `put_tree` uploaded, so that what was in it is in `destination`."""
        raise Unsupported("not measured")

    def stop(self) -> None:
        for server in self.servers():
            server.stop()


@dataclass
class Unsupported(Exception):
    """The peer has no such work."""

    why: str

    def __str__(self) -> str:
        return self.why


def everyone(bothy: Path | None) -> list[Peer]:
    from peers.bothy import Bothy
    from peers.copyparty import Copyparty
    from peers.nginx import Nginx
    from peers.rclone import Rclone
    from peers.rsync import Rsync
    from peers.syncthing import Syncthing

    return [Bothy(bothy), Nginx(), Rsync(), Copyparty(), Rclone(), Syncthing()]
