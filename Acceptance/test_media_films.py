"""Films as every browser plays them: made by the server behind the back of who asks, in a few sizes, and then kept."""

import os
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urljoin

import pytest

from api import Api, new_id, problem
from documented import assert_documented
from pictures import film, picture, streams, told_film, unplayed_film
from server import Server
from test_feed import follow, posted, read
from test_media import put, without_programs
from waiting import wait_until

WORDS = "behind the old mill"


def video(file):
    return {"type": "video", "contentUrl": file["downloadUrl"]}


def asked(api, address, film, method="GET", **headers):
    response = api.http.request(method, f"{address}&film={film}", headers=headers, follow_redirects=False)
    if response.status_code >= 300:
        assert_documented(response, method, "/v1/content/{revisionId}")
    return response


def leads_to(response):
    assert response.status_code == 307 and response.headers["cache-control"] == "no-store"
    query = response.headers["location"].removeprefix("?").split("&")
    return next((part.removeprefix("film=") for part in query if part.startswith("film=")), None)


def made(api, address, film):
    """The film, once it is there."""
    found = []

    def is_there():
        found[:] = [asked(api, address, film)]
        return found[0].status_code == 200

    wait_until(is_there, seconds=120, what=f"a film of {film}")
    return found[0]


def test_a_film_that_is_posted_is_made_smaller_and_says_nothing_of_itself(api, new_account):
    reader = new_account()
    follow(reader, api)
    file = put(api, "walk.mp4", told_film(WORDS), "video/mp4")
    post = posted(api, attachments=[video(file)])
    address = read(reader, post)["attachments"][0]["contentUrl"]
    for quality, (width, height) in (("720p", (1280, 720)), ("360p", (640, 360))):
        answer = made(reader, address, quality)
        assert streams(answer.content) == ("h264", width, height, ["aac"])
        assert answer.headers["content-type"] == "video/mp4" and WORDS.encode() not in answer.content
        assert answer.content.index(b"moov") < answer.content.index(b"mdat"), "what a player needs first comes first"
    assert len(answer.content) < len(told_film(WORDS)) / 2
    assert WORDS.encode() in api.read(file)


def test_a_film_is_read_by_ranges(api):
    file = put(api, "walk.mp4", told_film(WORDS), "video/mp4")
    whole = made(api, file["downloadUrl"], "360p")
    tag, size = whole.headers["etag"], len(whole.content)
    assert not tag.startswith("W/") and whole.headers["accept-ranges"] == "bytes" and tag != f'"{file["checksum"]}"'
    part = asked(api, file["downloadUrl"], "360p", Range="bytes=100-199", **{"If-Range": tag})
    assert part.status_code == 206 and part.content == whole.content[100:200]
    assert part.headers["content-range"] == f"bytes 100-199/{size}"
    other = asked(api, file["downloadUrl"], "360p", Range="bytes=100-199", **{"If-Range": '"another"'})
    assert other.status_code == 200 and other.content == whole.content
    assert asked(api, file["downloadUrl"], "360p", **{"If-None-Match": tag}).status_code == 304
    head = asked(api, file["downloadUrl"], "360p", "HEAD")
    assert head.status_code == 200 and head.headers["content-length"] == str(size) and head.content == b""
    past = asked(api, file["downloadUrl"], "360p", Range=f"bytes={size}-")
    assert past.status_code == 416 and past.headers["content-range"] == f"bytes */{size}"


def test_until_it_is_there_the_nearest_is_played_and_then_it_is(api):
    file = put(api, "walk.mp4", told_film(WORDS), "video/mp4")
    first = asked(api, file["downloadUrl"], "1080p")
    assert leads_to(first) is None
    assert api.http.get(urljoin(str(first.url), first.headers["location"])).content == told_film(WORDS)
    small = made(api, file["downloadUrl"], "360p")
    assert leads_to(asked(api, file["downloadUrl"], "720p")) == "360p"
    assert made(api, file["downloadUrl"], "720p").content != small.content


def test_what_every_browser_plays_and_is_no_larger_stays_as_it_is(shared_server, api):
    file = put(api, "f.mp4", film(), "video/mp4")
    place = shared_server.data / "media" / str(api.user["id"])
    assert leads_to(asked(api, file["downloadUrl"], "720p")) is None
    wait_until(lambda: list(place.rglob(f"{file['checksum']}-720p.*")), what="what is played in its place")
    assert leads_to(asked(api, file["downloadUrl"], "720p")) is None
    assert not list(place.rglob("*-720p.mp4"))


def test_what_no_browser_plays_is_made_so_that_all_do_and_no_larger(api):
    file = put(api, "f.mkv", unplayed_film(), "video/x-matroska")
    assert streams(made(api, file["downloadUrl"], "360p").content) == ("h264", 320, 240, [])
    wait_until(lambda: leads_to(asked(api, file["downloadUrl"], "1080p")) == "360p", what="the film that is as large")


def test_a_connection_decides_which_is_played(api):
    file = put(api, "walk.mp4", told_film(WORDS), "video/mp4")
    for quality in ("720p", "360p"):
        made(api, file["downloadUrl"], quality)
    for hints, quality in (({}, "720p"), ({"Save-Data": "on"}, "360p"), ({"ECT": "3g"}, "360p"), ({"Downlink": "0.3"}, "360p")):
        answer = asked(api, file["downloadUrl"], "auto", **hints)
        assert leads_to(answer) == quality, hints
        assert {"Save-Data", "ECT", "Downlink"} == {field.strip() for field in answer.headers["vary"].split(",")}


def test_a_film_is_made_once_however_many_ask(shared_server, api):
    file = put(api, "walk.mp4", told_film(WORDS), "video/mp4")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: asked(api, file["downloadUrl"], "360p"), range(16)))
    answer = made(api, file["downloadUrl"], "360p")
    [kept] = (shared_server.data / "media" / str(api.user["id"])).rglob("*-360p.mp4")
    assert kept.read_bytes() == answer.content and made(api, file["downloadUrl"], "360p").headers["etag"] == answer.headers["etag"]


@pytest.mark.parametrize("quality", ["2160p", "", "720", "high"])
def test_a_film_of_another_size_is_refused(api, quality):
    file = put(api, "f.mp4", film(), "video/mp4")
    problem(asked(api, file["downloadUrl"], quality), 400, "invalid_parameter")


def test_who_may_not_read_a_film_reads_none_of_it(api, new_account):
    reader = new_account()
    follow(reader, api)
    file = put(api, "walk.mp4", told_film(WORDS), "video/mp4")
    made(api, file["downloadUrl"], "360p")
    post = posted(api, attachments=[video(file)])
    address = read(reader, post)["attachments"][0]["contentUrl"]
    assert asked(reader, address, "360p").status_code == 200
    problem(asked(reader, address.replace("sig=", "sig=x"), "360p"), 403, "url_invalid")
    api.call("DELETE", f"/v1/posts/{post}", expect=204)
    problem(asked(reader, address, "360p"), 404, "not_found")


def test_what_is_no_film_is_played_as_it_is(api):
    shot = put(api, "p.jpg", picture("jpg", 640, 480), "image/jpeg")
    assert leads_to(asked(api, shot["downloadUrl"], "720p")) is None
    broken = put(api, "f.mp4", b"\0\0\0\x18ftypisom" + b"x" * 1000, "video/mp4")
    for _ in range(3):
        assert leads_to(asked(api, broken["downloadUrl"], "720p")) is None


def test_without_the_program_the_film_itself_is_played(tmp_path):
    server = Server(tmp_path / "data", environment=without_programs(tmp_path)).start()
    try:
        api = Api(server.url).register(f"{new_id()}@example.org")
        file = put(api, "walk.mp4", told_film(WORDS), "video/mp4")
        for _ in range(2):
            assert leads_to(asked(api, file["downloadUrl"], "720p")) is None
        assert api.http.get(f"{file['downloadUrl']}&film=720p", follow_redirects=True).content == told_film(WORDS)
    finally:
        server.kill()


def test_a_film_that_was_half_made_when_the_server_died_is_made_anew(tmp_path):
    """An ffmpeg that writes half a film and then takes long."""
    programs = tmp_path / "programs"
    programs.mkdir()
    slow = programs / "ffmpeg"
    slow.write_text('#!/bin/sh\nfor last; do :; done\nhead -c 1000 source > "${last#file:}"\nsleep 600\n')
    slow.chmod(0o755)
    environment = {"PATH": f"{programs}:{os.environ['PATH']}"}
    server = Server(tmp_path / "data", environment=environment).start()
    api = Api(server.url).register(f"{new_id()}@example.org")
    file = put(api, "walk.mp4", told_film(WORDS), "video/mp4")
    assert leads_to(asked(api, file["downloadUrl"], "360p")) is None
    wait_until(lambda: list((server.data / "media" / "work").glob("*/film.mp4")), what="half a film")
    assert leads_to(asked(api, file["downloadUrl"], "360p")) is None
    server.kill()
    server = Server(tmp_path / "data").start()
    try:
        again = Api(server.url).login(api.user["email"])
        answer = made(again, again.file(file["id"])["downloadUrl"], "360p")
        assert streams(answer.content)[:3] == ("h264", 640, 360)
        wait_until(lambda: not list((server.data / "media" / "work").glob("*")), what="nothing of the half one")
    finally:
        server.kill()
