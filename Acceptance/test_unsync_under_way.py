"""A folder that is let go of leaves nothing behind that waits: what it had begun to send and to fetch ends with it."""

import signal
import time

import pytest

from content import fresh
from fault_proxy import a_chunk, a_download, any_request, hold, hold_download
from synced import meet
from waiting import wait_until

LARGE = 40 << 20


@pytest.fixture
def met(pair):
    a, b = pair
    a.write("first.txt", "first\n")
    meet(a, b)
    return a, b


def begin(desks, folder, fault, write):
    """A watch with a large file on its way, which does not arrive before the faults are cleared."""
    process = folder.watch()
    fault = desks.proxy.add(fault)
    write()
    wait_until(lambda: fault.used > 0, what="it is on its way")
    wait_until(lambda: transfers_of(folder), what="it is known here")
    return process


def begin_upload(desks, a):
    return begin(desks, a, hold(a_chunk, times=1000), lambda: a.write("large.bin", fresh(LARGE)))


def begin_download(desks, a, b):
    def write():
        b.write("large.bin", fresh(LARGE))
        b.sync()
    return begin(desks, a, hold_download(1 << 20, a_download, times=1000), write)


def transfers_of(folder):
    """Of this folder, those that are not over."""
    return [one for one in folder.device.json_lines("transfers")
            if one["local"].startswith(f"{folder.path}/") and one["state"] not in ("completed", "canceled")]


def end(process, how=signal.SIGTERM):
    process.send_signal(how)
    process.wait(60)


def names_there(b):
    return [file["name"] for file in b.device.run("ls", b.remote, "--json").json_lines()]


def nothing_waits(desks, a):
    """And nobody who lets all go on that waits sends or fetches anything of it."""
    assert transfers_of(a) == []
    desks.proxy.clear()
    desks.proxy.come_back()
    assert "large.bin" not in a.device.run("status").stdout
    a.device.run("transfers", "resume", "--all", check=False)
    assert transfers_of(a) == []


@pytest.mark.parametrize("how", [None, signal.SIGTERM, signal.SIGKILL])
def test_unsync_ends_the_large_file_that_is_being_sent(desks, met, how):
    """Whether the watch still runs, was ended, or was killed."""
    a, b = met
    process = begin_upload(desks, a)
    if how:
        end(process, how)
    a.device.run("unsync", a.path, "--yes")
    nothing_waits(desks, a)
    process.wait(60)
    assert sorted(a.tree()) == ["first.txt", "large.bin"]
    assert names_there(b) == ["first.txt"]


@pytest.mark.parametrize("how", [None, signal.SIGTERM, signal.SIGKILL])
def test_unsync_ends_the_large_file_that_is_being_fetched(desks, met, how):
    a, b = met
    process = begin_download(desks, a, b)
    if how:
        end(process, how)
    a.device.run("unsync", a.path, "--yes")
    nothing_waits(desks, a)
    process.wait(60)
    assert sorted(a.tree()) == ["first.txt"] and not (a.path / ".bothy").exists()
    assert names_there(b) == ["first.txt", "large.bin"]


def test_unsync_under_the_agent_ends_it_too(desks, met):
    a, b = met
    a.device.run("agent", "--background")
    try:
        fault = desks.proxy.add(hold(a_chunk, times=1000))
        a.write("large.bin", fresh(LARGE))
        wait_until(lambda: fault.used > 0, what="it is on its way")
        a.device.run("unsync", a.path, "--yes")
        nothing_waits(desks, a)
    finally:
        a.device.run("agent", "--stop")
    assert names_there(b) == ["first.txt"]


def test_unsync_without_a_connection_ends_it_here(desks, met):
    a, b = met
    end(begin_upload(desks, a))
    desks.proxy.go_down()
    a.device.run("unsync", a.path, "--yes")
    nothing_waits(desks, a)
    assert names_there(b) == ["first.txt"]


def test_unsync_waits_for_no_server_that_says_nothing(desks, met):
    a, b = met
    end(begin_upload(desks, a))
    desks.proxy.add(hold(any_request, times=1000))
    began = time.monotonic()
    a.device.run("unsync", a.path, "--yes")
    assert time.monotonic() - began < 30
    nothing_waits(desks, a)
    assert names_there(b) == ["first.txt"]
