"""The file app's whole list by hand, in a browser: on a server, on a device, and on a device whose network goes in between."""

import io
import re
import zipfile

import pytest

from api import Api, new_id
from browser import Person, is_said
from device import PASSWORD
from test_agent_web import come_in
from test_web_act import row, tool
from test_web_browse import shows
from waiting import wait_until
from web_screens import PICTURE

#: What only the server can say is refused while it is away.
COMPLAINTS = ("status of 4", "ERR_CONNECTION_REFUSED")


class Walk:
    """Somebody who does everything that there is to do with files, by keyboard and mouse."""

    def __init__(self, person, folder):
        self.person = person
        self.page = person.page
        self.folder = folder

    def write(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return str(path)

    def settle(self):
        """Folders, uploads, orders, names and stars."""
        page, person = self.page, self.person
        page.get_by_role("button", name="New folder").click()
        page.get_by_role("textbox", name="Name").fill("Letters")
        page.keyboard.press("Enter")
        shows(person, "Letters")
        files = [self.write("notes.txt", b"milk\nbread\n"), self.write("dot.png", PICTURE)]
        page.locator("#pickers [data-pick=files]").set_input_files(files)
        shows(person, "Letters", "dot.png", "notes.txt")
        # While bytes go, other pages come into this one, and what is clicked meanwhile is clicked in the old one.
        page.locator("#tray-what", has_text="2 files uploaded").wait_for()
        page.get_by_role("link", name="Size").click()
        shows(person, "Letters", "dot.png", "notes.txt")
        page.get_by_role("link", name="Name").click()
        page.get_by_role("link", name="Grid").click()
        page.locator(".rows.grid").wait_for()
        page.get_by_role("link", name="List").click()
        page.locator(".rows:not(.grid)").wait_for()
        shows(person, "Letters", "dot.png", "notes.txt")
        for key in ("ArrowDown", "ArrowDown", "ArrowDown"):
            page.keyboard.press(key)
        page.keyboard.press("F2")
        page.keyboard.type("diary")
        page.keyboard.press("Enter")
        shows(person, "Letters", "diary.txt", "dot.png")
        row(person, "diary.txt").locator(".pick").check()
        tool(person, "Star").click()
        row(person, "diary.txt").get_by_role("img", name="Starred").wait_for()

    def arrange(self):
        """Copies, moves, the trash and the way back."""
        page, person = self.page, self.person
        dialog = page.get_by_role("dialog", name="Choose a folder")
        tool(person, "Copy").click()
        dialog.get_by_role("button", name="Letters").click()
        dialog.get_by_role("button", name="Copy here").click()
        is_said(page, "1 item was copied.")
        page.keyboard.press("Escape")
        row(person, "dot.png").locator(".name").drag_to(row(person, "Letters"))
        shows(person, "Letters", "diary.txt")
        page.get_by_role("link", name="Letters").click()
        shows(person, "diary.txt", "dot.png")
        row(person, "dot.png").click(button="right")
        page.locator("#acts.menu").get_by_role("button", name="Move to trash").click()
        shows(person, "diary.txt")
        page.get_by_role("button", name="Undo").click()
        shows(person, "diary.txt", "dot.png")
        page.keyboard.press("Control+a")
        page.keyboard.press("Delete")
        shows(person)
        page.get_by_role("link", name="Trash").click()
        page.get_by_label("dot.png").check()
        page.get_by_role("button", name="Restore").click()
        is_said(page, "1 item was restored.")
        page.get_by_role("link", name="Files", exact=True).first.click()
        shows(person, "Letters", "diary.txt")

    def look(self):
        """Previews, the search, downloads, and what takes room."""
        page = self.page
        page.get_by_role("link", name="diary.txt").click()
        page.get_by_text("milk").wait_for()
        page.go_back()
        page.get_by_role("link", name="Letters").click()
        page.get_by_role("link", name="dot.png").click()
        page.wait_for_function("() => document.querySelector('main img')?.naturalWidth > 0")
        page.wait_for_load_state()
        page.keyboard.press("/")
        page.wait_for_url("**/search")
        page.get_by_role("searchbox").press_sequentially("dia")
        page.locator(".entry", has_text="diary.txt").wait_for()
        page.goto("/")
        with page.expect_download() as downloading:
            page.get_by_role("link", name="Download folder").click()
        names = zipfile.ZipFile(io.BytesIO(open(downloading.value.path(), "rb").read())).namelist()
        assert sorted(names) == ["Letters/", "Letters/dot.png", "diary.txt"]
        page.goto("/storage")
        page.get_by_role("heading", name="Storage", exact=True).wait_for()

    def everywhere(self, places):
        """Each place is itself, whatever is the matter."""
        for place, heading in places.items():
            answer = self.page.goto(place)
            assert answer.status == 200, f"{place}: {answer.status}"
            assert self.page.get_by_role("heading", level=1).inner_text() == heading

    def leave(self):
        self.page.goto("/")
        self.page.get_by_role("button", name="Sign out").click()
        self.page.wait_for_url("**/sign-in")


def there(api):
    """What the server has, as paths."""
    found = {}
    waiting = [("root", "")]
    while waiting:
        folder, above = waiting.pop()
        for file in api.list(folder):
            path = f"{above}/{file['name']}"
            found[path] = file.get("starred", False)
            if "folder" in file["mimeType"]:
                waiting.append((file["id"], path))
    return found


PLACES = {"/trash": "Trash", "/starred": "Starred", "/settings": "Settings", "/storage": "Storage", "/search": "Search",
          "/feed": "Feed", "/people": "People"}
OWN_PLACES = {"/transfers": "Transfers", "/conflicts": "Conflicts", "/offline": "Offline", "/synced": "Synced folders"}
AT_THE_END = {"/Letters": False, "/Letters/dot.png": False, "/diary.txt": True}


def test_the_whole_list_on_a_server(account, person, tmp_path):
    walk = Walk(person, tmp_path)
    walk.settle()
    walk.arrange()
    walk.look()
    walk.everywhere(PLACES)
    assert there(account) == AT_THE_END
    walk.leave()


@pytest.mark.parametrize("is_cut", [False, True], ids=["with a connection", "the network gone in between"])
def test_the_whole_list_on_a_device(browser, server, new_device, tmp_path, is_cut):
    email = f"{new_id()}@example.org"
    device = new_device("laptop").register(server.url, email)
    someone = come_in(browser, device)
    try:
        walk = Walk(someone, tmp_path)
        walk.settle()
        if is_cut:
            server.stop()
        walk.arrange()
        walk.look()
        walk.everywhere(PLACES | OWN_PLACES)
        if is_cut:
            walk.page.goto("/transfers")
            walk.page.get_by_text(re.compile("waiting for a connection")).first.wait_for()
            server.start()
        api = Api(server.url).login(email, PASSWORD)
        wait_until(lambda: there(api) == AT_THE_END)
        walk.page.goto("/")
        walk.page.get_by_text("Up to date").first.wait_for()
        walk.leave()
        complaints = [said for said in someone.complaints if not any(words in said for words in COMPLAINTS)]
        assert not complaints, complaints
    finally:
        someone.close()
        device.run("agent", "--stop", check=False)
