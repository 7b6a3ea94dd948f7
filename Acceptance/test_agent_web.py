"""This device's own web app: the same screens on what is known here, with a connection and without one."""

import os
import signal
import stat
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from agent_people import COMPLAINTS, Entrance, answers, come_in, keep_port
from api import new_id
from browser import Person, WithoutCookies, expect
from test_web_browse import shows
from waiting import wait_until
from web_screens import PICTURE


@pytest.fixture
def here(server, new_device):
    """A device of an account on a server that the test may stop."""
    device = new_device("laptop")
    device.email = f"{new_id()}@example.org"
    device.register(server.url, device.email)
    keep_port(device)
    yield device
    device.run("agent", "--stop", check=False)


@pytest.fixture
def person(browser, here):
    someone = come_in(browser, here)
    yield someone
    complaints = [said for said in someone.complaints if not any(words in said for words in COMPLAINTS)]
    someone.close()
    assert not complaints, complaints


def test_the_way_in_is_the_owners_alone_and_good_once(here):
    entrance = Entrance(here)
    assert stat.S_IMODE(os.stat(entrance.path).st_mode) == 0o600
    assert entrance.token not in subprocess.run(["ps", "-ewwo", "args"], capture_output=True, text=True).stdout
    with httpx.Client(base_url=entrance.address) as stranger:
        assert stranger.post("/enter", data={"token": "0" * 64}).status_code == 403
        first = stranger.post("/enter", data={"token": entrance.token}, headers={"Origin": "null"})
        assert first.status_code == 200
        for cookie in first.headers.get_list("set-cookie"):
            assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; ")), cookie
    with httpx.Client(base_url=entrance.address) as other:
        assert other.post("/enter", data={"token": entrance.token}).status_code == 403
        asked = other.get("/")
        assert asked.status_code == 303 and asked.headers["location"].startswith("/sign-in")
        assert "bothy open" in other.get("/sign-in").text
    entrance.end()
    log = (here.home / "bothy/agent/log").read_text()
    assert log and not [secret for secret in (entrance.token, *first.cookies.values()) if secret in log]


def test_a_browser_that_takes_no_cookies_is_told_how_to_come_in(here, browser, tmp_path):
    entrance = Entrance(here)
    someone = Person(WithoutCookies(browser, tmp_path), entrance.address)
    someone.page.goto(entrance.page)
    someone.page.get_by_text("Allow cookies for this address").wait_for()
    entrance.end()
    assert someone.context.cookies() == []
    complaints = [said for said in someone.complaints if not any(words in said for words in COMPLAINTS)]
    someone.close()
    assert not complaints, complaints


def test_a_page_from_elsewhere_reaches_nothing(here):
    entrance = Entrance(here)
    port = entrance.address.rsplit(":", 1)[1]
    with httpx.Client(base_url=entrance.address) as client:
        client.post("/enter", data={"token": entrance.token})
        for host in ("evil.example", f"evil.example:{port}", f"laptop:{port}", "127.0.0.1", f"127.0.0.2:{port}"):
            assert client.get("/", headers={"Host": host}).status_code == 421
        for origin in ("http://evil.example", "null", f"http://localhost:{port}"):
            act = {"act": "folder", "name": "x", "token": "0" * 64}
            assert client.post("/folder/root/act", data=act, headers={"Origin": origin}).status_code == 403
    entrance.end()
    assert here.run("ls").stdout == ""


def test_an_address_that_nobody_wrote_ends_no_agent(here):
    entrance = Entrance(here)
    with httpx.Client(base_url=entrance.address) as client:
        client.post("/enter", data={"token": entrance.token})
        for after in ("-1", "x", "9" * 30):
            assert client.get("/trash", params={"after": after}).status_code == 200
    entrance.end()


def test_what_is_done_without_a_connection_shows_at_once_and_arrives_with_one(server, here, person, new_device):
    page = person.page
    (here.home / "a.txt").write_text("first words")
    here.put("a.txt", "/")
    page.get_by_text("a.txt").wait_for()
    server.stop()
    page.get_by_role("button", name="New folder").click()
    page.keyboard.type("trip")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="trip").wait_for()
    (here.home / "b.txt").write_text("made in a train")
    page.locator("#pickers [data-pick=files]").set_input_files(str(here.home / "b.txt"))
    page.locator(".row .name", has_text="b.txt").wait_for()
    page.get_by_role("link", name="b.txt").click()
    page.get_by_text("made in a train").wait_for()
    page.go_back()
    server.start()
    other = new_device("kitchen").login(server.url, here.email)
    wait_until(lambda: other.run("ls").stdout.split() == ["trip/", "a.txt", "b.txt"])
    assert other.cat("/b.txt") == b"made in a train"


def test_an_open_page_finds_its_agent_again(here, person):
    here.run("agent", "--stop")
    here.run("agent", "--background")
    wait_until(lambda: answers(person.url))
    here.run("mkdir", "/later")
    person.page.get_by_role("link", name="later").wait_for()
    person.page.reload()
    shows(person, "later")


def test_who_opens_it_in_the_same_moment_is_led_to_the_same_address(here):
    for _ in range(3):
        with ThreadPoolExecutor(6) as people:
            entrances = list(people.map(lambda _: Entrance(here), range(6)))
        for entrance in entrances:
            entrance.process.terminate()
            entrance.process.wait(timeout=120)
        here.run("agent", "--stop")
        assert len({entrance.address for entrance in entrances}) == 1
    log = (here.home / "bothy/agent/log").read_text()
    assert log.count("The web app is served") == 3


def test_a_film_is_read_from_its_middle(here, person):
    (here.home / "film.mp4").write_bytes(bytes(range(256)) * 4096)
    here.put("film.mp4", "/")
    person.page.get_by_role("link", name="film.mp4").wait_for()
    link = person.page.get_by_role("link", name="film.mp4").get_attribute("href")
    answer = person.context.request.get(link + "/content", headers={"Range": "bytes=256-259"})
    assert answer.status == 206 and answer.body() == bytes([0, 1, 2, 3])
    assert answer.headers["content-range"] == f"bytes 256-259/{256 * 4096}"
    assert answer.headers["content-security-policy"] == "sandbox"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_what_is_not_there_is_told_by_its_number(server, here, person):
    (here.home / "far.txt").write_text("only on the server")
    here.put("far.txt", "/")
    link = person.page.get_by_role("link", name="far.txt").first
    link.wait_for()
    href = link.get_attribute("href")
    asked = person.context.request
    for place in ("/file/999999/content", "/file/nobody/content", "/file/..%2f..%2fclient.sqlite/content", "/conflicts/9"):
        assert asked.get(place).status == 404, place
    server.stop()
    away = asked.get(href + "/content")
    assert away.status == 503 and "not on this device" in away.text()


def test_nobody_signed_in_is_told_what_to_do(new_device):
    said = new_device().run("open", "--print", check=False)
    assert said.code == 3 and "bothy login" in said.text


def test_signing_out_of_the_browser_ends_its_way_in(here, person):
    person.page.get_by_role("button", name="Sign out").click()
    person.page.get_by_text("bothy open").wait_for()
    person.page.goto("/")
    assert "/sign-in" in person.page.url


def test_the_agent_can_be_told_to_serve_nothing(here, browser):
    someone = come_in(browser, here)
    someone.close()
    here.run("agent", "--stop")
    agent = here.start("agent", "--no-web")
    wait_until(lambda: "The agent runs" in here.started_log())
    with pytest.raises(httpx.ConnectError):
        httpx.get(someone.url)
    agent.send_signal(signal.SIGTERM)
    agent.wait(timeout=60)


def test_without_a_connection_each_page_shows_what_is_known(server, here, person, new_device):
    other = new_device("kitchen").login(server.url, here.email)
    (other.home / "far.png").write_bytes(PICTURE)
    other.put("far.png", "/")
    link = person.page.get_by_role("link", name="far.png").first
    link.wait_for()
    href = link.get_attribute("href")
    server.stop()
    page = person.page
    for place, said in ((href, "This needs a connection."), (f"{href}/versions", "This needs a connection."),
                        ("/settings", "This needs a connection.")):
        begun = time.monotonic()
        answer = page.goto(place)
        assert answer.status == 200, f"{place}: {answer.status}"
        page.get_by_text(said).first.wait_for()
        assert time.monotonic() - begun < 30, f"{place} is waited for"
    page.goto(f"{href}/versions")
    page.get_by_text("Current version").wait_for()
    refused = person.context.request.get("/folder/root/zip", headers={"Accept": "text/html"})
    assert refused.status == 503 and "“far.png” is not on this device" in refused.text()


def test_a_third_folder_at_once_is_told_to_wait(here, person):
    (here.home / "film.mkv").write_bytes(bytes(48 << 20))  # more than lies between the two ends of a connection
    here.put("film.mkv", "/")
    person.page.get_by_role("link", name="film.mkv").wait_for()
    cookies = {cookie["name"]: cookie["value"] for cookie in person.context.cookies()}
    with httpx.Client(base_url=person.url, cookies=cookies, trust_env=False, timeout=60) as client:

        def third():
            with client.stream("GET", "/folder/root/zip", headers={"Accept": "text/html"}) as answer:
                return answer.status_code, answer.read().decode() if answer.status_code != 200 else ""

        with client.stream("GET", "/folder/root/zip") as first:
            with client.stream("GET", "/folder/root/zip") as second:
                assert first.status_code == second.status_code == 200
                status, said = third()
                assert status == 503 and "Two folder downloads are already running" in said, (status, said)
        # Who gave one up has its seat free again.
        wait_until(lambda: third()[0] == 200, what="a third one once the others have ended")


def test_what_waits_is_marked_and_says_why(server, here, person):
    (here.home / "a.txt").write_text("first words")
    here.put("a.txt", "/")
    page = person.page
    row = page.locator(".row", has_text="a.txt")
    row.wait_for()
    page.get_by_text("Up to date").first.wait_for()
    row.get_by_role("img", name="Waiting to be sent").wait_for(state="detached")
    server.stop()
    row.locator(".pick").check()
    page.locator("#acts").get_by_role("button", name="Star").click()
    row.get_by_role("img", name="Waiting to be sent").wait_for()
    page.locator("#acts").get_by_role("button", name="Details").click()
    dialog = page.get_by_role("dialog", name="a.txt")
    dialog.get_by_text("Star: Waiting for a connection").wait_for()
    dialog.get_by_role("button", name="Close").click()
    server.start()
    row.get_by_role("img", name="Waiting to be sent").wait_for(state="detached")


@pytest.mark.parametrize("width", [360, 390, 600])
def test_on_a_phone_the_head_takes_two_rows_and_the_places_are_at_the_bottom(person, width):
    person.page.set_viewport_size({"width": width, "height": 780})
    parts = person.page.locator(".top").locator("a:visible, button:visible")
    boxes = [part.bounding_box() for part in parts.all()]
    rows = sorted({round(box["y"] + box["height"] / 2) for box in boxes})
    assert len(rows) == 3 and rows[1] < 100 and rows[2] > 700, rows
    assert all(box["height"] >= 44 for box in boxes), "a finger meets each of them"
    person.page.get_by_role("link", name="Synced folders").wait_for()


def test_an_agent_that_stopped_is_told_nothing_in_step_of(here, person):
    person.page.get_by_text("Up to date").first.wait_for()
    here.run("agent", "--stop")
    person.page.get_by_text("No connection. Trying again").wait_for()
    person.page.locator("#line").get_by_text("Up to date").wait_for(state="hidden")


@pytest.mark.parametrize("how", [[], ["--permanently", "--yes"]], ids=["into the trash", "for good"])
def test_a_file_deleted_elsewhere_while_it_is_being_renamed_here(desk, how):
    desk.put(desk.phone, "a.txt", "text")
    desk.put(desk.phone, "other.txt", "other")
    page = desk.page
    shows(desk.person, "a.txt", "other.txt")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("F2")
    field = page.get_by_role("textbox", name="Rename")
    page.keyboard.type("b")
    desk.phone.run("rm", *how, "/a.txt")
    # It is gone here, too, and whoever types is not interrupted.
    page.wait_for_function("() => document.querySelector('.renaming')?.isOld")
    wait_until(lambda: "a.txt" not in desk.laptop.run("ls").stdout)
    page.keyboard.type("c")
    assert field.input_value() == "bc.txt"
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("It was not renamed, as it was deleted meanwhile")
    shows(desk.person, "other.txt")  # the row has gone
    # The page goes on: what is there can be renamed.
    page.keyboard.press("ArrowDown")
    page.keyboard.press("F2")
    page.keyboard.type("later")
    page.keyboard.press("Enter")
    wait_until(lambda: desk.phone.run("ls").stdout.split() == ["later.txt"], what="the other one is renamed everywhere")
