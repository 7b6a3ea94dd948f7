"""A disk of another kind, mounted from an image: what it keeps of times, names and inodes is less than usual."""

import os
import shutil
import subprocess

import pytest

from preconditions import machine_cannot


class MountedDisk:
    """Lies at `place`. It can be taken out, and plugged in again."""

    def __init__(self, place, image, kind):
        if os.geteuid() != 0:
            machine_cannot("only root mounts disks")
        self.place, self.image, self.kind = place, image, kind
        place.mkdir(parents=True, exist_ok=True)
        with open(image, "wb") as file:
            file.truncate(64 << 20)
        if kind == "exfat":
            for program in ("mkfs.exfat", "mount.exfat-fuse"):
                if shutil.which(program) is None:
                    machine_cannot(f"{program} is not here")
            self._run("mkfs.exfat", image)
        else:
            self._run("mkfs.ext4", "-q", "-F", "-I", "128", image)
        self.loop = None
        self.plug_in()

    def _run(self, *command):
        result = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        if result.returncode:
            machine_cannot(f"{command[0]}: {result.stderr.strip()}")
        return result.stdout.strip()

    def plug_in(self):
        self.loop = self._run("losetup", "--show", "-f", self.image)
        if self.kind == "exfat":
            self._run("mount.exfat-fuse", self.loop, self.place)
        else:
            self._run("mount", self.loop, self.place)

    def take_out(self):
        self._run("umount", self.place)
        self._run("losetup", "-d", self.loop)
        self.loop = None

    def close(self):
        if self.loop:
            subprocess.run(["umount", "-l", str(self.place)], capture_output=True)
            subprocess.run(["losetup", "-d", self.loop], capture_output=True)


@pytest.fixture
def mounted(tmp_path):
    """Mounts a disk: `ext4` with small inodes, which keeps whole seconds and no births, or `exfat`."""
    disks = []

    def mount(place, kind):
        disks.append(MountedDisk(place, tmp_path / f"disk-{len(disks)}.img", kind))
        return disks[-1]

    yield mount
    for disk in disks:
        disk.close()
