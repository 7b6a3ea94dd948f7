"""No room left, met in a browser: the account's, the server's disk, the device's own. Words, nothing half there, and on it goes."""

import os

import pytest

import agent_people
from agent_people import Desk
from api import Api, new_id
from browser import Person
from device import Device
from server import Server
from small_disk import SmallDisk
from test_web_browse import put, shows
from test_web_upload import choose, content, file_of, quick, slow, title, under_way, upload
from waiting import wait_until

MIB = 1 << 20
#: Without room, and without a connection, requests are refused.
COMPLAINTS = (*agent_people.COMPLAINTS, "status of 507")


def trouble(page):
    """What the tray says once, for all that wait for it."""
    said = page.locator("#tray-trouble")
    said.wait_for()
    return said


def settle(page):
    trouble(page).locator("[data-do=settled]").click()


@pytest.fixture
def someone(browser):
    people = []

    def sign_in(server, email):
        people.append(Person(browser, server.url).sign_in(email))
        people[-1].page.wait_for_url(server.url + "/")
        return people[-1]

    yield sign_in
    for person in people:
        complaints = [said for said in person.complaints if not any(words in said for words in COMPLAINTS)]
        person.close()
        assert not complaints, complaints


def test_a_quota_that_is_used_up_among_many_small_files(server, new_account, someone, tmp_path):
    email = f"{new_id()}@example.org"
    account = new_account(server, email=email)
    put(account, "old.bin", os.urandom(3 * MIB))
    server.admin("user", "quota", email, "4 MiB")
    person = someone(server, email)
    files = {f"{number:02}.bin": os.urandom(100_000) for number in range(20)}
    choose(person, *(file_of(tmp_path, name, data) for name, data in files.items()))
    words = trouble(person.page).inner_text()
    assert "storage" in words.lower() or "space" in words.lower(), words
    assert "bothy" not in words, words
    person.page.locator(".upload.failed").first.wait_for()
    wait_until(lambda: person.page.locator(".upload.sending").count() == 0, what="nothing is under way")
    there = [name for name in account.names() if name in files]
    assert 0 < len(there) < len(files) and "old.bin" in account.names()
    assert all(content(account, name) == files[name] for name in there), "what is there is whole"
    server.admin("user", "quota", email, "8 MiB")
    settle(person.page)
    title(person, "20 files uploaded")
    assert account.names() == sorted([*files, "old.bin"])
    assert all(content(account, name) == data for name, data in files.items())


@pytest.mark.needs_root
def test_the_servers_disk_full_in_the_middle_of_a_file(someone, tmp_path):
    disk = SmallDisk(tmp_path / "disk", "96m")
    server = Server(disk.place / "data", "--min-free", "0", prefix=disk.prefix).start()
    try:
        email = f"{new_id()}@example.org"
        account = Api(server.url).register(email)
        person = someone(server, email)
        slow(person, 300)
        data = os.urandom(24 * MIB)
        choose(person, file_of(tmp_path, "film.bin", data))
        under_way(person, 20)
        disk.fill()
        quick(person)
        words = trouble(person.page).inner_text()
        assert "The server's disk is full" in words and "free space" in words, words
        assert account.names() == [] and server.running()
        disk.make_room()
        settle(person.page)
        title(person, "1 file uploaded")
        shows(person, "film.bin")
        assert content(account, "film.bin") == data
    finally:
        server.kill()
        disk.close()


@pytest.fixture
def crowded(server, browser, new_device, tmp_path):
    """A desk whose laptop has everything that it keeps, its databases too, on a disk that can be filled."""
    laptop = Device(tmp_path / "crowded", "laptop")
    disk = SmallDisk(laptop.home / "bothy", "192m")
    laptop.prefix = disk.prefix
    desk = Desk(server, laptop, new_device("phone")).come_in(browser, root=disk.root)
    desk.disk = disk
    yield desk
    complaints = [said for said in desk.person.complaints if not any(words in said for words in COMPLAINTS)]
    desk.person.close()
    laptop.run("agent", "--stop", check=False)
    disk.close()
    assert not complaints, complaints


@pytest.fixture
def cramped(server, browser, new_device, tmp_path):
    """A desk whose laptop keeps the bytes of files on a disk that can be filled."""
    laptop = Device(tmp_path / "cramped", "laptop")
    place = laptop.home / "bothy" / "content"
    place.mkdir(parents=True, mode=0o700)
    place.parent.chmod(0o700)
    disk = SmallDisk(place, "192m", over=True)
    laptop.prefix = disk.prefix
    desk = Desk(server, laptop, new_device("phone")).come_in(browser)
    desk.disk = disk
    yield desk
    complaints = [said for said in desk.person.complaints if not any(words in said for words in COMPLAINTS)]
    desk.person.close()
    laptop.run("agent", "--stop", check=False)
    disk.close()
    assert not complaints, complaints


def arrives(desk, name, data):
    wait_until(lambda: desk.phone.run("cat", f"/{name}", check=False).code == 0, what=f"{name} has arrived")
    assert desk.phone.cat(f"/{name}") == data


def assert_said(words, name):
    assert f"There is no space for “{name}” on this device's disk." in words and "Free some space" in words, words
    assert "bothy" not in words and "arriving" not in words, words


@pytest.mark.needs_root
def test_the_devices_own_disk_full_before_a_file_comes(cramped, tmp_path):
    files = {"film.bin": os.urandom(10 * MIB), "note.txt": b"note", "list.txt": b"list"}
    cramped.disk.fill(leave=MIB)
    choose(cramped.person, *(file_of(tmp_path, name, data) for name, data in files.items()))
    title(cramped.person, "3 files failed")
    assert "There is no space for" in trouble(cramped.page).inner_text()
    for name in files:
        assert name in upload(cramped.person, name).locator(".detail").inner_text()
    assert cramped.person.names() == [] and cramped.laptop.run("ls").stdout == ""
    cramped.disk.make_room()
    settle(cramped.page)
    title(cramped.person, "3 files uploaded")
    shows(cramped.person, *sorted(files))
    for name, data in files.items():
        arrives(cramped, name, data)


@pytest.mark.needs_root
def test_the_devices_own_disk_full_in_the_middle_of_a_file(cramped, tmp_path):
    data = os.urandom(48 * MIB)
    slow(cramped.person, 400)
    choose(cramped.person, file_of(tmp_path, "film.bin", data))
    under_way(cramped.person, 15)
    cramped.disk.fill()
    quick(cramped.person)
    assert_said(trouble(cramped.page).inner_text(), "film.bin")
    assert cramped.person.names() == [] and cramped.laptop.run("ls").stdout == ""
    assert cramped.page.evaluate("document.querySelector('.upload progress').value") > 10, "what came stays"
    cramped.disk.make_room()
    settle(cramped.page)
    title(cramped.person, "1 file uploaded")
    shows(cramped.person, "film.bin")
    arrives(cramped, "film.bin", data)


def refused(place):
    """Where it is said that this device has no room; a toast goes once it is read."""
    said = place.filter(has_text="There is no space left on this device's disk.")
    said.wait_for()
    words = said.inner_text()
    assert "Free some" in words and "sqlite" not in words, words
    said.evaluate("said => said.matches('.toast') && said.remove()")


@pytest.mark.needs_root
def test_the_disk_of_everything_that_a_device_knows_full_while_somebody_works(crowded, tmp_path):
    page, person = crowded.page, crowded.person
    crowded.put(crowded.laptop, "draft.txt", "draft")
    shows(person, "draft.txt")
    crowded.line("Up to date")
    agent = crowded.laptop.json("status")["agent"]["pid"]
    crowded.disk.fill()

    page.keyboard.press("ArrowDown")
    page.keyboard.press("F2")
    page.get_by_role("textbox", name="Rename").fill("letter.txt")
    page.keyboard.press("Enter")
    refused(page.locator(".toast.failure"))
    assert page.get_by_role("textbox", name="Rename").input_value() == "letter.txt", "what was typed is still there"
    page.keyboard.press("Escape")
    shows(person, "draft.txt")
    page.get_by_role("button", name="New folder").click()
    dialog = page.get_by_role("dialog", name="New folder")
    dialog.get_by_role("textbox", name="Name").fill("Letters")
    dialog.get_by_role("button", name="Create").click()
    refused(dialog.get_by_role("alert"))
    page.keyboard.press("Escape")
    choose(person, file_of(tmp_path, "note.txt", b"note"))
    assert_said(trouble(page).inner_text(), "note.txt")
    page.locator(".row .pick").check()
    page.keyboard.press("Delete")
    refused(page.locator(".toast.failure"))
    assert person.names() == ["draft.txt"] and crowded.phone.run("ls").stdout == "draft.txt\n"

    # What comes from elsewhere cannot be written down either, and that is not called a missing connection.
    crowded.put(crowded.phone, "news.txt", "news")
    crowded.line("This device’s disk is full")
    page.reload()
    shows(person, "draft.txt")
    crowded.disk.make_room()
    shows(person, "draft.txt", "news.txt")
    crowded.line("Up to date")
    page.get_by_role("button", name="New folder").click()
    dialog.get_by_role("textbox", name="Name").fill("Letters")
    dialog.get_by_role("button", name="Create").click()
    shows(person, "Letters", "draft.txt", "news.txt")
    choose(person, file_of(tmp_path, "note.txt", b"note"))
    shows(person, "Letters", "draft.txt", "news.txt", "note.txt")
    arrives(crowded, "note.txt", b"note")
    assert crowded.laptop.json("status")["agent"]["pid"] == agent, "nobody had to start it anew"
