"""The screen of folders in step on a device: how each stands, what a guard holds, what was done, and why."""

import pytest

from waiting import wait_until


@pytest.fixture
def bound(desk):
    desk.box = desk.laptop.home / "box"
    desk.box.mkdir()
    for number in range(60):
        (desk.box / f"note-{number:02}.txt").write_text(f"note {number}\n")
    desk.laptop.run("sync", desk.box, "/box")
    desk.page.goto("/synced")
    desk.page.locator(".folder-of .state", has_text="In step").wait_for()
    return desk


def test_no_folder_says_how_to_begin(desk):
    desk.page.goto("/synced")
    desk.page.get_by_role("heading", name="No folder is kept in step").wait_for()


def test_a_change_is_told_as_it_is_carried(bound):
    (bound.box / "new.txt").write_text("new\n")
    bound.page.locator(".batch", has_text="sent new.txt").wait_for()


def test_a_guard_says_what_it_saw_and_lets_pass_what_was_meant(bound):
    for number in range(58):
        (bound.box / f"note-{number:02}.txt").unlink()
    bound.page.locator(".stopped", has_text="files and folders would be deleted on the server").wait_for()
    bound.line("1 needs you")
    assert len(bound.phone.run("ls", "/box").stdout.splitlines()) > 2
    bound.page.get_by_role("button", name="Let it pass").click()
    bound.page.get_by_role("heading", name="Let these deletions pass?").wait_for()
    bound.page.get_by_role("link", name="Cancel").click()
    bound.page.get_by_role("button", name="Let it pass").click()
    bound.page.get_by_role("button", name="Let it pass").click()
    bound.page.locator(".toast", has_text="It goes on.").wait_for()
    wait_until(lambda: len(bound.phone.run("ls", "/box").stdout.splitlines()) == 2)
    bound.line("In step")


def test_who_has_seen_less_lets_nothing_pass(bound):
    for number in range(40):
        (bound.box / f"note-{number:02}.txt").unlink()
    bound.page.locator(".stopped").wait_for()
    bound.page.get_by_role("button", name="Let it pass").click()
    bound.page.get_by_role("heading", name="Let these deletions pass?").wait_for()
    there = len(bound.phone.run("ls", "/box").stdout.splitlines())
    for number in range(40, 58):
        (bound.box / f"note-{number:02}.txt").unlink()
    bound.page.get_by_role("button", name="Let it pass").click()
    bound.page.locator(".toast.failure", has_text="Something else holds").wait_for()
    assert len(bound.phone.run("ls", "/box").stdout.splitlines()) == there


def test_what_was_done_is_taken_back(bound):
    (bound.box / "note-07.txt").unlink()
    batch = bound.page.locator(".batch", has_text="note-07.txt into the server's trash")
    batch.wait_for()
    batch.get_by_role("button", name="Take back").click()
    bound.page.locator(".toast", has_text="It is taken back.").wait_for()
    bound.page.get_by_text("· taken back").first.wait_for()
    wait_until(lambda: (bound.box / "note-07.txt").exists())
    assert bound.phone.cat("/box/note-07.txt") == b"note 7\n"


def test_why_something_is_as_it_is_is_told_of_both_sides(bound):
    bound.page.get_by_label("with its whole path").fill(str(bound.box / "note-01.txt"))
    bound.page.get_by_role("button", name="Tell me").click()
    told = bound.page.locator("article", has=bound.page.get_by_role("heading", name="note-01.txt"))
    told.get_by_text("It is the same here and on the server.").wait_for()
    assert told.locator("dd").count() == 3 and "7 B" in told.locator("dd").first.inner_text()
    bound.page.goto("/synced?path=/nowhere/<script>alert(1)</script>")
    bound.page.get_by_text("In no synced folder").wait_for()


def test_a_folder_that_goes_away_says_what_to_do(bound):
    bound.box.rename(bound.laptop.home / "away")
    bound.page.locator(".stopped", has_text="The folder is not there.").wait_for()
    assert bound.page.locator(".stopped button").count() == 0, "nothing lets that pass"
    (bound.laptop.home / "away").rename(bound.box)
    bound.page.get_by_role("button", name="Look again").click()
    bound.page.locator(".folder-of .state", has_text="In step").wait_for()
