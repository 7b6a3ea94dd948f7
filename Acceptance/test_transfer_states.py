"""The states that a person sees and the controls they have («UX states and user controls that matter»)."""

import os
import pty
import re
import subprocess

import pytest

import fault_proxy
from api import Api, new_id, problem
from content import write_content
from device import PASSWORD
from server import BINARY
from waiting import wait_until

MIB = 1 << 20
CHUNK = 4 * MIB  # in a request, or a block less
SIZE = 6 * CHUNK


def has_chunks(done, count):
    """Whether so many bytes are those of so many requests."""
    return count * (CHUNK - MIB // 4) <= done <= count * CHUNK


def transfers(device):
    return device.run("transfers", "--json").json_lines()


def let_through(proxy, chunks):
    """So many more chunks, and no more until the faults are cleared."""
    proxy.clear()
    proxy.add(fault_proxy.leave_alone(fault_proxy.a_chunk, chunks), fault_proxy.hold(fault_proxy.a_chunk, 1000))


@pytest.fixture
def broken_off(device, proxy, tmp_path):
    """An upload that was killed when two chunks of six were there, and written down."""
    source = tmp_path / "film.bin"
    device.digest = write_content(source, SIZE)
    let_through(proxy, 2)
    put = device.start("put", source, "/film.bin")
    wait_until(lambda: put.poll() is not None or any(has_chunks(t["bytesDone"], 2) for t in transfers(device)), every=0.1,
               what="two chunks that are written down")
    put.kill()
    put.wait()
    proxy.disconnect()
    proxy.clear()
    return device, source


def assert_there(device):
    assert device.json("stat", "/film.bin")["sha256"] == device.digest


def test_a_transfer_that_broke_off_is_listed_with_its_progress(broken_off):
    device, source = broken_off
    [listed] = transfers(device)
    assert listed["local"] == str(source) and has_chunks(listed["bytesDone"], 2) and listed["bytesTotal"] == SIZE, listed
    assert listed["state"] not in ("completed", "failed")
    said = device.run("transfers").stdout
    assert "film.bin" in said and any(f"{percent}% of 24 MiB" in said for percent in (31, 32, 33)) and "failed" not in said, said


def test_what_it_met_is_kept_for_whoever_reports_it(broken_off, proxy):
    device, _ = broken_off
    [before] = transfers(device)
    assert has_chunks(before["trace"]["byteOffset"], 2) and before["trace"]["serverStatus"] == 308, before
    proxy.add(fault_proxy.answer(502, fault_proxy.a_chunk, times=1000))
    resume = device.start("transfers", "resume", before["id"])
    wait_until(lambda: transfers(device)[0]["trace"].get("serverStatus") == 502, what="the refusal is written down")
    assert transfers(device)[0]["trace"]["mostAttempts"] > 0
    proxy.clear()
    resume.wait(timeout=120)
    assert_there(device)


def test_paused_by_the_user_makes_the_reason_visible_and_resume_goes_on(broken_off):
    device, _ = broken_off
    one = transfers(device)[0]["id"]
    device.run("transfers", "pause", one)
    [paused] = transfers(device)
    assert (paused["state"], paused["reason"]) == ("paused", "user")
    assert "paused by you" in device.run("transfers").stdout
    device.run("transfers", "resume", one)
    assert_there(device)


def test_a_command_whose_transfer_somebody_pauses_has_not_done_it(device, proxy, tmp_path):
    source = tmp_path / "film.bin"
    write_content(source, SIZE)
    let_through(proxy, 2)
    put = subprocess.Popen([BINARY, "put", source, "/film.bin"], env=device.environment, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wait_until(lambda: any(has_chunks(t["bytesDone"], 2) for t in transfers(device)), every=0.1, what="two chunks are there")
    device.run("transfers", "pause", "--all")
    said, _ = put.communicate(timeout=60)
    assert put.returncode == 1 and "film.bin is not complete: it was paused." in said and "bothy transfers resume" in said, said
    proxy.clear()
    device.run("transfers", "resume", "--all")
    assert device.json("stat", "/film.bin")["size"] == SIZE


def test_queued_without_a_network_it_waits_and_is_not_called_failed(broken_off, proxy):
    device, _ = broken_off
    proxy.go_down()
    resumed = device.start("transfers", "resume", transfers(device)[0]["id"])
    wait_until(lambda: resumed.poll() is not None or transfers(device)[0].get("reason") == "offline", every=0.1,
               what="the reason why it waits")
    assert resumed.poll() is None, device.started_log()
    said = device.run("transfers").stdout
    assert "connection lost, trying again" in said and "failed" not in said, said
    proxy.come_back()
    assert resumed.wait(120) == 0, device.started_log()
    assert_there(device)


def test_where_too_many_uploads_are_open_it_waits_and_says_why(device, shared_server, tmp_path):
    digest = write_content(tmp_path / "film.bin", SIZE)
    account = Api(shared_server.url).login(device.json("whoami")["user"]["email"], PASSWORD, name="witness")
    small = {"kind": "fixed", "chunkSize": 256 << 10}
    full = [account.start_upload(f"film {number}", 10 << 30, plan=small)["uploadId"] for number in range(64)]
    problem(account.call("POST", "/v1/upload", params={"uploadType": "resumable"}, json={
        "requestId": new_id(), "name": "one more", "size": 10, "plan": small}), 429, "too_many_uploads")

    put = device.start("put", tmp_path / "film.bin", "/film.bin")
    wait_until(lambda: any(one.get("reason") == "too_many_uploads" for one in transfers(device)), what="what it waits for")
    assert "too many uploads are open, trying again" in device.run("transfers").stdout
    account.call("DELETE", f"/v1/upload/{full[0]}", expect=204)
    assert put.wait(60) == 0, device.started_log()
    assert device.json("stat", "/film.bin")["sha256"] == digest


def test_cancel_ends_it_and_frees_the_servers_session(broken_off, proxy):
    device, _ = broken_off
    device.run("transfers", "cancel", transfers(device)[0]["id"])
    assert not [t for t in transfers(device) if t["state"] not in ("canceled", "completed")]
    assert [e.status for e in proxy.seen(lambda r: r.method == "DELETE" and "/v1/upload/" in r.path)] == [204]


def test_failed_is_actionable_and_retry_from_scratch_exists(broken_off):
    device, source = broken_off
    source.unlink()
    name = transfers(device)[0]["id"]
    said = device.run("transfers", "resume", name, check=False)
    assert said.code == 4 and "film.bin" in said.text and "Put the file back" in said.text, said
    [failed] = transfers(device)
    assert failed["state"] == "failed" and failed["error"]["code"] == "file_missing" and failed["error"]["remedy"]
    assert "failed" in device.run("transfers").stdout
    write_content(source, SIZE)
    device.run("transfers", "retry", name, "--from-scratch")
    assert_there(device)


def test_progress_never_runs_backwards_over_a_restart(broken_off, proxy):
    """It is counted in chunks that are there, so it stands where it stood, and goes on from there."""
    device, source = broken_off
    seen = [transfers(device)[0]["bytesDone"]]
    let_through(proxy, 2)
    put = device.start("put", source, "/film.bin")

    def further():
        seen.append(transfers(device)[0]["bytesDone"])
        return put.poll() is not None or has_chunks(seen[-1], 4)

    wait_until(further, every=0.1, what="two chunks more")
    put.kill()
    put.wait()
    seen.append(transfers(device)[0]["bytesDone"])
    assert has_chunks(seen[0], 2) and has_chunks(seen[-1], 4) and seen == sorted(seen), seen


def test_plain_lines_where_there_is_no_terminal_and_quiet_with_q(device, tmp_path):
    write_content(tmp_path / "a", 5 * MIB)
    loud = device.put(tmp_path / "a", "/a")
    assert "/a" in loud.text and "\x1b" not in loud.text and "\r" not in loud.text
    quiet = device.run("put", "-q", tmp_path / "a", "/b")
    assert quiet.text == ""


def test_progress_on_a_terminal(device, proxy, tmp_path):
    """Bytes, share, rate and time left, on a real pseudo-terminal, never backwards."""
    write_content(tmp_path / "film.bin", SIZE)
    proxy.add(fault_proxy.trickle(6 * MIB, fault_proxy.a_chunk, 1000))
    leader, follower = pty.openpty()
    put = subprocess.Popen([BINARY, "put", str(tmp_path / "film.bin"), "/film.bin"], stdin=follower, stdout=follower,
                           stderr=follower, env={**device.environment, "TERM": "xterm"}, close_fds=True)
    os.close(follower)
    said = b""
    try:
        while piece := os.read(leader, 4096):
            said += piece
    except OSError:  # nobody has the other end any more
        pass
    os.close(leader)
    text = said.decode(errors="replace")
    assert put.wait(60) == 0, text
    shares = [int(share) for share in re.findall(r"(\d+)%", text)]
    assert shares and shares == sorted(shares) and shares[-1] > 0, text
    assert re.search(r"\d MiB of 24 MiB  [0-9.]+ [KM]iB/s  \d+:\d\d left", text), text
