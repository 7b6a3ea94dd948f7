"""The screens that a device alone has, in their states: who looks at all of them draws them from here."""

import os

from power import Power
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
    page.get_by_role("button", name="Allow").click()
    page.get_by_role("heading", name="Allow these deletions?").wait_for()


def kept(page, desk):
    page.goto("/?layout=list")
    page.locator(".row", has_text="Pictures").locator(".pick").check()
    page.locator("#acts").wait_for()


def without_connection(desk):
    """The same device in a train, with what was done there, and what another device did before."""
    desk.put(desk.phone, "Plum cake.md", "# Plum cake\n", "/")
    wait_until(lambda: "Plum cake.md" in desk.laptop.run("ls", "/").stdout)
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
    page.get_by_label("Local folder").fill(str(recipes))
    page.get_by_label("Folder on the server").fill("/Recipes")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("heading", name="Sync these two folders?").wait_for()


def tying_refused(page, desk):
    page.goto("/synced")
    page.get_by_label("Local folder").fill("/")
    page.get_by_label("Folder on the server").fill("/Everything")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("alert").scroll_into_view_if_needed()


def places(page, desk):
    page.goto("/synced")
    page.get_by_label("Local folder").fill("~/Recipes")
    page.get_by_role("button", name="Choose on the server").click()
    page.get_by_role("heading", name="Which folder on the server?").wait_for()


def opened(name, more=""):
    """What lies in the root under this name."""
    def show(page, desk):
        page.goto("/?layout=list")
        page.goto(page.locator(".row", has_text=name).locator(".open").get_attribute("href") + more)
    return show


def restore_away(page, desk):
    page.goto("/restore")
    page.get_by_role("button", name="An hour ago").click()
    page.locator(".toast.failure").wait_for()


def going(place, what):
    """Once something of it is to be seen."""
    def show(page, desk):
        page.goto(place)
        page.locator(what).first.wait_for()
    return show


def texts_asked_for(page, desk):
    page.goto("/search")
    page.route("**/search/found*texts*", lambda route: None)
    page.get_by_role("searchbox").fill("holi")
    page.locator("#further").wait_for()


def busy(desk):
    """On a slow line: something is fetched to be kept, something is sent, and a folder is brought in step."""
    desk.power = Power(desk.laptop.home / "power").of(desk.laptop)
    desk.phone.run("mkdir", "/Films")
    for number in range(1, 4):
        desk.put(desk.phone, f"Holidays {number}.mp4", os.urandom(3 << 20), "/Films/")
    box = desk.laptop.home / "Documents"
    box.mkdir()
    desk.laptop.run("sync", box, "/Documents", "--once")
    (box / "Plan of the house.pdf").write_bytes(os.urandom(8 << 20))
    (desk.laptop.home / "Birthday.mkv").write_bytes(os.urandom(8 << 20))
    desk.laptop.run("config", "limit-rate", "60K")
    desk.laptop.run("agent", "--background")
    desk.going = [desk.laptop.start(*words) for words in (("put", "Birthday.mkv", "/"), ("pin", "/Films"))]
    wait_until(lambda: len(desk.laptop.json_lines("transfers")) > 2)


def on_battery(desk):
    """In the middle of it the plug is pulled."""
    desk.laptop.run("config", "on-battery", "rest")
    desk.power.pull()
    wait_until(lambda: "runs on battery" in desk.laptop.run("status").stdout)


def switch(page, desk):
    page.goto("/settings")
    page.get_by_role("region", name="Battery").scroll_into_view_if_needed()


def troubled(desk):
    """A folder that went away, a file that went away while it was sent, and a conflict that was decided."""
    box = desk.laptop.home / "Documents"
    box.mkdir()
    (box / "Note.txt").write_text("note\n")
    desk.laptop.run("sync", box, "/Documents", "--once")
    desk.put(desk.laptop, "Shopping list.txt", "bread\n")
    desk.both_change("Shopping list.txt", "bread\nbutter\n", "bread\ncheese\n")
    wait_until(lambda: desk.laptop.run("conflicts").stdout)
    desk.laptop.run("resolve", "/Shopping list.txt", "--keep", "both")
    film = desk.laptop.home / "Birthday.mkv"
    film.write_bytes(os.urandom(9 << 20))
    desk.laptop.run("config", "limit-rate", "400K")
    put = desk.laptop.start("put", film.name, "/")
    wait_until(lambda: desk.laptop.json_lines("transfers"))
    desk.laptop.run("transfers", "pause", "--all")
    put.wait(timeout=60)
    for gone in (film, box):
        gone.rename(desk.laptop.home / ("Old " + gone.name))
    desk.laptop.run("transfers", "resume", "--all", check=False)
    wait_until(lambda: "does not exist" in desk.laptop.run("status").stdout)


def paused(desk):
    desk.laptop.run("pause")


def signed_out(desk):
    """From another device."""
    desk.laptop.run("resume")
    desk.phone.run("devices", "sign-out", "laptop")
    wait_until(lambda: "bothy login" in desk.laptop.run("status").text)


def feed_away(page, desk):
    if not desk.laptop.json_lines("feed", "outbox"):
        desk.laptop.run("feed", "post", "Written **without** a signal.")
    page.goto("/feed")


def entrance(page, desk):
    """For who comes by an address that they remember."""
    page.context.clear_cookies()
    page.goto("/sign-in")


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
    "synced-refused": tying_refused,
    "synced-places": places,
}
# Without a connection.
AWAY = {
    "transfers": at("/transfers"),
    "files-away": at("/?layout=list"),
    "preview-away": opened("Plum cake"),
    "versions-away": opened("Letter to the bank", "/versions"),
    "search-away": at("/search?q=img"),
    "feed-away": feed_away,
    "people-away": at("/people"),
    "restore-away": restore_away,
    "storage-away": at("/storage"),
    "settings-away": at("/settings"),
}
# On a device that has nothing.
BARE = {
    "transfers-empty": at("/transfers"),
    "conflicts-empty": at("/conflicts"),
    "offline-empty": at("/offline"),
    "synced-empty": at("/synced"),
}
# On a slow line.
BUSY = {
    "transfers-going": going("/transfers", "progress"),
    "offline-going": going("/offline", ".entry progress"),
    "synced-going": at("/synced"),
    "search-going": texts_asked_for,
}
# And on its battery, where it is to rest.
ON_BATTERY = {
    "transfers-on-battery": at("/transfers"),
    "settings-on-battery": switch,
}
# Where something has gone wrong.
TROUBLED = {
    "transfers-failed": at("/transfers"),
    "conflicts-decided": at("/conflicts"),
    "synced-gone": at("/synced"),
}
PAUSED = {"transfers-paused": at("/transfers")}
SIGNED_OUT = {
    "transfers-signed-out": at("/transfers"),
    "settings-signed-out": at("/settings"),
    "entrance": entrance,
}
#: Whose device it is, and what becomes of it, one after the other.
DEVICES = {
    "bea": [(lambda desk: None, BARE), (troubled, TROUBLED), (paused, PAUSED), (signed_out, SIGNED_OUT)],
    "cara": [(busy, BUSY), (on_battery, ON_BATTERY)],
    "ann": [(filled, SCREENS), (without_connection, AWAY)],
}
