"""Three homes of one account on one disk, with a server and networks that fail: what the torture is done to."""

import hashlib
import os
import signal
from pathlib import Path

from api import FOLDER, Api
from device import Device
from fault_proxy import any_request, delay, drop_answer
from people import differences, tree_of
from server import Server
from synced import SyncedFolder
from waiting import TookTooLong, wait_until


class SyncedHome:
    """A device with a folder in step, which a watching process or the agent looks after; either may die at any time."""

    def __init__(self, device, proxy, by_agent):
        self.device, self.proxy, self.by_agent = device, proxy, by_agent
        self.folder = SyncedFolder(device)
        self.process = None

    @property
    def name(self):
        return self.device.name

    def begin(self):
        if self.process is None or self.process.poll() is not None:
            self.process = self.device.start("agent") if self.by_agent else self.folder.start("--watch")

    def kill(self):
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(60)
            self.process = None

    def end(self):
        """In order, as at the end of a session."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(60)
            self.process = None

    def passes(self):
        """One pass, what it asks about confirmed, as a person does who has looked; and how much it did."""
        done = 0
        for options in ((), ("--confirm",)):
            said = self.folder.sync("--json", *options, check=False)
            assert said.code in (0, 1, 3, 5), said
            summary = said.json_lines()[-1]
            assert "done" in summary, said
            done += summary["done"]
            if "held" not in summary:
                assert said.code == 0, said
                break
        return done

    def tree(self):
        return tree_of(self.folder.path)

    def trashed(self):
        """The hash of every file in the folder's own trash."""
        trash = self.folder.path / ".bothy/trash"
        return {file_hash(path) for path in trash.rglob("*") if path.is_file() and not path.is_symlink()}


def file_hash(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


class ThreeHomes:
    def __init__(self, folder, chance, proxy_to):
        self.server = Server(folder / "data").start()
        self.chance = chance
        self.homes = []
        email = "anna@example.org"
        for name in ("laptop", "desktop", "studio"):
            proxy = proxy_to(self.server)
            device = Device(folder / name, name)
            (device.register if not self.homes else device.login)(proxy.url, email)
            self.homes.append(SyncedHome(device, proxy, by_agent=name == "studio"))
        self.api = Api(self.server.url).login(email, name="judge")
        self.email, self.before = email, self.api.cursor()
        for home in self.homes:
            home.folder.path.mkdir()
            home.folder.sync()

    def close(self):
        for home in self.homes:
            home.kill()
        self.api.close()
        self.server.kill()

    def of(self, name):
        return next(home for home in self.homes if home.name == name)

    # Bad luck

    def trouble(self, tell):
        """Something breaks, or comes back."""
        home = self.chance.choice(self.homes)
        match self.chance.choice(["kill", "kill", "cut", "offline", "offline", "back", "back", "back", "lost", "slow", "server"]):
            case "kill":
                tell(home.name, "is killed")
                home.kill()
            case "cut":
                tell(home.name, "is cut off for a moment")
                home.proxy.disconnect()
            case "offline":
                tell(home.name, "has no network")
                home.proxy.go_down()
            case "back":
                tell(home.name, "is back")
                home.proxy.come_back()
                home.begin()
            case "lost":
                tell(home.name, "loses answers")
                home.proxy.add(drop_answer(matches=is_a_change, times=self.chance.randrange(1, 4)))
            case "slow":
                tell(home.name, "has a slow network")
                home.proxy.add(delay(self.chance.random(), matches=any_request, times=10))
            case "server":
                tell("the server", "is killed")
                self.server.kill()
                self.server.start()

    # Rest

    def come_to_rest(self):
        """Everything is mended, and all look until nobody has anything to do."""
        for home in self.homes:
            home.end()
            home.proxy.clear()
            home.proxy.come_back()
        for _ in range(12):
            if sum([home.passes() for home in self.homes]) == 0:
                return
        raise TookTooLong("the three do not come to rest: there is always something to do")

    def begin(self):
        for home in self.homes:
            home.begin()

    def wait_until_equal(self, seconds):
        """With every watch running, nobody typing and all networks up, all are equal before long."""
        try:
            wait_until(self.are_equal, seconds, "that all are equal with nobody typing", every=0.1)
        except TookTooLong as error:
            one, *others = [home.tree() for home in self.homes]
            raise TookTooLong(f"{error}: {[differences(one, other) for other in others]}") from None

    def are_equal(self):
        trees = [home.tree() for home in self.homes]
        return all(tree == trees[0] for tree in trees)

    def judge(self, ledger, own):
        """All equal, nothing lost, no false conflict; `own` is what each had of its own when it came to rest."""
        trees = {home.name: home.tree() for home in self.homes}
        first = trees["laptop"]
        for name, tree in trees.items():
            assert tree == first, f"laptop and {name} differ: {differences(first, tree)}"
        for name, tree in own.items():
            there = {path: facts for path, facts in first.items() if path.startswith(f"only {name}/")}
            tree = {f"only {name}/{path}": facts for path, facts in tree.items()}
            assert there == tree, f"of what only {name} writes: {differences(there, tree)}"
        false = [path for path in first if path.startswith("same/") and not path.rsplit("/", 1)[1].isdigit()]
        assert not false, f"the same content became two files: {false}"
        false = [why for path in first if (why := ledger.false_conflict(path, first))]
        assert not false, f"no conflict, and yet a copy: {false}"
        kept = {facts[0] for facts in first.values() if facts} | self.on_the_server()
        for home in self.homes:
            kept |= home.trashed()
        lost = {known: where for known, where in ledger.must_be_kept().items() if known not in kept}
        assert not lost, f"lost: {lost}"

    def on_the_server(self):
        """The hash of every revision of every file, in the trash or not."""
        self.api.login(self.email, name="judge")
        hashes = set()
        for file in self.every_file():
            hashes |= {revision["checksum"] for revision in self.api.revisions(file["id"])}
        return hashes

    def every_file(self):
        """All that has changed since the beginning, and so all there is: also what lies in the trash."""
        changes, _ = self.api.changes(self.before)
        files = [change["file"] for change in changes if change["kind"] == "file" and not change["removed"]]
        return [file for file in files if file["mimeType"] != FOLDER]


def is_a_change(request):
    return request.method in ("POST", "PATCH", "DELETE", "PUT") and "/auth/" not in request.path
