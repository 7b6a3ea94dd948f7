"""Doing things with one's files in a browser: folders, names, stars, moves, copies, the trash and the way back."""

from browser import expect, is_said
from test_web_browse import folder, many, put, shows
from waiting import wait_until


def row(person, name):
    return person.page.locator(".row", has=person.page.locator(".name", has_text=name))


def tool(person, name):
    return person.page.locator("#acts").get_by_role("button", name=name, exact=True)


def offered_back(person):
    """What was done can be taken back: for as long as the person is on what offers it."""
    undo = person.page.get_by_role("button", name="Undo")
    undo.focus()
    return undo


def test_a_new_folder(account, person):
    person.page.get_by_role("button", name="New folder").click()
    person.page.get_by_role("textbox", name="Name").fill("Letters")
    person.page.keyboard.press("Enter")
    shows(person, "Letters")
    assert account.names() == ["Letters"]
    person.page.get_by_role("button", name="New folder").click()
    person.page.get_by_role("textbox", name="Name").fill("Letters")
    person.page.get_by_role("button", name="Create").click()
    dialog = person.page.get_by_role("dialog", name="New folder")
    dialog.get_by_role("alert").filter(has_text="“Letters”").wait_for()
    assert dialog.get_by_role("textbox", name="Name").input_value() == "Letters", "what was typed is still there"
    dialog.get_by_role("textbox", name="Name").fill("Parcels")
    dialog.get_by_role("button", name="Create").click()
    shows(person, "Letters", "Parcels")
    dialog.wait_for(state="hidden")


def test_a_name_is_changed_in_place(account, person):
    put(account, "draft.txt")
    put(account, "taken.txt")
    shows(person, "draft.txt", "taken.txt")
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("F2")
    field = person.page.get_by_role("textbox", name="Rename")
    assert field.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)") == "draft"
    person.page.keyboard.type("zebra")
    person.page.keyboard.press("Enter")
    shows(person, "taken.txt", "zebra.txt")
    assert person.page.evaluate("document.activeElement.closest('.row').querySelector('.name').textContent") == "zebra.txt"
    person.page.keyboard.press("F2")
    field.fill("taken.txt")
    person.page.keyboard.press("Enter")
    person.page.get_by_role("alert").filter(has_text="taken.txt").wait_for()
    person.page.wait_for_function("() => document.querySelector('.new-name')?.value === 'taken.txt'")
    field.fill("yacht.txt")
    person.page.locator("h1").click()
    shows(person, "taken.txt", "yacht.txt")
    # The row is called so at once, and the file once that is sent.
    wait_until(lambda: account.names() == ["taken.txt", "yacht.txt"], what="going on elsewhere keeps what was typed")
    row(person, "yacht.txt").locator(".open").focus()
    person.page.keyboard.press("F2")
    field.fill("zebra.txt")
    person.page.keyboard.press("Enter")
    shows(person, "taken.txt", "zebra.txt")
    person.page.keyboard.press("F2")
    field.fill("never")
    person.page.keyboard.press("Escape")
    shows(person, "taken.txt", "zebra.txt")


def test_a_file_deleted_elsewhere_while_it_is_being_renamed(account, person):
    file = put(account, "a.txt")
    shows(person, "a.txt")
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("F2")
    person.page.keyboard.type("b")
    account.call("DELETE", f"/v1/files/{file['id']}", params={"permanent": "true"}, expect=204)
    # What is typed stays until it is ended; then it is said what became of it.
    person.page.wait_for_function("() => document.querySelector('.renaming')?.isOld")
    person.page.keyboard.type("c")
    assert person.page.get_by_role("textbox", name="Rename").input_value() == "bc.txt"
    assert not person.page.get_by_text("Nothing here yet").is_visible()
    person.page.keyboard.press("Enter")
    person.page.get_by_role("alert").filter(has_text="it was deleted meanwhile").wait_for()
    shows(person)
    person.page.get_by_text("Nothing here yet").wait_for()
    assert account.names() == []


def test_what_another_tab_does_to_what_is_chosen_here(account, person):
    """One tab has three rows chosen; in another, one of them is renamed and one goes to the trash."""
    for name in ("a.txt", "b.txt", "c.txt", "d.txt"):
        put(account, name)
    shows(person, "a.txt", "b.txt", "c.txt", "d.txt")
    for name in ("a.txt", "b.txt", "c.txt"):
        row(person, name).locator(".pick").check()
    person.page.locator("#picked", has_text="3 selected").wait_for()
    other = person.new_page()
    other.goto("/?layout=list")
    other.locator(".row", has_text="a.txt").locator(".open").focus()
    other.keyboard.press("F2")
    other.get_by_role("textbox", name="Rename").fill("zebra.txt")
    other.keyboard.press("Enter")
    other.locator(".row", has_text="b.txt").locator(".open").focus()
    other.keyboard.press("Delete")
    shows(person, "c.txt", "d.txt", "zebra.txt")
    person.page.locator("#picked", has_text="2 selected").wait_for()
    assert [row(person, name).locator(".pick").is_checked() for name in ("c.txt", "d.txt", "zebra.txt")] == [True, False, True]
    tool(person, "Move to trash").click()
    undo = offered_back(person)
    shows(person, "d.txt")
    other.wait_for_function("() => document.querySelectorAll('.row').length === 1")
    assert account.names() == ["d.txt"]
    other.locator(".row", has_text="d.txt").locator(".pick").check()
    undo.click()
    shows(person, "c.txt", "d.txt", "zebra.txt")
    assert sorted(account.names()) == ["c.txt", "d.txt", "zebra.txt"], "what the other tab threw away stays there"
    other.locator("#picked", has_text="1 selected").wait_for()
    other.close()


def test_the_trash_and_the_way_back(account, person):
    for name in "abc":
        put(account, f"{name}.txt")
    shows(person, "a.txt", "b.txt", "c.txt")
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("Space")
    person.page.keyboard.press("Shift+ArrowDown")
    person.page.keyboard.press("Delete")
    undo = offered_back(person)
    is_said(person.page, "2 items were moved to the trash.")
    shows(person, "c.txt")
    assert account.names() == ["c.txt"]
    undo.click()
    shows(person, "a.txt", "b.txt", "c.txt")


def test_stars(account, person):
    put(account, "a.txt")
    row(person, "a.txt").locator(".pick").check()
    tool(person, "Star").click()
    row(person, "a.txt").get_by_role("img", name="Starred").wait_for()
    tool(person, "Remove star").click()
    row(person, "a.txt").get_by_role("img", name="Starred").wait_for(state="detached")
    tool(person, "Star").wait_for()
    assert not account.list()[0].get("starred")


def test_moving_and_copying_by_the_dialog(account, person):
    docs = folder(account, "docs")
    inner = folder(account, "inner", docs["id"])
    put(account, "a.txt")
    shows(person, "docs", "a.txt")
    row(person, "a.txt").locator(".pick").check()
    tool(person, "Copy").click()
    dialog = person.page.get_by_role("dialog", name="Choose a folder")
    dialog.get_by_role("button", name="docs").click()
    dialog.get_by_role("button", name="inner").click()
    dialog.get_by_role("button", name="Copy here").click()
    is_said(person.page, "1 item was copied.")
    assert account.names(inner["id"]) == ["a.txt"]
    shows(person, "docs", "a.txt")
    tool(person, "Move").click()
    dialog.get_by_role("button", name="docs").click()
    dialog.get_by_role("heading", name="docs").wait_for()
    dialog.get_by_role("heading", name="Move 1 item").wait_for()
    dialog.get_by_role("textbox", name="New folder").fill("later")
    dialog.get_by_role("button", name="Create").click()
    dialog.get_by_role("button", name="later").wait_for()
    dialog.get_by_role("button", name="Move here").click()
    undo = offered_back(person)
    shows(person, "docs")
    assert account.names(docs["id"]) == ["inner", "later", "a.txt"]
    undo.click()
    shows(person, "docs", "a.txt")
    assert account.names(docs["id"]) == ["inner", "later"]


def test_enter_in_the_name_of_a_new_folder_makes_it_and_moves_nothing(account, person):
    put(account, "a.txt")
    row(person, "a.txt").locator(".pick").check()
    tool(person, "Move").click()
    dialog = person.page.get_by_role("dialog", name="Choose a folder")
    dialog.get_by_role("textbox", name="New folder").fill("later")
    person.page.keyboard.press("Enter")
    dialog.get_by_role("button", name="later").wait_for()
    assert account.names() == ["later", "a.txt"]
    dialog.get_by_role("button", name="later").click()
    dialog.get_by_role("button", name="Move here").click()
    shows(person, "later")


def test_of_what_moved_in_part_the_rest_is_asked_for_and_all_can_be_taken_back(account, person):
    docs = folder(account, "docs")
    put(account, "a.txt", parent=docs["id"])
    for name in ("a.txt", "b.txt"):
        put(account, name)
    shows(person, "docs", "a.txt", "b.txt")
    for name in ("a.txt", "b.txt"):
        row(person, name).locator(".pick").check()
    tool(person, "Move").click()
    dialog = person.page.get_by_role("dialog", name="Choose a folder")
    dialog.get_by_role("button", name="docs").click()
    dialog.get_by_role("heading", name="docs").wait_for()
    dialog.get_by_role("button", name="Move here").click()
    told = dialog.get_by_role("alert")
    expect(told).to_contain_text("1 item was moved.")
    dialog.get_by_role("heading", name="Move 1 item").wait_for()
    told.get_by_role("button", name="Undo").click()
    dialog.get_by_role("heading", name="Move 2 items").wait_for()
    expect(told).to_be_hidden()
    dialog.get_by_role("button", name="Cancel").click()
    shows(person, "docs", "a.txt", "b.txt")
    assert account.names(docs["id"]) == ["a.txt"]


def on_row(person, name):
    """The keyboard is on that row."""
    person.page.wait_for_function(
        "name => document.activeElement.closest('.row')?.querySelector('.name').textContent === name", arg=name)


def test_whoever_acts_by_keyboard_goes_on_in_the_list(account, person):
    folder(account, "docs")
    for name in ("a.txt", "b.txt", "c.txt"):
        put(account, name)
    shows(person, "docs", "a.txt", "b.txt", "c.txt")
    page = person.page

    def choose(name, deed):
        row(person, name).locator(".open").focus()
        page.keyboard.press("Space")
        tool(person, deed).focus()
        page.keyboard.press("Enter")

    choose("a.txt", "Move to trash")
    shows(person, "docs", "b.txt", "c.txt")
    on_row(person, "b.txt")
    offered_back(person)
    page.keyboard.press("Enter")
    shows(person, "docs", "a.txt", "b.txt", "c.txt")
    on_row(person, "b.txt")
    choose("b.txt", "Star")
    row(person, "b.txt").get_by_role("img", name="Starred").wait_for()
    expect(tool(person, "Remove star")).to_be_focused()
    tool(person, "Move").press("Enter")
    dialog = page.get_by_role("dialog", name="Choose a folder")
    dialog.get_by_role("button", name="docs").press("Enter")
    dialog.get_by_role("heading", name="docs").wait_for()
    dialog.get_by_role("button", name="Move here").press("Enter")
    shows(person, "docs", "a.txt", "c.txt")
    on_row(person, "c.txt")
    page.keyboard.press("Control+a")
    tool(person, "Move to trash").press("Enter")
    shows(person)
    expect(page.locator("#rows")).to_be_focused()
    page.locator(".toast", has_text="3 items").get_by_role("button", name="Undo").press("Enter")
    shows(person, "docs", "a.txt", "c.txt")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("() => document.activeElement.closest('.row')")


def test_a_folder_that_is_renamed_elsewhere_is_called_so_where_it_is_open(account, person):
    docs = folder(account, "docs")
    inner = folder(account, "inner", docs["id"])
    put(account, "a.txt", parent=inner["id"])
    person.page.goto(f"/folder/{inner['id']}")
    shows(person, "a.txt")
    account.patch(inner["id"], name="within")
    expect(person.page.locator("h1")).to_have_text("within")
    expect(person.page).to_have_title("within · Bothy")
    account.patch(docs["id"], name="papers")
    expect(person.page.locator(".crumbs")).to_contain_text("papers")
    expect(person.page.locator("#count")).to_have_text("1 item")


def test_dragging_moves(account, person):
    docs = folder(account, "docs")
    put(account, "a.txt")
    shows(person, "docs", "a.txt")
    row(person, "a.txt").locator(".name").drag_to(row(person, "docs"))
    shows(person, "docs")
    assert account.names(docs["id"]) == ["a.txt"]
    person.page.get_by_role("link", name="docs").click()
    shows(person, "a.txt")
    row(person, "a.txt").locator(".name").drag_to(person.page.locator(".crumbs a").first)
    shows(person)
    assert account.names() == ["docs", "a.txt"]


def counted(person, words):
    """What the list says of how much is in it, once it says so."""
    expect(person.page.locator("#count")).to_have_text(words)
    return words


def test_nothing_moves_about_under_the_hand_that_drags(account, person):
    docs = folder(account, "docs")
    dragged = put(account, "b.txt")
    put(account, "c.txt")
    shows(person, "docs", "b.txt", "c.txt")
    before = counted(person, "3 items")
    row(person, "b.txt").locator(".name").hover()
    person.page.mouse.down()
    account.patch(dragged["id"], starred=True)
    put(account, "a.txt")
    person.page.wait_for_function("before => document.getElementById('count').textContent !== before", arg=before)
    shows(person, "docs", "b.txt", "c.txt")
    row(person, "docs").hover()
    person.page.mouse.up()
    shows(person, "docs", "a.txt", "c.txt")
    assert account.names(docs["id"]) == ["b.txt"]


def test_what_happened_meanwhile_is_shown_when_the_hand_lets_go(account, person):
    held = put(account, "b.txt")
    shows(person, "b.txt")
    before = counted(person, "1 item")
    row(person, "b.txt").locator(".name").hover()
    person.page.mouse.down()
    account.patch(held["id"], starred=True)
    put(account, "a.txt")
    person.page.wait_for_function("before => document.getElementById('count').textContent !== before", arg=before)
    person.page.mouse.move(5, 5)
    person.page.mouse.up()
    shows(person, "a.txt", "b.txt")
    row(person, "b.txt").get_by_role("img", name="Starred").wait_for()


def test_the_menu_of_a_row(account, person):
    put(account, "a.txt")
    row(person, "a.txt").click(button="right")
    menu = person.page.locator("#acts.menu")
    menu.wait_for()
    menu.get_by_role("button", name="Move to trash").click()
    shows(person)


def test_the_menu_is_walked_by_keys(account, person):
    put(account, "a.txt")
    put(account, "b.txt")
    shows(person, "a.txt", "b.txt")
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("Shift+F10")
    menu = person.page.locator("#acts.menu")
    menu.wait_for()
    on = "document.activeElement.textContent.trim()"
    assert person.page.evaluate(on) == "Star"
    person.page.keyboard.press("ArrowUp")
    assert person.page.evaluate(on) == "Move to trash"
    person.page.keyboard.press("Escape")
    menu.wait_for(state="hidden")
    assert person.page.evaluate("document.activeElement.closest('.row')?.querySelector('.name').textContent") == "a.txt"
    person.page.keyboard.press("Shift+Tab")
    assert person.page.evaluate("document.activeElement.className") == "pick", "the toolbar is two steps away"
    person.page.keyboard.press("Shift+Tab")
    assert person.page.evaluate("!!document.activeElement.closest('#acts')")


def test_details_say_what_it_is_and_where(account, person):
    docs = folder(account, "docs")
    put(account, "a.txt", b"hello", docs["id"], mime="text/plain")
    person.page.get_by_role("link", name="docs").click()
    shows(person, "a.txt")
    row(person, "a.txt").click(button="right")
    person.page.locator("#acts.menu").get_by_role("button", name="Details").click()
    dialog = person.page.get_by_role("dialog", name="a.txt")
    dialog.wait_for()
    assert dialog.locator("dd").all_inner_texts()[:3] == ["Text (text/plain)", "Files / docs", "5 B"]
    dialog.get_by_role("button", name="Close").click()
    dialog.wait_for(state="hidden")


def test_many_go_at_once_and_come_back_at_once(account, person):
    many(account, 1500)
    person.page.reload()
    person.page.locator("#count", has_text="1,500 items").wait_for()
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("Control+a")
    person.page.locator("#picked", has_text="1,500 selected").wait_for()
    acts = []
    person.page.on("request", lambda request: request.method == "POST" and acts.append(request.url))
    person.page.keyboard.press("Delete")
    undo = offered_back(person)
    is_said(person.page, "1,500 items were moved to the trash.")
    assert person.page.locator(".toast").count() == 1
    person.page.get_by_text("Nothing here yet").wait_for()
    undo.click()
    is_said(person.page, "1,500 items were restored.")
    person.page.locator("#count", has_text="1,500 items").wait_for()
    assert account.call("GET", "/v1/files", expect=200, params={"parentId": "root", "limit": "1"}).json()
    assert len(acts) == 2, f"one request takes them all, and one brings them back: {acts}"


def test_what_can_be_taken_back_stays_while_somebody_is_on_it(account, person):
    put(account, "a.txt")
    shows(person, "a.txt")
    person.page.clock.install()
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("Delete")
    undo = person.page.get_by_role("button", name="Undo")
    undo.focus()
    person.page.clock.fast_forward(60000)
    assert undo.is_visible()
    person.page.locator("h1").click()
    person.page.clock.fast_forward(60000)
    undo.wait_for(state="detached")


def test_without_the_server_it_says_so_and_puts_things_back(account, person, way):
    put(account, "a.txt")
    shows(person, "a.txt")
    way.go_down()
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("Delete")
    person.page.get_by_text("No connection. Trying again…").wait_for()
    shows(person, "a.txt")
    way.come_back()
    made = folder(account, "made meanwhile")
    shows(person, "made meanwhile", "a.txt")
    person.page.get_by_text("No connection. Trying again…").wait_for(state="hidden")
    assert made["id"]
    person.complaints.clear()


def test_that_nobody_answered_is_taken_back_once_somebody_does(account, person):
    put(account, "a.txt")
    shows(person, "a.txt")
    row(person, "a.txt").locator(".pick").check()
    person.page.route("**/choose?*", lambda route: route.abort(), times=1)
    tool(person, "Move").click()
    is_said(person.page, "The server does not answer.", failure=True)
    person.page.get_by_text("No connection. Trying again…").wait_for(state="hidden")
    tool(person, "Move").click()
    person.page.get_by_role("dialog", name="Choose a folder").wait_for()
    person.complaints.clear()


def test_a_hostile_name_is_renamed_and_moved_as_any_other(account, person):
    name = "\"\u0301><img src=x onerror=alert(1)>.txt"
    put(account, name)
    shows(person, name)
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("F2")
    person.page.get_by_role("textbox", name="Rename").fill(name.replace("img", "svg"))
    person.page.keyboard.press("Enter")
    person.page.wait_for_function("() => document.querySelector('.row .name').textContent.includes('<svg')")
    person.page.keyboard.press("F2")
    person.page.keyboard.press("Escape")
    row(person, "svg").locator(".pick").check()
    tool(person, "Move to trash").click()
    is_said(person.page, "1 item was moved to the trash.")


def hears_nothing(person):
    """The page goes on as one whose stream is cut: how far it was told stays what it is now."""
    person.page.evaluate("""() => {
        const { current } = BothyList, { mark } = current;
        Object.defineProperty(current, "mark", { get: () => mark, set() {} }); }""")


def test_a_folder_in_which_somebody_else_has_put_something_unseen_is_not_thrown_away(account, person):
    docs = folder(account, "docs")
    inner = folder(account, "inner", docs["id"])
    put(account, "a.txt")
    person.page.reload()
    shows(person, "docs", "a.txt")
    hears_nothing(person)
    put(account, "theirs.txt", b"not seen", inner["id"])
    for name in ("docs", "a.txt"):
        row(person, name).locator(".pick").check()
    tool(person, "Move to trash").click()
    is_said(person.page, "Something in “docs” has changed since it was shown. Check it again, then delete it.", failure=True)
    shows(person, "docs")
    assert account.names() == ["docs"] and account.names(inner["id"]) == ["theirs.txt"]
    person.page.reload()
    shows(person, "docs")
    row(person, "docs").locator(".open").focus()
    person.page.keyboard.press("Delete")
    shows(person)
    assert account.names() == []
    person.complaints.clear()


def test_what_a_page_has_heard_of_goes_with_its_folder(account, person):
    docs = folder(account, "docs")
    inner = folder(account, "inner", docs["id"])
    person.page.reload()
    shows(person, "docs")
    before = person.page.evaluate("BothyList.current.mark")
    put(account, "theirs.txt", b"told of", inner["id"])
    person.page.wait_for_function("before => BothyList.current.mark !== before", arg=before)
    row(person, "docs").locator(".open").focus()
    person.page.keyboard.press("Delete")
    shows(person)
    assert account.names() == []


def test_what_a_person_put_into_a_folder_in_the_page_itself_goes_with_it(account, person):
    folder(account, "docs")
    put(account, "a.txt")
    person.page.reload()
    shows(person, "docs", "a.txt")
    hears_nothing(person)
    row(person, "a.txt").locator(".name").drag_to(row(person, "docs"))
    shows(person, "docs")
    row(person, "docs").locator(".open").focus()
    person.page.keyboard.press("Delete")
    shows(person)
    assert account.names() == []
