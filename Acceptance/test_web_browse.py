"""Looking at one's files in a browser: sign in, browse, open, download, see what happens elsewhere."""

import contextlib
import json
import re

import httpx
import pytest

from api import Api, FOLDER, batch, new_id
from browser import Person, expect
from content import sha256
from cookies import ticket_of
from waiting import wait_until

BATCH = {"Content-Type": "application/octet-stream"}


def folder(api, name, parent="root"):
    return api.call("POST", "/v1/files", expect=201, json={"name": name, "mimeType": FOLDER, "parentId": parent}).json()


def put(api, name, data=b"hello", parent="root", mime=None):
    headers = {"Content-Type": mime or "application/octet-stream"}
    return api.call(
        "POST", "/v1/upload", expect=201, headers=headers, content=data,
        params={"uploadType": "media", "name": name, "parentId": parent}).json()


def shows(person, *names):
    """The list comes to be these, in this order, on a page that is there with all that it needs."""
    person.page.wait_for_function(
        """names => document.readyState === "complete"
            && JSON.stringify([...document.querySelectorAll(".row .name")].map(name => name.textContent)) === names""",
        arg=json.dumps(names, ensure_ascii=False, separators=(",", ":")))


def test_the_first_person_makes_an_account_in_the_browser(browser, server):
    first = Person(browser, server.url)
    first.page.goto("/")
    assert first.page.get_by_role("heading", name="Make yourself at home").is_visible()
    first.page.get_by_label("Email").fill("me@example.org")
    first.page.get_by_label("Password").fill("correct horse battery")
    first.page.get_by_role("button", name="Create account").click()
    first.page.get_by_text("Nothing here yet").wait_for()
    first.page.get_by_role("button", name="Sign out").click()
    first.page.get_by_role("heading", name="Welcome back").wait_for()
    assert first.complaints == []
    first.close()


def test_a_wrong_password_says_so_and_keeps_what_was_typed(browser, account):
    someone = Person(browser, account.url)
    someone.sign_in_by_form(account.email, "not the password")
    someone.page.get_by_role("alert").filter(has_text="wrong").wait_for()
    assert someone.page.get_by_label("Email").input_value() == account.email
    assert someone.page.get_by_label("Password").input_value() == ""
    someone.close()


def test_signing_in_leads_to_where_a_person_was_going(browser, account):
    docs = folder(account, "docs")
    someone = Person(browser, account.url)
    someone.page.goto(f"/folder/{docs['id']}")
    assert "/sign-in" in someone.page.url
    someone.page.get_by_label("Email").fill(account.email)
    someone.page.get_by_label("Password").fill("correct horse battery")
    someone.page.get_by_role("button", name="Sign in").click()
    someone.page.get_by_role("heading", name="docs").wait_for()
    someone.close()


def test_a_person_browses_sorts_and_comes_back(account, person):
    docs = folder(account, "docs")
    put(account, "b.txt", b"x" * 2000, docs["id"])
    put(account, "a.txt", b"x", docs["id"])
    folder(account, "inner", docs["id"])
    person.page.get_by_role("link", name="docs").click()
    shows(person, "inner", "a.txt", "b.txt")
    person.page.get_by_role("link", name="Size").click()
    shows(person, "inner", "b.txt", "a.txt")
    person.page.get_by_role("link", name="Grid").click()
    person.page.locator(".rows.grid").wait_for()
    shows(person, "inner", "b.txt", "a.txt")  # the order was remembered
    person.page.get_by_role("navigation", name="Breadcrumbs").get_by_role("link", name="Files").click()
    shows(person, "docs")
    person.page.go_back()
    shows(person, "inner", "b.txt", "a.txt")


def test_what_happens_elsewhere_shows_by_itself(account, person):
    put(account, "b.txt")
    shows(person, "b.txt")
    made = folder(account, "zoo")
    shows(person, "zoo", "b.txt")
    expect(person.page.locator("#count")).to_have_text("2 items")
    account.call("PATCH", f"/v1/files/{made['id']}", expect=200, json={"name": "ark"})
    shows(person, "ark", "b.txt")
    put(account, "a.txt")
    shows(person, "ark", "a.txt", "b.txt")
    account.call("DELETE", f"/v1/files/{made['id']}", expect=204)
    shows(person, "a.txt", "b.txt")


def test_a_folder_deleted_elsewhere_says_so(account, person):
    docs = folder(account, "docs")
    person.page.goto(f"/folder/{docs['id']}")
    person.page.get_by_text("This folder is empty").wait_for()
    account.call("DELETE", f"/v1/files/{docs['id']}", expect=204)
    person.page.get_by_role("heading", name="This folder is gone").wait_for()


def test_focus_stays_on_a_row_that_is_drawn_again(account, person):
    first = put(account, "a.txt")
    put(account, "b.txt")
    shows(person, "a.txt", "b.txt")
    person.page.keyboard.press("ArrowDown")
    focused = "document.activeElement.closest('.row')?.dataset.id"
    assert person.page.evaluate(focused) == first["id"]
    account.call("PATCH", f"/v1/files/{first['id']}", expect=200, json={"name": "c.txt"})
    shows(person, "b.txt", "c.txt")
    assert person.page.evaluate(focused) == first["id"], "the row moved, and the focus with it"


def many(account, count):
    """So many small files in the root."""
    names = [f"file {number:05}" for number in range(count)]
    for start in range(0, len(names), 250):
        items = [({"requestId": new_id(), "name": name, "fileHashSha256": sha256(name.encode())}, name.encode())
                 for name in names[start:start + 250]]
        account.call("POST", "/v1/upload/batch", content=batch(items), headers=BATCH, expect=200)


def test_a_list_of_thousands_recycles_its_rows(account, person):
    many(account, 3000)
    person.page.reload()
    expect(person.page.locator("#count")).to_have_text("3,000 items")
    last = person.page.locator(".row", has_text="file 02999")
    person.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    last.wait_for()
    assert person.page.locator(".row").count() <= 450
    box = last.bounding_box()
    assert box["y"] + box["height"] <= 800, "the last row is where the list ends"
    person.page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
    person.page.locator(".row", has_text="file 01500").wait_for()
    shown = person.names()
    assert shown == sorted(shown) and len(shown) == len(set(shown))
    person.page.evaluate("scrollTo(0, 0)")
    person.page.locator(".row", has_text="file 00000").wait_for()


def test_choosing_by_keyboard_and_mouse(account, person):
    for name in "abcd":
        put(account, f"{name}.txt")
    shows(person, "a.txt", "b.txt", "c.txt", "d.txt")
    picked = expect(person.page.locator(".row.picked .name"))
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("Space")
    person.page.keyboard.press("Shift+ArrowDown")
    person.page.keyboard.press("Shift+ArrowDown")
    picked.to_have_text(["a.txt", "b.txt", "c.txt"])
    person.page.keyboard.press("Escape")
    picked.to_have_count(0)
    person.page.keyboard.press("Control+a")
    picked.to_have_count(4)
    person.page.get_by_label("Select b.txt").uncheck()
    picked.to_have_text(["a.txt", "c.txt", "d.txt"])


def test_a_text_opens_and_downloads(account, person):
    put(account, "note.txt", b"<b>plain & simple</b>", mime="text/plain")
    person.page.get_by_role("link", name="note.txt").click()
    assert person.page.locator("pre").inner_text() == "<b>plain & simple</b>"
    with person.page.expect_download() as download:
        person.page.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename == "note.txt"
    with open(download.value.path(), "rb") as file:
        assert file.read() == b"<b>plain & simple</b>"


PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8cfc0f01f0005000"
    "1ff89993d1d0000000049454e44ae426082")


def test_markdown_is_read_and_runs_nothing(account, person):
    text = "# Plans\n\nfor *today*: [here](https://example.org/) and [there](javascript:alert(1))\n\n- milk\n  - bread\n\n" \
        "```\na < b\n```\n<script>alert(1)</script><img src=x onerror=alert(1)>\n"
    file = put(account, "plans.md", text.encode(), mime="text/markdown")
    person.page.goto(f"/file/{file['id']}")
    prose = person.page.locator(".prose")
    assert prose.get_by_role("heading", name="Plans").is_visible()
    assert prose.locator("em").inner_text() == "today"
    assert [link.get_attribute("href") for link in prose.get_by_role("link").all()] == ["https://example.org/"]
    entries = [entry.evaluate("entry => entry.firstChild.data.trim()") for entry in prose.locator("li").all()]
    assert entries == ["milk", "bread"]
    assert prose.locator("ul > li > ul > li").inner_text() == "bread"
    assert prose.locator("pre").inner_text() == "a < b"
    assert "<script>alert(1)</script>" in prose.inner_text() and prose.locator("script, img").count() == 0


def test_a_picture_opens(account, person):
    put(account, "pixel.png", PIXEL, mime="image/png")
    person.page.get_by_role("link", name="pixel.png").click()
    picture = person.page.get_by_role("img", name="pixel.png")
    picture.wait_for()
    assert picture.evaluate("image => image.complete && image.naturalWidth") == 1


HOSTILE = [
    "<img src=x onerror=alert(1)>.png", "\" onfocus=alert(1) autofocus x=\".txt", "\"\u0301 onmouseover=alert(1) x=.txt",
    "photo\u202egpj.exe", "</title><script>alert(1)</script>", "{{token}}", "😀" * 63,
]


def test_hostile_names_and_content_run_nothing(account, person):
    page = b"<script>document.title='owned';alert(1)</script><svg onload=alert(2)>"
    for name in HOSTILE:
        if "/" in name:
            name = name.replace("/", "\u2215")
        put(account, name, page, mime="text/html")
    drawing = put(account, "drawing.svg", b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(3)"/>', mime="image/svg+xml")
    person.page.reload()
    shown = person.names()
    assert len(shown) == len(HOSTILE) + 1
    assert "photo⟨U+202E⟩gpj.exe" in shown
    for link in person.page.locator(".row .open").all():
        href = link.get_attribute("href")
        tab = person.new_page()
        tab.goto(href)
        assert "owned" not in tab.title()
        tab.close()
    tab = person.new_page()
    with pytest.raises(Exception, match="(?i)download"):
        tab.goto(f"/file/{drawing['id']}/content")
    tab.close()
    assert not [said for said in person.complaints if "dialog" in said]


def test_without_scripts_one_reads_and_downloads(browser, account):
    docs = folder(account, "docs")
    for number in range(230):
        put(account, f"{number:03}.txt", b"hello", docs["id"], mime="text/plain")
    someone = Person(browser, account.url, scripts=False).sign_in(account.email)
    someone.page.get_by_role("link", name="docs").click()
    someone.page.get_by_role("link", name="Show more").wait_for()
    expect(someone.page.locator(".row")).to_have_count(200)
    someone.page.get_by_role("link", name="Show more").click()
    expect(someone.page.locator(".row")).to_have_count(30)
    expect(someone.page.locator(".row .name").last).to_have_text("229.txt")
    someone.page.get_by_role("link", name="229.txt").click()
    assert someone.page.locator("pre").inner_text() == "hello"
    with someone.page.expect_download():
        someone.page.get_by_role("link", name="Download").click()
    someone.close()


def test_a_browser_tells_when_it_signed_in(account, person):
    """It said «seen», of a moment that never moves on."""
    person.page.goto("/settings")
    this = person.page.locator(".entry", has_text="This browser")
    expect(this.locator(".more")).to_have_text(re.compile(r"^web, signed in \d\d:\d\d$"))


def test_signing_a_browser_out_elsewhere_ends_it(account, person):
    put(account, "a.txt")
    person.page.locator(".row", has_text="a.txt").wait_for()
    devices = account.call("GET", "/v1/auth/devices", expect=200).json()["devices"]
    browsers = [device for device in devices if device["platform"] == "web"]
    assert [device["name"] for device in browsers] == ["Chromium on Linux"]
    other = person.new_page()
    other.goto("/?order=-name")
    other.locator(".row", has_text="a.txt").wait_for()
    account.call("DELETE", f"/v1/auth/devices/{browsers[0]['id']}", expect=204)
    # Nobody has to touch a page for it to show nothing any more.
    for page in (person.page, other):
        # A page may be told by more than one of its requests; it goes there once more then, which ends waiting for the first time.
        expect(page).to_have_url(re.compile("/sign-in"))
    other.get_by_label("Email").fill(account.email)
    other.get_by_label("Password").fill("not this one")
    other.get_by_role("button", name="Sign in").click()
    expect(other.get_by_label("Password")).to_be_focused()
    other.get_by_label("Password").fill("correct horse battery")
    other.keyboard.press("Enter")
    other.wait_for_url(account.url + "/?order=-name")
    person.complaints.clear()  # of what was refused on the way


@pytest.mark.parametrize("place", [
    "/search?q=tax%2020%26more", "/?order=-modified&layout=grid", "/trash?choose=all", "/restore", "/settings"])
def test_who_has_to_sign_in_comes_to_where_they_were_going(account, browser, place):
    someone = Person(browser, account.url)
    someone.page.goto(place)
    someone.page.get_by_role("link", name="I am new here").click()
    someone.page.get_by_role("link", name="I have an account already").click()
    someone.page.get_by_label("Email").fill(account.email)
    someone.page.get_by_label("Password").fill("correct horse battery")
    someone.page.get_by_role("button", name="Sign in").click()
    someone.page.wait_for_url(account.url + place)
    someone.close()


def test_who_guesses_elsewhere_keeps_no_owner_out_of_their_browser(account, browser):
    someone = Person(browser, account.url).sign_in_by_form(account.email)
    someone.page.get_by_role("button", name="Sign out").click()
    someone.page.get_by_role("button", name="Sign in").wait_for()
    stranger = {"email": account.email, "password": "a guess", "device": {"name": "x", "platform": "linux"}}
    wait_until(lambda: Api(account.url).call("POST", "/v1/auth/login", json=stranger).status_code == 429)
    someone.sign_in_by_form(account.email)
    someone.page.wait_for_url(account.url + "/")
    devices = account.call("GET", "/v1/auth/devices", expect=200).json()["devices"]
    assert len([device for device in devices if device["platform"] == "web"]) == 1, "the same browser is the same device"
    someone.close()
    # The right password has cleared what this network guessed: a new browser comes in as well.
    other = Person(browser, account.url).sign_in_by_form(account.email)
    other.page.wait_for_url(account.url + "/")
    other.close()


@pytest.mark.parametrize("place", ["//example.org/", "https://example.org/", "/\\example.org", "/sign-in", "", "/%0d%0ax"])
def test_signing_in_leads_nowhere_else(account, place):
    with httpx.Client(base_url=account.url, trust_env=False) as client:
        token = re.search(r'name="token" value="([0-9a-f]+)"', client.get("/sign-in").text).group(1)
        form = {"token": token, "email": account.email, "password": "correct horse battery", "then": place}
        answer = client.post("/sign-in", data=form)
        assert (answer.status_code, answer.headers["location"]) == (303, "/")


def test_blanks_in_a_name_are_shown(account, person):
    put(account, "  two  and two.txt")
    person.page.locator(".row").wait_for()
    assert person.page.locator(".row .name").inner_text() == "  two  and two.txt"


#: By how much the page, or a bar in it, is wider than it may be.
TOO_WIDE = """() => Math.max(...["html", ".bar", "#acts"].map((name) => document.querySelector(name))
    .map((part) => part.scrollWidth - part.clientWidth))"""


@pytest.mark.parametrize("width", [390, 600, 820, 860, 960, 1024, 1280, 1440])
def test_it_fits_every_screen(account, browser, width):
    for name in ("a rather long name of a file that nobody could ever type on a phone.txt", "b.txt"):
        put(account, name)
    someone = Person(browser, account.url, width=width).sign_in(account.email)
    someone.page.locator(".row").first.wait_for()
    assert someone.page.evaluate(TOO_WIDE) <= 0
    lines = "(part) => part.getBoundingClientRect().height / parseFloat(getComputedStyle(part).lineHeight)"
    assert someone.page.locator("h1").evaluate(lines) < 1.5, "the heading is on one line"
    assert someone.page.locator(".rows.picking").count() == 0
    inside = "(part) => part.getBoundingClientRect().right <= innerWidth && part.getBoundingClientRect().left >= 0"
    someone.page.keyboard.press("ArrowDown")
    for key, said in (("Space", "1 selected"), ("Control+a", "2 selected")):
        someone.page.keyboard.press(key)
        someone.page.locator("#picked", has_text=said).wait_for()
        assert someone.page.evaluate(TOO_WIDE) <= 0, said
        assert all(tool.evaluate(inside) for tool in someone.page.locator("#acts button:visible").all()), said
    someone.close()


# What the browser is told, without a browser.


@contextlib.contextmanager
def web(account):
    """A signed-in client with cookies."""
    with httpx.Client(base_url=account.url, trust_env=False, follow_redirects=False) as client:
        token = re.search(r'name="token" value="([0-9a-f]+)"', client.get("/sign-in").text).group(1)
        answer = client.post("/sign-in", data={
            "token": token, "mode": "signIn", "email": account.email, "password": "correct horse battery", "then": ""})
        assert answer.status_code == 303, answer.text
        yield client


def test_pages_forbid_everything_that_they_do_not_need(account):
    with web(account) as client:
        headers = client.get("/").headers
        policy = headers["content-security-policy"]
        assert "unsafe" not in policy
        assert {"default-src 'none'", "img-src 'self'", "frame-ancestors 'none'"} <= set(policy.split("; "))
        scripts = re.search(r"script-src ([^;]+)", policy).group(1).split(" ")
        ours = re.compile(re.escape(account.url) + r"/assets/[0-9a-f]+/(bothy|hand|hearing|list|sha256|upload|tray|search|archive|feed|"
                          r"encode|markdown|blocks|completion|editor|compose|viewer|shell|drafts|placeholders)\.js")
        assert re.search(r"worker-src " + re.escape(account.url) + r"/assets/[0-9a-f]+/streams\.js " + re.escape(account.url) + r"/worker\.js;", policy)
        assert len(scripts) == 20 and all(ours.fullmatch(script) for script in scripts), scripts
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"


def test_cookies_are_for_this_site_and_no_script(account):
    with web(account) as client:
        page = client.post("/sign-in", data={})
        assert page.status_code == 403
        raw = httpx.get(account.url + "/sign-in", trust_env=False).headers.get_list("set-cookie")
        assert raw and all("HttpOnly" in cookie and "SameSite=Strict" in cookie for cookie in raw)
        assert client.get("/v1/files").status_code == 401, "a ticket is no access token"
        token = client.cookies[ticket_of(client)]
        refused = client.get("/v1/files", headers={"Authorization": f"Bearer {token}"})
        assert refused.status_code == 401 and refused.json()["code"] == "token_invalid"


def test_forms_from_elsewhere_are_refused(account):
    with web(account) as client:
        token = re.search(r'name="token" value="([0-9a-f]+)"', client.get("/").text).group(1)
        assert client.post("/sign-out", data={"token": "0" * 64}).status_code == 403
        elsewhere = client.post("/sign-out", data={"token": token}, headers={"Origin": "https://evil.example"})
        assert elsewhere.status_code == 403
        assert client.get("/").status_code == 200
        assert client.post("/sign-out", data={"token": token}, headers={"Origin": account.url}).status_code == 303
        assert client.get("/").status_code == 303


def test_another_name_that_points_here_is_told_nothing(account):
    with web(account) as client:
        answer = client.get("/", headers={"Host": "evil.example"})
        assert answer.status_code == 421 and account.email not in answer.text


def test_an_address_that_leads_nowhere_is_a_page_for_a_person(account):
    with web(account) as client:
        for place in ("/nowhere", "/folder/..%2f..", "/file/0/nothing"):
            page = client.get(place, headers={"Accept": "text/html,application/xhtml+xml"})
            assert page.status_code == 404 and "Not found" in page.text, place
            assert page.headers["content-type"].startswith("text/html")
            assert "default-src 'none'" in page.headers["content-security-policy"]
        program = client.get("/nowhere", headers={"Accept": "*/*"})
        assert program.status_code == 404 and program.headers["content-type"] == "application/problem+json"
        api = client.get("/v1/nowhere", headers={"Accept": "text/html"})
        assert api.headers["content-type"] == "application/problem+json"


def test_without_cookies_it_says_that_they_are_needed(account):
    page = httpx.get(account.url + "/sign-in", trust_env=False)
    token = re.search(r'name="token" value="([0-9a-f]+)"', page.text).group(1)
    answer = httpx.post(account.url + "/sign-in", trust_env=False, data={
        "token": token, "mode": "signIn", "email": account.email, "password": "correct horse battery", "then": ""})
    assert answer.status_code == 403 and "Allow cookies" in answer.text


def test_a_page_is_small(account):
    for number in range(200):
        put(account, f"holiday photo {number:03}.txt")
    with web(account) as client:
        page = client.get("/")
        paths = set(re.findall(r'"(/assets/[^"#]+)', page.text))
        # Loaded only where a browser has to hash without its own help, and where the app is put on a home screen.
        paths = {path for path in paths if not path.endswith(("/sha256.js", "/icon-192.png"))}
        sizes = {"page": int(page.headers.get("content-length", 0)) or page.num_bytes_downloaded}
        for path in paths:
            sizes[path.rsplit("/", 1)[1]] = client.get(path).num_bytes_downloaded
        assert sum(sizes.values()) <= 68 << 10, json.dumps(sizes)
