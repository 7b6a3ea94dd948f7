"""Work without a connection: what is done is shown at once, kept, and sent when there is a connection again."""

import hashlib
import json
import os
import signal
import subprocess
import time

import pytest

from api import new_id
from waiting import wait_until

LATER = "will be sent when there is"


@pytest.fixture
def signed_in(server, new_device):
    """Makes devices of one account on a server that the test may stop."""
    email = f"{new_id()}@example.org"
    made = []

    def make():
        device = new_device()
        device.login(server.url, email) if made else device.register(server.url, email)
        made.append(device)
        return device

    return make


@pytest.fixture
def laptop(signed_in):
    """A device that has seen what there is."""
    device = signed_in()
    device.run("mkdir", "/docs")
    (device.home / "a.txt").write_text("first")
    device.put("a.txt", "/docs/")
    device.run("ls")
    return device


def names(device, folder="/"):
    return device.run("ls", folder).stdout.split()


def test_what_waits_for_a_connection_needs_nobody_to_resume_it(server, laptop):
    laptop.starts_its_agent()
    server.stop()
    try:
        (laptop.home / "b.txt").write_text("made in a train")
        laptop.put("b.txt", "/docs/")
        wait_until(lambda: laptop.json_lines("transfers"), what="the agent has tried")
        wait_until(lambda: "waiting to be sent" in laptop.run("transfers").stdout, what="it is left to the journal")
        status = laptop.run("status").stdout
        assert "1 change to be sent" in status and "resume" not in status, status
    finally:
        laptop.run("agent", "--stop", check=False)


def test_a_put_that_is_typed_again_without_a_connection_goes_on_and_comes_once(server, laptop):
    """It was written down anew beside the one that was cut off, and both came."""
    laptop.starts_its_agent()
    (laptop.home / "film").write_bytes(os.urandom(12 << 20))
    put = laptop.start("put", "--limit-rate", "3M", "film", "/docs/film")
    wait_until(lambda: any(line["bytesDone"] > 2 << 20 for line in laptop.json_lines("transfers")), what="some of it is there")
    put.kill()
    put.wait()
    [begun] = laptop.json_lines("transfers")
    server.stop()
    try:
        again = laptop.run("put", "film", "/docs/film")
        assert "will be resumed" in again.text and LATER in again.text, again.text
        assert laptop.json_lines("journal") == []
        server.start()
        wait_until(lambda: laptop.run("transfers").stdout.startswith("No transfer"), what="it has come")
        assert names(laptop, "/docs") == ["a.txt", "film"]
        assert [line["id"] for line in laptop.json_lines("transfers", "--all") if "film" in line["local"]] == [begun["id"]]
    finally:
        laptop.run("agent", "--stop", check=False)


@pytest.mark.parametrize("is_edited", [False, True])
def test_a_put_that_nobody_goes_on_with_is_kept_here_and_comes_once(server, laptop, is_edited):
    """Without an agent, or of a file that was edited since: what was begun is given up for what is kept."""
    film = laptop.home / "film"
    film.write_bytes(os.urandom(12 << 20))
    put = laptop.start("put", "--limit-rate", "3M", "film", "/docs/film")
    wait_until(lambda: any(line["bytesDone"] > 2 << 20 for line in laptop.json_lines("transfers")), what="some of it is there")
    put.kill()
    put.wait()
    server.stop()
    if is_edited:
        laptop.starts_its_agent()
        film.write_bytes(b"edited " * 900_000)
    content = film.read_bytes()
    try:
        assert "kept here" in laptop.put("film", "/docs/film").text
        film.unlink()
        server.start()
        wait_until(lambda: laptop.run("ls", "/docs") and laptop.json_lines("journal") == [], what="it was sent")
        assert names(laptop, "/docs") == ["a.txt", "film"]
        assert laptop.cat("/docs/film") == content
        wait_until(lambda: laptop.json_lines("transfers") == [], what="nothing of it is left")
    finally:
        laptop.run("agent", "--stop", check=False)


def test_a_paused_device_with_changes_that_wait_shows_what_the_server_has_now(server, laptop, signed_in):
    other = signed_in()
    server.stop()
    laptop.run("mkdir", "/later")
    laptop.run("pause")
    server.start()
    (other.home / "new.txt").write_text("from elsewhere")
    other.put("new.txt", "/docs/")
    assert names(laptop) == ["docs/", "later/"] and names(laptop, "/docs") == ["a.txt", "new.txt"]
    assert laptop.cat("/docs/new.txt") == b"from elsewhere"
    assert [w["kind"] for w in laptop.json_lines("journal")] == ["create_folder"], "it is held back"


def test_a_paused_device_without_a_connection_keeps_what_is_put(server, laptop):
    server.stop()
    laptop.run("pause")
    for name in ("b.txt", "c.txt"):
        (laptop.home / name).write_text(name)
        assert LATER in laptop.put(name, "/docs/", seconds=30).text
    assert names(laptop, "/docs") == ["a.txt", "b.txt", "c.txt"]


def test_every_change_works_without_a_connection_and_arrives_with_one(server, laptop, signed_in):
    server.stop()
    assert LATER in laptop.run("mkdir", "/trip").stderr
    laptop.run("mkdir", "/trip/photos")
    (laptop.home / "b.txt").write_text("made in a train")
    assert LATER in laptop.put("b.txt", "/trip/").text
    laptop.run("mv", "/docs/a.txt", "/trip/c.txt")
    laptop.run("star", "/trip/c.txt")
    laptop.run("mkdir", "/nothing")
    laptop.run("rm", "/nothing")
    assert names(laptop) == ["docs/", "trip/"]
    assert names(laptop, "/trip") == ["photos/", "b.txt", "c.txt"]
    assert laptop.cat("/trip/b.txt") == b"made in a train"
    waiting = laptop.run("journal", "--json").json_lines()
    assert [w["kind"] for w in waiting] == ["create_folder", "create_folder", "upload", "move", "star"]
    # The copy is the home's own: what becomes of the source changes nothing.
    (laptop.home / "b.txt").unlink()

    server.start()
    assert names(laptop, "/trip") == ["photos/", "b.txt", "c.txt"]
    assert laptop.run("journal").stdout == ""
    other = signed_in()
    assert names(other, "/trip") == ["photos/", "b.txt", "c.txt"]
    assert other.cat("/trip/b.txt") == b"made in a train"
    assert other.json("stat", "/trip/c.txt")["starred"] is True


def test_what_the_server_would_refuse_is_refused_at_once(server, laptop):
    server.stop()
    assert laptop.run("mkdir", "/docs", check=False).code == 4
    assert laptop.run("mv", "/nowhere", "/x", check=False).code == 4
    assert laptop.run("mkdir", "/no/such/folder", check=False).code == 4
    assert laptop.run("journal").stdout == ""


def test_a_home_that_has_seen_nothing_says_that_there_is_no_connection(server, signed_in):
    device = signed_in()
    server.stop()
    said = device.run("ls", check=False)
    assert said.code == 1 and "journal" not in said.text


def test_what_is_pinned_can_be_read_and_got_without_a_connection(server, laptop):
    content = bytes(range(256)) * 5000
    (laptop.home / "big").write_bytes(content)
    laptop.put("big", "/docs/")
    laptop.run("pin", "/docs")
    server.stop()
    assert hashlib.sha256(laptop.cat("/docs/big")).digest() == hashlib.sha256(content).digest()
    laptop.get("/docs/big", "copy")
    assert (laptop.home / "copy").read_bytes() == content
    laptop.run("unpin", "/docs")


def test_what_needs_a_connection_is_refused_at_once_where_there_is_none(server, laptop):
    """Each of them asked again for seconds whether somebody had come to listen meanwhile."""
    (laptop.home / "a.txt").write_text("second")
    laptop.put("--replace", "a.txt", "/docs/")
    laptop.run("ls", "/docs")
    server.stop()
    began = time.monotonic()
    for words in (["cp", "/docs/a.txt", "/docs/b.txt"], ["restore", "/docs", "--at", "1 minute ago"],
                  ["restore", "/docs/a.txt"], ["history", "/docs/a.txt"], ["cat", "--version", "1", "/docs/a.txt"],
                  ["rm", "--permanently", "--yes", "/docs/a.txt"], ["devices"]):
        said = laptop.run(*words, check=False)
        assert said.code == 1 and "cannot be reached" in said.stderr, said
    # With three pauses each they took half a minute; on a busy machine, without, five seconds.
    assert time.monotonic() - began < 15, "seven commands"


def test_what_waits_to_be_sent_is_said_to_wait(server, laptop):
    """There was nothing with its id, it said, and that a list of the folder shows what is there: it showed the file."""
    server.stop()
    (laptop.home / "h.bin").write_text("here")
    laptop.put("h.bin", "/", check=False)
    for words in (["history", "/h.bin"], ["restore", "/h.bin"], ["restore", "/h.bin", "--at", "1 minute ago"],
                  ["cp", "/h.bin", "/k.bin"], ["rm", "--permanently", "--yes", "/h.bin"]):
        said = laptop.run(*words, check=False)
        assert said.code == 1 and "“/h.bin” has not been sent yet." in said.stderr and "bothy journal" in said.stderr, said


def test_what_is_not_here_is_told_so(server, laptop):
    server.stop()
    said = laptop.run("cat", "/docs/a.txt", check=False)
    assert said.code == 1 and "pin" in said.text


def test_kills_at_any_moment_lose_nothing_and_do_nothing_twice(server, laptop):
    server.stop()
    for number in range(12):
        laptop.run("mkdir", f"/made-{number}")
    server.start()
    for _ in range(4):
        process = laptop.start("journal", "retry")
        try:
            process.wait(0.15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    laptop.run("journal", "retry")
    listed = ["docs/"] + [f"made-{number}/" for number in range(12)]
    assert names(laptop) == listed
    assert laptop.run("journal").stdout == ""
    server.stop()
    assert names(laptop) == listed


def test_an_edit_that_met_another_is_decided_by_the_person(server, laptop, signed_in):
    laptop.run("conflicts", "policy", "ask")
    other = signed_in()
    other.run("ls")
    server.stop()
    (laptop.home / "a.txt").write_text("mine")
    laptop.put("--replace", "a.txt", "/docs/")
    server.start()
    (other.home / "a.txt").write_text("theirs, longer")
    other.put("--replace", "a.txt", "/docs/")
    laptop.run("journal", "retry", check=False)
    assert [c["path"] for c in laptop.run("conflicts", "--json").json_lines()] == ["/docs/a.txt"]
    assert laptop.cat("/docs/a.txt") == b"theirs, longer"
    laptop.run("resolve", "/docs/a.txt", "--keep", "both")
    assert laptop.run("conflicts").stdout == ""
    listed = other.run("ls", "/docs").stdout.splitlines()
    assert len(listed) == 2 and any("conflict" in name for name in listed)
    assert laptop.cat("/docs/a.txt") == b"theirs, longer"


def test_keeping_mine_makes_a_new_version_and_theirs_stays_in_the_history(server, laptop, signed_in):
    laptop.run("conflicts", "policy", "ask")
    other = signed_in()
    other.run("ls")
    server.stop()
    (laptop.home / "a.txt").write_text("mine")
    laptop.put("--replace", "a.txt", "/docs/")
    server.start()
    (other.home / "a.txt").write_text("theirs, longer")
    other.put("--replace", "a.txt", "/docs/")
    laptop.run("journal", "retry", check=False)
    laptop.run("resolve", "/docs/a.txt", "--keep", "mine")
    assert other.cat("/docs/a.txt") == b"mine"
    assert len(other.run("history", "/docs/a.txt", "--json").json_lines()) == 3


def test_waiting_for_the_server_ends_when_it_is_back(server, laptop):
    laptop.starts_its_agent()
    server.stop()
    process = laptop.start("mkdir", "--wait", "/patient")
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(2)
    server.start()
    assert process.wait(60) == 0
    # Nothing is left for an agent to send.
    assert "no connection" not in (laptop.home / "started.log").read_text()
    assert not laptop.json("status")["agent"]["running"]
    assert "patient/" in names(laptop)


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "sigterm"])
def test_waiting_for_the_server_ends_at_the_first_signal_and_what_waits_is_kept(server, laptop, end):
    (laptop.home / "b.txt").write_text("patient")
    server.stop()
    process = laptop.start("put", "--wait", "b.txt", "/b.txt")
    wait_until(lambda: laptop.run("journal", "--json").json_lines(), what="it to be written down")
    wait_until(lambda: "Waiting for the server" in laptop.started_log(), what="it to say for what it waits")
    process.send_signal(end)
    assert process.wait(60) != 0
    assert laptop.started_log().count("Waiting for the server") == 1
    server.start()
    laptop.run("mkdir", "--wait", "/after")
    assert laptop.cat("/b.txt") == b"patient"


def told_to_scripts(device):
    return [json.loads(line) for line in device.started_log().splitlines()]


def test_a_script_that_waits_is_told_when_it_is_done(server, laptop):
    """It heard that the file waits, and nothing after that."""
    (laptop.home / "b.txt").write_text("patient")
    server.stop()
    process = laptop.start("put", "--wait", "--json", "b.txt", "/docs/b.txt")
    wait_until(lambda: laptop.json_lines("journal"), what="it to be written down")
    server.start()
    assert process.wait(60) == 0
    waits, done, summary = told_to_scripts(laptop)
    assert (waits["event"], done["event"], done["path"]) == ("paused", "done", "/docs/b.txt")
    assert done["sha256"] == hashlib.sha256(b"patient").hexdigest() and done["fileId"] == laptop.json("stat", "/docs/b.txt")["id"]
    assert (summary["event"], summary["done"], summary["paused"], summary["bytes"]) == ("summary", 1, 0, 7)


def test_a_script_that_waits_is_told_what_was_given_up_meanwhile(server, laptop):
    """It ended as if the file were there."""
    (laptop.home / "b.txt").write_text("patient")
    server.stop()
    process = laptop.start("put", "--wait", "--json", "b.txt", "/docs/b.txt")
    wait_until(lambda: laptop.json_lines("journal"), what="it to be written down")
    laptop.run("journal", "discard", "--yes", laptop.json_lines("journal")[0]["id"])
    assert process.wait(60) == 1
    waits, failed, summary = told_to_scripts(laptop)
    assert (waits["event"], failed["event"], failed["error"]["code"]) == ("paused", "failed", "canceled")
    assert (summary["failed"], summary["paused"]) == (1, 0)
    server.start()
    assert names(laptop, "/docs") == ["a.txt"]


def test_what_is_discarded_never_happens(server, laptop):
    server.stop()
    laptop.run("mkdir", "/a")
    laptop.run("mkdir", "/a/b")
    number = laptop.run("journal", "--json").json_lines()[0]["id"]
    laptop.run("journal", "discard", "--yes", number)
    assert names(laptop) == ["docs/"]
    server.start()
    assert names(laptop) == ["docs/"]


def test_a_copy_that_a_kill_cut_off_is_gone_at_the_next_start(server, laptop):
    """A part of it stayed on this device for good."""
    large = laptop.home / "large.bin"
    with open(large, "wb") as file:
        file.truncate(600 << 20)
    content = laptop.home / "bothy" / "content"
    server.stop()
    put = laptop.start("put", "large.bin", "/docs/")
    wait_until(lambda: list((content / "copying").iterdir()), what="it is being copied")
    (mark,) = (content / "copying").iterdir()
    put.kill()
    put.wait()
    assert mark.exists() and (content / "pending" / mark.name).exists()
    laptop.run("ls")
    assert not list((content / "copying").iterdir()) and not list((content / "pending").iterdir())
    assert laptop.json_lines("journal") == []
    (laptop.home / "b.txt").write_text("made in a train")
    laptop.put("b.txt", "/docs/")
    assert len(list((content / "pending").iterdir())) == 1


def test_signing_out_with_work_pending_asks_first(server, laptop):
    server.stop()
    laptop.run("mkdir", "/a")
    said = laptop.run("logout", check=False)
    assert said.code == 1 and "a" in names(laptop)[0]


def test_a_status_that_finds_the_server_sends_what_waits(server, laptop, signed_in):
    server.stop()
    assert "with the next command that reaches the server" in laptop.run("mkdir", "/trip").stderr
    assert any("waits" in line["words"] or line["state"] == "waiting" for line in laptop.json("status")["lines"])
    server.start()
    left = [line for line in laptop.json("status")["lines"] if line["part"] == "journal"]
    assert all(line["state"] == "idle" for line in left), left
    assert laptop.run("journal").stdout == ""
    assert "trip/" in names(signed_in())


def test_the_only_copy_of_what_was_never_sent_keeps_its_name_and_comes_back(server, laptop):
    """It lay in the home under a number, and no command listed it or brought it back."""
    server.stop()
    laptop.run("mkdir", "/trip")
    (laptop.home / "b.txt").write_text("the only copy")
    laptop.put("b.txt", "/trip/")
    (laptop.home / "b.txt").unlink()
    said = laptop.run("rm", "/trip/b.txt").stdout
    assert "“bothy trash put-back --local /trip/b.txt”" in said, said
    assert names(laptop, "/trip") == []
    listed = laptop.run("trash", "--local").stdout
    assert "/trip/b.txt" in listed and "before it was sent" in listed, listed
    [item] = laptop.run("trash", "--local", "--json").json_lines()
    assert item["path"] == "/trip/b.txt" and item["reason"] == "removed" and item["size"] == 13, item
    with open(item["at"]) as file:
        assert file.read() == "the only copy"
    assert "bothy trash --local" in laptop.run("status").stdout
    laptop.run("rm", "/trip")
    assert LATER in laptop.run("trash", "put-back", "--local", "/trip/b.txt").stderr
    assert laptop.cat("/trip/b.txt") == b"the only copy"
    assert laptop.run("trash", "--local", "--json").json_lines() == []
    number = laptop.run("journal", "--json").json_lines()[-1]["id"]
    assert "bothy trash --local" in laptop.run("journal", "discard", number).stdout
    [item] = laptop.run("trash", "--local", "--json").json_lines()
    assert item["path"] == "/trip/b.txt" and item["reason"] == "discarded", item
    server.start()
    laptop.run("trash", "put-back", "--local", item["id"])
    assert laptop.cat("/trip/b.txt") == b"the only copy" and laptop.run("journal").stdout == ""
    laptop.run("rm", "/trip/b.txt")
    assert "/trip" in laptop.run("trash").stdout.splitlines()[-1], "where it was is told"


def test_what_was_given_up_goes_for_good_with_the_local_trash(server, laptop):
    server.stop()
    (laptop.home / "b.txt").write_text("b")
    laptop.put("b.txt", "/")
    laptop.run("rm", "/b.txt")
    [item] = laptop.run("trash", "--local", "--json").json_lines()
    laptop.run("trash", "empty", "--local", "--yes")
    assert laptop.run("trash", "--local", "--json").json_lines() == [] and not os.path.exists(item["at"])
