"""The agent's systemd unit, under a real user manager in a corner of its own."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from preconditions import machine_cannot
from server import BINARY, ROOT
from waiting import TookTooLong, wait_until

MANAGER = "/lib/systemd/systemd"

CORNER = """
mount -t tmpfs none /run && mkdir -p /run/systemd/system "$XDG_RUNTIME_DIR" && chmod 700 "$XDG_RUNTIME_DIR"
umount -R /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup && mkdir -p /sys/fs/cgroup/corner
echo $$ > /sys/fs/cgroup/corner/cgroup.procs
dbus-daemon --session --address="$DBUS_SESSION_BUS_ADDRESS" --fork
"$0" --user --log-target=console > "$HOME/manager.log" 2>&1 &
exec cat
"""
"""A user manager asks for a machine that systemd has started, and for a part of the control groups."""


@pytest.fixture
def manager(tmp_path):
    """A user manager that knows the packaged unit, for the binary under test."""
    if os.geteuid() != 0 or not Path(MANAGER).exists() or not shutil.which("dbus-daemon"):
        machine_cannot("no systemd user manager can be run here")
    home = tmp_path / "home"
    units = home / ".config/systemd/user"
    (units / "bothy-agent.service.d").mkdir(parents=True)
    unit = (ROOT / "packaging/user/bothy-agent.service").read_text()
    assert "ExecStart=/usr/local/bin/bothy agent\n" in unit
    (units / "bothy-agent.service").write_text(unit.replace("/usr/local/bin/bothy", BINARY))
    (units / "bothy-agent.service.d/quick.conf").write_text("[Service]\nRestartSec=0.2\n")
    started = Manager(home)
    try:
        started.come_up()
    except TookTooLong:
        started.close()
        machine_cannot("a systemd user manager does not come up here: no control groups of its own, or no bus")
    yield started
    started.close()


class Manager:
    def __init__(self, home):
        self.home = home
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_RUNTIME_DIR": "/run/user/corner",
                            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/corner/bus"}
        self.process = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--cgroup", "--fork", "--kill-child", "--mount-proc", "bash", "-c", CORNER, MANAGER],
            env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.inside = None

    def come_up(self):
        child = f"/proc/{self.process.pid}/task/{self.process.pid}/children"
        self.inside = wait_until(lambda: Path(child).read_text().split(), what="the corner")[0]
        wait_until(lambda: self.control("is-system-running").stdout.strip() == "running", what="the manager", every=0.1)

    def run(self, *words):
        return subprocess.run(["nsenter", "-t", self.inside, "-m", "-p", "-C", *words], env=self.environment,
                              capture_output=True, text=True, timeout=60)

    def control(self, *words):
        return self.run("systemctl", "--user", *words)

    def show(self, field):
        return self.control("show", "-p", field, "--value", "bothy-agent").stdout.strip()

    def bothy(self, *words):
        return self.run(BINARY, *words)

    def close(self):
        self.process.stdin.close()
        self.process.wait(60)


@pytest.mark.needs_root
def test_the_units_words_are_known_to_systemd(tmp_path):
    if not shutil.which("systemd-analyze"):
        machine_cannot("there is no systemd-analyze here")
    unit = tmp_path / "bothy-agent.service"
    text = (ROOT / "packaging/user/bothy-agent.service").read_text()
    unit.write_text(text.replace("/usr/local/bin/bothy", BINARY))
    said = subprocess.run(["systemd-analyze", "verify", "--user", "--man=no", unit], capture_output=True, text=True,
                          env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)})
    assert said.returncode == 0 and said.stderr == "", said.stderr


@pytest.mark.needs_root
def test_systemd_starts_it_ends_it_and_starts_it_again(manager):
    assert manager.control("start", "bothy-agent").returncode == 0
    first = manager.show("MainPID")
    wait_until(lambda: re.search(r"^agent +running", manager.bothy("status").stdout, re.MULTILINE), what="its status")
    manager.run("kill", "-9", first)
    wait_until(lambda: manager.show("MainPID") not in ("0", first) and manager.show("ActiveState") == "active",
               what="its coming back")
    # Active is a process that has begun; what can be ended is an agent that listens.
    wait_until(lambda: re.search(r"^agent +running", manager.bothy("status").stdout, re.MULTILINE), what="its status again")
    # A person's own word ends it, and that is no failure.
    assert manager.bothy("agent", "--stop").returncode == 0
    wait_until(lambda: manager.show("ActiveState") == "inactive", what="its end")
    assert manager.show("Result") == "success"
    manager.control("start", "bothy-agent")
    wait_until(lambda: re.search(r"^agent +running", manager.bothy("status").stdout, re.MULTILINE), what="its last status")
    assert manager.control("stop", "bothy-agent").returncode == 0 and manager.show("Result") == "success"


@pytest.mark.needs_root
def test_it_takes_over_when_an_agent_that_a_command_started_ends(manager):
    assert manager.bothy("agent", "--background").returncode == 0
    manager.control("start", "bothy-agent")
    wait_until(lambda: manager.show("SubState") == "auto-restart", what="its giving way")
    manager.bothy("agent", "--stop")
    manager.control("start", "bothy-agent")
    wait_until(lambda: manager.show("ActiveState") == "active", what="its turn")
