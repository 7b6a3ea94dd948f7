"""Finding things without knowing where they lie: by words, and by the stars that they were given."""

import pytest

from agent_people import come_in
from api import new_id
from browser import expect, is_said
from waiting import wait_until


@pytest.fixture
def laptop(server, new_device):
    """A device, and three files of which two have a star."""
    device = new_device("laptop").register(server.url, f"{new_id()}@example.org")
    device.run("mkdir", "-p", "/Letters/2024")
    for name, text in [("bank.txt", "I would like to open an account."), ("diary.txt", "Rain again."), ("x", "no text")]:
        (device.home / name).write_text(text)
    device.put(device.home / "bank.txt", "/Letters/2024/")
    device.put(device.home / "diary.txt", device.home / "x", "/")
    device.run("star", "/Letters/2024", "/diary.txt")
    return device


def finds(device, *words):
    """The lines of `bothy find`, when nothing is waiting to be looked through any more."""
    def looked():
        result = device.run("find", *words)
        return None if "still being indexed" in result.stderr else result
    return wait_until(looked)


def test_words_are_found_in_names_and_in_texts(laptop):
    wait_until(lambda: "bank.txt" in laptop.run("find", "account").stdout)
    assert finds(laptop, "account").stdout.splitlines() == [
        "/Letters/2024/bank.txt", "  I would like to open an account."]
    assert finds(laptop, "lett").stdout == "/Letters/\n"
    assert finds(laptop, "open", "bank").stdout.startswith("/Letters/2024/bank.txt\n")
    found = laptop.json_lines("find", "account")
    assert [(line["path"], line["kind"], line["match"]) for line in found] == [("/Letters/2024/bank.txt", "file", "text")]
    assert {"text": "account", "isFound": True} in found[0]["excerpt"]
    assert found[0]["id"] == laptop.json("stat", "/Letters/2024/bank.txt")["id"]
    assert "excerpt" not in laptop.json_lines("find", "diary")[0]


def test_nothing_found_is_said_beside_the_result(laptop):
    nothing = finds(laptop, "nobody")
    assert (nothing.stdout, nothing.stderr) == ("", "Nothing was found.\n")
    assert laptop.run("find", "nobody", "--json").stdout == ""


@pytest.mark.parametrize("words", [["…"], ["a" * 513], ["a", "--limit", "0"], ["a", "--limit", "201"], []])
def test_what_cannot_be_looked_for_is_wrong_usage(laptop, words):
    refused = laptop.run("find", *words, check=False)
    assert refused.code == 2 and refused.stdout == ""


def test_stars_are_listed_by_path_and_below_a_folder(laptop):
    assert laptop.run("ls", "--starred").stdout.splitlines() == ["/Letters/2024/", "/diary.txt"]
    assert laptop.run("ls", "--starred", "/Letters").stdout == "/Letters/2024/\n"
    assert laptop.run("ls", "--starred", "/Letters/2024").stdout == "/Letters/2024/\n"
    nothing = laptop.run("ls", "--starred", "/x")
    assert (nothing.stdout, nothing.stderr) == ("", "Nothing in “/x” is starred.\n")
    assert [line["path"] for line in laptop.json_lines("ls", "--starred")] == ["/Letters/2024", "/diary.txt"]
    assert laptop.run("ls", "--starred", "-l").stdout.splitlines()[1].endswith("/diary.txt")
    laptop.run("rm", "/Letters")
    laptop.run("star", "--remove", "/diary.txt")
    assert laptop.run("ls", "--starred").stdout == ""
    for more in (["--recursive"], ["--sort", "size"]):
        assert laptop.run("ls", "--starred", *more, check=False).code == 2


def test_what_was_moved_elsewhere_is_listed_where_it_is(laptop, server, new_device):
    laptop.run("ls")
    phone = new_device("phone").login(server.url, laptop.json("whoami")["user"]["email"])
    phone.run("mv", "/Letters", "/Post")
    assert laptop.run("ls", "--starred").stdout.splitlines() == ["/Post/2024/", "/diary.txt"]
    phone.run("mv", "/Post", "/Old post")
    assert laptop.run("ls", "--starred", "/Old post").stdout == "/Old post/2024/\n"


def test_without_a_connection_what_this_device_knows_is_found(laptop, server):
    server.stop()
    names = laptop.run("find", "diary")
    assert names.stdout == "/diary.txt\n" and names.stderr.startswith("Only the names that this device knows were searched; ")
    assert laptop.run("ls", "--starred").stdout.splitlines() == ["/Letters/2024/", "/diary.txt"]
    laptop.run("star", "/x")
    assert laptop.run("ls", "--starred").stdout.splitlines() == ["/Letters/2024/", "/diary.txt", "/x"]


def shows(page, *names):
    expect(page.locator(".entry .name")).to_have_text(names)


def test_a_screen_lists_what_has_a_star(account, person):
    folder = account.folder("Letters")
    letter = account.put_small("bank.txt", b"Dear Sir", parent=folder["id"])
    for file in (folder, letter):
        account.patch(file["id"], starred=True)
    person.page.locator("a[href='/starred']:not(.star)").first.click()
    shows(person.page, "Letters", "bank.txt")
    expect(person.page.locator(".entry").nth(1)).to_contain_text("Files / Letters")
    person.page.get_by_role("button", name="Remove star: Letters").click()
    is_said(person.page, "“Letters” is no longer starred.")
    shows(person.page, "bank.txt")
    assert not account.file(folder["id"])["starred"]
    person.page.get_by_role("link", name="bank.txt").click()
    person.page.get_by_text("Dear Sir").wait_for()
    person.page.go_back()
    person.page.get_by_role("button", name="Remove star").click()
    person.page.get_by_role("heading", name="No starred files").wait_for()


def test_a_narrow_screen_gets_there_by_the_search(account, person):
    account.patch(account.put_small("bank.txt", b"Dear Sir")["id"], starred=True)
    person.page.set_viewport_size({"width": 360, "height": 700})
    person.page.get_by_role("link", name="Search").click()
    person.page.get_by_role("link", name="Show starred files").click()
    shows(person.page, "bank.txt")


def test_a_device_lists_its_stars_without_a_connection(browser, laptop, server):
    laptop.run("agent", "--background")
    someone = come_in(browser, laptop)
    try:
        someone.page.goto("/starred")
        wait_until(lambda: someone.page.reload() and someone.page.locator(".entry").count() == 2)
        server.stop()
        someone.page.reload()
        shows(someone.page, "2024", "diary.txt")
        someone.page.get_by_role("button", name="Remove star: diary.txt").click()
        is_said(someone.page, "“diary.txt” is no longer starred.")
        shows(someone.page, "2024")
        server.start()
        wait_until(lambda: laptop.json("stat", "/diary.txt")["starred"] is False)
    finally:
        someone.close()
        laptop.run("agent", "--stop")
