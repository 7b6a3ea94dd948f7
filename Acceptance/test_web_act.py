"""Doing things with one's files in a browser: folders, names, stars, moves, copies, the trash and the way back."""

from test_web_browse import folder, put


def row(person, name):
    return person.page.locator(".row", has=person.page.locator(".name", has_text=name))


def shows(person, *names):
    """The list comes to be these, in this order."""
    person.page.wait_for_function(
        "names => JSON.stringify([...document.querySelectorAll('.row .name')].map(name => name.textContent)) === names",
        arg=str(list(names)).replace("'", '"').replace(", ", ","))


def tool(person, name):
    return person.page.locator("#acts").get_by_role("button", name=name, exact=True)


def test_a_new_folder(account, person):
    person.page.get_by_role("button", name="New folder").click()
    person.page.get_by_role("textbox", name="Name").fill("Letters")
    person.page.keyboard.press("Enter")
    shows(person, "Letters")
    assert account.names() == ["Letters"]
    person.page.get_by_role("button", name="New folder").click()
    person.page.get_by_role("textbox", name="Name").fill("Letters")
    person.page.get_by_role("button", name="Create").click()
    person.page.locator(".toast.failure", has_text="“Letters”").wait_for()
    shows(person, "Letters")


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
    person.page.locator(".toast.failure", has_text="taken.txt").wait_for()
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
    account.call("DELETE", f"/v1/files/{file['id']}", params={"permanent": "true"}, expect=204)
    shows(person)
    assert person.page.get_by_text("Nothing here yet").is_visible()


def test_the_trash_and_the_way_back(account, person):
    for name in "abc":
        put(account, f"{name}.txt")
    shows(person, "a.txt", "b.txt", "c.txt")
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("Space")
    person.page.keyboard.press("Shift+ArrowDown")
    person.page.keyboard.press("Delete")
    shows(person, "c.txt")
    person.page.get_by_text("2 items were moved to the trash.").wait_for()
    assert account.names() == ["c.txt"]
    person.page.get_by_role("button", name="Undo").click()
    shows(person, "a.txt", "b.txt", "c.txt")


def test_stars(account, person):
    put(account, "a.txt")
    row(person, "a.txt").locator(".pick").check()
    tool(person, "Star").click()
    row(person, "a.txt").get_by_role("img", name="Starred").wait_for()


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
    person.page.get_by_text("1 item was copied.").wait_for()
    assert account.names(inner["id"]) == ["a.txt"]
    shows(person, "docs", "a.txt")
    tool(person, "Move").click()
    dialog.get_by_role("button", name="docs").click()
    dialog.get_by_role("heading", name="docs").wait_for()
    dialog.get_by_role("button", name="Move here").click()
    shows(person, "docs")
    assert account.names(docs["id"]) == ["inner", "a.txt"]


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


def test_the_menu_of_a_row(account, person):
    put(account, "a.txt")
    row(person, "a.txt").click(button="right")
    menu = person.page.locator("#acts.menu")
    assert menu.is_visible()
    menu.get_by_role("button", name="Move to trash").click()
    shows(person)


def test_without_the_server_it_says_so_and_puts_things_back(account, person):
    put(account, "a.txt")
    shows(person, "a.txt")
    person.context.set_offline(True)
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("Delete")
    person.page.get_by_text("No connection. Trying again…").wait_for()
    shows(person, "a.txt")
    person.context.set_offline(False)
    made = folder(account, "made meanwhile")
    shows(person, "made meanwhile", "a.txt")
    person.page.get_by_text("No connection. Trying again…").wait_for(state="hidden")
    assert made["id"]
    person.complaints.clear()


def test_a_hostile_name_is_renamed_and_moved_as_any_other(account, person):
    name = "\"\u0301><img src=x onerror=alert(1)>.txt"
    put(account, name)
    shows(person, name) if "\"" not in name else person.page.locator(".row").wait_for()
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("F2")
    person.page.get_by_role("textbox", name="Rename").fill(name.replace("img", "svg"))
    person.page.keyboard.press("Enter")
    person.page.wait_for_function("() => document.querySelector('.row .name').textContent.includes('<svg')")
    person.page.keyboard.press("F2")
    person.page.keyboard.press("Escape")
    row(person, "svg").locator(".pick").check()
    tool(person, "Move to trash").click()
    person.page.get_by_text("1 item was moved to the trash.").wait_for()
