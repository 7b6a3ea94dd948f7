"""Every screen of the web app in its states: who looks at all of them draws them from here."""

import datetime
import itertools
import struct
import tempfile
import time
import zlib
from pathlib import Path

from api import FOLDER, Api, batch, new_id
from content import sha256
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
    # What has only one version, nothing in it, more than is shown, or nothing to be compared by.
    house.fresh = put("Empty list.txt", b"", folders["Films"])["id"]
    house.long = put("Log of the year.txt", b"Nothing happened, and it was cold.\n" * 9_000, folders["Films"])["id"]
    house.map = put("Map.zip", bytes(range(256)) * 36, folders["Films"], "application/zip")["id"]
    put("Map.zip", bytes(range(256)) * 40, folders["Films"], "application/zip")
    posted(url, house, house.picture)
    # It is looked through some seconds after it came.
    wait_until(lambda: house.call("GET", "/v1/search", params={"q": "sincerely"}).json()["results"])
    return house


def posted(url, house, own):
    """Somebody else is on the server, and both have posted."""
    other = Api(url).register(f"{new_id()}@example.org", displayName="Grace MacLeod")
    house.call("PUT", f"/v1/users/{other.user['id']}/follow", expect=204)
    hill = other.call("POST", "/v1/upload", expect=201, content=picture(0.4, 480, 300), headers={"Content-Type": "image/png"},
                      params={"uploadType": "media", "name": "hill.png", "parentId": "root"}).json()

    def post(api, content, *files, **more):
        attached = [{"type": "image", "contentUrl": file["downloadUrl"], "caption": "The hill from the south"} for file in files]
        body = {"requestId": new_id(), "content": content, "attachments": attached, **more}
        return api.call("POST", "/v1/posts", expect=201, json=body).headers["Location"].rsplit("/", 1)[1]

    post(other, "<p>" + "A long story of a night in the hut, and of the wind. " * 20 + "</p>")
    house.post = post(
        other, "<h1>Up the hill</h1><p>We went <em>early</em>, before the <strong>rain</strong>; more in "
               "<a href='https://example.org/walks'>our list of walks</a>.</p><ul><li>bread</li><li>cheese</li></ul>", hill)
    house.call("POST", f"/v1/posts/{house.post}/interactions", expect=201, json={"requestId": new_id(), "type": "LIKED"})
    house.call("POST", f"/v1/posts/{house.post}/interactions", expect=201, json={"requestId": new_id(), "type": "BOOKMARKED"})
    house.call("POST", f"/v1/posts/{house.post}/comments", expect=201, json={
        "requestId": new_id(), "content": "<p>Was the door open?</p>"})
    post(other, "<p>How the fox in #winter came to the hut.</p>", contentWarning="Blood in the snow")
    house.mine = post(house, "<p>The key lies under the third stone. #winter</p>")
    house.call("PATCH", f"/v1/posts/{house.mine}", expect=200, json={
        "requestId": new_id(), "baseVersion": 1, "content": "<p>The key lies under the second stone. #winter</p>"})
    other.call("POST", f"/v1/posts/{house.mine}/interactions", expect=201, json={"requestId": new_id(), "type": "LIKED"})
    other.call("POST", f"/v1/posts/{house.mine}/comments", expect=201, json={
        "requestId": new_id(), "content": "<p>And the log book?</p>"})
    post(house, "<blockquote><p>before the rain</p></blockquote><p>So did I.</p>", house.call("GET", f"/v1/files/{own}").json())
    for content, days in (("<p>The hut is open from today.</p>", 3), ("<h2>Summer</h2><p>Who comes along?</p>", 200)):
        when = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=days)
        house.call("POST", "/v1/posts", expect=201, json={
            "requestId": new_id(), "content": content, "publishAt": when.strftime("%Y-%m-%dT06:00:00Z")})
    gone = post(house, "<p>The stove smokes: do not come.</p>")
    house.call("DELETE", f"/v1/posts/{gone}", expect=204)
    house.other, house.you, house.friend = other.user["id"], house.user["id"], other
    other.call("PATCH", "/v1/users/me", expect=200, json={
        "name": "Grace Hollis", "bio": "Keeps the hut's key, and the log book.\nAsk me about the weather, not about the bread."})
    house.call("PATCH", "/v1/users/me", json={"name": "Ada King", "bio": "Walks on Sundays."}, expect=200)


#: Nothing that is being uploaded is asked about, and nothing that was broken off is offered again.
LET_GO = """async () => {
    globalThis.bothyUploads?.all.slice().forEach((one) => bothyUploads.drop(one));
    for (const row of document.querySelectorAll("#uploads [data-session]")) await bothyUploads.giveUp(row.dataset.session);
}"""


def go(page, place):
    """There, from wherever."""
    page.evaluate(LET_GO)
    page.unroute_all()
    page.goto(place)


def at(place):
    return lambda page, house: go(page, place.format(**vars(house), **house.folders))


def drafts(page, house):
    """What an earlier page could not save is saved by this one, which then comes once more."""
    go(page, "/feed/drafts")
    page.wait_for_function("() => !localStorage.getItem('bothy-drafts')")
    go(page, "/feed/drafts")


def feed_fresh(page, house):
    """Something new waits above what is read; on the screens after this one it is not there."""
    go(page, "/feed")
    body = {"requestId": new_id(), "content": "<p>Snow tonight.</p>"}
    post = house.friend.call("POST", "/v1/posts", expect=201, json=body).headers["Location"].rsplit("/", 1)[1]
    page.locator("#fresh a").wait_for()
    house.friend.call("DELETE", f"/v1/posts/{post}", params={"permanent": "true"}, expect=204)


def writing(page, house):
    go(page, f"/feed/new?file={house.picture}")
    page.get_by_label("Description").fill("The hill in the first snow")
    page.locator(".rich-text").fill("Snow on the hill since last night, and the stove is warm.")


def viewing(page, house):
    go(page, f"/posts/{house.post}")
    page.locator(".gallery a[data-view]").first.click()
    page.wait_for_function("() => document.querySelector('.viewer-stage img')?.naturalWidth > 0")


def post_menu(page, house):
    go(page, f"/posts/{house.mine}")
    page.locator("details.menu-of summary").first.click()


def people_menu(page, house):
    go(page, f"/people/{house.other}")
    page.locator("details.personal summary").click()


def people_block(page, house):
    people_menu(page, house)
    page.get_by_role("button", name="Block…").click()
    page.get_by_role("heading", name="Block").wait_for()


def looked_through(place):
    """What the round before has restored is looked through some seconds later."""
    def shown(page, house):
        wait_until(lambda: house.call("GET", "/v1/search", params={"q": "report"}).json()["isComplete"])
        go(page, place)
    return shown


def pick(page, row):
    """A finger says first that it chooses."""
    choose = page.get_by_role("button", name="Select", exact=True)
    if choose.is_visible():
        choose.click()
    row.locator(".pick").check()
    page.locator("#acts").wait_for()


def act(page, name):
    page.locator("#acts").get_by_role("button", name=name, exact=True).click()


def chosen(page, house):
    go(page, "/?layout=list")
    pick(page, page.locator(".row").nth(1))


def busy(page, house):
    chosen(page, house)
    # A request that were held would still go out when the page ends.
    page.evaluate("""() => { const real = fetch;
        globalThis.fetch = (link, how) => String(link).endsWith("/act") ? new Promise(() => {}) : real(link, how); }""")
    act(page, "Remove star")
    page.locator(".row.busy").wait_for()


def renaming(page, house):
    go(page, "/?layout=list")
    pick(page, page.locator(".row", has_text="Budget.csv"))
    act(page, "Rename")
    page.locator(".new-name").wait_for()


def rename_refused(page, house):
    renaming(page, house)
    page.locator(".new-name").fill("Notes.md")
    page.keyboard.press("Enter")
    page.locator(".toast.failure").wait_for()
    page.locator(".new-name").wait_for()


def making(page, house):
    go(page, "/?layout=list")
    page.get_by_role("button", name="New folder").click()


def making_refused(page, house):
    making(page, house)
    dialog = page.get_by_role("dialog", name="New folder")
    dialog.get_by_label("Name").fill("Letters")
    dialog.get_by_role("button", name="Create").click()
    dialog.get_by_role("alert").wait_for()


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


def trash_refused(page, house):
    """Somebody deletes it for good elsewhere before it is brought back here."""
    data = {"uploadType": "media", "name": "Gone.txt", "parentId": house.folders["Letters"]}
    gone = house.call("POST", "/v1/upload", expect=201, content=b"gone", params=data).json()["id"]
    house.delete(gone)
    go(page, "/trash")
    page.locator(f"#pick-{gone}").check()
    house.delete(gone, permanent="true")
    page.get_by_role("button", name="Restore").click()
    page.locator(".toast.failure").wait_for()


def restored(page, house):
    go(page, f"/file/{house.letter}/versions")
    page.get_by_role("button", name="Restore").first.click()
    page.locator(".toast").wait_for(state="attached")


def plan(page, at):
    go(page, "/restore")
    first = page.locator("button[name=at]").first
    first.evaluate("(button, at) => { button.value = at; }", str(at))
    first.click()


def planned(page, house):
    plan(page, house.then)
    page.get_by_role("heading", name="As it was on").wait_for()


def restore_refused(page, house):
    """To a moment of which nothing is remembered."""
    plan(page, 1_000_000_000_000)
    page.locator(".toast.failure").wait_for()


def behind(page, house):
    """What came a moment ago was not looked through yet."""
    data = {"uploadType": "media", "name": "Just now.txt", "parentId": house.folders["Films"], "conflict": "overwrite"}
    headers = {"Content-Type": "text/plain"}
    house.call("POST", "/v1/upload", expect=201, content=new_id().encode(), params=data, headers=headers)
    go(page, "/search?q=sailing")
    page.get_by_role("heading", name="Nothing was found yet").wait_for()


def search_lost(page, house):
    go(page, "/search?q=report")
    page.route("**/search/found*", lambda route: route.abort())
    page.get_by_role("searchbox").fill("report 2024")
    page.locator("#standing").wait_for()


def refused(page, house):
    go(page, "/settings")
    page.get_by_label("Current password").fill("not it at all")
    page.get_by_label("New password").fill("a better battery")
    page.get_by_role("button", name="Change password").click()
    page.get_by_role("alert").wait_for()


def writing_refused(page, house):
    go(page, f"/feed/new?file={house.picture}")
    page.get_by_label("Description").fill("The hill")
    page.get_by_label("What would you like to say?").fill("**Look** " * 12_000)
    page.get_by_role("button", name="Post", exact=True).click()
    page.get_by_role("alert").wait_for()
    page.get_by_label("What would you like to say?").fill("**Look**, the hill.")


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


def upload_done(page, house):
    go(page, f"/folder/{house.folders['Films']}?layout=list")
    for file in house.list(house.folders["Films"]):
        if file["name"].startswith("Holidays"):
            house.delete(file["id"], permanent="true")
    upload(page, 900_000, 400_000)
    page.locator("#tray-what", has_text="2 files uploaded").wait_for()


def upload_lost(page, house):
    go(page, f"/folder/{house.empty}?layout=list")
    page.route("**/chunk*", lambda route: route.abort())
    upload(page, 900_000, 400_000)
    page.locator("#tray-trouble").wait_for()


def upload_signed_out(page, house):
    go(page, f"/folder/{house.empty}?layout=list")
    known, held = page.context.cookies(), []
    page.route("**/folder/*/upload", lambda route: held.append(route))
    upload(page, 900_000)
    page.locator(".upload.sending").wait_for()  # a page that sends nothing would show the sign-in
    page.context.clear_cookies()
    for route in held:
        route.continue_()
    page.unroute("**/folder/*/upload")
    page.locator("#tray-trouble").get_by_role("link", name="Sign in").wait_for()
    page.context.add_cookies(known)


def upload_broken_off(page, house):
    """By a tab that was closed in the middle."""
    go(page, f"/folder/{house.empty}?layout=list")
    other = page.context.new_page()
    other.goto(f"/folder/{house.empty}?layout=list")
    other.route("**/chunk*", lambda route: route.continue_() if "index=0" in route.request.url else None)
    with tempfile.TemporaryDirectory() as folder, other.expect_response(lambda response: "index=0" in response.url):
        film = Path(folder) / "Holidays 1.mp4"
        film.write_bytes(b"x" * 20_000_000)
        other.locator("#pickers [data-pick=files]").set_input_files(film)
    other.close(run_before_unload=False)
    page.goto(f"/folder/{house.empty}?layout=list")
    page.locator("#tray [data-session]").wait_for()


def upload_taken(page, house):
    go(page, "/?layout=list")
    page.locator("#pickers [data-pick=files]").set_input_files(
        {"name": "Budget.csv", "mimeType": "text/csv", "buffer": b"other"})
    page.get_by_role("dialog", name="already exists").wait_for()


def moving(page, house):
    chosen(page, house)
    act(page, "Move")
    page.get_by_role("dialog", name="Choose a folder").wait_for()


def moving_into(page, house):
    """A folder that has none in it."""
    moving(page, house)
    page.get_by_role("button", name="Nothing yet").click()
    page.get_by_text("No folders in here").wait_for()


def moving_refused(page, house):
    moving_into(page, house)
    page.route("**/act", lambda route: route.abort())
    page.get_by_role("button", name="Move here").click()
    page.locator("#choose").get_by_role("alert").wait_for()


def menu(page, house):
    go(page, "/?layout=list")
    row = page.locator(".row", has_text="Budget.csv")
    if page.get_by_role("button", name="Select", exact=True).is_visible():
        pick(page, row)
        act(page, "More")
    else:
        row.click(button="right")
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
    pick(page, page.locator(".row", has_text="Budget.csv"))
    act(page, "Move to trash")
    page.get_by_role("button", name="Undo").wait_for()
    house.patch(page.locator(".toast [name=id]").get_attribute("value"), trashed=False)
    page.locator(".row", has_text="Budget.csv").wait_for()


def went_back(page, house):
    if not house.restore:
        planned(page, house)
        page.get_by_role("button", name="Restore").click()
        page.get_by_role("heading", name="Restored to").wait_for()
        house.restore = page.url
    go(page, house.restore)
    page.get_by_role("heading", name="Restored to").wait_for()


def going_back(page, house):
    """As the server shows it in the middle to another tab than the one that began it: it may be over before that is drawn."""
    if house.restore:
        go(page, house.restore)
        page.get_by_role("button", name="Undo").click()
        page.wait_for_url(lambda url: url != house.restore)
        page.get_by_role("heading", name="Restored to").wait_for()
    planned(page, house)
    house.restore = page.url
    other = page.context.new_page()
    other.goto(page.url)
    # Without waiting for what comes of it.
    other.get_by_role("button", name="Restore").evaluate("button => { setTimeout(() => button.click(), 100); }")
    shown = wait_until(lambda: (text := page.context.request.get(house.restore).text()) and "Restoring to" in text and text)
    page.route(house.restore, lambda route: route.fulfill(content_type="text/html; charset=utf-8", body=shown))
    page.goto(house.restore)
    other.close()


def nothing_to_go_back_to(page, house):
    went_back(page, house)
    planned(page, house)
    page.get_by_text("There is nothing to restore").wait_for()


#: Each time another: who mistypes again and again has to wait.
STRANGER = itertools.cycle(["jane", "joan", "judy", "june", "jill", "jean"])
#: Who has an account already.
TAKEN = "john@example.org"


def turned_away(place, button, email=None, **fields):
    def show(page, *about):
        page.goto(place)
        page.get_by_label("Email").fill(email or f"{next(STRANGER)}@example.com")
        for label, text in fields.items():
            page.get_by_label(label).fill(text)
        page.get_by_role("button", name=button).click()
        page.get_by_role("alert").wait_for()
    return show


#: More than one moment's work.
HOLIDAYS = 3000


def crowded(server, email):
    """An account of which nearly all its room is used, by what came after a moment to go back to."""
    house = Api(server.url).register(email)
    folder = house.folder("Holidays")["id"]
    time.sleep(0.01)
    house.email, house.folders, house.restore, house.then = email, {}, None, int(time.time() * 1000)
    time.sleep(0.01)
    headers = {"Content-Type": "application/octet-stream"}
    for start in range(0, HOLIDAYS, 250):
        items = []
        for number in range(start, start + 250):
            data = (b"%06d" % number) * 54
            items.append(({"requestId": new_id(), "name": f"IMG_{number:04}.png", "parentId": folder,
                           "fileHashSha256": sha256(data)}, data))
        house.call("POST", "/v1/upload/batch", content=batch(items), headers=headers, expect=200)
    server.admin("user", "quota", email, "1 MiB")
    return house


#: What a finger cannot do.
BY_MOUSE = {"files-dropping"}
SCREENS = {
    "files-full": at("/?layout=list"),
    "files-grid": at("/?layout=grid"),
    "files-chosen": chosen,
    "files-busy": busy,
    "files-renaming": renaming,
    "files-rename-refused": rename_refused,
    "files-making": making,
    "files-making-refused": making_refused,
    "files-lost": lost,
    "files-empty": at("/folder/{empty}?layout=list"),
    "files-missing": at("/folder/0000"),
    "files-names": at("/folder/{names}?layout=list"),
    "files-pictures": at("/folder/{Pictures}?layout=grid"),
    "files-menu": menu,
    "files-details": details,
    "files-moving": moving,
    "files-moving-into": moving_into,
    "files-moving-refused": moving_refused,
    "files-dropping": dropping,
    "files-undo": undone,
    "upload-going": uploading,
    "upload-paused": upload_paused,
    "upload-done": upload_done,
    "upload-broken-off": upload_broken_off,
    "upload-lost": upload_lost,
    "upload-signed-out": upload_signed_out,
    "upload-failed": upload_failed,
    "upload-taken": upload_taken,
    "preview-text": at("/file/{letter}"),
    "preview-markdown": at("/file/{notes}"),
    "preview-picture": at("/file/{picture}"),
    "preview-damaged": at("/file/{damaged}"),
    "preview-none": at("/file/{archive}"),
    "preview-empty": at("/file/{fresh}"),
    "preview-cut": at("/file/{long}"),
    "versions-full": at("/file/{letter}/versions"),
    "versions-one": at("/file/{notes}/versions"),
    "versions-restored": restored,
    "versions-compared": at("/file/{letter}/versions/compare"),
    "versions-not-compared": at("/file/{map}/versions/compare"),
    "search-fresh": at("/search"),
    "search-full": looked_through("/search?q=report"),
    "search-text": looked_through("/search?q=ten+years"),
    "search-none": looked_through("/search?q=nobody"),
    "search-behind": behind,
    "search-lost": search_lost,
    "starred-full": at("/starred"),
    "feed-full": at("/feed"),
    "feed-fresh": feed_fresh,
    "feed-post": at("/posts/{post}"),
    "feed-menu": post_menu,
    "feed-viewer": viewing,
    "feed-history": at("/posts/{mine}/history"),
    "feed-new": writing,
    "feed-new-refused": writing_refused,
    "feed-bookmarks": at("/feed/bookmarks"),
    "feed-notifications": at("/feed/notifications"),
    "feed-search": at("/feed/search?q=stone"),
    "feed-search-none": at("/feed/search?q=nobody"),
    "feed-tag": at("/feed/tags/winter"),
    "feed-drafts": drafts,
    "feed-scheduled": at("/feed/scheduled"),
    "feed-trash": at("/feed/trash"),
    "people-full": at("/people"),
    "people-one": at("/people/{other}"),
    "people-some": at("/people?of=following"),
    "people-nobody": at("/people?q=zzzz"),
    "people-you": at("/people/{you}"),
    "people-menu": people_menu,
    "people-block": people_block,
    "profile-full": at("/profile"),
    "report-full": at("/posts/{post}/report"),
    "trash-full": at("/trash"),
    "trash-asked": asked,
    "trash-refused": trash_refused,
    "restore-fresh": at("/restore"),
    "restore-planned": planned,
    "restore-refused": restore_refused,
    "storage-full": at("/storage"),
    "settings-full": at("/settings"),
    "settings-refused": refused,
}
# On a server where nobody has an account.
FIRST = {"sign-in-first": lambda page, *about: page.goto("/")}
# Where one has.
STRANGERS = {
    "sign-in": lambda page, *about: page.goto("/sign-in"),
    "sign-in-refused": turned_away("/sign-in", "Sign in", Password="not the password"),
    "sign-in-new": lambda page, *about: page.goto("/sign-in?new=1"),
    "sign-in-new-refused": turned_away(
        "/sign-in?new=1", "Create account", TAKEN, Password="correct horse battery", Setup="7KQM-3XWP"),
}
# In an account that has nothing.
BARE = {
    "files-bare": at("/?layout=list"),
    "starred-empty": at("/starred"),
    "feed-empty": at("/feed"),
    "drafts-empty": at("/feed/drafts"),
    "scheduled-empty": at("/feed/scheduled"),
    "post-trash-empty": at("/feed/trash"),
    "trash-empty": at("/trash"),
    "storage-empty": at("/storage"),
}
# In an account with hardly any room left, and much to bring back.
CROWDED = {
    "restore-going": going_back,
    "restore-done": went_back,
    "restore-nothing": nothing_to_go_back_to,
    "storage-scarce": at("/storage"),
}
