"""What plays and what has pages, opened in a browser: small files that the test makes."""

import io
import math
import struct
import wave

import httpx
import pytest
from PIL import Image

from browser import Person, expect
from test_web_browse import put
from web_screens import picture

SECONDS = 2


def sound():
    """A tone, as a WAV."""
    rate, file = 8000, io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        for number in range(SECONDS * rate):
            out.writeframesraw(struct.pack("<h", round(8000 * math.sin(number * 2 * math.pi * 440 / rate))))
    return file.getvalue()


def element(kind, *content):
    """Of a WebM: an id, a length of eight bytes, and what is in it."""
    body = b"".join(content)
    return bytes.fromhex(kind) + struct.pack(">Q", 1 << 56 | len(body)) + body


def number(kind, value):
    return element(kind, struct.pack(">I", value))


def film(width=64, height=48):
    """Two pictures, a second each: a WebM whose frames are those of two WebP pictures, which are VP8 too."""
    frames = []
    for colour in ("darkgreen", "gold"):
        picture = io.BytesIO()
        Image.new("RGB", (width, height), colour).save(picture, "WEBP", quality=60)
        data = picture.getvalue()
        assert data[12:16] == b"VP8 "
        frames.append(data[20:20 + struct.unpack("<I", data[16:20])[0]])
    head = element(
        "1a45dfa3", number("4286", 1), number("42f7", 1), number("42f2", 4), number("42f3", 8),
        element("4282", b"webm"), number("4287", 2), number("4285", 2))
    info = element(
        "1549a966", number("2ad7b1", 1_000_000), element("4489", struct.pack(">d", SECONDS * 1000)),
        element("4d80", b"test"), element("5741", b"test"))
    track = element(
        "ae", number("d7", 1), number("73c5", 1), number("83", 1), element("86", b"V_VP8"),
        element("e0", number("b0", width), number("ba", height)))
    blocks = [element("a3", b"\x81", struct.pack(">h", at * 1000), b"\x80", frame) for at, frame in enumerate(frames)]
    cluster = element("1f43b675", number("e7", 0), *blocks)
    return head + element("18538067", info, element("1654ae6b", track), cluster)


def paper():
    """One page with a line on it, as a PDF."""
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R"
        b" /Resources << /Font << /F 5 0 R >> >> >>",
        b"<< /Length 35 >>\nstream\nBT /F 18 Tf 20 40 Td (Hello) Tj ET \nendstream",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    file, places = b"%PDF-1.4\n", []
    for place, part in enumerate(parts, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (place, part)
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    return file + b"xref\n0 6\n0000000000 65535 f \n%strailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        rows, len(file))


@pytest.mark.parametrize(
    "name, kind, make, tag",
    [("tone.wav", "audio/wav", sound, "audio"), ("film.webm", "video/webm", film, "video")])
def test_what_plays_plays_and_can_be_sought_in(account, person, name, kind, make, tag):
    file = put(account, name, make(), mime=kind)
    person.page.goto(f"/file/{file['id']}")
    shown = person.page.locator(f"{tag}.shown")
    shown.wait_for()
    person.page.wait_for_function(f"() => document.querySelector('{tag}.shown').readyState >= 1")
    assert abs(shown.evaluate("part => part.duration") - SECONDS) < 0.1
    assert shown.evaluate("part => part.error") is None and shown.is_visible()
    if tag == "video":
        assert shown.evaluate("part => [part.videoWidth, part.videoHeight]") == [64, 48]
    sought = shown.evaluate(
        "part => new Promise((done, failed) => { part.onseeked = () => done(part.currentTime);"
        " part.onerror = () => failed(part.error); part.currentTime = 1.5; })")
    assert abs(sought - 1.5) < 0.1
    assert shown.evaluate("part => { part.muted = true; return part.play().then(() => 'it plays'); }") == "it plays"


@pytest.mark.parametrize("name, mime, make, shown", [
    ("song.m4a", "audio/x-m4a", sound, "audio"), ("beep.wav", "audio/x-wav", sound, "audio"),
    ("plan.pdf", "application/octet-stream", paper, "iframe"), ("plan.pdf", "application/x-pdf", paper, "iframe"),
    ("photo.jpg", "image/jpg", lambda: picture(0.3), "img"), ("list.yaml", "application/x-yaml", lambda: b"a: 1", "pre"),
    ("run.sh", "application/x-sh", lambda: b"echo 1", "pre"), ("dump.sql", "application/x-sql", lambda: b"select 1", "pre"),
    ("film.srt", "application/x-subrip", lambda: b"1\n00:00 --> 00:01\nHello", "pre"),
    ("README", "application/octet-stream", lambda: b"Read me", "pre"),
    ("Makefile", "application/octet-stream", lambda: b"all:\n\tcc", "pre"),
    ("notes of no kind", "application/octet-stream", lambda: b"just words", "pre"),
    ("thing", "application/octet-stream", lambda: bytes(range(1, 200)), None),
])
def test_common_files_are_shown_whatever_a_browser_called_them(account, person, name, mime, make, shown):
    file = put(account, name, make(), mime=mime)
    person.page.goto(f"/file/{file['id']}")
    if shown:
        expect(person.page.locator(f".stage {shown}.shown")).to_be_visible()
    else:
        person.page.get_by_text("This kind of file has no preview").wait_for()
    if shown == "iframe":
        answer = httpx.get(account.url + account.file(file["id"])["downloadUrl"], trust_env=False)
        assert answer.headers["content-type"] == "application/pdf" and answer.headers["content-disposition"].startswith("inline")


def test_a_paper_is_shown_in_a_frame_of_the_page(account, person):
    file = put(account, "Plan.pdf", paper(), mime="application/pdf")
    with person.page.expect_response(lambda answer: answer.headers.get("content-type") == "application/pdf") as told:
        person.page.goto(f"/file/{file['id']}")
    assert told.value.status == 200 and "attachment" not in told.value.headers.get("content-disposition", "")
    frame = person.page.locator("iframe.shown")
    assert frame.is_visible() and frame.get_attribute("title") == "Plan.pdf"
    assert frame.evaluate("part => part.clientHeight") > 300
    person.page.wait_for_load_state("load")
    assert person.page.locator(".stage .message").count() == 0, "nothing says that it cannot be shown"


@pytest.mark.parametrize("width", [1280, 390])
def test_a_long_line_of_code_scrolls_in_its_own_place(account, browser, width):
    text = "# Notes\n\n" + "https://example.org/" + "a" * 300 + "\n\n- " + "b" * 300 + "\n\n```\n" + "long " * 300 + "\n```\n"
    file = put(account, "notes.md", text.encode(), mime="text/markdown")
    someone = Person(browser, account.url, width=width).sign_in(account.email)
    someone.page.wait_for_url(account.url + "/")
    someone.page.goto(f"/file/{file['id']}")
    someone.page.locator(".prose pre").wait_for()
    assert someone.page.evaluate("document.documentElement.scrollWidth") == width
    assert someone.page.locator(".prose pre").evaluate("code => code.scrollWidth > code.clientWidth")
    article = someone.page.locator(".prose").bounding_box()
    assert article["x"] >= 0 and article["x"] + article["width"] <= width
    someone.close()


@pytest.mark.parametrize("width, dark", [(1280, False), (390, True)])
def test_tables_and_lists_of_markdown_are_what_they_look_like(account, browser, width, dark):
    text = "| What | Price | <b>Of</b> |\n| :-- | --: | --- |\n" \
        "| *milk* | 1.20 | <img src=x onerror=alert(1)> |\n| tea |\n\n" \
        "3. one\n4. two\n   - inner\n\n" \
        "| " + " | ".join(f"column{number}" for number in range(30)) + " |\n" + "|-" * 30 + "|\n| a |\n"
    file = put(account, "table.md", text.encode(), mime="text/markdown")
    someone = Person(browser, account.url, width=width, dark=dark).sign_in(account.email)
    someone.page.wait_for_url(account.url + "/")
    someone.page.goto(f"/file/{file['id']}")
    table, wide = someone.page.locator(".prose table").all()
    assert table.get_by_role("columnheader").all_inner_texts() == ["What", "Price", "<b>Of</b>"]
    assert table.locator("tbody tr").first.get_by_role("cell").all_inner_texts() \
        == ["milk", "1.20", "<img src=x onerror=alert(1)>"]
    assert table.locator("tbody tr").nth(1).get_by_role("cell").count() == 3
    assert table.locator("tbody em").inner_text() == "milk"
    assert someone.page.locator(".prose img, .prose b").count() == 0
    cells = table.locator("tbody tr").first.locator("td").all()
    sides = [cell.evaluate("cell => getComputedStyle(cell).textAlign") for cell in cells]
    assert sides == ["start", "end", "start"]
    assert someone.page.evaluate("document.documentElement.scrollWidth") == width, "the page itself stays where it is"
    box = wide.locator("xpath=..")
    assert box.evaluate("box => box.scrollWidth > box.clientWidth"), "the table goes sideways"
    numbers = someone.page.locator(".prose > ol")
    assert numbers.get_attribute("start") == "3" and numbers.locator("> li").count() == 2
    assert numbers.locator("> li").nth(1).locator("ul > li").inner_text() == "inner"
    assert numbers.evaluate("list => getComputedStyle(list).listStyleType") == "decimal"
    light = """part => {
        const value = (colour) => { const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => {
            const share = part / 255; return share <= .04045 ? share / 12.92 : ((share + .055) / 1.055) ** 2.4; });
            return .2126 * r + .7152 * g + .0722 * b; };
        const cell = getComputedStyle(part), ground = getComputedStyle(part.closest(".prose"));
        const [low, high] = [value(cell.color), value(ground.backgroundColor)].sort((one, other) => one - other);
        return (high + .05) / (low + .05); }"""
    assert table.locator("td").first.evaluate(light) > 7
    assert not someone.complaints
    someone.close()
