"""Mounts inside a folder in step, in a mount namespace of their own: a part of the same disk, an overlay."""

import subprocess

from preconditions import machine_cannot


class InnerMounts:
    """What is mounted here is seen by what runs behind `prefix`, and by nobody else."""

    def __init__(self):
        self.holder = subprocess.Popen(["unshare", "-rm", "sh", "-c", "echo ready && exec cat"], text=True,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if self.holder.stdout.readline() != "ready\n":
            machine_cannot(f"no namespace of its own can be had here: {self.holder.stderr.read().strip()}")
        self.prefix = ["nsenter", "-t", str(self.holder.pid), "-U", "--preserve-credentials", "-m"]

    def run(self, *command):
        done = subprocess.run([*self.prefix, *map(str, command)], capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            machine_cannot(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
        return done.stdout

    def bind(self, source, place):
        self.run("mount", "--bind", source, place)

    def overlay(self, lower, upper, work, place):
        # Without `userxattr`, whoever is root in a namespace alone can delete no folder of the lower layer.
        layers = f"lowerdir={lower},upperdir={upper},workdir={work},userxattr"
        self.run("mount", "-t", "overlay", "overlay", "-o", layers, place)

    def unmount(self, place):
        self.run("umount", place)

    def tree(self, folder):
        """Every file in it by its path, with its content, as seen from in here."""
        names = self.run("find", folder, "-name", ".bothy", "-prune", "-o", "-type", "f", "-printf", "%P\\n").splitlines()
        return {name: self.run("cat", folder / name) for name in names}

    def close(self):
        self.holder.stdin.close()
        self.holder.wait(60)
