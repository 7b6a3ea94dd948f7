"""Gestures that are quicker than the answers: a slow server, a slow machine, and people who do not wait for either."""

import contextlib

import pytest
from playwright.sync_api import Error

from browser import is_said
from test_web_act import row, tool
from test_web_browse import folder, many, put, shows
from test_web_upload import choose, content, file_of, upload
from waiting import wait_until

#: Requests are held and broken off on purpose here.
COMPLAINTS = ("status of", "ERR_")


class Held:
    """Requests that match wait for their release, as on a line that has stalled."""

    def __init__(self, page, pattern, method=None):
        self.page, self.method, self.waiting, self.is_open, self.broken = page, method, [], False, []
        page.on("requestfailed", lambda request: self.broken.append(request))
        page.route(pattern, self.take)

    def take(self, route):
        if self.is_open or self.method not in (None, route.request.method):
            route.continue_()
        else:
            self.waiting.append(route)

    def wait(self, count=1):
        wait_until(lambda: self.page.evaluate("1") and len(self.waiting) >= count)

    def release(self):
        """All that wait, but for what was broken off meanwhile, and all that come from now on."""
        self.is_open = True
        for route in self.waiting:
            with contextlib.suppress(Error):
                # What was broken off would go on to the server all the same.
                route.abort() if route.request in self.broken else route.continue_()


@pytest.fixture
def three(account, person):
    for name in ("a.txt", "b.txt", "c.txt"):
        put(account, name, name.encode())
    shows(person, "a.txt", "b.txt", "c.txt")
    return person.page


@pytest.fixture
def hundreds(account, person):
    many(account, 600)
    person.page.reload()
    person.page.locator(".row").first.wait_for()
    person.page.wait_for_function("() => globalThis.BothyList?.current && document.hasFocus()")
    return person.page


def delete_all_at_once(page):
    for key in ("ArrowDown", "Control+a", "Delete"):
        page.keyboard.press(key)


def selected(page, words):
    page.locator("#picked", has_text=words).wait_for()


def test_all_is_all_for_who_deletes_at_once(account, hundreds):
    held = Held(hundreds, "**/ids*")
    delete_all_at_once(hundreds)
    held.wait()
    held.release()
    is_said(hundreds, "600 items were moved to the trash.")
    assert account.names() == []


def test_all_is_thrown_away_though_the_first_of_it_is_far_from_what_is_seen(account, person):
    many(account, 600)
    person.page.goto("/?order=-name")
    person.page.locator(".row .name", has_text="file 00599").wait_for()
    person.page.wait_for_function("() => globalThis.BothyList?.current && document.hasFocus()")
    with person.page.expect_response("**/ids*"):
        person.page.keyboard.press("Control+a")
    selected(person.page, "600 selected")
    assert person.page.evaluate("() => !BothyList.current.find([...BothyList.current.picked][0])")
    person.page.keyboard.press("Delete")
    is_said(person.page, "600 items were moved to the trash.")
    assert account.names() == []


def test_all_that_cannot_be_known_is_not_acted_on_by_halves(account, hundreds, person):
    hundreds.route("**/ids*", lambda route: route.abort())
    delete_all_at_once(hundreds)
    hundreds.get_by_role("alert").first.wait_for()
    assert len(account.names()) == 600
    person.complaints.clear()


def test_who_lets_go_of_all_while_it_is_thrown_away_throws_nothing_away(account, hundreds):
    held = Held(hundreds, "**/ids*")
    delete_all_at_once(hundreds)
    held.wait()
    hundreds.keyboard.press("Escape")
    with hundreds.expect_response("**/ids*"):
        held.release()
    hundreds.locator(".row .pick").first.check()
    selected(hundreds, "1 selected")
    assert len(account.names(pageSize=1000)) == 600


def test_who_lets_go_of_all_has_let_go(hundreds):
    held = Held(hundreds, "**/ids*")
    hundreds.keyboard.press("ArrowDown")
    hundreds.keyboard.press("Control+a")
    held.wait()
    hundreds.keyboard.press("Escape")
    with hundreds.expect_response("**/ids*"):
        held.release()
    row_in_front = hundreds.locator(".row .pick").first
    row_in_front.check()
    selected(hundreds, "1 selected")


def test_a_key_on_the_way_to_the_end_is_meant_for_the_end(account, hundreds):
    held = Held(hundreds, "**/rows?*")
    hundreds.keyboard.press("ArrowDown")
    hundreds.keyboard.press("End")
    hundreds.keyboard.press("Delete")
    held.wait()
    held.release()
    is_said(hundreds, "1 item was moved to the trash.")
    names = account.names(pageSize=1000)
    assert "file 00000" in names and "file 00599" not in names


def test_a_key_that_is_held_down_deletes_one(account, three):
    three.keyboard.press("ArrowDown")
    for _ in range(4):
        three.keyboard.down("Delete")
    is_said(three, "1 item was moved to the trash.")
    three.keyboard.up("Delete")
    assert account.names() == ["b.txt", "c.txt"]


def test_a_question_waits_for_who_types(account, three, person, tmp_path):
    held = Held(three, "**/uploads/batch")
    choose(person, file_of(tmp_path, "a.txt", b"another"))
    held.wait()
    row(person, "b.txt").locator(".open").focus()
    three.keyboard.press("F2")
    three.keyboard.type("budg")
    with three.expect_response("**/uploads/batch"):
        held.release()
    three.keyboard.type("et 2024")
    three.keyboard.press("Enter")
    shows(person, "a.txt", "budget 2024.txt", "c.txt")
    three.get_by_role("dialog", name="a.txt").get_by_role("button", name="Cancel").click()
    assert content(account, "a.txt") == b"a.txt"


def test_what_was_chosen_last_is_where_it_goes(account, person):
    alpha = folder(account, "Alpha")
    put(account, "c.txt")
    shows(person, "Alpha", "c.txt")
    row(person, "c.txt").locator(".pick").check()
    tool(person, "Copy").click()
    dialog = person.page.get_by_role("dialog", name="Choose a folder")
    held = Held(person.page, "**/choose?*")
    dialog.get_by_role("button", name="Alpha").click()
    dialog.get_by_role("button", name="Copy here").dblclick()
    held.wait()
    held.release()
    is_said(person.page, "1 item was copied.")
    dialog.wait_for(state="hidden")
    assert account.names(alpha["id"]) == ["c.txt"]
    assert account.names() == ["Alpha", "c.txt"]


def test_nothing_is_moved_once_what_was_chosen_is_gone(account, person):
    folder(account, "Alpha")
    file = put(account, "c.txt")
    shows(person, "Alpha", "c.txt")
    row(person, "c.txt").locator(".pick").check()
    tool(person, "Move").click()
    dialog = person.page.get_by_role("dialog", name="Choose a folder")
    dialog.get_by_role("heading", name="Move 1 item").wait_for()
    account.call("DELETE", f"/v1/files/{file['id']}", expect=204)
    shows(person, "Alpha")
    dialog.get_by_role("button", name="Alpha").click()
    dialog.wait_for(state="hidden")


def test_pressed_twice_is_done_once(account, person):
    held = Held(person.page, "**/act")
    person.page.get_by_role("button", name="New folder").click()
    dialog = person.page.get_by_role("dialog", name="New folder")
    dialog.get_by_role("textbox", name="Name").fill("Letters")
    dialog.get_by_role("button", name="Create").dblclick()
    held.wait()
    held.release()
    shows(person, "Letters")
    dialog.wait_for(state="hidden")
    assert account.names() == ["Letters"]
    assert person.page.get_by_role("alert").filter(has_text="Letters").count() == 0


def test_what_is_chosen_meanwhile_stays_chosen(three, person):
    held = Held(three, "**/act")
    row(person, "c.txt").locator(".open").focus()
    three.keyboard.press("Delete")
    held.wait()
    row(person, "a.txt").locator(".pick").check()
    row(person, "b.txt").locator(".pick").check()
    held.release()
    shows(person, "a.txt", "b.txt")
    selected(three, "2 selected")


@pytest.fixture
def while_uploading(account, person, tmp_path):
    """Two folders, and an upload that does not end: pages come into this one."""
    folders = [folder(account, name) for name in ("Alpha", "Beta")]
    put(account, "in beta.txt", parent=folders[1]["id"])
    shows(person, "Alpha", "Beta")
    chunk = Held(person.page, "**/chunk*")
    choose(person, file_of(tmp_path, "film.bin", b"x" * 300_000))
    chunk.wait()
    yield folders
    chunk.release()


def test_rows_of_a_folder_that_was_left_are_not_shown_in_another(account, person, while_uploading):
    held = Held(person.page, "**/rows?*")
    row(person, "Alpha").locator(".pick").check()
    tool(person, "Star").click()
    held.wait()
    person.page.get_by_role("link", name="Beta").click()
    shows(person, "in beta.txt")
    with person.page.expect_response("**/rows?*"):
        held.release()
    put(account, "more.txt", parent=while_uploading[1]["id"])
    shows(person, "in beta.txt", "more.txt")


def test_the_last_of_two_clicks_counts(person, while_uploading):
    alpha = Held(person.page, f"**/folder/{while_uploading[0]['id']}")
    person.page.get_by_role("link", name="Alpha").click()
    alpha.wait()
    person.page.get_by_role("link", name="Beta").click()
    shows(person, "in beta.txt")
    with person.page.expect_response(f"**/folder/{while_uploading[0]['id']}"):
        alpha.release()
    put_aside = person.page.get_by_role("heading", level=1)
    assert put_aside.inner_text() == "Beta" and person.page.url.endswith(while_uploading[1]["id"])
    shows(person, "in beta.txt")


def test_a_small_file_that_is_stopped_does_not_arrive_and_its_neighbour_does(account, person, tmp_path):
    held = Held(person.page, "**/uploads/batch")
    lanes = ("first.txt", "second.txt", "third.txt")
    choose(person, *[file_of(tmp_path, name, b"x") for name in lanes])
    held.wait(3)
    choose(person, *[file_of(tmp_path, name, b"x") for name in ("stopped.txt", "wanted.txt")])
    held.waiting.pop().continue_()  # one lane is free again, and the two go together
    held.wait(3)
    upload(person, "stopped.txt").get_by_role("button", name="Cancel").click()
    wait_until(lambda: person.page.evaluate("1") and held.broken, what="the request of both is broken off")
    held.release()
    shows(person, *lanes, "wanted.txt")
    assert sorted(account.names()) == sorted([*lanes, "wanted.txt"])
    person.complaints.clear()


def test_a_small_file_that_is_stopped_while_it_is_read_stays_here(account, person, tmp_path):
    person.page.evaluate("""() => {
        const digest = SubtleCrypto.prototype.digest;
        globalThis.isRead = new Promise((done) => { globalThis.readOn = done; });
        globalThis.isBeingRead = new Promise((begun) => {
            SubtleCrypto.prototype.digest = async function (...all) { begun(); await isRead; return digest.apply(this, all); };
        });
    }""")
    choose(person, file_of(tmp_path, "stopped.txt", b"x"))
    person.page.evaluate("isBeingRead")
    upload(person, "stopped.txt").get_by_role("button", name="Cancel").click()
    person.page.evaluate("readOn()")
    choose(person, file_of(tmp_path, "wanted.txt", b"x"))
    shows(person, "wanted.txt")
    assert account.names() == ["wanted.txt"]


def test_a_row_that_is_dragged_while_the_list_scrolls_leaves_nothing_behind(account, hundreds, person):
    row(person, "file 00003").locator(".name").hover()
    hundreds.mouse.down()
    hundreds.mouse.move(400, 400)
    hundreds.evaluate("scrollTo(0, document.body.scrollHeight)")
    hundreds.locator(".row", has_text="file 00599").wait_for()
    hundreds.mouse.up()
    hundreds.mouse.move(300, 300)
    put(account, "zzz")
    hundreds.locator(".row", has_text="zzz").wait_for()
    assert hundreds.evaluate("""() => {
        const data = new DataTransfer();
        data.items.add(new File(["x"], "x.txt"));
        const over = new DragEvent("dragover", { bubbles: true, cancelable: true, dataTransfer: data });
        document.getElementById("main").dispatchEvent(over);
        return over.defaultPrevented;
    }"""), "files from elsewhere are taken"


def test_what_is_typed_on_the_way_to_the_search_is_searched_for(account, person):
    put(account, "holiday.txt")
    shows(person, "holiday.txt")
    # The page comes late: what leads there without the whole word waits for ever.
    person.page.route("**/search*", lambda route: route.continue_() if "holiday" in route.request.url else None)
    person.page.keyboard.press("/")
    person.page.keyboard.type("holiday")
    person.page.locator(".entry", has_text="holiday.txt").wait_for()
    assert person.page.get_by_role("searchbox").input_value() == "holiday"
    person.complaints.clear()


def test_who_is_among_what_was_found_stays_there(account, person):
    put(account, "holiday.txt")
    person.page.goto("/search")
    person.page.get_by_role("searchbox").press_sequentially("holi")
    found = person.page.locator(".entry", has_text="holiday.txt")
    found.wait_for()
    held = Held(person.page, "**/found?*")
    person.page.keyboard.type("d")
    held.wait()
    person.page.keyboard.press("ArrowDown")
    with person.page.expect_response("**/found?*"):
        held.release()
    person.page.wait_for_function("() => document.activeElement.matches('.what') && location.search.endsWith('holid')")


def test_the_page_stands_still_when_its_scripts_begin(account, person):
    put(account, "a.txt")
    session = person.context.new_cdp_session(person.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 6})
    for width in (1280, 390):
        person.page.set_viewport_size({"width": width, "height": 800})
        person.page.reload()
        person.page.locator(".scripted:visible").first.wait_for()
        moved = person.page.evaluate("""() => new Promise((done) => {
            new PerformanceObserver((list) => done(list.getEntries().reduce((sum, one) => sum + one.value, 0)))
                .observe({ type: "layout-shift", buffered: true });
            setTimeout(() => done(0), 500);
        })""")
        assert moved < 0.02, f"{moved} at {width} px"
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})


def test_keys_begin_where_a_person_looks(hundreds):
    hundreds.evaluate("scrollTo(0, 15000)")
    hundreds.locator(".row", has_text="file 00310").wait_for()
    hundreds.keyboard.press("ArrowDown")
    top = hundreds.evaluate("document.activeElement.closest('.row').getBoundingClientRect().top")
    assert 0 <= top <= 800
