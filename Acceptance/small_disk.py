"""A disk that is small enough to fill: a tmpfs in a mount namespace of its own."""

import os
import subprocess
from pathlib import Path

from preconditions import machine_cannot


class SmallDisk:
    """Lies at `place` for whatever runs behind `prefix`, and at `outside` for the test."""

    def __init__(self, place, size, over=False):
        """`over` a folder that is there: what is in it is out of sight behind `prefix`, as below a mount."""
        self.place = Path(place)
        self.place.mkdir(exist_ok=over)
        mount = f'mount -t tmpfs -o size={size},mode=700 small "$0" && echo mounted && exec cat'
        self.holder = subprocess.Popen(["unshare", "-rm", "sh", "-c", mount, str(place)], text=True,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if self.holder.stdout.readline() != "mounted\n":
            machine_cannot(f"no disk can be mounted here: {self.holder.stderr.read().strip()}")
        self.prefix = ["nsenter", "-t", str(self.holder.pid), "-U", "--preserve-credentials", "-m"]
        self.root = f"/proc/{self.holder.pid}/root"
        self.outside = Path(f"{self.root}{self.place}")

    def free(self):
        facts = os.statvfs(self.outside)
        return facts.f_bavail * facts.f_frsize

    def fill(self, leave=0):
        """Takes all of its room but `leave` bytes."""
        with open(self.outside / "filler", "ab", buffering=0) as filler:
            piece = bytes(4096)
            try:
                while self.free() > leave:
                    filler.write(piece)
            except OSError:
                pass

    def make_room(self):
        (self.outside / "filler").unlink()

    def close(self):
        self.holder.stdin.close()
        self.holder.wait(60)
