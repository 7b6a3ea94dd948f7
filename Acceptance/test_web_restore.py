"""Going back to a moment in a browser: which moment, what would change, done, and undone."""

import datetime
import time

from browser import expect, is_said
from test_web_browse import folder, put


def moment():
    """A time that lies between what was done before and what is done after, as a form has it."""
    time.sleep(0.01)
    now = int(time.time() * 1000)
    time.sleep(0.01)
    return str(now)


def look(person, at, place):
    """Asks what going back to a moment would change: one that is not among those that are offered."""
    person.page.goto(place)
    person.page.locator("button[name=at]").first.evaluate("(button, at) => { button.value = at; }", at)
    person.page.locator("button[name=at]").first.click()
    person.page.get_by_role("heading", name="As it was on").wait_for()
    person.page.wait_for_load_state()


def lines(person):
    rows = person.page.locator(".entry .what").all_inner_texts()
    return sorted(tuple(row.split("\n")) for row in rows)


def test_a_folder_goes_back_and_forth(account, person):
    letters = folder(account, "Letters")["id"]
    first = put(account, "a.txt", b"one", letters)
    put(account, "elsewhere.txt")
    at = moment()
    account.patch(first["id"], name="b.txt")
    put(account, "new.txt", b"new", letters)
    account.call("DELETE", f"/v1/files/{put(account, 'later.txt')['id']}", expect=204)
    person.page.goto(f"/folder/{letters}")
    person.page.get_by_role("link", name="Go back in time").click()
    person.page.get_by_role("heading", name="“Letters” as it was").wait_for()
    person.page.get_by_role("button", name="A week ago").wait_for()
    person.page.get_by_text("The history goes back about a year").wait_for()
    look(person, at, f"/restore/{letters}")
    assert person.page.locator(".sums li").all_inner_texts() == [
        "Would restore 1 file or folder", "Would move 1 file or folder to the trash"]
    assert lines(person) == [
        ("/Letters/a.txt", "Back: its name, from “b.txt”"), ("/Letters/new.txt", "To the trash: it did not exist then")]
    assert account.names(letters) == ["b.txt", "new.txt"]
    person.page.reload()
    person.page.get_by_role("button", name="Restore").click()
    person.page.get_by_role("heading", name="Restored to").wait_for()
    assert account.names(letters) == ["a.txt"] and account.names() == ["Letters", "elsewhere.txt"]
    done = person.page.url
    person.page.get_by_role("button", name="Undo").click()
    # The way back is a restore of its own, told under the same heading.
    person.page.wait_for_function("done => location.href !== done", arg=done)
    person.page.get_by_role("heading", name="Restored to").wait_for()
    assert account.names(letters) == ["b.txt", "new.txt"]
    person.page.get_by_role("link", name="Go to your files").click()
    person.page.locator(".row", has_text="b.txt").wait_for()


def test_everything_goes_back_by_a_time_of_ones_own(account, person):
    put(account, "a.txt")
    person.page.goto("/trash")
    person.page.get_by_role("link", name="Go back in time").click()
    person.page.get_by_role("heading", name="Everything as it was").wait_for()
    person.page.get_by_label("Date and time").fill("2001-02-03T04:05")
    person.page.get_by_role("button", name="Preview").click()
    # Of a time before there was anything, nothing is remembered.
    is_said(person.page, "does not go back before", failure=True)
    now = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=2)
    person.page.get_by_label("Date and time").evaluate("field => { field.max = ''; }")
    person.page.get_by_label("Date and time").fill(now.strftime("%Y-%m-%dT%H:%M"))
    person.page.get_by_role("button", name="Preview").click()
    is_said(person.page, "in the future", failure=True)
    look(person, moment(), "/restore")
    person.page.get_by_text("There is nothing to restore").wait_for()
    expect(person.page.get_by_role("button", name="Restore")).to_be_hidden()


def test_what_changed_since_it_was_looked_at_is_not_touched(account, person):
    file = put(account, "a.txt")
    at = moment()
    account.patch(file["id"], name="b.txt")
    look(person, at, "/restore")
    account.patch(file["id"], name="c.txt")
    person.page.get_by_role("button", name="Restore").click()
    is_said(person.page, "changed since the plan was made", failure=True)
    assert account.names() == ["c.txt"]


def test_what_is_not_yours_is_not_there(account, person, new_account):
    person.page.goto("/restore/0000")
    person.page.get_by_role("heading", name="Not found").wait_for()
    person.page.goto("/restore?look=0000")
    person.page.get_by_role("heading", name="Not found").wait_for()
