"""Two Syncthing devices that share a folder: what one is given is complete at the other."""

import json
import os
import shutil
import time
import urllib.error
import urllib.request
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from peers import Peer, Unsupported
from processes import Run, Server, free_port, program, run, wait_for_port
from relay import Relay

FOLDER = "bench"


class Syncthing(Peer):
    name = "Syncthing"
    verifies = frozenset({"up", "tree"})

    def __init__(self, watches: bool = False, counted: bool = False):
        #: Whether it hears of changes by itself, or is told to look.
        self.watches = watches
        #: Whether the two speak over `wire`, which counts what they say.
        self.counted = counted

    def missing(self):
        return None if program("syncthing") else "syncthing is not installed"

    def start(self, folder: Path):
        self.devices = [_Device(folder / side) for side in ("a", "b")]
        a, b = self.devices
        addresses = {a.id: f"tcp://127.0.0.1:{a.listen}", b.id: f"tcp://127.0.0.1:{b.listen}"}
        if self.counted:
            # Only A calls: with an address for each, they would meet beside the wire, too.
            self.wire = Relay(b.listen)
            addresses = {a.id: "dynamic", b.id: f"tcp://127.0.0.1:{self.wire.port}"}
        try:
            # Who is called has to be there when the other one calls: it calls again after a minute only.
            for device in reversed(self.devices):
                device.configure(addresses, self.watches)
                device.start()
            for device in self.devices:
                device.wait_until_ready()
        except BaseException:
            self.stop()
            raise

    def servers(self):
        return [device.server for device in self.devices if device.server]

    def stop(self):
        super().stop()
        if self.counted:
            self.wire.stop()

    def put(self, file) -> Run:
        return self._deliver(lambda target: shutil.copy(file, target))

    def get(self, name, destination) -> Run:
        raise Unsupported("it only syncs whole folders")

    def put_tree(self, folder) -> Run:
        return self._deliver(lambda target: shutil.copytree(folder, target / folder.name))

    def moved(self, changed: "_Device", other: "_Device") -> int:
        """What goes over the wire until a change at one device is at the other, and both have said all that they have to say about it."""
        self.wire.forget()
        changed.ask("POST", f"/rest/db/scan?folder={FOLDER}")
        deadline = time.monotonic() + 300
        while not changed.knows_complete(other):
            if time.monotonic() > deadline:
                raise TimeoutError("Syncthing did not finish in five minutes")
            time.sleep(0.1)
        self.wire.wait_until_quiet()
        return self.wire.bytes

    def _deliver(self, place) -> Run:
        """From the moment that the files lie at A to the moment that B says it has everything."""
        a, b = self.devices
        place(a.files)
        wanted = sum(entry.stat().st_size for entry in a.files.rglob("*") if entry.is_file())
        before = sum(server.cpu_seconds() for server in self.servers())
        started = time.monotonic()
        a.ask("POST", f"/rest/db/scan?folder={FOLDER}")
        while True:
            status = b.ask("GET", f"/rest/db/status?folder={FOLDER}")
            if status["needBytes"] == 0 and status["localBytes"] >= wanted and status["state"] == "idle":
                break
            if time.monotonic() - started > 600:
                raise TimeoutError("Syncthing did not finish in ten minutes")
            time.sleep(0.02)
        seconds = time.monotonic() - started
        cpu = sum(server.cpu_seconds() for server in self.servers()) - before
        return Run(seconds, cpu, a.server.peak_bytes())


class _Device:
    def __init__(self, home: Path):
        self.home = home
        self.files = home / "files"
        self.files.mkdir(parents=True)
        (self.files / ".stfolder").mkdir()
        self.listen, self.gui = free_port(), free_port()
        self.server: Server | None = None
        run(["syncthing", "generate", "--home", home, "--no-default-folder"])
        tree = ElementTree.parse(home / "config.xml")
        self.id = tree.find("device").get("id")
        self.key = tree.find("gui/apikey").text

    def configure(self, addresses: dict[str, str], watches: bool):
        """`addresses` are where each device of the folder is found, this one among them."""
        tree = ElementTree.parse(self.home / "config.xml")
        root = tree.getroot()
        for device in root.findall("device"):
            root.remove(device)
        for device_id, where in addresses.items():
            device = ElementTree.SubElement(root, "device", id=device_id, name=device_id[:4], compression="metadata")
            address = ElementTree.SubElement(device, "address")
            address.text = where if device_id != self.id else "dynamic"
        folder = ElementTree.SubElement(
            root, "folder", id=FOLDER, path=str(self.files), type="sendreceive", rescanIntervalS="3600",
            fsWatcherEnabled=str(watches).lower(), fsWatcherDelayS="1")
        for device_id in addresses:
            ElementTree.SubElement(folder, "device", id=device_id)
        root.find("gui/address").text = f"127.0.0.1:{self.gui}"
        options = root.find("options")
        for name, value in {
            "listenAddress": f"tcp://127.0.0.1:{self.listen}", "globalAnnounceEnabled": "false",
            "localAnnounceEnabled": "false", "relaysEnabled": "false", "natEnabled": "false", "urAccepted": "-1",
            "crashReportingEnabled": "false", "autoUpgradeIntervalH": "0", "startBrowser": "false",
        }.items():
            element = options.find(name)
            if element is None:
                element = ElementTree.SubElement(options, name)
            element.text = value
        tree.write(self.home / "config.xml")

    def start(self):
        command = ["syncthing", "serve", "--home", self.home, "--no-browser", "--no-restart", "--no-upgrade"]
        self.server = Server(command, log=self.home / "log", env={"HOME": str(self.home), "USER": os.environ.get("USER", "x")})
        wait_for_port(self.listen)

    def wait_until_ready(self):
        deadline = time.monotonic() + 60
        while True:
            try:
                connections = self.ask("GET", "/rest/system/connections")["connections"]
                if any(connection["connected"] for connection in connections.values()):
                    return
            except (urllib.error.URLError, ConnectionError):
                pass
            if time.monotonic() > deadline:
                raise TimeoutError("two Syncthing devices did not meet within a minute")
            time.sleep(0.05)

    def knows_complete(self, other: "_Device") -> bool:
        """Whether the other device has told this one that it lacks nothing."""
        lacks = self.ask("GET", f"/rest/db/completion?folder={FOLDER}&device={other.id}")
        return not (lacks["needBytes"] or lacks["needItems"] or lacks["needDeletes"])

    def ask(self, method: str, path: str):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.gui}{path}", method=method, headers={"X-API-Key": self.key})
        with urllib.request.urlopen(request, timeout=600) as answer:
            body = answer.read()
        return json.loads(body) if body.strip() else None
