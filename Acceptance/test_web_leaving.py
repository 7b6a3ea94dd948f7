"""What takes a person out of where they are in the web app, and where they come back to."""

import pytest

from browser import expect
from test_web_act import row
from test_web_browse import folder, many, put, shows
from waiting import wait_until

#: The name of the folder that a drop would go into, and what becomes of the event.
DRAG = """([onto, kind]) => {
    const data = new DataTransfer();
    data.items.add(new File(["x"], "a.txt"));
    const event = new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
    document.querySelector(onto).dispatchEvent(event);
    return [event.defaultPrevented, document.getElementById("landing").hidden ? null : document.getElementById("landing").textContent];
}"""


def test_where_a_drop_would_land_is_named(account, person):
    """Over a folder of the list it named the one that is open."""
    docs = folder(account, "docs")
    folder(account, "inner", docs["id"])
    person.page.goto(f"/folder/{docs['id']}")
    shows(person, "inner")
    assert person.page.evaluate(DRAG, ["#rows", "dragover"]) == [True, "Drop to upload to “docs”"]
    assert person.page.evaluate(DRAG, [".row .open", "dragover"]) == [True, "Drop to upload to “inner”"]


@pytest.mark.parametrize("place", ["/trash", "/settings", "/search", "/starred", "/feed", "/storage", "file"])
def test_a_file_that_is_dropped_where_none_is_taken_leads_nowhere(account, person, place):
    """The browser opened it, and the app was gone."""
    file = put(account, "a.txt")
    person.page.goto(f"/file/{file['id']}" if place == "file" else place)
    for kind in ("dragover", "drop"):
        assert person.page.evaluate(DRAG, ["#main", kind]) == [True, None]
    assert account.names() == ["a.txt"]


def focused(person):
    return person.page.evaluate("document.activeElement.closest('.row, .entry')?.querySelector('.name').textContent")


def test_who_comes_back_goes_on_where_they_left(account, person):
    """The first row was the next that a key led to."""
    for name in "abc":
        folder(account, name)
    put(account, "d.txt")
    shows(person, "a", "b", "c", "d.txt")
    for name in ("c", "d.txt"):
        row(person, name).locator(".open").click()
        person.page.wait_for_url("**/folder/*" if name == "c" else "**/file/*")
        person.page.go_back()
        shows(person, "a", "b", "c", "d.txt")
        wait_until(lambda: focused(person) == name, what=f"{name} has the focus")
    person.page.keyboard.press("ArrowUp")
    wait_until(lambda: focused(person) == "c", what="keys go on from there")


def test_who_comes_back_to_a_long_list_goes_on_where_they_left(account, person):
    many(account, 2_000)
    person.page.reload()
    person.page.locator(".row .open").first.focus()
    person.page.keyboard.press("End")
    last = "file 01999"
    wait_until(lambda: focused(person) == last, what="the end is there")
    person.page.keyboard.press("Enter")
    person.page.wait_for_url("**/file/*")
    person.page.go_back()
    wait_until(lambda: focused(person) == last, what="the last row has the focus again")


def test_who_comes_back_to_the_trash_or_a_search_goes_on_there(account, person):
    for name in ("tax 2023.txt", "tax 2024.txt"):
        put(account, name)
    person.page.goto("/search?q=tax")
    person.page.get_by_role("link", name="tax 2024.txt").click()
    person.page.wait_for_url("**/file/*")
    person.page.go_back()
    wait_until(lambda: focused(person) == "tax 2024.txt", what="what was opened has the focus")


def test_a_star_leads_to_what_is_starred(account, person):
    file = put(account, "a.txt")
    account.patch(file["id"], starred=True)
    row(person, "a.txt").locator(".star").click()
    person.page.wait_for_url("**/starred")
    expect(person.page.locator(".entry .name")).to_have_text("a.txt")
