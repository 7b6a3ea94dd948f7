"""A folder in step on one device, and looking at what is in it."""

import json
import os
from pathlib import Path

from waiting import wait_until


OTHER_THAN_ONE_PASS = {"--once", "--watch", "--dry-run", "--plan"}


class SyncedFolder:
    def __init__(self, device, name="box", remote="/box"):
        self.device = device
        self.path = Path(device.home) / name
        self.remote = remote

    def sync(self, *options, check=True, **more):
        """One pass, unless the options say otherwise; without one of them the agent would go on with it."""
        once = () if OTHER_THAN_ONE_PASS.intersection(options) else ("--once",)
        return self.device.run("sync", self.path, self.remote, *options, *once, check=check, **more)

    def partly(self):
        """One pass that leaves something which cannot be synced as it is, and ends so that scripts know."""
        said = self.sync(check=False)
        assert said.code == 5, said
        return said

    def events(self, *options, check=True):
        """The steps of one pass, without what is only written down; and its summary."""
        lines = self.sync("--json", *options, check=check).json_lines()
        written = ("agreed", "agreed_anew", "forgotten", "left_out")
        steps = [line for line in lines if "event" in line and line["event"] not in written]
        return steps, lines[-1]

    def write(self, name, content=b"content"):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def read(self, name):
        return (self.path / name).read_bytes()

    def tree(self):
        """Every file and folder by its path: content, or None for a folder."""
        found = {}
        for folder, folders, files in os.walk(self.path):
            if Path(folder) == self.path:
                folders[:] = [name for name in folders if name != ".bothy"]
            for name in folders:
                path = Path(folder) / name
                found[str(path.relative_to(self.path))] = "link" if path.is_symlink() else None
            for name in files:
                path = Path(folder) / name
                try:
                    found[str(path.relative_to(self.path))] = "link" if path.is_symlink() else path.read_bytes()
                except FileNotFoundError:
                    pass  # It was moved meanwhile.
        return found

    def last_pass(self):
        """The number of the newest pass that did anything: what `undo` takes to take back what came from elsewhere."""
        return self.device.run("log", self.path, "--json").json_lines()[-1]["pass"]

    def trash(self):
        return self.device.run("trash", "--local", "--json").json_lines()

    def why(self, name):
        return self.device.json("why", self.path / name, check=False)

    def start(self, *options):
        return self.device.start("sync", self.path, self.remote, *options)

    def watch(self, **more):
        """Keeps it in step, and returns once it does."""
        (self.device.home / "started.log").write_text("")
        process = self.device.start("sync", self.path, self.remote, "--watch", **more)
        wait_until(lambda: "Ctrl-C ends it" in self.device.started_log(), what="it watches")
        return process


def meet(*folders, rounds=3):
    """Passes on all of them until none has anything to do, and then all are equal."""
    for _ in range(rounds):
        if not any([folder.events()[0] for folder in folders]):
            break
    trees = [folder.tree() for folder in folders]
    assert all(tree == trees[0] for tree in trees), json.dumps([sorted(tree) for tree in trees], indent=1)
    return trees[0]


def wait_for_tree(folder, expected, seconds=120.0):
    wait_until(lambda: folder.tree() == expected, seconds, f"{folder.path} looks as expected")
