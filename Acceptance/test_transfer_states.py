"""The states that a person sees and the controls they have («UX states and user controls that matter»)."""

import re
import signal

import pytest

import fault_proxy
from content import write_content
from waiting import wait_until

MIB = 1 << 20
SIZE = 24 * MIB


def transfers(device):
    return device.run("transfers", "--json").json_lines()


@pytest.fixture
def broken_off(device, proxy, tmp_path):
    """An upload that was killed half way."""
    source = tmp_path / "film.bin"
    write_content(source, SIZE)
    proxy.add(fault_proxy.trickle(6 * MIB, fault_proxy.a_chunk, 1000))
    put = device.start("put", source, "/film.bin")
    wait_until(lambda: any(e.status == 308 for e in proxy.seen(fault_proxy.a_chunk)), what="a chunk")
    put.kill()
    put.wait()
    proxy.clear()
    return device, source


def test_a_transfer_that_broke_off_is_listed_with_its_progress(broken_off):
    device, _ = broken_off
    listed = transfers(device)
    assert len(listed) == 1
    said = str(listed[0])
    assert "film.bin" in said and listed[0]["state"] not in ("completed", "failed")


def test_paused_by_the_user_makes_the_reason_visible_and_resume_goes_on(broken_off):
    device, _ = broken_off
    one = transfers(device)[0]["id"]
    device.run("transfers", "pause", one)
    paused = transfers(device)[0]
    assert (paused["state"], paused["reason"]) == ("paused", "user")
    assert "pause" in device.run("transfers").text.lower()
    device.run("transfers", "resume", one)
    assert device.run("stat", "/film.bin").code == 0


def test_cancel_ends_it_and_frees_the_servers_session(broken_off, proxy):
    device, _ = broken_off
    device.run("transfers", "cancel", transfers(device)[0]["id"])
    assert not [t for t in transfers(device) if t["state"] not in ("canceled", "completed")]
    assert proxy.seen(lambda r: r.method == "DELETE" and "/v1/upload/" in r.path)


def test_failed_is_actionable_and_retry_from_scratch_exists(broken_off):
    device, source = broken_off
    source.unlink()
    name = transfers(device)[0]["id"]
    said = device.run("transfers", "resume", name, check=False)
    assert said.code != 0 and "film.bin" in said.text
    failed = transfers(device)[0]
    assert failed["state"] == "failed" and failed["error"]["code"] and failed["error"]["remedy"]
    write_content(source, SIZE)
    device.run("transfers", "retry", name, "--from-scratch")
    assert device.run("stat", "/film.bin").code == 0


def test_progress_never_runs_backwards_over_a_restart(broken_off, proxy):
    device, source = broken_off
    before = fraction(transfers(device)[0])
    proxy.add(fault_proxy.trickle(6 * MIB, fault_proxy.a_chunk, 1000))
    put = device.start("put", source, "/film.bin")
    seen = [before]
    count = len(proxy.exchanges)
    wait_until(lambda: len(proxy.exchanges) > count + 4 or put.poll() is not None, seconds=30, what="the upload going on")
    put.send_signal(signal.SIGKILL)
    put.wait()
    seen += [fraction(t) for t in transfers(device)[:1]]
    assert seen == sorted(seen)


def fraction(transfer):
    return transfer["bytesDone"] / transfer["bytesTotal"]


def test_plain_lines_where_there_is_no_terminal_and_quiet_with_q(device, tmp_path):
    write_content(tmp_path / "a", 5 * MIB)
    loud = device.put(tmp_path / "a", "/a")
    assert "\x1b" not in loud.text and "\r" not in loud.text
    quiet = device.run("put", "-q", tmp_path / "a", "/b")
    assert quiet.text == ""


def test_progress_on_a_terminal(device, proxy, tmp_path):
    """Bytes, rate and time left, on a real pseudo-terminal, never backwards."""
    import os
    import pty
    import subprocess

    from server import BINARY
    write_content(tmp_path / "film.bin", SIZE)
    proxy.add(fault_proxy.trickle(8 * MIB, fault_proxy.a_chunk, 1000))
    leader, follower = pty.openpty()
    put = subprocess.Popen([BINARY, "put", str(tmp_path / "film.bin"), "/film.bin"], stdin=follower, stdout=follower,
                           stderr=follower, env={**device.environment, "TERM": "xterm"}, close_fds=True)
    os.close(follower)
    said = b""
    while True:
        try:
            piece = os.read(leader, 4096)
        except OSError:
            break
        if not piece:
            break
        said += piece
    os.close(leader)
    assert put.wait(60) == 0, said
    shares = [float(share) for share in re.findall(r"(\d+(?:\.\d+)?) ?%", said.decode(errors="replace"))]
    assert shares and shares == sorted(shares) and shares[-1] > 0
    assert re.search(r"[KM]i?B/s", said.decode(errors="replace"))
