"""Every screen of the web app in its states: who looks at all of them draws them from here."""

from api import FOLDER, Api

PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c63f8ffffff7f0009fb03fd05434aca"
    "0000000049454e44ae426082")
LETTER = ["Dear Sir or Madam,", "", "I have been with you for ten years.", "I would like to open a second account.", "",
          "Yours sincerely,", "Jane Doe"]


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
        put(f"IMG_{number:04}.png", PICTURE, folders["Pictures"], "image/png")
    put("Notes.md", b"# Notes\n\nBread, butter, cheese.\n")
    put("Budget.csv", b"month,amount\nJanuary,120\nFebruary,96\n", mime="text/csv")
    put("Plan of the house.pdf", b"%PDF-1.4\n" + b" " * 40_000, mime="application/pdf")
    put("Holidays in the north, with everybody who came along.zip", b"x" * 90_000, mime="application/zip")
    put("Report 2023.pdf", b"%PDF-1.4\n" + b" " * 9_000, folders["Taxes 2024"], "application/pdf")
    put("Report 2024.pdf", b"%PDF-1.4\n" + b" " * 12_000, folders["Taxes 2024"], "application/pdf")
    letter = put("Letter to the bank.txt", "\n".join(LETTER).encode(), folders["Letters"])
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
    return house


def at(place):
    return lambda page, house: page.goto(place.format(letter=house.letter, empty=house.empty, **house.folders))


def chosen(page, house):
    page.goto("/?layout=list")
    page.locator(".row .pick").nth(1).check()
    page.locator("#acts").wait_for()


def making(page, house):
    page.goto("/?layout=list")
    page.get_by_role("button", name="New folder").click()


def lost(page, house):
    page.goto("/?layout=list")
    page.context.set_offline(True)
    page.evaluate("document.getElementById('standing').hidden = false")
    page.context.set_offline(False)


def asked(page, house):
    page.goto("/trash?choose=all")
    page.get_by_role("button", name="Delete for good").click()
    page.get_by_role("heading", name="for good?").wait_for()


def restored(page, house):
    page.goto(f"/file/{house.letter}/versions")
    page.get_by_role("button", name="Restore").first.click()
    page.locator(".toast").wait_for()


def refused(page, house):
    page.goto("/settings")
    page.get_by_label("Current password").fill("not it at all")
    page.get_by_label("New password").fill("a better battery")
    page.get_by_role("button", name="Change password").click()
    page.locator(".toast").wait_for()


SCREENS = {
    "files-full": at("/?layout=list"),
    "files-grid": at("/?layout=grid"),
    "files-chosen": chosen,
    "files-making": making,
    "files-lost": lost,
    "files-empty": at("/folder/{empty}?layout=list"),
    "files-missing": at("/folder/0000"),
    "preview-text": at("/file/{letter}"),
    "versions-full": at("/file/{letter}/versions"),
    "versions-restored": restored,
    "versions-compared": at("/file/{letter}/versions/compare"),
    "search-fresh": at("/search"),
    "search-full": at("/search?q=report"),
    "search-none": at("/search?q=nobody"),
    "trash-full": at("/trash"),
    "trash-asked": asked,
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
