"""Every screen of the web app in its states: who looks at all of them draws them from here."""

import struct
import time
import zlib

from api import FOLDER, Api
from waiting import wait_until

PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c63f8ffffff7f0009fb03fd05434aca"
    "0000000049454e44ae426082")
LETTER = ["Dear Sir or Madam,", "", "I have been with you for ten years.", "I would like to open a second account.", "",
          "Yours sincerely,", "Jane Doe"]

#: From the right, both ways in one, one that lies about its end, one without a place to break, and one of 252 bytes.
NAMES = ["تقرير عام 2024.pdf", "הערות לישיבה (final).txt", "holiday \u202egpj.exe", "x" * 120 + ".zip", "😀" * 63, "Φωτογραφία.png"]


def picture(hue, width=96, height=72):
    """A hill under a sky, as a PNG of few bytes."""
    rows = b""
    for y in range(height):
        row = b""
        for x in range(width):
            hill = y > height * (0.62 - 0.22 * abs((x / width + hue) % 1 - 0.5))
            sky = (round(150 + 90 * hue), round(200 - 60 * y / height), round(235 - 70 * hue))
            row += bytes((round(60 + 40 * hue), round(110 + 30 * (1 - y / height)), 90) if hill else sky)
        rows += b"\0" + row

    def part(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(rows, 9)) + part(b"IEND", b"")


def filled(url, email):
    """An account with something on every screen. Its device is a laptop, and then the browser that looks."""
    house = Api(url).register(email)
    house.email = email
    folders = {}
    for name in ("Films", "Letters", "Pictures", "Taxes 2024"):
        folders[name] = house.call(
            "POST", "/v1/files", expect=201, json={"name": name, "mimeType": FOLDER, "parentId": "root"}).json()["id"]

    def put(name, data, parent="root", mime="text/plain"):
        return house.call(
            "POST", "/v1/upload", expect=201, content=data, headers={"Content-Type": mime},
            params={"uploadType": "media", "name": name, "parentId": parent, "conflict": "overwrite"}).json()

    for number in range(1, 8):
        house.picture = put(f"IMG_{number:04}.png", picture(number / 8), folders["Pictures"], "image/png")["id"]
    house.damaged = put("Torn.png", b"no picture", folders["Pictures"], "image/png")["id"]
    house.archive = put("Originals.zip", b"x" * 9_000, folders["Pictures"], "application/zip")["id"]
    house.notes = put(
        "Notes.md", b"# Notes\n\nFor *Sunday*, see [the recipe](https://example.org/).\n\n- bread\n- butter\n- cheese\n",
        mime="text/markdown")["id"]
    put("Budget.csv", b"month,amount\nJanuary,120\nFebruary,96\n", mime="text/csv")
    put("Plan of the house.pdf", b"%PDF-1.4\n" + b" " * 40_000, mime="application/pdf")
    put("Holidays in the north, with everybody who came along.zip", b"x" * 90_000, mime="application/zip")
    put("Report 2023.pdf", b"%PDF-1.4\n" + b" " * 9_000, folders["Taxes 2024"], "application/pdf")
    house.names = house.call(
        "POST", "/v1/files", expect=201, json={"name": "Names", "mimeType": FOLDER, "parentId": folders["Letters"]}).json()["id"]
    for name in NAMES:
        put(name, b"x" * 3_000, house.names, "application/pdf")
    put("Report 2024.pdf", b"%PDF-1.4\n" + b" " * 12_000, folders["Taxes 2024"], "application/pdf")
    letter = put("Letter to the bank.txt", "\n".join(LETTER).encode(), folders["Letters"])
    # A moment to go back to: what comes after it would change.
    time.sleep(0.01)
    house.then = int(time.time() * 1000)
    time.sleep(0.01)
    put("Letter to the bank.txt", "\n".join(LETTER[:3] + ["I would like to close my account."] + LETTER[4:]).encode(),
        folders["Letters"])
    put("Letter to the bank.txt",
        "\n".join(LETTER[:3] + ["I would like to close my account.", "Please confirm it in writing."] + LETTER[4:]).encode(),
        folders["Letters"])
    for name in ("Old list.txt", "Draft of a letter that was never sent to anybody.txt", "Blurred.png"):
        house.call("DELETE", f"/v1/files/{put(name, b'x' * 4000, folders['Letters'])['id']}", expect=204)
    house.letter, house.folders = letter["id"], folders
    house.patch(folders["Letters"], starred=True)
    house.empty = house.call(
        "POST", "/v1/files", expect=201, json={"name": "Nothing yet", "mimeType": FOLDER, "parentId": "root"}).json()["id"]
    # It is looked through some seconds after it came.
    wait_until(lambda: house.call("GET", "/v1/search", params={"q": "sincerely"}).json()["results"])
    return house


def go(page, place):
    """There, from wherever: nothing that is being uploaded is asked about."""
    page.evaluate("globalThis.bothyUploads?.all.slice().forEach((one) => bothyUploads.drop(one))")
    page.unroute_all()
    page.goto(place)


def at(place):
    return lambda page, house: go(page, place.format(**vars(house), **house.folders))


def looked_through(place):
    """What the round before has restored is looked through some seconds later."""
    def shown(page, house):
        wait_until(lambda: house.call("GET", "/v1/search", params={"q": "report"}).json()["isComplete"])
        go(page, place)
    return shown


def chosen(page, house):
    go(page, "/?layout=list")
    page.locator(".row .pick").nth(1).check()
    page.locator("#acts").wait_for()


def making(page, house):
    go(page, "/?layout=list")
    page.get_by_role("button", name="New folder").click()


def lost(page, house):
    go(page, "/")
    # What the pages of a browser share cannot be cut here: this one hears by itself, and hears nothing.
    page.add_init_script("if (location.hash === '#alone') delete globalThis.SharedWorker;")
    page.route("**/events*", lambda route: route.abort())
    page.goto("/?layout=list#alone")
    page.locator("body.lost #standing").wait_for()


def asked(page, house):
    go(page, "/trash?choose=all")
    page.get_by_role("button", name="Delete for good").click()
    page.get_by_role("heading", name="for good?").wait_for()


def restored(page, house):
    go(page, f"/file/{house.letter}/versions")
    page.get_by_role("button", name="Restore").first.click()
    page.locator(".toast").wait_for(state="attached")


def planned(page, house):
    page.goto("/restore")
    first = page.locator("button[name=at]").first
    first.evaluate("(button, at) => { button.value = at; }", str(house.then))
    first.click()
    page.get_by_role("heading", name="As it was on").wait_for()


def refused(page, house):
    go(page, "/settings")
    page.get_by_label("Current password").fill("not it at all")
    page.get_by_label("New password").fill("a better battery")
    page.get_by_role("button", name="Change password").click()
    page.get_by_role("alert").wait_for()


def upload(page, *sizes):
    page.locator("#pickers [data-pick=files]").set_input_files(
        [{"name": f"Holidays {number + 1}.mp4", "mimeType": "video/mp4", "buffer": b"x" * size}
         for number, size in enumerate(sizes)])
    page.locator("#tray").wait_for()


def uploading(page, house):
    go(page, f"/folder/{house.empty}?layout=list")
    page.route("**/chunk*", lambda route: None)
    upload(page, 900_000, 400_000)
    page.locator(".upload.sending").first.wait_for()


def upload_paused(page, house):
    uploading(page, house)
    page.get_by_role("button", name="Pause all").click()
    page.locator(".upload.paused").first.wait_for()


def upload_failed(page, house):
    go(page, f"/folder/{house.empty}?layout=list")
    refusal = '{"code": "quota_exceeded", "words": "Your account is full.", "remedy": "Empty the trash, or ask for more room."}'
    page.route("**/upload", lambda route: route.fulfill(status=507, content_type="application/json", body=refusal))
    upload(page, 900_000)
    page.locator(".upload.failed").wait_for()


def upload_taken(page, house):
    go(page, "/?layout=list")
    page.locator("#pickers [data-pick=files]").set_input_files(
        {"name": "Budget.csv", "mimeType": "text/csv", "buffer": b"other"})
    page.get_by_role("dialog", name="is there already").wait_for()


def moving(page, house):
    chosen(page, house)
    page.locator("#acts").get_by_role("button", name="Move", exact=True).click()
    page.get_by_role("dialog", name="Choose a folder").wait_for()


def menu(page, house):
    go(page, "/?layout=list")
    page.locator(".row").nth(5).click(button="right")
    page.locator("#acts.menu").wait_for()


def details(page, house):
    menu(page, house)
    page.locator("#acts.menu").get_by_role("button", name="Details").click()
    page.locator("#details[open]").wait_for()


def dropping(page, house):
    go(page, "/?layout=list")
    page.evaluate("""() => { const data = new DataTransfer(); data.items.add(new File(["x"], "a.txt"));
        document.querySelector(".row").dispatchEvent(new DragEvent("dragover", { bubbles: true, cancelable: true, dataTransfer: data })); }""")
    page.locator("#landing").wait_for()


def undone(page, house):
    go(page, "/?layout=list")
    page.locator(".row", has_text="Budget.csv").locator(".pick").check()
    page.locator("#acts").get_by_role("button", name="Move to trash").click()
    page.get_by_role("button", name="Undo").wait_for()
    house.patch(page.locator(".toast [name=id]").get_attribute("value"), trashed=False)
    page.locator(".row", has_text="Budget.csv").wait_for()


SCREENS = {
    "files-full": at("/?layout=list"),
    "files-grid": at("/?layout=grid"),
    "files-chosen": chosen,
    "files-making": making,
    "files-lost": lost,
    "files-empty": at("/folder/{empty}?layout=list"),
    "files-missing": at("/folder/0000"),
    "files-names": at("/folder/{names}?layout=list"),
    "files-pictures": at("/folder/{Pictures}?layout=grid"),
    "files-menu": menu,
    "files-details": details,
    "files-moving": moving,
    "files-dropping": dropping,
    "files-undo": undone,
    "upload-going": uploading,
    "upload-paused": upload_paused,
    "upload-failed": upload_failed,
    "upload-taken": upload_taken,
    "preview-text": at("/file/{letter}"),
    "preview-markdown": at("/file/{notes}"),
    "preview-picture": at("/file/{picture}"),
    "preview-damaged": at("/file/{damaged}"),
    "preview-none": at("/file/{archive}"),
    "versions-full": at("/file/{letter}/versions"),
    "versions-restored": restored,
    "versions-compared": at("/file/{letter}/versions/compare"),
    "search-fresh": at("/search"),
    "search-full": looked_through("/search?q=report"),
    "search-text": looked_through("/search?q=ten+years"),
    "search-none": looked_through("/search?q=nobody"),
    "trash-full": at("/trash"),
    "trash-asked": asked,
    "restore-fresh": at("/restore"),
    "restore-planned": planned,
    "storage-full": at("/storage"),
    "settings-full": at("/settings"),
    "settings-refused": refused,
}
# In an account that has nothing.
BARE = {
    "files-bare": at("/?layout=list"),
    "trash-empty": at("/trash"),
    "storage-empty": at("/storage"),
}
