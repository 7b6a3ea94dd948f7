"""The screen of transfers on a device: what moves, what holds it up, and what a person can do about it."""

import os
import re

import httpx

from browser import is_said
from waiting import wait_until


def rows(page):
    return page.locator("#transfers > ul > .transfer")


def test_a_device_alone_has_these_screens(shared_server, account, person):
    for place in ("/transfers", "/conflicts", "/offline", "/synced"):
        assert person.context.request.get(place).status == 404
    person.page.goto("/")
    assert person.page.get_by_role("link", name="Transfers").count() == 0
    assert httpx.get(shared_server.url + "/device/events").status_code == 303


def test_what_waits_for_a_connection_says_so_and_goes_when_there_is_one(desk):
    desk.page.goto("/transfers")
    desk.page.get_by_role("heading", name="No transfers").wait_for()
    desk.line("Up to date")
    desk.server.stop()
    desk.line("No connection")
    desk.put(desk.laptop, "a.txt", "made in a train")
    row = rows(desk.page).filter(has_text="a.txt")
    row.get_by_text("Waiting for a connection").wait_for()
    desk.line("1 waiting for a connection")
    desk.page.get_by_text("uploaded when there is a connection").wait_for()
    desk.server.start()
    desk.line("Up to date")
    row.wait_for(state="detached")
    assert desk.phone.cat("/a.txt") == b"made in a train"


def test_a_transfer_is_held_gone_on_with_and_ended(desk):
    desk.slow()
    (desk.laptop.home / "film.mkv").write_bytes(os.urandom(24 << 20))
    put = desk.laptop.start("put", "film.mkv", "/")
    desk.page.goto("/transfers")
    row = rows(desk.page).filter(has_text="film.mkv")
    row.locator("progress").wait_for()
    row.get_by_role("button", name="Pause").press("Enter")
    row.get_by_text("Paused by you").wait_for()
    held = desk.page.evaluate("document.activeElement.closest('.transfer')?.id ?? ''")
    assert held.startswith("transfer-"), "focus stays on what was acted on"
    put.wait(timeout=60)
    row.get_by_role("button", name="Resume").click()
    row.get_by_role("button", name="Pause").wait_for()
    row.get_by_role("button", name="Cancel").click()
    desk.page.locator(".lately .transfer", has_text="film.mkv").get_by_text("Canceled").wait_for()
    desk.page.get_by_role("button", name="Clear the list").click()
    desk.page.get_by_role("heading", name="No transfers").wait_for()


def test_what_failed_says_why_and_is_tried_again(desk):
    desk.slow()
    film = desk.laptop.home / "film.mkv"
    film.write_bytes(os.urandom(24 << 20))
    put = desk.laptop.start("put", "film.mkv", "/")
    desk.page.goto("/transfers")
    row = rows(desk.page).filter(has_text="film.mkv")
    row.get_by_role("button", name="Pause").click()
    row.get_by_text("Paused by you").wait_for()
    put.wait(timeout=60)
    film.rename(desk.laptop.home / "elsewhere.mkv")
    row.get_by_role("button", name="Resume").click()
    row.locator(".detail", has_text="is not there").wait_for()
    row.get_by_text("Put the file back").wait_for()
    desk.line("1 needs attention")
    (desk.laptop.home / "elsewhere.mkv").rename(film)
    row.get_by_role("button", name="Try again").click()
    desk.line("1 in progress")
    desk.laptop.run("config", "limit-rate", "off")
    desk.page.locator(".lately .transfer", has_text="film.mkv").get_by_text("Done").wait_for()
    desk.line("Up to date")


def test_everything_is_held_from_the_screen_and_goes_on(desk):
    desk.page.goto("/transfers")
    desk.page.get_by_role("button", name="Pause everything").click()
    is_said(desk.page, "Syncing is paused")
    desk.line("Paused by you")
    assert "You paused background sync" in desk.laptop.run("status").stdout
    desk.page.goto("/settings")
    desk.line("Paused by you")
    desk.page.locator("#line a").click()
    desk.page.get_by_role("button", name="Resume").click()
    desk.line("Up to date")
    assert "You paused background sync" not in desk.laptop.run("status").stdout


def test_what_was_never_sent_is_given_up(desk):
    desk.server.stop()
    desk.laptop.run("mkdir", "/trip")
    desk.page.goto("/transfers")
    rows(desk.page).filter(has_text="trip").get_by_role("button", name="Discard").click()
    desk.page.get_by_role("heading", name="No transfers").wait_for()
    desk.server.start()
    wait_until(lambda: desk.laptop.run("ls").stdout == "")


def gives_up(desk, name):
    """The row's button, and what is asked then."""
    rows(desk.page).filter(has_text=name).get_by_role("button", name="Discard").click()
    # The question's button is called as the row's is.
    desk.page.get_by_role("heading", name=f"Discard “{name}”?").wait_for()


def kept(desk):
    """What was given up on this device, by its content."""
    return [path.read_bytes() for path in desk.laptop.home.rglob("content/trash/*")]


def test_the_only_copy_of_a_file_is_asked_about_and_kept(desk):
    desk.server.stop()
    desk.line("No connection")
    desk.page.goto("/?layout=list")
    desk.page.locator("#pickers [data-pick=files]").set_input_files(
        {"name": "only copy.txt", "mimeType": "text/plain", "buffer": b"nowhere else"})
    desk.page.locator(".row", has_text="only copy.txt").wait_for()
    desk.page.goto("/transfers")
    gives_up(desk, "only copy.txt")
    assert "its only copy is on this device" in desk.page.locator("form.message").inner_text()
    desk.page.get_by_role("link", name="Cancel").click()
    rows(desk.page).filter(has_text="only copy.txt").wait_for()
    assert kept(desk) == []
    gives_up(desk, "only copy.txt")
    desk.page.get_by_role("button", name="Discard").click()
    desk.page.get_by_text("All done").wait_for()
    assert kept(desk) == [b"nowhere else"]
    desk.page.goto("/offline")
    desk.page.get_by_text("Discarded before it was sent").wait_for()


def test_giving_up_a_folder_asks_about_what_was_put_into_it(browser, desk):
    """Without scripts, too."""
    desk.server.stop()
    desk.laptop.run("mkdir", "/trip")
    for name in ("a.txt", "b.txt"):
        desk.put(desk.laptop, name, f"of {name}", "/trip/")
    state = desk.person.context.storage_state()
    plain = browser.new_context(base_url=desk.person.url, java_script_enabled=False, storage_state=state)
    page = plain.new_page()
    page.goto("/transfers")
    rows(page).filter(has=page.locator(".name", has_text="trip")).get_by_role("button", name="Discard").click()
    page.get_by_role("heading", name="Discard 2 files?").wait_for()
    page.get_by_role("button", name="Discard").click()
    page.get_by_text("All done").wait_for()
    plain.close()
    assert sorted(kept(desk)) == [b"of a.txt", b"of b.txt"]


def is_told_within_a_piece(said):
    """How much of the film has gone, between two pieces of 4 MiB, and at the pace that it keeps to."""
    told = re.search(r"^([\d.]+) ([kM]B) of 25.2 MB · ([\d.]+) kB/s · .* left$", said)
    if not told:
        return False
    gone = float(told[1]) * {"kB": 1e3, "MB": 1e6}[told[2]]
    return 0.2 < gone / (4 << 20) % 1 < 0.8 and 250 <= float(told[3]) <= 600


def test_on_a_slow_line_what_goes_is_told_as_it_goes(desk):
    desk.slow()
    desk.page.goto("/?layout=list")
    film = desk.laptop.home / "film.mkv"
    film.write_bytes(os.urandom(24 << 20))
    desk.page.locator("#pickers [data-pick=files]").set_input_files(film)
    desk.page.locator(".row", has_text="film.mkv").wait_for()
    desk.page.goto("/transfers")
    detail = rows(desk.page).filter(has_text="film.mkv").locator(".detail")
    wait_until(lambda: is_told_within_a_piece(detail.inner_text()), what="it is told while a piece is on its way")
    gives_up(desk, "film.mkv")
    desk.page.get_by_role("button", name="Discard").click()
    desk.page.get_by_text("All done").wait_for()


def test_that_nobody_answers_is_said_in_words(desk):
    desk.put(desk.laptop, "letter.txt", "Dear Sir")
    desk.line("Up to date")
    link = desk.page.locator(".row", has_text="letter.txt").locator(".open").get_attribute("href")
    desk.server.stop()
    desk.line("No connection")
    for place in (f"{link}/versions", "/search?q=letter", "/trash", "/settings", "/restore", "/storage", link, "/transfers"):
        desk.page.goto(place)
        text = desk.page.locator("#main").inner_text()
        assert desk.server.url not in text and "refused" not in text.lower(), (place, text)


def test_it_works_without_scripts(browser, desk):
    desk.server.stop()
    desk.laptop.run("mkdir", "/trip")
    state = desk.person.context.storage_state()
    plain = browser.new_context(base_url=desk.person.url, java_script_enabled=False, storage_state=state)
    page = plain.new_page()
    page.goto("/transfers")
    page.get_by_text("Waiting for a connection").first.wait_for()
    page.get_by_role("button", name="Discard").click()
    page.get_by_role("heading", name="No transfers").wait_for()
    plain.close()
