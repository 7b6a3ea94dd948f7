"""A device goes on with a server that is newer than it: words of answers that it does not know stop nothing beside them.

The server is today's, behind a proxy that says the words of tomorrow.
"""

import json

from fault_proxy import a_batch, answer, rewrite

MOON = {"type": "/problems/moon_phase", "title": "The moon is wrong", "code": "moon_phase", "detail": "The moon is not full tonight."}


def a_page_of_changes(request):
    return request.method == "GET" and request.path == "/v1/changes"


def with_an_album(page):
    """A kind of thing that changes, and a kind of medium, that nobody here has heard of; more fields, too."""
    page["changes"].insert(0, {"kind": "album", "id": "a1", "removed": False, "album": {"name": "Norway"}})
    page["changes"].append({"kind": "moon", "id": "m1", "removed": True})
    for change in page["changes"]:
        if change.get("file"):
            change["file"]["media"] = {"kind": "hologram", "takenAt": "2026-11-30T10:00:00.000Z", "width": 3, "height": 4}
    page["tides"] = {"kind": "spring"}


def refused(status, **more):
    body = {**MOON, "status": status, **more}
    return {"status": status, "headers": [("Content-Type", "application/problem+json")], "body": json.dumps(body).encode()}


def test_a_folder_stays_in_step_with_what_it_knows(desks, pair):
    a, b = pair
    desks.proxy.add(rewrite(with_an_album, a_page_of_changes, times=99))
    a.write("mine", "m")
    a.sync()
    b.sync()
    b.write("theirs", "t")
    b.sync()
    for _ in range(2):
        a.sync()
    assert a.tree() == {"mine": b"m", "theirs": b"t"}
    (b.path / "theirs").unlink()
    b.sync()
    a.sync()
    assert a.tree() == {"mine": b"m"}


def test_what_is_known_here_goes_on_being_kept(device, proxy):
    proxy.add(rewrite(with_an_album, a_page_of_changes, times=99))
    note = device.home / "note"
    note.write_text("n")
    device.put(note, "/")
    assert "note" in device.run("ls", "/").stdout
    device.run("mkdir", "/docs")
    device.run("mv", "/note", "/docs/note")
    # Without the server it shows what the pages told.
    proxy.go_down()
    assert device.run("ls", "/docs").stdout.split()[-1] == "note"
    proxy.come_back()
    assert "note" in device.run("ls", "/docs").stdout


def test_a_refusal_with_a_code_of_tomorrow_is_told_in_the_servers_words(device, proxy):
    proxy.add(answer(matches=lambda r: r.path == "/v1/files" and r.method == "POST", **refused(409)))
    said = device.run("mkdir", "/docs", check=False)
    assert said.code not in (0, 6) and MOON["detail"] in said.text
    proxy.add(answer(matches=lambda r: r.path == "/v1/files" and r.method == "POST", **refused(422)))
    said = device.run("mkdir", "/docs", "--json", check=False)
    assert MOON["code"] in said.text and said.code != 0
    device.run("mkdir", "/docs")
    assert "docs" in device.run("ls", "/").stdout


def test_a_server_that_is_busy_for_a_reason_of_tomorrow_is_asked_again(device, proxy):
    proxy.add(answer(matches=lambda r: r.path == "/v1/files" and r.method == "POST", **refused(503, retryAfter=0)))
    device.run("mkdir", "/docs")
    assert "docs" in device.run("ls", "/").stdout


def test_one_file_of_many_that_is_refused_so_keeps_no_other_back(device, proxy):
    source = device.home / "many"
    source.mkdir()
    for number in range(12):
        (source / f"f{number}").write_text(f"content {number}")

    def refuse_one(outcomes):
        if len(outcomes["items"]) > 1:
            item = outcomes["items"][0]
            kept = {"requestId": item.get("requestId"), "status": 422, "problem": {**MOON, "status": 422}}
            item.clear()
            item.update(kept)

    proxy.add(rewrite(refuse_one, a_batch))
    said = device.put(source, "/", check=False)
    assert said.code != 0 and MOON["detail"] in said.text
    # The server of today has stored that one, too: only what is told of it is of tomorrow.
    names = device.run("ls", "/many").stdout.split()
    assert {f"f{number}" for number in range(12)}.issubset(names)
