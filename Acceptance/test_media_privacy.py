"""What readers of a post get of its pictures and films says nothing of where, when and with what they were taken. The file keeps it all."""

import base64
import struct
import subprocess
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import crafted
from api import MIB, Api, content, new_id, problem
from pictures import bare, film, lying, picture, size, vips
from server import Server
from test_feed import attached, posted, read
from test_feed import author, reader  # noqa: F401 (fixtures)
from test_media import put, without_programs

PLACE = b"N 51 30 2.52 W 0 7 28.56"
SERIAL = b"camera no. 4711-0815"
SECRETS = (PLACE, SERIAL)


def exif(orientation=6):
    """Exif 2.32 as a telephone writes it: how it was held, its number, a place, and a small picture."""
    def entry(tag, kind, count, value):
        return struct.pack("<HHI", tag, kind, count) + value

    first, gps = 8, 8 + 2 + 3 * 12 + 4
    words = gps + 2 + 12 + 4
    lists = (struct.pack("<H", 3) + entry(0x0112, 3, 1, struct.pack("<HH", orientation, 0))
             + entry(0x8825, 4, 1, struct.pack("<I", gps)) + entry(0xA431, 2, len(SERIAL), struct.pack("<I", words))
             + struct.pack("<I", 0)
             + struct.pack("<H", 1) + entry(0x001B, 7, len(PLACE), struct.pack("<I", words + len(SERIAL))) + struct.pack("<I", 0))
    return b"II*\0" + struct.pack("<I", first) + lists + SERIAL + PLACE


def jpeg():
    """Upright by its Exif alone; with XMP, IPTC and a remark, and with a film behind its end, as telephones put it there."""
    def segment(marker, data):
        return bytes((0xFF, marker)) + struct.pack(">H", len(data) + 2) + data

    data = picture("jpg", 900, 600)
    told = (segment(0xE1, b"Exif\0\0" + exif()) + segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + PLACE)
            + segment(0xED, b"Photoshop 3.0\0" + SERIAL) + segment(0xFE, PLACE))
    return data[:2] + told + bare(data)[2:] + film("mp4", 320, 180, 1) + PLACE


def png():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    data = picture("png", 640, 480)
    told = chunk(b"eXIf", exif(1)) + chunk(b"tEXt", b"Comment\0" + PLACE) + chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + SERIAL)
    return data[:33] + told + data[33:]


def webp():
    data = picture("webp", 640, 480)

    def chunk(kind, data):
        return kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)

    width, height = size(data)
    place, drawn = 12, b""
    while place < len(data):
        length = 8 + struct.unpack("<I", data[place + 4:place + 8])[0]
        if data[place:place + 4] in (b"VP8 ", b"VP8L"):
            drawn = data[place:place + length + length % 2]
        place += length + length % 2
    head = bytes((0x0C, 0, 0, 0)) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = b"WEBP" + chunk(b"VP8X", head) + drawn + chunk(b"EXIF", exif(1)) + chunk(b"XMP ", SERIAL)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def heif(ending):
    """By libvips, which keeps what a JPEG says of itself."""
    with tempfile.TemporaryDirectory() as folder:
        told, made = Path(folder) / "told.jpg", Path(folder) / f"made.{ending}"
        told.write_bytes(lying(picture("jpg", 900, 600), (PLACE + b" " + SERIAL).decode()))
        vips("copy", told.name, made.name, folder=folder)
        return made.read_bytes()


def told_film(ending):
    """By ffmpeg, which writes what it is told to where cameras do."""
    with tempfile.TemporaryDirectory() as folder:
        plain, told = Path(folder) / f"plain.{ending}", Path(folder) / f"told.{ending}"
        plain.write_bytes(film("webm" if ending == "webm" else "mp4"))
        subprocess.run(
            ["ffmpeg", "-loglevel", "error", "-i", plain, "-c", "copy", "-metadata", f"comment={PLACE.decode()}",
             "-metadata", f"title={SERIAL.decode()}", told], check=True)
        return told.read_bytes()


KINDS = {
    "jpeg": (jpeg, "image/jpeg", "image"), "png": (png, "image/png", "image"), "webp": (webp, "image/webp", "image"),
    "heic": (lambda: heif("heic"), "image/heic", "image"), "avif": (lambda: heif("avif"), "image/avif", "image"),
    "mp4": (lambda: told_film("mp4"), "video/mp4", "video"), "mov": (lambda: told_film("mov"), "video/quicktime", "video"),
    "webm": (lambda: told_film("webm"), "video/webm", "video"),
}


def shown(who, post):
    return read(who, post)["attachments"][0]["contentUrl"]


@pytest.mark.parametrize("kind", KINDS)
def test_readers_get_it_without_and_its_owner_has_all(reader, author, kind):  # noqa: F811
    make, mime, type = KINDS[kind]
    data = make()
    assert all(secret in data for secret in SECRETS)
    file = put(author, f"p.{kind}", data, mime)
    post = posted(author, attachments=[attached(file, type)])
    seen = []
    for who in (reader, author):
        answer = who.http.get(shown(who, post))
        assert answer.status_code == 200, answer.text
        assert not any(secret in answer.content for secret in SECRETS)
        assert answer.headers["content-type"] == mime and answer.headers["content-length"] == str(len(answer.content))
        assert answer.headers["etag"] != f"\"{file['checksum']}\"" and file["checksum"] not in str(answer.headers)
        assert "repr-digest" not in answer.headers
        seen.append((answer.content, answer.headers["etag"]))
    assert seen[0] == seen[1], "the author sees what others see"
    assert author.read(file) == data, "the file in the drive was changed"


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_the_same_picture_or_film(reader, author, kind):  # noqa: F811
    make, mime, type = KINDS[kind]
    data = make()
    post = posted(author, attachments=[attached(put(author, f"p.{kind}", data, mime), type)])
    clean = reader.http.get(shown(reader, post)).content
    assert points(clean, type) == points(data, type)
    if kind == "jpeg":
        assert orientation(clean) == "6", "a picture that lay on its side would lie there again"


def points(data, type):
    """What is drawn of it, as it is stored: point by point, or a hash of each picture of a film."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "data").write_bytes(data)
        if type == "image":
            vips("copy", "data", "drawn.ppm", folder=folder)
            return (Path(folder) / "drawn.ppm").read_bytes()[-900 * 600:]
        return subprocess.run(
            ["ffmpeg", "-loglevel", "error", "-i", "data", "-map", "0:v:0", "-f", "framehash", "-"],
            cwd=folder, check=True, capture_output=True, text=True).stdout


def orientation(data):
    with tempfile.NamedTemporaryFile(suffix=".jpg") as file:
        file.write(data)
        file.flush()
        return subprocess.run(
            ["vipsheader", "-f", "orientation", file.name], check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize("kind", KINDS)
def test_ranges_agree_with_the_whole_and_head_with_get(reader, author, kind):  # noqa: F811
    make, mime, type = KINDS[kind]
    post = posted(author, attachments=[attached(put(author, f"p.{kind}", make(), mime), type)])
    address = shown(reader, post)
    whole = reader.http.get(address)
    length, tag = len(whole.content), whole.headers["etag"]
    head = reader.http.head(address)
    for name in ("content-length", "etag", "content-type", "accept-ranges", "content-disposition"):
        assert head.headers[name] == whole.headers[name], name
    # How long it is good for counts the seconds down.
    assert head.headers["cache-control"].startswith("private, immutable, max-age=")
    edges = [0, 1, 2, 20, 21, 40, 70, length // 3, length // 2, length - 2, length - 1]
    for first in edges:
        for last in [edge for edge in edges if edge >= first]:
            part = reader.http.get(address, headers={"Range": f"bytes={first}-{last}", "If-Range": tag})
            assert part.status_code == 206, (first, last)
            assert part.headers["content-range"] == f"bytes {first}-{last}/{length}"
            assert part.content == whole.content[first:last + 1], (first, last)
    assert reader.http.get(address, headers={"If-None-Match": tag}).status_code == 304
    problem(reader.http.get(address, headers={"Range": f"bytes={length}-"}), 416, "range_not_satisfiable")


def test_a_picture_that_cannot_be_cleaned_is_shown_as_it_is_drawn(reader, author):  # noqa: F811
    data = picture("tif", 640, 480)
    file = put(author, "scan.tif", data, "image/tiff")
    post = posted(author, attachments=[attached(file)])
    answer = reader.http.get(shown(reader, post))
    assert answer.status_code == 200 and answer.headers["content-type"] == "image/webp"
    assert size(answer.content) == (640, 480) and author.read(file) == data


def test_what_can_neither_be_cleaned_nor_drawn_is_not_shown(reader, author):  # noqa: F811
    data = b"RIFF" + struct.pack("<I", 40) + b"AVI LIST" + struct.pack("<I", 28) + b"INFO" + PLACE
    data += b"location.ISO6709"
    file = put(author, "old.avi", data, "video/x-msvideo")
    post = posted(author, attachments=[attached(file, "video")])
    for who in (reader, author):
        problem(who.http.get(shown(who, post)), 422, "not_cleaned")
    assert author.read(file) == data


def test_it_needs_no_programs(tmp_path):
    server = Server(tmp_path / "data", environment=without_programs(tmp_path)).start()
    try:
        api = Api(server.url).register(f"{new_id()}@example.org")
        data = lying(picture("jpg"), PLACE.decode())
        post = posted(api, attachments=[attached(put(api, "walk.jpg", data, "image/jpeg"))])
        answer = api.http.get(shown(api, post))
        assert answer.status_code == 200 and PLACE not in answer.content
        assert not list((server.data / "media").rglob("source")), "what it was looked at in stays"
    finally:
        server.kill()


def test_a_large_picture_is_not_held_in_memory(tmp_path):
    """A PNG of 200 MB, which is walked through once, while four ask for it."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    start = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 40, 40, 8, 2, 0, 0, 0))
    rest = b"".join(chunk(b"IDAT", content(MIB, seed=number)) for number in range(200)) + chunk(b"IEND", b"")
    server = Server(tmp_path / "data", environment=without_programs(tmp_path)).start()
    try:
        api = Api(server.url).register(f"{new_id()}@example.org")
        data = start + chunk(b"tEXt", b"Comment\0" + PLACE) + rest
        file = api.put("big.png", data, mimeType="image/png")
        address = shown(api, posted(api, attachments=[attached(file)]))
        before = anonymous(server.pid)
        with ThreadPoolExecutor(4) as pool:
            parts = list(pool.map(lambda _: api.http.get(address, headers={"Range": "bytes=0-99"}).content, range(4)))
        assert set(parts) == {(start + rest)[:100]}
        more = anonymous(server.pid) - before
        assert more < 64 << 10, f"{more} kB more"
    finally:
        server.kill()


def anonymous(process):
    """kB of memory that are its own, and no file's."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("RssAnon")).split()[1])


@pytest.mark.parametrize("name", crafted.FILES)
def test_what_is_made_to_pass_does_not_and_what_claims_too_much_costs_nothing(reader, author, name):  # noqa: F811
    data, mime = crafted.FILES[name](), crafted.MIME[name.split(".")[1]]
    file = put(author, f"{new_id()}-{name}", data, mime)
    kind = mime.split("/")[0]
    post = posted(author, attachments=[attached(file, kind)])
    [shown] = read(reader, post)["attachments"]
    answer = reader.http.get(shown["contentUrl"], timeout=60)
    assert answer.status_code in (200, 422), answer.text
    secrets = (crafted.PLACE, base64.b64encode(b"\xff\xd8\xff\xe1\0\x20Exif\0\0II*\0" + crafted.PLACE)[8:40])
    assert not any(secret in answer.content for secret in secrets)
    assert author.call("GET", file["downloadUrl"], token="").content == data, "its owner has it as it was"


def sound(film):
    """What is heard of a film, as plain samples."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film"
        path.write_bytes(film)
        return subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-"], capture_output=True, check=True).stdout


def with_sound(codec, sizes_of=None):
    """A QuickTime film with a place. Old ones say that each sample of sound has one byte."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.mov"
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x120:d=1", "-f", "lavfi", "-i", "sine=d=1", "-ac", "2",
                        "-c:v", "libx264", "-c:a", codec, "-metadata", "location=+48.2082+016.3738/", path], check=True)
        data = bytearray(path.read_bytes())
    place = data.find(b"stsz")
    while place > 0 and sizes_of:
        if data[place + 8:place + 12] != bytes(4):
            data[place + 8:place + 12] = struct.pack(">I", sizes_of)
        place = data.find(b"stsz", place + 1)
    return bytes(data)


@pytest.mark.parametrize("codec, sizes_of", [("pcm_s16le", None), ("pcm_s16le", 1), ("adpcm_ima_qt", None), ("aac", None)])
def test_what_is_heard_stays(reader, author, codec, sizes_of):  # noqa: F811
    data = with_sound(codec, sizes_of)
    post = posted(author, attachments=[attached(put(author, f"{new_id()}.mov", data, "video/quicktime"), "video")])
    answer = reader.http.get(read(reader, post)["attachments"][0]["contentUrl"])
    assert answer.status_code == 200 and b"48.2082" in data and b"48.2082" not in answer.content
    assert sound(answer.content) == sound(data)
