"""Small pictures of what people keep: made by the server when somebody asks first, from what strangers have made."""

import base64
import struct
import zlib
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from api import Api, content, new_id, problem
from hostile import PDF
from pictures import bare, film, is_webp, lying, picture, size
from server import Server
from test_feed import PIXEL, attached, posted, read
from waiting import wait_until

BOXES = {"thumbnail": (256, 256), "low": (480, 320), "medium": (720, 480), "high": (1080, 720)}


def put(api, name, data, mime):
    return api.put_multipart({"name": name, "mimeType": mime}, data)


def small(api, file, quality, **headers):
    return api.http.get(f"{file['downloadUrl']}&quality={quality}", headers=headers)


@pytest.mark.parametrize("quality", BOXES)
def test_a_picture_comes_in_each_size_as_it_stands(api, quality):
    file = put(api, "walk.jpg", picture("jpg"), "image/jpeg")
    answer = small(api, file, quality)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/webp" and is_webp(answer.content)
    width, height = BOXES[quality]
    assert size(answer.content) == ((256, 256) if quality == "thumbnail" else (round(height * 4 / 3), height))
    assert len(answer.content) < len(picture("jpg")) / 3, "noise is hard to make small"
    assert answer.headers["content-security-policy"] == "sandbox"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize("ending, mime", [
    ("png", "image/png"), ("webp", "image/webp"), ("gif", "image/gif"), ("tif", "image/tiff"), ("heic", "image/heic"),
    ("avif", "image/avif"), ("jpg", "application/octet-stream"),
])
def test_every_kind_of_picture_is_drawn_whatever_it_is_called(api, ending, mime):
    file = put(api, f"p.{ending}", picture(ending, 640, 480), mime)
    answer = small(api, file, "low")
    assert answer.status_code == 200, answer.text
    assert size(answer.content) == (427, 320)


@pytest.mark.parametrize("ending, mime", [("mp4", "video/mp4"), ("webm", "video/webm")])
def test_a_film_has_a_picture(api, ending, mime):
    answer = small(api, put(api, f"f.{ending}", film(ending), mime), "medium")
    assert answer.status_code == 200, answer.text
    assert size(answer.content) == (720, 405)


def test_a_document_has_a_picture_of_its_first_page(api):
    answer = small(api, put(api, "letter.pdf", PDF, "application/pdf"), "low")
    assert answer.status_code == 200, answer.text
    assert size(answer.content) == (480, 320)


def test_who_takes_no_webp_has_jpeg(api):
    file = put(api, "walk.png", picture("png", 640, 480), "image/png")
    answer = small(api, file, "low", Accept="image/jpeg")
    assert answer.headers["content-type"] == "image/jpeg" and answer.content[:3] == b"\xff\xd8\xff"
    assert size(answer.content) == (427, 320) and "Accept" in answer.headers["vary"]
    other = small(api, file, "low", Accept="image/avif,image/webp,*/*")
    assert is_webp(other.content) and other.headers["etag"] != answer.headers["etag"]


def test_a_connection_decides_how_large_it_is(api):
    file = put(api, "walk.jpg", picture("jpg"), "image/jpeg")
    for hints, quality in (({}, "high"), ({"Save-Data": "on"}, "low"), ({"ECT": "3g"}, "medium"), ({"Downlink": "0.3"}, "low")):
        answer = small(api, file, "auto", **hints)
        assert answer.content == small(api, file, quality).content, hints
        assert {"Accept", "Save-Data", "ECT", "Downlink"} <= {field.strip() for field in answer.headers["vary"].split(",")}


def test_a_small_picture_stands_upright_and_says_nothing_of_where_it_was_taken(api):
    data = lying(picture("jpg", 900, 600), "behind the old mill")
    assert b"behind the old mill" in data
    answer = small(api, put(api, "p.jpg", data, "image/jpeg"), "high")
    assert size(answer.content) == (480, 720)
    assert b"mill" not in answer.content and b"EXIF" not in answer.content and b"ICCP" not in answer.content


def test_nothing_is_made_larger(api):
    assert size(small(api, put(api, "p.png", picture("png", 60, 40), "image/png"), "high").content) == (60, 40)


def test_it_is_made_once_and_has_a_tag(shared_server, api):
    file = put(api, "walk.jpg", picture("jpg"), "image/jpeg")
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: small(api, file, "medium"), range(8)))
    assert {answer.content for answer in answers} == {answers[0].content}
    kept = list((shared_server.data / "media" / str(api.user["id"])).rglob("*.*"))
    assert len(kept) == 1 and kept[0].read_bytes() == answers[0].content
    tag = answers[0].headers["etag"]
    assert tag.startswith("W/") and tag != f"\"{file['checksum']}\""
    assert small(api, file, "medium", **{"If-None-Match": tag}).status_code == 304
    head = api.http.head(f"{file['downloadUrl']}&quality=medium")
    assert head.status_code == 200 and head.headers["content-length"] == str(len(answers[0].content))


def without_programs(tmp_path):
    """A PATH that has none of them."""
    (tmp_path / "bin").mkdir()
    return {"PATH": str(tmp_path / "bin")}


def with_program(tmp_path, script):
    """A PATH on which pictures are drawn by a script, which works in the folder `media/work` of the server's data."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "vipsthumbnail").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "vipsthumbnail").chmod(0o755)
    return {"PATH": f"{folder}:/usr/bin:/bin"}


def test_it_is_there_after_a_start_without_the_programs(tmp_path):
    server = Server(tmp_path / "data").start()
    try:
        api = Api(server.url).register(f"{new_id()}@example.org")
        file = put(api, "walk.jpg", picture("jpg"), "image/jpeg")
        before = small(api, file, "low").content
    finally:
        server.stop()
    server = Server(tmp_path / "data", environment=without_programs(tmp_path)).start()
    try:
        again = Api(server.url).login(api.user["email"])
        assert small(again, again.file(file["id"]), "low").content == before
    finally:
        server.kill()


@pytest.mark.parametrize("data, mime", [
    (b"%PDF-1.4 nothing", "application/pdf"),
    (b"<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'/>", "image/png"),
    (b"#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n", "video/mp4"),
    (b"\xff\xd8\xff\xe0" + content(3000, seed=1), "image/jpeg"),
    (b"\0\0\0\x20ftypisom" + content(3000, seed=2), "video/mp4"),
    (b"plain words", "text/plain"),
], ids=["pdf", "svg", "playlist", "no jpeg", "no film", "words"])
def test_what_is_no_picture_has_none_and_is_there_as_ever(api, data, mime):
    file = put(api, "odd", data, mime)
    for _ in range(2):
        problem(small(api, file, "low"), 422, "no_preview")
    assert api.read(file) == data


def test_a_picture_that_would_take_all_memory_is_given_to_no_program(api):
    """20,000 x 20,000 points that take 60 kB as PNG: the server stays, and draws the next one."""
    data = picture_bomb()
    answer = small(api, put(api, "bomb.png", data, "image/png"), "thumbnail")
    problem(answer, 422, "no_preview")
    assert small(api, put(api, "p.png", picture("png", 640, 480), "image/png"), "low").status_code == 200


def picture_bomb():
    side = 20_000

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packer, rows = zlib.compressobj(9), []
    for _ in range(side):
        rows.append(packer.compress(b"\0" * (side // 8 + 1)))
    rows.append(packer.flush())
    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"".join(rows)) + chunk(b"IEND", b"")


def test_a_size_that_there_is_not_is_refused(api):
    problem(small(api, put(api, "p.png", PIXEL, "image/png"), "huge"), 400, "invalid_parameter")


def test_nobody_comes_to_it_without_an_address(api):
    file = put(api, "p.png", picture("png", 60, 40), "image/png")
    problem(api.http.get(file["downloadUrl"].replace("sig=", "sig=x") + "&quality=low"), 403, "url_invalid")


def test_what_is_deleted_for_good_is_not_shown_small(api):
    file = put(api, "p.png", picture("png", 640, 480), "image/png")
    assert small(api, file, "low").status_code == 200
    api.delete(file["id"], permanent=True, expect=204)
    problem(small(api, file, "low"), 404, "not_found")


def test_a_post_shows_small_pictures_and_has_the_whole_ones(api):
    post = posted(api, attachments=[attached(put(api, "walk.jpg", picture("jpg"), "image/jpeg"))])
    shown = read(api, post)["attachments"][0]
    preview = api.call("GET", f"/v1/users/{api.user['id']}/posts", expect=200).json()["feed"][0]["attachmentPreviewImageUrl"]
    assert size(api.http.get(preview).content) == (640, 480)
    assert size(api.http.get(shown["previewImageUrl"]).content) == (960, 720)
    assert api.http.get(shown["contentUrl"]).content == bare(picture("jpg"))


def test_a_post_with_a_film_shows_a_picture_of_it(api):
    file = put(api, "f.mp4", film(), "video/mp4")
    post = posted(api, attachments=[{"type": "video", "contentUrl": file["downloadUrl"]}])
    shown = read(api, post)["attachments"][0]
    assert size(api.http.get(shown["previewImageUrl"]).content) == (1080, 608)
    assert api.http.get(shown["contentUrl"]).headers["content-type"] == "video/mp4"


def test_a_post_tells_how_large_its_pictures_are_before_they_are_there(api):
    data = lying(picture("jpg", 900, 600), "words")
    file, moving = put(api, "p.jpg", data, "image/jpeg"), put(api, "f.mp4", film(), "video/mp4")
    post = posted(api, attachments=[attached(file), {"type": "video", "contentUrl": moving["downloadUrl"]}])
    wait_until(lambda: all("placeholder" in one for one in read(api, post)["attachments"]), what="what they look like from afar")
    first, second = read(api, post)["attachments"]
    assert (first["width"], first["height"]) == (600, 900) and "durationMs" not in first
    assert (second["width"], second["height"]) == (1280, 720) and 1900 <= second["durationMs"] <= 2100
    for one in (first, second):
        assert 11 <= len(base64.b64decode(one["placeholder"], validate=True)) <= 25
    [entry] = [one for one in api.call("GET", "/v1/feed", expect=200).json()["feed"] if one["postId"] == post]
    assert [entry[f"attachmentPreview{name}"] for name in ("Width", "Height", "Placeholder")] == [600, 900, first["placeholder"]]


def test_a_size_is_told_without_the_programs_too(tmp_path):
    server = Server(tmp_path / "data", environment=without_programs(tmp_path)).start()
    try:
        api = Api(server.url).register(f"{new_id()}@example.org")
        post = posted(api, attachments=[attached(put(api, "walk.jpg", picture("jpg"), "image/jpeg"))])
        wait_until(lambda: "width" in read(api, post)["attachments"][0], what="how large it is")
        [shown] = read(api, post)["attachments"]
        assert (shown["width"], shown["height"]) == (1600, 1200) and "placeholder" not in shown
    finally:
        server.kill()


def test_a_stop_waits_for_no_picture(tmp_path):
    server = Server(tmp_path / "data", environment=with_program(tmp_path, "echo > begun; sleep 600")).start()
    api = Api(server.url).register(f"{new_id()}@example.org")
    file = put(api, "p.png", picture("png", 60, 40), "image/png")
    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(small, api, file, quality) for quality in BOXES]
        wait_until(lambda: list((server.data / "media" / "work").glob("*/begun")), what="a program that draws")
        server.stop()
        # Who waited for a picture is told, or finds the connection closed.
        for answer in answers:
            try:
                assert answer.result().status_code in (422, 503)
            except httpx.HTTPError:
                pass
    assert "Fatal error" not in server.log() and "crashed" not in server.log()


def test_what_was_broken_off_is_no_picture_that_cannot_be_made(tmp_path):
    server = Server(tmp_path / "data", environment=with_program(tmp_path, "kill -KILL $$")).start()
    api = Api(server.url).register(f"{new_id()}@example.org")
    file = put(api, "p.png", picture("png", 60, 40), "image/png")
    problem(small(api, file, "low"), 422, "no_preview")
    assert "signal 9" in server.log()
    server.stop()
    server = Server(tmp_path / "data").start()
    try:
        again = Api(server.url).login(api.user["email"])
        assert small(again, again.file(file["id"]), "low").status_code == 200
    finally:
        server.kill()


def test_what_ends_programs_again_and_again_is_set_aside(tmp_path):
    environment = with_program(tmp_path, "echo once more > tried; kill -KILL $$")
    for times in (1, 2, 3):
        server = Server(tmp_path / "data", environment=environment).start()
        try:
            account = Api(server.url)
            if times == 1:
                api = account.register(f"{new_id()}@example.org")
                file = put(api, "p.png", picture("png", 60, 40), "image/png")
            account = account if times == 1 else account.login(api.user["email"])
            problem(small(account, account.file(file["id"]), "low"), 422, "no_preview")
            assert ("signal 9" in server.log()) == (times < 3), "not tried for ever"
            if times == 3:
                said = server.admin("verify").stdout
                assert "p.png" in said and "vipsthumbnail: signal 9" in said, said
                assert "1 file set aside" in server.admin("stats").stdout
                assert account.read(file) == picture("png", 60, 40)
        finally:
            server.stop()


def test_it_is_shown_where_it_cannot_be_kept(tmp_path):
    server = Server(tmp_path / "data").start()
    try:
        api = Api(server.url).register(f"{new_id()}@example.org")
        file = put(api, "p.png", picture("png", 60, 40), "image/png")
        (server.data / "media").mkdir(exist_ok=True)
        (server.data / "media" / str(api.user["id"])).write_text("a file in its place")
        assert size(small(api, file, "low").content) == (60, 40)
        assert "could not be kept" in server.log()
    finally:
        server.kill()


def test_a_picture_behind_a_broken_one_is_prepared_too(shared_server, api):
    bad = put(api, "bad.jpg", b"\xff\xd8\xff" + b"x" * 1000, "image/jpeg")
    good = put(api, "good.png", picture("png", 640, 480), "image/png")
    posted(api, attachments=[attached(bad), attached(good)])
    made = shared_server.data / "media" / str(api.user["id"])
    wait_until(lambda: len(list(made.rglob(f"{good['checksum']}-*.webp"))) == 2, what="its two sizes")


def test_a_server_without_the_programs_shows_the_whole_ones(tmp_path):
    """As ever: what is a picture itself, and nothing of a film."""
    server = Server(tmp_path / "data", environment=without_programs(tmp_path)).start()
    try:
        api = Api(server.url).register(f"{new_id()}@example.org")
        shot = put(api, "walk.jpg", picture("jpg"), "image/jpeg")
        moving = put(api, "f.mp4", film(), "video/mp4")
        attachments = [attached(shot), {"type": "video", "contentUrl": moving["downloadUrl"]}]
        first, second = read(api, posted(api, attachments=attachments))["attachments"]
        assert first["previewImageUrl"] == first["contentUrl"] and "previewImageUrl" not in second
        problem(small(api, shot, "low"), 422, "no_preview")
        assert all(package in server.log() for package in ("libvips-tools", "ffmpeg", "poppler-utils"))
    finally:
        server.kill()
