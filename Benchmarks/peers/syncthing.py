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
from processes import Run, Server, free_port, program, run

FOLDER = "bench"


class Syncthing(Peer):
    name = "Syncthing"
    verifies = frozenset({"up", "tree"})

    def __init__(self, watches: bool = False):
        #: Whether it hears of changes by itself, or is told to look.
        self.watches = watches

    def missing(self):
        return None if program("syncthing") else "syncthing is not installed"

    def start(self, folder: Path):
        self.devices = [_Device(folder / side) for side in ("a", "b")]
        ids = [device.id for device in self.devices]
        for device, other in zip(self.devices, reversed(self.devices)):
            device.configure(ids, other, self.watches)
            device.start()
        for device in self.devices:
            device.wait_until_ready()

    def servers(self):
        return [device.server for device in self.devices]

    def put(self, file) -> Run:
        return self._deliver(lambda target: shutil.copy(file, target))

    def get(self, name, destination) -> Run:
        raise Unsupported("it only syncs whole folders")

    def put_tree(self, folder) -> Run:
        return self._deliver(lambda target: shutil.copytree(folder, target / folder.name))

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
        run(["syncthing", "generate", "--home", home, "--no-default-folder"])
        tree = ElementTree.parse(home / "config.xml")
        self.id = tree.find("device").get("id")
        self.key = tree.find("gui/apikey").text

    def configure(self, ids: list[str], other: "_Device", watches: bool):
        tree = ElementTree.parse(self.home / "config.xml")
        root = tree.getroot()
        for device in root.findall("device"):
            root.remove(device)
        for device_id in ids:
            device = ElementTree.SubElement(root, "device", id=device_id, name=device_id[:4], compression="metadata")
            address = ElementTree.SubElement(device, "address")
            address.text = f"tcp://127.0.0.1:{other.listen}" if device_id == other.id else "dynamic"
        folder = ElementTree.SubElement(
            root, "folder", id=FOLDER, path=str(self.files), type="sendreceive", rescanIntervalS="3600",
            fsWatcherEnabled=str(watches).lower(), fsWatcherDelayS="1")
        for device_id in ids:
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

    def ask(self, method: str, path: str):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.gui}{path}", method=method, headers={"X-API-Key": self.key})
        with urllib.request.urlopen(request, timeout=600) as answer:
            body = answer.read()
        return json.loads(body) if body.strip() else None
