"""A bit that flipped in what is kept on a device: what is read is right, or its damage is told."""

import pytest

from api import new_id
from browser import expect
from content import flip_a_bit
from waiting import wait_until

LARGE = bytes(range(256)) * 5000


def held(device, size):
    (found,) = (path for path in (device.home / "bothy").rglob("held/*") if path.is_file() and path.stat().st_size == size)
    return found


@pytest.fixture
def laptop(server, new_device):
    device = new_device("laptop").register(server.url, f"{new_id()}@example.org")
    (device.home / "small.txt").write_text("kept\n")
    (device.home / "large").write_bytes(LARGE)
    device.put("small.txt", "large", "/docs/")
    device.run("pin", "/docs")
    return device


def test_with_a_connection_the_right_bytes_come_and_are_kept_again(laptop):
    kept = held(laptop, 5)
    flip_a_bit(kept, -1)
    assert laptop.cat("/docs/small.txt") == b"kept\n"
    assert kept.read_bytes() == b"kept\n"
    kept = held(laptop, len(LARGE))
    flip_a_bit(kept, -1)
    assert laptop.cat("/docs/large") == LARGE
    assert kept.read_bytes() == LARGE


@pytest.mark.parametrize("name", ["small.txt", "large"])
def test_what_is_got_with_a_connection_is_right_and_kept_again(laptop, name):
    right = (laptop.home / name).read_bytes()
    kept = held(laptop, len(right))
    flip_a_bit(kept, -1)
    laptop.get(f"/docs/{name}", "copy")
    assert (laptop.home / "copy").read_bytes() == right and kept.read_bytes() == right
    flip_a_bit(kept, len(right) // 2)
    laptop.get("/docs", "folder")
    (got,) = (laptop.home / "folder").rglob(name)
    assert got.read_bytes() == right and kept.read_bytes() == right


def of_content(request):
    return request.path.startswith("/v1/content")


def test_what_is_kept_here_is_not_asked_of_the_server(device, proxy):
    (device.home / "large").write_bytes(LARGE)
    device.put("large", "/large")
    device.run("pin", "/large")
    before = len(proxy.seen(of_content))
    assert before > 0 and device.cat("/large") == LARGE
    assert len(proxy.seen(of_content)) == before, "it is here"


def test_without_a_connection_the_damage_is_told_and_nothing_complete_comes(server, laptop):
    small, large = held(laptop, 5), held(laptop, len(LARGE))
    flip_a_bit(small)
    flip_a_bit(large)
    server.stop()
    said = laptop.run("cat", "/docs/small.txt", check=False)
    assert said.code == 1 and said.stdout_bytes == b"", said
    assert "copy of “small.txt” is damaged" in said.stderr and "again when there is a connection" in said.stderr, said
    said = laptop.run("cat", "/docs/large", check=False)
    assert said.code == 1 and len(said.stdout_bytes) < len(LARGE), said.code
    assert "copy of “large” is damaged" in said.stderr, said.stderr
    assert not small.exists() and not large.exists()
    said = laptop.run("cat", "/docs/small.txt", check=False)
    assert said.code == 1 and "not on this device" in said.stderr, said

    server.start()
    laptop.run("pin")
    server.stop()
    assert laptop.cat("/docs/small.txt") == b"kept\n" and laptop.cat("/docs/large") == LARGE


def test_a_file_that_is_got_without_a_connection_is_right_or_not_there(server, laptop):
    flip_a_bit(held(laptop, 5))
    server.stop()
    said = laptop.get("/docs/small.txt", "copy", check=False)
    assert said.code != 0 and "copy of “small.txt” is damaged" in said.stderr, said
    assert not (laptop.home / "copy").exists()


def test_what_waits_to_be_sent_is_told_of_and_stays(server, new_device):
    device = new_device("laptop").register(server.url, f"{new_id()}@example.org")
    device.run("ls")
    server.stop()
    (device.home / "a.txt").write_text("waits\n")
    device.put("a.txt", "/a.txt")
    (pending,) = (path for path in (device.home / "bothy").rglob("pending/*") if path.is_file())
    flip_a_bit(pending)
    said = device.run("cat", "/a.txt", check=False)
    assert said.code == 1 and said.stdout_bytes == b"" and "waits here to be sent is damaged" in said.stderr, said
    assert pending.exists(), "it may be nowhere else"

    said = device.run("journal", "export", "saved", check=False)
    assert said.code == 5 and "waiting copy of “/a.txt” is damaged" in said.stderr, said
    assert "Upload the original file again" in said.stderr, said
    assert [path.name for path in (device.home / "saved").iterdir()] == ["a (damaged).txt"], "no name says that it is whole"
    assert (device.home / "saved" / "a (damaged).txt").read_bytes() == pending.read_bytes()
    [told] = device.run("journal", "export", "again", "--json", check=False).json_lines()
    assert told["isDamaged"] is True and told["local"].endswith("again/a (damaged).txt"), told
    assert pending.exists() and device.json_lines("journal"), "the journal stays as it is"

    flip_a_bit(pending)
    device.run("journal", "export", "right")
    assert (device.home / "right" / "a.txt").read_text() == "waits\n"


@pytest.mark.parametrize("size", [6, 300_000, 6_000_000])
def test_a_copy_that_was_damaged_while_it_waited_is_not_sent(server, new_device, size):
    email = f"{new_id()}@example.org"
    device = new_device("laptop").register(server.url, email)
    device.run("ls")
    server.stop()
    content = (bytes(range(256)) * (size // 256 + 1))[:size]
    (device.home / "a.txt").write_bytes(content)
    device.put("a.txt", "/a.txt")
    (device.home / "b.txt").write_text("it is whole\n")
    device.put("b.txt", "/b.txt")
    number = device.json_lines("journal")[0]["id"]
    (pending,) = (p for p in (device.home / "bothy").rglob("pending/*") if p.is_file() and p.stat().st_size == size)
    flip_a_bit(pending, -2)
    server.start()
    said = device.run("journal", "retry", check=False)
    assert said.code == 1 and "copy of “a.txt” that waits here to be sent is damaged" in said.text, said

    other = new_device("phone").login(server.url, email)
    assert other.run("ls").stdout.split() == ["b.txt"], "it is not what anybody put"
    (waiting,) = device.json_lines("journal")
    assert waiting["state"] == "parked" and waiting["error"]["code"] == "source_damaged", waiting
    remedy = f"Upload the original file again, and discard this: “bothy journal discard {number}”."
    assert waiting["error"]["remedy"] == remedy, waiting
    listed = device.run("journal")
    assert "is damaged" in listed.stdout and remedy in listed.stderr, listed
    why = device.run("why", "/a.txt")
    assert "is damaged" in why.stdout and remedy in why.stdout, why
    (told,) = device.json("why", "/a.txt")["waiting"]
    assert told["error"]["remedy"] == remedy, told
    assert pending.exists(), "it may be nowhere else"

    device.run("journal", "discard", number, "--yes")
    device.put("a.txt", "/a.txt")
    assert other.cat("/a.txt") == content
    assert not device.json_lines("journal")


def test_the_web_app_of_a_device_shows_what_came_again_and_tells_of_damage_without_a_connection(desk):
    desk.put(desk.phone, "letter.txt", "a letter\n")
    desk.laptop.run("pin", "/letter.txt")
    kept = held(desk.laptop, 9)
    flip_a_bit(kept)
    desk.page.goto("/?layout=list")
    desk.page.get_by_role("link", name="letter.txt").click()
    desk.page.get_by_text("a letter").wait_for()
    wait_until(lambda: kept.read_bytes() == b"a letter\n", what="it to be kept again")
    flip_a_bit(kept)
    desk.server.stop()
    desk.page.reload()
    desk.page.get_by_text("is damaged").first.wait_for()
    expect(desk.page.get_by_text("a letter")).to_have_count(0)
