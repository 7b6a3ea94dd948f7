"""Moving about in a long list and choosing in it: by keys, by ranges, and by a finger."""

import pytest
from browser import Person, expect
from test_web_act import row
from test_web_browse import folder, many, put, shows
from waiting import wait_until

FOCUSED = "document.activeElement.closest('.row')?.querySelector('.name').textContent"


def picked(person, words):
    expect(person.page.locator("#picked")).to_have_text(words)


def test_keys_lead_to_the_end_of_a_long_list_and_back(account, person):
    many(account, 1500)
    person.page.reload()
    person.page.locator(".row").first.wait_for()
    person.page.keyboard.press("ArrowDown")
    for key, name in (("End", "file 01499"), ("ArrowUp", "file 01498"), ("Home", "file 00000"), ("ArrowDown", "file 00001")):
        person.page.keyboard.press(key)
        person.page.wait_for_function(f"() => {FOCUSED} === '{name}'")
    assert person.page.locator(f".row:has-text('file 00001')").evaluate(
        "row => row.getBoundingClientRect().top >= 0 && row.getBoundingClientRect().bottom <= innerHeight")


def test_a_range_holds_what_lies_between_however_far_that_is(account, person):
    many(account, 1500)
    person.page.reload()
    person.page.locator(".row").first.wait_for()
    row(person, "file 00010").locator(".pick").check()
    person.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    row(person, "file 01490").wait_for()
    expect(row(person, "file 00010")).to_have_count(0)  # where it began is not held any more
    row(person, "file 01490").locator(".name").click(modifiers=["Shift"])
    person.page.locator("#picked", has_text="1,481 selected").wait_for()


def test_a_range_is_drawn_shorter_again(account, person):
    for name in "abcdef":
        put(account, f"{name}.txt")
    shows(person, *(f"{name}.txt" for name in "abcdef"))
    person.page.keyboard.press("ArrowDown")
    for _ in range(3):
        person.page.keyboard.press("Shift+ArrowDown")
    picked(person, "4 selected")
    person.page.keyboard.press("Shift+ArrowUp")
    picked(person, "3 selected")
    person.page.keyboard.press("Shift+Home")
    picked(person, "1 selected")


def test_of_a_list_one_row_is_met_by_tab(account, person):
    for name in "abcdef":
        put(account, f"{name}.txt")
    shows(person, *(f"{name}.txt" for name in "abcdef"))
    stops = "document.querySelectorAll('.row [tabindex=\"0\"]').length"
    person.page.wait_for_function(f"() => {stops} === 3")  # to choose, to open and to download it
    person.page.keyboard.press("ArrowDown")
    person.page.wait_for_function(f"() => {FOCUSED} === 'a.txt'")
    person.page.keyboard.press("ArrowDown")
    person.page.wait_for_function(f"() => {stops} === 3 && {FOCUSED} === 'b.txt'")
    person.page.keyboard.press("Delete")
    shows(person, "a.txt", "c.txt", "d.txt", "e.txt", "f.txt")
    person.page.wait_for_function(f"() => {FOCUSED} === 'c.txt'")


def test_who_is_on_a_row_that_a_new_look_no_longer_has_is_on_the_next(account, person):
    for name in "abcd":
        put(account, f"{name}.txt")
    shows(person, *(f"{name}.txt" for name in "abcd"))
    for name in "ab":
        person.page.keyboard.press("ArrowDown")
        person.page.wait_for_function(f"() => {FOCUSED} === '{name}.txt'")
    current = person.page.evaluate("""() => {
        const list = BothyList.current;
        const fresh = [...list.rows.children].filter((row) => row.dataset.id !== list.current).map((row) => row.cloneNode(true));
        list.show({ first: list.first, total: fresh.length, count: "3 items" }, fresh);
        return list.find(list.current).querySelector(".name").textContent;
    }""")
    assert current == "c.txt", "its deletion may be told after the look"


def test_who_is_on_a_row_stays_on_it_when_it_is_drawn_anew(account, person):
    for name in "abc":
        put(account, f"{name}.txt")
    shows(person, "a.txt", "b.txt", "c.txt")
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("ArrowDown")
    person.page.wait_for_function(f"() => {FOCUSED} === 'b.txt'")
    person.page.evaluate("""() => {
        document.activeElement.closest(".row").classList.add("otherwise");
        return BothyList.current.again();
    }""")
    person.page.locator(".row.otherwise").wait_for(state="detached")
    assert person.page.evaluate(FOCUSED) == "b.txt"


def finger(page, kind, x=0, y=0):
    points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
    page.cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_a_finger_that_rests_on_a_row_chooses_it(account, browser):
    for name in "abc":
        put(account, f"{name}.txt")
    someone = Person(browser, account.url, width=390, height=780, has_touch=True).sign_in(account.email)
    page = someone.page
    page.cdp = someone.context.new_cdp_session(page)
    shows(someone, "a.txt", "b.txt", "c.txt")
    at = page.locator(".row", has_text="b.txt").bounding_box()
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    finger(page, "touchStart", x, y)
    page.locator("#picked", has_text="1 selected").wait_for()
    finger(page, "touchEnd")
    expect(page.locator(".row.picked .name")).to_have_text(["b.txt"])
    assert page.url == account.url + "/"
    page.locator(".row", has_text="a.txt").tap()
    page.locator("#picked", has_text="2 selected").wait_for()
    page.get_by_role("button", name="More").tap()
    page.locator("#acts.menu").get_by_role("button", name="Copy").wait_for()
    page.touchscreen.tap(195, 640)
    page.get_by_role("button", name="Clear selection").tap()
    page.locator("#acts").wait_for(state="hidden")
    page.get_by_role("button", name="Select").tap()
    page.locator(".row", has_text="c.txt").tap()
    page.locator("#picked", has_text="1 selected").wait_for()
    page.get_by_role("button", name="Clear selection").tap()
    # One that moves scrolls, and one that is short opens.
    finger(page, "touchStart", x, y)
    finger(page, "touchMove", x, y - 40)
    page.wait_for_timeout(700)
    finger(page, "touchEnd")
    assert page.locator(".row.picked").count() == 0
    page.locator(".row", has_text="a.txt").tap()
    page.wait_for_url("**/file/*")
    assert not someone.complaints
    someone.close()


def test_what_happens_while_the_list_is_asked_for_stays(account, person):
    docs = folder(account, "docs")
    person.page.goto(f"/folder/{docs['id']}")
    held = []

    def hold(route):
        held.append((route, route.fetch()))

    person.page.route("**/rows?*", hold, times=1)
    account.patch(docs["id"], name="papers")
    wait_until(lambda: person.page.evaluate("true") and held, what="the list being asked for")
    put(account, "late.txt", b"late", docs["id"])
    row(person, "late.txt").wait_for()
    with person.page.expect_response("**/rows?*") as second:
        route, answer = held[0]
        route.fulfill(response=answer)
    assert second.value.ok
    person.page.locator("#count", has_text="1 item").wait_for()
    row(person, "late.txt").wait_for()


#: Rows that stand elsewhere than where they belong among all of `many`.
ASTRAY = """() => {
    const [list, style] = [document.getElementById("rows"), getComputedStyle(document.getElementById("rows"))];
    const columns = style.display === "grid" ? style.gridTemplateColumns.split(" ").length : 1;
    const height = parseFloat(style.getPropertyValue(columns > 1 ? "--tile" : "--row"));
    const top = (part) => part.getBoundingClientRect().top;
    const down = (row) => Math.floor((top(row) - top(list)) / height + .01);
    return [...list.children].map((row) => [row.querySelector(".name").textContent, down(row)])
        .filter(([name, down]) => down !== Math.floor(+name.slice(5) / columns));
}"""


def begin_to_rename(person, name, typed):
    row(person, name).locator(".open").focus()
    person.page.keyboard.press("F2")
    person.page.keyboard.type(typed)
    return person.page.get_by_role("textbox", name="Rename")


def scroll_away(person):
    person.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    row(person, "file 01490").wait_for()


@pytest.mark.parametrize("layout", ["list", "grid"])
def test_who_scrolls_on_while_typing_a_name_finds_all_in_its_place_and_loses_nothing(account, person, layout):
    many(account, 1500)
    person.page.goto(f"/?layout={layout}")
    person.page.locator(".row").first.wait_for()
    field = begin_to_rename(person, "file 00007", "draft")
    scroll_away(person)
    assert person.page.evaluate(ASTRAY) == []
    assert field.input_value() == "draft" and field.evaluate("field => field === document.activeElement")
    person.page.evaluate("scrollTo(0, 0)")
    row(person, "file 00020").wait_for()
    assert person.page.evaluate(ASTRAY) == []
    scroll_away(person)
    # Whoever types on is where they type.
    person.page.keyboard.type("er")
    row(person, "file 00020").wait_for()
    assert field.input_value() == "drafter" and person.page.evaluate(ASTRAY) == []
    person.page.keyboard.press("Enter")
    wait_until(lambda: "drafter" in account.names(), what="the file has its new name")


def test_a_name_that_is_refused_when_its_row_is_far_away_can_be_mended(account, person):
    many(account, 1500)
    person.page.reload()
    person.page.locator(".row").first.wait_for()
    field = begin_to_rename(person, "file 00007", "file 00001")
    scroll_away(person)
    row(person, "file 01490").locator(".open").focus()
    person.page.get_by_role("alert").filter(has_text="“file 00001”").wait_for()
    person.page.wait_for_function("() => document.querySelector('.new-name')?.value === 'file 00001'")
    row(person, "file 00020").wait_for()
    assert person.page.evaluate(ASTRAY) == []
    field.fill("file 00007 b")
    person.page.keyboard.press("Enter")
    row(person, "file 00007 b").wait_for()
    wait_until(lambda: "file 00007 b" in account.names(), what="the file has its new name")


def test_in_a_narrow_window_a_mouse_chooses(account, browser):
    """Half a screen, or one that is enlarged to twice its size."""
    docs = folder(account, "docs")
    put(account, "a.txt")
    someone = Person(browser, account.url, width=640, height=700).sign_in(account.email)
    page = someone.page
    shows(someone, "docs", "a.txt")
    box = page.locator(".row", has_text="a.txt").locator(".pick")
    expect(box).to_have_css("opacity", "0")
    page.locator(".row", has_text="a.txt").hover()
    expect(box).to_have_css("opacity", "1")
    page.get_by_role("button", name="Select", exact=True).click()
    page.mouse.move(5, 5)
    expect(box).to_have_css("opacity", "1")
    page.locator(".row", has_text="docs").locator(".name").click()
    picked(someone, "1 selected")
    page.get_by_role("button", name="Clear selection").click()
    page.locator(".row", has_text="docs").locator(".name").click()
    page.wait_for_url(f"**/folder/{docs['id']}")
    someone.close()
