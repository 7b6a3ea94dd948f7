"""Files of a pass go side by side, many at a time: what is through is told and known for good, whatever is still under way."""

import json
import os

from fault_proxy import a_chunk, a_download, hold, hold_download
from synced import meet
from waiting import wait_until

#: More than go side by side, in folders of their own.
SMALL = 320


def write_files(box):
    box.write("a film.bin", os.urandom(6 << 20))
    for number in range(SMALL):
        box.write(f"docs/{number % 16:02}/note {number}.md", f"note {number}")


class Pass:
    """One pass under way, and what it has told."""

    def __init__(self, box):
        self.log = box.device.home / "started.log"
        self.before = self.log.stat().st_size if self.log.exists() else 0
        self.process = box.device.start("sync", box.path, box.remote, "--once", "--json")

    def told(self, event):
        lines = self.log.read_bytes()[self.before:].splitlines(keepends=True)
        steps = [json.loads(line) for line in lines if line.endswith(b"\n")]
        return [step["path"] for step in steps if step.get("event") == event]

    def kill_once(self, event):
        """Waits until all small files are through, and kills it where it still goes on."""
        try:
            wait_until(lambda: len(self.told(event)) >= SMALL, what="all small files are told")
            assert "a film.bin" not in self.told(event) and self.process.poll() is None
        finally:
            self.process.kill()
            self.process.wait()


def goes_on_alone(box, event):
    steps, summary = box.events()
    assert [(step["event"], step["path"]) for step in steps] == [(event, "a film.bin")], "nothing is done twice"
    assert summary["failed"] == 0


def test_small_files_are_known_for_good_while_a_large_one_is_sent(desks, pair):
    box, other = pair
    write_files(box)
    desks.proxy.add(hold(a_chunk, times=1000))
    Pass(box).kill_once("sent")
    desks.proxy.clear()
    goes_on_alone(box, "sent")
    meet(other, box)
    assert other.tree() == box.tree()


def test_small_files_are_known_for_good_while_a_large_one_is_fetched(desks, pair):
    box, other = pair
    write_files(other)
    other.sync()
    desks.proxy.add(hold_download(1 << 20, a_download, times=1000))
    Pass(box).kill_once("fetched")
    desks.proxy.clear()
    goes_on_alone(box, "fetched")
    assert other.tree() == box.tree()


def test_what_two_devices_have_already_is_agreed_on_once_and_folders_first(desks, pair):
    box, other = pair
    for number in range(SMALL):
        folders = "/".join(f"{level}-{number % (level + 2)}" for level in range(6))
        box.write(f"{folders}/note {number}.md", f"note {number}")
        other.write(f"{folders}/note {number}.md", f"note {number}")
    box.sync()
    lines = other.sync("--once", "--json").json_lines()
    agreed = [line["path"] for line in lines if line.get("event") == "agreed"]
    assert len(agreed) == len(set(agreed)) == len(other.tree())
    seen = set()
    for path in agreed:
        parent = os.path.dirname(path)
        assert not parent or parent in seen, f"{path} was agreed on before its folder"
        seen.add(path)
    steps, _ = other.events()
    assert steps == []
