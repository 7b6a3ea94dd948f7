"""What goes wrong around a page: nobody answers, streams break off, tabs sleep, clocks are wrong, stores are full."""

import pytest

import fault_proxy
from browser import Person, WithoutCookies, expect, is_said
from test_web_act import row, tool
from test_web_browse import folder, put, shows
from waiting import wait_until

COMPLAINTS = ("status of 4", "Failed to load resource", "ERR_INTERNET_DISCONNECTED")


@pytest.fixture
def cut(way):
    """Nothing gets to the server any more, until it is called with False."""

    def cut(is_cut=True):
        way.go_down() if is_cut else way.come_back()

    return cut


def streams(way):
    """Those that are open."""
    return [one for one in way.seen(lambda request: request.path.endswith("/events")) if one.is_open]


def test_a_dialog_that_cannot_be_filled_does_not_open(account, person, cut):
    put(account, "a.txt")
    row(person, "a.txt").locator(".pick").check()
    cut()
    for name in ("Move", "Copy", "Details"):
        tool(person, name).click()
        said = person.page.get_by_role("alert").filter(has_text="does not answer")
        said.wait_for()
        assert person.page.locator("dialog[open]").count() == 0
        said.evaluate("said => said.remove()")  # or it would be taken for what is said of the next


def test_what_was_typed_into_a_dialog_outlives_a_server_that_goes(account, person, cut):
    shows(person)
    person.page.get_by_role("button", name="New folder").click()
    dialog = person.page.get_by_role("dialog", name="New folder")
    dialog.get_by_role("textbox", name="Name").fill("Letters")
    cut()
    dialog.get_by_role("button", name="Create").click()
    dialog.get_by_role("alert").filter(has_text="does not answer").wait_for()
    assert dialog.get_by_role("textbox", name="Name").input_value() == "Letters"
    cut(False)
    dialog.get_by_role("button", name="Create").click()
    shows(person, "Letters")
    dialog.wait_for(state="hidden")


def test_a_new_name_outlives_a_server_that_goes(account, person, cut):
    put(account, "a.txt")
    shows(person, "a.txt")
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("F2")
    person.page.get_by_role("textbox", name="Rename").fill("b.txt")
    cut()
    person.page.keyboard.press("Enter")
    person.page.get_by_role("alert").filter(has_text="does not answer").wait_for()
    field = person.page.get_by_role("textbox", name="Rename")
    expect(field).to_have_value("b.txt")
    cut(False)
    field.press("Enter")
    shows(person, "b.txt")


@pytest.mark.parametrize("shares", [True, False], ids=["one for all pages", "of its own"])
def test_a_stream_that_is_cut_for_an_hour_catches_up(account, browser, way, shares):
    """No clock of a page counts for what its pages share: there an hour is as many tries as it has room for, one each 3 s."""
    way.add(hurry())
    someone = Person(browser, way.url)
    someone.page.add_init_script("" if shares else "delete globalThis.SharedWorker")
    someone.page.clock.install()
    someone.sign_in(account.email)
    put(account, "before.txt")
    shows(someone, "before.txt")

    def tries():
        return len(way.seen(lambda request: request.path.endswith("/events")))

    way.add(fault_proxy.answer(502, times=1_000_000))
    way.disconnect()
    someone.page.get_by_text("No connection. Trying again…").wait_for()
    begun = tries()
    for minute in range(0 if shares else 60):
        before = tries()
        someone.page.clock.fast_forward(60_000)
        wait_until(lambda: tries() > before, what=f"it tries again in minute {minute}")
    wait_until(lambda: tries() >= begun + (1200 if shares else 60), every=0.2, what="an hour of tries")
    for number in range(3):
        put(account, f"meanwhile {number}.txt")
    way.clear()
    shows(someone, "before.txt", "meanwhile 0.txt", "meanwhile 1.txt", "meanwhile 2.txt")
    someone.page.get_by_text("No connection. Trying again…").wait_for(state="hidden")
    someone.close()


def hurry():
    """What the pages of a browser share takes a millisecond for a second."""
    return fault_proxy.Fault(
        lambda request: request.path.endswith("/streams.js"), times=10, edit_request=lambda request: request.set("Accept-Encoding", None),
        edit_body=lambda body: body + b"\nconst wait = setTimeout; self.setTimeout = (act, time) => wait(act, time / 1000);\n")


def test_a_tab_that_sleeps_lets_go_and_catches_up_when_it_is_seen(account, person, way):
    put(account, "a.txt")
    shows(person, "a.txt")
    sleep(person, way)
    put(account, "b.txt")
    wake(person)
    shows(person, "a.txt", "b.txt")


def test_what_went_and_what_came_to_the_end_is_heard_as_one(account, person, way):
    goes, renamed = put(account, "a.txt"), put(account, "b.txt")
    put(account, "c.txt")
    shows(person, "a.txt", "b.txt", "c.txt")
    sleep(person, way)
    account.delete(goes["id"])
    account.patch(renamed["id"], name="zebra.txt")
    wake(person)
    shows(person, "c.txt", "zebra.txt")


def sleep(person, way):
    """Nobody looks at the page, for longer than it holds its stream."""
    wait_until(lambda: streams(way), what="its stream")
    person.page.clock.install()
    look(person, False)
    person.page.clock.fast_forward(31000)
    wait_until(lambda: not streams(way), what="it holds no stream while nobody looks")


def wake(person):
    look(person, True)


def look(person, is_seen):
    person.page.evaluate("""(isHidden) => { Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange")); }""", not is_seen)


def test_the_pages_of_one_browser_share_one_stream(account, person, way):
    folders = [folder(account, f"folder {number}") for number in range(9)]
    pages = [person.page] + [person.new_page() for _ in folders]
    for page, place in zip(pages[1:], folders):
        page.goto(f"/folder/{place['id']}")
    for number, place in enumerate([{"id": "root"}] + folders):
        put(account, f"news {number}.txt", b"news", place["id"])
    for number, page in enumerate(pages):
        page.locator(".row .name", has_text=f"news {number}.txt").wait_for()
    assert {one.path.split("?")[0] for one in way.seen(lambda request: request.path.endswith("/events"))} == {"/events"}
    wait_until(lambda: len(streams(way)) == 1, what="one stream for them all")
    for page in pages[:-1]:
        page.close()
    put(account, "last.txt", b"news", folders[-1]["id"])
    pages[-1].locator(".row .name", has_text="last.txt").wait_for()
    pages[-1].close()
    wait_until(lambda: not streams(way), what="who has no page open hears nothing")


def test_a_browser_that_shares_nothing_hears_all_the_same(account, person, way, cut):
    person.page.add_init_script("delete globalThis.SharedWorker")
    person.page.reload()
    wait_until(lambda: any("/folder/root/events" in one.path for one in streams(way)), what="a stream of its own")
    put(account, "a.txt")
    shows(person, "a.txt")
    cut()
    person.page.get_by_text("No connection. Trying again…").wait_for()
    put(account, "b.txt")
    cut(False)
    shows(person, "a.txt", "b.txt")
    person.page.get_by_text("No connection. Trying again…").wait_for(state="hidden")


@pytest.mark.parametrize("year", [1998, 2061])
def test_a_browser_with_a_wrong_clock_sees_and_does_all_the_same(account, browser, year):
    someone = Person(browser, account.url)
    someone.page.clock.set_system_time(f"{year}-01-02T03:04:05Z")
    someone.sign_in_by_form(account.email)
    folder(account, "docs")
    shows(someone, "docs")
    someone.page.keyboard.press("ArrowDown")
    someone.page.keyboard.press("Delete")
    someone.page.get_by_role("button", name="Undo").click()
    shows(someone, "docs")
    someone.page.locator("#pickers [data-pick=files]").set_input_files(
        {"name": "a.txt", "mimeType": "text/plain", "buffer": b"hello"})
    shows(someone, "docs", "a.txt")
    assert not someone.complaints
    someone.close()


def test_a_browser_whose_store_is_full_misses_nothing(account, browser):
    someone = Person(browser, account.url)
    session = someone.context.new_cdp_session(someone.page)
    session.send("Storage.overrideQuotaForOrigin", {"origin": account.url, "quotaSize": 0})
    someone.sign_in(account.email)
    someone.page.wait_for_url(account.url + "/")
    someone.page.locator("#pickers [data-pick=files]").set_input_files(
        {"name": "a.txt", "mimeType": "text/plain", "buffer": b"x" * 300_000})
    shows(someone, "a.txt")
    assert not someone.complaints
    assert someone.page.evaluate("localStorage.length + sessionStorage.length") == 0, "it keeps nothing there"
    someone.close()


def test_without_cookies_a_person_is_told_what_to_allow(account, browser):
    someone = Person(browser, account.url)
    someone.page.goto("/sign-in")
    someone.page.get_by_label("Email").fill(account.email)
    someone.page.get_by_label("Password").fill("correct horse battery")
    someone.context.clear_cookies()
    someone.page.get_by_role("button", name="Sign in").click()
    someone.page.get_by_text("Allow cookies for this address").wait_for()
    someone.close()


@pytest.mark.parametrize("place, button", [("/sign-in", "Sign in"), ("/sign-in?new=1", "Create account")])
def test_a_browser_that_takes_no_cookies_is_told_what_to_allow(account, browser, tmp_path, place, button):
    someone = Person(WithoutCookies(browser, tmp_path), account.url)
    someone.page.goto(place)
    someone.page.get_by_label("Email").fill(account.email)
    someone.page.get_by_label("Password").fill("correct horse battery")
    someone.page.get_by_role("button", name=button).click()
    someone.page.get_by_text("Allow cookies for this address").wait_for()
    someone.page.get_by_role("link", name="Go to your files").click()
    someone.page.get_by_role("button", name="Sign in").wait_for()
    assert someone.context.cookies() == []
    assert all("status of 403" in said for said in someone.complaints), someone.complaints
    someone.close()


def test_a_form_that_nobody_would_answer_keeps_its_page(account, person):
    file = account.put("a.txt", b"one", conflict="overwrite")
    account.put("a.txt", b"two", conflict="overwrite")
    person.page.goto(f"/file/{file['id']}/versions")
    person.context.set_offline(True)
    person.page.get_by_role("button", name="Restore").click()
    is_said(person.page, "The server does not answer.", failure=True)
    person.context.set_offline(False)
    person.page.get_by_role("button", name="Restore").click()
    is_said(person.page, "The version was restored")
    assert account.read(account.file(file["id"])) == b"one"
    person.complaints.clear()  # of what could not be fetched


def test_what_was_pressed_is_sent_though_its_part_is_drawn_again_meanwhile(account, person):
    file = account.put("a.txt", b"one", conflict="overwrite")
    account.put("a.txt", b"two", conflict="overwrite")
    person.page.goto(f"/file/{file['id']}/versions")
    held = []
    person.page.route("**/streams.js", lambda route: held.append(route))
    person.page.get_by_role("button", name="Restore").click()
    wait_until(lambda: person.page.evaluate("1") and held, what="the look whether anybody answers")
    person.page.evaluate("() => { const part = document.getElementById('content'); part.replaceWith(part.cloneNode(true)); }")
    held[0].continue_()
    is_said(person.page, "The version was restored")
    assert account.read(account.file(file["id"])) == b"one"


def test_back_forward_and_reload_in_the_middle_of_what_is_done(account, person):
    docs = folder(account, "docs")
    put(account, "a.txt")
    shows(person, "docs", "a.txt")
    page = person.page
    page.get_by_role("button", name="New folder").click()
    page.reload()
    shows(person, "docs", "a.txt")
    assert page.locator("dialog[open]").count() == 0
    page.get_by_role("link", name="docs").click()
    page.wait_for_url("**/folder/*")
    page.go_back()
    shows(person, "docs", "a.txt")
    row(person, "a.txt").locator(".pick").check()
    page.go_forward()
    page.wait_for_url(f"**/folder/{docs['id']}")
    page.go_back()
    shows(person, "docs", "a.txt")
    page.wait_for_function("() => document.querySelectorAll('.pick:checked').length === BothyList.current.picked.size")
    # A request that is on its way as the page goes is done all the same, once.
    page.keyboard.press("Escape")
    row(person, "a.txt").locator(".open").focus()
    with page.expect_request("**/act"):
        page.keyboard.press("Delete")
    page.reload()
    shows(person, "docs")
    put(account, "b.txt")
    shows(person, "docs", "b.txt")


def test_what_is_damaged_says_so(account, person):
    for name, kind in (("bad.png", "image/png"), ("bad.mp4", "video/mp4"), ("bad.mp3", "audio/mpeg")):
        bad = put(account, name, b"this is not what its name says", mime=kind)
        person.page.goto(f"/file/{bad['id']}")
        person.page.get_by_role("heading", name="This cannot be shown").wait_for()
        person.page.get_by_role("link", name="Download").wait_for()
    person.page.goto("/?layout=grid")
    row(person, "bad.png").locator("svg.kind").wait_for()
    expect(row(person, "bad.png").locator("img")).to_have_count(0)
