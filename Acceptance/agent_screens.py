"""The screens that a device alone has, in their states: who looks at all of them draws them from here."""

import os

from waiting import wait_until

LETTER = "Dear Sir or Madam,\n\nI have been with you for ten years.\n{}\n\nYours sincerely,\nJane Doe\n"


def filled(desk):
    """Something on every screen: a conflict, what is kept, a folder that a guard holds, and transfers in several states."""
    desk.put(desk.laptop, "Letter to the bank.txt", LETTER.format("I would like to open a second account."))
    desk.phone.run("mkdir", "/Pictures")
    for number in range(1, 6):
        desk.put(desk.phone, f"IMG_{number:04}.png", os.urandom(30_000), "/Pictures/")
    box = desk.laptop.home / "Documents"
    box.mkdir()
    for number in range(60):
        (box / f"Note {number:02}.txt").write_text(f"note {number}\n")
    desk.laptop.run("sync", box, "/Documents", "--once")
    desk.laptop.run("pin", "/Pictures")
    desk.both_change(
        "Letter to the bank.txt", LETTER.format("I would like to close my account."),
        LETTER.format("I would like to open a third account."))
    wait_until(lambda: desk.laptop.run("conflicts").stdout)
    for number in range(58):
        (box / f"Note {number:02}.txt").unlink()
    wait_until(lambda: "would be deleted" in desk.laptop.run("status").stdout)
    desk.laptop.run("config", "limit-rate", "400K")
    for name, size in (("Holidays in the north.mkv", 6 << 20), ("Birthday.mkv", 5 << 20)):
        (desk.laptop.home / name).write_bytes(os.urandom(size))
    put = desk.laptop.start("put", "Birthday.mkv", "Holidays in the north.mkv", "/")
    wait_until(lambda: len(desk.laptop.json_lines("transfers")) == 2)
    desk.laptop.run("transfers", "pause", "--all")
    put.wait(timeout=60)
    desk.box = box
    return desk


def at(place):
    return lambda page, desk: page.goto(place.format(box=getattr(desk, "box", "")))


def compared(page, desk):
    page.goto("/conflicts")
    page.get_by_role("link", name="Compare").click()
    page.locator(".lines").wait_for()


def asked(page, desk):
    page.goto("/synced")
    page.get_by_role("button", name="Let them pass").click()
    page.get_by_role("heading", name="pass?").wait_for()


def kept(page, desk):
    page.goto("/?layout=list")
    page.locator(".row", has_text="Pictures").locator(".pick").check()
    page.locator("#acts").wait_for()


def without_connection(desk):
    """The same device in a train, with what was done there."""
    desk.server.stop()
    desk.laptop.run("mkdir", "/Trip to the north")
    desk.put(desk.laptop, "Packing list.txt", "socks\n", "/Trip to the north/")
    desk.laptop.run("mv", "/Pictures/IMG_0002.png", "/Pictures/The first evening.png")
    wait_until(lambda: "3 changes" in desk.laptop.run("status").stdout)


def explained(page, desk):
    page.goto(f"/synced?path={desk.box}/Note 59.txt")
    page.locator("#why-title").evaluate("part => part.scrollIntoView()")


def tying(page, desk):
    recipes = desk.laptop.home / "Recipes"
    recipes.mkdir(exist_ok=True)
    for name in ("Leek soup.md", "Plum cake.md", "Bread.md"):
        (recipes / name).write_text("# " + name)
    page.goto("/synced")
    page.get_by_label("Folder here").fill(str(recipes))
    page.get_by_label("Folder on the server").fill("/Recipes")
    page.get_by_role("button", name="See what it would do").click()
    page.get_by_role("heading", name="Keep these two in step?").wait_for()


SCREENS = {
    "files": at("/?layout=list"),
    "files-chosen": kept,
    "transfers-held": at("/transfers"),
    "conflicts": at("/conflicts"),
    "conflicts-compared": compared,
    "offline": at("/offline"),
    "synced": at("/synced"),
    "synced-asked": asked,
    "search": at("/search?q=img"),
    "settings": at("/settings"),
    "synced-why": explained,
    "synced-tying": tying,
}
# Without a connection.
AWAY = {
    "transfers": at("/transfers"),
    "files-away": at("/?layout=list"),
}
# On a device that has nothing.
BARE = {
    "transfers-empty": at("/transfers"),
    "conflicts-empty": at("/conflicts"),
    "offline-empty": at("/offline"),
    "synced-empty": at("/synced"),
}
