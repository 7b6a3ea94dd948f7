"""The agent of a device: started when it is needed, one per home, gone on with after any end."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from agent_people import Desk
from api import new_id
from fault_proxy import trickle
from server import BINARY
from waiting import wait_until

PLENTY = 24 << 20


@pytest.fixture
def agents(new_device):
    """Devices whose agents end with the test."""
    made = []

    def make(url=None, **names):
        device = new_device(**names).starts_its_agent()
        made.append(device)
        return device.register(url, f"{new_id()}@example.org") if url else device

    yield make
    for device in made:
        pid = holder(device).get("pid")
        if device.home.exists():
            device.run("agent", "--stop", check=False)
        if pid:
            wait_until(lambda: not alive(pid), what="the agent's end")


def folder(device):
    return Path(device.environment["BOTHY_HOME"]) / "agent"


def holder(device):
    try:
        return json.loads((folder(device) / "holder.json").read_text())
    except FileNotFoundError:
        return {}


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def background(device):
    return device.json("agent", "--background")["pid"]


def line(device, part):
    return next((line for line in device.json("status")["lines"] if line["part"] == part), None)


@pytest.fixture
def undecided(server, new_device):
    """A laptop whose agent runs, on which something waits for a person, and a phone of the same account."""
    desk = Desk(server, new_device("laptop").starts_its_agent(), new_device("phone"))
    background(desk.laptop)
    desk.put(desk.laptop, "a.txt", "base")
    desk.both_change("a.txt", "mine", "theirs")
    wait_until(lambda: "a.txt" in desk.laptop.run("conflicts").stdout)
    yield desk
    desk.laptop.run("agent", "--stop", check=False)


def test_what_is_written_down_beside_an_agent_is_sent_at_once(undecided):
    """The phone only looks, so that nothing else tells the agent to."""
    laptop, phone = undecided.laptop, undecided.phone
    laptop.run("mkdir", "/new")
    wait_until(lambda: phone.run("stat", "/new", check=False).code == 0)
    laptop.run("rm", "/new", "--wait")
    assert phone.run("stat", "/new", check=False).code == 4
    laptop.run("resolve", "/a.txt", "--keep", "mine")
    wait_until(lambda: phone.cat("/a.txt") == b"mine")


def test_a_command_that_needs_it_starts_it_and_it_outlives_the_command(agents, shared_server):
    device = agents(shared_server.url)
    assert device.json("status")["agent"] == {"running": False}
    device.run("resume")
    status = device.json("status")
    assert status["agent"]["running"] and alive(status["agent"]["pid"])
    assert os.getsid(status["agent"]["pid"]) == status["agent"]["pid"]
    assert oct((folder(device)).stat().st_mode & 0o777) == "0o700"
    assert background(device) == status["agent"]["pid"], "it runs already"


def test_it_hears_of_the_server_by_an_event_stream_and_is_still(agents, proxy):
    device = agents(proxy.url)
    pid = background(device)
    wait_until(lambda: (line(device, "server") or {}).get("state") == "idle", what="the stream")
    assert "as they happen" in line(device, "server")["words"]
    assert len(proxy.seen(lambda r: r.path == "/v1/events")) == 1
    # What belongs to its beginning takes as long as the machine makes it take.
    wait_until(lambda: cpu_within(pid, 1) <= 1, what="the end of its beginning")
    before = len(proxy.exchanges)
    assert cpu_within(pid, 3) <= 2, "an agent with nothing to do does nothing (hundredths of a second)"
    assert len(proxy.exchanges) == before


def cpu_within(pid, seconds):
    """Hundredths of a second that it works. Nothing is waited for: it is the time in which nothing may happen."""
    before = cpu(pid)
    time.sleep(seconds)
    return cpu(pid) - before


def cpu(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def test_a_transfer_whose_command_was_killed_is_gone_on_with(agents, proxy, tmp_path):
    device = agents(proxy.url)
    background(device)
    source = tmp_path / "big.bin"
    source.write_bytes(os.urandom(PLENTY))
    slow = proxy.add(trickle(1 << 20, matches=lambda r: r.is_chunk, times=1000))
    command = device.start("put", source, "/")
    wait_until(lambda: proxy.bytes_up > 4 << 20, what="the first chunk")
    command.kill()
    command.wait()
    slow.times = 0
    wait_until(lambda: not device.run("transfers", "--json").stdout, seconds=60, what="the agent's going on")
    assert device.run("cat", "/big.bin").stdout_bytes == source.read_bytes()


def test_a_transfer_that_was_cut_off_before_the_agent_began_is_gone_on_with(agents, proxy, tmp_path):
    device = agents(proxy.url)
    source = tmp_path / "big.bin"
    source.write_bytes(os.urandom(PLENTY))
    slow = proxy.add(trickle(1 << 20, matches=lambda r: r.is_chunk, times=1000))
    command = device.start("put", source, "/")
    wait_until(lambda: proxy.bytes_up > 4 << 20, what="the first chunk")
    command.kill()
    command.wait()
    # kill -9 on the agent in the middle, and once more SIGTERM: the next goes on each time.
    for end in (signal.SIGKILL, signal.SIGTERM):
        seen = proxy.bytes_up
        pid = background(device)
        wait_until(lambda: proxy.bytes_up > seen + (1 << 20), what="the agent's going on")
        os.kill(pid, end)
        wait_until(lambda: not alive(pid), what="the agent's end")
    slow.times = 0
    background(device)
    wait_until(lambda: not device.run("transfers", "--json").stdout, seconds=60, what="the agent's going on")
    assert device.run("cat", "/big.bin").stdout_bytes == source.read_bytes()


def test_what_a_person_stopped_stays_stopped(agents, proxy, tmp_path):
    device = agents(proxy.url)
    background(device)
    source = tmp_path / "big.bin"
    source.write_bytes(os.urandom(PLENTY))
    proxy.add(trickle(1 << 20, matches=lambda r: r.is_chunk, times=1000))
    command = device.start("put", source, "/")
    wait_until(lambda: proxy.bytes_up > 4 << 20, what="the first chunk")
    command.send_signal(signal.SIGINT)
    assert command.wait(60) == 130
    # The agent has looked once this is answered.
    device.run("pause")
    device.run("resume")
    (transfer,) = device.run("transfers", "--json").json_lines()
    assert (transfer["state"], transfer["reason"]) == ("paused", "stopped")
    assert device.json("status")["transfers"]["stopped"] == 1


def test_a_second_agent_says_who_is_the_first(agents, shared_server):
    device = agents(shared_server.url)
    pid = background(device)
    said = device.run("agent", check=False)
    assert said.code == 1 and f"process {pid}" in said.stderr
    assert alive(pid)


def test_two_commands_at_once_start_one_agent(agents, shared_server):
    device = agents(shared_server.url)
    commands = [subprocess.Popen([BINARY, "agent", "--background", "--json"], stdout=subprocess.PIPE,
                                 cwd=device.home, env=device.environment) for _ in range(6)]
    pids = {json.loads(command.communicate(timeout=60)[0])["pid"] for command in commands}
    assert len(pids) == 1


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_no_end_stops_the_next_start(agents, shared_server, end):
    device = agents(shared_server.url)
    for _ in range(3):
        pid = background(device)
        os.kill(pid, end)
        wait_until(lambda: not alive(pid), what="its end")
        assert device.json("status")["agent"] == {"running": False}
    assert alive(background(device))


def test_in_the_foreground_it_ends_in_order(agents, shared_server):
    device = agents(shared_server.url)
    agent = device.start("agent")
    wait_until(lambda: device.json("status")["agent"]["running"], what="the agent")
    agent.send_signal(signal.SIGTERM)
    assert agent.wait(60) == 0
    assert not (folder(device) / "socket").exists()


def test_a_home_deeper_than_a_sockets_name(agents, shared_server):
    device = agents()
    deep = device.home / ("d" * 60) / ("e" * 60)
    device.environment["BOTHY_HOME"] = str(deep / "bothy")
    device.register(shared_server.url, f"{new_id()}@example.org")
    assert alive(background(device))
    assert device.json("status")["agent"]["running"]


@pytest.mark.parametrize("taken", ["removed", "moved", "its socket removed"])
def test_a_home_that_is_taken_away_takes_its_agent_along(agents, shared_server, taken):
    device = agents(shared_server.url)
    pid = background(device)
    home = Path(device.environment["BOTHY_HOME"])
    if taken == "removed":
        # What it writes meanwhile may come between.
        wait_until(lambda: shutil.rmtree(home, ignore_errors=True) or not home.exists(), what="the home's end")
    elif taken == "moved":
        home.rename(home.with_name("elsewhere"))
    else:
        (folder(device) / "socket").unlink()
    wait_until(lambda: not alive(pid), what="its end")


def test_a_pause_holds_what_goes_on_by_itself(agents, proxy, tmp_path):
    device = agents(proxy.url)
    pid = background(device)
    wait_until(lambda: (line(device, "server") or {}).get("state") == "idle", what="the stream")
    # That it ends in the minute that it begins in says nothing.
    said = device.run("pause", "--for", "90s").stdout
    assert re.search(r"until \S+ \d\d:\d\d:\d\d\. ", said), said
    assert re.search(r"It ends at \S+ \d\d:\d\d:\d\d\.", device.run("status").stdout)
    said = device.json("pause", "--for", "1h")
    assert said["paused"] and said["until"]
    status = device.json("status")
    pause = next(line for line in status["lines"] if line["part"] == "pause")
    assert pause["reason"] == "user" and "bothy resume" in pause["remedy"] and status["agent"]["pid"] == pid
    # What is typed still runs.
    (tmp_path / "a.txt").write_text("a")
    device.put(tmp_path / "a.txt", "/")
    device.run("resume")
    assert line(device, "pause") is None
    wait_until(lambda: (line(device, "server") or {}).get("state") == "idle", what="the stream")
    assert device.run("pause", "--for", "soon", check=False).code == 2


def test_status_says_in_words_that_the_server_is_away(agents, proxy):
    device = agents(proxy.url)
    alone = device.run("status").stdout
    assert "not running; nothing is synced automatically" in alone and "answers in" in alone
    proxy.go_down()
    assert "cannot be reached" in device.run("status").stdout
    background(device)
    heard = wait_until(lambda: (line(device, "server") or {}).get("since") and line(device, "server"),
                       what="the agent's noticing")
    assert (heard["state"], heard["reason"]) == ("waiting", "offline")
    said = device.run("status").stdout
    assert "cannot be reached" in said and "Since " in said and "→" in said
    proxy.come_back()
    wait_until(lambda: (line(device, "server") or {}).get("state") == "idle", what="the server's return")


def test_a_folder_is_not_called_in_step_with_a_server_that_is_away(agents, proxy, tmp_path):
    """By `status` it was, until something changed in it."""
    device = agents(proxy.url)
    box = tmp_path / "box"
    box.mkdir()
    device.run("sync", box, "/box")

    def told():
        return next(line for line in device.json("status")["lines"] if line.get("subject") == str(box))

    wait_until(lambda: told()["words"] == "Synced with “/box”.", what="its being in step")
    proxy.go_down()
    heard = wait_until(lambda: (line(device, "server") or {}).get("since") and told(), what="the agent's noticing")
    assert heard["state"] == "waiting" and heard["reason"] == "offline", heard
    assert heard["words"].startswith("Last synced with “/box” on 20") and "until the server answers" in heard["words"]
    proxy.come_back()
    wait_until(lambda: told()["words"] == "Synced with “/box”.", what="the server's return")


def test_what_is_done_without_a_connection_goes_by_itself_once_there_is_one(agents, server):
    laptop = agents(server.url)
    laptop.run("ls")
    other = agents().login(server.url, laptop.json("whoami")["user"]["email"])
    server.stop()
    assert holder(laptop).get("pid") is None
    said = laptop.run("mkdir", "/trip").stderr
    assert "will be sent when there is one." in said and alive(holder(laptop)["pid"]), said
    server.start()
    wait_until(lambda: "trip/" in other.run("ls").stdout, what="the agent's sending it")


def test_whoever_wants_no_agent_gets_none(agents, server, tmp_path):
    laptop = agents(server.url)
    laptop.environment["BOTHY_AGENT"] = "off"
    (tmp_path / "box").mkdir()
    assert "the agent" not in laptop.run("sync", tmp_path / "box", "/box").stderr
    server.stop()
    assert "with the next command that reaches the server" in laptop.run("mkdir", "/trip").stderr
    assert not holder(laptop)


def test_signing_out_ends_it_and_signing_in_is_noticed(agents, shared_server):
    device = agents(shared_server.url)
    email = device.json("whoami")["user"]["email"]
    pid = background(device)
    device.run("logout")
    assert not alive(pid)
    pid = background(device)
    assert line(device, "account") is None and device.json("status").get("account") is None
    assert "nobody is signed in" in device.run("status").stdout
    device.login(shared_server.url, email)
    assert device.json("status")["agent"]["pid"] == pid
    wait_until(lambda: (line(device, "server") or {}).get("state") == "idle", what="the stream")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else")
def test_whoever_else_gets_to_its_socket_is_hung_up_on(agents, shared_server):
    home = Path(tempfile.mkdtemp(prefix="bothy-open-"))
    try:
        device = agents()
        device.environment["BOTHY_HOME"] = str(home / "bothy")
        device.register(shared_server.url, f"{new_id()}@example.org")
        background(device)
        # As if somebody had opened every door.
        for path in (home, home / "bothy", folder(device), folder(device) / "socket"):
            path.chmod(0o777)
        assert [heard_by(user, folder(device) / "socket") for user in (0, 65534)] == [9, 0]
        # The commands trust such a folder no more either.
        said = device.run("status", check=False)
        assert said.code == 1 and "Others can access" in said.stderr
        folder(device).chmod(0o700)
        device.run("agent", "--stop")
    finally:
        shutil.rmtree(home, ignore_errors=True)


def heard_by(user, path):
    """How many bytes another user's process is told, of the first nine."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setuid(user)
            with socket.socket(socket.AF_UNIX) as line:
                line.settimeout(60)
                line.connect(str(path))
                os.write(writing, bytes([len(line.recv(9, socket.MSG_WAITALL))]))
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    with os.fdopen(reading, "rb") as said:
        (count,) = said.read()
    return count


def test_a_bound_folder_is_kept_in_step_by_the_agent(agents, shared_server):
    one, other = agents(shared_server.url), agents()
    other.login(shared_server.url, one.json("whoami")["user"]["email"])
    folders = [device.home / "box" for device in (one, other)]
    for device, place in zip((one, other), folders):
        said = device.run("sync", place, "/box")
        assert "The agent keeps it synced" in said.stderr
        wait_until(lambda: (line(device, "folders") or {}).get("state") == "idle", what="the watch")
        assert line(device, "folders")["subject"] == str(place)
    (folders[0] / "a.txt").write_text("a")
    wait_until(lambda: (folders[1] / "a.txt").exists() and (folders[1] / "a.txt").read_text() == "a", what="the way there")
    (folders[1] / "a.txt").rename(folders[1] / "b.txt")
    wait_until(lambda: (folders[0] / "b.txt").exists() and not (folders[0] / "a.txt").exists(), what="the way back")
    # A command that does the same is lent the folder, and the agent goes on afterwards.
    one.run("sync", folders[0], "--once")
    (folders[1] / "c.txt").write_text("c")
    wait_until((folders[0] / "c.txt").exists, what="the agent's going on")
    one.run("unsync", folders[0], "--yes")
    wait_until(lambda: line(one, "folders") is None, what="the agent's letting go")


def test_a_bound_folder_that_vanishes_is_told_of_and_comes_back(agents, shared_server):
    device = agents(shared_server.url)
    place = device.home / "box"
    device.run("sync", place, "/box")
    (place / "a.txt").write_text("a")
    wait_until(lambda: (line(device, "folders") or {}).get("state") == "idle" and "a.txt" in device.run("ls", "/box").stdout,
               what="the file's way")
    place.rename(device.home / "elsewhere")
    device.run("pause")
    device.run("resume")
    held = wait_until(lambda: line(device, "folders")["state"] != "idle" and line(device, "folders"), what="the notice")
    assert held["remedy"] and "does not exist" in held["words"]
    (device.home / "elsewhere").rename(place)
    device.run("pause")
    device.run("resume")
    wait_until(lambda: line(device, "folders")["state"] == "idle", what="its return")
    assert (place / "a.txt").read_text() == "a"
