"""Disks of a test's own: one that is small enough to fill, and one that turns read-only."""

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


class FailingDisk:
    """ext4 on a loop device, mounted at `place`, that turns read-only after an error, as disks do."""

    def __init__(self, place, image, size="256M"):
        self.place = Path(place)
        self.place.mkdir(parents=True)
        self._run("truncate", "-s", size, image)
        self._run("mkfs.ext4", "-q", "-F", image)
        self._run("mount", "-o", "loop,errors=remount-ro", image, self.place)
        device = self._run("findmnt", "-n", "-o", "SOURCE", self.place).strip()
        self.trigger = Path(f"/sys/fs/ext4/{Path(device).name}/trigger_fs_error")
        if not self.trigger.exists():
            self.close()
            machine_cannot("no error can be triggered on an ext4 file system here")

    @staticmethod
    def _run(*command):
        done = subprocess.run([*map(str, command)], capture_output=True, text=True)
        if done.returncode != 0:
            machine_cannot(f"no loop device can be mounted here: {done.stderr.strip()}")
        return done.stdout

    def turn_read_only(self):
        self.trigger.write_text("a test")

    def close(self):
        # Whatever still has a file open there lets go of it when it ends.
        subprocess.run(["umount", "-l", str(self.place)], capture_output=True)
